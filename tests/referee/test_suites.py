"""The published suites: each plugin agrees with its second program, which shares no rule with it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec, resolve_name
from pathlib import Path
from typing import Any

import pytest

from assistant.asking.question import RULINGS
from assistant.installed.registry import installed_games, make_game_loader
from assistant.records.referee.cases import judge_case, judge_file, play
from assistant.records.referee.files import Case, Head, read_suite

from ..cases import thorough
from .__main__ import MODULES, begin_suites, list_suites, main, make_suite
from .keeping import (
    FOLDER,
    SAMPLE,
    TABLE,
    cut_sample,
    find_known,
    list_differences,
    list_marks,
    make_row,
    read_table,
    split_suite,
)

JUDGED, MAX_LINES = 2, 6_000
"""The number of cases of each sample that `make test` puts to its plugin, and the lines that all samples may have."""


def named(file: Path) -> str:
    return f"{file.parent.name}/{file.stem}"


FILES = sorted(FOLDER.glob("*/*.txt"), key=named)


def read_cases(file: Path) -> tuple[Head, list[Case]]:
    head, cases = read_suite(file)
    return head, [*cases]


@pytest.mark.parametrize("file", FILES, ids=named)
def test_a_part_of_each_sample_is_answered_as_the_second_program_does(file: Path) -> None:
    head, cases = read_cases(file)
    wrong = [judge_case(head, case, make_game_loader(pack="none")) for case in cases[:: len(cases) // JUDGED]]
    assert len(wrong) == JUDGED
    assert [(each.differences, str(each.unusable)) for each in wrong if each.differences or each.unusable] == []


@thorough
@pytest.mark.parametrize("file", FILES, ids=named)
def test_each_suite_is_made_again_and_every_case_is_answered_as_the_second_program_does(
    file: Path, tmp_path: Path
) -> None:
    row, text = read_table()[named(file)], make_suite(named(file))
    assert [*list_differences(row, find_known(row), text)] == []
    assert (make_row(row.name, text), cut_sample(text)) == (row, file.read_text("utf-8"))
    whole = tmp_path / file.name
    whole.write_text(text, "utf-8")
    _, *judged = judge_file(whole, jobs=2)
    assert [(each.differences, str(each.unusable)) for each in judged if each.differences or each.unusable] == []
    assert len(judged) == row.cases > 1


@pytest.mark.parametrize("game", sorted(MODULES))
def test_the_second_program_makes_the_same_samples_again(game: str) -> None:
    table = read_table()
    for subject, text in begin_suites(game, SAMPLE):
        published = (FOLDER / game / f"{subject}.txt").read_text("utf-8")
        assert split_suite(published) == split_suite(text), f"python -m tests.referee {game}/{subject} --write"
        assert table[f"{game}/{subject}"].marks.split()[: 1 + SAMPLE] == list_marks(text)


def test_each_suite_has_its_sample_and_its_row() -> None:
    assert [named(file) for file in FILES] == sorted(list_suites()) == list(read_table())


@thorough
@pytest.mark.parametrize("file", FILES, ids=named)
def test_the_head_of_a_suite_names_each_ruling_that_its_answers_turn_on(file: Path) -> None:
    head, cases = read_cases(file)
    stated = set(re.findall(r"^ruling ([\w-]+)", head.notation, re.MULTILINE))
    used = {
        ruling
        for case in cases
        for _, answer in play(head, case, make_game_loader(pack="none"))
        for ruling in rulings_of(answer.report)
    }
    assert used <= stated


def rulings_of(report: Any) -> set[str]:
    """The rulings that a report names."""
    parts = report.parts if report is not None else ()
    return {
        step.figures["ruling"]
        for part in parts
        if part.title == RULINGS
        for step in part.steps
        if "ruling" in step.figures
    }


@pytest.mark.parametrize("file", FILES, ids=named)
def test_a_suite_that_rests_on_made_up_charts_or_a_drawn_board_marks_their_files(file: Path) -> None:
    head, _ = read_suite(file)
    marked = {used.path.partition("/")[0] for used in head.uses}
    if re.search("^board ", head.notation, re.MULTILINE):
        assert "boards" in marked
    if re.search("^trust .*charts", head.notation, re.MULTILINE):
        assert marked & {"charts", "charts.toml", "tables"}


def test_the_samples_stay_small() -> None:
    assert sum(len(file.read_text("utf-8").splitlines()) for file in FILES) < MAX_LINES


# --- what is told of a suite that is made in another way --------------------------------------------------------------

HEAD = "referee 1\ngame heath"
CASES = [f"case {number}\nturn={number}\nask zones\nexpect zone: nothing" for number in range(1, 7)]
SUITE = "\n\n".join([HEAD, *CASES]) + "\n"
ROW = make_row("heath/zones", SUITE)


def test_a_sample_is_the_beginning_of_its_suite_and_counts_the_rest() -> None:
    sample = cut_sample(SUITE)
    assert sample == "\n\n".join([HEAD, *CASES[:SAMPLE]]) + "\n\n# 2 more cases: make referee\n"
    assert split_suite(sample) == [HEAD, *CASES[:SAMPLE]]
    short = "\n\n".join([HEAD, *CASES[:SAMPLE]]) + "\n"
    assert cut_sample(short) == short


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("turn=2\n", "turn=9\n", ["case 2", "-turn=2", "+turn=9"]),
        ("turn=6\n", "turn=9\n", ["case 6", "+case 6", "+turn=9", "+ask zones", "+expect zone: nothing"]),
        ("game heath\n", "game moor\n", ["the head", "-game heath", "+game moor"]),
        (f"\n{CASES[5]}\n", "", ["case 6 of before, which is gone"]),
        (
            CASES[5],
            CASES[5].replace(" 6", " 7"),
            ["case 7", "+case 7", "+turn=6", "+ask zones", "+expect zone: nothing"],
        ),
        (CASES[5] + "\n", f"{CASES[5]}\n\ncase 7\nask zones\n", ["case 7", "+case 7", "+ask zones"]),
        (CASES[5] + "\n", f"{CASES[5]}\n\n", ["what no mark shows"]),
    ],
)
def test_each_case_that_is_made_in_another_way_is_named_with_its_lines(
    before: str, after: str, told: list[str]
) -> None:
    assert [*list_differences(ROW, cut_sample(SUITE), SUITE)] == []
    changed = SUITE.replace(before, after)
    assert changed != SUITE
    first, *lines = list_differences(ROW, cut_sample(SUITE), changed)
    assert first == f"heath/zones: other than in suites.csv: {told[0]}"
    assert [line for line in lines if re.match(r"[+-](?![+-])", line)] == told[1:]


def test_with_the_whole_suite_at_hand_the_lines_of_before_are_told_of_any_case(tmp_path: Path) -> None:
    made = tmp_path / "heath/zones.txt"
    made.parent.mkdir()
    made.write_text(SUITE, "utf-8")
    changed = SUITE.replace("turn=6", "turn=9")
    told = [*list_differences(ROW, find_known(ROW, tmp_path), changed)]
    assert {"-turn=6", "+turn=9"} <= {*told}


def test_a_suite_made_of_something_else_is_not_taken_for_the_one_recorded(tmp_path: Path) -> None:
    row = next(iter(read_table().values()))
    made = tmp_path / f"{row.name}.txt"
    made.parent.mkdir()
    made.write_text("referee 1\n", "utf-8")
    assert find_known(row, tmp_path) == (FOLDER / f"{row.name}.txt").read_text("utf-8")


def test_the_command_makes_whole_suites_and_fails_if_one_is_other_than_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "der-weltkrieg/conversions"
    assert main([name, "--into", str(tmp_path)]) == 0
    whole = tmp_path / f"{name}.txt"
    assert make_row(name, whole.read_text("utf-8")) == read_table()[name]
    table = tmp_path / "suites.csv"
    table.write_text(TABLE.read_text("utf-8").replace(read_table()[name].sha256, "0" * 64), "utf-8")
    monkeypatch.setattr("tests.referee.keeping.TABLE", table)
    assert main([name, "--into", str(tmp_path)]) == 1
    assert f"{name}: other than in suites.csv: what no mark shows" in capsys.readouterr().out
    assert main([name, "--into", str(tmp_path), "--seed", "7"]) == 0
    assert make_row(name, whole.read_text("utf-8")).marks != read_table()[name].marks


def test_the_command_records_nothing_of_another_seed_and_refuses_unknown_names() -> None:
    for words in (["--seed", "7", "--write"], ["no-such-game"]):
        with pytest.raises(SystemExit):
            main(words)


ALONE = ("assistant.rules.field", "assistant.mechanics", "assistant.rules", "assistant.drawing")
"""Parts of the assistant on which plugins rest: who uses them too is not independent."""


def imported_by(module: str) -> Iterator[str]:
    """What a module of the tests imports, by full names; of a package also the modules that are named in it."""
    spec = find_spec(module)
    assert spec is not None and spec.origin is not None
    package = module if spec.submodule_search_locations else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(Path(spec.origin).read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = resolve_name("." * node.level + (node.module or ""), package) if node.level else node.module or ""
            yield base
            yield from (f"{base}.{name.name}" for name in node.names if base.startswith("tests"))


def test_the_second_programs_rest_on_no_rule_of_a_plugin_however_far_their_imports_lead() -> None:
    plugins = {point.value.partition(":")[0] for point in installed_games().values()}
    todo, seen = [*MODULES.values()], set[str]()
    while todo:
        name = todo.pop()
        if name in seen or not is_module(name):
            continue
        seen.add(name)
        todo += imported_by(name) if name.startswith("tests.") else []
    assert {"tests.supplies.naive", "tests.supplies.worlds", "tests.referee.hexes"} <= seen
    assert {name for name in seen if name.partition(".")[0] in plugins or name.startswith(ALONE)} == set()


def is_module(name: str) -> bool:
    """Whether a name is that of a module, not of something in one."""
    with suppress(ModuleNotFoundError):
        return find_spec(name) is not None
    return False
