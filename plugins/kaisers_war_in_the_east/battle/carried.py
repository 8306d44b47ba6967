"""What the result of a combat changes in the position: units, Victory Points, supply units that are expended (14.15, 14.16, 17.10)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated

import msgspec

from assistant.mechanics.effects import Fought
from assistant.questions import Gather, View, changed, note
from assistant.state.changes import AnyChange

from ..combat.engagement import Engagement
from ..combat.results import Fate, Forces, left_of, pursues
from ..forces.armies import corps_placed, presume_corps
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
    into: Annotated[tuple[str, ...], note("the ids of the corps that take its place")] = ()


def lost(facts: Gather, fate: Fate) -> Lost:
    """A fate with its Victory Points: an army that breaks down counts only for the corps that it loses at once.
    Rule: 5.1, 14.16, VP-table/other
    """
    unit, cost = fate.unit, Worth(0, 0)
    if fate.corps_lost or not fate.breaks:
        counted = msgspec.structs.replace(unit, size=CORPS) if fate.breaks else unit
        cost = worth(facts, counted, facts.view.side_of(unit.id))
    into = tuple(corps.id for corps in fate.left)
    return Lost(unit.id, fate.breaks, len(into), fate.corps_lost, cost.loss, cost.gain, into)


def left_at_sea(view: View, forces: Forces, fought: Fought[Fate]) -> tuple[Fate, ...]:
    """The attackers of an amphibious assault that a result leaves in their all-sea hex, as it does not let them pursue: they are eliminated.
    Rule: Opt/Amph/5
    """
    if pursues(forces, fought):
        return ()
    afloat = (one for one in forces.attackers if view.word("terrain", one.place) == SEA)
    return tuple(Fate(one) for one in afloat if one.id in left_of(fought, one))


def changes_of(
    view: View, combat: Engagement, fought: Fought[Fate], losses: Iterable[Lost], expended: Iterable[str]
) -> Iterator[AnyChange]:
    """What the result changes in the position: places, Victory Points, who has attacked and with what result, and supply units that are
    expended. Rule: 14.15, 14.16, 17.10/1-3, 17.10/4, Opt/Entrench/2
    """
    gone = {fate.unit.id for fate in fought.fates}
    presume_corps(view, [corps for fate in fought.fates for corps in fate.corps])
    for fate, loss in zip(fought.fates, losses, strict=True):
        cost, rule = Worth(loss.points, loss.gained), "14.16" if fate.breaks else "14.15"
        yield from eliminated(view, fate.unit, view.side_of(loss.unit), cost, rule)
        yield from corps_placed(view, fate.left, "14.16")
    for one in (*combat.attackers, *combat.support):
        if one.unit.id not in gone:
            yield changed(view, "fought", one.unit.id, True, "14.4")
    yield from (changed(view, "place", name, AVAILABLE, "17.10") for name in expended if name not in gone)
    yield changed(view, "attacked", combat.at, True, "14.4")
    yield changed(view, "combat-result", combat.at, fought.code, "16.2")
