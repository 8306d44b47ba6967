"""A march by taps on the board: the hexes within reach, the way as the line that one would type, and what it changes."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from .browser import SCREENS, Visit
from .conftest import Serve
from .looking import barriers, cut_off, scrolls_sideways, small_targets
from .test_board import drawn, go_to, stage

PRUSSIA = """game world-undone-east-prussia-1914
board east-prussia
scenario=historical
turn=4
phasing=german
phase=first-movement
trust counters
3015: XVII/36, XVII/35
"""
WITHOUT_CHART = PRUSSIA.replace("trust counters", "")
PAPER = """game world-undone-east-prussia-1914
scenario=historical
turn=4
phasing=german
phase=first-movement
trust counters
3015: XVII/36
"""

Open = Callable[..., Page]


@pytest.fixture
def at_board(serve: Serve, visit: Visit) -> Open:
    """Opens the board of a position."""

    def show(position: str = PRUSSIA, screen: str = "phone", **options: Any) -> Page:
        page = visit.page(serve(game="world-undone-east-prussia-1914", position=position).link(), screen, **options)
        page.get_by_role("button", name="Map", exact=True).click()
        return drawn(page)

    return show


def set_out(page: Page, unit: str = "XVII/36") -> Locator:
    """Let a unit march; the card of its march."""
    go_to(page, unit).get_by_role("button", name="March by the rules").click()
    card = page.get_by_role("region", name="March")
    expect(card).not_to_contain_text("Finding the hexes within reach")
    return card


def tap(page: Page, hex: str) -> None:
    """Tap a hex within reach, on what is written at its foot."""
    tap_middle(page, page.locator(f'.board-marks text[data-hex="{hex}"]'))
    page.wait_for_timeout(50)
    page.wait_for_selector("body[data-busy=no]")


def tap_middle(page: Page, what: Locator) -> None:
    expect(what).to_be_visible()
    box = what.bounding_box()
    assert box
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def entered(page: Page) -> str:
    """What was entered last, as Undo says it."""
    return page.locator(".undo").get_attribute("title") or ""


def test_march_of_three_hexes_takes_six_taps_each_the_line_of_the_prompt(at_board: Open) -> None:
    page = at_board()
    there, card = page.locator(".board-card"), page.get_by_role("region", name="March")
    tap_middle(page, page.locator(".board-pieces img"))  # the first
    there.locator(".card-units").get_by_role("button", name="XVII/36").tap()
    expect(there.locator(".layer-said")).to_contain_text("XVII/36 can move to")
    for way in ("3014", "3014,3013", "3014,3013,3012"):
        tap(page, way[-4:])
        assert entered(page) == f'move units=XVII/36 way="{way}"'.replace('"3014"', "3014")
    expect(card).to_contain_text("3015 → 3014 → 3013 → 3012")
    expect(card).to_contain_text("XVII/36 can move to 3012 for 3 of 3 Movement Points")
    card.get_by_role("button", name="Carry out").tap()  # the sixth
    expect(card).to_be_hidden()
    expect(there).to_have_attribute("aria-label", "Hex 3012")
    page.locator(".undo").click()
    expect(there).to_have_attribute("aria-label", "Hex 3015")
    expect(card).to_be_hidden()
    page.locator(".undo").click()
    expect(card).to_contain_text(re.compile("3015 → 3014 → 3013(?! →)"))


def test_hex_that_is_not_beside_the_last_one_is_reached_by_the_cheapest_way(at_board: Open) -> None:
    page = at_board()
    card = set_out(page)
    tap(page, "3012")
    expect(card).to_contain_text("3015 → 3014 → 3013 → 3012")
    tap(page, "3014")
    expect(card).to_contain_text(re.compile("3015 → 3014(?! →)"))
    tap(page, "3114")
    tap(page, "3113")
    expect(card).to_contain_text("3015 → 3014 → 3114 → 3113")
    card.get_by_role("button", name="Cheapest way: 3014 3013 3113").click()
    expect(card).to_contain_text("3015 → 3014 → 3013 → 3113")


def test_units_of_a_stack_march_together(at_board: Open) -> None:
    page = at_board()
    go_to(page, "3015").get_by_role("button", name="March from here").click()
    card = page.get_by_role("region", name="March")
    card.locator("summary", has_text="Hexes within reach").click()
    card.get_by_role("button", name="3014, 2 left").click()
    expect(card).to_contain_text("XVII/36 and XVII/35 can move to 3014")
    page.wait_for_selector(".panel[aria-busy=true]", state="detached")  # a tap would be meant for what was there
    card.get_by_role("group", name="Who marches").get_by_role("button", name="XVII/35").click()
    expect(card).to_contain_text(re.compile(r"XVII/36 can move to 3014"))


def test_barred_way_says_what_bars_it(at_board: Open) -> None:
    page = at_board(f"{PRUSSIA}3012: II/26\n")
    card = set_out(page)
    card.get_by_text("Type the way").click()
    field = card.get_by_label("The way, hex by hex")
    field.fill("3014 3013 3012")
    field.press("Enter")
    expect(card.locator(".reasons .headline")).to_contain_text("3012")
    expect(card.locator(".reasons .headline .rule")).to_be_visible()
    expect(card.get_by_role("button", name="Carry out")).to_have_count(0)


def test_what_makes_a_march_possible_is_a_button(at_board: Open) -> None:
    page = at_board(PRUSSIA.replace("XVII/35", "XVII/35 moved"))
    go_to(page, "3015").get_by_role("button", name="March from here").click()
    card = page.get_by_role("region", name="March")
    card.get_by_text("Type the way").click()
    field = card.get_by_label("The way, hex by hex")
    field.fill("3014")
    field.press("Enter")
    without = card.get_by_role("button", name="Without XVII/35")
    expect(without).to_be_visible()
    page.wait_for_selector(".panel[aria-busy=true]", state="detached")  # a tap would be meant for what was there
    without.click()
    expect(card).to_contain_text("XVII/36 can move to 3014")


def test_missing_cell_is_asked_for_and_the_hexes_follow(at_board: Open) -> None:
    page = at_board(WITHOUT_CHART)
    card = set_out(page)
    expect(card.locator(".ask.fact")).to_have_count(1)
    for _ in range(4):
        if not card.locator(".ask.fact").count():
            break
        card.locator(".ask.fact input").first.fill("0")
        page.wait_for_selector(".panel[aria-busy=true]", state="detached")
        card.get_by_role("button", name="State it").click()
        page.wait_for_timeout(100)
        page.wait_for_selector("body[data-busy=no]")
    expect(card).to_contain_text("within reach, each with what is left there")


def test_on_a_paper_map_the_way_is_typed(at_board: Open) -> None:
    page = at_board(PAPER)
    card = set_out(page)
    card.get_by_text("Type the way").click()
    field = card.get_by_label("The way, hex by hex")
    field.fill("3014 3013")
    field.press("Enter")
    expect(card).to_contain_text("3015 → 3014 → 3013")


def test_march_by_keyboard_alone(at_board: Open) -> None:
    page = at_board(screen="desktop")
    card = set_out(page)
    expect(stage(page)).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(page.locator(".board > .heard")).to_contain_text("Hex 3014, 2 left")
    page.keyboard.press("Enter")
    expect(card).to_contain_text("XVII/36 can move to 3014")
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_nothing_bars_anybody(at_board: Open, screen: str, colours: str) -> None:
    page = at_board(screen=screen, color_scheme=colours)
    card = set_out(page)
    assert barriers(page, ".board") == []
    card.locator("summary", has_text="Hexes within reach").click()
    card.get_by_role("button", name="3013, 1 left").click()
    expect(card.get_by_role("button", name="Carry out")).to_be_visible()
    card.evaluate("card => card.querySelectorAll('details').forEach((part) => { part.open = true; })")
    assert barriers(page, ".board") == []
    assert small_targets(page) == []
    assert cut_off(page) == []
    assert not scrolls_sideways(page)


def test_letters_twice_as_large_fit(at_board: Open) -> None:
    page = at_board()
    card = set_out(page)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    card.locator("summary", has_text="Hexes within reach").click()
    card.get_by_role("button", name="3013, 1 left").click()
    expect(card.get_by_role("button", name="Carry out")).to_be_visible()
    assert cut_off(page) == []
    assert not scrolls_sideways(page)
