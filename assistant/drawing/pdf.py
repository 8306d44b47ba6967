"""Scenes as PDF: one page each, fonts embedded, the same bytes for the same scenes.

reportlab makes the document and embeds the fonts. The shapes are written as PDF operators, which is many times faster than
its drawing calls and keeps the result equal to the SVG of the same scene.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import combining, normalize

import msgspec

from .scene import Circle, Group, Point, Polygon, Polyline, Rectangle, Scene, Shape, Symbol, SymbolPath, Text
from .strokes import strokes

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

MILLIMETRE = 72 / 25.4
"""In points."""
_FONTS = {False: "Vera", True: "VeraBd"}
_MISSING = "\u25ca"  # a lozenge; a "?" on a counter means an unknown value
#: The distance of the control points of a quarter circle from its ends, in radii.
_QUARTER = 0.5523
_ROUND, _BUTT, _MITRE = "1 J 1 j", "0 J 1 j", "0 J 0 j"


Area = tuple[float, float, float, float]
"""Left, top, width and height on a page."""


class PlacedScene(NamedTuple):
    """A scene on a page: its upper left corner and its drawn size, in the unit of the page.

    turned: whether it stands upside down. clip: the area of the page in which it is seen, None for all of it.
    """

    scene: Scene
    left: float
    top: float
    width: float
    height: float
    turned: bool = False
    clip: Area | None = None

    @property
    def box(self) -> Area:
        """Where it stands."""
        return self.left, self.top, self.width, self.height


class Page(msgspec.Struct, frozen=True):
    """A page with scenes, each clipped at its edges.

    trim: the area that is left when it is cut; bleed: the same with the border that is cut off. None: the whole page.
    """

    width: float
    height: float
    scenes: tuple[PlacedScene, ...]
    trim: Area | None = None
    bleed: Area | None = None


def to_pdf(scenes: Sequence[Scene], *, title: str = "") -> bytes:
    """A PDF with one page per scene, of the scene's size in millimetres.

    title: of the document. Raises ValueError if there is no scene, and for a length that is not finite or an invalid colour.
    """
    pages = [
        Page(scene.width, scene.height, (PlacedScene(scene, 0, 0, scene.width, scene.height),)) for scene in scenes
    ]
    return pages_to_pdf(pages, title=title)


def pages_to_pdf(pages: Sequence[Page], *, unit: float = MILLIMETRE, title: str = "", compress: bool = True) -> bytes:
    """A PDF of pages on which scenes are laid out, as for a sheet of counters.

    unit: of the pages, in points. compress: whether to compress the drawing. Raises ValueError as `to_pdf` does.
    """
    from reportlab.pdfgen.canvas import Canvas

    if not pages:
        raise ValueError("a PDF needs a page")
    _register_fonts()
    file = BytesIO()
    canvas = Canvas(file, invariant=1, pageCompression=int(compress), initialFontName=_FONTS[False])
    canvas.setTitle(title)
    writer = _Writer(canvas)
    writer.keep(placed.scene for page in pages for placed in page.scenes)
    for page in pages:
        _numbers(page.width, page.height)  # refuses an infinite page before reportlab sees it
        canvas.setPageSize((page.width * unit, page.height * unit))
        canvas.setTrimBox(_box(page, page.trim, unit))
        canvas.setBleedBox(_box(page, page.bleed or page.trim, unit))
        canvas.addLiteral(f"{unit:.6f} 0 0 {-unit:.6f} 0 {page.height * unit:.4f} cm 4 M")
        for placed in page.scenes:
            writer.scene(placed)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def _box(page: Page, area: Area | None, unit: float) -> tuple[float, float, float, float] | None:
    """An area in points, as PDF counts them: left, bottom, right, top."""
    if area is None:
        return None
    left, top, width, height = area
    corners = (left, page.height - top - height, left + width, page.height - top)
    return tuple(round(length * unit, 4) for length in corners)  # type: ignore[return-value]


def _register_fonts() -> None:
    from reportlab.pdfbase.pdfmetrics import getRegisteredFontNames, registerFont
    from reportlab.pdfbase.ttfonts import TTFont

    known = getRegisteredFontNames()
    for name in _FONTS.values():
        if name not in known:
            registerFont(TTFont(name, f"{name}.ttf"))  # both come with reportlab


class _Writer:
    """Writes shapes as operators of one document; repeated texts, colours and symbols are prepared once."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._text = cache(self._prepared_text)
        self._symbol = cache(symbol_operators)
        self._colour = cache(_colour)
        self._kept: dict[int, str] = {}

    def keep(self, scenes: Iterable[Scene]) -> None:
        """Write each scene that is there more than once as a form, which pages place. They must live on until the end."""
        found = list(scenes)
        times = Counter(map(id, found))
        for scene in found:
            if times[id(scene)] > 1 and id(scene) not in self._kept:
                self._kept[id(scene)] = self._form(scene, f"scene{len(self._kept)}")

    def _form(self, scene: Scene, name: str) -> str:
        from reportlab.pdfbase.pdfdoc import PDFResourceDictionary

        self._canvas.beginForm(name, 0, 0, *map(float, _numbers(scene.width, scene.height).split()))
        for layer in scene.layers:
            self._shapes(layer.shapes)
        resources = PDFResourceDictionary()
        resources.basicFonts()
        resources.ExtGState = self._canvas._extgstate.getState()  # reportlab leaves opacity out of forms
        self._canvas.endForm(Resources=resources)
        return name

    def scene(self, placed: PlacedScene) -> None:
        scene, (across, down) = placed.scene, (placed.width / placed.scene.width, placed.height / placed.scene.height)
        at = _numbers(placed.left, placed.top)
        if placed.turned:
            across, down, at = -across, -down, _numbers(placed.left + placed.width, placed.top + placed.height)
        seen = f"{_numbers(*placed.clip)} re W n " if placed.clip else ""
        self._write(f"q {seen}{across:.6f} 0 0 {down:.6f} {at} cm")
        if id(scene) in self._kept:
            self._canvas.doForm(self._kept[id(scene)])
        else:
            self._write(f"0 0 {_numbers(scene.width, scene.height)} re W n")
            for layer in scene.layers:
                self._shapes(layer.shapes)
        self._write("Q")

    def _write(self, operators: str) -> None:
        self._canvas.addLiteral(operators)

    def _shapes(self, shapes: Sequence[Shape]) -> None:
        for shape in shapes:
            match shape:
                case Polygon():
                    path = _through(shape.points) + " h"
                    self._painted(path, shape.fill, shape.stroke, shape.width, shape.opacity)
                case Polyline():
                    self._polyline(shape)
                case Rectangle():
                    path = _rectangle(shape)
                    self._painted(path, shape.fill, shape.stroke, shape.stroke_width, shape.opacity)
                case Circle():
                    self._painted(_circle(shape), shape.fill, shape.stroke, shape.width, 1)
                case Text():
                    self._lettering(shape)
                case Symbol():
                    self._drawn_symbol(shape)
                case Group():
                    self._shapes(shape.shapes)

    def _faint(self, opacity: float, draw: Callable[[], None]) -> None:
        """Draw with an opacity from 0 to 1."""
        if opacity >= 1:
            draw()
            return
        self._canvas.saveState()
        self._canvas.setFillAlpha(opacity)
        self._canvas.setStrokeAlpha(opacity)
        draw()
        self._canvas.restoreState()

    def _painted(self, path: str, fill: str, stroke: str, width: float, opacity: float) -> None:
        inks = f"{self._colour(fill)} rg " if fill else ""
        if stroke:
            inks += f"{self._colour(stroke)} RG {_numbers(width)} w {_MITRE} "
        if inks:
            self._faint(opacity, lambda: self._write(f"{inks}{path} {_paint(bool(fill), bool(stroke))}"))

    def _polyline(self, line: Polyline) -> None:
        for stroke in strokes(line):
            colour, width, path = self._colour(stroke.colour), _numbers(stroke.width), _through(stroke.points)
            ends = _ROUND if stroke.round_ends else _BUTT
            if stroke.is_head:
                drawn = f"{colour} rg {colour} RG {width} w {ends} {path} h {_paint(True, stroke.width > 0)}"
            elif stroke.dash:
                drawn = f"{colour} RG {width} w {ends} [{_numbers(*stroke.dash)}] 0 d {path} S [] 0 d"
            else:
                drawn = f"{colour} RG {width} w {ends} {path} S"
            self._faint(stroke.opacity, lambda drawn=drawn: self._write(drawn))  # type: ignore[misc]

    def _lettering(self, text: Text) -> None:
        if not text.text:
            return
        shown, width = self._text(text.text, text.bold)
        x = text.x - {"start": 0.0, "middle": 0.5, "end": 1.0}[text.anchor] * width * text.size
        size = _numbers(text.size)
        rim = f"1 Tr 0.3 w 1 j {self._colour(text.halo)} RG {shown} 0 Tr " if text.halo else ""
        self._write(f"q {size} 0 0 -{size} {_numbers(x, text.y)} cm {rim}{self._colour(text.fill)} rg {shown} Q")

    def _prepared_text(self, text: str, bold: bool) -> tuple[str, float]:
        """The operators that show a text at size 1 from the origin, and its width there."""
        font = _FONTS[bold]
        shown = _showable(text)
        drawn = self._canvas.beginText(0, 0)
        drawn.setFont(font, 1)
        drawn.textOut(shown)
        return drawn.getCode(), self._canvas.stringWidth(shown, font, 1)

    def _drawn_symbol(self, symbol: Symbol) -> None:
        """Draw a symbol as SVG draws a nested svg element: scaled evenly, centred in its box and clipped to it."""
        left, top, wide, high = symbol.view_box
        scale = min(symbol.width / wide, symbol.height / high)
        x = symbol.x + (symbol.width - wide * scale) / 2 - left * scale
        y = symbol.y + (symbol.height - high * scale) / 2 - top * scale
        box = _numbers(symbol.x, symbol.y, symbol.width, symbol.height)
        at, ink = f"{scale:.6f} 0 0 {scale:.6f} {_numbers(x, y)}", self._colour(symbol.ink)
        drawn = f"q {box} re W n {at} cm {ink} rg {ink} RG {self._symbol(symbol.paths)} Q"
        self._faint(symbol.opacity, lambda: self._write(drawn))


def _paint(fill: bool, stroke: bool) -> str:
    """The operator that paints a path."""
    return "B" if fill and stroke else "f" if fill else "S" if stroke else "n"


def _colour(colour: str) -> str:
    """The red, green and blue of #rrggbb. Raises ValueError for anything else."""
    if not re.fullmatch("#[0-9a-fA-F]{6}", colour):
        raise ValueError(f"{colour!r} is not a colour: write it as #rrggbb")
    return " ".join(f"{int(colour[at : at + 2], 16) / 255:.4f}" for at in (1, 3, 5))


def _numbers(*values: float) -> str:
    """Lengths with three decimals. Raises ValueError for one that is not finite."""
    text = " ".join([f"{value:.3f}" for value in values])
    if "n" in text:  # nan, inf
        raise ValueError(f"{text} is not a length")
    return text


# --- letters ----------------------------------------------------------------------------------------------------------


def _showable(text: str) -> str:
    """The text in the letters of the fonts: a missing accent is dropped, any other missing letter becomes a lozenge."""
    from reportlab.pdfbase.pdfmetrics import getFont

    has = getFont(_FONTS[False]).face.charToGlyph  # the bold font has the same letters
    if all(ord(letter) in has for letter in text):
        return text
    return "".join(_with_letters(normalize("NFC", text), has))


def _with_letters(text: str, has: dict[int, int]) -> Iterator[str]:
    for letter in text:
        plain = normalize("NFD", letter)[0]
        if letter.isspace():
            yield " "
        elif ord(letter) in has:
            yield letter
        elif ord(plain) in has:
            yield plain
        elif not combining(letter):
            yield _MISSING


# --- paths ------------------------------------------------------------------------------------------------------------


def _through(points: Sequence[Point]) -> str:
    first, *others = [_numbers(x, y) for x, y in points]
    return f"{first} m " + " ".join([f"{point} l" for point in others])


def _rectangle(box: Rectangle) -> str:
    radius = min(box.radius, box.width / 2, box.height / 2)
    if radius <= 0:
        return f"{_numbers(box.x, box.y, box.width, box.height)} re"
    return _rounded(box.x, box.y, box.x + box.width, box.y + box.height, radius)


def _circle(circle: Circle) -> str:
    x, y, radius = circle.x, circle.y, circle.radius
    return _rounded(x - radius, y - radius, x + radius, y + radius, radius)


def _rounded(left: float, top: float, right: float, bottom: float, radius: float) -> str:
    """A box with rounded corners, clockwise from the left end of its upper side."""
    r, k = radius, radius * (1 - _QUARTER)
    return (
        f"{_numbers(left + r, top)} m {_numbers(right - r, top)} l "
        f"{_numbers(right - k, top, right, top + k, right, top + r)} c {_numbers(right, bottom - r)} l "
        f"{_numbers(right, bottom - k, right - k, bottom, right - r, bottom)} c {_numbers(left + r, bottom)} l "
        f"{_numbers(left + k, bottom, left, bottom - k, left, bottom - r)} c {_numbers(left, top + r)} l "
        f"{_numbers(left, top + k, left + k, top, left + r, top)} c h"
    )


class _Pen:
    """A pen for fontTools that records a path as operators."""

    def __init__(self) -> None:
        self.operators: list[str] = []
        self._at: Point = (0.0, 0.0)

    def _add(self, operator: str, *points: Point) -> None:
        self._at = points[-1] if points else self._at
        self.operators.append(f"{_numbers(*(value for point in points for value in point))} {operator}")

    def moveTo(self, point: Point) -> None:  # noqa: N802
        self._add("m", point)

    def lineTo(self, point: Point) -> None:  # noqa: N802
        self._add("l", point)

    def curveTo(self, *points: Point) -> None:  # noqa: N802
        self._add("c", *points)

    def qCurveTo(self, control: Point, end: Point) -> None:  # noqa: N802
        (x0, y0), (x, y), (x1, y1) = self._at, control, end
        self._add(
            "c", (x0 + (x - x0) * 2 / 3, y0 + (y - y0) * 2 / 3), (x1 + (x - x1) * 2 / 3, y1 + (y - y1) * 2 / 3), end
        )

    def closePath(self) -> None:  # noqa: N802
        self.operators.append("h")

    def endPath(self) -> None:  # noqa: N802
        """An open path needs no operator."""


def symbol_operators(paths: tuple[SymbolPath, ...]) -> str:
    """The operators that draw a symbol's paths in the units of its view box, in the current colours.

    Raises ValueError for an invalid path.
    """
    from fontTools.svgLib.path.parser import parse_path

    drawn = []
    for path in paths:
        if path.filled or path.width:
            pen = _Pen()
            try:
                parse_path(path.data, pen)
            except (ValueError, LookupError, ArithmeticError) as error:
                raise ValueError(f"{path.data!r} is not a path: {error}") from None
            ends = _ROUND if path.round_ends else _MITRE
            stroke = f"{_numbers(path.width)} w {ends}" if path.width else ""
            drawn.append(f"{stroke} {' '.join(pen.operators)} {_paint(path.filled, bool(path.width))}")
    return " ".join(drawn)
