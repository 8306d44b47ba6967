"""Units that make room for the enemy in the course of a combat (9.5, 9.8, 9.9)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec.structs import replace

from assistant.asking import MissingFacts, Step, note, step
from assistant.mechanics.procedure import Apart, Choice, Node, Situation

from ..combat.before_dice import Combat
from ..combat.pieces import Layout, Piece, Pieces, Toll
from ..entering.obligations import Exposed
from ..forces.markers import is_guarded
from ..forces.units import Role
from ..railways.losses import lost_in_this_phase
from ..terms import COMBAT_ARMS, DEPOTS, DISPLACING, FIXED, KG_TRAIN, PRAGA, STAY_OR_FALL, SUPPLY_ARMS

if TYPE_CHECKING:
    from .rules import DisplaceResult

MAX_DISPLACEMENTS = 2
"""Maximum number of times that a unit leaves its hex in one combat: before the advance, and because of it."""
DEPARTS_TEXT = "{unit} retreats off the map for good, removed from the game and not eliminated: {why}"
"""The template for a unit that leaves the map."""
ELIMINATED_TEXT = "{unit} is eliminated: {why}[mobile:, and it has nowhere to go]"
"""The template for a unit that must leave but has no refuge, or never moves."""


def is_mobile(unit: str) -> bool:
    """Return whether a unit can move at all."""
    return unit not in STAY_OR_FALL and unit not in FIXED


def must_leave_hex(layout: Layout, piece: Piece) -> bool:
    """Return whether a unit must leave its hex.

    A depot must leave if an enemy is adjacent. Artillery or a Corps Train must leave if it is in an EZOC without a
    combat unit.

    Rule: 2.2c, 9.5, 9.8, 9.9
    """
    place = layout.where[piece.id]
    if piece.arm in DEPOTS:
        return not layout.enemies(piece.side).isdisjoint(layout.pieces.terrain.neighbours(place))
    if place not in layout.enemy_zones(piece.side):
        return False
    return Exposed(layout.pieces.view, piece.id, piece.arm, place, True, _list_company(layout, piece)).must_leave


def _list_company(layout: Layout, piece: Piece) -> tuple[str, ...]:
    return tuple(other.id for other in layout.at(layout.where[piece.id]) if other.arm in COMBAT_ARMS)


def units_passed_by(pieces: Pieces, stack: Collection[str], way: Sequence[str]) -> Iterator[tuple[str, list[Piece]]]:
    """Yield each hex of a stack's way that displaces enemy units, with these units.

    A unit is counted once, at the first hex that displaces it.
    """
    seen: set[str] = set()
    side = next((pieces.by_id[name].side for name in stack if name in pieces.by_id), "")
    others = [piece for piece in pieces.by_id.values() if piece.arm in DISPLACING and piece.side not in ("", side)]
    others = [other for other in others if other.id != KG_TRAIN]  # never displaced (22.5.1)
    stood = {other.id for other in others if must_leave_hex(pieces.layout(()), other)}
    for hex in way:
        layout = pieces.layout(tuple((name, hex) for name in stack))
        going = [other for other in others if other.id not in (*stood, *seen) and must_leave_hex(layout, other)]
        seen.update(piece.id for piece in going)
        if going:
            yield hex, going


def passing_step(hex: str, going: Sequence[Piece]) -> Step:
    """Return a line on the units that must leave as soon as a stack enters a hex; players move them (9.5.1, 9.9)."""
    units = [f"{piece.id} in {piece.place}" for piece in going]
    text = (
        "as soon as the stack enters {hex}, and before it goes on, these must leave their hexes: {units}; "
        "the players see to that"
    )
    rules = {DISPLACING[piece.arm][1] for piece in going}
    rule = rules.pop() if len(rules) == 1 else "9.5.1"
    return step(rule, text, hex=hex, units=units)


class Displaced(msgspec.Struct, frozen=True):
    """A unit that has left its hex because it had to."""

    unit: Annotated[str, note("the id")]
    place: Annotated[str, note("the hex that the unit leaves")]
    hex: Annotated[str, note("the unit's new hex: off-map if it leaves the map for good, empty if it is eliminated")]
    why: Annotated[str, note("the reason to leave")]
    rule: Annotated[str, note("the rule")]
    way: Annotated[tuple[str, ...], note("hexes of its route, the one where it ends last")] = ()


class Displacing(msgspec.Struct, frozen=True):
    """Units that may have to leave their hexes, before the advance and after it."""

    toll: Toll
    displaced: tuple[Displaced, ...] = ()
    """The units that have left their hex, in order."""
    unsettled: tuple[str, ...] = ()
    """Ids of units whose refuge is unknown: a fact is missing, or only `displace` can tell."""
    advanced: tuple[str, ...] | None = None
    """Ids of the units that advanced, or None before the advance."""
    settled: bool = False
    """Whether every unit that must leave has left."""


def displace_next_unit(combat: Combat, now: Displacing) -> Node:
    """Return the choice of a hex for the next unit that must leave its own. Rule: 9.5.1, 9.8.1, 9.9"""
    layout = combat.standing.after(now.toll)
    going = (piece for piece in _find_units_to_go(combat, now, layout) if piece.id not in now.unsettled)
    piece = next(going, None)
    if piece is None:
        return Apart({"": replace(now, settled=True)})
    result = refuges_of(layout, piece, now)
    if result is None or not (result.refuges or result.eliminated):
        return Apart({"": replace(now, unsettled=(*now.unsettled, piece.id))})
    _, rule, _ = DISPLACING[piece.arm]

    def gone(hex: str) -> Situation:
        way = next((refuge.way for refuge in result.refuges if refuge.hex == hex), ())
        displaced = Displaced(piece.id, result.place, hex, result.why, rule, way)
        lost = {unit.id: unit.left for unit in combat.engagement.everybody if unit.id == piece.id and not hex}
        toll = now.toll.and_moved({piece.id: hex}).and_steps(lost)
        return replace(now, toll=toll, displaced=(*now.displaced, displaced))

    if result.eliminated:
        return Apart({"": gone("")})
    again = ".again" if _count_displacements(now, piece.id) else ""
    options = {refuge.hex: gone(refuge.hex) for refuge in result.refuges}
    return Choice(
        f"to.{piece.id}{again}",
        rule,
        f"where {piece.id} goes",
        role_of_piece(combat, piece),
        options,
        units=(piece.id,),
    )


def role_of_piece(combat: Combat, piece: Piece) -> Role:
    """Return the side of the combat to which a unit belongs."""
    return "defender" if combat.standing.by_id[combat.engagement.defenders[0].id].side == piece.side else "attacker"


def _count_displacements(now: Displacing, unit: str) -> int:
    return sum(displaced.unit == unit for displaced in now.displaced)


def _find_units_to_go(combat: Combat, now: Displacing, layout: Layout) -> Iterator[Piece]:
    """Yield the units that the combat forces to leave their hexes.

    Units that had to leave before the combat, with no combat unit beside them, are left out.
    """
    before = combat.standing.layout(())
    for piece in combat.standing.by_id.values():
        if piece.arm not in DISPLACING or not layout.where[piece.id] or not must_leave_hex(layout, piece):
            continue
        stood = layout.where[piece.id] == piece.place and must_leave_hex(before, piece)
        stood = stood and not is_guarded(layout.pieces.view, _list_company(before, piece))
        if not stood and _count_displacements(now, piece.id) < MAX_DISPLACEMENTS:
            yield piece


def refuges_of(layout: Layout, piece: Piece, now: Displacing) -> DisplaceResult | None:
    """Return the refuges of a unit, or None if a fact is missing or only `displace` can find them."""
    from .rules import Surroundings, displace_by_arm

    view = layout.pieces.view
    place = layout.where[piece.id]
    enemies = layout.enemies(piece.side)
    if piece.id == PRAGA or view.flag("entrained", piece.id):
        return None
    entered = enemies - layout.pieces.layout(()).enemies(piece.side)  # in this combat, and so in this phase
    around = Surroundings(
        view=view,
        unit=piece.id,
        place=place,
        side=piece.side,
        nation=view.word("nation", piece.id),
        enemies=enemies,
        enemy_zones=layout.enemy_zones(piece.side),
        friends=layout.friends(piece.side, {piece.id}),
        others=[(name, hex) for name, hex in layout.where.items() if hex and name != piece.id],
        arms={other.id: other.arm for other in layout.pieces.by_id.values() if other.side == piece.side},
        arm=piece.arm,
        marked=view.flag("displaced", piece.id) or _count_displacements(now, piece.id) > 0,
        lately=lost_in_this_phase(view, piece.side) | entered,
    )
    try:
        return displace_by_arm(around)
    except MissingFacts:
        return None


def find_units_in_way(combat: Combat, unsettled: Collection[str], moved: Mapping[str, str]) -> tuple[str, ...]:
    """Return the units in the defender's hex that keep attackers from advancing into it.

    They are supply units that no zone of control drives out, and units whose refuge is not settled (9.5, 9.8).
    """
    if not combat.pieces:
        return ()
    at = combat.engagement.at
    there = [piece for piece in combat.pieces.by_id.values() if moved.get(piece.id, piece.place) == at]
    supply = {piece.id for piece in there if piece.arm in SUPPLY_ARMS and role_of_piece(combat, piece) == "defender"}
    return tuple(piece.id for piece in there if piece.id in unsettled or piece.id in supply)


def displaced_names(combat: Combat) -> Iterator[str]:
    """Yield the possible names of the choices of refuges."""
    every = combat.pieces.by_id.values() if combat.pieces else ()
    for piece in every:
        if piece.arm in DISPLACING:
            yield from (f"to.{piece.id}", f"to.{piece.id}.again")
