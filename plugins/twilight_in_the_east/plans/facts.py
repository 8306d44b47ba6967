"""The Strategic Plans of a position: whom they bind, how near their objectives are, and what has been captured (21.0)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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

FREED = "freed-from"
"""The ruling on the Player Turn from which an achieved plan binds no more."""
HELD = "held-objective"
"""The ruling on what holds an objective for an army that is not its own."""
SHARED = "shared-objective"
"""The ruling on which armies score for an objective that one of them has captured."""


def force_named(view: View, name: str) -> str:
    """Return an army or corps that has Operational Objectives, as a player names it: `russian Second`, `german 3 LW
    Corps`, or `Second` where only one army of that name has its plan stated, or else has objectives. Raises InputError
    for any other.
    """
    alike = _find_alike(view.stated_about.get(PLAN, ()), name) or _find_alike(known_objectives(), name)
    if len(alike) == 1:
        name = alike[0]
    force = view.game.subject(view.game.track(PLAN), name, view.state)
    known = {each.casefold(): each for each in known_objectives()}
    if force.casefold() not in known:
        raise InputError(
            f"army: {force!r} has no Operational Objectives", hint=format_suggestion(force, known_objectives())
        )
    return known[force.casefold()]


def _find_alike(forces: Iterable[str], name: str) -> list[str]:
    """Return the forces that are called the same, whatever their side."""
    return [force for force in forces if force.partition(" ")[2].casefold() == name.casefold()]


def check_stated(view: View) -> None:
    """Raise InputError for an army that the position puts under a plan although the rulebook has no objectives for it."""
    for force in view.stated_about.get(PLAN, ()):
        if view.flag(PLAN, force) and force not in known_objectives():
            hint = format_suggestion(force, known_objectives())
            raise InputError(f"plan: {force} has no Operational Objectives", hint=hint)


def is_forestalled(plan: ForcePlan, turn: int) -> bool:
    """Return whether an army would score for its plan in a game turn, and does not, as another army holds its
    objective.
    """
    return not plan.gain and points_for_achieving(plan.force, plan.outcome, turn) > 0


def asks_for_control(view: View, plan: ForcePlan) -> Iterator[Ask]:
    """Yield the facts on which it turns whether a plan is achieved: who controls objectives that infantry has entered
    and where nobody stands.
    """
    if not plan.captured:
        for objective in plan.objectives:
            if objective.entered and not objective.control:
                yield ask_for_fact(view.game.track("control"), objective.hex)


class PlanOfForce(NamedTuple):
    """The plan of an army or corps in a game turn, as a position has it."""

    view: View
    force: str
    turn: int

    @property
    def side(self) -> str:
        """The side of the force."""
        return side_of_army(self.force)

    def read(self, *, measured: bool = True) -> ForcePlan:
        """Return the plan. measured: whether it matters how near infantry is to the objectives; that of a side whose
        display is kept from the viewpoint is near none (4.2.6).

        Raises MissingFacts for what shows which infantry belongs to the force, and is not stated.
        """
        formations = self._list_formations() if measured and is_shown(self.view, self.side) else []
        plan = self.view.fact(PLAN, self.force)
        outcome = self.view.word(OUTCOME, self.force)
        bound = None if plan is None and not outcome else is_bound(self.view.flag(PLAN, self.force), outcome)
        rows = known_objectives()[self.force]
        is_open = bool(bound) and not outcome
        now = ForcePlan(
            force=self.force,
            bound=bound,
            outcome=outcome,
            since=self.view.integer(PLAN_TURN, self.force) or None,
            objectives=tuple(self._read_objective(row, formations, is_open=is_open) for row in rows),
            then=rows[0].then,
        )
        if not is_open:
            return now
        gain = points_for_achieving(self.force, outcome, self.turn)
        if gain and now.captured and self._goes_to_others(now):
            gain = 0
        return replace(now, gain=gain, cost=cost_of_abandoning(self.force, now.distance))

    def _list_formations(self) -> list[AttachedUnit]:
        """Return the infantry formations on the map that belong to the force. Raises MissingFacts for what shows that of
        the units of its side, and is not stated.
        """
        units = (unit for nation in self.view.game.file.sides[self.side] for unit in kin(self.view, nation))
        infantry = [unit for unit in units if unit.on_display and unit.arm == "infantry" and unit.place]
        if is_corps(self.force):
            return [unit for unit in infantry if corps_force(self.side, unit.corps) == self.force]
        return [unit for unit in infantry if unit.army == self.force]

    def _read_objective(self, row: Objective, formations: Sequence[AttachedUnit], *, is_open: bool) -> ObjectiveNow:
        """Return an objective as it stands.

        formations: the infantry formations of the force; is_open: whether its plan is in force and has not ended.
        """
        view, side = self.view, self.side
        near = min(formations, key=lambda unit: (view.board.distance(unit.place, row.hex), unit.id), default=None)
        there = [unit.id for unit in view.stack(row.hex) if view.word("arm", unit.id) not in SUPPLY_ARMS]
        standing = next((view.side_of(unit) for unit in there), "")
        entered = side in view.words(REACHED, row.hex) or bool(self._find_captors(row))
        control, _ = controller(standing, view.word("control", row.hex), "", "recorded")
        captured = is_captured(entered=entered, controller=control, side=side)
        if is_open and not captured:

            def is_held_for_others(plan: PlanOfForce) -> bool:
                armies = plan._list_armies(plan._find_fighters(row))
                return holds_for_others(entered=entered, controller=control, side=side, armies=armies, force=self.force)

            decides = is_held_for_others(self._unnoticed)
            captured = decides and view.ruling(HELD) == "troops" and is_held_for_others(self)
        return ObjectiveNow(
            hex=row.hex,
            name=row.name,
            nearest=near.id if near else "",
            distance=view.board.distance(near.place, row.hex) if near else None,
            entered=entered,
            control=control,
            captured=captured,
        )

    @property
    def _unnoticed(self) -> PlanOfForce:
        """The same, of which nothing that is read is noted."""
        return self._replace(view=self.view.quiet_view())

    def _find_fighters(self, row: Objective) -> list[Unit]:
        """Return the combat units of the side in one of the objectives."""
        own = [unit for unit in self.view.stack(row.hex) if self.view.side_of(unit.id) == self.side]
        return [unit for unit in own if self.view.word("arm", unit.id) in COMBAT_ARMS]

    def _find_captors(self, row: Objective) -> list[Unit]:
        """Return those of them that capture an objective."""
        word = self.view.word
        return [unit for unit in self._find_fighters(row) if may_capture(word("arm", unit.id), word("size", unit.id))]

    def _list_armies(self, units: Iterable[Unit]) -> list[str]:
        """Return the army of each of some units, by its side and name, "" where it is not known or kept from the
        viewpoint.
        """
        view = self.view

        def army(unit: Unit) -> str:
            if not is_shown(view, view.side_of(unit.id)):
                return ""
            attached = if_known(view, lambda facts: gather_attached(facts, stated_areas(view), unit))
            return attached.army if attached else ""

        return [army(unit) for unit in units]

    def _goes_to_others(self, now: ForcePlan) -> bool:
        """Return whether by ruling shared-objective an army scores nothing for what is captured now, as only units of
        other armies hold it.
        """
        taken = {objective.hex: objective.entered for objective in now.captured}
        rows = [row for row in known_objectives()[self.force] if row.hex in taken]

        def of_others(plan: PlanOfForce) -> bool:
            for row in rows:
                units = plan._find_captors(row) if taken[row.hex] else plan._find_fighters(row)
                if not is_of_others(plan._list_armies(units), self.force):
                    return False
            return True

        return of_others(self._unnoticed) and self.view.ruling(SHARED) == "captor" and of_others(self)

    def end_of_player_turn(self, now: ForcePlan, phasing: str) -> list[AnyChange]:
        """Return what becomes of a plan in force as a Player Turn ends: it is achieved and scores, and binds its force
        no more; none if it goes on. now: the plan; phasing: whose Player Turn ends. Rule: 21.1
        """
        achieved = not now.outcome and is_achieved([objective.captured for objective in now.objectives])
        if not (achieved or now.outcome == ACHIEVED):
            return []
        changes = list[AnyChange]()
        if achieved:
            changes += [*self._record_end(ACHIEVED, "21.1"), *gains([Award(PLANS, self.side, now.gain, self.force)])]
        if frees(self.side, phasing, self.view.ruling(FREED, self.side == phasing)):
            changes.append(changed(self.view, PLAN, self.force, False, "21.1"))
        return changes

    def abandon(self, cost: int) -> list[AnyChange]:
        """Return what changes as the force abandons its plan: it is free at once, and its side loses Victory Points.
        Rule: 21.1b
        """
        freed = changed(self.view, PLAN, self.force, False, "21.1")
        return [freed, *self._record_end(ABANDONED, "21.3"), *gains([Award(PLANS, self.side, -cost, self.force)])]

    def _record_end(self, outcome: str, rule: str) -> list[AnyChange]:
        """Return the record of how and when the plan has ended."""
        ended = changed(self.view, OUTCOME, self.force, outcome, rule)
        return [ended, changed(self.view, PLAN_TURN, self.force, self.turn, rule)]
