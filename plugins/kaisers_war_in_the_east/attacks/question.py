"""The question `attacks`: every hex that a side can attack, ranked by column, for those who see both sides."""

from __future__ import annotations

from typing import Annotated

import msgspec

from assistant.questions import (
    Answers,
    InputError,
    Parameters,
    Part,
    PlaceName,
    Report,
    SideName,
    Step,
    View,
    declare,
    note,
    ranking,
    step,
    verdict,
)
from assistant.state.hidden import hides

from ..combat.help import rank
from .search import Plan, largest


class AttacksParameters(Parameters, frozen=True):
    """A side that attacks."""

    side: Annotated[SideName, note("the side that attacks")]
    at: Annotated[tuple[PlaceName, ...], note("hexes to look at; all with enemies next to its units if left out")] = ()


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """A hex that can be attacked."""

    at: Annotated[str, note("its number")]
    plain: Annotated[Plan | None, note("the largest attack without Headquarters and supply")] = None
    led: Annotated[Plan | None, note("the largest attack with a Headquarters and without supply")] = None
    most: Annotated[Plan | None, note("the cheapest attack in the highest column that can be reached")] = None
    missing: Annotated[tuple[str, ...], note("facts that are missing")] = ()
    barred: Annotated[str, note("why it cannot be attacked, empty if it can")] = ""


class AttacksResult(msgspec.Struct, frozen=True):
    """The attacks of a side."""

    side: Annotated[str, note("the side that attacks")]
    targets: Annotated[tuple[Target, ...], note("the hexes, those with the highest column first")]


def answer(view: View, parameters: AttacksParameters, answers: Answers) -> Report[AttacksResult]:
    """The report on the attacks of a side, each as if it were the only one. Facts missing of one hex do not stop the others.

    Raises InputError where something is hidden from who asks.
    """
    if hides(view.state):
        hint = "use --umpire, or leave out --as, to see both sides"
        raise InputError("attacks are ranked for solitaire players and umpires, who see both sides", hint=hint)
    targets, asks = ranking.ranked(
        view,
        targets_of(view, parameters),
        at=lambda at: target(view, at),
        lacking=lambda at, missing: Target(at=at, missing=tuple(ask.how for ask in missing.asks)),
        barred=lambda at, error: Target(at=at, barred=error.what),
        order=order,
    )
    parts = tuple(target_part(one) for one in targets)
    best = [one for one in targets if one.most]
    said = (
        verdict("figure", "{targets:#hex} to attack", targets=len(best)) if best else verdict("no", "nothing to attack")
    )
    title = f"Attacks of the {view.game.file.title_of(parameters.side)} side"
    return Report(title=title, verdict=said, parts=parts, asks=asks, result=AttacksResult(parameters.side, targets))


def targets_of(view: View, parameters: AttacksParameters) -> list[str]:
    """The hexes with enemies next to units of a side."""
    sides: dict[str, set[str]] = {}
    for unit in view.units():
        if unit.place and view.board.is_hex(unit.place):
            sides.setdefault(unit.place, set()).add(view.side_of(unit.id))
    ours = {place for place, there in sides.items() if parameters.side in there}
    theirs = {place for place, there in sides.items() if there - {parameters.side, ""}}
    wanted = sorted(theirs & set(parameters.at or theirs))
    return [at for at in wanted if not ours.isdisjoint(view.board.neighbours(at))]


def target(view: View, at: str) -> Target:
    """One hex with the attacks on it."""
    plans = [plan for _, plan in largest(view, at)]
    if not plans:
        return Target(at=at, barred="no attack on it is allowed (ask battle)")
    return Target(
        at=at,
        plain=strongest([plan for plan in plans if not plan.hq and not plan.supply]),
        led=strongest([plan for plan in plans if plan.hq and not plan.supply]),
        most=min(plans, key=lambda plan: (-rank(plan.column), plan.cost, -plan.attack)),
    )


def strongest(plans: list[Plan]) -> Plan | None:
    """The attack with the highest percentage, the first of equals."""
    return max(plans, key=lambda plan: plan.percent, default=None)


def order(target: Target) -> tuple[object, ...]:
    """The place of a hex in the ranking."""
    if target.most is None:
        return 1, bool(target.missing), target.at
    return 0, -rank(target.most.column), target.most.cost, -target.most.percent, target.at


def target_part(target: Target) -> Part:
    """A hex with its attacks."""
    steps: list[Step] = []
    if target.barred:
        steps.append(step("14.4", "{barred}", target))
    steps += [step("14.3", "missing: {how}", how=how) for how in target.missing]
    shown = [target.plain, *([target.led] if target.led != target.plain else [])]
    for plan in [*shown, *([target.most] if target.most not in shown else [])]:
        if plan:
            steps.append(plan_step(plan))
    return Part(f"Attack on {target.at}", tuple(steps))


def plan_step(plan: Plan) -> Step:
    """An attack in a line."""
    text = "{attack} against {defence}, column {column}: {attackers}"
    text += " with {hq}" if plan.hq else ""
    text += ", expending {supply}" if plan.supply else ""
    text += " (concentric)" if plan.concentric else ""
    text += " (Shock table possible)" if plan.shock else ""
    return step("14.13", text, plan)


QUESTION = declare("attacks", "the attacks that a side can make, ranked by column, with what would help", answer)
