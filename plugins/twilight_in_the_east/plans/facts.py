"""The Strategic Plans of a position: forces bound, distance to objectives, and captures (21.0)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from assistant.asking import InputError, View, if_known
from assistant.asking.asks import Ask, ask_for_fact
from assistant.asking.view import changed
from assistant.state.changes import AnyChange
from assistant.state.state import Unit
from assistant.util.errors import format_suggestion

from ..control.front_line import controller
from ..forces.armies import AttachedUnit, gather_attached, is_shown, kin, side_of_army, stated_areas
from ..forces.objectives import (
    ABANDONED,
    ACHIEVED,
    OUTCOME,
    PLAN,
    PLAN_TURN,
    REACHED,
    Objective,
    corps_force,
    is_bound,
    is_corps,
    known_objectives,
    may_capture,
)
from ..scoring.points import PLANS, Award, gains
from ..terms import COMBAT_ARMS, SUPPLY_ARMS
from .rules import (
    ForcePlan,
    ObjectiveNow,
    cost_of_abandoning,
    frees,
    holds_for_others,
    is_achieved,
    is_captured,
    is_of_others,
    points_for_achieving,
)

FREED_RULING = "freed-from"
"""The ruling on the Player Turn from which an achieved plan no longer binds."""
HELD_RULING = "held-objective"
"""The ruling on whether other armies' troops capture an objective of an army."""
SHARED_RULING = "shared-objective"
"""The ruling on which armies score for an objective that one of them has captured."""


def force_named(view: View, name: str) -> str:
    """Return the army or corps with Operational Objectives that a player names.

    The name is whole (`russian Second`, `german 3 LW Corps`), or lacks the side (`Second`). Without its side it must fit
    only one force with a stated plan or, if it fits no such force, only one force with objectives.

    Raises InputError if it is not such a force.
    """
    forces = _list_namesakes(view.stated_about.get(PLAN, ()), name) or _list_namesakes(known_objectives(), name)
    if len(forces) == 1:
        name = forces[0]
    force = view.game.subject(view.game.track(PLAN), name, view.state)
    known = {each.casefold(): each for each in known_objectives()}
    if force.casefold() not in known:
        raise InputError(
            f"army: {force!r} has no Operational Objectives", hint=format_suggestion(force, known_objectives())
        )
    return known[force.casefold()]


def _list_namesakes(forces: Iterable[str], name: str) -> list[str]:
    return [force for force in forces if force.partition(" ")[2].casefold() == name.casefold()]


def check_stated(view: View) -> None:
    """Raise InputError if the position puts an army under a plan for which the rulebook has no objectives."""
    for force in view.stated_about.get(PLAN, ()):
        if view.flag(PLAN, force) and force not in known_objectives():
            hint = format_suggestion(force, known_objectives())
            raise InputError(f"plan: {force} has no Operational Objectives", hint=hint)


def is_forestalled(plan: ForcePlan, turn: int) -> bool:
    """Return whether an army's plan scores nothing only because another army holds its objective.

    `turn`: the game turn.
    """
    return not plan.gain and points_for_achieving(plan.force, plan.outcome, turn) > 0


def asks_for_control(view: View, plan: ForcePlan) -> Iterator[Ask]:
    """Yield the questions that decide whether a plan is achieved.

    They ask for the controllers of objectives that infantry has entered, unless units in the hex show them.
    """
    if not plan.captured:
        for objective in plan.objectives:
            if objective.entered and not objective.control:
                yield ask_for_fact(view.game.track("control"), objective.hex)


class PlanOfForce(NamedTuple):
    """The plan of an army or corps in a game turn, read from a position."""

    view: View
    force: str
    turn: int

    @property
    def side(self) -> str:
        return side_of_army(self.force)

    def read(self, *, measured: bool = True) -> ForcePlan:
        """Return the plan.

        `measured`: whether to measure the distance of the force's infantry to the objectives. It is not measured if the
        side's display is hidden from the viewpoint (4.2.6).

        Raises MissingFacts if the force of some infantry is not stated.
        """
        formations = self._list_formations() if measured and is_shown(self.view, self.side) else []
        plan = self.view.fact(PLAN, self.force)
        outcome = self.view.word(OUTCOME, self.force)
        bound = None if plan is None and not outcome else is_bound(self.view.flag(PLAN, self.force), outcome)
        rows = known_objectives()[self.force]
        is_open = bool(bound) and not outcome
        read_plan = ForcePlan(
            force=self.force,
            bound=bound,
            outcome=outcome,
            since=self.view.integer(PLAN_TURN, self.force) or None,
            objectives=tuple(self._read_objective(row, formations, is_open=is_open) for row in rows),
            then=rows[0].then,
        )
        if not is_open:
            return read_plan
        gain = points_for_achieving(self.force, outcome, self.turn)
        if gain and read_plan.captured and self._scores_for_others(read_plan):
            gain = 0
        return replace(read_plan, gain=gain, cost=cost_of_abandoning(self.force, read_plan.distance))

    def _list_formations(self) -> list[AttachedUnit]:
        """Return the infantry formations of the force on the map.

        Raises MissingFacts if it is not stated to which force a unit of the side belongs.
        """
        units = (unit for nation in self.view.game.file.sides[self.side] for unit in kin(self.view, nation))
        infantry = [unit for unit in units if unit.on_display and unit.arm == "infantry" and unit.place]
        if is_corps(self.force):
            return [unit for unit in infantry if corps_force(self.side, unit.corps) == self.force]
        return [unit for unit in infantry if unit.army == self.force]

    def _read_objective(self, row: Objective, formations: Sequence[AttachedUnit], *, is_open: bool) -> ObjectiveNow:
        """Return an objective of the force with its state in the position.

        `formations`: the infantry formations of the force.
        `is_open`: whether the force's plan is in force and has not ended.
        """
        view, side = self.view, self.side
        nearest = min(formations, key=lambda unit: (view.board.distance(unit.place, row.hex), unit.id), default=None)
        units_there = [unit.id for unit in view.stack(row.hex) if view.word("arm", unit.id) not in SUPPLY_ARMS]
        occupier = next((view.side_of(unit) for unit in units_there), "")
        entered = side in view.words(REACHED, row.hex) or bool(self._list_captors(row))
        control, _ = controller(occupier, view.word("control", row.hex), "", "recorded")
        captured = is_captured(entered=entered, controller=control, side=side)
        if is_open and not captured:

            def is_held_for_others(plan: PlanOfForce) -> bool:
                armies = plan._list_armies(plan._list_combat_units(row))
                return holds_for_others(entered=entered, controller=control, side=side, armies=armies, force=self.force)

            captured = self._holds_by_ruling(is_held_for_others, HELD_RULING, "troops")
        return ObjectiveNow(
            hex=row.hex,
            name=row.name,
            nearest=nearest.id if nearest else "",
            distance=view.board.distance(nearest.place, row.hex) if nearest else None,
            entered=entered,
            control=control,
            captured=captured,
        )

    def _holds_by_ruling(self, holds: Callable[[PlanOfForce], bool], ruling: str, reading: str) -> bool:
        """Return whether a condition holds and the ruling that gives it effect has a reading.

        The facts that the condition reads, and the ruling itself, count as premises of the answer only if they decide
        it. So the condition is first evaluated on a quiet view, and once more on the plan's own view if it takes
        effect.
        """
        on_quiet_view = self._replace(view=self.view.quiet_view())
        return holds(on_quiet_view) and self.view.ruling(ruling) == reading and holds(self)

    def _list_combat_units(self, row: Objective) -> list[Unit]:
        own = [unit for unit in self.view.stack(row.hex) if self.view.side_of(unit.id) == self.side]
        return [unit for unit in own if self.view.word("arm", unit.id) in COMBAT_ARMS]

    def _list_captors(self, row: Objective) -> list[Unit]:
        """Return the side's combat units in the objective's hex whose arm and size may capture it."""
        word = self.view.word
        units = self._list_combat_units(row)
        return [unit for unit in units if may_capture(word("arm", unit.id), word("size", unit.id))]

    def _list_armies(self, units: Iterable[Unit]) -> list[str]:
        """Return the army of each unit by side and name, or "" if it is unknown or hidden from the viewpoint."""
        view = self.view

        def army(unit: Unit) -> str:
            if not is_shown(view, view.side_of(unit.id)):
                return ""
            attached = if_known(view, lambda facts: gather_attached(facts, stated_areas(view), unit))
            return attached.army if attached else ""

        return [army(unit) for unit in units]

    def _scores_for_others(self, plan: ForcePlan) -> bool:
        """Return whether only other armies hold the captured objectives, and so by ruling shared-objective score."""
        entered_by_hex = {objective.hex: objective.entered for objective in plan.captured}
        rows = [row for row in known_objectives()[self.force] if row.hex in entered_by_hex]

        def are_held_by_others(of_force: PlanOfForce) -> bool:
            for row in rows:
                # an objective that was not entered is captured by ruling held-objective, by any combat units
                holders = of_force._list_captors(row) if entered_by_hex[row.hex] else of_force._list_combat_units(row)
                if not is_of_others(of_force._list_armies(holders), self.force):
                    return False
            return True

        return self._holds_by_ruling(are_held_by_others, SHARED_RULING, "captor")

    def end_of_player_turn(self, plan: ForcePlan, phasing: str) -> list[AnyChange]:
        """Return the changes to the plan as a Player Turn ends: it is achieved and scores, and its force is freed.

        An achieved plan may bind its force until a later Player Turn. A plan that is not achieved has no changes.

        `phasing`: the side whose Player Turn ends.

        Rule: 21.1
        """
        achieved = not plan.outcome and is_achieved([objective.captured for objective in plan.objectives])
        if not (achieved or plan.outcome == ACHIEVED):
            return []
        changes = list[AnyChange]()
        if achieved:
            changes += [*self._record_end(ACHIEVED, "21.1"), *gains([Award(PLANS, self.side, plan.gain, self.force)])]
        if frees(self.side, phasing, self.view.ruling(FREED_RULING, self.side == phasing)):
            changes.append(changed(self.view, PLAN, self.force, False, "21.1"))
        return changes

    def abandon(self, cost: int) -> list[AnyChange]:
        """Return the changes as the force abandons its plan: it is freed, and its side loses Victory Points.

        `cost`: the Victory Points that the side loses.

        Rule: 21.1b
        """
        freed = changed(self.view, PLAN, self.force, False, "21.1")
        return [freed, *self._record_end(ABANDONED, "21.3"), *gains([Award(PLANS, self.side, -cost, self.force)])]

    def _record_end(self, outcome: str, rule: str) -> list[AnyChange]:
        ended = changed(self.view, OUTCOME, self.force, outcome, rule)
        return [ended, changed(self.view, PLAN_TURN, self.force, self.turn, rule)]
