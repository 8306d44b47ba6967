"""Hexsides, entry into hexes, and zones of control.

- Hexsides: units barred from crossing, and crossings (2.2, 10.1.2, 11.2.4); the RR bridge at Jaroslau (17.4).
- Entry: units barred from a hex (4.2, 8.1.1, 23.4.1).
- Zones of control: units that have one, bars to zones, and the units around a unit (4.1).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import partial
from typing import Literal

import msgspec

from assistant.asking import Gather, MissingFacts, View
from assistant.asking.permission import Clause
from assistant.asking.view import changed
from assistant.rules.field import (
    Field,
    HexBar,
    Hexside,
    HexsideTracks,
    NetworkTracks,
    SideField,
    bar_of,
    side_of,
)
from assistant.state.changes import Change
from assistant.state.differences import Divergence
from assistant.state.state import Unit
from assistant.state.tracks import Value
from assistant.util.memo import Memo

from ..terms import BUKOWINA_BOX, COMBAT_ARMS, GREAT_RIVERS, HALF_HEXES
from . import calendar
from .calendar import in_campaign

JAROSLAU = "43.84"
"""The hex of the bridgehead at Jaroslau."""
BRIDGE = "42.84|43.84"
"""The hexside of the RR bridge at Jaroslau."""
REPAIR_TURNS = 12
"""The number of game turns from the demolition of the bridge to its repair."""
BLOWN = "jaroslau-blown"
"""Track: the game turn in which the bridge was demolished."""
VALUES_WHILE_DOWN = {"rail": "no-rail", "road": "no-road", "crossing": "no-crossing"}
"""The values of the hexside's tracks while the bridge is down."""


def is_down(blown: int, turn: int) -> bool:
    """Return whether the bridge cannot be used.

    `blown`: the game turn of the bridge's demolition, or 0.

    Rule: 17.4
    """
    return bool(blown) and turn < blown + REPAIR_TURNS


BRIDGE_DOWN_TEXT = "the RR bridge at Jaroslau is demolished with its bridgehead"


class Demolished(Hexside):
    """The hexside of a demolished bridge, over which nothing crosses the river.

    By ruling jaroslau-road a road keeps its own bridge.
    """

    @property
    def lies(self) -> frozenset[str]:
        """The features of the hexside, always with a great river, as there was a bridge."""
        lies = super().lies
        return lies if GREAT_RIVERS & lies else lies | {"major-river"}

    @property
    def linked(self) -> bool:
        """Whether a road still crosses."""
        return self.word("road") not in ("", VALUES_WHILE_DOWN["road"])

    def word(self, track: str) -> str:
        """Return the value of a track, or the value while the bridge is down."""
        stated = super().word(track)
        if (
            track == "road"
            and stated != VALUES_WHILE_DOWN[track]
            and self.view.ruling("jaroslau-road", bool(stated)) == "road"
        ):
            return stated
        return VALUES_WHILE_DOWN.get(track, stated)


def bridge_is_down(facts: View | Gather) -> bool:
    """Return whether the bridge is down in a position, in the Grand Campaign.

    The game turn is read only if a demolition is stated.
    """
    view = facts.view if isinstance(facts, Gather) else facts
    blown = view.state.value(BLOWN)
    if not isinstance(blown, int):
        return False
    may_be_down = is_down(blown, view.integer("turn"))  # also True if no turn is stated
    return in_campaign(view, "17.4", BRIDGE_DOWN_TEXT, matters=may_be_down) and is_down(blown, facts.integer("turn"))


def demolish_bridge(view: View, units: Iterable[str]) -> list[Change]:
    """Return the change that demolishes the bridge if its bridgehead is among units removed from the map.

    That happens only in the Grand Campaign.
    """
    lost = any(view.unit(unit).place == JAROSLAU and view.word("arm", unit) == "fort" for unit in units)
    turn = view.integer("turn")
    down = lost and turn > 0 and in_campaign(view, "17.4", BRIDGE_DOWN_TEXT)
    return [changed(view, BLOWN, "", turn, "17.4")] if down else []


TRACKS = HexsideTracks(lies="barrier", terrain="terrain", links=("rail", "road"))
NETWORK = NetworkTracks(HexsideTracks("barrier", "terrain", ("rail", "road", "crossing")), "complete", "whole-network")
CLOSED_BARRIERS = frozenset({"lake", "sea", "impassable"})
"""Hexside features that no unit crosses."""
SEA_HEX = "a sea hex"
"""The words for a sea hex, which no unit enters."""
Doing = Literal["move", "retreat"]
"""The kind of move over a hexside. Only a retreat crosses a Grand River without bridge or ferry, at a price (11.2.4).
"""
HIGH_MOUNTAIN = "High Mountain"
OFF_MAP_NATION = "austro-hungarian"
"""The only nation that enters the half-hexes, and the Bukowina Holding Box from them (23.4.1)."""


def between(facts: View | Gather, here: str, there: str) -> Hexside:
    """Return the hexside between adjacent hexes, as seen from `here`.

    A `Gather` asks for every fact that is used.
    """
    over = Hexside(facts, here, there, TRACKS)
    down = over.name == BRIDGE and bridge_is_down(facts)
    return Demolished(facts, here, there, TRACKS) if down else over


def why_closed(over: Hexside) -> str:
    """Return the stated features that keep all units from crossing, in words, or ""."""
    return ", ".join(sorted(CLOSED_BARRIERS & over.lies)) or (SEA_HEX if over.enters == "sea" else "")


def is_uncrossable(over: Hexside) -> bool:
    """Return whether a Grand River stated to have neither bridge nor ferry stops moves and attacks.

    Rule: 10.1.2e
    """
    return "grand-river" in over.lies and not over.linked and over.word("crossing") == "no-crossing"


def bridge(over: Hexside) -> bool | None:
    """Return whether a bridge, such as a pontoon, crosses the river, or None if it is not stated (2.2, 8.1.3).

    A road or RR line has a bridge, except a road that leads to a ferry.
    """
    if over.linked and not _is_road_to_ferry(over):
        return True
    crossing = over.word("crossing")
    return crossing in ("bridge", "pontoon") if crossing else None


def _is_road_to_ferry(over: Hexside) -> bool:
    """Return whether the road on a hexside ends at a ferry on both banks, as between 48.75 and 49.75 (8.1.3)."""
    known = over.view.word
    return known("rail", over.name) in ("", "no-rail") and known("crossing", over.name) == "ferry"


def is_unbridged(over: Hexside) -> bool:
    """Return whether a hexside has a Major or Grand River without a known bridge."""
    return bool(GREAT_RIVERS & over.lies) and not bridge(over)


def needs_chart(over: Hexside) -> bool:
    """Return whether only the Terrain Effects Chart says if units may move there.

    That is so for a High Mountain hex without a road or RR line. The rules cover all other ground (8.1.2, 10.1.2, 10.6,
    11.2.4).
    """
    return over.enters == "high-mountain" and not over.linked


def cell_of_high_mountain(turn: int) -> tuple[str, str, str]:
    """Return the cell of the Terrain Effects Chart for High Mountain in the season of a turn."""
    return "terrain-cost", calendar.season(turn), "high-mountain"


def _is_open_by_chart(over: Hexside) -> bool | None:
    if not needs_chart(over):
        return True
    turn = over.view.integer("turn")
    cell = over.view.cell(*cell_of_high_mountain(turn)) if turn else None
    return None if cell is None else cell.values["cost"] != "prohibited"


def back(over: Hexside) -> Hexside:
    """Return the hexside as seen from the other side."""
    return between(over.view, over.there, over.here)


def lets_there_and_back(over: Hexside) -> bool | None:
    """Return whether the Terrain Effects Chart lets units move there and back.

    Each move must be reversible (8.1.1). Returns None if a deciding cell is not known.
    """
    ways = _is_open_by_chart(over), _is_open_by_chart(back(over))
    if False in ways:
        return False
    return None if None in ways else True


class Entry(msgspec.Struct, frozen=True):
    """A hex, and the units that would enter it."""

    hex: str
    nations: Collection[str]
    """The nations of the units."""
    enemies: bool = False
    """Whether enemies stand in the hex."""
    shut: str = ""
    """The reason that stops the units on the way, as returned by `impassable`, or ""."""
    rule: str = "8.1.1"
    """The rule by which ground stops the mover."""
    into: bool = False
    """Whether the hex itself stops the units, not its hexside."""


def is_closed_half_hex(hex: str, nations: Collection[str]) -> bool:
    """Return whether a hex is a half-hex to the Holding Box that any of the nations may not enter.

    Rule: 23.4.1
    """
    return hex in HALF_HEXES and not set(nations) <= {OFF_MAP_NATION, ""}


def bars_of_entry(entry: Entry) -> Iterator[Clause]:
    """Yield the bars to entering a hex that hold for every kind of move.

    Rule: 4.2b, 23.4.1, 11.2.4a
    """
    closed = is_closed_half_hex(entry.hex, entry.nations)
    yield entry.enemies, "4.2", "enemies stand there"
    yield closed, "23.4.1", f"only Austro-Hungarian units enter this half-hex, which leads to the {BUKOWINA_BOX}"
    yield entry.shut == SEA_HEX, entry.rule, "it is a sea hex"
    yield entry.shut and entry.into, entry.rule, f"units cannot enter it: {entry.shut}"
    yield entry.shut, entry.rule, f"the hexside cannot be crossed: {entry.shut}"


def entry_bar(entry: Entry) -> HexBar | None:
    """Return the first bar to entering a hex, or None. Rule: 4.2b, 23.4.1, 11.2.4a"""
    return bar_of(bars_of_entry(entry))


def impassable(over: Hexside, doing: Doing = "move") -> str:
    """Return the stated reason that stops all units on the way into the next hex, in words, or ""."""
    river = "a Grand River without bridge or ferry" if doing == "move" and is_uncrossable(over) else ""
    return why_closed(over) or river or (HIGH_MOUNTAIN if lets_there_and_back(over) is False else "")


def is_outside_bukowina(province: str) -> bool:
    """Return whether a hex lies outside the province of the units of Fischer.

    `province`: the province of the hex, or "" if it is not stated.

    Rule: 23.3
    """
    return province not in ("", "bukowina")


def hexes_closed_to(nation: str) -> frozenset[str]:
    """Return the hexes that units of a nation never enter. Rule: 23.4.1"""
    return frozenset(hex for hex in HALF_HEXES if is_closed_half_hex(hex, (nation,)))


def leads_to_box(hex: str, nations: Collection[str]) -> bool:
    """Return whether units may go from a hex into the Bukowina Holding Box.

    Only Austro-Hungarians may, from a half-hex.

    Rule: 23.4.1
    """
    return hex in HALF_HEXES and set(nations) == {OFF_MAP_NATION}


ZONE_BARRIERS = frozenset({"lake", "sea"}) | GREAT_RIVERS


def exerts_zone(arm: str, *, entrained: bool) -> bool:
    """Return whether a unit has a zone of control: combat units and Fortresses do, unless in Rail Mode.

    Rule: 4.1, 3.4, 3.5, 3.6, 9.7
    """
    return arm in (*COMBAT_ARMS, "fortress") and not entrained


def has_zone(facts: Gather, unit: Unit) -> bool:
    """Return whether a unit of the position has a zone of control."""
    return exerts_zone(facts.word("arm", unit.id), entrained=facts.flag("entrained", unit.id))


def do_zones_cross(over: Hexside) -> bool:
    """Return whether zones of control cross a hexside.

    They do not cross a lake or sea, nor a Major or Grand River.

    Rule: 4.1.1
    """
    return not ZONE_BARRIERS & over.lies


def field(
    facts: Gather,
    without: Collection[str] = (),
    near: Collection[str] | None = None,
    known: tuple[Field, Divergence] | None = None,
) -> Field:
    """Return the units' places and the reach of their zones; the other parameters are as in `Field`.

    Rule: 4.1, 4.1.1
    """
    barrier_over = facts.view.facts_of("barrier")
    alike = dict[Value, bool]()
    between_hexes = partial(between, facts.view)

    def crossed(over: Hexside) -> bool:
        fact = barrier_over(over.name)
        if fact is None or over.name == BRIDGE:
            return do_zones_cross(over)
        if fact.value not in alike:
            alike[fact.value] = do_zones_cross(over)
        return alike[fact.value]

    return Field(facts, has_zone, between_hexes, crossed, without=without, near=near, known=known)


def around(facts: Gather, unit: Unit, without: Collection[str] = ()) -> SideField:
    """Return the field as a unit's side sees it, with all zones read. Rule: 4.1, 4.1.1, 4.1.2"""
    return around_side(facts, side_of(facts, unit), without)


_FIELDS: Memo[frozenset[str], Field] = Memo()
"""Fields by the ids of units that are left out."""
_SIDES: Memo[tuple[str, frozenset[str]], SideField] = Memo()
"""Fields as a side sees them, by side and by the ids of units that are left out."""


def around_side(facts: Gather, side: str, without: Collection[str] = ()) -> SideField:
    """Return the field as a side sees it, with all zones read, computed once for a view. Rule: 4.1, 4.1.1, 4.1.2"""
    left_out = frozenset(without)

    def read(known: Field | None, divergence: Divergence) -> Field:
        with facts.view.gather() as own:
            return field(own, left_out, known=(known, divergence) if known is not None else None).read()

    def seen(known: SideField | None, divergence: Divergence) -> SideField:
        if known is not None and not divergence.units:  # zones depend only on units and hexsides
            beside = {hex for name in divergence.hexsides for hex in name.split("|")}
            if beside.isdisjoint(known.friends) and beside.isdisjoint(known.enemies):
                return known.read_from(facts.view)
        return facts.view.memo(_FIELDS, left_out, read).around(side)

    try:
        return facts.view.memo(_SIDES, (side, left_out), seen)
    except MissingFacts:
        return field(facts, without).read().around(side)  # asks for the unstated hexsides together


ASSUMED_ZONES_TEXT = "ZOC assumed across {hexsides:+} (terrain not stated)"


def assume_zones(around: SideField, hexes: Collection[str]) -> None:
    """Note the assumption that zones of control cross unstated hexsides next to the hexes."""
    assume_crossed(around.view, around.unstated(hexes))


def assume_crossed(view: View, hexsides: Iterable[str]) -> None:
    """Note the assumption that zones of control cross hexsides of unstated terrain."""
    for over in hexsides:
        view.granted("barrier", over, (), "4.1.1", ASSUMED_ZONES_TEXT)
