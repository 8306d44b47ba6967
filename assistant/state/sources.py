"""Facts: where a value comes from, which sources answers may rest on, and how facts are read as plain values."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from ..util.errors import InputError, suggested

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


def read_source(word: str) -> Source:
    """The source that a word of a file names. Raises InputError with the nearest one."""
    try:
        return Source(word)
    except ValueError:
        raise InputError(f"{word!r} is not a source", hint=suggested(word, list(Source))) from None


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


class Reader:
    """Reads facts as plain values: a `View` as far as they are known; a `Gather` also asks for missing ones."""

    def value(self, track: str, subject: str = "") -> Value | None:
        """The value of a fact; None while it is unknown."""
        raise NotImplementedError

    def integer(self, track: str, subject: str = "") -> int:
        """A whole number; 0 while it is unknown."""
        value = self.value(track, subject)
        return int(value) if isinstance(value, int) else 0

    def flag(self, track: str, subject: str = "") -> bool:
        """A flag; False while it is unknown."""
        return bool(self.value(track, subject))

    def word(self, track: str, subject: str = "") -> str:
        """A word or a text; "" while it is unknown."""
        return str(self.value(track, subject) or "")

    def words(self, track: str, subject: str = "") -> frozenset[str]:
        """Several words; none while they are unknown."""
        value = self.value(track, subject)
        return frozenset(value) if isinstance(value, tuple) else frozenset()
