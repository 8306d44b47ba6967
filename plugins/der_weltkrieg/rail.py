"""The questions `rail` and `transfer` on rail capacity and transfers off the map."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

import msgspec

from assistant.asking import (
    InputError,
    NationName,
    Parameters,
    Part,
    Report,
    View,
    declare,
    holding,
    note,
    permission,
    step,
    verdict,
)
from assistant.asking.asks import Ask
from assistant.util.errors import format_suggestion

from .terms import (
    GERMAN,
    ITALIAN,
    Count,
    dates_of,
    format_nation,
    format_turn,
    read_campaign_calendar,
    read_rows,
    turn_now,
)

MAX_HEXES_BY_RAIL = 20
"""The maximum number of hexes that tanks and rail-based units move by rail in a turn."""
DIVISIONS_PER_TANK_BRIGADE = 3
"""The number of divisions as which a tank brigade counts on rails; a battalion counts as one."""
DIVISIONS_PER_ARTILLERY = 2
"""The divisions as which an artillery unit counts on rails, by reading `series` of ruling `rail-units`.

Brigades, regiments, siege artillery and Headquarters count as one each.
"""
POINTS_PER_DIVISION = 10
"""The supply points that count as a division by the reading `series`.

Any part of that number counts as one too.
"""
SIEGE_TURNS = ("aug14/3", "aug14/4")


class Network(msgspec.Struct, frozen=True):
    """A rail network."""

    rule: str
    network: str = msgspec.field(name="who")
    divisions: int
    from_: str = msgspec.field(name="from")
    """The turn from which it may be used."""
    full: str = ""
    """The turn from which it may be used with all of its capacity."""
    note: str = ""


class Rail(msgspec.Struct, frozen=True, kw_only=True):
    """The load of a network in a turn."""

    network: Annotated[str, note("the nation whose network it is")]
    capacity: Annotated[Fraction, note("divisions that it carries this turn")]
    used: Annotated[Fraction, note("divisions that move")]
    allowed: Annotated[bool | None, note("whether they may")] = None


def measure_capacity(view: View, network: str, turn: int) -> tuple[Fraction, Network]:
    """Return the divisions that a network carries in a turn, and the network.

    It carries none before it may be used, and half until it runs in full.

    Rule: 2/rail-German, 2/rail-Austro-Hungarian, 2/rail-French, 2/rail-Belgian, 2/rail-Russian, 2/rail-Serbian,
    2/rail-Italian
    """
    networks = {row.network: row for row in read_rows("rail", Network)}
    if network not in networks:
        raise InputError(f"network: {network} has none", hint=format_suggestion(network, networks))
    row = networks[network]
    dates = dates_of(view)
    if not dates.is_within(turn, row.from_, "", network):
        return Fraction(0), row
    if dates.is_within(turn, row.full, "", network):
        return Fraction(row.divisions), row
    half = Fraction(row.divisions, 2)
    rounded = half.denominator > 1 and (network == ITALIAN or view.ruling("rail-half") == "down")
    return (Fraction(int(half)) if rounded else half), row


def network_of(view: View, country: str) -> str:
    """Return the nation whose network runs in a country, which is Germany in Luxembourg.

    Raises InputError if the country has no network.

    Rule: 2/rail-networks
    """
    networks = {view.title_of(row.network).casefold(): row.network for row in read_rows("rail", Network)}
    networks["luxembourg"] = GERMAN
    if country.casefold() not in networks:
        raise InputError(f"country: {country[:40]!r} has no rail network", hint=format_suggestion(country, networks))
    return networks[country.casefold()]


class RailParameters(Parameters, frozen=True, kw_only=True):
    """The parameters of `rail`."""

    network: Annotated[NationName, note("the nation whose network it is", "nation")] = ""
    country: Annotated[
        str, note("instead of `network`, the country in which the rail line runs, such as Luxembourg", "name")
    ] = ""
    divisions: Annotated[Count, note("divisions that move, including those off the map")] = 0
    brigades: Annotated[Count, note("brigades and regiments, counted by the ruling `rail-units`")] = 0
    tank_battalions: Annotated[Count, note("tank battalions, each of which counts as a division")] = 0
    tank_brigades: Annotated[Count, note("tank brigades, each of which counts as three divisions")] = 0
    siege: Annotated[Count, note("the number of `divisions` and `brigades` that are siege artillery")] = 0
    hexes: Annotated[
        Count, note("hexes that tanks or rail-based units move by rail, including entraining and detraining")
    ] = 0
    turn: Annotated[str, note("the turn; by default that of the position", "turn")] = ""
    artillery: Annotated[Count, note("artillery units except siege artillery, counted by the ruling `rail-units`")] = 0
    headquarters: Annotated[Count, note("Headquarters, counted by the ruling `rail-units`")] = 0
    supply_points: Annotated[
        Count, note("supply points, including those of `headquarters`, counted by the ruling `rail-units`")
    ] = 0
    double: Annotated[
        Count, note("double-sized divisions of the United States, each of which counts as two (15-3)")
    ] = 0


def _moves_others(asked: RailParameters) -> bool:
    others = (asked.double, asked.artillery, asked.headquarters, asked.supply_points)
    return bool(sum(others) + asked.tank_battalions + asked.tank_brigades)


def count_divisions(view: View, asked: RailParameters) -> Fraction:
    """Return the number of divisions as which units count on rails.

    Divisions and tanks count by these rules. Other units count by ruling `rail-units`, which is consulted only for
    them.

    Rule: 15-3, 19-4
    """
    used = Fraction(
        asked.divisions + 2 * asked.double + asked.tank_battalions + DIVISIONS_PER_TANK_BRIGADE * asked.tank_brigades
    )
    if not (asked.brigades or asked.artillery or asked.headquarters or asked.supply_points):
        return used
    if view.ruling("rail-units") == "half":
        return used + Fraction(asked.brigades, 2)
    points = -(-asked.supply_points // POINTS_PER_DIVISION)
    return used + asked.brigades + DIVISIONS_PER_ARTILLERY * asked.artillery + asked.headquarters + points


def rail(view: View, asked: RailParameters) -> Report[Rail]:
    """Return the report on the units that move by rail in a turn, on a network or in a country (2/rail-networks).

    Raises InputError if more siege artillery than divisions and brigades is stated.

    Rule: 19-4, 19-5, 20-1, 2/rail-German, 2/rail-Austro-Hungarian, 2/rail-French, 2/rail-Belgian, 2/rail-Russian,
    2/rail-Serbian, 2/rail-Italian
    """
    with view.gather() as facts:
        number = turn_now(facts, asked.turn)
        if not (asked.network or asked.country):
            title = "whose network it is, or the country in which the line runs"
            facts.ask(Ask(kind="parameter", name="network", rule="2/rail-networks", title=title, how="network=NATION"))
    if asked.siege > asked.divisions + asked.brigades:
        what = f"siege: {asked.siege} are more than the {asked.divisions + asked.brigades} divisions and brigades"
        raise InputError(what, hint="siege artillery counts among them too: brigades=N siege=N")
    network = asked.network or network_of(view, asked.country)
    most, row = measure_capacity(view, network, number)
    used = count_divisions(view, asked)
    tanks = asked.tank_battalions + asked.tank_brigades
    free = asked.siege if network == GERMAN and read_campaign_calendar(view).label(number) in SIEGE_TURNS else 0
    clauses = (
        (
            not most and (asked.divisions + asked.brigades > free or _moves_others(asked)),
            row.rule,
            "the network may not be used before {begins}",
        ),
        (most and used > most, row.rule, "{used} divisions are more than {most}"),
        (
            asked.hexes > MAX_HEXES_BY_RAIL,
            "19-5" if tanks else "20-1",
            "{hexes} hexes by rail are more than {far} in a turn",
        ),
    )
    begins = format_turn(view, dates_of(view).number(row.from_, network)) or "the turn after it enters the war"
    reasons = holding(clauses, begins=begins, used=used, most=most, hexes=asked.hexes, far=MAX_HEXES_BY_RAIL)
    working = [
        step(
            row.rule,
            "{network}: {most:#division} in {turn}",
            network=format_nation(view, network),
            most=most,
            turn=format_turn(view, number),
        ),
        *holding(
            [
                (most and most < row.divisions, row.rule, "half of {full}, until {when}"),
                (asked.country, "2/rail-networks", "rail lines in {country} belong to it"),
                (tanks, "19-4", "a tank battalion counts as one division, a brigade as three"),
                (asked.double, "15-3", "a double-sized division of the United States counts as two, the 93rd as one"),
                (row.note, row.rule, "{note}"),
            ],
            row,
            country=asked.country,
            full=row.divisions,
            when=format_turn(view, dates_of(view).number(row.full, network)) or "the end",
        ),
    ]
    return permission(
        f"Rail network of {format_nation(view, network)}",
        ("{used} of {capacity} divisions", "{used:#division} may not move by rail"),
        reasons,
        Rail(network=network, capacity=most, used=used),
        kind="figure" if not used else "yes",
        working={"Capacity": working},
    )


# --- transfers --------------------------------------------------------------------------------------------------------

Map = Literal["4-5", "4-5e", "5-3", "5-5", "6-4", "6-5", "6-6"]


class Way(msgspec.Struct, frozen=True):
    """A way off the map, in both directions."""

    rule: str
    one: Map
    other: Map
    turns: int
    """The turns from leaving one map to appearing on the other."""
    side: str = msgspec.field(default="", name="who")
    by: str = ""
    capacity: tuple[Literal["german", "russian", "french", "italian"], ...] = ()


class Transfer(msgspec.Struct, frozen=True, kw_only=True):
    """A transfer off the map."""

    turns: Annotated[int, note("turns that it takes")]
    arrives: Annotated[str, note("the turn in which the units appear")]
    counts: Annotated[tuple[str, ...], note("networks against whose capacity they count meanwhile")]


def transfer(
    view: View,
    *,
    from_: Annotated[Map, note("the map that is left")],
    to: Annotated[Map, note("the map that is reached")],
    turn: Annotated[str, note("the turn in which the map is left; by default that of the position", "turn")] = "",
) -> Report[Transfer]:
    """Return the report on a transfer by rail off the map.

    Rule: 16-16, 16-17, 16-18
    """
    with view.gather() as facts:
        number = turn_now(facts, turn)
    way = next((way for way in read_rows("transfers", Way) if {way.one, way.other} == {from_, to}), None)
    if way is None:
        raise InputError(f"no rule leads from map {from_} to map {to} off the map")
    turns = way.turns
    if way.rule != "16-17" and view.ruling("transit") == "whole":
        turns += 1
    arrives = read_campaign_calendar(view).after_turns(number, turns)
    found = Transfer(turns=way.turns, arrives=format_turn(view, arrives), counts=way.capacity)
    clauses = (
        (True, way.rule, "by {by}"),
        (
            way.rule == "16-17",
            way.rule,
            "a whole turn is spent off the map, entrained; the units appear in the Reinforcement Phase of the next one",
        ),
        (way.rule != "16-17", way.rule, "it takes {turns} turns, entrained"),
        (True, way.rule, "meanwhile they count against the capacity of: {counts}"),
        (way.side, way.rule, "for the {side} alone"),
    )
    working = holding(
        clauses,
        way,
        found,
        side=format_nation(view, way.side),
        counts=[format_nation(view, who) for who in found.counts],
    )
    return Report(
        title=f"From map {from_} to map {to}",
        verdict=verdict(
            "figure", "left in {left}, the units appear in {arrives}", found, left=format_turn(view, number)
        ),
        parts=(Part("The way", tuple(working)),),
        result=found,
    )


QUESTIONS = (
    declare("rail", "what a rail network carries this turn, and whether these divisions may move", rail),
    declare("transfer", "how long a transfer off the map takes, and when the units appear", transfer),
)
