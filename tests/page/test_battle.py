"""A battle by taps, from an empty table to the list of what changes on the map, and how many taps it takes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from assistant import parse
from assistant.page.desk import Tables
from assistant.plugins.registry import named_game

from .battles import BATTLES, GAME, UNROSTERED, Battle
from .browser import Visit
from .small_host import hosted
from .tapping import Player

Plays = Callable[[Player], None]


@pytest.fixture
def tables(tmp_path: Path) -> Tables:
    return Tables(tmp_path)


@pytest.fixture
def address(tables: Tables) -> Iterator[str]:
    with hosted(tables) as address:
        yield address


def player(
    visit: Visit, address: str, tables: Tables, start: str = "", game: str = GAME, screen: str = "phone"
) -> Player:
    """A player at a table that begins with a position."""
    tables.begin("table", game, start or f"game {game}")
    return Player(visit.page(address, screen))


def result(page: Page) -> str:
    """What the line says."""
    return page.locator("#line").inner_text()


def example(player: Player) -> None:
    player.choose_hex("4119")
    player.stack("1/1")
    player.focus("40.20")
    player.stack("25/3")
    player.stack("27/3")
    player.focus("40.19")
    player.stack("29/20")
    player.pick("29/20")
    player.tap(player.button("steps lost: 3"))
    player.mode("Roll")
    player.roll(7)
    player.roll(3, "attacker")
    player.roll(4, "defender")
    player.option(3)
    player.roll(12, "40.20")
    player.roll(5, "40.19")
    player.roll(6, "41.19")
    player.option_hex("39.20")


def river(player: Player) -> None:
    player.choose_hex("4119")
    player.ground("41.19", "rough")
    player.stack("1/1")
    player.focus("40.20")
    player.stack("25/3")
    player.hexside("40.20")
    player.stack("27/3")
    player.mode("Roll")
    player.roll(9)
    player.roll(3, "attacker")
    player.roll(4, "defender")


def _against(player: Player, *attackers: tuple[str, tuple[str, ...]], defender: str = "1/1") -> None:
    player.choose_hex("4119")
    player.stack(defender)
    for hex, units in attackers:
        player.focus(hex)
        for unit in units:
            player.stack(unit)


ALL_THREE = ("40.20", ("25/3", "27/3")), ("40.19", ("29/20",))


def without_ammunition(player: Player) -> None:
    _against(player, *ALL_THREE)
    player.mode("Options")
    player.parameter("attacker ap", "none")
    player.mode("Roll")
    player.roll(7)
    player.roll(3, "attacker")
    player.roll(4, "defender")
    player.option(1)


def flanked(player: Player) -> None:
    _against(player, ALL_THREE[0])
    player.mode("Options")
    player.parameter("flanked", "yes")
    player.mode("Roll")
    player.roll(11)
    player.option(2)


def defender_without_ammunition(player: Player) -> None:
    player.choose_hex("4119")
    player.ground("41.19", "wetlands")
    player.stack("1/1")
    player.focus("40.20")
    player.stack("25/3")
    player.mode("Options")
    player.parameter("defender ap", "none")
    player.mode("Roll")
    player.roll(5)
    player.roll(2, "attacker")
    player.roll(6, "defender")


def cavalry(player: Player) -> None:
    _against(player, ("40.20", ("2/2",)), defender="8/8")
    player.mode("Roll")
    player.roll(8)
    player.roll(6, "attacker")
    player.roll(1, "defender")


def withheld(player: Player) -> None:
    _against(player, ("40.19", ("29/20",)), ("40.20", ("25/3", "27/3")))
    player.pick("27/3")
    player.tap(player.button("Withhold"))
    player.mode("Roll")
    player.roll(7)
    player.roll(3, "attacker")
    player.roll(4, "defender")
    player.option(2)


def worn(player: Player) -> None:
    player.choose_hex("4119")
    player.stack("1/1")
    player.pick("1/1")
    player.tap(player.button("steps lost: 4"))
    player.focus("40.20")
    player.stack("25/3")
    player.stack("27/3")
    for unit in ("25/3", "27/3"):
        player.pick(unit)
        player.tap(player.button("steps lost: 2"))
    player.mode("Roll")
    player.roll(10)
    player.option(2)


def three_sides(player: Player) -> None:
    _against(player, ("40.20", ("25/3",)), ("40.19", ("27/3",)), ("41.20", ("29/20",)))
    player.mode("Roll")
    player.roll(8)


def mountains(player: Player) -> None:
    player.choose_hex("4119")
    player.ground("41.19", "mountain")
    player.stack("1/1")
    player.pick("1/1")
    player.tap(player.button("More", ".unit-row"))
    player.tap(player.button("combat effectiveness status: one less"))
    player.focus("40.20")
    player.stack("25/3")
    player.stack("27/3")
    player.mode("Roll")
    player.roll(6)
    player.roll(1, "attacker")
    player.roll(1, "defender")


PLAYED: dict[str, Plays] = {
    "the rulebook's example": example,
    "over a river into rough ground": river,
    "without ammunition": without_ammunition,
    "a flanked defender": flanked,
    "a defender without ammunition": defender_without_ammunition,
    "cavalry alone": cavalry,
    "one division withheld": withheld,
    "worn divisions": worn,
    "from three sides": three_sides,
    "in the mountains, with a level lost": mountains,
}


@pytest.mark.parametrize("name", BATTLES)
def test_battle_takes_at_most_half_the_keys_of_the_prompt(
    name: str, visit: Visit, address: str, tables: Tables
) -> None:
    battle = BATTLES[name]
    table = player(visit, address, tables, battle.start)
    PLAYED[name](table)
    shown = tables.desk("table").show().answer
    assert shown
    assert shown.answers[0].removeprefix("undecided: ").startswith(battle.answer.removeprefix("undecided: "))
    assert table.taps <= battle.keys // 2
