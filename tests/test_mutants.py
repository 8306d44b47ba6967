"""Faults put into functions on purpose: which clauses are changed, and what stays as it is."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from .mutants import Constant, drop_results, mutants


def changed(source: str, scope: dict[str, Any] | None = None, **constants: str) -> list[str]:
    """The lines that stand in place of those of a function, one for each of its mutants."""
    (tree,) = ast.parse(source).body
    assert isinstance(tree, ast.FunctionDef)
    read = {name: Constant(ast.parse(text, mode="eval").body, {}) for name, text in constants.items()}
    scope = {name: constant.value for name, constant in read.items()} | (scope or {})
    return [mutant.after for mutant in mutants(tree, scope, constants=read)]


@pytest.mark.parametrize(
    ("expression", "others"),
    [
        pytest.param("a and b", ["b", "a", "False"], id="each clause is left out"),
        pytest.param("a or not b", ["not b", "a", "True"], id="of alternatives too"),
        pytest.param("a == 4", ["True", "False"], id="a comparison holds, or not"),
        pytest.param("a < 2", ["a <= 2", "a < 1", "True", "False"], id="a bound moves both ways"),
        pytest.param("0 <= a", ["0 < a", "-1 <= a", "True", "False"], id="also on the left"),
        pytest.param("a in {'x', 'y'}", ["True", "False", "a in {'y'}", "a in {'x'}"], id="each word is left out"),
        pytest.param("any(x for x in a)", ["True", "False", "all((x for x in a))", "any((True for x in a))"], id="any"),
    ],
)
def test_conditions(expression: str, others: list[str]) -> None:
    told = changed(f"def rule(a, b) -> bool:\n    return {expression}")
    assert sorted(told) == sorted(f"return {other}" for other in others)


@pytest.mark.parametrize(
    ("expression", "others"),
    [
        ("a + b", ["a", "b"]),
        ("a - b", ["a"]),
        ("a // b", ["a", "-(-a // b)"]),
        ("max(a, 0)", ["min(a, 0)", "max(a, 1)", "max(a, -1)"]),
        ("-a", ["a"]),
        ("a or b", ["a", "b"]),
        ("half_up(a)", ["int(a)"]),
        ("a if b else 'it is in the way'", ["a if True else 'it is in the way'", "a if False else 'it is in the way'"]),
        ("'it has no way' if a else 'it is in the way'", []),
        ("Step('10.8', 'no more than {most}', {'most': 2})", []),
    ],
)
def test_values(expression: str, others: list[str]) -> None:
    assert sorted(changed(f"def rule(a, b):\n    return {expression}")) == sorted(f"return {other}" for other in others)


def test_defaults_statements_and_filters() -> None:
    source = """
def rule(units, most=2):
    found = []
    for unit in units:
        found += [step for step in unit if step > most]
        found.append(unit)
    return found
"""
    assert sorted(changed(source)) == sorted(
        [
            "def rule(units, most=3):",
            "def rule(units, most=1):",
            "pass",
            "pass",
            "found += [step for step in unit if step >= most]",
            "found += [step for step in unit if True]",
            "found += [step for step in unit if False]",
        ]
    )


def test_errors_keep_their_words_and_their_condition_is_changed() -> None:
    source = "def rule(a):\n    if a > most:\n        raise InputError(f'{a} is more than {most + 1}')\n    return a"
    assert sorted(changed(source)) == ["if False:", "if True:", "if a >= most:"]


def test_a_name_given_in_a_condition_stays_given() -> None:
    told = changed("def rule(a):\n    if found := a.found:\n        return found\n    return None")
    assert sorted(told) == ["if (found := a.found) and False:", "if (found := a.found) or True:"]


def test_only_the_function_reads_a_changed_constant() -> None:
    (tree,) = ast.parse("def rule(a):\n    return LIMIT + a").body
    assert isinstance(tree, ast.FunctionDef)
    scope: dict[str, Any] = {"LIMIT": 3}
    constant = Constant(ast.parse("3", mode="eval").body, scope)
    (more,) = [mutant for mutant in mutants(tree, scope, constants={"LIMIT": constant}) if mutant.after == "LIMIT: 4"]
    scope.update(more.reads)
    assert (more.function.__code__.co_names, scope["LIMIT"], more.reads) == (("_changed_constant",), 3, more.reads)
    assert eval("rule(1)", {"rule": type(more.function)(more.function.__code__, scope)}) == 5


def test_a_fault_in_a_constant_is_on_the_line_that_reads_it_if_one_alone_does() -> None:
    (tree,) = ast.parse("def rule(a):\n    yield a > MOST + MOST\n    yield a < LEAST\n    yield a == LEAST").body
    assert isinstance(tree, ast.FunctionDef)
    scope: dict[str, Any] = {"MOST": 3, "LEAST": 1}
    constants = {name: Constant(ast.Constant(value), scope) for name, value in scope.items()}
    lines = {mutant.before: mutant.line for mutant in mutants(tree, scope, constants=constants) if mutant.reads}
    assert lines == {"MOST: 3": 2, "LEAST: 1": 0}


def test_a_method_is_one_still() -> None:
    (tree,) = ast.parse("def rule(self):\n    return self.left > 1").body
    assert isinstance(tree, ast.FunctionDef)
    assert {mutant.function.__qualname__ for mutant in mutants(tree, {}, "Unit")} == {"Unit.rule"}


def test_a_function_without_clauses_returns_nothing() -> None:
    (tree,) = ast.parse("def rule(a):\n    return a.value").body
    assert isinstance(tree, ast.FunctionDef)
    assert list(mutants(tree, {})) == []
    assert drop_results(tree, {}).function(1) is None
