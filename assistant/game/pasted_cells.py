"""The cells of a pasted or typed text, and the row or column of a chart that a heading names.

A line may be split into cells in several ways.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property

from ..util.patterns import late_pattern
from ..util.texts import whole
from .charts import ABOVE_SIGN, BELOW_SIGN, Chart, Ends, end_of
from .printed_charts import format_heads

Row = tuple[str, ...]
UNKNOWN = "?"
"""The text for a cell that its owner does not know."""
DASHES = late_pattern("[\u2010-\u2015\u2043\u2212\ufe58\ufe63\uff0d]")
_BLANKS = late_pattern("[\xa0\u2000-\u200a\u202f\u205f\u3000]")
_INVISIBLE = late_pattern(
    "\x1b\\[[0-9;]*[~A-Za-z]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufffe\uffff]"
)
"""Characters that a screen does not show: control characters, marks of direction, a terminal's codes for pasting."""
_QUOTES = "\"'`\xab\xb4\xbb\u2018\u2019\u201a\u201c\u201d\u201e\u201f"
SHIFTED_SIGN = "\0"
"""The sign at the start of each cell in a row with too many or too few cells, whose columns are unknown."""


def clean_pasted(text: str) -> str:
    """Return a pasted text without invisible characters, with plain spaces and line ends."""
    text = _BLANKS.sub(" ", text.replace("\r\n", "\n").replace("\r", "\n"))
    return _INVISIBLE.sub("", text)


def list_partings(text: str, max_count: int, may_be_title: Callable[[Row], bool]) -> Iterator[list[Row]]:
    """Yield the rows of a text for each way to split its lines into cells, the likeliest first.

    `may_be_title`: returns whether a row at the top may be a title.
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
        yield from _set_title_apart(rows, max_count, may_be_title)
    for rows in blanks:
        yield from map(_align_rows, _set_title_apart(rows, max_count, may_be_title))


def _set_title_apart(rows: list[Row], most: int, may_be_title: Callable[[Row], bool]) -> Iterator[list[Row]]:
    """Yield rows as they are, and with the first row as a title if it may be a title."""
    if not rows or sum(map(len, rows)) > most:
        return
    yield rows
    if len(rows[0]) > 1 and may_be_title(rows[0]):
        yield [(" ".join(filter(None, rows[0])),), *rows[1:]]


def _split_pipes(lines: Iterable[str]) -> list[Row]:
    rows = [tuple(map(_strip_cell, line.removeprefix("|").removesuffix("|").split("|"))) for line in lines]
    return [row for row in rows if not all(re.fullmatch(":?-{2,}:?|:-:?|-:", cell) for cell in row)]


def _align_rows(rows: Sequence[Row]) -> list[Row]:
    """Return rows split at blanks. In a row with too many or too few cells, the columns are unknown."""
    width, _ = Counter(len(row) for row in reversed(rows)).most_common(1)[0] if rows else (0, 0)
    first = next((number for number, row in enumerate(rows) if len(row) == width), 0)
    if any(len(row) > width for row in rows[:first]):
        return []
    return [*rows[:first], *(row if len(row) in (1, width) else _mark_shifted(row, width) for row in rows[first:])]


def _mark_shifted(row: Row, width: int) -> Row:
    fault = f"{SHIFTED_SIGN}{len(row)} cells stand there, but {width} in other rows; {UNKNOWN} leaves one open"
    return (row[0], *[fault] * (width - 1)) if width > 1 else row


def _split_marked(text: str, mark: str) -> list[Row]:
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
    cell = DASHES.sub("-", cell).strip()
    return cell.removeprefix('="').strip(_QUOTES).strip()


def _repeat_cells(words: Iterable[str]) -> Iterator[str]:
    """Yield the words of a typed row. `=` repeats the word before once, and `==` twice."""
    last = ""
    for word in words:
        if last and set(word) == {"="}:
            yield from [last] * len(word)
        else:
            last = word
            yield word


Part = int | str
FIELDS = -1
"""The place of the axis with a row or column for each field of a cell; the keys of a chart have places from 0."""
FRACTION_SIGNS = {"½": ".5", "\u2044": "/", "\u2215": "/"}
_ODDS = late_pattern(r"0*([1-9][0-9]{0,3})\s*(?::|-|/|to)\s*0*([1-9][0-9]{0,3})(?::00)?", re.IGNORECASE)
_OPEN_VALUE = late_pattern(
    r"(?P<below><=|≤|up to|to)?\s*(?P<above>>=|≥|from)?\s*(?P<value>.*?)\s*(?P<sign>\+|-|(?:or|and) (?:less|fewer|lower|below|under)|(?:or|and) (?:more|greater|higher|above|over|up))?",
    re.IGNORECASE,
)


def fold_words(text: str) -> str:
    """Return the words of a text in small letters, with blanks between."""
    return " ".join(re.findall(r"[^\W_]+", text.casefold()))


def fold_letters(text: str) -> str:
    """Return the letters and digits of a text, in small letters."""
    return re.sub(r"[\W_]+", "", text.casefold())


class Axis:
    """An axis of a table: a key of a chart, or the fields of its cells."""

    def __init__(self, chart: Chart, place: int, ends: Ends) -> None:
        self.place = place
        self.key = None if place == FIELDS else chart.keys[place]
        self.ends = ends
        self.fields = chart.fields
        self._known: dict[str, Part | None] = {}

    @cached_property
    def title(self) -> str:
        """The name of the key, or "fields"."""
        return self.key.name if self.key else "fields"

    @cached_property
    def parts(self) -> Sequence[Part]:
        """The rows or columns in order, or none while their ends are unknown."""
        if self.key is None:
            return range(len(self.fields))
        return self.key.values or self.key.row(self.ends)

    @cached_property
    def names(self) -> frozenset[str]:
        """The possible names above a column of headings."""
        return frozenset(map(fold_letters, (self.key.name, self.key.title))) - {""} if self.key else frozenset()

    @cached_property
    def words(self) -> dict[str, Part]:
        """The rows or columns by heading without blanks and signs, for headings with letters."""
        if self.key is None:
            named = [(number, (field.name, field.title)) for number, field in enumerate(self.fields)]
            return _index_once((text, part) for part, texts in named for text in texts if text)
        texts = ((text, value) for value in self.key.values for text in (value, *format_heads(self.key, [value])))
        return _index_once((text, part) for text, part in texts if re.search("[^\\W0-9_]", text))

    def read(self, text: str) -> Part | None:
        """Return the row or column that a heading names, or None if it names none."""
        if text not in self._known:
            self._known[text] = self._read_part(text.strip().rstrip(".)").removesuffix(":").strip())
        return self._known[text]

    def _read_part(self, text: str) -> Part | None:
        if not text or len(text) > 80:
            return None
        part = self.words.get(fold_letters(text))
        if part is not None or self.key is None:
            return part
        if self.key.values:
            by_text = {
                _fold_figures(form): value
                for value in self.key.values
                for form in (value, *format_heads(self.key, [value]))
            }
            odds = _ODDS.fullmatch(text)
            return by_text.get(_fold_figures(text)) or (by_text.get(f"{odds[1]}:{odds[2]}") if odds else None)
        return self._read_measure(text)

    def _read_measure(self, text: str) -> Part | None:
        assert self.key
        match = _OPEN_VALUE.fullmatch(text)
        for value in (text, match["value"] if match else ""):
            number: Part | None = whole(value)
            if self.key.odds:
                odds = _ODDS.fullmatch(value)
                number = f"{int(odds[1])}:{int(odds[2])}" if odds and "1" in odds.groups() else None
            if number is not None:
                is_on_chart = self.key.has_owner_ends or number in self.parts
                return number if is_on_chart and (value == text or self._may_be_end(number, match)) else None
        return None

    def _may_be_end(self, part: Part, match: re.Match[str] | None) -> bool:
        """Return whether words such as "or more" fit a row.

        Only the first and last row also apply to everything beyond.
        """
        assert self.key
        assert match
        if self.key.has_owner_ends:
            return self.key.open
        sign = match["sign"] or ""
        is_below = bool(match["below"]) or sign.startswith("-") or bool(re.search("less|fewer|lower|below|under", sign))
        return self.key.open and part == self.parts[0 if is_below else -1]

    def within_ends(self, parts: Sequence[Part | None]) -> list[Part | None]:
        """Return headings as parts of keys, or None for headings beyond a known end.

        If only the owner knows the ends of the chart, the first and last headings are its ends.
        """
        key = self.key
        if key is None or not key.has_owner_ends:
            return [*parts]
        ranks = {key.size(part) for part in parts if part is not None}
        if not all(self.ends):
            # the first or last heading is an unknown end only if its neighbour is there too
            parts = [
                part if part is not None and {key.size(part) - 1, key.size(part) + 1} & ranks else None
                for part in parts
            ]
            if None in (parts[0], parts[-1]):
                return [None] * len(parts)
        known = [part for part in parts if part is not None]
        if not known:
            return [*parts]
        first, last = min(known, key=key.size), max(known, key=key.size)
        low = self.ends.first or (f"{first}{BELOW_SIGN}" if key.least is None else str(key.least))
        high = self.ends.last or (f"{last}{ABOVE_SIGN}" if key.most is None else str(key.most))
        sizes = {key.size(low): low, key.size(high): high}
        if len(sizes) == 1:
            return [None] * len(parts)
        inside = range(min(sizes), max(sizes) + 1)
        parts_within: list[Part | None] = []
        for part in parts:
            if part is None or key.size(part) not in inside:
                parts_within.append(None)
            else:
                end = sizes.get(key.size(part), part)
                parts_within.append(end if end_of(end) or isinstance(part, str) else part)
        return parts_within


def _index_once(texts: Iterable[tuple[str, Part]]) -> dict[str, Part]:
    """Return parts by their text without blanks and signs. A text that names several parts is left out."""
    by_text: dict[str, set[Part]] = {}
    for text, part in texts:
        by_text.setdefault(fold_letters(text), set()).add(part)
    return {text: parts.pop() for text, parts in by_text.items() if len(parts) == 1 and text}


def _fold_figures(text: str) -> str:
    text = DASHES.sub("-", text.casefold()).replace("≤", "<=").replace("≥", ">=").replace("%", "")
    return "".join(text.split())
