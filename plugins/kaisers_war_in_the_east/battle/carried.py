"""What the result of a combat changes in the position: units, Victory Points, supply units that are expended (14.15, 14.16, 17.10)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, NamedTuple

import msgspec

from assistant.questions import Gather, View, changed, note, step
from assistant.state.changes import AnyChange, Enter

from ..combat.engagement import Engagement
from ..combat.results import Fate, Forces, Fought, pursues, survivors
from ..forces.armies import spare_corps
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
        text = "enough {nations} corps are taken to be off the map (state spare-corps if not)"
        view.presume(step("14.16", text, nations=counted_on))
    for fate, side, cost in found:
        yield from eliminated(view, fate.unit, side, cost, "14.16" if fate.breaks else "14.15")
        yield from corps_placed(view, fate, taken)
    gone = {one.fate.unit.id for one in found}
    for one in (*combat.attackers, *combat.support):
        if one.unit.id not in gone:
            yield changed(view, "fought", one.unit.id, True, "14.4")
    yield from (changed(view, "place", name, AVAILABLE, "17.10") for name in expended if name not in gone)
    yield changed(view, "attacked", combat.at, True, "14.4")


def corps_placed(view: View, fate: Fate, taken: set[str]) -> Iterator[AnyChange]:
    """The corps that take the place of an army: those off the map, then others of the roster. taken: those placed already, to
    which these are added. Rule: 14.16
    """
    army = fate.unit
    for nation in dict.fromkeys(fate.left):
        waiting = [unit.id for unit in spare_corps(view, nation, army.arm)]
        free = [name for name in (*waiting, *corps_in_roster(view, nation, army.arm)) if name not in taken]
        placed = free[: fate.left.count(nation)]
        taken.update(placed)
        for name in placed:
            there = name in view.state.units
            yield (
                changed(view, "place", name, army.place, "14.16")
                if there
                else Enter(name, name, army.place, 0, "14.16")
            )
        if missing := fate.left.count(nation) - len(placed):
            text = "{missing} corps of {id} in {place}: the position does not name corps that take its place"
            view.presume(step("14.16", text, army, missing=missing))


def corps_in_roster(view: View, nation: str, arm: str) -> list[str]:
    """The corps of a nation and type in the roster of the game that the position does not name."""
    wanted = {"nation": nation, "arm": arm, "size": CORPS}
    rows = {name: printed for name, printed in view.game.roster.items() if name not in view.state.units}
    return [
        name
        for name, printed in rows.items()
        if all(printed.get(track) and printed[track][0].value == value for track, value in wanted.items())
    ]
