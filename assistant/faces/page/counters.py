"""Counters as they lie on the table: of a unit, of the stack in a hex, and the markers there, each as SVG."""

from __future__ import annotations

from collections.abc import Iterator

from ...asking.view import View
from ...drawing.counters import draw_stack, face_of_unit, unseen_face
from ...drawing.geometry import PageBox
from ...drawing.layout import Layout
from ...drawing.map.survey import SurveyReader
from ...drawing.scene import Layer, Scene, Shape
from ...drawing.situation import LABEL_HEIGHT, counters_of, marker_layer
from ...drawing.style import COUNTER
from ...drawing.svg import to_svg
from ...drawing.symbols import Symbols
from ...game.boards import Board
from ...util.errors import InputError

_EDGE = 0.5
"""The room round a counter, for its outline and its shadow."""


def draw_counter(view: View, name: str) -> str:
    """Return the counter of a unit. Raises InputError for an unknown one."""
    unit = view.unit(name)
    reader = SurveyReader(view)
    unseen = next((at for at, stand_in in view.unseen.items() if stand_in.id == unit.id), None)
    if unseen is None:
        shown = face_of_unit(unit, reader)
    else:
        shown = unseen_face(reader.unseen_nation(unseen) or "", reader.palette)
    room = PageBox(_EDGE, _EDGE, _EDGE + COUNTER, _EDGE + COUNTER)
    groups, _ = draw_stack([shown], room, Symbols(view.game))
    return _svg(COUNTER + 2 * _EDGE, COUNTER + 2 * _EDGE, shown.title, *groups)


def draw_stack_at(view: View, place: str) -> str:
    """Return the counters in a hex, in a picture of the hex. Raises InputError for what is not a hex, and where none
    stands.
    """
    layout = _hex(view.board, place)
    counters, _, faces = counters_of(layout, SurveyReader(view), Symbols(view.game), (), {})
    if not counters.shapes:
        raise InputError(f"no unit stands in {place}")
    title = f"{place}: {'; '.join(shown.title for shown in faces[place])}"
    return _svg(layout.width, layout.height, title, *counters.shapes)


def counter_layers(view: View, layout: Layout) -> tuple[Layer, Layer]:
    """Return the counters in the hexes of a layout, and the markers beside them; at the foot of each hex there is room
    for words.
    """
    reader = SurveyReader(view)
    symbols = Symbols(view.game)
    counters, boxes, _ = counters_of(layout, reader, symbols, (), dict.fromkeys(layout.names, LABEL_HEIGHT))
    return counters, marker_layer(layout, reader, symbols, (), boxes)


def draw_markers(view: View) -> Iterator[tuple[str, str]]:
    """Yield the markers in each hex that has some, beside its counters, in a picture of the hex."""
    shown = view.game.file.picture.markers
    reader = SurveyReader(view)
    symbols = Symbols(view.game)
    for place in dict.fromkeys(at for name, at in view.stated if name in shown and view.board.shows(at)):
        layout = _hex(view.board, place)
        _, boxes, _ = counters_of(layout, reader, symbols, (), {})
        if markers := marker_layer(layout, reader, symbols, (), boxes).shapes:
            yield place, _svg(layout.width, layout.height, "", *markers)


def _hex(board: Board, place: str) -> Layout:
    if not board.shows(place):
        raise InputError(f"{place} is not a hex of the map")
    return Layout(board, [place])


def _svg(width: float, height: float, title: str, *shapes: Shape) -> str:
    return to_svg(Scene(width=width, height=height, title=title, layers=(Layer("counters", shapes),)))
