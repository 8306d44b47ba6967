"""Grids: every name that the codecs give a pixel is the one that the real engine gives it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.sax.saxutils import quoteattr

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.formats.vassal.board_grids import board_grid
from assistant.formats.vassal.grids import (
    HEXES,
    NUMBERED_HEXES,
    NUMBERED_SQUARES,
    REGIONS,
    SQUARES,
    ZONES,
    GridZone,
    Hexes,
    Numbering,
    Pixel,
)
from assistant.formats.vassal.modules import Module, read_module
from assistant.game.hexes import Hex, HexGrid
from assistant.util.errors import InputError

from ..cases import examples
from .test_harness import DATA, MAP, MODULE, TAB, save, saved, zipped

_REGION, _ZONE = f"{MAP}boardPicker.board.Region", f"{MAP}boardPicker.board.mapgrid.Zone"
SIZE = (400, 300)
BOARDS = 48
POINTS = 400
OFF_BOARD = "offboard"


# --- random grids, as elements of a module ----------------------------------------------------------------------------


def element(tag: str, inner: str = "", /, **attributes: object) -> str:
    said = {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in attributes.items()}
    return f"<{tag} {' '.join(f'{name}={quoteattr(value)}' for name, value in said.items())}>{inner}</{tag}>"


def numbering(dice: random.Random, tag: str) -> str:
    """All ways to number; now and then attributes are left out, for which the engine has its own values."""
    said: dict[str, object] = {
        "first": dice.choice("HV"),
        "sep": dice.choice(["", "", ".", "-"]),
        "hType": dice.choice("NNA"),
        "vType": dice.choice("NNA"),
        "hLeading": dice.choice([-1, 0, 1, 2]),
        "vLeading": dice.choice([0, 1, 3]),
        "hOff": dice.randint(-12, 40),
        "vOff": dice.randint(-12, 40),
        "hDescend": dice.choice([True, False]),
        "vDescend": dice.choice([True, False]),
        "stagger": dice.choice([True, False]),
        "locationFormat": dice.choice(["$gridLocation$", "$gridLocation$", "<$column$ & $row$>", "x$nothing$y $row$"]),
    }
    kept = said if dice.random() < 0.7 else {name: value for name, value in said.items() if dice.random() < 0.5}
    return element(tag, **kept)


def hexes(dice: random.Random) -> str:
    high = dice.choice([20, 23.5, 31, 40.0, 64.3])
    wide = dice.choice([high * 0.866, round(high * 0.8), high])
    shape = {"x0": dice.randint(-30, 50), "y0": dice.randint(-30, 50), "dx": round(wide, 1), "dy": high}
    inner = numbering(dice, NUMBERED_HEXES) if dice.random() < 0.95 else ""
    return element(HEXES, inner, **shape, sideways=dice.choice([True, False]), snapTo=True)


def squares(dice: random.Random) -> str:
    shape = {"x0": dice.randint(-30, 50), "y0": dice.randint(-30, 50)}
    shape |= {"dx": dice.choice([17, 24.5, 48]), "dy": dice.choice([17, 31.2, 40])}
    return element(SQUARES, numbering(dice, NUMBERED_SQUARES), **shape)


def regions(dice: random.Random) -> str:
    """Points of which no two are one below the other or as far away from many pixels."""
    names = dice.sample(["Łódź", "Wien & Graz", "A1", "East <box>", "Tannenberg", "7"], dice.randint(1, 6))
    return element(
        REGIONS,
        "".join(
            element(_REGION, name=name, originx=dice.randrange(SIZE[0]), originy=dice.randrange(SIZE[1]))
            for name in names
        ),
    )


def zones(dice: random.Random) -> str:
    """Polygons over one another, some with a grid of their own, some with the background's, some with none."""
    inner = []
    for number in range(dice.randint(1, 4)):
        path = [(dice.randint(-10, 410), dice.randint(-10, 310)) for _ in range(dice.randint(3, 7))]
        own = dice.choice([hexes, squares, regions, None])
        said = {"path": ";".join(f"{x},{y}" for x, y in path), "useParentGrid": dice.random() < 0.4}
        if dice.random() < 0.8:
            said["locationFormat"] = dice.choice(["$name$", "$name$: $gridLocation$", "$gridLocation$", "box"])
        inner.append(element(_ZONE, own(dice) if own else "", name=f"Zone {number}", **said))
    if dice.random() < 0.8:
        inner.insert(dice.randint(0, len(inner)), dice.choice([hexes, squares, regions])(dice))
    return element(ZONES, "".join(inner))


# --- a module of many boards ------------------------------------------------------------------------------------------


def module(file: Path, maps: str) -> Path:
    text = f"""<?xml version="1.0" encoding="UTF-8"?>
<VASSAL.build.GameModule name="Grids" version="1" VassalVersion="3.6.0" description="" nextPieceSlotId="9">
<{MODULE}BasicCommandEncoder/><{MODULE}GlobalOptions/>{maps}
</VASSAL.build.GameModule>"""
    return zipped(file, {"buildFile.xml": text, "moduledata": DATA})


def window(name: str, grids: dict[str, str], edge: Pixel = (0, 0), sizes: dict[str, Pixel] | None = None) -> str:
    """A map with one board for each grid."""
    boards = []
    for title, grid in grids.items():
        width, height = (sizes or {}).get(title, SIZE)
        of = {"name": title, "width": width, "height": height, "color": "255,255,255", "reversible": True}
        boards.append(element(f"{MAP}boardPicker.Board", grid, **of))
    picker = element(f"{MAP}BoardPicker", f"<setup>{name}BoardPicker{TAB}{next(iter(grids))}{TAB}0{TAB}0</setup>")
    picker = picker.replace("</setup>", "</setup>" + "".join(boards))
    return element(f"{MODULE}Map", picker, mapName=name, edgeWidth=edge[0], edgeHeight=edge[1])


def names(read: Module, map_: str, boards: tuple[tuple[str, int, int], ...], points: list[Pixel]) -> list[str]:
    """What the codecs call points of a map."""
    placed = read.maps[map_].placed(boards)

    def name(at: Pixel) -> str:
        return next((board.locate(at) for board in placed if board.holds(at)), "")

    return [name(at) for at in points]


def engine_names(places: list[Any]) -> list[str]:
    """What the engine calls them; it says `offboard` too where a board has no grid or no numbers."""
    return ["" if place.name in (OFF_BOARD, None) else place.name for place in places]


# --- random grids -----------------------------------------------------------------------------------------------------


def test_the_name_at_a_pixel_is_the_engines(engine: ModuleType, tmp_path: Path) -> None:
    dice = random.Random(1914)
    makers: list[Callable[[random.Random], str]] = [hexes, hexes, squares, regions, zones, zones]
    maps = {f"M{number}": makers[number % len(makers)](dice) for number in range(BOARDS)}
    file = module(tmp_path / "grids.vmod", "".join(window(name, {"Board": grid}) for name, grid in maps.items()))
    read = read_module(file.read_bytes())
    assert read.unread == ()
    shown = (("Board", 0, 0),)
    points = {name: list(_points(dice, read.maps[name].boards["Board"].grid)) for name in maps}
    centres = {name: _centres(dice, read.maps[name].boards["Board"].grid) for name in maps}
    steps: list[dict[str, Any]] = [{"do": "new"}]
    steps += [{"do": "locate", "map": name, "points": points[name], "as": name} for name in maps]
    steps += [
        {"do": "locate", "map": name, "points": list(at), "as": f"{name} centres"} for name, at in centres.items() if at
    ]
    outcome = engine.run(file, steps)
    for name, grid in maps.items():
        mine, theirs = names(read, name, shown, points[name]), engine_names(outcome[name])
        wrong = [(at, one, other) for at, one, other in zip(points[name], mine, theirs, strict=True) if one != other]
        assert wrong == [], f"{name}: {grid}"
        if centres[name]:  # a piece put on the middle of a hex is found in it, and stays there
            found = engine_names(outcome[f"{name} centres"])
            assert found == list(centres[name].values()), f"{name}: {grid}"


def _points(dice: random.Random, grid: Any) -> Iterator[Pixel]:
    """Random pixels, some just outside the board, the corners and edges of zones; none between two regions."""
    corners = [point for zone in getattr(grid, "zones", ()) for point in zone.path]
    corners += [
        ((x1 + x2) // 2, (y1 + y2) // 2)
        for zone in getattr(grid, "zones", ())
        for (x1, y1), (x2, y2) in zip(zone.path, zone.path[1:], strict=False)
    ]
    near = [(x + dx, y + dy) for x, y in corners for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
    for at in [*near, *((dice.randint(-5, SIZE[0] + 5), dice.randint(-5, SIZE[1] + 5)) for _ in range(POINTS))]:
        if not any(_is_between(regions, at) for regions in _region_grids(grid)):
            yield at


def _region_grids(grid: Any) -> Iterator[tuple[tuple[int, int, str], ...]]:
    parts = [grid, getattr(grid, "background", None), *(zone.grid for zone in getattr(grid, "zones", ()))]
    return (part.points for part in parts if hasattr(part, "points"))


def _is_between(points: tuple[tuple[int, int, str], ...], at: Pixel) -> bool:
    """Whether a pixel is as near to one region as to another: the engine takes any."""
    off = sorted((at[0] - x) ** 2 + (at[1] - y) ** 2 for x, y, _ in points)
    return len(off) > 1 and off[0] == off[1]


def _centres(dice: random.Random, grid: Any) -> dict[Pixel, str]:
    """The middles of some hexes, and what they are called."""
    if not isinstance(grid, Hexes) or grid.numbering is None:
        return {}
    found = {}
    for _ in range(40):
        column, row = dice.randint(-2, 20), dice.randint(-2, 20)
        x, y = grid.centre(column, row)
        if 0 <= x < SIZE[0] and 0 <= y < SIZE[1]:
            assert grid.cell((x, y)) == (column, row)
            found[x, y] = grid.numbering.name(*grid.counts(column, row))
    return found


def test_boards_lie_where_the_engine_puts_them(engine: ModuleType, tmp_path: Path) -> None:
    """Boards of several sizes in rows and columns, with margins, some left out, one unknown, one upside down."""
    dice = random.Random(7)
    titles = "ABCDEF"
    maps, sizes, shown = {}, {}, {}
    for number in range(12):
        edge = dice.randint(0, 40), dice.randint(0, 40)
        sizes = {title: (dice.randint(60, 200), dice.randint(60, 200)) for title in titles}
        grids = {title: _plain_hexes(title, dice) for title in titles}
        maps[f"M{number}"] = window(f"M{number}", grids, edge, sizes)
        cells = dice.sample([(column, row) for column in range(3) for row in range(3)], dice.randint(1, 6))
        shown[f"M{number}"] = tuple(
            (title + dice.choice(["", "", "/rev"]), *cell) for title, cell in zip(titles, cells, strict=False)
        )
    file = module(tmp_path / "boards.vmod", "".join(maps.values()))
    said = [
        TAB.join([f"{name}BoardPicker", *(f"{title}{TAB}{column}{TAB}{row}" for title, column, row in boards)])
        for name, boards in shown.items()
    ]
    start = save(tmp_path / "start.vsav", saved(*said).replace("FieldBoardPicker\tLand\t0\t0\x1b", ""))
    points = {name: [(dice.randrange(-5, 700), dice.randrange(-5, 700)) for _ in range(300)] for name in maps}
    steps: list[dict[str, Any]] = [{"do": "load", "file": start}]
    steps += [{"do": "locate", "map": name, "points": points[name], "as": name} for name in maps]
    outcome = engine.run(file, steps)
    read = read_module(file.read_bytes())
    for name, boards in shown.items():
        assert names(read, name, boards, points[name]) == engine_names(outcome[name]), (name, boards)
        on = [place.board for place in outcome[name]]
        placed = read.maps[name].placed((*boards, ("nowhere", 0, 5)))
        assert [next((b.name for b in placed if b.holds(at)), None) for at in points[name]] == on


def _plain_hexes(title: str, dice: random.Random) -> str:
    prints = element(NUMBERED_HEXES, sep=title, hOff=0, vOff=0, stagger=False)
    return element(HEXES, prints, x0=dice.randint(0, 20), y0=dice.randint(0, 20), dx=17.3, dy=20)


# --- zones ------------------------------------------------------------------------------------------------------------

POLYGON = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=1, max_size=7)


def _contains(path: list[Pixel], x: int, y: int) -> bool:
    """Java's Polygon.contains, line by line."""
    hits, (last_x, last_y) = 0, path[-1]
    for now_x, now_y in path:
        (x1, y1), (x2, y2) = (last_x, last_y), (now_x, now_y)
        last_x, last_y = now_x, now_y
        if y1 == y2 or x >= max(x1, x2):
            continue
        if y2 < y1:
            if y < y2 or y >= y1:
                continue
            across, down = x - x2, y - y2
        else:
            if y < y1 or y >= y2:
                continue
            across, down = x - x1, y - y1
        hits += x < min(x1, x2) or across < down / (y1 - y2) * (x1 - x2)
    return hits % 2 == 1


@given(POLYGON)
@settings(max_examples=examples(150), deadline=None)
def test_a_zone_holds_the_pixels_that_its_polygon_holds_in_java(path: list[Pixel]) -> None:
    zone = GridZone("", "", tuple(path), None)
    for x in range(-1, 14):
        for y in range(-1, 14):
            assert zone.holds((x, y)) == _contains(path, x, y), (x, y)


# --- grids of the builder ---------------------------------------------------------------------------------------------

FORMS = st.sampled_from(["", ":02", ":03", ":A", ":AB", ":02odd", ":03even"])
AROUND = st.sampled_from(["", "", "W", "[", "."])


@st.composite
def hex_grids(draw: st.DrawFn) -> HexGrid:
    """Grids of printed maps: all ways to lie, to count and to print."""
    fields = [f"{{{name}{draw(FORMS)}}}" for name in draw(st.permutations(["column", "row"]))]
    between = draw(st.sampled_from(["", ".", "-", "/"]))
    (left, wide), (top, high) = (draw(st.tuples(st.integers(1, 60), st.integers(0, 6))) for _ in range(2))
    return HexGrid(
        orientation=draw(st.sampled_from(["flat", "pointy"])),
        shifted=draw(st.sampled_from(["odd", "even"])),
        columns_from=draw(st.sampled_from(["west", "east"])),
        rows_from=draw(st.sampled_from(["north", "south"])),
        format=f"{draw(AROUND)}{fields[0]}{between}{fields[1]}{draw(AROUND)}",
        columns=(left, left + wide),
        rows=(top, top + high),
    )


@given(hex_grids(), st.integers(20, 130))
def test_every_hex_of_a_board_is_found_by_its_printed_number(grid: HexGrid, height: int) -> None:
    board = board_grid(grid, height)
    (left, right), (top, bottom) = grid.columns, grid.rows
    every = [Hex(column, row) for column in range(left, right + 1) for row in range(top, bottom + 1)]
    assert set(board.hexes) == set(map(grid.name, every))
    for one in every:
        x, y = board.hexes[grid.name(one)]
        assert height / 2 <= x <= board.size[0] - height / 2
        assert height / 2 <= y <= board.size[1] - height / 2
        for around in ((x, y), (x - height // 4, y), (x + height // 4, y), (x, y - height // 4), (x, y + height // 4)):
            assert board.grid.locate(around) == grid.name(one)
        for other in grid.neighbours(one).values():
            there = board.hexes[grid.name(other)]
            assert abs(((x - there[0]) ** 2 + (y - there[1]) ** 2) ** 0.5 - height) < 2


@given(hex_grids(), st.integers(20, 130))
def test_hexes_lie_on_a_board_as_they_lie_on_the_map(grid: HexGrid, height: int) -> None:
    board = board_grid(grid, height)
    corner = Hex(grid.columns[0], grid.rows[0])
    (x, y), (x0, y0) = board.hexes[grid.name(corner)], grid.centre(corner)
    for column in grid.columns:
        for row in grid.rows:
            at, (along, down) = board.hexes[grid.name(Hex(column, row))], grid.centre(Hex(column, row))
            assert abs(at[0] - x - (along - x0) * height) < 6
            assert abs(at[1] - y - (down - y0) * height) < 6


@pytest.mark.parametrize("format_", ["{column}{row}x{column}", "{column:4}{row}", "{row}"])
def test_numbers_that_vassal_cannot_print(format_: str) -> None:
    with pytest.raises(InputError, match="VASSAL cannot print hex numbers like"):
        board_grid(HexGrid(format=format_, columns=(1, 3), rows=(1, 3)), 60)


def test_the_engine_prints_the_numbers_of_boards(engine: ModuleType, tmp_path: Path) -> None:
    boards = [board_grid(grid, 40) for grid in _sample()]
    maps = [
        window(f"M{number}", {"Board": _element(board.grid)}, sizes={"Board": board.size})
        for number, board in enumerate(boards)
    ]
    steps: list[dict[str, Any]] = [{"do": "new"}]
    for number, board in enumerate(boards):
        steps.append({"do": "locate", "map": f"M{number}", "points": list(board.hexes.values()), "as": f"M{number}"})
    outcome = engine.run(module(tmp_path / "boards.vmod", "".join(maps)), steps)
    for number, board in enumerate(boards):
        places = outcome[f"M{number}"]
        assert [place.name for place in places] == list(board.hexes), board.grid
        assert [place.snapped for place in places] == list(board.hexes.values()), board.grid


def _sample() -> Iterator[HexGrid]:
    """A grid for every way to lie and to count, with numbers that look different."""
    formats = [
        "{column:02}{row:02}",
        "{column:02}.{row:02}",
        "{row:A}{column}",
        "W{column:A}-{row:03}",
        "{row}/{column}",
    ]
    dice = random.Random(3)
    for orientation in ("flat", "pointy"):
        for shifted in ("odd", "even"):
            for columns_from in ("west", "east"):
                for rows_from in ("north", "south"):
                    (left, wide), (top, high) = ((dice.randint(1, 30), dice.randint(0, 5)) for _ in range(2))
                    yield HexGrid(
                        orientation=orientation,
                        shifted=shifted,
                        columns_from=columns_from,
                        rows_from=rows_from,
                        format=dice.choice(formats),
                        columns=(left, left + wide),
                        rows=(top, top + high),
                    )


def _element(grid: Hexes) -> str:
    """A grid of the builder as it stands in a module."""
    said = msgspec.to_builtins(grid.numbering or Numbering())
    shape = {"x0": grid.x0, "y0": grid.y0, "dx": grid.dx, "dy": grid.dy, "sideways": grid.sideways, "snapTo": True}
    shape |= {"edgesLegal": False, "cornersLegal": False}
    return element(HEXES, element(NUMBERED_HEXES, **said), **shape)
