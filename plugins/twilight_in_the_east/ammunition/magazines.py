"""APs that come from no supply unit of the side's line: magazines, Warsaw and Boyen (10.5.5, 10.5.6, 24.1.3)."""

from __future__ import annotations

import msgspec

from assistant.asking import Gather, View, holding
from assistant.rules.field import LineSource, bar_of

from ..combat.allocation import LÖTZEN, magazines_at, value_or_asks
from ..forces.armies import WARSAW_GARRISON, army_of, is_asset_unit
from ..supply.rules import ranges
from ..terms import BOYEN, BOYEN_REACH, WARSAW
from .sources import AmmunitionLines, Delivery, Recipient, TriedWay, point_link
from .ways import PointLink


def magazine_ways(view: View, wanting: Recipient, side: str) -> list[TriedWay]:
    """Return the magazines of fortress complexes on which the stack may draw, and those of which too little is stated.
    Rule: 10.5.5
    """
    tried = []
    for magazine in magazines_at(view, str(wanting.unit.place), side):
        bar = bar_of([(magazine.asks, "10.5.5", "too little is stated about it")])
        tried.append(TriedWay(wanting.way(magazine.name, "10.5.5", bar.why if bar else ""), magazine.asks))
    return tried


def warsaw_ways(facts: Gather, wanting: Recipient) -> list[TriedWay]:
    """Return the magazine of Warsaw, for units of its garrison. Rule: 10.5.6, 24.1.3"""
    view = facts.view
    unit = wanting.unit
    near = WARSAW in (unit.place, *view.board.neighbours(str(unit.place)))
    russian = near and facts.word("nation", unit.id) == "russian" and facts.flag("campaign")
    if not russian or army_of(view, unit.id) not in ("", WARSAW_GARRISON):
        return []
    formations = [name for name in wanting.stack if not is_asset_unit(facts, name)]  # Asset Units go with one of these
    asks = tuple(ask for name in (unit.id, *formations) for ask in value_or_asks(view, "army", name)[1])
    held, asks_of_control = (None, ()) if asks else value_or_asks(view, "control", WARSAW)
    clauses = (
        (asks, "24.1.3", 'the army of its units is not stated (army="Warsaw Garrison")'),
        (asks_of_control, "24.1.3", "who controls {hex} is not stated"),
        (held != "russian", "24.1.3", "{hex} is the enemy's"),
    )
    why_not = next((bar.text for bar in holding(clauses, hex=WARSAW)), "")
    asks += asks_of_control
    way = wanting.way("magazine of Warsaw", "24.1.3", why_not)
    serves = tuple(name for name in way.serves if army_of(view, name) in ("", WARSAW_GARRISON))
    return [TriedWay(msgspec.structs.replace(way, serves=serves), asks)]


def boyen_ways(facts: Gather, lines: AmmunitionLines, wanting: Recipient) -> list[TriedWay]:
    """Return the Fortress Boyen, which has APs for one unit only, stacked with it or as far as it supplies it (a
    ruling). Rule: 10.5.5a
    """
    fortress = next((unit.place for unit in facts.view.units() if unit.id == BOYEN), None)
    if fortress is None or LÖTZEN not in wanting.served:
        return []
    place = str(wanting.unit.place)
    links: tuple[PointLink, ...] = ()
    bars = holding([(fortress != place, "10.5.5a", "Lötzen is not stacked with it")])
    delivery = Delivery(why_not=next((bar.text for bar in bars), ""))
    if facts.view.ruling("boyen-ap") == "traced":
        source = LineSource(BOYEN, "fortress", fortress, ranges("fortress", BOYEN_REACH))
        delivery = lines.as_stated(BOYEN) or lines.between(source, wanting.unit)
        links = (point_link(source, place, delivery.line),)
    way = wanting.way(BOYEN, "10.5.5a", delivery.why_not)
    return [TriedWay(msgspec.structs.replace(way, point=BOYEN, serves=(LÖTZEN,), links=links), delivery.asks)]
