"""The content of a picture of lines: units with their status, sources, lines, reaches, and breaks.

A game makes a `LineSketch`; its picture looks the same for all games.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import Literal

import msgspec

from ..state.state import hexside
from ..util.console import format_count
from .sketch import Drawable

Status = Literal["full", "low", "none", "cut-off", "unknown"]
"""The supply of a unit: in full, in part, none, none and out of reach of help, or unknown."""
STATUSES: tuple[Status, ...] = ("full", "low", "none", "cut-off", "unknown")
"""All statuses, in the order of the key."""
STATUSES_BY_URGENCY: tuple[Status, ...] = ("cut-off", "none", "unknown", "low", "full")
"""All statuses, beginning with the one that most needs the player's attention."""


class Marked(msgspec.Struct, frozen=True, kw_only=True):
    """A unit with its status."""

    unit: str
    place: str
    side: str
    status: Status
    more: str = ""
    """A few further words, such as the length of the unit's line."""
    army: str = ""
    """The name of the unit's army, or ""."""


class Strand(msgspec.Struct, frozen=True, kw_only=True):
    """The line of one unit, hex by hex from its source."""

    unit: str
    side: str
    hexes: tuple[str, ...]
    full: bool = True
    """Whether the line serves the unit in full."""


class Origin(msgspec.Struct, frozen=True, kw_only=True):
    """A source of lines in a hex."""

    name: str
    place: str
    side: str
    unit: str = ""
    """The unit's id, or "" if the source is not a unit."""
    ways: bool = False
    """Whether the source is a network of ways, such as a railway, that a line leaves in this hex."""
    mode: str = ""
    """The source's mode in words, or ""."""
    extended: bool = False
    """Whether the mode is the far-reaching one."""


class Break(msgspec.Struct, frozen=True, kw_only=True):
    """A hex or hexside that breaks lines."""

    where: str
    side: str
    why: str
    """The reason, in a word or two."""
    units: tuple[str, ...] = ()
    """The units that the break cuts from a source."""
    limit: bool = False
    """Whether lines end here only because of their range."""


class SourceReach(msgspec.Struct, frozen=True, kw_only=True):
    """The hexes within reach of a source, or of all sources of a kind."""

    name: str
    side: str
    near: frozenset[str]
    """The hexes within reach in the usual mode."""
    far: frozenset[str]
    """The hexes within reach in the far-reaching mode, with those of `near`."""
    ways: bool = False
    """Whether the source is a network of ways, such as a railway."""


class Failing(msgspec.Struct, frozen=True, kw_only=True):
    """A broken way from a source to a unit."""

    unit: str
    side: str
    hexes: tuple[str, ...]
    """The whole way, from the source to the unit."""
    ends: str
    """The hex or hexside at which the way is broken."""
    why: str
    """The reason, in a word or two."""

    @property
    def hexes_to_break(self) -> tuple[str, ...]:
        """The hexes from the source up to the break, including the hex, or both hexes of the hexside, of the break."""
        last = max((self.hexes.index(hex) for hex in self.ends.split("|") if hex in self.hexes), default=0)
        return self.hexes[: last + 1]

    @property
    def text(self) -> str:
        """The length of the way up to the break, and the reason: `line ends here after 3 hexes: enemy unit`."""
        length = len(self.hexes_to_break) - 1
        return f"line ends here after {format_count(length, 'hex', 'hexes')}: {self.why}"


def make_failing_way(unit: str, side: str, line: Sequence[str], closed: Mapping[str, str]) -> tuple[Failing, ...]:
    """Return the broken way to a unit along `line` from its source, or () if the way is open.

    `closed`: the hexes and hexsides that break lines, with the reasons. The first one on the way counts.
    """
    hexes_and_hexsides = [*line[:1], *(place for pair in pairwise(line) for place in (hexside(*pair), pair[1]))]
    ends = next((place for place in hexes_and_hexsides if place in closed), "")
    if not ends or len(line) < 2:
        return ()
    return (Failing(unit=unit, side=side, hexes=tuple(line), ends=ends, why=closed[ends]),)


class Cordon(msgspec.Struct, frozen=True, kw_only=True):
    """The ring round a unit that is cut off."""

    left: frozenset[str]
    """The hexes that the unit can still get to, inside the ring."""
    beside: frozenset[str]
    """Further hexes to show: those round the ring and round the broken way."""


class Closed(msgspec.Struct, frozen=True, kw_only=True):
    """The hexes that enemies close to lines. The picture hatches those of them that it shows for another reason."""

    hexes: frozenset[str]
    enemy: str
    text: str = "closed by the enemy"
    """The words for these hexes in the key."""


class LineWords(msgspec.Struct, frozen=True, kw_only=True):
    """The game's words for the key of a picture of lines."""

    statuses: Mapping[Status, str]
    brief: Mapping[Status, str] = {}
    """Statuses in a word or two, beside a unit; the words of the key by default."""
    sides: Mapping[str, str] = {}
    """The names of sides; a side's own name by default."""
    titles: Mapping[str, str] = {}
    """The titles of pictures of one side alone; the title of the whole picture by default."""
    source: str = "source"
    extended: str = "extended source"
    ways: str = "railway as a source"
    line: str = "line"
    low_line: str = "line that serves in part"
    near: str = "within reach"
    far: str = "within extended reach"
    ways_near: str = "within reach of a railway"
    ways_far: str = "within extended reach of a railway"
    breaks: str = "what blocks a line"
    limit: str = "its range ends"
    left: str = "all that is left to it: here the ring closes"
    failing: str = "the way that fails"
    labels: str = ""
    """The meaning of the labels of hexes, or "" if they need none."""


class LineSketch(Drawable, frozen=True, kw_only=True):
    """The content of a picture of lines."""

    DRAWN_AS = ("picture", "map")

    title: str
    words: LineWords
    sides: tuple[str, ...]
    """The sides whose lines are shown, in order."""
    units: tuple[Marked, ...] = ()
    origins: tuple[Origin, ...] = ()
    strands: tuple[Strand, ...] = ()
    reaches: tuple[SourceReach, ...] = ()
    breaks: tuple[Break, ...] = ()
    failing: tuple[Failing, ...] = ()
    cordon: Cordon | None = None
    closed: tuple[Closed, ...] = ()
    answer: str = ""
    """The verdict, below the title."""
    focus: tuple[str, ...] = ()
    """Further hexes to show."""
    labels: Mapping[str, str] = {}
    """A few characters for each hex."""
    caption: tuple[str, ...] = ()
    """The paragraphs below the map."""

    @property
    def marks(self) -> dict[str, Marked]:
        """The units by id."""
        return {unit.unit: unit for unit in self.units}

    @property
    def covered(self) -> frozenset[str]:
        """The places of units, and of supply sources that are units, where a counter covers the map."""
        return frozenset(
            (*(unit.place for unit in self.units), *(origin.place for origin in self.origins if origin.unit))
        )

    @property
    def course(self) -> dict[str, tuple[str, str]]:
        """The hexes before and after each hex on a way or line; at an end, the hex itself replaces the missing one."""
        ways = (*(way.hexes for way in self.failing), *(strand.hexes for strand in self.strands))
        return {
            at: (way[max(number - 1, 0)], way[min(number + 1, len(way) - 1)])
            for way in ways
            for number, at in enumerate(way)
        }

    @property
    def hexes(self) -> list[str]:
        """All places to show: those of `focus`, units, sources, lines, breaks, broken ways and the ring."""
        of_lines = (hex for strand in self.strands for hex in strand.hexes)
        of_breaks = (hex for gap in self.breaks for hex in gap.where.split("|"))
        of_units = (unit.place for unit in self.units)
        of_origins = (origin.place for origin in self.origins)
        cordon = self.cordon
        of_ring = (*sorted(cordon.left), *sorted(cordon.beside)) if cordon else ()
        of_failing = (hex for way in self.failing for hex in way.hexes)
        return list(dict.fromkeys((*self.focus, *of_units, *of_origins, *of_lines, *of_breaks, *of_failing, *of_ring)))


class Weight(msgspec.Struct, frozen=True):
    """The number of a side's lines across a hexside. `full`: whether at least one of them serves its unit in full."""

    number: int
    full: bool


def weigh_hexsides(strands: Collection[Strand], side: str) -> dict[str, Weight]:
    """Return the weight of each hexside that lines of a side cross, so that a shared stretch is drawn once."""
    weights: dict[str, Weight] = {}
    for strand in (strand for strand in strands if strand.side == side):
        for name in dict.fromkeys(hexside(*pair) for pair in pairwise(strand.hexes)):
            before = weights.get(name, Weight(0, False))
            weights[name] = Weight(before.number + 1, before.full or strand.full)
    return weights


def find_worst_status(statuses: Sequence[Status]) -> Status:
    """Return the status that comes first in STATUSES_BY_URGENCY; `statuses` must not be empty."""
    return min(statuses, key=STATUSES_BY_URGENCY.index)
