"""The lines of a proof sheet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..rule_index import A_FACT, IN_PART, RuleRow, is_under
from . import phrases
from .clauses import Proof, ProofClause, ProofFunction
from .examples import Example, cites_of
from .sayings import FOR_EACH
from .stated import Stated

LAST_LINE = (
    "These sheets show what the functions named check and what the game's files state, which may be less than the rule. "
    "An answer fills in what stands in braces, and dots; of what stands in brackets or between strokes it says what fits."
)


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
            yield from (*_write_clauses(clauses, rule, stated, {}), "")
    yield LAST_LINE


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
    yield from _write_clauses(clauses, row.rule, stated, {each.place: each for each in functions})
    for function in functions:
        if function.place not in shown:
            yield from _write_function(function, "also computed by" if clauses else "computed by", known, row.rule)
    explained = {f"  {_say_ruling(ruling, stated)}" for clause in clauses for ruling in clause.rulings}
    yield from (line for line in told if line not in explained)
    if not (clauses or functions or told or row.left.startswith(IN_PART)):
        yield f"  {_say_why_nothing(row)}"


def _say_why_nothing(row: RuleRow) -> str:
    """Return why a sheet shows neither a function nor a row of a file."""
    if row.left.startswith(A_FACT):
        return "there is nothing to compute: other rules use the fact"
    return "no function computes anything of it" if row.left else "neither code nor a file states it"


def _write_clauses(
    clauses: Iterable[ProofClause], rule: str, stated: Stated, functions: Mapping[str, ProofFunction]
) -> Iterator[str]:
    """Yield the lines of the clauses of one rule, by their functions, and what these rest on.

    `functions`: the rule's functions, by their places.
    """
    by_place = dict[str, list[ProofClause]]()
    for clause in clauses:
        by_place.setdefault(clause.place, []).append(clause)
    for place, several in by_place.items():
        function = functions.get(place)
        is_of_this = function is not None and {*function.borne} == {rule} == {*function.rules}
        about = several[0].about if is_of_this else phrases.head_of(several[0].about)
        yield f"  {f'{about}: ' if phrases.is_whole(about) else ''}{place}"
        for clause in several:
            yield from _write_clause(clause, rule)
        rests_on = dict(each for clause in several for each in clause.rests_on)
        if rests_on:
            yield f"    worked out elsewhere: {'; '.join(f'{said}: {other}' for said, other in rests_on.items())}"
        for ruling in dict.fromkeys(ruling for clause in several for ruling in clause.rulings):
            yield f"    {_say_ruling(ruling, stated)}"
        if several[0].asked_by:
            yield f"    asked by: {'; '.join(several[0].asked_by)}"


def _say_ruling(ruling: str, stated: Stated) -> str:
    return f"ruling {ruling}: {stated.rulings.get(ruling, '')}"


def _write_clause(clause: ProofClause, rule: str) -> Iterator[str]:
    """Yield the conditions of a clause and what it says."""
    word = "when"
    for each in clause.when:
        if each.startswith(FOR_EACH):
            yield f"    {each}"
        else:
            yield f"    {word:>4} {each}"
            word = "and"
    if clause.unsaid:
        yield f"    {word:>4}: see {_say_lines(clause)}"
    elif word == "when":
        yield "    whenever this is asked"
    yield f"       says{_say_shared(clause.rules, rule)}: {clause.says}"


def _say_lines(clause: ProofClause) -> str:
    """Return where the conditions of a clause stand that have no words."""
    lines = dict[str, list[str]]()
    for path, line in sorted(clause.unsaid):
        lines.setdefault(path, []).append(str(line))
    return phrases.listed(
        [
            f"line{'' if len(several) == 1 else 's'} {phrases.listed(several)} of {'that file' if path == clause.path else path}"
            for path, several in lines.items()
        ]
    )


def _say_shared(rules: Sequence[str], rule: str) -> str:
    """Return under which other rules the code may say a sentence, "" if there are none."""
    others = [each for each in rules if each != rule]
    if not others:
        return ""
    numbers = {cites_of(each)[-1] for each in rules}
    if len(numbers) == 1:
        return f", under {numbers.pop()}, for this rule or {phrases.listed(others, 'or')}"
    return f", under this rule or {phrases.listed(others, 'or')}"


def _write_function(function: ProofFunction, head: str, known: dict[str, str], rule: str) -> Iterator[str]:
    """Yield the lines of a function that computes a rule without a clause of it.

    `known`: the rules under which functions were written before, by the functions' places.
    """
    yield f"  {head}: {function.place}"
    if under := known.get(function.place):
        yield f"    as written under {under}"
        return
    known[function.place] = rule
    if said := _say_about(function.about):
        yield f"    {said}"
    if function.borne:
        yield f"    what it says is under {phrases.listed([*function.borne])}"


def _say_about(about: str) -> str:
    """Return the summary of a function as a sentence about it, or "" if it is torn."""
    if match := re.match(r"[Rr]aises? \w+ ((?:if|for|unless|when) .+)", about):
        return f"it refuses the question {match[1]}"
    return f"in short: {about}" if phrases.is_whole(about) else ""


def _write_example(example: Example, rule: str) -> Iterator[str]:
    """Yield the lines of a worked case, with what its answer says of a rule."""
    yield "  for example:"
    yield from (f"    {line}" for line in example.position.strip("\n").split("\n"))
    first, *others = example.lines_for(rule)
    yield f"    answer: {first}"
    yield from (f"      {line}" for line in others)
