"""Who stands where, as supply sees it: friends, enemies, zones, and supply units as sources."""

from __future__ import annotations

from typing import NamedTuple

from assistant.state import Unit
from assistant.view import Gather

from .armies import chain
from .attached import attaching
from .supply import Source, may_draw
from .units import COMBAT_ARMS, FORTRESSES, is_asset
from .zones import Barriers, exerts_zone, side_of, zones

DEPOTS = ("minor-depot", "major-depot")
SUPPLY_ARMS = ("corps-train", *DEPOTS)


class Situation(NamedTuple):
    """Who stands where, as supply sees it.

    side: whose supply is asked; friends, enemies: their hexes; friendly_zones, enemy_zones: hexes in their zones; unsaid:
    hexsides of which nothing is said and over which zones that matter were taken to reach.
    """

    side: str
    friends: frozenset[str]
    enemies: frozenset[str]
    friendly_zones: frozenset[str]
    enemy_zones: frozenset[str]
    unsaid: frozenset[str]


def situation(facts: Gather, unit: Unit) -> Situation:
    """Both sides' units and zones of control.

    Rule: 4.1, 4.1.1, 4.1.2
    """
    view = facts.view
    side = side_of(facts, unit)
    occupied: dict[bool, set[str]] = {True: set(), False: set()}
    exerting: dict[bool, set[str]] = {True: set(), False: set()}
    for other in view.units():
        theirs = side_of(facts, other)
        if other.place is None or not theirs:
            continue
        occupied[theirs == side].add(other.place)
        if exerts_zone(facts.word("arm", other.id), facts.flag("entrained", other.id)):
            exerting[theirs == side].add(other.place)
    by_us, by_them = Barriers(view), Barriers(view)
    ours = zones(exerting[True], view.board.neighbours, by_us)
    enemy = zones(exerting[False], view.board.neighbours, by_them)
    contested = {over for over in by_us.unsaid if enemy & set(over.split("|"))}  # elsewhere our zone changes nothing
    unsaid = frozenset(by_them.unsaid | contested)
    return Situation(side, frozenset(occupied[True]), frozenset(occupied[False]), ours, enemy, unsaid)


def supply_unit(facts: Gather, name: str, place: str) -> Source:
    """A depot or Corps Train as a source, with both its ranges.

    Rule: 3.6.1
    """
    arm = facts.word("arm", name)
    return Source(name, arm, place, facts.integer("range", name), facts.integer("extended-range", name))


def unusable(facts: Gather, unit: Unit, source: Unit, side: str) -> str:
    """Why a supply unit cannot supply a unit whatever the distance, "" if it can: attachment, Rail Mode, its own supply.

    A train supplies units of its own corps and nation; independent cavalry may draw on a train of its army, of which no
    more than two such units may be served, which the players see to. Depots supply their army, so the unit's army is
    asked for. A lone Asset Unit draws on what the nearest formation may draw on.

    Rule: 14.2.2b, 6.3.3b, 6.4.1b
    """
    arm = facts.word("arm", source.id)
    if arm not in SUPPLY_ARMS:
        return "no supply unit"
    if side_of(facts, source) not in ("", side):
        return "an enemy's"
    unit = attaching(facts, unit)
    corps, army = chain(facts.view, unit.id)
    their_corps, their_army = chain(facts.view, source.id)
    if arm != "corps-train" or (facts.word("arm", unit.id) == "cavalry" and not corps):
        army, their_army = facts.word("army", unit.id), facts.word("army", source.id)
    kin = facts.word("nation", unit.id) == facts.word("nation", source.id)
    lent = facts.word("arm", unit.id) == "cavalry" and not corps and bool(army) and army == their_army
    if arm == "corps-train" and not lent and not (kin and may_draw(corps, army, arm, their_corps, their_army)):
        return "of another corps (14.3.1)"
    if arm != "corps-train" and not may_draw(corps, army, arm, their_corps, their_army):
        return "of another army (14.3.2)"
    if facts.flag("entrained", source.id):
        return "entrained (14.2.2)"
    if facts.word("supply", source.id) == "out":
        return "Out of Supply itself (14.2)"
    return ""


def always_supplied(facts: Gather, unit: Unit) -> str:
    """Why a unit is In Supply without a line, "" if it is not: a fortress unit, or a unit in Rail Mode.

    Rule: 12.1, 8.2.4
    """
    if facts.word("arm", unit.id) in FORTRESSES:
        return "a fortress unit is always In Supply (12.1)"
    return "a unit in Rail Mode is In Supply (8.2.4)" if facts.flag("entrained", unit.id) else ""


def supplied_with(facts: Gather, unit: Unit) -> Unit:
    """The unit whose supply a unit shares: an Asset Unit in a stack shares that of the formation it is attached to.

    Rule: 6.4.1a, 6.2.4b
    """
    asset = is_asset(facts.word("arm", unit.id), facts.word("size", unit.id), facts.flag("asset", unit.id))
    if not asset or unit.place is None:
        return unit
    with_it = [
        other
        for other in facts.view.stack(unit.place)
        if facts.word("arm", other.id) in COMBAT_ARMS
        and facts.word("size", other.id) in ("XX", "X")
        and not facts.flag("asset", other.id)
        and facts.word("nation", other.id) == facts.word("nation", unit.id)
    ]
    wanted = facts.word("with", unit.id)
    return next((other for other in with_it if other.id == wanted), with_it[0] if with_it else unit)
