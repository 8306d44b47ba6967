"""A table laid out anew: a hand moves and changes pieces, and brings new ones from the palettes, until they show
another state of the game; each thing that it does is a step.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, cached_property
from itertools import count

import msgspec

from ....game.course import arrival_track
from ....game.games import Game
from ....state.sources import Value
from ....state.state import FactKey, GameState, Unit
from ....state.tracks import Track
from ..grids import Pixel
from ..legends import Legend
from ..modules import Module
from ..pieces import NOWHERE, Piece, Stack, definition, stack_definition, state_of
from ..saves import MODULE, SHARED, Save, Table, turn_command
from ..sequence import join
from .pens import Pen, Spot

_BY_NOBODY = NOWHERE
"""Who moved a piece, if not a player."""


class Hand:
    """A hand over the game of a save.

    table: the game as it is now; steps: what the hand did, each step as its commands.
    """

    def __init__(self, save: Save) -> None:
        self.begun_with = save
        self.table = Table(save)
        self.steps: list[tuple[str, ...]] = []
        ids = (int(id) for id in (*save.pieces, *save.stacks) if re.fullmatch("[0-9]{1,18}", id))
        self._ids = map(str, count(max(ids, default=0) + 1))

    def save(self) -> Save:
        """The game as it is now, without new stacks that came to hold nothing."""
        now, before = self.table.save(), self.begun_with.stacks
        stacks = {id: stack for id, stack in now.stacks.items() if stack.pieces or stack.deck or id in before}
        return msgspec.structs.replace(now, stacks=stacks)

    def do(self, *commands: str) -> None:
        """Carry out commands as one step."""
        for command in commands:
            self.table.carry_out(command)
        self.steps.append(commands)

    def stack_of(self, id: str) -> Stack | None:
        """The stack that a piece is in."""
        return self.table.stacks.get(self.table.stack_of.get(id, ""))

    def below(self, id: str) -> str:
        """The piece right below one in its stack, "" if it is the lowest or in none."""
        stack = self.stack_of(id)
        return stack.pieces[at - 1] if stack is not None and (at := stack.pieces.index(id)) else ""

    def top(self, map: str, at: Pixel) -> str:
        """The top piece of the stack at a place, "" if there is none."""
        stack = self.table.stacks.get(self.table.stack_at(map, at, NOWHERE))
        return stack.pieces[-1] if stack is not None and stack.pieces else ""

    def move(self, id: str, map: str, at: Pixel, under: str = "") -> None:
        """Move a piece onto the piece `under`, or below everything at a place; where nothing lies it makes a new stack."""
        piece, stack = self.table.pieces[id], self.stack_of(id)
        here = (map, *_words(at), under or NOWHERE)
        there = (piece.map or NOWHERE, *_words(piece.at), self.below(id) or NOWHERE)
        commands = ["M/" + join((id, *here, *there, _BY_NOBODY), "/")]
        if not self.table.stack_at(map, at, under):
            stacks = (other for other in self.table.stacks.values() if other.pieces and not other.deck)
            layer = next((other.layer for other in stacks), 0) if stack is None else stack.layer
            commands.append(stack_definition(Stack(next(self._ids), (id,), map, at, layer)))
        self.do(*commands)

    def restate(self, piece: Piece) -> None:
        """Give a piece the states of traits that it has here."""
        before = self.table.pieces[piece.id]
        self.do("D/" + join((piece.id, state_of(piece), state_of(before)), "/"))

    def add(self, piece: Piece) -> str:
        """Bring a piece into play where it says that it lies, in no stack. Returns the id that it got."""
        new = piece._replace(id=next(self._ids))
        self.do(definition(new))
        return new.id

    def remove(self, id: str) -> None:
        """Take a piece out of the game."""
        self.do("-/" + join((id,), "/"))

    def set(self, name: str, value: str) -> None:
        """Set a global property of the module."""
        before = self.table.properties.get((MODULE, name), "")
        self.do(join((SHARED, name, before, value, MODULE), "\t"))


def _words(at: Pixel) -> tuple[str, str]:
    return str(at[0]), str(at[1])


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
        piece = _marker(self.save, self.legend_of(self.save), track)
        return piece._replace(properties=()) if piece else _marker(self._slots, self.legend_of(self._slots), track)

    @cached_property
    def _slots(self) -> Save:
        """The save with the pieces of its module's palettes instead of those in play. Raises InputError for a prototype
        that contains itself.
        """
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


class Layout:
    """A table while it is laid out anew.

    refused: in words, what cannot be shown and cannot be noted either.
    """

    def __init__(self, hand: Hand, game: Game, legend: Legend, pen: Pen, palette: Palette) -> None:
        self.hand, self.game, self.legend, self.pen, self.palette = hand, game, legend, pen, palette
        self.refused: list[str] = []
        self.place_at = cache(legend.place)
        self.new: set[str] = set()
        self.pieces: dict[str, str] = {}  # unit -> its piece
        self.markers: dict[FactKey, list[str]] = {}
        for id, piece in hand.table.pieces.items():
            if unit := legend.unit(piece):
                self.pieces[unit] = id
            elif (track := legend.marker(piece)) and not piece.owners():
                self.markers.setdefault((track, self._place(piece)), []).append(id)

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
                self.mark(track, subject, value)
        self.go_on(before, after)

    def differing(self, before: GameState, after: GameState) -> Iterator[tuple[Track, str, Value | None]]:
        """The facts that are otherwise now, or state something of a unit that has come into play, each with its value
        now.
        """
        for key in dict.fromkeys((*before.facts, *after.facts)):
            was, now = (None if fact is None else fact.value for fact in (before.facts.get(key), after.facts.get(key)))
            if was != now or key[1] in self.new:
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
            self.refused.append(f"{unit.id} {where}: its module has no counter of it, or is not at hand")
            return
        self.pieces[unit.id] = self.hand.add(piece._replace(map="", at=(0, 0)))
        self.new.add(unit.id)

    def stack(self, place: str, after: GameState) -> None:
        """Let the units of a place lie there in their order, each on the one below it; the lowest below everything
        there.
        """
        ids = [self.pieces[unit.id] for unit in reversed(after.stack(place)) if unit.id in self.pieces]
        lying = [id for id in self._from_below(place) if id in ids]
        if lying == ids:
            return
        spot = self._spot(place, lying)
        if spot is None:
            self.refused += [f"{unit.id} in {place}: the module does not show it" for unit in after.stack(place)]
            return
        below = ""
        for id in ids:
            stack = self.hand.stack_of(id)
            beside = [other for other in stack.pieces if other in ids] if stack else []
            at = beside.index(id) if beside else 0
            stays = self._is_at(id, spot) and beside and (beside[at - 1] if at else "") == below
            if not stays:
                self.hand.move(id, *spot, under=below)
            below = id

    def _from_below(self, place: str) -> list[str]:
        """The pieces of units at a place, from the lowest one up: loose ones lie below stacks, and later stacks above
        others.
        """
        table = self.hand.table
        here = [id for id in reversed(self.pieces.values()) if self._place(table.pieces[id]) == place]
        stacked = dict.fromkeys(id for stack in table.stacks.values() for id in stack.pieces if id in here)
        return [*(id for id in here if id not in stacked), *stacked]

    def _place(self, piece: Piece) -> str:
        return self.place_at(piece.map, piece.at).name if piece.map else ""

    def _is_at(self, id: str, spot: Spot) -> bool:
        piece = self.hand.table.pieces[id]
        return (piece.map, piece.at) == spot

    def _spot(self, place: str, lying: list[str]) -> Spot | None:
        """Where units of a place lie: where one lies already, if that is its middle."""
        for id in lying:
            piece = self.hand.table.pieces[id]
            if not self.place_at(piece.map, piece.at).off_centre:
                return Spot(piece.map, piece.at)
        return self.pen.spot(place)

    def wait(self, unit: Unit, before: GameState, after: GameState) -> None:
        """Let a unit that stands nowhere lie in the box of the turn in which it comes, or out of play."""
        known, key = before.units.get(unit.id), (arrival_track(self.game), unit.id)
        turns = [state.facts[key].value if key in state.facts else None for state in (before, after)]
        stood = known is not None and known.place is not None
        if not stood and unit.id not in self.new and turns[0] == turns[1]:
            return
        piece = self.hand.table.pieces[self.pieces[unit.id]]
        box = None if turns[1] is None else self.pen.box_of_turn(key[0], turns[1])
        away = (piece, box) if box is not None else self.pen.away(piece) if stood else None
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

    def mark(self, track: Track, place: str, value: Value | None) -> None:
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
        piece, spot = self.palette.marker(track.name), self.pen.spot(place)
        shown = self.stating(piece, track, value) if piece is not None else None
        if shown is not None and spot is not None:
            self.hand.add(shown._replace(map=spot.map, at=spot.at))

    def stating(self, piece: Piece, track: Track, value: Value | None) -> Piece | None:
        """A marker that states a value, None if it cannot."""
        shown = self.pen.showing(piece, track, value)
        said = (
            []
            if shown is None
            else [statement.word for statement in self.legend.statements(shown) if statement.track == track.name]
        )
        return shown if any(said) else None

    def go_on(self, before: GameState, after: GameState) -> None:
        """Put the turn tracker and the properties where they show the facts of the game."""
        otherwise = {track.name for track, subject, _ in self.differing(before, after) if not subject}
        was, now = self.pen.course(before.facts), self.pen.course(after.facts)
        if now.turn and otherwise & (was.in_turn | now.in_turn):
            for tracker in [*self.hand.table.turns][:1]:
                self.hand.do(turn_command(tracker, now.turn))
        for name in dict.fromkeys((*was.properties, *now.properties)):
            if was.properties.get(name) != now.properties.get(name):
                self.hand.set(name, now.properties.get(name, ""))
