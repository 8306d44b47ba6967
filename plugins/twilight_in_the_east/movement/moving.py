"""The question `move`: units go from hex to hex, and what follows at once where they enter and leave (4.3, 8.9.3, 13.4,
13.5.1, 17.1.4, 18.1).

It refuses what no Movement Points would buy. What a move costs, and what enemy zones close is the matter of the
question `ezoc`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Annotated

import msgspec

from assistant.field import check_way, side_of
from assistant.questions import (
    Answers,
    InputError,
    Parameters,
    Part,
    Report,
    Step,
    UnitName,
    View,
    Way,
    declare,
    note,
    read_unless,
    refused,
    step,
    verdict,
)
from assistant.questions.view import Gather, changed
from assistant.state.state import Unit

from ..entering.following import Following, March, Open, arrive, what_follows
from ..ground.calendar import is_counter
from ..ground.hexsides import around_side
from ..terms import COMBAT_ARMS, DEPOTS
from .on_foot import closed_step, held_back, never_on_foot

DISPLACING = {"artillery": "9.5.1", "corps-train": "9.8.1", **dict.fromkeys(DEPOTS, "9.9")}
"""The arms that leave their hex the moment an enemy is next to it, each with its rule."""


class MoveParameters(Parameters, frozen=True):
    """Units that move."""

    units: Annotated[tuple[UnitName, ...], note("those that move together, from one hex")]
    way: Annotated[Way, note("the hexes that they enter, in order")]


class MoveResult(msgspec.Struct, frozen=True, kw_only=True):
    """A move."""

    units: Annotated[tuple[str, ...], note("those that move")]
    way: Annotated[tuple[str, ...], note("the hexes that they enter, in order")]
    unsettled: Annotated[
        tuple[str, ...],
        note("what another question or a fact decides: units that may be abandoned or displace, pontoon bridges"),
    ] = ()


def answer(view: View, parameters: MoveParameters, answers: Answers) -> Report[MoveResult]:
    """The report on a move: what keeps the units from it, or what follows from it, hex by hex.

    Raises MissingFacts for the nation of whoever moves and for what else the rules of a move turn on, InputError for a
    way or units that cannot be.
    """
    moving, way = [view.unit(name) for name in parameters.units], parameters.way
    places = {unit.place for unit in moving}
    if len(places) != 1 or None in places:
        raise InputError("units: they do not stand in one hex", hint="name units that start together, on the map")
    path = (str(moving[0].place), *way)
    check_way(view, path[0], way)
    title = f"{' and '.join(parameters.units)} from {path[0]} to {way[-1]}"
    with view.gather() as facts:
        standing = reasons_to_stay(facts, moving, path)
    closed = read_unless(standing, lambda: closed_hexes(view, moving, path)) or []
    if reasons := [*standing, *closed]:
        text = "{why}" if standing else "{units} cannot go to {hex}: {why}"
        return refused(title, text, reasons, parameters, hex=way[-1])
    moves = [changed(view, "place", unit.id, way[-1], "8.1") for unit in moving]
    march = March(parameters.units, way)
    following = what_follows(view, [march])
    following = Following(following.changes, (*following.unsettled, *units_to_displace(view, march)))
    result = MoveResult(
        units=parameters.units, way=way, unsettled=tuple(matter.subject for matter in following.unsettled)
    )
    cost = step("8.1", "its cost, and what else may close a hex: ask ezoc")
    done = "{units} goes to {hex}" if len(moving) == 1 else "{units} go to {hex}"
    return Report(
        title=title,
        verdict=verdict("figure", done, result, hex=way[-1]),
        parts=(following.part, Part("Left to the players", (cost,))),
        changes=(*moves, *following.changes),
        result=result,
    )


def reasons_to_stay(facts: Gather, moving: Sequence[Unit], path: Sequence[str]) -> list[Step]:
    """What keeps some units where they are or on their way, whatever lies there; only the first for each. path: the hex
    where they stand, and those that they would enter.
    Rule: 8.4, 8.4.2, 8.5.4, 12.1, 12.4.1, 22.4.1, 22.5.1
    """
    counter, reasons = is_counter(facts.view, None), list[Step]()
    for unit in moving:
        rule, what = never_on_foot(facts, unit)
        steps = (held_back(facts, [unit], here, there, counter=counter, aside=True) for here, there in pairwise(path))
        if what:
            reasons.append(step(rule, "{unit} is {what}", unit=unit.id, what=what))
        elif bar := next(filter(None, steps), None):
            reasons.append(step(bar.rule, "{why}", why=bar.why))
    return reasons


def closed_hexes(view: View, moving: Sequence[Unit], path: Sequence[str]) -> list[Step]:
    """What closes the hexes that some units would enter, hex by hex. path: as in `reasons_to_stay`.
    Rule: 4.2b, 23.4.1
    """
    with view.gather() as facts:
        nations = {facts.word("nation", unit.id) for unit in moving}
        enemies = around_side(facts, side_of(facts, moving[0])).enemies
    bars = ((there, closed_step(view, nations, enemies, here, there)) for here, there in pairwise(path))
    return [step(bar.rule, "{hex}: {why}", hex=hex, why=bar.why) for hex, bar in bars if bar]


def units_to_displace(view: View, march: March) -> Iterator[Open]:
    """The artillery, Corps Trains and depots that have to leave their hex before anything else is done: units that go
    have come next to them, or have left them alone there. The question `displace` says what becomes of each.
    Rule: 9.5.1, 9.8.1, 9.9
    """
    now, named = view, set[str]()
    for leg in march.legs:
        arrival = arrive(now, leg)
        now = arrival.after
        there = [unit for hex in arrival.beside((*arrival.left, *arrival.entered)) for unit in now.stack(hex)]
        with now.gather() as facts:
            able = (unit for unit in there if unit.id not in named and now.word("arm", unit.id) in DISPLACING)
            due = [unit for unit in able if has_to_leave(facts, unit)]
        for unit in due:
            named.add(unit.id)
            text = "{unit} in {hex} is next to an enemy and may have to leave its hex at once (ask displace)"
            yield Open(unit.id, step(DISPLACING[now.word("arm", unit.id)], text, unit=unit.id, hex=unit.place))


def has_to_leave(facts: Gather, unit: Unit) -> bool:
    """Whether a unit has to leave its hex: a depot next to an enemy; artillery or a Corps Train in an EZOC without a
    friendly combat unit. Those in Rail Mode have a rule of their own.
    Rule: 9.5.1, 9.8.1, 9.9
    """
    if facts.flag("entrained", unit.id):
        return False
    around = around_side(facts, side_of(facts, unit))
    if facts.word("arm", unit.id) in DEPOTS:
        return around.next_to_enemy(str(unit.place))
    guarded = any(facts.word("arm", other.id) in COMBAT_ARMS for other in facts.view.stack(str(unit.place)))
    return unit.place in around.enemy_zones and not guarded


QUESTION = declare("move", "what follows at once when units move from hex to hex", answer)
