"""Who may enter a hex: one table for all that moves, retreats, advances, displaces, goes by rail or arrives (4.2, 8.1.1, 23.4.1)."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Literal, NamedTuple

from assistant.field import Barred, Hexside

from ..terms import BUKOWINA_BOX, HALF_HEXES
from .hexsides import closed, lets_there_and_back, uncrossed

Doing = Literal["move", "retreat"]
"""How a hexside is crossed: a retreat leads over a Grand River without bridge or ferry, at a price (11.2.4); no other move does."""
HIGH_MOUNTAIN = "High Mountain"
OFF_MAP_NATION = "austro-hungarian"
"""The nation whose units alone enter the half-hexes, and from these the Bukowina Holding Box (23.4.1)."""


class Entry(NamedTuple):
    """A hex and the units that would enter it.

    nations: of these units; enemies: whether enemies stand in the hex; shut: what stops them on the way, in words, as `impassable` gives
    it; rule: the mover's own rule of ground that stops it; into: whether it is the hex that stops them, and not its hexside.
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
    """Why units do not enter a half-hex that leads to the Holding Box, "" if they may: a Russian or German unit is among them.
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
    """What stops everybody on the way over a hexside into the next hex, in words; "" if nothing does as far as is stated."""
    river = "a Grand River without bridge or ferry" if doing == "move" and uncrossed(over) else ""
    return closed(over) or river or (HIGH_MOUNTAIN if lets_there_and_back(over) is False else "")


def closed_to(nation: str) -> frozenset[str]:
    """The hexes that units of a nation never enter, whatever stands there. Rule: 23.4.1"""
    return frozenset(hex for hex in HALF_HEXES if closed_half_hex(Entry(hex, (nation,))))


def leads_to_box(hex: str, nations: Collection[str]) -> bool:
    """Whether units may go from a hex into the Bukowina Holding Box: Austro-Hungarians from a half-hex. Rule: 23.4.1"""
    return hex in HALF_HEXES and set(nations) == {OFF_MAP_NATION}
