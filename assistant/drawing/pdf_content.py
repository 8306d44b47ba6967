"""What scenes are in PDF: their shapes as operators, whichever document they are for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from math import cos, radians, sin
from zlib import compress

import msgspec

from .lettering import Placed
from .lettering import placed as placed_text
from .pdf_paths import (
    BUTT,
    MITRE,
    ROUND,
    circle_path,
    colour,
    numbers,
    paint,
    rectangle_path,
    symbol_operators,
    through,
)
from .scene import (
    ANCHORS,
    SLANT,
    Bitmap,
    Circle,
    Group,
    Marks,
    Path,
    Polygon,
    Polyline,
    Rectangle,
    Scene,
    Shape,
    Symbol,
    Text,
)
from .strokes import strokes

Parts = tuple[tuple[float, str], ...]
"""Operators in parts, with an opacity each."""


class Content:
    """The operators of scenes in one document; repeated shapes and texts are prepared once.

    letters: the operators that choose a face, bold or not, at size 1 and show a text in it.
    """

    def __init__(self, letters: Callable[[Placed, bool], str]) -> None:
        self._letters = letters
        self._text = cache(self._prepared_text)
        self._symbol = cache(symbol_operators)
        self._operators = cache(self._drawn_shape)  # counters have most of their shapes in common

    def parts(self, scene: Scene) -> Iterator[tuple[float, str]]:
        """What a scene draws, in its unit, y down."""
        for layer in scene.layers:
            for shape in layer.shapes:
                yield from self._operators(shape)

    def _drawn_shape(self, shape: Shape) -> Parts:
        match shape:
            case Polygon():
                path = through(shape.points) + " h"
                return _painted(path, shape.fill, shape.stroke, shape.width, shape.opacity)
            case Polyline():
                return _polyline(shape)
            case Path():
                return _path(shape)
            case Rectangle():
                path = rectangle_path(shape)
                return _painted(path, shape.fill, shape.stroke, shape.stroke_width, shape.opacity)
            case Circle():
                return _painted(circle_path(shape), shape.fill, shape.stroke, shape.width, 1)
            case Text():
                return self._lettering(shape)
            case Symbol():
                return self._drawn_symbol(shape)
            case Marks():
                return self._marks(shape)
            case Bitmap():
                return _bitmap(shape)
            case Group():
                return tuple([part for one in shape.shapes for part in self._operators(one)])

    def _lettering(self, text: Text) -> Parts:
        if not text.text:
            return ()
        shown, width = self._text(text.text, text.bold)
        x = text.x - ANCHORS[text.anchor] * width * text.size
        size = numbers(text.size)
        at = f"{size} 0 0 -{size} {numbers(x, text.y)} Tm"
        if text.turn or text.slant:
            at = _turned(text, width)
        if text.halo:
            at += f" {numbers(text.size * 0.3)} w 1 j {colour(text.halo)} RG 1 Tr {shown} 0 Tr {at}"
        return ((1.0, f"BT {at} {colour(text.fill)} rg {shown} ET"),)

    def _prepared_text(self, text: str, bold: bool) -> tuple[str, float]:
        """The operators that show a text at size 1, kerned, and its width there."""
        placed = placed_text(text, bold=bold)
        return self._letters(placed, bold), placed.width / 1000

    def _drawn_symbol(self, symbol: Symbol) -> Parts:
        """Draw a symbol as SVG draws a nested svg element: scaled evenly, centred in its box and clipped to it."""
        left, top, wide, high = symbol.view_box
        scale = min(symbol.width / wide, symbol.height / high)
        x = symbol.x + (symbol.width - wide * scale) / 2 - left * scale
        y = symbol.y + (symbol.height - high * scale) / 2 - top * scale
        box = numbers(symbol.x, symbol.y, symbol.width, symbol.height)
        at, ink = f"{scale:.6f} 0 0 {scale:.6f} {numbers(x, y)}", colour(symbol.ink)
        drawn = f"q {box} re W n {at} cm {ink} rg {ink} RG {self._symbol(symbol.paths)} Q"
        return ((symbol.opacity, drawn),)

    def _marks(self, marks: Marks) -> Parts:
        symbol = msgspec.structs.replace(marks.symbol, x=0.0, y=0.0)
        ((opacity, drawn),) = self._drawn_symbol(symbol)
        placed = [f"q 1 0 0 1 {numbers(x, y)} cm {drawn} Q" for x, y in marks.points]
        return ((opacity, "\n".join(placed)),) if placed else ()


def _turned(text: Text, width: float) -> str:
    """The operator that places a text that is turned or leans. width: at size 1."""
    angle, before = radians(text.turn), ANCHORS[text.anchor] * width * text.size
    across, down = cos(angle), sin(angle)
    lean = SLANT if text.slant else 0.0
    size = text.size
    axes = numbers(across * size, down * size, (lean * across + down) * size, (lean * down - across) * size)
    return f"{axes} {numbers(text.x - before * across, text.y - before * down)} Tm"


def _bitmap(bitmap: Bitmap) -> Parts:
    """A picture within the drawing itself, as plain letters, so that a document has nothing else to hold."""
    place = numbers(bitmap.width, 0, 0, -bitmap.height, bitmap.x, bitmap.y + bitmap.height)
    about = f"/W {bitmap.columns} /H {bitmap.rows} /CS /RGB /BPC 8 /F [/AHx /Fl]"
    return ((1.0, f"q {place} cm BI {about} ID {compress(bitmap.pixels).hex()}> EI Q"),)


def _path(path: Path) -> Parts:
    if not path.lines or not (path.fill or path.stroke):
        return ()
    inks = f"{colour(path.fill)} rg " if path.fill else ""
    after = ""
    if path.stroke:
        inks += f"{colour(path.stroke)} RG {numbers(path.width)} w {BUTT if path.butt else ROUND} "
        if path.dash:
            inks, after = f"{inks}[{numbers(*path.dash)}] 0 d ", " [] 0 d"
    end = " h" if path.closed else ""
    how = paint(bool(path.fill), bool(path.stroke)) + ("*" if path.fill and path.holes else "")
    drawn = "\n".join([through(line) + end for line in path.lines])
    return ((path.opacity, f"{inks}{drawn} {how}{after}"),)


def _painted(path: str, fill: str, stroke: str, width: float, opacity: float) -> Parts:
    inks = f"{colour(fill)} rg " if fill else ""
    if stroke:
        inks += f"{colour(stroke)} RG {numbers(width)} w {MITRE} "
    return ((opacity, f"{inks}{path} {paint(bool(fill), bool(stroke))}"),) if inks else ()


def _polyline(line: Polyline) -> Parts:
    parts = []
    for stroke in strokes(line):
        ink, width, path = colour(stroke.colour), numbers(stroke.width), through(stroke.points)
        ends = ROUND if stroke.round_ends else BUTT
        if stroke.is_head:
            drawn = f"{ink} rg {ink} RG {width} w {ends} {path} h {paint(True, stroke.width > 0)}"
        elif stroke.dash:
            drawn = f"{ink} RG {width} w {ends} [{numbers(*stroke.dash)}] 0 d {path} S [] 0 d"
        else:
            drawn = f"{ink} RG {width} w {ends} {path} S"
        parts.append((stroke.opacity, drawn))
    return tuple(parts)
