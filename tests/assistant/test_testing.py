"""What an author may assert of his game: each assertion holds for a sound game and names what is wrong with another."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from msgspec.structs import replace

from assistant.asking.asks import Ask
from assistant.asking.report import Part, step
from assistant.game.games import Game
from assistant.mechanics.chances import Likelihood
from assistant.state.changes import Change
from assistant.testing import asked, check_game, check_json, check_report, game_in, typed
from assistant.util.errors import PluginError
from module_builder.new import new_game

QUESTION = '''
from typing import Annotated
import msgspec
from assistant.installed.hookspecs import hookimpl
from assistant.asking.question import Question, UnitName
from assistant.asking.asks import Ask
from assistant.asking.report import Part, Report, Step, Verdict
from assistant.state.changes import Change

UNLUCKY = "{unluck}"

class Luck(msgspec.Struct):
    """A unit that tries its luck."""
    unit: UnitName
    fault: str = ""

class Lucky(msgspec.Struct):
    """What it has."""
    luck: int

def answer(view, parameters, answers):
    fault = parameters.fault
    luck = "much" if fault == "json" else 3
    place = "0909" if fault == "change" else view.unit(parameters.unit).place
    return Report(
        title="Luck",
        verdict=Verdict("figure", UNLUCKY if fault == "figure" else "{luck}", {"luck": 3, "unluck": 4} if fault == "figure" else {"luck": 3}),
        asks=(Ask(kind="roll", name="dice" if fault == "ask" else "luck", rule="", title="luck", how="luck=TOTAL", dice="1d6"),),
        changes=(Change("place", parameters.unit, place, "0101", ""),),
        result=Lucky(luck),
    )

@hookimpl
def register_questions(game, register):
    if game.id.startswith("lucky"):
        register(Question(name="luck", title="luck", parameters=Luck, result=Lucky, answer=answer, answers={"luck": "a die"}))
'''


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new game with a question whose report may be made faulty."""
    folder = tmp_path_factory.mktemp("author") / "lucky"
    new_game(folder)
    folder.joinpath("__init__.py").write_text(QUESTION, "utf-8")
    toml = folder / "game.toml"
    explained = toml.read_text("utf-8").replace("[figures]", '[figures]\nluck = "how lucky a unit is"')
    toml.write_text(explained, "utf-8")
    return folder


@pytest.fixture
def lucky(folder: Path) -> Game:
    return game_in(str(folder))


def test_a_sound_report_of_a_position_that_may_name_its_game(lucky: Game) -> None:
    position = typed("0504: 1st\nask luck unit=1st", lucky)
    assert typed("game lucky\n0504: 1st\nask luck unit=1st", lucky) == position
    report = asked(position)
    check_json(position, report)
    assert report.result.luck == 3 and report.verdict.text == "3"


@pytest.mark.parametrize(
    ("fault", "says"),
    [("figure", "figures without a meaning in .*: unluck"), ("change", "the changes of luck do not apply")],
)
def test_a_faulty_report(lucky: Game, fault: str, says: str) -> None:
    with pytest.raises(AssertionError, match=says):
        asked(typed("0504: 1st", lucky), "luck", unit="1st", fault=fault)


def test_a_report_that_asks_for_what_its_answers_do_not_name(lucky: Game) -> None:
    """The question itself is at fault: whoever answered it would be refused."""
    position = typed("0504: 1st", lucky)
    with pytest.raises(
        PluginError, match="failed to answer luck: __init__.py:.*: it asks for 'dice', which its answers do not name"
    ):
        asked(position, "luck", unit="1st", fault="ask")
    report = asked(position, "luck", unit="1st")
    wanted = Ask(kind="roll", name="dice", rule="", title="dice", how="dice=TOTAL")
    with pytest.raises(AssertionError, match="luck asks for 'dice', which its `answers` do not name"):
        check_report(position, replace(report, asks=(wanted,)))


def test_a_report_that_does_not_fit_its_schema(lucky: Game) -> None:
    position = typed("0504: 1st", lucky)
    with pytest.raises(AssertionError, match=r"does not fit its schema: \$.result.*'much'"):
        check_json(position, asked(position, "luck", unit="1st", fault="json"))


def test_a_change_of_another_position(lucky: Game) -> None:
    report = asked(typed("0504: 1st", lucky), "luck", unit="1st")
    assert report.changes == (Change("place", "1st", "0504", "0101", ""),)
    with pytest.raises(AssertionError, match="do not apply"):
        check_report(typed("0505: 1st", lucky), report)


def test_chances_that_leave_a_rest_unnamed(lucky: Game) -> None:
    position = typed("0504: 1st", lucky)
    report = asked(position, "luck", unit="1st")
    ends = (Likelihood("passed", Fraction(1, 2)), Likelihood("retreat", Fraction(1, 3)))
    listed = Part("Chances", (step("", "the check: {likelihoods}", likelihoods=ends),))
    with pytest.raises(AssertionError, match="the chances do not add up to 1: the check: passed"):
        check_report(position, replace(report, parts=(listed,)))
    alone = Part("Chances", (step("", "{likelihoods}", likelihoods=ends[:1]),))
    check_report(position, replace(report, parts=(alone,)))


def test_a_game_without_mistakes(folder: Path) -> None:
    check_game(str(folder))
    faulty = folder.parent / "faulty"
    new_game(faulty)
    faulty.joinpath("charts.toml").write_text("", "utf-8")
    with pytest.raises(AssertionError, match="unknown chart 'crt'"):
        check_game(str(faulty))
