"""The question `build-line`: whether a Field Railway, a narrow-gauge line or a new RR line may be begun or grow (17.5
to 17.7).
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from assistant.field import Around
from assistant.questions import Answers, InputError, Parameters, PlaceName, View, declare, note, read_unless, refused
from assistant.questions.report import Part, Report, Step, step, verdict
from assistant.questions.view import Gather, changed
from assistant.state.state import hexside
from assistant.state.vocabulary import Allowed

from ..ground.hexsides import between
from ..railways.network import GAUGE, BuiltLine, Kind, has_station, is_complete, line_from, read_links
from ..terms import GREAT_RIVERS
from .building import (
    BUILDERS,
    HOMES,
    NAMES,
    RULES,
    Leg,
    Site,
    extend,
    laid,
    may_begin,
    may_go_on,
    record_line,
)
from .reading import around_side, holder, not_the_time

RIVERS = GREAT_RIVERS | {"minor-river"}
BEST = Leg(friendly=True, terrain="", roadway=True)
"""The ground that no kind of line is refused on."""
LENIENT = {"reading": "beyond", "toward": "free", "pontoons": "bridge"}
"""The readings by which a line may go on that may go on by any other."""
ROADWAYS = ("road", "primary-road", "secondary-road")


class BuildParameters(Parameters, frozen=True):
    """A line to be begun, or one that grows."""

    at: Annotated[PlaceName, note("the hex of its DEPLOYED marker")]
    to: Annotated[PlaceName | None, note("the next hex; left out, the DEPLOYED marker is placed")] = None
    kind: Annotated[
        Literal["field", "narrow-gauge", "railroad"] | None,
        note("of a line that is begun: a Field Railway, a German narrow-gauge line or a new Russian RR line"),
    ] = None
    nation: Annotated[
        Literal["german", "austro-hungarian", "russian"] | None,
        note("that begins a Field Railway; the only one that builds the kind, if left out"),
    ] = None
    objective: Annotated[PlaceName | None, note("of a new RR line that is begun")] = None
    gauge: Annotated[Literal["european", "russian"] | None, note("of a new RR line that is begun")] = None


class BuildResult(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a line may be begun or grow."""

    kind: Annotated[str, note("field, narrow-gauge or railroad")]
    nation: Annotated[str, note("that builds it")]
    allowed: Allowed
    hexes: Annotated[tuple[str, ...], note("of the line afterwards, from its DEPLOYED marker to its RAILHEAD marker")]
    half: Annotated[bool, note("whether the last hex is built by half")]
    complete: Annotated[bool, note("whether the line is complete then")]


def answer(view: View, parameters: BuildParameters, answers: Answers) -> Report[BuildResult]:
    """The report on building a line. Raises MissingFacts for what matters and is not stated, InputError for a line that
    is not there, one that is there already, and a hex that is not the next.
    """
    line = line_from(view, parameters.at)
    if parameters.to is None:
        if line:
            raise InputError(f"at: a line is built from {parameters.at} already", hint="give to=HEX for its next hex")
        return begun(view, parameters)
    if line is None:
        raise InputError(
            f"at: no line is built from {parameters.at}", hint="leave out to=HEX to begin one, with kind=KIND"
        )
    return growth_report(view, line, parameters.to)


def begun(view: View, parameters: BuildParameters) -> Report[BuildResult]:
    """The report on a DEPLOYED marker."""
    if parameters.kind is None:
        raise InputError("kind of line is not given", hint="kind=field, narrow-gauge or railroad")
    kind, at = parameters.kind, parameters.at
    nation = parameters.nation or (BUILDERS[kind][0] if len(BUILDERS[kind]) == 1 else "")
    if not nation:
        raise InputError("who builds the Field Railway is not given", hint="nation=austro-hungarian or russian")
    side, objective = view.game.side_of(nation), parameters.objective
    markers = view.fact("field-railways", nation)
    left = int(str(markers.value)) if markers else None
    flags = {"optional": view.flag("new-railways"), "campaign": view.flag("campaign")}
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
        reasons = may_begin(kind, nation, site, **flags, markers=left, title=title)
        return not_the_time(view, side, RULES[kind]) + reasons

    known = read_unless(against(best), lambda: read_site(view, side, kind, at, best))
    turn, site = known or (0, best)
    reasons = against(site)
    line = BuiltLine(
        kind=kind, nation=nation, hexes=(at,), turn=turn, objective=objective or "", gauge=parameters.gauge or ""
    )
    changes = record_line(view, line, RULES[kind])
    if kind == "field" and left:
        changes.append(changed(view, "field-railways", nation, left - 1, "17.5.3"))
    title = f"A line from {at}"
    if reasons:
        result = result_of(line, complete=False, allowed=False)
        return refused(title, "{what} may not begin in {hex}", reasons, result=result, what=NAMES[kind], hex=at)
    text = "place the DEPLOYED marker of {what} in {hex}; it grows from the next RR Engineering Phase on"
    return Report(
        title=title,
        verdict=verdict("yes", text, what=NAMES[kind], hex=at),
        parts=(Part("The line", (step(RULES[kind], limits(kind)),)),),
        changes=tuple(changes),
        result=result_of(line, complete=False),
    )


def read_site(view: View, side: str, kind: Kind, at: str, best: Site) -> tuple[int, Site]:
    """The game turn, and the hex of a DEPLOYED marker as far as it matters to the kind of line. best: with what the
    parameters state. Raises MissingFacts for what is not stated.
    """
    with view.gather() as facts:
        field, turn = kind == "field", facts.integer("turn")
        station = has_station(facts, at)
        site = msgspec.structs.replace(
            best,
            friendly=holder(facts, around_side(facts, side), at) == side if field else True,
            station=station,
            country="" if field else facts.word("country", at),
            terrain=facts.word("terrain", at) if field else "",
        )
        return turn, site


def growth_report(view: View, line: BuiltLine, to: str) -> Report[BuildResult]:
    """The report on the next hex of a line."""
    side, goes_on = view.game.side_of(line.nation), line.half and to == line.railhead
    here = line.hexes[-2] if goes_on else line.railhead
    if line.half and not goes_on:
        raise InputError(f"to: {line.railhead} is built by half", hint=f"give to={line.railhead}")
    if to in line.whole:
        raise InputError(f"to: {to} is on the line already", hint="give the next hex beyond its RAILHEAD marker")
    view.board.check_adjacent(here, to, "a line grows into a hex next to its RAILHEAD marker")
    links = read_links(view)
    title, text = f"The line from {line.deployed} into {to}", "{what} may not be built into {hex}"
    result, over = result_of(line, complete=False, allowed=False), is_complete(line, links)
    stated = view.fact("turn")
    worked = bool(line.turn) and stated is not None and line.turn >= view.integer("turn")
    standing = not_the_time(view, side, RULES[line.kind])
    stated_leg = leg_as_stated(view, here, to)
    standing += may_go_on(line.kind, len(line.hexes), stated_leg, complete=over, worked=worked, **LENIENT)
    known = read_unless(standing, lambda: read_next(view, line, side, here, to))
    if known is None:
        return refused(title, text, standing, result=result, what=NAMES[line.kind], hex=to)
    turn, leg, parallel = known
    if not line.turn:
        view.presume(
            step(
                RULES[line.kind],
                "the line was not worked on in this turn ({how})",
                how=f"{line.deployed} built-turn=TURN",
            )
        )
    field = line.kind == "field"
    open_length = field and len(line.hexes) == 13
    away = line.kind == "railroad" and not leg.nearer
    by_pontoon = line.kind == "narrow-gauge" and leg.roadway and leg.pontoon
    reasons = not_the_time(view, side, RULES[line.kind]) + may_go_on(
        line.kind,
        len(line.hexes),
        leg,
        complete=over,
        worked=bool(line.turn) and line.turn >= turn,
        reading=view.ruling("field-railway-length", open_length),
        toward=view.ruling("new-line-toward", away),
        pontoons=view.ruling("narrow-gauge-pontoon", by_pontoon),
    )
    if reasons:
        return refused(title, text, reasons, result=result, what=NAMES[line.kind], hex=to)
    after = extend(line, to, turn, parallel=parallel)
    complete = is_complete(after, links)
    text = "half of {hex} is built" if after.half else "{hex} is built"
    text += ", and the line is complete" if complete else ""
    return Report(
        title=title,
        verdict=verdict("yes", text, hex=to),
        parts=(Part("The line", (step(RULES[line.kind], limits(line.kind)),)),),
        changes=(*record_line(view, after, RULES[line.kind]), *laid(view, after, side)),
        result=result_of(after, complete=complete),
    )


def read_next(view: View, line: BuiltLine, side: str, here: str, to: str) -> tuple[int, Leg, bool]:
    """The game turn, what lies before the next hex, and whether a new RR line runs there beside one of another gauge.
    Raises MissingFacts for what is not stated.
    """
    with view.gather() as facts:
        turn, leg = facts.integer("turn"), read_leg(facts, line, around_side(facts, side), here, to)
        parallel = line.kind == "railroad" and beside_another_gauge(facts, line.gauge, here, to)
        return turn, leg, parallel


def leg_as_stated(view: View, here: str, to: str) -> Leg:
    """What lies before the next hex, what is not stated taken as ground that no line is refused on."""
    road = view.fact("road", between(view, here, to).name)
    roadway = road is None or road.value in ROADWAYS
    return msgspec.structs.replace(BEST, terrain=view.word("terrain", to), roadway=roadway)


def read_leg(facts: Gather, line: BuiltLine, around: Around, here: str, to: str) -> Leg:
    """What lies before the next hex, as far as it matters to the kind of line."""
    view, field, over = facts.view, line.kind == "field", between(facts, here, to)
    roadway = (view if line.kind == "railroad" else facts).word("road", over.name) in ROADWAYS
    river = bool(RIVERS & over.lies)
    linked = roadway or over.linked
    crossing = (view if linked else facts).word("crossing", over.name) if river else ""
    printed = crossing if crossing in ("bridge", "ferry") else "bridge" if linked and crossing != "pontoon" else ""
    toward = line.kind == "railroad" and bool(line.objective)
    return Leg(
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


def beside_another_gauge(facts: Gather, gauge: str, here: str, to: str) -> bool:
    """Whether a RR line of another gauge than that of a new one leads the same way; the gauge of a line there is asked
    for.
    """
    over = hexside(here, to)
    if facts.view.word("rail", over) in ("", "no-rail"):
        return False
    return facts.word("gauge", over) not in ("", "both", GAUGE.get(gauge, ""))


def limits(kind: Kind) -> str:
    """How fast and how far a line grows, in words."""
    return {
        "field": "it grows by one hex in each RR Engineering Phase, along roads, up to 13 hexes; it carries supply and APs only",
        "narrow-gauge": "it grows by one hex in each RR Engineering Phase until it meets another RR line; it stays, for both sides",
        "railroad": "it grows by half a hex in each RR Engineering Phase, by one beside a line of another gauge; "
        "complete, it stays, for both sides",
    }[kind]


def result_of(line: BuiltLine, *, complete: bool, allowed: bool = True) -> BuildResult:
    """The result of a line."""
    return BuildResult(
        kind=line.kind, nation=line.nation, allowed=allowed, hexes=line.hexes, half=line.half, complete=complete
    )


QUESTION = declare(
    "build-line",
    "whether a Field Railway, a narrow-gauge line or a new RR line may be begun or grow",
    answer,
    decision=lambda report: report.result.allowed if report.result else None,
)
