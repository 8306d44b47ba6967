"""The Movement Points of a unit in a phase: its allowance, and what goes beyond it (4.5, 5.4.7, 8.3)."""

from __future__ import annotations

from fractions import Fraction
from math import floor

from assistant.mechanics.odds import half_up
from assistant.questions import InputError, View, step

from ..ground.phases import is_counter, phase_of


def allowance(printed: int, *, counter: bool) -> Fraction:
    """The Movement Points of a unit in a phase, without a Forced March; the Counter Movement Phase halves them. Rule: 8.3"""
    return Fraction(printed, 2 if counter else 1)


def beyond(spent: Fraction, allowed: Fraction, reading: str) -> Fraction:
    """The Movement Points beyond the allowance, of all that are spent in a phase, hexes and other activities together: 0 if it is
    enough. No fraction is rounded before the sum is made.

    reading: ruling march-rounding, whether what is beyond is rounded, or the sum. Rule: 4.5a
    """
    if spent <= allowed:
        return Fraction(0)
    return half_up(spent) - allowed if reading == "sum" else Fraction(half_up(spent - allowed))


def credited(points: Fraction) -> int:
    """The Movement Points that count for a task, of those spent on it in a phase: half a point counts for nothing. Rule: 4.5b"""
    return floor(points)


def as_points(number: float | None, name: str) -> Fraction:
    """A number of Movement Points that a player typed, exactly. Raises InputError for one below nought. name: of the parameter."""
    points = Fraction(number or 0).limit_denominator(12)
    if points < 0:
        raise InputError(f"{name}: {number:g} Movement Points cannot be spent")
    return points


def allowance_now(view: View, unit: str, counter: bool | None) -> Fraction | None:
    """The Movement Points of a unit in this phase without a Forced March, None where its printed allowance is not stated.

    counter: whether it is the Counter Movement Phase, as the position says if None; that it is not is noted where it is silent.
    """
    printed = view.fact("movement", unit)
    if printed is None:
        return None
    if counter is None and not phase_of(view):
        view.presume(step("5.4.7", "it is not the Counter Movement Phase, which halves allowances (phase not stated)"))
    return allowance(int(str(printed.value)), counter=is_counter(view, counter))


def beyond_now(view: View, spent: Fraction, allowed: Fraction) -> Fraction:
    """The Movement Points beyond the allowance by the reading that holds, see `beyond`."""
    points = {reading: max(beyond(spent, allowed, reading), Fraction(0)) for reading in ("excess", "sum")}
    return points[view.ruling("march-rounding", points["excess"] != points["sum"])]
