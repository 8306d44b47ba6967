"""What an odds column takes, and how much of the defence it bears: in points, before and after shifts (10.7, 10.8)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

from assistant.mechanics.odds import Odds
from assistant.questions.ranking import Way

from ..combat.strength import initial_odds, rounded_total
from .search import Attack


class Short(NamedTuple):
    """An attack that comes nearest to a column. points: strength points that it lacks; attack: what is at hand for it."""

    points: int
    attack: Attack


def middle(odds: Odds) -> Fraction:
    """The strength in attack, for each point of the defence, from which odds round to these rather than to the column to their
    left."""
    return (odds.shifted(-1).strength(1) + odds.strength(1)) / 2


def points_for(odds: Odds, defence: int) -> int:
    """The fewest strength points of an attack that make these odds, or better ones, before shifts. defence: in points, above 0."""
    return max(ceil(middle(odds) * defence), 1)


def most_defence(odds: Odds, attack: int) -> int:
    """The most points of defence against which an attack still makes these odds, or better ones, before shifts."""
    return floor(attack / middle(odds))


def nearest(ways: Sequence[Way[Attack, Odds]], column: Odds, defence: int) -> Short:
    """The legal attack that lacks fewest points for a column, as its shifts are, and of these the cheapest.

    ways: one or more, none of which reaches the column; defence: in points.
    """
    missing = {
        (halves, odds): lacking(Fraction(halves, 2), odds, column, defence)
        for halves, odds in {(way.what.halves, way.column) for way in ways}
    }
    points = min(missing.values())
    way = min((one for one in ways if missing[one.what.halves, one.column] == points), key=lambda one: one.cost)
    return Short(points, way.what)


def lacking(strength: Fraction, odds: Odds, column: Odds, defence: int) -> int:
    """The strength points that an attack lacks for a column, its shifts being what they are.

    strength: of the attack, not rounded; odds: what it makes after shifts, less than the column.
    """
    total = rounded_total([strength])
    shift = odds.columns - initial_odds(total, defence).columns
    return points_for(column.shifted(-shift), defence) - total


def margin(attack: int, defence: int, shift: int, column: Odds) -> int | None:
    """How many points the defence may grow before an attack drops below a column; None where no points of defence stand against it.

    attack, defence: in points; shift: of the column, positive to the right.
    """
    return most_defence(column.shifted(-shift), attack) - defence if defence > 0 else None
