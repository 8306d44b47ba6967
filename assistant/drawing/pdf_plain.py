"""Pages as a PDF of the plainest kind, to be rendered at once: nothing is compressed, and each face is in it whole.

It is made many times faster than one for readers, and looks the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

from .lettering import Placed, face_file, face_widths, glyphs
from .pdf import Page, edges
from .pdf_content import Content

_NAMES = {False: "R", True: "B"}
_PAGES, _FACES, _STATES, _FIRST = 2, {False: 3, True: 6}, 9, 10
"""The numbers of objects: that of all pages, the first of each face, that of the opacities, and the first of the first page."""


def plain_pdf(pages: Sequence[Page]) -> bytes:
    """A PDF of pages whose unit is the point. Raises ValueError as `to_pdf` does."""
    content = Content(_letters)
    states: dict[float, str] = {}
    drawn = [_drawn(page, content, states) for page in pages]
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", _page_list(len(pages))]
    for bold in (False, True):
        objects += _face(bold)
    objects.append(_dictionary({name: f"<</ca {opacity:g}/CA {opacity:g}>>" for opacity, name in states.items()}))
    for number, (page, operators) in enumerate(zip(pages, drawn, strict=True)):
        objects += [_page(page, _FIRST + 2 * number + 1), _stream(operators)]
    return _file(objects)


def _drawn(page: Page, content: Content, states: dict[float, str]) -> bytes:
    """The operators of a page. states: the names of opacities, to which those of the page are added."""
    parts = [f"1 0 0 -1 0 {page.height:.4f} cm 4 M"]
    for placed in page.scenes:
        parts += ["q", placed.operators, edges(placed.scene)]
        for opacity, operators in content.parts(placed.scene):
            if opacity >= 1:
                parts.append(operators)
            else:
                parts.append(f"q /{states.setdefault(opacity, f'G{len(states)}')} gs {operators} Q")
        parts.append("Q")
    return "\n".join(parts).encode("ascii")


def _letters(placed: Placed, bold: bool) -> str:
    kerned = zip(glyphs(placed.text), placed.kerns, strict=True)
    shown = "".join([f"{glyph:04x}>{-kern}<" if kern else f"{glyph:04x}" for glyph, kern in kerned])
    return f"/{_NAMES[bold]} 1 Tf [<{shown}>] TJ"


def _face(bold: bool) -> Iterator[bytes]:
    """The objects of a face: the font, that of its glyphs, and its file."""
    first = _FACES[bold]
    about = f"/BaseFont/{_NAMES[bold]}/Encoding/Identity-H/DescendantFonts[{first + 1} 0 R]"
    yield f"<</Type/Font/Subtype/Type0{about}>>".encode()
    widths = " ".join(map(str, face_widths(bold=bold)))
    told = "/Flags 4/FontBBox[0 -300 1000 1100]/ItalicAngle 0/Ascent 1069/Descent -293/CapHeight 714/StemV 80"
    described = f"<</Type/FontDescriptor/FontName/{_NAMES[bold]}{told}/FontFile2 {first + 2} 0 R>>"
    system = "/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/CIDToGIDMap/Identity"
    glyph_font = f"/BaseFont/{_NAMES[bold]}{system}/W[1[{widths}]]/FontDescriptor {described}"
    yield f"<</Type/Font/Subtype/CIDFontType2{glyph_font}>>".encode()
    yield _stream(face_file(bold=bold))


def _page_list(count: int) -> bytes:
    kids = " ".join(f"{_FIRST + 2 * number} 0 R" for number in range(count))
    return f"<</Type/Pages/Count {count}/Kids[{kids}]>>".encode()


def _page(page: Page, content: int) -> bytes:
    fonts = "".join(f"/{name} {_FACES[bold]} 0 R" for bold, name in _NAMES.items())
    resources = f"<</Font<<{fonts}>>/ExtGState {_STATES} 0 R>>"
    box = f"/MediaBox[0 0 {page.width:g} {page.height:g}]"
    return f"<</Type/Page/Parent {_PAGES} 0 R{box}/Resources{resources}/Contents {content} 0 R>>".encode()


def _dictionary(entries: dict[str, str]) -> bytes:
    return f"<<{''.join(f'/{name}{value}' for name, value in entries.items())}>>".encode()


def _stream(data: bytes) -> bytes:
    return b"<</Length %d>>stream\n%b\nendstream" % (len(data), data)


def _file(objects: Sequence[bytes]) -> bytes:
    """Objects as a file: they are numbered from 1, and the first one is the catalogue."""
    parts = [b"%PDF-1.7\n"]
    parts += [b"%d 0 obj%b\nendobj\n" % (number, one) for number, one in enumerate(objects, 1)]
    *starts, end = accumulate(map(len, parts))
    table = b"".join([b"%010d 00000 n \n" % start for start in starts])
    size = len(objects) + 1
    parts.append(b"xref\n0 %d\n0000000000 65535 f \n%btrailer<</Size %d/Root 1 0 R>>\n" % (size, table, size))
    return b"".join([*parts, b"startxref\n%d\n%%%%EOF\n" % end])
