"""What a battle lacks that its reader cannot see or do now: unseen units by fields, the phase and unknown charts by a button."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from assistant.faces.page.messages.requests import EnterRequest
from assistant.faces.page.tables import Tables

from .battles import GAME
from .browser import SCREENS, Visit
from .looking import barriers, cut_off, scrolls_sideways, small_targets, units_shown
from .tapping import Player

UNSEEN = f"""game {GAME}
turn=2
41.19 clear unseen=central-powers
40.20: 25/3 (10-10-5-10), 27/3 (10-10-5-10)
"""
ATTACK = "4119 < 4020 25/3 27/3"


def at_battle(visit: Visit, address: str, tables: Tables, lines: list[str], start: str, screen: str) -> Player:
    desk = tables.begin("table", GAME, start)
    for line in lines:
        desk.enter(EnterRequest(table="table", line=line))
    player = Player(visit.page(address, screen))
    player.to_battle()
    player.settle()
    return player


@pytest.mark.parametrize("screen", SCREENS)
def test_unseen_units_are_chosen_and_described_without_notation(
    visit: Visit, address: str, tables: Tables, screen: str
) -> None:
    player = at_battle(visit, address, tables, [ATTACK], UNSEEN, screen)
    page = player.page
    ask = page.locator(".ask.fact", has_text="Unseen units at 41.19")
    expect(ask).to_be_visible()
    expect(ask).not_to_contain_text("UNIT")
    seen = [*barriers(page, ".ask.fact"), *cut_off(page), *small_targets(page)]
    player.tap(ask.locator(".cards .card", has=page.locator("b:text-is('1/1')")))
    ask.get_by_label("Find a unit").fill("Landsturm")
    player.tap(ask.locator(".card.new"))
    player.tap(ask.get_by_role("button", name="German", exact=True))
    player.figures("3-4-5-6")
    player.tap(ask.get_by_role("button", name="Not 1/1"))
    player.tap(ask.locator(".cards .card", has=page.locator("b:text-is('1/1')")))
    seen += [*barriers(page, ".ask.fact"), *cut_off(page)]
    player.tap(ask.get_by_role("button", name="They stand in 41.19"))
    expect(ask).to_have_count(0)
    there = {unit.id: unit.figures for unit in units_shown(tables, "table") if unit.place == "41.19"}
    assert there["Landsturm"] == ("3", "4", "5", "6")
    assert set(there) == {"1/1", "Landsturm"}
    assert (seen, scrolls_sideways(page)) == ([], False)


@pytest.mark.parametrize("screen", SCREENS)
def test_battle_that_the_phase_forbids_leads_to_the_attack_phase(
    visit: Visit, address: str, tables: Tables, screen: str
) -> None:
    start = f"game {GAME}\nturn=2 phase=movement phasing=russian\n41.19 clear: 1/1\n40.20: 25/3, 27/3\n"
    player = at_battle(visit, address, tables, [ATTACK], start, screen)
    line = player.page.locator("#line")
    expect(line).to_contain_text("the phase is movement")
    expect(line.get_by_role("button", name="Go to the phase Attack")).to_be_visible()
    assert barriers(player.page, "#line") == []
    player.tap(line.get_by_role("button", name="Go to the phase Attack"))
    expect(line).not_to_contain_text("the phase is movement")
    assert "fact phase=attack" in [entry.text for entry in tables.desk("table").show().entries]


def test_unknown_charts_of_the_luck_are_rebuilt_by_a_tap(visit: Visit, address: str, tables: Tables) -> None:
    combat = "4119c 1/1 12-16-7-11 <4020o 25/3 10--5-10 27/3 = 4019o 29/20 = -3"
    dice = ["7", "3", "4", "3", "12", "5", "6", "39.20", "done"]
    player = at_battle(visit, address, tables, ["t=2", combat, *dice], f"game {GAME}\n", "phone")
    player.tap(player.page.locator("#tabs").get_by_role("button", name="Share"))
    luck = player.page.locator(".luck")
    player.tap(luck.get_by_role("button", name="The luck in the battles so far"))
    expect(luck).to_contain_text("1 of 1 battle left out")
    assert barriers(player.page, ".luck") == []
    player.tap(luck.get_by_role("button", name="Use made-up charts"))
    expect(luck).to_contain_text("luckier than in 54 of 100")
    expect(luck).to_contain_text("Rests on made-up charts")
    assert ([*barriers(player.page, ".luck"), *cut_off(player.page)], scrolls_sideways(player.page)) == ([], False)


def test_unit_that_no_roster_has_may_have_any_name(visit: Visit, address: str, tables: Tables) -> None:
    player = at_battle(visit, address, tables, ["t=2"], f"game {GAME}\n", "phone")
    player.choose_hex("4119")
    player.new_unit("Landsturm", nation="German")
    player.figures("3-4-5-6")
    assert [(unit.id, unit.place) for unit in units_shown(tables, "table")] == [("Landsturm", "41.19")]
