"""The board is drawn with few requests, and a browser that runs the rules keeps its tiles from visit to visit."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import BrowserContext, Page

from .battles import GAME
from .browser import Visit, opened
from .hosting import asked_there, rules_alone

MAX_REQUESTS = 12
NOTED = """() => {
    globalThis.noted = [];
    const send = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message) {
        if (message.request) noted.push(JSON.parse(message.request).do);
        return send.call(this, message);
    };
}"""
GROUNDS = "() => document.querySelectorAll('.board-grounds img').length"
STORE = """async ([kind, count]) => {
    const { tileStore } = await import("./board/kept_tiles.js");
    const { find, keep } = tileStore({ host: { kind }, words: { mark: "mark" } });
    for (let number = 0; number < count; number += 1) await keep({ is: "tile", key: String(number), ground: "", names: "" });
    const keys = await Promise.all(Array.from({ length: count }, (_, number) => find(String(number))));
    return [keys.map((tile) => tile?.key ?? ""), await tileStore({ host: { kind }, words: { mark: "other" } }).find(String(count - 1))];
}"""


def draw(context: BrowserContext, address: str) -> tuple[list[str], int]:
    """Return the kinds of the requests until the board of the start table is drawn, and the number of its tiles."""
    page = context.new_page()
    page.add_init_script(f"({NOTED})()")
    opened(page, address)
    page.locator(".board-stage[data-waits='0']").wait_for()
    kinds: list[str] = page.evaluate("noted")
    tiles: int = page.evaluate(GROUNDS)
    page.close()
    return kinds, tiles


def test_board_is_drawn_with_few_requests_and_known_tiles_are_not_drawn_again(visit: Visit, folder: str) -> None:
    context = visit.context("phone", origin=folder)
    first, tiles = draw(context, folder)
    assert first.count("tile") == tiles > 0
    assert (first.count("board"), first.count("stacks")) == (1, 1)
    assert len(first) <= MAX_REQUESTS
    again, tiles_again = draw(context, folder)
    assert (again.count("tile"), tiles_again) == (0, tiles)
    page = rules_alone(visit, context, folder)
    begin = {"do": "begin", "table": "own", "game": GAME}
    printed = {"do": "printed", "table": "own", "unit": "25/3", "values": {"steps": "10"}}
    _, form = map(json.loads, asked_there(page, [json.dumps(request) for request in (begin, printed)]))
    assert form["is"] == "form"
    page.close()
    packed, tiles_packed = draw(context, folder)
    assert packed.count("tile") == tiles_packed == tiles, "they may look different with another pack"


def store(page: Page, kind: str, count: int) -> tuple[list[str], Any]:
    found, of_another_mark = page.evaluate(STORE, [kind, count])
    return found, of_another_mark


def test_only_the_last_tiles_are_kept_and_only_where_the_rules_run_in_the_browser(visit: Visit, folder: str) -> None:
    page = rules_alone(visit, visit.context(origin=folder), folder)
    found, of_another_mark = store(page, "laptop", 3)
    assert (found, of_another_mark) == (["", "", ""], None)
    found, of_another_mark = store(page, "browser", 125)
    assert found == [*[""] * 5, *map(str, range(5, 125))]
    assert of_another_mark is None
