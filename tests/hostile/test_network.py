"""The command line opens no socket, whatever it is asked."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from assistant.faces.cli.main import cli

from ..cases import thorough
from .inputs.seeds import FOLDER, GAME

BATTLE, SAVE = (str(FOLDER / "examples" / name) for name in ("battle.pos", "comprehensive-example.vsav"))
TOUR = [
    ["--help"],
    ["--version"],
    ["games"],
    ["questions", GAME],
    ["questions", GAME, "--json"],
    ["reference", GAME],
    ["rules", GAME],
    ["schema"],
    ["schema", GAME],
    ["check", BATTLE],
    ["check", SAVE],
    ["check", GAME],
    ["battle", BATTLE, "--json"],
    ["battle", SAVE, "--forum"],
    ["battle", BATTLE, "--picture", "battle.svg"],
    ["supply", str(FOLDER / "examples/supplied.pos"), "--picture", "supply.svg"],
    ["ask", "battle", BATTLE],
    ["answer", BATTLE],
    ["convert", SAVE],
    ["convert", SAVE, "--notation"],
    ["classic", "--help"],
    ["pack", "list"],
    ["pack", "check", GAME],
    ["pack", "diff", GAME],
    ["nonsense"],
]


class NoSocket(AssertionError):
    pass


@thorough
def test_no_command_opens_a_socket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise NoSocket

    for name in ("socket", "create_connection", "socketpair", "getaddrinfo", "gethostbyname"):
        monkeypatch.setattr(socket, name, refuse)
    monkeypatch.chdir(tmp_path)
    for words in TOUR:
        done = CliRunner().invoke(cli, words)
        assert done.exception is None or isinstance(done.exception, SystemExit), (words, done.exception)
        assert done.exit_code in (0, 2, 3, 4)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["battle.svg", "supply.svg"]
