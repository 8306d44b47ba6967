"""Column shifts and the odds that come of them (10.7, 10.8)."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.mechanics.odds import Odds
from assistant.mechanics.procedure import Modifier

from . import strength as combat
from .engagement import Engagement


def column_shifts(found: Engagement) -> tuple[Modifier, ...]:
    """Every shift of a combat's column, to the right positive.

    Rule: 10.8e
    """
    return (
        *combat.shift_for_terrain(
            found.terrain, list(found.crossed.values()), found.shifts, found.readings.river_shift
        ),
        *combat.shift_for_prepared(found.attackers, found.at),
        *combat.shift_for_flank(found.flanked),
        *combat.shift_for_corps(found.attackers, found.readings.several_corps),
        *combat.shift_for_position(found.position, found.attackers),
        *((Modifier("", "as the players say", found.shift),) if found.shift else ()),
    )


def final_odds(attack: int, defence: int, shifts: Sequence[Modifier]) -> tuple[int, Odds]:
    """The shift of the initial odds, and the odds that come of it; where there is no ratio nothing shifts.

    Rule: 10.7
    """
    net = sum(shift.amount for shift in shifts) if defence > 0 and attack > 0 else 0
    return net, combat.initial_odds(attack, defence).shifted(net)
