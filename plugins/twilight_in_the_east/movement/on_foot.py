"""What keeps units from going on foot from one hex into the next: what they are, what binds them, and the hex itself.

What enemy zones close besides is the matter of `enemy_zones`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from assistant.field import Barred, side_of
from assistant.questions import Gather, View
from assistant.state.state import Unit

from ..combat.pieces import garrison_move, known_inside
from ..forces.movement_points import bound_by_marker, cannot_move, pinned_by
from ..ground.calendar import not_now
from ..ground.hexsides import Entry, between, entry_bar, impassable
from ..terms import DEPOTS, FORTRESSES


def never_on_foot(facts: Gather, unit: Unit) -> tuple[str, str]:
    """The rule and what a unit is that never goes from hex to hex on foot, a fortress unit or a depot; two empty texts
    for any other.
    Rule: 12.1, 8.2.7
    """
    arm = facts.word("arm", unit.id)
    if arm in FORTRESSES:
        return "12.1", "a fortress unit, which never moves"
    return ("8.2.7", "a depot, which moves along railways only") if arm in DEPOTS else ("", "")


def steps_aside(facts: Gather, unit: Unit) -> bool:
    """Whether a unit that moves now spends no Movement Points on it: cavalry that reacts or retires, in a phase in
    which its side, as far as is stated, spends none.
    Rule: 9.1, 9.2
    """
    return facts.word("arm", unit.id) == "cavalry" and bool(not_now(facts.view, side_of(facts, unit))[1])


def held_back(
    facts: Gather, moving: Sequence[Unit], here: str, hex: str, *, counter: bool, aside: bool = False
) -> Barred | None:
    """What keeps the first of some units from going from one hex to the next whatever lies there: that it never moves,
    a marker that it bears, one of an enemy that points at it, or the fortress that it is the garrison of (8.2.5, 8.4,
    8.4.2, 9.5.1, 12.4.1, 22.4.1).

    counter: whether it is the Counter Movement Phase; aside: whether cavalry among them steps aside where it spends no
    Movement Points.
    """
    for unit in moving:
        freely = aside and steps_aside(facts, unit)
        rule, why = cannot_move(facts, unit) if freely else bound_by_marker(facts, unit)
        if why:
            return Barred(rule, f"{unit.id} {why.removeprefix('it ')}")
        if counter and not freely and (pinning := pinned_by(facts, unit, here)):
            why = f"{unit.id} may not leave {here}: Prepared Attack markers of {', '.join(pinning)} point at it"
            return Barred("8.4.2", why)
        inside = not facts.flag("garrison", unit.id) or known_inside(facts, str(unit.place), hex)
        if garrison_move(inside, required=False, can_stay=True) == "barred":
            return Barred("12.4.1", f"{unit.id} is a Fortress Garrison and does not leave its fortress or complex")
    return None


def closed_step(view: View, nations: Collection[str], enemies: Collection[str], here: str, there: str) -> Barred | None:
    """What closes the next hex to units that move, None if nothing in the one table does. nations: of the units;
    enemies: the hexes where enemies stand.
    Rule: 4.2b, 23.4.1
    """
    return entry_bar(Entry(there, nations, there in enemies, impassable(between(view, here, there))))
