"""The facts that change a decision only together, and the fewest that settle it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...mechanics.settling import NoRoomError, Settled, least_part, settling
from ...state.sources import Value
from ...state.state import FactKey
from ..report import Report
from ..view import View
from .trials import Trials
from .weighed import NAMED_TOGETHER, Group, Holds, Together, Turn, Weighed

_NONE = frozenset[FactKey]()
_TRIALS, _FEW = 8, 64
"""For how many trials there has to be room if many facts hold a decision, and how many are few."""
_SETS = 4
"""Of how many facts that hold a decision one set is expected that changes it."""


def weigh_together(
    trials: Trials,
    report: Report[Any],
    turns: Sequence[Turn],
    holds: Callable[[View, Report[Any]], Holds | None],
    room: int,
    read: int,
) -> Weighed:
    """What a decision turns on, with the facts that change it only together.

    turns: those that change it alone; room: how many facts may be read to seek them; read: how many the question reads. If few trials would
    take all the room, and many facts hold the decision, none is made: then all these settle it, and perhaps fewer do.
    """
    known = holds(trials.view, report)
    if known is None:
        return Weighed(tuple(turns), len(trials.left))
    is_much = _TRIALS * read > room
    trials.room = min(room, read) if is_much else room
    joint = Joint(trials, report, holds, known)
    alone = [turn.key for turn in turns]
    enough = {
        *alone,
        *(key for key, value in (*known.up.items(), *known.down.items()) if joint.open(key, value, _NONE)),
    }
    joint.others = len(enough) - len(alone)
    if known.at_once and (not is_much or len(enough) <= _FEW):
        settled = settling(joint.seek, joint.certain, [[key] for key in alone], enough)
    else:
        settled = Settled(frozenset(enough), len(enough) == len(alone), ())
    more = (trials.turn(*one, why) for others, why in joint.found for one in others.items() if len(others) == 1)
    told = (Together(tuple(others), why) for others, why in joint.found if len(others) > 1)
    order = (*known.up, *known.down)
    return Weighed((*turns, *more), 0 if settled.complete else len(trials.left), tuple(told), settled, order)


class Joint:
    """Seeks the facts that change a decision only together.

    trials: the question asked again; report: the answer as it stands; others: how many facts hold the decision, without those that change
    it alone.
    """

    def __init__(
        self, trials: Trials, report: Report[Any], holds: Callable[[View, Report[Any]], Holds | None], known: Holds
    ) -> None:
        self.trials, self.report, self.holds, self.known = trials, report, holds, known
        self.found: list[tuple[Group, str]] = []  # what changes the decision, with what follows from it
        self.all_room, self.made, self.others = trials.room, trials.made, 0

    def seek(self, kept: frozenset[FactKey]) -> frozenset[FactKey] | None:
        """Facts without some that are known, which change the decision together while no part of them does; None if there are none."""
        self.check_hope()
        group, idle = self.worse(kept)
        group = group or self.better(kept)
        if not group:
            return None
        known = dict[frozenset[FactKey], str]()

        def changes(some: Sequence[tuple[FactKey, Value]]) -> bool:
            others = dict(some)
            known[frozenset(others)] = why = self.then(others)
            return bool(why)

        least = dict(least_part([*group.items()], changes, idle))
        self.found.append((least, known.get(frozenset(least)) or self.then(least)))
        return frozenset(least)

    def certain(self, kept: frozenset[FactKey]) -> bool:
        """Whether the decision stays whatever all facts but those that are known may be."""
        return not self.worse(kept)[0] and not self.better(kept)

    def worse(self, kept: frozenset[FactKey]) -> tuple[Group, int]:
        """Facts that make the decision worse at their worst: those that hold it up, and, while it stays, those that do then; and how many of
        the first do not yet."""
        supposed, view, report = dict[FactKey, Value](), self.trials.view, self.report
        up = self.known.up
        while new := {key: value for key, value in up.items() if key not in supposed and self.open(key, value, kept)}:
            supposed |= new
            view = self.trials.view.supposing(supposed)
            told = self.ask(view)
            if isinstance(told, str) or self.trials.changed(told):
                return supposed, len(supposed) - len(new)
            report = told
            held = self.holds(view, report)
            up = held.up if held else {}
        return {}, 0

    def better(self, kept: frozenset[FactKey]) -> Group:
        """Facts that make the decision better at their best."""
        supposed = {key: value for key, value in self.known.down.items() if self.open(key, value, kept)}
        return supposed if supposed and self.then(supposed) else {}

    def open(self, key: FactKey, value: Value, kept: frozenset[FactKey]) -> bool:
        """Whether a fact is in doubt that may have a value, and not among those that are known."""
        fact = None if key in kept else self.trials.view.fact(*key)
        return fact is not None and self.trials.view.in_doubt(fact) and fact.value != value

    def then(self, others: Group) -> str:
        """What follows from other values of facts in words, "" if the decision stays."""
        found = self.trials.then(others)
        self.check()
        return found

    def ask(self, view: View) -> Report[Any] | str:
        """The answer in another view, or why there is none."""
        told = self.trials.told(view)
        self.check()
        return told

    def check_hope(self) -> None:
        """Raise NoRoomError once some are found and there would be no room to seek one for a fair share of the facts that hold the decision:
        to narrow down a pair of so many takes twice as many trials as that can be halved, if it is not among the first."""
        done, spent = len(self.found), self.all_room - self.trials.room
        pair = 2 * self.others.bit_length() * spent / max(self.trials.made - self.made, 1)
        each = max(spent / max(done, 1), pair)
        if done >= NAMED_TOGETHER and each * self.others / _SETS > self.all_room:
            raise NoRoomError

    def check(self) -> None:
        """Raise NoRoomError once too much has been read."""
        if self.trials.room < 0:
            raise NoRoomError
