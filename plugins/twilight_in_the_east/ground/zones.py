"""Zones of control: who has one, what it crosses, and who stands where around a unit (4.1)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import partial

from assistant.field import Around, Field, Hexside, side_of
from assistant.questions import Gather, MissingFacts, View
from assistant.state.differences import NOTHING, Apart
from assistant.state.state import Unit

from ..terms import COMBAT_ARMS, GREAT_RIVERS
from .hexsides import between

BARS_ZONE = frozenset({"lake", "sea"}) | GREAT_RIVERS


def exerts_zone(arm: str, entrained: bool) -> bool:
    """Whether a unit has a zone of control: combat units and Fortresses do, unless in Rail Mode. Rule: 4.1, 3.4"""
    return arm in (*COMBAT_ARMS, "fortress") and not entrained


def has_zone(facts: Gather, unit: Unit) -> bool:
    """Whether a unit of the position has a zone of control."""
    return exerts_zone(facts.word("arm", unit.id), facts.flag("entrained", unit.id))


def crossed_by_zones(over: Hexside) -> bool:
    """Whether zones of control cross a hexside: not a lake or sea one, nor a Major or Grand River, bridged or not.
    Rule: 4.1.1
    """
    return not BARS_ZONE & over.lies


def field(
    facts: Gather,
    without: Collection[str] = (),
    near: Collection[str] | None = None,
    known: Field | None = None,
    apart: Apart = NOTHING,
) -> Field:
    """Who stands where, and whose zones reach where; the others are those of `Field`. Rule: 4.1, 4.1.1"""
    between_hexes = partial(between, facts.view)
    return Field(facts, has_zone, between_hexes, crossed_by_zones, without=without, near=near, known=known, apart=apart)


def around(facts: Gather, unit: Unit, without: Collection[str] = ()) -> Around:
    """The field as the side of a unit sees it, with all zones read. Rule: 4.1, 4.1.1, 4.1.2"""
    return around_side(facts, side_of(facts, unit), without)


def around_side(facts: Gather, side: str, without: Collection[str] = ()) -> Around:
    """The field as a side sees it, with all zones read, once for a view. Rule: 4.1, 4.1.1, 4.1.2"""
    left_out = frozenset(without)

    def read(known: Field | None, apart: Apart) -> Field:
        with facts.view.gather() as own:
            return field(own, left_out, known=known, apart=apart).read()

    def seen(known: Around | None, apart: Apart) -> Around:
        if known is not None and not apart.units:  # of the ground, zones turn on what lies on hexsides alone
            beside = {hex for name in apart.hexsides for hex in name.split("|")}
            if beside.isdisjoint(known.friends) and beside.isdisjoint(known.enemies):
                return known.read_from(facts.view)
        return facts.view.kept(("field", left_out), read).around(side)

    try:
        return facts.view.kept(("field", side, left_out), seen)
    except MissingFacts:
        return field(facts, without).read().around(side)  # asks for them together with all others


ASSUMED = "ZOC assumed across {hexsides:+} (terrain not stated)"


def assume_zones(around: Around, hexes: Collection[str]) -> None:
    """Say in the report over which hexsides next to some hexes zones of control were taken to reach."""
    assume_crossed(around.view, around.unstated(hexes))


def assume_crossed(view: View, hexsides: Iterable[str]) -> None:
    """Say in the report that zones of control were taken to reach across some hexsides of unstated terrain."""
    for hexside in hexsides:
        view.granted("barrier", hexside, (), "4.1.1", ASSUMED)
