"""The words of a journal's line: names that may stand in quotes, between bars, semicolons and spaces. A quotation mark
within quotes is written twice.
"""

from __future__ import annotations

import re

from ...util.errors import InputError
from ...util.patterns import late_pattern

BAR = " | "
"""What stands between the parts of an answer or a question."""
JOIN = "; "
"""What stands between the changes of an answer or the assumptions of a question."""
_PLAIN = late_pattern(r'[^\s;|"?][^\s;|"]*')
"""A name that needs no quotes."""
_SIGNS = ("-", "->", "+", "up-to", "=")
"""What stands between the words of a change or an assumption."""
_WORD = late_pattern(r'"(?:[^"]|"")*"(?=\s|$)|[^\s"]+(?=\s|$)|(\S)')
"""A word, in quotes or not; its group is a quotation mark within a word."""


def split_outside_quotes(text: str, sign: str) -> list[str]:
    """Return a text in the parts between a sign outside quotes."""
    parts = [""]
    quoted = False
    for piece in re.split(f'(["{re.escape(sign)}])', text):
        if piece == sign and not quoted:
            parts.append("")
            continue
        quoted ^= piece == '"'
        parts[-1] += piece
    return parts


def read_quoted_words(text: str) -> list[str]:
    """Return the words of a text, those in quotes with their quotes. Raises InputError for a quotation mark within a
    word.
    """
    words = list[str]()
    for word in _WORD.finditer(text):
        if word[1]:
            raise InputError(f"{text[word.start() :][:20]!r} is not a word", hint="put all of a name in quotes")
        words.append(word[0])
    return words


def write_name(name: str | None) -> str:
    """Return a name as one word; - for none."""
    if not name:
        return "-"
    return name if _PLAIN.fullmatch(name) and name not in _SIGNS else quote_name(name)


def quote_name(name: str) -> str:
    """Return a name in quotes."""
    return '"' + name.replace('"', '""') + '"'


def read_name(word: str) -> str | None:
    """Return the name that a word stands for, None for -."""
    if word.startswith('"'):
        return word[1:-1].replace('""', '"')
    return None if word == "-" else word
