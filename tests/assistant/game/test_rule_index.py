"""The rule index: what functions declare, and what a game's index lists."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from assistant.game.games import Game, read_game
from assistant.game.rule_faults import rule_remarks
from assistant.game.rule_index import RuleRow, declared_rules, rule_index, rule_lines
from assistant.game.rule_questions import questions_at, questions_by_place
from assistant.installed.registry import questions_of
from assistant.util.errors import InputError

from ..rules.moor import moor

COMBAT = '''
"""A module may speak of rules.

Rule: 99.9
"""

raise RuntimeError("this module must never be run to be read")


def shift(terrain: str) -> int:
    """Columns of the shift.

    Rule: 10.8a, 10.8b
    """


def odds() -> str:
    """The odds. They follow Rule: 3.1 of another game only in a manner of speaking."""

    def rounded() -> int:
        """Rounded once.

        Rule: 10.7
        """


def helper() -> None:
    pass


class Stack:
    """A stack.

    Rule: 88.8
    """

    @property
    def steps(self) -> int:
        """Steps in it.

        Raises nothing.

        Rule: 3.4.1  10.7
        """
'''


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    (tmp_path / "combat.py").write_text(COMBAT, "utf-8")
    (tmp_path / "advance.py").write_text('def go() -> None:\n    """Go.\n\n    Rule: 8.1\n    """\n', "utf-8")
    (tmp_path / "notes.txt").write_text('def go() -> None:\n    """Go.\n\n    Rule: 9.1\n    """\n', "utf-8")
    (tmp_path / "game.toml").write_text('title = "Drill"\nabout = "Made up."\n[grid]\n', "utf-8")
    return tmp_path


def test_functions_declare_their_rules_and_are_read_without_being_run(sources: Path) -> None:
    declared = list(declared_rules(sources))
    assert sorted(declared) == [
        ("10.7", "combat.py:20 rounded"),
        ("10.7", "combat.py:38 steps"),
        ("10.8a", "combat.py:10 shift"),
        ("10.8b", "combat.py:10 shift"),
        ("3.4.1", "combat.py:38 steps"),
        ("8.1", "advance.py:1 go"),
    ]
    assert declared[0] == ("8.1", "advance.py:1 go"), "modules in the order of their names"


def test_a_folder_without_code_declares_nothing(tmp_path: Path) -> None:
    (tmp_path / "rules.csv").write_text("rule,kind,title,left_out\n", "utf-8")
    assert list(declared_rules(tmp_path)) == []


def test_many_rules_may_run_over_the_line(tmp_path: Path) -> None:
    text = 'def go() -> None:\n    """Go.\n\n    Rule: 8.1,\n        8.2\n    """\n'
    (tmp_path / "advance.py").write_text(text, "utf-8")
    assert [rule for rule, _ in declared_rules(tmp_path)] == ["8.1", "8.2"]


def test_what_a_rulebook_does_not_number_has_a_name_with_a_stroke(tmp_path: Path) -> None:
    text = 'def go() -> None:\n    """Go. Rule: 14.8/3-edge, CRT-result/AD, Opt/Amph/3"""\n'
    (tmp_path / "combat.py").write_text(text, "utf-8")
    assert [rule for rule, _ in declared_rules(tmp_path)] == ["14.8/3-edge", "CRT-result/AD", "Opt/Amph/3"]


def test_a_range_stands_for_all_rules_whose_last_number_lies_between(tmp_path: Path) -> None:
    text = 'def go() -> None:\n    """Go.\n\n    Rule: 3-14 to 3-16, 4-6, 14.8 to 14.10, 2/rail-German, 28/Italy+0, TEC/clear\n    """\n'
    (tmp_path / "combat.py").write_text(text, "utf-8")
    assert [rule for rule, _ in declared_rules(tmp_path)] == [
        "3-14", "3-15", "3-16", "4-6", "14.8", "14.9", "14.10", "2/rail-German", "28/Italy+0", "TEC/clear",
    ]  # fmt: skip


def test_a_word_that_cannot_be_read_leaves_the_others_readable(tmp_path: Path) -> None:
    (tmp_path / "combat.py").write_text(
        'def go() -> None:\n    """Go.\n\n    Rule: 8.1, eight, 8.2\n    """\n', "utf-8"
    )
    assert [rule for rule, _ in declared_rules(tmp_path)] == ["8.1", "8.2"]
    (line,) = rule_lines(tmp_path)
    assert line.unreadable == "eight"


def test_the_index_gives_each_row_the_code_that_applies_it(sources: Path) -> None:
    (sources / "rules.csv").write_text(
        "rule,kind,title,left_out\n"
        "10.7,compute,Odds,\n"
        '10.8,compute,"Shifts, in columns",not built yet\n'
        "3.4.1,state,Steps,\n",
        "utf-8",
    )
    (sources / "tracks.toml").write_text(
        '[lost]\ntitle = "steps lost"\non = "unit"\nkind = "integer"\nrule = "3.4.1"\n', "utf-8"
    )
    (sources / "tables").mkdir()
    (sources / "tables/limits.csv").write_text("rule,most\n10.7,5\n10.7,6\n10.8,1\n", "utf-8")
    assert rule_index(read_game("drill", sources)) == [
        RuleRow("10.7", "compute", "Odds", "", ("combat.py:20 rounded", "combat.py:38 steps", "tables/limits.csv")),
        RuleRow(
            "10.8", "compute", "Shifts, in columns", "not built yet", ()
        ),  # 10.8a is a rule of its own, and a row alone does nothing
        RuleRow("3.4.1", "state", "Steps", "", ("combat.py:38 steps", "tracks.toml:lost")),
    ]


def test_a_reminder_is_judged_by_nobody_unless_it_is_left_to_the_players(sources: Path) -> None:
    rows = (
        "rule,kind,title,left_out\n10.7,reminder,Odds,\n10.8,reminder,Shifts,nobody says it yet\n10.9,check,Terrain,\n"
    )
    (sources / "rules.csv").write_text(rows, "utf-8")
    said, left, checked = rule_index(read_game("drill", sources))
    assert (said.is_reminder, left.is_reminder, checked.is_reminder) == (True, False, False)
    assert said.left == "a reminder: the program says it at its time and does not judge it"
    assert (left.left, checked.left) == ("left to the players: nobody says it yet", "")


def test_rules_that_are_to_be_computed_and_have_no_code_are_remarked_on(sources: Path) -> None:
    rows = [
        "10.7,compute,Odds,",
        "10.8a,compute,Shift,",
        "11.1,compute,Retreat,left out",
        "11.2,check,Stacking,",
        "12.1,compute,Supply,",
    ]
    sources.joinpath("rules.csv").write_text("\n".join(["rule,kind,title,left_out", *rows, ""]), "utf-8")
    how = "name each in the docstring of its function, `Rule: 12.1`, or say in left_out why none does"
    assert [*rule_remarks(read_game("sources", sources))] == [f"rules.csv: no code applies 12.1; {how}"]
    rows[-1] = "12.1,reminder,Supply,"
    sources.joinpath("rules.csv").write_text("\n".join(["rule,kind,title,left_out", *rows, ""]), "utf-8")
    assert [*rule_remarks(read_game("sources", sources))] == [f"rules.csv: no code applies 12.1; {how}"]
    more = [f"13.{number},compute,Supply," for number in range(20)]
    sources.joinpath("rules.csv").write_text("\n".join(["rule,kind,title,left_out", *more, ""]), "utf-8")
    assert "13.10, 13.11 and 8 more; " in next(rule_remarks(read_game("sources", sources)))


def test_an_index_without_a_column(sources: Path) -> None:
    (sources / "rules.csv").write_text("rule,kind,title\n10.7,compute,Odds\n", "utf-8")
    with pytest.raises(ValueError, match="rules.csv:1: column 'left_out' is missing"):
        rule_index(read_game("drill", sources))


# --- Twilight in the East ---------------------------------------------------------------------------------------------


def test_each_rule_row_and_name_in_data_is_in_the_index_with_code_or_a_reason(twilight: Game) -> None:
    known = {row.rule for row in rule_index(twilight)}
    declared = list(declared_rules(twilight.folder))
    assert [f"{rule} ({where})" for rule, where in declared if rule not in known] == []
    assert len(declared) > 100, "the folder of the game is the one that holds its code"
    unexplained = [row.rule for row in rule_index(twilight) if not row.code and not row.left_out.strip()]
    assert unexplained == []
    applied = {rule for rule, _ in declared_rules(twilight.folder)}
    assert [row.rule for row in rule_index(twilight) if row.rule in applied and row.left_out] == []
    rows = rule_index(twilight)
    assert [rule for rule, times in Counter(row.rule for row in rows).items() if times > 1] == []
    assert {row.kind for row in rows} <= {"compute", "check", "state", "data", "sequence", "physical", "reminder"}
    assert [row.rule for row in rows if not row.title.strip()] == []
    rules = [row.rule for row in rule_index(twilight)]
    named = {f"track {track.name}": track.rule for track in twilight.tracks.values()}
    named |= {f"chart {chart.name}": chart.rule for chart in twilight.charts.values()}
    named |= {f"ruling {ruling.id}": ruling.rule for ruling in twilight.rulings.values()}
    stray = [
        f"{what}: {rule}"
        for what, rule in named.items()
        if not any(re.match(rf"{re.escape(rule)}(?!\d)", known) for known in rules)
    ]
    assert stray == []


def test_only_python_of_the_games_own_folder_is_read(tmp_path: Path) -> None:
    text = 'def go() -> None:\n    """Go.\n\n    Rule: 8.1\n    """\n'
    for folder in ("chapter", ".venv", "elsewhere"):
        (tmp_path / "game" / folder).mkdir(parents=True)
        (tmp_path / "game" / folder / "advance.py").write_text(text, "utf-8")
    (tmp_path / "game" / "elsewhere").rename(tmp_path / "elsewhere")
    (tmp_path / "game" / "linked").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "game" / "round").symlink_to(tmp_path / "game")
    assert list(declared_rules(tmp_path / "game")) == [("8.1", "chapter/advance.py:1 go")]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("x = 1\n" * 100_000, r"advance.py: it holds more than 512 KiB"),
        ("x = 1\ndef\n", r"advance.py:2: this is not valid Python"),
        ("x = " + "-" * 200_000 + "1", "advance.py: this nests too deep for Python"),
        ("x = '\0'", "advance.py.*: this is not valid Python"),
    ],
)
def test_python_that_cannot_be_read_is_named(text: str, what: str, tmp_path: Path) -> None:
    (tmp_path / "advance.py").write_text(text, "utf-8")
    with pytest.raises(InputError, match=what):
        list(declared_rules(tmp_path))


def test_rules_of_play_are_followed_where_the_sequence_of_play_and_the_set_ups_name_them(tmp_path: Path) -> None:
    """What is computed, or left out, is not done by being named."""
    kinds = {"4.0": "sequence", "9.1": "data", "5.1": "compute", "6.0": "sequence"}
    index = "".join(f"{rule},{kind},t,{'no' * (rule == '6.0')}\n" for rule, kind in kinds.items())
    course = '[[phase]]\ntitle = "Move"\nrule = "4.0"\nskipped = [{ turns = "1", rule = "4.0" }]\n'
    course += 'steps = [{ do = "go", rule = "5.1" }, { do = "stop", rule = "6.0" }]\n'
    changes = "scenario,option,unless,track,subject,value,rule,note\nstart,,,,,,9.1,a note\n"
    files = {"rules.csv": "rule,kind,title,left_out\n" + index, "course.toml": course, "setups/changes.csv": changes}
    game = moor(tmp_path, {**files, "setups/start.pos": "game moor\n"})
    code = {row.rule: row.code for row in rule_index(game)}
    assert code == {"4.0": ("course.toml:Move",), "9.1": ("setups/changes.csv:start",), "5.1": (), "6.0": ()}
    asked = questions_by_place(game.folder, questions_of(game).modules)
    assert [questions_at(asked, code[rule][0]) for rule in ("4.0", "9.1")] == [("turn",), ("setup",)]
    assert questions_at(asked, "ground.py:1 near") == ()
