"""Where a fact comes from, and which sources answers may rest on."""

from __future__ import annotations

from enum import StrEnum

import msgspec

Value = bool | int | str | tuple[str, ...]
"""The value of a fact: a flag, a whole number, a word or text, or several words."""


class Source(StrEnum):
    """Where a fact comes from."""

    RULEBOOK = "rulebook"
    PRINTED = "printed"  # the owner's chart, counter or map, from the pack
    STATED = "stated"  # the player, in the position
    DRAWN = "drawn"  # a board drawn from real geography
    RECONSTRUCTION = "reconstruction"  # a chart rebuilt to fit every known fact
    ILLUSTRATIVE = "illustrative"  # invented, to show how things work


CERTAIN = frozenset({Source.RULEBOOK, Source.PRINTED, Source.STATED})
"""The sources that every answer may rest on; the others count only if the player accepts them."""

STRENGTH = {
    Source.RULEBOOK: 0,
    Source.PRINTED: 1,
    Source.STATED: 1,
    Source.DRAWN: 2,
    Source.RECONSTRUCTION: 3,
    Source.ILLUSTRATIVE: 4,
}
"""Which source holds if two contradict each other: the one with the smaller number."""


class Fact(msgspec.Struct, frozen=True):
    """A value and its source; `assumed` marks one that the player is not sure of."""

    value: Value
    source: Source = Source.STATED
    assumed: bool = False

    @property
    def doubtful(self) -> bool:
        """Whether an answer that depends on this fact must say so."""
        return self.assumed or self.source not in CERTAIN
