"""Placeholders: what an answer rests on that is not the owner's own, such as a drawn map or made-up charts.

The answer names them beside its verdict. Whether they are right is the player's to judge, so it is not asked again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec

from ..game.boards.board import Board
from ..state.state import FactKey
from ..state.tracks import CERTAIN, Fact, Source, Track
from ..state.trust import PLACEHOLDERS, name_stand_ins
from ..util.notes import note
from ..util.patterns import late_pattern
from .wording import format_list, short_title

if TYPE_CHECKING:
    from .view import View

_WORD = late_pattern(r"[^\s,;:()|]+")
"""A word in a text, such as the name of a hex or a unit."""

Kind = Literal["map", "charts", "counters", "other"]
"""What a placeholder stands in for."""


class Near(msgspec.Struct, frozen=True):
    """A value of hexes, hexsides or units that the answer names."""

    track: Annotated[str, note("the track")]
    title: Annotated[str, note("what the track is called")]
    value: Annotated[str, note("its value, as typed")]
    subjects: Annotated[tuple[str, ...], note("the hexes, hexsides or units")]


class Placeholder(msgspec.Struct, frozen=True):
    """What an answer has read of one map, chart or kind of counter value that is not the owner's own."""

    kind: Annotated[Kind, note("a map, charts, ratings of counters, or other values that no verdict is marked for")]
    source: Annotated[Source, note("where its values come from")]
    title: Annotated[str, note("the map, the chart, or what the values are")]
    facts: Annotated[int, note("how many values were read")]
    near: Annotated[
        tuple[Near, ...],
        note("of a map or of counters, the values of what the answer names, or all if it names nothing"),
    ] = ()


def find_placeholders(view: View, figures: Iterable[Mapping[str, Any]]) -> tuple[Placeholder, ...]:
    """Return what an answer has read that is not the owner's own. figures: of the question, its verdict and its steps,
    which name hexes and units.
    """
    by_track = dict[tuple[str, Source], dict[FactKey, Fact]]()
    for key, fact in view.premises.facts.items():
        if fact.source not in CERTAIN and not fact.assumed:
            by_track.setdefault((key[0], fact.source), {})[key] = fact
    facts: dict[tuple[Kind, Source, str], dict[FactKey, Fact]] = {}
    for (name, source), of_track in by_track.items():
        track = view.game.track(name)
        kind = _find_kind(track)
        title = view.board.title if kind == "map" else short_title(track.title)
        facts.setdefault((kind, source, title), {}).update(of_track)
    cells = Counter(
        (cell.source, view.game.chart(chart).title)
        for (chart, _), cell in view.premises.cells.items()
        if cell.source not in CERTAIN
    )
    named = _find_names(figures) if facts else set[str]()
    return (
        *(
            Placeholder(kind, source, title, len(read), () if kind == "other" else _list_near(view, read, named))
            for (kind, source, title), read in facts.items()
        ),
        *(Placeholder("charts", source, title, count) for (source, title), count in cells.items()),
    )


def _find_kind(track: Track) -> Kind:
    """Return what a fact of a track is read of: a map, a counter's rating, or something that no verdict is marked for."""
    if track.on in ("hex", "hexside"):
        return "map"
    return "counters" if track.on == "unit" and track.kind == "integer" else "other"


def _list_near(view: View, facts: Mapping[FactKey, Fact], named: set[str]) -> tuple[Near, ...]:
    """Return the facts of what the answer names, or all where it names nothing of them: what a fact of the map bars is
    not named. By track and value, in an order of their own, as rules read them in any: first what the printed map
    shows, hexes before hexsides, and what there is before what there is not.
    """
    tracks = view.game.tracks
    rank = {name: at for at, name in enumerate(view.game.tracks)}
    alike: dict[tuple[str, str], list[str]] = {}
    of_named = {key: fact for key, fact in facts.items() if named.issuperset(key[1].split("|"))}
    for (name, subject), fact in (of_named or facts).items():
        alike.setdefault((name, tracks[name].write(fact.value)), []).append(subject)
    values = [
        Near(name, tracks[name].title, value, tuple(sorted(subjects))) for (name, value), subjects in alike.items()
    ]

    def order(near: Near) -> tuple[bool, bool, bool, int, str]:
        declared = tracks[near.track]
        is_nothing = near.value.startswith("no")  # no, none, no-rail
        return declared.printed != "map", declared.on == "hexside", is_nothing, rank[near.track], near.value

    return tuple(sorted(values, key=order))


def _find_names(figures: Iterable[Mapping[str, Any]]) -> set[str]:
    """Return what figures name: each text of them, and the words in it."""
    texts = {text for named in figures for figure in named.values() for text in _find_texts(figure)}
    return texts.union(*map(_WORD.findall, texts))


def _find_texts(figure: Any) -> Iterator[str]:
    """Yield the texts in a figure, be it one, or a list of figures."""
    match figure:
        case str():
            yield figure
        case list() | tuple():
            for item in figure:
                yield from _find_texts(item)


def format_placeholder_mark(rests_on: Sequence[Placeholder], assumed: Sequence[str] = ()) -> str:
    """Return what stands behind a verdict that rests on placeholders: "(if the drawn map is right)"; "" for none.
    assumed: what else it depends on, such as "terrain of 41.20 is clear".
    """
    named = list_stand_ins(rests_on)
    right = [f"the {format_list([*named.values()])} {'is' if [*named] == ['map'] else 'are'} right"] if named else []
    conditions = [*assumed, *right]
    return f"(if {format_list(conditions)})" if conditions else ""


def list_stand_ins(rests_on: Sequence[Placeholder]) -> dict[str, str]:
    """Return what stands in for the owner's map, charts and counters, by kind, such as "made-up charts"."""
    sources = {kind: {one.source for one in rests_on if one.kind == kind} for kind in PLACEHOLDERS}
    return {kind: name_stand_ins(kind, of_kind) for kind, of_kind in sources.items() if of_kind}


def merge_placeholders(first: Sequence[Placeholder], second: Sequence[Placeholder]) -> tuple[Placeholder, ...]:
    """Return what two answers rest on, as one list."""
    merged: dict[tuple[str, Source, str], Placeholder] = {}
    for placeholder in (*first, *second):
        key = placeholder.kind, placeholder.source, placeholder.title
        merged[key] = _merge_pair(merged[key], placeholder) if key in merged else placeholder
    return tuple(merged.values())


def _merge_pair(first: Placeholder, second: Placeholder) -> Placeholder:
    """Return the same map, chart or kind of value as two answers have read it."""
    alike: dict[tuple[str, str, str], dict[str, None]] = {}
    for near in (*first.near, *second.near):
        alike.setdefault((near.track, near.title, near.value), {}).update(dict.fromkeys(near.subjects))
    named = tuple(Near(track, title, value, tuple(subjects)) for (track, title, value), subjects in alike.items())
    return msgspec.structs.replace(first, facts=max(first.facts, second.facts), near=named)


def list_near(rests_on: Iterable[Placeholder]) -> tuple[Near, ...]:
    """Return what drawn maps have in the hexes that an answer names."""
    return tuple(near for placeholder in rests_on if placeholder.kind == "map" for near in placeholder.near)


def format_drawn_note(board: Board) -> Iterator[str]:
    """Yield the sentence that says of a drawn map that it is not the printed one; nothing for a board without drawn
    facts.
    """
    if any(fact.source is Source.DRAWN for fact in board.facts.values()):
        yield f"The map is drawn, not from the printed game: {board.title}."
