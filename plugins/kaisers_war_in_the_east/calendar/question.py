"""The questions `turn`, `next` and `due`: steps of a game turn, the next phase, and schedules.

Rules 5.4, 6, 12.2 and 15 to 17.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from types import MappingProxyType
from typing import Annotated, Any

from assistant.asking import Gather, note
from assistant.asking.permission import holding
from assistant.asking.question import declare
from assistant.asking.report import Report, Step, Verdict, step, verdict
from assistant.asking.view import View
from assistant.rules import next_phase, phase_now, turns
from assistant.rules.due import due_question
from assistant.rules.following import find_followers, may_follow
from assistant.rules.owed_retreats import judge_retreats
from assistant.rules.phase_now import Duty, Judges, StepFinding
from assistant.rules.stacks import crowded_hexes
from assistant.rules.turns import finding, of_position
from assistant.state.changes import Gain
from assistant.util.errors import quoted

from ..combat.results import RESULT, RESULTS, has_held, may_pursue
from ..forces import formation_taken, has_room
from ..ground import SEA, romania_enters
from ..seasons import is_settled, season, year_of
from ..supply.attrition import find_checks
from ..terms import ALLIES, OWES, Effort
from ..victory.points import main_effort
from . import events, schedule


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
        judges=STEP_JUDGES,
        whole=whole,
    )


def _choose_verdict(view: View, turn: GameTurn) -> Verdict:
    text = "{date}, turn {turn}: {season}, Main Effort in the {effort}; the {side} move first"
    figures: dict[str, Any] = {"side": view.title_of(turn.players[0].side), "effort": turn.effort.title()}
    unsettled, counts = phase_now.format_unsettled(turn.states)
    return verdict("figure", text + (f"; {unsettled}" if unsettled else ""), turn, **figures, **counts)


def order_in(facts: Gather) -> tuple[str, ...]:
    """Return the sides in the order of their player turns, by the Main Effort of the year. Rule: 6.1"""
    return schedule.order_of_play(main_effort(facts))


def _player_turn(view: View, player: phase_now.PlayerTurn) -> PlayerTurn:
    supply = schedule.free_supply(view, player.side)
    return PlayerTurn(side=player.side, units=player.units, phases=player.phases, supply=supply)


def list_duties_of_phase(turn: GameTurn, view: View, entry: phase_now.PhaseEntry) -> Step | None:
    """Return the duties of the players in a phase, with the arrivals of the schedules.

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
    """Yield the steps before the player turns: Romania's entry and points by options. Rule: 6.2/1, 23.1"""
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
    """Yield the steps after the player turns. Rule: 6.2/4a, 6.2/4b, 3.1"""
    yield from _point_steps(view, turn, "end")
    if turn.last:
        yield step("6.2", "the last turn ends the game: determine the victor (ask victory when=game-end)")
    else:
        yield step("6.2", "move the turn marker to turn {next}", next=turn.turn + 1)


def _point_steps(view: View, turn: GameTurn, at: str) -> Iterator[Step]:
    """Yield the Victory Points that options bring at the start or the end of a turn."""
    capped = "{side}: of these Victory Points only {gain:+} count, as the track goes no farther"
    for due, vp in schedule.option_points(view, turn.turn):
        if due.row.action == f"{at} of turn":
            side = view.title_of(due.who)
            yield step(due.rule, "{side}: {points:+} Victory Points", side=side, points=due.count)
            yield from holding([(vp != due.count, "5.6", capped)], side=side, gain=vp)


# --- what the steps of a phase still ask for --------------------------------------------------------------------------


def _judge_attacks(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield the units that still owe a retreat or may pursue. Rule: 14.3/7, 15.0"""
    owing = [*judge_retreats(view, OWES, "15.0")]
    yield from owing
    yield from judge_pursuits(view, duty.side)
    if not owing:
        yield finding("possible", "14.3", "no unit owes a retreat, so the next attack may be made")


def judge_pursuits(view: View, side: str) -> Iterator[StepFinding]:
    """Yield the units that may pursue into a cleared hex, as recorded by a battle or as stated. Rule: 16.0"""
    for place, names in _find_pursuers(view, side).items():
        with view.gather() as facts:
            units = sorted(name for name in names if may_pursue(formation_taken(facts, view.unit(name), [])))
        if units:
            text = "{units} may pursue into {places}, before the next attack"
            ask = f"pursue units={','.join(map(quoted, units))} at={place}"
            yield finding("possible", "16.0", text, units=units, places=[place], ask=ask)


def _find_pursuers(view: View, side: str) -> dict[str, list[str]]:
    """Return the units that may pursue, by the hex that they may enter."""
    found = find_followers(view)
    for place in view.stated_about.get(RESULT, ()):
        if place in found or view.stack(place) or RESULTS[view.word(RESULT, place)].pursues != "attacker":
            continue
        near = [unit.id for at in view.board.neighbours(place) for unit in view.stack(at)]
        fought = [name for name in near if view.side_of(name) == side and view.flag("fought", name)]
        found[place] = [name for name in fought if may_follow(view, name, place, partial(has_held, view))]
    return found


def judge_stacks(view: View) -> Iterator[StepFinding]:
    """Yield the hexes above the stacking limits at the end of a phase. Rule: 12.2"""
    with view.gather() as facts:
        full = [place for place in crowded_hexes(view) if not has_room(facts, place)]
    if full:
        text = "{places} must lose what is over the limits"
        ask = f"stack at={','.join(full)}"
        yield finding("owed", "12.2", text, places=full, ask=ask)
    else:
        yield finding("done", "12.2", "no hex is over the limits")


def _judge_arrivals(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield the question that lists a side's arrivals. Rule: 9.2"""
    side = view.game.file.the_side(duty.side)
    yield finding("possible", "9.2", "of {side}", side=side, ask=f"arrivals side={duty.side}")


def judge_assaults(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield the units at sea that have not made their amphibious assault. Rule: Opt/Amph/5"""
    waiting = [unit for unit in view.units() if unit.place and view.word("terrain", unit.place) == SEA]
    own = [unit.id for unit in waiting if view.side_of(unit.id) == duty.side and not view.flag("fought", unit.id)]
    if own:
        yield finding("owed", "Opt/Amph/5", "{units} must attack from the sea", units=own, ask="battle at=HEX")
    else:
        yield finding("done", "Opt/Amph/5", "no unit waits at sea")


def judge_attrition(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield the units that still have to check for supply attrition. Rule: 17.8"""
    with view.gather() as facts:
        units = find_checks(facts, duty.side)
    if units:
        yield finding("owed", "17.8", "{units} must check", units=units, ask=f"attrition side={duty.side}")
    else:
        yield finding("done", "17.8", "no unit has to check any more")


def judge_die(report: Report[Any], duty: Duty) -> Iterator[StepFinding]:
    """Yield whether a die of the calendar is due, according to its report.

    Rule: Opt/Rev1, Opt/Rev2, Opt/VarRomania
    """
    rule = duty.what.rule
    if report.asks:
        yield finding("owed", rule, "the die is due")
    elif report.changes:
        yield finding("owed", rule, report.verdict.text, changes=report.changes)
    else:
        yield finding("done", rule, "no die is due")


def judge_points(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield whether the Victory Points of the turn have been scored. Rule: 5.4, 6.2/4a"""
    scored = is_settled(view, "victory-points")
    yield finding("done" if scored else "owed", "5.4", "they have been scored" if scored else "not scored yet")


STEP_JUDGES: Judges = MappingProxyType(
    {
        "arrivals": _judge_arrivals,
        "assaults": judge_assaults,
        "attacks": _judge_attacks,
        "attrition": judge_attrition,
        "revolution": lambda view, duty: judge_die(events.judge_revolution(view, {}), duty),
        "romania": lambda view, duty: judge_die(events.judge_romania(view, {}), duty),
        "stacks": of_position(judge_stacks),
        "victory-points": judge_points,
    }
)
"""The functions that judge the steps of a phase, by the step's name in `course.toml`."""
QUESTIONS = (
    declare("turn", "who does what in a game turn, what arrives, which dice are rolled, and what is owed", game_turn),
    turns.next_question(STEP_JUDGES, next_phase.TurnCourse(order_in, schedule.last_turn)),
    due_question(schedule.list_due, schedule.fact_of),
)
