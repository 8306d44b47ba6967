"""Visits that start from a snapshot of Python's memory: how one comes about, and what the browser has stored of it."""

from __future__ import annotations

import hashlib
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Page

from .browser import Visit

PATIENCE_SECONDS = 120
"""How long the page may take to make a snapshot once it is idle."""
_CACHE = "const cache = await caches.open(`field-staff-snapshot-${new URL('.', location).pathname}`);"
_STORED = f"""async () => {{
    {_CACHE}
    return Promise.all((await cache.keys()).map(async ({{ url }}) => [url, (await cache.match(url)).headers.has("X-Sum")]));
}}"""
_STARTED = """() => new Promise((resolve, reject) => {
    const worker = (globalThis.asked = new Worker("worker.js", { type: "module" }));
    worker.onmessage = ({ data }) => {
        if (data.started) resolve(data.isFromSnapshot);
        if (data.error) reject(new Error(data.error));
    };
})"""
_REPLACE = f"""async ([change, argument]) => {{
    {_CACHE}
    const [{{ url }}] = await cache.keys();
    const bytes = new Uint8Array(await (await cache.match(url)).arrayBuffer());
    const sumOf = async (data) => [...new Uint8Array(await crypto.subtle.digest("SHA-256", data))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    const sum = await sumOf(bytes);
    const changes = {{
        damage: async () => ((bytes[bytes.length >> 1] ^= 255), [url, sum, bytes]),
        spoil: async () => (bytes.fill(0, 16, 48), [url, await sumOf(bytes), bytes]),
        rename: async () => [url.replace(...argument), sum, bytes],
    }};
    const [address, said, content] = await changes[change]();
    await cache.delete(url);
    await cache.put(address, new Response(content, {{ headers: {{ "X-Sum": said }} }}));
}}"""
_HOLDS = f"""async (words) => {{
    {_CACHE}
    const [{{ url }}] = await cache.keys();
    const text = new TextDecoder("latin1").decode(await (await cache.match(url)).arrayBuffer());
    const written = (word) => ["", "\\0", "\\0\\0\\0"].map((between) => [...word].join(between));
    return words.filter((word) => written(word).some((one) => text.includes(one)));
}}"""


def list_stored(page: Page) -> list[tuple[str, bool]]:
    """Return the address of each stored snapshot, and whether it is one: a version without a fit one is noted too."""
    stored: list[Any] = page.evaluate(_STORED)
    return [(url, fit) for url, fit in stored]


def wait_for_snapshot(page: Page) -> tuple[str, bool]:
    """Wait until a page that is ready and left alone has decided on a snapshot; return what is stored of it."""
    until = time.monotonic() + PATIENCE_SECONDS
    while not (stored := list_stored(page)):
        assert time.monotonic() < until, "no snapshot has been made"
        page.wait_for_timeout(500)
    [only] = stored
    return only


def wait_until_tried(page: Page) -> None:
    """Wait until the worker that makes a snapshot has begun and ended."""
    until = time.monotonic() + PATIENCE_SECONDS
    for is_there in (True, False):
        while any("snapshot" in worker.url for worker in page.workers) != is_there:
            assert time.monotonic() < until, "no snapshot has been tried"
            page.wait_for_timeout(20)


def make_snapshot(visit: Visit, address: str) -> BrowserContext:
    """Return a reader's browser that has a snapshot from an earlier visit."""
    page = visit.page(address)
    _, fit = wait_for_snapshot(page)
    assert fit
    page.close()
    return page.context


def starts_from_snapshot(page: Page) -> bool:
    """Start the rules in a tab in which nothing is drawn, and return whether they came from a snapshot."""
    return bool(page.evaluate(_STARTED))


def change_snapshot(page: Page, change: str, *argument: str) -> None:
    """Damage the stored snapshot, spoil it so that only Pyodide can see it, or `rename` a part of its address."""
    page.evaluate(_REPLACE, [change, [*argument]])


def find_words(page: Page, *words: str) -> list[str]:
    """Return those words that the stored snapshot contains, in any form in which Python has text in memory."""
    found: list[str] = page.evaluate(_HOLDS, [*words])
    return found


def change_file(folder: Path, name: str, old: str, new: str) -> None:
    """Change a file of a page, and its checksum where the page keeps it."""
    file, worker = folder / name, folder / "service-worker.js"
    before = file.read_bytes()
    after = before.replace(old.encode(), new.encode()) if old else new.encode() + before
    assert after != before
    file.write_bytes(after)
    sums = [hashlib.sha256(data).hexdigest() for data in (before, after)]
    text = worker.read_text("utf-8")
    assert sums[0] in text
    worker.write_text(text.replace(*sums), "utf-8")
