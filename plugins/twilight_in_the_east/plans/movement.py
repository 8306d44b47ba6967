"""The movement of infantry under a Strategic Plan, for all questions that let units move (21.1.4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from assistant.asking import Gather, Step, View, holding, step
from assistant.state.state import Unit

from ..forces.account import begun_at
from ..forces.armies import formation_attached_to, gather_attached, stated_areas
from ..forces.objectives import (
    ACHIEVED,
    OUTCOME,
    bound_forces,
    corps_force,
    force_followed,
    force_title,
    forces_stated,
    known_objectives,
)
from ..forces.units import is_demoralized
from .rules import ends_closer

RULE = "21.1.4"
NO_CLOSER = "no closer to {objectives}: infantry under the Strategic Plan of {force} may pass through but not end there"
"""The reason why a move may not end in a hex, as a template."""


class Goal(NamedTuple):
    """The objectives that a unit must approach in a phase in which it leaves its hex."""

    force: str
    """The force whose Strategic Plan binds the unit."""
    title: str
    """The title of the force."""
    hexes: tuple[str, ...]
    """The objectives."""
    start: str
    """The hex in which the unit began the phase."""

    def allows(self, view: View, end: str | None, start: str = "") -> bool:
        """Return whether the unit may end its move in a hex.

        `end`: the last hex, or None if that is a box or off the map.
        `start`: the hex at the beginning of a later phase.
        """
        hex = end if view.board.is_hex(end) else None
        return ends_closer(start or self.start, hex, self.hexes, view.board.distance)

    @property
    def places(self) -> str:
        return " or ".join(each.name for each in known_objectives()[self.force])

    @property
    def why(self) -> str:
        """The reason why the unit may not end its move elsewhere, in words."""
        return step(RULE, NO_CLOSER, force=self.title, objectives=self.places).text


def goal_of(facts: Gather, unit: Unit) -> Goal | None:
    """Return the goal of a unit that leaves its hex in this phase, or None if no plan in force binds it.

    Only infantry is bound, except in a Demoralized formation. If the army or its plan is not stated, the report assumes
    that no plan binds the unit.

    Raises MissingFacts for facts that may exempt the unit.

    Rule: 21.1.4
    """
    view = facts.view
    side = facts.view.side_of(unit.id)
    if not forces_stated(view) or facts.word("arm", unit.id) != "infantry":
        return None
    known = stated_areas(view)
    attached = gather_attached(facts, known, unit)
    formation = view.unit(attached.joined) if attached.joined else formation_attached_to(facts, unit)
    with_ = gather_attached(facts, known, formation)
    corps = corps_force(side, with_.corps)
    force = force_followed(corps, with_.army, bound_forces(view), _find_achieved_forces(view))
    if not with_.army and not force:
        view.premises.assume(step(RULE, "no Strategic Plan binds {unit} (its army is not stated)", unit=unit.id))
    for own in (corps, with_.army):
        if own in known_objectives().keys() - forces_stated(view):
            text = "no Strategic Plan binds {force} (not stated)"
            view.premises.assume(step(RULE, text, force=force_title(view, own)))
    if not force:
        return None
    if is_demoralized(-facts.integer("cel", with_.id), facts.integer("disorder", with_.id)):
        return None
    start = begun_at(view, unit)
    if not view.board.is_hex(start):
        return None  # a unit that comes out of a box starts in no hex
    hexes = tuple(objective.hex for objective in known_objectives()[force])
    return Goal(force, force_title(view, force), hexes, start)


def _find_achieved_forces(view: View) -> list[str]:
    return [force for force in view.stated_about.get(OUTCOME, ()) if view.word(OUTCOME, force) == ACHIEVED]


def goals_of(facts: Gather, units: Iterable[Unit]) -> dict[str, Goal]:
    """Return the goals of the units that a plan binds, by id."""
    goals = {unit.id: goal_of(facts, unit) for unit in units}
    return {unit: goal for unit, goal in goals.items() if goal}


def steps_against(view: View, goals: Mapping[str, Goal], last_hexes: Mapping[str, str | None]) -> list[Step]:
    """Return why units may not end the phase in these hexes.

    They have left their own hexes and are no closer to an objective.

    `goals`: the goals of the units that a plan binds.
    `last_hexes`: the hex of each unit that leaves its own, or None off the map.

    Rule: 21.1.4
    """
    alike = dict[tuple[str, str], list[str]]()
    for unit, goal in goals.items():
        if not goal.allows(view, last_hexes[unit]):
            alike.setdefault((goal.title, goal.places), []).append(unit)
    steps = list[Step]()
    for (force, places), units in alike.items():
        text = "{units} would end the phase no closer to {objectives}, against the Strategic Plan of {force}"
        steps += holding([(units, "21.1.4", text)], units=units, objectives=places, force=force)
    return steps
