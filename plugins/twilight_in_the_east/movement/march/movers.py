"""The units that march together on foot, and bars to any move (3.3.5, 8.1, 8.2.7, 8.4, 12.1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from assistant.asking import Gather, InputError, Step, View, holding, step
from assistant.rules.field import check_way, side_of
from assistant.state.state import Unit

from ...forces.bars import IN_RAIL_MODE
from ...forces.movement_points import bar_of_mover
from ...ground.calendar import MOVEMENT_PHASES, phase_of, why_no_movement, why_no_reaction, why_no_retirement
from ...terms import DEPOTS, FORTRESSES

CAVALRY_HINTS = {
    "reacts": "the question cavalry is about its reaction to a move",
    "retires": "the question cavalry is about its retirement",
}
"""Hints at the question `cavalry`, by the move that cavalry may make now."""
MAX_WAY_HEXES = 200
"""Maximum number of hexes of a way, more than any march needs."""


def never_on_foot(facts: Gather, unit: Unit) -> Step | None:
    """Return the kind of a unit that never moves on foot, or None for any other unit.

    Such units are fortress units, depots and other units that move only by rail.

    Rule: 3.3.4a, 8.2.7, 12.1
    """
    arm = facts.word("arm", unit.id)
    clauses = (
        (arm in FORTRESSES, "12.1", "a fortress unit, which never moves"),
        (arm in DEPOTS, "8.2.7", "a depot, which moves only along railways"),
        (
            arm not in (*FORTRESSES, *DEPOTS) and facts.view.fact("rail-allowance", unit.id),
            "3.3.4a",
            "a unit with an R before its Movement Allowance, which moves only by rail",
        ),
    )
    return next(iter(holding(clauses)), None)


def _find_question(facts: Gather, unit: Unit) -> str:
    """Return a hint at the question for cavalry that may react or retire now, or "" for other units."""
    if facts.word("arm", unit.id) != "cavalry":
        return ""
    reacts = phase_of(facts.view) in MOVEMENT_PHASES
    untimely = why_no_reaction(facts.view, side_of(facts, unit)) if reacts else why_no_retirement(facts.view)
    return "" if untimely else CAVALRY_HINTS["reacts" if reacts else "retires"]


def steps_of_rail_mode(view: View, names: Iterable[str]) -> list[Step]:
    """Return a step for each unit that cannot move on foot because it is in Rail Mode."""
    text = f"{{unit}} {IN_RAIL_MODE.text('spend')} (ask rail)"
    return [step(IN_RAIL_MODE.rule, text, unit=name) for name in names if view.flag("entrained", name)]


def reasons_to_stay(facts: Gather, moving: Sequence[Unit]) -> list[Step]:
    """Return the first reason, for each unit, why it may not move at all."""
    reasons = list[Step]()
    for unit in moving:
        never = never_on_foot(facts, unit)
        bound, why = bar_of_mover(facts, unit)
        if never:
            reasons.append(step(never.rule, "{unit} is {what}", unit=unit.id, what=never.text))
        elif why:
            reasons.append(step(bound, "{why}", why=f"{unit.id} {why.removeprefix('it ')}"))
    return reasons


def why_no_points_now(facts: Gather, moving: Iterable[Unit]) -> list[Step]:
    """Return the reasons why the units' side spends no Movement Points in this phase.

    A reason for cavalry that may react or retire refers to the question `cavalry`.
    """
    untimely = dict[str, str]()
    for unit in moving:
        rule, why = why_no_movement(facts.view, side_of(facts, unit))
        if why:
            question = _find_question(facts, unit)
            untimely[rule] = untimely.get(rule, why) + (f"; {question}" if question else "")
    return [step(rule, "{why}", why=why) for rule, why in untimely.items()]


def verdict_of_standing(named: Sequence[str], reasons: Sequence[Step]) -> str:
    """Return the template of the verdict on units that cannot move, in which they are named once.

    `named`: the names of the units in the answer.
    """
    says_who = any(reasons[0].text.startswith(f"{name} ") for name in named)
    return "{why}" if says_who else "{who} cannot move: {why}"


def units_in_one_hex(view: View, names: Sequence[str]) -> list[Unit]:
    """Return the named units.

    Raises InputError if they are not in one hex of the map, or not of one side.
    """
    if not names:
        raise InputError("units: no unit is named", hint="name the units that move")
    moving = [view.unit(name) for name in names]
    places = {unit.place for unit in moving}
    if None in places:
        gone = next(unit.id for unit in moving if unit.place is None)
        raise InputError(f"units: {gone} is not on the map")
    if len(places) != 1:
        raise InputError("units: they are not all in one hex", hint="name units that start together, on the map")
    if not view.board.is_hex(str(moving[0].place)):
        what = f"units: {moving[0].id} is in {moving[0].place}, not in a hex of the map"
        raise InputError(what, hint="a unit leaves the Box into a half-hex: ask holding-box")
    if len({view.side_of(unit.id) for unit in moving} - {""}) > 1:
        raise InputError("units: they are not all of one side", hint="name units of one side")
    return moving


def units_together(view: View, names: Sequence[str], way: Sequence[str]) -> list[Unit]:
    """Return the named units, which go along a way together.

    Raises InputError as `units_in_one_hex`, and if the way is not possible.
    """
    if len(way) > MAX_WAY_HEXES:
        raise InputError(f"way: {len(way)} hexes are more than any march enters", hint=f"at most {MAX_WAY_HEXES}")
    moving = units_in_one_hex(view, names)
    check_way(view, str(moving[0].place), way)
    return moving


def arm_on_foot(facts: Gather, unit: Unit) -> str:
    """Return the arm of a unit.

    Raises InputError if it never moves on foot, such as a fortress unit or a depot.
    """
    if never := never_on_foot(facts, unit):
        raise InputError(f"units: {unit.id} is {never.text} ({never.rule})")
    return facts.word("arm", unit.id)
