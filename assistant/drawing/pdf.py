"""Scenes as PDF: vector art with the letters that it uses embedded, the same bytes for the same scenes.

reportlab's `pdfbase` makes the document and embeds the fonts; `pdf_content` writes what pages show.
"""

from __future__ import annotations

import codecs
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import cache
from io import BytesIO
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ..util.memory import all_kept
from .lettering import KernedText, font_file
from .pdf_content import Content, format_lengths
from .process import convert_to_inks
from .scene import (
    Scene,
)

if TYPE_CHECKING:
    from reportlab.pdfbase.pdfdoc import PDFDocument, PDFFormXObject, PDFObjectReference, PDFPage
    from reportlab.pdfbase.ttfonts import TTFont


_LEVEL = 3  # of zlib-ng, of 1 to 9
MILLIMETRE = 72 / 25.4  # points
Area = tuple[float, float, float, float]
"""Left, top, width and height on a page."""


class PlacedScene(NamedTuple):
    """A scene on a page: its upper left corner and its drawn size, in the unit of the page."""

    scene: Scene
    left: float
    top: float
    width: float
    height: float
    turned: bool = False
    """Whether it stands upside down."""
    clip: Area | None = None
    """The area of the page in which it is seen, None for all of it."""

    @property
    def box(self) -> Area:
        """Where it stands."""
        return self.left, self.top, self.width, self.height

    @property
    def operators(self) -> str:
        """What turns the unit of the page into that of the scene."""
        across, down = self.width / self.scene.width, self.height / self.scene.height
        at = format_lengths(self.left, self.top)
        if self.turned:
            across, down, at = -across, -down, format_lengths(self.left + self.width, self.top + self.height)
        seen = f"{format_lengths(*self.clip)} re W n " if self.clip else ""
        return f"{seen}{across:.6f} 0 0 {down:.6f} {at} cm"


class PdfPage(msgspec.Struct, frozen=True):
    """A page with scenes, each clipped at its edges.

    None: the whole page.
    """

    width: float
    height: float
    scenes: tuple[PlacedScene, ...]
    trim: Area | None = None
    """The area that is left when it is cut."""
    bleed: Area | None = None
    """The same with the border that is cut off."""
    bookmarks: tuple[str, ...] = ()
    """The entries of the document's outline that lead here."""


class Imprint(NamedTuple):
    """What a document says of itself, beside its title."""

    author: str = ""
    """Empty if it says none."""
    made: datetime | None = None
    """When, in UTC, None for a date that means nothing."""
    process: bool = False
    """Whether its colours are the inks of a press instead of those of a screen."""


def to_pdf(scenes: Sequence[Scene], *, title: str = "") -> bytes:
    """Return a PDF with one page per scene, of the scene's size in millimetres.

    title: of the document. Raises ValueError if there is no scene, and for a length that is not finite or an invalid
    colour.
    """
    pages = [
        PdfPage(scene.width, scene.height, (PlacedScene(scene, 0, 0, scene.width, scene.height),)) for scene in scenes
    ]
    return pages_to_pdf(pages, title=title)


def _load_reportlab() -> None:
    """Load reportlab without the files of these names, which it would run in the user's home.

    Raises LookupError if the encoding of titles could not be loaded: it would write them in another.
    """
    codecs.lookup("utf_16_be")
    own = {"reportlab_mods", "reportlab_settings"} - sys.modules.keys()
    sys.modules.update((name, ModuleType(name)) for name in own)
    import reportlab.pdfbase.pdfdoc  # noqa: F401  # which loads all that reads them

    for name in own:
        del sys.modules[name]


@all_kept()
def pages_to_pdf(
    pages: Sequence[PdfPage],
    *,
    unit: float = MILLIMETRE,
    title: str = "",
    imprint: Imprint = Imprint(),
    compress: bool = True,
) -> bytes:
    """Return a PDF of pages on which scenes are laid out, as for a sheet of counters; a scene in several places is held
    once.

    unit: of the pages, in points. compress: whether to compress drawing and fonts. Raises ValueError as `to_pdf` does.
    """
    _load_reportlab()
    from reportlab.pdfbase.pdfdoc import PDFDocument

    if not pages:
        raise ValueError("a PDF needs a page")
    document = PDFDocument(invariant=1, compression=int(compress))
    document.setTitle(title)
    document.setAuthor(imprint.author)
    document.setSubject("")
    document.setCreator("Field Staff")
    if (made := imprint.made) is not None:
        document.setDateFormatter(lambda *_: f"D:{made:%Y%m%d%H%M%S}+00'00'")
    writer = _PdfWriter(document, unit, imprint.process)
    writer.keep([placed.scene for page in pages for placed in page.scenes])
    for page in pages:
        writer.add(page)
    return writer.finish()


def _pdf_box(page: PdfPage, area: Area, unit: float) -> list[float]:
    """Return an area in points, as PDF counts them: left, bottom, right, top."""
    left, top, width, height = area
    edges = (left, page.height - top - height, left + width, page.height - top)
    return [round(length * unit, 4) for length in edges]


@cache
def _face(bold: bool) -> TTFont:
    from reportlab.pdfbase.ttfonts import TTFont

    return TTFont("Condensed-Bold" if bold else "Condensed-Regular", BytesIO(font_file(bold=bold)))


class _Deflate:
    """Compresses what pages show as reportlab does, several times faster and hardly larger."""

    pdfname = "FlateDecode"

    def encode(self, content: bytes) -> bytes:
        """Return the content compressed."""
        from zlib_ng import zlib_ng

        return bytes(zlib_ng.compress(content, _LEVEL))


class _PdfWriter:
    """Writes pages into one document of reportlab's; a repeated scene is held once, as a form that pages place."""

    def __init__(self, document: PDFDocument, unit: float, process: bool) -> None:
        self._document, self._unit, self._process = document, unit, process
        self._kept: dict[int, str] = {}
        self._bookmarks: list[dict[str, object]] = []
        self._content = Content(self._show_letters)
        self._letter = cache(self._find_letter)
        self._states: dict[str, object] = {}
        self._forms: dict[str, object] = {}
        self._within_form, self._on_page = self._add_resources({}), self._add_resources(self._forms)

    def _add_resources(self, forms: dict[str, object]) -> PDFObjectReference:
        """Return a reference to the fonts, transparencies and forms that operators may name."""
        from reportlab.pdfbase.pdfdoc import PDFResourceDictionary

        resources = PDFResourceDictionary(ExtGState=self._states, XObject=forms)
        resources.basicFonts()
        return self._document.Reference(resources)

    def keep(self, scenes: Sequence[Scene]) -> None:
        """Write each scene that is there more than once as a form. They must live on until the end."""
        times = Counter(map(id, scenes))
        for scene in scenes:
            if times[id(scene)] > 1 and id(scene) not in self._kept:
                self._kept[id(scene)] = self._write_form(scene, f"scene{len(self._kept)}")

    def _write_form(self, scene: Scene, name: str) -> str:
        """Write a scene as a form, and return the operator that draws it."""
        from reportlab.pdfbase.pdfdoc import PDFFormXObject, PDFObjectReference

        form = PDFFormXObject(0, 0, *map(float, format_lengths(scene.width, scene.height).split()))
        self._fill(form, self._draw(scene), self._within_form)
        self._document.addForm(name, form)
        name = self._document.getXObjectName(name)
        self._forms[name] = PDFObjectReference(name)
        return f"/{name} Do"

    def add(self, page: PdfPage) -> None:
        """Write the next page."""
        from reportlab.pdfbase.pdfdoc import Destination, PDFArray, PDFPage

        format_lengths(page.width, page.height)  # refuses an infinite page before reportlab sees it
        sheet, unit = PDFPage(), self._unit
        sheet.pagewidth, sheet.pageheight = page.width * unit, page.height * unit
        if page.trim:
            sheet.TrimBox = PDFArray(_pdf_box(page, page.trim, unit))
            sheet.BleedBox = PDFArray(_pdf_box(page, page.bleed or page.trim, unit))
        operators = [f"{unit:.6f} 0 0 {-unit:.6f} 0 {page.height * unit:.4f} cm 4 M"]
        for placed in page.scenes:
            drawn = [self._kept[id(placed.scene)]] if id(placed.scene) in self._kept else self._draw(placed.scene)
            operators += [f"q {placed.operators}", *drawn, "Q"]
        self._fill(sheet, operators, self._on_page)
        for bookmark in page.bookmarks:
            target = Destination(bookmark)
            self._bookmarks.append({bookmark: target})
            target.fit()
            target.setPage(self._document.thisPageRef())
        self._document.addPage(sheet)

    def finish(self) -> bytes:
        """Return the document with all its pages as a file."""
        outline = self._document.outline
        if self._bookmarks:
            outline.destinationnamestotitles.update({name: name for entry in self._bookmarks for name in entry})
            outline.setDestinations(self._bookmarks)
        return bytes(self._document.GetPDFData(None))  # a canvas would only be asked for unknown destinations

    def _fill(self, shown: PDFPage | PDFFormXObject, operators: Iterable[str], resources: object) -> None:
        from reportlab.pdfbase.pdfdoc import PDFStream

        drawn = "\n".join([*operators, ""])
        content = (convert_to_inks(drawn) if self._process else drawn).encode("ascii")
        shown.Contents = PDFStream(content=content, filters=[_Deflate()] if self._document.compression else None)
        shown.Resources = resources

    def _draw(self, scene: Scene) -> Iterator[str]:
        """Yield the operators of a scene, clipped at its edges."""
        yield f"0 0 {format_lengths(scene.width, scene.height)} re W n"
        for opacity, operators in self._content.parts(scene):
            yield operators if opacity >= 1 else f"q /{self._name_state(opacity)} gs {operators} Q"

    def _name_state(self, opacity: float) -> str:
        """Return the name of an opacity from 0 to 1."""
        from reportlab.pdfbase.pdfdoc import PDFDictionary

        name = f"G{opacity:g}"
        if name not in self._states:
            self._states[name] = PDFDictionary({"ca": opacity, "CA": opacity})
        return name

    def _show_letters(self, placed: KernedText, bold: bool) -> str:
        chosen, drawn = "", list[str]()
        for letter, kern in zip(placed.text, placed.kerns, strict=True):
            subset, code = self._letter(letter, bold)
            if subset != chosen:
                drawn.append(f"{'>] TJ ' if chosen else ''}{subset} 1 Tf [<")
                chosen = subset
            drawn.append(f"{code}>{-kern}<" if kern else code)
        return "".join([*drawn, ">] TJ"]) if drawn else ""

    def _find_letter(self, letter: str, bold: bool) -> tuple[str, str]:
        """Return the subset of a font that has a letter, and its byte there."""
        font = _face(bold)
        ((subset, code),) = font.splitString(letter, self._document)
        return font.getSubsetInternalName(subset, self._document), code.hex()
