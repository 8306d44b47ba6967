"""Units that enter play: cost, time, place and changes (9.3 to 9.9, 23.1, 23.2, Optional Rules)."""

from __future__ import annotations

import re
from typing import Annotated, Literal

import msgspec

from assistant.asking import Gather, InputError, NationName, Step, View, changed, holding, note
from assistant.asking.permission import bars_by_option
from assistant.rules.field.movement import bring_unit
from assistant.state.changes import AnyChange
from assistant.state.vocabulary import UnitSide

from .. import ground, seasons
from ..calendar.schedule import LOW_MORALE, are_old_armies_gone, is_morale_low, read_rows
from ..forces import Formation, bars_by_counters, count_off, describe_newcomer
from ..terms import ALLIES, ARMIES, CORPS, FORTRESS, HEADQUARTERS, HOME, Cost

Kind = Literal[
    "", "infantry-corps", "cavalry-corps", "marine-corps", "alpine-corps", "shock-corps",
    "supply", "fortress", "armoured-train", "airbase",
]  # fmt: skip
"""The kinds of units on the Mobilization Chart."""
KindAsked = Annotated[Kind, note("the kind, for a unit that neither the position nor the roster knows")]
NationAsked = Annotated[
    NationName | None, note("the nation, for a unit that neither the position nor the roster knows")
]


class Newcomer(Formation, frozen=True, kw_only=True):
    """A unit that enters play."""

    side: UnitSide
    place: str = ""

    @property
    def unit(self) -> str:
        return self.id

    @property
    def kind(self) -> str:
        """The name of the unit's line in the Mobilization Chart."""
        return f"{self.arm}-corps" if self.size == CORPS else self.arm

    @property
    def is_large(self) -> bool:
        """Whether the unit, a Headquarters or an army, fills a hex. Rule: 9.6"""
        return self.arm == HEADQUARTERS or self.size in ARMIES


class Price(msgspec.Struct, frozen=True, kw_only=True):
    """The cost of a unit."""

    cost: Cost
    doubled: Annotated[bool, note("whether low Morale has doubled the cost")] = False
    delay: Annotated[int, note("game turns until the unit arrives")] = 0
    first: Annotated[int, note("the first year in which the unit may be mobilized")] = 1914
    last: Annotated[int, note("the last year in which the unit may be mobilized")] = 1918
    each: Annotated[bool, note("whether each country may mobilize only one per turn")] = False
    rule: Annotated[str, note("the rule that names the price")] = "9.3"


class Offer(msgspec.Struct, frozen=True):
    """A unit that an optional rule lets a side mobilize, with its price and first year."""

    nation: str
    arm: str
    size: str
    vp: int
    first: int
    rule: str


def read_newcomer(facts: Gather, unit: str, kind: str = "", nation: str = "") -> Newcomer:
    """Return a unit by its id, as the position or the roster describes it, or with the stated kind and nation.

    Raises InputError if the id is empty or a hex number, or if nothing describes the unit.
    """
    view = facts.view
    if not unit.strip() or re.fullmatch("[0-9]{4}", unit):
        raise InputError(f"unit: {unit!r} is not the id of a unit", hint="name it, such as Rus-9")
    if unit in view.state.units:
        nation = facts.word("nation", unit)
        arm = facts.word("arm", unit)
        size = facts.word("size", unit)
    elif unit in view.game.roster:
        row = view.game.roster[unit]
        nation = str(row["nation"][0].value)
        arm = str(row["arm"][0].value)
        size = str(row["size"][0].value)
    elif kind and nation:
        arm = kind.removesuffix("-corps")
        size = "-" if arm == kind else CORPS
    else:
        hint = "state its kind and nation: kind=infantry-corps nation=german"
        raise InputError(f"unit: {unit!r} is not known", hint=hint)
    return Newcomer(id=unit, side=view.game.side_of(nation) if nation else "", nation=nation, arm=arm, size=size)


def find_offer(view: View, who: Newcomer) -> Offer | None:
    """Return the optional rule by which a unit may be mobilized, or None if it needs none.

    Rule: Opt/AEFR, Opt/Volunteer, MOB/optional
    """
    key = (who.nation, who.arm, who.size)
    return next((row for row in read_rows(view.game, "offers", Offer) if (row.nation, row.arm, row.size) == key), None)


def bars_to_sale(view: View, who: Newcomer) -> list[Step]:
    """Return why a unit cannot be mobilized at all: it comes only by schedule, or from corps.

    Rule: 9.2, 9.3, 9.3/armies, 9.10
    """
    known = find_offer(view, who) or who.kind in view.game.chart("mobilization").keys[0].values
    clauses = (
        (who.arm == HEADQUARTERS, "9.10", "Headquarters arrive by schedule and are never rebuilt"),
        (who.size in ARMIES, "9.3", "armies arrive by schedule; combine corps to build one again (ask reorganize)"),
        (who.nation == "turkish", "9.2", "the Turkish corps arrives by schedule"),
        (who.nation in ("bolshevik", "czech"), "9.3", "{nation:title} units come only by the rules on Revolutions"),
        (not known, "9.3", "the Mobilization Chart lists no {arm} of size {size}"),
    )
    return holding(clauses, who)[:1]


def price_of_newcomer(facts: Gather, who: Newcomer, defence: int) -> Price:
    """Return the price of a unit by the Mobilization Chart or an optional rule, doubled by low Morale.

    `defence`: the defence factor of a fortress.

    Rule: 9.3, 9.5/year, 9.5/delay, 9.9, MOB/Build, MOB/optional, Opt/Morale/1, Opt/AEFR, Opt/Volunteer
    """
    doubled = is_morale_low(facts, who.side)
    times = 2 if doubled else 1
    if optional := find_offer(facts.view, who):
        return Price(cost=optional.vp * times, doubled=doubled, first=optional.first, rule=optional.rule)
    cell = facts.cell("mobilization", who.kind).values
    cost = int(str(cell["vp"])) * times
    if who.arm == FORTRESS:
        cost *= defence
    return Price(
        cost=cost,
        doubled=doubled,
        delay=int(str(cell["delay"])),
        first=int(str(cell["first"])),
        last=int(str(cell["last"])),
        each=cell["each"] == "one",
    )


def bars_by_cost(points: int, cost: int) -> list[Step]:
    """Return the reason why a side cannot pay: at least one point must remain. Rule: 5.5"""
    text = "{cost:#Victory Point} of {points} would leave {left}, but at least 1 must remain"
    return holding([(points - cost < 1, "5.5", text)], cost=cost, points=points, left=points - cost)


def bars_by_time(facts: Gather, who: Newcomer, cost: Price) -> list[Step]:
    """Return the reasons why a unit cannot be mobilized this turn.

    Rule: 9.5/year, 9.11, MOB/limits, Opt/AEFR, Opt/Volunteer, Opt/Rev2-effects
    """
    view = facts.view
    turn = facts.integer("turn")
    by = find_offer(facts.view, who)
    rule = by.rule if by else "9.5"
    year = seasons.year_of(turn)
    other = _find_waiting_like(view, who, turn + cost.delay) if cost.each else ""
    rich = who.nation == "nationalist" and facts.integer("vp", ALLIES) > LOW_MORALE
    gone = are_old_armies_gone(facts, who.side)
    clauses = (
        (
            not cost.first <= year <= cost.last,
            rule,
            "it may be mobilized only from {first} to {last}, but this is {year}",
        ),
        (rich, "Opt/Volunteer", "volunteers enter only with 25 Victory Points or fewer, but the Allies have {points}"),
        (ground.at_war(view, who.nation) is False, "23.0", "{country:title} is neutral"),
        (gone, "Opt/Rev2-effects", "nothing is mobilized for the Allies after the Second Revolution"),
        (view.flag("demobilized", who.unit), "9.11", "{unit} was demobilized this turn"),
        (other, "9.5", "its country has mobilized {other} this turn, and one {arm} corps per turn is the limit"),
    )
    country = HOME.get(who.nation, "")
    points = view.integer("vp", ALLIES)
    return holding(clauses, cost, who, year=year, points=points, other=other, country=country)


def _find_waiting_like(view: View, who: Newcomer, arrives: int) -> str:
    """Return the id of another unit of the same nation and type that arrives in the turn `arrives`, or ""."""
    for unit in view.units():
        same = (view.word("nation", unit.id), view.word("arm", unit.id)) == (who.nation, who.arm)
        if unit.place is None and unit.id != who.unit and same and view.integer("arrives", unit.id) == arrives:
            return unit.id
    return ""


def bars_in_play(view: View, who: Newcomer) -> list[Step]:
    """Return why there is no counter for a unit.

    The unit's optional rule is not in force, the unit is on the map already, or no corps of its kind is off the map.

    Rule: 9.5
    """
    if off := [*bars_by_option(view, {who.unit: {"nation": who.nation, "arm": who.arm, "size": who.size}})]:
        return off
    place = view.state.units[who.unit].place if who.unit in view.state.units else None
    there = place is not None and not view.board.is_box(place)
    text = "{unit} is already in {place}, and the counters limit the number of units"
    counted = [(who.nation, who.arm)] if who.size == CORPS else []
    return holding([(there, "9.5", text)], who, place=place) or [*bars_by_counters(view, counted)]


def enter_play(view: View, who: Newcomer, at: str | None, rule: str, **more: int | bool | None) -> list[AnyChange]:
    """Return the changes as a unit enters a hex, or waits off the map.

    `more`: further facts of the unit by track; None removes a fact.
    """
    known = view.state.units.get(who.unit)
    comes = [bring_unit(view, who.unit, at, rule)] if known is None or known.place != at else []
    counted = count_off(view, [who], -1, rule) if at else ()
    made = [changed(view, track, who.unit, value, rule) for track, value in more.items()]
    return [
        *comes,
        *describe_newcomer(view, who, rule),
        *counted,
        *(change for change in made if change.before != change.after),
    ]
