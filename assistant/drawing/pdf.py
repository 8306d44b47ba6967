"""Scenes as PDF: vector art with the letters that it uses embedded, the same bytes for the same scenes.

reportlab's `pdfbase` makes the document and embeds the fonts. What pages show is written as PDF operators, which is
many times faster than drawing calls and keeps the result equal to the SVG of the same scene.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from .lettering import PlacedText, face_file
from .pdf_content import Content, numbers
from .scene import Scene

if TYPE_CHECKING:
    from reportlab.pdfbase.pdfdoc import PDFDocument, PDFFormXObject, PDFPage
    from reportlab.pdfbase.ttfonts import TTFont

MILLIMETRE = 72 / 25.4
"""In points."""
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

    title: of the document. Raises ValueError if there is no scene, and for a length that is not finite or an invalid
    colour.
    """
    pages = [
        Page(scene.width, scene.height, (PlacedScene(scene, 0, 0, scene.width, scene.height),)) for scene in scenes
    ]
    return pages_to_pdf(pages, title=title)


def pages_to_pdf(pages: Sequence[Page], *, unit: float = MILLIMETRE, title: str = "", compress: bool = True) -> bytes:
    """A PDF of pages on which scenes are laid out, as for a sheet of counters; a scene in several places is held once.

    unit: of the pages, in points. compress: whether to compress drawing and fonts. Raises ValueError as `to_pdf` does.
    """
    from reportlab.pdfbase.pdfdoc import PDFDocument

    if not pages:
        raise ValueError("a PDF needs a page")
    document = PDFDocument(invariant=1, compression=int(compress))
    document.setTitle(title)
    writer = _Writer(document, unit)
    writer.keep([placed.scene for page in pages for placed in page.scenes])
    for page in pages:
        writer.add(page)
    return writer.finished()


def _box(page: Page, area: Area, unit: float) -> list[float]:
    """An area in points, as PDF counts them: left, bottom, right, top."""
    left, top, width, height = area
    edges = (left, page.height - top - height, left + width, page.height - top)
    return [round(length * unit, 4) for length in edges]


@cache
def _face(bold: bool) -> TTFont:
    from reportlab.pdfbase.ttfonts import TTFont

    return TTFont("Condensed-Bold" if bold else "Condensed-Regular", BytesIO(face_file(bold=bold)))


class _Writer:
    """Writes pages into one document of reportlab's; a repeated scene is held once, as a form that pages place."""

    def __init__(self, document: PDFDocument, unit: float) -> None:
        from reportlab.pdfbase.pdfdoc import PDFResourceDictionary

        self._document, self._unit = document, unit
        self._kept: dict[int, str] = {}
        self._bookmarks: list[dict[str, object]] = []
        self._content = Content(self._letters)
        self._states: dict[str, object] = {}
        self._forms: dict[str, object] = {}
        within, on_page = (PDFResourceDictionary(ExtGState=self._states, XObject=forms) for forms in ({}, self._forms))
        for resources in (within, on_page):
            resources.basicFonts()
        self._within_form, self._on_page = document.Reference(within), document.Reference(on_page)

    def keep(self, scenes: Sequence[Scene]) -> None:
        """Write each scene that is there more than once as a form. They must live on until the end."""
        times = Counter(map(id, scenes))
        for scene in scenes:
            if times[id(scene)] > 1 and id(scene) not in self._kept:
                self._kept[id(scene)] = self._form(scene, f"scene{len(self._kept)}")

    def _form(self, scene: Scene, name: str) -> str:
        """Write a scene as a form; the operator that draws it."""
        from reportlab.pdfbase.pdfdoc import PDFFormXObject, PDFObjectReference

        form = PDFFormXObject(0, 0, *map(float, numbers(scene.width, scene.height).split()))
        self._fill(form, self._draw(scene), self._within_form)
        self._document.addForm(name, form)
        name = self._document.getXObjectName(name)
        self._forms[name] = PDFObjectReference(name)
        return f"/{name} Do"

    def add(self, page: Page) -> None:
        """Write the next page."""
        from reportlab.pdfbase.pdfdoc import Destination, PDFArray, PDFPage

        numbers(page.width, page.height)  # refuses an infinite page before reportlab sees it
        sheet, unit = PDFPage(), self._unit
        sheet.pagewidth, sheet.pageheight = page.width * unit, page.height * unit
        if page.trim:
            sheet.TrimBox = PDFArray(_box(page, page.trim, unit))
            sheet.BleedBox = PDFArray(_box(page, page.bleed or page.trim, unit))
        operators = [f"{unit:.6f} 0 0 {-unit:.6f} 0 {page.height * unit:.4f} cm 4 M"]
        for placed in page.scenes:
            drawn = [self._kept[id(placed.scene)]] if id(placed.scene) in self._kept else self._draw(placed.scene)
            operators += [f"q {placed.operators}", *drawn, "Q"]
        self._fill(sheet, operators, self._on_page)
        if page.bookmark:
            self._bookmarks.append({page.bookmark: (target := Destination(page.bookmark))})
            target.fit()
            target.setPage(self._document.thisPageRef())
        self._document.addPage(sheet)

    def finished(self) -> bytes:
        """The document with all its pages as a file."""
        outline = self._document.outline
        if self._bookmarks:
            outline.destinationnamestotitles.update({name: name for entry in self._bookmarks for name in entry})
            outline.setDestinations(self._bookmarks)
        return bytes(self._document.GetPDFData(None))  # a canvas would only be asked for unknown destinations

    def _fill(self, shown: PDFPage | PDFFormXObject, operators: Iterable[str], resources: object) -> None:
        from reportlab.pdfbase.pdfdoc import PDFStream, PDFZCompress

        content = "\n".join([*operators, ""]).encode("ascii")
        shown.Contents = PDFStream(content=content, filters=[PDFZCompress] if self._document.compression else None)
        shown.Resources = resources

    def _draw(self, scene: Scene) -> Iterator[str]:
        """The operators of a scene, clipped at its edges."""
        yield f"0 0 {numbers(scene.width, scene.height)} re W n"
        for opacity, operators in self._content.parts(scene):
            yield operators if opacity >= 1 else f"q /{self._state(opacity)} gs {operators} Q"

    def _state(self, opacity: float) -> str:
        """The name of an opacity from 0 to 1."""
        from reportlab.pdfbase.pdfdoc import PDFDictionary

        name = f"G{opacity:g}"
        if name not in self._states:
            self._states[name] = PDFDictionary({"ca": opacity, "CA": opacity})
        return name

    def _letters(self, placed: PlacedText, bold: bool) -> str:
        font, document = _face(bold), self._document
        kerns = iter(placed.kerns)
        drawn = []
        for subset, codes in font.splitString(placed.text, document):  # a byte a letter, of one of the font's subsets
            shown = "".join([f"{code:02x}>{-kern}<" if (kern := next(kerns)) else f"{code:02x}" for code in codes])
            drawn.append(f"{font.getSubsetInternalName(subset, document)} 1 Tf [<{shown}>] TJ")
        return " ".join(drawn)
