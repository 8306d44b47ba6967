"""The moves of a combat in order: who has gone off the map, retreated, made room and advanced (10.2.1, 11.2, 11.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from assistant.questions.view import View

from ..entering.marches import March
from ..forces.units import SIDES, stacks
from ..results.combat import Combat
from ..results.outcome_report import BattleOutcome, Withdrawal
from ..results.retreating.pushing import forces_at
from ..results.retreating.stacks import stack_of
from .record import units_of


def marches(view: View, combat: Combat, after: BattleOutcome) -> Iterator[March]:
    """The moves, in order: who falls by the results, the retreats, who falls by checks and on the way, who makes room, the advance."""
    falls = fallen(view, combat, after)
    order = sorted((moment, name) for name, moment in falls.items())
    for number, one in enumerate(after.retreats):
        yield from (March((name,)) for moment, name in order if number - 1 < moment < number)
        yield from of_retreat(combat, one, {name for name, moment in falls.items() if moment <= number})
        yield from (March((name,)) for moment, name in order if moment == number)
    yield from (March((name,)) for moment, name in order if moment > len(after.retreats) - 1)
    forward = after.advanced or ()  # artillery may have to leave the hex into which it has advanced alone
    yield from (March((one.unit,), one.way) for one in after.displaced if one.unit not in forward)
    advanced = stacks([unit for unit in combat.engagement.attackers if unit.id in forward])
    yield from (March(tuple(unit.id for unit in stack), (combat.engagement.at,)) for stack in advanced.values())
    yield from (March((one.unit,), one.way) for one in after.displaced if one.unit in forward)


def fallen(view: View, combat: Combat, after: BattleOutcome) -> dict[str, float]:
    """The units that a combat eliminates before any has to make room, each with when: the number of the retreat in which it falls, half a one less than that for who
    falls between it and the one before, as by a check, or before the first one."""
    every, lost = units_of(view, combat, after), after.lost()
    by_results, by_checks = Counter(after.absorbed), Counter[str]()
    for side in after.losses:
        by_results.update(side.losses or {})
    for check in after.checks:
        by_checks.update(check.losses or {})
    checks = max((number for number, one in enumerate(after.retreats) if one.cause == "crt"), default=-1) + 0.5
    costly = {
        name: number
        for number, one in enumerate(after.retreats)
        for force in one.forces
        if force.steps or force.guns or force.eliminated
        for name in units_in(combat, one, force.force)
    }
    costly = in_vain(combat, after) | costly
    found, displaced = dict[str, float](), {one.unit for one in after.displaced}
    for name, unit in every.items():
        if name in displaced or (lost[name] < unit.left and after.places.get(name) != ""):
            continue
        if by_results[name] >= unit.left:
            found[name] = -0.5
        elif by_results[name] + by_checks[name] >= unit.left or (by_checks[name] and costly.get(name, -1) < checks):
            found[name] = checks
        else:
            found[name] = costly.get(name, len(after.retreats))
    return found


def in_vain(combat: Combat, after: BattleOutcome) -> dict[str, int]:
    """The units that have tried a Repulse in vain, each with the number of the retreat in which it did (8.5.4)."""
    return {
        name: number
        for tried in after.repulses
        for number, one in reversed([*enumerate(after.retreats)])
        if one.cause != "repulse" and one.place == tried.place and tried.here in (one.start, *one.way)
        if not tried.repulsed
        for name in units_in(combat, one, tried.force)
    }


def of_retreat(combat: Combat, one: Withdrawal, gone: Collection[str]) -> Iterator[March]:
    """The moves of one retreat, a Force each. gone: the units that are eliminated before it, or on the way."""
    for going in one.forces:
        end, way = one.ends.get(going.force, one.start), one.way
        if going.force in one.surrendered or end not in way:
            continue
        units = tuple(name for name in units_in(combat, one, going.force) if name not in gone)
        if units:
            yield March(units, way[: len(way) - way[::-1].index(end)])


def units_in(combat: Combat, one: Withdrawal, force: str) -> list[str]:
    """The units of a Force that retreats, one that a Repulse pushes away included."""
    role = next((role for role in SIDES if role == one.side and one.cause != "repulse"), None)
    if role:
        return [unit.id for unit in stack_of(combat, role, one.place)[force].units]
    assert combat.pieces is not None
    there = forces_at(combat, combat.pieces.pieces[force].place, combat.pieces.layout(()))
    return [unit.id for found in there if found.name == force for unit in found.units]
