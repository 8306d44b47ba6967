"""The depots whose army is named in play: PRAGA, turn by turn, and Karpaten, once (23.5, 24.5.3)."""

from __future__ import annotations

from assistant.questions import View
from assistant.questions.view import changed
from assistant.state.changes import Change

from ..forces.armies import Breach
from ..terms import FIXED, KARPATEN

CHANGED = "changed-attachment"
"""The track of the PRAGA depot's Changed Attach side."""


def is_named_in_play(unit: str) -> bool:
    """Whether a depot's army is named in play."""
    return unit in FIXED or unit == KARPATEN


def against_naming(unit: str, nation: str, before: str, after: str, *, campaign: bool, phase: bool) -> list[Breach]:
    """What forbids naming an army for a depot.

    nation: whose army it would be; before, after: its army, "" for none; phase: whether it is an Attachment Phase of
    its side.
    Rule: 23.5, 24.5.3
    """
    karpaten = unit == KARPATEN
    reasons = (
        (karpaten and not campaign, "23.5", "it is for the Grand Campaign"),
        (karpaten and nation != "austro-hungarian", "23.5", "it is attached to an Austro-Hungarian army"),
        (karpaten and before not in ("", after), "23.5", f"it was attached to {before}, which does not change"),
        (not karpaten and not campaign, "24.5.2", "in the Tannenberg scenario it is with the Second Army"),
        (not karpaten and not phase, "24.5.3", "its army is named in the Russian Attachment Phase only"),
    )
    return [Breach(rule, unit, why) for holds, rule, why in reasons if holds]


def turns_praga(before: str, after: str) -> bool:
    """Whether the PRAGA depot lies on its Changed Attach side once its army is named: if that is another than the turn
    before. Naming the same one again turns it back.
    Rule: 24.5.3
    """
    return bool(before) and before != after


def record_army(view: View, unit: str, before: str, after: str) -> list[Change]:
    """What naming an army changes."""
    rule = "23.5" if unit == KARPATEN else "24.5.3"
    made = [changed(view, "army", unit, after.partition(" ")[2], rule)] if after != before else []
    if unit in FIXED:
        side = turns_praga(before, after) or None
        made += [changed(view, CHANGED, unit, side, rule)] if view.state.value(CHANGED, unit) != side else []
    return made
