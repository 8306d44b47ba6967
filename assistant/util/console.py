"""What a program prints: lines, JSON, and while work is long a bar, or how long it has taken so far."""

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
WIDE = 100
"""The most columns that an answer takes."""
PATIENCE = 1.0
"""Seconds after which the next item brings up the bar."""


def prepare_streams() -> None:
    """Let a program print wherever it runs: a console or a pipe that lacks a sign of print shows that of a keyboard,
    for another letter a question mark, instead of failing, and without an error stream, as Windows begins a program
    without a console, what is told goes nowhere.
    """
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115  # for as long as the program runs
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=PLAIN)


def _replace_lacking(error: UnicodeError) -> tuple[str, int]:
    """Return what stands for letters that a stream lacks, as the codecs of Python ask for it."""
    assert isinstance(error, UnicodeEncodeError)
    lacking = regular_text(error.object[error.start : error.end])
    return "".join(letter if letter.isascii() else "?" for letter in lacking), error.end


PLAIN = "plain"
"""The name by which a stream replaces what it lacks."""
codecs.register_error(PLAIN, _replace_lacking)


def echo(text: str = "", *, err: bool = False, nl: bool = True) -> None:
    """Print lines, without signs that would steer a terminal: files of games and positions may hold any.

    err: on standard error; nl: whether a line break follows.
    """
    import click  # only where something is printed: a program that uses the library does not wait for it

    click.echo("\n".join(map(printable, text.split("\n"))), err=err, nl=nl)


class Style(TypedDict, total=False):
    """How a piece of a line looks."""

    fg: str
    bold: bool
    dim: bool
    reverse: bool


def echo_styled(runs: Iterable[tuple[str, Style]]) -> None:
    """Print a line whose pieces have styles; the pieces themselves cannot steer the terminal."""
    import click

    click.echo("".join(click.style(printable(text), **style) if style else printable(text) for text, style in runs))


def screen_width(most: int = WIDE) -> int:
    """Return how many columns the screen has, but no more than some."""
    from shutil import get_terminal_size  # only here: it takes long to import

    return min(get_terminal_size((WIDE, 24)).columns, most)


def format_amount(amount: int) -> str:
    """Return what is added to a number or taken off it, in words: no sign that may be taken for that of a value."""
    return f"{abs(amount)} {'less' if amount < 0 else 'more'}"


def format_count(count: int, what: str, more: str = "") -> str:
    """Return a number of things: `1 counter`, `2 counters`. more: the word for several, if it is not made with s."""
    return f"{count} {what if count == 1 else more or f'{what}s'}"


def encode_json(value: Any, *, one_line: bool = False) -> bytes:
    """Return a value as JSON, two spaces a level, or in one line. Whatever is not printable is escaped, which a reader
    takes for the same; whatever of a file's name is not UTF-8 becomes U+FFFD.
    """
    import msgspec

    try:
        data = msgspec.json.encode(value)
    except UnicodeEncodeError:
        import json  # only here: it takes long to import

        text = json.dumps(msgspec.to_builtins(value), ensure_ascii=False, separators=(",", ":"))
        data = re.sub("[\ud800-\udfff]", "\ufffd", text).encode()
    data = data if one_line else msgspec.json.format(data, indent=2)
    if data.isascii():  # the encoder has escaped the other control characters
        return data.replace(b"\x7f", rb"\u007f")
    text = data.decode()
    if text.replace("\n", "").isprintable():
        return data
    return "".join(sign if sign.isprintable() or sign == "\n" else _escape(sign) for sign in text).encode()


def _escape(sign: str) -> str:
    """Return a sign as JSON escapes it: by its one or two units of 16 bits."""
    units = sign.encode("utf-16-be")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


class Watch(Protocol):
    """Yields items one by one and may show progress. what: a word for the items."""

    def __call__(self, items: Sequence[T], what: str) -> Iterable[T]: ...


def unwatched(items: Sequence[T], what: str) -> Iterable[T]:
    """Return the items, without showing progress."""
    return items


def bar(items: Sequence[T], what: str, *, clock: Callable[[], float] = monotonic) -> Iterator[T]:
    """Return the items; a bar on standard error counts them once an item begins after the first second, if that is a
    terminal.

    clock: the time in seconds.
    """
    return with_bar(items, what, len(items), clock=clock)


def with_bar(
    items: Iterable[T], what: str, number_of_items: int, *, clock: Callable[[], float] = monotonic
) -> Iterator[T]:
    """Yield items that come one by one, with the same bar."""
    begun = clock()
    with ExitStack() as stack:
        shown = None
        for number, item in enumerate(items):
            if shown is not None:
                shown.update(1)
            elif clock() - begun > PATIENCE and sys.stderr.isatty():
                import click  # only where it is shown: a browser has neither a terminal nor this

                shown = stack.enter_context(click.progressbar(length=number_of_items, label=what, file=sys.stderr))
                shown.update(number)
            yield item
        if shown is not None:
            shown.update(1)


@contextmanager
def show_working(what: str, *, patience: float = PATIENCE) -> Iterator[None]:
    """Show how long work that cannot be counted has taken: after a second, and every second from then on, a line on
    standard error tells it, if that is a terminal; at the end the line is wiped off.

    what: is being done; patience: those seconds.
    """
    if not sys.stderr.isatty():
        yield
        return
    screen = sys.stderr
    done = Event()
    words = printable(what)

    def tell() -> None:
        start = monotonic()
        shown = ""
        while not done.wait(patience):
            shown = f"{words}: {monotonic() - start:.0f} s"
            print(f"\r{shown}", end="", file=screen, flush=True)
        if shown:
            print(f"\r{' ' * len(shown)}\r", end="", file=screen, flush=True)

    teller = Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()
