"""The width of text, so that it fits its place: from a table, without a font file.

The widths are those of DejaVu Sans and of Bitstream Vera, its ancestor, the fonts of the pictures. Substitute fonts are
narrower, so text never comes out wider.
"""

# ruff: noqa: RUF001 (the similar letters are intended)

from __future__ import annotations

from collections.abc import Sequence
from unicodedata import normalize

import msgspec

#: Widths as fractions of the font size, rounded up, and their letters; accents add nothing.
_REGULAR = {
    0.28: "'ijlı",
    0.3: "IJł",
    0.32: " ,.·‘’‚",
    0.34: "/:;\\|",
    0.36: "f",
    0.37: "-",
    0.4: "()[]t‹›",
    0.42: "!¡²³¹r",
    0.46: '"',
    0.5: "*_`ªº§°´–†‡◊",
    0.53: "sz“”„",
    0.55: "?¿c",
    0.56: "L",
    0.58: "FkŁ",
    0.6: "vxy•",
    0.62: "PÞTYaeo«»ðø",
    0.64: "$0123456789ESbdghnpqu{}£¤¥µ¶þđßƒ€",
    0.66: "K",
    0.7: "ABVXZCR",
    0.75: "UN",
    0.78: "&DGÐH",
    0.79: "OQØ",
    0.82: "w",
    0.84: "#+<=>^~¬±×÷−≤≥≈∞",
    0.87: "M",
    1.0: "%¼½¾mÆWæ@©®—…™",
    1.07: "œŒ",
    1.35: "‰",
}
_BOLD = {
    0.31: "'",
    0.35: " ijlı",
    0.38: ",.IJ·ł‘’‚/\\|",
    0.4: ":;",
    0.42: "-‹›",
    0.46: "f²³¹!()[]¡",
    0.5: "t_`r§°´–†‡◊",
    0.53: '"*',
    0.6: "ªº?z¿cs",
    0.65: "L¤¶•x«»Ł",
    0.67: "vy“”„k",
    0.7: "$0123456789£¥ƒ€aeEFToðø",
    0.74: "bdghnpqu{}ßþđSYZCPµÞ",
    0.78: "ABKRVX",
    0.83: "GU",
    0.84: "#+<=>DHN^~¬±Ð×÷−",
    0.88: "OQØ&",
    0.93: "w",
    1.01: "%@M©®—…™",
    1.05: "mæ¼½¾",
    1.11: "ÆWœ",
    1.17: "Œ",
    1.44: "‰",
}
_WIDTHS = tuple(
    {letter: width for width, letters in table.items() for letter in letters} for table in (_REGULAR, _BOLD)
)
_OTHERS = 0.8, 0.9
_FULL_WIDTH = "\u2e80"  # from here on letters are as wide as high


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """The width of a text at a font size, in the unit of the size."""
    widths, other = _WIDTHS[bold], _OTHERS[bold]
    wide = 0.0
    for letter in text:
        width = widths.get(letter)
        if width is None:
            width = widths.get(normalize("NFD", letter)[0]) or (1.0 if letter >= _FULL_WIDTH else other)
        wide += width
    return wide * size


class Fitted(msgspec.Struct, frozen=True):
    """Lines of text and the font size, in millimetres, at which they fit. cut: whether letters had to be cut off."""

    lines: tuple[str, ...]
    size: float
    cut: bool = False


def fit(text: str, size: float, width: float, *, least: float, bold: bool = False) -> Fitted:
    """A text on one line of at most `width`: smaller if it is too long, down to the size `least`, then cut off.

    All in millimetres.
    """
    wide = text_width(text, size, bold=bold)
    if wide <= width:
        return Fitted((text,), size)
    smaller = size * width / wide
    if smaller >= least:
        return Fitted((text,), smaller)
    kept = text
    while kept and text_width(kept + "…", least, bold=bold) > width:
        kept = kept[:-1]
    return Fitted((kept.rstrip() + "…",), least, cut=True)


def fit_lines(text: str, size: float, width: float, height: float, *, least: float, bold: bool = False) -> Fitted:
    """A text in a box, in millimetres: on one line, or on two if they fit and allow a larger size."""
    one = fit(text, min(size, height), width, least=least, bold=bold)
    words = text.split()
    if len(words) < 2 or one.size == size or height < 2 * least:
        return one
    halves = [(" ".join(words[:cut]), " ".join(words[cut:])) for cut in range(1, len(words))]
    best = min(halves, key=lambda pair: max(text_width(line, 1, bold=bold) for line in pair))
    two = [fit(line, min(size, height / 2), width, least=least, bold=bold) for line in best]
    lines, smallest = tuple(line.lines[0] for line in two), min(line.size for line in two)
    cut = any(line.cut for line in two)
    return Fitted(lines, smallest, cut) if (one.cut, -one.size) > (cut, -smallest) else one


def wrap(text: str, size: float, width: float, *, bold: bool = False) -> Sequence[str]:
    """The lines of a text, broken between words so that each fits `width` millimetres if possible."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, size, bold=bold) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
