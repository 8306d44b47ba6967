"""The parameters and the typed result of a Repulse, and its report in words (8.5)."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

import msgspec

from assistant.mechanics.odds import Odds
from assistant.mechanics.procedure import Modifier, Resolution, Stuck
from assistant.questions.question import PlaceName, UnitName
from assistant.questions.report import Part, Step, Verdict
from assistant.util.notes import note

from ...retreat.cost import Cause

LEAST, CERTAIN = Odds.parse("3:1"), Odds.parse("7:1")
"""The odds from which a Repulse is rolled for, and from which it succeeds by itself (8.5.2)."""
COST = 1
"""Movement Points for an attempt in movement (8.5.1)."""
HEXES = 2
"""How far a repulsed stack retreats (8.5.3)."""


class RepulseParameters(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A Repulse to be looked at."""

    at: Annotated[PlaceName, note("the hex to be cleared")]
    from_: Annotated[PlaceName, note("the hex of the Force that attempts it")] = msgspec.field(name="from")
    units: Annotated[tuple[UnitName, ...], note("that Force, if there are others in its hex")] = ()
    withhold: Annotated[tuple[UnitName, ...], note("defenders that stay out")] = ()
    during: Annotated[Literal["movement", "retreat"], note("movement or retreat")] = "movement"
    points: Annotated[float | None, note("Movement Points that the Force has left, in movement")] = None
    cause: Annotated[Cause, note("of the retreat, crt, check or repulse")] = "crt"
    tried: Annotated[bool, note("whether the retreating stack has attempted one in this retreat")] = False
    flanked: Annotated[bool | None, note("yes or no where the map shows more than the position")] = None
    shift: Annotated[int, note("further odds columns, to the right positive")] = 0


class RepulseCheck(msgspec.Struct, frozen=True, kw_only=True):
    """A defending Force and its unmodified check."""

    force: Annotated[str, note("by its first unit")]
    cel: Annotated[int, note("against which it checks")]
    fails: Annotated[Fraction, note("the chance that it fails")]
    passed: Annotated[bool | None, note("how it fell, null before the dice")] = None
    levels: Annotated[int, note("what failing costs it")] = 0
    steps: Annotated[int, note("what failing costs it")] = 0


class RepulseResult(msgspec.Struct, frozen=True, kw_only=True):
    """A Repulse."""

    at: Annotated[str, note("the hex to be cleared")]
    force: Annotated[tuple[str, ...], note("the units that attempt it")]
    attack: Annotated[int, note("total strengths")]
    defence: Annotated[int, note("total strengths")]
    initial: Annotated[str, note("odds before and after shifts")]
    final: Annotated[str, note("odds before and after shifts")]
    shifts: Annotated[tuple[Modifier, ...], note("each of them")]
    needs: Annotated[Literal["automatic", "roll", "hopeless"], note("automatic, roll, or hopeless")]
    chance: Annotated[Fraction | None, note("that it succeeds, null without the chart")] = None
    crt: Annotated[str, note("the cell rolled, empty without a roll")] = ""
    repulsed: Annotated[bool | None, note("how it ended, null before the dice")] = None
    checks: Annotated[tuple[RepulseCheck, ...], note("of the defending Forces")] = ()
    losses: Annotated[dict[str, int], note("steps of the attacking units, empty while their owner has to choose")] = {}
    cost: Annotated[int, note("Movement Points that the attempt costs the Force")] = 0
    points: Annotated[Fraction | None, note("that it has left afterwards, null where nobody says what it had")] = None


def verdict_of(result: RepulseResult, resolved: Resolution) -> Verdict:
    """The Repulse in a line."""
    if unknown := [node.cell for node in resolved.pending if isinstance(node, Stuck)]:
        due = [" ".join(map(str, (chart, *key))) for chart, key in unknown]
        return Verdict(
            "undecided", "undecided: odds of {final}; chart cells missing: {due}", {"final": result.final, "due": due}
        )
    figures: dict[str, object] = {"final": result.final, "chance": result.chance, "at": result.at}
    if result.repulsed is not None:
        failed = [check.force for check in result.checks if check.passed is False]
        text = "the stack in {at} is repulsed and retreats {hexes:#hex}; failed checks: {failed}"
        lost = "the Repulse fails; " + ("steps lost: {losses}" if result.losses else "its owner says who loses a step")
        figures |= {"hexes": HEXES, "failed": failed, "losses": list(result.losses)}
        return Verdict("yes" if result.repulsed else "no", text if result.repulsed else lost, figures)
    if result.needs == "automatic":
        return Verdict("yes", "odds of {final}: the Repulse succeeds by itself", figures)
    if result.chance is None:
        return Verdict("figure", "odds of {final}: roll on the Combat Results Table", figures)
    return Verdict("figure", "odds of {final}: succeeds at {chance:%}", figures)


def needs_part(result: RepulseResult, during: str) -> Part:
    """What the odds mean, and what it is about."""
    figures: dict[str, object] = {"final": result.final}
    texts = {
        "hopeless": "{final} is less than {least}: it fails without a roll",
        "automatic": "{final} is {certain} or better: it succeeds without a roll",
        "roll": "{final}: it succeeds if the Combat Results Table has the defender retreat",
    }
    steps = [Step("8.5.2", texts[result.needs], figures | {"least": str(LEAST), "certain": str(CERTAIN)})]
    if during == "movement":
        text = "the attempt costs the Force {cost:#Movement Point}"
        text += "" if result.points is None else ", of which {points} are left"
        steps.append(Step("8.5.1", text, {"cost": result.cost, "points": result.points}))
    for check in result.checks:
        told = {"force": check.force, "cel": check.cel, "fails": check.fails}
        steps.append(Step("8.5.3", "{force} would check against {cel} without modifiers and fail at {fails:%}", told))
    return Part("Repulse", tuple(steps))


def outcome_part(result: RepulseResult, during: str) -> Part:
    """What came of it, for each side, and what those may do who tried."""
    steps = []
    if result.repulsed:
        steps.append(Step("8.5.3", "all that stand in {at} retreat {hexes:#hex}", {"at": result.at, "hexes": HEXES}))
        for check in result.checks:
            figures = {"force": check.force, "levels": check.levels, "steps": check.steps}
            if check.passed is not None:
                text = "{force} passes" if check.passed else "{force} fails: {levels:#level}, {steps:#step}"
                steps.append(Step("8.5.3", text, figures))
        on = "the Force may move on" if during == "movement" else "the Force goes on with its retreat"
        steps.append(Step("8.5.3", on))
    elif result.repulsed is False:
        text = "who took part loses a step: {losses}" if result.losses else "the Force loses a step"
        steps.append(Step("8.5.4", text, {"losses": list(result.losses)}))
        stays = "it moves no further, but may place a Prepared Attack marker or work on a position"
        steps.append(
            Step("8.5.4", stays if during == "movement" else "it has to retreat on, or is Unable to Retreat (11.2.6)")
        )
    return Part("Outcome", tuple(steps))
