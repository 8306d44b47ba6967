"""The question `need`: the cheapest attack on a hex that reaches a column."""

from __future__ import annotations

from typing import Annotated

import msgspec

from assistant.questions import (
    Answers,
    InputError,
    Parameters,
    Part,
    PlaceName,
    Report,
    View,
    declare,
    note,
    step,
    verdict,
)
from assistant.util.errors import suggested

from ..combat.help import rank
from ..combat.strength import COLUMNS
from .search import Plan, cheapest, largest


class NeedParameters(Parameters, frozen=True):
    """A hex and the column that an attack on it should reach."""

    at: Annotated[PlaceName, note("the hex that is attacked")]
    column: Annotated[str, note("the percentage column, such as 200-299, or a percentage in it")]


class NeedResult(msgspec.Struct, frozen=True, kw_only=True):
    """The cheapest attack that reaches a column, or the best there is."""

    at: Annotated[str, note("the hex that is attacked")]
    column: Annotated[str, note("the column wanted")]
    plan: Annotated[Plan | None, note("the cheapest attack that reaches it, null if none does")] = None
    best: Annotated[Plan | None, note("the largest attack if none reaches it")] = None


def answer(view: View, parameters: NeedParameters, answers: Answers) -> Report[NeedResult]:
    """The report on what a column needs.

    Raises InputError for a column that the tables do not have and where nothing attacks, MissingFacts for what is not stated.
    """
    wanted = column_named(parameters.column)
    plan = cheapest(view, parameters.at, wanted)
    title = f"Column {wanted} against {parameters.at}"
    if plan:
        said = verdict("yes", "{attackers}: {attack} against {defence}, column {column}", plan)
        steps = [step("14.13", "{attackers} attack, none of which can be withheld", plan)]
        if plan.hq:
            steps.append(step("14.8", "{hq} supports the attack", plan))
        if plan.supply:
            steps.append(step("14.8", "{supply} expended for Maximum Attack Supply", plan))
        if plan.concentric:
            steps.append(step("14.8", "the attack is concentric"))
        result = NeedResult(at=parameters.at, column=wanted, plan=plan)
        return Report(title=title, verdict=said, parts=(Part("Attack", tuple(steps)),), result=result)
    plans = [one for _, one in largest(view, parameters.at)]
    best = max(plans, key=lambda one: (rank(one.column), one.percent), default=None)
    result = NeedResult(at=parameters.at, column=wanted, best=best)
    if best is None:
        return Report(title=title, verdict=verdict("no", "no attack on {at} is allowed", result), result=result)
    said = verdict("no", "the largest attack reaches column {column}: {attackers}", best)
    return Report(title=title, verdict=said, result=result)


def column_named(text: str) -> str:
    """The column of a name or of a whole percentage. Raises InputError for neither."""
    if text in COLUMNS.names:
        return text
    if text.isascii() and text.isdecimal() and len(text) < 5:
        return COLUMNS.of(int(text))
    raise InputError(f"{text!r} is not a column", hint=suggested(text, COLUMNS.names))


QUESTION = declare("need", "the cheapest attack on a hex that reaches a column", answer)
