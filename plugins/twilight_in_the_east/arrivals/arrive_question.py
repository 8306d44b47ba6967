"""The question `arrive`: units that are due, and their entry to the map (16.0, 16.1, 16.1.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from types import SimpleNamespace
from typing import Annotated

import msgspec

from assistant.asking import (
    AnyName,
    InputError,
    MissingFacts,
    Parameters,
    Part,
    PlaceName,
    Report,
    SideName,
    Step,
    View,
    declare,
    holding,
    if_known,
    note,
    refused,
    step,
    verdict,
)
from assistant.asking.asks import Ask
from assistant.asking.view import changed
from assistant.game.course import Army, course_file
from assistant.game.turn_record import numbers_of, read_calendar
from assistant.rules.arrivals import Coming, format_units, with_units
from assistant.rules.field.movement import bring_unit
from assistant.state.changes import AnyChange
from assistant.state.points import format_points
from assistant.state.tracks import Value
from assistant.state.vocabulary import Allowed
from assistant.util.errors import format_suggestion, quoted

from ..entering.consequences import follows_changes
from ..forces.account import ENTRY_COST, read_account
from ..forces.armies import PRZEMYSL_GARRISON, army_name, corps_and_army, is_asset_unit, is_shown, known_armies
from ..forces.departures import ARRIVES, end_waiting
from ..forces.units import corps_name
from ..ground.calendar import other_phase_steps
from ..movement.march.ends import hexes_over_limit
from ..movement.trains import platform_at, read_train
from ..railways.lines import read_lines
from ..railways.routes import missing_rate, read_rate
from ..railways.stations import why_no_destination
from ..railways.transport import Train
from ..substitutions.facts import is_substitute, with_substitutes
from ..terms import DEPOTS, FORTRESSES
from .entry import (
    ArrivingUnit,
    EntryGround,
    arriving_units,
    cost_by_rail,
    cost_on_foot,
    first_cost,
    ground_of,
    is_depot_of_army,
    must_conform,
    needs_army,
    rail_points_due,
    read_arriving,
    unit_due,
    units_overdue,
    why_elsewhere,
    why_no_rail_mode,
)
from .new_armies import NEW_ARMIES

MAX_STATIONS_NAMED = 6
"""Maximum number of RR Stations named for placing a depot."""
NEXT_PHASE = "it may be changed in the Attachment Phase that follows"
"""The words on when the first attachment of a unit may change (16.1)."""


class ArriveParameters(Parameters, frozen=True):
    """Parameters of the question `arrive`.

    It asks about a side whose due units are listed, or about units that enter.
    """

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


class ArriveResult(msgspec.Struct, frozen=True, kw_only=True):
    """The units that are due or that enter."""

    side: Annotated[str, note("the side")]
    turn: Annotated[int, note("the game turn")]
    units: Annotated[tuple[ArrivingUnit, ...], note("the units that are due, earliest first; or those that enter")] = ()
    at: Annotated[str, note("the hex in which units enter, empty if none is asked about")] = ""
    cost: Annotated[Fraction | None, note("Movement Points that the first hex costs each of them")] = None
    allowed: Allowed = False


def answer(view: View, parameters: ArriveParameters) -> Report[ArriveResult]:
    """Return the report on the units that are due, or on units that enter.

    Raises InputError if a unit does not arrive, MissingFacts if a fact that matters is not stated.
    """
    return _report_entry(view, parameters) if parameters.units else _list_due(view, parameters)


# --- units that are due -----------------------------------------------------------------------------------------------


def _list_due(view: View, parameters: ArriveParameters) -> Report[ArriveResult]:
    with view.gather() as facts:
        turn = facts.integer("turn")
        side = parameters.side or facts.word("phasing")
    _check_shown(view, side)
    units = arriving_units(view, side, turn)
    overdue = [
        step(
            coming.rule,
            "{unit}, due since GT {due}: if it has not come, state {how}",
            unit=coming.unit,
            due=coming.turn,
            how=f"{quoted(coming.unit)} arrives={coming.turn}",
        )
        for coming in units_overdue(view, side, turn)
    ]
    waiting = [unit for unit in units if unit.waits]
    ready = [unit for unit in units if not unit.waits]
    text = "{ready:#unit} due[waiting:, {waiting:#unit} with no way in]" if units else "no unit is due"
    return Report(
        title=f"Arrivals of {view.game.file.the_side(side)} in GT {turn}",
        verdict=verdict("figure", text, ready=len(ready), waiting=len(waiting)),
        parts=(
            Part("Due", tuple(line for unit in ready for line in steps_of(unit, turn))),
            Part("No way in: they wait and stay due", tuple(line for unit in waiting for line in steps_of(unit, turn))),
            Part("Not in the position", tuple(overdue)),
            Part("To go on", tuple(_list_next_questions(ready))),
        ),
        result=ArriveResult(side=side, turn=turn, units=units, allowed=bool(ready)),
    )


def _list_next_questions(units: Sequence[ArrivingUnit]) -> Iterator[Step]:
    able = ((unit, hex) for unit in units for hex in (*unit.open, *unit.instead)[:1])
    if first := next(able, None):
        unit, hex = first
        yield step("", "to bring {unit} in, type: {how}", unit=unit.unit, how=f"arrive {quoted(unit.unit)} at={hex}")


def _check_shown(view: View, side: str) -> None:
    if not is_shown(view, side):
        raise InputError(
            f"side: {view.game.file.the_side(side)} is the enemy", hint="a side sees only its own units off the map"
        )


def steps_of(unit: ArrivingUnit, turn: int) -> Iterator[Step]:
    """Yield the steps on a unit that is due: its entry hexes, their cost, and what blocks them."""
    given = {
        "since": unit.turn if unit.turn < turn else 0,
        "hexes": unit.open,
        "on_foot": unit.edge and unit.cost is not None,
        "by_rail": unit.rail and not unit.instead,
        "how": f"{quoted(unit.unit)} entry=HEX",
    }
    if unit.returns:
        text = "{unit}[since:, due since GT {since}]: it comes back anywhere In Supply (ask return)"
        yield step("16.4", text, unit, **given)
    elif unit.depot:
        yield _depot_step(unit, given)
    elif not unit.entry:
        text = "{unit}[since:, due since GT {since}]: its entry hex is not stated ({how})"
        yield step("16.0", text, unit, **given)
    elif unit.open:
        text = (
            "{unit}[since:, due since GT {since}]: enters in {hexes:+}[on_foot:, {cost:#Movement Point} for the first hex]"
            "[by_rail:, or in Rail Mode]"
        )
        yield step(unit.rule or "16.0", text, unit, **given)
    for entry in unit.blocked:
        yield step("16.1", "{unit}: {why:+}", entry, unit)
    if unit.instead:
        text = (
            "{unit}[since:, due since GT {since}]: [hexes:may enter instead, as the enemy controls {hexes:+},|enters] at "
            "[edge:the nearest open RR hex|an RR Station nearby], {instead:+}"
        )
        yield step("16.1", text, unit, **given)


def _depot_step(unit: ArrivingUnit, given: Mapping[str, object]) -> Step:
    text = (
        "{unit}[since:, due since GT {since}]: enters in any RR Station that friendly operational lines join to the map edge"
        "[hexes:: {hexes}|, and none is known][count: and {count:#other}]"
    )
    count = max(len(unit.open) - MAX_STATIONS_NAMED, 0)
    return step("16.3", text, unit, **{**given, "hexes": unit.open[:MAX_STATIONS_NAMED], "count": count})


# --- units that enter -------------------------------------------------------------------------------------------------


def _report_entry(view: View, parameters: ArriveParameters) -> Report[ArriveResult]:
    names = format_units(view, parameters.units)
    there = with_units(view, names)
    sides = {there.side_of(name) for name in names} - {""}
    if len(sides) > 1:
        raise InputError("units: the units are of both sides", hint="ask for one side at a time")
    with there.gather() as facts:
        for name in names:
            facts.word("nation", name)
    side = next(iter(sides), "")
    turn = view.integer("turn")
    _check_shown(view, side)
    title = f"The arrival of {', '.join(names)}"
    if exchanged := exchange_steps(there, names):
        result = ArriveResult(side=side, turn=turn, at=parameters.at or "")
        return refused(title, "{units} may not enter", exchanged, result=result, units=names)
    coming = [unit_due(there, side, name) for name in names]
    untimely = other_phase_steps(view, side, "16.0", "reinforcement")
    if not untimely:
        _read_turn(there, names)
    if turn:
        for each in coming:
            untimely += bars_to_entry(view, there, each, side)
    result = ArriveResult(side=side, turn=turn, at=parameters.at or "")
    if untimely:
        return refused(title, "{units} may not enter", untimely, result=result, units=names)
    entering = _read_entering(there, side, turn, coming, parameters)
    result = msgspec.structs.replace(result, at=entering.at, cost=entering.cost, units=entering.units)
    if entering.reasons:
        return refused(title, "{units} may not enter in {at}", entering.reasons, result, result=result, units=names)
    changes = list(_list_changes(view, entering, parameters))
    places = [changed(there, "place", name, entering.at, "16.0") for name in names]
    following = follows_changes(there, places)
    over = if_known(view.after(changes), lambda facts: [*hexes_over_limit(facts, dict.fromkeys(names, entering.at))])
    return Report(
        title=title,
        verdict=verdict("yes", "{units} may enter in {at}", result, units=names),
        parts=(
            Part("Entry", tuple(_list_entry_steps(entering, parameters, over=bool(over)))),
            *following.parts(view),
        ),
        changes=(*changes, *following.changes),
        result=msgspec.structs.replace(result, allowed=True),
    )


def _read_turn(view: View, names: Sequence[str]) -> None:
    with view.gather() as facts:
        facts.integer("turn")
        for name in names:
            facts.word("arm", name)


def exchange_steps(view: View, names: Sequence[str]) -> list[Step]:
    """Return a step for each unit that does not enter the map because it replaces another unit. Rule: 16.2"""
    known = with_substitutes(view)
    waiting = [name for name in names if known.unit(name).place is None and is_substitute(known, name)]
    text = "{unit} takes the place of another unit (ask {how})"
    return [step("16.2", text, unit=name, how=f"substitute unit={quoted(name)}") for name in waiting]


def bars_to_entry(view: View, there: View, coming: Coming, side: str) -> list[Step]:
    """Return why a unit does not enter yet, or no longer.

    A unit comes in its turn, and a depot not before its army. A unit due in an earlier turn that is off the map and not
    stated to wait has been eliminated.

    `there`: a view in which the unit waits off the map.

    Rule: 16.0, 16.3
    """
    unit, turn, since = coming.unit, view.integer("turn"), coming.turn
    army = _army_to_come(there, coming, side)
    was_in_play = unit in view.state.units and view.state.value(ARRIVES, unit) is None and since < turn
    clauses = (
        (turn < since, "16.0", "{unit}: it arrives in GT {since}"),
        (
            was_in_play,
            "16.0",
            "{unit}: it was due in GT {since} and has been in play; if it still waits, state {how}",
        ),
        (army, "16.3", "{unit}: {army} comes into play first (ask {first})"),
    )
    how = f"{quoted(unit)} arrives={since}"
    first = f"activate army={quoted(army)}"
    return holding(clauses, SimpleNamespace(unit=unit, since=since, army=army, how=how, first=first))


def _army_to_come(there: View, coming: Coming, side: str) -> str:
    """Return the army that an event of the campaign must bring into play before its depot, or ""."""
    if not (is_depot_of_army(there, coming) and there.flag("campaign")):
        return ""
    new = NEW_ARMIES.get(there.word("army", coming.unit))
    return new.army if new and new.side == side and not there.integer(new.track) else ""


def _list_entry_steps(entering: Entering, parameters: ArriveParameters, *, over: bool) -> Iterator[Step]:
    names = [unit.unit for unit in entering.units]
    given = {"hex": entering.at, "cost": entering.cost}
    if entering.trains:
        points = sum((rail_points_due(train.cost, edge=True) for train in entering.trains), Fraction(0))
        yield step("16.1", "in Rail Mode: {cost:#Movement Point} for the first RR hex", **given)
        yield step(
            "16.1.1",
            "{points:#Rail Point}; they go on to {destination}",
            points=points,
            destination=parameters.destination,
        )
        if entering.changes_at:
            yield step("16.1.1", "trans-shipping in {hexes} costs Rail Points", hexes=entering.changes_at)
    elif entering.cost:
        yield step("16.1", "from the map edge: {cost:#Movement Point} for {hex}, spent in the Movement Phase", **given)
    else:
        yield step("16.1", "no Movement Points are spent to enter {hex}", **given)
    yield from must_conform(entering.at, over=over)
    armies = {unit.unit: parameters.army or unit.army for unit in entering.units}
    for army in filter(None, dict.fromkeys(armies.values())):
        attached = [name for name in names if armies[name] == army]
        yield step("16.1", "{units}: attached to {army}; " + NEXT_PHASE, units=attached, army=army)


# --- entry by rail or on foot -----------------------------------------------------------------------------------------


class Entering(msgspec.Struct, frozen=True, kw_only=True):
    """The entry of units: their hex, cost and bars."""

    view: View
    """A view in which units that are not placed yet wait off the map."""
    side: str
    turn: int
    units: tuple[ArrivingUnit, ...]
    at: str
    cost: Fraction | None
    """The Movement Points for the entry hex, or None if they are not known."""
    trains: tuple[Train, ...] = ()
    """The units as trains, if they enter in Rail Mode."""
    changes_at: tuple[str, ...] = ()
    """The hexes where the units trans-ship on the way."""
    reasons: tuple[Step, ...] = ()
    """The bars to entering."""


def _read_entering(
    there: View, side: str, turn: int, coming: Sequence[Coming], parameters: ArriveParameters
) -> Entering:
    """Return the entry of units, with its bars.

    `there`: a view in which units that are not placed yet wait off the map.
    `coming`: the units that are due.

    Raises InputError if a supply unit was eliminated, or a destination is named without rail=yes.
    """
    if parameters.destination and not parameters.rail:
        raise InputError("destination: the units do not enter in Rail Mode", hint="add rail=yes")
    with there.gather() as facts:
        ground = EntryGround(facts, side, {there.word("nation", each.unit) for each in coming})
    units = tuple(read_arriving(there, ground, each) for each in coming)
    _check_entries(units)
    at = parameters.at or _require_entry(units)
    entrance = ground.read_entrance(at)
    together = ground.for_depots() if any(there.word("arm", each.unit) in DEPOTS for each in coming) else ground
    with there.gather() as facts:
        against = together.bars_to_depot(facts, at) if any(unit.depot for unit in units) else []
        own = all(at in unit.entry for unit in units)
        bars = together.bars_to_entry(facts, at) if own else together.bars_to_hex(facts, at)
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
    """Return whether units spend Movement Points to enter, unlike depots and fortress units."""
    return any(view.word("arm", name) not in (*DEPOTS, *FORTRESSES) for name in names)


def _check_entries(units: Sequence[ArrivingUnit]) -> None:
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
    choices = [(*unit.open, *unit.instead) or unit.entry for unit in units]
    common = [hex for hex in choices[0] if all(hex in others for others in choices)]
    if len(common) == 1:
        return common[0]
    apart = "" if common else ", for units that enter in one hex"
    how = f"at={'|'.join(common)}" if 0 < len(common) <= MAX_STATIONS_NAMED else f"at=HEX{apart}"
    title = "the hex in which they enter"
    raise MissingFacts([Ask(kind="parameter", name="at", rule="16.0", title=title, how=how, options=tuple(common))])


def _enter_by_rail(entering: Entering, ground: EntryGround, parameters: ArriveParameters) -> Entering:
    """Return the entry of units in Rail Mode, with the cost of the first Railroad hex and the end of the journey."""
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
    routes = [lines.find_route(train) for train in trains]
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
    cost = cost_by_rail(ground.list_tracks(entering.at), rate)
    return msgspec.structs.replace(entering, cost=cost, trains=tuple(trains), changes_at=tuple(stops), reasons=reasons)


# --- changes when units enter -----------------------------------------------------------------------------------------


def _list_changes(view: View, entering: Entering, parameters: ArriveParameters) -> Iterator[AnyChange]:
    """Yield the changes by which units enter: their hex, its cost, their attachment, and Rail Mode."""
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
    """Return the army and corps that each unit joins, by track.

    A unit joins the named army and corps, or those of its schedule row, unless its counter or the position has them.

    Raises MissingFacts if the army of a formation or Corps Train is not known, InputError if an army does not exist.
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
    """Return whether units can be attached to an army that has no units.

    They can in the turns of the army; for an army formed during the campaign only once it is formed.

    Rule: 16.1d
    """
    formed = army.name not in NEW_ARMIES or not view.flag("campaign") or view.integer(NEW_ARMIES[army.name].track)
    calendar = read_calendar(view.game)
    now = view.integer("turn") in numbers_of(army.turns, range(calendar.first, calendar.last + 1))
    return now and bool(formed)


QUESTION = declare("arrive", "which units are due and where they enter, and what brings them in", answer, decision=None)
