"""The markers of a Supply Phase: what comes off and is turned at its start and at its end (5.4.4, 8.2.7)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from assistant.questions.view import View, changed
from assistant.state.changes import Change
from assistant.state.state import Unit

RELOCATES = {"relocating": "consolidating", "consolidating": None}
"""What becomes of a depot's marker at the end of its Supply Phase."""


def at_start(view: View, units: Iterable[Unit], kept: Collection[str]) -> Iterator[Change]:
    """What is reset: Extended Mode, AP Allocated markers, and the side of the PRAGA depot. kept: depots whose
    attachment was changed in this turn, which stay as they are.
    Rule: 5.4.4
    """
    for unit in units:
        for track in ("extended", "ap-spent", "changed-attachment"):
            if view.state.value(track, unit.id) and (track != "changed-attachment" or unit.id not in kept):
                yield changed(view, track, unit.id, None, "5.4.4")


def at_end(view: View, units: Iterable[Unit]) -> Iterator[Change]:
    """Consolidating markers come off, Relocating ones are turned. Rule: 5.4.4c, 8.2.7b"""
    for unit in units:
        marker = str(view.state.value("relocation", unit.id))
        if marker in RELOCATES:
            yield changed(view, "relocation", unit.id, RELOCATES[marker], "5.4.4")


def remove_markers(view: View, units: Iterable[Unit]) -> Iterator[Change]:
    """The supply markers of the last Supply Phase come off before supply is traced anew. Rule: 14.0, 14.5"""
    for unit in units:
        for track in ("supply", "isolated"):
            if view.state.value(track, unit.id):
                yield changed(view, track, unit.id, None, "14.4")


DONE = "supply-phase-done"
"""The track of the game turn in which a side carried out its Supply Phase last."""


def is_done(view: View, side: str) -> bool:
    """Whether a side's Supply Phase of this game turn has been carried out."""
    turn = view.integer("turn")
    return bool(turn) and view.state.value(DONE, side) == turn


def done(view: View, side: str) -> Iterator[Change]:
    """That it is, as far as the game turn is stated."""
    if turn := view.integer("turn"):
        yield changed(view, DONE, side, turn, "5.4.4")
