"""Substitutions: what becomes of the strength and the status of units that are exchanged, which divisions are formed of
two brigades, and which substitutions are voluntary (16.2).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Literal

import msgspec

from assistant.asking import Step, holding, step
from assistant.game.schedule_rows import first_circle

from ..forces.departures import EXCHANGED, WAYS
from ..terms import KARPATEN

PAIRED = frozenset({"12/12", "1+2 rf/22", "3+4 rf/22", "35 r", "Wz/GZ", "Wn/TN", "kg lw"})
"""The divisions that are formed of two brigades (16.2.2)."""
NINTH = "NINTH Minor Depot"
EIGHTH = "German EIGHTH Minor Depot"
THIRD_C = "3 C Train"
FROMMEL = "FR Train"
CASES: Mapping[str, str] = {KARPATEN: "", NINTH: EIGHTH, EIGHTH: NINTH, THIRD_C: FROMMEL}
"""The voluntary substitutes, each with the unit whose place it takes, "" where there are several (16.2.3a)."""
STAYS = "3 C stays in the place of FR for good"
"""Why the Train of FR does not come back (16.2.3a)."""
HUNGARY = "hungary"
"""The word of the province in which Karpaten may take the place of a depot (16.2.3a)."""
Kind = Literal["exchange", "reinforcement", "never"]
"""What becomes of a substitute: it takes a place, enters as any reinforcement, or never comes."""


class Exchanged(msgspec.Struct, frozen=True):
    """A unit that is exchanged for another one."""

    id: str
    place: str = ""
    """Where it stands, "" if it has been destroyed."""
    supply: str = "in"
    """Its supply state."""
    steps: int = 0
    """Those that it has left."""
    levels: int = 0
    """Combat Effectiveness Levels that it has lost."""
    nation: str = ""
    arm: str = ""
    province: str = ""
    """In which it stands, "" where that does not matter."""


def is_voluntary(unit: str, *, marked: bool) -> bool:
    """Return whether a substitution is made when its owner wishes, from its game turn on: one of the cases that the
    rules list, or marked so on its schedule. Rule: 16.2.3
    """
    return marked or unit in CASES


def bars_of_turn(turn: int, ready: int) -> list[Step]:
    """Return why a substitution is not made yet: its game turn has not come. ready: that turn; any later one will do
    too. Rule: 16.2, 16.2.3
    """
    return holding([(turn < ready, "16.2", "the substitution is ready in GT {turn}")], turn=ready)


def kind_of(standing: int, *, pair: bool) -> Kind:
    """Return what becomes of a substitute: it takes the place of what is left of the units exchanged; where all are
    destroyed it enters as a reinforcement, but a division of two brigades is never formed.

    standing: how many of those units still stand; pair: whether it is formed of two. Rule: 16.2.1, 16.2.2b
    """
    if standing:
        return "exchange"
    return "never" if pair else "reinforcement"


def bars_of_supply(units: Sequence[Exchanged]) -> list[Step]:
    """Return why one unit is not exchanged yet: it is Out of Supply. Two brigades that are there to form a division
    need no supply. Rule: 16.2.1
    """
    out = [unit.id for unit in units if unit.supply == "out"]
    text = "{units} is Out of Supply; the substitution waits until it is In Supply or in Low Supply"
    return holding([(out and not units[1:], "16.2.1", text)], units=out)


def why_no_division(units: Sequence[Exchanged]) -> list[Step]:
    """Return why two brigades do not form their division yet: they are not stacked together. Rule: 16.2.2"""
    apart = len({unit.place for unit in units}) > 1
    names = tuple(f"{unit.id} ({unit.place})" for unit in units)
    text = "{units} must be stacked together in the Reinforcement Phase"
    return holding([(apart, "16.2.2", text)], units=names)


def bars_of_case(unit: str, exchanged: Exchanged) -> list[Step]:
    """Return why a voluntary substitute does not take the place of a unit: Karpaten takes that of Austro-Hungarian
    Minor Depots in Hungary, the German Ninth and Eighth Minor Depots that of each other, the Train of 3 C that of FR,
    which does not take its place back. Rule: 16.2.3a
    """
    depot = (exchanged.nation, exchanged.arm) == ("austro-hungarian", "minor-depot")
    outside = depot and exchanged.province != HUNGARY
    wrong = unit in CASES and unit != KARPATEN and exchanged.id != CASES[unit]
    back = (unit, exchanged.id) == (FROMMEL, THIRD_C)
    reasons = (
        (unit == KARPATEN and not depot, "16.2.3a", "{old} is not an Austro-Hungarian Minor Depot"),
        (unit == KARPATEN and outside, "16.2.3a", "{old} is not inside Hungary"),
        (wrong, "16.2.3a", "{unit} takes only the place of {other}"),
        (back, "16.2.3a", STAYS),
    )
    return holding(reasons, unit=unit, old=exchanged.id, other=CASES.get(unit, ""))


def may_be_replaced(unit: str, *, stands: bool, third_stands: bool) -> bool:
    """Return whether it is open if the Train of FR, which was eliminated, comes back: that of 3 C has entered in its
    place.

    stands, third_stands: whether the unit and the Train of 3 C are on the map. Rule: 16.2.3a, 16.4
    """
    return unit == FROMMEL and third_stands and not stands


def returns_in_exchange(unit: str, way: str = EXCHANGED) -> bool:
    """Return whether a unit may come back whose place another one has taken: each of two that take the place of each
    other.

    way: how it has left the map. Rule: 16.2.3a
    """
    return way == EXCHANGED and CASES.get(CASES.get(unit, ""), "") == unit


def bars_of_loss(unit: str, *, lost: bool) -> list[Step]:
    """Return why a substitute that has been eliminated takes no place: it comes back as any Supply Unit. Rule: 16.4"""
    text = "{unit} has been eliminated, and comes back two game turns later (ask return)"
    return holding([(lost, "16.4", text)], unit=unit)


def bars_of_return(unit: str, way: str) -> list[Step]:
    """Return why a unit whose place another one has taken, or that has left the map, does not come back: only the two
    German Minor Depots take the place of each other.

    way: how it has left the map without being eliminated, "" if it has not. Rule: 16.2.3a
    """
    if not way or returns_in_exchange(unit, way):
        return []
    if unit == FROMMEL and way == EXCHANGED:
        return [step("16.2.3a", STAYS)]
    rule, why = WAYS[way]
    return [step(rule, "{unit} {why}", unit=unit, why=why)]


def steps_of_substitute(own: int, exchanged: Sequence[int], *, pair: bool, whole: bool) -> int:
    """Return the steps of a substitute: its own and those of the unit exchanged; a division of two brigades has theirs
    alone.

    exchanged: those of the remaining units; pair: whether it is formed of two; whole: by ruling lone-brigade, whether
    it has its own where only one is left.
    Rule: 16.2.1, 16.2.2, 16.2.2b
    """
    if pair and not (whole and len(exchanged) == 1):
        return sum(exchanged)
    return own + sum(exchanged)


def levels_after(levels: Sequence[int]) -> int:
    """Return the Combat Effectiveness Levels that a substitute has lost: one fewer than the unit exchanged; of two
    brigades the average, rounded toward none.

    levels: that each of the units has lost. Rule: 16.2.1, 16.2.2
    """
    if len(levels) > 1:
        return sum(levels) // len(levels)
    return max(sum(levels) - 1, 0)


def circle_in(exchanges: Mapping[str, Collection[str]]) -> tuple[str, ...]:
    """Return the first circle among substitutions, from a unit back to itself; empty if there is none. Voluntary
    substitutes may take the place of each other.

    exchanges: the units whose place each takes.
    """
    return first_circle({unit: olds for unit, olds in exchanges.items() if unit not in CASES})
