"""Die rolls, choices and missing facts that become due as units enter and leave hexes.

Among them are artillery, Corps Trains, depots and units in Rail Mode that must leave hexes adjacent to enemies (8.2.4,
9.5, 9.8, 9.9).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import partial
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from assistant.asking import Gather, View
from assistant.asking.permission import Clause, if_known
from assistant.asking.view import changed
from assistant.rules.field import side_of
from assistant.state.changes import Change
from assistant.state.state import Unit

from ..concealment.cover import option_of, unseen_near
from ..forces.markers import is_guarded
from ..ground.hexsides import around_side
from ..ground.works import hexes_bringing_down, pontoons
from ..railways.interference import arms_beside, has_begun_detraining, must_displace
from ..terms import COMBAT_ARMS, DEPOTS, DISPLACING, FIELD_ARMS, HALF_HEXES, KG_TRAIN, SUPPLY_ARMS, TOWN_OPEN
from .arrival import Arrival

MUST_LEAVE = "must-leave"
"""Track: the hex that a unit may have to leave, then the hex from which an enemy threatens it."""
ABANDONMENT_DIE = "abandonment-die"
"""Track: whether a die is due for the abandonment of a bridgehead (12.5.1)."""
TO_TURN_OVER = "to-turn-over"
"""Track: whether the concealed units in a hex are to be turned over (26.2.4)."""
BRIDGE_OPEN = "bridge-open"
"""Track: the hexes whose enemies may bring a pontoon bridge of an unstated side down (18.1)."""


class Trigger(msgspec.Struct, frozen=True):
    """The facts that may make a garrison abandon a bridgehead."""

    enemy: tuple[str, ...]
    """The Russian combat units adjacent to the bridgehead."""
    friend: tuple[str, ...]
    """The Austro-Hungarian combat units in the bridgehead."""
    tested: bool
    """Whether a die has already been rolled for the bridgehead."""
    owed: bool = False
    """Whether an earlier die roll is still pending."""

    @property
    def due(self) -> bool:
        """Whether a die roll is due; there is only one.

        It is due when a Russian combat unit is adjacent and no Austro-Hungarian one is in the hex.

        Rule: 12.5.1
        """
        return (self.owed or (bool(self.enemy) and not self.friend)) and not self.tested


def bridgehead_trigger(facts: Gather | View, unit: str, place: str) -> Trigger:
    """Return the facts that may make the garrison of a bridgehead abandon it.

    `facts`: a `Gather`, which asks for missing facts, or a view.
    """
    view = facts.view if isinstance(facts, Gather) else facts
    enemy = tuple(
        russian for hex in view.board.neighbours(place) for russian in _find_combat_units(facts, hex, "russian")
    )
    friend = tuple(other for other in _find_combat_units(facts, place, "austro-hungarian") if other != unit)
    return Trigger(enemy, friend, facts.flag("tested", unit), facts.flag(ABANDONMENT_DIE, unit))


def _find_combat_units(facts: Gather | View, hex: str, nation: str) -> list[str]:
    view = facts.view if isinstance(facts, Gather) else facts
    there = [unit.id for unit in view.stack(hex)]
    return [unit for unit in there if facts.word("nation", unit) == nation and facts.word("arm", unit) in COMBAT_ARMS]


def may_be_bridgehead(view: View, unit: Unit) -> bool:
    """Return whether a unit is known to be an Austro-Hungarian Fort, as all bridgeheads are."""
    return view.word("arm", unit.id) == "fort" and view.word("nation", unit.id) == "austro-hungarian"


def owed_bridgeheads(arrival: Arrival) -> Iterator[Change]:
    """Yield the bridgeheads for which a die is due.

    A Russian combat unit has come adjacent to a bridgehead without an Austro-Hungarian combat unit, or the last such
    unit has left it (12.5.1).
    """
    view = arrival.after
    comes = arrival.of_arm(COMBAT_ARMS)
    russian = [unit for unit in comes if view.word("nation", unit) == "russian"]
    near: Iterable[str]
    if russian:
        near = arrival.beside(arrival.entered)
    elif comes:
        near = arrival.left
    else:
        near = ()
    forts = [unit for hex in near for unit in view.stack(hex) if may_be_bridgehead(view, unit)]
    for fort in forts:
        trigger = bridgehead_trigger(view, fort.id, str(fort.place))
        if replace(trigger, enemy=(*russian, *trigger.enemy)).due:
            yield changed(view, ABANDONMENT_DIE, fort.id, True, "12.5.1")


def owed_stacks(arrival: Arrival) -> Iterator[Change]:
    """Yield the adjacent hexes without visible units: the concealed units there are turned over (26.2.4)."""
    view = arrival.after
    if not arrival.is_rumour and option_of(view) == "concealment":
        for hex in unseen_near(view, arrival.entered, arrival.side):
            yield changed(view, TO_TURN_OVER, hex, True, "26.2.4")


def owed_towns(arrival: Arrival) -> Iterator[Change]:
    """Yield the starred towns that troops enter if their holder is not stated (27.2.4)."""
    for hex, _, holder in arrival.towns:
        if not holder:
            yield changed(arrival.after, TOWN_OPEN, hex, arrival.side, "27.2.4")


def owed_bridges(arrival: Arrival) -> Iterator[Change]:
    """Yield the pontoon bridges of unstated sides adjacent to the moving units (18.1)."""
    view = arrival.after
    if arrival.entered:
        for bridge in pontoons(view):
            if not bridge.nation and (hexes := hexes_bringing_down(view, bridge, arrival.entered)):
                yield changed(view, BRIDGE_OPEN, bridge.hexside, " ".join(sorted(hexes)), "18.1")


OBLIGATION_FINDERS = (owed_bridgeheads, owed_bridges, owed_stacks, owed_towns)
"""The functions that yield what becomes due after a step, except departures."""


def owed_departures(arrival: Arrival, known: Collection[str] = ()) -> Iterator[Change]:
    """Yield a change for each unit of either side that must leave its hex at once, or may have to.

    An enemy has come adjacent to the unit, or its own side has left it alone next to an enemy. A missing fact may
    decide. The question `displace` determines the unit's fate.

    `known`: units that must leave already.

    Rule: 8.2.4b, 9.5.1, 9.8.1, 9.9
    """
    view = arrival.after
    for unit in (*_find_trains_caught(arrival), *_find_units_exposed(arrival, known)):
        if view.word(MUST_LEAVE, unit.id).startswith(str(unit.place)):
            continue  # noted before, when an enemy first came adjacent to the unit
        rule = "8.2.4" if view.flag("entrained", unit.id) else DISPLACING[view.word("arm", unit.id)][1]
        hexes = (str(unit.place), *(arrival.entered[:1] if arrival.is_enemy(unit.id) else ()))
        yield changed(view, MUST_LEAVE, unit.id, " ".join(hexes), rule)


def owed_by_units(now: View, before: View, units: Iterable[str]) -> Iterator[Change]:
    """Yield a change of the earlier position for each unit that may have to leave its hex.

    Changes already due are left out.
    """
    for unit in map(now.unit, units):
        if unit.place is None or now.word(MUST_LEAVE, unit.id).startswith(unit.place):
            continue
        rule = "8.2.4" if now.flag("entrained", unit.id) else DISPLACING[now.word("arm", unit.id)][1]
        yield changed(before, MUST_LEAVE, unit.id, unit.place, rule)


def _find_units_exposed(arrival: Arrival, known: Collection[str]) -> list[Unit]:
    """Return the artillery, Corps Trains and depots around a step that must or may have to leave their hexes.

    `known`: units that must leave already.
    """
    now = arrival.after
    near = arrival.beside((*arrival.left, *arrival.entered))
    there = [unit for hex in near for unit in now.stack(hex) if now.word("arm", unit.id) in DISPLACING]
    others = (unit for unit in there if unit.id not in known)
    return [unit for unit in others if if_known(now, partial(has_to_leave, unit=unit)) is not False]


def _find_trains_caught(arrival: Arrival) -> list[Unit]:
    """Return the units in Rail Mode to which combat units or artillery come adjacent. Rule: 8.2.4b"""
    near = arrival.beside(arrival.entered) if arrival.of_arm(FIELD_ARMS) else ()
    enemies = [unit for hex in near for unit in arrival.after.stack(hex) if arrival.is_enemy(unit.id)]
    return [unit for unit in enemies if is_train_caught(arrival.after, unit)]


class Exposed(NamedTuple):
    """Artillery or a Corps Train with its surroundings."""

    view: View
    unit: str
    arm: str
    place: str
    threatened: bool
    """Whether the unit is in an EZOC."""
    company: tuple[str, ...]
    """The friendly combat units in the unit's hex."""

    def reasons_to_stay(self) -> Iterator[Clause]:
        """Yield why the unit stays in its hex, the most important reason first. Rule: 9.5, 9.8"""
        alone = self.threatened and not is_guarded(self.view, self.company)
        yield self.company and not alone, self.rule, "a friendly combat unit is with it"
        yield not self.threatened, self.rule, "it is not in an EZOC"
        yield from self.reasons_by_ruling()

    def reasons_by_ruling(self) -> Iterator[Clause]:
        """Yield the reasons, by rulings, why a unit stays although it is alone in an EZOC. Rule: 22.5.1, 23.4.1"""
        yield (
            self.place in HALF_HEXES and self.view.ruling("half-hex-guns") == "stays",
            "23.4.1",
            "it is in a half-hex, which leads to the Bukowina Holding Box (23.4.1)",
        )
        yield (
            self.unit == KG_TRAIN and self.view.ruling("lone-kg-train") == "stays",
            "22.5.1",
            "it never moves, and defends its hex (22.5.1)",
        )

    @property
    def rule(self) -> str:
        return "9.8" if self.arm == "corps-train" else "9.5"

    @property
    def must_leave(self) -> bool:
        """Whether the unit must leave its hex. Rule: 9.5, 9.8"""
        return not say_first(self.reasons_to_stay())


def say_first(clauses: Iterable[Clause]) -> str:
    """Return the sentence of the first clause that holds, or "" if none does."""
    return next((sentence for holds, _, sentence in clauses if holds), "")


def reasons_to_stay_by_rail(view: View, unit: str, place: str, side: str, *, reached: bool = False) -> Iterator[Clause]:
    """Yield why a unit in Rail Mode stays in its hex.

    `side`: the unit's side.
    `reached`: whether an enemy came adjacent to the unit earlier.

    Rule: 8.2.4b
    """
    detraining = has_begun_detraining(view, unit)
    caught = reached or must_displace(arms_beside(view, place, side), detraining=detraining)
    yield view.amounts("off-map", unit), "8.2.4", "it is under way off the map"
    yield not caught and detraining, "8.2.4", "it has begun to detrain, and bears a 1/2 marker instead"
    yield not caught, "8.2.4", "no enemy combat or artillery unit is adjacent to it"


def is_train_caught(view: View, unit: Unit) -> bool:
    """Return whether adjacent enemies displace a unit in Rail Mode along its line.

    Enemies never displace a unit that moves off the map.
    """
    if not view.flag("entrained", unit.id):
        return False
    return not say_first(reasons_to_stay_by_rail(view, unit.id, str(unit.place), view.side_of(unit.id)))


def has_to_leave(facts: Gather, unit: Unit, without: Collection[str] = ()) -> bool:
    """Return whether a unit that is not in Rail Mode must leave its hex.

    A depot leaves if an enemy is adjacent, artillery or a Corps Train if it is in an EZOC without a friendly combat
    unit.

    `without`: ids of units that are assumed to be elsewhere.

    Rule: 9.5.1, 9.8.1, 9.9
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
