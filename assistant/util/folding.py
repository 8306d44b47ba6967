"""Names compared as a hand types them: without capitals and accents, or by their first letters."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable


def folded(text: str) -> str:
    """A text in small letters without accents: `Lötzen` is `lotzen`."""
    if text.isascii():
        return text.casefold()
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in parts if not unicodedata.combining(letter))


def words_begun(text: str, words: Iterable[str]) -> list[str]:
    """The words that begin with a text, whatever its capitals and accents; none for nothing."""
    typed = folded(text)
    return [word for word in words if typed and folded(word).startswith(typed)]


def names_short_for(text: str, names: Iterable[str]) -> list[str]:
    """The names that a text is short for: those that begin with it, or if none does those of which it has the beginnings of all parts
    between hyphens (`a-h`, `aus-hun`) or the initials (`ah`)."""
    known = list(names)
    typed = folded(text).split("-") if "-" in text else list(folded(text))
    return words_begun(text, known) or [
        name
        for name in known
        if len(typed) == name.count("-") + 1 > 1
        and all(part.startswith(begun) for part, begun in zip(folded(name).split("-"), typed, strict=True))
    ]
