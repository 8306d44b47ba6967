"""Supply points in Headquarters and their limits: the question `caps` (16-4 to 16-14)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Annotated

import msgspec

from assistant.asking import MissingFacts, Part, Report, Step, View, declare, note, step, verdict
from assistant.asking.asks import ask_for_fact
from assistant.game.events import read_events
from assistant.rules.due import gains_of, reckon_due

from .terms import (
    dates_of,
    format_nation,
    format_turn,
    keeps_supply_points,
    list_remarks,
    read_campaign_calendar,
    read_rows,
    turn_now,
)


class Limit(msgspec.Struct, frozen=True):
    """A limit of supply points in Headquarters."""

    rule: str
    who: str
    from_: str = msgspec.field(default="", name="from")
    until: str = ""
    most: int = 0
    each: bool = False
    """Whether it is one of every single Headquarters."""


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
    """Return the limit of a nation in a turn, None for none.
    Rule: 16-4, 16-5, 16-6, 16-7, 16-8, 16-9, 16-10, 16-11, 16-12
    """
    dates = dates_of(view)
    limits = (row for row in read_rows("limits", Limit) if row.who == who)
    return next((row for row in limits if dates.is_within(turn, row.from_, row.until, who)), None)


def find_next_special(view: View, turn: int) -> int | None:
    """Return the next special turn, in which the limits are tested; None for none. Rule: 16-13"""
    known = read_campaign_calendar(view)
    return next((number for number in range(turn + 1, known.last) if not known.turn_of_month(number)), None)


def most_held(limit: Limit | None, headquarters: int | None) -> int | None:
    """Return how many supply points a nation may hold at most, or None if there is no limit: also where each HQ has one,
    and there is none, or their number is not known.

    Rule: 16-12
    """
    if limit is None or not limit.each:
        return limit.most if limit else None
    return limit.most * headquarters if headquarters else None


def headquarters_of(view: View, who: str) -> int | None:
    """Return how many HQs a nation has, None if that is not stated. Rule: 16-12"""
    return view.integer("headquarters", who) if view.fact("headquarters", who) else None


def cap_of(view: View, who: str, turn: int) -> Cap:
    """Return what a nation holds and may hold, now and in the next special turn with what is due until then.
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
    """Yield what a nation keeps at most of its supply points as a turn of a period begins."""
    known = read_campaign_calendar(view)
    for row in read_events(view.game).ceiling:
        if (row.account, row.who) == ("sp", who) and first <= known.number(row.at) <= last:
            yield row.most


def _headquarters_in(view: View, who: str, turn: int) -> int | None:
    """Return how many HQs a nation had in a turn, as many as now if none were stated then; None if not stated."""
    then = view.past.held_at("headquarters", who, [turn]).get(turn, 0) if view.past else 0
    return then or headquarters_of(view, who)


class Forfeit(msgspec.Struct, frozen=True):
    """A nation over its limit in a special turn, by which its player has lost the game."""

    turn: int
    who: str
    held: int
    most: int


def list_forfeits(view: View, turn: int) -> list[Forfeit]:
    """Return who was over a limit in a special turn until now, the earliest first: this one, and those that the journal
    has passed. Nobody was in books that keep no supply points.

    Rule: 16-13
    """
    if not keeps_supply_points(view):
        return []
    known = read_campaign_calendar(view)
    found = list[Forfeit]()
    tested = [number for number in range(known.first, turn) if not known.turn_of_month(number)]
    for who in chain.from_iterable(view.game.file.sides.values()):
        held = dict(view.past.held_at("sp", who, tested)) if view.past else {}
        if not known.turn_of_month(turn):
            held[turn] = view.integer("sp", who)
        for when, points in held.items():
            most = most_held(limit_at(view, who, when), _headquarters_in(view, who, when))
            if most is not None and points > most:
                found.append(Forfeit(when, who, points, most))
    return sorted(found, key=lambda forfeit: forfeit.turn)


def caps(
    view: View, *, who: Annotated[str, note("a nation; by default all", "nation")] = ""
) -> Report[tuple[Cap, ...]]:
    """Return the report on supply points in Headquarters and their limits, now and in the next special turn, in which a
    player who is over one loses the game; and on the special turns that the journal has passed. Rule: 16-13, 16-14
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
    lost = [forfeit for forfeit in list_forfeits(view, turn) if forfeit.who in nations]
    over = [cap for cap in found if cap.over]
    ahead = [cap for cap in found if cap.next_most is not None and cap.next_held > cap.next_most]
    parts = (
        Part("Limits", tuple(_cap_steps(view, found, turn))),
        Part("The test", (*(_format_forfeit(view, forfeit) for forfeit in lost), *list_remarks("caps"))),
    )
    open_caps = [cap for cap in found if cap.each and cap.headquarters is None and cap.held > (cap.most or 0)]
    if open_caps and not lost:
        raise MissingFacts([ask_for_fact(view.game.track("headquarters"), cap.who) for cap in open_caps], parts)
    text = "{over} over the limit now" if over else "no nation is over a limit now"
    if lost:
        when = lost[0].turn
        text += ", which loses the game" if when == turn else "; {lost} over it in {when}, which lost the game"
    if ahead:
        text += "; in {next} without spending: {ahead}"
    figures: dict[str, object] = {"next": format_turn(view, find_next_special(view, turn))}
    figures |= {
        "ahead": [format_nation(view, cap.who) for cap in ahead],
        "over": [format_nation(view, cap.who) for cap in over],
    }
    if lost:
        figures |= {"when": format_turn(view, lost[0].turn)}
        figures |= {"lost": [format_nation(view, forfeit.who) for forfeit in lost if forfeit.turn == lost[0].turn]}
    return Report(
        title="Supply points in Headquarters",
        verdict=verdict("no" if lost else "figure", text, **figures),
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


QUESTIONS = (declare("caps", "supply points in Headquarters and their limits, now and in the next special turn", caps),)
