"""Who stands where, whose zones of control reach where, and what lies between two hexes (11, 13)."""

from __future__ import annotations

from functools import partial

from assistant.field.hexsides import Hexside, HexsideTracks
from assistant.field.standing import Around, Field, side_of
from assistant.questions.view import Gather, View
from assistant.state.state import Unit

TRACKS = HexsideTracks(lies="water", terrain="terrain", links=("rail",))
WATER = frozenset({"river", "lake"})
NO_ATTACK = ("fortress", "supply")


def between(facts: View | Gather, here: str, there: str) -> Hexside:
    """What lies between a hex and the next one."""
    return Hexside(facts, here, there, TRACKS)


def has_zone(facts: Gather, unit: Unit) -> bool:
    """Whether a unit has a zone of control: every one that can move, but for supply units.

    Rule: 13.0
    """
    return facts.word("kind", unit.id) != "supply" and facts.integer("movement", unit.id) > 0


def extends(view: View, over: Hexside) -> bool:
    """Whether zones cross a hexside: any but an all-sea one, and never into a hex with an enemy fortress.

    Rule: 13.1, 13.2
    """
    here, there = (
        {view.game.side_of(view.word("nation", unit.id)) for unit in view.stack(at)} for at in over_hexes(over)
    )
    fortress = any(view.word("kind", unit.id) == "fortress" for unit in view.stack(over.there))
    return "all-sea" not in over.lies and not (fortress and here.isdisjoint(there))


def over_hexes(over: Hexside) -> tuple[str, str]:
    """The two hexes of a hexside."""
    return over.here, over.there


def field(facts: Gather) -> Field:
    """The units on the map by side, and their zones."""
    return Field(facts, has_zone, partial(between, facts.view), partial(extends, facts.view))


def around(facts: Gather, unit: Unit) -> Around:
    """The field as the side of a unit sees it, with all zones read."""
    found = field(facts)
    for side in found.sides:
        found.zone(side)
    return found.around(side_of(facts, unit))
