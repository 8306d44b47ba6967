"""Units in a combat as plain values, with their stacks and Forces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Annotated, Literal

import msgspec

from assistant.asking import note
from assistant.util.patterns import late_pattern

from ..terms import BATTERIES, COMBAT_ARMS, FISCHER, FORTRESSES, SUPPLY_ARMS

MAX_DIVISIONS = 3
"""Maximum division equivalents in a hex at the end of a movement phase."""
MAX_GUNS = 2
"""Maximum artillery units in a hex at the end of a movement phase."""
_NOTHING = Fraction(0)
_HALF_DIVISION = Fraction(1, 2)
DIVISION_SHARES = {
    ("infantry", "XX"): Fraction(1),
    ("infantry", "X"): _HALF_DIVISION,
    ("cavalry", "XX"): _HALF_DIVISION,
}
"""The stacking value of a full-strength unit in divisions, by arm and size."""

MARSCH = late_pattern(r"(?<![^\W0-9_])M(?![^\W0-9_])")
"""The M in the ID of an Austro-Hungarian Marsch unit (23.8), if it is not part of a word."""
CAVALRY_CORPS = late_pattern(r"^([0-9]+) ?[Cc]$")
"""The ID of a Cavalry Corps, such as `2 C`."""
CORPS_TRAIN = late_pattern(r"(?:(?:German|Austro-Hungarian|Russian) )?(.+) Train")
"""The id of a Corps Train, such as `17 Train`, or `Russian 1 Train` if two nations have a corps of that ID."""

Role = Literal["attacker", "defender"]
SIDES: tuple[Role, Role] = ("attacker", "defender")
OPPONENTS: dict[str, str] = dict(zip(SIDES, reversed(SIDES), strict=True))


class CombatUnit(msgspec.Struct, frozen=True):
    """A unit in a combat, with the ratings of the side of the counter that shows."""

    id: str
    nation: str
    arm: str
    size: str
    formation: bool
    place: str
    corps: Annotated[str, note('the corps, or "" if independent')] = ""
    army: str = ""
    steps: Annotated[int, note("printed, like `defence` and `artillery` (0: none printed)")] = 1
    lost: Annotated[int, note("steps lost on that side")] = 0
    reduced: bool = False
    back_steps: Annotated[int, note("steps of the reduced side, or 0 if there is none or the unit is on it")] = 0
    defence: int = 0
    artillery: int = 0
    classes: Annotated[frozenset[str], note('classes of its artillery: "heavy", "high-trajectory"')] = frozenset()
    ap: Annotated[bool, note("whether it has an Artillery Ammunition Point")] = False
    point: Annotated[
        str, note('the Artillery Ammunition Point that serves it, as the players name it, or "" without one')
    ] = ""
    effectiveness: int = 0
    levels: Annotated[int, note("Combat Effectiveness Levels lost, 0 to 4")] = 0
    disorder: int = 0
    low_supply: bool = False
    half: bool = False
    prepared: str = ""
    expended: Annotated[int, note("Movement Points on its MPs Expended marker")] = 0
    flags: Annotated[frozenset[str], note("tracks of the flags of the table of bars that are stated for it")] = (
        frozenset()
    )
    fssm: int = 0
    with_: Annotated[str, note('the formation whose Force an Asset Unit joins, or "" for the first one in its hex')] = (
        ""
    )
    garrison: Annotated[bool, note("whether it is a Fortress Garrison")] = False

    def has(self, flag: str) -> bool:
        return flag in self.flags

    @property
    def displaced(self) -> bool:
        return "displaced" in self.flags

    @property
    def entrained(self) -> bool:
        return "entrained" in self.flags

    @property
    def retreated(self) -> bool:
        return "retreated" in self.flags

    @property
    def left(self) -> int:
        """The steps left on the side that shows, also of a fortress unit. Rule: 3.7.1"""
        return self.steps - self.lost

    @property
    def emplaced(self) -> bool:
        """Whether the unit is one of the two immobile batteries that need no AP (22.4.2)."""
        return self.id in BATTERIES

    @property
    def armed(self) -> bool:
        """Whether the unit's artillery counts: it has an AP, or is a battery that needs none. Rule: 10.5d"""
        return self.ap or self.emplaced

    @property
    def demoralized(self) -> bool:
        """Whether the unit counts as Demoralized: four levels lost, or Disordered. Rule: 7.3"""
        return self.formation and is_demoralized(self.levels, self.disorder)

    @property
    def cel(self) -> int:
        """The Combat Effectiveness Level: base effectiveness less the levels lost. Rule: 7.1b"""
        return self.effectiveness - self.levels

    def on_reduced_side(self, more_lost: int = 0) -> bool:
        """Return whether the unit shows its reduced side.

        `more_lost`: the number of further steps to count as lost.

        Rule: 3.4.1b
        """
        return self.reduced or has_turned(self.steps, self.lost + more_lost, self.back_steps)


class Force(msgspec.Struct, frozen=True):
    """A formation with the Asset Units attached to it, or Asset Units alone."""

    name: str
    """The id of its first unit."""
    units: tuple[CombatUnit, ...]

    @property
    def formation(self) -> CombatUnit | None:
        """The formation, or None for Asset Units alone."""
        return next((unit for unit in self.units if unit.formation), None)


def is_demoralized(levels: int, disorder: int) -> bool:
    """Return whether a formation counts as Demoralized.

    `levels`: Combat Effectiveness Levels lost.
    `disorder`: the degree of Disorder.

    Rule: 7.3
    """
    return levels >= 4 or disorder > 0


def has_turned(steps: int, lost: int, back: int) -> bool:
    """Return whether a unit has lost enough steps to show its reduced side.

    `steps`, `back`: steps printed on the front and on the back, or 0 without any.

    Rule: 3.4.1b
    """
    return 0 < back < steps and steps - lost <= back


def corps_of(unit_id: str) -> str:
    """Return the corps in a unit's id, or "" for an independent unit.

    For example `22` for `2 rf/22`, and `17` for the Corps Train `17 Train`.

    Rule: 3.3.1
    """
    train = CORPS_TRAIN.fullmatch(unit_id)
    return corps_name(train[1] if train else unit_id.partition("/")[2])


def corps_name(typed: str) -> str:
    """Return the ID of a corps as it is printed: a Cavalry Corps typed `2C` is `2 C`."""
    return CAVALRY_CORPS.sub(r"\1 C", typed)


def is_of_fischer(unit: str, corps: str) -> bool:
    """Return whether a unit is one of Streifkorps Fischer, by its ID (23.3)."""
    return FISCHER in (unit, corps) or unit.startswith(f"{FISCHER} ") or corps_of(unit) == FISCHER


def is_marsch(unit: CombatUnit) -> bool:
    """Return whether a unit is an Austro-Hungarian Marsch unit: its ID has an M before the ID of its corps (23.8)."""
    return unit.nation == "austro-hungarian" and bool(MARSCH.search(unit.id.partition("/")[0]))


def is_asset(arm: str, size: str, *, marked: bool) -> bool:
    """Return whether a unit is an Asset Unit: artillery, a detachment, or marked as one by an ID in italics.

    Rule: 2.1a, 3.5
    """
    return arm == "artillery" or size in ("III", "II") or marked


def is_formation(arm: str, size: str, *, marked: bool) -> bool:
    """Return whether a unit is a formation: a combat unit that is not an Asset Unit.

    A formation has an Attachment marker of its ID.

    `marked`: whether its counter is marked as an Asset Unit.

    Rule: 2.1g
    """
    return arm in COMBAT_ARMS and not is_asset(arm, size, marked=marked)


def has_one_step(arm: str) -> bool:
    """Return whether each unit of an arm has one step and no reduced side: artillery and supply units.

    Rule: 3.5, 3.6, 9.7
    """
    return arm in ("artillery", *SUPPLY_ARMS)


def forces(units: Sequence[CombatUnit]) -> tuple[Force, ...]:
    """Return the Forces in one stack: formations in order, then Asset Units without a formation.

    An Asset Unit joins the formation of its nation that its owner chooses, or else the first one. Fortress units and
    the Corps Train of Königsberg belong to no Force.

    Rule: 2.1e, 2.1f, 6.4.1c, 6.2.4b
    """
    fighting = [unit for unit in units if unit.arm not in (*FORTRESSES, *SUPPLY_ARMS)]
    members = {unit.id: [unit] for unit in fighting if unit.formation}
    for unit in fighting:
        if not unit.formation:
            members.setdefault(formation_joined(unit, units), []).append(unit)
    return tuple(Force(together[0].id, tuple(together)) for together in members.values())


def formation_joined(unit: CombatUnit, units: Sequence[CombatUnit]) -> str:
    """Return the formation in its hex whose Force an Asset Unit is part of, or "" if there is none.

    It is the owner's choice, or else the first formation of the unit's nation. A formation joins none.

    Rule: 6.4.1a
    """
    with_it = formations_with(unit, units)
    return unit.with_ if unit.with_ in with_it else next(iter(with_it), "")


def formations_with(unit: CombatUnit, units: Sequence[CombatUnit]) -> tuple[str, ...]:
    """Return the formations of its nation in an Asset Unit's hex (6.2.4, 6.4.1), or () for any other unit."""
    if unit.formation or unit.arm in FORTRESSES:
        return ()
    there = (other for other in units if other.formation and other.place == unit.place)
    return tuple(other.id for other in there if other.nation == unit.nation)


def stacks(units: Iterable[CombatUnit]) -> dict[str, tuple[CombatUnit, ...]]:
    """Return the units by their hex, in order."""
    stacks_by_name: dict[str, list[CombatUnit]] = {}
    for unit in units:
        stacks_by_name.setdefault(unit.place, []).append(unit)
    return {place: tuple(stack) for place, stack in stacks_by_name.items()}


def stacking_value(unit: CombatUnit) -> Fraction:
    """Return the stacking value of a combat unit in divisions.

    It also counts in a combat's magnitude.

    Rule: 2.2d
    """
    value = DIVISION_SHARES.get((unit.arm, unit.size), _NOTHING)
    return _HALF_DIVISION if value == 1 and unit.on_reduced_side() else value


def count_stack(units: Iterable[CombatUnit], supply_units: int = 0) -> tuple[Fraction, int]:
    """Return the divisions and artillery units that a hex holds for stacking; units in Rail Mode do not count.

    `supply_units`: the number of Corps Trains and depots, each of which counts as half a division.

    Rule: 4.2, 4.2.4
    """
    counted = [unit for unit in units if not unit.entrained]
    divisions = sum((stacking_value(unit) for unit in counted), Fraction(supply_units, 2))
    return divisions, sum(unit.arm == "artillery" for unit in counted)


def stack_excess(units: Iterable[CombatUnit], supply_units: int = 0) -> tuple[Fraction, int]:
    """Return the divisions and artillery units above the stacking limits of a hex. Rule: 4.2.1"""
    divisions, guns = count_stack(units, supply_units)
    return max(divisions - MAX_DIVISIONS, Fraction(0)), max(guns - MAX_GUNS, 0)


def stacking_order(units: Sequence[CombatUnit], supply: Sequence[str] = (), *, in_position: bool) -> tuple[str, ...]:
    """Return the ids of a stack's units in the required order, the top one first.

    First comes the largest unit of the leading arm, then the largest of the other. Fortress units, artillery, supply
    units and the rest follow in their present order. Of two units of one size the upper one counts as larger.

    `units`: the combat, fortress and artillery units in their present order.
    `supply`: the ids of the supply units.
    `in_position`: whether there is an Improved Position, where infantry comes before cavalry.

    Rule: 4.2.5
    """
    mobile = ("infantry", "cavalry") if in_position else ("cavalry", "infantry")
    of_arms = [[unit for unit in units if unit.arm == arm] for arm in mobile]
    first = [min(of_arm, key=rank_in_size) for of_arm in of_arms if of_arm]
    first += [unit for unit in units if unit.arm in FORTRESSES]
    first += [unit for unit in units if unit.arm == "artillery"]
    return (*(unit.id for unit in first), *supply, *(unit.id for unit in units if unit not in first))


def rank_in_size(unit: CombatUnit) -> tuple[bool, int]:
    """Return a sort key by size, the largest units first.

    Units with more steps come first; Demoralized units and those under a 1/2 marker come last.

    Rule: 4.2.5b
    """
    return unit.demoralized or unit.half, -unit.left
