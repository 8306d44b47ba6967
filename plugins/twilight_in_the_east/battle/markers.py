"""The Prepared Attack markers that a combat takes off (8.4, 10.3)."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from assistant.questions.view import View, changed
from assistant.state.changes import Change

from ..results.combat import Combat
from ..results.outcome_report import BattleOutcome
from .marches import units_in


def markers_off(view: View, combat: Combat, after: BattleOutcome, gone: Collection[str]) -> Iterator[Change]:
    """The markers that come off, each once: of units that a Repulse makes retreat, wherever it points; of attackers, those that pointed at
    an empty hex, and those that this attack has spent. gone: the units that are off the map.
    Rule: 8.4.3, 10.3b
    """
    engagement, pushed = combat.engagement, repulsed(combat, after)
    rules = {name: "8.4.3" for name in pushed if view.word("prepared", name)}
    bearers = [unit for unit in engagement.attackers if unit.prepared and unit.id not in (*rules, *gone)]
    spent = [unit.id for unit in bearers if unit.prepared == engagement.at]
    rules |= {unit.id: "10.3" for unit in bearers if unit.id not in spent}
    if view.ruling("prepared-spent", bool(spent)) == "off":
        rules |= dict.fromkeys(spent, "8.4")
    yield from (changed(view, "prepared", name, None, rule) for name, rule in rules.items() if name not in gone)


def repulsed(combat: Combat, after: BattleOutcome) -> list[str]:
    """The units that a Repulse makes retreat."""
    legs = [leg for leg in after.retreats if leg.cause == "repulse"]
    return [name for leg in legs for force in leg.forces for name in units_in(combat, leg, force.force)]
