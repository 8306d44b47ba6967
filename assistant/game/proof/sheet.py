"""The lines of a proof sheet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..rule_index import RuleRow, is_under
from .clauses import Proof, ProofClause, ProofFunction
from .examples import Example
from .phrases import drop_codes, lower_first
from .stated import Stated
from .words import ProofFact

MAX_RULES_NAMED = 5
"""The maximum number of rules that a clause names which it bears in common."""


def write_proof(
    proof: Proof, rows: Iterable[RuleRow], examples: Mapping[str, Example], stated: Stated, number: str = ""
) -> Iterator[str]:
    """Yield the lines of a proof sheet for the rules under a number, in the order of the rulebook.

    A rule has its clauses, the facts behind them, the functions that compute it and what the game's files state.
    Clauses of rules without a row follow.

    `rows`: the rows of the rule index.

    `examples`: worked cases by their rules.

    `stated`: what the game's files state.
    """
    rows = [*rows]
    known = {row.rule for row in rows}
    by_rule = dict[str, list[ProofClause]]()
    for clause in proof.clauses:
        for rule in clause.rules:
            by_rule.setdefault(rule, []).append(clause)
    functions = dict[str, list[ProofFunction]]()
    for function in proof.functions:
        for rule in function.rules:
            functions.setdefault(rule, []).append(function)
    written = dict[str, str]()
    for row in rows:
        if is_under(row.rule, number):
            yield f"{row.rule}  {row.title}"
            yield from _write_rule(row, by_rule.get(row.rule, ()), functions.get(row.rule, ()), stated, written)
            if example := examples.get(row.rule):
                yield from _write_example(example, row.rule)
            yield ""
    for rule, clauses in by_rule.items():
        if rule not in known and is_under(rule, number):
            yield f"{rule}  (no row of the rule index)"
            yield from (*_write_clauses(clauses), "")


def _write_rule(
    row: RuleRow,
    clauses: Sequence[ProofClause],
    functions: Sequence[ProofFunction],
    stated: Stated,
    known: dict[str, str],
) -> Iterator[str]:
    """Yield the lines of a rule below its title.

    `known`: the rules under which functions were written before, by the functions' places.
    """
    told = [*stated.write(row.rule)]
    shown = {clause.place for clause in clauses}
    if row.left:
        yield f"  {row.left}"
    yield from _write_clauses(clauses)
    for function in functions:
        if function.place not in shown:
            yield from _write_function(function, "also computed by" if clauses else "computed by", known, row.rule)
    facts = [fact for clause in clauses for fact in clause.facts]
    facts += [fact for function in functions for fact in function.facts]
    noted = {f"  {fact.name}:" for fact in facts}
    yield from (line for line in told if not line.startswith("  ruling ") or line.partition(":")[0] + ":" not in noted)
    if not (clauses or functions or told or row.left):
        yield "  neither code nor a file states it"


def _write_clauses(clauses: Iterable[ProofClause]) -> Iterator[str]:
    """Yield the lines of the clauses of one rule, and of what these rest on."""
    facts = dict[ProofFact, None]()
    place = ""
    for clause in clauses:
        if clause.place != place:
            place = clause.place
            yield f"  {drop_codes(clause.about) or 'no summary'}: {place}"
        first, *others = clause.when or ("",)
        yield f"    when {first}" if first else "    always"
        yield from (f"     and {each}" for each in others)
        yield f"       says{_say_shared(clause.rules)}: {clause.says}"
        facts |= dict.fromkeys(clause.facts)
    yield from _write_facts(facts, "    ")


def _say_shared(rules: Sequence[str]) -> str:
    """Return for which of several rules the code may mean a clause, "" if it bears one alone."""
    if len(rules) < 2:
        return ""
    named = ", ".join(rules) if len(rules) <= MAX_RULES_NAMED else f"{rules[0]} to {rules[-1]}"
    return f" (one for {named})"


def _write_facts(facts: Iterable[ProofFact], indent: str) -> Iterator[str]:
    """Yield the lines of what conditions rest on."""
    facts = [*facts]
    if facts:
        yield f"{indent}where"
    for fact in facts:
        if fact.read:
            yield f"{indent}   {fact.name}: {fact.read}"
        else:
            yield f"{indent}   {fact.name}: as worked out by {fact.place}"


def _write_function(function: ProofFunction, head: str, known: dict[str, str], rule: str) -> Iterator[str]:
    """Yield the lines of a function that computes a rule without a clause of it.

    `known`: the rules under which functions were written before, by the functions' places.
    """
    yield f"  {head}: {function.place}"
    if under := known.get(function.place):
        yield f"    as written under {under}"
        return
    known[function.place] = rule
    if function.about:
        yield f"    {_say_about(function.about)}"
    if function.borne:
        yield f"    its clauses are those of {', '.join(function.borne)}"
    if function.read_as:
        yield f"    which is: {function.read_as}"
    if function.reads:
        yield f"    it reads: {'; '.join(function.reads)}"
    yield from _write_facts(function.facts, "    ")


def _say_about(about: str) -> str:
    """Return the summary of a function as a sentence about it."""
    if match := re.match(r"Raise \w+ ((?:if|for|unless|when) .+)", about):
        return f"it refuses the question {match[1]}"
    return f"it gives {lower_first(drop_codes(about))}"


def _write_example(example: Example, rule: str) -> Iterator[str]:
    """Yield the lines of a worked case, with what its answer says of a rule."""
    yield "  for example:"
    yield from (f"    {line}" for line in example.position.strip("\n").split("\n"))
    first, *others = example.lines_for(rule)
    yield f"    answer: {first}"
    yield from (f"      {line}" for line in others)
