"""The output of a program: lines, JSON, and progress while work is long."""

from __future__ import annotations

import codecs
import io
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from threading import Event, Thread
from time import monotonic
from typing import Any, Protocol, TypedDict, TypeVar

from .errors import printable
from .texts import regular_text

T = TypeVar("T")
MAX_COLUMNS = 100
"""The maximum number of columns of printed text."""
SECONDS_BEFORE_BAR = 1.0
"""The seconds before a bar is shown."""


def prepare_streams() -> None:
    """Let a program print on any console or pipe.

    A sign that the encoding of the stream lacks becomes a similar one of the keyboard, a letter a question mark.
    Without an error stream, as when Windows starts a program without a console, messages are discarded.
    """
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115  # open as long as the program runs
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=PLAIN_HANDLER)


def _replace_lacking(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    lacking = regular_text(error.object[error.start : error.end])
    return "".join(letter if letter.isascii() else "?" for letter in lacking), error.end


PLAIN_HANDLER = "plain"
"""The name of the error handler that replaces characters that a stream lacks."""
codecs.register_error(PLAIN_HANDLER, _replace_lacking)


def echo(text: str = "", *, err: bool = False, nl: bool = True) -> None:
    """Print lines without control characters for the terminal, which files of games and positions may contain."""
    import click  # loaded late: programs that use the library may not print

    click.echo("\n".join(map(printable, text.split("\n"))), err=err, nl=nl)


class Style(TypedDict, total=False):
    """The look of a piece of a line."""

    fg: str
    bold: bool
    dim: bool
    reverse: bool


def echo_styled(runs: Iterable[tuple[str, Style]]) -> None:
    """Print a line of pieces with styles, without control characters for the terminal."""
    import click

    click.echo("".join(click.style(printable(text), **style) if style else printable(text) for text, style in runs))


def screen_width(max_columns: int = MAX_COLUMNS) -> int:
    """Return the number of columns of the screen, at most `max_columns`."""
    from shutil import get_terminal_size  # loaded late: it takes long to import

    return min(get_terminal_size((MAX_COLUMNS, 24)).columns, max_columns)


def format_amount(amount: int) -> str:
    """Return the amount of a change, without a sign that might be taken for that of a value: `2 less`, `3 more`."""
    return f"{abs(amount)} {'less' if amount < 0 else 'more'}"


def format_count(count: int, what: str, more: str = "") -> str:
    """Return a number of things: `1 counter`, `2 counters`.

    `what`: the word for one of them.
    `more`: their plural, if it is irregular.
    """
    return f"{count} {what if count == 1 else more or f'{what}s'}"


def encode_json(value: Any, *, one_line: bool = False) -> bytes:
    """Return a value as JSON, indented by two spaces or in one line.

    Unprintable characters are escaped. Bytes of a file's name that are not UTF-8 become U+FFFD.
    """
    import msgspec

    try:
        data = msgspec.json.encode(value)
    except UnicodeEncodeError:
        import json  # loaded late: it takes long to import

        text = json.dumps(msgspec.to_builtins(value), ensure_ascii=False, separators=(",", ":"))
        data = re.sub("[\ud800-\udfff]", "\ufffd", text).encode()
    data = data if one_line else msgspec.json.format(data, indent=2)
    if data.isascii():  # the encoder has escaped all control characters except DEL
        return data.replace(b"\x7f", rb"\u007f")
    text = data.decode()
    if text.replace("\n", "").isprintable():
        return data
    return "".join(
        character if character.isprintable() or character == "\n" else _escape(character) for character in text
    ).encode()


def _escape(character: str) -> str:
    code_units = character.encode("utf-16-be")
    return "".join(f"\\u{code_units[at : at + 2].hex()}" for at in range(0, len(code_units), 2))


class Watch(Protocol):
    """A function that yields items one by one and may show progress.

    `what`: a word for the items in the message.
    """

    def __call__(self, items: Sequence[T], what: str) -> Iterable[T]: ...


def unwatched(items: Sequence[T], what: str) -> Iterable[T]:
    """Return the items, without showing progress."""
    return items


def bar(items: Sequence[T], what: str, *, clock: Callable[[], float] = monotonic) -> Iterator[T]:
    """Yield the items, with a progress bar on a terminal's standard error if they take over a second."""
    return with_bar(items, what, len(items), clock=clock)


def with_bar(
    items: Iterable[T], what: str, number_of_items: int, *, clock: Callable[[], float] = monotonic
) -> Iterator[T]:
    """Yield items as they come, with a progress bar on a terminal's standard error if they take over a second."""
    start = clock()
    with ExitStack() as stack:
        progress_bar = None
        for number, item in enumerate(items):
            if progress_bar is not None:
                progress_bar.update(1)
            elif clock() - start > SECONDS_BEFORE_BAR and sys.stderr.isatty():
                import click  # loaded late: a browser has no click

                progress_bar = stack.enter_context(
                    click.progressbar(length=number_of_items, label=what, file=sys.stderr)
                )
                progress_bar.update(number)
            yield item
        if progress_bar is not None:
            progress_bar.update(1)


@contextmanager
def show_working(what: str, *, patience: float = SECONDS_BEFORE_BAR) -> Iterator[None]:
    """Show on a terminal how long the block takes: a line on standard error every second, wiped off at the end.

    `what`: the label of the line.
    `patience`: seconds before the line is first shown.
    """
    if not sys.stderr.isatty():
        yield
        return
    screen = sys.stderr
    done = Event()
    label = printable(what)

    def show_time() -> None:
        start = monotonic()
        shown = ""
        while not done.wait(patience):
            shown = f"{label}: {monotonic() - start:.0f} s"
            print(f"\r{shown}", end="", file=screen, flush=True)
        if shown:
            print(f"\r{' ' * len(shown)}\r", end="", file=screen, flush=True)

    thread = Thread(target=show_time, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
