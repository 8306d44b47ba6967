"""The question `reach`: the hexes that units can reach in this phase, or whether they can meet (8.1).

The units are one unit, a stack, or all units of a corps or side, each moving alone. Each hex is listed with the points
left there and the risk of a Forced March. A meeting is in a given hex by the end of a given turn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from operator import attrgetter
from typing import Annotated, Any

import msgspec

from assistant.asking import (
    Gather,
    InputError,
    MissingFacts,
    Parameters,
    Part,
    PlaceName,
    Report,
    SideName,
    Step,
    UnitOrDecoy,
    View,
    declare,
    note,
    refused,
    step,
    verdict,
)
from assistant.asking.bounds import LEFT_OUT, CountVerdict, at_least
from assistant.asking.permission import holding, permission
from assistant.asking.sketch import ArrowKind, Role
from assistant.asking.view import changed
from assistant.rules.field import HexOption, SideField, side_of
from assistant.rules.field.movement import GROUND_UNKNOWN, MAX_HEXES_NAMED, barred_steps, short_reach, unknown_steps
from assistant.rules.sketches import of_reach
from assistant.state.state import Unit
from assistant.state.vocabulary import HexNumber
from assistant.util.errors import format_suggestion, quoted

from ...forces.armies import corps_and_army
from ...forces.leaders import owes_khan
from ...forces.units import corps_name
from ...ground.calendar import PHASES, is_counter_movement, player_order
from ...ground.chart import Chart, terrain_ask
from ...ground.hexsides import assume_zones, field
from ...leaders import francois, khan
from ...terms import SAY
from .dice import dice_to_come, owes_francois
from .ends import Ends, hexes_over_limit
from .movers import never_on_foot, reasons_to_stay, units_in_one_hex, verdict_of_standing, why_no_points_now
from .prices import HEXSIDE_TRACKS, PricedMap
from .reach import (
    Coming,
    Explorer,
    Finder,
    Marching,
    Purse,
    Recall,
    UnitReach,
    all_zones,
    check_until,
    phases_until,
    read_moment,
    read_purse,
)
from .steps import Party, read_party
from .zones import Zones, note_areas_left_out


def _choose_movers(
    view: View, groups: Sequence[tuple[Unit, ...]], recall: Recall
) -> tuple[list[tuple[Unit, ...]], list[Step]]:
    """Return the groups that may move, and the distinct reasons why the others may not."""
    reasons = list[Step]()
    with view.gather() as facts:
        against = {
            group: []
            if recall.find(group, "bars")
            else recall.work_out(group, "bars", partial(_read_bars, facts, group))
            for group in groups
        }
    for group in groups:
        for reason in against[group]:
            if reason not in reasons:
                reasons.append(reason)
    moving = [group for group in groups if not against[group]]
    return moving, reasons


def _read_bars(facts: Gather, group: Sequence[Unit]) -> list[Step]:
    return [*reasons_to_stay(facts, group), *why_no_points_now(facts, group)]


_Owing = Mapping[str, tuple[Unit, ...]]
"""The groups with a unit that owes the die of a leader, by the unit's id."""


def _find_reaches(
    view: View, groups: Sequence[tuple[Unit, ...]], *, forced: bool
) -> tuple[list[UnitReach], list[Step], tuple[_Owing, _Owing]]:
    """Return the reaches of units, the reasons why other units stay, and the leader dice still owed.

    The reaches assume the best results of these dice.

    `groups`: groups of units that move together.
    `forced`: whether they may make a Forced March.

    Raises MissingFacts if the chart, an allowance or another fact of the reach is not known.
    """
    recall = Recall(view, forced=forced)
    moving, reasons = _choose_movers(view, groups, recall)
    reaches = _explore_groups(view, moving, recall) if moving else []
    with view.gather() as facts:
        khan = {unit.id: group for group in moving for unit in group if owes_khan(facts, unit)}
        francois = {unit.id: group for group in moving for unit in group if owes_francois(facts, [unit])}
    return reaches, reasons, (khan, francois)


def _explore_groups(view: View, groups: Sequence[tuple[Unit, ...]], recall: Recall) -> list[UnitReach]:
    """Return the reach of each group.

    Raises MissingFacts with the missing facts of all groups together.
    """
    fields = list[tuple[SideField, Zones]]()
    moving = list[tuple[Party, list[Purse]] | None]()
    with view.gather() as facts:
        field_of = cache(partial(all_zones, facts))
        for group in groups:
            fields.append(field_of(side_of(facts, group[0])))
            known = recall.find(group, "points")
            moving.append(None if known else recall.work_out(group, "points", partial(_read_points, facts, group)))
    reaches = list[UnitReach]()
    try:
        with view.gather() as cells:
            prices = PricedMap(view, Chart(cells))
            for group, of_side, points in zip(groups, fields, moving, strict=True):
                known = recall.find(group, "steps")
                if known:
                    reaches.append(known.reach)
                elif points:
                    make = partial(Explorer, facts, of_side, points[0], prices, points[1], forced=recall.forced)
                    reaches.append(recall.explore(group, make))
        with view.gather() as facts:
            reaches = [_find_ends(facts, recall, *each) for each in zip(groups, reaches, strict=True)]
    except (InputError, MissingFacts):
        recall.keep(ends=False)  # for whoever then asks about each group by itself
        raise
    recall.keep()
    for (around, _), reach in zip(fields, reaches, strict=True):
        assume_zones(around, [place.hex for place in reach.hexes])
    _note_areas_of(fields[0][0], groups, reaches)
    _assume_bare_hexsides(view)
    return reaches


def _read_points(facts: Gather, group: Sequence[Unit]) -> tuple[Party, list[Purse]]:
    party = read_party(facts, group, counter=is_counter_movement(facts.view, None))
    together = tuple(unit.id for unit in group)
    return party, [read_purse(facts, unit, together) for unit in group]


def _assume_bare_hexsides(view: View) -> None:
    """Note the assumption that unstated hexsides of a paper map have no features."""
    kinds = [] if view.board.hexes else [name for name in HEXSIDE_TRACKS if view.game.track(name).absent is None]
    left_out = [view.game.track(name).title for name in kinds if name not in view.state.elsewhere]
    if left_out:
        view.premises.assume(
            step("8.1.1", "nothing lies on a hexside of which it is not stated: {left_out}", left_out=left_out)
        )


def _find_ends(facts: Gather, recall: Recall, group: Sequence[Unit], reach: UnitReach) -> UnitReach:
    """Return the reach without the hexes where the units may not end their move.

    Such hexes are moved to the barred ones, though the units may pass through them.
    """
    if recall.find(group, "ends"):
        return reach
    ends = recall.work_out(group, "ends", partial(Ends, facts, group), lasts=lambda ends: ends.is_free)
    if not ends.bind:
        return reach
    closed = dict[str, HexOption]()
    for place in reach.hexes:
        bar = next(ends.bars(place.hex), None)
        if bar:
            closed[place.hex] = HexOption(place.hex, *bar)
    hexes = tuple(place for place in reach.hexes if place.hex not in closed)
    return msgspec.structs.replace(reach, hexes=hexes, barred=(*reach.barred, *closed.values()))


def _note_areas_of(around: SideField, groups: Sequence[Sequence[Unit]], reaches: Sequence[UnitReach]) -> None:
    """Note that the unstated areas of armies may bar hexes next to enemies."""
    hexes = {place.hex for reach in reaches for place in reach.hexes}
    beside = hexes & {hex for place in around.enemies for hex in around.view.board.neighbours(place)}
    near = [not beside.isdisjoint(place.hex for place in reach.hexes) for reach in reaches]
    moving = [unit for group, is_near in zip(groups, near, strict=True) for unit in group if is_near]
    note_areas_left_out(around, moving, sorted(beside), by_name=False)


def _units_of_side(view: View, side: str) -> list[Unit]:
    units = [unit for unit in view.units() if view.board.is_hex(unit.place)]
    units = _find_on_foot(view, [unit for unit in units if view.side_of(unit.id) == side])
    if not units:
        raise InputError(f"side: no unit of {view.game.file.the_side(side)} that goes on foot is on the map")
    return units


def _find_on_foot(view: View, units: Iterable[Unit]) -> list[Unit]:
    with view.gather() as facts:
        return [unit for unit in units if not never_on_foot(facts, unit)]


# --- parameters and result --------------------------------------------------------------------------------------------


class ReachParameters(Parameters, frozen=True):
    """Parameters of the question `reach`."""

    units: Annotated[tuple[UnitOrDecoy, ...], note("a unit, or units that move together, from one hex")] = ()
    corps: Annotated[
        str | None, note("a corps, each unit of which moves alone: 20, or german 20 where two nations have it")
    ] = None
    side: Annotated[SideName | None, note("a side, each unit of which moves alone")] = None
    forced: Annotated[bool, note("whether the units may make a Forced March")] = True
    to: Annotated[PlaceName | None, note("a hex in which the units are to be together")] = None
    train: Annotated[
        bool | None,
        note("whether a corps is taken with its Corps Train; if left out, it is unless it is to be together in a hex"),
    ] = None
    until: Annotated[
        Annotated[int, msgspec.Meta(ge=1, le=47)] | None,
        note("the game turn by the end of which they are to be there; the present one if left out"),
    ] = None


class Shared(msgspec.Struct, frozen=True, kw_only=True):
    """A hex that some units of a corps can reach, each moving alone."""

    hex: HexNumber
    units: Annotated[tuple[str, ...], note("the units that can reach it")]
    forced: Annotated[tuple[str, ...], note("those of them that need a Forced March")] = ()
    lacking: Annotated[tuple[str, ...], note("the units of the corps that cannot reach it")] = ()


class ReachResult(UnitReach, frozen=True, kw_only=True):
    """The hexes that units can reach.

    For a corps or a side they are the hexes that any of its units can reach, each with the cheapest way.
    """

    each: Annotated[tuple[UnitReach, ...], note("of a corps or a side, where each of its units can move")] = ()
    shared: Annotated[
        tuple[Shared, ...],
        note("of a corps, which of its units can reach each hex; first the hexes that most of them can"),
    ] = ()
    to: Annotated[str, note("the hex in which units are to be together, empty if none is asked about")] = ""
    until: Annotated[int, note("the game turn by the end of which they are to be there, 0 if none is asked about")] = 0
    coming: Annotated[tuple[Coming, ...], note("how each unit comes to that hex")] = ()


# --- the question -----------------------------------------------------------------------------------------------------


def answer(view: View, parameters: ReachParameters) -> Report[ReachResult]:
    """Return the report on the hexes that units can reach.

    Raises InputError if units cannot move together, MissingFacts if the chart, an allowance or another fact of the
    reach is not known.
    """
    if parameters.to is not None:
        return _report_meeting(view, parameters, parameters.to)
    if parameters.until is not None:
        raise InputError("until: the hex is not named", hint="to=HEX")
    groups = _group_units(view, parameters)
    reaches, reasons, owing = _find_reaches(view, groups, forced=parameters.forced)
    name = _format_movers(view, parameters)
    dice = tuple(_die_steps(view, reaches, *owing, forced=parameters.forced))
    if not reaches:
        text = verdict_of_standing([name], reasons)
        return refused(f"Reach of {name}", text, reasons, who=name)
    result = _gather_result(parameters, groups, reaches)
    several = len(groups) > 1 and bool(parameters.corps)
    marched = [place.hex for place in result.hexes if place.march]
    by_march = [SAY("8.3", "reach.marched", places=marched)] if 0 < len(marched) <= MAX_HEXES_NAMED else []
    counted = _count_hexes(result, several=several, side=bool(parameters.side))
    kind, text = counted.word(len(result.hexes), len(result.unknown))
    by_all = [place for place in result.shared if not place.lacking]
    counts: dict[str, Any] = {
        "short": len(result.hexes) - len(marched),
        "marched": len(marched),
        "short_by_all": sum(not place.forced for place in by_all),
        "marched_by_all": sum(bool(place.forced) for place in by_all),
        "unknown": len(result.unknown),
        "who": name,
    }
    return permission(
        f"Reach of {name}",
        (text, ""),
        (),
        result,
        working={
            "Leaders": dice,
            "Hexes": _hexes_steps(parameters, result, reaches),
            "Barred": barred_steps(result.barred),
            "Units": [*_unit_steps(result.each), *reasons],
            LEFT_OUT: unknown_steps(result.unknown, "8.1"),
        },
        asks=() if result.hexes else [terrain_ask(view, hex) for hex in result.unknown],
        kind=kind,
        sentences=[*short_reach(view, text, result, "8.1", own_hexes=marched, **counts), *by_march],
        **counts,
    )


def answer_briefly(view: View, parameters: ReachParameters) -> Report[ReachResult]:
    """Return the hexes that units can reach, without texts and without other results of the leader dice.

    Raises as `answer`.
    """
    if parameters.to is not None or parameters.until is not None:
        return answer(view, parameters)
    groups = _group_units(view, parameters)
    reaches, _, _ = _find_reaches(view, groups, forced=parameters.forced)
    if not reaches:
        return Report(title="", verdict=verdict("no", ""))
    return Report(title="", verdict=verdict("figure", ""), result=_gather_result(parameters, groups, reaches))


def _gather_result(
    parameters: ReachParameters, groups: Sequence[tuple[Unit, ...]], reaches: Sequence[UnitReach]
) -> ReachResult:
    units = tuple([unit.id for group in groups for unit in group])
    return ReachResult(
        unit=reaches[0].unit,
        at=reaches[0].at,
        allowance=max(reach.allowance for reach in reaches),
        units=units,
        hexes=_find_cheapest(reaches),
        barred=reaches[0].barred if len(reaches) == 1 else (),
        unknown=tuple(sorted({hex for reach in reaches for hex in reach.unknown})),
        each=tuple(reaches) if parameters.corps or parameters.side else (),
        shared=_find_shared_hexes(reaches, units) if parameters.corps else (),
    )


def _find_cheapest(reaches: Sequence[UnitReach]) -> tuple[Marching, ...]:
    """Return the hexes that any of the units can reach, the cheapest first.

    Each hex has the way with the fewest points of a Forced March, and of these the cheapest.
    """
    if len(reaches) == 1:
        return reaches[0].hexes
    best = dict[str, Marching]()
    forced = dict[str, Marching]()
    for reach in reaches:
        for place in reach.hexes[: reach.short]:
            known = best.get(place.hex)
            if known is None or place.cost < known.cost:
                best[place.hex] = place
    for reach in reaches:
        for place in reach.hexes[reach.short :]:
            if place.hex not in best:
                known = forced.get(place.hex)
                if known is None or (place.march, place.cost) < (known.march, known.cost):
                    forced[place.hex] = place
    return tuple(sorted((best | forced).values(), key=attrgetter("cost", "hex")))


def _find_shared_hexes(reaches: Sequence[UnitReach], units: Sequence[str]) -> tuple[Shared, ...]:
    """Return the hexes within reach, each with the units that can reach it alone.

    They are sorted by the number of units, the most first, then by the number that needs a Forced March.

    `units`: all units of the corps, including those that cannot move.
    """
    by_hex = dict[str, dict[str, Marching]]()
    for reach in reaches:
        for place in reach.hexes:
            by_hex.setdefault(place.hex, {})[reach.unit] = place
    shared = [
        Shared(
            hex=hex,
            units=tuple(places),
            forced=tuple(unit for unit, place in places.items() if place.march),
            lacking=tuple(unit for unit in units if unit not in places),
        )
        for hex, places in by_hex.items()
    ]
    return tuple(sorted(shared, key=lambda place: (len(place.lacking), len(place.forced), place.hex)))


# --- units whose reach is asked for -----------------------------------------------------------------------------------


def _format_movers(view: View, parameters: ReachParameters) -> str:
    if parameters.corps:
        return f"the {parameters.corps} Corps"
    return view.game.file.the_side(parameters.side) if parameters.side else " and ".join(parameters.units)


def _group_units(view: View, parameters: ReachParameters) -> list[tuple[Unit, ...]]:
    """Return the groups of units that move together.

    Units named in `units` move together; each unit of a corps or side moves alone.

    Raises InputError if units cannot move together.
    """
    given = [name for name in ("units", "corps", "side") if getattr(parameters, name)]
    if given[1:]:
        raise InputError(f"{given[0]} and {given[1]} are both given", hint="give only one of them")
    if parameters.corps is not None:
        units = _find_units_of_corps(view, parameters.corps)
        if parameters.train is False:
            units = _leave_out_train(view, units)
        return [(unit,) for unit in units]
    if parameters.side is not None:
        return [(unit,) for unit in _units_of_side(view, parameters.side)]
    return [tuple(units_in_one_hex(view, parameters.units))]


def _find_units_of_corps(view: View, name: str) -> list[Unit]:
    """Return the units of a corps on the map that go on foot, including its artillery and other Asset Units.

    Raises InputError if there are none, or several nations have the corps.
    """
    wanted, nation = _parse_corps(view, name)
    known = {unit.id: corps_and_army(view, unit.id)[0] for unit in view.units()}
    units = [unit for unit in view.units() if known[unit.id] == wanted and view.board.is_hex(unit.place)]
    nations = sorted({view.word("nation", unit.id) for unit in units} - {""})
    if nation:
        units = [unit for unit in units if view.word("nation", unit.id) == nation]
    elif nations[1:]:
        hint = " or ".join(f"corps={quoted(f'{each} {wanted}')}" for each in nations)
        raise InputError(f"corps: {len(nations)} nations have a {wanted} Corps", hint=hint)
    if not units:
        raise InputError(
            f"corps: no unit of the {name} Corps is on the map",
            hint=format_suggestion(wanted, {*known.values()} - {""}),
        )
    return _find_on_foot(view, units)


def _parse_corps(view: View, name: str) -> tuple[str, str]:
    """Parse `german 20` as the corps 20 of the German nation; the nation is "" if it is not named."""
    first, _, rest = name.partition(" ")
    nation = first.lower()
    if rest and nation in view.game.track("nation").values:
        return corps_name(rest), nation
    return corps_name(name), ""


def _leave_out_train(view: View, units: Sequence[Unit]) -> list[Unit]:
    """Return the units of a corps without its Corps Train, which need not be with them (3.6.1).

    A Corps Train alone is kept.
    """
    trains = [unit.id for unit in units if view.word("arm", unit.id) == "corps-train"]
    fighting = [unit for unit in units if unit.id not in trains]
    if not (trains and fighting):
        return [*units]
    text = "{units} is left out, as a Corps Train supplies its corps from a distance (train=yes takes it in)"
    view.premises.assume(step("3.6.1", text, units=trains))
    return fighting


# --- the result in words ----------------------------------------------------------------------------------------------


def _count_hexes(result: ReachResult, *, several: bool, side: bool) -> CountVerdict:
    """Return the verdict on the number of hexes within reach, with and without a Forced March.

    `several`: whether each unit of a corps moves alone.
    `side`: whether the units are all units of a side.
    """
    forced = any(place.march for place in result.hexes)
    more = " and to {marched} more by Forced March" if forced else ""
    text = "{who} can move to {short:#hex}" + more
    if side:
        text = f"units of {text}"
    if several:
        by_all = " and to {marched_by_all} more by Forced March" if any(each.forced for each in result.shared) else ""
        text = "all units of {who} can move to {short_by_all:#hex}" + by_all + "; one or more to {short}" + more
    bounds = ("short", "marched", "short_by_all", "marched_by_all")
    return CountVerdict(text, GROUND_UNKNOWN, bounds=bounds)


def _die_steps(
    view: View, reaches: Sequence[UnitReach], owing_khan: _Owing, owing_francois: _Owing, *, forced: bool
) -> Iterator[Step]:
    """Yield the possible results of the leader dice that units still owe.

    The listed reach assumes the best results.
    """
    hexes = {unit: len(reach.hexes) for reach in reaches for unit in reach.units}
    for name, group in owing_khan.items():
        slowed = view.quiet_view().after([changed(view, khan.TRACK, name, "slowed", khan.COMMAND_EFFECTS_RULE)])
        (then,) = _explore_groups(slowed, [group], Recall(slowed, forced=forced))
        text = "{unit} rolls 1d6 as it begins to move: 1 to 4 as listed ({hexes:#hex}), 5 only {slowed}, 6 none"
        yield step(khan.COMMAND_EFFECTS_RULE, text, unit=name, hexes=hexes[name], slowed=len(then.hexes))
    if owing_francois:
        held = view.quiet_view().after([changed(view, francois.TRACK, "", "held", francois.CLOSE_RULE)])
        for name, group in owing_francois.items():
            (then,) = _explore_groups(held, [group], Recall(held, forced=forced))
            text = (
                "the German 1st Corps rolls 1d6 as its first unit begins to move: "
                "1 to 5 as listed, 6 only {held:#hex} for {unit}"
            )
            yield step(francois.CLOSE_RULE, text, unit=name, held=len(then.hexes))


def _hexes_steps(parameters: ReachParameters, result: ReachResult, reaches: Sequence[UnitReach]) -> Iterator[Step]:
    """Yield the hexes within reach: for a corps each with its units, for a whole side none."""
    if parameters.corps:
        for place in result.shared:
            yield _shared_step(reaches, place)
        text = "each unit moves alone; how they can meet in a hex: reach corps={corps} to=HEX"
        yield step("8.1", text, corps=quoted(parameters.corps))
    elif not parameters.side:
        for reached in result.hexes:
            yield _hex_step(reached)


def _shared_step(reaches: Sequence[UnitReach], shared: Shared) -> Step:
    """Return the step on a hex within reach of units of a corps, with the cost for each."""
    costs = list[str]()
    for reach in reaches:
        for place in reach.hexes:
            if place.hex == shared.hex:
                text = "{unit} for {points}[march: ({march} by Forced March)]"
                costs.append(step("", text, place, unit=reach.unit).text)
    text = "{hex}: [lacking:|all units: ]{costs}"
    return step("8.3" if shared.forced else "8.1", text, shared, costs=costs)


def _hex_step(place: Marching) -> Step:
    if not place.march:
        return step("8.1", "{hex}: {points} by {way}; {left} left", place)
    text = "{hex}: {points} by {way}; {march} of them by Forced March[is_known:, {passes:%} chance to pass]"
    return step("8.3", text, place, is_known=place.passes is not None)


def _unit_steps(reaches: Sequence[UnitReach]) -> Iterator[Step]:
    """Yield the number of hexes within reach of each unit, with and without a Forced March."""
    for reach in reaches:
        short = reach.short
        marched = len(reach.hexes) - short
        text = "{unit} from {at}: {short:#hex}" + (" and {marched} more by Forced March" if marched else "")
        if reach.unknown:
            text = at_least(text, "short", "marched")
        yield step("8.1", text, reach, short=short, marched=marched)


def _format_key(result: ReachResult) -> dict[Role | ArrowKind, str]:
    key: dict[Role | ArrowKind, str] = {"beyond": "within reach only by Forced March, with the points lacking"}
    if len(result.each) > 1:
        key["reached"] = "within reach of one unit at least, with the points left to the one that comes cheapest"
    return key


# --- units that are to be together in a hex ---------------------------------------------------------------------------


def _report_meeting(view: View, parameters: ReachParameters, to: str) -> Report[ReachResult]:
    """Return the report on whether units can meet in a hex by the end of a turn."""
    units = _check_meeting_units(view, parameters, to)
    with view.gather() as facts:
        side, *others = dict.fromkeys(side_of(facts, unit) for unit in units)
        around, zones = all_zones(facts, side)
        now = read_moment(facts)
    if others:
        raise InputError("units: the units are of both sides", hint="ask for units of one side")
    until = parameters.until or now.turn
    check_until(now.turn, until)
    moving = phases_until(side, now, until, player_order(view))
    with view.gather() as cells:
        prices = PricedMap(view, Chart(cells))
        fields, forced = (around, zones), parameters.forced
        coming = tuple(Finder(facts, fields, prices, moving, forced, unit, to).find_way() for unit in units)
    _suppose_free(view, units, {slot.turn for slot in moving if not slot.present})
    ways = {hex for each in coming for leg in each.legs for hex in leg.way}
    assume_zones(around, ways)
    note_areas_left_out(around, units, sorted(ways))
    view.premises.assume(step("5.4.6", "enemy units stay where they are, and the weather as it is"))
    result = ReachResult(
        unit=units[0].id,
        at=str(units[0].place),
        allowance=0,
        units=tuple(unit.id for unit in units),
        to=to,
        until=until,
        coming=coming,
    )
    return _report_coming(view, result, forced=parameters.forced)


def _check_meeting_units(view: View, parameters: ReachParameters, to: str) -> list[Unit]:
    """Return the units that are to meet; a corps comes without its Corps Train unless `train` is set.

    Raises InputError if units are not named or cannot march, or the place is not a hex.
    """
    if not view.board.is_hex(to):
        raise InputError(f"to: {to} is not a hex of the map")
    if parameters.corps is not None:
        units = _find_units_of_corps(view, parameters.corps)
        return units if parameters.train else _leave_out_train(view, units)
    if not parameters.units:
        raise InputError("units: no unit is named", hint="name the units that are to meet")
    return [unit for name in parameters.units for unit in units_in_one_hex(view, [name])]


def _suppose_free(view: View, units: Sequence[Unit], turns: Collection[int]) -> None:
    """Note the assumption that the dice of leaders will not restrict the units.

    `turns`: the game turns of later phases.
    """
    with view.gather() as facts:
        later, corps = dice_to_come(facts, units, turns)
        owing = [unit.id for unit in units if unit.id in later or owes_khan(facts, unit)]
        if owing:
            text = "{units} do not roll a 5 or 6 for Khan Nakhichevanski"
            view.premises.assume(step(khan.COMMAND_EFFECTS_RULE, text, units=owing))
        if corps or owes_francois(facts, units):
            view.premises.assume(step(francois.CLOSE_RULE, "the German 1st Corps does not roll a 6"))


def _report_coming(view: View, result: ReachResult, *, forced: bool) -> Report[ReachResult]:
    """Return the report on the ways of units to a hex.

    `forced`: whether they may make a Forced March.
    """
    coming = result.coming
    title = f"{', '.join(result.units)} in {result.to} by GT {result.until}"
    unsure = [each for each in coming if each.unknown]
    if unsure:
        unknown = sorted({hex for each in unsure for hex in each.unknown})
        text = "undecided: no way of {late} to {to} by the end of GT {until} is known; " + GROUND_UNKNOWN
        return Report(
            title=title,
            verdict=verdict("undecided", text, result, late=[each.unit for each in unsure], unknown=len(unknown)),
            parts=(Part(LEFT_OUT, tuple(unknown_steps(unknown, "8.1"))),),
            result=result,
        )
    late = [each.unit for each in coming if not each.arrives]
    with view.gather() as facts:
        over = not late and any(hexes_over_limit(facts, dict.fromkeys(result.units, result.to)))
    too_late = "{late} cannot be in {to} by the end of GT {until}"
    if not forced:
        too_late += " without a Forced March"
    reasons = (
        (late, "8.1", too_late),
        (over, "4.2.1", "{to} would hold more than may stay at the end of a movement phase (ask stack)"),
    )
    ways = list[Step]()
    for each in coming:
        ways += _coming_steps(view, each, result.to)
    return permission(
        title,
        ("{units} can be in {to} by the end of GT {until}", "{why}"),
        holding(reasons, result, late=late),
        result,
        working={"Ways": ways},
        sentences=[SAY("8.1", "reach.together", result)],
    )


def _coming_steps(view: View, coming: Coming, to: str) -> Iterator[Step]:
    if not coming.legs:
        yield step("8.1", "{unit} is in {to} already", coming, to=to)
    for leg in coming.legs:
        text = "{unit}, GT {turn}, {whose} player turn, {phase}: {way}" + (" by Forced March" if leg.forced else "")
        whose = view.game.file.title_of(leg.phasing)
        yield step("8.3" if leg.forced else "8.1", text, leg, coming, whose=whose, phase=PHASES[leg.phase])


QUESTION = declare(
    "reach",
    "the hexes that a unit, a stack or each unit of a corps or a side can reach, with what is left there",
    answer,
    sketch=of_reach(field, lambda result: result.each or (result,), _format_key),
    decision=None,
    decide=answer_briefly,
)
