"""What an odds column takes, and how much of the defence it bears: in points, before and after shifts (10.7, 10.8)."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

from assistant.mechanics.odds import Odds
from assistant.questions.ranking import Way

from ..combat.strength import HIGHEST, initial_odds, rounded_total
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


def nearest(ways: Iterable[Way[Attack, Odds]], column: Odds, defence: int) -> Short:
    """The legal attack that lacks fewest points for a column, as its shifts are, and of these the cheapest.

    ways: one or more, none of which reaches the column; defence: in points.
    """
    way = min(ways, key=lambda one: (lacking(one, column, defence), one.cost))
    return Short(lacking(way, column, defence), way.what)


def lacking(way: Way[Attack, Odds], column: Odds, defence: int) -> int:
    """The strength points that an attack lacks for a column, its shifts being what they are; 0 if it reaches it."""
    total = rounded_total([Fraction(way.what.halves, 2)])
    if way.column >= min(column, HIGHEST):
        return 0
    shift = way.column.columns - initial_odds(total, defence).columns
    return points_for(column.shifted(-shift), defence) - total


def margin(attack: int, defence: int, shift: int, column: Odds) -> int | None:
    """How many points the defence may grow before an attack drops below a column; None where no points of defence stand against it.

    attack, defence: in points; shift: of the column, positive to the right.
    """
    return most_defence(column.shifted(-shift), attack) - defence if defence > 0 else None
