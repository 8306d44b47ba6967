"""The questions of the calendar: `turn`, who does what in order, what arrives and which dice are thrown; `next`; and
`due`, what comes in a turn or a period (6.0, 6.2).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Annotated, Any

from assistant.asking import Gather, note
from assistant.asking.permission import holding
from assistant.asking.question import declare
from assistant.asking.report import Report, Step, Verdict, step, verdict
from assistant.asking.view import View
from assistant.rules import next_phase, phase_now, turns
from assistant.rules.due import due_question
from assistant.state.changes import Gain

from ..ground import romania_enters
from ..seasons import season, year_of
from ..terms import ALLIES, Effort
from ..victory.eliminations import main_effort
from . import schedule
from .duties import JUDGES


class PlayerTurn(phase_now.PlayerTurn, frozen=True, kw_only=True):
    """A player turn."""

    supply: Annotated[int | None, note("supply units received at no cost, null if only the Turn Record Chart has them")]


class GameTurn(turns.GameTurn, frozen=True, kw_only=True):
    """A game turn."""

    season: Annotated[str, note("summer, winter or thaw")]
    effort: Effort
    last: Annotated[bool, note("whether it is the last turn")]


def game_turn(view: View, *, whole: turns.Whole = False) -> Report[GameTurn]:
    """Return the checklist of a game turn. Rule: 6.0, 6.2/1, 6.2/3, 6.2/4a, 6.2/4b, 6.2/turn1"""
    with view.gather() as facts:
        number = facts.integer("turn")
        effort = main_effort(facts)
        now = season(facts)
    order = schedule.order_of_play(effort)
    with view.gather() as facts:
        sides = phase_now.player_turns(facts, number, order, schedule.units_to_come)
        players = tuple(_player_turn(facts.view, player) for player in sides)
    turn = GameTurn(
        turn=number,
        date=date.text if (date := turns.find_record(view, number).date) else "",
        season=now,
        effort=effort,
        last=number >= schedule.last_turn(view),
        players=players,
        options=tuple(sorted(view.words("options"))),
    )
    return turns.turn_report(
        view,
        turn,
        turns.TurnWords(
            partial(_choose_verdict, view),
            title=f"Turn {number}, {year_of(number)}",
            say=partial(list_duties_of_phase, turn),
            before=opening_steps(view, turn),
            after=closing_steps(view, turn),
        ),
        changes=(Gain("vp", due.who, vp, due.rule) for due, vp in schedule.option_points(view, number) if vp),
        judges=JUDGES,
        whole=whole,
    )


def _choose_verdict(view: View, turn: GameTurn) -> Verdict:
    """Return a turn in a line, with how many steps of its phase are owed or not judged."""
    text = "{date}, turn {turn}: {season}, Main Effort in the {effort}; the {side} move first"
    figures: dict[str, Any] = {"side": view.title_of(turn.players[0].side), "effort": turn.effort.title()}
    unsettled, counts = phase_now.format_unsettled(turn.states)
    return verdict("figure", text + (f"; {unsettled}" if unsettled else ""), turn, **figures, **counts)


def order_in(facts: Gather) -> tuple[str, ...]:
    """Return the sides in the order of their player turns in a turn, by the Main Effort of its year. Rule: 6.1"""
    return schedule.order_of_play(main_effort(facts))


def _player_turn(view: View, player: phase_now.PlayerTurn) -> PlayerTurn:
    """Return a player turn with what the calendar brings."""
    supply = schedule.free_supply(view, player.side)
    return PlayerTurn(side=player.side, units=player.units, phases=player.phases, supply=supply)


def list_duties_of_phase(turn: GameTurn, view: View, entry: phase_now.PhaseEntry) -> Step | None:
    """Return what the players do in a phase of the game turn, with what the schedules bring in it.

    Rule: 6.2/1, 6.2/2a, 6.2/2b, 6.2/2c, 6.2/2d, 6.2/2e, 6.2/2f, 8.0, 9.1
    """
    phase, what, player = entry
    if player is None:
        return step(what.rule, "{do}: {effort}" if phase.part == "turn" else "{do}", what, effort=turn.effort.title())
    quiet = not schedule.is_first_revolution_due(turn.turn, view.integer("vp", ALLIES), view.integer("revolution"))
    if what.rule == "Opt/Rev1" and quiet:
        return None
    supply = "supply units as on the Turn Record Chart"
    if isinstance(player, PlayerTurn) and player.supply is not None:
        supply = "{supply:#supply unit}"
    text = "{phase}: {do}" + (f" ({{units}}; {supply})" if what.rule == "9.2" else "")
    return step(what.rule, text, player, what, phase=phase.title)


def opening_steps(view: View, turn: GameTurn) -> Iterator[Step]:
    """Yield what is done before the player turns besides the strategy: Romania's entry, points by options.

    Rule: 6.2/1, 23.1
    """
    enters = "Romania enters the war, and Bulgaria in the next player turn of the Central Powers"
    rolls = "the Allied player rolls a die: Romania enters the war on {most} or less (ask romania)"
    clauses = (
        (turn.turn == romania_enters(view), "23.1", enters),
        (schedule.is_rolled_for_romania(view, turn.turn), "Opt/VarRomania", rolls),
    )
    yield from holding(clauses, most=schedule.romanian_chance(turn.turn))
    yield from _point_steps(view, turn, "start")
    yield from holding([(turn.options, "Opt/choice", "optional rules in force: {options}")], turn)


def closing_steps(view: View, turn: GameTurn) -> Iterator[Step]:
    """Yield what else comes after the player turns. Rule: 6.2/4a, 6.2/4b, 3.1"""
    yield from _point_steps(view, turn, "end")
    if turn.last:
        yield step("6.2", "the last turn ends the game: determine the victor (ask victory when=game-end)")
    else:
        yield step("6.2", "move the turn marker to turn {next}", next=turn.turn + 1)


def _point_steps(view: View, turn: GameTurn, at: str) -> Iterator[Step]:
    """Yield the Victory Points of options at the start or the end of a turn, as far as the track goes."""
    capped = "{side}: of these Victory Points only {gain:+} count, as the track goes no farther"
    for due, vp in schedule.option_points(view, turn.turn):
        if due.row.action == f"{at} of turn":
            side = view.title_of(due.who)
            yield step(due.rule, "{side}: {points:+} Victory Points", side=side, points=due.count)
            yield from holding([(vp != due.count, "5.6", capped)], side=side, gain=vp)


QUESTIONS = (
    declare("turn", "who does what in a game turn, what arrives, which dice are rolled, and what is owed", game_turn),
    turns.next_question(JUDGES, next_phase.TurnCourse(order_in, schedule.last_turn)),
    due_question(schedule.list_due, schedule.fact_of),
)
