"""The pen of a published module, as its mapping says it: a layer at the level, a property with the text that states a fact."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from ....state.sources import Fact, Value
from ....state.state import FactKey
from ....state.tracks import Track
from ....util.errors import InputError
from ..adopted.legend import AdoptedLegend
from ..adopted.words import OF_MARKER, OF_UNIT, Given, all_words, words_for
from ..elements.starts import centres
from ..pieces import Piece
from ..sequence import join, split
from ..traits import KINDS, Trait, level
from .course import Course
from .pen import Spot

_ALWAYS = 26
"""The place in the type of a layer that says whether it is always active."""
_TEXTS = ("PROP", "label")


class AdoptedPen:
    """The pen for saves of a module with a mapping. What it cannot show is left to the notes."""

    def __init__(self, legend: AdoptedLegend) -> None:
        self.legend, self.game, self.meanings = legend, legend.game, legend.meanings

    def spot(self, place: str) -> Spot | None:
        """The middle of a hex or a named place."""
        return self._spots.get(place)

    @cached_property
    def _spots(self) -> dict[str, Spot]:
        """The middles of all places of the maps that are the game's."""
        found: dict[str, Spot] = {}
        for map in self.legend.places:
            for board in self.legend.boards.get(map, ()):
                for x, y in () if board.turned else centres(board.grid, board.size):
                    at = board.x + x, board.y + y
                    if place := self.legend.place(map, at).name:
                        found.setdefault(place, Spot(map, at))
        return found

    def box_of_turn(self, track: str, turn: Value) -> Spot | None:
        """Nothing: a mapping knows no boxes of turns."""
        return None

    def away(self, piece: Piece) -> tuple[Piece, Spot] | None:
        """The middle of the first map that lies aside."""
        for map, boards in self.legend.boards.items():
            for board in boards:
                at = board.x + board.size[0] // 2, board.y + board.size[1] // 2
                if self.legend.is_aside(map, at):
                    return piece, Spot(map, at)
        return None

    def showing(self, piece: Piece, track: Track, value: Value | None) -> Piece | None:
        """The piece with the layers and texts at the value that the mapping gives for the track."""
        traits = [self._restated(trait, track, value) for trait in piece.traits]
        if all(new is None for new in traits):
            return None
        return piece._replace(traits=tuple(new or old for new, old in zip(traits, piece.traits, strict=True)))

    def _restated(self, trait: Trait, track: Track, value: Value | None) -> Trait | None:
        """A trait at a value, None if it does not show the track or cannot show the value."""
        given = self.legend.given(trait)
        if trait.kind == "emb2":
            return self._at_level(trait, given[0], track, value) if given and self._shows(given[0], track) else None
        if trait.kind in _TEXTS:
            text = self._text(given[0], track, value) if given and self._shows(given[0], track) else None
            return None if text is None else Trait(trait.type, text)
        if trait.kind in KINDS:
            return None
        fields = split(trait.state, ";")
        texts = {number: self._text(one, track, value) for number, one in enumerate(given) if self._shows(one, track)}
        changed = {number: text for number, text in texts.items() if text is not None and number < len(fields)}
        new = [changed.get(number, field) for number, field in enumerate(fields)]
        return Trait(trait.type, join(new, ";")) if changed else None

    def _shows(self, given: Given, track: Track) -> bool:
        return track.name in self.meanings.possible(given, OF_MARKER if track.on == "hex" else OF_UNIT)

    def _at_level(self, trait: Trait, given: Given, track: Track, value: Value | None) -> Trait | None:
        """A layer at the level that states a value; for what silence means at one that states nothing, or else not shown."""
        words = [*all_words(given)]
        fits = (number for number, word in enumerate(words, 1) if self._states(word, "", track, value))
        at = next(fits, 0)
        if not at and (value is None or value == track.absent):
            active = (*split(trait.type, ";"), *[""] * (_ALWAYS + 1))[_ALWAYS] == "true"
            at = words.index("") + 1 if "" in words else 0 if active else -max(abs(level(trait)), 1)
        _, mark, more = trait.state.partition(";")
        return Trait(trait.type, f"{at}{mark}{more}") if at else None

    def _text(self, given: Given, track: Track, value: Value | None) -> str | None:
        """The text of a property by which a value is stated, None if there is none."""
        said = track.absent if value is None else value
        texts = [*given] if isinstance(given, Mapping) else _texts(said)
        return next((text for text in texts if self._states(words_for(given, text), text, track, said)), None)

    def _states(self, words: str, text: str, track: Track, value: Value | None) -> bool:
        """Whether words state nothing but a value of a track. text: what stands for `{}` in them."""
        try:
            found = [*self.meanings.facts(words, OF_MARKER if track.on == "hex" else OF_UNIT, text)]
        except InputError:
            return False
        return [(one, fact.value) for one, fact in found] == [(track, value)] if value is not None else False

    def course(self, facts: Mapping[FactKey, Fact]) -> Course:
        """Nothing: the turn tracker stays as it is, and the notes state what is otherwise."""
        return Course("", {}, frozenset(self.game.tracks))


def _texts(value: Value | None) -> Iterator[str]:
    """The texts by which a module may keep a value."""
    if isinstance(value, bool):
        yield from ("true", "yes", "1") if value else ("false", "no", "0", "")
    elif isinstance(value, int):
        yield from (str(value), str(abs(value)))
    elif isinstance(value, str):
        yield value
    elif value is not None:
        yield "+".join(value)
