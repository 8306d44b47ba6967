"""Whose forces may help an ally, and where: the questions `sphere` and `aid` (25-1 to 25-9)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated

import msgspec

from assistant.asking import Part, Report, View, declare, holding, note, permission, step, verdict

from .morale import has_reached
from .terms import (
    AUSTRIAN,
    COLLAPSE,
    GERMAN,
    ITALIAN,
    SHAKEN,
    format_nation,
    format_turn,
    list_remarks,
    read_campaign_calendar,
    read_rows,
    turn_now,
    turn_stated,
)

EXCHANGED = 4
"""Divisions that the German and the Austro-Hungarian army exchange."""
MORE = 12
"""How many more German ones may come at 250 points."""
TURNS_OF_MORE = 42
"""For how many turns these may stay."""
WESTERN = 4
"""Austro-Hungarian divisions that may go west once Germany has collapsed."""


def count_divisions(divisions: int, halves: int) -> Fraction:
    """Return the German forces counted as divisions: cavalry divisions, brigades and regiments count half, RPL and
    divisions of any strength whole; Headquarters, artillery and engineers not at all.
    Rule: 25-2
    """
    return divisions + Fraction(halves, 2)


class Sphere(msgspec.Struct, frozen=True, kw_only=True):
    """German forces in the Austro-Hungarian sphere of influence."""

    count: Annotated[Fraction, note("divisions that are there")]
    most: Annotated[int | None, note("how many may be, null for any number")]
    until: Annotated[str, note("the last turn of those that come at 250 points, empty if none do")] = ""
    allowed: Annotated[bool | None, note("whether this number may be there")] = None


def sphere_limit(view: View, turn: int) -> tuple[int | None, str, str]:
    """Return how many German divisions may be in the sphere in a turn, None for any number; the last turn of those that
    come at 250 points, and the rule. Rule: 25-3, 25-4, 25-5
    """
    if has_reached(view, SHAKEN, AUSTRIAN):
        return None, "", "25-5"
    at = turn_stated(view, "aided", AUSTRIAN)
    if at is None and has_reached(view, "aided", AUSTRIAN):
        at = turn
    if at is None:
        return EXCHANGED, "", "25-3"
    known = read_campaign_calendar(view)
    first = known.after_turns(at, 1)
    last = known.after_turns(at, TURNS_OF_MORE)
    if turn > last:
        return EXCHANGED, "", "25-3"
    most, rule = (EXCHANGED + MORE, "25-4") if turn >= first else (EXCHANGED, "25-3")
    return most, format_turn(view, last), rule


def sphere(
    view: View,
    *,
    divisions: Annotated[int, note("German divisions and RPL units in the sphere, of any strength")] = 0,
    cavalry: Annotated[int, note("cavalry divisions in it")] = 0,
    brigades: Annotated[int, note("brigades and regiments in it, but headquarters, artillery and engineers")] = 0,
    west: Annotated[int, note("Austro-Hungarian divisions on map 5-3, besides siege artillery")] = 0,
) -> Report[Sphere]:
    """Return the report on German forces in the Austro-Hungarian sphere of influence, and Austro-Hungarian ones in the
    West. Rule: 25-1, 25-2, 25-3, 25-4, 25-5, 25-6
    """
    with view.gather() as facts:
        turn = turn_now(facts)
    most, until, rule = sphere_limit(view, turn)
    count = count_divisions(divisions, cavalry + brigades)
    abroad = WESTERN if has_reached(view, COLLAPSE, GERMAN) else 0
    broken = (
        (most is not None and count > most, rule, "{count} divisions are more than {most}"),
        (west > abroad, "25-6", "{west:#Austro-Hungarian division} on map 5-3, allowed are {abroad}"),
    )
    reasons = holding(broken, count=count, most=most, west=west, abroad=abroad)
    clauses = (
        (until, "25-4", "twelve more from the turn after 250 points were reached, for 42 turns: until {until}"),
        (most is None, "25-5", "no limit since Austria-Hungary is Shaken"),
        (abroad, "25-6", "up to four other divisions as Germany has collapsed"),
        (not abroad, "25-6", "other units only once Germany has collapsed"),
    )
    here = not (reasons and reasons[0].rule == "25-6")
    text = "{count} of {most} German divisions in the sphere"
    if most is None:
        text = "{count} German divisions in the sphere: no limit"
    return permission(
        "German forces in the Austro-Hungarian sphere",
        (text, "{count} German divisions may not be in the sphere" if here else "they may not be on map 5-3"),
        reasons,
        Sphere(count=count, most=most, until=until),
        kind="yes" if count or west else "figure",
        working={"What is allowed": [*list_remarks("sphere"), *holding(clauses, until=until)]},
    )


# --- aid for Italy ----------------------------------------------------------------------------------------------------


class AidRow(msgspec.Struct, frozen=True):
    """Forces that may come to the aid of Italy."""

    rule: str
    who: str
    count: int
    kind: str
    after: int | None = None
    """Turns after it is Shaken, None for a limit of the whole war."""


class Aid(msgspec.Struct, frozen=True, kw_only=True):
    """What may come to the aid of Italy."""

    who: Annotated[str, note("whose forces")]
    count: Annotated[int, note("how many")]
    kind: Annotated[str, note("of what")]
    turn: Annotated[str, note("the first turn, empty for a limit of the whole war", "turn")]
    now: Annotated[bool, note("whether they may be there now")]


def list_aid_due(view: View, turn: int) -> Iterator[Aid]:
    """Yield what may come to the aid of Italy once it is Shaken, and when. Rule: 25-7"""
    shaken = turn_stated(view, SHAKEN, ITALIAN) or turn
    for row in read_rows("aid", AidRow):
        when = read_campaign_calendar(view).after_turns(shaken, row.after) if row.after else None
        yield Aid(
            who=row.who, count=row.count, kind=row.kind, turn=format_turn(view, when), now=when is None or when <= turn
        )


def aid(view: View) -> Report[tuple[Aid, ...]]:
    """Return the report on British and French forces that may be on map 6-4. Rule: 25-7, 25-8, 25-9"""
    with view.gather() as facts:
        turn = turn_now(facts)
    any_number = has_reached(view, COLLAPSE, ITALIAN)
    found = tuple(list_aid_due(view, turn)) if has_reached(view, SHAKEN, ITALIAN) and not any_number else ()
    if any_number:
        text = "any British and French forces may be on map 6-4"
    elif found:
        text = "limited forces may be on map 6-4"
    else:
        text = "no British or French forces may be on map 6-4"
    steps = []
    for item in found:
        comes = "{who}: {count} x {kind}" + (", from {turn}" if item.turn else " in all")
        steps.append(step("25-7", comes, item, who=format_nation(view, item.who)))
    clauses = (
        (not found and not any_number, "25-7", "only once Italy is Shaken"),
        (any_number, "25-7", "Italy has collapsed"),
        (
            found or any_number,
            "25-8",
            "the BEF HQ comes with the first British unit, to the same hex and without supply points",
        ),
    )
    return Report(
        title="Aid for Italy",
        verdict=verdict("yes" if found or any_number else "no", text),
        parts=(Part("Forces", tuple(steps)), Part("Besides", (*holding(clauses), *list_remarks("aid")))),
        result=found,
    )


QUESTIONS = (
    declare("sphere", "how many German divisions may be in the Austro-Hungarian sphere, and until when", sphere),
    declare("aid", "which British and French forces may come to the aid of Italy, and when", aid),
)
