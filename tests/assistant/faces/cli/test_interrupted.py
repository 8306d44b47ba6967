"""Ctrl+C: one line and exit code 130, whatever the program is about."""

from __future__ import annotations

import logging
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import NoReturn

import click
import pytest

import assistant.__main__ as assistant_start
import module_builder.__main__ as builder_start
from assistant.faces.cli.group import Program, run
from assistant.faces.cli.main import cli
from assistant.faces.mcp import server
from assistant.faces.mcp.access import Access
from assistant.faces.page.server.serving import Serving
from assistant.util.signals import INTERRUPTED_EXIT_CODE
from module_builder.cli import cli as builder


def interrupt(*_: object) -> NoReturn:
    raise KeyboardInterrupt


def list_commands(group: click.Group, words: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the words of every command below a group."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from list_commands(command, (*words, name))
        elif command:
            yield (*words, name)


@pytest.mark.parametrize("program", [cli, builder], ids=lambda program: str(program.name))
def test_every_command_ends_in_one_line(
    program: Program, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    commands = list(list_commands(program))
    assert len(commands) > 10
    monkeypatch.setattr(click.Command, "make_context", interrupt)
    for words in commands:
        with pytest.raises(SystemExit) as ended:
            run(program, words=words)
        assert (ended.value.code, capfd.readouterr()) == (
            INTERRUPTED_EXIT_CODE,
            ("", f"{program.name}: interrupted\n"),
        ), words


@pytest.mark.parametrize("program", [cli, builder], ids=lambda program: str(program.name))
def test_a_program_that_reads_its_options_ends_in_one_line(
    program: Program, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(click.Command, "parse_args", interrupt)
    with pytest.raises(SystemExit) as ended:
        run(program, words=["--version"])
    assert (ended.value.code, capfd.readouterr()) == (INTERRUPTED_EXIT_CODE, ("", f"{program.name}: interrupted\n"))


@pytest.mark.parametrize(
    ("start", "loads", "name"),
    [
        (assistant_start.main, "assistant.util.memory", "assistant"),
        (assistant_start.main, "assistant.faces.cli.main", "assistant"),
        (assistant_start.open_page, "assistant.faces.cli.main", "field-staff"),
        (builder_start.main, "module_builder.cli", "module-builder"),
    ],
)
def test_a_program_that_loads_ends_in_one_line(
    start: Callable[[], None],
    loads: str,
    name: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    class Loading(ModuleType):
        """A module that is interrupted while it loads."""

        __getattr__ = interrupt  # type: ignore[assignment]  # of any name

    monkeypatch.setitem(sys.modules, loads, Loading(loads))
    with pytest.raises(SystemExit) as ended:
        start()
    assert (ended.value.code, capfd.readouterr()) == (INTERRUPTED_EXIT_CODE, ("", f"{name}: interrupted\n"))


def test_a_served_page_ends_as_interrupted_and_says_what_is_saved(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path))

    async def interrupted(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr(Serving, "_run", interrupted)
    with pytest.raises(SystemExit) as ended:
        run(cli, words=["serve", "--no-browser", "--port", "0"])
    said = capfd.readouterr()
    assert (ended.value.code, said.err) == (INTERRUPTED_EXIT_CODE, "")
    assert said.out.endswith("\nStopped. What was entered is saved.\n")


def test_a_server_for_a_model_ends_at_once_while_it_waits_for_its_input() -> None:
    code = "import sys, time; from assistant.util.signals import end_at_once; end_at_once('assistant'); print(flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout and process.stderr
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert (process.wait(20), process.stderr.read()) == (INTERRUPTED_EXIT_CODE, "assistant: interrupted\n")


def test_a_server_for_a_model_that_has_begun_ends_at_once(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.setattr(logging, "raiseExceptions", True)
    monkeypatch.setattr(logging, "lastResort", None)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    monkeypatch.setattr(server, "collect_often", lambda: None)
    monkeypatch.setattr(server.anyio, "run", lambda *_: signal.raise_signal(signal.SIGINT))
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with monkeypatch.context() as at_end, pytest.raises(SystemExit) as ended:
            at_end.setattr("os._exit", sys.exit)
            server.serve_model(Access(), 1)
    finally:
        signal.signal(signal.SIGINT, before)
    assert (ended.value.code, capfd.readouterr().err) == (INTERRUPTED_EXIT_CODE, "assistant: interrupted\n")
