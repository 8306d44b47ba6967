"""The page in a browser, for tests that ask for it; where something is missing they are skipped, or fail if it is required.

Any request to elsewhere, any error on the console (what the content security policy forbids is one) and any error that
nobody caught fails the test.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from ..cases import thorough
from . import browser as real_browser
from .browser import Elsewhere, Visit


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave them to the thorough run, or skip with a mark: pytest sums such tests up in one line a file."""
    reason = "" if real_browser.REQUIRED else real_browser.why_not()
    for item in items:
        if {"chromium", "parts"} & set(getattr(item, "fixturenames", ())):
            item.add_marker(thorough)
            if reason:
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="module")
def chromium() -> Iterator[tuple[Browser, Elsewhere]]:
    """The browser, started once for the tests of a module: while it runs, no other test may begin an event loop."""
    if reason := real_browser.why_not():
        pytest.fail(reason, pytrace=False)
    with real_browser.started() as started:
        yield started


@pytest.fixture
def visit(chromium: tuple[Browser, Elsewhere]) -> Iterator[Visit]:
    """Readers who look at the page; nothing may go wrong while they do."""
    browser, elsewhere = chromium
    elsewhere.asked.clear()
    visit = Visit(browser)
    yield visit
    visit.close()
    assert visit.wrong() == []
    assert elsewhere.asked == [], "asked for elsewhere"
