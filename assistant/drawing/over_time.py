"""Figures over time as a picture: a stepped line for each of several accounts, named where it ends, with its levels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from .chart import title_lines
from .colours import mix
from .curves import (
    _STROKES,
    BEHIND,
    WORDS,
    AccountCurve,
    CurveField,
    Tick,
    draw_across,
    draw_curve,
    draw_signs,
    name_across,
    name_behind,
    name_on_lines,
    next_level,
)
from .lettering import base_line, text_width
from .scene import Group, Layer, Polyline, Rectangle, Scene, Shape, Text
from .style import GRID, MARGIN, PAPER, SOFT_INK

WIDTH = 190.0  # mm, of the picture: a page of text
_HIGH = 92.0  # mm, the height of the field of the lines
_BEFORE = 11.0  # mm for the figures before it


def over_time_scene(
    title: str,
    about: Sequence[str],
    lines: Sequence[AccountCurve],
    ticks: Sequence[Tick],
    span: tuple[int, int],
    steps: Sequence[int],
) -> Scene:
    """Return the picture, as wide as a page of text: a stepped line for each account, its name and value behind its
    end.

    A level of all lines goes across, any other is marked where its line reaches it. lines: at most MOST; span: first
    and last moment; steps: dates between labels, smallest first.
    """
    words, below = title_lines(title, about, MARGIN, WIDTH - 2 * MARGIN)
    top = below + 7.0
    low, high = _choose_range(lines)
    before = max(_BEFORE, *(text_width(f"{end}", WORDS) + 3.0 for end in (low, high)))
    field = CurveField(MARGIN + before, top, WIDTH - MARGIN - BEHIND, top + _HIGH, *span, low, high)
    shared = _find_common(lines)
    common = sorted((level for level in shared if low < level[1] <= high), key=lambda level: level[1])
    height = field.bottom + 15.0
    paper = Rectangle(x=0, y=0, width=WIDTH, height=height, fill=PAPER)
    axes = (*_draw_dates(field, ticks, steps), *_draw_figures(field, with_lines=not common))
    order = sorted(range(len(lines)), key=lambda number: (-_STROKES[number][1], len(_STROKES[number][0])))
    drawn = [Group(_format_account(lines[number]), (draw_curve(field, lines[number], number),)) for number in order]
    across = name_across(field, lines, common)
    names = (
        *across.values(),
        *name_behind(field, lines, shared),
        *name_on_lines(field, lines, shared, across),
    )
    signs = tuple(sign for number, line in enumerate(lines) for sign in draw_signs(field, line, number))
    layers = (
        Layer("paper", (paper,)),
        Layer("axes", axes),
        Layer("levels", tuple(draw_across(field, common))),
        Layer("lines", tuple(drawn)),
        Layer("signs", signs),
        Layer("names", names),
        Layer("words", tuple(words)),
    )
    description = " ".join(f"{_format_account(line)}." for line in lines)
    return Scene(width=WIDTH, height=height, title=title, description=description, layers=layers)


def _choose_range(lines: Sequence[AccountCurve]) -> tuple[int, int]:
    """Return the least and the greatest number of the field: 0 and all that was held, with next levels that are not far
    off.
    """
    held = [holds for line in lines for _, holds in line.points]
    low, high = min(0, *held), max(1, *held)
    near = []
    for line in lines:
        mark = next_level(line)
        if mark and mark.at - low <= (high - low) * 1.4:
            near.append(mark.at)
    return low, round(max(high, *near, low + 4) * 1.04 + 0.5)


def _find_common(lines: Sequence[AccountCurve]) -> frozenset[tuple[str, int]]:
    """Return the levels that all lines have, by name and number."""
    return frozenset.intersection(*(frozenset((mark.title, mark.at) for mark in line.levels) for line in lines))


def round_step(span: float, most: int) -> int:
    """Return the least of 1, 2, 5, 10, 20 and so on that goes at most so often into a span."""
    step, factors = 1, (2.0, 2.5, 2.0)
    number = 0
    while span / step > most:
        step = round(step * factors[number % 3])
        number += 1
    return step


def _draw_figures(field: CurveField, *, with_lines: bool) -> Iterator[Shape]:
    """Yield round numbers before the field, each with a faint line across it, or a short one where levels go across."""
    step = round_step(field.high - field.low, 6)
    for number in range(-(-field.low // step) * step, field.high + 1, step):
        y = field.y(number)
        stroke = GRID if number == 0 or not with_lines else mix(GRID, PAPER, 0.7)
        ends = (field.left, field.right) if number == 0 or with_lines else (field.left - 1.5, field.left)
        yield Polyline(points=((ends[0], y), (ends[1], y)), stroke=stroke, width=0.2, butt=True)
        base = base_line(y, WORDS)
        yield Text(x=field.left - 2.0, y=base, text=f"{number}", size=WORDS, anchor="end", fill=SOFT_INK)


def _draw_dates(field: CurveField, ticks: Sequence[Tick], steps: Sequence[int]) -> Iterator[Shape]:
    """Yield dates below the field, as many as have room, and their groups below them."""
    labels = [tick for tick in ticks if tick.place % _choose_step(field, ticks, steps) == 0]
    floor = field.bottom + 1.5
    for tick in ticks:
        x, deep = field.x(tick.at), 2.0 if tick in labels else 0.9
        yield Polyline(points=((x, floor), (x, floor + deep)), stroke=GRID, width=0.25, butt=True)
    for tick in labels:
        if (x := field.x(tick.at)) + text_width(tick.label, WORDS) / 2 <= field.right + 3.0:
            yield Text(x=x, y=floor + 5.6, text=tick.label, size=WORDS, anchor="middle", fill=SOFT_INK)
    groups = list(dict.fromkeys(tick.group for tick in ticks if tick.group))
    ends = [*(field.x(next(tick.at for tick in ticks if tick.group == group)) for group in groups), field.right]
    for group, (left, right) in zip(groups, pairwise(ends), strict=True):
        if text_width(group, WORDS, bold=True) <= right - left:
            middle = (left + right) / 2
            yield Text(x=middle, y=floor + 10.4, text=group, size=WORDS, anchor="middle", bold=True, fill=SOFT_INK)
        if left > field.left:
            yield Polyline(points=((left, floor + 7.6), (left, floor + 10.8)), stroke=GRID, width=0.25, butt=True)


def _choose_step(field: CurveField, ticks: Sequence[Tick], steps: Sequence[int]) -> int:
    """Return how many dates apart labels stand: the fewest at which they do not touch."""
    widest = max((text_width(tick.label, WORDS) for tick in ticks), default=0.0) + 2.0
    apart = min((field.x(two.at) - field.x(one.at) for one, two in pairwise(ticks)), default=widest)
    return next((step for step in steps if step * apart >= widest), steps[-1])


def _format_account(line: AccountCurve) -> str:
    """Return a line for readers who cannot see it."""
    holds, ahead = line.points[-1][1], next_level(line)
    words = [f"{line.title}: {holds}"]
    words += [f"{mark.title} at {mark.at} reached" for mark in line.levels if mark.reached is not None]
    if ahead:
        words.append(f"{ahead.at - holds} to {ahead.title}")
    return ", ".join(words)
