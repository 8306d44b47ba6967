"""The question `pontoon`: whether a pontoon bridge may be laid or taken up, which ones lie on the map, and which come
off (18.0).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

import msgspec

from assistant.asking import InputError, Parameters, PlaceName, UnitName, View, declare, note, permission, read_unless
from assistant.asking.asks import Ask
from assistant.asking.report import MissingFacts, Part, Report, Step, step, verdict
from assistant.asking.view import Gather, changed
from assistant.rules.field import LineSource, SideField, side_of
from assistant.state.changes import Change
from assistant.state.state import Unit, hexside
from assistant.util.errors import quoted

from ..control.front_line import holder
from ..ground import hexsides
from ..ground.calendar import active_now, other_phase_steps, phase_of
from ..ground.hexsides import between, bridge
from ..ground.works import (
    MARKERS,
    Crossing,
    Pontoon,
    hexes_bringing_down,
    may_take_up,
    pontoons,
    reasons_against_bridge,
    reasons_against_train,
    take_off_bridge,
    works_left,
)
from ..railways.network import RAILS
from ..supply.ground import SupplyGround, SupplyMap, at_most, judge_line, supply_ground
from ..supply.sources import side_in_use
from ..terms import COMBAT_ARMS, Nation


class PontoonParameters(Parameters, frozen=True):
    """A pontoon bridge to be laid or taken up; all that lie on the map if no hex is named."""

    at: Annotated[PlaceName | None, note("the hex of the bridge's marker, from which the bridge is laid")] = None
    to: Annotated[PlaceName | None, note("the hex beyond the river, at which the arrow points")] = None
    train: Annotated[UnitName | None, note("the Corps Train that lays the bridge; any that can, if left out")] = None
    nation: Annotated[Nation | None, note("nation whose marker it is; that of the Corps Train if left out")] = None
    in_range: Annotated[
        bool | None, note("whether the hex is within the Corps Train's range, if not otherwise known")
    ] = msgspec.field(name="in-range", default=None)
    remove: Annotated[bool, note("whether the bridge is taken up")] = False


class PontoonBridge(msgspec.Struct, frozen=True, kw_only=True):
    """A pontoon bridge on the map."""

    hexside: Annotated[str, note("where it lies")]
    nation: Annotated[str, note("whose marker it is, empty if not stated")]
    entered: Annotated[tuple[str, ...], note("adjacent hexes that enemies have entered, so that the bridge comes off")]


class PontoonResult(msgspec.Struct, frozen=True, kw_only=True):
    """Pontoon bridges."""

    allowed: Annotated[bool | None, note("whether the bridge may be laid or taken up, null if none is asked about")] = (
        None
    )
    train: Annotated[str, note("the Corps Train that lays the bridge, empty for none")] = ""
    left: Annotated[dict[str, int], note("markers that each nation may still lay")] = {}
    bridges: Annotated[tuple[PontoonBridge, ...], note("pontoon bridges on the map")] = ()


def answer(view: View, parameters: PontoonParameters) -> Report[PontoonResult]:
    """Return the report on pontoon bridges.

    Raises MissingFacts for control, rivers and ranges that matter and are not stated, InputError for hexes that are not
    adjacent.
    """
    bridges = tuple(pontoons(view))
    if (parameters.at is None) != (parameters.to is None):
        raise InputError("a pontoon bridge lies between two hexes", hint="give at=HEX and to=HEX")
    if parameters.at is None or parameters.to is None:
        if parameters != PontoonParameters():
            raise InputError("at, to: no hexside is named for the pontoon bridge", hint="give at=HEX and to=HEX")
        return _report_all(view, bridges)
    view.board.check_adjacent(parameters.at, parameters.to, "a pontoon bridge lies between two adjacent hexes")
    if parameters.remove:
        return _removal_report(view, parameters.at, parameters.to, bridges)
    return _laying_report(view, parameters, parameters.at, parameters.to, bridges)


def _report_all(view: View, pontoons_laid: tuple[Pontoon, ...]) -> Report[PontoonResult]:
    """Return the report on those that lie on the map."""
    bridges = []
    changes = list[Change]()
    asks = list[Ask]()
    with view.gather() as facts:
        arounds = {side: hexsides.field(facts).around(side) for side in view.game.file.sides}
    for pontoon in pontoons_laid:
        sides = [view.game.side_of(pontoon.nation)] if pontoon.nation else view.game.file.sides
        lost = [hexes_bringing_down(view, pontoon, arounds[side].enemies) for side in sides]
        if any(lost) and not all(lost):
            asks.append(_ask_whose([pontoon.hexside]))
        entered = frozenset[str]().union(*lost) if all(lost) else frozenset[str]()
        bridges.append(PontoonBridge(hexside=pontoon.hexside, nation=pontoon.nation, entered=tuple(sorted(entered))))
        if entered:
            changes += take_off_bridge(view, pontoon.hexside)
    result = PontoonResult(left=_count_left(pontoons_laid), bridges=tuple(bridges))
    off = sum(bool(bridge.entered) for bridge in bridges)
    return Report(
        title="Pontoon bridges",
        verdict=verdict(
            "figure", "{pontoons:#pontoon bridge} on the map, {gone} to come off", pontoons=len(bridges), gone=off
        ),
        parts=(
            Part("On the map", tuple(_bridge_step(view, bridge) for bridge in bridges)),
            Part("To be laid", tuple(_left_steps(view, result))),
        ),
        asks=tuple(asks),
        changes=tuple(changes),
        result=result,
    )


def _ask_whose(hexsides: Sequence[str]) -> Ask:
    """Return what to ask where something turns on whose pontoon bridges lie on some hexsides."""
    how = f"{hexsides[0]} pontoon-of={'|'.join(MARKERS)}"
    title = f"whose pontoon bridge lies on {', '.join(hexsides)}"
    return Ask(kind="fact", name=how, rule="18.0", title=title, how=how, key=("pontoon-of", hexsides[0]))


def _count_left(bridges: tuple[Pontoon, ...]) -> dict[str, int]:
    """Return the markers that each nation still has."""
    return {nation: works_left(nation, bridges) for nation in MARKERS}


def _bridge_step(view: View, pontoon: PontoonBridge) -> Step:
    """Return a pontoon bridge in words."""
    text = "{hexside}" + (" ({nation})" if pontoon.nation else ", whose owner is not stated (pontoon-of)")
    nation = view.game.file.title_of(pontoon.nation)
    if pontoon.entered:
        text += ": comes off, as enemies have entered {hexes}"
        return step("18.1", text, pontoon, nation=nation, hexes=pontoon.entered)
    return step("18.1", text, pontoon, nation=nation)


def _left_steps(view: View, result: PontoonResult) -> Iterator[Step]:
    """Yield the markers that are left, in words."""
    for nation, left in result.left.items():
        title = view.game.file.title_of(nation)
        yield step("18.0", "{nation}: {left:#marker} of {most}", nation=title, left=left, most=MARKERS[nation])


def _removal_report(view: View, at: str, to: str, bridges: tuple[Pontoon, ...]) -> Report[PontoonResult]:
    """Return the report on a bridge that its owner takes up. Raises MissingFacts where its owner is not stated."""
    crossed = hexside(at, to)
    pontoon = next((other for other in bridges if other.hexside == crossed), None)
    if pontoon is None:
        raise InputError(f"no pontoon bridge lies between {at} and {to}", hint=f"state it: {crossed} pontoon")
    if not pontoon.nation:
        raise MissingFacts([_ask_whose([crossed])])
    side = view.game.side_of(pontoon.nation)
    phase = phase_of(view)
    active = active_now(view)
    may = may_take_up(phase, active, side)
    text = "it may be taken up only in its side's Pontoon Bridge Phase or movement phases, and this is {phase}"
    return permission(
        f"The pontoon bridge between {at} and {to}",
        (
            "it is taken up; in a Pontoon Bridge Phase the marker may be laid again",
            "it may not be taken up now",
        ),
        [] if may else [step("18.1", text, phase=phase)],
        PontoonResult(left=_count_left(tuple(other for other in bridges if other != pontoon or not may))),
        changes=take_off_bridge(view, crossed),
    )


def _laying_report(
    view: View, parameters: PontoonParameters, at: str, to: str, bridges: tuple[Pontoon, ...]
) -> Report[PontoonResult]:
    """Return the report on a bridge that is to be laid."""
    with view.gather() as facts:
        trains = _find_trains(facts, parameters)
        if not trains:
            raise InputError(
                "no Corps Train that could lay it is stated", hint="place a Corps Train, or give train=UNIT"
            )
        side = side_of(facts, trains[0])
        around = hexsides.field(facts).around(side)
    ground = supply_ground(view, side)
    standing = other_phase_steps(view, side, "18.2", "pontoon")
    tried, asks = _gather_bars_by_train(view, parameters, trains, bridges, ground, refused=True)
    barred = [why for whys in tried.values() for why in whys] if not asks and all(tried.values()) else []
    crossing = read_unless([*standing, *barred], lambda: _read_crossing(view, around, at, to))
    reasons = [*standing]
    if crossing:
        reasons += reasons_against_bridge(crossing)
    if not reasons:
        tried, asks = _gather_bars_by_train(view, parameters, trains, bridges, ground, refused=False)
    able = next((name for name, why in tried.items() if not why), "")
    if asks and not (able or reasons):
        raise MissingFacts(asks)
    if not (able or asks):
        if len(trains) == 1:
            reasons += tried[trains[0].id]
        else:
            reasons.append(_format_refusals(tried))
    nation = parameters.nation or (view.word("nation", able) if able else "")
    crossed = hexside(at, to)
    after = bridges if reasons else (*bridges, Pontoon(crossed, nation))
    result = PontoonResult(train="" if reasons else able, left=_count_left(after))
    placed = (("crossing", crossed, "pontoon"), ("pontoon-of", crossed, nation), ("pontoon-laid", able, True))
    counts = step("18.1", "it counts as a bridge for all purposes except building Russian RR lines")
    return permission(
        f"A pontoon bridge from {at} to {to}",
        (
            "{unit} may lay a pontoon bridge from {here} to {there}",
            "no pontoon bridge may be laid from {here} to {there}",
        ),
        reasons,
        result,
        working={"The bridge": [counts], "To be laid": _left_steps(view, result)},
        changes=(changed(view, track, subject, value, "18.2") for track, subject, value in placed),
        unit=able,
        here=at,
        there=to,
    )


def _gather_bars_by_train(
    view: View,
    parameters: PontoonParameters,
    trains: list[Unit],
    bridges: tuple[Pontoon, ...],
    ground: SupplyGround,
    *,
    refused: bool,
) -> tuple[dict[str, list[Step]], list[Ask]]:
    """Return why each Corps Train does not lay it, and what is asked for where that is open. refused: as for
    `_list_bars_of_train`.
    """
    tried = dict[str, list[Step]]()
    asks = list[Ask]()
    for train in trains:
        try:
            why_not = _list_bars_for_markers(view, parameters, train, bridges)
            barred = refused or bool(why_not)
            tried[train.id] = why_not + _list_bars_of_train(
                view, train, str(parameters.at), ground, parameters, refused=barred
            )
        except MissingFacts as missing:
            asks = asks or [*missing.asks]
    return tried, asks


def _read_crossing(view: View, around: SideField, at: str, to: str) -> Crossing:
    """Return the hexside over which a bridge is to be laid, from a hex to the next one. Raises MissingFacts for what is
    not stated.
    """
    with view.gather() as facts:
        beyond = [unit for unit in view.stack(to) if side_of(facts, unit) == around.side]
        return Crossing(
            rivers=between(facts, at, to).lies,
            bridged=bool(bridge(between(view, at, to))),
            near=holder(facts, around, at) == around.side,
            far=holder(facts, around, to) == around.side,
            enemy_zone=to in around.enemy_zones,
            occupied=any(facts.word("arm", unit.id) in COMBAT_ARMS for unit in beyond),
        )


def _find_trains(facts: Gather, parameters: PontoonParameters) -> list[Unit]:
    """Return the Corps Trains that may lay it, those of the marker's nation and the nearest first: the one that is
    named, or all of the side of the marker, of the units in its hex, of the phase, or in control of the hex.
    """
    view = facts.view
    nation = parameters.nation
    if parameters.train:
        unit = view.unit(parameters.train)
        if facts.word("arm", unit.id) != "corps-train" or not view.board.is_hex(unit.place or ""):
            raise InputError(f"train: {unit.id} is not a Corps Train on the map", hint="name a Corps Train")
        if nation and view.game.side_of(nation) != side_of(facts, unit):
            raise InputError(
                f"nation: {unit.id} lays no {view.title_of(nation)} marker", hint="name one of the same side"
            )
        return [unit]
    at = str(parameters.at)
    on_map = [unit for unit in view.units() if view.board.is_hex(unit.place)]
    trains = [(unit, side_of(facts, unit)) for unit in on_map if facts.word("arm", unit.id) == "corps-train"]
    wanted = view.game.side_of(nation) if nation else next((side_of(facts, unit) for unit in view.stack(at)), "")
    wanted = wanted or view.word("phasing") or view.word("control", at)
    if not any(side == wanted for _, side in trains) and len({side for _, side in trains}) == 1:
        wanted = trains[0][1] if not nation else wanted
    own = [unit for unit, side in trains if side == wanted]
    order = {
        unit.id: (view.word("nation", unit.id) != nation, view.board.distance(str(unit.place), at)) for unit in own
    }
    return sorted(own, key=lambda unit: (*order[unit.id], unit.id))


def _list_bars_for_markers(
    view: View, parameters: PontoonParameters, train: Unit, bridges: tuple[Pontoon, ...]
) -> list[Step]:
    """Return a line for a nation that has no marker left. Raises MissingFacts where that turns on pontoon bridges whose
    owner is not stated.
    """
    nation = parameters.nation or view.word("nation", train.id)
    if nation not in MARKERS:
        return []
    left = works_left(nation, bridges)
    unstated = [pontoon.hexside for pontoon in bridges if not pontoon.nation]
    if left <= 0:
        text = "{nation}: all {most} markers are on the map"
        title = view.game.file.title_of(nation)
        return [step("18.0", text, most=MARKERS[nation], nation=title)]
    if left > len(unstated):
        return []
    raise MissingFacts([_ask_whose(unstated)])


def _list_bars_of_train(
    view: View,
    train: Unit,
    at: str,
    ground: SupplyGround,
    parameters: PontoonParameters,
    *,
    refused: bool,
) -> list[Step]:
    """Return why a Corps Train does not lay it. refused: whether something else bars it, so that a range that is not
    known does not matter. Raises MissingFacts where it turns on a line that is not typed, InputError where the player
    says otherwise of the train that he names.
    """
    with view.gather() as facts:
        used = facts.flag("pontoon-laid", train.id)
        entrained = facts.flag("entrained", train.id)
        sure = reasons_against_train(used=used, entrained=entrained, within=True)
        if ground.network and (refused or sure):
            return sure
        within = train.place == at or _is_within_range(facts, side_in_use(facts, train), at, ground, parameters)
    if parameters.train and parameters.in_range not in (None, within):
        hint = "leave out in-range"
        raise InputError(
            f"in-range: {at} is {'within' if within else 'beyond'} the Supply Range of {train.id}", hint=hint
        )
    return reasons_against_train(used=used, entrained=entrained, within=within)


def _is_within_range(
    facts: Gather, source: LineSource, at: str, ground: SupplyGround, parameters: PontoonParameters
) -> bool:
    """Return whether a hex is within the range of a Corps Train: over a drawn map, along what is typed, or else as the
    player says.
    """
    within = _is_within(facts.view, source, at, ground)
    within = parameters.in_range if within is None else within
    if within is None:
        title = f"whether {at} is within the Supply Range of {source.name}"
        how = f"in-range=yes|no, or line {quoted(source.name)}: {source.place} -road- HEX clear {at} clear"
        facts.ask(Ask(kind="parameter", name="in-range", rule="18.2", title=title, how=how))
    return bool(within)


def _is_within(view: View, source: LineSource, at: str, ground: SupplyGround) -> bool | None:
    """Return whether a line leads from a Corps Train to a hex within its range, None where what is typed of a paper map
    does not tell.
    """
    if view.board.distance(source.place, at) * min(RAILS.values()) > at_most(source.limit or 0):
        return False

    def leads(ways: SupplyMap) -> bool:
        line = ways.line(source, at)
        return line is not None and judge_line(view, source, line) is not None

    if leads(ground.certain):
        return True
    return False if ground.is_whole and not leads(ground.possible) else None


def _format_refusals(tried: dict[str, list[Step]]) -> Step:
    """Return a line saying why no Corps Train lays it, with the reasons of three at most."""
    whys = [f"{train}: {why[0].text}" for train, why in tried.items() if why]
    return step("18.2", "no Corps Train may lay it: {reasons}", reasons=whys[:3])


QUESTION = declare(
    "pontoon",
    "whether a pontoon bridge may be laid or taken up, and which ones come off",
    answer,
    decision=lambda report: report.result.allowed if report.result else None,
)
