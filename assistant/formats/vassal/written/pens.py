"""Pens: how pieces and the turn tracker of a save show a game's facts.

There is one pen for modules of the builder and one for published modules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import msgspec

from ....game.games import Game
from ....state.state import INVISIBLE as INVISIBLE_TO
from ....state.state import MASKED, FactKey
from ....state.tracks import Fact, Track, Value
from ....state.words import Word
from ....util.errors import InputError
from ..adoption.legend import AdoptedLegend, layer_key, property_values
from ..adoption.meanings import Given
from ..grids import Pixel
from ..legends import SEEN_LAYER, BuiltLegend, Legend, game_tracks, turn_track
from ..maps import list_centres
from ..pieces import Piece
from ..properties import Carried
from ..sequence import join, read_whole
from ..traits import INVISIBLE, MASK, Trait, hidden_by, read_label, read_layer, read_level
from ..turn_lists import STEPS, TurnList, can_show, read_steps, tracker_state


class GameFacts(NamedTuple):
    """How a module shows facts about the game itself."""

    turn: str
    """The state of the turn tracker, or ""."""
    properties: dict[str, str]
    """The values of other tracks, by the module's property."""
    in_turn: frozenset[str]
    """The tracks that the turn tracker shows, even by showing nothing."""


def course_of(game: Game, facts: Mapping[FactKey, Fact], steps: Sequence[TurnList]) -> GameFacts:
    """Return how facts about the game are shown.

    The turn tracker shows facts besides the turn only if one of its entries states all of them.

    `steps`: the lists of the turn tracker within a turn.
    """
    listed = [track for track in _find_listed(game, steps) if (track.name, "") in facts]
    words = [track.word(facts[track.name, ""].value) for track in listed]
    shown = can_show(steps, words)
    counted = turn_track(game)
    turn = ""
    properties: dict[str, str] = {}
    for track in game_tracks(game):
        fact = facts.get((track.name, ""))
        if track is counted:
            number = fact.value if fact and isinstance(fact.value, int) else track.least or 0
            turn = tracker_state(number, steps, words if shown else ())
        elif fact:
            properties[track.name] = track.write(fact.value)
    named = {track.name for track in listed} if shown else set()
    if counted:
        named.add(counted.name)
    return GameFacts(turn, properties, frozenset(named))


def _find_listed(game: Game, steps: Sequence[TurnList]) -> list[Track]:
    """Return the tracks of the game in lists of the turn tracker, such as the phase."""
    listed = set(_list_words(steps))
    tracks = [track for track in game.tracks.values() if track.on == "game"]
    return [track for track in tracks if not listed.isdisjoint(map(track.word, track.values))]


def _list_words(steps: Sequence[TurnList]) -> Iterator[str]:
    """Yield all facts in lists of the turn tracker."""
    for step in steps:
        yield from filter(None, step.words)
        yield from _list_words(step.below)


class MapPixel(NamedTuple):
    """A position on a map: the name of the map, and the pixel."""

    map: str
    at: Pixel


HIDES = {MASKED: MASK, INVISIBLE_TO: INVISIBLE}
"""The kinds of traits that hide a piece, by the tracks that state it."""
_SENDING_KIND = "sendto"


class Pen:
    """The way a kind of module shows a game's facts."""

    legend: Legend

    def __init__(self, legend: Legend) -> None:
        self.legend = legend
        self.game = legend.game
        self.vocabulary = self.game.vocabulary

    def spot(self, place: str) -> MapPixel | None:
        """Return the middle of a place on the module's map, where its pieces go, or None."""
        return self._spots.get(place)

    @cached_property
    def _spots(self) -> dict[str, MapPixel]:
        """The first spot of each place, as the legend reads it."""
        spots: dict[str, MapPixel] = {}
        for spot in self.middles:
            if place := self.legend.place(*spot).name:
                spots.setdefault(place, spot)
        return spots

    @cached_property
    def middles(self) -> list[MapPixel]:
        """The middles of all places that the module shows."""
        raise NotImplementedError

    def box_of_turn(self, track: str, turn: Value) -> MapPixel | None:
        """Return the position for a unit that waits for its turn of arrival, or None if there is no such box."""
        return None

    def away(self, piece: Piece) -> tuple[Piece, MapPixel] | None:
        """Return a piece as sent out of play by its own command, and the destination, or None without such a command.

        The old position is stored in the piece for the command that brings it back.
        """
        for number, there in _find_destinations(piece):
            if self.legend.is_aside(*there) and not self.legend.place(*there).name:
                trait = piece.traits[number]
                back = join((piece.map, *map(str, piece.at)), ";") if piece.map else trait.state
                return _with_state(piece, number, back), there
        return None

    def own_spot(self, piece: Piece, place: str) -> MapPixel | None:
        """Return the destination in a place of a piece's own command, or None.

        It may be the half of a dead pile for the piece's side.
        """
        return next((there for _, there in _find_destinations(piece) if self.legend.place(*there).name == place), None)

    def showing(self, piece: Piece, track: Track, value: Value | None) -> Piece | None:
        """Return a piece that shows a value of a track, or None if it cannot show the track.

        A value that the piece cannot show is shown by nothing.

        `value`: the value, or None for an unstated fact.
        """
        return self._hide(piece, HIDES[track.name], value) if track.name in HIDES else self._show(piece, track, value)

    def _show(self, piece: Piece, track: Track, value: Value | None) -> Piece | None:
        """Return the piece with a value of the track, or else with none, and otherwise unchanged, or None."""
        if all(statement.track != track.name for statement in self.legend.statements(piece)):
            return None
        others = {name: stated_value for name, stated_value in self._read_values(piece).items() if name != track.name}
        silent = None
        for shown in self._attempts(piece, track, value):
            stated = self._read_values(shown)
            stated_value = stated.pop(track.name, None)
            if stated == others and stated_value == (None if value == track.absent else value):
                return shown
            if silent is None and stated == others and stated_value is None:
                silent = shown
        return silent

    def _read_values(self, piece: Piece) -> dict[str, Value]:
        """Return the values that a piece states, except values that hold if unstated too."""
        values: dict[str, Value] = {}
        for name, word in self.legend.statements(piece):
            track = self.game.tracks[name]
            value = self._read_value(track, word)
            if value is not None and value != track.absent:
                values[name] = value
        return values

    def _attempts(self, piece: Piece, track: Track, value: Value | None) -> Iterator[Piece]:
        """Yield the piece with each state that may state a value of a track."""
        raise NotImplementedError

    def _read_value(self, track: Track, word: str) -> Value | None:
        if not word or track.kind == "text":
            return word or None
        try:
            stated = self.vocabulary.read(track.on, Word(word, 0))
        except InputError:  # a number out of the range of the track
            return None
        return stated[1].value if stated is not None and stated[0] is track else None

    def _hide(self, piece: Piece, kind: str, value: Value | None) -> Piece | None:
        """Return the piece hidden by a side, or by nobody if `value` is None.

        Returns None if the piece has no trait of this kind.
        """
        owner = "" if value is None else self._name_owner(str(value))
        if owner is None or all(trait.kind != kind for trait in piece.traits):
            return None
        traits = (hidden_by(trait.type, owner) if trait.kind == kind else trait for trait in piece.traits)
        return piece._replace(traits=tuple(traits))

    def _name_owner(self, side: str) -> str | None:
        return side

    def course(self, facts: Mapping[FactKey, Fact]) -> GameFacts:
        """Return how facts about the game itself are shown. In this base class nothing shows them."""
        return GameFacts("", {}, frozenset())


def _find_destinations(piece: Piece) -> Iterator[tuple[int, MapPixel]]:
    """Yield the destinations of a piece's commands, each with the index of its trait."""
    for number, trait in enumerate(piece.traits):
        if trait.kind == _SENDING_KIND:
            yield number, MapPixel(trait.part(3), (read_whole(trait.part(5)), read_whole(trait.part(6))))


def _with_state(piece: Piece, number: int, state: str) -> Piece:
    trait = Trait(piece.traits[number].type, state)
    return piece._replace(traits=(*piece.traits[:number], trait, *piece.traits[number + 1 :]))


class BuiltPen(Pen):
    """The pen for saves of a module with a declared legend."""

    legend: BuiltLegend

    @cached_property
    def middles(self) -> list[MapPixel]:
        """The middles of all places in the windows."""
        windows = self.legend.windows.items()
        return [MapPixel(name, at) for name, window in windows for at in list_centres(window.grid, window.extent)]

    def away(self, piece: Piece) -> tuple[Piece, MapPixel] | None:
        """Return the destination of the piece's own command, or else the first box for pieces not in play."""
        if (sent := super().away(piece)) is not None:
            return sent
        aside = (at for at in self.middles if self.legend.is_aside(*at) and not self.legend.place(*at).name)
        return next(((piece, at) for at in aside), None)

    def box_of_turn(self, track: str, turn: Value) -> MapPixel | None:
        """Return the middle of the turn's box in the window with the turns."""
        for window, boxes in self.legend.arrivals.items():
            for x, y, name in boxes.grid.points:
                if boxes.track == track and name == str(turn):
                    return MapPixel(window, (x, y))
        return None

    def _attempts(self, piece: Piece, track: Track, value: Value | None) -> Iterator[Piece]:
        """Yield the piece with its text, at each level of the layers that show the track."""
        names = track.name, SEEN_LAYER.format(track.name)
        text = "" if value is None else str(value)
        layers = (read_layer(trait.type) for trait in piece.traits if trait.kind == "emb2")
        levels = max((len(layer.names) for layer in layers if layer.name in names), default=1)
        for number in range(1, levels + 1):
            yield piece._replace(traits=tuple(_restate(trait, names, number, text) for trait in piece.traits))

    def course(self, facts: Mapping[FactKey, Fact]) -> GameFacts:
        """Return the state of the turn tracker with the facts, and the properties set by buttons."""
        try:
            steps = read_steps(self.legend.own.get(STEPS, ""))
        except (ValueError, RecursionError, msgspec.DecodeError):
            steps = ()  # a reader ignores an invalid declaration too
        return course_of(self.game, facts, steps)


def _restate(trait: Trait, names: Sequence[str], level: int, text: str) -> Trait:
    """Return a layer with one of these names at a level, or a label of the first name with a text.

    Other traits are returned unchanged.
    """
    if trait.kind == "emb2" and read_layer(trait.type).name in names:
        _, mark, more = trait.state.partition(";")
        return Trait(trait.type, f"{level}{mark}{more}")
    return Trait(trait.type, text) if trait.kind == "label" and read_label(trait.type).name == names[0] else trait


class AdoptedPen(Pen):
    """The pen for saves of a module with a mapping."""

    legend: AdoptedLegend

    @cached_property
    def middles(self) -> list[MapPixel]:
        """The middles of all places on maps in the mapping, in the order of the maps."""
        middles: list[MapPixel] = []
        for name in self.legend.located.by_print:
            for board in self.legend.located.boards.get(name, ()):
                if not board.turned:
                    centres = list_centres(board.grid, board.size)
                    middles += [MapPixel(name, (board.x + x, board.y + y)) for x, y in centres]
        return middles

    def away(self, piece: Piece) -> tuple[Piece, MapPixel] | None:
        """Return a piece that leaves play, and its destination: that of its own command, or a place off the table.

        Returns None if the module has neither.
        """
        if (sent := super().away(piece)) is not None:
            return sent
        there = next(self._find_aside(), None)
        return None if there is None else (piece, there)

    def _find_aside(self) -> Iterator[MapPixel]:
        """Yield positions of pieces that are not in play, the most likely first."""
        pieces = self.legend.save.pieces
        units = (pieces[id] for id in self.legend.units)
        yield from (
            MapPixel(unit.map, unit.at) for unit in units if unit.map and self.legend.is_aside(unit.map, unit.at)
        )
        for name, meaning in self.legend.mapping.maps.items():
            if meaning.aside:
                boards = self.legend.located.boards.get(name, ())
                yield from (
                    MapPixel(name, (board.x + board.size[0] // 2, board.y + board.size[1] // 2)) for board in boards
                )
        yield from (spot for spot in self.middles if self.legend.is_aside(*spot))

    def _attempts(self, piece: Piece, track: Track, value: Value | None) -> Iterator[Piece]:
        """Yield the piece as it is, and with each state of each trait in the mapping."""
        yield piece
        carried = Carried(piece.traits)
        for number, trait in enumerate(piece.traits):
            for state in self._list_states(trait, carried, track, value):
                yield _with_state(piece, number, state)

    def _list_states(self, trait: Trait, carried: Carried, track: Track, value: Value | None) -> Iterator[str]:
        """Yield the possible states of a trait: levels of a layer, on and off, or texts of a property or label."""
        mapping = self.legend.mapping
        if layer_key(trait, mapping.layers):
            _, mark, more = trait.state.partition(";")
            levels = [*range(1, len(read_layer(trait.type).images) + 1), -abs(read_level(trait) or 1)]
            yield from (f"{base}{mark}{more}" for base in levels)
        elif trait.kind in ("PROP", "label"):
            for name in property_values(trait, carried):
                if name in mapping.properties:
                    yield from _list_texts(mapping.properties[name], track, value)

    def _name_owner(self, side: str) -> str | None:
        """Return the first name in the mapping for the side, or None."""
        return next((name for name, own in self.legend.mapping.sides.items() if own == side), None)


def _list_texts(given: Given, track: Track, value: Value | None) -> Iterator[str]:
    """Yield texts of a property that may state a value."""
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
