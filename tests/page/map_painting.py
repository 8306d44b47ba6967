"""A player at his photo: the grid fitted by taps, hexes painted by strokes; taps and drags are counted.

Run by itself it paints forty hexes at the pace of a person, says how long that took, and writes the pictures of the handbook:
`python -m tests.page.map_painting SECONDS FOLDER`.
"""

from __future__ import annotations

import re
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import FilePayload, Locator, Page, expect

from assistant.faces.page.tiles import TiledHexes
from assistant.game.boards import Board
from assistant.installed.registry import load_game

from .map_photo import BOARD, GAME, MapPhoto, photograph

Point = tuple[float, float]

POSITION = f"game {GAME}\nboard {BOARD}\nturn=1\ntrust counters\n42.21: 27/3\n44.19: 1/1\n"
PATCHES: dict[str, tuple[str, ...]] = {
    "clear": ("48.15 47.15 46.16 46.17 47.16 48.16 48.17 47.17", "45.16 45.15 44.16 44.15 43.14 42.15"),
    "rough": ("45.17 44.17 43.16 43.15 42.16", "44.18 43.17 42.17 42.18"),
    "wetlands": ("41.15 41.16 41.17 40.16 40.17 40.18",),
    "mountain": ("46.18 45.18 44.19 43.18 42.19",),
    "high mountain": ("41.18 41.19 40.19",),
    "sea": ("39.15 39.16 39.17",),
}
"""Forty hexes as a map could print them: by terrain, the strokes that paint it."""
RIVER = "48.16|48.17 47.16|48.17 47.16|47.17 46.17|47.17 46.17|46.18 45.17|46.18 45.17|45.18 44.18|45.18 44.18|44.19 43.18|44.18"
"""Ten hexsides."""


@dataclass
class MapPainter:
    """A player who has his photo before him. pause: seconds that a tap takes him; along: seconds for each further hex of a drag."""

    page: Page
    photo: MapPhoto
    pause: float = 0.0
    along: float = 0.0
    taps: int = 0
    drags: int = 0
    keys: int = 0

    # --- the fit ---

    def choose(self, picture: bytes | None = None, name: str = "sheet.jpg", kind: str = "image/jpeg") -> None:
        """Choose a file as the photo of the map."""
        self.tap(self.page.get_by_role("button", name="Your printed map"))
        with self.page.expect_file_chooser() as chooser:
            self.tap(self.page.get_by_role("button", name=re.compile("Choose a photo|Another photo")))
        chooser.value.set_files(FilePayload(name=name, mimeType=kind, buffer=picture or self.photo.jpeg))

    def begin_fit(self) -> None:
        """Wait for the photo."""
        expect(self.page.locator(".photo-stage img")).to_be_visible()
        self.settle()

    def corners(self, margin: float = 90) -> list[str]:
        """Four hexes near the corners of the photo."""
        seen = {name: self.photo.shows(name) for name in self.photo.shows_whole(margin)}
        ways = ((-1, -1), (1, -1), (1, 1), (-1, 1))
        return [max(seen, key=lambda name: x * seen[name][0] + y * seen[name][1]) for x, y in ways]

    def name_hex(self, name: str, *, seen: Point | None = None, typed: str = "") -> None:
        """Tap a hex in the photo, and type its number."""
        self.begin_fit()
        self.click(self.in_photo(seen or self.photo.shows(name)))
        self.type(typed or name.replace(".", ""))
        with self.page.expect_response("**/respond"):
            self.press("Enter")
        self.settle()

    def in_photo(self, at: Point) -> Point:
        """The point of the screen where a pixel of the photo is."""
        box = self.page.locator(".photo-stage").bounding_box()
        k, left, top = self.page.locator(".photo-stage img").evaluate(
            "(image) => { const at = new DOMMatrix(getComputedStyle(image).transform); return [at.a, at.e, at.f]; }"
        )
        assert box
        return box["x"] + left + at[0] * k, box["y"] + top + at[1] * k

    def confirm(self) -> None:
        """Find the fit right wherever a hex is outlined."""
        question = self.page.locator(".photo-panel .photo-next")
        while self.page.locator(".board-fit").is_visible():
            before = question.inner_text()
            self.tap(self.page.get_by_role("button", name="Yes", exact=True))
            self.page.wait_for_function(
                "(before) => !document.querySelector('.photo-panel') || !document.querySelector('.board-fit').checkVisibility()"
                " || document.querySelector('.photo-panel .photo-next')?.innerText !== before",
                arg=before,
            )
            self.settle()

    def fit(self) -> None:
        """Fit the grid by four taps, and check it."""
        self.begin_fit()
        for name in self.corners():
            self.name_hex(name)
        self.confirm()
        expect(self.page.locator(".board-photo img")).to_have_count(1)
        self.settle()

    # --- the board ---

    def on_board(self, name: str) -> Point:
        """The point of the screen where the middle of a hex is, or that of a hexside."""
        ends = [self._place(at) for at in name.split("|")]
        box = self.page.locator(".board-stage").bounding_box()
        left, top, size = self.page.evaluate(
            "() => { const at = new DOMMatrix(getComputedStyle(document.querySelector('.board-plane')).transform);"
            " return [at.e, at.f, document.querySelector('.board-marks').getAttribute('width') / 1000]; }"
        )
        assert box
        x, y = (sum(values) / len(ends) for values in zip(*ends, strict=True))
        return box["x"] + left + x * size, box["y"] + top + y * size

    def _place(self, name: str) -> Point:
        board: Board = load_game(GAME).board(BOARD)
        return TiledHexes("", board, ()).centre_of(board.centre(name))

    def brush(self, name: str) -> None:
        """Choose a kind of fact, a word of it, or another brush."""
        self.tap(self.page.locator(".board-printed").get_by_role("button", name=name, exact=True))

    def paint(self, places: str | Sequence[str]) -> None:
        """A stroke over hexes or hexsides: a tap on one, a drag over several."""
        names = places.split() if isinstance(places, str) else places
        points = [self.on_board(name) for name in names]
        if len(points) == 1:
            self.click(points[0])
        else:
            self.drags += 1
            self.wait(self.pause)
            self.page.mouse.move(*points[0])
            self.page.mouse.down()
            for point in points[1:]:
                self.wait(self.along)
                self.page.mouse.move(*point, steps=3)
            self.page.mouse.up()
        self.settle()

    def paint_forty(self) -> None:
        """Forty hexes of six terrains, and ten hexsides."""
        for word, strokes in PATCHES.items():
            self.brush(word)
            for stroke in strokes:
                self.paint(stroke)
        self.brush("rivers and ridges")
        self.brush("minor river")
        for side in RIVER.split():
            self.paint([side])

    # --- fingers ---

    def tap(self, what: Locator) -> None:
        self.taps += 1
        self.wait(self.pause)
        what.click()
        self.settle()

    def click(self, point: Point) -> None:
        self.taps += 1
        self.wait(self.pause)
        self.page.mouse.click(*point)

    def type(self, text: str) -> None:
        for sign in text:
            self.press(sign)

    def press(self, key: str) -> None:
        self.keys += 1
        self.wait(self.pause / 3)
        self.page.keyboard.press(key)

    def wait(self, seconds: float) -> None:
        if seconds:
            self.page.wait_for_timeout(seconds * 1000)

    def settle(self) -> None:
        """Wait until what was sent has been answered."""
        self.page.wait_for_timeout(20)
        self.page.wait_for_selector("body[data-busy=no]")

    @property
    def gestures(self) -> int:
        """Taps and drags so far."""
        return self.taps + self.drags


def forty_hexes() -> Iterable[str]:
    """The hexes that are painted."""
    return [name for strokes in PATCHES.values() for stroke in strokes for name in stroke.split()]


def main(pause: float, folder: str = "") -> None:
    """Paint at the pace of a person, and say how long that took. folder: for the pictures of the handbook, "" for none."""
    from assistant.faces.page.tables import Tables

    from .browser import opened, started
    from .small_host import hosted

    tables = Tables(Path(tempfile.mkdtemp()))
    tables.begin("table", GAME, POSITION)

    def look(name: str) -> None:
        if folder:
            page.mouse.move(0, 0)
            page.wait_for_timeout(500)
            page.screenshot(path=f"{folder}/page-photo-{name}.png", animations="disabled")

    with started() as (browser, _), hosted(tables) as address:
        page = opened(browser.new_page(viewport={"width": 1120, "height": 720}), address)
        page.get_by_role("button", name="Map", exact=True).click()
        page.wait_for_selector('.board-stage[data-waits="0"]')
        player, begun = MapPainter(page, photograph(), pause, pause * 0.4), time.monotonic()
        player.choose()
        player.begin_fit()
        for name in player.corners():
            player.name_hex(name)
        look("fit")
        player.confirm()
        expect(page.locator(".board-photo img")).to_have_count(1)
        fitted, fit_taps, fit_keys = time.monotonic(), player.gestures, player.keys
        print(f"the grid fitted: {fit_taps} taps and {fit_keys} keys, {fitted - begun:.0f} s")
        player.paint_forty()
        print(
            f"forty hexes and ten hexsides painted: {player.gestures - fit_taps} taps and drags, "
            f"{time.monotonic() - fitted:.0f} s"
        )
        print(page.locator(".printed-count").inner_text())
        look("paint")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0, *sys.argv[2:])
