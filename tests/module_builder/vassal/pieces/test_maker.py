"""The pieces of counters: their ids and sides, the headings of the inventory, and the sentences in the chat for what players change."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree

from assistant.game.games import Game
from assistant.installed.registry import installed_games, load_game
from assistant.state.tracks import InModule, Track
from assistant.util.errors import InputError
from module_builder.vassal.module import BuiltModule, make_palettes
from module_builder.vassal.pieces import maker as ids
from module_builder.vassal.pieces.maker import FIRST_FREE_SLOT, Art, Headings, Maker, assign_slots, slot_number
from module_builder.vassal.pieces.prototypes import report_changes
from module_builder.vassal.pieces.statuses import Statuses, hex_statuses
from module_builder.vassal.pieces.traits import bound_level
from tests.module_builder.test_data_game import GAME, files_of, game_in

from ....cases import thorough


def test_an_id_depends_on_the_name_alone() -> None:
    many = [f"{number}/{number % 7}" for number in range(500)]
    before, after = assign_slots(many), assign_slots(["99 guards", *reversed(many)])
    assert {name: after[name] for name in many} == before
    assert all(0 < int(id) < FIRST_FREE_SLOT for id in after.values())
    assert len({*after.values()}) == 501


def test_of_two_names_with_the_same_number_each_gets_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ids, "slot_number", lambda name: len(name))
    assert assign_slots(["bb", "aa", "c"]) == {"aa": "2", "bb": "3", "c": "1"}
    assert assign_slots(["aa", "c", "bb"]) == {"aa": "2", "bb": "3", "c": "1"}


def test_a_renamed_unit_keeps_the_id_of_its_older_name_which_only_one_may_have() -> None:
    found = assign_slots(["1/1", "2 Guards"], {"2 Guards": slot_number("2 gd")})
    assert found == {"1/1": str(slot_number("1/1")), "2 Guards": str(slot_number("2 gd"))}
    with pytest.raises(InputError, match="b and a have the same slot id"):
        assign_slots(["a", "b"], {"a": 7, "b": 7})


def test_the_level_of_a_track_with_a_hyphen_is_no_subtraction() -> None:
    assert "lost_Level>=steps" in bound_level("lost", "steps", "76,130").type
    assert 'GetProperty("steps-lost_Level")>=steps' in bound_level("steps-lost", "steps", "76,130").type


def printed(game: Game, unit: str) -> str:
    """What the piece of a counter with two pictures says of its ratings."""
    piece = Maker(game, {unit: Art("front.png", "back.png")}, 75).unit(unit)
    (shown,) = [trait.type for trait in piece.traits if trait.type.startswith("calcProp;values;")] or [""]
    return shown or piece.marks()["values"]


@pytest.mark.parametrize(
    ("unit", "says"),
    [
        ("1/1", 'calcProp;values;{reduced_Level>1 ? "(6-8-4-11)" : "(12-16-7-11)"};values'),
        ("20 lw", 'calcProp;values;{reduced_Level>1 ? "(3-3-1-8)" : "(5-6-1-8)"};values'),
        ("Tilsit", "(1-1-0-6)"),
    ],
)
def test_a_counter_that_lies_on_its_back_shows_the_ratings_printed_there(twilight: Game, unit: str, says: str) -> None:
    assert printed(twilight, unit) == says


def test_units_are_called_as_players_call_them_and_known_by_their_ids() -> None:
    slots = {
        slot.piece.marks().get("unit"): slot.piece.name
        for slot in make_palettes(load_game("kaisers-war-in-the-east")).slots
    }
    assert slots["Ger-Abt-1"] == "German Army Abteilung 1"
    assert slots["Rus-SW"] == "Southwestern Front HQ"
    assert slots["Vienna"] == "Vienna"


def test_a_name_of_a_unit_that_is_not_there_is_a_mistake_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "names.csv").write_text("unit,name\nRams,The Rams\nBoars,The Boars\n")
    game = game_in(tmp_path, game_toml=GAME.replace('name = "Heath"\n', 'name = "Heath"\nnames = "names.csv"\n', 1))
    with pytest.raises(InputError, match=r"names.csv:3: unknown unit 'Boars'"):
        make_palettes(game)


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


@pytest.mark.parametrize(
    ("track", "value", "said"),
    [
        ("supply", "low", "is in Low Supply"),
        ("lost", "1", "has lost 1 step"),
        ("lost", "3", "has lost {} steps"),
        ("prepared", "none", "prepares no attack"),
        ("control", "russian", "is controlled by the Russian side"),
    ],
)
def test_a_value_is_told_in_words(track: str, value: str, said: str) -> None:
    assert load_game("twilight-in-the-east").tracks[track].said(value) == said


def test_without_words_of_its_own_a_fact_is_told_by_its_title_and_a_secret_without_its_unit() -> None:
    shown = InModule(menu=("Tire",))
    tired = Track(name="tired", title="tired", on="unit", kind="flag", module=shown)
    morale = Track(name="morale", title="morale", on="unit", kind="integer", module=shown)
    assert [tired.said("yes"), tired.said("no"), morale.said("3")] == [
        "now: tired",
        "no longer: tired",
        "now has morale {}",
    ]
    game = load_game("twilight-in-the-east")
    (lost,) = [status for status in Statuses(game).layers if status.track.name == "lost"]
    text = report_changes([lost]).part(2)
    assert "the steps lost of a unit changed" in text
    assert "newPieceName" not in text
    statuses = Statuses(load_game("twilight-in-the-east"))
    text = report_changes(statuses.layers, statuses.texts).part(2)
    assert text.startswith('{GetProperty("oldlost_Level")!=GetProperty("lost_Level") ? ')
    assert text.endswith(' : ""}')


@pytest.mark.parametrize("name", installed_games())
def test_no_sentence_is_notation(name: str) -> None:
    """Every value that a counter or a marker can show has words, and none of them is how the notation writes it."""
    game = load_game(name)
    statuses = [*Statuses(game).layers, *hex_statuses(game)]
    for status in statuses:
        for value in status.values:
            if value is not None:
                said = status.track.said(status.track.write(value))
                assert said.partition(" ")[0] in {"is", "has", "may", "moves"}, (status.track.name, value, said)
                assert "=" not in said
