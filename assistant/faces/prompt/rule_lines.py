"""The rules of a game's index, with the code that computes them and the questions that carry them out."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from ...game.rule_index import RuleRow, is_under, rule_titles
from ...game.rule_questions import rules_with_questions
from ...installed.registry import questions_of
from ...util.texts import natural

if TYPE_CHECKING:
    from ...game.games import Game


def rules_under(game: Game, number: str) -> dict[str, str]:
    """Return the titles of the rules of the index with a number or name, or none for any other word."""
    if natural(number[:1]) is None and "/" not in number:  # some rules have a name instead: `CRT/shock`
        return {}
    rules = {rule: title for rule, title in rule_titles(game) if is_under(rule, number)}
    return {rule: title for rule, title in rules.items() if rule.casefold() == number.casefold()} or rules


def list_rules(game: Game, rules: Collection[str]) -> list[tuple[RuleRow, tuple[str, ...]]]:
    """Return the rows of some rules in the index, each with the questions that carry the rule out."""
    rows = rules_with_questions(game, questions_of(game).modules) if rules else []
    return [(row, names) for row, names in rows if row.rule in rules]


def format_rule(row: RuleRow, questions: Collection[str]) -> str:
    """Return a rule of the index as a line, with its code or the reason why it has none, and its questions."""
    places = [*row.code]
    if row.left:
        places.append(row.left)
    line = f"{row.rule:<10} {row.title} - {', '.join(places)}"
    return f"{line}; questions: {', '.join(questions)}" if questions else line
