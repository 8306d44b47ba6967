"""Memory while many objects are made."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def all_kept() -> Iterator[None]:
    """While a picture is made: its many objects all stay, and Python need not look through them for garbage over and
    over, nor at the end: they then count as old ones, which it looks through seldom.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.unfreeze()  # both together make all objects old ones
        gc.enable()
