"""What forbids recovery of Combat Effectiveness Levels and from Disorder, and what Movement Points achieve (7.4.2, 8.6,
24.3.2).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Annotated

import msgspec

from assistant.asking import holding, note
from assistant.asking.report import Step, step

from ..forces.markers import COST
from ..forces.unit import suffers
from ..forces.units import is_demoralized

# Hexes that the nearest enemy must be away for the recovery of levels, by what holds for the unit (8.6.1).
USUAL = 3
DEMORALIZED = 5
COVERED = 2
ADJACENT = 1
STRONG = 3
"""The level from which on the ZOC out of an Improved Position covers hexes (8.6.1)."""
CAVALRY_TIRES = 8
"""The last game turn in which cavalry recovers its original effectiveness (8.6.3)."""
SIDES = 2
"""The sides of an Incomplete marker (24.3)."""


class Recovering(msgspec.Struct, frozen=True):
    """A unit that would recover, in plain values."""

    arm: str
    levels: Annotated[int, note("Combat Effectiveness Levels that it has lost")]
    disorder: Annotated[int, note("its degree")]
    supply: str
    distance: Annotated[int | None, note("hexes to the nearest enemy, None if there is none")]
    begun: Annotated[bool, note("whether it has spent points on it in an earlier phase")] = False
    covered: Annotated[bool, note("whether friends cover every hex between it and enemies two hexes away")] = False
    sheltered: Annotated[bool, note("whether it is stacked with a fortress unit of a Fortress Complex")] = False
    turn: Annotated[int, note("the game turn, where it matters")] = 1

    @property
    def demoralized(self) -> bool:
        """Whether it counts as Demoralized."""
        return is_demoralized(self.levels, self.disorder)

    @property
    def tired(self) -> bool:
        """Whether it is cavalry that does not recover its last level any more (8.6.3)."""
        return self.arm == "cavalry" and self.turn > CAVALRY_TIRES

    def nearer(self, far: int) -> bool:
        """Return whether an enemy is nearer than so many hexes."""
        return self.distance is not None and self.distance < far


def disorder_bars(unit: Recovering, far: int, nearer: str) -> list[Step]:
    """Return what forbids recovery from Disorder: an enemy who is too near, and being Out of Supply.

    far: how far the nearest one must be, in hexes; nearer: ruling disorder-nearer. Rule: 7.4.2
    """
    if unit.begun and nearer == "continued":
        far = COVERED
    reasons = (
        (unit.nearer(far), "7.4.2", "an enemy is {distance:#hex} away, but {far} are needed"),
        (suffers(unit.supply, "recovery"), "7.4.2", "it is Out of Supply"),
    )
    return holding(reasons, unit, far=far)


def far_enough(unit: Recovering, complex_reading: str) -> int:
    """Return how far the nearest enemy must be for the recovery of levels, in hexes.

    Three as a rule, five for a Demoralized unit, two where friends cover every hex between, one with a fortress unit of
    a Fortress Complex; what has begun goes on as long as no enemy is adjacent. complex_reading: ruling
    complex-demoralized.
    Rule: 8.6.1, 8.6.1b, 8.6.1c
    """
    if unit.sheltered and (not unit.demoralized or complex_reading == "sheltered"):
        return ADJACENT
    if unit.begun:
        return COVERED
    if unit.demoralized:
        return DEMORALIZED
    return COVERED if unit.covered else USUAL


def level_bars(unit: Recovering, far: int) -> list[Step]:
    """Return what forbids the recovery of a level: Disorder, being Out of Supply, an enemy who is too near, and for
    cavalry the last level after GT 8.

    far: see `far_enough`. Rule: 8.6.2, 8.6.3
    """
    reasons = (
        (unit.disorder > 0, "8.6.2", "it is Disordered"),
        (suffers(unit.supply, "recovery"), "8.6.2", "it is Out of Supply"),
        (unit.nearer(far), "8.6.1", "an enemy is {distance:#hex} away, but {far} are needed"),
        (unit.tired and unit.levels == 1, "8.6.3", "after GT 8 cavalry does not recover its last level"),
    )
    return holding(reasons, unit, far=far)


def recover_levels(count: int, points: int, more: Callable[[int], bool] = lambda done: True) -> tuple[int, int]:
    """Return how many of so many levels or degrees are left, and the Movement Points that are carried over for the next
    one.

    points: all that were spent, in earlier phases too; more: from how many are done to whether the next may be begun.
    Points that nothing is left for count for nothing.
    Rule: 8.6
    """
    done = 0
    while points >= COST and done < count and more(done):
        done += 1
        points -= COST
    return count - done, points if done < count and more(done) else 0


def turn_marker(side: int, points: int) -> int:
    """Return the side of a Corps Train's Incomplete marker after so many Movement Points of one phase, 0 once it is
    off: seven turn it from 1 to 2, seven more take it off, and none are carried over. Rule: 24.3.2
    """
    then = side + points // COST
    return then if then <= SIDES else 0


def too_few_to_turn(needed: int, left: Fraction) -> list[Step]:
    """Return what says that a Corps Train has too few Movement Points left in the phase for the next side of its
    Incomplete marker: they would be spent for nothing, as none are carried over. needed: points that it still has to
    spend on that.
    Rule: 24.3.2
    """
    text = "{needed:#more Movement Point} would have to be spent on its marker in this phase, and it has {left} left"
    return [step("24.3.2", text, needed=needed, left=left)] if left < needed else []
