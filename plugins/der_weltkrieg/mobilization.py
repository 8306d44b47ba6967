"""Which units complete their mobilization when: the question `mobilized` (8-2, 28)."""

from __future__ import annotations

from typing import Annotated

import msgspec

from assistant.asking import NationName, Part, Report, Step, View, declare, note, step, verdict
from assistant.game.schedule_files import read_schedules
from assistant.rules.arrivals import fact_of

from .terms import format_nation, format_turn, list_remarks, turn_now


class Mobilized(msgspec.Struct, frozen=True, kw_only=True):
    """What completes its mobilization."""

    turn: Annotated[str, note("the turn", "turn")]
    map: Annotated[str, note("the map")]
    text: Annotated[str, note("which units")]


def mobilized(view: View, *, who: NationName) -> Report[tuple[Mobilized, ...]]:
    """Return the report on which units of a nation have completed their mobilization, and which follow.
    Rule: 28/general, 28/HQ, 28/column, 28/schedule, 28/Aug-1, 28/Aug-2, 28/Aug-3, 28/Aug-4, 28/Aug-5, 28/Aug-6,
    28/Aug-7, 28/Italy+0, 28/Italy+1, 28/Italy+2, 8-2
    """
    with view.gather() as facts:
        turn = turn_now(facts)
    schedules = read_schedules(view.game).where(lambda row: (row.item, row.who) == ("mobilization", who))
    dated = dict(schedules.dated(fact_of(view)))
    steps: dict[str, list[Step]] = {"Mobilized": [], "To follow": []}
    found = []
    for row in schedules.rows:
        when = dated.get(row)
        item = Mobilized(turn=format_turn(view, when), map=row.map, text=row.text)
        found.append(item)
        done = when is not None and when <= turn
        steps["Mobilized" if done else "To follow"].append(
            step(row.rule, ("{turn}, map {map}: {text}" if item.turn else "map {map}: {text}"), item)
        )
    count = len(steps["Mobilized"])
    return Report(
        title=f"Mobilization of {format_nation(view, who)}",
        verdict=verdict("figure", "{count} of {all} groups have mobilized", count=count, all=len(found)),
        parts=(
            *(Part(title, tuple(some)) for title, some in steps.items()),
            Part("Rules", tuple(list_remarks("mobilized", who))),
        ),
        result=tuple(found),
    )


QUESTIONS = (declare("mobilized", "which units have completed their mobilization", mobilized),)
