"""Pieces that come into play: as the module's palettes hold them, or markers like one that is there already."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import msgspec

from ..legends.legend import Legend
from ..modules import Module
from ..pieces import Piece
from ..saves import Save

Palettes = Callable[[], Module | None]
"""Gives a module with palettes once it is needed, None if none is at hand."""


class Palette:
    """Where new pieces are taken from."""

    def __init__(self, save: Save, legend_of: Callable[[Save], Legend], palettes: Palettes) -> None:
        self.save, self.legend_of, self.palettes = save, legend_of, palettes

    def unit(self, type: str) -> Piece | None:
        """The counter of a unit, None if it is not at hand."""
        legend = self.legend_of(self._slots)
        return next((piece for piece in self._slots.pieces.values() if type in legend.units_of(piece)), None)

    def marker(self, track: str) -> Piece | None:
        """A marker of a track, None if none is at hand."""
        found = _marker(self.save, self.legend_of(self.save), track)
        return found._replace(properties=()) if found else _marker(self._slots, self.legend_of(self._slots), track)

    @cached_property
    def _slots(self) -> Save:
        """The save with the pieces of its module's palettes instead of those in play. Raises InputError for a prototype that contains itself."""
        module, pieces = self.palettes(), dict[str, Piece]()
        if module is not None and module.about.module == self.save.about.module:
            for number, slot in enumerate(module.slots):
                traits = module.expanded(slot.piece.traits)
                pieces[str(number)] = slot.piece._replace(id=str(number), traits=traits, slot=slot.id)
        return msgspec.structs.replace(self.save, pieces=pieces, stacks={})


def _marker(save: Save, legend: Legend, track: str) -> Piece | None:
    """A marker of a track in a save that nobody hides."""
    pieces = (piece for piece in save.pieces.values() if not legend.unit(piece) and not piece.owners())
    return next((piece for piece in pieces if legend.marker(piece) == track), None)
