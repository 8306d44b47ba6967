"""The table of a side: what it may know of the shared journal, and what it has entered for itself.

A side's line is read against its own table alone, so that no answer or refusal depends on hidden facts. Every table
shows the open combat as far as its side sees it. An undo may need the agreement of another side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import takewhile
from pathlib import Path
from secrets import token_hex
from typing import NamedTuple

import msgspec

from ...formats.positions import JOURNAL, Position
from ...game.games import Game
from ...game.viewpoint import Onlooker
from ...installed.registry import load_game
from ...records.journal.entries import JournalEntry, OpenQuestion
from ...records.journal.files import MemoryStore, parse_journal, with_check
from ...records.journal.journal import Journal, write_head
from ...records.journal.journal_text import format_entry
from ...records.journal.lines import compute_tap_mark
from ...records.journal.new_journal import NewJournal, begin_journal
from ...records.journal.open_question import Asking, combat_of, find_target, follow_asking, write_posed
from ...state.patches import patch_state
from ...state.state import GameState
from ...util.errors import InputError, MachineError
from ...util.limits import Limit, TooMuch
from ..prompt.journal_table import find_asking, table_asking
from ..prompt.table import TableState
from .beliefs import Belief, BeliefReader, believe, find_private_change, find_writable
from .desk import PageDesk
from .disclosure import Disclosure, without_ended_facts, without_silence, without_unseen_facts
from .messages.requests import EnterRequest
from .messages.table import EntryShown, Refused, TableShown
from .old_sides import OldTable
from .own_lines import ENDING, NO_COMBAT, NOTHING, RECENT_LINES, OwnFile, OwnLine, last_lines, list_taps
from .shared_question import (
    Following,
    Questions,
    beside_own,
    combat_asked,
    combat_at,
    combat_target,
    read_questions,
    without_unseen_units,
)
from .side_strip import SharedNews, list_remarks
from .side_taps import SideLine, StatedTaps, drop_spent_lines, list_side_lines, mark_of_all, tap_of_all
from .statements import enter_statement, lines_to_state, prepare_statement
from .table_view import format_line
from .undo import Resting, asks_combat, dice_gone, find_strikes, format_seen, what_rests

_AGREEMENT = "undo together"
"""The beginning of the line that agrees to an undo of another side."""


def _plain_line(line: str) -> str:
    """Return a line in small letters, with one space between its words."""
    return " ".join(line.casefold().split())


def agrees(line: str) -> bool:
    """Return whether a line agrees to an undo of another side."""
    return _plain_line(line).split()[:2] == _AGREEMENT.split()


class Wish(NamedTuple):
    """An undo that a side wishes although it would also undo something of others, as one of these sees it."""

    side: str
    action: OwnLine
    """The line that the side wishes to take back."""
    words: tuple[str, ...]
    """All that would be undone, in words."""

    @property
    def line(self) -> str:
        """The line that agrees to exactly this undo."""
        return f"{_AGREEMENT} {compute_tap_mark(repr((self.side, self.words)))}"


class SharedTable:
    """A table that several sides share.

    `whole`: the table with everything.
    `sides`: the sides that have a table of their own.
    `folder`: the folder for the files with their own lines.
    `load`: loads a game by its id.
    """

    def __init__(
        self, whole: WholeDesk, sides: Iterable[str], folder: Path, load: Callable[[str], Game] = load_game
    ) -> None:
        self.whole = whole
        whole.shared = self
        self.remarks: list[str] = []
        """Remarks on the files of the sides, until `say` is replaced."""
        self.say: Callable[[str], object] = self.remarks.append
        """Gets each remark on the files of the sides."""
        self.taps = StatedTaps()
        self._wishes: Sequence[SideLine | None] = ()
        self.taps.take(whole.books.journal)
        self.desks = {side: SideDesk(self, side, folder / side / f"{whole.name}{ENDING}", load) for side in sides}

    def renew(self) -> None:
        """Bring every table up to date with the shared journal."""
        self.whole.renew()
        self.taps.take(self.whole.books.journal)
        for desk in self.desks.values():
            desk.renew()
            desk.take_in()
        wishes = [desk.wish for desk in self.desks.values()]
        if wishes != self._wishes:
            self._wishes = wishes
            for seat in (self.whole, *self.desks.values()):
                seat.note_change()

    def has_entered(self, tap: str) -> bool:
        """Return whether a tap has entered or undone a line of a side.

        `tap`: the mark of the tap.
        """
        return any(self.taps.last(side, tap) or desk.has_entered(tap) for side, desk in self.desks.items())

    def changes(self, side: str, tap: str) -> list[JournalEntry]:
        """Return the entries that a tap of a side has made and that count now, except strikes."""
        self.taps.take(self.whole.books.journal)
        return self.taps.changes(side, tap)

    def wished(self, side: str) -> Wish | None:
        """Return the first undo that waits for the agreement of a side, as that side sees it, or None.

        `side`: "" for the table with everything.
        """
        at = self.desks[side] if side else self.whole
        wishes = [(wish, other) for other, desk in self.desks.items() if other != side and (wish := desk.wish)]
        for wish, other in sorted(wishes, key=lambda each: each[0].place):
            if words := self.desks[other].words_of_undoing(wish.line, at, side):
                return Wish(other, wish.line, words)
        return None

    def show_wish(self, shown: TableShown, side: str) -> TableShown:
        """Return a table with the undo that waits for the agreement of its side, and the line that agrees."""
        wish = self.wished(side)
        if wish is None:
            return shown
        whose = self.whole.game.file.title_of(wish.side)
        words = f"{whose} would like to undo {', '.join(wish.words)}"
        return msgspec.structs.replace(shown, wished=words, agrees=wish.line)

    def agree(self, side: str, line: str, tap: str) -> tuple[str, ...]:
        """Carry out the undo that waits for the agreement of a side, and return what was undone, in words.

        `line`: the line that agrees, as `show_wish` gives it.
        `tap`: the mark of the tap that agrees.

        Raises InputError if no undo waits, or if it is no longer the one that was shown.
        """
        if (wish := self.wished(side)) is None:
            raise InputError("no undo is waiting for your agreement")
        if _plain_line(line) not in (_AGREEMENT, wish.line):
            raise InputError("what would be undone has changed since", hint="read it again, then agree")
        self.desks[wish.side].undo_action(wish.action, tap, side)
        return wish.words


class WholeDesk(PageDesk):
    """The table with everything, which sides may share."""

    shared: SharedTable | None = None
    """The table as the sides share it, None as long as no side has a table of its own."""

    def enter(self, request: EnterRequest) -> TableShown:
        """Enter a line, or agree to the undo of a side."""
        if self.shared is None or not agrees(request.line):
            return super().enter(request)
        self.shared.renew()
        tap = compute_tap_mark(request.tap or token_hex(8))
        if self.shared.has_entered(tap):
            return self.show(("entered already",))
        try:
            words = self.shared.agree("", request.line, tap)
        except InputError as error:
            return self.show(fault=error)
        return self.show((f"undone: {', '.join(words)}",))

    def _show(self) -> TableShown:
        shown = super()._show()
        return self.shared.show_wish(shown, "") if self.shared else shown


class SideDesk(PageDesk):
    """The table of a side: what it may know of the shared table, with its beliefs applied.

    Its journal is kept in memory and holds no history: it begins with this table, and has the open question.
    """

    def __init__(self, shared: SharedTable, side: str, file: Path, load: Callable[[str], Game]) -> None:
        self.shared = shared
        self.side = side
        self._own = OwnFile(file, self._say)
        self._onlooker = Onlooker(side)
        # The last sight as it was reduced, and as `sight` gives it.
        self._sight: tuple[GameState, GameState] | None = None
        self._known: NewJournal | None = None  # the journal as it was begun last
        self._load = load
        self._reader = BeliefReader(load)
        self._left_out = frozenset[str]()  # the taps of lines whose beliefs would keep the table from being written
        self._memory = MemoryStore()
        self._own_lines = self._own.lines
        self._marked: Sequence[OwnLine] | None = None  # the lines from which the next four were worked out
        self._own_marks = frozenset[str]()  # the marks that the side's taps have in the shared journal
        self._undo_marks = frozenset[str]()  # those of them with which it has taken a line back
        self._taps = frozenset[str]()  # the taps of lines that concern the side alone
        self._wishing: OwnLine | None = None  # the last line that wishes to undo another
        self._lines: Sequence[SideLine] = ()
        self._remarks: tuple[EntryShown, ...] | None = None  # None until they are shown for the first time
        self._news = SharedNews(self.sight)
        self._number = 0
        self._table: TableState | None = None
        self._asks = NOTHING
        self._whole_journal = shared.whole.books.journal
        self._take_over(OldTable.beside(file))
        self._lines = self._list_lines()
        self._beliefs, self._state, begun = self._derive()
        self._memory.begin(begun[0])
        name = Path(
            f"{shared.whole.name}{JOURNAL}"
        )  # without the host's folders: a guest may read the name in an error
        super().__init__(name, load, side, store=self._memory, known=begun)
        self.pictures = shared.whole.pictures
        self._table = self._find_table()
        self._resume()

    @property
    def own_file(self) -> Path:
        """The file with the side's own lines."""
        return self._own.file

    def _say(self, remark: str) -> None:
        """Tell the host what is wrong with the side's files."""
        self.shared.say(f"{self.shared.whole.game.file.title_of(self.side)}: {remark}")

    @property
    def begun(self) -> Path | None:
        """The save or log from which the table was opened: none."""
        return None

    def _take_over(self, old: OldTable) -> None:
        """Take over the files of an earlier version. Until they can be read and written, the side enters nothing."""
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
        """Begin the side's own file with the lines of an earlier version's files.

        Returns whether all lines could be read. Raises InputError if the files cannot be read or written now.
        """
        whole = self.shared.whole
        last = self._whole_journal.last
        lines, are_all = old.read(whole.game, self.side, self.sight(), self.shared.taps, last, self._load)
        if lines:
            self._own.begin(lines)
        return are_all

    # --- what the side sees and believes ---

    def sight(self, state: GameState | None = None) -> GameState:
        """Return what the side may see of the whole table now, or of another state of it."""
        whole = self.shared.whole
        seen = self._onlooker.sight(whole.game, state or whole.books.journal.position().state)
        if self._sight is None or self._sight[0] is not seen:
            self._sight = seen, without_silence(whole.game, seen, self._sight[1] if self._sight else None)
        return self._sight[1]

    def take_in(self) -> None:
        """Bring the table up to date with the shared journal and the side's own lines."""
        journal = self.shared.whole.books.journal
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
        """Begin the table anew if it is no longer what the side sees and believes. Returns whether it has changed."""
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
        """Read the journal. A state that cannot be written is taken as it is known."""
        if known is None and self._try_beginning(self._state) is None:
            known = self._begin_unwritten(self._state)
        super()._open(known)

    def _resume(self) -> None:
        """Resume the open question of the table."""
        self._asks = _find_asking(self._table)
        if self._table or self.books.open_table:
            self.books.resume(self._table)
            self.note_written()
        self._settled = self._memory.mark()

    def _list_lines(self) -> Sequence[SideLine]:
        """Return the side's entered lines, once what is known of its taps is up to date."""
        own = self._own.lines
        if own is not self._marked:
            self._marked = own
            self._own_marks = frozenset(mark_of_all(self.side, tap) for tap in list_taps(own))
            self._undo_marks = frozenset(mark_of_all(self.side, line.tap) for line in own if line.undoes)
            self._taps = frozenset(list_taps(line for line in own if not line.is_stated))
            self._wishing = next((line for line in reversed(own) if line.wishes), None)
        return list_side_lines(self._own.lines, self.side, self.shared.taps)

    def _derive(self) -> tuple[list[Belief], GameState, tuple[bytes, Journal]]:
        """Return the beliefs of the side, its table, and the journal that begins with that table.

        Only beliefs that would keep the table from being written are left out.
        """
        sight = self.sight()
        lines, beliefs = self._read_beliefs()
        kept, state = find_writable(sight, beliefs, lambda state: self._try_beginning(state) is not None)
        self._left_out = frozenset(lines[at].tap for at in {*range(len(lines))}.difference(kept))
        return [beliefs[at] for at in kept], state, self._try_beginning(state) or self._begin_unwritten(state)

    def _read_beliefs(self) -> tuple[list[OwnLine], list[Belief]]:
        """Return the lines that count and state a belief, with the belief of each."""
        return self._reader.read_all([each.line for each in self._lines if each.counts])

    def _try_beginning(self, state: GameState) -> tuple[bytes, Journal] | None:
        """Return the journal that begins with a state, or None if the state cannot be written."""
        try:
            begun = self._begin_journal(state)
        except MachineError:
            raise
        except InputError:
            return None
        return begun.data, begun.journal

    def _begin_journal(self, state: GameState) -> NewJournal:
        """Return a journal that begins with a state. Raises InputError if the state cannot be written."""
        whole = self.shared.whole
        self._known = begin_journal(whole.game, state, f"{whole.name}{JOURNAL}", self._load, self.side, self._known)
        return self._known

    def _begin_unwritten(self, state: GameState) -> tuple[bytes, Journal]:
        """Return a journal that begins with a state that cannot be written."""
        whole = self.shared.whole
        name = f"{whole.name}{JOURNAL}"
        data = with_check(write_head(whole.game, None, "").encode())
        text = parse_journal(data, name)
        empty = Journal.read(text, name, self._load, side=self.side)
        return data, empty.with_start(text, Position(whole.game, state))

    # --- what is asked ---

    def _find_table(self) -> TableState | None:
        """Return the table with its open question, or None if there is none.

        It is the side's own last question, with the changes of the shared combat since.
        """
        journal = self.shared.whole.books.journal
        position = Position(self.shared.whole.game, self._state)
        asking = (each for each in reversed(self._lines) if each.counts and each.line.changes_question)
        place = 0
        following = Following(None)
        if last := next(asking, None):
            place = last.place
            table = table_asking(position, last.line.asks)
            following = Following(table if table.asked or table.aside else None, read_questions(last.line.shared))
        prompt = journal.game.file.prompt
        asked = [*follow_asking(journal.counting.entries, prompt, journal.start_turn, place)]
        if not last:  # without a question of its own the side is shown the last combat, whatever was asked before it
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
        """Return whether the shared combat is hidden from the side, and what the side sees of it, or None."""
        if (combat := combat_at(table_asking(position, asking))) is None:
            return False, None
        seen = position.state.units.keys() & self.sight().units.keys()
        unseen = self.shared.whole.position.state.units.keys() - seen
        known = without_unseen_units(combat, unseen, seen)  # without units that the side only believes to be there
        return known is None, known

    def _is_unseen(self, journal: Journal, number: int) -> bool:
        """Return whether the line of an entry has changed something, but nothing that the side sees."""
        line = journal.line_of(number)
        before = journal.until(line[0].number - 1).position().state
        after = journal.until(line[-1].number).position().state
        return before != after and self.sight(before) == self.sight(after)

    @property
    def _asking(self) -> OpenQuestion:
        """The question that is open, with its dice and choices."""
        table = self.books.open_table
        if table is None:
            return OpenQuestion()
        question, dice = write_posed(table.position)
        return OpenQuestion(question, dice)

    # --- what the side enters ---

    def has_entered(self, tap: str) -> bool:
        """Return whether a tap has entered or undone a line that is for the side alone."""
        return tap in self._taps

    def enter(self, request: EnterRequest) -> TableShown:
        """Enter a line of the side, and state on the whole table what others may know of its changes."""
        self.shared.renew()
        if not request.tap:
            request = msgspec.structs.replace(request, tap=token_hex(8))
        tap = compute_tap_mark(request.tap)
        if self.shared.has_entered(tap):
            return self.show(("entered already",))
        if _plain_line(request.line) == "undo":
            return self._undo(tap, sure=request.sure)
        if agrees(request.line):
            return self._agree(request.line, tap)
        combat = combat_asked(self.books.open_table)
        asked = self.books.journal.asking
        last = self.books.journal.last
        fault: InputError | None = None
        try:
            shown = super().enter(request)
            if self.books.journal.last == last:
                return shown
            self._keep(tap, asked, combat)
        except InputError as error:
            fault = error
        self.shared.renew()
        if fault and not self.shared.has_entered(tap):
            return self.show(fault=_without_place(fault))
        return msgspec.structs.replace(self.show(), said=shown.said, held=shown.held, refused=shown.refused)

    def _keep(self, tap: str, asked: Asking, combat: Questions) -> None:
        """Save what has been entered: on the shared table what others may know, the rest for the side alone.

        `asked`: what was asked before the line.
        `combat`: the combat that was open before the line.

        Raises InputError if it cannot be saved.
        """
        whole = self.shared.whole
        journal = self.books.journal
        before = journal.start.state
        now = journal.position().state
        statement = prepare_statement(whole, self._list_stated(before, now), self._share_combat(combat))
        sight = self.sight(statement.journal.position().state)
        believed = believe(sight, self._beliefs)
        stated = patch_state(believed, before, now)
        self._check_size(stated)
        told = [entry for entry in journal.entries if not isinstance(entry.what, OpenQuestion)]
        _, shared = self._see_combat(statement.journal.asking, Position(self.game, now))
        line = OwnLine(
            tap,
            words=format_line(self.books.undone),
            turn=journal.label(journal.turn),
            texts=tuple(format_line(format_entry(journal, entry)) for entry in told),
            asked=_or_nothing(asked),
            asks=_or_nothing(journal.asking),
            shared=OpenQuestion(*write_posed(shared.position)) if shared else NO_COMBAT,
            private=find_private_change(self.game, sight, believed, stated),
            is_stated=bool(statement.lines),
            last=whole.books.journal.last,
        )
        self._add(line)
        with whole.books.file.for_tap(tap_of_all(self.side, tap)):
            enter_statement(whole, statement)

    def _add(self, line: OwnLine) -> None:
        """Add a line to the side's own file. Raises InputError, without the host's folders, if it cannot be written."""
        try:
            if self._own.is_long:
                self._shorten_file()
            self._own.add(line)
        except InputError as error:
            raise InputError(
                f"this is not entered: {error.what}", hint="try again once the laptop can save it"
            ) from None

    def _shorten_file(self) -> None:
        """Write the side's own file anew, without lines that no longer matter.

        If too many lines are left, one line stands for the oldest of them.
        """
        taps = self.shared.taps
        left = drop_spent_lines(self._own.lines, RECENT_LINES, self.side, taps)
        kept = last_lines(left)
        numbers = {id(line) for line in kept}
        earlier = [line for line in self._own.lines if id(line) not in numbers]
        numbers = {id(line) for line in left} - numbers
        counting = [each for each in self._lines if each.counts and id(each.line) in numbers]
        beliefs = [belief for line, belief in zip(*self._read_beliefs(), strict=True) if id(line) in numbers]
        sight = self.sight()
        private = find_private_change(self.game, sight, sight, believe(sight, beliefs))
        entered = (line for line in earlier if not line.is_stated or taps.last(self.side, line.tap))
        first = OwnLine("", private=private, taps=tuple(list_taps(entered)))
        for each in counting:
            if each.line.changes_question:
                asks = each.line.asks
                first = msgspec.structs.replace(first, asks=asks, shared=each.line.shared, last=each.place)
        self._own.begin([first, *kept])
        self._lines = self._list_lines()

    def _check_size(self, state: GameState) -> None:
        """Raise InputError if the table cannot be written with a state, or grows too large to be shared."""
        try:
            known = self._known
            size = self._begin_journal(state).size
            if size > Limit.SHARED.most and (known is None or size > known.size):
                raise Limit.SHARED.error("with this it holds", size)
        except MachineError:
            raise
        except InputError as error:
            raise InputError(f"this is not entered, as your table cannot be saved with it: {error.what}") from None

    def _list_stated(self, before: GameState, after: GameState) -> list[str]:
        """Return the lines that state on the whole table what others may know of the side's changes."""
        whole = self.shared.whole
        if before == after:
            return []
        state = whole.books.journal.position().state
        sight = self._onlooker.sight(self.game, state)
        disclosed = Disclosure(self.game, self.side, before, after, sight, state.units).disclose()
        next_sight = self._onlooker.sight(self.game, patch_state(state, before, disclosed))
        known = without_unseen_facts(before, disclosed, sight, next_sight)
        remarks = without_ended_facts(self.game, state, patch_state(state, before, known), after)
        try:
            return lines_to_state(whole, remarks)
        except (TooMuch, MachineError):
            raise
        except InputError:  # which would tell of what is hidden
            return []

    def _share_combat(self, before: Questions) -> TableState | None:
        """Return the whole table with its open question once the side's combat has changed.

        `before`: the questions of the combat before the change.
        """
        whole = self.shared.whole.books.open_table
        table = combat_at(self.books.open_table)
        if (
            table is None or combat_asked(table) == before
        ):  # a combat that the side has carried out stays open for the others
            return whole
        return self._lay_combat(whole, table)

    def _lay_combat(self, whole: TableState | None, table: TableState | None) -> TableState | None:
        """Return the whole table with a combat of the side, or without one.

        A combat at another hex replaces the open question; one at the same hex is laid beside it.

        `table`: the table of the side with the combat, None for no combat.
        """
        known = table
        if table:
            unseen = {*table.position.state.units} - self.shared.whole.position.state.units.keys()
            known = without_unseen_units(table, unseen)
            if known is None:
                return whole
        asked = combat_asked(known)
        earlier = combat_asked(whole)
        if asked == earlier:
            return whole
        is_new = known is not None and combat_target(known, asked) != combat_target(known, earlier)
        return known if is_new else beside_own(whole, known)

    def show(self, said: tuple[str, ...] = (), *, held: str = "", fault: InputError | None = None) -> TableShown:
        """Return the table as `PageDesk.show` does, with lines of notation put into words."""
        shown = super().show(tuple(map(format_line, said)), held=format_line(held), fault=fault)
        if (refused := shown.refused) is None:
            return shown
        words = Refused(what=format_line(refused.what), where=refused.where, hint=format_line(refused.hint))
        return msgspec.structs.replace(shown, refused=words)

    # --- what the side takes back ---

    @property
    def last_action(self) -> OwnLine | None:
        """The line that `undo` takes back: the last one of which something is left, or None."""
        return next((each.line for each in reversed(self._lines) if self._is_left(each)), None)

    @property
    def wish(self) -> SideLine | None:
        """The line that the side last wished to take back, or None if nothing of it is left.

        Its place is that of the wish.
        """
        if (wishing := self._wishing) is None:
            return None
        wished = (each for each in self._lines if each.line.tap == wishing.wishes and self._is_left(each))
        return next((each._replace(place=wishing.last) for each in wished), None)

    def _is_left(self, entered: SideLine) -> bool:
        """Return whether something is left of a line: an entry that counts, a belief, or the open question."""
        line = entered.line
        if not (entered.counts and line.tap):  # a line without a tap stands for earlier ones
            return False
        is_believed = line.private is not None and line.tap not in self._left_out
        if is_believed or any(not isinstance(entry.what, OpenQuestion) for entry in entered.entries):
            return True
        return line.posed != line.posed_before and self._asking.goes_on_with(line.posed)

    def _is_left_out(self, entered: SideLine) -> bool:
        """Return whether nothing is left of a line because the table cannot be written with its belief."""
        return entered.line.tap in self._left_out and not self._is_left(entered)

    def _rests(self, action: OwnLine, other: str = "") -> Resting:
        """Return what of the others rests on a line, as far as the side sees that it does. other: the side that has to
        agree, which has to see that too, "" for none: else what it is asked would show it what it does not see.
        """
        journal = self.shared.whole.books.journal
        made = self.shared.changes(self.side, action.tap)
        entries = what_rests(journal, made, self._own_marks, self.side)
        if other:
            seen = what_rests(journal, made, self._own_marks, other)
            entries = tuple(entry for entry in entries if entry in seen)
        return Resting(entries, tuple(dice_gone(self.position, action, self._asking)))

    def words_of_undoing(self, action: OwnLine, at: PageDesk, side: str) -> tuple[str, ...]:
        """Return what goes if the side takes a line back and all that rests on it, in words, as far as it is seen at
        another table. side: whose table that is, "" for everything.
        """
        journal = self.shared.whole.books.journal
        entries, dice = self._rests(action, side)
        there = {format_line(f"{name}={value}") for name, value in combat_asked(at.books.open_table)[1].items()}
        made = [
            entry for entry in self.shared.changes(self.side, action.tap) if not isinstance(entry.what, OpenQuestion)
        ]
        words = format_seen(journal, [*made, *entries], side)
        return (*words, *(roll for roll in dice if roll in there))

    def _undo(self, tap: str, *, sure: bool) -> TableShown:
        """Take back the side's last line.

        If something of the others rests on it, ask first; once the side is sure, note the wish and wait for agreement.

        `tap`: the mark of the tap.
        """
        if (action := self.last_action) is None:
            return self.show(fault=InputError("there is nothing to undo"))
        if rests := self._rests(action).words_for(self.side, self.shared.whole.books.journal):
            if not sure:
                return self.show(held=f"This would also undo {', '.join(rests)}: ask the others to agree")
            return self._wish(action, tap)
        try:
            self.undo_action(action, tap)
        except InputError as error:
            return self.show(fault=error)
        return self.show((f"undone: {action.words}",))

    def _wish(self, action: OwnLine, tap: str) -> TableShown:
        """Note the wish to take a line back although something of the others rests on it."""
        try:
            self._add(OwnLine(tap, wishes=action.tap, last=self.shared.whole.books.journal.last))
        except InputError as error:
            return self.show(fault=error)
        self.shared.renew()
        return self.show(("waiting for another side, or the laptop, to agree",))

    def _agree(self, line: str, tap: str) -> TableShown:
        """Agree to the undo of another side."""
        try:
            words = self.shared.agree(self.side, line, tap)
        except InputError as error:
            return self.show(fault=error)
        return self.show((f"undone: {', '.join(words)}",))

    def undo_action(self, action: OwnLine, tap: str, other: str = "") -> None:
        """Take a line back with all that rests on it. tap: the mark of the one that does so, be it of another side;
        other: the side that has agreed, "" for none. Raises InputError if that cannot be written.
        """
        whole = self.shared.whole
        journal = whole.books.journal
        made = self.shared.changes(self.side, action.tap)
        restored = self._list_restored(made[-1].number if made else 0)
        lines = find_strikes(journal, [*made, *self._rests(action, other).entries], restored)
        statement = prepare_statement(whole, lines, self._take_back_combat(action))
        try:
            self._add(OwnLine(tap, undoes=action.tap, is_stated=bool(statement.lines), last=journal.last))
            with whole.books.file.for_tap(tap_of_all(self.side, tap)):
                enter_statement(whole, statement)
        except InputError as error:
            self.shared.renew()
            if not self.shared.has_entered(tap):
                raise _without_place(error) from None
        self.shared.renew()

    def _list_restored(self, number: int) -> list[JournalEntry]:
        """Return what undos of the side have stated again since an entry."""
        undos = [
            line for line in self._own.lines if line.undoes and self.shared.taps.last(self.side, line.tap) > number
        ]
        entries = [entry for line in undos for entry in self.shared.changes(self.side, line.tap)]
        return [entry for entry in entries if entry.number > number and not isinstance(entry.what, OpenQuestion)]

    def _take_back_combat(self, action: OwnLine) -> TableState | None:
        """Return the whole table with its open question once a line of the side is taken back."""
        whole = self.shared.whole.books.open_table
        is_open = action.posed != action.posed_before and self._asking.goes_on_with(action.posed)
        if not is_open or not asks_combat(self.game, action.posed):
            return whole
        return self._lay_combat(whole, combat_at(table_asking(self.books.journal.position(), action.asked)))

    def _list_remarks(self) -> tuple[EntryShown, ...]:
        """Return the remarks on what has happened; a line whose belief is left out is shown as undone."""
        journal = self.shared.whole.books.journal
        lines = [each._replace(counts=each.counts and not self._is_left_out(each)) for each in self._lines]
        return list_remarks(journal, self._news.list_last(journal, self._own_marks), lines)

    def _show(self) -> TableShown:
        shown = super()._show()
        if self._remarks is None:
            self._remarks = self._list_remarks()
        action = self.last_action
        undo = action.words if action else ""
        shown = msgspec.structs.replace(shown, entry=self._number, entries=self._remarks, undo=undo)
        return self.shared.show_wish(shown, self.side)


def _without_place(error: InputError) -> InputError:
    """Return an error without its place, which is a file of the host."""
    return InputError(error.what, hint=error.hint)


def _or_nothing(asking: Asking) -> Asking:
    """Return a question, or `NOTHING` itself for an equal one, which a written line leaves out."""
    return asking if asking != NOTHING else NOTHING


def _find_asking(table: TableState | None) -> Asking:
    """Return the open question of a table, or `NOTHING` if there is none that can be written."""
    if table is None:
        return NOTHING
    try:
        return find_asking(table)
    except MachineError:
        raise
    except InputError:
        return NOTHING
