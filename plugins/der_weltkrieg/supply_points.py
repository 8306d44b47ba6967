"""The questions on supply points: `caps`, the limits in Headquarters, `spend`, and `americans`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from itertools import chain
from typing import Annotated, Literal

import msgspec

from assistant.asking import (
    MissingFacts,
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
from assistant.asking.asks import ask_for_fact
from assistant.game.events import read_events
from assistant.game.typed_events import find_holder
from assistant.rules.due import gains_of, reckon_due
from assistant.util.errors import InputError

from .terms import (
    AMERICAN,
    AUSTRIAN,
    BRITISH,
    FRENCH,
    ITALIAN,
    Count,
    dates_of,
    format_nation,
    format_turn,
    keeps_supply_points,
    list_remarks,
    read_campaign_calendar,
    read_rows,
    turn_now,
    year_of,
)

MAX_ITALIAN_SPENDING = {1915: 12, 1916: 18}
"""The maximum supply points that an Italian HQ spends on one attack, by year."""
FIRST_HQ_TURN = "aug18/1"
"""The turn in which the 1st American HQ arrives."""
MAX_DIVISIONS = {"attack": (8, 4), "counterattack": (16, 8)}
"""The maximum number of American divisions for which allied HQs may spend supply points in a turn.

Each pair has the numbers before and after the first American HQ arrives.
"""


class Limit(msgspec.Struct, frozen=True):
    """A limit of supply points in Headquarters."""

    rule: str
    who: str
    from_: str = msgspec.field(default="", name="from")
    until: str = ""
    most: int = 0
    each: bool = False
    """Whether the limit applies to each Headquarters."""


class Cap(msgspec.Struct, frozen=True, kw_only=True):
    """The limit of a nation's supply points."""

    who: Annotated[str, note("the nation")]
    held: Annotated[int, note("supply points in its Headquarters")]
    most: Annotated[int | None, note("how many it may hold, null for any number")]
    each: Annotated[bool, note("whether that is so of each single HQ")] = False
    headquarters: Annotated[int | None, note("how many HQs it has, null if that is not stated")] = None
    over: Annotated[int, note("how many it holds too many")] = 0
    next_turn: Annotated[str, note("the next special turn, empty for none")] = ""
    next_held: Annotated[int, note("what it will hold then, with what is due and nothing spent")] = 0
    next_most: Annotated[int | None, note("how many it may hold then, null for any number")] = None


def limit_at(view: View, who: str, turn: int) -> Limit | None:
    """Return the limit of a nation in a turn, or None if it has none.

    Rule: 16-4, 16-5, 16-6, 16-7, 16-8, 16-9, 16-10, 16-11, 16-12
    """
    dates = dates_of(view)
    limits = (row for row in read_rows("limits", Limit) if row.who == who)
    return next((row for row in limits if dates.is_within(turn, row.from_, row.until, who)), None)


def find_next_special(view: View, turn: int) -> int | None:
    """Return the next special turn, in which limits are tested, or None if there is none. Rule: 16-13"""
    calendar = read_campaign_calendar(view)
    return next((number for number in range(turn + 1, calendar.last) if not calendar.turn_of_month(number)), None)


def most_held(limit: Limit | None, headquarters: int | None) -> int | None:
    """Return the maximum supply points that a nation may hold, or None for any number.

    A limit for each HQ counts only if the number of HQs is known.

    Rule: 16-12
    """
    if limit is None or not limit.each:
        return limit.most if limit else None
    return limit.most * headquarters if headquarters else None


def headquarters_of(view: View, who: str) -> int | None:
    """Return the number of a nation's HQs, or None if not stated. Rule: 16-12"""
    return view.integer("headquarters", who) if view.fact("headquarters", who) else None


def cap_of(view: View, who: str, turn: int) -> Cap:
    """Return the supply points that a nation holds and may hold, now and in the next special turn.

    Rule: 16-4 to 16-13
    """
    limit = limit_at(view, who, turn)
    then = find_next_special(view, turn)
    next_limit = limit_at(view, who, then) if then is not None else None
    headquarters = headquarters_of(view, who) if limit and limit.each else None
    held = view.integer("sp", who)
    most = most_held(limit, headquarters)
    due = 0 if then is None else gains_of(reckon_due(view, turn + 1, then)).get((who, "sp"), 0)
    kept = held if then is None else min([held, *_list_ceilings(view, who, turn + 1, then)])
    return Cap(
        who=who,
        held=held,
        most=limit.most if limit else None,
        each=bool(limit and limit.each),
        headquarters=headquarters,
        over=0 if most is None else max(0, held - most),
        next_turn=format_turn(view, then),
        next_held=kept + due,
        next_most=most_held(next_limit, headquarters),
    )


def _list_ceilings(view: View, who: str, first: int, last: int) -> Iterator[int]:
    calendar = read_campaign_calendar(view)
    for row in read_events(view.game).ceiling:
        if (row.account, row.who) == ("sp", who) and first <= calendar.number(row.at) <= last:
            yield row.most


def _headquarters_in(view: View, who: str, turn: int) -> int | None:
    """Return the number of a nation's HQs in a turn, or the present number if none was stated."""
    then = view.past.held_at("headquarters", who, [turn]).get(turn, 0) if view.past else 0
    return then or headquarters_of(view, who)


class Forfeit(msgspec.Struct, frozen=True):
    """A nation over its limit in a special turn, which loses its player the game."""

    turn: int
    who: str
    held: int
    most: int


def list_forfeits(view: View, turn: int) -> list[Forfeit]:
    """Return the nations over a limit in a special turn so far, the earliest first.

    Rule: 16-13
    """
    if not keeps_supply_points(view):
        return []
    calendar = read_campaign_calendar(view)
    found = list[Forfeit]()
    tested = [number for number in range(calendar.first, turn) if not calendar.turn_of_month(number)]
    for who in chain.from_iterable(view.game.file.sides.values()):
        held = dict(view.past.held_at("sp", who, tested)) if view.past else {}
        if not calendar.turn_of_month(turn):
            held[turn] = view.integer("sp", who)
        for when, points in held.items():
            most = most_held(limit_at(view, who, when), _headquarters_in(view, who, when))
            if most is not None and points > most:
                found.append(Forfeit(when, who, points, most))
    return sorted(found, key=lambda forfeit: forfeit.turn)


def caps(
    view: View, *, who: Annotated[str, note("a nation; by default all", "nation")] = ""
) -> Report[tuple[Cap, ...]]:
    """Return the report on supply points in Headquarters and their limits.

    Rule: 16-13, 16-14
    """
    with view.gather() as facts:
        turn = turn_now(facts)
    if not keeps_supply_points(view):
        return Report(
            title="Supply points in Headquarters",
            verdict=verdict("figure", "these books keep no supply points"),
            parts=(Part("Limits", ()), Part("The test", tuple(list_remarks("caps")))),
            result=(),
        )
    nations = [who] if who else [nation for side in view.game.file.sides.values() for nation in side]
    found = tuple(
        cap for nation in nations if (cap := cap_of(view, nation, turn)).most is not None or cap.next_most or who
    )
    forfeits = [forfeit for forfeit in list_forfeits(view, turn) if forfeit.who in nations]
    over = [cap for cap in found if cap.over]
    ahead = [cap for cap in found if cap.next_most is not None and cap.next_held > cap.next_most]
    parts = (
        Part("Limits", tuple(_cap_steps(view, found, turn))),
        Part("The test", (*(_format_forfeit(view, forfeit) for forfeit in forfeits), *list_remarks("caps"))),
    )
    open_caps = [cap for cap in found if cap.each and cap.headquarters is None and cap.held > (cap.most or 0)]
    if open_caps and not forfeits:
        raise MissingFacts([ask_for_fact(view.game.track("headquarters"), cap.who) for cap in open_caps], parts)
    text = "{over} over the limit now" if over else "no nation is over a limit now"
    if forfeits:
        when = forfeits[0].turn
        text += ", which loses the game" if when == turn else "; {lost} over it in {when}, which lost the game"
    if ahead:
        text += "; in {next} without spending: {ahead}"
    figures: dict[str, object] = {"next": format_turn(view, find_next_special(view, turn))}
    figures |= {
        "ahead": [format_nation(view, cap.who) for cap in ahead],
        "over": [format_nation(view, cap.who) for cap in over],
    }
    if forfeits:
        figures |= {"when": format_turn(view, forfeits[0].turn)}
        figures |= {
            "lost": [format_nation(view, forfeit.who) for forfeit in forfeits if forfeit.turn == forfeits[0].turn]
        }
    return Report(
        title="Supply points in Headquarters",
        verdict=verdict("no" if forfeits else "figure", text, **figures),
        parts=parts,
        result=found,
    )


def _format_forfeit(view: View, forfeit: Forfeit) -> Step:
    text = "{who} was over its limit in {when}: {held} of {most}"
    return step("16-13", text, forfeit, who=format_nation(view, forfeit.who), when=format_turn(view, forfeit.turn))


def _cap_steps(view: View, found: tuple[Cap, ...], turn: int) -> Iterator[Step]:
    for cap in found:
        limit = limit_at(view, cap.who, turn)
        each = " in each of {headquarters:#HQ}" if cap.headquarters is not None else " in each HQ"
        text = (
            "{who}: {held} of at most {most}" + (each if cap.each else "") + (", {over} too many" if cap.over else "")
        )
        text = text if cap.most is not None else "{who}: {held}, no limit yet"
        if cap.next_most is not None:
            text += "; {next_turn}: {next_held} of {next_most}"
        yield step(limit.rule if limit else "16-13", text, cap, who=format_nation(view, cap.who))


# --- supply points that a headquarters spends -------------------------------------------------------------------------


class Payer(msgspec.Struct, frozen=True):
    """A row of units for which HQs of another nation spend supply points."""

    rule: str
    troops: str
    payer: str = msgspec.field(name="who")
    text: str
    """The rule in words, such as `Italian units on map 5-3 count as French`."""


class Spending(msgspec.Struct, frozen=True, kw_only=True):
    """Whether supply points may be spent."""

    allowed: Annotated[bool | None, note("whether the supply points may be spent")] = None
    left: Annotated[int, note("supply points left afterwards")] = 0
    owed: Annotated[int, note("supply points that have to be spent on infantry within two turns")] = 0


def spend(
    view: View,
    *,
    who: Annotated[NationName, note("the nation whose HQ spends them", "nation")],
    points: Annotated[Count, note("supply points")],
    artillery: Annotated[Count, note("how many of them on attacking artillery")] = 0,
    unit: Annotated[
        str, note("what they are spent for, if not its own units: a nation, landwehr, portuguese, polish or 93rd")
    ] = "",
    attack: Annotated[bool, note("whether they are spent on one attack")] = True,
) -> Report[Spending]:
    """Return the report on supply points that an HQ spends.

    Rule: 3-6, 8-3/5, 15-2, 15-3, 16-15, 21-1, 21-2
    """
    with view.gather() as facts:
        turn = turn_now(facts)
    year = year_of(view, turn)
    is_kept = keeps_supply_points(view)
    left = view.integer("sp", who) - points if is_kept else 0
    with suppress(InputError):  # landwehr and the like are not nations
        unit = find_holder(view.game, read_events(view.game), unit)
    unit = "" if unit == who else unit.casefold()
    most = MAX_ITALIAN_SPENDING.get(year)
    foreign = {row.troops: row for row in read_rows("payers", Payer)}.get(unit)
    payers = {foreign.payer if foreign else unit or who}
    if unit == AMERICAN:
        payers.update((BRITISH, FRENCH))
    elif unit == "landwehr" and year == 1914:
        payers.add(AUSTRIAN)
    clauses = (
        (left < 0 and is_kept, "16-4", "{who} has {held:#supply point}, not {points}"),
        (
            who == ITALIAN and attack and most is not None and points > most,
            "8-3/5",
            "an Italian HQ spends at most {most} on one attack in {year}",
        ),
        (
            foreign and who not in payers,
            foreign.rule if foreign else "",
            "{text}: an HQ of {who} does not spend for them",
        ),
        (who not in payers and not foreign, "16-4", "an HQ of {who} does not spend for {unit}"),
        (artillery > points, "16-15", "{artillery} on artillery is more than {points} in all"),
    )
    reasons = holding(
        clauses,
        who=format_nation(view, who),
        held=view.integer("sp", who),
        points=points,
        most=most,
        year=year,
        unit=format_nation(view, unit),
        text=foreign.text if foreign else "",
        artillery=artillery,
    )
    working = [step("16-15", "{owed} have to be spent on infantry, this turn or within two", owed=artillery)]
    return permission(
        "Supply points spent",
        (
            "{who} may spend {points}: {left} left"
            if is_kept
            else "{who} may spend {points}, of which no account is known here",
            "{who} may not spend {points}",
        ),
        reasons,
        Spending(left=left, owed=artillery),
        who=format_nation(view, who),
        points=points,
        working={
            "For others": holding([(foreign, foreign.rule, "{text}")], foreign) if foreign else [],
            "Owed": working if artillery else [],
        },
    )


# --- allowances of the United States ----------------------------------------------------------------------------------


class Americans(msgspec.Struct, frozen=True, kw_only=True):
    """The allowances of the United States."""

    attack: Annotated[
        int,
        note(
            "maximum number of divisions for whose attacks allies may spend supply points in a turn; a brigade counts half"
        ),
    ]
    counterattack: Annotated[
        int, note("maximum number of divisions for whose counterattacks allies may spend supply points in a turn")
    ]
    used: Annotated[Fraction, note("divisions for which they spend")]
    takers: Annotated[tuple[str, ...], note("nations whose supply points theirs may become")]
    banked: Annotated[int, note("supply points reserved for the 1st HQ: what no ally has taken before it arrives")]
    room: Annotated[int, note("how many more may be reserved for it")]
    beyond: Annotated[int, note("supply points beyond those that may be reserved: allies have to take them")] = 0
    allowed: Annotated[bool | None, note("whether allies may spend for this number")] = None


def largest_reserve(view: View) -> int:
    """Return the maximum supply points that may be reserved for the 1st HQ before it arrives. Rule: 15-10"""
    return next(row.most for row in read_events(view.game).ceiling if row.who == AMERICAN)


def american_divisions(view: View, use: str, turn: int) -> int:
    """Return the number of American divisions for which allied HQs may spend in a turn.

    `use`: "attack" or "counterattack".

    Rule: 15-2
    """
    before, after = MAX_DIVISIONS[use]
    return after if turn >= read_campaign_calendar(view).number(FIRST_HQ_TURN) else before


def americans(
    view: View,
    *,
    divisions: Annotated[Count, note("the divisions for which British and French HQs spend this turn")] = 0,
    brigades: Annotated[Count, note("the brigades for which British and French HQs spend this turn")] = 0,
    use: Annotated[Literal["attack", "counterattack"], note("for what they spend")] = "attack",
) -> Report[Americans]:
    """Return the report on allied spending for the United States, and on nations that may take its points.

    Rule: 15-2, 15-9, 15-10, 22-8
    """
    with view.gather() as facts:
        turn = turn_now(facts)
    arrived = turn >= read_campaign_calendar(view).number(FIRST_HQ_TURN)
    counts = not arrived and keeps_supply_points(view)
    held = view.integer("sp", AMERICAN) if counts else 0
    largest = largest_reserve(view)
    found = Americans(
        attack=american_divisions(view, "attack", turn),
        counterattack=american_divisions(view, "counterattack", turn),
        used=divisions + Fraction(brigades, 2),
        takers=(BRITISH, FRENCH, AMERICAN) if arrived else (BRITISH, FRENCH),
        banked=min(held, largest),
        room=max(0, largest - held) if counts else 0,
        beyond=max(0, held - largest),
    )
    most = american_divisions(view, use, turn)
    clauses = (
        (
            True,
            "15-2",
            (
                "British and French HQs may spend attack supply for {attack} of its divisions a turn, counterattack "
                "supply for {counterattack}; a brigade is half a division"
            ),
        ),
        (arrived, "15-2", "halved since its first HQ has arrived"),
        (True, "22-8", "no more of its divisions than {counterattack} may be in French and British sectors"),
        (True, "15-9", "its supply points may become those of: {takers}"),
        (counts, "15-10", "{banked} are reserved for the 1st HQ, {room} more may be; allies take the others"),
        (found.beyond, "15-9", "France and Great Britain have to take {beyond}, which may not be reserved"),
        (not arrived and not counts, "15-10", "at most {largest} are reserved for the 1st HQ; allies take the others"),
        (arrived, "15-10", "the 1st HQ started with what was reserved for it"),
    )
    return permission(
        "The United States",
        (
            "attack supply for {attack} divisions, counterattack supply for {counterattack}",
            "allies may not spend for {used:#division}",
        ),
        holding([(found.used > most, "15-2", "{used} divisions are more than {most}")], found, most=most),
        found,
        kind="yes" if found.used else "figure",
        working={"What is allowed": (*holding(clauses, found, largest=largest), *list_remarks("americans"))},
    )


QUESTIONS = (
    declare("caps", "supply points in Headquarters and their limits, now and in the next special turn", caps),
    declare("spend", "may an HQ spend these supply points, what is left, and what is owed to infantry", spend),
    declare(
        "americans", "what allies may spend for the United States, and who may take their supply points", americans
    ),
)
