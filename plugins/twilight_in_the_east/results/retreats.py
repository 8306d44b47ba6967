"""The retreats of a combat, hex by hex: who goes together, which hexes are open next, and what the way costs (11.2).

`Retreats` is the situation, and `next_in_retreats` says what follows it. Its first stack enters one hex after the other
until it has gone far enough or can go no farther; then its way is paid for, and the next stack begins. `repulses` has the
Repulse that a stuck stack may try.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cached_property, partial
from itertools import combinations, pairwise
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
    EZOC,
    LEVELS,
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
    unable_to_retreat,
    ways_to_room,
)
from ..retreat.words import format_remark
from ..terms import BUKOWINA_BOX, COMBAT_ARMS, FORTRESSES, OFF_MAP, SUPPLY_ARMS

WAYS: dict[Cause, str] = {"crt": "retreat", "check": "onward"}
"""The name of the hexes of a retreat in answers, by its cause."""
TRIES: dict[Cause, str] = {"crt": "repulse", "check": "onward-repulse"}
"""The name of a Repulse in answers, by the cause of the retreat in which it is tried."""
PUSHED: dict[Cause, str] = {"crt": "repulsed", "check": "onward-repulsed"}
"""The name of the hexes of a stack that such a Repulse pushes away."""
DUE: dict[Cause, str] = {"crt": "crt", "check": "way", "repulse": "repulsed"}
"""The name of the steps that a way costs, by the cause of the retreat."""


# --- the situation ----------------------------------------------------------------------------------------------------


class StackRetreat(msgspec.Struct, frozen=True):
    """A stack that must retreat."""

    role: Role
    place: Annotated[str, note("its hex in the combat, which names it")]
    start: Annotated[str, note("the hex where this retreat begins")]
    owed: Annotated[tuple[tuple[str, int], ...], note("hexes that each Force retreats, those in `extra` among them")]
    extra: Annotated[Amounts, note("hexes for want of room, by Force, beyond those required")] = ()
    zones: Annotated[
        Amounts, note("unoccupied hexes in EZOCs that each Force has entered in an earlier retreat of the combat")
    ] = ()
    tried: Annotated[bool, note("whether it has tried a Repulse in this retreat")] = False
    forces: Annotated[tuple[Force, ...], note("its Forces, if a Repulse pushes it away")] = ()
    named: Annotated[str, note("the name of its hexes in answers, if a Repulse pushes it away")] = ""
    apart: Annotated[str, note("the Force that names it instead of its hex, if the stack has been divided")] = ""

    @property
    def name(self) -> str:
        """The name of the stack in answers."""
        return self.apart or self.place


class StepsDue(msgspec.Struct, frozen=True):
    """Steps that a Force must share out."""

    role: Role
    force: Annotated[Force, note("the Force as it was before the combat")]
    steps: int
    what: Annotated[str, note("what cost the steps, as answers name it")]
    rule: str = EZOC


class StackPrice(msgspec.Struct, frozen=True):
    """What a way has cost a stack."""

    charges: Annotated[tuple[Charge, ...], note("of the Force with the most of them")]
    forces: tuple[ForceRetreat, ...]
    surrendered: tuple[str, ...]
    departed: Annotated[tuple[str, ...], note("Forces that have left the map for good")]
    trains: Annotated[tuple[str, ...], note("Corps Trains that have gone along")]
    steps: Annotated[int, note("steps that the stack loses, those to be shared out among them")]


class Retreats(msgspec.Struct, frozen=True):
    """Stacks that must retreat, the first of them on its way.

    Stages: the first stack is `going`; or `stuck`, so that it may try a Repulse; or it has `arrived`, and its way is paid
    for; or all are `done`.
    """

    cause: Cause
    todo: Annotated[tuple[StackRetreat, ...], note("the stacks, in order")]
    toll: Annotated[Toll, note("what the combat has cost so far")]
    then: Annotated[Situation, note("what follows: the next stage, or the retreats that a Repulse has interrupted")]
    way: Annotated[tuple[str, ...], note("hexes that the first stack has entered")] = ()
    due: Annotated[tuple[StepsDue, ...], note("steps to be shared out first")] = ()
    entered: Annotated[tuple[RetreatHex, ...], note("the hexes of the way up to a Repulse, as they were found")] = ()
    stage: Literal["going", "stuck", "arrived", "done"] = "going"
    price: Annotated[StackPrice | None, note("what the way has cost the first stack, once it has arrived")] = None

    @property
    def here(self) -> str:
        """The hex of the first stack."""
        return self.way[-1] if self.way else self.todo[0].start

    @property
    def before(self) -> str:
        """The hex that the first stack has just left, or "" at the start."""
        return "" if not self.way else (self.todo[0].start, *self.way)[-2]


# --- the stacks -------------------------------------------------------------------------------------------------------


class CombatStack(msgspec.Struct, frozen=True):
    """The units in a hex of one side of a combat."""

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
        every = [unit for units in members.values() for unit in units] + self.beside
        led = {unit.id: name for name, units in members.items() for unit in units if unit.formation}
        led |= {unit.id: unit.id for unit in self.beside if unit.formation}
        lone = next((force.name for force in self.fighting if force.formation is None), "")
        for unit in sorted(self.beside, key=lambda combat_unit: not combat_unit.formation):
            name = led[unit.id] if unit.formation else led.get(formation_joined(unit, every), lone)
            lone = lone or ("" if name else unit.id)
            members.setdefault(name or unit.id, []).append(unit)
        return {name: Force(name, tuple(units)) for name, units in members.items()}

    @property
    def along(self) -> frozenset[str]:
        """The Forces that only accompany others: no unit of theirs takes part in the combat."""
        return frozenset(self.forces) - {force.name for force in self.fighting}

    @property
    def beside(self) -> list[CombatUnit]:
        """The units that take no part and yet may have to retreat: artillery that stands idle, and withheld defenders.

        Nothing happens to attackers that are withheld, nor to artillery that is attached to them or stays beside them.

        Rule: 10.1.5e, 10.1.5f
        """
        engagement = self.combat.engagement
        idle = [unit for unit in engagement.idle if unit.place == self.place]
        if self.role == "defender":
            return [*idle, *(unit for unit in engagement.withheld if unit.arm not in SUPPLY_ARMS)]
        staying = self._staying_out
        formations = {unit.nation for unit in engagement.attackers if unit.place == self.place and unit.formation}
        return [unit for unit in idle if unit.with_ not in staying and (not staying or unit.nation in formations)]

    @property
    def _staying_out(self) -> frozenset[str]:
        """The combat units in an attacking hex that do not attack."""
        pieces = self.combat.pieces.pieces.values() if self.combat.pieces else ()
        taking_part = {unit.id for unit in self.combat.engagement.attackers}
        there = (piece for piece in pieces if piece.place == self.place and piece.arm in COMBAT_ARMS)
        return frozenset(piece.id for piece in there) - taking_part

    def parts(self, toll: Toll) -> dict[str, dict[str, Force]]:
        """Return what is left of the Forces, by name, in each hex where some now stand, as for want of room not all go on
        (4.2.3).
        """
        moved = dict(toll.moved)
        forces = dict[str, dict[str, Force]]()
        for name, force in self.forces.items():
            if left := remaining_force(force, toll):
                forces.setdefault(moved.get(left.units[0].id, self.place), {})[name] = left
        return forces


def withheld_units(combat: Combat) -> frozenset[str]:
    """Return the units in the defender's hex that are withheld from the combat."""
    return frozenset(unit.id for unit in combat.engagement.withheld)


def whole_forces(combat: Combat, stack: StackRetreat) -> dict[str, Force]:
    """Return the Forces of a stack as they were before the combat, by name."""
    return {force.name: force for force in stack.forces} or CombatStack(combat, stack.role, stack.place).forces


class RetreatingStack:
    """The first stack of some retreats, as the combat has left it so far.

    `duty`: what it must retreat.
    `forces`: what is left of its Forces, by name.
    `layout`: where all pieces stand.
    """

    def __init__(self, combat: Combat, retreats: Retreats) -> None:
        self.combat = combat
        self.retreats = retreats
        self.duty = retreats.todo[0]
        whole = whole_forces(combat, self.duty)
        left = {name: remaining_force(whole[name], retreats.toll) for name, _ in self.duty.owed}
        self.forces = {name: force for name, force in left.items() if force is not None}
        self.layout = combat.standing.after(retreats.toll)
        self.terrain = self.layout.pieces.terrain

    @cached_property
    def going(self) -> tuple[Force, ...]:
        """The Forces that must go on."""
        return self._forces_beyond(len(self.retreats.way))

    @cached_property
    def units(self) -> tuple[str, ...]:
        """The units of these Forces."""
        return tuple(unit.id for force in self.going for unit in force.units)

    @property
    def ground(self) -> RetreatGround:
        """The ground as these Forces find it."""
        return self.layout.ground(self.going, self.duty.place)

    @property
    def way_back(self) -> WayBack:
        """The way of these Forces so far."""
        return WayBack(self.ground, self.retreats.here, self.retreats.before)

    @cached_property
    def entered(self) -> tuple[RetreatHex, ...]:
        """The hexes entered so far, each as the Forces found it that went there."""
        hexes = list(self.retreats.entered)
        places = (self.duty.start, *self.retreats.way)
        for number, (here, there) in list(enumerate(pairwise(places)))[len(hexes) :]:
            ground = self.layout.ground(self._forces_beyond(number), self.duty.place)
            options = WayBack(ground, here, places[number - 1] if number else "").open
            hexes.append(next(hex for hex in options if hex.hex == there))
        return tuple(hexes)

    def list_next_hexes(self) -> tuple[RetreatHex, ...]:
        """Return the hexes that are open next, in the order of the owner's policy.

        Forces that go on for want of room may only move towards the nearest hex with room.
        """
        if all(force.name in dict(self.duty.extra) for force in self.going):
            return ways_to_room(self.way_back, partial(self.layout.without(self.units).holds, self.units))
        guns = [unit.id for force in self.going for unit in force.units if unit.arm == "artillery"]
        owed = min(owed for name, owed in self.duty.owed if owed > len(self.retreats.way) and name in self.forces)
        stakes = Stakes(owed, bool(guns), not MOUNTAIN_GUNS.issuperset(guns), self.earlier_zones)
        return order_hexes(self.way_back, self.entered, stakes, self.combat.policies[self.duty.role].way)

    @property
    def earlier_zones(self) -> int:
        """The unoccupied hexes in EZOCs that count from earlier retreats, for the Force with most of them."""
        return max(self._count_earlier_zones(force.name) for force in self.going)

    def _count_earlier_zones(self, force: str, *, matters: bool = False) -> int:
        """Return the unoccupied hexes in EZOCs that count from an earlier retreat of the combat (ruling ezoc-count).

        matters: whether more were entered now.
        """
        pieces = self.combat.standing
        earlier = dict(self.duty.zones).get(force, 0)
        reading = pieces.view.ruling("ezoc-count", earlier > 0 and (matters or pieces.is_agreed("ezoc-count")))
        return earlier if reading == "through" else 0

    def _forces_beyond(self, hexes: int) -> tuple[Force, ...]:
        """Return the Forces that retreat more than a number of hexes."""
        return tuple(self.forces[name] for name, owed in self.duty.owed if owed > hexes and name in self.forces)

    @property
    def are_all_lost(self) -> bool:
        """Whether the way so far has already eliminated all Forces that must go on, so that it ends here (11.2.5)."""
        if not any(hex.zone or hex.river or hex.outside for hex in self.entered):
            return False
        return all(
            apply_charges(force, self._list_charges(force.name, self.entered)).eliminated for force in self.going
        )

    def price_way(self, force: Force, entered: tuple[RetreatHex, ...]) -> tuple[tuple[Charge, ...], bool]:
        """Return what a Force pays for the hexes that it has entered, or could not retreat, and whether it surrenders.

        It pays nothing for hexes that it could not retreat if it only went on for want of room, was withheld, or is
        eliminated on the way.

        Rule: 11.2.6a, 11.2.6b
        """
        name = force.name
        charged = self._list_charges(name, entered)
        owed = len(entered) if name in dict(self.duty.extra) else dict(self.duty.owed)[name]
        unable = unable_to_retreat(owed, entered, self.retreats.cause)
        is_spared = name in withheld_units(self.combat) or apply_charges(force, charged).eliminated
        return charged if is_spared else charged + unable.costs, unable.surrenders

    def _list_charges(self, force: str, entered: tuple[RetreatHex, ...]) -> tuple[Charge, ...]:
        """Return what hexes cost a Force, by the rulings that matter for them: a withheld one pays for EZOCs alone
        (10.1.5).
        """
        zones = sum(hex.zone for hex in entered)
        earlier = self._count_earlier_zones(force, matters=zones > 0)
        levels = self.combat.standing.view.ruling("ezoc-levels", zones > 0 and earlier + zones > LEVELS)
        charged = charges(entered, levels, earlier)
        return charges_of_withheld(charged) if force in withheld_units(self.combat) else charged

    def list_remarks(self, options: Collection[RetreatHex]) -> dict[str, str]:
        """Return remarks on each open hex: its cost, the units it eliminates, too little room (11.2.4, 11.2.5, 4.2.3)."""
        others = self.layout.without(self.units)
        withheld = withheld_units(self.combat)
        is_last = len(self.entered) + 1 >= max(owed for name, owed in self.duty.owed if name in self.forces)
        levels = self.combat.standing.view.quiet_view().ruling("ezoc-levels")  # what is only compared is no doubt
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


# --- what follows -----------------------------------------------------------------------------------------------------


def next_in_retreats(combat: Combat, retreats: Retreats) -> Node:
    """Return the next hex of the first stack, the steps to share out before it, or what follows. Rule: 11.2.1"""
    if retreats.stage == "arrived":
        return leave_behind(retreats)
    if retreats.due:
        return share_steps_due(combat, retreats)
    if not retreats.todo:
        interrupted = retreats.then
        if isinstance(interrupted, Retreats):
            return Apart({"": resume_retreats(combat, interrupted, retreats.toll)})
        return Apart({"": replace(retreats, stage="done")})
    stack = RetreatingStack(combat, retreats)
    name = f"{stack.duty.named or f'{WAYS[retreats.cause]}.{stack.duty.name}'}.{len(retreats.way) + 1}"
    if excess := send_excess_on(stack):
        title = f"{retreats.here} cannot hold all Forces that end there: which retreat farther"
        return Choice(f"{name}.who", "4.2.3", title, stack.duty.role, {**excess})
    # a retreat ends in the Holding Box (23.4.1), and off the map
    if retreats.here == BUKOWINA_BOX or stack.terrain.is_off_map(retreats.here) or not stack.going:
        return Apart({"": end_retreat(stack)})
    if falling := find_falling(stack.units):
        fallen = {unit.id: unit.left for force in stack.going for unit in force.units if unit.id in falling}
        return Apart({"": replace(retreats, toll=retreats.toll.and_eliminated(fallen))})
    if stack.are_all_lost:
        return Apart({"": end_retreat(stack)})
    options = stack.list_next_hexes()
    are_last_resorts = all(hex.leaves or hex.outside for hex in options)  # units are lost for good by entering them
    if are_last_resorts and not stack.duty.tried:
        return Apart({"": replace(retreats, stage="stuck")})
    if not options:
        return Apart({"": end_retreat(stack)})
    ways: dict[str, Situation] = {hex.hex: replace(retreats, way=(*retreats.way, hex.hex)) for hex in options}
    rule, title = _format_title(stack)
    remarks = partial(stack.list_remarks, options)
    return Choice(name, rule, title, stack.duty.role, ways, remarks=remarks, units=stack.units)


def _format_title(stack: RetreatingStack) -> tuple[str, str]:
    """Return the rule by which some Forces go on, and which of their hexes comes next (11.2.1, 4.2.3)."""
    owed, extra = dict(stack.duty.owed), dict(stack.duty.extra)
    here = stack.retreats.here
    number = len(stack.retreats.way) + 1
    going = [force.name for force in stack.going]
    names = ", ".join(going)
    if all(name in extra for name in going):
        beyond = max(number - owed[name] + extra[name] for name in going)
        return "4.2.3", f"{names} in {here}, which cannot hold all that end there: hex {beyond} beyond the retreat"
    most = max(owed[name] - extra.get(name, 0) for name in going)
    return "11.2.2", f"retreat of {names} from {here}, hex {number} of {most}"


def send_excess_on(stack: RetreatingStack) -> dict[str, Retreats]:
    """Return the retreats in which as few Forces as possible go one hex farther, as a hex cannot hold all that end there.

    They are keyed by the Forces that go on, among which the owner chooses. Empty if the hex holds all, or none with room
    lies within reach.

    Rule: 4.2.3b, 11.2.1
    """
    retreats, duty = stack.retreats, stack.duty
    hexes = len(retreats.way)
    ending = [name for name, owed in duty.owed if owed == hexes and name in stack.forces]
    units = {name: [unit.id for unit in stack.forces[name].units] for name in ending}
    others = stack.layout.without([unit.id for force in stack.forces.values() for unit in force.units])

    def is_too_full(names: Collection[str]) -> bool:
        return not others.holds([unit for name in names for unit in units[name]], retreats.here)

    if not hexes or not is_too_full(ending):
        return {}
    farther: dict[str, Retreats] = {}
    for count in range(1, len(ending) + 1):
        for leaving in combinations(reversed(ending), count):
            if is_too_full([name for name in ending if name not in leaving]):
                continue
            fits = partial(others.holds, tuple(unit for name in leaving for unit in units[name]))
            ground = stack.layout.ground(tuple(stack.forces[name] for name in leaving), duty.place)
            if ways_to_room(WayBack(ground, retreats.here, retreats.before), fits):
                owed = tuple((name, hexes + 1 if name in leaving else number) for name, number in duty.owed)
                going_on = replace(duty, owed=owed, extra=add_amounts(duty.extra, dict.fromkeys(leaving, 1)))
                names = ",".join(name for name in ending if name in leaving)
                farther[names] = replace(retreats, todo=(going_on, *retreats.todo[1:]))
        if farther:
            break
    return farther


def end_retreat(stack: RetreatingStack) -> Retreats:
    """Return the retreats once the first stack has arrived: what the way costs each Force, and where each ends."""
    combat, retreats, duty = stack.combat, stack.retreats, stack.duty
    whole = whole_forces(combat, duty)
    extra = dict(duty.extra)
    toll = retreats.toll
    prices = list[ForceRetreat]()
    due = list[StepsDue]()
    common: tuple[Charge, ...] = ()
    surrendered = list[str]()
    departed = list[str]()
    ends = dict[int, str]()  # by the number of hexes that a Force has gone
    for name, owed in duty.owed:
        if name not in stack.forces:
            continue
        force = stack.forces[name]
        hexes = min(owed, len(stack.entered))
        charged, surrenders = stack.price_way(force, stack.entered[:hexes])
        common = max(common, charged, key=len)
        price = apply_charges(force, charged)
        departs = hexes > 0 and stack.entered[hexes - 1].leaves and not price.eliminated
        price = replace(price, eliminated=price.eliminated or surrenders)
        ends[hexes] = OFF_MAP if departs else (duty.start, *retreats.way)[hexes]
        toll = toll.and_hexes({name: owed - extra.get(name, 0)}, pushed=retreats.cause == "repulse")
        toll, steps = _pay_price(toll, force, price, ends[hexes], surrenders=surrenders)
        if steps:
            due.append(StepsDue(duty.role, whole[name], steps, DUE[retreats.cause]))
        prices.append(price)
        surrendered += [name] if surrenders else []
        departed += [name] if departs else []
    trains: tuple[str, ...] = ()
    if ends and min(ends) > 0:
        trains, toll = _take_trains_along(stack, toll, ends[min(ends)])
    steps = sum(dict(toll.steps).values()) - sum(dict(retreats.toll.steps).values()) + sum(each.steps for each in due)
    paid = StackPrice(common, tuple(prices), tuple(surrendered), tuple(departed), trains, steps)
    return replace(retreats, toll=toll, due=tuple(due), stage="arrived", price=paid)


def _pay_price(toll: Toll, force: Force, lost: ForceRetreat, end: str, *, surrenders: bool) -> tuple[Toll, int]:
    """Return the toll with what a retreat costs a Force, and the steps that its owner still shares out."""
    off = {*lost.guns, *lost.destroyed}
    if lost.eliminated:
        off |= {unit.id for unit in (force.units if surrenders else bearers(force))}
    toll = toll.and_steps({unit.id: unit.left for unit in force.units if unit.id in off})
    toll = toll.and_moved({unit.id: "" if unit.id in off else end for unit in force.units})
    if lost.eliminated or end == OFF_MAP:
        return toll, 0
    return toll.and_levels({force.name: lost.levels}), lost.steps


def _take_trains_along(stack: RetreatingStack, toll: Toll, end: str) -> tuple[tuple[str, ...], Toll]:
    """Return the Corps Trains that retreat with a stack, and the toll with what becomes of all trains in its hex.

    They stay if a combat unit of the stack stays. The Corps Train of Königsberg is withheld from the combat, and is
    destroyed as all others leave its hex; where fortress units are left, the hex is not vacated.

    `toll`: what the combat has cost once the stack has retreated.
    `end`: the hex of the Forces that go the fewest hexes, which the trains accompany.

    Rule: 8.5.3, 10.1.5f, 11.2.1, 22.5.1
    """
    start, where = stack.duty.start, stack.layout.where
    pieces, now = stack.layout.pieces, {**where, **dict(toll.moved)}
    fighting = (piece.id for piece in pieces.layout(()).at(stack.duty.place) if piece.arm in COMBAT_ARMS)
    if any(now[unit] == start for unit in fighting):
        return (), toll
    trains = tuple(train for train in pieces.trains.get(stack.duty.place, ()) if where[train] == start)
    toll = toll.and_moved(dict.fromkeys(trains, end))
    if any(piece.arm in FORTRESSES for piece in stack.layout.at(start)):
        return trains, toll
    withheld = [unit for unit in stack.combat.engagement.withheld if unit.arm in SUPPLY_ARMS]
    falling = find_falling(unit.id for unit in withheld if where[unit.id] == start)
    return trains, toll.and_eliminated({unit.id: unit.left for unit in withheld if unit.id in falling})


def leave_behind(retreats: Retreats) -> Apart:
    """Return the retreats of the other stacks, and the steps, levels and surrenders that the way of the first one costs."""
    price = retreats.price
    assert price is not None
    notes: dict[str, Quantity] = {f"{retreats.todo[0].role}.steps": price.steps} if price.steps else {}
    notes |= {f"{force.force}.levels": force.levels for force in price.forces if force.levels}
    notes |= {f"{name}.surrenders": True for name in price.surrendered}
    others = replace(retreats, todo=retreats.todo[1:], way=(), entered=(), stage="going", price=None)
    return Apart({"": others}, notes)


def share_steps_due(combat: Combat, retreats: Retreats) -> Choice:
    """Return who in a Force takes the steps that a way costs it: the owner's choice (23.8). Rule: 11.1b"""
    due, *rest = retreats.due
    toll = retreats.toll
    left = remaining_force(due.force, toll)
    assert left is not None
    policy = combat.policies[due.role]
    side = units_after(combat.engagement.side(due.role), toll)
    spared = spares_marsch_units(due.role, side, toll, combat.engagement.readings.marsch_first)
    taking = tuple(
        Share(unit.id, unit.left, rank=policy.rank(unit.id), later=spared and is_marsch(unit)) for unit in bearers(left)
    )

    def then(losses: Losses) -> Situation:
        lost = dict(by_unit(taking, losses))
        dead = {unit.id: "" for unit in left.units if lost.get(unit.id) == unit.left}
        return replace(retreats, due=tuple(rest), toll=toll.and_steps(lost).and_moved(dead))

    title = steps_title(due.steps, f"that the retreat costs {left.name}")
    return share_out(f"losses.{left.name}.{due.what}", due.rule, title, due.role, taking, due.steps, then)


def resume_retreats(combat: Combat, interrupted: Retreats, toll: Toll) -> Retreats:
    """Return retreats that go on after a Repulse, once the stack that it has pushed away has retreated.

    That stack may itself be due to retreat next. Each part of it then begins where it stands now.

    Rule: 8.5.3
    """
    first, *others = interrupted.todo
    later = (part for stack in others for part in _split_by_place(combat, stack, toll))
    return replace(interrupted, todo=(first, *later), toll=toll)


def _split_by_place(combat: Combat, stack: StackRetreat, toll: Toll) -> Iterator[StackRetreat]:
    """Yield the parts of a stack that is due to retreat, each from the hex where it stands now (4.2.3)."""
    if stack.forces:  # a Repulse pushes it away
        yield stack
        return
    is_first = True
    for start, together in CombatStack(combat, stack.role, stack.place).parts(toll).items():
        owed = tuple((name, hexes) for name, hexes in stack.owed if name in together)
        if owed:
            yield replace(stack, start=start, owed=owed, apart=stack.apart if is_first else owed[0][0])
            is_first = False


# --- what others ask --------------------------------------------------------------------------------------------------


def hexes_around(combat: Combat, retreats: Retreats) -> tuple[RetreatHex, ...]:
    """Return all hexes around the first stack, those that are open first."""
    excess = send_excess_on(RetreatingStack(combat, retreats))
    return RetreatingStack(combat, next(iter(excess.values()), retreats)).way_back.around


def is_unable_to_retreat(combat: Combat, toll: Toll) -> bool:
    """Return whether none of the hexes around the defender is open, so that it cannot leave (11.2.6)."""
    ground = _find_ground_of_defender(combat, toll)
    return ground is not None and not WayBack(ground, combat.engagement.at).open


def may_open(combat: Combat) -> tuple[str, ...]:
    """Return the hexes that attackers alone hold around a defender that cannot leave its own.

    An attacker that its check throws back opens its hex, as the attackers' retreats come first (11.3).
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
    """Return the ground as the defender finds it in its hex, or None if it is not known, or nothing is left of the
    defender.
    """
    at = combat.engagement.at
    left = (remaining_force(force, toll) for force in CombatStack(combat, "defender", at).forces.values())
    stack = tuple(force for force in left if force is not None)
    return combat.pieces.after(toll).ground(stack, at) if combat.pieces and stack else None
