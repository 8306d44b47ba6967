"""The question `abandon`: whether an army or corps may abandon its Strategic Plan now, and the cost (21.3, 27.2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec
from msgspec.structs import replace

from assistant.asking import InputError, Parameters, View, declare, if_known, note, permission
from assistant.asking.asks import Ask
from assistant.asking.case import fact, list_bars
from assistant.asking.permission import Clause
from assistant.asking.report import MissingFacts, Part, Report, Step, step
from assistant.state.vocabulary import Allowed

from ..forces.armies import is_shown, side_of_army
from ..forces.objectives import OUTCOME, asks_if_bound, bound_forces, force_title, is_corps
from ..ground.calendar import QuietWork
from .facts import PlanOfForce, force_named
from .rules import FIRST_ABANDONMENT_TURN, cost_of_abandoning


class AbandonParameters(Parameters, frozen=True):
    """Parameters of the question `abandon`."""

    army: Annotated[str, note("the army or corps, such as 'russian Second' or 'russian 2 Corps'")] = ""
    distance: Annotated[
        Annotated[int, msgspec.Meta(ge=0, le=120)] | None,
        note("hexes from its closest infantry formation to any of its objectives; measured if left out"),
    ] = None


class AbandonResult(msgspec.Struct, frozen=True, kw_only=True):
    """The permission to abandon a plan, and its cost."""

    force: Annotated[str, note("the army by side and name, or the corps")]
    allowed: Allowed = False
    distance: Annotated[
        int | None, note("hexes from its closest infantry formation to any of its objectives, null where not known")
    ] = None
    nearest: Annotated[str, note("the infantry formation closest to any objective, empty if none is known")] = ""
    objective: Annotated[str, note("the objective closest to it, empty if none is known")] = ""
    cost: Annotated[int | None, note("the Victory Points that its side loses, null where not known")] = None


class Abandoning(QuietWork):
    """The wish of an army or corps to abandon its plan; shared objectives do not matter."""

    force: str
    outcome: str
    """The way in which the plan has ended, or "" if it has not."""
    due = "attachment"
    rule = "21.3"
    first = FIRST_ABANDONMENT_TURN

    @fact
    def bound(self) -> bool:
        """A Strategic Plan binds it."""
        return asks_if_bound(self.facts, self.force)

    @fact
    def early(self) -> bool:
        """Plans may not be abandoned yet in this game turn."""
        return self.facts.integer("turn") < self.first

    def bars(self) -> Iterator[Clause]:
        """Yield the reasons why the force may not abandon its plan in an Attachment Phase of its side. Rule: 21.3"""
        yield self.outcome, "21.1", "its plan has been {outcome}"
        yield not self.outcome and not self.bound, "21.1", "no Strategic Plan binds it"
        yield self.early, "21.3", "a plan may be abandoned from GT {first} on"


def answer(view: View, parameters: AbandonParameters) -> Report[AbandonResult]:
    """Return the report on abandoning a plan.

    Raises MissingFacts for the army, the game turn, whether a plan is in force, and the distance.

    Raises InputError for an army without objectives or of the enemy.
    """
    if not parameters.army:
        raise MissingFacts([_ask_for_army(view)])
    force = force_named(view, parameters.army)
    side = side_of_army(force)
    if not is_shown(view, side):
        raise InputError(f"army: {force_title(view, force)} is the enemy's", hint="each side abandons its own plans")
    case = Abandoning(view=view, side=side, force=force, outcome=view.word(OUTCOME, force))
    reasons = list_bars(case.bars_of_phase, case.bars)
    turn = view.integer("turn")
    plan = PlanOfForce(view, force, turn)
    result = AbandonResult(force=force)
    called = force_title(view, force)
    if not reasons:
        result = _measure(plan, parameters.distance)
    changes = plan.abandon(result.cost) if result.cost is not None else []
    working = () if reasons else _working_steps(result)
    report = permission(
        f"The Strategic Plan of {called}",
        (
            "{force} may abandon its Strategic Plan, which costs {cost:#Victory Point}",
            "{force} may not abandon its plan: {why}",
        ),
        reasons,
        result,
        working={"Victory Points": working},
        changes=changes,
        force=called,
    )
    too_soon = {reason.rule for reason in reasons} == {"21.3"}
    binds = too_soon and turn and if_known(view, lambda _: case.bound)
    would = tuple(_cost_steps(plan, parameters.distance)) if binds else ()
    return replace(report, parts=(*report.parts, Part("Victory Points", would)))


def _cost_steps(plan: PlanOfForce, given: int | None) -> Iterator[Step]:
    """Yield the cost of a plan that may not be abandoned yet, if it is known.

    `given`: as in `_measure`.
    """
    result = if_known(plan.view, lambda _: _measure(plan, given))
    if result:
        text = (
            "as its units stand, that would cost {cost:#Victory Point}"
            "[nearest:, as {nearest} is {distance:#hex} from {objective}]"
        )
        yield step("27.2", text, result)


def _ask_for_army(view: View) -> Ask:
    """Return the question for an army or corps, with the forces bound by a plan as options."""
    how = "army=NAME"
    own = tuple(force for force in bound_forces(view) if is_shown(view, side_of_army(force)))
    return Ask(kind="parameter", name="army", rule="21.3", title="the army or corps", how=how, options=own)


def _measure(plan: PlanOfForce, given: int | None) -> AbandonResult:
    """Return the cost of abandoning a plan.

    `given`: the distance that the player states, or None to measure it.

    Raises MissingFacts if the distance is not known.
    """
    force = plan.force
    if given is not None or is_corps(force):
        return AbandonResult(force=force, distance=given, cost=cost_of_abandoning(force, given))
    now = plan.read()
    if now.distance is None:
        called = force_title(plan.view, force)
        title = f"hexes from the closest infantry formation of {called} to any of its objectives"
        raise MissingFacts([Ask(kind="parameter", name="distance", rule="27.2", title=title, how="distance=N")])
    closest = next(each for each in now.objectives if each.distance == now.distance)
    cost = cost_of_abandoning(force, now.distance)
    return AbandonResult(force=force, distance=now.distance, nearest=closest.nearest, objective=closest.name, cost=cost)


def _working_steps(result: AbandonResult) -> tuple[Step, ...]:
    if is_corps(result.force):
        return (step("27.2", "the plan of a corps costs {cost:#Victory Point}, whatever the distance", result),)
    text = (
        "[nearest:{nearest} is {distance:#hex} from {objective}|{distance:#hex} from an objective]: "
        "{cost:#Victory Point}"
    )
    return (step("27.2", text, result),)


QUESTION = declare(
    "abandon", "whether an army or corps may abandon its Strategic Plan now, and what that costs", answer
)
