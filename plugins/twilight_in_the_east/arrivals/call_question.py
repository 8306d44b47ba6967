"""The question `call`: calling the Western Front reinforcements, its score, and their arrival (22.1, 27.2.3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Annotated

import msgspec

from assistant.asking import Gather, Parameters, Report, Step, View, declare, note, step
from assistant.asking.case import Action
from assistant.asking.permission import Clause
from assistant.rules.arrivals import coming_units
from assistant.state.changes import AnyChange

from ..ground.calendar import QuietWork
from .new_armies import LAST_CALL_TURN, Call, arrival_of_call, changes_of_call, format_score, read_call, score_of_call


class CallParameters(Parameters, frozen=True):
    """Parameters of the question `call`, which has none: the call is made in the turn of the position."""


class CallResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of the question `call`."""

    turn: Annotated[int, note("the game turn of the call")]
    arrives: Annotated[int, note("the game turn in which they arrive")]
    points: Annotated[int, note("Victory Points for the turn of the call")]
    units: Annotated[tuple[str, ...], note("the units that then arrive, as far as the schedules name them")] = ()


class Calling(QuietWork, Call, Action[CallResult]):
    """The call for the reinforcements, in a German Reinforcement Phase."""

    due = "reinforcement"
    rule = "22.1.1"
    side: str = "central-powers"
    title = "The call for the Western Front reinforcements"
    yes = "they are called in GT {turn} and arrive in GT {arrives}: {score}"
    no = "they may not be called now"

    @property
    def arrives(self) -> int:
        return arrival_of_call(self.turn)

    @property
    def score(self) -> str:
        return format_score(score_of_call(self.turn))

    @cached_property
    def units(self) -> tuple[str, ...]:
        """Ids of the units that arrive after the call, as far as the schedules name them."""
        coming = coming_units(self.view.after(self.changes()), self.side)
        return tuple(unit.unit for unit in coming if unit.turn == self.arrives)

    def bars(self) -> Iterator[Clause]:
        """Yield the bars to the call, which is made once, in a German Reinforcement Phase. Rule: 22.1.1"""
        yield from self.bars_of_phase()
        yield from self.bars_of_call()

    def needs(self, facts: Gather) -> None:
        facts.integer("turn")

    def result(self, *, allowed: bool) -> CallResult | None:
        points = score_of_call(self.turn)
        return CallResult(turn=self.turn, arrives=self.arrives, points=points, units=self.units) if allowed else None

    def working(self) -> dict[str, Iterable[Step]]:
        arrival = step("22.1.2", "they arrive in GT {arrives}[units:: {units}]", self)
        return {"The call": [arrival, step("27.2.3", "{score} for a call in GT {turn}", self)]}

    def changes(self) -> list[AnyChange]:
        return changes_of_call(self.view, self.side, self.turn)


def answer(view: View) -> Report[CallResult]:
    """Return the report on the call.

    Raises MissingFacts if the turn is not stated.
    """
    return calling(view).report()


def calling(view: View) -> Calling:
    """Return the call in the present turn, or in the last possible turn if none is stated."""
    now = read_call(view, view.integer("turn") or LAST_CALL_TURN)
    return Calling(view=view, turn=now.turn, called=now.called, maps=now.maps, used=now.used)


QUESTION = declare(
    "call",
    "whether the Western Front reinforcements may be called, and what the call brings",
    answer,
    parameters=CallParameters,
)
