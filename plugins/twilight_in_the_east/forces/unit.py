"""A unit's ratings, steps and status (3.3, 3.4), and the effects of its supply state (14.5)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Literal

import msgspec

from assistant.asking import Gather, InputError, View
from assistant.asking.permission import Clause
from assistant.state.state import Unit

from ..terms import (
    COMBAT_ARMS,
    FORTRESSES,
    KG_TRAIN,
    NEVER_RETREAT,
    SECOND_DIVISION,
    SECOND_DIVISION_LOW,
    SUPPLY_ARMS,
)
from . import units
from .armies import corps_and_army, corps_of_nearest, formation_with, is_asset_unit
from .bars import FLAGS
from .falling import find_falling
from .markers import bears_half, marker_of
from .units import CombatUnit, Role, has_one_step, has_turned, is_asset, is_formation

SupplyEffect = Literal["check", "position", "recovery", "reaction"]
FIGHTING_ARMS = (*COMBAT_ARMS, *FORTRESSES, "artillery")
"""Arms of the units that take part in combat."""
Side = Literal["front", "reduced", "turned"]
"""The side of a counter that shows: "turned" is a reduced side that is not stated, but follows from the losses."""


def hardships(state: str, *of: SupplyEffect) -> Iterator[Clause]:
    """Yield the effects of its supply state on a combat unit.

    `state`: in, low or out.
    `of`: the kinds of effects to include; "reaction" applies only to Demoralized cavalry.

    Rule: 14.5.1, 14.5.2
    """
    low, out = state == "low", state == "out"
    yield low and "check" in of, "14.5.1", "its checks after combat and of Forced Marches take a DRM of +1"
    yield low and "position" in of, "14.5.1", "it raises no Improved Position to Level 3 or 4"
    yield out and "position" in of, "14.5.2", "it raises no Improved Position to Level 3 or 4"
    yield out and "recovery" in of, "14.5.2", "it recovers neither levels nor from Disorder"
    yield out and "reaction" in of, "14.5.2", "as Demoralized cavalry it makes no Cavalry Reaction"


def suffers(state: str, what: SupplyEffect) -> bool:
    """Return whether a supply state has an effect of this kind on combat units, by `hardships`."""
    return any(holds for holds, _, _ in hardships(state, what))


def unit_on_map(view: View, name: str) -> tuple[Unit, str]:
    """Return a unit and its hex. Raises InputError if the unit is not on the map."""
    unit = view.unit(name)
    if unit.place is None or not view.board.is_hex(unit.place):
        raise InputError(f"unit: {unit.id} is not on the map")
    return unit, unit.place


def fighting_units(facts: Gather, place: str) -> list[Unit]:
    """Return the units at a place that may take part in combat, top of the stack first.

    Supply units do not.

    Rule: 2.1b, 3.6.3, 11.3b
    """
    return [unit for unit in facts.view.stack(place) if (facts.word("arm", unit.id) or "infantry") in FIGHTING_ARMS]


def retreats_with_stack(facts: View | Gather, unit: str) -> bool:
    """Return whether a unit retreats with its stack.

    Depots, fortress units, Corps Trains in Rail Mode, and units that are destroyed instead of retreating do not.

    Rule: 11.2.1
    """
    arm = facts.word("arm", unit)
    if unit in find_falling([unit]):
        return False
    if arm == "corps-train":
        return not facts.flag("entrained", unit)
    return arm not in NEVER_RETREAT


def defending_train(facts: Gather, place: str) -> list[Unit]:
    """Return the Corps Train of Königsberg if it is at a place: the only supply unit that fights, and only in defence.

    Rule: 22.5.1
    """
    return [unit for unit in facts.view.stack(place) if unit.id == KG_TRAIN]


def gather_unit(
    facts: Gather, unit: Unit, role: Role | None, *, guns: bool = True, checks: bool = True, steps: bool = True
) -> CombatUnit:
    """Return a unit's ratings and status, as far as its role in the combat needs them.

    `role`: the role, or None if the unit does not fight.
    `guns`: whether artillery values count.
    `checks`: whether a check may need the unit's effectiveness.
    `steps`: whether to ask for unstated steps; if not, they count as `ENDLESS_STEPS`.

    Rule: 3.3.1, 3.3.2, 3.4.1, 3.4.2, 3.4.3, 3.8.2
    """
    view = facts.view
    name = unit.id
    arm = facts.word("arm", name)
    size = facts.word("size", name)
    fortress = arm in FORTRESSES
    supplies = arm in SUPPLY_ARMS
    asset = is_asset(arm, size, marked=facts.flag("asset", name))
    counted = read_steps(facts, name) if steps or knows_steps(view, name) else UnitSteps("front", ENDLESS_STEPS, 0)
    rated = checks and role is not None and not (fortress or supplies or arm == "artillery")

    def rating(track: str) -> int:
        return rating_shown(facts, track, name, counted.side)

    return facts.record(
        CombatUnit,
        name,
        id=name,
        arm=arm,
        size=size,
        formation=is_formation(arm or "infantry", size, marked=facts.flag("asset", name)),
        place=unit.place or "",
        corps=corps_under(facts, unit, asset=asset),
        army=view.word("army", name),
        steps=counted.printed,
        lost=counted.lost,
        reduced=counted.side != "front",
        back_steps=counted.behind,
        artillery=rating("artillery") if guns and role and not (fortress or supplies) else 0,
        defence=rating("defence") if role == "defender" and not fortress and arm != "artillery" else 0,
        classes=frozenset(),
        ap=False,
        point="",
        effectiveness=facts.integer("effectiveness", name) if rated else 0,
        levels=-facts.integer("cel", name),
        expended=marker_of(facts, unit).points,
        half=bears_half(facts, unit),
        low_supply=low_supply(supply_status(facts, unit), view),
        flags=frozenset(flag for flag in FLAGS if facts.flag(flag, name)),
        fssm=facts.integer("fssm", name) if role and fortress else 0,
        with_=facts.word("with", name),
    )


def corps_under(facts: Gather, unit: Unit, *, asset: bool) -> str:
    """Return the corps that a unit fights under, or "" if the unit is independent.

    The corps is stated, or in the unit's ID. A lone Asset Unit without a stated corps has that of the nearest
    formation.

    Rule: 3.3.1, 6.4.1b
    """
    stated = facts.view.fact("corps", unit.id) is not None
    if asset and not stated and not formation_with(facts, unit, facts.word("with", unit.id)):
        return corps_of_nearest(facts, unit)
    return corps_and_army(facts.view, unit.id)[0]


ENDLESS_STEPS = sys.maxsize
"""The steps of a unit if they are neither stated nor asked for: more than a combat can cost."""


def knows_steps(view: View, unit: str) -> bool:
    """Return whether the steps of a unit are known: they are stated, or units of its arm have one step."""
    return view.fact("steps", unit) is not None or has_one_step(view.word("arm", unit))


class UnitSteps(msgspec.Struct, frozen=True):
    """The steps of a unit on the side that it shows."""

    side: Side
    printed: int
    """Steps printed on the side shown."""
    lost: int
    """Steps lost on the side shown."""
    behind: int = 0
    """Steps of the reduced side while the unit shows its front, or 0."""


def read_steps(facts: View | Gather, unit: str) -> UnitSteps:
    """Return the steps of a unit, with the side that the unit shows.

    The reduced side shows if it is stated, or if enough steps are lost. A `Gather` asks for unknown facts.

    Raises InputError if the unit has lost all its steps.

    Rule: 3.4.1, 3.4.1b
    """
    view = facts.view if isinstance(facts, Gather) else facts
    arm = facts.word("arm", unit)
    flagged = facts.flag("reduced", unit)
    steps = 1 if has_one_step(arm) else facts.integer("steps", unit)
    lost = facts.integer("lost", unit)
    if steps and lost >= steps:
        hint = "take it off the map, or correct either number"
        raise InputError(f"{unit} has lost {lost} of {steps} steps", hint=hint)
    if flagged:
        return UnitSteps("reduced", steps, lost)
    has_back = arm not in FORTRESSES and not has_one_step(arm) and not is_asset_unit(facts, unit)
    back = back_steps(view, unit, steps) if has_back else 0
    if view.is_hidden("lost", unit) and back:
        lost = min(lost, steps - back - 1)  # more losses would have turned the counter over
    if has_turned(steps, lost, back):
        return UnitSteps("turned", back, lost - (steps - back))
    return UnitSteps("front", steps, lost, back)


def side_shown(facts: View | Gather, unit: str) -> Side:
    """Return the side that a unit shows.

    The unit's steps are asked for only if it has lost any.

    Rule: 3.4.1b
    """
    if facts.flag("reduced", unit):
        return "reduced"
    return read_steps(facts, unit).side if facts.integer("lost", unit) else "front"


def rating_shown(facts: View | Gather, rating: str, unit: str, side: Side) -> int:
    """Return a rating on the side that a unit shows.

    If only losses imply the reduced side, the rating stated for the unit is that of its front, so the back's is read.

    `rating`: the track of the rating.
    `side`: the side that the unit shows.

    Rule: 3.4.1, 3.4.2, 3.4.3
    """
    return facts.integer(f"back-{rating}" if side == "turned" else rating, unit)


class Cap(msgspec.Struct, frozen=True):
    """A reason why a unit is at best in Low Supply, even with an open supply line."""

    rule: str
    kind: Literal["turn", "rule"]
    """The kind of the `Hindrance`: "rule" unless a game turn decides."""
    words: str
    """The duration in words, such as "up to GT 7"."""
    applies_to: Callable[[Gather, Unit], bool]
    """A function that returns whether the cap applies to a unit."""


def lacks_services(facts: Gather, unit: Unit) -> bool:
    """Return whether a unit is the Russian 2nd Division of the 23rd Corps, in game turns that cap its supply. Rule: 24.4"""
    if unit.id != SECOND_DIVISION or facts.word("nation", unit.id) != "russian":
        return False
    return facts.integer("turn") <= SECOND_DIVISION_LOW


SUPPLY_CAPS = (Cap("24.4", "turn", f"up to GT {SECOND_DIVISION_LOW}", lacks_services),)
"""All caps on supply.

A cap may not depend on facts of hexes and hexsides: `side_position` reuses its results for units if only those differ.
"""


def cap_on(facts: Gather, unit: Unit) -> Cap | None:
    """Return the cap on a unit, or on the formation whose supply an Asset Unit shares (6.4.1), or None.

    Supply units have none, as they are only In Supply or Out of Supply (14.2).
    """
    if cap := _own_cap(facts, unit):
        return cap
    if not is_asset_unit(facts, unit.id):
        return None
    caps = {other.id: cap for other in facts.view.stack(str(unit.place)) if (cap := _own_cap(facts, other))}
    return caps.get(formation_with(facts, unit, facts.word("with", unit.id))) if caps else None


def _own_cap(facts: Gather, unit: Unit) -> Cap | None:
    cap = next((cap for cap in SUPPLY_CAPS if cap.applies_to(facts, unit)), None)
    return None if cap and facts.word("arm", unit.id) in SUPPLY_ARMS else cap


def supply_status(facts: Gather, unit: Unit) -> str:
    """Return the supply status of a unit: the stated in, low or out, but low instead of in if a cap applies."""
    status = facts.word("supply", unit.id)
    return "low" if status == "in" and cap_on(facts, unit) else status


def low_supply(status: str, view: View) -> bool:
    """Return whether a unit's supply status counts as Low Supply in its Force's check. Rule: 11.3.1d"""
    return suffers(status, "check") or (status == "out" and view.ruling("out-of-supply-ec") == "as-low")


def back_steps(view: View, unit: str, steps: int) -> int:
    """Return the steps at which a unit turns to its reduced side.

    They are printed on the back, or else half of the steps on the front, rounded by ruling flip-point.

    Rule: 3.4.1b, 11.1
    """
    if view.fact("back-steps", unit) is not None:
        return view.integer("back-steps", unit)
    if not steps:  # the steps are not known yet
        return 0
    return (steps + 1) // 2 if view.ruling("flip-point") == "half-up" else steps // 2


def is_unit_demoralized(facts: Gather, unit: Unit) -> bool:
    """Return whether a unit counts as Demoralized (7.3); an Asset Unit never does."""
    low = units.is_demoralized(-facts.integer("cel", unit.id), facts.integer("disorder", unit.id))
    return low and not is_asset_unit(facts, unit.id)


class StatusRead:
    """The facts of a unit for the table of bars, each read from the position when needed."""

    def __init__(self, facts: Gather, unit: Unit) -> None:
        self._facts = facts
        self._unit = unit

    @property
    def id(self) -> str:
        return self._unit.id

    @property
    def arm(self) -> str:
        return self._facts.word("arm", self._unit.id)

    @property
    def prepared(self) -> str:
        return self._facts.word("prepared", self._unit.id)

    @property
    def expended(self) -> int:
        return marker_of(self._facts, self._unit).points

    @property
    def half(self) -> bool:
        return bears_half(self._facts, self._unit)

    @property
    def demoralized(self) -> bool:
        return is_unit_demoralized(self._facts, self._unit)

    def has(self, flag: str) -> bool:
        return self._facts.flag(flag, self._unit.id)
