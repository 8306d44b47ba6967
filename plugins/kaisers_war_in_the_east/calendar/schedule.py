"""The calendar: what it brings at no cost, who enters the war when, revolutions, and the time for what is done (3.1,
6.2, 9.2, 23).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Annotated, NamedTuple, TypeVar

import msgspec

from assistant.asking import Gather, Step, View, changed, holding, note
from assistant.asking.permission import if_known
from assistant.game import schedules
from assistant.game.games import Game
from assistant.game.schedule_dates import FactOf
from assistant.game.schedule_files import read_schedules
from assistant.rules import arrivals
from assistant.rules.arrivals import Coming, bring_forward, coming_units, reckon_arrivals
from assistant.state.changes import AnyChange, Change, Gain
from assistant.state.tracks import Value
from assistant.util.datafiles import read_records, resolve_within

from ..ground import romania_enters
from ..seasons import known_effort
from ..terms import ALLIES, CENTRAL_POWERS, ROMANIA_ENTERS_AT_LAST, SUPPLY
from ..victory.points import cap_gain, end_game

R = TypeVar("R", bound=msgspec.Struct)
POINTS = "Victory Points"
"""What a row of a schedule brings that changes the score."""
BY_CHART = "supply by chart"
"""What a row of a schedule brings that a chart gives."""
FIRST_ROLL = 16
"""The first turn in which a die is thrown for Romania, May 1916."""
FIRST_TURN_OF_REVOLUTION = 23
"""The first turn of 1917."""
LOW = 25
"""Morale at which the First Revolution breaks out."""
LOWER = 10
"""Morale at which the Second Revolution breaks out."""
LAST_OF_1917 = 31
"""The last turn of the game without the Bolshevik rules."""
LAST_OF_1918 = 40
"""The last turn of the game with the Bolshevik rules."""
FROM_THE_START = ((31, 2), (24, 1))
"""The first turns of scenarios that begin with so many revolutions in effect."""


class Scenario(msgspec.Struct, frozen=True):
    """What a scenario begins with."""

    scenario: str
    first: int
    last: tuple[int, ...]
    vp_central_powers: int
    vp_allies: int
    main_effort: str
    first_player: str
    deploys_first: str
    abteilungen: int
    rule: str
    to_rebuild: tuple[str, ...] = ()


class Source(NamedTuple):
    """Supply units at no cost."""

    units: int
    why: Annotated[str, note("what brings them")]
    rule: Annotated[str, note("its rule")]


def order_of_play(effort: str) -> tuple[str, str]:
    """Return the sides in the order of their player turns: the Allies first while the Main Effort lies in the West.
    Rule: 6.1, 8.0
    """
    return (ALLIES, CENTRAL_POWERS) if effort == "west" else (CENTRAL_POWERS, ALLIES)


def read_rows(game: Game, name: str, kind: type[R]) -> Iterator[R]:
    """Return the rows of a file of the scenarios."""
    path = f"scenarios/{name}.csv"
    return read_records(resolve_within(game.folder, path), kind, path)


def is_agreed(view: View, option: str) -> bool:
    """Return whether an optional rule is in force.

    The players agree on each before play. No optional rule, "", is always in force.
    Rule: Opt/choice
    """
    return not option or option in view.words("options")


def bars_by_phase(view: View, side: str, phase: str, rule: str) -> list[Step]:
    """Return why something is not done now, if another player turn or phase is stated than its own.

    Rule: 6.2/2a, 6.2/2b
    """
    phasing = view.word("phasing")
    now = view.word("phase")
    clauses = (
        (phasing not in ("", side), rule, "it is the player turn of the {phasing}"),
        (now not in ("", phase), rule, "that is done only in the {phase} phase, but this is {now}"),
    )
    return holding(clauses, phasing=view.title_of(phasing), phase=phase, now=now)


def scheduled_units(facts: Gather, side: str) -> tuple[Coming, ...]:
    """Return the units of a side that the rules and options bring, and those of which the position states when they
    arrive.

    A stated turn (`Rus-6 arrives=7`) holds against that of the rules; units on the map, or in a box without such a
    turn, are not due any more.
    Rule: 9.2, 21.5, 23.2, Opt/FastMob, Opt/Caporetto, Opt/VarRomania-arrivals
    """
    return coming_units(facts.view, side, fact_of(facts.view))


def units_to_come(view: View, side: str) -> tuple[Coming, ...]:
    """Return the units of a side that come at no cost; none of the old armies of the Allies after the Second
    Revolution. Rule: 9.2, Opt/Rev2-effects
    """
    with view.gather() as facts:
        return () if standard_allies_gone(facts, side) else scheduled_units(facts, side)


def is_waiting(view: View, coming: Coming) -> bool:
    """Return whether a unit that was due in an earlier turn waits off the map, as it found no open hex. Rule:
    9.7/blocked
    """
    return coming.unit in view.state.units


def fact_of(view: View) -> FactOf:
    """Return what the rows of the schedules go by: what the position states, where the Main Effort lies if it does not
    say so, and when Romania enters the war.
    """

    stated = arrivals.fact_of(view)

    def fact(track: str, subject: str) -> Value | None:
        if track == "romania-enters":
            return romania_enters(view)
        return known_effort(view, view.integer("turn")) if track == "main-effort" else stated(track, subject)

    return fact


def supply_sources(facts: Gather, side: str) -> list[Source]:
    """Return the supply units that a side receives this turn at no cost: by the Turn Record Chart, unless something
    else takes its place, and besides.

    After the First Revolution the Russians receive none by schedule; after the Second one comes with each Bolshevik
    unit.
    Rule: 9.2, Opt/Artillery, Opt/Gallipoli, Opt/Moltke, Opt/Caporetto, Opt/Rev1-effects, Opt/Bolshevik-reinf
    """
    turn = facts.integer("turn")
    view = facts.view
    rows = read_schedules(view.game).where(lambda row: row.who == side and row.item in (SUPPLY, BY_CHART))
    sources = []
    for due in rows.due(turn, fact_of(view)):
        count = _count_units(facts, due) if due.item == BY_CHART else due.count
        sources.append(Source(count, due.row.note, due.rule))
    return sources


def _count_units(facts: Gather, due: schedules.Due) -> int:
    """Return how many supply units the Turn Record Chart brings."""
    return int(str(facts.cell("scheduled-supply", due.who, due.turn).values["units"]))


def free_supply(view: View, side: str) -> int | None:
    """Return the supply units of a side this turn; None where its owner has to look at the Turn Record Chart."""
    return if_known(view, lambda facts: sum(source.units for source in supply_sources(facts, side)))


def option_points(view: View, turn: int) -> list[tuple[schedules.Due, int]]:
    """Return the Victory Points that optional rules bring or cost in a turn, each with how many of them count: the
    track ends somewhere. Rule: 5.6, Opt/FastMob, Opt/Moltke, Opt/Gallipoli, Opt/Caporetto
    """
    rows = read_schedules(view.game).where(lambda row: row.item == POINTS)
    return [(due, cap_gain(view, due.who, due.count)) for due in rows.due(turn, fact_of(view))]


def list_due(view: View, first: int, last: int) -> Iterator[schedules.Due]:
    """Yield what comes in a period at no cost: what the schedules bring, and the units that come by rule or as they
    state, those that found no open hex before in this turn.
    """

    def units(view: View, side: str) -> Iterable[Coming]:
        return bring_forward(units_to_come(view, side), view.integer("turn"), partial(is_waiting, view))

    for due in reckon_arrivals(view, first, last, units, fact_of(view)):
        cell = view.cell("scheduled-supply", due.who, due.turn) if due.item == BY_CHART else None
        yield schedules.due_count(due, int(str(cell.values["units"])), "supply unit") if cell else due


def romanian_chance(turn: int) -> int:
    """Return the highest die with which Romania enters the war in a turn: 1 in May 1916, one more each turn, 6 for
    October, when it enters anyway; 0 outside these turns. Rule: Opt/VarRomania
    """
    return turn - FIRST_ROLL + 1 if FIRST_ROLL <= turn <= ROMANIA_ENTERS_AT_LAST else 0


def is_rolled_for_romania(view: View, turn: int) -> bool:
    """Return whether a die decides this turn whether Romania enters the war. Rule: Opt/VarRomania"""
    entered = view.fact("romania-enters") is not None
    return is_agreed(view, "variable-romania") and not entered and 0 < romanian_chance(turn) < 6


def is_first_revolution_due(turn: int, points: int, revolution: int) -> bool:
    """Return whether a die is thrown for the First Revolution: in 1917 and 1918 while Allied Morale is 25 or lower,
    until it has come. Rule: Opt/Rev1
    """
    return turn >= FIRST_TURN_OF_REVOLUTION and points <= LOW and revolution == 0


def second_revolution(points: int, revolution: int, *, both: bool) -> bool:
    """Return whether the Second Revolution breaks out: at 10 or lower with the First in effect, or when points fall
    through both marks in one turn (both). Rule: Opt/Rev2
    """
    return points <= LOWER and (revolution == 1 or (both and revolution == 0))


def revolutions_at_start(turn: int) -> int:
    """Return how many revolutions are in effect when a scenario begins in a turn. Rule: Opt/1918"""
    return next((number for first, number in FROM_THE_START if turn >= first), 0)


def last_turn(view: View) -> int:
    """Return the last turn of the game: as agreed; else November-December 1917, or of 1918 with the Bolshevik rules.
    Rule: 3.1, Opt/1918
    """
    return view.integer("last-turn") or (LAST_OF_1918 if is_agreed(view, "revolutions") else LAST_OF_1917)


def is_morale_low(facts: Gather, side: str) -> bool:
    """Return whether low Morale doubles prices: the optional rule, at 25 Victory Points or fewer. Rule: Opt/Morale/1"""
    return is_agreed(facts.view, "morale") and facts.integer("vp", side) <= LOW


def standard_allies_gone(facts: Gather, side: str) -> bool:
    """Return whether the Second Revolution has ended all reinforcements but the Bolsheviks'. Rule: Opt/Rev2-effects"""
    return side == ALLIES and facts.integer("revolution") == 2


# --- what Victory Points bring at once --------------------------------------------------------------------------------


def follow_points(view: View, changes: Sequence[AnyChange]) -> Iterator[Change]:
    """Yield the changes of facts that are owed once Victory Points or control have changed."""
    touched = {change.track for change in changes if isinstance(change, Change | Gain)}
    if not touched.isdisjoint(("vp", "control")):
        now = view.unnoticed()
        then = now.after(changes)
        yield from end_game(now, then, changes)
        yield from break_out(now, then)


def break_out(now: View, then: View) -> Iterator[Change]:
    """Yield the change by which the Second Revolution is owed: as Allied Victory Points fall to 10 with the First in
    effect. Rule: Opt/Rev2
    """
    due, was_due = (
        is_agreed(view, "revolutions")
        and view.fact("vp", ALLIES) is not None
        and second_revolution(view.integer("vp", ALLIES), view.integer("revolution"), both=False)
        for view in (then, now)
    )
    if due and not was_due:
        yield changed(now, "second-revolution", "", True, "Opt/Rev2")
