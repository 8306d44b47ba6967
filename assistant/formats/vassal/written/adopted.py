"""The pen of a published module: what its pieces show is tried, state by state, until the player's mapping reads it as meant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from ....game.games import Game
from ....state.sources import Fact, Value
from ....state.state import FactKey
from ....state.tracks import Track
from ....state.words import Vocabulary, Word
from ....util.errors import InputError
from ..adopted.legend import AdoptedLegend, layer_names, property_values
from ..adopted.words import Given
from ..elements.starts import centres
from ..expressions.carried import Carried
from ..pieces import Piece
from ..traits import Trait, hidden_by, level, read_layer
from .course import Course
from .pen import HIDES, Spot, by_place, sent_away


class AdoptedPen:
    """The pen for saves of a module with a mapping."""

    def __init__(self, legend: AdoptedLegend) -> None:
        self.legend = legend
        self.game: Game = legend.game
        self.vocabulary = Vocabulary(self.game.tracks)

    def spot(self, place: str) -> Spot | None:
        """The middle of what the module prints for a place."""
        return self._spots.get(place)

    @cached_property
    def _spots(self) -> dict[str, Spot]:
        return by_place(self._middles, self.legend)

    @cached_property
    def _middles(self) -> list[Spot]:
        """The middles of all places of the maps that the mapping describes, in the order of the maps."""
        boards = ((name, board) for name in self.legend.places for board in self.legend.boards.get(name, ()))
        return [
            Spot(name, (board.x + x, board.y + y))
            for name, board in boards
            if not board.turned
            for x, y in centres(board.grid, board.size)
        ]

    def box_of_turn(self, track: str, turn: Value) -> Spot | None:
        """Nowhere: a mapping knows no boxes of turns."""
        return None

    def away(self, piece: Piece) -> tuple[Piece, Spot] | None:
        """Where the piece's own command sends it; or else where another unit lies out of play, or the first map or place that is aside."""
        if (sent := sent_away(piece, self.legend.is_aside)) is not None:
            return sent
        there = next(self._aside(), None)
        return None if there is None else (piece, there)

    def _aside(self) -> Iterator[Spot]:
        """Where pieces may lie that are not in play, the likeliest first."""
        pieces = self.legend.save.pieces
        units = (pieces[id] for id in self.legend.units)
        yield from (Spot(one.map, one.at) for one in units if one.map and self.legend.is_aside(one.map, one.at))
        for name, meaning in self.legend.mapping.maps.items():
            if meaning.aside:
                boards = self.legend.boards.get(name, ())
                yield from (Spot(name, (one.x + one.size[0] // 2, one.y + one.size[1] // 2)) for one in boards)
        yield from (spot for spot in self._middles if self.legend.is_aside(*spot))

    def showing(self, piece: Piece, track: Track, value: Value | None) -> Piece | None:
        """The piece with the state of one trait by which it states the value, and all else as before."""
        if track.name in HIDES:
            return self._hidden(piece, track, value)
        if all(one.track != track.name for one in self.legend.statements(piece)):
            return None
        others = {name: said for name, said in self._stated(piece).items() if name != track.name}
        silent = None
        for shown in self._tried(piece, track, value):
            stated = self._stated(shown)
            said = stated.pop(track.name, None)
            if stated == others and said == (None if value == track.absent else value):
                return shown
            if silent is None and stated == others and said is None:
                silent = shown
        return silent

    def _stated(self, piece: Piece) -> dict[str, Value]:
        """What a piece states, but for what silence says too."""
        found: dict[str, Value] = {}
        for name, word in self.legend.statements(piece):
            track = self.game.tracks[name]
            try:
                read = (track, Fact(word)) if track.kind == "text" else self.vocabulary.read(track.on, Word(word, 0))
            except InputError:
                continue
            if word and read is not None and read[1].value != track.absent:
                found[name] = read[1].value
        return found

    def _tried(self, piece: Piece, track: Track, value: Value | None) -> Iterator[Piece]:
        """The piece as it is, and with each state of each trait that the mapping gives a meaning."""
        yield piece
        carried = Carried(piece.traits)
        for number, trait in enumerate(piece.traits):
            for state in self._states(trait, carried, track, value):
                changed = Trait(trait.type, state)
                yield piece._replace(traits=(*piece.traits[:number], changed, *piece.traits[number + 1 :]))

    def _states(self, trait: Trait, carried: Carried, track: Track, value: Value | None) -> Iterator[str]:
        """The states that a trait may have: the levels of a layer, on and off; the texts of a property or a label."""
        mapping = self.legend.mapping
        if trait.kind == "emb2" and any(name in mapping.layers for name in layer_names(trait)):
            _, mark, more = trait.state.partition(";")
            levels = [*range(1, len(read_layer(trait.type).images) + 1), -abs(level(trait) or 1)]
            yield from (f"{one}{mark}{more}" for one in levels)
        elif trait.kind in ("PROP", "label"):
            for name in property_values(trait, carried):
                if name in mapping.properties:
                    yield from _texts(mapping.properties[name], track, value)

    def _hidden(self, piece: Piece, track: Track, value: Value | None) -> Piece | None:
        """The piece hidden by a side as the module names it, or by nobody."""
        names = [name for name, side in self.legend.mapping.sides.items() if side and side == value]
        if value is not None and not names:
            return None
        owner = names[0] if names else ""
        kind = HIDES[track.name]
        if all(trait.kind != kind for trait in piece.traits):
            return None
        traits = (hidden_by(trait.type, owner) if trait.kind == kind else trait for trait in piece.traits)
        return piece._replace(traits=tuple(traits))

    def course(self, facts: Mapping[FactKey, Fact]) -> Course:
        """Nothing: which entry of a published turn tracker to choose is left to the players."""
        return Course("", {}, frozenset())


def _texts(given: Given, track: Track, value: Value | None) -> Iterator[str]:
    """Texts by which a property may state a value."""
    if isinstance(given, Mapping):
        yield from given
    elif not isinstance(given, str):
        yield from map(str, range(len(given)))
    if value is not None:
        yield track.write(value)
        if isinstance(value, int):
            yield str(abs(value))
    yield ""
    yield "0"
