"""The moves of a combat that is over, in the order in which they were made (10.9.1, 11.2 to 11.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import NamedTuple

from ..displacement.in_combat import Displaced
from ..entering.arrival import March
from ..forces.units import stacks
from ..results.outcome import Withdrawal
from ..terms import OFF_MAP
from .record import CombatOver


class Fall(NamedTuple):
    """The moment at which a unit is eliminated; an earlier moment is the lesser tuple.

    If two retreats were carried out, `(0, False)` is before both, `(0, True)` during the first, `(1, False)` between
    them, and `(2, False)` and `(2, True)` are after both.
    """

    retreat: int
    """The index of the retreat, or the number of all retreats if the unit falls after them."""
    is_during: bool
    """Whether the unit falls during that retreat, rather than just before it."""


def list_marches(over: CombatOver) -> Iterator[March]:
    """Yield the moves in order: retreats with the eliminations between them, displaced units, the advance."""
    after = over.after
    moments = _find_moments_of_fall(over)
    falls = sorted((moment, name) for name, moment in moments.items())
    for number, withdrawal in enumerate(after.retreats):
        yield from (March((name,)) for moment, name in falls if moment == Fall(number, is_during=False))
        gone = {name for name, moment in moments.items() if moment.retreat <= number}
        yield from _record_retreat(over, withdrawal, gone)
        yield from (March((name,)) for moment, name in falls if moment == Fall(number, is_during=True))
    yield from (March((name,)) for moment, name in falls if moment.retreat == len(after.retreats))
    advanced = after.advanced or ()
    yield from (_record_displacement(displaced) for displaced in after.displaced if displaced.unit not in advanced)
    advancing = stacks([unit for unit in over.engagement.attackers if unit.id in advanced])
    for stack in advancing.values():
        yield March(tuple(unit.id for unit in stack), (over.engagement.at,))
    # artillery may have to leave the hex into which it has advanced alone
    yield from (_record_displacement(displaced) for displaced in after.displaced if displaced.unit in advanced)


def _find_moments_of_fall(over: CombatOver) -> dict[str, Fall]:
    after = over.after
    steps_lost = after.lost()
    by_results = Counter(after.absorbed)
    by_checks = Counter[str]()
    for side in after.losses:
        by_results.update(side.losses or {})
    for check in after.checks:
        by_checks.update(check.losses or {})
    checks_before = 0  # index of the first retreat after the checks; retreats by the result precede them
    last_costs = _find_repulses_in_vain(over)  # for each unit, the last retreat that cost it steps
    for number, withdrawal in enumerate(after.retreats):
        if withdrawal.cause == "crt":
            checks_before = number + 1
        for force in withdrawal.forces:
            if force.steps or force.guns or force.eliminated:
                last_costs |= dict.fromkeys(over.units_of_force(withdrawal, force.force), number)
    moments = dict[str, Fall]()
    for name, unit in over.units.items():
        is_off_map = after.places.get(name) == ""
        if name in over.displaced or (steps_lost[name] < unit.left and not is_off_map):
            continue
        is_by_checks = by_results[name] + by_checks[name] >= unit.left
        # or else no retreat after the check cost the unit a step, so the check cost the last one
        is_by_checks |= by_checks[name] > 0 and last_costs.get(name, -1) < checks_before
        if by_results[name] >= unit.left:
            moments[name] = Fall(0, is_during=False)
        elif is_by_checks:
            moments[name] = Fall(checks_before, is_during=False)
        else:
            moments[name] = Fall(last_costs.get(name, len(after.retreats)), is_during=True)
    return moments


def _find_repulses_in_vain(over: CombatOver) -> dict[str, int]:
    """Return the units whose Repulse failed, each with the index of the retreat in which they tried it (8.5.4)."""
    in_vain = {}
    for tried in over.after.repulses:
        if tried.repulsed:
            continue
        for number, withdrawal in reversed([*enumerate(over.after.retreats)]):
            goes_there = withdrawal.place == tried.place and tried.here in (withdrawal.start, *withdrawal.way)
            if withdrawal.cause != "repulse" and goes_there:
                in_vain.update(dict.fromkeys(over.units_of_force(withdrawal, tried.force), number))
    return in_vain


def _record_retreat(over: CombatOver, withdrawal: Withdrawal, gone: Collection[str]) -> Iterator[March]:
    way = withdrawal.way
    slowest = min(withdrawal.forces, key=lambda force: _count_hexes(withdrawal, force.force), default=None)
    for force in withdrawal.forces:
        hexes = _count_hexes(withdrawal, force.force)
        if force.force in withdrawal.surrendered or not hexes:
            continue
        units = tuple(name for name in over.units_of_force(withdrawal, force.force) if name not in gone)
        units += withdrawal.trains if force is slowest else ()
        if units and force.force in withdrawal.departed:
            yield March(units, way[: hexes - 1], departs=True)
        elif units:
            yield March(units, way[:hexes])


def _count_hexes(withdrawal: Withdrawal, force: str) -> int:
    end = withdrawal.ends.get(force, withdrawal.start)
    # the last visit to the Force's end counts, as a way may lead back
    return len(withdrawal.way) - withdrawal.way[::-1].index(end) if end in withdrawal.way else 0


def _record_displacement(displaced: Displaced) -> March:
    departs = displaced.hex == OFF_MAP
    return March((displaced.unit,), displaced.way[:-1] if departs else displaced.way, departs)
