"""The ids of slots: whole numbers that stay the same from build to build, so that saves of an older module fit the
newer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256

from assistant.util.errors import InputError

FIRST_FREE_SLOT = 2**30
"""Ids are below this one; VASSAL numbers slots that an editor adds from here on."""


def slot_number(name: str) -> int:
    """A number that depends on a name alone."""
    return int.from_bytes(sha256(name.encode()).digest()[:4]) % (FIRST_FREE_SLOT - 1) + 1


def slots(names: Iterable[str], kept: Mapping[str, int] = {}) -> dict[str, str]:
    """The slot id of each name: the one that is kept for it, else a number that depends on its name alone.

    Of two names with the same number the first in the alphabet has it, and the other that of its name and a stroke
    more. Raises InputError if two names are kept on one id.
    """
    ids = dict[str, str]()
    taken = dict[int, str]()
    for name in (known for known in names if known in kept):
        other = taken.setdefault(kept[name], name)
        if other != name:
            raise InputError(f"{name} and {other} have the same slot id", hint="give each one of its own")
        ids[name] = str(kept[name])
    for name in sorted({*names} - ids.keys()):
        number, marked = slot_number(name), name
        while number in taken:
            marked += "'"
            number = slot_number(marked)
        taken[number] = name
        ids[name] = str(number)
    return ids
