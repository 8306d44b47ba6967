"""The proof sheet: clauses of rules as the code has them, in words."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from assistant.faces.cli.main import cli
from assistant.game.proof import ProofFact, proof_sheet, say_code, write_proof
from assistant.game.rule_index import RuleRow
from assistant.game.rulings import Ruling

from ...cases import thorough

SOURCE = '''
from .kit import Case, fact
from .limits import LEAST as FEWEST
from .limits import Timed, is_late

GREAT_RIVERS = frozenset({"major-river", "grand-river"})
MOST = 13


class Parameters:
    at: str
    """What is typed."""


class Laying(Timed):
    """A bridge that is laid."""

    at: str
    """The hex of its marker."""

    @fact
    def great_river(self) -> bool:
        """The hexside is a Major or Grand River."""
        return bool(self.lies & GREAT_RIVERS)

    def bars(self):
        """Yield what forbids a bridge. Second sentence.

        Rule: 18.1, 18.2
        """
        yield not self.great_river, "18.1", "it crosses only a Major or Grand River hexside"
        yield not self.at == "off-map" and self.view.ruling('which') == "a", RULES["x"], "{at:#hex} is not on the map"
        if self.turned:
            return
        for train in self.trains:
            yield self.late and train.turn in range(4, 19), "18.2", "{train} is late"
            yield self.turned, "18.2/turned", "{train} is turned"


class Result:
    at: str
    """What is answered."""


def may_grow(length, laying: Laying, *, beyond):
    """Return what forbids a line to grow, which is
    long. Rule: 17.5.1
    """
    most = MOST + 1 if beyond else MOST
    pair = (length, "a word", "no rule has this name")
    text = "another sentence"
    text = "it is complete" if beyond else "it is long enough"
    return holding([(FEWEST < length >= most or is_late(laying.at), "17.5.1", text)])
'''
LIMITS = '''
LEAST = 3
MOST = 5


class Timed(Case):
    """What has a time."""

    turn: Annotated[int, note("the game turn")]

    @fact
    def late(self) -> bool:
        """It is late in the game."""
        return self.turn >= self.first

    @property
    def first(self) -> int:
        """The first late turn."""
        return MOST


class Early(Timed):
    turned: bool
    """Whether it is turned."""

    @fact
    def late(self) -> bool:
        """It never is."""
        return False


def is_late(hex):
    """Return whether a hex is late."""
    return hex in LATE
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "rules.py").write_text(SOURCE, "utf-8")
    (tmp_path / "limits.py").write_text(LIMITS, "utf-8")
    return tmp_path


def test_each_clause_with_its_rule_its_condition_and_its_sentence(folder: Path) -> None:
    clauses = [*proof_sheet(folder, {})]
    assert [(clause.rules, clause.when, clause.says) for clause in clauses] == [
        (("18.1",), "not great river", "it crosses only a Major or Grand River hexside"),
        (("18.1", "18.2"), "at is not 'off-map' and ruling('which') is 'a'", "{at} is not on the map"),
        (("18.2",), "not turned and for each train of trains: late and train.turn among 4 to 18", "{train} is late"),
        (("18.2/turned",), "not turned and for each train of trains: turned", "{train} is turned"),
        (
            ("17.5.1",),
            "FEWEST less than length at least most or is late(laying.at)",
            "it is complete / it is long enough",
        ),
    ]
    assert [clause.about for clause in clauses] == [
        *["what forbids a bridge."] * 4,
        "what forbids a line to grow, which is long.",
    ]


def test_the_facts_behind_a_clause(folder: Path) -> None:
    laid, placed, late, turned, grown = (list(clause.facts) for clause in proof_sheet(folder, {}))
    assert laid == [
        ProofFact("great river", "The hexside is a Major or Grand River.", "lies shared with GREAT RIVERS"),
        ProofFact("GREAT RIVERS", "", "frozenset({'major-river', 'grand-river'})"),
    ]
    assert placed == [ProofFact("at", "The hex of its marker.", "")]
    assert late == [
        ProofFact("late", "It is late in the game.", "turn at least first"),
        ProofFact("turn", "the game turn", ""),
        ProofFact("first", "The first late turn.", "MOST"),
        ProofFact("MOST", "", "5"),
    ], "as the base has it, not another class"
    assert turned == [], "nothing of the other clause in its loop"
    assert grown == [
        ProofFact("FEWEST", "", "3"),
        ProofFact("most", "", "MOST + 1 if beyond else MOST"),
        ProofFact("is late", "whether a hex is late.", ""),
        ProofFact("at", "The hex of its marker.", ""),
        ProofFact("MOST", "", "13"),
    ]


def test_a_clause_stands_under_the_rows_of_its_rule_that_its_function_applies(tmp_path: Path) -> None:
    source = '''
def bars(unit):
    """Yield what bars a unit. Rule: 14.2.2b, 14.2.2d, 14.3"""
    yield unit.entrained, "14.2.2", "entrained"
    yield unit.out, "14.3", "Out of Supply"
    yield unit.far, "14.4", "too far"
    pair = (unit, "14.4", "far")
'''
    (tmp_path / "rules.py").write_text(source, "utf-8")
    assert [(clause.rules, clause.says) for clause in proof_sheet(tmp_path, {})] == [
        (("14.2.2b", "14.2.2d"), "entrained"),
        (("14.3",), "Out of Supply"),
        (("14.4",), "too far"),
    ], "and a single word is a sentence only where its function applies the rule"


TITLES = {"17.5.1": "Length", "18.1": "Bridges", "18.2": "Trains", "18.3": "Marks"}


def test_a_ruling_is_said_with_its_readings(folder: Path) -> None:
    ruling = Ruling("which", "18.1", "Is it", {"a": "yes", "b": "no"}, "a", "sense")
    placed = [*proof_sheet(folder, {"which": ruling})][1]
    assert placed.facts[-1].means == "Is it? Readings: a: yes; b: no. Taken: a"


def test_the_sheet_of_some_rules(folder: Path) -> None:
    rows = [RuleRow(rule, "check", title, "", ("rules.py:1 bars",)) for rule, title in TITLES.items()]
    sheet = [*write_proof(proof_sheet(folder, {}, "18"), rows, "18")]
    assert sheet[0] == "18.1  Bridges"
    assert "    when not great river" in sheet
    assert sheet[-1] == "  18.3  Marks: rules.py:1 bars"
    assert "18.2  Trains" in sheet
    assert "18.2/turned  (no row of the rule index)" in sheet
    assert not any("17.5.1" in line for line in sheet)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("self.unit.steps_left >= 2", "unit.steps left at least 2"),
        ("self.facts.word('arm', it.unit) != 'guns'", "word('arm', unit) is not 'guns'"),
        ("_is_far(self.here) and hex not in self.around.friends", "is far(here) and hex is not among around.friends"),
        (
            "any(unit in self.around.enemies for unit in self.view.stack(hex))",
            "any(unit among around.enemies for unit among stack(hex))",
        ),
    ],
)
def test_code_in_words(code: str, words: str) -> None:
    assert say_code(code) == words


@thorough
def test_the_command_prints_it() -> None:
    runner = CliRunner()
    shown = runner.invoke(cli, ["rules", "twilight-in-the-east", "17.5.1", "--proof"]).output
    assert "17.5.1  Field Railway building" in shown
    assert "says: it must begin at an RR Station" in shown
    assert (
        "no rule under 27 stands as a clause"
        in runner.invoke(cli, ["rules", "twilight-in-the-east", "27", "--proof"]).output
    )


def test_a_clause_of_a_rule_stands_at_the_paragraphs_that_its_function_declares(tmp_path: Path) -> None:
    source = """
def bars(self):
    \"\"\"Yield what bars a station. Rule: 8.2.3b\"\"\"
    yield self.zone, "8.2.3", "it is in a zone"
    yield self.full, "8.2.6", "it is full"
"""
    (tmp_path / "stations.py").write_text(source, "utf-8")
    assert [clause.rules for clause in proof_sheet(tmp_path, {}, "8.2")] == [("8.2.3b",), ("8.2.6",)]


def test_a_rule_that_no_clause_of_its_function_bears_has_all_of_them(tmp_path: Path) -> None:
    source = """
def bars(self):
    \"\"\"Yield what bars cavalry. Rule: 6.2.2a, 3.8.3b\"\"\"
    yield self.rides, "6.2.2a", "it is cavalry"
    yield self.walks, "14.3", "it is infantry"
"""
    (tmp_path / "corps.py").write_text(source, "utf-8")
    assert [clause.rules for clause in proof_sheet(tmp_path, {})] == [("6.2.2a", "3.8.3b"), ("14.3", "3.8.3b")]
    assert len([*proof_sheet(tmp_path, {}, "3.8")]) == 2
    assert [clause.says for clause in proof_sheet(tmp_path, {}, "6")] == ["it is cavalry"]


def test_a_clause_that_stands_alone_is_of_all_that_its_function_declares(tmp_path: Path) -> None:
    source = """
def steps(units):
    \"\"\"Return what bars units. Rule: 8.2.3b, 8.4\"\"\"
    return holding([(units, "8.2.3", "they are in a zone")])
"""
    (tmp_path / "stations.py").write_text(source, "utf-8")
    assert [clause.rules for clause in proof_sheet(tmp_path, {}, "8")] == [("8.2.3b", "8.4")]
