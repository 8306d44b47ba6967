"""Who stands where, whose zones of control reach where, and what lies between two hexes (11, 13)."""

from __future__ import annotations

from functools import partial

from assistant.field import Around, Field, Hexside, HexsideTracks, side_of
from assistant.questions import Gather, View
from assistant.state.state import Unit

TRACKS = HexsideTracks(lies="water", terrain="terrain", links=("rail",))


def between(facts: View | Gather, here: str, there: str) -> Hexside:
    """What lies between a hex and the next one."""
    return Hexside(facts, here, there, TRACKS)


def has_zone(facts: Gather, unit: Unit) -> bool:
    """Whether a unit has a zone of control: every one that can move, except supply units. Rule: 13.0"""
    return facts.word("kind", unit.id) != "supply" and facts.integer("movement", unit.id) > 0


def extends(view: View, over: Hexside) -> bool:
    """Whether zones cross a hexside: not an all-sea one, and not into a hex with an enemy fortress. Rule: 13.1, 13.2"""
    here, there = ({view.word("nation", unit.id) for unit in view.stack(at)} for at in (over.here, over.there))
    sides = [set(map(view.game.side_of, nations)) for nations in (here, there)]
    fortress = any(view.word("kind", unit.id) == "fortress" for unit in view.stack(over.there))
    return "all-sea" not in over.lies and not (fortress and sides[0].isdisjoint(sides[1]))


def field(facts: Gather) -> Field:
    """The units on the map by side, with all zones read."""
    return Field(facts, has_zone, partial(between, facts.view), partial(extends, facts.view)).read()


def around(facts: Gather, unit: Unit) -> Around:
    """The field as the side of a unit sees it."""
    return field(facts).around(side_of(facts, unit))
