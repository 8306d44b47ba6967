"""Typographic signs in place of typed ones."""

from __future__ import annotations

import re

from .patterns import late_pattern

MINUS = "\u2212"
"""The minus sign before a number."""
DASH = "\u2013"
"""The dash between words and in ranges."""
_AS_MINUS = late_pattern(r"(?<![\w).?])-(?=[0-9\s\]]|$)")
_AS_DASH = late_pattern(r"(?<=[^\W0-9] )-(?= \w)|(?<=\w )-(?= [^\W0-9])")
_AS_RANGE = late_pattern(
    r"(?<![\w.,:/|-])(?:[0-9]{4}-(?:[0-9]{4}|[0-9]{2})(?![\w/:|-])|[0-9]+-[0-9]+(?= ?%))"
    r"|(?:(?<=[Cc]olumn )|(?<=[Tt]urns ))[0-9]+-[0-9]+(?![\w/:|-])"
    r"|(?<![\w.,:/|-])[0-9]*[05]0-[0-9]*[49]9(?![\w/:|-])"
)
_SOME_SIGN = late_pattern(r"(?<![\w).?])-|[0-9]-[0-9]")
"""The places where a hyphen may become another sign."""
_QUOTATION = late_pattern(r"(`[^`]*`|\"[^\"]*\"|\u201c[^\u201d]*\u201d)")
_OPENING = late_pattern(r"(?<![\w.,;:!?)\]])[\"'](?=[-\w(\[])")
_AS_CURLY = str.maketrans("\"'", "\u201d\u2019")


def set_in_type(text: str, *, curly: bool = True) -> str:
    """Return a text with minus signs, dashes between words and in ranges, and curly quotes.

    A hyphen alone, or before a number and after no word, becomes a minus sign. Years, percents, columns, turns and spans
    of fifty or a hundred are ranges. Quotations keep their hyphens.

    `curly`: whether to make quotes curly.
    """
    if "-" in text and _SOME_SIGN.search(text):
        parts = _QUOTATION.split(text) if any(quote in text for quote in '`"\u201c') else [text]
        text = "".join(part if number % 2 else _with_signs(part) for number, part in enumerate(parts))
    if curly and ('"' in text or "'" in text):
        text = _OPENING.sub(lambda quote: "\u201c" if quote[0] == '"' else "\u2018", text).translate(_AS_CURLY)
    return text


def _with_signs(text: str) -> str:
    text = _AS_MINUS.sub(MINUS, _AS_DASH.sub(DASH, text))
    return _AS_RANGE.sub(lambda ends: ends[0].replace("-", DASH), text)


def with_spaces(text: str) -> str:
    """Return a word of the game's files as printed, with spaces for hyphens between letters."""
    return re.sub("(?<=[^\\W0-9])-(?=[^\\W0-9])", " ", text)


def sentence(text: str) -> str:
    """Return a text with its first letter as a capital."""
    return text[:1].upper() + text[1:]
