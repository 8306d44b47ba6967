"""A case at fault without all that the fault does not need."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

CaseT = TypeVar("CaseT")
MAX_TRIES = 400
"""The number of smaller cases tried."""
_WORD = re.compile(r'(?:[^ "]|"[^"]*")+')


def shrink(
    case: CaseT,
    smaller: Callable[[CaseT], Iterable[CaseT]],
    fails: Callable[[CaseT], bool],
    tries: int = MAX_TRIES,
) -> CaseT:
    """Return the smallest case found that still fails. `smaller`: yields a case without one thing each."""
    best, again = case, True
    while again:
        again = False
        for one in smaller(best):
            tries -= 1
            if tries < 0:
                return best
            if fails(one):
                best, again = one, True
                break
    return best


def without_lines(text: str) -> Iterator[str]:
    """Yield a position without one of its lines, then without one of the words of a line; its game and questions stay."""
    lines = text.splitlines()
    free = [
        at for at, line in enumerate(lines) if line.split(" ")[0] not in ("game", "board", "ask", "referee", "case")
    ]
    yield from ("\n".join([*lines[:at], *lines[at + 1 :], ""]) for at in reversed(free))
    for at in free:
        words = _WORD.findall(lines[at])
        for number in range(len(words) - 1, 0, -1):
            left = " ".join([*words[:number], *words[number + 1 :]])
            yield "\n".join([*lines[:at], left, *lines[at + 1 :], ""])
