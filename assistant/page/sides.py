"""A table as a side sees it: a journal of what the side knows, beside the journal with everything.

There is one journal, that of the whole table. A side's table is what it may know of that, with what it believes of the rest: it is
worked out anew whenever the whole table changes. A line of a side is read against its own table alone, so that no answer and
no refusal depends on what is hidden from it; what it changes and others may know is stated on the whole table.

The open combat with its dice is on every table, as far as it names nothing that is not seen there; any other question is that
of the side that asks it. A side takes back what it has done itself, as long as nothing of the others rests on it; what does,
all take back together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from secrets import token_hex
from typing import NamedTuple

import msgspec

from ..formats.positions import JOURNAL, Position
from ..game.games import Game
from ..game.viewpoint import seen_by
from ..journal.asking import words_posed
from ..journal.entries import Entry, OpenQuestion
from ..journal.files import parse_journal
from ..journal.journal import Journal, head_of
from ..journal.lines import mark_of_tap
from ..journal.showing import entry_in_words
from ..plugins.registry import load_game
from ..state.patches import cut_to_change, patch_state, take_back, without_units
from ..state.state import GameState
from ..util.errors import InputError, MachineError
from ..util.limits import Limit
from ..util.saving import make_folder, write_whole
from .desk import ENTRIES, Desk, Tables
from .disclosure import (
    NO_QUESTIONS,
    Disclosure,
    Questions,
    beside_own,
    combat_at,
    has_fewer_dice,
    questions_at,
    without_ended_facts,
    without_unseen_facts,
    without_unseen_units,
)
from .messages.requests import Enter
from .messages.table import EntryShown, TableShown
from .side_record import Action, SideRecord, pack_state, read_record, unpack_state, write_record
from .statements import enter_lines, lines_to_state
from .taking_back import Resting, dice_gone, entries_by, strike, table_asking, what_rests, without_signs

_UNSAID = "this could not be written at the table of the others: they have it as soon as it can be"


class Wish(NamedTuple):
    """What a side wishes to undo although something of the others rests on it. tap: of its line; words: what it has done."""

    side: str
    tap: str
    words: str


class SharedTable:
    """A table that sides share. whole: the one with everything; sides: those that look at it; folder: for their journals."""

    def __init__(
        self, whole: Desk, sides: Iterable[str], folder: Path, load: Callable[[str], Game] = load_game
    ) -> None:
        self.whole = whole
        self.desks = {side: SideDesk(self, side, folder / side / f"{whole.name}{JOURNAL}", load) for side in sides}
        self._laid: dict[Desk, Questions] = {}  # what was laid on each table, or came from it
        self.wish: Wish | None = None
        """What a side wishes to undo, and another has to agree to."""
        self._note()

    def _note(self) -> None:
        """Note what the table with everything shows."""
        self._noted = questions_at(self.whole.books.open_table)
        self._noted_state = self.whole.books.journal.position().state

    def renew(self) -> None:
        """Bring to every side what it may know of what has changed."""
        self.whole.renew()
        for desk in self.desks.values():
            desk.renew()
            desk.hear()
        self.spread(self.whole, self._noted)

    def spread(self, source: Desk, before: Questions) -> None:
        """If the combat that is open at one table has changed, lay it on the others with its dice, on each only if it differs there too.
        What one side has carried out stays open for the others, who carry it out themselves. Dice that no longer count as something has
        changed that a side does not see stay on its table until others are thrown.
        """
        table = combat_at(source.books.open_table)
        if questions_at(table) != before and (table or source is self.whole):
            self._laid[source] = questions_at(table)
            for desk in (self.whole, *self.desks.values()):
                if desk is source:
                    continue
                known = without_unseen_units(table, *self._units_at(desk, source)) if table else None
                if table and known is None:
                    continue
                if isinstance(desk, SideDesk) and has_fewer_dice(questions_at(known), self._laid.get(desk)):
                    now = self.whole.books.journal.position().state
                    if now != self._noted_state and desk.sight() == desk.sight(self._noted_state):
                        continue
                if self._laid.get(desk, NO_QUESTIONS) != questions_at(known):
                    self._laid[desk] = questions_at(known)
                    desk.books.resume(beside_own(desk.books.open_table, known))
                    desk.note_written()
        self._note()

    @staticmethod
    def _units_at(desk: Desk, source: Desk) -> tuple[set[str], set[str] | None]:
        """The units of a table that another one does not show, and at that of a side those that it does: none counts that the side only
        believes to be there.
        """
        shown, units = desk.position.state.units.keys(), {*source.position.state.units}
        if not isinstance(desk, SideDesk):
            return units - shown, None
        seen = shown & desk.sight().units
        return units - seen, seen


class SideDesk(Desk):
    """A table as a side sees it: what it may know of the table of all, and what it believes beside that. shared: the table that the
    sides share.

    Its journal is no history: it begins with what the side sees now, and has the question that is open, and what could not be stated
    on the table of all yet.
    """

    def __init__(self, shared: SharedTable, side: str, file: Path, load: Callable[[str], Game]) -> None:
        self.shared, self.side = shared, side
        self._record_file = file.with_suffix(".side.json")
        self._record = read_record(self._record_file)
        if not file.exists():
            make_folder(file.parent)
            write_whole(file, head_of(shared.whole.game, Position(shared.whole.game, self.sight()), "").encode())
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
        """What the side may see of the whole table now, or of another state of it."""
        whole = self.shared.whole
        return seen_by(whole.game, state or whole.books.journal.position().state, self.side)

    # --- what the side enters ---

    def enter(self, request: Enter) -> TableShown:
        """Enter a line of the side, and state on the whole table what that changes and the side may know."""
        self.shared.renew()
        request = msgspec.structs.replace(request, tap=mark_of_tap(request.tap or token_hex(8)))
        if request.tap in self._record.taps:
            return self.show(("entered already",))
        match " ".join(request.line.casefold().split()):
            case "undo" if request.sure and self._needs_others():
                return self._undo_together(request.tap)
            case "undo":
                return self._undo(request.tap)
            case "undo together":
                return self._undo_together(request.tap)
        table, asked, journal = questions_at(self.books.open_table), self._asking, self.books.journal
        shown = super().enter(request)
        if self.books.journal.last == journal.last:
            return shown
        if fault := self._drop_unwritable():
            return self.show(fault=fault)
        self.shared.wish = None
        is_said = self._say(Action(request.tap, self.books.undone, asked=asked, asks=self._asking))
        self.shared.spread(self, table)
        for desk in self.shared.desks.values():
            desk.hear()
        said = shown.said if is_said else (*shown.said, _UNSAID)
        return msgspec.structs.replace(self.show(), said=said, held=shown.held, refused=shown.refused)

    @property
    def _asking(self) -> OpenQuestion:
        """The question that is open, with its dice and choices."""
        table = self.books.open_table
        return OpenQuestion(*words_posed(table.position)) if table else OpenQuestion()

    def _say(self, action: Action | None = None) -> bool:
        """State on the whole table what has been entered since the last time. Returns whether that is done: what could not be written is
        tried again the next time. action: of the line that was entered last.
        """
        now, journal = self._state, self.books.journal
        own = [entry for entry in journal.entries if entry.tap or entry.more]
        if not own:
            return True
        action = action or Action(own[-1].tap, self.books.undone, asks=self._asking)
        try:
            self._tell(self._synced, now, action.tap)
            seen = self.sight()
            if patch_state(seen, self._synced, now) != seen:
                before, after = (pack_state(self.game, cut) for cut in cut_to_change(self._synced, now))
                action = msgspec.structs.replace(action, private=(before, after))
            texts = [entry_in_words(journal, entry) for entry in own if not isinstance(entry.what, OpenQuestion)]
            record = self._record.with_remarks(journal.label(journal.turn), texts, action.tap).with_action(action)
            self._write(record)
        except InputError:
            return False
        self._begin(now)
        return True

    def _tell(self, before: GameState, after: GameState, tap: str) -> None:
        """State on the whole table what lines of the side have changed. Raises InputError if that cannot be written."""
        whole = self.shared.whole
        if before == after:
            return
        state = whole.books.journal.position().state
        sight = seen_by(self.game, state, self.side)
        disclosed = Disclosure(self.game, self.side, before, after, sight, state.units).disclose()
        known = without_unseen_facts(
            before, disclosed, sight, seen_by(self.game, patch_state(state, before, disclosed), self.side)
        )
        told = without_ended_facts(self.game, state, patch_state(state, before, known), after)
        try:
            texts = lines_to_state(whole, told)
        except InputError:  # which would tell of what is hidden
            return
        with whole.books.file.for_tap(self._tap_of_all(tap)):
            enter_lines(whole, texts)

    def _tap_of_all(self, tap: str) -> str:
        """What a tap of the side is called on the whole table."""
        return f"{self.side} {tap}"

    # --- what the side takes back ---

    @property
    def _last_action(self) -> Action | None:
        """What the side takes back next: the last of its actions of which something is left."""
        return next((action for action in reversed(self._record.actions) if self._is_left(action)), None)

    def _is_left(self, action: Action) -> bool:
        """Whether something is left of an action: an entry that counts, what the side believes, or its question."""
        journal = self.shared.whole.books.journal
        if entries_by(journal, self._tap_of_all(action.tap)):
            return True
        return bool(action.private) or (action.asks != action.asked and self._asking.goes_on_with(action.asks))

    def _rests(self, action: Action) -> Resting:
        """What of the others rests on an action."""
        own = {mark_of_tap(self._tap_of_all(other.tap)) for other in self._record.actions}
        entries = what_rests(self.shared.whole.books.journal, self._tap_of_all(action.tap), own, self.side)
        return Resting(entries, tuple(dice_gone(self.position, action, self._asking)))

    def _needs_others(self) -> str:
        """What of the others rests on what the side has done last, in words; "" if nothing does."""
        action = self._last_action
        return self._rests(action).words(self.shared.whole.books.journal) if action else ""

    def _undo(self, tap: str) -> TableShown:
        """Take back what the side has done last; if something of the others rests on it, ask first whether they shall agree."""
        if (action := self._last_action) is None:
            return self.show(fault=InputError("there is nothing to undo"))
        if rests := self._needs_others():
            return self.show(held=f"{rests}: it is undone only if the other side agrees. Ask it to undo {action.words}")
        return self._take_back(action, (), tap)

    def _undo_together(self, tap: str) -> TableShown:
        """Wish to take back what the side has done last, or agree to what another one wishes to."""
        wish = self.shared.wish
        desk = self.shared.desks[wish.side] if wish else self
        action = desk._last_action
        if action is None or (wish and action.tap != wish.tap):
            self.shared.wish = None
            return self.show(fault=InputError("there is nothing to undo together"))
        if wish and wish.side != self.side:
            desk._take_back(action, desk._rests(action).entries, tap)
            return self.show((f"undone: {wish.words}",))
        self.shared.wish = Wish(self.side, action.tap, action.words)
        for other in self.shared.desks.values():
            other._note_change()
        return self.show(("the other side has to agree",))

    def _take_back(self, action: Action, resting: Sequence[Entry], tap: str) -> TableShown:
        """Take an action back, and entries that rest on it."""
        table, asking = questions_at(self.books.open_table), self._asking
        whole, self.shared.wish = self.shared.whole, None
        try:
            strike(
                whole, [*entries_by(whole.books.journal, self._tap_of_all(action.tap)), *resting], self._tap_of_all(tap)
            )
            self._write(self._record.without(action, tap))
        except InputError as error:
            return self.show(fault=error)
        before, after = (unpack_state(text, self._load) for text in action.private or ("", ""))
        self._begin(take_back(self._state, after, before) if before and after else self._state)
        if action.asks != action.asked and asking.goes_on_with(action.asks):
            self.books.resume(table_asking(self.books.journal.position(), action.asked))
            self.note_written()
        self.hear()
        self.shared.spread(self, table)
        for desk in self.shared.desks.values():
            desk.hear()
        return self.show((f"undone: {action.words}",))

    # --- what the side hears ---

    def hear(self) -> None:
        """Take in what the side may know of what has changed on the whole table."""
        if not self._say() or (now := self.sight()) == self._last_sight:
            return
        record, label = self._record, self.books.journal.label
        gone = (unit for id, unit in self._last_sight.units.items() if id not in now.units)
        own = {unit.id for unit in gone if self.game.side_of_unit(unit, self._last_sight.facts) == self.side}
        state = without_units(patch_state(self._state, self._last_sight, now), own)  # others may be out of sight
        is_news = state != self._state  # else it is what the side has stated itself
        try:
            if is_news:
                record = record.with_remarks(label(self.books.journal.turn), self._remarks(state))
            self._write(msgspec.structs.replace(record, seen=pack_state(self.game, now)))
            if is_news:
                self._begin_with(state, now)
        except InputError:  # what could not be written is for the next time
            return
        self._last_sight = now

    def _remarks(self, state: GameState) -> list[str]:
        """What leads to a state, in words, but for what is said of the unseen."""
        journal = self.books.journal
        now = journal.position()
        try:
            lines = journal.lines_between(
                now.with_state(without_signs(now.state)), now.with_state(without_signs(state))
            )
        except InputError:
            return []
        return [line.removeprefix("fact ") for line in lines]

    def _begin_with(self, state: GameState, seen: GameState) -> None:
        """Begin its journal anew with what the side sees, without what it believes where both cannot be."""
        try:
            self._begin(state)
        except MachineError:
            raise
        except InputError:
            self._begin(seen)

    def _begin(self, state: GameState) -> None:
        """Begin its journal anew with a state; the question that is open stays. Raises InputError for a state that cannot be written."""
        table = self.books.open_table
        write_whole(self.file, self._text_of(state), force=True)
        self._open()
        if table:
            self.books.resume(table)
            self.note_written()
        self._synced = self._state

    def _text_of(self, state: GameState) -> bytes:
        """A journal that begins with a state. Raises InputError for a state that cannot be written so."""
        text = head_of(self.game, Position(self.game, state), "").encode()
        Journal(parse_journal(text, self.file.name), self.file.name, self._load, side=self.side)
        return text

    def _drop_unwritable(self) -> InputError | None:
        """Take back what has been entered since the last time, if the table cannot be written with it, or would become so large that it
        keeps the others waiting. Returns why.
        """
        if (now := self._state) == self._synced:
            return None
        try:
            size = len(self._text_of(now))
            if size > Limit.SHARED.most and size > len(self._text_of(self._synced)):
                raise Limit.SHARED.error("with this it holds", size)
        except MachineError:
            raise
        except InputError as error:
            self._begin(self._synced)
            return InputError(f"this is not entered, as your table cannot be kept with it: {error.what}")
        return None

    def _write(self, record: SideRecord) -> None:
        """Keep a record. Raises InputError if it cannot be written."""
        write_record(self._record_file, record)
        self._record = record

    def _show(self) -> TableShown:
        shown, action, wish = super()._show(), self._last_action, self.shared.wish
        entries = tuple(
            EntryShown(number=remark.number, turn=remark.turn, text=remark.text, struck=remark.struck)
            for remark in reversed(self._record.remarks[-ENTRIES:])
        )
        wished = f"{self.game.file.title_of(wish.side)}: {wish.words}" if wish and wish.side != self.side else ""
        return msgspec.structs.replace(
            shown, entry=self._record.number, entries=entries, undo=action.words if action else "", wished=wished
        )


class WholeTables(Tables):
    """Tables, one of which sides share: their changes reach it, and its own reach them. name: of that one; apart: the folder for the
    journals of the sides.
    """

    def __init__(self, tables: Tables, name: str, sides: Iterable[str], apart: Path) -> None:
        super().__init__(tables.folder, tables.game, files=tables.files)
        self.name = name
        self.shared = SharedTable(super().desk(name), sides, apart, tables.game)

    def desk(self, name: str) -> Desk:
        """A table; the shared one as it is now."""
        if name != self.name:
            return super().desk(name)
        self.shared.renew()
        return self.shared.whole


class SideTables:
    """The one table that a side sees. whole: the tables with everything."""

    def __init__(self, whole: WholeTables, side: str) -> None:
        self.whole, self.side = whole, side

    def game(self, id: str) -> Game:
        """A game. Raises InputError if it cannot be played at a table."""
        return self.whole.game(id)

    def names(self) -> list[str]:
        """The name of the table."""
        return [self.whole.name]

    def opened(self) -> Iterable[Desk]:
        """The table of the side."""
        return [self.whole.shared.desks[self.side]]

    def begin(self, name: str, game: str, position: str = "") -> Desk:
        """Raises InputError: a side begins no table."""
        raise InputError("a table is begun at the laptop")

    def lay(self, name: str, game: Game, start: Position | None) -> Desk:
        """Raises InputError as `begin` does."""
        return self.begin(name, game.id)

    def delete(self, name: str) -> None:
        """Raises InputError: a side deletes no table."""
        raise InputError("a table is deleted at the laptop")

    def desk(self, name: str) -> Desk:
        """The table as the side sees it. Raises InputError for another one."""
        if name != self.whole.name:
            raise InputError(f"there is no table {name}", hint=f"known: {self.whole.name}")
        self.whole.shared.renew()
        return self.whole.shared.desks[self.side]
