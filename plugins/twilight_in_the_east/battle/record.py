"""The changes of a combat: moves in order, losses, markers, and Victory Points (10.1 to 11.4, 27.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from assistant.asking.view import View, changed
from assistant.mechanics.procedure import Modifier
from assistant.state.changes import Change

from ..combat.before_dice import Combat
from ..combat.engagement import PREPARED_RULE, Engagement
from ..combat.garrisons import release_garrison
from ..combat.pieces import keep_attached, unit_of
from ..displacement.in_combat import Displaced
from ..entering.arrival import March
from ..forces.departures import depart
from ..forces.falling import find_falling
from ..forces.losses import step_losses
from ..forces.markers import take_off_when_attacked
from ..forces.units import SIDES, CombatUnit, Role, stacks
from ..ground.works import clear_points
from ..leaders.command import leader_named
from ..leaders.facts import count_uses_of
from ..results.outcome import BattleOutcome, Withdrawal
from ..results.retreats import UnitsInHex
from ..scoring.points import ATTACKS, Award, last_prepared, score_prepared_attack
from ..terms import DISPLACING, OFF_MAP


class CombatOver(msgspec.Struct, frozen=True, dict=True):
    """A finished combat, for the changes that it makes to the position."""

    view: View
    combat: Combat
    after: BattleOutcome

    @property
    def engagement(self) -> Engagement:
        return self.combat.engagement

    @cached_property
    def units(self) -> dict[str, CombatUnit]:
        """The units of the combat and the units pushed away by a Repulse, by id, without other displaced units."""
        known = {unit.id: unit for unit in self.engagement.everybody}
        others = {*self.after.places, *self.after.way_losses, *self.after.way_levels} - known.keys() - self.displaced
        return known | {name: unit_of(self.view, name) for name in sorted(others)}

    @property
    def displaced(self) -> frozenset[str]:
        return frozenset(displaced.unit for displaced in self.after.displaced)

    def units_of_force(self, withdrawal: Withdrawal, force: str) -> list[str]:
        role = next((role for role in SIDES if role == withdrawal.side), None)
        if role and withdrawal.cause != "repulse":
            return [unit.id for unit in UnitsInHex(self.combat, role, withdrawal.place).forces[force].units]
        pieces = self.combat.standing  # a Force pushed away by a Repulse need not be in the combat
        there = pieces.layout(()).forces_at(pieces.by_id[force].place)
        return [unit.id for member in there if member.name == force for unit in member.units]

    def score_attack(self, shifts: Sequence[Modifier]) -> tuple[Award, ...]:
        """Return the attacker's award for a Prepared Attack, or () if it earns none.

        The award has 0 points if an exception of the scenario denies them.

        `shifts`: the column shifts of the combat.
        """
        engagement = self.engagement
        prepared = sum(shift.amount for shift in shifts if shift.rule == PREPARED_RULE)
        phase = engagement.attack_phase.phase
        turn = engagement.turn
        if not score_prepared_attack(prepared, self.combat.magnitude, phase, turn, None):
            return ()
        last = last_prepared(self.view, self.combat.magnitude)
        points = score_prepared_attack(prepared, self.combat.magnitude, phase, turn, last)
        return (Award(ATTACKS, self.view.side_of(engagement.attackers[0].id), points, engagement.at),)

    def add_points(self, awards: Sequence[Award]) -> BattleOutcome:
        """Return the outcome of the finished combat with each side's Victory Points (27.2)."""
        attacking = self.view.side_of(self.engagement.attackers[0].id)
        own = sum(award.points for award in awards if award.side == attacking)
        theirs = sum(award.points for award in awards) - own
        phase = self.engagement.attack_phase.phase
        supposed = "attack" if not phase and any(award.account == ATTACKS and award.points for award in awards) else ""
        return replace(self.after, attacker_points=own, defender_points=theirs, supposed_phase=supposed)

    def phase_marks(self) -> tuple[Change, ...]:
        """Return the marks for the rest of the attack phase, and the changes that end tasks.

        The marks are on the hex attacked, and on units that fought and are still on the map.

        Rule: 10.1b, 8.9.3b
        """
        engagement = self.engagement
        steps_lost = self.after.lost()
        places = self.after.places
        survivors = [
            unit for unit in engagement.units if steps_lost[unit.id] < unit.left and places.get(unit.id) != OFF_MAP
        ]
        changes = [changed(self.view, "attacked", engagement.at, True, "10.1")]
        changes += [changed(self.view, "fought", unit.id, True, "10.1") for unit in survivors]
        changes += take_off_when_attacked(self.view, [unit.id for unit in survivors if unit in engagement.defenders])
        changes += clear_points(self.view, engagement.at, "8.9.3")
        return tuple(changes)

    def list_moves(self) -> tuple[Change, ...]:
        """Return the new places of units that have retreated or advanced, and the consequences for each.

        - Units that have retreated get a Retreated marker, and Asset Units stay with their formation (11.2.1a).
        - A Fortress Garrison outside its complex is released (12.4.1).
        - Units that have retreated off the map have left it for good (1.2.2).
        """
        steps_lost = self.after.lost()
        displaced = self.displaced
        changes: list[Change] = []
        for stacked in self.view.units():  # this order preserves the order of each stack (4.2.5)
            name = stacked.id
            if name in displaced or name not in self.units or name not in self.after.places:
                continue
            unit = self.units[name]
            place = self.after.places[name]
            if steps_lost[name] >= unit.left or place == unit.place:
                continue
            if place == OFF_MAP:
                changes += depart(self.view, [name])
                continue
            advances = name in (self.after.advanced or ())
            changes.append(changed(self.view, "place", name, place, "11.4" if advances else "11.2.1"))
            if not advances:
                changes.append(changed(self.view, "retreated", name, True, "10.1"))
                changes += self._attachment_changes(unit)
            changes += self._end_duties(name, unit.place, place)
        return tuple(changes)

    def list_displacements(self) -> tuple[Change, ...]:
        """Return the new places of displaced units, and their markers (9.5.1, 9.8.1, 9.9).

        Units displaced off the map have left it for good (1.2.2).
        """
        steps_lost = self.after.lost()
        fought = {unit.id: unit for unit in self.engagement.everybody}
        first_moves: dict[str, Displaced] = {}
        for move in self.after.displaced:
            first_moves.setdefault(move.unit, move)
        last_moves = {move.unit: move for move in self.after.displaced}
        changes: list[Change] = []
        for name, displaced in last_moves.items():
            unit = fought.get(name)
            place = str(self.view.unit(name).place)
            if unit and steps_lost[name] >= unit.left:
                continue
            if displaced.hex == OFF_MAP:
                changes += depart(self.view, [name])
                continue
            changes.append(changed(self.view, "place", name, displaced.hex or None, displaced.rule))
            if not displaced.hex:
                continue
            marker, *_ = DISPLACING[self.view.word("arm", name)]
            if marker and not self.view.state.value(marker, name):
                changes.append(changed(self.view, marker, name, True, displaced.rule))
            has_retreated = first_moves[name].place != place  # the unit had left its hex before it was displaced
            if unit and has_retreated:
                changes.append(changed(self.view, "retreated", name, True, "10.1"))
            changes += self._end_duties(name, place, displaced.hex)
        return tuple(changes)

    def _end_duties(self, unit: str, here: str, there: str) -> list[Change]:
        owes = isinstance(self.view.state.value("owes", unit), int)
        paid = [changed(self.view, "owes", unit, None, "11.2.1")] if owes else []
        return release_garrison(self.view, unit, here, there) + paid

    def _attachment_changes(self, unit: CombatUnit) -> list[Change]:
        engagement = self.engagement
        place = self.after.places[unit.id]
        pieces = self.combat.standing
        role: Role = "defender" if unit in engagement.in_the_hex else "attacker"
        stack = UnitsInHex(self.combat, role, unit.place).forces.values()
        force = next((force for force in stack if unit in force.units), None)
        if force is None or self.after.places.get(force.name) != place:
            return []
        there = pieces.layout(tuple(sorted(self.after.places.items()))).at(place)
        return keep_attached(self.view, force, unit, [piece.id for piece in there])

    def losses_and_levels(self) -> tuple[Change, ...]:
        """Return the changes of steps, sides, eliminations, effectiveness and Disorder.

        Rule: 11.1, 3.4.1b, 7.1, 7.4
        """
        steps_lost = self.after.lost()
        rules_of_falling = find_falling(self.after.way_losses)
        places = self.after.places
        on_map = [unit for unit in self.units.values() if places.get(unit.id) != OFF_MAP]
        changes: list[Change] = []
        for unit in on_map:
            if steps_lost[unit.id]:
                changes += step_losses(self.view, unit, steps_lost[unit.id], rules_of_falling.get(unit.id, "11.1"))
        checks = {check.force: check for check in self.after.checks}
        for formation in on_map:
            if not formation.formation or steps_lost[formation.id] >= formation.left:
                continue
            check = checks.get(formation.id)
            levels = self.after.way_levels.get(formation.id, 0) + (check.cel_loss if check else 0)
            if levels:
                rule = "11.3.2" if check and check.cel_loss else "11.2"
                changes.append(changed(self.view, "cel", formation.id, -formation.levels - levels, rule))
            if check and check.disorder > formation.disorder:
                changes.append(changed(self.view, "disorder", formation.id, check.disorder, "11.3.2"))
        return tuple(changes)

    def take_markers_off(self, off_map: Collection[str]) -> Iterator[Change]:
        """Yield the removals of Prepared Attack markers, each once.

        - Markers of units that retreat by a Repulse.
        - Markers of attackers that point at another hex.
        - Markers that this attack has used.

        `off_map`: units off the map.

        Rule: 8.4.3, 10.3b
        """
        engagement = self.engagement
        pushed = [
            unit
            for withdrawal in self.after.retreats
            if withdrawal.cause == "repulse"
            for force in withdrawal.forces
            for unit in self.units_of_force(withdrawal, force.force)
        ]
        rules = {name: "8.4.3" for name in pushed if name not in off_map and self.view.word("prepared", name)}
        bearers = [unit for unit in engagement.attackers if unit.prepared and unit.id not in (*rules, *off_map)]
        spent = [unit.id for unit in bearers if unit.prepared == engagement.at]
        rules |= {unit.id: "10.3" for unit in bearers if unit.id not in spent}
        if self.view.ruling("prepared-spent", bool(spent)) == "off":
            rules |= dict.fromkeys(spent, "8.4")
        for name, rule in rules.items():
            yield changed(self.view, "prepared", name, None, rule)

    def count_leaders(self) -> Iterator[Change]:
        """Yield one more use of each leader who applied in the combat or a Repulse of its retreats (25.2 to 25.7)."""
        effective = [leader for leader, _ in self.engagement.telling()]
        effective += [leader_named(name) for tried in self.after.repulses for name in tried.leaders]
        return count_uses_of(self.view, effective)


class _Fall(NamedTuple):
    """The moment at which a unit is eliminated; earlier moments sort first.

    With two retreats, `(0, False)` is before both, `(0, True)` during the first, and `(1, False)` between them. An
    index of 2 is after both.
    """

    retreat: int
    """The index of the retreat, or the number of retreats if the unit is eliminated after all of them."""
    is_during: bool
    """Whether the unit is eliminated during that retreat, rather than just before it."""


def list_marches(over: CombatOver) -> Iterator[March]:
    """Yield the moves in order: retreats with eliminations between them, displacements, the advance."""
    after = over.after
    moments = _find_moments_of_fall(over)
    falls = sorted((moment, name) for name, moment in moments.items())
    for number, withdrawal in enumerate(after.retreats):
        yield from (March((name,)) for moment, name in falls if moment == _Fall(number, is_during=False))
        gone = {name for name, moment in moments.items() if moment.retreat <= number}
        yield from _record_retreat(over, withdrawal, gone)
        yield from (March((name,)) for moment, name in falls if moment == _Fall(number, is_during=True))
    yield from (March((name,)) for moment, name in falls if moment.retreat == len(after.retreats))
    advanced = after.advanced or ()
    yield from (_record_displacement(displaced) for displaced in after.displaced if displaced.unit not in advanced)
    advancing = stacks([unit for unit in over.engagement.attackers if unit.id in advanced])
    for stack in advancing.values():
        yield March(tuple(unit.id for unit in stack), (over.engagement.at,))
    # artillery may have to leave the hex into which it has advanced alone
    yield from (_record_displacement(displaced) for displaced in after.displaced if displaced.unit in advanced)


def _find_moments_of_fall(over: CombatOver) -> dict[str, _Fall]:
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
    moments = dict[str, _Fall]()
    for name, unit in over.units.items():
        is_off_map = after.places.get(name) == ""
        if name in over.displaced or (steps_lost[name] < unit.left and not is_off_map):
            continue
        is_by_checks = by_results[name] + by_checks[name] >= unit.left
        # also if no retreat after the check cost the unit a step, because then the check cost its last one
        is_by_checks |= by_checks[name] > 0 and last_costs.get(name, -1) < checks_before
        if by_results[name] >= unit.left:
            moments[name] = _Fall(0, is_during=False)
        elif is_by_checks:
            moments[name] = _Fall(checks_before, is_during=False)
        else:
            moments[name] = _Fall(last_costs.get(name, len(after.retreats)), is_during=True)
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
    # a route may pass the Force's last hex twice; the last visit counts
    return len(withdrawal.way) - withdrawal.way[::-1].index(end) if end in withdrawal.way else 0


def _record_displacement(displaced: Displaced) -> March:
    departs = displaced.hex == OFF_MAP
    return March((displaced.unit,), displaced.way[:-1] if departs else displaced.way, departs)
