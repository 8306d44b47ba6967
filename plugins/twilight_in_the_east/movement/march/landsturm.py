"""Landsturm Abteilungen that flee from marching Russian infantry and no longer affect its march (22.4.1)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from assistant.asking import View
from assistant.rules.field import HexBar
from assistant.state.state import Unit

from ...terms import LANDSTURM
from .steps import Judge, Stepped

NOBODY = frozenset[str]()
"""An empty set of ids."""
JudgeOf = Callable[[frozenset[str]], Judge]
"""A function that returns the judge of a party's steps, given the enemies who have fled."""


def find_flights(view: View, moving: Collection[Unit]) -> dict[str, frozenset[str]]:
    """Return the Landsturm Abteilungen that are removed if Russian infantry enters a hex, by hex. Rule: 22.4.1"""
    if not any((view.word("nation", unit.id), view.word("arm", unit.id)) == ("russian", "infantry") for unit in moving):
        return {}
    by_hex = dict[str, frozenset[str]]()
    for unit in (view.state.units[name] for name in sorted(LANDSTURM) if name in view.state.units):
        near: Iterable[str] = view.board.neighbours(unit.place) if unit.place else ()
        by_hex |= {hex: by_hex.get(hex, NOBODY) | {unit.id} for hex in near}
    return by_hex


class LandsturmJudge:
    """The judge of the steps of units that make Landsturm flee.

    `judge_of`: a function that returns the judge of the steps, given the Landsturm that has fled.
    """

    def __init__(self, view: View, moving: Collection[Unit], judge_of: JudgeOf) -> None:
        self._view = view
        self.judge_of = judge_of
        self.flights = find_flights(view, moving)

    def fled_at(self, there: str, fled: frozenset[str]) -> frozenset[str]:
        """Return the Landsturm that has fled once a hex is entered.

        `fled`: the Landsturm that fled earlier.
        """
        return fled | self.flights.get(there, NOBODY)

    def enter(self, here: str, there: str, entered: int, fled: frozenset[str]) -> Stepped | HexBar:
        """Return the hex that a step enters with its cost, or the bar of the step.

        A ruling decides whether Landsturm that flees from this step still has its ZOC.

        `entered`: 1 if a zone was entered before in the move, else 0.
        `fled`: the Landsturm that has fled before.

        Rule: 22.4.1
        """
        outcome = self.judge_of(fled).enter(here, there, entered)
        then = self.fled_at(there, fled)
        if then == fled:
            return outcome
        without = self.judge_of(then).enter(here, there, entered)
        if isinstance(without, HexBar):
            return outcome
        matters = isinstance(outcome, HexBar) or outcome.zones != without.zones
        return without if self._view.ruling("landsturm-zone", matters) == "spared" else outcome
