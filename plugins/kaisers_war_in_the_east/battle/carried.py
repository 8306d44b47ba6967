"""What the result of a combat changes in the position: units, Victory Points, supply units that are expended (14.15, 14.16, 17.10)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, NamedTuple

import msgspec

from assistant.questions import Gather, View, changed, note, step
from assistant.state.changes import AnyChange

from ..combat.engagement import Engagement
from ..combat.results import Fate, Forces, Fought, pursues, survivors
from ..forces.armies import corps_placed
from ..ground.zones import SEA
from ..terms import AVAILABLE, CORPS
from ..victory.losses import Worth, eliminated, worth


class Lost(msgspec.Struct, frozen=True):
    """What becomes of a unit by the result."""

    unit: Annotated[str, note("its id")]
    breaks: Annotated[bool, note("whether it breaks down into corps instead of being eliminated")] = False
    corps: Annotated[int, note("corps that take its place")] = 0
    corps_lost: Annotated[int, note("corps of it that are eliminated at once")] = 0
    points: Annotated[int, note("Victory Points that its side loses")] = 0
    gained: Annotated[int, note("Victory Points that the enemy gains")] = 0


class Priced(NamedTuple):
    """What becomes of a unit, on which side it is, and what that costs."""

    fate: Fate
    side: str
    worth: Worth

    @property
    def lost(self) -> Lost:
        """The same as plain values."""
        fate = self.fate
        return Lost(fate.unit.id, fate.breaks, len(fate.left), fate.corps_lost, self.worth.loss, self.worth.gain)


def priced(facts: Gather, fate: Fate) -> Priced:
    """A fate with its Victory Points: an army that breaks down counts only for the corps that it loses at once.
    Rule: 5.1, 14.16, VP-table/other
    """
    unit, side, cost = fate.unit, facts.view.side_of(fate.unit.id), Worth(0, 0)
    if not fate.breaks:
        cost = worth(facts, unit, side)
    elif fate.corps_lost:
        cost = worth(facts, msgspec.structs.replace(unit, size=CORPS), side)
    return Priced(fate, side, cost)


def left_at_sea(view: View, forces: Forces, fought: Fought) -> tuple[Fate, ...]:
    """The attackers of an amphibious assault that a result leaves in their all-sea hex, as it does not let them pursue: they are eliminated.
    Rule: Opt/Amph/5
    """
    if pursues(forces, fought):
        return ()
    left = survivors(forces, fought, "attacker")
    afloat = (one for one in forces.attackers if view.word("terrain", one.place) == SEA)
    return tuple(Fate(one) for one in afloat if one.id in left)


def changes_of(view: View, combat: Engagement, found: Sequence[Priced], expended: Iterable[str]) -> Iterator[AnyChange]:
    """What the result changes in the position: places, Victory Points, who has attacked, and supply units that are expended.
    Rule: 14.15, 14.16, 17.10/1-3, Opt/Entrench/2
    """
    taken = set[str]()
    broken = sorted({nation for one in found for nation in one.fate.left})
    if counted_on := [nation for nation in broken if view.fact("spare-corps", nation) is None]:
        text = "enough {nations:title} corps are taken to be off the map (state spare-corps if not)"
        view.presume(step("14.16", text, nations=counted_on))
    for fate, side, cost in found:
        yield from eliminated(view, fate.unit, side, cost, "14.16" if fate.breaks else "14.15")
        yield from corps_placed(view, fate.unit, fate.left, taken, "14.16")
    gone = {one.fate.unit.id for one in found}
    for one in (*combat.attackers, *combat.support):
        if one.unit.id not in gone:
            yield changed(view, "fought", one.unit.id, True, "14.4")
    yield from (changed(view, "place", name, AVAILABLE, "17.10") for name in expended if name not in gone)
    yield changed(view, "attacked", combat.at, True, "14.4")
