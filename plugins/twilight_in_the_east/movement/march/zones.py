"""The cost of zones of control for a move, and the hexes that they close (4.1.4, 6.3, 9.3, 9.5, 9.8, 13.2)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import msgspec

from assistant.asking import Gather, View, step
from assistant.asking.permission import Clause
from assistant.rules.field import SideField, side_of
from assistant.state.differences import Divergence
from assistant.state.state import Unit
from assistant.util.memo import Memo

from ...forces.armies import area, army_of, is_asset_unit
from ...ground.hexsides import field
from ...ground.works import level_in
from ...terms import COMBAT_ARMS

# Movement Points that zones of control cost (4.1.4).
ENTER_OR_LEAVE_COST = 1
ZONE_TO_ZONE_COST = 6
ZONE_TO_FRIENDS_COST = 3
"""The cost from one zone to another, into the hex of a friendly combat unit."""
ZONE_TO_POSITION_COST = 2
"""The cost from one zone to another, into the hex of a friendly unit in an Improved Position."""
MIN_CLOSING_LEVEL = 3
"""The minimum level of Improved Positions that close the way from zone to zone (4.1.4a)."""


class Zones(msgspec.Struct, frozen=True):
    """The enemy zones around a move."""

    hexes: frozenset[str]
    """All hexes in a zone."""
    strong: frozenset[str]
    """The hexes in the zone of a unit in a position of `MIN_CLOSING_LEVEL` or more."""
    formations: frozenset[str]
    """The hexes in the zone of an infantry formation."""
    enemies: frozenset[str]
    """The hexes with enemies."""
    fled: frozenset[str] = frozenset()
    """Ids of the enemies that have fled from the move, and are ignored."""


class Friends(msgspec.Struct, frozen=True):
    """The friendly units in the hex that is entered."""

    anybody: bool = False
    combat: bool = False
    """Whether a combat unit is there."""
    position: bool = False
    """Whether they are in an Improved Position that lowers the cost of zones."""
    by_rail: bool = False
    """Whether all combat units among them are in Rail Mode; False if there are none."""


class StepAmongZones(NamedTuple):
    """A step into an adjacent hex, with the enemy zones around it."""

    here: str
    there: str
    zones: Zones
    friends: Friends = Friends()
    """The friends in the hex that is entered."""
    arms: frozenset[str] = frozenset()
    """The arms of the moving units."""
    counter: bool = False
    """Whether it is the units' Counter Movement Phase."""
    paid: bool = False
    """Whether the units paid for leaving the zone when they entered it."""

    @property
    def leaves_zone(self) -> bool:
        """Whether the hex that is left is in a zone."""
        return self.here in self.zones.hexes

    @property
    def enters_zone(self) -> bool:
        """Whether the hex that is entered is in a zone."""
        return self.there in self.zones.hexes

    @property
    def surcharge(self) -> tuple[int, str]:
        """The Movement Points that zones add, and the reason, or 0 and "".

        Several enemy zones in a hex cost as much as one.

        Rule: 4.1.4b, 4.1.4c, 4.1.4d, 4.1.4e
        """
        if self.leaves_zone and self.enters_zone:
            if self.friends.position:
                return ZONE_TO_POSITION_COST, "from EZOC to EZOC, to a friendly unit in an Improved Position"
            if self.friends.combat:
                return ZONE_TO_FRIENDS_COST, "from EZOC to EZOC, to a friendly combat unit"
            return ZONE_TO_ZONE_COST, "from EZOC to EZOC"
        if (self.leaves_zone and not self.paid) or self.enters_zone:
            return ENTER_OR_LEAVE_COST, "out of an EZOC" if self.leaves_zone else "into an EZOC"
        return 0, ""

    def bars(self) -> Iterator[Clause]:
        """Yield why zones close the hex to the units.

        - From zone to zone of positions at Level 3 or more, into an empty hex.
        - Artillery or a Corps Train that enters a zone without combat units.
        - In the Counter Movement Phase, cavalry that enters the zone of an infantry formation.

        Rule: 4.1.4a, 9.3, 9.5, 9.8, 13.2
        """
        enters_uncovered_zone = self.enters_zone and not self.friends.combat
        lacks_combat_unit = enters_uncovered_zone and self.arms.isdisjoint(COMBAT_ARMS)
        yield (
            {self.here, self.there} <= self.zones.strong and not self.friends.anybody,
            "4.1.4a",
            "no move from EZOC to EZOC of Improved Positions at Level 3 or more into an empty hex",
        )
        yield (
            lacks_combat_unit and "artillery" in self.arms,
            "9.5",
            "an artillery unit enters an EZOC only together with a friendly combat unit, or where one already is",
        )
        yield (
            lacks_combat_unit and "artillery" not in self.arms,
            "9.8",
            "a Corps Train enters an EZOC only together with a friendly combat unit, or where one already is",
        )
        is_counter_cavalry = enters_uncovered_zone and self.counter and "cavalry" in self.arms
        yield (
            is_counter_cavalry and self.there in self.zones.formations and not self.leaves_zone,
            "9.3",
            "cavalry may not enter the ZOC of an enemy infantry formation in the Counter Movement Phase",
        )


def enters_zone(zone_hexes: Collection[str], way: Sequence[str]) -> bool:
    """Return whether a way leads into a zone from a hex outside all zones."""
    return any(here not in zone_hexes and there in zone_hexes for here, there in pairwise(way))


def is_strong(facts: Gather, enemy: Unit) -> bool:
    """Return whether an enemy is in a position that closes the way from zone to zone. Rule: 4.1.4a"""
    return level_in(facts, str(enemy.place)) >= MIN_CLOSING_LEVEL


def is_infantry_formation(facts: Gather, enemy: Unit) -> bool:
    """Return whether an enemy is an infantry formation, whose zone is closed to cavalry in Counter Movement.

    Rule: 9.3
    """
    return facts.word("arm", enemy.id) == "infantry" and not is_asset_unit(facts, enemy.id)


def zones_along(
    facts: Gather,
    moving: Sequence[Unit],
    path: Sequence[str],
    fled: frozenset[str] = frozenset(),
    shroud: frozenset[str] = frozenset(),
) -> tuple[SideField, Zones]:
    """Return the field around a way, and the enemy zones there.

    Friends do not cancel zones for movement.

    `fled`: as in `Zones`.
    `shroud`: ids of concealed enemies, whose zones do not count yet (26.2.5).
    """
    side = side_of(facts, moving[0])
    near = {place for hex in path for place in (hex, *facts.view.board.neighbours(hex))}
    around = field(facts, without=fled, near=near).around(side)
    if not shroud:
        return around, zones_in(facts, around, fled)
    unshrouded = field(facts, without=fled | shroud, near=near).around(side)
    return around, msgspec.structs.replace(zones_in(facts, unshrouded, fled | shroud), enemies=around.enemies)


def zones_in(facts: Gather, around: SideField, fled: frozenset[str] = frozenset()) -> Zones:
    """Return the enemy zones in a field."""
    strong = around.field.enemy_zone(around.side, partial(is_strong, facts))
    formations = around.field.enemy_zone(around.side, partial(is_infantry_formation, facts))
    return Zones(around.enemy_zones, strong, formations, around.enemies, fled)


def friends_in(facts: Gather, moving: Sequence[Unit], side: str, hex: str) -> Friends:
    """Return the units of a side in a hex, without the moving units. Rule: 4.1.4d"""
    ours = [unit for unit in facts.view.stack(hex) if unit not in moving and side_of(facts, unit) == side]
    fighting = [unit.id for unit in ours if facts.word("arm", unit.id) in COMBAT_ARMS]
    combat = bool(fighting)
    by_rail = combat and all(facts.flag("entrained", unit) for unit in fighting)
    in_position = bool(ours) and level_in(facts, hex) > 0
    lacks_combat_unit = in_position and not combat and facts.view.ruling("ezoc-position") == "combat"
    return Friends(bool(ours), combat, in_position and not lacks_combat_unit, by_rail)


_AREAS: Memo[str, tuple[frozenset[str] | None]] = Memo()
"""The area of each army, wrapped in a tuple, because None would mean that the memo has no entry."""


def areas_of(view: View, moving: Sequence[Unit]) -> dict[str, frozenset[str] | None]:
    """Return the Area of Attachment of each army among the units, or None if it is not stated."""

    def read(known: tuple[frozenset[str] | None] | None, _: Divergence, army: str) -> tuple[frozenset[str] | None]:
        return known or (area(view, army),)

    armies = sorted({army_of(view, unit.id) for unit in moving})
    return {army: view.memo(_AREAS, army, partial(read, army=army))[0] for army in armies}


def note_areas_left_out(
    around: SideField, moving: Sequence[Unit], entered: Iterable[str], *, by_name: bool = True
) -> None:
    """Note that hexes next to enemies may be closed, because the area of a unit's army is not stated.

    `entered`: the hexes of a way, or those within reach.
    `by_name`: whether the note names the hexes.
    """
    view = around.view
    areas = areas_of(around.view, moving)
    without_area = [unit.id for unit in moving if areas[army_of(view, unit.id)] is None]
    beside_enemies = [hex for hex in entered if around.next_to_enemy(hex)] if without_area else []
    if beside_enemies:
        text = (
            "[named:{hexes}|hexes] adjacent to enemies: whether they lie in the Area of Attachment of {units} "
            "is left to the players"
        )
        view.premises.assume(step("6.3.1", text, named=by_name, hexes=beside_enemies, units=without_area))
