"""The question `cavalry`: whether cavalry may or must step aside, and into which hexes (9.1, 9.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import Annotated, Literal

import msgspec
from msgspec.structs import replace

from assistant.asking import (
    Answers,
    Gather,
    InputError,
    MissingFacts,
    Parameters,
    PlaceName,
    UnitName,
    View,
    declare,
    holding,
    if_known,
    note,
)
from assistant.asking.asks import Ask
from assistant.asking.play import chosen, refuse_others, throw_each
from assistant.asking.report import Part, Report, Step, Verdict, step, verdict
from assistant.asking.sketch import Sketch, Spot, sketch_of
from assistant.asking.view import changed
from assistant.rules.field import HexOption, SideField, side_of
from assistant.rules.sketches import choices, draw_zones, enemies_of, option_spots
from assistant.state.changes import Change
from assistant.state.state import Unit
from assistant.state.vocabulary import UnitId

from ..displacement.reaction import (
    TRIGGERS,
    Bars,
    bars_of_reaction,
    find_trigger,
    judge_reaction,
    note_face_up,
    order_steps,
    why_never_reacts,
    within_area,
)
from ..entering.consequences import follows_changes
from ..entering.obligations import has_to_leave
from ..forces.account import spend
from ..forces.bars import say_bars
from ..forces.leaders import is_under_khan
from ..forces.movement_points import bar_of_standing_still, holds_garrison
from ..forces.unit import is_unit_demoralized, unit_on_map
from ..ground.calendar import why_no_retirement
from ..ground.hexsides import assume_zones, field
from ..leaders import khan
from .cavalry_retirement import retiring_cavalry, why_obliged

# --- the question -----------------------------------------------------------------------------------------------------


STAYS = "stays"
"""The choice of an owner whose cavalry stays."""


class CavalryParameters(Parameters, frozen=True):
    """Parameters of the question `cavalry`."""

    unit: Annotated[UnitName, note("the id")]
    when: Annotated[Literal["reaction", "retirement"], note("after an enemy's move, or after the combats")] = "reaction"
    enemy: Annotated[tuple[UnitName, ...], note("the enemy units that moved together, now in one hex")] = ()
    left: Annotated[PlaceName | None, note("the hex that the enemy units left")] = None


class CavalryResult(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict on a cavalry unit that may step aside."""

    unit: UnitId
    when: Annotated[str, note("reaction or retirement")]
    trigger: Annotated[int, note("number of the reaction trigger, 1 or 2; 0 for none")] = 0
    may: Annotated[bool, note("whether the cavalry may react or retire")]
    must: Annotated[bool, note("whether the cavalry must retire")] = False
    obliged: Annotated[str, note("why the cavalry must retire, empty if it need not")] = ""
    why: Annotated[str, note("what allows or forbids the move")]
    rule: Annotated[str, note("the rule that allows or forbids the move")] = "9.2"
    options: Annotated[tuple[HexOption, ...], note("the adjacent hexes")]
    khan: Annotated[int | None, note("the die for Khan Nakhichevanski, null without one")] = None

    @property
    def open(self) -> list[str]:
        """The hexes that the unit may enter."""
        return [option.hex for option in self.options if not option.barred]


def answer(view: View, parameters: CavalryParameters, answers: Answers) -> Report[CavalryResult]:
    """Return the report on a cavalry unit that may step aside.

    Raises MissingFacts if a deciding fact is not stated, InputError if the unit is not cavalry or not on the map.
    """
    unit, place = unit_on_map(view, parameters.unit)
    reacts = parameters.when == "reaction"
    with view.gather() as facts:
        if facts.word("arm", unit.id) not in ("", "cavalry"):
            raise InputError(f"unit: {unit.id} is not cavalry")
        if reacts:
            denied = [*islice(why_never_reacts(facts, unit), 1)]
            bars = bars_of_reaction(facts, unit, parameters.enemy, keeps=holds_garrison(facts, unit))
            note_face_up(view, unit.id)
        else:
            demoralized = is_unit_demoralized(facts, unit)
            obliged = why_obliged(facts, unit, demoralized=demoralized)[1]
            denied = [*islice(why_never_retires(facts, unit), 1)]
            bars = bars_of_retirement(facts, unit, demoralized=demoralized)
    around = bars.around
    if reacts:
        result = reaction(parameters, unit, denied, bars)
    else:
        result = retirement(unit.id, obliged, denied, bars)
        if result.may:
            result = retirement(unit.id, obliged, denied, within_area(bars, unit.id))
    assume_zones(around, {place, *result.open})
    rolls = reacts and result.may and rolls_to_react(view, unit)
    names = list[str]()
    if result.may:
        names.append(f"to.{unit.id}")
    if rolls:
        names.append(f"khan.{unit.id}")
    refuse_others(answers, names)
    waits = tuple(phasing_first(view, around.side)) if result.may and not reacts else ()
    there: str | None = ""
    asks: tuple[Ask, ...] = ()
    if result.may:
        options = {hex: hex for hex in result.open}
        if not result.must:
            options[STAYS] = ""
        there, asks = chosen(f"to.{unit.id}", result.rule, f"where {unit.id} goes", options, answers)
    if rolls and there:
        die, asks = _roll_to_react(unit, answers)
        result = replace(result, khan=die)
        if die is None:
            there = None
        elif khan.halts_reaction(die):
            there = ""
    changes = _list_step_changes(view, unit, there, result) if there else ()
    following = follows_changes(view, changes)
    order = tuple(order_of_reaction(view, unit, bars, result, parameters)) if reacts and result.may else ()
    return Report(
        title=f"Cavalry {parameters.when} of {unit.id} in {place}",
        verdict=_choose_verdict(result, there),
        parts=(_options_part(result), Part("Order", (*order, *waits)), *following.parts(view)),
        asks=asks,
        changes=(*changes, *following.changes),
        result=result,
    )


def _roll_to_react(unit: Unit, answers: Answers) -> tuple[int | None, tuple[Ask, ...]]:
    """Return the die for Khan Nakhichevanski, or None before the roll, and the roll to ask for."""
    name = f"khan.{unit.id}"
    given = {name: answers[name]} if name in answers else {}
    totals, asks = throw_each(
        {name: f"whether Khan Nakhichevanski lets {unit.id} react"}, khan.COMMAND_EFFECTS_RULE, given
    )
    return totals.get(name), asks


def bars_of_retirement(facts: Gather, unit: Unit, *, demoralized: bool) -> Bars:
    """Return the bars of the hexes around retiring cavalry.

    A Demoralized Fortress Garrison need not stay in its fortress.

    Rule: 9.2.1
    """
    around = field(facts, without={unit.id}).around(side_of(facts, unit))
    keeps = holds_garrison(facts, unit) and not demoralized
    nation = facts.word("nation", unit.id)
    return Bars(around, str(unit.place), around.enemy_zones, retires=True, keeps=keeps, nation=nation)


def phasing_first(view: View, side: str) -> Iterator[Step]:
    """Yield a reminder that cavalry of the phasing side may still retire, and does so first.

    Yields nothing if that is not known, or if `side` is the phasing side.

    `side`: the side of the cavalry that would retire.

    Rule: 9.2
    """
    phasing = view.word("phasing")
    if phasing in ("", side):
        return
    with suppress(MissingFacts):
        waiting = [unit.id for unit in retiring_cavalry(view.quiet_view(), phasing)]
        if waiting:
            text = "the phasing side retires first, and {units} of that side may still do so"
            yield step("9.2", text, units=waiting)


def _list_step_changes(view: View, unit: Unit, there: str, result: CavalryResult) -> tuple[Change, ...]:
    """Return the changes by which cavalry enters the next hex.

    If it retires, the hex recorded as passed shows that it has retired in this phase.
    """
    rule = "9.2" if result.when == "retirement" else result.rule
    passed = spend(view, unit.id, {}, [there], rule) if result.when == "retirement" else ()
    return (changed(view, "place", unit.id, there, rule), *passed)


def why_never_retires(facts: Gather, unit: Unit) -> Iterator[Step]:
    """Yield why a cavalry unit may not retire at all: the phase, a dot printed on it, or Rail Mode."""
    yield from why_no_retirement(facts.view)
    yield from say_bars(bar_of_standing_still(facts, unit))


def rolls_to_react(view: View, unit: Unit) -> bool:
    """Return whether a unit of Khan Nakhichevanski's corps rolls before it reacts (ruling khan-reaction).

    Rule: 9.1, 25.1.1a
    """

    def is_led(facts: Gather) -> bool:
        return is_under_khan(facts, unit) and khan.rolls(facts.word("arm", unit.id), facts.word("size", unit.id))

    if view.ruling("khan-reaction", if_known(view.quiet_view(), is_led) is not False) == "none":
        return False
    with view.gather() as facts:
        return is_led(facts)


def reaction(parameters: CavalryParameters, unit: Unit, denied: Sequence[Step], bars: Bars) -> CavalryResult:
    """Return whether a cavalry unit may react to an enemy's move, and into which hexes.

    `denied`: why the unit may not react to any move.

    Raises InputError if the enemies that moved are not named, or are not enemies.
    """
    view = bars.around.view
    now, left = _read_move(view, parameters, bars.around)
    number = find_trigger(view, unit, parameters.enemy, now, left)
    options, against = judge_reaction(bars, unit, number, left, denied)
    first = next(iter(against), None)
    return CavalryResult(
        unit=parameters.unit,
        when="reaction",
        trigger=number,
        may=first is None,
        why=first.text if first else TRIGGERS[number],
        rule=first.rule if first else "9.1.1",
        options=options,
    )


def _read_move(view: View, parameters: CavalryParameters, around: SideField) -> tuple[str, str]:
    """Return the present hex of the enemies that moved, and the hex that they left."""
    asks = list[Ask]()
    if not parameters.enemy:
        title = "the enemy units that moved together"
        asks.append(Ask(kind="parameter", name="enemy", rule="9.1", title=title, how="enemy=UNIT,UNIT"))
    if parameters.left is None:
        title = "the hex from which they made their last move"
        asks.append(Ask(kind="parameter", name="left", rule="9.1", title=title, how="left=HEX"))
    if asks or parameters.left is None:
        raise MissingFacts(asks)
    places = {view.unit(name).place for name in parameters.enemy}
    now = next(iter(places))
    if len(places) > 1 or now is None or now not in around.enemies:
        raise InputError(f"enemy: {', '.join(parameters.enemy)} are not enemy units in one hex on the map")
    if parameters.left not in view.board.neighbours(now):
        hint = "name the adjacent hex from which the unit made its last move"
        raise InputError(f"left: {parameters.left} is not adjacent to {now}", hint=hint)
    return now, parameters.left


def retirement(unit: str, obliged: str, denied: Sequence[Step], bars: Bars) -> CavalryResult:
    """Return whether a cavalry unit may or must retire after the combats, and into which hexes.

    `obliged`: the reason from `why_obliged`.
    `denied`: why the unit may not retire at all.

    Rule: 9.2, 9.2.2, 25.1.1b
    """
    clauses = (
        (not bars.around.next_to_enemy(bars.place), "9.2", "no enemy is adjacent to it"),
        (not bars.open, "9.2", "no hex is open to it"),
    )
    against = next(iter((*denied, *holding(clauses))), None)
    return CavalryResult(
        unit=unit,
        when="retirement",
        may=not against,
        must=bool(obliged) and not against,
        obliged="" if against else obliged,
        why=against.text if against else "an enemy is adjacent to it",
        rule=against.rule if against else "9.2",
        options=bars.options(),
    )


def order_of_reaction(
    view: View, unit: Unit, bars: Bars, result: CavalryResult, parameters: CavalryParameters
) -> Iterator[Step]:
    """Yield the order of the reaction, the move that triggered it, and displacements on the same side.

    Hexes open only until a unit there displaces are named, and units that the cavalry leaves without a combat unit.

    `bars`: the bars before any unit has left.

    Rule: 9.1.2, 9.5.1b, 9.8.1c
    """
    now = str(view.unit(parameters.enemy[0]).place)
    with view.gather() as facts:
        near = [friend for hex in view.board.neighbours(now) for friend in view.stack(hex)]
        own = [friend for friend in near if side_of(facts, friend) == bars.around.side]
        due = {friend.id: facts.word("arm", friend.id) for friend in own if has_to_leave(facts, friend)}
        alone = [
            friend.id
            for friend in view.stack(bars.place)
            if friend.id not in due and has_to_leave(facts, friend, without={unit.id})
        ]
        emptied = field(facts, without={unit.id, *due}).around(bars.around.side)
    yield from order_steps(now, [unit.id], due)
    open_then = {option.hex for option in replace(bars, around=emptied).options() if not option.barred}
    closed = [hex for hex in result.open if hex not in open_then]
    if closed:
        text = "[one:{hexes} is open to it only before {units} leaves|{hexes}: open to it only before {units} leave]"
        yield step("9.5.1", text, one=len(closed) == len(due) == 1, hexes=closed, units=list(due))
    if alone:
        text = (
            "if it leaves {hex}, {units} there [one:is|are] without a combat unit and [one:has|have] to leave too "
            "(ask displace)"
        )
        yield step("9.5.1", text, hex=bars.place, one=len(alone) == 1, units=alone)


def _choose_verdict(result: CavalryResult, there: str | None) -> Verdict:
    """Return the verdict.

    `there`: the hex that the owner has chosen, "" if the unit is to stay, or None before the choice.
    """
    if not result.may:
        return verdict("no", "{unit} stays: {why}", result)
    if there == "" and result.khan is not None and khan.halts_reaction(result.khan):
        return verdict("no", "{unit} rolls {die} for Khan Nakhichevanski and stays", result, die=result.khan)
    if there is not None:
        text = "{unit} goes to {hex}: {why}" if there else "{unit} stays, as its owner chooses, and nothing changes"
        return verdict("yes", text, result, hex=there)
    if result.must:
        text = "{unit} {obliged} and must retire to {hexes}"
    elif result.when == "retirement":
        text = "{unit} may retire one hex, to {hexes}: {why}"
    else:
        text = "{unit} may move one hex, to {hexes}: {why}"
    return verdict("yes", text, result, hexes=result.open)


def _options_part(result: CavalryResult) -> Part:
    usual = "9.1"
    steps = [step(result.rule, "{why}", result)]
    if result.when == "retirement":
        usual = "9.2"
        steps.append(step("9.2", "the phasing side's cavalry retires first"))
    for hex_option in result.options:
        if hex_option.barred:
            steps.append(step(hex_option.rule, "{hex}: {why}", hex_option, why=hex_option.barred))
        else:
            steps.append(step(usual, "{hex}: open", hex_option))
    return Part("Hexes", tuple(steps))


def _sketch(view: View, report: Report[CavalryResult]) -> Sketch:
    result = report.shown
    place = str(view.unit(result.unit).place)
    side = view.side_of(result.unit)
    return sketch_of(
        view,
        report,
        side=side,
        spots=(Spot(hex=place, role="start"), *option_spots(result.options)),
        arrows=choices(place, result.options, side) if result.may else (),
        zones=draw_zones(view, field, enemies_of(view, side)),
    )


QUESTION = declare(
    "cavalry",
    "whether a cavalry unit may react to a move or retire after combat, and into which hexes",
    answer,
    {
        "to.UNIT": "the hex into which it goes, or stays",
        "khan.UNIT": "the die of a unit of the Russian 1st Cavalry Corps before it reacts, by a ruling",
    },
    sketch=_sketch,
)
