"""Likelihoods as bars of block characters, for text that is wide enough."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from ..mechanics.chances import Likelihood

LONGEST, SHORTEST = 40, 4
"""Most and least columns of a bar: bars on one line share the most; below the least, none is drawn."""
_EIGHTHS = " ▏▎▍▌▋▊▉"
SIGNS = f"█{_EIGHTHS.strip()}"
"""The characters that bars are made of."""
_PERCENT = 6


class BarLine(NamedTuple):
    """A line of text and likelihoods to draw after it: a distribution of numbers below it, single events beside it."""

    head: str
    likelihoods: Sequence[Likelihood]

    @property
    def beside(self) -> bool:
        """Whether these are single events, in words."""
        return any(isinstance(likelihood.value, str) for likelihood in self.likelihoods)


def block_bar(share: Fraction, width: int) -> str:
    """A bar of a share of a width in columns, to the nearest eighth of one; any share above 0 shows."""
    eighths = round(share * width * 8)
    if share:
        eighths = max(eighths, 1)
    whole, rest = divmod(eighths, 8)
    return "█" * whole + _EIGHTHS[rest].strip()


def draw_bars(lines: Sequence[BarLine], room: int) -> list[list[str] | None]:
    """The lines of each with its bars, aligned in columns; None if there is no room.

    room: columns.
    """
    heads = max((len(line.head) for line in lines if line.beside), default=0)
    blocks = [_beside(line, heads, room) if line.beside else _below(line, room) for line in lines]
    crowded = any(rows is None for line, rows in zip(lines, blocks, strict=True) if line.beside and line.head)
    return [None if crowded and line.beside and line.head else rows for line, rows in zip(lines, blocks, strict=True)]


def _below(line: BarLine, room: int) -> list[str] | None:
    labels = [str(likelihood.value) for likelihood in line.likelihoods]
    label = max(map(len, labels), default=0)
    width = min(room - 2 - label - 2 - _PERCENT - 2, LONGEST)
    if width < SHORTEST or len(line.head) > room:
        return None
    rows = zip(labels, line.likelihoods, strict=True)
    return [
        line.head,
        *(
            f"  {name:>{label}}  {_percent(likelihood)}  {block_bar(likelihood.chance, width)}".rstrip()
            for name, likelihood in rows
        ),
    ]


def _beside(line: BarLine, heads: int, room: int) -> list[str] | None:
    words = [str(likelihood.value) for likelihood in line.likelihoods]
    start = f"{line.head:<{heads}}  " if line.head else ""
    taken = len(start) + sum(map(len, words)) + len(words) * (_PERCENT + 2) + (len(words) - 1) * 2
    width = min((room - taken) // len(words), LONGEST // len(words))
    if width < SHORTEST:
        return None
    cells = (
        f"{word} {_percent(likelihood)} {block_bar(likelihood.chance, width):<{width}}"
        for word, likelihood in zip(words, line.likelihoods, strict=True)
    )
    return [(start + "  ".join(cells)).rstrip()]


def _percent(likelihood: Likelihood) -> str:
    return f"{float(likelihood.chance):>{_PERCENT}.1%}"
