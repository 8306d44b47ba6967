"""The table of a side, derived from the shared journal and the side's own lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import takewhile
from pathlib import Path

from ...formats.positions import JOURNAL, Position
from ...game.games import Game
from ...game.viewpoint import Onlooker
from ...records.journal.entries import OpenQuestion
from ...records.journal.files import MemoryStore, parse_journal, with_check
from ...records.journal.journal import Journal, write_head
from ...records.journal.new_journal import NewJournal, begin_journal
from ...records.journal.open_question import Asking, combat_of, find_target, follow_asking, write_posed
from ...state.state import GameState
from ...util.errors import InputError, MachineError
from ..prompt.journal_table import find_asking, table_asking
from ..prompt.table import TableState
from .beliefs import Belief, BeliefReader, find_writable
from .desk import PageDesk
from .disclosure import (
    Following,
    read_questions,
    see_combat,
    without_silence,
)
from .messages.table import EntryShown
from .old_sides import OldTable
from .own_lines import (
    NOTHING,
    OwnFile,
    OwnLine,
    SideLine,
    StatedTaps,
    list_side_lines,
    list_taps,
    mark_shared_tap,
)
from .passages import SidePassages
from .seen_entries import SharedNews, list_remarks


class DerivedDesk(PageDesk):
    """The table of a side: its view of the shared table, with its beliefs applied.

    Its journal is in memory and has no history: it begins with this table, and has the open question.

    `whole`: the table with everything.
    `taps`: the entries of the whole table's journal, by their taps.
    `file`: the file with the side's own lines.
    `say`: gets each remark on the side's files.
    """

    def __init__(
        self,
        whole: PageDesk,
        taps: StatedTaps,
        side: str,
        file: Path,
        load: Callable[[str], Game],
        say: Callable[[str], object],
    ) -> None:
        self.whole = whole
        self.taps = taps
        self.side = side
        self._say = say
        self._own = OwnFile(file, say)
        self._onlooker = Onlooker(side)
        # the last result of `Onlooker.sight`, and the result of `self.sight` for it
        self._sight: tuple[GameState, GameState] | None = None
        self._known: NewJournal | None = None  # the last result of `begin_journal`
        self._load = load
        self._reader = BeliefReader(load)
        self._left_out = frozenset[str]()  # the taps of lines whose beliefs would keep the table from being written
        self._memory = MemoryStore()
        self._own_lines = self._own.lines
        self._marked: Sequence[OwnLine] | None = None  # the lines from which the next four attributes were computed
        self._own_marks = frozenset[str]()  # the marks of the side's taps in the shared journal
        self._undo_marks = frozenset[str]()  # the marks of taps that took a line back
        self._taps = frozenset[str]()  # the taps of lines that concern the side alone
        self._wishing: OwnLine | None = None  # the last line that wishes to undo another
        self._lines: Sequence[SideLine] = ()
        self._remarks: tuple[EntryShown, ...] | None = None  # None until they are shown for the first time
        self._news = SharedNews(self.sight)
        self._number = 0
        self._table: TableState | None = None
        self._asks = NOTHING
        self._whole_journal = whole.books.journal
        self._take_over(OldTable.beside(file))
        self._lines = self._list_lines()
        self._beliefs, self._state, begun = self._derive()
        self._memory.begin(begun[0])
        file_name = Path(f"{whole.name}{JOURNAL}")  # no folders of the host, because a guest may read it in an error
        super().__init__(file_name, load, side, store=self._memory, known=begun)
        self.pictures = whole.pictures
        self.passages = SidePassages(self.sight, self._is_unseen)
        self._table = self._find_table()
        self._resume()

    @property
    def own_file(self) -> Path:
        return self._own.file

    @property
    def begun(self) -> Path | None:
        return None

    @property
    def earlier(self) -> Path | None:
        return None

    @property
    def _played_journal(self) -> Journal:
        return self.whole.books.journal

    def _take_over(self, old: OldTable) -> None:
        """Convert the files of an earlier version; until that succeeds, the side cannot enter lines."""
        if self._own.fault or not old.exists():
            return
        try:
            are_read = not self._own.file.exists() and self._read_old(old)
            if are_read:
                old.remove()
            elif asides := old.set_aside():
                named = " and ".join(map(str, asides))
                self._say(f"the files of the side from an earlier version could not all be read; they are at {named}")
        except InputError as error:
            self._own.refuse(error)

    def _read_old(self, old: OldTable) -> bool:
        """Begin the side's own file with the lines of an earlier version's files; return whether all were readable.

        Raises InputError if the files cannot be read or written now.
        """
        whole = self.whole
        last = self._whole_journal.last
        lines, are_all = old.read(whole.game, self.side, self.sight(), self.taps, last, self._load)
        if lines:
            self._own.begin(lines)
        return are_all

    def sight(self, state: GameState | None = None) -> GameState:
        """Return a state of the whole table as the side sees it.

        `state`: the state, or None for the current one.
        """
        whole = self.whole
        seen = self._onlooker.sight(whole.game, state or whole.books.journal.position().state)
        if self._sight is None or self._sight[0] is not seen:
            self._sight = seen, without_silence(whole.game, seen, self._sight[1] if self._sight else None)
        return self._sight[1]

    def take_in_changes(self) -> None:
        """Update the table from the shared journal and the side's own lines."""
        journal = self.whole.books.journal
        self._own.renew()
        is_same = journal is self._whole_journal and self._own.lines is self._own_lines
        if is_same and self._memory.mark() == self._settled:
            return
        self._whole_journal = journal
        self._own_lines = self._own.lines
        lines = self._list_lines()
        is_changed = lines != self._lines
        self._lines = lines
        is_changed |= self._renew_table()
        if self._remarks is not None and (remarks := self._list_remarks()) != self._remarks:
            self._remarks = remarks
            is_changed = True
        if is_changed:
            self._number += 1
            self.note_change()

    def _renew_table(self) -> bool:
        """Begin the table anew if the side's view or beliefs have changed; return whether the table has changed."""
        beliefs, state, begun = self._derive()
        is_same = state == self._state and self._memory.mark() == self._settled
        self._beliefs = beliefs
        if not is_same:
            self._state = state
            self._memory.begin(begun[0])
            self._open(begun)
        table = self._find_table()
        asks = _find_asking(table)
        if is_same and asks == self._asks:
            return False
        self._table = table
        self._resume()
        return True

    def _open(self, known: tuple[bytes, Journal] | None = None) -> None:
        """Read the journal, or use the state in memory if it cannot be written."""
        if known is None and self._try_beginning(self._state) is None:
            known = self._begin_unwritten(self._state)
        super()._open(known)

    def _resume(self) -> None:
        self._asks = _find_asking(self._table)
        if self._table or self.books.open_table:
            self.books.resume(self._table)
            self.note_written()
        self._settled = self._memory.mark()

    def _list_lines(self) -> Sequence[SideLine]:
        own = self._own.lines
        if own is not self._marked:
            self._marked = own
            self._own_marks = frozenset(mark_shared_tap(self.side, tap) for tap in list_taps(own))
            self._undo_marks = frozenset(mark_shared_tap(self.side, line.tap) for line in own if line.undoes)
            self._taps = frozenset(list_taps(line for line in own if not line.is_stated))
            self._wishing = next((line for line in reversed(own) if line.wishes), None)
        return list_side_lines(self._own.lines, self.side, self.taps)

    def _derive(self) -> tuple[list[Belief], GameState, tuple[bytes, Journal]]:
        """Return the side's beliefs, its table, and the journal that begins with that table.

        Beliefs with which the table could not be written are left out.
        """
        sight = self.sight()
        lines, beliefs = self._read_beliefs()
        indices, state = find_writable(sight, beliefs, lambda state: self._try_beginning(state) is not None)
        self._left_out = frozenset(lines[index].tap for index in {*range(len(lines))}.difference(indices))
        return [beliefs[index] for index in indices], state, self._try_beginning(state) or self._begin_unwritten(state)

    def _read_beliefs(self) -> tuple[list[OwnLine], list[Belief]]:
        return self._reader.read_all([each.line for each in self._lines if each.counts])

    def _try_beginning(self, state: GameState) -> tuple[bytes, Journal] | None:
        try:
            begun = self._begin_journal(state)
        except MachineError:
            raise
        except InputError:
            return None
        return begun.data, begun.journal

    def _begin_journal(self, state: GameState) -> NewJournal:
        whole = self.whole
        self._known = begin_journal(whole.game, state, f"{whole.name}{JOURNAL}", self._load, self.side, self._known)
        return self._known

    def _begin_unwritten(self, state: GameState) -> tuple[bytes, Journal]:
        whole = self.whole
        name = f"{whole.name}{JOURNAL}"
        data = with_check(write_head(whole.game, None, "").encode())
        text = parse_journal(data, name)
        empty = Journal.read(text, name, self._load, side=self.side)
        return data, empty.with_start(text, Position(whole.game, state))

    def _find_table(self) -> TableState | None:
        """Return the table with the side's last open question, updated by later changes of the shared combat."""
        journal = self.whole.books.journal
        position = Position(self.whole.game, self._state)
        asking = (each for each in reversed(self._lines) if each.counts and each.line.changes_question)
        place = 0
        following = Following(None)
        if last := next(asking, None):
            place = last.place
            table = table_asking(position, last.line.asks)
            following = Following(table if table.asked or table.aside else None, read_questions(last.line.shared))
        prompt = journal.game.file.prompt
        asked = [*follow_asking(journal.counting.entries, prompt, journal.start_turn, place)]
        # A side without a question of its own sees the last combat, whatever was asked before that combat.
        if not last:
            targets = (find_target(combat_of(asks, prompt), prompt) for _, asks in reversed(asked))
            hex = next(targets)
            asked = asked[-1 - sum(1 for _ in takewhile(lambda target: target == hex, targets)) :]
        for number, asks in asked:
            is_hidden, combat = self._see_combat(asks, position)
            if not is_hidden:
                is_unseen = partial(self._is_unseen, journal, number) if number != place else bool
                is_undone = journal.line_of(number)[-1].tap in self._undo_marks if number else False
                following = following.follow(combat, is_unseen, is_undone=is_undone)
        return following.table

    def _see_combat(self, asking: Asking, position: Position) -> tuple[bool, TableState | None]:
        """Return whether the shared combat is hidden from the side, and the combat as the side sees it, or None."""
        seen = position.state.units.keys() & self.sight().units.keys()  # not what it only believes to be there
        unseen = self.whole.position.state.units.keys() - seen
        return see_combat(table_asking(position, asking), unseen, seen)

    def _is_unseen(self, journal: Journal, number: int) -> bool:
        line = journal.line_of(number)
        before = journal.until(line[0].number - 1).position().state
        after = journal.until(line[-1].number).position().state
        return before != after and self.sight(before) == self.sight(after)

    @property
    def _asking(self) -> OpenQuestion:
        table = self.books.open_table
        if table is None:
            return OpenQuestion()
        question, dice = write_posed(table.position)
        return OpenQuestion(question, dice)

    def has_entered(self, tap: str) -> bool:
        """Return whether a tap has entered or undone a line only at this table."""
        return tap in self._taps

    def _is_left(self, entered: SideLine) -> bool:
        """Return whether a line still has an effect: an entry that counts, a belief, or the open question."""
        line = entered.line
        if not (entered.counts and line.tap):  # a line without a tap stands for earlier lines
            return False
        is_believed = line.private is not None and line.tap not in self._left_out
        if is_believed or any(not isinstance(entry.what, OpenQuestion) for entry in entered.entries):
            return True
        return line.posed != line.posed_before and self._asking.goes_on_with(line.posed)

    def _is_left_out(self, entered: SideLine) -> bool:
        """Return whether a line has no effect because the table cannot be written with its belief."""
        return entered.line.tap in self._left_out and not self._is_left(entered)

    def _list_remarks(self) -> tuple[EntryShown, ...]:
        """Return the remarks, in which a line with an omitted belief is shown as undone."""
        journal = self.whole.books.journal
        lines = [each._replace(counts=each.counts and not self._is_left_out(each)) for each in self._lines]
        return list_remarks(journal, self._news.list_last(journal, self._own_marks), lines)


def _find_asking(table: TableState | None) -> Asking:
    """Return the open question of a table, or `NOTHING` if there is none or it cannot be written."""
    if table is None:
        return NOTHING
    try:
        return find_asking(table)
    except MachineError:
        raise
    except InputError:
        return NOTHING
