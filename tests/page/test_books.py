"""A campaign's books in a browser: the calendar, accounts, events and corrections, by taps and by keys, on each size of screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Locator, Page, Route, expect

from assistant.faces.page.respond import respond
from assistant.faces.page.tables import Tables

from .browser import SCREENS, Visit, opened
from .looking import barriers, cut_off, scrolls_sideways, small_targets
from .tapping import Player

WELTKRIEG, KAISER = "der-weltkrieg", "kaisers-war-in-the-east"
AUTUMN = ("turn sep14/2", "ah dm 60 Lemberg", "turn sep14/7")
"""The campaign on the eve of October 1914."""
Begin = Callable[..., Page]


@pytest.fixture
def begin(address: str, visit: Visit, tables: Tables) -> Begin:
    """Opens a table of a game at which these lines have been entered."""

    def send(**request: Any) -> Any:
        return msgspec.json.decode(respond(tables, msgspec.json.encode(request)))

    def play(lines: Sequence[str] = (), screen: str = "phone", game: str = WELTKRIEG, **options: Any) -> Page:
        setups = send(do="words", game=game)["setups"]
        send(do="begin", table="war", game=game, position=setups[0]["text"] if setups else "")
        for line in lines:
            assert send(do="enter", table="war", line=line)["refused"] is None
        page = opened(visit.context(screen, origin=address, **options).new_page(), address)
        Player(page).settle()
        return page

    return play


def account(page: Page, nation: str, title: str) -> Locator:
    """The account of a nation, to be tapped."""
    holder = page.locator(".holder", has=page.get_by_role("heading", name=nation, exact=True))
    return holder.locator(".account", has=page.get_by_text(title, exact=True))


def entries(tables: Tables) -> list[str]:
    return [entry.text for entry in tables.desk("war").show().entries[::-1]]


class Keeper(Player):
    """One who keeps the books; figures typed on the device's keyboard count as taps."""

    def figures(self, typed: str, game: str = "") -> None:
        """Type a number into the field that the sheet opened at."""
        self.page.keyboard.type(typed)
        self.taps += len(typed)


def test_books_open_at_what_is_due_and_at_the_accounts(begin: Begin) -> None:
    page = begin()
    expect(page.locator("#panel-phase")).to_be_visible()
    expect(page.locator(".turn-head h1")).to_contain_text("August 1914, turn 1")
    due = page.locator("#panel-phase details", has_text="Due").first
    expect(due).to_contain_text("7 items due, 0 done")
    due.get_by_label("the three 1-6 cavalry divisions").check()
    expect(due).to_contain_text("7 items due, 1 done")
    expect(account(page, "France", "demoralization points")).to_contain_text("900 to Shaken")


def test_month_of_ten_entries_takes_25_taps(begin: Begin, tables: Tables) -> None:
    page = begin(AUTUMN)
    before = len(entries(tables))
    keeper = Keeper(page)
    for _ in range(6):
        keeper.tap(keeper.button("Next turn"))
    keeper.tap(account(page, "Austria-Hungary", "demoralization points"))
    keeper.figures("20")
    keeper.tap(keeper.button("Enter it", "#sheet"))
    keeper.tap(account(page, "Germany", "supply points"))
    keeper.figures("10")
    keeper.tap(keeper.button("On infantry, to make up for artillery", "#sheet"))
    keeper.tap(account(page, "France", "replacement strength"))
    keeper.figures("3")
    keeper.tap(keeper.button("Infantry", "#sheet"))
    keeper.tap(page.locator(".entries button", has_text="ah dm 20"))
    keeper.figures("22")
    keeper.tap(page.locator("#sheet form", has_text="The right amount").get_by_role("button", name="Correct"))
    assert entries(tables)[before:] == [
        *["turn"] * 6,
        "ah dm 20",
        "ge spend 10 infantry",
        "fr rebuild 3 infantry",
        f"amend {before + 7} ah dm 22",
    ]
    expect(account(page, "Austria-Hungary", "demoralization points")).to_contain_text("82")
    assert keeper.taps <= 25


def test_what_is_not_left_is_refused_where_it_is_typed_and_entered_if_the_players_agree(begin: Begin) -> None:
    page = begin(("turn oct14/5",))
    account(page, "France", "supply points").click()
    sheet = page.locator("#sheet")
    sheet.get_by_label("How many").fill("99")
    sheet.get_by_role("button", name="Enter it").click()
    expect(sheet.get_by_role("alert")).to_contain_text("only 15 left")
    sheet.get_by_role("button", name="The players agree: enter it").click()
    expect(sheet).to_be_hidden()
    expect(page.locator(".said-list")).to_contain_text("France: supply points: 99 less")


def test_account_says_what_was_posted_and_by_which_entry(begin: Begin, tables: Tables) -> None:
    page = begin(AUTUMN)
    account(page, "Austria-Hungary", "demoralization points").click()
    sheet = page.locator("#sheet")
    expect(sheet.locator(".account-now")).to_contain_text("Shaken at 550: 490 to go")
    sheet.locator(".postings li", has_text="Lemberg").get_by_role("button", name="Correct").click()
    sheet.get_by_role("button", name="Strike it out").click()
    expect(account(page, "Austria-Hungary", "demoralization points")).to_contain_text("250 to More German divisions")
    assert entries(tables)[-1] == "strike 2"


def test_points_are_taken_by_an_ally_and_a_unit_is_named(begin: Begin, tables: Tables) -> None:
    page = begin(("turn jul17/1",))
    account(page, "United States", "supply points").click()
    sheet = page.locator("#sheet")
    sheet.get_by_label("How many").fill("5")
    sheet.get_by_role("button", name="France").click()
    expect(sheet).to_be_hidden()
    page.get_by_role("button", name="Something else happened to Germany").click()
    sheet.locator("summary", has_text="is destroyed").click()
    name = sheet.locator("datalist option").first.get_attribute("value")
    assert name
    sheet.get_by_label("Unit").fill(name)
    sheet.locator("details[open] form").get_by_role("button", name="Enter it").click()
    expect(sheet).to_be_hidden()
    assert entries(tables)[-2:] == ["us give 5 french", f'ge lose "{name}"']


def test_books_are_kept_by_keys_alone(begin: Begin, tables: Tables) -> None:
    page = begin((), "desktop")
    account(page, "Germany", "demoralization points").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#sheet").get_by_label("How many")).to_be_focused()
    page.keyboard.type("5")
    page.keyboard.press("Enter")
    expect(account(page, "Germany", "demoralization points")).to_contain_text("1495 to Shaken")
    page.get_by_label("A line as at the table prompt").focus()
    page.keyboard.type("fr dm 21 the frontiers")
    page.keyboard.press("Enter")
    expect(page.locator(".told")).to_contain_text("France: demoralization points: 21 more")
    assert entries(tables) == ["ge dm 5", "fr dm 21 the frontiers"]


def test_typed_lines_have_the_help_of_the_prompt(begin: Begin) -> None:
    page = begin()
    page.locator(".typed-line").get_by_role("button", name="Help", exact=True).click()
    page.locator(".told").get_by_role("button", name="help events").click()
    expect(page.locator(".told")).to_contain_text("ge WORD AMOUNT KIND NOTE")
    page.get_by_label("A line as at the table prompt").fill("ge spned 3")
    page.keyboard.press("Enter")
    expect(page.locator("#quiet")).to_contain_text("spend")


def test_points_of_a_game_without_events_are_stated_in_the_same_sheet(begin: Begin) -> None:
    page = begin(game=KAISER)
    expect(page.locator("#panel-board")).to_be_visible()
    Player(page).tap(page.locator("#tabs").get_by_role("button", name="Turn"))
    account(page, "Allies", "Victory Points on the track").click()
    sheet = page.locator("#sheet")
    sheet.get_by_label("Victory Points on the track").fill("83")
    sheet.get_by_role("button", name="State it").click()
    expect(account(page, "Allies", "Victory Points on the track")).to_contain_text("83")
    account(page, "Allies", "Victory Points on the track").click()
    expect(sheet.locator(".postings")).to_contain_text("+3")


def test_an_amount_that_is_typed_at_once_stays_when_the_account_is_shown(begin: Begin) -> None:
    page = begin(game=KAISER)
    held: list[Route] = []

    def hold(route: Route) -> None:
        if '"account"' in (route.request.post_data or ""):
            held.append(route)
        else:
            route.continue_()

    page.route("**/respond", hold)
    Player(page).tap(page.locator("#tabs").get_by_role("button", name="Turn"))
    account(page, "Allies", "Victory Points on the track").click()
    sheet = page.locator("#sheet")
    sheet.get_by_label("Victory Points on the track").fill("83")
    while not held:
        page.wait_for_timeout(50)
    held[0].continue_()
    expect(sheet.locator(".account-now")).to_be_visible()
    expect(sheet.get_by_label("Victory Points on the track")).to_have_value("83")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("screen", SCREENS)
def test_nothing_bars_anyone_or_is_cut_off(begin: Begin, screen: str, theme: str) -> None:
    page = begin((*AUTUMN, "turn oct14/3"), screen, color_scheme=theme)
    expect(page.locator(".check-part").first).to_be_visible()
    seen = {"calendar": look(page)}
    account(page, "Germany", "supply points").click()
    expect(page.locator(".postings")).to_be_visible()
    seen["account"] = look(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Something else happened to France").click()
    for form in page.locator("#sheet summary").all():
        form.click()
    seen["events"] = look(page)
    page.keyboard.press("Escape")
    page.locator(".entries button").first.click()
    seen["entry"] = look(page)
    page.keyboard.press("Escape")
    page.locator(".typed-line").get_by_role("button", name="Help", exact=True).click()
    expect(page.locator(".told")).to_be_visible()
    seen["help"] = look(page)
    assert {place: faults for place, faults in seen.items() if faults} == {}


def look(page: Page) -> list[str]:
    page.evaluate("Promise.all(document.getElementById('sheet').getAnimations().map(({ finished }) => finished))")
    return [
        *barriers(page),
        *cut_off(page),
        *small_targets(page),
        *(["scrolls sideways"] if scrolls_sideways(page) else []),
    ]


def test_text_of_twice_the_size_has_room(begin: Begin) -> None:
    page = begin((*AUTUMN, "turn oct14/3"))
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    expect(page.locator(".account").first).to_be_visible()
    seen = [*cut_off(page)]
    account(page, "Germany", "supply points").click()
    expect(page.locator(".postings")).to_be_visible()
    assert ([*seen, *cut_off(page)], scrolls_sideways(page)) == ([], False)
