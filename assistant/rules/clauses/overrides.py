"""Overrides: functions of a game that decide what the clauses of its `rules.toml` cannot.

A game writes them in its module `overrides`. Each takes a case, in plain values, and the answer of the clauses, and
returns what holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from types import UnionType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from ...game.rule_index import declared_in
from ...util.errors import CodeError, nearest

if TYPE_CHECKING:
    from ...game.games import Game

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])


class UnitCase(NamedTuple):
    """A unit, for `zones.has` and `movement.points`."""

    unit: str
    side: str
    at: str
    """The hex of the unit, or "" off the map."""
    facts: Mapping[str, Any]
    """The values of the unit's facts by track, printed or stated; None if unknown."""


class StepCase(NamedTuple):
    """A step of a unit into a hex, for `movement.step` and `retreat.step`."""

    unit: str
    side: str
    here: str
    """The hex left, or "" if the unit enters the map."""
    there: str
    leaves_zone: bool
    """Whether the hex left is in an enemy zone of control."""
    enters_zone: bool
    facts: Mapping[str, Any]
    """The values of the unit's facts by track, printed or stated; None if unknown."""
    ground: Mapping[str, Any]
    """The values of the facts of the hex entered, by track."""
    hexside: Mapping[str, Any]
    """The values of the facts of the hexside crossed, by track."""


class FighterCase(NamedTuple):
    """A unit in a combat, for `battle.strength`."""

    unit: str
    side: str
    at: str
    role: str
    """attacker or defender."""
    targets: tuple[str, ...]
    """The hexes that are attacked."""
    facts: Mapping[str, Any]
    """The values of the unit's facts by track, printed or stated; None if unknown."""


class CombatCase(NamedTuple):
    """A combat, for `battle.shift`."""

    side: str
    targets: tuple[str, ...]
    """The hexes that are attacked."""
    attackers: tuple[FighterCase, ...]
    defenders: tuple[FighterCase, ...]


POINTS: Mapping[str, tuple[type | UnionType, str]] = {
    "zones.has": (bool, "whether a unit has a zone of control"),
    "movement.points": (int, "the Movement Points of a unit"),
    "movement.step": (int | str, "the cost of a step, or why it is barred"),
    "battle.strength": (int, "the strength of a unit in a combat"),
    "battle.shift": (int, "the sum of all shifts of the column"),
    "retreat.step": (str, 'why a step of a retreat is barred, or "" if it is open'),
}
"""The points that a game may override, each with the type of its answer and its meaning."""
OVERRIDES = "overrides"
"""The module of a game with its overrides."""


def override(point: str) -> Callable[[F], F]:
    """Return a decorator that marks a function as the override at a point, such as "movement.step".

    Raises CodeError for an unknown point.
    """
    if point not in POINTS:
        raise CodeError(f"unknown override {point!r}", nearest(point, POINTS) or f"known: {', '.join(POINTS)}")

    def mark(function: F) -> F:
        function.__dict__["override"] = point  # read by `read_overrides`
        return function

    return mark


class FactsOf(Mapping[str, Any]):
    """The values of a subject's facts by track, each read when it is looked up."""

    def __init__(self, read: Callable[[str], Any], tracks: Callable[[], Iterator[str]]) -> None:
        self._read = read
        self._tracks = tracks

    def __getitem__(self, track: str) -> Any:
        return self._read(track)

    def __iter__(self) -> Iterator[str]:
        return self._tracks()

    def __len__(self) -> int:
        return sum(1 for _ in self)


class Overrides:
    """The overrides of a game by their points."""

    def __init__(self, functions: Mapping[str, Callable[..., Any]]) -> None:
        self.functions = functions

    def settle(self, point: str, usual: T, case: Callable[[], Any]) -> T:
        """Return what holds: the answer of the clauses, or what the game's override makes of it.

        `case`: makes the case; called only for an override.

        Raises CodeError if the override returns another type than `POINTS` names.
        """
        function = self.functions.get(point)
        if function is None:
            return usual
        answer: T = function(case(), usual)
        wanted, _ = POINTS[point]
        if not isinstance(answer, wanted) or (isinstance(answer, bool) and wanted is not bool):
            place = f"{OVERRIDES}.py:{function.__code__.co_firstlineno} {function.__name__}"
            kind = "yes or no (bool)" if wanted is bool else "a text" if wanted is str else "a whole number"
            raise CodeError(f"{place}: {answer!r} is not an answer for {point}", f"return {kind}")
        return answer

    def rule_at(self, point: str) -> str:
        """Return the first rule that the override at a point declares in its docstring, or ""."""
        function = self.functions.get(point)
        rules, _ = declared_in(function.__doc__ or "") if function else ((), "")
        return rules[0] if rules else ""


def read_overrides(game: Game) -> Overrides:
    """Return the overrides in the module `overrides` of a game's code, which may lack it.

    Raises CodeError if two functions override the same point.
    """
    from ...installed.registry import package_of

    package = package_of(game) if game.has_file(f"{OVERRIDES}.py") else ""
    if not package:
        return Overrides({})
    functions = dict[str, Callable[..., Any]]()
    for function in vars(import_module(f"{package}.{OVERRIDES}")).values():
        if point := getattr(function, "override", ""):
            if point in functions and functions[point] is not function:
                raise CodeError(f"{functions[point].__name__} and {function.__name__} both override {point}")
            functions[point] = function
    return Overrides(functions)
