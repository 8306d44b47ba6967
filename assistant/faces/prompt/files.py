"""The files that outlast a session: the saved table, files written by it, and facts for the owner's pack."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import msgspec

from ...formats import json_state
from ...formats.positions import Asked, Position
from ...game.games import Game
from ...installed.registry import pack_of
from ...state.state import FactKey
from ...state.tracks import Track
from ...util.errors import InputError, Where, has_unknown_word, word_machine_error
from ...util.files import data_folder, read_bytes, unwritable
from ...util.writing import hold_folder, sync_name, write_whole
from .combats import OpenCombat
from .table import CarriedOut, TableState


class OwnFiles:
    """The files that a table has written, each with the digest of its contents.

    `digests`: the digests of earlier sessions, by file.
    """

    def __init__(self, digests: Mapping[str, str] | None = None) -> None:
        self._digests = {Path(file): digest for file, digest in (digests or {}).items()}

    @property
    def digests(self) -> dict[str, str]:
        return {str(file): digest for file, digest in self._digests.items()}

    def may_write(self, file: Path) -> bool:
        return not file.exists() or (file in self._digests and self._digests[file] == _find_digest(file))

    def note_written(self, file: Path) -> None:
        self._digests[file] = _find_digest(file)


def _find_digest(file: Path) -> str:
    return sha256(read_bytes(file)).hexdigest()


_MAX_TABLES_SAVED = 20
"""The maximum number of earlier tables that are saved for `undo` in the next session."""


class _Aside(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An open combat that another question has set aside, as JSON; see `OpenCombat`."""

    question: str
    parameters: dict[str, str]
    answers: dict[str, str] = {}
    chosen: tuple[tuple[str, str, str], ...] = ()
    numbered: tuple[tuple[str, str], ...] = ()
    number: int = 0
    stacks: dict[str, tuple[str, ...]] = {}


class _KeptTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    position: msgspec.Raw
    """The position as JSON."""
    chosen: tuple[tuple[str, str, str], ...] = ()
    """The assumptions that were chosen: track, subject and value."""
    number: int = 0
    """The number of the table's question."""
    numbered: tuple[tuple[str, str], ...] = ()
    """The assumptions in the order of their numbers."""
    aside: _Aside | None = None
    """The combat that is set aside, or None."""
    line: str = ""
    """The line that led to this table."""
    passes: bool = False
    """Whether the table is no step of its own for `undo`."""


class _Carried(msgspec.Struct, frozen=True):
    entries: tuple[CarriedOut, ...] = ()


class _EarlierTable(_KeptTable, frozen=True, forbid_unknown_fields=True, kw_only=True):
    journal: int = 0
    """The number of answers carried out so far; the next table's list begins with these answers."""
    apart: _Carried | None = None
    """The answers carried out so far if the next table's list does not begin with them, or else None."""


class _LastTable(_KeptTable, frozen=True, forbid_unknown_fields=True, kw_only=True):
    journal: _Carried = _Carried()
    before: tuple[msgspec.Raw, ...] = ()
    """The earlier tables, the oldest first."""
    picture: tuple[str, str] | None = None
    """The picture file that is redrawn after every line, with the digest of its contents, or None."""
    saved: dict[str, str] = {}
    """The digests of saved positions by their files."""


def table_file(game: str) -> Path:
    """Return the file in which the table of a game is saved between sessions."""
    return data_folder() / "table" / f"{game}.json"


class TableFile:
    """The file in which a table is saved after each line.

    If another prompt has changed the file, the table is saved in another one. A session that does not read the saved
    table renames it before it saves its own.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self.before: list[TableState] = []
        """The tables before the one that was read, the oldest first."""
        self.picture: tuple[str, str] | None = None
        """The picture file that is redrawn after every line, with the digest of its contents, or None."""
        self.saved: dict[str, str] = {}
        """The digests of saved positions by their files."""
        self._encoded: list[tuple[TableState, msgspec.Raw]] = []
        # possible contents of the file after the last write; None: no file
        self._ours: tuple[bytes | None, ...] = (None,)

    def read(self, load_game: Callable[[str], Game]) -> TableState | None:
        """Return the saved table, or None if there is none.

        Raises InputError if the file is damaged.
        """
        data = self._read_data()
        if data is None:
            return None
        try:
            last = msgspec.json.decode(data, type=_LastTable)
            carried = last.journal.entries
            table = self._read_table(last, carried, load_game)
            self.before = []
            for raw in reversed(last.before):
                earlier = msgspec.json.decode(raw, type=_EarlierTable)
                carried = earlier.apart.entries if earlier.apart else carried[: earlier.journal]
                self.before.insert(0, self._read_table(earlier, carried, load_game))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, InputError) as error:
            what = error.what if isinstance(error, InputError) else str(error)
            hint = "--new starts with an empty table and moves that file aside"
            if has_unknown_word(error):  # no version up to this one writes such a field
                what = f"a newer Field Staff has written this table: {what}"
                hint = f"update Field Staff; {hint}"
            raise InputError(what, where=Where(str(self.file)), hint=hint) from None
        self._ours = (data,)
        self.picture = last.picture
        self.saved = last.saved
        self._encoded = list(zip(self.before, last.before, strict=True))
        return table

    def _read_table(
        self, stored: _KeptTable, carried: tuple[CarriedOut, ...], load_game: Callable[[str], Game]
    ) -> TableState:
        position = json_state.read_json(bytes(stored.position), str(self.file), load_game)
        for name, _, value in stored.chosen:
            if name:
                position.game.track(name).parse(value)
        return TableState(
            position,
            chosen={(name, subject): value for name, subject, value in stored.chosen},
            done=carried,
            number=stored.number,
            numbered=stored.numbered,
            aside=_read_combat(stored.aside) if stored.aside else None,
            line=stored.line,
            passes=stored.passes,
        )

    def keep(self, table: TableState, before: Sequence[TableState] = ()) -> Path | None:
        """Save a table and the last ones before it.

        Returns the new file if another prompt has changed the old one, or else None.

        Raises InputError if the file cannot be written.
        """
        tables = [*before[-_MAX_TABLES_SAVED:], table]
        self._encoded = [(earlier, self._write_earlier(earlier, after)) for earlier, after in pairwise(tables)]
        before_it = tuple(raw for _, raw in self._encoded)
        last = _LastTable(
            position=_write_position(table),
            chosen=_write_chosen(table.chosen),
            number=table.number,
            numbered=table.numbered,
            aside=_write_aside(table.aside) if table.aside else None,
            line=table.line,
            passes=table.passes,
            journal=_Carried(table.done),
            before=before_it,
            picture=self.picture,
            saved=self.saved,
        )
        data = msgspec.json.encode(last)
        moved = None
        with hold_folder(self.file.parent):
            if self._read_data() not in self._ours:
                self.file = moved = _find_unused_file(self.file, "beside")
                self._ours = (None,)
            self._ours = (*self._ours, data)  # even if an interruption hides whether it was written
            write_whole(self.file, data, force=True)
        self._ours = (data,)
        return moved

    def _write_earlier(self, table: TableState, after: TableState) -> msgspec.Raw:
        """Return an earlier table as JSON.

        The JSON of the last time is reused unless this table has carried out an answer that `after` has not.

        `after`: the table that followed.
        """
        entries = len(table.done)
        apart = None if after.done[:entries] == table.done else _Carried(table.done)
        known = next((raw for earlier, raw in self._encoded if earlier is table), None)
        if known is not None and apart is None:
            return known
        written = _EarlierTable(
            position=_write_position(table),
            chosen=_write_chosen(table.chosen),
            number=table.number,
            numbered=table.numbered,
            aside=_write_aside(table.aside) if table.aside else None,
            line=table.line,
            passes=table.passes,
            journal=entries,
            apart=apart,
        )
        return msgspec.Raw(msgspec.json.encode(written))

    def set_aside(self) -> Path | None:
        """Rename the saved table to an unused file name and return the name, or None if there is no saved table.

        Raises InputError if it cannot be renamed, and Unsettled if the new name may not have reached the disk.
        """
        if not self.file.exists():
            return None
        with hold_folder(self.file.parent):
            aside = _find_unused_file(self.file, "before")
            try:
                self.file.replace(aside)
            except FileNotFoundError:  # another prompt was quicker
                return None
            except OSError as error:
                raise unwritable(error, aside, "not moved") from None
            self._ours = (None,)
            sync_name(aside.parent, aside)
        return aside

    def _read_data(self) -> bytes | None:
        try:
            is_there = self.file.exists()
        except OSError as error:
            raise word_machine_error(error, str(self.file)) from None
        return read_bytes(self.file) if is_there else None


def _write_position(table: TableState) -> msgspec.Raw:
    return msgspec.Raw(json_state.write_json(table.position))


def _write_chosen(facts: Mapping[FactKey, str]) -> tuple[tuple[str, str, str], ...]:
    return tuple((name, subject, value) for (name, subject), value in facts.items())


def _write_aside(combat: OpenCombat) -> _Aside:
    return _Aside(
        question=combat.asked.question,
        parameters={name: str(value) for name, value in combat.asked.parameters.items()},
        answers=dict(combat.answers),
        chosen=_write_chosen(combat.chosen),
        numbered=combat.numbered,
        number=combat.number,
        stacks=dict(combat.stacks),
    )


def _read_combat(aside: _Aside) -> OpenCombat:
    chosen = {(name, subject): value for name, subject, value in aside.chosen}
    asked = Asked(aside.question, aside.parameters)
    return OpenCombat(asked, aside.answers, chosen, aside.numbered, aside.number, aside.stacks)


def _find_unused_file(file: Path, word: str) -> Path:
    unused = file.with_suffix(f".{word}.json")
    number = 2
    while unused.exists():
        unused = file.with_suffix(f".{word}-{number}.json")
        number += 1
    return unused


def keep_facts(position: Position, facts: Mapping[FactKey, str]) -> int:
    """Save the facts that are printed on a counter or on the map in the owner's pack; return their number.

    Facts of a flipped unit are left out, since its stated ratings are those of its other side.

    Raises InputError, and saves no fact, for a value that contradicts the rulebook.
    """
    values, ground = _sort_printed(position, facts)
    if values or ground:
        pack_of(position.game).enter_all(values, ground)
    return len(values) + len(ground)


def is_printed(position: Position, key: FactKey, text: str) -> bool:
    """Return whether a fact is printed on a counter or on the map, so that the owner's pack may save it.

    Raises InputError for a value that contradicts the rulebook.
    """
    values, ground = _sort_printed(position, {key: text})
    for (unit, track), value in values.items():
        pack_of(position.game).check_value(unit, track, value)
    return bool(values or ground)


def _sort_printed(
    position: Position, facts: Mapping[FactKey, str]
) -> tuple[dict[tuple[str, str], str], dict[tuple[str, str, str], str]]:
    """Return the facts printed on counters, by unit and track, and those on the map, by board, place and track."""
    game = position.game
    state = position.state
    values: dict[tuple[str, str], str] = {}
    ground: dict[tuple[str, str, str], str] = {}
    for (name, subject), text in facts.items():
        track = game.tracks[name]
        if track.printed == "map" and track.on in ("hex", "hexside"):
            ground[state.board, subject, name] = text
        elif track.printed == "counter" and (entry := _find_printed_type(position, track, subject)):
            values[entry, name] = text
    return values, ground


def _find_printed_type(position: Position, track: Track, subject: str) -> str:
    """Return the roster entry of a unit with its printed side up, or "" if it is flipped or not in the roster."""
    game = position.game
    state = position.state
    unit = state.units.get(subject) if track.on == "unit" else None
    if unit is None or unit.type not in game.roster:
        return ""
    flips = (other.name for other in game.tracks.values() if other.module and other.module.flips)
    return "" if any(state.value(name, subject) for name in flips) else unit.type
