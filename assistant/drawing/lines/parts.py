"""The parts of a front that are shown one by one on pages of text: armies, or units close together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise

import msgspec
from msgspec.structs import replace

from ...asking.line_sketch import LineSketch, Marked
from ...game.boards import Board
from ...util.errors import InputError
from ..scene import Point

MAX_WIDTH_HEXES = 9.0
MAX_HEIGHT_HEXES = 10.0


class FrontPart(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a front."""

    units: tuple[str, ...]
    hexes: tuple[str, ...]
    """The hexes of the units, sorted from the upper left."""
    name: str = ""
    """The names of the armies, or "" if there are none."""
    number: int = 0
    """The number among the parts with the same name, or 0 for the only one."""

    @property
    def title(self) -> str:
        name = f"{self.name} {self.number}" if self.name and self.number else self.name
        where = self.hexes[0] if len(self.hexes) == 1 else f"{self.hexes[0]} to {self.hexes[-1]}"
        return f"{name}, {where}" if name else where


def parts_of_front(units: Sequence[Marked], reaches: Mapping[str, Sequence[Point]]) -> tuple[FrontPart, ...]:
    """Return the parts of a front, each small enough for a page.

    A part is an army, half of an army that is too large, or several small armies of one side.

    `reaches`: for each unit the point of its place, then the points of its line, in hexes across and down.
    """
    armies: dict[tuple[str, str], list[Marked]] = {}
    for unit in units:
        if unit.unit in reaches:
            armies.setdefault((unit.side, unit.army), []).append(unit)
    pages = list[list[Marked]]()
    for members in armies.values():
        for half in _halve(members, reaches):
            side = half[0].side
            fits = (
                page for page in pages if page[0].side == side and max(_measure_reach([*page, *half], reaches)) <= 1
            )
            if page := next(fits, None):
                page += half
            else:
                pages.append(half)
    names = [", ".join(dict.fromkeys(unit.army for unit in page if unit.army)) for page in pages]
    seen, parts = Counter[str](), list[FrontPart]()
    for name, page in zip(names, pages, strict=True):
        seen[name] += 1
        places = {unit.place: reaches[unit.unit][0] for unit in page}
        hexes = sorted(places, key=lambda place: places[place][::-1])
        number = seen[name] if names.count(name) > 1 else 0
        parts.append(FrontPart(units=tuple(unit.unit for unit in page), hexes=tuple(hexes), name=name, number=number))
    return tuple(parts)


def _measure_reach(units: Iterable[Marked], reaches: Mapping[str, Sequence[Point]]) -> tuple[float, float]:
    """Return the extent of units and their lines across and down, as shares of a page."""
    points = [point for unit in units for point in reaches[unit.unit]]
    return _span(x for x, _ in points) / MAX_WIDTH_HEXES, _span(y for _, y in points) / MAX_HEIGHT_HEXES


def _halve(units: list[Marked], reaches: Mapping[str, Sequence[Point]]) -> list[list[Marked]]:
    """Return the units in parts that fit a page.

    Parts are cut at a wide gap near the middle of the longer direction.
    """
    shares = _measure_reach(units, reaches)
    cuts: list[tuple[float, int, list[float]]] = []
    for number, share in enumerate(shares):
        places = sorted({reaches[unit.unit][0][number] for unit in units})
        if share > 1 and len(places) > 1:
            cuts.append((share, number, places))
    _, axis, spots = max(cuts, default=(0.0, 0, []))
    if not spots:
        return [units]

    where = {unit.unit: reaches[unit.unit][0][axis] for unit in units}
    middle = (spots[0] + spots[-1]) / 2
    cut = max(
        pairwise(spots), key=lambda gap: (gap[1] - gap[0]) / (1 + abs(sum(gap) / 2 - middle) / (spots[-1] - spots[0]))
    )
    near = [unit for unit in units if where[unit.unit] <= cut[0]]
    far = [unit for unit in units if where[unit.unit] >= cut[1]]
    return [*_halve(near, reaches), *_halve(far, reaches)]


def _span(values: Iterable[float]) -> float:
    numbers = [*values]
    return max(numbers) - min(numbers)


def parts_shown(board: Board, shown: LineSketch) -> tuple[FrontPart, ...]:
    """Return the parts of a picture; units off the board belong to none."""
    reaches = dict[str, list[Point]]()
    lines = dict[str, tuple[str, ...]]()
    for way in shown.failing:
        lines[way.unit] = way.hexes
    for strand in shown.strands:
        lines[strand.unit] = strand.hexes
    for unit in shown.units:
        if board.is_hex(unit.place):
            hexes = dict.fromkeys((unit.place, *filter(board.is_hex, lines.get(unit.unit, ()))))
            reaches[unit.unit] = [*map(board.centre, hexes)]
    return parts_of_front(shown.units, reaches)


def choose_part(parts: Sequence[FrontPart], number: int) -> FrontPart:
    """Return the part with a number, counted from 1.

    Raises InputError if there is no such part.
    """
    if not 1 <= number <= len(parts):
        many = f"the parts are 1 to {len(parts)}" if len(parts) > 1 else "there is 1 part"
        named = "; ".join(f"{at} {part.title}" for at, part in enumerate(parts, 1))
        raise InputError(
            f"there is no part {number}", hint=f"{many}: {named}" if parts else "there are no units on the map"
        )
    return parts[number - 1]


def show_part(shown: LineSketch, part: FrontPart) -> LineSketch:
    """Return a picture of one part alone: its units, their lines and sources, and the breaks that concern them.

    A part has units of one side, so it has the title and the reaches of this side only.
    """
    units, is_own = frozenset(part.units), _is_of_part(shown, part)
    whose = {unit.side for unit in shown.units if unit.unit in units}
    title = shown.words.titles.get("".join(whose), shown.title)
    strands = tuple(way for way in shown.strands if way.unit in units)
    failing = tuple(way for way in shown.failing if way.unit in units)
    starts = {*(way.hexes[0] for way in strands), *(way.hexes[0] for way in failing)}
    return replace(
        shown,
        title=f"{title}: {part.title}",
        answer="",
        sides=tuple(side for side in shown.sides if side in whose),
        units=tuple(unit for unit in shown.units if unit.unit in units),
        strands=strands,
        failing=failing,
        origins=tuple(source for source in shown.origins if source.unit in units or source.place in starts),
        breaks=tuple(gap for gap in shown.breaks if units.intersection(gap.units)),
        reaches=tuple(reach for reach in shown.reaches if reach.side in whose),
        focus=(),
        caption=tuple(filter(is_own, shown.caption)),
    )


def _is_of_part(shown: LineSketch, part: FrontPart) -> Callable[[str], bool]:
    """Return a test whether a paragraph concerns the part: it must not begin with a unit of another part."""
    others = tuple(f"{unit.unit}: " for unit in shown.units if unit.unit not in part.units)
    return lambda text: not text.startswith(others)
