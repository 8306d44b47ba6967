"""The pen of a module of the builder: the words of layers, the boxes of turns and the dead piles are declared in the save itself."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import msgspec

from ....state.sources import Fact, Value
from ....state.state import FactKey
from ....state.tracks import Track
from ....state.words import Vocabulary, Word
from ....util.errors import InputError
from ..declared import MODULE, SEEN
from ..elements.starts import centres
from ..grids import Hexes
from ..legends.built import BuiltLegend
from ..pieces import Piece
from ..traits import LayerTrait, Trait, hidden_by, read_label, read_layer
from ..turns import STEPS, read_steps
from .course import Course, course_of
from .pen import HIDES, Spot, by_place, sent_away


class BuiltPen:
    """The pen for saves of a module with a declared legend."""

    def __init__(self, legend: BuiltLegend) -> None:
        self.legend, self.game = legend, legend.game
        self.vocabulary = Vocabulary(self.game.tracks)

    def spot(self, place: str) -> Spot | None:
        """The middle of a hex or a box."""
        return self._spots.get(place)

    @cached_property
    def _spots(self) -> dict[str, Spot]:
        """The middles of all places that the module draws."""
        middles = (
            Spot(name, at)
            for name, window in self.legend.windows.items()
            for at in centres(
                window.grid, window.size or (window.grid.size if isinstance(window.grid, Hexes) else (0, 0))
            )
        )
        return by_place(middles, self.legend)

    def box_of_turn(self, track: str, turn: Value) -> Spot | None:
        """The middle of the turn's box in the window with the turns."""
        for window, boxes in self.legend.arrivals.items():
            for x, y, name in boxes.grid.points:
                if boxes.track == track and name == str(turn):
                    return Spot(window, (x, y))
        return None

    def away(self, piece: Piece) -> tuple[Piece, Spot] | None:
        """The dead pile that the counter's own command sends it to."""
        return sent_away(piece, self.legend.is_aside)

    def showing(self, piece: Piece, track: Track, value: Value | None) -> Piece | None:
        """The piece with the layers and texts of the track at the value; what hides it is stated likewise."""
        layers = (read_layer(trait.type) for trait in piece.traits if trait.kind == "emb2")
        level = next((self._level(layer, track, value) for layer in layers if layer.name == track.name), None)
        traits = [self._restated(trait, track, value, level) for trait in piece.traits]
        if all(new is None for new in traits):
            return None
        return piece._replace(traits=tuple(new or old for new, old in zip(traits, piece.traits, strict=True)))

    def _restated(self, trait: Trait, track: Track, value: Value | None, level: int | None) -> Trait | None:
        """A trait at a value, None if it does not show the track. level: of its layer, None if that cannot show the value."""
        text = "" if value is None else str(value)
        if trait.kind == "emb2" and level is not None:
            if read_layer(trait.type).name in (track.name, SEEN.format(track.name)):
                _, mark, more = trait.state.partition(";")
                return Trait(trait.type, f"{level}{mark}{more}")
        elif trait.kind == "label" and read_label(trait.type).name == track.name:
            return Trait(trait.type, text)
        elif trait.kind == HIDES.get(track.name):
            return hidden_by(trait.type, text)
        return None

    def _level(self, layer: LayerTrait, track: Track, value: Value | None) -> int | None:
        """The level of a layer that shows a value, or else the one that shows nothing; None if there is none."""
        words = [layer.added(number) for number in range(1, len(layer.names) + 1)]
        said = [self._value(track, word) for word in words]
        if value is not None and value != track.absent and value in said:
            return said.index(value) + 1
        return words.index("") + 1 if "" in words else None

    def _value(self, track: Track, word: str) -> Value | None:
        """The value of a track that a word states, None if it states none."""
        try:
            found = self.vocabulary.read(track.on, Word(word, 0)) if word else None
        except InputError:  # a number out of the range of the track
            return None
        return found[1].value if found is not None and found[0] is track else None

    def course(self, facts: Mapping[FactKey, Fact]) -> Course:
        """The turn tracker at the entry that states them, and the properties that buttons set."""
        declared = self.legend.save.properties.get((MODULE, STEPS), "")
        try:
            steps = read_steps(declared) if declared else ()
        except (ValueError, RecursionError, msgspec.DecodeError):
            steps = ()  # as it is read
        return course_of(self.game, facts, steps)
