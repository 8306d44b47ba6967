"""The ground: hexsides, fortresses, control of hexes and zones of control (2.0, 3.3, 3.4)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import partial

from assistant.asking import Gather, View
from assistant.rules.field import Field, HexBar, Hexside, HexsideTracks, PlaceZone, SideField
from assistant.rules.field.places import hexes_taken, hexes_with, take_control
from assistant.state.changes import Change
from assistant.state.state import hexside
from assistant.util.memo import Memo

from . import terms

TRACKS = HexsideTracks(lies="barrier", terrain="terrain", links=("rail",))
between = TRACKS.between
RIVER = "river"
NO_RIVER = "to have no river"
WATER = ("lake", "sea")
"""The hexsides over which no unit retreats or advances (6.5, 6.6)."""


# --- fortresses -------------------------------------------------------------------------------------------------------


def fortress(view: View, at: str) -> int:
    """Return the Strength Points of the fortress in a hex, or 0 if there is none.

    Rule: 3.3/fortress, 6.6/fortress
    """
    points = view.integer("fortress", at)
    return 0 if points and view.flag("destroyed", at) else points


def fortresses_of_the_enemy(view: View, side: str) -> list[str]:
    """Return the hexes of fortresses that a side can attack, with or without a garrison. Rule: 6.0/attack"""
    return [at for at in hexes_with(view, "fortress") if side == terms.RUSSIAN and fortress(view, at)]


def fortress_bar(view: View, side: str, there: str) -> HexBar | None:
    """Return the bar of a standing fortress to a Russian unit, or None. Rule: 3.3/fort-entry"""
    if side == terms.RUSSIAN and fortress(view, there):
        return HexBar("3.3", f"a Russian unit may not enter the fortress in {there}")
    return None


def water_bar(view: View, here: str, there: str) -> HexBar | None:
    """Return the bar of a lake or the sea to all units, in the hex or on the hexside, or None. Rule: 6.5/path"""
    words = (view.word("barrier", hexside(here, there)), view.word("terrain", there))
    return next((HexBar("5.0", f"impassable: {word}") for word in words if word in WATER), None)


def fortress_zones(view: View) -> Iterator[PlaceZone]:
    """Yield the zones of standing fortresses as printed, even across rivers.

    If no hex of a zone is stated, the zone is assumed to be all adjacent hexes without a statement on fortress zones.

    Rule: 3.3/fortress
    """
    printed = {at: view.word("fortress-zone", at).split() for at in hexes_with(view, "fortress-zone")}
    for at in hexes_with(view, "fortress"):
        if fortress(view, at):
            stated = frozenset(hex for hex, fortresses in printed.items() if at in fortresses)
            around = frozenset(hex for hex in view.board.neighbours(at) if view.value("fortress-zone", hex) is None)
            yield PlaceZone(at, terms.GERMAN, f"the fortress in {at}", stated or around, assumed=not stated)


# --- control ----------------------------------------------------------------------------------------------------------


def holder(view: View, at: str) -> str:
    """Return the side that controls a hex without units, or "" if that is unknown.

    Its marker decides, or else its country. A fortress that stands is German.

    Rule: 2.0/Control
    """
    if fortress(view, at):
        return terms.GERMAN
    return view.word("control", at) or terms.SIDE_OF.get(view.word("country", at), "")


def known_controller(view: View, at: str) -> str:
    """Return the side that controls a hex, or "" if it is unknown: the side of a unit in it, or else its holder.

    Zones of control do not matter.

    Rule: 2.0/Control, 3.3/control
    """
    return next((view.side_of(unit.id) for unit in view.stack(at)), "") or holder(view, at)


def controller(facts: Gather, at: str) -> str:
    """Return the side that controls a hex.

    The nation of its units or its country is asked for if it decides.
    """
    there = facts.view.stack(at)
    if there and not any(facts.view.side_of(unit.id) for unit in there):
        for unit in there:
            facts.word("nation", unit.id)
    side = known_controller(facts.view, at)
    if not (side or there):
        facts.word("country", at)
    return side


def controls_for_good(view: View, arms: Collection[str]) -> bool:
    """Return whether units of these types keep control of a hex after leaving it.

    With the option cavalry-control cavalry alone does not.

    Rule: 2.0/Control, 10.2.3
    """
    return "cavalry-control" not in view.words("options") or any(arm != terms.CAVALRY for arm in arms)


def control_left(
    view: View, way: Sequence[str], units: Collection[str], side: str, kept: Collection[str] = ()
) -> Iterator[Change]:
    """Yield the changes of control along a way, which begins with the hex that the units leave.

    `kept`: hexes in which cavalry spends a Movement Point for control.

    Rule: 2.0/Control, 10.2.3
    """
    stays = controls_for_good(view, [view.word("arm", unit) for unit in units])
    yield from take_control(view, hexes_taken(way, side, partial(holder, view), stays=stays, kept=kept), side, "2.0")


# --- zones of control -------------------------------------------------------------------------------------------------


def does_zone_extend(view: View, over: Hexside) -> bool:
    """Return whether a unit's zone of control crosses a hexside.

    It does not cross a river, nor enter a hex with an enemy fortress.

    Rule: 3.3/extent
    """
    if over.word("barrier") == RIVER:
        return False
    return not fortress(view, over.there) or known_controller(view, over.here) == terms.GERMAN


_FIELDS: Memo[str, Field] = Memo()
"""The field of each view, by the hex whose fortress falls."""


def field(facts: Gather, fallen: str = "") -> Field:
    """Return the units and zones of control of both sides; all units have a zone.

    `fallen`: a hex whose fortress no longer counts, as it falls now.

    Rule: 3.3/extent, 3.3/fortress
    """
    view = facts.view
    read = partial(Field, facts, lambda facts, unit: True, partial(between, view), partial(does_zone_extend, view))
    places = (zone for zone in fortress_zones(view) if zone.at != fallen)
    return view.memo(_FIELDS, fallen, lambda known, apart: read(places=places))


def assume_zones(around: SideField, hexes: Collection[str]) -> None:
    """Note the assumptions about zones of control in hexes.

    They are that unstated hexsides have no river, and that zones of fortresses are complete.
    """
    view = around.view
    TRACKS.assume_none(view, around.unstated(hexes), "3.3", NO_RIVER)
    for place in around.field.places:
        if place.assumed and not place.hexes.isdisjoint(hexes):
            text = "{hexes}: the zone of the fortress assumed to reach all hexes around it (not stated)"
            view.granted("fortress-zone", place.at, place.at, "3.3", text)
