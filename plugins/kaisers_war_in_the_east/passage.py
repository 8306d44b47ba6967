"""Which hexes land units can enter at all, and what keeps them to the rails (18.0, 18.4, 21.4, 23.3)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import partial

from assistant.asking import Gather, View
from assistant.rules.field import Bar, HexBar
from assistant.rules.field import side_of as side_of
from assistant.rules.field.places import hex_named as hex_named
from assistant.rules.field.places import hexes_with as hexes_with
from assistant.state.state import hexside

from . import terms
from .ground import SEA, between, controller, has_railroad, is_neutral
from .seasons import is_hard, season

IMPASSABLE = "impassable"
PROHIBITED = "prohibited"
LIMITS = {
    "romanian": ("romania", "austria-hungary", "bulgaria", "russia"),
    "bulgarian": ("bulgaria", "romania"),
    "nationalist": ("russia",),
    terms.PARTISAN: ("russia",),
}
"""The countries that units of some nations, and partisans, may enter (23.3, Optional Rules)."""
RULES = {"nationalist": "Opt/Volunteer", terms.PARTISAN: "Opt/Partisan"}
"""The rules that limit them, if it is not 23.3."""


def bound_as(nation: str, arm: str) -> str:
    """Return what limits the countries that a unit may enter: its type for partisans, the nation of all others.
    Rule: Opt/Partisan
    """
    return terms.PARTISAN if arm == terms.PARTISAN else nation


def may_enter(bound: str, country: str) -> bool:
    """Return whether units so bound may enter a country; "" for one that is not stated.
    Rule: 23.3, Opt/Volunteer, Opt/Partisan
    """
    return not country or country in LIMITS.get(bound, (country,))


def bar_for_all(facts: Gather, bound: str, here: str, there: str) -> HexBar | None:
    """Return what keeps any unit that is so bound from going from a hex into the next, None if nothing does: sea,
    terrain that the Terrain Effects Chart prohibits, a neutral country, a country that the nation does not enter. Facts
    that are not stated bar nothing.
    """
    view = facts.view
    features = between(view, here, there).lies
    terrain = view.word("terrain", there)
    country = view.word("country", there)
    if SEA in features or terrain == SEA:
        return HexBar("11.7", "all-sea")
    if IMPASSABLE in features:
        return HexBar("11.7", "an impassable hexside")
    if is_neutral(facts, country):
        return HexBar("23.0", "a neutral country")
    if not may_enter(bound, country):
        return HexBar(RULES.get(bound, "23.3"), f"{bound.title()} units may not enter {country.title()}")
    if terrain and terrain != "clear":
        cell = view.cell("terrain-cost", "winter" if is_hard(season(facts), country) else "summer", terrain)
        if cell and cell.values["cost"] == PROHIBITED:
            return HexBar("11.7", f"{terrain} is prohibited")
    return None


def are_railroads_known(view: View, side: str) -> bool:
    """Return whether all railroads that the lines of a side can take are known."""
    return bool(view.board.known("rail")) or view.flag("whole-network", side)


def is_transit(view: View, side: str) -> bool:
    """Return whether the railroad across a hexside is the Serbian transit line, along which nobody's control
    matters.
    """
    return view.flag("serbian-transit", side)


def bar_off_net(facts: Gather, side: str, here: str, there: str) -> HexBar | None:
    """Return what keeps a rail move from the next hex: no railroad, or a hex that the side did not control when the
    phase began. Captured railroads serve both sides alike. Rule: 18.0, 18.4
    """
    view = facts.view
    over = hexside(here, there)
    if is_transit(view, over):
        return None
    stated = view.fact("rail", over)
    if not has_railroad(view, over) and (stated or are_railroads_known(view, side)):
        return HexBar("18.4", f"no railroad leads from {here} to {there}")
    for place in (here, there):
        if view.flag("taken", place):
            return HexBar("18.4", f"{place} has come under control only this phase")
        country = view.word("country", place)
        transit = any(is_transit(view, hexside(place, near)) for near in view.board.neighbours(place))
        in_serbia = country in ("", "elsewhere") and transit
        is_stated = country or view.stack(place) or view.word("control", place)
        if is_stated and not in_serbia and controller(facts, place) != side:
            return HexBar("18.4", f"its side does not control {place}")
    return None


def bar_off_rails(facts: Gather, side: str, here: str, there: str, *, anyones: bool = False) -> HexBar | None:
    """Return what keeps an armoured train of a side from going from a hex into the next.

    `anyones`: whether the control of the railroad does not matter.

    Rule: 21.4
    """
    view = facts.view
    if not has_railroad(view, hexside(here, there)):
        return HexBar("21.4", f"no railroad leads from {here} to {there}")
    if not anyones and view.word("control", there) not in ("", side):
        return HexBar("21.4", "the enemy controls the railroad there")
    return None


def bars_of(
    facts: Gather, side: str, nations: Collection[str], arms: Collection[str], *, anyones: bool = False
) -> list[Bar]:
    """Return the rules that bar hexes to a group of units, by nation and for trains by rail."""
    bars: list[Bar] = [
        partial(bar_for_all, facts, bound) for bound in sorted({*nations, *({terms.PARTISAN} & {*arms})})
    ]
    return [*bars, partial(bar_off_rails, facts, side, anyones=anyones)] if terms.TRAIN in arms else bars


def note_presumed_open(view: View, hexes: Iterable[str], rule: str) -> None:
    """Say in the report which hexes are taken to be open to land units as they are entered. rule: by which they are."""
    for place in hexes:
        view.granted("terrain", place, "clear", rule, "{hexes} assumed to be open to land units (terrain not stated)")
