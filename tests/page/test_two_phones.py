"""Two phones at one served table: what a side asks is its own, the combat is both's, and what others have gone on from both undo."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from .browser import Visit
from .conftest import Laptop, Serve
from .looking import barriers, cut_off, scrolls_sideways, small_targets

POSITION = """game twilight-in-the-east
turn=1
accept reconstruction
41.19 clear: german 1/1 (12-16-7-11) -2 cel=-2, german 35/17 (12-16-7-11)
40.20 clear: russian 25/3 (10-9-5-10), russian 27/3 (10-9-5-10)
40.20|41.19 open
"""
CENTRAL, RUSSIAN, EVERYBODY = "1", "2", "3"
_ENTER = """async ([table, line, sure]) => (await (await fetch("respond", { method: "POST", headers: { "content-type": "application/json" },
    body: JSON.stringify({ do: "enter", table, line, sure, tap: crypto.randomUUID() }) })).json())"""
_LOOK = """async (table) => (await (await fetch("respond", { method: "POST", headers: { "content-type": "application/json" },
    body: JSON.stringify({ do: "look", table }) })).json())"""


@pytest.fixture
def laptop(serve: Serve) -> Laptop:
    return serve(position=POSITION)


@pytest.fixture
def phone(laptop: Laptop, visit: Visit) -> Callable[[str], Page]:
    """A phone that has come by a link."""
    return lambda link: visit.page(laptop.link(link), "phone")


def typed(page: Page, laptop: Laptop, line: str, *, sure: bool = True) -> Any:
    """The answer to a line that is typed at a phone."""
    shown = page.evaluate(_ENTER, [laptop.serving.room.table, line, sure])
    assert not shown["refused"], shown["refused"]
    return shown


def seen(page: Page, laptop: Laptop) -> Any:
    """What a link shows of the table."""
    return page.evaluate(_LOOK, laptop.serving.room.table)


def tidy(page: Page) -> None:
    """Nothing is cut off, too small to tap, or hard to read."""
    assert not scrolls_sideways(page)
    assert cut_off(page) == []
    assert small_targets(page, 40) == []
    assert barriers(page) == []


def test_question_of_a_side_stays_on_its_phone_and_the_combat_is_on_both(
    phone: Callable[[str], Page], laptop: Laptop
) -> None:
    russian, central = phone(RUSSIAN), phone(CENTRAL)
    for page in (russian, central):
        page.locator("#tabs").get_by_role("button", name="Ask").click()
    typed(central, laptop, "zones")
    expect(central.locator("#line")).to_contain_text("Zones")
    typed(russian, laptop, "need at=41.19")
    expect(russian.locator("#line")).not_to_contain_text("Zones")
    expect(russian.locator("#line")).to_be_visible()
    expect(central.locator("#line")).to_contain_text("Zones")
    typed(russian, laptop, "41.19 < 40.20 25/3 27/3")
    for page in (russian, central):
        page.locator("#tabs").get_by_role("button", name="Battle").click()
        expect(page.get_by_role("group", name="41.19 and the hexes around it")).to_be_visible()
    assert seen(central, laptop)["combat"]["target"] == "41.19"


def test_undo_of_what_others_have_gone_on_from_is_agreed_to(phone: Callable[[str], Page], laptop: Laptop) -> None:
    russian, central = phone(RUSSIAN), phone(CENTRAL)
    typed(central, laptop, "44.19 german infantry XX 2/1 12-16-7-11")
    typed(central, laptop, "44.20 german infantry XX 99/1 12-16-7-11")
    central.get_by_role("button", name=re.compile("^Undo")).click()  # on what nothing rests
    expect(central.locator("#quiet")).to_contain_text("Taken back: 44.20: german infantry XX 99/1")
    typed(russian, laptop, "2/1 disorder=1")
    central.get_by_role("button", name=re.compile("^Undo")).click()
    asked = central.get_by_role("dialog")
    expect(asked).to_contain_text("Others have continued from here")
    expect(asked).to_contain_text("This would also undo 2/1 D1: ask the others to agree?")
    tidy(central)
    asked.get_by_role("button", name="Ask them").click()
    expect(central.locator("#quiet")).to_contain_text("Waiting for another side, or the laptop, to agree")
    banner = russian.locator(".wished")
    expect(banner).to_contain_text("Central Powers would like to undo 44.19: german infantry XX 2/1")
    tidy(russian)
    banner.get_by_role("button", name="Agree").click()
    expect(banner).to_be_hidden()
    for page in (russian, central):
        page.reload()
        page.wait_for_selector("body[data-ready=yes]")
        assert "2/1" not in [unit["id"] for unit in seen(page, laptop)["units"] if unit["place"]]


def test_who_hide_nothing_see_the_same(phone: Callable[[str], Page], laptop: Laptop) -> None:
    one, other = phone(EVERYBODY), phone(EVERYBODY)
    typed(one, laptop, "41.19 < 40.20 25/3 27/3")
    other.locator("#tabs").get_by_role("button", name="Battle").click()
    expect(other.get_by_role("group", name="41.19 and the hexes around it")).to_be_visible()
    looks = [seen(page, laptop) for page in (one, other)]
    assert looks[0] == looks[1]
    assert {"1/1", "35/17"} <= {unit["id"] for unit in looks[0]["units"]}


def test_card_of_a_unit_has_signs_of_printing_and_says_what_is_hidden_in_words(
    phone: Callable[[str], Page], laptop: Laptop
) -> None:
    for link, shown in ((CENTRAL, "\u22122 steps \u00b7 cel \u22122"), (RUSSIAN, "partly hidden")):
        page = phone(link)
        page.get_by_role("button", name="Battle").click()
        if link == RUSSIAN:  # who comes to an attack that is open sees what is due first
            page.wait_for_selector(".panel[aria-busy=true]", state="detached")
            page.get_by_role("button", name="Units").click()
        page.get_by_role("button", name=re.compile("^41.19")).click()
        card = page.get_by_role("group", name="Units in 41.19").locator(".counter", has_text="1/1")
        expect(card).to_contain_text(shown)
        expect(page.locator("#line")).to_be_visible()  # the attack is open
        # until then a tap would be meant for what was there
        page.wait_for_selector(".panel[aria-busy=true]", state="detached")
        card.click()
        lost = page.get_by_role("group", name="steps lost").locator("[aria-pressed=true]")
        expect(lost).to_have_count(1 if link == CENTRAL else 0)
        for part in ("#top", "#line", "main .counter"):
            assert all("=" not in text for text in page.locator(part).all_inner_texts())
