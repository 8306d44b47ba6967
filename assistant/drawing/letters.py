"""A picture in letters: rows of runs, each in a tone that a terminal may show as a colour."""

from __future__ import annotations

from typing import Literal, NamedTuple

Tone = Literal["full", "low", "none", "cut-off", "unknown", "break", "faint", ""]
"""What a run stands for: a status from the best to the worst, a break, what is of less account, or nothing special."""


class Run(NamedTuple):
    """A piece of a row in one tone."""

    text: str
    tone: Tone = ""


Rows = tuple[tuple[Run, ...], ...]
"""Rows from the top."""
