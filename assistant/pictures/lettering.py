"""How wide text is, so that it fits where it stands: an estimate that needs no font file.

The widths are those of DejaVu Sans, the widest of the fonts in which pictures are set, so text never comes out wider.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

#: Widths in parts of the font size, by the characters that have them.
_WIDTHS = {
    0.29: "ijlI'",
    0.34: ".,:;| /\\",
    0.41: 'frt()[]-"!J',
    0.56: "acekosvxyzFLT?",
    0.64: "0123456789bdghnpquSEPZ",
    0.7: "ABCKRVXY_",
    0.79: "DGHNOQU+=<>~",
    1.0: "mwMW@%&…—",
}
_WIDTH = {letter: width for width, letters in _WIDTHS.items() for letter in letters}
_BOLD = 1.13
_FULL_WIDTH = "\u2e80"  # where the scripts begin whose letters are as wide as high


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """How wide a text of this font size is, in millimetres."""
    widths = (_WIDTH.get(letter, 1.0 if letter >= _FULL_WIDTH else 0.7) for letter in text)
    return size * sum(widths) * (_BOLD if bold else 1)


class Fitted(NamedTuple):
    """Lines of text and the font size, in millimetres, at which they fit; `cut` tells that letters had to go."""

    lines: tuple[str, ...]
    size: float
    cut: bool = False


def fit(text: str, size: float, width: float, *, least: float, bold: bool = False) -> Fitted:
    """A text on one line of at most `width`: smaller where it is too long, down to the size `least`, then cut off.

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
    """A text in a box, in millimetres: on one line, or on two if there is room and that leaves it larger."""
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
    """The lines of a text, broken between words so that none is wider than `width` millimetres if that can be."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, size, bold=bold) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
