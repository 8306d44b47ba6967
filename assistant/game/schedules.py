"""Schedules: what comes to whom in which turns, as rows of the CSV files in `schedules/` of a game and of its owner's
pack; a file named after a set-up is of that scenario alone.

A row is dated by turns and months, or from a fact that is a turn: `romanian.enters+8`, `lost+3m+1`, `enters+1fm` (first
full month), `shaken[british-rows=end]` (one reading).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from ..state.tracks import Track, Value
from ..util.console import format_count
from ..util.datafiles import read_rows
from ..util.errors import InputError, OnFault, Where, format_suggestion, reporting, stop
from ..util.memo import Memo
from ..util.texts import natural
from .calendar import MONTHS, Calendar, Month, parse_date
from .course import GAME, SCENARIO, CourseFile, course_file
from .games import Game, GameData
from .phases import is_condition_met
from .schedule_rows import (
    ABSENT,
    LEAVING,
    REQUIRED,
    Reading,
    ScheduleRow,
    check_cells,
    complete_cells,
    find_absent_faults,
    find_circle_faults,
    find_twice_faults,
    row_of,
    with_reading,
)
from .turn_record import list_people, read_calendar

FOLDER = "schedules"
ENDING = ".csv"
ROTATIONS = "rotations.csv"
"""The file with the steps of rotations: the columns `rotation` and those of a row that a step overrides."""
FactOf = Callable[[str, str], Value | None]
"""Gives a fact by its track and its subject; the reading of a ruling by RULING and its id."""
RULING = "ruling"
_STEP = re.compile(r"([+-][0-9]+)(fm|m)?")
_STEPS = re.compile(r"(?:[+-][0-9]+(?:fm|m)?)*\Z")
"""The steps of a date that is counted, behind that from which it is."""


class Due(msgspec.Struct, frozen=True):
    """What is due in a turn. counts: what it adds to counters, as account, nation and amount; goes_by: the counters by which
    its item goes, as account, nation and what each held as the turn began.
    """

    row: ScheduleRow
    turn: int
    who: str
    item: str
    count: int
    account: str
    amount: int
    rule: str
    text: str
    counts: tuple[tuple[str, str, int], ...] = ()
    goes_by: tuple[tuple[str, str, int], ...] = ()


def arrival(unit: str, who: str, turn: int, rule: str, place: str = "", replaces: str = "") -> Due:
    """Return a unit that comes in a turn by itself, as its row or the unit says, or as it was paid for. place: where it
    comes; replaces: the units whose place it takes.
    """
    action = "substitute" if replaces else "arrive"
    row = ScheduleRow(rule=rule, item="unit", who=who, action=action, units=unit, place=place, replaces=replaces)
    return Due(row, turn, who, row.item, 1, "", 0, rule, row.in_words)


def due_count(due: Due, count: int, noun: str) -> Due:
    """Return what is due where something else than its row says how many, such as a chart. noun: what one of it is
    called.
    """
    return msgspec.structs.replace(due, count=count, text=format_count(count, noun))


def _is_chosen(reading: Reading | None, fact: FactOf) -> bool:
    """Return whether something counts that belongs to a reading, or to none. The ruling is looked up only here, where
    it matters.
    """
    return reading is None or fact(RULING, reading.ruling) == reading.reading


class _Date(NamedTuple):
    """A turn, fixed or counted from a fact. number: of a fixed turn, or of the first of a month; end: of the last of
    what is fixed; track, subject, steps: of one that is counted; unless: the fact, by track and subject, that keeps what lies
    ahead from happening; reading: that of a ruling by which alone it counts.
    """

    number: int = 0
    end: int = 0
    track: str = ""
    subject: str = ""
    steps: tuple[tuple[int, str], ...] = ()
    unless: tuple[str, str] | None = None
    reading: Reading | None = None

    @property
    def is_bare(self) -> bool:
        """Whether it is the turn in which something happened: what begins with it begins in the next turn."""
        return bool(self.track) and not self.steps


class _Condition(NamedTuple):
    """A fact that must hold, or must not. value: "" for anything but its value when not stated."""

    track: str
    subject: str
    value: str
    holds: bool


class _Compiled(msgspec.Struct, frozen=True):
    """A row whose dates and conditions have been read. counted: the reading of a ruling by which alone its counter counts."""

    row: ScheduleRow
    where: Where
    at: tuple[_Date, ...]
    first: tuple[_Date, ...]
    until: tuple[_Date, ...]
    months: frozenset[int]
    turns: frozenset[int]
    when: tuple[_Condition, ...]
    counted: Reading | None = None


class Dates:
    """Reads the dates of a game's tables, and tells whether one has come. fact: gives the facts from which they are counted."""

    def __init__(self, game: Game, calendar: Calendar, fact: FactOf) -> None:
        self._game = game
        self._calendar = calendar
        self._fact = fact

    def number(self, text: str, who: str = "") -> int | None:
        """Return the turn that a date is, of a month the first; None while the fact is unknown from which it is
        counted. who: the nation of which it speaks. Raises InputError for what is not a date.
        """
        return _find_number(_read_date(self._game, self._calendar, text, who), self._calendar, self._fact)

    def is_within(self, turn: int, first: str, until: str, who: str = "") -> bool:
        """Return whether a turn lies in a period, as a row of a schedule has it."""
        begins = _read_dates(self._game, self._calendar, first, who)
        ends = _read_dates(self._game, self._calendar, until, who)
        return _lies_within(turn, begins, ends, self._calendar, self._fact)

    def is_empty(self, first: str, until: str, who: str = "") -> bool:
        """Return whether a period ends before it begins, by its fixed dates: a month ends with its last turn."""
        begins = _read_dates(self._game, self._calendar, first, who)
        ends = _read_dates(self._game, self._calendar, until, who)
        return not _find_span(self._calendar, begins, ends)


def _lies_within(turn: int, first: Iterable[_Date], until: Iterable[_Date], calendar: Calendar, fact: FactOf) -> bool:
    """Return whether a turn comes after all dates that begin a period, and before all that end it."""
    for date in first:
        begins = _find_number(date, calendar, fact)
        if (begins is None or turn < begins + date.is_bare) and _is_chosen(date.reading, fact):
            return False
    for date in until:
        ends = _find_number(date, calendar, fact)
        gone = ends is not None and turn > (date.end or (ends if date.is_bare else ends - 1))
        if gone and _is_chosen(date.reading, fact):
            return False
    return True


def _sort_by_turn(rows: Iterable[_Compiled]) -> tuple[tuple[ScheduleRow, Where], ...]:
    """Return rows in the order of their turns, as `Schedules.in_order` has them."""
    place = (0, False)
    file = ""
    placed = list[tuple[tuple[int, bool], _Compiled]]()
    for row in rows:
        turn = next((date.number for date in row.at if not date.track), None)
        if turn is not None:
            place = (turn, row.row.action not in LEAVING)
        elif row.where.file != file:
            place = (0, False)
        file = row.where.file
        placed.append((place, row))
    return tuple((row.row, row.where) for _, row in sorted(placed, key=lambda each: each[0]))


def _find_span(calendar: Calendar, first: Iterable[_Date], until: Iterable[_Date]) -> range:
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


def _find_number(date: _Date, calendar: Calendar, fact: FactOf) -> int | None:
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


class Schedules:
    """The schedules of a game. rows: all of them; rotations: the steps of each."""

    def __init__(
        self,
        game: Game,
        calendar: Calendar,
        rows: Iterable[_Compiled],
        rotations: Mapping[str, Sequence[_Step]],
    ) -> None:
        self.game = game
        self.calendar = calendar
        self.compiled = tuple(rows)
        self.rotations = rotations
        self._dated: dict[int, list[_Compiled]] = {}
        self._anchored: dict[tuple[str, str], list[tuple[_Date, _Compiled]]] = {}
        self._recurring: list[_Compiled] = []
        self._by_turn: dict[tuple[int, int], list[_Compiled]] = {}
        for row in self.compiled:
            for date in row.at:
                if date.track:
                    self._anchored.setdefault((date.track, date.subject), []).append((date, row))
                else:
                    self._dated.setdefault(date.number, []).append(row)
            if not row.at and row.row.action != ABSENT:
                self._recurring.append(row)

    @property
    def rows(self) -> tuple[ScheduleRow, ...]:
        """The rows in the order of their files."""
        return tuple(compiled.row for compiled in self.compiled)

    @property
    def counted(self) -> tuple[ScheduleRow, ...]:
        """The rows dated by something that happens, not by the calendar."""
        return tuple(compiled.row for compiled in self.compiled if any(date.track for date in compiled.at))

    @property
    def counters(self) -> frozenset[str]:
        """The accounts that only count what has come."""
        return frozenset(compiled.row.counter for compiled in self.compiled) - {""}

    @property
    def located(self) -> tuple[tuple[ScheduleRow, Where], ...]:
        """The rows, each with where it stands."""
        return tuple((compiled.row, compiled.where) for compiled in self.compiled)

    @property
    def in_order(self) -> tuple[tuple[ScheduleRow, Where], ...]:
        """The rows, each with where it stands, in the order of their turns: in one turn first what leaves. A row without a fixed
        turn follows the one before it in its file; before the first fixed turn of a file they come first.
        """
        return _sort_by_turn(self.compiled)

    def where(self, chosen: Callable[[ScheduleRow], bool]) -> Schedules:
        """Return the schedules with the chosen rows alone: of one side, of one kind of item. Facts by which only other
        rows go are not asked for then.
        """
        rows = (compiled for compiled in self.compiled if chosen(compiled.row))
        return Schedules(self.game, self.calendar, rows, self.rotations)

    def due(self, number: int, fact: FactOf) -> tuple[Due, ...]:
        """Return what is due in a turn, by its number. fact: gives the facts as the turn begins."""
        rows = [*self._dated.get(number, ())]
        for anchor, counted in self._anchored.items():
            if fact(*anchor) is not None:
                rows += [row for date, row in counted if _find_number(date, self.calendar, fact) == number]
        rows += self._list_recurring(number)
        rows = [row for row in rows if self._is_coming(row, number, fact)]
        if not rows:
            return ()
        due = [self._make_due(row, number, fact) for row in rows if not (row.row.instead or row.row.queue)]
        for row in rows:
            if row.row.queue:
                due += self._take_from_queue(row, number, fact, due)
            elif row.row.instead:
                due = self._replace_due(row, number, fact, due)
        return tuple(due)

    def _list_recurring(self, number: int) -> list[_Compiled]:
        """Return the recurring rows that speak of a turn and a month like these."""
        turn = self.calendar.turn_of_month(number)
        of_year = self.calendar.month(number).of_year if self.calendar.months else 0
        if (turn, of_year) not in self._by_turn:
            self._by_turn[turn, of_year] = [row for row in self._recurring if _is_of(row, self.calendar, number)]
        return self._by_turn[turn, of_year]

    def over(
        self,
        first: int,
        last: int,
        fact: FactOf,
        now: int | None = None,
        brought: Callable[[int], Sequence[Due] | None] = lambda turn: None,
    ) -> Iterator[Due]:
        """Yield what is due in a period, if no other fact than its own counters changes meanwhile, or has changed.

        now: the turn as which begins the facts are known, by default the first of the period; brought: what a turn has brought
        that is not ahead, None where that is not recorded.
        """
        begun = first if now is None else now
        recorded = {turn: brought(turn) for turn in range(first, min(begun, last) + 1)}
        counted: dict[tuple[str, str], int] = {}

        def known(track: str, subject: str) -> Value | None:
            value = fact(track, subject)
            more = counted.get((track, subject), 0)
            return (value if isinstance(value, int) else 0) + more if more else value

        def due_in(turn: int, sign: int = 1) -> Iterator[Due]:
            dues = recorded.get(turn)
            if dues is None:
                dues = self.due(turn, known)
            for due in dues:
                for account, who, amount in due.counts:
                    counted[account, who] = counted.get((account, who), 0) + sign * amount
                yield due

        for turn in range(begun - 1, first - 1, -1):  # the counters as the first of them began
            [*due_in(turn, -1)]
        for turn in range(min(first, begun), last + 1):
            dues = [*due_in(turn)]
            if turn >= first:
                yield from dues

    def waiting(self, number: int, fact: FactOf) -> Iterator[ScheduleRow]:
        """Yield the rows counted from what has not happened in a turn, but may happen yet."""
        for row in self.compiled:
            unknown = row.at and all(_find_number(date, self.calendar, fact) is None for date in row.at)
            if unknown and self.is_agreed(row.row, fact) and _lies_within(number, (), row.until, self.calendar, fact):
                yield row.row

    def dated(self, fact: FactOf) -> Iterator[tuple[ScheduleRow, int]]:
        """Yield the rows that come in certain turns, each with the first of them that is known."""
        for compiled in self.compiled:
            number = next(filter(None, (_find_number(date, self.calendar, fact) for date in compiled.at)), None)
            if number is not None and self._is_coming(compiled, number, fact):
                yield compiled.row, number

    # --- one row ---

    def _is_coming(self, row: _Compiled, number: int, fact: FactOf) -> bool:
        if not _lies_within(number, row.first, row.until, self.calendar, fact):
            return False
        return self.is_agreed(row.row, fact) and all(self._is_met(condition, fact) for condition in row.when)

    def is_agreed(self, row: ScheduleRow, fact: FactOf) -> bool:
        """Return whether the scenario is played of which a row is, the optional rules are in force with which it comes,
        and none without which it does.
        """
        if row.scenario and row.scenario not in _list_words(fact(SCENARIO, "")):
            return False
        if not (row.option or row.unless):
            return True
        return is_condition_met(
            row, {word for track in course_file(self.game).turns.options for word in _list_words(fact(track, ""))}
        )

    def _is_met(self, condition: _Condition, fact: FactOf) -> bool:
        value = fact(condition.track, condition.subject)
        if condition.value:
            is_so = condition.value in _list_words(value)
        else:
            is_so = bool(value) and value != self.game.track(condition.track).absent
        return is_so == condition.holds

    def _make_due(self, row: _Compiled, number: int, fact: FactOf) -> Due:
        of_row = row.row
        counts: tuple[tuple[str, str, int], ...] = ()
        goes_by: tuple[tuple[str, str, int], ...] = ()
        if of_row.rotation:
            done = self._read_counter(of_row, fact)
            steps = self.rotations[of_row.rotation]
            of_row = steps[done % len(steps)].change(of_row)
            goes_by = ((of_row.counter, of_row.who, done),)
            counts = ((of_row.counter, of_row.who, 1),)
        elif of_row.counter and _is_chosen(row.counted, fact):
            counts = ((of_row.counter, of_row.who, of_row.count),)
        text = of_row.in_words
        if of_row.account and not of_row.text:
            text = f"{of_row.amount} {self.game.track(of_row.account).title}"
        return Due(
            of_row,
            number,
            of_row.who,
            of_row.item,
            of_row.count,
            of_row.account,
            of_row.amount,
            of_row.rule,
            text,
            counts,
            goes_by,
        )

    def _read_counter(self, row: ScheduleRow, fact: FactOf) -> int:
        """Return what the counter of a row holds as a turn begins."""
        held = fact(row.counter, row.who)
        return held if isinstance(held, int) else 0

    def _find_replaced(self, row: ScheduleRow, before: int, due: Sequence[Due]) -> int | None:
        """Return which of what is due a row takes the place of, by its index; None for nothing. It is the first of its
        items, or the one with which its counter comes to every Nth. before: what the counter holds as the turn begins.
        """
        for at, other in enumerate(due):
            after = before + sum(amount for *key, amount in other.counts if key == [row.counter, row.who])
            is_nth = not row.every or after // row.every > before // row.every
            if is_nth and _is_instead(row, other):
                return at
            before = after
        return None

    def _replace_due(self, row: _Compiled, number: int, fact: FactOf, due: list[Due]) -> list[Due]:
        """Return what is due once a row has come in place of one of its items, if there is one."""
        of_row = row.row
        if not any(_is_instead(of_row, other) for other in due):
            return due
        before = self._read_counter(of_row, fact) if of_row.every else 0
        if of_row.every:
            goes_by = ((of_row.counter, of_row.who, before),)
            due = [
                msgspec.structs.replace(other, goes_by=goes_by) if _is_counted(of_row, other) else other
                for other in due
            ]
        at = self._find_replaced(of_row, before, due)
        if at is None:
            return due
        old, new = (
            due[at],
            msgspec.structs.replace(self._make_due(row, number, fact), counts=(), goes_by=due[at].goes_by),
        )
        left = [_take_one(old)] if old.count > 1 else []
        new = msgspec.structs.replace(new, counts=() if left else old.counts)
        return [*due[:at], *left, new, *due[at + 1 :]]

    def _take_from_queue(self, row: _Compiled, number: int, fact: FactOf, due: list[Due]) -> Iterator[Due]:
        """Yield what comes out of a queue: nothing in a month that brings such an item anyway."""
        of_row = row.row
        owed = fact(of_row.queue, of_row.who)
        before = self._read_counter(of_row, fact)
        is_new_year = self.calendar.month(number).of_year == 1
        arrived = 0 if is_new_year else before
        waits = any(other.who == of_row.who and other.item == of_row.item for other in due)
        if isinstance(owed, int) and arrived < owed and not waits:
            counts = ((of_row.counter, of_row.who, 1 - (before if is_new_year else 0)),)
            yield msgspec.structs.replace(self._make_due(row, number, fact), counts=counts)
        elif is_new_year and before:
            text = "a new year begins"
            counts = ((of_row.counter, of_row.who, -before),)
            yield Due(of_row, number, of_row.who, "", 0, "", 0, of_row.rule, text, counts)


def _is_instead(row: ScheduleRow, due: Due) -> bool:
    """Return whether something due is an item in place of which a row comes."""
    return (due.who, due.item) == (row.who, row.instead)


def _is_counted(row: ScheduleRow, due: Due) -> bool:
    """Return whether something due is such an item that the counter of the row counts."""
    return _is_instead(row, due) and any(key == [row.counter, row.who] for *key, _ in due.counts)


def _take_one(due: Due) -> Due:
    """Return what is due with one item fewer."""
    count = due.count - 1
    text = f"{count}{due.text.removeprefix(str(due.count))}" if due.text.startswith(f"{due.count} ") else due.text
    return msgspec.structs.replace(due, count=count, amount=due.amount - due.amount // due.count, text=text)


def _list_words(value: Value | None) -> tuple[str, ...]:
    match value:
        case None:
            return ()
        case tuple():
            return value
        case bool():
            return ("yes" if value else "no",)
        case _:
            return (str(value),)


# --- reading ------------------------------------------------------------------------------------------------------------


_SCHEDULES: Memo[None, Schedules] = Memo()
"""The schedules of the game."""


def read_schedules(game: Game, on_fault: OnFault = stop, course: CourseFile | None = None) -> Schedules:
    """Return the schedules of a game, none if it has no folder of them. Raises InputError for a fault in a file, or gives each to
    `on_fault`. course: the game's, if it has been read.
    """

    def read() -> Schedules:
        return _read_files(game, course or course_file(game), on_fault)

    return game.memo(_SCHEDULES, None, read) if on_fault is stop else read()


class _Rows:
    """The rows of a game's schedules, and the faults by which what stands in a row or a step stays unknown."""

    def __init__(self, files: Mapping[str, GameData], on_fault: OnFault) -> None:
        self.files = files
        self.on_fault = on_fault
        self.columns = {field.encode_name: field.name for field in msgspec.structs.fields(ScheduleRow)}
        self.lost: list[InputError] = []

    def lose(self, fault: InputError) -> None:
        """Report such a fault."""
        self.lost.append(fault)
        self.on_fault(fault)

    def of(self, name: str, required: Sequence[str]) -> Iterator[tuple[dict[str, str], Where]]:
        """Yield the rows of a file; none if it has unknown columns."""
        unknown: list[str] | None = None  # until the head has been seen
        file, called, _ = self.files[name]
        for cells, where in read_rows(file, required, called, self.lose):
            if unknown is None:
                unknown = [column for column in cells if column not in self.columns]
                for column in unknown:
                    hint = format_suggestion(column, self.columns)
                    self.lose(InputError(f"unknown column {column!r}", where=where._replace(line=1), hint=hint))
            if not unknown:
                yield cells, where

    def rotations(self) -> tuple[dict[str, list[_Step]], dict[str, int]]:
        """Return the steps of each rotation, and the line where it begins."""
        rotations = dict[str, list[_Step]]()
        begun = dict[str, int]()
        for cells, where in self.of(ROTATIONS, ["rotation"]):
            with reporting(self.lose, where):
                if not (name := cells.pop("rotation")):
                    raise InputError("the step belongs to no rotation", hint="name it in `rotation`")
                begun.setdefault(name, where.line)
                steps = rotations.setdefault(name, [])
                row = row_of(cells)
                given = {column: cell for column, cell in cells.items() if cell}
                steps.append(_Step(given, row, tuple(self.columns[column] for column in given), where))
        return rotations, begun


def _read_files(game: Game, course: CourseFile, on_fault: OnFault) -> Schedules:
    files = game.data_files(FOLDER, ENDING)
    if not files:
        return Schedules(game, Calendar(0, 0), (), {})
    try:
        calendar = read_calendar(game, course)
    except InputError as error:
        on_fault(error)
        return Schedules(game, Calendar(0, 0), (), {})

    reading = _Rows(files, on_fault)
    rotations, begun = reading.rotations() if ROTATIONS in files else ({}, {})
    lost = reading.lost
    of_steps = len(lost)
    faulty: set[tuple[Where, str]] = set()
    all_cells = list[dict[str, str]]()
    rows = list[_Compiled]()
    for name, file in files.items():
        of = name.removesuffix(ENDING)
        scenario = of if of in game.setups else ""
        if name == ROTATIONS:
            continue
        for cells, where in reading.of(name, () if file.is_owners else REQUIRED):
            all_cells.append(cells)
            with reporting(on_fault, where):
                if file.is_owners:
                    cells.update(complete_cells(game, course, cells))
                cells["scenario"] = cells.get("scenario") or scenario
                row = row_of(cells)
                rotation = cells.get("rotation", "")
                if rotation in rotations:
                    _check_steps(game, course, cells, rotations[rotation], faulty, on_fault)
                else:
                    check_cells(game, course, cells)
                    if rotation and not of_steps:  # else it may be among those that are lost
                        raise InputError(f"unknown rotation {rotation!r}", hint=format_suggestion(rotation, rotations))
                rows.append(_compile(game, calendar, row, where))
    owners = {file.called for file in files.values() if file.is_owners}
    own = _sort_by_turn(row for row in rows if row.where.file in owners)
    for fault in (*find_twice_faults(own), *find_absent_faults(own), *find_circle_faults(own)):
        on_fault(fault)
    schedules = Schedules(game, calendar, rows, rotations)
    if len(lost) > of_steps or any(_is_misnamed(game, course, cells, rotations) for cells in all_cells):
        return schedules  # what follows from it would be no mistake of its own
    if not lost:
        for fault in _find_instead_faults(rows, all_cells, rotations):
            on_fault(fault)
    used = {cells.get("rotation", "") for cells in all_cells}
    for name in rotations.keys() - used:
        where = Where(files[ROTATIONS].called, begun[name])
        on_fault(InputError(f"no row goes by the rotation {name!r}", where=where, hint=format_suggestion(name, used)))
    return schedules


class _Step(NamedTuple):
    """A step of a rotation. cells: those that it overrides; row: a row of these alone; fields: what of it they are."""

    cells: Mapping[str, str]
    row: ScheduleRow
    fields: tuple[str, ...]
    where: Where

    def change(self, row: ScheduleRow) -> ScheduleRow:
        """Return a row of the rotation as this step makes it."""
        return msgspec.structs.replace(row, **{field: getattr(self.row, field) for field in self.fields})


def _is_misnamed(game: Game, course: CourseFile, cells: Mapping[str, str], rotations: Container[str]) -> bool:
    """Return whether a row names a nation, an item or a rotation that there is not, and so is not what another row
    refers to.
    """
    who = cells.get("who")
    item = cells.get("item")
    rotation = cells.get("rotation")
    return (
        bool(rotation and rotation not in rotations)
        or bool(who and who not in list_people(game))
        or bool(item and item not in course.schedules.get("item", (item,)))
    )


def _find_instead_faults(
    rows: Iterable[_Compiled], all_cells: Iterable[Mapping[str, str]], rotations: Mapping[str, Sequence[_Step]]
) -> Iterator[InputError]:
    """Yield the rows in place of an item that no row brings, be it by a step of its rotation. all_cells: the cells of all
    rows, those with mistakes among them.
    """
    brought = set[tuple[str, str]]()
    for cells in all_cells:
        steps = rotations.get(cells.get("rotation", ""), ())
        for each in [{**cells, **step.cells} for step in steps] or [{**cells}]:
            brought.add((each.get("who", ""), each["item"]))
    for compiled in rows:
        row = compiled.row
        if row.instead and (row.who, row.instead) not in brought:
            items = [item for who, item in brought if who == row.who]
            what = f"instead: no row brings {row.instead!r}"
            yield InputError(what, where=compiled.where, hint=format_suggestion(row.instead, items))


def _check_steps(
    game: Game,
    course: CourseFile,
    cells: Mapping[str, str],
    steps: Iterable[_Step],
    faulty: set[tuple[Where, str]],
    on_fault: OnFault,
) -> None:
    """Give to `on_fault` what is wrong with a row as each step of its rotation makes it, at the step, once for all rows, which
    `faulty` remembers. Raises InputError for what is wrong with the row whatever its step.
    """
    own = _find_row_fault(game, course, cells)
    for step in steps:
        wrong = _find_row_fault(game, course, {**cells, **step.cells})
        if wrong is not None and own is not None and wrong.what == own.what:
            raise own
        if wrong is not None and (step.where, wrong.what) not in faulty:
            faulty.add((step.where, wrong.what))
            on_fault(wrong.at(step.where))


def _find_row_fault(game: Game, course: CourseFile, cells: Mapping[str, str]) -> InputError | None:
    try:
        check_cells(game, course, cells)
    except InputError as error:
        return error
    return None


def _compile(game: Game, calendar: Calendar, row: ScheduleRow, where: Where) -> _Compiled:
    """Return a row with its dates and conditions read. Raises InputError for one that names what the game does not
    have, or that can never come.
    """
    counter, counted = with_reading(game, row.counter)
    row = msgspec.structs.replace(row, counter=counter)
    at = _read_dates(game, calendar, row.at, row.who)
    first = _read_dates(game, calendar, row.from_, row.who)
    until = _read_dates(game, calendar, row.until, row.who)
    if any(date.reading for date in at):
        raise InputError("at: a ruling is named in from, until or counter alone", hint="state the turns from and until")
    compiled = _Compiled(
        row,
        where,
        at,
        first,
        until,
        _read_months(row.months),
        _read_turns(calendar, row.turns),
        tuple(_read_condition(game, word, row.who) for word in row.when.split()),
        counted,
    )
    span = _find_span(calendar, first, until)
    if not span:
        raise InputError("the row can never come: it ends before it begins", hint="correct `from` or `until`")
    if not at and not any(_is_of(compiled, calendar, number) for number in span):
        raise InputError(
            "the row can never come: no turn is one of `turns` and `months`", hint="correct them, or the dates"
        )
    return compiled


def _is_of(row: _Compiled, calendar: Calendar, number: int) -> bool:
    """Return whether a turn and its month are such as a row names."""
    if row.turns and calendar.turn_of_month(number) not in row.turns:
        return False
    return not row.months or calendar.month(number).of_year in row.months


def _read_dates(game: Game, calendar: Calendar, text: str, who: str) -> tuple[_Date, ...]:
    """Return the dates of a cell, those of rulings last: these are asked for where the others leave it open. who: the
    row's nation.
    """
    dates = (_read_date(game, calendar, word, who) for word in text.split())
    return tuple(sorted(dates, key=lambda date: date.reading is not None))


def _read_date(game: Game, calendar: Calendar, text: str, who: str) -> _Date:
    """Return a date of a row. who: the row's nation. Raises InputError for one that the game does not have."""
    text, reading = with_reading(game, text)
    parsed = parse_date(text) if calendar.months else None
    if parsed is not None and parsed[1] is None:
        month = parsed[0]
        number = calendar.starts(month)
        end = calendar.starts(Month(month.number + 1)) - 1
        if end < calendar.first or number > calendar.last:
            raise InputError(f"{text} is outside the game")
        return _Date(max(number, calendar.first), end, reading=reading)
    if parsed is not None or natural(text) is not None:
        number = calendar.number(text)
        return _Date(number, number, reading=reading)
    base = _STEPS.sub("", text, count=1)
    steps = tuple((int(count), unit or "") for count, unit in _STEP.findall(text[len(base) :]))
    subject, _, name = base.rpartition(".")
    track = game.tracks.get(name)
    if track is None or not (track.names == "turn" or track.kind == "integer"):
        turns = [track.name for track in game.tracks.values() if track.names == "turn"]
        raise InputError(
            f"{text!r} is neither a turn nor counted from a fact that is one", hint=format_suggestion(name, turns)
        )
    subject = _find_subject(game, subject, track, who)
    return _Date(
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
    return name, _find_subject(game, whose, by, subject)


def _find_subject(game: Game, named: str, track: Track, who: str) -> str:
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


def _read_months(text: str) -> frozenset[int]:
    """Return the months that a cell names, 1 for January, none for all. Raises InputError for a word that is not one."""
    months: set[int] = set()
    for word in text.casefold().split():
        match word:
            case "odd" | "even":
                months.update(range(1 if word == "odd" else 2, 13, 2))
            case "all":
                months.update(range(1, 13))
            case _ if word[:3] in MONTHS:
                months.add(MONTHS.index(word[:3]) + 1)
            case _:
                raise InputError(f"{word!r} is not a month", hint="odd, even, or names such as jan apr")
    return frozenset(months)


def _read_turns(calendar: Calendar, text: str) -> frozenset[int]:
    numbers = [natural(word) for word in text.split()]
    if None in numbers:
        raise InputError(f"turns: {text!r} are not numbers", hint="such as 1 3 5, or 0 for the special turn")
    if wrong := [number for number in numbers if number is not None and not calendar.has_turn(number)]:
        raise InputError(f"a month has no turn {wrong[0]}")
    return frozenset(number for number in numbers if number is not None)


def _read_condition(game: Game, word: str, who: str) -> _Condition:
    """Return a fact that a row goes by: `TRACK`, `TRACK=VALUE`, `SUBJECT.TRACK=VALUE`, with `not:` before it."""
    bare = word.removeprefix("not:")
    path, _, value = bare.partition("=")
    subject, _, name = path.rpartition(".")
    track = game.track(name)
    if value:
        track.parse(value)
    return _Condition(name, _find_subject(game, subject, track, who), value, bare == word)
