"""The questions `conversions` and `convert` on German assault units."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec

from assistant.asking import MissingFacts, Part, Report, View, declare, holding, note, permission, step, verdict
from assistant.asking.asks import Ask
from assistant.util.errors import InputError, format_suggestion

from .terms import (
    GERMAN,
    Count,
    format_turn,
    list_remarks,
    read_campaign_calendar,
    read_rows,
    turn_now,
    turn_stated,
    year_of,
)

BASE_POINTS = 1800
"""The demoralization points of Germany at which `CONVERSIONS_AT_BASE` applies."""
CONVERSIONS_AT_BASE = (20, 10)
"""The numbers of units that may become 12-5 and 10-5 at the base."""
POINTS_PER_STEP = 50
"""The points above or below the base for each step."""
CONVERSIONS_PER_STEP = (2, 1)
"""The numbers of units by which conversions to 12-5 and 10-5 change for each step.

They are fewer for each step above the base, and more for each below.
"""
POINTS_TURN = "jan18/0"
"""The turn whose points count."""
FIRST_CONVERSION_TURN = "feb18/0"
"""The turn in which the mass conversion begins."""
FULL_STRENGTHS: dict[object, int] = {"infantry": 8, "mountain": 7}
"""The strength that a unit needs before it becomes an assault unit, by its arm."""
MIN_FULL_SPEED_STRENGTH = 5
"""The strength below which German infantry becomes slow from the first draw on."""
SLOW_MOVEMENT_POINTS = 4
"""The Movement Points of slow German infantry."""


class PoolUnit(msgspec.Struct, frozen=True):
    """A unit of the draw."""

    rule: str
    unit: str
    strength: str
    """The printed strength and movement allowance, such as `7-5`."""
    scheduled: bool = False
    """Whether the schedule has converted it already."""


class Conversions(msgspec.Struct, frozen=True, kw_only=True):
    """The number of units that may become assault units in 1918."""

    strong: Annotated[int, note("how many become 12-5")]
    weak: Annotated[int, note("how many become 10-5")]
    pool: Annotated[tuple[str, ...], note("the units that are drawn from")]


def count_conversions(points: int) -> tuple[int, int]:
    """Return the numbers of units that may become 12-5 and 10-5, by Germany's points.

    Rule: 23-3
    """
    steps = int((BASE_POINTS - points) / POINTS_PER_STEP)
    strong = max(0, CONVERSIONS_AT_BASE[0] + CONVERSIONS_PER_STEP[0] * steps)
    weak = max(0, CONVERSIONS_AT_BASE[1] + CONVERSIONS_PER_STEP[1] * steps)
    return strong, weak


def draw_pool(view: View) -> tuple[str, ...]:
    """Return the units to draw from, by the ruling without those that the schedule has converted.

    Rule: 23-5/1
    """
    out = view.ruling("assault-pool") == "without"
    return tuple(row.unit for row in read_rows("assault-pool", PoolUnit) if not (out and row.scheduled))


def _list_lost_hex_clauses(view: View, lost_turn: str) -> Iterator[tuple[bool, str, str]]:
    if not lost_turn:
        return
    with view.gather() as facts:
        turn = turn_now(facts)
    calendar = read_campaign_calendar(view)
    loss_turn = calendar.number(lost_turn)
    last = calendar.number("dec17/7")
    third_turn = min(calendar.after_turns(loss_turn, 3), last)
    until = last if view.ruling("cambrai", third_turn < turn <= last) == "nations" else third_turn
    is_open = year_of(view, loss_turn) == 1917 and loss_turn <= turn <= until
    text = (
        f"the lost hex may be attacked without First Use until {format_turn(view, until)}, once in 1917, against who "
        f"moved in by {format_turn(view, third_turn)}"
    )
    yield True, "23-6", text if is_open else "the lost hex may not be attacked without First Use now"


def conversions(
    view: View,
    *,
    points: Annotated[
        Count | None, note("Germany's points at the start of 1918; by default those of the position")
    ] = None,
    lost_turn: Annotated[
        str, note("the turn in 1917 in which a front hex with a trench was lost, for an attack on it", "turn")
    ] = "",
) -> Report[Conversions]:
    """Return the report on the mass conversion of 1918, and on the counterattack of assault units in 1917.

    Rule: 23-1, 23-2, 23-3, 23-4, 23-5/1, 23-6
    """
    pool = draw_pool(view)
    lost_hex = tuple(_list_lost_hex_clauses(view, lost_turn))
    held, as_yet = points_of_1918(view) if points is None else (points, False)
    if held is None:
        title = "Germany's points at the start of 1918"
        ask = Ask(kind="parameter", name="points", rule="23-3", title=title, how="points=N")
        raise MissingFacts([ask], [Part("How many", tuple(holding(lost_hex)))])
    strong, weak = count_conversions(held)
    found = Conversions(strong=min(strong, len(pool)), weak=min(weak, max(0, len(pool) - strong)), pool=pool)
    total = found.strong + found.weak
    clauses = (
        (
            True,
            "23-3",
            (
                "{held} points, as 1918 begins: 20 and 10 at 1800, two and one fewer for each full 50 above, more "
                "for each below"
            ),
        ),
        (as_yet, "23-3", "these are the points of now: those count that it has once January's imports have come in"),
        (True, "23-5/1", "{total} counters are drawn from {count} units"),
        (strong + weak > total, "23-5/1", "no more than there are units to draw"),
        (True, "23-4", "from the first draw on, German infantry with a strength below {small} moves {slow}"),
        *lost_hex,
    )
    figures = {
        "held": held,
        "total": total,
        "count": len(pool),
        "small": MIN_FULL_SPEED_STRENGTH,
        "slow": SLOW_MOVEMENT_POINTS,
    }
    return Report(
        title="Conversion to assault units",
        verdict=verdict("figure", "{strong} units may become 12-5, {weak} may become 10-5", found),
        parts=(Part("How many", (*holding(clauses, **figures), *list_remarks("conversions"))),),
        result=found,
    )


def points_of_1918(view: View) -> tuple[int | None, bool]:
    """Return Germany's points as 1918 begins, with January's imports, and whether they may still change.

    After that turn the points are None unless a journal has recorded it.

    Rule: 23-3
    """
    held = view.integer("dm", GERMAN)
    now = turn_stated(view, "turn")
    begins = read_campaign_calendar(view).number(POINTS_TURN)
    if now is None or now <= begins:
        return held, now != begins
    return (view.past.held_at("dm", GERMAN, [begins]).get(begins) if view.past else None), False


class Converted(msgspec.Struct, frozen=True, kw_only=True):
    """The cost and result of converting a unit."""

    unit: Annotated[str, note("the unit")]
    points: Annotated[int, note("strength points that other units give up")]
    strength: Annotated[int, note("the strength as an assault unit")]
    done: Annotated[str, note("the turn in which it may move and attack")]
    allowed: Annotated[bool | None, note("whether it may be converted")] = None


def convert(
    view: View,
    *,
    unit: Annotated[str, note("the unit (`GE 26R`), or one of its printed strength if units are not followed", "name")],
    strength: Annotated[Count, note("the strength now, 0 in the dead pile")],
    weak: Annotated[bool, note("whether it becomes 10-5, not 12-5")] = False,
    headquarters: Annotated[bool, note("whether it is at a German HQ; of no matter in the dead pile")] = True,
    zone: Annotated[bool, note("whether it is in an enemy ZOC")] = False,
    disturbed: Annotated[bool, note("whether it has moved, attacked or been attacked meanwhile")] = False,
) -> Report[Converted]:
    """Return the report on the conversion of a drawn unit.

    Rule: 23-2, 23-5/2, 23-5/3, 23-5/4, 23-5/5, 23-5/6, 23-5/7, 23-5/note
    """
    with view.gather() as facts:
        turn = turn_now(facts)
    pool = draw_pool(view)
    calendar = read_campaign_calendar(view)
    if unit not in view.game.roster:
        raise InputError(f"unit: {unit} is not in the roster", hint=format_suggestion(unit, view.game.roster))
    printed = {row.strength for row in read_rows("assault-pool", PoolUnit)}
    values_of_unit = {name: value.value for name, (value, *_) in view.game.roster[unit].items()}
    full = FULL_STRENGTHS.get(values_of_unit["arm"], 0)
    same = (
        values_of_unit["nation"] == GERMAN
        and full
        and f"{values_of_unit.get('strength')}-{values_of_unit.get('move')}" in printed
    )
    clauses = (
        (turn < calendar.number(FIRST_CONVERSION_TURN), "23-2", "the mass conversion begins in February 1918"),
        (not same, "23-5/1", "{unit} is not one of the units that are drawn from"),
        (strength and not headquarters, "23-5/2", "it has to be at a German HQ, unless it is in the dead pile"),
        (zone, "23-2", "it is in an enemy ZOC"),
        (disturbed, "23-5/3", "it moved, attacked or was attacked: the conversion begins again next month"),
    )
    reasons = holding(clauses, unit=unit)
    done = calendar.full_month_after(turn, 1 + disturbed)
    found = Converted(
        unit=unit,
        points=max(0, full - strength),
        strength=10 if weak else 12,
        done=format_turn(view, min(done, calendar.last)),
    )
    working = [
        *holding([(unit not in pool, "23-5/note", "a unit of the same printed strength stands for the one drawn")]),
        step("23-5/5", "{points:#point} bring it from {now} to {full}", points=found.points, now=strength, full=full),
        step("23-5/6", "from {full} to {strength} is free", full=full, strength=found.strength),
        step("23-5/3", "it takes a month under the HQ, until {done}", found),
        *list_remarks("convert"),
    ]
    return permission(
        "Conversion of a unit",
        ("{unit} becomes {strength}-5: {points:#point} from others, until {done}", "{unit} may not be converted"),
        reasons,
        found,
        working={"What it takes": working},
    )


QUESTIONS = (
    declare("conversions", "how many German units may become assault units in 1918, and which", conversions),
    declare("convert", "what the conversion of a unit takes, and how long it lasts", convert),
)
