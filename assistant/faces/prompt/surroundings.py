"""The descriptions of a hex, its hexsides and its units, with the source of each fact."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from ...asking.view import View
from ...formats.positions import Position
from ...state.state import hexside
from ...state.tracks import Fact, Source, Track
from ...util.errors import InputError, MachineError

NAME_TRACK = "named"
"""The track of a place's name, in games that have such a track."""
_SOURCE_WORDS: Mapping[Source, str] = MappingProxyType(
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
"""The words for the sources of facts."""


def describe_source(fact: Fact) -> str:
    """Return the source of a fact in words."""
    source = _SOURCE_WORDS[fact.source]
    return f"{source}, not sure" if fact.assumed else source


def facts_about(view: View, subject: str, on: str, always: str = "") -> Iterator[tuple[Track, Fact | None]]:
    """Yield the known facts of a hex or hexside, without default values.

    `on`: "hex" or "hexside".
    `always`: the track that is included in any case, with None for an unknown fact.
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
    """Return the name of the place in a hex, or "" if it has none."""
    named = view.word(NAME_TRACK, at) if NAME_TRACK in view.game.tracks else ""
    return next((place.name for place in view.board.places if place.hex == at), named)


def describe_hex(position: Position, text: str) -> Iterator[str]:
    """Yield the ground of a hex, its hexsides and its units, each fact with its source.

    Yields no lines for a text that is not a hex, or, without a board, if no fact is stated about the hex.
    """
    view = View(position.game, position.state)
    board = view.board
    try:
        place = board.place(text)
    except MachineError:
        raise
    except InputError:
        return
    if not place or not board.is_hex(place):
        return
    facts = facts_about(view, place, "hex", position.game.file.picture.terrain)
    ground = [(track, fact) for track, fact in facts if track.name != NAME_TRACK]
    sides = {
        neighbour: [*facts_about(view, hexside(place, neighbour), "hexside")] for neighbour in board.neighbours(place)
    }
    units = [unit.id for unit in view.state.stack(place)]
    if not (board.name or units or any(sides.values()) or any(fact for _, fact in ground)):
        return
    name = name_of_hex(view, place)
    title = f"{place} ({name})" if name else place
    yield f"{title}: {_format_facts(ground)}"
    for neighbour, known in sides.items():
        if known:
            yield f"  to {neighbour}: {_format_facts(known)}"
    if units:
        yield f"  units: {', '.join(units)}"


def _format_facts(known: Iterable[tuple[Track, Fact | None]]) -> str:
    words_by_source: dict[str, list[str]] = {}
    for track, fact in known:
        source = describe_source(fact) if fact else "not stated"
        words_by_source.setdefault(source, []).append(track.word(fact.value) if fact else track.name)
    return "; ".join(f"{', '.join(words)} ({source})" for source, words in words_by_source.items())
