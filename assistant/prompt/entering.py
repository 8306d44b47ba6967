"""A table that is kept in a journal: what each line states and what is carried out is an entry, and `undo` strikes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from ..formats.positions import Asked
from ..formats.writing import lines_between
from ..journal.entries import ANSWER, FACT, STRIKE, TURN
from ..journal.journal import Journal
from ..journal.keeping import Added, JournalFile, word_answer
from .table import Table


class EnteredTable:
    """A table that is kept in a journal. table: the one that shows where the journal stands."""

    picture: tuple[str, str] | None = None

    def __init__(self, file: JournalFile, table: Table) -> None:
        self.file = file
        self.saved: dict[str, str] = {}
        self.added: list[Added] = []
        """What has been entered since it was last said."""
        self._entered: list[tuple[Table, tuple[int, ...]]] = [(table, ())]  # tables with the entries that led to them

    def keep(self, table: Table, before: Sequence[Table] = ()) -> Path | None:
        """Enter what has led to a table, and strike what led to those that are no longer there. before: the tables before
        it. Raises InputError for what cannot be entered.
        """
        there = {id(one) for one in (*before, table)}
        gone = [number for one, numbers in self._entered if id(one) not in there for number in numbers]
        if gone:
            self.added.append(self.file.add(*(f"{STRIKE} {number}" for number in reversed(gone))))
        self._entered = [entry for entry in self._entered if id(entry[0]) in there]
        last = self._entered[-1][0]
        if table is not last and (texts := [*self._texts(last, table)]):
            self.note(table, self.file.add(*texts))
        return None

    def note(self, table: Table, added: Added) -> None:
        """Note the entries that led to a table."""
        self.added.append(added)
        self._entered.append((table, tuple(entry.number for entry in added.entries)))

    def _texts(self, last: Table, table: Table) -> Iterator[str]:
        """What leads from one table to the next, as entries are typed."""
        position = last.position
        for done in table.done[len(last.done) :]:
            asked = Asked(done.asked, dict(done.parameters))
            posed = msgspec.structs.replace(last.position, asks=(asked,), answers=dict(done.answers))
            yield f"{ANSWER} {word_answer(posed, done.changes)}"
            position = position.after(done.changes)
        moment = self.file.read(compares=False).rules.moment
        key = (moment.name if moment else "", "")
        stated = table.position.state.facts.get(key)
        if moment and stated and stated != position.state.facts.get(key):
            yield f"{TURN} {stated.value}"
            facts = {**position.state.facts, key: stated}
            position = position.with_state(msgspec.structs.replace(position.state, facts=facts))
        yield from (f"{FACT} {line}" for line in lines_between(position, table.position))

    def unsaid(self) -> Iterator[Added]:
        """What has been entered since it was last said."""
        added, self.added = self.added, []
        yield from added


def table_of(journal: Journal) -> Table:
    """The table that shows where a journal stands."""
    return Table(journal.position())
