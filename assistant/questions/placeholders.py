"""What an answer rests on that is not the owner's own: a drawn map, rebuilt charts, made-up counters.

It says so beside its verdict, and is not asked again about them: whether they are right is the player's to judge.
"""

from __future__ import annotations

import re
from collections import Counter
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
    """What an answer has read that is not the owner's own. figures: of the question, its verdict and its steps, which name
    hexes and units.
    """
    facts: dict[tuple[Kind, Source, str], dict[FactKey, Fact]] = {}
    for key, fact in view.read.items():
        if fact.source not in CERTAIN and not fact.assumed:
            track = view.game.track(key[0])
            kind = _kind_of(track)
            title = view.board.title if kind == "map" else track.title.partition(" (")[0]
            facts.setdefault((kind, fact.source, title), {})[key] = fact
    cells = Counter(
        (cell.source, view.game.chart(chart).title)
        for (chart, _), cell in view.cells_read.items()
        if cell.source not in CERTAIN
    )
    named = _names_in(figures) if facts else set[str]()
    return (
        *(
            Placeholder(kind, source, title, len(read), () if kind == "other" else _near(view, read, named))
            for (kind, source, title), read in facts.items()
        ),
        *(Placeholder("charts", source, title, count) for (source, title), count in cells.items()),
    )


def _kind_of(track: Track) -> Kind:
    """What a fact of a track is read of: a map, a counter's rating, or something that no verdict is marked for."""
    if track.on in ("hex", "hexside"):
        return "map"
    return "counters" if track.on == "unit" and track.kind == "integer" else "other"


def _near(view: View, facts: Mapping[FactKey, Fact], named: Collection[str]) -> tuple[Near, ...]:
    """The facts of what the answer names, or all where it names nothing of them: what a fact of the map bars is not named. By track and
    value, in an order of their own, as rules read them in any: first what the printed map shows, hexes before hexsides, and what there
    is before what there is not.
    """
    tracks, rank = view.game.tracks, {name: at for at, name in enumerate(view.game.tracks)}
    alike: dict[tuple[str, str], list[str]] = {}
    of_named = {key: fact for key, fact in facts.items() if all(part in named for part in key[1].split("|"))}
    for (name, subject), fact in (of_named or facts).items():
        alike.setdefault((name, tracks[name].write(fact.value)), []).append(subject)
    near = [Near(name, tracks[name].title, value, tuple(sorted(subjects))) for (name, value), subjects in alike.items()]

    def order(one: Near) -> tuple[bool, bool, bool, int, str]:
        declared = tracks[one.track]
        is_hexside = declared.on == "hexside"
        return declared.printed != "map", is_hexside, one.value.startswith("no"), rank[one.track], one.value

    return tuple(sorted(near, key=order))


def _names_in(figures: Iterable[Mapping[str, Any]]) -> set[str]:
    """What figures name: each text of them, and the words in it."""
    texts = {text for named in figures for figure in named.values() for text in _texts_in(figure)}
    return texts.union(*map(_WORD.findall, texts))


def _texts_in(figure: Any) -> Iterator[str]:
    """The texts in a figure, be it one, or a list of figures."""
    match figure:
        case str():
            yield figure
        case list() | tuple():
            for item in figure:
                yield from _texts_in(item)


def mark_of(rests_on: Sequence[Placeholder], assumed: Sequence[str] = ()) -> str:
    """What stands behind a verdict that rests on placeholders: "(if the drawn map is right)"; "" for none. assumed: what
    else it depends on, such as "terrain of 41.20 is clear".
    """
    kinds = {placeholder.kind for placeholder in rests_on}
    named = [words for kind, words in STANDS_IN.items() if kind in kinds]
    is_one = named == [STANDS_IN["map"]]
    right = [f"the {_listed(named)} {'is' if is_one else 'are'} right"] if named else []
    conditions = [*assumed, *right]
    return f"(if {_listed(conditions)})" if conditions else ""


def _listed(words: Sequence[str]) -> str:
    """Words with commas and a last and between them."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def near_of(rests_on: Iterable[Placeholder]) -> tuple[Near, ...]:
    """What drawn maps have in the hexes that an answer names."""
    return tuple(near for placeholder in rests_on if placeholder.kind == "map" for near in placeholder.near)


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
