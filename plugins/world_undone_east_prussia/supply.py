"""The question `supply`, who can trace a line of supply, along which hexes, and why not (3.4), and `zones` (3.3)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from assistant.asking import Gather, View
from assistant.asking.asks import ask_for_fact
from assistant.rules.field import SideField
from assistant.rules.supply_lines import (
    From,
    LineRules,
    from_edge,
    from_place,
    supply_lines,
    supply_question,
    words_of_lines,
)
from assistant.rules.zones import by_side, zones_question

from . import terms
from .ground import assume_zones, field, holder

RULE = "3.4"
LONGEST = 40
"""Of how many hexes a German line consists at most."""
WILD = ("forest", "swamp")
"""The ground into which a Russian line leads, but not on."""


def longest_line(side: str, scenario: str) -> int | None:
    """Return the hexes that a line of supply of a side has at most, None for any number. Rule: 3.4/length, 9.4/turns"""
    return LONGEST if side == terms.GERMAN and scenario != terms.MASURIAN else None


def ends_in(side: str) -> tuple[str, ...]:
    """Return the ground into which a line of supply of a side leads, but not on. Rule: 3.4/terrain"""
    return WILD if side == terms.RUSSIAN else ()


def sources(view: View, side: str) -> tuple[From, ...]:
    """Return where lines of supply of a side begin: at its edge of the map, and German ones in Königsberg too. Rule:
    3.4/sources
    """
    edge = from_edge(view, terms.HOME_EDGE[side])
    return (edge, from_place(view, terms.KONIGSBERG, RULE)) if side == terms.GERMAN else (edge,)


def _may_be_konigsberg(view: View, at: str) -> bool:
    """Return whether a hex may be that of Königsberg as far as is known: not if it has another name, no town, or lies
    in Russia.
    """
    known = view.word("named", at) or view.word("country", at) == terms.OWN_COUNTRY[terms.RUSSIAN]
    return not known and view.word("town", at) != "none"


def line_rules(facts: Gather, around: SideField) -> LineRules:
    """Return how lines of supply of a side lead: not through enemies, their zones of control where no friend stands, or
    hexes that they control. Rule: 3.4/trace
    """
    view = facts.view
    side = around.side
    far = longest_line(side, view.word("scenario"))
    is_known = view.fact("scenario") is not None
    return LineRules(
        sources(view, side),
        RULE,
        far,
        if_longer=None if is_known else ask_for_fact(view.game.track("scenario")),
        ends_in=ends_in(side),
        holder=partial(holder, view),
        may_be=partial(_may_be_konigsberg, view),
        assume=assume_zones,
    )


def out_of_supply(facts: Gather, around: SideField, units: Iterable[str]) -> frozenset[str]:
    """Return the units of a side that cannot trace a line of supply. Rule: 3.4/trace"""
    return supply_lines(facts, around, line_rules).not_supplied(facts, units)


QUESTIONS = (
    supply_question(
        "which units can trace a line of supply, along which hexes, or why not", words_of_lines(RULE), field, line_rules
    ),
    zones_question(field, "3.3", "3.3", by_side(assume_zones)),
)
