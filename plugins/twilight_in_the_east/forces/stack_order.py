"""The order of stacks: the unit that must lie on top after units have moved or changed (4.2.5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from assistant.asking import Gather, View, if_known
from assistant.asking.view import changed
from assistant.state.changes import AnyChange, Change
from assistant.state.state import Unit

from ..ground.works import level_in
from ..terms import SUPPLY_ARMS
from .unit import gather_unit
from .units import stacking_order

RULE = "4.2.5"
RANKING_TRACKS = ("steps", "lost", "reduced", "cel", "disorder", "half")
"""Tracks that decide the rank among units of one arm."""
DECIDING_TRACKS = {"place", *RANKING_TRACKS, "ip", "ruined"}
"""Tracks of facts that decide which unit lies on top."""


def reorder_stacks(view: View, changes: Sequence[AnyChange]) -> Iterator[Change]:
    """Yield the changes that put the required unit on top of each stack that `changes` may reorder.

    The other units of a stack keep their order. A stack stays unchanged if a fact is missing.

    Rule: 4.2.5
    """
    deciding = {change.subject for change in changes if isinstance(change, Change) and change.track in DECIDING_TRACKS}
    if not deciding:
        return
    after = view.quiet_view().after(changes)
    for hex in _find_hexes(view, after, deciding):
        stack = after.stack(hex)
        if len(stack) > 1 and hex not in after.unseen and not any(_is_hidden(after, unit.id) for unit in stack):
            top = if_known(after, partial(find_top, hex))
            if top:
                yield from _put_on_top(after, stack, top)


def find_top(hex: str, facts: Gather) -> str:
    """Return the unit that must lie on top of the stack in a hex. Rule: 4.2.5"""
    stack = facts.view.stack(hex)
    supply = [unit.id for unit in stack if facts.word("arm", unit.id) in SUPPLY_ARMS]
    units = [gather_unit(facts, unit, None) for unit in stack if unit.id not in supply]
    return next(iter(stacking_order(units, supply, in_position=level_in(facts, hex) > 0)), "")


def _is_hidden(view: View, unit: str) -> bool:
    return any(view.is_hidden(track, unit) for track in RANKING_TRACKS)


def _find_hexes(view: View, after: View, subjects: Iterable[str]) -> list[str]:
    """Return the hexes among `subjects`, and the hexes of units among them before and after the changes."""
    hexes = dict[str, None]()
    for subject in sorted(subjects):
        for now in (view, after):
            unit = now.state.units.get(subject)
            place = unit.place if unit else subject
            if place and now.board.is_hex(place):
                hexes[place] = None
    return [*hexes]


def _put_on_top(view: View, stack: Sequence[Unit], top: str) -> Iterator[Change]:
    depth = [unit.id for unit in stack].index(top)
    places = [unit.order for unit in stack[: depth + 1]]
    for unit, place in zip((stack[depth], *stack[:depth]), places, strict=True):
        if unit.order != place:
            yield changed(view, "order", unit.id, place, RULE)
