"""What the turn record and the markers of armies print: typed a line each, taken from a file, and what of it is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.cli.course_entry import enter_course, tell_course_gaps
from assistant.game.games import Game
from assistant.game.packs import Pack, overlaid
from assistant.util.errors import InputError

from .test_chart_entry import typing
from .test_packs import GAME, data, run

__all__ = ["data"]


def test_dates_are_asked_for_turn_by_turn(twilight: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pack = Pack(twilight, tmp_path)
    enter_course(pack, "turns", ["date"], typing(["17 August 1914", "", "back", "21 August", ".", "never"]))
    assert pack.turns() == {(1, "date"): "17 August 1914", (2, "date"): "21 August"}
    assert capsys.readouterr().out == "47 facts of turns to type\n2 facts kept\n"


def test_what_is_kept_is_not_asked_for_again_unless_it_is_named(twilight: Game, tmp_path: Path) -> None:
    pack = Pack(twilight, tmp_path)
    pack.enter_turns({(1, "date"): "17 August"})
    shown: list[str] = []
    enter_course(pack, "turns", ["date"], typing(["."], shown))
    assert shown == ["17 August"]
    shown.clear()
    enter_course(pack, "turns", [], typing(["18 August", "."], shown))
    assert pack.turns() == {(1, "date"): "17 August", (2, "date"): "18 August"}


def test_an_equals_sign_repeats_and_a_refused_line_is_asked_for_again(
    twilight: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pack = Pack(twilight, tmp_path)
    enter_course(pack, "armies", ["german", "Eighth"], typing(["=", "none", "=", "6", "=", "yes"]))
    assert pack.armies() == {
        ("central-powers Eighth", "attachment-limit"): "6",
        ("central-powers Eighth", "cavalry-track"): "yes",
    }
    said = capsys.readouterr().out
    assert said.count("there is nothing before =") == 2, "what was refused is not before it"
    assert "Attachment Limit in corps: 'none' is not allowed" in said


def test_what_nobody_knows_is_named_a_kind_a_line(
    twilight: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pack = Pack(twilight, tmp_path)
    pack.enter_turns({(number, "date"): "May" for number in range(1, 46)})
    pack.enter_army("german Ninth", "attachment-limit", "5")
    tell_course_gaps(overlaid(twilight, tmp_path))
    said = capsys.readouterr().out
    assert "turns without date: 46-47\n" in said
    assert "turns without rail-rate: 1-8, 10-15, 17-47\n" in said
    assert "turns without russian-rp: 3, 6, 9," in said
    assert "armies without a limit: central-powers Eighth, central-powers AG W," in said


@pytest.mark.parametrize(("what", "word"), [("turns", "dat"), ("armies", "german")])
def test_an_unknown_kind_or_army_is_refused(what: str, word: str, twilight: Game, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"is not a fact about a turn|unknown army"):
        enter_course(Pack(twilight, tmp_path), what, [word], typing([]))


def test_the_commands(data: Path, tmp_path: Path) -> None:
    assert run(data, "pack", "set", GAME, "turn", "1", "date", "17", "August", "1914").stdout == "kept\n"
    assert run(data, "pack", "set", GAME, "army", "german Eighth", "attachment-limit", "5").stdout == "kept\n"
    mine = tmp_path / "mine.csv"
    mine.write_text("turn,date,rail-rate\n2,20 August 1914,\n3,,11\n", "utf-8")
    assert run(data, "pack", "take", GAME, "turns", str(mine)).stdout == "2 facts of turns kept\n"
    assert "3 facts of turns, 1 fact of armies" in run(data, "pack", "list").stdout
    assert run(data, "pack", "diff", GAME).stdout.splitlines() == [
        "turn 1 date: 17 August 1914   instead of nothing",
        "turn 2 date: 20 August 1914   instead of nothing",
        "turn 3 rail-rate: 11   instead of nothing",
        "central-powers Eighth attachment-limit=5   instead of nothing",
    ]
    checked = run(data, "pack", "check", GAME)
    assert checked.returncode == 0
    assert "turns without date: 3-47\n" in checked.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("set", GAME, "turn", "one", "date", "x"), "'one' is not the number of a turn"),
        (("set", GAME, "turn", "9", "rail-rate", "13"), "the rail-rate of turn 9 contradicts the rulebook"),
        (("set", GAME, "army", "german Eigth", "attachment-limit", "5"), "unknown army 'german Eigth'"),
        (("enter", GAME, "turns", "dat"), "'dat' is not a fact about a turn"),
    ],
)
def test_what_is_refused(words: tuple[str, ...], said: str, data: Path) -> None:
    done = run(data, "pack", *words)
    assert (done.returncode, done.stdout) == (3, "")
    assert said in done.stderr and len(done.stderr.splitlines()) == 2


@pytest.mark.parametrize(
    ("row", "said"), [("99,never", ": there is no turn 99"), ("1,18 August 1914", ":3: turn 1 is listed twice")]
)
def test_a_file_with_a_fault_is_named_and_nothing_of_it_is_kept(
    data: Path, tmp_path: Path, row: str, said: str
) -> None:
    mine = tmp_path / "mine.csv"
    mine.write_text(f"turn,date\n1,17 August 1914\n{row}\n", "utf-8")
    done = run(data, "pack", "take", GAME, "turns", str(mine))
    assert done.returncode == 3
    assert f"{mine}{said}" in done.stderr
    assert "nothing entered" in run(data, "pack", "list").stdout
