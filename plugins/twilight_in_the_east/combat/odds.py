"""Column shifts and the odds that come of them (10.7, 10.8)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from assistant.mechanics.odds import Odds
from assistant.mechanics.procedure import Modifier

from .engagement import Engagement
from .magnitude import divisions, magnitude
from .strength import (
    HIGHEST,
    LOWEST,
    attack_strength,
    defence_strength,
    initial_odds,
    rounded_total,
    shift_for_corps,
    shift_for_flank,
    shift_for_position,
    shift_for_prepared,
    shift_for_terrain,
)


class Weighed(NamedTuple):
    """A combat as it stands on the chart: both totals, the odds before and after its shifts, and its magnitude."""

    attack: int
    defence: int
    initial: Odds
    shifts: tuple[Modifier, ...]
    net: int
    final: Odds
    magnitude: str

    @property
    def column(self) -> str:
        """The chart's column: the final odds, or the last one on their side. Rule: 10.7"""
        return str(self.final.within(LOWEST, HIGHEST))


def weighed(engagement: Engagement) -> Weighed:
    """The odds of a combat and its magnitude. Rule: 10.1.3a, 10.10.1"""
    attack = rounded_total([attack_strength(unit, engagement.across(unit.place)) for unit in engagement.attackers])
    defence = rounded_total([defence_strength(unit) for unit in engagement.defenders])
    shifts = column_shifts(engagement)
    net, final = final_odds(attack, defence, shifts)
    size = magnitude(divisions(engagement.attackers), divisions(engagement.defenders))
    return Weighed(attack, defence, initial_odds(attack, defence), shifts, net, final, size)


def column_shifts(engagement: Engagement) -> tuple[Modifier, ...]:
    """Every shift of a combat's column, to the right positive. Rule: 10.8e"""
    return (
        *shift_for_terrain(
            engagement.terrain, list(engagement.crossed.values()), engagement.shifts, engagement.readings.river_shift
        ),
        *shift_for_prepared(engagement.attackers, engagement.at),
        *shift_for_flank(engagement.flanked),
        *shift_for_corps(engagement.attackers, engagement.readings.several_corps),
        *shift_for_position(engagement.position, engagement.attackers),
        *((Modifier("", "added by the players", engagement.shift),) if engagement.shift else ()),
    )


def final_odds(attack: int, defence: int, shifts: Sequence[Modifier]) -> tuple[int, Odds]:
    """The shift of the initial odds, and the odds that come of it; where there is no ratio nothing shifts.
    Rule: 10.7
    """
    net = sum(shift.amount for shift in shifts) if defence > 0 and attack > 0 else 0
    return net, initial_odds(attack, defence).shifted(net)
