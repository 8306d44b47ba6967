"""What a table keeps of what a side has done there, beside the journal that all share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import msgspec

from ...formats import json_state
from ...formats.positions import Position
from ...game.games import Game
from ...records.journal.entries import OpenQuestion
from ...state.state import GameState
from ...util.errors import InputError, MachineError
from ...util.files import read_bytes
from ...util.limits import last_within
from ...util.notes import note
from ...util.writing import write_whole

_MOST = 200
"""How many actions, taps and remarks are kept."""
_LETTERS = 4_000_000
"""How many letters the tables have that are kept with actions, all together."""


class Action(msgspec.Struct, frozen=True):
    """What a line of a side has done."""

    tap: Annotated[str, note("the tap that has entered it")]
    words: Annotated[str, note("what `undo` takes back, in few words")]
    asked: Annotated[OpenQuestion, note("the question that was open before it")] = OpenQuestion()
    asks: Annotated[OpenQuestion, note("the question that is open after it")] = OpenQuestion()
    private: Annotated[
        tuple[str, str] | None,
        note("the side's table before it and after it, as JSON, where some of it is not on the table of all"),
    ] = None

    @property
    def letters(self) -> int:
        """How many letters the tables have that it keeps."""
        return sum(map(len, self.private or ()))


class TableRemark(msgspec.Struct, frozen=True):
    """What happened at the table of a side, in words."""

    number: int
    turn: str
    text: str
    tap: Annotated[str, note("the tap of the side's own line, empty for what came from others")] = ""
    struck: bool = False


class SideRecord(msgspec.Struct, frozen=True):
    """What a side has done and seen."""

    actions: Annotated[tuple[Action, ...], note("what it may still take back, the last one last")] = ()
    taps: Annotated[tuple[str, ...], note("the taps that have counted")] = ()
    remarks: tuple[TableRemark, ...] = ()
    number: Annotated[int, note("that of the last change")] = 0
    seen: Annotated[str, note("what the side saw last of the table of all, as JSON")] = ""

    def with_action(self, action: Action) -> SideRecord:
        """Return the record once a line has done something."""
        actions = last_within(_LETTERS, (*self.actions, action)[-_MOST:], lambda kept: kept.letters)
        return msgspec.structs.replace(self.with_tap(action.tap), actions=tuple(actions))

    def with_tap(self, *taps: str) -> SideRecord:
        """Return the record once taps have counted."""
        return msgspec.structs.replace(self, taps=(*self.taps, *taps)[-_MOST:])

    def with_remarks(self, turn: str, texts: list[str], tap: str = "") -> SideRecord:
        """Return the record with what has happened. tap: of the side's own line."""
        more = tuple(TableRemark(self.number + at, turn, text, tap) for at, text in enumerate(texts or [""], 1))
        shown = tuple(remark for remark in more if remark.text)
        return msgspec.structs.replace(self, remarks=(*self.remarks, *shown)[-_MOST:], number=more[-1].number)

    def without(self, action: Action, tap: str) -> SideRecord:
        """Return the record once an action is taken back. tap: the one that does so."""
        remarks = []
        for remark in self.remarks:
            is_struck = remark.struck or remark.tap == action.tap
            remarks.append(msgspec.structs.replace(remark, struck=is_struck))
        actions = tuple(other for other in self.actions if other is not action)
        return msgspec.structs.replace(
            self.with_tap(tap), actions=actions, remarks=tuple(remarks), number=self.number + 1
        )


def read_side_record(file: Path) -> SideRecord:
    """Return the record in a file; an empty one if it is lost."""
    try:
        return msgspec.json.decode(read_bytes(file), type=SideRecord)
    except MachineError:  # it is there, but not to be read now
        raise
    except (InputError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return SideRecord()


def write_record(file: Path, record: SideRecord) -> None:
    """Write a record."""
    write_whole(file, msgspec.json.encode(record), force=True)


def pack_state(game: Game, state: GameState, *, one_line: bool = False) -> str:
    """Return a state as JSON, in one line or in many."""
    return json_state.write_json(Position(game, state), one_line=one_line).decode()


def unpack_state(text: str, load: Callable[[str], Game]) -> GameState | None:
    """Return a state from JSON, None for one that cannot be read any more."""
    try:
        return json_state.read_json(text.encode(), "", load).state
    except InputError:
        return None
