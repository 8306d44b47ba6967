"""Serving a table from the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from assistant import service
from assistant.faces.cli import main
from assistant.faces.cli.serve import serve
from assistant.faces.page.server import start
from assistant.formats.positions import Position
from assistant.game.states import build_state
from assistant.installed.registry import named_game
from assistant.util import desktop
from module_builder.new import new_game


def test_file_alone_is_served_with_its_game_wherever_that_lies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    new_game(tmp_path / "heath")
    game = named_game(str(tmp_path / "heath"))
    file = tmp_path / "mail.vsav"
    file.write_bytes(b"")
    opened: list[Any] = []
    monkeypatch.setattr(service, "read", lambda _: Position(game, build_state(game)))
    monkeypatch.setattr(start, "open_served", lambda *given, **_: opened.extend(given))
    result = CliRunner().invoke(serve, [str(file)])
    assert result.exit_code == 0, result.output
    playing, state = opened
    assert playing is game
    assert state == str(file)


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What is asked for of the server of all tables, which is not run."""
    asked: list[dict[str, Any]] = []
    monkeypatch.setattr(start, "open_tables", lambda port, **options: asked.append({"port": port, **options}))
    return asked


@pytest.mark.parametrize(
    ("words", "variable", "terminal", "clicked", "browser"),
    [
        ((), "", True, False, True),
        ((), "", False, False, False),
        ((), "", False, True, True),
        (("--no-browser",), "", True, False, False),
        ((), "1", True, False, False),
        ((), "1", False, True, False),
    ],
)
def test_browser_is_opened_at_a_terminal_and_by_a_double_click(
    words: tuple[str, ...],
    variable: str,
    terminal: bool,
    clicked: bool,
    browser: bool,
    served: list[dict[str, Any]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(desktop, "has_terminal", lambda: terminal)
    monkeypatch.setattr(desktop, "is_double_clicked", lambda: clicked)
    result = CliRunner().invoke(serve, words, env={"FIELD_STAFF_NO_BROWSER": variable})
    assert result.exit_code == 0, result.output
    assert served == [{"port": 1914, "browser": browser, "ends": clicked}]


def test_network_sees_one_table_that_is_named(served: list[dict[str, Any]]) -> None:
    result = CliRunner().invoke(main.cli, ["serve", "--lan"])
    assert (result.exit_code, served) == (3, [])
    assert "--lan serves one table\n  name its game or its journal: assistant serve GAME --lan" in result.output


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ([], ["serve"]),
        (["--no-browser"], ["serve", "--no-browser"]),
        (["--port", "1915"], ["serve", "--port", "1915"]),
        (["--debug"], ["serve", "--debug"]),
        (["--help"], ["--help"]),
        (["-h"], ["-h"]),
        (["--version"], ["--version"]),
        (["battle", "game.pos"], ["battle", "game.pos"]),
        (["--debug", "battle", "game.pos"], ["--debug", "battle", "game.pos"]),
    ],
)
def test_second_name_without_a_command_opens_the_page(
    typed: list[str], words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[Any] = []
    monkeypatch.setattr(main, "run", lambda program, ready, words: ran.append(words))
    monkeypatch.setattr("sys.argv", ["field-staff", *typed])
    main.open_page()
    assert ran == [words]
