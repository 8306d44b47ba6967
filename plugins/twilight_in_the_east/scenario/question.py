"""The question `scenario`: gaps in a typed scenario, and facts and units that do not belong to it (3.2.1, 29.0)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated

import msgspec

from assistant.asking import Parameters, View, declare, note
from assistant.asking.asks import Ask
from assistant.asking.report import MissingFacts, Part, Report, Verdict, step, verdict
from assistant.game.course import SCENARIO, CourseFile
from assistant.rules.scenarios import LACKS, Gap, is_of_set, scenario_gaps
from assistant.util.datafiles import read_toml

from ..forces.armies import WARSAW_GARRISON, army_of
from ..ground.calendar import campaign_is_unstated

CAMPAIGNS = ("29.6", "29.7")
"""The campaign games."""
COURSE = Path(__file__).parents[1] / "course.toml"


class ScenarioParameters(Parameters, frozen=True, kw_only=True):
    """Parameters of the question `scenario`."""

    scenario: Annotated[
        str, note("the name of its set-up in the pack; if left out, the scenario that the position states", "name")
    ] = ""


class Misfit(msgspec.Struct, frozen=True):
    """A mistake: facts or units in a position that do not belong to its scenario."""

    rule: Annotated[str, note("the rule that it is against")]
    units: Annotated[tuple[str, ...], note("the units that it concerns, empty for none")]
    what: Annotated[str, note("what is wrong, in words")]


class ScenarioResult(msgspec.Struct, frozen=True, kw_only=True):
    """The gaps and misfits of a scenario."""

    scenario: Annotated[str, note("the scenario")]
    gaps: Annotated[tuple[Gap, ...], note("what is still to be typed, in the order in which it is best typed")]
    misfits: Annotated[tuple[Misfit, ...], note("what in the position is not of the scenario")]


def answer(view: View, parameters: ScenarioParameters) -> Report[ScenarioResult]:
    """Return the report on a scenario.

    Raises MissingFacts if none is named or stated.
    """
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
    others = tuple(unit.id for unit in view.units() if not belongs_to(scenario, view.word("russian-set", unit.id)))
    if others:
        yield Misfit("3.2.1", others, "of a set of units that this scenario does not have")
    what = campaign_misfit(scenario, campaign=view.flag("campaign"))
    if what:
        yield Misfit("29.0", (), what)


def _list_gaps(view: View, scenario: str) -> Iterator[Gap]:
    """Yield a gap if the Warsaw Garrison is in play, and it is not known whether the scenario is a campaign (24.1)."""
    garrison = any(army_of(view, unit.id) == WARSAW_GARRISON for unit in view.units())
    if garrison and is_campaign(scenario) is None and campaign_is_unstated(view):
        how = "add: campaign, or campaign=no; the rules of the Warsaw Garrison (24.1) hold only with it"
        yield Gap("the set-up does not state", ("campaign",), how)


@cache
def _read_sets() -> Mapping[str, str]:
    """Return the set of Russian units of each scenario of `course.toml` that is not a campaign game."""
    return read_toml(COURSE, CourseFile).scenario.sets["russian-set"]


def is_campaign(scenario: str) -> bool | None:
    """Return whether a scenario is a campaign game, or None if it is not in the booklet.

    Rule: 29.0
    """
    return scenario in CAMPAIGNS if scenario in (*CAMPAIGNS, *_read_sets()) else None


def belongs_to(scenario: str, russian_set: str) -> bool:
    """Return whether a Russian unit of a set belongs to a scenario.

    29.1 and 29.5 have the North set, 29.2 to 29.4 the South set, the campaign games all. A unit of an unstated set
    belongs to any scenario, and any unit to a scenario of one's own.

    `russian_set`: north, south or campaign, by the colour behind its Unit Type Symbol, or none.

    Rule: 3.2.1, 29.0
    """
    return is_of_set("" if russian_set == "none" else russian_set, _read_sets(), scenario)


def campaign_misfit(scenario: str, *, campaign: bool) -> str:
    """Return the mistake if the use of the Grand Campaign rules does not fit the scenario, or "".

    `campaign`: whether these rules are in force.

    Rule: 29.0
    """
    wanted = is_campaign(scenario)
    if wanted is None or wanted == campaign:
        return ""
    if wanted:
        return "it is a campaign game; state: campaign"
    return "it is not a campaign game; leave out: campaign"


QUESTION = declare(
    "scenario", "what a scenario that its owner types still lacks, and what is not of it", answer, decision=None
)
