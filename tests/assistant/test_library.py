"""The library: the names that `assistant` exports, and what the session in docs/making/library.md does not show."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

import assistant

from ..cases import thorough

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "plugins" / "twilight_in_the_east" / "examples"
BATTLE = """game twilight-in-the-east
turn=1
40.20: 25/3 (10-?-5-10)
40.19: 29/20 (10-?-5-10)
41.19 clear: 1/1 (12-16-7-11)
41.19|40.19,40.20 open
ask battle at=41.19 from=40.20 attacker-ap=none defender-ap=none
ask supply unit=25/3
answers crt=7
"""


@pytest.fixture
def battle() -> assistant.Position:
    return assistant.parse(BATTLE)


def test_the_names_are_those_of_the_page() -> None:
    table = (ROOT / "docs/making/library.md").read_text("utf-8").partition("## The names")[2].partition("## ")[0]
    explained = [
        name for row in re.findall(r"^\| (`.*?) \| ", table, re.MULTILINE) for name in re.findall(r"`(\w+)", row)
    ]
    assert sorted(explained) == assistant.__all__
    assert set(assistant.__all__) <= set(dir(assistant))


@pytest.mark.parametrize("name", ["read", "parse", "ask", "picture", "chart", "notation", "write", "named_game"])
def test_a_docstring_says_what_is_raised(name: str) -> None:
    assert re.search(r"Raises[^.]*(?<!`)\bInputError\b", getattr(assistant, name).__doc__)


def test_importing_it_loads_nothing_else() -> None:
    code = "import sys, assistant; print([name for name in sys.modules if name.startswith(('assistant.', 'msgspec'))])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_a_name_that_it_lacks_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'answer'"):
        assistant.answer  # type: ignore[attr-defined]  # noqa: B018


def test_without_a_question_the_first_of_the_position_is_asked(battle: assistant.Position) -> None:
    assert assistant.ask(battle).title == assistant.ask(battle, "battle").title
    assert assistant.ask(battle, battle.asks[1]).question == "supply"
    with pytest.raises(assistant.InputError, match="this position asks no question"):
        assistant.ask(msgspec.structs.replace(battle, asks=()))


def test_parameters_and_dice_come_over_those_of_the_position(battle: assistant.Position) -> None:
    assert assistant.ask(battle).result.attacker.total == 10
    assert assistant.ask(battle, from_=["40.20", "40.19"]).result.attacker.total == 20
    assert assistant.ask(battle, "battle", attacker_ap=3).result.attacker.total == 15
    accepted = assistant.parse("trust charts", battle)
    cells = [assistant.ask(accepted, answers=dice).result.outcome.crt for dice in ({}, {"crt": 12})]
    assert cells[0] != cells[1]


def test_lines_over_a_position_leave_its_questions_and_dice(battle: assistant.Position) -> None:
    changed = assistant.parse("41.19 rough\nanswers slrt=3/4", battle)
    assert changed.asks == battle.asks
    assert changed.answers == {"crt": "7", "slrt": "3/4"}
    assert changed.state.value("terrain", "41.19") == "rough"
    assert [asked.question for asked in assistant.parse("ask supply unit=29/20", battle).asks] == ["supply"]


@pytest.mark.parametrize("line", ["41.19 clera", "42.20: 25/4", "ask battle at=99.99"])
def test_an_error_in_a_line_has_its_place_and_a_wrong_parameter_of_a_program_none(
    battle: assistant.Position, line: str
) -> None:
    with pytest.raises(assistant.InputError) as error:
        assistant.ask(assistant.parse(f"\n{line}", battle))
    assert str(error.value).startswith("text:2:")
    with pytest.raises(assistant.InputError) as error:
        assistant.ask(battle, at="99.99")
    assert error.value.where is None


def test_a_side_reads_what_it_may_know() -> None:
    whole, cut = (assistant.read(EXAMPLES / "comprehensive-example.vsav", side=side) for side in ("umpire", "russian"))
    assert whole.state.seen_by == "umpire"
    assert "hidden=" in assistant.notation(cut)
    with pytest.raises(assistant.InputError, match="french"):
        assistant.read(EXAMPLES / "battle.pos", side="french")


def test_changes_are_carried_out_once(battle: assistant.Position) -> None:
    after = battle.after(assistant.ask(battle, "recover", unit="25/3").changes)
    assert (after.asks, after.answers) == ((), {})
    report = assistant.ask(assistant.read(EXAMPLES / "battle.pos"))
    fought = assistant.read(EXAMPLES / "battle.pos").after(report.changes)
    with pytest.raises(assistant.InputError, match="made for another state|is 4, not 3"):
        fought.after(report.changes)


def test_what_has_no_picture_is_not_drawn(battle: assistant.Position) -> None:
    with pytest.raises(assistant.InputError, match="check has no picture"):
        assistant.picture(battle, assistant.ask(battle, "check"))
    with pytest.raises(assistant.InputError, match="nothing to draw as a chart in this answer to battle"):
        assistant.chart(battle, assistant.ask(battle))
    with pytest.raises(assistant.InputError, match=r"\.gif"):
        assistant.chart(battle, assistant.ask(battle), ".gif")


@pytest.mark.parametrize("ending", [".pos", ".json"])
def test_what_is_written_is_read_again(battle: assistant.Position, ending: str, tmp_path: Path) -> None:
    file = tmp_path / f"battle{ending}"
    assistant.write(battle, file)
    again = assistant.read(str(file))
    assert (again.state.units, again.answers) == (battle.state.units, battle.answers)
    with pytest.raises(assistant.InputError, match="already exists"):
        assistant.write(battle, file)
    assistant.write(battle, file, force=True)


def test_a_report_prints_as_the_command_prints_it(battle: assistant.Position) -> None:
    assert "\n\nBattle at 41.19, attacked from 40.20, GT 1\n= " in str(assistant.ask(battle))


PROGRAM = """
from pathlib import Path

import assistant


def column(file: Path) -> str:
    position: assistant.Position = assistant.read(file, side="umpire")
    report: assistant.Report[object] = assistant.ask(position, "battle", answers={"crt": 7}, attacker_ap=[3, 20])
    if report.verdict.kind == "undecided":
        return "; ".join(ask.how for ask in report.asks)
    assistant.write(position.after(report.changes), "after.pos", force=True)
    Path("battle.svg").write_bytes(assistant.picture(position, report) + assistant.chart(position, report))
    game: assistant.Game = assistant.named_game(position.game.id)
    return assistant.notation(assistant.parse("turn=2", position)) + assistant.to_json(report) + game.title


@assistant.hookimpl
def register_questions() -> None:
    raise assistant.InputError("none")
"""


@thorough
@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("", "Success"),
        ("assistant.reed('x')", 'Module has no attribute "reed"'),
        ("assistant.read(1)", 'Argument 1 to "read" has incompatible type "int"'),
    ],
)
def test_mypy_checks_a_program_that_uses_it(line: str, found: str, tmp_path: Path) -> None:
    """Names and parameters are known to it, also those that load lazily."""
    program = tmp_path / "program.py"
    program.write_text(f"{PROGRAM}\n{line}\n", "utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--config-file="]
    done = subprocess.run(
        [*command, f"--cache-dir={ROOT / '.mypy_cache' / 'library'}", str(program)],
        env=os.environ | {"MYPYPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert found in done.stdout
