"""What is needed next lies in sight, at each step of a combat, a march and a retreat, for a reader who never scrolls."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from assistant.faces.page.messages.requests import EnterRequest
from assistant.faces.page.tables import Tables

from .battles import BATTLES, GAME
from .browser import SCREENS, Visit
from .conftest import Serve
from .sight import Reader, why_hidden
from .test_board import drawn
from .test_march import PRUSSIA, WITHOUT_CHART, set_out

KAISER = "kaisers-war-in-the-east"
TWO_NATIONS = """game kaisers-war-in-the-east
turn=2
main-effort=west
trust counters
2620 clear: Rus-2 (9-12-4)
2621 clear: AH-4 (10-11-4)
2619 clear: Ger-8 (10-11-4)
2519 clear: Ober-Ost (8-2-2) radius=3
2620 | 2621,2619 open
nation russian spare-corps=2
nation austro-hungarian spare-corps=1
nation german spare-corps=1
"""
BEATEN = """game world-undone-east-prussia-1914
scenario=historical
turn=3
phasing=german
phase=first-combat
5320: I/1 fought
5420: III/25, III/27
5420-5520-5620
"""

every_screen = pytest.mark.parametrize("screen", SCREENS)


def reader_at(visit: Visit, address: str, screen: str) -> Reader:
    return Reader(visit.page(address, screen), touched=SCREENS[screen].touched)


def named(where: Page | Locator, name: str | re.Pattern[str]) -> Locator:
    return where.get_by_role("button", name=name, exact=isinstance(name, str)).first


def roll(reader: Reader, total: int, title: str = "") -> None:
    """Throw a roll, whose whole box lies in sight."""
    box = reader.page.locator(".ask.roll", has=reader.page.locator(".die:enabled"), has_text=title).first
    reader.taps(named(box, str(total)), within=box)


def choose(reader: Reader, number: int) -> None:
    """Make a choice, which lies in sight with all its options. number: which, from 1."""
    box = reader.page.locator(".ask.choice")
    reader.taps(box.locator(":is(.option, .hex.open)").nth(number - 1), within=box)


def tick_all(reader: Reader) -> None:
    """Tick off what changes on the map."""
    ticks = reader.page.locator(".tick")
    for number in range(ticks.count()):
        reader.taps(ticks.nth(number).locator("input"))
    reader.taps(named(reader.page, "On to the next"))


@every_screen
def test_each_step_of_the_rulebook_s_battle(visit: Visit, address: str, tables: Tables, screen: str) -> None:
    tables.begin("table", GAME, BATTLES["the rulebook's example"].start)
    reader = reader_at(visit, address, screen)
    page = reader.page
    finder = page.locator(".cards")

    def stack(unit: str) -> None:
        card = finder.locator(".card", has=page.locator(f"b:text-is({unit!r})"))
        reader.sees(finder)
        card.evaluate(
            "card => card.parentElement.scrollTo({ left: card.offsetLeft - 60 })"
        )  # the cards are swiped sideways
        reader.taps(card)

    def focus(hex: str) -> None:
        reader.taps(page.locator(".map .hex", has_text=hex).first)

    reader.taps(named(page.locator("#tabs"), "Battle"))
    for digit in "4119":
        reader.taps(named(page.locator(".hex-pad"), digit))
    stack("1/1")
    focus("40.20")
    stack("25/3")
    stack("27/3")
    focus("40.19")
    stack("29/20")
    reader.taps(page.locator(".here .card"))
    reader.taps(named(page, "steps lost: 3"), within=page.locator(".unit-row"))
    reader.taps(named(page.locator(".modes"), "Roll"))
    roll(reader, 7)
    roll(reader, 3, "attacker")
    roll(reader, 4, "defender")
    choose(reader, 3)
    for hex, total in (("40.19", 5), ("40.20", 12), ("41.19", 6)):
        roll(reader, total, hex)
    choose(reader, 3)
    changes = page.locator(".changes")
    reader.taps(named(page, "Carry out"), within=changes if screen != "phone" else None)
    tick_all(reader)
    reader.sees(page.locator(".hex-pad .pad"))


def on_the_map(reader: Reader) -> Page:
    """The page with its map before the reader."""
    reader.taps(reader.page.locator("#tabs").get_by_role("button", name=re.compile("^(Board|Map)$")))
    return drawn(reader.page)


def march_out(reader: Reader) -> Locator:
    """Let XVII/36 march, tapped on the map; the card of its march."""
    page = on_the_map(reader)
    box = page.locator(".board-pieces img").first.bounding_box()
    assert box
    tap = page.touchscreen.tap if reader.touched else page.mouse.click
    tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    reader.taps(page.locator(".board-card .card-units").get_by_role("button", name="XVII/36"))
    expect(page.locator(".layer-said")).to_contain_text("XVII/36 can move to")
    return page.get_by_role("region", name="March")


def tap_hex(reader: Reader, hex: str) -> None:
    """Tap a hex within reach, which no card covers."""
    mark = reader.page.locator(f'.board-marks text[data-hex="{hex}"]')
    box = mark.bounding_box()
    assert box
    point = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
    assert reader.page.evaluate("([x, y]) => Boolean(document.elementFromPoint(x, y)?.closest('.board-stage'))", point)
    (reader.page.touchscreen.tap if reader.touched else reader.page.mouse.click)(*point)
    reader.settle()


def march_in(serve: Serve, visit: Visit, screen: str, position: str) -> Reader:
    laptop = serve(game="world-undone-east-prussia-1914", position=position)
    return Reader(visit.page(laptop.link(), screen), touched=SCREENS[screen].touched)


@every_screen
def test_each_step_of_a_march(serve: Serve, visit: Visit, screen: str) -> None:
    reader = march_in(serve, visit, screen, PRUSSIA)
    card = march_out(reader)
    for hex in ("3014", "3013", "3012"):
        tap_hex(reader, hex)
    reader.taps(named(card, "Carry out"))
    expect(reader.page.locator(".board-card")).to_have_attribute("aria-label", "Hex 3012")


@every_screen
def test_each_step_of_a_march_that_asks_for_facts(serve: Serve, visit: Visit, screen: str) -> None:
    reader = march_in(serve, visit, screen, WITHOUT_CHART)
    card = set_out(on_the_map(reader))
    for _ in range(6):
        fact = card.locator(".ask.fact").first
        if not fact.count():
            break
        reader.taps(fact.locator("input").first)
        reader.page.keyboard.type("0")
        reader.taps(named(fact, "State it"))
        reader.page.wait_for_timeout(150)
        reader.settle()
    expect(card).to_contain_text("within reach")
    tap_hex(reader, "3014")
    reader.taps(named(card, "Carry out"))


@every_screen
def test_each_step_of_a_retreat_that_is_asked_about(visit: Visit, address: str, tables: Tables, screen: str) -> None:
    tables.begin("table", "world-undone-east-prussia-1914", BEATEN)
    reader = reader_at(visit, address, screen)
    page = reader.page
    reader.taps(named(page.locator("#tabs"), "Ask"))
    page.get_by_label("Find a question").fill("retreat")
    page.locator(".questions button", has=page.locator("strong:text-is('Retreat')")).click()
    for unit in ("III/25", "III/27"):
        page.locator(".form-field[data-name=units]").get_by_role("button", name=unit).first.click()
    page.locator(".further summary").click()
    page.locator(".form-field[data-name=hexes] input").fill("2")
    page.locator(".question .main-button").click()
    for number, hex in enumerate(("5520", "5620"), 1):
        box = page.locator(".ask.choice", has_text=f"hex {number} of")
        reader.taps(box.locator(":is(.option, .hex.open)", has_text=hex), within=box)
    reader.taps(named(page, "Carry it out"))


@every_screen
def test_each_step_of_a_battle_of_two_nations(visit: Visit, address: str, tables: Tables, screen: str) -> None:
    tables.begin("table", KAISER, TWO_NATIONS)
    reader = reader_at(visit, address, screen)
    page = reader.page
    reader.taps(named(page.locator("#tabs"), "Battle"))
    for digit in "2620":
        reader.taps(named(page.locator(".hex-pad"), digit))
    line = page.locator("#line")
    expect(line).to_contain_text("Units of several nations may attack together only with a Headquarters")
    assert why_hidden(line.locator(".headline")) == ""
    reader.taps(named(line, "With Ober-Ost"))
    reader.taps(named(page.locator(".modes"), "Roll"))
    roll(reader, 3)
    for _ in range(8):
        if page.locator(".ask.roll .die:enabled").count():
            roll(reader, 1)
        elif page.locator(".ask.choice").count():
            choose(reader, 1)
        else:
            break
    reader.taps(named(page, "Carry out"))
    tick_all(reader)


@pytest.fixture
def at_checks(visit: Visit, address: str, tables: Tables) -> Page:
    """A phone with three Effectiveness Checks, which do not fit on it together."""
    tables.begin("table", GAME, BATTLES["the rulebook's example"].start)
    for line in BATTLES["the rulebook's example"].lines[:4]:
        tables.desk("table").enter(EnterRequest(table="table", line=line))
    page = visit.page(address, "phone")
    expect(page.locator(".ask.roll")).to_have_count(3)
    page.wait_for_selector(".panel[aria-busy=true]", state="detached")
    return page


def throw(page: Page, number: int) -> None:
    """Throw a check by a click that moves nothing: where the finger is, is up to the test. number: which, from 0."""
    page.wait_for_selector(".panel[aria-busy=true]", state="detached")
    page.locator(".ask.roll").nth(number).locator(".die").nth(5).evaluate("die => die.click()")
    if number < 2:  # the last one leads on
        expect(page.locator(".ask.roll").nth(number).locator(".die[aria-pressed=true]")).to_have_count(1)
    page.wait_for_selector("body[data-busy=no]")


def scrolled(page: Page) -> float:
    """How far the page is scrolled."""
    far: float = page.locator("#main").evaluate("main => main.scrollTop")
    return far


def does(page: Page, kind: str, event: str = "Event") -> None:
    """What a reader does in the panel."""
    page.locator(".battle").evaluate(
        "(panel, [kind, event]) => panel.dispatchEvent(new window[event](kind, { bubbles: true }))", [kind, event]
    )


def last_check(page: Page) -> Locator:
    return page.locator(".ask.roll").nth(2)


def test_page_stays_while_a_finger_is_down(at_checks: Page) -> None:
    throw(at_checks, 0)
    before = scrolled(at_checks)
    does(at_checks, "pointerdown", "PointerEvent")
    throw(at_checks, 1)
    assert scrolled(at_checks) == before
    assert why_hidden(last_check(at_checks))
    does(at_checks, "pointerup", "PointerEvent")
    at_checks.wait_for_timeout(50)
    assert why_hidden(last_check(at_checks)) == ""


def test_page_stays_where_the_reader_has_scrolled_until_something_else_is_due(at_checks: Page) -> None:
    throw(at_checks, 0)
    throw(at_checks, 1)
    does(at_checks, "wheel", "WheelEvent")
    at_checks.locator("#main").evaluate("main => main.scrollTo(0, 0)")
    at_checks.set_viewport_size({"width": 390, "height": 800})
    at_checks.wait_for_timeout(50)
    assert scrolled(at_checks) == 0
    throw(at_checks, 2)
    Reader(at_checks, touched=True).sees(named(at_checks, "Carry out"))


TAP_AT_ONCE = """() => {
  const panel = document.querySelector("#panel-battle");
  new MutationObserver(() => panel.getAttribute("aria-busy") === "true" && panel.querySelectorAll(".ask.roll")[2].querySelector(".die").click())
    .observe(panel, { attributes: true });
}"""
"""Taps a die of the last check as soon as the panel says that it is busy."""


def test_taps_pause_for_a_moment_once_the_page_has_moved(at_checks: Page) -> None:
    throw(at_checks, 0)
    before = scrolled(at_checks)
    at_checks.wait_for_selector(".panel[aria-busy=true]", state="detached")
    at_checks.evaluate(TAP_AT_ONCE)
    throw(at_checks, 1)
    at_checks.wait_for_selector(".panel[aria-busy=true]", state="detached")
    assert scrolled(at_checks) > before
    at_checks.wait_for_selector("body[data-busy=no]")
    expect(last_check(at_checks).locator(".die:enabled")).to_have_count(11)


def test_focus_stays_in_a_field_while_something_is_typed(serve: Serve, visit: Visit) -> None:
    reader = march_in(serve, visit, "phone", PRUSSIA)
    card = set_out(on_the_map(reader))
    card.locator("summary", has_text="Type the way").click()
    field = card.get_by_label("The way, hex by hex")
    field.press_sequentially("3014 3013", delay=20)
    expect(field).to_be_focused()
    assert why_hidden(field) == ""
    field.press("Enter")
    expect(card).to_contain_text("3015 → 3014 → 3013")
    reader.sees(named(card, "Carry out"))
