"""The files of sides from earlier versions: a journal, and a record beside it.

They are removed once their lines are in the side's file of own lines. Unreadable files are set aside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from ...formats.positions import JOURNAL
from ...game.games import Game
from ...records.journal.entries import OpenQuestion
from ...records.journal.journal import Journal
from ...records.journal.journal_file import JournalFile
from ...records.journal.open_question import Asking
from ...state.patches import take_back
from ...state.state import GameState
from ...util import disk
from ...util.errors import InputError, MachineError
from ...util.files import unwritable
from .beliefs import Belief, find_private_change, pack_belief, read_belief
from .own_lines import NOTHING, OwnLine, PrivateChange, StatedTaps, name_damaged

_RECORD = ".side.json"
"""The suffix of the file that records the sides."""


class _Action(msgspec.Struct, frozen=True):
    tap: str
    words: str
    asked: OpenQuestion = OpenQuestion()
    asks: OpenQuestion = OpenQuestion()
    private: tuple[str, str] | None = None


class _Remark(msgspec.Struct, frozen=True):
    turn: str
    text: str
    tap: str = ""


class _Record(msgspec.Struct, frozen=True):
    actions: tuple[_Action, ...] = ()
    taps: tuple[str, ...] = ()
    remarks: tuple[_Remark, ...] = ()
    seen: str = ""


class OldTable(NamedTuple):
    """The two files of a side from an earlier version."""

    journal: Path
    record: Path

    @classmethod
    def beside(cls, own: Path) -> OldTable:
        return cls(own.with_suffix(JOURNAL), own.with_suffix(_RECORD))

    def exists(self) -> bool:
        return disk.exists(self.journal) or disk.exists(self.record)

    def remove(self) -> None:
        for file in self:
            with suppress(OSError):
                disk.unlink(file)

    def set_aside(self) -> list[Path]:
        """Rename the existing files as damaged ones, and return their new names.

        Raises InputError if one cannot be renamed.
        """
        asides = list[Path]()
        for file in self:
            if disk.exists(file):
                aside = name_damaged(file)
                try:
                    disk.rename(file, aside)
                except OSError as error:
                    raise unwritable(error, file, "not moved") from None
                asides.append(aside)
        return asides

    def read(
        self, game: Game, side: str, sight: GameState, taps: StatedTaps, last: int, load: Callable[[str], Game]
    ) -> tuple[list[OwnLine], bool]:
        """Return the readable lines of the side, and whether these are all.

        `sight`: the shared table as the side sees it now.
        `taps`: the entries of the shared journal by their taps.
        `last`: the number of the last entry of the shared journal.

        Raises MachineError if a file cannot be read now.
        """
        known = self._read_record()
        record = known or _Record()
        journal = self._read_journal(side, load)
        are_all = (known is not None or not disk.exists(self.record)) and (
            journal is not None or not disk.exists(self.journal)
        )
        seen = _read_state(record.seen, load)
        lines = [OwnLine(tap) for tap in record.taps if tap not in {action.tap for action in record.actions}]
        actions = [_read_action(game, action, record, seen or sight, load) for action in record.actions]
        actions = [
            msgspec.structs.replace(line, is_stated=bool(taps.last_entry(side, line.tap)), last=last)
            for line in actions
        ]
        if seen and journal and (private := _find_rest(game, seen, journal.position().state, actions, load)):
            lines.append(OwnLine("", private=private))
        lines += actions
        if journal and journal.asking.question.question:
            lines = [*_with_asking(lines, journal.asking, last)]
        return lines, are_all and not (journal and journal.faults)

    def _read_record(self) -> _Record | None:
        try:
            return msgspec.json.decode(disk.read_bytes(self.record), type=_Record)
        except MachineError:
            raise
        except (InputError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return None

    def _read_journal(self, side: str, load: Callable[[str], Game]) -> Journal | None:
        try:
            journal = JournalFile(self.journal, load, side).read(compares=False)
            journal.position()
        except MachineError:
            raise
        except InputError:
            return None
        return journal


def _read_state(text: str, load: Callable[[str], Game]) -> GameState | None:
    belief = read_belief(PrivateChange(text, text), load) if text else None
    return belief.before if belief else None


def _read_action(game: Game, action: _Action, record: _Record, seen: GameState, load: Callable[[str], Game]) -> OwnLine:
    remarks = [remark for remark in record.remarks if remark.tap == action.tap]
    private = None
    if action.private and (belief := read_belief(PrivateChange(*action.private), load)):
        private = pack_belief(game, Belief(belief.before, belief.after, seen))
    return OwnLine(
        action.tap,
        words=action.words,
        turn=remarks[0].turn if remarks else "",
        texts=tuple(remark.text for remark in remarks),
        asked=Asking(action.asked),
        asks=Asking(action.asks),
        private=private,
    )


def _find_rest(
    game: Game, seen: GameState, state: GameState, actions: list[OwnLine], load: Callable[[str], Game]
) -> PrivateChange | None:
    """Return the side's belief besides the changes of its known actions, or None if there is none.

    `seen`: the shared table as the side saw it last.
    `state`: the last state of the side's own journal.
    """
    for line in reversed(actions):
        if line.private and (belief := read_belief(line.private, load)):
            state = take_back(state, belief.after, belief.before)
    return find_private_change(game, seen, seen, state)


def _with_asking(lines: list[OwnLine], asking: Asking, last: int) -> Iterator[OwnLine]:
    """Yield lines that leave a question open: the last line that asked it asks it, or else an added line.

    `asking`: the question.
    `last`: the number of the last entry of the shared journal.
    """
    asks = [line for line in lines if line.changes_question]
    is_asked_by_last = bool(asks) and asking.question.goes_on_with(asks[-1].asks.question)
    for line in lines:
        is_it = is_asked_by_last and line is asks[-1]
        yield msgspec.structs.replace(line, asks=asking) if is_it else line
    if not is_asked_by_last:
        yield OwnLine("", asked=NOTHING, asks=asking, last=last)
