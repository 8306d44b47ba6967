"""What follows the checks of a combat: the retreats that they cause, the distance from supply, and the advance (11.2, 11.3.2, 11.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import Any

import msgspec
from msgspec.structs import replace

from assistant.mechanics.procedure import Apart, Choice, Done, Node, Procedure, Resolution, Situation
from assistant.questions import step

from ..forces.armies import corps_and_army
from ..forces.units import SIDES, CombatUnit, Force
from ..retreat import cost
from ..terms import FORTRESSES, SUPPLY_ARMS
from .combat import Combat
from .displacing import Displacing, Settled, displace, in_the_way
from .marching import AfterMarches, Bill, Ended, Leg, Marched, Marches, Trying, arrived, march, stack_of, withheld
from .outcome import BattleOutcome, against_priorities, repulse_tried, withdrawal
from .pushing import Tried, has_been_tried, try_repulse
from .tolls import Amounts, Toll, left_of, summed

MOST = 6
"""Units of which every selection may be offered to advance."""


class Homeward(msgspec.Struct, frozen=True):
    """All retreats are over; who stands farther from supply than before is still to pay."""


class Pursuit(msgspec.Struct, frozen=True):
    """All is paid; the attacker may advance. farther: what Forces paid for ending farther from supply (11.2.3)."""

    farther: tuple[cost.ForceRetreat, ...]


def aftermath(combat: Combat, after: BattleOutcome, wished: str = "") -> tuple[Procedure, Situation]:
    """The procedure from the checks to the end of a combat, and its start. wished: the units that the attacker wants to advance.
    Rule: 10.2.1b
    """
    owed = hexes_in_all(after)

    def then(done: AfterMarches) -> Node:
        if isinstance(done.then, Homeward):
            return home(combat, done.toll, owed)
        return Apart({"": Displacing(done.toll)})

    def cleared(settled: Settled) -> Node:
        if settled.done.advanced is None:
            return pursue(combat, settled.done, wished)
        return Apart({"": Ended(settled.done.toll, settled.done.advanced)})

    nodes: dict[type, Callable[[Any], Node]] = {
        Marches: partial(march, combat),
        Marched: arrived,
        Trying: partial(try_repulse, combat),
        Tried: has_been_tried,
        AfterMarches: then,
        Displacing: partial(displace, combat),
        Settled: cleared,
        Ended: lambda _: Done(),
    }
    toll = toll_of(combat, after)
    legs = tuple(leg for role in SIDES for leg in legs_of(combat, after, toll, role))
    return lambda situation: nodes[type(situation)](situation), Marches("check", legs, toll, Homeward())


def toll_of(combat: Combat, after: BattleOutcome) -> Toll:
    """What the combat has cost by the time when all checks are made."""
    lost = dict(after.lost())
    every = [*combat.engagement.units, *combat.engagement.idle, *combat.engagement.withheld]
    gone = {unit.id: "" for unit in every if lost.get(unit.id, 0) >= unit.left}
    levels = summed(tuple(after.way_levels.items()), {check.force: check.cel_loss for check in after.checks})
    disorder = tuple((check.force, check.disorder) for check in after.checks if check.disorder)
    return Toll(tuple(sorted({**after.places, **gone}.items())), tuple(sorted(lost.items())), levels, disorder)


def legs_of(combat: Combat, after: BattleOutcome, toll: Toll, role: Any) -> Iterator[Leg]:
    """The stacks of a side that retreat by their checks, withheld defenders drawn along. Rule: 11.3.2aa, 10.1.5f"""
    owed = {duty.force: duty.by_check for duty in after.obligations if duty.by_check}
    moved, zones = dict(toll.moved), zones_entered(after, role)
    for place in dict.fromkeys(unit.place for unit in combat.engagement.present(role)):
        stack = {name: left_of(force, toll) for name, force in stack_of(combat, role, place).items()}
        alive = {name: force for name, force in stack.items() if force}
        due = {name: owed[name] for name in alive if name in owed}
        due |= drawn_along(combat, after, alive, due, place) if role == "defender" else {}
        if due:
            start = moved.get(alive[next(iter(due))].units[0].id, place)
            yield Leg(role, place, start, tuple(due.items()), zones=zones)


def zones_entered(after: BattleOutcome, role: str) -> Amounts:
    """The unoccupied hexes in EZOCs that each Force of a side has entered in its retreats so far."""
    found = [
        (force.force, force.zones)
        for one in after.retreats
        if one.side == role and one.cause == "crt"
        for force in one.forces
    ]
    return tuple((name, zones) for name, zones in found if zones)


def drawn_along(
    combat: Combat, after: BattleOutcome, alive: Mapping[str, Force], due: Mapping[str, int], place: str
) -> dict[str, int]:
    """What withheld defenders owe once all others leave their hex by their checks: the smallest retreat of these, of those that are
    wiped out only where nobody else is left; they make no check. Rule: 10.1.5f
    """
    out = withheld(combat) & alive.keys()
    fighting = [name for name in alive if name not in out]
    holds = any(unit.arm in FORTRESSES and after.lost()[unit.id] < unit.left for unit in combat.engagement.defenders)
    if not out or holds or any(name not in due for name in fighting):
        return {}
    gone = [check.retreat for check in after.checks if check.side == "defender" and check.retreat]
    least = min(due.values(), default=0) or min(gone, default=0)
    return dict.fromkeys(sorted(out), least) if least else {}


def hexes_in_all(after: BattleOutcome) -> dict[str, int]:
    """The hexes that each Force has had to retreat in this combat, for any reason."""
    found = Counter[str]()
    for one in after.retreats:
        found.update(dict.fromkeys((force.force for force in one.forces), one.owed))
    found.update({duty.force: duty.by_check for duty in after.obligations})
    return dict(found)


def home(combat: Combat, toll: Toll, owed: Mapping[str, int]) -> Node:
    """What those pay who had to retreat two hexes or more and stand farther from every supply source of their command.
    Rule: 11.2.3
    """
    pieces = combat.pieces
    assert pieces is not None
    layout, bills, farther = pieces.layout(toll.moved), list[Bill](), list[cost.ForceRetreat]()
    for role in SIDES:
        for place in dict.fromkeys(unit.place for unit in combat.engagement.present(role)):
            for name, force in stack_of(combat, role, place).items():
                left = left_of(force, toll)
                if left is None or owed.get(name, 0) < 2 or name in withheld(combat):
                    continue
                sources = pieces.sources(left, *corps_and_army(pieces.view, name))
                if not sources:
                    text = "no supply source of {unit}'s command is known: whether it ends farther from all is left to the players"
                    pieces.view.presume(step("11.2.3", text, unit=name))
                ends = place, layout.where[left.units[0].id]
                before, then = ([pieces.view.board.distance(one, end) for one in sources] for end in ends)
                fortress = layout.has_fortress(ends[1])
                doubt = not fortress and cost.is_farther(before, then, "nearest") != cost.is_farther(before, then)
                reading = pieces.view.ruling("away-from-supply", doubt)
                charged = cost.farther_from_supply(before, then, owed[name], fortress, reading)
                lost = cost.suffered(left, charged)
                farther += [lost] if charged else []
                toll = toll.and_levels({name: lost.levels})
                if lost.eliminated:
                    toll = toll.and_steps({unit.id: unit.left for unit in cost.bearers(left)})
                    toll = toll.and_moved({unit.id: "" for unit in cost.bearers(left)})
                elif lost.steps:
                    bills.append(Bill(role, name, lost.steps, "supply", "11.2.3"))
    return Apart({"": Marches("check", (), toll, Pursuit(tuple(farther)), bills=tuple(bills))})


def pursue(combat: Combat, now: Displacing, wished: str) -> Node:
    """Who advances into the hex that the defender has left: the attacker's choice. Rule: 11.4, 11.4.1, 11.4.2"""
    toll = now.toll
    able = () if in_the_way(combat, now.unsettled, dict(toll.moved)) else may_advance(combat, toll)
    if not able:
        return Apart({"": Ended(toll)})
    at = combat.engagement.at
    options: dict[str, Situation] = {}
    for units in selections(able, partial(fits, combat, toll), wished):
        names = tuple(unit.id for unit in units)
        advanced = toll.and_moved(dict.fromkeys(names, at))
        options[",".join(names) or "none"] = replace(now, toll=advanced, advanced=names)
    return Choice("advance", "11.4", f"the units that advance into {at}", "attacker", options)


def may_advance(combat: Combat, toll: Toll) -> tuple[CombatUnit, ...]:
    """The attackers that may advance once the defender's hex is empty: not who has retreated, nor a Fortress Garrison, nor artillery
    over an un-bridged Major or Grand River. Units withheld never do. Rule: 11.4, 11.4.2
    """
    engagement, moved = combat.engagement, dict(toll.moved)
    if not is_vacated(combat, toll):
        return ()
    alive = (unit for place in by_place(engagement.attackers) for unit in place)
    lost = dict(toll.steps)
    return tuple(
        unit
        for unit in alive
        if unit.id not in moved
        and lost.get(unit.id, 0) < unit.left
        and not unit.garrison
        and (unit.arm != "artillery" or engagement.bridged.get(unit.place, True))
    )


def by_place(units: Iterable[CombatUnit]) -> list[list[CombatUnit]]:
    """Units by their hexes, in order."""
    found: dict[str, list[CombatUnit]] = {}
    for unit in units:
        found.setdefault(unit.place, []).append(unit)
    return list(found.values())


def is_vacated(combat: Combat, toll: Toll) -> bool:
    """Whether nobody that fights is left in the defender's hex."""
    pieces, at = combat.pieces, combat.engagement.at
    assert pieces is not None
    return not any(piece.arm not in SUPPLY_ARMS for piece in pieces.layout(toll.moved).at(at))


def fits(combat: Combat, toll: Toll, units: Sequence[CombatUnit]) -> bool:
    """Whether the defender's hex holds these units within the stacking limits."""
    pieces = combat.pieces
    assert pieces is not None
    return not any(pieces.layout(toll.moved).excess(combat.engagement.at, [unit.id for unit in units]))


def selections(
    able: Sequence[CombatUnit], fits: Callable[[Sequence[CombatUnit]], bool], wished: str
) -> Iterator[tuple[CombatUnit, ...]]:
    """The selections of units that may advance together, within the stacking limits: every one of a few units; of many none, each
    alone, as many as fit in order, and those wished for. fits: whether the hex holds some units. Rule: 11.4.1
    """
    if len(able) <= MOST:
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
    found: dict[str, Any] = {}
    retreats, repulses = list(after.retreats), list(after.repulses)
    for situation, _, _ in resolved.trace:
        match situation:
            case Tried():
                repulses.append(repulse_tried(situation))
            case Marched():
                retreats.append(withdrawal(situation))
            case Displacing(toll, displaced, unsettled):
                found |= {"toll": toll, "displaced": displaced, "unsettled": unsettled}
                found.setdefault("vacated", None)
            case Settled(Displacing(toll, advanced=None)):
                found["vacated"] = is_vacated(combat, toll)
            case Marches(toll=toll, then=then) | AfterMarches(toll=toll, then=then):
                found = {"toll": toll, "farther": then.farther if isinstance(then, Pursuit) else ()}
            case Ended(toll, advanced):
                found |= {"toll": toll, "advanced": advanced or ()}
    toll, units = found["toll"], combat.engagement
    lost = Counter(dict(toll.steps))
    more = {
        f"{role}_steps": sum(
            lost[unit.id] for unit in (*units.present(role), *(units.withheld if role == "defender" else ()))
        )
        for role in SIDES
    }
    return replace(
        after,
        retreats=tuple(retreats),
        repulses=tuple(repulses),
        passed_over=(*after.passed_over, *against_priorities(combat, resolved)),
        way_losses=dict(lost - before),
        way_levels=dict(Counter(dict(toll.levels)) - checked),
        places=dict(toll.moved),
        farther=found.get("farther", ()),
        displaced=found.get("displaced", ()),
        unsettled=found.get("unsettled", ()),
        advanced=found.get("advanced"),
        vacated=found.get("vacated", after.vacated),
        **more,
    )
