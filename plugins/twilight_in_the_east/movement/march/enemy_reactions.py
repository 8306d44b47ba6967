"""What units bring about among the enemy as they move, hex by hex: who has to displace (9.5, 9.8, 9.9), and which
cavalry may react (9.1.1).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Annotated

import msgspec
from msgspec.structs import replace

from assistant.asking import MissingFacts, Step, View, note, step
from assistant.state.state import Unit
from assistant.state.vocabulary import HexNumber, UnitId

from ...displacement.order import has_to_leave, is_train_caught, order_steps
from ...entering.arrival import Arrival, March, arrive
from ...entering.effects import change_cover
from ...entering.unsettled import Open
from ...terms import DISPLACING, FIELD_ARMS
from .movers import holds_garrison
from .reaction import TRIGGERS, bars_of_reaction, find_trigger, judge_reaction, why_never_reacts


class Reaction(msgspec.Struct, frozen=True, kw_only=True):
    """Enemy cavalry for which a move is a trigger."""

    unit: UnitId
    at: Annotated[str, note("the hex where the cavalry stands")]
    hex: HexNumber
    trigger: Annotated[int, note("number of the reaction trigger, 1 or 2")]
    open: Annotated[
        tuple[str, ...] | None,
        note("the hexes that are open to the cavalry then, null if they are not known or not asked"),
    ] = None
    barred: Annotated[str, note("why the cavalry may not react, empty if it may, as far as is known")] = ""
    rule: Annotated[str, note("the rule that lets the cavalry react, or bars it")] = "9.1.1"

    @property
    def is_possible(self) -> bool:
        """Whether it may react, as far as is known."""
        return not self.barred

    @property
    def step(self) -> Step:
        """The reaction in words."""
        text = (
            "as {hex} is entered, {unit} in {at} [is_possible:may react: {why}|does not react: {barred}] (ask cavalry)"
        )
        return step(self.rule, text, self, why=TRIGGERS[self.trigger])


def arrivals_of(view: View, marches: Iterable[March]) -> Iterator[Arrival]:
    """Yield the steps of some moves, each as it is made, in order."""
    now = view
    for march in marches:
        for leg in march.legs:
            arrival = arrive(now, leg)
            yield arrival
            now = arrival.after


def reactions_to(view: View, arrivals: Iterable[Arrival]) -> Iterator[Reaction]:
    """Yield the enemy cavalry for which each step is a trigger, and whether it may react, as far as is known."""
    for arrival in arrivals:
        left = arrival.left[0] if arrival.left else None
        for hex in arrival.entered:
            near = arrival.beside((hex, *arrival.left))
            others = [unit for place in near for unit in arrival.after.stack(place) if arrival.is_enemy(unit.id)]
            for unit in others:
                if view.word("arm", unit.id) != "cavalry":
                    continue
                number = find_trigger(arrival.after, unit, arrival.march.units, hex, left)
                if number:
                    yield _judge(arrival, unit, hex, number, left)


def _judge(arrival: Arrival, cavalry: Unit, hex: str, number: int, left: str | None) -> Reaction:
    """Return whether cavalry may react to a step, as far as is known.

    `hex`, `left`: the hexes that the step enters and leaves.
    `number`: the number of the trigger.
    """
    now = arrival.after.after(change_cover(arrival))
    apart = View(now.game, now.state, now.end)  # what is only looked at is no doubt of the report
    known = Reaction(unit=cavalry.id, at=str(cavalry.place), hex=hex, trigger=number)
    denied = [*islice(why_never_reacts(apart.gather(), cavalry), 1)]  # never entered: what is not stated bars nothing
    if denied:
        return replace(known, barred=denied[0].text, rule=denied[0].rule)
    try:
        with apart.gather() as facts:
            bars = bars_of_reaction(facts, cavalry, arrival.march.units, keeps=holds_garrison(facts, cavalry))
        judged = judge_reaction(bars, cavalry, number, left, ())
    except MissingFacts:
        return known
    open_hexes = tuple(option.hex for option in judged.options if not option.barred)
    if judged.against:
        return replace(known, open=open_hexes, barred=judged.against[0].text, rule=judged.against[0].rule)
    return replace(known, open=open_hexes)


def displacing_units(arrivals: Iterable[Arrival]) -> Iterator[tuple[str, Unit]]:
    """Yield the units that have to leave their hexes as units go, each once, with the hex that these had entered then;
    "" for those who were left alone by units that went off the map.
    """
    named = set[str]()
    for arrival in arrivals:
        now = arrival.after
        there = [unit for hex in arrival.beside((*arrival.left, *arrival.entered)) for unit in now.stack(hex)]
        with now.gather() as facts:
            able = (unit for unit in there if unit.id not in named and now.word("arm", unit.id) in DISPLACING)
            due = [unit for unit in able if has_to_leave(facts, unit)]
        for unit in due:
            named.add(unit.id)
            yield next(iter(arrival.entered), ""), unit


def trains_caught(arrivals: Iterable[Arrival]) -> dict[str, Unit]:
    """Return the units in Rail Mode to which combat units or artillery come adjacent, by name. Rule: 8.2.4b"""
    caught = dict[str, Unit]()
    for arrival in arrivals:
        if not arrival.of_arm(FIELD_ARMS):
            continue
        for hex in arrival.beside(arrival.entered):
            for unit in arrival.after.stack(hex):
                if arrival.is_enemy(unit.id) and is_train_caught(arrival.after, unit):
                    caught[unit.id] = unit
    return caught


def units_to_displace(
    view: View, arrivals: Iterable[Arrival], displacing: Iterable[tuple[str, Unit]]
) -> Iterator[Open]:
    """Yield the artillery, Corps Trains and depots that have to leave their hex before anything else is done: units
    that go have come adjacent to them, or have left them alone there; and the units in Rail Mode to which they have
    come adjacent. The question `displace` says what becomes of each.

    displacing: of `displacing_units`.
    Rule: 9.5.1, 9.8.1, 9.9
    """
    for unit in trains_caught(arrivals).values():
        text = (
            "{unit} in {hex} is in Rail Mode and displaces along its RR line at once, "
            "as an enemy is adjacent (ask displace)"
        )
        yield Open(unit.id, step("8.2.4", text, unit=unit.id, hex=unit.place))
    for _, unit in displacing:
        text = "{unit} in {hex} is adjacent to an enemy and may have to leave its hex at once (ask displace)"
        _, rule, _ = DISPLACING[view.word("arm", unit.id)]
        yield Open(unit.id, step(rule, text, unit=unit.id, hex=unit.place))


def order_of_interruptions(
    view: View, hexes: Iterable[str], reactions: Iterable[Reaction], displacing: Iterable[tuple[str, Unit]]
) -> Iterator[Step]:
    """Yield the order in which a move goes on in each hex where enemy cavalry may react or units have to leave their
    hexes. hexes: that are entered; reactions, displacing: of `reactions_to` and `displacing_units`.
    Rule: 9.1.2, 9.5.1b, 9.8.1c
    """
    cavalry = dict[str, list[str]]()
    leaving = dict[str, dict[str, str]]()
    for reaction in reactions:
        if reaction.is_possible:
            cavalry.setdefault(reaction.hex, []).append(reaction.unit)
    for hex, unit in displacing:
        leaving.setdefault(hex, {})[unit.id] = view.word("arm", unit.id)
    for hex in dict.fromkeys(hexes):
        yield from order_steps(hex, cavalry.get(hex, ()), leaving.get(hex, {}))
