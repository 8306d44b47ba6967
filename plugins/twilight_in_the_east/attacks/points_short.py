"""How many strength points an attack lacks for a column, and how many it has to spare."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

from assistant.asking.ranking import Way
from assistant.mechanics.odds import Odds

from ..combat.odds import initial_odds, rounded_total
from .search import Attack


class Short(NamedTuple):
    """An attack that comes nearest to a column."""

    points: int
    """Strength points that it lacks."""
    attack: Attack
    """What is at hand for it."""


def _find_rounded_ratio(odds: Odds) -> Fraction:
    """Return the strength in attack, for each point of the defence, from which odds round to these rather than to the
    column to their left.
    """
    return (odds.shifted(-1).strength(1) + odds.strength(1)) / 2


def fewest_points(odds: Odds, total: int) -> int:
    """Return the fewest strength points of an attack that make these odds, or better ones, before shifts. total: in
    points, above 0.
    """
    return max(ceil(_find_rounded_ratio(odds) * total), 1)


def most_defence(odds: Odds, attack: int) -> int:
    """Return the most points of defence against which an attack still makes these odds, or better ones, before
    shifts.
    """
    return floor(attack / _find_rounded_ratio(odds))


def find_nearest(ways: Sequence[Way[Attack, Odds]], column: Odds, total: int) -> Short:
    """Return the legal attack that lacks fewest points for a column, as its shifts are, and of these the cheapest.

    ways: one or more, none of which reaches the column; total: in points.
    """
    made = {(way.what.halves, way.column) for way in ways}
    missing = {(halves, odds): _count_points_short(Fraction(halves, 2), odds, column, total) for halves, odds in made}
    points = min(missing.values())
    nearest = [way for way in ways if missing[way.what.halves, way.column] == points]
    return Short(points, min(nearest, key=lambda way: way.cost).what)


def _count_points_short(strength: Fraction, odds: Odds, column: Odds, defending: int) -> int:
    """Return the strength points that an attack lacks for a column, its shifts being what they are.

    strength: of the attack, not rounded; odds: what it makes after shifts, less than the column.
    """
    total = rounded_total([strength])
    shift = odds.columns - initial_odds(total, defending).columns
    return fewest_points(column.shifted(-shift), defending) - total


def margin(attack: int, total: int, shift: int, column: Odds) -> int | None:
    """Return how many points the defence may grow before an attack drops below a column; None where no points of
    defence stand against it.

    attack, total: in points; shift: of the column, positive to the right.
    """
    return most_defence(column.shifted(-shift), attack) - total if total > 0 else None
