"""Units that never retreat and are destroyed instead (22.4.1, 22.4.2, 22.5.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assistant.asking import Step, View, step
from assistant.asking.view import changed
from assistant.state.changes import Change

from ..terms import STAY_OR_FALL


def find_falling(units: Iterable[str]) -> dict[str, str]:
    """Return the units that are destroyed if they must retreat, each with the number of the rule.

    Rule: 22.4.1, 22.4.2, 22.5.1
    """
    return {unit: STAY_OR_FALL[unit] for unit in units if unit in STAY_OR_FALL}


def list_falls(view: View, fallen: Iterable[str]) -> Iterator[Change]:
    """Yield the changes that remove the Landsturm, batteries and Train among `fallen`."""
    for unit, rule in find_falling(fallen).items():
        yield changed(view, "place", unit, None, rule)


def falling_steps(units: Iterable[str]) -> Iterator[Step]:
    """Yield a step of the report for each unit that is destroyed because it never retreats."""
    for unit, rule in find_falling(units).items():
        yield step(rule, "{unit} is destroyed: it would have to retreat, and never does", unit=unit)
