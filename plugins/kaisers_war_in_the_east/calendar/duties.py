"""What the steps of a phase still ask for: retreats, pursuits, stacks over their limits (12.2, 15, 16)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from types import MappingProxyType

from assistant.asking import View
from assistant.rules.following import find_followers, may_follow
from assistant.rules.phase_now import Duty, Judges, StepFinding
from assistant.rules.stacks import crowded_hexes
from assistant.rules.turns import finding, of_position
from assistant.util.errors import quoted

from ..combat.results import RESULT, RESULTS, has_held, may_pursue
from ..forces import formation_taken, has_room, units_owing
from ..terms import OWES

SIDE_ASKED = {"arrivals": "9.2", "attrition": "17.8"}
"""Steps that a question about the side answers, each with its rule."""


def _judge_attacks(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield the attacks one by one: who still owes a retreat, and who may pursue, before the next of them."""
    owing = [*judge_retreats(view)]
    yield from owing
    yield from judge_pursuits(view, duty.side)
    if not owing:
        yield finding("possible", "14.3", "no unit owes a retreat, so the next attack may be made")


def judge_retreats(view: View) -> Iterator[StepFinding]:
    """Yield the units that still owe a retreat, those of a hex that owe as many hexes together. Rule: 14.3/7, 15.0"""
    together = dict[tuple[str, int], list[str]]()
    for unit in units_owing(view):
        together.setdefault((str(unit.place), view.integer(OWES, unit.id)), []).append(unit.id)
    for (place, hexes), units in sorted(together.items()):
        text = "{units} in {places} must retreat {hexes:#hex}"
        ask = f"retreat units={','.join(map(quoted, units))}"
        yield finding("owed", "15.0", text, units=units, places=[place], hexes=hexes, ask=ask)


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
        if typed := [name for name in fought if may_follow(view, name, place, partial(has_held, view))]:
            found[place] = typed
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


def _judge_side(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield a step that a question about the side answers."""
    name = duty.what.name
    yield finding(
        "possible",
        SIDE_ASKED[name],
        "of {side}",
        side=view.game.file.the_side(duty.side),
        ask=f"{name} side={duty.side}",
    )


JUDGES: Judges = MappingProxyType(
    {"attacks": _judge_attacks, "stacks": of_position(judge_stacks), **dict.fromkeys(SIDE_ASKED, _judge_side)}
)
"""Who judges the steps of a phase, by the names that these have in `course.toml`."""
