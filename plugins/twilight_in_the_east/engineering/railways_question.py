"""The question `railways`: operational RR lines, Railhead and Broken markers, losses (17.1, 17.4, 17.5)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Annotated

import msgspec

from assistant.asking import InputError, Parameters, PlaceName, SideName, View, declare, note
from assistant.asking.bounds import CountVerdict
from assistant.asking.report import Part, Report, Step, Verdict, step, verdict
from assistant.asking.view import changed
from assistant.state.changes import Change
from assistant.state.vocabulary import HexNumber, Name

from ..control.front_line import behind_agreed_fronts, holder
from ..ground import hexsides
from ..ground.hexsides import BLOWN, BRIDGE, REPAIR_TURNS, bridge_is_down
from ..railways.built_lines import (
    BuiltLine,
    built_lines,
    field_hexes,
    hexes_left,
    is_abandoned,
    list_left_by_enemies,
    remove_line,
)
from ..railways.losses import lose_line
from ..railways.network import (
    UNTYPED,
    Network,
    RailwayStretch,
    behind_railheads,
    is_map_known,
    lost_hexes,
    presume_links,
    presume_unstated,
    read_links,
    read_network,
    state_of,
    stretches,
)
from ..railways.typed_lines import Railway, typed_railways

NO_LINE_TEXT = "{hex}: no RR line[known:| is typed]"
"""The text on a hex without an RR line.

The figure `known` says whether all RR lines are known.
"""


class RailwaysParameters(Parameters, frozen=True):
    """Parameters of the question `railways`."""

    side: Annotated[SideName | None, note("the side whose lines are shown; both if left out")] = None
    at: Annotated[tuple[PlaceName, ...], note("hexes whose state is asked about")] = ()
    passed: Annotated[tuple[PlaceName, ...], note("hexes through which enemies of the side have passed")] = ()
    railheads: Annotated[
        tuple[PlaceName, ...], note("Railheads of the scenario: every RR line behind them is operational")
    ] = ()


class HexState(msgspec.Struct, frozen=True, kw_only=True):
    """The state of the RR line in a hex."""

    hex: HexNumber
    side: Annotated[str, note("the side to which the state applies")]
    state: Annotated[str, note("operational, non-operational or non-friendly; empty if there is no RR line")]


class LostHex(msgspec.Struct, frozen=True, kw_only=True):
    """A hex that becomes non-friendly."""

    hex: HexNumber
    why: Annotated[str, note("the reason in words")]


class BuiltRailway(msgspec.Struct, frozen=True, kw_only=True):
    """A line that was built."""

    kind: Annotated[str, note("field, narrow-gauge or railroad")]
    nation: Annotated[str, note("nation that builds the line")]
    hexes: Annotated[
        tuple[str, ...], note("hexes from its DEPLOYED marker to its RAILHEAD marker, less those lost to enemies")
    ]
    operational: Annotated[bool, note("whether supply may be traced along the line now")]


class SideRailways(msgspec.Struct, frozen=True, kw_only=True):
    """The RR lines of a side."""

    side: Name
    stretches: Annotated[tuple[RailwayStretch, ...], note("stretches of RR line, operational ones first")]
    taken: Annotated[tuple[LostHex, ...], note("hexes that enemies make non-friendly")]
    built: Annotated[tuple[BuiltRailway, ...], note("lines that the side has built")]


class RailwaysResult(msgspec.Struct, frozen=True, kw_only=True):
    """The RR lines of each side."""

    sides: Annotated[tuple[SideRailways, ...], note("RR lines of each side asked about")]
    hexes: Annotated[tuple[HexState, ...], note("the hexes asked about, for each side")]
    repaired: Annotated[int | None, note("game turn in which the bridge at Jaroslau is repaired, null if it stands")]


def answer(view: View, parameters: RailwaysParameters) -> Report[RailwaysResult]:
    """Return the report on RR lines.

    Raises MissingFacts if a unit's nation is not stated, InputError if a built line is impossible, or an enemy or a
    Railhead has no side.
    """
    if (parameters.passed or parameters.railheads) and not parameters.side:
        name = "passed" if parameters.passed else "railheads"
        raise InputError(f"{name}: the side is not given", hint="give side=SIDE")
    sides = [parameters.side] if parameters.side else list(view.game.file.sides)
    traced = [_trace_side(view, parameters, side) for side in sides]
    states = [state for lines, _, network in traced for state in _list_states(lines.side, network, parameters.at)]
    down = bridge_is_down(view)
    repaired = view.integer(BLOWN) + REPAIR_TURNS if down else None
    result = RailwaysResult(sides=tuple(lines for lines, *_ in traced), hexes=tuple(states), repaired=repaired)
    known = is_map_known(view, sides)
    on_rails = [state for state in states if state.state]
    the_side = view.game.file.the_side
    steps = [step("17.1.1", "{hex}: {state} for {side}", state, side=the_side(state.side)) for state in on_rails]
    bare = dict.fromkeys(state.hex for state in states if not state.state)
    steps += [step("17.1", NO_LINE_TEXT, hex=hex, known=known) for hex in bare]
    text = "the RR bridge {hexside} is demolished until GT {turn}"
    bridge = (step("17.4", text, hexside=BRIDGE, turn=repaired),) if down else ()
    parts = [
        Part(f"The {view.title_of(lines.side)} side", tuple(_side_steps(lines, known=known))) for lines in result.sides
    ]
    return Report(
        title="RR lines",
        verdict=_choose_verdict(result, known=known),
        parts=(Part("Asked about", tuple(steps)), *parts, Part("Jaroslau", bridge)),
        changes=tuple(dict.fromkeys(change for _, changes, _ in traced for change in changes)),
        result=result,
    )


def _trace_side(view: View, parameters: RailwaysParameters, side: str) -> tuple[SideRailways, list[Change], Network]:
    with view.gather() as facts:
        around = hexsides.field(facts).around(side)
        entered = {*around.enemies, *parameters.passed}
    links = read_links(view)
    whole = read_network(view, side)
    restored = list[str]()
    changes = list[Change]()
    if parameters.railheads:
        with view.gather() as facts:
            held = {hex for hex in links if holder(facts, around, hex) == side}
        own = behind_railheads(whole.edges, parameters.railheads, held, whole.links)
        restored = sorted(own - whole.own)
        changes += [
            changed(view, "operational", hex, "none", "17.1.1") for hex in _find_silent(view, held - own - whole.own)
        ]
        whole = Network(whole.links, own | whole.edges, whole.edges)
    behind = behind_agreed_fronts(view, around, whole.own)
    lost = lost_hexes(whole.own, entered.union(behind))
    taken = tuple(LostHex(hex=hex, why=_format_reason(hex, around.enemies, behind)) for hex in sorted(lost))
    changes = [changed(view, "operational", hex, side, "17.1.1") for hex in restored if hex not in lost] + changes
    changes += [change for hex in sorted(lost) for change in lose_line(view, side, hex)]
    network = Network(whole.links, whole.own - lost, whole.edges - lost)
    if view.board.hexes or parameters.railheads:
        presume_unstated(view, whole)
    else:
        network = _read_typed_network(view, network, typed_railways(view, side, {*entered, *lost}))
    operational = network.operational
    lines = [line for line in built_lines(view) if view.game.side_of(line.nation) == side]
    built = []
    for line in lines:
        enemy = {*entered, *(hex for hex in line.hexes if view.word("control", hex) not in ("", side))}
        if is_abandoned(line, enemy, links):
            changes += remove_line(view, line)
        else:
            changes += list_left_by_enemies(view, line, entered)
            if left := hexes_left(line, entered):
                built.append(_built_railway(msgspec.structs.replace(line, hexes=left), operational))
    return SideRailways(side=side, stretches=stretches(network), taken=taken, built=tuple(built)), changes, network


def _list_states(side: str, network: Network, hexes: Collection[str]) -> Iterator[HexState]:
    operational = network.operational
    for hex in hexes:
        state = state_of(hex, network, operational) if hex in network.links else ""
        yield HexState(hex=hex, side=side, state=state)


def _find_silent(view: View, hexes: Collection[str]) -> list[str]:
    return [] if view.board.hexes else sorted(hex for hex in hexes if not view.word("operational", hex))


def _read_typed_network(view: View, network: Network, typed: Railway) -> Network:
    """Return the network of a side on a paper map, as for supply.

    A line is operational unless stated otherwise, and linked to a friendly map edge unless it is cut.

    `network`: the network as it is stated.
    """
    counted = typed.linked.union(typed.doubtful) & network.links.keys()
    if unstated := _find_silent(view, counted):
        view.premises.assume(step("17.1.1", "the RR line is operational in {hexes} (not stated)", hexes=unstated))
    presume_links(view, network.links, counted & typed.granted.keys(), counted & typed.doubtful.keys())
    return Network(network.links, network.own | counted, network.edges | counted & typed.granted.keys())


def _format_reason(hex: str, enemies: Collection[str], behind: dict[str, str]) -> str:
    if hex in enemies:
        return "enemy units stand there"
    return f"it lies behind the Front Line of {behind[hex]}" if hex in behind else "enemy units have passed through it"


def _built_railway(line: BuiltLine, operational: Collection[str]) -> BuiltRailway:
    joined = bool(field_hexes(line, operational, ())) if line.kind == "field" else set(line.whole) <= set(operational)
    return BuiltRailway(kind=line.kind, nation=line.nation, hexes=line.hexes, operational=joined)


def _side_steps(railways: SideRailways, *, known: bool) -> Iterator[Step]:
    for stretch in railways.stretches:
        rule, text = "17.1.1", "{hexes:#hex} operational[railheads:, Railheads in {railheads}]"
        if not stretch.linked:
            rule = "17.1.5"
            text = "{hexes:#hex} cut off and non-operational: {places}[broken:, Broken RR markers in {broken}]"
        yield step(rule, text, stretch, hexes=len(stretch.hexes), places=stretch.hexes)
    if not railways.stretches:
        yield step("17.1.1", "[known:it has no RR line|no RR line is typed]", known=known)
    for taken in railways.taken:
        yield step("17.1.4", "{hex} becomes non-friendly: {why}", taken)
    names = {"field": ("17.5.3", "Field Railway"), "narrow-gauge": ("17.6", "narrow-gauge line")}
    for line in railways.built:
        rule, name = names.get(line.kind, ("17.7", "new RR line"))
        text = "{name} from {here} to {end}: [operational:|not ]operational"
        yield step(rule, text, line, name=name, here=line.hexes[0], end=line.hexes[-1])


def _choose_verdict(result: RailwaysResult, *, known: bool) -> Verdict:
    if len(result.hexes) == 1:
        state = result.hexes[0]
        if not state.state:
            return verdict("figure" if known else "undecided", NO_LINE_TEXT, state, known=known)
        return verdict("figure", "{hex}: {state}", state)
    count = [stretch for side in result.sides for stretch in side.stretches]
    cut = sum(not stretch.linked for stretch in count)
    taken = sum(len(side.taken) for side in result.sides)
    bounds = (("stretches",) if cut else ()) + (("hexes",) if taken else ())
    counted = CountVerdict("{stretches:#stretch} cut off, {hexes:#hex} lost to the enemy", UNTYPED, bounds=bounds)
    kind, text = counted.word(len(count) + taken, int(not known))
    return verdict(kind, text, stretches=cut, hexes=taken)


QUESTION = declare(
    "railways",
    "which RR lines are operational, where they are broken, and which hexes enemies take",
    answer,
    decision=None,
)
