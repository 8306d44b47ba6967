"""Trust in placeholders for the owner's own data: a drawn map, rebuilt or made-up charts, made-up counters.

A position states what it trusts, so that a file, a link, a mail and a journal give both players the same answer.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from types import MappingProxyType

import msgspec

from .tracks import Source

PLACEHOLDERS: Mapping[str, Source] = MappingProxyType(
    {"map": Source.DRAWN, "charts": Source.RECONSTRUCTION, "counters": Source.ILLUSTRATIVE}
)
"""The source that a position trusts if it trusts placeholders of a kind."""
_KINDS = MappingProxyType({**{source: kind for kind, source in PLACEHOLDERS.items()}, Source.MADE_UP: "charts"})
"""The kind of placeholder for each source that is not certain."""
_MAKINGS = MappingProxyType(
    {
        Source.DRAWN: "drawn",
        Source.RECONSTRUCTION: "rebuilt",
        Source.MADE_UP: "made-up",
        Source.ILLUSTRATIVE: "made-up",
    }
)
"""The word for the making of placeholders, by source."""
DEFAULT_SOURCES = frozenset({Source.DRAWN})
"""The sources trusted by default: a drawn map, as players choose it themselves, but no charts or counters."""
ALL_WORD = "all"
"""The word for the map, charts and counters together."""
OWN_WORD = "own"
"""The word before kinds whose placeholders are not trusted, as the player has the originals."""


class Trust(msgspec.Struct, frozen=True):
    """A change of trust.

    `more`: sources to trust in addition to those that a position trusts.
    `less`: sources not to trust.
    """

    more: frozenset[Source] = frozenset()
    less: frozenset[Source] = frozenset()

    def over(self, accepts: frozenset[Source]) -> frozenset[Source]:
        """Return the sources to trust.

        `accepts`: the sources that the position trusts.
        """
        return (accepts - self.less) | self.more


AS_STATED = Trust()
"""Trust as the position states it."""


def find_sources(kind: str) -> frozenset[Source]:
    """Return the source of the placeholders of a kind, or the sources of all kinds for "all"."""
    return frozenset(PLACEHOLDERS.values()) if kind == ALL_WORD else frozenset({PLACEHOLDERS[kind]})


def placeholder_kind(source: Source) -> str:
    """Return the kind of placeholder for a source that is not certain."""
    return _KINDS[source]


def select_trusted(sources: Iterable[Source]) -> frozenset[Source]:
    """Return the sources to trust for the placeholders among `sources`.

    Rebuilt and made-up charts share one source to trust.
    """
    return frozenset(PLACEHOLDERS[_KINDS[source]] for source in sources if source in _KINDS)


def describe_making(source: Source) -> str:
    """Return the words for the making of a placeholder, such as "made up"."""
    return _MAKINGS[source].replace("-", " ")


def name_stand_ins(kind: str, sources: Collection[Source]) -> str:
    """Return the name of placeholders, such as "rebuilt and made-up charts", or "" if all sources are certain."""
    makings = dict.fromkeys(making for source, making in _MAKINGS.items() if source in sources)
    return f"{' and '.join(makings)} {kind}" if makings else ""


def write_trust(now: Collection[Source], before: Collection[Source] = DEFAULT_SOURCES) -> Iterator[str]:
    """Yield the lines of notation that change the trusted sources: `trust charts`, `own map`."""
    for word, sources in (("trust", {*now} - {*before}), ("own", {*before} - {*now})):
        if kinds := [kind for kind, source in PLACEHOLDERS.items() if source in sources]:
            yield f"{word} {' '.join(kinds)}"
