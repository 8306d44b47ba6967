"""What an answer has read that is not the owner's own, out of what its view has noted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from ..state.state import FactKey
from ..state.tracks import CERTAIN, Fact, Source, Track
from .placeholders import Kind, Near, Placeholder
from .view import View

_WORD = re.compile(r"[^\s,;:()|]+")


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
    values = [
        Near(name, tracks[name].title, value, tuple(sorted(subjects))) for (name, value), subjects in alike.items()
    ]

    def order(near: Near) -> tuple[bool, bool, bool, int, str]:
        declared = tracks[near.track]
        is_nothing = near.value.startswith("no")  # no, none, no-rail
        return declared.printed != "map", declared.on == "hexside", is_nothing, rank[near.track], near.value

    return tuple(sorted(values, key=order))


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
