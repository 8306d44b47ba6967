"""What a position says of replacements: those left to each nation, and the reduced units that may take them (15)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from assistant.asking import Gather, View, if_known
from assistant.asking.asks import ask_for_fact
from assistant.state.state import Unit
from assistant.util.memo import Memo

from ..forces.armies import is_shown
from ..forces.gains import MANY, full_steps
from ..forces.unit import gather_unit
from ..forces.units import CombatUnit
from ..ground.calendar import record_figure
from ..supply.isolation import known_isolation
from .rules import POINTS, Points, Reduced, bars_of_state, most_steps

TAKEN = "repl-taken"
"""The track of what a unit has had in the segment."""


def points_left(view: View, nation: str, points: Points) -> int | None:
    """Return the replacements left to a nation: as stated, or else as the record of the turn shows them; None if
    neither says. Rule: 15.0
    """
    if view.fact(points, nation) is not None:
        return view.integer(points, nation)
    return record_figure(view, f"{nation}-{points}")


def require_replacements(facts: Gather, nation: str, points: Points) -> int:
    """Return the replacements left to a nation, which are asked for if neither the position nor the record of the turn
    says.
    """
    left = points_left(facts.view, nation, points)
    if left is None:
        asked = ask_for_fact(facts.view.game.track(points), nation)
        how = f"{asked.how}, or enter {nation}-{points}: assistant pack enter twilight-in-the-east turns"
        facts.ask(replace(asked, how=how))
    return left or 0


def read_reduced(facts: Gather, unit: Unit) -> tuple[Reduced, CombatUnit, int]:
    """Return a unit as replacements see it, with its strength, and the steps of its full side where these matter, else
    0.
    """
    strength = gather_unit(facts, unit, None)
    full = full_steps(facts, strength, MANY)
    reduced = as_stated(facts.view, unit)
    return replace(reduced, room=max((full or strength.steps) - strength.left, 0)), strength, full


def as_stated(view: View, unit: Unit) -> Reduced:
    """Return a unit as replacements see it, but for the steps that it lacks, as far as is stated."""
    return Reduced(
        unit.id,
        view.word("nation", unit.id),
        view.word("arm", unit.id),
        view.word("size", unit.id),
        taken=view.integer(TAKEN, unit.id),
        isolated=is_held_isolated(view, unit),
        in_play=unit.place is not None,
    )


_AS_IT_IS: Memo[None, View] = Memo()
"""The view in which Isolation is judged as it is now."""


def is_held_isolated(view: View, unit: Unit) -> bool:
    """Return whether a unit is Isolated as replacements are allocated: if its side's last Supply Phase has marked it;
    by ruling repl-isolated, where every way is known, if it is Out of Supply and has no line to an RR line now. Rule:
    15.1.1
    """
    marked = view.flag("isolated", unit.id)
    if not (unit.place and view.word("supply", unit.id) == "out"):
        return marked
    side = view.side_of(unit.id)
    apart = view.memo(_AS_IT_IS, None, lambda *_: view.unnoticed())  # one, so that its ground is made ready once
    now = if_known(apart, lambda _: known_isolation(apart, unit, side))
    if now in (None, marked) or view.ruling("repl-isolated") == "marked":
        return marked
    return bool(known_isolation(view, unit, side))


def reduced_units(view: View) -> list[Unit]:
    """Return the infantry and cavalry in play that has lost steps, as far as the viewpoint shows it: of its own side
    alone. Raises MissingFacts for arm and nation of units that have lost some.
    """
    shown = [unit for unit in view.units() if unit.place is not None and is_shown(view, view.side_of(unit.id))]
    with view.gather() as facts:
        lost = [unit for unit in shown if view.integer("lost", unit.id) or view.flag("reduced", unit.id)]
        return [unit for unit in lost if facts.word("arm", unit.id) in POINTS and facts.word("nation", unit.id)]


def nations_in(view: View, units: Iterable[Unit]) -> list[str]:
    """Return the nations of some units, and those of which replacements are stated, in the order of the game; those of
    the viewpoint's own side alone.
    """
    stated = {nation for points in POINTS.values() for nation in view.stated_about.get(points, ())}
    known = stated | {view.word("nation", unit.id) for unit in units}
    nations = (nation for nation in view.game.track("nation").values if nation in known)
    return [nation for nation in nations if is_shown(view, view.game.side_of(nation))]


def find_takers(view: View, nation: str, points: Points) -> list[str]:
    """Return the reduced units of a nation that may still take some of its replacements, as far as is stated: what they
    lack is at least a step.
    """
    left = points_left(view, nation, points)
    able = (replace(as_stated(view, unit), room=1) for unit in reduced_units(view))
    own = (unit for unit in able if (unit.nation, POINTS[unit.arm]) == (nation, points))
    return [unit.id for unit in own if most_steps(unit, left) and not bars_of_state(unit)]
