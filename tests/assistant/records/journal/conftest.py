"""What the tests of the journal share."""

from __future__ import annotations

import pytest

from assistant.game.games import Game

from .small import small_game


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """The small campaign."""
    return small_game(tmp_path_factory.mktemp("small-war"))
