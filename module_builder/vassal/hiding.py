"""What players keep from one another in a module: counters turned face down or out of sight, and windows of one side alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from assistant.drawing.scene import Scene
from assistant.formats.vassal.positions import PRIVATE
from assistant.formats.vassal.traits import Trait, hidden_by, invisible, key, mask
from assistant.game.games import Game
from assistant.state.hidden import INVISIBLE, MASKED
from assistant.state.sources import Value

from ..counters import face_down, nation_palette, print_of
from .statuses import file_word

FACE_DOWN, OUT_OF_SIGHT = ("Face down", "B"), ("Out of sight", "N")
"""The lines of a counter's menu that hide it, with the letter that does the same with Ctrl."""
_UNKNOWN = "?"
"""The name of a counter that is face down."""


def covers(game: Game, unit: str, values: Mapping[str, Value]) -> Iterator[Trait]:
    """The traits with which the players of a side keep the counter of a unit from the others; none for a unit of no side.

    values: the sides that the position names as having hidden it.
    """
    if not (side := side_of(game, unit)):
        return
    types = {
        INVISIBLE: invisible(OUT_OF_SIGHT[0], key(OUT_OF_SIGHT[1])),
        MASKED: mask(FACE_DOWN[0], key(FACE_DOWN[1]), face_down_image(side), _UNKNOWN),
    }
    for track, type in types.items():
        yield hidden_by(type, str(values.get(track, "")))


def side_of(game: Game, unit: str) -> str:
    """The side of a unit's nation, "" if it is unknown."""
    nation = print_of(game, unit, game.file.picture.nation)
    return game.side_of(str(nation.value)) if nation and game.file.sides else ""


def face_down_image(side: str) -> str:
    """The file with what all counters of a side look like from behind."""
    return f"face-down-{file_word(side)}.png"


def pictures(game: Game) -> dict[str, Scene]:
    """What the counters of each side look like face down, by the names of their files: in the colour of its first nation."""
    palette = nation_palette(game)
    return {face_down_image(side): face_down(palette.nation(nations[0])) for side, nations in game.file.sides.items()}


def window(side: str) -> str:
    """The name of the window that only a side sees."""
    return f"Private: {side}"


SHEET, SIZE = "Sheet", (600, 400)
"""The board of such a window, and its size in pixels."""


def boards(game: Game) -> dict[str, tuple[tuple[str, int, int], ...]]:
    """The boards of these windows, as a save names them."""
    return {window(side): ((SHEET, 0, 0),) for side in game.file.sides}


def properties(game: Game) -> dict[str, str]:
    """The global properties by which the assistant knows these windows."""
    return {f"{PRIVATE} {window(side)}": side for side in game.file.sides}
