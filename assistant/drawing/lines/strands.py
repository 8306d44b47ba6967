"""The lines themselves, the wider the more units they carry."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import sqrt

from ...asking.line_sketch import (
    Strand,
    Weight,
    weights,
)
from ..colours import WHITE, mix
from ..layout import Layout
from ..scene import Circle, Layer, Path, Point, Shape
from ..style import Palette

THIN = 1.1  # mm, a line of one unit
_MORE = 0.85  # mm by which it grows
THICK = 6.0  # mm, a line at most
_CASING = 1.5  # mm at each side of a line
DASH = 1.8, 1.5
"""The dash of a line that serves in part, in its widths."""


def width_of(number: int) -> float:
    """Return the width of a stretch that so many lines share, in millimetres."""
    return min(THIN + _MORE * (sqrt(number) - 1) * 1.6, THICK)


def strand_layers(
    layout: Layout, strands: Collection[Strand], sides: Sequence[str], palette: Palette, scale: float
) -> list[Layer]:
    """Return the casings of all lines, below roads and railways, and the lines. scale: how much wider they are drawn."""
    casings: list[Shape] = []
    lines: list[Shape] = []
    for side in sides:
        colour = palette.side(side).strong
        carried = weights(strands, side)
        for full in (False, True):
            for width, runs in _join_by_width(layout, carried, full=full).items():
                line_width = width * scale
                dash = () if full else tuple(part * max(line_width, 1.4) for part in DASH)
                casing = mix(colour, WHITE, 0.25)
                casings.append(Path(lines=runs, stroke=casing, width=line_width + 2 * _CASING * scale, opacity=0.28))
                lines.append(Path(lines=runs, stroke=WHITE, width=line_width + 0.8 * scale))
                lines.append(Path(lines=runs, stroke=colour, width=line_width, dash=dash, butt=bool(dash)))
    return [Layer("casings", tuple(casings)), Layer("lines", tuple(lines))]


def _join_by_width(
    layout: Layout, carried: Mapping[str, Weight], *, full: bool
) -> dict[float, tuple[tuple[Point, ...], ...]]:
    """Return the stretches of one kind, from centre to centre, joined to runs of the same width."""
    by_width: dict[float, list[tuple[str, str]]] = {}
    for name, weight in carried.items():
        if weight.full is full:
            one, _, other = name.partition("|")
            by_width.setdefault(width_of(weight.number), []).append((one, other))
    return {
        width: tuple(tuple(map(layout.centre, run)) for run in _join_runs(pairs))
        for width, pairs in sorted(by_width.items())
    }


def _join_runs(pairs: Collection[tuple[str, str]]) -> list[list[str]]:
    """Return stretches joined end to end, as far as they go without a branch, so that dashes run on over hexsides."""
    beyond: dict[str, list[str]] = {}
    for one, other in pairs:
        beyond.setdefault(one, []).append(other)
        beyond.setdefault(other, []).append(one)
    left = {frozenset(pair) for pair in pairs}
    runs = []
    starts = sorted(beyond, key=lambda at: (len(beyond[at]) == 2, at))  # ends and branches before middles
    for start in starts:
        for first in beyond[start]:
            if frozenset((start, first)) not in left:
                continue
            run = [start, first]
            left.discard(frozenset(run))
            while len(beyond[run[-1]]) == 2:
                after = next((at for at in beyond[run[-1]] if frozenset((run[-1], at)) in left), "")
                if not after:
                    break
                left.discard(frozenset((run[-1], after)))
                run.append(after)
            runs.append(run)
    return runs


def dot_layer(layout: Layout, strands: Collection[Strand], sides: Sequence[str], palette: Palette) -> Layer:
    """Return a dot in each hex of the lines, for pictures of few."""
    shapes = []
    for side in sides:
        hexes = dict.fromkeys(
            at for strand in strands if strand.side == side and len(strand.hexes) > 1 for at in strand.hexes
        )
        for x, y in map(layout.centre, hexes):
            shapes.append(Circle(x=x, y=y, radius=1.3, fill=WHITE, stroke=palette.side(side).strong, width=0.6))
    return Layer("dots", tuple(shapes))
