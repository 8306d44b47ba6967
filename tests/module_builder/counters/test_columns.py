"""The values of a game's counters, as they are written on them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from module_builder.counters.columns import SIZE, UNIT, Columns


def columns_of(**values: Any) -> Columns:
    """Of a game with one unit, which has these values, its size among them under a name of the game's own."""
    picture = SimpleNamespace(symbol="arm", nation="side", size="echelon")
    tracks = {name: SimpleNamespace(back="", printed="counter", write=str) for name in ("arm", "echelon", "steps")}
    roster = {
        "A": {name: [SimpleNamespace(value=value)] if value is not None else [] for name, value in values.items()}
    }
    game: Any = SimpleNamespace(file=SimpleNamespace(picture=picture), tracks=tracks, roster=roster)
    return Columns(game, "", "")


@pytest.mark.parametrize(
    ("word", "printed"),
    [
        ("XX", "XX"),
        ("-", ""),
        ("--", ""),
        ("III-", "III-"),
        ("(X)", "(X)"),
        ("2nd line", "2nd line"),
        ("\u2014", ""),
        ("•", "•"),
        ("[III]", "[III]"),
        ("++", "++"),
    ],
)
def test_a_dash_for_a_size_is_printed_nowhere(word: str, printed: str) -> None:
    assert columns_of(echelon=word).values("A") == {UNIT: "A", "echelon": word, SIZE: printed}


def test_a_value_is_known_by_the_name_that_the_game_gives_it_and_by_ours() -> None:
    found = columns_of(arm="infantry", steps=0, echelon=None).values("A")
    assert found == {UNIT: "A", "arm": "infantry", "symbol": "infantry", "steps": "0"}
