"""The Movement Points of a unit in a phase, and bars to spending them or leaving the hex (4.5, 5.4.7).

A marker (8.2.4, 8.2.5, 8.4, 8.5.4, 8.9.2, 9.5.1), a dot printed on the unit (3.3.5), or the kind of unit (2.2, 22.4,
22.5.1) bars it.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated

from assistant.asking import Gather, InputError, Step, View, holding, note, step
from assistant.asking.permission import Clause
from assistant.mechanics.odds import half_up
from assistant.rules.field import side_of
from assistant.state.points import MAX_DENOMINATOR, check_halves
from assistant.state.state import Unit
from assistant.util.errors import quoted

from ..ground.calendar import is_counter_movement, phase_of, why_no_movement
from ..leaders.khan import COMMAND_EFFECTS_RULE, allowance_after
from ..terms import DUMMY
from .account import read_account
from .activation import read_dot, rule_of_dot
from .bars import ENDED, HALTED, IN_RAIL_MODE, bars, first_bar, say_bars
from .leaders import khan_result
from .markers import bar_of_task
from .unit import StatusRead

PREPARED_COST = 3
"""Movement Points for a Prepared Attack marker (8.4)."""
PREPARING = ("infantry", "artillery")
"""The arms that may place Prepared Attack markers (8.4.1)."""
UNPINNED_DETACHMENTS = frozenset({"1-det 11", "2-det 11", "3-det 11"})
"""Austro-Hungarian detachments that a Prepared Attack marker does not pin (6.4.4)."""
STATIONARY_PURPOSES = ("prepared", "position")
"""Purposes still open to a unit whose Repulse has failed (8.5.4)."""
TASKS = (*STATIONARY_PURPOSES, "recovery", "disorder", "ersatz", "incomplete")
"""Purposes for which a unit spends Movement Points without leaving its hex."""
WORDS_AT_REST = {
    ENDED.words: "spends no more Movement Points",
    HALTED.words: "spends Movement Points only on a Prepared Attack marker or an Improved Position",
}
"""The consequence of a bar for a unit that would spend Movement Points in its hex, by the words of the bar."""
SpentBefore = Annotated[
    float | None,
    note("Movement Points that it has spent on anything else in this phase; from its account if left out"),
]
"""The type of the parameter `spent` of questions about work in a unit's hex."""


def allowance(printed: int, *, counter: bool) -> Fraction:
    """Return the Movement Points of a unit in a phase, without a Forced March.

    `counter`: whether it is the Counter Movement Phase, which halves them.

    Rule: 3.3.4, 5.4.7, 8.3
    """
    return Fraction(printed, 2 if counter else 1)


def printed_points(facts: Gather, unit: Unit) -> Fraction:
    """Return the printed Movement Points of a unit, or its rail allowance (behind an R) if it has one. Rule: 3.3.4a"""
    track = "rail-allowance" if facts.view.fact("rail-allowance", unit.id) else "movement"
    return Fraction(facts.integer(track, unit.id))


def is_immobile(facts: Gather, unit: Unit) -> bool:
    """Return whether a unit is stated to have no Movement Allowance, not even by rail. Rule: 3.3.4"""
    printed = facts.view.fact("movement", unit.id)
    return printed is not None and printed.value == 0 and not facts.view.fact("rail-allowance", unit.id)


def bar_of_allowance(facts: Gather, unit: Unit) -> tuple[str, str] | None:
    """Return the rule and the reason that keep a unit without a Movement Allowance from spending points, or None.

    Rule: 3.3.4
    """
    bound = ("3.3.4", "it has no Movement Allowance") if is_immobile(facts, unit) else None
    return bar_of_khan(facts, unit) or bound


def bar_of_khan(facts: Gather, unit: Unit) -> tuple[str, str] | None:
    """Return the rule and the reason if a unit's die for Khan Nakhichevanski has halted it in this phase, or None."""
    halted = khan_result(facts.view, unit.id) == "halted"
    why = "it has no Movement Allowance in this phase, as its die for Khan Nakhichevanski was 6"
    return (COMMAND_EFFECTS_RULE, why) if halted else None


def excess_points(spent: Fraction, allowed: Fraction, reading: str) -> Fraction:
    """Return the Movement Points beyond the allowance, or 0 if the allowance is enough.

    `spent`: the exact sum of all points spent in the phase.
    `reading`: ruling march-rounding: "sum" rounds the sum, "excess" only the points beyond the allowance.

    Rule: 4.5a
    """
    if spent <= allowed:
        return Fraction(0)
    return half_up(spent) - allowed if reading == "sum" else Fraction(half_up(spent - allowed))


def parse_points(number: float | None, name: str, *, by_rail: bool = False) -> Fraction:
    """Return a typed number of Movement Points as an exact fraction, or 0 for None.

    `name`: the parameter that states the number, for errors.
    `by_rail`: whether moves by rail may be included, which use smaller parts than halves.

    Raises InputError if the number is negative, or not a multiple of 1/2 without moves by rail.
    """
    points = Fraction(number or 0).limit_denominator(MAX_DENOMINATOR)
    if points < 0:
        raise InputError(f"{name}: {number:g} Movement Points cannot be spent")
    return points if by_rail else check_halves(number or 0, name, "Movement Points")


def allowance_now(view: View, unit: str, counter: bool | None) -> Fraction | None:
    """Return the Movement Points of a unit in this phase without a Forced March, or None if they are not stated.

    `counter`: whether it is the Counter Movement Phase, or None to take the phase of the position. If that is not
    stated, the report notes the assumption that it is another phase.
    """
    printed = view.fact("movement", unit)
    if printed is None:
        return None
    if counter is None and not phase_of(view):
        view.premises.assume(
            step("5.4.7", "it is not the Counter Movement Phase, which halves allowances (phase not stated)")
        )
    return led_allowance(view, unit, int(str(printed.value)), counter=is_counter_movement(view, counter))


def led_allowance(view: View, unit: str, printed: int, *, counter: bool) -> Fraction:
    """Return the Movement Points of a unit in a phase after its die for Khan Nakhichevanski.

    `printed`, `counter`: as in `allowance`.
    """
    return allowance_after(allowance(printed, counter=counter), khan_result(view, unit))


def excess_points_now(view: View, spent: Fraction, allowed: Fraction) -> Fraction:
    """Return the Movement Points beyond the allowance, by the players' reading of ruling march-rounding."""
    points = {reading: max(excess_points(spent, allowed, reading), Fraction(0)) for reading in ("excess", "sum")}
    return points[view.ruling("march-rounding", points["excess"] != points["sum"])]


def march_due(view: View, unit: str, counter: bool | None = None) -> Fraction:
    """Return the Movement Points beyond its allowance for which a unit must still check in this phase.

    Returns 0 if there are none, or if the allowance is not stated.

    `counter`: as in `allowance_now`.
    """
    account = read_account(view, unit)
    if account.checked or not account.total:
        return Fraction(0)
    allowed = allowance_now(view, unit, counter)
    return Fraction(0) if allowed is None else excess_points_now(view, account.total, allowed)


def bar_of_marker(facts: Gather, unit: Unit, doing: str = "") -> tuple[str, str]:
    """Return the rule and the reason that keep a unit from spending points on foot or in its hex, or "" twice.

    Reasons are the unit's allowance, a marker, a Forced March check, the end of its move, and a failed Repulse.

    `doing`: the purpose of the points, or "" for a move.

    Rule: 8.5.4, 22.4.1, 22.4.2, 22.5.1
    """
    for bar in holding(bars_of_dummy(facts.view.word("arm", unit.id), doing)):
        return bar.rule, bar.text
    bound = first_bar(StatusRead(facts, unit), "spend")
    if not bound[1]:
        bound = bar_of_allowance(facts, unit) or bar_of_end(facts, unit, doing)
    return bound if bound[1] else bar_of_task(facts, unit, doing)


def bars_of_dummy(arm: str, doing: str) -> Iterator[Clause]:
    """Yield the bar to a dummy that would spend Movement Points on anything except a move.

    `doing`: as in `bar_of_marker`.

    Rule: 26.1.2d
    """
    yield (
        arm == DUMMY and doing not in ("", "move"),
        "26.1.2d",
        "it is a dummy, which builds, changes and repairs nothing and places no marker",
    )


def bar_of_end(facts: Gather, unit: Unit, doing: str = "") -> tuple[str, str]:
    """Return the rule and the reason that keep a unit that moves no further from spending points, or "" twice.

    After a failed Repulse a unit may still prepare an attack or work on a position. After the end of its move, ruling
    ended-spends decides on points spent in its hex.

    `doing`: as in `bar_of_marker`.

    Rule: 8.5.4, 8.1b
    """
    for bar in bars(StatusRead(facts, unit), "move"):
        is_open_when_halted = bar is HALTED and doing in STATIONARY_PURPOSES
        is_open_when_ended = bar is ENDED and doing in TASKS and facts.view.ruling("ended-spends") == "stationary"
        if not (is_open_when_halted or is_open_when_ended):
            consequence = WORDS_AT_REST.get(bar.words, bar.doings["move"]) if doing in TASKS else bar.doings["move"]
            return bar.rule, f"it {bar.words} and {consequence}"
    return "", ""


def cannot_move(facts: Gather, unit: Unit) -> tuple[str, str]:
    """Return the rule and the reason that keep a unit from a move that costs no Movement Points, or "" twice."""
    return first_bar(StatusRead(facts, unit), "move")


def cannot_spend(facts: Gather, unit: Unit, doing: str = "", counter: bool | None = None) -> list[Step]:
    """Return the reasons why a unit spends no Movement Points in its hex: a marker, or the phase.

    `doing`: as in `bar_of_marker`.
    `counter`: as in `why_no_movement`.
    """
    rule, why = bar_of_marker(facts, unit, doing)
    if ENDED.words in why:
        why += f"; it does that before another unit moves: undo that move, or state {quoted(unit.id)} ended=no"
    return say_bars((rule, why), why_no_movement(facts.view, side_of(facts, unit), counter))


def pinning_enemies(facts: Gather, unit: Unit, hex: str) -> list[str]:
    """Return the enemies whose Prepared Attack markers pin a unit in a hex in the Counter Movement Phase.

    Rule: 8.4.2
    """
    adjacent = [other for place in facts.view.board.neighbours(hex) for other in facts.view.stack(place)]
    aiming = [other for other in adjacent if facts.word("prepared", other.id) == hex]
    return [other.id for other in aiming if side_of(facts, other) not in ("", side_of(facts, unit))]


# --- what keeps a unit in its hex -------------------------------------------------------------------------------------


def held_by_dot(dot: str, released: int, turn: int) -> str:
    """Return the reason why the dot on a unit keeps it from moving, or "" if the unit may move.

    A Fortress Garrison may move within its complex, as `is_held_garrison` tells.

    `dot`: immobile, city, fortress or none.
    `released`: the game turn in the dot, or 0.
    `turn`: the present game turn.

    Rule: 3.3.5
    """
    if dot not in ("immobile", "city") or (released and turn >= released):
        return ""
    until = f" until GT {released}" if released else ""
    return f"it is the garrison of its city{until}" if dot == "city" else f"it may not move{until}"


def is_held_garrison(dot: str, released: int, turn: int, *, garrison: bool) -> bool:
    """Return whether a unit is bound to its fortress, as the turn in its dot has not released it.

    `garrison`: whether the position states that the unit is a Fortress Garrison.

    Rule: 3.3.5
    """
    return (garrison or dot == "fortress") and not (dot == "fortress" and released and turn >= released)


def holds_garrison(facts: Gather, unit: Unit) -> bool:
    """Return whether a unit of the position is bound to its fortress."""
    return is_held_garrison(*read_dot(facts, unit), garrison=facts.flag("garrison", unit.id))


def bar_of_standing_still(facts: Gather, unit: Unit) -> tuple[str, str]:
    """Return the rule and the reason that keep a unit from leaving its hex on foot in any phase, or "" twice.

    The reason is a dot printed on the unit, or Rail Mode.

    Rule: 3.3.5
    """
    why = held_by_dot(*read_dot(facts, unit))
    if why:
        return rule_of_dot(facts, unit), why
    if facts.flag("entrained", unit.id):
        return IN_RAIL_MODE.rule, f"it {IN_RAIL_MODE.text('spend')}"
    return "", ""


def bar_of_mover(facts: Gather, unit: Unit, *, steps_aside: bool = False) -> tuple[str, str]:
    """Return the rule and the reason that keep a unit in its hex regardless of the surroundings, or "" twice.

    Reasons are a dot printed on the unit, a marker, and the end of its move.

    `steps_aside`: whether the unit is cavalry that steps aside, which costs no Movement Points.
    """
    bound = bar_of_standing_still(facts, unit)
    if bound[0] in ("3.3.5", "28.3") or (steps_aside and bound[1]):
        return bound
    return cannot_move(facts, unit) if steps_aside else bar_of_marker(facts, unit)
