"""The lines of a proof sheet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..rule_index import A_FACT, IN_PART, RuleRow, is_under
from . import phrases
from .clauses import Proof, ProofClause, ProofFunction
from .examples import Example
from .sayings import UNLESS
from .stated import Stated

LAST_LINE = (
    "A sheet shows what the functions named check and what the game's files state, which may be less than the rule. "
    'An answer "may say" a sentence on conditions that only the code has. It fills in what stands in braces, and dots.'
)
MAX_SILENT_SUMMARIES = 2
"""The maximum number of summaries of functions without a sentence, those with the fewest rules first."""
MAX_SUMMARY_LETTERS = 160
"""The maximum length of a summary that is shown whole, in characters."""


def write_proof(
    proof: Proof, rows: Iterable[RuleRow], examples: Mapping[str, Example], stated: Stated, number: str = ""
) -> Iterator[str]:
    """Yield the lines of a proof sheet for the rules under a number, in the order of the rulebook.

    A rule has its functions, each with its clauses, then the statements of the game's files, and a worked case. Clauses
    of rules without a row follow.
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
    for row in rows:
        if is_under(row.rule, number):
            yield f"{row.rule}  {row.title}"
            yield from _write_rule(row, by_rule.get(row.rule, ()), functions.get(row.rule, ()), stated)
            if example := examples.get(row.rule):
                yield from _write_example(example, row.rule)
            yield ""
    for rule, clauses in by_rule.items():
        if rule not in known and is_under(rule, number) and any(clause.rule for clause in clauses):
            yield f"{rule}  (no row of the rule index)"
            yield from (*_write_functions(clauses, (), rule), "")
    yield LAST_LINE


def _write_rule(
    row: RuleRow, clauses: Sequence[ProofClause], functions: Sequence[ProofFunction], stated: Stated
) -> Iterator[str]:
    stated_lines = [*stated.write(row.rule)]
    if row.left:
        yield f"  {row.left}"
    yield from _write_functions(clauses, functions, row.rule)
    yield from stated_lines
    if not (clauses or functions or stated_lines or row.left.startswith(IN_PART)):
        yield f"  {_say_why_nothing(row)}"


def _say_why_nothing(row: RuleRow) -> str:
    if row.left.startswith(A_FACT):
        return "there is nothing to compute: other rules use the fact"
    return "no function computes anything of it" if row.left else "neither code nor a file states it"


def _write_functions(clauses: Iterable[ProofClause], functions: Iterable[ProofFunction], rule: str) -> Iterator[str]:
    by_place = dict[str, list[ProofClause]]()
    for clause in clauses:
        by_place.setdefault(clause.place, []).append(clause)
    functions_by_place = {
        function.place: function for function in sorted(functions, key=lambda function: len(function.rules))
    }
    silent = [place for place in functions_by_place if place not in by_place]
    abouts = {place: phrases.head_of(several[0].about) for place, several in by_place.items()}
    abouts |= {
        place: _about_for(function)
        for place, function in functions_by_place.items()
        if place not in silent[MAX_SILENT_SUMMARIES:]
    }
    for place, about in abouts.items():
        several = by_place.get(place, [])
        if place not in functions_by_place and not any(clause.rule for clause in several):
            continue
        yield f"  {_say_about(about)}{place}"
        for lines in dict.fromkeys(tuple(_write_clause(clause)) for clause in several if clause.rule):
            yield from lines
        hidden = {(clause.path, clause.line) for clause in several if not clause.rule}
        hidden |= {line for clause in several if clause.rule for line in clause.unsaid}
        if hidden:
            yield f"    not shown: {_say_lines(hidden, several[0].path)}"
        elif not several and place in functions_by_place and functions_by_place[place].borne:
            yield f"    what it says is under {phrases.join_words([*functions_by_place[place].borne])}"
    if others := silent[MAX_SILENT_SUMMARIES:]:
        yield f"  and by: {'; '.join(others)}"


def _about_for(function: ProofFunction) -> str:
    """Return the summary of a function up to a semicolon, or only its head if it is long."""
    about = function.about.split("; ")[0]
    return about if len(about) <= MAX_SUMMARY_LETTERS else phrases.head_of(function.about)


def _say_about(about: str) -> str:
    """Return the summary of a function as a heading, or "" if the summary is torn."""
    if match := re.match(r"[Rr]aises? \w+ ((?:if|for|unless|when) .+)", about):
        return f"it refuses the question {match[1]}: "
    return f"{about}: " if phrases.is_whole(about) else ""


def _write_clause(clause: ProofClause) -> Iterator[str]:
    yield f"    {'may say' if clause.unsaid else 'says'}: {' / '.join(clause.says)}"
    conditions = [each for each in clause.when if not each.startswith(UNLESS)]
    exceptions = [each.removeprefix(UNLESS) for each in clause.when if each.startswith(UNLESS)]
    for first, other, several in (("when", "and", conditions), ("unless", "or", exceptions)):
        yield from (f"      {other if number else first} {each}" for number, each in enumerate(several))


def _say_lines(lines: Iterable[tuple[str, int]], own: str) -> str:
    by_path = dict[str, list[str]]()
    for path, line in sorted(lines):
        by_path.setdefault(path, []).append(str(line))
    return phrases.join_words(
        [
            f"line{'' if len(several) == 1 else 's'} {phrases.join_words(several)}{'' if path == own else f' of {path}'}"
            for path, several in by_path.items()
        ]
    )


def _write_example(example: Example, rule: str) -> Iterator[str]:
    yield "  for example:"
    yield from (f"    {line}" for line in example.position.strip("\n").split("\n"))
    first, *others = example.lines_for(rule)
    yield f"    answer: {first}"
    yield from (f"      {line}" for line in others)
