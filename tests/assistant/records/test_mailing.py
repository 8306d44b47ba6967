"""What players send to each other: a log says what was carried out, and a battle half fought goes from one to the other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from assistant.asking.play import rolls_of
from assistant.asking.report import Report
from assistant.asking.view import View
from assistant.formats.positions import Asked, Position
from assistant.installed.registry import question_of
from assistant.records import mailing
from assistant.records.mailing import format_chat, names_hidden, pass_on
from assistant.service import ask, parse, pose_question, read
from assistant.util.errors import InputError
from tests.assistant.faces.cli.test_output import DICE, SAVE, notation, run

from ...cases import few, thorough

FIRST, REST = "crt=2+5 slrt=3/4", "losses=29/20,27/3 ec.1/1=6 ec.29/20=5 ec.25/3=12 onward.40.20=39.20"
ASK = "ask battle at=41.19 attacker-ap=3,20 defender-ap=1"


def battle(folder: Path, source: str | Path, answers: str, after: str, *more: str) -> str:
    done = run(folder, "battle", str(source), "--answers", answers, "--after", after, *more)
    assert done.returncode in (0, 4), done.stderr
    return done.stderr


def explained(folder: Path, log: str, *words: str) -> str:
    return run(folder, "explain", log, *words).stdout


@thorough
def test_an_answer_without_dice_is_explained_too_and_each_of_several(tmp_path: Path) -> None:
    assert run(tmp_path, "dig-in", str(SAVE), "--unit", "25/3", "--points", "7", "--after", "dug.vlog").returncode == 0
    battle(tmp_path, "dug.vlog", DICE, "both.vlog", "--at", "41.19", "--attacker-ap", "3,20", "--defender-ap", "1")
    told = explained(tmp_path, "both.vlog")
    assert "2 questions explained" in told
    assert "1. Improved Position of 25/3 in 40.20\n" in told and "= 25/3 reaches Level 1\n" in told
    assert "2. Battle at 41.19, attacked from 40.19, 40.20, GT 1\n" in told
    assert told.count("The log agrees with the rules.") == 2


@thorough
def test_dice_thrown_in_the_log_before_are_those_of_what_was_carried_out(tmp_path: Path) -> None:
    """The log of the example throws all dice; what they lead to is carried out once more."""
    thrown = SAVE.with_suffix(".vlog")
    assert run(tmp_path, "dig-in", str(thrown), "--unit", "1/1", "--points", "7", "--after", "dug.vlog").returncode == 0
    told = explained(tmp_path, "dug.vlog")
    assert told.count("Battle at 41.19, attacked from") == 1 and "2. Improved Position of 1/1" in told
    assert "crt: 2d6 2+5 = 7; slrt.attacker: 1d6 3" in told


@few(1)
@pytest.mark.parametrize("ending", ["vsav", "vlog", "pos", "json"])
def test_a_battle_half_fought_is_taken_up_without_typing_its_dice_again(tmp_path: Path, ending: str) -> None:
    half, end = f"half.{ending}", f"end.{ending}"
    assert "written, with the question and its answers so far: half." in battle(tmp_path, SAVE, FIRST, half)
    told = run(tmp_path, "battle", half)
    assert "? 2 step losses of the attacker: " in told.stdout
    assert "\n= nothing differs\n" in run(tmp_path, "compare", str(SAVE), half).stdout
    assert "written: end." in battle(tmp_path, half, REST, end)
    battle(tmp_path, SAVE, DICE, f"once.{ending}")
    assert notation(tmp_path, end) == notation(tmp_path, f"once.{ending}")
    assert "ask" not in run(tmp_path, "convert", end, "--notation").stdout


def test_what_is_owed_is_told_by_check(tmp_path: Path) -> None:
    battle(tmp_path, SAVE, FIRST, "half.vsav")
    told = run(tmp_path, "check", "half.vsav").stdout
    assert f"\nAsked\n    {ASK}\n    answers {FIRST}\n" in told
    assert "Asked" not in run(tmp_path, "check", "half.vsav", "--as", "german").stdout


def test_a_battle_half_fought_is_explained_once(tmp_path: Path) -> None:
    battle(tmp_path, SAVE, FIRST, "half.vlog")
    told = explained(tmp_path, "half.vlog")
    assert "1 question explained" in told and "? 2 step losses of the attacker: answers losses.attacker=OPTION" in told
    assert "Choices" not in told and "notes so far" not in told
    battle(tmp_path, "half.vlog", "losses=29/20,27/3", "more.vlog")
    assert "Answers given: crt=2+5 slrt=3/4 losses=29/20,27/3\n" in explained(tmp_path, "more.vlog")
    battle(tmp_path, "more.vlog", REST.removeprefix("losses=29/20,27/3 "), "end.vlog")
    told = explained(tmp_path, "end.vlog")
    assert "1 question explained" in told and "The log agrees with the rules." in told


def test_a_side_writes_the_whole_game_with_what_it_has_thrown(tmp_path: Path) -> None:
    battle(tmp_path, SAVE, FIRST, "half.vsav", "--as", "russian")
    battle(tmp_path, "half.vsav", REST, "end.pos")
    battle(tmp_path, SAVE, DICE, "once.pos")
    assert notation(tmp_path, "end.pos") == notation(tmp_path, "once.pos")


def test_nothing_is_passed_on_before_there_are_dice(tmp_path: Path) -> None:
    done = run(tmp_path, "battle", str(SAVE), "--after", "half.vsav")
    assert done.returncode == 3 and "this answer changes nothing yet" in done.stderr
    assert not list(tmp_path.iterdir())


def test_the_notes_name_no_unit_that_somebody_hides(tmp_path: Path) -> None:
    position = read(SAVE)
    answers = dict(word.split("=") for word in f"{FIRST} losses=29/20,27/3".split())
    report, asked = answered(position, "battle", answers, **position.asks[0].parameters)
    hidden = asked.with_state(parse("40.20: 25/3, 27/3 masked=russian", position).state)
    with pytest.raises(InputError, match="name a unit that somebody hides, but everybody can read the notes"):
        pass_on(hidden, report, SAVE, tmp_path / "half.vsav")
    pass_on(hidden, report, SAVE, tmp_path / "half.pos")  # a position is open to whoever has it
    assert [path.name for path in tmp_path.iterdir()] == ["half.pos"]


def answered(
    position: Position, question: str, answers: dict[str, str], **parameters: Any
) -> tuple[Report[Any], Position]:
    asked = Asked(question, parameters)
    return ask(position, asked, answers), pose_question(position, asked, answers)


def test_the_lines_of_the_chat_tell_dice_and_no_choices() -> None:
    """Which unit bears a loss the other side may not see."""
    position = read(SAVE)
    answers = dict(word.split("=") for word in DICE.split())
    report = ask(position, "battle", answers)
    lines = format_chat(report, position.state, pose_question(position, position.asks[0], answers))
    assert lines == [
        "* Field Staff carries out: Battle at 41.19, attacked from 40.19, 40.20, GT 1 *",
        f"* Field Staff: {ASK} *",
        "* Field Staff: answers crt=2+5 slrt=3/4 ec.1/1=6 ec.29/20=5 ec.25/3=12 *",
    ]


def test_the_dice_among_many_answers_are_found_without_a_run_for_each(monkeypatch: pytest.MonkeyPatch) -> None:
    position = read(SAVE)
    answers = dict(word.split("=") for word in DICE.split())
    report, asked = answered(position, "battle", answers, **position.asks[0].parameters)
    battle, runs = question_of(position.game, "battle"), list[int]()

    def decide(*given: Any) -> Report[Any]:
        runs.append(1)
        return (battle.decide or battle.answer)(*given)

    monkeypatch.setattr(mailing, "question_of", lambda *_: msgspec.structs.replace(battle, decide=decide))
    assert [*mailing.rolled_answers(asked, report)] == ["crt", "slrt", "ec.1/1", "ec.29/20", "ec.25/3"]
    assert len(runs) == 2, "one for all, and one without the way, of which each hex is a choice"
    kinds = rolls_of(battle, View(asked.game, asked.state, "seen"), asked.asks[0].parameters, answers)
    assert (kinds["crt"], kinds["slrt"], "losses" in kinds) == ({"2d6"}, {"1d6"}, False)


def test_the_chat_tells_what_is_owed() -> None:
    position = read(SAVE)
    report, asked = answered(position, "battle", {"crt": "2+5", "slrt": "3/4"}, **position.asks[0].parameters)
    assert format_chat(report, position.state, asked) == [
        "* Field Staff notes so far: Battle at 41.19, attacked from 40.19, 40.20, GT 1; owed: losses.attacker, ec.41.19 *",
        f"* Field Staff: {ASK} *",
        f"* Field Staff: answers {FIRST} *",
    ]


def test_the_lines_of_the_chat_name_no_unit_that_somebody_hides() -> None:
    seen = read(SAVE)
    report, asked = answered(seen, "dig-in", {}, unit="25/3", points="7")
    assert format_chat(report, seen.state, asked) == [
        "* Field Staff carries out: Improved Position of 25/3 in 40.20 *",
        "* Field Staff: ask dig-in unit=25/3 points=7 *",
    ]
    hidden = parse("40.20: 25/3 masked=russian, 27/3", seen)
    assert format_chat(report, hidden.state, asked) == ["* Field Staff carries out: dig-in *"]


def test_a_name_within_another_is_no_name_of_a_hidden_unit() -> None:
    hidden = parse("40.20: 25/3 masked=russian, 27/3", read(SAVE)).state
    assert names_hidden("losses=25/3,27/3", hidden)
    assert not names_hidden("losses=125/3,25/31", hidden)


def test_a_source_that_is_not_there_is_an_error_of_the_player_for_a_side_too(tmp_path: Path) -> None:
    asked = pose_question(read(SAVE, side="russian"), Asked("battle", {"at": "41.19"}), {"crt": "7"})
    report = ask(asked, "battle")
    with pytest.raises(InputError):
        pass_on(asked, report, tmp_path / "no.vsav", tmp_path / "next.vsav")


def test_a_position_becomes_a_save_of_the_same_game(tmp_path: Path) -> None:
    """Units that moved, lost steps, came and went, facts of hexes and of the game, and what no counter shows."""
    moved = (
        run(tmp_path, "convert", str(SAVE), "--notation")
        .stdout.replace("turn=1", "turn=3")
        .replace("40.19: 29/20 (10-?-5-10) -3", "39.19: 29/20 (10-?-5-10) -4 spent=march:4.5\n41.20: 2/1")
    )
    (tmp_path / "later.pos").write_text(moved, "utf-8")
    done = run(tmp_path, "convert", "later.pos", "--onto", str(SAVE), "--after", "later.vsav")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "save written: later.vsav\n")
    assert "= nothing differs" in run(tmp_path, "compare", "later.pos", "later.vsav").stdout
    again = run(tmp_path, "convert", "later.pos", "--onto", str(SAVE), "--after", "later.vsav")
    assert (again.returncode, "later.vsav" in again.stderr) == (3, True)


@pytest.mark.parametrize("words", [("--onto", str(SAVE)), ("--after", "later.vsav")])
def test_a_save_needs_one_to_begin_with_and_a_name(tmp_path: Path, words: tuple[str, ...]) -> None:
    done = run(tmp_path, "convert", str(SAVE), *words)
    assert (done.returncode, "--onto and --after belong together" in done.stderr) == (3, True)


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("convert", str(SAVE), "--notation", "--onto", str(SAVE)), "--notation prints a position"),
        (("convert", str(SAVE), "--onto", "later.journal"), "later.journal: this is not a VASSAL save or log"),
        (("convert", "example:kai/battle", "--onto", str(SAVE)), "this is a position of kaisers-war-in-the-east"),
        (("convert", str(SAVE), "--as", "german", "--onto", str(SAVE)), "of which a side knows only its own"),
    ],
)
def test_what_becomes_no_save_is_refused(tmp_path: Path, words: tuple[str, ...], what: str) -> None:
    done = run(tmp_path, *words, "--after", "later.vsav")
    assert (done.returncode, what in done.stderr, (tmp_path / "later.vsav").exists()) == (3, True, False)
