"""What zones of control add to a move, and which hexes they close (4.1.4, 6.3, 9.3, 9.5, 9.8, 13.2)."""

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
CHANGE = 1
"""For entering or leaving them."""
BETWEEN = 6
"""From one to another."""
TO_FRIENDS = 3
"""From one to another, into a friend's hex."""
TO_POSITION = 2
"""From one to another, into a friend's position."""
STRONG = 3
"""From which level on Improved Positions close the way from zone to zone (4.1.4a)."""


class Zones(msgspec.Struct, frozen=True):
    """Enemy zones around a move: all of them, those of strong positions, those of infantry formations; enemies: their
    hexes; fled: the enemies who are left out, as they have fled from the move.
    """

    every: frozenset[str]
    strong: frozenset[str]
    formations: frozenset[str]
    enemies: frozenset[str]
    fled: frozenset[str] = frozenset()


class Friends(msgspec.Struct, frozen=True):
    """Who of the own side stands in the hex that is entered. position: whether in an Improved Position that counts;
    by_rail: whether combat units are there, and all of them in Rail Mode.
    """

    anybody: bool = False
    combat: bool = False
    position: bool = False
    by_rail: bool = False


class StepAmongZones(NamedTuple):
    """A step of units from a hex into the next, among enemy zones."""

    here: str
    there: str
    zones: Zones
    friends: Friends = Friends()
    """Who of their side is in the next hex."""
    arms: frozenset[str] = frozenset()
    counter: bool = False
    """Whether it is their Counter Movement Phase."""
    paid: bool = False
    """Whether leaving a zone was paid for when one was entered."""

    @property
    def leaves_zone(self) -> bool:
        """Whether the hex that is left is in a zone."""
        return self.here in self.zones.every

    @property
    def enters_zone(self) -> bool:
        """Whether the next hex is in a zone."""
        return self.there in self.zones.every

    @property
    def surcharge(self) -> tuple[int, str]:
        """The Movement Points that zones add, and why; however many zones there are, one of these holds. Rule: 4.1.4b,
        4.1.4c, 4.1.4d, 4.1.4e
        """
        if self.leaves_zone and self.enters_zone:
            if self.friends.position:
                return TO_POSITION, "from EZOC to EZOC, to a friendly unit in an Improved Position"
            if self.friends.combat:
                return TO_FRIENDS, "from EZOC to EZOC, to a friendly combat unit"
            return BETWEEN, "from EZOC to EZOC"
        if (self.leaves_zone and not self.paid) or self.enters_zone:
            return CHANGE, "out of an EZOC" if self.leaves_zone else "into an EZOC"
        return 0, ""

    def bars(self) -> Iterator[Clause]:
        """Yield what closes the hex: positions at Level 3 or more, the arms of the units, and for cavalry the infantry
        formations of the enemy in the Counter Movement Phase. Rule: 4.1.4a, 9.3, 9.5, 9.8, 13.2
        """
        open_zone = self.enters_zone and not self.friends.combat
        alone = open_zone and self.arms.isdisjoint(COMBAT_ARMS)
        yield (
            {self.here, self.there} <= self.zones.strong and not self.friends.anybody,
            "4.1.4a",
            "no move from EZOC to EZOC of Improved Positions at Level 3 or more into an empty hex",
        )
        yield (
            alone and "artillery" in self.arms,
            "9.5",
            "an artillery unit enters an EZOC only together with a friendly combat unit, or where one already is",
        )
        yield (
            alone and "artillery" not in self.arms,
            "9.8",
            "a Corps Train enters an EZOC only together with a friendly combat unit, or where one already is",
        )
        poor_cavalry = open_zone and self.counter and "cavalry" in self.arms
        yield (
            poor_cavalry and self.there in self.zones.formations and not self.leaves_zone,
            "9.3",
            "cavalry may not enter the ZOC of an enemy infantry formation in the Counter Movement Phase",
        )


def enters_zone(every: Collection[str], way: Sequence[str]) -> bool:
    """Return whether a way leads from a hex outside any zone into one that is in a zone. every: the hexes in zones."""
    return any(here not in every and there in every for here, there in pairwise(way))


def is_strong(facts: Gather, enemy: Unit) -> bool:
    """Return whether an enemy is in a position that closes the way from zone to zone. Rule: 4.1.4a"""
    return level_in(facts, str(enemy.place)) >= STRONG


def is_infantry_formation(facts: Gather, enemy: Unit) -> bool:
    """Return whether an enemy is an infantry formation, into whose zone cavalry does not go in Counter Movement. Rule:
    9.3
    """
    return facts.word("arm", enemy.id) == "infantry" and not is_asset_unit(facts, enemy.id)


def zones_along(
    facts: Gather,
    moving: Sequence[Unit],
    path: Sequence[str],
    fled: frozenset[str] = frozenset(),
    shroud: frozenset[str] = frozenset(),
) -> tuple[SideField, Zones]:
    """Return the field around a way, and the enemy zones there; friends do not cancel them for movement. fled: as of
    `Zones`; shroud: the enemies who are concealed, whose zones do not count yet (26.2.5).
    """
    side = side_of(facts, moving[0])
    near = {place for hex in path for place in (hex, *facts.view.board.neighbours(hex))}
    around = field(facts, without=fled, near=near).around(side)
    if not shroud:
        return around, zones_in(facts, around, fled)
    seen = field(facts, without=fled | shroud, near=near).around(side)
    return around, msgspec.structs.replace(zones_in(facts, seen, fled | shroud), enemies=around.enemies)


def zones_in(facts: Gather, around: SideField, fled: frozenset[str] = frozenset()) -> Zones:
    """Return the enemy zones in a field."""
    strong = around.field.enemy_zone(around.side, partial(is_strong, facts))
    formations = around.field.enemy_zone(around.side, partial(is_infantry_formation, facts))
    return Zones(around.enemy_zones, strong, formations, around.enemies, fled)


def friends_in(facts: Gather, moving: Sequence[Unit], side: str, hex: str) -> Friends:
    """Return who of a side stands in a hex already, the moving units aside. Rule: 4.1.4d"""
    ours = [unit for unit in facts.view.stack(hex) if unit not in moving and side_of(facts, unit) == side]
    fighting = [unit.id for unit in ours if facts.word("arm", unit.id) in COMBAT_ARMS]
    combat = bool(fighting)
    by_rail = combat and all(facts.flag("entrained", unit) for unit in fighting)
    dug_in = bool(ours) and level_in(facts, hex) > 0
    needs_combat = dug_in and not combat and facts.view.ruling("ezoc-position") == "combat"
    return Friends(bool(ours), combat, dug_in and not needs_combat, by_rail)


_AREAS: Memo[str, tuple[frozenset[str] | None]] = Memo()
"""The area of each army."""


def areas_of(view: View, moving: Sequence[Unit]) -> dict[str, frozenset[str] | None]:
    """Return the areas of the armies of some units that move, each None if it is not stated."""

    def read(known: tuple[frozenset[str] | None] | None, _: Divergence, army: str) -> tuple[frozenset[str] | None]:
        return known or (area(view, army),)

    armies = sorted({army_of(view, unit.id) for unit in moving})
    return {army: view.memo(_AREAS, army, partial(read, army=army))[0] for army in armies}


def note_areas_left_out(
    around: SideField, moving: Sequence[Unit], entered: Iterable[str], *, by_name: bool = True
) -> None:
    """Note what is not judged of hexes adjacent to enemies, as the area of an army is not stated.

    entered: hexes of a way, or those within reach; by_name: whether the note names those that it means.
    """
    view = around.view
    areas = areas_of(around.view, moving)
    bare = [unit.id for unit in moving if areas[army_of(view, unit.id)] is None]
    beside = [hex for hex in entered if around.next_to_enemy(hex)] if bare else []
    if beside:
        text = (
            "[named:{hexes}|hexes] adjacent to enemies: whether they lie in the Area of Attachment of {units} "
            "is left to the players"
        )
        view.premises.assume(step("6.3.1", text, named=by_name, hexes=beside, units=bare))
