"""Countries: who is at war, whose a hex was in 1914, where neutrals bar the way (7.1, 7.2, 23)."""

from __future__ import annotations

from assistant.questions import Gather, View

from ..terms import CENTRAL_POWERS, NEUTRALS, OWNER, ROMANIA_ENTERS, ROMANIA_ENTERS_AT_LAST


def at_war(view: View, nation: str) -> bool | None:
    """Whether a nation is at war; None where the game turn has to be known to tell.

    Romania enters in August 1916, and Bulgaria in the next player turn of the Central Powers, unless the position says otherwise.
    Rule: 23.0/1, 23.1
    """
    if nation not in NEUTRALS.values() or view.flag("belligerent", nation):
        return True
    if not (turn := view.integer("turn")):
        return None
    enters, phasing = romania_enters(view), view.word("phasing")
    if nation == "bulgarian" and turn == enters:
        return phasing == CENTRAL_POWERS if phasing else None
    return turn >= enters


def romania_enters(view: View) -> int:
    """The game turn in which Romania enters the war: August 1916, or as it is stated; with the option variable-romania October 1916 at
    the latest. Rule: 23.1, Opt/VarRomania
    """
    usual = ROMANIA_ENTERS_AT_LAST if "variable-romania" in view.words("options") else ROMANIA_ENTERS
    return view.integer("romania-enters") or usual


def is_neutral(facts: Gather, country: str) -> bool:
    """Whether a country is neutral, so that nobody enters it, attacks into it or traces through it. Rule: 23.0/1"""
    if country not in NEUTRALS:
        return country == "elsewhere"
    found = at_war(facts.view, NEUTRALS[country])
    if found is None and facts.value("turn"):
        facts.value("phasing")
    return found is False


def own_in_1914(country: str, side: str) -> bool:
    """Whether a country lay on a side's own side of the border of 1914. Rule: 2.2, 5.4"""
    return OWNER.get(country) == side
