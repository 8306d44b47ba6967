"""Units as the rules count them, and what their loss changes (3.1, 8.0)."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.asking import Gather, View, changed
from assistant.state.changes import AnyChange, Gain

from . import terms


def army_of(view: View, unit: str) -> str:
    """Return the army of a Russian unit, the First or the Second, or "" for all other units.

    Rule: 3.1/armies
    """
    army = f"{view.side_of(unit)} {view.word('army', unit)}"
    return army if army in (terms.FIRST_ARMY, terms.SECOND_ARMY) else ""


def strength_lost(view: View, unit: str) -> int:
    """Return the Strength Points that count for the enemy as a unit is eliminated: none of dummies, and of heavy
    artillery none either, or by a ruling the one with which it defends alone. Rule: 8.0/vp, 3.1/artillery
    """
    arm = view.word("arm", unit)
    place = view.unit(unit).place
    if arm != terms.ARTILLERY:
        return 0 if arm == terms.DUMMY else view.integer("sp", unit)
    idle = (terms.ARTILLERY, terms.DUMMY)
    alone = bool(place) and all(view.word("arm", other.id) in idle for other in view.stack(place or ""))
    return int(view.ruling("artillery-points", alone) == "one" and alone)


def turns_since(facts: Gather, fate: str) -> int | None:
    """Return the game turns since Samsonov's die led to a fate, "dies" or "survives"; None if it has not, or the option
    is not in use.
    Rule: 10.6.2.1/dies, 10.6.2.1/survives
    """
    if "samsonov" not in facts.view.words("options") or facts.view.word("samsonov") != fate:
        return None
    return facts.integer("turn") - facts.integer("samsonov-turn")


def count_regained(facts: Gather, unit: str) -> int:
    """Return what each unit of the Second Army adds to its Strength Points and its Movement Allowance: 1 in the turn in
    which Samsonov survives his die and in the next. Rule: 10.6.2.1/survives
    """
    return int(army_of(facts.view, unit) == terms.SECOND_ARMY and turns_since(facts, "survives") in (0, 1))


def eliminate(view: View, unit: str, rule: str) -> Iterator[AnyChange]:
    """Yield the changes that eliminate a unit: its place, what its side loses, and the turn in which a headquarters was.

    Strength Points of the Second Army count for Samsonov's die too. By a ruling, a headquarters that is too much in a
    hex has no effect on its army.

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
