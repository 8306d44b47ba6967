"""Names compared as a hand types them: without capitals and accents."""

from __future__ import annotations

import unicodedata


def folded(text: str) -> str:
    """A text in small letters without accents: `Lötzen` is `lotzen`."""
    if text.isascii():
        return text.casefold()
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in parts if not unicodedata.combining(letter))
