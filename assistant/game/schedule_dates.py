"""The dates of schedules: turns that are fixed, or counted from what has happened."""

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
"""Gives a fact by its track and its subject; the reading of a ruling by RULING and its id."""
RULING = "ruling"
_STEP = late_pattern(r"([+-][0-9]+)(fm|m)?")
_STEPS = late_pattern(r"(?:[+-][0-9]+(?:fm|m)?)*\Z")


def is_chosen(reading: Reading | None, fact: FactOf) -> bool:
    """Return whether something counts that belongs to a reading, or to none. The ruling is looked up only here, where
    it matters.
    """
    return reading is None or fact(RULING, reading.ruling) == reading.reading


class RowDate(NamedTuple):
    """A turn, fixed or counted from a fact."""

    number: int = 0
    """Of a fixed turn, or of the first of a month."""
    end: int = 0
    """Of the last of what is fixed."""
    track: str = ""
    subject: str = ""
    steps: tuple[tuple[int, str], ...] = ()
    """With `track` and `subject`, of one that is counted."""
    unless: tuple[str, str] | None = None
    """The fact, by track and subject, that keeps what lies ahead from happening."""
    reading: Reading | None = None
    """That of a ruling by which alone it counts."""

    @property
    def is_bare(self) -> bool:
        """Whether it is the turn in which something happened: what begins with it begins in the next turn."""
        return bool(self.track) and not self.steps


class Dates:
    """Reads the dates of a game's tables, and tells whether one has come. fact: gives the facts from which they are
    counted.
    """

    def __init__(self, game: Game, calendar: Calendar, fact: FactOf) -> None:
        self._game = game
        self._calendar = calendar
        self._fact = fact

    def number(self, text: str, who: str = "") -> int | None:
        """Return the turn that a date is, of a month the first; None while the fact is unknown from which it is
        counted. who: the nation of which it speaks. Raises InputError for what is not a date.
        """
        return find_number(_read_date(self._game, self._calendar, text, who), self._calendar, self._fact)

    def is_within(self, turn: int, first: str, until: str, who: str = "") -> bool:
        """Return whether a turn lies in a period, as a row of a schedule has it."""
        return lies_within(turn, self._read(first, who), self._read(until, who), self._calendar, self._fact)

    def is_empty(self, first: str, until: str, who: str = "") -> bool:
        """Return whether a period ends before it begins, by its fixed dates: a month ends with its last turn."""
        return not find_span(self._calendar, self._read(first, who), self._read(until, who))

    def _read(self, text: str, who: str) -> tuple[RowDate, ...]:
        return read_dates(self._game, self._calendar, text, who)


def lies_within(
    turn: int, first: Iterable[RowDate], until: Iterable[RowDate], calendar: Calendar, fact: FactOf
) -> bool:
    """Return whether a turn comes after all dates that begin a period, and before all that end it."""
    for date in first:
        begins = find_number(date, calendar, fact)
        if (begins is None or turn < begins + date.is_bare) and is_chosen(date.reading, fact):
            return False
    for date in until:
        ends = find_number(date, calendar, fact)
        gone = ends is not None and turn > (date.end or (ends if date.is_bare else ends - 1))
        if gone and is_chosen(date.reading, fact):
            return False
    return True


def find_span(calendar: Calendar, first: Iterable[RowDate], until: Iterable[RowDate]) -> range:
    """Return the turns from the latest to the earliest of fixed dates, none if it comes before; those of the game where
    there is none.
    """
    begins = max((date.number for date in first if not (date.track or date.reading)), default=calendar.first)
    ends = min((date.end for date in until if not (date.track or date.reading)), default=calendar.last)
    return range(begins, ends + 1)


def _find_turn(track: str, subject: str, calendar: Calendar, fact: FactOf) -> int | None:
    """Return the number of the turn that a fact is, None for none."""
    value = fact(track, subject)
    try:
        return None if value in (None, "", 0) else calendar.number(str(value))
    except InputError:
        return None


def find_number(date: RowDate, calendar: Calendar, fact: FactOf) -> int | None:
    """Return the number of a date; None while the fact is unknown from which it is counted, and for one that never
    comes because something else has happened before.
    """
    if not date.track:
        return date.number
    begun = _find_turn(date.track, date.subject, calendar, fact)
    if begun is None:
        return None
    number = begun
    for steps, unit in date.steps:
        match unit:
            case "m":
                number = calendar.after_months(number, steps)
            case "fm":
                number = calendar.full_month_after(number, steps)
            case _:
                number = calendar.after_turns(number, steps)
    never = _find_turn(*date.unless, calendar, fact) if date.unless else None
    return None if never is not None and never < min(begun, number) else number


def read_dates(game: Game, calendar: Calendar, text: str, who: str) -> tuple[RowDate, ...]:
    """Return the dates of a cell, those of rulings last: these are asked for where the others leave it open. who: the
    row's nation.
    """
    dates = (_read_date(game, calendar, word, who) for word in text.split())
    return tuple(sorted(dates, key=lambda date: date.reading is not None))


def _read_date(game: Game, calendar: Calendar, text: str, who: str) -> RowDate:
    """Return a date of a row. who: the row's nation. Raises InputError for one that the game does not have."""
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
        track=name, subject=subject, steps=steps, unless=_find_keeping_fact(game, track, subject), reading=reading
    )


def _find_keeping_fact(game: Game, track: Track, subject: str) -> tuple[str, str] | None:
    """Return the fact that keeps what a track says of a subject from happening, by track and subject; None for none.
    Raises InputError for one that the game does not have.
    """
    if (path := track.unless.get(subject)) is None:
        return None
    whose, _, name = path.rpartition(".")
    by = game.track(name)
    return name, find_counted_subject(game, whose, by, subject)


def find_counted_subject(game: Game, named: str, track: Track, who: str) -> str:
    """Return the subject of a fact that a row goes by. named: as it names it, "" for its own nation, `who`. Raises
    InputError for one that has no such fact.
    """
    known = (GAME, *list_people(game))
    if named and named not in known:
        raise InputError(f"{named!r} is neither a side nor a nation", hint=format_suggestion(named, known))
    if named and (named == GAME) != (track.on == "game"):
        raise InputError(
            f"{track.name!r} is about the {track.on}", hint=f"write {GAME}.{track.name}" if track.on == "game" else ""
        )
    return "" if track.on == "game" else named or who
