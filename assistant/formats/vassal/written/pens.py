"""Pens: how the pieces of a save come to show what a game states, in modules of the builder and in published ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import msgspec

from ....game.games import Game
from ....state.hidden import INVISIBLE as INVISIBLE_TO
from ....state.hidden import MASKED
from ....state.sources import Fact, Value
from ....state.state import FactKey
from ....state.tracks import Track
from ....state.words import Vocabulary, Word
from ....util.errors import InputError
from ..adopted.legend import AdoptedLegend, layer_key, property_values
from ..adopted.mapping import Given
from ..declared import SEEN, STEPS, Steps, can_show, game_tracks, read_steps, tracker, tracker_state
from ..grids import Pixel
from ..legends import BuiltLegend, Legend
from ..maps import centres
from ..pieces import Piece
from ..sequence import join, whole
from ..traits import INVISIBLE, MASK, Carried, Trait, hidden_by, level, read_label, read_layer


class Course(NamedTuple):
    """What is shown of the facts of the game.

    turn: the state of the turn tracker, "" if the game has none; properties: the others, by track; in_turn: the tracks
    that the turn tracker shows, also by showing nothing.
    """

    turn: str
    properties: dict[str, str]
    in_turn: frozenset[str]


def course_of(game: Game, facts: Mapping[FactKey, Fact], steps: Sequence[Steps]) -> Course:
    """How facts of the game are shown. steps: the lists that the turn tracker goes through within a turn.

    The turn tracker shows facts beside the turn only if one of its entries states all of them.
    """
    listed = [track for track in _in_lists(game, steps) if (track.name, "") in facts]
    words = [track.word(facts[track.name, ""].value) for track in listed]
    shown = can_show(steps, words)
    of_turn, turn, properties = tracker(game), "", dict[str, str]()
    for track in game_tracks(game):
        fact = facts.get((track.name, ""))
        if track is of_turn:
            number = fact.value if fact and isinstance(fact.value, int) else track.least or 0
            turn = tracker_state(number, steps, words if shown else ())
        elif fact:
            properties[track.name] = track.write(fact.value)
    named = [track.name for track in listed] if shown else []
    return Course(turn, properties, frozenset([*named, *([of_turn.name] if of_turn else [])]))


def _in_lists(game: Game, steps: Sequence[Steps]) -> list[Track]:
    """The tracks of the game that lists of the turn tracker are about, such as the phase."""
    listed = set(_words(steps))
    tracks = [track for track in game.tracks.values() if track.on == "game"]
    return [track for track in tracks if not listed.isdisjoint(map(track.word, track.values))]


def _words(steps: Sequence[Steps]) -> Iterator[str]:
    """All facts that lists of the turn tracker state."""
    for step in steps:
        yield from filter(None, step.words)
        yield from _words(step.below)


class Spot(NamedTuple):
    """Where a piece lies: the name of the map, and the pixel."""

    map: str
    at: Pixel


HIDES = {MASKED: MASK, INVISIBLE_TO: INVISIBLE}
"""The kinds of traits that hide a piece, by the tracks that state it."""
_SENDS = "sendto"


class Pen:
    """How one module shows what a game states. legend: what its pieces mean."""

    legend: Legend

    def __init__(self, legend: Legend) -> None:
        self.legend, self.game = legend, legend.game
        self.vocabulary = Vocabulary(self.game.tracks)

    def spot(self, place: str) -> Spot | None:
        """The middle of what the module shows of a place, where pieces lie that stand there; None if it shows nothing."""
        return self._spots.get(place)

    @cached_property
    def _spots(self) -> dict[str, Spot]:
        """The spots by the places that the legend reads there; of several at one place the first."""
        spots: dict[str, Spot] = {}
        for spot in self.middles:
            if place := self.legend.place(*spot).name:
                spots.setdefault(place, spot)
        return spots

    @cached_property
    def middles(self) -> list[Spot]:
        """The middles of all places that the module shows."""
        raise NotImplementedError

    def box_of_turn(self, track: str, turn: Value) -> Spot | None:
        """Where a unit waits for the turn in which it comes into play, None if the module has no box for it."""
        return None

    def away(self, piece: Piece) -> tuple[Piece, Spot] | None:
        """A piece as its own command sends it out of play, and where to; None if the module has no place for it. The
        command that brings it back knows where it lay.
        """
        for number, trait in enumerate(piece.traits):
            if trait.kind == _SENDS:
                there = Spot(trait.part(3), (whole(trait.part(5)), whole(trait.part(6))))
                if self.legend.is_aside(*there):
                    back = join((piece.map, *map(str, piece.at)), ";") if piece.map else trait.state
                    return _with_state(piece, number, back), there
        return None

    def showing(self, piece: Piece, track: Track, value: Value | None) -> Piece | None:
        """A piece that shows a value of a track, None if it has nothing to show it with.

        value: None for what silence means. A value that the piece cannot show is shown by nothing.
        """
        return self._hide(piece, HIDES[track.name], value) if track.name in HIDES else self._show(piece, track, value)

    def _show(self, piece: Piece, track: Track, value: Value | None) -> Piece | None:
        """The piece that states the value of a track, or else nothing of it, and all else as before."""
        if all(statement.track != track.name for statement in self.legend.statements(piece)):
            return None
        others = {name: said for name, said in self._stated_by(piece).items() if name != track.name}
        silent = None
        for shown in self._attempts(piece, track, value):
            stated = self._stated_by(shown)
            said = stated.pop(track.name, None)
            if stated == others and said == (None if value == track.absent else value):
                return shown
            if silent is None and stated == others and said is None:
                silent = shown
        return silent

    def _stated_by(self, piece: Piece) -> dict[str, Value]:
        """What a piece states, but for what silence says too."""
        values: dict[str, Value] = {}
        for name, word in self.legend.statements(piece):
            track = self.game.tracks[name]
            value = self._value(track, word)
            if value is not None and value != track.absent:
                values[name] = value
        return values

    def _attempts(self, piece: Piece, track: Track, value: Value | None) -> Iterator[Piece]:
        """The piece with each state by which it may come to state a value of a track."""
        raise NotImplementedError

    def _value(self, track: Track, word: str) -> Value | None:
        """The value of a track that a word states, None if it states none."""
        if not word or track.kind == "text":
            return word or None
        try:
            stated = self.vocabulary.read(track.on, Word(word, 0))
        except InputError:  # a number out of the range of the track
            return None
        return stated[1].value if stated is not None and stated[0] is track else None

    def _hide(self, piece: Piece, kind: str, value: Value | None) -> Piece | None:
        """The piece hidden by a side, or by nobody, with its trait of a kind."""
        owner = "" if value is None else self._owner(str(value))
        if owner is None or all(trait.kind != kind for trait in piece.traits):
            return None
        traits = (hidden_by(trait.type, owner) if trait.kind == kind else trait for trait in piece.traits)
        return piece._replace(traits=tuple(traits))

    def _owner(self, side: str) -> str | None:
        """A side of the game as the module names it, None if it does not."""
        return side

    def course(self, facts: Mapping[FactKey, Fact]) -> Course:
        """How the module shows the facts of the game itself; nothing of them is left to the players to choose."""
        return Course("", {}, frozenset())


def _with_state(piece: Piece, number: int, state: str) -> Piece:
    """A piece with another state of one of its traits."""
    trait = Trait(piece.traits[number].type, state)
    return piece._replace(traits=(*piece.traits[:number], trait, *piece.traits[number + 1 :]))


class BuiltPen(Pen):
    """The pen for saves of a module with a declared legend."""

    legend: BuiltLegend

    @cached_property
    def middles(self) -> list[Spot]:
        """The middles of all places that the windows draw."""
        windows = self.legend.windows.items()
        return [Spot(name, at) for name, window in windows for at in centres(window.grid, window.extent)]

    def box_of_turn(self, track: str, turn: Value) -> Spot | None:
        """The middle of the turn's box in the window with the turns."""
        for window, boxes in self.legend.arrivals.items():
            for x, y, name in boxes.grid.points:
                if boxes.track == track and name == str(turn):
                    return Spot(window, (x, y))
        return None

    def _attempts(self, piece: Piece, track: Track, value: Value | None) -> Iterator[Piece]:
        """The piece with its text, at each level of the layers that show the track."""
        names = track.name, SEEN.format(track.name)
        text = "" if value is None else str(value)
        layers = (read_layer(trait.type) for trait in piece.traits if trait.kind == "emb2")
        levels = max((len(layer.names) for layer in layers if layer.name in names), default=1)
        for number in range(1, levels + 1):
            yield piece._replace(traits=tuple(_restate(trait, names, number, text) for trait in piece.traits))

    def course(self, facts: Mapping[FactKey, Fact]) -> Course:
        """The turn tracker at the entry that states them, and the properties that buttons set."""
        try:
            steps = read_steps(self.legend.own.get(STEPS, ""))
        except (ValueError, RecursionError, msgspec.DecodeError):
            steps = ()  # as it is read
        return course_of(self.game, facts, steps)


def _restate(trait: Trait, names: Sequence[str], level: int, text: str) -> Trait:
    """A trait at a level if it is a layer of one of these names, with a text if it is a label, else as it is."""
    if trait.kind == "emb2" and read_layer(trait.type).name in names:
        _, mark, more = trait.state.partition(";")
        return Trait(trait.type, f"{level}{mark}{more}")
    return Trait(trait.type, text) if trait.kind == "label" and read_label(trait.type).name == names[0] else trait


class AdoptedPen(Pen):
    """The pen for saves of a module with a mapping."""

    legend: AdoptedLegend

    @cached_property
    def middles(self) -> list[Spot]:
        """The middles of all places of the maps that the mapping describes, in the order of the maps."""
        boards = ((name, board) for name in self.legend.places for board in self.legend.boards.get(name, ()))
        return [
            Spot(name, (board.x + x, board.y + y))
            for name, board in boards
            if not board.turned
            for x, y in centres(board.grid, board.size)
        ]

    def away(self, piece: Piece) -> tuple[Piece, Spot] | None:
        """Where the piece's own command sends it; or else where another unit lies out of play, or the first map or
        place that is aside.
        """
        if (sent := super().away(piece)) is not None:
            return sent
        there = next(self._aside(), None)
        return None if there is None else (piece, there)

    def _aside(self) -> Iterator[Spot]:
        """Where pieces may lie that are not in play, the likeliest first."""
        pieces = self.legend.save.pieces
        units = (pieces[id] for id in self.legend.units)
        yield from (Spot(unit.map, unit.at) for unit in units if unit.map and self.legend.is_aside(unit.map, unit.at))
        for name, meaning in self.legend.mapping.maps.items():
            if meaning.aside:
                boards = self.legend.boards.get(name, ())
                yield from (
                    Spot(name, (board.x + board.size[0] // 2, board.y + board.size[1] // 2)) for board in boards
                )
        yield from (spot for spot in self.middles if self.legend.is_aside(*spot))

    def _attempts(self, piece: Piece, track: Track, value: Value | None) -> Iterator[Piece]:
        """The piece as it is, and with each state of each trait that the mapping gives a meaning."""
        yield piece
        carried = Carried(piece.traits)
        for number, trait in enumerate(piece.traits):
            for state in self._states(trait, carried, track, value):
                yield _with_state(piece, number, state)

    def _states(self, trait: Trait, carried: Carried, track: Track, value: Value | None) -> Iterator[str]:
        """The states that a trait may have: the levels of a layer, on and off; the texts of a property or a label."""
        mapping = self.legend.mapping
        if layer_key(trait, mapping.layers):
            _, mark, more = trait.state.partition(";")
            levels = [*range(1, len(read_layer(trait.type).images) + 1), -abs(level(trait) or 1)]
            yield from (f"{base}{mark}{more}" for base in levels)
        elif trait.kind in ("PROP", "label"):
            for name in property_values(trait, carried):
                if name in mapping.properties:
                    yield from _texts(mapping.properties[name], track, value)

    def _owner(self, side: str) -> str | None:
        """The first name that the mapping gives for the side."""
        return next((name for name, own in self.legend.mapping.sides.items() if own == side), None)


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
