"""What keeps a unit from spending Movement Points: the phase, and markers that it bears (2.2, 5.4, 8.2.4, 8.2.5, 8.4, 9.5.1)."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from assistant.field.standing import side_of
from assistant.mechanics.rounding import down
from assistant.questions.report import Step, step
from assistant.questions.view import Gather
from assistant.state.state import Unit

from ..ground.phases import not_now

FREE = frozenset({"1-det 11", "2-det 11", "3-det 11"})
"""Austro-Hungarian detachments that a marker does not pin (6.4.4)."""


Doing = Literal["fight", "spend", "move", "retreat", "displace"]


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


def cannot_spend(facts: Gather, unit: Unit) -> list[Step]:
    """Why a unit spends no Movement Points where it stands: a marker that it bears, or the phase."""
    reasons = bound_by_marker(facts, unit), not_now(facts.view, side_of(facts, unit))
    return [step(rule, "{why}", why=why) for rule, why in reasons if why]


def credited(points: Fraction) -> int:
    """The Movement Points that count for a task, of those spent on it in a phase: half a point counts for nothing.

    Rule: 4.5b
    """
    return down(points)


def pinned_by(facts: Gather, unit: Unit, hex: str) -> list[str]:
    """The enemies whose markers keep a unit from leaving a hex in the Counter Movement Phase.

    Rule: 8.4.2, 6.4.4
    """
    near = [other for place in facts.view.board.neighbours(hex) for other in facts.view.stack(place)]
    there = [other for other in near if facts.word("prepared", other.id) == hex and unit.id not in FREE]
    return [other.id for other in there if side_of(facts, other) not in ("", side_of(facts, unit))]


def displaced_bars(doing: Doing, accompanied: bool) -> str:
    """What an Artillery Displaced marker has against something that its unit would do, "" if nothing: taking part in combat,
    spending Movement Points, moving but in a retreat after combat with others, and displacing again, which eliminates it but
    with a combat unit or a depot.

    accompanied: whether those are with it that count.

    Rule: 9.5.1a
    """
    if doing in ("retreat", "displace") and accompanied:
        return ""
    return {
        "fight": "it is marked Displaced and takes no part in combat",
        "spend": "it is marked Displaced and spends no Movement Points",
        "move": "it is marked Displaced and moves only in a retreat after combat, with others",
        "retreat": "it is marked Displaced and retreats only with others",
        "displace": "it has been displaced before",
    }[doing]
