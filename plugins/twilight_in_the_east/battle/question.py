"""The question `battle`: column, shifts, magnitude, chances before the dice, and the result of these dice."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import msgspec

from assistant.mechanics.chances import Chances, UnknownCells, chances
from assistant.mechanics.procedure import AnswerError, Roll, first_option, resolve
from assistant.questions.question import Answers, Question
from assistant.questions.report import Ask, Part, Report, Step, Verdict, ask_for
from assistant.questions.view import View, ask_for_cell, asks_of
from assistant.state.changes import Change
from assistant.util.errors import InputError, nearest

from ..combat.engagement import BattleParameters, Engagement
from ..combat.legality import armies_unsaid, formations_unsaid, out_of_turn, refusals
from ..combat.rulings import agreed
from ..combat.setup import engage
from ..forces.units import SIDES, CombatUnit
from ..ground.calendar import weather_left_out
from ..ground.improved_positions import after_moves
from ..ground.zones import unsaid_step
from ..results.outcome import advancing, changes, outcome, outcome_parts
from ..results.policies import policies
from ..results.resolution import Combat, resolution
from ..results.rulings import on_the_dice
from ..results.states import Start
from .reckoning import weigh
from .record import remembered, with_points
from .report import chances_part, odds_part, size_part, strength_part
from .result import BattleChances, BattleResult, ForceChances, NamedPolicy
from .what_if import help_part, next_column, optional_units

if TYPE_CHECKING:
    from assistant.drawing.scene import Scene


def answer(view: View, parameters: BattleParameters, answers: Answers) -> Report[BattleResult]:
    """The report on a combat: before the dice its exact chances, with dice what they lead to.

    Raises MissingFacts for whatever the rules need and nobody stated, InputError for a combat that cannot be named.

    Rule: 10.2.1a, 10.2.1b
    """
    engagement = engage(view, parameters)
    refused = [*refusals(engagement, view.board.neighbours(engagement.at)), *out_of_turn(engagement)]
    if refused:
        verdict = Verdict("no", "this attack is not allowed, for {reasons:#reason}", {"reasons": len(refused)})
        return _report(view, engagement, verdict, parts=(Part("Not allowed", tuple(refused)),))
    _, combat = weigh(engagement)
    engagement = engagement._replace(readings=agreed(view, engagement.readings, on_the_dice(combat)))
    result, combat = weigh(engagement)
    combat = combat._replace(policies=policies(engagement, parameters))
    parts = [strength_part(engagement, result), odds_part(result), size_part(result)]
    granted = [*weather_left_out(view), *armies_unsaid(engagement), *formations_unsaid(engagement)]
    if engagement.ring.unsaid and engagement.around.held >= 3:
        granted.append(unsaid_step(engagement.ring.unsaid))
    if granted:
        parts.append(Part("Taken for granted", tuple(granted)))
    procedure = resolution(combat, view.cell)
    if not answers:
        result = msgspec.structs.replace(
            result,
            next_column=next_column(result.attacker.total, result.defender.total),
            optional=optional_units(view, parameters, engagement, lambda other: weigh(other)[0]),
        )
        parts += [part for part in (help_part(result),) if part]
        return _before_the_dice(view, engagement, result, parts, combat)
    typed = canonical(engagement, answers)
    try:
        resolved = resolve(procedure, Start(), {name: value for name, (_, value) in typed.items()})
    except AnswerError as error:
        raise AnswerError(typed[error.name][0], error) from None
    after = outcome(combat, resolved)
    asks = tuple(asks_of(view.game, resolved.pending))
    if after.vacated is False or (after.vacated and not asks):
        after = advancing(combat, after)
    todo: tuple[Change, ...] = ()
    if not asks:
        after = with_points(combat, after, result.shifts)
        todo = changes(view, combat, after)
        todo = (*todo, *after_moves(view, todo), *remembered(view, combat, after))
    result = msgspec.structs.replace(result, outcome=after)
    verdict = verdict_after(result, asks)
    return _report(view, engagement, verdict, (*parts, *outcome_parts(combat, after)), result, asks, todo)


def _report(
    view: View,
    engagement: Engagement,
    verdict: Verdict,
    parts: tuple[Part, ...] = (),
    result: BattleResult | None = None,
    asks: tuple[Ask, ...] = (),
    todo: tuple[Change, ...] = (),
) -> Report[BattleResult]:
    places = ", ".join(dict.fromkeys(unit.place for unit in engagement.attackers))
    return Report(
        game=view.game.id,
        question=QUESTION.name,
        title=f"Battle at {engagement.at}, attacked from {places}, GT {engagement.turn}",
        verdict=verdict,
        parts=parts,
        asks=asks,
        changes=todo,
        result=result,
    )


# --- dice -------------------------------------------------------------------------------------------------------------


def canonical(engagement: Engagement, answers: Answers) -> dict[str, tuple[str, str]]:
    """Answers under the names that the procedure uses, each with the name under which it was typed.

    `slrt=3/4` rolls for both sides; `losses=` is the attacker's; a stack's check may be named after any of its units.
    Raises InputError for an answer to nothing, with the nearest name.
    """
    names = {"crt", "losses.fortresses"} | {
        f"{what}.{role}" for what in ("slrt", "losses", "modifier") for role in SIDES
    }
    places = {unit.id: unit.place for role in SIDES for unit in engagement.side(role)}
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


def _before_the_dice(
    view: View, engagement: Engagement, result: BattleResult, parts: list[Part], combat: Combat
) -> Report[BattleResult]:
    procedure = resolution(combat, view.cell)
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
        result = msgspec.structs.replace(result, chances=battle_chances(combat, every))
        parts.append(chances_part(result.chances))
    text = "column {column}, {magnitude}; roll {dice}"
    verdict = Verdict("figure", text, {"column": result.column, "magnitude": result.magnitude, "dice": "2d6"})
    return _report(view, engagement, verdict, tuple(parts), result, tuple(asks))


def battle_chances(combat: Combat, every: Chances) -> BattleChances:
    """The chances that players ask for, out of all that can come of a combat."""
    forces = []
    for role in SIDES:
        for stack in combat.forces[role].values():
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
    named = {role: NamedPolicy(combat.policy(role).name, combat.policy(role).meaning) for role in SIDES}
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


def picture(view: View, report: Report[BattleResult]) -> str:
    """The hexes of the combat, as SVG."""
    from .picture import battle_picture

    return battle_picture(view, report)


def chart(report: Report[BattleResult]) -> Scene | None:
    """The chances of the combat as a picture, None without any."""
    from .picture import battle_chart

    return battle_chart(report)


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
