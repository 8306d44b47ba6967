"""A picture on sheets of paper that are cut and joined."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import ceil
from typing import NamedTuple

import msgspec

from assistant.drawing.pdf import Page, PlacedScene
from assistant.drawing.scene import Layer, Scene, Shape, inset
from assistant.pictures.colours import INK, WHITE

from ..sheets.marks import HAIR, caption, hairline, row_name
from ..sheets.sizes import MARGIN, Paper

OVERLAP, LEAST_OVERLAP = 10.0, 8.0
"""How much two sheets have in common, in millimetres: the strip on which one is glued to the other; less where that spares
a row or a column of sheets.
"""
_MARK, _CLEAR = 5.0, 1.0
_STEPS_HIGH = 27.0
"""How high the title of the plan and what is said of the sheets are, in millimetres."""
_KEY_SHARE = 0.65
"""What share of the plan's sheet the key may take."""
_NARROW = 100.0
"""A part of the picture that is less wide has its name to the right of its lower mark, where there is room."""


class Tiling(NamedTuple):
    """A picture on sheets of paper, all lengths in millimetres."""

    paper: Paper
    width: float
    height: float

    @property
    def room(self) -> tuple[float, float]:
        """What of the picture a sheet can show."""
        return self.paper.width - 2 * MARGIN, self.paper.height - 2 * MARGIN

    @property
    def across(self) -> int:
        """How many sheets stand side by side."""
        return _count(self.width, self.room[0])

    @property
    def down(self) -> int:
        """How many sheets stand one below another."""
        return _count(self.height, self.room[1])

    @property
    def sheets(self) -> int:
        """How many sheets there are."""
        return self.across * self.down

    @property
    def overlaps(self) -> tuple[float, float]:
        """How much two sheets side by side have in common, and two one below another."""
        wide, high = self.room
        return _overlap(self.width, wide, self.across), _overlap(self.height, high, self.down)

    @property
    def places(self) -> Iterator[tuple[int, int, float, float]]:
        """The row and the column of each sheet, and its left and upper edge in the picture."""
        (wide, high), (beside, below) = self.room, self.overlaps
        for row, column in product(range(self.down), range(self.across)):
            yield row, column, column * (wide - beside), row * (high - below)


def _count(length: float, room: float) -> int:
    return 1 if length <= room else 1 + ceil((length - room) / (room - LEAST_OVERLAP) - 1e-9)


def _overlap(length: float, room: float, many: int) -> float:
    """How much so many sheets in a row have in common: as much as is wanted, or as they can spare."""
    return min(OVERLAP, (many * room - length) / (many - 1)) if many > 1 else OVERLAP


def tiling(paper: Paper, width: float, height: float) -> Tiling:
    """A picture of this size on a paper, upright or lying, whichever takes fewer sheets."""
    upright = Tiling(paper, width, height)
    lying = Tiling(Paper(paper.name, paper.height, paper.width), width, height)
    return min(upright, lying, key=lambda tiles: tiles.sheets)


def pages(scene: Scene, tiled: Tiling, key: Scene | None = None) -> Iterator[Page]:
    """The plan, then the sheets row by row; each shows its part of the scene, its name and its marks.

    key: what stands on the plan's sheet, at its right or below it, or on one of its own where it is too high for that; in
    millimetres.
    """
    paper = tiled.paper
    right = key is not None and fits_beside(tiled, key)
    beside = key is not None and (right or key.height <= _KEY_SHARE * (paper.height - 2 * MARGIN))
    if tiled.sheets > 1:
        foot = key.height if key is not None and beside and not right else 0.0
        plan, picture = _plan(scene, tiled, foot, beside_plan(tiled) if right else paper.width - 2 * MARGIN)
        below = () if key is None or not beside else (_at_right(key, paper) if right else _at_foot(key, paper),)
        yield Page(paper.width, paper.height, (picture, _whole(plan, paper), *below))
    wide, high = tiled.room
    for row, column, left, top in tiled.places:
        seen = MARGIN, MARGIN, min(wide, tiled.width - left), min(high, tiled.height - top)
        placed = PlacedScene(scene, MARGIN - left, MARGIN - top, tiled.width, tiled.height, False, seen)
        around = _whole(_marks(scene.title, tiled, row, column, seen), paper)
        yield Page(paper.width, paper.height, (placed, around))
    if key is not None and not (beside and tiled.sheets > 1):
        yield Page(paper.width, paper.height, (_at_foot(key, paper),))


def beside_plan(tiled: Tiling) -> float:
    """How wide a key that stands beside the plan is, and the plan too."""
    return (tiled.paper.width - 3 * MARGIN) / 2


def fits_beside(tiled: Tiling, key: Scene) -> bool:
    """Whether a key stands at the right of the plan: on paper that lies, if it is narrow and low enough."""
    paper = tiled.paper
    room = paper.height - 2 * MARGIN - _STEPS_HIGH
    return (
        paper.width > paper.height
        and tiled.sheets > 1
        and key.width <= beside_plan(tiled) + 0.01
        and key.height <= room
    )


def _at_right(key: Scene, paper: Paper) -> PlacedScene:
    """The key at the right of the plan, level with it."""
    return PlacedScene(key, paper.width - MARGIN - key.width, MARGIN + _STEPS_HIGH, key.width, key.height)


def _at_foot(key: Scene, paper: Paper) -> PlacedScene:
    """The key at the foot of a sheet, smaller where it would be too high for one."""
    share = min(1.0, (paper.height - 2 * MARGIN) / key.height)
    high = key.height * share
    return PlacedScene(key, MARGIN, paper.height - MARGIN - high, key.width * share, high)


def _whole(scene: Scene, paper: Paper) -> PlacedScene:
    return PlacedScene(scene, 0, 0, paper.width, paper.height)


def name_of(row: int, column: int) -> str:
    """What a sheet is called: rows have letters, columns numbers."""
    return f"{row_name(row)}{column + 1}"


def _marks(title: str, tiled: Tiling, row: int, column: int, seen: tuple[float, float, float, float]) -> Scene:
    """Where a sheet is cut and glued: its left and upper edges are cut, its right and lower strips lie under the next
    sheets.
    """
    left, top, wide, high = seen
    right, bottom = left + wide, top + high
    strip_right, strip_below = tiled.overlaps
    cuts_across = [top, *([bottom - strip_below] if row + 1 < tiled.down else [bottom])]
    cuts_down = [left, *([right - strip_right] if column + 1 < tiled.across else [right])]
    shapes: list[Shape] = []
    for y in cuts_across:
        shapes += [hairline(left - _MARK, y, left - _CLEAR, y), hairline(right + _CLEAR, y, right + _MARK, y)]
    for x in cuts_down:
        shapes += [hairline(x, top - _MARK, x, top - _CLEAR), hairline(x, bottom + _CLEAR, x, bottom + _MARK)]
    notes = [f"{title}: sheet {name_of(row, column)} of {tiled.down} x {tiled.across}"]
    if column + 1 < tiled.across:
        notes.append(f"right of the tick, {name_of(row, column + 1)} is glued on it")
    if row + 1 < tiled.down:
        notes.append(f"below the tick, {name_of(row + 1, column)} is glued on it")
    beside, end = left + _MARK + _CLEAR, cuts_down[-1] - _CLEAR
    if wide < _NARROW:
        beside, end = right + _MARK + _CLEAR, tiled.paper.width - MARGIN
    shapes.append(caption(beside, bottom + 4.0, "; ".join(notes), 2.6, room=end - beside))
    return Scene(
        width=tiled.paper.width, height=tiled.paper.height, title=notes[0], layers=(Layer("marks", tuple(shapes)),)
    )


def _strips(tiled: Tiling) -> str:
    """How wide the strips are, in words: across and down where these differ."""
    beside, below = (f"{length:.1f}".removesuffix(".0") for length in tiled.overlaps)
    return beside if beside == below or tiled.down == 1 else below if tiled.across == 1 else f"{beside} and {below}"


def _plan(scene: Scene, tiled: Tiling, foot: float, across: float) -> tuple[Scene, PlacedScene]:
    """How the sheets are joined, with a net of them, and the whole picture in small below it. foot: the room that is kept
    below that; across: how wide it may be.
    """
    paper = tiled.paper
    room = paper.width - 2 * MARGIN
    shapes: list[Shape] = [caption(MARGIN, MARGIN + 6, scene.title, 6.0, room=room, bold=True)]
    steps = (
        f"{tiled.sheets} sheets of {paper.name}; the map is {tiled.width / 10:.0f} by {tiled.height / 10:.0f} cm. "
        "Print at 100 % (no scaling).",
        "Cut each sheet along the ticks at its left and upper edge, leave the strips at its right and lower edge,",
        f"and glue it on the strips of its neighbours, {_strips(tiled)} mm wide, from the first row down.",
    )
    y = MARGIN + _STEPS_HIGH - 15.0
    for step in steps:
        shapes.append(caption(MARGIN, y, step, 3.4, room=room))
        y += 5.0
    scale = min(across / tiled.width, (paper.height - y - MARGIN - foot) / tiled.height)
    wide, high = tiled.room
    for row, column, left, top in tiled.places:
        right = tiled.width if column + 1 == tiled.across else left + wide - tiled.overlaps[0]
        bottom = tiled.height if row + 1 == tiled.down else top + high - tiled.overlaps[1]
        box = MARGIN + left * scale, y + top * scale, (right - left) * scale, (bottom - top) * scale
        shapes.append(inset(*box, 0.0, stroke=INK, stroke_width=HAIR * 3))
        size = min(9.0, box[2] * 0.4, box[3] * 0.6)
        middle = box[0] + box[2] / 2, box[1] + box[3] / 2 + size * 0.36
        name = caption(*middle, name_of(row, column), size, room=box[2], anchor="middle", bold=True)
        shapes.append(msgspec.structs.replace(name, halo=WHITE))
    picture = PlacedScene(scene, MARGIN, y, tiled.width * scale, tiled.height * scale)
    plan = Scene(width=paper.width, height=paper.height, title="plan", layers=(Layer("plan", tuple(shapes)),))
    return plan, picture
