"""What closes hexes to a stack that retreats: a table, which whoever looks for a way back reads (11.2.2, 11.2.4)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Annotated, NamedTuple

from assistant.asking import Gather, View, note
from assistant.rules.field import HexBar

from ..ground.hexsides import HIGH_MOUNTAIN, Entry, bar_of_province, entry_bar, leads_to_box
from .retreat_ground import RetreatGround, RetreatStep


class WayIn(NamedTuple):
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


def bar_of_entry(way: WayIn) -> HexBar | None:
    """Return what closes a hex to whoever would enter it: enemies, a half-hex, the ground. Rule: 4.2b, 11.2.4a"""
    shut = way.passage.shut
    into = shut == HIGH_MOUNTAIN or way.passage.into_sea
    return entry_bar(Entry(way.there, way.nations, way.enemies, shut, "11.2.4", into))


def bar_of_abandoned_hex(way: WayIn) -> HexBar | None:
    """Return what says that no unit retreats into a hex that enemies have left. Rule: 11.2.2b"""
    why = "an enemy was there at the moment of combat and has left in a retreat"
    return HexBar("11.2.2", why) if way.abandoned else None


def _bar_of_way_back(way: WayIn) -> HexBar | None:
    """Return what says that a stack does not turn back, by the usual reading of ruling way-back (11.2.2)."""
    return HexBar("11.2.2", "the stack has just left it") if way.just_left else None


def bar_of_bukowina(way: WayIn) -> HexBar | None:
    """Return what says that the units of Fischer stay in their province, until they are destroyed because they had to
    leave it.
    Rule: 23.3
    """
    if not way.fischer or bar_of_province(way.facts.word("province", way.here), fischer=True):
        return None
    return bar_of_province(way.facts.word("province", way.there), fischer=True)


def bar_of_romania(way: WayIn) -> HexBar | None:
    """Return what says that units do not leave the map for Romania while a hex on the map is open, by the usual reading
    of ruling off-map-retreat.
    Rule: 1.2.2b
    """
    why = "it lies in Romania, which is off the map"
    return HexBar("1.2.2", why) if way.off_map and not way.may_leave else None


RETREAT_BARS: tuple[Callable[[WayIn], HexBar | None], ...] = (
    bar_of_entry,
    bar_of_romania,
    bar_of_bukowina,
    bar_of_abandoned_hex,
    _bar_of_way_back,
)
"""All that closes a hex to a stack that retreats, the reason that is told first at the head. What turns on the other
hexes around, as a Fortress Complex does, is for `Halt.around`.
"""


def retreat_bar(way: WayIn) -> HexBar | None:
    """Return what closes a hex, the first row of the table that does; None if it is open."""
    return next((barred for bar in RETREAT_BARS if (barred := bar(way))), None)


def ask_what_closes(facts: Gather, way: WayIn) -> None:
    """Ask for each fact on which it turns whether a hex is closed, and which is not stated."""
    for bar in RETREAT_BARS:
        bar(way._replace(facts=facts))


def lasting_bar(way: WayIn) -> HexBar | None:
    """Return what closes a hex even once the enemies who hold it have gone: nobody opens it by a Repulse or a
    retreat.
    """
    return retreat_bar(way._replace(enemies=False, abandoned=False))


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
    yield [way._replace(abandoned=False) for way in ways]
    yield [way._replace(fischer=False) for way in ways]
    yield [way._replace(fischer=False, abandoned=False) for way in ways]
    yield [way._replace(fischer=False, abandoned=False, may_leave=True) for way in ways]


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
