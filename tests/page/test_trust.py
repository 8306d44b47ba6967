"""What an answer rests on, beside its verdict: chips in the head of the page and beside what is asked, and what a tap on one shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from assistant.faces.page.desk import PageDesk
from assistant.faces.page.messages.requests import EnterRequest
from assistant.faces.page.tables import Tables

from .browser import Visit
from .looking import barriers, cut_off, scrolls_sideways, small_targets
from .tapping import Player
from .test_board import drawn, go_to

EXAMPLES = Path(__file__).parents[2] / "plugins/twilight_in_the_east/examples"


def supplied(tables: Tables) -> PageDesk:
    """A table at which the supply of a unit is asked, over a drawn map and with made-up ranges."""
    desk = tables.begin("table", "twilight-in-the-east", (EXAMPLES / "supplied.pos").read_text("utf-8"))
    desk.enter(EnterRequest(table="table", line="supply unit=22/1"))
    return desk


@pytest.mark.parametrize("screen", ["phone", "tablet"])
def test_a_verdict_that_rests_on_the_drawn_map_has_its_chip_in_sight(
    visit: Visit, address: str, tables: Tables, screen: str
) -> None:
    supplied(tables)
    page = visit.page(address, screen)
    chips = page.locator("#top .trust button")
    expect(chips).to_have_text(["drawn map", "made-up counters"])
    expect(page.get_by_text("(if the drawn map")).to_have_count(0)
    assert (cut_off(page), scrolls_sideways(page), small_targets(page, 24)) == ([], False, [])
    chips.first.click()
    sheet = page.locator("dialog[open]")
    expect(sheet).to_contain_text("This answer holds if the drawn map is right.")
    expect(sheet).to_contain_text("terrain: clear in 65.37, 66.37, 67.36 and 2 more")
    assert barriers(page, "dialog[open]") == []
    sheet.get_by_role("button", name="Terrain of 68.36").click()
    expect(sheet.get_by_role("button", name="As drawn: clear")).to_be_visible()
    sheet.get_by_role("button", name="Only my own map").click()
    expect(chips).to_have_count(0)
    page.wait_for_load_state("networkidle")  # the answer under Ask is drawn anew


def test_a_fact_of_the_map_is_stated_as_the_printed_one_has_it(visit: Visit, address: str, tables: Tables) -> None:
    desk = supplied(tables)
    page = visit.page(address, "phone")
    page.locator("#top .trust button", has_text="drawn map").click()
    sheet = page.locator("dialog[open]")
    sheet.get_by_role("button", name="Terrain of 68.36").click()
    sheet.get_by_role("button", name="As drawn: clear").click()
    expect(sheet).to_have_count(0)
    expect(page.locator(".undo")).to_have_attribute("title", re.compile("68.36"))
    assert str(desk.position.state.facts["terrain", "68.36"].value) == "clear"
    page.wait_for_load_state("networkidle")


def test_one_tap_for_charts_begins_a_march_on_the_drawn_map(visit: Visit, address: str, tables: Tables) -> None:
    desk = tables.begin("table", "twilight-in-the-east")
    for line in ("board east", "4120 25/3 10-10-5-10", "25/3 movement=4"):
        desk.enter(EnterRequest(table="table", line=line))
    page = visit.page(address, "phone")
    page.get_by_role("button", name="Map", exact=True).click()
    card = go_to(drawn(page), "25/3")
    card.get_by_role("button", name="March by the rules").click()
    march = page.get_by_role("region", name="March")
    expect(march.locator(".ask")).to_be_visible()
    Player(page).settle()
    march.get_by_role("button", name="Use made-up charts").click()
    expect(march).to_contain_text("within reach")
    expect(march.locator(".trust button")).to_have_text(["drawn map", "made-up charts"])
    assert page.locator(".board-marks text[data-hex]").count() > 5
