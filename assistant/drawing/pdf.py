"""Scenes as PDF: the document with its fonts and pages, and the operators that draw shapes.

For a press, `press` converts the colours, and the document is PDF/X-4: it includes the profile and its name.
"""

from __future__ import annotations

import codecs
import re
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import cache, lru_cache
from io import BytesIO
from math import cos, radians, sin
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple
from uuid import NAMESPACE_OID, uuid5
from xml.sax.saxutils import escape

import msgspec

from ..util.memory import all_kept
from ..util.patterns import late_pattern
from .lettering import KernedText, font_file, kern_text
from .paths import PathCommand, read_path
from .scene import (
    ANCHORS,
    SLANT_FACTOR,
    Bitmap,
    Circle,
    Group,
    Marks,
    Path,
    Point,
    Polygon,
    Polyline,
    Rectangle,
    Scene,
    Shape,
    Symbol,
    SymbolPath,
    Text,
    strokes,
)

if TYPE_CHECKING:
    from reportlab.pdfbase.pdfdoc import PDFDocument, PDFFormXObject, PDFObjectReference, PDFPage
    from reportlab.pdfbase.ttfonts import TTFont

    from .press import PressProfile

SPOT_COLOUR = "CutContour"
"""The spot colour of a die line, by the name that cutting machines look for."""
_STROKE_COLOUR = late_pattern(r"(?<![0-9.])([0-9.]+ ){3}RG\b")
_FIXED_DATE = datetime(2000, 1, 1, tzinfo=UTC)
_COMPRESSION_LEVEL = 3
"""The level of zlib-ng, from 1 to 9."""
POINTS_PER_MM = 72 / 25.4
"""A millimetre in points."""
Area = tuple[float, float, float, float]
"""The left, top, width and height of an area on a page."""


class PlacedScene(NamedTuple):
    """A scene on a page: its upper left corner and its drawn size, in the unit of the page."""

    scene: Scene
    left: float
    top: float
    width: float
    height: float
    turned: bool = False
    """Whether the scene is upside down."""
    clip: Area | None = None
    """The area of the page to which the scene is clipped, or None for no clipping."""

    @property
    def box(self) -> Area:
        return self.left, self.top, self.width, self.height

    @property
    def operators(self) -> str:
        """The operators that change the unit of the page to that of the scene."""
        across, down = self.width / self.scene.width, self.height / self.scene.height
        at = format_lengths(self.left, self.top)
        if self.turned:
            across, down, at = -across, -down, format_lengths(self.left + self.width, self.top + self.height)
        clipping = f"{format_lengths(*self.clip)} re W n " if self.clip else ""
        return f"{clipping}{across:.6f} 0 0 {down:.6f} {at} cm"


class PdfPage(msgspec.Struct, frozen=True):
    """A page with scenes, each clipped at its edges.

    `trim` and `bleed` are None for the whole page.
    """

    width: float
    height: float
    scenes: tuple[PlacedScene, ...]
    trim: Area | None = None
    """The area of the page that remains after cutting."""
    bleed: Area | None = None
    """The trimmed area with the border that is cut off."""
    bookmarks: tuple[str, ...] = ()
    """The entries of the document's outline that lead to the page."""
    die_line: Scene | None = None
    """Outlines for a cutting machine, as large as the page and over everything, or None.

    They have a spot colour, which no press prints.
    """


class Imprint(NamedTuple):
    """Information about a document, besides its title."""

    author: str = ""
    """The author, or "" if none is stated."""
    made: datetime | None = None
    """The date in UTC, or None for a fixed date."""
    press: PressProfile | None = None
    """The profile of the press, or None for the colours of a screen."""


def to_pdf(scenes: Sequence[Scene], *, title: str = "") -> bytes:
    """Return a PDF with one page for each scene, of the scene's size in mm.

    Raises ValueError if there is no scene, if a length is not finite, or if a colour is invalid.
    """
    pages = [
        PdfPage(scene.width, scene.height, (PlacedScene(scene, 0, 0, scene.width, scene.height),)) for scene in scenes
    ]
    return pages_to_pdf(pages, title=title)


def _load_reportlab() -> None:
    """Load reportlab without the two configuration files in the user's home that it would run.

    Raises LookupError if the encoding of titles cannot be loaded, because reportlab would then use another.
    """
    codecs.lookup("utf_16_be")
    missing = {"reportlab_mods", "reportlab_settings"} - sys.modules.keys()
    sys.modules.update((name, ModuleType(name)) for name in missing)
    import reportlab.pdfbase.pdfdoc  # noqa: F401  # it loads all modules that read these files

    for name in missing:
        del sys.modules[name]


@all_kept()
def pages_to_pdf(
    pages: Sequence[PdfPage],
    *,
    unit: float = POINTS_PER_MM,
    title: str = "",
    imprint: Imprint = Imprint(),
    compress: bool = True,
) -> bytes:
    """Return a PDF of pages with scenes; a repeated scene is stored once.

    `unit`: the unit of the pages, in points.

    Raises ValueError as `to_pdf` does.
    """
    _load_reportlab()
    from reportlab.pdfbase.pdfdoc import PDFDocument

    if not pages:
        raise ValueError("a PDF needs a page")
    version = (1, 6) if imprint.press else (1, 3)
    document = PDFDocument(invariant=1, compression=int(compress), pdfVersion=version)
    document.setTitle(title)
    document.setAuthor(imprint.author)
    document.setSubject("")
    document.setCreator("Field Staff")
    if (made := imprint.made) is not None:
        document.setDateFormatter(lambda *_: f"D:{made:%Y%m%d%H%M%S}+00'00'")
    if imprint.press is not None:
        _declare_press(document, title, imprint, imprint.press)
    writer = _PdfWriter(document, unit, imprint.press)
    writer.keep([placed.scene for page in pages for placed in page.scenes])
    for page in pages:
        writer.add(page)
    return writer.finish()


def _declare_press(document: PDFDocument, title: str, imprint: Imprint, press: PressProfile) -> None:
    """Add what PDF/X-4 demands of a document: its profile as output intent, and metadata in XMP."""
    from reportlab.pdfbase.pdfdoc import PDFArray, PDFDictionary, PDFName, PDFStream, PDFString

    profile = PDFStream(content=press.data, filters=[_Deflate()])
    profile.dictionary["N"] = 4
    intent = {
        "Type": PDFName("OutputIntent"),
        "S": PDFName("GTS_PDFX"),
        "OutputConditionIdentifier": PDFString(press.name),
        "Info": PDFString(press.name),
        "DestOutputProfile": document.Reference(profile),
    }
    made = imprint.made or _FIXED_DATE
    document.setDateFormatter(lambda *_: f"D:{made:%Y%m%d%H%M%S}+00'00'")
    metadata = PDFStream(content=_write_xmp(title, imprint.author, made))
    metadata.dictionary.dict |= {"Type": PDFName("Metadata"), "Subtype": PDFName("XML")}
    catalogue = document.Catalog
    catalogue.Metadata, catalogue.OutputIntents = metadata, PDFArray([PDFDictionary(intent)])
    catalogue.__NoDefault__ = [*catalogue.__NoDefault__, "OutputIntents"]


def _write_xmp(title: str, author: str, made: datetime) -> bytes:
    """Return a document's metadata as XMP."""
    date = f"{made:%Y-%m-%dT%H:%M:%S}+00:00"
    document_id = uuid5(NAMESPACE_OID, f"{title} {author} {date}")
    creator = f"<dc:creator><rdf:Seq><rdf:li>{escape(author)}</rdf:li></rdf:Seq></dc:creator>" if author else ""
    return f"""<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
 xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/"
 xmlns:pdfxid="http://www.npes.org/pdfx/ns/id/">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{escape(title)}</rdf:li></rdf:Alt></dc:title>{creator}
<xmp:CreatorTool>Field Staff</xmp:CreatorTool><xmp:CreateDate>{date}</xmp:CreateDate>
<xmp:ModifyDate>{date}</xmp:ModifyDate><xmp:MetadataDate>{date}</xmp:MetadataDate>
<xmpMM:DocumentID>uuid:{document_id}</xmpMM:DocumentID><xmpMM:VersionID>1</xmpMM:VersionID>
<xmpMM:RenditionClass>default</xmpMM:RenditionClass><pdf:Trapped>False</pdf:Trapped>
<pdfxid:GTS_PDFXVersion>PDF/X-4</pdfxid:GTS_PDFXVersion>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>""".encode()


def _pdf_box(page: PdfPage, area: Area, unit: float) -> list[float]:
    """Return an area as PDF states it: left, bottom, right and top, in points from the lower left corner."""
    left, top, width, height = area
    edges = (left, page.height - top - height, left + width, page.height - top)
    return [round(length * unit, 4) for length in edges]


@cache
def _face(bold: bool) -> TTFont:
    from reportlab.pdfbase.ttfonts import TTFont

    return TTFont("Condensed-Bold" if bold else "Condensed-Regular", BytesIO(font_file(bold=bold)))


class _Deflate:
    """A filter that compresses like reportlab's, several times faster and almost as small."""

    pdfname = "FlateDecode"

    def encode(self, content: bytes) -> bytes:
        from zlib_ng import zlib_ng

        return bytes(zlib_ng.compress(content, _COMPRESSION_LEVEL))


class _PdfWriter:
    """A writer of pages into a reportlab document. A repeated scene is stored once, as a form that pages place."""

    def __init__(self, document: PDFDocument, unit: float, press: PressProfile | None) -> None:
        self._document, self._unit, self._press = document, unit, press
        self._forms_by_scene: dict[int, str] = {}
        self._bookmarks: list[dict[str, object]] = []
        self._content = Content(self._show_letters)
        self._letter = cache(self._find_letter)
        self._states: dict[str, object] = {}
        self._forms: dict[str, object] = {}
        self._spots: dict[str, object] = {}
        self._within_form, self._on_page = self._add_resources({}), self._add_resources(self._forms)

    def _add_resources(self, forms: dict[str, object]) -> PDFObjectReference:
        from reportlab.pdfbase.pdfdoc import PDFResourceDictionary

        resources = PDFResourceDictionary(ExtGState=self._states, XObject=forms, ColorSpace=self._spots)
        resources.basicFonts()
        return self._document.Reference(resources)

    def keep(self, scenes: Sequence[Scene]) -> None:
        """Write each repeated scene as a form.

        The scenes must exist until the end, because they are known by their ids.
        """
        times = Counter(map(id, scenes))
        for scene in scenes:
            if times[id(scene)] > 1 and id(scene) not in self._forms_by_scene:
                self._forms_by_scene[id(scene)] = self._write_form(scene, f"scene{len(self._forms_by_scene)}")

    def _write_form(self, scene: Scene, name: str) -> str:
        from reportlab.pdfbase.pdfdoc import PDFFormXObject, PDFObjectReference

        form = PDFFormXObject(0, 0, *map(float, format_lengths(scene.width, scene.height).split()))
        self._fill(form, self._draw(scene), self._within_form)
        self._document.addForm(name, form)
        name = self._document.getXObjectName(name)
        self._forms[name] = PDFObjectReference(name)
        return f"/{name} Do"

    def add(self, page: PdfPage) -> None:
        from reportlab.pdfbase.pdfdoc import Destination, PDFArray, PDFPage

        format_lengths(page.width, page.height)  # raises for an infinite page before reportlab sees it
        sheet, unit = PDFPage(), self._unit
        sheet.pagewidth, sheet.pageheight = page.width * unit, page.height * unit
        trim = page.trim or ((0.0, 0.0, page.width, page.height) if self._press else None)
        if trim:
            sheet.TrimBox = PDFArray(_pdf_box(page, trim, unit))
            sheet.BleedBox = PDFArray(_pdf_box(page, page.bleed or trim, unit))
        operators = [f"{unit:.6f} 0 0 {-unit:.6f} 0 {page.height * unit:.4f} cm 4 M"]
        for placed in page.scenes:
            drawn = (
                [self._forms_by_scene[id(placed.scene)]]
                if id(placed.scene) in self._forms_by_scene
                else self._draw(placed.scene)
            )
            operators += [f"q {placed.operators}", *drawn, "Q"]
        if page.die_line is not None:
            operators += self._draw_die_line(page.die_line)
        self._fill(sheet, operators, self._on_page)
        for bookmark in page.bookmarks:
            target = Destination(bookmark)
            self._bookmarks.append({bookmark: target})
            target.fit()
            target.setPage(self._document.thisPageRef())
        self._document.addPage(sheet)

    def _draw_die_line(self, scene: Scene) -> Iterator[str]:
        """Yield operators for outlines in the spot colour, which print over what lies below."""
        from reportlab.pdfbase.pdfdoc import PDFArray, PDFDictionary, PDFName

        tint = PDFDictionary({"FunctionType": 2, "N": 1, "C0": PDFArray([0, 0, 0, 0]), "C1": PDFArray([0, 1, 0, 0])})
        tint.dict["Domain"] = PDFArray([0, 1])
        alternate = PDFName("DeviceCMYK")
        self._spots[SPOT_COLOUR] = PDFArray([PDFName("Separation"), PDFName(SPOT_COLOUR), alternate, tint])
        self._states["Overprint"] = PDFDictionary({"OP": "true", "OPM": 1})
        yield "q /Overprint gs"
        for operators in self._draw(scene):
            yield _STROKE_COLOUR.sub(f"/{SPOT_COLOUR} CS 1 SCN", operators)
        yield "Q"

    def finish(self) -> bytes:
        outline = self._document.outline
        if self._bookmarks:
            outline.destinationnamestotitles.update({name: name for entry in self._bookmarks for name in entry})
            outline.setDestinations(self._bookmarks)
        return bytes(self._document.GetPDFData(None))  # reportlab needs a canvas only for unknown destinations

    def _fill(self, shown: PDFPage | PDFFormXObject, operators: Iterable[str], resources: object) -> None:
        from reportlab.pdfbase.pdfdoc import PDFStream

        drawn = "\n".join([*operators, ""])
        content = (self._press.convert_operators(drawn) if self._press else drawn).encode("ascii")
        shown.Contents = PDFStream(content=content, filters=[_Deflate()] if self._document.compression else None)
        shown.Resources = resources

    def _draw(self, scene: Scene) -> Iterator[str]:
        yield f"0 0 {format_lengths(scene.width, scene.height)} re W n"
        for opacity, operators in self._content.parts(scene):
            yield operators if opacity >= 1 else f"q /{self._name_state(opacity)} gs {operators} Q"

    def _name_state(self, opacity: float) -> str:
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
        font = _face(bold)
        ((subset, code),) = font.splitString(letter, self._document)
        return font.getSubsetInternalName(subset, self._document), code.hex()


# --- operators --------------------------------------------------------------------------------------------------------

_ENDING_ZEROS = late_pattern(r"\.?0+(?= |$)")
"""The zeros at the end of a fraction."""
_QUARTER_HANDLE = 0.5523
"""The distance from the ends of a quarter circle to its control points, in radii."""
ROUND_STROKES = "1 J 1 j"
"""The operators for strokes with round ends and corners."""
BUTT = "0 J 1 j"
"""The operators for strokes with blunt ends and round corners."""
MITRE = "0 J 0 j"
"""The operators for strokes with blunt ends and sharp corners."""


def paint_operator(*, fill: bool, stroke: bool) -> str:
    """Return the operator that paints a path."""
    if fill:
        return "B" if stroke else "f"
    return "S" if stroke else "n"


@cache
def _format_colour(written: str) -> str:
    if not re.fullmatch("#[0-9a-fA-F]{6}", written):
        raise ValueError(f"{written!r} is not a colour: write it as #rrggbb")
    return " ".join(f"{int(written[at : at + 2], 16) / 255:.3g}" for at in (1, 3, 5))


def format_lengths(*values: float) -> str:
    """Return lengths with three decimals.

    Raises ValueError if a length is not finite.
    """
    text = " ".join(["%.3f"] * len(values)) % values  # twice as fast as formatting one by one
    if "n" in text:  # as in nan and inf
        raise ValueError(f"{text} is not a length")
    return text


def _format_line(points: Sequence[Point]) -> str:
    text = _pattern_of_line(len(points)) % tuple([value for point in points for value in point])
    if "n" in text:  # as in nan and inf
        raise ValueError(f"{text} is not a length")
    return text


@lru_cache(1024)
def _pattern_of_line(count: int) -> str:
    return "%.3f %.3f m" + " %.3f %.3f l" * (count - 1)


def _rectangle_path(box: Rectangle) -> str:
    radius = min(box.radius, box.width / 2, box.height / 2)
    if radius <= 0:
        return f"{format_lengths(box.x, box.y, box.width, box.height)} re"
    return _rounded_path(box.x, box.y, box.x + box.width, box.y + box.height, radius)


def _circle_path(circle: Circle) -> str:
    x, y, r = circle.x, circle.y, circle.radius
    left, top, right, bottom, k = x - r, y - r, x + r, y + r, r * _QUARTER_HANDLE
    return (
        f"{format_lengths(x, top)} m {format_lengths(x + k, top, right, y - k, right, y)} c "
        f"{format_lengths(right, y + k, x + k, bottom, x, bottom)} c {format_lengths(x - k, bottom, left, y + k, left, y)} c "
        f"{format_lengths(left, y - k, x - k, top, x, top)} c h"
    )


def _rounded_path(left: float, top: float, right: float, bottom: float, radius: float) -> str:
    r, k = radius, radius * (1 - _QUARTER_HANDLE)
    return (
        f"{format_lengths(left + r, top)} m {format_lengths(right - r, top)} l "
        f"{format_lengths(right - k, top, right, top + k, right, top + r)} c {format_lengths(right, bottom - r)} l "
        f"{format_lengths(right, bottom - k, right - k, bottom, right - r, bottom)} c {format_lengths(left + r, bottom)} l "
        f"{format_lengths(left + k, bottom, left, bottom - k, left, bottom - r)} c {format_lengths(left, top + r)} l "
        f"{format_lengths(left, top + k, left + k, top, left + r, top)} c h"
    )


def _symbol_operators(paths: tuple[SymbolPath, ...]) -> str:
    """Return the operators for a symbol's paths in the units of its view box, in the current colours."""
    drawn = []
    for path in paths:
        if path.filled or path.width:
            pieces = _read_pieces(path.data)
            ends = ROUND_STROKES if path.round_ends else MITRE
            stroke = f"{format_lengths(path.width)} w {ends}" if path.width else ""
            painted = paint_operator(fill=path.filled, stroke=bool(path.width)) + (
                "*" if path.filled and path.even_odd else ""
            )
            shown = f"{stroke} {' '.join(map(_format_piece, pieces))} {painted}"
            own = f"{_format_colour(path.fill)} rg " if path.fill else ""
            if path.stroke:
                own += f"{_format_colour(path.stroke)} RG "
            drawn.append(f"q {own}{shown} Q" if own else shown)
    return " ".join(drawn)


_OPERATORS = {"M": "m", "L": "l", "C": "c", "Z": "h"}


def _format_piece(piece: PathCommand) -> str:
    lengths = format_lengths(*(value for point in piece.points for value in point))
    return f"{_ENDING_ZEROS.sub('', lengths)} {_OPERATORS[piece.kind]}".lstrip()


def _read_pieces(data: str) -> list[PathCommand]:
    try:
        return read_path(data)
    except (ValueError, ArithmeticError) as error:
        raise ValueError(f"{data!r} is not a path: {error}") from None


Parts = tuple[tuple[float, str], ...]
"""Operators in parts, each with its opacity."""


class Content:
    """The operators of scenes in one document, in which repeated shapes and texts are prepared once."""

    def __init__(self, letters: Callable[[KernedText, bool], str]) -> None:
        self._show_letters = letters
        self._text = cache(self._prepare_text)
        self._symbol = cache(_symbol_operators)
        self._operators = cache(self._draw_shape)  # counters share most of their shapes
        self._lines: dict[tuple[int, bool], tuple[object, str]] = {}

    def parts(self, scene: Scene) -> Iterator[tuple[float, str]]:
        for layer in scene.layers:
            if layer.clip:
                yield 1.0, f"q {format_lengths(*layer.clip)} re W n"
            for shape in layer.shapes:
                if isinstance(shape, Path):
                    yield from self._draw_path(shape)
                else:
                    yield from self._operators(shape)
            if layer.clip:
                yield 1.0, "Q"

    def _draw_shape(self, shape: Shape) -> Parts:
        match shape:
            case Polygon():
                path = _format_line(shape.points) + " h"
                return _paint(path, shape.fill, shape.stroke, shape.width, shape.opacity)
            case Polyline():
                return _draw_polyline(shape)
            case Path():
                return self._draw_path(shape)
            case Rectangle():
                path = _rectangle_path(shape)
                return _paint(path, shape.fill, shape.stroke, shape.stroke_width, shape.opacity)
            case Circle():
                return _paint(_circle_path(shape), shape.fill, shape.stroke, shape.width, 1)
            case Text():
                return self._draw_text(shape)
            case Symbol():
                return self._draw_symbol(shape)
            case Marks():
                return self._draw_marks(shape)
            case Bitmap():
                return _draw_bitmap(shape)
            case Group():
                return tuple([part for inner in shape.shapes for part in self._operators(inner)])

    def _draw_path(self, path: Path) -> Parts:
        """Return the operators for a path: its colours first, then all its lines or areas, painted together."""
        if not path.lines or not (path.fill or path.stroke):
            return ()
        inks = f"{_format_colour(path.fill)} rg " if path.fill else ""
        after = ""
        if path.stroke:
            inks += f"{_format_colour(path.stroke)} RG {format_lengths(path.width)} w {BUTT if path.butt else ROUND_STROKES} "
            if path.dash:
                inks, after = f"{inks}[{format_lengths(*path.dash)}] 0 d ", " [] 0 d"
        operator = paint_operator(fill=bool(path.fill), stroke=bool(path.stroke)) + (
            "*" if path.fill and path.holes else ""
        )
        return ((path.opacity, f"{inks}{self._format_lines(path.lines, closed=path.closed)} {operator}{after}"),)

    def _format_lines(self, lines: tuple[tuple[Point, ...], ...], *, closed: bool) -> str:
        """Return the operators for lines, prepared once for all paths with the same lines, such as rims of an area."""
        key = id(lines), closed
        if key not in self._lines:
            end = " h" if closed else ""
            drawn = "\n".join([_format_line(line) + end for line in lines])
            self._lines[key] = lines, drawn  # keeps the lines alive, so that their id stays unique
        return self._lines[key][1]

    def _draw_text(self, text: Text) -> Parts:
        """Return the operators for a text, with its halo first, as a wide outline of its letters."""
        if not text.text:
            return ()
        shown, width = self._text(text.text, text.bold)
        x = text.x - ANCHORS[text.anchor] * width * text.size
        size = format_lengths(text.size)
        at = f"{size} 0 0 -{size} {format_lengths(x, text.y)} Tm"
        if text.turn or text.slant:
            at = _place_turned(text, width)
        if text.halo:
            at += f" {format_lengths(text.size * 0.3)} w 1 j {_format_colour(text.halo)} RG 1 Tr {shown} 0 Tr {at}"
        if text.weight:
            heavier = (
                f"{format_lengths(text.size * text.weight)} w 0 j {_format_colour(text.fill)} RG 2 Tr {shown} 0 Tr"
            )
            return ((1.0, f"BT {at} {_format_colour(text.fill)} rg {heavier} ET"),)
        return ((1.0, f"BT {at} {_format_colour(text.fill)} rg {shown} ET"),)

    def _prepare_text(self, text: str, bold: bool) -> tuple[str, float]:
        placed = kern_text(text, bold=bold)
        return self._show_letters(placed, bold), placed.width / 1000

    def _draw_symbol(self, symbol: Symbol) -> Parts:
        """Return the operators for a symbol, drawn like a nested svg element: scaled evenly, centred and clipped."""
        scale, x, y = _place_symbol(symbol)
        box = format_lengths(symbol.x, symbol.y, symbol.width, symbol.height)
        at, ink = f"{scale:.6f} 0 0 {scale:.6f} {format_lengths(x, y)}", _format_colour(symbol.ink)
        drawn = f"q {box} re W n {at} cm {ink} rg {ink} RG {self._symbol(symbol.paths)} Q"
        return ((symbol.opacity, drawn),)

    def _draw_marks(self, marks: Marks) -> Parts:
        """Return the operators for a symbol at many points: its ink and size once, then a step from point to point.

        It is clipped only if its strokes reach beyond its box.
        """
        if not marks.points:
            return ()
        symbol = marks.symbol
        if not _fits_box(symbol):
            ((opacity, drawn),) = self._draw_symbol(msgspec.structs.replace(symbol, x=0.0, y=0.0))
            return ((opacity, "\n".join([f"q 1 0 0 1 {format_lengths(x, y)} cm {drawn} Q" for x, y in marks.points])),)
        scale, left, top = _place_symbol(symbol)
        ink, drawn = _format_colour(symbol.ink), self._symbol(symbol.paths)
        steps = [
            f"q {ink} rg {ink} RG {scale:.6f} 0 0 {scale:.6f} {format_lengths(left - symbol.x, top - symbol.y)} cm"
        ]
        at_x, at_y = 0, 0
        for x, y in marks.points:
            # whole hundredths, so that rounding errors do not add up
            across, down = (
                round(x / scale * 100),
                round(y / scale * 100),
            )
            steps.append(f"1 0 0 1 {(across - at_x) / 100:.2f} {(down - at_y) / 100:.2f} cm {drawn}")
            at_x, at_y = across, down
        return ((symbol.opacity, "\n".join([*steps, "Q"])),)


def _fits_box(symbol: Symbol) -> bool:
    """Return whether a symbol's strokes and points, including control points, lie in its view box.

    If so, it need not be clipped.
    """
    return _fits_in(symbol.paths, symbol.view_box)


@cache
def _fits_in(paths: tuple[SymbolPath, ...], box: tuple[float, float, float, float]) -> bool:
    left, top, width, height = box
    for path in paths:
        reach = path.width / 2 if path.round_ends else path.width * 2  # a mitre limit of 4 allows a point of two widths
        xs, ys = zip(*(point for piece in _read_pieces(path.data) for point in piece.points), strict=True)
        if min(xs) - reach < left or max(xs) + reach > left + width:
            return False
        if min(ys) - reach < top or max(ys) + reach > top + height:
            return False
    return True


def _place_symbol(symbol: Symbol) -> tuple[float, float, float]:
    """Return the scale of a symbol that is centred in its box, and the position of its view box's origin."""
    left, top, width, height = symbol.view_box
    scale = min(symbol.width / width, symbol.height / height)
    x = symbol.x + (symbol.width - width * scale) / 2 - left * scale
    y = symbol.y + (symbol.height - height * scale) / 2 - top * scale
    return scale, x, y


def _place_turned(text: Text, width: float) -> str:
    angle, before = radians(text.turn), ANCHORS[text.anchor] * width * text.size
    across, down = cos(angle), sin(angle)
    lean = SLANT_FACTOR if text.slant else 0.0
    size = text.size
    axes = format_lengths(across * size, down * size, (lean * across + down) * size, (lean * down - across) * size)
    return f"{axes} {format_lengths(text.x - before * across, text.y - before * down)} Tm"


def _draw_bitmap(bitmap: Bitmap) -> Parts:
    """Return the operators for a bitmap, embedded as hexadecimal digits to avoid another object of the document."""
    place = format_lengths(bitmap.width, 0, 0, -bitmap.height, bitmap.x, bitmap.y + bitmap.height)
    about = f"/W {bitmap.columns} /H {bitmap.rows} /CS /RGB /BPC 8 /F [/AHx /Fl]"
    return ((1.0, f"q {place} cm BI {about} ID {zlib.compress(bitmap.pixels).hex()}> EI Q"),)


def _paint(path: str, fill: str, stroke: str, width: float, opacity: float) -> Parts:
    inks = f"{_format_colour(fill)} rg " if fill else ""
    if stroke:
        inks += f"{_format_colour(stroke)} RG {format_lengths(width)} w {MITRE} "
    return ((opacity, f"{inks}{path} {paint_operator(fill=bool(fill), stroke=bool(stroke))}"),) if inks else ()


def _draw_polyline(line: Polyline) -> Parts:
    parts = []
    for stroke in strokes(line):
        ink, width, path = _format_colour(stroke.colour), format_lengths(stroke.width), _format_line(stroke.points)
        ends = ROUND_STROKES if stroke.round_ends else BUTT
        if stroke.is_head:
            drawn = f"{ink} rg {ink} RG {width} w {ends} {path} h {paint_operator(fill=True, stroke=stroke.width > 0)}"
        elif stroke.dash:
            drawn = f"{ink} RG {width} w {ends} [{format_lengths(*stroke.dash)}] 0 d {path} S [] 0 d"
        else:
            drawn = f"{ink} RG {width} w {ends} {path} S"
        parts.append((stroke.opacity, drawn))
    return tuple(parts)
