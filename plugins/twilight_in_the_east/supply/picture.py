"""The picture of supply: which unit is supplied from where, how far sources reach, and what breaks the lines (14)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from msgspec.structs import replace

from assistant.asking import InputError, MissingFacts, Report, View, step
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

from ..terms import SUPPLY_ARMS
from .ground import supply_ground
from .isolation import WaysOut, isolated_hexes
from .report import Cause, PlannedSupply, SupplyResult, UnitSupply, WholeSupply
from .rules import HEX, RR_IN_SUPPLY, RR_LINE, RR_LOW, near_and_far
from .side.lone_unit import supply_alone
from .sources import railway, supply_unit
from .tried import TriedSource

WORDS = LineWords(
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
    ways_near=f"within {RR_IN_SUPPLY} hexes of an operational RR line",
    ways_far=f"within {RR_LOW} hexes",
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
"""The hindrances that lie on the map, in a word or two."""
STATUS: dict[str | None, Status] = {"in": "full", "low": "low", "out": "none", None: "unknown"}
RANGE_ENDS = "range {} ends"
"""What is said where the range of a source ends on the line to a unit."""
MOST_TOLD = 6
"""For how many units the caption gives the reason why they are not In Supply."""
MOST_SINGLE = 4
"""Up to how many sources of a side are shown each with its own reach; more are shown as one."""
SHOWN_BEYOND = 2
"""How many hexes round units and lines a picture shows."""
NEAR_BY = 12
"""How far from a unit sources are shown that do not serve it, in hexes."""
NEAR = 2
"""How far from a unit and its line other units are shown, in hexes."""


def show(view: View, report: Report[SupplyResult | WholeSupply]) -> LineSketch:
    """Return what a picture of a report on supply shows: its units with their lines and sources. Raises InputError for
    a report without units.
    """
    supply = report.drawable
    if isinstance(supply, SupplyResult):
        return _sketch_unit(view, report, supply)
    sides = [side for side in supply.sides if side.units] if supply else []
    if not sides:
        raise InputError("there are no units to draw", hint="put units on the map")
    extended = list[str]()
    for side in sides:
        extended += side.extended
    modes = [f"In Extended Mode: {', '.join(extended)}."] if extended else []
    parts = [_sketch_side(view, side.side, side.units, side.extended) for side in sides]
    return _join(view, report, parts, modes)


def _sketch_unit(view: View, report: Report[SupplyResult | WholeSupply], supply: SupplyResult) -> LineSketch:
    """Return what the picture of one unit shows: its line with the cost up to each hex, every source that was tried,
    and who is near.
    """
    side = view.side_of(supply.unit)
    cause = None
    if supply.state in ("low", "out"):
        with suppress(MissingFacts, InputError):
            cause = supply_alone(view, view.unit(supply.unit)).cause
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
        if source.source != supply.source and view.board.distance(source.place, supply.place) > NEAR_BY
    ]
    near_by = [source for source in supply.tried if source.source not in far]
    left_out = [f"More than {NEAR_BY} hexes away and not shown: {', '.join(far)}."] if far else []
    part = _sketch_side(view, side, [unit], extended, tried=near_by)
    if report.verdict.kind == "undecided":
        part = replace(part, units=tuple(replace(mark, status="unknown") for mark in part.units))
    drawn = _join(view, report, [part], left_out)
    at = [hex for hex in dict.fromkeys((supply.place, *drawn.hexes)) if view.board.is_hex(hex)]
    places = dict.fromkeys(unit.place for unit in view.state.units.values() if unit.place)
    near = (
        hex for hex in filter(view.board.is_hex, places) if any(view.board.distance(hex, other) <= NEAR for other in at)
    )
    labels = {entered.hex: step("", "{sum}", entered).text for entered in supply.line if entered.hex != supply.place}
    cordon = _find_cordon(view, side, supply.place, cause) if supply.isolated else None
    reaches = tuple(reach for reach in drawn.reaches if not reach.ways or supply.source not in view.state.units)
    return replace(
        drawn,
        focus=tuple(near),
        labels=labels,
        cordon=cordon,
        reaches=reaches,
        closed=tuple(_list_closed_hexes(view, side, isolated=bool(supply.isolated))),
    )


def _list_closed_hexes(view: View, side: str, *, isolated: bool) -> Iterator[Closed]:
    """Yield what the enemy closes to the lines of a side, or to the line of any length by which a unit is not Isolated."""
    enemy = next((other for other in view.game.file.sides if other != side), "")
    with suppress(MissingFacts):
        around = supply_ground(view, side).around
        if isolated:
            text = "closed by the enemy: his units and zones of control, but for hexes in a friendly zone"
            yield Closed(hexes=isolated_hexes(around), enemy=enemy, text=text)
        else:
            text = "closed to lines: the enemy, and EZOCs without a friend"
            yield Closed(hexes=around.closed, enemy=enemy, text=text)


MOST_LEFT = 60
"""How many hexes a unit that is cut off may have left for its ring to be shown."""


def _find_cordon(view: View, side: str, place: str, cause: Cause | None) -> Cordon | None:
    """Return the ring round an Isolated unit on a drawn board: what is left to it, and what lies beside that and the
    way that fails.
    """
    with suppress(MissingFacts):
        ground = supply_ground(view, side)
        if ground.network is not None:
            return None
        around, board = ground.around, ground.certain
        left = WaysOut(around, board.lines, board.linked, frozenset({side, ""})).list_inside(place)
        if not 0 < len(left) <= MOST_LEFT:
            return None
        ways = left.union(cause.line) if cause else left
        beside = ways.union(*map(view.board.neighbours, ways))
        return Cordon(left=left, beside=frozenset(isolated_hexes(around) & beside - left))
    return None


JOINED = ("sides", "units", "origins", "strands", "reaches", "breaks", "failing")
"""What a picture shows of each of its sides."""


def _join(
    view: View, report: Report[SupplyResult | WholeSupply], parts: Sequence[LineSketch], caption: Sequence[str]
) -> LineSketch:
    """Return what is shown of each side as one picture. caption: what stands below it, before the causes and the doubts
    that the report rests on.
    """
    cautions = [drop_fact_counts(caution.text) for caution in report.cautions]
    doubts = [f"{text[:1].upper()}{text[1:]}." for text in cautions]
    causes = [text for part in parts for text in part.caption]
    if len(causes) > MOST_TOLD:
        causes = [*causes[:MOST_TOLD], f"{len(causes) - MOST_TOLD} more are not In Supply: see the report."]
    joined: dict[str, Any] = {name: tuple(each for part in parts for each in getattr(part, name)) for name in JOINED}
    first = parts[0].words if len(parts) == 1 else WORDS
    return LineSketch(
        title=report.title,
        answer=report.headline,
        words=replace(first, sides={side: view.game.file.title_of(side) for side in joined["sides"]}),
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
    """Return what is shown of the units of a side, with why they are not In Supply as its caption. extended: supply
    units in Extended Mode; tried: the sources that are shown, by default those of the units and those that are among
    them.
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
    told = rows if len(rows) <= MOST_TOLD else ()
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
    """Return the army of a unit in words, "" for none."""
    army = view.word("army", unit)
    return f"{view.game.file.title_of(view.word('nation', unit))} {army} Army" if army else ""


def _format_key(sources: Sequence[LineSource]) -> LineWords:
    """Return what the key says: of a single source with its ranges."""
    if len(sources) != 1:
        return WORDS
    (source,) = sources
    near, far = near_and_far(source)
    return replace(WORDS, near=f"within its range of {near} hexes", far=f"within its extended range of {far}")


def _format_length(supply: PlannedSupply, source: LineSource | None) -> str:
    """Return how long the line of a unit is, against the range of its source; "" without a line."""
    if supply.cost is None or not supply.source:
        return ""
    near, far = near_and_far(source) if source else (RR_IN_SUPPLY, RR_LOW)
    by_rail = supply.source == railway(supply.start).name
    limit = far if supply.extended or supply.state == "low" else near
    if source or by_rail:
        away = step("", "{cost} of {limit} hexes", supply, limit=limit).text
    else:
        away = step("", "{cost:#hex}", supply).text
    return f"{away}, Extended Mode" if supply.extended else away


def _find_breaks(cause: Cause) -> dict[str, str]:
    """Return what breaks a line, each hex or hexside with why; also where a range ends."""
    breaks = {hindrance.where: BREAKS[hindrance.kind] for hindrance in cause.hindrances if hindrance.kind in BREAKS}
    return {**breaks, cause.ends: RANGE_ENDS.format(cause.limit)} if cause.ends else breaks


def _find_sources(view: View, rows: Sequence[UnitSupply], tried: Sequence[TriedSource] | None) -> dict[str, LineSource]:
    """Return the supply units that are shown as sources: those that were tried, or those that serve the units shown and
    those among them; without those that are Out of Supply, and those whose ranges are not stated.
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
    """Return where lines begin. extended: whether it is a supply unit in Extended Mode."""
    near, far = near_and_far(source) if source else (0, 0)
    mode = ""
    if source:
        mode = f"extended, {far}" if extended else f"range {near}"
    unit = name if name in view.state.units else ""
    ways = not unit and name == railway(place).name
    return Origin(name=name, place=place, side=side, unit=unit, ways=ways, mode=mode, extended=extended)


def _list_breaks(side: str, units: Iterable[UnitSupply]) -> Iterator[Break]:
    """Yield what breaks lines on the map, each with all units that it keeps from supply."""
    causes = {row.unit: row.cause for row in units if row.cause}
    limits = {(cause.ends, RANGE_ENDS.format(cause.limit)) for cause in causes.values()}
    breaks: dict[tuple[str, str], list[str]] = {}
    for unit, cause in causes.items():
        for broken in _find_breaks(cause).items():
            breaks.setdefault(broken, []).append(unit)
    for (where, why), names in breaks.items():
        yield Break(where=where, side=side, why=why, units=tuple(names), limit=(where, why) in limits)


# --- reach ------------------------------------------------------------------------------------------------------------


def _find_hexes_around(view: View, places: Iterable[str]) -> frozenset[str]:
    """Return the hexes from which the reach of an RR line may be seen in the picture of some places."""
    hexes = [hex for hex in places if view.board.is_hex(hex)]
    return frozenset(radius(hexes, RR_LOW + SHOWN_BEYOND, view.board.neighbours).cost)


def _list_reaches(view: View, side: str, sources: Sequence[LineSource], places: Sequence[str]) -> Iterator[SourceReach]:
    """Yield how far the RR lines of a side and its sources reach; what is open for lack of facts is left out. places:
    those that are shown, near which RR lines matter.
    """
    try:
        board = supply_ground(view, side).certain
        lines = board.lines
    except MissingFacts:
        return
    if board.railway_hexes and (starts := board.railway_hexes & _find_hexes_around(view, places)):
        near, far = _find_reach(lines, starts, RR_IN_SUPPLY, RR_LOW)
        yield SourceReach(name=RR_LINE, side=side, near=near, far=far, ways=True)
    placed = [source for source in sources if source.place in lines.crossings.number]
    reaches = [_find_reach(lines, {source.place}, *near_and_far(source)) for source in placed]
    names = [source.name for source in placed]
    if len(placed) > MOST_SINGLE:
        near, far = map(frozenset[str]().union, *reaches)
        names, reaches = ["all sources"], [(near, far)]
    for name, (near, far) in zip(names, reaches, strict=True):
        yield SourceReach(name=name, side=side, near=near, far=far)


def _find_reach(lines: LineMap, starts: Collection[str], near: int, far: int) -> tuple[frozenset[str], frozenset[str]]:
    """Return the hexes to which a line of at most so many hexes leads, near by and far away."""
    cost = lines.field(starts, max(near, far) * HEX).cost
    return frozenset(hex for hex, at in cost.items() if at <= near * HEX), frozenset(cost)
