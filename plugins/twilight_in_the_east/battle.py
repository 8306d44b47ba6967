"""The question `battle`: column, shifts, magnitude, chances before the dice, and the result of these dice."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from assistant.chances import Chances, UnknownCells, chances
from assistant.changes import Change
from assistant.errors import InputError, nearest
from assistant.procedure import AnswerError, Choice, Modifier, Roll, resolve
from assistant.questions import Answers, Question
from assistant.ratios import Odds
from assistant.report import Ask, Part, Report, Step, Verdict, ask_for
from assistant.view import View, ask_for_cell, asks_of

from . import combat, magnitude
from .aftermath import advancing, changes, outcome, outcome_parts
from .allocation import can_use, commands_in_need, left_without, points_allocated
from .battle_parts import chances_part, odds_part, size_part, strength_part
from .battle_result import (
    BattleChances,
    BattleResult,
    ForceChances,
    NamedPolicy,
    SideStrength,
    UnitStrength,
)
from .calendar import weather_left_out
from .combat_record import remembered, with_points
from .engaged import BattleParameters, Engagement
from .engagement import engagement
from .legality import armies_unsaid, formations_unsaid, out_of_turn, refusals
from .policies import policies
from .positions import after_moves
from .readings import on_the_dice, read
from .resolution import Conditions, conditions, resolution
from .situations import Start
from .units import FORTRESSES, SIDES, CombatUnit, Role
from .what_if import help_part, next_column, optional_units
from .zones import unsaid_step

if TYPE_CHECKING:
    from assistant.pictures.scene import Scene


def answer(view: View, parameters: BattleParameters, answers: Answers) -> Report[BattleResult]:
    """The report on a combat: before the dice its exact chances, with dice what they lead to.

    Raises MissingFacts for whatever the rules need and nobody stated, InputError for a combat that cannot be named.

    Rule: 10.2.1a, 10.2.1b
    """
    found = engagement(view, parameters)
    refused = [*refusals(found, view.board.neighbours(found.at)), *out_of_turn(found)]
    if refused:
        verdict = Verdict("no", "this attack is not allowed, for {reasons:#reason}", {"reasons": len(refused)})
        return _report(view, found, verdict, parts=(Part("Not allowed", tuple(refused)),))
    _, of = reckoned(found)
    found = found._replace(readings=read(view, found.readings, on_the_dice(of)))
    result, of = reckoned(found)
    of = of._replace(policies=policies(found, parameters))
    parts = [strength_part(found, result), odds_part(result), size_part(result)]
    granted = [*weather_left_out(view), *armies_unsaid(found), *formations_unsaid(found)]
    if found.around.unsaid and found.around.held >= 3:
        granted.append(unsaid_step(found.around.unsaid))
    if granted:
        parts.append(Part("Taken for granted", tuple(granted)))
    procedure = resolution(of, view.cell)
    if not answers:
        result = msgspec.structs.replace(
            result,
            next_column=next_column(result.attacker.total, result.defender.total),
            optional=optional_units(view, parameters, found, lambda other: reckoned(other)[0]),
        )
        parts += [part for part in (help_part(result),) if part]
        return _before_the_dice(view, found, result, parts, of)
    typed = canonical(found, answers)
    try:
        resolved = resolve(procedure, Start(), {name: value for name, (_, value) in typed.items()})
    except AnswerError as error:
        raise AnswerError(typed[error.name][0], error) from None
    after = outcome(of, resolved)
    asks = tuple(asks_of(view.game, resolved.pending))
    if after.vacated is False or (after.vacated and not asks):
        after = advancing(of, after)
    todo: tuple[Change, ...] = ()
    if not asks:
        after = with_points(of, after, result.shifts)
        todo = changes(view, of, after)
        todo = (*todo, *after_moves(view, todo), *remembered(view, of, after))
    result = msgspec.structs.replace(result, outcome=after)
    verdict = verdict_after(result, asks)
    return _report(view, found, verdict, (*parts, *outcome_parts(of, after)), result, asks, todo)


def _report(
    view: View,
    found: Engagement,
    verdict: Verdict,
    parts: tuple[Part, ...] = (),
    result: BattleResult | None = None,
    asks: tuple[Ask, ...] = (),
    todo: tuple[Change, ...] = (),
) -> Report[BattleResult]:
    places = ", ".join(dict.fromkeys(unit.place for unit in found.attackers))
    return Report(
        game=view.game.id,
        question=QUESTION.name,
        title=f"Battle at {found.at}, attacked from {places}, GT {found.turn}",
        verdict=verdict,
        parts=parts,
        asks=asks,
        changes=todo,
        result=result,
    )


def reckoned(found: Engagement) -> tuple[BattleResult, Conditions]:
    """Everything about a combat that is certain before the dice.

    Rule: 10.10.1
    """
    attacker = side_strength(found, "attacker")
    defender = side_strength(found, "defender")
    shifts = column_shifts(found)
    net, final = final_odds(attacker.total, defender.total, shifts)
    size = magnitude.magnitude(attacker.divisions, defender.divisions)
    initial = combat.initial_odds(attacker.total, defender.total)
    of = conditions(found, final, size, initial)
    result = BattleResult(
        at=found.at,
        turn=found.turn,
        season=found.season,
        terrain=found.terrain,
        position=found.position,
        flanked=found.flanked,
        held_around=found.around.held,
        attacker=attacker,
        defender=defender,
        initial=str(initial),
        shifts=shifts,
        net_shift=net,
        final=str(final),
        column=of.column,
        divisions=attacker.divisions + defender.divisions,
        magnitude=size,
        attacker_modifiers=of.modifiers["attacker"],
        defender_modifiers=of.modifiers["defender"],
    )
    return result, of


def column_shifts(found: Engagement) -> tuple[Modifier, ...]:
    """Every shift of a combat's column, to the right positive.

    Rule: 10.8e
    """
    return (
        *combat.shift_for_terrain(
            found.terrain, list(found.crossed.values()), found.shifts, found.readings.river_shift
        ),
        *combat.shift_for_prepared(found.attackers, found.at),
        *combat.shift_for_flank(found.flanked),
        *combat.shift_for_corps(found.attackers, found.readings.several_corps),
        *combat.shift_for_position(found.position, found.attackers),
        *((Modifier("", "as the players say", found.shift),) if found.shift else ()),
    )


def final_odds(attack: int, defence: int, shifts: Sequence[Modifier]) -> tuple[int, Odds]:
    """The shift of the initial odds, and the odds that come of it; where there is no ratio nothing shifts.

    Rule: 10.7
    """
    net = sum(shift.amount for shift in shifts) if defence > 0 and attack > 0 else 0
    return net, combat.initial_odds(attack, defence).shifted(net)


def printed_strength(unit: CombatUnit, role: Role) -> int:
    """The strength on a unit's counter without its artillery: steps in attack (3.4.1), defence in defence (3.4.2), the
    product of a fortress (12.2)."""
    if unit.arm in FORTRESSES:
        return unit.steps * unit.fssm
    return 0 if unit.arm == "artillery" else unit.steps if role == "attacker" else unit.defence


def side_strength(found: Engagement, role: Role) -> SideStrength:
    """One side's strength, unit by unit, and its rounded total.

    Rule: 10.1.3a, 10.6.1, 4.5c
    """
    units = found.side(role)
    strengths = []
    for unit in units:
        across = found.across(unit.place) if role == "attacker" else frozenset[str]()
        whole = combat.attack_strength(unit, across) if role == "attacker" else combat.defence_strength(unit)
        guns = combat.artillery_value(unit, across) if unit.fssm == 0 else Fraction(0)
        strengths.append(
            UnitStrength(
                unit=unit.id,
                place=unit.place,
                command=combat.command_of(unit, units),
                steps=unit.left,
                printed=printed_strength(unit, role),
                lost=unit.lost,
                base=whole - guns,
                artillery=guns,
                strength=whole,
                halved=unit.half if role == "defender" else bool(combat.GREAT_RIVERS & across),
                ap=unit.ap,
                joins=combat.joined(unit, units),
            )
        )
    total = combat.total([one.strength for one in strengths])
    present = found.present(role)
    return SideStrength(
        units=tuple(strengths),
        total=total,
        artillery=found.artillery(role),
        divisions=magnitude.divisions(units),
        points=points_allocated(units),
        points_needed=len(commands_in_need(filter(can_use, present), present)),
        without=left_without(present),
    )


# --- dice -------------------------------------------------------------------------------------------------------------


def canonical(found: Engagement, answers: Answers) -> dict[str, tuple[str, str]]:
    """Answers under the names that the procedure uses, each with the name under which it was typed.

    `slrt=3/4` rolls for both sides; `losses=` is the attacker's; a stack's check may be named after any of its units.
    Raises InputError for an answer to nothing, with the nearest name.
    """
    names = {"crt", "losses.fortresses"} | {
        f"{what}.{role}" for what in ("slrt", "losses", "modifier") for role in SIDES
    }
    places = {unit.id: unit.place for role in SIDES for unit in found.side(role)}
    names |= {f"ec.{place}" for place in places.values()}
    names |= {f"losses.{unit}" for unit in places}
    typed: dict[str, tuple[str, str]] = {}
    for name, value in answers.items():
        what, _, whose = name.partition(".")
        found_names: dict[str, str] = {}
        if name == "slrt":
            if value.count("/") != 1:
                hint = "type slrt=ATTACKER/DEFENDER, or slrt.attacker= and slrt.defender="
                raise AnswerError(name, InputError(f"{value!r} is not one die for each side", hint=hint))
            found_names = {f"slrt.{role}": roll for role, roll in zip(SIDES, value.split("/"), strict=True)}
        elif name in ("losses", "modifier"):
            found_names = {f"{name}.attacker": value}
        elif what == "ec" and whose in places:
            found_names = {f"ec.{places[whose]}": value}
        elif name in names:
            found_names = {name: value}
        else:
            hint = nearest(name, names | {f"ec.{unit}" for unit in places})
            raise AnswerError(name, InputError("nothing of that name is asked", hint=hint))
        for canonical_name, answer_to in found_names.items():
            if canonical_name in typed:
                what_else = typed[canonical_name][0]
                raise AnswerError(name, InputError(f"answers {canonical_name}, which {what_else} answers already"))
            typed[canonical_name] = (name, answer_to)
    return typed


def verdict_after(result: BattleResult, asks: tuple[Ask, ...]) -> Verdict:
    """The verdict once dice are given: what happened, or what has still to be rolled, chosen or known."""
    figures: dict[str, object] = {"column": result.column, "magnitude": result.magnitude}
    after = result.outcome
    if asks or after is None:
        cells = [ask for ask in asks if ask.kind == "cell"]
        figures["due"] = [ask.name for ask in asks]
        if cells:
            return Verdict("undecided", "undecided: column {column}, {magnitude}; chart cells missing: {due}", figures)
        return Verdict("figure", "column {column}, {magnitude}; next: {due}", figures)
    figures |= {
        "attacker_steps": after.attacker_steps,
        "defender_steps": after.defender_steps,
        "crt": after.crt,
        "failed": [check.force for check in after.checks if not check.passed],
        "vacated": after.vacated,
    }
    text = (
        "column {column}, {magnitude}, result {crt}: attacker loses {attacker_steps:#step}, defender {defender_steps}; "
        "failed checks: {failed}; defender leaves the hex: {vacated}"
    )
    return Verdict("figure", text, figures)


# --- chances ----------------------------------------------------------------------------------------------------------


def first_option(choice: Choice) -> str:
    """What settles a choice before the dice: the option listed first, as the side's policy has put them in order."""
    return next(iter(choice.options))


def _before_the_dice(
    view: View, found: Engagement, result: BattleResult, parts: list[Part], of: Conditions
) -> Report[BattleResult]:
    procedure = resolution(of, view.cell)
    roll = procedure(Start())
    asks: list[Ask] = [ask_for(roll)] if isinstance(roll, Roll) else []
    try:
        every = chances(procedure, Start(), first_option)
    except UnknownCells as unknown:
        by_chart: dict[str, int] = {}
        for chart, _ in unknown.cells:
            by_chart[chart] = by_chart.get(chart, 0) + 1
        steps = [
            Step(
                view.game.chart(chart).rule,
                "no chances: {cells} cells of the {chart} are not known; state them (the first: {how}), or accept "
                "reconstruction",
                {
                    "cells": count,
                    "chart": view.game.chart(chart).title,
                    "how": ask_for_cell(view.game, chart, *next(k for c, k in unknown.cells if c == chart)).how,
                },
            )
            for chart, count in by_chart.items()
        ]
        parts.append(Part("Chances", tuple(steps)))
    else:
        result = msgspec.structs.replace(result, chances=battle_chances(of, every))
        parts.append(chances_part(result.chances))
    text = "column {column}, {magnitude}; roll {dice}"
    verdict = Verdict("figure", text, {"column": result.column, "magnitude": result.magnitude, "dice": "2d6"})
    return _report(view, found, verdict, tuple(parts), result, tuple(asks))


def battle_chances(of: Conditions, every: Chances) -> BattleChances:
    """The chances that players ask for, out of all that can come of a combat."""
    forces = []
    for role in SIDES:
        for stack in of.forces[role].values():
            for force in stack:
                if all(unit.arm == "artillery" for unit in force.units):
                    continue
                name = force.name
                forces.append(
                    ForceChances(
                        force=name,
                        passes=every.probability(lambda passes: passes is True, f"{name}.passes"),
                        retreats=every.probability(lambda hexes: bool(hexes), f"{name}.retreat"),
                        disordered=every.probability(partial(_is_over, _disorder(force.units)), f"{name}.disorder"),
                        mean_cel=every.mean(f"{name}.cel"),
                        mean_steps=every.mean(f"{name}.steps"),
                    )
                )
    named = {role: NamedPolicy(of.policy(role).name, of.policy(role).meaning) for role in SIDES}
    return BattleChances(
        crt=tuple(sorted(every.likelihoods("crt"), key=lambda one: -one.chance)),
        attacker_losses=every.likelihoods("attacker.losses"),
        defender_losses=every.likelihoods("defender.losses"),
        attacker_steps=every.likelihoods("attacker.steps"),
        defender_steps=every.likelihoods("defender.steps"),
        defender_retreat=every.likelihoods("defender.retreat"),
        vacates=every.probability(lambda leaves: leaves is True, "defender.vacates"),
        forces=tuple(forces),
        situations=every.situations,
        attacker_policy=named["attacker"],
        defender_policy=named["defender"],
    )


def _is_over(before: int, degree: int | None) -> bool:
    return (degree or 0) > before


def _disorder(units: tuple[CombatUnit, ...]) -> int:
    return max(unit.disorder for unit in units)


def picture(view: View, found: Report[BattleResult]) -> str:
    """The hexes of the combat, as SVG."""
    from .pictures import battle_picture

    return battle_picture(view, found)


def chart(found: Report[BattleResult]) -> Scene | None:
    """The chances of the combat as a picture, None without any."""
    from .pictures import battle_chart

    return battle_chart(found)


QUESTION = Question(
    name="battle",
    title="column, shifts, magnitude and chances of a combat, or the result of these dice",
    parameters=BattleParameters,
    result=BattleResult,
    answer=answer,
    answers={
        "crt": "the roll on the Combat Results Table",
        "slrt": "both sides' rolls on the Step Loss Results Table, as ATTACKER/DEFENDER",
        "slrt.SIDE": "one side's: attacker or defender",
        "losses": "the units of the attacker that take its step losses, one name a step, joined by commas",
        "losses.SIDE": "the same of either side",
        "losses.FORCE": "the units of a Force that take the steps of its check",
        "losses.fortresses": "the fortress units that lose steps in place of hexes of retreat, likewise",
        "modifier": "the Force of the attacker that takes the modifier of its roll for step losses on its check",
        "modifier.SIDE": "the same of either side",
        "ec.HEX": "the Effectiveness Check of a stack, by its hex or one of its units",
    },
    picture=picture,
    chart=chart,
)
