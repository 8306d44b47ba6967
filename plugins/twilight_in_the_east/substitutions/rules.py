"""Substitutions: the substitute's strength and status, pairs of brigades, and voluntary ones (16.2)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Literal

import msgspec

from assistant.asking.permission import Clause
from assistant.game.schedule_rows import first_circle

from ..forces.departures import DEPARTURES, EXCHANGED
from ..ground.calendar import QuietWork
from ..terms import KARPATEN

PAIRED = frozenset({"12/12", "1+2 rf/22", "3+4 rf/22", "35 r", "Wz/GZ", "Wn/TN", "kg lw"})
"""The divisions that are formed of two brigades (16.2.2)."""
NINTH = "NINTH Minor Depot"
EIGHTH = "German EIGHTH Minor Depot"
THIRD_C = "3 C Train"
FROMMEL = "FR Train"
CASES: Mapping[str, str] = {KARPATEN: "", NINTH: EIGHTH, EIGHTH: NINTH, THIRD_C: FROMMEL}
"""The unit that each voluntary substitute replaces, or "" if it replaces one of several (16.2.3a)."""
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


class Substituting(QuietWork):
    """A unit that would replace others, with its stated facts."""

    unit: str
    olds: tuple[Exchanged, ...]
    """The units to be replaced that are left: one, or two brigades that form a division."""
    voluntary: bool
    turn: int
    """The first game turn in which the unit may come."""
    now: int
    """The present game turn, or 0 if it is not stated."""
    way: str
    """The way in which the unit left the map without being eliminated, or ""."""
    lost: bool
    """Whether the unit has been eliminated."""
    due: str = "reinforcement"
    rule: str = "16.2"

    @property
    def old(self) -> str:
        """The first unit to be replaced, the only one except in a pair."""
        return self.olds[0].id

    @property
    def other(self) -> str:
        """The unit that a voluntary substitute replaces, or "" if it replaces one of several."""
        return CASES[self.unit]

    @property
    def units(self) -> tuple[str, ...]:
        """The units to be replaced, each with its place."""
        return tuple(f"{old.id} ({old.place})" for old in self.olds)

    @property
    def way_rule(self) -> str:
        """The rule by which the unit left the map, or ""."""
        return DEPARTURES[self.way][0] if self.way else ""

    @property
    def why(self) -> str:
        """The way in which the unit left the map, in words."""
        return DEPARTURES[self.way][1]

    def bars(self) -> Iterator[Clause]:
        """Yield why the substitution cannot be made yet.

        A single unit Out of Supply is not exchanged. Two brigades need no supply, but must be stacked together.

        Rule: 16.2, 16.2.1, 16.2.2, 16.2.3
        """
        yield 0 < self.now < self.turn, "16.2", "the substitution is ready in GT {turn}"
        yield from self.bars_of_return()
        yield self.lost, "16.4", "{unit} has been eliminated, and comes back two game turns later (ask return)"
        if self.side and not self.voluntary:
            yield from self.bars_of_phase()
        yield from self.bars_of_case()
        yield (
            len(self.olds) == 1 and self.exchanged.supply == "out",
            "16.2.1",
            "{old} is Out of Supply; the substitution waits until it is In Supply or in Low Supply",
        )
        yield (
            len({old.place for old in self.olds}) > 1,
            "16.2.2",
            "{units} must be stacked together in the Reinforcement Phase",
        )

    def bars_of_return(self) -> Iterator[Clause]:
        """Yield the bars to the unit's return: another unit has replaced it, or it has left the map.

        Only the two German Minor Depots replace each other.

        Rule: 16.2.3a
        """
        yield self.is_replaced, "16.2.3a", "3 C stays in the place of FR for good"
        yield self.is_gone and not self.is_replaced, self.way_rule, "{unit} {why}"

    @property
    def is_replaced(self) -> bool:
        """Whether the unit is the Train of FR, replaced by the Train of 3 C."""
        return self.unit == FROMMEL and self.way == EXCHANGED

    @property
    def exchanged(self) -> Exchanged:
        """The unit to be replaced, or the first of two, or a unit without facts if there is none."""
        return next(iter(self.olds), Exchanged(""))

    @property
    def is_judged(self) -> bool:
        """Whether the unit may come, and the unit that it replaces is stated."""
        return not self.is_gone and bool(self.exchanged.nation and self.exchanged.arm)

    @property
    def is_for_depot(self) -> bool:
        """Whether the unit replaces an Austro-Hungarian Minor Depot."""
        return (self.exchanged.nation, self.exchanged.arm) == ("austro-hungarian", "minor-depot")

    @property
    def is_gone(self) -> bool:
        """Whether the unit has left the map for good."""
        return bool(self.way) and not returns_in_exchange(self.unit, self.way)

    def bars_of_case(self) -> Iterator[Clause]:
        """Yield the reasons why the substitute cannot replace the unit to be exchanged.

        Karpaten replaces Austro-Hungarian Minor Depots in Hungary, the German Ninth and Eighth Minor Depots replace
        each other, and the Train of 3 C replaces that of FR for good.

        Rule: 16.2.3a
        """
        yield (
            self.is_judged and self.unit == KARPATEN and not self.is_for_depot,
            "16.2.3a",
            "{old} is not an Austro-Hungarian Minor Depot",
        )
        yield (
            self.is_judged and self.unit == KARPATEN and self.is_for_depot and self.exchanged.province != HUNGARY,
            "16.2.3a",
            "{old} is not inside Hungary",
        )
        yield (
            self.is_judged and self.unit in CASES and self.exchanged.id != (self.other or self.exchanged.id),
            "16.2.3a",
            "{unit} takes only the place of {other}",
        )
        yield (
            self.is_judged and (self.unit, self.exchanged.id) == (FROMMEL, THIRD_C),
            "16.2.3a",
            "3 C stays in the place of FR for good",
        )


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
    """Return the first cycle among substitutions, from a unit back to itself, or ().

    Voluntary substitutes may replace each other.

    `exchanges`: the units that each unit replaces.
    """
    return first_circle({unit: olds for unit, olds in exchanges.items() if unit not in CASES})
