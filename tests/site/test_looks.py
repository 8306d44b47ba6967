"""The site on a screen: light and dark with contrast to read by, no wider than a phone, pictures that fit and open whole."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from ..page.browser import Visit
from ..page.looking import barriers, scrolls_sideways
from .building import pages_of

PHONE: ViewportSize = {"width": 360, "height": 780}
PAGES = {
    "home": "docs/index.html",
    "session": "docs/table/prompt.html",
    "game": "docs/games/twilight-in-the-east/reference.html",
    "rules": "docs/games/twilight-in-the-east/rules.html",
    "commands": "docs/reference/every-command.html",
    "library": "docs/reference/library.html",
    "walk": "docs/maintaining/house.html",
}
"""A page of each kind."""
PARTS = 4
"""How many tests share all pages."""
BACKGROUND = "getComputedStyle(document.body).backgroundColor"


def ground(page: Page) -> float:
    """How light the page is, from 0 to 255."""
    colour = page.evaluate(BACKGROUND)
    return sum(float(part) for part in colour[colour.index("(") + 1 : -1].split(",")[:3]) / 3


def test_reader_switches_to_dark_and_it_stays(visit: Visit, address: str) -> None:
    page = visit.context(origin=address, color_scheme="light").new_page()
    page.goto(f"{address}docs/index.html")
    assert ground(page) > 200
    switch = page.locator(".theme-toggle:visible")
    for _ in range(3):  # automatic, light, dark
        if ground(page) > 100:
            switch.click()
    assert ground(page) < 60
    page.goto(f"{address}docs/table/index.html")
    assert ground(page) < 60


def test_who_prefers_dark_gets_it(visit: Visit, address: str) -> None:
    page = visit.context(origin=address, color_scheme="dark").new_page()
    page.goto(f"{address}docs/index.html")
    assert ground(page) < 60


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", PAGES)
def test_text_has_contrast_to_read_by(visit: Visit, address: str, kind: str, scheme: str) -> None:
    page = visit.context(origin=address, color_scheme=scheme).new_page()
    page.goto(address + PAGES[kind])
    assert barriers(page, only=["color-contrast"]) == []


@pytest.mark.parametrize("part", range(PARTS))
def test_no_page_is_wider_than_a_phone(visit: Visit, site: Path, address: str, part: int) -> None:
    page = visit.context(origin=address).new_page()
    page.set_viewport_size(PHONE)
    wide = []
    for file in pages_of(site)[part::PARTS]:
        if file == site / "index.html":
            continue  # it leads on to the first page at once
        page.goto(address + file.relative_to(site).as_posix())
        if scrolls_sideways(page):
            wide.append(file.relative_to(site).as_posix())
    assert wide == []


def test_long_line_of_a_session_scrolls_within_its_box(visit: Visit, address: str) -> None:
    page = visit.context(origin=address).new_page()
    page.set_viewport_size(PHONE)
    page.goto(address + PAGES["session"])
    assert page.evaluate(
        "[...document.querySelectorAll('.highlight pre')].some(box => box.scrollWidth > box.clientWidth)"
    )


@pytest.mark.parametrize(("screen", "least"), [(None, 640), (PHONE, 640)], ids=["desk", "phone"])
def test_pictures_are_as_wide_as_the_text_and_open_whole(
    visit: Visit, site: Path, address: str, screen: ViewportSize | None, least: int
) -> None:
    page = visit.context(origin=address).new_page()
    if screen:
        page.set_viewport_size(screen)
    small = "[...document.querySelectorAll('article p > a.enlarged img')].filter((image) => image.complete && image.width < Math.min(image.naturalWidth, LEAST)).map((image) => image.src)"
    for name in ("printing/counters", "games/twilight-in-the-east/supply", "games/twilight-in-the-east/after-battle"):
        page.goto(f"{address}docs/{name}.html", wait_until="load")
        assert page.evaluate(small.replace("LEAST", str(least))) == []
        assert page.locator("article p > a.enlarged img").count()
    page.goto(f"{address}docs/printing/counters.html")
    picture = page.locator("article img").first
    visit.expected.append("favicon.ico")  # the browser wants one beside a picture alone
    picture.click()
    expect(page).to_have_url(f"{address}_images/counters.png")


def test_page_says_no_error_and_runs_from_a_file(visit: Visit, site: Path) -> None:
    address = f"file://{site}/"
    page = visit.context(origin=address).new_page()
    for place in PAGES.values():
        page.goto(address + place)
    page.goto(f"{address}index.html")
    expect(page).to_have_url(f"{address}docs/index.html")
