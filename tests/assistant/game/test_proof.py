"""The proof sheet: clauses of rules as the code has them, in words."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from assistant.faces.cli.main import cli
from assistant.game.proof import proof_sheet, say_code, write_proof
from assistant.game.rule_index import RuleRow
from assistant.game.rulings import Ruling

SOURCE = '''
from .kit import Case, fact
from .limits import LEAST as FEWEST

GREAT_RIVERS = frozenset({"major-river", "grand-river"})
MOST = 13


class Parameters:
    at: str
    """What is typed."""


class Laying(Case):
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
        yield self.at == "off-map" and self.view.ruling('which') == "a", RULES["x"], "{at} is not on the map"


class Result:
    at: str
    """What is answered."""


def may_grow(length, *, beyond):
    """what forbids a line to grow, which is
    long. Rule: 17.5.1
    """
    most = MOST + 1 if beyond else MOST
    pair = (length, "17.5.1", "nothing")
    text = "another sentence"
    text = "it is complete" if beyond else "it is long enough"
    return holding([(FEWEST < length >= most, "17.5.1", text)])
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "rules.py").write_text(SOURCE, "utf-8")
    (tmp_path / "limits.py").write_text("LEAST = 3\nMOST = 5\n", "utf-8")
    return tmp_path


def test_each_clause_with_its_rule_its_condition_and_its_sentence(folder: Path) -> None:
    laid, placed, grown = proof_sheet(folder, {})
    assert (laid.rules, laid.when, laid.says) == (
        ("18.1",),
        "not great river",
        "it crosses only a Major or Grand River hexside",
    )
    assert (placed.rules, placed.when) == (("18.1", "18.2"), "at is 'off-map' and ruling('which') is 'a'")
    assert (grown.when, grown.says) == ("FEWEST less than length at least most", "it is complete / it is long enough")
    assert [clause.about for clause in (laid, grown)] == [
        "what forbids a bridge.",
        "what forbids a line to grow, which is long.",
    ]


def test_the_facts_behind_a_clause(folder: Path) -> None:
    laid, placed, grown = proof_sheet(folder, {})
    assert [(fact.name, fact.means) for fact in laid.facts][:1] == [
        ("great river", "The hexside is a Major or Grand River.")
    ]
    assert laid.facts[0].read == "bool(lies shared with GREAT RIVERS)"
    assert laid.facts[-1].read == "frozenset({'major-river', 'grand-river'})"
    assert [(fact.name, fact.means) for fact in placed.facts] == [("at", "The hex of its marker.")]
    assert [(fact.name, fact.read) for fact in grown.facts] == [
        ("most", "MOST + 1 if beyond else MOST"),
        ("LEAST", "3"),
        ("MOST", "13"),
    ]


TITLES = {"17.5.1": "Length", "18.1": "Bridges", "18.2": "Trains", "18.3": "Marks"}


def test_a_ruling_is_said_with_its_readings(folder: Path) -> None:
    ruling = Ruling("which", "18.1", "Is it?", {"a": "yes", "b": "no"}, "a", "sense")
    _, placed, _ = proof_sheet(folder, {"which": ruling})
    assert placed.facts[-1].means == "Is it? Readings: a: yes; b: no. Taken: a"


def test_the_sheet_of_some_rules(folder: Path) -> None:
    rows = [RuleRow(rule, "check", title, "", ("rules.py:1 bars",)) for rule, title in TITLES.items()]
    sheet = [*write_proof(proof_sheet(folder, {}, "18"), rows, "18")]
    assert sheet[0] == "18.1  Bridges"
    assert "    when not great river" in sheet
    assert sheet[-1] == "  18.3  Marks: rules.py:1 bars"
    assert "18.2  Trains" in sheet
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


def test_the_command_prints_it() -> None:
    runner = CliRunner()
    shown = runner.invoke(cli, ["rules", "twilight-in-the-east", "17.5.1", "--proof"]).output
    assert "17.5.1  Field Railway building" in shown
    assert "says: it must begin at an RR Station" in shown
    assert (
        "no rule under 27 stands as a clause"
        in runner.invoke(cli, ["rules", "twilight-in-the-east", "27", "--proof"]).output
    )
