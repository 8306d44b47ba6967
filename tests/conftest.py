"""What most tests need: a game, and positions typed in notation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from assistant.formats import Position
from assistant.formats.notation import read
from assistant.games import Game
from assistant.questions import ask, read_parameters
from assistant.registry import load_game
from assistant.report import Report
from assistant.view import View

GAME = "twilight-in-the-east"


@pytest.fixture(scope="session")
def twilight() -> Game:
    return load_game(GAME)


def typed(text: str) -> Position:
    """The position that a text in notation says, for Twilight unless the text names a game."""
    head = "" if text.lstrip().startswith("game") else f"game {GAME}\n"
    return read((head + text).encode(), "typed.pos", load_game)


def answered(position: Position, question: str = "", **parameters: Any) -> Report[Any]:
    """The report on a question: the one that the position asks, or a named one with parameters."""
    asked = position.asks[0] if not question else None
    name = asked.question if asked else question
    given = dict(asked.parameters) if asked else {key.strip("_").replace("_", "-"): v for key, v in parameters.items()}
    view = View(position.game, position.state)
    found = position.game.question(name)
    return ask(found, view, read_parameters(found, view, given), position.answers)


@pytest.fixture
def report() -> Callable[..., Report[Any]]:
    def of(text: str, question: str = "", **parameters: Any) -> Report[Any]:
        return answered(typed(text), question, **parameters)

    return of
