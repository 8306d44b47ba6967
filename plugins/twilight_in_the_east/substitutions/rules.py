"""Substitutions: the substitute's strength and status, pairs of brigades, and voluntary ones (16.2)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Literal

import msgspec

from assistant.asking import Step, holding
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
"""The unit that each voluntary substitute replaces, or "" if it replaces one of several (16.2.3a)."""
FOR_GOOD = "3 C stays in the place of FR for good"
HUNGARY = "hungary"
"""The word of the province in which Karpaten may take the place of a depot (16.2.3a)."""
Kind = Literal["exchange", "reinforcement", "never"]
"""The arrival of a substitute: in exchange for other units, as a reinforcement, or never."""


class Exchanged(msgspec.Struct, frozen=True):
    """A unit that is exchanged for another one."""

    id: str
    place: str = ""
    """The unit's place, or "" if it is destroyed."""
    supply: str = "in"
    """The unit's supply state."""
    steps: int = 0
    """The steps that the unit has left."""
    levels: int = 0
    """The Combat Effectiveness Levels that the unit has lost."""
    nation: str = ""
    arm: str = ""
    province: str = ""
    """The province of the unit's place, or "" if it does not matter."""


def is_voluntary(unit: str, *, marked: bool) -> bool:
    """Return whether the owner chooses when to make a substitution, from its game turn on.

    `marked`: whether its schedule marks it as voluntary.

    Rule: 16.2.3
    """
    return marked or unit in CASES


def kind_of(standing: int, *, pair: bool) -> Kind:
    """Return the kind of a substitute's arrival: in exchange, if any of the units that it replaces is left.

    If all are destroyed it is a reinforcement, except that a division of two brigades is never formed.

    `standing`: the number of these units that are left.
    `pair`: whether the substitute is formed of two brigades.

    Rule: 16.2.1, 16.2.2b
    """
    if standing:
        return "exchange"
    return "never" if pair else "reinforcement"


def may_be_replaced(unit: str, *, stands: bool, third_stands: bool) -> bool:
    """Return whether a unit is the eliminated Train of FR, replaced by the Train of 3 C.

    Ruling return-of-frommel decides whether it then returns.

    `stands`, `third_stands`: whether the unit and the Train of 3 C are on the map.

    Rule: 16.2.3a, 16.4
    """
    return unit == FROMMEL and third_stands and not stands


def returns_in_exchange(unit: str, way: str = EXCHANGED) -> bool:
    """Return whether an exchanged unit may return, because it and its substitute can replace each other.

    `way`: the way in which the unit left the map.

    Rule: 16.2.3a
    """
    return way == EXCHANGED and CASES.get(CASES.get(unit, ""), "") == unit


def bars_of_substitution(
    unit: str, olds: Sequence[Exchanged], *, turn: int, now: int, way: str, lost: bool, by_phase: Sequence[Step] = ()
) -> list[Step]:
    """Return why a substitution cannot be made yet.

    A single unit Out of Supply is not exchanged. Two brigades need no supply, but must be stacked together.

    `olds`: the units to be replaced that are left: one, or two brigades that form a division.
    `turn`: the first game turn in which the unit may come.
    `now`: the present game turn, or 0 if it is not stated.
    `way`: the way in which the unit left the map without being eliminated, or "".
    `lost`: whether the unit has been eliminated.
    `by_phase`: the bars of the phase.

    Rule: 16.2, 16.2.1, 16.2.2, 16.2.3
    """
    eliminated = "{unit} has been eliminated, and comes back two game turns later (ask return)"
    unsupplied = "{old} is Out of Supply; the substitution waits until it is In Supply or in Low Supply"
    old = next(iter(olds), Exchanged(""))
    ground = (
        (len(olds) == 1 and old.supply == "out", "16.2.1", unsupplied),
        (
            len({each.place for each in olds}) > 1,
            "16.2.2",
            "{units} must be stacked together in the Reinforcement Phase",
        ),
    )
    return [
        *holding([(0 < now < turn, "16.2", "the substitution is ready in GT {turn}")], turn=turn),
        *bars_of_return(unit, way),
        *holding([(lost, "16.4", eliminated)], unit=unit),
        *by_phase,
        *bars_of_case(unit, old, way),
        *holding(ground, old=old.id, units=tuple(f"{each.id} ({each.place})" for each in olds)),
    ]


def bars_of_return(unit: str, way: str) -> list[Step]:
    """Return the bars to a unit's return: another unit has replaced it, or it has left the map.

    Only the two German Minor Depots replace each other.

    `way`: the way in which the unit left the map without being eliminated, or "".

    Rule: 16.2.3a
    """
    if not _is_gone(unit, way):
        return []
    if unit == FROMMEL and way == EXCHANGED:
        return holding([(True, "16.2.3a", FOR_GOOD)])
    rule, why = WAYS[way]
    return holding([(True, rule, "{unit} {why}")], unit=unit, why=why)


def _is_gone(unit: str, way: str) -> bool:
    """Return whether a unit has left the map for good."""
    return bool(way) and not returns_in_exchange(unit, way)


def bars_of_case(unit: str, old: Exchanged, way: str) -> list[Step]:
    """Return the reasons why the substitute cannot replace the unit to be exchanged, if this one is stated.

    Karpaten replaces Austro-Hungarian Minor Depots in Hungary, the German Ninth and Eighth Minor Depots replace
    each other, and the Train of 3 C replaces that of FR for good.

    `old`: the unit to be exchanged, the first of two, or a unit without facts if there is none.
    `way`: as in `bars_of_return`.

    Rule: 16.2.3a
    """
    if _is_gone(unit, way) or not (old.nation and old.arm):
        return []
    is_for_depot = (old.nation, old.arm) == ("austro-hungarian", "minor-depot")
    other = CASES.get(unit, "")
    clauses = (
        (unit == KARPATEN and not is_for_depot, "16.2.3a", "{old} is not an Austro-Hungarian Minor Depot"),
        (
            unit == KARPATEN and is_for_depot and old.province != HUNGARY,
            "16.2.3a",
            "{old} is not inside Hungary",
        ),
        (other not in ("", old.id), "16.2.3a", "{unit} takes only the place of {other}"),
        ((unit, old.id) == (FROMMEL, THIRD_C), "16.2.3a", FOR_GOOD),
    )
    return holding(clauses, unit=unit, old=old.id, other=other)


def steps_of_substitute(own: int, exchanged: Sequence[int], *, pair: bool, keeps_own_steps: bool) -> int:
    """Return the steps of a substitute: its own plus those of the exchanged unit, or those of two brigades.

    `exchanged`: steps of the remaining units.
    `pair`: whether the substitute is formed of two units.
    `keeps_own_steps`: by ruling lone-brigade, whether it has its own steps if only one brigade is left.

    Rule: 16.2.1, 16.2.2, 16.2.2b
    """
    if pair and not (keeps_own_steps and len(exchanged) == 1):
        return sum(exchanged)
    return own + sum(exchanged)


def levels_after(levels: Sequence[int]) -> int:
    """Return the Combat Effectiveness Levels that a substitute has lost.

    That is one fewer than the exchanged unit, or the average of two brigades, rounded down.

    `levels`: levels lost by each of the units.

    Rule: 16.2.1, 16.2.2
    """
    if len(levels) > 1:
        return sum(levels) // len(levels)
    return max(sum(levels) - 1, 0)


def circle_in(exchanges: Mapping[str, Collection[str]]) -> tuple[str, ...]:
    """Return the first circle among substitutions, from a unit back to itself, or ().

    Voluntary substitutes may replace each other.

    `exchanges`: the units that each unit replaces.
    """
    return first_circle({unit: olds for unit, olds in exchanges.items() if unit not in CASES})
