"""Cases put to a game: what differs, what cannot be read, which values of an answer a path means."""

from __future__ import annotations

import errno
import os
import subprocess
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest

from assistant.asking.report import Report, Verdict
from assistant.asking.schemas import any_report_schema
from assistant.game.games import Game
from assistant.installed.registry import load_game, make_game_loader
from assistant.records.referee import cases as referee_cases
from assistant.records.referee.cases import CaseResult, content_mark, judge_case, judge_file
from assistant.records.referee.files import check_value_path, parse_suite, read_value_path, values_at
from assistant.state.changes import Change, Enter, Gain, Leave, Raise
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
    return judge_case(head, case, make_game_loader(pack="none"))


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


# --- which values of an answer a path means ---------------------------------------------------------------------------


class Hex(msgspec.Struct):
    hex: str
    cost: Fraction | None
    units: tuple[str, ...] = ()
    open: bool = True


class Result(msgspec.Struct):
    column: str
    hexes: tuple[Hex, ...]
    chances: dict[str, Fraction]
    best: Hex | None = None


RESULT = Result(
    "2:1",
    (Hex("40.19", Fraction(5, 2), ("b", "a")), Hex("40.20", None, open=False), Hex("41.19", Fraction(3))),
    {"AD": Fraction(1, 6), "DD": Fraction(5, 6)},
)
REPORT: Report[Any] = Report(title="x", verdict=Verdict("figure", "{column}", {"column": "2:1"}), result=RESULT)


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("column", ["2:1"]),
        ("hexes.hex", ["40.19", "40.20", "41.19"]),
        ("hexes.cost", ["5/2", "none", "3"]),
        ("hexes{hex=cost}", ["40.19=5/2", "40.20=none", "41.19=3"]),
        ("hexes{hex=units}", ["40.19=a+b", "40.20=none", "41.19=none"]),
        ("hexes[open=yes].hex", ["40.19", "41.19"]),
        ('hexes[open=yes][cost!="3"].hex', ["40.19"]),
        ("hexes[cost=none].hex", ["40.20"]),
        ('hexes[hex="x"].hex', []),
        ("chances", ["AD=1/6", "DD=5/6"]),
        ("chances.DD", ["5/6"]),
        ("best.hex", ["none"]),
        ("verdict", ["figure"]),
        ("figures", ["column=2:1"]),
        ("asks", []),
        ("changes", []),
    ],
)
def test_a_path_goes_through_lists(path: str, values: list[str]) -> None:
    assert values_at(REPORT, read_value_path(path)) == values


@pytest.mark.parametrize("path", ["", "a..b", "a[b]", "a[b=c", "a{b}", "a{b=c}.d", ".a", "a.", "a b"])
def test_what_is_no_path_is_refused(path: str) -> None:
    with pytest.raises(InputError, match="is not a path"):
        read_value_path(path)


def test_an_object_is_no_single_value() -> None:
    report = msgspec.structs.replace(REPORT, result={"a": [{"b": {"c": 1}}]})
    with pytest.raises(InputError, match="not a single value") as error:
        values_at(report, read_value_path("a{b=b}"))
    assert error.value.hint == "add a field to the path: c"


def test_figures_in_prose_are_left_out_for_their_wording_may_change() -> None:
    figures = {"why": "its troops stand there", "hexes": ("a", "b"), "share": Fraction(1, 3), "text": "no: it is not"}
    report = msgspec.structs.replace(REPORT, verdict=Verdict("yes", "", figures))
    assert values_at(report, read_value_path("figures")) == ["hexes=a+b", "share=1/3"]


def test_changes_are_named_by_subject_and_track() -> None:
    changes = (
        Change("place", "25/3", "40.20", "41.19", "8.1"),
        Change("phase", "", None, "attack", "5.1"),
        Change("prepared", "25/3", "41.19", None, "8.4"),
        Gain("vp", "russian", 3, "27.2"),
        Raise("level", "russian", 2, "27.2"),
        Enter("new", "new", "40.20", 0, "16.1"),
        Leave("old", "16.2"),
    )
    assert values_at(msgspec.structs.replace(REPORT, changes=changes), read_value_path("changes")) == [
        "25/3.place=41.19",
        "game.phase=attack",
        "25/3.prepared=none",
        "russian.vp=+3",
        "russian.level=2",
        "new.place=40.20",
        "old.place=off",
    ]


def schema() -> dict[str, Any]:
    (report,), components = msgspec.json.schema_components(
        [Result], ref_template="#/$defs/{name}", schema_hook=lambda kind: {"type": "string"}
    )
    whole = any_report_schema()
    whole["properties"]["result"] = report
    return {**whole, "$defs": {**whole["$defs"], **components}}


@pytest.mark.parametrize(
    "path", ["column", "hexes[open=yes].hex", "hexes{hex=cost}", "chances.anything", "best.hex", "changes"]
)
def test_a_path_that_an_answer_can_have_passes(path: str) -> None:
    check_value_path(read_value_path(path), schema())


@pytest.mark.parametrize("path", ["colum", "hexes.hexx", "hexes[opened=yes].hex", "hexes{hex=costs}", "best.column"])
def test_a_path_that_no_answer_can_have_is_refused_even_where_a_list_is_empty(path: str) -> None:
    with pytest.raises(InputError, match="the answer has no"):
        check_value_path(read_value_path(path), schema())


@pytest.mark.parametrize("path", ["verdict.kind", "asks[x=1]", "verdict{a=b}", "figures.column.x", "asks.name"])
def test_what_every_answer_has_is_taken_as_it_is(path: str) -> None:
    with pytest.raises(InputError, match="of an answer has no such parts"):
        check_value_path(read_value_path(path), {"$defs": {}})
    for whole in ("verdict", "asks", "figures", "figures.column", "changes"):
        check_value_path(read_value_path(whole), {"$defs": {}})
