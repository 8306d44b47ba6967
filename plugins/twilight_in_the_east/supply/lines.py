"""Supply lines: the map of a side on which they are traced, what each step of them costs, and what a source gives along one (14.1)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import msgspec

from assistant.field import Cost, Line, LineMap, Network, Range, Source
from assistant.mechanics.crossings import Crossing
from assistant.mechanics.tracing import CostField
from assistant.questions import Gather, Part, Step, View, step

from ..ground import calendar
from ..railways.built import NARROW
from .rules import HEX, connected_railway, is_flooded, step_cost, supply_from

LINKS = ("rail", "road", "crossing")
ON_HEXSIDES = ("barrier", *LINKS)
Rails = Mapping[str, Sequence[str]]
UNKNOWN_TERRAIN = "the terrain of the hex is not stated"
CLOSED = "enemy-occupied or in an EZOC"
"""Why no line enters a hex, in words."""


def judge(view: View, source: Source, line: Line) -> Range | None:
    """What a source gives along a line, None if it is too far; ruling supply-rounding is looked up only where it may matter."""
    return supply_from(source, int(line.cost * HEX), view.ruling("supply-rounding", line.cost.denominator > 1))


def line_part(title: str, line: Line) -> Part:
    """A line, hex by hex, in words."""
    steps = (step("14.1.2", "{hex}: {cost} ({why}), {sum} so far", each) for each in line.steps)
    return Part(title, (Step("14.1.2", "from {hex}", {"hex": line.start}), *steps))


class Conditions(NamedTuple):
    """What the calendar makes of lines: wetlands are frozen, great rivers are in High Water or Autumn."""

    freeze: bool = False
    flooded: bool = False


def conditions(facts: Gather) -> Conditions:
    """The conditions of a position, all of them in the campaign game alone (14.1.2, 20.1)."""
    if not facts.flag("campaign"):
        return Conditions()
    weather = calendar.weather(facts, "freeze", "high-water")
    return Conditions(weather == "freeze", is_flooded(weather, facts.integer("turn"), True))


def cost_of_step(kind: Crossing, when: Conditions) -> Cost | str:
    """What a kind of step costs, or what bars it; terrain that is not stated does where it makes a difference."""
    enters, over = dict[str, Any](kind.enters), dict[str, Any](kind.over)
    railed = bool(dict(kind.leaves)["operational"] and enters["operational"])

    def cost(terrain: str) -> Cost | str:
        return step_cost(terrain, **over, operational=railed, freeze=when.freeze, flooded=when.flooded)

    if enters["terrain"]:
        return cost(enters["terrain"])
    clear, mountain = cost("clear"), cost("mountain")
    same = isinstance(clear, str) or isinstance(mountain, str) or clear.amount == mountain.amount
    return clear if same else UNKNOWN_TERRAIN


class SupplyMap(msgspec.Struct, frozen=True, dict=True):
    """A drawn board made ready for tracing, for one side.

    rails: to which hexes an operational RR line leads from a hex; edges: operational RR hexes at a friendly map edge; railway: the
    RR hexes that are linked to it, and how: no others count as operational (17.1.1); linked: these hexes.
    """

    lines: LineMap
    rails: Rails
    edges: frozenset[str]
    railway: CostField
    distance: Callable[[str, str], int]
    linked: frozenset[str]

    @cached_property
    def loc(self) -> CostField:
        """Those that EZOCs leave open to a depot's LOC, and how."""
        return connected_railway(self.edges, self.lines.closed, self.rails)

    def line(self, source: Source, to: str) -> Line | None:
        """The cheapest line from a source to a hex, None if none leads there within its ranges."""
        return self.lines.line(source.place, to, at_most(source.limit or 0))

    def along(self, hexes: Sequence[str]) -> Line:
        """The line through some hexes, as far as nothing bars it. Raises KeyError for two that no way joins."""
        return self.lines.along(hexes, CLOSED)


class Railway(msgspec.Struct, frozen=True):
    """The hexes of typed RR lines of a side, by whether they are linked to a friendly map edge.

    stated: it is stated, with the way there; granted: nothing is stated and nothing cuts the line, so that it is taken for granted, with all
    hexes of the line; doubtful: the line is cut, and nothing is stated of that stretch of it, with the hex of the stretch of which it is
    asked.
    """

    stated: CostField = CostField({}, {})
    granted: Mapping[str, tuple[str, ...]] = {}
    doubtful: Mapping[str, str] = {}

    @property
    def linked(self) -> frozenset[str]:
        """The hexes that are linked."""
        return frozenset((*self.stated.cost, *self.granted))


class SupplyGround(msgspec.Struct, frozen=True):
    """The ground on which the supply lines of a side are traced, be it a drawn board or what is typed of a paper map.

    certain: the map on which what matters and is not stated bars the way; possible: that on which it does not, be it terrain, the
    link of a RR line or who holds Pillau. On a drawn board both are the same. network: what is typed, None of a drawn board; railway,
    loc: the hexes of typed RR lines as sources and as a depot's LOC; deployed: by hex of a typed Field Railway that of its DEPLOYED
    marker.
    """

    network: Network | None
    certain: SupplyMap
    possible: SupplyMap
    railway: Railway = Railway()
    loc: Railway = Railway()
    deployed: Mapping[str, str] = {}

    @property
    def is_whole(self) -> bool:
        """Whether every way is known that a line can take."""
        return self.network is None or self.network.is_whole


def at_most(hexes: int) -> int:
    """The greatest cost within a range, with the quarter of a hex that may be rounded away."""
    return hexes * HEX + 1


def beside_field_railways(
    words: Mapping[str, str], name: str, narrow: Collection[str], built: frozenset[str]
) -> dict[str, str]:
    """What crosses a hexside for a side that has Field Railways: narrow track along them, and on other hexsides of a hex that no other
    line links no RR line that works, but still its bridge. narrow: the hexsides of Field Railways; built: such hexes. Rule: 17.5.3
    """
    if not words["rail"].startswith("rail"):
        return {**words, "rail": NARROW} if name in narrow else dict(words)
    if built.isdisjoint(name.split("|")):
        return dict(words)
    if name in narrow:
        return {**words, "rail": NARROW}
    return {**words, "rail": "no-rail", "crossing": words["crossing"].replace("no-crossing", "bridge")}
