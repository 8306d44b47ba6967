"""A table changed to show another state: a hand moves, changes and adds pieces.

Each action of the hand is a step of VASSAL's commands. New pieces come from the module's palettes. Pieces that show
supply on the map are replaced.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import count

import msgspec

from ....game.course import arrival_track
from ....game.covers import hidden_units
from ....game.games import Game
from ....state.overlay import Overlay, OverlayStep, Tint
from ....state.state import FactKey, GameState, Unit
from ....state.tracks import Fact, Track, Value
from ....util.errors import InputError
from ..grids import Pixel
from ..hidden_facts import facts_to_keep, is_keeping, make_keeping_trait, write_kept
from ..legends import BuiltLegend, Legend
from ..modules import Module
from ..overlay import OVERLAY, OVERLAYS, degrees_of, write_link_name, write_tint_name
from ..pieces import NOWHERE, Piece, PieceStack, write_definition, write_piece_state, write_stack_definition
from ..replay import SHARED, ReplayedGame
from ..saves import MODULE, Save, turn_command
from ..sequence import join
from .pens import HIDES, MapPixel, Pen


def _find_value(state: GameState, key: FactKey) -> Value | None:
    fact = state.facts.get(key)
    return None if fact is None else fact.value


class TableLayout:
    """A table while it is changed to show another state."""

    def __init__(self, hand: Hand, game: Game, legend: Legend, pen: Pen, palette: PieceSource) -> None:
        self.hand = hand
        self.game = game
        self.legend = legend
        self.pen = pen
        self.palette = palette
        self.refused: list[str] = []
        """Texts on what can be neither shown nor noted."""
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
        """Change the table from one state to another: first units, then counters, markers and the turn tracker."""
        for unit in before.units.keys() - after.units.keys():
            if id := self.pieces.pop(unit, ""):
                self.hand.remove_piece(id)
        for stood in after.units.values():
            self._bring_in(stood, after)
        for place in dict.fromkeys(unit.place for unit in after.units.values() if unit.place):
            if [unit.id for unit in before.stack(place)] != [unit.id for unit in after.stack(place)]:
                self._stack_units(place, after)
        for stood in after.units.values():
            if stood.place is None and stood.id in self.pieces:
                self._move_off_map(stood, before, after)
        for track, subject, value in self._list_changes(before, after):
            if track.on == "unit" and subject in self.pieces:
                self._show_value(self.pieces[subject], track, value)
            elif track.on == "hex":
                self._mark_hex(track, subject, value, after)
        hidden = hidden_units(self.game, after)
        for unit, id in self.pieces.items():
            self._keep_facts(id, facts_to_keep(self.game, after, unit) if unit in hidden else {})
        self._show_course(before, after)

    def _list_changes(self, before: GameState, after: GameState) -> Iterator[tuple[Track, str, Value | None]]:
        """Yield the facts that have changed, belong to a new unit, or may hide a unit, each with its new value."""
        for key in dict.fromkeys((*before.facts, *after.facts)):
            value_before, value_after = _find_value(before, key), _find_value(after, key)
            if value_before != value_after or key[1] in self.new or key[0] in HIDES:
                yield self.game.tracks[key[0]], key[1], value_after

    # --- units ---

    def _bring_in(self, unit: Unit, after: GameState) -> None:
        """Add a piece for a unit that enters play."""
        waits = (arrival_track(self.game), unit.id) in after.facts
        if unit.id in self.pieces or not (unit.place or waits):
            return
        piece = self.palette.unit(unit.id) if unit.type == self.game.type_of(unit.id) else None
        if piece is None:
            where = f"in {unit.place}" if unit.place else "in the box of its turn"
            self.refused.append(f"{unit.id} {where}: its module has no counter for it, or is not available")
            return
        named = self.legend.as_unit(piece, unit.id)
        self.pieces[unit.id] = self.hand.add_piece(named._replace(map="", at=(0, 0)))
        self.new.add(unit.id)

    def _stack_units(self, place: str, after: GameState) -> None:
        """Stack the units of a place in their order, below everything else there.

        In a place with a spot for each side, each unit goes to the spot of its side.
        """
        ids = [self.pieces[unit.id] for unit in reversed(after.stack(place)) if unit.id in self.pieces]
        stacked = [id for id in self._list_from_below(place) if id in ids]
        if stacked == ids:
            return
        by_spot: dict[MapPixel | None, list[str]] = {}
        for id in ids:
            by_spot.setdefault(self.pen.own_spot(self.hand.table.pieces[id], place), []).append(id)
        for own_spot, group in by_spot.items():
            spot = own_spot or self._choose_spot(place, [id for id in stacked if id in group])
            if spot is None:
                self.refused += [
                    f"{unit.id} in {place}: the module does not show this place" for unit in after.stack(place)
                ]
                return
            self._pile_pieces(group, spot)

    def _pile_pieces(self, ids: Sequence[str], spot: MapPixel) -> None:
        """Stack pieces at a spot in order, the lowest first."""
        below = ""
        for id in ids:
            stack = self.hand.stack_of(id)
            beside = [other for other in stack.pieces if other in ids] if stack else []
            at = beside.index(id) if beside else 0
            stays = self._is_at(id, spot) and beside and (beside[at - 1] if at else "") == below
            if not stays:
                self.hand.move_piece(id, *spot, under=below)
            below = id

    def _list_from_below(self, place: str) -> list[str]:
        """Return the pieces of units at a place, from the lowest up.

        Loose pieces are below stacks, and later stacks above earlier ones.
        """
        table = self.hand.table
        pieces_here = [id for id in reversed(self.pieces.values()) if self._find_place(table.pieces[id]) == place]
        stacked = dict.fromkeys(id for stack in table.stacks.values() for id in stack.pieces if id in pieces_here)
        return [*(id for id in pieces_here if id not in stacked), *stacked]

    def _find_place(self, piece: Piece) -> str:
        return self.place_at(piece.map, piece.at).name if piece.map else ""

    def _is_at(self, id: str, spot: MapPixel) -> bool:
        piece = self.hand.table.pieces[id]
        return (piece.map, piece.at) == spot

    def _choose_spot(self, place: str, lying: list[str]) -> MapPixel | None:
        """Return the spot for units of a place, or None if the module does not show the place.

        It is the spot of a piece already near the middle, or else the middle.
        """
        for id in lying:
            piece = self.hand.table.pieces[id]
            if not self.place_at(piece.map, piece.at).off_centre:
                return MapPixel(piece.map, piece.at)
        return self.pen.spot(place)

    def _move_off_map(self, unit: Unit, before: GameState, after: GameState) -> None:
        """Move a unit without a place to the box of its turn of arrival, or out of play."""
        known = before.units.get(unit.id)
        track = arrival_track(self.game)
        key = (track, unit.id)
        turn_before, turn_after = _find_value(before, key), _find_value(after, key)
        stood = known is not None and known.place is not None
        if not stood and unit.id not in self.new and turn_before == turn_after:
            return
        piece = self.hand.table.pieces[self.pieces[unit.id]]
        box = None if turn_after is None else self.pen.box_of_turn(track, turn_after)
        destination: tuple[Piece, MapPixel] | None = None
        if box is not None:
            destination = (piece, box)
        elif stood:
            destination = self.pen.away(piece)
        if destination is None:
            if stood:
                self.refused.append(f"{unit.id} out of play: the module has no place for it")
            return
        sent, spot = destination
        if sent != piece:
            self.hand.restate_piece(sent)
        self.hand.move_piece(piece.id, *spot, under=self.hand.top_piece_at(*spot))

    # --- facts ---

    def _show_value(self, id: str, track: Track, value: Value | None) -> None:
        """Make a piece show a value, if it shows the track."""
        piece = self.hand.table.pieces[id]
        shown = self.pen.showing(piece, track, value)
        if shown is not None and shown != piece:
            self.hand.restate_piece(shown)

    def _keep_facts(self, id: str, facts: Mapping[str, Fact]) -> None:
        """Make a piece store exactly the facts of its unit that it does not show, if it has a trait for this."""
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
            self.hand.restate_piece(keeping)

    def _mark_hex(self, track: Track, place: str, value: Value | None, after: GameState) -> None:
        """Make existing markers, or a new one, state a fact of a hex."""
        there = self.markers.get((track.name, place), [])
        silent = value is None or value == track.absent
        for id in there:
            shown = None if silent else self._make_marker_state(self.hand.table.pieces[id], track, value)
            if shown is None:
                self.hand.remove_piece(id)
            elif shown != self.hand.table.pieces[id]:
                self.hand.restate_piece(shown)
        if silent or there or track.module is None:
            return
        piece = self.palette.marker(track.name, self._nation_of_top(place, after))
        spot = self.pen.spot(place)
        shown = self._make_marker_state(piece, track, value) if piece is not None else None
        if shown is None or spot is None:
            return
        if not track.module.covers:
            self.hand.add_piece(shown._replace(map=spot.map, at=spot.at))
            return
        lying = self._choose_spot(place, self._list_from_below(place)) or spot
        top = self.hand.top_piece_at(*lying)
        added = self.hand.add_piece(shown._replace(map="", at=(0, 0)))
        if top:
            self.hand.move_piece(added, *lying, under=top)
        else:
            self.hand.move_piece(added, *spot)

    def _nation_of_top(self, place: str, after: GameState) -> tuple[str, str] | None:
        """Return the nation of the top unit in a place, as a marker property of pieces."""
        top = next(iter(after.stack(place)), None)
        nation = self.game.nation_of_unit(top, after.facts) if top else ""
        return (self.game.file.picture.nation, nation) if nation else None

    def _make_marker_state(self, piece: Piece, track: Track, value: Value | None) -> Piece | None:
        """Return a marker that states a value, or None if it cannot."""
        shown = self.pen.showing(piece, track, value)
        if shown is None:
            return None
        words = (statement.word for statement in self.legend.statements(shown) if statement.track == track.name)
        return shown if any(words) else None

    def _show_course(self, before: GameState, after: GameState) -> None:
        """Set the turn tracker and the properties to the facts of the game."""
        changed = {track.name for track, subject, _ in self._list_changes(before, after) if not subject}
        course_before, course_after = self.pen.course(before.facts), self.pen.course(after.facts)
        if course_after.turn and changed & (course_before.in_turn | course_after.in_turn):
            first = next(iter(self.hand.table.turns), None)
            if first is not None:
                self.hand.log_step(turn_command(first, course_after.turn))
        for name in dict.fromkeys((*course_before.properties, *course_after.properties)):
            if course_before.properties.get(name) != course_after.properties.get(name):
                self.hand.set_property(name, course_after.properties.get(name, ""))


# --- supply on the map ------------------------------------------------------------------------------------------------


def has_overlay(legend: Legend) -> bool:
    """Return whether the module of a save has pieces that show supply."""
    return isinstance(legend, BuiltLegend) and bool(legend.own.get(OVERLAYS))


def show_overlay(hand: Hand, pen: Pen, palette: PieceSource, shown: Overlay) -> None:
    """Replace the pieces that show supply on the map, in one step. Later pieces in a place are on top.

    Raises InputError if the module has no such pieces.
    """
    if not has_overlay(pen.legend):
        what = "the module of this save has no pieces that show supply"
        raise InputError(what, hint="make it again with `module-builder module`, and begin with one of its set-ups")
    removals = [f"-/{id}" for id, piece in hand.table.pieces.items() if piece.marks().get(OVERLAY)]
    additions = [write_definition(piece._replace(id=hand.new_id())) for piece in _list_pieces(pen, palette, shown)]
    if removals or additions:
        hand.log_step(*removals, *additions)


def _list_pieces(pen: Pen, palette: PieceSource, shown: Overlay) -> Iterator[Piece]:
    """Yield the pieces in their places, except beyond the part of the map that the module shows."""
    slots = palette.overlay()
    for what in shown:
        found = _place_tint(pen, what) if isinstance(what, Tint) else _place_link(pen, what)
        if found is not None and found[0] in slots:
            name, spot = found
            yield slots[name]._replace(map=spot.map, at=spot.at)


def _place_tint(pen: Pen, tint: Tint) -> tuple[str, MapPixel] | None:
    spot = pen.spot(tint.place)
    return None if spot is None else (write_tint_name(tint), spot)


def _place_link(pen: Pen, link: OverlayStep) -> tuple[str, MapPixel] | None:
    """Return the marker text of the piece for a step, and its position midway between the two hexes, or None."""
    here, there = pen.spot(link.here), pen.spot(link.there)
    if here is None or there is None or here.map != there.map:
        return None
    middle = (here.at[0] + there.at[0]) // 2, (here.at[1] + there.at[1]) // 2
    return write_link_name(link.side, degrees_of(here.at, there.at), full=link.full), MapPixel(here.map, middle)


Palettes = Callable[[], Module | None]
"""A function that returns a module with palettes when it is needed, or None."""


# --- new pieces -------------------------------------------------------------------------------------------------------


class PieceSource:
    """The source of new pieces."""

    def __init__(self, save: Save, legend_of: Callable[[Save], Legend], palettes: Palettes) -> None:
        self.save = save
        self.legend_of = legend_of
        self.palettes = palettes

    def unit(self, type: str) -> Piece | None:
        """Return the counter of a unit, or None."""
        legend = self.legend_of(self._slots)
        return next((piece for piece in self._slots.pieces.values() if type in legend.units_of(piece)), None)

    def marker(self, track: str, property: tuple[str, str] | None = None) -> Piece | None:
        """Return a marker of a track, or None.

        `property`: another property with its value, which the marker should have if there is such a marker.
        """
        if property is not None and (piece := self._find_marker(track, property)) is not None:
            return piece
        return self._find_marker(track)

    def _find_marker(self, track: str, *about: tuple[str, str]) -> Piece | None:
        piece = _find_marker(self.save, self.legend_of(self.save), track, about)
        if piece:
            return piece._replace(properties=())
        return _find_marker(self._slots, self.legend_of(self._slots), track, about)

    def overlay(self) -> dict[str, Piece]:
        """Return the pieces that show an answer, by the texts of their markers."""
        slots = self._slots.pieces.values()
        return {shows: piece for piece in slots if (shows := piece.marks().get(OVERLAY, ""))}

    @cached_property
    def _slots(self) -> Save:
        """The save with the pieces of the module's palettes instead of those in play.

        Raises InputError if a prototype contains itself.
        """
        module = self.palettes()
        pieces = dict[str, Piece]()
        if module is not None and module.about.module == self.save.about.module:
            for number, slot in enumerate(module.slots):
                traits = module.expanded(slot.piece.traits)
                pieces[str(number)] = slot.piece._replace(id=str(number), traits=traits, slot=slot.id)
        return msgspec.structs.replace(self.save, pieces=pieces, stacks={})


def _find_marker(save: Save, legend: Legend, track: str, about: Sequence[tuple[str, str]]) -> Piece | None:
    """Return a visible marker of a track in a save, or None.

    `about`: further properties that it must have.
    """
    pieces = (piece for piece in save.pieces.values() if not legend.unit(piece) and not piece.owners())
    markers = (piece for piece in pieces if legend.marker(piece) == track)
    return next((piece for piece in markers if all(pair in piece.marks().items() for pair in about)), None)


# --- the hand ---------------------------------------------------------------------------------------------------------


class Hand:
    """A hand that changes the pieces of a save step by step."""

    def __init__(self, save: Save) -> None:
        self.begun_with = save
        self.table = ReplayedGame(save)
        """The game after the steps so far."""
        self.steps: list[tuple[str, ...]] = []
        """The commands of each step so far."""
        ids = (int(id) for id in (*save.pieces, *save.stacks) if re.fullmatch("[0-9]{1,18}", id))
        self._ids = map(str, count(max(ids, default=0) + 1))

    def to_save(self) -> Save:
        """Return the game after the steps so far, without new stacks that have become empty."""
        save = self.table.save()
        before = self.begun_with.stacks
        stacks = {id: stack for id, stack in save.stacks.items() if stack.pieces or stack.deck or id in before}
        return msgspec.structs.replace(save, stacks=stacks)

    def log_step(self, *commands: str) -> None:
        """Carry out commands as one step."""
        for command in commands:
            self.table.carry_out(command)
        self.steps.append(commands)

    def stack_of(self, id: str) -> PieceStack | None:
        return self.table.stacks.get(self.table.stack_of.get(id, ""))

    def piece_below(self, id: str) -> str:
        """Return the id of the piece directly below another in its stack, or ""."""
        stack = self.stack_of(id)
        at = stack.pieces.index(id) if stack is not None else 0
        return stack.pieces[at - 1] if stack is not None and at else ""

    def top_piece_at(self, map: str, at: Pixel) -> str:
        """Return the id of the top piece of the stack at a place, or ""."""
        stack = self.table.stacks.get(self.table.stack_at(map, at, NOWHERE))
        return stack.pieces[-1] if stack is not None and stack.pieces else ""

    def move_piece(self, id: str, map: str, at: Pixel, under: str = "") -> None:
        """Move a piece onto the piece `under`, or below everything at a place.

        At an empty place it makes a new stack.
        """
        piece = self.table.pieces[id]
        stack = self.stack_of(id)
        here = (map, *_write_pixel(at), under or NOWHERE)
        there = (piece.map or NOWHERE, *_write_pixel(piece.at), self.piece_below(id) or NOWHERE)
        by_no_player = NOWHERE
        commands = ["M/" + join((id, *here, *there, by_no_player), "/")]
        if not self.table.stack_at(map, at, under):
            stacks = (other for other in self.table.stacks.values() if other.pieces and not other.deck)
            layer = next((other.layer for other in stacks), 0) if stack is None else stack.layer
            commands.append(write_stack_definition(PieceStack(next(self._ids), (id,), map, at, layer)))
        self.log_step(*commands)

    def restate_piece(self, piece: Piece) -> None:
        """Give the piece in play with the same id the states of this piece's traits."""
        before = self.table.pieces[piece.id]
        self.log_step("D/" + join((piece.id, write_piece_state(piece), write_piece_state(before)), "/"))

    def new_id(self) -> str:
        """Return an unused id."""
        return next(self._ids)

    def add_piece(self, piece: Piece) -> str:
        """Add a piece at its place, outside stacks, and return its new id."""
        new = piece._replace(id=self.new_id())
        self.log_step(write_definition(new))
        return new.id

    def remove_piece(self, id: str) -> None:
        self.log_step("-/" + join((id,), "/"))

    def set_property(self, name: str, value: str) -> None:
        """Set a global property of the module."""
        before = self.table.properties.get((MODULE, name), "")
        self.log_step(join((SHARED, name, before, value, MODULE), "\t"))


def _write_pixel(at: Pixel) -> tuple[str, str]:
    return str(at[0]), str(at[1])
