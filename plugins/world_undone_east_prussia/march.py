"""Who marches and how far, and what keeps him from the next hex (3.3 to 3.5, 5.0 to 5.3, 7.2, 10.3, 10.6.2)."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from assistant.asking.permission import holding
from assistant.asking.report import Step
from assistant.asking.view import Gather
from assistant.mechanics.procedure import Modifier
from assistant.rules import moves
from assistant.rules.arrival_places import bars_to_entering, edge_bar
from assistant.rules.field import HexBar, SideField, bar_of
from assistant.rules.field.movement import Moving, Prices, unable_now
from assistant.rules.moves import Marched, Order
from assistant.rules.retreat import held

from . import ground, rail, terms
from .forces import army_of, count_regained, turns_since
from .supply import out_of_supply

PHASES = (terms.FIRST_MOVEMENT, terms.SECOND_MOVEMENT)
PRICES = Prices("terrain-cost", of_hex=("terrain", "town"), of_hexside=("barrier",), free=("none", "open"))
"""The Terrain Effects Chart: what it adds to the Movement Point of each hex."""
REFUGEES = 4
"""The last turn of refugees on the roads (10.4)."""


class Mover(NamedTuple):
    """A unit that moves."""

    facts: Gather
    around: SideField
    order: Order
    points: tuple[Modifier, ...]
    """What makes up its allowance."""
    forced: bool
    rivals: frozenset[str]
    """The hexes of the army from which it keeps apart."""


def is_leaderless(facts: Gather, army: str) -> bool:
    """Return whether an army may not move as its headquarters is lost: in that turn, and in two more unless its die
    releases it. Rule: 10.6.2/effects
    """
    in_force = "russian-headquarters" in facts.view.words("options")
    if not in_force or not (lost := facts.view.integer("headquarters-lost", army)):
        return False
    since = facts.integer("turn") - lost
    return since == 0 or (since in (1, 2) and facts.word("released", army) != "yes")


def points_of(facts: Gather, name: str, *, forced: bool, unsupplied: bool) -> tuple[Modifier, ...]:
    """Return what makes up the Movement Points of a unit as it begins to move; in the Second Movement Phase those saved
    too. Rule: 3.4/movement, 5.0/cost, 5.1/use, 10.3, 10.6.2.1/survives
    """
    view = facts.view
    printed = facts.integer("ma", name)
    at = moves.starting_hex(facts.view, [name])
    doubtful = view.unit(name).type == "VI/4" and printed == 1
    saved = view.integer("reserved", at)
    second = saved > 0 and facts.word("phase") == terms.SECOND_MOVEMENT
    barred = second and forced and view.ruling("forced-reserve") == "both"
    parts = (
        ("5.0", "as printed", printed),
        ("9.1.2", "misprinted", int(doubtful and view.ruling("fourth-division") == "inferred")),
        ("3.4", "without a line of supply", -int(unsupplied)),
        ("10.3", "forced march", int(forced)),
        ("10.6.2.1", "Samsonov survives", count_regained(facts, name)),
        ("5.1", "saved", saved if second and not barred else 0),
    )
    return tuple(Modifier(rule, why, amount) for rule, why, amount in parts if amount)


def bars_to_moving(facts: Gather, name: str, *, forced: bool) -> list[Step]:
    """Return what keeps a unit from moving at all; reinforcements enter only in the first phase of their own turn.
    Rule: 3.5, 5.0/mover, 5.3/entry, 9.4/41KB, 10.3, 10.6.2/effects, 10.6.2.1/dies
    """
    view = facts.view
    army = army_of(facts.view, name)
    is_mourning = army == terms.SECOND_ARMY and turns_since(facts, "dies") == 1
    clauses = (
        (view.flag("disrupted", name), "3.5", "{unit} is disrupted"),
        (view.flag("fixed", name), "9.4", "{unit} is fixed until it is released"),
        (is_leaderless(facts, army), "10.6.2", "its army has lost its headquarters and may not move"),
        (is_mourning, "10.6.2.1", "its army does not move in the turn after Samsonov's death"),
        (forced and "forced-march" not in view.words("options"), "10.3", "the option forced-march is not in use"),
    )
    now = unable_now(view, name, view.side_of(name), PHASES, "5.0")
    return [*now, *holding(clauses, unit=name), *bars_to_entering(facts, name, terms.FIRST_MOVEMENT, "5.3")]


def rivals_of(facts: Gather, around: SideField, name: str) -> frozenset[str]:
    """Return the hexes of the other Russian army, from which one keeps apart until that ends, or two turns after
    Samsonov's death; none for German units and dummies. Asks for the armies of other units that are not stated. Rule:
    7.2, 10.6.2.1/dies
    """
    view = facts.view
    if view.side_of(name) != terms.RUSSIAN or view.flag("rivalry-ended") or (turns_since(facts, "dies") or 0) >= 2:
        return frozenset()
    if view.word("arm", name) == terms.DUMMY:
        return frozenset()
    real = {unit.id: unit.place for unit in around.units if view.word("arm", unit.id) != terms.DUMMY}
    armies = {unit: facts.word("army", unit) for unit in (*real, name)}
    return frozenset(str(place) for unit, place in real.items() if armies[unit] != armies[name])


def movers_of(facts: Gather, order: Order, *, forced: bool) -> list[Mover]:
    """Return units that begin a move together. Those off the map have a line of supply.
    Rule: 3.4/movement, 5.0/stacks
    """
    view = facts.view
    names = [*order.ends]
    movers = list[Mover]()
    around = ground.field(facts).around(view.side_of(names[0]))
    lost = out_of_supply(facts, around, names)
    for name in names:
        points = points_of(facts, name, forced=forced, unsupplied=name in lost)
        movers.append(Mover(facts, around, order, points, forced, rivals_of(facts, around, name)))
    return movers


def bar_of_rivalry(mover: Mover, there: str) -> HexBar | None:
    """Return what bars a hex that is too near to the other Russian army: three hexes lie between the two. Rule: 7.2"""
    view = mover.facts.view
    gaps = [view.board.distance(there, rival) for rival in mover.rivals]
    if any(gap < 3 for gap in gaps) or (3 in gaps and view.ruling("rivalry-distance") == "four"):
        return HexBar("7.2", "the First and the Second Army keep three hexes free between them")
    return None


def bar_of_nearness(mover: Mover, there: str) -> HexBar | None:
    """Return what bars a hex that is too near to enemies for a forced march, by rail too. Rule: 10.3"""
    if mover.forced and (there in mover.around.enemy_zones or mover.around.next_to_enemy(there)):
        return HexBar("10.3", "a forced march leads neither next to an enemy nor into an enemy zone of control")
    return None


def bar_march(mover: Mover, here: str, there: str, number: int) -> HexBar | None:
    """Return what bars the next hex of a march: for reinforcements any edge but their own; enemies, fortresses, the
    stop in enemy zones, the way from one into another that no friend holds; the distance between the Russian armies.
    Rule: 3.3/movement, 5.3/entry, 7.2
    """
    around = mover.around
    zones = mover.around.enemy_zones
    if not here and (off := edge_bar(around.view, terms.HOME_EDGE[around.side], there, "5.3")):
        return off
    across = here in zones and there in zones and there not in around.friends
    clauses = (
        (number and here in zones, "3.3", f"the unit must stop in {here}, in an enemy zone of control"),
        (across, "3.3", f"it leads from {here} in an enemy zone of control into another"),
    )
    shut = held(around, "5.0")(here, there) or ground.fortress_bar(around.view, around.side, there)
    return shut or bar_of(clauses) or bar_of_rivalry(mover, there)


def enter(mover: Mover, here: str, there: str, number: int) -> Marched | HexBar:
    """Return the next hex, with what it costs, and what is done there, or what bars it: a Movement Point and what the
    Terrain Effects Chart adds, one more for refugees in a town or city; by rail one in all. Rule: 5.0/cost, 5.2/cost,
    10.3, 10.4
    """
    facts = mover.facts
    order = mover.order
    if order.rides(number):
        ridden = Marched(hex=there, cost=order.spent(number) + order.sets_out(number), how="rail")
        return rail.bar_rail(facts, mover.around, order, here, there) or bar_of_nearness(mover, there) or ridden
    if barred := bar_march(mover, here, there, number) or bar_of_nearness(mover, there):
        return barred
    added = PRICES.of_step(facts, here, there)
    refugees = "refugees" in facts.view.words("options") and facts.integer("turn") <= REFUGEES
    crowded = refugees and facts.word("town", there) in ("town", "city")
    if added is None:
        return HexBar("5.0", "the Terrain Effects Chart prohibits it")
    return Marched(hex=there, cost=1 + added + crowded + order.spent(number))


def moving_of(mover: Mover) -> Moving[Marched]:
    """Return how a unit moves: one hex that nothing bars is always allowed, unless it rides or works in the same move.
    Rule: 5.0/minimum
    """
    order = mover.order
    allowance = max(0, sum(part.amount for part in mover.points))
    marches = order.rail is None and not order.done
    return Moving(mover.facts.view, order.line[0], allowance, partial(enter, mover), lambda entered: marches)
