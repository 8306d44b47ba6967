"""Which units can trace a line of supply, along which hexes, and why not?"""

from functools import partial

from assistant.rules.field import Field, Hexside, HexsideTracks
from assistant.rules.supply_lines import LineRules, from_edge, from_place, supply_question, words_of_lines

TRACKS = HexsideTracks(lies="barrier", terrain="terrain", links=("rail",))
EDGES = {"german": "west", "russian": "east"}
HOLDERS = {"germany": "german", "russia": "russian"}


def between(view, here, there):
    """What lies between a hex and the next one."""
    return Hexside(view, here, there, TRACKS)


def has_zone(facts, unit):
    """Whether a unit has a zone of control: all units in a hex. Rule: 3.3"""
    return facts.view.board.is_hex(unit.place)


def crosses(over):
    """Whether a zone of control crosses a hexside: not a river. Rule: 3.3"""
    return over.word("barrier") != "river"


def field(facts):
    """Who stands where, and whose zones of control reach where."""
    return Field(facts, has_zone, partial(between, facts.view), crosses)


def holder(view, hex):
    """The side that controls an empty hex: that of its marker, or else that of its country. Rule: 2.0"""
    return view.word("control", hex) or HOLDERS.get(view.word("country", hex), "")


def lines(facts, around):
    """How the lines of a side lead: German ones from the western edge or Königsberg, 40 hexes; Russian ones from the eastern
    edge, into forest or swamp, but not through it. Rule: 3.4
    """
    view, german = facts.view, around.side == "german"
    edge, held = from_edge(view, EDGES[around.side]), partial(holder, view)
    if german:
        return LineRules((edge, from_place(view, "Königsberg", "3.4")), "3.4", longest=40, holder=held)
    return LineRules((edge,), "3.4", ends_in=("forest", "swamp"), holder=held)


TITLE = "who is in supply, along which hexes, and why not"
QUESTION = supply_question(TITLE, words_of_lines("3.4"), field, lines)
