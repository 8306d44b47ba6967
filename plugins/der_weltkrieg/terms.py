"""Words that many rules of the campaign share: nations, turns of a position, tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeVar

import msgspec

from assistant.asking import Gather, Step, View, note, step
from assistant.game.calendar import Calendar
from assistant.game.events import read_events
from assistant.game.games import Game
from assistant.game.schedule_dates import Dates
from assistant.game.turn_record import read_calendar
from assistant.game.typed_events import leading_name
from assistant.rules.arrivals import fact_of
from assistant.rules.phase_now import read_number
from assistant.util.datafiles import read_records

R = TypeVar("R", bound=msgspec.Struct)
Count = Annotated[int, msgspec.Meta(ge=0, le=9999)]
FOLDER = Path(__file__).parent
# The nations.
GERMAN = "german"
AUSTRIAN = "austro-hungarian"
BULGARIAN = "bulgarian"
BRITISH = "british"
FRENCH = "french"
RUSSIAN = "russian"
ITALIAN = "italian"
SERBIAN = "serbian"
BELGIAN = "belgian"
ROMANIAN = "romanian"
AMERICAN = "american"

# The sides.
CENTRAL_POWERS = "central-powers"
ENTENTE = "entente"

_ORDINAL = re.compile(r"\b([0-9]+)(?:st|nd|rd|th)\b")
"""A number with the ending of an ordinal."""

SHAKEN = "shaken"
COLLAPSE = "collapse"
SURRENDER = "surrender"
ENTERS = "enters"


class Allowed(msgspec.Struct, frozen=True):
    """Whether something may be done."""

    allowed: Annotated[bool | None, note("whether it may be done")] = None


def read_rows(name: str, kind: type[R]) -> Iterator[R]:
    """Return the rows of a table of the campaign."""
    return read_records(FOLDER / "tables" / f"{name}.csv", kind, f"tables/{name}.csv")


class _Remark(msgspec.Struct, frozen=True, kw_only=True):
    """Something that holds always, of which a question reminds the players: a row of `tables/remarks.csv`."""

    question: str
    of: str = ""
    rule: str
    who: str = ""
    text: str


def list_remarks(question: str, who: str = "", of: str = "") -> list[Step]:
    """Return what a question reminds of, and what of a nation. of: about what of several things that it is asked."""
    table = read_rows("remarks", _Remark)
    return [
        step(row.rule, row.text) for row in table if (row.question, row.of) == (question, of) and row.who in ("", who)
    ]


class Army(NamedTuple):
    """An army as it is named."""

    who: str
    """The short name of its nation, or "" if none is named."""
    number: str
    """Its number, or its name in lower case."""


def parse_army(game: Game, text: str) -> Army:
    """Return the army that a text names: `ah 1`, `AH 1st`, `Austro-Hungarian 1st Army`, `Kov`.

    Only a number loses its ending.
    """
    who, rest = leading_name(game, read_events(game), text)
    words = [word for word in rest.casefold().split() if word != "army"]
    return Army(who, " ".join(_ORDINAL.sub(r"\1", word) for word in words))


def read_campaign_calendar(view: View) -> Calendar:
    """Return the calendar of the campaign. Rule: 2/turns"""
    return read_calendar(view.game)


def turn_now(facts: Gather, typed: str = "") -> int:
    """Return the turn that is asked about: as typed, or else as the position states it."""
    return read_campaign_calendar(facts.view).number(typed) if typed else read_number(facts)


def year_of(view: View, turn: int) -> int:
    """Return the year of a turn."""
    return read_campaign_calendar(view).month(turn).year


def turn_stated(view: View, track: str, subject: str = "") -> int | None:
    """Return the number of the turn that a fact is, None while it is not stated, and if it never comes."""
    return dates_of(view).number(track, subject)


def is_so(view: View, track: str, subject: str = "", at: int | None = None) -> bool:
    """Return whether something has happened by a turn, or by any turn if `at` is None. Rule: 2/turns"""
    turn = turn_stated(view, track, subject)
    return turn is not None and (at is None or turn <= at)


def dates_of(view: View) -> Dates:
    """Return a reader of the dates of tables, as the schedules read them."""
    return Dates(view.game, read_campaign_calendar(view), fact_of(view))


def keeps_supply_points(view: View) -> bool:
    """Return whether the books keep supply points: all do that do not say otherwise."""
    return not view.flag("no-supply-points")


def format_turn(view: View, turn: int | None) -> str:
    """Return how a turn is written, "" for none and for one outside the game."""
    known = read_campaign_calendar(view)
    return known.label(turn) if turn is not None and known.first <= turn <= known.last else ""


def format_nation(view: View, who: Any) -> str:
    """Return a nation or side in words."""
    return view.title_of(str(who))


def printed(view: View, unit: str, track: str) -> Any:
    """Return what is printed on a unit of the roster, "" for nothing."""
    return next((fact.value for fact in view.game.roster.get(unit, {}).get(track, ())), "")
