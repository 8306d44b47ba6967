"""Folders of made-up files, such as a game's."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from assistant.game.games import Game, read_game


def written(folder: Path, texts: Mapping[str, str]) -> Path:
    """The folder with these texts in it, by the names of their files, which may lie in folders of their own."""
    for name, text in texts.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return folder


def game_of(folder: Path, texts: Mapping[str, str], id: str = "") -> Game:
    """The game of these files. id: by which it is known, as the folder is called if none is given."""
    return read_game(id or folder.name, written(folder, texts))
