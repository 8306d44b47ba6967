"""The question `scenario`: what is not of a scenario, and what is still to be typed. All of it is made up."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.service import check_position
from twilight_in_the_east.scenario.question import belongs_to, campaign_misfit, is_campaign

from ...commands import run_command
from ...conftest import GAME, answered
from ..owned import stated, with_pack

SET_UP = "game twilight-in-the-east\nscenario=29.1\nturn=1\nlast-turn=3\n"


def test_units_of_another_set_and_the_campaign_are_not_of_the_scenario(tmp_path: Path) -> None:
    files = {"setups/29.1.pos": SET_UP + "40.20: 25/3 army=First\n", "counters.csv": "unit,russian-set\n4/6,south\n"}
    game = with_pack(tmp_path, files)
    report = answered(stated(game, "scenario=29.1 campaign\n40.20: 25/3 russian-set=north\n40.21: 4/6"), "scenario")
    wrong = [(misfit.rule, misfit.units) for misfit in report.result.misfits]
    assert wrong == [("3.2.1", ("4/6",)), ("29.0", ())]
    assert report.verdict.kind == "no" and report.verdict.text.startswith("2 facts not of the scenario, ")
    gaps = {gap.what: gap.names for gap in report.result.gaps}
    assert gaps["Strategic Plan in force not stated for"] == ("russian First",)
    (waiting,) = (names for what, names in gaps.items() if what.startswith("units of its armies"))
    assert "27/3" in waiting and "25/3" not in waiting and "4/6" not in waiting
    said = check_position(stated(game, "scenario=29.1\n40.20: 25/3"))
    assert " 27/3," in str(said) and "4/6" not in str(said), "check leaves them out as well"


def test_a_scenario_without_a_set_up_lacks_it(tmp_path: Path) -> None:
    report = answered(stated(with_pack(tmp_path, {}), "turn=1"), "scenario", scenario="29.4")
    (gap,) = report.result.gaps
    assert report.verdict.text == "1 kind of facts still to be typed", "what there is none of is not counted"
    assert gap.what == "no set-up" and "pack enter twilight-in-the-east setups 29.4" in gap.how


def test_the_scenario_is_asked_for_where_none_is_stated(tmp_path: Path) -> None:
    report = answered(stated(with_pack(tmp_path, {"setups/29.1.pos": SET_UP}), "turn=1"), "scenario")
    (ask,) = report.asks
    assert ask.options == ("29.1",)


def test_check_names_what_the_scenario_of_a_position_lacks(tmp_path: Path) -> None:
    game = with_pack(tmp_path, {"setups/29.1.pos": SET_UP + "40.20: 25/3 army=First\n"})

    def lacks(text: str) -> list[str]:
        parts = {part.title: part for part in check_position(stated(game, text)).parts}
        return [step.text for step in parts["The scenario lacks"].steps] if "The scenario lacks" in parts else []

    assert lacks("scenario=29.1")[-1].startswith("counters that lack values: 25/3; type: assistant pack enter")
    assert lacks("scenario=29.11") == [
        "no set-up: 29.11; type it: assistant pack enter twilight-in-the-east setups 29.11"
    ]
    assert lacks("turn=1") == []


def test_check_and_the_question_word_what_is_not_of_the_scenario_alike(tmp_path: Path) -> None:
    set_up = SET_UP + "campaign\n40.20: 25/3 army=First\n40.21: 4/6\n"
    game = with_pack(tmp_path, {"setups/29.1.pos": set_up, "counters.csv": "unit,russian-set\n4/6,south\n"})
    position = stated(game, set_up.partition("\n")[2])
    wrong = [
        "4/6: of a set of units that this scenario does not have",
        "it is not a campaign game; leave out: campaign",
    ]
    for report in (answered(position, "scenario"), check_position(position)):
        (said,) = ([step.text for step in part.steps] for part in report.parts if part.title == "Not of the scenario")
        assert said == wrong


def test_pack_check_words_it_as_check_does(tmp_path: Path) -> None:
    set_up = tmp_path / "29.1.pos"
    set_up.write_text(SET_UP + "campaign\n40.20: 25/3 army=First\n", "utf-8")
    for words in (("take", GAME, "setups", str(set_up)), ("check", GAME)):
        done = run_command(tmp_path, "pack", *words, data=tmp_path / "data")
    assert "scenario 29.1: it is not a campaign game; leave out: campaign" in done.stdout


def test_due_says_that_the_scenario_is_not_known(tmp_path: Path) -> None:
    game = with_pack(tmp_path, {"setups/29.1.pos": SET_UP, "schedules/29.1.csv": "at,units\n2,27/3\n"})
    known, unknown = (answered(stated(game, f"turn=2 scenario={name}"), "due") for name in ("29.1", "29.11"))
    assert [item.text for item in known.result.items] == ["27/3"] and unknown.result.items == ()
    said = "no schedule of the scenario 29.11 is known: the pack has no set-up of that name"
    assert said in str(unknown) and "no schedule" not in str(known)


def gaps_of(folder: Path, set_up: str, rows: str = "") -> dict[str, tuple[str, ...]]:
    files = {"setups/29.1.pos": SET_UP + set_up, "schedules/29.1.csv": "at,place,units,replaces,action\n" + rows}
    report = answered(stated(with_pack(folder, files), "scenario=29.1"), "scenario")
    return {gap.what: gap.names for gap in report.result.gaps}


def test_units_that_arrive_without_an_entry_hex_are_named(tmp_path: Path) -> None:
    rows = '2,,"28/20,30/4",,\n2,38.14,40/4,,\n3,,36/17,2 lw,substitute\n3,,43/2,,withdraw\n'
    gaps = gaps_of(tmp_path, 'board east\n40.20: 25/3, 43/2\n44.20: "2 lw"\n30/4 arrives=2 entry=38.14\n', rows)
    assert gaps["units that arrive without an entry hex"] == ("28/20",)
    depots = gaps_of(
        tmp_path / "depots", "board east\n40.20: 25/3\n", '2,,"TENTH Major Depot,TENTH Minor Depot",,\n2,,22 Train,,\n'
    )
    assert depots["units that arrive without an entry hex"] == ("22 Train",), (
        "an army's depots go to RR Stations (16.3)"
    )


def test_hexes_of_a_paper_map_without_terrain_are_named(tmp_path: Path) -> None:
    what, rows = "hexes without terrain", "2,38.14 38.15,40/4,,\n"
    assert gaps_of(tmp_path / "a", "40.20 clear: 25/3\n40.21: 27/3\n", rows)[what] == ("40.21", "38.14", "38.15")
    assert what not in gaps_of(tmp_path / "b", "elsewhere clear\n40.20: 25/3\n40.21: 27/3\n", rows)
    assert what not in gaps_of(tmp_path / "c", "board east\n40.20: 25/3\n40.21: 27/3\n", rows)


def test_what_counts_after_its_turn_is_not_asked_for_of_the_last_one(tmp_path: Path) -> None:
    def turns(folder: str, last: int) -> str:
        made = SET_UP.replace("last-turn=3", f"last-turn={last}")
        game = with_pack(tmp_path / folder, {"setups/29.1.pos": f"{made}board east\n40.20: 25/3\n"})
        gaps = answered(stated(game, "scenario=29.1"), "scenario").result.gaps
        return "; ".join(name for gap in gaps if gap.what == "turns without" for name in gap.names)

    assert "russian-repl" not in turns("a", 3) and "german-rp" not in turns("a", 3)
    assert "russian-cav-repl (3)" in turns("b", 4)
    assert "(3)" in turns("c", 6) and "(3, 6)" in turns("d", 7)
    assert "russian-engineers (1-3)" in turns("a", 3), "what counts in its turn is"


def test_a_scenario_of_ones_own_with_the_warsaw_garrison_says_whether_it_is_the_campaign(tmp_path: Path) -> None:
    game = with_pack(tmp_path, {"setups/heath.pos": "game twilight-in-the-east\nscenario=heath\nturn=1\nlast-turn=3\n"})

    def unsaid(text: str) -> list[str]:
        gaps = answered(stated(game, text), "scenario").result.gaps
        return [gap.how for gap in gaps if gap.names == ("campaign",)]

    garrison = 'scenario=heath\n58.52: russian infantry XX A army="Warsaw Garrison"\n'
    (how,) = unsaid(garrison)
    assert how == "add: campaign, or campaign=no; the rules of the Warsaw Garrison (24.1) hold only with it"
    assert unsaid(garrison + "campaign") == unsaid(garrison + "campaign=no") == []
    assert unsaid(garrison.replace('"Warsaw Garrison"', "Second")) == unsaid(garrison.replace("heath", "29.1")) == []


# --- which units and rules belong to a scenario of the booklet (3.2.1, 29.0) ------------------------------------------


BOOKLET = ("29.1", "29.2", "29.3", "29.4", "29.5", "29.6", "29.7")


@pytest.mark.rule("29.0")
def test_two_scenarios_are_campaign_games() -> None:
    assert {name: is_campaign(name) for name in BOOKLET} == {name: name in ("29.6", "29.7") for name in BOOKLET}
    assert is_campaign("my-own") is None


@pytest.mark.rule("3.2.1", "29.0")
@pytest.mark.parametrize(
    ("russian_set", "scenarios"),
    [
        ("north", {"29.1", "29.5", "29.6", "29.7", "my-own"}),
        ("south", {"29.2", "29.3", "29.4", "29.6", "29.7", "my-own"}),
        ("campaign", {"29.6", "29.7", "my-own"}),
        ("none", {*BOOKLET, "my-own"}),
    ],
)
def test_a_set_of_units_belongs_to_some_scenarios(russian_set: str, scenarios: set[str]) -> None:
    assert {name for name in (*BOOKLET, "my-own") if belongs_to(name, russian_set)} == scenarios


@pytest.mark.rule("29.0")
def test_the_rules_of_the_campaign_are_those_of_campaign_games() -> None:
    for name in ("29.6", "29.7"):
        assert campaign_misfit(name, campaign=False) == "it is a campaign game; state: campaign"
        assert campaign_misfit(name, campaign=True) == ""
    for name in ("29.1", "29.2", "29.3", "29.4", "29.5"):
        assert campaign_misfit(name, campaign=True) == "it is not a campaign game; leave out: campaign"
        assert campaign_misfit(name, campaign=False) == ""
    assert campaign_misfit("my-own", campaign=True) == campaign_misfit("my-own", campaign=False) == ""
