"""What players trust that is not from their own game: a drawn map, rebuilt charts, made-up counters.

It is part of a position, so that a file, a link, a mail and a journal give both players one answer.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType

import msgspec

from .tracks import Source

PLACEHOLDERS: Mapping[str, Source] = MappingProxyType(
    {"map": Source.DRAWN, "charts": Source.RECONSTRUCTION, "counters": Source.ILLUSTRATIVE}
)
"""By what players call them, the sources of what stands in for a map, charts and counters."""
STANDS_IN: Mapping[str, str] = MappingProxyType(
    {"map": "drawn map", "charts": "rebuilt charts", "counters": "made-up counters"}
)
"""What stands in for each of them, in words."""
MADE = MappingProxyType({Source.DRAWN: "drawn", Source.RECONSTRUCTION: "rebuilt", Source.ILLUSTRATIVE: "made up"})
"""How what stands in was made, in words, by its source."""
USUAL = frozenset({Source.DRAWN})
"""What is trusted where nothing is stated: a drawn map, for whoever names one wants it; charts and counters are one's
own.
"""
ALL = "all"
"""What stands for all three."""
OWN = "own"
"""What stands before what one has oneself."""


class Trust(msgspec.Struct, frozen=True):
    """What is trusted and what is not, whatever a position says of it."""

    more: frozenset[Source] = frozenset()
    less: frozenset[Source] = frozenset()

    def over(self, accepts: frozenset[Source]) -> frozenset[Source]:
        """Return what is trusted then. accepts: what the position trusts."""
        return (accepts - self.less) | self.more


AS_STATED = Trust()
"""What the position says holds."""


def find_sources(kind: str) -> frozenset[Source]:
    """Return the sources of what stands in for a kind, or for all of them."""
    return frozenset(PLACEHOLDERS.values()) if kind == ALL else frozenset({PLACEHOLDERS[kind]})


def placeholder_kind(source: Source) -> str:
    """Return what players call what is from a source that is not certain."""
    return next(kind for kind, of in PLACEHOLDERS.items() if of is source)


def write_trust(now: Collection[Source], before: Collection[Source] = USUAL) -> Iterator[str]:
    """Yield the lines of notation that lead from what was trusted to what is now."""
    for word, sources in (("trust", {*now} - {*before}), ("own", {*before} - {*now})):
        if kinds := [kind for kind, source in PLACEHOLDERS.items() if source in sources]:
            yield f"{word} {' '.join(kinds)}"
