"""What lies between two hexes: who cannot cross it, and what bridges it (2.2, 10.1.2, 11.2.4); and who may enter a hex:
one table for all that moves, retreats, advances, displaces, goes by rail or arrives (4.2, 8.1.1, 23.4.1).
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Literal, NamedTuple

from assistant.field import Barred, Hexside, HexsideTracks, NetworkTracks
from assistant.questions import Gather, View

from ..terms import BUKOWINA_BOX, GREAT_RIVERS, HALF_HEXES
from . import calendar, jaroslau

TRACKS = HexsideTracks(lies="barrier", terrain="terrain", links=("rail", "road"))
NETWORK = NetworkTracks(HexsideTracks("barrier", "terrain", ("rail", "road", "crossing")), "complete", "whole-network")
CLOSED = frozenset({"lake", "sea", "impassable"})
"""What nobody crosses."""
Doing = Literal["move", "retreat"]
"""How a hexside is crossed: a retreat leads over a Grand River without bridge or ferry, at a price (11.2.4); no other
move does.
"""
HIGH_MOUNTAIN = "High Mountain"
OFF_MAP_NATION = "austro-hungarian"
"""The nation whose units alone enter the half-hexes, and from these the Bukowina Holding Box (23.4.1)."""


def between(facts: View | Gather, here: str, there: str) -> Hexside:
    """What lies between a hex and the next one: as far as a view knows it, or every fact that is used being asked for."""
    over = Hexside(facts, here, there, TRACKS)
    down = over.name == jaroslau.BRIDGE and jaroslau.bridge_is_down(facts)
    return jaroslau.Demolished(facts, here, there, TRACKS) if down else over


def closed(over: Hexside) -> str:
    """What keeps everybody from crossing, in words; "" if nothing does as far as is stated."""
    return ", ".join(sorted(CLOSED & over.lies)) or ("sea" if over.enters == "sea" else "")


def uncrossed(over: Hexside) -> bool:
    """Whether a Grand River that is known to have neither bridge nor ferry keeps units apart that move or attack.
    Rule: 10.1.2e
    """
    return "grand-river" in over.lies and not over.linked and over.word("crossing") == "no-crossing"


def bridge(over: Hexside) -> bool | None:
    """Whether a bridge, be it a pontoon, crosses the river: a road or RR line has one, but not a road that leads to a
    ferry; None if it is not stated (2.2, 8.1.3).
    """
    if over.linked and not road_to_ferry(over):
        return True
    crossing = over.word("crossing")
    return crossing in ("bridge", "pontoon") if crossing else None


def road_to_ferry(over: Hexside) -> bool:
    """Whether the road on a hexside ends at a ferry on both banks, as between 48.75 and 49.75 (8.1.3)."""
    known = over.view.word
    return known("rail", over.name) in ("", "no-rail") and known("crossing", over.name) == "ferry"


def unbridged(over: Hexside) -> bool:
    """Whether a Major or Grand River lies there that is not known to have a bridge."""
    return bool(GREAT_RIVERS & over.lies) and not bridge(over)


def needs_chart(over: Hexside) -> bool:
    """Whether only the printed Terrain Effects Chart says if units may move there: into a High Mountain hex without a
    road or RR line. Of all other ground the rules say so themselves (8.1.2, 10.1.2, 10.6, 11.2.4).
    """
    return over.enters == "high-mountain" and not over.linked


def cell_of_high_mountain(turn: int) -> tuple[str, str, str]:
    """The cell of the Terrain Effects Chart that says it, in the season of a turn."""
    return "terrain-cost", calendar.season(turn), "high-mountain"


def chart_lets(over: Hexside) -> bool | None:
    """Whether the Terrain Effects Chart lets units move there, None where it decides and is not known."""
    if not needs_chart(over):
        return True
    turn = over.view.integer("turn")
    cell = over.view.cell(*cell_of_high_mountain(turn)) if turn else None
    return None if cell is None else cell.values["cost"] != "prohibited"


def back(over: Hexside) -> Hexside:
    """What lies between the same hexes on the way back."""
    return between(over.view, over.there, over.here)


def lets_there_and_back(over: Hexside) -> bool | None:
    """Whether the Terrain Effects Chart lets units move there and, as each move must be reversible (8.1.1), back; None
    where the chart decides and is not known.
    """
    ways = chart_lets(over), chart_lets(back(over))
    return False if False in ways else None if None in ways else True


class Entry(NamedTuple):
    """A hex and the units that would enter it.

    nations: of these units; enemies: whether enemies stand in the hex; shut: what stops them on the way, in words, as
    `impassable` gives it; rule: the mover's own rule of ground that stops it; into: whether it is the hex that stops
    them, and not its hexside.
    """

    hex: str
    nations: Collection[str]
    enemies: bool = False
    shut: str = ""
    rule: str = "8.1.1"
    into: bool = False


class EntryBar(NamedTuple):
    """A row of the table. rule: "" for the mover's own; why: the reason in words, "" where it does not hold."""

    rule: str
    why: Callable[[Entry], str]


def shut_by_ground(entry: Entry) -> str:
    """Why the ground stops units, "" if it does not. Rule: 11.2.4a"""
    stopped = "units cannot enter it" if entry.into else "the hexside cannot be crossed"
    return f"{stopped}: {entry.shut}" if entry.shut else ""


def closed_half_hex(entry: Entry) -> str:
    """Why units do not enter a half-hex that leads to the Holding Box, "" if they may: a Russian or German unit is
    among them.
    Rule: 23.4.1
    """
    may = entry.hex not in HALF_HEXES or set(entry.nations) <= {OFF_MAP_NATION, ""}
    return "" if may else f"only Austro-Hungarian units enter this half-hex, which leads to the {BUKOWINA_BOX}"


TABLE: tuple[EntryBar, ...] = (
    EntryBar("4.2", lambda entry: "enemies stand there" if entry.enemies else ""),
    EntryBar("23.4.1", closed_half_hex),
    EntryBar("", shut_by_ground),
)
"""What keeps units out of a hex, whatever moves them; their own chapters add what else closes it to them."""


def entry_bar(entry: Entry) -> Barred | None:
    """What keeps units out of a hex, None if nothing in the table does. Rule: 4.2b, 23.4.1, 11.2.4a"""
    return next((Barred(row.rule or entry.rule, why) for row in TABLE if (why := row.why(entry))), None)


def impassable(over: Hexside, doing: Doing = "move") -> str:
    """What stops everybody on the way over a hexside into the next hex, in words; "" if nothing does as far as is
    stated.
    """
    river = "a Grand River without bridge or ferry" if doing == "move" and uncrossed(over) else ""
    return closed(over) or river or (HIGH_MOUNTAIN if lets_there_and_back(over) is False else "")


def closed_to(nation: str) -> frozenset[str]:
    """The hexes that units of a nation never enter, whatever stands there. Rule: 23.4.1"""
    return frozenset(hex for hex in HALF_HEXES if closed_half_hex(Entry(hex, (nation,))))


def leads_to_box(hex: str, nations: Collection[str]) -> bool:
    """Whether units may go from a hex into the Bukowina Holding Box: Austro-Hungarians from a half-hex. Rule: 23.4.1"""
    return hex in HALF_HEXES and set(nations) == {OFF_MAP_NATION}
