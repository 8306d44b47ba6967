"""Movement by rail: capacity, borders, and what it costs (18, 21.4)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from assistant.asking import Gather, InputError, Step, View, holding, step
from assistant.rules.field import HexBar, movement
from assistant.state.state import hexside

from .. import passage, seasons
from ..forces import kind_of
from ..supply.reach import supply_in
from ..terms import CENTRAL_POWERS, HOME, PARTISAN, SUPPLY, TRAIN
from .land import POINT, Entered, Mover, bar, price_step

CAPACITY = 9
"""What a side may move by rail in a phase: three Army Equivalents, in thirds (18.2)."""
OPENS = 1916
"""The year from whose first turn the railroad across Serbia is open (18.6)."""
RUSSIA = "russia"
GERMANY = "germany"


class Rail(NamedTuple):
    """The rail move in a way, by the numbers of the hexes where it begins and ends, 0 for that of the unit."""

    first: int
    last: int


def rail_in(line: Sequence[str], entrain: str | None, detrain: str | None) -> Rail:
    """Return where the rail move in a line of hexes begins and ends; there is one at most. Raises InputError for a hex
    that is not in it. Rule: 18.5
    """
    rail = Rail(*movement.stretch_of(line, entrain or "", detrain or "", names=("entrain", "detrain")))
    if rail.first >= rail.last:
        raise InputError("the rail move enters no hex", hint="name the hex where it begins before that where it ends")
    return rail


def enter_by_rail(mover: Mover, first: int, here: str, there: str, number: int) -> Entered | HexBar:
    """Return a hex entered by rail, with its cost: a Movement Point for the whole of the rail move. first: the number
    of the hex where it begins; number: of the hexes entered before.

    Enemy zones stop it as they do any move. Rule: 18.1, 18.4, 18.5, 21.4
    """
    barred = None if passage.is_transit(mover.view, hexside(here, there)) else bar(mover, here, there, number)
    barred = barred or passage.bar_off_net(mover.facts, mover.side, here, there)
    if not barred and mover.arm != TRAIN:
        barred = bar_at_border(mover.view, {mover.at, here, there})
    return barred or price_step(mover, here, there, "rail", POINT * (number == first))


def bar_at_border(view: View, places: Collection[str]) -> HexBar | None:
    """Return what bars a rail move that would cross the Russian border, or use railroads on the side of it where the
    unit did not start the phase.

    A hex whose country is not stated counts as on the side of the others. Rule: 18.4
    """
    within = {country == RUSSIA for place in places if (country := view.word("country", place))}
    return HexBar("18.4", "rail movement may not cross the Russian border") if len(within) > 1 else None


def measure_equivalent(view: View, arm: str, size: str) -> int:
    """Return what a unit takes of the rail capacity, in thirds of an Army Equivalent; armoured trains take nothing.
    Rule: 18.2, 21.4
    """
    if arm == TRAIN:
        return 0
    kind = kind_of(arm, size)
    if kind == "abteilung":
        return 3 if view.ruling("abteilung-rail") == "army" else 1
    return 3 if kind in ("army", "headquarters") else 1


def is_free(facts: Gather, side: str, nation: str, arm: str, line: Sequence[str]) -> bool:
    """Return whether a rail move does not count: German units and supply units of the Central Powers that stay within
    Germany. Rule: 18.3
    """
    if side != CENTRAL_POWERS or (nation != "german" and arm != SUPPLY):
        return False
    countries = [facts.word("country", place) for place in line]  # all, so that all that are missing are asked for
    return all(country == GERMANY for country in countries)


def thirds_of(mover: Mover, line: Sequence[str]) -> int:
    """Return what a rail move takes of the capacity of its side, in thirds of an Army Equivalent. Rule: 18.2, 18.3"""
    free = mover.arm == TRAIN or is_free(mover.facts, mover.side, mover.nation, mover.arm, line)
    return 0 if free else measure_equivalent(mover.view, mover.arm, mover.size)


def bars_to_rail(mover: Mover, line: Sequence[str], thirds: int) -> Iterator[Step]:
    """Yield what keeps a unit from a rail move as a whole: General Supply where it begins, which armoured trains do not
    need, the capacity of its side, the transit line. Asks for what decides its supply and is not stated. Rule: 17.6,
    18.1, 18.2, 21.4, Opt/Partisan, SUP-summary/1
    """
    used = mover.view.integer("railed", mover.side)
    supplied = None if mover.arm == TRAIN else supply_in(mover.facts, mover.around, mover.unit, line[0])
    why = supplied.cause.text if supplied and supplied.cause else "as stated"
    over = "{used} thirds of an Army Equivalent have moved by rail; {thirds} more exceed the capacity of {capacity}"
    clauses = (
        (mover.arm == PARTISAN, "Opt/Partisan", "partisans may not move by rail"),
        (supplied and supplied.supplied is False, "18.1", "{unit} is not in General Supply in {place}: {why}"),
        (used + thirds > CAPACITY, "18.2", over),
    )
    yield from holding(clauses, supplied, why=why, used=used, thirds=thirds, capacity=CAPACITY)
    yield from bars_to_transit(mover.facts, mover.side, line)


def bars_to_transit(facts: Gather, side: str, line: Sequence[str]) -> list[Step]:
    """Return what bars the Serbian transit line, if a rail move uses it: the side, the year, or an end short of the
    other country. Rule: 18.6
    """
    used = [here for here, there in pairwise(line) if passage.is_transit(facts.view, hexside(here, there))]
    if not used:
        return []
    if side != CENTRAL_POWERS:
        return [step("18.6", "the Allies may not use the Serbian transit line")]
    turn = facts.integer("turn")
    ends = {facts.word("country", used[0]), facts.word("country", line[-1])}
    short = "the move must end on the other side of the transit line, not in {end}"
    clauses = (
        (
            turn and seasons.year_of(turn) < OPENS,
            "18.6",
            "the Serbian transit line opens only with the first turn of {year}",
        ),
        (ends != {"austria-hungary", "bulgaria"}, "18.6", short),
    )
    return holding(clauses, year=OPENS, end=line[-1])


def note_granted_line(view: View, side: str, nation: str, line: Sequence[str], *, border: bool) -> None:
    """Say what is taken for granted of a rail line: railroads, control, the country. border: whether the Russian border
    matters.
    """
    for here, there in pairwise(line):
        if not passage.is_transit(view, hexside(here, there)):
            text = "{hexsides} assumed to have a railroad (not stated)"
            view.granted("rail", hexside(here, there), "rail", "18.1", text)
    for place in line:
        if not (view.stack(place) or view.word("control", place) or view.word("country", place)):
            text = "{hexes} assumed to have been under own control since the phase began (not stated)"
            view.granted("control", place, side, "18.4", text)
        if border and not view.word("country", place):
            text = "{hexes} assumed to lie on the same side of the Russian border (country not stated)"
            view.granted("country", place, HOME.get(nation, RUSSIA), "18.4", text)
