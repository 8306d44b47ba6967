"""What a move triggers among the enemy, named at the hex where it happens (9.1.1)."""

from __future__ import annotations

import pytest

from ....conftest import told
from .ground import german, moved, russian


@pytest.mark.parametrize(
    ("way", "cavalry", "others", "pulled"),
    [
        ("30.19", "30.17", "", []),
        ("30.19,30.18", "30.16", "", []),
        ("30.19", "30.18", "", [("30.19", 1)]),
        ("30.19,30.18", "30.17", "", [("30.18", 1)]),
        ("30.19,31.18", "30.18", "", [("30.19", 1), ("31.18", 2)]),
        ("30.19", "30.18", f"\n31.18: {russian('S')}", []),
        ("30.19,30.20", "30.18", "", [("30.19", 1)]),
    ],
)
def test_cavalry_that_may_react_is_named_where_it_may(
    way: str, cavalry: str, others: str, pulled: list[tuple[str, int]]
) -> None:
    text = f"30.20: {russian('R', '').replace('movement=7', 'movement=20')}\n{cavalry}: german cavalry XX C (4-4-0-9){others}"
    report = moved(text, "R", way)
    assert [(reaction.hex, reaction.trigger) for reaction in report.result.reactions] == pulled
    assert len(told(report, "Reactions")) == len(pulled)
    assert report.verdict.text.endswith("; C may react") is bool(pulled)


def test_only_cavalry_of_the_enemy_reacts_and_not_in_rail_mode() -> None:
    for unit in (german("C"), "russian cavalry XX C (4-4-0-9)", "german cavalry XX C (4-4-0-9) entrained"):
        assert moved(f"30.20: {russian('R')}\n30.18: {unit}", "R", "30.19").result.reactions == ()
