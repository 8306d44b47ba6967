"""The pieces of counters: their ids depend on names alone, and those with two sides say what is printed on each."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.game.games import Game
from assistant.installed.registry import load_game
from assistant.util.errors import InputError
from module_builder.vassal.module import make_palettes
from module_builder.vassal.pieces import maker as ids
from module_builder.vassal.pieces.maker import FIRST_FREE_SLOT, Art, Maker, assign_slots, slot_number
from module_builder.vassal.pieces.traits import bound_level
from tests.module_builder.test_data_game import GAME, game_in


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
