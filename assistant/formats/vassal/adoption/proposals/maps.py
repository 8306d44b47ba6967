"""The choice of the module's map that shows the game's map, and the conversion of its hex numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple, TypeVar

import msgspec

from .....game.boards.board import Board
from .....util.errors import InputError
from ...grids import Drawn, Hexes, Numbering, ZonedGrid, number_format
from ...maps import BoardDrawing, MapWindow
from ...modules import Module
from ..meanings import Numbers
from .candidates import GUESS, LIKELY, SURE, Proposal
from .likeness import likeness, tokens

_SAMPLE_HEXES = 400
"""Approximate number of hexes of a grid that are compared with the game's map."""
_MIN_MATCHED_SHARE = 0.9
"""Minimum share of hexes that are found on the game's map, and of neighbours that are neighbours there too."""
_MIN_SIMILARITY = 0.6
"""Minimum similarity of a place and a box with the same meaning."""


G = TypeVar("G")


class _NumberFit(NamedTuple):
    """The fit of a number format: the share of hexes on the game's map, and of neighbours that stay neighbours."""

    format: str
    matched: float
    adjacent: float


def number_maps(module: Module) -> dict[str, MapWindow]:
    """Return the maps of a module, with `column,row` counted from the upper left corner for hexes without numbers."""
    return {
        name: window._replace(
            boards={key: board._replace(grid=_number_grid(board.grid)) for key, board in window.boards.items()}
        )
        for name, window in module.maps.items()
    }


def _number_grid(grid: Drawn | None) -> Drawn | None:
    if isinstance(grid, ZonedGrid):
        zones = tuple(msgspec.structs.replace(zone, grid=count_hexes(zone.grid)) for zone in grid.zones)
        return ZonedGrid(zones, count_hexes(grid.background))
    return count_hexes(grid)


def count_hexes(grid: G) -> G | Hexes:
    """Return a grid, with numbers added to hexes that have none."""
    if not isinstance(grid, Hexes) or grid.numbering is not None:
        return grid
    return msgspec.structs.replace(grid, numbering=DEFAULT_NUMBERING)


DEFAULT_NUMBERING = Numbering(sep=",", h_leading=0, v_leading=0)
"""The numbering for hexes without numbers."""


def propose_maps(maps: Mapping[str, MapWindow], board: Board) -> list[Proposal]:
    """Return a proposal for each map: those with the best or a good fit are the game's, the others are aside."""
    fits = {name: _find_best_fit(window, board) for name, window in maps.items()}
    best = max(
        fits, key=lambda name: (fits[name].matched * (1 + fits[name].adjacent), len(maps[name].boards)), default=""
    )
    proposals = []
    for name, window in maps.items():
        fit = fits[name]
        if name == best or (fit.matched >= _MIN_MATCHED_SHARE and fit.adjacent >= _MIN_MATCHED_SHARE):
            proposals.append(_propose_board(name, window, fit, board))
            continue
        boxes = _match_boxes(window, board)
        if any(boxes.values()) or _has_boxes(window, board):
            proposals.append(Proposal(name, {"boxes": boxes} if boxes else {}, LIKELY))
        else:
            proposals.append(Proposal(name, {"aside": True}, LIKELY if window.open else SURE))
    return proposals


def _propose_board(name: str, window: MapWindow, fit: _NumberFit, board: Board) -> Proposal:
    meaning: dict[str, Any] = {"hexes": fit.format} if fit.format else {}
    if fit.matched < _MIN_MATCHED_SHARE:
        meaning["known"] = {}
    if boxes := _match_boxes(window, board):
        meaning["boxes"] = boxes
    grids = [grid for drawing in window.boards.values() for grid in _list_grids(drawing.grid)]
    example = next((printed for grid in grids for printed, _ in _sample_hexes(grid, (4000, 4000))), "")
    is_numbered = all(grid.numbering != DEFAULT_NUMBERING for grid in grids)
    if is_numbered and fit.matched >= _MIN_MATCHED_SHARE and fit.adjacent >= _MIN_MATCHED_SHARE:
        return Proposal(name, meaning, SURE, f"its hexes are numbered like {example}")
    meaning["guessed"] = True
    if not is_numbered and fit.matched >= _MIN_MATCHED_SHARE:
        return Proposal(name, meaning, GUESS, f"its hexes have no numbers, and are counted like {example}")
    if fit.matched >= _MIN_MATCHED_SHARE:
        return Proposal(
            name,
            meaning,
            GUESS,
            f"hexes that are adjacent here, such as those around {example}, are not adjacent on the game's map",
        )
    why = (
        f"give one of its hexes its number on the game's map: known = "
        f'{{ "{example}" = "{board.grid.name(board.grid.middle)}" }}'
    )
    return Proposal(name, meaning, GUESS, why if example else "it has no hex grid")


def _find_best_fit(window: MapWindow, board: Board) -> _NumberFit:
    """Return the number format by which most hexes of a map match hexes of the game's board."""
    grids = [(grid, drawing) for drawing in window.boards.values() for grid in _list_grids(drawing.grid)]
    if not grids:
        return _NumberFit("", 0, 0)
    formats = dict.fromkeys(["", *(number_format(grid) for grid, _ in grids)])
    fits = [_measure_fit(format, grids, board) for format in formats]
    return max(fits, key=lambda fit: (fit.matched, fit.adjacent))


def _measure_fit(format: str, grids: Sequence[tuple[Hexes, BoardDrawing]], board: Board) -> _NumberFit:
    try:
        numbers = Numbers(format, {}, board)
    except InputError:
        return _NumberFit(format, 0, 0)
    hexes = 0
    matched = 0
    pairs = 0
    adjacent = 0
    for grid, drawing in grids:
        for printed, around in _sample_hexes(grid, drawing.size):
            hexes += 1
            here = numbers.hex(printed)
            if not here:
                continue
            matched += 1
            for other in filter(None, map(numbers.hex, around)):
                pairs += 1
                adjacent += board.grid.distance(board.grid.parse(here), board.grid.parse(other)) == 1
    return _NumberFit(format, matched / max(hexes, 1), adjacent / max(pairs, 1))


def _sample_hexes(grid: Hexes, size: tuple[int, int]) -> Iterator[tuple[str, list[str]]]:
    """Yield printed hexes spread over a board, each with the printed numbers of two of its neighbours."""
    width, height = size[::-1] if grid.sideways else size
    columns, rows = max(int(width / grid.dx) - 1, 1), max(int(height / grid.dy) - 1, 1)
    step = max(int((columns * rows / _SAMPLE_HEXES) ** 0.5), 1)
    cells = ((column, row) for column in range(1, columns, step) for row in range(1, rows, step))
    for column, row in islice(cells, _SAMPLE_HEXES * 2):
        if printed := _locate_hex(grid, column, row):
            right_row = row if column % 2 else row - 1  # the upper right neighbour: odd columns lie half a hex lower
            yield printed, [_locate_hex(grid, column, row + 1), _locate_hex(grid, column + 1, right_row)]


def _locate_hex(grid: Hexes, column: int, row: int) -> str:
    return grid.locate(grid.centre(column, row))


def _list_grids(grid: Drawn | None) -> list[Hexes]:
    if isinstance(grid, Hexes):
        return [grid]
    if isinstance(grid, ZonedGrid):
        within = (zone.grid for zone in grid.zones)
        return list(
            dict.fromkeys(numbering for numbering in (*within, grid.background) if isinstance(numbering, Hexes))
        )
    return []


def _has_boxes(window: MapWindow, board: Board) -> bool:
    """Return whether a place of a map has the name of a box of the game."""
    return any(board.is_box(name) for drawing in window.boards.values() for name in _list_places(drawing.grid))


def _match_boxes(window: MapWindow, board: Board) -> dict[str, str]:
    """Return the named places of a map that are not hexes, each with the most similar box of the game, or "".

    Places with the exact name of a box are left out.
    """
    boxes = {}
    for place in dict.fromkeys(name for drawing in window.boards.values() for name in _list_places(drawing.grid)):
        if place.isprintable() and not board.is_box(place):
            ranked = sorted(((likeness(tokens(place), tokens(box)), box) for box in board.boxes), reverse=True)
            boxes[place] = ranked[0][1] if ranked and ranked[0][0] >= _MIN_SIMILARITY else ""
    return boxes


def _list_places(grid: Drawn | None) -> Iterable[str]:
    """Yield the names of a grid's places except hexes."""
    if isinstance(grid, ZonedGrid):
        for zone in grid.zones:
            if zone.grid is None:
                yield zone.location_format.replace("$name$", zone.name).replace("$gridLocation$", "")
            else:
                yield from _list_places(zone.grid)
        yield from _list_places(grid.background)
    elif grid is not None and not isinstance(grid, Hexes):
        yield from (name for *_, name in getattr(grid, "points", ()))
