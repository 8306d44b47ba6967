"""Where a fact comes from, and which sources an answer may rest on."""

from __future__ import annotations

from enum import StrEnum

import msgspec

Value = bool | int | str | tuple[str, ...]
"""What a fact can be: a flag, a whole number, a word or text, or several words."""


class Source(StrEnum):
    """Who says so."""

    RULEBOOK = "rulebook"
    PRINTED = "printed"  # the owner's own chart, counter or map, from his pack
    STATED = "stated"  # the player, in the position
    DRAWN = "drawn"  # a board drawn from geography
    RECONSTRUCTION = "reconstruction"  # a chart rebuilt from what is known of it
    ILLUSTRATIVE = "illustrative"  # made up to show how things work


CERTAIN = frozenset({Source.RULEBOOK, Source.PRINTED, Source.STATED})
"""The sources that every answer may rest on; the others count only where the player accepts them."""


class Fact(msgspec.Struct, frozen=True):
    """A value and where it comes from; `assumed` marks what its stater is not sure of."""

    value: Value
    source: Source = Source.STATED
    assumed: bool = False

    @property
    def doubtful(self) -> bool:
        """Whether an answer that depends on this fact has to say so."""
        return self.assumed or self.source not in CERTAIN
