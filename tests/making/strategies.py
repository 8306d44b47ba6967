"""Made-up positions as Hypothesis draws them: by a seed, which shrinks to a small number."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from hypothesis import strategies as st

from assistant.installed.registry import load_game

from .chance import fill_in
from .maker import USUAL, Front, Size, make_front

seeds = st.integers(0, 2**32)


def fronts(game: str, size: Size = USUAL, *, moves: bool = False) -> st.SearchStrategy[Front]:
    """Return a strategy of fronts of a game, by its id."""
    return seeds.map(lambda seed: make_front(Random(seed), load_game(game), size, moves=moves))


def filled(template: str, **names: str | Sequence[str]) -> st.SearchStrategy[str]:
    """Return a strategy of what chance makes of a template (`chance`)."""
    return seeds.map(lambda seed: fill_in(template, Random(seed), dict(names)))
