"""The question `build-line`: whether a Field Railway, a narrow-gauge line or a new RR line may be begun or grow; what
furthers and ends them (17.5 to 17.7).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec

from assistant.asking import (
    InputError,
    Parameters,
    PlaceName,
    Step,
    View,
    declare,
    note,
    permission,
    read_unless,
    refused,
)
from assistant.asking.report import Report, step
from assistant.asking.view import Gather, changed
from assistant.rules.field import SideField
from assistant.state.changes import Change
from assistant.state.state import hexside
from assistant.state.vocabulary import Allowed

from ..control.front_line import holder
from ..ground import hexsides
from ..ground.calendar import other_phase_steps
from ..ground.hexsides import between
from ..railways.built_lines import GAUGE, BuiltLine, Kind, is_complete, line_from, platforms
from ..railways.network import has_station, read_links
from ..terms import GREAT_RIVERS, Nation
from .building import BUILDERS, HOMES, NAMES, RULES, BuildLeg, Site, extend_line, may_begin, may_go_on

LIMITS: Mapping[Kind, str] = {
    "field": (
        "it grows by one hex in each RR Engineering Phase, along roads, up to 13 hexes; it carries only supply and APs"
    ),
    "narrow-gauge": (
        "it grows by one hex in each RR Engineering Phase until it meets another RR line; it is permanent and serves "
        "both sides"
    ),
    "railroad": "it grows by half a hex in each RR Engineering Phase, by one beside a line of another gauge; "
    "complete, it is permanent and serves both sides",
}
"""How fast and how far a line grows, in words."""
ENGINEERING = "engineering"
RIVERS = GREAT_RIVERS | {"minor-river"}
LENIENT = {"reading": "beyond", "toward": "free", "pontoons": "bridge"}
"""The readings by which a line may go on that may go on by any other."""
ROADWAYS = ("road", "primary-road", "secondary-road")
BEST = BuildLeg(friendly=True, terrain="", roadway=True)
"""The ground that no kind of line is refused on."""


def _record_line(view: View, line: BuiltLine, rule: str) -> list[Change]:
    """Return the record of a line, where it differs from what the position states."""
    words = {
        "built-kind": line.kind,
        "built-by": line.nation,
        "built-line": " ".join(line.hexes),
        "built-turn": line.turn or None,
        "built-half": line.half or None,
        "built-to": line.objective or None,
        "built-gauge": line.gauge or None,
    }
    made = (changed(view, track, line.deployed, value, rule) for track, value in words.items())
    return [change for change in made if change.before != change.after]


def join_rail_net(view: View, line: BuiltLine, side: str) -> list[Change]:
    """Return the last hex of a permanent line becomes part of the rail net: the RR line on its hexside, and that it is
    operational. A Field Railway adds nothing to the net.
    Rule: 17.6, 17.7
    """
    if line.kind == "field" or line.half:
        return []
    rule, here, there = RULES[line.kind], *line.hexes[-2:]
    over = hexside(here, there)
    gauge = GAUGE[line.gauge or "european"]
    beside = view.word("gauge", over) if view.word("rail", over) not in ("", "no-rail") else ""
    made = [] if beside else [changed(view, "rail", over, "rail1", rule)]
    if line.kind == "narrow-gauge" and not beside:
        made.append(changed(view, "narrow", over, True, rule))
    made.append(changed(view, "gauge", over, "both" if beside not in ("", gauge) else gauge, rule))
    made.append(changed(view, "operational", there, side, rule))
    if line.kind == "railroad" and there in platforms(line.whole):
        made.append(changed(view, "station", there, True, "17.7"))
    return [change for change in made if change.before != change.after]


class BuildParameters(Parameters, frozen=True):
    """A line to be begun, or one that grows."""

    at: Annotated[PlaceName, note("the hex of the line's DEPLOYED marker")]
    to: Annotated[PlaceName | None, note("the next hex; if left out, the DEPLOYED marker is placed")] = None
    kind: Annotated[Kind | None, note("kind of a new line: Field Railway, German narrow-gauge or Russian RR line")] = (
        None
    )
    nation: Annotated[
        Nation | None, note("nation that begins the line; if left out, the only one that builds this kind of line")
    ] = None
    objective: Annotated[PlaceName | None, note("objective of a new RR line")] = None
    gauge: Annotated[Literal["european", "russian"] | None, note("gauge of a new RR line")] = None


class BuildResult(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a line may be begun or grow."""

    kind: Annotated[str, note("field, narrow-gauge or railroad")]
    nation: Annotated[str, note("nation that builds the line")]
    allowed: Allowed = False
    hexes: Annotated[
        tuple[str, ...], note("hexes of the line afterwards, from its DEPLOYED marker to its RAILHEAD marker")
    ]
    half: Annotated[bool, note("whether the last hex is only half built")]
    complete: Annotated[bool, note("whether the line is complete then")]


def answer(view: View, parameters: BuildParameters) -> Report[BuildResult]:
    """Return the report on building a line. Raises MissingFacts for what matters and is not stated, InputError for a
    line that is not there, one that is there already, what the line is not, and a hex that is not the next.
    """
    line = line_from(view, parameters.at)
    if parameters.to is None:
        if line:
            raise InputError(
                f"at: a line is already being built from {parameters.at}", hint="give to=HEX for its next hex"
            )
        return _begin_report(view, parameters)
    if line is None:
        raise InputError(
            f"at: no line is being built from {parameters.at}", hint="to begin one, leave out to=HEX and give kind=KIND"
        )
    _check_named(line, parameters)
    return _growth_report(view, line, parameters.to)


def _check_named(line: BuiltLine, parameters: BuildParameters) -> None:
    """Raises InputError if the parameters call a line under construction something else than it is."""
    for name in ("kind", "nation", "objective", "gauge"):
        given = getattr(parameters, name)
        recorded = getattr(line, name)
        if given not in (None, recorded):
            what = f"that of the line from {line.deployed} is {recorded}" if recorded else "none is recorded"
            raise InputError(f"{name}: {given} is given, but {what}", hint=f"leave out {name}, which the line has")


def _begin_report(view: View, parameters: BuildParameters) -> Report[BuildResult]:
    """Return the report on a DEPLOYED marker."""
    if parameters.kind is None:
        raise InputError("the kind of line is not given", hint="kind=field, narrow-gauge or railroad")
    kind = parameters.kind
    at = parameters.at
    for name in ("objective", "gauge"):
        if kind != "railroad" and getattr(parameters, name) is not None:
            raise InputError(f"{name}: {NAMES[kind]} has none", hint=f"only {NAMES['railroad']} has: leave out {name}")
    nation = parameters.nation or (BUILDERS[kind][0] if len(BUILDERS[kind]) == 1 else "")
    if not nation:
        raise InputError("who builds the Field Railway is not given", hint="nation=austro-hungarian or russian")
    side = view.game.side_of(nation)
    objective = parameters.objective
    markers = view.fact("field-railways", nation)
    left = int(str(markers.value)) if markers else None
    optional = view.flag("new-railways")
    campaign = view.flag("campaign")
    title = view.game.file.title_of(nation)
    best = Site(
        friendly=True,
        station=True,
        country=HOMES.get(kind, ""),
        terrain="",
        distance=view.board.distance(at, objective) if objective else None,
        gauge=parameters.gauge or "",
    )

    def against(site: Site) -> list[Step]:
        reasons = may_begin(kind, nation, site, optional=optional, campaign=campaign, markers=left, title=title)
        return other_phase_steps(view, side, RULES[kind], ENGINEERING) + reasons

    known = read_unless(against(best), lambda: _read_site(view, side, kind, at, best))
    turn, site = known or (0, best)
    line = BuiltLine(
        kind=kind, nation=nation, hexes=(at,), turn=turn, objective=objective or "", gauge=parameters.gauge or ""
    )
    changes = _record_line(view, line, RULES[kind])
    if kind == "field" and left:
        changes.append(changed(view, "field-railways", nation, left - 1, "17.5.3"))
    text = "place the DEPLOYED marker of {what} in {hex}; it grows from the next RR Engineering Phase on"
    return permission(
        f"A line from {at}",
        (text, "{what} may not begin in {hex}"),
        against(site),
        _result_of(line),
        working={"The line": [step(RULES[kind], LIMITS[kind])]},
        changes=changes,
        what=NAMES[kind],
        hex=at,
    )


def _read_site(view: View, side: str, kind: Kind, at: str, best: Site) -> tuple[int, Site]:
    """Return the game turn, and the hex of a DEPLOYED marker as far as it matters to the kind of line. best: with what
    the parameters state. Raises MissingFacts for what is not stated.
    """
    with view.gather() as facts:
        field = kind == "field"
        turn = facts.integer("turn")
        station = has_station(facts, at)
        site = msgspec.structs.replace(
            best,
            friendly=holder(facts, hexsides.field(facts).around(side), at) == side if field else True,
            station=station,
            country="" if field else facts.word("country", at),
            terrain=facts.word("terrain", at) if field else "",
        )
        return turn, site


def _growth_report(view: View, line: BuiltLine, to: str) -> Report[BuildResult]:
    """Return the report on the next hex of a line."""
    side = view.game.side_of(line.nation)
    here = _find_last_hex(view, line, to)
    links = read_links(view)
    title = f"The line from {line.deployed} into {to}"
    text = "{what} may not be built into {hex}"
    over = is_complete(line, links)
    untimely = other_phase_steps(view, side, RULES[line.kind], ENGINEERING)
    stated = view.fact("turn")
    worked = bool(line.turn) and stated is not None and line.turn >= view.integer("turn")
    stated_leg = _suppose_leg(view, here, to)
    standing = untimely + may_go_on(line.kind, len(line.hexes), stated_leg, complete=over, worked=worked, **LENIENT)
    known = read_unless(standing, lambda: _read_next(view, line, side, here, to))
    if known is None:
        return refused(title, text, standing, result=_result_of(line), what=NAMES[line.kind], hex=to)
    turn, leg, parallel = known
    if not line.turn:
        how = f"{line.deployed} built-turn=TURN"
        view.premises.assume(step(RULES[line.kind], "the line was not worked on this turn ({how})", how=how))
    open_length = line.kind == "field" and len(line.hexes) == 13
    away = line.kind == "railroad" and not leg.nearer
    by_pontoon = line.kind == "narrow-gauge" and leg.roadway and leg.pontoon
    reasons = untimely + may_go_on(
        line.kind,
        len(line.hexes),
        leg,
        complete=over,
        worked=bool(line.turn) and line.turn >= turn,
        reading=view.ruling("field-railway-length", open_length),
        toward=view.ruling("new-line-toward", away),
        pontoons=view.ruling("narrow-gauge-pontoon", by_pontoon),
    )
    after = extend_line(line, to, turn, parallel=parallel)
    complete = is_complete(after, links)
    allowed = "half of {hex} is built" if after.half else "{hex} is built"
    if complete:
        allowed += ", and the line is complete"
    return permission(
        title,
        (allowed, text),
        reasons,
        _result_of(line) if reasons else _result_of(after, complete=complete),
        working={"The line": [step(RULES[line.kind], LIMITS[line.kind])]},
        changes=(*_record_line(view, after, RULES[line.kind]), *join_rail_net(view, after, side)),
        what=NAMES[line.kind],
        hex=to,
    )


def _find_last_hex(view: View, line: BuiltLine, to: str) -> str:
    """Return the hex from which a line grows. Raises InputError for a hex into which it does not."""
    goes_on = line.half and to == line.railhead
    if line.half and not goes_on:
        raise InputError(f"to: {line.railhead} is half built", hint=f"give to={line.railhead}")
    if to in line.whole:
        raise InputError(f"to: {to} is already on the line", hint="give the next hex beyond its RAILHEAD marker")
    here = line.hexes[-2] if goes_on else line.railhead
    view.board.check_adjacent(here, to, "a line grows into a hex adjacent to its RAILHEAD marker")
    return here


def _read_next(view: View, line: BuiltLine, side: str, here: str, to: str) -> tuple[int, BuildLeg, bool]:
    """Return the game turn, what lies before the next hex, and whether a new RR line runs there beside one of another
    gauge. Raises MissingFacts for what is not stated.
    """
    with view.gather() as facts:
        turn = facts.integer("turn")
        leg = _read_leg(facts, line, hexsides.field(facts).around(side), here, to)
        parallel = line.kind == "railroad" and _is_beside_another_gauge(facts, line.gauge, here, to)
        return turn, leg, parallel


def _suppose_leg(view: View, here: str, to: str) -> BuildLeg:
    """Return what lies before the next hex, what is not stated taken as ground that no line is refused on."""
    road = view.fact("road", between(view, here, to).name)
    roadway = road is None or road.value in ROADWAYS
    return msgspec.structs.replace(BEST, terrain=view.word("terrain", to), roadway=roadway)


def _read_leg(facts: Gather, line: BuiltLine, around: SideField, here: str, to: str) -> BuildLeg:
    """Return what lies before the next hex, as far as it matters to the kind of line."""
    view = facts.view
    field = line.kind == "field"
    over = between(facts, here, to)
    roadway = (view if line.kind == "railroad" else facts).word("road", over.name) in ROADWAYS
    river = bool(RIVERS & over.lies)
    linked = roadway or over.linked
    crossing = (view if linked else facts).word("crossing", over.name) if river else ""
    if crossing in ("bridge", "ferry"):
        printed = crossing
    elif linked and crossing != "pontoon":
        printed = "bridge"
    else:
        printed = ""
    toward = line.kind == "railroad" and bool(line.objective)
    return BuildLeg(
        friendly=True if field else holder(facts, around, to) == around.side,
        terrain=facts.word("terrain", to) if field else "",
        enemy=field and to in around.enemies,
        enemy_zone=field and to in around.enemy_zones,
        roadway=roadway,
        river=river,
        printed=printed,
        pontoon=crossing == "pontoon",
        nearer=not toward or view.board.distance(to, line.objective) < view.board.distance(here, line.objective),
    )


def _is_beside_another_gauge(facts: Gather, gauge: str, here: str, to: str) -> bool:
    """Return whether an RR line of another gauge than that of a new one leads the same way; the gauge of a line there
    is asked for.
    """
    over = hexside(here, to)
    if facts.view.word("rail", over) in ("", "no-rail"):
        return False
    return facts.word("gauge", over) not in ("", "both", GAUGE.get(gauge, ""))


def _result_of(line: BuiltLine, *, complete: bool = False) -> BuildResult:
    """Return the result of a line."""
    return BuildResult(kind=line.kind, nation=line.nation, hexes=line.hexes, half=line.half, complete=complete)


QUESTION = declare(
    "build-line",
    "whether a Field Railway, a narrow-gauge line or a new RR line may be begun or extended",
    answer,
    decision=lambda report: report.result.allowed if report.result else None,
)
