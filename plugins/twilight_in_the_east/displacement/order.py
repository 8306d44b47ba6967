"""In which order a move goes on that makes units displace and lets cavalry react (9.1.2, 9.5.1, 9.8.1)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from assistant.asking import Gather, Step, View, step
from assistant.rules.field import side_of
from assistant.state.state import Unit

from ..ground.hexsides import around_side
from ..terms import COMBAT_ARMS, DEPOTS, SUPPLY_ARMS
from .rules import Exposed, reasons_to_stay_by_rail, say_first

EITHER_WAY = {"artillery": "9.5.1", "corps-train": "9.8.1"}
"""The arms of units that go before or after a reaction of cavalry, as their owner chooses, each with its rule."""


def order_steps(hex: str, cavalry: Collection[str], displacing: Mapping[str, str]) -> Iterator[Step]:
    """Yield the order in which a move goes on once units have entered a hex: reactions are announced and made, and
    units leave their hexes, before it does; artillery and Corps Trains leave before or after the reaction, as their
    owner chooses.

    cavalry: that may react; displacing: the units that leave, with their arms.
    Rule: 9.1.2, 9.5.1b, 9.8.1c
    """
    if cavalry:
        text = (
            "{hex}: stop here and announce that a unit is adjacent to {cavalry}; its owner says at once whether it "
            "reacts, and it moves its one hex before the move goes on"
        )
        yield step("9.1.2", text, hex=hex, cavalry=list(cavalry))
    for arm, rule in (*EITHER_WAY.items(), *((depot, "9.9") for depot in DEPOTS)):
        units = [unit for unit, its_arm in displacing.items() if its_arm == arm]
        text = (
            "{hex}: {units} [several:leave their hexes|leaves its hex] before the move goes on"
            "[either_way:, and before or after the reaction of {cavalry}, as the owner chooses]"
        )
        either_way = cavalry and arm in EITHER_WAY
        if units:
            yield step(
                rule, text, hex=hex, units=units, cavalry=list(cavalry), several=len(units) > 1, either_way=either_way
            )


def is_train_caught(view: View, unit: Unit) -> bool:
    """Return whether enemies adjacent to a unit in Rail Mode make it displace along the line: not while it is under way
    off the map.
    """
    if not view.flag("entrained", unit.id):
        return False
    return not say_first(reasons_to_stay_by_rail(view, unit.id, str(unit.place), view.side_of(unit.id)))


def has_to_leave(facts: Gather, unit: Unit, without: Collection[str] = ()) -> bool:
    """Return whether a unit has to leave its hex: a depot next to an enemy; artillery or a Corps Train in an EZOC
    without a friendly combat unit. Those in Rail Mode have a rule of their own.

    without: units that are taken to be elsewhere. Rule: 9.5.1, 9.8.1, 9.9
    """
    arm = facts.word("arm", unit.id)
    if arm not in ("artillery", *SUPPLY_ARMS) or facts.flag("entrained", unit.id):
        return False
    around = around_side(facts, side_of(facts, unit))
    if arm in DEPOTS:
        return around.next_to_enemy(str(unit.place))
    place = str(unit.place)
    beside = [other.id for other in facts.view.stack(place) if other.id not in without]
    fighting = tuple(other for other in beside if facts.word("arm", other) in COMBAT_ARMS)
    return Exposed(facts.view, unit.id, arm, place, place in around.enemy_zones, fighting).must_leave
