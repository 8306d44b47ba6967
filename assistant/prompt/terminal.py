"""The prompt on a terminal, with history and a key for each assumption; without one, line after line."""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Iterator
from contextlib import suppress

import click

from ..game.settings import data_folder
from ..util.errors import printable
from .session import Session


def run(session: Session) -> None:
    """Read lines and answer them until `quit` or the end of input."""
    for said in session.begin():
        click.echo(printable(said))
    typed = sys.stdin.isatty() and sys.stdout.isatty()
    for line in _typed(session) if typed else _piped(session):
        session.width = min(shutil.get_terminal_size((100, 24)).columns, 100)
        try:
            answer = session.enter(line)
        except KeyboardInterrupt:  # as in a shell: what takes too long is given up, not the session
            if not typed:
                raise
            answer = ["given up"]
        for said in answer:
            click.echo(printable(said))
        if session.over:
            return


def _piped(session: Session) -> Iterator[str]:
    """Lines of a file, which are UTF-8 as those of a position are, whatever the console takes."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8-sig", errors="replace")
    for line in sys.stdin:
        click.echo(printable(f"{session.prompt}{line.rstrip()}"))
        yield line


def _typed(session: Session) -> Iterator[str]:
    """Lines from the terminal; F1 to F9 are the assumptions in turn."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.history import FileHistory
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

    keys = KeyBindings()
    for number in range(1, 10):

        @keys.add(f"f{number}")
        def _(event: KeyPressEvent, number: int = number) -> None:
            event.app.exit(result=f"?{number}")

    class Kept(FileHistory):
        """What was typed, also in sessions before; of this session only where no file can be written."""

        def store_string(self, string: str) -> None:
            with suppress(OSError):
                super().store_string(string)

    folder = data_folder() / "table"
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    lines: PromptSession[str] = PromptSession(history=Kept(str(folder / "history")), key_bindings=keys)
    while True:
        try:
            pasted = lines.prompt(lambda: session.prompt).splitlines()
        except KeyboardInterrupt:  # as in a shell: the line is given up, not the session
            continue
        except EOFError:
            return
        yield from pasted[:1] or [""]
        for line in pasted[1:]:
            click.echo(printable(f"{session.prompt}{line}"))
            yield line
