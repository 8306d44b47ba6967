"""The question `prepared`: every Prepared Attack marker of a position: whether it may lie there, and whom it binds (8.4, 10.3)."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import msgspec

from assistant.field.standing import side_of
from assistant.questions.question import Answers, PlaceName, Question, UnitName
from assistant.questions.report import Ask, Part, Report, Step, Verdict
from assistant.questions.view import Gather, View, changed
from assistant.state.state import Unit
from assistant.util.errors import InputError
from assistant.util.notes import note

from ...forces.bars import bars
from ...forces.markers import FREE, bound_by_marker
from ...forces.reading import StatusRead, is_demoralized
from ...ground.hexsides import between, closed, uncrossed
from ...ground.phases import not_now

COST = 3
"""Movement Points for a marker (8.4)."""


class PreparedParameters(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The markers that lie, or one to be placed."""

    unit: Annotated[UnitName | None, note("that would place one")] = None
    at: Annotated[PlaceName | None, note("the hex at which it would point")] = None
    points: Annotated[float | None, note("Movement Points that it has left in the phase")] = None


class MarkerFound(msgspec.Struct, frozen=True, kw_only=True):
    """A Prepared Attack marker."""

    unit: Annotated[str, note("that bears it")]
    place: Annotated[str, note("its hex")]
    target: Annotated[str, note("the hex at which it points")]
    wrong: Annotated[str, note("why it could not be placed there now, empty if it could")] = ""
    rule: Annotated[str, note("that forbids it")] = ""
    idle: Annotated[str, note("why its unit cannot attack, empty if it can")] = ""
    must_attack: Annotated[bool, note("whether the unit has to attack that hex")] = False
    pins: Annotated[tuple[str, ...], note("the enemies there that may not leave it in the Counter Movement Phase")] = ()
    armies: Annotated[tuple[str, ...], note("of all units whose markers point there, if they are of several")] = ()


class PreparedResult(msgspec.Struct, frozen=True):
    """The markers of a position."""

    markers: Annotated[tuple[MarkerFound, ...], note("each of them")]
    placed: Annotated[MarkerFound | None, note("the one to be placed, null if none is or it may not be")] = None


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
    """The report on all markers, which oblige their units to attack as nothing else does, or on one to be placed.

    Raises MissingFacts for what a unit with a marker is, if nobody stated it, InputError for a unit that is not on the map.

    Rule: 8.4b, 10.1.2a
    """
    del answers
    with view.gather() as facts:
        bearers = [
            bearer(facts, unit, facts.word("prepared", unit.id))
            for unit in view.units()
            if unit.place and facts.word("prepared", unit.id)
        ]
    if parameters.unit is not None or parameters.at is not None:
        return placing(view, parameters, bearers)
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


def placing(view: View, parameters: PreparedParameters, bearers: list[Bearer]) -> Report[PreparedResult]:
    """The report on a marker to be placed; units of one stack may point at different hexes, and at empty ones.

    Raises MissingFacts for the phase and the points if nobody says them, InputError if a unit or a hex is not named.

    Rule: 8.4
    """
    if parameters.unit is None or parameters.at is None:
        raise InputError("unit and at: a marker is placed on a unit and points at a hex", hint="name both")
    unit = view.unit(parameters.unit)
    if unit.place is None:
        raise InputError(f"unit: {unit.id} is not on the map")
    with view.gather() as facts:
        one = bearer(facts, unit, parameters.at)
        phase, before = facts.word("phase"), facts.word("prepared", unit.id)
        barred = bound_by_marker(facts, unit)
        if parameters.points is None:
            title = f"Movement Points that {unit.id} has left"
            facts.ask(Ask(kind="parameter", name="points", rule="8.4", title=title, how="points=N"))
    rule, wrong = forbidden(view, one, [*bearers, one])
    unable = barred if any(barred) else not_now(view, one.side)
    if why := unpaid(phase, parameters.points or 0, before):
        rule, wrong = "8.4", why
    elif any(unable):
        rule, wrong = unable
    figures = {"unit": unit.id, "hex": one.target, "why": wrong, "cost": COST}
    steps = (
        Step("8.4", "{cost:#Movement Point}, after which {unit} spends none in this phase", figures),
        Step("8.4", "it then has to attack {hex} in the Attack Phase if enemies stand there", figures),
    )
    text = "{unit} may not place a marker on {hex}: {why}" if wrong else "{unit} may place a marker on {hex}"
    marked = tuple(marker(view, other, bearers) for other in bearers)
    return Report(
        game=view.game.id,
        question=QUESTION.name,
        title=f"Prepared Attack of {unit.id} in {unit.place}",
        verdict=Verdict("no" if wrong else "yes", text, figures),
        parts=(Part("Not allowed", (Step(rule, "{why}", figures),)) if wrong else Part("The marker", steps),),
        changes=() if wrong else (changed(view, "prepared", unit.id, one.target, "8.4"),),
        result=PreparedResult(marked, None if wrong else marker(view, one, [*bearers, one])),
    )


def unpaid(phase: str, points: float, before: str) -> str:
    """Why a unit cannot place a marker now, "" if it can: it is no Movement Phase, it has fewer than three Movement Points left,
    or it has placed one, after which it spends none in the phase.

    points: that it has left; before: the hex at which its marker points already, "" if it has none.
    """
    if phase != "movement":
        return f"markers are placed in the Movement Phase only: phase={phase}"
    if before:
        return f"it has a marker on {before} already and spends no more Movement Points in this phase"
    return f"it takes {COST} Movement Points, and {points:g} are left" if points < COST else ""


def bearer(facts: Gather, unit: Unit, target: str) -> Bearer:
    """A unit with a marker. target: the hex at which it points."""
    army = facts.view.fact("army", unit.id)
    return Bearer(
        unit,
        side_of(facts, unit),
        facts.word("arm", unit.id),
        str(army.value) if army else "",
        target,
        is_demoralized(facts, unit),
        idle(facts, unit) or shut(facts.view, str(unit.place), target),
    )


def idle(facts: Gather, unit: Unit) -> str:
    """Why a unit that bears a marker cannot attack all the same, "" if it can (8.2.4, 8.2.5, 9.5.1, 10.1)."""
    return next((f"it {bar.words}" for bar in bars(StatusRead(facts, unit), "attack")), "")


def shut(view: View, place: str, target: str) -> str:
    """Why nobody attacks over the hexside to which a marker points, "" if somebody may as far as is stated (10.1.2)."""
    if over := closed(between(view, place, target)):
        return f"nobody attacks over or at {over}"
    return "a Grand River without bridge or ferry lies between" if uncrossed(between(view, place, target)) else ""


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
        found.append(Step("10.1.2", "{unit} on {hex}: {idle}, and cannot attack", figures))
    elif not one.must_attack:
        text = "{unit} on {hex}: nobody is there; if nobody comes the marker comes off in the Attack Phase, and the unit may attack any hex "
        text += "next to it, but not advance into {hex}"
        return [*found, Step("10.3", text, figures)]
    else:
        found.append(Step("8.4", "{unit} has to attack {hex}", figures))
    if one.armies and one.must_attack:
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
    title="which Prepared Attack markers may lie where they lie, whom they bind, and who may place one",
    parameters=PreparedParameters,
    result=PreparedResult,
    answer=answer,
    answers={},
)
