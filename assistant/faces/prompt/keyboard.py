"""The input of lines at a terminal: with history, completion by Tab, and a key for each assumption."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

from ...util.console import echo
from ...util.errors import InputError
from ...util.files import data_folder
from .books import JournalSession
from .session import Session

Completions = Callable[[str], list[tuple[str, str]]]
"""A function of the line up to the cursor that returns the possible next words, with their typed letters."""


class _Words(Completer):
    def __init__(self, completions: Completions) -> None:
        self._completions = completions

    def get_completions(self, document: Document, _: CompleteEvent) -> Iterable[Completion]:
        with suppress(InputError):
            for word, typed in self._completions(document.text_before_cursor):
                yield Completion(word, -len(typed))


class _History(FileHistory):
    def load_history_strings(self) -> Iterable[str]:
        with suppress(OSError):
            yield from super().load_history_strings()

    def store_string(self, string: str) -> None:
        with suppress(OSError):
            super().store_string(string)


class _Keys(KeyBindings):
    """The keys F1, for `help`, and F2 to F9, for the assumptions ?2 to ?9."""

    def __init__(self) -> None:
        super().__init__()
        self.begun = ""
        self.add("f1")(self._help)
        for number in range(2, 10):
            self.add(f"f{number}")(self._assumption(number))

    def _help(self, event: KeyPressEvent) -> None:
        self.begun = event.app.current_buffer.text
        event.app.exit(result="help")

    def _assumption(self, number: int) -> Callable[[KeyPressEvent], None]:
        return lambda event: event.app.exit(result=f"?{number}")

    def take_begun(self) -> str:
        """Return the text typed before F1, and "" at the next call."""
        text = self.begun
        self.begun = ""
        return text


def _begin_line(session: Session | JournalSession, keys: _Keys) -> Document:
    """Return the beginning of the next line, with the cursor: the text typed before F1, or the refused line."""
    if text := keys.take_begun():
        return Document(text)
    returned, cursor = session.returned
    return Document(returned, cursor)


def typed_lines(session: Session | JournalSession, completions: Completions) -> Iterator[str]:
    """Yield lines typed at the terminal until its input ends.

    Text typed before F1 stays. A refused line of several words is shown again with the cursor at its mistake.
    """
    keys = _Keys()
    folder = data_folder() / "table"
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    prompt: PromptSession[str] = PromptSession(
        history=_History(str(folder / "history")),
        key_bindings=keys,
        completer=_Words(completions),
        complete_while_typing=False,
    )
    while True:
        try:
            pasted = prompt.prompt(lambda: session.prompt, default=_begin_line(session, keys)).splitlines()
        except KeyboardInterrupt:  # as in a shell: drop the line, not the session
            if session.gathered:
                yield "."
            if session.held:
                yield "no"
            continue
        except EOFError:
            return
        yield from pasted[:1] or [""]
        for line in pasted[1:]:
            echo(f"{session.prompt}{line}")
            yield line
        if pasted[1:] and session.gathered:
            yield ""
