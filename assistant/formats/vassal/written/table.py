"""A table laid out anew: its hand moves and changes pieces, and brings new ones from the palettes, until they show
another state of the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from ....game.course import arrival_track
from ....game.covers import hidden_units
from ....game.games import Game
from ....state.state import FactKey, GameState, Unit
from ....state.tracks import Fact, Track, Value
from ..hidden import facts_to_keep, is_keeping, make_keeping_trait, write_kept
from ..legends import Legend
from ..pieces import Piece
from ..saves import turn_command
from .hand import Hand
from .pens import HIDES, MapPixel, Pen
from .piece_source import PieceSource


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
        piece = self.palette.unit(unit.id) if unit.type == self.game.type_of(unit.id) else None
        if piece is None:
            where = f"in {unit.place}" if unit.place else "in the box of its turn"
            self.refused.append(f"{unit.id} {where}: its module has no counter for it, or is not available")
            return
        named = self.legend.as_unit(piece, unit.id)
        self.pieces[unit.id] = self.hand.add(named._replace(map="", at=(0, 0)))
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
