"""Railways: who may entrain, where a move by rail leads, and rail lines cut and repaired (5.2, 5.2.1, 10.6.1)."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from assistant.field import Around, Barred
from assistant.questions import Gather, Step, View, changed, holding
from assistant.state.changes import Change
from assistant.state.state import Unit, hexside

from . import ground, terms
from .supply import out_of_supply

EARLY, LATE = 2, 5
"""How many units may entrain in a turn, before and from turn 3."""
CHANGE = 3
"""The turn of the change, on which 5.2 names both limits, and in which the command of the 8th Army changes."""


def most_entrained(facts: Gather) -> int:
    """How many units may entrain this turn: two up to turn 3, five from turn 3; which of them on turn 3 is a ruling.
    Rule: 5.2/limits
    """
    turn = facts.integer("turn")
    early = turn < CHANGE or (turn == CHANGE and facts.view.ruling("rail-turn-3") == "two")
    return EARLY if early else LATE


def bars_to_rail(facts: Gather, side: str, entraining: int) -> Iterator[Step]:
    """What keeps units from a move by rail as a whole: their side, Prittwitz in command, the limit of the turn.

    entraining: how many entrain, or enter the map entrained; those that are entrained already do not count again.
    Rule: 5.2/limits, 5.2/cost, 5.3/rail, 10.6.1/rail
    """
    if side != terms.GERMAN:
        yield from holding([(True, "5.2", "only German units move by rail")])
        return
    view = facts.view
    used, most = view.integer("entrained-units", side), most_entrained(facts) if entraining else 0
    prittwitz = "german-headquarters" in view.words("options") and facts.integer("turn") < CHANGE
    over = "{used:#unit} have entrained this turn; {entraining} more exceed the limit of {most}"
    clauses = (
        (prittwitz, "10.6.1", "no rail movement on turns 1 and 2, while Prittwitz commands"),
        (entraining and used + entraining > most, "5.2", over),
    )
    yield from holding(clauses, used=used, entraining=entraining, most=most)


def is_rail_hex(facts: Gather, at: str) -> bool:
    """Whether a railway leads into a hex; asks for its hexsides if none is known to bear one. Rule: 5.2.1/cut"""
    sides = [hexside(at, other) for other in facts.view.board.neighbours(at)]
    if any(facts.view.word("rail", side) == "rail" for side in sides):
        return True
    return "rail" in [facts.word("rail", side) for side in sides]


def in_zone(around: Around, at: str) -> Barred | None:
    """Whether a hex is in an enemy zone, where no unit entrains, detrains or goes by rail. Rule: 5.2/zoc"""
    return Barred("5.2", f"{at} is in an enemy zone of control: no rail movement") if at in around.enemy_zones else None


def rail_bar(facts: Gather, around: Around, here: str, there: str, mended: Collection[str] = ()) -> Barred | None:
    """What keeps units from the next hex by rail: enemies, zones, a rail line that is cut, foreign control, or no railway.

    here: "" for units that enter the map; mended: hexes in which the rail line is repaired on the way.
    Rule: 5.2/cost, 5.2/zoc
    """
    if there in around.enemies:
        return Barred("5.0", "enemies stand there")
    for at in filter(None, (here, there)):
        if barred := in_zone(around, at):
            return barred
        if facts.view.flag("rail-cut", at) and at not in mended:
            return Barred("5.2", f"the rail line is cut in {at}")
        if ground.controller(facts, at) != around.side:
            return Barred("5.2", f"its side does not control {at}")
    joined = facts.word("rail", hexside(here, there)) == "rail" if here else is_rail_hex(facts, there)
    return None if joined else Barred("5.2", f"no railway leads there from {here or 'the edge of the map'}")


def bars_to_cutting(facts: Gather, unit: Unit, side: str, at: str, *, forced: bool) -> list[Step]:
    """What keeps a unit from cutting the rail line in a hex; no line of supply is needed, and enemy zones do not matter.
    Rule: 5.2.1/cut, 10.3
    """
    infantry = facts.word("arm", unit.id) in terms.INFANTRY
    clauses = (
        (side != terms.RUSSIAN or not infantry, "5.2.1", "only Russian infantry cuts rail lines"),
        (forced, "10.3", "no rail line is cut in a forced march"),
        (facts.view.flag("rail-cut", at), "5.2.1", "the rail line in {hex} is cut already"),
        (not is_rail_hex(facts, at), "5.2.1", "no railway leads into {hex}"),
    )
    return holding(clauses, hex=at)


def bars_to_repair(facts: Gather, unit: Unit, side: str, at: str) -> list[Step]:
    """What keeps a unit from repairing the rail line in a hex that it has reached; enemy zones do not matter.
    Rule: 5.2.1/repair
    """
    infantry, view = facts.word("arm", unit.id) in terms.INFANTRY, facts.view
    moved = view.after([changed(view, "place", unit.id, at, "5.2.1")])
    with moved.gather() as there:
        lost = out_of_supply(there, ground.field(there).around(side), [unit.id])
    clauses = (
        (side != terms.GERMAN or not infantry, "5.2.1", "only German infantry repairs rail lines"),
        (not view.flag("rail-cut", at), "5.2.1", "the rail line in {hex} is not cut"),
        (lost, "5.2.1", "{unit} has no line of supply in {hex}"),
    )
    return holding(clauses, hex=at, unit=unit.id)


def works(view: View, cut: Collection[str], repair: Collection[str]) -> Iterator[Change]:
    """What changes as rail lines are cut and repaired. Rule: 5.2.1/cut, 5.2.1/repair"""
    yield from (changed(view, "rail-cut", at, True, "5.2.1") for at in cut)
    yield from (changed(view, "rail-cut", at, False, "5.2.1") for at in repair)
