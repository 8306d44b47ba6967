"""The parameters and the typed result of a Repulse, and its report in words (8.5)."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

import msgspec

from assistant.mechanics.procedure import Modifier
from assistant.questions import Parameters, Part, PlaceName, UnitName, Verdict, note, step, verdict

from ...results.repulse import HEXES
from ...retreat.cost import Cause


class RepulseParameters(Parameters, frozen=True):
    """A Repulse to be looked at."""

    at: Annotated[PlaceName, note("the hex to be cleared")]
    from_: Annotated[PlaceName, note("the hex of the Force that attempts it")] = msgspec.field(name="from")
    units: Annotated[tuple[UnitName, ...], note("that Force, if there are others in its hex")] = ()
    withhold: Annotated[tuple[UnitName, ...], note("defenders that stay out")] = ()
    during: Annotated[Literal["movement", "retreat"], note("movement or retreat")] = "movement"
    points: Annotated[float | None, note("Movement Points that the Force has left, in movement")] = None
    cause: Annotated[Cause, note("cause of the retreat: crt, check or repulse")] = "crt"
    tried: Annotated[bool, note("whether the retreating stack has attempted one in this retreat")] = False
    flanked: Annotated[bool | None, note("whether the defender is flanked; if not stated, the position decides")] = None
    shift: Annotated[int, note("further odds columns, positive to the right")] = 0


class RepulseCheck(msgspec.Struct, frozen=True, kw_only=True):
    """A defending Force and its unmodified check."""

    force: Annotated[str, note("the Force, named by its first unit")]
    cel: Annotated[int, note("Combat Effectiveness Level against which it checks")]
    fails: Annotated[Fraction, note("the chance that it fails")]
    passed: Annotated[bool | None, note("whether it passed, null before the dice")] = None
    failed_by: Annotated[int | None, note("by how much it failed, 0 for a pass, null before the dice")] = None
    levels: Annotated[int, note("levels that its check has cost it, 0 before the dice")] = 0
    steps: Annotated[int, note("steps that its check has cost it, 0 before the dice")] = 0


class RepulseResult(msgspec.Struct, frozen=True, kw_only=True):
    """A Repulse."""

    at: Annotated[str, note("the hex to be cleared")]
    force: Annotated[tuple[str, ...], note("the units that attempt it")]
    attack: Annotated[int, note("the attacker's total strength")]
    defence: Annotated[int, note("the defender's total strength")]
    initial: Annotated[str, note("odds before shifts")]
    final: Annotated[str, note("odds after shifts")]
    shifts: Annotated[tuple[Modifier, ...], note("each column shift")]
    needs: Annotated[Literal["automatic", "roll", "hopeless"], note("automatic, roll, or hopeless")]
    chance: Annotated[Fraction | None, note("chance that it succeeds, null without the chart")] = None
    crt: Annotated[str, note("the cell rolled, empty without a roll")] = ""
    repulsed: Annotated[bool | None, note("whether it succeeded, null before the dice")] = None
    checks: Annotated[tuple[RepulseCheck, ...], note("the Effectiveness Checks of the defending Forces")] = ()
    losses: Annotated[
        dict[str, int], note("steps that the attacking units lose, empty while their owner has to choose")
    ] = {}
    cost: Annotated[int, note("Movement Points that the attempt costs the Force")] = 0
    points: Annotated[Fraction | None, note("Movement Points that it has left afterwards, null if not stated")] = None


def in_a_line(result: RepulseResult, *, stuck: bool) -> Verdict:
    """The Repulse in a line. stuck: whether the cell that was rolled is not known."""
    if stuck:
        text = "undecided: odds of {final}, and the cell of the Combat Results Table is not known"
        return verdict("undecided", text, result)
    if result.repulsed:
        failed = [check.force for check in result.checks if check.passed is False]
        text = "the stack in {at} is repulsed and retreats {hexes:#hex}; failed checks: {failed}"
        return verdict("yes", text, result, hexes=HEXES, failed=failed)
    if result.repulsed is False:
        then = "steps lost: {losses}" if result.losses else "its owner chooses which unit loses a step"
        return verdict("no", f"the Repulse fails; {then}", losses=list(result.losses))
    if result.needs == "automatic":
        return verdict("yes", "odds of {final}: the Repulse succeeds without a roll", result)
    how = "roll on the Combat Results Table" if result.chance is None else "{chance:%} chance of success"
    return verdict("figure", "odds of {final}: " + how, result)


def needs_part(result: RepulseResult, during: str) -> Part:
    """What the odds mean, and what it is about."""
    texts = {
        "hopeless": "{final} is less than 3:1: it fails without a roll",
        "automatic": "{final} is 7:1 or better: it succeeds without a roll",
        "roll": "{final}: it succeeds if the Combat Results Table has the defender retreat",
    }
    steps = [step("8.5.2", texts[result.needs], result)]
    if during == "movement":
        left = "" if result.points is None else ", of which {points} are left"
        steps.append(step("8.5.1", "the attempt costs the Force {cost:#Movement Point}" + left, result))
    text = "{force} would check against {cel} without modifiers, with a {fails:%} chance to fail"
    return Part("Repulse", (*steps, *(step("8.5.3", text, check) for check in result.checks)))


def outcome_part(result: RepulseResult, during: str) -> Part:
    """What came of it for each side, and what those who tried may do then; nothing before the dice."""
    if result.repulsed is None:
        return Part("Outcome", ())
    if result.repulsed:
        text = "all that stand in {at} retreat {hexes:#hex}: their owner says where (ask retreat at={at})"
        steps = [step("8.5.3", text, result, hexes=HEXES)]
        for check in result.checks:
            if check.passed is not None:
                failed = "{force} fails by {failed_by}: {levels:#level}, {steps:#step}"
                text = "{force} passes" if check.passed else failed
                steps.append(step("8.5.3", text, check))
        on = "the Force may move on" if during == "movement" else "the Force goes on with its retreat"
        return Part("Outcome", (*steps, step("8.5.3", on)))
    text = "units that took part and lose a step: {losses}" if result.losses else "the Force loses a step"
    stays = "it moves no further, but may place a Prepared Attack marker or work on a position"
    retreats = "it has to retreat on, or is Unable to Retreat (11.2.6)"
    then = stays if during == "movement" else retreats
    return Part("Outcome", (step("8.5.4", text, losses=list(result.losses)), step("8.5.4", then)))
