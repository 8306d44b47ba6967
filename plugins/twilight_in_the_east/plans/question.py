"""The question `plans`: Strategic Plans, distances to objectives, captures, and points (21.0, 27.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Annotated

import msgspec

from assistant.asking import InputError, Parameters, SideName, View, declare, note
from assistant.asking.report import Part, Report, Step, Verdict, step, verdict

from ..forces.armies import is_shown, side_of_army
from ..forces.objectives import force_name, force_title, known_objectives
from .facts import PlanOfForce, asks_for_control, check_stated, force_named, is_forestalled
from .rules import FIRST_ABANDONMENT_TURN, ForcePlan, ObjectiveNow


class PlansParameters(Parameters, frozen=True):
    """Parameters of the question `plans`."""

    army: Annotated[
        str,
        note("one army or corps, such as Second, 'russian Second' or 'russian 2 Corps', or a side; all if left out"),
    ] = ""
    side: Annotated[SideName | None, note("the side whose plans are shown; both if left out")] = None


class PlansResult(msgspec.Struct, frozen=True, kw_only=True):
    """The Strategic Plans of a position."""

    turn: Annotated[int | None, note("the game turn, null if no plan is in force")] = None
    plans: Annotated[tuple[ForcePlan, ...], note("each army and corps whose plan is stated, or that is asked about")]


def answer(view: View, parameters: PlansParameters) -> Report[PlansResult]:
    """Return the report on the plans of a position.

    Raises MissingFacts for the game turn and for the armies of units, and InputError for an army without objectives.
    """
    check_stated(view)
    if parameters.army in view.game.file.sides and not parameters.side:
        parameters = PlansParameters(side=parameters.army)
    if parameters.army and parameters.side:
        raise InputError("army and side are both given", hint="give only one of them")
    forces = [force_named(view, parameters.army)] if parameters.army else [*known_objectives()]
    forces = [force for force in forces if parameters.side in (None, side_of_army(force))]
    turn = _require_turn(view, forces)
    plans = [PlanOfForce(view, force, turn).read() for force in forces]
    shown = [plan for plan in plans if plan.bound is not None or parameters.army]
    in_force = [plan for plan in shown if plan.bound]
    title = "Strategic Plans"
    if parameters.army:
        title = f"Strategic Plan of {force_title(view, forces[0])}"
    return Report(
        title=title,
        verdict=_choose_verdict(view, shown),
        parts=(
            *(Part(force_name(view, plan.force), tuple(_plan_steps(view, plan, turn))) for plan in in_force),
            Part("Ended", tuple(_ended_steps(view, shown))),
            Part("Not stated", tuple(_unstated_steps(shown or plans, everything=not shown))),
        ),
        asks=tuple(ask for plan in in_force for ask in asks_for_control(view, plan)),
        result=PlansResult(turn=turn or None, plans=tuple(shown)),
    )


def _choose_verdict(view: View, plans: Sequence[ForcePlan]) -> Verdict:
    forces = [force_title(view, plan.force) for plan in plans if plan.bound]
    unstated = sum(plan.bound is None for plan in plans)
    text = "no Strategic Plan is [plans:in force|stated][unstated:; {unstated:#army or corps} not stated]"
    if forces:
        text = "under a Strategic Plan: {forces}[unstated:; {unstated:#army or corps} not stated]"
    return verdict("figure", text, SimpleNamespace(forces=forces, unstated=unstated, plans=plans))


def _require_turn(view: View, forces: Sequence[str]) -> int:
    """Return the game turn, or 0 if it is not stated and no plan of these forces is in force.

    Raises MissingFacts if a plan is in force and the turn is not stated.
    """
    if not any(view.flag("plan", force) for force in forces):
        return view.integer("turn")
    with view.gather() as facts:
        return facts.integer("turn")


def _plan_steps(view: View, plan: ForcePlan, turn: int) -> Iterator[Step]:
    for objective in plan.objectives:
        yield _objective_step(view, plan, objective)
    if not is_shown(view, side_of_army(plan.force)):
        yield step("4.2.6", "only the enemy's displays show how near its units are")
    if plan.then:
        text = "once it has captured that, it pursues the objectives of {then}"
        yield step("21.4.1", text, then=force_title(view, plan.then))
    if plan.outcome:
        yield step("21.1", "achieved in GT {since}; it binds until the Player Turn of its side begins", plan)
        return
    if plan.gain:
        text = "if achieved in GT {turn}, it brings {gain:#Victory Point}"
        yield step("27.2", text, plan, turn=turn)
    elif is_forestalled(plan, turn):
        yield step("27.2", "another army holds its objective, so it brings no Victory Points")
    else:
        yield step("27.2", "its objective brings no Victory Points")
    text = (
        "if abandoned in the Attachment Phase[early: from GT {first} on], [known:it costs {cost:#Victory Point} as its "
        "units stand|it costs Victory Points by the distance of its closest infantry formation, which is not known]"
    )
    early = SimpleNamespace(early=turn < FIRST_ABANDONMENT_TURN, first=FIRST_ABANDONMENT_TURN)
    yield step("21.3", text, plan, early, known=plan.cost is not None)


def _objective_step(view: View, plan: ForcePlan, objective: ObjectiveNow) -> Step:
    text = (
        "{name}, {hex}: [nearest:{distance:#hex} from {nearest}|no infantry formation is known to be near]; "
        "[entered:infantry has entered it][unentered:no infantry has entered it]"
        "[unseen:no infantry is known to have entered it]; "
        "[controller:controlled by {controller}|control not recorded][captured:; captured if the Player Turn ends now]"
    )
    # Hidden enemies, and their moves through the hex, are not seen.
    own = is_shown(view, side_of_army(plan.force))
    controller = view.game.file.the_side(objective.control) if objective.control else ""
    entered = {"unentered": not objective.entered and own, "unseen": not objective.entered and not own}
    return step("21.2", text, objective, controller=controller, **entered)


def _ended_steps(view: View, plans: Sequence[ForcePlan]) -> Iterator[Step]:
    """Yield the plans that have ended, and the forces without a plan."""
    for plan in plans:
        if plan.outcome and not plan.bound:
            yield step("21.1", "{force}: {outcome}[since: in GT {since}]", plan, force=force_title(view, plan.force))
    free = [force_title(view, plan.force) for plan in plans if plan.bound is False and not plan.outcome]
    if free:
        yield step("21.1", "without a plan: {forces}", forces=free)


def _unstated_steps(plans: Sequence[ForcePlan], *, everything: bool) -> Iterator[Step]:
    """Yield how to state a plan that is not stated.

    `everything`: whether no plan is stated at all.
    """
    unstated = [plan.force for plan in plans if plan.bound is None]
    if unstated:
        how = f'army "{unstated[0]}" plan'
        text = "[everything:the scenario names the armies and corps that a plan binds; state each: ]{how}"
        yield step("21.0", text, how=how, everything=everything)


QUESTION = declare(
    "plans",
    "which armies and corps a Strategic Plan binds, how near they are to their objectives, and what it brings or costs",
    answer,
)
