"""Texts as they are set in type, where a file has them as they are typed."""

from __future__ import annotations

import re

MINUS, DASH = "\u2212", "\u2013"
_AS_MINUS = re.compile(r"(?<![\w).?])-(?=[0-9\s\]]|$)")
_AS_DASH = re.compile(r"(?<=[^\W0-9] )-(?= \w)|(?<=\w )-(?= [^\W0-9])")
_AS_RANGE = re.compile(r"(?<![\w.,:/|-])([0-9]{4})-([0-9]{4}|[0-9]{2})(?![\w/:|-])|(?<![\w-])([0-9]+)-([0-9]+)(?= ?%)")
_OPENING = re.compile(r"(?<![\w.,;:!?)\]])[\"'](?=[\w(\[])")
_AS_CURLY = str.maketrans("\"'", "\u201d\u2019")


def with_minus_signs(text: str) -> str:
    """A text with the minus signs of print: a hyphen that stands before a number and joins nothing is one, as in -1 or
    (-2); so is one that stands alone, but for one between words, which is a dash.
    """
    return _AS_MINUS.sub(MINUS, _AS_DASH.sub(DASH, text)) if "-" in text else text


def set_in_type(text: str) -> str:
    """A text as it is set in type: with minus signs, curly quotes, and a dash in a range of years or percents. Other numbers
    that a hyphen joins may be a rule or a unit: whoever writes a range of those writes its dash.
    """
    if "-" in text:
        text = _AS_RANGE.sub(lambda ends: ends[0].replace("-", DASH), with_minus_signs(text))
    if '"' in text or "'" in text:
        text = _OPENING.sub(lambda quote: "\u201c" if quote[0] == '"' else "\u2018", text).translate(_AS_CURLY)
    return text


def with_spaces(text: str) -> str:
    """A word of the game's files as it is printed: hyphens between letters become spaces."""
    return re.sub("(?<=[^\\W0-9])-(?=[^\\W0-9])", " ", text)


def sentence(text: str) -> str:
    """A text with a capital at its beginning."""
    return text[:1].upper() + text[1:]
