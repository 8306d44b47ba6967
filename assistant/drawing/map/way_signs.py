"""How railways and roads look."""

from __future__ import annotations

from typing import NamedTuple

from ..colours import INK, mix
from ..scene import Polyline, Shape
from ..style import HEX, PLAIN, ROAD, Palette
from .courses import (
    Line,
    cut_start,
    shift_line,
)

_TICK = 0.5  # mm, a tick across a railway, along it
_TICKS = HEX / 5  # mm from tick to tick
_PAIR = 1.15  # mm between the two ticks that stand for double track
_SINGLE = 0.7  # mm, the width of a railway with one track
_DOUBLE = 1.15  # mm, that of one with two
_REACH = 1.1  # mm that ticks reach beyond it on each side
_REACH_BY_TURNS = 1.7  # mm, the same of broad gauge, whose ticks stand on one side and the other by turns
_DASH = (2.4, 1.2)  # mm, of doubtful ways
STANDARD = INK  # colour of standard gauge
BROAD = "#983a12"  # colour of broad gauge
GAUGES = {"standard": (STANDARD,), "broad": (BROAD,), "both": (STANDARD, BROAD), "dual": (STANDARD, BROAD)}
"""The colours of gauges, told apart by lightness too."""


class WayStretch(NamedTuple):
    """A stretch of a way that looks the same: its line, its word, its gauge, and whether it is doubtful."""

    line: Line
    word: str
    gauge: str = ""
    doubtful: bool = False


def is_double(word: str) -> bool:
    """Return whether the word for a railway means double track."""
    return word.endswith("2") or "double" in word


def _colours_of_rail(run: WayStretch, palette: Palette) -> tuple[str, ...]:
    """Return the colours of a railway by its gauge: that of the game, or else one of ours, or two for both gauges."""
    stated = palette.link(run.gauge or run.word, "")
    return (stated,) if stated else GAUGES.get(run.gauge, (INK,))


def railway_shapes(run: WayStretch, palette: Palette, larger: float = 1.0) -> list[Shape]:
    """Return a line with ticks, in pairs on a thicker line for double track. Standard gauge has them across; broad
    gauge on its right and its left by turns; both gauges have the colours of both by turns.

    larger: how much wider it is than on a hex of full size.
    """
    first, *others = _colours_of_rail(run, palette)
    double = is_double(run.word)
    width = (_DOUBLE if double else _SINGLE) * larger
    tick, apart, pair = _TICK * larger, _TICKS * larger, _PAIR * larger
    dash = tuple(length * larger for length in _DASH) if run.doubtful else ()
    ticks = mix(first, PLAIN, 0.4) if run.doubtful else first
    shapes: list[Shape] = [Polyline(points=run.line, stroke=first, width=width, dash=dash, butt=bool(dash))]
    ticks_in_turn = (tick, pair, tick) if double else (tick,)
    if GAUGES.get(run.gauge) == (BROAD,):
        long = width / 2 + _REACH_BY_TURNS * larger
        for line, by in ((run.line, long / 2), (cut_start(run.line, apart), -long / 2)):
            gap = 2 * apart - sum(ticks_in_turn)
            shapes.append(
                Polyline(points=shift_line(line, by), stroke=ticks, width=long, dash=(*ticks_in_turn, gap), butt=True)
            )
    else:
        across = width + 2 * _REACH * larger
        shapes.append(
            Polyline(
                points=run.line,
                stroke=ticks,
                width=across,
                dash=(*ticks_in_turn, apart - sum(ticks_in_turn)),
                butt=True,
            )
        )
    by_turns = (apart, apart)
    shapes += [Polyline(points=run.line, stroke=other, width=width, dash=by_turns, butt=True) for other in others]
    return shapes


def road_shapes(run: WayStretch, palette: Palette, larger: float = 1.0) -> list[Shape]:
    """Return a road: broad, thin or dashed according to its word. larger: how much wider it is than on a hex of full
    size.
    """
    parts = set(run.word.casefold().split("-"))
    dash: tuple[float, ...] = _DASH if run.doubtful else ()
    if parts & {"secondary", "track", "trail"}:
        dash = (2.0, 1.2)
    dash = tuple(length * larger for length in dash)
    colour, width = palette.link(run.word, ROAD), (1.2 if "primary" in parts else 0.75) * larger
    return [Polyline(points=run.line, stroke=colour, width=width, dash=dash, butt=bool(dash))]
