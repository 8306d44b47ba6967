"""When Python looks for garbage: objects that lie in circles of references and are used no longer."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def all_kept() -> Iterator[None]:
    """Spare Python the search for garbage while a picture is made, whose many objects all stay until it is done."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def collect_seldom() -> None:
    """Let Python look for garbage in this process seldom: it makes many objects that stay until it ends, and little
    garbage.
    """
    gc.set_threshold(1_000_000)


def collect_often() -> None:
    """Let Python look for garbage in this process often: it goes on, and makes garbage as long as it runs. What it has
    made so far stays, and is not looked through again.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)
