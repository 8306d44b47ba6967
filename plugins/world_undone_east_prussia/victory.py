"""Who has won, and what the end of a game turn brings: the questions `victory` and `close` (7.1, 7.2, 8.0, 9.4,
10.6.1).
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import product
from typing import Annotated

import msgspec

from assistant.asking import Gather, Part, Report, View, changed, declare, holding, note, verdict
from assistant.rules.field.places import ask_for_place, hex_named
from assistant.rules.victory import Decided, ScoreRules, victory_question
from assistant.state.changes import AnyChange, Gain

from .forces import is_defeated
from .ground import controller, field
from .supply import out_of_supply
from .terms import DUMMY, GERMAN, INFANTRY, KONIGSBERG, MASURIAN, OWN_COUNTRY, RUSSIAN, SECOND_ARMY

OWED = 3
"""Attacks that the Germans owe in the first turn."""
PENALTY = 50
"""Victory Points that Russia gains if they do not make them."""
NEAR = 10
"""Hexes from Königsberg within which Russian strength counts."""
ENOUGH = 20
"""Strength Points there that end the rivalry of the armies."""


def levels() -> dict[str, int]:
    """Return the victories, each with how many times the Victory Points of the other side it takes. Rule: 8.0/level"""
    return {"Significant Victory": 3, "Minor Victory": 2}


def russians_inside(facts: Gather) -> list[str]:
    """Return the Russian units in East Prussia: all of Germany as far as the map goes, or the province alone; dummies
    are none. Rule: 9.4/victory
    """
    on_map = {unit.id: unit.place for unit in facts.view.units() if unit.place}
    russian = [unit for unit in on_map if facts.view.side_of(unit) == RUSSIAN and facts.word("arm", unit) != DUMMY]
    inside = [unit for unit in russian if facts.word("country", on_map[unit]) == OWN_COUNTRY[GERMAN]]
    if facts.view.ruling("east-prussia", bool(inside)) == "germany":
        return inside
    return [unit for unit in inside if facts.word("province", on_map[unit]) == "east-prussia"]


def find_decision(facts: Gather) -> Decided | None:
    """Return what decides instead of Victory Points: a German headquarters lost, by an option, or by the Masurian Lakes
    who is left. Rule: 9.4/victory, 10.6.1/defeat
    """
    if is_defeated(facts.view):
        return Decided(RUSSIAN, "victory at once", "10.6.1", "a German headquarters is eliminated")
    if facts.word("scenario") != MASURIAN:
        return None
    inside = russians_inside(facts)
    why = f"Russian units in East Prussia: {', '.join(inside) or 'none'}"
    return Decided(RUSSIAN if inside else GERMAN, "victory", "9.4", why)


# --- the end of a game turn -------------------------------------------------------------------------------------------


class Close(msgspec.Struct, frozen=True):
    """What the end of a game turn brings."""

    near: Annotated[int, note("Strength Points of infantry of the Second Army near Königsberg")]
    strength: Annotated[int, note("how many of them are in supply, 0 where all are too few")]
    ends: Annotated[bool, note("whether the First and the Second Army may come near each other from now on")]
    award: Annotated[int, note("Victory Points that Russia gains, as the Germans have made too few attacks")]


def count_owed(turn: int, variants: Collection[str]) -> int:
    """Return how many attacks at 2:1 or better on the First Army the Germans owe: three in the first turn, none by the
    Schlieffen Plan. Rule: 7.1/attacks, 9.2.1/first-turn
    """
    return OWED if turn == 1 and "schlieffen" not in variants else 0


def _may_be_of_second_army(view: View, unit: str) -> bool:
    """Return whether a unit is infantry of the Second Army as far as is known."""
    known = (
        (view.side_of(unit), (RUSSIAN,)),
        (view.word("army", unit), (SECOND_ARMY.split()[-1],)),
        (view.word("arm", unit), INFANTRY),
    )
    return all(word in ("", *possible) for word, possible in known)


def strength_near(facts: Gather) -> tuple[int, int]:
    """Return the Strength Points of infantry of the Second Army within 10 hexes of Königsberg, and of those in supply;
    0 where all of it is too weak, which asks neither for that hex nor for what lines of supply need. Rule: 7.2
    """
    view = facts.view
    places = {unit.id: unit.place for unit in view.units() if unit.place and _may_be_of_second_army(view, unit.id)}
    strengths = {unit: facts.integer("sp", unit) for unit in places}
    city = hex_named(view, KONIGSBERG)
    if sum(strengths.values()) >= ENOUGH:
        for unit, track in product(strengths, ("nation", "army", "arm")):
            facts.word(track, unit)
        if city is None:
            facts.ask(ask_for_place(KONIGSBERG, "7.2"))
    near = [unit for unit in strengths if city and view.board.distance(places[unit], city) <= NEAR]
    total = sum(strengths[unit] for unit in near)
    if total < ENOUGH:
        return total, 0
    return total, sum(strengths[unit] for unit in {*near} - out_of_supply(facts, field(facts).around(RUSSIAN), near))


def close(view: View) -> Report[Close]:
    """Return the report on the end of a game turn."""
    with view.gather() as facts:
        turn = facts.integer("turn")
        attacks = facts.integer("first-attacks")
        apart = not view.flag("rivalry-ended")
        near, strength = strength_near(facts) if apart else (0, 0)
    due = count_owed(turn, view.words("variants"))
    award = 0
    gain = "enough"
    if attacks < due and view.integer("awarded", RUSSIAN):
        gain = "Russia has its Victory Points already"
    elif attacks < due:
        award = PENALTY
        gain = "Russia gains {award}"
    found = Close(near, strength, strength >= ENOUGH, award)
    clauses = (
        (due, "7.1", "{attacks} of {owed} attacks at 2:1 or better on the First Army: " + gain),
        (apart, "7.2", "infantry of the Second Army near Königsberg: {near} of {enough} Strength Points"),
        (near >= ENOUGH, "7.2", "in supply: {strength} of them"),
        (found.ends, "7.2", "the First and the Second Army may come near each other from now on"),
    )
    changes: list[AnyChange] = [Gain("awarded", RUSSIAN, award, "7.1")] if award else []
    if found.ends:
        changes.append(changed(view, "rivalry-ended", "", True, "7.2"))
    return Report(
        title=f"End of turn {turn}",
        verdict=verdict("figure", "{changes:#change}", changes=len(changes)),
        parts=(Part("What it brings", tuple(holding(clauses, found, attacks=attacks, owed=due, enough=ENOUGH))),),
        changes=tuple(changes),
        result=found,
    )


QUESTIONS = (
    victory_question(
        ScoreRules(lambda view: levels(), controller, find_decision, "town", rule="8.0", level_rule="8.0")
    ),
    declare("close", "what the end of a turn brings: the first turn's duty, the end of the armies' rivalry", close),
)
