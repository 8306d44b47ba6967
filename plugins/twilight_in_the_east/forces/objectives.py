"""The Operational Objectives of armies and corps (21.4 to 21.6), and the forces that a Strategic Plan binds (21.1).

A force is an army, by its side and its name, or a corps with a plan of its own: `russian 2 Corps`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path

import msgspec

from assistant.asking import Gather, View
from assistant.game.course import course_file
from assistant.util.datafiles import read_records

OBJECTIVES_FILE = Path(__file__).parent.parent / "tables" / "objectives.csv"
CORPS_SUFFIX = " Corps"
"""The end of the force name of a corps with a plan of its own."""
# Tracks of plans, and of the hexes that are objectives.
PLAN = "plan"
OUTCOME = "plan-outcome"
PLAN_TURN = "plan-turn"
REACHED = "reached-by"

# Outcomes of a plan.
ACHIEVED = "achieved"
ABANDONED = "abandoned"
CAPTURING_SIZES = ("X", "XX")
"""Sizes of infantry units that capture objectives: brigades and divisions (21.2)."""


class Objective(msgspec.Struct, frozen=True):
    """A row of `tables/objectives.csv`: an Operational Objective of a force."""

    force: str
    hex: str
    name: str
    rule: str
    then: str = ""
    """The army whose objectives a corps pursues after its own, or "" for the army to which it is attached."""


def read_objectives() -> Mapping[str, tuple[Objective, ...]]:
    """Return the objectives of each force, in the order of the rulebook.

    Rule: 21.4.1, 21.5.1, 21.6.1, 21.6.2
    """
    objectives = dict[str, tuple[Objective, ...]]()
    for row in read_records(OBJECTIVES_FILE, Objective, "tables/objectives.csv"):
        objectives[row.force] = (*objectives.get(row.force, ()), row)
    return objectives


@cache
def known_objectives() -> Mapping[str, tuple[Objective, ...]]:
    """Return the objectives of each force from the cached table."""
    return read_objectives()


def corps_force(side: str, corps: str) -> str:
    """Return the force name of a corps with a plan of its own, or "" for an independent unit."""
    return f"{side} {corps}{CORPS_SUFFIX}" if side and corps else ""


def force_title(view: View, force: str) -> str:
    """Return a force as messages name it: `the Russian First Army`, `the 2 Corps`, or `no army` for ""."""
    if not force:
        return "no army"
    return f"the {force_name(view, force)}"


def force_name(view: View, force: str) -> str:
    """Return a force's name in words, such as `Russian First Army` or `2 Corps`."""
    side, _, name = force.partition(" ")
    if is_corps(force) or name.endswith("Garrison"):
        return name
    nations = (army.nation for army in course_file(view.game).army if army.name == name)
    nation = next((nation for nation in nations if view.game.side_of(nation) == side), side)
    return f"{view.title_of(nation)} {name} Army"


def corps_title(corps: str) -> str:
    """Return a corps in words, or "independent" if `corps` is ""."""
    return f"{corps} Corps" if corps else "independent"


def is_corps(force: str) -> bool:
    """Return whether a force is a corps with a plan of its own."""
    return force.endswith(CORPS_SUFFIX) and force in known_objectives()


def is_bound(plan: bool | None, outcome: str) -> bool:
    """Return whether a Strategic Plan binds a force.

    A plan binds until it is abandoned. An achieved plan binds until the end of the Player Turn, when `next` removes it.

    `plan`: the position's statement, or None without one.
    `outcome`: ACHIEVED or ABANDONED, or "" while the plan goes on.

    Rule: 21.0, 21.1b
    """
    return bool(plan) and outcome != ABANDONED


def force_followed(corps: str, army: str, bound: Collection[str], achieved: Collection[str]) -> str:
    """Return the force whose objectives a unit pursues, or "" if there is none.

    A unit pursues the objectives of its corps if a plan binds the corps, or else those of its army if a plan binds the
    army. The rulebook may name the army for a corps that has achieved its plan.

    `bound`: forces that a plan binds.
    `achieved`: forces that have achieved their plan.

    Rule: 21.4.1, 21.6.1
    """
    if corps in bound:
        return corps
    own = known_objectives().get(corps, ()) if corps in achieved else ()
    army = next((objective.then for objective in own if objective.then), army)
    return army if army in bound else ""


def may_capture(arm: str, size: str) -> bool:
    """Return whether a unit captures an objective by entering it: an infantry brigade or division.

    Rule: 21.2
    """
    return arm == "infantry" and size in CAPTURING_SIZES


def forces_stated(view: View) -> frozenset[str]:
    """Return the forces for which the position states a Strategic Plan or its outcome."""
    return frozenset(force for track in (PLAN, OUTCOME) for force in view.stated_about.get(track, ()))


def bound_forces(view: View, side: str = "") -> list[str]:
    """Return the forces with objectives that a stated Strategic Plan binds.

    `side`: the side of the forces, or "" for both.
    """
    stated = [force for force in view.stated_about.get(PLAN, ()) if force in known_objectives()]
    of_side = [force for force in stated if not side or force.startswith(f"{side} ")]
    return [force for force in of_side if is_bound(view.flag(PLAN, force), view.word(OUTCOME, force))]


def asks_if_bound(facts: Gather, force: str) -> bool:
    """Return whether a Strategic Plan binds a force, and ask for the plan if neither it nor its outcome is stated."""
    outcome = facts.view.word(OUTCOME, force)
    return is_bound((facts.view if outcome else facts).flag(PLAN, force), outcome)


def is_sought(view: View, hex: str, side: str) -> bool:
    """Return whether a hex is an objective of one of the side's forces that a plan binds."""
    sought = (objective.hex for force in bound_forces(view, side) for objective in known_objectives()[force])
    return hex in sought
