"""How the doubtful rules of a combat are read: the players' rulings, looked up where they matter in it."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.questions import View

from ..terms import GREAT_RIVERS
from .engagement import Engagement, Readings
from .legality import only_sound_ones_withheld, smaller_cavalry
from .strength import barrier_shifts, commands_of

LENIENT = {"defending_arm": "free", "sound_formation": "stack"}
"""The readings under which a defender may withhold any unit that he may under any other."""


def agreed(view: View, so_far: Readings, matters: Mapping[str, bool]) -> Readings:
    """The readings with those that matter, as the players have agreed or by default. matters: by field."""
    return so_far._replace(**{name: view.ruling(name.replace("_", "-")) for name, does in matters.items() if does})


def before_the_dice(engagement: Engagement) -> dict[str, bool]:
    """Which rulings matter for what is certain before the dice, but for the one on flanks."""
    sides, units = engagement.crossed.values(), engagement.units
    return {
        "several_corps": len(commands_of(engagement.attackers, engagement.attackers)) > 2,
        "river_shift": engagement.mixed or len(set(barrier_shifts(sides, engagement.shifts))) > 1,
        "river_halving": len({bool(GREAT_RIVERS & side) for side in sides}) > 1,
        "last_step": any(unit.left == 1 for unit in units) and len(units) > 2,
        **on_withholding(engagement),
    }


def on_withholding(engagement: Engagement) -> dict[str, bool]:
    """Which rulings matter for the units that the defender withholds."""
    return {"defending_arm": bool(smaller_cavalry(engagement)), "sound_formation": only_sound_ones_withheld(engagement)}
