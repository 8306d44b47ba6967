"""A table that sides share, with the lines that each side enters, undoes and agrees to undo.

A side's line is read only with its own table, so that no answer or refusal depends on hidden facts. The part that
others may know is stated on the shared table. An undo may need the agreement of another side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from ...formats.positions import Position
from ...game.games import Game
from ...installed.registry import load_game
from ...records.journal.entries import JournalEntry, OpenQuestion
from ...records.journal.journal import Journal
from ...records.journal.journal_text import format_entry
from ...records.journal.lines import compute_tap_mark
from ...records.journal.open_question import Asking, write_posed
from ...state.patches import patch_state
from ...state.state import GameState
from ...util.chance import draw_hex
from ...util.errors import InputError, MachineError
from ...util.limits import Limit, TooMuch
from ..prompt.journal_table import table_asking
from ..prompt.table import TableState
from .beliefs import apply_beliefs, find_private_change
from .desk import PageDesk
from .disclosure import (
    Disclosure,
    Questions,
    combat_asked,
    combat_at,
    combat_target,
    set_beside_own,
    without_ended_facts,
    without_unseen_facts,
    without_unseen_units,
)
from .messages.requests import EnterRequest
from .messages.table import Refused, TableShown
from .own_lines import (
    ENDING,
    NO_COMBAT,
    NOTHING,
    OwnLine,
    SideLine,
    StatedTaps,
    drop_spent_lines,
    last_lines,
    list_taps,
    name_shared_tap,
)
from .seen_entries import format_seen
from .side_desk import DerivedDesk
from .statements import enter_statement, find_lines_to_state, prepare_statement
from .table_view import format_line
from .tables import Tables
from .undo import asks_combat, find_dependents, find_strikes, list_dice_lost

_AGREEMENT = "undo together"
"""The beginning of the line that agrees to an undo of another side."""


class WholeTables(Tables):
    """The tables of a host, one of which is shared by sides.

    `name`: the name of the shared table.
    """

    def __init__(self, tables: Tables, name: str, sides: Iterable[str], own_folder: Path) -> None:
        super().__init__(tables.folder, tables.game, files=tables.files)
        self.name = name
        whole = self._desks[name] = WholeDesk(self.file(name), self._load, writes_pack=self._writes_pack)
        self.shared = SharedTable(whole, sides, own_folder, tables.game)

    def desk(self, name: str) -> PageDesk:
        if name != self.name:
            return super().desk(name)
        self.shared.renew()
        return self.shared.whole


class SideTables:
    """The tables open to a side: only the shared one."""

    def __init__(self, whole: WholeTables, side: str) -> None:
        self.whole = whole
        self.side = side

    def game(self, id: str) -> Game:
        return self.whole.game(id)

    def names(self) -> list[str]:
        return [self.whole.name]

    def opened(self) -> Iterable[PageDesk]:
        return [self.whole.shared.desks[self.side]]

    def begin(self, name: str, game: str, position: str = "") -> PageDesk:
        raise InputError("a table is begun at the laptop")

    def lay(self, name: str, game: Game, start: Position | None) -> PageDesk:
        raise InputError("a table is begun at the laptop")

    def delete(self, name: str) -> None:
        raise InputError("a table is deleted at the laptop")

    def desk(self, name: str) -> PageDesk:
        if name != self.whole.name:
            raise InputError(f"there is no table {name}", hint=f"known: {self.whole.name}")
        self.whole.shared.renew()
        return self.whole.shared.desks[self.side]

    def journal(self, name: str) -> Journal:
        return self.desk(name).books.journal

    def file(self, name: str) -> Path:
        self.desk(name)
        return self.whole.shared.desks[self.side].own_file

    def title(self, name: str) -> str:
        return self.whole.title(self.desk(name).name)

    def rename(self, name: str, title: str) -> None:
        self.whole.rename(self.desk(name).name, title)


class SharedTable:
    """A table that several sides share.

    `whole`: the table with everything.
    `folder`: the folder for the files with the sides' own lines.
    """

    def __init__(
        self, whole: WholeDesk, sides: Iterable[str], folder: Path, load: Callable[[str], Game] = load_game
    ) -> None:
        self.whole = whole
        whole.shared = self
        self.remarks: list[str] = []
        """The remarks on the files of the sides, until `say` is replaced."""
        self.say: Callable[[str], object] = self.remarks.append
        """A function that gets each remark on the files of the sides."""
        self.taps = StatedTaps()
        self._wishes: Sequence[SideLine | None] = ()
        self.taps.add_entries(whole.books.journal)
        self.desks = {side: SideDesk(self, side, folder / side / f"{whole.name}{ENDING}", load) for side in sides}

    def renew(self) -> None:
        self.whole.renew()
        self.taps.add_entries(self.whole.books.journal)
        for desk in self.desks.values():
            desk.renew()
            desk.take_in_changes()
        wishes = [desk.wish for desk in self.desks.values()]
        if wishes != self._wishes:
            self._wishes = wishes
            for seat in (self.whole, *self.desks.values()):
                seat.note_change()

    def has_entered(self, tap: str) -> bool:
        """Return whether a tap has entered or undone a line of a side."""
        return any(self.taps.last_entry(side, tap) or desk.has_entered(tap) for side, desk in self.desks.items())

    def changes(self, side: str, tap: str) -> list[JournalEntry]:
        self.taps.add_entries(self.whole.books.journal)
        return self.taps.changes(side, tap)

    def find_wish(self, side: str) -> Wish | None:
        """Return the first undo that waits for the agreement of a side, in that side's words, or None.

        `side`: the side, or "" for the table with everything.
        """
        desk_asked = self.desks[side] if side else self.whole
        wishes = [(wish, other) for other, desk in self.desks.items() if other != side and (wish := desk.wish)]
        for wish, other in sorted(wishes, key=lambda each: each[0].place):
            if words := self.desks[other].words_of_undoing(wish.line, desk_asked, side):
                return Wish(other, wish.line, words)
        return None

    def show_wish(self, shown: TableShown, side: str) -> TableShown:
        """Return the table with the undo that waits for the side's agreement, and the line that agrees.

        The table is returned unchanged if no undo waits.
        """
        wish = self.find_wish(side)
        if wish is None:
            return shown
        whose = self.whole.game.file.title_of(wish.side)
        words = f"{whose} would like to undo {', '.join(wish.words)}"
        return msgspec.structs.replace(shown, wished=words, agrees=wish.line)

    def agree_to_undo(self, side: str, line: str, tap: str) -> tuple[str, ...]:
        """Carry out the undo that waits for the agreement of a side, and return the undone changes in words.

        `line`: the line that agrees.
        `tap`: the mark of the tap.

        Raises InputError if no undo waits, or if it is no longer the one that was shown.
        """
        if (wish := self.find_wish(side)) is None:
            raise InputError("no undo is waiting for your agreement")
        if _normalize_line(line) not in (_AGREEMENT, wish.line):
            raise InputError("what would be undone has changed since", hint="read it again, then agree")
        self.desks[wish.side].undo_action(wish.action, tap, side)
        return wish.words


class Wish(NamedTuple):
    """A wished undo that would also undo changes by others, as another side sees it."""

    side: str
    action: OwnLine
    """The line that the side wishes to undo."""
    words: tuple[str, ...]
    """All changes that would be undone, in words."""

    @property
    def line(self) -> str:
        return f"{_AGREEMENT} {compute_tap_mark(repr((self.side, self.words)))}"


def _normalize_line(line: str) -> str:
    return " ".join(line.casefold().split())


def _is_agreement(line: str) -> bool:
    return _normalize_line(line).split()[:2] == _AGREEMENT.split()


class WholeDesk(PageDesk):
    """The table with everything, which sides may share."""

    shared: SharedTable | None = None
    """The table shared by the sides, or None if no side has a table of its own."""

    def enter(self, request: EnterRequest) -> TableShown:
        if self.shared is None or not _is_agreement(request.line):
            return super().enter(request)
        self.shared.renew()
        tap = compute_tap_mark(request.tap or draw_hex(8))
        if self.shared.has_entered(tap):
            return self.show(("entered already",))
        try:
            words = self.shared.agree_to_undo("", request.line, tap)
        except InputError as error:
            return self.show(fault=error)
        return self.show((f"undone: {', '.join(words)}",))

    def _show(self) -> TableShown:
        shown = super()._show()
        return self.shared.show_wish(shown, "") if self.shared else shown


class SideDesk(DerivedDesk):
    """The table of a side, with the lines that it enters and undoes."""

    def __init__(self, shared: SharedTable, side: str, file: Path, load: Callable[[str], Game]) -> None:
        self.shared = shared
        title = shared.whole.game.file.title_of(side)
        super().__init__(shared.whole, shared.taps, side, file, load, lambda remark: shared.say(f"{title}: {remark}"))

    def enter(self, request: EnterRequest) -> TableShown:
        """Enter a line of the side, state its public part on the whole table, and return the side's table."""
        self.shared.renew()
        if not request.tap:
            request = msgspec.structs.replace(request, tap=draw_hex(8))
        tap = compute_tap_mark(request.tap)
        if self.shared.has_entered(tap):
            return self.show(("entered already",))
        if _normalize_line(request.line) == "undo":
            return self._undo_last(tap, sure=request.sure)
        if _is_agreement(request.line):
            return self._agree_to_undo(request.line, tap)
        combat = combat_asked(self.books.open_table)
        asked = self.books.journal.asking
        last = self.books.journal.last
        fault: InputError | None = None
        try:
            shown = super().enter(request)
            if self.books.journal.last == last:
                return shown
            self._save_line(tap, asked, combat)
        except InputError as error:
            fault = error
        self.shared.renew()
        if fault and not self.shared.has_entered(tap):
            return self.show(fault=_without_place(fault))
        return msgspec.structs.replace(self.show(), said=shown.said, held=shown.held, refused=shown.refused)

    def _save_line(self, tap: str, asked: Asking, combat: Questions) -> None:
        """Save an entered line: the part that others may know on the shared table, the rest in the side's own file.

        `combat`: the side's combat before the line.
        """
        whole = self.whole
        journal = self.books.journal
        before = journal.start.state
        now = journal.position().state
        statement = prepare_statement(whole, self._list_stated(before, now), self._share_combat(combat))
        sight = self.sight(statement.journal.position().state)
        believed = apply_beliefs(sight, self._beliefs)
        stated = patch_state(believed, before, now)
        self._check_size(stated)
        entries = [entry for entry in journal.entries if not isinstance(entry.what, OpenQuestion)]
        _, shared = self._see_combat(statement.journal.asking, Position(self.game, now))
        line = OwnLine(
            tap,
            words=format_line(self.books.undone),
            turn=journal.label(journal.turn),
            texts=tuple(format_line(format_entry(journal, entry)) for entry in entries),
            asked=_or_nothing(asked),
            asks=_or_nothing(journal.asking),
            shared=OpenQuestion(*write_posed(shared.position)) if shared else NO_COMBAT,
            private=find_private_change(self.game, sight, believed, stated),
            is_stated=bool(statement.lines),
            last=whole.books.journal.last,
        )
        self._add(line)
        with whole.books.file.for_tap(name_shared_tap(self.side, tap)):
            enter_statement(whole, statement)

    def _add(self, line: OwnLine) -> None:
        """Add a line to the side's own file.

        Raises InputError, without naming the host's folders, if that fails.
        """
        try:
            if self._own.is_long:
                self._shorten_file()
            self._own.add(line)
        except InputError as error:
            raise InputError(
                f"this is not entered: {error.what}", hint="try again once the laptop can save it"
            ) from None

    def _shorten_file(self) -> None:
        """Rewrite the side's own file without spent lines; if too many are left, one line replaces the oldest."""
        taps = self.taps
        unspent = drop_spent_lines(self._own.lines, self.side, taps)
        kept = last_lines(unspent)
        numbers = {id(line) for line in kept}
        earlier = [line for line in self._own.lines if id(line) not in numbers]
        numbers = {id(line) for line in unspent} - numbers
        counting = [each for each in self._lines if each.counts and id(each.line) in numbers]
        beliefs = [belief for line, belief in zip(*self._read_beliefs(), strict=True) if id(line) in numbers]
        sight = self.sight()
        private = find_private_change(self.game, sight, sight, apply_beliefs(sight, beliefs))
        entered = (line for line in earlier if not line.is_stated or taps.last_entry(self.side, line.tap))
        first = OwnLine("", private=private, taps=tuple(list_taps(entered)))
        for each in counting:
            if each.line.changes_question:
                asks = each.line.asks
                first = msgspec.structs.replace(first, asks=asks, shared=each.line.shared, last=each.place)
        self._own.begin([first, *kept])
        self._lines = self._list_lines()

    def _check_size(self, state: GameState) -> None:
        """Raise InputError if the table cannot be written with a state, or becomes too large to be shared."""
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
        """Return the lines that state the part of the side's changes that others may know."""
        whole = self.whole
        if before == after:
            return []
        state = whole.books.journal.position().state
        sight = self._onlooker.sight(self.game, state)
        disclosed = Disclosure(self.game, self.side, before, after, sight, state.units).disclose()
        next_sight = self._onlooker.sight(self.game, patch_state(state, before, disclosed))
        known = without_unseen_facts(before, disclosed, sight, next_sight)
        remarks = without_ended_facts(self.game, state, patch_state(state, before, known), after)
        try:
            return find_lines_to_state(whole.books.journal, remarks)
        except (TooMuch, MachineError):
            raise
        except InputError:  # the error would reveal what is hidden
            return []

    def _share_combat(self, before: Questions) -> TableState | None:
        """Return the whole table with its open question, replaced by the side's combat if that has changed.

        `before`: the side's combat before the change.
        """
        whole = self.whole.books.open_table
        table = combat_at(self.books.open_table)
        # a combat that the side has carried out stays open for the others
        if table is None or combat_asked(table) == before:
            return whole
        return self._lay_combat(whole, table)

    def _lay_combat(self, whole: TableState | None, table: TableState | None) -> TableState | None:
        """Return the whole table with the combat of a side's table, or without a combat if `table` is None.

        A combat at another hex replaces the open question; one at the same hex is set beside it.
        """
        known = table
        if table:
            unseen = {*table.position.state.units} - self.whole.position.state.units.keys()
            known = without_unseen_units(table, unseen)
            if known is None:
                return whole
        asked = combat_asked(known)
        earlier = combat_asked(whole)
        if asked == earlier:
            return whole
        is_new = known is not None and combat_target(known, asked) != combat_target(known, earlier)
        return known if is_new else set_beside_own(whole, known)

    def show(self, lines: tuple[str, ...] = (), *, held: str = "", fault: InputError | None = None) -> TableShown:
        shown = super().show(tuple(map(format_line, lines)), held=format_line(held), fault=fault)
        if (refused := shown.refused) is None:
            return shown
        words = Refused(what=format_line(refused.what), where=refused.where, hint=format_line(refused.hint))
        return msgspec.structs.replace(shown, refused=words)

    @property
    def last_action(self) -> OwnLine | None:
        return next((each.line for each in reversed(self._lines) if self._is_left(each)), None)

    @property
    def wish(self) -> SideLine | None:
        """The line that the side last wished to undo, with the place of the wish, or None if it has no effect now."""
        if (wishing := self._wishing) is None:
            return None
        wished = (each for each in self._lines if each.line.tap == wishing.wishes and self._is_left(each))
        return next((each._replace(place=wishing.last) for each in wished), None)

    def _find_dependents(self, action: OwnLine, other: str = "") -> tuple[JournalEntry, ...]:
        """Return the entries of others that depend on a line and are visible to the side.

        `other`: the side that must agree, or "". The entries must be visible to it too, or else the wish would reveal
        them.
        """
        journal = self.whole.books.journal
        made = self.shared.changes(self.side, action.tap)
        entries = find_dependents(journal, made, self._own_marks, self.side)
        if other:
            seen = find_dependents(journal, made, self._own_marks, other)
            entries = tuple(entry for entry in entries if entry in seen)
        return entries

    def _list_dice_lost(self, action: OwnLine) -> list[str]:
        return [*list_dice_lost(self.position, action, self._asking)]

    def words_of_undoing(self, action: OwnLine, at: PageDesk, side: str) -> tuple[str, ...]:
        """Return the changes lost with a line and everything that depends on it, in the words of another table.

        `at`: the other table.
        `side`: the side of that table, or "" for everything.
        """
        journal = self.whole.books.journal
        entries = self._find_dependents(action, side)
        dice_there = {format_line(f"{name}={value}") for name, value in combat_asked(at.books.open_table)[1].items()}
        made = [
            entry for entry in self.shared.changes(self.side, action.tap) if not isinstance(entry.what, OpenQuestion)
        ]
        words = format_seen(journal, [*made, *entries], side)
        return (*words, *(roll for roll in self._list_dice_lost(action) if roll in dice_there))

    def _undo_last(self, tap: str, *, sure: bool) -> TableShown:
        """Undo the side's last line, and return the side's table.

        If entries of others depend on the line, ask first; once the side is sure, note the wish and wait for agreement.
        """
        if (action := self.last_action) is None:
            return self.show(fault=InputError("there is nothing to undo"))
        words = format_seen(self.whole.books.journal, self._find_dependents(action), self.side)
        if lost := [*words, *self._list_dice_lost(action)]:
            if not sure:
                return self.show(held=f"This would also undo {', '.join(lost)}: ask the others to agree")
            return self._note_wish(action, tap)
        try:
            self.undo_action(action, tap)
        except InputError as error:
            return self.show(fault=error)
        return self.show((f"undone: {action.words}",))

    def _note_wish(self, action: OwnLine, tap: str) -> TableShown:
        try:
            self._add(OwnLine(tap, wishes=action.tap, last=self.whole.books.journal.last))
        except InputError as error:
            return self.show(fault=error)
        self.shared.renew()
        return self.show(("waiting for another side, or the laptop, to agree",))

    def _agree_to_undo(self, line: str, tap: str) -> TableShown:
        try:
            words = self.shared.agree_to_undo(self.side, line, tap)
        except InputError as error:
            return self.show(fault=error)
        return self.show((f"undone: {', '.join(words)}",))

    def undo_action(self, action: OwnLine, tap: str, other: str = "") -> None:
        """Undo a line with all entries that depend on it.

        `tap`: the mark of the tap that undoes it, which may be of another side.
        `other`: the side that has agreed, or "".

        Raises InputError if the undo cannot be written.
        """
        whole = self.whole
        journal = whole.books.journal
        made = self.shared.changes(self.side, action.tap)
        restored = self._list_restored(made[-1].number if made else 0)
        lines = find_strikes(journal, [*made, *self._find_dependents(action, other)], restored)
        statement = prepare_statement(whole, lines, self._take_back_combat(action))
        try:
            self._add(OwnLine(tap, undoes=action.tap, is_stated=bool(statement.lines), last=journal.last))
            with whole.books.file.for_tap(name_shared_tap(self.side, tap)):
                enter_statement(whole, statement)
        except InputError as error:
            self.shared.renew()
            if not self.shared.has_entered(tap):
                raise _without_place(error) from None
        self.shared.renew()

    def _list_restored(self, number: int) -> list[JournalEntry]:
        undos = [line for line in self._own.lines if line.undoes and self.taps.last_entry(self.side, line.tap) > number]
        entries = [entry for line in undos for entry in self.shared.changes(self.side, line.tap)]
        return [entry for entry in entries if entry.number > number and not isinstance(entry.what, OpenQuestion)]

    def _take_back_combat(self, action: OwnLine) -> TableState | None:
        whole = self.whole.books.open_table
        is_open = action.posed != action.posed_before and self._asking.goes_on_with(action.posed)
        if not is_open or not asks_combat(self.game, action.posed):
            return whole
        return self._lay_combat(whole, combat_at(table_asking(self.books.journal.position(), action.asked)))

    def _show(self) -> TableShown:
        shown = super()._show()
        if self._remarks is None:
            self._remarks = self._list_remarks()
        action = self.last_action
        undo = action.words if action else ""
        shown = msgspec.structs.replace(shown, entry=self._number, entries=self._remarks, undo=undo)
        return self.shared.show_wish(shown, self.side)


def _without_place(error: InputError) -> InputError:
    return InputError(error.what, hint=error.hint)


def _or_nothing(asking: Asking) -> Asking:
    """Return a question, or `NOTHING` itself for an equal one, because written lines omit that object."""
    return asking if asking != NOTHING else NOTHING
