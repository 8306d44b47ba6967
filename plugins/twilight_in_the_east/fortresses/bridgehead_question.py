"""The question `bridgehead`: whether an Austro-Hungarian bridgehead is abandoned (12.5)."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, NamedTuple

import msgspec

from assistant.mechanics.procedure import Dice, Done, Node, Roll, Situation, resolve
from assistant.questions.question import Answers, Question, UnitName
from assistant.questions.report import Ask, Part, Report, Step, Verdict, ask_for
from assistant.questions.view import Gather, View, changed
from assistant.state.changes import Change
from assistant.util.errors import InputError
from assistant.util.notes import note

from ..ground import zones
from ..ground.improved_positions import after_moves
from ..ground.phases import ATTACK_PHASES, MOVEMENT_PHASES, phase_of
from ..supply.on_map import is_isolated, prepared
from ..terms import COMBAT_ARMS


class BridgeheadParameters(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A bridgehead to be looked at."""

    unit: Annotated[UnitName, note("its id")]
    isolated: Annotated[
        bool | None, note("whether its side's Supply Phase finds it Isolated, traced on a drawn map if left out")
    ] = None


class BridgeheadResult(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a bridgehead is abandoned."""

    unit: Annotated[str, note("its id")]
    place: Annotated[str, note("its hex")]
    triggered: Annotated[bool, note("whether a die is rolled for it now")]
    isolated: Annotated[bool | None, note("whether it is Isolated, null where nobody says")]
    number: Annotated[int, note("its abandonment number")]
    stands: Annotated[Fraction, note("the chance that it stands")]
    abandoned: Annotated[bool | None, note("whether it is given up, null before the die")] = None


class Trigger(NamedTuple):
    """What may make a garrison give a bridgehead up. enemy, friend: Russian combat units next to it, and Austro-Hungarian ones
    in it; tested: whether it has been rolled for before."""

    enemy: tuple[str, ...]
    friend: tuple[str, ...]
    tested: bool


def answer(view: View, parameters: BridgeheadParameters, answers: Answers) -> Report[BridgeheadResult]:
    """The report on a bridgehead.

    Raises MissingFacts for its number, InputError for a unit that is no bridgehead on the map.
    """
    unit = view.unit(parameters.unit)
    with view.gather() as facts:
        if unit.place is None or facts.word("arm", unit.id) not in ("", "fort"):
            raise InputError(f"unit: {unit.id} is no Fort on the map", hint="bridgeheads are Austro-Hungarian Forts")
        if facts.word("nation", unit.id) not in ("", "austro-hungarian"):
            raise InputError(f"unit: {unit.id} is not Austro-Hungarian", hint="bridgeheads are Austro-Hungarian Forts")
        number = facts.integer("abandonment", unit.id)
        trigger = around(facts, unit.id, unit.place)
    isolated = parameters.isolated if parameters.isolated is not None else traced(view, unit.id)
    found_so = parameters.isolated is not None or phase_of(view) not in (*MOVEMENT_PHASES, *ATTACK_PHASES)
    reading = view.ruling("isolated-bridgehead") if isolated and not found_so else "at-once"
    lost = given_up(isolated, reading, in_supply_phase=found_so)
    roll = None if lost else abandonment(trigger, number)
    due, fell = roll is not None, None
    if roll is not None:
        found = resolve(lambda situation: node(situation, roll), Before(), answers)
        fell = dict(found.notes).get("abandoned")
    result = BridgeheadResult(
        unit=unit.id,
        place=unit.place,
        triggered=due,
        isolated=isolated,
        number=number,
        stands=Fraction(number, 6) if due else Fraction(not lost),
        abandoned=True if lost else None if due and fell is None else bool(fell),
    )
    changes: tuple[Change, ...] = ()
    if result.abandoned:
        gone = Change("place", unit.id, unit.place, None, "12.5.2" if lost else "12.5.1")
        changes = (gone, *after_moves(view, [gone]))
    elif due and fell is not None:
        changes = (changed(view, "tested", unit.id, True, "12.5.1"),)
    asks: tuple[Ask, ...] = (ask_for(roll),) if roll is not None and fell is None else ()
    return Report(
        game=view.game.id,
        question=QUESTION.name,
        title=f"Bridgehead {unit.id} in {unit.place}",
        verdict=verdict(result),
        parts=(reasons(result, trigger),),
        asks=asks,
        changes=changes,
        result=result,
    )


def around(facts: Gather, unit: str, place: str) -> Trigger:
    """Who stands next to a bridgehead and in it."""
    view = facts.view

    def combat_units(hex: str, nation: str) -> list[str]:
        there = [other.id for other in view.stack(hex) if other.id != unit]
        return [one for one in there if facts.word("nation", one) == nation and facts.word("arm", one) in COMBAT_ARMS]

    enemy = tuple(one for hex in view.board.neighbours(place) for one in combat_units(hex, "russian"))
    return Trigger(enemy, tuple(combat_units(place, "austro-hungarian")), facts.flag("tested", unit))


def traced(view: View, name: str) -> bool | None:
    """Whether a bridgehead is Isolated on a drawn map, None where there is none."""
    if not view.board.hexes:
        return None
    unit = view.unit(name)
    with view.gather() as facts:
        found = zones.around(facts, unit)
        board = prepared(view, facts, found)
    return is_isolated(view, unit, found, board)


def given_up(isolated: bool | None, reading: str, *, in_supply_phase: bool) -> bool:
    """Whether a bridgehead is abandoned without a die, as it is Isolated.

    isolated: None where nobody says; reading: ruling isolated-bridgehead; in_supply_phase: whether its side's Supply Phase finds it so.

    Rule: 12.5.2
    """
    return bool(isolated) and (in_supply_phase or reading == "at-once")


class Before(NamedTuple):
    """Before the die."""


class After(NamedTuple):
    """After it. abandoned: whether the bridgehead is given up."""

    abandoned: bool


def abandonment(trigger: Trigger, number: int) -> Roll | None:
    """The die for a bridgehead, which is given up at more than its abandonment number; None if none is rolled: it is at the first
    moment when a Russian combat unit is next to it and no Austro-Hungarian one in it, and once only.

    Rule: 12.5.1
    """
    if not trigger.enemy or trigger.friend or trigger.tested:
        return None
    return Roll("abandon", "12.5.1", "whether it is abandoned", Dice(1, 6), {}, lambda natural: After(natural > number))


def node(situation: Situation, roll: Roll) -> Node:
    """The procedure: one die."""
    return Done({"abandoned": situation.abandoned}) if isinstance(situation, After) else roll


def verdict(result: BridgeheadResult) -> Verdict:
    """The answer in a line."""
    figures = {"unit": result.unit, "stands": result.stands}
    if result.abandoned is None:
        return Verdict("figure", "{unit} may be abandoned: a die decides, and it stands at {stands:%}", figures)
    return Verdict(
        "yes" if result.abandoned else "no", "{unit} is abandoned" if result.abandoned else "{unit} stands", figures
    )


def reasons(result: BridgeheadResult, trigger: Trigger) -> Part:
    """Why a die is rolled or not."""
    steps = []
    if result.isolated and result.abandoned and not result.triggered:
        return Part("Abandonment", (Step("12.5.2", "it is Isolated, and abandoned without a die"),))
    if result.isolated:
        steps.append(Step("12.5.2", "it is Isolated, and abandoned if its side's Supply Phase finds it so"))
    if result.triggered:
        figures = {"units": list(trigger.enemy), "number": result.number}
        steps.append(
            Step("12.5.1", "next to {units} without a combat unit of its own: stands on {number} or less", figures)
        )
    elif trigger.tested:
        steps.append(Step("12.5.1", "it has been rolled for before"))
    elif trigger.friend:
        steps.append(Step("12.5.1", "in it: {units}", {"units": list(trigger.friend)}))
    else:
        steps.append(Step("12.5.1", "no Russian combat unit is next to it"))
    if result.isolated is None:
        steps.append(Step("12.5.2", "that it is Isolated was not stated (isolated=yes)"))
    return Part("Abandonment", tuple(steps))


QUESTION = Question(
    name="bridgehead",
    title="whether an Austro-Hungarian bridgehead is abandoned",
    parameters=BridgeheadParameters,
    result=BridgeheadResult,
    answer=answer,
    answers={"abandon": "the die that decides whether it is abandoned"},
)
