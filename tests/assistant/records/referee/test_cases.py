"""Cases put to a game: what differs, what cannot be read, and what a file uses."""

from __future__ import annotations

import errno
import os
import subprocess
from pathlib import Path

import pytest

from assistant.game.games import Game
from assistant.installed.registry import games_unpacked, load_game
from assistant.records.referee import cases as referee_cases
from assistant.records.referee.cases import CaseResult, content_mark, judge_case, judge_file
from assistant.records.referee.files import parse_suite
from assistant.util.errors import InputError, word_machine_error

from ....cases import thorough

GAME = "twilight-in-the-east"
HEAD = f"""referee 1
value zone = hexes.hex
value column = column
game {GAME}
turn=2 weather=normal
elsewhere clear open no-rail no-road no-crossing control=russian
"""
COMBAT = """case a
40.20: 25/3 (10-9-5-10) back-steps=0 heavy
41.19: 1/1 (12-16-7-11) back-steps=0 heavy
"""


def judged(text: str) -> CaseResult:
    head, cases = parse_suite(HEAD + text, "suite.txt")
    (case,) = cases
    return judge_case(head, case, games_unpacked())


def test_a_case_agrees_if_all_values_do_in_any_order() -> None:
    zone = "expect zone: 41.20, 41.19, 40.21, 40.19, 39.20, 39.19"
    assert judged(f"{COMBAT}ask zones side=russian\n{zone}\nexpect verdict: figure\n") == CaseResult()


def test_a_difference_has_its_line_and_both_answers_or_the_value_that_no_answer_has() -> None:
    (difference,) = judged(f"{COMBAT}ask battle at=41.19 attacker-ap=3 defender-ap=1\nexpect column: 3:1\n").differences
    assert (difference.file, difference.line, difference.case) == ("suite.txt", 11, "a")
    assert difference.question == "battle at=41.19 attacker-ap=3 defender-ap=1"
    assert (difference.name, difference.expected, difference.got) == ("column", ("3:1",), ("1:2",))
    (difference,) = judged(f"{COMBAT}ask zones side=russian\nexpect hexes.hexx: nothing\n").differences
    assert difference.why == "the answer has no 'hexx'"


def test_several_questions_are_asked_of_one_position() -> None:
    text = f"{COMBAT}ask battle at=41.19 attacker-ap=3 defender-ap=1\nexpect column: 1:2\nask zones side=russian\nexpect zone: 1\n"
    (difference,) = judged(text).differences
    assert (difference.line, difference.expected) == (13, ("1",))


def test_an_answer_carried_out_makes_the_next_position() -> None:
    text = f"{COMBAT}phase=movement phasing=russian\ndo move units=25/3 way=39.19\nexpect verdict: figure\nask zones side=russian\n"
    (difference,) = judged(f"{text}expect zone: nothing\n").differences
    assert set(difference.got) == {"38.19", "38.20", "39.18", "39.20", "40.19", "40.20"}


def test_further_lines_change_the_position_between_questions() -> None:
    text = f"{COMBAT}ask zones side=russian\nexpect verdict: figure\n40.20: 25/3, 27/3 (10-9-5-10) back-steps=0\nask stack at=40.20\n"
    assert judged(f"{text}expect as_placed: 25/3, 27/3\n") == CaseResult()


def test_an_answer_that_is_refused_or_undecided_differs_once() -> None:
    text = f"{COMBAT}ask battle at=44.18\nexpect column: 1:1\nexpect magnitude: Small\n"
    (refused,) = judged(text).differences
    assert refused.why.startswith("refused: ")
    text = f"{COMBAT}ask battle at=41.19 attacker-ap=3\nexpect column: 1:1\nexpect magnitude: Small\n"
    (undecided,) = judged(text).differences
    assert (undecided.got, undecided.why) == ((), "undecided: defender-ap=1, or all, or none")
    assert judged(f"{COMBAT}ask battle at=44.18\nexpect verdict: refused\n") == CaseResult()


@pytest.mark.parametrize(
    ("text", "what", "place"),
    [
        ("case a\n41.19: 99/99\nask zones\nexpect zone: 1\n", "99/99", "suite.txt:8:8"),
        ("case a\n41.19: 1/1\ndo zones sidee\nexpect zone: 1\n", "not of the form name=value", "suite.txt:9:10"),
    ],
)
def test_a_position_that_cannot_be_read_is_named_with_its_place(text: str, what: str, place: str) -> None:
    error = judged(text).unusable
    assert error is not None
    assert what in error.what
    assert str(error.where) == place


# --- files ------------------------------------------------------------------------------------------------------------


def suite(folder: Path, text: str) -> Path:
    file = folder / "suite.txt"
    file.write_text(text, "utf-8")
    return file


@thorough
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_file_is_judged_case_by_case_in_order(tmp_path: Path, jobs: int) -> None:
    cases = [
        COMBAT.replace("case a", f"case {name}") + "ask zones side=russian\nexpect verdict: no\n" for name in range(20)
    ]
    uses, *found = judge_file(suite(tmp_path, HEAD + "".join(cases)), jobs=jobs)
    assert uses == CaseResult()
    assert [difference.case for each in found for difference in each.differences] == list(map(str, range(20)))


def test_a_file_says_with_what_its_answers_were_found(tmp_path: Path) -> None:
    game = load_game(GAME)
    text = HEAD.replace(
        "game ", f"uses charts/crt.csv {content_mark(game, 'charts/crt.csv')}\nuses boards/east {'0' * 16}\ngame ", 1
    )
    uses, *_ = judge_file(suite(tmp_path, f"{text}{COMBAT}ask zones\nexpect verdict: figure\n"))
    (difference,) = uses.differences
    assert (difference.line, difference.name, difference.expected) == (5, "boards/east", ("0" * 16,))
    assert difference.got == (content_mark(game, "boards/east"),)


def folder_of(game: Game) -> Path:
    return Path(str(game.folder))


def test_a_mark_is_what_sha256sum_prints() -> None:
    folder = folder_of(load_game(GAME))
    marks = "for file in $(ls | grep -v '[.]md$' | LC_ALL=C sort); do sha256sum $file; done | sha256sum | cut -c1-16"
    done = subprocess.run(["sh", "-c", marks], cwd=folder / "boards/east", capture_output=True, check=True, text=True)
    assert done.stdout.strip() == content_mark(load_game(GAME), "boards/east")
    done = subprocess.run(
        ["sh", "-c", "sha256sum charts/crt.csv | cut -c1-16"], cwd=folder, capture_output=True, check=True, text=True
    )
    assert done.stdout.strip() == content_mark(load_game(GAME), "charts/crt.csv")


def test_a_file_that_cannot_be_read_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: Path) -> bytes:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    game = load_game(GAME)
    monkeypatch.setattr(Path, "read_bytes", fail)
    for path in ("charts/crt.csv", "charts"):
        with pytest.raises(InputError, match=r"charts/.*\.csv: Input/output error"):
            content_mark(game, path)


@pytest.mark.parametrize("path", ["../secret", "/etc/passwd", "charts/none.csv", ""])
def test_nothing_outside_the_folder_of_a_game_is_marked(path: str) -> None:
    with pytest.raises(InputError):
        content_mark(load_game(GAME), path)


def test_no_pack_of_the_owner_changes_an_answer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path))
    folder = tmp_path / "packs" / GAME
    folder.mkdir(parents=True)
    text = (
        f"{HEAD}trust charts\n{COMBAT}phase=movement phasing=russian\n25/3 movement=3\nask reach units=25/3 forced=no\n"
    )
    expected = "expect hexes{hex=cost}: 39.19=4, 39.20=4, 40.19=4, 40.21=4\n"
    before = list(judge_file(suite(tmp_path, text + expected)))
    (folder / "terrain-cost.csv").write_text("table,feature,cost\nsummer,clear,3\n", "utf-8")
    assert list(judge_file(suite(tmp_path, text + expected))) == before


def test_a_case_at_which_a_disk_fails_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """It differs in nothing."""

    def fail(_: object) -> None:
        raise word_machine_error(OSError(errno.EIO, os.strerror(errno.EIO), "charts/crt.csv"))

    monkeypatch.setattr(referee_cases, "ask", fail)
    result = judged(f"{COMBAT}ask zones side=russian\nexpect zone: 41.20\n")
    assert (result.differences, str(result.unusable)) == ((), "charts/crt.csv: Input/output error\n  check that disk")
