"""Whole numbers in texts that come from outside."""

from __future__ import annotations

import re

_MOST_DIGITS = 9
_WHOLE = re.compile(rf"[+-]?[0-9]{{1,{_MOST_DIGITS}}}")


def whole(text: str) -> int | None:
    """The whole number that a text is, with or without a sign: at most 9 of the digits 0 to 9; None for any other text.

    Python's own `isdigit` and `int` disagree: a superscript is a digit and no number, and too many digits are refused.
    """
    return int(text) if _WHOLE.fullmatch(text) else None


def natural(text: str) -> int | None:
    """The whole number that a text is, without a sign; None for any other text."""
    return whole(text) if text[:1] not in ("+", "-") else None
