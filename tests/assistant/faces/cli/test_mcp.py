"""The MCP server from the command line: what the user allows, and what is missing."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from assistant.faces.cli.main import cli
from assistant.faces.mcp import server
from assistant.faces.mcp.access import Access
from assistant.util import extras


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Access, float]]:
    """What is served, without a client."""
    kept: list[tuple[Access, float]] = []
    monkeypatch.setattr(sys, "dont_write_bytecode", sys.dont_write_bytecode)  # which the command sets
    monkeypatch.setattr(server, "serve_model", lambda *given: kept.append(given))
    return kept


def begin(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(cli, ["mcp", *words], prog_name="assistant")
    return done.exit_code, done.stderr


def test_the_model_gets_what_the_line_names(served: list[tuple[Access, float]], tmp_path: Path) -> None:
    assert begin(str(tmp_path), "--as", "russian", "--seconds", "5") == (0, "")
    ((access, seconds),) = served
    assert (access.roots, access.side, access.beside, seconds) == ((tmp_path.resolve(),), "russian", "", 5)


@pytest.mark.usefixtures("own_data")
def test_the_players_own_setting_is_that_of_the_start(served: list[tuple[Access, float]], tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "settings.json").write_text(json.dumps({"viewpoint": {"twilight-in-the-east": "russian"}}))
    assert begin() == (0, "")
    (tmp_path / "data" / "settings.json").write_text("{}")
    assert served[0][0].settings == {"twilight-in-the-east": "russian"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nowhere",), "assistant: nowhere: No such file or directory\n"),
        (("--as", "gremans"), "assistant: --as: unknown side 'gremans' of "),
        (("--as", "russian", "--umpire"), "assistant: --as: an umpire sees all sides\n"),
        (("--game", "nowhere"), "assistant: unknown game 'nowhere'"),
    ],
)
def test_what_cannot_be_allowed_ends_it_at_once(
    words: tuple[str, ...], said: str, served: list[tuple[Access, float]]
) -> None:
    code, err = begin(*words)
    assert (code, err[: len(said)], served) == (3, said, [])


def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda name: None)
    hint = 'install it in the project folder: .venv/bin/pip install --editable ".[mcp]"'
    assert begin() == (3, f"assistant: mcp is not installed\n  {hint}\n")
    monkeypatch.setattr(extras, "is_checkout", lambda: False)
    hint = 'install Field Staff again with it: pipx install --force "FILE.whl[mcp]", or, if you used pip: pip install "FILE.whl[mcp]"'
    assert begin() == (3, f"assistant: mcp is not installed\n  {hint}\n")
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    hint = 'the program in a folder lacks it; install Field Staff from its file: pipx install "FILE.whl[mcp]"'
    assert begin() == (3, f"assistant: mcp is not installed\n  {hint}\n")


def test_a_package_that_is_too_old_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "version", lambda name: "1.9.4")
    code, said = begin()
    assert (code, said.splitlines()[0]) == (3, "assistant: mcp 1.9.4 is older than 2.0")
