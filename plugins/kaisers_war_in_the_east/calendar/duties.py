"""What the steps of a phase still ask for: retreats, pursuits, stacks over their limits (12.2, 15, 16)."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType

from assistant.questions import View
from assistant.readymade.turns import Duty, Finding, Judges, finding
from assistant.util.errors import quoted

from ..combat.results import RESULTS, may_pursue
from ..forces import formation, formation_taken, is_within_limits
from ..terms import OWES

SIDE_ASKED = {"arrivals": "9.2", "attrition": "17.8"}
"""Steps that a question about the side answers, each with its rule."""


def judge_attacks(view: View, duty: Duty) -> Iterator[Finding]:
    """Who still owes a retreat, and who may pursue before the next battle. Rule: 14.3/7, 15.0, 16.0"""
    owing = dict[tuple[str, int], list[str]]()
    for unit in view.units():
        if unit.place and (hexes := view.integer(OWES, unit.id)):
            owing.setdefault((unit.place, hexes), []).append(unit.id)
    for (place, hexes), names in sorted(owing.items()):
        units = sorted(names)
        text = "{units} in {places} must retreat {hexes:#hex}"
        ask = f"retreat units={','.join(map(quoted, units))}"
        yield finding("owed", "15.0", text, units=units, places=[place], hexes=hexes, ask=ask)
    for place, pursuers in pursuers_by_hex(view, duty.side).items():
        ask = f"pursue units={','.join(map(quoted, pursuers))} at={place}"
        text = "{units} may pursue into {places}, before the next battle"
        yield finding("possible", "16.0", text, units=pursuers, places=[place], ask=ask)
    if not owing:
        yield finding("possible", "14.3", "no unit owes a retreat, so the next attack may be made")


def pursuers_by_hex(view: View, side: str) -> dict[str, list[str]]:
    """The units of a side that have fought beside a hex whose result lets attackers pursue, by that hex; none where it
    is not cleared. Rule: 16.1, 16.4
    """
    pursuers = dict[str, list[str]]()
    for place in view.stated_about.get("combat-result", ()):
        result = RESULTS.get(view.word("combat-result", place))
        if result is None or result.pursues != "attacker" or view.stack(place):
            continue
        near = [unit for at in view.board.neighbours(place) for unit in view.stack(at)]
        fought = [unit for unit in near if view.side_of(unit.id) == side and view.flag("fought", unit.id)]
        with view.gather() as facts:
            able = [unit.id for unit in fought if may_pursue(formation_taken(facts, unit, []))]
        if able:
            pursuers[place] = able
    return pursuers


def judge_stacks(view: View, duty: Duty) -> Iterator[Finding]:
    """Which hexes are over their stacking limits at the end of a Movement or Combat Phase. Rule: 12.2"""
    places = {unit.place for unit in view.units() if unit.place and view.board.is_hex(unit.place)}
    with view.gather() as facts:
        stacks = {place: [formation(facts, unit, fights=False) for unit in view.stack(place)] for place in places}
    full = sorted(place for place, units in stacks.items() if not is_within_limits(units))
    if full:
        asks = f"stack at={','.join(full)}"
        yield finding("owed", "12.2", "{places} must lose what is over the limits", places=full, ask=asks)
    else:
        yield finding("done", "12.2", "no hex is over the limits")


def judge_side(view: View, duty: Duty) -> Iterator[Finding]:
    """A step that a question about the side answers."""
    name = duty.what.name
    yield finding(
        "possible",
        SIDE_ASKED[name],
        "of {side}",
        side=view.game.file.the_side(duty.side),
        ask=f"{name} side={duty.side}",
    )


JUDGES: Judges = MappingProxyType(
    {"attacks": judge_attacks, "stacks": judge_stacks, **dict.fromkeys(SIDE_ASKED, judge_side)}
)
"""Who judges the steps of a phase, by the names that these have in `course.toml`."""
