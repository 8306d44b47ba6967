"""The questions `supply`, on lines of supply (3.4), and `zones`, on zones of control (3.3)."""

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
MAX_LINE_HEXES = 40
"""The maximum length of a German line."""
WILD_TERRAIN = ("forest", "swamp")
"""The terrain in which a Russian line ends."""


def longest_line(side: str, scenario: str) -> int | None:
    """Return the maximum length of a side's line of supply in hexes, or None for any length.

    Rule: 3.4/length, 9.4/turns
    """
    return MAX_LINE_HEXES if side == terms.GERMAN and scenario != terms.MASURIAN else None


def ends_in(side: str) -> tuple[str, ...]:
    """Return the terrain that a side's line of supply may enter but not leave, or an empty tuple if there is none.

    Rule: 3.4/terrain
    """
    return WILD_TERRAIN if side == terms.RUSSIAN else ()


def sources(view: View, side: str) -> tuple[From, ...]:
    """Return a side's sources of supply: its map edge, and for the Germans also Königsberg. Rule: 3.4/sources"""
    edge = from_edge(view, terms.HOME_EDGE[side])
    return (edge, from_place(view, terms.KONIGSBERG, RULE)) if side == terms.GERMAN else (edge,)


def _may_be_konigsberg(view: View, at: str) -> bool:
    """Return whether a hex may be Königsberg.

    It may unless a fact names it otherwise, puts it in Russia or denies it a town.
    """
    known = view.word("named", at) or view.word("country", at) == terms.OWN_COUNTRY[terms.RUSSIAN]
    return not known and view.word("town", at) != "none"


def line_rules(facts: Gather, around: SideField) -> LineRules:
    """Return the rules for a side's lines of supply.

    They do not pass enemies, hexes that the enemy controls, or enemy zones of control unless a friend is there.

    Rule: 3.4/trace
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
