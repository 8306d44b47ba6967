"""The question `morale`: will a unit hold, and what becomes of it if it does not."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated

import msgspec

from assistant.asking.asks import Ask, ask_for, ask_for_cell
from assistant.asking.question import Answers, Question, UnitName
from assistant.asking.report import Part, Report, Step, Verdict
from assistant.asking.view import View
from assistant.mechanics.chances import Chances, UnknownCells, chances
from assistant.mechanics.procedure import Modifier, Roll, Stuck, resolve
from assistant.state.changes import Change
from assistant.state.state import Unit
from assistant.state.tracks import Value
from assistant.util.errors import InputError

from .checks import CHECK, Condition, Start, check, modifiers

Volleys = Annotated[int, msgspec.Meta(ge=0, le=3, description="volleys received this turn, 0 to 3")]


class MoraleParameters(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A unit that checks. officer: whether one stands with it."""

    unit: UnitName
    volleys: Volleys = 0
    officer: bool = False


class Likelihood(msgspec.Struct, frozen=True):
    """One value of a quantity and its exact probability."""

    value: int | str
    chance: Fraction


class MoraleResult(msgspec.Struct, frozen=True, kw_only=True):
    """A check: what it is rolled against, and either chances or what the dice have brought so far.

    holds: the chance before the dice; outcomes, losses: chances, empty where a chart cell is unknown.
    """

    unit: str
    place: str
    morale: int
    modifiers: tuple[Modifier, ...]
    holds: Fraction
    outcomes: tuple[Likelihood, ...] = ()
    losses: tuple[Likelihood, ...] = ()
    outcome: str | None = None
    steps: int | None = None


def answer(view: View, parameters: MoraleParameters, answers: Answers) -> Report[MoraleResult]:
    """The report on a check. Raises MissingFacts for ratings and terrain that nobody stated."""
    unit = view.unit(parameters.unit)
    of = condition(view, unit, parameters)
    procedure = check(of, lambda margin: view.cell("failure", margin))
    against = modifiers(of)
    needed = of.morale - sum(modifier.amount for modifier in against)
    result = MoraleResult(
        unit=unit.id,
        place=str(unit.place),
        morale=of.morale,
        modifiers=against,
        holds=Fraction(sum(ways for total, ways in CHECK.totals if total <= needed), CHECK.sides),
    )
    steps = [Step(m.rule, "{why}: {amount:+}", {"why": m.why, "amount": m.amount}) for m in against]
    steps.append(Step("4.1", "holds on {needed} or less", {"needed": needed}))
    changes: tuple[Change, ...] = ()
    if answers:
        reached = resolve(procedure, Start(), answers)
        noted = list(reached.notes)  # those of a roll that is still to come are among them
        outcome = next((str(value) for name, value in noted if name == "outcome"), None)
        lost = sum(int(value) for name, value in noted if name == "steps")
        asks = asks_for(view, reached.pending)
        figures = {"outcome": outcome, "lost": lost, "due": [ask.name for ask in asks]}
        if any(ask.kind == "cell" for ask in asks):
            verdict = Verdict("undecided", "undecided: {due}", figures)
        elif asks:
            verdict = Verdict("figure", "{outcome}; still to come: {due}", figures)
        else:
            verdict = Verdict("figure", "{outcome}, steps lost: {lost}", figures)
            changes = consequences(view, unit, of, str(outcome), lost)
        result = msgspec.structs.replace(result, outcome=outcome, steps=None if asks else lost)
    else:
        roll = procedure(Start())
        assert isinstance(roll, Roll)
        asks = (ask_for(roll),)
        try:
            every = chances(procedure, Start(), lambda choice: next(iter(choice.options)))
        except UnknownCells as unknown:
            asks += asks_for(view, [Stuck(cell) for cell in unknown.cells])
        else:
            result = msgspec.structs.replace(result, outcomes=likely(every, "outcome"), losses=likely(every, "steps"))
            for one in result.outcomes:
                steps.append(Step("4.3", "{value}: {chance:%}", {"value": one.value, "chance": one.chance}))
        verdict = Verdict("figure", "a {holds:%} chance to hold", {"holds": result.holds})
    return Report(
        game=view.game.id,
        question=QUESTION.name,
        title=f"Morale check of {unit.id} in {unit.place}",
        verdict=verdict,
        parts=(Part("Check", tuple(steps)),),
        asks=asks,
        changes=changes,
        result=result,
    )


def condition(view: View, unit: Unit, parameters: MoraleParameters) -> Condition:
    """All that the rules read of the unit; raises MissingFacts with everything that is not known."""
    if unit.place is None:
        raise InputError(f"{unit.id} is not on the map", hint="only units on the map check morale")
    with view.gather() as facts:
        strength = facts.integer("strength", unit.id)
        terrain = facts.word("terrain", unit.place)
        nations = {other.id: facts.word("nation", other.id) for other in view.state.units.values()}
        of = Condition(
            unit.id,
            facts.integer("morale", unit.id),
            strength=strength,
            lost=facts.integer("lost", unit.id),
            volleys=parameters.volleys,
            officer=parameters.officer,
        )
    around = view.board.neighbours(unit.place)
    side = view.game.side_of(nations[unit.id])
    near = (other.id for other in view.state.units.values() if other.place in around)
    cover = terrain == "woods" or (terrain == "mill" and view.ruling("mill-cover") == "yes")
    return of._replace(enemies=any(view.game.side_of(nations[id]) != side for id in near), cover=cover)


def consequences(view: View, unit: Unit, of: Condition, outcome: str, lost: int) -> tuple[Change, ...]:
    """What changes on the map: a unit without steps is removed, others mark their losses and their status.

    Rule: 2.2, 4.4
    """
    if lost == of.left:
        return (Change("place", unit.id, unit.place, None, "2.2"),)

    def change(track: str, after: Value, rule: str) -> Change:
        stated = view.state.facts.get((track, unit.id))
        return Change(track, unit.id, stated.value if stated else None, after, rule)

    status = {"shaken": "shaken", "routs": "routed"}.get(outcome)
    found = [change("lost", of.lost + lost, "2.2")] if lost else []
    return (*found, change("status", status, "4.4")) if status else tuple(found)


def asks_for(view: View, pending: Sequence[object]) -> tuple[Ask, ...]:
    """What is waited for, each thing once."""
    found = {}
    for node in pending:
        if isinstance(node, Stuck):
            chart, key = node.cell
            ask = ask_for_cell(view.game, chart, *key)
        else:
            assert isinstance(node, Roll)
            ask = ask_for(node)
        found[ask.name] = ask
    return tuple(found.values())


def likely(every: Chances, name: str) -> tuple[Likelihood, ...]:
    """The distribution of one quantity."""
    return tuple(Likelihood(value, chance) for value, chance in every.marginal(name).items() if value is not None)


QUESTION = Question(
    name="morale",
    title="whether a unit holds, and what becomes of it",
    parameters=MoraleParameters,
    result=MoraleResult,
    answer=answer,
)
