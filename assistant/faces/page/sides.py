"""A table as a side sees it: a journal of what the side knows, beside the journal with everything.

A side's line is read against its own table alone, so that no answer or refusal depends on what is hidden from it. Every
table has the open combat, as far as it is seen there. `undo` may need agreement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from secrets import token_hex
from typing import NamedTuple

import msgspec

from ...formats.positions import JOURNAL, Position
from ...game.games import Game
from ...game.viewpoint import Onlooker
from ...installed.registry import load_game
from ...records.journal.beginnings import Beginning, begin_journal
from ...records.journal.entries import JournalEntry, OpenQuestion
from ...records.journal.files import with_check
from ...records.journal.journal import write_head
from ...records.journal.journal_text import format_entry
from ...records.journal.lines import compute_tap_mark
from ...records.journal.open_question import write_posed
from ...state.patches import cut_to_change, patch_state, take_back, without_units
from ...state.state import GameState
from ...util.errors import InputError, MachineError
from ...util.limits import Limit, TooMuch
from ...util.writing import make_folder, write_whole
from .desk import ENTRIES, PageDesk
from .disclosure import Disclosure, without_ended_facts, without_silence, without_unseen_facts
from .messages.requests import EnterRequest
from .messages.table import EntryShown, Refused, TableShown
from .shared_question import (
    NO_QUESTIONS,
    Questions,
    beside_own,
    combat_asked,
    combat_at,
    combat_target,
    has_fewer_dice,
    without_unseen_units,
)
from .side_record import Action, SideRecord, pack_state, read_side_record, unpack_state, write_record
from .statements import enter_lines, lines_to_state
from .table_view import format_line
from .undo import (
    Resting,
    asks_combat,
    dice_gone,
    entries_by,
    format_between,
    format_seen,
    strike_entries,
    table_asking,
    what_rests,
)

TOGETHER = "undo together"
"""The line that agrees to what another wishes to undo."""
_UNSAID = "The shared table could not be written. The others will get this as soon as it can."
"""What a side is told whose line the others do not have yet."""


def _plain_line(line: str) -> str:
    """Return a line in small letters, with one space between its words."""
    return " ".join(line.casefold().split())


def agrees(line: str) -> bool:
    """Return whether a line agrees to an undo."""
    return _plain_line(line).split()[:2] == TOGETHER.split()


class Wish(NamedTuple):
    """What a side wishes to undo although something of the others rests on it, as another one sees it."""

    side: str
    action: Action
    """What the side has done."""
    words: tuple[str, ...]
    """What would go."""

    @property
    def line(self) -> str:
        """The line that agrees to just this."""
        return f"{TOGETHER} {compute_tap_mark(repr((self.side, self.words)))}"


class SharedTable:
    """A table that sides share. whole: the one with everything; sides: those that look at it; folder: for their
    journals.
    """

    def __init__(
        self, whole: WholeDesk, sides: Iterable[str], folder: Path, load: Callable[[str], Game] = load_game
    ) -> None:
        self.whole = whole
        whole.shared = self
        self.desks = {side: SideDesk(self, side, folder / side / f"{whole.name}{JOURNAL}", load) for side in sides}
        self._shared_questions: dict[PageDesk, Questions] = {}  # what was laid on each table, or came from it
        self._wishes: dict[str, Action] = {}  # what sides wish to undo, the first wish first
        self._note()

    def _note(self) -> None:
        """Note what the table with everything shows."""
        self._noted = combat_asked(self.whole.books.open_table)
        self._noted_state = self.whole.books.journal.position().state

    def renew(self) -> None:
        """Bring to every side what it may know of what has changed."""
        self.whole.renew()
        for desk in self.desks.values():
            desk.renew()
            desk.hear()
        self.spread(self.whole, self._noted)

    def spread(self, source: PageDesk, before: Questions) -> None:
        """Share the combat that is open at one table, if it has changed, with the others where it differs: that of
        another hex in place of what is open there, else beside that.

        What one side has carried out stays open for the others; dice that no longer count for an unseen reason stay
        until others are thrown.
        """
        table = combat_at(source.books.open_table)
        if combat_asked(table) != before and (table or source is self.whole):
            self._shared_questions[source] = combat_asked(table)
            for desk in (self.whole, *self.desks.values()):
                if desk is source:
                    continue
                known = None
                if table:
                    unseen, seen = self._find_units_at(desk, source)
                    known = without_unseen_units(table, unseen, seen)
                    if known is None:
                        continue
                if isinstance(desk, SideDesk) and has_fewer_dice(combat_asked(known), self._shared_questions.get(desk)):
                    now = self.whole.books.journal.position().state
                    if now != self._noted_state and desk.sight() == desk.sight(self._noted_state):
                        continue
                earlier = self._shared_questions.get(desk, NO_QUESTIONS)
                asked = combat_asked(known)
                if earlier != asked:
                    self._shared_questions[desk] = asked
                    is_new = known is not None and combat_target(known, asked) != combat_target(known, earlier)
                    desk.books.resume(known if is_new else beside_own(desk.books.open_table, known))
                    desk.note_written()
        self._note()

    def wish(self, side: str, action: Action | None) -> None:
        """Note what a side wishes to undo, None for nothing any more."""
        if action != self._wishes.get(side):
            self._wishes.pop(side, None)
            if action:
                self._wishes[side] = action
            for desk in (self.whole, *self.desks.values()):
                desk.note_change()

    def fulfil(self, side: str, action: Action) -> None:
        """Note that an action of a side is undone, be it as it wished or not."""
        if self._wishes.get(side) == action:
            self.wish(side, None)

    def wished(self, side: str) -> Wish | None:
        """Return what another side wishes to undo, as far as a side sees it, which has to agree; of several wishes the
        first. side: "" for the table with everything.
        """
        at = self.desks[side] if side else self.whole
        for other, action in self._wishes.items():
            wishing = self.desks[other]
            can = other != side and wishing.can_take_back(action)
            if can and (words := wishing.words_of_undoing(action, at, side)):
                return Wish(other, action, words)
        return None

    def show_wish(self, shown: TableShown, side: str) -> TableShown:
        """Return a table with what its side sees of what another wishes to undo, and the line that agrees, if there is
        any.
        """
        wish = self.wished(side)
        if wish is None:
            return shown
        whose = self.whole.game.file.title_of(wish.side)
        words = f"{whose} would like to undo {', '.join(wish.words)}"
        return msgspec.structs.replace(shown, wished=words, agrees=wish.line)

    def agree(self, side: str, line: str, tap: str) -> tuple[str, ...]:
        """Undo what another side wishes to. line: the one that agrees, as `show_wish` gives it; tap: by which it came.
        Raises InputError if there is nothing, and if it is no longer what was shown.
        """
        if (wish := self.wished(side)) is None:
            raise InputError("no undo is waiting for your agreement")
        if _plain_line(line) not in (TOGETHER, wish.line):
            raise InputError("what would be undone has changed since", hint="read it again, then agree")
        self.desks[wish.side].undo_action(wish.action, tap, side)
        return wish.words

    @staticmethod
    def _find_units_at(desk: PageDesk, source: PageDesk) -> tuple[set[str], set[str] | None]:
        """Return the units of a table that another one does not show, and at that of a side those that it does: none
        counts that the side only believes to be there.
        """
        shown = desk.position.state.units.keys()
        units = {*source.position.state.units}
        if not isinstance(desk, SideDesk):
            return units - shown, None
        seen = shown & desk.sight().units
        return units - seen, seen


class WholeDesk(PageDesk):
    """The table with everything, which sides share."""

    shared: SharedTable | None = None
    """What the sides share, None until they do."""

    def enter(self, request: EnterRequest) -> TableShown:
        """Enter a line, or agree to what a side wishes to undo."""
        if self.shared is None or not agrees(request.line):
            return super().enter(request)
        self.shared.renew()
        try:
            words = self.shared.agree("", request.line, request.tap or token_hex(8))
        except InputError as error:
            return self.show(fault=error)
        return self.show((f"undone: {', '.join(words)}",))

    def _show(self) -> TableShown:
        shown = super()._show()
        return self.shared.show_wish(shown, "") if self.shared else shown


class SideDesk(PageDesk):
    """A table as a side sees it: what it may know of the shared table, and what it believes beside that.

    Its journal is no history: it begins with what the side sees now, and has the open question and what could not be
    stated on the shared table yet.
    """

    def __init__(self, shared: SharedTable, side: str, file: Path, load: Callable[[str], Game]) -> None:
        self.shared = shared
        self.side = side
        self._record_file = file.with_suffix(".side.json")
        self._record = read_side_record(self._record_file)
        self._onlooker = Onlooker(side)
        self._sight: tuple[GameState, GameState] | None = None  # what it saw last, with what silence means and without
        self._begun: Beginning | None = None  # the file as it began last
        if not file.exists():
            make_folder(file.parent)
            head = write_head(shared.whole.game, Position(shared.whole.game, self.sight()), "")
            write_whole(file, with_check(head.encode()))
        super().__init__(file, load, side)
        self.pictures = shared.whole.pictures
        self._synced = self.books.journal.until(0).position().state
        """Its state up to which what may be stated is stated on the whole one."""
        self._last_sight = unpack_state(self._record.seen, load) or self._synced
        """What the side has seen of the whole table so far."""
        self._drop_unwritable()
        self.hear()

    @property
    def _state(self) -> GameState:
        return self.books.journal.position().state

    def sight(self, state: GameState | None = None) -> GameState:
        """Return what the side may see of the whole table now, or of another state of it."""
        whole = self.shared.whole
        seen = self._onlooker.sight(whole.game, state or whole.books.journal.position().state)
        if self._sight is None or self._sight[0] is not seen:
            self._sight = seen, without_silence(whole.game, seen, self._sight[1] if self._sight else None)
        return self._sight[1]

    def enter(self, request: EnterRequest) -> TableShown:
        """Enter a line of the side, and state on the whole table what that changes and the side may know."""
        self.shared.renew()
        if not request.tap:
            request = msgspec.structs.replace(request, tap=token_hex(8))
        tap = compute_tap_mark(request.tap)  # as its journal has it
        if tap in self._record.taps:
            return self.show(("entered already",))
        if _plain_line(request.line) == "undo":
            return self._undo(tap, sure=request.sure)
        if agrees(request.line):
            return self._agree(request.line, tap)
        table = combat_asked(self.books.open_table)
        asked = self._asking
        journal = self.books.journal
        shown = super().enter(request)
        if self.books.journal.last == journal.last:
            return shown
        if fault := self._drop_unwritable():
            return self.show(fault=fault)
        is_said = self._say(Action(tap, format_line(self.books.undone), asked=asked, asks=self._asking))
        self.shared.spread(self, table)
        for desk in self.shared.desks.values():
            desk.hear()
        lines = shown.said if is_said else (*shown.said, _UNSAID)
        return msgspec.structs.replace(self.show(), said=lines, held=shown.held, refused=shown.refused)

    @property
    def _asking(self) -> OpenQuestion:
        """The question that is open, with its dice and choices."""
        table = self.books.open_table
        if table is None:
            return OpenQuestion()
        question, dice = write_posed(table.position)
        return OpenQuestion(question, dice)

    def _say(self, action: Action | None = None) -> bool:
        """State on the whole table what has been entered since the last time. Returns whether that is done: what could
        not be written is tried again the next time. action: of the line that was entered last.
        """
        now = self._state
        journal = self.books.journal
        own = [entry for entry in journal.entries if entry.tap or entry.more]
        if not own:
            return True
        earlier = [entry.tap for entry in own[:-1] if entry.tap]
        action = action or Action(own[-1].tap, format_line(self.books.undone), asked=self._asking, asks=self._asking)
        try:
            self._tell(self._synced, now, action.tap)
            seen = self.sight()
            if without_silence(self.game, patch_state(seen, self._synced, now), seen) != seen:
                before, after = cut_to_change(self._synced, now)
                private = pack_state(self.game, before), pack_state(self.game, after)
                action = msgspec.structs.replace(action, private=private)
            told = [entry for entry in own if not isinstance(entry.what, OpenQuestion)]
            texts = [format_line(format_entry(journal, entry)) for entry in told]
            record = self._record.with_remarks(journal.label(journal.turn), texts, action.tap)
            record = record.with_tap(*earlier).with_action(action)
            is_heard = seen != self._last_sight and self._with_news(now, seen) == now
            if is_heard:  # it is what the side has stated itself
                record = msgspec.structs.replace(record, seen=pack_state(self.game, seen, one_line=True))
            self._write(record)
        except InputError:
            return False
        self._last_sight = seen if is_heard else self._last_sight
        self._begin(now)
        return True

    def _tell(self, before: GameState, after: GameState, tap: str) -> None:
        """State on the whole table what lines of the side have changed. Raises InputError if that cannot be written."""
        whole = self.shared.whole
        if before == after:
            return
        state = whole.books.journal.position().state
        sight = self._onlooker.sight(self.game, state)
        disclosed = Disclosure(self.game, self.side, before, after, sight, state.units).disclose()
        next_sight = self._onlooker.sight(self.game, patch_state(state, before, disclosed))
        known = without_unseen_facts(before, disclosed, sight, next_sight)
        remarks = without_ended_facts(self.game, state, patch_state(state, before, known), after)
        try:
            texts = lines_to_state(whole, remarks)
        except (TooMuch, MachineError):
            raise
        except InputError:  # which would tell of what is hidden
            return
        with whole.books.file.for_tap(self._tap_of_all(tap)):
            enter_lines(whole, texts)

    def _tap_of_all(self, tap: str) -> str:
        """Return what a tap of the side is called on the whole table."""
        return f"{self.side} {tap}"

    def show(self, said: tuple[str, ...] = (), *, held: str = "", fault: InputError | None = None) -> TableShown:
        """Return the table as it stands, as `PageDesk.show`, in words: without the notation of lines."""
        shown = super().show(tuple(map(format_line, said)), held=format_line(held), fault=fault)
        if (refused := shown.refused) is None:
            return shown
        words = Refused(what=format_line(refused.what), where=refused.where, hint=format_line(refused.hint))
        return msgspec.structs.replace(shown, refused=words)

    @property
    def last_action(self) -> Action | None:
        """What the side takes back next: the last of its actions of which something is left."""
        return next((action for action in reversed(self._record.actions) if self._is_left(action)), None)

    def can_take_back(self, action: Action) -> bool:
        """Return whether the side has not taken an action back, and something of it is left."""
        return action in self._record.actions and self._is_left(action)

    def _is_left(self, action: Action) -> bool:
        """Return whether something is left of an action: an entry that counts, what the side believes, or its
        question.
        """
        if self._made_by(action):
            return True
        return bool(action.private) or (action.asks != action.asked and self._asking.goes_on_with(action.asks))

    def _made_by(self, action: Action) -> list[JournalEntry]:
        """Return the entries of the whole table by which an action is stated there."""
        return entries_by(self.shared.whole.books.journal, self._tap_of_all(action.tap))

    def _rests(self, action: Action, other: str = "") -> Resting:
        """Return what of the others rests on an action, as far as the side sees that it does. other: the side that has
        to agree, which has to see that too, "" for none: else what it is asked would show it what it does not see.
        """
        journal = self.shared.whole.books.journal
        tap = self._tap_of_all(action.tap)
        own = {compute_tap_mark(self._tap_of_all(tap)) for tap in self._record.taps}
        entries = what_rests(journal, tap, own, self.side)
        if other:
            seen = what_rests(journal, tap, own, other)
            entries = tuple(entry for entry in entries if entry in seen)
        return Resting(entries, tuple(dice_gone(self.position, action, self._asking)))

    def words_of_undoing(self, action: Action, at: PageDesk, side: str) -> tuple[str, ...]:
        """Return what goes if the side takes an action back and all that rests on it, in words, as far as it is seen at
        another table. side: whose table that is, "" for everything.
        """
        entries, dice = self._rests(action, side)
        there = {format_line(f"{name}={value}") for name, value in combat_asked(at.books.open_table)[1].items()}
        words = format_seen(self.shared.whole.books.journal, [*self._made_by(action), *entries], side)
        return (*words, *(roll for roll in dice if roll in there))

    def _undo(self, tap: str, *, sure: bool) -> TableShown:
        """Take back what the side has done last. If something of the others rests on it, ask first, and if the side is
        sure, note that it wishes to.
        """
        if (action := self.last_action) is None:
            return self.show(fault=InputError("there is nothing to undo"))
        if rests := self._rests(action).words_for(self.side, self.shared.whole.books.journal):
            if not sure:
                return self.show(held=f"This would also undo {', '.join(rests)}: ask the others to agree")
            self.shared.wish(self.side, action)
            return self.show(("waiting for another side, or the laptop, to agree",))
        try:
            self.undo_action(action, tap)
        except InputError as error:
            return self.show(fault=error)
        return self.show((f"undone: {action.words}",))

    def _agree(self, line: str, tap: str) -> TableShown:
        """Agree to what another side wishes to undo."""
        try:
            words = self.shared.agree(self.side, line, tap)
            self._write(self._record.with_tap(tap))
        except InputError as error:
            return self.show(fault=error)
        return self.show((f"undone: {', '.join(words)}",))

    def undo_action(self, action: Action, tap: str, other: str = "") -> None:
        """Take an action back with all that rests on it. tap: the one that does so, be it of another side; other: the
        side that has agreed, "" for none. Raises InputError if that cannot be written.
        """
        table = combat_asked(self.books.open_table)
        asking = self._asking
        whole = self.shared.whole
        self.shared.fulfil(self.side, action)
        strike_entries(whole, [*self._made_by(action), *self._rests(action, other).entries], self._tap_of_all(tap))
        self._write(self._record.without(action, tap))
        state = self._state
        if action.private:
            before = unpack_state(action.private[0], self._load)
            after = unpack_state(action.private[1], self._load)
            if before and after:
                state = take_back(state, after, before)
        self._begin(state)
        if action.asks != action.asked and asking.goes_on_with(action.asks):
            combat = combat_at(self.books.open_table)
            earlier = table_asking(self.books.journal.position(), action.asked)
            self.books.resume(earlier if asks_combat(self.game, action.asks) else beside_own(earlier, combat))
            self.note_written()
        self.hear()
        self.shared.spread(self, table)
        for desk in self.shared.desks.values():
            desk.hear()

    def hear(self) -> None:
        """Take in what the side may know of what has changed on the whole table."""
        if not self._say():
            return
        now = self.sight()
        if now == self._last_sight:
            self._last_sight = now  # the next one is mostly the very same
            return
        record = self._record
        label = self.books.journal.label
        state = self._with_news(self._state, now)
        is_news = state != self._state  # else it is what the side has stated itself
        try:
            if is_news:
                record = record.with_remarks(label(self.books.journal.turn), self._list_remarks(state))
            self._write(msgspec.structs.replace(record, seen=pack_state(self.game, now, one_line=True)))
            if is_news:
                self._begin_with(state, now)
        except InputError:  # what could not be written is for the next time
            return
        self._last_sight = now

    def _with_news(self, state: GameState, now: GameState) -> GameState:
        """Return a state of its table with what has changed since it saw the whole table last. now: what it sees."""
        gone = (unit for id, unit in self._last_sight.units.items() if id not in now.units)
        own = {unit.id for unit in gone if self.game.side_of_unit(unit, self._last_sight.facts) == self.side}
        return without_units(patch_state(state, self._last_sight, now), own)  # others may be out of sight

    def _list_remarks(self, state: GameState) -> list[str]:
        """Return what leads to a state, in words, but for what is said of the unseen."""
        try:
            return format_between(self.books.journal, self._state, state)
        except InputError:
            return []

    def _begin_with(self, state: GameState, seen: GameState) -> None:
        """Begin its journal anew with what the side sees, without what it believes where both cannot be."""
        try:
            self._begin(state)
        except MachineError:
            raise
        except InputError:
            self._begin(seen)

    def _begin(self, state: GameState) -> None:
        """Begin its journal anew with a state; the question that is open stays. Raises InputError for a state that
        cannot be written.
        """
        table = self.books.open_table
        begun = self._write_beginning(state)
        write_whole(self.file, begun.data, force=True)
        self._open((begun.data, begun.journal))
        if table:
            self.books.resume(table)
            self.note_written()
        self._synced = self._state

    def _write_beginning(self, state: GameState) -> Beginning:
        """Return its journal as it begins with a state. Raises InputError for a state that cannot be written so."""
        name = self.file.name  # a guest may read it in an error: without the host's folders
        known = self._begun
        if known:
            known = known._replace(journal=known.journal.with_books_of(self.books.journal))
        self._begun = begin_journal(self.game, state, name, self._load, self.side, known)
        return self._begun

    def _drop_unwritable(self) -> InputError | None:
        """Take back what has been entered since the last time, if the table cannot be written with it, or would become
        so large that it keeps the others waiting. Returns why.
        """
        if (now := self._state) == self._synced:
            return None
        try:
            size = self._write_beginning(now).size
            if size > Limit.SHARED.most and size > self._write_beginning(self._synced).size:
                raise Limit.SHARED.error("with this it holds", size)
        except MachineError:
            raise
        except InputError as error:
            self._begin(self._synced)
            return InputError(f"this is not entered, as your table cannot be saved with it: {error.what}")
        return None

    def _write(self, record: SideRecord) -> None:
        """Keep a record. Raises InputError if it cannot be written."""
        write_record(self._record_file, record)
        self._record = record

    def _show(self) -> TableShown:
        shown = super()._show()
        action = self.last_action
        entries = tuple(
            EntryShown(number=remark.number, turn=remark.turn, text=remark.text, struck=remark.struck)
            for remark in reversed(self._record.remarks[-ENTRIES:])
        )
        shown = msgspec.structs.replace(
            shown, entry=self._record.number, entries=entries, undo=action.words if action else ""
        )
        return self.shared.show_wish(shown, self.side)
