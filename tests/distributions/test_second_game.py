"""A second game in under 500 lines of Python: what every wargame needs comes from the assistant.

A slice of Kaiser's War in the East with counters and ground made up: battle, general supply, retreat, ranking, the table prompt,
pictures and a module.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable

import pytest

from .test_separate_distributions import HERE, Table, installer, table  # noqa: F401 (fixtures)

ID = "kaisers-war-in-the-east"
GALICIA = f"""\
game {ID}
1010 rough: 8-Rus
1110: I-AH
1009: II-AH
1111: XX-Ger
1011: AH-Supply
1209 clear: 3-Rus
1110|1209,1111 dry
1010|1009,1011,1110,1111 dry
1009|1110 dry
chart terrain-effects rough = 2
chart terrain-effects clear = 1
"""


@pytest.fixture
def war(table: Callable[..., Table]) -> Table:  # noqa: F811
    return table("kaisers_war")


def test_it_is_short() -> None:
    sources = (HERE / "kaisers_war").rglob("*.py")
    assert sum(len(source.read_text("utf-8").splitlines()) for source in sources) < 500


def test_a_battle_before_and_after_its_die(war: Table) -> None:
    """22 against 13 doubled is 84 %: column 50-99, where 1 is AZ, 2 to 4 AD, 5 ST and 6 DD (14.8, 14.11, 14.13)."""
    report = war.report("battle", GALICIA, "--at", "1010", "--withhold", "XX-Ger")
    result = report["result"]
    assert (result["attack"], result["defence"], result["percent"], result["column"]) == (22, 26, 84, "50-99")
    assert {one["value"]: one["chance"]["exact"] for one in result["chances"]} == {
        "AD": "1/2",
        "AZ": "1/6",
        "ST": "1/6",
        "DD": "1/6",
    }
    assert result["without"] == {"I-AH": "<=49", "II-AH": "<=49"}
    assert result["near"]["spare"] == 9  # 13 against 26 is 50 %
    thrown = war.report("battle", GALICIA, "--at", "1010", "--withhold", "XX-Ger", "--answers", "die=6")
    assert (thrown["result"]["outcome"], thrown["result"]["retreats"]) == ("DD", "defender")


def test_what_is_not_allowed(war: Table) -> None:
    report = war.report("battle", GALICIA, "--at", "1010")
    assert [step["rule"] for step in report["parts"][0]["steps"]] == ["14.10"]


def test_maximum_attack_supply_doubles(war: Table) -> None:
    report = war.report("battle", GALICIA, "--at", "1010", "--withhold", "XX-Ger", "--supplied", "I-AH")
    assert report["result"]["attack"] == 34


def test_supply_by_radius_stops_in_an_enemy_zone(war: Table) -> None:
    """The supply unit stands in the zone of 8-Rus, and supplies its own hex only (17.4); behind the front it reaches (17.2)."""
    assert war.report("supply", GALICIA, "--unit", "I-AH")["result"]["supplied"] is False
    behind = GALICIA.replace("1011: AH-Supply", "1112 clear: AH-Supply") + "1111 clear\n1111|1112 dry\n"
    result = war.report("supply", behind, "--unit", "XX-Ger")["result"]
    assert (result["supplied"], result["line"]) == (True, ["1112", "1111"])


def test_a_retreat_names_what_bars_each_hex(war: Table) -> None:
    result = war.report("retreat", GALICIA, "--unit", "8-Rus", "--hexes", "2")["result"]
    assert {one["hex"]: one["rule"] for one in result["options"]} == {
        "0911": "",
        "0910": "15.2(2)",
        "1009": "15.2(1)",
        "1011": "15.2(1)",
        "1110": "15.2(1)",
        "1111": "15.2(1)",
    }
    blocked = GALICIA + "0911 clear: Krakau\n"
    report = war.report("retreat", blocked, "--unit", "8-Rus", "--hexes", "2")
    assert report["result"]["eliminated"] is True
    assert [(change["how"], change["unit"]) for change in report["changes"]] == [("leave", "8-Rus")]


def test_attacks_are_ranked(war: Table) -> None:
    report = war.report("attacks", GALICIA.replace("1111: XX-Ger\n", ""), "--side", "central-powers")
    assert [(one["at"], one["column"]) for one in report["result"]["targets"]] == [("1010", "50-99"), ("1209", "50-99")]


def test_at_the_table(war: Table) -> None:
    typed = "chart terrain-effects rough = 2\n1010r 8-Rus <1110 I-AH 1009 II-AH\n6\nquit\n"
    env = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, war.installed)), "FIELD_STAFF_DATA": str(war.folder)}
    command = [sys.executable, "-m", "assistant", "table", ID]
    said = subprocess.run(command, input=typed, env=env, cwd=war.folder, capture_output=True, text=True, check=False)
    assert "= column 50-99, result DD; retreats: defender" in said.stdout, said


def test_pictures_and_a_module(war: Table) -> None:
    for words in (("battle", "--at", "1010", "--withhold", "XX-Ger"), ("supply", "--unit", "I-AH")):
        said = war.ask(words[0], GALICIA, *words[1:], "--picture", f"{words[0]}.svg")
        assert said.code == 0
        assert war.folder.joinpath(f"{words[0]}.svg").read_text("utf-8").startswith("<svg")
    assert war.run("check", ID, program="module_builder").code == 0
    assert war.run("module", ID, "--out", "war.vmod", program="module_builder").code == 0
    assert json.loads(war.run("questions", ID, "--json").out)
