"""What outlasts a session: the table as it lay, and facts for the owner's pack."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain, count
from pathlib import Path

import msgspec

from ..formats import json_state
from ..formats.positions import Position
from ..game.games import Game
from ..game.settings import data_folder
from ..plugins.registry import pack_of
from ..state.changes import Journal
from ..util.errors import InputError, Where
from ..util.files import read_bytes, write_whole
from .table import Table


class _Kept(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table as a file has it: the position as in a JSON position, what was chosen as track, subject and value."""

    position: msgspec.Raw
    chosen: tuple[tuple[str, str, str], ...] = ()
    journal: Journal = Journal()


def table_file(game: str) -> Path:
    """Where the table of a game is kept between sessions."""
    return data_folder() / "table" / f"{game}.json"


def keep_table(file: Path, table: Table) -> None:
    """Write a table. Raises InputError if that cannot be done."""
    chosen = tuple((name, subject, value) for (name, subject), value in table.chosen.items())
    kept = _Kept(msgspec.Raw(json_state.write(table.position)), chosen, table.journal)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(error.strerror or str(error), where=Where(str(file.parent)), hint="check the folder") from None
    write_whole(file, msgspec.json.encode(kept), force=True)


def set_aside(file: Path) -> Path:
    """Keep a kept table under a name that is free. Returns its file; raises InputError if that cannot be done."""
    names = chain(["before"], (f"before-{number}" for number in count(2)))
    aside = next(free for name in names if not (free := file.with_suffix(f".{name}.json")).exists())
    try:
        return file.replace(aside)
    except OSError as error:
        raise InputError(error.strerror or str(error), where=Where(str(aside)), hint="check the folder") from None


def kept_table(file: Path, load_game: Callable[[str], Game]) -> Table | None:
    """The table that was kept, None if none was. Raises InputError for a file that holds none."""
    if not file.exists():
        return None
    try:
        kept = msgspec.json.decode(read_bytes(file), type=_Kept)
        position = json_state.read(bytes(kept.position), str(file), load_game)
        for name, _, value in kept.chosen:
            if name:
                position.game.track(name).parse(value)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, InputError) as error:
        what = error.what if isinstance(error, InputError) else str(error)
        raise InputError(
            what, where=Where(str(file)), hint="--new begins with an empty table and moves that file aside"
        ) from None
    return Table(position, {(name, subject): value for name, subject, value in kept.chosen}, kept.journal)


def keep_fact(position: Position, name: str, subject: str, text: str) -> bool:
    """Keep a fact that is printed on a counter or on the map in the owner's pack. Whether it is such a one.

    Of a unit that shows its other side nothing is kept: its ratings as typed are those of that side. Raises InputError for
    a value that the rulebook contradicts.
    """
    game, state = position.game, position.state
    track, pack = game.tracks[name], pack_of(game)
    if track.printed == "map" and track.on in ("hex", "hexside"):
        pack.enter_ground(state.board, subject, name, text)
        return True
    unit = state.units.get(subject) if track.on == "unit" else None
    if track.printed != "counter" or unit is None or unit.type not in game.roster:
        return False
    if any(state.value(one.name, subject) for one in game.tracks.values() if one.module and one.module.flips):
        return False
    pack.enter_value(unit.type, name, text)
    return True
