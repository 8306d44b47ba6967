"""Which enemy cavalry may react as units move, hex by hex (9.1.1), and in which order the move goes on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated

import msgspec

from assistant.asking import MissingFacts, Step, View, note, step
from assistant.state.changes import Change
from assistant.state.state import Unit
from assistant.state.vocabulary import HexNumber, UnitId

from ...displacement.order import order_steps
from ...entering.arrival import Arrival, March, arrive
from ...entering.unsettled import MUST_LEAVE
from ..reaction import TRIGGERS, bars_of_reaction, trigger, within_area
from .movers import holds_garrison


class Reaction(msgspec.Struct, frozen=True, kw_only=True):
    """Enemy cavalry that may react to a move."""

    unit: UnitId
    at: Annotated[str, note("the hex where the cavalry stands")]
    hex: HexNumber
    trigger: Annotated[int, note("number of the reaction trigger, 1 or 2")]
    open: Annotated[
        tuple[str, ...] | None, note("the hexes that are open to the cavalry then, null where that is not known")
    ] = None

    @property
    def is_possible(self) -> bool:
        """Whether it has a hex to go to, as far as is known."""
        return self.open is None or bool(self.open)

    @property
    def step(self) -> Step:
        """In words."""
        rule = "9.1.1"
        if not self.is_possible:
            text = "as {hex} is entered, {unit} in {at} does not react: no hex is open to it (ask cavalry)"
            return step(rule, text, self)
        text = "as {hex} is entered, {unit} in {at} may react: {why} (ask cavalry)"
        return step(rule, text, self, why=TRIGGERS[self.trigger])


def arrivals_of(view: View, marches: Iterable[March]) -> Iterator[Arrival]:
    """Yield the steps of some moves, each as it is made, in order."""
    now = view
    for march in marches:
        for leg in march.legs:
            arrival = arrive(now, leg)
            yield arrival
            now = arrival.after


def reactions_to(view: View, arrivals: Iterable[Arrival]) -> Iterator[Reaction]:
    """Yield the enemy cavalry for which each step is a trigger, by which one, and the hexes that are open to it then;
    whether anything else keeps it from a reaction, `cavalry` says.
    """
    neighbours = view.board.neighbours
    for arrival in arrivals:
        for hex in arrival.entered:
            left = arrival.left[0] if arrival.left else None
            near = arrival.beside((hex, *arrival.left))
            others = [unit for place in near for unit in arrival.after.stack(place) if arrival.is_enemy(unit.id)]
            for unit in others:
                if view.word("arm", unit.id) != "cavalry":
                    continue
                at = str(unit.place)
                beside = _find_units_beside(arrival, at)
                pulled = trigger(neighbours(at), hex, left, beside, _find_hexes_beside_friends(arrival, unit))
                if pulled and not view.flag("entrained", unit.id):
                    hexes = _find_open_hexes(arrival, unit, left if pulled == 2 else None)
                    yield Reaction(unit=unit.id, at=at, hex=hex, trigger=pulled, open=hexes)


def _find_open_hexes(arrival: Arrival, cavalry: Unit, left: str | None) -> tuple[str, ...] | None:
    """Return the hexes that are open to cavalry that reacts to a step, None where that is not known. left: the hex that
    is barred to it because the enemy has just left it, None for none.
    """
    now = arrival.after
    apart = View(now.game, now.state, now.end)  # what is only looked at is no doubt of the report
    try:
        with apart.gather() as facts:
            bars = bars_of_reaction(facts, cavalry, arrival.march.units, left, keeps=holds_garrison(facts, cavalry))
        return within_area(bars, cavalry.id).open
    except MissingFacts:
        return None


def _find_units_beside(arrival: Arrival, at: str) -> list[str]:
    """Return the hexes around cavalry where units of the moving side stood before the step."""
    view = arrival.before

    def stays(unit: Unit) -> bool:
        return unit.id not in arrival.march.units and view.side_of(unit.id) == arrival.side

    return [place for place in view.board.neighbours(at) if any(map(stays, view.stack(place)))]


def _find_hexes_beside_friends(arrival: Arrival, cavalry: Unit) -> set[str]:
    """Return the hexes next to the other units of the side of some cavalry that are near the step."""
    view, board = arrival.after, arrival.after.board
    near = arrival.beside(arrival.entered)
    friends = [unit for hex in near for unit in view.stack(hex) if arrival.is_enemy(unit.id) and unit.id != cavalry.id]
    return {hex for unit in friends for hex in board.neighbours(str(unit.place))}


def order_of_interruptions(
    view: View, hexes: Iterable[str], reactions: Iterable[Reaction], owed: Iterable[Change]
) -> Iterator[Step]:
    """Yield the order in which a move goes on in each hex where enemy cavalry may react or units have to leave their
    hexes.

    hexes: the hexes that are entered; reactions: those of `reactions_to`; owed: what is owed after the move.
    Rule: 9.1.2, 9.5.1b, 9.8.1c
    """
    hexes = tuple(hexes)
    cavalry = dict[str, list[str]]()
    leaving = dict[str, dict[str, str]]()
    for reaction in reactions:
        if reaction.is_possible:
            cavalry.setdefault(reaction.hex, []).append(reaction.unit)
    for change in owed:
        if change.track == MUST_LEAVE and not view.flag("entrained", change.subject):
            reached = str(change.after).split()[1:]  # nothing of one's own unit, left alone by the first hex
            hex = next(iter((*reached, *hexes)), "")
            leaving.setdefault(hex, {})[change.subject] = view.word("arm", change.subject)
    for hex in dict.fromkeys(hexes):
        yield from order_steps(hex, cavalry.get(hex, ()), leaving.get(hex, {}))
