"""The questions on allied forces: `sphere` and `aid`, and `sectors` of the western front."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated, Literal

import msgspec

from assistant.asking import (
    InputError,
    NationName,
    Parameters,
    Part,
    Report,
    View,
    declare,
    holding,
    note,
    permission,
    step,
    verdict,
)

from .morale import has_reached
from .supply_points import american_divisions
from .terms import (
    AMERICAN,
    AUSTRIAN,
    BELGIAN,
    BRITISH,
    COLLAPSE,
    GERMAN,
    ITALIAN,
    SHAKEN,
    Count,
    format_nation,
    format_turn,
    list_remarks,
    read_campaign_calendar,
    read_rows,
    turn_now,
    turn_stated,
    year_of,
)

EXCHANGED_DIVISIONS = 4
"""The maximum number of German divisions in the Austro-Hungarian sphere by the exchange of divisions (25-3)."""
AIDING_DIVISIONS = 12
"""The additional German divisions allowed once Austria-Hungary has 250 points."""
AIDING_TURNS = 42
"""The turns for which the additional divisions may stay."""
WESTERN_DIVISIONS = 4
"""The Austro-Hungarian divisions that may go west once Germany has collapsed."""
BRITISH_DIVISIONS_ABROAD = 6
"""The maximum number of British divisions in other nations' sectors in 1918 (22-9)."""


def count_divisions(divisions: int, halves: int) -> Fraction:
    """Return German forces counted in divisions.

    `halves`: cavalry divisions, brigades and regiments, which count half.

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
    """Return the maximum number of German divisions in the sphere, the last turn of the added ones, and the rule.

    The number is None if any number may be there. The added divisions come at 250 points.

    Rule: 25-3, 25-4, 25-5
    """
    if has_reached(view, SHAKEN, AUSTRIAN):
        return None, "", "25-5"
    at = turn_stated(view, "aided", AUSTRIAN)
    if at is None and has_reached(view, "aided", AUSTRIAN):
        at = turn
    if at is None:
        return EXCHANGED_DIVISIONS, "", "25-3"
    calendar = read_campaign_calendar(view)
    first = calendar.after_turns(at, 1)
    last = calendar.after_turns(at, AIDING_TURNS)
    if turn > last:
        return EXCHANGED_DIVISIONS, "", "25-3"
    most, rule = (EXCHANGED_DIVISIONS + AIDING_DIVISIONS, "25-4") if turn >= first else (EXCHANGED_DIVISIONS, "25-3")
    return most, format_turn(view, last), rule


def sphere(
    view: View,
    *,
    divisions: Annotated[int, note("German divisions and RPL units in the sphere, of any strength")] = 0,
    cavalry: Annotated[int, note("cavalry divisions in it")] = 0,
    brigades: Annotated[int, note("brigades and regiments in it, but headquarters, artillery and engineers")] = 0,
    west: Annotated[int, note("Austro-Hungarian divisions on map 5-3, besides siege artillery")] = 0,
) -> Report[Sphere]:
    """Return the report on German forces in the Austro-Hungarian sphere, and Austro-Hungarian ones in the West.

    Rule: 25-1, 25-2, 25-3, 25-4, 25-5, 25-6
    """
    with view.gather() as facts:
        turn = turn_now(facts)
    most, until, rule = sphere_limit(view, turn)
    count = count_divisions(divisions, cavalry + brigades)
    abroad = WESTERN_DIVISIONS if has_reached(view, COLLAPSE, GERMAN) else 0
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
    """The turns after Italy is Shaken, or None for a limit of the whole war."""


class Aid(msgspec.Struct, frozen=True, kw_only=True):
    """Forces that may come to the aid of Italy, with their turn."""

    who: Annotated[str, note("the nation whose forces may come")]
    count: Annotated[int, note("number of units or strength points of that kind")]
    kind: Annotated[str, note("kind of the forces")]
    turn: Annotated[str, note("the first turn, empty for a limit of the whole war", "turn")]
    now: Annotated[bool, note("whether they may be there now")]


def list_aid_due(view: View, turn: int) -> Iterator[Aid]:
    """Yield the forces that may come to the aid of Italy, with their turns.

    Rule: 25-7
    """
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


# --- sectors of the Entente's front -----------------------------------------------------------------------------------


class Sector(msgspec.Struct, frozen=True, kw_only=True):
    """A sector of the Entente's front."""

    rows: Annotated[tuple[tuple[str, ...], ...], note("the hexes row by row, the front first")]
    flanks: Annotated[tuple[str, ...], note("the left and right flank hex")]
    allowed: Annotated[bool | None, note("whether the sector is allowed, null until decided")] = None


def list_sector_rows(view: View, front: tuple[str, ...], behind: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Return the three rows of a sector, the front first.

    `front`: the hexes from one flank to the other.
    `behind`: the hexes to the rear of the sector.

    Rule: 22-4
    """
    board = view.board
    free = [hex for hex in behind if hex not in front]

    def touches(hex: str, row: tuple[str, ...]) -> bool:
        return any(board.distance(hex, other) == 1 for other in row)

    second = tuple(hex for hex in free if touches(hex, front))
    third = tuple(hex for hex in free if touches(hex, second) and not touches(hex, front))
    return front, second, third


class SectorsParameters(Parameters, frozen=True, kw_only=True):
    """The parameters of `sectors`."""

    who: NationName
    front: Annotated[tuple[str, ...], note("the front hexes from one flank to the other", "place")] = ()
    behind: Annotated[tuple[str, ...], note("the hexes behind them", "place")] = ()
    count: Annotated[Count, note("how many sectors the nation has")] = 1
    headquarters: Annotated[Count, note("the headquarters there")] = 1
    abroad: Annotated[Count, note("the divisions in sectors of others")] = 0
    french: Annotated[tuple[str, ...], note("hexes with French units in this sector", "place")] = ()
    own: Annotated[tuple[str, ...], note("hexes in which its own units are being set up", "place", "own-units")] = ()
    setting: Annotated[Literal["no", "set-up"], note("whether the units are just being set up")] = "no"
    outside: Annotated[bool, note("whether a Belgian sector includes hexes outside Belgium")] = False
    whole: Annotated[bool, note("whether it includes all of Belgium that the Entente holds")] = False


def sectors(view: View, asked: SectorsParameters) -> Report[Sector]:
    """Return the report on a nation's sector of the western front.

    Rule: 22-1, 22-2, 22-3, 22-4, 22-5, 22-6, 22-7, 22-8, 22-9
    """
    with view.gather() as facts:
        turn = turn_now(facts)
    if asked.who not in (BELGIAN, BRITISH, AMERICAN):
        raise InputError(
            f"who: {format_nation(view, asked.who)} has no sector",
            hint=(
                "Belgium, Great Britain or the United States; Portuguese units are British, Italian, Russian, Polish "
                "and Czech ones French"
            ),
        )
    lines = list_sector_rows(view, asked.front, asked.behind) if asked.front else ()
    flanks = (asked.front[0], asked.front[-1]) if asked.front else ()
    # during set-up, French units in the front must be in its flank hexes, not only next to these
    close = asked.front if asked.setting == "set-up" else ()
    near = []
    for hex in asked.french:
        least = 1 if hex in close else 2
        if all(view.board.distance(hex, flank) >= least for flank in flanks):
            near.append(hex)
    stray = [hex for hex in asked.own if asked.setting == "set-up" and not any(hex in line for line in lines)]
    most, limit = {
        BRITISH: (BRITISH_DIVISIONS_ABROAD if year_of(view, turn) == 1918 else 0, "22-9"),
        AMERICAN: (american_divisions(view, "counterattack", turn), "22-8"),
        BELGIAN: (0, "22-6"),
    }[asked.who]
    clauses = (
        (asked.count > 2, "22-5", "{count} sectors are more than two"),
        (asked.count == 2 and asked.headquarters < 2, "22-5", "a second sector needs a headquarters for each"),
        (
            asked.who == BELGIAN and asked.outside and not asked.whole,
            "22-7",
            "a Belgian sector with hexes outside Belgium holds all of Belgium that the Entente controls",
        ),
        (
            near,
            "22-2" if asked.setting == "set-up" else "22-6",
            "French units may be only in its flank hexes and next to them: not in {near}",
        ),
        (asked.abroad > most, limit, "{abroad:#division} in sectors of others, allowed are {most}"),
        (stray, "22-2", "its units are set up in its front and in the two rows behind it: not in {stray}"),
    )
    reasons = holding(clauses, count=asked.count, near=near, abroad=asked.abroad, most=most, stray=stray)
    steps = [step("22-4", "row {row}: {hexes}", row=number, hexes=[*line]) for number, line in enumerate(lines, 1)]
    steps += holding(
        [
            (flanks, "22-3", "flank hexes: {flanks}"),
            (
                asked.who == BELGIAN and not asked.headquarters,
                "22-7",
                "if without its HQ Belgium has no sector, its units are in Belgium, or as near to it as possible",
            ),
        ],
        flanks=[*flanks],
    )
    steps += list_remarks("sectors")
    return permission(
        f"Sector of {format_nation(view, asked.who)}",
        ("the sector is allowed", "the sector is not allowed"),
        reasons,
        Sector(rows=lines, flanks=flanks),
        working={"The sector": steps},
    )


QUESTIONS = (
    declare("sphere", "how many German divisions may be in the Austro-Hungarian sphere, and until when", sphere),
    declare("aid", "which British and French forces may come to the aid of Italy, and when", aid),
    declare("sectors", "a nation's sector of the western front: its hexes, and who may be in it", sectors),
)
