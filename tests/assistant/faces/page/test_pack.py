"""The owner's pack on the page: charts as they are printed, counters as forms, and the pack as one file."""

from __future__ import annotations

import io
import zipfile
from base64 import b64encode
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from assistant.game.games import Game, pack_folder
from assistant.game.pack_charts import ChartFact
from assistant.game.packs import Pack
from assistant.installed.registry import installed_games, load_game

from ....folders import written
from ....module_builder.aids.moor import FILES
from .pages import AtTable

GAME = "twilight-in-the-east"
COMBAT = "4119c 1/1 12-16-7-11 <4020o 25/3 10--5-10 27/3 = 4019o 29/20 = -3"
CHARTS = [(game, chart) for game in sorted(installed_games()) for chart in load_game(game).charts]


pytestmark = pytest.mark.usefixtures("own_data")


@pytest.fixture
def page(tmp_path: Path) -> AtTable:
    return AtTable(tmp_path / "tables", GAME)


def keys_in(chart: Any) -> list[str]:
    return [*chain.from_iterable(chain.from_iterable(grid["keys"] for grid in chart["grids"]))]


@pytest.mark.parametrize(("game", "name"), CHARTS, ids=" ".join)
def test_every_chart_is_laid_out_with_each_cell_once(tmp_path: Path, game: str, name: str) -> None:
    page = AtTable(tmp_path, game)
    chart = page.send("chart", chart=name)
    if not chart["grids"]:
        ends = {end["key"]: end["examples"] for end in chart["ends"]}
        assert ends, "a chart has no cells only as long as its owner has not told where it ends"
        chart = page.send("chart", chart=name, ends=ends)
    every = keys_in(chart)
    assert len(every) == len({*every}) == chart["missing"] + len(chart["cells"])
    assert {*chart["cells"]} <= {*every}
    for grid in chart["grids"]:
        assert {len(row) for row in grid["keys"]} == {max(len(grid["columns"]), 1)}
        assert len(grid["keys"]) == len(grid["rows"])


def test_no_cell_of_a_reconstruction_is_shown(page: AtTable) -> None:
    chart = page.send("chart", chart="crt")
    assert chart["cells"] == {"summer,1:1,7": {"values": ["+1", "-"], "source": "rulebook"}}


def test_a_cell_is_kept_and_every_open_answer_knows_it(page: AtTable) -> None:
    before = page.enter(COMBAT)
    chart = page.send("cells", chart="crt", cells={"summer,1:1,2": "+2 / -", "summer,1:1,3": "+2w1/w1"})
    assert chart["cells"]["summer,1:1,3"] == {"values": ["+2 W1", "W1"], "source": "printed"}
    assert chart["missing"] == 195
    after = page.send("look")
    none, fewer = ({part["title"]: part["brief"] for part in shown["answer"]["parts"]} for shown in (before, after))
    assert none["Chances"] == "none without 16 chart cells"
    assert fewer["Chances"] == "none without 15 chart cells"
    assert after["pending"] == before["pending"]


def test_an_empty_text_takes_a_cell_out(page: AtTable) -> None:
    page.send("cells", chart="crt", cells={"summer,1:1,2": "+2 / -"})
    chart = page.send("cells", chart="crt", cells={"summer,1:1,2": ""})
    assert "summer,1:1,2" not in chart["cells"]
    assert chart["missing"] == 197


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ({"summer,1:1,2": "+2 / W9"}, "'W9' is not allowed"),
        ({"summer,1:1,2": "+2"}, "is not a cell of chart crt"),
        ({"summer,1:1,7": "- / -"}, "contradicts the rulebook"),
        ({"summer,9:1,7": "- / -"}, "'9:1' is not allowed"),
        ({"summer": "- / -"}, "needs 3 keys"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_kept(page: AtTable, cells: dict[str, str], said: str) -> None:
    refused = page.send("cells", chart="crt", cells={"summer,1:1,3": "- / -", **cells})
    assert said in refused["what"]
    assert [*page.send("chart", chart="crt")["cells"]] == ["summer,1:1,7"]


def test_a_cell_that_contradicts_a_reading_is_kept_and_asked_about(
    page: AtTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    def facts(game: Game) -> Pack:
        return Pack(
            game, pack_folder(game.id), (ChartFact("crt", "10.9", "no result of 2", False, lambda cells: True),)
        )

    monkeypatch.setattr("assistant.faces.page.pack.pack_of", facts)
    chart = page.send("cells", chart="crt", cells={"summer,1:1,2": "- / -"})
    assert chart["doubts"] == [{"rule": "10.9", "text": "no result of 2"}]
    assert "summer,1:1,2" in page.send("chart", chart="crt")["cells"]


def test_a_chart_of_which_only_the_owner_knows_the_ends_asks_for_them_first(tmp_path: Path) -> None:
    page = AtTable(tmp_path, "world-undone-east-prussia-1914")
    chart = page.send("chart", chart="russian-table")
    assert (chart["grids"], [end["key"] for end in chart["ends"]]) == ([], ["odds", "die"])
    ends = {"odds": ["1:3", "4:1"], "die": ["0", "7"]}
    [grid] = page.send("chart", chart="russian-table", ends=ends)["grids"]
    assert grid["columns"] == ["1:3 or less", "1:2", "1:1", "2:1", "3:1", "4:1 or more"]
    assert grid["keys"][-1][-1] == "4:1+,7+"
    page.send("cells", chart="russian-table", ends=ends, cells={"1:3-,0-": "AE"})
    chart = page.send("cells", chart="russian-table", ends=ends, cells={"4:1+,7+": "DE"})
    assert page.send("chart", chart="russian-table")["grids"] == chart["grids"], "the cells tell the ends from now on"


def test_a_table_is_read_before_it_is_kept(page: AtTable) -> None:
    rows = [["Summer", "Small", "Medium", "Large", "Massive"], *([str(roll), *["2/0"] * 4] for roll in range(-2, 15))]
    text = "\n".join("\t".join(row) for row in rows)
    read = page.send("paste", chart="slrt", text=text.replace("2/0", "2/9", 1))
    [way] = read["ways"]
    assert way["said"][1] == "season summer, magnitude Small, roll -2: ec: '9' is not allowed"
    assert len(way["cells"]) == 67 and way["cells"]["summer,Small,-1"] == "2 / 0"
    assert [len(grid["keys"]) for grid in way["grids"]] == [17]
    assert page.send("chart", chart="slrt")["missing"] == 135, "nothing is kept of it yet"
    assert page.send("cells", chart="slrt", cells=way["cells"])["missing"] == 135 - 66
    two = page.send("paste", chart="slrt", text=text.replace("Summer", ""))
    assert [next(iter(way["cells"])) for way in two["ways"]] == ["summer,Small,-2", "autumn,Small,-2"]


def test_a_table_that_could_not_be_kept_is_refused_when_it_is_read(page: AtTable) -> None:
    rows = [["Summer", "Small", "Medium"], *([str(roll), "0/0", "0/0"] for roll in range(-2, 15))]
    assert page.send("paste", chart="slrt", text="\n".join("\t".join(row) for row in rows))["is"] == "read"
    for season, cell in (("summer", "0/0"), ("autumn", "1/0")):
        rows = [[season, "Small", "Medium"], *([str(roll), cell, cell] for roll in range(-2, 15))]
        read = page.send("paste", chart="slrt", text="\n".join("\t".join(row) for row in rows))
        page.send("cells", chart="slrt", cells=read["ways"][0]["cells"]) if season == "summer" else None
    assert "contradicts what the rulebook says" in read["what"]
    assert page.send("paste", chart="slrt", text="x" * 600_000)["is"] == "refused"


def test_ends_that_cannot_be_are_refused(tmp_path: Path) -> None:
    page = AtTable(tmp_path, "world-undone-east-prussia-1914")
    refused = page.send("chart", chart="russian-table", ends={"odds": ["6:1", "1:3"], "die": ["0", "7"]})
    assert refused["is"] == "refused"


def test_a_game_of_data_alone_has_its_charts_too(tmp_path: Path) -> None:
    page = AtTable(tmp_path / "tables", str(written(tmp_path / "moor", FILES)))
    [dry, wet] = page.send("chart", chart="crt")["grids"]
    assert (dry["title"], wet["title"], dry["down"], dry["across"]) == ("Dry", "Wet", "Roll", "Odds")
    assert dry["rows"] == ["1 or less", "2", "3 or more"]
    chart = page.send("cells", chart="crt", cells={"wet,2:1,3": "4/R"})
    assert chart["cells"]["wet,2:1,3"]["values"] == ["4", "R"]


# --- counters ---------------------------------------------------------------------------------------------------------


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
def test_a_value_that_cannot_be_is_refused(tmp_path: Path, unit: str, values: dict[str, str], said: str) -> None:
    page = AtTable(tmp_path, GAME)
    assert said in page.send("printed", unit=unit, values=values)["what"]
    assert page.send("pack")["files"] == []


# --- the pack as one file -----------------------------------------------------------------------------------------------


def zipped(files: dict[str, str]) -> str:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as container:
        for name, text in files.items():
            container.writestr(name, text)
    return b64encode(out.getvalue()).decode()


def test_a_pack_goes_to_another_machine_and_is_the_same_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = AtTable(tmp_path / "here", GAME)
    page.send("cells", chart="crt", cells={"summer,1:1,2": "+2 / -"})
    page.send("printed", unit="25/3", values={"steps": "10"})
    pack = page.send("pack")
    assert pack["files"] == ["charts/crt.csv", "counters.csv"]
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path / "another"))
    there = AtTable(tmp_path / "there", GAME)
    assert there.send("chart", chart="crt")["missing"] == 197
    assert there.send("take-pack", data=pack["data"])["files"] == pack["files"]
    assert there.send("pack") == pack
    assert there.send("chart", chart="crt")["missing"] == 196


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"../counters.csv": "unit,steps\n25/3,9\n"}, "'../counters.csv' is not a file of a pack"),
        ({"/etc/counters.csv": "x"}, "is not a file of a pack"),
        ({"counters.csv": "unit,steps\n25/3,ten\n"}, "'ten' is not allowed"),
        ({"counters.csv": "unit,effectiveness\n25/3,3\n"}, "contradicts the rulebook"),
        ({"map.lines": "41.19 clera\n"}, "map.lines:1"),
        ({"charts/slrt.csv": "x" * 600_000}, "unpacks to"),
        ({}, "not a readable zip file"),
    ],
)
def test_a_file_that_is_no_sound_pack_changes_nothing(tmp_path: Path, files: dict[str, str], said: str) -> None:
    page = AtTable(tmp_path / "tables", GAME)
    page.send("printed", unit="25/3", values={"steps": "10"})
    before = page.send("pack")
    refused = page.send(
        "take-pack", data=zipped({"rulings.csv": "ruling,reading\nflip-point,half-down\n", **files} if files else {})
    )
    assert said in refused["what"]
    assert page.send("pack") == before


@pytest.mark.parametrize("data", ["AAAA", "no base64", ""])
def test_what_is_no_zip_file_is_refused(tmp_path: Path, data: str) -> None:
    assert AtTable(tmp_path, GAME).send("take-pack", data=data)["is"] == "refused"
