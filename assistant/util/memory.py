"""Memory while many objects are made."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def all_kept() -> Iterator[None]:
    """Spare Python the search for garbage while a picture is made, whose many objects all stay; at the end they count
    as old ones, which it looks through seldom.
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
