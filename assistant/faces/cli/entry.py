"""How the owner of a game is asked for what is printed on the owner's copy: line by line, each kept at once."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from ...asking.wrapping import wrap_lines
from ...util.console import echo, screen_width
from ...util.errors import InputError, Where, located
from .group import IN_NO_CHART

T = TypeVar("T")
_FIXED = "\xa0"
"""A space at which no line is broken."""
BACK = "back"
"""Returns to what was asked before."""
STOP = "."
"""Ends the asking."""
SAME = "="
"""Takes what was typed before once more."""
Asker = Callable[[str, str], str]
"""Asks for a line: the prompt, and what stands there to be corrected."""
COUNTERS, TURNS, ARMIES, SETUPS, SCHEDULES = IN_NO_CHART


def echo_fitted(text: str) -> None:
    """Print a text on lines as wide as the screen; no word is parted, and nothing at a fixed space."""
    for line in wrap_lines(text.split("\n"), screen_width()):
        echo(line.replace(_FIXED, " "))


def echo_saved(values: Iterable[str], before: str = "") -> None:
    """Print what is kept, the name and the value of each together. before: what stands before it."""
    echo_fitted(f"  {before}" + ", ".join(each.replace(" ", _FIXED) for each in values))


def ask_each(todo: Sequence[T], ask: Callable[[T], str], keep: Callable[[T, str], int]) -> Iterator[int]:
    """Ask for one thing after the other and keep each at once; what `keep` returns of each that is kept.

    `back` returns to the one before, an empty line leaves one out, a dot stops; one that `keep` refuses with InputError
    is asked for again.
    """
    at = 0
    while at < len(todo):
        line = ask(todo[at]).strip()
        if line == STOP:
            return
        if line.casefold() == BACK:
            at = max(at - 1, 0)
            continue
        if line:
            try:
                count = keep(todo[at], line)
            except InputError as error:
                echo(f"  {error}")
                continue
            yield count
        at += 1


def line_asker() -> Asker:
    """Return what asks for lines: a prompt at a terminal that can be edited, or else standard input, whose lines are
    shown after it.
    """
    from ...util.files import read_typed_lines

    if sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty():
        return _is_at_terminal()
    lines = read_typed_lines()

    def ask(prompt: str, _: str) -> str:
        shown = prompt.rstrip()
        echo(shown, nl=False)  # which a person may be waiting for behind the pipe
        try:
            line = next(lines, STOP)
        except InputError:
            echo()
            raise
        echo(f"{prompt}{line}".rstrip().removeprefix(shown))
        return line

    return ask


def _is_at_terminal() -> Asker:
    """Return a prompt whose arrows up and down lead to the row before and after, with what is known of it to be
    corrected.
    """
    from prompt_toolkit import PromptSession
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

    keys = KeyBindings()

    @keys.add("up")
    def _(event: KeyPressEvent) -> None:
        event.app.exit(result=BACK)

    @keys.add("down")
    def _(event: KeyPressEvent) -> None:
        event.app.exit(result="")

    session: PromptSession[str] = PromptSession(key_bindings=keys)

    def ask(prompt: str, known: str) -> str:
        try:
            return session.prompt(prompt, default=known)
        except EOFError:
            return STOP

    return ask


def each_row_once(
    rows: Iterable[tuple[Mapping[str, str], Where]], column: str, read: Callable[[str], T]
) -> Iterator[tuple[T, dict[str, str], Where]]:
    """Yield what each row of a CSV file is about, what its other columns say of that, and its place. column: the one
    that names it; read: what reads the name. Raises InputError for one that is listed twice.
    """
    listed = set[T]()
    for row, where in rows:
        with located(where):
            subject = read(row[column])
            if subject in listed:
                raise InputError(f"{column} {subject} is listed twice", hint="leave one of the rows out")
        listed.add(subject)
        yield subject, {name: text for name, text in row.items() if name != column and text.strip()}, where
