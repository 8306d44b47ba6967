"""The board in a browser: drawn tile by tile, read and changed by finger, mouse and keyboard."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from .browser import SCREENS, Visit
from .conftest import Serve
from .looking import barriers, cut_off, scrolls_sideways, small_targets
from .tapping import Player

EAST = """game twilight-in-the-east
board east
turn=1
trust counters
42.21: 27/3
42.20: 25/3
44.19: 1/1
45.20: 35/17
"""
PAPER = """game twilight-in-the-east
turn=1
41.19 clear: 1/1
40.20: 25/3, 27/3
"""

Open = Callable[..., Page]


@pytest.fixture
def at_board(serve: Serve, visit: Visit) -> Open:
    """Opens the board of a position."""

    def show(position: str = EAST, screen: str = "phone", **options: Any) -> Page:
        page = visit.page(serve(position=position).link(), screen, **options)
        page.get_by_role("button", name="Map", exact=True).click()
        return drawn(page)

    return show


def drawn(page: Page) -> Page:
    """The page once all that is in sight is drawn."""
    page.wait_for_selector('.board-stage[data-waits="0"]')
    return page


def stage(page: Page) -> Locator:
    return page.locator(".board-stage")


def go_to(page: Page, where: str) -> Locator:
    """Go to a hex, a place or a unit; the card that opens."""
    field = page.get_by_label("Go to a hex or a place")
    field.fill(where)
    field.press("Enter")
    Player(page).settle()
    card = page.locator(".board-card")
    expect(card).to_be_visible()
    return whole(card)


def whole(card: Locator) -> Locator:
    """The card of a hex, opened."""
    more = card.get_by_role("button", name=re.compile("^More about"))
    if more.is_visible() and more.get_attribute("aria-expanded") == "false":
        more.click()
    return card


def middle_of(page: Page) -> tuple[float, float]:
    """The point of the screen in the middle of the map, but for what the card covers."""
    box = stage(page).bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def pictures(page: Page, layer: str) -> int:
    return page.locator(f".board-{layer} img").count()


def test_map_is_drawn_with_its_counters(at_board: Open) -> None:
    page = at_board()
    assert pictures(page, "grounds") >= 1
    assert pictures(page, "pieces") == 4
    sizes = page.evaluate("[...document.querySelectorAll('.board-plane img')].map((image) => image.naturalWidth)")
    assert all(sizes)


def test_more_is_seen_from_afar_and_less_from_near(at_board: Open) -> None:
    page = at_board(screen="desktop")
    page.get_by_role("button", name="Whole board").click()
    drawn(page)
    whole = pictures(page, "grounds")
    page.mouse.move(*middle_of(page))
    for _ in range(12):
        page.mouse.wheel(0, -300)
    page.wait_for_timeout(300)
    drawn(page)
    assert pictures(page, "grounds") < whole
    stage(page).press("-")
    stage(page).press("0")
    page.wait_for_timeout(300)
    drawn(page)
    assert pictures(page, "grounds") == whole


def test_tapped_hex_tells_what_is_known_and_how(at_board: Open) -> None:
    page = at_board()
    go_to(page, "gumbinnen")
    page.get_by_role("button", name="Close").first.click()
    expect(page.locator(".board-card")).to_be_hidden()
    card = go_to(page, "27/3")
    expect(card.get_by_role("heading", name="27/3")).to_be_visible()
    card.get_by_role("button", name="Back to hex 42.21").click()
    expect(card).to_have_attribute("aria-label", "Hex 42.21")
    expect(card).to_contain_text("drawn from geography")
    card.get_by_role("button", name="Close").click()
    page.touchscreen.tap(*tapped(page, "42.21"))
    expect(card).to_have_attribute("aria-label", "Hex 42.21")


def tapped(page: Page, hex: str) -> tuple[float, float]:
    """The point of the screen where the counters in a hex lie."""
    place = page.locator(".board-pieces img").nth(0).bounding_box()
    boxes = [box for image in page.locator(".board-pieces img").all() if (box := image.bounding_box())]
    assert place
    lowest = max(boxes, key=lambda box: (box["y"], -box["x"]))  # 42.21 lies south of the others
    return lowest["x"] + lowest["width"] / 2, lowest["y"] + lowest["height"] / 2


def test_word_is_changed_by_a_tap_and_chosen_by_a_long_one(at_board: Open) -> None:
    page = at_board(PAPER)
    card = go_to(page, "4119")
    card.get_by_role("button", name="clear terrain, stated").click()
    expect(card.get_by_role("button", name="rough terrain, stated")).to_be_visible()
    card.get_by_role("button", name="rough terrain, stated").click(delay=800)
    page.get_by_role("dialog").get_by_role("button", name="wetlands").click()
    expect(card.get_by_role("button", name="wetlands terrain, stated")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(card.get_by_role("button", name="rough terrain, stated")).to_be_visible()


def test_board_is_read_by_keyboard_alone(at_board: Open) -> None:
    page = at_board(PAPER, "desktop")
    stage(page).focus()
    heard = page.locator(".board .heard")
    for key in ("ArrowUp", "ArrowLeft", "ArrowRight", "ArrowDown", "ArrowDown"):
        before = heard.inner_text()
        page.keyboard.press(key)
        assert heard.inner_text() != before
        assert heard.inner_text().startswith("Hex ")
    page.keyboard.press("Enter")
    heading = page.locator(".board-card h2")
    expect(heading).to_be_focused()
    assert heard.inner_text().removeprefix("Hex ").startswith(heading.inner_text().strip())
    page.keyboard.press("Escape")
    expect(stage(page)).to_be_focused()


def test_card_of_a_unit_has_its_losses_with_their_sign(at_board: Open) -> None:
    card = go_to(at_board(EAST.replace("27/3", "27/3 -1 cel=-2")), "27/3")
    expect(card.locator(".card-unit")).to_contain_text("\N{MINUS SIGN}1 step · cel \N{MINUS SIGN}2")


def test_supply_of_a_unit_is_drawn(at_board: Open) -> None:
    page = at_board(EAST + '42.22: "3 Train" range=3 extended-range=6 supply=in\n')
    card = go_to(page, "27/3")
    card.get_by_role("button", name="Supply", exact=True).click()
    expect(card.locator(".layer-said")).to_contain_text("Supply")
    card.get_by_role("button", name="Why", exact=True).click()
    picture = page.get_by_role("dialog").locator("img")
    expect(picture).to_be_visible()
    small = picture.bounding_box()
    page.get_by_role("button", name="Show the picture larger").click()
    large = picture.bounding_box()
    assert small and large and large["width"] > 2 * small["width"]
    expect(page.get_by_role("dialog")).to_contain_text("27/3")


def test_what_an_answer_lacks_is_stated_under_ask(at_board: Open) -> None:
    page = at_board(PAPER)
    card = go_to(page, "27/3")
    card.get_by_role("button", name="Supply", exact=True).click()
    card.get_by_role("button", name="State what is missing").click()
    expect(page.locator("#panel-ask")).to_contain_text("27/3")


def test_unit_is_put_on_the_map(at_board: Open) -> None:
    page = at_board(PAPER)
    card = go_to(page, "4018")
    card.get_by_role("button", name="Put a unit here").click()
    page.get_by_label("Find a unit").fill("29/20")
    page.get_by_role("dialog").get_by_role("button", name="29/20").first.click()
    expect(card.locator(".card-more")).to_be_visible()
    Player(page).settle()
    expect(whole(card).get_by_role("button", name="29/20")).to_be_visible()


def test_unit_is_moved_to_the_hex_that_is_tapped_next(at_board: Open) -> None:
    page = at_board(PAPER, "desktop")
    card = go_to(page, "1/1")
    card.get_by_role("button", name=re.compile("^Move it")).click()
    expect(page.locator(".board-about")).to_contain_text("Where does 1/1 go?")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(card).to_have_attribute("aria-label", "Hex 41.18")
    expect(card.get_by_role("heading", name="1/1")).to_be_visible()


def test_a_move_is_given_up_by_touch_and_by_leaving_the_board(at_board: Open) -> None:
    page = at_board(PAPER)
    for give_up in ("Do not move it", "Turn"):
        card = go_to(page, "1/1")
        card.get_by_role("button", name=re.compile("^Move it")).click()
        page.get_by_role("button", name=give_up, exact=True).click()
        page.locator("#tabs").get_by_role("button", name="Map").click()
        expect(page.locator(".board-about")).not_to_contain_text("Where does")
        expect(go_to(page, "4118").locator(".card-units")).to_have_count(0)


def test_drawn_board_is_laid_instead_of_the_field(at_board: Open) -> None:
    page = at_board(PAPER)
    page.get_by_role("button", name="Show the Eastern Front").click()
    expect(page.locator(".board-about")).to_have_text("The Eastern Front, drawn from geography")
    drawn(page)
    assert pictures(page, "pieces") >= 2


def test_ground_is_painted_as_one_entry(at_board: Open) -> None:
    page = at_board(PAPER, "desktop")
    page.get_by_role("button", name="Paint the ground").click()
    page.get_by_role("button", name="wetlands", exact=True).click()
    x, y = middle_of(page)
    page.mouse.move(x, y - 60)
    page.mouse.down()
    page.mouse.move(x, y + 80, steps=12)
    assert page.locator(".board-marks .painted").count() >= 2
    page.mouse.up()
    expect(page.locator(".board-marks .painted")).to_have_count(0)
    expect(page.get_by_role("button", name="Undo")).to_be_enabled()
    page.get_by_label("What is painted").select_option("barrier")
    page.get_by_role("button", name="minor river").click()
    page.mouse.move(x - 70, y)
    page.mouse.down()
    page.mouse.move(x - 30, y, steps=3)
    page.mouse.up()
    expect(page.locator(".board-marks .painted")).to_have_count(0)


def test_attack_begins_the_battle(at_board: Open) -> None:
    page = at_board(PAPER)
    go_to(page, "4119").get_by_role("button", name="Attack this hex").click()
    expect(page.locator("#panel-battle")).to_be_visible()
    expect(page.locator("#panel-battle")).to_contain_text("41.19")


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_nothing_bars_anybody(at_board: Open, screen: str, colours: str) -> None:
    page = at_board(screen=screen, color_scheme=colours)
    assert barriers(page, ".board") == []
    go_to(page, "27/3").get_by_role("button", name="Back to hex 42.21").click()
    assert barriers(page, ".board") == []
    page.get_by_role("button", name="Paint the ground").click()
    assert barriers(page, ".board") == []
    assert small_targets(page) == []
    assert cut_off(page) == []
    assert not scrolls_sideways(page)
