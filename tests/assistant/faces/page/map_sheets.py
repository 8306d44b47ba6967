"""A photo of a sheet of the map for tests that need no browser: where it shows each hex is known, and its picture is plain."""

from __future__ import annotations

import functools
import io
from base64 import b64encode
from typing import Any

from PIL import Image

from assistant.game.boards import Board
from assistant.installed.registry import load_game

from .pages import AtTable

GAME, BOARD, MIDDLE = "twilight-in-the-east", "east", "44.20"
SIZE = WIDTH, HEIGHT = 1600, 1200
ID = "0123456789abcdef"
CORNERS = ("52.12", "37.13", "36.27", "51.27")
"""Four hexes near the corners of the photo."""
SECRET = b"the photo of my own map"
"""What stands in the file of the photo, to be found wherever that would go."""


def board() -> Board:
    return load_game(GAME).board(BOARD)


def shows(name: str) -> tuple[float, float]:
    """Where the photo shows the middle of a hex."""
    (x, y), (left, top) = board().centre(name), board().centre(MIDDLE)
    x, y = x - left, y - top
    depth = 1 + 0.004 * x + 0.012 * y
    return 800 + (70 * x - 6 * y) / depth, 600 + (5 * x + 64 * y) / depth


def tap(name: str, right: float = 0.0) -> dict[str, Any]:
    """A tap on a hex, so many pixels to the right of its middle."""
    x, y = shows(name)
    return {"hex": name, "x": x + right, "y": y}


@functools.cache
def jpeg(size: tuple[int, int] = SIZE) -> bytes:
    """The file of the photo."""
    out = io.BytesIO()
    Image.new("RGB", size, "tan").save(out, "JPEG", quality=40, comment=SECRET)
    return out.getvalue()


def put_photo(page: AtTable, id: str = ID, title: str = "sheet A.jpg") -> Any:
    """Choose the photo."""
    data = b64encode(jpeg()).decode()
    return page.send("put-photo", photo=id, title=title, width=WIDTH, height=HEIGHT, part=0, parts=1, data=data)


def fit_photo(page: AtTable, id: str = ID) -> Any:
    """Choose the photo, and fit the grid to it."""
    put_photo(page, id)
    taps = [tap(name) for name in CORNERS]
    shown = page.send("fit", photo=id, taps=taps)
    places = [{"hex": place["hex"], "x": place["x"], "y": place["y"]} for place in shown["places"]]
    return page.send("fit", photo=id, taps=taps, places=places, keep=True)
