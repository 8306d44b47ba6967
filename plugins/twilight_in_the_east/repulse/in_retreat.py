"""A Repulse in a retreat read as a combat: the position as the combat has left it so far, and who stands against whom
in it (8.5)."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from assistant.questions import View, step
from assistant.questions.view import changed
from assistant.state.changes import Change

from ..combat.engagement import column_shifts, final_odds, initial_odds, rounded_total
from ..combat.pieces import Pieces, Toll, unit_of
from ..combat.reckoning import Combat, combat_of
from ..combat.setup import engage
from ..forces.reading import fighting, gather_unit
from ..forces.step_changes import step_losses
from ..forces.units import SIDES
from .rules import as_repulse, parameters_of, withheld_from


def position_now(pieces: Pieces, toll: Toll, standing: Mapping[str, str], *, quiet: bool = False) -> View:
    """The position as a combat has left it so far. standing: units on their way, each with the hex where it stands; quiet: whether what is read of
    it is no doubt of the report."""
    view, places = pieces.view.unnoticed() if quiet else pieces.view, {**dict(toll.moved), **standing}
    changes: list[Change] = []
    for name, lost in toll.steps:
        if places.get(name) != "":
            changes += step_losses(view, unit_of(view, name), lost)
    changes += [
        changed(view, "cel", name, view.integer("cel", name) - levels, "11.2.5") for name, levels in toll.levels
    ]
    changes += [changed(view, "disorder", name, degree, "11.3.2") for name, degree in toll.disorder]
    gone = {change.subject for change in changes if change.track == "place"}
    for name, place in places.items():
        if name not in gone and place != view.unit(name).place:
            changes.append(changed(view, "place", name, place or None, "11.2.1"))
    return view.after(changes)


def engage_in_retreat(view: View, at: str, here: str, units: Collection[str]) -> Combat:
    """The Repulse of a hex by some units in another one, as a combat. Who of a stack defends is chosen for its owner.

    view: of the position as it is by now. Raises MissingFacts for what it needs and is not stated. Rule: 8.5.1, 8.5.2
    """
    with view.gather() as facts:
        beside = [unit.id for unit in view.stack(here)]
        there = [gather_unit(facts, unit, None) for unit in fighting(facts, at)]
    if out := withheld_from(there):
        text = "{units} do not defend against the Repulse of {at}: one arm and two divisions do (its owner may choose others)"
        view.presume(step("8.5.5", text, units=list(out), at=at))
    engagement = as_repulse(engage(view, parameters_of(at, here, beside, units, out)))
    attack, defence = (
        rounded_total([engagement.strengths(unit, role)[0] for unit in engagement.side(role)]) for role in SIDES
    )
    _, final = final_odds(attack, defence, column_shifts(engagement))
    return combat_of(engagement, final, "", initial_odds(attack, defence))
