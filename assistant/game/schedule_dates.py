"""The dates of schedules: fixed turns, or turns counted from an event."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from ..state.tracks import Track, Value
from ..util.errors import InputError, format_suggestion
from ..util.patterns import late_pattern
from ..util.texts import natural
from .calendar import Calendar, Month, parse_date
from .course import GAME
from .games import Game
from .schedule_rows import (
    Reading,
    with_reading,
)
from .turn_record import list_people

FactOf = Callable[[str, str], Value | None]
"""A function that returns a fact by track and subject, or the reading of a ruling by RULING and its id."""
RULING = "ruling"
_STEP = late_pattern(r"([+-][0-9]+)(fm|m)?")
"""A step counted from a turn: a signed number of turns, of months (`m`) or of full months (`fm`)."""
_STEPS = late_pattern(r"(?:[+-][0-9]+(?:fm|m)?)*\Z")
"""Steps counted from the turn of a fact, such as `+2` turns, `-1m` months or `+1fm` full months."""


def is_chosen(reading: Reading | None, fact: FactOf) -> bool:
    """Return whether a reading is chosen, or is None because nothing depends on it.

    The ruling is looked up only here, so that it is not asked for needlessly.
    """
    return reading is None or fact(RULING, reading.ruling) == reading.reading


class RowDate(NamedTuple):
    """A turn, fixed or counted from a fact."""

    number: int = 0
    """The fixed turn, or the first turn of a month."""
    end: int = 0
    """The fixed turn, or the last turn of a month."""
    track: str = ""
    subject: str = ""
    steps: tuple[tuple[int, str], ...] = ()
    """The steps counted from the fact of `track` and `subject`, each a number and a unit."""
    unless: tuple[str, str] | None = None
    """The fact, by track and subject, that cancels the date if it comes first."""
    reading: Reading | None = None
    """The only reading under which the date holds."""

    @property
    def is_bare(self) -> bool:
        """Whether the date is the turn of an event itself.

        A period that begins with such a date begins in the next turn.
        """
        return bool(self.track) and not self.steps


class Dates:
    """A reader of dates in a game's tables, which compares them with turns."""

    def __init__(self, game: Game, calendar: Calendar, fact: FactOf) -> None:
        self._game = game
        self._calendar = calendar
        self._fact = fact

    def number(self, text: str, who: str = "") -> int | None:
        """Return the turn of a date, the first turn of a month, or None while the fact behind the date is unknown.

        Raises InputError if the text is not a date.
        """
        return find_number(_read_date(self._game, self._calendar, text, who), self._calendar, self._fact)

    def is_within(self, turn: int, first: str, until: str, who: str = "") -> bool:
        """Return whether a turn is within a period, read as in a row of a schedule."""
        return lies_within(turn, self._read(first, who), self._read(until, who), self._calendar, self._fact)

    def is_empty(self, first: str, until: str, who: str = "") -> bool:
        """Return whether a period ends before it begins, by its fixed dates. A month ends with its last turn."""
        return not find_span(self._calendar, self._read(first, who), self._read(until, who))

    def _read(self, text: str, who: str) -> tuple[RowDate, ...]:
        return read_dates(self._game, self._calendar, text, who)


def lies_within(
    turn: int, first: Iterable[RowDate], until: Iterable[RowDate], calendar: Calendar, fact: FactOf
) -> bool:
    """Return whether a turn comes after all dates that begin a period, and before all dates that end it."""
    for date in first:
        begins = find_number(date, calendar, fact)
        if (begins is None or turn < begins + date.is_bare) and is_chosen(date.reading, fact):
            return False
    for date in until:
        ends = find_number(date, calendar, fact)
        is_over = ends is not None and turn > (date.end or (ends if date.is_bare else ends - 1))
        if is_over and is_chosen(date.reading, fact):
            return False
    return True


def find_span(calendar: Calendar, first: Iterable[RowDate], until: Iterable[RowDate]) -> range:
    """Return the turns from the latest of the first dates to the earliest of the last.

    Only fixed dates count; without them, the game's own ends count.
    """
    begins = max((date.number for date in first if not (date.track or date.reading)), default=calendar.first)
    ends = min((date.end for date in until if not (date.track or date.reading)), default=calendar.last)
    return range(begins, ends + 1)


def _find_turn(track: str, subject: str, calendar: Calendar, fact: FactOf) -> int | None:
    value = fact(track, subject)
    try:
        return None if value in (None, "", 0) else calendar.number(str(value))
    except InputError:
        return None


def find_number(date: RowDate, calendar: Calendar, fact: FactOf) -> int | None:
    """Return the turn of a date, or None if its fact is unknown or another event has cancelled it."""
    if not date.track:
        return date.number
    event_turn = _find_turn(date.track, date.subject, calendar, fact)
    if event_turn is None:
        return None
    number = event_turn
    for steps, unit in date.steps:
        match unit:
            case "m":
                number = calendar.after_months(number, steps)
            case "fm":
                number = calendar.full_month_after(number, steps)
            case _:
                number = calendar.after_turns(number, steps)
    cancelling_turn = _find_turn(*date.unless, calendar, fact) if date.unless else None
    return None if cancelling_turn is not None and cancelling_turn < min(event_turn, number) else number


def read_dates(game: Game, calendar: Calendar, text: str, who: str) -> tuple[RowDate, ...]:
    """Return the dates in a cell. Those under a reading come last, so that rulings are asked for only if needed."""
    dates = (_read_date(game, calendar, word, who) for word in text.split())
    return tuple(sorted(dates, key=lambda date: date.reading is not None))


def _read_date(game: Game, calendar: Calendar, text: str, who: str) -> RowDate:
    text, reading = with_reading(game, text)
    parsed = parse_date(text) if calendar.months else None
    if parsed is not None and parsed[1] is None:
        month = parsed[0]
        number = calendar.starts(month)
        end = calendar.starts(Month(month.number + 1)) - 1
        if end < calendar.first or number > calendar.last:
            raise InputError(f"{text} is outside the game")
        return RowDate(max(number, calendar.first), end, reading=reading)
    if parsed is not None or natural(text) is not None:
        number = calendar.number(text)
        return RowDate(number, number, reading=reading)
    base = _STEPS.sub("", text, count=1)
    steps = tuple((int(count), unit or "") for count, unit in _STEP.findall(text[len(base) :]))
    subject, _, name = base.rpartition(".")
    track = game.tracks.get(name)
    if track is None or not (track.names == "turn" or track.kind == "integer"):
        turns = [track.name for track in game.tracks.values() if track.names == "turn"]
        raise InputError(
            f"{text!r} is neither a turn nor counted from a fact that is one", hint=format_suggestion(name, turns)
        )
    subject = find_counted_subject(game, subject, track, who)
    return RowDate(
        track=name, subject=subject, steps=steps, unless=_find_cancelling_fact(game, track, subject), reading=reading
    )


def _find_cancelling_fact(game: Game, track: Track, subject: str) -> tuple[str, str] | None:
    """Return the fact that cancels the event of a track for a subject, or None if there is none."""
    if (path := track.unless.get(subject)) is None:
        return None
    whose, _, name = path.rpartition(".")
    by = game.track(name)
    return name, find_counted_subject(game, whose, by, subject)


def find_counted_subject(game: Game, named: str, track: Track, who: str) -> str:
    """Return the subject of a fact on which a row depends.

    `named`: the subject in the row, or "" for the row's own nation `who`.

    Raises InputError if the subject has no such fact.
    """
    known = (GAME, *list_people(game))
    if named and named not in known:
        raise InputError(f"{named!r} is neither a side nor a nation", hint=format_suggestion(named, known))
    if named and (named == GAME) != (track.on == "game"):
        raise InputError(
            f"{track.name!r} is about the {track.on}", hint=f"write {GAME}.{track.name}" if track.on == "game" else ""
        )
    return "" if track.on == "game" else named or who
