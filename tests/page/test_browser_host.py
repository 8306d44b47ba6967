"""The page that a static host has: its size, how a new version of it comes, and what a browser that is full is told."""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from .battles import GAME, KNOWN
from .browser import Visit, opened
from .hosting import hosted

KEPT = "async () => { await navigator.serviceWorker.ready; }"
"""Resolves once the browser keeps the page."""
WAITING = "async () => Boolean((await navigator.serviceWorker.getRegistration())?.waiting)"
STARTED = "body[data-ready=yes]"
SENT = """async (requests) => {
    globalThis.host ??= await (await import("./host.js")).connect();
    const responses = [];
    for (const request of requests)
        responses.push(await host.send(request).catch((error) => ({ is: "not stored", what: error.message })));
    return responses;
}"""

FULL = """() => {
    globalThis.put = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = () => { throw new DOMException("no room", "QuotaExceededError"); };
}"""
FREE = "() => { IDBObjectStore.prototype.put = globalThis.put; }"


def sent(page: Page, *requests: dict[str, str]) -> list[dict[str, object]]:
    """The responses to requests about a table."""
    responses: list[dict[str, object]] = page.evaluate(SENT, [{"table": "a", **request} for request in requests])
    return responses


@pytest.fixture
def copied(files: Path, tmp_path: Path) -> Path:
    """A folder of the page that may change."""
    return Path(shutil.copytree(files, tmp_path / "page"))


@pytest.fixture
def address(copied: Path) -> Iterator[str]:
    with hosted(copied) as address:
        yield address


def change(folder: Path, name: str, text: str, *, whole: bool = True) -> None:
    """Add text to a file, as a new version has it. whole: whether all of the new version has reached the host."""
    file, worker = folder / name, folder / "service-worker.js"
    old = hashlib.sha256(file.read_bytes()).hexdigest()
    new = hashlib.sha256(file.read_bytes() + text.encode()).hexdigest()
    if whole:
        file.write_bytes(file.read_bytes() + text.encode())
    kept = worker.read_text("utf-8").replace(old, new)
    worker.write_text(kept.replace('const VERSION = "', f'const VERSION = "{new[:4]}'), "utf-8")


def test_page_is_small_as_a_host_sends_it(files: Path) -> None:
    sizes = {
        str(file.relative_to(files)): len(gzip.compress(file.read_bytes()))
        for file in files.rglob("*")
        if file.is_file()
    }
    assert sum(sizes.values()) < 12_000_000
    shell = sum(size for name, size in sizes.items() if not name.startswith("program/"))
    assert shell < 195_000  # a twentieth is the typeface


def test_everything_is_compiled(files: Path) -> None:
    with tarfile.open(files / "program" / "program.tar.gz") as archive:
        names = archive.getnames()
    assert "assistant/faces/page/respond.pyc" in names
    assert [name for name in names if name.endswith(".py")] == []


def test_new_version_comes_with_the_next_visit(visit: Visit, copied: Path, address: str) -> None:
    page = visit.page(address)
    page.evaluate(KEPT)
    change(copied, "styles/page.css", "\n:root { --version: 2; }")
    version = "() => getComputedStyle(document.documentElement).getPropertyValue('--version')"
    opened(page, address)
    assert page.evaluate(version) == ""
    page.wait_for_function(WAITING)
    page.goto(address)
    page.wait_for_function(f"() => ({version})() === '2'", timeout=60_000)  # it is shown anew by itself
    page.wait_for_selector(STARTED, timeout=60_000)


def test_page_begins_though_the_browser_never_says_whether_it_keeps_it(visit: Visit, folder: str) -> None:
    page = visit.page(folder)
    page.evaluate(KEPT)
    page.add_init_script("ServiceWorkerContainer.prototype.register = () => new Promise(() => {})")
    opened(page, folder)


def test_new_version_waits_while_another_tab_shows_the_old_one(visit: Visit, copied: Path, address: str) -> None:
    first = visit.page(address)
    first.evaluate(KEPT)
    change(copied, "styles/page.css", "\n:root { --version: 2; }")
    other = opened(first.context.new_page(), address)
    other.wait_for_function(WAITING)
    opened(other, address)
    assert other.evaluate(WAITING)


def test_half_a_version_is_never_kept(visit: Visit, copied: Path, address: str) -> None:
    page = visit.page(address)
    page.evaluate(KEPT)
    kept = page.evaluate("async () => (await caches.keys()).filter((name) => name.startsWith('field-staff-page-'))")
    change(copied, "styles/page.css", "\n:root { --version: 2; }", whole=False)
    visit.expected.append("service-worker.js")
    page.evaluate("async () => { await (await navigator.serviceWorker.getRegistration()).update().catch(() => {}); }")
    page.wait_for_timeout(2000)
    assert not page.evaluate(WAITING)
    with_files = (
        """async (name) => Boolean(await (await caches.open(name)).match(new URL("kept-files.json", location)))"""
    )
    assert [name for name in kept if page.evaluate(with_files, name)] == kept
    opened(page, address)


def test_page_can_be_installed(visit: Visit, folder: str) -> None:
    page = visit.page(folder)
    page.evaluate(KEPT)
    session = page.context.new_cdp_session(page)
    manifest = session.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert json.loads(manifest["data"])["name"] == "Field Staff"
    assert session.send("Page.getInstallabilityErrors")["installabilityErrors"] in (
        [],
        [{"errorId": "in-incognito", "errorArguments": []}],
    )


def test_what_a_full_browser_could_not_store_has_not_happened(visit: Visit, folder: str) -> None:
    page = visit.page(folder)
    [begun] = sent(page, {"do": "begin", "game": GAME, "position": KNOWN})
    rules = page.workers[-1]
    rules.evaluate(FULL)
    tap = {"do": "enter", "line": "turn=2", "tap": "one"}
    [failed] = sent(page, tap)
    assert failed["is"] == "not stored"
    rules.evaluate(FREE)
    looked, entered, again = sent(page, {"do": "look"}, tap, tap)
    assert looked["entry"] == begun["entry"]
    assert entered["entry"] == again["entry"] != begun["entry"]
