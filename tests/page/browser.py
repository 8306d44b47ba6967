"""A real browser for the tests of the page: the distribution's Chromium, whose every request is noted.

It reaches nothing but loopback: whatever it wants from elsewhere goes to a proxy of ours, which notes it and hangs up.
"""

from __future__ import annotations

import functools
import os
import shutil
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

HERE = Path(__file__).parent
REQUIRED = os.environ.get("FIELD_STAFF_BROWSER", "") == "required"
"""Whether the tests fail without a browser; else they are skipped."""
PARTS = HERE.parents[1] / ".venv" / "page-parts"
PACKAGES = HERE.parent / "debian-packages.txt"
PATIENCE = 20_000
"""Milliseconds that a test waits for what is to be seen: other tests run beside it."""
expect.set_options(timeout=PATIENCE)
ITS_OWN = (
    "accounts.google.com",
    "android.clients.google.com",
    "content-autofill.googleapis.com",
    "update.googleapis.com",
    "optimizationguide-pa.googleapis.com",
)
"""What the browser itself asks for, whatever page it shows; pages may not, and it gets no answer."""


@dataclass(frozen=True)
class Screen:
    """The size of a screen in CSS pixels, and whether it is touched."""

    width: int
    height: int
    touched: bool = True


SCREENS = {"phone": Screen(390, 844), "tablet": Screen(820, 1180), "desktop": Screen(1280, 800, touched=False)}


@functools.cache
def program() -> str | None:
    """The path of the browser."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


@functools.cache
def why_not() -> str:
    """What is missing to show the page in a browser and how to get it, in one line; empty if it can be shown."""
    hints = []
    if not program():
        hints.append(
            f"chromium: apt-get install --no-install-recommends $(cat {PACKAGES.relative_to(HERE.parents[1])})"
        )
    if not (PARTS / "fetched").exists():
        hints.append("what the page needs in it: make page-parts")
    return f"the page's tests lack {'; and '.join(hints)}" if hints else ""


@dataclass
class Elsewhere:
    """A proxy that notes who is asked for, and answers nothing."""

    asked: list[str] = field(default_factory=list)
    port: int = 0

    @contextmanager
    def open(self) -> Iterator[None]:
        """Listen while the block runs."""
        with socket.create_server(("127.0.0.1", 0)) as server:
            self.port = server.getsockname()[1]
            threading.Thread(target=self._listen, args=(server,), daemon=True).start()
            yield

    def _listen(self, server: socket.socket) -> None:
        while True:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            with connection:
                connection.settimeout(1)
                try:
                    wanted = connection.recv(2000).split(b"\r\n")[0].decode("latin-1").split(" ")[1]
                except (OSError, IndexError):
                    continue
                host = urlsplit(wanted if "//" in wanted else f"//{wanted}").hostname
                if host not in ITS_OWN:
                    self.asked.append(wanted)


@contextmanager
def started() -> Iterator[tuple[Browser, Elsewhere]]:
    """The browser, and who is asked for elsewhere."""
    elsewhere = Elsewhere()
    with elsewhere.open(), sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program(),
            args=[
                *(["--no-sandbox"] if os.geteuid() == 0 else []),
                f"--proxy-server=127.0.0.1:{elsewhere.port}",
                "--proxy-bypass-list=127.0.0.1",
                "--disable-quic",
                "--force-color-profile=srgb",
            ],
        )
        try:
            yield browser, elsewhere
        finally:
            browser.close()


@dataclass
class Visit:
    """Pages that are open in one test, and what went wrong in them.

    expected: what the test provokes: a fault that has one of these texts in it is none
    """

    browser: Browser
    expected: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    contexts: list[BrowserContext] = field(default_factory=list)

    def context(self, screen: str = "desktop", *, origin: str, **options: Any) -> BrowserContext:
        """A reader's browser, with a storage of its own; he is at one origin and stays there. options: Playwright's."""
        size = SCREENS[screen]
        context = self.browser.new_context(
            viewport={"width": size.width, "height": size.height},
            has_touch=size.touched,
            is_mobile=screen == "phone",
            **options,
        )
        context.set_default_timeout(PATIENCE)
        context.on("request", lambda request: self._left(request.url, origin))
        context.on("console", self._said)
        context.on("weberror", lambda wrong: self.faults.append(f"error: {wrong.error}"))
        self.contexts.append(context)
        return context

    def page(self, address: str, screen: str = "desktop", **options: Any) -> Page:
        """The page at an address, once it is ready for taps."""
        page = self.context(screen, origin=address, **options).new_page()
        return opened(page, address)

    def close(self) -> None:
        """Close all pages; then `faults` is complete."""
        for context in self.contexts:
            context.close()

    def _left(self, url: str, origin: str) -> None:
        if url.startswith(("data:", "blob:", "about:")):
            return
        if urlsplit(url)[:2] != urlsplit(origin)[:2]:
            self.faults.append(f"a request to elsewhere: {url}")

    def _said(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.faults.append(f"{message.type} on the console: {message.text} ({message.location.get('url', '')})")

    def wrong(self) -> list[str]:
        """What went wrong and was not expected."""
        return [fault for fault in self.faults if not any(text in fault for text in self.expected)]


@pytest.fixture(scope="module")
def chromium() -> Iterator[tuple[Browser, Elsewhere]]:
    """The browser, started once for the tests of a module: while it runs, no other test may begin an event loop."""
    if reason := why_not():
        pytest.fail(reason, pytrace=False)
    with started() as browser:
        yield browser


@contextmanager
def visits(chromium: tuple[Browser, Elsewhere]) -> Iterator[Visit]:
    """Readers who look at pages; nothing may go wrong while they do."""
    browser, elsewhere = chromium
    elsewhere.asked.clear()
    visit = Visit(browser)
    yield visit
    visit.close()
    assert visit.wrong() == [], visit.wrong()
    assert elsewhere.asked == [], "asked for elsewhere"


def opened(page: Page, address: str, *, timeout: float = 60_000) -> Page:
    """Go there, and wait until the page says that it is ready."""
    page.goto(address)
    page.wait_for_selector("body[data-ready=yes]", timeout=timeout)
    return page
