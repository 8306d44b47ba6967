"""What a combat changes: moves in order, losses, markers, what the rest of its attack phase must know, and Victory
Points (10.1 to 11.4, 27.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from msgspec.structs import replace

from assistant.asking.view import View, changed
from assistant.mechanics.procedure import Modifier
from assistant.state.changes import Change

from ..combat.before_dice import Combat
from ..combat.garrisons import release_garrison
from ..combat.odds import PREPARED
from ..combat.pieces import keep_attached, unit_of
from ..displacement.in_combat import Displaced, every_unit
from ..displacement.rules import DISPLACING
from ..entering.arrival import March
from ..forces.departures import depart
from ..forces.losses import step_losses
from ..forces.markers import take_off_when_attacked
from ..forces.units import SIDES, CombatUnit, Role, stacks
from ..ground.works import clear_points
from ..leaders.command import leader_named
from ..leaders.facts import count_uses_of
from ..results.outcome import BattleOutcome, Withdrawal
from ..results.retreats import stack_of
from ..scoring.points import ATTACKS, Award, last_prepared, score_prepared_attack
from ..terms import OFF_MAP


def marches(view: View, combat: Combat, after: BattleOutcome) -> Iterator[March]:
    """Yield the moves, in order: who falls by the results, the retreats, who falls by checks and on the way, who makes
    room, the advance.
    """
    falls = _find_moments_of_fall(view, combat, after)
    order = sorted((moment, name) for name, moment in falls.items())
    for number, withdrawal in enumerate(after.retreats):
        for moment, name in order:
            if number - 1 < moment < number:
                yield March((name,))
        yield from _record_retreat(combat, withdrawal, {name for name, moment in falls.items() if moment <= number})
        for moment, name in order:
            if moment == number:
                yield March((name,))
    for moment, name in order:
        if moment > len(after.retreats) - 1:
            yield March((name,))
    forward = after.advanced or ()  # artillery may have to leave the hex into which it has advanced alone
    for displaced in after.displaced:
        if displaced.unit not in forward:
            yield _record_displacement(displaced)
    advanced = stacks([unit for unit in combat.engagement.attackers if unit.id in forward])
    for stack in advanced.values():
        yield March(tuple(unit.id for unit in stack), (combat.engagement.at,))
    for displaced in after.displaced:
        if displaced.unit in forward:
            yield _record_displacement(displaced)


def _record_displacement(displaced: Displaced) -> March:
    """Return the move of a unit that makes room, off the map for good too."""
    departs = displaced.hex == OFF_MAP
    return March((displaced.unit,), displaced.way[:-1] if departs else displaced.way, departs)


def _find_moments_of_fall(view: View, combat: Combat, after: BattleOutcome) -> dict[str, float]:
    """Return the units that a combat eliminates before any has to make room, each with when it falls: the number of the
    retreat that eliminates it, or that number less a half if it falls before that retreat, by a check for example.
    """
    every = _units_of(view, combat, after)
    lost = after.lost()
    by_results = Counter(after.absorbed)
    by_checks = Counter[str]()
    for side in after.losses:
        by_results.update(side.losses or {})
    for check in after.checks:
        by_checks.update(check.losses or {})
    checks = -0.5
    costly = _find_repulses_in_vain(combat, after)
    for number, withdrawal in enumerate(after.retreats):
        if withdrawal.cause == "crt":
            checks = number + 0.5
        for force in withdrawal.forces:
            if force.steps or force.guns or force.eliminated:
                costly |= dict.fromkeys(_list_units(combat, withdrawal, force.force), number)
    moments = dict[str, float]()
    away = {displaced.unit for displaced in after.displaced}
    for name, unit in every.items():
        if name in away or (lost[name] < unit.left and after.places.get(name) != ""):
            continue
        if by_results[name] >= unit.left:
            moments[name] = -0.5
        elif by_results[name] + by_checks[name] >= unit.left or (by_checks[name] and costly.get(name, -1) < checks):
            moments[name] = checks
        else:
            moments[name] = costly.get(name, len(after.retreats))
    return moments


def _find_repulses_in_vain(combat: Combat, after: BattleOutcome) -> dict[str, int]:
    """Return the units that have tried a Repulse in vain, each with the number of the retreat in which it did
    (8.5.4).
    """
    in_vain = {}
    for tried in after.repulses:
        if tried.repulsed:
            continue
        for number, withdrawal in reversed([*enumerate(after.retreats)]):
            goes_there = withdrawal.place == tried.place and tried.here in (withdrawal.start, *withdrawal.way)
            if withdrawal.cause != "repulse" and goes_there:
                in_vain.update(dict.fromkeys(_list_units(combat, withdrawal, tried.force), number))
    return in_vain


def _record_retreat(combat: Combat, withdrawal: Withdrawal, gone: Collection[str]) -> Iterator[March]:
    """Yield the moves of one retreat, a Force each. gone: the units that are eliminated before it, or on the way."""
    for going in withdrawal.forces:
        end = withdrawal.ends.get(going.force, withdrawal.start)
        way = withdrawal.way
        if going.force in withdrawal.surrendered or end not in way:
            continue
        units = tuple(name for name in _list_units(combat, withdrawal, going.force) if name not in gone)
        entered = way[: len(way) - way[::-1].index(end)]
        if units and going.force in withdrawal.departed:
            yield March(units, entered[:-1], departs=True)
        elif units:
            yield March(units, entered)


def _list_units(combat: Combat, withdrawal: Withdrawal, force: str) -> list[str]:
    """Return the units of a Force that retreats, one that a Repulse pushes away included."""
    role = next((role for role in SIDES if role == withdrawal.side and withdrawal.cause != "repulse"), None)
    if role:
        return [unit.id for unit in stack_of(combat, role, withdrawal.place)[force].units]
    there = combat.standing.forces_at(combat.standing.pieces[force].place, combat.standing.layout(()))
    return [unit.id for member in there if member.name == force for unit in member.units]


def score_attack(view: View, combat: Combat, shifts: Sequence[Modifier]) -> tuple[Award, ...]:
    """Return what the attacker earns for a Prepared Attack: an award of no points where an exception of the scenario
    denies them. shifts: the combat's column shifts.
    """
    engagement = combat.engagement
    prepared = sum(shift.amount for shift in shifts if shift.rule == PREPARED)
    phase = engagement.attack_phase.phase
    turn = engagement.turn
    if not score_prepared_attack(prepared, combat.magnitude, phase, turn, None):
        return ()
    points = score_prepared_attack(prepared, combat.magnitude, phase, turn, last_prepared(view, combat.magnitude))
    return (Award(ATTACKS, view.side_of(engagement.attackers[0].id), points, engagement.at),)


def add_points(view: View, combat: Combat, after: BattleOutcome, awards: Sequence[Award]) -> BattleOutcome:
    """Return the outcome once the combat is over, with the Victory Points that it brings each side (27.2)."""
    attacking = view.side_of(combat.engagement.attackers[0].id)
    own = sum(award.points for award in awards if award.side == attacking)
    theirs = sum(award.points for award in awards) - own
    phase = combat.engagement.attack_phase.phase
    supposed = "attack" if not phase and any(award.account == ATTACKS and award.points for award in awards) else ""
    return replace(after, attacker_points=own, defender_points=theirs, supposed_phase=supposed)


def phase_marks(view: View, combat: Combat, after: BattleOutcome) -> tuple[Change, ...]:
    """Return what the rest of the attack phase must know: that the hex has been attacked, who has fought; the markers
    of tasks that an attack ends come off. Rule: 10.1b, 8.9.3b
    """
    engagement = combat.engagement
    lost = after.lost()
    todo = [changed(view, "attacked", engagement.at, True, "10.1")]
    fighting = [unit for unit in engagement.units if lost[unit.id] < unit.left and after.places.get(unit.id) != OFF_MAP]
    todo += [changed(view, "fought", unit.id, True, "10.1") for unit in fighting]
    todo += take_off_when_attacked(view, [unit.id for unit in fighting if unit in engagement.defenders])
    todo += clear_points(view, engagement.at, "8.9.3")
    return tuple(todo)


def _units_of(view: View, combat: Combat, after: BattleOutcome) -> dict[str, CombatUnit]:
    """Return the units of a combat, and those that a Repulse in a retreat has pushed away."""
    engagement = combat.engagement
    known = {unit.id: unit for unit in (*engagement.units, *engagement.idle, *engagement.withheld)}
    away = known.keys() | {displaced.unit for displaced in after.displaced}
    others = {name for name in (*after.places, *after.way_losses, *after.way_levels) if name not in away}
    return known | {name: unit_of(view, name) for name in sorted(others)}


def list_moves(view: View, combat: Combat, after: BattleOutcome) -> tuple[Change, ...]:
    """Return where units stand that have retreated or advanced, with what is remembered of them: that they have
    retreated in this phase, the formation that an Asset Unit stays attached to, and that out of its complex one is a
    Fortress Garrison no more; those that have retreated off the map have departed (1.2.2, 11.2.1, 11.4, 12.4.1).
    """
    lost = after.lost()
    every = _units_of(view, combat, after)
    todo: list[Change] = []
    away = {displaced.unit for displaced in after.displaced}
    for stacked in view.units():  # in this order a stack arrives as it lay (4.2.5)
        name = stacked.id
        if name in away or name not in every or name not in after.places:
            continue
        unit = every[name]
        place = after.places[name]
        if lost[name] >= unit.left or place == unit.place:
            continue
        if place == OFF_MAP:
            todo += depart(view, [name])
            continue
        advances = name in (after.advanced or ())
        todo.append(changed(view, "place", name, place, "11.4" if advances else "11.2.1"))
        if not advances:
            todo.append(changed(view, "retreated", name, True, "10.1"))
            todo += _attachment_changes(view, combat, after, unit)
        todo += _settle_way(view, name, unit.place, place)
    return tuple(todo)


def displacements(view: View, combat: Combat, after: BattleOutcome) -> tuple[Change, ...]:
    """Return where units have gone that had to make room for the enemy, and what they bear then (9.5.1, 9.8.1, 9.9),
    and that those have departed that left the map (1.2.2).
    """
    lost = after.lost()
    fallen = {unit.id: unit for unit in every_unit(combat)}
    todo: list[Change] = []
    for displaced in {move.unit: move for move in after.displaced}.values():
        unit = fallen.get(displaced.unit)
        place = str(view.unit(displaced.unit).place)
        if unit and lost[displaced.unit] >= unit.left:
            continue
        if displaced.hex == OFF_MAP:
            todo += depart(view, [displaced.unit])
            continue
        todo.append(changed(view, "place", displaced.unit, displaced.hex or None, displaced.rule))
        if not displaced.hex:
            continue
        marker, *_ = DISPLACING[view.word("arm", displaced.unit)]
        if marker and not view.state.value(marker, displaced.unit):
            todo.append(changed(view, marker, displaced.unit, True, displaced.rule))
        if unit and next(first for first in after.displaced if first.unit == displaced.unit).place != place:
            todo.append(changed(view, "retreated", displaced.unit, True, "10.1"))
        todo += _settle_way(view, displaced.unit, place, displaced.hex)
    return tuple(todo)


def _settle_way(view: View, unit: str, here: str, there: str) -> list[Change]:
    """Return what a unit is rid of that has gone from one hex to another: its duty as a Fortress Garrison, out of its
    complex, and the hexes that it owed (11.2.1, 12.4.1).
    """
    owes = isinstance(view.state.value("owes", unit), int)
    paid = [changed(view, "owes", unit, None, "11.2.1")] if owes else []
    return release_garrison(view, unit, here, there) + paid


def _attachment_changes(view: View, combat: Combat, after: BattleOutcome, unit: CombatUnit) -> list[Change]:
    """Return the formation of an Asset Unit that ends a retreat with it beside others (11.2.1a)."""
    engagement = combat.engagement
    place = after.places[unit.id]
    pieces = combat.standing
    role: Role = "defender" if unit in engagement.in_the_hex else "attacker"
    force = next((force for force in stack_of(combat, role, unit.place).values() if unit in force.units), None)
    if force is None or after.places.get(force.name) != place:
        return []
    there = pieces.layout(tuple(sorted(after.places.items()))).at(place)
    return keep_attached(view, force, unit, [piece.id for piece in there])


def losses_and_levels(view: View, combat: Combat, after: BattleOutcome) -> tuple[Change, ...]:
    """Return what the outcome changes of the units themselves: steps, sides, eliminations, effectiveness and Disorder.
    Rule: 11.1, 3.4.1b, 7.1, 7.4
    """
    lost = after.lost()
    units = _units_of(view, combat, after)
    todo: list[Change] = []
    for unit in units.values():
        stays = after.places.get(unit.id) != OFF_MAP
        if lost[unit.id] and stays:
            todo += step_losses(view, unit, lost[unit.id])
    checks = {check.force: check for check in after.checks}
    for formation in units.values():
        if not formation.formation or lost[formation.id] >= formation.left:
            continue
        if after.places.get(formation.id) == OFF_MAP:
            continue
        check = checks.get(formation.id)
        levels = after.way_levels.get(formation.id, 0) + (check.cel_loss if check else 0)
        if levels:
            rule = "11.3.2" if check and check.cel_loss else "11.2"
            todo.append(changed(view, "cel", formation.id, -formation.levels - levels, rule))
        if check and check.disorder > formation.disorder:
            todo.append(changed(view, "disorder", formation.id, check.disorder, "11.3.2"))
    return tuple(todo)


def take_markers_off(view: View, combat: Combat, after: BattleOutcome, gone: Collection[str]) -> Iterator[Change]:
    """Yield the markers that come off, each once: of units that a Repulse makes retreat, wherever it points; of
    attackers, those that pointed at an empty hex, and those that this attack has spent. gone: the units that are off
    the map. Rule: 8.4.3, 10.3b
    """
    engagement = combat.engagement
    pushed = _find_units_pushed_away(combat, after)
    rules = {name: "8.4.3" for name in pushed if view.word("prepared", name)}
    bearers = [unit for unit in engagement.attackers if unit.prepared and unit.id not in (*rules, *gone)]
    spent = [unit.id for unit in bearers if unit.prepared == engagement.at]
    rules |= {unit.id: "10.3" for unit in bearers if unit.id not in spent}
    if view.ruling("prepared-spent", bool(spent)) == "off":
        rules |= dict.fromkeys(spent, "8.4")
    for name, rule in rules.items():
        if name not in gone:
            yield changed(view, "prepared", name, None, rule)


def count_leaders(view: View, combat: Combat, after: BattleOutcome) -> Iterator[Change]:
    """Yield the changes by which the leaders who apply in a combat, or in a Repulse during its retreats, have been used
    once more (25.2 to 25.7).
    """
    effective = [leader for leader, _ in combat.engagement.telling()]
    effective += [leader_named(name) for tried in after.repulses for name in tried.leaders]
    return count_uses_of(view, effective)


def _find_units_pushed_away(combat: Combat, after: BattleOutcome) -> list[str]:
    """Return the units that a Repulse makes retreat."""
    legs = [leg for leg in after.retreats if leg.cause == "repulse"]
    units = []
    for leg in legs:
        for force in leg.forces:
            units += _list_units(combat, leg, force.force)
    return units
