"""Pieces that come into play: as the module's palettes hold them, or markers like one that is there already."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from ..legends.legend import Legend
from ..modules import Module
from ..pieces import Piece
from ..saves import Save


class Palette:
    """Where new pieces are taken from. module: the save's, None if it is not at hand."""

    def __init__(self, save: Save, legend: Legend, module: Module | None) -> None:
        self.save, self.legend, self.module = save, legend, module

    def unit(self, type: str) -> Piece | None:
        """The counter of a unit, None if it is not at hand."""
        return self._first(lambda piece: self.legend.unit(piece) == type)

    def marker(self, track: str) -> Piece | None:
        """A marker of a track, None if none is at hand."""

        def states(piece: Piece) -> bool:
            return not self.legend.unit(piece) and self.legend.marker(piece) == track and not piece.owners()

        there = next((piece for piece in self.save.pieces.values() if states(piece)), None)
        return there._replace(properties=()) if there is not None else self._first(states)

    def _first(self, is_wanted: Callable[[Piece], bool]) -> Piece | None:
        return next((piece for piece in self._slots if is_wanted(piece)), None)

    @cached_property
    def _slots(self) -> list[Piece]:
        """The pieces of all palettes as they come into play. Raises InputError for a prototype that contains itself."""
        if self.module is None:
            return []
        expanded = self.module.expanded
        return [slot.piece._replace(traits=expanded(slot.piece.traits), slot=slot.id) for slot in self.module.slots]
