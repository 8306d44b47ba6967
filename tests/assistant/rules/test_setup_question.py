"""The question `setup` of a game with positions in `setups/`: what is right, missing or elsewhere, and what options change."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.asking.question import answer_question
from assistant.asking.report import Report
from assistant.asking.view import View
from assistant.game.games import Game
from assistant.game.states import apply_changes, build_state
from assistant.game.viewpoint import reduce_state
from assistant.rules import setup_question
from assistant.rules.setups import Deployed
from assistant.state.changes import Change, Enter
from assistant.util.errors import InputError

from ...conftest import told
from .moor import FILES, moor, seen

START = """game moor
turn=1
scenario=early
0402: 1st, Eels
0403: 2nd
0504: Raiders
Battery arrives=2
"""
CHANGES = """scenario,option,unless,track,subject,value,rule,note
start,militia,,place,2nd,0401,2.1,the 2nd stands in the town
start,,militia,leave,Eels,,2.2,
start,militia,,turn,,2,2.3,
other,,,leave,1st,,,not here
,,,,,,1.1,read the rules
"""
COURSE = '[turns]\narrives = "arrives"\n'


@pytest.fixture
def game(tmp_path: Path) -> Game:
    return moor(tmp_path, {"setups/start.pos": START, "course.toml": COURSE})


def setup(game: Game, text: str = "", *, viewpoint: str = "", **parameters: str) -> Report[Deployed]:
    state = reduce_state(game, seen(game, text).state, viewpoint) if viewpoint else seen(game, text).state
    return answer_question(
        setup_question.QUESTION, View(game, state), setup_question.QUESTION.parameters(**parameters), {}
    )


def found(report: Report[Deployed]) -> dict[str, tuple[str, str, str]]:
    assert report.result is not None
    return {unit.unit: (unit.status, unit.place, unit.where) for unit in report.result.units}


def test_each_unit_is_right_missing_or_misplaced_and_others_are_named(game: Game) -> None:
    report = setup(game, "0402: 1st\n0404: 2nd\nBattery arrives=2")
    assert found(report) == {
        "1st": ("right", "0402", "0402"),
        "Eels": ("missing", "", "0402"),
        "2nd": ("misplaced", "0404", "0403"),
        "Raiders": ("missing", "", "0504"),
        "Battery": ("right", "", "waits off the map"),
    }
    assert (report.title, report.verdict.kind, report.verdict.text) == ("Set-up of start", "no", "1 unit misplaced")
    assert told(report, "Misplaced") == ["2nd in 0404, by the set-up: 0403"]


def test_what_is_missing_is_placed_and_what_is_not_stated_is_stated(game: Game) -> None:
    report = setup(game, "turn=3\n0402: 1st")
    assert report.changes == (
        Enter("Eels", "Eels", "0402", 1, ""),
        Enter("2nd", "2nd", "0403", 0, ""),
        Enter("Raiders", "Raiders", "0504", 0, ""),
        Enter("Battery", "Battery", None, 0, ""),
        Change("scenario", "", None, "early", ""),
        Change("arrives", "Battery", None, 2, ""),
    )
    assert told(report, "Scenario") == ["game turn: 1, but the position states 3"]
    report = setup(game)
    after = apply_changes(game, build_state(game), report.changes)
    printed = setup_question.read_set_up(game, "start")
    assert {unit.id: (unit.place, unit.order) for unit in after.units.values() if unit.place} == {
        unit.id: (unit.place, unit.order) for unit in printed.units.values() if unit.place
    }
    assert (
        report.verdict.text == "0 units placed as the scenario says, 5 still to be placed, 0 to be checked on the map"
    )
    report = setup(game, "0403: Raiders")
    assert "2nd" not in [one.unit for one in report.changes if isinstance(one, Enter)]
    assert found(report)["2nd"][0] == "missing"


def test_units_that_may_be_hidden_are_neither_missing_nor_placed(tmp_path: Path) -> None:
    fog = FILES["game.toml"] + '[intelligence]\nsees = "adjacent"\nwhen = { options = "militia" }\n'
    game = moor(tmp_path, {"setups/start.pos": START, "course.toml": COURSE, "game.toml": fog})
    text = "0402: 1st, Eels\n0607: Raiders\n"
    hidden = setup(game, text + "options=militia", viewpoint="blue")
    assert hidden.result is not None
    raiders = next(unit for unit in hidden.result.units if unit.unit == "Raiders")
    assert (raiders.status, raiders.place, raiders.why) == ("open", "", "it may be among what is not seen")
    assert [one.unit for one in hidden.changes if isinstance(one, Enter)] == ["2nd", "Battery"]
    assert found(setup(game, text, viewpoint="blue"))["Raiders"][0] == "misplaced"
    assert found(setup(game, "0402: 1st", viewpoint="blue"))["Raiders"][0] == "missing"


def test_one_side_alone(game: Game) -> None:
    red = setup(game, "0101: 1st\n0102: Battery", side="red")
    assert (set(found(red)), red.result and red.result.extra) == ({"Raiders"}, ())
    more = setup(game.with_overlay(game.overlay), "0101: 1st", side="blue")
    assert set(found(more)) == {"1st", "2nd", "Eels", "Battery"}


def test_units_that_no_set_up_names_are_listed(tmp_path: Path) -> None:
    game = moor(tmp_path, {"setups/start.pos": "game moor\n0402: 1st\n"})
    report = setup(game, "0402: 1st\n0504: Raiders")
    assert report.result is not None
    assert report.result.extra == ("Raiders",)
    assert told(report, "Not in this set-up") == ["Raiders"]


def test_options_change_a_set_up(tmp_path: Path) -> None:
    game = moor(tmp_path, {"setups/start.pos": START, "course.toml": COURSE, "setups/changes.csv": CHANGES})
    with_militia, without = setup(game, "options=militia"), setup(game)
    assert found(with_militia)["2nd"][2] == "0401"
    assert "Eels" in found(with_militia)
    assert Change("turn", "", None, 2, "") in with_militia.changes
    assert (found(without)["2nd"][2], "Eels" in found(without)) == ("0403", False)
    assert told(with_militia, "Scenario") == ["the 2nd stands in the town", "read the rules"]
    assert told(without, "Scenario") == ["read the rules"]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("start,,,leave,3rd,,,", "3rd"),
        ("start,,,place,1st,9x,,", "9x"),
        ("start,,,weather,,fair,,", "weather"),
        ("start,,,turn,,soon,,", "soon"),
    ],
)
def test_a_fault_in_the_file_of_changes_names_it(tmp_path: Path, row: str, message: str) -> None:
    rows = CHANGES.splitlines()[0] + f"\n{row}\n"
    game = moor(tmp_path, {"setups/start.pos": START, "course.toml": COURSE, "setups/changes.csv": rows})
    with pytest.raises(InputError, match=message) as fault:
        setup(game)
    assert "setups/changes.csv" in str(fault.value)


def test_of_several_set_ups_one_is_named_or_is_that_of_the_scenario_which_the_only_one_need_not_be(
    tmp_path: Path,
) -> None:
    files = {"setups/early.pos": "game moor\n0402: 1st\n", "setups/late.pos": "game moor\n0402: 2nd\n"}
    game = moor(tmp_path, files)
    assert game.setups == ("early", "late")
    assert [(one.name, one.options) for one in setup(game).asks] == [("scenario", ("early", "late"))]
    assert set(found(setup(game, "scenario=late"))) == {"2nd"}
    assert set(found(setup(game, "scenario=late", scenario="early"))) == {"1st"}
    with pytest.raises(InputError, match="there is no set-up 'lat'"):
        setup(game, scenario="lat")
    game = moor(tmp_path / "one", {"setups/early.pos": "game moor\n0402: 1st\n"})
    assert set(found(setup(game))) == {"1st"}
    assert [(ask.name, ask.options) for ask in setup(game, "scenario=late").asks] == [("scenario", ("early",))]
    assert set(found(setup(game, "scenario=late", scenario="early"))) == {"1st"}
