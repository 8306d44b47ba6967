"""The shapes of lakes of a board: `lakes.csv`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...util.datafiles import read_rows, resolve_within
from ...util.errors import InputError, OnFault, format_suggestion
from .board import Board
from .features import Outline, check_name
from .folder import LAKES
from .places import read_hex

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


_FARTHEST = 50.0
"""How far from its hex a point of an outline may lie, in hexes."""


def read_outlines(folder: Traversable, board: Board, on_fault: OnFault) -> tuple[Outline, ...]:
    """Return the shapes of lakes in a board's folder. Each fault goes to `on_fault` with file and line."""
    file = resolve_within(folder, LAKES)
    if not file.is_file():
        return ()
    outlines = []
    for row, where in read_rows(file, ("hex", "outline"), f"{folder.name}/{LAKES}", on_fault):
        try:
            if strange := next((column for column in row if column not in ("name", "hex", "outline")), None):
                raise InputError(
                    f"unknown column {strange!r}", hint=format_suggestion(strange, ("name", "hex", "outline"))
                )
            name = row.get("name", "")
            hex = read_hex(board, row["hex"])
            points = _read_points(row["outline"])
            check_name(name)
            outlines.append(Outline(name=name, hex=hex, points=points, where=where))
        except InputError as error:
            on_fault(error.at(where))
    return tuple(outlines)


def _read_points(text: str) -> tuple[tuple[float, float], ...]:
    """Return the points of an outline. Raises InputError for fewer than three, and for what is none."""
    points = []
    for part in text.split(";"):
        try:
            right, down = map(float, part.split())
            if not max(abs(right), abs(down)) <= _FARTHEST:
                raise ValueError
        except ValueError:
            hint = "write how many hexes it lies to the right and down: 0.25 -0.4; 0.3 -0.1"
            raise InputError(f"{part.strip()!r} is not a point of an outline", hint=hint) from None
        points.append((right, down))
    if len(points) < 3:
        raise InputError(
            "an outline has fewer than three points", hint="name them one after another, a semicolon between"
        )
    return tuple(points)
