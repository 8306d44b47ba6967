"""The one step after every advance, retreat and move: what follows at once when units enter hexes and leave others.

Positions (13.4, 13.5.1), control (4.3), railways and bridges (17.1.4, 17.4, 17.5.3, 17.7, 18.1), Landsturm (22.4.1),
tasks (8.9.3), bridgeheads (12.5.1), lost supply units (16.4), Operational Objectives (21.2), Hungary (23.1.1), Victory
Points (27.2), and what is hidden (26.1, 26.2).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

import msgspec

from assistant.asking import Part, Step, View, step
from assistant.asking.view import changed
from assistant.state.changes import AnyChange, Change, Gain

from ..concealment.cover import hides_units
from ..forces.departures import DEPARTED, WAYS
from ..scoring.points import Award, gains, points_part
from ..terms import OFF_MAP
from .arrival import March, arrive
from .effects import CONSEQUENCES, OF_RUMOURS, fleeing_units, points_for_losses, points_for_towns
from .unsettled import MUST_LEAVE, OWED, owed_departures


def _list_marches(changes: Iterable[AnyChange], way: tuple[str, ...] = ()) -> list[March]:
    """Return what changes of place are as moves: who goes to the same place goes together.

    changes: of the state, those of other tracks among them, which say who departs; way: the hexes that those enter who
    go to its last one.
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


def net_changes(view: View, changes: Iterable[AnyChange]) -> tuple[AnyChange, ...]:
    """Return the changes made one after the other as changes of the state before the first: the last value of each
    fact, left out where it is what it was. A unit that is taken off the map has no other changes.
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


DUMMIES_GONE = {
    "26.1.2c": (
        "{unit} comes off the map in {hex}: an enemy unit is within two hexes, and no friendly unit between them "
        "screens it"
    ),
    "26.2.4": "{unit} comes off the map in {hex}: it is turned over, and it is a dummy",
}
"""Why dummies come off the map, by rule."""


class Following(msgspec.Struct, frozen=True):
    """What follows some moves."""

    changes: tuple[Change | Gain, ...] = ()
    """To the state in which all have moved, those on whom it falls among them, and what is scored."""
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
        """What comes to light, in words; empty if nothing does."""
        return Part("Brought to light", tuple(self.brought_to_light()))

    def brought_to_light(self) -> Iterator[Step]:
        """Yield the dummies that come off the map, with the reason, in words."""
        for change in self.changes:
            if not isinstance(change, Change) or change.rule not in DUMMIES_GONE:
                continue
            if change.track == "place" and change.after is None:
                yield step(change.rule, DUMMIES_GONE[change.rule], unit=change.subject, hex=change.before)


def find_consequences(view: View, marches: Iterable[March]) -> Following:
    """Return what follows some moves, one after the other. Whoever flees from one of them is gone before the next.

    view: of the state before the first; marches: all changes of place, in order. Raises MissingFacts for what decides
    whether a marker comes off a unit adjacent to an enemy, and is not stated.
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


def follows_changes(view: View, changes: Iterable[AnyChange], way: tuple[str, ...] = ()) -> Following:
    """Return what follows the changes of place among some changes. way: the hexes that those enter who go to its last
    one.

    Raises MissingFacts as `find_consequences` does.
    """
    return find_consequences(view, _list_marches(changes, way))


def _is_shown_by_troops(view: View, change: Change) -> bool:
    """Return whether nobody has recorded who controls a hex, and whoever stands there for all to see shows it (4.3)."""
    if hides_units(view):
        return False
    there = [view.side_of(unit.id) for unit in view.stack(change.subject)] if change.track == "control" else []
    return change.before is None and change.after in there


def _is_of_nobody(view: View, change: Change) -> bool:
    """Return whether a change is of a unit that has left the map, so that it bears nothing any more: all but its
    leaving, and its return (16.4), which one that has departed does not (1.2.2).
    """
    unit = view.state.units.get(change.subject)
    return unit is not None and unit.place is None and change.track not in ("place", "arrives")
