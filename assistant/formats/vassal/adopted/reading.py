"""The legend for a save of a module that the player has adopted."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import msgspec

from ....game.games import Chosen, Game
from ....util.errors import InputError, Where
from ....util.files import read_bytes
from ..containers import read_stream
from ..saves import Save
from .keeping import fixtures_file, games_of, has_mappings, mapping_file, read_fixtures
from .legend import AdoptedLegend
from .mapping import ModuleMapping, check_mapping, read_mapping


class UnknownModule(InputError):
    """A save of a module that nobody has adopted, or for several games: its pieces can be listed, but it is not known what they mean."""


class SeveralGames(UnknownModule):
    """A save of a module that is adopted for several games."""


def is_adopted(save: Path) -> bool:
    """Whether a save is one of a module that the player has adopted."""
    return has_mappings() and bool(games_of(read_stream(read_bytes(save))[1].module))


def adopted_legend(save: Save, load_game: Callable[[str], Game]) -> AdoptedLegend | None:
    """The legend for a save by its module's name; None if the module is not adopted.

    Raises SeveralGames if it is adopted for several games and none of them is chosen; InputError for a mapping that cannot be used, with file and line.
    """
    module = save.about.module
    games = games_of(module)
    if not games:
        return None
    if isinstance(load_game, Chosen) and load_game.id in games:
        games = [load_game.id]
    if len(games) > 1:
        raise SeveralGames(f"{module} is adopted for {' and for '.join(games)}", hint=f"choose: --game {games[0]}")
    file = mapping_file(module, games[0])
    mapping = mapping_of(file, module, games[0])
    game = load_game(mapping.game)
    check_mapping(mapping, game, file)
    game = _calling(game, tuple((name, side) for name, side in mapping.sides.items() if side))
    return AdoptedLegend(save, game, mapping, read_fixtures(fixtures_file(file)))


@lru_cache(maxsize=8)
def _calling(game: Game, side_names: tuple[tuple[str, str], ...]) -> Game:
    """A game whose sides are also called as in a module: the same one for every save, which remembers what was worked out."""
    return game.under(msgspec.structs.replace(game.overlay, sides=dict(side_names)))


def mapping_of(file: Path, module: str, game: str) -> ModuleMapping:
    """The mapping of a module for a game. Raises InputError if it cannot be read, or is that of another one."""
    mapping = read_mapping(file)
    if (mapping.module, mapping.game) != (module, game):
        what = f"it is the mapping of {mapping.module!r} for {mapping.game!r}, not of {module!r} for {game!r}"
        raise InputError(what, where=Where(str(file)), hint="set `module` and `game` right, or move the file away")
    return mapping
