"""What players keep from one another in a module: counters turned face down or out of sight, and windows of one side
alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from assistant.drawing.scene import Scene
from assistant.formats.vassal.declared import PRIVATE
from assistant.formats.vassal.traits import CONTROL_SHIFT, hidden_by, invisible, marker, mask
from assistant.game.games import Game
from assistant.state.hidden import INVISIBLE, MASKED
from assistant.state.sources import Value

from ...counters import face_down, nation_palette, print_of
from .statuses import file_word
from .traits import Line, in_place, submenu

FACE_DOWN, OUT_OF_SIGHT = Line("Face down", "B"), Line("Out of sight", "N")
"""The lines of a counter's menu that hide it."""
WHOLE_STACK = Line("Face down: the whole stack", "B", CONTROL_SHIFT)
"""The line that turns all counters of its stack face down."""
SIDE = "Side"
"""The property that names the side of a counter."""
_UNKNOWN = "?"
"""The name of a counter that is face down."""


def covers(side: str) -> Iterator[tuple[str, Callable[[Mapping[str, Value]], str]]]:
    """The traits with which the players of a side keep its counters from the others, outermost first.

    Each is a type, and the state for the values of a unit, among which are the sides that the position names as having
    hidden it.
    """
    whole = WHOLE_STACK.menu, WHOLE_STACK.stroke
    hides = invisible(OUT_OF_SIGHT.menu, OUT_OF_SIGHT.stroke)
    masks = mask(FACE_DOWN.menu, FACE_DOWN.stroke, face_down_image(side), _UNKNOWN)
    lines = [line.menu for line in (FACE_DOWN, WHOLE_STACK, OUT_OF_SIGHT)]
    for trait in (
        submenu("Hide", lines),
        in_place(*whole, FACE_DOWN.stroke, f'{{{SIDE}=="{side}" && ObscuredToOthers==false}}'),
    ):
        yield trait.type, partial(_plain, trait.state)
    for track, type in ((INVISIBLE, hides), (MASKED, masks)):
        yield type, partial(_hide, track, type)
    trait = marker(**{SIDE: side})
    yield trait.type, partial(_plain, trait.state)


def _plain(state: str, values: Mapping[str, Value]) -> str:
    return state


def _hide(track: str, type: str, values: Mapping[str, Value]) -> str:
    return hidden_by(type, str(values.get(track, ""))).state


def is_seen(shown: str, hidden: str) -> str:
    """An expression of VASSAL: what the owner of a counter sees, and whoever plays no side; what others see instead."""
    return f'PlayerSide=="" || PlayerSide=="<observer>" || PlayerSide=={SIDE} ? {shown} : {hidden}'


def side_of(game: Game, unit: str) -> str:
    """The side of a unit's nation, "" if it is unknown."""
    nation = print_of(game, unit, game.file.picture.nation)
    return game.side_of(str(nation.value)) if nation and game.file.sides else ""


def face_down_image(side: str) -> str:
    """The file with what all counters of a side look like from behind."""
    return f"face-down-{file_word(side)}.png"


def pictures(game: Game) -> dict[str, Scene]:
    """What the counters of each side look like face down, by the names of their files: in the colour of its first
    nation.
    """
    palette = nation_palette(game)
    return {face_down_image(side): face_down(palette.nation(nations[0])) for side, nations in game.file.sides.items()}


def window(side: str) -> str:
    """The name of the window that only a side sees."""
    return f"Private: {side}"


def properties(game: Game) -> dict[str, str]:
    """The global properties by which the assistant knows these windows."""
    return {f"{PRIVATE} {window(side)}": side for side in game.file.sides}
