"""Ranking: the cheapest way to each column, and places ranked by what can be done in them, such as attacks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Any, Generic, NamedTuple, TypeVar

import msgspec

from ..state.state import hides
from ..state.vocabulary import Hex
from ..util.errors import InputError, MachineError, nearest
from ..util.limits import TooMuch
from ..util.notes import note
from .asks import Ask
from .question import Parameters, PlaceName, SideName
from .report import MissingFacts
from .view import View
from .what_if import Ordered

T = TypeVar("T")
C = TypeVar("C", bound=Ordered)


class Way(NamedTuple, Generic[T, C]):
    """One way to do something."""

    what: Annotated[T, note("the way")]
    column: Annotated[C, note("the column that it reaches")]
    cost: Annotated[Any, note("decides which of two is cheaper")]


def cheapest(ways: Iterable[Way[T, C]], columns: Sequence[C]) -> dict[C, Way[T, C]]:
    """Return the cheapest way to reach or pass each column that can be reached.

    `columns`: the chart's columns, from left to right. A way beyond an end of the chart counts for the column there.
    """
    reaching: dict[C, Way[T, C]] = {}
    for way in ways:
        column = max(columns[0], min(way.column, columns[-1]))
        if column not in reaching or way.cost < reaching[column].cost:
            reaching[column] = way
    best_ways: dict[C, Way[T, C]] = {}
    best: Way[T, C] | None = None
    for column in reversed(columns):
        way_here = reaching.get(column)
        best = way_here if best is None or (way_here is not None and way_here.cost < best.cost) else best
        if best is not None:
            best_ways[column] = best
    return dict(reversed(best_ways.items()))


class AttacksAsked(Parameters, frozen=True):
    """The attacks of one side, to be ranked."""

    side: Annotated[SideName, note("the side that attacks")]
    at: Annotated[
        tuple[PlaceName, ...], note("only these hexes; by default all hexes of enemies adjacent to the side's units")
    ] = ()


class RankedPlace(msgspec.Struct, frozen=True, kw_only=True):
    """A place that is ranked. A game adds fields for what can be done there."""

    at: Hex
    missing: Annotated[tuple[str, ...], note("the text that states each missing fact")] = ()
    barred: Annotated[
        tuple[str, ...], note("the reasons why nothing can be done at the hex, empty if something can")
    ] = ()


E = TypeVar("E", bound=RankedPlace)


class Ranking(NamedTuple, Generic[E]):
    """Ranked places, the best first."""

    entries: Annotated[tuple[E, ...], note("an entry for each hex")]
    asks: Annotated[tuple[Ask, ...], note("the facts that are missing, each once")]


def rank_places(
    view: View, places: Iterable[str], entry: Callable[..., E], at: Callable[[str], E], order: Callable[[E], Any]
) -> Ranking[E]:
    """Return the places ranked; missing facts and errors at one place do not stop the others.

    `entry`: makes an entry from its fields.
    `at`: makes the entry of a place; it may raise MissingFacts or InputError.

    Raises TooMuch, with the place, if `at` raises it.
    """
    asks: dict[str, Ask] = {}
    entries = []
    for place in view.each(list(places), "hexes"):
        try:
            entries.append(at(place))
        except MissingFacts as missing:
            asks |= {ask.name: ask for ask in missing.asks}
            entries.append(entry(at=place, missing=tuple(ask.how for ask in missing.asks)))
        except TooMuch as error:
            error.what = f"{place}: {error.what}"
            raise
        except MachineError:
            raise
        except InputError as error:
            entries.append(entry(at=place, barred=(error.what,)))
    return Ranking(tuple(sorted(entries, key=order)), tuple(asks.values()))


def find_targets(view: View, asked: AttacksAsked, empty_hexes: Iterable[str] = ()) -> dict[str, tuple[str, ...]]:
    """Return the hexes with enemies adjacent to a side's units, each with the hexes from which to attack it.

    A unit of unknown nation may be of either side.

    `empty_hexes`: further hexes to attack, without units.

    Raises InputError if the side is unknown, or something is hidden from the player.
    """
    if hides(view.state):
        hint = "use --umpire, or leave out --as, to see both sides"
        raise InputError("attacks are ranked only for solitaire players and umpires, who see both sides", hint=hint)
    if asked.side not in view.game.file.sides:
        hint = nearest(asked.side, view.game.file.sides)
        raise InputError(f"side: {view.game.title} has no side {asked.side!r}", hint=hint)
    sides: dict[str, set[str]] = {}
    for unit in view.units():
        if view.board.is_hex(unit.place):
            sides.setdefault(unit.place, set()).add(view.game.side_of_unit(unit, view.state.facts))
    ours = {place for place, sides_there in sides.items() if sides_there & {asked.side, ""}}
    theirs = {*empty_hexes, *(place for place, sides_there in sides.items() if sides_there - {asked.side})}
    attack_hexes = {
        at: tuple(place for place in view.board.neighbours(at) if place in ours)
        for at in sorted(theirs & set(asked.at or theirs))
    }
    return {at: places for at, places in attack_hexes.items() if places}
