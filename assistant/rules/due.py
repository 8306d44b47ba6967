"""The question `due`: arrivals and other items that schedules and units' own facts bring in a turn or a period.

A period is reckoned as if no fact that schedules depend on changed. A game with more sources declares the question by
`due_question`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Annotated

import msgspec

from ..asking.asks import ask_for_fact
from ..asking.permission import if_known
from ..asking.question import Parameters, Question, declare
from ..asking.report import MissingFacts, Part, Report, Step, step, verdict
from ..asking.view import View
from ..game.calendar import Calendar
from ..game.course import SCENARIO
from ..game.events import read_events
from ..game.schedule_dates import FactOf
from ..game.schedule_files import read_schedules
from ..game.schedules import Due
from ..game.turn_record import read_calendar
from ..game.typed_events import find_holder
from ..state.vocabulary import Name
from ..util.errors import InputError
from ..util.notes import note
from .arrivals import fact_of, reckon_arrivals
from .phase_now import read_number


class DueParameters(Parameters, frozen=True, kw_only=True):
    """The period and the nations that are asked about."""

    turn: Annotated[str, note("the turn, such as mar16/5; by default the one that the position states", "turn")] = ""
    until: Annotated[str, note("the last turn of the period that begins with `turn`", "turn")] = ""
    who: Annotated[tuple[str, ...], note("sides or nations, by full or short name; by default all", "name")] = ()


class DueItem(msgspec.Struct, frozen=True, kw_only=True):
    """Something that is due."""

    turn: Annotated[str, note("the turn")]
    who: Annotated[str, note("the nation or side, empty for all")]
    item: Annotated[Name, note("what it is")]
    action: Annotated[str, note("what is done with it, such as withdraw; empty if it arrives")] = ""
    count: Annotated[int, note("how many")]
    units: Annotated[tuple[str, ...], note("units by name")] = ()
    place: Annotated[str, note("where, as far as the schedule says")] = ""
    account: Annotated[str, note("the account to which it adds, empty for none")] = ""
    amount: Annotated[int, note("how much it adds")] = 0
    rule: Annotated[str, note("the rule")]
    text: Annotated[str, note("in words")]


class Waiting(msgspec.Struct, frozen=True, kw_only=True):
    """An item that comes some turns after an event that has not happened yet."""

    at: Annotated[str, note("from what it is counted, such as romanian.enters+8")]
    who: Annotated[str, note("the nation")]
    text: Annotated[str, note("in words")]
    rule: Annotated[str, note("the rule")]


class WhatIsDue(msgspec.Struct, frozen=True, kw_only=True):
    """The items due in a period."""

    first: Annotated[str, note("the first turn")]
    last: Annotated[str, note("the last turn")]
    items: Annotated[tuple[DueItem, ...], note("what is due, turn by turn")]
    totals: Annotated[tuple[tuple[str, str, int], ...], note("what accounts gain: nation, account, amount")]
    waiting: Annotated[tuple[Waiting, ...], note("what waits for something that has not happened yet")]


def reckon_due(view: View, first: int, last: int) -> Iterator[Due]:
    """Return everything that schedules and units' own facts bring in a period, as of the position."""
    return reckon_arrivals(view, first, last)


def gains_of(dues: Iterable[Due]) -> dict[tuple[str, str], int]:
    """Return the total that the dues add to each account, by holder (nation or side) and account."""
    gains: dict[tuple[str, str], int] = {}
    for due in dues:
        if due.account:
            gains[due.who, due.account] = gains.get((due.who, due.account), 0) + due.amount
    return gains


def due_question(
    reckon: Callable[[View, int, int], Iterable[Due]] = reckon_due, fact: Callable[[View], FactOf] = fact_of
) -> Question[DueParameters, WhatIsDue]:
    """Return the question `due` of a game.

    `reckon`: returns everything that comes from a first to a last turn.
    `fact`: returns a reader of the facts from which rows count their turns; a row waits while its fact is unknown.
    """
    title = "what the schedules bring each nation in a turn or a period, and where"
    return declare("due", title, partial(_answer_due, reckon, fact))


def _answer_due(
    reckon: Callable[[View, int, int], Iterable[Due]],
    fact: Callable[[View], FactOf],
    view: View,
    parameters: DueParameters,
) -> Report[WhatIsDue]:
    game = view.game
    calendar = read_calendar(game)
    whose = [find_holder(game, read_events(game), who) for who in parameters.who]
    if parameters.turn:
        first = calendar.number(parameters.turn)
    else:
        with view.gather() as facts:
            first = read_number(facts)
    last = calendar.number(parameters.until) if parameters.until else first
    if last < first:
        raise InputError(f"{parameters.until} comes before {calendar.label(first)}", hint="exchange turn and until")
    _presume_scenario(view)
    _presume_past(view, first)
    concerned = ("", *whose, *(nation for who in whose for nation in game.file.sides.get(who, ())))
    reckoned = sorted(reckon(view, first, last), key=lambda due: due.turn)
    dues = [due for due in reckoned if due.count and (due.who in concerned or not whose)]
    _check_counters(view, dues)
    totals = gains_of(dues)
    now = not parameters.until and not parameters.turn
    result = WhatIsDue(
        first=calendar.label(first),
        last=calendar.label(last),
        items=tuple(_make_item(due, calendar) for due in dues),
        totals=tuple((*key, amount) for key, amount in totals.items()),
        waiting=tuple(
            Waiting(at=row.at, who=row.who, text=row.text or row.units or row.item, rule=row.rule)
            for row in read_schedules(game).waiting(first, fact(view))
            if now and (row.who in concerned or not whose)
        ),
    )
    return Report(
        title=f"Due in {result.first}" + (f" to {result.last}" if last > first else ""),
        verdict=verdict("figure", "{items:#item} due" if dues else "nothing is due", result, items=len(dues)),
        parts=tuple(_list_parts(view, result, period=last > first, whose=bool(whose))),
        result=result,
    )


def _presume_scenario(view: View) -> None:
    """Record that the scenario's arrivals are unknown, if neither the game nor its owner's pack has its set-up."""
    declared = view.game.tracks.get(SCENARIO)
    scenario = view.word(SCENARIO) if declared and not declared.values else ""
    if scenario and scenario not in view.game.setups:
        text = "no schedule of the scenario {scenario} is known: the pack has no set-up of that name"
        view.premises.assume(step("", text, scenario=scenario))


def _presume_past(view: View, first: int) -> None:
    """Record that undated facts are assumed to have held in an earlier turn that no journal covers."""
    now = if_known(view, read_number)
    if now is not None and first < now and (view.past is None or view.past.brought_in(first) is None):
        text = "what is stated without a turn was before {turn} as it is now"
        view.premises.assume(step("", text, turn=read_calendar(view.game).label(now)))


def _check_counters(view: View, dues: Iterable[Due]) -> None:
    """Record the assumed values of counters that items depend on, and ask for impossible counters.

    A counter is impossible if it falls below its minimum when counted back from the position.
    """
    calendar = read_calendar(view.game)
    tracks = view.game.tracks
    short: dict[tuple[str, str], Step] = {}
    for due in dues:
        for account, who, amount in due.goes_by:
            track = tracks[account]
            figures = {"who": view.title_of(who), "value": view.integer(account, who), "title": track.title}
            if track.least is not None and amount < track.least:
                text = "{who}: {value} {title}, and more have come since {turn}"
                short.setdefault((account, who), step(track.rule, text, turn=calendar.label(due.turn), **figures))
            elif view.past is None and (account, who) not in view.stated and due.turn > calendar.first:
                view.premises.assume(step(track.rule, "{who}: {value} {title} (not stated)", **figures))
    if short:
        asks = [ask_for_fact(tracks[account], who) for account, who in short]
        raise MissingFacts(asks, [Part("Counted back", tuple(short.values()))])


def _make_item(due: Due, calendar: Calendar) -> DueItem:
    row = due.row
    return DueItem(
        turn=calendar.label(due.turn),
        who=due.who,
        item=due.item,
        action=row.action,
        count=due.count,
        units=row.named_units,
        place=" ".join(filter(None, (f"map {row.map}" if row.map else "", row.place))),
        account=due.account,
        amount=due.amount,
        rule=due.rule,
        text=due.text,
    )


def _list_parts(view: View, result: WhatIsDue, *, period: bool, whose: bool) -> Iterator[Part]:
    if period:
        yield Part("In all", tuple(_make_total(view, *total) for total in result.totals))
    for who in dict.fromkeys(item.who for item in result.items):
        items = [item for item in result.items if item.who == who]
        yield Part(view.title_of(who) if who else "All", tuple(describe_item(item, dated=period) for item in items))
    if result.waiting and whose:
        counted = [step(item.rule, "{at}: {text}", item) for item in result.waiting]
        yield Part("Waiting for something to happen", tuple(counted))
    elif result.waiting:
        at = dict.fromkeys(re.split(r"[+-][0-9]", item.at)[0] for item in result.waiting)
        text = "{waiting:#item} wait for an event ({at}): name a nation to list its own"
        yield Part("Waiting for something to happen", (step("", text, waiting=len(result.waiting), at=[*at]),))


def _make_total(view: View, who: str, account: str, amount: int) -> Step:
    title = view.game.track(account).title
    return step("", "{who}: {amount} {title}", who=view.title_of(who), amount=amount, title=title)


def describe_item(item: DueItem, *, dated: bool) -> Step:
    """Return an item in words.

    `dated`: whether to include its turn.
    """
    text = "{turn}: {text}" if dated else "{text}"
    if item.action and item.action != "arrive":
        text += " ({action})"
    if item.place:
        text += ", {place}"
    return step(item.rule, text, item)


QUESTION = due_question()
