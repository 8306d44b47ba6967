"""Clauses of rules as the code has them, and the sheet of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from assistant.faces.cli.main import cli
from assistant.game.proof.clauses import ProofClause, read_proof
from assistant.game.proof.examples import Example
from assistant.game.proof.sheet import LAST_LINE, MAX_SILENT_SUMMARIES, MAX_SUMMARY_LETTERS, write_proof
from assistant.game.proof.stated import MAX_ROWS_SHOWN, Stated, StatedRow
from assistant.game.rule_index import A_FACT, IN_PART, RuleRow

from ....cases import thorough

NOTHING = Stated({}, {})
MARKS = Stated(
    {"18.3": ['a position may state "Mark"']},
    {
        "18.4": {
            "tables/x.csv": [
                StatedRow(2, "from: 1; to: 2", ("18.5",)),
                *([StatedRow(3, "from: 3", ())] * MAX_ROWS_SHOWN),
            ]
        },
        "18.5": {"tables/x.csv": [StatedRow(2, "from: 1; to: 2", ("18.4",)), StatedRow(9, "from: 9", ())]},
    },
)
SOURCE = '''
from .kit import Case, fact
from .limits import LEAST as FEWEST
from .limits import Timed, is_late

MOST = 13


class Laying(Timed):
    """A bridge that is laid."""

    at: str
    """The hex of its marker."""

    @fact
    def great_river(self) -> bool:
        """The hexside is a Major or Grand River."""
        return bool(self.lies)

    def bars(self):
        """Yield what forbids it. Second sentence.

        Rule: 18.1, 18.2
        """
        yield not self.great_river, "18.1", "it crosses only a Major or Grand River hexside"
        yield self.at == "x" and not self.far, RULES["x"], "the train stands there"
        yield self.at == "x" and self.view.flag("late"), "18.2", "it is late in {at}"
        if self.turned:
            return
        for train in self.trains:
            yield self.late and train.turn in range(4, 19), "18.2", "{train} is late"
            yield self.turned, "18.2/turned", "{odd} is turned over"


def may_grow(length, train: Laying, *, beyond):
    """Return what forbids a line to grow, which is
    long. Rule: 17.5.1
    """
    pair = (length, "a word", "no rule has this name")
    text = "another sentence"
    text = "it is complete" if beyond else "it is long enough"
    return holding([(FEWEST < length and not train.late, "17.5.1", text)])
'''
LIMITS = '''
LEAST = 3


class Timed(Case):
    """What has a time."""

    @fact
    def late(self) -> bool:
        """It is late in the game."""
        return self.turn >= self.first


def is_late(hex):
    """Return whether a hex is late."""
    return hex in LATE
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "rules.py").write_text(SOURCE, "utf-8")
    (tmp_path / "limits.py").write_text(LIMITS, "utf-8")
    return tmp_path


def clauses_of(folder: Path) -> list[ProofClause]:
    return [*read_proof(folder, {}).clauses]


def test_each_clause_with_its_rule_its_conditions_and_its_sentence(folder: Path) -> None:
    clauses = clauses_of(folder)
    assert [(clause.rules, clause.when, [line for _, line in clause.unsaid], clause.says) for clause in clauses] == [
        (
            ("18.1",),
            ("unless the hexside is a Major or Grand River",),
            [],
            ("it crosses only a Major or Grand River hexside",),
        ),
        (("18.1", "18.2"), (), [26], ("the train stands there",)),
        (("18.2",), (), [27], ("it is late in {hex}",)),
        (("18.2",), (), [28, 30, 31], ("{train} is late",)),
        (("18.2/turned",), (), [28, 30, 32], ("… is turned over",)),
        (
            ("17.5.1",),
            ("the length is more than 3", "the train is not late in the game"),
            [],
            ("it is complete", "it is long enough"),
        ),
    ]
    assert [clause.rule for clause in clauses] == ["18.1", "", "18.2", "18.2", "18.2/turned", "17.5.1"]
    assert clauses[0].about == "for a bridge that is laid: what forbids it"


def test_a_clause_stands_under_the_rows_of_its_rule_that_its_function_applies(tmp_path: Path) -> None:
    source = """
def bars(unit):
    '''Yield what bars a unit. Rule: 14.2.2b, 14.2.2d, 14.3'''
    yield unit.entrained, "14.2.2", "it is entrained"
    yield unit.out, "14.3", "Out of Supply"
    yield unit.far, "14.4", "too far"
    pair = (unit, "14.4", "far")
"""
    (tmp_path / "rules.py").write_text(source, "utf-8")
    assert [(clause.rules, clause.says) for clause in clauses_of(tmp_path)] == [
        (("14.2.2b", "14.2.2d"), ("it is entrained",)),
        (("14.3",), ("Out of Supply",)),
        (("14.4",), ()),
    ]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('(late, "3.3", "it takes {turns:#more turn} in {hex} (ask turn)")', ["it takes {number} more turns in {hex}"]),
        (
            '(late, "3.3", "only {count} units of {who} in {now}")',
            ["only {number} units of {nation} in {present phase}"],
        ),
        ('(late, "3.3", "a unit goes, or say shown=yes")', []),
        ('(late, "3.3", "{odd} of {strange} units leave it")', []),
        ('(late, "3.3", "{odd} leaves the hex")', ["… leaves the hex"]),
        ('(late, "3.3", "in {phase}, not in that {phase} phase")', []),
        ('step("3.3", f"a Russian unit may not enter {there}")', ["a Russian unit may not enter {hex}"]),
        ('HexBar("3.3", "it is " + word)', []),
        ('[(late, "3.3", "it is late") for unit in units if out]', ["it is late"]),
        ('(late, "3.3", "a lot" if big else f"{steps} of the units leave")', []),
        (
            '(late, "3.3" if new else "3.3", "it arrives [when:in {turn}|now]")',
            ["it arrives in {turn}", "it arrives now"],
        ),
    ],
)
def test_a_clause_in_other_forms(tmp_path: Path, line: str, says: list[str]) -> None:
    (tmp_path / "rules.py").write_text(f"def bars(units):\n    'Rule: 3.3'\n    return {line}\n", "utf-8")
    (clause,) = clauses_of(tmp_path)
    assert (clause.rules, [*clause.says]) == (("3.3",), says)


@pytest.mark.parametrize(
    "line", ['step("4.4", "of another rule")', 'Part("Units", 3, "3.3")', '("a", "b", "c d")', 'cut("3.3", "b c")']
)
def test_what_is_no_clause(tmp_path: Path, line: str) -> None:
    (tmp_path / "rules.py").write_text(f"def bars(units):\n    'Rule: 3.3'\n    return {line}\n", "utf-8")
    assert clauses_of(tmp_path) == []


TITLES = {"17.5.1": "Length", "18.1": "Bridges", "18.2": "Trains", "18.3": "Marks", "18.4": "Crossing"}


def test_the_sheet_of_some_rules(folder: Path) -> None:
    (folder / "marks.py").write_text('def marks(train):\n    """Return the marks of a train. Rule: 18.3"""\n', "utf-8")
    rows = [RuleRow(rule, "check", title, "", ("tracks.toml:mark",)) for rule, title in TITLES.items()]
    example = Example(("18.3", "18.1"), "hex 10.10\nask marks", ("two marks", "one of it [18.3]", "one of all [18.9]"))
    sheet = [*write_proof(read_proof(folder, {}, "18"), rows, dict.fromkeys(example.rules, example), MARKS, "18")]
    assert sheet[:11] == [
        "18.1  Bridges",
        "  for a bridge that is laid: what forbids it: bars (rules.py:20)",
        "    says: it crosses only a Major or Grand River hexside",
        "      unless the hexside is a Major or Grand River",
        "    not shown: line 26",
        "  for example:",
        "    hex 10.10",
        "    ask marks",
        "    answer: two marks",
        "      one of it [18.3]",
        "      one of all [18.9]",
    ]
    assert sheet[14:17] == [
        "    may say: it is late in {hex}",
        "    may say: {train} is late",
        "    not shown: lines 26, 27, 28, 30 and 31",
    ]
    assert "18.2/turned  (no row of the rule index)" in sheet
    assert not any("17.5.1" in line for line in sheet)
    assert sheet[sheet.index("18.3  Marks") :][:9] == [
        "18.3  Marks",
        "  the marks of a train: marks (marks.py:1)",
        '  a position may state "Mark"',
        "  for example:",
        "    hex 10.10",
        "    ask marks",
        "    answer: two marks",
        "      one of it [18.3]",
        "",
    ]
    assert sheet.count("  for example:") == 2, "of rules with clauses and without"
    assert sheet[sheet.index("18.4  Crossing") :][:3] == [
        "18.4  Crossing",
        "  in the file tables/x.csv:",
        "    line 2: from: 1; to: 2 (also for 18.5, which has 2 rows here)",
    ]
    assert "    and 1 more, to line 3" in sheet
    assert sheet[-1] == LAST_LINE


@pytest.mark.parametrize(
    ("left", "lines"),
    [
        (A_FACT, [f"  {A_FACT}", "  there is nothing to compute: other rules use the fact"]),
        (
            "a matter of conduct",
            ["  left to the players: a matter of conduct", "  no function computes anything of it"],
        ),
        (f"{IN_PART}the rest is printed", [f"  {IN_PART}the rest is printed"]),
        ("", ["  neither code nor a file states it"]),
    ],
)
def test_a_rule_without_code_and_files_says_why(tmp_path: Path, left: str, lines: list[str]) -> None:
    rows = [RuleRow("3.3", "data", "Far", left, ())]
    sheet = [*write_proof(read_proof(tmp_path, {}), rows, {}, NOTHING)]
    assert sheet == ["3.3  Far", *lines, "", LAST_LINE]


def test_a_function_without_a_sentence_is_said_by_its_summary(tmp_path: Path) -> None:
    source = '''
class Train:
    """A train on its way."""

    def price(self):
        """Return what it pays. Rule: 18.3"""

    def length(self):
        """Return its length, or by the. Rule: 18.3"""

'''
    (tmp_path / "rules.py").write_text(source, "utf-8")
    sheet = [*write_proof(read_proof(tmp_path, {}), [RuleRow("18.3", "check", "Price", "", ())], {}, NOTHING)]
    assert sheet[1:-2] == ["  for a train on its way: what it pays: price (rules.py:5)", "  length (rules.py:8)"]
    source = 'def check(train):\n    """Raise InputError if a train is too long. Rule: 18.3"""\n'
    (tmp_path / "rules.py").write_text(source, "utf-8")
    sheet = [*write_proof(read_proof(tmp_path, {}), [RuleRow("18.3", "check", "Price", "", ())], {}, NOTHING)]
    assert sheet[1] == "  it refuses the question if a train is too long: check (rules.py:1)"


def test_functions_and_sentences_of_several_rules(tmp_path: Path) -> None:
    names = [f"{letter}_way" for letter in "abcd"[: MAX_SILENT_SUMMARIES + 2]]
    code = [f'def {name}():\n    """Return {name[0]} ways. Rule: {{}}"""\n' for name in names]
    rules = ["3.3, 3.4", *["3.3"] * (MAX_SILENT_SUMMARIES + 1)]
    (tmp_path / "rules.py").write_text("".join(map(str.format, code, rules)), "utf-8")
    sheet = [*write_proof(read_proof(tmp_path, {}), [RuleRow("3.3", "check", "Ways", "", ())], {}, NOTHING)]
    assert sheet[1:4] == [
        "  b ways: b_way (rules.py:3)",
        "  c ways: c_way (rules.py:5)",
        "  and by: d_way (rules.py:7); a_way (rules.py:1)",
    ]
    source = (
        'def bars(unit):\n    """Yield what bars a unit. Rule: 8.2a, 8.2b"""\n    yield unit.far, "8.2", "it is far"\n'
    )
    (tmp_path / "rules.py").write_text(source, "utf-8")
    rows = [RuleRow(rule, "check", "Far", "", ()) for rule in ("8.2a", "8.2b")]
    sheet = [*write_proof(read_proof(tmp_path, {}), rows, {}, NOTHING)]
    under = ["  what bars a unit: bars (rules.py:1)", "    not shown: line 3", ""]
    assert sheet == ["8.2a  Far", *under, "8.2b  Far", *under, LAST_LINE]


def test_alternatives_stand_in_one_line_and_conditions_once_for_each_sentence(tmp_path: Path) -> None:
    source = """
def bars(hex, at):
    'Yield what bars a hex. Rule: 8.2'
    yield hex == "x", "8.2", "it lies too far"
    yield hex == "x", "8.2", "it lies too near"
    yield True, "8.2", "units stand there" if at else "nobody stands there"
"""
    (tmp_path / "rules.py").write_text(source, "utf-8")
    sheet = [*write_proof(read_proof(tmp_path, {}), [RuleRow("8.2", "check", "Far", "", ())], {}, NOTHING)]
    assert sheet[2:8] == [
        "    says: it lies too far",
        "      when the hex is x",
        "    says: it lies too near",
        "      when the hex is x",
        "    says: units stand there / nobody stands there",
        "",
    ]


@pytest.mark.parametrize(
    ("summary", "heading"),
    [
        ("what bars a unit: that it is far; a train too", "what bars a unit: that it is far"),
        (f"what bars a unit: that it is {'very ' * (MAX_SUMMARY_LETTERS // 5)}far", "what bars a unit"),
    ],
)
def test_a_heading_is_the_summary_without_further_explanations(tmp_path: Path, summary: str, heading: str) -> None:
    source = f"""
def bars(unit):
    'Yield {summary}. Rule: 8.2'
    yield unit.far, "8.2", "it is far"
"""
    (tmp_path / "rules.py").write_text(source, "utf-8")
    rows = [RuleRow("8.2", "check", "Far", "", ())]
    sheet = [*write_proof(read_proof(tmp_path, {}), rows, {}, NOTHING)]
    assert sheet[1] == f"  {heading}: bars (rules.py:2)"


def test_a_rule_whose_function_has_only_clauses_of_others_names_them(tmp_path: Path) -> None:
    source = """
def bars(self):
    '''Yield what bars cavalry. Rule: 6.2.2a, 3.8.3b'''
    yield self.rides, "6.2.2a", "it is cavalry"
    yield self.walks, "14.3", "it is infantry"
"""
    (tmp_path / "corps.py").write_text(source, "utf-8")
    assert [clause.rules for clause in clauses_of(tmp_path)] == [("6.2.2a",), ("14.3",)]
    rows = [RuleRow("3.8.3b", "check", "Cavalry", "", ())]
    assert [*write_proof(read_proof(tmp_path, {}, "3.8"), rows, {}, NOTHING, "3.8")] == [
        "3.8.3b  Cavalry",
        "  what bars cavalry: bars (corps.py:2)",
        "    what it says is under 6.2.2a and 14.3",
        "",
        LAST_LINE,
    ]


@thorough
def test_the_command_prints_it() -> None:
    shown = CliRunner().invoke(cli, ["rules", "twilight-in-the-east", "17.5.1", "--proof"]).output
    assert "17.5.1  Field Railway building" in shown
    assert "says: it must begin at an RR Station" in shown
