"""What a picture of lines shows: units with their status, sources, the lines between them, how far sources reach, and
breaks.

A game says what is what; how it looks is the same for all games.
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
"""How a unit fares: served in full or in part, not served, not even within reach of help, or not known."""
STATUSES: tuple[Status, ...] = ("full", "low", "none", "cut-off", "unknown")
"""All of them, in the order of the key."""
WORST: tuple[Status, ...] = ("cut-off", "none", "unknown", "low", "full")
"""Those who need help most come first."""


class Marked(msgspec.Struct, frozen=True, kw_only=True):
    """A unit with its status."""

    unit: str
    place: str
    side: str
    status: Status
    more: str = ""
    """A few words that say more of it, such as the length of its line."""
    army: str = ""
    """In words, "" for none."""


class Strand(msgspec.Struct, frozen=True, kw_only=True):
    """The line of one unit, hex by hex from its source."""

    unit: str
    side: str
    hexes: tuple[str, ...]
    full: bool = True
    """Whether it is served in full along it."""


class Origin(msgspec.Struct, frozen=True, kw_only=True):
    """A source in a hex."""

    name: str
    place: str
    side: str
    unit: str = ""
    """Its id, "" if it is not a unit."""
    ways: bool = False
    """Whether it is ways, such as a railway, that lines leave there."""
    mode: str = ""
    """In words, "" for none."""
    extended: bool = False
    """Whether that is its far-reaching one."""


class Break(msgspec.Struct, frozen=True, kw_only=True):
    """What breaks lines, in a hex or on a hexside."""

    where: str
    side: str
    why: str
    """In a word or two."""
    units: tuple[str, ...] = ()
    """Those that it keeps from a source."""
    limit: bool = False
    """Whether a range ends there and nothing stands in the way."""


class SourceReach(msgspec.Struct, frozen=True, kw_only=True):
    """The hexes within reach of a source, or of all of a kind."""

    name: str
    side: str
    near: frozenset[str]
    """In its usual mode."""
    far: frozenset[str]
    """At most, with those near by."""
    ways: bool = False
    """Whether they are reached from a network of ways, as a railway, instead of from single sources."""


class Failing(msgspec.Struct, frozen=True, kw_only=True):
    """A way from a source to a unit that fails, hex by hex from the source."""

    unit: str
    side: str
    hexes: tuple[str, ...]
    ends: str
    """The hex or hexside where it does."""
    why: str
    """In a word or two."""

    @property
    def so_far(self) -> tuple[str, ...]:
        """The hexes up to where it fails."""
        last = max((self.hexes.index(end) for end in self.ends.split("|") if end in self.hexes), default=0)
        return self.hexes[: last + 1]

    @property
    def text(self) -> str:
        """That it ends, after how many hexes, and why."""
        many = len(self.so_far) - 1
        return f"line ends here after {format_count(many, 'hex', 'hexes')}: {self.why}"


def make_failing_way(unit: str, side: str, line: Sequence[str], closed: Mapping[str, str]) -> tuple[Failing, ...]:
    """Return the way to a unit that fails, none if it is not known where. line: hex by hex from the source; closed: the
    hexes and hexsides that break it, each with why.
    """
    steps = [*line[:1], *(place for pair in pairwise(line) for place in (hexside(*pair), pair[1]))]
    ends = next((place for place in steps if place in closed), "")
    if not ends or len(line) < 2:
        return ()
    return (Failing(unit=unit, side=side, hexes=tuple(line), ends=ends, why=closed[ends]),)


class Cordon(msgspec.Struct, frozen=True, kw_only=True):
    """How a unit is cut off."""

    left: frozenset[str]
    """The hexes that it can still get to, round which the ring closes."""
    beside: frozenset[str]
    """Those round them and the way that fails, which are shown too."""


class Closed(msgspec.Struct, frozen=True, kw_only=True):
    """The hexes that enemies close to lines, of which those that are drawn are hatched."""

    hexes: frozenset[str]
    enemy: str
    text: str = "closed by the enemy"
    """What closes them, for the key."""


class LineWords(msgspec.Struct, frozen=True, kw_only=True):
    """What the game calls all this in the key of a picture."""

    statuses: Mapping[Status, str]
    """By status."""
    brief: Mapping[Status, str] = {}
    """The same in a word or two, beside a unit, as in the key if left out."""
    sides: Mapping[str, str] = {}
    """By side, its own name by default."""
    source: str = "source"
    extended: str = "extended source"
    ways: str = "railway as a source"
    line: str = "line"
    low_line: str = "line that serves in part"
    near: str = "within reach"
    far: str = "within extended reach"
    """As `near`, of the reach of single sources."""
    ways_near: str = "within reach of a railway"
    ways_far: str = "within extended reach of a railway"
    """As `ways_near`, of the reach of ways."""
    breaks: str = "what blocks a line"
    limit: str = "its range ends"
    left: str = "all that is left to it: here the ring closes"
    failing: str = "the way that fails"


class LineSketch(Drawable, frozen=True, kw_only=True):
    """All that a picture of lines shows."""

    DRAWN_AS = ("picture", "map")

    title: str
    words: LineWords
    sides: tuple[str, ...]
    """Those whose lines are shown, in order."""
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
    """Further hexes that are shown."""
    labels: Mapping[str, str] = {}
    """A few characters for a hex."""
    caption: tuple[str, ...] = ()
    """What stands below the map, a paragraph each."""

    @property
    def marks(self) -> dict[str, Marked]:
        """The units by id."""
        return {unit.unit: unit for unit in self.units}

    @property
    def covered(self) -> frozenset[str]:
        """The places where units lie over what is drawn there: those shown, and sources that are units."""
        return frozenset(
            (*(unit.place for unit in self.units), *(origin.place for origin in self.origins if origin.unit))
        )

    @property
    def course(self) -> dict[str, tuple[str, str]]:
        """For each hex on a way, the one before it there and the one after it, itself at an end of the way."""
        ways = (*(way.hexes for way in self.failing), *(strand.hexes for strand in self.strands))
        return {
            at: (way[max(number - 1, 0)], way[min(number + 1, len(way) - 1)])
            for way in ways
            for number, at in enumerate(way)
        }

    @property
    def hexes(self) -> list[str]:
        """All places that matter: of units, sources, lines and breaks."""
        of_lines = (hex for strand in self.strands for hex in strand.hexes)
        of_breaks = (hex for gap in self.breaks for hex in gap.where.split("|"))
        of_units = (unit.place for unit in self.units)
        of_origins = (origin.place for origin in self.origins)
        cordon = self.cordon
        of_ring = (*sorted(cordon.left), *sorted(cordon.beside)) if cordon else ()
        of_failing = (hex for way in self.failing for hex in way.hexes)
        return list(dict.fromkeys((*self.focus, *of_units, *of_origins, *of_lines, *of_breaks, *of_failing, *of_ring)))


class Weight(msgspec.Struct, frozen=True):
    """How many lines of a side cross a hexside, and whether one of them serves in full."""

    number: int
    full: bool


def weights(strands: Collection[Strand], side: str) -> dict[str, Weight]:
    """Return what the lines of a side carry over each hexside: shared stretches count once, with all their lines."""
    weights_of: dict[str, Weight] = {}
    for strand in (strand for strand in strands if strand.side == side):
        for name in dict.fromkeys(hexside(*pair) for pair in pairwise(strand.hexes)):
            before = weights_of.get(name, Weight(0, False))
            weights_of[name] = Weight(before.number + 1, before.full or strand.full)
    return weights_of


def worst(statuses: Sequence[Status]) -> Status:
    """Return the status of those that needs help most. statuses: at least one."""
    return min(statuses, key=WORST.index)
