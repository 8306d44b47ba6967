"""The questions `turn`, what the phase of the position still asks for, and `next`, the phase that follows (chapter 5)."""

from __future__ import annotations

from assistant.rules.phase_now import Judges
from assistant.rules.turns import of_position, turn_questions

from .end import (
    judge_half,
    judge_half_hexes,
    judge_rail_points,
    judge_replacements,
    judge_retirement,
    judge_retirement_of_the_other_side,
    judge_special_allotment,
)
from .leaders import judge_assets_of_eighth, judge_francois, judge_leaders
from .markers import judge_markers, judge_prepared_attacks
from .movement import (
    judge_bridgeheads,
    judge_destinations,
    judge_displacement,
    judge_forced_marches,
    judge_garrison,
    judge_intercepts,
    judge_rail,
    judge_retreats,
    judge_stacks,
    judge_tasks,
)
from .plans import judge_abandonment, judge_plan_moves, judge_plans
from .reinforcements import judge_activation, judge_armies, judge_call, judge_ninth, judge_reinforcements, judge_waiting
from .start import (
    judge_attachment,
    judge_batteries,
    judge_pontoons,
    judge_railheads,
    judge_releases,
    judge_substitutions,
    judge_supply,
    judge_weather,
    judge_withdrawals,
)

JUDGES: Judges = {
    "weather": judge_weather,
    "reinforcements": judge_reinforcements,
    "waiting": judge_waiting,
    "withdrawals": judge_withdrawals,
    "substitutions": judge_substitutions,
    "releases": judge_releases,
    "leaders": judge_leaders,
    "assets-of-eighth": of_position(judge_assets_of_eighth),
    "francois": of_position(judge_francois),
    "batteries": judge_batteries,
    "activation": judge_activation,
    "armies": judge_armies,
    "ninth-army": judge_ninth,
    "call": judge_call,
    "attachment": judge_attachment,
    "abandonment": judge_abandonment,
    "pontoons": judge_pontoons,
    "supply": judge_supply,
    "railheads": judge_railheads,
    "tasks": judge_tasks,
    "rail": judge_rail,
    "intercepts": judge_intercepts,
    "forced-marches": judge_forced_marches,
    "markers": judge_markers,
    "plan-moves": judge_plan_moves,
    "stacks": judge_stacks,
    "garrison": judge_garrison,
    "displacement": of_position(judge_displacement),
    "destinations": of_position(judge_destinations),
    "bridgeheads": of_position(judge_bridgeheads),
    "retreats": of_position(judge_retreats),
    "prepared-attacks": judge_prepared_attacks,
    "retirement": judge_retirement,
    "retirement-after": judge_retirement_of_the_other_side,
    "half": of_position(judge_half),
    "half-hexes": of_position(judge_half_hexes),
    "plans": judge_plans,
    "rail-points": judge_rail_points,
    "replacements": of_position(judge_replacements),
    "special-allotment": judge_special_allotment,
}
"""Who judges the steps of a phase, by the names that these have in `course.toml`."""
TURN, NEXT = QUESTIONS = turn_questions(JUDGES)
