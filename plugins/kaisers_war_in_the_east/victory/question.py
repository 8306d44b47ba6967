"""The question `victory`: Victory Points now, after this turn and at the end of the game, and who has won at what level."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from assistant.questions import Answers, Parameters, Part, Report, Step, Verdict, View, declare, note, step, verdict
from assistant.state.changes import Gain

from ..ground.places import hexes_with
from .points import IMPERIAL, SUDDEN, Objective, Standing, holds_all, level, objectives, overthrown, standing


class VictoryParameters(Parameters, frozen=True):
    """When Victory Points are counted."""

    when: Annotated[Literal["now", "turn-end", "game-end"], note("now, at the end of the turn, or of the game")] = "now"
    complete: Annotated[bool, note("whether the Strategic Objectives that are stated are all of the map")] = False


class Victory(msgspec.Struct, frozen=True, kw_only=True):
    """The Victory Points of both sides, and what they mean."""

    standings: Annotated[tuple[Standing, ...], note("the points of each side")]
    objectives: Annotated[tuple[Objective, ...], note("the Strategic Objectives that are known")]
    sudden: Annotated[bool, note("whether the game ends at once")] = False
    winner: Annotated[str, note("the side that wins, empty for nobody")] = ""
    difference: Annotated[
        int, note("the difference of the totals, or the winner's points after a Sudden Death Victory")
    ] = 0
    level: Annotated[str, note("the level of victory")] = ""


def answer(view: View, parameters: VictoryParameters, answers: Answers) -> Report[Victory]:
    """The report on Victory Points: who has won if the game ended now, and what the end of the turn brings."""
    del answers
    with view.gather() as facts:
        found = objectives(facts)
        standings = tuple(standing(facts, side, found) for side in view.game.file.sides)
    if found and not parameters.complete:
        text = "objectives that are not stated bring nobody anything; {objectives} are (complete=yes if the map has no others)"
        view.presume(Step("2.1", text, {"objectives": [one.hex for one in found]}))
    if not found:
        view.presume(Step("2.1", "no objective is held (state them: HEX objective country=... control=...)", {}))
    if not hexes_with(view, "city"):
        view.presume(Step("4.2", "no side holds enemy cities (state them: HEX city country=... control=...)", {}))
    victory = judged(Victory(standings=standings, objectives=found), complete=parameters.complete)
    changes: tuple[Gain, ...] = ()
    if parameters.when == "turn-end":
        changes = tuple(
            Gain("vp", one.side, one.total - one.points, "5.4") for one in standings if one.total != one.points
        )
    return Report(
        title="Victory Points",
        verdict=said(view, victory, parameters.when),
        parts=(
            Part("Victory Points", tuple(standing_step(view, one) for one in standings)),
            Part("Strategic Objectives", tuple(objective_step(view, one) for one in found)),
            Part("Victory", tuple(level_steps(view, victory))),
        ),
        changes=changes,
        result=victory,
    )


def judged(victory: Victory, *, complete: bool) -> Victory:
    """Who has won: at once by a Sudden Death, or by the points if the game ends with this turn.

    complete: whether all objectives of the map are known. The winner of a Sudden Death reads his level from his own points and 25 more. Rule: 4.0, 4.1/1, 4.1/2, 4.2
    """
    totals = {one.side: one.points for one in victory.standings}
    gone, holder = overthrown(totals), holds_all(victory.objectives) if complete else ""
    if len(gone) == len(totals):
        return msgspec.structs.replace(victory, sudden=True)
    if gone:
        winner = next(side for side in totals if side not in gone)
        reached = totals[winner] + SUDDEN
        return msgspec.structs.replace(victory, sudden=True, winner=winner, difference=reached, level=level(reached))
    if holder:
        return msgspec.structs.replace(victory, sudden=True, winner=holder, level=IMPERIAL)
    one, other = victory.standings
    difference, name = abs(one.final - other.final), level(abs(one.final - other.final))
    leads = "" if name == level(0) else one.side if one.final > other.final else other.side
    return msgspec.structs.replace(victory, winner=leads, difference=difference, level=name)


def said(view: View, victory: Victory, when: str) -> Verdict:
    """The verdict."""
    one, other = victory.standings
    winner = view.game.file.title_of(victory.winner) if victory.winner else ""
    if victory.sudden and not victory.winner:
        return verdict("figure", "both sides have lost: neither has a Victory Point left")
    if victory.sudden:
        return verdict("figure", "Sudden Death: {level} of the {winner}", victory, winner=winner)
    if when == "game-end":
        text = "{level} of the {winner}" if victory.winner else "{level}: both sides lose"
        return verdict("figure", text, victory, winner=winner)
    field = "points" if when == "now" else "total"
    figures = {"one": getattr(one, field), "other": getattr(other, field)}
    text = "{first} {one}, {second} {other}" + (" after this turn" if when == "turn-end" else "")
    return verdict(
        "figure", text, first=view.game.file.title_of(one.side), second=view.game.file.title_of(other.side), **figures
    )


def standing_step(view: View, one: Standing) -> Step:
    """The points of a side in words."""
    text = "{side}: {points} on the track, {gain:+} for objectives = {total} after this turn"
    return step(
        "5.4",
        text + "; {cities:+} for enemy cities = {final} at the end of the game",
        one,
        side=view.game.file.title_of(one.side),
    )


def objective_step(view: View, one: Objective) -> Step:
    """An objective in words."""
    text = "{hex}: {controller}, {points:#Victory Point} a turn" if one.controller else "{hex}: controlled by nobody"
    holder = view.game.file.title_of(one.controller) if one.controller else ""
    return step("5.4", text, one, controller=holder)


def level_steps(view: View, victory: Victory) -> list[Step]:
    """How the level of victory is found."""
    winner = view.game.file.title_of(victory.winner) if victory.winner else ""
    if victory.sudden:
        if not victory.winner:
            return [step("4.1", "no side has a Victory Point left: both lose")]
        if victory.difference:
            text = "the other side has no Victory Point left: the {winner} add 25 and have {difference}, {level}"
            return [step("4.1", text, victory, winner=winner)]
        return [step("4.1", "the {winner} control every Strategic Objective: {level}", victory, winner=winner)]
    text = "if the game ends with this turn: a difference of {difference}, {level}"
    return [
        step(
            "4.3",
            text + (" for the {winner}" if victory.winner else ", so that both sides lose"),
            victory,
            winner=winner,
        )
    ]


QUESTION = declare("victory", "Victory Points of both sides, what objectives bring, and who has won", answer)
