"""The timing of Python's garbage collector."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def all_kept() -> Iterator[None]:
    """Disable the garbage collector in the block, for a picture whose many objects all stay until it is done."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def collect_seldom() -> None:
    """Let Python collect garbage seldom in a process whose many objects stay until it ends."""
    gc.set_threshold(1_000_000)


def collect_often() -> None:
    """Let Python collect garbage often in a process that runs for long and makes garbage all the time.

    The objects made so far are kept and not examined again.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)
