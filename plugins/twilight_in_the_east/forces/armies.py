"""Armies: their names, whose they are, and their Areas of Attachment (6.1).

Both sides have a First and an Eighth Army, so an army is named by its side and its name: `russian Eighth`.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from assistant.field import Around
from assistant.game.named import hexes_of_stretches
from assistant.questions import InputError, View, note
from assistant.util.errors import nearest, quoted
from assistant.util.limits import Limit

from .units import corps_name, corps_of

NATIONS = {
    f"central-powers {army}": nation
    for nation, armies in (
        ("german", ("Eighth", "Ninth", "AG W")),
        ("austro-hungarian", ("First", "Second", "Third", "Fourth", "AG P-B")),
    )
    for army in armies
}
"""Whose the armies of the Central Powers are (21.5.1, 22.2, 22.3, 22.5, 23.1)."""
WARSAW_GARRISON = "russian Warsaw Garrison"
GARRISONS = frozenset({WARSAW_GARRISON, "central-powers Przemysl Garrison"})
"""Commands that have tracks but are no armies, and have no area (23.6, 24.1)."""


class Breach(msgspec.Struct, frozen=True):
    """Something that the rules of attachment forbid, or tolerate for now."""

    rule: Annotated[str, note("the rule behind it")]
    about: Annotated[str, note("the unit, army or corps")]
    why: Annotated[str, note("the reason in words")]
    tolerated: Annotated[bool, note("whether it is tolerated until it can be corrected")] = False


def army_name(side: str, army: str) -> str:
    """How an army of a side is named in a position; "" for none."""
    return f"{side} {army}" if side and army else ""


def army_of(view: View, unit: str) -> str:
    """The army that a unit is recorded with, by its side and name; "" if none is stated. Raises InputError for half the
    name of a garrison.
    """
    side, army = view.side_of(unit), view.word("army", unit)
    for garrison in GARRISONS:
        of, _, name = garrison.partition(" ")
        if side == of and army != name and army.casefold() in (name.casefold(), name.split()[0].casefold()):
            raise InputError(f"army of {unit}: no army is called {army}", hint=f"write: army={quoted(name)}")
    return army_name(side, army) if side else ""


def corps_and_army(view: View, unit: str) -> tuple[str, str]:
    """A unit's corps, as stated or by its ID, and its army without the side; "" for none. Rule: 2.1d, 3.3.1"""
    corps = view.fact("corps", unit)
    return corps_name(str(corps.value)) if corps else corps_of(unit), view.word("army", unit)


def known_armies(view: View) -> list[str]:
    """Every army of which the position says something, in order.

    Raises InputError for a unit whose army is named by its side, and for too many.
    """
    recorded = {subject for track, subject in view.state.facts if view.game.track(track).on == "army"}
    of_units = {army: unit.id for unit in view.units() if (army := army_of(view, unit.id))}
    for army, unit in of_units.items():
        side, _, name = army.partition(" ")
        if name.startswith(f"{side} "):
            own = name.removeprefix(f"{side} ")
            raise InputError(
                f"army of {unit}: leave out the side, which follows from its nation", hint=f"write: army={quoted(own)}"
            )
    armies = sorted(recorded | set(of_units))
    Limit.ARMIES.check(len(armies), "the position names")
    return armies


def known_army(view: View, army: str) -> str:
    """An army of which the position says something. Raises InputError if there is none of that name."""
    if army not in (known := known_armies(view)):
        raise InputError(f"army: no {army!r} in this position", hint=nearest(army, known) or "write: russian Second")
    return army


def is_shown(view: View, side: str) -> bool:
    """Whether a view may look at a side's displays, which may be kept from the other side (4.2.6)."""
    return view.state.seen_by not in view.game.file.sides or view.state.seen_by == side


def area(view: View, army: str) -> frozenset[str] | None:
    """The hexes of an army's Area of Attachment, None if it is not stated. Raises InputError for what is not a list of
    hexes.
    """
    stated = view.fact("area", army) if army else None
    return frozenset(hexes_of_stretches(str(stated.value), view.board)) if stated else None


def areas(view: View) -> dict[str, frozenset[str]]:
    """The area of every army whose area is stated. Raises InputError if they hold too many hexes."""
    hexes_by_army: dict[str, frozenset[str]] = {}
    for army in known_armies(view):
        if (hexes := area(view, army)) is not None:
            hexes_by_army[army] = hexes
            Limit.AREAS.check(sum(map(len, hexes_by_army.values())), "the areas of the armies hold")
    return hexes_by_army


def side_of_army(army: str) -> str:
    """The side of an army that is named by it."""
    return army.partition(" ")[0]


def kept_from_enemy(hex: str, own_area: frozenset[str] | None, *, next_to_enemy: bool) -> bool:
    """Whether its army's area keeps a moving unit out of a hex: next to an enemy it enters hexes of that area only.

    own_area: None if it is not stated, and then it keeps the unit out of nothing. Rule: 6.3.1b
    """
    return next_to_enemy and own_area is not None and hex not in own_area


def out_of_area(around: Around, army: str, hex: str) -> bool:
    """Whether a hex is next to an enemy and outside the area of an army, as far as that is stated."""
    return kept_from_enemy(hex, area(around.view, army), next_to_enemy=around.next_to_enemy(hex))


def is_cavalry_corps(corps: str, *, marked: bool) -> bool:
    """Whether a corps is a Cavalry Corps: its limit is underscored, or its ID ends in C. marked: whether that is
    stated.
    """
    return marked or corps.endswith(" C")


def may_draw(corps: str, army: str, source_kind: str, source_corps: str, source_army: str) -> bool:
    """Whether attachment lets a unit draw supply or APs from a supply unit: its own Corps Train, or a depot of its
    army.

    An independent unit (corps "") draws on depots only. The army of a Corps Train need not be stated, but may not be
    another. Independent cavalry drawing on another corps' train is for the players to judge.
    Rule: 6.3.1a, 6.3.2, 6.3.3, 14.3.2
    """
    if source_kind == "corps-train":
        return bool(corps) and corps == source_corps and (army == source_army or not army or not source_army)
    return bool(army) and army == source_army
