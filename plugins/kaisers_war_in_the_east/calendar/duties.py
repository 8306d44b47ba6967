"""What the steps of a phase still ask for: dice, retreats, pursuits, assaults from the sea, stacks over their limits,
supply attrition, Victory Points (5.4, 12.2, 15, 16, 17.8, Optional Rules).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from types import MappingProxyType
from typing import Any

from assistant.asking import Report, View
from assistant.rules.following import find_followers, may_follow
from assistant.rules.owed_retreats import judge_retreats
from assistant.rules.phase_now import Duty, Judges, StepFinding
from assistant.rules.stacks import crowded_hexes
from assistant.rules.turns import finding, of_position
from assistant.util.errors import quoted

from ..combat.results import RESULT, RESULTS, has_held, may_pursue
from ..forces import formation_taken, has_room
from ..ground import SEA
from ..seasons import is_settled
from ..supply.attrition import find_checks
from ..terms import OWES
from . import dice


def _judge_attacks(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield the attacks one by one: who still owes a retreat, and who may pursue, before the next of them. Rule:
    14.3/7, 15.0
    """
    owing = [*judge_retreats(view, OWES, "15.0")]
    yield from owing
    yield from judge_pursuits(view, duty.side)
    if not owing:
        yield finding("possible", "14.3", "no unit owes a retreat, so the next attack may be made")


def judge_pursuits(view: View, side: str) -> Iterator[StepFinding]:
    """Yield the units that may pursue into a hex that is cleared: those that a battle lets, or of the phasing
    side those typed to have fought beside a hex with such a result. Rule: 16.0
    """
    for place, names in _find_pursuers(view, side).items():
        with view.gather() as facts:
            units = sorted(name for name in names if may_pursue(formation_taken(facts, view.unit(name), [])))
        if units:
            text = "{units} may pursue into {places}, before the next attack"
            ask = f"pursue units={','.join(map(quoted, units))} at={place}"
            yield finding("possible", "16.0", text, units=units, places=[place], ask=ask)


def _find_pursuers(view: View, side: str) -> dict[str, list[str]]:
    """Return the units that may pursue as far as their part in a combat decides it, by the hexes into which they may."""
    found = find_followers(view)
    for place in view.stated_about.get(RESULT, ()):
        if place in found or view.stack(place) or RESULTS[view.word(RESULT, place)].pursues != "attacker":
            continue
        near = [unit.id for at in view.board.neighbours(place) for unit in view.stack(at)]
        fought = [name for name in near if view.side_of(name) == side and view.flag("fought", name)]
        found[place] = [name for name in fought if may_follow(view, name, place, partial(has_held, view))]
    return found


def judge_stacks(view: View) -> Iterator[StepFinding]:
    """Yield which hexes are over their stacking limits at the end of a Movement or Combat Phase. Rule: 12.2"""
    with view.gather() as facts:
        full = [place for place in crowded_hexes(view) if not has_room(facts, place)]
    if full:
        text = "{places} must lose what is over the limits"
        ask = f"stack at={','.join(full)}"
        yield finding("owed", "12.2", text, places=full, ask=ask)
    else:
        yield finding("done", "12.2", "no hex is over the limits")


def _judge_arrivals(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield what the calendar brings a side: units that are due, and supply units. Rule: 9.2"""
    side = view.game.file.the_side(duty.side)
    yield finding("possible", "9.2", "of {side}", side=side, ask=f"arrivals side={duty.side}")


def judge_assaults(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield the units at sea that have not made their amphibious assault. Rule: Opt/Amph/5"""
    waiting = [unit for unit in view.units() if unit.place and view.word("terrain", unit.place) == SEA]
    own = [unit.id for unit in waiting if view.side_of(unit.id) == duty.side and not view.flag("fought", unit.id)]
    if own:
        yield finding("owed", "Opt/Amph/5", "{units} must attack from the sea", units=own, ask="battle at=HEX")
    else:
        yield finding("done", "Opt/Amph/5", "no unit waits at sea")


def judge_attrition(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield the units that must still check for supply attrition. Rule: 17.8"""
    with view.gather() as facts:
        units = find_checks(facts, duty.side)
    if units:
        yield finding("owed", "17.8", "{units} must check", units=units, ask=f"attrition side={duty.side}")
    else:
        yield finding("done", "17.8", "no unit has to check any more")


def judge_die(report: Report[Any], duty: Duty) -> Iterator[StepFinding]:
    """Yield whether a die of the calendar is due, by the report on it; what comes without a die is carried out.

    Rule: Opt/Rev1, Opt/Rev2, Opt/VarRomania
    """
    rule = duty.what.rule
    if report.asks:
        yield finding("owed", rule, "the die is due")
    elif report.changes:
        yield finding("owed", rule, report.verdict.text, changes=report.changes)
    else:
        yield finding("done", rule, "no die is due")


def judge_points(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield whether the Victory Points of the turn have been scored. Rule: 5.4, 6.2/4a"""
    scored = is_settled(view, "victory-points")
    yield finding("done" if scored else "owed", "5.4", "they have been scored" if scored else "not scored yet")


JUDGES: Judges = MappingProxyType(
    {
        "arrivals": _judge_arrivals,
        "assaults": judge_assaults,
        "attacks": _judge_attacks,
        "attrition": judge_attrition,
        "revolution": lambda view, duty: judge_die(dice.revolution(view, {}), duty),
        "romania": lambda view, duty: judge_die(dice.romania(view, {}), duty),
        "stacks": of_position(judge_stacks),
        "victory-points": judge_points,
    }
)
"""Who judges the steps of a phase, by the names that these have in `course.toml`."""
