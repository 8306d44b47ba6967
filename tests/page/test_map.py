"""The map as the page's home: a first visit begins on it, and one tap shows where a unit goes, how it is supplied, who threatens it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

import assistant
from assistant.faces.page.tables import Tables
from assistant.installed.registry import load_game
from assistant.util.datafiles import read_text

from .browser import SCREENS, Visit, opened
from .conftest import Serve
from .looking import barriers, cut_off, scrolls_sideways, small_targets, units_shown
from .tapping import Player

GAME = "twilight-in-the-east"
PAPER = f"game {GAME}\nturn=1\n41.19 clear: 1/1\n40.20: 25/3\n"
LAYERS = ("Reach", "Supply", "Threat")


class Commander(Player):
    """A player at the map."""

    def hex(self, hex: str) -> None:
        """Tap the counters in a hex."""
        self._at(self.page.locator(f'.board-pieces img[data-name="stack {hex}"]'))

    def reached(self, hex: str) -> None:
        """Tap a hex within reach, on what is written at its foot."""
        self._at(self.page.locator(f'.board-marks text[data-hex="{hex}"]'))

    def _at(self, what: Locator) -> None:
        box = what.bounding_box()
        assert box
        self.taps += 1
        self.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self.settle()

    def said(self) -> str:
        """What the map says of the units that are chosen."""
        expect(self.page.locator(".layer-said")).not_to_have_text("…")
        return self.page.locator(".layer-said").inner_text()


def drawn(page: Page) -> Page:
    """The page once all that is in sight of the map is drawn."""
    expect(page.locator("#panel-board")).to_be_visible()
    page.wait_for_selector('.board-stage[data-waits="0"]')
    return page


@pytest.fixture
def begun(address: str, visit: Visit) -> Commander:
    """A first visit with a phone."""
    return Commander(drawn(visit.page(address, "phone")))


def native(question: str, **asked: str) -> str:
    """What is answered without the page about the set-up of the first visit."""
    game = load_game(GAME)
    file, called, _ = game.set_up("19-august-1914")
    report = assistant.ask(assistant.parse(f"{read_text(file, called)}\ntrust charts\n", game=game), question, **asked)
    (answer,) = report.answers_on(())
    return re.split(r"(?<=\.) ", answer)[0]


def test_first_visit_begins_on_the_map_with_counters_that_can_be_read(begun: Commander, tables: Tables) -> None:
    page = begun.page
    expect(page.locator(".board-about")).to_contain_text("East Prussia, 19 August 1914. Tap a division")
    assert tables.names() == [f"{GAME}-1"]
    for hex in ("45.21", "44.19", "42.19", "42.21", "43.18"):
        box = page.locator(f'.board-pieces img[data-name="stack {hex}"]').bounding_box()
        about = page.locator(".board-about").bounding_box()
        assert box and about
        assert box["height"] >= 60
        assert box["x"] >= 0 and box["x"] + box["width"] <= 390 and box["y"] + box["height"] <= about["y"]
    begun.tap(page.get_by_role("button", name="Other games and tables"))
    expect(page.locator("#panel-tables")).to_contain_text("Der Weltkrieg")
    page.go_back()
    drawn(page)


def test_each_layer_is_one_tap_and_says_what_is_answered_elsewhere(begun: Commander) -> None:
    page = begun.page
    begun.hex("45.21")
    assert begun.said() == native("reach", units="36/17")
    begun.tap(page.get_by_role("button", name="Supply", exact=True))
    assert begun.said() == native("supply", unit="36/17")
    expect(page.locator('.board-below img[data-name="answer below"]')).to_be_visible()
    begun.tap(page.get_by_role("button", name="Threat", exact=True))
    assert begun.said() == native("threat", at="45.21")
    expect(page.locator(".layer-rests")).to_contain_text("made-up charts")
    begun.hex("42.21")  # the layer stays for another unit
    assert begun.said() == native("threat", at="42.21")
    assert begun.taps == 4
    card = page.locator(".board-card").bounding_box()
    assert card and card["height"] <= 844 / 4


def test_layer_is_switched_off_by_its_button(begun: Commander) -> None:
    begun.hex("45.21")
    begun.tap(begun.page.get_by_role("button", name="Supply", exact=True))
    expect(begun.page.locator(".board-below img")).to_have_count(1)
    begun.tap(begun.page.get_by_role("button", name="Supply", exact=True))
    expect(begun.page.locator(".board-below img")).to_have_count(0)
    expect(begun.page.locator(".layer-said")).to_have_count(0)


def test_march_in_three_taps(begun: Commander, tables: Tables) -> None:
    begun.hex("42.21")
    begun.reached("43.20")
    card = begun.page.get_by_role("region", name="March")
    expect(card).to_contain_text("42.21 → 43.20")
    begun.tap(card.get_by_role("button", name="Carry out"))
    assert begun.taps == 3
    expect(begun.page.locator(".board-card")).to_have_attribute("aria-label", "Hex 43.20")
    assert {unit.id: unit.place for unit in units_shown(tables, f"{GAME}-1")}["27/3"] == "43.20"


def test_example_of_combat_from_its_set_up_takes_twelve_taps(address: str, visit: Visit, tables: Tables) -> None:
    game = load_game(GAME)
    file, called, _ = game.set_up("comprehensive-example")
    tables.begin("table", GAME, f"{read_text(file, called)}\ntrust charts\n")
    player = Commander(drawn(visit.page(address, "phone")))
    player.hex("41.19")
    player.tap(player.button("Attack this hex"))
    player.mode("Roll")
    player.roll(7)
    player.roll(3, "attacker")
    player.roll(4, "defender")
    player.option(3)
    for hex, total in (("40.20", 12), ("40.19", 5), ("41.19", 6)):
        player.roll(total, hex)
    player.option_hex("39.20")
    player.tap(player.button("Carry out"))
    assert player.taps == 12
    units = {unit.id: unit for unit in units_shown(tables, "table")}
    assert units["27/3"].place == "39.20"
    assert "-4" in units["29/20"].state


def test_march_that_is_taken_back_is_over(begun: Commander, tables: Tables) -> None:
    begun.hex("42.21")
    begun.reached("43.20")
    begun.tap(begun.page.get_by_role("region", name="March").get_by_role("button", name="Carry out"))
    begun.tap(begun.page.locator(".undo"))
    assert {unit.id: unit.place for unit in units_shown(tables, f"{GAME}-1")}["27/3"] == "42.21"
    expect(begun.page.locator("#quiet")).to_contain_text("Taken back: 27/3 from 42.21 to 43.20")
    expect(begun.page.locator(".board-march")).to_be_hidden()
    begun.hex("42.21")
    expect(begun.page.locator(".board-card")).to_have_attribute("aria-label", "Hex 42.21")


def test_supply_on_the_map_from_nothing_in_two_taps(begun: Commander) -> None:
    begun.hex("42.21")
    begun.tap(begun.page.get_by_role("button", name="Supply", exact=True))
    assert begun.taps == 2
    line = begun.page.locator('img[data-name="answer below"]')
    expect(line).to_be_visible()
    assert begun.page.evaluate("image => image.naturalWidth > 0", line.element_handle())
    assert "Russian FIRST Major Depot" in begun.said()


def test_working_of_a_layer_is_one_tap_away(begun: Commander) -> None:
    begun.hex("42.21")
    begun.tap(begun.page.get_by_role("button", name="Why", exact=True))
    sheet = begun.page.get_by_role("dialog")
    expect(sheet.locator("img")).to_be_visible()
    sheet.get_by_role("button", name="Show on the map").click()
    expect(sheet).to_be_hidden()
    expect(begun.page.locator('img[data-name="answer below"]')).to_be_visible()
    drawn(begun.page)


def test_battle_from_the_map_and_back(begun: Commander) -> None:
    begun.hex("44.19")
    begun.tap(begun.page.get_by_role("button", name="Attack this hex"))
    assert begun.taps == 2
    expect(begun.page.locator("#panel-battle")).to_contain_text("44.19")
    expect(begun.page.locator("#line .chain")).to_be_visible()
    begun.tap(begun.page.get_by_role("button", name="Another hex"))
    drawn(begun.page)
    expect(begun.page.locator(".board-about")).to_contain_text("Tap the hex that is attacked")
    begun.hex("45.21")
    expect(begun.page.locator("#panel-battle")).to_contain_text("45.21")
    begun.page.go_back()
    drawn(begun.page)


def test_rest_of_the_card_is_opened(begun: Commander) -> None:
    begun.hex("42.21")
    page = begun.page
    expect(page.get_by_role("button", name="Remove it from the map")).to_be_hidden()
    begun.tap(page.get_by_role("button", name="More about hex 42.21"))
    expect(page.locator(".board-card")).to_contain_text("drawn from geography")
    begun.tap(page.locator(".board-card").get_by_role("button", name="27/3").last)
    expect(page.get_by_role("button", name="Remove it from the map")).to_be_visible()


def test_reload_goes_on_with_the_map_of_the_first_visit(begun: Commander, address: str, tables: Tables) -> None:
    drawn(opened(begun.page, address))
    expect(begun.page.locator(".board-about")).to_contain_text("Tap a division")
    assert len(tables.names()) == 1


def test_nothing_begins_where_there_is_a_table_or_was_one(visit: Visit, address: str, tables: Tables) -> None:
    tables.begin("ours", GAME, PAPER)
    page = drawn(visit.page(address, "phone"))
    expect(page.locator(".board-about")).not_to_contain_text("Tap a division")
    assert tables.names() == ["ours"]
    tables.delete("ours")
    opened(page, address)
    expect(page.locator("#panel-tables")).to_be_visible()
    assert tables.names() == []


def test_digits_are_there_at_once_where_nothing_stands(visit: Visit, serve: Serve) -> None:
    page = visit.page(serve().link(), "phone")
    expect(page.locator(".hex-pad")).to_be_visible()
    page.get_by_role("button", name="On the map").click()
    expect(page.locator(".board-about")).to_contain_text("Tap the hex that is attacked")


def test_other_games_have_the_layers_too(visit: Visit, serve: Serve) -> None:
    game = "world-undone-east-prussia-1914"
    text = f"game {game}\nboard east-prussia\nscenario=historical\nturn=4\ntrust counters\n3015: XVII/36\n3012: II/26\n"
    commander = Commander(drawn(visit.page(serve(game=game, position=text).link(), "phone")))
    commander.hex("3015")
    shown = commander.page.get_by_role("group", name="Shown on the map")
    assert shown.get_by_role("button").all_inner_texts() == [*LAYERS]
    commander.tap(shown.get_by_role("button", name="Supply"))
    assert "Königsberg" in commander.said()


def test_map_of_a_game_without_a_drawn_board_is_its_home(visit: Visit, serve: Serve) -> None:
    game = "kaisers-war-in-the-east"
    page = drawn(visit.page(serve(game=game, position=f"game {game}\n2622: AH-3\n").link(), "phone"))
    expect(page.locator("#tabs [aria-current]")).to_have_text("Map")


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_nothing_bars_anybody(visit: Visit, address: str, screen: str, colours: str) -> None:
    options: dict[str, Any] = {"color_scheme": colours}
    page = drawn(visit.page(address, screen, **options))
    assert barriers(page, "#main") == []
    box = page.locator('.board-pieces img[data-name="stack 42.21"]').bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    for layer in LAYERS:
        button = page.get_by_role("group", name="Shown on the map").get_by_role("button", name=layer)
        if button.get_attribute("aria-pressed") != "true":
            button.click()
        expect(page.locator(".layer-said")).not_to_have_text("…")
        assert barriers(page, ".board") == []
        assert small_targets(page) == []
        assert not scrolls_sideways(page)
    assert cut_off(page) == []
