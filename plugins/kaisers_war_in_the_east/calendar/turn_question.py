"""The question `turn`: who does what in order in a game turn, what arrives, and which dice are thrown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec

from assistant.game.course.file import Phase, course_file
from assistant.game.course.turns import numbers_of, turns
from assistant.questions import (
    Answers,
    MissingFacts,
    Parameters,
    Part,
    Report,
    Step,
    View,
    declare,
    note,
    step,
    verdict,
)
from assistant.state.changes import AnyChange, Gain

from ..ground.seasons import season, year_of
from ..terms import ALLIES, CENTRAL_POWERS
from ..victory.losses import main_effort
from .entry import enters_now, first_revolution_due, last_turn, rolls_for_romania, romanian_chance
from .schedule import agreed, option_points, scheduled, supply_sources

OPTIONS = {
    "Opt/Rev1": "revolutions",
    "Opt/PSYWAR/1": "psywar",
    "Opt/FortConv": "fortress-conversion",
    "Opt/Fog/1": "fog-of-war",
    "Opt/Fog/3": "fog-of-war",
}
"""The optional rule to which a step of the sequence of play belongs, by the rule of the step."""


class TurnParameters(Parameters, frozen=True):
    """No parameters: the position states the turn."""


class PlayerTurn(msgspec.Struct, frozen=True, kw_only=True):
    """A player turn."""

    side: Annotated[str, note("whose it is")]
    units: Annotated[tuple[str, ...], note("units that arrive")]
    supply: Annotated[int | None, note("supply units received at no cost, null if the Turn Record Chart has to tell")]
    phases: Annotated[tuple[str, ...], note("its phases in order")]


class GameTurn(msgspec.Struct, frozen=True, kw_only=True):
    """A game turn."""

    turn: Annotated[int, note("its number")]
    date: Annotated[str, note("its date")]
    season: Annotated[str, note("summer, winter or thaw")]
    effort: Annotated[str, note("where the Main Effort of the Central Powers lies")]
    last: Annotated[bool, note("whether it is the last turn")]
    players: Annotated[tuple[PlayerTurn, ...], note("the player turns in order")]
    options: Annotated[tuple[str, ...], note("the optional rules in force")]


def first_player(effort: str) -> str:
    """The side whose player turn comes first: the Allies while the Main Effort lies in the West. Rule: 6.1, 8.0"""
    return ALLIES if effort == "west" else CENTRAL_POWERS


def answer(view: View, parameters: TurnParameters, answers: Answers) -> Report[GameTurn]:
    """The checklist of a game turn. Rule: 6.0, 6.2/1, 6.2/3, 6.2/4a, 6.2/4b, 6.2/turn1"""
    del parameters, answers
    with view.gather() as facts:
        number = facts.integer("turn")
        effort, now = main_effort(facts), season(facts)
    first = first_player(effort)
    order = (first, *(side for side in view.game.file.sides if side != first))
    with view.gather() as facts:
        arriving = {side: [one.unit for one in scheduled(facts, side) if one.turn == number] for side in order}
    record = next(one for one in turns(view.game) if one.number == number)
    phases = course_file(view.game).phase
    players = tuple(
        PlayerTurn(
            side=side,
            units=tuple(arriving[side]),
            supply=free_supply(view, side),
            phases=tuple(one.title for one in phases if one.part == "player-turn"),
        )
        for side in order
    )
    turn = GameTurn(
        turn=number,
        date=record.date.text if record.date else "",
        season=now,
        effort=effort,
        last=number >= last_turn(view),
        players=players,
        options=tuple(sorted(view.words("options"))),
    )
    parts = [Part("Before the player turns", tuple(opening(view, turn, phases)))]
    for which, player in zip(("First", "Second"), players, strict=True):
        parts.append(
            Part(
                f"{which} Player Turn: {view.game.file.title_of(player.side)}",
                tuple(player_steps(view, turn, player, phases)),
            )
        )
    parts.append(Part("After them", tuple(closing(view, turn, phases))))
    text = "{date}, turn {turn}: {season}, Main Effort in the {effort}; the {side} move first"
    return Report(
        title=f"Turn {number}, {year_of(number)}",
        verdict=verdict("figure", text, turn, side=view.game.file.title_of(first), effort=effort.title()),
        parts=tuple(parts),
        changes=tuple(point_changes(view, number)),
        result=turn,
    )


def free_supply(view: View, side: str) -> int | None:
    """The supply units of a side in this turn; None where its owner has to look at the Turn Record Chart."""
    try:
        with view.gather() as facts:
            return sum(one.units for one in supply_sources(facts, side))
    except MissingFacts:
        return None


def opening(view: View, turn: GameTurn, phases: tuple[Phase, ...]) -> Iterator[Step]:
    """What comes before the player turns: the year's strategy, dice for Romania, the points of options. Rule: 6.2/1, 8.0, 23.1"""
    for phase in phases:
        if phase.part == "turn" and comes_up(view, phase.turns, turn.turn):
            yield from (step(one.rule, "{do}: {effort}", do=one.do, effort=turn.effort.title()) for one in phase.steps)
    if enters_now(view, turn.turn):
        yield step("23.1", "Romania enters the war, and Bulgaria in the next player turn of the Central Powers")
    if rolls_for_romania(view, turn.turn):
        text = "the Allied player throws a die: Romania enters the war on {most} or less (ask romania)"
        yield step("Opt/VarRomania", text, most=romanian_chance(turn.turn))
    for row in option_points(view, turn.turn):
        if row["at"] == "start":
            yield step(
                row["rule"],
                "{side}: {points:+} Victory Points",
                side=view.game.file.title_of(row["side"]),
                points=int(row["vp"]),
            )
    if turn.options:
        yield step("Opt/choice", "optional rules in force: {options}", turn)


def player_steps(view: View, turn: GameTurn, player: PlayerTurn, phases: tuple[Phase, ...]) -> Iterator[Step]:
    """What a player does in order: mobilization, reorganization, movement, two combat phases and attrition. Rule: 6.2/2a, 6.2/2b,
    6.2/2c, 6.2/2d, 6.2/2e, 6.2/2f, 9.1
    """
    points = view.integer("vp", player.side)
    for phase in (one for one in phases if one.part == "player-turn"):
        for one in phase.steps:
            if one.who not in ("", player.side) or not comes_up(view, one.turns, turn.turn, one.rule):
                continue
            if one.rule == "Opt/Rev1" and not first_revolution_due(turn.turn, points, view.integer("revolution")):
                continue
            text = "{phase}: {do}"
            if one.rule == "9.2":
                text += " ({units}; "
                text += (
                    "{supply:#supply unit})" if player.supply is not None else "supply units by the Turn Record Chart)"
                )
            yield step(one.rule, text, player, phase=phase.title, do=one.do)


def closing(view: View, turn: GameTurn, phases: tuple[Phase, ...]) -> Iterator[Step]:
    """What comes after the player turns. Rule: 6.2/4a, 6.2/4b, 3.1"""
    for phase in phases:
        if phase.part == "inter-phase":
            yield from (step(one.rule, "{do}", do=one.do) for one in phase.steps)
    for row in option_points(view, turn.turn):
        if row["at"] == "end":
            yield step(
                row["rule"],
                "{side}: {points:+} Victory Points",
                side=view.game.file.title_of(row["side"]),
                points=int(row["vp"]),
            )
    if turn.last:
        yield step("6.2", "the last turn ends the game: determine the victor (ask victory when=game-end)")
    else:
        yield step("6.2", "move the turn marker to turn {next}", next=turn.turn + 1)


def comes_up(view: View, when: str, turn: int, rule: str = "") -> bool:
    """Whether a step comes up in a turn: by its turns, and by the optional rule that it belongs to."""
    return (not when or turn in numbers_of(when, range(1, 41))) and agreed(view, OPTIONS.get(rule, ""))


def point_changes(view: View, turn: int) -> Iterator[AnyChange]:
    """The Victory Points of options in a turn. Rule: Opt/FastMob, Opt/Moltke, Opt/Gallipoli, Opt/Caporetto"""
    for row in option_points(view, turn):
        yield Gain("vp", row["side"], int(row["vp"]), row["rule"])


QUESTION = declare("turn", "who does what in a game turn, what arrives, and which dice are thrown", answer)
