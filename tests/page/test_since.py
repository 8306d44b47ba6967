"""What has happened since a device last looked, stepped through: by finger and by key, on small and large screens, offline, and without
what a side may not know.
"""

from __future__ import annotations

import asyncio
import re
import shutil
import threading
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Response, expect

from assistant.faces.page.messages.requests import BeginFromRequest, EnterRequest
from assistant.faces.page.tables import Tables
from assistant.faces.page.vassal import begin_from_file, give_save
from assistant.util.background import Work

from ..assistant.faces.page.test_passages import EVENING, LOG, MARCHES
from .browser import PATIENCE, SCREENS, Visit, opened
from .conftest import Serve
from .first_visit import SAVE, drop
from .looking import barriers, cut_off, scrolls_sideways, small_targets
from .test_offline import KEPT
from .test_two_phones import typed

LONG = 120_000  # milliseconds: rules begin in a browser, or in a process beside the table
SEEN = 51  # of the 56 entries of the evening
LOOK_BACK = """(count) => {
    const name = Object.keys(localStorage).find((name) => name.includes("looked:"));
    if (name) localStorage.setItem(name, String(count));
    return Boolean(name);
}"""
"""Let the device have seen only so many entries; whether it has noted yet how many it has seen."""
SWIPE = """([across]) => {
    const card = document.querySelector(".replay-told"), { left, top } = card.getBoundingClientRect();
    const at = (type, x) => card.dispatchEvent(new PointerEvent(type, { bubbles: true, isPrimary: true, pointerType: "touch", pointerId: 7, clientX: x, clientY: top + 20 }));
    at("pointerdown", left + 150);
    at("pointermove", left + 150 + across / 2);
    at("pointerup", left + 150 + across);
}"""


@pytest.fixture
def evening(tables: Tables) -> Tables:
    tables.folder.mkdir(parents=True)
    shutil.copy(EVENING, tables.folder / "front.journal")
    return tables


def at(page: Page, position: str, *, patience: float = PATIENCE) -> None:
    heading = page.locator(".replay-card h2")
    expect(heading).to_contain_text(re.compile(f"^{re.escape(position)}"), timeout=patience)


def told(page: Page) -> str:
    return page.locator(".replay-told").inner_text()


def come_back(page: Page, seen: int) -> None:
    """Look at the page again, which has seen so many entries before."""
    for _ in range(100):
        if page.evaluate(LOOK_BACK, seen):
            break
        page.wait_for_timeout(100)
    page.reload()
    page.wait_for_selector("body[data-ready=yes]")


def replay_game(page: Page) -> None:
    """Step through the whole game, from the panel of the turn."""
    page.locator("#tabs").get_by_role("button", name="Turn").click()
    expect(page.get_by_role("button", name="Next: turn 14")).to_be_visible()
    expect(page.locator("#main [aria-busy=true]")).to_have_count(0)  # taps pause for a moment
    page.get_by_role("button", name="Step through the game").click()
    at(page, "At the start")


def replay_from_turn(page: Page, button: str) -> None:
    """Step through something from the panel of the turn, once that is drawn and takes taps."""
    page.locator("#tabs").get_by_role("button", name="Turn").click()
    expect(page.get_by_role("button", name=button)).to_be_visible()
    page.wait_for_timeout(500)
    expect(page.locator("body")).to_have_attribute("data-busy", "no")
    page.wait_for_timeout(500)  # taps pause for a moment
    page.get_by_role("button", name=button).click()


def tidy(page: Page) -> None:
    assert barriers(page) == []
    assert cut_off(page) == []
    assert not scrolls_sideways(page)
    assert small_targets(page, 40) == []


@pytest.mark.parametrize("screen", SCREENS)
def test_what_is_new_is_offered_and_stepped_through(visit: Visit, address: str, evening: Tables, screen: str) -> None:
    page = visit.page(address, screen)
    come_back(page, SEEN)
    offer = page.locator("#top .since")
    expect(offer).to_contain_text("5 entries since you last looked")
    tidy(page)
    offer.get_by_role("button", name="Step through", exact=True).click()
    expect(offer).to_be_hidden()
    at(page, "1 of 5")
    forward, back = (page.get_by_role("button", name=name, exact=True) for name in ("Next", "Back"))
    back.click()
    at(page, "As you last saw it")
    expect(back).to_be_disabled()
    forward.click()
    at(page, "1 of 5")
    tidy(page)
    act = forward.tap if SCREENS[screen].touched else forward.click
    for number in (2, 3, 4, 5):
        act()
        at(page, f"{number} of 5")
    text = told(page)
    assert "Attack on Eydtkuhnen (5420) from Stallupönen (5320)" in text
    assert re.search(r"column of the German table\s1:1", text)
    assert "percentile 58 for the attacker" in text
    assert page.locator(".replay .board-marks .target").count() == 1
    tidy(page)
    page.get_by_text("Dice, expected and actual").click()
    expect(page.get_by_role("table").first).to_contain_text("German (attacker): Strength Points lost")
    tidy(page)
    expect(forward).to_be_hidden()
    page.get_by_role("button", name="To the table").click()
    expect(page.locator("#panel-board")).to_be_visible()
    page.reload()
    page.wait_for_selector("body[data-ready=yes]")
    page.wait_for_load_state("networkidle")
    assert page.locator("#top .since").count() == 0


def test_keys_go_forward_and_back_and_to_both_ends(visit: Visit, address: str, evening: Tables) -> None:
    page = visit.page(address, "desktop")
    replay_game(page)
    for key, position in (
        ("Space", "1 of 56"),
        ("ArrowRight", "2 of 56"),
        ("ArrowLeft", "1 of 56"),
        ("Shift+Space", "At the start"),
        ("ArrowLeft", "At the start"),
        ("End", "56 of 56"),
        ("ArrowRight", "56 of 56"),
        ("Home", "At the start"),
    ):
        page.keyboard.press(key)
        at(page, position)
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    at(page, "1 of 56")
    page.get_by_role("button", name="Next", exact=True).focus()
    page.keyboard.press("Space")  # the button's own, which counts once
    at(page, "2 of 56")
    page.keyboard.press("Escape")
    expect(page.locator("#panel-board")).to_be_visible()


def test_counters_on_the_map_are_those_of_the_step(visit: Visit, address: str, evening: Tables) -> None:
    page = visit.page(address, "phone")
    replay_game(page)
    stacks = page.locator('.replay .board-pieces img[data-name^="stack"]')
    expect(stacks).to_have_count(2)
    page.get_by_role("button", name="Next", exact=True).tap()
    expect(stacks).to_have_count(1)  # B is eliminated
    page.get_by_role("button", name="Back", exact=True).tap()
    expect(stacks).to_have_count(2)


def test_swipe_over_the_card_goes_forward_and_back(visit: Visit, address: str, evening: Tables) -> None:
    page = visit.page(address, "phone")
    replay_game(page)
    for across, position in ((-120, "1 of 56"), (-120, "2 of 56"), (120, "1 of 56"), (-20, "1 of 56")):
        page.evaluate(SWIPE, [across])
        at(page, position)


def test_rest_is_offered_after_some_steps(visit: Visit, address: str, evening: Tables) -> None:
    page = visit.page(address, "phone")
    come_back(page, SEEN)
    page.locator("#top .since").get_by_role("button", name="Step through", exact=True).tap()
    at(page, "1 of 5")
    page.get_by_role("button", name="Next", exact=True).tap()
    at(page, "2 of 5")
    page.locator(".replay-card").get_by_role("button", name="Close").tap()
    expect(page.locator("#top .since")).to_contain_text("3 entries since you last looked")


def test_offer_that_is_closed_does_not_come_again(visit: Visit, address: str, evening: Tables) -> None:
    page = visit.page(address, "phone")
    come_back(page, SEEN)
    page.get_by_role("button", name="Skip the replay").tap()
    expect(page.locator("#top .since")).to_be_hidden()
    page.reload()
    page.wait_for_selector("body[data-ready=yes]")
    page.wait_for_load_state("networkidle")
    assert page.locator("#top .since").count() == 0


def test_what_this_device_enters_is_not_new_to_it(visit: Visit, address: str, evening: Tables) -> None:
    page = visit.page(address, "phone")
    come_back(page, 56)
    evening.desk("front")
    page.evaluate(
        """() => fetch("respond", { method: "POST", body: JSON.stringify({ do: "enter", table: "front", line: "5321 +C", tap: "by-another" }) })"""
    )
    page.reload()
    page.wait_for_selector("body[data-ready=yes]")
    expect(page.locator("#top .since")).to_contain_text("1 entry since you last looked")


def test_log_that_is_dropped_is_stepped_through(visit: Visit, address: str, tables: Tables) -> None:
    page = visit.page(address, "phone")
    drop(page, LOG.name, LOG.read_bytes())
    page.get_by_role("dialog").get_by_role("button", name="Continue as a table").click()
    offer = page.locator("#top .since")
    expect(offer).to_contain_text("This table began with a log.")
    offer.get_by_role("button", name="Step through", exact=True).click()
    at(page, "At the start")
    page.get_by_role("button", name="Next", exact=True).click()
    at(page, "1 of 2")
    assert "Attack on Stallupönen (41.19) from 40.19 and 40.20" in told(page)
    tidy(page)


def test_device_of_a_side_is_sent_nothing_that_is_hidden_from_it(serve: Serve, visit: Visit) -> None:
    hidden = "35/17"
    laptop = serve()
    central, russian = (visit.page(laptop.link(link), "phone") for link in ("1", "2"))
    typed(central, laptop, "41.19 clear: german infantry XX 1/1 12-16-7-11")
    typed(russian, laptop, "40.20 clear: russian infantry XX 25/3 10-9-5-10")
    for line in (f"42.20: german infantry XX 2/1 12-16-7-11, german {hidden} 12-16-7-11", f"{hidden} -2", "2/1 -1"):
        typed(central, laptop, line)
    typed(russian, laptop, "40.19: 25/3")
    russian.close()
    sent = list[bytes]()

    def note(response: Response) -> None:
        if response.url.endswith("/respond"):
            sent.append(response.body())

    page = visit.context("phone", origin=laptop.address).new_page()
    page.on("response", note)
    opened(page, laptop.link("2"))
    come_back(page, 0)
    offer = page.locator("#top .since")
    expect(offer).to_contain_text("4 entries since you last looked")  # of 6
    offer.get_by_role("button", name="Step through", exact=True).click()
    for number in (1, 2, 3, 4):
        at(page, f"{number} of 4", patience=LONG)
        if number < 4:
            page.get_by_role("button", name="Next", exact=True).click()
    assert "25/3 from 40.20 to 40.19" in told(page)
    tidy(page)
    assert any(b'"is":"passage"' in answer for answer in sent)
    assert not any(hidden.encode() in answer for answer in sent if b'"is":"words"' not in answer)


def test_whole_game_is_stepped_through_offline(visit: Visit, folder: str) -> None:
    page = visit.page(folder, "phone")
    page.evaluate(KEPT)
    page.context.set_offline(True)
    opened(page, folder)
    drop(page, LOG.name, LOG.read_bytes())
    page.get_by_role("dialog").get_by_role("button", name="Continue as a table").click(timeout=LONG)
    offer = page.locator("#top .since")
    expect(offer).to_contain_text("This table began with a log.", timeout=LONG)
    offer.get_by_role("button", name="Step through", exact=True).click()
    at(page, "At the start", patience=LONG)
    page.keyboard.press("Space")
    at(page, "1 of 2", patience=LONG)
    assert "Attack on Stallupönen (41.19)" in told(page)


def their_save(folder: Path) -> bytes:
    """The save of the example after a move and a loss, as another player sends it back."""
    theirs = Tables(folder)
    begin_from_file(
        theirs, BeginFromRequest(table="theirs", name=SAVE.name, data=b64encode(SAVE.read_bytes()).decode())
    )
    desk = theirs.desk("theirs")
    for line in ("29/20 -5", "38.20 29/20", "39.20 25/3, 27/3"):
        assert not desk.enter(EnterRequest(table="theirs", line=line, sure=True)).refused
    return b64decode(give_save(desk).data)


@pytest.mark.parametrize("screen", SCREENS)
def test_save_that_comes_back_is_stepped_through_from_the_one_seen_before(
    visit: Visit, address: str, tables: Tables, tmp_path: Path, screen: str
) -> None:
    page = visit.page(address, screen)
    drop(page, SAVE.name, SAVE.read_bytes())
    page.get_by_role("dialog").get_by_role("button", name="Continue as a table").click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    drop(page, "answer.vsav", their_save(tmp_path / "theirs"))
    sheet = page.get_by_role("dialog")
    expect(sheet.get_by_role("button", name="Continue as a table")).to_contain_text(
        "and what has changed since comprehensive example"
    )
    tidy(page)
    sheet.get_by_label("Compare with").select_option("no earlier table")
    expect(sheet.get_by_role("button", name="Continue as a table")).not_to_contain_text("what has changed")
    sheet.get_by_label("Compare with").select_option("comprehensive example")
    sheet.get_by_role("button", name="Continue as a table").click()
    offer = page.locator("#top .since")
    expect(offer).to_contain_text("3 changes since you last saw this game")
    tidy(page)
    offer.get_by_role("button", name="Step through", exact=True).click()
    at(page, "As you last saw it")
    assert told(page).startswith("3 changes from here.")
    for number, text in enumerate(
        ("25/3 and 27/3 from 40.20 to 39.20", "29/20 from 40.19 to 38.20", "lost 5 steps"), 1
    ):
        page.keyboard.press("Space")
        at(page, f"{number} of 3")
        assert text in told(page)
        tidy(page)
    page.get_by_role("button", name="To the table").click()
    page.reload()
    page.wait_for_selector("body[data-ready=yes]")
    page.wait_for_load_state("networkidle")
    assert page.locator("#top .since").count() == 0
    replay_from_turn(page, "What changed before this save")
    at(page, "As you last saw it")


def test_arrow_of_a_march_goes_from_hex_to_hex(visit: Visit, address: str, tables: Tables) -> None:
    position = MARCHES.read_text("utf-8").partition("\nask ")[0]
    desk = tables.begin("front", "world-undone-east-prussia-1914", position)
    for line in ("XVII/36 XVII/35 > 3014 3013 reserve=1 drop=XVII/35@3014", "done"):
        assert not desk.enter(EnterRequest(table="front", line=line, sure=True)).refused
    page = visit.page(address, "phone")
    replay_from_turn(page, "Step through the game")
    at(page, "At the start")
    page.keyboard.press("Space")
    at(page, "1 of 1")
    arrows = page.locator(".replay .board-marks .moved")
    expect(arrows).to_have_count(2)
    shafts = [str(drawn.get_attribute("d")).split("M")[1].count("L") for drawn in arrows.all()]
    assert sorted(shafts) == [1, 2]  # to the hex in which one is left, and on to the next one
    tidy(page)


def test_log_whose_explanation_is_left_is_explained_no_further(
    serve: Serve, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    laptop = serve()
    work_out, ended = laptop.serving.room.workers.work_out, threading.Event()

    async def held(link: str, work: Work) -> Any:
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()
        return await work_out(link, work)

    page = visit.page(laptop.link(), "phone")
    drop(page, LOG.name, LOG.read_bytes())
    page.get_by_role("dialog").get_by_role("button", name="Continue as a table").click()
    offer = page.locator("#top .since").get_by_role("button", name="Step through", exact=True)
    expect(offer).to_be_visible(timeout=LONG)
    monkeypatch.setattr(laptop.serving.room.workers, "work_out", held)
    offer.click()
    expect(page.locator(".replay-told")).to_contain_text("The log is being explained. Close stops it.")
    expect(page.locator("#at-work")).to_contain_text("At work")
    tidy(page)
    page.locator(".replay-card").get_by_role("button", name="Close").click()
    assert ended.wait(10)
    expect(page.locator("#top .away")).to_be_hidden()
    monkeypatch.undo()
    replay_from_turn(page, "Step through the log")
    at(page, "At the start", patience=LONG)
