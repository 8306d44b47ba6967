"""The question `forced-march`: how far a unit may be driven, its check, and what failing it costs (8.3)."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal, NamedTuple

import msgspec

from assistant.mechanics.chances import Chances, Likelihood, UnknownCells, chances
from assistant.mechanics.procedure import (
    Dice,
    Done,
    LookUp,
    Modifier,
    Node,
    Procedure,
    Quantity,
    Situation,
    Stuck,
    Unknown,
    first_option,
    resolve,
)
from assistant.mechanics.rounding import down, half_up
from assistant.questions.question import Answers, Question, UnitName
from assistant.questions.report import Ask, Part, Report, Step, Verdict
from assistant.questions.view import Gather, View, asks_of, changed
from assistant.state.changes import Change
from assistant.util.errors import InputError
from assistant.util.notes import note

from ...forces.assets import formation_with, is_asset_unit
from ...forces.markers import bound_by_marker
from ...forces.reading import gather_unit, is_demoralized
from ...forces.step_changes import step_losses
from ...forces.units import CombatUnit
from ...ground import calendar
from ...ground.improved_positions import after_moves
from ...ground.phases import phase_of
from ...results import effectiveness
from ...terms import SUPPLY_ARMS

MOST = {"infantry": 3, "cavalry": 6}
"""Movement Points that a Forced March may add (8.3)."""
EACH = {"infantry": 2, "cavalry": 1}
"""What each of them but the first adds to the check (8.3.2)."""
LARGE = 6
"""Steps from which infantry reads the column of large units (8.3.3)."""
Purpose = Literal["move", "prepared", "position", "recovery", "disorder", "ersatz", "rail"]
NEVER = {
    "recovery": "CEL Recovery",
    "disorder": "recovery from Disorder",
    "ersatz": "incorporating Ersatz replacements",
    "rail": "entraining or detraining",
}
"""What the added points cannot be spent on (8.3)."""


class ForcedMarchParameters(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A Forced March to be looked at."""

    unit: Annotated[UnitName, note("its id")]
    points: Annotated[float, note("Movement Points beyond its allowance")]
    purpose: Annotated[
        Purpose,
        note(
            "what they are spent on: move, prepared (a Prepared Attack marker), position (an Improved "
            "Position, all of them), recovery, disorder, ersatz or rail"
        ),
    ] = "move"
    counter: Annotated[
        bool | None,
        note(
            "whether it is the Counter Movement Phase, in which the allowance is halved, as the position "
            "says if left out"
        ),
    ] = None
    alone: Annotated[
        bool | None, note("whether an Asset Unit moves without the formation in its hex; it does where there is none")
    ] = None


class ForcedMarchResult(msgspec.Struct, frozen=True, kw_only=True):
    """A Forced March."""

    unit: Annotated[str, note("its id")]
    points: Annotated[Fraction, note("beyond the allowance")]
    most: Annotated[int, note("points that it may add")]
    allowance: Annotated[
        Fraction | None, note("points that it may then spend, null where its printed allowance is not known")
    ]
    cel: Annotated[int, note("against which it checks")]
    modifiers: Annotated[tuple[Modifier, ...], note("of the check")]
    passes: Annotated[Fraction, note("the chance that it passes")]
    column: Annotated[str, note("of the Forced March Results Table")]
    levels: Annotated[
        tuple[Likelihood, ...] | None, note("what failing may cost, each value with its chance, null without the chart")
    ] = None
    steps: Annotated[
        tuple[Likelihood, ...] | None, note("what failing may cost, each value with its chance, null without the chart")
    ] = None
    failed_by: Annotated[int | None, note("by how much it failed, null before the dice, 0 or less for a pass")] = None
    lost_levels: Annotated[int, note("what it then loses")] = 0
    lost_steps: Annotated[int, note("what it then loses")] = 0
    marker: Annotated[bool, note("whether it loses its Prepared Attack marker")] = False


class March(NamedTuple):
    """Before the check."""


class Failed(NamedTuple):
    """The check is over. margin: by how much it failed, 0 or less for a pass."""

    margin: int


class Marching(NamedTuple):
    """What the check needs: the unit, its modifiers, what the points are for."""

    unit: CombatUnit
    modifiers: tuple[Modifier, ...]
    purpose: Purpose
    alone: bool

    @property
    def converts(self) -> bool:
        """Whether every level that it loses is a step: a Demoralized unit, or an Asset Unit that moves alone.

        Rule: 8.3.3b
        """
        return self.unit.demoralized or (not self.unit.formation and self.alone)


def answer(view: View, parameters: ForcedMarchParameters, answers: Answers) -> Report[ForcedMarchResult]:
    """The report on a Forced March: whether it may be, its check and chances, and what these dice cost.

    Raises MissingFacts for whatever the rules need and nobody stated, InputError for points that cannot be.

    Rule: 8.3, 8.3b, 8.3.1
    """
    points = Fraction(parameters.points).limit_denominator(12)
    if points <= 0:
        raise InputError(
            f"points: {parameters.points:g} are no Forced March", hint="give the points beyond the allowance"
        )
    counter = phase_of(view) == "counter-movement" if parameters.counter is None else parameters.counter
    parameters = msgspec.structs.replace(parameters, counter=counter)
    with view.gather() as facts:
        arm, name = facts.word("arm", parameters.unit), parameters.unit
        asset = is_asset_unit(facts, name) if arm in MOST else False
        demoralized = is_demoralized(facts, view.unit(name)) if arm in MOST else False
        company = formation_with(facts, view.unit(name), facts.word("with", name)) if asset else ""
        if company and parameters.alone is None:
            title = f"whether {name} marches without {company}"
            facts.ask(Ask(kind="parameter", name="alone", rule="6.4.1", title=title, how="alone=yes, or no"))
        bound = bound_by_marker(facts, view.unit(name))
    alone = parameters.alone is not False
    if refused := not_allowed(parameters, arm, demoralized, asset, bound):
        verdict = Verdict("no", "{unit} cannot: {why}", {"unit": parameters.unit, "why": refused.text})
        return _report(view, parameters, verdict, (Part("Not allowed", (refused,)),))
    with view.gather() as facts:
        unit = gather_unit(facts, view, view.unit(parameters.unit), "attacker")
        split = points > 1 and points.denominator > 1
        count = after_the_first(points, view.ruling("half-march") if split else "half-up")
        marching = Marching(unit, modifiers(facts, unit, count), parameters.purpose, alone)
    procedure = march(marching, view.cell)
    result = before(view, parameters, points, marching, procedure)
    parts = [before_part(result)]
    turn = view.fact("turn", "")
    summer = turn is None or turn.value in range(1, 11)
    if summer and view.state.value("weather") is None and not view.state.value("campaign"):
        parts.append(Part("Taken for granted", (Step("8.3.2", "no summer heat: nobody stated the weather"),)))
    resolved = resolve(procedure, March(), answers)
    notes = dict(resolved.notes)
    changes: tuple[Change, ...] = ()
    if "failed_by" in notes:
        result = after(result, notes)
        parts.append(after_part(result))
        changes = todo(view, marching, result)
    asks = tuple(asks_of(view.game, resolved.pending))
    stuck = any(isinstance(node, Stuck) for node in resolved.pending)
    return _report(view, parameters, verdict_of(result, stuck), tuple(parts), result, asks, changes)


def not_allowed(
    parameters: ForcedMarchParameters, arm: str, demoralized: bool, asset: bool, bound: tuple[str, str]
) -> Step | None:
    """What forbids a Forced March: the kind of unit, a marker, what the points are for, too many of them; Asset Units with a
    formation march and check with it.

    bound: the rule and the marker that keeps it from spending points, two empty texts if none does.

    Rule: 8.3, 8.3b, 8.3.1
    """
    if arm not in MOST:
        kind = "a supply unit" if arm in SUPPLY_ARMS else f"{arm}"
        return Step("8.3.1", "{kind} makes no Forced March", {"kind": kind})
    rule, why = bound
    if why and (rule, parameters.purpose) != ("8.4", "prepared"):  # that marker is what the points were for
        return Step("8.3.1" if rule == "8.2.4" else rule, "{why}", {"why": why})
    if parameters.purpose in NEVER:
        return Step("8.3", "no Forced March for {purpose}", {"purpose": NEVER[parameters.purpose]})
    work = {"prepared": "8.4.1", "position": "13.1"}.get(parameters.purpose)
    if work and (arm != "infantry" or demoralized):
        return Step(work, "only infantry that is not Demoralized does that")
    if parameters.purpose == "prepared" and parameters.counter:
        return Step("8.4", "no Prepared Attack marker is placed in the Counter Movement Phase")
    if asset and parameters.alone is False:
        return Step("6.4.1", "it marches and checks with the formation that it is attached to: ask for that")
    if parameters.points > MOST[arm]:
        return Step(
            "8.3",
            "{points} points are more than the {most} of {kind}",
            {"points": Fraction(parameters.points), "most": MOST[arm], "kind": arm},
        )
    return None


def after_the_first(points: Fraction, reading: str) -> Fraction:
    """How many Movement Points after the first count for the check. points: beyond the allowance; reading: ruling half-march."""
    whole = {"half-up": half_up, "down": down}.get(reading, Fraction)
    return max(Fraction(whole(points)) - 1, Fraction(0))


def modifiers(facts: Gather, unit: CombatUnit, count: Fraction) -> tuple[Modifier, ...]:
    """What is added to the check: for each point after the first two, cavalry one; one in summer heat and in Low Supply.

    count: of points after the first; what half a point adds is rounded with the rest.

    Rule: 8.3.2, 8.3.2a
    """
    found = []
    if count:
        why = f"{count} point{'s' if count > 1 else ''} after the first"
        found.append(Modifier("8.3.2", why, half_up(EACH[unit.arm] * count)))
    stated = facts.view.state.value("weather")
    if (stated or facts.flag("campaign")) and calendar.weather(facts, "summer-heat") == "summer-heat":
        found.append(Modifier("8.3.2", "summer heat", 1))
    if unit.low_supply:
        found.append(Modifier("8.3.2", "Low Supply", 1))
    return tuple(found)


def column(unit: CombatUnit) -> str:
    """The column of the results table: cavalry, or infantry by its steps.

    Rule: 8.3.3
    """
    if unit.arm == "cavalry":
        return "cavalry"
    return "infantry-large" if unit.left >= LARGE else "infantry-small"


def march(of: Marching, look_up: LookUp) -> Procedure:
    """The procedure: one check, and the table by how much it failed.

    Rule: 8.3.2, 8.3.3
    """
    added = sum(modifier.amount for modifier in of.modifiers)

    def then(natural: int) -> Situation:
        return Failed(max(natural + added - of.unit.cel, 0))

    def node(situation: Situation) -> Node:
        match situation:
            case March():
                return effectiveness.check_roll("ec", "8.3.2", f"of {of.unit.id}", {of.unit.id: of.modifiers}, then)
            case Failed(0):
                return Done({"failed_by": 0, "levels": 0, "steps": 0, "marker": False})
            case Failed(margin):
                key = (column(of.unit), margin)
                cell = look_up("forced-march", *key)
                if cell is None:
                    return node(Unknown("forced-march", key))
                levels, steps = suffered(of, int(cell.values["cel"]), int(cell.values["steps"]))
                notes: dict[str, Quantity] = {"failed_by": margin, "levels": levels, "steps": steps}
                return Done({**notes, "marker": cell.values["marker"] == "yes"})
            case Unknown(chart, key):
                return Stuck((chart, key))
            case _:
                raise TypeError(f"{situation!r} is no situation of a Forced March")

    return node


def suffered(of: Marching, levels: int, steps: int) -> tuple[int, int]:
    """The levels and steps that a result costs: what does not fit on the track becomes steps, unless all the points went into
    an Improved Position, where steps and what does not fit are nothing.

    Rule: 8.3.3a, 8.3.3b
    """
    fits = 0 if of.converts else min(levels, 4 - of.unit.levels)
    if of.purpose == "position" and of.unit.formation:
        return fits, 0
    return fits, min(steps + levels - fits, of.unit.left)


# --- before and after the dice ----------------------------------------------------------------------------------------


def before(
    view: View, parameters: ForcedMarchParameters, points: Fraction, of: Marching, procedure: Procedure
) -> ForcedMarchResult:
    """What is certain before the dice, and the chances as far as the chart is known. points: beyond the allowance."""
    unit = of.unit
    up_to = unit.cel - sum(modifier.amount for modifier in of.modifiers)
    every: Chances | None
    try:
        every = chances(procedure, March(), first_option)
    except UnknownCells:
        every = None
    printed = view.fact("movement", unit.id)
    printed_points = printed.value if printed is not None and isinstance(printed.value, int) else None
    moves = None if printed_points is None else Fraction(printed_points, 2 if parameters.counter else 1)
    return ForcedMarchResult(
        unit=unit.id,
        points=points,
        most=MOST[unit.arm],
        allowance=None if moves is None else moves + points,
        cel=unit.cel,
        modifiers=of.modifiers,
        passes=Fraction(sum(ways for total, ways in Dice(2, 6).totals if total <= up_to), 36),
        column=column(unit),
        levels=every.likelihoods("levels") if every else None,
        steps=every.likelihoods("steps") if every else None,
    )


def after(result: ForcedMarchResult, notes: dict[str, Quantity]) -> ForcedMarchResult:
    """The result with what the dice made of it."""
    return msgspec.structs.replace(
        result,
        failed_by=int(notes["failed_by"]),
        lost_levels=int(notes["levels"]),
        lost_steps=int(notes["steps"]),
        marker=bool(notes["marker"]),
    )


def todo(view: View, of: Marching, result: ForcedMarchResult) -> tuple[Change, ...]:
    """What changes on the map.

    Rule: 8.3.3
    """
    unit = of.unit
    changes: list[Change] = []
    if result.lost_levels:
        changes.append(changed(view, "cel", unit.id, -unit.levels - result.lost_levels, "8.3.3"))
    if result.lost_steps:
        changes += step_losses(view, unit, result.lost_steps)
    if result.marker and unit.prepared:
        changes.append(Change("prepared", unit.id, unit.prepared, None, "8.3.3"))
    return (*changes, *after_moves(view, changes))


# --- words ------------------------------------------------------------------------------------------------------------


def verdict_of(result: ForcedMarchResult, stuck: bool) -> Verdict:
    """The Forced March in a line."""
    figures: dict[str, object] = {"unit": result.unit, "points": result.points, "passes": result.passes}
    if stuck:
        return Verdict("undecided", "undecided: {unit} fails, and the Forced March Results Table is not known", figures)
    if result.failed_by is None:
        return Verdict("figure", "{unit} may spend {points:#point} more and passes its check at {passes:%}", figures)
    if result.failed_by <= 0:
        return Verdict("figure", "{unit} passes its check", figures)
    figures |= {"margin": result.failed_by, "levels": result.lost_levels, "steps": result.lost_steps}
    text = "{unit} fails by {margin}: {levels:#level} and {steps:#step} lost"
    return Verdict("figure", text + (", Prepared Attack off" if result.marker else ""), figures)


def before_part(result: ForcedMarchResult) -> Part:
    """How far it goes, and the check."""
    steps = [Step("8.3", "{points} of at most {most} points more", {"points": result.points, "most": result.most})]
    if result.allowance is not None:
        steps.append(Step("8.3", "{allowance} points in all in this phase", {"allowance": result.allowance}))
    for modifier in result.modifiers:
        steps.append(Step(modifier.rule, "check: {amount:+} {why}", {"amount": modifier.amount, "why": modifier.why}))
    steps.append(
        Step("8.3.2", "checks against {cel}, passes at {passes:%}", {"cel": result.cel, "passes": result.passes})
    )
    for what, likely in (("levels", result.levels), ("steps", result.steps)):
        if likely is not None:
            steps.append(Step("8.3.3", "{what} lost: {likelihoods}", {"what": what, "likelihoods": likely}))
    text = "not in a phase in which it recovers levels or from Disorder, entrains or detrains"
    return Part("Forced March", (*steps, Step("8.3.1", text)))


def after_part(result: ForcedMarchResult) -> Part:
    """What it cost."""
    figures = {
        "margin": result.failed_by,
        "column": result.column,
        "levels": result.lost_levels,
        "steps": result.lost_steps,
    }
    if not result.failed_by:
        return Part("Outcome", (Step("8.3.2", "the check is passed"),))
    text = "failed by {margin}, column {column}: {levels:#level}, {steps:#step}"
    return Part("Outcome", (Step("8.3.3", text + (", Prepared Attack marker off" if result.marker else ""), figures),))


def _report(
    view: View,
    parameters: ForcedMarchParameters,
    verdict: Verdict,
    parts: tuple[Part, ...],
    result: ForcedMarchResult | None = None,
    asks: tuple[Ask, ...] = (),
    changes: tuple[Change, ...] = (),
) -> Report[ForcedMarchResult]:
    return Report(
        game=view.game.id,
        question=QUESTION.name,
        title=f"Forced March of {parameters.unit}",
        verdict=verdict,
        parts=parts,
        asks=asks,
        changes=changes,
        result=result,
    )


QUESTION = Question(
    name="forced-march",
    title="how far a unit may be driven, its check, and what failing it costs",
    parameters=ForcedMarchParameters,
    result=ForcedMarchResult,
    answer=answer,
    answers={"ec": "its Effectiveness Check"},
)
