"""An author's own picture as the ground of a map, cut and placed so that its hexes match the grid."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from math import ceil, floor, sqrt
from typing import TYPE_CHECKING

from ...game.boards.map_picture import PIXELS_PER_HEX, MapPicture
from ...game.hexes import Hex, HexGrid
from ...util.datafiles import read_data, resolve_within
from ...util.errors import InputError, Where, located
from ...util.limits import Limit
from ..geometry import PageBox
from ..scene import Bitmap, Layer
from ..style import HEX_MM, RADIUS

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from PIL.Image import Image

    from .survey import Survey

_PixelBox = tuple[int, int, int, int]
"""The left, top, right and bottom of a part of a picture, in its pixels."""
_MAX_PIXELS = 8_000_000
"""The maximum number of pixels below a map; a larger picture is reduced."""
_MAX_KEPT_PIXELS = 2**24
"""The maximum number of pixels of a picture that stays decoded, 64 MiB."""
_MAX_PIXELS_OF_PART = 640_000
"""The maximum number of pixels below a part of a map of areas."""


def has_own_art(survey: Survey) -> bool:
    """Return whether the map has its own picture as its ground."""
    return _find_picture(survey) is not None


def _find_picture(survey: Survey) -> tuple[Traversable, MapPicture, tuple[float, float]] | None:
    picture, home = survey.board.picture, survey.symbols.home
    return (home, picture, picture.first) if home and picture and picture.first else None


def art_layer(survey: Survey) -> Layer | None:
    """Return the part of the board's own picture that a map shows, or None for a board without a picture.

    Raises InputError with the file if it is missing, is not a picture, or has too many pixels.
    """
    if (own := _find_picture(survey)) is None:
        return None
    home, picture, first = own
    path = _path_of(survey.board.name, picture)
    data = read_data(resolve_within(home, path), path)
    with located(Where(path)):
        bitmap = _place_picture(survey, picture, first, data)
    return Layer("own-art", (bitmap,) if bitmap else ())


def whole_art(home: Traversable, board: str, picture: MapPicture) -> Bitmap:
    """Return the whole picture of a board, in a box as large as its pixels.

    Raises InputError as `art_layer` does.
    """
    path = _path_of(board, picture)
    data = read_data(resolve_within(home, path), path)
    with located(Where(path)):
        cut = _cut_out(data, None)
    assert cut is not None
    part, (_, _, width, height) = cut
    return Bitmap(x=0, y=0, width=width, height=height, columns=part.width, rows=part.height, pixels=part.tobytes())


def measure_art(home: Traversable, board: str, picture: MapPicture) -> tuple[float, float]:
    """Return the width and height of the picture of a map of areas, in the unit of pictures.

    Raises InputError as `art_layer` does.
    """
    path = _path_of(board, picture)
    data = read_data(resolve_within(home, path), path)
    with located(Where(path)), _open_picture(data) as whole:
        return whole.width * HEX_MM / PIXELS_PER_HEX, whole.height * HEX_MM / PIXELS_PER_HEX


def part_of_art(home: Traversable, board: str, picture: MapPicture, box: PageBox) -> Layer:
    """Return the part in `box` of the picture of a map of areas, with the box's upper left corner as the origin.

    Raises InputError as `art_layer` does.
    """
    path, unit = _path_of(board, picture), HEX_MM / PIXELS_PER_HEX
    data = read_data(resolve_within(home, path), path)
    left, top, right, bottom = (edge / unit for edge in box)
    with located(Where(path)):
        cut = _cut_out(data, (floor(left), floor(top), ceil(right), ceil(bottom)), _MAX_PIXELS_OF_PART)
    if cut is None:
        return Layer("own-art", ())
    part, (x, y, to_x, to_y) = cut
    bitmap = Bitmap(
        x=x * unit - box.left,
        y=y * unit - box.top,
        width=(to_x - x) * unit,
        height=(to_y - y) * unit,
        columns=part.width,
        rows=part.height,
        pixels=part.tobytes(),
    )
    return Layer("own-art", (bitmap,))


def _path_of(board: str, picture: MapPicture) -> str:
    return f"boards/{board}/{picture.file}"


def _place_picture(survey: Survey, picture: MapPicture, first: tuple[float, float], data: bytes) -> Bitmap | None:
    layout, grid = survey.layout, survey.board.grid
    across, down = _measure_pixel(grid, picture.step)
    x, y = layout.place(*grid.centre(_upper_left(grid)))
    x, y = x - first[0] * across, y - first[1] * down  # the upper left corner of the whole picture
    half_width, half_height = (RADIUS, HEX_MM / 2) if layout.flat else (HEX_MM / 2, RADIUS)
    xs, ys = zip(*map(layout.centre, layout.names), strict=True)
    left, top = floor((min(xs) - half_width - x) / across), floor((min(ys) - half_height - y) / down)
    right, bottom = ceil((max(xs) + half_width - x) / across), ceil((max(ys) + half_height - y) / down)
    cut = _cut_out(data, (left, top, right, bottom))
    if cut is None:
        return None
    part, (left, top, right, bottom) = cut
    return Bitmap(
        x=x + left * across,
        y=y + top * down,
        width=(right - left) * across,
        height=(bottom - top) * down,
        columns=part.width,
        rows=part.height,
        pixels=part.tobytes(),
    )


def _cut_out(data: bytes, box: _PixelBox | None, most: int = _MAX_PIXELS) -> tuple[Image, _PixelBox] | None:
    """Return a part of a picture and its box, cut to the picture, or None if the box is outside.

    `box`: the part, or None for the whole picture.
    `most`: the maximum number of pixels returned.

    Raises InputError if the data are not a picture, or if it has too many pixels.
    """
    whole = _decode(data)
    left, top, right, bottom = box or (0, 0, *whole.size)
    inside = (max(left, 0), max(top, 0), min(right, whole.width), min(bottom, whole.height))
    if inside[0] >= inside[2] or inside[1] >= inside[3]:
        return None
    return _flatten(whole.crop(inside), most), inside


def _decode(data: bytes) -> Image:
    """Return the pixels of a picture. A map is drawn in many parts, so the last picture is kept if it is not too large.

    Raises InputError as `_cut_out` does.
    """
    with _open_picture(data) as whole:
        pixels = whole.width * whole.height
    return _load_kept(data) if pixels <= _MAX_KEPT_PIXELS else _load(data)


def _load(data: bytes) -> Image:
    with _open_picture(data) as whole:
        whole.load()
        return whole


_load_kept = lru_cache(1)(_load)


@contextmanager
def _open_picture(data: bytes) -> Iterator[Image]:
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # Pillow warns at half its limit
            with Image.open(io.BytesIO(data), formats=["PNG", "GIF", "JPEG"]) as whole:
                Limit.PIXELS.check(whole.width * whole.height, "it has")
                yield whole
    except (InputError, MemoryError):
        raise
    except Image.DecompressionBombError:
        raise Limit.PIXELS.error("it has") from None
    except Exception:  # Pillow's readers raise various exceptions on damaged files
        raise InputError("it is not a picture", hint="save it as PNG, GIF or JPEG") from None


def _flatten(part: Image, most: int) -> Image:
    from PIL import Image

    if (pixels := part.width * part.height) > most:
        share = sqrt(most / pixels)
        part = part.convert("RGBA").resize((max(int(part.width * share), 1), max(int(part.height * share), 1)))
    whole = part.convert("RGBA")
    return Image.alpha_composite(Image.new("RGBA", whole.size, "white"), whole).convert("RGB")


def _measure_pixel(grid: HexGrid, step: tuple[float, float]) -> tuple[float, float]:
    """Return the width and height of a picture's pixel in mm.

    `step`: the number of pixels from column to column, and from row to row.
    """
    distances = (RADIUS * 1.5, HEX_MM) if grid.orientation == "flat" else (HEX_MM, RADIUS * 1.5)
    return distances[0] / step[0], distances[1] / step[1]


def _upper_left(grid: HexGrid) -> Hex:
    (first, last), (top, bottom) = grid.columns, grid.rows
    return Hex(last if grid.columns_from == "east" else first, bottom if grid.rows_from == "south" else top)
