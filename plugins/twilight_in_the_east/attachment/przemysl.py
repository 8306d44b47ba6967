"""The track of the Przemysl Garrison: its use, and the formations on it (23.6)."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.asking import MissingFacts, View
from assistant.asking.case import fact
from assistant.asking.permission import Clause
from assistant.state.state import Unit

from ..combat.garrisons import known_inside
from ..forces.armies import PRZEMYSL_GARRISON, Judged, army_of, is_asset_unit, judge
from ..ground.calendar import in_campaign
from ..supply.isolation import known_isolation
from ..terms import COMBAT_ARMS, FIELD_ARMS

PRZEMYSL = "42.88"
"""The hex of the city, in its Fortress Complex."""
ON_TRACK_TEXT = "its marker goes on the track of the Przemysl Garrison"


class OnGarrisonTrack(Judged):
    """A formation on the track of the Przemysl Garrison."""

    unit: Unit

    @fact
    def in_fortress_hex(self) -> bool:
        """It stands in a fortress hex of Przemysl."""
        return known_inside(self.facts, PRZEMYSL, str(self.unit.place))

    @fact
    def all_isolated(self) -> bool:
        """All units in its hex are Isolated.

        They are marked Isolated; or, by ruling przemysl-isolated, no line leads from the hex to an RR line, even if the
        fortress supplies the units.
        """
        stack = self.view.stack(str(self.unit.place))
        there = [other.id for other in stack if self.facts.word("arm", other.id) in FIELD_ARMS]
        if all(self.facts.flag("isolated", name) for name in there):
            return True
        cut_off = bool(known_isolation(self.view, self.unit, "central-powers"))
        return cut_off and self.view.ruling("przemysl-isolated") == "cut-off"

    def bars(self) -> Iterator[Clause]:
        """Yield the bars to the track, which serves formations in a fortress hex in which all units are Isolated.

        Rule: 23.6
        """
        yield not self.in_fortress_hex, "23.6", "it does not stand in a fortress hex of Przemysl"
        yield self.in_fortress_hex and not self.all_isolated, "23.6", "not all units in its hex are Isolated"


def misplaced_formations(view: View) -> Iterator[tuple[str, str]]:
    """Yield the formations that are wrongly on the track or off it in the campaign, each with the reason.

    Raises MissingFacts if an unstated fact decides one.

    Rule: 23.6
    """
    own = [unit for unit in view.units() if unit.place and view.word("nation", unit.id) == "austro-hungarian"]
    with view.gather() as facts:
        formations = [unit for unit in own if facts.word("arm", unit.id) in COMBAT_ARMS]
        formations = [unit for unit in formations if not is_asset_unit(facts, unit.id)]
    breaches, asks = judge(OnGarrisonTrack(view=view, about=unit.id, unit=unit) for unit in formations)
    if asks:
        raise MissingFacts(asks)
    off = {breach.about: breach.why for breach in breaches}
    recorded = {unit.id for unit in formations if army_of(view, unit.id) == PRZEMYSL_GARRISON}
    wrong = [(name, why) for name, why in off.items() if name in recorded]
    wrong += [(unit.id, ON_TRACK_TEXT) for unit in formations if unit.id not in recorded | off.keys()]
    if wrong and in_campaign(view, "23.6", "the track of the Przemysl Garrison is used"):
        yield from wrong
