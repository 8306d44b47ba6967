"""The ground: countries at war, the season, who controls a hex, whose zones of control reach where, and which hexes
land units can enter at all (2.1, 2.9, 7.1 to 7.4, 11.4, 11.7, 13, 18.4, 20.1, 22.0, 23).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from assistant.asking import Gather, View
from assistant.rules.field import Field, Hexside, HexsideTracks, SideField
from assistant.rules.field import side_of as side_of
from assistant.rules.field.places import hex_named as hex_named
from assistant.rules.field.places import hexes_with as hexes_with
from assistant.state.state import Unit, hexside

from . import terms
from .seasons import known_effort


def at_war(view: View, nation: str) -> bool | None:
    """Return whether a nation is at war; None where the game turn must be known to tell.

    Romania enters in August 1916, and Bulgaria in the next player turn of the Central Powers, unless the position says
    otherwise: where these move first, from the first player turn of that game turn.
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
    """Return the game turn in which Romania enters the war: August 1916, or as it is stated; with the option
    variable-romania October 1916 at the latest. Rule: 23.1, Opt/VarRomania
    """
    usual = terms.ROMANIA_ENTERS_AT_LAST if "variable-romania" in view.words("options") else terms.ROMANIA_ENTERS
    return view.integer("romania-enters") or usual


def is_neutral(facts: Gather, country: str) -> bool:
    """Return whether a country is neutral, so that nobody enters it, attacks into it or traces through it.
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


# --- hexes by who controls them --------------------------------------------------------------------


FRONTS = {"1915": "front-1915", "1916": "front-1916"}
"""The track that says on whose side of the front line of a scenario a hex lay; that of 1914 is the border (7.1)."""


def is_on_rails(view: View, at: str) -> bool:
    """Return whether a railroad is known to lead out of a hex."""
    return any(has_railroad(view, hexside(at, there)) for there in view.board.neighbours(at))


def side_at_start(facts: Gather, at: str) -> str:
    """Return the side that held a hex by the front line when the scenario began.

    It is "" in a neutral country. Romania and Bulgaria belong to their side once they are at war, wherever the front
    line of 1916 runs.
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
    """Return the side that controls a hex: that of a unit in it, else that of its marker, else that on whose side of
    the front line it lay.

    "" if nobody does. Supply and zones of control do not matter. Rule: 7.3/1, 7.3/2, 7.3/3, 7.4
    """
    view = facts.view
    if (country := view.word("country", at)) and is_neutral(facts, country):
        return ""
    if units := view.stack(at):
        return side_of(facts, units[0])
    if marker := view.word("control", at):
        return "" if marker == "nobody" else marker
    return side_at_start(facts, at)


# --- who stands where, and whose zones of control reach where ---------------------------------------------------------


TRACKS = HexsideTracks(lies="water", terrain="terrain", links=("rail",))
between = TRACKS.between
SEA = "all-sea"


def exerts_zone(arm: str, movement: int, *, immobile: bool = False) -> bool:
    """Return whether a unit has a zone of control: fortresses, and all that can move but supply units. immobile:
    whether units with movement 0 have one too (ruling hq-zones). Rule: 13.0
    """
    return arm == terms.FORTRESS or (arm != terms.SUPPLY and (movement > 0 or immobile))


def has_zone(facts: Gather, unit: Unit) -> bool:
    """Return whether a unit of the position has a zone of control; neutral ones have none.

    A formation whose movement factor is not stated is taken to have one, which `assume_zones` says where it matters.
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
    """Return whether a unit is taken to have a movement factor of 1 or more, as formations have, for none is stated."""
    if view.word("arm", unit) in (terms.FORTRESS, terms.SUPPLY, terms.HEADQUARTERS, terms.AIRBASE):
        return False
    return view.fact("movement", unit) is None


def assume_zones(view: View, units: Iterable[str]) -> None:
    """Say in the report of which units a zone of control was assumed on which a result rests."""
    for unit in units:
        if _is_taken_to_move(view, unit):
            text = "{units} assumed to have a zone of control (movement factor not stated)"
            view.granted("movement", unit, 1, "13.0", text)


def zone_in(around: SideField, at: str) -> str:
    """Return the enemy zones of control in a hex, in words with the units whose they are; "" for none."""
    units = [unit.id for unit in around.field.reaching(around.side, at)]
    return f"the zone of control of {' and '.join(units)}" if units else ""


def does_zone_extend(view: View, over: Hexside) -> bool:
    """Return whether zones cross a hexside: not an all-sea one, and not into a hex with an enemy fortress.
    Rule: 13.1, 13.2, 20.1
    """
    if SEA in over.lies:
        return False
    defended = {view.side_of(unit.id) for unit in view.stack(over.there) if negates(view, unit.id)}
    return defended <= {view.side_of(unit.id) for unit in view.stack(over.here)}


def negates(view: View, unit: str) -> bool:
    """Return whether a unit is a fortress that keeps enemy zones out and prevents concentric attacks; with the option
    modern-artillery no Russian one does.
    Rule: 20.1, 20.2, Opt/Artillery
    """
    if view.word("arm", unit) != terms.FORTRESS:
        return False
    return "modern-artillery" not in view.words("options") or view.word("nation", unit) != "russian"


def field(facts: Gather) -> Field:
    """Return who stands where, and whose zones reach where. Rule: 13.0, 13.1, 13.2, 13.3"""
    return Field(facts, has_zone, partial(between, facts.view), partial(does_zone_extend, facts.view))


# --- which hexes land units can enter at all --------------------------------------------------------------------------


def has_railroad(view: View, side: str) -> bool:
    """Return whether a railroad is known to lead across a hexside."""
    return view.word("rail", side) == "rail"
