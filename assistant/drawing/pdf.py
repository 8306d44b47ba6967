"""Scenes as PDF: vector art with the letters that it uses embedded, the same bytes for the same scenes.

reportlab makes the document and embeds the fonts. The shapes are written as PDF operators, which is many times faster than
its drawing calls and keeps the result equal to the SVG of the same scene.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from .lettering import Placed, face_file
from .pdf_content import Content
from .pdf_paths import numbers
from .scene import Scene

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

MILLIMETRE = 72 / 25.4
"""In points."""
Area = tuple[float, float, float, float]
"""Left, top, width and height on a page."""
_FACES = {False: "Condensed-Regular", True: "Condensed-Bold"}


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

    @property
    def operators(self) -> str:
        """What turns the unit of the page into that of the scene."""
        across, down = self.width / self.scene.width, self.height / self.scene.height
        at = numbers(self.left, self.top)
        if self.turned:
            across, down, at = -across, -down, numbers(self.left + self.width, self.top + self.height)
        seen = f"{numbers(*self.clip)} re W n " if self.clip else ""
        return f"{seen}{across:.6f} 0 0 {down:.6f} {at} cm"


class Page(msgspec.Struct, frozen=True):
    """A page with scenes, each clipped at its edges.

    trim: the area that is left when it is cut; bleed: the same with the border that is cut off. None: the whole page.
    bookmark: the entry of the document's outline that leads here, "" for none.
    """

    width: float
    height: float
    scenes: tuple[PlacedScene, ...]
    trim: Area | None = None
    bleed: Area | None = None
    bookmark: str = ""


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
    writer = _Writer(canvas)
    writer.keep([placed.scene for page in pages for placed in page.scenes])
    for page in pages:
        numbers(page.width, page.height)  # refuses an infinite page before reportlab sees it
        canvas.setPageSize((page.width * unit, page.height * unit))
        canvas.setTrimBox(_box(page, page.trim, unit))
        canvas.setBleedBox(_box(page, page.bleed or page.trim, unit))
        canvas.addLiteral(f"{unit:.6f} 0 0 {-unit:.6f} 0 {page.height * unit:.4f} cm 4 M")
        for placed in page.scenes:
            writer.scene(placed)
        if page.bookmark:
            canvas.bookmarkPage(page.bookmark)
            canvas.addOutlineEntry(page.bookmark, page.bookmark)
        canvas.showPage()
    with _binary_streams():
        canvas.save()
    return file.getvalue()


@contextmanager
def _binary_streams() -> Iterator[None]:
    """Streams as bytes, while this holds: as text, reportlab's default, they take a quarter more room and twice the time."""
    from reportlab import rl_config

    before, rl_config.useA85 = rl_config.useA85, 0
    try:
        yield
    finally:
        rl_config.useA85 = before


def _box(page: Page, area: Area | None, unit: float) -> tuple[float, float, float, float] | None:
    """An area in points, as PDF counts them: left, bottom, right, top."""
    if area is None:
        return None
    left, top, width, height = area
    x0, y0, x1, y1 = (
        round(length * unit, 4) for length in (left, page.height - top - height, left + width, page.height - top)
    )
    return x0, y0, x1, y1


def _register_faces() -> None:
    from reportlab.pdfbase.pdfmetrics import getRegisteredFontNames, registerFont
    from reportlab.pdfbase.ttfonts import TTFont

    known = getRegisteredFontNames()
    for bold, name in _FACES.items():
        if name not in known:
            registerFont(TTFont(name, BytesIO(face_file(bold=bold))))


def edges(scene: Scene) -> str:
    """What clips a scene at its edges."""
    return f"0 0 {numbers(scene.width, scene.height)} re W n"


class _Writer:
    """Writes scenes into one document of reportlab's; a repeated scene is held once."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._kept: dict[int, str] = {}
        self._content = Content(self._letters)

    def keep(self, scenes: Sequence[Scene]) -> None:
        """Write each scene that is there more than once as a form, which pages place. They must live on until the end."""
        times = Counter(map(id, scenes))
        for scene in scenes:
            if times[id(scene)] > 1 and id(scene) not in self._kept:
                self._kept[id(scene)] = self._form(scene, f"scene{len(self._kept)}")

    def _form(self, scene: Scene, name: str) -> str:
        from reportlab.pdfbase.pdfdoc import PDFResourceDictionary

        self._canvas.beginForm(name, 0, 0, *map(float, numbers(scene.width, scene.height).split()))
        self._draw(scene)
        resources = PDFResourceDictionary()
        resources.basicFonts()
        if opacities := self._canvas._extgstate.getState():
            resources.ExtGState = opacities  # reportlab leaves opacity out of forms
        self._canvas.endForm(Resources=resources)
        return name

    def scene(self, placed: PlacedScene) -> None:
        self._canvas.addLiteral(f"q {placed.operators}")
        if id(placed.scene) in self._kept:
            self._canvas.doForm(self._kept[id(placed.scene)])
        else:
            self._canvas.addLiteral(edges(placed.scene))
            self._draw(placed.scene)
        self._canvas.addLiteral("Q")

    def _draw(self, scene: Scene) -> None:
        for opacity, operators in self._content.parts(scene):
            if opacity >= 1:
                self._canvas.addLiteral(operators)
            else:
                self._faint(opacity, operators)

    def _faint(self, opacity: float, operators: str) -> None:
        """Draw with an opacity from 0 to 1."""
        self._canvas.saveState()
        self._canvas.setFillAlpha(opacity)
        self._canvas.setStrokeAlpha(opacity)
        self._canvas.addLiteral(operators)
        self._canvas.restoreState()

    def _letters(self, placed: Placed, bold: bool) -> str:
        from reportlab.pdfbase.pdfmetrics import getFont

        font, document = getFont(_FACES[bold]), self._canvas._doc
        kerns = iter(placed.kerns)
        drawn = []
        for subset, codes in font.splitString(placed.text, document):  # a byte a letter, of one of the font's subsets
            shown = "".join([f"{code:02x}>{-kern}<" if (kern := next(kerns)) else f"{code:02x}" for code in codes])
            drawn.append(f"{font.getSubsetInternalName(subset, document)} 1 Tf [<{shown}>] TJ")
        return " ".join(drawn)
