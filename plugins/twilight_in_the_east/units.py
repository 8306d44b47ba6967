"""What a combat needs to know of a unit, as plain values; stacks and Forces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Literal, NamedTuple

Role = Literal["attacker", "defender"]
SIDES: tuple[Role, Role] = ("attacker", "defender")
COMBAT_ARMS = ("infantry", "cavalry")
FORTRESSES = ("fortress", "fort")


class CombatUnit(NamedTuple):
    """A unit in a combat.

    steps, defence, artillery: printed on the side in use (artillery 0: none printed); lost: steps lost on that side;
    back_steps: steps of the reduced side, 0 if there is none or the unit is on it; classes: "heavy", "high-trajectory";
    corps: "" if independent; levels: Combat Effectiveness Levels lost, 0 to 4; ap: whether it has an Artillery
    Ammunition Point; with_: the formation whose Force an Asset Unit joins, "" for the first one in its hex.
    """

    id: str
    nation: str
    arm: str
    size: str
    formation: bool
    place: str
    corps: str = ""
    army: str = ""
    steps: int = 1
    lost: int = 0
    reduced: bool = False
    back_steps: int = 0
    defence: int = 0
    artillery: int = 0
    classes: frozenset[str] = frozenset()
    ap: bool = False
    effectiveness: int = 0
    levels: int = 0
    disorder: int = 0
    low_supply: bool = False
    half: bool = False
    prepared: str = ""
    defence_only: bool = False
    displaced: bool = False
    entrained: bool = False
    fssm: int = 0
    with_: str = ""

    @property
    def left(self) -> int:
        """Steps that the unit still has on the side in use."""
        return self.steps - self.lost

    @property
    def demoralized(self) -> bool:
        """Whether it counts as Demoralized: at status -4, or Disordered.

        Rule: 7.3
        """
        return self.formation and (self.levels >= 4 or self.disorder > 0)

    @property
    def barred(self) -> bool:
        """Whether it may not attack, wherever it stands: by its kind, its status or a marker (10.1.2, 8.2.4, 8.2.5)."""
        never = self.arm in FORTRESSES or self.defence_only
        return never or self.demoralized or self.half or self.entrained

    @property
    def cel(self) -> int:
        """The Combat Effectiveness Level: base effectiveness less the levels lost.

        Rule: 7.1b
        """
        return self.effectiveness - self.levels

    def on_reduced_side(self, more_lost: int = 0) -> bool:
        """Whether it stands on its reduced side after so many more step losses.

        Rule: 3.4.1b
        """
        return self.reduced or (0 < self.back_steps < self.steps and self.left - more_lost <= self.back_steps)


class Force(NamedTuple):
    """One Force: at most one formation with the Asset Units attached to it, or Asset Units alone. Named by its first unit."""

    name: str
    units: tuple[CombatUnit, ...]

    @property
    def formation(self) -> CombatUnit | None:
        """The formation, None for Asset Units alone."""
        return next((unit for unit in self.units if unit.formation), None)


def corps_of(unit_id: str) -> str:
    """The corps in a unit's id, "" for an independent unit: 2 rf/22 belongs to the 22 Corps.

    Rule: 3.3.1
    """
    return unit_id.partition("/")[2]


def is_asset(arm: str, size: str, marked: bool) -> bool:
    """Whether a unit is an Asset Unit: artillery, a detachment, or marked as one (its ID in italics) (6.4)."""
    return arm == "artillery" or size in ("III", "II") or marked


def forces(units: Sequence[CombatUnit]) -> tuple[Force, ...]:
    """The Forces in one stack, formations in order, then Asset Units that stand without one. Fortress units are none.

    Rule: 2.1e, 6.4.1c
    """
    field = [unit for unit in units if unit.arm not in FORTRESSES]
    formations = [unit for unit in field if unit.formation]
    assets = [unit for unit in field if not unit.formation]
    if not formations:
        return (Force(assets[0].id, tuple(assets)),) if assets else ()
    joined: dict[str, list[CombatUnit]] = {formation.id: [formation] for formation in formations}
    for asset in assets:
        joined[asset.with_ if asset.with_ in joined else formations[0].id].append(asset)
    return tuple(Force(name, tuple(members)) for name, members in joined.items())


def stacks(units: Iterable[CombatUnit]) -> dict[str, tuple[CombatUnit, ...]]:
    """The units by the hex in which they stand, in order."""
    found: dict[str, list[CombatUnit]] = {}
    for unit in units:
        found.setdefault(unit.place, []).append(unit)
    return {place: tuple(stack) for place, stack in found.items()}


def stacking_value(unit: CombatUnit) -> Fraction:
    """How much of a division a combat unit counts for in stacking and, with fortress units, in a combat's magnitude.

    Rule: 2.2d
    """
    if unit.arm == "infantry" and unit.size == "XX":
        return Fraction(1, 2) if unit.on_reduced_side() else Fraction(1)
    if (unit.arm == "infantry" and unit.size == "X") or (unit.arm == "cavalry" and unit.size == "XX"):
        return Fraction(1, 2)
    return Fraction(0)
