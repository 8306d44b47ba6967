"""The question `garrison`, on forces that must stay or leave."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Literal

import msgspec

from assistant.asking import Part, Report, View, declare, holding, note, step, verdict
from assistant.game.events import read_events
from assistant.game.schedule_files import read_schedules
from assistant.rules.arrivals import fact_of
from assistant.util.errors import InputError, format_suggestion
from assistant.util.texts import natural

from .terms import (
    ENTERS,
    ITALIAN,
    ROMANIAN,
    RUSSIAN,
    SURRENDER,
    format_nation,
    format_turn,
    is_so,
    list_remarks,
    read_campaign_calendar,
    read_rows,
    turn_now,
    turn_stated,
)

When = Literal["italian-border", "russia", "italy", "serbia"]
STRENGTH_BEFORE_ROMANIA = 150
"""The infantry strength of the garrison while Romania is neutral."""
INFANTRY = "infantry strength"
KINDS_BY_BRANCH = {
    "": "headquarters",
    "S Art": "4-3 siege artillery",
    "Art": "2-4 artillery regiments",
    "Cav": "cavalry strength",
}
"""The part of the garrison in Russia that a unit of the schedule frees, by the unit's branch.

Units of other branches free infantry strength.
"""


class Required(msgspec.Struct, frozen=True):
    """A row of the units or strength that a garrison requires."""

    rule: str
    when: When
    """The event from which the garrison is required."""
    who: str
    kind: str
    """The kind of units, or of strength."""
    count: int
    text: str = ""


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """The need of a garrison for one kind of unit or strength."""

    who: Annotated[str, note("the nation")]
    kind: Annotated[str, note("the kind of units, or strength")]
    needed: Annotated[int, note("how many")]
    there: Annotated[int, note("how many are there")]
    short: Annotated[int, note("how many are missing")]
    spare: Annotated[int, note("how many are there besides, and may leave")]


class Garrison(msgspec.Struct, frozen=True, kw_only=True):
    """A garrison, or forces that leave."""

    items: Annotated[tuple[Item, ...], note("what it needs, kind by kind")]
    by: Annotated[str, note("the last turn to fill it, empty if there is none")]
    freed: Annotated[tuple[str, ...], note("what the schedule has freed of it so far")]
    next: Annotated[str, note("when it frees more, and what; empty for nothing")]


def count_needed(view: View, row: Required, turn: int, less: Counter[str]) -> int:
    """Return the number that a row requires in a turn.

    `less`: the strength and units that the schedule has freed, by kind.

    Rule: 6-9, 7-9, 7-11, 7-12, 8-7, 9-4
    """
    if row.when == "italian-border" and is_so(view, ENTERS, ITALIAN, turn):
        return 0
    neutral = row.rule == "7-9" and row.kind == INFANTRY and not is_so(view, ENTERS, ROMANIAN, turn)
    return (STRENGTH_BEFORE_ROMANIA if neutral else row.count) - (less[row.kind] if row.rule == "7-9" else 0)


def read_freed(view: View, turn: int) -> tuple[tuple[str, ...], str, Counter[str]]:
    """Return the units freed from the garrison in Russia up to a turn, the next ones, and totals by kind.

    The next ones are a text with their turn, or "" if the schedule frees no more.

    Rule: 7-11, 29-4/garrison
    """
    row_list = read_schedules(view.game).where(lambda row: row.at.startswith("russian.surrender"))
    dated = [(when, row) for row, when in row_list.dated(fact_of(view))]
    less: Counter[str] = Counter()
    for when, row in dated:
        if when <= turn:
            kind = KINDS_BY_BRANCH.get(row.branch, INFANTRY)
            less[kind] += int(row.count) * (int(row.strength) if kind.endswith("strength") else 1)
    first = min((when for when, _ in dated if when > turn), default=None)
    ahead = "; ".join(row.text for when, row in dated if when == first)
    return (
        tuple(row.text for when, row in dated if when <= turn),
        f"{format_turn(view, first)}: {ahead}" if ahead else "",
        less,
    )


def garrison(
    view: View,
    *,
    of: Annotated[When, note("which one: on the Italian border, in Russia, in Italy, or what leaves as Serbia falls")],
    have: Annotated[
        tuple[str, ...], note("how many of each kind are there, as `ah infantry strength:120`", "name")
    ] = (),
) -> Report[Garrison]:
    """Return the report on forces that must stay or leave.

    Rule: 6-9, 6-10, 6-11, 7-9, 7-10, 7-11, 7-12, 8-7, 8-8, 8-9, 9-3, 9-4
    """
    with view.gather() as facts:
        turn = turn_now(facts)
    since = {
        "russia": turn_stated(view, SURRENDER, RUSSIAN),
        "italy": turn_stated(view, SURRENDER, ITALIAN),
        "serbia": turn_stated(view, "serbia-fell"),
    }.get(of)
    done, ahead, less = read_freed(view, turn) if of == "russia" else ((), "", Counter[str]())
    listed = [row for row in read_rows("garrisons", Required) if row.when == of]
    required = [(row, count) for row in listed if (count := count_needed(view, row, turn, less))]
    counted = _counted(view, have, listed)
    items = []
    for row, count in required:
        there = counted.get((row.who, row.kind), 0)
        short = max(0, count - there)
        spare = max(0, there - count)
        items.append(Item(who=row.who, kind=row.kind, needed=count, there=there, short=short, spare=spare))
    by = None
    if since is not None and of in ("russia", "italy"):
        by = read_campaign_calendar(view).after_months(since, 1)
    free = (*done, ahead) if ahead else done
    found = Garrison(items=tuple(items), by=format_turn(view, by), freed=done, next=ahead)
    rule = next(row.rule for row in listed)
    clauses = (
        (since is None and of != "italian-border", rule, "it has not come to that yet"),
        (
            not required,
            rule,
            "Italy has joined the Entente: they move as the player likes",
        ),
    )
    short = sum(item.short for item in items)
    text = "nothing is missing"
    if short:
        text = "{short} are missing" if counted else "{short} units and points needed"
    steps = []
    for (row, _), item in zip(required, items, strict=True):
        line = "{who}: {needed} x {kind}"
        if counted:
            line += ", {there} there, {short} missing"
        if item.spare:
            line += ", {spare} may leave"
        if row.text:
            line += f" ({row.text})"
        steps.append(step(row.rule, line, item, who=format_nation(view, item.who)))
    return Report(
        title="Forces that leave" if of == "serbia" else "Garrison",
        verdict=verdict("figure", text + (" by {by}" if found.by and short else ""), found, short=short),
        parts=(
            Part("Needed", tuple(steps)),
            Part("Rules", (*list_remarks("garrison", subject=of), *holding(clauses))),
            Part("What becomes free", tuple(step("29-4/garrison", "{text}", text=text) for text in free)),
        ),
        result=found,
    )


def _counted(view: View, have: tuple[str, ...], required: list[Required]) -> dict[tuple[str, str], int]:
    """Return the numbers present, by nation and kind.

    The nation may be left out if only one nation needs the kind.
    """
    counted = {}
    short = read_events(view.game).short
    for word in have:
        kind, _, number = word.rpartition(":")
        first, _, kind_after_nation = kind.partition(" ")
        who = short.get(first, first)
        matching = [row for row in required if kind == row.kind or (who, kind_after_nation) == (row.who, row.kind)]
        if not matching:
            raise InputError(
                f"have: {kind!r} is not needed", hint=format_suggestion(kind, {row.kind for row in required})
            )
        row, *others = matching
        if others:
            nations = " or ".join(format_nation(view, row.who) for row in matching)
            raise InputError(f"have: {kind} of {nations}?", hint=f"write: {row.who} {kind}:{number}")
        if (count := natural(number)) is None:
            raise InputError(f"have: {number[:20]!r} is not a number", hint="write: infantry strength:120")
        counted[row.who, row.kind] = count
    return counted


QUESTIONS = (
    declare("garrison", "forces that have to stay or leave, what is missing, and what becomes free", garrison),
)
