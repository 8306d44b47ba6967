"""The lettering of all pictures: the widths of texts, their fit, and the outlines of letters.

The typeface is a condensed Noto Sans, regular and bold, in the folder `fonts` of the package `field_staff_images`.
Widths come from a table, not from the fonts.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import combining, normalize

import msgspec

from ..util.files import package_folder, read_own
from ..util.patterns import late_pattern
from ..util.typesetting import set_in_type

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

FIGURE_HEIGHT = 0.714
"""The height of capitals and figures, as a fraction of the font size."""
MIN_READABLE_POINTS = 5.5
"""The smallest legible size in print, in points."""
POINT_MM = 25.4 / 72
"""The length of a typographic point."""
DASH = "\u2012"
"""The dash between the values of a unit: short, and at half the height of figures."""
MISSING = "\u25ca"
"""The lozenge in place of a letter that the typeface lacks; a "?" on a counter would mean an unknown value."""


class _Face(msgspec.Struct, frozen=True):
    """Widths and kerning in thousandths of the size."""

    widths: tuple[int, ...]
    before: tuple[int, ...]
    """The kerning class of each letter as the left letter of a pair."""
    after: tuple[int, ...]
    """The kerning class of each letter as the right letter of a pair."""
    kerning: tuple[tuple[int, ...], ...]


class _Metrics(msgspec.Struct, frozen=True):
    """The tables of both faces, which have the same letters."""

    letters: str
    regular: _Face
    bold: _Face


class KernedText(NamedTuple):
    """A text in letters of the typeface, with the kerning after each letter and the total width.

    Both are in thousandths of the font size; the last kerning is 0.
    """

    text: str
    kerns: tuple[int, ...]
    width: int


class _Outlines(msgspec.Struct, frozen=True):
    regular: tuple[str, ...]
    bold: tuple[str, ...]


@cache
def _outlines() -> _Outlines:
    return msgspec.json.decode(read_own(_folder() / "outlines.json"), type=_Outlines)


@lru_cache(maxsize=10_000)
def outline(text: str, *, bold: bool = False) -> str:
    """Return a text as an SVG path from the origin of its base line, y down, in thousandths of the font size."""
    kerned = kern_text(text, bold=bold)
    parts, x = [], 0
    for letter, kern in zip(kerned.text, kerned.kerns, strict=True):
        start, path, width = _letter_path(letter, bold)
        if path:
            parts.append(f"M{x + start} {path}")
        x += width + kern
    return "".join(parts)


@cache
def _letter_path(letter: str, bold: bool) -> tuple[int, str, int]:
    """Return the start of a letter's path along the base line, the rest of the path or "" for no ink, and its width."""
    number = _letter_numbers()[letter]
    paths, face = (_outlines().bold, _metrics().bold) if bold else (_outlines().regular, _metrics().regular)
    start, _, path = paths[number].partition(" ")
    return int(start or 0), path, face.widths[number]


class Extent(NamedTuple):
    """The extent of ink from the origin of a base line, y down, as shares of the font size."""

    left: float
    top: float
    right: float
    bottom: float


_COMMAND = late_pattern("([Mmhvlcz])([^A-Za-z]*)")
_NUMBER = late_pattern("-?[0-9]+")


@lru_cache(maxsize=10_000)
def ink_extent(text: str, *, bold: bool = False) -> Extent:
    """Return the extent of a text's ink, with accents and descenders; all 0 for a text without ink.

    Control points of curves count as ink, though they may be slightly outside.
    """
    across, down = [], []
    x = y = 0
    start = x, y
    for command, data in _COMMAND.findall(outline(text, bold=bold)):
        numbers = [int(number) for number in _NUMBER.findall(data)]
        if command == "z":
            x, y = start
            continue
        if command == "h":
            numbers = [part for step in numbers for part in (step, 0)]
        elif command == "v":
            numbers = [part for step in numbers for part in (0, step)]
        if command == "M":
            x = y = 0
        numbers_per_step = 6 if command == "c" else 2
        for at in range(0, len(numbers), numbers_per_step):
            points = [(x + numbers[index], y + numbers[index + 1]) for index in range(at, at + numbers_per_step, 2)]
            across += [point[0] for point in points]
            down += [point[1] for point in points]
            x, y = points[-1]
            if command in "Mm" and at == 0:
                start = x, y
    if not across:
        return Extent(0, 0, 0, 0)
    return Extent(min(across) / 1000, min(down) / 1000, max(across) / 1000, max(down) / 1000)


class Rise(NamedTuple):
    """The extent of ink above and below a base line, y down, as shares of the font size."""

    top: float
    bottom: float


@lru_cache(maxsize=10_000)
def ink_rise(text: str, *, bold: bool = False) -> Rise:
    """Return the vertical extent of a text's ink, taken letter by letter, which is much faster than `ink_extent`."""
    letters = [_letter_rise(letter, bold) for letter in set(replace_missing(text))]
    inked = [rise for rise in letters if rise.top or rise.bottom]
    return Rise(min(rise.top for rise in inked), max(rise.bottom for rise in inked)) if inked else Rise(0, 0)


@cache
def _letter_rise(letter: str, bold: bool) -> Rise:
    extent = ink_extent(letter, bold=bold)
    return Rise(extent.top, extent.bottom)


def font_file(*, bold: bool) -> bytes:
    """Return the font file of a face."""
    return read_own(_folder() / f"Condensed-{'Bold' if bold else 'Regular'}.ttf")


def _folder() -> Traversable:
    return package_folder("field_staff_images") / "fonts"


@cache
def _metrics() -> _Metrics:
    return msgspec.json.decode(read_own(_folder() / "metrics.json"), type=_Metrics)


@cache
def _letter_numbers() -> dict[str, int]:
    return {letter: number for number, letter in enumerate(_metrics().letters)}


@lru_cache(maxsize=10_000)
def kern_text(text: str, *, bold: bool = False) -> KernedText:
    """Return a text in the letters of the face, kerned."""
    numbers, face = _letter_numbers(), _metrics().bold if bold else _metrics().regular
    shown_text = text
    try:
        letter_numbers = [numbers[letter] for letter in text]
    except KeyError:
        shown_text = replace_missing(text)
        letter_numbers = [numbers[letter] for letter in shown_text]
    widths, before, after, kerning = face.widths, face.before, face.after, face.kerning
    pairs = [kerning[before[letter]][after[other]] for letter, other in pairwise(letter_numbers)]
    if letter_numbers:
        pairs.append(0)  # no kerning after the last letter
    width = sum([widths[number] for number in letter_numbers]) + sum(pairs)
    return KernedText(shown_text, tuple(pairs), width)


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Return the width of a text, set in type, in the unit of its size."""
    return _width_as_set(set_in_type(text), size, bold=bold)


def _width_as_set(text: str, size: float, *, bold: bool = False) -> float:
    """Return the width of a text as it is, because it is set in type already or should stay as typed."""
    return kern_text(text, bold=bold).width * size / 1000


def replace_missing(text: str) -> str:
    """Return the text without missing accents, and with a lozenge for any other letter that the typeface lacks."""
    if _letter_numbers().keys() >= set(text):
        return text
    return "".join(shown for _, shown in _replace_letters(text))


def missing_letters(text: str) -> str:
    """Return the letters of a text that the typeface lacks, each once, including letters that lose an accent."""
    if _letter_numbers().keys() >= set(text):
        return ""
    replaced = [letter for letter, shown in _replace_letters(text) if shown != letter and not letter.isspace()]
    return "".join(dict.fromkeys(replaced))


def _replace_letters(text: str) -> Iterator[tuple[str, str]]:
    known = _letter_numbers()
    for letter in normalize("NFC", text):
        plain = normalize("NFD", letter)[0]
        if letter in known:
            yield letter, letter
        elif letter.isspace():
            yield letter, " "
        elif plain in known:
            yield letter, plain
        else:
            yield letter, "" if combining(letter) else MISSING


def base_line(y: float, size: float, lines: int = 1, pitch: float = 1.0) -> float:
    """Return the base line of the first of several lines of capitals or figures centred together on `y`.

    `pitch`: the distance between base lines, as a share of the size.
    """
    return y + size * (FIGURE_HEIGHT - (lines - 1) * pitch) / 2


class FittedText(msgspec.Struct, frozen=True):
    """Lines of text, and the font size in mm at which they fit."""

    lines: tuple[str, ...]
    size: float
    cut: bool = False
    """Whether letters had to be cut off."""


def fit_line(text: str, size: float, width: float, *, min_size: float, bold: bool = False) -> FittedText:
    """Return a text set in type on one line: smaller if necessary, down to `min_size`, then cut.

    All lengths are in mm.
    """
    text = set_in_type(text)
    full_width = _width_as_set(text, size, bold=bold)
    if full_width <= width:
        return FittedText((text,), size)
    smaller_size = size * width / full_width
    if smaller_size >= min_size:
        return FittedText((text,), smaller_size)
    max_chars = bisect(
        range(len(text) + 1), width, key=lambda count: _width_as_set(text[:count] + "…", min_size, bold=bold)
    )
    return FittedText((text[: max(max_chars - 1, 0)].rstrip() + "…",), min_size, cut=True)


def fit_lines(
    text: str, size: float, width: float, height: float, *, min_size: float, bold: bool = False
) -> FittedText:
    """Return a text set in type in a box: on one line, or on two if they fit and allow a larger size.

    All lengths are in mm.
    """
    single = fit_line(text, min(size, height), width, min_size=min_size, bold=bold)
    words = set_in_type(text).split()
    if len(words) < 2 or (single.size == size and not single.cut) or height < 2 * min_size:
        return single
    best = _split_evenly(words, bold)
    two = [fit_line(line, min(size, height / 2), width, min_size=min_size, bold=bold) for line in best]
    lines, smallest = tuple(line.lines[0] for line in two), min(line.size for line in two)
    cut = any(line.cut for line in two)
    return FittedText(lines, smallest, cut) if (single.cut, -single.size) > (cut, -smallest) else single


def _split_evenly(words: Sequence[str], bold: bool) -> tuple[str, str]:
    """Return two or more words on two lines, with the longer line as short as possible."""
    space = kern_text(" ", bold=bold).width
    ends = list(accumulate(kern_text(word, bold=bold).width + space for word in words))
    cut = min(range(1, len(words)), key=lambda at: max(ends[at - 1], ends[-1] - ends[at - 1]))
    return " ".join(words[:cut]), " ".join(words[cut:])


def wrap(
    text: str, size: float, width: float, *, bold: bool = False, typed: bool = False, broken: bool = False
) -> Sequence[str]:
    """Return the lines of a text, broken between words so that each fits `width` in mm if possible.

    `typed`: whether to keep the hyphens and quotes of a keyboard; otherwise the text is set in type.
    `broken`: whether to break a word that is too wide, after its own hyphen or with a new one.
    """

    def fits(text: str) -> bool:
        return _width_as_set(text, size, bold=bold) <= width

    lines = [""]
    for word in (text if typed else set_in_type(text)).split():
        longer = f"{lines[-1]} {word}".strip()
        if fits(longer):
            lines[-1] = longer
        elif not broken or fits(word):
            lines[-1:] = [lines[-1], word] if lines[-1] else [word]
        else:
            first, *others = _break_word(word, fits)
            longer = f"{lines[-1]} {first}".strip()
            lines[-1:] = [longer] if fits(longer) or not lines[-1] else [lines[-1], first]
            for part in others:
                longer = f"{lines[-1]}{part}"
                lines[-1:] = [longer] if fits(longer) else [lines[-1], part]
    return lines


def _break_word(word: str, fits: Callable[[str], bool]) -> Iterator[str]:
    """Yield the parts of a word that is too wide, broken at its own hyphens, and where necessary at new ones."""
    for part in re.split("(?<=[-\u2013/])(?=.)", word):
        while not fits(part) and len(part) > 2:
            max_chars = bisect(range(len(part)), 0, key=lambda count: not fits(f"{part[:count]}-"))
            cut = min(max(max_chars - 1, 1), len(part) - 1)
            yield f"{part[:cut]}-"
            part = part[cut:]
        yield part
