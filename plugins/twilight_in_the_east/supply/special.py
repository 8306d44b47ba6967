"""Where supply comes from in single places: Pillau, the Bukowina and its Holding Box, the PRAGA depot (14.1.1, 14.7, 23.4, 24.5)."""

from __future__ import annotations

from collections.abc import Collection

from assistant.field import Range, Source
from assistant.questions import Gather, View, step
from assistant.state.state import Unit

from ..forces.units import corps_of
from ..terms import BUKOWINA_BOX, FISCHER, FIXED

PILLAU, FERRY = "66.18", "66.19|67.18"
"""Pillau, and the hexside across its strait over which the Germans may trace supply (14.1.1)."""
HALF_HEXES = ("31.114", "27.114", "17.114", "11.114", "09.114", "07.114")
"""Where supply from off the southern map edge begins, and units enter the Holding Box (14.7, 23.4.1)."""
BUKOWINA, BUKOWINA_REACH, MOST_UNITS = "Bukowina", 10, 3
"""The kind of that source, the length of its lines in hexes, and how many units draw on it besides those of Fischer (14.7)."""


def strait_is_open(over: str, side: str, holder: str) -> bool:
    """Whether a side traces supply across a hexside as if no sea lay there: the Central Powers at Pillau, while they control that.

    holder: the side that controls Pillau. Rule: 14.1.1b
    """
    return over == FERRY and side == holder == "central-powers"


def bars_across(view: View, side: str, over: str, lies: Collection[str]) -> frozenset[str]:
    """What lies on a hexside and matters to a side's supply lines: not the sea at Pillau, where that is open to it."""
    if over != FERRY:
        return frozenset(lies)
    held = {view.side_of(unit.id) for unit in view.stack(PILLAU)} - {""}
    holder = next(iter(held), view.word("control", PILLAU))
    return frozenset(lies) - ({"sea"} if strait_is_open(over, side, holder) else set())


def is_of_fischer(unit: str, corps: str) -> bool:
    """Whether a unit is one of Streifkorps Fischer, by its ID (23.3)."""
    return FISCHER in (unit, corps) or unit.startswith(f"{FISCHER} ") or corps_of(unit) == FISCHER


def draws_from_bukowina(nation: str, *, fischer: bool, others: int) -> bool:
    """Whether a unit may draw on the Bukowina supply: all of Fischer, and three other Austro-Hungarian units in a Supply Phase.

    others: how many units besides those of Fischer and itself are named to draw on it. Rule: 14.7
    """
    return nation == "austro-hungarian" and (fischer or others < MOST_UNITS)


def bukowina_sources(facts: Gather, unit: Unit) -> list[tuple[Source, str]]:
    """The half-hexes of the Bukowina as sources of a unit, each with the reason why it cannot be used, "" if it can; none for units
    that never draw on them. Rule: 14.7
    """
    view = facts.view
    nation = facts.word("nation", unit.id)
    if nation != "austro-hungarian" or not view.board.is_hex(str(unit.place)):
        return []
    near = [hex for hex in HALF_HEXES if view.board.has(hex)]
    near = [hex for hex in near if view.board.distance(hex, str(unit.place)) <= BUKOWINA_REACH]
    fischer = is_of_fischer(unit.id, view.word("corps", unit.id))
    named = [name for track, name in view.state.facts if track == "bukowina" and view.flag("bukowina", name)]
    others = [name for name in named if name != unit.id and not is_of_fischer(name, view.word("corps", name))]
    may = draws_from_bukowina(nation, fischer=fischer, others=len(others))
    why_not = "" if may else f"{', '.join(sorted(others))} draw on it, and no more than three do (14.7)"
    return [(Source(f"the Bukowina at {hex}", BUKOWINA, hex, (Range(BUKOWINA_REACH, "in"),)), why_not) for hex in near]


def presume_named(view: View, unit: str, source: Source) -> None:
    """Say in the report that a unit is taken to be one of the three that draw on the Bukowina, where it is served from there and is not
    named so."""
    named = view.flag("bukowina", unit) or is_of_fischer(unit, view.word("corps", unit))
    if source.kind == BUKOWINA and not named:
        text = "{unit} is one of the three units that draw on the Bukowina (to name it: bukowina)"
        view.presume(step("14.7", text, unit=unit))


def is_in_the_box(place: str | None, nation: str) -> bool:
    """Whether a unit is in the Bukowina Holding Box, where Austro-Hungarian units are In Supply. Rule: 23.4"""
    return place == BUKOWINA_BOX and nation == "austro-hungarian"


def praga_is_inactive(unit: str, *, campaign: bool, changed: bool) -> bool:
    """Whether the PRAGA depot supplies nobody, as its army was changed in this game turn. Rule: 24.5.3"""
    return campaign and unit in FIXED and changed
