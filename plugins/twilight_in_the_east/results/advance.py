"""Who may advance into the hex that the defenders have left (11.4)."""

from __future__ import annotations

import msgspec

from ..forces.units import CombatUnit
from .combat import Combat
from .outcome import BattleOutcome


def advancing(combat: Combat, after: BattleOutcome) -> BattleOutcome:
    """The outcome once all dice are rolled, with who may advance: not who retreats, nor a Fortress Garrison, nor artillery over an
    un-bridged Major or Grand River, where a bridge that is not stated counts as none. Units withheld never do.
    Rule: 11.4, 11.4.2
    """
    checked = {check.force for check in after.checks if check.side == "attacker"}
    staying = checked - {duty.force for duty in after.obligations} if after.vacated else set[str]()
    lost = after.lost()
    may: list[CombatUnit] = []
    stay: list[CombatUnit] = []
    for place, stack in combat.forces["attacker"].items():
        dry = combat.engagement.bridged.get(place, True)
        units = (unit for force in stack if force.name in staying for unit in force.units if not unit.garrison)
        for unit in units:
            if lost[unit.id] < unit.left:
                (may if dry or unit.arm != "artillery" else stay).append(unit)
    return msgspec.structs.replace(
        after, advance=tuple(unit.id for unit in may), guns_stay=tuple(unit.id for unit in stay)
    )
