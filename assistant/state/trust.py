"""What players trust that is not from their own game: a drawn map, made-up or rebuilt charts, made-up counters.

It is part of a position, so that a file, a link, a mail and a journal give both players one answer.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from types import MappingProxyType

import msgspec

from .tracks import Source

PLACEHOLDERS: Mapping[str, Source] = MappingProxyType(
    {"map": Source.DRAWN, "charts": Source.RECONSTRUCTION, "counters": Source.ILLUSTRATIVE}
)
"""The source by which a position says that it trusts the map, charts or counters that stand in for the owner's."""
_KINDS = MappingProxyType({**{source: kind for kind, source in PLACEHOLDERS.items()}, Source.MADE_UP: "charts"})
"""The kind of placeholder for each source that is not certain."""
_MADE = MappingProxyType(
    {
        Source.DRAWN: "drawn",
        Source.RECONSTRUCTION: "rebuilt",
        Source.MADE_UP: "made-up",
        Source.ILLUSTRATIVE: "made-up",
    }
)
"""How a placeholder was made, by its source."""
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
    """Return the kind of placeholder for a source that is not certain."""
    return _KINDS[source]


def select_trusted(sources: Iterable[Source]) -> frozenset[Source]:
    """Return the placeholders among the named sources, those of all charts under one source."""
    return frozenset(PLACEHOLDERS[_KINDS[source]] for source in sources if source in _KINDS)


def describe_making(source: Source) -> str:
    """Return how a placeholder was made, such as "made up"."""
    return _MADE[source].replace("-", " ")


def name_stand_ins(kind: str, sources: Collection[Source]) -> str:
    """Return what stands in for a kind, such as "made-up charts", or "" if all the sources are certain."""
    made = dict.fromkeys(words for source, words in _MADE.items() if source in sources)
    return f"{' and '.join(made)} {kind}" if made else ""


def write_trust(now: Collection[Source], before: Collection[Source] = USUAL) -> Iterator[str]:
    """Yield the lines of notation that lead from what was trusted to what is now."""
    for word, sources in (("trust", {*now} - {*before}), ("own", {*before} - {*now})):
        if kinds := [kind for kind, source in PLACEHOLDERS.items() if source in sources]:
            yield f"{word} {' '.join(kinds)}"
