"""Who stands where, whose zones of control reach where, and what lies between two hexes (13, 20.1, 23.0)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from assistant.field import Around, Field, Hexside, HexsideTracks, side_of
from assistant.questions import Gather, View
from assistant.state.state import Unit

from ..terms import AIRBASE, FORTRESS, HEADQUARTERS, SUPPLY
from .countries import at_war

TRACKS = HexsideTracks(lies="water", terrain="terrain", links=("rail",))
SEA = "all-sea"


def between(facts: View | Gather, here: str, there: str) -> Hexside:
    """What lies between a hex and the next one."""
    return Hexside(facts, here, there, TRACKS)


def exerts_zone(arm: str, movement: int, immobile: bool = False) -> bool:
    """Whether a unit has a zone of control: fortresses, and all that can move but supply units. immobile: whether units with
    movement 0 have one too (ruling hq-zones). Rule: 13.0
    """
    return arm == FORTRESS or (arm != SUPPLY and (movement > 0 or immobile))


def has_zone(facts: Gather, unit: Unit) -> bool:
    """Whether a unit of the position has a zone of control; neutral ones have none.

    A formation whose movement factor is not stated is taken to have one, which `assume_zones` says where it matters. Rule: 13.0, 23.0/2
    """
    if unit.place is None or not facts.view.board.is_hex(unit.place):
        return False
    if at_war(facts.view, facts.word("nation", unit.id)) is False:
        return False
    arm = facts.word("arm", unit.id)
    if arm in (FORTRESS, SUPPLY):
        return arm == FORTRESS
    if is_taken_to_move(facts.view, unit.id):
        return True
    movement = facts.integer(facts.view.side_up("movement", unit.id), unit.id)
    return exerts_zone(arm, movement, immobile=facts.view.ruling("hq-zones", movement == 0) == "yes")


def is_taken_to_move(view: View, unit: str) -> bool:
    """Whether a unit is taken to have a movement factor of 1 or more, as formations have, for none is stated."""
    if view.word("arm", unit) in (FORTRESS, SUPPLY, HEADQUARTERS, AIRBASE):
        return False
    return view.fact(view.side_up("movement", unit), unit) is None


def assume_zones(view: View, units: Iterable[str]) -> None:
    """Say in the report of which units a zone of control was assumed on which a result rests."""
    for unit in units:
        if is_taken_to_move(view, unit):
            text = "{units} taken to have a zone of control (movement factor not stated)"
            view.granted("movement", unit, 1, "13.0", text)


def zone_in(around: Around, hex: str) -> str:
    """The enemy zones of control in a hex, in words with the units whose they are; "" for none."""
    units = [unit.id for unit in around.field.reaching(around.side, hex)]
    return f"the zone of control of {' and '.join(units)}" if units else ""


def extends(view: View, over: Hexside) -> bool:
    """Whether zones cross a hexside: not an all-sea one, and not into a hex with an enemy fortress. Rule: 13.1, 13.2, 20.1"""
    if SEA in over.lies:
        return False
    defended = {view.side_of(unit.id) for unit in view.stack(over.there) if negates(view, unit.id)}
    return defended <= {view.side_of(unit.id) for unit in view.stack(over.here)}


def negates(view: View, unit: str) -> bool:
    """Whether a unit is a fortress that keeps enemy zones out and prevents concentric attacks; with the option modern-artillery no Russian
    one does. Rule: 20.1, 20.2, Opt/Artillery
    """
    if view.word("arm", unit) != FORTRESS:
        return False
    return "modern-artillery" not in view.words("options") or view.word("nation", unit) != "russian"


def field(facts: Gather) -> Field:
    """Who stands where, and whose zones reach where. Rule: 13.0, 13.1, 13.2, 13.3"""
    return Field(facts, has_zone, partial(between, facts.view), partial(extends, facts.view))


__all__ = ["assume_zones", "between", "exerts_zone", "extends", "field", "has_zone", "negates", "side_of", "zone_in"]
