"""The calendar: free units, Romania's entry, revolutions, and immediate effects of Victory Points.

Rules 3.1, 4.1, 6.2, 9.2 and 23.
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
from ..terms import ALLIES, CENTRAL_POWERS, LAST_ROMANIA_ENTRY_TURN, SUPPLY
from ..victory.points import cap_gain, end_game

R = TypeVar("R", bound=msgspec.Struct)
POINTS = "Victory Points"
"""The item of schedule rows that change Victory Points."""
BY_CHART = "supply by chart"
"""The item of schedule rows whose number of supply units is in a chart."""
ROMANIA_FIRST_TURN = 16
"""The first turn in which a die is thrown for Romania, May 1916."""
REVOLUTION_FIRST_TURN = 23
"""The first turn of 1917."""
LOW_MORALE = 25
"""Allied Victory Points at which the First Revolution may break out."""
SECOND_REVOLUTION_MORALE = 10
"""Allied Victory Points at which the Second Revolution breaks out."""
LAST_TURN_1917 = 31
"""The last turn of the game without the Bolshevik rules."""
LAST_TURN_1918 = 40
"""The last turn of the game with the Bolshevik rules."""
REVOLUTIONS_AT_START = ((31, 2), (24, 1))
"""First turns of scenarios, each with the number of revolutions in effect from that turn on."""


class Scenario(msgspec.Struct, frozen=True):
    """The start of a scenario."""

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
    """Supply units at no cost, with their source."""

    units: int
    why: Annotated[str, note("the origin")]
    rule: Annotated[str, note("the rule")]


def order_of_play(effort: str) -> tuple[str, str]:
    """Return the sides in the order of their player turns, by the Main Effort. Rule: 6.1, 8.0"""
    return (ALLIES, CENTRAL_POWERS) if effort == "west" else (CENTRAL_POWERS, ALLIES)


def read_rows(game: Game, name: str, kind: type[R]) -> Iterator[R]:
    """Yield the rows of a file in the folder of scenarios."""
    path = f"scenarios/{name}.csv"
    return read_records(resolve_within(game.folder, path), kind, path)


def is_agreed(view: View, option: str) -> bool:
    """Return whether an optional rule is in force; "" stands for no option and always is. Rule: Opt/choice"""
    return not option or option in view.words("options")


def bars_by_phase(view: View, side: str, phase: str, rule: str) -> list[Step]:
    """Return the reasons why the stated player turn or phase bars an action.

    `side`, `phase`: the side and the phase of the action.

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
    """Return the units of a side that come by the rules and options, or in a stated turn (`Rus-6 arrives=7`).

    Units on the map, or in a box without a stated turn, are not due.

    Rule: 9.2, 21.5, 23.2, Opt/FastMob, Opt/Caporetto, Opt/VarRomania-arrivals
    """
    return coming_units(facts.view, side, fact_of(facts.view))


def units_to_come(view: View, side: str) -> tuple[Coming, ...]:
    """Return the units of a side that come at no cost. After the Second Revolution the Allies receive no units.

    Rule: 9.2, Opt/Rev2-effects
    """
    with view.gather() as facts:
        return () if are_old_armies_gone(facts, side) else scheduled_units(facts, side)


def is_waiting(view: View, coming: Coming) -> bool:
    """Return whether a unit that was due earlier waits off the map for an open hex. Rule: 9.7/blocked"""
    return coming.unit in view.state.units


def fact_of(view: View) -> FactOf:
    """Return the facts on which schedules depend: stated ones, the known Main Effort and Romania's entry."""

    stated = arrivals.fact_of(view)

    def fact(track: str, subject: str) -> Value | None:
        if track == "romania-enters":
            return romania_enters(view)
        return known_effort(view, view.integer("turn")) if track == "main-effort" else stated(track, subject)

    return fact


def supply_sources(facts: Gather, side: str) -> list[Source]:
    """Return the supply units that a side receives this turn at no cost, by source.

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
    return int(str(facts.cell("scheduled-supply", due.who, due.turn).values["units"]))


def free_supply(view: View, side: str) -> int | None:
    """Return the supply units of a side this turn, or None if only the owner's Turn Record Chart has them."""
    return if_known(view, lambda facts: sum(source.units for source in supply_sources(facts, side)))


def option_points(view: View, turn: int) -> list[tuple[schedules.Due, int]]:
    """Return the Victory Points that optional rules bring or cost in a turn, each with the number that counts.

    Rule: 5.6, Opt/FastMob, Opt/Moltke, Opt/Gallipoli, Opt/Caporetto
    """
    rows = read_schedules(view.game).where(lambda row: row.item == POINTS)
    return [(due, cap_gain(view, due.who, due.count)) for due in rows.due(turn, fact_of(view))]


def list_due(view: View, first: int, last: int) -> Iterator[schedules.Due]:
    """Yield the arrivals of a period at no cost.

    Units that found no open hex before come in the present turn.
    """

    def units(view: View, side: str) -> Iterable[Coming]:
        return bring_forward(units_to_come(view, side), view.integer("turn"), partial(is_waiting, view))

    for due in reckon_arrivals(view, first, last, units, fact_of(view)):
        cell = view.cell("scheduled-supply", due.who, due.turn) if due.item == BY_CHART else None
        yield schedules.due_count(due, int(str(cell.values["units"])), "supply unit") if cell else due


def romanian_chance(turn: int) -> int:
    """Return the highest die with which Romania enters the war in a turn, or 0 if none does. Rule: Opt/VarRomania"""
    return turn - ROMANIA_FIRST_TURN + 1 if ROMANIA_FIRST_TURN <= turn <= LAST_ROMANIA_ENTRY_TURN else 0


def is_rolled_for_romania(view: View, turn: int) -> bool:
    """Return whether a die decides Romania's entry this turn. Rule: Opt/VarRomania"""
    entered = view.fact("romania-enters") is not None
    return is_agreed(view, "variable-romania") and not entered and 0 < romanian_chance(turn) < 6


def is_first_revolution_due(turn: int, points: int, revolution: int) -> bool:
    """Return whether a die is thrown for the First Revolution: from 1917 on, at 25 Victory Points or fewer.

    Rule: Opt/Rev1
    """
    return turn >= REVOLUTION_FIRST_TURN and points <= LOW_MORALE and revolution == 0


def is_second_revolution_due(points: int, revolution: int, *, both: bool) -> bool:
    """Return whether the Second Revolution breaks out: at 10 Victory Points or fewer, after the First.

    `both`: whether points fell past both marks in one turn.

    Rule: Opt/Rev2
    """
    return points <= SECOND_REVOLUTION_MORALE and (revolution == 1 or (both and revolution == 0))


def revolutions_at_start(turn: int) -> int:
    """Return the number of revolutions in effect when a scenario begins in a turn. Rule: Opt/1918"""
    return next((number for first, number in REVOLUTIONS_AT_START if turn >= first), 0)


def last_turn(view: View) -> int:
    """Return the last turn of the game: as agreed, or by the rules in use. Rule: 3.1, Opt/1918"""
    return view.integer("last-turn") or (LAST_TURN_1918 if is_agreed(view, "revolutions") else LAST_TURN_1917)


def is_morale_low(facts: Gather, side: str) -> bool:
    """Return whether low Morale doubles prices: the optional rule, at 25 Victory Points or fewer. Rule: Opt/Morale/1"""
    return is_agreed(facts.view, "morale") and facts.integer("vp", side) <= LOW_MORALE


def are_old_armies_gone(facts: Gather, side: str) -> bool:
    """Return whether the Second Revolution has ended all reinforcements of a side except Bolsheviks.

    Rule: Opt/Rev2-effects
    """
    return side == ALLIES and facts.integer("revolution") == 2


# --- immediate effects of Victory Points ------------------------------------------------------------------------------


def follow_points(view: View, changes: Sequence[AnyChange]) -> Iterator[Change]:
    """Yield the changes that follow at once as Victory Points or control change."""
    touched = {change.track for change in changes if isinstance(change, Change | Gain)}
    if not touched.isdisjoint(("vp", "control")):
        now = view.quiet_view()
        then = now.after(changes)
        yield from end_game(now, then, changes)
        yield from owe_second_revolution(now, then)


def owe_second_revolution(now: View, after: View) -> Iterator[Change]:
    """Yield the change by which the Second Revolution is due, as Allied Victory Points fall. Rule: Opt/Rev2"""
    due, was_due = (
        is_agreed(view, "revolutions")
        and view.fact("vp", ALLIES) is not None
        and is_second_revolution_due(view.integer("vp", ALLIES), view.integer("revolution"), both=False)
        for view in (after, now)
    )
    if due and not was_due:
        yield changed(now, "second-revolution", "", True, "Opt/Rev2")
