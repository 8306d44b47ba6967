"""The ground: countries at war, control of hexes, zones of control, and hexes that land units can enter.

Rules 2.1, 2.9, 7.1 to 7.4, 11.4, 11.7, 13, 18, 20.1, 21.4, 22.0 and 23.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import partial

from assistant.asking import Gather, View
from assistant.rules.field import Bar, Field, HexBar, Hexside, HexsideTracks, SideField, side_of
from assistant.state.state import Unit, hexside

from . import terms
from .seasons import is_hard, known_effort, season

FRONTS = {"1915": "front-1915", "1916": "front-1916"}
"""Track of the side of the front line on which a hex lay, by scenario. In 1914 the border is the line (7.1)."""
TRACKS = HexsideTracks(lies="water", terrain="terrain", links=("rail",))
between = TRACKS.between
SEA = "all-sea"
IMPASSABLE = "impassable"
PROHIBITED = "prohibited"
LIMITS = {
    "romanian": ("romania", "austria-hungary", "bulgaria", "russia"),
    "bulgarian": ("bulgaria", "romania"),
    "nationalist": ("russia",),
    terms.PARTISAN: ("russia",),
}
"""The countries that units of some nations, and partisans, may enter (23.3, Optional Rules)."""
COUNTRY_LIMIT_RULES = {"nationalist": "Opt/Volunteer", terms.PARTISAN: "Opt/Partisan"}
"""The rule that limits a nation or arm to countries, if it is not 23.3."""


def at_war(view: View, nation: str) -> bool | None:
    """Return whether a nation is at war, or None if the game turn or the phasing side must be known.

    Romania enters in August 1916, and Bulgaria in the next player turn of the Central Powers, unless stated otherwise.

    Rule: 23.0/1, 23.1
    """
    if nation not in terms.NEUTRALS.values() or view.flag("belligerent", nation):
        return True
    if not (turn := view.integer("turn")):
        return None
    enters = romania_enters(view)
    phasing = view.word("phasing")
    if nation == "bulgarian" and turn == enters and known_effort(view, turn) != "east":
        return phasing == terms.CENTRAL_POWERS if phasing else None
    return turn >= enters


def romania_enters(view: View) -> int:
    """Return the game turn in which Romania enters the war, as stated or at the latest. Rule: 23.1, Opt/VarRomania"""
    usual = terms.LAST_ROMANIA_ENTRY_TURN if "variable-romania" in view.words("options") else terms.ROMANIA_ENTRY_TURN
    return view.integer("romania-enters") or usual


def is_neutral(facts: Gather, country: str) -> bool:
    """Return whether a country is neutral.

    No unit enters a neutral country, attacks into it or traces through it.

    Rule: 23.0/1
    """
    if country not in terms.NEUTRALS:
        return country == "elsewhere"
    fights = at_war(facts.view, terms.NEUTRALS[country])
    if fights is None and facts.value("turn"):
        facts.value("phasing")
    return fights is False


def own_in_1914(country: str, side: str) -> bool:
    """Return whether a country belonged to a side in 1914. Rule: 2.2, 5.4"""
    return terms.OWNER.get(country) == side


# --- control of hexes -------------------------------------------------------------------------------------------------


def has_railroad(view: View, side: str) -> bool:
    """Return whether a railroad is known to lead across a hexside."""
    return view.word("rail", side) == "rail"


def is_on_rails(view: View, at: str) -> bool:
    """Return whether a railroad is known to lead out of a hex."""
    return any(has_railroad(view, hexside(at, there)) for there in view.board.neighbours(at))


def side_at_start(facts: Gather, at: str) -> str:
    """Return the side that held a hex when the scenario began, or "" if its country is neutral.

    Romania and Bulgaria belong to their side once they are at war, wherever the front line runs.

    Rule: 7.1, 23.0/1916-line
    """
    country = facts.word("country", at)
    if not country or is_neutral(facts, country):
        return ""
    front = FRONTS.get(facts.word("scenario"))
    if front is None or country in terms.NEUTRALS:
        return terms.OWNER.get(country, "")
    return facts.word(front, at)


def controller(facts: Gather, at: str) -> str:
    """Return the side that controls a hex, or "" if neither does.

    A unit in the hex decides, or else its marker, or else the front line at the start.

    Rule: 7.3/1, 7.3/2, 7.3/3, 7.4
    """
    view = facts.view
    if (country := view.word("country", at)) and is_neutral(facts, country):
        return ""
    if units := view.stack(at):
        return side_of(facts, units[0])
    if marker := view.word("control", at):
        return "" if marker == "nobody" else marker
    return side_at_start(facts, at)


# --- zones of control -------------------------------------------------------------------------------------------------


def exerts_zone(arm: str, movement: int, *, immobile: bool = False) -> bool:
    """Return whether a unit has a zone of control: fortresses, and all that can move except supply units.

    `immobile`: whether units with movement 0 have one too (ruling hq-zones).

    Rule: 13.0
    """
    return arm == terms.FORTRESS or (arm != terms.SUPPLY and (movement > 0 or immobile))


def has_zone(facts: Gather, unit: Unit) -> bool:
    """Return whether a unit of the position has a zone of control.

    Neutral units have none. A formation without a stated movement factor is assumed to have a zone, as `assume_zones`
    notes.

    Rule: 13.0, 23.0/2
    """
    if unit.place is None or not facts.view.board.is_hex(unit.place):
        return False
    if at_war(facts.view, facts.word("nation", unit.id)) is False:
        return False
    arm = facts.word("arm", unit.id)
    if arm in (terms.FORTRESS, terms.SUPPLY):
        return arm == terms.FORTRESS
    if _is_taken_to_move(facts.view, unit.id):
        return True
    movement = facts.integer("movement", unit.id)
    return exerts_zone(arm, movement, immobile=facts.view.ruling("hq-zones", movement == 0) == "yes")


def _is_taken_to_move(view: View, unit: str) -> bool:
    if view.word("arm", unit) in (terms.FORTRESS, terms.SUPPLY, terms.HEADQUARTERS, terms.AIRBASE):
        return False
    return view.fact("movement", unit) is None


def assume_zones(view: View, units: Iterable[str]) -> None:
    """Note the units whose zone of control was assumed."""
    for unit in units:
        if _is_taken_to_move(view, unit):
            text = "{units} assumed to have a zone of control (movement factor not stated)"
            view.granted("movement", unit, 1, "13.0", text)


def zone_in(around: SideField, at: str) -> str:
    """Return the enemy zones of control in a hex in words, or "" if there are none."""
    units = [unit.id for unit in around.field.reaching(around.side, at)]
    return f"the zone of control of {' and '.join(units)}" if units else ""


def does_zone_extend(view: View, over: Hexside) -> bool:
    """Return whether zones of control cross a hexside.

    They do not cross an all-sea hexside, nor enter a hex with an enemy fortress.

    Rule: 13.1, 13.2, 20.1
    """
    if SEA in over.lies:
        return False
    defended = {view.side_of(unit.id) for unit in view.stack(over.there) if negates_zones(view, unit.id)}
    return defended <= {view.side_of(unit.id) for unit in view.stack(over.here)}


def negates_zones(view: View, unit: str) -> bool:
    """Return whether a unit is a fortress that keeps enemy zones out and prevents concentric attacks.

    With the option modern-artillery Russian fortresses do neither.

    Rule: 20.1, 20.2, Opt/Artillery
    """
    if view.word("arm", unit) != terms.FORTRESS:
        return False
    return "modern-artillery" not in view.words("options") or view.word("nation", unit) != "russian"


def field(facts: Gather) -> Field:
    """Return the units and zones of control of both sides. Rule: 13.0, 13.1, 13.2, 13.3"""
    return Field(facts, has_zone, partial(between, facts.view), partial(does_zone_extend, facts.view))


# --- hexes that land units can enter ----------------------------------------------------------------------------------


def bound_as(nation: str, arm: str) -> str:
    """Return the key of a unit in `LIMITS`: its nation, or its type if it is a partisan. Rule: Opt/Partisan"""
    return terms.PARTISAN if arm == terms.PARTISAN else nation


def may_enter(bound: str, country: str) -> bool:
    """Return whether units may enter a country.

    `bound`: the key of the unit from `bound_as`.
    `country`: the country, or "" if it is not stated.

    Rule: 23.3, Opt/Volunteer, Opt/Partisan
    """
    return not country or country in LIMITS.get(bound, (country,))


def bar_for_all(facts: Gather, bound: str, here: str, there: str) -> HexBar | None:
    """Return the bar to land units between two hexes: sea, prohibited terrain or a country; or None.

    Facts that are not stated bar nothing.

    `bound`: the key of the unit from `bound_as`.
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
        return HexBar(COUNTRY_LIMIT_RULES.get(bound, "23.3"), f"{bound.title()} units may not enter {country.title()}")
    if terrain and terrain != "clear":
        cell = view.cell("terrain-cost", "winter" if is_hard(season(facts), country) else "summer", terrain)
        if cell and cell.values["cost"] == PROHIBITED:
            return HexBar("11.7", f"{terrain} is prohibited")
    return None


def are_railroads_known(view: View, side: str) -> bool:
    """Return whether all railroads that the lines of a side can take are known."""
    return bool(view.board.known("rail")) or view.flag("whole-network", side)


def is_transit(view: View, side: str) -> bool:
    """Return whether the railroad across a hexside is the Serbian transit line, on which control is irrelevant."""
    return view.flag("serbian-transit", side)


def bar_off_net(facts: Gather, side: str, here: str, there: str) -> HexBar | None:
    """Return the bar to a rail move into the next hex, or None.

    The bar is that there is no railroad, or no control since the phase began.

    Rule: 18.0, 18.4
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
    """Return the bar to an armoured train between two hexes, or None.

    `anyones`: whether the train may use a railroad that the enemy controls.

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
    """Return the functions that bar hexes to a group of units.

    `anyones`: as in `bar_off_rails`.
    """
    bars: list[Bar] = [
        partial(bar_for_all, facts, bound) for bound in sorted({*nations, *({terms.PARTISAN} & {*arms})})
    ]
    return [*bars, partial(bar_off_rails, facts, side, anyones=anyones)] if terms.TRAIN in arms else bars


def note_presumed_open(view: View, hexes: Iterable[str], rule: str) -> None:
    """Note the hexes that are assumed to be open to land units."""
    for place in hexes:
        view.granted("terrain", place, "clear", rule, "{hexes} assumed to be open to land units (terrain not stated)")
