"""Clauses that stand elsewhere than in the function that applies their rule: in a function that is called, or in a table."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.game.proof.clauses import ProofClause, read_proof

KIT = '''
def held(around: Around, rule: str, why: str = "enemies stand there"):
    """Return what bars the hexes of enemies."""
    return lambda here, there: HexBar(rule, why) if there in around.enemies else None


def bars_by_phase(facts, phase: str, *, rule: str):
    """Yield lines where another phase is stated."""
    yield facts.now != phase, rule, f"not in this phase"


class Around:
    enemies: set[str]
    """The hexes of enemies."""
'''


def clauses_of(folder: Path, rules: str) -> list[ProofClause]:
    (folder / "kit.py").write_text(KIT, "utf-8")
    (folder / "rules.py").write_text(f"from .kit import Around, bars_by_phase, held\n\n{rules}", "utf-8")
    return [clause for clause in read_proof(folder, {}).clauses if clause.rules]


@pytest.mark.parametrize(
    ("call", "says"),
    [
        ('held(around, "6.5")', "enemies stand there"),
        ('held(around, "6.5", "it is full")', "it is full"),
        ('held(around, rule="6.5")', "enemies stand there"),
    ],
)
def test_the_bar_of_a_called_function_stands_under_the_rule_that_it_is_given(
    tmp_path: Path, call: str, says: str
) -> None:
    rules = f'def bars(around: Around, late: bool):\n    """What bars.\n\n    `late`: whether it is late\n\n    Rule: 6.5"""\n    if late:\n        return {call}\n'
    (clause,) = clauses_of(tmp_path, rules)
    assert (clause.rules, clause.says) == (("6.5",), (says,))
    assert clause.when == ("it is late", "that hex is one of the hexes of enemies")
    assert clause.place == "held (kit.py:2)"


def test_rules_given_by_name_and_what_may_be_replaced(tmp_path: Path) -> None:
    rules = 'def bars(facts):\n    """Rule: 10.1"""\n    yield from bars_by_phase(facts, "movement", rule="10.1")\n'
    (clause,) = clauses_of(tmp_path, rules)
    assert (clause.rules, clause.when) == (("10.1",), ("the present phase is not movement",))
    rules = """
def bars(late):
    'Rule: 3.3'
    said = [step("3.3", "it is so")]
    if late:
        said = []
    return [*said, step("3.3", "it is there")]
"""
    replaced, other = clauses_of(tmp_path, rules)
    assert (replaced.says, replaced.unsaid) == (("it is so",), (("rules.py", 6),))
    assert (other.says, other.unsaid) == (("it is there",), ())


@pytest.mark.parametrize("call", ['held(around, "7.1")', "held(around)", 'len("6.5")'])
def test_a_call_without_the_function_s_own_rule_has_no_clause(tmp_path: Path, call: str) -> None:
    assert clauses_of(tmp_path, f'def bars(around: Around):\n    """Rule: 6.5"""\n    return {call}\n') == []


TABLE = '''
TRAIN = "KG Train"
ATTACK: Mapping[str, str] = {"attack": "cannot attack"}
STILL = {**ATTACK, "move": "never moves"}


class Status:
    id: str
    half: bool
    """Whether it bears a 1/2 marker."""


HALF = UnitBar("8.2.5", "bears a 1/2 marker", attrgetter("half"), ATTACK)
BARS = (UnitBar("22.5.1", "is the Train", lambda each: each.id == TRAIN, STILL), HALF, OTHER)


def bars(unit: Status, doing):
    """Yield all that bars a unit. Rule: 3.5.1"""
    return (bar for bar in BARS if bar.holds(unit))


def words(doing):
    """Return the words of bars."""
    return [bar.words for bar in BARS]
'''


def test_the_bars_of_a_table_stand_under_their_rules(tmp_path: Path) -> None:
    clauses = clauses_of(tmp_path, TABLE)
    assert [(clause.rules, clause.when, clause.says) for clause in clauses] == [
        (("22.5.1",), ("the unit is KG Train",), ("it is the Train",)),
        (("8.2.5",), ("the unit bears a 1/2 marker",), ("it bears a 1/2 marker",)),
    ], "once each, for the function that applies a rule"
    functions = read_proof(tmp_path, {}).functions
    assert [function.borne for function in functions] == [("22.5.1", "8.2.5")]
