"""What outlasts a session: the table, and facts for the owner's pack."""

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
from ..util.files import make_folder, read_bytes, unwritable, write_whole
from .table import Table


class _Kept(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file of a table: the position in JSON, and the chosen assumptions as track, subject and value."""

    position: msgspec.Raw
    chosen: tuple[tuple[str, str, str], ...] = ()
    journal: Journal = Journal()


def table_file(game: str) -> Path:
    """The file that keeps the table of a game between sessions."""
    return data_folder() / "table" / f"{game}.json"


def keep_table(file: Path, table: Table) -> None:
    """Write a table. Raises InputError if the file cannot be written."""
    chosen = tuple((name, subject, value) for (name, subject), value in table.chosen.items())
    kept = _Kept(msgspec.Raw(json_state.write(table.position)), chosen, table.journal)
    make_folder(file.parent)
    write_whole(file, msgspec.json.encode(kept), force=True)


def set_aside(file: Path) -> Path:
    """Move a kept table to an unused file name. Returns that file; raises InputError if it cannot be moved."""
    names = chain(["before"], (f"before-{number}" for number in count(2)))
    aside = next(free for name in names if not (free := file.with_suffix(f".{name}.json")).exists())
    try:
        return file.replace(aside)
    except OSError as error:
        raise unwritable(error, aside) from None


def kept_table(file: Path, load_game: Callable[[str], Game]) -> Table | None:
    """The kept table, None if there is none. Raises InputError if the file is damaged."""
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
            what, where=Where(str(file)), hint="--new starts with an empty table and moves that file aside"
        ) from None
    return Table(position, {(name, subject): value for name, subject, value in kept.chosen}, kept.journal)


def keep_fact(position: Position, name: str, subject: str, text: str) -> bool:
    """Keep a fact in the owner's pack if it is printed on a counter or on the map. Returns whether it is.

    Nothing is kept of a flipped unit, since its stated ratings are those of its other side. Raises InputError for a value
    that contradicts the rulebook.
    """
    game, state = position.game, position.state
    track, pack = game.tracks[name], pack_of(game)
    if track.printed == "map" and track.on in ("hex", "hexside"):
        pack.enter_ground(state.board, subject, name, text)
        return True
    unit = state.units.get(subject) if track.on == "unit" else None
    if track.printed != "counter" or unit is None or unit.type not in game.roster:
        return False
    if any(state.value(other.name, subject) for other in game.tracks.values() if other.module and other.module.flips):
        return False
    pack.enter_value(unit.type, name, text)
    return True
