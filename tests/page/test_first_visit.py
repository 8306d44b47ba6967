"""The first visit to the page on a static host: what is shown until it begins, and from an empty browser to an answer."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from .browser import Visit, opened
from .first_visit import answer_save
from .hosting import hosted
from .looking import barriers, cut_off, scrolls_sideways

_RATE = 3_000_000
"""How many bytes of a file the host sends a second."""
_STAGES = ("Fetching the rules", "Starting Python", "Reading the games", "Laying out the map")
_NOTED = """() => {
    globalThis.noted = [];
    new MutationObserver(() => {
        const words = document.getElementById("beginning-words")?.textContent;
        if (words) globalThis.noted.push([words, document.querySelector(".beginning progress").value]);
    }).observe(document, { childList: true, subtree: true, characterData: true, attributes: true });
}"""


def begun(visit: Visit, address: str, screen: str = "phone") -> Page:
    """A page that is being fetched, and notes what it says meanwhile."""
    page = visit.context(screen, origin=address).new_page()
    page.add_init_script(f"({_NOTED})()")
    page.goto(address)
    return page


@pytest.mark.parametrize("screen", ["phone", "desktop"])
def test_first_visit_says_how_much_has_come_and_what_is_done(visit: Visit, files: Path, screen: str) -> None:
    with hosted(files, _RATE) as address:
        page = begun(visit, address, screen)
        bar = page.get_by_role("progressbar", name=re.compile(r"Fetching the rules, [1-9]\d* of \d+ MB"))
        expect(bar).to_be_visible()
        assert barriers(page) == []
        assert cut_off(page) == []
        assert not scrolls_sideways(page)
        page.wait_for_selector("body[data-ready=yes]", timeout=60_000)
        expect(page.locator(".beginning")).to_have_count(0)
        noted = page.evaluate("noted")
        visit.close()
    far = [value for _, value in noted]
    assert far == sorted(far)
    stages = [next(stage for stage in _STAGES if words.startswith(stage)) for words, _ in noted]
    assert list(dict.fromkeys(stages)) == list(_STAGES)
    fetched = [tuple(map(int, re.findall(r"\d+", words))) for words, _ in noted if " MB" in words]
    assert {whole for _, whole in fetched} == {fetched[-1][1]}
    assert len({some for some, _ in fetched}) > 4


@pytest.mark.parametrize("screen", ["phone", "desktop"])
def test_page_says_that_it_opens_before_any_of_its_scripts_has_come(visit: Visit, folder: str, screen: str) -> None:
    page = visit.context(screen, origin=folder).new_page()
    held = list[Route]()
    page.route(re.compile(r"\.m?js$"), lambda route: held.append(route))
    page.goto(folder, wait_until="commit")
    sign = page.get_by_role("progressbar", name="Opening the page")
    expect(sign).to_be_visible()
    assert held, "the scripts are held back"
    page.unroute_all()  # what is held goes on with that
    page.wait_for_selector("body[data-ready=yes]", timeout=60_000)
    expect(sign).to_be_hidden()
    visit.close()


def test_what_is_fetched_without_a_network_is_tried_again(visit: Visit, files: Path) -> None:
    visit.expected += ["Failed to load resource", "Failed to fetch"]
    with hosted(files, _RATE) as address:
        page = begun(visit, address)
        expect(page.get_by_role("progressbar")).to_have_accessible_name(re.compile(r", [1-9] of"))
        before = page.locator(".beginning progress").get_attribute("value")
        page.context.set_offline(True)
        expect(page.get_by_role("alert")).to_contain_text("There is no network.")
        assert barriers(page) == []
        page.context.set_offline(False)
        page.get_by_role("button", name="Try again").click()
        expect(page.get_by_role("alert")).to_have_count(0)
        assert float(page.locator(".beginning progress").get_attribute("value") or 0) >= float(before or 0)
        page.wait_for_selector("body[data-ready=yes]", timeout=60_000)
        visit.close()


def test_a_file_that_is_missing_is_named(visit: Visit, files: Path) -> None:
    visit.expected.append("Failed to load resource")
    with hosted(files) as address:
        page = visit.context("phone", origin=address).new_page()
        page.route("**/program.tar.gz", lambda route: route.fulfill(status=404))
        page.goto(address)
        expect(page.get_by_role("alert")).to_contain_text("program/program.tar.gz: 404")
        page.unroute("**/program.tar.gz")
        page.get_by_role("button", name="Try again").click()
        page.wait_for_selector("body[data-ready=yes]", timeout=60_000)
        visit.close()


def test_second_visit_counts_nothing(visit: Visit, folder: str) -> None:
    page = visit.page(folder)
    page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    page.add_init_script(f"({_NOTED})()")
    opened(page, folder)
    assert {words for words, _ in page.evaluate("noted")} <= {"Starting Python", "Reading the games"}


def test_from_nothing_a_dropped_save_is_answered_with_four_taps(visit: Visit, folder: str) -> None:
    page = visit.page(folder, "phone")
    assert answer_save(page) <= 4
