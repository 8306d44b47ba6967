"""The headings of the inventory: sides by their titles, armies and corps in words."""

from __future__ import annotations

import pytest
from lxml import etree

from assistant.installed.registry import load_game
from module_builder.vassal.module import BuiltModule
from module_builder.vassal.pieces.headings import Headings
from tests.module_builder.test_data_game import files_of

from ....cases import thorough


@pytest.mark.parametrize(
    ("game", "unit", "headings"),
    [
        ("twilight-in-the-east", "1/1", ["Central Powers", "German Eighth Army", "Corps 1"]),
        ("twilight-in-the-east", "2 lw", ["Central Powers", "German Eighth Army", "without corps"]),
        ("twilight-in-the-east", "Russian 1 Train", ["Russian", "Second Army", "Corps 1"]),
        ("world-undone-east-prussia-1914", "2A/15C", ["Russian", "Second Army", "Cavalry"]),
        ("der-weltkrieg", "GE 2Lw", ["Central Powers", "Germany: Infantry", "XX"]),
    ],
)
def test_a_counter_is_listed_under_its_side_and_its_army(game: str, unit: str, headings: list[str]) -> None:
    found = Headings(load_game(game))
    assert found.of(unit) == headings
    assert found.depth == len(headings)


@thorough
def test_every_heading_is_of_words_and_every_counter_has_as_many(built: BuiltModule) -> None:
    for name in ("twilight-in-the-east", "kaisers-war-in-the-east", "world-undone-east-prussia-1914", "der-weltkrieg"):
        game = load_game(name)
        headings = Headings(game)
        titles = {game.file.title_of(side) for side in game.file.sides}
        for unit in game.roster:
            first, *others = headings.of(unit)
            assert first in titles, (name, unit)
            assert len(others) == headings.depth - 1
            assert all(others)


def test_the_inventory_groups_by_them(built: BuiltModule) -> None:
    inventory = next(etree.fromstring(files_of(built)["buildFile.xml"]).iter("{*}VASSAL.build.module.Inventory"))
    assert inventory.get("groupBy") == "heading_1,heading_2,heading_3"
