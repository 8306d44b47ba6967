"""A table of the page: a journal, in which each typed line becomes an entry or is refused, and the state to show."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from ...asking.recent_answers import RecentAnswers, keeping_answers
from ...asking.report import Report
from ...asking.view import View
from ...formats.positions import Asked, Position
from ...formats.vassal import LOG, SAVE
from ...game.calendar import write_turn_in_words
from ...game.events import Event
from ...game.games import Game, pack_folder
from ...installed.registry import load_game
from ...records.journal.entries import Answer, Fact
from ...records.journal.files import DiskStore, JournalStore
from ...records.journal.journal import Journal
from ...records.journal.journal_file import JournalFile
from ...records.journal.journal_text import format_entry
from ...service import ask, resolve_question
from ...state.tracks import Source
from ...util.background import Work, work_out
from ...util.errors import InputError
from ...util.files import data_folder, is_device, stamps
from ...util.patterns import late_pattern
from ..prompt.answers import is_of_units
from ..prompt.books import JournalSession
from ..prompt.desk import Writes
from ..prompt.table import Assumption
from .earlier_passages import earlier_file, read_earlier
from .messages.requests import AtPassage, AtTable, CountPassagesRequest, EnterRequest
from .messages.table import AskShown, EntryShown, TableShown
from .passages import Passages, TablePassage, check_number, read_log_passages
from .seen_entries import MAX_ENTRIES_SHOWN
from .table_view import (
    show_answer,
    show_ask,
    show_assumed,
    show_combat,
    show_error,
    show_march,
    show_stated,
    show_units,
)
from .tiles import Pictures

_TABLE_NAME = late_pattern(r"[a-z0-9](?:[a-z0-9_-]{0,62}[a-z0-9])?")
"""The name of a table."""
_UNWRAPPED_COLUMNS = 10_000
"""A width at which no line of a response is wrapped."""


def can_name_table(name: str) -> bool:
    """Return whether a name is allowed for a table, and for its journal's file on every system."""
    return _TABLE_NAME.fullmatch(name) is not None and not is_device(name)


def name_of_table(file: Path) -> str:
    """Return the name of the table with this journal: that of the file if a table can have it, or else another one."""
    return file.stem if can_name_table(file.stem) else own_name(file)


def own_name(file: Path) -> str:
    """Return a name that only the table with this file has; the table's other files are named after it too."""
    word = re.sub(r"[^a-z0-9]+", "-", file.stem.casefold()).strip("-")[:40].strip("-") or "table"
    return f"{word}-{sha256(str(file.resolve()).encode()).hexdigest()[:12]}"


def sides_folder(file: Path) -> Path:
    """Return the folder with the files of the sides at a table.

    `file`: the table's journal.
    """
    return data_folder() / "page" / "sides" / own_name(file)


def begun_file(journal: Path, ending: str) -> Path:
    """Return the file of the VASSAL save or log with which a table began.

    `journal`: the table's journal.
    """
    return journal.with_suffix(f".begun{ending}")


def begun_name_file(journal: Path) -> Path:
    """Return the file with the name of the VASSAL save or log with which a table began.

    `journal`: the table's journal.
    """
    return journal.with_suffix(".begun.txt")


def written_at(file: Path) -> int:
    """Return the time of a file's last change, in milliseconds since 1970, or 0 if it does not exist."""
    return file.stat().st_mtime_ns // 1_000_000 if file.is_file() else 0


class TableAnswer(NamedTuple):
    """An answer with the position that was asked about and the assumptions of the answer."""

    position: Position
    report: Report[Any]
    assumed: tuple[Assumption, ...] = ()


class StandingTable(NamedTuple):
    """The current or an earlier state of a table, as a value."""

    position: Position
    """The position, with the open question."""
    answer: TableAnswer | None
    """The answer to the open question, or None if there is none."""
    pictures: Pictures
    """The pictures of the board, and of other boards with the same look."""
    recent: RecentAnswers
    """The answers given last."""
    passage: TablePassage | None = None
    """The passage after which the position is, or None if it is the current one."""

    @property
    def game(self) -> Game:
        return self.position.game

    def ask(self, question: str, parameters: dict[str, str], answers: dict[str, str]) -> TableAnswer:
        now = self.position
        asked = resolve_question(now, Asked(question, dict(parameters)), {})
        position = Position(now.game, now.state, (asked,), answers, past=now.past)
        return TableAnswer(position, ask(position))


class PageDesk:
    """A table with its journal and the answer to its open question.

    `file`: the table's journal.
    `side`: the side whose knowledge the journal contains, or "" for everything.
    `writes_pack`: whether typed lines may write the owner's pack; those of a side never may.
    `store`: the store of the journal, or None for the disk.
    `known`: the last known content of the journal's file, with the journal decoded from it.
    """

    def __init__(
        self,
        file: Path,
        load: Callable[[str], Game] = load_game,
        side: str = "",
        *,
        writes_pack: bool = True,
        store: JournalStore | None = None,
        known: tuple[bytes, Journal] | None = None,
    ) -> None:
        self.file = file
        self._store = store or DiskStore(file)
        self._load = load
        self._side = side
        self.name = name_of_table(file)
        self._writes_pack = writes_pack and not side
        self.pictures = Pictures()
        self.passages = Passages()
        self.recent = RecentAnswers()
        """The answers given last at the table."""
        self.changes = 0
        """The number of changes of the table so far."""
        self.awaited: Work | None = None
        """The work in the background that must end before the open question is answered."""
        self._shown: TableShown | None = None  # the table as shown since the last change
        self._view: View | None = None  # the view of the position shown last
        # the passages of the log with which the table began, by the sources that the table trusts
        self._log: tuple[frozenset[Source], tuple[TablePassage, ...]] | None = None
        self._earlier: tuple[TablePassage, ...] | None = None  # the changes since the earlier table, once read
        self._open(known)

    def _open(self, known: tuple[bytes, Journal] | None = None) -> None:
        seen = self._store.mark()  # taken first, so that whatever is written meanwhile is read again
        writes: tuple[Writes, ...] = ("pack",) if self._writes_pack else ()
        file = JournalFile(self.file, self._load, self._side, known, self._store)
        self.books = JournalSession(file, _UNWRAPPED_COLUMNS, writes=writes)
        self._packed = stamps(pack_folder(self.game.id))
        self._seen = seen
        self._last = self.books.journal.last
        self.note_change()

    def note_written(self) -> None:
        """Note the lines that this table has written, or read the journal again if another program has written too."""
        seen = self._store.mark()
        file = self.books.file
        if file.read(compares=False).last == self._last + file.count_added:
            self._packed = stamps(pack_folder(self.game.id))
            self._seen = seen
            self.note_change()
        else:
            self._open()

    def note_change(self) -> None:
        self.changes += 1
        self._shown = None

    def renew(self) -> bool:
        """Read the journal and the pack again if another program has changed them; return whether one has changed.

        The journal's open question is asked again if it still has an answer.
        """
        session = self.books.session
        journal_changed = self._store.mark() != self._seen
        pack_changed = stamps(pack_folder(self.game.id)) != self._packed
        if journal_changed or (pack_changed and session is None):
            self._open()
        elif pack_changed and session:
            session.renew_pack()
            self.note_written()
        return journal_changed or pack_changed

    def catch_up(self) -> None:
        before = self.awaited
        with keeping_answers(self.recent):
            self.awaited = self.books.catch_up()
        if before and not self.awaited:
            self.note_written()

    @property
    def game(self) -> Game:
        return self.position.game

    @property
    def begun(self) -> Path | None:
        files = (begun_file(self.file, ending) for ending in (SAVE, LOG))
        return next((file for file in files if file.is_file()), None)

    @property
    def earlier(self) -> Path | None:
        """The file with the earlier position with which the table's first position is compared, or None."""
        file = earlier_file(self.file)
        return file if file.is_file() else None

    @property
    def position(self) -> Position:
        session = self.books.session
        return session.of_this_game(session.table).position if session else self.books.journal.position()

    @property
    def answer(self) -> TableAnswer | None:
        session = self.books.session
        if session:
            shown = session.shown
            return TableAnswer(shown.position, shown.report, shown.assumed) if shown else None
        if self.books.asked is None:
            return None
        table, report = self.books.asked
        return TableAnswer(table.position, report)

    @property
    def standing(self) -> StandingTable:
        return StandingTable(self.position, self.answer, self.pictures, self.recent)

    def standing_at(self, request: AtTable) -> StandingTable:
        """Return the state that a request is about: the current one, or the one after a passage.

        Raises InputError if there is no such passage.
        """
        if not isinstance(request, AtPassage) or request.passage is None:
            return self.standing
        passage = self._find_passage(request, request.passage)
        return StandingTable(passage.after, None, self.pictures, self.recent, passage)

    def count_passages(self, request: CountPassagesRequest) -> int:
        """Return the number of passages of the table, of the log with which it began, or since an earlier table."""
        apart = self._list_apart(request)
        return len(self.passages.list_lines(self._played_journal)) if apart is None else len(apart) - 1

    def _find_passage(self, request: AtPassage, number: int) -> TablePassage:
        apart = self._list_apart(request)
        if apart is None:
            return self.passages.find(self._played_journal, number)
        check_number(number, len(apart) - 1)
        return apart[number]

    def _list_apart(self, request: AtPassage | CountPassagesRequest) -> tuple[TablePassage, ...] | None:
        """Return the passages that are not of the journal, the start first, or None if the request is not about them."""
        if request.log:
            return self._read_log()
        return self._read_earlier() if request.earlier else None

    @property
    def _played_journal(self) -> Journal:
        """The journal with everything that was played at the table."""
        return self.books.journal

    def _read_log(self) -> tuple[TablePassage, ...]:
        """Return the passages of the log with which the table began, the start first.

        Explaining a log may take long, so a table with many users has this done elsewhere: NotYet is raised.
        """
        begun = self.begun
        if begun is None or begun.suffix != LOG:
            raise InputError("this table did not begin with a log", hint="open one, and continue it as a table")
        accepts = self.position.state.accepts
        if self._log is None or self._log[0] != accepts:
            passages = work_out(True, read_log_passages, begun, self.game, accepts, written_at(begun))
            self._log = accepts, passages
        return self._log[1]

    def _read_earlier(self) -> tuple[TablePassage, ...]:
        """Return the changes from the earlier table to the table's first position, the start first."""
        if (earlier := self.earlier) is None:
            hint = "choose an earlier table when you open a save"
            raise InputError("this table is compared with no earlier one", hint=hint)
        if self._earlier is None:
            self._earlier = read_earlier(earlier, self._load, self.books.journal.start)
        return self._earlier

    def enter(self, request: EnterRequest) -> TableShown:
        """Enter a line and return the table; a line that needs a yes is carried out only if the request has `sure`."""
        with keeping_answers(self.recent):
            return self._enter(request)

    def _enter(self, request: EnterRequest) -> TableShown:
        self.renew()
        added = self.books.file.count_added
        try:
            lines = self.books.enter(request.line, request.tap)
            question = ""
        except (MemoryError, OSError):
            self._open()  # continue with what is in the journal
            raise
        session = self.books.session
        if session and session.held:
            if request.sure:
                lines = self.books.enter("y", request.tap)
            else:
                question = session.held.question
                session.held = None
        fault = self.books.fault
        if session and session.is_unsaved:  # the table must never have more than the journal
            fault = InputError("this is not entered, as it cannot be saved", hint=" ".join(lines))
            self._open()
        elif not (fault or question) or self.books.file.count_added != added:
            self.note_written()
        return self.show(tuple(lines), held=question, fault=fault)

    def show(self, lines: tuple[str, ...] = (), *, held: str = "", fault: InputError | None = None) -> TableShown:
        if self._shown is None:
            self._shown = self._show()
        return msgspec.structs.replace(self._shown, said=lines, held=held, refused=show_error(fault) if fault else None)

    def _show(self) -> TableShown:
        position = self.position
        answer = self.answer
        journal = self.books.journal
        begun = self.begun
        asked = position.asks[0] if position.asks else None
        view = self._view_of(position)
        return TableShown(
            table=self.name,
            game=self.game.id,
            title=self.game.title,
            viewpoint=position.state.seen_by,
            entry=journal.last,
            turn=journal.label(journal.turn),
            turn_in_words=write_turn_in_words(journal.label(journal.turn)),
            moment=show_stated(view, "game"),
            powers=show_stated(view, "side", "nation"),
            units=show_units(view),
            ground=show_stated(view, "hex", "hexside"),
            combat=show_combat(answer.position if answer else position, asked),
            march=show_march(position, asked),
            answer=show_answer(answer.position, answer.report) if answer else None,
            assumed=show_assumed(answer.assumed) if answer else (),
            pending=self._pending(),
            entries=tuple(self._entries()),
            undo=self.books.undone,
            begun=begun.suffix if begun else "",
            has_earlier=self.earlier is not None,
        )

    def _view_of(self, position: Position) -> View:
        last = self._view
        is_of_game = last is not None and last.game is position.game
        self._view = last.view_of(position.state) if last and is_of_game else View(position.game, position.state)
        return self._view

    def _pending(self) -> AskShown | None:
        session = self.books.session
        asks = self.answer.report.asks if self.answer else ()
        due = session.pending if session else next(iter(asks), None)
        if due is None:
            return None
        usual = asks[0].options if asks else ()
        is_usual = due.kind == "choice" and len(due.options) > 1 and is_of_units(self.position.state, due)
        return show_ask(self.position, due, usual[0] if is_usual and usual else "")

    def _entries(self) -> Iterator[EntryShown]:
        journal = self.books.journal
        struck = journal.counting.struck
        for entry in journal.entries[: -MAX_ENTRIES_SHOWN - 1 : -1]:
            yield EntryShown(
                number=entry.number,
                turn=journal.label(entry.turn),
                text=format_entry(journal, entry),
                struck=entry.number in struck,
                amount=entry.what.amount if isinstance(entry.what, Event) else None,
                amends=isinstance(entry.what, Answer | Event | Fact),
            )
