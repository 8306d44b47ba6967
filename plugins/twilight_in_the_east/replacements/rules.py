"""Replacements: their segment, eligible units, amounts, and the remaining ones (15)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec.structs import replace

from assistant.asking import Gather, Step, View, holding, if_known
from assistant.asking.asks import ask_for_fact
from assistant.state.state import Unit
from assistant.util.memo import Memo

from ..forces.armies import is_shown
from ..forces.gains import IMPOSSIBLE_STEPS, full_steps
from ..forces.unit import gather_unit
from ..forces.units import CombatUnit
from ..ground.calendar import phase_of, record_figure
from ..railways.rail_points import TURNS_PER_INTER_PHASE
from ..supply.isolation import known_isolation

Points = Literal["repl", "cav-repl"]
POINTS: dict[str, Points] = {"infantry": "repl", "cavalry": "cav-repl"}
"""The track of the replacements that units of an arm take.

REPLs restore a step to infantry, CAV REPLs to cavalry (15.0).
"""
NAMES: dict[Points, str] = {"repl": "REPL", "cav-repl": "CAV REPL"}
SEGMENT = "replacements"
"""The word of the segment in which replacements are allocated."""
TAKEN_TRACK = "repl-taken"
"""Track: the replacements that a unit has taken in the segment."""

# --- the rules --------------------------------------------------------------------------------------------------------


def bars_of_time(view: View) -> list[Step]:
    """Return why no replacements are allocated now, if it is not their segment after every third game turn.

    Rule: 15.1
    """
    phase, turn = phase_of(view), view.integer("turn")
    in_segment = phase in ("", "other", SEGMENT)
    text = (
        "replacements are allocated only in the Replacement Allocation Segment, after every third game turn"
        "[in_segment:; this is GT {turn}|; the phase is {phase}]"
    )
    return holding(
        [(not in_segment or turn % TURNS_PER_INTER_PHASE, "15.1", text)], phase=phase, turn=turn, in_segment=in_segment
    )


def bars_of_state(view: View, unit: Unit) -> list[Step]:
    """Return why the unit is not eligible. Rule: 15.1.1"""
    clauses = (
        (is_held_isolated(view, unit), "15.1.1", "{unit} is Isolated"),
        (unit.place is None, "15.1.1", "{unit} is not on the map"),
    )
    return holding(clauses, unit=unit.id)


def bars_of_points(view: View, unit: Unit, giver: str | None = None) -> list[Step]:
    """Return why the unit may not use a nation's replacements, if its arm and nation are stated.

    `giver`: the nation that gives the replacements, or None for the unit's own.

    Rule: 15.0
    """
    nation, arm = view.word("nation", unit.id), view.word("arm", unit.id)
    if not (nation and arm):
        return []
    foreign = "the replacements of a nation are for its own units, and {unit} is of another"
    clauses = (
        (arm not in POINTS, "15.0", "{unit} is neither infantry nor cavalry, and takes no replacements"),
        (giver not in (None, nation), "15.0", foreign),
    )
    return holding(clauses, unit=unit.id)


def bars_of_amount(view: View, unit: Unit, steps: int, room: int, left: int) -> list[Step]:
    """Return the reasons why the unit cannot take `steps` replacements.

    `room`: the number of steps missing from its full strength.
    `left`: the number of replacements that its nation has left.

    Rule: 15.1, 15.1.2
    """
    limit, taken = segment_limit(view, unit), view.integer(TAKEN_TRACK, unit.id)
    over_limit = "{unit} takes at most {limit:#replacement} in a segment, {taken} so far"
    clauses = (
        (not room, "15.1.2", "{unit} is at its full strength"),
        (0 < room < steps, "15.1.2", "{unit} lacks only {room:#step} of its full strength"),
        (taken + steps > limit, "15.1.2", over_limit),
        (steps > left, "15.1", "the nation has {left:#such replacement} left"),
    )
    return holding(clauses, unit=unit.id, room=room, limit=limit, taken=taken, left=left)


def segment_limit(view: View, unit: Unit) -> int:
    """Return the steps that a unit may take in a segment: two for an infantry division, else one. Rule: 15.1.2"""
    return 2 if (view.word("arm", unit.id), view.word("size", unit.id)) == ("infantry", "XX") else 1


def most_steps(view: View, unit: Unit, room: int) -> int:
    """Return the steps that infantry or cavalry may still take, up to full strength.

    `room`: the number of steps missing from its full strength.

    Rule: 15.1.2
    """
    left = points_left(view, view.word("nation", unit.id), POINTS[view.word("arm", unit.id)])
    most = min(room, segment_limit(view, unit) - view.integer(TAKEN_TRACK, unit.id))
    return max(most if left is None else min(most, left), 0)


_AS_IT_IS: Memo[None, View] = Memo()
"""The view in which Isolation is judged at present."""


def is_held_isolated(view: View, unit: Unit) -> bool:
    """Return whether a unit counts as Isolated when replacements are allocated.

    It does if its side's last Supply Phase has marked it. By ruling repl-isolated it does if it is Out of Supply and
    has no line to an RR line now, provided that every way is known.

    Rule: 15.1.1
    """
    marked = view.flag("isolated", unit.id)
    if not (unit.place and view.word("supply", unit.id) == "out"):
        return marked
    side = view.side_of(unit.id)
    # one view for all units, so that its supply ground is built once
    apart = view.memo(_AS_IT_IS, None, lambda *_: view.quiet_view())
    now = if_known(apart, lambda _: known_isolation(apart, unit, side))
    if now in (None, marked) or view.ruling("repl-isolated") == "marked":
        return marked
    return bool(known_isolation(view, unit, side))


# --- replacements in a position ---------------------------------------------------------------------------------------


def points_left(view: View, nation: str, points: Points) -> int | None:
    """Return the replacements left to a nation, as stated or in the turn record, or None if neither says.

    Rule: 15.0
    """
    if view.fact(points, nation) is not None:
        return view.integer(points, nation)
    return record_figure(view, f"{nation}-{points}")


def require_replacements(facts: Gather, nation: str, points: Points) -> int:
    """Return the replacements left to a nation, which are asked for if they are not known."""
    left = points_left(facts.view, nation, points)
    if left is None:
        asked = ask_for_fact(facts.view.game.track(points), nation)
        how = f"{asked.how}, or enter {nation}-{points}: assistant pack enter twilight-in-the-east turns"
        facts.ask(replace(asked, how=how))
    return left or 0


def read_room(facts: Gather, unit: Unit) -> tuple[CombatUnit, int, int]:
    """Return a unit's strength, the steps of its full side, and the number of steps missing from it.

    The steps of the full side are 0 if they do not matter.
    """
    strength = gather_unit(facts, unit, None)
    full = full_steps(facts, strength, IMPOSSIBLE_STEPS)
    return strength, full, max((full or strength.steps) - strength.left, 0)


def reduced_units(view: View) -> list[Unit]:
    """Return the infantry and cavalry in play that have lost steps, only of the viewpoint's own side.

    Raises MissingFacts if the arm or nation of such a unit is not stated.
    """
    shown = [unit for unit in view.units() if unit.place is not None and is_shown(view, view.side_of(unit.id))]
    with view.gather() as facts:
        lost = [unit for unit in shown if view.integer("lost", unit.id) or view.flag("reduced", unit.id)]
        return [unit for unit in lost if facts.word("arm", unit.id) in POINTS and facts.word("nation", unit.id)]


def nations_in(view: View, units: Iterable[Unit]) -> list[str]:
    """Return the nations of units, and those whose replacements are stated, only of the viewpoint's own side."""
    stated = {nation for points in POINTS.values() for nation in view.stated_about.get(points, ())}
    known = stated | {view.word("nation", unit.id) for unit in units}
    nations = (nation for nation in view.game.track("nation").values if nation in known)
    return [nation for nation in nations if is_shown(view, view.game.side_of(nation))]


def find_takers(view: View, nation: str, points: Points) -> list[str]:
    """Return the reduced units of a nation that may still take some of its replacements, by the stated facts."""
    takers = []
    for unit in reduced_units(view):
        own = (view.word("nation", unit.id), POINTS[view.word("arm", unit.id)]) == (nation, points)
        if own and most_steps(view, unit, room=1) and not bars_of_state(view, unit):
            takers.append(unit.id)
    return takers
