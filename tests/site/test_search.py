"""The search of the site finds a page by a word, and a rule by its number and by its words, and leads to its row."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from ..page.browser import Visit

RULES = "docs/games/{}/rules.html"
TWILIGHT, KAISERS, WELTKRIEG = "twilight-in-the-east", "kaisers-war-in-the-east", "der-weltkrieg"


def search(visit: Visit, address: str, words: str) -> Page:
    """The results of a search, typed where a reader types it."""
    page = visit.context(origin=address).new_page()
    page.goto(f"{address}docs/index.html")
    page.locator("input[name=q]").first.fill(words)
    page.keyboard.press("Enter")
    expect(page.locator("#search-results h2")).to_have_text("Search Results")
    return page


def links(page: Page) -> list[tuple[str, str]]:
    """The results, in their order: where each leads, and what it is called."""
    every: list[list[str]] = page.locator("#search-results a").evaluate_all(
        "(links) => links.map((link) => [link.getAttribute('href'), link.textContent])"
    )
    return [(place, title) for place, title in every]


def test_page_is_found_by_a_word(visit: Visit, address: str) -> None:
    assert ("docs/printing/symbols.html", "Symbols and colours") in links(search(visit, address, "howitzers"))


@pytest.mark.parametrize(
    ("game", "number", "row"),
    [
        (TWILIGHT, "11.3.2", "11.3.2aa"),
        (TWILIGHT, "8.5.4", "8.5.4"),
        (KAISERS, "14.13", "14.13"),
        (WELTKRIEG, "5-12", "5-12"),
    ],
)
def test_rule_is_found_by_its_number(visit: Visit, address: str, game: str, number: str, row: str) -> None:
    place, title = links(search(visit, address, number))[0]
    assert place == f"{RULES.format(game)}#rule-{row}"
    assert title.startswith(f"{row} ")


def test_number_that_is_a_part_of_others_comes_first_as_a_whole(visit: Visit, address: str) -> None:
    rules = [title.split(" ")[0] for place, title in links(search(visit, address, "10.4")) if "#rule-" in place]
    assert rules[0] == "10.4"
    assert "10.4.1" in rules


def test_rule_is_found_by_its_words_and_its_row_is_shown(visit: Visit, address: str) -> None:
    page = search(visit, address, "8.5.4")
    title = page.locator("#search-results a").first.inner_text().partition(" ")[2]
    by_words = search(visit, address, title)
    by_words.locator("#search-results a").filter(has_text=f"8.5.4 {title}").first.click()
    row = by_words.locator("tr:target")
    expect(row).to_be_in_viewport()
    expect(row).to_contain_text("8.5.4")


def test_search_works_from_a_file_too(visit: Visit, site: object) -> None:
    address = f"file://{site}/"
    page = search(visit, address, "8.5.4")
    page.locator("#search-results a").first.click()
    expect(page.locator("tr:target")).to_contain_text("8.5.4")


def test_index_lists_rules_by_number_and_by_title(visit: Visit, address: str) -> None:
    page = visit.context(origin=address).new_page()
    page.goto(f"{address}genindex.html")
    expect(page.get_by_role("link", name="8.5.4 (Twilight in the East)").first).to_have_attribute(
        "href", f"{RULES.format(TWILIGHT)}#rule-8.5.4"
    )
