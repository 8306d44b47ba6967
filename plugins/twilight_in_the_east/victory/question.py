"""The question `victory`: Victory Points by source, the present winner, and points still to be won or lost (27)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from operator import itemgetter
from types import SimpleNamespace
from typing import Annotated

import msgspec

from assistant.asking import MissingFacts, View, declare, note
from assistant.asking.asks import Ask, ask_for_fact
from assistant.asking.case import list_bars
from assistant.asking.report import Part, Report, Step, Verdict, step, verdict
from assistant.rules.victory import (
    Lead,
    PointsAccount,
    Score,
    Scoring,
    Winning,
    format_sources,
    lead_of,
    level_by_lead,
    point_sources,
    score_by,
    scoring_places,
)

from ..arrivals.new_armies import LAST_CALL_TURN, is_western_front_used, read_call, score_of_call
from ..forces.armies import side_of_army
from ..forces.objectives import bound_forces, force_title
from ..plans.facts import PlanOfForce, is_forestalled
from ..plans.rules import FIRST_ABANDONMENT_TURN, ForcePlan, points_for_achieving
from ..scoring.points import (
    ACCOUNTS,
    ATTACKS,
    CALL,
    DIVISIONS,
    PLAN_POINTS,
    PLANS,
    PREPARED_END,
    SUPPLY_UNITS,
    TOWNS,
    enemy_of,
    star_holder,
)

WORDS = {
    ATTACKS: "for Prepared Attacks",
    PLANS: "for Strategic Plans",
    CALL: "for the Western call",
    TOWNS: "for towns",
    DIVISIONS: "for divisions",
    SUPPLY_UNITS: "for supply units",
}
SOURCES = tuple(PointsAccount(track, WORDS[track], rule) for track, rule in ACCOUNTS.items())
"""The accounts of a side's Victory Points, one for each source in the Victory Point Schedule."""
SCENARIO_WITH_LEVELS = "29.1"
"""The only scenario that has levels of victory (27.0)."""
MAGNITUDES = ("Medium", "Large", "Massive")
"""The Magnitudes of Prepared Attacks that earn points."""
LEVELS = "victory-levels"
"""The track of a side's levels of victory, each with the lead that it requires."""


class CallPoints(msgspec.Struct, frozen=True):
    """The points of the call for the Western Front reinforcements."""

    turn: Annotated[int, note("the game turn of the call")]
    points: Annotated[int, note("Victory Points of the Central Powers")]


class VictoryResult(Winning, frozen=True, kw_only=True):
    """The present winner, and possible changes; the places are starred towns."""

    plans: Annotated[tuple[ForcePlan, ...], note("the Strategic Plans that may still bring or cost points")] = ()
    calls: Annotated[tuple[CallPoints, ...], note("what the call brings in this game turn and in each later one")] = ()


def answer(view: View) -> Report[VictoryResult]:
    """Return the report on Victory Points."""
    scores = tuple(score_by(side, point_sources(view, side, SOURCES)) for side in view.game.file.sides)
    levels = {score.side: _parse_levels(view, score.side) for score in scores}
    points = {score.side: score.total for score in scores}
    lead, level = judge_victory(points, levels, view.word("scenario"))
    turn = view.integer("turn")
    result = VictoryResult(
        scores=scores,
        winner=lead.side,
        lead=lead.by,
        level=level,
        places=scoring_places(view, "star", partial(star_holder, view)),
        plans=tuple(_plans_open(view, turn)),
        calls=tuple(_list_open_calls(view, turn)),
    )
    if not result.places:
        view.premises.assume(step("27.2.4", "no starred town counts, as none is stated (HEX star=2)"))
    return Report(
        title="Victory Points",
        verdict=_choose_verdict(view, result),
        parts=(
            Part("Victory Points", (*(_format_score(view, score) for score in scores), marker_step(view, lead))),
            Part("Levels of victory", tuple(_level_steps(view, lead, levels))),
            Part("Towns", tuple(_town_steps(view, result.places))),
            Part("Strategic Plans", tuple(_plan_steps(view, result.plans, turn))),
            Part("Exceptions of the scenario", tuple(_exception_steps(view))),
            Part("The Western Front reinforcements", tuple(_call_steps(result.calls))),
        ),
        asks=tuple(_ask_for_levels(view, lead, levels)),
        result=result,
    )


def judge_victory(
    points: Mapping[str, int], levels: Mapping[str, Mapping[str, int]], scenario: str
) -> tuple[Lead, str]:
    """Return which side leads with these points, and the level of its victory, or "" if it has none.

    `levels`: the levels of victory of each side, each with the minimum lead.
    `scenario`: the name of the scenario, or "" if it is not stated.

    Rule: 27.0
    """
    lead = lead_of(points)
    own = levels.get(lead.side, {}) if scenario == SCENARIO_WITH_LEVELS else {}
    greatest_first = sorted(own.items(), key=itemgetter(1), reverse=True)
    return lead, level_by_lead(lead.by, dict(greatest_first))


def _parse_levels(view: View, side: str) -> dict[str, int]:
    """Return the stated levels of victory of a side, each with the minimum lead."""
    return {level: int(lead) for level, lead in view.amounts(LEVELS, side).items()}


# --- points that may still come ---------------------------------------------------------------------------------------


def _plans_open(view: View, turn: int) -> Iterator[ForcePlan]:
    """Yield the Strategic Plans that have not ended; distances of units are left out if facts for them are missing."""
    for force in bound_forces(view):
        try:
            plan = PlanOfForce(view, force, turn).read()
        except MissingFacts:
            plan = PlanOfForce(view, force, turn).read(measured=False)
        if not plan.outcome:
            yield plan


def _list_open_calls(view: View, turn: int) -> Iterator[CallPoints]:
    """Yield the points of the call for the Western Front reinforcements by game turn."""
    if not turn:
        return
    for later in range(turn, LAST_CALL_TURN + 1):
        if not list_bars(read_call(view, later).bars_of_call):
            yield CallPoints(later, score_of_call(later))


# --- the result in words ----------------------------------------------------------------------------------------------


def _choose_verdict(view: View, result: VictoryResult) -> Verdict:
    text = ", ".join(f"{view.title_of(score.side)} {score.total}" for score in result.scores)
    if not result.winner:
        return verdict("figure", "{totals}: neither side leads", totals=text)
    line = "{totals}: {leader} would win if the game ended now, {lead:#point} ahead[victory_level:, {victory_level}]"
    leader = view.game.file.the_side(result.winner)
    level = SimpleNamespace(victory_level=result.level)
    return verdict("figure", line, result, level, totals=text, leader=leader)


def _format_score(view: View, score: Score) -> Step:
    sources = [source for source in score.sources if source.points]
    text = "{side}: [by_source:{by_source}|none yet][several: = {total}]"
    figures = {"by_source": format_sources(sources), "several": len(sources) > 1}
    return step("27.2", text, score, side=view.title_of(score.side), **figures)


def marker_step(view: View, lead: Lead) -> Step:
    """Return the box of the marker on the track, and its side. Rule: 27.1"""
    if not lead.side:
        return step("27.1", "the VP marker lies at 0")
    text = "the VP marker lies at {lead} with its {leader} side up"
    return step("27.1", text, lead=lead.by, leader=view.title_of(lead.side))


def _level_steps(view: View, lead: Lead, levels: dict[str, dict[str, int]]) -> Iterator[Step]:
    """Yield the points that each side still needs for each level of victory."""
    if view.word("scenario") != SCENARIO_WITH_LEVELS:
        return
    for side, own in levels.items():
        ahead = lead.by if side == lead.side else -lead.by
        for level, least in sorted(own.items(), key=itemgetter(1)):
            if least > ahead:
                text = "{side}: {behind:#point} short of {victory_level}, a lead of {lead}"
                behind = least - ahead
                yield step("27.0", text, side=view.title_of(side), behind=behind, victory_level=level, lead=least)


def _ask_for_levels(view: View, lead: Lead, levels: dict[str, dict[str, int]]) -> Iterator[Ask]:
    """Yield the question for the leader's levels of victory, if the scenario has them and none are stated."""
    if view.word("scenario") == SCENARIO_WITH_LEVELS and lead.side and not levels[lead.side]:
        yield ask_for_fact(view.game.track(LEVELS), lead.side)


def _town_steps(view: View, towns: Sequence[Scoring]) -> Iterator[Step]:
    """Yield the starred towns with their holders and the side that may score."""
    for town in towns:
        if town.controller:
            enemy = view.game.file.the_side(enemy_of(view, town.controller))
            holder = view.game.file.the_side(town.controller)
            text = "{hex}: {victory_points:#Victory Point} for {side}, if its troops occupy it; held by {holder}"
            yield step("27.2.4", text, hex=town.hex, victory_points=town.points, side=enemy, holder=holder)
        else:
            how = f"{town.hex} star-holder={'|'.join(view.game.file.sides)}"
            text = "{hex}: {victory_points:#Victory Point}; state who holds it ({how})"
            yield step("27.2.4", text, hex=town.hex, victory_points=town.points, how=how)


def _find_fewer_points(force: str, turn: int) -> tuple[int, int] | None:
    """Return the next game turn in which achieving a plan brings fewer points, and those points, or None."""
    after = next((last + 1 for last, _ in PLAN_POINTS if turn <= last), turn)
    now = points_for_achieving(force, "", turn)
    then = points_for_achieving(force, "", after)
    return (after, then) if then < now else None


def _plan_steps(view: View, plans: Sequence[ForcePlan], turn: int) -> Iterator[Step]:
    """Yield the points of each Strategic Plan for achieving and abandoning it."""
    for plan in plans:
        who = view.game.file.the_side(side_of_army(plan.force))
        army = force_title(view, plan.force)
        if not turn:
            yield step("27.2.2", "{army}: what its plan brings depends on the game turn (turn=1)", army=army)
            continue
        forestalled = is_forestalled(plan, turn)
        less = None if forestalled else _find_fewer_points(plan.force, turn)
        from_turn, fewer = less or (None, None)
        yield step(
            "27.2.2",
            "{army}: [gain:{gain:#Victory Point} if achieved in GT {turn}|nothing if achieved]"
            "[forestalled:, as another army holds its objective][less:, {fewer} from GT {from_turn} on]; "
            "[costs:it costs {side} {penalty:#Victory Point} if abandoned|if abandoned it costs Victory Points by the "
            "distance of its nearest infantry formation][measured:, {distance:#hex} from an objective]"
            "[early:; that is allowed from GT {first} on]",
            plan,
            SimpleNamespace(
                turn=turn,
                fewer=fewer,
                from_turn=from_turn,
                side=who,
                penalty=plan.cost,
                first=FIRST_ABANDONMENT_TURN,
            ),
            army=army,
            forestalled=forestalled,
            less=less,
            costs=plan.cost is not None,
            measured=None not in (plan.cost, plan.distance),
            early=turn < FIRST_ABANDONMENT_TURN,
        )


def _exception_steps(view: View) -> Iterator[Step]:
    for magnitude in ("", *MAGNITUDES):
        end = view.fact(f"{PREPARED_END}-{magnitude.casefold()}" if magnitude else PREPARED_END)
        if end is not None and magnitude:
            text = "Prepared Attacks of {magnitude} Magnitude earn no Victory Points after GT {turn}"
            yield step("27.2.1", text, magnitude=magnitude, turn=end.value)
        elif end is not None:
            yield step("27.2.1", "Prepared Attacks earn no Victory Points after GT {turn}", turn=end.value)
    if not is_western_front_used(view):
        yield step("22.1", "the Western Front reinforcements are not used")


def _call_steps(calls: Sequence[CallPoints]) -> Iterator[Step]:
    """Yield the points of the call for the Western Front reinforcements, now and later."""
    if calls:
        by_turn = [f"{call.points:+d} in GT {call.turn}" for call in calls]
        yield step("27.2.3", "for the Central Powers, if called: {by_turn}", by_turn=by_turn)


QUESTION = declare(
    "victory",
    "who is winning: the Victory Points of both sides by source, and what stands to be won or lost next",
    answer,
)
