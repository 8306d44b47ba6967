"""The question `victory`: the winner of the game (8.0, 9.4, 10.6.1)."""

from __future__ import annotations

from assistant.asking import Gather
from assistant.rules.victory import Decided, ScoreRules, victory_question

from .forces import is_defeated
from .ground import controller
from .terms import DUMMY, GERMAN, MASURIAN, OWN_COUNTRY, RUSSIAN


def levels() -> dict[str, int]:
    """Return the multiple of the enemy's Victory Points that each level of victory requires. Rule: 8.0/level"""
    return {"Significant Victory": 3, "Minor Victory": 2}


def russians_inside(facts: Gather) -> list[str]:
    """Return the Russian units in East Prussia, except dummies.

    By a ruling East Prussia is all of Germany on the map, or the province alone.

    Rule: 9.4/victory
    """
    on_map = {unit.id: unit.place for unit in facts.view.units() if unit.place}
    russian = [unit for unit in on_map if facts.view.side_of(unit) == RUSSIAN and facts.word("arm", unit) != DUMMY]
    inside = [unit for unit in russian if facts.word("country", on_map[unit]) == OWN_COUNTRY[GERMAN]]
    if facts.view.ruling("east-prussia", bool(inside)) == "germany":
        return inside
    return [unit for unit in inside if facts.word("province", on_map[unit]) == "east-prussia"]


def find_decision(facts: Gather) -> Decided | None:
    """Return the event that decides instead of Victory Points, or None if they decide.

    A lost German headquarters decides by an option, and Russian units in East Prussia in the scenario of the lakes.

    Rule: 9.4/victory, 10.6.1/defeat
    """
    if is_defeated(facts.view):
        return Decided(RUSSIAN, "victory at once", "10.6.1", "a German headquarters is eliminated")
    if facts.word("scenario") != MASURIAN:
        return None
    inside = russians_inside(facts)
    why = f"Russian units in East Prussia: {', '.join(inside) or 'none'}"
    return Decided(RUSSIAN if inside else GERMAN, "victory", "9.4", why)


QUESTION = victory_question(
    ScoreRules(lambda view: levels(), controller, find_decision, "town", rule="8.0", level_rule="8.0")
)
