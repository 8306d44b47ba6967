"""Facts as plain values: what a view and a gathering block have in common."""

from __future__ import annotations

from .sources import Value


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
