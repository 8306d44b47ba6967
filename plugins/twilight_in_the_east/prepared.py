"""The question `prepared`: every Prepared Attack marker of a position: whether it may lie there, and whom it binds (8.4, 10.3)."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from assistant.questions import Answers, Question
from assistant.report import Part, Report, Step, Verdict
from assistant.state import Unit
from assistant.view import Gather, View

from .cavalry import is_demoralized
from .zones import side_of

FREE = frozenset({"1-det 11", "2-det 11", "3-det 11"})
"""Austro-Hungarian detachments that a marker does not pin (6.4.4)."""


class PreparedParameters(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Nothing has to be said."""


class MarkerFound(msgspec.Struct, frozen=True, kw_only=True):
    """A Prepared Attack marker.

    unit: that bears it; place: its hex; target: the hex at which it points; wrong: why it could not be placed there now, empty
    if it could; rule: that forbids it; idle: why its unit cannot attack, empty if it can; must_attack: whether the unit has to attack that hex; pins: the enemies there that may not leave it
    in the Counter Movement Phase; armies: of all units whose markers point there, if they are of several.
    """

    unit: str
    place: str
    target: str
    wrong: str = ""
    rule: str = ""
    idle: str = ""
    must_attack: bool = False
    pins: tuple[str, ...] = ()
    armies: tuple[str, ...] = ()


class PreparedResult(msgspec.Struct, frozen=True):
    """The markers of a position. markers: each of them."""

    markers: tuple[MarkerFound, ...]


class Bearer(NamedTuple):
    """A unit with a marker: what it is, and where it points. demoralized: also if it is Disordered; idle: why it cannot attack."""

    unit: Unit
    side: str
    arm: str
    army: str
    target: str
    demoralized: bool
    idle: str = ""


def answer(view: View, parameters: PreparedParameters, answers: Answers) -> Report[PreparedResult]:
    """The report on all markers.

    Raises MissingFacts for what a unit with a marker is, if nobody stated it.

    Rule: 8.4b
    """
    del parameters, answers
    with view.gather() as facts:
        bearers = [bearer(facts, unit) for unit in view.units() if unit.place and facts.word("prepared", unit.id)]
    markers = tuple(marker(view, one, bearers) for one in bearers)
    result = PreparedResult(markers)
    return Report(
        game=view.game.id,
        question=QUESTION.name,
        title="Prepared Attacks",
        verdict=Verdict("figure", "{markers:#marker}, {due} of which oblige to attack", _figures(markers)),
        parts=(Part("Markers", tuple(step for one in markers for step in steps(one))),) if markers else (),
        result=result,
    )


def bearer(facts: Gather, unit: Unit) -> Bearer:
    """A unit with a marker."""
    army = facts.view.fact("army", unit.id)
    return Bearer(
        unit,
        side_of(facts, unit),
        facts.word("arm", unit.id),
        str(army.value) if army else "",
        facts.word("prepared", unit.id),
        is_demoralized(facts, unit),
        idle(facts, unit),
    )


def idle(facts: Gather, unit: Unit) -> str:
    """Why a unit that bears a marker cannot attack all the same, "" if it can (8.2.4, 8.2.5, 10.1.2)."""
    for track, why in (
        ("entrained", "it is in Rail Mode"),
        ("half", "it bears a 1/2 marker"),
        ("defence-only", "it never attacks"),
    ):
        if facts.flag(track, unit.id):
            return why
    return "it is Demoralized" if is_demoralized(facts, unit) else ""


def marker(view: View, one: Bearer, every: list[Bearer]) -> MarkerFound:
    """What a marker means: whether it may lie there, whether its unit has to attack, whom it pins.

    Rule: 8.4b, 8.4.2, 10.3b, 6.4.4
    """
    place = str(one.unit.place)
    rule, wrong = forbidden(view, one, every)
    there = view.stack(one.target) if rule != "8.4" else ()
    nations = {unit.id: view.fact("nation", unit.id) for unit in there}
    enemies = [name for name, fact in nations.items() if fact and view.game.side_of(str(fact.value)) != one.side]
    same = [other for other in every if other.target == one.target and other.side == one.side and other.army]
    armies = sorted({other.army for other in same})
    return MarkerFound(
        unit=one.unit.id,
        place=place,
        target=one.target,
        wrong=wrong,
        rule=rule,
        idle=one.idle,
        must_attack=bool(enemies) and not one.idle,
        pins=tuple(name for name in enemies if name not in FREE),
        armies=tuple(armies) if len(armies) > 1 else (),
    )


def forbidden(view: View, one: Bearer, every: list[Bearer]) -> tuple[str, str]:
    """Which rule forbids placing a marker and why: two empty texts if none does.

    Rule: 8.4.1
    """
    place = str(one.unit.place)
    if not view.board.is_hex(one.target) or one.target not in view.board.neighbours(place):
        return "8.4", f"{one.target} is not next to {place}"
    if one.arm not in ("infantry", "artillery"):
        return "8.4.1", "only infantry and artillery place such markers"
    if one.demoralized:
        return "8.4.1", "it is Demoralized"
    infantry = any(other.arm == "infantry" and other.target == one.target and other.side == one.side for other in every)
    if one.arm == "artillery" and not infantry:
        return "8.4.1", f"no friendly infantry has a marker on {one.target}"
    return "", ""


def steps(one: MarkerFound) -> list[Step]:
    """A marker in words.

    Rule: 8.4.2b
    """
    figures = {
        "unit": one.unit,
        "hex": one.target,
        "why": one.wrong,
        "units": list(one.pins),
        "armies": list(one.armies),
        "idle": one.idle,
    }
    found = []
    if one.wrong:
        found.append(Step(one.rule, "{unit} on {hex}: could not be placed now, {why}", figures))
        if one.rule == "8.4":
            return found
    if one.idle:
        return [*found, Step("10.1.2", "{unit} on {hex}: {idle}, and cannot attack", figures)]
    if not one.must_attack:
        text = "{unit} on {hex}: nobody is there; if nobody comes the marker comes off in the Attack Phase, and the unit may attack any hex "
        text += "next to it, but not advance there"
        return [*found, Step("10.3", text, figures)]
    found.append(Step("8.4", "{unit} has to attack {hex}", figures))
    if one.armies:
        found.append(
            Step(
                "10.3",
                "units of several armies ({armies}) point at {hex}: one army attacks, the others are withheld",
                figures,
            )
        )
    if one.pins:
        text = "{units} may not leave {hex} in the Counter Movement Phase but by Cavalry Reaction, and may there only work on a position, "
        text += "try a Repulse or incorporate Ersatz"
        found.append(Step("8.4.2", text, figures))
    return found


def _figures(markers: tuple[MarkerFound, ...]) -> dict[str, object]:
    return {"markers": len(markers), "due": sum(one.must_attack for one in markers)}


QUESTION = Question(
    name="prepared",
    title="which Prepared Attack markers may lie where they lie, and whom they bind",
    parameters=PreparedParameters,
    result=PreparedResult,
    answer=answer,
)
