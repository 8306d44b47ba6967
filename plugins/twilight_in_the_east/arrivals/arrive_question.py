"""The question `arrive`: which units are due and where they enter, and what brings them in (16.0, 16.1, 16.1.1)."""

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
    Part,
    PlaceName,
    Report,
    SideName,
    Step,
    View,
    declare,
    if_known,
    note,
    refused,
    step,
    verdict,
)
from assistant.asking.asks import Ask
from assistant.asking.view import changed
from assistant.game.course import Army, course_file, numbers_of, read_calendar
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
from ..movement.march.overstacking import hexes_over_limit
from ..movement.trains import platform_at, read_train
from ..railways.lines import read_lines
from ..railways.routes import missing_rate, read_rate
from ..railways.stations import Reason, why_no_destination
from ..railways.transport import Train
from ..substitutions.facts import is_substitute, with_substitutes
from ..terms import DEPOTS, FORTRESSES
from .armies import why_army_waits
from .entry import (
    cost_by_rail,
    first_cost,
    must_conform,
    needs_army,
    rail_points_due,
    why_early,
    why_elsewhere,
    why_lost,
    why_no_rail_mode,
)
from .facts import (
    ArrivingUnit,
    EntryGround,
    arriving_units,
    cost_on_foot,
    ground_of,
    is_depot_of_army,
    read_arriving,
    unit_due,
    units_overdue,
)
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


class ArriveResult(msgspec.Struct, frozen=True, kw_only=True):
    """The units that are due, or those that enter."""

    side: Annotated[str, note("their side")]
    turn: Annotated[int, note("the game turn")]
    units: Annotated[tuple[ArrivingUnit, ...], note("the units that are due, earliest first; or those that enter")] = ()
    at: Annotated[str, note("the hex in which units enter, empty if none is asked about")] = ""
    cost: Annotated[Fraction | None, note("Movement Points that the first hex costs each of them")] = None
    allowed: Allowed = False


def answer(view: View, parameters: ArriveParameters) -> Report[ArriveResult]:
    """Return the report on what is due, or on units that enter. Raises InputError for units that do not arrive,
    MissingFacts for what is not stated and matters.
    """
    return _report_entry(view, parameters) if parameters.units else _list_due(view, parameters)


# --- what is due ------------------------------------------------------------------------------------------------------


def _list_due(view: View, parameters: ArriveParameters) -> Report[ArriveResult]:
    """Return the report on the units of a side that are due. Raises InputError for the displays of the enemy."""
    with view.gather() as facts:
        turn = facts.integer("turn")
        side = parameters.side or facts.word("phasing")
    _check_shown(view, side)
    units = arriving_units(view, side, turn)
    waiting = [unit for unit in units if unit.waits]
    ready = [unit for unit in units if not unit.waits]
    text = "{ready:#unit} due" + (", {waiting:#unit} with no way in" if waiting else "") if units else "no unit is due"
    return Report(
        title=f"Arrivals of {view.game.file.the_side(side)} in GT {turn}",
        verdict=verdict("figure", text, ready=len(ready), waiting=len(waiting)),
        parts=(
            Part("Due", tuple(line for unit in ready for line in steps_of(unit, turn))),
            Part("No way in: they wait and stay due", tuple(line for unit in waiting for line in steps_of(unit, turn))),
            Part("Not in the position", tuple(_overdue_steps(view, side, turn))),
            Part("To go on", tuple(_list_next_questions(ready))),
        ),
        result=ArriveResult(side=side, turn=turn, units=units, allowed=bool(ready)),
    )


def _overdue_steps(view: View, side: str, turn: int) -> Iterator[Step]:
    """Yield the units of earlier turns of which the position does not say what has become of them, in words."""
    for coming in units_overdue(view, side, turn):
        text = "{unit}, due since GT {due}: if it has not come, state {how}"
        how = f"{quoted(coming.unit)} arrives={{}}"
        yield step(coming.rule, text, unit=coming.unit, due=coming.turn, how=how.format(coming.turn))


def _list_next_questions(units: Sequence[ArrivingUnit]) -> Iterator[Step]:
    """Yield what is typed to bring in the first of the units whose hex is known, in words."""
    able = ((unit, hex) for unit in units for hex in (*unit.open, *unit.instead)[:1])
    if first := next(able, None):
        unit, hex = first
        yield step("", "to bring {unit} in, type: {how}", unit=unit.unit, how=f"arrive {quoted(unit.unit)} at={hex}")


def _check_shown(view: View, side: str) -> None:
    """Raise InputError for a side whose displays the viewpoint does not see."""
    if not is_shown(view, side):
        raise InputError(
            f"side: {view.game.file.the_side(side)} is the enemy", hint="a side sees only its own units off the map"
        )


def steps_of(unit: ArrivingUnit, turn: int) -> Iterator[Step]:
    """Yield a unit that is due, in words: where it enters, what that costs, and what blocks the hex."""
    since = ", due since GT {due}" if unit.turn < turn else ""
    given = {"unit": unit.unit, "due": unit.turn, "hexes": unit.open, "cost": unit.cost, "instead": unit.instead}
    if unit.returns:
        yield step("16.4", "{unit}" + since + ": it comes back anywhere In Supply (ask return)", **given)
    elif unit.depot:
        yield _depot_step(unit, since, given)
    elif not unit.entry:
        text = "{unit}" + since + ": its entry hex is not stated ({how})"
        yield step("16.0", text, **given, how=f"{quoted(unit.unit)} entry=HEX")
    elif unit.open:
        text = "{unit}" + since + ": enters in {hexes:+}"
        text += ", {cost:#Movement Point} for the first hex" if unit.edge and unit.cost is not None else ""
        text += ", or in Rail Mode" if unit.rail and not unit.instead else ""
        yield step(unit.rule or "16.0", text, **given)
    for entry in unit.blocked:
        yield step("16.1", "{unit}: {why:+}", unit=unit.unit, why=entry.why)
    if unit.instead:
        which = "the nearest open RR hex" if unit.edge else "an RR Station nearby"
        enters = "may enter instead, as the enemy controls {hexes:+}," if unit.open else "enters"
        yield step("16.1", "{unit}" + since + f": {enters} at {which}, {{instead:+}}", **given)


def _depot_step(unit: ArrivingUnit, since: str, given: dict[str, object]) -> Step:
    """Return where a depot is placed that comes with its army, in words. since: the part of a line that says how long
    it has waited; given: the figures of the line.
    """
    text = "{unit}" + since + ": enters in any RR Station that friendly operational lines join to the map edge"
    first = unit.open[:SHOWN]
    more = len(unit.open) - SHOWN
    text += ": {hexes}" if first else ", and none is known"
    text += " and {count:#other}" if more > 0 else ""
    return step("16.3", text, **given | {"hexes": first, "count": more})


# --- units that enter -------------------------------------------------------------------------------------------------


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


def _report_entry(view: View, parameters: ArriveParameters) -> Report[ArriveResult]:
    """Return the report on units that enter. Raises InputError for units that do not arrive, MissingFacts for what is
    not stated.
    """
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
    for each in coming:
        bars = (
            *why_early(each.turn, turn),
            *_list_bars_of_gone(view, each, turn),
            *_list_bars_of_army(there, side, each),
        )
        if turn:
            untimely += [step(rule, "{unit}: {why}", unit=each.unit, why=why) for rule, why in bars]
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
        parts=(Part("Entry", tuple(_list_entry_steps(entering, parameters, over or ()))), *following.parts(view)),
        changes=(*changes, *following.changes),
        result=msgspec.structs.replace(result, allowed=True),
    )


def exchange_steps(view: View, names: Sequence[str]) -> list[Step]:
    """Return why units do not enter that take the place of others. Rule: 16.2"""
    known = with_substitutes(view)
    waiting = [name for name in names if known.unit(name).place is None and is_substitute(known, name)]
    text = "{unit} takes the place of another unit (ask {how})"
    return [step("16.2", text, unit=name, how=f"substitute unit={quoted(name)}") for name in waiting]


def _list_bars_of_gone(view: View, coming: Coming, turn: int) -> Iterator[Reason]:
    """Return why a unit does not enter that has been in play."""
    known = coming.unit in view.state.units
    waits = view.state.value(ARRIVES, coming.unit) is not None
    return why_lost(coming.unit, coming.turn, turn, known=known, waits=waits)


def _list_bars_of_army(view: View, side: str, coming: Coming) -> Iterator[Reason]:
    """Yield why a depot does not come yet: its army is brought into play by an event of the campaign, with all its
    depots.
    """
    if not (is_depot_of_army(view, coming) and view.flag("campaign")):
        return
    army = NEW_ARMIES.get(view.word("army", coming.unit))
    if army and army.side == side:
        yield from why_army_waits(army.name, view.integer(army.track))


def _read_turn(view: View, names: Sequence[str]) -> None:
    """Raise MissingFacts for the turn and for what units are, where that is not stated."""
    with view.gather() as facts:
        facts.integer("turn")
        for name in names:
            facts.word("arm", name)


def _read_entering(
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
    reasons = [step(rule, "{why}", why=why) for rule, why in dict.fromkeys(against)]
    entering = Entering(view=there, side=side, turn=turn, units=units, at=at, cost=None, reasons=tuple(reasons))
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
    against: list[Reason] = [*why_no_destination(platform)]
    trains = [msgspec.structs.replace(train, destination=destination, aboard=True) for train in waiting]
    routes = [lines.route(train) for train in trains]
    if entering.at == destination:
        against.append(("16.1.1", f"{destination} is where they enter: leave out rail"))
    elif None in routes:
        against.append(("16.1.1", f"no friendly operational RR line leads from {entering.at} to {destination}"))
    reasons = tuple(step(rule, "{why}", why=why) for rule, why in against)
    stops = dict[str, None]()
    for number, route in enumerate(routes):
        trains[number] = msgspec.structs.replace(trains[number], gauge=route.gauge if route else "")
        if route:
            stops |= dict.fromkeys(leg.hex for leg in route.legs if leg.is_change)
    cost = cost_by_rail(ground.tracks(entering.at), rate)
    return msgspec.structs.replace(entering, cost=cost, trains=tuple(trains), changes_at=tuple(stops), reasons=reasons)


def _list_changes(view: View, entering: Entering, parameters: ArriveParameters) -> Iterator[AnyChange]:
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
            yield from (changed(view, track, name, after, "16.1.1") for track, after in facts.items() if after)
        yield from (changed(view, track, name, after, "16.1") for track, after in attached[name].items())


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
            joined[name] = {"army": army} if army and army != known else {}
            joined[name] |= {"corps": corps} if corps is not None and corps != of_corps else {}
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
    """Return whether units can be attached to an army that has none yet: in its turns, and, if it comes into play, once
    it has. Rule: 16.1d
    """
    formed = army.name not in NEW_ARMIES or not view.flag("campaign") or view.integer(NEW_ARMIES[army.name].track)
    calendar = read_calendar(view.game)
    now = view.integer("turn") in numbers_of(army.turns, range(calendar.first, calendar.last + 1))
    return now and bool(formed)


def _list_entry_steps(entering: Entering, parameters: ArriveParameters, over: Sequence[str]) -> Iterator[Step]:
    """Yield what holds of units that enter, in words."""
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
    for rule, why in must_conform(over):
        yield step(rule, "{why}", why=why)
    armies = {unit.unit: parameters.army or unit.army for unit in entering.units}
    for army in filter(None, dict.fromkeys(armies.values())):
        attached = [name for name in names if armies[name] == army]
        yield step("16.1", "{units}: attached to {army}; " + NEXT_PHASE, units=attached, army=army)


QUESTION = declare("arrive", "which units are due and where they enter, and what brings them in", answer, decision=None)
