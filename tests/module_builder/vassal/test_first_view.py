"""Where a set-up opens: on the fight, not in the corner of the map."""

from __future__ import annotations

from math import dist

import pytest
from lxml import etree

from assistant.formats.vassal.saves import Ping, Save, read_commands, read_save, write_commands
from assistant.installed.registry import load_game
from module_builder.vassal.first_view import FLARE, UnitSpot, find_fight
from module_builder.vassal.module import BuiltModule, build_module
from tests.module_builder.test_data_game import files_of

from ...cases import thorough


def spots(text: str) -> list[UnitSpot]:
    """Units on a line, a letter a hundred pixels: r and b are of two sides."""
    return [UnitSpot((100 * at, 0), letter) for at, letter in enumerate(text) if letter != "."]


@pytest.mark.parametrize(
    ("line", "middle"),
    [
        ("rrr.................rb", 2050),  # not where one side masses
        ("rb........rrbb......rrb", 1150),  # where most of both are
        ("r.........b", 500),  # nobody is near: between the nearest
        ("rrr", 100),
        ("..r", 200),
    ],
)
def test_the_fight_is_where_most_units_of_both_sides_are_close(line: str, middle: int) -> None:
    assert find_fight(spots(line), 350) == (middle, 0)


def test_without_units_on_the_map_there_is_none() -> None:
    assert find_fight([], 350) is None


def test_every_set_up_of_the_module_names_its_fight(built: BuiltModule) -> None:
    files = files_of(built)
    for name in (name for name in files if name.endswith(".vsav")):
        save = read_save(files[name])
        (ping,) = save.pings
        near = {
            piece.marks().get("Side")
            for piece in save.pieces.values()
            if piece.map == "Map" and dist(piece.at, ping.at) < 450
        }
        assert ping.flare == FLARE
        assert near - {None}, name
        assert {"russian", "central-powers"} <= near or "supply" in name, name


def test_a_ping_is_carried_out_when_the_game_stands_and_read_again() -> None:
    save = Save(pings=(Ping("Flare0", (40, 50)),), steps=("CHAThello",))
    commands = write_commands(save)
    assert commands[-3:] == ["end_save", "FLARE\tFlare0\t40\t50", "LOG\tCHAThello"]
    assert read_commands(commands).pings == save.pings


@thorough
def test_a_set_up_whose_module_opens_on_boxes_points_at_the_middle_of_those_in_use() -> None:
    files = files_of(build_module(load_game("kaisers-war-in-the-east")))
    for name in (name for name in files if name.endswith(".vsav")):
        save = read_save(files[name])
        (ping,) = save.pings
        used = [piece.at for piece in save.pieces.values() if piece.map == "Boxes"]
        for axis in (0, 1):
            assert ping.at[axis] == (min(at[axis] for at in used) + max(at[axis] for at in used)) // 2, name
    root = etree.fromstring(files["buildFile.xml"])
    flares = [
        window.get("mapName")
        for window in root.iter("{*}VASSAL.build.module.Map")
        for _ in window.iter("{*}VASSAL.build.module.map.Flare")
    ]
    assert flares == ["Boxes", "Map"], "the first flare of the module is that of the window on which it opens"
