"""An answer drawn: what its question sketches as a scene, in letters, over a map that is drawn by others, and as the
pieces of a module. Nobody else needs to know which kinds of sketches there are.
"""

from __future__ import annotations

from ..asking.line_sketch import LineSketch
from ..asking.sketch import Chart, Drawable, Sketch
from ..asking.view import View
from ..game.covers import cover_counters
from ..state.overlay import Overlay
from ..util.errors import InputError
from .chart import chart_scene, opponent_colours
from .lines.on_module import line_pieces
from .lines.parts import choose_part, parts_shown, show_part
from .lines.scene import lines_over_map, lines_scene
from .lines.text_map import lines_map
from .scene import Rows, Scene
from .situation import OverMap
from .sketch.scene import sketch_over_map, sketch_scene
from .sketch.text_map import sketch_map


def draw_scene(view: View, drawn: Drawable, part: int = 0) -> Scene:
    """Return a sketch of any kind as a scene. part: the number of the only part of a front to draw, on a page of text;
    0 for all on one sheet.

        Raises InputError if no hex is left to draw, if a colour of the game is invalid, and for a part that there is
    not.
    """
    if part and not isinstance(drawn, LineSketch):
        raise InputError("this picture has no parts", hint="leave out the part")
    match drawn:
        case Sketch():
            return sketch_scene(view, drawn)
        case LineSketch() if part:
            return lines_scene(view, show_part(drawn, choose_part(parts_shown(view.board, drawn), part)), paged=True)
        case LineSketch():
            return lines_scene(view, drawn)
        case Chart():
            return chart_scene(drawn, opponent_colours(view, drawn.attackers, drawn.defenders))
    raise TypeError(f"{type(drawn).__name__} cannot be drawn")


def draw_letters(view: View, drawn: Drawable, width: int) -> Rows:
    """Return a sketch of hexes or lines as rows of letters. width: of the terminal, in letters. Raises InputError if no
    hex is left to show, or if they do not fit.
    """
    match drawn:
        case Sketch():
            return sketch_map(view, drawn, width)
        case LineSketch():
            return lines_map(view, drawn, width)
    raise TypeError(f"{type(drawn).__name__} has no map in letters")


def draw_over_map(view: View, drawn: Drawable) -> OverMap | None:
    """Return a sketch as it lies on a map that others draw; None for a picture of another kind. Raises InputError as
    `draw_scene`.
    """
    match drawn:
        case Sketch():
            return sketch_over_map(view, drawn)
        case LineSketch():
            return lines_over_map(view, drawn)
    return None


def place_pieces(view: View, drawn: Drawable | None) -> Overlay | None:
    """Return a sketch of lines as pieces of a VASSAL module, without units that somebody hides; None for another kind."""
    return line_pieces(drawn, cover_counters(view.game, view.state)) if isinstance(drawn, LineSketch) else None


def parts_of(view: View, drawn: Drawable) -> tuple[str, ...]:
    """Return the titles of the parts in which a front can be drawn: their armies and hexes; none of another picture."""
    return tuple(part.title for part in parts_shown(view.board, drawn)) if isinstance(drawn, LineSketch) else ()
