"""Entries of a mapping that are called like nothing in the module: misspelt, or of another version of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from ....util.errors import nearest, plain
from ..elements.controls import all_levels
from .keeping import Fixtures
from .mapping import ModuleMapping


def strays(
    mapping: ModuleMapping, fixtures: Fixtures, more: Collection[str] = (), found: Mapping[str, Any] | None = None
) -> Iterator[str]:
    """A sentence for each name in a mapping that nothing in a module has, with what may be meant.

    more: names of pieces and properties beside those that the fixtures tell; found: the likely piece of each unit that has one.
    """
    controls = fixtures.controls
    levels = {level.name for tracker in controls.trackers for level in all_levels(tracker)}
    for section, kind, entries, known in (
        ("sides", "side", mapping.sides, {*controls.sides}),
        ("maps", "map", mapping.maps, {*fixtures.maps}),
        ("turn", "level of a turn tracker", mapping.turn, {*levels, *more}),
        ("dice", "dice button", mapping.dice, {button.name for button in controls.dice}),
    ):
        yield from (_stray(f"[{section}]", kind, name, nearest(name, known)) for name in entries if name not in known)
    if not fixtures.pieces:  # of a module that was adopted before they were kept
        return
    pieces = {*fixtures.pieces, *more}
    named = [
        (f"[units] {unit}", name, (found or {}).get(unit)) for unit in mapping.units for name in mapping.pieces_of(unit)
    ]
    named += [("[markers]", name, None) for name in mapping.markers] + [
        ("ignored", name, None) for name in mapping.ignored
    ]
    for where, name, now in named:
        if name not in pieces:
            yield _stray(where, "piece", name, f"it may be {now!r} now" if now else nearest(name, pieces))


def _stray(where: str, kind: str, name: str, hint: str) -> str:
    return f"{where}: the module has no {kind} {plain(repr(name))}" + (f"; {hint}" if hint else "")
