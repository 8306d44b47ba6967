"""What a page of a PDF draws, as pypdf reads it: strokes and placed scenes, in millimetres from the upper left."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pypdf
from pypdf.generic import ContentStream

_POINTS_PER_MM = 72 / 25.4
Matrix = tuple[float, float, float, float, float, float]
Point = tuple[float, float]
Edges = tuple[float, float, float, float]


class Stroke(NamedTuple):
    """A path that is stroked. `spot`: the name of its spot colour, "" for inks or a screen."""

    points: tuple[Point, ...]
    spot: str
    is_curved: bool

    @property
    def box(self) -> Edges:
        xs, ys = zip(*self.points, strict=True)
        return min(xs), min(ys), max(xs), max(ys)


class Placed(NamedTuple):
    """A scene on the page: the left, top, right and bottom of its visible part, and where its origin and unit lie."""

    seen: Edges
    origin: Point
    is_turned: bool


class Page(NamedTuple):
    strokes: tuple[Stroke, ...]
    placed: tuple[Placed, ...]
    trim: Edges
    bleed: Edges


def read_pages(file: Path) -> list[Page]:
    reader = pypdf.PdfReader(file)
    return [_read_page(page, reader) for page in reader.pages]


def _read_page(page: pypdf.PageObject, reader: pypdf.PdfReader) -> Page:
    height = float(page.mediabox.height)
    matrix: Matrix = (1, 0, 0, 1, 0, 0)
    spot, kept, points, subpaths = "", list[tuple[Matrix, str]](), list[Point](), list[list[Point]]()
    strokes, placed, clip, curved = list[Stroke](), list[Placed](), None, False

    def at(x: float, y: float) -> Point:
        a, b, c, d, e, f = matrix
        return (a * x + c * y + e) / _POINTS_PER_MM, (height - (b * x + d * y + f)) / _POINTS_PER_MM

    for operands, name in ContentStream(page.get_contents(), reader).operations:
        operator = name.decode()
        if operator in ("cm", "m", "l", "c", "re"):
            numbers = [float(value) for value in operands]
        if operator == "q":
            kept.append((matrix, spot))
            clip = None
        elif operator == "Q":
            matrix, spot = kept.pop()
        elif operator == "cm":
            a, b, c, d, e, f = numbers
            n = matrix
            matrix = (
                a * n[0] + b * n[2],
                a * n[1] + b * n[3],
                c * n[0] + d * n[2],
                c * n[1] + d * n[3],
                e * n[0] + f * n[2] + n[4],
                e * n[1] + f * n[3] + n[5],
            )
            if clip is not None and len(kept) == 1:
                placed.append(Placed(clip, at(0, 0), a < 0))
        elif operator == "CS":
            spot = str(operands[0]).lstrip("/")
        elif operator in ("RG", "K"):
            spot = ""
        elif operator == "m":
            points = [at(*numbers)]
            subpaths.append(points)
        elif operator == "l":
            points.append(at(*numbers))
        elif operator == "c":
            points.append(at(*numbers[4:]))
            curved = True
        elif operator == "re":
            x, y, width, high = numbers
            points = [at(x, y), at(x + width, y), at(x + width, y + high), at(x, y + high)]
            subpaths.append(points)
        elif operator in ("S", "B", "B*", "f", "f*", "n", "s"):
            if operator in ("S", "s", "B", "B*"):
                strokes += [Stroke(tuple(path), spot, curved) for path in subpaths]
            elif operator == "n" and subpaths:
                clip = Stroke(tuple(subpaths[-1]), "", False).box
            subpaths, points, curved = [], [], False
    trim, bleed = (
        (
            float(box.left) / _POINTS_PER_MM,
            (height - float(box.top)) / _POINTS_PER_MM,
            float(box.right) / _POINTS_PER_MM,
            (height - float(box.bottom)) / _POINTS_PER_MM,
        )
        for box in (page.trimbox, page.bleedbox)
    )
    return Page(tuple(strokes), tuple(placed), trim, bleed)
