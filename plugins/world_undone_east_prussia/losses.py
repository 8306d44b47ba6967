"""What losses bring at once: the end of the game with a German headquarters, and Samsonov's die (10.6.1, 10.6.2.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assistant.asking import View, changed
from assistant.state.changes import AnyChange, Change, Gain

from .terms import EIGHTH_ARMY, GERMAN, SECOND_ARMY

BROKEN = 25
"""Strength Points that the Second Army has lost when a die is rolled for Samsonov."""


def is_defeated(view: View) -> bool:
    """Return whether the Germans have lost the game with a headquarters. Rule: 10.6.1/defeat"""
    return bool(view.integer("headquarters-lost", EIGHTH_ARMY)) and "german-headquarters" in view.words("options")


def is_broken(view: View) -> bool:
    """Return whether the Second Army has lost so much that a die is rolled for Samsonov. Rule: 10.6.2.1/roll"""
    return view.integer("army-lost", SECOND_ARMY) >= BROKEN


def follow_losses(view: View, changes: Sequence[AnyChange]) -> Iterator[Change]:
    """Yield the changes by which a loss ends the game, or makes Samsonov's die due. Rule: 10.6.1/defeat,
    10.6.2.1/roll
    """
    touched = {change.track for change in changes if isinstance(change, Change | Gain)}
    if touched.isdisjoint(("headquarters-lost", "army-lost")):
        return
    now = view.unnoticed()
    then = now.after(changes)
    if is_defeated(then) and not is_defeated(now):
        yield changed(view, "defeated", GERMAN, True, "10.6.1")
    if "samsonov" in then.words("options") and is_broken(then) and not is_broken(now) and not then.word("samsonov"):
        yield changed(view, "samsonov-die", "", True, "10.6.2.1")
