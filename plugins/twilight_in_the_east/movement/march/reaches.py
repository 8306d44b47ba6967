"""The reaches of groups of units that move in this phase, and the leader dice that the units still owe (8.1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, partial
from typing import NamedTuple

import msgspec

from assistant.asking import Gather, InputError, MissingFacts, Step, View, step
from assistant.rules.field import HexOption, SideField, side_of
from assistant.state.state import Unit

from ...forces.leaders import owes_khan
from ...ground.calendar import is_counter_movement
from ...ground.chart import Chart
from ...ground.hexsides import assume_zones
from .dice import owes_francois
from .ends import Ends
from .movers import never_on_foot, reasons_to_stay, why_no_points_now
from .prices import ON_HEXSIDES, PricedMap
from .reach import Explorer, Purse, Recall, UnitReach, all_zones, read_purse
from .steps import Party, read_party
from .zones import Zones, note_areas_left_out


class Movers(NamedTuple):
    """The units whose reach is asked for."""

    groups: Sequence[tuple[Unit, ...]]
    """Groups of units that move together."""
    moving: Sequence[tuple[Unit, ...]]
    """The groups that may move."""
    reasons: Sequence[Step]
    """Reasons why the other units stay, each once."""

    @property
    def units(self) -> list[str]:
        """All units of the groups."""
        return [unit.id for group in self.groups for unit in group]


def _read_movers(view: View, groups: Sequence[tuple[Unit, ...]], recall: Recall) -> Movers:
    """Return the units whose reach is asked for. Raises MissingFacts if a bar to their move is unknown."""
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
    return Movers(groups, moving, reasons)


def _read_bars(facts: Gather, group: Sequence[Unit]) -> list[Step]:
    return [*reasons_to_stay(facts, group), *why_no_points_now(facts, group)]


class FoundReaches(NamedTuple):
    """The reaches of the units asked about, and the leader dice that they still owe."""

    movers: Movers
    reaches: Sequence[UnitReach]
    """The reach of each group that may move, with the best results of the dice."""
    owing_khan: Mapping[str, tuple[Unit, ...]]
    """The units that roll for Khan Nakhichevanski, each with its group."""
    owing_francois: Mapping[str, tuple[Unit, ...]]
    """The units of the German 1st Corps that rolls before they move, each with its group."""


def find_reaches(view: View, groups: Sequence[tuple[Unit, ...]], *, forced: bool) -> FoundReaches:
    """Return the reaches of units.

    `groups`: groups of units that move together.
    `forced`: whether they may make a Forced March.

    Raises MissingFacts if the chart, an allowance or another fact of the reach is not known.
    """
    recall = Recall(view, forced=forced)
    movers = _read_movers(view, groups, recall)
    reaches = explore_groups(view, movers.moving, recall) if movers.moving else []
    with view.gather() as facts:
        khan = {unit.id: group for group in movers.moving for unit in group if owes_khan(facts, unit)}
        francois = {unit.id: group for group in movers.moving for unit in group if owes_francois(facts, [unit])}
    return FoundReaches(movers, reaches, khan, francois)


def explore_groups(view: View, groups: Sequence[tuple[Unit, ...]], recall: Recall) -> list[UnitReach]:
    """Return the reach of each group.

    Raises MissingFacts if facts are not stated, with the missing facts of all groups together.
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
    """Note the assumption about hexsides of a paper map that are not fully stated."""
    kinds = [] if view.board.hexes else [name for name in ON_HEXSIDES if view.game.track(name).absent is None]
    left_out = [view.game.track(name).title for name in kinds if name not in view.state.elsewhere]
    if left_out:
        view.premises.assume(
            step("8.1.1", "nothing lies on a hexside of which it is not stated: {left_out}", left_out=left_out)
        )


def _find_ends(facts: Gather, recall: Recall, group: Sequence[Unit], reach: UnitReach) -> UnitReach:
    """Return the reach of units without the hexes where they may not end their move.

    They may only pass through these hexes, which are listed as barred.
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
    """Note the units whose reach leads to enemies, as the unstated area of their army may end their reach."""
    hexes = {place.hex for reach in reaches for place in reach.hexes}
    beside = hexes & {hex for place in around.enemies for hex in around.view.board.neighbours(place)}
    near = [not beside.isdisjoint(place.hex for place in reach.hexes) for reach in reaches]
    moving = [unit for group, is_near in zip(groups, near, strict=True) for unit in group if is_near]
    note_areas_left_out(around, moving, sorted(beside), by_name=False)


def units_of_side(view: View, side: str) -> list[Unit]:
    """Return the units of a side on the map that go on foot. Raises InputError if there are none."""
    units = [unit for unit in view.units() if view.board.is_hex(unit.place)]
    units = find_on_foot(view, [unit for unit in units if view.side_of(unit.id) == side])
    if not units:
        raise InputError(f"side: no unit of {view.game.file.the_side(side)} that goes on foot is on the map")
    return units


def find_on_foot(view: View, units: Iterable[Unit]) -> list[Unit]:
    """Return the units that go on foot. Raises MissingFacts if that is not known of one."""
    with view.gather() as facts:
        return [unit for unit in units if not never_on_foot(facts, unit)]
