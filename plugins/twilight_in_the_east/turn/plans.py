"""What Strategic Plans ask for in a phase: plans that may be abandoned, infantry that has to end its move closer to an
objective, and plans that are achieved as a Player Turn ends (21.0). Nothing, where no plan is stated to be in force.
"""

from __future__ import annotations

from collections.abc import Iterator

from assistant.asking import View
from assistant.rules.phase_now import Duty, StepFinding
from assistant.rules.turns import finding
from assistant.util.errors import quoted

from ..forces.account import PASSED, read_account
from ..forces.objectives import bound_forces, force_title
from ..plans.facts import PlanOfForce, asks_for_control
from ..plans.movement import goals_of
from .movement import active_in, own_units


def judge_abandonment(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield which plans the side may abandon, each with what that costs now."""
    forces = bound_forces(view, duty.side)
    plans = [PlanOfForce(view, force, duty.turn).read() for force in forces]
    for plan in [plan for plan in plans if not plan.outcome]:
        ask = f"abandon army={quoted(plan.force)}"
        text = "{force}[known:, which costs {cost:#Victory Point}]"
        force = force_title(view, plan.force)
        yield finding("possible", "21.3", text, ask=ask, force=force, cost=plan.cost, known=plan.cost is not None)
    if not plans:
        yield finding("impossible", "21.3", "no plan of the side is stated to be in force")


def judge_plan_moves(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield which infantry under a plan has left its hex and stands no closer to any of its objectives.
    Rule: 21.1.4
    """
    side = active_in(view, duty)
    if not bound_forces(view, side):
        return
    moved = [unit for unit in own_units(view, PASSED, side) if read_account(view, unit.id).passed]
    with view.gather() as facts:
        goals = goals_of(facts, moved)
    wrong = {unit: goal for unit, goal in goals.items() if not goal.allows(view, view.unit(unit).place)}
    for unit, goal in wrong.items():
        yield finding(
            "owed",
            "21.1.4",
            "{units} began in {start} and is no closer to {objectives}, as the plan of {force} demands",
            units=[unit],
            places=[str(view.unit(unit).place)],
            ask=f"reach units={quoted(unit)}",
            start=goal.start,
            objectives=goal.places,
            force=goal.title,
        )
    if not wrong:
        yield finding("done", "21.1.4", "no unit breaks a plan")


def judge_plans(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield which plans of either side are achieved as the Player Turn ends, so that they score and bind no more."""
    forces = bound_forces(view)
    with view.gather() as facts:
        plans = [PlanOfForce(view, force, duty.turn).read(measured=False) for force in forces]
        for plan in plans:
            for ask in asks_for_control(view, plan):
                facts.ask(ask)
    going_on = list[str]()
    for plan in plans:
        changes = PlanOfForce(view, plan.force, duty.turn).end_of_player_turn(plan, duty.side)
        force = force_title(view, plan.force)
        if changes and not plan.outcome:
            text = "{force} has captured {places}: its plan is achieved[gain:, {gain:#Victory Point}]"
            places = [objective.hex for objective in plan.captured]
            yield finding("owed", "21.2", text, places=places, changes=changes, force=force, gain=plan.gain)
        elif changes:
            text = "{force} has already achieved its plan and is free from the next Player Turn on"
            yield finding("owed", "21.1", text, changes=changes, force=force)
        elif plan.outcome:
            text = "{force} has achieved its plan, which binds it until its side's next Player Turn"
            yield finding("done", "21.1", text, force=force)
        else:
            going_on.append(force)
    if going_on:
        yield finding("impossible", "21.2", "no objective of {forces} is captured", forces=going_on)
