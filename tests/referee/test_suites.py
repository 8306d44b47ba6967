"""The published suites: each plugin agrees with its second program, which shares no rule with it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec, resolve_name
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pytest

from assistant.asking.question import RULINGS
from assistant.installed.registry import games_unpacked, installed_games
from assistant.records.referee.cases import judge_case, judge_file, play
from assistant.records.referee.files import Case, Head, read_suite

from ..cases import thorough
from .__main__ import MODULES, suites_of
from .writing import FOLDER, suite_text

FILES = sorted(FOLDER.glob("*/*.txt"))
SAMPLE, AGAIN, MOST_BYTES = 2, 1, 4 << 20
"""How many cases of each file `make test` puts to its plugin, how many it makes again, and how large all files may become."""


def named(file: Path) -> str:
    return f"{file.parent.name}/{file.stem}"


def sampled(file: Path, many: int = SAMPLE) -> tuple[Head, list[Case]]:
    """Some cases of a file, spread over it."""
    head, cases = read_suite(file)
    every = list(cases)
    return head, every[:: max(1, len(every) // many)][:many]


@pytest.mark.parametrize("file", FILES, ids=named)
def test_a_sample_of_each_suite_is_answered_as_the_second_program_does(file: Path) -> None:
    head, cases = sampled(file)
    wrong = [judge_case(head, case, games_unpacked()) for case in cases]
    assert [(each.differences, str(each.unusable)) for each in wrong if each.differences or each.unusable] == []


@thorough
@pytest.mark.parametrize("file", FILES, ids=named)
def test_every_case_is_answered_as_the_second_program_does(file: Path) -> None:
    judged = list(judge_file(file, jobs=2))
    assert [(each.differences, str(each.unusable)) for each in judged if each.differences or each.unusable] == []
    assert len(judged) > 1


def begun(game: str, many: int) -> dict[str, list[str]]:
    """The first cases of each suite of a game, made again, and those of its file, by the subject."""
    found = {}
    for suite in suites_of(game):
        part = msgspec.structs.replace(suite, cases=list(islice(suite.cases, many)))
        found[suite.subject] = [
            suite_text(part, games_unpacked()(game)),
            (FOLDER / game / f"{suite.subject}.txt").read_text("utf-8"),
        ]
    return found


@pytest.mark.parametrize("game", sorted(MODULES))
@pytest.mark.parametrize("many", [AGAIN, pytest.param(25, marks=thorough)])
def test_the_second_program_makes_the_same_suites_again(game: str, many: int) -> None:
    for subject, (made, published) in begun(game, many).items():
        assert published.startswith(made.rstrip("\n")), f"{subject}: python -m tests.referee {game} --write"
    assert {file.stem for file in FILES if file.parent.name == game} == set(begun(game, 0))


def test_each_file_has_its_second_program() -> None:
    assert {file.parent.name for file in FILES} == set(MODULES)


@thorough
@pytest.mark.parametrize("file", FILES, ids=named)
def test_the_head_of_a_suite_names_each_ruling_that_its_answers_turn_on(file: Path) -> None:
    head, cases = sampled(file, 4)
    stated = set(re.findall(r"^ruling ([\w-]+)", head.notation, re.MULTILINE))
    used = {
        ruling
        for case in cases
        for _, answer in play(head, case, games_unpacked())
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


def test_the_suites_stay_small() -> None:
    assert sum(file.stat().st_size for file in FILES) < MOST_BYTES


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
