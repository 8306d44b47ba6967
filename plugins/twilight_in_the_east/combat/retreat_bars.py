"""What closes hexes to a stack that retreats, which whoever looks for a way back reads (11.2.2, 11.2.4)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Annotated

import msgspec
from msgspec.structs import replace

from assistant.asking import Gather, View, note
from assistant.asking.permission import Clause
from assistant.rules.field import HexBar, bar_of

from ..ground.hexsides import HIGH_MOUNTAIN, Entry, bars_of_entry, is_outside_bukowina, leads_to_box
from .retreat_ground import RetreatGround, RetreatStep


class WayIn(msgspec.Struct, frozen=True):
    """A hex, and a stack that would retreat into it from the one before."""

    facts: Annotated[View | Gather, note("what is stated; a `Gather` asks for what silence does not answer")]
    here: str
    there: str
    passage: Annotated[RetreatStep, note("what the way into the hex means")] = RetreatStep()
    nations: Annotated[Collection[str], note("of the units")] = ()
    enemies: Annotated[bool, note("whether enemies are in the hex")] = False
    abandoned: Annotated[bool, note("whether enemies have left it by a retreat in this combat")] = False
    just_left: Annotated[bool, note("whether the stack has just left it, and may not turn back")] = False
    fischer: Annotated[
        bool, note("whether a unit of Streifkorps Fischer is in the stack that must stay in Bukowina")
    ] = False
    may_leave: Annotated[bool, note("whether it may leave the map")] = False
    off_map: Annotated[bool, note("whether the hex is off the map, in Romania")] = False

    @property
    def leaves_bukowina(self) -> bool:
        """Whether the units of Fischer would leave their province by it, until they are destroyed because they had to."""
        if not self.fischer or is_outside_bukowina(self.facts.word("province", self.here)):
            return False
        return is_outside_bukowina(self.facts.word("province", self.there))


def bars_of_way(way: WayIn) -> Iterator[Clause]:
    """Yield what closes a hex to a stack that retreats, the reason that is told first at the head: what keeps everybody
    out, and by the usual readings of rulings off-map-retreat and way-back Romania and the hex that it has just left. What
    turns on the other hexes around, as a Fortress Complex does, is for `Halt.around`.
    Rule: 4.2b, 11.2.4a, 1.2.2b, 11.2.2b, 23.3
    """
    shut = way.passage.shut
    into = shut == HIGH_MOUNTAIN or way.passage.into_sea
    yield from bars_of_entry(Entry(way.there, way.nations, way.enemies, shut, "11.2.4", into))
    yield way.off_map and not way.may_leave, "1.2.2", "it lies in Romania, which is off the map"
    yield way.leaves_bukowina, "23.3", "the units of Fischer stay in Bukowina or its Holding Box"
    yield way.abandoned, "11.2.2", "an enemy was there at the moment of combat and has left in a retreat"
    yield way.just_left, "11.2.2", "the stack has just left it"


def retreat_bar(way: WayIn) -> HexBar | None:
    """Return what closes a hex, the first clause that does; None if it is open."""
    return bar_of(bars_of_way(way))


def ask_what_closes(facts: Gather, way: WayIn) -> None:
    """Ask for each fact on which it turns whether a hex is closed, and which is not stated."""
    for _ in bars_of_way(replace(way, facts=facts)):
        pass


def lasting_bar(way: WayIn) -> HexBar | None:
    """Return what closes a hex even once the enemies who hold it have gone: nobody opens it by a Repulse or a
    retreat.
    """
    return retreat_bar(replace(way, enemies=False, abandoned=False))


def way_in(ground: RetreatGround, here: str, there: str, before: str = "") -> WayIn:
    """Return the way into a hex as a stack finds it. before: the hex that it has just left, "" at the start."""
    return WayIn(
        ground.view,
        here,
        there,
        ground.terrain.passage(here, there),
        ground.nations,
        there in ground.enemies,
        there in ground.abandoned,
        there == before and not ground.turns_back,
        ground.fischer,
        ground.may_leave,
        ground.terrain.is_off_map(there),
    )


def _list_last_resorts(ways: Sequence[WayIn]) -> Iterator[list[WayIn]]:
    """Yield the ways as a stack finds them to which no hex is open, each tried if the one before opens none."""
    yield [replace(way, abandoned=False) for way in ways]
    yield [replace(way, fischer=False) for way in ways]
    yield [replace(way, fischer=False, abandoned=False) for way in ways]
    yield [replace(way, fischer=False, abandoned=False, may_leave=True) for way in ways]


def closed_around(ground: RetreatGround, here: str, before: str = "") -> dict[str, HexBar | None]:
    """Return what closes each hex around one; where none is open, what closes it as a last resort, unless the Holding
    Box is open.
    """
    ways = [way_in(ground, here, there, before) for there in ground.terrain.neighbours(here)]
    closed = {way.there: retreat_bar(way) for way in ways}
    if not all(closed.values()) or leads_to_box(here, ground.nations):
        return closed
    return closed_as_last_resort(ways)


def closed_as_last_resort(ways: Sequence[WayIn]) -> dict[str, HexBar | None]:
    """Return what closes each hex to a stack to which none is open: what enemies have left is not closed, rather than
    being unable to retreat; then what lies outside Bukowina is not, where the units of Fischer are destroyed, and last
    what lies in Romania. Rule: 1.2.2b, 11.2.2b, 23.3
    """
    closed: dict[str, HexBar | None] = {}
    for tried in _list_last_resorts(ways):
        closed = {way.there: retreat_bar(way) for way in tried}
        if not all(closed.values()):
            break
    return closed
