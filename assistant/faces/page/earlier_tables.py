"""Tables that may hold an earlier position of the game in a save, as the viewpoint of the save sees it.

Both positions are seen from one viewpoint, so that their differences tell no more than the two do.
"""

from __future__ import annotations

from ...formats.positions import Position
from ...game.viewpoint import reduce_state
from ...state.state import is_limited
from ...util.errors import InputError, MachineError
from ...util.files import read_bytes
from .desk import begun_name_file
from .messages.files import EarlierTable
from .tables import OpenTables

_MAX_TABLES_READ = 5
"""The maximum number of tables of a game that are read to find earlier positions of a save."""


def list_earlier_tables(tables: OpenTables, position: Position) -> tuple[EarlierTable, ...]:
    """Return the last tables that began with a save and have a unit of another, the one with the most of its units first."""
    units = position.state.units.keys()
    found = list[tuple[int, EarlierTable]]()
    heading = f"journal {position.game.id} ".encode()
    begun = (name for name in tables.names() if begun_name_file(tables.file(name)).is_file())
    of_game = (name for name in begun if read_bytes(tables.file(name)).startswith(heading))
    for _, name in zip(range(_MAX_TABLES_READ), of_game, strict=False):
        try:
            earlier = tables.journal(name).position()
        except MachineError:
            raise
        except InputError:  # an unreadable table says so when it is opened
            continue
        if common := len(units & earlier.state.units.keys()):
            found.append((common, EarlierTable(table=name, title=tables.title(name), viewpoint=_viewpoint(earlier))))
    return tuple(table for _, table in sorted(found, key=lambda one: -one[0]))


def see_earlier(tables: OpenTables, name: str, position: Position) -> Position:
    """Return the position of an earlier table, from the viewpoint of a save.

    Raises InputError if the table is of another game, or holds only what a side may know that the save is not cut to.
    """
    earlier = tables.journal(name).position()
    game = position.game
    if earlier.game.id != game.id:
        raise InputError(f"the table {name} is one of {earlier.game.title}", hint=f"name a table of {game.title}")
    known = _viewpoint(earlier)
    seen_by = _viewpoint(position)
    if known and known != seen_by:
        title = game.file.title_of(known)
        hint = f"continue as the {title} player, or compare with nothing"
        raise InputError(f"the table {name} holds only what the {title} side may know", hint=hint)
    state = earlier.state if known == seen_by else reduce_state(game, earlier.state, seen_by)
    return Position(game, state)


def _viewpoint(position: Position) -> str:
    seen_by = position.state.seen_by
    return seen_by if is_limited(seen_by) else ""
