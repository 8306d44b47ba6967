"""The question `battle`: column, shifts, magnitude, chances before the dice, and the result of these dice."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

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
from .aftermath import BattleOutcome, changes, outcome, outcome_parts
from .engagement import BattleParameters, Engagement, engagement, refusals
from .resolution import Conditions, Start, conditions, resolution
from .units import CombatUnit, Role

SIDES: tuple[Role, Role] = ("attacker", "defender")


class UnitStrength(msgspec.Struct, frozen=True):
    """What one unit brings to a combat.

    unit: its id; place: its hex; command: its corps, or its hex if it is independent; steps: steps left; base: strength
    without artillery; artillery: artillery value that counts; strength: both together; halved: whether a river or a 1/2
    marker halves it; ap: whether it has an Artillery Ammunition Point.
    """

    unit: str
    place: str
    command: str
    steps: int
    base: Fraction
    artillery: Fraction
    strength: Fraction
    halved: bool
    ap: bool


class SideStrength(msgspec.Struct, frozen=True):
    """One side of a combat.

    units: what each brings; total: their strength, rounded once; artillery: their artillery value; divisions: what they
    count for the magnitude.
    """

    units: tuple[UnitStrength, ...]
    total: int
    artillery: Fraction
    divisions: Fraction


class Likelihood(msgspec.Struct, frozen=True):
    """One value of a quantity.

    value: the value; chance: its exact probability.
    """

    value: int | str | bool
    chance: Fraction


class ForceChances(msgspec.Struct, frozen=True):
    """What its check may do to one Force.

    force: its first unit; passes: chance that it passes; retreats: chance that its check makes it retreat; disordered:
    chance that its check Disorders it; mean_cel: mean of the levels that the check costs; mean_steps: mean of the steps.
    """

    force: str
    passes: Fraction
    retreats: Fraction
    disordered: Fraction
    mean_cel: Fraction
    mean_steps: Fraction


class BattleChances(msgspec.Struct, frozen=True):
    """Exact probabilities before the dice.

    crt: the cells of the Combat Results Table; attacker_losses, defender_losses: steps lost on the Step Loss Results
    Table; attacker_steps, defender_steps: these and the steps lost to checks; defender_retreat: hexes by the Combat
    Results Table; vacates: chance that the defender leaves the hex or is wiped out; forces: what the checks may do;
    situations: how many distinct situations were looked at; policy: how choices were settled.
    """

    crt: tuple[Likelihood, ...]
    attacker_losses: tuple[Likelihood, ...]
    defender_losses: tuple[Likelihood, ...]
    attacker_steps: tuple[Likelihood, ...]
    defender_steps: tuple[Likelihood, ...]
    defender_retreat: tuple[Likelihood, ...]
    vacates: Fraction
    forces: tuple[ForceChances, ...]
    situations: int
    policy: str


class BattleResult(msgspec.Struct, frozen=True, kw_only=True):
    """A combat: the odds and how they came about, the magnitude, and chances or the outcome of the dice.

    at: the defending hex; turn: the game turn; season: the tables in use; terrain: of the defending hex; position: level
    of its Improved Position, 0 for none; flanked: whether the defender is; attacker, defender: both sides' strengths;
    initial: the odds before shifts; shifts: each column shift, to the right positive; net_shift: their sum; final: the
    odds after shifts, beyond the chart's ends where they lead there; column: the column that is read; divisions: for the
    magnitude, both sides; magnitude: Small, Medium, Large or Massive; attacker_modifiers, defender_modifiers: what each
    side adds to its roll for step losses, before the combat's own result; chances: null once dice are given or while a
    chart cell is missing; outcome: null before the dice.
    """

    at: str
    turn: int
    season: str
    terrain: str
    position: int
    flanked: bool
    attacker: SideStrength
    defender: SideStrength
    initial: str
    shifts: tuple[Modifier, ...]
    net_shift: int
    final: str
    column: str
    divisions: Fraction
    magnitude: str
    attacker_modifiers: tuple[Modifier, ...]
    defender_modifiers: tuple[Modifier, ...]
    chances: BattleChances | None = None
    outcome: BattleOutcome | None = None


POLICY = "losses go to whom has lost least in this combat, then to the most steps left; +1 on a check goes to the Force that can best afford it"


def answer(view: View, parameters: BattleParameters, answers: Answers) -> Report[BattleResult]:
    """The report on a combat: before the dice its exact chances, with dice what they lead to.

    Raises MissingFacts for whatever the rules need and nobody stated, InputError for a combat that cannot be named.

    Rule: 10.2.1a, 10.2.1b
    """
    found = engagement(view, parameters)
    refused = refusals(found, view.board.neighbours(found.at))
    if refused:
        verdict = Verdict("no", "this attack is not allowed: {reasons}", {"reasons": [step.text for step in refused]})
        return _report(view, found, verdict, parts=(Part("Not allowed", tuple(refused)),))
    result, of = reckoned(found)
    parts = [strength_part(found, result), odds_part(result), size_part(result)]
    procedure = resolution(of, view.cell)
    if not answers:
        return _before_the_dice(view, found, result, parts, of)
    typed = canonical(found, answers)
    try:
        resolved = resolve(procedure, Start(), {name: value for name, (_, value) in typed.items()})
    except AnswerError as error:
        raise AnswerError(typed[error.name][0], error) from None
    after = outcome(of, resolved)
    result = msgspec.structs.replace(result, outcome=after)
    asks = tuple(asks_of(view.game, resolved.pending))
    verdict = verdict_after(result, asks)
    todo = changes(of, after) if not asks else ()
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

    Rule: 10.7, 10.8e, 10.10.1
    """
    attacker = side_strength(found, "attacker")
    defender = side_strength(found, "defender")
    initial = combat.initial_odds(attacker.total, defender.total)
    shifts = (
        *combat.shift_for_terrain(found.terrain, list(found.crossed.values()), found.shifts, found.river_shift),
        *combat.shift_for_prepared(found.attackers, found.at),
        *combat.shift_for_flank(found.flanked),
        *combat.shift_for_corps(found.attackers, found.several_corps),
        *combat.shift_for_position(found.position, found.attackers),
    )
    net = sum(shift.amount for shift in shifts) if defender.total > 0 and attacker.total > 0 else 0
    final: Odds = initial.shifted(net)
    size = magnitude.magnitude(attacker.divisions, defender.divisions)
    of = conditions(found, final, size)
    result = BattleResult(
        at=found.at,
        turn=found.turn,
        season=found.season,
        terrain=found.terrain,
        position=found.position,
        flanked=found.flanked,
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


def side_strength(found: Engagement, role: Role) -> SideStrength:
    """One side's strength, unit by unit, and its rounded total.

    Rule: 10.1.3a, 10.6.1, 4.5c
    """
    units = found.side(role)
    strengths = []
    for unit in units:
        across = found.crossed[unit.place] if role == "attacker" else frozenset[str]()
        whole = combat.attack_strength(unit, across) if role == "attacker" else combat.defence_strength(unit)
        guns = combat.artillery_value(unit, across) if unit.fssm == 0 else Fraction(0)
        strengths.append(
            UnitStrength(
                unit=unit.id,
                place=unit.place,
                command=combat.command_of(unit, units),
                steps=unit.left,
                base=whole - guns,
                artillery=guns,
                strength=whole,
                halved=unit.half if role == "defender" else bool(combat.GREAT_RIVERS & across),
                ap=unit.ap,
            )
        )
    total = combat.total([one.strength for one in strengths])
    return SideStrength(tuple(strengths), total, found.artillery(role), magnitude.divisions(units))


# --- dice -------------------------------------------------------------------------------------------------------------


def canonical(found: Engagement, answers: Answers) -> dict[str, tuple[str, str]]:
    """Answers under the names that the procedure uses, each with the name under which it was typed.

    `slrt=3/4` rolls for both sides; `losses=` is the attacker's; a stack's check may be named after any of its units.
    Raises InputError for an answer to nothing, with the nearest name.
    """
    names = {"crt"} | {f"{what}.{role}" for what in ("slrt", "losses", "modifier") for role in SIDES}
    places = {unit.id: unit.place for role in SIDES for unit in found.side(role)}
    names |= {f"ec.{place}" for place in places.values()}
    typed: dict[str, tuple[str, str]] = {}
    for name, value in answers.items():
        what, _, whose = name.partition(".")
        if name == "slrt" and value.count("/") == 1:
            for role, roll in zip(SIDES, value.split("/"), strict=True):
                typed[f"slrt.{role}"] = (name, roll)
        elif name in ("losses", "modifier"):
            typed[f"{name}.attacker"] = (name, value)
        elif what == "ec" and whose in places:
            typed[f"ec.{places[whose]}"] = (name, value)
        elif name in names:
            typed[name] = (name, value)
        else:
            hint = nearest(name, names | {f"ec.{unit}" for unit in places})
            raise AnswerError(name, InputError("nothing of that name is asked", hint=hint))
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
        return Verdict("figure", "column {column}, {magnitude}; still to come: {due}", figures)
    figures |= {
        "attacker_steps": after.attacker_steps,
        "defender_steps": after.defender_steps,
        "crt": after.crt,
        "failed": [check.force for check in after.checks if not check.passed],
        "vacated": after.vacated,
    }
    text = (
        "column {column}, {magnitude}, result {crt}: attacker loses {attacker_steps} steps, defender {defender_steps}; "
        "failed checks: {failed}; defender leaves the hex: {vacated}"
    )
    return Verdict("figure", text, figures)


# --- chances ----------------------------------------------------------------------------------------------------------


def first_option(choice: Choice) -> str:
    """The policy that settles choices before the dice: the option that the rules functions list first."""
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


def _likelihoods(every: Chances, name: str) -> tuple[Likelihood, ...]:
    return tuple(Likelihood(0 if value is None else value, chance) for value, chance in every.marginal(name).items())


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
    return BattleChances(
        crt=tuple(sorted(_likelihoods(every, "crt"), key=lambda one: -one.chance)),
        attacker_losses=_likelihoods(every, "attacker.losses"),
        defender_losses=_likelihoods(every, "defender.losses"),
        attacker_steps=_likelihoods(every, "attacker.steps"),
        defender_steps=_likelihoods(every, "defender.steps"),
        defender_retreat=_likelihoods(every, "defender.retreat"),
        vacates=every.probability(lambda leaves: leaves is True, "defender.vacates"),
        forces=tuple(forces),
        situations=every.situations,
        policy=POLICY,
    )


def _is_over(before: int, degree: int | None) -> bool:
    return (degree or 0) > before


def _disorder(units: tuple[CombatUnit, ...]) -> int:
    return max(unit.disorder for unit in units)


# --- parts of the report ----------------------------------------------------------------------------------------------


def strength_part(found: Engagement, result: BattleResult) -> Part:
    """Strengths, unit by unit."""
    steps = []
    for role, side in (("attacker", result.attacker), ("defender", result.defender)):
        commands = list(dict.fromkeys(unit.command for unit in side.units if unit.ap))
        steps.append(Step("10.5.1", "{role}: AP allocated to {commands}", {"role": role, "commands": commands}))
        for unit in side.units:
            text = "{unit} in {place}: {base}"
            if unit.artillery:
                text += " + {artillery} artillery = {strength}"
            if unit.halved:
                text += " (halved)"
            figures = {name: getattr(unit, name) for name in ("unit", "place", "base", "artillery", "strength")}
            rule = "10.6" if unit.halved else "3.4.1" if role == "attacker" else "3.4.2"
            steps.append(Step(rule, text, figures))
        steps.append(Step("4.5", "{role}: {total} in all", {"role": role, "total": side.total}))
    if found.idle:
        steps.append(Step("10.1.4", "{units}: no AP or Displaced, take no part", {"units": found.idle}))
    return Part("Strengths", tuple(steps))


def odds_part(result: BattleResult) -> Part:
    """The ratio, each shift, and the column."""
    figures = {"attack": result.attacker.total, "defence": result.defender.total, "initial": result.initial}
    steps = [Step("4.4.1", "{attack}:{defence} rounds to {initial}", figures)]
    steps += [Step(s.rule, "{why}: {columns:+}", {"why": s.why, "columns": s.amount}) for s in result.shifts]
    if not result.shifts:
        steps.append(Step("10.8", "no shifts ({terrain} terrain)", {"terrain": result.terrain}))
    steps.append(
        Step(
            "10.7" if result.final != result.column else "10.8",
            "shifted by {net_shift:+} to {final}: column {column}",
            {"net_shift": result.net_shift, "final": result.final, "column": result.column},
        )
    )
    return Part("Odds and column", tuple(steps))


def size_part(result: BattleResult) -> Part:
    """Magnitude, and what is known of both rolls for losses."""
    steps = [
        Step(
            "10.10.1",
            "{attacking} divisions against {defending}, {divisions} in all: {magnitude}",
            {
                "attacking": result.attacker.divisions,
                "defending": result.defender.divisions,
                "divisions": result.divisions,
                "magnitude": result.magnitude,
            },
        )
    ]
    for role, modifiers in (("attacker", result.attacker_modifiers), ("defender", result.defender_modifiers)):
        steps += [
            Step(m.rule, "{role}'s losses: {amount:+} {why}", {"role": role, "amount": m.amount, "why": m.why})
            for m in modifiers
        ]
    return Part("Magnitude and losses", tuple(steps))


def chances_part(found: BattleChances | None) -> Part:
    """The chances in words."""
    assert found is not None
    steps = [Step("10.2.1", "choices: {policy}", {"policy": found.policy})]
    for rule, text, likelihoods in (
        ("10.9.1", "defender retreats by the result", found.defender_retreat),
        ("11.1", "attacker loses in all, steps", found.attacker_steps),
        ("11.1", "defender loses in all, steps", found.defender_steps),
    ):
        listed = [f"{one.value} at {float(one.chance):.1%}" for one in likelihoods]
        steps.append(Step(rule, "{what}: {likelihoods}", {"what": text, "likelihoods": listed}))
    for force in found.forces:
        figures = {name: getattr(force, name) for name in force.__struct_fields__}
        text = "{force} passes its check at {passes:%}, retreats by it at {retreats:%}, is Disordered at {disordered:%}"
        steps.append(Step("11.3", text, figures))
    steps.append(Step("11.4", "defender leaves the hex at {vacates:%}", {"vacates": found.vacates}))
    return Part("Chances", tuple(steps))


QUESTION = Question(
    name="battle",
    title="column, shifts, magnitude and chances of a combat, or the result of these dice",
    parameters=BattleParameters,
    result=BattleResult,
    answer=answer,
)
