"""What the plans of 1914 require: the questions `plans` and `duty` (3-3 to 3-9, 5-3, 5-4, 6-3 to 6-8, 6-12 to 6-16,
7-3, 7-4, 10-3 to 10-5).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Annotated, Literal, NamedTuple

import msgspec

from assistant.asking import MissingFacts, Parameters, Part, Report, View, declare, note, permission, step, verdict
from assistant.asking.asks import Ask
from assistant.game.boards import Board
from assistant.util.errors import InputError

from .terms import Count, dates_of, format_nation, format_turn, parse_army, read_rows, turn_now

METZ = "2415"
STRASBOURG = "3018"
LIEGE = "2107"
NAMUR = "1807"
REGION = ("1504", "1603", "1604")
"""Where the Belgian army gathers."""
GARRISONED = ("3419", "3620", "3423")
"""Trieste, Fiume and Pola."""
NORTHEAST = ("N", "NE", "SE")
SPENDING = {"aug14/6": ("1", "4"), "aug14/7": ("1", "3", "4")}
"""Armies that have to spend supply points on attacks, by turn."""
LEAST_SPENT = 8
"""Supply points that each of them has to spend."""


class Duty(msgspec.Struct, frozen=True, kw_only=True):
    """Something that the plans of 1914 require, or allow as long as the game lasts: a row of `tables/duties.csv`."""

    who: Annotated[str, note("the nation")]
    rule: Annotated[str, note("the rule")]
    text: Annotated[str, note("what")]
    first: Annotated[str, note("the first turn, empty for what holds in all")] = ""
    last: Annotated[str, note("the last turn")] = ""


def duties(view: View, turn: int) -> Iterator[Duty]:
    """Return what the plans of 1914 require in a turn.
    Rule: 3-3, 3-4, 3-5, 3-6, 3-7, 5-3, 5-4, 6-4, 6-7, 6-8, 7-4, 10-3, 10-4, 10-5
    """
    dates = dates_of(view)
    return (duty for duty in read_rows("duties", Duty) if duty.first and dates.is_within(turn, duty.first, duty.last))


def plans(view: View) -> Report[tuple[Duty, ...]]:
    """Return the report on what plans require in the turn of the position.
    Rule: 6-3, 7-3, 3-8, 3-9, 6-12, 6-13, 6-14, 6-15, 6-16
    """
    with view.gather() as facts:
        turn = turn_now(facts)
    found = tuple(duties(view, turn))
    always = [duty for duty in read_rows("duties", Duty) if not duty.first]
    text = "{count:#duty} of 1914" if found else "no plan of 1914 is in force any more"
    steps = []
    for duty in found:
        line = "{who}: {text} ({first} to {last})"
        steps.append(step(duty.rule, line, duty, who=format_nation(view, duty.who)))
    return Report(
        title=f"Plans in {format_turn(view, turn)}",
        verdict=verdict("figure", text, count=len(found)),
        parts=(
            Part("Duties", tuple(steps)),
            Part("Always", tuple(step(duty.rule, duty.text) for duty in always)),
        ),
        result=found,
    )


class DutyKept(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a duty of 1914 is kept."""

    rule: Annotated[str, note("the rule")]
    in_force: Annotated[bool, note("whether it binds in this turn")]
    allowed: Annotated[bool | None, note("whether it is observed")] = None


class DutyParameters(Parameters, frozen=True, kw_only=True):
    """What `duty` is asked about."""

    of: Annotated[
        Literal["3-3", "3-4", "5-4", "6-7", "6-8", "6-12", "6-13", "10-3", "10-4", "10-5"],
        note("the duty, by its rule"),
    ]
    way: Annotated[tuple[str, ...], note("the hexes of the move or retreat, from first to last", "way")] = ()
    held: Annotated[
        tuple[str, ...],
        note("of 3-4: hexes that infantry or its ZOC holds; of 6-12: fortress hexes with an infantry brigade", "place"),
    ] = ()
    army: Annotated[str, note("of 6-7: the army, such as 1", "name")] = ""
    points: Annotated[Count, note("of 6-7: supply points that it spends on its forces' attacks this turn")] = 0
    hq: Annotated[bool, note("of 6-8: whether it is an HQ")] = False
    contact: Annotated[bool, note("of 6-8: whether it begins in an enemy ZOC")] = False
    ends: Annotated[bool, note("of 6-8 and 10-5: whether it ends in an enemy ZOC")] = False
    able: Annotated[bool, note("whether it can do what is asked of it")] = True
    attacked: Annotated[
        bool,
        note(
            "of 5-4: whether its army has attacked; of 6-13: whether it has to retreat; of 10-3 and 10-4: "
            "whether it has been attacked; of 10-5: whether it was, with a loss"
        ),
    ] = False
    guarded: Annotated[bool, note("of 10-3: whether 10 German strength points are within a hex of Brussels")] = True


class Deed(NamedTuple):
    """What is done in a turn, as a duty judges it."""

    asked: DutyParameters
    turn: Annotated[str, note("its label")]
    board: Board
    army: Annotated[str, note("of 6-7: the number or name of the army")] = ""

    @property
    def first(self) -> str:
        """Where the unit begins, "" without a move."""
        return self.asked.way[0] if self.asked.way else ""

    @property
    def last(self) -> str:
        """Where it ends, "" without a move."""
        return self.asked.way[-1] if self.asked.way else ""


def holds_line(board: Board, held: tuple[str, ...]) -> bool:
    """Return whether hexes next to each other lead from Metz to Strasbourg, each held by infantry or its ZOC.
    Rule: 3-4
    """
    reached = {METZ} & {*held}
    open_hexes = {*held} - {METZ}
    while more := {hex for hex in open_hexes if any(board.distance(hex, other) == 1 for other in reached)}:
        reached |= more
        open_hexes -= more
    return STRASBOURG in reached


def goes_northeast(board: Board, way: tuple[str, ...]) -> bool:
    """Return whether each hex of a move lies to the north, northeast or southeast of the one before. Rule: 5-4"""
    grid = board.grid
    around = [(grid.around(grid.parse(at)), grid.parse(to)) for at, to in pairwise(way)]
    return all(to in {hexes[direction] for direction in NORTHEAST} for hexes, to in around)


def breach_next_to_liege(deed: Deed) -> str:
    """Return why German infantry that mobilizes on turn 1 breaks its duty. Rule: 3-3"""
    return "" if deed.board.distance(deed.last, LIEGE) == 1 else "it has to end next to Liege"


def breach_of_line(deed: Deed) -> str:
    """Return why the duty to hold the line from Metz to Strasbourg is broken. Rule: 3-4"""
    return "" if holds_line(deed.board, deed.asked.held) else "the line from Metz to Strasbourg is not held"


def breach_of_direction(deed: Deed) -> str:
    """Return why French infantry of the 1st to 4th Armies breaks its duty. Rule: 5-4"""
    is_free = deed.asked.attacked or goes_northeast(deed.board, deed.asked.way)
    return "" if is_free else "it moves only to the north, northeast and southeast until it has attacked"


def breach_of_spending(deed: Deed) -> str:
    """Return why an Austro-Hungarian army that has to attack breaks its duty. Rule: 6-7"""
    owes = deed.army in SPENDING[deed.turn] and deed.asked.able and deed.asked.points < LEAST_SPENT
    return f"the army has to spend at least {LEAST_SPENT} supply points on its attacks" if owes else ""


def breach_of_zones(deed: Deed) -> str:
    """Return why an Austro-Hungarian move against Serbia breaks its duty, by where it begins and ends. Rule: 6-8"""
    if deed.turn == "aug14/3" and deed.asked.contact:
        return "in an enemy ZOC it may not move" if deed.first != deed.last else ""
    if deed.turn == "aug14/4" and deed.asked.hq:
        return ""
    return "" if deed.asked.ends or not deed.asked.able else "it has to end in an enemy ZOC, as it can"


def breach_at_przemysl(deed: Deed) -> str:
    """Return why the duty to garrison Przemysl is broken. Rule: 6-12"""
    return "" if deed.asked.held else "an infantry brigade has to stay in a fortress hex of Przemysl"


def breach_of_garrison(deed: Deed) -> str:
    """Return why a garrison of Trieste, Fiume or Pola breaks its duty. Rule: 6-13"""
    leaves = deed.first in GARRISONED and deed.last != deed.first and not deed.asked.attacked
    return "it moves only if it has to retreat" if leaves else ""


def breach_of_retreat(deed: Deed) -> str:
    """Return why a Belgian unit breaks its duty to retreat. Rule: 10-3"""
    if deed.asked.attacked or deed.last in REGION:
        return ""
    if deed.first in REGION:
        return "it stays in 1504, 1603 or 1604 until attacked" if deed.asked.guarded else ""
    return "it has to move into 1504, 1603 or 1604, as it can" if deed.asked.able else ""


def breach_of_1807(deed: Deed) -> str:
    """Return why a Belgian unit of 1807 breaks its duty. Rule: 10-4"""
    if not deed.asked.attacked:
        return "it stays in 1807 until attacked" if deed.last != NAMUR else ""
    if deed.last in REGION or not deed.asked.able:
        return ""
    return "it has to join the units in 1504, 1603 or 1604, as it can"


def breach_at_liege(deed: Deed) -> str:
    """Return why a Belgian unit at Liege that suffers a loss before it is mobilized breaks its duty. Rule: 10-5"""
    if not (deed.asked.attacked and deed.asked.able) or deed.board.distance(deed.first, LIEGE) > 1:
        return ""
    has_gone = deed.first != deed.last and not deed.asked.ends
    return "" if has_gone else "it has to retreat out of enemy ZOC, as it can"


BREACHES: Mapping[str, Callable[[Deed], str]] = {
    "3-3": breach_next_to_liege,
    "3-4": breach_of_line,
    "5-4": breach_of_direction,
    "6-7": breach_of_spending,
    "6-8": breach_of_zones,
    "6-12": breach_at_przemysl,
    "6-13": breach_of_garrison,
    "10-3": breach_of_retreat,
    "10-4": breach_of_1807,
    "10-5": breach_at_liege,
}
"""By its rule, why a duty is broken: each takes what is done, and returns "" if the duty is kept."""
MOVES = ("3-3", "5-4", "6-13", "10-3", "10-4", "10-5")
"""Duties that are judged by a move."""


def duty(view: View, asked: DutyParameters) -> Report[DutyKept]:
    """Return the report on whether a duty of 1914 is observed by a move, by what stands where, or by what is spent."""
    with view.gather() as facts:
        turn = turn_now(facts)
    if asked.of in MOVES and not asked.way:
        ask = Ask(kind="parameter", name="way", rule=asked.of, title="the hexes of the move", how="way=HEX,HEX,...")
        raise MissingFacts([ask])
    if asked.of == "6-7" and not asked.army:
        raise MissingFacts([Ask(kind="parameter", name="army", rule=asked.of, title="the army", how="army=NUMBER")])
    army = parse_army(view.game, asked.army)
    if asked.of == "6-7" and army.who not in ("", "ah"):
        raise InputError(f"army: {asked.army!r} is not Austro-Hungarian")
    dates = dates_of(view)
    listed = [row for row in read_rows("duties", Duty) if row.rule == asked.of]
    in_force = any(not row.first or dates.is_within(turn, row.first, row.last) for row in listed)
    why = BREACHES[asked.of](Deed(asked, format_turn(view, turn), view.board, army.number)) if in_force else ""
    return permission(
        f"Duty {asked.of}",
        ("it is observed" if in_force else "it does not bind in {turn}", "it is violated"),
        [step(asked.of, "{why}", why=why)] if why else [],
        DutyKept(rule=asked.of, in_force=in_force),
        turn=format_turn(view, turn),
        working={"The duty": [step(asked.of, row.text) for row in listed]},
    )


QUESTIONS = (
    declare("plans", "what the plans of 1914 require this turn", plans),
    declare("duty", "whether a duty of 1914 is observed by a move, by what stands where, or by what is spent", duty),
)
