"""The question `revolution`: whether a Russian Revolution breaks out, and what it does (Optional Rules)."""

from __future__ import annotations

from typing import Annotated

import msgspec

from assistant.mechanics.procedure import Dice, Done, Procedure, Roll
from assistant.questions import Answers, Parameters, Part, Report, Step, View, declare, note, refused, step, verdict
from assistant.questions.play import play
from assistant.questions.view import changed
from assistant.state.changes import AnyChange

from ..terms import ALLIES, DEAD_PILE, HEADQUARTERS
from .entry import first_revolution_due, second_revolution

BREAKS_OUT = 5
"""The lowest die with which the First Revolution breaks out."""
CAPS = {1: 25, 2: 10}


class RevolutionParameters(Parameters, frozen=True):
    """How Morale has fallen."""

    both: Annotated[bool, note("whether Allied points fell through both 25 and 10 in this turn")] = False


class Revolution(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a Revolution breaks out."""

    points: Annotated[int, note("Victory Points of the Allies")]
    number: Annotated[int, note("the Revolutions that are in effect afterwards; as before while the die is not thrown")]
    removed: Annotated[tuple[str, ...], note("units that leave the map")] = ()
    turned: Annotated[tuple[str, ...], note("Headquarters that return to their front side")] = ()


def procedure() -> Procedure:
    """One die: the First Revolution breaks out on 5 and 6. Rule: Opt/Rev1"""

    def node(situation: object) -> Roll | Done:
        if situation == "start":
            return Roll(
                "revolution", "Opt/Rev1", "Russian Revolution", Dice(1, 6), {}, lambda natural: natural >= BREAKS_OUT
            )
        return Done({"breaks": bool(situation)})

    return node


def answer(view: View, parameters: RevolutionParameters, answers: Answers) -> Report[Revolution]:
    """The report on a Revolution. Rule: Opt/Rev1, Opt/Rev2"""
    with view.gather() as facts:
        turn, points = facts.integer("turn"), facts.integer("vp", ALLIES)
        so_far = facts.integer("revolution")
    title = "Russian Revolution"
    result = Revolution(points=points, number=so_far)
    if "revolutions" not in view.words("options"):
        reason = step("Opt/Rev1", "Revolutions are an optional rule (options=revolutions)")
        return refused(title, "no Revolution", [reason], result=result)
    if second_revolution(points, so_far, parameters.both):
        return broken_out(view, msgspec.structs.replace(result, number=2))
    if not first_revolution_due(turn, points, so_far):
        reason = step(
            "Opt/Rev1", "a die is thrown from 1917 on, at 25 points or fewer, until the First Revolution has come"
        )
        return refused(title, "no Revolution is due with {points:#Victory Point}", [reason], result, result=result)
    played = play(view, procedure(), "start", answers)
    steps = (step("Opt/Rev1", "it breaks out on {least} or more", least=BREAKS_OUT),)
    if "breaks" not in played.settled:
        chance = played.chances.probability(bool, "breaks") if played.chances else 0
        said = verdict("figure", "the First Revolution breaks out with a chance of {chance:%}", chance=chance)
        return Report(title=title, verdict=said, parts=(Part("Revolution", steps),), asks=played.asks, result=result)
    if played.settled["breaks"]:
        return broken_out(view, msgspec.structs.replace(result, number=1))
    said = verdict("no", "no Revolution; a die is thrown again at the start of the next Allied player turn")
    return Report(title=title, verdict=said, parts=(Part("Revolution", steps),), result=result)


def broken_out(view: View, result: Revolution) -> Report[Revolution]:
    """The report on a Revolution that breaks out: who leaves, what is turned, how far points may rise."""
    removed, turned = (first_effects if result.number == 1 else second_effects)(view)
    result = msgspec.structs.replace(result, removed=removed, turned=turned)
    rule = f"Opt/Rev{result.number}-effects"
    changes: list[AnyChange] = [changed(view, "revolution", "", result.number, rule)]
    changes += [changed(view, "place", unit, DEAD_PILE, rule) for unit in removed]
    changes += [changed(view, "reversed", unit, False, rule) for unit in turned]
    cap = CAPS[result.number]
    if result.points > cap:
        changes.append(changed(view, "vp", ALLIES, cap, rule))
    steps = [step(rule, "{removed} leave the map, at no loss of Victory Points", result)] if removed else []
    steps += [step(rule, "{turned} return to their front side for good", result)] if turned else []
    steps += [step(rule, "the Allies have {cap:#Victory Point} at most from now on", cap=cap)]
    steps += first_words() if result.number == 1 else second_words()
    name = "First" if result.number == 1 else "Second"
    return Report(
        title="Russian Revolution",
        verdict=verdict("yes", "the {name} Revolution breaks out", name=name),
        parts=(Part("Effects", tuple(steps)),),
        changes=tuple(changes),
        result=result,
    )


def on_map(view: View, nations: tuple[str, ...]) -> list[str]:
    """The units of nations that stand in hexes."""
    return [
        unit.id
        for unit in view.units()
        if unit.place and not view.board.is_box(unit.place) and view.word("nation", unit.id) in nations
    ]


def first_effects(view: View) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The Russian Headquarters that leave the map, those on their front side, and those that return to it. Rule: Opt/Rev1-effects"""
    found = [unit for unit in on_map(view, ("russian",)) if view.word("arm", unit) == HEADQUARTERS]
    strong = tuple(unit for unit in found if view.flag("reversed", unit))
    return tuple(unit for unit in found if unit not in strong), strong


def second_effects(view: View) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """All units of the Allies but Bolsheviks, which leave the map. Rule: Opt/Rev2-effects"""
    nations = tuple(nation for nation in view.game.file.sides[ALLIES] if nation != "bolshevik")
    return tuple(on_map(view, nations)), ()


def first_words() -> list[Step]:
    """What else the First Revolution means. Rule: Opt/Rev1-effects, Opt/CzLeg"""
    rule = "Opt/Rev1-effects"
    return [
        step(rule, "Russians receive no supply units by schedule, and convert no Headquarters"),
        step(
            rule, "the first attack of the Central Powers on Russians brings two supply units (state patriotic-supply)"
        ),
        step("Opt/CzLeg", "the Czech Legion, if agreed, enters on a railroad in Russia that the Allies control"),
    ]


def second_words() -> list[Step]:
    """What else the Second Revolution means. Rule: Opt/Rev2-effects, Opt/International"""
    rule = "Opt/Rev2-effects"
    return [
        step(rule, "seven Bolshevik corps and a train enter in Russian cities that the Allies control, one in each"),
        step(rule, "Petrograd and Moscow come first; units without a city arrive later"),
        step(rule, "the partisan enters in a Russian hex without units and zones of the Central Powers"),
        step(
            "Opt/Bolshevik-units", "Bolsheviks use their fronts alone, are always in General Supply, and count as lost"
        ),
        step(
            "Opt/Partisan", "the partisan uses neither Maximum Attack Supply nor rails nor ships, and stays in Russia"
        ),
        step("Opt/International", "a PSYWAR attack of the Allies costs nothing"),
    ]


QUESTION = declare(
    "revolution",
    "whether a Russian Revolution breaks out, and what it does",
    answer,
    {"revolution": "the die for the First Revolution"},
)
