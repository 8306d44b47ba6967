"""The places where units arrive, and what keeps a unit from entering there."""

from __future__ import annotations

from collections.abc import Iterable

from ..asking.permission import holding, if_known
from ..asking.report import Step, step
from ..asking.view import Gather, View
from ..util.errors import InputError
from .arrivals import Bars
from .field.places import edge_assumed, edge_hexes
from .field.ways import HexBar


def open_places(view: View, places: Iterable[str], bars: Bars) -> tuple[str, ...]:
    """Return the places that are known to be open: nothing bars them, and no fact is missing."""
    return tuple(at for at in places if is_open(view, at, bars))


def is_open(view: View, at: str, bars: Bars) -> bool:
    """Return whether a place is known to be open."""
    reasons = if_known(view, lambda facts: bars(facts, at))
    return reasons is not None and not reasons


def nearest_open(
    view: View, at: str, places: Iterable[str], bars: Bars, count: int = 0, within: int = 0
) -> tuple[str, ...]:
    """Return the open places nearest to a hex.

    `count`: the number of places to list, or 0 for all that are equally near.
    `within`: the maximum distance in hexes for all but the nearest, or 0 for any.
    """
    by_distance = sorted((view.board.distance(at, place), place) for place in {*places})
    near = list[tuple[int, str]]()
    for distance, place in by_distance:
        if near and (len(near) >= count if count else distance > near[0][0]):
            break
        if near and within and distance > max(within, near[0][0]):
            break
        if is_open(view, place, bars):
            near.append((distance, place))
    return tuple(place for _, place in near)


def bars_to_entering(facts: Gather, unit: str, phase: str, rule: str) -> list[Step]:
    """Return the reasons why a unit may not enter the map now: another turn or another phase.

    The unit's track `arrives` names its turn. Nothing bars a unit on the map.

    Raises InputError if the unit never arrives.
    """
    view = facts.view
    if view.board.is_hex(view.unit(unit).place):
        return []
    arrives = view.integer("arrives", unit)
    if not arrives:
        hint = f"state its hex, or the turn in which it arrives: {unit} arrives=5"
        raise InputError(f"{unit} is not on the map", hint=hint)
    turn = facts.integer("turn")
    now = facts.word("phase")
    clauses = (
        (turn != arrives, rule, "{unit} enters in turn {arrives}, and this is turn {turn}"),
        (now != phase, rule, "reinforcements enter in the phase {phase}, and this is {now}"),
    )
    return holding(clauses, unit=unit, arrives=arrives, turn=turn, phase=phase, now=now)


def edge_bar(view: View, edge: str, at: str, rule: str) -> HexBar | None:
    """Return a bar if a hex does not lie at an edge of the map, or None.

    The report notes the edge if it is assumed.
    """
    if at not in edge_hexes(view, edge):
        return HexBar(rule, f"reinforcements enter from the {edge}ern edge of the map")
    if assumed := edge_assumed(view, edge, [at]):
        view.premises.assume(step(rule, assumed))
    return None
