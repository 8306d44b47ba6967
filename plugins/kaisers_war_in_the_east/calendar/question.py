"""The question `turn`: who does what in order in a game turn, what arrives, and which dice are thrown."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Annotated

import msgspec

from assistant.game.course.file import CourseFile, course_file
from assistant.game.course.turns import steps_in, turns
from assistant.questions import Part, Report, Step, View, declare, holding, note, step, verdict
from assistant.state.changes import Gain

from ..ground.countries import romania_enters
from ..ground.seasons import season, year_of
from ..terms import ALLIES
from ..victory.losses import main_effort
from . import schedule


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


def answer(view: View) -> Report[GameTurn]:
    """The checklist of a game turn. Rule: 6.0, 6.2/1, 6.2/3, 6.2/4a, 6.2/4b, 6.2/turn1"""
    with view.gather() as facts:
        number = facts.integer("turn")
        effort, now = main_effort(facts), season(facts)
    order = schedule.order_of_play(effort)
    with view.gather() as facts:
        arriving = {
            side: tuple(one.unit for one in schedule.scheduled(facts, side) if one.turn == number) for side in order
        }
    record = next(one for one in turns(view.game) if one.number == number)
    course = course_file(view.game)
    phases = tuple(one.title for one in course.phase if one.part == "player-turn")
    turn = GameTurn(
        turn=number,
        date=record.date.text if record.date else "",
        season=now,
        effort=effort,
        last=number >= schedule.last_turn(view),
        players=tuple(
            PlayerTurn(side=side, units=arriving[side], supply=schedule.free_supply(view, side), phases=phases)
            for side in order
        ),
        options=tuple(sorted(view.words("options"))),
    )
    parts = [Part("Before the player turns", tuple(opening(view, turn, course)))]
    for which, player in zip(("First", "Second"), turn.players, strict=True):
        title = f"{which} Player Turn: {view.title_of(player.side)}"
        parts.append(Part(title, tuple(player_steps(view, turn, player, course))))
    parts.append(Part("After them", tuple(closing(view, turn, course))))
    text = "{date}, turn {turn}: {season}, Main Effort in the {effort}; the {side} move first"
    return Report(
        title=f"Turn {number}, {year_of(number)}",
        verdict=verdict("figure", text, turn, side=view.title_of(order[0]), effort=effort.title()),
        parts=tuple(parts),
        changes=tuple(Gain("vp", row.side, vp, row.rule) for row, vp in schedule.option_points(view, number) if vp),
        result=turn,
    )


def opening(view: View, turn: GameTurn, course: CourseFile) -> Iterator[Step]:
    """What comes before the player turns: the year's strategy, dice for Romania, the points of options. Rule: 6.2/1, 8.0, 23.1"""
    for _, one in steps_in(view.game, course, "turn", turn.turn):
        yield step(one.rule, "{do}: {effort}", one, effort=turn.effort.title())
    enters = "Romania enters the war, and Bulgaria in the next player turn of the Central Powers"
    rolls = "the Allied player throws a die: Romania enters the war on {most} or less (ask romania)"
    clauses = (
        (turn.turn == romania_enters(view), "23.1", enters),
        (schedule.rolls_for_romania(view, turn.turn), "Opt/VarRomania", rolls),
    )
    yield from holding(clauses, SimpleNamespace(most=schedule.romanian_chance(turn.turn)))
    yield from point_steps(view, turn, "start")
    yield from holding([(turn.options, "Opt/choice", "optional rules in force: {options}")], turn)


def player_steps(view: View, turn: GameTurn, player: PlayerTurn, course: CourseFile) -> Iterator[Step]:
    """What a player does in order: mobilization, reorganization, movement, two combat phases and attrition. Rule: 6.2/2a, 6.2/2b,
    6.2/2c, 6.2/2d, 6.2/2e, 6.2/2f, 9.1
    """
    quiet = not schedule.first_revolution_due(turn.turn, view.integer("vp", ALLIES), view.integer("revolution"))
    supply = "supply units by the Turn Record Chart" if player.supply is None else "{supply:#supply unit}"
    for phase, one in steps_in(view.game, course, "player-turn", turn.turn, player.side, turn.options):
        if not (one.rule == "Opt/Rev1" and quiet):
            text = "{phase}: {do}" + (f" ({{units}}; {supply})" if one.rule == "9.2" else "")
            yield step(one.rule, text, player, one, phase=phase.title)


def closing(view: View, turn: GameTurn, course: CourseFile) -> Iterator[Step]:
    """What comes after the player turns. Rule: 6.2/4a, 6.2/4b, 3.1"""
    for _, one in steps_in(view.game, course, "inter-phase", turn.turn):
        yield step(one.rule, "{do}", one)
    yield from point_steps(view, turn, "end")
    if turn.last:
        yield step("6.2", "the last turn ends the game: determine the victor (ask victory when=game-end)")
    else:
        yield step("6.2", "move the turn marker to turn {next}", next=turn.turn + 1)


def point_steps(view: View, turn: GameTurn, at: str) -> Iterator[Step]:
    """The Victory Points of options at the start or the end of a turn, as far as the track goes."""
    for row, vp in schedule.option_points(view, turn.turn):
        if row.at == at:
            side, capped = view.title_of(row.side), "{side}: {gain:+} of them count, for the track goes no farther"
            yield step(row.rule, "{side}: {points:+} Victory Points", side=side, points=row.vp)
            yield from holding([(vp != row.vp, "5.6", capped)], side=side, gain=vp)


QUESTION = declare("turn", "who does what in a game turn, what arrives, and which dice are thrown", answer)
