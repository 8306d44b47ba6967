"""The maximum size of a state as notation, by which a journal refuses entries that its file could not hold."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import NamedTuple

import msgspec

from ...state.state import FactKey, GameState
from ...util.limits import Limit


class CountedState(NamedTuple):
    """A state, with the maximum number of letters that its units and facts need as notation."""

    state: GameState
    letters: int

    def with_state(self, state: GameState) -> CountedState:
        """Return another state with its number of letters, counting only the differences."""
        if state is self.state:
            return self
        facts = [*chain(*state.compare_facts(self.state))]
        units = [*chain(*state.compare_units(self.state))]
        difference = _count_letters(state, facts, units) - _count_letters(self.state, facts, units)
        return CountedState(state, self.letters + difference)

    @property
    def may_exceed(self) -> bool:
        """Whether the state may be larger than notation in a file may be."""
        others = msgspec.structs.replace(self.state, units={}, facts={})
        (_, letters), (_, lines) = measure_room(others).values()
        most = lines + len(self.state.facts) + len(self.state.units)
        return letters + self.letters > Limit.NOTATION.most or most > Limit.LINES.most


def _count_letters(state: GameState, facts: Iterable[FactKey], units: Iterable[str]) -> int:
    stated = {key: state.facts[key] for key in facts if key in state.facts}
    units_there = {name: state.units[name] for name in units if name in state.units}
    (_, letters), _ = measure_room(GameState(game=state.game, units=units_there, facts=stated)).values()
    return letters


def measure_room(state: GameState) -> dict[Limit, tuple[str, int]]:
    """Return the maximum size of a state as notation, in letters and lines, by limit, as `find_exceeded` takes it."""
    facts = [*state.facts.items(), *(fact for own in state.line_facts.values() for fact in own.items())]
    letters = sum(len(f"{track} {about} {fact.value}    ") for (track, about), fact in facts)
    letters += sum(len(f"{unit.id} {unit.id} {unit.type} {unit.place}    ") for unit in state.units.values())
    letters += sum(len(f"{name} {' '.join(places)}    ") for name, places in state.lines.items())
    letters += sum(len(f"{key} {cell}    ") for key, cell in state.cells.items())
    subjects = {about for (_, about), _ in facts}
    count = len(subjects) + len(state.units) + len(state.lines) + len(state.cells)
    holder = "with this the table would hold"
    return {Limit.NOTATION: (holder, letters), Limit.LINES: (holder, count)}
