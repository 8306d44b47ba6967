"""The questions `rebuild`, `returns` and `build` on rebuilding units."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

import msgspec

from assistant.asking import (
    AnyName,
    InputError,
    NationName,
    Part,
    Report,
    Step,
    View,
    declare,
    holding,
    note,
    permission,
    step,
    verdict,
)
from assistant.game.events import read_events
from assistant.game.schedules import Due, arrival
from assistant.rules.due import due_question, reckon_due
from assistant.util.errors import format_suggestion

from .terms import (
    BRITISH,
    GERMAN,
    RUSSIAN,
    Count,
    format_nation,
    format_turn,
    printed,
    read_campaign_calendar,
    read_rows,
    turn_now,
    year_of,
)

FULL_TANKS_TURN = "oct17/1"
"""The turn from which a British tank unit may be brought up to strength 12; before that turn the maximum is 8."""
FIRST_LATE_TURN = "jan17/4"
"""The turn from which Russia may build its late divisions."""
MAX_LATE_DIVISIONS = 4
"""The most late divisions that Russia may build in a turn."""
NOT_REBUILT_ARMS = ("headquarters", "engineer")
TYPES_IN_PAIRS = {"line", "rifle"}
"""The types of late divisions of which a strength point buys two."""
NOT_ARRIVING_UNITS = ("Bran", "Sok2", "Kraj")


class Rebuilding(msgspec.Struct, frozen=True, kw_only=True):
    """Whether strength may be rebuilt."""

    account: Annotated[str, note("the replacements that it takes")] = ""
    cost: Annotated[int, note("replacement strength that it takes")] = 0
    left: Annotated[int, note("replacement strength left afterwards")] = 0
    allowed: Annotated[bool | None, note("whether the strength may be rebuilt")] = None


def never_rebuilt(kind: str) -> list[Step]:
    """Return the reason if a kind of unit is never rebuilt, or an empty list. Rule: 16-1"""
    why = "headquarters and engineers come back three full months later instead (ask returns)"
    return holding([(kind in NOT_REBUILT_ARMS, "16-1", why)])


def too_many_tanks(view: View, turn: int, who: str, kind: str, full: int) -> list[Step]:
    """Return the reason if a tank unit may not be brought up to a strength, or an empty list.

    `full`: the strength.

    Rule: 20-16
    """
    most = 12 if turn >= read_campaign_calendar(view).number(FULL_TANKS_TURN) else 8
    text = "British tanks have at most {most}: 8 until October 1917"
    return holding([(kind == "tank" and who == BRITISH and full > most, "20-16", text)], most=most)


def rebuild(
    view: View,
    *,
    who: NationName,
    kind: Annotated[str, note("what is rebuilt: a kind of the event `rebuild`, such as infantry or czech-artillery")],
    strength: Annotated[Count, note("strength points")] = 1,
    full: Annotated[Count, note("of a British tank unit, its strength afterwards", option="strength-after")] = 0,
) -> Report[Rebuilding]:
    """Return the report on rebuilding strength from replacements.

    Rule: 7-20, 16-2, 16-3
    """
    with view.gather() as facts:
        turn = turn_now(facts)
    if why := never_rebuilt(kind):
        text = "{what} of {who} cannot be rebuilt"
        return permission("Rebuilding", ("", text), why, Rebuilding(), what=kind, who=format_nation(view, who))
    kinds = read_events(view.game).event["rebuild"].kinds
    kind = own if (own := f"{who}-{kind}") in kinds else kind
    if kind not in kinds:
        raise InputError(f"kind: {kind!r} is not rebuilt", hint=format_suggestion(kind, kinds))
    complete = kind == "second" and view.flag("divisions-complete", RUSSIAN)
    posts = kinds["infantry" if complete else kind]
    (account, each), *_ = posts.posts.items()
    cost = -each * strength
    rule = posts.rule or "16-2"
    only = kinds[kind].only
    held = view.integer(account, who)
    clauses = (
        (only and who not in only, rule, "{kind} is rebuilt only by {only}"),
        (cost > held, rule, "it takes {cost} of the {title}, and {held} are left"),
    )
    figures = {"kind": kind, "only": [format_nation(view, nation) for nation in only], "cost": cost, "held": held}
    reasons = [
        *holding(clauses, title=view.game.track(account).title, **figures),
        *too_many_tanks(view, turn, who, kind, full),
    ]
    text = "{who} may rebuild {strength} of {what}: {cost} of {held}, {left} left"
    said_of_it = (
        (True, rule, "{cost} of the {title}"),
        (kind.endswith("artillery"), "16-2", "artillery takes double, of the same nationality"),
        (complete, "7-20", "all divisions with an asterisk exist: 3-3 replacements are for any Russian unit"),
    )
    return permission(
        "Rebuilding",
        (text, "{who} may not rebuild {strength} of {what}"),
        reasons,
        Rebuilding(account=account, cost=cost, left=held - cost),
        who=format_nation(view, who),
        strength=strength,
        what=kind,
        held=held,
        working={"What it takes": holding(said_of_it, cost=cost, title=view.game.track(account).title)},
    )


class Return(msgspec.Struct, frozen=True, kw_only=True):
    """The turn in which a unit comes back."""

    unit: Annotated[str, note("the unit")]
    lost: Annotated[str, note("the turn in which it was destroyed", "turn")]
    turn: Annotated[str, note("the turn in which it comes back, empty for never", "turn")]


def find_return_turn(view: View, unit: str, lost: int) -> int | None:
    """Return the turn in which a destroyed headquarters or engineer comes back, or None for another unit.

    Rule: 16-1
    """
    calendar = read_campaign_calendar(view)
    return (
        calendar.after_turns(calendar.after_months(lost, 3), 1)
        if printed(view, unit, "arm") in NOT_REBUILT_ARMS
        else None
    )


def list_due(view: View, first: int, last: int) -> Iterator[Due]:
    """Yield the items of the schedules, and the units that come back.

    Rule: 16-1
    """
    yield from reckon_due(view, first, last)
    for unit in [unit for track, unit in view.state.facts if track == "lost"]:
        back = find_return_turn(view, unit, read_campaign_calendar(view).number(view.word("lost", unit)))
        if back is not None and first <= back <= last:
            yield arrival(unit, printed(view, unit, "nation"), back, "16-1")


def returns(
    view: View, *, unit: AnyName, lost: Annotated[str, note("the turn of its loss; by default as stated", "turn")] = ""
) -> Report[Return]:
    """Return the report on the return of a destroyed headquarters or engineer.

    Rule: 16-1
    """
    if unit not in view.game.roster:
        raise InputError(f"unit: {unit} is not in the roster", hint=format_suggestion(unit, view.game.roster))
    with view.gather() as facts:
        when = read_campaign_calendar(view).number(lost or facts.word("lost", unit))
    back = find_return_turn(view, unit, when)
    found = Return(unit=unit, lost=format_turn(view, when), turn=format_turn(view, back))
    text = "{unit}, destroyed in {lost}, comes back in {turn}" if found.turn else "{unit} does not come back by itself"
    other = "other units are rebuilt from replacements (ask rebuild)"
    return Report(
        title=f"Return of {unit}",
        verdict=verdict("figure", text, found),
        parts=(Part("Why", (step("16-1", "three full months and a turn after its loss" if found.turn else other),)),),
        result=found,
    )


# --- the cost of placing units ----------------------------------------------------------------------------------------


class Late(msgspec.Struct, frozen=True):
    """A division that Russia may build in 1917."""

    rule: str
    unit: str
    type: Literal["line", "Siberian", "Grenadier", "rifle", "Finnish"]


class Built(msgspec.Struct, frozen=True, kw_only=True):
    """The cost of placing units."""

    units: Annotated[tuple[str, ...], note("the units")]
    cost: Annotated[int, note("strength points that are removed elsewhere")]
    allowed: Annotated[bool | None, note("whether they may be placed")] = None


def late_cost(kinds: Sequence[str]) -> int:
    """Return the strength points that late Russian divisions cost.

    Two line divisions, or two rifle divisions, cost a point, so that the three rifle divisions cost two. Others cost a
    point each.

    `kinds`: the type of each division.

    Rule: 29-5/late-1917, 29-5/late-1917b
    """
    counts = {kind: kinds.count(kind) for kind in kinds}
    return sum((count + 1) // 2 if kind in TYPES_IN_PAIRS else count for kind, count in counts.items())


def build(
    view: View,
    *,
    units: Annotated[tuple[str, ...], note("units by their ids", "name")],
    opolchenie: Annotated[Count, note("Opolchenie brigades in play")] = 0,
) -> Report[Built]:
    """Return the report on units with a cost to place.

    Rule: 29-1/asterisk, 29-5/asterisk, 29-5/late-1917, 29-5/late-1917b, 7-20, 9-9
    """
    with view.gather() as facts:
        turn = turn_now(facts)
    serbian = [unit for unit in units if unit in NOT_ARRIVING_UNITS]
    unknown = next((unit for unit in units if unit not in view.game.roster and unit not in serbian), "")
    if unknown:
        raise InputError(f"units: {unknown!r} is not in the roster", hint=format_suggestion(unknown, view.game.roster))
    late = {row.unit: row for row in read_rows("late-divisions", Late)}
    kinds = [late[unit].type for unit in units if unit in late]
    order = [unit for unit in late if late[unit].type in kinds]
    clauses = (
        (
            kinds and turn < read_campaign_calendar(view).number(FIRST_LATE_TURN),
            "29-5/late-1917",
            "late divisions are built from turn 4 of January 1917 on",
        ),
        (len(kinds) > MAX_LATE_DIVISIONS, "29-5/late-1917", "{count} are more than four in a turn"),
        (serbian and year_of(view, turn) < 1915, "9-9", "the Serbian divisions are built from 1915 on"),
    )
    working = holding(
        [
            (
                {*kinds} & TYPES_IN_PAIRS,
                "29-5/late-1917",
                (
                    "line and rifles: a strength point of a division of the same type for two, at most one from any "
                    "division and never its last"
                ),
            ),
            (
                {*kinds} - TYPES_IN_PAIRS,
                "29-5/late-1917b",
                (
                    "Siberian, Finnish and Grenadier divisions: a strength point each, of the same type, at most two "
                    "from any division and never its last"
                ),
            ),
            (order, "29-5/late-1917", "in the order of their numbers: {order:+}"),
            (serbian, "9-9", "they are built from replacements or other units"),
        ],
        order=order,
    )
    asterisked = [unit for unit in units if view.flag("asterisked", unit) or printed(view, unit, "asterisked")]
    asterisked_cost, steps = _price_asterisked(view, asterisked, opolchenie)
    return permission(
        "Placing units",
        ("{units} may be placed: {cost:#strength point} removed elsewhere", "{units} may not be placed"),
        holding(clauses, count=len(kinds)),
        Built(units=tuple(units), cost=late_cost(kinds) + asterisked_cost),
        working={"What it costs": [*working, *steps]},
    )


def _price_asterisked(view: View, units: Sequence[str], opolchenie: int) -> tuple[int, list[Step]]:
    """Return the strength points that units with an asterisk cost, and the working.

    `opolchenie`: the number of Opolchenie brigades in play.
    """
    cost = 0
    germans = []
    steps = []
    for unit in units:
        if printed(view, unit, "nation") == GERMAN:
            germans.append(int(printed(view, unit, "strength")))
        elif opolchenie >= 2:
            opolchenie -= 2
            steps.append(step("29-5/asterisk", "{unit}: two Opolchenie brigades are removed", unit=unit))
        else:
            cost += 2
            text = "{unit}: two strength points, from units or replacements, or a 2-3 RPL (7-20)"
            steps.append(step("29-5/asterisk", text, unit=unit))
    if germans:
        together = view.ruling("asterisk") == "together"
        half = sum(germans) // 2 if together else sum(strength // 2 for strength in germans)
        cost += half
        text = (
            "{half} of the {strength} German points are taken from the strongest German units, not Assault, Mountain "
            "or Guard"
        )
        steps.append(step("29-1/asterisk", text, half=half, strength=sum(germans)))
    return cost, steps


QUESTIONS = (
    due_question(list_due),
    declare("rebuild", "may this strength be rebuilt from replacements, what it costs, and what is left", rebuild),
    declare("returns", "when a destroyed headquarters or engineer comes back", returns),
    declare("build", "what placing units with an asterisk and late Russian divisions costs", build),
)
