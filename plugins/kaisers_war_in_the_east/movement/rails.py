"""Rail movement: borders, capacity, the Serbian transit, armoured trains (18, 21.4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from assistant.field import Barred
from assistant.questions import Gather, InputError, Step, View, holding, step
from assistant.state.state import hexside

from ..forces.units import kind_of
from ..ground.countries import year_of
from ..ground.zones import is_transit, off_net
from ..supply.reach import supply_in
from ..terms import CENTRAL_POWERS, HOME, PARTISAN, SUPPLY, TRAIN
from .land import POINT, Entered, Mover, bar, price_step

CAPACITY = 9
"""What a side may move by rail in a phase: three Army Equivalents, in thirds (18.2)."""
OPENS = 1916
"""The year from whose first turn the railroad across Serbia is open (18.6)."""
RUSSIA, GERMANY = "russia", "germany"


class Rail(NamedTuple):
    """The rail move in a way, by the numbers of the hexes where it begins and ends, 0 for that of the unit."""

    first: int
    last: int


def rail_in(line: Sequence[str], entrain: str | None, detrain: str | None) -> Rail:
    """Where the rail move in a line of hexes begins and ends; there is one at most. Raises InputError for a hex that is
    not in it.
    Rule: 18.5
    """
    for name, place in (("entrain", entrain), ("detrain", detrain)):
        if place and place not in line:
            raise InputError(f"{name}: {place} is not on the way", hint="name a hex of the way")
    first = line.index(entrain) if entrain else 0
    last = len(line) - 1 - line[::-1].index(detrain) if detrain else len(line) - 1
    if first >= last:
        raise InputError("the rail move enters no hex", hint="name the hex where it begins before that where it ends")
    return Rail(first, last)


def enter_by_rail(mover: Mover, here: str, there: str, *, first: bool, begins: bool) -> Entered | Barred:
    """A hex entered by rail, with its cost: a Movement Point for the whole of the rail move. begins: whether it begins
    there.

    Enemy zones stop it as they do any move. Rule: 18.1, 18.4, 18.5, 21.4
    """
    barred = None if is_transit(mover.view, here, there) else bar(mover, here, there, first=first)
    barred = barred or off_net(mover.facts, mover.side, here, there)
    if not barred and mover.arm != TRAIN:
        barred = border(mover.facts, mover.nation, mover.at, here, there)
    return barred or price_step(mover, here, there, "rail", POINT * begins)


def border(facts: Gather, nation: str, start: str, here: str, there: str) -> Barred | None:
    """Whether a rail move would cross the Russian border, or use railroads on the side of it where the unit did not
    start the phase.

    A hex whose country is not stated counts as on the side of the others. Rule: 18.4
    """
    view = facts.view
    within = {country == RUSSIA for place in (start, here, there) if (country := view.word("country", place))}
    return Barred("18.4", "rail movement does not cross the Russian border") if len(within) > 1 else None


def equivalent(view: View, arm: str, size: str) -> int:
    """What a unit takes of the rail capacity, in thirds of an Army Equivalent; armoured trains take nothing.
    Rule: 18.2, 21.4
    """
    if arm == TRAIN:
        return 0
    kind = kind_of(arm, size)
    if kind == "abteilung":
        return 3 if view.ruling("abteilung-rail") == "army" else 1
    return 3 if kind in ("army", "headquarters") else 1


def is_free(facts: Gather, side: str, nation: str, arm: str, line: Sequence[str]) -> bool:
    """Whether a rail move does not count: German units and supply units of the Central Powers that stay within Germany.
    Rule: 18.3
    """
    if side != CENTRAL_POWERS or (nation != "german" and arm != SUPPLY):
        return False
    countries = [facts.word("country", place) for place in line]  # all, so that all that are missing are asked for
    return all(country == GERMANY for country in countries)


def thirds_of(mover: Mover, line: Sequence[str]) -> int:
    """What a rail move takes of the capacity of its side, in thirds of an Army Equivalent. Rule: 18.2, 18.3"""
    free = mover.arm == TRAIN or is_free(mover.facts, mover.side, mover.nation, mover.arm, line)
    return 0 if free else equivalent(mover.view, mover.arm, mover.size)


def no_rail(mover: Mover, line: Sequence[str], thirds: int) -> Iterator[Step]:
    """What keeps a unit from a rail move as a whole: General Supply where it begins, which armoured trains do not need,
    the capacity of its side, the transit line. Asks for what decides its supply and is not stated.
    Rule: 17.6, 18.1, 18.2, 21.4, Opt/Partisan, SUP-summary/1
    """
    used = mover.view.integer("railed", mover.side)
    supplied = None if mover.arm == TRAIN else supply_in(mover.facts, mover.around, mover.unit, line[0])
    why = supplied.cause.text if supplied and supplied.cause else "as stated"
    over = "{used} thirds of an Army Equivalent have moved by rail, {thirds} more are over the {capacity}"
    clauses = (
        (mover.arm == PARTISAN, "Opt/Partisan", "partisans do not move by rail"),
        (supplied and supplied.supplied is False, "18.1", "{unit} is not in General Supply in {place}: {why}"),
        (used + thirds > CAPACITY, "18.2", over),
    )
    yield from holding(clauses, supplied, why=why, used=used, thirds=thirds, capacity=CAPACITY)
    yield from transit(mover.facts, mover.side, line)


def transit(facts: Gather, side: str, line: Sequence[str]) -> list[Step]:
    """What bars the Serbian transit line, if a rail move uses it: the side, the year, or an end short of the other
    country.
    Rule: 18.6
    """
    used = [here for here, there in pairwise(line) if is_transit(facts.view, here, there)]
    if not used:
        return []
    if side != CENTRAL_POWERS:
        return [step("18.6", "the Allies do not use the Serbian transit line")]
    turn, ends = facts.integer("turn"), {facts.word("country", used[0]), facts.word("country", line[-1])}
    short = "the move has to end on the other side of the transit line, not in {end}"
    clauses = (
        (turn and year_of(turn) < OPENS, "18.6", "the Serbian transit line opens with the first turn of {year}"),
        (ends != {"austria-hungary", "bulgaria"}, "18.6", short),
    )
    return holding(clauses, year=OPENS, end=line[-1])


def grant_line(view: View, side: str, nation: str, line: Sequence[str], *, border: bool) -> None:
    """Say what is taken for granted of a rail line: railroads, control, the country. border: whether the Russian border
    matters.
    """
    for here, there in pairwise(line):
        if not is_transit(view, here, there):
            text = "{hexsides} taken to have a railroad (not stated)"
            view.granted("rail", hexside(here, there), "rail", "18.1", text)
    for place in line:
        if not (view.stack(place) or view.word("control", place) or view.word("country", place)):
            text = "{hexes} taken to be under own control since the phase began (not stated)"
            view.granted("control", place, side, "18.4", text)
        if border and not view.word("country", place):
            text = "{hexes} taken to lie on the same side of the Russian border (country not stated)"
            view.granted("country", place, HOME.get(nation, RUSSIA), "18.4", text)
