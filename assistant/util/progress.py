"""Progress of long work: nothing at first, then a bar on the terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from time import monotonic
from typing import Protocol, TypeVar

T = TypeVar("T")

PATIENCE = 1.0
"""Seconds before the bar appears."""


class Watch(Protocol):
    """Yields items one by one and may show progress. what: a word for the items."""

    def __call__(self, items: Sequence[T], what: str) -> Iterable[T]:  # noqa: D102 (see above)
        ...


def unwatched(items: Sequence[T], what: str) -> Iterable[T]:
    """The items, without showing progress."""
    return items


def bar(items: Sequence[T], what: str, *, clock: Callable[[], float] = monotonic) -> Iterator[T]:
    """The items; after a second a bar on standard error counts them, if that is a terminal.

    clock: the time in seconds.
    """
    import click

    begun = clock()
    with ExitStack() as stack:
        shown = None
        for number, item in enumerate(items):
            if shown is not None:
                shown.update(1)
            elif clock() - begun > PATIENCE and sys.stderr.isatty():
                shown = stack.enter_context(click.progressbar(length=len(items), label=what, file=sys.stderr))
                shown.update(number)
            yield item
        if shown is not None:
            shown.update(1)
