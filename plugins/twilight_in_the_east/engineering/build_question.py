"""The question `build-line`: beginning and extending Field Railways, narrow-gauge lines and new RR lines (17.5 to
17.7).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Literal

import msgspec

from assistant.asking import InputError, Parameters, PlaceName, Step, View, declare, note
from assistant.asking.case import Action, fact
from assistant.asking.permission import Clause
from assistant.asking.report import Report, step
from assistant.asking.view import Gather, changed
from assistant.rules.field import Hexside, SideField
from assistant.state.changes import Change
from assistant.state.state import hexside
from assistant.state.vocabulary import Allowed

from ..control.front_line import holder
from ..ground import hexsides
from ..ground.calendar import QuietWork
from ..ground.hexsides import between
from ..railways.built_lines import TRACK_GAUGES, BuiltLine, Kind, is_complete, line_from, platforms
from ..railways.network import has_station, read_links
from ..terms import GREAT_RIVERS, Nation

MAX_FIELD_RAILWAY_HEXES = 13
"""Maximum length of a Field Railway, in hexes."""
MAX_OBJECTIVE_DISTANCE_HEXES = 17
"""Maximum distance to the objective of a new RR line, in hexes."""
RIVERS = GREAT_RIVERS | {"minor-river"}
ROADWAYS = ("road", "primary-road", "secondary-road")
MOUNTAINS = ("mountain", "high-mountain")


class LineKind(msgspec.Struct, frozen=True, kw_only=True):
    """The rules for a kind of line."""

    name: str
    builders: tuple[str, ...]
    """The nations that build such lines."""
    rule: str
    """The rule on beginning and extending such a line."""
    home: str = ""
    """The country in which such a line begins, or "" for any."""
    limits: str
    """The pace and the maximum length, in words."""


KINDS: Mapping[Kind, LineKind] = {
    "field": LineKind(
        name="a Field Railway",
        builders=("austro-hungarian", "russian"),
        rule="17.5.1",
        limits="it grows by one hex in each RR Engineering Phase, along roads, up to 13 hexes; it carries only supply "
        "and APs",
    ),
    "narrow-gauge": LineKind(
        name="a narrow-gauge line",
        builders=("german",),
        rule="17.6.1",
        home="german",
        limits="it grows by one hex in each RR Engineering Phase until it meets another RR line; it is permanent and "
        "serves both sides",
    ),
    "railroad": LineKind(
        name="a new RR line",
        builders=("russian",),
        rule="17.7.1",
        home="russian",
        limits="it grows by half a hex in each RR Engineering Phase, by one beside a line of another gauge; complete, "
        "it is permanent and serves both sides",
    ),
}


def extend_line(line: BuiltLine, to: str, turn: int, *, parallel: bool) -> BuiltLine:
    """Return a line after a phase's work: one hex more, or half a hex of a new RR line.

    `parallel`: whether a new RR line runs beside a line of another gauge, and so grows by a whole hex.

    Rule: 17.5.1, 17.6.1, 17.7.1
    """
    if line.half:
        return msgspec.structs.replace(line, half=False, turn=turn)
    halved = line.kind == "railroad" and not parallel
    return msgspec.structs.replace(line, hexes=(*line.hexes, to), half=halved, turn=turn)


def _record_line(view: View, line: BuiltLine) -> list[Change]:
    words = {
        "built-kind": line.kind,
        "built-by": line.nation,
        "built-line": " ".join(line.hexes),
        "built-turn": line.turn or None,
        "built-half": line.half or None,
        "built-to": line.objective or None,
        "built-gauge": line.gauge or None,
    }
    rule = KINDS[line.kind].rule
    made = (changed(view, track, line.deployed, value, rule) for track, value in words.items())
    return [change for change in made if change.before != change.after]


def join_rail_net(view: View, line: BuiltLine, side: str) -> list[Change]:
    """Return the changes by which the last hex of a permanent line joins the rail net.

    The hexside gets an operational RR line. A Field Railway adds nothing to the net.

    Rule: 17.6, 17.7
    """
    if line.kind == "field" or line.half:
        return []
    rule, here, there = KINDS[line.kind].rule, *line.hexes[-2:]
    over = hexside(here, there)
    gauge = TRACK_GAUGES[line.gauge or "european"]
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
    """Parameters of the question `build-line`."""

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
    """The verdict on beginning or extending a line."""

    kind: Annotated[str, note("field, narrow-gauge or railroad")]
    nation: Annotated[str, note("nation that builds the line")]
    allowed: Allowed = False
    hexes: Annotated[
        tuple[str, ...], note("hexes of the line afterwards, from its DEPLOYED marker to its RAILHEAD marker")
    ]
    half: Annotated[bool, note("whether the last hex is only half built")]
    complete: Annotated[bool, note("whether the line is complete then")]


class Building(QuietWork, Action[BuildResult]):
    """The work on a line in a phase."""

    line: BuiltLine
    """The line before the work; a new line consists of its first hex."""
    hex: str
    """The hex that is worked on."""
    nation: str
    """The name of the nation that builds the line."""
    rule: str
    """The rule on beginning and extending this kind of line."""
    due: str = "engineering"

    @property
    def kind(self) -> LineKind:
        return KINDS[self.line.kind]

    @property
    def what(self) -> str:
        return self.kind.name

    def _read_around(self) -> SideField:
        return hexsides.field(self.facts).around(self.side)

    @fact
    def is_friendly(self) -> bool:
        """The side controls the hex."""
        return holder(self.facts, self._read_around(), self.hex) == self.side

    @fact
    def in_mountains(self) -> bool:
        """It is a Mountain hex, high or not."""
        return self.facts.word("terrain", self.hex) in MOUNTAINS

    def bars(self) -> Iterator[Clause]:
        yield from self.bars_of_phase()
        yield from self.bars_of_line()

    def bars_of_line(self) -> Iterator[Clause]:
        """Yield the bars that hold in any phase."""
        raise NotImplementedError

    def working(self) -> dict[str, Iterable[Step]]:
        return {"The line": [step(self.rule, self.kind.limits)]}


class Beginning(Building):
    """A line that is to begin in a hex."""

    title = "A line from {hex}"
    yes = "place the DEPLOYED marker of {what} in {hex}; it grows from the next RR Engineering Phase on"
    no = "{what} may not begin in {hex}"
    most = MAX_OBJECTIVE_DISTANCE_HEXES

    @property
    def is_builder(self) -> bool:
        return self.line.nation in self.kind.builders

    @fact
    def lines_allowed(self) -> bool:
        """It is the Grand Campaign with the optional rule of new lines."""
        return self.facts.flag("new-railways") and self.facts.flag("campaign")

    @fact
    def marker_left(self) -> bool:
        """The nation has a Field Railway marker left, or the number left is not stated."""
        left = self.view.fact("field-railways", self.line.nation)
        return left is None or bool(left.value)

    @fact
    def at_station(self) -> bool:
        """The hex is an RR Station."""
        return has_station(self.facts, self.hex)

    @fact
    def at_home(self) -> bool:
        """The hex lies in the home country."""
        return self.facts.word("country", self.hex) == self.kind.home

    @fact
    def near_objective(self) -> bool:
        """An objective is named that is near enough."""
        objective = self.line.objective
        return bool(objective) and self.view.board.distance(self.hex, objective) <= MAX_OBJECTIVE_DISTANCE_HEXES

    def bars_of_line(self) -> Iterator[Clause]:
        of_kind = {
            "field": self.bars_of_field_site,
            "narrow-gauge": self.bars_of_narrow_gauge_site,
            "railroad": self.bars_of_new_line_site,
        }
        yield from of_kind[self.line.kind]()

    def bars_of_field_site(self) -> Iterator[Clause]:
        """Yield the bars to beginning a Field Railway. Rule: 17.5.1"""
        yield not self.is_builder, "17.5.1", "{nation} engineers do not build {what}"
        yield not self.marker_left, "17.5.3", "no {nation} Field Railway marker is left"
        yield not self.at_station, "17.5.1", "it must begin at an RR Station"
        yield not self.is_friendly, "17.5.1", "it must begin in a friendly controlled hex"
        yield self.in_mountains, "17.5.2", "it may not be laid in a Mountain hex"

    def bars_of_narrow_gauge_site(self) -> Iterator[Clause]:
        """Yield the bars to beginning a narrow-gauge line. Rule: 17.6, 17.6.2"""
        yield not self.is_builder, "17.6.1", "{nation} engineers do not build {what}"
        yield (
            not self.lines_allowed,
            "17.6",
            "{what} may be built only in the Grand Campaign, with the optional rule (state campaign and new-railways)",
        )
        yield not self.at_station, "17.6.1", "it must begin at an RR Station"
        yield not self.at_home, "17.6.2", "it must begin in the home country"

    def bars_of_new_line_site(self) -> Iterator[Clause]:
        """Yield the bars to beginning a new RR line. Rule: 17.7, 17.7.2"""
        yield not self.is_builder, "17.7.1", "{nation} engineers do not build {what}"
        yield (
            not self.lines_allowed,
            "17.7",
            "{what} may be built only in the Grand Campaign, with the optional rule (state campaign and new-railways)",
        )
        yield not self.at_station, "17.7.1", "it must begin at an RR Station"
        yield not self.at_home, "17.7.2", "it must begin in the home country"
        yield not self.line.gauge, "17.7", "its gauge must be declared"
        yield not self.near_objective, "17.7.1", "its objective must be named, at most {most:#hex} away"

    def needs(self, facts: Gather) -> None:
        facts.integer("turn")

    def result(self, *, allowed: bool) -> BuildResult:
        return _result_of(self.line)

    def changes(self) -> Iterator[Change]:
        turn = self.view.integer("turn")
        yield from _record_line(self.view, msgspec.structs.replace(self.line, turn=turn))
        left = self.view.integer("field-railways", self.line.nation)
        if self.line.kind == "field" and left:
            yield changed(self.view, "field-railways", self.line.nation, left - 1, "17.5.3")


class Extension(Building):
    """The next hex of a line, or the second half of its last hex."""

    here: str
    """The last hex of the line, from which it is extended."""
    title = "The line from {deployed} into {hex}"
    yes = "[half:half of ]{hex} is built[complete:, and the line is complete]"
    no = "{what} may not be built into {hex}"
    most = MAX_FIELD_RAILWAY_HEXES

    @property
    def deployed(self) -> str:
        return self.line.deployed

    @property
    def over(self) -> str:
        """The hexside between the last hex and the next."""
        return hexside(self.here, self.hex)

    @property
    def excess(self) -> int:
        """Hexes by which the line exceeds the maximum length of a Field Railway."""
        return len(self.line.hexes) - MAX_FIELD_RAILWAY_HEXES

    def _read_between(self, facts: View | Gather) -> Hexside:
        return between(facts, self.here, self.hex)

    @fact
    def complete(self) -> bool:
        """The line has come to its end."""
        return is_complete(self.line, read_links(self.view))

    @fact
    def worked_on(self) -> bool:
        """It was already worked on this turn."""
        return self.facts.integer("turn") <= self.line.turn

    @fact
    def deployed_counts(self) -> bool:
        """The hex of its DEPLOYED marker counts towards its length."""
        return self.view.ruling("field-railway-length") == "all"

    @fact
    def roadway(self) -> bool:
        """A primary or secondary road leads there."""
        return self.facts.word("road", self.over) in ROADWAYS

    @fact
    def enemy_there(self) -> bool:
        """Enemy units are in the hex."""
        return self.hex in self._read_around().enemies

    @fact
    def in_enemy_zone(self) -> bool:
        """The hex is in an EZOC."""
        return self.hex in self._read_around().enemy_zones

    @fact
    def over_river(self) -> bool:
        """A river lies between."""
        return bool(RIVERS & self._read_between(self.facts).lies)

    def _read_crossing(self) -> str:
        """Return the crossing of the river.

        A road or an RR line has a bridge unless a ferry or pontoon bridge is stated. For a new RR line roads are not
        asked for.
        """
        stated = self.view.word("crossing", self.over)
        led_over = self._read_between(self.view).linked
        if led_over or (not stated and self.line.kind != "railroad" and self.roadway):
            return stated if stated in ("ferry", "pontoon") else "bridge"
        return self.facts.word("crossing", self.over)

    @fact
    def has_bridge(self) -> bool:
        """A bridge of the map spans the river."""
        return self._read_crossing() == "bridge"

    @fact
    def has_ferry(self) -> bool:
        """A ferry crosses the river."""
        return self._read_crossing() == "ferry"

    @fact
    def has_pontoon(self) -> bool:
        """A pontoon bridge spans the river."""
        return self._read_crossing() == "pontoon"

    @fact
    def pontoon_serves(self) -> bool:
        """A pontoon bridge on a roadway carries a narrow-gauge line as another bridge does."""
        return self.view.ruling("narrow-gauge-pontoon") == "bridge"

    @fact
    def comes_nearer(self) -> bool:
        """The hex is nearer to the objective of a line that has one."""
        distance, objective = self.view.board.distance, self.line.objective
        return not objective or distance(self.hex, objective) < distance(self.here, objective)

    @fact
    def must_come_nearer(self) -> bool:
        """Each hex of a new RR line has to be nearer to its objective."""
        return self.view.ruling("new-line-toward") == "nearer"

    @property
    def beside(self) -> str:
        """The hexside of the work if an RR line crosses it too, or ""."""
        return "" if self.view.word("rail", self.over) in ("", "no-rail") else self.over

    def bars_of_line(self) -> Iterator[Clause]:
        yield from self.bars_of_pace()
        of_kind = {
            "field": self.bars_of_field_route,
            "narrow-gauge": self.bars_of_narrow_gauge_route,
            "railroad": self.bars_of_new_line_route,
        }
        yield from of_kind[self.line.kind]()

    def bars_of_pace(self) -> Iterator[Clause]:
        """Yield the bars to extending any line now. Rule: 17.5.1, 17.6.1, 17.7.1"""
        yield self.complete, self.rule, "it is complete"
        yield self.worked_on, self.rule, "it was already worked on this turn: it grows in a later RR Engineering Phase"

    def bars_of_field_route(self) -> Iterator[Clause]:
        """Yield the bars to extending a Field Railway. Rule: 17.5.1, 17.5.2"""
        yield (
            self.excess > 0 or (self.excess == 0 and self.deployed_counts),
            "17.5.1",
            "it has reached its full length of {most:#hex}",
        )
        yield not self.roadway, "17.5.2", "no primary or secondary road leads there"
        yield self.in_mountains, "17.5.2", "it may not be laid in a Mountain hex"
        yield self.enemy_there, "17.5.3", "enemy units in the hex would take a Field Railway at once"
        yield self.in_enemy_zone, "17.5.2", "it may not be laid into an EZOC"
        yield (
            self.over_river and not (self.has_bridge or self.has_ferry or self.has_pontoon),
            "17.5.2",
            "no crossing that it may use spans the river",
        )

    def bars_of_narrow_gauge_route(self) -> Iterator[Clause]:
        """Yield the bars to extending a narrow-gauge line, which crosses a river by the bridge of a roadway.

        Rule: 17.6.1, 17.6.2
        """
        yield not self.is_friendly, "17.6.1", "the hex is not friendly controlled"
        yield (
            self.over_river and not (self.roadway and (self.has_bridge or (self.has_pontoon and self.pontoon_serves))),
            "17.6.2",
            "no crossing that it may use spans the river",
        )

    def bars_of_new_line_route(self) -> Iterator[Clause]:
        """Yield the bars to extending a new RR line, which no pontoon bridge carries (18.1b). Rule: 17.7.1, 17.7.2"""
        yield not self.is_friendly, "17.7.1", "the hex is not friendly controlled"
        yield (
            self.over_river and not (self.has_bridge or self.has_ferry),
            "17.7.2",
            "no crossing that it may use spans the river",
        )
        yield not self.comes_nearer and self.must_come_nearer, "17.7.1", "the hex is no nearer to the objective"

    def needs(self, facts: Gather) -> None:
        """Ask for the gauge of a line beside a new one, which decides whether half a hex or a whole one is built."""
        if self.line.kind == "railroad" and not self.line.half and self.beside:
            facts.word("gauge", self.beside)

    @property
    def after(self) -> BuiltLine:
        """The line after the work."""
        gauge = self.view.word("gauge", self.beside) if self.beside else ""
        parallel = gauge not in ("", "both", TRACK_GAUGES.get(self.line.gauge, ""))
        return extend_line(self.line, self.hex, self.view.integer("turn"), parallel=parallel)

    def result(self, *, allowed: bool) -> BuildResult:
        """Return the result: the line after the work, or before it if the work is barred."""
        if not allowed:
            return _result_of(self.line)
        return _result_of(self.after, complete=is_complete(self.after, read_links(self.view)))

    def changes(self) -> list[Change]:
        """Return the changes that record the line and add it to the rail net.

        It is assumed that the line has not been worked on this turn.
        """
        if not self.line.turn:
            how = f"{self.line.deployed} built-turn=TURN"
            self.view.premises.assume(step(self.rule, "the line was not worked on this turn ({how})", how=how))
        return [*_record_line(self.view, self.after), *join_rail_net(self.view, self.after, self.side)]


def _result_of(line: BuiltLine, *, complete: bool = False) -> BuildResult:
    return BuildResult(kind=line.kind, nation=line.nation, hexes=line.hexes, half=line.half, complete=complete)


def answer(view: View, parameters: BuildParameters) -> Report[BuildResult]:
    """Return the report on building a line.

    Raises MissingFacts if a deciding fact is not stated; InputError if the line to extend does not exist, a new one
    exists already, the parameters contradict the line, or the hex is not the next.
    """
    at, to = parameters.at, parameters.to
    line = line_from(view, at)
    if to is None and line:
        raise InputError(f"at: a line is already being built from {at}", hint="give to=HEX for its next hex")
    if to is None:
        line = _new_line(parameters)
    elif line is None:
        hint = "to begin one, leave out to=HEX and give kind=KIND"
        raise InputError(f"at: no line is being built from {at}", hint=hint)
    else:
        _check_named(line, parameters)
    side, nation = view.game.side_of(line.nation), view.title_of(line.nation)
    rule = KINDS[line.kind].rule
    if to is None:
        return Beginning(view=view, line=line, hex=at, side=side, nation=nation, rule=rule).report()
    here = _find_last_hex(view, line, to)
    return Extension(view=view, line=line, hex=to, side=side, nation=nation, rule=rule, here=here).report()


def _new_line(parameters: BuildParameters) -> BuiltLine:
    kind = parameters.kind
    if kind is None:
        raise InputError("the kind of line is not given", hint="kind=field, narrow-gauge or railroad")
    for name in ("objective", "gauge"):
        if kind != "railroad" and getattr(parameters, name) is not None:
            hint = f"only {KINDS['railroad'].name} has: leave out {name}"
            raise InputError(f"{name}: {KINDS[kind].name} has none", hint=hint)
    nation, *others = KINDS[kind].builders
    if others and not parameters.nation:
        raise InputError("who builds the Field Railway is not given", hint="nation=austro-hungarian or russian")
    return BuiltLine(
        kind=kind,
        nation=parameters.nation or nation,
        hexes=(parameters.at,),
        objective=parameters.objective or "",
        gauge=parameters.gauge or "",
    )


def _check_named(line: BuiltLine, parameters: BuildParameters) -> None:
    for name in ("kind", "nation", "objective", "gauge"):
        given = getattr(parameters, name)
        recorded = getattr(line, name)
        if given not in (None, recorded):
            what = f"that of the line from {line.deployed} is {recorded}" if recorded else "none is recorded"
            raise InputError(f"{name}: {given} is given, but {what}", hint=f"leave out {name}, which the line has")


def _find_last_hex(view: View, line: BuiltLine, to: str) -> str:
    goes_on = line.half and to == line.railhead
    if line.half and not goes_on:
        raise InputError(f"to: {line.railhead} is half built", hint=f"give to={line.railhead}")
    if to in line.whole:
        raise InputError(f"to: {to} is already on the line", hint="give the next hex beyond its RAILHEAD marker")
    here = line.hexes[-2] if goes_on else line.railhead
    view.board.check_adjacent(here, to, "a line grows into a hex adjacent to its RAILHEAD marker")
    return here


QUESTION = declare(
    "build-line",
    "whether a Field Railway, a narrow-gauge line or a new RR line may be begun or extended",
    answer,
    decision=lambda report: report.result.allowed if report.result else None,
)
