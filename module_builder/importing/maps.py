"""The boards of a module as boards of a game: hexes with the module's numbers, boxes for zones and regions, and
pictures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import NamedTuple

from assistant.formats.vassal.adoption.mapping import MAX_NAME_CHARS
from assistant.formats.vassal.adoption.proposals.maps import count_hexes
from assistant.formats.vassal.board_grids import PictureMap
from assistant.formats.vassal.grids import (
    GridZone,
    Hexes,
    LaidBoards,
    Pixel,
    PlacedBoard,
    Regions,
    ZonedGrid,
)
from assistant.formats.vassal.legends import Window
from assistant.formats.vassal.maps import BoardDrawing, MapWindow
from assistant.game.boards.map_picture import BoxArea, MapPicture
from assistant.game.hexes import HexGrid
from assistant.util.errors import InputError
from assistant.util.limits import Limit

from .fields import (
    MAX_BOXES,
    NO_HEXES,
    Cell,
    NumberedHexes,
    cells_of,
    continues,
    list_fields,
    number_hexes,
)
from .findings import Findings
from .names import Names, clean_text

_MAX_SPOT_RADIUS_PX = 24


class JoinedBoards(NamedTuple):
    """One board of a map, or several boards whose edges meet."""

    boards: Sequence[PlacedBoard]
    """The place of each on their common picture."""
    size: Pixel
    """Width and height of the picture, in pixels."""
    images: Mapping[str, str]
    """The picture of each board, by its name."""


def join_boards(window: MapWindow, laid: LaidBoards) -> JoinedBoards | None:
    """Return the adjacent boards of a map as one, or None if there is only one or a board is there twice."""
    placed = window.placed(laid)
    if len(placed) < 2 or len({board.name for board in placed}) < len(placed):
        return None
    left, top = min(board.x for board in placed), min(board.y for board in placed)
    moved = [board._replace(x=board.x - left, y=board.y - top) for board in placed]
    size = max(board.x + board.size[0] for board in moved), max(board.y + board.size[1] for board in moved)
    return JoinedBoards(moved, size, {board.name: window.boards[board.name].image for board in moved})


def single_board(board: BoardDrawing) -> JoinedBoards:
    """Return one board with its own grid and picture."""
    return JoinedBoards([PlacedBoard(board.name, 0, 0, board.size, board.grid)], board.size, {board.name: board.image})


class ImportedBoard:
    """An imported board, or several adjacent ones. `window`: the name of its map."""

    def __init__(self, window: str, joined: JoinedBoards, boxes: Names, findings: Findings) -> None:
        self.window, self.boards, self.size = window, joined.boards, joined.size
        self.called = f"{window}: {', '.join(board.name for board in joined.boards)}"
        """Its name in the module."""
        self._names, self._findings = boxes, findings
        self.image = ""
        """Its picture, or ""."""
        self.title = ""
        """Its title in the game."""
        self._fields = [field for board in self.boards for field in list_fields(board)]
        self.numbered: NumberedHexes | None = None
        self._lattice: PictureMap | None = None
        self._hexed: set[int] = set()
        self.has_numbers = any(
            isinstance(field.grid, Hexes) and field.grid.numbering
            for field in map(self._fields.__getitem__, self._largest)
        )
        """Whether the module numbers its hexes."""
        self._boxes: dict[int, dict[str, tuple[str, Pixel]]] = {}
        """The name and place of each box, by field and printed name."""
        self._spots: dict[str, Pixel] = {}
        self.map_grid: HexGrid | None = None
        """The hexes of the game's map; no box may have one of their numbers as its name."""

    @property
    def _largest(self) -> list[int]:
        """The number of the largest field of hexes of each board, upright boards first."""
        fields = self._fields
        some = [number for number, field in enumerate(fields) if isinstance(field.grid, Hexes)]
        best = {fields[number].board: number for number in sorted(some, key=lambda number: fields[number].cell_count)}
        return sorted(best.values(), key=lambda number: (fields[number].board.turned, -fields[number].cell_count))

    @property
    def goes_on(self) -> bool:
        """Whether the hexes of each board continue those of the others."""
        first, *others = self._largest or [-1]
        if first < 0 or len(others) + 1 < len(self.boards):
            return False
        hexes = self._fields[first].hexes
        return hexes is not None and all(continues(hexes, self._fields[number]) for number in others)

    def number(self, drawn: Window | None) -> None:
        """Number its largest grid of hexes, and those of the boards beside it. All other places become boxes.

        `drawn`: the part of the map that the module shows, or None if it does not say.

        Raises InputError for too many hexes.
        """
        largest = self._largest
        hexed = self._fields[largest[0]].hexes
        assert hexed is not None
        Limit.HEXES.check(int(self.size[0] * self.size[1] / (hexed.dx * hexed.dy)), f"the board {self.title} has")
        grids = {(field.board, field.grid) for field in map(self._fields.__getitem__, largest)}
        numbers = {number for number, field in enumerate(self._fields) if (field.board, field.grid) in grids}
        within = [cell for cell in cells_of(hexed, self.size) if self._field_at(hexed.centre(*cell)) in numbers]
        if not within:
            return
        numbering = number_hexes(hexed, within, self.size, self._print_hex)
        if drawn is not None and (less := [cell for cell in within if _is_drawn(drawn, numbering, cell)]):
            numbering = number_hexes(hexed, less, self.size, self._print_hex)
        self.numbered, self._hexed = numbering, numbers
        picture = MapPicture(file="", first=numbering.first, step=numbering.step)
        self._lattice = PictureMap(numbering.grid, picture, numbering.names.values())

    def count(self) -> None:
        """Name hexes without numbers as the module's saves do, if no picture distinguishes them."""
        for field in self._fields:
            field.grid = count_hexes(field.grid)

    def _print_hex(self, at: Pixel) -> str:
        """Return the printed number of the hex at a pixel."""
        field = self._fields[self._field_at(at)]
        return field.grid.locate(field.board.own(at)) if field.grid else ""

    @property
    def hexes(self) -> int:
        """The approximate number of hexes, or 0 if it has none."""
        return sum(self._fields[number].cell_count for number in self._largest)

    def fill(self) -> None:
        """Name its places that are not hexes, unless there are too many."""
        for number, field in enumerate(self._fields):
            if number in self._hexed:
                continue
            if field.cell_count > MAX_BOXES:
                what = f"{self.title}: only those places of its grid where pieces lie in set-ups become boxes"
                self._findings.left_out(what)
                continue
            for at in field.places():
                printed = field.printed(at)
                if printed.strip() and self._field_at(at) == number:
                    self._name_box(number, printed, at)

    def _field_at(self, at: Pixel) -> int:
        """Return the number of the field at a pixel, or -1 if there is none."""
        return next((number for number, field in enumerate(self._fields) if field.holds(at)), -1)

    def find_hex(self, at: Pixel) -> str:
        """Return the hex at a pixel, or "" if there is none; the place is then a box or a spot."""
        number = self._field_at(at)
        is_hexed = number in self._hexed
        printed = self._fields[number].printed(at) if number >= 0 and not (is_hexed and self.image) else ""
        hex = self._lattice.locate(at) if is_hexed and self._lattice is not None else ""
        if hex and (self.image or self.named_hexes.get(printed) == hex):
            return hex
        if printed.strip():
            self._name_box(number, printed, at)
        elif self.image:
            self._make_spot(at)
        else:  # a board without a picture is one place
            self._name_box(-1, "", at)
        return ""

    @cached_property
    def named_hexes(self) -> Mapping[str, str]:
        """The hexes of a map without a picture, by the name that saves print in that hex only."""
        if self.numbered is None:
            return {}
        middles = {name: self.numbered.drawn.centre(*cell) for cell, name in self.numbered.names.items()}
        printed = {name: self._fields[self._field_at(at)].printed(at) for name, at in middles.items()}
        several = Counter(printed.values())
        return {there: here for here, there in printed.items() if several[there] == 1 and len(there) <= MAX_NAME_CHARS}

    def _name_box(self, number: int, printed: str, at: Pixel) -> None:
        """Name a box after its name in the module."""
        boxes = self._boxes.setdefault(number, {})
        if printed not in boxes:
            boxes[printed] = self._give_name(clean_text(printed), printed), at

    def _give_name(self, wanted: str, called: str = "") -> str:
        if not wanted or (self.map_grid is not None and _is_number(self.map_grid, wanted)):
            wanted = f"{self.title} {wanted}".strip()
        return self._names.give(wanted, called)

    def _make_spot(self, at: Pixel) -> None:
        """Add a spot at a pixel unless there is one near it."""
        for x, y in self._spots.values():
            reach = self._find_reach((x, y))
            if x - reach <= at[0] < x + reach and y - reach <= at[1] < y + reach:
                return
        self._spots[self._give_name(f"{self.title} spot {len(self._spots) + 1}")] = at

    @property
    def printed_boxes(self) -> dict[str, str]:
        """The boxes by their names in the module, as far as a mapping can use these."""
        given = (box for boxes in self._boxes.values() for box in boxes.items())
        return {printed: name for printed, (name, _) in given if len(printed) <= MAX_NAME_CHARS}

    # --- the board in a game's files ----------------------------------------------------------------------------------

    def picture(self, file: str) -> MapPicture:
        """Return the places on its picture, without boxes that cannot be distinguished there."""
        areas, loose = list[BoxArea](), dict[str, Pixel]()
        for number, boxes in sorted(self._boxes.items()):
            field = self._fields[number]
            if field.zone is None:
                loose |= dict(boxes.values())
            elif len(field.zone.path) > 2:
                areas.append(BoxArea(tuple(map(field.board.on_map, field.zone.path)), dict(boxes.values())))
        if self.numbered is None and not areas:
            loose |= self._spots
        else:
            areas = [*(self._make_area(name, at) for name, at in self._spots.items()), *areas]
        if self.numbered is not None:
            middles = [self.numbered.drawn.centre(*cell) for cell in self.numbered.names]
            areas += [self._make_area(name, at) for name, at in loose.items()]
            areas, loose = [part for area in areas for part in self._split_area(area, middles)], {}
        zones = tuple(GridZone("", "$gridLocation$", area.path, Regions.of(area.boxes)) for area in areas)
        placed = ZonedGrid(zones, Regions.of(loose) if loose else None)
        kept = ({name: at for name, at in area.boxes.items() if placed.locate(at) == name} for area in areas)
        return MapPicture(
            file=file,
            first=self.numbered.first if self.numbered else None,
            step=self.numbered.step if self.numbered else (100.0, 100.0),
            areas=tuple(BoxArea(area.path, boxes) for area, boxes in zip(areas, kept, strict=True) if boxes),
            boxes={name: at for name, at in loose.items() if placed.locate(at) == name},
        )

    def _make_area(self, name: str, at: Pixel) -> BoxArea:
        """Return a small area around a single place."""
        (x, y), reach = at, self._find_reach(at)
        corners = (x - reach, y - reach), (x + reach, y - reach), (x + reach, y + reach), (x - reach, y + reach)
        return BoxArea(corners, {name: at})

    def _find_reach(self, at: Pixel) -> int:
        """Return the radius of a small area around a place, if possible without any part of a hex."""
        if self.numbered is None or self._lattice is None:
            return _MAX_SPOT_RADIUS_PX
        full = min(_MAX_SPOT_RADIUS_PX, int(min(self.numbered.drawn.dx, self.numbered.drawn.dy) / 4))
        for reach in (full, full // 2, full // 4):
            ends = product((at[0] - reach, at[0] + reach - 1), (at[1] - reach, at[1] + reach - 1))
            if not any(map(self._lattice.locate, ends)):
                return reach
        return 2

    def _split_area(self, area: BoxArea, middles: list[Pixel]) -> Iterator[BoxArea]:
        """Yield an area, or if it covers the centre of a hex, the areas around its boxes that cover none."""
        if not _covers(area, middles):
            yield area
            return
        for name, at in area.boxes.items():
            part = self._make_area(name, at)
            if not _covers(part, middles):
                yield part

    @property
    def boxes(self) -> list[str]:
        return [*(name for boxes in self._boxes.values() for name, _ in boxes.values()), *self._spots]

    @property
    def grid(self) -> HexGrid:
        return self.numbered.grid if self.numbered else NO_HEXES


def _is_drawn(drawn: Window, numbers: NumberedHexes, cell: Cell) -> bool:
    """Return whether a cell is in the part of the map that the module shows."""
    at = numbers.grid.parse(numbers.names[cell])
    return drawn.columns[0] <= at.column <= drawn.columns[1] and drawn.rows[0] <= at.row <= drawn.rows[1]


def _covers(area: BoxArea, middles: list[Pixel]) -> bool:
    """Return whether an area contains one of these pixels."""
    xs, ys = zip(*area.path, strict=True)
    zone = GridZone("", "", area.path, None)
    near = (at for at in middles if min(xs) <= at[0] <= max(xs) and min(ys) <= at[1] <= max(ys))
    return any(map(zone.holds, near))


def _is_number(grid: HexGrid, name: str) -> bool:
    """Return whether a name is the number of a hex of a grid."""
    try:
        grid.parse(name)
    except (InputError, ValueError):
        return False
    return True
