"""How units enter, by rail or on foot, and what that changes (16.0, 16.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Annotated

import msgspec

from assistant.asking import (
    AnyName,
    InputError,
    MissingFacts,
    Parameters,
    PlaceName,
    SideName,
    Step,
    View,
    holding,
    note,
    step,
)
from assistant.asking.asks import Ask
from assistant.asking.view import changed
from assistant.game.course import Army, course_file
from assistant.game.turn_record import numbers_of, read_calendar
from assistant.rules.arrivals import Coming
from assistant.rules.field.movement import bring_unit
from assistant.state.changes import AnyChange
from assistant.state.points import format_points
from assistant.state.tracks import Value
from assistant.util.errors import format_suggestion, quoted

from ..forces.account import ENTRY_COST, read_account
from ..forces.armies import PRZEMYSL_GARRISON, army_name, corps_and_army, is_asset_unit, known_armies
from ..forces.departures import end_waiting
from ..forces.units import corps_name
from ..movement.trains import platform_at, read_train
from ..railways.lines import read_lines
from ..railways.routes import missing_rate, read_rate
from ..railways.stations import why_no_destination
from ..railways.transport import Train
from ..terms import DEPOTS, FORTRESSES
from .entry import cost_by_rail, first_cost, needs_army, why_elsewhere, why_no_rail_mode
from .facts import ArrivingUnit, EntryGround, cost_on_foot, ground_of, read_arriving
from .new_armies import NEW_ARMIES

SHOWN = 6
"""How many RR Stations are named of those in which a depot may be placed."""
NEXT_PHASE = "it may be changed in the Attachment Phase that follows"
"""How long the first attachment of a unit stands (16.1)."""


class ArriveParameters(Parameters, frozen=True):
    """A side of which the units are listed that are due, or the units that enter."""

    units: Annotated[
        tuple[AnyName, ...], note("units that enter together, of the position or the roster; none to list those due")
    ] = ()
    side: Annotated[SideName | None, note("the side whose units are listed; by default the phasing side")] = None
    at: Annotated[
        PlaceName | None, note("the hex in which they enter; by default their only entry hex, if it is open")
    ] = None
    rail: Annotated[bool, note("whether they enter in Rail Mode, from a map edge")] = False
    destination: Annotated[PlaceName | None, note("the RR Station to which they go in Rail Mode")] = None
    army: Annotated[str | None, note("the army to which they are attached, where nothing else says so")] = None
    corps: Annotated[str | None, note("the corps to which they are attached, or none")] = None
    rate: Annotated[
        Annotated[int, msgspec.Meta(ge=1, le=99)] | None,
        note("RR hexes per Movement Point this turn, where the turn record does not show it"),
    ] = None


class Entering(msgspec.Struct, frozen=True, kw_only=True):
    """How units enter."""

    view: View
    """A view in which those of the roster wait off the map."""
    side: str
    turn: int
    units: tuple[ArrivingUnit, ...]
    at: str
    cost: Fraction | None
    """What the hex costs, None while it is not known."""
    trains: tuple[Train, ...] = ()
    """How each of them goes on by rail."""
    changes_at: tuple[str, ...] = ()
    """Where they trans-ship on the way."""
    reasons: tuple[Step, ...] = ()
    """What forbids it."""


def read_entering(
    there: View, side: str, turn: int, coming: Sequence[Coming], parameters: ArriveParameters
) -> Entering:
    """Return how units enter, with what forbids it. there: a view in which those of the roster wait off the map;
    coming: the units, as they are due. Raises InputError for an eliminated supply unit, and for a destination without
    rail=yes; MissingFacts for what is not stated.
    """
    if parameters.destination and not parameters.rail:
        raise InputError("destination: the units do not enter in Rail Mode", hint="add rail=yes")
    with there.gather() as facts:
        ground = EntryGround(facts, side, {there.word("nation", each.unit) for each in coming})
    units = tuple(read_arriving(there, ground, each) for each in coming)
    _check_entries(units)
    at = parameters.at or _require_entry(units)
    entrance = ground.entrance(at)
    together = ground.of_depots() if any(there.word("arm", each.unit) in DEPOTS for each in coming) else ground
    with there.gather() as facts:
        against = together.bars_to_depot(facts, at) if any(unit.depot for unit in units) else []
        own = all(at in unit.entry for unit in units)
        bars = together.bars_to_entry(facts, at) if own else together.bars(facts, at)
    if any(not unit.depot for unit in units):
        against += bars
    for unit in units:
        if not unit.depot:
            own_ground = ground_of(there, ground, unit.unit)
            near = unit.instead if unit.edge or not own_ground.is_open_station(at) else (at,)
            blocked = len(unit.blocked) == len(unit.entry)
            lost = own_ground.is_shut(unit.entry)
            against += why_elsewhere(at, unit.entry, near, blocked=blocked, lost=lost, edge=unit.edge)
    if parameters.rail:
        against += why_no_rail_mode(entrance, parameters.destination)
    reasons = tuple({(bar.rule, bar.text): bar for bar in against}.values())
    entering = Entering(view=there, side=side, turn=turn, units=units, at=at, cost=None, reasons=reasons)
    if reasons:
        return entering
    if parameters.rail:
        return _enter_by_rail(entering, ground, parameters)
    with there.gather() as facts:
        cost = first_cost(
            lambda: cost_on_foot(facts, at), edge=entrance.edge and _pays(there, [each.unit for each in coming])
        )
    shut = [] if cost is not None else [step("8.1.1", "the Terrain Effects Chart prohibits {hex}", hex=at)]
    return msgspec.structs.replace(entering, cost=cost, reasons=tuple(shut))


def _pays(view: View, names: Sequence[str]) -> bool:
    """Return whether units spend Movement Points to enter: depots and fortress units have none to march with."""
    return any(view.word("arm", name) not in (*DEPOTS, *FORTRESSES) for name in names)


def _check_entries(units: Sequence[ArrivingUnit]) -> None:
    """Raise InputError for an eliminated supply unit, MissingFacts for units of which no entry hex is stated."""
    if back := next((unit.unit for unit in units if unit.returns), ""):
        raise InputError(
            f"units: {back} is a supply unit without an entry hex", hint=f"ask return unit={quoted(back)} (16.4)"
        )
    asks = []
    for unit in units:
        if not (unit.entry or unit.depot):
            title = f"entry hex of {unit.unit}"
            how = f"{quoted(unit.unit)} entry=HEX"
            asks.append(Ask(kind="fact", name=f"{unit.unit} entry", rule="16.0", title=title, how=how))
    if asks:
        raise MissingFacts(asks)


def _require_entry(units: Sequence[ArrivingUnit]) -> str:
    """Return the hex in which units enter that have no choice. Raises MissingFacts where they have one, or enter
    apart.
    """
    choices = [(*unit.open, *unit.instead) or unit.entry for unit in units]
    common = [hex for hex in choices[0] if all(hex in others for others in choices)]
    if len(common) == 1:
        return common[0]
    apart = "" if common else ", for units that enter in one hex"
    how = f"at={'|'.join(common)}" if 0 < len(common) <= SHOWN else f"at=HEX{apart}"
    title = "the hex in which they enter"
    raise MissingFacts([Ask(kind="parameter", name="at", rule="16.0", title=title, how=how, options=tuple(common))])


def _enter_by_rail(entering: Entering, ground: EntryGround, parameters: ArriveParameters) -> Entering:
    """Return how units enter in Rail Mode: what the first RR hex costs, and where they go. Raises MissingFacts for the
    RR movement rate, InputError for a unit that never goes by rail.
    """
    names = [unit.unit for unit in entering.units]
    rate = parameters.rate or read_rate(entering.view, entering.turn)
    if rate is None:
        raise missing_rate()
    placed = entering.view.after([changed(entering.view, "place", name, entering.at, "16.0") for name in names])
    destination = str(parameters.destination)
    with placed.gather() as facts:
        waiting = [read_train(facts, placed.unit(name), read_account(facts, name)) for name in names]
        platform = platform_at(facts, ground.around, ground.net, destination, why_no_destination)
    lines = read_lines(placed, entering.side, ground.around, rate, ())
    against = holding(why_no_destination(platform), platform)
    trains = [msgspec.structs.replace(train, destination=destination, aboard=True) for train in waiting]
    routes = [lines.route(train) for train in trains]
    there = entering.at == destination
    clauses = (
        (there, "16.1.1", "{destination} is where they enter: leave out rail"),
        (
            not there and None in routes,
            "16.1.1",
            "no friendly operational RR line leads from {at} to {destination}",
        ),
    )
    against += holding(clauses, entering, destination=destination)
    reasons = tuple(step(reason.rule, "{why}", why=reason.text) for reason in against)
    stops = dict[str, None]()
    for number, route in enumerate(routes):
        trains[number] = msgspec.structs.replace(trains[number], gauge=route.gauge if route else "")
        if route:
            stops |= dict.fromkeys(leg.hex for leg in route.legs if leg.is_change)
    cost = cost_by_rail(ground.tracks(entering.at), rate)
    return msgspec.structs.replace(entering, cost=cost, trains=tuple(trains), changes_at=tuple(stops), reasons=reasons)


def list_changes(view: View, entering: Entering, parameters: ArriveParameters) -> Iterator[AnyChange]:
    """Yield what changes as units enter: they stand in the hex and are not due any more, owe their Movement Phase what
    the hex costs, are attached, and may be in Rail Mode. Raises MissingFacts for the army of a formation or Corps
    Train.
    """
    there = entering.view
    attached = _attachments(entering, parameters)
    for number, unit in enumerate(entering.units):
        name = unit.unit
        yield bring_unit(view, name, entering.at, "16.3" if unit.depot else "16.0")
        yield from end_waiting(view, name, "16.0")
        if entering.cost and there.word("arm", name) not in (*DEPOTS, *FORTRESSES):
            yield changed(view, ENTRY_COST, name, format_points(entering.cost), "16.1")
        if entering.trains:
            train = entering.trains[number]
            facts: dict[str, Value | None] = {
                "entrained": True,
                "destination": train.destination,
                "train-gauge": train.gauge or None,
            }
            for track, after in facts.items():
                if after:
                    yield changed(view, track, name, after, "16.1.1")
        for track, after in attached[name].items():
            yield changed(view, track, name, after, "16.1")


def _attachments(entering: Entering, parameters: ArriveParameters) -> dict[str, dict[str, str]]:
    """Return the army and the corps that each unit joins, where they are named, or its row of the schedule names them,
    and its counter or the position does not say so already. Raises MissingFacts for the army of a formation or Corps
    Train, InputError for an army that there is not.
    """
    view = entering.view
    asks = list[Ask]()
    named = _army_of_side(view, entering.side, parameters.army) if parameters.army else ""
    joined = dict[str, dict[str, str]]()
    with view.gather() as facts:
        for unit in entering.units:
            name = unit.unit
            of_corps, known = corps_and_army(view, name)
            asset = is_asset_unit(facts, name)
            army = named or unit.army
            spelled = unit.corps or None if parameters.corps is None else parameters.corps
            corps = None if spelled is None else corps_name(str(view.game.track("corps").parse(spelled)))
            if needs_army(facts.word("arm", name), army or known, asset=asset):
                title = f"the army of {name}; {NEXT_PHASE}"
                asks.append(Ask(kind="parameter", name="army", rule="16.1", title=title, how="army=NAME"))
            joined[name] = {}
            if army and army != known:
                joined[name]["army"] = army
            if corps is not None and corps != of_corps:
                joined[name]["corps"] = corps
    if asks:
        raise MissingFacts(asks[:1])
    return joined


def _army_of_side(view: View, side: str, named: str) -> str:
    """Return an army by its name, without the side. Raises InputError for one that the side does not have, or not
    yet.
    """
    army = named.removeprefix(f"{side} ")
    declared = {each.name: each for each in course_file(view.game).army if view.game.side_of(each.nation) == side}
    there = {name.partition(" ")[2] for name in known_armies(view) if name.startswith(f"{side} ")}
    if army not in (known := {*declared, *there}):
        title = view.game.file.the_side(side)
        raise InputError(f"army: no army {army!r} of {title}", hint=format_suggestion(army, known))
    if army_name(side, army) == PRZEMYSL_GARRISON:
        raise InputError(
            f"army: {army} takes no units that arrive",
            hint="its track is only for Isolated formations in Przemysl (23.6)",
        )
    if army not in there and not is_in_play(view, declared[army]):
        hint = declared[army].note or f"its turns are {declared[army].turns}"
        raise InputError(f"army: {army} is not in play in GT {view.integer('turn')}", hint=hint)
    return army


def is_in_play(view: View, army: Army) -> bool:
    """Return whether units can be attached to an army without units: in its turns, and for one that is formed during
    the campaign, once it is formed. Rule: 16.1d
    """
    formed = army.name not in NEW_ARMIES or not view.flag("campaign") or view.integer(NEW_ARMIES[army.name].track)
    calendar = read_calendar(view.game)
    now = view.integer("turn") in numbers_of(army.turns, range(calendar.first, calendar.last + 1))
    return now and bool(formed)
