"""The names of the files with pictures of counters."""

from __future__ import annotations

import re
from hashlib import sha256


def file_word(text: str) -> str:
    """A text as part of a file's name, on any disk; two texts never give the same word, even ignoring case."""
    if re.fullmatch("[a-z0-9]{1,40}", text):
        return text
    return f"{re.sub('[^A-Za-z0-9]', '_', text)[:40]}-{sha256(text.encode()).hexdigest()[:8]}"


def counter_image(unit: str, face: str) -> str:
    """The file of one face of a counter."""
    return f"{file_word(unit)}-{face}.png"
