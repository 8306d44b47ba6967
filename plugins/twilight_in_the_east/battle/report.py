"""A combat before the dice in words: strengths, column, magnitude, chances."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from assistant.mechanics.chances import Likelihood
from assistant.questions.report import Part, Step

from ..combat.engagement import Engagement
from .result import BattleChances, BattleResult


def strength_part(engagement: Engagement, result: BattleResult) -> Part:
    """Strengths, unit by unit."""
    steps = []
    for role, side in (("attacker", result.attacker), ("defender", result.defender)):
        figures: dict[str, object] = {"role": role, "commands": list(side.points)}
        steps.append(Step("10.5.1", "{role}: AP allocated to {commands}", figures))
        if side.without:
            figures = {"role": role, "needed": side.points_needed, "units": list(side.without)}
            text = "{role}: {needed:#AP} would serve all, and two may be allocated; without: {units}"
            steps.append(Step("10.5.1", text, figures))
        for unit in side.units:
            text = "{unit} in {place}: {base}"
            if unit.halved or unit.lost:
                text = "{unit} in {place}: {printed}" + (" less {lost} lost" if unit.lost else "")
                text += (", halved" if unit.halved else "") + " is {base}"
            if unit.artillery:
                text += (
                    ", + {artillery} artillery = {strength}" if unit.lost else " + {artillery} artillery = {strength}"
                )
            names = ("unit", "place", "printed", "lost", "base", "artillery", "strength")
            figures = {name: getattr(unit, name) for name in names}
            rule = "10.6" if unit.halved else "3.4.1" if role == "attacker" else "3.4.2"
            steps.append(Step(rule, text, figures))
        steps.append(Step("4.5", "{role}: {total} in all", {"role": role, "total": side.total}))
    if engagement.idle:
        steps.append(
            Step(
                "10.1.4",
                "{units}: no AP, Displaced or without a combat unit, take no part",
                {"units": [unit.id for unit in engagement.idle]},
            )
        )
    return Part("Strengths", tuple(steps))


def odds_part(result: BattleResult) -> Part:
    """The ratio, each shift, and the column."""
    figures = {"attack": result.attacker.total, "defence": result.defender.total, "initial": result.initial}
    steps = [Step("4.4.1", "{attack}:{defence} rounds to {initial}", figures)]
    if not result.attacker.total or not result.defender.total:
        steps = [
            Step("10.7", "{attack}:{defence} has no ratio: the last column, {initial}, is taken unshifted", figures)
        ]
    if result.held_around:
        text = "{held_around} of the six hexes around {at} are held or in a zone, as typed: " + (
            "flanked" if result.flanked else "not flanked"
        )
        steps.append(Step("10.4.1", text, {"held_around": result.held_around, "at": result.at}))
    steps += [Step(s.rule, "{why}: {columns:+}", {"why": s.why, "columns": s.amount}) for s in result.shifts]
    if not result.shifts:
        steps.append(Step("10.8", "no shifts ({terrain} terrain)", {"terrain": result.terrain}))
    steps.append(
        Step(
            "10.7" if result.final != result.column else "10.8",
            "shifted by {net_shift:+} to {final}: column {column}" if result.net_shift else "column {column}",
            {"net_shift": result.net_shift, "final": result.final, "column": result.column},
        )
    )
    return Part("Odds and column", tuple(steps))


def size_part(result: BattleResult) -> Part:
    """Magnitude, and what is known of both rolls for losses."""
    steps = [
        Step(
            "10.10.1",
            "{attacking:#division} against {defending}, {divisions} in all: {magnitude}",
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


def policy_steps(chances: BattleChances) -> Iterator[Step]:
    """How the sides settle their choices, in one line where they do it alike."""
    attacker, defender = chances.attacker_policy, chances.defender_policy
    text = "({name}): {policy}"
    if attacker == defender:
        yield Step("10.2.1", "choices " + text, {"name": attacker.name, "policy": attacker.meaning})
        return
    for role, policy in (("attacker", attacker), ("defender", defender)):
        figures = {"role": role, "name": policy.name, "policy": policy.meaning}
        yield Step("10.2.1", "choices of the {role} " + text, figures)


def chances_part(chances: BattleChances | None) -> Part:
    """The chances in words."""
    assert chances is not None
    steps = list(policy_steps(chances))
    for rule, text, likelihoods in (
        ("10.9.1", "defender retreats by the result, hexes", chances.defender_retreat),
        ("11.1", "attacker loses in all, steps", chances.attacker_steps),
        ("11.1", "defender loses in all, steps", chances.defender_steps),
    ):
        steps.append(Step(rule, "{what}: {likelihoods}", {"what": text, "likelihoods": likelihoods}))
    for force in chances.forces:
        events = {"passed": force.passes, "retreat": force.retreats, "Disordered": force.disordered}
        figures = {"force": force.force, "likelihoods": events_of(events)}
        steps.append(Step("11.3", "{force}'s check: {likelihoods}", figures))
    steps.append(
        Step("11.4", "{likelihoods}", {"likelihoods": events_of({"defender leaves the hex": chances.vacates})})
    )
    return Part("Chances", tuple(steps))


def events_of(chances: Mapping[str, Fraction]) -> tuple[Likelihood, ...]:
    """Events in words, each with its chance."""
    return tuple(Likelihood(event, chance) for event, chance in chances.items())
