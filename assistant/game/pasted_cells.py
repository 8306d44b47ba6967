"""The cells of a pasted or typed text: in which ways its lines may be parted into them."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from ..util.patterns import late_pattern

Row = tuple[str, ...]
UNKNOWN = "?"
"""What stands for a cell that its owner does not know."""
DASHES = late_pattern("[\u2010-\u2015\u2043\u2212\ufe58\ufe63\uff0d]")
_BLANKS = late_pattern("[\xa0\u2000-\u200a\u202f\u205f\u3000]")
_UNSEEN = late_pattern(
    "\x1b\\[[0-9;]*[~A-Za-z]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufffe\uffff]"
)
"""What a screen does not show: control characters, marks of direction, what a terminal writes around pasted text."""
_QUOTES = "\"'`\xab\xb4\xbb\u2018\u2019\u201a\u201c\u201d\u201e\u201f"
SHIFTED = "\0"
"""Begins each cell of a row that has more or fewer cells than others, so that it is not known which is which."""


def clean_pasted(text: str) -> str:
    """Return a pasted text without what a screen does not show, with plain blanks and line ends."""
    text = _BLANKS.sub(" ", text.replace("\r\n", "\n").replace("\r", "\n"))
    return _UNSEEN.sub("", text)


def list_partings(text: str, most: int, may_be_title: Callable[[Row], bool]) -> Iterator[list[Row]]:
    """Yield the rows of a text, parted in each way that it may be, the likeliest first. most: cells in all;
    may_be_title: whether the first row may be one.
    """
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    joined = (re.sub(r"\s*/\s*", "/", re.sub(r"\b([0-9]+) to ([0-9]+)\b", r"\1:\2", line)) for line in lines)
    marked = []
    if "\t" in text:
        marked.append(_split_marked(text, "\t"))
    if "|" in text:
        marked.append(_split_pipes(lines))
    marked += [_split_marked(text, mark) for mark in ";," if mark in text]
    blanks = [[tuple(map(_strip_cell, re.split(" {2,}|\t", line))) for line in lines]]
    blanks += [[tuple(_repeat_cells(map(_strip_cell, line.split()))) for line in joined]]
    for rows in marked:
        yield from _set_title_apart(rows, most, may_be_title)
    for rows in blanks:
        yield from map(_align_rows, _set_title_apart(rows, most, may_be_title))


def _set_title_apart(rows: list[Row], most: int, may_be_title: Callable[[Row], bool]) -> Iterator[list[Row]]:
    """Yield rows as they are, and with the first as a title if it may be one; nothing if they have too many cells."""
    if not rows or sum(map(len, rows)) > most:
        return
    yield rows
    if len(rows[0]) > 1 and may_be_title(rows[0]):
        yield [(" ".join(filter(None, rows[0])),), *rows[1:]]


def _split_pipes(lines: Iterable[str]) -> list[Row]:
    """Return the rows of a table in Markdown, without that under the headings."""
    rows = [tuple(map(_strip_cell, line.removeprefix("|").removesuffix("|").split("|"))) for line in lines]
    return [row for row in rows if not all(re.fullmatch(":?-{2,}:?|:-:?|-:", cell) for cell in row)]


def _align_rows(rows: Sequence[Row]) -> list[Row]:
    """Return rows whose cells only blanks part: which cell is which is not known of one with more or fewer than the
    others.
    """
    width, _ = Counter(len(row) for row in reversed(rows)).most_common(1)[0] if rows else (0, 0)
    first = next((number for number, row in enumerate(rows) if len(row) == width), 0)
    if any(len(row) > width for row in rows[:first]):
        return []
    return [*rows[:first], *(row if len(row) in (1, width) else _mark_shifted(row, width) for row in rows[first:])]


def _mark_shifted(row: Row, width: int) -> Row:
    fault = f"{SHIFTED}{len(row)} cells stand there, but {width} in other rows; {UNKNOWN} leaves one open"
    return (row[0], *[fault] * (width - 1)) if width > 1 else row


def _split_marked(text: str, mark: str) -> list[Row]:
    """Return the rows of a text with a mark between cells, as spreadsheets write them."""
    try:
        rows = [
            tuple(" ".join(_strip_cell(cell).split()) for cell in row)
            for row in csv.reader(io.StringIO(text), delimiter=mark)
        ]
    except csv.Error:
        return []
    rows = [row for row in rows if any(row)]
    return rows if 2 * sum(len(row) > 1 for row in rows) >= len(rows) else []


def _strip_cell(cell: str) -> str:
    """Return a cell without the blanks and quotation marks around it, and with plain dashes."""
    cell = DASHES.sub("-", cell).strip()
    return cell.removeprefix('="').strip(_QUOTES).strip()


def _repeat_cells(words: Iterable[str]) -> Iterator[str]:
    """Yield the words of a typed row, where `=` repeats the one before and `==` does so twice."""
    last = ""
    for word in words:
        if last and set(word) == {"="}:
            yield from [last] * len(word)
        else:
            last = word
            yield word
