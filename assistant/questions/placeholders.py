"""What an answer rests on that is not the owner's own: a drawn map, rebuilt charts, made-up counters.

It says so beside its verdict, and is not asked again about them: whether they are right is the player's to judge.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec

from ..state.state import FactKey
from ..state.tracks import CERTAIN, Fact, Source, Track
from ..state.trust import STANDS_IN
from ..util.notes import note

if TYPE_CHECKING:
    from .view import View

Kind = Literal["map", "charts", "counters", "other"]
_WORD = re.compile(r"[^\s,;:()|]+")


class Near(msgspec.Struct, frozen=True):
    """A value that a drawn map has in hexes, or on hexsides, that the answer names."""

    track: Annotated[str, note("the track")]
    title: Annotated[str, note("what the track is called")]
    value: Annotated[str, note("its value, as typed")]
    subjects: Annotated[tuple[str, ...], note("the hexes or hexsides")]


class Placeholder(msgspec.Struct, frozen=True):
    """What an answer has read of one map, chart or kind of counter value that is not the owner's own."""

    kind: Annotated[Kind, note("a map, charts, ratings of counters, or other values that no verdict is marked for")]
    source: Annotated[Source, note("where its values come from")]
    title: Annotated[str, note("the map, the chart, or what the values are")]
    facts: Annotated[int, note("how many values were read")]
    near: Annotated[tuple[Near, ...], note("of a map, what it has in the hexes that the answer names")] = ()


def find_placeholders(view: View, figures: Iterable[Mapping[str, Any]]) -> tuple[Placeholder, ...]:
    """What an answer has read that is not the owner's own. figures: of the question, its verdict and steps, which name
    hexes."""
    drawn: dict[tuple[Kind, Source, str], dict[FactKey, Fact] | int] = {}
    for key, fact in view.read.items():
        if fact.source in CERTAIN or fact.assumed:
            continue
        track = view.game.track(key[0])
        kind = _kind_of(track)
        title = view.board.title if kind == "map" else track.title.partition(" (")[0]
        facts = drawn.setdefault((kind, fact.source, title), {})
        assert isinstance(facts, dict)
        facts[key] = fact
    for (chart, _), cell in view.cells_read.items():
        if cell.source not in CERTAIN:
            name: tuple[Kind, Source, str] = "charts", cell.source, view.game.chart(chart).title
            count = drawn.get(name, 0)
            assert isinstance(count, int)
            drawn[name] = count + 1
    if not drawn:
        return ()
    named = _hexes_named(view, figures) if any(kind == "map" for kind, _, _ in drawn) else ()
    return tuple(
        Placeholder(kind, source, title, facts)
        if isinstance(facts, int)
        else Placeholder(kind, source, title, len(facts), _near(view, facts, named) if kind == "map" else ())
        for (kind, source, title), facts in drawn.items()
    )


def _kind_of(track: Track) -> Kind:
    """What a fact of a track is read of: a map, a counter's rating, or something that no verdict is marked for."""
    if track.on in ("hex", "hexside"):
        return "map"
    return "counters" if track.on == "unit" and track.kind == "integer" else "other"


def _near(view: View, facts: Mapping[FactKey, Fact], named: Collection[str]) -> tuple[Near, ...]:
    """The facts of a map in some hexes, by track and value: first what the printed map shows, hexes before hexsides, and
    what there is before what there is not.
    """
    alike: dict[tuple[str, str], list[str]] = {}
    for (name, subject), fact in facts.items():
        if all(hex in named for hex in subject.split("|")):
            alike.setdefault((name, view.game.track(name).write(fact.value)), []).append(subject)
    tracks = view.game.tracks
    near = [Near(name, tracks[name].title, value, tuple(subjects)) for (name, value), subjects in alike.items()]

    def order(one: Near) -> tuple[bool, bool, bool]:
        declared = tracks[one.track]
        return declared.printed != "map", declared.on == "hexside", one.value.startswith("no")

    return tuple(sorted(near, key=order))


def _hexes_named(view: View, figures: Iterable[Mapping[str, Any]]) -> set[str]:
    """The hexes that figures name, hexsides by both of theirs."""
    words = {word for named in figures for figure in named.values() for word in _words(figure)}
    return {word for word in words if view.board.has(word)}


def _words(figure: Any) -> Iterator[str]:
    """The words in a figure, be it a text, a list of figures, or a struct."""
    match figure:
        case str():
            yield from _WORD.findall(figure)
        case list() | tuple():
            for item in figure:
                yield from _words(item)


def mark_of(rests_on: Sequence[Placeholder], assumed: Sequence[str] = ()) -> str:
    """What stands behind a verdict that rests on placeholders: "(if the drawn map is right)"; "" for none. assumed: what
    else it depends on, such as "terrain of 41.20 is clear".
    """
    kinds = {placeholder.kind for placeholder in rests_on if placeholder.kind != "map" or placeholder.near}
    named = [words for kind, words in STANDS_IN.items() if kind in kinds]
    is_one = named == [STANDS_IN["map"]]
    right = [f"{_listed(named)} {'is' if is_one else 'are'} right"] if named else []
    conditions = [*assumed, *right]
    return f"(if {_listed(conditions)})" if conditions else ""


def _listed(words: Sequence[str]) -> str:
    """Words with commas and a last and between them."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def near_of(rests_on: Iterable[Placeholder]) -> tuple[Near, ...]:
    """What drawn maps have in the hexes that an answer names."""
    return tuple(near for placeholder in rests_on for near in placeholder.near)


def merge_placeholders(first: Sequence[Placeholder], second: Sequence[Placeholder]) -> tuple[Placeholder, ...]:
    """What two answers rest on, as one list."""
    merged = {(one.kind, one.source, one.title): one for one in first}
    for one in second:
        key = one.kind, one.source, one.title
        merged[key] = _merge(merged[key], one) if key in merged else one
    return tuple(merged.values())


def _merge(first: Placeholder, second: Placeholder) -> Placeholder:
    """The same map, chart or kind of value as two answers have read it."""
    alike: dict[tuple[str, str, str], dict[str, None]] = {}
    for near in (*first.near, *second.near):
        alike.setdefault((near.track, near.title, near.value), {}).update(dict.fromkeys(near.subjects))
    named = tuple(Near(*what, tuple(subjects)) for what, subjects in alike.items())
    return msgspec.structs.replace(first, facts=max(first.facts, second.facts), near=named)
