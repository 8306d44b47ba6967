"""Caps, dummies and concealed units in a position, and their disclosure as units move and fight.

Rules 26.1.1b, 26.1.2c and 26.2.4.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import cast

import msgspec

from assistant.asking import View
from assistant.asking.view import changed
from assistant.state.changes import Change
from assistant.state.state import UNSEEN

from ..forces.account import PASSED_TRACK, SPENT_TRACK, read_account
from ..terms import CAPPED, CONCEALED, HIDDEN_UNITS
from .rules import MAX_SIGHT_HEXES, Lying, Option, enemies_who_see, revealed_in_combat, topmost_concealed

LAPSES_RULING = "cover-lapses"
"""The ruling on the disclosure of caps and dummies other than by an enemy unit that comes near."""


def option_of(view: View) -> Option:
    """Return the optional rule of hidden units in force."""
    return cast("Option", view.word(HIDDEN_UNITS))


def hides_units(view: View) -> bool:
    """Return whether the optional rule in force hides units and allows dummies."""
    return option_of(view) in ("caps", "concealment")


def capped_hexes(view: View) -> list[str]:
    """Return the hexes with a Stack Cap."""
    return [hex for hex in view.stated_about.get(CAPPED, ()) if view.flag(CAPPED, hex)]


def is_concealed(view: View, unit: str) -> bool:
    """Return whether a unit lies with its crest up, and the optional rule in force allows that. Rule: 26.2.1"""
    return view.flag(CONCEALED, unit) and hides_units(view)


def _list_lying(view: View, hex: str) -> list[Lying]:
    return [Lying(unit.id, is_concealed(view, unit.id), unit.id in view.decoys) for unit in view.state.stack(hex)]


def side_in(view: View, hex: str) -> str:
    """Return the side of the units in a hex, including dummies and unseen units, or "" if unknown or empty."""
    units = (*view.state.stack(hex), *view.stack(hex))
    seen = next(filter(None, (view.side_of(unit.id) for unit in units)), "")
    return seen or str(view.state.value(UNSEEN, hex) or "")


def _find_hexes(view: View, side: str, *, enemies: bool) -> list[str]:
    units = (unit for unit in view.units() if view.board.is_hex(unit.place))
    return [*dict.fromkeys(str(unit.place) for unit in units if (view.side_of(unit.id) not in ("", side)) == enemies)]


def nearest_enemy(view: View, side: str, hex: str) -> int | None:
    """Return the hexes to the nearest enemy unit of a side, or None if none is on the map."""
    return min((view.board.distance(hex, enemy) for enemy in _find_hexes(view, side, enemies=True)), default=None)


def seen_by_enemies(view: View, hex: str, side: str, *, dummy: bool, among: Collection[str] | None = None) -> list[str]:
    """Return the hexes of enemy units that reveal a dummy or a cap of a side in a hex.

    `dummy`: whether a dummy of Stack Caps is hidden, rather than a cap.
    `among`: the hexes whose units count, or None for all.
    """
    enemies = [enemy for enemy in _find_hexes(view, side, enemies=True) if among is None or enemy in among]
    friends = _find_hexes(view, side, enemies=False)
    return [*enemies_who_see(view.board, hex, enemies, friends, by_all=dummy)]


class Movement(msgspec.Struct, frozen=True):
    """Units that have moved."""

    before: View
    """The state before the move."""
    after: View
    """The state after the move."""
    side: str
    """The side of the moving units."""
    left: tuple[str, ...]
    """The hexes that the units have left, in order."""
    entered: tuple[str, ...]
    """The hexes that the units have entered, in order."""


def changes_of_cover(movement: Movement) -> Iterator[Change]:
    """Yield the changes of caps, dummies and concealed units after a move.

    Caps move with their stacks, and enemy units reveal what is near them.
    """
    option = option_of(movement.after)
    if option == "caps":
        caps = [*_list_caps_after(movement)]
        yield from _list_differences(movement, caps)
        now = movement.after.after(_list_differences(movement, caps))
        yield from uncover(Movement(movement.before, now, movement.side, movement.left, movement.entered))
    elif option == "concealment" and movement.entered:
        yield from revealed_by_contact(movement)


def _list_caps_after(movement: Movement) -> Iterator[str]:
    followed = [hex for hex in movement.entered if side_in(movement.after, hex) == movement.side]
    taken = list[str]()
    for hex in capped_hexes(movement.after):
        if movement.after.state.stack(hex) or hex in movement.after.unseen:
            yield hex
        elif hex in movement.left:
            taken += [at for at in followed[-1:] if not movement.after.flag(CAPPED, at)]
    yield from dict.fromkeys(taken)


def _list_differences(movement: Movement, caps: Collection[str]) -> list[Change]:
    known = capped_hexes(movement.after)
    off = [changed(movement.after, CAPPED, hex, None, "26.1.1") for hex in known if hex not in caps]
    return [*off, *(changed(movement.after, CAPPED, hex, True, "26.1.1") for hex in caps if hex not in known)]


def uncover(movement: Movement) -> Iterator[Change]:
    """Yield the caps that come off and the dummies that leave the map after a step (26.1.1b, 26.1.2c).

    An enemy unit must have come near them. By ruling cover-lapses it also suffices that they have come near one, or
    that no unit screens them any more.
    """
    view = movement.after
    near = [hex for hex in dict.fromkeys((*movement.left, *movement.entered)) if view.board.is_hex(hex)]

    def is_near(hex: str | None) -> bool:
        distances = (view.board.distance(hex, at) for at in near) if view.board.is_hex(hex) else ()
        return min(distances, default=MAX_SIGHT_HEXES + 1) <= MAX_SIGHT_HEXES

    dummies = [unit for unit in map(view.unit, sorted(view.decoys)) if is_near(unit.place)]
    gone = {unit.id for unit in dummies if _is_brought_to_light(movement, str(unit.place), dummy=True)}
    for name in sorted(gone):
        yield changed(view, "place", name, None, "26.1.2c")
    for name in view.stated_about.get(CONCEALED, ()):
        at = view.unit(name).place
        seen = is_concealed(view, name) and name not in gone and is_near(at)
        if seen and _is_brought_to_light(movement, str(at), dummy=False):
            yield changed(view, CONCEALED, name, None, "26.1.1b")
    for hex in filter(is_near, capped_hexes(view)):
        left = [unit.id for unit in (*view.state.stack(hex), *view.stack(hex)) if unit.id not in gone]
        if not left or _is_brought_to_light(movement, hex, dummy=False):
            yield changed(view, CAPPED, hex, None, "26.1.1b")


def _is_brought_to_light(movement: Movement, hex: str, *, dummy: bool) -> bool:
    """Return whether enemy units reveal the dummy or cap in a hex once units have moved (26.1.1b, 26.1.2c).

    `dummy`: whether a dummy is hidden there, rather than a stack under a cap.
    """
    view = movement.after
    side = side_in(view, hex)
    if not side:
        return False
    whenever = bool(seen_by_enemies(view, hex, side, dummy=dummy))
    comes = side != movement.side and bool(seen_by_enemies(view, hex, side, dummy=dummy, among=movement.entered))
    return comes if comes == whenever or view.ruling(LAPSES_RULING) == "coming" else whenever


def revealed_by_contact(movement: Movement) -> Iterator[Change]:
    """Yield the changes that turn units over as stacks come adjacent: the topmost concealed unit of each stack.

    A dummy that is turned over leaves the map (26.2.4).
    """
    view = movement.after
    for hex in movement.entered:
        near = [place for place in view.board.neighbours(hex) if side_in(view, place) not in ("", movement.side)]
        if near:
            for place in (hex, *near):
                top = topmost_concealed(_list_lying(view, place))
                if top:
                    yield turn_over(view, top)


def reveal_in_combat(view: View, hexes: Iterable[str]) -> Iterator[Change]:
    """Yield the changes that reveal the stacks of some hexes in combat (26.1.1b, 26.2.4).

    Concealed units are turned over, dummies leave the map, and a cap comes off.
    """
    if option_of(view) != "none":
        for hex in dict.fromkeys(hexes):
            if view.flag(CAPPED, hex):
                yield changed(view, CAPPED, hex, None, "26.1.1b")
            for lying in revealed_in_combat(_list_lying(view, hex)):
                yield turn_over(view, lying)


def turn_over(view: View, lying: Lying, rule: str = "26.2.4") -> Change:
    """Return the change by which a concealed unit lies face up, or a dummy leaves the map."""
    track = "place" if lying.dummy else CONCEALED
    return changed(view, track, lying.unit, None, rule)


def unseen_near(view: View, hexes: Iterable[str], side: str) -> list[str]:
    """Return the hexes next to some hexes where a side sees no unit, but concealed enemies may lie."""
    near = dict.fromkeys(place for hex in hexes for place in view.board.neighbours(hex))
    hidden = (place for place in near if place in view.unseen and not view.state.stack(place))
    return [place for place in hidden if view.state.value(UNSEEN, place) != side]


def shrouded_enemies(view: View, side: str) -> dict[str, tuple[str, ...]]:
    """Return the concealed enemies of a side by hex under Hidden Movement, each stack from the top.

    The cost of their zones is paid only once they are turned over. In hexes where the side sees no unit, stand-ins are
    returned.
    """
    if option_of(view) != "concealment":
        return {}
    stacks = dict[str, tuple[str, ...]]()
    for unit in view.units():
        unseen = unit.place in view.unseen and not view.state.stack(str(unit.place))
        if unit.place and view.side_of(unit.id) not in ("", side) and (unseen or is_concealed(view, unit.id)):
            stacks[unit.place] = ()
    for hex in stacks:
        concealed = [lying.unit for lying in _list_lying(view, hex) if lying.concealed]
        stacks[hex] = (*concealed,) or tuple(unit.id for unit in view.stack(hex))
    return stacks


def turned_over_at(
    view: View, hex: str, shrouded: Mapping[str, Sequence[str]], known: Collection[str]
) -> frozenset[str]:
    """Return the units turned over as units enter a hex (26.2.4, 26.2.5).

    They are the topmost concealed unit of each adjacent stack.

    `shrouded`: the concealed enemies by hex.
    `known`: the concealed enemies that are turned over already.
    """
    near = (shrouded[place] for place in view.board.neighbours(hex) if place in shrouded)
    tops = (next((unit for unit in stack if unit not in known), None) for stack in near)
    return frozenset(unit for unit in tops if unit is not None)


def concealed_stacks(view: View, side: str) -> dict[str, list[Lying]]:
    """Return the concealed units of a side by hex, including dummies, each stack from the top."""
    named = (view.unit(name) for name in view.stated_about.get(CONCEALED, ()) if is_concealed(view, name))
    hexes = (unit.place for unit in named if unit.place and view.side_of(unit.id) == side)
    stacks = {}
    for hex in dict.fromkeys(hexes):
        if view.board.is_hex(hex):
            stacks[hex] = [lying for lying in _list_lying(view, hex) if lying.concealed]
    return stacks


def moved_units(view: View, side: str) -> list[str]:
    """Return the units of a side, including dummies, that have moved or spent Movement Points in the phase."""
    named = dict.fromkeys(name for track in (SPENT_TRACK, PASSED_TRACK) for name in view.stated_about.get(track, ()))
    accounts = (read_account(view, name) for name in named if view.side_of(name) == side)
    return [account.unit for account in accounts if account.passed or account.total]


def markers_of(view: View, nation: str) -> tuple[int, int]:
    """Return the numbers of Stack Caps and dummies of a nation on the map.

    A cap belongs to the nation of the top unit under it.
    """
    tops = (stack[0].id for hex in capped_hexes(view) if (stack := view.state.stack(hex)))
    caps = sum(view.word("nation", top) == nation for top in tops)
    dummies = (view.unit(name) for name in view.decoys)
    return caps, sum(unit.place is not None and view.word("nation", unit.id) == nation for unit in dummies)
