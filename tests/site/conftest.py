"""The site for tests that ask for it, in a browser too; where something is missing they are skipped, or fail if a browser is required.

What a reader opens may ask no other host for anything, and may say no error on its console.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from ..cases import thorough
from ..page import browser as real_browser
from ..page.browser import Elsewhere, Visit, chromium, visits
from ..page.hosting import hosted
from . import building

__all__ = ["chromium"]
IN_BROWSER, BUILT = "chromium", "sphinx"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave them to the thorough run, or skip with a mark."""
    for item in items:
        names = {*getattr(item, "fixturenames", ())}
        lacking = [building.why_not() if BUILT in names else "", real_browser.why_not() if IN_BROWSER in names else ""]
        if BUILT in names:
            item.add_marker(thorough)
        if any(lacking) and not real_browser.REQUIRED:
            item.add_marker(pytest.mark.skip(reason=next(filter(None, lacking))))


@pytest.fixture(scope="session")
def sphinx() -> None:
    """What builds the site."""
    if reason := building.why_not():
        pytest.fail(reason, pytrace=False)


@pytest.fixture(scope="session")
def site(sphinx: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site, which all processes of a run share."""
    base = tmp_path_factory.getbasetemp()
    return building.find_site(base.parent if "PYTEST_XDIST_WORKER" in os.environ else base)


@pytest.fixture(scope="session")
def address(site: Path) -> Iterator[str]:
    """The address of the site on a static host."""
    with hosted(site) as address:
        yield address


@pytest.fixture
def visit(chromium: tuple[Browser, Elsewhere]) -> Iterator[Visit]:
    """Readers of the site; nothing may go wrong while they read."""
    with visits(chromium) as visit:
        yield visit
