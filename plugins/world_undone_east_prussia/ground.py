"""The ground: what lies between hexes, fortresses, who controls a hex, and whose zones of control reach where (2.0, 3.3)."""

from __future__ import annotations

from functools import partial

from assistant.field import Field, Hexside, HexsideTracks
from assistant.questions import Gather, View
from assistant.state.state import Unit

from . import terms

TRACKS = HexsideTracks(lies="barrier", terrain="terrain", links=("rail",))
RIVER = "river"


def between(view: View, here: str, there: str) -> Hexside:
    """What lies between a hex and the next one."""
    return Hexside(view, here, there, TRACKS)


def fortress(view: View, at: str) -> int:
    """The Strength Points of the fortress in a hex, 0 if there is none or it is destroyed. Rule: 3.3/fortress, 6.6/fortress"""
    return 0 if view.flag("destroyed", at) else view.integer("fortress", at)


def controller(facts: Gather, at: str) -> str:
    """The side that controls a hex: that of a unit in it, else that of its marker, else the one whose country it is. Zones of
    control do not matter.
    Rule: 2.0/Control, 3.3/control
    """
    view = facts.view
    if units := view.stack(at):
        return view.side_of(units[0].id)
    if marker := view.word("control", at):
        return marker
    country = facts.word("country", at)
    return next((side for side, own in terms.OWN_COUNTRY.items() if own == country), "")


def has_zone(facts: Gather, unit: Unit) -> bool:
    """Whether a unit has a zone of control: all have that are in a hex. Rule: 3.3/extent"""
    return unit.place is not None and facts.view.board.is_hex(unit.place)


def extends(view: View, over: Hexside) -> bool:
    """Whether the zone of a unit crosses a hexside: not a river, and not into a hex with an enemy fortress. Rule: 3.3/extent"""
    if over.word("barrier") == RIVER:
        return False
    if not fortress(view, over.there):
        return True
    return all(view.side_of(unit.id) == terms.GERMAN for unit in view.stack(over.here))


def field(facts: Gather) -> Field:
    """Who stands where, and whose zones reach where. Rule: 3.3/extent"""
    return Field(facts, has_zone, partial(between, facts.view), partial(extends, facts.view))
