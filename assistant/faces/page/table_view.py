"""What the page shows of a position: its facts and its units, as plain values."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from hashlib import blake2b
from typing import NamedTuple

import msgspec

from ...asking.view import View
from ...game.boards import Board
from ...records.journal.entries import FACT
from ...state.differences import Divergence
from ...state.state import HIDDEN, UNSEEN, FactKey, Unit
from ...state.tracks import Fact, Track
from ...util.errors import InputError, plain
from ...util.memo import Memo
from ..prompt.shorthand.abbreviations import usual_values
from ..prompt.surroundings import describe_source, facts_about
from .messages.table import FactShown, Refused, UnitShown


class _ShownFacts(NamedTuple):
    """Facts as they are shown."""

    facts: Mapping[FactKey, tuple[Fact, FactShown]]
    """Each with what is shown of it."""
    written: msgspec.Raw
    """All of them, as JSON."""


_UNITS: Memo[None, Mapping[str, msgspec.Raw]] = Memo()
"""The units of a state as they are shown, as JSON."""
_STATED: Memo[tuple[str, ...], _ShownFacts] = Memo()
"""What a state states about some things, as it is shown."""


def show_error(error: InputError) -> Refused:
    """Return what cannot be done, and what to do instead."""
    return Refused(what=plain(error.what), where=str(error.where or ""), hint=plain(error.hint))


SIGNS = {HIDDEN: "partly hidden", UNSEEN: "hidden units may be here"}
"""In words what a viewpoint leaves behind of what it hides, by its track."""


def format_line(line: str) -> str:
    """Return a line as a player says it: `25/3 cel -1` for `fact 25/3 cel=-1`."""
    return re.sub(r"(?<=[\w-])=(?=\S)", " ", re.sub(rf"^(\s*[0-9]+ \S+ )?{FACT} ", r"\1", line))


def _show_fact(track: Track, subject: str, fact: Fact) -> FactShown:
    """Return a fact with the words for it."""
    return FactShown(
        track=track.name,
        subject=subject,
        value=track.write(fact.value),
        word=SIGNS.get(track.name) or track.word(fact.value),
        how=describe_source(fact),
        doubtful=fact.doubtful,
    )


def _show_unknown(view: View, track: Track, subject: str) -> FactShown:
    """Return a fact that is not known, with what is usually taken for granted."""
    word = next(iter(usual_values(view.game, track.name)), "")
    how = "taken for granted" if word else "not stated"
    return FactShown(track=track.name, subject=subject, value="", word=word, how=how, doubtful=bool(word))


def show_stated(view: View, *on: str) -> msgspec.Raw:
    """Return the facts that a state states of hexes, hexsides, the game and so on, each a `FactShown`: a list as JSON.
    on: about what.
    """
    tracks = view.game.tracks
    names = {name for name, track in tracks.items() if track.on in on}

    def show(known: _ShownFacts | None, apart: Divergence) -> _ShownFacts:
        if known is not None and not any(name in names for name, _ in apart.facts):
            return known
        kept = known.facts if known else {}
        facts = {
            key: was if (was := kept.get(key)) and was[0] is fact else (fact, _show_fact(tracks[key[0]], key[1], fact))
            for key, fact in view.state.facts.items()
            if key[0] in names
        }
        return _ShownFacts(facts, msgspec.Raw(msgspec.json.encode([shown for _, shown in facts.values()])))

    return view.memo(_STATED, on, show).written


def show_units(view: View) -> tuple[msgspec.Raw, ...]:
    """Return the units of a state, stack by stack and from the top; then those off the map: each a `UnitShown` as
    JSON.
    """

    def show(known: Mapping[str, msgspec.Raw] | None, apart: Divergence) -> Mapping[str, msgspec.Raw]:
        kept = known or {}
        units = view.state.units
        stated: dict[str, dict[str, Fact]] = {name: {} for name in units if name in apart.units or name not in kept}
        for (track, subject), fact in view.state.facts.items():
            if subject in stated:
                stated[subject][track] = fact
        anew = {
            name: msgspec.Raw(msgspec.json.encode(_show_unit(view, units[name], facts)))
            for name, facts in stated.items()
        }
        return {name: anew.get(name) or kept[name] for name in units}

    shown = view.memo(_UNITS, None, show)
    units = sorted(view.state.units.values(), key=lambda unit: (unit.place is None, unit.place or "", unit.order))
    return tuple(shown[unit.id] for unit in units)


def _show_unit(view: View, unit: Unit, stated: Mapping[str, Fact]) -> UnitShown:
    """Return a unit as it is shown. stated: what is stated of it, by track."""
    picture = view.game.file.picture
    notation = view.game.file.notation
    tracks = view.game.tracks
    words = [
        SIGNS.get(name) or tracks[name].word(fact.value).replace("=", " ", 1)  # `cel -1`, as a counter's card has it
        for name, fact in stated.items()
        if not tracks[name].printed and name not in notation.identity and fact.value != tracks[name].nothing
    ]
    figures = [view.fact(name, unit.id) for name in notation.brackets]

    def word(name: str) -> str:
        return view.word(name, unit.id) if name in tracks else ""

    seen = (unit.type, *(f"{name}={fact.value}" for name, fact in stated.items()))
    return UnitShown(
        id=unit.id,
        place=unit.place,
        on_map=unit.place is not None and view.board.shows(unit.place),
        side=view.side_of(unit.id),
        nation=word(picture.nation),
        arm=word(picture.symbol),
        size=word(picture.size),
        figures=tuple("?" if fact is None else str(fact.value) for fact in figures),
        state=tuple(words),
        facts=tuple(_show_fact(tracks[name], unit.id, fact) for name, fact in stated.items()),
        look=blake2b("\n".join(seen).encode(), digest_size=6).hexdigest(),
    )


def show_subject(view: View, subject: str, on: str, always: str = "") -> tuple[FactShown, ...]:
    """Return what is known of a hex or a hexside, without what only silence means. on: which of the two it is; always:
    the track that is shown in any case.
    """
    return tuple(
        _show_fact(track, subject, fact) if fact else _show_unknown(view, track, subject)
        for track, fact in facts_about(view, subject, on, always)
    )


def angle_to(board: Board, start: str, end: str) -> int:
    """Return in which direction a hex lies from another one, in degrees clockwise from the top."""
    x, y = board.centre(start)
    to_x, to_y = board.centre(end)
    return round(math.degrees(math.atan2(to_x - x, y - to_y))) % 360
