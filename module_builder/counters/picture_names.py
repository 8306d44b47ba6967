"""File names of pictures: readable, and safe on any disk."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from hashlib import sha256

from assistant.util.patterns import late_pattern

_MAX_WORD_CHARS = 40
_PLAIN_WORD = late_pattern(f"[a-z0-9]{{1,{_MAX_WORD_CHARS}}}")
_LETTERS = str.maketrans(
    {"ß": "ss", "ẞ": "SS", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "æ": "ae", "Æ": "AE", "đ": "d", "Đ": "D"}
)
_RESERVED_WORD = late_pattern(
    r"(?:tag|marker|sheet|face-down|window|slug)-.*|[0-9]+x-.*|con|prn|aux|nul|com[0-9]|lpt[0-9]|.*-[0-9a-f]{8}",
    re.IGNORECASE,
)
"""Words that a counter's picture may not have: prefixes of other files, names reserved by Windows, and marks."""


def picture_words(units: Iterable[str]) -> Mapping[str, str]:
    """Return the word in file names for each unit or marker: `1-1` for 1/1, `Konigsberg` for Königsberg.

    No two units have the same word, even ignoring case. Words that would be equal, or could belong to another picture,
    have a suffix made from the name alone.
    """
    plain = {unit: _simplify_name(unit) for unit in dict.fromkeys(units)}
    times = Counter(word.casefold() for word in plain.values())
    names: dict[str, str] = {}
    for unit, word in plain.items():
        is_its_own = word and times[word.casefold()] == 1 and not _RESERVED_WORD.fullmatch(word)
        names[unit] = word if is_its_own else _add_mark(unit, word)
    return names


def face_picture(word: str, side: str, ending: str = "png") -> str:
    """Return the file name of one side of a counter: `1-1-front.png`. `word`: the word of its unit."""
    return f"{word}-{side}.{ending}"


def file_word(text: str) -> str:
    """Return a text as part of a file name: a plain word as it is, any other with a mark.

    No two texts have the same result, even ignoring case.
    """
    return text if _PLAIN_WORD.fullmatch(text) else _add_mark(text, _simplify_name(text))


def _simplify_name(text: str) -> str:
    letters = unicodedata.normalize("NFKD", text.translate(_LETTERS))
    return re.sub("[^A-Za-z0-9]+", "-", "".join(filter(str.isascii, letters)))[:_MAX_WORD_CHARS].strip("-")


def _add_mark(text: str, word: str) -> str:
    mark = sha256(text.encode()).hexdigest()[:8]
    return f"{word}-{mark}" if word else mark
