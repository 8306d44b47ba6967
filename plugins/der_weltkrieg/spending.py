"""What a Headquarters spends: the question `spend` (3-6, 8-3, 15-2, 15-3, 16-15, 21-1, 21-2)."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated

import msgspec

from assistant.asking import NationName, Report, View, declare, holding, note, permission, step
from assistant.game.events import read_events
from assistant.game.typed_events import find_holder
from assistant.util.errors import InputError

from .terms import (
    AMERICAN,
    AUSTRIAN,
    BRITISH,
    FRENCH,
    ITALIAN,
    Count,
    format_nation,
    keeps_supply_points,
    read_rows,
    turn_now,
    year_of,
)

ITALIAN_MOST = {1915: 12, 1916: 18}
"""The most supply points that an Italian HQ spends on one attack, by year."""


class Payer(msgspec.Struct, frozen=True):
    """A row of units for which HQs of another nation spend supply points."""

    rule: str
    troops: str
    payer: str = msgspec.field(name="who")
    text: str


class Spending(msgspec.Struct, frozen=True, kw_only=True):
    """Whether supply points may be spent."""

    allowed: Annotated[bool | None, note("whether they may")] = None
    left: Annotated[int, note("what is left afterwards")] = 0
    owed: Annotated[int, note("supply points that have to be spent on infantry within two turns")] = 0


def spend(
    view: View,
    *,
    who: Annotated[NationName, note("the nation whose HQ spends them", "nation")],
    points: Annotated[Count, note("supply points")],
    artillery: Annotated[Count, note("how many of them on attacking artillery")] = 0,
    unit: Annotated[
        str, note("what they are spent for, if not its own units: a nation, landwehr, portuguese, polish or 93rd")
    ] = "",
    attack: Annotated[bool, note("whether they are spent on one attack")] = True,
) -> Report[Spending]:
    """Return the report on supply points that an HQ spends: what is left, what is owed to infantry, and who may spend
    for whom. Rule: 3-6, 8-3/5, 15-2, 15-3, 16-15, 21-1, 21-2
    """
    with view.gather() as facts:
        turn = turn_now(facts)
    year = year_of(view, turn)
    is_kept = keeps_supply_points(view)
    left = view.integer("sp", who) - points if is_kept else 0
    with suppress(InputError):  # landwehr and the like are no nation
        unit = find_holder(view.game, read_events(view.game), unit)
    unit = "" if unit == who else unit.casefold()
    most = ITALIAN_MOST.get(year)
    foreign = {row.troops: row for row in read_rows("payers", Payer)}.get(unit)
    payers = {foreign.payer if foreign else unit or who}
    if unit == AMERICAN:
        payers.update((BRITISH, FRENCH))
    elif unit == "landwehr" and year == 1914:
        payers.add(AUSTRIAN)
    clauses = (
        (left < 0 and is_kept, "16-4", "{who} has {held:#supply point}, not {points}"),
        (
            who == ITALIAN and attack and most is not None and points > most,
            "8-3/5",
            "an Italian HQ spends at most {most} on one attack in {year}",
        ),
        (
            foreign and who not in payers,
            foreign.rule if foreign else "",
            "{text}: an HQ of {who} does not spend for them",
        ),
        (who not in payers and not foreign, "16-4", "an HQ of {who} does not spend for {unit}"),
        (artillery > points, "16-15", "{artillery} on artillery is more than {points} in all"),
    )
    reasons = holding(
        clauses,
        who=format_nation(view, who),
        held=view.integer("sp", who),
        points=points,
        most=most,
        year=year,
        unit=format_nation(view, unit),
        text=foreign.text if foreign else "",
        artillery=artillery,
    )
    working = [step("16-15", "{owed} have to be spent on infantry, this turn or within two", owed=artillery)]
    return permission(
        "Supply points spent",
        (
            "{who} may spend {points}: {left} left"
            if is_kept
            else "{who} may spend {points}, of which no account is known here",
            "{who} may not spend {points}",
        ),
        reasons,
        Spending(left=left, owed=artillery),
        who=format_nation(view, who),
        points=points,
        working={
            "For others": holding([(foreign, foreign.rule, "{text}")], foreign) if foreign else [],
            "Owed": working if artillery else [],
        },
    )


QUESTIONS = (
    declare("spend", "may an HQ spend these supply points, what is left, and what is owed to infantry", spend),
)
