"""What follows the checks of a combat: the retreats that they cause, the distance from supply, and the advance (11.2, 11.3.2, 11.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import Any

import msgspec
from msgspec.structs import replace

from assistant.mechanics.procedure import Apart, Choice, Done, Node, Procedure, Resolution, Situation

from ..combat.engagement import Engagement, Units
from ..combat.pieces import Amounts, Toll, left_of, summed
from ..combat.reckoning import Combat
from ..displacement.rules import Displacing, Settled, displace, in_the_way, owner
from ..forces.sharing import bearers
from ..forces.units import SIDES, CombatUnit, Force, Role, stacks
from ..ground.entry import Entry, entry_bar
from ..retreat.cost import ForceRetreat, suffered, supply_charges
from ..terms import BUKOWINA_BOX, FORTRESSES, KG_TRAIN, SUPPLY_ARMS
from .outcome import BattleOutcome, Withdrawal, against_priorities, gone_through, of_side
from .retreating import (
    AfterRetreats,
    Retreats,
    StackRetreat,
    StepsDue,
    along,
    drawn_along,
    parts_of,
    retreat_nodes,
    stack_of,
    withheld,
)

MOST_OFFERED = 6
"""Units of which every selection may be offered to advance."""


class RetreatsOver(msgspec.Struct, frozen=True):
    """All retreats are over; who stands farther from supply than before is still to pay."""


class SupplyPaid(msgspec.Struct, frozen=True):
    """All is paid; the attacker may advance. farther: what Forces paid for ending farther from supply (11.2.3)."""

    farther: tuple[ForceRetreat, ...]


class Ended(msgspec.Struct, frozen=True):
    """The combat is over. advanced: the units that have advanced."""

    toll: Toll
    advanced: tuple[str, ...] | None = None


def aftermath(combat: Combat, after: BattleOutcome, wished: str = "") -> tuple[Procedure, Situation]:
    """The procedure from the checks to the end of a combat, and its start. wished: the units that the attacker wants to advance.
    Rule: 10.2.1b
    """

    def then(done: AfterRetreats) -> Node:
        if isinstance(done.then, RetreatsOver):
            return away_from_supply(combat, done.toll)
        return Apart({"": Displacing(done.toll)})

    def cleared(settled: Settled) -> Node:
        if settled.done.advanced is None:
            return advance(combat, settled.done, wished)
        return Apart({"": Ended(settled.done.toll, settled.done.advanced)})

    nodes: dict[type, Callable[[Any], Node]] = {
        **retreat_nodes(combat),
        AfterRetreats: then,
        Displacing: partial(displace, combat),
        Settled: cleared,
        Ended: lambda _: Done(),
    }
    toll = toll_of(combat, after)
    todo = tuple(moving for role in SIDES for moving in retreats_by_checks(combat, after, toll, role))
    return lambda situation: nodes[type(situation)](situation), Retreats("check", todo, toll, RetreatsOver())


def toll_of(combat: Combat, after: BattleOutcome) -> Toll:
    """What the combat has cost by the time when all checks are made."""
    lost = dict(after.lost())
    every = [*combat.engagement.units, *combat.engagement.idle, *combat.engagement.withheld]
    gone = {unit.id: "" for unit in every if lost.get(unit.id, 0) >= unit.left}
    levels = summed(tuple(after.way_levels.items()), {check.force: check.cel_loss for check in after.checks})
    disorder = tuple((check.force, check.disorder) for check in after.checks if check.disorder)
    moved, steps = tuple(sorted({**after.places, **gone}.items())), tuple(sorted(lost.items()))
    hexes, pushed = (
        tuple(sorted(hexes_retreated(one for one in after.retreats if (one.cause == "repulse") == away).items()))
        for away in (False, True)
    )
    return Toll(moved, steps, levels, disorder, hexes, pushed)


def hexes_retreated(retreats: Iterable[Withdrawal]) -> Counter[str]:
    """The hexes that each Force has had to retreat in some retreats."""
    found = Counter[str]()
    for one in retreats:
        found.update(dict.fromkeys((force.force for force in one.forces), one.owed))
    return found


def retreats_by_checks(combat: Combat, after: BattleOutcome, toll: Toll, role: Role) -> Iterator[StackRetreat]:
    """The stacks of a side that retreat by their checks, with those who go along; each part of a stack from the hex where it stands by now
    (4.2.3). Rule: 11.3.2aa
    """
    zones = zones_entered(after, role)
    for place in dict.fromkeys(unit.place for unit in combat.engagement.present(role)):
        apart = False
        for start, together in parts_of(combat, role, place, toll).items():
            due = due_by_checks(combat, after, toll, together, along(combat, role, place) & together.keys())
            if due and start != BUKOWINA_BOX:  # it is safe there (23.4.1)
                yield StackRetreat(
                    role, place, start, tuple(due.items()), zones=zones, apart=next(iter(due)) if apart else ""
                )
                apart = True


def due_by_checks(
    combat: Combat, after: BattleOutcome, toll: Toll, together: Mapping[str, Force], beside: Collection[str]
) -> dict[str, int]:
    """The hexes that each Force of a stack has to retreat by its checks, and those who only go along. together: those of its Forces that
    stand in one hex by now; beside: those of them that take no part in the combat. Rule: 10.1.5f
    """
    owed = {duty.force: duty.by_check for duty in after.obligations if duty.by_check}
    due = {name: owed[name] for name in together if name in owed}
    if beside and not anybody_stays(combat, together.values(), due, toll):
        place = next(unit.place for force in together.values() for unit in force.units)
        gone = [check.retreat for check in after.checks if check.place == place]
        by_result = sum(one.owed for one in after.retreats if (one.place, one.cause) == (place, "crt"))
        hexes = drawn_along(due.values(), gone, by_result)
        due |= dict.fromkeys(sorted(beside), hexes) if hexes else {}
    return due


def anybody_stays(combat: Combat, stack: Iterable[Force], due: Collection[str], toll: Toll) -> bool:
    """Whether a fortress unit holds a hex, or a Force of its stack that takes part in the combat stays there; artillery alone does not
    (10.1.5). due: the Forces that leave it."""
    fighting = {unit.id for unit in combat.engagement.units if unit.arm != "artillery"}
    lost = dict(toll.steps)
    places = {unit.place for force in stack for unit in force.units}
    forts = (unit for unit in combat.engagement.units if unit.arm in FORTRESSES and unit.place in places)
    holding = any(lost.get(unit.id, 0) < unit.left for unit in forts)
    staying = (unit.id for force in stack if force.name not in due for unit in force.units)
    return holding or not fighting.isdisjoint(staying)


def zones_entered(after: BattleOutcome, role: str) -> Amounts:
    """The unoccupied hexes in EZOCs that each Force of a side has entered in its retreats so far."""
    found = [
        (force.force, force.zones)
        for one in after.retreats
        if one.side == role and one.cause == "crt"
        for force in one.forces
    ]
    return tuple((name, zones) for name, zones in found if zones)


def away_from_supply(combat: Combat, toll: Toll) -> Node:
    """What those pay who had to retreat two hexes or more and stand farther from every supply source of their command, bystanders whom a
    Repulse has pushed away among them. Rule: 11.2.3
    """
    pieces = combat.pieces
    assert pieces is not None
    layout, due, farther = pieces.layout(toll.moved, toll.steps), list[StepsDue](), list[ForceRetreat]()
    hexes, pushed = Counter(dict(toll.hexes)), Counter(dict(toll.pushed))
    for role, place, force in everybody(combat, toll):
        name, left = force.name, left_of(force, toll)
        if left is None or hexes[name] + pushed[name] < 2 or name in withheld(combat):
            continue
        ends, owed = (place, layout.where[left.units[0].id]), (hexes[name], pushed[name])
        fortress = layout.has_fortress(ends[1])
        charged = supply_charges(pieces.view, pieces.sources(left), name, ends, owed, fortress=fortress)
        lost = suffered(left, charged)
        farther += [lost] if charged else []
        toll = toll.and_levels({name: lost.levels})
        if lost.eliminated:
            toll = toll.and_steps({unit.id: unit.left for unit in bearers(left)})
            toll = toll.and_moved({unit.id: "" for unit in bearers(left)})
        elif lost.steps:
            due.append(StepsDue(role, name, lost.steps, "supply", "11.2.3", force))
    return Apart({"": Retreats("check", (), toll, SupplyPaid(tuple(farther)), due=tuple(due))})


def everybody(combat: Combat, toll: Toll) -> Iterator[tuple[Role, str, Force]]:
    """The Forces that a combat concerns, each with its hex: the stacks of both sides, and others that a Repulse has pushed away."""
    known = set[str]()
    for role in SIDES:
        for place in dict.fromkeys(unit.place for unit in combat.engagement.present(role)):
            for name, force in stack_of(combat, role, place).items():
                known.add(name)
                yield role, place, force
    for name, _ in toll.pushed:
        if name not in known:
            assert combat.pieces is not None
            piece = combat.pieces.pieces[name]
            there = combat.pieces.forces_at(piece.place, combat.pieces.layout(()))
            yield owner(combat, piece), piece.place, next(force for force in there if force.name == name)


def advance(combat: Combat, now: Displacing, wished: str) -> Node:
    """Who advances into the hex that the defender has left: the attacker's choice. Rule: 11.4, 11.4.1, 11.4.2"""
    toll = now.toll
    able, _ = may_advance(combat, now)
    if not able:
        return Apart({"": Ended(toll)})
    at = combat.engagement.at
    options: dict[str, Situation] = {}
    for units in selections(able, partial(fits, combat, toll), wished):
        names = tuple(unit.id for unit in units)
        advanced = toll.and_moved(dict.fromkeys(names, at))
        options[",".join(names) or "none"] = replace(now, toll=advanced, advanced=names)
    more = " (or others of them, joined by commas)" if len(able) > MOST_OFFERED else ""
    return Choice("advance", "11.4", f"the units that advance into {at}{more}", "attacker", options)


def may_advance(combat: Combat, now: Displacing) -> tuple[Units, Units]:
    """The attackers that may advance into the defender's hex, and the artillery units that only an un-bridged river stops; nobody while
    somebody is left there. By a reading of 10.3 (ruling vacant-hex) nor does who has removed a marker that pointed at an empty hex.
    Rule: 11.4
    """
    if not is_vacated(combat, now.toll) or in_the_way(combat, now.unsettled, dict(now.toll.moved)):
        return (), ()
    able, guns = victorious(combat.engagement, now.toll)
    able = tuple(unit for unit in able if not entry_bar(Entry(combat.engagement.at, (unit.nation,))))
    bound = tuple(unit for unit in able if unit.prepared in ("", combat.engagement.at))
    barred = combat.pieces and combat.pieces.ruling("vacant-hex", len(bound) < len(able)) == "any"
    return (bound if barred else able), guns


def victorious(engagement: Engagement, toll: Toll) -> tuple[Units, Units]:
    """The attackers that may advance into an empty hex: not who has retreated for any reason, nor a Fortress Garrison. Apart from them
    the artillery that an un-bridged Major or Grand River stops, where a bridge that is not stated counts as none. Units withheld never do.
    Rule: 11.4.2
    """
    moved, lost = dict(toll.moved), dict(toll.steps)
    able = [
        unit
        for stack in stacks(engagement.attackers).values()
        for unit in stack
        if unit.id not in moved and lost.get(unit.id, 0) < unit.left and not unit.garrison
    ]
    guns = [unit for unit in able if unit.arm == "artillery" and not engagement.bridged.get(unit.place, True)]
    return tuple(unit for unit in able if unit not in guns), tuple(guns)


def is_vacated(combat: Combat, toll: Toll) -> bool:
    """Whether nobody that fights is left in the defender's hex."""
    pieces, at = combat.pieces, combat.engagement.at
    assert pieces is not None
    there = pieces.layout(toll.moved, toll.steps).at(at)
    return all(piece.arm in SUPPLY_ARMS and piece.id != KG_TRAIN for piece in there)


def fits(combat: Combat, toll: Toll, units: Sequence[CombatUnit]) -> bool:
    """Whether the defender's hex holds these units within the stacking limits."""
    pieces = combat.pieces
    assert pieces is not None
    return not any(pieces.layout(toll.moved, toll.steps).excess(combat.engagement.at, [unit.id for unit in units]))


def selections(
    able: Sequence[CombatUnit], fits: Callable[[Sequence[CombatUnit]], bool], wished: str
) -> Iterator[tuple[CombatUnit, ...]]:
    """The selections of units that may advance together, within the stacking limits: every one of a few units; of many none, each
    alone, as many as fit in order, and those wished for. fits: whether the hex holds some units. Rule: 11.4.1
    """
    if len(able) <= MOST_OFFERED:
        yield from (found for n in range(len(able), -1, -1) for found in combinations(able, n) if fits(found))
        return
    most: tuple[CombatUnit, ...] = ()
    for unit in able:
        most = (*most, unit) if fits((*most, unit)) else most
    names = [unit for unit in able if unit.id in wished.split(",")]
    found = dict.fromkeys([most, *((unit,) for unit in able), (), tuple(names)])
    yield from (units for units in found if fits(units))


def with_aftermath(combat: Combat, after: BattleOutcome, resolved: Resolution) -> BattleOutcome:
    """The outcome with what has followed the checks: retreats, their price, the advance."""
    before = after.lost() - Counter(after.way_losses)
    checked = Counter({check.force: check.cel_loss for check in after.checks})
    making_room, over = last(resolved, Displacing), last(resolved, Ended)
    free = next((one for one, _, _ in resolved.trace if isinstance(one, Settled)), None)  # before anybody advances
    toll = last(resolved, Retreats | AfterRetreats | Displacing | Ended).toll
    paid = last(resolved, Retreats | AfterRetreats).then
    told = gone_through(resolved)
    able, stopped = may_advance(combat, free.done) if free else ((), ())
    vacated = is_vacated(combat, free.done.toll) if free else None if making_room else after.vacated
    return replace(
        after,
        retreats=(*after.retreats, *told["retreats"]),
        repulses=(*after.repulses, *told["repulses"]),
        passed_over=(*after.passed_over, *against_priorities(combat, resolved)),
        way_losses=dict(Counter(dict(toll.steps)) - before),
        way_levels=dict(Counter(dict(toll.levels)) - checked),
        places=dict(toll.moved),
        farther=paid.farther if isinstance(paid, SupplyPaid) else (),
        displaced=making_room.displaced if making_room else (),
        unsettled=making_room.unsettled if making_room else (),
        advanced=(over.advanced or ()) if over else None,
        advance=tuple(unit.id for unit in able) if free else None,
        guns_stay=tuple(unit.id for unit in stopped),
        vacated=vacated,
        attacker_steps=of_side(combat, "attacker", toll),
        defender_steps=of_side(combat, "defender", toll),
    )


def last(resolved: Resolution, kind: Any) -> Any:
    """The last situation of a kind that a resolution has come to, None if it has come to none."""
    return next((one for one, _, _ in reversed(resolved.trace) if isinstance(one, kind)), None)
