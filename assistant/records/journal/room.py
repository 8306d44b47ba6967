"""How much room a state takes as notation, at most: a journal is added to only as far as a file may hold it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import NamedTuple

import msgspec

from ...state.state import FactKey, GameState
from ...util.limits import Limit


class CountedState(NamedTuple):
    """A state, and how many letters its units and facts take as notation, at most."""

    state: GameState
    letters: int

    def with_state(self, state: GameState) -> CountedState:
        """Return another state, counted: only what differs from this one is gone through."""
        if state is self.state:
            return self
        facts = [*chain(*state.compare_facts(self.state))]
        units = [*chain(*state.compare_units(self.state))]
        more = _count_letters(state, facts, units) - _count_letters(self.state, facts, units)
        return CountedState(state, self.letters + more)

    @property
    def may_exceed(self) -> bool:
        """Return whether the state may take more room than there is."""
        others = msgspec.structs.replace(self.state, units={}, facts={})
        (_, letters), (_, lines) = measure_room(others).values()
        most = lines + len(self.state.facts) + len(self.state.units)
        return letters + self.letters > Limit.NOTATION.most or most > Limit.LINES.most


def _count_letters(state: GameState, facts: Iterable[FactKey], units: Iterable[str]) -> int:
    """Return how many letters some facts and units take, as far as a state has them."""
    stated = {key: state.facts[key] for key in facts if key in state.facts}
    standing = {name: state.units[name] for name in units if name in state.units}
    (_, letters), _ = measure_room(GameState(game=state.game, units=standing, facts=stated)).values()
    return letters


def measure_room(state: GameState) -> dict[Limit, tuple[str, int]]:
    """Return how much room a state takes as notation, at most, in letters and lines: by their limits, as
    `find_exceeded` takes it.
    """
    facts = [*state.facts.items(), *(fact for own in state.line_facts.values() for fact in own.items())]
    letters = sum(len(f"{track} {about} {fact.value}    ") for (track, about), fact in facts)
    letters += sum(len(f"{unit.id} {unit.id} {unit.type} {unit.place}    ") for unit in state.units.values())
    letters += sum(len(f"{name} {' '.join(places)}    ") for name, places in state.lines.items())
    letters += sum(len(f"{key} {cell}    ") for key, cell in state.cells.items())
    subjects = {about for (_, about), _ in facts}
    count = len(subjects) + len(state.units) + len(state.lines) + len(state.cells)
    holder = "with this the table would hold"
    return {Limit.NOTATION: (holder, letters), Limit.LINES: (holder, count)}
