"""Schedules: arrivals and other items by turn, as rows of CSV files of a game and of its owner's pack.

A file named after a set-up belongs to that scenario alone. A row is dated by turns and months, or from a fact that is a
turn: `romanian.enters+8`, `lost+3m+1`, `enters+1fm` (first full month), `shaken[british-rows=end]` (one reading).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from ..state.tracks import Value
from ..util.console import format_count
from ..util.errors import InputError, Where
from ..util.texts import natural
from .calendar import MONTHS, Calendar
from .course import SCENARIO, course_file
from .games import Game
from .phases import is_condition_met
from .schedule_dates import (
    FactOf,
    RowDate,
    find_counted_subject,
    find_number,
    find_span,
    is_chosen,
    lies_within,
    read_dates,
)
from .schedule_rows import ABSENT, DEPARTURE_ACTIONS, Reading, ScheduleRow, with_reading


class RowCondition(NamedTuple):
    """A fact that must hold, or must not hold."""

    track: str
    subject: str
    value: str
    """The required value, or "" for any value stated except the `absent` of its track."""
    holds: bool


class CompiledRow(msgspec.Struct, frozen=True):
    """A row with its dates and conditions parsed."""

    row: ScheduleRow
    where: Where
    at: tuple[RowDate, ...]
    first: tuple[RowDate, ...]
    until: tuple[RowDate, ...]
    months: frozenset[int]
    turns: frozenset[int]
    when: tuple[RowCondition, ...]
    counted: Reading | None = None
    """The only reading under which the row's counter counts."""


class RotationStep(NamedTuple):
    """A step of a rotation."""

    cells: Mapping[str, str]
    """The cells that it overrides, by column."""
    row: ScheduleRow
    """A row of the overriding cells alone."""
    fields: tuple[str, ...]
    """The fields of a row that it overrides."""
    where: Where

    def change(self, row: ScheduleRow) -> ScheduleRow:
        """Return a row of the rotation with the cells of this step."""
        return msgspec.structs.replace(row, **{field: getattr(self.row, field) for field in self.fields})


def sort_by_turn(rows: Iterable[CompiledRow]) -> tuple[tuple[ScheduleRow, Where], ...]:
    """Return rows in the order of their turns, as `Schedules.in_order` does."""
    place = (0, False)
    file = ""
    placed = list[tuple[tuple[int, bool], CompiledRow]]()
    for row in rows:
        turn = next((date.number for date in row.at if not date.track), None)
        if turn is not None:
            place = (turn, row.row.action not in DEPARTURE_ACTIONS)
        elif row.where.file != file:
            place = (0, False)
        file = row.where.file
        placed.append((place, row))
    return tuple((row.row, row.where) for _, row in sorted(placed, key=lambda each: each[0]))


def compile_row(game: Game, calendar: Calendar, row: ScheduleRow, where: Where) -> CompiledRow:
    """Parse the dates and conditions of a row.

    Raises InputError if the row names anything unknown to the game, or can never come.
    """
    counter, counted = with_reading(game, row.counter)
    row = msgspec.structs.replace(row, counter=counter)
    at = read_dates(game, calendar, row.at, row.who)
    first = read_dates(game, calendar, row.from_, row.who)
    until = read_dates(game, calendar, row.until, row.who)
    if any(date.reading for date in at):
        raise InputError("at: a ruling is named in from, until or counter alone", hint="state the turns from and until")
    compiled = CompiledRow(
        row=row,
        where=where,
        at=at,
        first=first,
        until=until,
        months=_read_months(row.months),
        turns=_read_turns(calendar, row.turns),
        when=tuple(_read_condition(game, word, row.who) for word in row.when.split()),
        counted=counted,
    )
    span = find_span(calendar, first, until)
    if not span:
        raise InputError("the row can never come: it ends before it begins", hint="correct `from` or `until`")
    if not at and not any(names_turn(compiled, calendar, number) for number in span):
        raise InputError(
            "the row can never come: no turn is one of `turns` and `months`", hint="correct them, or the dates"
        )
    return compiled


def names_turn(row: CompiledRow, calendar: Calendar, number: int) -> bool:
    """Return whether a turn and its month are among those that a row names."""
    if row.turns and calendar.turn_of_month(number) not in row.turns:
        return False
    return not row.months or calendar.month(number).of_year in row.months


def _read_months(text: str) -> frozenset[int]:
    """Return the months of a cell, 1 for January, or none for all."""
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
    if impossible := [number for number in numbers if number is not None and not calendar.has_turn(number)]:
        raise InputError(f"a month has no turn {impossible[0]}")
    return frozenset(number for number in numbers if number is not None)


def _read_condition(game: Game, word: str, who: str) -> RowCondition:
    """Parse a condition of a row: `TRACK`, `TRACK=VALUE` or `SUBJECT.TRACK=VALUE`, after `not:` if negated."""
    bare = word.removeprefix("not:")
    path, _, value = bare.partition("=")
    subject, _, name = path.rpartition(".")
    track = game.track(name)
    if value:
        track.parse(value)
    return RowCondition(name, find_counted_subject(game, subject, track, who), value, bare == word)


class Due(msgspec.Struct, frozen=True):
    """Something that is due in a turn."""

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
    """Changes of counters, each as account, nation and amount."""
    goes_by: tuple[tuple[str, str, int], ...] = ()
    """Counters that decide the item, each as account, nation and amount at the beginning of the turn."""


def arrival(unit: str, who: str, turn: int, rule: str, place: str = "", replaces: str = "") -> Due:
    """Return the arrival of a unit that no row of a schedule brings."""
    action = "substitute" if replaces else "arrive"
    row = ScheduleRow(rule=rule, item="unit", who=who, action=action, units=unit, place=place, replaces=replaces)
    return Due(row, turn, who, item=row.item, count=1, account="", amount=0, rule=rule, text=row.in_words)


def due_count(due: Due, count: int, noun: str) -> Due:
    """Return a due item with a number from another source than its row, such as a chart.

    `noun`: the word for a single item.
    """
    return msgspec.structs.replace(due, count=count, text=format_count(count, noun))


class Schedules:
    """The schedules of a game."""

    def __init__(
        self,
        game: Game,
        calendar: Calendar,
        rows: Iterable[CompiledRow],
        rotations: Mapping[str, Sequence[RotationStep]],
    ) -> None:
        self.game = game
        self.calendar = calendar
        self.compiled = tuple(rows)
        self.rotations = rotations
        self._dated: dict[int, list[CompiledRow]] = {}
        self._anchored: dict[tuple[str, str], list[tuple[RowDate, CompiledRow]]] = {}
        self._recurring: list[CompiledRow] = []
        self._by_turn: dict[tuple[int, int], list[CompiledRow]] = {}
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
        """The rows dated from events rather than by the calendar."""
        return tuple(compiled.row for compiled in self.compiled if any(date.track for date in compiled.at))

    @property
    def counters(self) -> frozenset[str]:
        """The accounts that only count arrivals."""
        return frozenset(compiled.row.counter for compiled in self.compiled) - {""}

    @property
    def located(self) -> tuple[tuple[ScheduleRow, Where], ...]:
        """The rows with their places in the files."""
        return tuple((compiled.row, compiled.where) for compiled in self.compiled)

    @property
    def in_order(self) -> tuple[tuple[ScheduleRow, Where], ...]:
        """The rows with their places, in the order of their turns. Within a turn, units that leave come first.

        A row without a fixed turn follows the row before it in its file, or comes first if there is none.
        """
        return sort_by_turn(self.compiled)

    def where(self, chosen: Callable[[ScheduleRow], bool]) -> Schedules:
        """Return the schedules with only the chosen rows. They then depend on fewer facts.

        `chosen`: returns whether a row is chosen.
        """
        rows = (compiled for compiled in self.compiled if chosen(compiled.row))
        return Schedules(self.game, self.calendar, rows, self.rotations)

    def due(self, number: int, fact: FactOf) -> tuple[Due, ...]:
        """Return the items due in a turn."""
        rows = [*self._dated.get(number, ())]
        for anchor, counted in self._anchored.items():
            if fact(*anchor) is not None:
                rows += [row for date, row in counted if find_number(date, self.calendar, fact) == number]
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

    def _list_recurring(self, number: int) -> list[CompiledRow]:
        turn = self.calendar.turn_of_month(number)
        of_year = self.calendar.month(number).of_year if self.calendar.months else 0
        if (turn, of_year) not in self._by_turn:
            self._by_turn[turn, of_year] = [row for row in self._recurring if names_turn(row, self.calendar, number)]
        return self._by_turn[turn, of_year]

    def over(
        self,
        first: int,
        last: int,
        fact: FactOf,
        now: int | None = None,
        brought: Callable[[int], Sequence[Due] | None] = lambda turn: None,
    ) -> Iterator[Due]:
        """Yield the items due in a period, if no facts change except the schedules' own counters.

        `now`: the turn at whose beginning the facts are known, by default the first of the period.

        `brought`: returns the arrivals of a turn before `now`, or None if they are not recorded.
        """
        known_turn = first if now is None else now
        recorded = {turn: brought(turn) for turn in range(first, min(known_turn, last) + 1)}
        counted_since: dict[tuple[str, str], int] = {}

        def known(track: str, subject: str) -> Value | None:
            value = fact(track, subject)
            more = counted_since.get((track, subject), 0)
            return (value if isinstance(value, int) else 0) + more if more else value

        def count_due(turn: int, sign: int = 1) -> Sequence[Due]:
            dues = recorded.get(turn)
            if dues is None:
                dues = self.due(turn, known)
            for due in dues:
                for account, who, amount in due.counts:
                    counted_since[account, who] = counted_since.get((account, who), 0) + sign * amount
            return dues

        for turn in range(known_turn - 1, first - 1, -1):  # back to the counters at the beginning of the period
            count_due(turn, -1)
        for turn in range(min(first, known_turn), last + 1):
            dues = count_due(turn)
            if turn >= first:
                yield from dues

    def waiting(self, number: int, fact: FactOf) -> Iterator[ScheduleRow]:
        """Yield the rows counted from events that have not happened by a turn but still may."""
        for row in self.compiled:
            unknown = bool(row.at) and all(find_number(date, self.calendar, fact) is None for date in row.at)
            if unknown and self.is_agreed(row.row, fact) and lies_within(number, (), row.until, self.calendar, fact):
                yield row.row

    def dated(self, fact: FactOf) -> Iterator[tuple[ScheduleRow, int]]:
        """Yield the rows that come in certain turns, each with the first known turn."""
        for compiled in self.compiled:
            number = next(filter(None, (find_number(date, self.calendar, fact) for date in compiled.at)), None)
            if number is not None and self._is_coming(compiled, number, fact):
                yield compiled.row, number

    # --- one row ---

    def _is_coming(self, row: CompiledRow, number: int, fact: FactOf) -> bool:
        if not lies_within(number, row.first, row.until, self.calendar, fact):
            return False
        return self.is_agreed(row.row, fact) and all(self._is_met(condition, fact) for condition in row.when)

    def is_agreed(self, row: ScheduleRow, fact: FactOf) -> bool:
        """Return whether the scenario and the optional rules in force are the ones that a row requires."""
        if row.scenario and row.scenario not in _list_words(fact(SCENARIO, "")):
            return False
        if not (row.option or row.unless):
            return True
        return is_condition_met(
            row, {word for track in course_file(self.game).turns.options for word in _list_words(fact(track, ""))}
        )

    def _is_met(self, condition: RowCondition, fact: FactOf) -> bool:
        value = fact(condition.track, condition.subject)
        if condition.value:
            is_so = condition.value in _list_words(value)
        else:
            is_so = bool(value) and value != self.game.track(condition.track).absent
        return is_so == condition.holds

    def _make_due(self, row: CompiledRow, number: int, fact: FactOf) -> Due:
        of_row = row.row
        counts: tuple[tuple[str, str, int], ...] = ()
        goes_by: tuple[tuple[str, str, int], ...] = ()
        if of_row.rotation:
            done = self._read_counter(of_row, fact)
            steps = self.rotations[of_row.rotation]
            of_row = steps[done % len(steps)].change(of_row)
            goes_by = ((of_row.counter, of_row.who, done),)
            counts = ((of_row.counter, of_row.who, 1),)
        elif of_row.counter and is_chosen(row.counted, fact):
            counts = ((of_row.counter, of_row.who, of_row.count),)
        text = of_row.in_words
        if of_row.account and not of_row.text:
            text = f"{of_row.amount} {self.game.track(of_row.account).title}"
        return Due(
            of_row,
            number,
            of_row.who,
            item=of_row.item,
            count=of_row.count,
            account=of_row.account,
            amount=of_row.amount,
            rule=of_row.rule,
            text=text,
            counts=counts,
            goes_by=goes_by,
        )

    def _read_counter(self, row: ScheduleRow, fact: FactOf) -> int:
        held = fact(row.counter, row.who)
        return held if isinstance(held, int) else 0

    def _find_replaced(self, row: ScheduleRow, before: int, due: Sequence[Due]) -> int | None:
        """Return the index of the due item that a row replaces, or None if it replaces none.

        This is the first such item, or the one that brings the row's counter to a multiple of `every`.
        """
        for index, other in enumerate(due):
            after = before + sum(amount for *key, amount in other.counts if key == [row.counter, row.who])
            is_nth = not row.every or after // row.every > before // row.every
            if is_nth and _is_instead(row, other):
                return index
            before = after
        return None

    def _replace_due(self, row: CompiledRow, number: int, fact: FactOf, due: list[Due]) -> list[Due]:
        """Return the due items after a row has replaced one of them, or unchanged if it replaces none."""
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
        index = self._find_replaced(of_row, before, due)
        if index is None:
            return due
        old, new = (
            due[index],
            msgspec.structs.replace(self._make_due(row, number, fact), counts=(), goes_by=due[index].goes_by),
        )
        remaining = [_take_one(old)] if old.count > 1 else []
        new = msgspec.structs.replace(new, counts=() if remaining else old.counts)
        return [*due[:index], *remaining, new, *due[index + 1 :]]

    def _take_from_queue(self, row: CompiledRow, number: int, fact: FactOf, due: list[Due]) -> Iterator[Due]:
        """Yield the item that comes out of a queue, or nothing in a month that brings such an item anyway."""
        of_row = row.row
        yearly_number = fact(of_row.queue, of_row.who)
        before = self._read_counter(of_row, fact)
        is_new_year = self.calendar.month(number).of_year == 1
        arrived = 0 if is_new_year else before
        has_other = any(other.who == of_row.who and other.item == of_row.item for other in due)
        if isinstance(yearly_number, int) and arrived < yearly_number and not has_other:
            counts = ((of_row.counter, of_row.who, 1 - (before if is_new_year else 0)),)
            yield msgspec.structs.replace(self._make_due(row, number, fact), counts=counts)
        elif is_new_year and before:
            yield Due(
                of_row,
                number,
                of_row.who,
                item="",
                count=0,
                account="",
                amount=0,
                rule=of_row.rule,
                text="a new year begins",
                counts=((of_row.counter, of_row.who, -before),),
            )


def _is_instead(row: ScheduleRow, due: Due) -> bool:
    """Return whether something due is an item that a row replaces."""
    return (due.who, due.item) == (row.who, row.instead)


def _is_counted(row: ScheduleRow, due: Due) -> bool:
    return _is_instead(row, due) and any(key == [row.counter, row.who] for *key, _ in due.counts)


def _take_one(due: Due) -> Due:
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
