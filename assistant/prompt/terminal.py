"""The prompt on a terminal, with history and a key for each assumption; without a terminal, line by line."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from ..game.settings import data_folder
from ..util.console import echo
from ..util.errors import InputError
from ..util.files import read_typed_lines
from .completing import completions
from .session import Session

WIDE = 100
"""The most columns that an answer takes."""


def columns(most: int = WIDE) -> int:
    """The columns of the screen, but no more than some."""
    return min(shutil.get_terminal_size((WIDE, 24)).columns, most)


def run(session: Session, most: int = WIDE) -> None:
    """Read lines and answer them until `quit` or the end of input. most: the columns that an answer takes at most."""
    for text in session.begin():
        echo(text)
    typed = sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()
    for line in _typed(session) if typed else _piped(session):
        session.width = columns(most)
        try:
            answer = session.enter(line)
        except KeyboardInterrupt:  # as in a shell: interrupt the answer, not the session
            if not typed:
                raise
            answer = ["interrupted"]
        for text in [*answer, *(said_above(answer, shutil.get_terminal_size().lines) if typed else ())]:
            echo(text)
        if session.over:
            return


def said_above(answer: Sequence[str], rows: int) -> list[str]:
    """How a line was read, once more, where the screen does not hold the answer that begins with it. rows: of the
    screen.
    """
    start = next((at for at, text in enumerate(answer) if text.startswith("read: ")), None)
    if start is None or len(answer) < rows:
        return []
    end = next((at for at in range(start + 1, len(answer)) if not answer[at].startswith("      ")), len(answer))
    return list(answer[start:end])


def _piped(session: Session) -> Iterator[str]:
    """Lines from a file or pipe, each shown behind the prompt."""
    for line in read_typed_lines():
        echo(f"{session.prompt}{line.rstrip()}")
        yield line


def _typed(session: Session) -> Iterator[str]:
    """Lines typed at the terminal; F1 is help, and F2 to F9 stand for the assumptions ?2 to ?9. What was typed before
    F1 stays.
    """
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import CompleteEvent, Completer, Completion
    from prompt_toolkit.document import Document
    from prompt_toolkit.history import FileHistory
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

    keys = KeyBindings()
    begun = ""

    @keys.add("f1")
    def _(event: KeyPressEvent) -> None:
        nonlocal begun
        begun = event.app.current_buffer.text
        event.app.exit(result="help")

    for number in range(2, 10):

        @keys.add(f"f{number}")
        def _(event: KeyPressEvent, number: int = number) -> None:
            event.app.exit(result=f"?{number}")

    class Words(Completer):
        """What Tab completes."""

        def get_completions(self, document: Document, _: CompleteEvent) -> Iterable[Completion]:
            with suppress(InputError):
                for word, begun in completions(session, document.text_before_cursor):
                    yield Completion(word, -len(begun))

    class Kept(FileHistory):
        """The history, kept between sessions if its file can be read and written."""

        def load_history_strings(self) -> Iterable[str]:
            with suppress(OSError):
                yield from super().load_history_strings()

        def store_string(self, string: str) -> None:
            with suppress(OSError):
                super().store_string(string)

    folder = data_folder() / "table"
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    lines: PromptSession[str] = PromptSession(
        history=Kept(str(folder / "history")), key_bindings=keys, completer=Words(), complete_while_typing=False
    )
    while True:
        try:
            left, begun = begun, ""
            pasted = lines.prompt(lambda: session.prompt, default=left).splitlines()
        except KeyboardInterrupt:  # as in a shell: drop the line, not the session
            if session.held:
                yield "no"
            continue
        except EOFError:
            return
        yield from pasted[:1] or [""]
        for line in pasted[1:]:
            echo(f"{session.prompt}{line}")
            yield line
