"""Made-up scenarios of an owner: a game with set-ups and schedules in its pack, all of it invented."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from assistant.formats.notation import read_notation
from assistant.formats.positions import Position
from assistant.game.games import Game
from assistant.game.packs import overlay_pack
from assistant.installed.registry import load_game

from ..conftest import GAME


def with_pack(folder: Path, files: Mapping[str, str]) -> Game:
    """The game with the files of a pack in a folder, by name."""
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return overlay_pack(load_game(GAME), folder)


def stated(game: Game, text: str) -> Position:
    """The position that a text in notation says, in a game with a pack."""
    return read_notation(f"game {GAME}\n{text}".encode(), "typed.pos", lambda name: game)
