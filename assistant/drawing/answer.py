"""The drawings of an answer: a scene, a text map, an overlay for another map, and pieces of a module."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ..asking.line_sketch import LineSketch, find_worst_status, weigh_hexsides
from ..asking.sketch import Chart, Drawable, Sketch
from ..asking.view import View
from ..game.covers import cover_counters
from ..state.overlay import SOURCE, Overlay, OverlayStep, Tint
from ..state.state import INVISIBLE, MASKED, GameState
from ..util.errors import InputError
from .chart import chart_scene, opponent_colours
from .lines.parts import choose_part, parts_shown, show_part
from .lines.scene import lines_over_map, lines_scene
from .lines.text_map import lines_map
from .scene import Rows, Scene
from .situation import OverMap
from .sketch.scene import sketch_over_map, sketch_scene
from .sketch.text_map import sketch_map


def draw_scene(view: View, drawn: Drawable, part: int = 0) -> Scene:
    """Return a sketch of any kind as a scene.

    `part`: the part of a front to draw on a page of text, from 1, or 0 for the whole front on one sheet.

    Raises InputError if there are no hexes to draw, if a colour of the game is invalid, or if there is no such part.
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
    """Return a sketch of hexes or lines as rows of text.

    Raises InputError if there are no hexes to show, or if they do not fit the width.
    """
    match drawn:
        case Sketch():
            return sketch_map(view, drawn, width)
        case LineSketch():
            return lines_map(view, drawn, width)
    raise TypeError(f"{type(drawn).__name__} has no map in letters")


def draw_over_map(view: View, drawn: Drawable) -> OverMap | None:
    """Return a sketch to be laid over a map drawn elsewhere, or None for a chart.

    Raises InputError as `draw_scene` does.
    """
    match drawn:
        case Sketch():
            return sketch_over_map(view, drawn)
        case LineSketch():
            return lines_over_map(view, drawn)
    return None


def place_pieces(view: View, drawn: Drawable | None) -> Overlay | None:
    """Return a sketch of lines as pieces of a VASSAL module without hidden units, or None for another kind."""
    return line_pieces(drawn, cover_counters(view.game, view.state)) if isinstance(drawn, LineSketch) else None


def parts_of(view: View, drawn: Drawable) -> tuple[str, ...]:
    """Return the titles of the parts of a front, or none for another picture."""
    return tuple(part.title for part in parts_shown(view.board, drawn)) if isinstance(drawn, LineSketch) else ()


def line_pieces(shown: LineSketch, state: GameState) -> Overlay:
    """Return the pieces for a sketch, lines first.

    Hidden units are left out, because all players see the pieces.
    """
    hidden = {unit for track, unit in state.facts if track in (MASKED, INVISIBLE)}
    return (*_list_links(shown, hidden), *_list_tints(shown, hidden))


def _list_links(shown: LineSketch, hidden: Collection[str]) -> Iterator[OverlayStep]:
    strands = [strand for strand in shown.strands if strand.unit not in hidden]
    for side in shown.sides:
        for name, weight in weigh_hexsides(strands, side).items():
            here, there = name.split("|")
            yield OverlayStep(side, weight.full, here, there)


def _list_tints(shown: LineSketch, hidden: Collection[str]) -> Iterator[Tint]:
    units = [unit for unit in shown.units if unit.unit not in hidden]
    for side, place in dict.fromkeys((unit.side, unit.place) for unit in units):
        there = [unit.status for unit in units if (unit.side, unit.place) == (side, place)]
        yield Tint(side, find_worst_status(there), place)
    for side, place in dict.fromkeys(
        (origin.side, origin.place) for origin in shown.origins if origin.unit not in hidden
    ):
        yield Tint(side, SOURCE, place)
