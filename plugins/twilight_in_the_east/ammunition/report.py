"""The typed result of where an Artillery Ammunition Point (AP) comes from, and the result in words."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Annotated

import msgspec

from assistant.field.lines import Line, LineStep
from assistant.questions import Part, Step, note, step
from assistant.state.vocabulary import Hex, Name

from ..supply.ground import line_part
from ..supply.report import Reach


class PointLink(Reach, frozen=True, kw_only=True):
    """One link of the chain along which an AP comes: from a depot or Corps Train to a train or to the units."""

    to: Annotated[str, note("the hex that has to be reached")]
    extended: Annotated[bool, note("whether it is or has to be in Extended Mode")] = False
    line: Annotated[tuple[LineStep, ...], note("the hexes of the line")] = ()


class PointRecord(msgspec.Struct, frozen=True, kw_only=True):
    """What giving one AP does to a supply unit."""

    source: Name
    turned: Annotated[bool, note("whether it is turned to its Extended Mode side for it")]
    before: Annotated[int, note("APs on its AP Allocated marker now")]
    after: Annotated[int, note("APs on it once the AP is given")]
    limit: Annotated[int | None, note("how many it may allocate in all, null where nothing limits it")]
    allotment: Annotated[bool, note("whether it is of the two APs that the Train of the 3 LW Corps has of its own")] = (
        False
    )


class PointWay(msgspec.Struct, frozen=True, kw_only=True):
    """One way in which an AP may reach units."""

    source: Annotated[str, note("what hands it to the units: a depot, a Corps Train, a magazine, Boyen or Warsaw")]
    point: Annotated[str, note("what the AP is called in a battle")]
    serves: Annotated[tuple[str, ...], note("the units whose artillery it lets count")]
    rule: Annotated[str, note("the rule that allows it")]
    depot: Annotated[str, note("the depot from which a train draws the AP; empty if there is none")] = ""
    links: Annotated[tuple[PointLink, ...], note("each line that it takes")] = ()
    records: Annotated[tuple[PointRecord, ...], note("what it does to each supply unit")] = ()
    why_not: Annotated[str, note("why it does not come this way, empty if it does")] = ""

    @property
    def name(self) -> str:
        """It in a few words: the train and its depot, or the only source."""
        return f"{self.source} from {self.depot}" if self.depot else self.source

    def comes_by(self, names: Collection[str]) -> bool:
        """Whether it takes all of these sources."""
        return set(names) <= {self.source, self.depot}


class CommandPoint(msgspec.Struct, frozen=True):
    """A command in the hex, which needs an AP of its own."""

    command: Annotated[str, note("its corps, or the hex for independent units")]
    units: Annotated[tuple[str, ...], note("those of it that can use an AP")]
    way: Annotated[PointWay | None, note("the one that costs least, null if there is none")]
    tried: Annotated[tuple[PointWay, ...], note("every way that was tried")]

    @property
    def served_by(self) -> str:
        """The way in a few words, with the units that it serves if it does not serve all; "" without a way."""
        if self.way is None:
            return ""
        some = "" if set(self.units) <= set(self.way.serves) else f" (for {', '.join(self.way.serves)} only)"
        return f"{self.way.name}{some}"


class AmmunitionResult(msgspec.Struct, frozen=True):
    """Where the APs for the units of a hex may come from."""

    at: Hex
    commands: Annotated[tuple[CommandPoint, ...], note("each command that needs one")]
    unable: Annotated[tuple[str, ...], note("units there that cannot use an AP")]


def ways_part(command: CommandPoint) -> Part:
    """Every way that was tried for a command."""
    away = "{source}, range {range}, extended {extended_range}: {hex} is {cost:#hex} away"
    steps = []
    for way in command.tried:
        text = "{source}: {why_not}" if way.why_not else "{source}: serves {units} (in a battle it is {point})"
        steps.append(step(way.rule, text, way, source=way.name, units=way.serves))
        steps += [step("10.5.3", away, link, hex=link.to) for link in way.links if link.cost is not None]
    none = Step("10.5.2", "no depot of their army, no train of their corps and no magazine is in this position")
    return Part(f"Sources for {command.command}", tuple(steps) or (none,))


def chosen_parts(way: PointWay | None) -> Iterator[Part]:
    """The lines and the records of the way that was chosen, if any."""
    if way:
        for link in (link for link in way.links if link.line):
            yield line_part(f"The line from {link.source} to {link.to}", Line(link.place, link.line))
        yield Part(
            "What is recorded", tuple(record_step for record in way.records for record_step in record_steps(record))
        )


def record_steps(record: PointRecord) -> Iterator[Step]:
    """What giving an AP does to a supply unit, in words."""
    if record.turned:
        yield step("10.5.3", "{source} is turned to its Extended Mode side", record)
    if record.allotment:
        text = "{source}: {spent} of its own two APs given instead of {before} (its AP marker)"
        yield step("22.3.1", text, record, spent=record.after)
        return
    left = None if record.limit is None else record.limit - record.after
    text = "{source}: {spent:#AP} on its marker instead of {before}" + (", {left} left" if left else ": no more")
    text = text if record.after else "{source}: nothing is recorded"
    yield step("10.5.4", text, record, left=left, spent=record.after)
