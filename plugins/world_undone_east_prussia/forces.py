"""Units with their armies and strength, and the effects of their loss (3.1, 8.0, 10.6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assistant.asking import Gather, View, changed
from assistant.state.changes import AnyChange, Change, Gain

from . import terms

SAMSONOV_LOSSES = 25
"""Strength Points lost by the Second Army at which a die is rolled for Samsonov."""


def army_of(view: View, unit: str) -> str:
    """Return the army of a Russian unit, the First or the Second, or "" for all other units.

    Rule: 3.1/armies
    """
    army = f"{view.side_of(unit)} {view.word('army', unit)}"
    return army if army in (terms.FIRST_ARMY, terms.SECOND_ARMY) else ""


def strength_lost(view: View, unit: str) -> int:
    """Return the Strength Points that the enemy scores for an eliminated unit.

    Dummies and heavy artillery score 0. By a ruling heavy artillery scores the one point with which it defends alone.

    Rule: 8.0/vp, 3.1/artillery
    """
    arm = view.word("arm", unit)
    place = view.unit(unit).place
    if arm != terms.ARTILLERY:
        return 0 if arm == terms.DUMMY else view.integer("sp", unit)
    idle = (terms.ARTILLERY, terms.DUMMY)
    alone = bool(place) and all(view.word("arm", other.id) in idle for other in view.stack(place or ""))
    return int(view.ruling("artillery-points", alone) == "one" and alone)


def turns_since(facts: Gather, fate: str) -> int | None:
    """Return the game turns since Samsonov's die led to a fate, or None if it has not.

    It is None too if the option is not in use.

    `fate`: "dies" or "survives".

    Rule: 10.6.2.1/dies, 10.6.2.1/survives
    """
    if "samsonov" not in facts.view.words("options") or facts.view.word("samsonov") != fate:
        return None
    return facts.integer("turn") - facts.integer("samsonov-turn")


def count_regained(facts: Gather, unit: str) -> int:
    """Return the points that a unit adds to its Strength Points and to its Movement Allowance.

    It is 1 for the Second Army in the turn in which Samsonov survives his die, and in the next.

    Rule: 10.6.2.1/survives
    """
    return int(army_of(facts.view, unit) == terms.SECOND_ARMY and turns_since(facts, "survives") in (0, 1))


def eliminate_unit(view: View, unit: str, rule: str) -> Iterator[AnyChange]:
    """Yield the changes that eliminate a unit.

    They are its place, its side's losses, and the turn in which a headquarters was lost. Losses of the Second Army
    count for Samsonov's die too. By a ruling, a headquarters that exceeds the stacking limits has no effect on its
    army.

    `rule`: the rule that eliminates the unit.

    Rule: 8.0/vp, 10.6.2/effects, 10.6.2.1/roll
    """
    yield changed(view, "place", unit, None, rule)
    army = army_of(view, unit)
    if points := strength_lost(view, unit):
        yield Gain("lost", view.side_of(unit), points, "8.0")
        if army == terms.SECOND_ARMY:
            yield Gain("army-lost", army, points, "10.6.2.1")
    is_headquarters = view.word("arm", unit) == terms.HEADQUARTERS
    counts = is_headquarters and (rule != "3.2" or view.ruling("headquarters-stacking") == "any")
    if counts and (turn := view.integer("turn")):
        whose = f"{view.side_of(unit)} {view.word('army', unit)}"
        yield changed(view, "headquarters-lost", whose, turn, "10.6.2" if army else "10.6.1")


def is_defeated(view: View) -> bool:
    """Return whether the Germans have lost the game with a headquarters. Rule: 10.6.1/defeat"""
    lost = view.integer("headquarters-lost", terms.EIGHTH_ARMY)
    return bool(lost) and "german-headquarters" in view.words("options")


def is_broken(view: View) -> bool:
    """Return whether the Second Army has lost enough for Samsonov's die to be rolled. Rule: 10.6.2.1/roll"""
    return view.integer("army-lost", terms.SECOND_ARMY) >= SAMSONOV_LOSSES


def follow_losses(view: View, changes: Sequence[AnyChange]) -> Iterator[Change]:
    """Yield the changes by which losses end the game, or make Samsonov's die due.

    Rule: 10.6.1/defeat, 10.6.2.1/roll
    """
    touched = {change.track for change in changes if isinstance(change, Change | Gain)}
    if touched.isdisjoint(("headquarters-lost", "army-lost")):
        return
    now = view.quiet_view()
    then = now.after(changes)
    if is_defeated(then) and not is_defeated(now):
        yield changed(view, "defeated", terms.GERMAN, True, "10.6.1")
    if "samsonov" in then.words("options") and is_broken(then) and not is_broken(now) and not then.word("samsonov"):
        yield changed(view, "samsonov-die", "", True, "10.6.2.1")
