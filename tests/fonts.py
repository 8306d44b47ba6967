"""Makes the two faces of `images/fonts` and their tables from Noto Sans: a tool, for other letters or widths.

    pip download --no-deps fontpkg-noto-sans==2.15 && unzip fontpkg_noto_sans-*.whl
    python -m tests.fonts "fontpkg_noto_sans/files/NotoSans[wdth,wght].ttf"

From the same variable font it writes the same bytes: `Condensed-Regular.ttf` and `Condensed-Bold.ttf` without hints, one outline a
letter; `metrics.json` with the widths, and the kerning pairs as classes; and `outlines.json` with each letter as a path of SVG, both
in thousandths of the font size. `Condensed-Page.ttf` is the bold face with fewer letters, for headings of the table page; without
FONT only that is written, from `Condensed-Bold.ttf`.
"""

# ruff: noqa: RUF001, RUF003 (letters that look alike are meant)

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from math import cos, pi, sin
from pathlib import Path
from typing import Any

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.qu2cuPen import Qu2CuPen
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

FOLDER = Path(__file__).parents[1] / "images" / "fonts"
FACES = {"Regular": {"wdth": 68, "wght": 450}, "Bold": {"wdth": 62.5, "wght": 700}}
"""The faces as places in the variable font: a little heavier than its Regular, for six points in print, and as narrow as its Bold goes."""
FIGURES = {"Bold": 450}
"""The width of figures where they stand closer than in the font: the values of a counter are bold and large."""
PAGE_LETTERS = "".join(map(chr, range(0x20, 0x7F))) + "\u00a0äöüßáąčćéęěėíłńóřšśúųūýźżžÄÖÜČŁÓŚŠŻŽ·×½…–−‘’“”‹›•→"
"""The letters of the page's headings: any other one is in the system's own typeface."""
EM = 1000
PAIRS = 2
"""The type of a lookup of pairs; what hangs on a third letter is left out."""
DATE = 3_800_000_000
"""Seconds since 1904: the date of both faces, so that two runs write the same bytes."""


def letters() -> str:
    """Every letter of the faces, in the order of their glyphs."""
    spans = [(0x20, 0x7E), (0xA0, 0xAC), (0xAE, 0x17F), (0x218, 0x21B), (0x400, 0x45F), (0x462, 0x463), (0x472, 0x475)]
    spans += [(0x490, 0x491), (0x2153, 0x215E), (0x2070, 0x2070), (0x2074, 0x2079), (0x2007, 0x200A)]
    others = "ƒẞ" + "‐‑‒–—―‘’‚“”„†‡•…‰′″‹›⁄€№™−" + "".join((*COMPOSED, *DRAWN))
    return "".join(chr(code) for first, last in spans for code in range(first, last + 1)) + others


# --- letters that the font lacks ----------------------------------------------------------------------------------------


def _shape(pen: Any, *points: tuple[float, float]) -> None:
    pen.moveTo(points[0])
    for point in points[1:]:
        pen.lineTo(point)
    pen.closePath()


def _arrow(pen: Any, stem: float, *, both: bool = False) -> None:
    """An arrow to the right, 640 long on the middle of the figures, its shaft as bold as the stem."""
    y, left, right, long, half = 357, 50, 690, 270, stem / 2
    wide = 120 + stem
    head = [(right - long, y + half), (right - long, y + wide), (right, y), (right - long, y - wide)]
    start = [(left, y - half), (left, y + half)]
    if both:
        start = [
            (left + long, y - half),
            (left + long, y - wide),
            (left, y),
            (left + long, y + wide),
            (left + long, y + half),
        ]
    _shape(pen, *start, *head, (right - long, y - half))


def _turned(pen: Any, quarters: int) -> TransformPen:
    """A pen that turns a glyph about the middle of an arrow, anticlockwise."""
    c, s = ((1, 0), (0, 1), (-1, 0), (0, -1))[quarters]
    x, y = 370, 357
    return TransformPen(pen, (c, s, -s, c, x - c * x + s * y, y - s * x - c * y))


def _disc(pen: Any) -> None:
    """A disc on the middle of the figures, of eight arcs."""
    x, y, radius, eighth = 340, 357, 250, pi / 4
    at = [(x + radius * cos(-n * eighth), y + radius * sin(-n * eighth)) for n in range(9)]
    far = radius / cos(eighth / 2)
    pen.moveTo(at[0])
    for n in range(8):
        turn = -(n + 0.5) * eighth
        pen.qCurveTo((x + far * cos(turn), y + far * sin(turn)), at[n + 1])
    pen.closePath()


def _lozenge(pen: Any, stem: float) -> None:
    half, tall, middle, x = 200, 330, 357, 260
    inner = 1 - stem * 1.1 / half / 1.35
    for scale in (1.0, inner):
        wide, high = half * scale, tall * scale
        points = [(x, middle + high), (x + wide, middle), (x, middle - high), (x - wide, middle)]
        _shape(pen, *(points if scale == 1 else reversed(points)))


def _star(pen: Any) -> None:
    x, y = 340, 340
    rays = [(300 if n % 2 == 0 else 118, pi / 2 - n * pi / 5) for n in range(10)]
    _shape(pen, *((x + far * cos(turn), y + far * sin(turn)) for far, turn in rays))


#: What the project draws itself: how, with the thickness of a stroke, and the advance.
DRAWN = {
    "→": (lambda pen, stem: _arrow(pen, stem), 740),
    "←": (lambda pen, stem: _arrow(_turned(pen, 2), stem), 740),
    "↑": (lambda pen, stem: _arrow(_turned(pen, 1), stem), 740),
    "↓": (lambda pen, stem: _arrow(_turned(pen, 3), stem), 740),
    "↔": (lambda pen, stem: _arrow(pen, stem, both=True), 740),
    "■": (lambda pen, stem: _shape(pen, (90, 107), (90, 607), (590, 607), (590, 107)), 680),
    "●": (lambda pen, stem: _disc(pen), 680),
    "▲": (lambda pen, stem: _shape(pen, (50, 90), (340, 624), (630, 90)), 680),
    "▼": (lambda pen, stem: _shape(pen, (50, 624), (630, 624), (340, 90)), 680),
    "★": (lambda pen, stem: _star(pen), 680),
    "◊": (_lozenge, 520),
}
#: Letters made of others of the font: each with where it is moved to.
COMPOSED = {
    "≈": (("~", 0, 95), ("~", 0, -95)),
    "≠": (("=", 0, 0), ("/", 0.5, 0)),
    "≤": (("<", 0, 80), ("−", 0, -270)),
    "≥": ((">", 0, 80), ("−", 0, -270)),
}
#: A short hyphen at half the height of figures, for values in a row: 12‒16‒7.
FIGURE_DASH = "‒"
_SHORT = 0.8


def glyphs(font: TTFont, stem: float, figures: int | None) -> dict[str, tuple[Any, int]]:
    """Outline and advance of every letter."""
    outlines, names, widths = font.getGlyphSet(), font.getBestCmap(), font["hmtx"].metrics
    made: dict[str, tuple[Any, int]] = {}

    def draw(letter: str, pen: Any) -> int:
        if letter in DRAWN:
            drawing, advance = DRAWN[letter]
            drawing(pen, stem)
            return advance
        recorded = DecomposingRecordingPen(outlines)
        outlines[names[ord(letter)]].draw(recorded)
        recorded.replay(pen)
        return int(widths[names[ord(letter)]][0])

    for letter in letters():
        pen = TTGlyphPen(None)
        if letter in COMPOSED:
            wide = widths[names[ord(COMPOSED[letter][0][0])]][0]
            for part, across, up in COMPOSED[letter]:
                shift = across * (wide - widths[names[ord(part)]][0])
                draw(part, TransformPen(pen, (1, 0, 0, 1, shift, up)))
            advance = int(wide)
        elif letter == FIGURE_DASH:
            bounds = BoundsPen(outlines)
            outlines[names[ord("-")]].draw(bounds)
            up = font["OS/2"].sCapHeight / 2 - (bounds.bounds[1] + bounds.bounds[3]) / 2
            advance = round(draw("-", TransformPen(pen, (_SHORT, 0, 0, 1, 0, up))) * _SHORT)
        elif figures and letter in "0123456789":
            closer = figures - widths[names[ord(letter)]][0]
            advance = draw(letter, TransformPen(pen, (1, 0, 0, 1, closer / 2, 0))) + closer
        else:
            advance = draw(letter, pen)
        made[letter] = pen.glyph(), advance
    return made


def build(name: str, made: Mapping[str, tuple[Any, int]], source: TTFont) -> TTFont:
    """A font of these glyphs, each letter with one of its own."""
    order = [".notdef", *(f"uni{ord(letter):04X}" for letter in made)]
    builder = FontBuilder(EM, isTTF=True)
    builder.setupGlyphOrder(order)
    builder.setupCharacterMap({ord(letter): glyph for letter, glyph in zip(made, order[1:], strict=True)})
    outlines = [made["◊"], *made.values()]
    builder.setupGlyf({glyph: outline for glyph, (outline, _) in zip(order, outlines, strict=True)})
    glyf = builder.font["glyf"]
    lefts = [getattr(glyf[glyph], "xMin", 0) for glyph in order]
    builder.setupHorizontalMetrics(
        {glyph: (advance, left) for glyph, (_, advance), left in zip(order, outlines, lefts, strict=True)}
    )
    heights = {"ascent": source["hhea"].ascent, "descent": source["hhea"].descent}
    builder.setupHorizontalHeader(**heights)
    family = "Field Staff Condensed"
    licence = "This Font Software is licensed under the SIL Open Font License, Version 1.1: https://openfontlicense.org"
    builder.setupNameTable(
        {
            "copyright": source["name"].getDebugName(0) + "; letters taken out and arrows added for Field Staff",
            "familyName": family,
            "styleName": name,
            "uniqueFontIdentifier": f"{family} {name}",
            "fullName": f"{family} {name}",
            "psName": f"FieldStaffCondensed-{name}",
            "version": "Version 1.000; from Noto Sans " + source["name"].getDebugName(5).removeprefix("Version "),
            "licenseDescription": licence,
        },
        mac=False,
    )
    system = source["OS/2"]
    builder.setupOS2(
        sTypoAscender=heights["ascent"],
        sTypoDescender=heights["descent"],
        usWinAscent=heights["ascent"],
        usWinDescent=-heights["descent"],
        sCapHeight=system.sCapHeight,
        sxHeight=system.sxHeight,
        usWeightClass=FACES[name]["wght"],
        usWidthClass=3,
    )
    builder.setupPost(keepGlyphNames=False)
    font = builder.font
    font["head"].created = font["head"].modified = DATE
    font["head"].macStyle = int(name == "Bold")
    font.recalcTimestamp = False
    return font


# --- kerning ----------------------------------------------------------------------------------------------------------


def kerning(font: TTFont) -> dict[tuple[str, str], int]:
    """The pairs of letters that stand closer or wider than their widths say, with the difference. Figures keep their columns."""
    table, names = font["GPOS"].table, font.getBestCmap()
    features = [record.Feature for record in table.FeatureList.FeatureRecord if record.FeatureTag == "kern"]
    numbers = sorted({number for feature in features for number in feature.LookupListIndex})
    known = [letter for letter in letters() if ord(letter) in names and letter not in COMPOSED]
    pairs: dict[tuple[str, str], int] = {}
    for number in numbers:
        for (first, second), by in _lookup(
            table.LookupList.Lookup[number], {names[ord(letter)] for letter in known}
        ).items():
            pairs[first, second] = pairs.get((first, second), 0) + by
    differences = {}
    for letter in known:
        for other in known:
            by = pairs.get((names[ord(letter)], names[ord(other)]), 0)
            if by and not (letter.isdecimal() and other.isdecimal()):
                differences[letter, other] = by
    return differences


def _lookup(lookup: Any, wanted: set[str]) -> dict[tuple[str, str], int]:
    """The pairs of one lookup: of its subtables the first that knows a pair counts."""
    differences: dict[tuple[str, str], int] = {}
    for subtable in lookup.SubTable:
        table = getattr(subtable, "ExtSubTable", subtable)
        if table.LookupType != PAIRS:
            continue
        firsts = [glyph for glyph in table.Coverage.glyphs if glyph in wanted]
        if table.Format == 1:
            for glyph, pairs in zip(table.Coverage.glyphs, table.PairSet, strict=True):
                for record in pairs.PairValueRecord if glyph in wanted else ():
                    differences.setdefault((glyph, record.SecondGlyph), getattr(record.Value1, "XAdvance", 0) or 0)
        else:
            for first in firsts:
                row = table.Class1Record[table.ClassDef1.classDefs.get(first, 0)].Class2Record
                for second in wanted:
                    value = row[table.ClassDef2.classDefs.get(second, 0)].Value1
                    differences.setdefault((first, second), getattr(value, "XAdvance", 0) or 0)
    return differences


def classes(pairs: Mapping[tuple[str, str], int], known: Sequence[str]) -> dict[str, Any]:
    """The pairs as classes: letters that kern alike on their right side, on their left side, and the differences between."""
    rows = {letter: tuple(pairs.get((letter, other), 0) for other in known) for letter in known}
    columns = {other: tuple(pairs.get((letter, other), 0) for letter in known) for other in known}
    left, right = (list(dict.fromkeys(kinds.values())) for kinds in (rows, columns))
    # a class is what its first letter is
    first_left = [next(letter for letter in known if rows[letter] == kind) for kind in left]
    first_right = [next(other for other in known if columns[other] == kind) for kind in right]
    return {
        "before": [left.index(rows[letter]) for letter in known],
        "after": [right.index(columns[other]) for other in known],
        "kerning": [[pairs.get((letter, other), 0) for other in first_right] for letter in first_left],
    }


# --- outlines as paths ------------------------------------------------------------------------------------------------


class _PathPen:
    """Records an outline of cubic curves as a path of SVG, y down, in whole numbers relative to the point before."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self._at = self._start = (0, 0)

    def _to(self, command: str, *points: tuple[float, float]) -> None:
        whole = [(round(x), -round(y)) for x, y in points]
        steps = [value for x, y in whole for value in (x - self._at[0], y - self._at[1])]
        written = "".join(f"{'' if step < 0 or not n else ' '}{step}" for n, step in enumerate(steps))
        self.parts.append(command + written)
        self._at = whole[-1]

    def moveTo(self, point: tuple[float, float]) -> None:
        """Begin a contour; the first one, without a command, where the letter is put."""
        if self.parts:
            self._to("m", point)
        else:
            self._at = round(point[0]), -round(point[1])
            self.parts.append(f"{self._at[0]} {self._at[1]}")
        self._start = self._at

    def lineTo(self, point: tuple[float, float]) -> None:
        """A straight line."""
        across, down = round(point[0]) - self._at[0], -round(point[1]) - self._at[1]
        if across and down:
            self._to("l", point)
        else:
            self.parts.append(f"h{across}" if across else f"v{down}")
            self._at = (self._at[0] + across, self._at[1] + down)

    def curveTo(self, *points: tuple[float, float]) -> None:
        """A curve."""
        self._to("c", *points)

    def closePath(self) -> None:
        """End a contour."""
        self.parts.append("z")
        self._at = self._start


def paths(font: TTFont) -> list[str]:
    """The outline of every letter, in the order of the letters: of cubic curves, fewer of which do, within one unit."""
    glyphs, names = font.getGlyphSet(), font.getBestCmap()
    outlines = []
    for letter in letters():
        pen = _PathPen()
        glyphs[names[ord(letter)]].draw(Qu2CuPen(pen, 1.0, all_cubic=True))
        outlines.append("".join(pen.parts))
    return outlines


def page_face() -> TTFont:
    """The face of the table page's headings: what it takes of the bold one."""
    font = TTFont(FOLDER / "Condensed-Bold.ttf", recalcTimestamp=False)
    subsetter = Subsetter(Options(notdef_outline=True, name_IDs=[0, 1, 2, 13]))
    subsetter.populate(text=PAGE_LETTERS)
    subsetter.subset(font)
    return font


def main(source: str = "") -> None:
    """Write both faces and their metrics, and the face of the page."""
    if source:
        write_faces(source)
    page_face().save(FOLDER / "Condensed-Page.ttf")


def write_faces(source: str) -> None:
    """Write both faces and their metrics."""
    faces: dict[str, Any] = {}
    outlines: dict[str, list[str]] = {}
    for name, place in FACES.items():
        font = TTFont(source)
        instantiateVariableFont(font, place, inplace=True)
        bounds = BoundsPen(font.getGlyphSet())
        font.getGlyphSet()["hyphen"].draw(bounds)
        made = glyphs(font, bounds.bounds[3] - bounds.bounds[1], FIGURES.get(name))
        face = build(name, made, font)
        face.save(FOLDER / f"Condensed-{name}.ttf")
        outlines[name.lower()] = paths(face)
        pairs = kerning(font)
        widths = [advance for _, advance in made.values()]
        faces[name.lower()] = {"widths": widths, **classes(pairs, list(made))}
        print(f"{name}: {len(made)} letters, {len(pairs)} pairs, {len(faces[name.lower()]['kerning'])} classes")
    for file, table in (("metrics", {"letters": letters(), **faces}), ("outlines", outlines)):
        text = json.dumps(table, ensure_ascii=False, separators=(",", ":"))
        (FOLDER / f"{file}.json").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:2])
