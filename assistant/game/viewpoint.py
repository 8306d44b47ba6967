"""The viewpoint: the part of a state that one side may know if intelligence is limited.

A state is reduced before questions are asked, so that no answer can reveal more. Everything left out leaves a fact
`unseen` on a hex or `hidden` on a unit. Questions are answered twice, with everything hidden at its weakest and at its
strongest.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Collection, Mapping
from itertools import chain
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from ..state.state import (
    EVERYTHING,
    HIDDEN,
    INVISIBLE,
    MASKED,
    SOMEBODY,
    UMPIRE,
    UNSEEN,
    FactKey,
    GameState,
    Unit,
    Unread,
    is_limited,
)
from ..state.tracks import Fact, Track, Value
from ..util.errors import InputError, format_suggestion
from .course import active_sides
from .covers import is_capped
from .games import Game, find_side


def check_viewpoint(game: Game, viewpoint: str) -> str:
    """Return the viewpoint, or the side of a nation.

    Raises InputError if the viewpoint is not a side, a nation or the umpire.
    """
    known = (*game.file.sides, UMPIRE)
    if viewpoint in (*known, EVERYTHING):
        return viewpoint
    if side := find_side(game, viewpoint):
        return side
    raise InputError(f"unknown side {viewpoint!r} of {game.title}", hint=format_suggestion(viewpoint, known))


def may_hide(game: Game, state: GameState) -> bool:
    """Return whether parts of a game or a state may be hidden from a side."""
    return game.file.intelligence is not None or any(name in (MASKED, INVISIBLE) for name, _ in state.facts)


def reduce_state(game: Game, state: GameState, viewpoint: str) -> GameState:
    """Return the state as a viewpoint shows it. A side sees only the facts that it may know.

    A state reduced before stays reduced, even for the umpire. Raises InputError if the side is unknown.
    """
    viewpoint = check_viewpoint(game, viewpoint)
    if is_limited(viewpoint):
        return _Eyes(game, state, viewpoint).sight
    return state if is_limited(state.seen_by) else msgspec.structs.replace(state, seen_by=viewpoint)


def seen_as(game: Game, state: GameState, named: str, settings: Mapping[str, str]) -> GameState:
    """Return the state from the named viewpoint, or else the player's setting, or else the state's own.

    `named`: the viewpoint in a command, or "" if there is none.

    Raises InputError for an unknown side.
    """
    return reduce_state(game, state, named or settings.get(game.id) or state.seen_by or EVERYTHING)


def lists_sides(game: Game, track: Track) -> bool:
    """Return whether a hidden track lists sides, so that each side learns only whether it is listed."""
    return track.hidden and track.on != "unit" and track.kind == "choices" and {*track.values} <= {*game.file.sides}


class Onlooker:
    """A side that looks at states one after another, and each time only at what may have changed."""

    def __init__(self, side: str) -> None:
        self.side = side
        self._last: _Eyes | None = None

    def sight(self, game: Game, state: GameState) -> GameState:
        """Return a state as the side sees it, as `reduce_state` does."""
        if self._last is None or self._last.state is not state or self._last.game is not game:
            self._last = _Eyes(game, state, self.side, self._last)
        return self._last.sight


class _Changed(NamedTuple):
    """The parts of a state that may look different from an earlier one."""

    places: Collection[str]
    units: Collection[str]
    facts: Collection[FactKey]


class _Eyes:
    """The view of one side on a state."""

    def __init__(self, game: Game, state: GameState, side: str, earlier: _Eyes | None = None) -> None:
        self.game = game
        self.state = state
        self.side = side
        self.limits = game.hiding.limits(state.facts)
        self.board = game.board(state.board)
        self.decoys = game.hiding.decoys(state)
        self.active = active_sides(game, state.facts)
        self.of_sides = {name for name, track in game.tracks.items() if self.limits and lists_sides(game, track)}
        self._owners: dict[str, str] = {}
        self._ours: dict[str, list[Unit]] = {}
        self.unknown_pieces: dict[str, int] = {}  # place -> order of the topmost one
        for piece in state.unread:
            if piece.place and piece.by != side:
                self.unknown_pieces[piece.place] = min(piece.order, self.unknown_pieces.get(piece.place, piece.order))
        changed = self._find_changed(earlier) if earlier else None
        self.units: Mapping[str, Unit]
        self.facts: Mapping[FactKey, Fact]
        self.markers_seen: Mapping[str, bool]  # seen unit -> whether its markers are seen
        self.unseen: Mapping[str, str]  # place -> side of the unseen units there
        if earlier and changed:
            self._look_at(changed, earlier.units, earlier.markers_seen, earlier.unseen, earlier.facts)
        else:
            self._look_at(self._list_all(), {}, {}, {}, {})
        self.sight = self._make_sight()
        """The state as seen. Everything is sorted, because the original order may depend on unseen things."""
        if earlier and self.sight == earlier.sight and self.sight.is_alike_beside_units(earlier.sight):
            self.sight = earlier.sight

    def _list_all(self) -> _Changed:
        units = self.state.units
        places = {unit.place for unit in units.values() if unit.place} | self.unknown_pieces.keys()
        signs = [*((UNSEEN, place) for place in places), *((HIDDEN, unit) for unit in units)]
        return _Changed(places, units.keys(), {*self.state.facts, *signs})

    def _find_changed(self, earlier: _Eyes) -> _Changed | None:
        """Return the parts of the state that may look different from an earlier state, or None if all may.

        They are the differences, the stacks with them, and the hexes next to them, because adjacent units see more.
        """
        state, before = self.state, earlier.state
        if self.game is not earlier.game or (state.board, state.unread) != (before.board, before.unread):
            return None
        facts = {*chain(*state.compare_facts(before))}
        units = {*chain(*state.compare_units(before))}
        places = set[str]()
        for name, subject in facts:
            match self.game.tracks[name].on:
                case "unit":
                    units.add(subject)
                case "hex" | "box":
                    places.add(subject)
                case "hexside":
                    pass
                case _:
                    return None
        for units_then in (before.units, state.units):
            stack_places = {
                place for unit in units if (unit_then := units_then.get(unit)) and (place := unit_then.place)
            }
            places.update(stack_places, *map(self.board.neighbours, stack_places))
        units.update(unit.id for place in places for unit in state.stack(place))
        names = [name for name, track in self.game.tracks.items() if track.on == "unit"]
        facts.update((name, unit) for unit in units for name in names)
        facts.update((UNSEEN, place) for place in places)
        return _Changed(places, units, facts)

    def _look_at(
        self,
        changed: _Changed,
        units: Mapping[str, Unit],
        markers_seen: Mapping[str, bool],
        unseen: Mapping[str, str],
        facts: Mapping[FactKey, Fact],
    ) -> None:
        """Look at the parts `changed` of the state. The other arguments are the earlier view, which holds elsewhere."""
        self._look_at_units(changed, units, markers_seen, unseen)
        self.facts = self._look_at_facts(changed, facts)

    def _look_at_units(
        self,
        changed: _Changed,
        units: Mapping[str, Unit],
        markers_seen: Mapping[str, bool],
        unseen: Mapping[str, str],
    ) -> None:
        seen: dict[str, Unit] = {}
        self.markers_seen = markers = {name: shown for name, shown in markers_seen.items() if name not in changed.units}
        self.unseen = unseen_sides = {place: side for place, side in unseen.items() if place not in changed.places}
        for place in changed.places:
            stack, side = self.units_seen(place)
            for order, (unit, with_markers) in enumerate(stack):
                seen[unit.id] = msgspec.structs.replace(unit, order=order)
                markers[unit.id] = with_markers
            if side:
                unseen_sides[place] = side
        for name in changed.units:
            off_map = self.state.units.get(name)
            if off_map and off_map.place is None and self.owner(off_map) == self.side and not self.is_covered(off_map):
                seen[name], markers[name] = msgspec.structs.replace(off_map, order=0), True
        seen_units = {**units, **seen}
        for name in changed.units:
            if name not in seen:
                seen_units.pop(name, None)
        has_same_order = all(name in units and _sort_key(units[name]) == _sort_key(unit) for name, unit in seen.items())
        self.units = (
            seen_units if has_same_order else {unit.id: unit for unit in sorted(seen_units.values(), key=_sort_key)}
        )

    def _look_at_facts(self, changed: _Changed, facts: Mapping[FactKey, Fact]) -> dict[FactKey, Fact]:
        """Return the facts that the side knows, sorted by what they are about and by track.

        `facts`: the facts of the earlier view, sorted so. New ones are inserted, because sorting all takes longer.
        """
        known = {**facts}
        for key in changed.facts:
            if fact := self.know(key):
                known[key] = fact
            else:
                known.pop(key, None)
        if known.keys() <= facts.keys():
            return known
        tracks = {name: number for number, name in enumerate(self.game.tracks)}

        def rank(key: FactKey) -> tuple[str, str, int]:
            return self.game.tracks[key[0]].on, key[1], tracks[key[0]]

        new_keys = sorted(known.keys() - facts.keys(), key=rank)
        if not facts:
            return {key: known[key] for key in new_keys}
        keys = [*facts]
        for key in new_keys:
            insort(keys, key, key=rank)
        return {key: known[key] for key in keys if key in known}

    def _make_sight(self) -> GameState:
        lines = {name: line for name, line in self.state.lines.items() if self.is_our_line(name, line)}
        return msgspec.structs.replace(
            self.state,
            units=MappingProxyType(self.units),
            facts=MappingProxyType(self.facts),
            lines=MappingProxyType(lines),
            line_facts=MappingProxyType({name: said for name, said in self.state.line_facts.items() if name in lines}),
            unread=tuple(note for note in self.state.unread if self.may_read(note)),
            seen_by=self.side,
        )

    def owner(self, unit: Unit) -> str:
        if unit.id not in self._owners:
            self._owners[unit.id] = self.game.side_of_unit(unit, self.state.facts)
        return self._owners[unit.id]

    def ours_at(self, place: str) -> list[Unit]:
        if place not in self._ours:
            stack = self.state.stack(place)
            self._ours[place] = [unit for unit in stack if self.owner(unit) == self.side and not self.is_covered(unit)]
        return self._ours[place]

    def is_covered(self, unit: Unit, *ways: str) -> bool:
        """Return whether a unit is covered for this side.

        `ways`: the tracks that cover the unit; by default masked, invisible and concealed units are covered.
        """
        owners = (self.state.facts.get((way, unit.id)) for way in ways or (MASKED, INVISIBLE))
        return any(fact is not None and fact.value != self.side for fact in owners) or (
            not ways and self.is_concealed(unit)
        )

    def is_concealed(self, unit: Unit) -> bool:
        if not self.limits or self.owner(unit) == self.side or not self.value_at(self.limits.conceals, unit.id):
            return False
        return not self.is_open(unit.place or "")

    def is_open(self, place: str) -> bool:
        """Return whether all units in a hex are shown to this side, by an announced attack or an inspection."""
        shown = self.value_at(self.limits.announced, place) if self.limits else None
        return self.side in shown if isinstance(shown, tuple) else bool(shown)

    def value_at(self, track: str, place: str) -> Value | None:
        fact = self.state.facts.get((track, place)) if track else None
        return fact.value if fact else None

    def units_seen(self, place: str) -> tuple[list[tuple[Unit, bool]], str]:
        """Return the units seen at a place, and the side of others that may be there.

        Each unit comes with whether its markers are seen.
        """
        stack = [unit for unit in self.state.stack(place) if not self.is_covered(unit, INVISIBLE)]
        foreign = [unit for unit in stack if self.owner(unit) != self.side]
        sees_all = self.limits is None or self.limits.sees == "all"
        if not self.board.is_hex(place):  # boxes on displays may be kept out of sight
            visible = [unit for unit in stack if sees_all or unit not in foreign]
            return [(unit, True) for unit in visible if not self.is_covered(unit)], ""
        inspects = bool(self.limits and self.limits.sees == "adjacent") and self.is_near(place)
        inspected = sees_all or inspects or self.is_open(place)
        capped = is_capped(self.limits, place, self.state.facts)
        if capped:
            sees_all = inspects = inspected = False
        sees_top = self.limits is not None and self.limits.sees == "top" and not capped
        shows_top = foreign and sees_top and not self.is_buried(place, foreign[0])
        top = foreign[0] if shows_top else None
        seen = []
        for unit in stack:
            if not self.is_covered(unit) and (unit not in foreign or inspected or unit is top):
                seen.append((unit, unit not in foreign or unit is top or sees_all or inspects))
        hidden = [unit for unit in stack if self.is_covered(unit)] or ([] if inspected else foreign)
        if not hidden and place in self.unknown_pieces:
            return seen, self.owner(stack[0]) if stack else self.enemy()
        return seen, (self.owner(hidden[0]) or self.enemy()) if hidden else ""

    def is_near(self, place: str) -> bool:
        return any(unit.id not in self.decoys for near in self.board.neighbours(place) for unit in self.ours_at(near))

    def is_buried(self, place: str, top: Unit) -> bool:
        """Return whether the top unit of a stack is hidden by a marker or an unknown piece on it.

        A marker on the hex hides the unit unless this side is adjacent.
        """
        if not self.limits:
            return False
        covered = bool(self.value_at(self.limits.covers, place)) and not self.is_near(place)
        return covered or self.unknown_pieces.get(place, top.order) < top.order

    def enemy(self) -> str:
        enemies = [side for side in self.game.file.sides if side != self.side] or [self.side]
        return enemies[0] if len(enemies) == 1 else SOMEBODY

    def know(self, key: FactKey) -> Fact | None:
        """Return what this side knows of a fact, or None if it knows nothing.

        Of a hidden fact that lists sides, the side knows only whether it is listed.
        """
        name, subject = key
        if name == HIDDEN and subject in self.markers_seen and (words := self.hidden_tracks(self.state.units[subject])):
            return Fact(words)
        fact = self.state.facts.get(key)
        if fact and name in self.of_sides:
            is_among = isinstance(fact.value, tuple) and self.side in fact.value
            fact = msgspec.structs.replace(fact, value=(self.side,)) if is_among else None
        if fact and self.is_known(key):
            return fact
        return Fact(self.unseen[subject]) if name == UNSEEN and subject in self.unseen else None

    def is_known(self, key: FactKey) -> bool:
        track = self.game.tracks[key[0]]
        subject = key[1]
        if track.on != "unit":
            return (
                not (self.limits and track.hidden)
                or lists_sides(self.game, track)
                or self.side_of(track, subject) == self.side
            )
        if subject not in self.markers_seen or self.owner(self.state.units[subject]) == self.side:
            return subject in self.markers_seen
        if track.name in (MASKED, INVISIBLE) or (self.limits and track.hidden):
            return False
        return self.markers_seen[subject] or track.public or track.printed is not None

    def side_of(self, track: Track, subject: str) -> str:
        """Return the side to which a fact not about a unit belongs, or "" if it belongs to none.

        A fact that ends with the phase of a side belongs to the side of this view while that side is active, and
        otherwise to none.
        """
        match track.on:
            case "army" | "side":
                named = (side for side in self.game.file.sides if f"{subject} ".startswith(f"{side} "))
                return max(named, key=len, default="")
            case "nation":
                return self.game.side_of(subject)
            case _:
                return self.side if "phasing" in track.ends_with and self.side in self.active else ""

    def is_our_line(self, name: str, line: tuple[str, ...]) -> bool:
        """Return whether a line leads to a unit of this side, and its source is not an enemy's."""
        source = self.state.units.get(name) or Unit(name, self.game.type_of(name), None)
        return bool(self.ours_at(line[-1])) and self.game.side_of_unit(source, self.state.facts) in (self.side, "")

    def may_read(self, note: Unread) -> bool:
        if not note.about:
            return note.about == ""
        return note.about in self.markers_seen and (not note.track or self.is_known((note.track, note.about)))

    def hidden_tracks(self, unit: Unit) -> tuple[str, ...]:
        if not self.limits or self.owner(unit) == self.side:
            before = self.state.facts.get((HIDDEN, unit.id))
            return before.value if before is not None and isinstance(before.value, tuple) else ()
        tracks = self.game.tracks
        values = tracks[HIDDEN].values if HIDDEN in tracks else ()
        shows = self.markers_seen[unit.id]
        return tuple(name for name in values if tracks[name].hidden or not (shows or tracks[name].public))


def _sort_key(unit: Unit) -> tuple[bool, str, int]:
    return unit.place is None, unit.place or unit.id, unit.order
