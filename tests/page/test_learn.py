"""Lessons on the page: by taps and by keyboard, on a phone, with nothing in anybody's way."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from assistant.faces.page.lessons import show_lesson
from assistant.faces.page.tables import Tables
from assistant.installed.registry import published_game

from .browser import Visit
from .conftest import GAME
from .looking import barriers, cut_off, scrolls_sideways, small_targets


def lessons(visit: Visit, address: str, tables: Tables) -> Page:
    """The list of a game's lessons on a phone."""
    tables.begin("table", GAME, f"game {GAME}")
    page = visit.page(address, "phone", bypass_csp=True)
    page.locator("#top .title").click()
    page.locator("#panel-tables button", has_text="as lessons").and_(
        page.locator("button", has_text="Twilight")
    ).click()
    expect(page.locator("#panel-learn h1")).to_contain_text("Learn 1914, Twilight in the East")
    return page


def sound(page: Page) -> None:
    """Nothing bars anybody from what is shown."""
    assert barriers(page, "#panel-learn") == []
    assert not scrolls_sideways(page)
    assert cut_off(page) == []
    assert small_targets(page, 24) == []


def wait_for_taps(page: Page) -> None:
    """Taps pause for a moment when a decision comes into sight."""
    expect(page.locator("#panel-learn")).not_to_have_attribute("aria-busy", "true")


def test_a_lesson_goes_from_the_decision_to_the_answer_and_is_finished(
    visit: Visit, address: str, tables: Tables
) -> None:
    page = lessons(visit, address, tables)
    learn = page.locator("#panel-learn")
    sound(page)
    learn.locator("button", has_text="rule 4.4").first.click()
    expect(learn.locator("#lesson-question")).to_have_text("Which odds column applies?")
    assert "16 is below the middle" not in learn.inner_text()
    sound(page)
    wait_for_taps(page)
    learn.locator(".lesson-decision .chip", has_text="1:1").click()
    expect(learn.locator(".outcome")).to_contain_text("Right: 1:1")
    expect(learn.locator(".headline")).to_contain_text("column 1:1")
    expect(learn.locator("figure img")).to_have_count(1)
    sound(page)
    learn.locator(".given .main-button").click()
    learn.locator(".quiet-button", has_text="All").or_(learn.locator("h1", has_text="Learn")).first.wait_for()
    page.reload()
    page.wait_for_selector("body[data-ready=yes]")
    page.locator("#top .title").click()
    expect(page.locator("#panel-tables button", has_text="1 lesson finished")).to_have_count(1)


def test_a_lesson_by_keyboard_alone_names_a_wrong_guess(visit: Visit, address: str, tables: Tables) -> None:
    page = lessons(visit, address, tables)
    learn = page.locator("#panel-learn")
    learn.locator("button", has_text="rule 4.4").first.focus()
    page.keyboard.press("Enter")
    expect(learn.locator("#lesson-question")).to_be_visible()
    for _ in range(8):
        if page.evaluate("document.activeElement.classList.contains('chip')"):
            break
        page.keyboard.press("Tab")
    wait_for_taps(page)
    page.keyboard.press("Enter")
    expect(learn.locator(".outcome")).to_contain_text("but 1:1")
    assert page.locator("#quiet .refused").count() == 0


def test_hexes_are_chosen_on_the_map_or_by_their_buttons(visit: Visit, address: str, tables: Tables) -> None:
    page = lessons(visit, address, tables)
    learn = page.locator("#panel-learn")
    learn.locator("button", has_text="rule 9.1.3").first.click()
    (shown,) = show_lesson(published_game(GAME), "9.1.3/1").steps
    (decision,) = shown.decisions
    expect(learn.locator("#lesson-question")).to_be_visible()
    wait_for_taps(page)
    for hex in decision.right[:2]:
        picture = learn.locator(".lesson-map img")
        box = picture.bounding_box()
        assert box
        across, down = shown.places[hex]
        picture.click(position={"x": across * box["width"], "y": down * box["height"]})
        expect(learn.locator(".chip", has_text=hex)).to_have_attribute("aria-pressed", "true")
    expect(learn.locator(".lesson-map span")).to_have_count(2)
    sound(page)
    for hex in decision.right[2:]:
        learn.locator(".chip", has_text=hex).click()
    learn.locator(".lesson-decision .main-button").click()
    expect(learn.locator(".outcome")).to_contain_text("Right")
