"""A table as a side sees it: a journal of what the side knows, beside the journal with everything.

A line of a side is read against its own journal alone, so that no answer and no refusal depends on what is hidden from it.
What changes in one journal and may be known in the other is stated there as facts: what a side states of what it does not
see stays its own. The open question with its dice is on every table, as far as it names nothing that is not seen there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

import msgspec

from ..formats.positions import JOURNAL, Position
from ..game.games import Game
from ..game.viewpoint import seen_by
from ..journal.journal import Journal, head_of
from ..plugins.registry import load_game
from ..state.patches import patch_state
from ..state.state import GameState
from ..util.errors import InputError, MachineError
from ..util.files import read_bytes
from ..util.saving import make_folder, write_whole
from ..util.texts import natural
from .desk import Desk, Tables
from .disclosure import (
    NO_QUESTIONS,
    Disclosure,
    Questions,
    has_fewer_dice,
    questions_at,
    without_ended_facts,
    without_unseen_facts,
    without_unseen_units,
)
from .messages.requests import Enter
from .messages.table import TableShown
from .statements import LastStated, enter_lines, lines_to_state

_UNSAID = "this could not be written at the table of the others: they have it as soon as it can be"


class SharedTable:
    """A table that sides share. whole: the one with everything; sides: those that look at it; folder: for their journals."""

    def __init__(
        self, whole: Desk, sides: Iterable[str], folder: Path, load: Callable[[str], Game] = load_game
    ) -> None:
        self.whole = whole
        self.desks = {side: SideDesk(self, side, folder / side / f"{whole.name}{JOURNAL}", load) for side in sides}
        self._laid: dict[Desk, Questions] = {}  # what was laid on each table, or came from it
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
        """If the question that is open at one table has changed, lay it on the others with its dice, on each only if it differs there too.
        What one side has carried out stays open for the others, who carry it out themselves. Dice that no longer count as something has
        changed that a side does not see stay on its table until others are thrown.
        """
        table = source.books.open_table
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
                    desk.books.resume(known)
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
    """A table as a side sees it. shared: the table that the sides share."""

    _last_sight: GameState
    """What the side has seen of the whole table so far."""
    _stated_state: GameState
    """The state of its own table up to which what may be told is stated on the whole one."""

    def __init__(self, shared: SharedTable, side: str, file: Path, load: Callable[[str], Game]) -> None:
        self.shared, self.side = shared, side
        self._heard_at: tuple[Journal, Journal] | None = None  # the whole table's and its own, as they stood then
        self._heard, self._said = LastStated(file), file.with_suffix(".said")
        if not file.exists():
            make_folder(file.parent)
            seen = Position(shared.whole.game, self.sight())
            self._heard.write(seen)
            write_whole(file, head_of(shared.whole.game, seen, "").encode())
        super().__init__(file, load, side)
        self.pictures = shared.whole.pictures
        self._last_sight = self._heard.read(load) or self._state
        if (said := self._read_said()) is None or said >= self.books.journal.last:
            self._note_said()
        else:
            self._stated_state = self.books.journal.until(said).position().state
        self.hear()

    def _read_said(self) -> int | None:
        """The number of the last entry of which the whole table has what it may have; None if that is not known."""
        try:
            return natural(read_bytes(self._said).decode("ascii", "replace").strip())
        except MachineError:  # it is known, but not now
            raise
        except InputError:
            return None

    def say(self) -> bool:
        """State on the whole table what has been entered since the last time. Returns whether that is done: what could not be written is
        tried again the next time.
        """
        if (now := self._state) != self._stated_state:
            try:
                self._tell(self._stated_state, now)
            except InputError:
                return False
            self._note_said()
        return True

    def _note_said(self) -> None:
        """Note that the whole table has what it may have of what has been entered up to now."""
        self._stated_state = self._state
        with suppress(InputError):  # what is stated again changes nothing
            write_whole(self._said, str(self.books.journal.last).encode(), force=True)

    def sight(self, state: GameState | None = None) -> GameState:
        """What the side may see of the whole table now, or of another state of it."""
        whole = self.shared.whole
        return seen_by(whole.game, state or whole.books.journal.position().state, self.side)

    def hear(self) -> None:
        """Take in what the side may know of what has changed on the whole table."""
        if not self.say() or self._heard_at == (heard_at := (self.shared.whole.books.journal, self.books.journal)):
            return
        if (now := self.sight()) != self._last_sight:
            try:
                texts = lines_to_state(self, patch_state(self._state, self._last_sight, now))
            except InputError:  # what no line can state now may be stated with what changes next, here or there
                self._heard_at = heard_at
                return
            try:
                enter_lines(self, texts)
                self._heard.write(Position(self.game, now))
            except InputError:  # what could not be written is for the next time
                return
            self._last_sight = now
            self._note_said()
        self._heard_at = (heard_at[0], self.books.journal)

    @property
    def _state(self) -> GameState:
        return self.books.journal.position().state

    def enter(self, request: Enter) -> TableShown:
        """Enter a line of the side, and state on the whole table what that changes and the side may know."""
        self.shared.renew()
        before, table = self._state, questions_at(self.books.open_table)
        shown = super().enter(request)
        after = self._state
        is_said = self.say()
        self.shared.spread(self, table)
        if after == before:
            return shown
        for desk in self.shared.desks.values():
            desk.hear()
        again = self.show()
        said = shown.said if is_said else (*shown.said, _UNSAID)
        return msgspec.structs.replace(again, said=said, held=shown.held, refused=shown.refused)

    def _tell(self, before: GameState, after: GameState) -> None:
        """State on the whole table what lines of the side have changed. Raises InputError if that cannot be written."""
        whole = self.shared.whole
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
        enter_lines(whole, texts)


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
