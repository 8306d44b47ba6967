"""The file of a journal, read together with the facts behind its answers, and extended by each entry once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from ...formats.notation_writer import are_alike
from ...formats.positions import Position
from ...game.games import Game
from ...state.changes import AnyChange
from ...util.background import work_out
from ...util.errors import InputError, Where, format_suggestion
from ...util.work_time import WorkTime
from .differences import JournalDifference, compare_journals, sign_books
from .entries import ANSWER, Amend, Answer, JournalEntry, Keep, OpenQuestion, Strike
from .files import DiskStore, JournalStore, parse_journal, parse_more
from .findings import CHECK_SECONDS, Debt, list_debts
from .fold import Reads
from .journal import Journal
from .lines import JournalLine, compute_tap_mark, write_entry
from .open_question import posed_entry, write_posed_answer
from .typed_lines import read_typed

if TYPE_CHECKING:
    from ...asking.report import Report
    from .answers import Given


_CORRECTIONS = (Amend, Keep, Strike)
"""The kinds of entries that may change the facts behind answers."""


class Added(NamedTuple):
    """The result of adding entries to a journal."""

    entries: tuple[JournalEntry, ...]
    journal: Journal
    """The journal with the entries."""
    difference: JournalDifference
    """The effects of the entries."""
    since: int
    """The number of the journal's turn before the entries."""
    reports: tuple[Report[Any], ...] = ()
    """The reports of the answers among the entries."""
    aside: Path | None = None
    """The file with the remnant of an entry that was set aside, or None."""
    overdue: tuple[Debt, ...] = ()
    """The debts that have become overdue with the entries."""


class JournalFile:
    """A journal in a file.

    `side`: the side whose knowledge the journal is, or "" for everything.
    `known`: the data of the file with their journal, if already read.
    `store`: the store of the data, by default the disk.

    Raises InputError if the file cannot be read.
    """

    def __init__(
        self,
        file: Path,
        load_game: Callable[[str], Game],
        side: str = "",
        known: tuple[bytes, Journal] | None = None,
        store: JournalStore | None = None,
    ) -> None:
        self.file = file
        self.store = store or DiskStore(file)
        self.load_game = load_game
        self.side = side
        self.count_added = 0  # number of entries added by this object
        self._last: tuple[bytes, Journal] | None = None  # the last data and the journal read from them
        self._taps: dict[str, int] = {}  # mark of a tap -> number of its last entry
        self._has_answers = False
        if known:
            self._note_journal(*known)
        self._tap = ""
        self._begun = False

    @contextmanager
    def for_tap(self, tap: str) -> Iterator[None]:
        """Mark all entries added in the block with a tap on the page, or with none if it is "".

        The first addition adds nothing if the journal already has entries of the tap. Later ones belong to the same
        line.
        """
        self._tap = tap
        self._begun = False
        try:
            yield
        finally:
            self._tap = ""

    def read(self, *, compares: bool = True) -> Journal:
        return self._read_data(self.store.read(), compares=compares)

    def entered_by(self, tap: str) -> int:
        self.read(compares=False)
        return self._taps.get(compute_tap_mark(tap), 0)

    def read_again(self, time: WorkTime | None = None) -> Journal:
        """Return the journal with the reads of all its answers, computing those that are not stored."""
        return self._read_data(self.store.read(), time=time or WorkTime(CHECK_SECONDS))

    def _read_data(self, data: bytes, *, compares: bool = True, time: WorkTime | None = None) -> Journal:
        journal = self._parse_data(data)
        if not compares or not self._has_answers or not self.store.outlasts_process:
            return journal
        from .answers import load_reads, make_reads

        reads = journal.reads or load_reads(self.file, journal)
        if time:
            reads = make_reads(journal, reads, time)
        if reads != journal.reads:
            journal = journal.with_reads(reads)
            self._last = (data, journal)
        return journal

    def _parse_data(self, data: bytes) -> Journal:
        """Return the journal with these data, extending the journal read last if possible."""
        name = str(self.file)
        earlier: Journal | None = None
        if self._last is not None:
            before, earlier = self._last
            if before == data:
                return earlier
            if data.startswith(before):
                more = parse_more(earlier.text, before, data[len(before) :], name)
                if more is not None:
                    return self._note_journal(data, earlier.with_lines(more), len(earlier.entries))
        text = parse_journal(data, name)
        goes_on = earlier is not None and text.goes_on(earlier.text)
        self._taps = {}
        self._has_answers = False
        return self._note_journal(
            data, Journal.read(text, name, self.load_game, earlier if goes_on else None, self.side)
        )

    def _note_journal(self, data: bytes, journal: Journal, known: int = 0) -> Journal:
        """Note a journal as the one read last, and return it.

        `known`: the number of its entries noted before.
        """
        self._last = (data, journal)
        for entry in journal.entries[known:]:
            self._has_answers |= isinstance(entry.what, Answer)
            if entry.tap:
                self._taps[entry.tap] = entry.number
        return journal

    def add(self, *texts: str | JournalLine, late: bool = False, force: bool = False) -> Added:
        """Add the entries of typed lines. An answer typed without changes is computed.

        Raises InputError as `add_from` does.
        """
        return self.add_from(lambda _: texts, late=late, force=force)

    def add_from(
        self,
        source: Callable[[Journal], Sequence[str | JournalLine]],
        *,
        late: bool = False,
        force: bool = False,
    ) -> Added:
        """Add the lines that `source` returns for the journal, by one write, while no other run adds to it.

        Raises InputError, adding nothing, if a text has no meaning, an entry cannot take effect, or, without `force`,
        an account is overdrawn.
        """

        def prepare(data: bytes) -> tuple[list[str], tuple[Added, Mapping[int, Reads]]]:
            before = self._read_data(data)
            added = self._prepare_entries(before, data, source, late=late, force=force)
            return [write_entry(added.journal.write_line(entry)) for entry in added.entries], (added, before.reads)

        (added, known), aside = self.store.append(prepare)
        self.count_added += len(added.entries)
        self._begun = bool(added.entries)
        if self._last and added.entries:  # reading the journal again then needs no further work
            self._last = (self._last[0], self._last[1].with_books_of(added.journal))
        if self._last and added.journal.reads != known:
            self._keep_reads(added.journal)
            self._last = (self._last[0], self._last[1].with_reads(added.journal.reads))
        return added._replace(aside=aside)

    def _prepare_entries(
        self,
        before: Journal,
        data: bytes,
        source: Callable[[Journal], Sequence[str | JournalLine]],
        *,
        late: bool,
        force: bool,
    ) -> Added:
        """Return the result of adding the lines of `source`, without writing them."""
        if self._tap and not self._begun and compute_tap_mark(self._tap) in self._taps:
            return Added((), before, compare_journals(before.books, before.books), before.turn)
        texts = source(before)
        typed = read_typed(before, *texts, late=late, force=force)
        if any(isinstance(entry.what, _CORRECTIONS) or entry.turn < before.turn for entry in typed):
            # reads beyond the time limit follow with a later correction
            before = self._read_data(data, time=WorkTime(CHECK_SECONDS))
        reports: Sequence[Report[Any]] = ()
        reads: Mapping[int, Reads] = {}
        # lines from another journal stay as they were sent
        if not all(isinstance(text, JournalLine) for text in texts):
            typed, reports, reads = self._complete_answers(before, typed)
        if self._tap:  # only the last entry has the mark, so that a tap may be repeated after a write was cut off
            typed[:-1] = [msgspec.structs.replace(entry, more=True) for entry in typed[:-1]]
            typed[-1] = msgspec.structs.replace(typed[-1], tap=compute_tap_mark(self._tap))
        after = before.check_typed(typed)
        if before.text.rules and before.rules.events.event:
            typed = sign_books(before, typed, after)
            after = before.with_entries(typed)
        if reads:
            after = after.with_reads({**before.reads, **reads})
        earlier_debts = set(list_debts(before))
        overdue = tuple(debt for debt in list_debts(after) if debt.overdue and debt not in earlier_debts)
        difference = compare_journals(before.books, after.books)
        return Added(tuple(typed), after, difference, before.turn, tuple(reports), overdue=overdue)

    def enter_answer(self, asked: Position, changes: Iterable[AnyChange] = ()) -> Added:
        """Add an answer that was given elsewhere, and the turn that begins with it.

        `asked`: the position with its question, dice and choices.

        Raises InputError if the journal stands in another position.
        """
        journal = self.read(compares=False)
        current = journal.position()
        if current.game.id != asked.game.id or not are_alike(current, asked):
            hint = f"ask it of {self.file.name} itself"
            raise InputError("the journal stands in another position", where=Where(str(self.file)), hint=hint)
        return self.add(f"{ANSWER} {write_posed_answer(asked)}", *journal.turn_after(changes))

    def _complete_answers(
        self, journal: Journal, typed: Sequence[JournalEntry]
    ) -> tuple[list[JournalEntry], list[Report[Any]], dict[int, Reads]]:
        """Return typed entries with the changes of their answers, and the reports and reads of these answers."""
        whole = list[JournalEntry]()
        reads = dict[int, Reads]()
        reports: list[Report[Any]] = []
        for entry in typed:
            what = entry.what
            if isinstance(what, OpenQuestion):
                _check_question(what, journal.game)
            amends = what.target if isinstance(what, Amend) else 0
            answer = what.what if isinstance(what, Amend) else what
            if isinstance(answer, Answer) and not answer.changes:
                given = _settle_typed_answer(journal.with_entries(whole), entry, answer, amends)
                answer = msgspec.structs.replace(answer, changes=tuple(given.report.changes))
                reports.append(given.report)
                reads[entry.number] = given.reads
                what = Amend(amends, answer) if isinstance(what, Amend) else answer
            whole.append(msgspec.structs.replace(entry, what=what))
        return whole, reports, reads

    def _keep_reads(self, journal: Journal) -> None:
        if not self.store.outlasts_process:
            return
        from .answers import keep_reads

        with suppress(InputError):  # the file of reads can be made again
            keep_reads(self.file, journal, journal.reads)


def _settle_typed_answer(journal: Journal, entry: JournalEntry, answer: Answer, amends: int) -> Given:
    """Return a typed answer with its report, if it can be entered.

    `amends`: the number of the amended entry, or 0.
    """
    from .answers import settle_answer

    books = journal.books
    state = books.state_before(amends) if amends else books.state_at(entry.turn)
    is_combat = answer.question.partition(" ")[0] == journal.game.file.prompt.ask
    return work_out(not is_combat, settle_answer, Position(journal.game, state, past=books.past), answer, amends)


def _check_question(question: OpenQuestion, game: Game) -> None:
    from ...installed.registry import questions_of  # imported late, as only questions need it

    asked, _ = posed_entry(question)
    if asked and asked.question not in questions_of(game):
        hint = format_suggestion(asked.question, questions_of(game))
        raise InputError(f"unknown question {asked.question[:40]!r}", hint=hint)
