"""That every fact of the chapters on which moves rest has a test, which reads it and fails if it changes."""

from __future__ import annotations

import re
from pathlib import Path

from assistant.game.games import Game
from assistant.game.rule_index import A_FACT, RuleRow, rule_index

HERE = Path(__file__).parent
CHAPTERS = ("1.", "2.", "3.", "4.", "5.", "8.", "9.", "13.", "17.", "18.", "20.", "24.")


def marked() -> set[str]:
    """The rows with which tests of this folder are marked."""
    text = "".join(file.read_text("utf-8") for file in HERE.glob("test_*.py"))
    return {
        row for mark in re.findall(r"pytest\.mark\.rule\(([^)]*)\)", text) for row in re.findall(r'"([^"]+)"', mark)
    }


def facts_of(game: Game) -> list[RuleRow]:
    """The rows that state what the game's files hold."""
    return [row for row in rule_index(game) if row.left_out.startswith(A_FACT) and row.rule.startswith(CHAPTERS)]


def test_every_fact_has_a_test_here(twilight: Game) -> None:
    rows = facts_of(twilight)
    assert len(rows) > 10
    assert [row.rule for row in rows if row.rule not in marked()] == []
