"""Counters as they lie on the table: of a unit, of the stack in a hex, and the markers there, each as SVG."""

from __future__ import annotations

from ..drawing.scene import Layer, Scene, Shape
from ..drawing.svg import to_svg
from ..game.boards import Board
from ..pictures.counters import draw_stack, face, unseen_face
from ..pictures.layout import Area, Layout
from ..pictures.map.survey import Look
from ..pictures.situation import counters_of, marker_layer
from ..pictures.style import COUNTER
from ..pictures.symbols import Symbols
from ..questions.view import View
from ..util.errors import InputError

_EDGE = 0.5
"""The room round a counter, for its outline and its shadow."""


def draw_counter(view: View, name: str) -> str:
    """The counter of a unit. Raises InputError for an unknown one."""
    unit, look = view.unit(name), Look(view)
    unseen = next((at for at, stand_in in view.unseen.items() if stand_in.id == unit.id), None)
    shown = face(unit, look) if unseen is None else unseen_face(look.unseen_nation(unseen) or "", look.palette)
    room = Area(_EDGE, _EDGE, _EDGE + COUNTER, _EDGE + COUNTER)
    groups, _ = draw_stack([shown], room, Symbols(view.game))
    return _svg(COUNTER + 2 * _EDGE, COUNTER + 2 * _EDGE, shown.title, *groups)


def draw_stack_at(view: View, place: str) -> str:
    """The counters in a hex, in a picture of the hex. Raises InputError for what is not a hex, and where none stands."""
    layout = _hex(view.board, place)
    counters, _, faces = counters_of(layout, Look(view), Symbols(view.game), (), ())
    if not counters.shapes:
        raise InputError(f"no unit stands in {place}")
    title = f"{place}: {'; '.join(face.title for face in faces[place])}"
    return _svg(layout.width, layout.height, title, *counters.shapes)


def draw_markers(view: View, place: str) -> str:
    """The markers in a hex, beside its counters, in a picture of the hex; "" where there are none."""
    layout, look, symbols = _hex(view.board, place), Look(view), Symbols(view.game)
    _, boxes, _ = counters_of(layout, look, symbols, (), ())
    markers = marker_layer(layout, look, symbols, (), boxes).shapes
    return _svg(layout.width, layout.height, "", *markers) if markers else ""


def marked_hexes(view: View) -> list[str]:
    """The hexes that may have markers: those of which a fact is stated that a marker shows."""
    shown = view.game.file.picture.markers
    return list(dict.fromkeys(at for name, at in view.stated if name in shown and view.board.is_hex(at)))


def _hex(board: Board, place: str) -> Layout:
    if not board.is_hex(place):
        raise InputError(f"{place} is not a hex")
    return Layout(board, [place])


def _svg(width: float, height: float, title: str, *shapes: Shape) -> str:
    return to_svg(Scene(width=width, height=height, title=title, layers=(Layer("counters", shapes),)))
