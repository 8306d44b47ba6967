"""Counters as forms: what is printed on one is typed where it stands, and kept in the owner's pack."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.installed.registry import installed_games

from .pages import AtTable

GAME = "twilight-in-the-east"


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path / "data"))


@pytest.mark.parametrize("game", sorted(installed_games()))
def test_every_game_lists_its_counters_and_draws_them(tmp_path: Path, game: str) -> None:
    page = AtTable(tmp_path, game)
    formations = page.send("counters")["formations"]
    units = [unit for formation in formations for unit, _ in formation["units"]]
    assert {*units} == {*page.game.roster}
    for formation in formations[:5]:
        form = page.send("form", unit=formation["units"][0][0])
        assert form["face"].startswith("<svg")
        assert form["formation"] == formation["title"]


def test_values_stand_on_the_foot_of_the_front_first_and_on_the_back_last(tmp_path: Path) -> None:
    form = AtTable(tmp_path, GAME).send("form", unit="25/3")
    assert [(value["name"], value["at"]) for value in form["values"]][:3] == [
        ("steps", "front-foot"),
        ("defence", "front-foot"),
        ("artillery", "front"),
    ]
    assert [value["at"] for value in form["values"]][-3:] == ["back-foot", "back-foot", "back"]


def test_only_what_is_certain_is_shown(tmp_path: Path) -> None:
    values = {value["name"]: value for value in AtTable(tmp_path, GAME).send("form", unit="25/3")["values"]}
    assert values["effectiveness"]["value"] == "10"
    assert (values["steps"]["value"], values["steps"]["own"]) == ("", False)


def test_what_is_typed_is_kept_and_the_next_counter_offered(tmp_path: Path) -> None:
    page = AtTable(tmp_path, GAME)
    form = page.send("printed", unit="25/3", values={"steps": "10", "defence": "12", "movement": ""})
    values = {value["name"]: value for value in form["values"]}
    assert (values["steps"]["value"], values["steps"]["own"]) == ("10", True)
    assert not values["movement"]["own"]
    assert form["next"] == "27/3"
    missing = {unit: count for formation in page.send("counters")["formations"] for unit, count in formation["units"]}
    assert missing["25/3"] == missing["27/3"] - 2
    [unit] = [unit for unit in page.send("words", game=GAME)["units"] if unit["id"] == "25/3"]
    assert unit["figures"][:2] == ["10", "12"]


@pytest.mark.parametrize(
    ("unit", "values", "said"),
    [
        ("25/3", {"steps": "ten"}, "'ten' is not allowed"),
        ("25/3", {"effectiveness": "9"}, "contradicts the rulebook"),
        ("25/3", {"stepps": "9"}, "unknown track"),
        ("99/99", {"steps": "9"}, "unknown unit"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path: Path, unit: str, values: dict[str, str], said: str) -> None:
    page = AtTable(tmp_path, GAME)
    assert said in page.send("printed", unit=unit, values=values)["what"]
    assert page.send("pack")["files"] == []
