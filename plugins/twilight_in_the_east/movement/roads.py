"""What Road Movement costs more where friends stand in the way, and who has no use of it (8.1.4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from assistant.questions import Step, View, step
from assistant.state.state import Unit, hexside

from ..forces.units import has_turned
from ..supply.rules import RAILS, ROADS
from ..terms import SUPPLY_ARMS

HALF = Fraction(1, 2)
HALVES = ("cavalry", "artillery", *SUPPLY_ARMS)
"""The arms of which every unit counts one half, whatever its size (8.1.4a)."""


def congestion(units: Iterable[tuple[str, str, bool]]) -> Fraction:
    """The Movement Points that a unit pays more where it enters a hex by road, for the friends in it.

    units: arm, size and whether it shows its reduced side, of each (8.1.4a).
    """
    return sum((_crowding(*unit) for unit in units), Fraction(0))


def _crowding(arm: str, size: str, reduced: bool) -> Fraction:
    if arm == "infantry":
        return {"XX": HALF if reduced else Fraction(1), "X": HALF}.get(size, Fraction(0))
    return HALF if arm in HALVES else Fraction(0)


def by_road(view: View, moving: Sequence[Unit], path: Sequence[str]) -> Iterator[Step]:
    """What to bear in mind of roads along a path, as far as it is stated who stands where and where no road or RR line
    lies (8.1.4).
    """
    legs = [(here, there) for here, there in pairwise(path) if may_be_road(view, here, there)]
    if len(moving) > 1 and legs:
        yield step("8.1.4", "units that move together do not use Road Movement: a road spares them no terrain costs")
        return
    for _, there in legs:
        own = view.side_of(moving[0].id)
        friends = [unit for unit in view.stack(there) if unit not in moving and view.side_of(unit.id) == own]
        if points := congestion(
            (view.word("arm", friend.id), view.word("size", friend.id), shows_reduced(view, friend.id))
            for friend in friends
        ):
            text = "by road, {hex} costs {points:#Movement Point} more for the friends in it, which belongs into ground"
            yield step("8.1.4", text, hex=there, points=points)


def may_be_road(view: View, here: str, there: str) -> bool:
    """Whether a road or RR line is stated to lead from hex to hex, or nothing is stated of either."""
    said = [view.fact(track, hexside(here, there)) for track in ("road", "rail")]
    words = {str(fact.value) for fact in said if fact}
    return not words or not words.isdisjoint((*ROADS, *RAILS))


def shows_reduced(view: View, unit: str) -> bool:
    """Whether a unit shows its reduced side, as far as that is known."""
    back = view.fact("back-steps", unit)
    steps, lost = view.integer("steps", unit), view.integer("lost", unit)
    return view.flag("reduced", unit) or has_turned(steps, lost, view.integer("back-steps", unit) if back else 0)
