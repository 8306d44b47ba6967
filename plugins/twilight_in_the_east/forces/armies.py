"""Armies: their names, whose they are, and their Areas of Attachment (6.1).

Both sides have a First and an Eighth Army, so an army is named by its side and its name: `russian Eighth`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import combinations
from typing import Annotated

import msgspec

from assistant.game.hexes import Hex
from assistant.questions.view import View
from assistant.util.errors import InputError, nearest, quoted
from assistant.util.notes import note

from .units import corps_of

NATIONS = {
    "central-powers Eighth": "german",
    "central-powers Ninth": "german",
    "central-powers AG W": "german",
    "central-powers First": "austro-hungarian",
    "central-powers Second": "austro-hungarian",
    "central-powers Third": "austro-hungarian",
    "central-powers Fourth": "austro-hungarian",
    "central-powers AG P-B": "austro-hungarian",
}
"""Whose the armies of the Central Powers are (21.5.1, 22.2, 22.3, 22.5, 23.1)."""
WARSAW_GARRISON = "russian Warsaw Garrison"
GARRISONS = frozenset({WARSAW_GARRISON, "central-powers Przemysl Garrison"})
"""Commands that have tracks but are no armies, and have no area (23.6, 24.1)."""
DEPTH = 7
"""How many hexes a boundary goes on behind the friendly Front Line, at least (6.1)."""


class Fault(msgspec.Struct, frozen=True):
    """Something that the rules of attachment forbid, or tolerate for now."""

    rule: Annotated[str, note("that says so")]
    about: Annotated[str, note("the unit, or the army or corps")]
    why: Annotated[str, note("in words")]
    tolerated: Annotated[bool, note("whether it may stand until it can be put right")] = False


def named(side: str, army: str) -> str:
    """How an army of a side is named in a position; "" for none."""
    return f"{side} {army}" if side and army else ""


def army_of(view: View, unit: str) -> str:
    """The army that a unit is recorded with, by its side and name; "" where nobody says."""
    army, nation = view.fact("army", unit), view.fact("nation", unit)
    return named(view.game.side_of(str(nation.value)), str(army.value)) if army and nation else ""


def chain(view: View, unit: str) -> tuple[str, str]:
    """A unit's corps and army, "" where it has none or nobody said.

    Rule: 2.1d, 3.3.1
    """
    corps, army = view.fact("corps", unit), view.fact("army", unit)
    return str(corps.value) if corps else corps_of(unit), str(army.value) if army else ""


def known_armies(view: View) -> list[str]:
    """Every army of which the position says something, in order.

    Raises InputError for one that is not named by its side, and for a unit whose army is.
    """
    found = {subject for track, subject in view.state.facts if view.game.track(track).on == "army"}
    for name in found:
        if side_of_army(name) not in view.game.file.sides or not name.partition(" ")[2]:
            sides = " or ".join(f'army "{side} {name}"' for side in view.game.file.sides)
            raise InputError(f"army {name!r} may be of either side", hint=f"write: {sides}")
    of_units = {army: unit.id for unit in view.units() if (army := army_of(view, unit.id))}
    for army, unit in of_units.items():
        side, _, name = army.partition(" ")
        if name.startswith(f"{side} "):
            own = name.removeprefix(f"{side} ")
            raise InputError(f"army of {unit}: its side is known by its nation", hint=f"write: army={quoted(own)}")
    return sorted(found | set(of_units))


def checked(view: View, army: str) -> str:
    """An army that the position speaks of. Raises InputError if there is none of that name."""
    if army not in (known := known_armies(view)):
        raise InputError(f"army: no {army!r} in this position", hint=nearest(army, known) or "write: russian Second")
    return army


def is_shown(view: View, side: str) -> bool:
    """Whether a view may look at a side's displays, which may be kept from the other side (4.2.6)."""
    return view.state.seen_by not in view.game.file.sides or view.state.seen_by == side


def area(view: View, army: str) -> frozenset[str] | None:
    """The hexes of an army's area, None where nobody says. Raises InputError for what is no list of hexes."""
    stated = view.fact("area", army) if army else None
    return frozenset(hexes_of(view, army, "area", str(stated.value))) if stated else None


def hexes_of(view: View, army: str, track: str, text: str) -> Iterator[str]:
    """The hexes that a text names: each by itself, or a stretch down a column by its two ends.

    Raises InputError for anything else.
    """
    for word in text.replace(",", " ").split():
        first, dash, last = word.partition("-")
        try:
            one, other = view.board.place(first), view.board.place(last if dash else first)
            ends = [view.board.grid.parse(name) for name in (one, other)]
            if ends[0].column != ends[1].column or ends[0].row > ends[1].row:
                raise InputError(f"{word} is no stretch down a column")
        except InputError as error:
            hint = f'write: army "{army}" {track}="44.18-44.22 45.19"'
            raise InputError(f"{track} of army {army}: {error.what}", hint=hint) from None
        for row in range(ends[0].row, ends[1].row + 1):
            yield view.board.place(view.board.grid.name(Hex(ends[0].column, row)))


def areas(view: View) -> dict[str, frozenset[str]]:
    """The area of every army whose area is stated."""
    return {army: found for army in known_armies(view) if (found := area(view, army)) is not None}


def shapes(found: Mapping[str, frozenset[str]], neighbours: Callable[[str], Iterable[str]]) -> list[Fault]:
    """What is wrong with the shape of areas: one that is in pieces, and a hex that two of a side hold.

    found: the area of each army, by its side and name.

    Rule: 6.1
    """
    faults = []
    for army, hexes in found.items():
        if army in GARRISONS:
            faults.append(Fault("24.1", army, "it is no army, and has no Area of Attachment"))
        elif (count := len(pieces(hexes, neighbours))) > 1:
            faults.append(Fault("6.1", army, f"its Area of Attachment is in {count} pieces"))
    for one, other in combinations(sorted(found), 2):
        if side_of_army(one) == side_of_army(other) and (shared := sorted(found[one] & found[other])):
            faults.append(Fault("6.1", one, f"its area and that of {other} both hold {', '.join(shared)}"))
    return faults


def side_of_army(army: str) -> str:
    """The side of an army that is named by it."""
    return army.partition(" ")[0]


def pieces(hexes: Collection[str], neighbours: Callable[[str], Iterable[str]]) -> list[frozenset[str]]:
    """The contiguous pieces of a set of hexes, each with all hexes that are joined to it."""
    left, found = set(hexes), []
    while left:
        piece, edge = set[str](), [min(left)]
        while edge:
            at = edge.pop()
            if at in left:
                left.discard(at)
                piece.add(at)
                edge.extend(neighbours(at))
        found.append(frozenset(piece))
    return found


def boundary_faults(
    army: str,
    other: str,
    hexes: Collection[str],
    friendly: Collection[str],
    enemy: Collection[str],
    distance: Callable[[str, str], int],
) -> list[Fault]:
    """What is wrong with the boundary between two armies of a side: where it begins, and how far it goes back.

    hexes: those of both areas that lie along the boundary; friendly, enemy: the Front Lines, of which one that is not known is
    empty; distance: between two hexes. A hex of the boundary has to lie on the enemy's Front Line or next to it, and the last
    one so many hexes behind the own; hexes between the two lines are behind neither.
    """

    def behind(hex: str) -> int:
        """How many hexes behind the own line a hex lies, 0 if it lies before it."""
        far = min(distance(hex, line) for line in friendly)
        here = min((distance(hex, line) for line in enemy), default=far)
        there = min((distance(one, line) for one in friendly if distance(hex, one) == far for line in enemy), default=0)
        return far if here > there else 0

    faults = []
    if enemy and min(distance(hex, line) for hex in hexes for line in enemy) > 1:
        faults.append(Fault("6.1", army, f"its boundary with {other} does not begin on the enemy's Front Line"))
    last = max(map(behind, hexes), default=0) if friendly else DEPTH
    if last < DEPTH:
        why = f"its boundary with {other} ends {last} hexes behind the Front Line, and {DEPTH} are the least"
        faults.append(Fault("6.1", army, why))
    return faults


def boundary(
    one: Collection[str], other: Collection[str], neighbours: Callable[[str], Iterable[str]]
) -> frozenset[str]:
    """The hexes of two areas that lie along the line between them."""
    ours = {hex for hex in one if any(beside in other for beside in neighbours(hex))}
    return frozenset(ours | {hex for hex in other if any(beside in one for beside in neighbours(hex))})


def kept_from_enemy(hex: str, own_area: frozenset[str] | None, *, next_to_enemy: bool) -> bool:
    """Whether its army's area keeps a moving unit out of a hex: next to an enemy it enters hexes of that area only.

    own_area: None where nobody says, and then nothing is kept from it.

    Rule: 6.3.1b
    """
    return next_to_enemy and own_area is not None and hex not in own_area


def is_cavalry_corps(corps: str, *, marked: bool) -> bool:
    """Whether a corps is a Cavalry Corps: its limit is underscored, or its ID ends in C. marked: whether that is stated."""
    return marked or corps.endswith(" C")


def may_draw(corps: str, army: str, source_kind: str, source_corps: str, source_army: str) -> bool:
    """Whether attachment lets a unit draw supply or APs from a supply unit: its own Corps Train, or a depot of its army.

    An independent unit (corps "") has depots only. Of a Corps Train the army need not be known, but may not be another one.
    Independent cavalry drawing on another corps' train is for the players to judge.

    Rule: 6.3.1a, 6.3.2, 6.3.3, 14.3.2
    """
    if source_kind == "corps-train":
        return bool(corps) and corps == source_corps and (army == source_army or not army or not source_army)
    return bool(army) and army == source_army
