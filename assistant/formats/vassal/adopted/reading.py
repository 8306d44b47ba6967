"""The legend for a save of a module that the player has adopted."""

from __future__ import annotations

from collections.abc import Callable

from ....game.games import Game
from ....util.errors import InputError, Where
from ..saves import Save
from .keeping import fixtures_file, games_of, mapping_file, read_fixtures
from .legend import AdoptedLegend
from .mapping import check_mapping, read_mapping


def adopted_legend(save: Save, load_game: Callable[[str], Game]) -> AdoptedLegend | None:
    """The legend for a save by its module's name; None if the module is not adopted.

    Raises InputError if it is adopted for several games, and for a mapping that cannot be used, with file and line.
    """
    module = save.about.module
    games = games_of(module)
    if not games:
        return None
    if len(games) > 1:
        files = ", ".join(str(mapping_file(module, game)) for game in games)
        what = f"{module} is adopted for {' and for '.join(games)}"
        raise InputError(what, hint=f"move one of the mappings away: {files}")
    file = mapping_file(module, games[0])
    mapping = read_mapping(file)
    if mapping.module != module or mapping.game != games[0]:
        what = f"it is the mapping of {mapping.module} for {mapping.game}, not of {module} for {games[0]}"
        raise InputError(what, where=Where(str(file)), hint="set `module` and `game` right, or move the file away")
    game = load_game(mapping.game)
    check_mapping(mapping, game, file)
    return AdoptedLegend(save, game, mapping, read_fixtures(fixtures_file(file)))
