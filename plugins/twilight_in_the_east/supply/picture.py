"""The picture of supply: units with their lines and sources, and the causes that cut a unit off."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from msgspec.structs import replace

from assistant.asking import (
    InputError,
    MissingFacts,
    Report,
    View,
    step,
)
from assistant.asking.line_sketch import (
    Break,
    Closed,
    Cordon,
    LineSketch,
    LineWords,
    Marked,
    Origin,
    SourceReach,
    Status,
    Strand,
    make_failing_way,
)
from assistant.asking.wording import drop_fact_counts
from assistant.mechanics.tracing import radius
from assistant.rules.field import LineMap, LineSource
from assistant.state.state import Unit

from ..terms import SUPPLY_ARMS
from .ground import supply_ground
from .isolation import WaysOut, closed_to_ways_out
from .report import (
    Cause,
    PlannedSupply,
    SupplyResult,
    UnitSupply,
    WholeSupply,
)
from .rules import QUARTERS_PER_HEX, RR_IN_SUPPLY_HEXES, RR_LINE, RR_LOW_SUPPLY_HEXES, TriedSource, near_and_far
from .sources import railway_at, supply_unit

PICTURE_WORDS = LineWords(
    statuses={
        "full": "In Supply",
        "low": "in Low Supply",
        "none": "Out of Supply",
        "cut-off": "Out of Supply and Isolated",
        "unknown": "undecided",
    },
    brief={"low": "Low Supply", "cut-off": "Isolated"},
    source="supply source",
    extended="supply source in Extended Mode",
    ways="RR line as the source",
    line="supply line",
    low_line="line that gives Low Supply",
    near="within the range of a source",
    far="within its extended range",
    ways_near=f"within {RR_IN_SUPPLY_HEXES} hexes of an operational RR line",
    ways_far=f"within {RR_LOW_SUPPLY_HEXES} hexes of one",
    breaks="breaks a line",
)
BREAKS = {
    "enemy": "enemy",
    "ezoc": "EZOC",
    "river": "river",
    "railway": "RR line",
    "loc": "no LOC",
    "station": "no RR Station",
}
"""The words for hindrances that are drawn on the map."""
STATUS: dict[str | None, Status] = {"in": "full", "low": "low", "out": "none", None: "unknown"}
RANGE_ENDS = "range {} ends"
"""The template for the hex where a source's range ends on the line to a unit."""
MAX_CAUSES_IN_CAPTION = 6
"""The maximum number of units whose cause is given in the caption."""
MAX_SINGLE_REACHES = 4
"""The maximum number of a side's sources that are each drawn with their own reach."""
MARGIN_HEXES = 2
"""The margin of a picture around units and lines, in hexes."""
MAX_SOURCE_DISTANCE_HEXES = 12
"""The maximum distance of a source that is drawn without serving a unit."""
MAX_NEIGHBOUR_DISTANCE_HEXES = 2
"""The maximum distance of other units that are drawn from the unit asked about or its line."""
MAX_HEXES_LEFT = 60
"""The maximum number of hexes left to a cut-off unit whose ring is drawn."""
PARTS_OF_SIDES = ("sides", "units", "origins", "strands", "reaches", "breaks", "failing")
"""The fields of a picture to which both sides contribute."""


def draw_supply(
    view: View, report: Report[SupplyResult | WholeSupply], supply_alone: Callable[[View, Unit], UnitSupply]
) -> LineSketch:
    """Return the picture of a report on supply: its units with their lines and sources.

    `supply_alone`: a function that returns the supply of a unit asked about alone.

    Raises InputError if the report has no units.
    """
    supply = report.drawable
    if isinstance(supply, SupplyResult):
        cause = None
        if supply.state in ("low", "out"):
            with suppress(MissingFacts, InputError):
                cause = supply_alone(view, view.unit(supply.unit)).cause
        return _sketch_unit(view, report, supply, cause)
    sides = [side for side in supply.sides if side.units] if supply else []
    if not sides:
        raise InputError("there are no units to draw", hint="put units on the map")
    return _join(view, report, [_sketch_side(view, side.side, side.units, side.extended) for side in sides], ())


def _sketch_unit(
    view: View, report: Report[SupplyResult | WholeSupply], supply: SupplyResult, cause: Cause | None
) -> LineSketch:
    """Return the picture of one unit: its line with the cost up to each hex, the sources tried, and units near it."""
    side = view.side_of(supply.unit)
    unit = UnitSupply(
        unit=supply.unit,
        place=supply.place,
        marked="",
        stands=supply.could,
        could=supply.could,
        alone=supply.state,
        isolated=supply.isolated,
        cause=cause,
    )
    extended = (supply.source,) if supply.extended else ()
    on_map = [source for source in supply.tried if view.board.is_hex(source.place) and view.board.is_hex(supply.place)]
    far = [
        source.source
        for source in on_map
        if source.source != supply.source
        and view.board.distance(source.place, supply.place) > MAX_SOURCE_DISTANCE_HEXES
    ]
    near_by = [source for source in supply.tried if source.source not in far]
    left_out = [f"More than {MAX_SOURCE_DISTANCE_HEXES} hexes away and not shown: {', '.join(far)}."] if far else []
    part = _sketch_side(view, side, [unit], extended, tried=near_by)
    if report.verdict.kind == "undecided":
        part = replace(part, units=tuple(replace(mark, status="unknown") for mark in part.units))
    drawn = _join(view, report, [part], left_out)
    at = [hex for hex in dict.fromkeys((supply.place, *drawn.hexes)) if view.board.is_hex(hex)]
    places = dict.fromkeys(unit.place for unit in view.state.units.values() if unit.place)
    near = (
        hex
        for hex in filter(view.board.is_hex, places)
        if any(view.board.distance(hex, other) <= MAX_NEIGHBOUR_DISTANCE_HEXES for other in at)
    )
    labels = {entered.hex: step("", "{sum}", entered).text for entered in supply.line if entered.hex != supply.place}
    cordon = _find_cordon(view, side, supply.place, cause) if supply.isolated else None
    reaches = tuple(reach for reach in drawn.reaches if not reach.ways or supply.source not in view.state.units)
    return replace(
        drawn,
        words=replace(drawn.words, labels="hexes from the source, by the cost of the line"),
        focus=tuple(near),
        labels=labels,
        cordon=cordon,
        reaches=reaches,
        closed=tuple(_list_closed_hexes(view, side, isolated=bool(supply.isolated))),
    )


def _list_closed_hexes(view: View, side: str, *, isolated: bool) -> Iterator[Closed]:
    """Yield the hexes that the enemy closes to the lines of a side.

    `isolated`: whether to yield those closed to ways out instead.
    """
    enemy = next((other for other in view.game.file.sides if other != side), "")
    with suppress(MissingFacts):
        around = supply_ground(view, side).around
        if isolated:
            text = "closed by the enemy: his units and zones of control, but for hexes in a friendly zone"
            yield Closed(hexes=closed_to_ways_out(around), enemy=enemy, text=text)
        else:
            text = "closed to lines: the enemy, and EZOCs without a friend"
            yield Closed(hexes=around.closed, enemy=enemy, text=text)


def _find_cordon(view: View, side: str, place: str, cause: Cause | None) -> Cordon | None:
    """Return the ring around an Isolated unit on a drawn board, or None if the ring is too wide.

    The ring has the hexes left to the unit, and the bars beside them and beside the failing way.
    """
    with suppress(MissingFacts):
        ground = supply_ground(view, side)
        if ground.network is not None:
            return None
        around, board = ground.around, ground.certain
        left = WaysOut(around, board.lines, board.linked, frozenset({side, ""})).list_inside(place)
        if not 0 < len(left) <= MAX_HEXES_LEFT:
            return None
        ways = left.union(cause.line) if cause else left
        beside = ways.union(*map(view.board.neighbours, ways))
        return Cordon(left=left, beside=frozenset(closed_to_ways_out(around) & beside - left))
    return None


def _join(
    view: View, report: Report[SupplyResult | WholeSupply], parts: Sequence[LineSketch], caption: Sequence[str]
) -> LineSketch:
    """Combine the pictures of several sides.

    `caption`: the lines above the causes and doubts of the report.
    """
    cautions = [drop_fact_counts(caution.text) for caution in report.cautions]
    doubts = [f"{text[:1].upper()}{text[1:]}." for text in cautions]
    causes = [text for part in parts for text in part.caption]
    if len(causes) > MAX_CAUSES_IN_CAPTION:
        causes = [
            *causes[:MAX_CAUSES_IN_CAPTION],
            f"{len(causes) - MAX_CAUSES_IN_CAPTION} more are not In Supply: see the report.",
        ]
    joined: dict[str, Any] = {
        name: tuple(each for part in parts for each in getattr(part, name)) for name in PARTS_OF_SIDES
    }
    first, sides, file = parts[0].words if len(parts) == 1 else PICTURE_WORDS, joined["sides"], view.game.file
    titles = {side: f"Supply of {file.the_side(side)}" for side in sides} if len(sides) > 1 else {}
    return LineSketch(
        title=report.title,
        answer=report.headline,
        words=replace(first, sides={side: file.title_of(side) for side in sides}, titles=titles),
        caption=(*caption, *causes, *doubts),
        **joined,
    )


def _sketch_side(
    view: View,
    side: str,
    rows: Sequence[UnitSupply],
    extended: Collection[str],
    *,
    tried: Sequence[TriedSource] | None = None,
) -> LineSketch:
    """Return the picture of a side's units, with the causes of worse states in the caption.

    `extended`: ids of the supply units in Extended Mode.
    `tried`: the sources to draw, or None for those that serve the units or are among them.
    """
    sources = _find_sources(view, rows, tried)
    units = tuple(
        Marked(
            unit=row.unit,
            place=row.place,
            side=side,
            status="cut-off" if row.could.state == "out" and row.isolated else STATUS[row.could.state],
            more=_format_length(row.could, sources.get(row.could.source)),
            army=_format_army(view, row.unit),
        )
        for row in rows
    )
    strands = tuple(
        Strand(
            unit=row.unit,
            side=side,
            hexes=(row.could.start, *(entered.hex for entered in row.could.line)),
            full=row.could.state == "in",
        )
        for row in rows
        if row.could.source and row.could.line
    )
    starts = {row.could.source: row.could.start for row in rows if row.could.source and row.could.start}
    starts |= {source.name: source.place for source in sources.values()}
    starts |= {source.source: source.place for source in tried or ()}
    origins = (
        _describe_origin(view, side, name, place, sources.get(name), extended=name in extended)
        for name, place in starts.items()
    )
    places = [*starts.values(), *(row.place for row in units), *(hex for strand in strands for hex in strand.hexes)]
    told = rows if len(rows) <= MAX_CAUSES_IN_CAPTION else ()
    return LineSketch(
        title="",
        words=_format_key([*sources.values()]),
        sides=(side,),
        units=units,
        origins=tuple(origins),
        strands=strands,
        reaches=tuple(_list_reaches(view, side, list(sources.values()), places)),
        breaks=tuple(_list_breaks(side, rows)),
        failing=tuple(
            way
            for row in told
            if row.cause and row.could.state == "out"
            for way in make_failing_way(row.unit, side, row.cause.line, _find_breaks(row.cause))
        ),
        caption=tuple(f"{row.unit}: {row.cause.text}." for row in rows if row.cause),
    )


def _format_army(view: View, unit: str) -> str:
    army = view.word("army", unit)
    return f"{view.game.file.title_of(view.word('nation', unit))} {army} Army" if army else ""


def _format_key(sources: Sequence[LineSource]) -> LineWords:
    """Return the words of the key: with the ranges, if there is a single source."""
    if len(sources) != 1:
        return PICTURE_WORDS
    (source,) = sources
    near, far = near_and_far(source)
    return replace(PICTURE_WORDS, near=f"within its range of {near} hexes", far=f"within its extended range of {far}")


def _format_length(supply: PlannedSupply, source: LineSource | None) -> str:
    """Return the length of a unit's line against the range of its source, or "" without a line."""
    if supply.cost is None or not supply.source:
        return ""
    near, far = near_and_far(source) if source else (RR_IN_SUPPLY_HEXES, RR_LOW_SUPPLY_HEXES)
    by_rail = supply.source == railway_at(supply.start).name
    limit = far if supply.extended or supply.state == "low" else near
    if source or by_rail:
        away = step("", "{cost} of {limit} hexes", supply, limit=limit).text
    else:
        away = step("", "{cost:#hex}", supply).text
    return f"{away}, Extended Mode" if supply.extended else away


def _find_sources(view: View, rows: Sequence[UnitSupply], tried: Sequence[TriedSource] | None) -> dict[str, LineSource]:
    """Return the supply units that are shown as sources.

    They were tried, serve the units shown, or are themselves shown. Out of Supply units and those of unstated range are
    left out.
    """
    if tried is None:
        names = [row.unit for row in rows] + [row.could.source for row in rows]
    else:
        names = [source.source for source in tried]
    lost = {row.unit for row in rows if row.could.state == "out"}
    sources = dict[str, LineSource]()
    for name in names:
        if name in view.state.units and name not in lost and view.word("arm", name) in SUPPLY_ARMS:
            with suppress(MissingFacts), view.gather() as facts:
                sources[name] = supply_unit(facts, view.unit(name))
    return sources


def _describe_origin(
    view: View, side: str, name: str, place: str, source: LineSource | None, *, extended: bool
) -> Origin:
    """Return a place where lines begin.

    `extended`: whether it has a supply unit in Extended Mode.
    """
    near, far = near_and_far(source) if source else (0, 0)
    mode = ""
    if source:
        mode = f"extended, {far}" if extended else f"range {near}"
    unit = name if name in view.state.units else ""
    ways = not unit and name == railway_at(place).name
    return Origin(name=name, place=place, side=side, unit=unit, ways=ways, mode=mode, extended=extended)


def _find_breaks(cause: Cause) -> dict[str, str]:
    breaks = {hindrance.where: BREAKS[hindrance.kind] for hindrance in cause.hindrances if hindrance.kind in BREAKS}
    return {**breaks, cause.ends: RANGE_ENDS.format(cause.limit)} if cause.ends else breaks


def _list_breaks(side: str, units: Iterable[UnitSupply]) -> Iterator[Break]:
    """Yield the breaks of lines on the map, each with all units that it keeps from supply."""
    causes = {row.unit: row.cause for row in units if row.cause}
    limits = {(cause.ends, RANGE_ENDS.format(cause.limit)) for cause in causes.values()}
    breaks: dict[tuple[str, str], list[str]] = {}
    for unit, cause in causes.items():
        for broken in _find_breaks(cause).items():
            breaks.setdefault(broken, []).append(unit)
    for (where, why), names in breaks.items():
        yield Break(where=where, side=side, why=why, units=tuple(names), limit=(where, why) in limits)


# --- how far sources reach --------------------------------------------------------------------------------------------


def _list_reaches(view: View, side: str, sources: Sequence[LineSource], places: Sequence[str]) -> Iterator[SourceReach]:
    """Yield the reach of a side's RR lines and sources; hexes whose facts are missing are left out.

    `places`: the places that are shown, near which RR lines matter.
    """
    try:
        board = supply_ground(view, side).certain
        lines = board.lines
    except MissingFacts:
        return
    if board.railway_hexes and (starts := board.railway_hexes & _find_hexes_around(view, places)):
        near, far = _find_reach(lines, starts, RR_IN_SUPPLY_HEXES, RR_LOW_SUPPLY_HEXES)
        yield SourceReach(name=RR_LINE, side=side, near=near, far=far, ways=True)
    placed = [source for source in sources if source.place in lines.crossings.number]
    reaches = [_find_reach(lines, {source.place}, *near_and_far(source)) for source in placed]
    names = [source.name for source in placed]
    if len(placed) > MAX_SINGLE_REACHES:
        near, far = map(frozenset[str]().union, *reaches)
        names, reaches = ["all sources"], [(near, far)]
    for name, (near, far) in zip(names, reaches, strict=True):
        yield SourceReach(name=name, side=side, near=near, far=far)


def _find_hexes_around(view: View, places: Iterable[str]) -> frozenset[str]:
    """Return the hexes from which the reach of an RR line can extend into the picture."""
    hexes = [hex for hex in places if view.board.is_hex(hex)]
    return frozenset(radius(hexes, RR_LOW_SUPPLY_HEXES + MARGIN_HEXES, view.board.neighbours).cost)


def _find_reach(lines: LineMap, starts: Collection[str], near: int, far: int) -> tuple[frozenset[str], frozenset[str]]:
    cost = lines.field(starts, max(near, far) * QUARTERS_PER_HEX).cost
    return frozenset(hex for hex, at in cost.items() if at <= near * QUARTERS_PER_HEX), frozenset(cost)
