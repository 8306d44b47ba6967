"""The timing of Python's garbage collector."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def all_kept() -> Iterator[None]:
    """Disable the garbage collector while a picture is made, whose many objects all stay until it is done."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def collect_seldom() -> None:
    """Let Python collect garbage seldom in this process: its many objects stay until it ends, with little garbage."""
    gc.set_threshold(1_000_000)


def collect_often() -> None:
    """Let Python collect garbage often in this process, which goes on for long and makes garbage all the time.

    The objects made so far stay and are not examined again.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)
