"""The fates of units in an answer.

A unit that enters a hex is drawn there, and pale in its old hex. A lost unit is crossed out, and one that breaks down
into others is cracked.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from types import MappingProxyType

from ...asking.sketch import FateKind, Sketch
from ...asking.view import View
from ...state.changes import Enter
from ...state.state import Unit
from ..colours import INK, WHITE
from ..counters import CounterPlace, Face, face_of_unit, stack_places
from ..geometry import PageBox
from ..map.survey import SurveyReader
from ..scene import Group, Layer, Path, Shape, inset
from ..style import COUNTER_MM

Shown = Mapping[str, Sequence[Face]]
"""The faces of the counters in each hex."""


def arrived_units(view: View, sketch: Sketch) -> dict[str, list[Unit]]:
    """Return the units that enter each hex from elsewhere."""
    names = dict.fromkeys(move.unit if isinstance(move, Enter) else move.subject for move in sketch.moves)
    before, after = view.state.units, view.quiet_view().after(sketch.moves).state.units if names else {}
    arrived = dict[str, list[Unit]]()
    for unit in (after[name] for name in names):
        if unit.place and (unit.id not in before or before[unit.id].place != unit.place):
            arrived.setdefault(unit.place, []).append(unit)
    return arrived


def arrived_faces(view: View, sketch: Sketch) -> dict[str, list[Face]]:
    """Return the counters of the units that enter each hex."""
    arrived = arrived_units(view, sketch)
    after = SurveyReader(view.quiet_view().after(sketch.moves) if arrived else view)
    return {hex: [face_of_unit(unit, after) for unit in units] for hex, units in arrived.items()}


def fate_layer(sketch: Sketch, before: Shown, arrived: Shown, room: Callable[[str], PageBox]) -> Layer:
    """Return the signs over units: a cross for lost, a crack for broken down, a veil for moved on.

    `before`, `arrived`: the units in each hex before the answer, and those that enter.
    """
    groups, moved = list[Shape](), {shown.id for faces in arrived.values() for shown in faces}
    for name, stack in before.items():
        places, _ = stack_places(len(stack) + len(arrived.get(name, ())), room(name))
        for depth, (shown, place) in enumerate(zip(stack, places, strict=False)):
            groups += _draw_signs(sketch, shown, place, moved, covered=depth > 0)
    return Layer("fates", tuple(groups))


def _draw_signs(
    sketch: Sketch, shown: Face, place: CounterPlace, moved: Collection[str], *, covered: bool
) -> Iterator[Group]:
    kind = sketch.removed.get(shown.id)
    if kind:
        words, shapes = FATE_WORDS[kind], FATE_SIGNS[kind](_symbol_box(place, covered=covered), 1.3 * place.scale)
        yield Group(f"{shown.id}: {words}", tuple(shapes))
    elif shown.id in moved:
        yield Group(f"{shown.id}: {LEFT_WORDS}", tuple(veil_shapes(_visible_box(place, covered=covered))))


LEFT_WORDS = "stood there before"
"""The meaning of the veil over a counter."""
FATE_WORDS: Mapping[FateKind, str] = MappingProxyType({"lost": "lost", "broken": "breaks down"})
"""The meaning of the sign over a unit, by its fate."""


def _visible_box(place: CounterPlace, *, covered: bool) -> PageBox:
    size = COUNTER_MM * place.scale
    return PageBox(place.x, place.y + (size - place.tab if covered else 0.0), place.x + size, place.y + size)


def _symbol_box(place: CounterPlace, *, covered: bool) -> PageBox:
    """Return the part of a counter for a sign: over its symbol, but clear of its name and figures."""
    size = COUNTER_MM * place.scale
    if covered:
        return PageBox(place.x + 0.2, place.y + size - place.tab, place.x + 1.4 * place.tab, place.y + size)
    return PageBox(place.x + 0.6, place.y + 0.6, place.x + size - 0.6, place.y + size * 0.53)


def veil_shapes(box: PageBox) -> list[Shape]:
    """Return a veil that makes a counter pale."""
    width, height = box.right - box.left, box.bottom - box.top
    return [inset((box.left, box.top, width, height), -0.2, radius=1.2, fill=WHITE, opacity=0.66)]


def _draw_cross(box: PageBox, width: float) -> list[Shape]:
    strokes = ((box.left, box.top), (box.right, box.bottom)), ((box.left, box.bottom), (box.right, box.top))
    return [
        Path(lines=strokes, stroke=WHITE, width=width * 1.3),
        Path(lines=strokes, stroke=LOST_COLOUR, width=width * 0.7),
    ]


_CRACK_SHARES = ((0.62, 0.0), (0.4, 0.3), (0.62, 0.45), (0.38, 0.75), (0.56, 1.0))
"""The corners of a crack, as shares of the width and height of its box."""


def _draw_crack(box: PageBox, width: float) -> list[Shape]:
    box_width, box_height = box.right - box.left, box.bottom - box.top
    line = tuple((box.left + box_width * across, box.top + box_height * down) for across, down in _CRACK_SHARES)
    return [Path(lines=(line,), stroke=WHITE, width=width * 1.5), Path(lines=(line,), stroke=INK, width=width * 0.7)]


FATE_SIGNS: Mapping[FateKind, Callable[[PageBox, float], list[Shape]]] = MappingProxyType(
    {"lost": _draw_cross, "broken": _draw_crack}
)
"""The functions that draw the sign of a fate in a box, with strokes of a width in mm."""
LOST_COLOUR = "#8f1226"
"""The colour of the cross over a lost unit."""
