"""Placeholders: values behind an answer that are not from the owner's copy, but from a drawn map or the like.

The answer names them beside its verdict. The player judges whether they are right, so the question is not asked again
with other values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Literal

import msgspec

from ..game.boards.board import Board
from ..state.tracks import Source
from ..state.trust import PLACEHOLDERS, name_stand_ins
from ..util.notes import note
from .wording import format_list

Kind = Literal["map", "charts", "counters", "other"]
"""The material that a placeholder stands in for."""


class Near(msgspec.Struct, frozen=True):
    """A value of hexes, hexsides or units that the answer names."""

    track: Annotated[str, note("the track")]
    title: Annotated[str, note("the track's title")]
    value: Annotated[str, note("the value, as typed")]
    subjects: Annotated[tuple[str, ...], note("the hexes, hexsides or units")]


class Placeholder(msgspec.Struct, frozen=True):
    """Values that an answer has read from one map, chart or kind of counter value, not taken from the owner's copy."""

    kind: Annotated[Kind, note("a map, charts, ratings of counters, or other values that no verdict is marked for")]
    source: Annotated[Source, note("the source of its values")]
    title: Annotated[str, note("the map, the chart, or what the values are")]
    facts: Annotated[int, note("the number of values read")]
    near: Annotated[
        tuple[Near, ...],
        note("of a map or of counters, the values of what the answer names, or all if it names nothing"),
    ] = ()


def format_placeholder_mark(rests_on: Sequence[Placeholder], assumed: Sequence[str] = ()) -> str:
    """Return the mark after a verdict that depends on placeholders: "(if the drawn map is right)", or "".

    `assumed`: further conditions, such as "terrain of 41.20 is clear".
    """
    stand_ins = list_stand_ins(rests_on)
    right = (
        [f"the {format_list([*stand_ins.values()])} {'is' if [*stand_ins] == ['map'] else 'are'} right"]
        if stand_ins
        else []
    )
    conditions = [*assumed, *right]
    return f"(if {format_list(conditions)})" if conditions else ""


def list_stand_ins(rests_on: Sequence[Placeholder]) -> dict[str, str]:
    """Return the words for stand-ins of the owner's map, charts and counters, such as "made-up charts", by kind."""
    sources = {kind: {one.source for one in rests_on if one.kind == kind} for kind in PLACEHOLDERS}
    return {kind: name_stand_ins(kind, of_kind) for kind, of_kind in sources.items() if of_kind}


def merge_placeholders(first: Sequence[Placeholder], second: Sequence[Placeholder]) -> tuple[Placeholder, ...]:
    """Return the placeholders of two answers, each kind, source and title once."""
    merged: dict[tuple[str, Source, str], Placeholder] = {}
    for placeholder in (*first, *second):
        key = placeholder.kind, placeholder.source, placeholder.title
        merged[key] = _merge_pair(merged[key], placeholder) if key in merged else placeholder
    return tuple(merged.values())


def _merge_pair(first: Placeholder, second: Placeholder) -> Placeholder:
    subjects_by_value: dict[tuple[str, str, str], dict[str, None]] = {}
    for near in (*first.near, *second.near):
        subjects_by_value.setdefault((near.track, near.title, near.value), {}).update(dict.fromkeys(near.subjects))
    merged_values = tuple(
        Near(track, title, value, tuple(subjects)) for (track, title, value), subjects in subjects_by_value.items()
    )
    return msgspec.structs.replace(first, facts=max(first.facts, second.facts), near=merged_values)


def list_near(rests_on: Iterable[Placeholder]) -> tuple[Near, ...]:
    """Return the values that drawn maps have in the hexes of an answer."""
    return tuple(near for placeholder in rests_on if placeholder.kind == "map" for near in placeholder.near)


def format_drawn_note(board: Board) -> Iterator[str]:
    """Yield the sentence that warns that a board with drawn facts is not the printed map."""
    if any(fact.source is Source.DRAWN for fact in board.facts.values()):
        yield f"The map is drawn, not from the printed game: {board.title}."
