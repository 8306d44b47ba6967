"""Column shifts and the odds that come of them (10.7, 10.8)."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.mechanics.odds import Odds
from assistant.mechanics.procedure import Modifier

from .engagement import Engagement
from .strength import (
    initial_odds,
    shift_for_corps,
    shift_for_flank,
    shift_for_position,
    shift_for_prepared,
    shift_for_terrain,
)


def column_shifts(engagement: Engagement) -> tuple[Modifier, ...]:
    """Every shift of a combat's column, to the right positive.

    Rule: 10.8e
    """
    return (
        *shift_for_terrain(
            engagement.terrain, list(engagement.crossed.values()), engagement.shifts, engagement.readings.river_shift
        ),
        *shift_for_prepared(engagement.attackers, engagement.at),
        *shift_for_flank(engagement.flanked),
        *shift_for_corps(engagement.attackers, engagement.readings.several_corps),
        *shift_for_position(engagement.position, engagement.attackers),
        *((Modifier("", "as the players say", engagement.shift),) if engagement.shift else ()),
    )


def final_odds(attack: int, defence: int, shifts: Sequence[Modifier]) -> tuple[int, Odds]:
    """The shift of the initial odds, and the odds that come of it; where there is no ratio nothing shifts.

    Rule: 10.7
    """
    net = sum(shift.amount for shift in shifts) if defence > 0 and attack > 0 else 0
    return net, initial_odds(attack, defence).shifted(net)
