"""What a combat costs, and what it changes besides (5.1, 14.15, 14.16, 17.10, Optional Rules)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated

import msgspec

from assistant.asking import Gather, Step, View, changed, note, step
from assistant.mechanics.effects import Fought
from assistant.rules.following import let_follow, list_following
from assistant.state.changes import AnyChange, Change
from assistant.state.vocabulary import UnitId

from .calendar.schedule import is_agreed
from .combat.engagement import Engagement
from .combat.results import RESULTS, Fate, Forces, find_pursuers, remains_of
from .corps import note_presumed_corps, place_corps
from .ground import SEA
from .terms import AVAILABLE, CORPS
from .victory.eliminations import Worth, eliminate, judge_worth


class Lost(msgspec.Struct, frozen=True):
    """What becomes of a unit by the result."""

    unit: UnitId
    breaks: Annotated[bool, note("whether the unit breaks down into corps instead of being eliminated")] = False
    corps: Annotated[int, note("corps that take the unit's place")] = 0
    corps_lost: Annotated[int, note("corps of the unit that are eliminated at once")] = 0
    points: Annotated[int, note("Victory Points that the loss costs the unit's side")] = 0
    gained: Annotated[int, note("Victory Points that the enemy scores for the loss")] = 0
    into: Annotated[tuple[str, ...], note("the ids of the corps that take the unit's place")] = ()


def price_loss(facts: Gather, fate: Fate) -> Lost:
    """Return the loss of a unit with its Victory Points: an army that breaks down counts for the corps lost at once.
    Rule: 5.1, 14.16, VP-table/other
    """
    unit = fate.unit
    cost = Worth(0, 0)
    if fate.corps_lost or not fate.breaks:
        counted = msgspec.structs.replace(unit, size=CORPS) if fate.breaks else unit
        cost = judge_worth(facts, counted, facts.view.side_of(unit.id))
    into = tuple(corps.id for corps in fate.left)
    return Lost(unit.id, fate.breaks, len(into), fate.corps_lost, cost.loss, cost.gain, into)


def lost_at_sea(view: View, forces: Forces, fought: Fought[Fate]) -> tuple[Fate, ...]:
    """Return the attackers of an amphibious assault that a result leaves in their all-sea hex, as it does not let them
    pursue: they are eliminated. Rule: Opt/Amph/5
    """
    if find_pursuers(forces, fought):
        return ()
    afloat = (attacker for attacker in forces.attackers if view.word("terrain", attacker.place) == SEA)
    return tuple(Fate(attacker) for attacker in afloat if attacker.id in remains_of(fought, attacker))


def battle_changes(
    view: View,
    combat: Engagement,
    forces: Forces,
    fought: Fought[Fate],
    losses: Iterable[Lost],
    expended: Iterable[str],
) -> Iterator[AnyChange]:
    """Yield what the result changes in the position: places, Victory Points, who has attacked and with what result, who
    may pursue, supply units that are expended, and the stacks that both sides have examined.
    """
    yield from examine_stacks(view, combat)
    yield from eliminate_units(view, fought, losses)
    yield from mark_attackers(view, combat, fought)
    yield from expend_supply(view, fought, expended)
    yield changed(view, "attacked", combat.at, True, "14.4")
    yield changed(view, "combat-result", combat.at, fought.code, "16.2")
    yield from let_pursue(view, combat, forces, fought)


def eliminate_units(view: View, fought: Fought[Fate], losses: Iterable[Lost]) -> Iterator[AnyChange]:
    """Yield the units that are eliminated or break down, with what that costs. Rule: 14.15, 14.16"""
    note_presumed_corps(view, [corps for fate in fought.fates for corps in fate.corps])
    for fate, loss in zip(fought.fates, losses, strict=True):
        cost = Worth(loss.points, loss.gained)
        rule = "14.16" if fate.breaks else "14.15"
        yield from eliminate(view, fate.unit, view.side_of(loss.unit), cost, rule)
        yield from place_corps(view, fate.left, "14.16")


def mark_attackers(view: View, combat: Engagement, fought: Fought[Fate]) -> Iterator[Change]:
    """Yield that the attackers who are left have attacked, and those who support them. Rule: 14.4"""
    gone = _list_eliminated(fought)
    support = [supporter.unit.id for supporter in combat.support if supporter.unit.id not in gone]
    for name in (*_list_attackers(combat, fought), *support):
        yield changed(view, "fought", name, True, "14.4")


def expend_supply(view: View, fought: Fought[Fate], expended: Iterable[str]) -> Iterator[Change]:
    """Yield that supply units which are expended, and not eliminated, are available again.

    Rule: 17.10/1-3, 17.10/4, Opt/Entrench/2
    """
    gone = _list_eliminated(fought)
    for name in expended:
        if name not in gone:
            yield changed(view, "place", name, AVAILABLE, "17.10")


def let_pursue(view: View, combat: Engagement, forces: Forces, fought: Fought[Fate]) -> Iterator[AnyChange]:
    """Yield who may pursue and into which hexes, and that those of earlier battles may not any more. Rule: 16.0"""
    left = [combat.at]
    if RESULTS[fought.code].pursues == "defender":
        left = sorted({attacker.unit.place for attacker in combat.attackers})
    pursuers = dict.fromkeys(find_pursuers(forces, fought), left)
    others = (*_list_attackers(combat, fought), *list_following(view))
    yield from let_follow(view, pursuers, others, "16.0")


def _list_attackers(combat: Engagement, fought: Fought[Fate]) -> list[str]:
    return [name for attacker in combat.attackers for name in remains_of(fought, attacker.unit)]


def _list_eliminated(fought: Fought[Fate]) -> set[str]:
    return {fate.unit.id for fate in fought.fates}


def examine_stacks(view: View, combat: Engagement) -> Iterator[AnyChange]:
    """Yield the examination of the stacks of both sides, which with fog of war each has seen by the end of a battle.
    Rule: Opt/Fog/2
    """
    places = dict.fromkeys((combat.at, *(attacker.unit.place for attacker in combat.attackers)))
    if is_agreed(view, "fog-of-war"):
        for place in places:
            yield changed(view, "examined", place, tuple(view.game.file.sides), "Opt/Fog/2")


def loss_step(loss: Lost) -> Step:
    """Return what becomes of a unit, and what that costs."""
    text = "{unit} is eliminated"
    if loss.breaks:
        text = "{unit} breaks down into {corps} corps" + (": {into}" if loss.into else ", as none is off the map")
        if loss.corps_lost:
            text += "; one further corps is eliminated at once"
    if loss.points:
        text += ": {points:#Victory Point} lost" + (", {gained} scored by the enemy" if loss.gained else "")
    return step("14.16" if loss.breaks else "14.15", text, loss)
