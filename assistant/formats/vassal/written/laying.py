"""A table laid out anew: a hand moves and changes pieces until they show another state of the game."""

from __future__ import annotations

from collections.abc import Iterator

from ....game.course.file import arrival_track
from ....game.games import Game
from ....state.sources import Value
from ....state.state import FactKey, GameState, Unit
from ....state.tracks import Track
from ..legends.legend import Legend
from ..pieces import Piece
from .hand import Hand
from .palette import Palette
from .pen import Pen, Spot


class Layout:
    """A table while it is laid out anew.

    refused: in words, what cannot be shown and cannot be noted either.
    """

    def __init__(self, hand: Hand, game: Game, legend: Legend, pen: Pen, palette: Palette) -> None:
        self.hand, self.game, self.legend, self.pen, self.palette = hand, game, legend, pen, palette
        self.refused: list[str] = []
        self.places: dict[Spot, str] = {}
        self.new: set[str] = set()
        self.pieces: dict[str, str] = {}  # unit -> its piece
        self.markers: dict[FactKey, list[str]] = {}
        for id, piece in hand.table.pieces.items():
            if unit := legend.unit(piece):
                self.pieces[unit] = id
            elif (track := legend.marker(piece)) and not piece.owners():
                self.markers.setdefault((track, self._place(piece)), []).append(id)

    def lay_out(self, before: GameState, after: GameState) -> None:
        """Lay out the table of one state as another: units where they stand, then what counters, markers and the turn tracker show."""
        for unit in before.units.keys() - after.units.keys():
            if id := self.pieces.pop(unit, ""):
                self.hand.remove(id)
        for one in after.units.values():
            self.enter(one, after)
        for place in dict.fromkeys(unit.place for unit in after.units.values() if unit.place):
            if [unit.id for unit in before.stack(place)] != [unit.id for unit in after.stack(place)]:
                self.stack(place, after)
        for one in after.units.values():
            if one.place is None and one.id in self.pieces:
                self.wait(one, before, after)
        for track, subject, value in self.differing(before, after):
            if track.on == "unit" and subject in self.pieces:
                self.show(self.pieces[subject], track, value)
            elif track.on == "hex":
                self.mark(track, subject, value)
        self.go_on(before, after)

    def differing(self, before: GameState, after: GameState) -> Iterator[tuple[Track, str, Value | None]]:
        """The facts that are otherwise now, or state something of a unit that has come into play, each with its value now."""
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
        """Let the units of a place lie there in their order, each on the one below it; the lowest below everything there."""
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
        """The pieces of units at a place, from the lowest one up: loose ones lie below stacks, and later stacks above others."""
        table = self.hand.table
        here = [id for id in reversed(self.pieces.values()) if self._place(table.pieces[id]) == place]
        stacked = dict.fromkeys(id for stack in table.stacks.values() for id in stack.pieces if id in here)
        return [*(id for id in here if id not in stacked), *stacked]

    def _place(self, piece: Piece) -> str:
        spot = Spot(piece.map, piece.at)
        if spot not in self.places:
            self.places[spot] = self.legend.place(*spot).name if piece.map else ""
        return self.places[spot]

    def _is_at(self, id: str, spot: Spot) -> bool:
        piece = self.hand.table.pieces[id]
        return (piece.map, piece.at) == spot

    def _spot(self, place: str, lying: list[str]) -> Spot | None:
        """Where units of a place lie: where one lies already, if that is its middle."""
        for id in lying:
            piece = self.hand.table.pieces[id]
            if not self.legend.place(piece.map, piece.at).off_centre:
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
        said = [] if shown is None else [one.word for one in self.legend.statements(shown) if one.track == track.name]
        return shown if any(said) else None

    def go_on(self, before: GameState, after: GameState) -> None:
        """Put the turn tracker and the properties where they show the facts of the game."""
        otherwise = {track.name for track, subject, _ in self.differing(before, after) if not subject}
        was, now = self.pen.course(before.facts), self.pen.course(after.facts)
        if now.turn and otherwise & (was.in_turn | now.in_turn):
            for tracker in [*self.hand.table.turns][:1]:
                self.hand.turn(tracker, now.turn)
        for name in dict.fromkeys((*was.properties, *now.properties)):
            if was.properties.get(name) != now.properties.get(name):
                self.hand.set(name, now.properties.get(name, ""))
