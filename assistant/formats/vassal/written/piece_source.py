"""Where pieces that are not in a save come from: the palettes of its module."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

import msgspec

from ..legends import Legend
from ..modules import Module
from ..overlay import OVERLAY
from ..pieces import Piece
from ..saves import Save

Palettes = Callable[[], Module | None]
"""Gives a module with palettes once it is needed, None if none is at hand."""


class PieceSource:
    """Where new pieces are taken from."""

    def __init__(self, save: Save, legend_of: Callable[[Save], Legend], palettes: Palettes) -> None:
        self.save = save
        self.legend_of = legend_of
        self.palettes = palettes

    def unit(self, type: str) -> Piece | None:
        """Return the counter of a unit, None if it is not at hand."""
        legend = self.legend_of(self._slots)
        return next((piece for piece in self._slots.pieces.values() if type in legend.units_of(piece)), None)

    def marker(self, track: str, about: tuple[str, str] | None = None) -> Piece | None:
        """Return a marker of a track, None if none is at hand. about: a further property and its value that it has, if
        there is one that has it.
        """
        if about is not None and (piece := self._find_marker(track, about)) is not None:
            return piece
        return self._find_marker(track)

    def _find_marker(self, track: str, *about: tuple[str, str]) -> Piece | None:
        piece = _find_marker(self.save, self.legend_of(self.save), track, about)
        if piece:
            return piece._replace(properties=())
        return _find_marker(self._slots, self.legend_of(self._slots), track, about)

    def overlay(self) -> dict[str, Piece]:
        """Return the pieces that show what an answer found, by what their markers say."""
        slots = self._slots.pieces.values()
        return {shows: piece for piece in slots if (shows := piece.marks().get(OVERLAY, ""))}

    @cached_property
    def _slots(self) -> Save:
        """The save with the pieces of its module's palettes instead of those in play. Raises InputError for a prototype
        that contains itself.
        """
        module = self.palettes()
        pieces = dict[str, Piece]()
        if module is not None and module.about.module == self.save.about.module:
            for number, slot in enumerate(module.slots):
                traits = module.expanded(slot.piece.traits)
                pieces[str(number)] = slot.piece._replace(id=str(number), traits=traits, slot=slot.id)
        return msgspec.structs.replace(self.save, pieces=pieces, stacks={})


def _find_marker(save: Save, legend: Legend, track: str, about: Sequence[tuple[str, str]]) -> Piece | None:
    """Return a marker of a track in a save that nobody hides. about: further properties that it has."""
    pieces = (piece for piece in save.pieces.values() if not legend.unit(piece) and not piece.owners())
    markers = (piece for piece in pieces if legend.marker(piece) == track)
    return next((piece for piece in markers if all(pair in piece.marks().items() for pair in about)), None)
