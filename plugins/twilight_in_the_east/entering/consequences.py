"""The immediate consequences when units enter and leave hexes, by an advance, a retreat or any other move.

They concern positions (13.4, 13.5.1), control (4.3), railways and bridges (17.1.4, 17.4, 17.5.3, 17.7, 18.1), Landsturm
(22.4.1), tasks (8.9.3) and bridgeheads (12.5.1).

They also concern lost supply units (16.4), Operational Objectives (21.2), Hungary (23.1.1), Victory Points (27.2), and
hidden units (26.1, 26.2).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import msgspec

from assistant.asking import Part, View, step
from assistant.asking.view import changed
from assistant.state.changes import AnyChange, Change, Gain
from assistant.state.state import Unit

from ..concealment.cover import Movement, changes_of_cover, hides_units
from ..forces.departures import DEPARTED, DEPARTURES
from ..forces.losses import return_supply_units
from ..forces.markers import take_off_beside_enemies
from ..forces.objectives import PLAN, REACHED, is_sought, may_capture
from ..ground.edges import is_in_hungary
from ..ground.hexsides import demolish_bridge
from ..ground.works import enter_position, hexes_bringing_down, leave_position, pontoons, take_off_bridge
from ..railways.built_lines import lost_before, lost_to
from ..scoring.points import TOWNS, Award, gains, points_part, score_losses, score_town, star_holder
from ..terms import HUNGARY_ENTERED, LANDSTURM, OFF_MAP, RUINED_BATTERY, VISTULA_BATTERIES
from .arrival import Arrival, March, arrive
from .obligations import MUST_LEAVE, OBLIGATION_FINDERS, owed_departures

HIDDEN_CONTROL = "hidden-control"
"""The ruling on hidden supply units that enter hexes of the enemy (4.3)."""
DUMMY_REMOVAL_TEXTS = {
    "26.1.2c": (
        "{unit} comes off the map in {hex}: an enemy unit is within two hexes, and no friendly unit between them "
        "screens it"
    ),
    "26.2.4": "{unit} comes off the map in {hex}: it is turned over, and it is a dummy",
}
"""Sentences on dummies that are taken off the map, by rule."""


class Following(msgspec.Struct, frozen=True):
    """The consequences of moves."""

    changes: tuple[Change | Gain, ...] = ()
    """The changes to the state after all moves, including Victory Points scored."""
    owed: tuple[Change, ...] = ()
    """The changes that record a pending die roll, decision or missing fact."""
    awards: tuple[Award, ...] = ()
    """The Victory Points of each unit and town."""

    @property
    def unsettled(self) -> tuple[str, ...]:
        """Ids of the units, hexes and hexsides with a pending die roll, decision or missing fact."""
        return tuple(dict.fromkeys(change.subject for change in self.owed))

    def parts(self, view: View) -> tuple[Part, ...]:
        """Return the report's parts on points scored and on dummies taken off the map."""
        return points_part(view, self.awards), self.light

    @property
    def light(self) -> Part:
        """The report's part on dummies taken off the map, empty if there are none."""
        changes = (change for change in self.changes if isinstance(change, Change))
        removals = (change for change in changes if change.track == "place" and change.after is None)
        steps = (
            step(removal.rule, DUMMY_REMOVAL_TEXTS[removal.rule], unit=removal.subject, hex=removal.before)
            for removal in removals
            if removal.rule in DUMMY_REMOVAL_TEXTS
        )
        return Part("Brought to light", tuple(steps))


def follows_changes(view: View, changes: Iterable[AnyChange], way: tuple[str, ...] = ()) -> Following:
    """Return the consequences of the moves among the changes.

    `way`: the hexes entered by the units that end in its last hex.

    Raises MissingFacts as `find_consequences` does.
    """
    return find_consequences(view, _list_marches(changes, way))


def _list_marches(changes: Iterable[AnyChange], way: tuple[str, ...] = ()) -> list[March]:
    """Return changes of place as marches; units with the same destination move together.

    `changes`: changes of the state. Those of the track `departed` mark units that leave the map for good.
    `way`: as for `follows_changes`.
    """
    facts = [change for change in changes if isinstance(change, Change)]
    departing = {change.subject for change in facts if change.track == DEPARTED and change.after in DEPARTURES}
    places = [(change.subject, change.after) for change in facts if change.track == "place"]
    together: dict[str, list[str]] = {}
    for unit, place in places:
        # departing units leave together; each eliminated unit is by itself, with its id as the key
        off_map = OFF_MAP if unit in departing else unit
        together.setdefault(str(place) if place else off_map, []).append(unit)
    on_map = {unit for unit, place in places if place}
    marches = []
    for end, units in together.items():
        first = units[0]
        if first in departing:
            marches.append(March(tuple(units), way[:-1], departs=True))
        elif first not in on_map:
            marches.append(March(tuple(units), ()))
        else:
            marches.append(March(tuple(units), way if way and way[-1] == end else (end,)))
    return marches


def find_consequences(view: View, marches: Iterable[March]) -> Following:
    """Return the consequences of moves in order.

    Each step into a hex counts as a move. Units that flee from a move are removed before the next.

    `view`: the state before the first move.
    `marches`: all changes of place, in order.

    Raises MissingFacts if a fact decides whether a marker comes off a unit adjacent to an enemy.
    """
    legs = deque(leg for march in marches for leg in march.legs)
    ends = {unit: leg.end for leg in legs for unit in leg.units}
    current = view
    changes = list[Change]()
    owed = list[Change]()
    awards = list[Award]()
    while legs:
        leg = legs.popleft()
        moving_later = {unit for later in legs for unit in later.units}
        arrival = arrive(current, leg, stays=moving_later.isdisjoint(leg.units))
        fleeing = [unit for unit in fleeing_units(arrival) if unit.id not in moving_later]
        consequences = RUMOUR_RULES if arrival.is_rumour else CONSEQUENCES
        carried_out = [change for consequence in consequences for change in consequence(arrival)]
        current = arrival.after.after(carried_out) if carried_out else arrival.after
        changes += [*(Change("place", unit.id, unit.place, None, "22.4.1") for unit in fleeing), *carried_out]
        must_leave = {change.subject for change in owed if change.track == MUST_LEAVE}
        owed += owed_departures(arrival, {*moving_later, *must_leave})
        owed += (change for owes in OBLIGATION_FINDERS for change in owes(arrival))
        awards += [*points_for_losses(arrival), *points_for_towns(arrival)]
        # units that flee leave the map before all other legs, so that the consequences count in these
        legs.extendleft(March((unit.id,)) for unit in reversed(fleeing))
    kept = tuple(_keep_changes(view, current, ends, changes))
    still_owed = tuple(_keep_owed(view, current, owed))
    return Following((*kept, *gains(awards), *still_owed), still_owed, tuple(awards))


def _keep_changes(
    before: View, current: View, ends: Mapping[str, str | None], changes: Sequence[Change]
) -> Iterator[Change]:
    """Yield the net changes, relative to a state in which all units have moved and nothing else has changed.

    Records that no longer matter after all moves are left out.

    `ends`: the place of each unit after all moves.
    """
    if not changes:
        return
    moved = before.after(changed(before, "place", unit, end, "4.2") for unit, end in ends.items())
    for change in net_changes(moved, changes):
        if not isinstance(change, Change):
            continue
        if not _is_shown_by_troops(current, change) and not _is_of_unit_off_map(current, change):
            yield change


def _keep_owed(before: View, current: View, owed: Iterable[Change]) -> Iterator[Change]:
    """Yield the first obligation for each fact, relative to the state before all moves.

    A unit that is off the map or out of the hex by then has no obligation.
    """
    first_changes = dict[tuple[str, str], Change]()
    for change in owed:
        first_changes.setdefault((change.track, change.subject), change)
    for change in first_changes.values():
        unit = current.state.units.get(change.subject)
        is_off_map = unit is not None and unit.place is None
        # `after` holds the hex to leave and the hex of the enemy: "41.19 42.18"
        has_left = change.track == MUST_LEAVE and unit and unit.place != str(change.after).split()[0]
        newly_owed = changed(before, change.track, change.subject, change.after, change.rule)
        if not has_left and not is_off_map and newly_owed.before != newly_owed.after:
            yield newly_owed


def net_changes(view: View, changes: Iterable[AnyChange]) -> tuple[AnyChange, ...]:
    """Merge successive changes into net changes to the first state.

    The last value of a fact counts: 1 to 2 and then 2 to 3 becomes 1 to 3, and a return to 1 is no change. A unit that
    is taken off the map has no other changes.
    """
    last_changes = dict[tuple[str, str], Change]()
    others = list[AnyChange]()
    for change in changes:
        if isinstance(change, Change):
            last_changes[change.track, change.subject] = change
        else:
            others.append(change)
    removed = {name for (track, name), change in last_changes.items() if track == "place" and change.after is None}
    net: list[Change | Gain] = []
    for (track, subject), change in last_changes.items():
        if track == "place" or subject not in removed:
            net_change = changed(view, track, subject, change.after, change.rule)
            if (net_change.before or None) != (net_change.after or None):  # an unset flag may be False or None
                net.append(net_change)
    return (*net, *others)


def _is_shown_by_troops(view: View, change: Change) -> bool:
    """Return whether a change only records control that visible troops in the hex already show (4.3)."""
    if hides_units(view) or change.track != "control":
        return False
    sides = [view.side_of(unit.id) for unit in view.stack(change.subject)]
    return change.before is None and change.after in sides


def _is_of_unit_off_map(view: View, change: Change) -> bool:
    """Return whether a change is needless because its unit is off the map.

    Changes of place and of return still count (16.4).
    """
    unit = view.state.units.get(change.subject)
    return unit is not None and unit.place is None and change.track not in ("place", "arrives")


def fleeing_units(arrival: Arrival) -> Iterator[Unit]:
    """Yield the Landsturm Abteilungen that are removed because Russian infantry is adjacent. Rule: 22.4.1"""
    russians = [unit for unit in arrival.of_arm(["infantry"]) if arrival.before.word("nation", unit) == "russian"]
    if russians:
        for hex in arrival.beside(arrival.entered):
            for unit in arrival.after.stack(hex):
                if unit.id in LANDSTURM:
                    yield unit


def _change_positions(arrival: Arrival) -> Iterator[Change]:
    """Yield the changes of Improved Positions that units leave or enter (13.4, 13.5.1).

    They change if the last friendly unit leaves, or an enemy of the builders enters.
    """
    first = arrival.march.units[0]
    view = arrival.after
    for hex in arrival.left:
        yield from leave_position(view, hex, first)
    for hex in arrival.entered:
        if all(arrival.is_enemy(unit.id) for unit in arrival.before.stack(hex)):
            yield from enter_position(view, hex, first)


def change_control(arrival: Arrival) -> Iterator[Change]:
    """Yield the changes of control of the hexes that units have left or entered.

    A hex that troops leave empty stays under their control until an enemy enters. A hex entered changes only if its
    control is recorded; by ruling hidden-control any hidden stack counts as troops. With hidden units every hex left is
    recorded, so that the record does not reveal which hexes are empty.

    Rule: 4.3b
    """
    if not arrival.side:
        return
    for hex in arrival.left:
        emptied = arrival.has_troops and (arrival.is_veiled or not arrival.after.stack(hex))
        unstated = arrival.is_veiled and arrival.after.state.value("control", hex) is None
        if emptied or unstated:
            yield changed(arrival.after, "control", hex, arrival.side, "4.3")
    for hex in arrival.entered:
        recorded = arrival.after.state.value("control", hex)
        if recorded is None:
            continue
        bluffs = arrival.is_hidden and recorded != arrival.side and not arrival.is_rumour
        reading = arrival.before.ruling(HIDDEN_CONTROL, bluffs)
        if arrival.has_troops or (bluffs and reading == "stack"):
            yield changed(arrival.after, "control", hex, arrival.side, "4.3")


def _lose_railways(arrival: Arrival) -> Iterator[Change]:
    """Yield the RR hexes and lines under construction that enemies lose to moving units (17.1.4, 17.5.3, 17.7).

    Hexes that the units leave also count if the enemy still holds them: the units may have stood there since before the
    first recorded move.
    """
    if not arrival.side:
        return
    view = arrival.before
    hexes = (*arrival.entered, *arrival.left)
    held = [hex for hex in hexes if view.word("control", hex) not in ("", arrival.side)]
    held += [hex for hex in arrival.entered if any(arrival.is_enemy(unit.id) for unit in view.stack(hex))]
    yield from lost_to(arrival.after, arrival.side, arrival.entered, held)
    yield from lost_before(arrival.after, arrival.side, arrival.left, held)


def _take_off_bridges(arrival: Arrival) -> Iterator[Change]:
    """Yield the changes that remove pontoon bridges with adjacent enemies (18.1)."""
    view = arrival.after
    if arrival.entered:
        for bridge in pontoons(view):
            enemy = bridge.nation and arrival.side and view.game.side_of(bridge.nation) != arrival.side
            if enemy and hexes_bringing_down(view, bridge, arrival.entered):
                yield from take_off_bridge(view, bridge.hexside)


def _take_off_tasks(arrival: Arrival) -> Iterator[Change]:
    """Yield the changes that remove task markers from units adjacent to enemies, on both sides (8.9.3).

    Hexes left count too: a marker there had to come off before the units left.
    """
    near = arrival.beside((*arrival.left, *arrival.entered))
    enemies = [unit for hex in near for unit in arrival.after.stack(hex) if arrival.is_enemy(unit.id)]
    own = [arrival.after.unit(unit) for unit in arrival.march.units] if enemies and arrival.march.way else []
    marked = [unit for unit in (*enemies, *own) if arrival.after.integer("expended", unit.id)]
    with arrival.after.gather() as facts:
        changes = [change for unit in marked for change in take_off_beside_enemies(facts, unit)]
    yield from changes


def _follow_losses(arrival: Arrival) -> Iterator[Change]:
    """Yield the permanent consequences of units leaving the map.

    The bridge at Jaroslau is blown with its bridgehead (17.4), and supply units return later (16.4).
    """
    if arrival.march.way:
        return
    yield from demolish_bridge(arrival.before, arrival.march.units)
    if not arrival.march.departs:
        yield from return_supply_units(arrival.before, arrival.march.units)


def change_cover(arrival: Arrival) -> Iterator[Change]:
    """Yield the changes of caps, dummies and concealed units (26.1.1b, 26.1.2c, 26.2.4)."""
    yield from changes_of_cover(Movement(arrival.before, arrival.after, arrival.side, arrival.left, arrival.entered))


def ruin_batteries(arrival: Arrival) -> Iterator[Change]:
    """Yield the Ruined markers of the batteries along the Vistula that have been destroyed. Rule: 22.4.3"""
    hexes = (VISTULA_BATTERIES.get(unit) for unit in arrival.march.units if not arrival.march.way)
    for hex in hexes:
        if hex:
            yield changed(arrival.after, RUINED_BATTERY, hex, True, "22.4.3")


def occupy_towns(arrival: Arrival) -> Iterator[Change]:
    """Yield the new holders of starred towns: the sides of the troops that occupy them.

    A holder who is known only by the troops in the town is recorded as they leave; otherwise the town would revert to
    its country. With hidden units the holder is recorded as any unit leaves, so that the record does not reveal whether
    troops left.

    Rule: 27.2.4
    """
    for hex, _, holder in arrival.towns:
        if holder and holder != arrival.side:
            yield changed(arrival.after, "star-holder", hex, arrival.side, "27.2.4")
    for hex in arrival.left:
        if arrival.before.fact("star", hex):
            holder = star_holder(arrival.before, hex)
            unstated = arrival.is_veiled and not arrival.before.word("star-holder", hex)
            if holder and (unstated or star_holder(arrival.after, hex) != holder):
                yield changed(arrival.after, "star-holder", hex, holder, "27.2.4")


def points_for_towns(arrival: Arrival) -> Iterator[Award]:
    """Yield the awards for starred towns that change hands. Rule: 27.2.4"""
    for hex, star, holder in arrival.towns:
        if holder and (points := score_town(star, holder, arrival.side)):
            yield Award(TOWNS, arrival.side, points, hex)


def points_for_losses(arrival: Arrival) -> list[Award]:
    """Return the awards for units that are taken off the map as eliminated. Rule: 27.2.5, 27.2.6"""
    march = arrival.march
    return [] if march.way or march.departs else score_losses(arrival.before, march.units)


def reach_objectives(arrival: Arrival) -> Iterator[Change]:
    """Yield the records of Operational Objectives that infantry brigades and divisions have entered or left.

    The record remains, so that infantry which only marches through may capture the objective later.

    Rule: 21.2
    """
    view = arrival.after
    side = arrival.side
    if view.stated_about.get(PLAN):
        for hex in (*arrival.left, *arrival.entered):
            captors = (may_capture(view.word("arm", unit), view.word("size", unit)) for unit in arrival.march.units)
            if is_sought(view, hex, side) and any(captors):
                yield changed(view, REACHED, hex, tuple(sorted({*view.words(REACHED, hex), side})), "21.2")


def is_first_in_hungary(side: str, noted: int, enters: Callable[[], bool]) -> bool:
    """Return whether a unit is the first Russian one in Hungary, which triggers Karpatensicherung.

    `noted`: the game turn of the first recorded entry, or 0.
    `enters`: whether the unit enters Hungary, called only if needed.

    Rule: 23.1.1
    """
    return side == "russian" and not noted and enters()


def _note_hungary(arrival: Arrival) -> Iterator[Change]:
    """Yield the record of the turn in which a Russian unit first enters Hungary, if the turn is stated."""
    view = arrival.before
    turn = arrival.before.integer("turn")
    noted = view.integer(HUNGARY_ENTERED)
    if turn and is_first_in_hungary(
        arrival.side, noted, lambda: any(is_in_hungary(view, hex) for hex in arrival.entered)
    ):
        yield changed(view, HUNGARY_ENTERED, "", turn, "23.1.1")


CONSEQUENCES = (
    _change_positions,
    change_control,
    occupy_towns,
    _lose_railways,
    _take_off_bridges,
    _take_off_tasks,
    _follow_losses,
    ruin_batteries,
    reach_objectives,
    _note_hungary,
    change_cover,
)
"""The functions that yield the changes after a move; each ignores the changes of the others."""
RUMOUR_RULES = (change_control, occupy_towns, change_cover)
"""The functions for a move of dummies alone: they disclose units and keep records as for any stack."""
