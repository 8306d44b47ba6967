"""What keeps a unit from spending Movement Points: the phase, and markers that it bears (2.2, 5.4, 8.2.4, 8.2.5, 8.4, 9.5.1)."""

from __future__ import annotations

from assistant.state import Unit
from assistant.view import Gather, View

from .attack_phase import active_now, phase_of
from .units import displaced_bars

MOVEMENT_PHASES = ("movement", "counter-movement")


def not_now(view: View, side: str) -> tuple[str, str]:
    """Why a side spends no Movement Points in this phase, the rule and why; two empty texts if it may, as far as is stated."""
    phase, active = phase_of(view), active_now(view)
    if phase and phase not in MOVEMENT_PHASES:
        return "2.2", f"Movement Points are spent in movement phases: phase={phase}"
    return ("5.4", f"the {active} side is active, and moves in this phase") if active not in ("", side) else ("", "")


def bound_by_marker(facts: Gather, unit: Unit) -> tuple[str, str]:
    """What keeps a unit from spending points on foot or where it stands, the rule and why: a marker that it bears; two empty
    texts if none does."""
    if facts.word("prepared", unit.id):
        return "8.4", "it bears a Prepared Attack marker and spends no more points in this phase"
    if facts.flag("displaced", unit.id):
        return "9.5.1", displaced_bars("spend", accompanied=True)
    if facts.flag("half", unit.id):
        return "8.2.5", "it bears a 1/2 marker and spends no Movement Points"
    return ("8.2.4", "it is in Rail Mode and goes by rail only") if facts.flag("entrained", unit.id) else ("", "")
