"""The one step after every advance, retreat and move: what follows at once when units enter hexes and leave others.

Positions (13.4, 13.5.1), control (4.3), railways and bridges (17.1.4, 17.4, 17.5.3, 17.7, 18.1), Landsturm (22.4.1),
tasks (8.9.3), bridgeheads (12.5.1), lost supply units (16.4), Operational Objectives (21.2), Hungary (23.1.1), Victory
Points (27.2), and what is hidden (26.1, 26.2).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator

import msgspec

from assistant.asking import Part, View, step
from assistant.asking.view import changed
from assistant.state.changes import AnyChange, Change, Gain
from assistant.state.state import Unit

from ..concealment.cover import Movement, changes_of_cover, hides_units
from ..forces.departures import DEPARTED, WAYS
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
from .unsettled import MUST_LEAVE, OWED, owed_departures

HIDDEN_CONTROL = "hidden-control"
"""The ruling on hidden supply units that enter hexes of the enemy (4.3)."""
DUMMIES_GONE = {
    "26.1.2c": (
        "{unit} comes off the map in {hex}: an enemy unit is within two hexes, and no friendly unit between them "
        "screens it"
    ),
    "26.2.4": "{unit} comes off the map in {hex}: it is turned over, and it is a dummy",
}
"""Reasons why dummies come off the map, by rule."""


class Following(msgspec.Struct, frozen=True):
    """What follows some moves."""

    changes: tuple[Change | Gain, ...] = ()
    """Changes of the state in which all have moved, and points scored."""
    owed: tuple[Change, ...] = ()
    """The changes by which something is owed; they are among `changes`."""
    awards: tuple[Award, ...] = ()
    """The Victory Points of each unit and town."""

    @property
    def unsettled(self) -> tuple[str, ...]:
        """The units, hexes and hexsides about which something is owed."""
        return tuple(dict.fromkeys(change.subject for change in self.owed))

    def parts(self, view: View) -> tuple[Part, ...]:
        """Return what is scored and what comes to light, in words."""
        return points_part(view, self.awards), self.light

    @property
    def light(self) -> Part:
        """The dummies that come off the map, with the reason, in words; empty if none do."""
        made = (change for change in self.changes if isinstance(change, Change))
        leaving = (change for change in made if change.track == "place" and change.after is None)
        dummies = (change for change in leaving if change.rule in DUMMIES_GONE)
        steps = (step(gone.rule, DUMMIES_GONE[gone.rule], unit=gone.subject, hex=gone.before) for gone in dummies)
        return Part("Brought to light", tuple(steps))


def follows_changes(view: View, changes: Iterable[AnyChange], way: tuple[str, ...] = ()) -> Following:
    """Return what follows the changes of place among some changes.

    `way`: the hexes entered by the units that go to its last one.

    Raises MissingFacts as `find_consequences` does.
    """
    return find_consequences(view, _list_marches(changes, way))


def _list_marches(changes: Iterable[AnyChange], way: tuple[str, ...] = ()) -> list[March]:
    """Return changes of place as moves: units that go to the same place go together.

    `changes`: changes of the state; those of other tracks say which units depart.
    `way`: the hexes entered by the units that go to its last one.
    """
    made = [change for change in changes if isinstance(change, Change)]
    departing = {change.subject for change in made if change.track == DEPARTED and change.after in WAYS}
    places = [(change.subject, change.after) for change in made if change.track == "place"]
    together: dict[str, list[str]] = {}
    for unit, place in places:
        off_map = OFF_MAP if unit in departing else unit
        together.setdefault(str(place) if place else off_map, []).append(unit)
    placed = {unit for unit, place in places if place}
    marches = []
    for end, units in together.items():
        first = units[0]
        if first in departing:
            marches.append(March(tuple(units), way[:-1], departs=True))
        elif first not in placed:
            marches.append(March(tuple(units), ()))
        else:
            marches.append(March(tuple(units), way if way and way[-1] == end else (end,)))
    return marches


def find_consequences(view: View, marches: Iterable[March]) -> Following:
    """Return what follows some moves, one after the other. Units that flee from a move are gone before the next.

    `view`: the state before the first move.
    `marches`: all changes of place, in order.

    Raises MissingFacts if it is not stated what decides whether a marker comes off a unit adjacent to an enemy.
    """
    todo = deque(leg for march in marches for leg in march.legs)
    now = view
    ends = {unit: leg.end for leg in todo for unit in leg.units}
    changes = list[Change]()
    owed = list[Change]()
    awards = list[Award]()
    while todo:
        march = todo.popleft()
        going = {unit for later in todo for unit in later.units}
        arrival = arrive(now, march, stays=going.isdisjoint(march.units))
        fled = [unit for unit in fleeing_units(arrival) if unit.id not in going]
        consequences = OF_RUMOURS if arrival.is_rumour else CONSEQUENCES
        carried_out = [change for consequence in consequences for change in consequence(arrival)]
        now = arrival.after.after(carried_out) if carried_out else arrival.after
        changes += [*(Change("place", unit.id, unit.place, None, "22.4.1") for unit in fled), *carried_out]
        leaving = {change.subject for change in owed if change.track == MUST_LEAVE}
        owed += owed_departures(arrival, {*going, *leaving})
        owed += (change for owes in OWED for change in owes(arrival))
        awards += [*points_for_losses(arrival), *points_for_towns(arrival)]
        todo.extendleft(March((unit.id,)) for unit in reversed(fled))
    moved = view.after(changed(view, "place", unit, end, "4.2") for unit, end in ends.items()) if changes else view
    made = (change for change in net_changes(moved, changes) if isinstance(change, Change))
    lasting = (change for change in made if not _is_shown_by_troops(now, change) and not _is_of_nobody(now, change))
    still_owed = tuple(_keep_owed(view, now, owed))
    return Following((*lasting, *gains(awards), *still_owed), still_owed, tuple(awards))


def _keep_owed(before: View, now: View, owed: Iterable[Change]) -> Iterator[Change]:
    """Yield the changes of the state before all moves by which something is newly owed after them, each once.

    A unit that is off the map by then, or has left the hex in question, owes nothing.
    """
    first = dict[tuple[str, str], Change]()
    for change in owed:
        first.setdefault((change.track, change.subject), change)
    for change in first.values():
        unit = now.state.units.get(change.subject)
        left = change.track == MUST_LEAVE and unit and unit.place != str(change.after).split()[0]
        made = changed(before, change.track, change.subject, change.after, change.rule)
        if not (left or (unit and unit.place is None)) and made.before != made.after:
            yield made


def net_changes(view: View, changes: Iterable[AnyChange]) -> tuple[AnyChange, ...]:
    """Return successive changes as changes of the state before the first: the last value of each fact, unless it is the
    old one.

    A unit that is taken off the map has no other changes.
    """
    last = dict[tuple[str, str], Change]()
    others = list[AnyChange]()
    for change in changes:
        if isinstance(change, Change):
            last[change.track, change.subject] = change
        else:
            others.append(change)
    gone = {name for (track, name), change in last.items() if track == "place" and change.after is None}
    net: list[Change | Gain] = []
    for (track, subject), change in last.items():
        if track == "place" or subject not in gone:
            made = changed(view, track, subject, change.after, change.rule)
            if (made.before or None) != (made.after or None):
                net.append(made)
    return (*net, *others)


def _is_shown_by_troops(view: View, change: Change) -> bool:
    """Return whether a hex has no record of control, and visible troops in it show who controls it (4.3)."""
    if hides_units(view):
        return False
    there = [view.side_of(unit.id) for unit in view.stack(change.subject)] if change.track == "control" else []
    return change.before is None and change.after in there


def _is_of_nobody(view: View, change: Change) -> bool:
    """Return whether a change is of a unit off the map, which keeps nothing but its leaving and its return (16.4)."""
    unit = view.state.units.get(change.subject)
    return unit is not None and unit.place is None and change.track not in ("place", "arrives")


def fleeing_units(arrival: Arrival) -> Iterator[Unit]:
    """Yield the Landsturm Abteilungen that are removed, as Russian infantry comes adjacent to them. Rule: 22.4.1"""
    russians = [unit for unit in arrival.of_arm(["infantry"]) if arrival.before.word("nation", unit) == "russian"]
    if russians:
        for hex in arrival.beside(arrival.entered):
            for unit in arrival.after.stack(hex):
                if unit.id in LANDSTURM:
                    yield unit


def _change_positions(arrival: Arrival) -> Iterator[Change]:
    """Yield the changes of Improved Positions where the last friend leaves, or an enemy of the builders enters (13.4,
    13.5.1).
    """
    first = arrival.march.units[0]
    view = arrival.after
    for hex in arrival.left:
        yield from leave_position(view, hex, first)
    for hex in arrival.entered:
        if all(arrival.is_enemy(unit.id) for unit in arrival.before.stack(hex)):
            yield from enter_position(view, hex, first)


def change_control(arrival: Arrival) -> Iterator[Change]:
    """Yield who controls the hexes that troops have left empty, and those that they have entered if that is recorded.

    A hex left empty stays theirs until an enemy enters; by ruling hidden-control any hidden stack counts as troops. With hidden
    units every hex that is left is recorded, or else the record would reveal which are empty.

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
    """Yield the RR hexes and lines under construction that enemies lose where units enter or pass (17.1.4, 17.5.3,
    17.7).

    Hexes where units have stood since before any move was recorded are among them if they still count as the enemy's.
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
    """Yield the pontoon bridges that come off, as enemies of their nation have moved into a hex adjacent to them
    (18.1).
    """
    view = arrival.after
    if arrival.entered:
        for bridge in pontoons(view):
            enemy = bridge.nation and arrival.side and view.game.side_of(bridge.nation) != arrival.side
            if enemy and hexes_bringing_down(view, bridge, arrival.entered):
                yield from take_off_bridge(view, bridge.hexside)


def _take_off_tasks(arrival: Arrival) -> Iterator[Change]:
    """Yield the task markers that come off next to enemies (8.9.3).

    They are those of units on both sides that have become adjacent, and those that had to come off before one of the
    two leaves.
    """
    near = arrival.beside((*arrival.left, *arrival.entered))
    others = [unit for hex in near for unit in arrival.after.stack(hex) if arrival.is_enemy(unit.id)]
    own = [arrival.after.unit(unit) for unit in arrival.march.units] if others and arrival.march.way else []
    marked = [unit for unit in (*others, *own) if arrival.after.integer("expended", unit.id)]
    with arrival.after.gather() as facts:
        taken = [change for unit in marked for change in take_off_beside_enemies(facts, unit)]
    yield from taken


def _follow_losses(arrival: Arrival) -> Iterator[Change]:
    """Yield what follows for good when units are off the map: the bridge at Jaroslau is blown with its bridgehead, and
    supply units come back later (16.4, 17.4).
    """
    if arrival.march.way:
        return
    yield from demolish_bridge(arrival.before, arrival.march.units)
    if not arrival.march.departs:
        yield from return_supply_units(arrival.before, arrival.march.units)


def change_cover(arrival: Arrival) -> Iterator[Change]:
    """Yield what becomes of caps, dummies and concealed units (26.1.1b, 26.1.2c, 26.2.4)."""
    yield from changes_of_cover(Movement(arrival.before, arrival.after, arrival.side, arrival.left, arrival.entered))


def ruin_batteries(arrival: Arrival) -> Iterator[Change]:
    """Yield the Ruined markers of batteries along the Vistula that are off the map: they have been destroyed. Rule:
    22.4.3
    """
    hexes = (VISTULA_BATTERIES.get(unit) for unit in arrival.march.units if not arrival.march.way)
    for hex in hexes:
        if hex:
            yield changed(arrival.after, RUINED_BATTERY, hex, True, "22.4.3")


def occupy_towns(arrival: Arrival) -> Iterator[Change]:
    """Yield who holds a starred town from now on: the side of the troops that occupy it.

    A holder shown only by the troops in the town is recorded as they leave, or else it would be their country's again.
    With hidden units it is recorded as anything leaves, or else the record would tell the enemy that troops have.

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
    """Yield the Victory Points of starred towns that change hands. Rule: 27.2.4"""
    for hex, star, holder in arrival.towns:
        if holder and (points := score_town(star, holder, arrival.side)):
            yield Award(TOWNS, arrival.side, points, hex)


def points_for_losses(arrival: Arrival) -> list[Award]:
    """Return the Victory Points of units that are taken off the map as eliminated. Rule: 27.2.5, 27.2.6"""
    march = arrival.march
    return [] if march.way or march.departs else score_losses(arrival.before, march.units)


def reach_objectives(arrival: Arrival) -> Iterator[Change]:
    """Yield the Operational Objectives of plans in force that infantry brigades and divisions have entered or leave.

    That is recorded for good, so that one that they only march through may be captured later.

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
    """Return whether a unit is the first Russian one in Hungary, for which Karpatensicherung waits.

    `noted`: the game turn in which one entered it before, or 0.
    `enters`: a function that tells whether the unit enters it, called only if needed.

    Rule: 23.1.1
    """
    return side == "russian" and not noted and enters()


def _note_hungary(arrival: Arrival) -> Iterator[Change]:
    """Yield the changes by which a Russian unit enters Hungary for the first time, in a turn that is stated."""
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
"""Functions that yield the changes after a move, each for itself."""
OF_RUMOURS = (change_control, occupy_towns, change_cover)
"""Those that count after a move of dummies alone: what comes to light, and the records that any stack would leave."""
