"""The luck of dice that decide no losses: each kind by its declared direction, and none where none is known."""

from __future__ import annotations

from fractions import Fraction

from assistant.records.luck.words import format_text

from ..assistant.records.luck.asked import evening_of, passage
from ..conftest import typed

GAME = "game der-weltkrieg\n"


def test_gas_tanks_and_armies_are_told_by_kind() -> None:
    attack = typed(GAME + "turn=may16/5\nside central-powers gas=1\n")
    special = typed(GAME + "turn=may16/0\nside central-powers gas=1\n")
    late = typed(GAME + "turn=mar18/5\n")
    told = evening_of(
        [
            passage(attack, "gas-attack", {"gas": "5+6"}, 1, side="central-powers"),
            passage(special, "gas", {"gain": "2", "loss": "7"}, 2, side="central-powers"),
            passage(late, "breakdown", {"die.1": "1", "die.2": "6", "die.3": "4"}, 3, strength=3),
        ]
    )
    kinds = {total.kind: total for total in told.kinds}
    gas, gained, tanks = (kinds[name] for name in ("gas attacks", "gas counters gained", "breakdowns of tanks"))
    assert gas.percentile == 1 - Fraction(1, 36) - Fraction(2, 72)
    assert (gained.rolls, gained.natural, gained.percentile, gained.average) == (1, 2, None, None)
    assert (tanks.rolls, tanks.natural, tanks.mean) == (3, 11, Fraction(21, 2))
    three = dict.fromkeys(range(3, 19), 0)
    for one in range(1, 7):
        for two in range(1, 7):
            for last in range(1, 7):
                three[one + two + last] += 1
    assert tanks.percentile == Fraction(2 * sum(three[total] for total in range(3, 11)) + three[11], 432)
    assert told.battles == told.left_out == told.sides == ()
    assert "gas attacks" in format_text(told)
