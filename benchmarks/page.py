"""The table page in a browser, beside a bare Pyodide: `python -m benchmarks.page FOLDER`, with a page that `module-builder page` has made.

What the page's worker costs until the page is ready for taps and until the start table is drawn, at a first visit and at later ones,
as CPU time of its thread from the browser's trace; then how long a battle takes once the rules are warm, and the memory of the tab.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from playwright.sync_api import Browser, BrowserContext, Page

from assistant.util.console import echo
from benchmarks.measuring import TINY, Bench, Row, Sizes
from module_builder.page.command import read_parts
from tests.page.battles import BATTLES, GAME, KNOWN
from tests.page.browser import PARTS, Visit, started, why_not
from tests.page.hosting import asked_there, built, hosted, rules_alone
from tests.page.snapshots import wait_for_snapshot

BATTLES_MEASURED = 15
_MAX_VISITS = 5
"""The maximum number of visits of each kind of which the least is taken."""
_PATIENCE_MS = 120_000
_DRAWING_SECONDS = 0.3
"""The goal for what the worker computes after the page is ready until the board is drawn."""
_MAX_REQUESTS = 12
_BARE = {
    "index.html": '<!doctype html><title>Pyodide</title><link rel="icon" href="data:,"><body><script type="module" src="page.js"></script>',
    "page.js": 'new Worker("worker.js", { type: "module" }).onmessage = () => { document.body.dataset.ready = "yes"; };',
    "worker.js": """import { loadPyodide } from "./program/pyodide.mjs";

await loadPyodide({ indexURL: new URL("program/", location).href });
postMessage("ready");
""",
}
"""A page that starts Pyodide with its whole library and does nothing else."""
_NOTED = """() => {
    globalThis.requests = 0;
    const send = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message) {
        if (message.request && !globalThis.drawn) globalThis.requests += 1;
        return send.call(this, message);
    };
    const note = (name) => globalThis[name] || ((globalThis[name] = true), performance.mark(`page-${name}`));
    new MutationObserver(() => {
        if (document.body?.dataset.ready !== "yes") return;
        note("ready");
        const stage = document.querySelector(".board-stage");
        if (!stage || stage.dataset.waits === "0") note("drawn");
    }).observe(document, { subtree: true, attributes: true, childList: true });
}"""
"""Notes in the trace when the page is ready and when its board is drawn, and counts the requests until then."""


class Costs(NamedTuple):
    """What a visit costs the worker that runs the rules."""

    ready: float
    """CPU seconds until the page is ready for taps."""
    drawn: float
    """CPU seconds from then until the board is drawn."""
    requests: int
    """The number of requests until the board is drawn."""


def rows(bench: Bench) -> Iterator[Row]:
    """Yield the rows of the page, or none without a browser and the parts of the page."""
    if reason := why_not():
        bench.left_out["page"] = reason
        return
    with TemporaryDirectory() as folder:
        yield from measure(built(Path(folder)), bench.sizes)


def measure(folder: Path, sizes: Sizes) -> Iterator[Row]:
    """Yield the rows of the page in a folder."""
    first, bare_first, later, bare_later = _visit_in_turns(folder, min(sizes.runs, _MAX_VISITS))
    bare = "a bare Pyodide in the same run"
    job = "CPU time of the page's worker"
    ready, bare_ready = _least_ready(first), _least_ready(bare_first)
    yield Row(f"{job} until ready, first visit", bare, ready, bare_ready, 1.07)
    ready, bare_ready = _least_ready(later), _least_ready(bare_later)
    yield Row(f"{job} until ready, later visit", bare, ready, bare_ready, 0.45)
    drawn = min(costs.drawn for costs in later)
    yield Row(f"{job} from ready until drawn, later visit", "0.3 s", drawn, _DRAWING_SECONDS, 1)
    requests = max(costs.requests for costs in (*first, *later))
    yield Row("requests until the board is drawn", str(_MAX_REQUESTS), requests, _MAX_REQUESTS, 1, unit="requests")


def _visit_in_turns(folder: Path, count: int) -> tuple[list[Costs], list[Costs], list[Costs], list[Costs]]:
    """Return the costs of first visits to the page and to the bare Pyodide, and of later visits to both."""
    costs: tuple[list[Costs], list[Costs], list[Costs], list[Costs]] = ([], [], [], [])
    first, bare_first, later, bare_later = costs
    with ExitStack() as stack:
        bare = Path(stack.enter_context(TemporaryDirectory()))
        _write_bare(bare)
        page_address, bare_address = (stack.enter_context(hosted(each)) for each in (folder, bare))
        browser, _ = stack.enter_context(started())
        visit = Visit(browser)
        for _ in range(count):
            contexts = [visit.context("phone", origin=origin) for origin in (page_address, bare_address)]
            page = _open(browser, contexts[0], page_address, first)
            wait_for_snapshot(page)
            page.close()
            _open(browser, contexts[1], bare_address, bare_first).close()
            _open(browser, contexts[0], page_address, later).close()
            _open(browser, contexts[1], bare_address, bare_later).close()
            for context in contexts:
                context.close()
    return costs


def _write_bare(folder: Path) -> None:
    (folder / "program").mkdir()
    for name, text in _BARE.items():
        (folder / name).write_text(text, "utf-8")
    for name, data in read_parts(PARTS).interpreter.items():
        (folder / "program" / name).write_bytes(data)


def _open(browser: Browser, context: BrowserContext, address: str, costs: list[Costs]) -> Page:
    """Return the page in a new tab once its board is drawn, and add what that has cost."""
    page = context.new_page()
    page.add_init_script(f"({_NOTED})()")
    browser.start_tracing(page=page, categories=["toplevel", "blink.user_timing", "__metadata"])
    page.goto(address)
    page.wait_for_function("() => globalThis.drawn", timeout=_PATIENCE_MS)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    ready, drawn = (next(event for event in events if event["name"] == f"page-{name}") for name in ("ready", "drawn"))
    clocks = [_clock_of(thread, events) for thread in _find_workers(events, ready["pid"])]
    in_all, until_ready = max([_cpu_seconds(clock, mark["ts"]) for mark in (drawn, ready)] for clock in clocks)
    costs.append(Costs(until_ready, in_all - until_ready, page.evaluate("globalThis.requests")))
    return page


def _find_workers(events: Sequence[Any], process: int) -> list[int]:
    named = [event for event in events if event["name"] == "thread_name" and event["pid"] == process]
    return [event["tid"] for event in named if "DedicatedWorker" in event["args"]["name"]]


def _clock_of(thread: int, events: Sequence[Any]) -> list[tuple[float, float]]:
    """Return the trace's times at which a thread began or ended something, each with the thread's CPU time until then.

    Tasks alone do not add up to it: a long continuation of a promise is in none of them.
    """
    own = [event for event in events if event["tid"] == thread and "tts" in event]
    begun = [(event["ts"], event["tts"]) for event in own]
    return sorted(
        [*begun, *((event["ts"] + event["dur"], event["tts"] + event["tdur"]) for event in own if "tdur" in event)]
    )


def _cpu_seconds(clock: Sequence[tuple[float, float]], at: float) -> float:
    """Return the CPU time of a thread until a time of the trace, in proportion between the two times around it."""
    before = max((noted for noted in clock if noted[0] <= at), default=(0.0, 0.0))
    after = min((noted for noted in clock if noted[0] > at), default=before)
    share = (at - before[0]) / (after[0] - before[0]) if after[0] > before[0] else 0.0
    return (before[1] + share * (after[1] - before[1])) / 1e6


def _least_ready(visits: Sequence[Costs]) -> float:
    return min(costs.ready for costs in visits)


def measure_warm(folder: Path) -> Iterator[tuple[str, float, str]]:
    """Yield what is measured of warm rules, the figure and its unit."""
    with hosted(folder) as address, started() as (browser, _):
        visit = Visit(browser)
        page = rules_alone(visit, visit.context("phone", origin=address), address)
        begin = {"do": "begin", "table": "bench", "game": GAME, "position": KNOWN}
        asked_there(page, [json.dumps(begin)])
        times = []
        for number in range(BATTLES_MEASURED):
            line = BATTLES["the rulebook's example"].lines[0].replace("-3", f"-{number % 3 + 1}")
            request = json.dumps({"do": "enter", "table": "bench", "line": line, "tap": str(number)})
            since = time.perf_counter()
            asked_there(page, [request])
            times.append(time.perf_counter() - since)
        yield "a battle, once warm", statistics.median(times[2:]), "s"
        yield "memory of the tab with its rules", _memory(browser), "MiB"


def _memory(browser: Browser) -> float:
    """What the largest process of the tabs takes of the machine's memory, in MiB; only Linux says it."""
    processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    rollups = [Path(f"/proc/{one['id']}/smaps_rollup") for one in processes if one["type"] == "renderer"]
    shares = [line for file in rollups for line in file.read_text("ascii").splitlines() if line.startswith("Pss:")]
    return max(int(line.split()[1]) for line in shares) / 1024


def main() -> None:
    """Print the ratios with their goals, then what is measured of warm rules."""
    folder = Path(sys.argv[1])
    for row in measure(folder, TINY if "--once" in sys.argv else Sizes()):
        scale, unit = (1000, "ms") if row.unit == "ms" else (1, row.unit)
        sizes = f"{scale * row.ours:.0f} : {scale * (row.theirs or 0):.0f} {unit}"
        echo(f"{row.job}, by {row.against}: {row.ratio:.2f}, goal at most {row.goal} ({sizes})")
    for what, figure, unit in measure_warm(folder):
        echo(f"{what}: {figure:.2f} {unit}")


if __name__ == "__main__":
    main()
