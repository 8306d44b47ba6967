"""Serving a table from the command line."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from assistant import service
from assistant.faces.cli import main
from assistant.faces.cli.serve import serve
from assistant.faces.page.server import serving
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
    monkeypatch.setattr(serving, "open_served", lambda *given, **_: opened.extend(given))
    result = CliRunner().invoke(serve, [str(file)])
    assert result.exit_code == 0, result.output
    playing, state = opened
    assert playing is game
    assert state == str(file)


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What is asked for of the server of all tables, which is not run."""
    asked: list[dict[str, Any]] = []
    monkeypatch.setattr(serving, "open_tables", lambda port, **options: asked.append({"port": port, **options}))
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
    assert served == [{"port": 1914, "browser": browser, "ends_unwatched": clicked}]


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
        (["--debug"], ["serve"]),
        (["--help"], ["--help"]),
        (["-h"], ["-h"]),
        (["--version"], ["--version"]),
        (["battle", "game.pos"], ["battle", "game.pos"]),
        (["--debug", "battle", "game.pos"], ["battle", "game.pos"]),
    ],
)
def test_field_staff_without_a_command_opens_the_page(
    typed: list[str], words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[Any] = []

    def parse_args(_: click.Group, ctx: click.Context, args: list[str]) -> list[str]:
        ran.append(args)
        ctx.exit()

    monkeypatch.setattr(main.Cli, "parse_args", parse_args)
    CliRunner().invoke(main.page_cli, typed)
    assert ran == [words]


def test_field_staff_describes_itself_and_names_itself_in_what_it_refuses() -> None:
    said = CliRunner().invoke(main.page_cli, ["--help"], prog_name="field-staff")
    assert said.exit_code == 0
    assert said.output.startswith(
        "Usage: field-staff [OPTIONS] [COMMAND] [ARGS]...\n\n  Opens the table page in your browser"
    )
    assert re.search(r"^  battle|^  table ", said.output, re.MULTILINE)
    for words, usage in (
        (["--nonsense"], "Usage: field-staff serve [OPTIONS]"),
        (["nonsense"], "Usage: field-staff [OPTIONS] [COMMAND]"),
    ):
        refused = CliRunner().invoke(main.page_cli, words, prog_name="field-staff")
        assert (refused.exit_code, usage in refused.output) == (2, True)


def test_field_staff_says_the_same_version_as_the_assistant() -> None:
    both = [CliRunner().invoke(program, ["--version"]).output for program in (main.cli, main.page_cli)]
    assert both[0] == both[1] != ""


def test_field_staff_refuses_input_in_its_own_name(tmp_path: Path) -> None:
    done = CliRunner().invoke(main.page_cli, ["battle", str(tmp_path / "none.pos")])
    assert (done.exit_code, done.output.partition(":")[0]) == (3, "field-staff")
