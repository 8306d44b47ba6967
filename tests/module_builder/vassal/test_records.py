"""The window of record tracks, with its markers; and the window on which a module opens."""

from __future__ import annotations

from itertools import combinations

import pytest
from lxml import etree

from assistant.formats.vassal.positions import read_vassal
from assistant.formats.vassal.saves import read_save
from assistant.installed.registry import load_game
from module_builder.vassal.module import BuiltModule, build_module
from module_builder.vassal.records import RECORDS, RecordSheet
from tests.module_builder.test_data_game import files_of

from ...cases import thorough

GAMES = ("kaisers-war-in-the-east", "twilight-in-the-east", "world-undone-east-prussia-1914")


@pytest.mark.parametrize("id", GAMES)
def test_every_marker_lies_in_a_box_of_its_track_and_boxes_do_not_overlap(id: str) -> None:
    sheet = RecordSheet(load_game(id), 75)
    wide, high = sheet.size
    for (x, y), (other_x, other_y) in combinations(sheet.boxes.values(), 2):
        assert abs(x - other_x) >= 75 or abs(y - other_y) >= 75
    assert all(38 <= x <= wide - 38 and 38 <= y <= high - 38 for x, y in sheet.boxes.values())
    slots = {marker.slot: str(number) for number, marker in enumerate(sheet.markers)}
    assert {piece.at for piece in sheet.pieces(slots)} <= {*sheet.boxes.values()}


def test_the_markers_of_a_set_up_lie_at_the_victory_points_that_it_states() -> None:
    game = load_game("kaisers-war-in-the-east")
    files = files_of(build_module(game))
    sheet = RecordSheet(game, 75)
    named = {at: name for name, at in sheet.boxes.items()}
    for file, allies, powers in (("August-1914.vsav", 80, 65),):
        pieces = [piece for piece in read_save(files[file]).pieces.values() if piece.map == RECORDS]
        assert {piece.name: named[piece.at] for piece in pieces} == {
            "Victory Points: Allies": f"Victory Points {allies}",
            "Victory Points: Central Powers": f"Victory Points {powers}",
            "PSYWAR attacks (optional): Allies": "PSYWAR attacks (optional): Allies 0",
            "PSYWAR attacks (optional): Central Powers": "PSYWAR attacks (optional): Central Powers 0",
        }
        state = read_vassal(files[file], file, lambda id: game).state
        assert state.unread == ()
        assert (state.facts["vp", "allies"].value, state.facts["vp", "central-powers"].value) == (allies, powers)


def test_who_counts_tens_apart_has_two_markers() -> None:
    sheet = RecordSheet(load_game("twilight-in-the-east"), 75)
    rail = [(marker.who, marker.tens) for marker in sheet.markers if marker.title == "Rail Points"]
    assert rail == [(who, tens) for who in ("german", "austro-hungarian", "russian") for tens in (False, True)]


def test_markers_in_one_box_are_a_stack_in_set_ups_and_in_a_new_game(built: BuiltModule) -> None:
    files = files_of(built)
    save = read_save(files["19-August-1914-East-Prussia.vsav"])
    kept = {id for id, piece in save.pieces.items() if piece.map == RECORDS}
    stacks = [stack.pieces for stack in save.stacks.values() if stack.map == RECORDS]
    assert sorted(map(len, stacks)) == [2, 2, 2, 4], (
        "ones and tens of three nations, and of the two sides that share a track"
    )
    assert {id for stack in stacks for id in stack} == kept
    windows = etree.fromstring(files["buildFile.xml"]).iter("{*}VASSAL.build.module.Map")
    window = next(one for one in windows if one.get("mapName") == RECORDS)
    assert sorted(map(len, window.iter("{*}VASSAL.build.module.map.SetupStack"))) == [2, 2, 2, 4]


@thorough
@pytest.mark.parametrize(("id", "first"), [(GAMES[0], "Boxes"), (GAMES[1], "Map"), (GAMES[2], "Map")])
def test_a_module_opens_on_its_map_or_where_nothing_is_drawn_there_on_the_boxes(id: str, first: str) -> None:
    root = etree.fromstring(files_of(build_module(load_game(id)))["buildFile.xml"])
    windows = [*root.iter("{*}VASSAL.build.module.Map")]
    assert [window.get("mapName") for window in windows if window.get("launch") == "false"] == [first]
    assert windows[0].get("mapName") == first, "the engine opens on the first"
