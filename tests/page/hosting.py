"""The page as a folder on a static host, as `module-builder page` writes it: built once for all tests of a run."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from filelock import FileLock
from playwright.sync_api import BrowserContext, Page

from .browser import PARTS, Visit

ROOT = Path(__file__).parents[2]
_CACHE = ROOT / "build" / "cache"
"""Where the modules that are compiled for the page are kept from run to run."""
_PART = 65_536
SECONDS = 300
"""How long the folder may take to be written."""


class _Handler(SimpleHTTPRequestHandler):
    """A static host that knows the kinds of files, and nothing else of the page."""

    protocol_version = "HTTP/1.1"
    rate = 0
    extensions_map = {
        **SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
        ".webmanifest": "application/manifest+json",
    }

    def copyfile(self, source: Any, outputfile: Any) -> None:
        """Send a file, a large one no faster than the host does, until the browser has had enough of it."""
        with suppress(ConnectionError):
            while part := source.read(_PART):
                outputfile.write(part)
                if self.rate and len(part) == _PART:
                    time.sleep(_PART / self.rate)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def built(shared: Path) -> Path:
    """The folder of the page with all games that are installed, built by the first process that asks for it; another one if
    FIELD_STAFF_PAGE names it.
    """
    if written := os.environ.get("FIELD_STAFF_PAGE"):
        return Path(written)
    folder = shared / "page"
    with FileLock(f"{folder}.lock"):
        if not folder.exists():
            build(folder)
    return folder


def build(folder: Path, *games: str) -> None:
    """Write the page. games: folders of games that go in; those that are installed if there is none."""
    command = [sys.executable, "-m", "module_builder", "page", "--parts", str(PARTS), "-o", str(folder)]
    command += [word for game in games for word in ("--game", game)]
    environment = os.environ | {"FIELD_STAFF_CACHE": str(_CACHE)}
    subprocess.run(command, check=True, timeout=SECONDS, capture_output=True, env=environment)


_ASK = """async (requests) => {
    const worker = globalThis.asked ??= new Worker("worker.js", { type: "module" });
    const responses = [];
    await new Promise((done, failed) => {
        worker.onmessage = ({ data }) => {
            if (data.error) failed(new Error(data.error));
            if ("id" in data && responses.push(data.response) === requests.length) done();
        };
        requests.forEach((request, id) => worker.postMessage({ id, request }));
    });
    return responses;
}"""


def rules_alone(visit: Visit, context: BrowserContext, folder: str) -> Page:
    """A tab of the page in which nothing is drawn: its rules are asked by `asked_there` alone."""
    visit.expected.append("favicon.ico")  # the browser wants one where there is no page that names another
    page = context.new_page()
    page.goto(f"{folder}icon.svg")
    return page


def asked_there(page: Page, requests: Sequence[str]) -> list[str]:
    """The responses to requests, both JSON, of a worker with the rules that the tab begins for them."""
    responses: list[str] = page.evaluate(_ASK, [*requests])
    return responses


@contextmanager
def hosted(folder: Path, rate: int = 0) -> Iterator[str]:
    """A static host of a folder on loopback; its address. rate: how many bytes of a file it sends a second, 0 for as many as it can."""
    handler = type("Bound", (_Handler,), {"rate": rate})
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(handler, directory=str(folder))) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()
