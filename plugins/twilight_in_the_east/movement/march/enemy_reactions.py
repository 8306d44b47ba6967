"""Which enemy cavalry may react as units move, hex by hex (9.1.1), and in which order the move goes on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, NamedTuple

import msgspec
from msgspec.structs import replace

from assistant.asking import Step, View, note, step
from assistant.asking.view import changed
from assistant.state.changes import Change
from assistant.state.state import Unit
from assistant.state.vocabulary import HexNumber, UnitId

from ...displacement.reaction import TRIGGERS, find_trigger, judge_as_known, order_steps, why_not_yet
from ...entering.arrival import Arrival, March, arrive
from ...entering.consequences import change_cover, fleeing_units
from ...entering.unsettled import MUST_LEAVE


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


class SettledStep(NamedTuple):
    """One step of a move."""

    arrival: Arrival
    now: View
    """The state after it, without those who flee from it, and with what it brings to light turned over."""


def steps_of(view: View, marches: Iterable[March]) -> Iterator[SettledStep]:
    """Yield the steps of some moves, in order."""
    now = view
    for march in marches:
        for leg in march.legs:
            arrival = arrive(now, leg)
            fled = (changed(arrival.after, "place", unit.id, None, "22.4.1") for unit in fleeing_units(arrival))
            now = arrival.after.after([*fled, *change_cover(arrival)])
            yield SettledStep(arrival, now)


def reactions_to(view: View, steps: Iterable[SettledStep]) -> Iterator[Reaction]:
    """Yield the enemy cavalry for which each step is a trigger, and whether it may react, as far as is known."""
    for made in steps:
        arrival, now = made
        left = arrival.left[0] if arrival.left else None
        for hex in arrival.entered:
            near = arrival.beside((hex, *arrival.left))
            others = [unit for place in near for unit in now.stack(place) if arrival.is_enemy(unit.id)]
            for unit in others:
                if view.word("arm", unit.id) != "cavalry":
                    continue
                number = find_trigger(now, unit, arrival.march.units, hex, left)
                if number:
                    known = Reaction(unit=unit.id, at=str(unit.place), hex=hex, trigger=number)
                    yield _judge(view, made, known, unit, left)


def _judge(view: View, made: SettledStep, known: Reaction, cavalry: Unit, left: str | None) -> Reaction:
    """Return whether cavalry may react to a step, as far as is known.

    `view`: the state before the move, whose report names the ruling.
    `known`: the reaction, as far as its trigger.
    `left`: the hex that the step leaves.
    """
    arrival, now = made
    not_yet = why_not_yet(view, arrival.before, cavalry.id)
    judged = judge_as_known(now, cavalry, arrival.march.units, known.trigger, left, not_yet)
    if judged.against:
        return replace(known, open=judged.open, barred=judged.against.text, rule=judged.against.rule)
    return replace(known, open=judged.open)


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
