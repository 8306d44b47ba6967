"""The checklist of a phase, as the tests look at it."""

from __future__ import annotations

from typing import Any

from assistant.asking.report import Report
from assistant.rules.phase_now import ChecklistItem

from ...conftest import answered, typed


def listed(text: str, phase: str, name: str, side: str = "russian", turn: int = 5) -> list[ChecklistItem]:
    """The items of a step of a phase, by the name of the step."""
    phasing = f"phasing={side}" if side else ""
    report = answered(typed(f"turn={turn}\nphase={phase}\n{phasing}\n{text}"), "turn")
    assert report.shown.now is not None
    return [item for item in report.shown.now.items if item.name == name]


def states(items: list[ChecklistItem]) -> list[tuple[str, tuple[str, ...]]]:
    """The state of each item, and the units that it is about."""
    return [(item.state, item.units) for item in items]


def followed(text: str, phase: str, side: str = "russian", turn: int = 5, **parameters: Any) -> Report[Any]:
    """The report on the next phase."""
    phasing = f"phasing={side}" if side else ""
    return answered(typed(f"turn={turn}\nphase={phase}\n{phasing}\n{text}"), "next", **parameters)
