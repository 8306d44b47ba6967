"""Moves as plain values: who goes together, and the hexes that they enter in order; changes of place read as such."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from assistant.questions.view import View, changed
from assistant.state.changes import AnyChange, Change


class March(msgspec.Struct, frozen=True):
    """Units that go together. way: the hexes that they enter, in order, with the place where they stand then last; empty if they are taken
    off the map."""

    units: tuple[str, ...]
    way: tuple[str, ...] = ()

    @property
    def end(self) -> str | None:
        """Where they stand then, None off the map."""
        return self.way[-1] if self.way else None

    @property
    def legs(self) -> tuple[March, ...]:
        """The same hex by hex."""
        return tuple(March(self.units, (hex,)) for hex in self.way) or (self,)


def marches_of(changes: Iterable[AnyChange], way: tuple[str, ...] = ()) -> list[March]:
    """What changes of place are as moves: who goes to the same place goes together.

    changes: of the state, those of other tracks among them; way: the hexes that those enter who go to its last one.
    """
    places = [
        (change.subject, change.after) for change in changes if isinstance(change, Change) and change.track == "place"
    ]
    together: dict[str, list[str]] = {}
    for unit, place in places:
        together.setdefault(str(place) if place else unit, []).append(unit)
    ends = {unit: str(place) for unit, place in places if place}
    return [
        March(tuple(units), () if units[0] not in ends else way if way and way[-1] == end else (end,))
        for end, units in together.items()
    ]


def net(view: View, changes: Iterable[AnyChange]) -> tuple[AnyChange, ...]:
    """Changes made one after the other as changes of the state before the first: the last value of each fact, left out where it is what it was. Of a unit that is
    taken off the map nothing else is told.
    """
    last = dict[tuple[str, str], Change]()
    others = list[AnyChange]()
    for change in changes:
        if isinstance(change, Change):
            last[change.track, change.subject] = change
        else:
            others.append(change)
    gone = {name for (track, name), change in last.items() if track == "place" and change.after is None}
    made = (
        changed(view, track, subject, change.after, change.rule)
        for (track, subject), change in last.items()
        if track == "place" or subject not in gone
    )
    return (*(change for change in made if (change.before or None) != (change.after or None)), *others)
