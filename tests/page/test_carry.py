"""Units carried over the map, by a finger, the mouse or the arrows: what is said of each hex, and the march where they are put down."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from assistant.faces.page.respond import respond
from assistant.faces.page.tables import Tables

from .browser import SCREENS, Visit
from .hosting import asked_there, rules_alone
from .looking import barriers, cut_off, scrolls_sideways
from .test_board import drawn, go_to, stage
from .test_march import PRUSSIA

CROWDED = f"""{PRUSSIA}trust charts
3012: II/26
"""
"""Two units that march, and an enemy in their way."""
GUMBINNEN = """game twilight-in-the-east
board east
turn=2
trust map charts counters
42.20: 25/3
42.21: 27/3
40.20: 28/20
39.20: "3 Train"
45.20: 35/17
45.21: 36/17
46.22: "17 Train"
"""

Open = Callable[..., Page]
every_screen = pytest.mark.parametrize("screen", SCREENS)


@pytest.fixture
def at_map(visit: Visit, address: str, tables: Tables) -> Open:
    """Opens the map of a position."""

    def show(position: str = CROWDED, screen: str = "desktop", **options: Any) -> Page:
        tables.begin("table", position.split()[1], position)
        page = visit.page(address, screen, **options)
        page.get_by_role("button", name="Map", exact=True).click()
        return drawn(page)

    return show


class Hand:
    """A finger, or the mouse where none can touch the screen, that carries what lies in a hex."""

    def __init__(self, page: Page, *, touched: bool) -> None:
        self.page = page
        self.touched = touched
        self._fingers = page.context.new_cdp_session(page) if touched else None

    def takes(self, hex: str) -> None:
        """Pick up what lies in a hex: a finger rests on it, the mouse moves at once."""
        left, top = self._middle(hex)
        if self._fingers:
            self._touch("touchStart", left, top)
            self.page.wait_for_timeout(700)
        else:
            self.page.mouse.move(left, top)
            self.page.mouse.down()
        self._to(left + 10, top)
        expect(box(self.page)).to_be_visible()

    def goes_to(self, hex: str) -> None:
        left, top = self._middle(hex)
        for share in (-6, 0):
            self._to(left + share, top)

    def lets_go(self) -> None:
        if self._fingers:
            self._touch("touchEnd")
        else:
            self.page.mouse.up()
        expect(box(self.page)).to_be_hidden()

    def _middle(self, hex: str) -> tuple[float, float]:
        """The point of a hex on the screen, from the stacks that lie beside it or from its own text."""
        mark = self.page.locator(f'.board-marks text[data-hex="{hex}"].left').or_(
            self.page.locator(f'.board-pieces img[data-name="stack {hex}"]')
        )
        for _ in range(20):  # marks are drawn anew whenever something more is known
            if found := mark.first.bounding_box():
                return found["x"] + found["width"] / 2, found["y"] + found["height"] / 2
            self.page.wait_for_timeout(50)
        raise AssertionError(hex)

    def _to(self, left: float, top: float) -> None:
        if self._fingers:
            self._touch("touchMove", left, top)
        else:
            self.page.mouse.move(left, top)

    def _touch(self, kind: str, *point: float) -> None:
        assert self._fingers
        points = [{"x": point[0], "y": point[1]}] if point else []
        self._fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def box(page: Page) -> Locator:
    """What is said of the hex below."""
    return page.locator(".board-carried")


def hand_at(page: Page, screen: str, unit: str = "XVII/36") -> Hand:
    """A hand at a map that shows a unit, which is chosen."""
    touched = SCREENS[screen].touched
    go_to(page, unit)
    page.wait_for_selector("body[data-busy=no]")
    return Hand(page, touched=touched)


def answered(tables: Tables, request: dict[str, Any]) -> Any:
    return json.loads(respond(tables, json.dumps({"table": "table", **request}).encode()))


@every_screen
def test_units_are_carried_over_the_map_and_march_where_they_are_put_down(at_map: Open, screen: str) -> None:
    page = at_map(screen=screen)
    hand = hand_at(page, screen)
    hand.takes("3015")
    expect(page.locator('.board-marks text[data-hex="3014"].left')).to_be_visible()
    hand.goes_to("3014")
    expect(box(page)).to_contain_text("3014 XVII/36")
    expect(box(page)).to_contain_text("Movement: 2 left")
    expect(box(page)).to_contain_text("XVII/36 is in supply")
    expect(box(page)).to_contain_text("Danger: ")
    hand.lets_go()
    card = page.get_by_role("region", name="March")
    expect(card).to_contain_text("3015 → 3014")
    expect(card.get_by_role("button", name="Carry out")).to_be_visible()


def test_what_is_said_is_what_is_answered(at_map: Open, tables: Tables) -> None:
    page = at_map(GUMBINNEN)
    hand = hand_at(page, "desktop", "25/3")
    hand.takes("42.20")
    reach = answered(tables, {"do": "reach", "units": ["25/3"]})
    for at in ("42.21", "41.20"):
        hand.goes_to(at)
        (known,) = answered(tables, {"do": "carry", "units": ["25/3"], "hexes": [at]})["hexes"]
        danger = answered(tables, {"do": "danger", "units": ["25/3"], "hex": at})
        left = next(place["left"] for place in reach["hexes"] if place["hex"] == at)
        expect(box(page)).to_contain_text(f"Movement: {left} left")
        expect(box(page)).to_contain_text(known["supplied"])
        expect(box(page)).to_contain_text(danger["says"])
        assert danger["lost"]
        expect(page.locator(f'.board-marks text[data-hex="{at}"].risk')).to_have_text(danger["lost"])
    expect(page.locator(".board-marks text.risk").nth(3)).to_be_visible()  # that of other hexes, as time allows
    hand.lets_go()


def test_hex_that_is_barred_says_why_and_the_units_stay(at_map: Open, tables: Tables) -> None:
    page = at_map()
    hand = hand_at(page, "desktop")
    hand.takes("3015")
    barred = dict(answered(tables, {"do": "reach", "units": ["XVII/36"]})["barred"])
    assert barred
    at = "3012"
    hand.goes_to(at)
    expect(box(page)).to_contain_text(f"{at} is barred: {barred[at]}")
    hand.lets_go()
    expect(page.get_by_role("region", name="March")).to_be_hidden()
    expect(page.locator(".board-card")).to_have_attribute("aria-label", "Hex 3015")


def test_stack_is_carried_together_and_too_many_is_said(at_map: Open) -> None:
    page = at_map()
    go_to(page, "3015")
    hand = Hand(page, touched=False)
    hand.takes("3015")
    hand.goes_to("3014")
    expect(box(page)).to_contain_text("3014 XVII/36, XVII/35")
    hand.lets_go()
    expect(page.get_by_role("region", name="March").get_by_role("button", pressed=True)).to_have_count(2)


def test_keyboard_carries_too(at_map: Open) -> None:
    page = at_map()
    go_to(page, "3015")
    stage(page).focus()
    page.keyboard.press("m")
    expect(box(page)).to_contain_text("Where they are now")
    page.keyboard.press("ArrowUp")
    expect(box(page)).to_contain_text("Movement: 2 left")
    expect(box(page)).to_have_attribute("role", "status")
    page.keyboard.press("Escape")
    expect(box(page)).to_be_hidden()
    expect(page.locator(".board-card")).to_have_attribute("aria-label", "Hex 3015")
    stage(page).focus()
    page.keyboard.press("m")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="March")).to_contain_text("3015 → 3014")


def test_finger_that_rests_on_a_hex_and_moves_nowhere_still_states_a_fact(at_map: Open) -> None:
    page = at_map(screen="phone")
    hand = hand_at(page, "phone")
    left, top = hand._middle("3015")
    hand._touch("touchStart", left, top)
    page.wait_for_timeout(700)
    hand._touch("touchEnd")
    expect(page.get_by_role("dialog")).to_contain_text("State a fact of 3015")


def test_mouse_that_drags_bare_ground_moves_the_map(at_map: Open) -> None:
    page = at_map()
    before = page.locator(".board-plane").evaluate("plane => plane.style.transform")
    area = stage(page).bounding_box()
    assert area
    page.mouse.move(area["x"] + 30, area["y"] + area["height"] - 60)
    page.mouse.down()
    page.mouse.move(area["x"] + 130, area["y"] + area["height"] - 160, steps=3)
    page.mouse.up()
    expect(box(page)).to_be_hidden()
    assert page.locator(".board-plane").evaluate("plane => plane.style.transform") != before


@every_screen
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_nothing_bars_anybody(at_map: Open, screen: str, colours: str) -> None:
    page = at_map(screen=screen, color_scheme=colours)
    hand = hand_at(page, screen)
    hand.takes("3015")
    hand.goes_to("3014")
    expect(box(page)).to_contain_text("Danger: ")
    assert barriers(page, ".board") == []
    assert cut_off(page) == []
    assert not scrolls_sideways(page)
    hand.lets_go()


def test_reader_finds_a_march_that_leaves_a_division_in_supply_at_little_risk(at_map: Open) -> None:
    page = at_map(GUMBINNEN, "phone")
    hand = hand_at(page, "phone", "25/3")
    hand.takes("42.20")
    expect(page.locator(".board-marks text.risk").nth(5)).to_be_visible()
    chosen = ""
    figures = page.locator(".board-marks text.left:not(.short)")
    shown = figures.evaluate_all("all => all.map(text => [text.dataset.hex, text.textContent])")
    for at in [at for at, text in shown if text.isascii()]:  # those with a sign are not In Supply, or barred
        hand.goes_to(at)
        expect(box(page)).to_contain_text(re.compile("Danger: (no attack|.*to lose the hex)"))
        risk = re.search(r"([0-9]+)% to lose the hex", box(page).text_content() or "")
        if "is In Supply" in (box(page).text_content() or "") and (risk is None or int(risk[1]) < 30):
            chosen = at
            break
    assert chosen
    hand.lets_go()
    expect(page.get_by_role("region", name="March")).to_contain_text(f"→ {chosen}")


def test_browser_without_a_network_answers_the_same(visit: Visit, folder: str, tables: Tables) -> None:
    """The rules in the reader's own browser, which needs no network once it has them."""
    tables.begin("table", "twilight-in-the-east", GUMBINNEN)
    requests = [
        {"do": "begin", "table": "other", "game": "twilight-in-the-east", "position": GUMBINNEN},
        {"do": "carry", "table": "other", "units": ["25/3"], "hexes": ["42.21", "41.20"]},
        {"do": "danger", "table": "other", "units": ["25/3"], "hex": "41.20"},
    ]
    asked = [json.dumps(request) for request in requests]
    there = asked_there(rules_alone(visit, visit.context(origin=folder), folder), asked)
    here = [answered(tables, {**request, "table": "table"}) for request in requests[1:]]
    assert [json.loads(text) for text in there[1:]] == here
