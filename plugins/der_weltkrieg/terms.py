"""The common terms of the campaign's rules: nations, turns of a position, tables."""

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
    """The permission to do something."""

    allowed: Annotated[bool | None, note("whether it may be done")] = None


def read_rows(name: str, kind: type[R]) -> Iterator[R]:
    """Return the rows of a table of the campaign."""
    return read_records(FOLDER / "tables" / f"{name}.csv", kind, f"tables/{name}.csv")


class _Remark(msgspec.Struct, frozen=True, kw_only=True):
    """A general rule of which a question reminds the players: a row of `tables/remarks.csv`."""

    question: str
    of: str = ""
    rule: str
    who: str = ""
    text: str


def list_remarks(question: str, who: str = "", subject: str = "") -> list[Step]:
    """Return the remarks of a question, general and on a nation.

    `subject`: the subject among those of the question, or "".
    """
    table = read_rows("remarks", _Remark)
    return [
        step(row.rule, row.text)
        for row in table
        if (row.question, row.of) == (question, subject) and row.who in ("", who)
    ]


class Army(NamedTuple):
    """An army named by a text."""

    who: str
    """The short name of its nation, or "" if none is named."""
    number: str
    """The number of the army, or its name in lower case."""


def parse_army(game: Game, text: str) -> Army:
    """Parse `ah 1`, `AH 1st`, `Austro-Hungarian 1st Army` or `Kov` as an army.

    Only a number loses its ending.
    """
    who, rest = leading_name(game, read_events(game), text)
    words = [word for word in rest.casefold().split() if word != "army"]
    return Army(who, " ".join(_ORDINAL.sub(r"\1", word) for word in words))


def read_campaign_calendar(view: View) -> Calendar:
    """Return the calendar of the campaign. Rule: 2/turns"""
    return read_calendar(view.game)


def turn_now(facts: Gather, typed: str = "") -> int:
    """Return the turn asked about: the typed one, or else the position's."""
    return read_campaign_calendar(facts.view).number(typed) if typed else read_number(facts)


def year_of(view: View, turn: int) -> int:
    """Return the year of a turn."""
    return read_campaign_calendar(view).month(turn).year


def turn_stated(view: View, track: str, subject: str = "") -> int | None:
    """Return the number of the turn that a fact states, or None if it is not stated."""
    return dates_of(view).number(track, subject)


def is_so(view: View, track: str, subject: str = "", at: int | None = None) -> bool:
    """Return whether something has happened by a turn, or by any turn if `at` is None. Rule: 2/turns"""
    turn = turn_stated(view, track, subject)
    return turn is not None and (at is None or turn <= at)


def dates_of(view: View) -> Dates:
    """Return a reader of the dates of tables, as the schedules read them."""
    return Dates(view.game, read_campaign_calendar(view), fact_of(view))


def keeps_supply_points(view: View) -> bool:
    """Return whether the books keep supply points, which they do unless they say otherwise."""
    return not view.flag("no-supply-points")


def format_turn(view: View, turn: int | None) -> str:
    """Return the label of a turn, or "" for None or a turn outside the game."""
    calendar = read_campaign_calendar(view)
    return calendar.label(turn) if turn is not None and calendar.first <= turn <= calendar.last else ""


def format_nation(view: View, who: Any) -> str:
    """Return the title of a nation or side."""
    return view.title_of(str(who))


def printed(view: View, unit: str, track: str) -> Any:
    """Return the value printed on a unit of the roster, or "" if there is none."""
    return next((fact.value for fact in view.game.roster.get(unit, {}).get(track, ())), "")
