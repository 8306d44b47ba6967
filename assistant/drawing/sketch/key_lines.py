"""Lines of words below the map of a sketch: reasons, fates, results, and what is owed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from ...asking.sketch import FateKind, Role, Sketch
from ..colours import INK, WHITE
from ..geometry import PageBox
from ..legend import Draw
from ..lettering import base_line, wrap
from ..scene import Circle, Layer, Path, Shape, Text, text_lines
from ..style import MARGIN
from .fates import FATE_SIGNS
from .key import STYLE, draw_tag

LINE = 4.5  # mm, the height of a line of words below the map


class KeyLines:
    """Paragraphs below the map, each behind a sign. width: of a line, in millimetres."""

    def __init__(self, paragraphs: Iterable[tuple[Draw, str]], width: float, *, bold: bool = False) -> None:
        room = width - STYLE.swatch - 1.6
        self._bold = bold
        self._paragraphs = [(draw, wrap(text, STYLE.size, room, bold=bold)) for draw, text in paragraphs]

    @property
    def height(self) -> float:
        """The height of all of them, in millimetres."""
        return sum(len(lines) * LINE + 1.2 for _, lines in self._paragraphs)

    def layer(self, top: float) -> Layer:
        """Return the paragraphs with their upper edge there."""
        shapes, y = list[Shape](), top
        for draw, lines in self._paragraphs:
            shapes += draw(MARGIN + STYLE.swatch / 2, y + LINE / 2)
            base, x = base_line(y + LINE / 2, STYLE.size), MARGIN + STYLE.swatch + 1.6
            shapes += text_lines(lines, base, STYLE.size, LINE / STYLE.size, x=x, bold=self._bold, fill=INK)
            y += len(lines) * LINE + 1.2
        return Layer("reasons", tuple(shapes))


def reason_lines(sketch: Sketch, width: float) -> KeyLines:
    """Return the reasons by their letters, with the hexes that have them."""
    return KeyLines(((partial(draw_tag, role, "", letter), text) for letter, role, text in list_reasons(sketch)), width)


def list_reasons(sketch: Sketch) -> Iterator[tuple[str, Role, str]]:
    """Yield each reason: its letter, the part of the hexes that have it, and the hexes with it in words."""
    for letter, why in sketch.letters.items():
        spots = [spot for spot in sketch.spots if spot.why == why]
        yield letter, spots[0].role, f"{', '.join(spot.hex for spot in spots)}: {why}"


def owed_lines(sketch: Sketch, width: float) -> KeyLines:
    """Return what is still to be chosen or rolled."""
    return KeyLines(((_draw_question, text) for text in sketch.owed), width, bold=True)


def fate_lines(sketch: Sketch, width: float) -> KeyLines:
    """Return what becomes of units."""
    return KeyLines(((partial(_draw_fate, fate.kind), fate.line) for fate in sketch.fates), width, bold=True)


def _draw_fate(kind: FateKind, x: float, y: float) -> Sequence[Shape]:
    if kind == "stays":
        return _draw_result(x, y)
    return FATE_SIGNS[kind](PageBox(x - 1.7, y - 1.7, x + 1.7, y + 1.7), 0.9)


def result_lines(sketch: Sketch, width: float) -> KeyLines:
    """Return what becomes of units and tracks."""
    sign = _draw_remark if sketch.levels else _draw_result  # on a shaded map arrows are attacks
    return KeyLines(((sign, text) for text in sketch.results), width)


def _draw_remark(x: float, y: float) -> Sequence[Shape]:
    return [Circle(x=x, y=y, radius=0.7, fill=INK)]


def _draw_result(x: float, y: float) -> Sequence[Shape]:
    head = ((x + 0.2, y - 1.6), (x + 2.2, y), (x + 0.2, y + 1.6))
    return [Path(lines=(((x - 2.2, y), (x + 2.0, y)), head), stroke=INK, width=0.7)]


def _draw_question(x: float, y: float) -> Sequence[Shape]:
    size = 3.4
    mark = Text(x=x, y=base_line(y, size), text="?", size=size, anchor="middle", bold=True, fill=WHITE)
    return [Circle(x=x, y=y, radius=2.2, fill=INK), mark]
