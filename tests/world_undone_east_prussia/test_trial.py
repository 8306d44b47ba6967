"""A trial of the documentation: a copy of the game's data files, with a question of supply and one of combat written from `docs/`
alone, each in less than 60 lines.
"""

from __future__ import annotations

import ast
import re
import shutil
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.game.games import Game
from assistant.testing import asked, check_game, game_in, typed

from ..cases import few
from .asking import GAME, undone

ROOT = Path(__file__).parents[2]
PLUGIN, TRIAL = ROOT / "plugins" / "world_undone_east_prussia", Path(__file__).parent / "trial"
DATA = ("*.toml", "*.csv", "roster", "charts", "boards", "setups", "symbols")
WITHOUT = re.compile(r"^\[(?:demo|table|wishes)(?:\.\w+)?\]\n(?:(?!\[\w).*\n)*", re.MULTILINE)
"""The sections of game.toml that name questions which the copy does not have."""
QUESTIONS = ("supply", "combat")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The copy: data files of the game, the trial's code, and nothing else."""
    copy = tmp_path_factory.mktemp("trial") / "trial"
    copy.mkdir()
    for pattern in DATA:
        for path in PLUGIN.glob(pattern):
            (shutil.copytree if path.is_dir() else shutil.copy)(path, copy / path.name)
    (copy / "rules.csv").unlink()
    (copy / "game.toml").write_text(WITHOUT.sub("", (copy / "game.toml").read_text("utf-8")), "utf-8")
    course = (copy / "course.toml").read_text("utf-8")  # whose steps name questions that the copy does not have
    (copy / "course.toml").write_text(re.sub(r', ask = "[^"]*"', "", course), "utf-8")
    for file in TRIAL.glob("*.py"):
        shutil.copy(file, copy)
    return copy


@pytest.fixture(scope="module")
def game(folder: Path) -> Game:
    return game_in(folder)


def ask(game: Game, text: str, **how: Any) -> Report[Any]:
    """The report on the question that a position of the copy asks in its last line."""
    return asked(typed(f"game {GAME}\n{text}", game), **how)


# --- what it is written from ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_takes_less_than_60_lines(name: str) -> None:
    assert len((TRIAL / f"{name}.py").read_text("utf-8").splitlines()) < 60


def imported(file: Path) -> Iterator[tuple[str, str]]:
    """The names that a module takes from the assistant, each with its module."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("assistant"):
            yield from ((str(node.module), alias.name) for alias in node.names)


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_documentation_names_all_that_a_question_takes_from_the_assistant(name: str) -> None:
    pages = "\n".join(page.read_text("utf-8") for page in (ROOT / "docs").rglob("*.md"))
    taken = [*imported(TRIAL / f"{name}.py")]
    assert taken
    assert [
        (module, what) for module, what in taken if f"`{module}`" not in pages and f"from {module} " not in pages
    ] == []
    assert [what for _, what in taken if what not in pages] == []


def test_the_copy_is_data_but_for_the_trial_and_has_no_mistakes(folder: Path) -> None:
    assert {file.name for file in folder.rglob("*.py")} == {"__init__.py", "supply.py", "combat.py"}
    check_game(folder)


# --- supply -----------------------------------------------------------------------------------------------------------


@few(1)
@pytest.mark.parametrize(
    ("scenario", "side"),
    [
        ("historical", "german"),
        ("historical", "russian"),
        ("masurian-lakes", "russian"),
        ("masurian-lakes", "german"),
    ],
)
def test_its_supply_is_that_of_the_game(game: Game, scenario: str, side: str) -> None:
    set_up = (
        (PLUGIN / "setups" / f"{scenario}.pos").read_text("utf-8").replace(f"game {GAME}\n", "board east-prussia\n")
    )
    trial = ask(game, f"{set_up}\nask supply side={side}")
    real = undone(set_up, "supply", side=side)
    found = {unit.unit: (unit.supplied, unit.hexes) for unit in trial.result.units}
    assert len(found) > 15
    assert found == {unit.unit: (unit.supplied, unit.hexes) for unit in real.result.units}


# --- combat -----------------------------------------------------------------------------------------------------------

ATTACK = "5319 clear: I/1\n5320: XVII/36\n5419: XX/28, 1A/2HA\n5319|5419, 5320|5419 open\n5419 clear\n"
ASKED = "ask combat at=5419 from=5319,5320"


def test_all_cells_below_the_unknown_ones_are_asked_for_and_no_others(game: Game) -> None:
    report = ask(game, f"{ATTACK}chart german-table 3:1+ 3- = D1\n{ASKED}")
    (part,) = (part for part in report.parts if part.title == "Chances")
    assert part.steps[0].figures["cells"] == 4, "2 and 3 are known, 4 to 7 are not"
    assert [one.name for one in report.asks] == ["die"]


def test_its_chances_are_those_of_the_table(game: Game) -> None:
    told = "chart german-table 3:1+ 3- = DE\nchart german-table 3:1+ 4+ = AE\n"
    report = ask(game, f"{ATTACK}{told}{ASKED}")
    (chances,) = (step.figures["chances"] for part in report.parts for step in part.steps if "chances" in step.figures)
    assert {one.value: one.chance for one in chances} == {"DE": Fraction(1, 3), "AE": Fraction(2, 3)}
    assert report.verdict.text.strip() == "3:1", "16 against 5; the heavy artillery adds 1 to the die"


@pytest.mark.parametrize(
    ("die", "outcome", "gone"), [("2", "DE", {"XX/28", "1A/2HA"}), ("3", "AE", {"I/1", "XVII/36"})]
)
def test_its_die_removes_who_is_lost(game: Game, die: str, outcome: str, gone: set[str]) -> None:
    told = "chart german-table 3:1+ 3- = DE\nchart german-table 3:1+ 4+ = AE\n"
    report = ask(game, f"{ATTACK}{told}{ASKED}", answers={"die": die})
    assert report.result.outcome == outcome
    assert {change.subject for change in report.changes} == gone  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("ground", "drm"),
    [("5419 forest", 2), ("5419 swamp", 3), ("5319|5419, 5320|5419 river", 4), ("5319|5419 river", 1)],
)
def test_its_modifiers(game: Game, ground: str, drm: int) -> None:
    plain = "" if "river" in ground else "5319|5419, 5320|5419 open\n"
    rest = "5320|5419 open\n" if ground == "5319|5419 river" else ""
    clear = "5419 clear\n" if "|" in ground else ""
    report = ask(game, f"5319: I/1\n5320: XVII/36\n5419: XX/28, 1A/2HA\n{ground}\n{plain}{rest}{clear}{ASKED}")
    steps = [step for part in report.parts if part.title == "Die" for step in part.steps]
    assert sum(step.figures["amount"] for step in steps) == drm


def test_what_is_not_stated_is_asked_for(game: Game) -> None:
    report = ask(game, f"5319: I/1\n5320: XVII/36\n5419: XX/28\n{ASKED}")
    assert report.verdict.kind == "undecided"
    assert [one.how for one in report.asks] == ["5319|5419 open|river|lake|sea", "5419 clear|forest|swamp|sea"]
