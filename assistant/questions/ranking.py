"""Ranking: the cheapest way to each column, and places ranked by what can be done at each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from ..util.errors import InputError
from ..util.limits import TooMuch
from .report import Ask, MissingFacts
from .view import View
from .what_if import Ordered

T = TypeVar("T")
C = TypeVar("C", bound=Ordered)


class Way(NamedTuple, Generic[T, C]):
    """One way to do something. what: the way; column: the one that it reaches; cost: decides which of two is cheaper."""

    what: T
    column: C
    cost: Any


def cheapest(ways: Iterable[Way[T, C]], columns: Sequence[C]) -> dict[C, Way[T, C]]:
    """For each column that can be reached, the cheapest way that reaches or passes it.

    columns: of the chart, from left to right; a way whose column lies beyond an end of the chart counts for the last one there.
    """
    reaching: dict[C, Way[T, C]] = {}
    for way in ways:
        column = max(columns[0], min(way.column, columns[-1]))
        if column not in reaching or way.cost < reaching[column].cost:
            reaching[column] = way
    found: dict[C, Way[T, C]] = {}
    best: Way[T, C] | None = None
    for column in reversed(columns):
        here = reaching.get(column)
        best = here if best is None or (here is not None and here.cost < best.cost) else best
        if best is not None:
            found[column] = best
    return dict(reversed(found.items()))


class Ranked(NamedTuple, Generic[T]):
    """Places ranked, best first. found: what can be done at each; asks: the facts that are missing, each once."""

    found: tuple[T, ...]
    asks: tuple[Ask, ...]


def ranked(
    view: View,
    places: Sequence[str],
    *,
    at: Callable[[str], T],
    lacking: Callable[[str, MissingFacts], T],
    barred: Callable[[str, InputError], T],
    order: Callable[[T], Any],
) -> Ranked[T]:
    """What can be done at each of some places, ranked; shows progress.

    at: what can be done at a place, which may raise; lacking: the entry for a place with missing facts; barred: the entry
    for a place where nothing can be done; order: the sort key, lowest first. Raises TooMuch, with the place, where there is too much
    to look at.
    """
    asks: dict[str, Ask] = {}
    found = []
    for place in view.each(places, "hexes"):
        try:
            found.append(at(place))
        except MissingFacts as missing:
            asks |= {ask.name: ask for ask in missing.asks}
            found.append(lacking(place, missing))
        except TooMuch as error:
            error.what = f"{place}: {error.what}"
            raise
        except InputError as error:
            found.append(barred(place, error))
    return Ranked(tuple(sorted(found, key=order)), tuple(asks.values()))
