"""Lines over a map: each hexside once, the thicker the more lines share it, dashed where all of them serve but in part."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import sqrt

from ...drawing.scene import Circle, Layer, Path, Point, Shape
from ..colours import WHITE, mixed
from ..layout import Layout
from ..style import LINES
from .shown import Strand, Weight, weights

THIN, _MORE, THICK = 1.1, 0.85, 6.0
"""The width of a line of one unit, what it grows by, and its greatest width, in millimetres."""
_CASING = 1.5
DASH = 1.8, 1.5
"""The dash of a line that serves in part, in its widths."""


def colour_of(sides: Sequence[str], side: str) -> str:
    """The colour of a side's lines."""
    return LINES[sides.index(side) % len(LINES) if side in sides else 0][0]


def width_of(number: int) -> float:
    """The width of a stretch that so many lines share, in millimetres."""
    return min(THIN + _MORE * (sqrt(number) - 1) * 1.6, THICK)


def strand_layers(layout: Layout, strands: Collection[Strand], sides: Sequence[str], scale: float) -> list[Layer]:
    """The casings of all lines, below roads and railways, and the lines. scale: how much wider they are drawn."""
    casings: list[Shape] = []
    lines: list[Shape] = []
    for side in sides:
        colour = colour_of(sides, side)
        carried = weights(strands, side)
        for full in (False, True):
            for width, runs in _by_width(layout, carried, full=full).items():
                wide = width * scale
                dash = () if full else tuple(part * max(wide, 1.4) for part in DASH)
                casing = mixed(colour, WHITE, 0.25)
                casings.append(Path(lines=runs, stroke=casing, width=wide + 2 * _CASING * scale, opacity=0.28))
                lines.append(Path(lines=runs, stroke=WHITE, width=wide + 0.8 * scale))
                lines.append(Path(lines=runs, stroke=colour, width=wide, dash=dash, butt=bool(dash)))
    return [Layer("casings", tuple(casings)), Layer("lines", tuple(lines))]


def _by_width(
    layout: Layout, carried: Mapping[str, Weight], *, full: bool
) -> dict[float, tuple[tuple[Point, ...], ...]]:
    """The stretches of one kind, from centre to centre, joined to runs of the same width."""
    by_width: dict[float, list[tuple[str, str]]] = {}
    for name, weight in carried.items():
        if weight.full is full:
            one, _, other = name.partition("|")
            by_width.setdefault(width_of(weight.number), []).append((one, other))
    return {
        width: tuple(tuple(map(layout.centre, run)) for run in _runs(pairs))
        for width, pairs in sorted(by_width.items())
    }


def _runs(pairs: Collection[tuple[str, str]]) -> list[list[str]]:
    """Stretches joined end to end, as far as they go without a branch: so that dashes run on over hexsides."""
    beyond: dict[str, list[str]] = {}
    for one, other in pairs:
        beyond.setdefault(one, []).append(other)
        beyond.setdefault(other, []).append(one)
    left = {frozenset(pair) for pair in pairs}
    runs = []
    starts = sorted(
        beyond, key=lambda hex: (len(beyond[hex]) == 2, hex)
    )  # ends and branches before the middles of runs
    for start in starts:
        for first in beyond[start]:
            if frozenset((start, first)) not in left:
                continue
            run = [start, first]
            left.discard(frozenset(run))
            while len(beyond[run[-1]]) == 2:
                after = next((hex for hex in beyond[run[-1]] if frozenset((run[-1], hex)) in left), "")
                if not after:
                    break
                left.discard(frozenset((run[-1], after)))
                run.append(after)
            runs.append(run)
    return runs


def dots(layout: Layout, strands: Collection[Strand], sides: Sequence[str]) -> Layer:
    """A dot in each hex of the lines, for pictures of few."""
    shapes = []
    for side in sides:
        hexes = dict.fromkeys(
            hex for strand in strands if strand.side == side and len(strand.hexes) > 1 for hex in strand.hexes
        )
        for x, y in map(layout.centre, hexes):
            shapes.append(Circle(x=x, y=y, radius=1.3, fill=WHITE, stroke=colour_of(sides, side), width=0.6))
    return Layer("dots", tuple(shapes))
