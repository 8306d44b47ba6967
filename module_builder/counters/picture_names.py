"""The names of the files that hold pictures: readable, and safe on any disk."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from hashlib import sha256

from assistant.util.patterns import late_pattern

_LONGEST = 40  # letters of a plain word
_PLAIN = late_pattern(f"[a-z0-9]{{1,{_LONGEST}}}")
_LETTERS = str.maketrans(
    {"ß": "ss", "ẞ": "SS", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "æ": "ae", "Æ": "AE", "đ": "d", "Đ": "D"}
)
_TAKEN = late_pattern(
    r"(?:tag|marker|sheet|face-down|window|slug)-.*|[0-9]+x-.*|con|prn|aux|nul|com[0-9]|lpt[0-9]|.*-[0-9a-f]{8}",
    re.IGNORECASE,
)
"""What other files beside those of counters begin with, what exports put before a name, what Windows keeps to itself,
and marks.
"""


def picture_words(units: Iterable[str]) -> Mapping[str, str]:
    """Return for each unit or marker the word that stands for it in the names of files: `1-1` for 1/1, `Konigsberg` for
    Königsberg.

    Two units never have the same word, even ignoring case: where theirs would be, or could be taken for that of another
    picture, both have a mark that is made from their name alone.
    """
    plain = {unit: _simplify_name(unit) for unit in dict.fromkeys(units)}
    times = Counter(word.casefold() for word in plain.values())
    names: dict[str, str] = {}
    for unit, word in plain.items():
        is_its_own = word and times[word.casefold()] == 1 and not _TAKEN.fullmatch(word)
        names[unit] = word if is_its_own else _add_mark(unit, word)
    return names


def face_picture(word: str, side: str, ending: str = "png") -> str:
    """Return the name of the file with one side of a counter: `1-1-front.png`. word: that of its unit."""
    return f"{word}-{side}.{ending}"


def file_word(text: str) -> str:
    """Return a text as part of a file's name: a plain word as it is, any other with a mark. No two texts have the same
    one, even ignoring case.
    """
    return text if _PLAIN.fullmatch(text) else _add_mark(text, _simplify_name(text))


def _simplify_name(text: str) -> str:
    letters = unicodedata.normalize("NFKD", text.translate(_LETTERS))
    return re.sub("[^A-Za-z0-9]+", "-", "".join(filter(str.isascii, letters)))[:_LONGEST].strip("-")


def _add_mark(text: str, word: str) -> str:
    mark = sha256(text.encode()).hexdigest()[:8]
    return f"{word}-{mark}" if word else mark
