"""What a unit costs to mobilize, when it may be, and when it arrives (9.3, 9.5, Optional Rules)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec

from assistant.questions import Gather, Step, View, note, step

from ..calendar.entry import LOW, morale_is_low, standard_allies_gone
from ..ground.countries import at_war
from ..ground.seasons import year_of
from ..terms import AIRBASE, ALLIES, ARMIES, FORTRESS, HEADQUARTERS
from .newcomers import KINDS, Newcomer

OPTIONAL = {
    "british": ("expeditionary-force", "Opt/AEFR", {"XXX": 8, "X": 4}, 1916),
    "nationalist": ("volunteers", "Opt/Volunteer", {"infantry": 4, "cavalry": 4, "shock": 8}, 1917),
}
"""The nations of optional rules: their option, its rule, the price by size or type, and the first year."""


class Price(msgspec.Struct, frozen=True, kw_only=True):
    """What a unit costs."""

    cost: Annotated[int, note("Victory Points that it costs")]
    doubled: Annotated[bool, note("whether low Morale has doubled them")] = False
    delay: Annotated[int, note("game turns until it arrives")] = 0
    first: Annotated[int, note("the first year in which it may be mobilized")] = 1914
    last: Annotated[int, note("the last year")] = 1918
    each: Annotated[bool, note("whether each country may mobilize only one a turn")] = False
    rule: Annotated[str, note("the rule that names the price")] = "9.3"


def not_for_sale(who: Newcomer) -> Iterator[Step]:
    """Why a unit cannot be mobilized at all: it comes by schedule alone, or from corps. Rule: 9.2, 9.3/armies, 9.10"""
    if who.arm == HEADQUARTERS:
        yield step("9.10", "Headquarters arrive by schedule and are never rebuilt")
    elif who.size in ARMIES:
        yield step("9.3", "armies arrive by schedule; combine corps to build one again (ask reorganize)")
    elif who.nation == "turkish":
        yield step("9.2", "the Turkish corps arrives by schedule")
    elif who.nation in ("bolshevik", "czech"):
        yield step("9.3", "{nation} units come by the rules on Revolutions alone", who)
    elif who.nation not in OPTIONAL and (who.arm, who.size) not in KINDS:
        yield step("9.3", "the Mobilization Chart has no {arm} of size {size}", who)


def price(facts: Gather, who: Newcomer, defence: int = 0) -> Price:
    """What a unit costs by the Mobilization Chart or an optional rule, doubled by low Morale. defence: of a fortress.
    Rule: 9.3, 9.5/year, 9.5/delay, 9.9, MOB/Build, MOB/optional, Opt/Morale/1, Opt/AEFR, Opt/Volunteer
    """
    doubled = morale_is_low(facts, who.side)
    times = 2 if doubled else 1
    if who.nation in OPTIONAL:
        _, rule, prices, first = OPTIONAL[who.nation]
        cost = prices.get(who.size) or prices.get(who.arm) or 0
        return Price(cost=cost * times, doubled=doubled, first=first, rule=rule)
    cell = facts.cell("mobilization", KINDS[who.arm, who.size]).values
    cost = int(str(cell["vp"])) * (defence if who.arm == FORTRESS else 1)
    return Price(
        cost=cost * times,
        doubled=doubled,
        delay=int(str(cell["delay"])),
        first=int(str(cell["first"])),
        last=int(str(cell["last"])),
        each=cell["each"] == "one",
    )


def too_dear(points: int, cost: int) -> Iterator[Step]:
    """Why a side cannot pay: points left have to stay above zero. Rule: 5.5"""
    if points - cost < 1:
        text = "{cost:#Victory Point} of {points} leave {left}, and at least 1 must remain"
        yield step("5.5", text, cost=cost, points=points, left=points - cost)


def untimely(facts: Gather, who: Newcomer, cost: Price) -> Iterator[Step]:
    """Why a unit cannot be mobilized in this turn: its years, its option, its country, one a turn, or demobilized in it.
    Rule: 9.5/year, 9.11, MOB/limits, Opt/AEFR, Opt/Volunteer, Opt/Rev2-effects
    """
    view, turn = facts.view, facts.integer("turn")
    if turn and not cost.first <= year_of(turn) <= cost.last:
        text = "it is mobilized from {first} to {last}, and this is {year}"
        yield step("9.5" if cost.rule == "9.3" else cost.rule, text, cost, year=year_of(turn))
    if who.nation in OPTIONAL and OPTIONAL[who.nation][0] not in view.words("options"):
        option, rule, *_ = OPTIONAL[who.nation]
        yield step(rule, "{nation} units are an optional rule (options={option})", who, option=option)
    if who.nation == "nationalist" and facts.integer("vp", ALLIES) > LOW:
        text = "the Allies have {points:#Victory Point}, more than 25"
        yield step("Opt/Volunteer", text, points=facts.integer("vp", ALLIES))
    if who.arm == AIRBASE and "air-units" not in view.words("options"):
        yield step("9.5", "airbases are an optional rule (options=air-units)")
    if at_war(view, who.nation) is False:
        yield step("23.0", "{nation} is neutral", who)
    if standard_allies_gone(facts, who.side):
        yield step("Opt/Rev2-effects", "nothing is mobilized for the Allies after the Second Revolution")
    if who.unit in view.state.units and view.flag("demobilized", who.unit):
        yield step("9.11", "{unit} was demobilized in this turn", who)
    if turn and cost.each and (other := bought(view, who, turn + cost.delay)):
        text = "its country has mobilized {other} in this turn, and one {arm} corps a turn is the limit"
        yield step("9.5", text, who, other=other)


def bought(view: View, who: Newcomer, arrives: int) -> str:
    """Another unit of the nation and type that waits to arrive in a turn, "" if there is none."""
    for unit in view.units():
        same = (view.word("nation", unit.id), view.word("arm", unit.id)) == (who.nation, who.arm)
        if unit.place is None and unit.id != who.unit and same and view.integer("arrives", unit.id) == arrives:
            return unit.id
    return ""
