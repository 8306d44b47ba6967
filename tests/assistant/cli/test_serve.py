"""Serving a table from the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from assistant import service
from assistant.cli.serve import serve
from assistant.formats.positions import Position
from assistant.page.serving import opening
from assistant.plugins.registry import named_game
from module_builder.new import new_game


def test_file_alone_is_served_with_its_game_wherever_that_lies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    new_game(tmp_path / "heath")
    game = named_game(str(tmp_path / "heath"))
    file = tmp_path / "mail.vsav"
    file.write_bytes(b"")
    opened: list[Any] = []
    monkeypatch.setattr(service, "read", lambda _: Position(game, game.state()))
    monkeypatch.setattr(opening, "open_served", lambda *given, **_: opened.extend(given))
    result = CliRunner().invoke(serve, [str(file)])
    assert result.exit_code == 0, result.output
    playing, state = opened
    assert playing is game
    assert state == str(file)
