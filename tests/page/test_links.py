"""A link in a browser: opened it shows its question where that is asked, shared it is the same, and printed it is a clean report."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import assistant
from assistant.faces.page.tables import Tables

from .battles import KNOWN
from .browser import Visit, opened
from .conftest import Serve
from .sight import why_hidden
from .small_host import hosted
from .test_march import PRUSSIA

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
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_label("The link", exact=True)).to_be_visible()


def link_of(position: str | Path) -> str:
    """The fragment of a position: a file, or notation."""
    return assistant.link(
        assistant.read(position) if isinstance(position, Path) else assistant.parse(position)
    ).fragment


def arrived(visit: Visit, address: str, fragment: str, panel: str) -> Page:
    """A reader's page once he has opened a link, with the panel that it opens."""
    page = opened(visit.context("phone", origin=address).new_page(), address + fragment)
    expect(page.locator("body")).to_have_attribute("data-panel", panel)
    expect(page.get_by_role("dialog")).to_be_hidden()
    return page


def test_a_combat_opens_at_the_step_that_is_due(address: str, visit: Visit) -> None:
    text = (EXAMPLES / "battle.pos").read_text().partition("\nanswers")[0]
    page = arrived(visit, address, link_of(text), "battle")
    box = page.locator(".ask.roll")
    expect(box).to_be_visible()
    assert why_hidden(box) == ""


def test_a_march_opens_on_the_map_with_its_way(address: str, visit: Visit) -> None:
    page = arrived(visit, address, link_of(f"{PRUSSIA}ask move units=XVII/36 way=3014,3013\n"), "board")
    card = page.get_by_role("region", name="March")
    expect(card).to_contain_text("3015 → 3014 → 3013")
    assert why_hidden(card.get_by_role("button", name="Carry out")) == ""


def test_where_units_can_go_opens_on_the_map_with_the_hexes(address: str, visit: Visit) -> None:
    page = arrived(visit, address, link_of(f"{PRUSSIA}ask reach unit=XVII/36\n"), "board")
    expect(page.get_by_role("region", name="March")).to_contain_text("from 3015")
    expect(page.locator('.board-marks text[data-hex="3013"]')).to_be_visible()
    page.locator("summary", has_text="Hexes within reach").click()
    page.get_by_role("button", name="3013, 1 left").click()
    expect(page.get_by_role("region", name="March")).to_contain_text("3015 → 3014 → 3013")


@pytest.mark.parametrize(
    ("example", "title"), [("supply-line.pos", "Supply"), ("threat.pos", "Threat"), ("retreat.pos", "Retreat")]
)
def test_another_question_opens_with_its_answer(address: str, visit: Visit, example: str, title: str) -> None:
    page = arrived(visit, address, link_of(EXAMPLES / example), "ask")
    expect(page.locator("#panel-ask h1")).to_have_text(title)
    expect(page.locator(".given")).to_be_visible()
    due = page.locator(".given [data-due]").first
    expect(due).to_be_visible()
    page.wait_for_load_state("networkidle")  # with its picture
    assert why_hidden(due) == ""


def test_a_table_without_a_question_opens_on_the_map(address: str, visit: Visit) -> None:
    arrived(visit, address, link_of(PRUSSIA), "board")


@pytest.mark.parametrize(
    ("line", "panel", "seen"),
    [
        ("45.25 < 35.20", "battle", ".battle .tray"),
        ("supply unit=25/3", "ask", ".given"),
    ],
)
def test_the_link_of_a_laptop_opens_where_its_question_is(
    serve: Serve, visit: Visit, line: str, panel: str, seen: str
) -> None:
    laptop = serve(position=KNOWN, lines=[line])
    page = visit.page(laptop.link(), "phone")
    expect(page.locator("body")).to_have_attribute("data-panel", panel)
    expect(page.locator(seen)).to_be_visible()


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
    expect(page.locator(".given .outcome")).to_contain_text("In Supply")


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
