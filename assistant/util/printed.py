"""Texts as they are set in type, where a file has them as they are typed."""

from __future__ import annotations

import re

MINUS = "\u2212"
_AS_MINUS = re.compile(r"(?<![\w).])-(?=[0-9\s]|$)")


def with_minus_signs(text: str) -> str:
    """A text as it is set in type: a hyphen that stands before a number and joins nothing is a minus sign, as in -1 or
    (-2); so is one that stands alone.
    """
    return _AS_MINUS.sub(MINUS, text) if "-" in text else text


def with_spaces(text: str) -> str:
    """A word of the game's files as it is printed: hyphens between letters become spaces."""
    return re.sub("(?<=[^\\W0-9])-(?=[^\\W0-9])", " ", text)


def sentence(text: str) -> str:
    """A text with a capital at its beginning."""
    return text[:1].upper() + text[1:]
