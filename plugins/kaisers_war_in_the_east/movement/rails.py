"""Rail movement: rail nets, borders, capacity, the Serbian transit, armoured trains (18, 21.4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from assistant.field import Around, Barred
from assistant.questions import Gather, Step, View, step
from assistant.state.state import Unit, hexside

from ..forces.units import kind_of
from ..ground.places import controller
from ..ground.seasons import year_of
from ..ground.zones import between
from ..supply.general import asks, general, sources_of
from ..terms import CENTRAL_POWERS, HOME, SUPPLY, TRAIN

CAPACITY = 9
"""What a side may move by rail in a phase: three Army Equivalents, in thirds (18.2)."""
TRANSIT, OPENS = "serbian-transit", 1916
"""The railroad across Serbia, and the year from whose first turn it is open (18.6)."""
RUSSIA, GERMANY = "russia", "germany"


def has_railroad(view: View, here: str, there: str) -> bool:
    """Whether a railroad is known to lead from a hex into the next."""
    return between(view, here, there).word("rail") == "rail"


def equivalent(view: View, arm: str, size: str) -> int:
    """What a unit takes of the rail capacity, in thirds of an Army Equivalent; armoured trains take nothing. Rule: 18.2, 21.4"""
    if arm == TRAIN:
        return 0
    kind = kind_of(arm, size)
    if kind == "abteilung":
        return 3 if view.ruling("abteilung-rail") == "army" else 1
    return 3 if kind in ("army", "headquarters") else 1


def is_free(facts: Gather, side: str, nation: str, arm: str, line: Sequence[str]) -> bool:
    """Whether a rail move does not count: German units and supply units of the Central Powers that stay within Germany. Rule: 18.3"""
    if side != CENTRAL_POWERS or (nation != "german" and arm != SUPPLY):
        return False
    countries = [
        facts.word("country", hex) for hex in line
    ]  # all of them, so that all that are missing are asked for together
    return all(country == GERMANY for country in countries)


def off_net(facts: Gather, side: str, here: str, there: str) -> Barred | None:
    """What keeps a rail move from the next hex: no railroad, or a hex that the side did not control when the phase began. Captured
    railroads serve both sides alike. Rule: 18.0, 18.4
    """
    view = facts.view
    if is_transit(view, here, there):
        return None
    stated = view.fact("rail", hexside(here, there))
    complete = bool(view.board.known("rail")) or view.flag("whole-network", side)
    if not has_railroad(view, here, there) and (stated or complete):
        return Barred("18.4", "no railroad leads there")
    for hex in (here, there):
        if view.flag("taken", hex):
            return Barred("18.4", f"{hex} came under control only in this phase")
        stated_there = view.stack(hex) or view.word("control", hex) or view.word("country", hex)
        if stated_there and (not is_foreign_soil(view, hex) and controller(facts, hex) != side):
            return Barred("18.4", f"its side does not control {hex}")
    return None


def is_foreign_soil(view: View, hex: str) -> bool:
    """Whether a hex lies on the transit line in Serbia, where nobody's control matters."""
    return view.word("country", hex) in ("", "elsewhere") and any(
        is_transit(view, hex, there) for there in view.board.neighbours(hex)
    )


def is_transit(view: View, here: str, there: str) -> bool:
    """Whether the railroad from a hex into the next is the Serbian transit line."""
    return view.flag(TRANSIT, hexside(here, there))


def border(facts: Gather, nation: str, start: str, here: str, there: str) -> Barred | None:
    """Whether a rail move would cross the Russian border, or use railroads on the side of it where the unit did not start the phase.

    A hex whose country is not stated counts as on the side of the others. Rule: 18.4
    """
    view = facts.view
    within = {country == RUSSIA for hex in (start, here, there) if (country := view.word("country", hex))}
    return Barred("18.4", "rail movement does not cross the Russian border") if len(within) > 1 else None


def transit(facts: Gather, side: str, line: Sequence[str]) -> Iterator[Step]:
    """What bars the Serbian transit line, if a rail move uses it: the side, the year, or an end short of the other country. Rule: 18.6"""
    view = facts.view
    used = [index for index, (here, there) in enumerate(pairwise(line)) if is_transit(view, here, there)]
    if not used:
        return
    if side != CENTRAL_POWERS:
        yield step("18.6", "the Allies do not use the Serbian transit line")
        return
    if (turn := facts.integer("turn")) and year_of(turn) < OPENS:
        yield step("18.6", "the Serbian transit line opens with the first turn of {year}", year=OPENS)
    ends = {facts.word("country", line[used[0]]), facts.word("country", line[-1])}
    if "" not in ends and ends != {"austria-hungary", "bulgaria"}:
        yield step("18.6", "the move has to end on the other side of the transit line, not in {end}", end=line[-1])


def unsupplied(facts: Gather, around: Around, unit: Unit, arm: str, at: str) -> Iterator[Step]:
    """What keeps a unit from a rail move for want of General Supply where it begins; armoured trains need none. Asks for what decides it
    and is not stated. Rule: 17.6, 18.1, 21.4
    """
    if arm == TRAIN:
        return
    sources = sources_of(facts, around)
    there = Unit(id=unit.id, type=unit.type, place=at)
    found = general(facts, around, sources, there)
    if found.supplied is None:
        for ask in asks(facts.view, around, sources, there):
            facts.ask(ask)
    elif not found.supplied:
        why = f": {found.cause.text}" if found.cause else ""
        yield step(
            "18.1",
            "{unit} is not in General Supply in {at}" + why.replace("{", "").replace("}", ""),
            unit=unit.id,
            at=at,
        )


def over_capacity(facts: Gather, side: str, thirds: int) -> Iterator[Step]:
    """Whether a rail move is more than the side has left in this phase. Rule: 18.2"""
    used = facts.view.integer("railed", side) or 0
    if used + thirds > CAPACITY:
        text = "{used} thirds of an Army Equivalent have moved by rail, {thirds} more are over the {capacity}"
        yield step("18.2", text, used=used, thirds=thirds, capacity=CAPACITY)


def grant_line(view: View, side: str, nation: str, line: Sequence[str], *, border: bool) -> None:
    """Say what is taken for granted of a rail line: railroads, control, the country. border: whether the Russian border matters."""
    for here, there in pairwise(line):
        if not is_transit(view, here, there):
            view.granted(
                "rail", hexside(here, there), "rail", "18.1", "{hexsides} taken to have a railroad (not stated)"
            )
    for hex in line:
        if not (view.stack(hex) or view.word("control", hex) or view.word("country", hex)):
            text = "{hexes} taken to be under own control since the phase began (not stated)"
            view.granted("control", hex, side, "18.4", text)
        if border and not view.word("country", hex):
            text = "{hexes} taken to lie on the same side of the Russian border (country not stated)"
            view.granted("country", hex, HOME.get(nation, RUSSIA), "18.4", text)
