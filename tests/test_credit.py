"""Which rows of the rule index are credited, and which functions count for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.game.rule_index import RuleRow

from .credit import Equivalents, Fault, Row, complaints, drawn
from .credited import Function, functions
from .mutants import Mutant, without_results

SOURCE = '''
def shift(a):
    """A shift.

    Rule: 10.8a, 10.8b
    """
    return _halved(a)


def check(a):
    """A check.

    Rule: 11.3
    """
    return _halved(a)


def _halved(a):
    return a // 2


def said(a):
    """Words."""
    return _halved(a)


class Unit:
    """A unit."""

    @property
    def left(self):
        """Steps left.

        Rule: 3.4
        """
        return self._left()

    def _left(self):
        return self.steps - 1
'''


@pytest.fixture
def package(tmp_path: Path) -> Path:
    (tmp_path / "combat").mkdir()
    (tmp_path / "combat" / "odds.py").write_text(SOURCE, "utf-8")
    return tmp_path


def test_private_functions_count_for_all_that_call_them_and_declare_rules(package: Path) -> None:
    found = {str(function): set(function.rules) for function in functions("game", package)}
    assert found == {
        "combat.odds:shift": {"10.8a", "10.8b"},
        "combat.odds:check": {"11.3"},
        "combat.odds:_halved": {"10.8a", "10.8b", "11.3"},
        "combat.odds:Unit.left": {"3.4"},
        "combat.odds:Unit._left": {"3.4"},
    }


@pytest.fixture
def function(package: Path) -> Function:
    return next(functions("game", package))


def row(function: Function, tests: int, faults: int, unnoticed: int, rule: str = "10.8a") -> Row:
    mutant = Mutant("a", "b", without_results(function.tree, {}).function)
    every = tuple(Fault(function, mutant, ()) for _ in range(faults))
    return Row(RuleRow(rule, "compute", "shifts", ""), ("test",) * tests, every, every[:unnoticed])


@pytest.mark.parametrize(
    ("tests", "faults", "unnoticed", "wrong"),
    [
        pytest.param(1, 10, 1, [], id="nine in ten"),
        pytest.param(1, 9, 1, ["10.8a: its tests notice 8 of 9 faults"], id="with fewer than ten each one"),
        pytest.param(1, 20, 3, ["10.8a: its tests notice 17 of 20 faults"], id="too few"),
        pytest.param(0, 1, 0, ["10.8a: declared, but no test marked with it executes the code"], id="no test"),
    ],
)
def test_what_a_row_needs(function: Function, tests: int, faults: int, unnoticed: int, wrong: list[str]) -> None:
    assert list(complaints([row(function, tests, faults, unnoticed)])) == wrong


def test_a_sample_is_of_whole_rows_and_the_same_every_time(function: Function) -> None:
    rows = [row(function, 1, 10, 0, rule=str(number)) for number in range(9)]
    chosen = drawn(rows, "25", 1914)
    assert (len(chosen), chosen) == (3, drawn(rows, "25", 1914))
    assert drawn(rows, "all", 1914) == rows


def test_a_fault_that_no_test_can_notice_is_listed_once_and_for_all(function: Function, tmp_path: Path) -> None:
    file = tmp_path / "equivalent.toml"
    file.write_text('[[mutant]]\nfunction = "shift"\nbefore = "a"\nafter = "b"\nreason = "the same"\n', "utf-8")
    made = without_results(function.tree, {}).function
    listed = Equivalents(file)
    assert (listed.stale(), listed.has(function, Mutant("a", "c", made))) == (["shift: a -> b"], False)
    assert (listed.has(function, Mutant("a", "b", made)), listed.stale()) == (True, [])
