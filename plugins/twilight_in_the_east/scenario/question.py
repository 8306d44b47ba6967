"""The question `scenario`: what a scenario that its owner has typed still lacks, and what in the position is not of it
(29.0).
"""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Annotated

import msgspec

from assistant.asking import Parameters, View, declare, note
from assistant.asking.asks import Ask
from assistant.asking.report import MissingFacts, Part, Report, Verdict, step, verdict
from assistant.game.course import SCENARIO
from assistant.rules.scenarios import LACKS, Gap, scenario_gaps

from ..forces.armies import WARSAW_GARRISON, army_of
from ..ground.calendar import campaign_is_unstated
from .rules import Misfit, belongs_to, campaign_misfit, is_campaign


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
    """Return the report on a scenario. Raises MissingFacts if none is named or stated."""
    scenario = parameters.scenario or view.word(SCENARIO)
    if not scenario:
        known = tuple(name for name in view.game.setups if view.game.set_up(name).is_owners)
        how = "scenario=NAME"
        ask = Ask(kind="parameter", name=SCENARIO, rule="29.0", title="the scenario", how=how, options=known)
        raise MissingFacts([ask])
    gaps = (*scenario_gaps(view.game, scenario), *_list_gaps(view, scenario))
    misfits = tuple(_list_misfits(view, scenario))
    result = ScenarioResult(scenario=scenario, gaps=gaps, misfits=misfits)
    strange = tuple(step(each.rule, "[units:{units}: ]{what}", each) for each in misfits)
    return Report(
        title=f"Scenario {scenario}",
        verdict=_choose_verdict(result),
        parts=(Part("Not of the scenario", strange), Part(LACKS, tuple(gap.step for gap in gaps))),
        result=result,
    )


def _choose_verdict(result: ScenarioResult) -> Verdict:
    """Return whether a scenario is complete, in a line."""
    texts = list[str]()
    if result.misfits:
        texts.append("{misfits:#fact} not of the scenario")
    if result.gaps:
        texts.append("{missing:#kind} of facts still to be typed")
    if not texts:
        return verdict("yes", "nothing is missing")
    counts = SimpleNamespace(misfits=len(result.misfits), missing=len(result.gaps))
    return verdict("no", ", ".join(texts), counts)


def _list_misfits(view: View, scenario: str) -> Iterator[Misfit]:
    """Yield what in a position is not of its scenario."""
    others = tuple(unit.id for unit in view.units() if not belongs_to(scenario, view.word("russian-set", unit.id)))
    if others:
        yield Misfit("3.2.1", others, "of a set of units that this scenario does not have")
    what = campaign_misfit(scenario, campaign=view.flag("campaign"))
    if what:
        yield Misfit("29.0", (), what)


def _list_gaps(view: View, scenario: str) -> Iterator[Gap]:
    """Yield what a position does not say of the campaign, though it matters: that units belong to the Warsaw Garrison,
    whose rules hold there alone, in a scenario of which the booklet does not say whether it is a campaign game (24.1).
    """
    garrison = any(army_of(view, unit.id) == WARSAW_GARRISON for unit in view.units())
    if garrison and is_campaign(scenario) is None and campaign_is_unstated(view):
        how = "add: campaign, or campaign=no; the rules of the Warsaw Garrison (24.1) hold only with it"
        yield Gap("the set-up does not state", ("campaign",), how)


QUESTION = declare(
    "scenario", "what a scenario that its owner types still lacks, and what is not of it", answer, decision=None
)
