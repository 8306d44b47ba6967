"""What is suggested for slips in ratings."""

from __future__ import annotations

import pytest

from assistant.formats.new_units import suggest_ratings
from assistant.game.games import Game

from ....cases import few, seeds
from ....comparing.search import tried
from .ratings import SEARCH


@few(3)
@pytest.mark.parametrize("seed", seeds(40))
def test_what_is_suggested_can_be_typed(seed: int) -> None:
    assert tried(SEARCH, range(10), seed).wrong == []


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("12-16-711", ["`12-16-7-11`"]),
        ("1216-7-11", ["`12-16-7-11`"]),
        ("12-167-11", ["`12-16-7-11`"]),
        ("10-5-10", ["`10--5-10` (steps-artillery-effectiveness)", "`10-5-10-?`"]),
        ("10-5", ["`10-5-?-?`"]),
        ("99-99-99", []),
        ("12-16-1111", ["`12-16-11-11`"]),
        ("112-6-11", []),
    ],
)
def test_what_is_suggested(twilight: Game, typed: str, meant: list[str]) -> None:
    assert suggest_ratings(typed, twilight) == meant
