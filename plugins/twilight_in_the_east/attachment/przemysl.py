"""The track of the Przemysl Garrison: when it is in use, and for which formations (23.6)."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.asking import Gather, View
from assistant.state.state import Unit

from ..combat.garrisons import known_inside
from ..forces.armies import PRZEMYSL_GARRISON, army_of, is_asset_unit
from ..ground.calendar import in_campaign
from ..supply.isolation import known_isolation
from ..terms import COMBAT_ARMS, FIELD_ARMS

PRZEMYSL = "42.88"
"""The hex of the city, in its Fortress Complex."""
OUTSIDE = "it does not stand in a fortress hex of Przemysl"
ON_TRACK = "its marker goes on the track of the Przemysl Garrison"
SUPPLIED = "not all units in its hex are Isolated"


def why_off_track(*, inside: bool, isolated: bool) -> str:
    """Return why a formation is not on the track of the Przemysl Garrison, "" if it is: it serves only those in a
    fortress hex of Przemysl in which all units are Isolated.
    Rule: 23.6
    """
    if not inside:
        return OUTSIDE
    return "" if isolated else SUPPLIED


def why_not_garrison(facts: Gather, unit: Unit) -> str:
    """Return why a formation is not on the track in a position, "" if it is. What complex fortress units belong to is
    asked for.
    Rule: 23.6
    """
    inside = known_inside(facts, PRZEMYSL, str(unit.place))
    return why_off_track(inside=inside, isolated=inside and _is_cut_off(facts, unit))


def _is_cut_off(facts: Gather, unit: Unit) -> bool:
    """Return whether all units in a unit's hex are Isolated: as they are marked, or by ruling przemysl-isolated as the
    hex has no line to an RR line, whether or not its fortress supplies them.
    """
    view = facts.view
    there = [other.id for other in view.stack(str(unit.place)) if facts.word("arm", other.id) in FIELD_ARMS]
    if all(facts.flag("isolated", name) for name in there):
        return True
    if not known_isolation(view, unit, "central-powers"):
        return False
    return view.ruling("przemysl-isolated") == "cut-off"


def misplaced_formations(view: View) -> Iterator[tuple[str, str]]:
    """Yield the formations that are on the track and should not be, or should be and are not, each with why, in the
    campaign. Raises MissingFacts for what that turns on. Rule: 23.6
    """
    own = [unit for unit in view.units() if unit.place and view.word("nation", unit.id) == "austro-hungarian"]
    with view.gather() as facts:
        formations = [unit for unit in own if facts.word("arm", unit.id) in COMBAT_ARMS]
        formations = [unit for unit in formations if not is_asset_unit(facts, unit.id)]
        reasons = {unit.id: why_not_garrison(facts, unit) for unit in formations}
    recorded = {unit for unit in reasons if army_of(view, unit) == PRZEMYSL_GARRISON}
    wrong = [(unit, why) for unit, why in reasons.items() if why and unit in recorded]
    wrong += [(unit, ON_TRACK) for unit, why in reasons.items() if not why and unit not in recorded]
    if wrong and in_campaign(view, "23.6", "the track of the Przemysl Garrison is used"):
        yield from wrong
