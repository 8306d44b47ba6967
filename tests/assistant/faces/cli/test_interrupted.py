"""Ctrl+C: one line and exit code 130, whatever the program is about."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import NoReturn

import click
import pytest

import assistant.__main__ as assistant_start
import module_builder.__main__ as builder_start
from assistant.faces.cli.group import Program, run
from assistant.faces.cli.main import cli
from assistant.util.signals import INTERRUPTED
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
        assert (ended.value.code, capfd.readouterr()) == (INTERRUPTED, ("", f"{program.name}: interrupted\n")), words


@pytest.mark.parametrize("program", [cli, builder], ids=lambda program: str(program.name))
def test_a_program_that_reads_its_options_ends_in_one_line(
    program: Program, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(click.Command, "parse_args", interrupt)
    with pytest.raises(SystemExit) as ended:
        run(program, words=["--version"])
    assert (ended.value.code, capfd.readouterr()) == (INTERRUPTED, ("", f"{program.name}: interrupted\n"))


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
    assert (ended.value.code, capfd.readouterr()) == (INTERRUPTED, ("", f"{name}: interrupted\n"))
