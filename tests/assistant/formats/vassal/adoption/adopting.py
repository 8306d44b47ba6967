"""The published module, adopted in a player's data folder, and positions read with what he has written there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from click.testing import CliRunner, Result

from assistant import Position, read
from assistant.faces.cli.main import cli
from assistant.formats.vassal.adoption.mapping_files import mapping_file
from assistant.formats.vassal.modules import Module, read_module
from assistant.formats.vassal.saves import Save, write_save

from .published import NAME, build

GAME = "twilight-in-the-east"


class Adopted:
    """A folder with the module, which the player has adopted, and a save of it."""

    def __init__(self, folder: Path, data: bytes | None = None) -> None:
        self.folder, self.module_file = folder, folder / "eastern-front.vmod"
        self.module_file.write_bytes(build() if data is None else data)
        self.module: Module = read_module(self.module_file)
        done = run("adopt", str(self.module_file), "--game", GAME)
        assert (done.exit_code, done.stderr) == (0, ""), done.output
        self.said, self.file = done.output, mapping_file(NAME, GAME)

    def correct(self, *changes: tuple[str, str]) -> None:
        """Change the mapping as a player does: each first text becomes the second."""
        text = self.file.read_text("utf-8")
        for before, after in changes:
            assert text.count(before) == 1, (before, text)
            text = text.replace(before, after)
        self.file.write_text(text, "utf-8")

    def save(self, save: Save) -> str:
        """The file of a save."""
        file = self.folder / "game.vsav"
        file.write_bytes(write_save(save))
        return str(file)

    def position(self, save: Save, side: str = "") -> Position:
        """The position in a save."""
        return read(self.save(save), side=side)


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, words, prog_name="assistant", env={"COLUMNS": "100"})


def unread(position: Position) -> Sequence[str]:
    """What was not understood."""
    return [one.what for one in position.state.unread]
