"""Everybody can read the page: each panel of each game on the narrowest screen, names whole, text at twice its size, no motion."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page

from assistant.installed.registry import installed_games
from module_builder.new import new_game

from .browser import Visit
from .conftest import Serve
from .looking import barriers, cut_off, scrolls_sideways

PLUGINS = Path(__file__).parents[2] / "plugins"
EXAMPLES = {
    "der-weltkrieg": "der_weltkrieg/examples/may-1916.pos",
    "kaisers-war-in-the-east": "kaisers_war_in_the_east/examples/battle.pos",
    "twilight-in-the-east": "twilight_in_the_east/examples/battle.pos",
    "world-undone-east-prussia-1914": "world_undone_east_prussia/examples/battle.pos",
}
NARROW = {"width": 320, "height": 640}
NAMES = ("Łódź-Schützenbrigade Wągrowiec", "Landwehr-Infanterie-Brigade Königsberg Nr. 38", "Przemyśl-Honvédbrigade")
NAMED = f"""game twilight-in-the-east
turn=1
trust charts
41.19 clear: german infantry XX "{NAMES[0]}" (12-16-7-11), german infantry X "{NAMES[1]}" (6-8-3-11)
40.20: russian infantry XX 25/3 (10-9-5-10)
40.19: austro-hungarian infantry X "{NAMES[2]}" (6-5-2-9)
"""


def own_game(folder: Path) -> tuple[str, str]:
    """A game of files alone in a folder, and a position of it."""
    new_game(folder / "heath")
    return str(folder / "heath"), (folder / "heath" / "examples" / "attack.pos").read_text("utf-8")


def enter(page: Page, table: str, line: str) -> None:
    """Enter a line past the buttons; the page hears of it as of what another player enters."""
    request = {"do": "enter", "table": table, "line": line, "tap": line}
    post = "{ method: 'POST', headers: { 'Content-Type': 'application/json' }, body }"
    page.evaluate(f"(body) => fetch('respond', {post}).then((answer) => answer.text())", json.dumps(request))


def panels(page: Page) -> list[str]:
    """The names of the panels."""
    return [name for name in page.locator("#tabs button").all_inner_texts() if name]


@pytest.mark.parametrize("game", [*EXAMPLES, "of a folder"])
def test_every_panel_on_the_narrowest_screen(game: str, visit: Visit, serve: Serve, tmp_path: Path) -> None:
    named, position = (game, (PLUGINS / EXAMPLES[game]).read_text("utf-8")) if game in EXAMPLES else own_game(tmp_path)
    page = visit.page(serve(named, position).link(), "phone")
    page.set_viewport_size(NARROW)  # type: ignore[arg-type]
    wrong: dict[str, list[str]] = {}
    for panel in panels(page):
        page.locator("#tabs").get_by_role("button", name=panel, exact=True).click()
        page.wait_for_load_state()
        page.wait_for_timeout(300)
        wide = ["scrolls sideways"] if scrolls_sideways(page) else []
        wrong[panel] = [*(one for one in barriers(page) if "partially obscured" not in one), *cut_off(page), *wide]
    assert len(wrong) >= 4
    assert {panel: faults for panel, faults in wrong.items() if faults} == {}


def test_there_is_an_example_of_each_game() -> None:
    assert {*installed_games()} == {*EXAMPLES}


@pytest.mark.parametrize("large", [False, True], ids=["as it is", "twice as large"])
def test_german_and_polish_names_are_whole(large: bool, visit: Visit, serve: Serve) -> None:
    laptop = serve(position=NAMED)
    page = visit.page(laptop.link(), "phone", bypass_csp=large)
    if large:
        page.add_style_tag(content="html { font-size: 200% }")
    page.locator("#tabs").get_by_role("button", name="Battle").click()
    enter(page, laptop.serving.room.table, "4119 <")
    page.get_by_role("group", name="Units in 41.19").wait_for()
    assert cut_off(page) == []
    assert not scrolls_sideways(page)
    shown = page.locator("#main").inner_text()
    assert [name for name in NAMES if name not in shown] == []


def test_nothing_moves_for_who_wants_no_motion(visit: Visit, serve: Serve) -> None:
    page = visit.page(serve(position=NAMED).link(), "phone", reduced_motion="reduce")
    for panel in panels(page):
        page.locator("#tabs").get_by_role("button", name=panel, exact=True).click()
        moving = page.evaluate(
            "() => document.getAnimations().filter(({ effect }) => effect.getComputedTiming().duration > 10).map((one) => one.animationName ?? one.transitionProperty)"
        )
        smooth = page.evaluate("() => getComputedStyle(document.documentElement).scrollBehavior")
        assert (moving, smooth) == ([], "auto"), panel
