"""A table that is saved in a journal.

Each line becomes entries: its facts, its question with the dice so far, and answers that are carried out. The next
session thus continues where this one ends; `undo` strikes entries.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from ...formats.positions import Asked, Position
from ...records.journal.entries import (
    ANSWER,
    STRIKE,
    TURN,
    Answer,
    JournalEntry,
    OpenQuestion,
    TurnBegins,
    write_open,
)
from ...records.journal.journal import Journal
from ...records.journal.journal_file import Added, JournalFile
from ...records.journal.open_question import (
    Asking,
    find_entries_to,
    go_on,
    open_question,
    posed_entry,
    write_posed_answer,
)
from ...state.state import FactKey
from ...util.errors import InputError
from .combats import OpenCombat, combat_hexes, stacks_of
from .line_reading import loses_dice
from .table import ShownAnswer, TableState, evaluate_if_ready, without_dice


class _Led(NamedTuple):
    table: TableState
    numbers: tuple[int, ...]
    entered: TableState
    """The table as decoded from the entries."""


class EnteredTable:
    """A table that is saved in a journal.

    `table`: the first table of the session.
    `entered`: the same table as decoded from the journal.
    """

    picture: tuple[str, str] | None = None

    def __init__(self, file: JournalFile, table: TableState, entered: TableState) -> None:
        self.file = file
        self.saved: dict[str, str] = {}
        self.added: list[Added] = []
        """The additions that have not yet been reported."""
        self.begin(table, entered)

    def begin(self, table: TableState, entered: TableState) -> None:
        """Begin with a table that has no predecessor.

        `entered`: the same table as decoded from the journal.
        """
        self._led = [_Led(table, (), entered)]

    def keep(self, table: TableState, before: Sequence[TableState] = ()) -> Path | None:
        """Enter the changes up to a table, and strike the entries of tables that are no longer among the earlier ones.

        `before`: the earlier tables.

        Raises InputError if a change cannot be entered.
        """
        struck: list[int] = []
        remaining: list[_Led] = []
        table_ids = {id(other) for other in (*before, table)}
        for led in self._led:
            if id(led.table) in table_ids:
                remaining.append(led)
            elif remaining:  # missing tables at the beginning are only too old for `undo`
                struck += led.numbers
        last = remaining[-1].entered
        strikes = [f"{STRIKE} {number}" for number in reversed(struck)]
        texts = []
        if table is not last:
            texts = [*self._write_entries(last, table)]
        if strikes or texts:
            added = self.file.add(*strikes, *texts)
            if not added.entries:
                raise InputError("the tap that says this has been entered already", hint="open the table again")
            self.added.append(added)
            self._led = remaining
            if led_by := added.entries[len(strikes) :]:
                self.note(table, led_by, table)
        return None

    def note(self, table: TableState, entries: Sequence[JournalEntry], entered: TableState) -> None:
        """Note the entries that have led to a table.

        `entered`: the same table as decoded from the journal.
        """
        before = self._led.pop().numbers if self._led[-1].table is table else ()
        self._led.append(_Led(table, (*before, *(entry.number for entry in entries)), entered))

    def _write_entries(self, last: TableState, table: TableState) -> Iterator[str]:
        """Yield the entries that lead from one table to the next, in typed form."""
        position = last.position
        asking = find_asking(last)
        game = position.game
        journal = self.file.read(compares=False)
        for answer in table.done[len(last.done) :]:
            asked = Asked(answer.asked, dict(answer.parameters))
            posed = msgspec.structs.replace(last.position, asks=(asked,), answers=dict(answer.answers))
            yield f"{ANSWER} {write_posed_answer(posed, answer.changes)}"
            asking = go_on(asking, Answer("", "", ()), game.file.prompt)
            position = position.after(answer.changes)
            for begins in journal.turn_after(answer.changes):
                yield begins
                asking = go_on(asking, TurnBegins(), game.file.prompt)
        lines = journal.lines_between(position, table.position)
        if lines and lines[0].startswith(f"{TURN} "):
            asking = go_on(asking, TurnBegins(), game.file.prompt)
        yield from lines
        for question in find_entries_to(asking, find_asking(table), game.file.prompt):
            yield write_open(question, game)

    def unsaid(self) -> Iterator[Added]:
        added = self.added
        self.added = []
        yield from added


def find_asking(table: TableState) -> Asking:
    """Return a table's open question in its form in the journal.

    Raises InputError if the question cannot be written.
    """
    position = table.position
    aside = table.aside
    question = open_question(position, table.chosen, table.numbered)
    if aside is None:
        return Asking(question)
    position_aside = msgspec.structs.replace(position, asks=(aside.asked,), answers=aside.answers)
    return Asking(question, open_question(position_aside, aside.chosen, aside.numbered))


def table_of(journal: Journal, before: TableState | None = None) -> TableState:
    """Return the table at the end of a journal, with the open question and the combat that it has set aside.

    An unreadable question is left out.

    `before`: the previous table in the same session, or None.
    """
    table = table_asking(journal.position(), journal.asking)
    if before is None:
        return table
    last = before.number
    numbers: dict[tuple[str, ...], int] = {}
    for combat in (before.aside, before.combat):
        if combat:
            numbers[_identify_question(table, combat.asked)] = combat.number
    if before.asked:
        numbers[_identify_question(table, before.asked)] = last
    aside = table.aside
    if aside:
        number_aside = numbers.get(_identify_question(table, aside.asked), last + 1)
        aside = msgspec.structs.replace(aside, number=number_aside)
    number = numbers.get(_identify_question(table, table.asked), last + 2)
    return msgspec.structs.replace(table, number=number, aside=aside, done=before.done)


def resume_table(table: TableState, before: TableState | None = None) -> tuple[TableState, ShownAnswer | None]:
    """Return a table without dice that no longer count, and its answer.

    A question that has no answer is left out. The answer is None if there is none yet.

    `before`: the previous table in the same session, or None.
    """
    if before and loses_dice(before, table):
        table = without_dice(table)
    for candidate in (table, table.with_answers({})):
        with suppress(InputError):
            return candidate, evaluate_if_ready(candidate)
    return table.with_question(None).with_answers({}), None


def _identify_question(table: TableState, asked: Asked | None) -> tuple[str, ...]:
    """Return the part of a question that stays when its other parameters change: for a combat, the attacked hexes."""
    targets, _ = combat_hexes(table.position, asked)
    return (asked.question, *targets) if asked else ()


def table_asking(position: Position, asking: Asking) -> TableState:
    """Return the table of a position with a journal's open questions; an unreadable question is left out."""
    question, aside = asking
    asked, answers = _read_entry(question)
    posed = msgspec.structs.replace(position, asks=(asked,) if asked else (), answers=answers)
    table = TableState(posed, MappingProxyType(_read_chosen(question)), numbered=_list_numbered(question))
    asked_aside, answers_aside = _read_entry(aside)
    if asked_aside is None:
        return table
    combat = OpenCombat(
        asked_aside, answers_aside, _read_chosen(aside), _list_numbered(aside), 0, stacks_of(position, asked_aside)
    )
    return msgspec.structs.replace(table, number=1, aside=combat)


def _read_entry(question: OpenQuestion) -> tuple[Asked | None, dict[str, str]]:
    try:
        return posed_entry(question)
    except InputError:
        return None, {}


def _read_chosen(question: OpenQuestion) -> dict[FactKey, str]:
    return {known.key: known.value for known in question.assumed if known.value}


def _list_numbered(question: OpenQuestion) -> tuple[FactKey, ...]:
    return tuple(known.key for known in question.assumed if known.is_numbered)
