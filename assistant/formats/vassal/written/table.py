"""A table laid out anew: a hand moves and changes pieces, and brings new ones from the palettes, until they show
another state of the game; each thing that it does is a step. Pens know how the pieces of a save come to show what a
game states, in modules of the builder and in published ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import count
from typing import NamedTuple

import msgspec

from ....game.course import arrival_track
from ....game.covers import hidden_units
from ....game.games import Game
from ....state.state import INVISIBLE as INVISIBLE_TO
from ....state.state import MASKED, FactKey, GameState, Unit
from ....state.tracks import Fact, Track, Value
from ....state.words import Word
from ....util.errors import InputError
from ..adoption.legend import AdoptedLegend, layer_key, property_values
from ..adoption.mapping import Given
from ..grids import Pixel
from ..hidden import facts_to_keep, is_keeping, make_keeping_trait, write_kept
from ..legends import SEEN, BuiltLegend, Legend, game_tracks, turn_track
from ..maps import list_centres
from ..modules import Module
from ..overlay import OVERLAY
from ..pieces import NOWHERE, Piece, PieceStack, write_definition, write_piece_state, write_stack_definition
from ..properties import Carried
from ..replay import SHARED, ReplayedGame
from ..saves import MODULE, Save, turn_command
from ..sequence import join, read_whole
from ..traits import INVISIBLE, MASK, Trait, hidden_by, read_label, read_layer, read_level
from ..turn_lists import STEPS, TurnList, can_show, read_steps, tracker_state


class GameFacts(NamedTuple):
    """What is shown of the facts of the game."""

    turn: str
    """The state of the turn tracker, "" if the game has none."""
    properties: dict[str, str]
    """The others, by track."""
    in_turn: frozenset[str]
    """The tracks that the turn tracker shows, also by showing nothing."""


def course_of(game: Game, facts: Mapping[FactKey, Fact], steps: Sequence[TurnList]) -> GameFacts:
    """Return how facts of the game are shown. steps: the lists that the turn tracker goes through within a turn.

    The turn tracker shows facts beside the turn only if one of its entries states all of them.
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
    """Return the tracks of the game that lists of the turn tracker are about, such as the phase."""
    listed = set(_list_words(steps))
    tracks = [track for track in game.tracks.values() if track.on == "game"]
    return [track for track in tracks if not listed.isdisjoint(map(track.word, track.values))]


def _list_words(steps: Sequence[TurnList]) -> Iterator[str]:
    """Yield all facts that lists of the turn tracker state."""
    for step in steps:
        yield from filter(None, step.words)
        yield from _list_words(step.below)


class MapPixel(NamedTuple):
    """Where a piece lies: the name of the map, and the pixel."""

    map: str
    at: Pixel


HIDES = {MASKED: MASK, INVISIBLE_TO: INVISIBLE}
"""The kinds of traits that hide a piece, by the tracks that state it."""
_SENDING_KIND = "sendto"


class Pen:
    """How one module shows what a game states. legend: what its pieces mean."""

    legend: Legend

    def __init__(self, legend: Legend) -> None:
        self.legend = legend
        self.game = legend.game
        self.vocabulary = self.game.vocabulary

    def spot(self, place: str) -> MapPixel | None:
        """Return the middle of what the module shows of a place, where pieces lie that stand there; None if it shows
        nothing.
        """
        return self._spots.get(place)

    @cached_property
    def _spots(self) -> dict[str, MapPixel]:
        """The spots by the places that the legend reads there; of several at one place the first."""
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
        """Return where a unit waits for the turn in which it comes into play, None if the module has no box for it."""
        return None

    def away(self, piece: Piece) -> tuple[Piece, MapPixel] | None:
        """Return a piece as its own command sends it out of play, and where to; None if the module has no place for it.
        The command that brings it back knows where it lay.
        """
        for number, there in _find_destinations(piece):
            if self.legend.is_aside(*there) and not self.legend.place(*there).name:
                trait = piece.traits[number]
                back = join((piece.map, *map(str, piece.at)), ";") if piece.map else trait.state
                return _with_state(piece, number, back), there
        return None

    def own_spot(self, piece: Piece, place: str) -> MapPixel | None:
        """Return where in a place a piece's own command sends it, as into its side's half of a dead pile; None if it
        does not.
        """
        return next((there for _, there in _find_destinations(piece) if self.legend.place(*there).name == place), None)

    def showing(self, piece: Piece, track: Track, value: Value | None) -> Piece | None:
        """Return a piece that shows a value of a track, None if it has nothing to show it with.

        value: None for what silence means. A value that the piece cannot show is shown by nothing.
        """
        return self._hide(piece, HIDES[track.name], value) if track.name in HIDES else self._show(piece, track, value)

    def _show(self, piece: Piece, track: Track, value: Value | None) -> Piece | None:
        """Return the piece that states the value of a track, or else nothing of it, and all else as before."""
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
        """Return what a piece states, but for what silence says too."""
        values: dict[str, Value] = {}
        for name, word in self.legend.statements(piece):
            track = self.game.tracks[name]
            value = self._read_value(track, word)
            if value is not None and value != track.absent:
                values[name] = value
        return values

    def _attempts(self, piece: Piece, track: Track, value: Value | None) -> Iterator[Piece]:
        """Return the piece with each state by which it may come to state a value of a track."""
        raise NotImplementedError

    def _read_value(self, track: Track, word: str) -> Value | None:
        """Return the value of a track that a word states, None if it states none."""
        if not word or track.kind == "text":
            return word or None
        try:
            stated = self.vocabulary.read(track.on, Word(word, 0))
        except InputError:  # a number out of the range of the track
            return None
        return stated[1].value if stated is not None and stated[0] is track else None

    def _hide(self, piece: Piece, kind: str, value: Value | None) -> Piece | None:
        """Return the piece hidden by a side, or by nobody, with its trait of a kind."""
        owner = "" if value is None else self._name_owner(str(value))
        if owner is None or all(trait.kind != kind for trait in piece.traits):
            return None
        traits = (hidden_by(trait.type, owner) if trait.kind == kind else trait for trait in piece.traits)
        return piece._replace(traits=tuple(traits))

    def _name_owner(self, side: str) -> str | None:
        """Return a side of the game as the module names it, None if it does not."""
        return side

    def course(self, facts: Mapping[FactKey, Fact]) -> GameFacts:
        """Return how the module shows the facts of the game itself; nothing of them is left to the players to choose."""
        return GameFacts("", {}, frozenset())


def _find_destinations(piece: Piece) -> Iterator[tuple[int, MapPixel]]:
    """Yield where the commands of a piece send it, each with the number of its trait."""
    for number, trait in enumerate(piece.traits):
        if trait.kind == _SENDING_KIND:
            yield number, MapPixel(trait.part(3), (read_whole(trait.part(5)), read_whole(trait.part(6))))


def _with_state(piece: Piece, number: int, state: str) -> Piece:
    """Return a piece with another state of one of its traits."""
    trait = Trait(piece.traits[number].type, state)
    return piece._replace(traits=(*piece.traits[:number], trait, *piece.traits[number + 1 :]))


class BuiltPen(Pen):
    """The pen for saves of a module with a declared legend."""

    legend: BuiltLegend

    @cached_property
    def middles(self) -> list[MapPixel]:
        """The middles of all places that the windows draw."""
        windows = self.legend.windows.items()
        return [MapPixel(name, at) for name, window in windows for at in list_centres(window.grid, window.extent)]

    def away(self, piece: Piece) -> tuple[Piece, MapPixel] | None:
        """Return where the piece's own command sends it; without one, the first box of the window that is not a place
        of the game.
        """
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
        names = track.name, SEEN.format(track.name)
        text = "" if value is None else str(value)
        layers = (read_layer(trait.type) for trait in piece.traits if trait.kind == "emb2")
        levels = max((len(layer.names) for layer in layers if layer.name in names), default=1)
        for number in range(1, levels + 1):
            yield piece._replace(traits=tuple(_restate(trait, names, number, text) for trait in piece.traits))

    def course(self, facts: Mapping[FactKey, Fact]) -> GameFacts:
        """Return the turn tracker at the entry that states them, and the properties that buttons set."""
        try:
            steps = read_steps(self.legend.own.get(STEPS, ""))
        except (ValueError, RecursionError, msgspec.DecodeError):
            steps = ()  # as it is read
        return course_of(self.game, facts, steps)


def _restate(trait: Trait, names: Sequence[str], level: int, text: str) -> Trait:
    """Return a trait at a level if it is a layer of one of these names, with a text if it is a label, else as it is."""
    if trait.kind == "emb2" and read_layer(trait.type).name in names:
        _, mark, more = trait.state.partition(";")
        return Trait(trait.type, f"{level}{mark}{more}")
    return Trait(trait.type, text) if trait.kind == "label" and read_label(trait.type).name == names[0] else trait


class AdoptedPen(Pen):
    """The pen for saves of a module with a mapping."""

    legend: AdoptedLegend

    @cached_property
    def middles(self) -> list[MapPixel]:
        """The middles of all places of the maps that the mapping describes, in the order of the maps."""
        boards = ((name, board) for name in self.legend.places for board in self.legend.boards.get(name, ()))
        return [
            MapPixel(name, (board.x + x, board.y + y))
            for name, board in boards
            if not board.turned
            for x, y in list_centres(board.grid, board.size)
        ]

    def away(self, piece: Piece) -> tuple[Piece, MapPixel] | None:
        """Return where the piece's own command sends it; or else where another unit lies out of play, or the first map
        or place that is aside.
        """
        if (sent := super().away(piece)) is not None:
            return sent
        there = next(self._find_aside(), None)
        return None if there is None else (piece, there)

    def _find_aside(self) -> Iterator[MapPixel]:
        """Yield where pieces may lie that are not in play, the likeliest first."""
        pieces = self.legend.save.pieces
        units = (pieces[id] for id in self.legend.units)
        yield from (
            MapPixel(unit.map, unit.at) for unit in units if unit.map and self.legend.is_aside(unit.map, unit.at)
        )
        for name, meaning in self.legend.mapping.maps.items():
            if meaning.aside:
                boards = self.legend.boards.get(name, ())
                yield from (
                    MapPixel(name, (board.x + board.size[0] // 2, board.y + board.size[1] // 2)) for board in boards
                )
        yield from (spot for spot in self.middles if self.legend.is_aside(*spot))

    def _attempts(self, piece: Piece, track: Track, value: Value | None) -> Iterator[Piece]:
        """Yield the piece as it is, and with each state of each trait that the mapping gives a meaning."""
        yield piece
        carried = Carried(piece.traits)
        for number, trait in enumerate(piece.traits):
            for state in self._list_states(trait, carried, track, value):
                yield _with_state(piece, number, state)

    def _list_states(self, trait: Trait, carried: Carried, track: Track, value: Value | None) -> Iterator[str]:
        """Yield the states that a trait may have: the levels of a layer, on and off; the texts of a property or a
        label.
        """
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
        """Return the first name that the mapping gives for the side."""
        return next((name for name, own in self.legend.mapping.sides.items() if own == side), None)


def _list_texts(given: Given, track: Track, value: Value | None) -> Iterator[str]:
    """Yield texts by which a property may state a value."""
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


# --- the hand and the table -------------------------------------------------------------------------------------------

_BY_NOBODY = NOWHERE
"""Who moved a piece, if not a player."""


class Hand:
    """A hand over the game of a save."""

    def __init__(self, save: Save) -> None:
        self.begun_with = save
        self.table = ReplayedGame(save)
        """The game as it is now."""
        self.steps: list[tuple[str, ...]] = []
        """What the hand did, each step as its commands."""
        ids = (int(id) for id in (*save.pieces, *save.stacks) if re.fullmatch("[0-9]{1,18}", id))
        self._ids = map(str, count(max(ids, default=0) + 1))

    def save(self) -> Save:
        """Return the game as it is now, without new stacks that came to hold nothing."""
        now = self.table.save()
        before = self.begun_with.stacks
        stacks = {id: stack for id, stack in now.stacks.items() if stack.pieces or stack.deck or id in before}
        return msgspec.structs.replace(now, stacks=stacks)

    def do(self, *commands: str) -> None:
        """Carry out commands as one step."""
        for command in commands:
            self.table.carry_out(command)
        self.steps.append(commands)

    def stack_of(self, id: str) -> PieceStack | None:
        """Return the stack that a piece is in."""
        return self.table.stacks.get(self.table.stack_of.get(id, ""))

    def below(self, id: str) -> str:
        """Return the piece right below one in its stack, "" if it is the lowest or in none."""
        stack = self.stack_of(id)
        at = stack.pieces.index(id) if stack is not None else 0
        return stack.pieces[at - 1] if stack is not None and at else ""

    def top(self, map: str, at: Pixel) -> str:
        """Return the top piece of the stack at a place, "" if there is none."""
        stack = self.table.stacks.get(self.table.stack_at(map, at, NOWHERE))
        return stack.pieces[-1] if stack is not None and stack.pieces else ""

    def move(self, id: str, map: str, at: Pixel, under: str = "") -> None:
        """Move a piece onto the piece `under`, or below everything at a place; where nothing lies it makes a new stack."""
        piece = self.table.pieces[id]
        stack = self.stack_of(id)
        here = (map, *_write_pixel(at), under or NOWHERE)
        there = (piece.map or NOWHERE, *_write_pixel(piece.at), self.below(id) or NOWHERE)
        commands = ["M/" + join((id, *here, *there, _BY_NOBODY), "/")]
        if not self.table.stack_at(map, at, under):
            stacks = (other for other in self.table.stacks.values() if other.pieces and not other.deck)
            layer = next((other.layer for other in stacks), 0) if stack is None else stack.layer
            commands.append(write_stack_definition(PieceStack(next(self._ids), (id,), map, at, layer)))
        self.do(*commands)

    def restate(self, piece: Piece) -> None:
        """Give a piece the states of traits that it has here."""
        before = self.table.pieces[piece.id]
        self.do("D/" + join((piece.id, write_piece_state(piece), write_piece_state(before)), "/"))

    def new_id(self) -> str:
        """Return an id that nothing has."""
        return next(self._ids)

    def add(self, piece: Piece) -> str:
        """Bring a piece into play where it says that it lies, in no stack. Returns the id that it got."""
        new = piece._replace(id=self.new_id())
        self.do(write_definition(new))
        return new.id

    def remove(self, id: str) -> None:
        """Take a piece out of the game."""
        self.do("-/" + join((id,), "/"))

    def set(self, name: str, value: str) -> None:
        """Set a global property of the module."""
        before = self.table.properties.get((MODULE, name), "")
        self.do(join((SHARED, name, before, value, MODULE), "\t"))


def _write_pixel(at: Pixel) -> tuple[str, str]:
    return str(at[0]), str(at[1])


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
        return (
            piece._replace(properties=())
            if piece
            else _find_marker(self._slots, self.legend_of(self._slots), track, about)
        )

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


def _find_value(state: GameState, key: FactKey) -> Value | None:
    """Return the value of a fact, None if it is unknown."""
    fact = state.facts.get(key)
    return None if fact is None else fact.value


class TableLayout:
    """A table while it is laid out anew."""

    def __init__(self, hand: Hand, game: Game, legend: Legend, pen: Pen, palette: PieceSource) -> None:
        self.hand = hand
        self.game = game
        self.legend = legend
        self.pen = pen
        self.palette = palette
        self.refused: list[str] = []
        """In words, what cannot be shown and cannot be noted either."""
        self.place_at = cache(legend.place)
        self.new: set[str] = set()
        self.pieces: dict[str, str] = {}  # unit -> its piece
        self.markers: dict[FactKey, list[str]] = {}
        for id, piece in hand.table.pieces.items():
            if unit := legend.unit(piece):
                self.pieces[unit] = id
            elif (track := legend.marker(piece)) and not piece.owners():
                self.markers.setdefault((track, self._find_place(piece)), []).append(id)

    def lay_out(self, before: GameState, after: GameState) -> None:
        """Lay out the table of one state as another: units where they stand, then what counters, markers and the turn
        tracker show.
        """
        for unit in before.units.keys() - after.units.keys():
            if id := self.pieces.pop(unit, ""):
                self.hand.remove(id)
        for stood in after.units.values():
            self.enter(stood, after)
        for place in dict.fromkeys(unit.place for unit in after.units.values() if unit.place):
            if [unit.id for unit in before.stack(place)] != [unit.id for unit in after.stack(place)]:
                self.stack(place, after)
        for stood in after.units.values():
            if stood.place is None and stood.id in self.pieces:
                self.wait(stood, before, after)
        for track, subject, value in self.differing(before, after):
            if track.on == "unit" and subject in self.pieces:
                self.show(self.pieces[subject], track, value)
            elif track.on == "hex":
                self.mark(track, subject, value, after)
        hidden = hidden_units(self.game, after)
        for unit, id in self.pieces.items():
            self.keep(id, facts_to_keep(self.game, after, unit) if unit in hidden else {})
        self.go_on(before, after)

    def differing(self, before: GameState, after: GameState) -> Iterator[tuple[Track, str, Value | None]]:
        """Yield the facts that are otherwise now, or state something of a unit that has come into play, each with its
        value now.
        """
        for key in dict.fromkeys((*before.facts, *after.facts)):
            was, now = _find_value(before, key), _find_value(after, key)
            if was != now or key[1] in self.new or key[0] in HIDES:
                yield self.game.tracks[key[0]], key[1], now

    # --- units ---

    def enter(self, unit: Unit, after: GameState) -> None:
        """Bring a unit into play that has no piece yet."""
        waits = (arrival_track(self.game), unit.id) in after.facts
        if unit.id in self.pieces or not (unit.place or waits):
            return
        piece = self.palette.unit(unit.type) if unit.id == unit.type else None
        if piece is None:
            where = f"in {unit.place}" if unit.place else "in the box of its turn"
            self.refused.append(f"{unit.id} {where}: its module has no counter for it, or is not available")
            return
        self.pieces[unit.id] = self.hand.add(piece._replace(map="", at=(0, 0)))
        self.new.add(unit.id)

    def stack(self, place: str, after: GameState) -> None:
        """Let the units of a place lie there in their order, each on the one below it; the lowest below everything
        there. In a place with a spot for each side they lie at that of their own.
        """
        ids = [self.pieces[unit.id] for unit in reversed(after.stack(place)) if unit.id in self.pieces]
        lying = [id for id in self._list_from_below(place) if id in ids]
        if lying == ids:
            return
        by_spot: dict[MapPixel | None, list[str]] = {}
        for id in ids:
            by_spot.setdefault(self.pen.own_spot(self.hand.table.pieces[id], place), []).append(id)
        for own, some in by_spot.items():
            spot = own or self._choose_spot(place, [id for id in lying if id in some])
            if spot is None:
                self.refused += [
                    f"{unit.id} in {place}: the module does not show this place" for unit in after.stack(place)
                ]
                return
            self.pile(some, spot)

    def pile(self, ids: Sequence[str], spot: MapPixel) -> None:
        """Let pieces lie at a spot in their order, the lowest first."""
        below = ""
        for id in ids:
            stack = self.hand.stack_of(id)
            beside = [other for other in stack.pieces if other in ids] if stack else []
            at = beside.index(id) if beside else 0
            stays = self._is_at(id, spot) and beside and (beside[at - 1] if at else "") == below
            if not stays:
                self.hand.move(id, *spot, under=below)
            below = id

    def _list_from_below(self, place: str) -> list[str]:
        """Return the pieces of units at a place, from the lowest one up: loose ones lie below stacks, and later stacks
        above others.
        """
        table = self.hand.table
        here = [id for id in reversed(self.pieces.values()) if self._find_place(table.pieces[id]) == place]
        stacked = dict.fromkeys(id for stack in table.stacks.values() for id in stack.pieces if id in here)
        return [*(id for id in here if id not in stacked), *stacked]

    def _find_place(self, piece: Piece) -> str:
        return self.place_at(piece.map, piece.at).name if piece.map else ""

    def _is_at(self, id: str, spot: MapPixel) -> bool:
        piece = self.hand.table.pieces[id]
        return (piece.map, piece.at) == spot

    def _choose_spot(self, place: str, lying: list[str]) -> MapPixel | None:
        """Return where units of a place lie: where one lies already, if that is its middle."""
        for id in lying:
            piece = self.hand.table.pieces[id]
            if not self.place_at(piece.map, piece.at).off_centre:
                return MapPixel(piece.map, piece.at)
        return self.pen.spot(place)

    def wait(self, unit: Unit, before: GameState, after: GameState) -> None:
        """Let a unit that stands nowhere lie in the box of the turn in which it comes, or out of play."""
        known = before.units.get(unit.id)
        track = arrival_track(self.game)
        key = (track, unit.id)
        was, now = _find_value(before, key), _find_value(after, key)
        stood = known is not None and known.place is not None
        if not stood and unit.id not in self.new and was == now:
            return
        piece = self.hand.table.pieces[self.pieces[unit.id]]
        box = None if now is None else self.pen.box_of_turn(track, now)
        away: tuple[Piece, MapPixel] | None = None
        if box is not None:
            away = (piece, box)
        elif stood:
            away = self.pen.away(piece)
        if away is None:
            if stood:
                self.refused.append(f"{unit.id} out of play: the module has no place for it")
            return
        sent, spot = away
        if sent != piece:
            self.hand.restate(sent)
        self.hand.move(piece.id, *spot, under=self.hand.top(*spot))

    # --- facts ---

    def show(self, id: str, track: Track, value: Value | None) -> None:
        """Let a piece show a value, if it shows the track."""
        piece = self.hand.table.pieces[id]
        shown = self.pen.showing(piece, track, value)
        if shown is not None and shown != piece:
            self.hand.restate(shown)

    def keep(self, id: str, facts: Mapping[str, Fact]) -> None:
        """Let a piece keep of some facts of its unit, by track, those that it does not show, and nothing else, if it
        can.
        """
        piece = self.hand.table.pieces[id]
        if all(not is_keeping(trait) for trait in piece.traits):
            return
        bare = piece._replace(traits=tuple(trait for trait in piece.traits if not is_keeping(trait)))
        shown = {statement.track for statement in self.legend.statements(bare)}
        text = write_kept(self.game, {name: fact for name, fact in facts.items() if name not in shown})
        keeping = piece._replace(
            traits=tuple(make_keeping_trait(text, trait.type) if is_keeping(trait) else trait for trait in piece.traits)
        )
        if keeping != piece:
            self.hand.restate(keeping)

    def mark(self, track: Track, place: str, value: Value | None, after: GameState) -> None:
        """Let markers state a fact of a hex: those that are there, or a new one."""
        there = self.markers.get((track.name, place), [])
        silent = value is None or value == track.absent
        for id in there:
            shown = None if silent else self.stating(self.hand.table.pieces[id], track, value)
            if shown is None:
                self.hand.remove(id)
            elif shown != self.hand.table.pieces[id]:
                self.hand.restate(shown)
        if silent or there or track.module is None:
            return
        piece = self.palette.marker(track.name, self.nation_of_top(place, after))
        spot = self.pen.spot(place)
        shown = self.stating(piece, track, value) if piece is not None else None
        if shown is None or spot is None:
            return
        if not track.module.covers:
            self.hand.add(shown._replace(map=spot.map, at=spot.at))
            return
        lying = self._choose_spot(place, self._list_from_below(place)) or spot
        top = self.hand.top(*lying)
        added = self.hand.add(shown._replace(map="", at=(0, 0)))
        if top:
            self.hand.move(added, *lying, under=top)
        else:
            self.hand.move(added, *spot)

    def nation_of_top(self, place: str, after: GameState) -> tuple[str, str] | None:
        """Return the nation of the top unit in a place, as pieces tell theirs."""
        top = next(iter(after.stack(place)), None)
        nation = self.game.nation_of_unit(top, after.facts) if top else ""
        return (self.game.file.picture.nation, nation) if nation else None

    def stating(self, piece: Piece, track: Track, value: Value | None) -> Piece | None:
        """Return a marker that states a value, None if it cannot."""
        shown = self.pen.showing(piece, track, value)
        if shown is None:
            return None
        words = (statement.word for statement in self.legend.statements(shown) if statement.track == track.name)
        return shown if any(words) else None

    def go_on(self, before: GameState, after: GameState) -> None:
        """Put the turn tracker and the properties where they show the facts of the game."""
        otherwise = {track.name for track, subject, _ in self.differing(before, after) if not subject}
        was, now = self.pen.course(before.facts), self.pen.course(after.facts)
        if now.turn and otherwise & (was.in_turn | now.in_turn):
            first = next(iter(self.hand.table.turns), None)
            if first is not None:
                self.hand.do(turn_command(first, now.turn))
        for name in dict.fromkeys((*was.properties, *now.properties)):
            if was.properties.get(name) != now.properties.get(name):
                self.hand.set(name, now.properties.get(name, ""))
