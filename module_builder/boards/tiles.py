"""A picture on sheets of paper that are cut and joined."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import ceil
from typing import NamedTuple

import msgspec

from assistant.drawing.colours import INK, WHITE
from assistant.drawing.geometry import PageBox
from assistant.drawing.pdf import PdfPage, PlacedScene
from assistant.drawing.scene import Layer, Scene, Shape, inset

from ..sheets.marks import HAIR, caption, hairline, row_name
from ..sheets.sizes import MARGIN, Paper

OVERLAP = 10.0  # mm that two sheets have in common: the strip on which one is glued to the other
LEAST_OVERLAP = 8.0  # mm at least, where that spares a row or a column of sheets
_MARK = 5.0  # mm, the length of a mark
_CLEAR = 1.0  # mm from a part to its marks
_STEPS_HIGH = 27.0  # mm, the title of the plan and what is said of the sheets
_KEY_SHARE = 0.72  # share of the plan's sheet that the key may take
_NARROW = 100.0  # mm: a part that is less wide has its name to the right of its lower mark, where there is room


_STACKED = 16.0  # mm between two parts on one sheet, with the marks and the name of the upper one between them


class PicturePart(NamedTuple):
    """A part of a picture: its row and column, its left and upper edge in the picture, its size, and its upper edge on
    the sheet, in millimetres.
    """

    row: int
    column: int
    left: float
    top: float
    width: float
    height: float
    at: float


class Tiling(NamedTuple):
    """A picture in parts on sheets of paper, all lengths in millimetres."""

    paper: Paper
    width: float
    height: float
    bare: frozenset[tuple[int, int]] = frozenset()
    """The row and column of each part that is left out, because nothing is to be seen there."""

    @property
    def room(self) -> tuple[float, float]:
        """How large a part can be."""
        return self.paper.width - 2 * MARGIN, self.paper.height - 2 * MARGIN

    @property
    def across(self) -> int:
        """How many parts lie side by side."""
        return _count_parts(self.width, self.room[0])

    @property
    def down(self) -> int:
        """How many parts lie one below another."""
        return _count_parts(self.height, self.room[1])

    @property
    def sheets(self) -> int:
        """How many sheets there are."""
        return sum(1 for _ in self.on_sheets)

    @property
    def parts(self) -> int:
        """How many parts there are, of which several may be on one sheet."""
        return self.across * self.down - len(self.bare)

    @property
    def _count_stacked(self) -> int:
        """How many parts of the last of several rows one sheet has room for, one below another."""
        if self.down == 1:
            return 1
        (_, height), (_, below) = self.room, self.overlaps
        last = self.height - (self.down - 1) * (height - below)
        return int((height + _STACKED) // (last + _STACKED))

    @property
    def overlaps(self) -> tuple[float, float]:
        """How much two parts side by side have in common, and two one below another."""
        width, height = self.room
        return _find_overlap(self.width, width, self.across), _find_overlap(self.height, height, self.down)

    @property
    def on_sheets(self) -> Iterator[list[PicturePart]]:
        """The parts on each sheet, row by row; low ones of the last row lie one below another, so that none is wasted."""
        (room_width, room_height), (beside, below) = self.room, self.overlaps
        for row in range(self.down):
            each = self._count_stacked if row + 1 == self.down else 1
            top = row * (room_height - below)
            height = min(room_height, self.height - top)
            columns = [column for column in range(self.across) if (row, column) not in self.bare]
            for first in range(0, len(columns), each):
                parts: list[PicturePart] = []
                for number, column in enumerate(columns[first : first + each]):
                    left = column * (room_width - beside)
                    width, y = min(room_width, self.width - left), MARGIN + number * (height + _STACKED)
                    parts.append(PicturePart(row, column, left, top, width, height, y))
                yield parts


def _count_parts(length: float, room: float) -> int:
    return 1 if length <= room else 1 + ceil((length - room) / (room - LEAST_OVERLAP) - 1e-9)


def _find_overlap(length: float, room: float, many: int) -> float:
    """Return how much so many sheets in a row have in common: as much as is wanted, or as they can spare."""
    return min(OVERLAP, (many * room - length) / (many - 1)) if many > 1 else OVERLAP


def choose_tiling(paper: Paper, width: float, height: float, boxes: Sequence[PageBox] = ()) -> Tiling:
    """Return a picture of this size on a paper, upright or lying, whichever takes fewer sheets, or else has fewer
    parts.

    boxes: what is to be seen of it, if not all.
    """
    upright = Tiling(paper, width, height)
    lying = Tiling(Paper(paper.name, paper.height, paper.width), width, height)
    both = [tiled._replace(bare=_find_bare(tiled, boxes)) for tiled in (upright, lying)]
    return min(both, key=lambda tiles: (tiles.sheets, tiles.parts))


def _find_bare(tiled: Tiling, boxes: Sequence[PageBox]) -> frozenset[tuple[int, int]]:
    """Return the parts on which none of some boxes lies; none without a box."""
    left = set(product(range(tiled.down), range(tiled.across))) if boxes else set[tuple[int, int]]()
    (width, height), (beside, below) = tiled.room, tiled.overlaps
    for box in boxes:
        rows = _find_touched(box.top, box.bottom, height, height - below, tiled.down)
        left.difference_update(product(rows, _find_touched(box.left, box.right, width, width - beside, tiled.across)))
    return frozenset(left)


def _find_touched(first: float, last: float, room: float, step: float, many: int) -> range:
    """Return which parts of a row reach into a stretch. room: of a part; step: from one to the next; many: parts of the
    row.
    """
    return range(max(ceil((first - room) / step), 0), min(int(last / step), many - 1) + 1)


def list_pages(scene: Scene, tiled: Tiling, key: Scene | None = None) -> Iterator[PdfPage]:
    """Yield the plan, then the sheets row by row; each shows its parts of the scene, their names and their marks.

    key: what stands on the plan's sheet, at its right or below it, or on one of its own where it is too high for that;
    in millimetres.
    """
    paper = tiled.paper
    right = key is not None and fits_beside(tiled, key)
    beside = key is not None and (right or key.height <= _KEY_SHARE * (paper.height - 2 * MARGIN))
    if tiled.sheets > 1:
        foot = key.height if key is not None and beside and not right else 0.0
        plan, picture = _draw_plan(scene, tiled, foot, beside_plan(tiled) if right else paper.width - 2 * MARGIN)
        below = (
            () if key is None or not beside else (_place_at_right(key, paper) if right else _place_at_foot(key, paper),)
        )
        yield PdfPage(paper.width, paper.height, (picture, _place_whole(plan, paper), *below))
    for parts in tiled.on_sheets:
        placed = []
        for part in parts:
            seen = MARGIN, part.at, part.width, part.height
            place = MARGIN - part.left, part.at - part.top
            placed.append(PlacedScene(scene, *place, tiled.width, tiled.height, False, seen))
            placed.append(_place_whole(_draw_marks(scene.title, tiled, part.row, part.column, seen), paper))
        yield PdfPage(paper.width, paper.height, tuple(placed))
    if key is not None and not (beside and tiled.sheets > 1):
        yield PdfPage(paper.width, paper.height, (_place_at_foot(key, paper),))


def beside_plan(tiled: Tiling) -> float:
    """Return how wide a key that stands beside the plan is, and the plan too."""
    return (tiled.paper.width - 3 * MARGIN) / 2


def fits_beside(tiled: Tiling, key: Scene) -> bool:
    """Return whether a key stands at the right of the plan: on paper that lies, if it is narrow and low enough."""
    paper = tiled.paper
    room = paper.height - 2 * MARGIN - _STEPS_HIGH
    return (
        paper.width > paper.height
        and tiled.sheets > 1
        and key.width <= beside_plan(tiled) + 0.01
        and key.height <= room
    )


def _place_at_right(key: Scene, paper: Paper) -> PlacedScene:
    """Return the key at the right of the plan, level with it."""
    return PlacedScene(key, paper.width - MARGIN - key.width, MARGIN + _STEPS_HIGH, key.width, key.height)


def _place_at_foot(key: Scene, paper: Paper) -> PlacedScene:
    """Return the key at the foot of a sheet, smaller where it would be too high for one."""
    share = min(1.0, (paper.height - 2 * MARGIN) / key.height)
    height = key.height * share
    return PlacedScene(key, MARGIN, paper.height - MARGIN - height, key.width * share, height)


def _place_whole(scene: Scene, paper: Paper) -> PlacedScene:
    return PlacedScene(scene, 0, 0, paper.width, paper.height)


def sheet_name(row: int, column: int) -> str:
    """Return what a sheet is called: rows have letters, columns numbers."""
    return f"{row_name(row)}{column + 1}"


def _draw_marks(title: str, tiled: Tiling, row: int, column: int, seen: tuple[float, float, float, float]) -> Scene:
    """Return where a part is cut and glued: its left and upper edges are cut, its right and lower strips lie under the
    next parts.
    """
    left, top, width, height = seen
    right, bottom = left + width, top + height
    strip_right, strip_below = tiled.overlaps
    last_across = bottom - strip_below if row + 1 < tiled.down else bottom
    last_down = right - strip_right if column + 1 < tiled.across else right
    shapes: list[Shape] = []
    for y in (top, last_across):
        shapes += [hairline(left - _MARK, y, left - _CLEAR, y), hairline(right + _CLEAR, y, right + _MARK, y)]
    for x in (left, last_down):
        shapes += [hairline(x, top - _MARK, x, top - _CLEAR), hairline(x, bottom + _CLEAR, x, bottom + _MARK)]
    notes = [f"{title}: sheet {sheet_name(row, column)} of {tiled.down} x {tiled.across}"]
    if column + 1 < tiled.across:
        notes.append(f"right of the tick, {sheet_name(row, column + 1)} is glued on it")
    if row + 1 < tiled.down:
        notes.append(f"below the tick, {sheet_name(row + 1, column)} is glued on it")
    beside, end = left + _MARK + _CLEAR, last_down - _CLEAR
    if width < _NARROW:
        beside, end = right + _MARK + _CLEAR, tiled.paper.width - MARGIN
    shapes.append(caption(beside, bottom + 4.0, "; ".join(notes), 2.6, room=end - beside))
    return Scene(
        width=tiled.paper.width, height=tiled.paper.height, title=notes[0], layers=(Layer("marks", tuple(shapes)),)
    )


def _format_strips(tiled: Tiling) -> str:
    """Return how wide the strips are, in words: across and down where these differ."""
    beside, below = map(_format_length, tiled.overlaps)
    if beside == below or tiled.down == 1:
        return beside
    return below if tiled.across == 1 else f"{beside} and {below}"


def _format_length(length: float) -> str:
    return f"{length:.1f}".removesuffix(".0")


def _draw_plan(scene: Scene, tiled: Tiling, foot: float, across: float) -> tuple[Scene, PlacedScene]:
    """Return how the sheets are joined, with a net of them, and the whole picture in small below it. foot: the room
    that is kept below that; across: how wide it may be.
    """
    paper = tiled.paper
    room = paper.width - 2 * MARGIN
    shapes: list[Shape] = [caption(MARGIN, MARGIN + 6, scene.title, 6.0, room=room, bold=True)]
    each = "sheet" if tiled.parts == tiled.sheets else "part"
    parts = "" if tiled.parts == tiled.sheets else f"{tiled.parts} parts on "
    steps = (
        f"{parts}{tiled.sheets} sheets of {paper.name}; the map is {tiled.width / 10:.0f} by {tiled.height / 10:.0f} cm. "
        "Print at 100 % (no scaling).",
        f"Cut each {each} along the ticks at its left and upper edge, leave the strips at its right and lower edge,",
        f"and glue it on the strips of its neighbours, {_format_strips(tiled)} mm wide, from the first row down.",
    )
    y = MARGIN + _STEPS_HIGH - 15.0
    for step in steps:
        shapes.append(caption(MARGIN, y, step, 3.4, room=room))
        y += 5.0
    scale = min(across / tiled.width, (paper.height - y - MARGIN - foot) / tiled.height)
    for part in (part for parts_on in tiled.on_sheets for part in parts_on):
        width = part.width - (tiled.overlaps[0] if part.column + 1 < tiled.across else 0.0)
        height = part.height - (tiled.overlaps[1] if part.row + 1 < tiled.down else 0.0)
        box = MARGIN + part.left * scale, y + part.top * scale, width * scale, height * scale
        shapes.append(inset(box, 0.0, stroke=INK, stroke_width=HAIR * 3))
        size = min(9.0, box[2] * 0.4, box[3] * 0.6)
        middle = box[0] + box[2] / 2, box[1] + box[3] / 2 + size * 0.36
        name = caption(*middle, sheet_name(part.row, part.column), size, room=box[2], anchor="middle", bold=True)
        shapes.append(msgspec.structs.replace(name, halo=WHITE))
    picture = PlacedScene(scene, MARGIN, y, tiled.width * scale, tiled.height * scale)
    plan = Scene(width=paper.width, height=paper.height, title="plan", layers=(Layer("plan", tuple(shapes)),))
    return plan, picture
