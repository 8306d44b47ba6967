"""The ways of an AP from a depot to units, the record of APs, and the choice of a way (10.5.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Annotated

import msgspec

from assistant.asking import Part, Step, note, step
from assistant.rules.field.lines import LineStep, TracedLine
from assistant.state.vocabulary import Hex, Name

from ..combat.allocation import MAGAZINE_PREFIX
from ..supply.rules import SourceReach

ALLOTMENT = "allotment-spent"
"""Track: the number of its own APs that the Train of 3 LW Corps has given."""


class PointLink(SourceReach, frozen=True, kw_only=True):
    """A link in the chain of an AP, from a depot or Corps Train to a train or to the units."""

    to: Annotated[str, note("the hex to be reached")]
    extended: Annotated[bool, note("whether the source is or must be in Extended Mode")] = False
    line: Annotated[tuple[LineStep, ...], note("the hexes of the line")] = ()


class PointRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The effects on a supply unit of giving one AP."""

    source: Name
    turned: Annotated[bool, note("whether it is flipped to its Extended Mode side to give the AP")]
    before: Annotated[int, note("APs on its AP Allocated marker now")]
    after: Annotated[int, note("APs on its AP Allocated marker once the AP is given")]
    limit: Annotated[int | None, note("how many APs it may allocate in all, null if unlimited")]
    allotment: Annotated[bool, note("whether the AP is one of the two of the 3 LW Train itself")] = False


class PointWay(msgspec.Struct, frozen=True, kw_only=True):
    """A way for an AP to reach units."""

    source: Annotated[
        str, note("what delivers the AP to the units: a depot, a Corps Train, a magazine, Boyen or Warsaw")
    ]
    point: Annotated[str, note("what the AP is called in a battle")]
    serves: Annotated[tuple[str, ...], note("units whose artillery counts with the AP")]
    rule: Annotated[str, note("the rule that allows the route")]
    depot: Annotated[str, note("the depot from which a Corps Train draws the AP; empty if there is none")] = ""
    links: Annotated[tuple[PointLink, ...], note("each supply line that the AP takes")] = ()
    records: Annotated[tuple[PointRecord, ...], note("what the AP does to each supply unit")] = ()
    why_not: Annotated[str, note("why the AP does not come by this route, empty if it does")] = ""

    @property
    def name(self) -> str:
        """The name of the way: the train and its depot, or the only source."""
        return f"{self.source} from {self.depot}" if self.depot else self.source

    def comes_by(self, names: Collection[str]) -> bool:
        """Return whether the way uses all of the named sources."""
        return set(names) <= {self.source, self.depot}


class CommandPoint(msgspec.Struct, frozen=True):
    """A command in the hex, with the ways for its AP."""

    command: Annotated[str, note("the corps, or the hex for independent units")]
    units: Annotated[tuple[str, ...], note("the units that can use an AP")]
    way: Annotated[PointWay | None, note("the cheapest route of an AP, null if there is none")]
    tried: Annotated[tuple[PointWay, ...], note("every route that was tried")]

    @property
    def served_by(self) -> str:
        """The name of the way, with the units served if not all are, or "" without a way."""
        if self.way is None:
            return ""
        some = "" if set(self.units) <= set(self.way.serves) else f" (for {', '.join(self.way.serves)} only)"
        return f"{self.way.name}{some}"


class AmmunitionResult(msgspec.Struct, frozen=True):
    """The sources of APs for the units of a hex."""

    at: Hex
    commands: Annotated[tuple[CommandPoint, ...], note("each command that needs an AP")]
    unable: Annotated[tuple[str, ...], note("units there that cannot use an AP")]


def ways_part(command: CommandPoint) -> Part:
    """Return the part on the ways tried for a command."""
    away = "{source}, range {range}, extended {extended_range}: {hex} is {cost:#hex} away"
    steps = []
    for way in command.tried:
        text = "{source}: [why_not:{why_not}|serves {units} (named {point} in a battle)]"
        steps.append(step(way.rule, text, way, source=way.name, units=way.serves))
        steps += [step("10.5.3", away, link, hex=link.to) for link in way.links if link.cost is not None]
    none = Step("10.5.2", "no depot of their army, no Corps Train of their corps and no magazine is in this position")
    return Part(f"Sources for {command.command}", tuple(steps) or (none,))


def chosen_parts(way: PointWay | None) -> Iterator[Part]:
    """Yield the parts on the lines and records of the chosen way, if there is one."""
    from ..supply.ground import line_part  # imported only here: battles use this module too, but show no supply line

    if way:
        for link in way.links:
            if link.line:
                yield line_part(f"The line from {link.source} to {link.to}", TracedLine(link.place, link.line))
        yield Part(
            "What is recorded", tuple(record_step for record in way.records for record_step in record_steps(record))
        )


def record_steps(record: PointRecord) -> Iterator[Step]:
    """Yield the steps on a supply unit's effects of giving an AP."""
    if record.turned:
        yield step("10.5.3", "{source} is flipped to its Extended Mode side", record)
    if record.allotment:
        text = "{source}: {spent} of its two APs now given, previously {before} (its AP marker)"
        yield step("22.3.1", text, record, spent=record.after)
        return
    left = None if record.limit is None else record.limit - record.after
    text = "{source}: nothing is recorded"
    if record.after:
        text = "{source}: {spent:#AP} now on its marker, previously {before}[left:; {left} left|; no more left]"
    yield step("10.5.4", text, record, left=left, spent=record.after)


def cheapest(ways: Sequence[PointWay], through: Sequence[str]) -> PointWay | None:
    """Return the way with the fewest units turned over and records, then the shortest, or None if none serves.

    `through`: the sources that the way must use.

    Rule: 10.5.3
    """

    def burden(way: PointWay) -> tuple[int, int, bool, int, float]:
        turned = sum(record.turned for record in way.records)
        recorded = sum(record.after != record.before for record in way.records)
        one_stack = way.point.startswith(MAGAZINE_PREFIX)  # other sources serve a whole corps
        return turned, recorded, one_stack, len(way.links), float(sum(link.cost or 0 for link in way.links))

    able = [way for way in ways if not way.why_not and way.comes_by(through)]
    return min(able, key=burden, default=None)


def overdrawn(ways: Sequence[PointWay]) -> dict[tuple[str, bool], tuple[int, int]]:
    """Return the supply units with fewer APs left than the ways together take from them.

    The key has the unit, and whether the APs are its own allotment. The value is the APs left, and the APs taken.
    """
    records = [record for way in ways for record in way.records]
    # The two APs that the 3 LW Train itself has before GT 10 are counted separately.
    wanted = Counter((record.source, record.allotment) for record in records)
    left: dict[tuple[str, bool], int] = {}
    for record in records:
        if record.limit is not None:
            given = record.after - 1  # APs given before this one, on the side that gives it
            stock = record.source, record.allotment
            left[stock] = min(record.limit - given, left.get(stock, record.limit))
    return {stock: (few, wanted[stock]) for stock, few in left.items() if few < wanted[stock]}
