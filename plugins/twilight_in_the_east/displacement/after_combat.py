"""Displacement as a combat carries it out: artillery, Corps Trains and depots that it leaves alone next to the enemy (9.5, 9.8, 9.9)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Annotated

import msgspec
from msgspec.structs import replace

from assistant.mechanics.procedure import Apart, Choice, Node, Situation
from assistant.questions import MissingFacts, note

from ..combat.pieces import Layout, Piece, Toll
from ..combat.reckoning import Combat
from ..forces.units import CombatUnit, Role
from ..terms import COMBAT_ARMS, KG_TRAIN, PRAGA, SUPPLY_ARMS
from .rules import DISPLACE, MARKERS, DisplaceResult, Surroundings, accompanied, artillery, depot, must_go, train

TWICE = 2
"""How often a unit may have to go in one combat: before the advance, and on account of it."""


class Displaced(msgspec.Struct, frozen=True):
    """A unit that had to leave its hex."""

    unit: Annotated[str, note("its id")]
    place: Annotated[str, note("the hex that it leaves")]
    hex: Annotated[str, note("where it goes, empty if it is eliminated")]
    why: Annotated[str, note("what makes it go")]
    rule: Annotated[str, note("the rule")]
    way: Annotated[tuple[str, ...], note("the hexes along the way, with that one last")] = ()


class Displacing(msgspec.Struct, frozen=True):
    """Units may have to make room for the enemy.

    displaced: those that have, in order; unsettled: those of which a fact is missing, or that the question `displace` alone knows;
    advanced: who has advanced, None before that.
    """

    toll: Toll
    displaced: tuple[Displaced, ...] = ()
    unsettled: tuple[str, ...] = ()
    advanced: tuple[str, ...] | None = None


class Settled(msgspec.Struct, frozen=True):
    """All have gone that had to."""

    done: Displacing


def displace(combat: Combat, now: Displacing) -> Node:
    """Where the next unit goes that has to leave its hex: its owner's choice. Rule: 9.5.1, 9.8.1, 9.9"""
    assert combat.pieces is not None
    layout = combat.pieces.layout(now.toll.moved, now.toll.steps)
    piece = next((one for one in threatened(combat, now, layout) if one.id not in now.unsettled), None)
    if piece is None:
        return Apart({"": Settled(now)})
    result = refuges_of(layout, piece, now)
    if result is None or not (result.refuges or result.eliminated):
        return Apart({"": replace(now, unsettled=(*now.unsettled, piece.id))})
    rule = MARKERS[piece.arm][1] if piece.arm in MARKERS else "9.9"

    def gone(hex: str) -> Situation:
        way = next((refuge.way for refuge in result.refuges if refuge.hex == hex), ())
        one = Displaced(piece.id, result.place, hex, result.why, rule, way)
        lost = {unit.id: unit.left for unit in every_unit(combat) if unit.id == piece.id and not hex}
        toll = now.toll.and_moved({piece.id: hex}).and_steps(lost)
        return replace(now, toll=toll, displaced=(*now.displaced, one))

    if result.eliminated:
        return Apart({"": gone("")})
    again = ".again" if times(now, piece.id) else ""
    options = {refuge.hex: gone(refuge.hex) for refuge in result.refuges}
    return Choice(
        f"to.{piece.id}{again}", rule, f"where {piece.id} goes", owner(combat, piece), options, units=(piece.id,)
    )


def every_unit(combat: Combat) -> Iterator[CombatUnit]:
    """The units of both sides in the combat and beside it."""
    yield from (*combat.engagement.units, *combat.engagement.idle, *combat.engagement.withheld)


def owner(combat: Combat, piece: Piece) -> Role:
    """The side of the combat to which a unit belongs."""
    assert combat.pieces is not None
    return "defender" if combat.pieces.pieces[combat.engagement.defenders[0].id].side == piece.side else "attacker"


def times(now: Displacing, unit: str) -> int:
    """How often a unit has gone in this combat."""
    return sum(one.unit == unit for one in now.displaced)


def threatened(combat: Combat, now: Displacing, layout: Layout) -> Iterator[Piece]:
    """The units that have to leave their hexes on account of the combat: those that need not have gone before it, or that combat units
    were with.
    """
    assert combat.pieces is not None
    before = combat.pieces.layout(())
    for piece in combat.pieces.pieces.values():
        if piece.arm not in DISPLACE or not layout.where[piece.id] or not must_go(layout, piece):
            continue
        if piece.id == KG_TRAIN and layout.pieces.view.ruling("lone-kg-train") == "stays":
            continue
        stood = layout.where[piece.id] == piece.place and must_go(before, piece) and not accompanied(before, piece)
        if not stood and times(now, piece.id) < TWICE:
            yield piece


def refuges_of(layout: Layout, piece: Piece, now: Displacing) -> DisplaceResult | None:
    """Where a unit goes, None where a fact is missing or the question `displace` alone knows."""
    view = layout.pieces.view
    if piece.id == PRAGA or view.flag("entrained", piece.id):
        return None
    around = surroundings(layout, piece)
    marked = view.flag("displaced", piece.id) or times(now, piece.id) > 0
    rules: dict[str, Callable[[], DisplaceResult]] = {
        "artillery": lambda: artillery(around, marked, ()),
        "corps-train": lambda: train(around),
    }
    try:
        return rules.get(piece.arm, lambda: depot(around, ()))()
    except MissingFacts:
        return None


def surroundings(layout: Layout, piece: Piece) -> Surroundings:
    """Where all others stand around a unit."""
    stacks: dict[str, tuple[str, ...]] = {}
    for name, place in layout.where.items():
        if place and name != piece.id:
            stacks[place] = (*stacks.get(place, ()), name)
    every = layout.pieces.pieces
    combat = {layout.where[one.id] for one in every.values() if one.side == piece.side and one.arm in COMBAT_ARMS}
    return Surroundings(
        view=layout.pieces.view,
        unit=piece.id,
        place=layout.where[piece.id],
        side=piece.side,
        nation=layout.pieces.view.word("nation", piece.id),
        enemies=layout.enemies(piece.side),
        enemy_zones=layout.enemy_zones(piece.side),
        friends=layout.friends(piece.side, {piece.id}),
        combat=frozenset(combat - {""}),
        stacks=stacks,
    )


def in_the_way(combat: Combat, unsettled: Collection[str], moved: Mapping[str, str]) -> tuple[str, ...]:
    """The units that still stand in the defender's hex, so that nobody can advance into it yet: supply units that no zone of control
    drives out, as over a river, and those of which it is not settled where they go (9.5, 9.8)."""
    every = combat.pieces.pieces.values() if combat.pieces else ()
    return tuple(
        one.id
        for one in every
        if (one.id in unsettled or (one.arm in SUPPLY_ARMS and owner(combat, one) == "defender"))
        and moved.get(one.id, one.place) == combat.engagement.at
    )


def displaced_names(combat: Combat) -> Iterator[str]:
    """The names that the choices of where units go may have."""
    every = combat.pieces.pieces.values() if combat.pieces else ()
    for piece in every:
        if piece.arm in DISPLACE:
            yield from (f"to.{piece.id}", f"to.{piece.id}.again")
