"""The question `prepared`: Prepared Attack markers, their legality, and the units bound (8.4, 10.3)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from fractions import Fraction
from typing import Annotated

import msgspec

from assistant.asking import InputError, Parameters, PlaceName, UnitName, declare, holding, note, read_unless, refused
from assistant.asking.asks import Ask
from assistant.asking.question import Sets
from assistant.asking.report import Part, Report, Step, step, verdict
from assistant.asking.view import Gather, View, changed
from assistant.state.state import Unit
from assistant.state.vocabulary import UnitHex

from ..forces.account import read_account, spend_and_end
from ..forces.bars import PREPARED
from ..forces.movement_points import PREPARED_COST, PREPARING, UNPINNED_DETACHMENTS, cannot_spend, parse_points
from ..forces.spending import MovementSpending, measure_spending, spending_step
from ..forces.unit import unit_on_map
from ..ground.calendar import phase_of
from .bearers import Bearer, must_attack, read_bearer


def bars_of_marker(bearer: Bearer, bearers: Iterable[Bearer], neighbours: Collection[str]) -> list[Step]:
    """Return why a marker may not be placed.

    `bearers`: all units with markers, including this one.
    `neighbours`: the hexes adjacent to the unit.

    Rule: 8.4, 8.4.1
    """
    joined = any(other.arm == "infantry" for other in _find_markers_alike(bearer, bearers))
    clauses = (
        (bearer.target not in neighbours, "8.4", "{target} is not adjacent to {place}"),
        (bearer.arm not in PREPARING, "8.4.1", "only infantry and artillery place such markers"),
        (bearer.demoralized, "8.4.1", "it is Demoralized"),
        (not joined, "8.4.1", "no friendly infantry has a marker on {target}"),
    )
    return holding(clauses, bearer)


def armies_pointing(bearer: Bearer, bearers: Iterable[Bearer]) -> tuple[str, ...]:
    """Return the armies of the units whose markers point at the bearer's target, or an empty tuple for a single one.

    One of several armies attacks, and the others are withheld.

    Rule: 10.3
    """
    several = sorted({other.army for other in _find_markers_alike(bearer, bearers)} - {""})
    return tuple(several) if len(several) > 1 else ()


def pinned_units(enemies: Iterable[str]) -> tuple[str, ...]:
    """Return the enemies that a marker on their hex pins in the Counter Movement Phase. Rule: 8.4.2, 6.4.4"""
    return tuple(name for name in enemies if name not in UNPINNED_DETACHMENTS)


def _find_markers_alike(bearer: Bearer, bearers: Iterable[Bearer]) -> list[Bearer]:
    return [other for other in bearers if (other.target, other.side) == (bearer.target, bearer.side)]


def _bars_of_hex(view: View, bearer: Bearer) -> list[Step]:
    """Return the bars by rulings to a marker on a hex: friends hold it, or the unit cannot attack it."""
    friends = [unit.id for unit in view.stack(bearer.target) if view.side_of(unit.id) == bearer.side]
    held = friends and view.ruling("marker-at-friends") == "refused"
    clauses = (
        (held, "8.4", "friendly units hold {target}: {units}"),
        (
            not held and bearer.idle and view.ruling("marker-without-attack") == "refused",
            "8.4",
            "{idle}, and so it cannot attack {target}",
        ),
    )
    return holding(clauses, bearer, units=", ".join(friends))


# --- the question -----------------------------------------------------------------------------------------------------


class PreparedParameters(Parameters, frozen=True):
    """Parameters of the question `prepared`: all markers, or one to be placed."""

    unit: Annotated[UnitName | None, note("the unit that would place a marker")] = None
    at: Annotated[PlaceName | None, note("the hex at which the marker would point")] = None
    points: Annotated[
        float | None,
        note(
            "Movement Points that the unit has left in the phase, without a Forced March; from its account if left out"
        ),
    ] = None
    spent: Annotated[
        float | None, note("Movement Points that the unit has spent in the phase, stated instead of `points`")
    ] = None


class PlacedMarker(msgspec.Struct, frozen=True, kw_only=True):
    """A Prepared Attack marker."""

    unit: Annotated[str, note("the unit that has the marker")]
    place: UnitHex
    target: Annotated[str, note("the hex at which the marker points")]
    wrong: Annotated[str, note("why the marker could not be placed there now, empty if it could")] = ""
    rule: Annotated[str, note("the rule that forbids placing the marker there")] = ""
    idle: Annotated[str, note("why the unit cannot attack, empty if it can")] = ""
    must_attack: Annotated[bool, note("whether the unit must attack that hex")] = False
    pins: Annotated[
        tuple[str, ...], note("the enemies in that hex that may not leave it in the Counter Movement Phase")
    ] = ()
    armies: Annotated[
        tuple[str, ...], note("the armies of the units whose markers point at that hex, if there are several")
    ] = ()


class PreparedResult(msgspec.Struct, frozen=True):
    """The markers of a position."""

    markers: Annotated[tuple[PlacedMarker, ...], note("each Prepared Attack marker")]
    placed: Annotated[
        PlacedMarker | None, note("the marker to be placed, null if there is none or it is not allowed")
    ] = None
    spending: Annotated[
        MovementSpending | None, note("what the unit then has spent in the phase, null if no marker is to be placed")
    ] = None


def answer(view: View, parameters: PreparedParameters) -> Report[PreparedResult]:
    """Return the report on all Prepared Attack markers, or on one to be placed.

    Only markers oblige units to attack.

    Raises MissingFacts if a fact of a unit with a marker is not stated, InputError if a unit is not on the map.
    """
    with view.gather() as facts:
        marked = [(unit, facts.word("prepared", unit.id)) for unit in view.units() if unit.place]
        bearers = [read_bearer(facts, unit, str(unit.place), target) for unit, target in marked if target]
    if parameters != PreparedParameters():
        return _placing_report(view, parameters, bearers)
    markers = tuple(_describe_marker(view, bearer, bearers) for bearer in bearers)
    due = sum(mark.must_attack for mark in markers)
    text = "{markers:#marker}; " + ("{due:#unit} must attack" if due else "no unit has to attack")
    outcome = verdict("figure", text if markers else "no unit has a marker", markers=len(markers), due=due)
    part = Part("Markers", tuple(step for mark in markers for step in _marker_steps(view, mark)))
    return Report(title="Prepared Attacks", verdict=outcome, parts=(part,), result=PreparedResult(markers))


def _placing_report(view: View, parameters: PreparedParameters, bearers: list[Bearer]) -> Report[PreparedResult]:
    """Return the report on a marker to be placed.

    Units of one stack may point at different hexes, and at empty ones.
    """
    if parameters.unit is None:
        raise InputError("unit: the unit that places the marker is not stated", hint="name it: unit=UNIT")
    if parameters.at is None:
        raise InputError("at: the hex that the unit is to attack is not stated", hint="name it: at=HEX")
    unit, place = unit_on_map(view, parameters.unit)
    at = parameters.at
    title = f"Prepared Attack of {unit.id} in {place}"
    refusal = "{unit} may not place a marker on {at}: {why}"
    reasons = _list_certain_bars(view, unit)
    bearer = read_unless(reasons, lambda: _gather_bearer(view, unit, place, at))
    if bearer is None:
        return refused(title, refusal, reasons[:1], parameters)
    if not reasons:
        reasons = bars_of_marker(bearer, [*bearers, bearer], view.board.neighbours(place)) or _bars_of_hex(view, bearer)
    spends = read_unless(reasons, lambda: _gather_spending(view, unit, parameters))
    if spends and spends.why:
        reasons.append(step(spends.rule, "{why}", why=spends.why))
    marked = tuple(_describe_marker(view, other, bearers) for other in bearers)
    if reasons:
        return refused(title, refusal, reasons[:1], parameters, result=PreparedResult(marked, spending=spends))
    done = "{unit} places a Prepared Attack marker on {at}[march: by a Forced March]"
    return Report(
        title=title,
        verdict=verdict("yes", done, parameters, march=spends.march if spends else 0),
        parts=(_marker_part(parameters, spends, bearer.idle),),
        changes=(
            changed(view, "prepared", unit.id, bearer.target, "8.4"),
            *spend_and_end(view, [unit.id], {"prepared": Fraction(PREPARED_COST)}, rule="8.4"),
        ),
        result=PreparedResult(marked, _describe_marker(view, bearer, [*bearers, bearer]), spends),
    )


def _list_certain_bars(view: View, unit: Unit) -> list[Step]:
    """Return why a unit cannot place a marker on any hex: the phase, and the unit's markers.

    A Prepared Attack marker placed in this phase ends the unit's spending.

    Rule: 8.4
    """
    with view.gather() as facts:
        before = facts.word("prepared", unit.id)
        bound = cannot_spend(facts, unit, "prepared")
    phase = phase_of(view)
    late = (
        (
            phase not in ("", "movement"),
            "8.4",
            "markers are placed only in the Movement Phase, and the phase is {phase}",
        ),
        (phase == "movement" and before, "8.4", "it already has a marker on {at} and {doings}"),
    )
    return [*holding(late, phase=phase, at=before, doings=PREPARED.doings["spend"]), *bound]


def _gather_bearer(view: View, unit: Unit, place: str, target: str) -> Bearer:
    with view.gather() as facts:
        return read_bearer(facts, unit, place, target)


def _gather_spending(view: View, unit: Unit, parameters: PreparedParameters) -> MovementSpending | None:
    with view.gather() as facts:
        facts.word("phase")
        return _measure_spending(facts, unit, parameters)


def _measure_spending(facts: Gather, unit: Unit, parameters: PreparedParameters) -> MovementSpending | None:
    """Return the unit's spending in the phase with its marker, or None if it is not known."""
    account = read_account(facts, unit.id)
    printed = facts.view.fact("movement", unit.id)
    if parameters.points is not None and parameters.spent is not None:
        raise InputError(
            "points or spent: give one of the two",
            hint="points=N for the Movement Points left, or spent=N for all that the unit has spent",
        )
    if parameters.points is not None:
        left = parse_points(parameters.points, "points")
        allowed = Fraction(int(str(printed.value))) if printed else left
        if left > allowed:
            raise InputError(f"points: {unit.id} has {allowed} Movement Points in this phase")
        spent = allowed - left
    elif parameters.spent is None and not (account.total or printed):
        title = f"Movement Points that {unit.id} has left"
        facts.ask(
            Ask(kind="parameter", name="points", rule="8.4", title=title, how="points=N, or those spent: spent=N")
        )
        return None
    else:
        given = parameters.spent
        spent = account.total if given is None else parse_points(given, "spent", by_rail=True)
        allowed = Fraction(facts.integer("movement", unit.id))
    return measure_spending(facts, unit, spent + PREPARED_COST, "prepared", allowed=allowed)


def _marker_part(parameters: PreparedParameters, spends: MovementSpending | None, idle: str) -> Part:
    """Return the cost of placing a marker and the consequences, in words.

    `idle`: as in `Bearer`.
    """
    paid = "{cost:#Movement Point}, after which {unit} spends none in this phase"
    due = (
        "[idle:{idle}, and so it need not attack {at}|"
        "it must then attack {at} in the Attack Phase if enemies are there]"
    )
    steps = [step("8.4", paid, parameters, cost=PREPARED_COST), step("8.4", due, parameters, idle=idle)]
    if spends:
        steps.append(spending_step(spends))
        if spends.march:
            steps.append(step("8.3", "a check that fails by 4 or more removes the marker"))
    return Part("The marker", tuple(steps))


def _describe_marker(view: View, bearer: Bearer, bearers: list[Bearer]) -> PlacedMarker:
    """Return a marker: its legality, whether its unit must attack, and the units that it pins."""
    wrong = next(iter(bars_of_marker(bearer, bearers, view.board.neighbours(bearer.place))), None)
    there = () if wrong and wrong.rule == "8.4" else view.stack(bearer.target)
    enemies = [unit.id for unit in there if view.side_of(unit.id) not in ("", bearer.side)]
    return PlacedMarker(
        unit=bearer.unit,
        place=bearer.place,
        target=bearer.target,
        wrong=wrong.text if wrong else "",
        rule=wrong.rule if wrong else "",
        idle=bearer.idle,
        must_attack=must_attack(bearer, enemies),
        pins=pinned_units(enemies),
        armies=armies_pointing(bearer, bearers),
    )


def _marker_steps(view: View, mark: PlacedMarker) -> list[Step]:
    """Return the obligations of a marker, and the armies whose markers point at one hex.

    Rule: 8.4.2b, 10.3
    """
    wrong = step(mark.rule, "{unit} on {target}: could not legally be placed there now: {wrong}", mark)
    if mark.rule == "8.4":
        return [wrong]
    clauses = (
        (
            mark.must_attack and mark.armies,
            "10.3",
            "units of several armies ({armies}) have markers on {target}: one army attacks, the others are withheld",
        ),
        (
            mark.pins,
            "8.4.2",
            "{pins} may not leave {target} in the Counter Movement Phase except by Cavalry Reaction; "
            "while there they may only work on an Improved Position, attempt a Repulse or incorporate Ersatz",
        ),
    )
    return [*([wrong] if mark.wrong else []), *obligation_steps(view, mark), *holding(clauses, mark)]


def obligation_steps(view: View, mark: PlacedMarker) -> list[Step]:
    """Return the obligation by a marker, or its meaning at a hex without enemies.

    Where no enemy comes, ruling vacant-hex decides whether the unit may advance into other hexes.

    Rule: 8.4b, 10.1.2a, 10.3b
    """
    at_nobody = not (mark.idle or mark.must_attack)
    clauses = (
        (mark.idle, "10.1.2", "{unit} on {target}: {idle}, and so cannot attack"),
        (mark.must_attack, "8.4", "{unit} must attack {target}"),
        (
            at_nobody,
            "10.3",
            "{unit} on {target}: no enemy is there. If none arrives, the marker is removed in the Attack Phase: "
            "the unit may then attack any adjacent hex (not as a Prepared Attack) and "
            "[kept:may not advance after that combat|may advance after that combat, but not into {target}]",
        ),
    )
    return holding(clauses, mark, kept=at_nobody and view.ruling("vacant-hex") == "any")


QUESTION = declare(
    "prepared",
    "which Prepared Attack markers are legally placed, which units they bind, and who may place one",
    answer,
    shows=(Sets(track="prepared", subject="unit", parameters={"at": "{after}"}, change="on"),),
)
