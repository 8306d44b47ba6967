"""Which rows of the rule index are credited, and which functions count for them."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from assistant.game.rule_index import RuleRow

from .cases import thorough
from .credit import (
    CORE,
    GAMES,
    Fault,
    Row,
    Runs,
    by_own_mark,
    changed_since,
    complaints,
    describe,
    draw,
    figures_of,
    is_outdated,
    keep_marks,
    mark_rows,
    marked_tests,
    run_of,
    table,
)
from .credited import Function, all_functions, functions
from .equivalents import LISTED, Equivalents
from .forks import OWN
from .mutants import Mutant, drop_results
from .tried import Tried

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
    return _halved(a) and _worded(a) and _shifted(a)


def _halved(a):
    return a // 2


def _worded(a):
    return str(a)


def _shifted(a):
    return shift(a) - 1


def said(a):
    """Words."""
    return _worded(a)


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


class Laying(Case):
    """A bridge."""

    @fact
    def near(self):
        """The near hex is friendly."""
        return self.hex in self.friends

    @fact
    def unread(self):
        """Nobody reads it."""
        return True

    def bars(self):
        """Bars. Rule: 18.1, 18.2"""
        yield not self.near, "18.1", "it is not friendly"
        yield (
            self.used,
            "18.2",
            "it is used",
        )
        yield self.late, RULES[self.kind], "it is late"


class LayingLater(Laying):
    """A bridge, laid later."""

    @fact
    def shifted(self):
        """What it counts is shifted."""
        return shift(self.count) > 2

    def bars_later(self):
        """Bars of a later one. Rule: 18.3"""
        yield self.near and self.shifted, "18.3", "it is near, and shifted"
'''


@pytest.fixture
def package(tmp_path: Path) -> Path:
    (tmp_path / "combat").mkdir()
    (tmp_path / "combat" / "odds.py").write_text(SOURCE, "utf-8")
    return tmp_path


def test_private_functions_count_where_rules_alone_call_them_and_they_lead_to_no_other_rule(package: Path) -> None:
    found = {str(function): set(function.rules) for function in functions("game", package)}
    assert found == {
        "combat.odds:shift": {"10.8a", "10.8b"},
        "combat.odds:check": {"11.3"},
        "combat.odds:_halved": {"10.8a", "10.8b", "11.3"},
        "combat.odds:Unit.left": {"3.4"},
        "combat.odds:Unit._left": {"3.4"},
        "combat.odds:Laying.near": {"18.1", "18.2", "18.3"},
        "combat.odds:Laying.bars": {"18.1", "18.2"},
        "combat.odds:LayingLater.shifted": {"18.3"},
        "combat.odds:LayingLater.bars_later": {"18.3"},
    }


def test_a_clause_counts_for_the_rule_that_it_is_yielded_with(package: Path) -> None:
    found = {function.name: function for function in functions("game", package)}
    bars = found["Laying.bars"]
    first = bars.lines[0]
    assert (bars.is_part, found["Laying.near"].is_part) == (False, True)
    assert [*bars.lines_of("18.1")] == [first]
    assert [*bars.lines_of("18.2")] == [*range(first + 1, first + 6)]
    assert [bars.rule_at(line) for line in (first, first + 2, first + 6)] == ["18.1", "18.2", ""]
    assert [*found["shift"].lines_of("10.8a")] == [*found["shift"].lines]


@pytest.fixture
def function(package: Path) -> Function:
    return next(functions("game", package))


def row(function: Function, tests: int, faults: int, unnoticed: int, rule: str = "10.8a") -> Row:
    mutant = Mutant("a", "b", drop_results(function.tree, {}).function)
    every = tuple(Fault(function, mutant, ("10.8a",), ()) for _ in range(faults))
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


def drawn(rows: list[Row], sample: str, changed: set[str] | None = None) -> list[str]:
    """The rules of the rows that are drawn; their faults are made then."""
    bare = [row._replace(faults=()) for row in rows]
    faults = {row.row.rule: row.faults for row in rows}
    chosen = draw(bare, sample, 1914, lambda row: row._replace(faults=faults[row.row.rule]), changed)
    return [row.row.rule for row in chosen if row.faults]


def test_a_sample_is_of_whole_rows_and_the_same_every_time(function: Function) -> None:
    rows = [row(function, 1, 10, 0, rule=str(number)) for number in range(18)]
    assert (len(drawn(rows, "25")), drawn(rows, "25")) == (3, drawn(rows, "25"))
    assert len(drawn(rows[:9], "25")) == 2, "of a small game a sixth"
    assert drawn(rows, "all") == [row.row.rule for row in rows]
    assert drawn([row(function, 1, 0, 0)], "all") == [], "a row without faults is not judged"


def test_rows_that_have_changed_are_drawn_first_and_a_third_as_many_faults_of_others(function: Function) -> None:
    rows = [row(function, 1, 10, 0, rule=str(number)) for number in range(60)]
    changed = {"3", "14", "15", "27", "42"}
    chosen = drawn(rows, "60", changed)
    assert (changed <= {*chosen}, len(chosen)) == (True, 7), "all of them, and twenty faults of others"
    few = drawn(rows, "30", changed)
    assert (len(changed & {*few}), len(few)) == (3, 4), "no more than thirty faults of those that have changed"
    assert len(drawn(rows, "60", set())) == 2


def test_a_row_has_changed_if_its_functions_or_tests_are_others_than_when_all_were_judged(tmp_path: Path) -> None:
    file = tmp_path / "judged_rows.txt"
    assert changed_since({"10.8a": "1f"}, file, "one") is None
    keep_marks(file, "one", {"10.8a": "1f", "10.8b": "2f"})
    assert changed_since({"10.8a": "1f"}, file, "other") is None
    keep_marks(file, "other", {"10.8a": "3f"})
    assert changed_since({"10.8a": "1f", "10.8b": "3f", "10.9": "4f"}, file, "one") == {"10.8b", "10.9"}
    keep_marks(file, "one", {"10.8a": "5f"})
    assert sorted(file.read_text("utf-8").splitlines()) == ["one 10.8a 5f", "other 10.8a 3f"]


def test_a_fault_that_no_test_can_notice_is_listed_once_and_for_all(function: Function, tmp_path: Path) -> None:
    file = tmp_path / "equivalent.toml"
    file.write_text('[[mutant]]\nfunction = "shift"\nbefore = "a"\nafter = "b"\nreason = "the same"\n', "utf-8")
    made = drop_results(function.tree, {}).function
    listed = Equivalents(file)
    assert (listed.stale("mutant"), listed.has(function, Mutant("a", "c", made))) == (["shift: a -> b"], False)
    assert (listed.has(function, Mutant("a", "b", made)), listed.stale("mutant")) == (True, [])


@thorough
def test_every_listed_fault_is_of_a_function_that_is_there() -> None:
    folders = dict(GAMES.values()) | {"assistant": CORE}
    every = [one for package, folder in folders.items() for one in all_functions(package, folder)]
    assert Equivalents(LISTED).lost(every) == []


def test_faults_in_joints_stand_in_columns_of_their_own_and_cost_no_credit(function: Function) -> None:
    known = row(function, 1, 10, 1)
    blind = row(function, 1, 4, 3)
    joined = known._replace(joints=blind.faults, blind=blind.unnoticed)
    assert list(complaints([joined])) == []
    assert figures_of([joined]) == ("10 faults in 1 rows, 4 in joints", "9 and 1 noticed, 1 rows credited")
    assert "| 10.8a | shifts | 1 | 10 | 9 | 4 | 1 |  |" in table([joined])


def test_a_fault_is_listed_with_its_rules_and_what_is_wrong(function: Function) -> None:
    (fault,) = row(function, 1, 1, 0).faults
    assert describe(fault) == "combat.odds:shift (10.8a; 0 tests)\n  - a\n  + b"


def test_a_run_goes_on_where_it_was_until_a_source_changes(tmp_path: Path) -> None:
    source, tests = tmp_path / "source", tmp_path / "tests"
    for folder in (source, tests):
        folder.mkdir()
        (folder / "rules.py").write_text("1", "utf-8")

    def tried() -> Tried:
        return Tried(tmp_path / "build", [source], tests)

    first = tried()
    assert (first.are_noted(["plugins"]), first.was_noticed("game", "shift#1")) == (False, None)
    first.keep_noted(["plugins", "assistant.rules"])
    first.keep("game", "shift#1", True)
    first.keep("game", "shift#2", False)
    assert [tried().was_noticed("game", f"shift#{number}") for number in (1, 2, 3)] == [True, False, None]
    assert (tried().are_noted(["plugins"]), tried().are_noted(["plugins", "assistant.service"])) == (True, False)
    (tests / "uncredited_rows.txt").write_text("game 10.8a", "utf-8")
    assert tried().was_noticed("game", "shift#1") is True
    (tests / "joints.py").write_text("other faults", "utf-8")
    assert (tried().was_noticed("game", "shift#1"), tried().are_noted(["plugins"])) == (None, True)
    (source / "rules.py").write_text("2", "utf-8")
    assert not tried().are_noted(["plugins"])


def test_the_hash_of_a_row_is_of_its_functions_and_of_its_tests_in_the_folders_of_its_game(function: Function) -> None:
    rows = [row(function, 1, 0, 0), row(function, 1, 0, 0, rule="10.8b")]
    marks = {"tests/der_weltkrieg/test_a.py::a": ["10.8a"], "tests/twilight_in_the_east/test_a.py::b": ["10.8a"]}
    own, other = marks

    def told(function_text: str, **changed: str) -> dict[str, str]:
        made: Any = SimpleNamespace(sources=lambda rule: [function_text] if rule == "10.8a" else ["the same"])
        texts = {own: changed.get("own", "a"), other: changed.get("other", "a")}
        return mark_rows("der-weltkrieg", rows, made, marks, texts)

    before = told("def shift(): ...")
    assert told("def shift(): ...", other="b") == before
    for after in (told("def shift(): pass"), told("def shift(): ...", own="b")):
        assert [rule for rule in before if before[rule] != after[rule]] == ["10.8a"]


def test_only_tests_that_execute_the_line_of_a_fault_may_notice_it() -> None:
    lines = {5: ["some"], 6: []}
    known: Any = SimpleNamespace(
        mask=lambda tests: len([*tests]),
        tests=lambda _, wanted, among: [test for line in wanted for test in lines[line]],
    )
    runs = Runs({"all": ["1.1"], "some": ["1.1"]}, known)
    file, rules = Path("rules.py"), ("1.1",)
    assert runs.tests_at(["all", "some"], file, 5, rules) == ("some",)
    assert runs.tests_at(["all", "some"], file, 6, rules) == ("all", "some"), "of a line that none executes all are run"


def test_figures_from_before_a_row_was_computed_are_too_old(function: Function) -> None:
    old, new = row(function, 1, 10, 0), row(function, 1, 10, 0, rule="10.8e")
    tried, found = figures_of([old])
    page = f"| {run_of('One')} | {tried} | {found} | 2027-01-01 | `make mutation` |\n"
    assert not is_outdated(page, "One", [old])
    assert is_outdated(page, "One", [old, new])
    assert is_outdated(page, "Other", [old])


def test_a_row_may_be_judged_by_the_tests_of_its_own_mark_alone(function: Function) -> None:
    known = row(function, 1, 1, 0)
    shared = known._replace(faults=tuple(fault._replace(tests=("own", "both", "other")) for fault in known.faults))
    (fault,) = by_own_mark(shared, {"own": ("10.8a",), "both": ("10.8a", "10.8b"), "other": ("10.8b",)}).faults
    assert fault.tests == ("own", "both")


def test_of_one_row_only_the_tests_are_collected_that_are_marked_with_it() -> None:
    option, row, *files = marked_tests("24.4")
    assert (option, row) == ("--rule", "24.4")
    assert str(CORE.parent / "tests/twilight_in_the_east/forces/test_caps.py") in files
    assert str(CORE.parent / "tests/twilight_in_the_east/combat/test_retreat_bars.py") not in files


def test_each_trial_forgets_what_every_game_has_worked_out() -> None:
    assert {package for package, _ in GAMES.values()} <= {*OWN}
