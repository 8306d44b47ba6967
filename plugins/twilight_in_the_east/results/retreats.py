"""Retreats hex by hex as a combat carries them out: who goes together, which hexes are open next, and what they cost
(11.2).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import partial
from itertools import combinations, pairwise
from typing import Annotated, NamedTuple

import msgspec
from msgspec.structs import replace

from assistant.asking import note
from assistant.mechanics.procedure import Apart, Choice, Node, Quantity, Situation

from ..combat.before_dice import Combat
from ..combat.engagement import Cause
from ..combat.pieces import Layout
from ..combat.retreat_ground import RetreatGround, Terrain, lasting_bar, way_in
from ..combat.tolls import Amounts, Toll, add_amounts, remaining_force, spares_marsch_units, units_after
from ..forces.falling import find_falling
from ..forces.losses import Losses, Share, bearers, by_unit, share_out, steps_title
from ..forces.units import CombatUnit, Force, Role, formation_joined, is_marsch
from ..retreat.ways import (
    EZOC,
    LEVELS,
    MOUNTAIN_GUNS,
    Charge,
    ForceRetreat,
    Halt,
    RetreatHex,
    Stakes,
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
"""The name of the hexes that a stack retreats to, by what makes it retreat."""
TRIES: dict[Cause, str] = {"crt": "repulse", "check": "onward-repulse"}
"""The name of a Repulse that it tries, by the same."""
PUSHED: dict[Cause, str] = {"crt": "repulsed", "check": "onward-repulsed"}
"""The name of the hexes that a stack which a Repulse pushes away retreats to, by what makes the other retreat."""
DUE: dict[Cause, str] = {"crt": "crt", "check": "way", "repulse": "repulsed"}
"""The name of the steps that a way costs, by what makes a stack retreat."""


class StackRetreat(msgspec.Struct, frozen=True):
    """A stack that must retreat."""

    role: Role
    place: Annotated[str, note("its hex in the combat, which names it")]
    start: Annotated[str, note("where it is now")]
    owed: Annotated[tuple[tuple[str, int], ...], note("hexes that each Force retreats, those in `extra` among them")]
    extra: Annotated[
        Amounts, note("hexes beyond those required, of Forces that go on because a hex cannot hold them")
    ] = ()
    zones: Annotated[
        Amounts, note("unoccupied hexes in EZOCs that each Force has entered in an earlier retreat of the combat")
    ] = ()
    tried: Annotated[bool, note("whether it has tried a Repulse in this retreat")] = False
    forces: Annotated[tuple[Force, ...], note("that retreat, where a Repulse pushes them away")] = ()
    named: Annotated[str, note("how answers name its hexes then")] = ""
    apart: Annotated[str, note("the Force that names it instead of its hex, where the stack has been divided")] = ""

    @property
    def name(self) -> str:
        """As answers name it."""
        return self.apart or self.place


class StepsDue(msgspec.Struct, frozen=True):
    """Steps that a Force must share out."""

    role: Role
    force: Force
    """As it was before the combat."""
    steps: int
    what: str
    """What cost them, as answers name it."""
    rule: str = EZOC


class Retreats(msgspec.Struct, frozen=True):
    """Stacks that must retreat, the first of them on its way."""

    cause: Cause
    todo: Annotated[tuple[StackRetreat, ...], note("in order")]
    toll: Annotated[Toll, note("of the combat so far")]
    then: Annotated[Situation, note("what follows: the next stage, or the retreat that a Repulse has interrupted")]
    way: Annotated[tuple[str, ...], note("of the first so far")] = ()
    due: Annotated[tuple[StepsDue, ...], note("steps to be shared out first")] = ()
    entered: Annotated[tuple[RetreatHex, ...], note("the hexes of the way up to a Repulse, as they were found")] = ()

    @property
    def here(self) -> str:
        """Where the stack is."""
        return self.way[-1] if self.way else self.todo[0].start

    @property
    def is_safe(self) -> bool:
        """Whether it has come into the Holding Box, where its retreat ends (23.4.1)."""
        return self.here == BUKOWINA_BOX

    @property
    def before(self) -> str:
        """The hex that it has just left, "" at the start."""
        return "" if not self.way else (self.todo[0].start, *self.way)[-2]


class Halted(msgspec.Struct, frozen=True):
    """Stacks that must retreat, the first of which must go on and finds no hex open, or last resorts alone."""

    retreats: Retreats


class Retreated(msgspec.Struct, frozen=True):
    """A stack that has retreated: its way, what that costs, and what follows."""

    moving: StackRetreat
    cause: Cause
    way: tuple[str, ...]
    charges: tuple[Charge, ...]
    forces: tuple[ForceRetreat, ...]
    surrendered: tuple[str, ...]
    departed: tuple[str, ...]
    """The Forces that have left the map for good."""
    trains: tuple[str, ...]
    """The Corps Trains that have gone along."""
    before: Toll
    next: Retreats


class AfterRetreats(msgspec.Struct, frozen=True):
    """All have retreated that had to: what follows, and what the combat has cost so far."""

    then: Situation
    toll: Toll


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
        """The Forces that retreat together, by name. Artillery that stands idle and Asset Units that are withheld go with
        the formation that they are attached to; the others of these make Forces of their own, as withheld formations do.
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
        """The Forces that only go with the others: nobody in them takes part in the combat."""
        return frozenset(self.forces) - {force.name for force in self.fighting}

    @property
    def beside(self) -> list[CombatUnit]:
        """The units that take no part and yet may have to go with it: artillery that stands idle, and withheld defenders.
        With attackers that are withheld nothing happens, nor with artillery that is attached to them or stays beside
        them. Rule: 10.1.5e, 10.1.5f
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
        """Return what is left of its Forces, by name, in each hex where some stand by now: not all go on for want of room
        (4.2.3).
        """
        moved = dict(toll.moved)
        forces = dict[str, dict[str, Force]]()
        for name, force in self.forces.items():
            if left := remaining_force(force, toll):
                forces.setdefault(moved.get(left.units[0].id, self.place), {})[name] = left
        return forces


def withheld_units(combat: Combat) -> frozenset[str]:
    """Return the units that are withheld from the combat in its hex."""
    return frozenset(unit.id for unit in combat.engagement.withheld)


def hexes_drawn_along(due: Collection[int], gone: Iterable[int], by_result: int) -> int:
    """Return how many hexes the Forces go that only accompany others, once all of those leave the hex by their checks:
    the smallest retreat of those others, or else of the eliminated ones.

    due, gone: hexes that checks cost the former and the latter; by_result: hexes of all by the result.
    Rule: 10.1.5f
    """
    return min(due or [hexes for hexes in gone if hexes + by_result], default=0)


class Walking(NamedTuple):
    """The first of some stacks that retreat, as it is now."""

    combat: Combat
    retreats: Retreats
    stack: dict[str, Force]
    """What is left of its Forces, by name."""
    layout: Layout
    """Where all stand."""

    @property
    def moving(self) -> StackRetreat:
        """The stack as it must retreat."""
        return self.retreats.todo[0]

    @property
    def going(self) -> tuple[Force, ...]:
        """The Forces that must go on."""
        return self.going_beyond(len(self.retreats.way))

    @property
    def units(self) -> tuple[str, ...]:
        """The units of these Forces."""
        return tuple(unit.id for force in self.going for unit in force.units)

    @property
    def terrain(self) -> Terrain:
        """The terrain as far as it is known."""
        return self.layout.pieces.terrain

    @property
    def ground(self) -> RetreatGround:
        """The ground as these Forces find it."""
        return self.layout.ground(self.going, self.moving.place)

    @property
    def halt(self) -> Halt:
        """Where these Forces are on their way."""
        return Halt(self.ground, self.retreats.here, self.retreats.before)

    @property
    def entered(self) -> tuple[RetreatHex, ...]:
        """The hexes entered so far, each as those found it who went there."""
        hexes = list(self.retreats.entered)
        places = (self.moving.start, *self.retreats.way)
        for number, (here, there) in list(enumerate(pairwise(places)))[len(hexes) :]:
            ground = self.layout.ground(self.going_beyond(number), self.moving.place)
            options = Halt(ground, here, places[number - 1] if number else "").open
            hexes.append(next(hex for hex in options if hex.hex == there))
        return tuple(hexes)

    @property
    def zones_before(self) -> int:
        """The unoccupied hexes in EZOCs that count from earlier retreats, for the Force with most of them."""
        return max(self.count_zones_before(force.name) for force in self.going)

    def count_zones_before(self, force: str, *, matters: bool = False) -> int:
        """Return the unoccupied hexes in EZOCs that count from an earlier retreat of the combat (ruling ezoc-count).
        matters: whether more were entered now.
        """
        pieces = self.combat.standing
        earlier = dict(self.moving.zones).get(force, 0)
        reading = pieces.view.ruling("ezoc-count", earlier > 0 and (matters or pieces.is_agreed("ezoc-count")))
        return earlier if reading == "through" else 0

    def list_charges(self, force: str, entered: tuple[RetreatHex, ...]) -> tuple[Charge, ...]:
        """Return what the hexes of a way cost a Force of the stack, by the rulings that matter for them; of one that
        was withheld from the combat only EZOCs count (10.1.5).
        """
        zones = sum(hex.zone for hex in entered)
        earlier = self.count_zones_before(force, matters=zones > 0)
        levels = self.combat.standing.view.ruling("ezoc-levels", zones > 0 and earlier + zones > LEVELS)
        charged = charges(entered, levels, earlier)
        return charges_of_withheld(charged) if force in withheld_units(self.combat) else charged

    def price_way(self, force: Force, entered: tuple[RetreatHex, ...]) -> tuple[tuple[Charge, ...], bool]:
        """Return what the hexes that a Force has entered, or could not retreat, cost it, and whether it surrenders.

        It pays nothing for hexes that it could not retreat if it only went on for want of room, was withheld, or is
        eliminated on the way.
        Rule: 11.2.6a, 11.2.6b
        """
        name = force.name
        charged = self.list_charges(name, entered)
        owed = len(entered) if name in dict(self.moving.extra) else dict(self.moving.owed)[name]
        unable = unable_to_retreat(owed, entered, self.retreats.cause)
        is_spared = name in withheld_units(self.combat) or apply_charges(force, charged).eliminated
        return charged if is_spared else charged + unable.costs, unable.surrenders

    def going_beyond(self, hexes: int) -> tuple[Force, ...]:
        """Return the Forces that go farther than so many hexes."""
        return tuple(self.stack[name] for name, owed in self.moving.owed if owed > hexes and name in self.stack)


def whole_forces(combat: Combat, moving: StackRetreat) -> dict[str, Force]:
    """Return the Forces of a stack that retreats as they were before the combat, by name."""
    return {force.name: force for force in moving.forces} or CombatStack(combat, moving.role, moving.place).forces


def find_first_walking(combat: Combat, retreats: Retreats) -> Walking:
    """Return the first of some stacks that retreat, as the combat has left it so far."""
    moving = retreats.todo[0]
    every = whole_forces(combat, moving)
    left = {name: remaining_force(every[name], retreats.toll) for name, _ in moving.owed}
    stack = {name: force for name, force in left.items() if force is not None}
    return Walking(combat, retreats, stack, combat.standing.after(retreats.toll))


def send_excess_on(walking: Walking) -> dict[str, Retreats]:
    """Return the retreat with one hex more for as few Forces as need it to clear a hex that cannot hold all who end
    there, if a hex that can lies within reach: keyed by the Forces that may go on, among which the owner chooses. Empty
    if none has to, or none can. Rule: 4.2.3b, 11.2.1
    """
    _, retreats, stack, layout = walking
    moving = walking.moving
    hexes = len(retreats.way)
    ending = [name for name, owed in moving.owed if owed == hexes and name in stack]
    units = {name: [unit.id for unit in stack[name].units] for name in ending}
    own = [unit.id for force in stack.values() for unit in force.units]
    others = layout.without(own)

    def over(names: tuple[str, ...]) -> bool:
        return not others.holds([unit for name in names for unit in units[name]], retreats.here)

    if not hexes or not over(tuple(ending)):
        return {}
    goings_on: dict[str, Retreats] = {}
    for count in range(1, len(ending) + 1):
        for leaving in combinations(reversed(ending), count):
            if over(tuple(name for name in ending if name not in leaving)):
                continue
            fits = partial(others.holds, tuple(unit for name in leaving for unit in units[name]))
            ground = layout.ground(tuple(stack[name] for name in leaving), moving.place)
            if ways_to_room(Halt(ground, retreats.here, retreats.before), fits):
                owed = tuple((name, hexes + 1 if name in leaving else number) for name, number in moving.owed)
                extra = add_amounts(moving.extra, dict.fromkeys(leaving, 1))
                on = replace(retreats, todo=(replace(moving, owed=owed, extra=extra), *retreats.todo[1:]))
                goings_on[",".join(name for name in ending if name in leaving)] = on
        if goings_on:
            break
    return goings_on


def _end_retreat(walking: Walking) -> Retreated:
    """Return what the way costs each Force of the first stack, and where all of them end."""
    combat, retreats, stack, _ = walking
    moving, cause, entered = walking.moving, retreats.cause, walking.entered
    whole = whole_forces(combat, moving)
    toll = retreats.toll
    lost = list[ForceRetreat]()
    due = list[StepsDue]()
    common: tuple[Charge, ...] = ()
    surrendered = list[str]()
    departed = list[str]()
    ends = dict[int, str]()
    extra = dict(moving.extra)
    for name, owed in moving.owed:
        if name not in stack:
            continue
        force = stack[name]
        hexes = min(owed, len(entered))
        charged, gone = walking.price_way(force, entered[:hexes])
        common = max(common, charged, key=len)
        price_paid = apply_charges(force, charged)
        if gone:
            surrendered.append(name)
        leaves = hexes > 0 and entered[hexes - 1].leaves and not price_paid.eliminated
        if leaves:
            departed.append(name)
        lost.append(replace(price_paid, eliminated=price_paid.eliminated or gone))
        toll = toll.and_hexes({name: owed - extra.get(name, 0)}, pushed=cause == "repulse")
        last = retreats.way[hexes - 1] if hexes else moving.start
        end = OFF_MAP if leaves else last
        ends[hexes] = end
        toll, more = _pay(toll, force, lost[-1], end, gone=gone)
        if more:
            due.append(StepsDue(moving.role, whole[name], more, DUE[cause]))
    trains: tuple[str, ...] = ()
    if ends and min(ends) > 0 and is_left_by_all(walking, toll):
        trains = find_trains_along(walking)
        toll = toll.and_moved({train: ends[min(ends)] for train in trains})
        toll = toll.and_eliminated(find_withheld_falling(walking))
    return Retreated(
        moving=moving,
        cause=cause,
        way=retreats.way,
        charges=common,
        forces=tuple(lost),
        surrendered=tuple(surrendered),
        departed=tuple(departed),
        trains=trains,
        before=retreats.toll,
        next=replace(retreats, todo=retreats.todo[1:], toll=toll, way=(), due=tuple(due), entered=()),
    )


def is_left_by_all(walking: Walking, after: Toll) -> bool:
    """Return whether no combat unit of its hex stays where a stack retreats. after: the toll once it has retreated."""
    moving = walking.moving
    now = {**walking.layout.where, **dict(after.moved)}
    stack = [piece for piece in walking.layout.pieces.layout(()).at(moving.place) if piece.arm in COMBAT_ARMS]
    return all(now[piece.id] != moving.start for piece in stack)


def find_trains_along(walking: Walking) -> tuple[str, ...]:
    """Return the Corps Trains that retreat with a stack that all leave: those of its hex in the combat.

    They go with the units that retreat the fewest hexes.

    Rule: 8.5.3, 11.2.1
    """
    moving, where = walking.moving, walking.layout.where
    trains = walking.layout.pieces.trains.get(moving.place, ())
    return tuple(train for train in trains if where[train] == moving.start)


def find_withheld_falling(walking: Walking) -> dict[str, int]:
    """Return the Corps Train of Königsberg with its step if it is destroyed as all others leave its hex.

    It is withheld from the combat; where fortress units are left, the hex is not vacated.

    Rule: 10.1.5f, 22.5.1
    """
    moving, layout = walking.moving, walking.layout
    if any(piece.arm in FORTRESSES for piece in layout.at(moving.start)):
        return {}
    trains = [unit for unit in walking.combat.engagement.withheld if unit.arm in SUPPLY_ARMS]
    standing = [train for train in trains if layout.where[train.id] == moving.start]
    falling = find_falling(train.id for train in standing)
    return {train.id: train.left for train in standing if train.id in falling}


def _pay(toll: Toll, force: Force, lost: ForceRetreat, end: str, *, gone: bool) -> tuple[Toll, int]:
    """Return the toll with what a retreat costs a Force but for the steps that its owner shares out, and how many these
    are: none of a Force that has left the map. gone: whether all of it surrenders.
    """
    off = {*lost.guns, *lost.destroyed}
    if lost.eliminated:
        off |= {unit.id for unit in (force.units if gone else bearers(force))}
    toll = toll.and_steps({unit.id: unit.left for unit in force.units if unit.id in off})
    toll = toll.and_moved({unit.id: "" if unit.id in off else end for unit in force.units})
    if lost.eliminated or end == OFF_MAP:
        return toll, 0
    return toll.and_levels({force.name: lost.levels}), lost.steps


def arrive(retreated: Retreated) -> Apart:
    """Return a stack that has retreated, with what that settles: steps lost by its side, levels by each Force, and who
    surrenders.
    """
    taken = sum(dict(retreated.next.toll.steps).values()) - sum(dict(retreated.before.steps).values())
    taken += sum(due.steps for due in retreated.next.due)
    notes: dict[str, Quantity] = {}
    if taken:
        notes[f"{retreated.moving.role}.steps"] = taken
    notes |= {f"{force.force}.levels": force.levels for force in retreated.forces if force.levels}
    notes |= {f"{name}.surrenders": True for name in retreated.surrendered}
    return Apart({"": retreated.next}, notes)


def share_steps_due(combat: Combat, retreats: Retreats) -> Choice:
    """Return who in a Force takes the steps that a way costs it: the owner's choice (23.8). Rule: 11.1b"""
    due = retreats.due[0]
    rest = retreats.due[1:]
    left = remaining_force(due.force, retreats.toll)
    assert left is not None
    policy = combat.policies[due.role]
    toll = retreats.toll
    side = units_after(combat.engagement.side(due.role), toll)
    spared = spares_marsch_units(due.role, side, toll, combat.engagement.readings.marsch_first)
    taking = tuple(
        Share(unit.id, unit.left, rank=policy.rank(unit.id), later=spared and is_marsch(unit)) for unit in bearers(left)
    )

    def then(losses: Losses) -> Situation:
        lost = dict(by_unit(taking, losses))
        dead = {unit.id: "" for unit in left.units if lost.get(unit.id) == unit.left}
        return replace(retreats, due=rest, toll=toll.and_steps(lost).and_moved(dead))

    title = steps_title(due.steps, f"that the retreat costs {left.name}")
    return share_out(f"losses.{left.name}.{due.what}", due.rule, title, due.role, taking, due.steps, then)


def retreat_on(combat: Combat, retreats: Retreats) -> Node:
    """Return the next hex of the first stack, the steps to share out before it, or what follows once all have
    retreated. Rule: 11.2.1
    """
    if retreats.due:
        return share_steps_due(combat, retreats)
    if not retreats.todo and isinstance(retreats.then, Retreats):
        return Apart({"": resume_retreat(combat, retreats.then, retreats.toll)})
    if not retreats.todo:
        return Apart({"": AfterRetreats(retreats.then, retreats.toll)})
    walking = find_first_walking(combat, retreats)
    moving = walking.moving
    name = f"{moving.named or f'{WAYS[retreats.cause]}.{moving.name}'}.{len(retreats.way) + 1}"
    leaving = send_excess_on(walking)
    if leaving:
        title = f"{retreats.here} cannot hold all Forces that end there: which retreat farther"
        return Choice(f"{name}.who", "4.2.3", title, moving.role, {**leaving})
    is_over = retreats.is_safe or walking.terrain.is_off_map(retreats.here)
    on = () if is_over else walking.going
    falling = find_falling(walking.units) if on else {}
    if falling:
        fallen = {unit.id: unit.left for force in on for unit in force.units if unit.id in falling}
        return Apart({"": replace(retreats, toll=retreats.toll.and_eliminated(fallen))})
    if not on or _are_all_lost(walking):
        return Apart({"": _end_retreat(walking)})
    options = list_next_hexes(walking)
    if all(map(_is_last_resort, options)) and not moving.tried:
        return Apart({"": Halted(retreats)})
    if not options:
        return Apart({"": _end_retreat(walking)})
    ways: dict[str, Situation] = {hex.hex: replace(retreats, way=(*retreats.way, hex.hex)) for hex in options}
    rule, title = _format_title(walking)
    remarks_here = partial(_list_remarks, walking, options)
    return Choice(name, rule, title, moving.role, ways, remarks=remarks_here, units=walking.units)


def _is_last_resort(option: RetreatHex) -> bool:
    """Return whether units are lost for good by entering a hex, so that their stack may first try a Repulse."""
    return option.leaves or option.outside


def resume_retreat(combat: Combat, waiting: Retreats, toll: Toll) -> Retreats:
    """Return a retreat that has waited while the stack that its Repulse has pushed away retreated: that may be one of
    those which retreat next, each part of it from where it stands by now. Rule: 8.5.3
    """
    first, *others = waiting.todo
    later = (part for moving in others for part in _split_by_place(combat, moving, toll))
    return replace(waiting, todo=(first, *later), toll=toll)


def _split_by_place(combat: Combat, moving: StackRetreat, toll: Toll) -> Iterator[StackRetreat]:
    """Yield a stack that has yet to retreat, each part of it from the hex where that stands by now (4.2.3)."""
    if moving.forces:  # that a Repulse pushes away
        yield moving
        return
    is_first = True
    for start, together in CombatStack(combat, moving.role, moving.place).parts(toll).items():
        owed = tuple((name, hexes) for name, hexes in moving.owed if name in together)
        if owed:
            yield replace(moving, start=start, owed=owed, apart=moving.apart if is_first else owed[0][0])
            is_first = False


def _format_title(walking: Walking) -> tuple[str, str]:
    """Return the rule by which some Forces go on, and which of their hexes comes next (11.2.1, 4.2.3)."""
    moving = walking.moving
    on = walking.going
    number = len(walking.retreats.way) + 1
    names = ", ".join(force.name for force in on)
    here = walking.retreats.here
    extra = dict(moving.extra)
    if all(force.name in extra for force in on):
        beyond = max(number - dict(moving.owed)[force.name] + extra[force.name] for force in on)
        return "4.2.3", f"{names} in {here}, which cannot hold all that end there: hex {beyond} beyond the retreat"
    most = max(owed - extra.get(name, 0) for name, owed in moving.owed if name in {force.name for force in on})
    return "11.2.2", f"retreat of {names} from {here}, hex {number} of {most}"


def _list_remarks(walking: Walking, options: Collection[RetreatHex]) -> dict[str, str]:
    """Return what the hexes that are open next cost, who would not survive them, and which of them cannot hold all who
    would end there (11.2.4, 11.2.5, 4.2.3).
    """
    way, on, units = walking.entered, walking.going, walking.units
    others = walking.layout.without(units)
    spared = withheld_units(walking.combat)
    last = len(way) + 1 >= max(owed for name, owed in walking.moving.owed if name in walking.stack)
    levels = walking.combat.standing.view.unnoticed().ruling("ezoc-levels")  # what is only compared is no doubt
    by_hex = dict[str, str]()

    def charged(entered: tuple[RetreatHex, ...]) -> dict[str, tuple[Charge, ...]]:
        costs = charges(entered, levels, walking.zones_before)
        return {force.name: charges_of_withheld(costs) if force.name in spared else costs for force in on}

    for hex in options:
        words = [format_remark(on, charged(way), charged((*way, hex)))]
        if last and not others.holds(units, hex.hex):
            words.append("cannot hold all (4.2.3)")
        by_hex[hex.hex] = "; ".join(filter(None, words))
    return by_hex


def _are_all_lost(walking: Walking) -> bool:
    """Return whether the way so far has already eliminated all who still must go on, so that the retreat ends here
    (11.2.5).
    """
    entered = walking.entered
    if not any(hex.zone or hex.river or hex.outside for hex in entered):
        return False
    return all(apply_charges(force, walking.list_charges(force.name, entered)).eliminated for force in walking.going)


def hexes_around(combat: Combat, retreats: Retreats) -> tuple[RetreatHex, ...]:
    """Return all hexes around the first stack where it is now, those that are open first."""
    walking = find_first_walking(combat, retreats)
    walking = walking._replace(retreats=next(iter(send_excess_on(walking).values()), retreats))
    return walking.halt.around


def list_next_hexes(walking: Walking) -> tuple[RetreatHex, ...]:
    """Return the hexes that are open next, in the order of the owner's policy; of those who go on for want of room, the
    ones that lead to the nearest hex with room.
    """
    retreats, moving, on, units = walking.retreats, walking.moving, walking.going, walking.units
    if all(force.name in dict(moving.extra) for force in on):
        return ways_to_room(walking.halt, partial(walking.layout.without(units).holds, units))
    guns = [unit.id for force in on for unit in force.units if unit.arm == "artillery"]
    owed = min(owed for name, owed in moving.owed if owed > len(retreats.way) and name in walking.stack)
    stakes = Stakes(owed, bool(guns), not MOUNTAIN_GUNS.issuperset(guns), walking.zones_before)
    return order_hexes(walking.halt, walking.entered, stakes, walking.combat.policies[moving.role].way)


def _find_ground_of_defender(combat: Combat, toll: Toll) -> RetreatGround | None:
    """Return the ground as the defender finds it in its hex, None where nothing is left of it, or where the ground is
    not known.
    """
    at = combat.engagement.at
    left = (remaining_force(force, toll) for force in CombatStack(combat, "defender", at).forces.values())
    stack = tuple(force for force in left if force is not None)
    return combat.pieces.after(toll).ground(stack, at) if combat.pieces and stack else None


def is_unable_to_retreat(combat: Combat, toll: Toll) -> bool:
    """Return whether none of the hexes around the defender is open, so that it cannot leave (11.2.6)."""
    ground = _find_ground_of_defender(combat, toll)
    return ground is not None and not Halt(ground, combat.engagement.at).open


def may_open(combat: Combat) -> tuple[str, ...]:
    """Return the hexes around a defender that cannot leave its own which only attackers hold: one that its check throws
    back opens it, as the attackers' retreats come first (11.3).
    """
    at = combat.engagement.at
    ground = _find_ground_of_defender(combat, Toll())
    if combat.pieces is None or ground is None or Halt(ground, at).open:
        return ()
    layout = combat.pieces.layout(())
    attacking = {unit.id for unit in combat.engagement.present("attacker")}
    places = dict.fromkeys(unit.place for unit in combat.engagement.attackers)
    attackers_alone = [place for place in places if all(piece.id in attacking for piece in layout.at(place))]
    return tuple(place for place in attackers_alone if not lasting_bar(way_in(ground, at, place)))
