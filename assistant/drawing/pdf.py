"""Scenes as PDF: vector art with the letters that it uses embedded, the same bytes for the same scenes.

reportlab makes the document and embeds the fonts. The shapes are written as PDF operators, which is many times faster than
its drawing calls and keeps the result equal to the SVG of the same scene.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from .lettering import face_file
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
from .scene import ANCHORS, Circle, Group, Polygon, Polyline, Rectangle, Scene, Shape, Symbol, Text
from .strokes import strokes

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

MILLIMETRE = 72 / 25.4
"""In points."""
Box = tuple[float, float, float, float]
"""Left, top, width and height, in the unit of a page."""
_FACES = {False: "Condensed-Regular", True: "Condensed-Bold"}


class PlacedScene(NamedTuple):
    """A scene on a page: its upper left corner and its drawn size, in the unit of the page.

    turned: upside down, by half a turn in its place. clip: what is seen of it, None for all of the scene.
    """

    scene: Scene
    left: float
    top: float
    width: float
    height: float
    turned: bool = False
    clip: Box | None = None


class Page(msgspec.Struct, frozen=True):
    """A page with scenes, each clipped at its edges. trim, bleed: the boxes that a printer reads, None for the whole page."""

    width: float
    height: float
    scenes: tuple[PlacedScene, ...]
    trim: Box | None = None
    bleed: Box | None = None


def to_pdf(scenes: Sequence[Scene], *, title: str = "") -> bytes:
    """A PDF with one page per scene, of the scene's size in millimetres.

    title: of the document. Raises ValueError if there is no scene, and for a length that is not finite or an invalid colour.
    """
    pages = [
        Page(scene.width, scene.height, (PlacedScene(scene, 0, 0, scene.width, scene.height),)) for scene in scenes
    ]
    return pages_to_pdf(pages, title=title)


def pages_to_pdf(pages: Sequence[Page], *, unit: float = MILLIMETRE, title: str = "", compress: bool = True) -> bytes:
    """A PDF of pages on which scenes are laid out, as for a sheet of counters; a scene in several places is held once.

    unit: of the pages, in points. compress: whether to compress the drawing. Raises ValueError as `to_pdf` does.
    """
    from reportlab.pdfgen.canvas import Canvas

    if not pages:
        raise ValueError("a PDF needs a page")
    _register_faces()
    file = BytesIO()
    canvas = Canvas(file, invariant=1, pageCompression=int(compress), initialFontName=_FACES[False])
    canvas.setTitle(title)
    writer = _Writer(canvas, Counter(id(placed.scene) for page in pages for placed in page.scenes))
    for page in pages:
        numbers(page.width, page.height)  # refuses an infinite page before reportlab sees it
        canvas.setPageSize((page.width * unit, page.height * unit))
        canvas.setTrimBox(_corners(page.trim, page, unit))
        canvas.setBleedBox(_corners(page.bleed, page, unit))
        canvas.addLiteral(f"{unit:.6f} 0 0 {-unit:.6f} 0 {page.height * unit:.4f} cm 4 M")
        for placed in page.scenes:
            writer.placed(placed)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def _corners(box: Box | None, page: Page, unit: float) -> Box | None:
    """The lower left and upper right corner of a box, in points from the lower left of the page."""
    if box is None:
        return None
    left, top, wide, high = box
    return left * unit, (page.height - top - high) * unit, (left + wide) * unit, (page.height - top) * unit


def _register_faces() -> None:
    from reportlab.pdfbase.pdfmetrics import getRegisteredFontNames, registerFont
    from reportlab.pdfbase.ttfonts import TTFont

    known = getRegisteredFontNames()
    for bold, name in _FACES.items():
        if name not in known:
            registerFont(TTFont(name, BytesIO(face_file(bold=bold))))


class _Writer:
    """Writes scenes as operators of one document; repeated scenes, texts and symbols are prepared once."""

    def __init__(self, canvas: Canvas, uses: Counter[int]) -> None:
        self._canvas, self._uses = canvas, uses
        self._forms: dict[int, str] = {}
        self._text = cache(self._prepared_text)
        self._symbol = cache(symbol_operators)

    def placed(self, placed: PlacedScene) -> None:
        """A scene in its place on a page."""
        scene, (across, down) = placed.scene, (placed.width / placed.scene.width, placed.height / placed.scene.height)
        form = self._form(scene) if self._uses[id(scene)] > 1 else ""
        x, y = placed.left, placed.top
        if placed.turned:
            x, y, across, down = x + placed.width, y + placed.height, -across, -down
        clip = f"{numbers(*placed.clip)} re W n " if placed.clip else ""
        self._write(f"q {clip}{across:.6f} 0 0 {down:.6f} {numbers(x, y)} cm")
        if form:
            self._canvas.doForm(form)
        else:
            self._write(f"0 0 {numbers(scene.width, scene.height)} re W n")
            self._drawn(scene)
        self._write("Q")

    def _form(self, scene: Scene) -> str:
        """The name of a scene that is held once."""
        name = self._forms.get(id(scene))
        if name is None:
            name = self._forms[id(scene)] = f"scene{len(self._forms)}"
            self._canvas.beginForm(name, 0, 0, scene.width, scene.height)
            self._drawn(scene)
            self._canvas.endForm()
        return name

    def _drawn(self, scene: Scene) -> None:
        for layer in scene.layers:
            self._shapes(layer.shapes)

    def _write(self, operators: str) -> None:
        self._canvas.addLiteral(operators)

    def _shapes(self, shapes: Sequence[Shape]) -> None:
        for shape in shapes:
            match shape:
                case Polygon():
                    path = through(shape.points) + " h"
                    self._painted(path, shape.fill, shape.stroke, shape.width, shape.opacity)
                case Polyline():
                    self._polyline(shape)
                case Rectangle():
                    path = rectangle_path(shape)
                    self._painted(path, shape.fill, shape.stroke, shape.stroke_width, shape.opacity)
                case Circle():
                    self._painted(circle_path(shape), shape.fill, shape.stroke, shape.width, 1)
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
        inks = f"{colour(fill)} rg " if fill else ""
        if stroke:
            inks += f"{colour(stroke)} RG {numbers(width)} w {MITRE} "
        if inks:
            self._faint(opacity, lambda: self._write(f"{inks}{path} {paint(bool(fill), bool(stroke))}"))

    def _polyline(self, line: Polyline) -> None:
        for stroke in strokes(line):
            ink, width, path = colour(stroke.colour), numbers(stroke.width), through(stroke.points)
            ends = ROUND if stroke.round_ends else BUTT
            if stroke.is_head:
                drawn = f"{ink} rg {ink} RG {width} w {ends} {path} h {paint(True, stroke.width > 0)}"
            elif stroke.dash:
                drawn = f"{ink} RG {width} w {ends} [{numbers(*stroke.dash)}] 0 d {path} S [] 0 d"
            else:
                drawn = f"{ink} RG {width} w {ends} {path} S"
            self._faint(stroke.opacity, lambda drawn=drawn: self._write(drawn))  # type: ignore[misc]

    def _lettering(self, text: Text) -> None:
        if not text.text:
            return
        shown, width = self._text(text.text, text.bold)
        x = text.x - ANCHORS[text.anchor] * width * text.size
        size = numbers(text.size)
        at = f"{size} 0 0 -{size} {numbers(x, text.y)} Tm"
        if text.halo:
            at += f" {numbers(text.size * 0.3)} w 1 j {colour(text.halo)} RG 1 Tr {shown} 0 Tr {at}"
        self._write(f"BT {at} {colour(text.fill)} rg {shown} ET")

    def _prepared_text(self, text: str, bold: bool) -> tuple[str, float]:
        """The operators that show a text at size 1, kerned, and its width there."""
        from reportlab.pdfbase.pdfmetrics import getFont

        font, document = getFont(_FACES[bold]), self._canvas._doc
        placed = placed_text(text, bold=bold)
        kerns = iter(placed.kerns)
        drawn = []
        for subset, codes in font.splitString(placed.text, document):  # a byte a letter, of one of the font's subsets
            shown = "".join([f"{code:02x}>{-kern}<" if (kern := next(kerns)) else f"{code:02x}" for code in codes])
            drawn.append(f"{font.getSubsetInternalName(subset, document)} 1 Tf [<{shown}>] TJ")
        return " ".join(drawn), placed.width / 1000

    def _drawn_symbol(self, symbol: Symbol) -> None:
        """Draw a symbol as SVG draws a nested svg element: scaled evenly, centred in its box and clipped to it."""
        left, top, wide, high = symbol.view_box
        scale = min(symbol.width / wide, symbol.height / high)
        x = symbol.x + (symbol.width - wide * scale) / 2 - left * scale
        y = symbol.y + (symbol.height - high * scale) / 2 - top * scale
        box = numbers(symbol.x, symbol.y, symbol.width, symbol.height)
        at, ink = f"{scale:.6f} 0 0 {scale:.6f} {numbers(x, y)}", colour(symbol.ink)
        drawn = f"q {box} re W n {at} cm {ink} rg {ink} RG {self._symbol(symbol.paths)} Q"
        self._faint(symbol.opacity, lambda: self._write(drawn))
