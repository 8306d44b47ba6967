"""Units whose moves a leader affects (25.1, 25.6).

- Khan Nakhichevanski: the cavalry of his corps.
- Francois: the German 1st Corps, or the Asset Units of the Eighth Army once he commands that army.
"""

from __future__ import annotations

from assistant.asking import Gather, View
from assistant.asking.asks import ask_for_fact
from assistant.rules.field import SideField, side_of
from assistant.state.state import Unit

from ..leaders import francois, khan
from ..leaders.command import leader_named
from ..leaders.facts import commands_now, is_agreed
from ..terms import COMBAT_ARMS
from .account import begun_at
from .armies import area, army_name, company_of, corps_and_army, is_asset_unit
from .unit import corps_under

EIGHTH_ARMY = army_name("central-powers", "Eighth")
BEGAN_IN_EIGHTH_TRACK = "began-in-eighth"
"""Track: whether an Asset Unit began the game turn in the area of the Eighth Army."""


def _find_corps(facts: Gather, unit: Unit) -> str:
    """Return a unit's corps, or "" if it is independent.

    An Asset Unit has the corps of the formation in its hex, or else of the nearest one.
    """
    if company := company_of(facts, unit):
        return corps_and_army(facts.view, company)[0]
    return corps_under(facts, unit, asset=is_asset_unit(facts, unit.id))


def is_under_khan(facts: Gather, unit: Unit) -> bool:
    """Return whether a unit is cavalry of the corps that Khan Nakhichevanski commands in the present game turn."""
    view = facts.view
    leader = leader_named("khan")
    nation = view.word("nation", unit.id)
    if nation != leader.nation or view.word("arm", unit.id) != "cavalry":
        return False
    corps = _find_corps(facts, unit)
    return corps == leader.corps and khan.commands_corps(nation, corps, facts.integer("turn"))


def khan_result(view: View, unit: str) -> str:
    """Return the result of a unit's die for Khan Nakhichevanski in this phase, or "" if it has not been rolled."""
    return view.word(khan.TRACK, unit)


def owes_khan(facts: Gather, unit: Unit) -> bool:
    """Return whether a unit must still roll for Khan Nakhichevanski before it moves in this phase."""
    if khan_result(facts.view, unit.id) or not is_under_khan(facts, unit):
        return False
    return khan.rolls(facts.word("arm", unit.id), facts.word("size", unit.id))


def is_with_francois(facts: Gather, unit: Unit) -> bool:
    """Return whether a unit is a combat unit of the German 1st Corps while Francois leads it."""
    view = facts.view
    leader = leader_named("francois")
    if not is_agreed(view, leader) or view.word("nation", unit.id) != leader.nation:
        return False
    if facts.word("arm", unit.id) not in COMBAT_ARMS or _find_corps(facts, unit) != leader.corps:
        return False
    return commands_now(facts, leader)


def is_held(facts: Gather, unit: Unit) -> bool:
    """Return whether the die of the German 1st Corps obliges a unit to stay close to the enemy in this phase."""
    return facts.view.word(francois.TRACK) == "held" and is_with_francois(facts, unit)


def ends_too_far(around: SideField, unit: Unit, hex: str) -> tuple[int, int] | None:
    """Return a unit's distances to the nearest enemy if its move would end too far away, or else None (25.6.1).

    The first distance is from the hex where the move began, the second from the hex where it would end.

    `unit`: a unit for which `is_held` holds.
    `hex`: the hex where the move would end.
    """
    if not around.enemies:
        return None
    distance = around.view.board.distance
    begun = begun_at(around.view, unit)
    before = min(distance(begun, enemy) for enemy in around.enemies)
    after = min(distance(hex, enemy) for enemy in around.enemies)
    return (before, after) if francois.corps_ends_too_far(before, after) else None


def keeps_assets(facts: Gather) -> bool:
    """Return whether Francois commands the Eighth Army, so that its Asset Units stay in its area."""
    return commands_now(facts, leader_named("francois-eighth"))


def may_be_kept(facts: Gather, unit: Unit) -> bool:
    """Return whether a unit is an Asset Unit that may have begun the game turn in the area of the Eighth Army."""
    if not keeps_assets(facts) or side_of(facts, unit) != EIGHTH_ARMY.partition(" ")[0]:
        return False
    began = facts.view.fact(BEGAN_IN_EIGHTH_TRACK, unit.id)
    return is_asset_unit(facts, unit.id) and (began is None or bool(began.value))


def _area_of_eighth(facts: Gather) -> frozenset[str]:
    hexes = area(facts.view, EIGHTH_ARMY)
    if hexes is None:
        facts.ask(ask_for_fact(facts.view.game.track("area"), EIGHTH_ARMY))
    return hexes or frozenset()


def leaves_eighth(facts: Gather, unit: Unit, hex: str) -> bool:
    """Return whether an Asset Unit that may be kept would leave the area of the Eighth Army by entering a hex.

    Asks whether the unit began the game turn in that area, unless it began its move elsewhere.

    Rule: 25.6.2a
    """
    hexes = _area_of_eighth(facts)
    if not francois.leaves_area((hex,), hexes, began=True):
        return False
    if facts.view.fact(BEGAN_IN_EIGHTH_TRACK, unit.id) is None and begun_at(facts.view, unit) not in hexes:
        return False
    return facts.flag(BEGAN_IN_EIGHTH_TRACK, unit.id)


def format_reason_kept(unit: str) -> str:
    """Return the reason why an Asset Unit stays in the area of the Eighth Army."""
    return f"{unit} began the game turn in the area of the Eighth Army, which keeps its Asset Units"
