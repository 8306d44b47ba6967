"""Retreats that units still owe, by a track with their hexes, and what `turn` reports of them.

The track has `ends_on_leaving`, so a unit that a player moves by hand owes nothing more.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..asking.view import View, changed
from ..state.changes import AnyChange
from ..state.state import Unit
from ..util.errors import quoted

if TYPE_CHECKING:
    from .phase_now import StepFinding


def owe_retreat(view: View, track: str, unit: str, hexes: int, rule: str) -> Iterator[AnyChange]:
    """Yield the change that records the hexes that a unit must retreat."""
    yield changed(view, track, unit, hexes, rule)


def end_retreat(view: View, track: str, unit: str, rule: str) -> Iterator[AnyChange]:
    """Yield the change that clears the hexes that a unit owes, or nothing if it owes none."""
    if view.integer(track, unit):
        yield changed(view, track, unit, None, rule)


def units_owing(view: View, track: str) -> list[Unit]:
    """Return the units on the map that must still retreat, by id."""
    owing = (view.unit(name) for name in sorted(view.stated_about.get(track, ())) if view.integer(track, name))
    return [unit for unit in owing if view.board.is_hex(unit.place)]


def judge_retreats(view: View, track: str, rule: str) -> Iterator[StepFinding]:
    """Yield a finding for each group of units in a hex that owe the same number of hexes."""
    from .turns import finding  # imported here because retreats owe hexes even in games without the question `turn`

    together = dict[tuple[str, int], list[str]]()
    for unit in units_owing(view, track):
        together.setdefault((str(unit.place), view.integer(track, unit.id)), []).append(unit.id)
    for (place, hexes), units in sorted(together.items()):
        text = "{units} in {places} must retreat {hexes:#hex}"
        ask = f"retreat units={','.join(map(quoted, units))}"
        yield finding("owed", rule, text, units=units, places=[place], hexes=hexes, ask=ask)
