"""The table page in a browser: `python -m benchmarks.page FOLDER`, with a page that `module-builder page` has made.

How long it takes until the page is ready for taps, at first and from what the browser has kept, how long a battle takes
once the rules are warm, and how much memory they take; seconds are those that a reader waits, not the processor's.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext

from assistant.util.console import echo
from tests.page.battles import BATTLES, GAME, KNOWN
from tests.page.browser import Visit, opened, started
from tests.page.hosting import asked_there, hosted, rules_alone

RUNS = 15
KEPT = "async () => { await navigator.serviceWorker.ready; }"


def measured(folder: Path) -> Iterator[tuple[str, float, str]]:
    """What was measured, the figure and its unit."""
    with hosted(folder) as address, started() as (browser, _):
        visit = Visit(browser)
        context = visit.context("phone", origin=address)
        yield "ready for taps, first visit", _ready(context, address), "s"
        context.pages[0].evaluate(KEPT)
        yield "ready for taps, kept", statistics.median(_ready(context, address) for _ in range(3)), "s"
        page = rules_alone(visit, context, address)
        begin = {"do": "begin", "table": "bench", "game": GAME, "position": KNOWN}
        asked_there(page, [json.dumps(begin)])
        times = []
        for number in range(RUNS):
            line = BATTLES["the rulebook's example"].lines[0].replace("-3", f"-{number % 3 + 1}")
            request = json.dumps({"do": "enter", "table": "bench", "line": line, "tap": str(number)})
            since = time.perf_counter()
            asked_there(page, [request])
            times.append(time.perf_counter() - since)
        yield "a battle, once warm", statistics.median(times[2:]), "s"
        page.close()
        for tab in context.pages[1:]:
            tab.close()
        yield "memory of the tab with its rules", _memory(browser), "MiB"


def _ready(context: BrowserContext, address: str) -> float:
    """How long a new tab takes until it is ready for taps."""
    since = time.perf_counter()
    opened(context.new_page(), address)
    return time.perf_counter() - since


def _memory(browser: Browser) -> float:
    """What the largest process of the tabs takes of the machine's memory, in MiB; only Linux says it."""
    processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    rollups = [Path(f"/proc/{one['id']}/smaps_rollup") for one in processes if one["type"] == "renderer"]
    shares = [line for file in rollups for line in file.read_text("ascii").splitlines() if line.startswith("Pss:")]
    return max(int(line.split()[1]) for line in shares) / 1024


if __name__ == "__main__":
    for what, figure, unit in measured(Path(sys.argv[1])):
        echo(f"{what}: {figure:.2f} {unit}")
