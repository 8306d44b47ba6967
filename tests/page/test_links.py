"""A link in a browser: opened it shows the answer at once, shared it is the same, and printed it is a clean report."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import assistant
from assistant.page.desk import Tables

from .browser import Visit, opened
from .small_host import hosted

EXAMPLES = Path(__file__).parents[2] / "plugins" / "twilight_in_the_east" / "examples"
LINK = assistant.link(assistant.read(EXAMPLES / "battle.pos", side="umpire")).fragment
ELSEWHERE = "https://example.org/table/"


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    with hosted(Tables(tmp_path)) as address:
        yield address


@pytest.fixture
def page(address: str, visit: Visit) -> Page:
    """A reader's page, once he has opened the link of a battle; he leaves before the host stops."""
    context = visit.context("phone", origin=address, permissions=["clipboard-read", "clipboard-write"])
    return opened(context.new_page(), address + LINK)


def share(page: Page) -> None:
    sheet = page.get_by_role("dialog")
    if sheet.is_visible():  # with the answer of the link that was opened
        sheet.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_label("The link", exact=True)).to_be_visible()


def test_who_opens_a_link_sees_the_whole_derivation(page: Page) -> None:
    sheet = page.get_by_role("dialog")
    for text in ("42:23 rounds to 2:1", "27/3 rolls 12 +2 = 14 against 10: fails by 4"):
        expect(sheet).to_contain_text(text)
    sheet.get_by_role("button", name="Rule 4.4.1").click()
    expect(sheet.locator("blockquote")).to_contain_text("4.4.1")
    expect(sheet).to_contain_text("42:23 rounds to 2:1")


def test_behind_it_lies_the_table(page: Page) -> None:
    expect(page.locator("#line")).to_contain_text("1:1, Large")
    expect(page.locator("#line")).to_contain_text("The attacker loses 2 steps, the defender 2")


def test_a_link_that_is_opened_again_shows_the_same_table(page: Page, address: str) -> None:
    page.goto("about:blank")
    opened(page, address + LINK)
    expect(page.locator("#line")).to_contain_text("The attacker loses 2 steps, the defender 2")


def test_once_a_link_has_been_followed_the_page_begins_with_its_table(page: Page, address: str) -> None:
    assert page.url == address
    page.reload()
    page.wait_for_selector("body[data-ready=yes]")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.locator("#line")).to_contain_text("The attacker loses 2 steps, the defender 2")


def test_the_link_of_a_page_is_copied_and_opens_the_same(page: Page, address: str) -> None:
    share(page)
    page.get_by_role("button", name="Copy").click()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(f"{address}#fs1.")
    assert assistant.ask(assistant.read(copied)).answers == assistant.ask(assistant.read(LINK)).answers
    expect(page.get_by_alt_text("The link as a QR code")).to_be_visible()


def test_the_page_that_a_link_opens_is_remembered(page: Page) -> None:
    share(page)
    box = page.locator(".share-page input")
    box.fill(f"{ELSEWHERE}#top")
    box.blur()
    expect(page.get_by_label("The link", exact=True)).to_have_value(re.compile(rf"^{re.escape(ELSEWHERE)}#fs1\."))
    page.reload()
    page.wait_for_selector("body[data-ready=yes]")
    share(page)
    expect(page.get_by_label("The link", exact=True)).to_have_value(re.compile(rf"^{re.escape(ELSEWHERE)}#fs1\."))


def test_a_pasted_link_is_opened_and_a_damaged_one_refused(address: str, visit: Visit) -> None:
    page = opened(visit.context("phone", origin=address).new_page(), address + LINK)
    share(page)
    other = assistant.link(assistant.read(EXAMPLES / "supply-line.pos", side="umpire")).fragment
    box = page.get_by_label("A link to a position")
    for pasted, said in ((other[:-4], "this link is damaged"), ("nothing", "this is not a link to a position")):
        box.fill(pasted)
        page.get_by_role("button", name="Open", exact=True).click()
        expect(page.locator("#quiet")).to_contain_text(said)
    box.fill(f"{ELSEWHERE}{other}")
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.locator("#line")).to_contain_text("In Supply")


def test_on_paper_is_the_whole_report_and_no_button(page: Page) -> None:
    share(page)
    page.evaluate("window.print = () => { document.body.dataset.printed = 'yes' }; 0")
    page.get_by_role("button", name="Print the report").click()
    page.wait_for_selector("body[data-printed=yes]", state="attached")
    page.emulate_media(media="print")
    paper = page.locator("#print")
    expect(paper).to_be_visible()
    expect(paper.locator("h1")).to_have_text("Battle at 41.19, attacked from 40.19, 40.20, GT 1")
    for text in ("Effectiveness Checks", "27/3 rolls 12 +2 = 14 against 10: fails by 4", "#fs1."):
        expect(paper).to_contain_text(text)
    expect(paper.get_by_alt_text("The hexes of the answer")).to_be_visible()
    assert not [button for button in page.get_by_role("button").all() if button.is_visible()]
    numbers = {round(cell.bounding_box()["x"]) for cell in paper.locator("td.number").all()[:40]}  # type: ignore[index]
    assert len(numbers) == 1
