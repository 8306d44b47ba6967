"""What a combat changes: moves in order, losses, markers, what the rest of its attack phase must know, and Victory
Points (10.1 to 11.4, 27.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

import msgspec
from msgspec.structs import replace

from assistant.asking.view import View, changed
from assistant.mechanics.procedure import Modifier
from assistant.state.changes import Change

from ..combat.before_dice import Combat
from ..combat.engagement import PREPARED, Engagement
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


class CombatOver(msgspec.Struct, frozen=True):
    """A combat that is over, and what it changes."""

    view: View
    combat: Combat
    after: BattleOutcome

    @property
    def engagement(self) -> Engagement:
        """Who has fought, and over what ground."""
        return self.combat.engagement

    def list_marches(self) -> Iterator[March]:
        """Yield the moves in order: units eliminated by the result, retreats, units eliminated by checks and on the
        way, displaced units, the advance.
        """
        falls = self._find_moments_of_fall()
        order = sorted((moment, name) for name, moment in falls.items())
        for number, withdrawal in enumerate(self.after.retreats):
            for moment, name in order:
                if number - 1 < moment < number:
                    yield March((name,))
            yield from self._record_retreat(withdrawal, {name for name, moment in falls.items() if moment <= number})
            for moment, name in order:
                if moment == number:
                    yield March((name,))
        for moment, name in order:
            if moment > len(self.after.retreats) - 1:
                yield March((name,))
        forward = self.after.advanced or ()  # artillery may have to leave the hex into which it has advanced alone
        for displaced in self.after.displaced:
            if displaced.unit not in forward:
                yield _record_displacement(displaced)
        advanced = stacks([unit for unit in self.engagement.attackers if unit.id in forward])
        for stack in advanced.values():
            yield March(tuple(unit.id for unit in stack), (self.engagement.at,))
        for displaced in self.after.displaced:
            if displaced.unit in forward:
                yield _record_displacement(displaced)

    def _find_moments_of_fall(self) -> dict[str, float]:
        """Return the units eliminated before any is displaced, each with the moment.

        A moment is the number of the retreat that eliminates the unit, or that number less a half if it falls before
        the retreat, for example by a check.
        """
        every = self._units_of()
        lost = self.after.lost()
        by_results = Counter(self.after.absorbed)
        by_checks = Counter[str]()
        for side in self.after.losses:
            by_results.update(side.losses or {})
        for check in self.after.checks:
            by_checks.update(check.losses or {})
        checks = -0.5
        costly = self._find_repulses_in_vain()
        for number, withdrawal in enumerate(self.after.retreats):
            if withdrawal.cause == "crt":
                checks = number + 0.5
            for force in withdrawal.forces:
                if force.steps or force.guns or force.eliminated:
                    costly |= dict.fromkeys(self._list_units(withdrawal, force.force), number)
        moments = dict[str, float]()
        away = {displaced.unit for displaced in self.after.displaced}
        for name, unit in every.items():
            if name in away or (lost[name] < unit.left and self.after.places.get(name) != ""):
                continue
            if by_results[name] >= unit.left:
                moments[name] = -0.5
            elif by_results[name] + by_checks[name] >= unit.left or (by_checks[name] and costly.get(name, -1) < checks):
                moments[name] = checks
            else:
                moments[name] = costly.get(name, len(self.after.retreats))
        return moments

    def _find_repulses_in_vain(self) -> dict[str, int]:
        """Return the units that have tried a Repulse in vain, each with the number of the retreat in which it did
        (8.5.4).
        """
        in_vain = {}
        for tried in self.after.repulses:
            if tried.repulsed:
                continue
            for number, withdrawal in reversed([*enumerate(self.after.retreats)]):
                goes_there = withdrawal.place == tried.place and tried.here in (withdrawal.start, *withdrawal.way)
                if withdrawal.cause != "repulse" and goes_there:
                    in_vain.update(dict.fromkeys(self._list_units(withdrawal, tried.force), number))
        return in_vain

    def _record_retreat(self, withdrawal: Withdrawal, gone: Collection[str]) -> Iterator[March]:
        """Yield the moves of one retreat, a Force each. gone: the units that are eliminated before it, or on the way."""
        way = withdrawal.way
        slowest = min(withdrawal.forces, key=lambda force: _count_hexes(withdrawal, force.force), default=None)
        for going in withdrawal.forces:
            end = withdrawal.ends.get(going.force, withdrawal.start)
            if going.force in withdrawal.surrendered or end not in way:
                continue
            units = tuple(name for name in self._list_units(withdrawal, going.force) if name not in gone)
            units += withdrawal.trains if going is slowest else ()
            entered = way[: len(way) - way[::-1].index(end)]
            if units and going.force in withdrawal.departed:
                yield March(units, entered[:-1], departs=True)
            elif units:
                yield March(units, entered)

    def _list_units(self, withdrawal: Withdrawal, force: str) -> list[str]:
        """Return the units of a Force that retreats, one that a Repulse pushes away included."""
        role = next((role for role in SIDES if role == withdrawal.side and withdrawal.cause != "repulse"), None)
        if role:
            return [unit.id for unit in UnitsInHex(self.combat, role, withdrawal.place).forces[force].units]
        pieces = self.combat.standing
        there = pieces.layout(()).forces_at(pieces.pieces[force].place)
        return [unit.id for member in there if member.name == force for unit in member.units]

    def score_attack(self, shifts: Sequence[Modifier]) -> tuple[Award, ...]:
        """Return what the attacker earns for a Prepared Attack: an award of no points where an exception of the
        scenario denies them. shifts: the combat's column shifts.
        """
        engagement = self.engagement
        prepared = sum(shift.amount for shift in shifts if shift.rule == PREPARED)
        phase = engagement.attack_phase.phase
        turn = engagement.turn
        if not score_prepared_attack(prepared, self.combat.magnitude, phase, turn, None):
            return ()
        points = score_prepared_attack(
            prepared, self.combat.magnitude, phase, turn, last_prepared(self.view, self.combat.magnitude)
        )
        return (Award(ATTACKS, self.view.side_of(engagement.attackers[0].id), points, engagement.at),)

    def add_points(self, awards: Sequence[Award]) -> BattleOutcome:
        """Return the outcome once the combat is over, with the Victory Points that it brings each side (27.2)."""
        attacking = self.view.side_of(self.engagement.attackers[0].id)
        own = sum(award.points for award in awards if award.side == attacking)
        theirs = sum(award.points for award in awards) - own
        phase = self.engagement.attack_phase.phase
        supposed = "attack" if not phase and any(award.account == ATTACKS and award.points for award in awards) else ""
        return replace(self.after, attacker_points=own, defender_points=theirs, supposed_phase=supposed)

    def phase_marks(self) -> tuple[Change, ...]:
        """Return the marks for the rest of the attack phase: the hex attacked, the units that fought; tasks ended by
        the attack.

        Rule: 10.1b, 8.9.3b
        """
        engagement = self.engagement
        lost = self.after.lost()
        todo = [changed(self.view, "attacked", engagement.at, True, "10.1")]
        fighting = [
            unit for unit in engagement.units if lost[unit.id] < unit.left and self.after.places.get(unit.id) != OFF_MAP
        ]
        todo += [changed(self.view, "fought", unit.id, True, "10.1") for unit in fighting]
        todo += take_off_when_attacked(self.view, [unit.id for unit in fighting if unit in engagement.defenders])
        todo += clear_points(self.view, engagement.at, "8.9.3")
        return tuple(todo)

    def _units_of(self) -> dict[str, CombatUnit]:
        """Return the units of a combat, and those that a Repulse in a retreat has pushed away."""
        known = {unit.id: unit for unit in self.engagement.everybody}
        away = known.keys() | {displaced.unit for displaced in self.after.displaced}
        others = {
            name for name in (*self.after.places, *self.after.way_losses, *self.after.way_levels) if name not in away
        }
        return known | {name: unit_of(self.view, name) for name in sorted(others)}

    def list_moves(self) -> tuple[Change, ...]:
        """Return the places of units that have retreated or advanced, with what is remembered of them.

        They have retreated in this phase, an Asset Unit stays attached to its formation, and a Fortress Garrison out of
        its complex is one no more. Units that have retreated off the map have departed (1.2.2, 11.2.1, 11.4, 12.4.1).
        """
        lost = self.after.lost()
        every = self._units_of()
        todo: list[Change] = []
        away = {displaced.unit for displaced in self.after.displaced}
        for stacked in self.view.units():  # in this order a stack arrives as it lay (4.2.5)
            name = stacked.id
            if name in away or name not in every or name not in self.after.places:
                continue
            unit = every[name]
            place = self.after.places[name]
            if lost[name] >= unit.left or place == unit.place:
                continue
            if place == OFF_MAP:
                todo += depart(self.view, [name])
                continue
            advances = name in (self.after.advanced or ())
            todo.append(changed(self.view, "place", name, place, "11.4" if advances else "11.2.1"))
            if not advances:
                todo.append(changed(self.view, "retreated", name, True, "10.1"))
                todo += self._attachment_changes(unit)
            todo += self._settle_way(name, unit.place, place)
        return tuple(todo)

    def list_displacements(self) -> tuple[Change, ...]:
        """Return the places of displaced units and the markers that they bear (9.5.1, 9.8.1, 9.9); those off the map
        have departed (1.2.2).
        """
        lost = self.after.lost()
        fallen = {unit.id: unit for unit in self.engagement.everybody}
        todo: list[Change] = []
        for displaced in {move.unit: move for move in self.after.displaced}.values():
            unit = fallen.get(displaced.unit)
            place = str(self.view.unit(displaced.unit).place)
            if unit and lost[displaced.unit] >= unit.left:
                continue
            if displaced.hex == OFF_MAP:
                todo += depart(self.view, [displaced.unit])
                continue
            todo.append(changed(self.view, "place", displaced.unit, displaced.hex or None, displaced.rule))
            if not displaced.hex:
                continue
            marker, *_ = DISPLACING[self.view.word("arm", displaced.unit)]
            if marker and not self.view.state.value(marker, displaced.unit):
                todo.append(changed(self.view, marker, displaced.unit, True, displaced.rule))
            if unit and next(first for first in self.after.displaced if first.unit == displaced.unit).place != place:
                todo.append(changed(self.view, "retreated", displaced.unit, True, "10.1"))
            todo += self._settle_way(displaced.unit, place, displaced.hex)
        return tuple(todo)

    def _settle_way(self, unit: str, here: str, there: str) -> list[Change]:
        """Return what ends as a unit leaves a hex: its duty as a Fortress Garrison, and the hexes that it owed (11.2.1,
        12.4.1).
        """
        owes = isinstance(self.view.state.value("owes", unit), int)
        paid = [changed(self.view, "owes", unit, None, "11.2.1")] if owes else []
        return release_garrison(self.view, unit, here, there) + paid

    def _attachment_changes(self, unit: CombatUnit) -> list[Change]:
        """Return the formation of an Asset Unit that ends a retreat with it beside others (11.2.1a)."""
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
        """Return what the outcome changes of the units themselves: steps, sides, eliminations, effectiveness and
        Disorder.
        Rule: 11.1, 3.4.1b, 7.1, 7.4
        """
        lost = self.after.lost()
        units = self._units_of()
        fallen = find_falling(self.after.way_losses)
        todo: list[Change] = []
        for unit in units.values():
            stays = self.after.places.get(unit.id) != OFF_MAP
            if lost[unit.id] and stays:
                todo += step_losses(self.view, unit, lost[unit.id], fallen.get(unit.id, "11.1"))
        checks = {check.force: check for check in self.after.checks}
        for formation in units.values():
            if not formation.formation or lost[formation.id] >= formation.left:
                continue
            if self.after.places.get(formation.id) == OFF_MAP:
                continue
            check = checks.get(formation.id)
            levels = self.after.way_levels.get(formation.id, 0) + (check.cel_loss if check else 0)
            if levels:
                rule = "11.3.2" if check and check.cel_loss else "11.2"
                todo.append(changed(self.view, "cel", formation.id, -formation.levels - levels, rule))
            if check and check.disorder > formation.disorder:
                todo.append(changed(self.view, "disorder", formation.id, check.disorder, "11.3.2"))
        return tuple(todo)

    def take_markers_off(self, gone: Collection[str]) -> Iterator[Change]:
        """Yield the Prepared Attack markers that come off, each once.

        They are those of units that a Repulse makes retreat, of attackers whose marker pointed at an empty hex, and
        those that this attack has spent.

        `gone`: units off the map.

        Rule: 8.4.3, 10.3b
        """
        engagement = self.engagement
        legs = [leg for leg in self.after.retreats if leg.cause == "repulse"]
        pushed = [unit for leg in legs for force in leg.forces for unit in self._list_units(leg, force.force)]
        rules = {name: "8.4.3" for name in pushed if name not in gone and self.view.word("prepared", name)}
        bearers = [unit for unit in engagement.attackers if unit.prepared and unit.id not in (*rules, *gone)]
        spent = [unit.id for unit in bearers if unit.prepared == engagement.at]
        rules |= {unit.id: "10.3" for unit in bearers if unit.id not in spent}
        if self.view.ruling("prepared-spent", bool(spent)) == "off":
            rules |= dict.fromkeys(spent, "8.4")
        for name, rule in rules.items():
            yield changed(self.view, "prepared", name, None, rule)

    def count_leaders(self) -> Iterator[Change]:
        """Yield the changes by which the leaders who apply in a combat, or in a Repulse during its retreats, have been
        used once more (25.2 to 25.7).
        """
        effective = [leader for leader, _ in self.engagement.telling()]
        effective += [leader_named(name) for tried in self.after.repulses for name in tried.leaders]
        return count_uses_of(self.view, effective)


def _count_hexes(withdrawal: Withdrawal, force: str) -> int:
    """Return how many hexes of its way a Force has retreated."""
    end = withdrawal.ends.get(force, withdrawal.start)
    return len(withdrawal.way) - withdrawal.way[::-1].index(end) if end in withdrawal.way else 0


def _record_displacement(displaced: Displaced) -> March:
    """Return the move of a unit that makes room, off the map for good too."""
    departs = displaced.hex == OFF_MAP
    return March((displaced.unit,), displaced.way[:-1] if departs else displaced.way, departs)
