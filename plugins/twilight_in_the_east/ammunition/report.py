"""The typed result of where an Artillery Ammunition Point (AP) comes from, and the result in words."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import msgspec

from assistant.questions.report import Part, Step

from ..supply.report import LineStep, line_part


class PointLink(msgspec.Struct, frozen=True, kw_only=True):
    """One link of the chain along which an AP comes: from a depot or Corps Train to a train or to the units.

    source: its name; kind: corps-train, minor-depot, major-depot or fortress; place: its hex; to: the hex that has to be
    reached; cost: in hexes, null where no line is known or the player vouches for it; range: normal reach in hexes, null where
    the player vouches for the line; extended_range: the same in Extended Mode; extended: whether it
    is or has to be in Extended Mode; line: the hexes of the line.
    """

    source: str
    kind: str
    place: str
    to: str
    cost: Fraction | None
    range: int | None
    extended_range: int | None
    extended: bool = False
    line: tuple[LineStep, ...] = ()


class PointRecord(msgspec.Struct, frozen=True, kw_only=True):
    """What giving one AP does to a supply unit.

    source: its name; turned: whether it is turned to its Extended Mode side for it; before: APs on its AP Allocated marker
    now; after: APs on it once the AP is given; limit: how many it may allocate in all, null where nothing limits it.
    """

    source: str
    turned: bool
    before: int
    after: int
    limit: int | None


class PointWay(msgspec.Struct, frozen=True, kw_only=True):
    """One way in which an AP may reach units.

    source: what hands it to the units: a depot, a Corps Train, a magazine, Boyen or Warsaw; depot: where a train has it from,
    empty where it is not passed on; point: what the AP is called in a battle; serves: the units whose artillery it lets count;
    rule: that allows it; links: each line that it takes; records: what it does to each supply unit; why_not: why it does not
    come this way, empty if it does.
    """

    source: str
    point: str
    serves: tuple[str, ...]
    rule: str
    depot: str = ""
    links: tuple[PointLink, ...] = ()
    records: tuple[PointRecord, ...] = ()
    why_not: str = ""


class CommandPoint(msgspec.Struct, frozen=True, kw_only=True):
    """A command in the hex, which needs an AP of its own.

    command: its corps, or the hex for independent units; units: those of it that can use an AP; way: the one that costs least,
    null if there is none; tried: every way that was looked at.
    """

    command: str
    units: tuple[str, ...]
    way: PointWay | None
    tried: tuple[PointWay, ...]


class AmmunitionResult(msgspec.Struct, frozen=True, kw_only=True):
    """Where the APs for the units of a hex may come from.

    at: the hex; commands: each command that needs one; unable: units there that no AP is of use to.
    """

    at: str
    commands: tuple[CommandPoint, ...]
    unable: tuple[str, ...]


def named(way: PointWay) -> str:
    """A way in a few words: the train and its depot, or the only source."""
    return f"{way.source} from {way.depot}" if way.depot else way.source


def ways_part(command: CommandPoint) -> Part:
    """Every way that was looked at for a command."""
    steps = []
    for way in command.tried:
        figures: dict[str, object] = {"source": named(way), "units": list(way.serves), "why_not": way.why_not}
        figures["point"] = way.point
        text = "{source}: {why_not}" if way.why_not else "{source}: serves {units} (to a battle it is {point})"
        steps.append(Step(way.rule, text, figures))
        for link in way.links:
            if link.cost is not None:
                figures = {name: getattr(link, name) for name in ("source", "range", "extended_range", "cost")}
                figures["hex"] = link.to
                text = "{source}, range {range}, extended {extended_range}: {hex} is {cost} hexes away"
                steps.append(Step("10.5.3", text, figures))
    if not steps:
        text = "no depot of their army, no train of their corps and no magazine stands in this position"
        steps.append(Step("10.5.2", text))
    return Part(f"Sources for {command.command}", tuple(steps))


def chosen_parts(way: PointWay) -> Iterable[Part]:
    """The lines and the records of the way that was chosen."""
    for link in way.links:
        if link.line:
            yield line_part(f"The line from {link.source} to {link.to}", link.place, link.line)
    steps = []
    for record in way.records:
        figures = {
            "source": record.source,
            "before": record.before,
            "spent": record.after,
            "left": None if record.limit is None else record.limit - record.after,
        }
        if record.turned:
            steps.append(Step("10.5.3", "{source} is turned to its Extended Mode side", figures))
        if record.after:
            text = "{source}: {spent:#AP} on its marker instead of {before}, {left} left"
            steps.append(
                Step("10.5.4", text if figures["left"] else text[: text.index(", {left}")] + ": no more", figures)
            )
        else:
            steps.append(Step("10.5.4", "{source}: nothing is recorded", figures))
    if steps:
        yield Part("What is recorded", tuple(steps))
