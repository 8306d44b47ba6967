"""What keeps a unit in its hex, wherever it would go: a dot printed on it, Rail Mode, a marker, or the end of its move
(3.3.5, 8.2.4).
"""

from __future__ import annotations

from assistant.asking import Gather
from assistant.state.state import Unit

from .activation import read_dot, rule_of_dot
from .bars import IN_RAIL_MODE
from .movement_points import bar_of_marker, cannot_move


def held_by_dot(dot: str, released: int, turn: int) -> str:
    """Return what the dot on a unit keeps it from, in words; "" where it may move.

    dot: immobile, city or fortress, as the unit began the scenario, "none" without one; released: the game turn in the
    dot, 0 for none; turn: the present one. A fortress garrison moves within its complex alone: `is_held_garrison`.
    Rule: 3.3.5
    """
    if dot not in ("immobile", "city") or (released and turn >= released):
        return ""
    until = f" until GT {released}" if released else ""
    return f"it is the garrison of its city{until}" if dot == "city" else f"it may not move{until}"


def is_held_garrison(dot: str, released: int, turn: int, *, garrison: bool) -> bool:
    """Return whether a unit is bound to its fortress: as a Fortress Garrison that the turn in its dot has not released,
    if it has one. garrison: whether the position says that it is one. Rule: 3.3.5
    """
    return (garrison or dot == "fortress") and not (dot == "fortress" and released and turn >= released)


def holds_garrison(facts: Gather, unit: Unit) -> bool:
    """Return whether a unit of the position is bound to its fortress."""
    return is_held_garrison(*read_dot(facts, unit), garrison=facts.flag("garrison", unit.id))


def bar_of_standing_still(facts: Gather, unit: Unit) -> tuple[str, str]:
    """Return what keeps a unit from going anywhere on foot in any phase, the rule and why: a dot printed on it, or Rail
    Mode; two empty texts if nothing does. Rule: 3.3.5
    """
    why = held_by_dot(*read_dot(facts, unit))
    if why:
        return rule_of_dot(facts, unit), why
    if facts.flag("entrained", unit.id):
        return IN_RAIL_MODE.rule, f"it {IN_RAIL_MODE.text('spend')}"
    return "", ""


def bar_of_mover(facts: Gather, unit: Unit, *, aside: bool = False) -> tuple[str, str]:
    """Return what keeps a unit where it is, the rule and why, whatever lies around it: a dot printed on it, a marker,
    or that its move has ended; two empty texts if nothing does.

    aside: whether it is cavalry that steps aside where it spends no Movement Points.
    """
    bound = bar_of_standing_still(facts, unit)
    if bound[0] in ("3.3.5", "28.3") or (aside and bound[1]):
        return bound
    return cannot_move(facts, unit) if aside else bar_of_marker(facts, unit)
