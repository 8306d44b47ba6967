"""Points that are counted exactly, such as Movement Points and Rail Points, and their uses."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import floor

from ..util.errors import InputError
from ..util.patterns import late_pattern

MAX_POINTS = 999
"""The maximum number of points in a fact."""
MAX_DENOMINATOR = 99
"""The greatest denominator of points. Moves by rail divide them most finely, by the hexes per point."""
HALVES = 2
"""The denominator of points that are counted in halves."""
_NUMBER = late_pattern(r"([0-9]{1,5})(?:-([0-9]{1,3})/([0-9]{1,3})|\.([0-9]{1,4})|/([0-9]{1,3}))?")
_WORD = late_pattern(r"[a-z0-9][a-z0-9.-]*")
_HINT = "write a number such as 4, 4.5, 4-1/2 or 51/14"


def read_points(text: str) -> Fraction:
    """Return a number of points as written: 4, 4.5, 4-1/2, 51/14.

    Raises InputError for anything else, for more than 999, and for a denominator above 99.
    """
    match = _NUMBER.fullmatch(text.strip())
    if match is None:
        raise InputError(f"{text!r} is not a number of points", hint=_HINT)
    whole, upper, lower, decimal, denominator = match.groups()
    if 0 in (int(lower or 1), int(denominator or 1)):
        raise InputError(f"{text!r} divides by zero", hint=_HINT)
    points = Fraction(int(whole), int(denominator or 1))
    if upper:
        points += Fraction(int(upper), int(lower))
    elif decimal:
        points += Fraction(f"0.{decimal}")
    _check_points(points, text)
    return points


def _check_points(points: Fraction, text: str) -> None:
    """Raise InputError if points are more or finer than a fact may state. `text`: the points as written."""
    if points > MAX_POINTS or points.denominator > MAX_DENOMINATOR:
        raise InputError(f"{text!r} is not a possible number of points", hint=f"{_HINT}, at most {MAX_POINTS}")


def format_points(points: Fraction) -> str:
    """Return a number of points in its regular spelling: halves as decimals, other parts as fractions."""
    return f"{float(points):g}" if points.denominator <= HALVES else f"{points.numerator}/{points.denominator}"


def check_halves(number: float | Fraction, name: str, what: str) -> Fraction:
    """Return a typed number of points, exactly. Raises InputError if the number is not in halves.

    `what`: the kind of points, in words.
    """
    points = Fraction(number)
    if points.denominator > HALVES:
        lower_number = floor(points)
        hint = f"write {lower_number:g}, {lower_number + 0.5:g} or {lower_number + 1:g}"
        raise InputError(f"{name}: {what} are counted in halves, not {float(number):g}", hint=hint)
    return points


def read_amounts(text: str) -> dict[str, Fraction]:
    """Return the points by use, from `march:4.5+position:2`. The points of equal words are added up.

    A word may be a number with a point, such as a hex.

    Raises InputError for another form, and for sums that no fact may state.
    """
    amounts = dict[str, Fraction]()
    if not text:
        return amounts
    for part in text.split("+"):
        word, sign, number = part.strip().partition(":")
        if not (sign and _WORD.fullmatch(word)):
            raise InputError(f"{part!r} is not a word with its points", hint="write them as in march:4.5+position:2")
        points = read_points(number)
        amounts[word] = amounts[word] + points if word in amounts else points
        _check_points(amounts[word], text)
    return amounts


def format_amounts(amounts: Mapping[str, Fraction]) -> str:
    """Return points by use, in regular spelling and without zeros."""
    return "+".join(f"{word}:{format_points(points)}" for word, points in amounts.items() if points)
