"""The turns of a game and its printed turn record, `turns.csv`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

import msgspec

from ..state.tracks import CERTAIN, Source, read_source
from ..util.datafiles import read_rows, resolve_within
from ..util.errors import InputError, OnFault, Where, format_suggestion, located, stop
from ..util.limits import Limit
from ..util.memo import Memo
from ..util.texts import natural
from .calendar import Calendar, MonthCalendar
from .course import COURSE, CourseFile, course_file
from .games import Game

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


TURNS = "turns.csv"
COLUMNS = ("turns", "kind", "text", "who", "rule", "source")
DATE = "date"
SEASON = "season"
WEATHER = "weather"
INTERPHASE = "inter-phase"
EVENT = "event"
KINDS = (DATE, SEASON, WEATHER, INTERPHASE, EVENT)
"""The kinds of rows in addition to the figures in `course.toml`.

A turn has one text of each kind, but any number of events.
"""


class TurnFact(msgspec.Struct, frozen=True):
    """A fact about a turn, with its side or nation ("" if all), rule and source."""

    text: str
    who: str = ""
    rule: str = ""
    source: Source = Source.RULEBOOK

    @property
    def in_words(self) -> str:
        """The text of a date or a figure, after "about" if it was inferred."""
        return self.text if self.source in CERTAIN else f"about {self.text}"

    @property
    def marked(self) -> str:
        """The text of another fact, such as a season, marked if it was inferred."""
        return self.text if self.source in CERTAIN else f"{self.text} (inferred)"


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """A game turn. Unstated facts are None."""

    number: int
    date: TurnFact | None = None
    season: TurnFact | None = None
    weather: TurnFact | None = None
    interphase: TurnFact | None = None
    """The inter-phase after the turn, if there is one."""
    events: tuple[TurnFact, ...] = ()
    """The events in the order of the file."""
    figures: Mapping[str, TurnFact] = MappingProxyType({})
    """The figures by name."""

    def fact(self, kind: str) -> TurnFact | None:
        """Return the fact of a kind, or None if there is none; events have none."""
        facts = {DATE: self.date, SEASON: self.season, WEATHER: self.weather, INTERPHASE: self.interphase}
        return facts[kind] if kind in facts else self.figures.get(kind)


Row = tuple[tuple[int, ...], str, TurnFact]
"""A row of the file: turns, kind and fact."""


_TURNS: Memo[None, tuple[Turn, ...]] = Memo()
"""The cached turns of a game."""


def turns(game: Game) -> tuple[Turn, ...]:
    """Return the turns of a game in order, or () if the game has no `turns.csv`.

    Raises InputError for a fault in that file or in `course.toml`.
    """
    return game.memo(_TURNS, None, lambda: read_turns(game, course_file(game)))


def read_turns(game: Game, course: CourseFile, on_fault: OnFault = stop) -> tuple[Turn, ...]:
    """Return the turns of a game whose course has been read.

    `on_fault`: receives each fault in `turns.csv`; without it, the first one is raised as InputError.
    """
    file = resolve_within(game.folder, TURNS)
    if not file.is_file():
        return ()
    numbers = turn_numbers(game, course, on_fault)
    printed = [
        ((number,), kind, TurnFact(text, source=Source.PRINTED)) for (number, kind), text in game.overlay.turns.items()
    ]
    known = [*printed, *_read_rows(game, course, numbers, file, on_fault)]
    return tuple(_make_turn(number, known) for number in numbers)


_CALENDARS: Memo[None, MonthCalendar] = Memo()
"""The cached calendar of a game's `course.toml`."""


def read_calendar(game: Game, course: CourseFile | None = None) -> Calendar:
    """Return the calendar in a game's `course.toml`, or the turns that the game's track counts.

    Raises InputError if the calendar has wrong ends, or if the game has no turns or too many.
    """
    course = course or course_file(game)
    if (calendar_file := course.calendar) is not None:
        with located(Where(COURSE)):
            return game.memo(_CALENDARS, None, lambda: MonthCalendar(calendar_file))
    track = game.tracks.get(course.turns.track)
    if track and track.on == "game" and track.least is not None and track.most is not None:
        Limit.TURNS.check(track.most - track.least + 1, "the game has")
        return Calendar(track.least, track.most)
    what = f"[turns] track: {course.turns.track!r} is not a number about the game with `least` and `most`"
    hint = "declare it in tracks.toml, or name the one that counts turns"
    raise InputError(what, where=Where(COURSE), hint=hint)


def turn_numbers(game: Game, course: CourseFile, on_fault: OnFault = stop) -> range:
    """Return the numbers of the turns, or an empty range if the calendar has a fault.

    `on_fault`: receives the errors of `read_calendar`; without it, they are raised.
    """
    try:
        calendar = read_calendar(game, course)
    except InputError as error:
        on_fault(error)
        return range(0)
    return range(calendar.first, calendar.last + 1)


def _read_rows(game: Game, course: CourseFile, numbers: range, file: Traversable, on_fault: OnFault) -> Iterator[Row]:
    kinds = (*KINDS, *(figure.name for figure in course.turns.figures))
    concerned = list_people(game)
    seen: set[tuple[int, str]] = set()
    for row, where in read_rows(file, COLUMNS, TURNS, on_fault):
        try:
            numbers_given = numbers_of(row["turns"], numbers)
            kind = row["kind"]
            who = row["who"]
            if kind not in kinds:
                raise InputError(f"{kind!r} is not a kind of fact about a turn", hint=format_suggestion(kind, kinds))
            if who and who not in concerned:
                raise InputError(f"{who!r} is neither a side nor a nation", hint=format_suggestion(who, concerned))
            if not row["text"].strip():
                raise InputError(f"the {kind} is empty", hint="write it, or leave the row out")
            repeated = next((number for number in numbers_given if kind != EVENT and (number, kind) in seen), None)
            if repeated is not None:
                raise InputError(f"the {kind} of turn {repeated} is given twice", hint="leave one of the rows out")
            seen.update((number, kind) for number in numbers_given)
            yield numbers_given, kind, TurnFact(row["text"].strip(), who, row["rule"], read_source(row["source"]))
        except InputError as error:
            on_fault(error.at(where))


def list_people(game: Game) -> tuple[str, ...]:
    """Return the sides and nations of a game."""
    sides = game.file.sides
    return tuple(dict.fromkeys([*sides, *(nation for nations in sides.values() for nation in nations)]))


def numbers_of(text: str, within: range) -> tuple[int, ...]:
    """Return the turns in a text: `5`, `1-27`, or several of these with spaces between. "" is all turns.

    Raises InputError if the text has another form, repeats a turn, or names one that the game does not have.
    """
    if not text.strip():
        return tuple(within)
    numbers: list[int] = []
    for part in text.split():
        first, dash, last = part.partition("-")
        ends = natural(first), natural(last if dash else first)
        if ends[0] is None or ends[1] is None or ends[0] > ends[1]:
            raise InputError(
                f"{part[:20]!r} is not a turn", hint="write turns as 5 or 1-27, with spaces between several"
            )
        if ends[0] not in within or ends[1] not in within:
            hint = f"the game has turns {within.start} to {within.stop - 1}" if within else "the game has no turns"
            raise InputError(f"there is no turn {part}", hint=hint)
        numbers += range(ends[0], ends[1] + 1)
    if len(set(numbers)) < len(numbers):
        raise InputError(f"{text[:40]!r} names a turn twice", hint="name each turn once")
    return tuple(numbers)


def format_runs(numbers: Sequence[int]) -> str:
    """Return turns in order in the form of `numbers_of`, but with commas: `1-8, 10, 12-23`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs)


def _make_turn(number: int, rows: Sequence[Row]) -> Turn:
    of_turn = [(kind, fact) for numbers, kind, fact in rows if number in numbers]
    facts = dict(reversed(of_turn))  # the first row wins; the owner's rows come first
    figures = {kind: fact for kind, fact in facts.items() if kind not in KINDS}
    events = tuple(fact for kind, fact in of_turn if kind == EVENT)
    return Turn(
        number=number,
        date=facts.get(DATE),
        season=facts.get(SEASON),
        weather=facts.get(WEATHER),
        interphase=facts.get(INTERPHASE),
        events=events,
        figures=MappingProxyType(figures),
    )
