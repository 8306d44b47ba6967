"""The question `scenario`: what a scenario that its owner has typed still lacks, and what in the position is not of it (29.0)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec

from assistant.game.course import SCENARIO
from assistant.questions import Parameters, View, declare, note
from assistant.questions.report import Ask, MissingFacts, Part, Report, Step, step, verdict
from assistant.readymade.scenarios import LACKS, Gap, scenario_gaps

from .rules import Misfit, belongs_to, campaign_misfit


class ScenarioParameters(Parameters, frozen=True, kw_only=True):
    """A scenario."""

    scenario: Annotated[
        str, note("the name of its set-up in the pack; if left out, the scenario that the position states", "name")
    ] = ""


class ScenarioResult(msgspec.Struct, frozen=True, kw_only=True):
    """What a scenario lacks, and what is not of it."""

    scenario: Annotated[str, note("the scenario")]
    gaps: Annotated[tuple[Gap, ...], note("what is still to be typed, in the order in which it is best typed")]
    misfits: Annotated[tuple[Misfit, ...], note("what in the position is not of the scenario")]


def answer(view: View, parameters: ScenarioParameters) -> Report[ScenarioResult]:
    """The report on a scenario. Raises MissingFacts if none is named or stated."""
    scenario = parameters.scenario or view.word(SCENARIO)
    if not scenario:
        known = tuple(name for name in view.game.setups if view.game.set_up(name).is_owners)
        ask = Ask(
            kind="parameter", name=SCENARIO, rule="29.0", title="the scenario", how="scenario=NAME", options=known
        )
        raise MissingFacts([ask])
    gaps = tuple(scenario_gaps(view.game, scenario))
    misfits = tuple(_misfits(view, scenario))
    result = ScenarioResult(scenario=scenario, gaps=gaps, misfits=misfits)
    lacks = "{misfits:#fact} not of the scenario, {missing:#kind} of facts still to be typed"
    whole = verdict("yes", "nothing is missing", result)
    return Report(
        title=f"Scenario {scenario}",
        verdict=verdict("no", lacks, misfits=len(misfits), missing=len(gaps)) if gaps or misfits else whole,
        parts=(
            Part("Not of the scenario", tuple(_misfit_step(misfit) for misfit in misfits)),
            Part(LACKS, tuple(gap.step for gap in gaps)),
        ),
        result=result,
    )


def _misfits(view: View, scenario: str) -> Iterator[Misfit]:
    """What in a position is not of its scenario."""
    others = tuple(unit.id for unit in view.units() if not belongs_to(scenario, view.word("russian-set", unit.id)))
    if others:
        yield Misfit("3.2.1", others, "of a set of units that this scenario does not have")
    if what := campaign_misfit(scenario, campaign=view.flag("campaign")):
        yield Misfit("29.0", (), what)


def _misfit_step(misfit: Misfit) -> Step:
    return step(misfit.rule, "{units}: {what}" if misfit.units else "{what}", misfit)


QUESTION = declare(
    "scenario", "what a scenario that its owner types still lacks, and what is not of it", answer, decision=None
)
