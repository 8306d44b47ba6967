"""What a position says of replacements: those left to each nation, and the reduced units that may take them (15)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from assistant.asking import Gather, View
from assistant.asking.asks import ask_for_fact
from assistant.asking.case import list_bars
from assistant.state.state import Unit

from ..forces.armies import is_shown
from ..forces.gains import MANY, full_steps
from ..forces.unit import gather_unit
from ..forces.units import CombatUnit
from ..ground.calendar import record_figure
from .rules import POINTS, TAKEN, Points, Taking


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


def read_taking(facts: Gather, unit: Unit) -> tuple[Taking, CombatUnit, int]:
    """Return a unit that would take replacements of its nation, with its strength, and the steps of its full side where
    these matter, else 0.
    """
    strength = gather_unit(facts, unit, None)
    full = full_steps(facts, strength, MANY)
    return as_stated(facts.view, unit, room=max((full or strength.steps) - strength.left, 0)), strength, full


def as_stated(view: View, unit: Unit, giver: str = "", room: int = 0) -> Taking:
    """Return a unit that would take replacements, as far as is stated. room: the steps that it lacks."""
    nation, arm = view.word("nation", unit.id), view.word("arm", unit.id)
    return Taking(
        view=view,
        unit=unit.id,
        nation=nation,
        arm=arm,
        size=view.word("size", unit.id),
        on_map=unit.place is not None,
        taken=view.integer(TAKEN, unit.id),
        room=room,
        giver=giver or nation,
        left=points_left(view, nation, POINTS[arm]) if arm in POINTS else 0,
    )


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
    able = (as_stated(view, unit, room=1) for unit in reduced_units(view))
    own = (unit for unit in able if (unit.nation, POINTS[unit.arm]) == (nation, points))
    return [unit.unit for unit in own if unit.most and not list_bars(unit.bars_of_state)]
