"""What is said of a Repulse: what it needs, and what came of it (8.5)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, Literal

import msgspec

from assistant.asking import Part, Verdict, note, step, verdict
from assistant.mechanics.procedure import Modifier

from ..forces.falling import falling_steps
from ..forces.spending import MovementSpending, spending_step
from .rules import HEXES


class RepulseCheck(msgspec.Struct, frozen=True, kw_only=True):
    """A defending Force and its unmodified check."""

    force: Annotated[str, note("the Force, named by its first unit")]
    cel: Annotated[int, note("Combat Effectiveness Level against which the Force checks")]
    fails: Annotated[Fraction, note("the chance that the Force fails its check")]
    passed: Annotated[bool | None, note("whether the Force passed its check, null until rolled")] = None
    failed_by: Annotated[int | None, note("by how much the check failed, 0 for a pass, null until rolled")] = None
    levels: Annotated[int, note("Combat Effectiveness Levels that the check has cost the Force, 0 until rolled")] = 0
    steps: Annotated[int, note("steps that the check has cost the Force, 0 until rolled")] = 0


class RepulseResult(msgspec.Struct, frozen=True, kw_only=True):
    """A Repulse."""

    at: Annotated[str, note("the hex to be cleared")]
    force: Annotated[tuple[str, ...], note("the units that attempt the Repulse")]
    attack: Annotated[int, note("the attacker's total strength")]
    defence: Annotated[int, note("the defender's total strength")]
    initial: Annotated[str, note("odds before shifts")]
    final: Annotated[str, note("odds after shifts")]
    shifts: Annotated[tuple[Modifier, ...], note("each column shift")]
    shift_places: Annotated[
        tuple[tuple[str, ...], ...],
        note("where the cause of each shift lies: hexsides or hexes, empty for the combat as a whole"),
    ] = ()
    needs: Annotated[Literal["automatic", "roll", "hopeless"], note("automatic, roll, or hopeless")]
    chance: Annotated[Fraction | None, note("chance that the Repulse succeeds, null without the chart")] = None
    crt: Annotated[str, note("the cell rolled, empty without a roll")] = ""
    repulsed: Annotated[bool | None, note("whether the Repulse succeeded, null until rolled")] = None
    checks: Annotated[tuple[RepulseCheck, ...], note("the Effectiveness Checks of the defending Forces")] = ()
    losses: Annotated[dict[str, int], note("steps that the attacking units lose, empty until their owner chooses")] = {}
    fallen: Annotated[tuple[str, ...], note("units of the stack that are destroyed because they never retreat")] = ()
    cost: Annotated[int, note("Movement Points that the attempt costs the Force")] = 0
    points: Annotated[Fraction | None, note("Movement Points that the Force then has left, null if not stated")] = None


def choose_verdict(result: RepulseResult, *, stuck: bool) -> Verdict:
    """Return the Repulse in a line. stuck: whether the cell that was rolled is not known."""
    if stuck:
        text = "undecided: odds of {final}, but the cell of the Combat Results Table is not known"
        return verdict("undecided", text, result)
    if result.repulsed:
        failed = [check.force for check in result.checks if check.passed is False]
        text = (
            "the stack in {at} is repulsed and retreats {hexes:#hex}; failed checks: {failed}"
            "[fallen:; destroyed: {fallen}]"
        )
        return verdict("yes", text, result, hexes=HEXES, failed=failed)
    if result.repulsed is False:
        text = "the Repulse fails; [losses:steps lost: {losses}|its owner chooses which unit loses a step]"
        return verdict("no", text, losses=list(result.losses))
    if result.needs == "automatic":
        return verdict("yes", "odds of {final}: the Repulse succeeds without a roll", result)
    text = "odds of {final}: [charted:{chance:%} chance of success|roll on the Combat Results Table]"
    return verdict("figure", text, result, charted=result.chance is not None)


def needs_part(result: RepulseResult, during: str, prices: Sequence[MovementSpending] = ()) -> Part:
    """Return what the odds mean, and what it is about. prices: what each stack spends on it."""
    texts = {
        "hopeless": "{final} is less than 3:1: it fails without a roll",
        "automatic": "{final} is 7:1 or better: it succeeds without a roll",
        "roll": "{final}: it succeeds if the Combat Results Table has the defender retreat",
    }
    steps = [step("8.5.2", texts[result.needs], result)]
    if during == "movement":
        text = "the attempt costs the Force {cost:#Movement Point}[counted:, of which {points} are left]"
        steps.append(step("8.5.1", text, result, counted=result.points is not None))
        steps += [spending_step(spends) for spends in prices if spends.march]
    text = "{force} would check against {cel} without modifiers, with a {fails:%} chance to fail"
    return Part("Repulse", (*steps, *(step("8.5.3", text, check) for check in result.checks)))


OUTCOME = "Outcome"


def outcome_part(result: RepulseResult, during: str) -> Part:
    """Return what came of it for each side, and what those who tried may do then; nothing before the dice."""
    if result.repulsed is None:
        return Part(OUTCOME, ())
    if result.repulsed:
        text = "all [fallen:other ]units in {at} retreat {hexes:#hex}: their owner chooses where (ask retreat at={at})"
        steps = [step("8.5.3", text, result, hexes=HEXES), *falling_steps(result.fallen)]
        for check in result.checks:
            if check.passed:
                steps.append(step("8.5.3", "{force} passes", check))
            elif check.passed is False:
                steps.append(step("8.5.3", "{force} fails by {failed_by}: {levels:#level}, {steps:#step}", check))
        text = "the Force [moving:may move on|continues its retreat]"
        return Part(OUTCOME, (*steps, step("8.5.3", text, moving=during == "movement")))
    text = "[losses:units that took part and lose a step: {losses}|the Force loses a step]"
    then = (
        "it [moving:moves no further, but may place a Prepared Attack marker or work on a position|"
        "must continue its retreat, or is Unable to Retreat (11.2.6)]"
    )
    steps = [step("8.5.4", text, losses=list(result.losses)), step("8.5.4", then, moving=during == "movement")]
    return Part(OUTCOME, tuple(steps))
