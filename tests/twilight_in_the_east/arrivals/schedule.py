"""A made-up schedule of Twilight in the East, in place of the owner's."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.game import schedules
from assistant.game.course import course_file
from assistant.game.games import Game
from assistant.game.schedules import Schedules
from assistant.plugins.registry import load_game
from assistant.util.errors import stop

from ...conftest import GAME

READERS = (
    "assistant.readymade.arrivals",
    "assistant.readymade.due",
    "twilight_in_the_east.turn.opening",
    "twilight_in_the_east.turn.reinforcing",
)
"""The modules that read schedules."""


def schedule(monkeypatch: pytest.MonkeyPatch, folder: Path, rows: str) -> None:
    """Let the game have these rows of a schedule."""
    folder.joinpath("schedules").mkdir()
    folder.joinpath("schedules", "made.csv").write_text(rows, "utf-8")
    game = load_game(GAME)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(schedules, "inner", lambda base, path: folder / path)
        made = schedules._read(game, course_file(game), stop)

    def read(game: Game) -> Schedules:
        return made

    for module in READERS:
        monkeypatch.setattr(f"{module}.read_schedules", read)
