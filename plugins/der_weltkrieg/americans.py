"""What the United States may have: the question `americans` (15-2, 15-9, 15-10, 22-8)."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

import msgspec

from assistant.asking import Report, View, declare, holding, note, permission
from assistant.game.events import read_events

from .terms import (
    AMERICAN,
    BRITISH,
    FRENCH,
    Count,
    keeps_supply_points,
    list_remarks,
    read_campaign_calendar,
    turn_now,
)

FIRST_HQ = "aug18/1"
"""The turn in which that HQ arrives."""
UNITS = {"attack": (8, 4), "counterattack": (16, 8)}
"""Divisions of the United States for which British and French HQs may spend supply points in a turn, and how many once
the first HQ has come.
"""


class Americans(msgspec.Struct, frozen=True, kw_only=True):
    """What the United States may have."""

    attack: Annotated[int, note("divisions for whose attacks allies may spend in a turn; a brigade counts half")]
    counterattack: Annotated[int, note("divisions for whose counterattacks allies may spend in a turn")]
    used: Annotated[Fraction, note("divisions for which they spend")]
    takers: Annotated[tuple[str, ...], note("nations whose supply points theirs may become")]
    banked: Annotated[int, note("supply points reserved for the 1st HQ: what no ally has taken before it arrives")]
    room: Annotated[int, note("how many more may be reserved for it")]
    beyond: Annotated[int, note("supply points beyond those that may be reserved: allies have to take them")] = 0
    allowed: Annotated[bool | None, note("whether allies may spend for this number")] = None


def largest_reserve(view: View) -> int:
    """Return the most supply points that may be reserved for the 1st HQ before it arrives.

    Rule: 15-10
    """
    return next(row.most for row in read_events(view.game).ceiling if row.who == AMERICAN)


def american_divisions(view: View, use: str, turn: int) -> int:
    """Return the divisions of the United States for whose attacks or counterattacks British and French HQs may spend.
    Rule: 15-2
    """
    before, after = UNITS[use]
    return after if turn >= read_campaign_calendar(view).number(FIRST_HQ) else before


def americans(
    view: View,
    *,
    divisions: Annotated[Count, note("its divisions for which British and French HQs spend this turn")] = 0,
    brigades: Annotated[Count, note("its brigades for which they do")] = 0,
    use: Annotated[Literal["attack", "counterattack"], note("for what they spend")] = "attack",
) -> Report[Americans]:
    """Return the report on what allies may spend for the United States, and whose supply points theirs may become.
    Rule: 15-2, 15-9, 15-10, 22-8
    """
    with view.gather() as facts:
        turn = turn_now(facts)
    arrived = turn >= read_campaign_calendar(view).number(FIRST_HQ)
    counts = not arrived and keeps_supply_points(view)
    held = view.integer("sp", AMERICAN) if counts else 0
    largest = largest_reserve(view)
    found = Americans(
        attack=american_divisions(view, "attack", turn),
        counterattack=american_divisions(view, "counterattack", turn),
        used=divisions + Fraction(brigades, 2),
        takers=(BRITISH, FRENCH, AMERICAN) if arrived else (BRITISH, FRENCH),
        banked=min(held, largest),
        room=max(0, largest - held) if counts else 0,
        beyond=max(0, held - largest),
    )
    most = american_divisions(view, use, turn)
    clauses = (
        (
            True,
            "15-2",
            (
                "British and French HQs may spend attack supply for {attack} of its divisions a turn, counterattack "
                "supply for {counterattack}; a brigade is half a division"
            ),
        ),
        (arrived, "15-2", "halved since its first HQ has arrived"),
        (True, "22-8", "no more of its divisions than {counterattack} may be in French and British sectors"),
        (True, "15-9", "its supply points may become those of: {takers}"),
        (counts, "15-10", "{banked} are reserved for the 1st HQ, {room} more may be; allies take the others"),
        (found.beyond, "15-9", "France and Great Britain have to take {beyond}, which may not be reserved"),
        (not arrived and not counts, "15-10", "at most {largest} are reserved for the 1st HQ; allies take the others"),
        (arrived, "15-10", "the 1st HQ started with what was reserved for it"),
    )
    return permission(
        "The United States",
        (
            "attack supply for {attack} divisions, counterattack supply for {counterattack}",
            "allies may not spend for {used:#division}",
        ),
        holding([(found.used > most, "15-2", "{used} divisions are more than {most}")], found, most=most),
        found,
        kind="yes" if found.used else "figure",
        working={"What is allowed": (*holding(clauses, found, largest=largest), *list_remarks("americans"))},
    )


QUESTIONS = (
    declare(
        "americans", "what allies may spend for the United States, and who may take their supply points", americans
    ),
)
