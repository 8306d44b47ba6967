"""The question `zones`, and what other questions read of the map: hexsides, zones of control, control of hexes."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import Any

from ...asking.question import Question
from ...asking.view import Gather, View
from ...game.games import Game
from ...state.state import Unit
from ...util.memo import Memo
from ..field import Field, Hexside, HexsideTracks, SideField
from ..field.units import side_of
from ..zones import by_side, zones_question
from .compiled import Rules, facts_of, rules_of
from .overrides import UnitCase

_FIELDS: Memo[str, Field] = Memo()
"""The field of each view, under the key ""."""


def tracks_of(rules: Rules) -> HexsideTracks:
    """Return the tracks of the features between two hexes."""
    ground = rules.file.ground
    return HexsideTracks(lies=ground.hexside, terrain=ground.hex, links=ground.roads)


def has_zone(rules: Rules, facts: Gather, unit: Unit) -> bool:
    """Return whether a unit has a zone of control."""
    usual = facts.view.board.is_hex(unit.place) and not any(each.holds_for(facts, unit.id) for each in rules.no_zone)
    return rules.overrides.settle("zones.has", usual, partial(unit_case, facts, unit.id))


def unit_case(facts: Gather, unit: str) -> UnitCase:
    """Return a unit as an override sees it."""
    mover = facts.view.unit(unit)
    return UnitCase(unit, side_of(facts, mover), mover.place or "", facts_of(facts, unit, "unit"))


def does_zone_extend(rules: Rules, view: View, over: Hexside) -> bool:
    """Return whether the zone of the units in a hex crosses a hexside.

    Unknown features bar no zone; the report then says what is assumed of the hexside.
    """
    exerting = [unit.id for unit in view.stack(over.here)]
    return not any(
        each.holds_for_step(view, unit, over.here, over.there) for each in rules.zone_bars for unit in exerting[:1]
    )


def field(facts: Gather) -> Field:
    """Return the units and the zones of control of all sides."""
    view = facts.view
    rules = rules_of(view.game)

    def read() -> Field:
        tracks = tracks_of(rules)
        exerts, crossed = partial(has_zone, rules), partial(does_zone_extend, rules, view)
        return Field(facts, exerts, lambda here, there: tracks.between(view, here, there), crossed)

    return view.memo(_FIELDS, "", lambda known, apart: read())


def assume_zones(around: SideField, hexes: Collection[str]) -> None:
    """Note in the report that unstated hexsides of some hexes are assumed to have no feature that stops zones."""
    rules = rules_of(around.view.game)
    if any(each.clause.over for each in rules.zone_bars):
        track = around.view.game.track(rules.file.ground.hexside)
        tracks_of(rules).assume_none(around.view, around.unstated(hexes), rules.zones.rule, f"to have no {track.title}")


def controller(facts: Gather, at: str) -> str:
    """Return the side that controls a hex: the side of its units, or else of its marker.

    A marker that is not stated is asked for.
    """
    view = facts.view
    if units := view.stack(at):
        return side_of(facts, units[0])
    track = rules_of(view.game).file.ground.control
    return facts.word(track, at) if track else ""


def known_controller(view: View, at: str) -> str:
    """Return the side that is known to control a hex without units, or ""."""
    track = rules_of(view.game).file.ground.control
    return view.word(track, at) if track else ""


def make_questions(game: Game) -> tuple[Question[Any, Any], ...]:
    """Return the question `zones` of a game."""
    rules = rules_of(game)
    unreached_rule = next((each.rule for each in rules.zone_bars), rules.zones.rule)
    return (zones_question(field, rules.zones.rule, unreached_rule, by_side(assume_zones)),)
