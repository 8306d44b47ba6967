"""The headings of a pasted or typed table: which row or column of a chart they name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property

from ..util.patterns import late_pattern
from ..util.texts import whole
from .charts import ABOVE, BELOW, Chart, Ends, end_of
from .pasted_cells import DASHES
from .printed_charts import format_heads

Part = int | str
FIELDS = -1
"""Stands among the places of keys for the fields of a cell, where each has a row or column of its own."""
FRACTION_SIGNS = {"½": ".5", "\u2044": "/", "\u2215": "/"}
_ODDS = late_pattern(r"0*([1-9][0-9]{0,3})\s*(?::|-|/|to)\s*0*([1-9][0-9]{0,3})(?::00)?", re.IGNORECASE)
_BEYOND = late_pattern(
    r"(?P<below><=|≤|up to|to)?\s*(?P<above>>=|≥|from)?\s*(?P<value>.*?)\s*(?P<sign>\+|-|(?:or|and) (?:less|fewer|lower|below|under)|(?:or|and) (?:more|greater|higher|above|over|up))?",
    re.IGNORECASE,
)


def fold_words(text: str) -> str:
    """Return the words of a text, with blanks between them."""
    return " ".join(re.findall(r"[^\W_]+", text.casefold()))


def fold_letters(text: str) -> str:
    """Return a text by its letters and figures alone."""
    return re.sub(r"[\W_]+", "", text.casefold())


class Axis:
    """What rows or columns stand for: a key of a chart, or the fields of its cells. ends: of the key, as far as they
    are known.
    """

    def __init__(self, chart: Chart, place: int, ends: Ends) -> None:
        self.place = place
        self.key = None if place == FIELDS else chart.keys[place]
        self.ends = ends
        self.fields = chart.fields
        self._known: dict[str, Part | None] = {}

    @cached_property
    def title(self) -> str:
        """What its headings are, in words."""
        return self.key.name if self.key else "fields"

    @cached_property
    def parts(self) -> Sequence[Part]:
        """Its rows or columns in order; none while it is not known where they end."""
        if self.key is None:
            return range(len(self.fields))
        return self.key.values or self.key.row(self.ends)

    @cached_property
    def names(self) -> frozenset[str]:
        """What may stand over a column of its headings."""
        return frozenset(map(fold_letters, (self.key.name, self.key.title))) - {""} if self.key else frozenset()

    @cached_property
    def words(self) -> dict[str, Part]:
        """Its headings, as far as they are words, without blanks and signs."""
        if self.key is None:
            named = [(number, (field.name, field.title)) for number, field in enumerate(self.fields)]
            return _index_once((text, part) for part, texts in named for text in texts if text)
        texts = ((text, value) for value in self.key.values for text in (value, *format_heads(self.key, [value])))
        return _index_once((text, part) for text, part in texts if re.search("[^\\W0-9_]", text))

    def read(self, text: str) -> Part | None:
        """Return the row or column that a heading names; None if it names none."""
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
        """Return the row or column that odds or a number names, with or without a word on what lies beyond it."""
        assert self.key
        match = _BEYOND.fullmatch(text)
        for value in (text, match["value"] if match else ""):
            number: Part | None = whole(value)
            if self.key.odds:
                odds = _ODDS.fullmatch(value)
                number = f"{int(odds[1])}:{int(odds[2])}" if odds and "1" in odds.groups() else None
            if number is not None:
                inside = self.key.has_owner_ends or number in self.parts
                return number if inside and (value == text or self._may_be_end(number, match)) else None
        return None

    def _may_be_end(self, part: Part, match: re.Match[str] | None) -> bool:
        """Return whether the words beside a number fit to its place: only the first and the last row hold for what lies
        beyond.
        """
        assert self.key
        assert match
        if self.key.has_owner_ends:
            return self.key.open
        sign = match["sign"] or ""
        is_below = bool(match["below"]) or sign.startswith("-") or bool(re.search("less|fewer|lower|below|under", sign))
        return self.key.open and part == self.parts[0 if is_below else -1]

    def within_ends(self, parts: Sequence[Part | None]) -> list[Part | None]:
        """Return headings as parts of keys: the first and the last of a chart whose ends only its owner knows are the
        ends that they tell. None for one beyond an end that is known.
        """
        key = self.key
        if key is None or not key.has_owner_ends:
            return [*parts]
        ranks = {key.size(part) for part in parts if part is not None}
        if not all(self.ends):
            # an end that nothing else tells is the first or the last heading, with its neighbour beside it
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
        low = self.ends.first or (f"{first}{BELOW}" if key.least is None else str(key.least))
        high = self.ends.last or (f"{last}{ABOVE}" if key.most is None else str(key.most))
        sizes = {key.size(low): low, key.size(high): high}
        if len(sizes) == 1:
            return [None] * len(parts)
        inside = range(min(sizes), max(sizes) + 1)
        kept: list[Part | None] = []
        for part in parts:
            if part is None or key.size(part) not in inside:
                kept.append(None)
            else:
                end = sizes.get(key.size(part), part)
                kept.append(end if end_of(end) or isinstance(part, str) else part)
        return kept


def _index_once(texts: Iterable[tuple[str, Part]]) -> dict[str, Part]:
    """Return parts by their squashed texts, without those of which a text names several."""
    by_text: dict[str, set[Part]] = {}
    for text, part in texts:
        by_text.setdefault(fold_letters(text), set()).add(part)
    return {text: parts.pop() for text, parts in by_text.items() if len(parts) == 1 and text}


def _fold_figures(text: str) -> str:
    """Return a heading of figures and signs, written in one way."""
    text = DASHES.sub("-", text.casefold()).replace("≤", "<=").replace("≥", ">=").replace("%", "")
    return "".join(text.split())
