"""The questions `turn`, what the phase of the position still asks for, and `next`, the phase that follows (chapter 5)."""

from __future__ import annotations

from assistant.readymade.turns import Judges, turn_questions

from .closing import (
    judge_displaced,
    judge_half,
    judge_rail_points,
    judge_retirement,
    judge_retirement_of_the_other_side,
    judge_special_allotment,
)
from .moving import (
    judge_bridgeheads,
    judge_destinations,
    judge_displacement,
    judge_forced_marches,
    judge_intercepts,
    judge_markers,
    judge_prepared_attacks,
    judge_rail,
    judge_retreats,
    judge_stacks,
    judge_tasks,
)
from .opening import (
    judge_attachment,
    judge_pontoons,
    judge_railheads,
    judge_reinforcements,
    judge_releases,
    judge_substitutions,
    judge_supply,
    judge_weather,
    judge_withdrawals,
)

JUDGES: Judges = {
    "weather": judge_weather,
    "reinforcements": judge_reinforcements,
    "withdrawals": judge_withdrawals,
    "substitutions": judge_substitutions,
    "releases": judge_releases,
    "attachment": judge_attachment,
    "pontoons": judge_pontoons,
    "supply": judge_supply,
    "railheads": judge_railheads,
    "tasks": judge_tasks,
    "rail": judge_rail,
    "intercepts": judge_intercepts,
    "forced-marches": judge_forced_marches,
    "markers": judge_markers,
    "stacks": judge_stacks,
    "displacement": judge_displacement,
    "destinations": judge_destinations,
    "bridgeheads": judge_bridgeheads,
    "retreats": judge_retreats,
    "prepared-attacks": judge_prepared_attacks,
    "retirement": judge_retirement,
    "retirement-after": judge_retirement_of_the_other_side,
    "displaced": judge_displaced,
    "half": judge_half,
    "rail-points": judge_rail_points,
    "special-allotment": judge_special_allotment,
}
"""Who judges the steps of a phase, by the names that these have in `course.toml`."""
TURN, NEXT = QUESTIONS = turn_questions(JUDGES)
