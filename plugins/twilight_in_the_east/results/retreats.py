"""The retreats of a combat, hex by hex (11.2).

The first stack enters hex after hex until it has gone far enough or can go no farther (`next_in_retreats`). Then its
costs are paid, and the next stack begins. A stuck stack may try a Repulse (`repulses`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cached_property, partial
from itertools import pairwise
from typing import Annotated, Literal

import msgspec
from msgspec.structs import replace

from assistant.asking import note
from assistant.mechanics.procedure import Apart, Choice, Node, Quantity, Situation

from ..combat.before_dice import Combat
from ..combat.engagement import Cause
from ..combat.pieces import Amounts, Toll, add_amounts, remaining_force, spares_marsch_units, units_after
from ..combat.retreat_ground import RetreatGround, lasting_bar, way_in
from ..forces.falling import find_falling
from ..forces.losses import Losses, Share, bearers, by_unit, share_out, steps_title
from ..forces.units import CombatUnit, Force, Role, formation_joined, is_marsch
from ..retreat.ways import (
    EZOC_RULE,
    MAX_CERTAIN_LEVEL_HEXES,
    MOUNTAIN_GUNS,
    Charge,
    ForceRetreat,
    RetreatHex,
    Stakes,
    WayBack,
    apply_charges,
    charges,
    charges_of_withheld,
    order_hexes,
    smallest_groups,
    unable_to_retreat,
    ways_to_room,
)
from ..retreat.words import format_remark
from ..terms import BUKOWINA_BOX, COMBAT_ARMS, FORTRESSES, OFF_MAP, SUPPLY_ARMS

WAY_NAMES: dict[Cause, str] = {"crt": "retreat", "check": "onward"}
"""The first word of the answers for the hexes of a retreat, by its cause."""
LOSS_NAMES: dict[Cause, str] = {"crt": "crt", "check": "way", "repulse": "repulsed"}
"""The last word of the answers for the steps that a retreat costs, by its cause."""


# --- the situation ----------------------------------------------------------------------------------------------------


class RetreatDuty(msgspec.Struct, frozen=True):
    """A stack's duty to retreat."""

    role: Role
    place: Annotated[str, note("hex of the stack in the combat, by which answers name it")]
    start: Annotated[str, note("hex where this retreat begins")]
    hexes: Annotated[tuple[tuple[str, int], ...], note("hexes that each Force retreats, including `extra_hexes`")]
    extra_hexes: Annotated[Amounts, note("hexes that a Force retreats only for lack of room, by Force")] = ()
    earlier_zones: Annotated[
        Amounts, note("unoccupied hexes in EZOCs that each Force has entered in an earlier retreat of the combat")
    ] = ()
    has_tried_repulse: Annotated[bool, note("whether the stack has tried a Repulse in this retreat")] = False
    pushed_forces: Annotated[tuple[Force, ...], note("Forces of the stack, if a Repulse pushes it away")] = ()
    answer_name: Annotated[str, note("name of the answers for its hexes, if a Repulse pushes it away")] = ""
    split_name: Annotated[str, note('Force by which answers name a part of a divided stack, or ""')] = ""

    @property
    def name(self) -> str:
        """The name of the stack in answers."""
        return self.split_name or self.place


class StepsToShare(msgspec.Struct, frozen=True):
    """Step losses that a Force must share out among its units."""

    role: Role
    force: Annotated[Force, note("the Force as it was before the combat")]
    steps: int
    what: Annotated[str, note("cause of the losses, as answers name it")]
    rule: str = EZOC_RULE


class StackPrice(msgspec.Struct, frozen=True):
    """The costs of a retreat to a stack."""

    charges: Annotated[tuple[Charge, ...], note("charges of the Force that has the most of them")]
    forces: tuple[ForceRetreat, ...]
    surrendered: tuple[str, ...]
    departed: Annotated[tuple[str, ...], note("Forces that have left the map for good")]
    trains: Annotated[tuple[str, ...], note("Corps Trains that have retreated with the stack")]
    steps: Annotated[int, note("steps that the stack loses, including those still to be shared out")]


class Retreats(msgspec.Struct, frozen=True):
    """Stacks that must retreat in turn; the first is under way.

    Stages:

    - `going`: the first stack must enter further hexes.
    - `stuck`: it may try a Repulse.
    - `arrived`: its retreat is over, and its `price` is known.
    - `done`: no stack is left.
    """

    cause: Cause
    duties: Annotated[tuple[RetreatDuty, ...], note("the stacks, in order")]
    toll: Annotated[Toll, note("costs of the combat so far")]
    then: Annotated[Situation, note("the next stage, or the retreats that a Repulse has interrupted")]
    way: Annotated[tuple[str, ...], note("hexes that the first stack has entered, in order")] = ()
    steps_to_share: Annotated[tuple[StepsToShare, ...], note("losses to be shared out before the next hex")] = ()
    entered: Annotated[tuple[RetreatHex, ...], note("hexes entered before a Repulse, with the ground as it was")] = ()
    stage: Literal["going", "stuck", "arrived", "done"] = "going"
    price: Annotated[StackPrice | None, note("costs of the retreat to the first stack, once it has arrived")] = None

    @property
    def here(self) -> str:
        """The present hex of the first stack."""
        return self.way[-1] if self.way else self.duties[0].start

    @property
    def before(self) -> str:
        """The hex that the first stack has just left, or "" at the start."""
        return "" if not self.way else (self.duties[0].start, *self.way)[-2]


# --- the stacks -------------------------------------------------------------------------------------------------------


class UnitsInHex(msgspec.Struct, frozen=True):
    """The units of one side of a combat in one hex."""

    combat: Combat
    role: Role
    place: str

    @property
    def fighting(self) -> tuple[Force, ...]:
        """The Forces that take part."""
        return self.combat.forces[self.role].get(self.place, ())

    @property
    def forces(self) -> dict[str, Force]:
        """The Forces that retreat together, by name.

        Idle artillery and withheld Asset Units go with the formation that they are attached to. Without one they make
        Forces of their own, as withheld formations do.

        Rule: 11.2.1a
        """
        members = {force.name: list(force.units) for force in self.fighting}
        all_units = [unit for units in members.values() for unit in units] + self.beside
        by_formation = {unit.id: name for name, units in members.items() for unit in units if unit.formation}
        by_formation |= {unit.id: unit.id for unit in self.beside if unit.formation}
        without_formation = next((force.name for force in self.fighting if force.formation is None), "")
        formations_first = sorted(self.beside, key=lambda combat_unit: not combat_unit.formation)
        for unit in formations_first:
            joined = unit.id if unit.formation else formation_joined(unit, all_units)
            # units that join no formation make one Force, named after the first of them
            without_formation = without_formation or ("" if joined in by_formation else unit.id)
            members.setdefault(by_formation.get(joined, without_formation), []).append(unit)
        return {name: Force(name, tuple(units)) for name, units in members.items()}

    @property
    def along(self) -> frozenset[str]:
        """The names of the Forces without a unit in the combat."""
        return frozenset(self.forces) - {force.name for force in self.fighting}

    @property
    def beside(self) -> list[CombatUnit]:
        """The units that take no part and yet may have to retreat: idle artillery and withheld defenders.

        Withheld attackers stay, and so does artillery attached to them. Artillery beside them also stays if no
        formation of its nation attacks from the hex.

        Rule: 10.1.5e, 10.1.5f
        """
        engagement = self.combat.engagement
        idle = [unit for unit in engagement.idle if unit.place == self.place]
        if self.role == "defender":
            return [*idle, *(unit for unit in engagement.withheld if unit.arm not in SUPPLY_ARMS)]
        withheld = self._withheld_attackers
        nations = {unit.nation for unit in engagement.attackers if unit.place == self.place and unit.formation}
        return [unit for unit in idle if unit.with_ not in withheld and (not withheld or unit.nation in nations)]

    @property
    def _withheld_attackers(self) -> frozenset[str]:
        pieces = self.combat.pieces.by_id.values() if self.combat.pieces else ()
        taking_part = {unit.id for unit in self.combat.engagement.attackers}
        there = (piece for piece in pieces if piece.place == self.place and piece.arm in COMBAT_ARMS)
        return frozenset(piece.id for piece in there) - taking_part

    def parts(self, toll: Toll) -> dict[str, dict[str, Force]]:
        """Return the Forces after the costs of the combat so far, by hex and then by name.

        Lack of room can divide a stack among several hexes (4.2.3).

        `toll`: the losses and moves of the combat so far.
        """
        places = dict(toll.moved)
        forces_by_hex = dict[str, dict[str, Force]]()
        for name, force in self.forces.items():
            if remaining := remaining_force(force, toll):
                place = places.get(remaining.units[0].id, self.place)
                forces_by_hex.setdefault(place, {})[name] = remaining
        return forces_by_hex


def withheld_units(combat: Combat) -> frozenset[str]:
    """Return the ids of the units of the defending hex that are withheld from the combat."""
    return frozenset(unit.id for unit in combat.engagement.withheld)


def whole_forces(combat: Combat, duty: RetreatDuty) -> dict[str, Force]:
    """Return the Forces of a stack as they were before the combat, by name."""
    return {force.name: force for force in duty.pushed_forces} or UnitsInHex(combat, duty.role, duty.place).forces


class FirstStack:
    """The first stack of retreats, in its present state."""

    def __init__(self, combat: Combat, retreats: Retreats) -> None:
        self.combat = combat
        self.retreats = retreats
        self.duty = retreats.duties[0]
        whole = whole_forces(combat, self.duty)
        remaining = {name: remaining_force(whole[name], retreats.toll) for name, _ in self.duty.hexes}
        self.forces = {name: force for name, force in remaining.items() if force is not None}
        self.layout = combat.standing.after(retreats.toll)
        self.terrain = self.layout.pieces.terrain

    @cached_property
    def going(self) -> tuple[Force, ...]:
        """The Forces that must go on from the hex of the stack."""
        return self._forces_beyond(len(self.retreats.way))

    @cached_property
    def units(self) -> tuple[str, ...]:
        """The ids of the units that must go on."""
        return tuple(unit.id for force in self.going for unit in force.units)

    @property
    def ground(self) -> RetreatGround:
        """The ground for the Forces that must go on."""
        return self.layout.ground(self.going, self.duty.place)

    @property
    def way_back(self) -> WayBack:
        """The hexes around the stack, for the Forces that must go on."""
        return WayBack(self.ground, self.retreats.here, self.retreats.before)

    @cached_property
    def entered(self) -> tuple[RetreatHex, ...]:
        """The hexes entered so far, each with the ground at the time.

        Hexes before a Repulse are kept from then, because the Repulse may have changed the ground.
        """
        hexes = list(self.retreats.entered)
        places = (self.duty.start, *self.retreats.way)
        for number, (here, there) in list(enumerate(pairwise(places)))[len(hexes) :]:
            ground = self.layout.ground(self._forces_beyond(number), self.duty.place)
            options = WayBack(ground, here, places[number - 1] if number else "").open
            hexes.append(next(hex for hex in options if hex.hex == there))
        return tuple(hexes)

    def list_next_hexes(self) -> tuple[RetreatHex, ...]:
        """Return the hexes that are open next, in the order of the owner's policy.

        Forces that go on only for lack of room move towards the nearest hex with room.
        """
        if all(force.name in dict(self.duty.extra_hexes) for force in self.going):
            return ways_to_room(self.way_back, partial(self.layout.without(self.units).holds, self.units))
        guns = [unit.id for force in self.going for unit in force.units if unit.arm == "artillery"]
        fewest_hexes = min(
            hexes for name, hexes in self.duty.hexes if hexes > len(self.retreats.way) and name in self.forces
        )
        stakes = Stakes(fewest_hexes, bool(guns), not MOUNTAIN_GUNS.issuperset(guns), self.earlier_zones)
        return order_hexes(self.way_back, self.entered, stakes, self.combat.policies[self.duty.role].way)

    @property
    def earlier_zones(self) -> int:
        """The most unoccupied hexes in EZOCs that a Force still retreating has entered in earlier retreats.

        They count only by ruling ezoc-count.
        """
        return max(self._count_earlier_zones(force.name) for force in self.going)

    def _count_earlier_zones(self, force: str, *, matters: bool = False) -> int:
        """Return the unoccupied hexes in EZOCs that a Force has entered in earlier retreats.

        Returns 0 if ruling ezoc-count leaves them out.

        `matters`: whether the ruling decides a cost, as the Force has entered more such hexes in this retreat.
        """
        pieces = self.combat.standing
        earlier = dict(self.duty.earlier_zones).get(force, 0)
        reading = pieces.view.ruling("ezoc-count", earlier > 0 and (matters or pieces.is_agreed("ezoc-count")))
        return earlier if reading == "through" else 0

    def _forces_beyond(self, hexes: int) -> tuple[Force, ...]:
        return tuple(
            self.forces[name] for name, required in self.duty.hexes if required > hexes and name in self.forces
        )

    @property
    def are_all_lost(self) -> bool:
        """Whether the hexes so far eliminate all Forces that must go on, so that the retreat ends (11.2.5)."""
        if not any(hex.zone or hex.river or hex.outside for hex in self.entered):
            return False  # only these eliminate a Force, so its costs need not be computed
        return all(
            apply_charges(force, self._list_charges(force.name, self.entered)).eliminated for force in self.going
        )

    def price_way(self, force: Force, entered: tuple[RetreatHex, ...]) -> tuple[tuple[Charge, ...], bool]:
        """Return the charges of a Force for its retreat, and whether it surrenders.

        It pays for the hexes entered, and for required hexes that it could not retreat. The latter cost nothing if the
        Force went on for lack of room, was withheld, or is eliminated on the way.

        Rule: 11.2.6a, 11.2.6b
        """
        name = force.name
        charged = self._list_charges(name, entered)
        required = len(entered) if name in dict(self.duty.extra_hexes) else dict(self.duty.hexes)[name]
        unable = unable_to_retreat(required, entered, self.retreats.cause)
        is_spared = name in withheld_units(self.combat) or apply_charges(force, charged).eliminated
        return charged if is_spared else charged + unable.costs, unable.surrenders

    def _list_charges(self, force: str, entered: tuple[RetreatHex, ...]) -> tuple[Charge, ...]:
        """Return the charges of a Force for the hexes entered; a withheld Force pays only for EZOCs (10.1.5)."""
        zones = sum(hex.zone for hex in entered)
        earlier = self._count_earlier_zones(force, matters=zones > 0)
        levels = self.combat.standing.view.ruling(
            "ezoc-levels", zones > 0 and earlier + zones > MAX_CERTAIN_LEVEL_HEXES
        )
        charged = charges(entered, levels, earlier)
        return charges_of_withheld(charged) if force in withheld_units(self.combat) else charged

    def list_remarks(self, options: Collection[RetreatHex]) -> dict[str, str]:
        """Return remarks on each open hex: its cost, the units it eliminates, too little room (11.2.4, 11.2.5, 4.2.3)."""
        others = self.layout.without(self.units)
        withheld = withheld_units(self.combat)
        is_last = len(self.entered) + 1 >= max(hexes for name, hexes in self.duty.hexes if name in self.forces)
        # quiet, so that remarks add no rulings to the report
        levels = self.combat.standing.view.quiet_view().ruling("ezoc-levels")
        remarks: dict[str, str] = {}

        def charge_each(entered: tuple[RetreatHex, ...]) -> dict[str, tuple[Charge, ...]]:
            costs = charges(entered, levels, self.earlier_zones)
            return {force.name: charges_of_withheld(costs) if force.name in withheld else costs for force in self.going}

        for hex in options:
            words = [format_remark(self.going, charge_each(self.entered), charge_each((*self.entered, hex)))]
            if is_last and not others.holds(self.units, hex.hex):
                words.append("cannot hold all (4.2.3)")
            remarks[hex.hex] = "; ".join(filter(None, words))
        return remarks


# --- the course of retreats -------------------------------------------------------------------------------------------


def next_in_retreats(combat: Combat, retreats: Retreats) -> Node:
    """Return the next hex of the first stack, the steps to share out before it, or what follows. Rule: 11.2.1"""
    # a separate stage, so that the outcome can read the stack and its price before the stack is dropped
    if retreats.stage == "arrived":
        return leave_behind(retreats)
    # losses come before the next hex, because they may eliminate units that would go on
    if retreats.steps_to_share:
        return share_steps(combat, retreats)
    # all stacks have retreated: retreats interrupted by a Repulse go on, or the next stage of the combat begins
    if not retreats.duties:
        interrupted = retreats.then
        if isinstance(interrupted, Retreats):
            return Apart({"": resume_retreats(combat, interrupted, retreats.toll)})
        return Apart({"": replace(retreats, stage="done")})
    stack = FirstStack(combat, retreats)
    name = f"{stack.duty.answer_name or f'{WAY_NAMES[retreats.cause]}.{stack.duty.name}'}.{len(retreats.way) + 1}"
    # checked before the retreat may end: from a hex that cannot hold all Forces, some must go on
    if excess := send_excess_on(stack):
        title = f"{retreats.here} cannot hold all Forces that end there: which retreat farther"
        return Choice(f"{name}.who", "4.2.3", title, stack.duty.role, {**excess})
    # all Forces have gone far enough, or any retreat ends here: in the Holding Box (23.4.1) and off the map
    if retreats.here == BUKOWINA_BOX or stack.terrain.is_off_map(retreats.here) or not stack.going:
        return Apart({"": end_retreat(stack)})
    # units that can never retreat are destroyed once they must go on, and the others go on without them
    if falling := find_falling(stack.units):
        steps_left = {unit.id: unit.left for force in stack.going for unit in force.units if unit.id in falling}
        return Apart({"": replace(retreats, toll=retreats.toll.and_eliminated(steps_left))})
    # Forces that the way so far has eliminated have no choice and no Repulse
    if stack.are_all_lost:
        return Apart({"": end_retreat(stack)})
    options = stack.list_next_hexes()
    are_last_resorts = all(hex.leaves or hex.outside for hex in options)  # units are lost for good by entering them
    # also if there are no options: a Repulse may open a hex, but is tried only once
    if are_last_resorts and not stack.duty.has_tried_repulse:
        return Apart({"": replace(retreats, stage="stuck")})
    # the Repulse was declined or failed: the stack pays for the hexes that it cannot retreat
    if not options:
        return Apart({"": end_retreat(stack)})
    ways: dict[str, Situation] = {hex.hex: replace(retreats, way=(*retreats.way, hex.hex)) for hex in options}
    rule, title = _format_title(stack)
    remarks = partial(stack.list_remarks, options)
    return Choice(name, rule, title, stack.duty.role, ways, remarks=remarks, units=stack.units)


def _format_title(stack: FirstStack) -> tuple[str, str]:
    """Return the rule by which Forces retreat to their next hex, and the title of the choice of that hex."""
    hexes, extra = dict(stack.duty.hexes), dict(stack.duty.extra_hexes)
    here = stack.retreats.here
    number = len(stack.retreats.way) + 1
    going = [force.name for force in stack.going]
    names = ", ".join(going)
    if all(name in extra for name in going):
        beyond = max(number - hexes[name] + extra[name] for name in going)
        return "4.2.3", f"{names} in {here}, which cannot hold all that end there: hex {beyond} beyond the retreat"
    most = max(hexes[name] - extra.get(name, 0) for name in going)
    return "11.2.2", f"retreat of {names} from {here}, hex {number} of {most}"


def send_excess_on(stack: FirstStack) -> dict[str, Retreats]:
    """Return the owner's options if the hex of the stack cannot hold all Forces that end there.

    In each option as few Forces as possible go one hex farther; the key names them, such as `A,B`. Returns {} if the
    hex holds all Forces, or if no hex with room can be reached.

    Rule: 4.2.3b, 11.2.1
    """
    retreats, duty = stack.retreats, stack.duty
    hexes_gone = len(retreats.way)
    ending = [name for name, hexes in duty.hexes if hexes == hexes_gone and name in stack.forces]
    units = {name: [unit.id for unit in stack.forces[name].units] for name in ending}
    others = stack.layout.without([unit.id for force in stack.forces.values() for unit in force.units])

    def is_too_full(staying: Collection[str]) -> bool:
        return not others.holds([unit for name in staying for unit in units[name]], retreats.here)

    def may_go_on(leaving: Collection[str]) -> bool:
        if is_too_full([name for name in ending if name not in leaving]):
            return False
        fits = partial(others.holds, tuple(unit for name in leaving for unit in units[name]))
        ground = stack.layout.ground(tuple(stack.forces[name] for name in leaving), duty.place)
        return bool(ways_to_room(WayBack(ground, retreats.here, retreats.before), fits))

    if not hexes_gone or not is_too_full(ending):
        return {}
    options: dict[str, Retreats] = {}
    for leaving in smallest_groups(ending, may_go_on):
        hexes = tuple((name, hexes_gone + 1 if name in leaving else number) for name, number in duty.hexes)
        extra = add_amounts(duty.extra_hexes, dict.fromkeys(leaving, 1))
        going_on = replace(duty, hexes=hexes, extra_hexes=extra)
        options[",".join(leaving)] = replace(retreats, duties=(going_on, *retreats.duties[1:]))
    return options


class _ForceArrived(msgspec.Struct, frozen=True):
    """A Force of the first stack at the end of its way."""

    force: Force
    hexes_entered: int
    end: Annotated[str, note("the hex where it ends, or `OFF_MAP`")]
    charges: tuple[Charge, ...]
    price: ForceRetreat
    surrenders: bool
    departs: Annotated[bool, note("whether it leaves the map for good")]


def end_retreat(stack: FirstStack) -> Retreats:
    """Return the retreats once the first stack has arrived, with the costs and the last hex of each Force."""
    retreats, duty = stack.retreats, stack.duty
    arrivals = [
        _end_way(stack, stack.forces[name], min(hexes, len(stack.entered)))
        for name, hexes in duty.hexes
        if name in stack.forces
    ]
    whole = whole_forces(stack.combat, duty)
    hexes, extra = dict(duty.hexes), dict(duty.extra_hexes)
    toll = retreats.toll
    steps_to_share = list[StepsToShare]()
    for arrived in arrivals:
        name = arrived.force.name
        toll = toll.and_hexes({name: hexes[name] - extra.get(name, 0)}, pushed=retreats.cause == "repulse")
        toll, steps = _pay_price(toll, arrived)
        if steps:
            steps_to_share.append(StepsToShare(duty.role, whole[name], steps, LOSS_NAMES[retreats.cause]))
    trains: tuple[str, ...] = ()
    ends = {arrived.hexes_entered: arrived.end for arrived in arrivals}
    if ends and min(ends) > 0:
        trains, toll = _take_trains_along(stack, toll, ends[min(ends)])
    steps_lost = sum(dict(toll.steps).values()) - sum(dict(retreats.toll.steps).values())
    price = StackPrice(
        charges=max((arrived.charges for arrived in arrivals), key=len, default=()),
        forces=tuple(arrived.price for arrived in arrivals),
        surrendered=tuple(arrived.force.name for arrived in arrivals if arrived.surrenders),
        departed=tuple(arrived.force.name for arrived in arrivals if arrived.departs),
        trains=trains,
        steps=steps_lost + sum(each.steps for each in steps_to_share),
    )
    return replace(retreats, toll=toll, steps_to_share=tuple(steps_to_share), stage="arrived", price=price)


def _end_way(stack: FirstStack, force: Force, hexes_entered: int) -> _ForceArrived:
    entered = stack.entered[:hexes_entered]
    charged, surrenders = stack.price_way(force, entered)
    price = apply_charges(force, charged)
    departs = hexes_entered > 0 and entered[-1].leaves and not price.eliminated
    end = OFF_MAP if departs else (stack.duty.start, *stack.retreats.way)[hexes_entered]
    price = replace(price, eliminated=price.eliminated or surrenders)
    return _ForceArrived(force, hexes_entered, end, charged, price, surrenders, departs)


def _pay_price(toll: Toll, arrived: _ForceArrived) -> tuple[Toll, int]:
    """Return the toll with a Force's costs of a retreat, and the steps that its owner still shares out."""
    price, force = arrived.price, arrived.force
    eliminated = {*price.guns, *price.destroyed}
    if price.eliminated:
        # artillery beside other units survives them, unless the Force surrenders
        eliminated |= {unit.id for unit in (force.units if arrived.surrenders else bearers(force))}
    toll = toll.and_steps({unit.id: unit.left for unit in force.units if unit.id in eliminated})
    toll = toll.and_moved({unit.id: "" if unit.id in eliminated else arrived.end for unit in force.units})
    if price.eliminated or arrived.end == OFF_MAP:
        return toll, 0
    return toll.and_levels({force.name: price.levels}), price.steps


def _take_trains_along(stack: FirstStack, toll: Toll, end: str) -> tuple[tuple[str, ...], Toll]:
    """Return the Corps Trains that retreat with a stack, and the toll with the fate of trains in its hex.

    Trains stay if a combat unit of the stack stays. A withheld Corps Train of Königsberg is destroyed if all other
    units leave its hex.

    `toll`: the toll of the combat once the stack has retreated.
    `end`: the hex where trains end, with the Forces that go the fewest hexes.

    Rule: 8.5.3, 10.1.5f, 11.2.1, 22.5.1
    """
    start, pieces = stack.duty.start, stack.layout.pieces
    hex_before = stack.layout.where
    hex_after = {**hex_before, **dict(toll.moved)}
    combat_units = (piece.id for piece in pieces.layout(()).at(stack.duty.place) if piece.arm in COMBAT_ARMS)
    if any(hex_after[unit] == start for unit in combat_units):
        return (), toll
    trains = tuple(train for train in pieces.trains.get(stack.duty.place, ()) if hex_before[train] == start)
    toll = toll.and_moved(dict.fromkeys(trains, end))
    if any(piece.arm in FORTRESSES for piece in stack.layout.at(start)):
        return trains, toll
    withheld = [unit for unit in stack.combat.engagement.withheld if unit.arm in SUPPLY_ARMS]
    falling = find_falling(unit.id for unit in withheld if hex_before[unit.id] == start)
    return trains, toll.and_eliminated({unit.id: unit.left for unit in withheld if unit.id in falling})


def leave_behind(retreats: Retreats) -> Apart:
    """Return the retreats of the other stacks, and notes of the first stack's costs."""
    price = retreats.price
    assert price is not None  # set in the stage `arrived`
    notes: dict[str, Quantity] = {f"{retreats.duties[0].role}.steps": price.steps} if price.steps else {}
    notes |= {f"{force.force}.levels": force.levels for force in price.forces if force.levels}
    notes |= {f"{name}.surrenders": True for name in price.surrendered}
    others = replace(retreats, duties=retreats.duties[1:], way=(), entered=(), stage="going", price=None)
    return Apart({"": others}, notes)


def share_steps(combat: Combat, retreats: Retreats) -> Choice:
    """Return the owner's choice of the units in a Force that take the steps of its retreat (23.8). Rule: 11.1b"""
    first, *others = retreats.steps_to_share
    toll = retreats.toll
    remaining = remaining_force(first.force, toll)
    assert remaining is not None
    policy = combat.policies[first.role]
    side = units_after(combat.engagement.side(first.role), toll)
    spared = spares_marsch_units(first.role, side, toll, combat.engagement.readings.marsch_first)
    shares = tuple(
        Share(unit.id, unit.left, rank=policy.rank(unit.id), later=spared and is_marsch(unit))
        for unit in bearers(remaining)
    )

    def then(losses: Losses) -> Situation:
        steps_lost = dict(by_unit(shares, losses))
        eliminated = {unit.id: "" for unit in remaining.units if steps_lost.get(unit.id) == unit.left}
        return replace(retreats, steps_to_share=tuple(others), toll=toll.and_steps(steps_lost).and_moved(eliminated))

    title = steps_title(first.steps, f"that the retreat costs {remaining.name}")
    return share_out(f"losses.{remaining.name}.{first.what}", first.rule, title, first.role, shares, first.steps, then)


def resume_retreats(combat: Combat, interrupted: Retreats, toll: Toll) -> Retreats:
    """Return retreats that go on after a Repulse, once the stack that it has pushed away has retreated.

    If that stack has a later duty to retreat, each part of it begins in its present hex.

    Rule: 8.5.3
    """
    first, *others = interrupted.duties
    later = (part for duty in others for part in _split_by_place(combat, duty, toll))
    return replace(interrupted, duties=(first, *later), toll=toll)


def _split_by_place(combat: Combat, duty: RetreatDuty, toll: Toll) -> Iterator[RetreatDuty]:
    """Yield the duty of each part of a stack, from the part's present hex (4.2.3)."""
    if duty.pushed_forces:
        yield duty
        return
    is_first = True
    for start, together in UnitsInHex(combat, duty.role, duty.place).parts(toll).items():
        hexes = tuple((name, number) for name, number in duty.hexes if name in together)
        if hexes:
            yield replace(duty, start=start, hexes=hexes, split_name=duty.split_name if is_first else hexes[0][0])
            is_first = False


# --- hexes open to a retreat ------------------------------------------------------------------------------------------


def hexes_around(combat: Combat, retreats: Retreats) -> tuple[RetreatHex, ...]:
    """Return all hexes around the first stack, the open ones first.

    If its hex is too full, they are open or closed for the Forces that go on by the first option.
    """
    options = send_excess_on(FirstStack(combat, retreats))
    return FirstStack(combat, next(iter(options.values()), retreats)).way_back.around


def is_unable_to_retreat(combat: Combat, toll: Toll) -> bool:
    """Return whether no hex around the defender is open, so that it cannot leave (11.2.6)."""
    ground = _find_ground_of_defender(combat, toll)
    return ground is not None and not WayBack(ground, combat.engagement.at).open


def may_open(combat: Combat) -> tuple[str, ...]:
    """Return the hexes that attackers may open, by a retreat, to a defender that has no open hex.

    Only attackers stand there. They check and retreat before the defender (11.3).
    """
    at = combat.engagement.at
    ground = _find_ground_of_defender(combat, Toll())
    if combat.pieces is None or ground is None or WayBack(ground, at).open:
        return ()
    layout = combat.pieces.layout(())
    attacking = {unit.id for unit in combat.engagement.present("attacker")}
    places = dict.fromkeys(unit.place for unit in combat.engagement.attackers)
    attackers_alone = [place for place in places if all(piece.id in attacking for piece in layout.at(place))]
    return tuple(place for place in attackers_alone if not lasting_bar(way_in(ground, at, place)))


def _find_ground_of_defender(combat: Combat, toll: Toll) -> RetreatGround | None:
    """Return the ground around the defender, or None if the ground is unknown or the defender is eliminated."""
    at = combat.engagement.at
    remaining = (remaining_force(force, toll) for force in UnitsInHex(combat, "defender", at).forces.values())
    stack = tuple(force for force in remaining if force is not None)
    return combat.pieces.after(toll).ground(stack, at) if combat.pieces and stack else None
