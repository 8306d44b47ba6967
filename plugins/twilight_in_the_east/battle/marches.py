"""The moves of a combat in order: who has gone off the map, retreated, made room and advanced (10.2.1, 11.2, 11.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from assistant.questions.view import View

from ..entering.marches import March
from ..forces.units import SIDES
from ..results.combat import Combat
from ..results.outcome_report import BattleOutcome, Withdrawal
from ..results.retreating.pushing import forces_at
from ..results.retreating.stacks import stack_of
from .record import units_of


def marches(view: View, combat: Combat, after: BattleOutcome) -> Iterator[March]:
    """The moves, in order: who falls by the results, the retreats, who falls by checks and on the way, who makes room, the advance."""
    every, lost, by_results = units_of(view, combat, after), after.lost(), Counter(after.absorbed)
    for side in after.losses:
        by_results.update(side.losses or {})
    by_checks = by_results + Counter[str]()
    for check in after.checks:
        by_checks.update(check.losses or {})
    gone = {name for name, unit in every.items() if lost[name] >= unit.left or after.places.get(name) == ""}
    at_once, later = ({name for name in gone if by[name] >= every[name].left} for by in (by_results, by_checks))
    displaced = {one.unit for one in after.displaced}
    yield from (March((name,)) for name in sorted(at_once))
    for one in after.retreats:
        staying = at_once | (gone - later if one.cause == "crt" else gone)
        yield from of_retreat(combat, one, staying)
    yield from (March((name,)) for name in sorted(gone - at_once - displaced))
    yield from (March((one.unit,), one.way) for one in after.displaced)
    if after.advanced:
        yield March(after.advanced, (combat.engagement.at,))


def of_retreat(combat: Combat, one: Withdrawal, staying: Collection[str]) -> Iterator[March]:
    """The moves of one retreat, a Force each. staying: the units that are gone before it, or on the way."""
    for going in one.forces:
        end, way = one.ends.get(going.force, one.start), one.way
        if going.force in one.surrendered or end not in way:
            continue
        units = tuple(name for name in units_in(combat, one, going.force) if name not in {*staying, *going.guns})
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
