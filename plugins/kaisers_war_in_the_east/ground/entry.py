"""Which hexes land units can enter at all, whatever it costs (11.4, 11.7, 23.0, 23.3)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import partial

from assistant.field import Bar, Barred
from assistant.questions import Gather, View

from ..terms import TRAIN
from .countries import is_neutral
from .seasons import is_hard, season
from .zones import SEA, between

IMPASSABLE = "impassable"
PROHIBITED = "prohibited"
LIMITS = {
    "romanian": ("romania", "austria-hungary", "bulgaria", "russia"),
    "bulgarian": ("bulgaria", "romania"),
}
"""The countries that units of some nations may enter (23.3)."""


def may_enter(nation: str, country: str) -> bool:
    """Whether units of a nation may enter a country; "" for one that is not stated. Rule: 23.3"""
    return not country or country in LIMITS.get(nation, (country,))


def closed(facts: Gather, nation: str, here: str, there: str) -> Barred | None:
    """What keeps any unit of a nation from going from a hex into the next, None if nothing does: sea, terrain that the Terrain Effects Chart
    prohibits, a neutral country, a country that the nation does not enter. Facts that are not stated bar nothing.
    """
    view = facts.view
    lies, terrain = between(view, here, there).lies, view.word("terrain", there)
    country = view.word("country", there)
    if SEA in lies or terrain == SEA:
        return Barred("11.7", "all-sea")
    if IMPASSABLE in lies:
        return Barred("11.7", "an impassable hexside")
    if is_neutral(facts, country):
        return Barred("23.0", "a neutral country")
    if not may_enter(nation, country):
        return Barred("23.3", f"{nation} units do not enter {country}")
    if terrain and terrain != "clear":
        cell = view.cell("terrain-cost", "winter" if is_hard(season(facts), country) else "summer", terrain)
        if cell and cell.values["cost"] == PROHIBITED:
            return Barred("11.7", f"{terrain} is prohibited")
    return None


def off_the_rails(facts: Gather, side: str, here: str, there: str, *, anyones: bool = False) -> Barred | None:
    """What keeps an armoured train of a side from going from a hex into the next; anyones: whether the control of the railroad does not
    matter. Rule: 21.4
    """
    view = facts.view
    if between(view, here, there).word("rail") != "rail":
        return Barred("21.4", "no railroad leads there")
    if not anyones and view.word("control", there) not in ("", side):
        return Barred("21.4", "the enemy controls the railroad there")
    return None


def bars_of(
    facts: Gather, side: str, nations: Collection[str], arms: Collection[str], *, anyones: bool = False
) -> list[Bar]:
    """The rules that bar hexes to a group of units, by nation and for trains by rail."""
    bars: list[Bar] = [partial(closed, facts, nation) for nation in sorted(nations)]
    return [*bars, partial(off_the_rails, facts, side, anyones=anyones)] if TRAIN in arms else bars


def presume_open(view: View, hexes: Iterable[str], rule: str) -> None:
    """Say in the report which hexes are taken to be open to land units as they are entered. rule: by which they are."""
    for hex in hexes:
        view.granted("terrain", hex, "clear", rule, "{hexes} taken to be open to land units (terrain not stated)")
