"""What holds around the panels: taps on their way, Back, the sheet, undo, and one table after another."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from assistant.faces.page.tables import Tables

from .battles import BATTLES, GAME
from .browser import Visit, opened
from .looking import barriers, cut_off
from .tapping import Player

KAISER = "kaisers-war-in-the-east"


@pytest.fixture
def page(visit: Visit, address: str, tables: Tables) -> Page:
    """A page whose only table has units of both sides."""
    tables.begin("first", GAME, BATTLES["cavalry alone"].start)
    return visit.page(address, "phone")


SENT = "() => !Object.keys(localStorage).some((name) => name.includes('tap:'))"
"""Whether no tap waits."""


def placed(tables: Tables, table: str) -> int:
    """How often the unit has been put on a table."""
    return sum("8/8" in entry.text for entry in tables.desk(table).show().entries)


def tab(page: Page, panel: str) -> None:
    page.locator("#tabs").get_by_role("button", name=panel).click()


def go_on(page: Page, table: str) -> None:
    """Turn to another table."""
    page.locator("#top .title").click()
    page.locator("#panel-tables .begun > button", has_text=table).click()
    expect(page.locator("#panel-tables")).to_be_hidden()


def stand(page: Page) -> None:
    """Turn to a hex in the panel of the battle, where units can be put."""
    tab(page, "Battle")
    Player(page).choose_hex("4119")
    page.locator(".cards .card").first.wait_for()


def place(page: Page) -> None:
    """Put a unit there."""
    page.locator(".cards .card", has=page.locator("b:text-is('8/8')")).click()


def test_back_closes_the_sheet_and_leads_to_the_panel_before(page: Page) -> None:
    tab(page, "Ask")
    tab(page, "Turn")
    page.locator("#top .title").click()
    page.locator("#panel-tables").get_by_role("button", name="1914, Twilight in the East", exact=True).click()
    expect(page.locator("#sheet")).to_be_visible()
    page.go_back()
    expect(page.locator("#sheet")).to_be_hidden()
    expect(page.locator("#panel-tables")).to_be_visible()
    page.go_back()
    expect(page.locator("#panel-phase")).to_be_visible()
    page.go_back()
    expect(page.locator("#panel-ask")).to_be_visible()


def test_each_table_has_its_panels_anew(page: Page, tables: Tables) -> None:
    tables.begin("second", KAISER)
    tab(page, "Charts")
    chart = page.locator("#panel-charts li button").first
    title = chart.inner_text()
    chart.click()
    expect(page.locator("#panel-charts table, #panel-charts form").first).to_be_visible()
    go_on(page, "second")
    tab(page, "Charts")
    expect(page.locator("#panel-charts li button").first).to_be_visible()
    assert page.locator("#panel-charts li button").first.inner_text() != title
    expect(page.locator("#panel-charts table")).to_have_count(0)
    Player(page).settle()


def test_a_tap_that_waits_reaches_its_own_table_whatever_lies_on_the_page(
    page: Page, visit: Visit, tables: Tables
) -> None:
    visit.expected.append("Failed to load resource")
    tables.begin("second", KAISER)

    def stop(route: Route) -> None:
        if '"enter"' in (route.request.post_data or ""):
            route.abort()
        else:
            route.continue_()

    stand(page)
    page.route("**/respond", stop)
    place(page)
    expect(page.locator("#top .away")).to_contain_text("1 tap to send")
    go_on(page, "second")
    page.unroute("**/respond")
    page.wait_for_function(SENT)
    assert placed(tables, "first") == 1
    assert tables.desk("second").show().entry == 0


def test_a_tap_that_a_closed_tab_left_is_sent_by_the_next(
    page: Page, visit: Visit, address: str, tables: Tables
) -> None:
    visit.expected.append("Failed to load resource")
    stand(page)
    page.route("**/respond", lambda route: route.abort())
    place(page)
    expect(page.locator("#top .away")).to_contain_text("1 tap to send")
    page.close()
    opened(page.context.new_page(), address).wait_for_function(SENT)
    assert placed(tables, "first") == 1


def test_what_the_host_fails_over_is_said_and_the_next_tap_goes_on(page: Page, visit: Visit, tables: Tables) -> None:
    visit.expected.append("Failed to load resource")
    stand(page)
    page.route("**/respond", lambda route: route.fulfill(status=500, body="no"), times=1)
    place(page)
    expect(page.locator("#quiet .refused")).to_contain_text("It has not been entered.")
    place(page)
    expect(page.locator(".here .card")).to_have_count(1)
    expect(page.locator("#quiet .refused")).to_have_count(0)
    assert placed(tables, "first") == 1


def test_a_page_that_is_at_work_says_so_within_a_second(page: Page) -> None:
    stand(page)
    sign = page.locator("#at-work[role=status]")
    expect(sign).to_be_empty()
    waiting: list[Route] = []
    page.route("**/respond", lambda route: waiting.append(route))
    place(page)
    expect(sign).to_have_text("At work …", timeout=1000)
    for route in waiting:
        route.continue_()
    page.unroute("**/respond")
    expect(sign).to_be_empty()


HOLD_TIMERS = """() => {
  const held = new Map(), begin = setTimeout, end = clearTimeout;
  let last = 0;
  globalThis.setTimeout = (then, wait, ...given) => wait >= 500 ? (held.set(--last, then), last) : begin(then, wait, ...given);
  globalThis.clearTimeout = (timer) => held.delete(timer) || end(timer);
  globalThis.runHeld = () => held.forEach((then) => then());
}"""
"""Long waits end only when `runHeld` is called, so that no answer is late, however slow the machine."""


def test_a_page_that_answers_at_once_shows_no_sign_of_work(page: Page) -> None:
    page.evaluate(HOLD_TIMERS)
    page.locator("#top .title").click()
    Player(page).settle()
    page.evaluate("runHeld()")
    expect(page.locator("#at-work")).to_be_empty()


def test_undo_says_what_it_has_taken_back(page: Page) -> None:
    stand(page)
    place(page)
    page.locator("#top .undo").click()
    expect(page.locator("#quiet")).to_contain_text("Taken back: 41.19: 8/8")
    expect(page.locator("#top .undo")).to_be_disabled()


def test_figures_of_a_combat_are_read_out_as_they_change(page: Page) -> None:
    player = Player(page)
    tab(page, "Battle")
    player.choose_hex("4119")
    player.stack("1/1")
    player.focus("40.20")
    player.stack("25/3")
    aloud = page.locator("#read-out[role=status]")
    expect(aloud).to_contain_text("Odds: attack")
    before = aloud.inner_text()
    player.stack("27/3")
    expect(aloud).not_to_have_text(before)
    tab(page, "Ask")
    expect(aloud).to_contain_text("Odds: attack")


def test_a_table_is_deleted_with_what_the_browser_keeps_of_it(page: Page, tables: Tables) -> None:
    tables.begin("second", KAISER)
    kept = "() => Object.keys(localStorage).filter((name) => name.includes(':first')).length"
    stand(page)
    assert page.evaluate(kept) > 0
    go_on(page, "second")
    page.locator("#top .title").click()
    page.get_by_role("button", name="Delete first").click()
    page.locator("#sheet").get_by_role("button", name="Yes").click()
    expect(page.get_by_role("button", name="Delete first")).to_have_count(0)
    expect(page.get_by_role("button", name="Delete second")).to_be_visible()
    assert tables.names() == ["second"]
    assert page.evaluate(kept) == 0


def test_a_new_table_has_a_picture_of_its_game(page: Page) -> None:
    page.locator("#top .title").click()
    games = page.locator("#panel-tables h2:text-is('A new table') + ul .begun")
    expect(games.locator("img")).to_have_count(4)
    assert games.locator("img").evaluate_all("images => images.every((image) => image.complete && image.naturalWidth)")
    assert len(set(games.locator("img").evaluate_all("images => images.map((image) => image.src)"))) == 4


def test_a_table_is_renamed_in_the_list(page: Page, tables: Tables) -> None:
    page.locator("#top .title").click()
    row = page.locator("#panel-tables .choices.wide .begun > button")
    expect(row).to_contain_text("today")
    expect(row.get_by_role("img", include_hidden=True)).to_have_count(0)  # the sketch says nothing that is not in words
    page.get_by_role("button", name="Rename first").click()
    page.get_by_label("Name", exact=True).fill("Mondays with Anna")
    page.locator("#sheet").get_by_role("button", name="Rename").click()
    expect(row).to_contain_text("Mondays with Anna")
    assert barriers(page) == []
    assert cut_off(page) == []
    assert tables.names() == ["first"]
