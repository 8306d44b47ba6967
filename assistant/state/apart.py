"""In what two states of one game lie apart, so that what was worked out of one need not be worked out of the other
again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, NamedTuple

from ..util.notes import note
from .hidden import UNSEEN, stand_in
from .sources import Fact
from .state import FactKey, GameState
from .tracks import Track

_COMPARED = ("units", "facts", "line_facts")
"""The fields of a state in which two may differ."""


class Apart(NamedTuple):
    """Where two states differ."""

    hexes: Annotated[frozenset[str], note("where a fact, one of a hexside, or a unit differs")] = frozenset()
    units: Annotated[frozenset[str], note("those that stand elsewhere, differ, or stand for unseen ones")] = frozenset()
    facts: Annotated[frozenset[FactKey], note("those that differ")] = frozenset()

    @property
    def hexsides(self) -> frozenset[str]:
        """The names of the hexsides of which a fact differs."""
        return frozenset(subject for _, subject in self.facts if "|" in subject)

    @property
    def of_units_only_places(self) -> bool:
        """Whether its units differ in nothing but where they stand, and all of them are seen."""
        return not any(track == UNSEEN or subject in self.units for track, subject in self.facts)


NOTHING = Apart()
"""What two equal states lie apart in."""
Stated = Mapping[FactKey, Fact]


def lie_apart(
    before: GameState,
    after: GameState,
    stated: tuple[Stated, Stated],
    tracks: Mapping[str, Track],
    is_hex: Callable[[str], bool],
) -> Apart | None:
    """In what two states lie apart; None if it is more than units, hexes and hexsides.

    stated: all that each of them states; is_hex: tells the hexes of their board from boxes.
    """
    fields = (name for name in before.__struct_fields__ if name not in _COMPARED)
    if any(getattr(before, name) != getattr(after, name) for name in fields):
        return None
    units = {
        name for name in before.units.keys() | after.units.keys() if before.units.get(name) != after.units.get(name)
    }
    hexes, facts = set[str](), set[FactKey]()
    here, there = stated
    for key in () if here is there else here.keys() | there.keys():
        before_says, after_says = here.get(key), there.get(key)
        if before_says is not after_says and before_says != after_says:  # most are the very same
            facts.add(key)
            track, subject = key
            match tracks[track].on:
                case "unit":
                    units.add(subject)
                case "hex" | "hexside":
                    hexes.update(subject.split("|"))
                    units |= {stand_in(subject)} if track == UNSEEN else set()
                case _:
                    return None
    moved = (side[name] for side in (before.units, after.units) for name in units if name in side)
    hexes.update(unit.place for unit in moved if unit.place)
    return Apart(frozenset(filter(is_hex, hexes)), frozenset(units), frozenset(facts))
