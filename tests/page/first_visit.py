"""How long a first visit takes: `python -m tests.page.first_visit [FOLDER ...]`, each a page as `module-builder page` writes it.

From an empty browser, by turns for each folder, the least of several tries: until the page is ready; and until a save that is
then dropped is answered. The processor is slowed by stopping the browser's processes for most of the time, its workers with them,
which the browser's own throttle leaves as fast as they are.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import threading
import time
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from assistant import link, read

from .browser import SCREENS, started
from .hosting import build, hosted

SAVE = Path(__file__).parents[2] / "plugins" / "twilight_in_the_east" / "examples" / "comprehensive-example.vsav"
ANSWER = "1:1, Large"
SLOWER = 4
"""How many times slower the processor is."""
_PATIENCE = 120_000
"""Milliseconds that a step may take."""
_TRIES = 3
_SLICE = 0.005
"""How long the browser runs in one piece, in seconds."""
_DROP = """([name, data]) => {
    const dropped = new DataTransfer();
    dropped.items.add(new File([Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))], name));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: dropped, bubbles: true, cancelable: true }));
}"""


def drop(page: Page, name: str, data: bytes) -> None:
    """Drop a file on the page."""
    page.evaluate(_DROP, [name, b64encode(data).decode()])


def answer_save(page: Page) -> int:
    """Drop a save on a page that is there, and tap until it is answered. Returns how many taps that takes, the drop among them."""
    drop(page, SAVE.name, SAVE.read_bytes())
    page.get_by_role("dialog").get_by_role("button", name="Continue as a table").click()
    expect(page.locator("#line")).to_contain_text(ANSWER, timeout=_PATIENCE)
    return 2


def _renderers(group: int) -> Iterator[int]:
    """The processes of a group that show pages: a page that is opened may have a new one."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with suppress(OSError):
                if os.getpgid(int(entry.name)) == group and b"--type=renderer" in (entry / "cmdline").read_bytes():
                    yield int(entry.name)


@contextmanager
def _slowed(browser: Browser) -> Iterator[None]:
    """Slow the browser's renderers while the block runs."""
    over = threading.Event()
    about = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    group = os.getpgid(next(int(one["id"]) for one in about if one["type"] == "browser"))

    def signal_all(what: int) -> None:
        for number in _renderers(group):
            with suppress(ProcessLookupError):
                os.kill(number, what)

    def slow() -> None:
        runs_since = time.perf_counter()
        while not over.is_set():
            time.sleep(_SLICE)
            signal_all(signal.SIGSTOP)
            time.sleep((SLOWER - 1) * (time.perf_counter() - runs_since))
            signal_all(signal.SIGCONT)
            runs_since = time.perf_counter()

    thread = threading.Thread(target=slow, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        signal_all(signal.SIGCONT)


def _spent(browser: Browser) -> float:
    """The seconds that processors have spent for pages, however busy the machine is."""
    about = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    return sum(float(one["cpuTime"]) for one in about if one["type"] == "renderer")


def visit(folder: Path, *, by_link: bool, slower: bool) -> dict[str, float]:
    """The seconds of one first visit: until the page is ready, and until its first answer. by_link: whether the address is a link with a
    battle, instead of a save that is dropped; slower: whether the processor is slowed.
    """
    size, seconds = SCREENS["phone"], dict[str, float]()
    with hosted(folder) as address, started() as (browser, _):
        page = browser.new_context(viewport={"width": size.width, "height": size.height}).new_page()
        page.set_default_timeout(_PATIENCE)
        with _slowed(browser) if slower else nullcontext():
            begun = time.perf_counter()
            page.goto(address + (link(read(SAVE)).fragment if by_link else ""))
            page.wait_for_selector("body[data-ready=yes]")
            seconds["ready"] = time.perf_counter() - begun
            seconds["ready, of a processor"] = _spent(browser)
            if by_link:
                expect(page.locator("#line")).to_contain_text(ANSWER, timeout=_PATIENCE)
            else:
                answer_save(page)
            seconds["answered"] = time.perf_counter() - begun
            seconds["answered, of a processor"] = _spent(browser)
    return seconds


def main() -> None:
    """Print the least seconds for each folder."""
    named = [Path(word) for word in sys.argv[1:]]
    with tempfile.TemporaryDirectory() as built:
        folders = named or [Path(built, "page")]
        if not named:
            build(folders[0])
        for by_link, slower in ((True, False), (True, True), (False, True)):
            print(
                "a link with a battle" if by_link else "a save that is dropped",
                f"processor {SLOWER if slower else 1} times slower",
            )
            visits: dict[Path, list[dict[str, float]]] = {folder: [] for folder in folders}
            for _ in range(_TRIES):
                for folder in folders:
                    visits[folder].append(visit(folder, by_link=by_link, slower=slower))
            for folder, taken in visits.items():
                print(
                    f"  {folder}:",
                    ", ".join(f"{name} {min(one[name] for one in taken):.1f} s" for name in taken[0]),
                    flush=True,
                )


if __name__ == "__main__":
    main()
