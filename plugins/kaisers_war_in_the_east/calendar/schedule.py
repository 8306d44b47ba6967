"""The calendar: what it brings at no cost, who enters the war when, revolutions, and the time for what is done (3.1,
6.2, 9.2, 23).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, NamedTuple, TypeVar

import msgspec

from assistant.game.games import Game
from assistant.questions import Gather, Step, View, holding, note
from assistant.questions.permission import if_known
from assistant.state.vocabulary import UnitId, UnitSide
from assistant.util.datafiles import inner, read_records

from ..ground import romania_enters
from ..terms import ALLIES, CENTRAL_POWERS, ROMANIA_ENTERS_AT_LAST, OpenHexes
from ..victory.points import cap_gain, main_effort

R = TypeVar("R", bound=msgspec.Struct)
FIRST_ROLL = 16
"""The first turn in which a die is thrown for Romania, May 1916."""
FIRST_TURN_OF_REVOLUTION = 23
"""The first turn of 1917."""
LOW, LOWER = 25, 10
"""Morale at which the First and the Second Revolution break out."""
LAST_OF_1917, LAST_OF_1918 = 31, 40
"""The turns with which the game ends, without the Bolshevik rules and with them."""
FROM_THE_START = ((31, 2), (24, 1))
"""The first turns of scenarios that begin with so many revolutions in effect."""


class Arrival(msgspec.Struct, frozen=True):
    """A unit that arrives in a turn, or so many turns after Romania enters the war, and the option that it takes."""

    side: str
    unit: str
    rule: str
    turn: int = 0
    entry: int = 0
    option: str = ""


class Points(msgspec.Struct, frozen=True):
    """Victory Points that an option brings a side or takes from it, at the start or the end of a turn."""

    option: str
    turn: int
    at: str
    side: str
    vp: int
    rule: str


class Supply(msgspec.Struct, frozen=True):
    """Supply units that a side receives at no cost, instead of those of the schedule or besides them, and when it does."""

    side: str
    units: int
    why: str
    rule: str
    option: str = ""
    revolutions: tuple[int, ...] = (0, 1, 2)
    first: int = 0
    last: int = LAST_OF_1918
    effort: str = ""
    flag: str = ""
    instead: bool = False


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


class Due(msgspec.Struct, frozen=True, kw_only=True):
    """A unit that the calendar brings."""

    unit: UnitId
    side: UnitSide
    turn: Annotated[int, note("the game turn in which it is due")]
    rule: Annotated[str, note("the rule that brings it")]
    open: OpenHexes = ()


class Source(NamedTuple):
    """Supply units at no cost."""

    units: int
    why: Annotated[str, note("what brings them")]
    rule: Annotated[str, note("its rule")]


def order_of_play(effort: str) -> tuple[str, str]:
    """The sides in the order of their player turns: the Allies first while the Main Effort lies in the West.
    Rule: 6.1, 8.0
    """
    return (ALLIES, CENTRAL_POWERS) if effort == "west" else (CENTRAL_POWERS, ALLIES)


def rows(game: Game, name: str, kind: type[R]) -> Iterator[R]:
    """The rows of a file of the scenarios."""
    path = f"scenarios/{name}.csv"
    return read_records(inner(game.folder, path), kind, path)


def is_agreed(view: View, option: str) -> bool:
    """Whether an optional rule is in force; every one is agreed before play. "", no optional rule, always is.
    Rule: Opt/choice
    """
    return not option or option in view.words("options")


def out_of_phase(view: View, side: str, phase: str, rule: str) -> list[Step]:
    """Lines where another side's player turn or another phase is stated; nothing where neither is. Rule: 6.2/2a, 6.2/2b"""
    phasing, now = view.word("phasing"), view.word("phase")
    clauses = (
        (phasing not in ("", side), rule, "it is the player turn of the {phasing}"),
        (now not in ("", phase), rule, "that is done only in the {phase} phase, but this is {now}"),
    )
    return holding(clauses, phasing=view.title_of(phasing), phase=phase, now=now)


def scheduled_units(facts: Gather, side: str) -> tuple[Due, ...]:
    """The units of a side that the rules and options bring, and those of which the position states when they arrive.

    A stated turn (`Rus-6 arrives=7`) holds against that of the rules; units on the map, or in a box without such a
    turn, are not due any more.
    Rule: 9.2, 21.5, 23.2, Opt/FastMob, Opt/Caporetto, Opt/VarRomania-arrivals
    """
    view, due = facts.view, dict[str, Due]()
    for row in rows(view.game, "arrivals", Arrival):
        if row.side == side and is_agreed(view, row.option):
            turn = row.turn or romania_enters(view) + row.entry
            due[row.unit] = Due(unit=row.unit, side=side, turn=turn, rule=row.rule)
    for unit in view.units():
        turn = view.integer("arrives", unit.id)
        if unit.place is not None and (not turn or view.board.is_hex(unit.place)):
            due.pop(unit.id, None)
        elif turn and view.side_of(unit.id) == side:
            due[unit.id] = Due(unit=unit.id, side=side, turn=turn, rule="9.2")
    return tuple(sorted(due.values(), key=lambda arrival: (arrival.turn, arrival.unit)))


def supply_sources(facts: Gather, side: str) -> list[Source]:
    """The supply units that a side receives this turn at no cost: by schedule, unless something else takes its
    place, and besides.

    After the First Revolution the Russians receive none by schedule; after the Second one comes with each Bolshevik
    unit.
    Rule: 9.2, Opt/Artillery, Opt/Gallipoli, Opt/Moltke, Opt/Caporetto, Opt/Rev1-effects, Opt/Bolshevik-reinf
    """
    turn, sources, scheduled = facts.integer("turn"), list[Source](), False
    for row in rows(facts.view.game, "supply", Supply):
        if row.side == side and is_received(facts, row, turn):
            sources.append(Source(row.units, row.why, row.rule))
            scheduled = scheduled or row.instead
    if not scheduled:
        units = facts.cell("scheduled-supply", side, turn).values["units"]
        sources.insert(0, Source(int(str(units)), "schedule", "9.2"))
    return sources


def is_received(facts: Gather, row: Supply, turn: int) -> bool:
    """Whether supply units come in a turn: by option, revolution, date, Main Effort, and what the position states."""
    return (
        is_agreed(facts.view, row.option)
        and row.first <= turn <= row.last
        and (row.side != ALLIES or facts.integer("revolution") in row.revolutions)
        and (not row.flag or facts.flag(row.flag))
        and (not row.effort or row.effort == main_effort(facts))
    )


def free_supply(view: View, side: str) -> int | None:
    """The supply units of a side this turn; None where its owner has to look at the Turn Record Chart."""
    return if_known(view, lambda facts: sum(source.units for source in supply_sources(facts, side)))


def option_points(view: View, turn: int) -> list[tuple[Points, int]]:
    """The Victory Points that optional rules bring or cost in a turn, each with how many of them count: the track ends
    somewhere.
    Rule: 5.6, Opt/FastMob, Opt/Moltke, Opt/Gallipoli, Opt/Caporetto
    """
    due = (row for row in rows(view.game, "points", Points) if row.turn == turn and is_agreed(view, row.option))
    return [(row, cap_gain(view, row.side, row.vp)) for row in due]


def romanian_chance(turn: int) -> int:
    """The highest die with which Romania enters the war in a turn: 1 in May 1916, one more each turn, 6 for October,
    when it enters anyway; 0 outside these turns.
    Rule: Opt/VarRomania
    """
    return turn - FIRST_ROLL + 1 if FIRST_ROLL <= turn <= ROMANIA_ENTERS_AT_LAST else 0


def rolls_for_romania(view: View, turn: int) -> bool:
    """Whether a die decides this turn whether Romania enters the war. Rule: Opt/VarRomania"""
    entered = view.fact("romania-enters") is not None
    return is_agreed(view, "variable-romania") and not entered and 0 < romanian_chance(turn) < 6


def first_revolution_due(turn: int, points: int, revolution: int) -> bool:
    """Whether a die is thrown for the First Revolution: in 1917 and 1918 while Allied Morale is 25 or lower, until it
    has come.
    Rule: Opt/Rev1
    """
    return turn >= FIRST_TURN_OF_REVOLUTION and points <= LOW and revolution == 0


def second_revolution(points: int, revolution: int, both: bool) -> bool:
    """Whether the Second Revolution breaks out: at 10 or lower with the First in effect, or when points fall through
    both marks in one turn (both).
    Rule: Opt/Rev2
    """
    return points <= LOWER and (revolution == 1 or (both and revolution == 0))


def revolutions_at_start(turn: int) -> int:
    """How many revolutions are in effect when a scenario begins in a turn. Rule: Opt/1918"""
    return next((number for first, number in FROM_THE_START if turn >= first), 0)


def last_turn(view: View) -> int:
    """The last turn of the game: as agreed; else November-December 1917, or of 1918 with the Bolshevik rules.
    Rule: 3.1, Opt/1918
    """
    return view.integer("last-turn") or (LAST_OF_1918 if is_agreed(view, "revolutions") else LAST_OF_1917)


def morale_is_low(facts: Gather, side: str) -> bool:
    """Whether low Morale doubles prices: the optional rule, at 25 Victory Points or fewer. Rule: Opt/Morale/1"""
    return is_agreed(facts.view, "morale") and facts.integer("vp", side) <= LOW


def standard_allies_gone(facts: Gather, side: str) -> bool:
    """Whether the Second Revolution has ended all reinforcements but the Bolsheviks'. Rule: Opt/Rev2-effects"""
    return side == ALLIES and facts.integer("revolution") == 2
