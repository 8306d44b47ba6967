"""The question `reach`: all hexes that a unit, a stack or each unit of a corps or a side can reach in this phase, with
what is left there and what a Forced March risks; or whether units can be together in a hex by a turn (8.1, 8.3).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from assistant.asking import Gather, InputError, Report, Step, View, declare, refused, step
from assistant.asking.bounds import LEFT_OUT, CountVerdict, at_least
from assistant.asking.permission import permission
from assistant.asking.sketch import ArrowKind, Role
from assistant.asking.view import changed
from assistant.rules.field import HexOption, SideField
from assistant.rules.field.movement import GROUND, MOST_HEXES, barred_steps, short_reach, unknown_steps
from assistant.rules.sketches import of_reach
from assistant.state.state import Unit
from assistant.util.errors import quoted

from ...forces.leaders import owes_khan
from ...ground.calendar import is_counter_movement
from ...ground.chart import Chart, format_halves, terrain_ask
from ...ground.hexsides import assume_zones, field
from ...leaders import francois, khan
from ...terms import SAY
from .dice import owes_francois
from .ends import Ends
from .meeting import report_meeting
from .movers import verdict_of_standing
from .prices import ON_HEXSIDES, PricedMap
from .reach import Explorer, Marching, Purse, UnitReach, all_zones, explore_or_recall, read_purse
from .reach_units import Movers, ReachParameters, ReachResult, Shared, read_movers
from .steps import Party, read_party
from .zones import Zones, note_areas_left_out


def answer(view: View, parameters: ReachParameters) -> Report[ReachResult]:
    """Return the report on where units can move. Raises InputError for units that cannot be, MissingFacts for the
    chart, for allowances and for what else the reach of the units rests on.
    """
    if parameters.to is not None:
        return report_meeting(view, parameters, parameters.to)
    if parameters.until is not None:
        raise InputError("until: the hex is not named", hint="to=HEX")
    movers = read_movers(view, parameters)
    moving = movers.moving
    reaches = _find_reaches(view, moving, forced=parameters.forced) if moving else []
    dice = tuple(_die_steps(view, moving, reaches, forced=parameters.forced))
    if not reaches:
        text = verdict_of_standing([movers.name], movers.reasons)
        return refused(f"Reach of {movers.name}", text, movers.reasons, who=movers.name)
    result = _gather_result(parameters, movers, reaches)
    several = len(movers.groups) > 1 and bool(parameters.corps)
    marched = [place.hex for place in result.hexes if place.march]
    by_march = [SAY("8.3", "reach.marched", places=marched)] if 0 < len(marched) <= MOST_HEXES else []
    counted = _counted_hexes(result, several=several, side=bool(parameters.side))
    kind, text = counted.word(len(result.hexes), len(result.unknown))
    by_all = [place for place in result.shared if not place.lacking]
    counts: dict[str, Any] = {
        "short": len(result.hexes) - len(marched),
        "marched": len(marched),
        "short_by_all": sum(not place.forced for place in by_all),
        "marched_by_all": sum(bool(place.forced) for place in by_all),
        "unknown": len(result.unknown),
        "who": movers.name,
    }
    return permission(
        f"Reach of {movers.name}",
        (text, ""),
        (),
        result,
        working={
            "Leaders": dice,
            "Hexes": _hexes_steps(parameters, result, reaches),
            "Barred": barred_steps(result.barred),
            "Units": [*_unit_steps(result.each), *movers.reasons],
            LEFT_OUT: unknown_steps(result.unknown, "8.1"),
        },
        asks=() if result.hexes else [terrain_ask(view, hex) for hex in result.unknown],
        kind=kind,
        sentences=[*short_reach(view, text, result, "8.1", apart=marched, **counts), *by_march],
        **counts,
    )


def _gather_result(parameters: ReachParameters, movers: Movers, reaches: Sequence[UnitReach]) -> ReachResult:
    """Return where the units can move, all of them together."""
    return ReachResult(
        unit=reaches[0].unit,
        at=reaches[0].at,
        allowance=max(reach.allowance for reach in reaches),
        units=tuple(movers.units),
        hexes=_find_cheapest(reaches),
        barred=reaches[0].barred if len(reaches) == 1 else (),
        unknown=tuple(sorted({hex for reach in reaches for hex in reach.unknown})),
        each=tuple(reaches) if parameters.corps or parameters.side else (),
        shared=_find_shared_hexes(reaches, movers.units) if parameters.corps else (),
    )


def _hexes_steps(parameters: ReachParameters, result: ReachResult, reaches: Sequence[UnitReach]) -> Iterator[Step]:
    """Yield the hexes within reach in words, of a corps each with who can reach it; not those of a whole side."""
    if parameters.corps:
        for place in result.shared:
            yield _shared_step(reaches, place)
        text = "each unit moves alone; how they can meet in a hex: reach corps={corps} to=HEX"
        yield step("8.1", text, corps=quoted(parameters.corps))
    elif not parameters.side:
        for reached in result.hexes:
            yield _hex_step(reached)


def _die_steps(
    view: View, groups: Sequence[Sequence[Unit]], reaches: Sequence[UnitReach], *, forced: bool
) -> Iterator[Step]:
    """Yield what the dice of leaders that units owe before they move would give: the reach is that of units that are
    free.
    """
    with view.gather() as facts:
        owing = {unit.id: group for group in groups for unit in group if owes_khan(facts, unit)}
        corps = {unit.id: group for group in groups for unit in group if owes_francois(facts, [unit])}
    hexes = {unit: len(reach.hexes) for reach in reaches for unit in reach.units}
    for name, group in owing.items():
        slowed = view.unnoticed().after([changed(view, khan.TRACK, name, "slowed", khan.MOVES)])
        (then,) = _find_reaches(slowed, [group], forced=forced)
        text = "{unit} rolls 1d6 as it begins to move: 1 to 4 as listed ({hexes:#hex}), 5 only {slowed}, 6 none"
        yield step(khan.MOVES, text, unit=name, hexes=hexes[name], slowed=len(then.hexes))
    if corps:
        held = view.unnoticed().after([changed(view, francois.TRACK, "", "held", francois.CLOSE)])
        for name, group in corps.items():
            (then,) = _find_reaches(held, [group], forced=forced)
            text = (
                "the German 1st Corps rolls 1d6 as its first unit begins to move: "
                "1 to 5 as listed, 6 only {held:#hex} for {unit}"
            )
            yield step(francois.CLOSE, text, unit=name, held=len(then.hexes))


def _counted_hexes(result: ReachResult, *, several: bool, side: bool) -> CountVerdict:
    """Return how many hexes are within reach, without a Forced March and only by one, as a verdict. several: whether it
    is of units of a corps that move each for itself; side: whether of all units of a side.
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
    return CountVerdict(text, GROUND, bounds=bounds)


def _find_reaches(view: View, groups: Sequence[Sequence[Unit]], *, forced: bool) -> list[UnitReach]:
    """Return where units can move, those of each group together. Raises MissingFacts for what it rests on, of all of
    them.
    """
    moving = list[tuple[Party, tuple[SideField, Zones], list[Purse]]]()
    with view.gather() as facts:
        for group in groups:
            party = read_party(facts, group, counter=is_counter_movement(view, None))
            together = tuple(unit.id for unit in group)
            fields = all_zones(facts, party.side)
            moving.append((party, fields, [read_purse(facts, unit, together) for unit in group]))
    reaches = list[UnitReach]()
    with view.gather() as cells:
        prices = PricedMap(view, Chart(cells))
        for party, fields, purses in moving:
            explorer = Explorer(facts, fields, party, prices, purses, forced=forced)
            reaches.append(explore_or_recall(view, explorer, forced=forced))
    with view.gather() as facts:
        reaches = [_find_ends(facts, *each) for each in zip(groups, reaches, strict=True)]
    for (_, (around, _), _), reach in zip(moving, reaches, strict=True):
        assume_zones(around, [place.hex for place in reach.hexes])
    _note_areas_of(moving[0][1][0], groups, reaches)
    _assume_bare_hexsides(view)
    return reaches


def _assume_bare_hexsides(view: View) -> None:
    """Say of a paper map what is taken for granted of hexsides of which not all is stated."""
    kinds = [] if view.board.hexes else [name for name in ON_HEXSIDES if view.game.track(name).absent is None]
    left_out = [view.game.track(name).title for name in kinds if name not in view.state.elsewhere]
    if left_out:
        view.premises.assume(
            step("8.1.1", "nothing lies on a hexside of which it is not stated: {left_out}", left_out=left_out)
        )


def _find_ends(facts: Gather, group: Sequence[Unit], reach: UnitReach) -> UnitReach:
    """Return the reach of units that move together without the hexes where what binds one of them does not let it end
    its move: these are only passed through, and listed among those that are barred.
    """
    ends = Ends(facts, group)
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
    """Note whose reach leads to enemies, so that the area of its army may end it, which is not stated."""
    hexes = {place.hex for reach in reaches for place in reach.hexes}
    beside = {hex for hex in hexes if around.next_to_enemy(hex)}
    near = [not beside.isdisjoint(place.hex for place in reach.hexes) for reach in reaches]
    moving = [unit for group, is_near in zip(groups, near, strict=True) for unit in group if is_near]
    note_areas_left_out(around, moving, sorted(beside), by_name=False)


def _find_cheapest(reaches: Sequence[UnitReach]) -> tuple[Marching, ...]:
    """Return the hexes that any of some units can reach, each with the way that leaves the most, the cheapest first."""
    if len(reaches) == 1:
        return reaches[0].hexes
    best = dict[str, Marching]()
    for reach in reaches:
        for place in reach.hexes:
            known = best.get(place.hex)
            if known is None or _is_cheaper(place, known):
                best[place.hex] = place
    return tuple(sorted(best.values(), key=lambda place: (place.cost, place.hex)))


def _is_cheaper(place: Marching, known: Marching) -> bool:
    """Return whether a way needs less of a Forced March than another, or costs less with as much."""
    if not known.march:
        return place.cost < known.cost and not place.march
    return (place.march, place.cost) < (known.march, known.cost)


def _find_shared_hexes(reaches: Sequence[UnitReach], units: Sequence[str]) -> tuple[Shared, ...]:
    """Return which units can reach each hex, each for itself: first the hexes that most of them can, of these those
    that fewest need a Forced March for. units: all of the corps, those that cannot move among them.
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


def _shared_step(reaches: Sequence[UnitReach], shared: Shared) -> Step:
    """Return a hex that some units of a corps can reach, with what it costs each, in a line."""
    costs = list[str]()
    for reach in reaches:
        for place in reach.hexes:
            if place.hex == shared.hex:
                text = "{unit} for {points}[march: ({march} by Forced March)]"
                costs.append(step("", text, place, unit=reach.unit).text)
    text = "{hex}: [lacking:|all units: ]{costs}"
    return step("8.3" if shared.forced else "8.1", text, shared, costs=costs)


def _hex_step(place: Marching) -> Step:
    """Return a hex within reach, in a line."""
    if not place.march:
        return step("8.1", "{hex}: {points} by {way}; {left} left", place)
    text = "{hex}: {points} by {way}; {march} of them by Forced March[is_known:, {passes:%} chance to pass]"
    return step("8.3", text, place, is_known=place.passes is not None)


def _unit_steps(reaches: Sequence[UnitReach]) -> Iterator[Step]:
    """Yield how many hexes each unit of a corps can reach, without a Forced March and only by one."""
    for reach in reaches:
        marched = sum(bool(place.march) for place in reach.hexes)
        text = "{unit} from {at}: {short:#hex}" + (" and {marched} more by Forced March" if marched else "")
        if reach.unknown:
            text = at_least(text, "short", "marched")
        yield step("8.1", text, reach, short=len(reach.hexes) - marched, marched=marched)


def _format_key(result: ReachResult) -> dict[Role | ArrowKind, str]:
    """Return what the key of the picture says of hexes within reach."""
    key: dict[Role | ArrowKind, str] = {"beyond": "within reach only by Forced March, with what it costs"}
    if len(result.each) > 1:
        key["reached"] = "within reach of one unit at least, with what it costs the one that comes cheapest"
    return key


QUESTION = declare(
    "reach",
    "the hexes that a unit, a stack or each unit of a corps or a side can reach, with what is left there",
    answer,
    sketch=of_reach(field, format_halves, lambda result: result.each or (result,), _format_key),
    decision=None,
)
