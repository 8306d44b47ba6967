"""An explanation in words and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from assistant.faces.cli.main import cli
from assistant.formats.positions import Throw
from assistant.records.explaining.account import MOST_LINES, account, format_question_briefly
from assistant.records.explaining.explanation import AnsweringThrow, ExplainedQuestion, Explanation, explain
from assistant.records.explaining.record import ChatNotation, Disagreement, JudgedFact

from ....cases import thorough
from .played import ASK, BATTLE, CHECKS, DICE, OUTCOME, table

ROOT = Path(__file__).parents[4]
LOG = ROOT / "plugins/twilight_in_the_east/examples/comprehensive-example.vlog"


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, words, prog_name="assistant")


@pytest.fixture(scope="module")
def told() -> list[str]:
    return run("explain", str(LOG)).stdout.splitlines()


def test_the_log_of_the_engine_is_explained_with_the_figures_of_the_rulebook_in_25_lines_at_most(
    told: list[str],
) -> None:
    text = " ".join(line.strip() for line in told)
    assert "Dice: crt: 2d6 2+5 = 7; slrt.attacker: 1d6 3; slrt.defender: 1d6 4; ec.41.19: 2d6 2+4 = 6;" in text
    assert "Choices that fit the map best: losses.attacker: 29/20,27/3; onward.40.20.1: 39.20" in text
    assert "Large. The attacker loses 2 steps, the defender 2: 29/20 1, 27/3 1, 1/1 2. 25/3 and 27/3 failed the" in text
    assert "! 25/3: by the rules cel \u22121, in the log cel 0 [11.3.2]" in told
    assert "Not marked in the log: attacked (41.19); fought (29/20, 25/3, 27/3, 1/1)" in told
    assert "- step 24: 25/3 set to supply low; the rules differ (supply in): 25/3 is In Supply" in text
    battle = told[told.index("1. Battle at 41.19, attacked from 40.19, 40.20, GT 1") :]
    assert battle.index("") <= MOST_LINES
    assert max(map(len, battle)) <= 100


@thorough
def test_a_battle_with_more_to_tell_is_cut_where_it_matters_least() -> None:
    done = OUTCOME.replace("1/1 -2", "1/1 -3").replace("25/3 cel=-1", "25/3 -1")
    found = explain(table(f"{BATTLE}{ASK}", DICE[0], "2d6 1 1", *DICE[1:], *CHECKS, done), "game.vlog")
    lines = format_question_briefly(found.explained[0], 1)
    assert len(lines) <= MOST_LINES
    assert any("the rules do not ask for it here" in line for line in lines)
    assert any("more)" in line for line in lines) and any(
        line.startswith("! 1/1: by the rules lost 2") for line in lines
    )


@thorough
def test_with_whole_every_step_of_the_working_is_told(told: list[str]) -> None:
    whole = run("explain", str(LOG), "--whole").stdout
    assert "7.2.1    25/3 rolls 12 +0 = 12 against 10: fails by 2" in whole and "more)" not in whole
    assert len(whole.splitlines()) > len(told)


def test_agreement_is_told_and_what_the_log_lacks_with_how_to_state_it() -> None:
    found = account(explain(table(f"{BATTLE}41.19 announced\n", *DICE), "game.vlog"))
    assert "? Artillery Ammunition Points: ask ... attacker-ap=20,3, or all, or none" in found
    assert (
        "? the log lacks this; type into the chat before the dice, with what is missing: ask battle at=41.19" in found
    )
    assert "Dice that may then be for it: step 1: 2d6 2+5 = 7; step 2: 1d6 3; step 3: 1d6 4" in found
    missing = account(explain(table(f"{BATTLE}{ASK}", *DICE), "game.vlog"))
    assert "? the log lacks this; type into the chat after the dice: answers NAME=VALUE" in missing
    nothing = account(explain(table(BATTLE, DICE[0], "say: ask batle at=41.19"), "game.vlog"))
    assert (
        "Throws with no known purpose\n- step 1: 2d6 2+5 = 7 (Anna)" in nothing
        and "Typed for the assistant, but not understood" in nothing
    )
    whole = explain(table(f"{BATTLE}{ASK}", *DICE, *CHECKS, OUTCOME), "game.vlog")
    assert "The log agrees with the rules." in account(whole).splitlines()


@thorough
def test_json_holds_everything_with_the_whole_reports() -> None:
    found = json.loads(run("explain", str(LOG), "--json").stdout)
    (one,) = found["explained"]
    assert one["throws"][0] == {"name": "crt", "throw": {"step": 4, "dice": "2d6", "faces": [2, 5], "player": "Tester"}}
    assert one["chosen"] == {"losses.attacker": "29/20,27/3", "onward.40.20.1": "39.20"}
    assert one["differs"] == [{"track": "cel", "subject": "25/3", "rules": -1, "log": 0, "rule": "11.3.2"}]
    assert one["report"]["question"] == "battle" and one["report"]["parts"][0]["steps"][0]["text"]
    assert found["judged"][0]["report"]["verdict"]["text"].startswith("25/3 is In Supply")


def test_a_side_is_told_nothing_of_the_steps_in_between() -> None:
    said = run("explain", str(LOG), "--as", "central-powers").stdout
    assert said.splitlines()[0].endswith("9 lines of throws and chat, counted as steps, 1 question explained")
    assert "cel -2" not in said and "Seen: what the Central Powers side may know" in said


def test_what_is_no_log_is_refused(tmp_path: Path) -> None:
    said = run("explain", str(LOG.with_suffix(".vsav")))
    assert said.exit_code == 3 and "it holds no steps" in said.stderr
    assert run("explain", str(tmp_path / "none.vlog")).exit_code == 3
    assert "a log cannot be read from standard input" in run("explain", "-").stderr
    (tmp_path / "a.pos").write_text(BATTLE)
    assert "a .pos file is not a log" in run("explain", str(tmp_path / "a.pos")).stderr
    assert "unknown source" in run("explain", str(LOG), "--accept", "rumour").stderr


def test_the_page_names_every_field_of_the_json() -> None:
    page = (ROOT / "docs/mail/vassal.md").read_text("utf-8")
    table = page[page.index("With `--json`:") :]
    for kind in (Explanation, ExplainedQuestion, AnsweringThrow, JudgedFact, Disagreement, Throw, ChatNotation):
        assert [field.name for field in msgspec.structs.fields(kind) if f"`{field.name}`" not in table] == [], kind
