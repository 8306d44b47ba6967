"""Faults put where functions are joined, and which functions of the core count for a game's rules."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from .core import core_functions
from .credited import all_functions
from .joints import Joint, Joints

RULES = '''
from collections.abc import Collection, Iterable

SIDES = ("attacker", "defender")
LARGE = ("XXX", "XXXX")


def ratio(attack: int, defence: int, halved: Collection[str] = (), flanked: bool = False) -> int:
    """The odds.

    Rule: 10.7
    """
    return attack // defence - len(halved) - flanked


def losses(role: "Role", units: Iterable[str]) -> list[str]:
    """Who is lost.

    Rule: 11.1
    """
    return [role, *units]


def at_best(unit: str, status: str) -> str:
    """A status as it is at best.

    Rule: 24.4
    """
    return status


class Unit:
    """A unit."""

    def __init__(self, size):
        self.size = size

    @property
    def is_large(self):
        """Whether it is large.

        Rule: 14.15
        """
        return self.size in LARGE
'''
CALLERS = {
    "arguments": "return ratio(units.attack, units.defence, {'a'}, flanked=units.flanked)",
    "left out": "return ratio(4, 2, units.halved)",
    "roles": "return losses('attacker', units)",
    "status": "return at_best(units.id, units.status)",
    "statement": "losses(units.role, ())",
    "fed": "every = units.fresh | units.wanted\n    return losses('attacker', every)",
    "property": "return [unit for unit in units if unit.is_large]",
    "order": "losses(units.a, ())\n    losses(units.b, ())",
}


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "madeup"
    folder.mkdir()
    (folder / "__init__.py").write_text('"""A game."""\n', "utf-8")
    (folder / "rules.py").write_text(RULES, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield folder
    for name in [name for name in sys.modules if name.partition(".")[0] in ("madeup", "kernel")]:
        del sys.modules[name]


def joints(package: Path, text: str, name: str = "caller") -> list[Joint]:
    """The faults at the joints of a function with this text."""
    (package / "calls.py").write_text(f"from .rules import *\n\n\n{text}\n", "utf-8")
    every = list(all_functions("madeup", package))
    (function,) = [one for one in every if one.name == name]
    return list(Joints("madeup", every, {"size": ("XX", "XXX", "XXXX", "XXXXX")}).list_faults(function))


@pytest.mark.parametrize(
    ("caller", "faults"),
    [
        pytest.param(
            "arguments",
            [
                "return ratio(units.defence, units.attack, {'a'}, flanked=units.flanked)",
                "return ratio(units.attack, units.defence, (), flanked=units.flanked)",
                "return ratio(units.attack, units.defence, {'a'}, flanked=not units.flanked)",
                "return ratio(units.attack, units.defence, {'a'})",
                "return 0",
                "return units.defence",
            ],
            id="two of a kind are exchanged, one is empty, turned round or left out, the result is nothing or one of them",
        ),
        pytest.param(
            "roles",
            ["return losses('defender', units)", "return losses('attacker', ())", "return ()"],
            id="the other side",
        ),
        pytest.param(
            "status",
            ["return at_best(units.status, units.id)", "return ''", "return units.status"],
            id="the call is left out",
        ),
        pytest.param(
            "fed", ["every = units.wanted", "every = units.fresh"], id="what is handed over is made otherwise"
        ),
        pytest.param(
            "property",
            [
                "return [unit for unit in units if unit.is_large or unit.size == 'XX']",
                "return [unit for unit in units if unit.is_large or unit.size == 'XXXXX']",
            ],
            id="a word too many, at this use alone",
        ),
        pytest.param("statement", ["pass"], id="a statement is left out"),
        pytest.param(
            "order",
            ["losses(units.b, ()) losses(units.a, ())"],
            id="two calls come in the other order",
        ),
    ],
)
def test_what_may_be_wrong_at_a_call(package: Path, caller: str, faults: list[str]) -> None:
    found = [joint.mutant.after for joint in joints(package, f"def caller(units):\n    {CALLERS[caller]}")]
    assert [fault for fault in faults if fault not in found] == []


def test_a_joint_counts_for_the_rules_on_both_sides_of_the_call(package: Path) -> None:
    text = (
        'def caller(units):\n    """A combat.\n\n    Rule: 10.9\n    """\n    return ratio(units.attack, units.defence)'
    )
    assert {joint.rules for joint in joints(package, text)} == {("10.7", "10.9")}
    undeclared = text.replace("Rule: 10.9", "No rule.")
    assert {joint.rules for joint in joints(package, undeclared)} == {("10.7",)}


def test_who_hands_on_through_a_function_between_is_at_the_joint_too(package: Path) -> None:
    text = "def caller(units):\n    return _between(units.fresh | units.wanted)\n\n\n"
    text += "def _between(every):\n    return losses('attacker', every)"
    found = joints(package, text)
    assert {(joint.rules, joint.mutant.after) for joint in found} == {
        (("11.1",), "return _between(units.fresh)"),
        (("11.1",), "return _between(units.wanted)"),
    }


def test_a_function_that_declares_rules_goes_through_the_sides_in_the_other_order(package: Path) -> None:
    text = 'def caller(units):\n    """In order.\n\n    Rule: 10.9\n    """\n    return [units[role] for role in SIDES]'
    assert [joint.mutant.after for joint in joints(package, text)] == [
        "return [units[role] for role in reversed(SIDES)]"
    ]


def test_words_for_a_person_stay_as_they_are(package: Path) -> None:
    assert (
        joints(package, "def caller(units):\n    return step('10.7', 'odds', ratio(units.attack, units.defence))") == []
    )


CORE = '''
def question(read):
    """A question."""
    return lambda: report(read)


def report(read):
    """A report."""
    return _lines(read()), Ways(1)


def _lines(said):
    return said + 1


class Ways:
    """Ways."""

    def __init__(self, owed):
        self.owed = owed

    def is_over(self):
        """Whether it is over."""
        return self.owed < 1


def unused():
    """Nothing of the game comes here."""
    return 1
'''


def test_the_core_counts_where_a_rule_is_handed_to_it_with_what_that_calls_in_its_module(package: Path) -> None:
    core = package.parent / "kernel"
    (core / "rules").mkdir(parents=True)
    for folder in (core, core / "rules"):
        (folder / "__init__.py").write_text("", "utf-8")
    (core / "rules" / "ways.py").write_text(CORE, "utf-8")
    text = '"""Calls."""\n\nfrom kernel.rules.ways import question\n\n\n'
    text += (
        'def read():\n    """Who retreats.\n\n    Rule: 15.2\n    """\n    return 1\n\n\nQUESTION = question(read)\n'
    )
    (package / "asked.py").write_text(text, "utf-8")
    found = core_functions(all_functions("madeup", package), core)
    assert {one.name: one.rules for one in found} == dict.fromkeys(
        ("question", "report", "_lines", "Ways.__init__", "Ways.is_over"), ("15.2",)
    )
