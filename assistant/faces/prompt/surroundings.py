"""What lies in a hex and on its hexsides, and how it is known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from ...asking.view import View
from ...formats.positions import Position
from ...state.state import hexside
from ...state.tracks import Fact, Source, Track
from ...util.errors import InputError, MachineError

NAMED = "named"
"""The track of the name of what lies in a hex, in a game that has it."""
_HOW: Mapping[Source, str] = MappingProxyType(
    {
        Source.RULEBOOK: "from the rulebook",
        Source.PRINTED: "printed in your copy",
        Source.STATED: "stated",
        Source.DRAWN: "drawn from geography",
        Source.RECONSTRUCTION: "rebuilt from what is known",
        Source.MADE_UP: "made up, to fit the rulebook",
        Source.ILLUSTRATIVE: "made up, to show how it works",
    }
)
"""How a fact is known, by its source."""


def describe_source(fact: Fact) -> str:
    """Return how a fact is known, in words."""
    how = _HOW[fact.source]
    return f"{how}, not sure" if fact.assumed else how


def facts_about(view: View, subject: str, on: str, always: str = "") -> Iterator[tuple[Track, Fact | None]]:
    """Yield what is known of a hex or a hexside, without what only silence means, None for what is not known.

    on: which of the two it is; always: the track that is named in any case.
    """
    for track in view.game.tracks.values():
        if track.on != on:
            continue
        key = (track.name, subject)
        fact = view.fact(*key)
        is_stated = key in view.stated
        if fact and (is_stated or fact.value not in (track.absent, track.nothing)):
            yield track, fact
        elif track.name == always:
            yield track, fact if fact and (is_stated or view.board.fact(*key)) else None


def name_of_hex(view: View, at: str) -> str:
    """Return the name of what lies in a hex, "" if it has none."""
    named = view.word(NAMED, at) if NAMED in view.game.tracks else ""
    return next((place.name for place in view.board.places if place.hex == at), named)


def describe_hex(position: Position, text: str) -> Iterator[str]:
    """Yield what lies in a hex, on its hexsides, and which units stand there, each with how it is known; nothing for a
    text that is not a hex, and without a board for a hex of which nothing is stated.
    """
    view = View(position.game, position.state)
    board = view.board
    try:
        at = board.place(text)
    except MachineError:
        raise
    except InputError:
        return
    if not at or not board.is_hex(at):
        return
    facts = facts_about(view, at, "hex", position.game.file.picture.terrain)
    ground = [(track, fact) for track, fact in facts if track.name != NAMED]
    sides = {near: [*facts_about(view, hexside(at, near), "hexside")] for near in board.neighbours(at)}
    units = [unit.id for unit in view.state.stack(at)]
    if not (board.name or units or any(sides.values()) or any(fact for _, fact in ground)):
        return
    name = name_of_hex(view, at)
    title = f"{at} ({name})" if name else at
    yield f"{title}: {_format_facts(ground)}"
    for near, known in sides.items():
        if known:
            yield f"  to {near}: {_format_facts(known)}"
    if units:
        yield f"  units: {', '.join(units)}"


def _format_facts(known: Iterable[tuple[Track, Fact | None]]) -> str:
    """Return facts with how they are known, those that are known alike together."""
    alike: dict[str, list[str]] = {}
    for track, fact in known:
        how = describe_source(fact) if fact else "not stated"
        alike.setdefault(how, []).append(track.word(fact.value) if fact else track.name)
    return "; ".join(f"{', '.join(words)} ({how})" for how, words in alike.items())
