"""The viewpoint: what one side may know of a state if intelligence is limited.

A state is reduced before any question is asked, so that no answer can reveal more; what is left out leaves a fact
`unseen` on a hex or `hidden` on a unit. Questions are answered twice, with everything hidden at its weakest and at its
strongest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

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
from .games import Game
from .sides import find_side


def check_viewpoint(game: Game, viewpoint: str) -> str:
    """Return the viewpoint itself: a nation stands for its side. Raises InputError if it is neither that nor a side nor
    the umpire.
    """
    known = (*game.file.sides, UMPIRE)
    if viewpoint in (*known, EVERYTHING):
        return viewpoint
    if side := find_side(game, viewpoint):
        return side
    raise InputError(f"unknown side {viewpoint!r} of {game.title}", hint=format_suggestion(viewpoint, known))


def may_hide(game: Game, state: GameState) -> bool:
    """Return whether a side may know less than all of a game, or of a state."""
    return game.file.intelligence is not None or any(name in (MASKED, INVISIBLE) for name, _ in state.facts)


def reduce_state(game: Game, state: GameState, viewpoint: str) -> GameState:
    """Return the state as a viewpoint shows it: to a side only what it may know.

    A state that was reduced before stays so, even for the umpire. Raises InputError for an unknown side.
    """
    viewpoint = check_viewpoint(game, viewpoint)
    if is_limited(viewpoint):
        return _Eyes(game, state, viewpoint).sight()
    return state if is_limited(state.seen_by) else msgspec.structs.replace(state, seen_by=viewpoint)


def seen_as(game: Game, state: GameState, named: str, settings: Mapping[str, str]) -> GameState:
    """Return the state as seen from the viewpoint that a command names, or else of the player's own setting, or else of
    the state itself.

    named: "" for none; settings: viewpoints by game. Raises InputError for an unknown side.
    """
    return reduce_state(game, state, named or settings.get(game.id) or state.seen_by or EVERYTHING)


def lists_sides(game: Game, track: Track) -> bool:
    """Return whether a track keeps hidden from each side what it says of the others: which of the sides a thing holds
    for.
    """
    return track.hidden and track.on != "unit" and track.kind == "choices" and {*track.values} <= {*game.file.sides}


class _Eyes:
    """What one side sees of a state."""

    def __init__(self, game: Game, state: GameState, side: str) -> None:
        self.game = game
        self.state = state
        self.side = side
        self.limits = game.hiding.limits(state.facts)
        self.board = game.board(state.board)
        self.stacks: dict[str, list[Unit]] = {}
        for unit in sorted(state.units.values(), key=lambda unit: unit.order):
            self.stacks.setdefault(unit.place or "", []).append(unit)
        self.owner = {unit.id: game.side_of_unit(unit, state.facts) for unit in state.units.values()}
        visible = [unit for unit in state.units.values() if not self.is_covered(unit)]
        self.ours = {unit.place for unit in visible if self.owner[unit.id] == side}
        decoys = game.hiding.decoys(state)
        self.active = active_sides(game, state.facts)
        self.watching = {unit.place for unit in visible if self.owner[unit.id] == side and unit.id not in decoys}
        self.unknown_pieces: dict[str, int] = {}  # by place, how far up the topmost of them lies
        for piece in state.unread:
            if piece.place and piece.by != side:
                self.unknown_pieces[piece.place] = min(piece.order, self.unknown_pieces.get(piece.place, piece.order))

    def sight(self) -> GameState:
        """Return the state as seen. Everything is sorted, for the original order may depend on what is not seen."""
        units: dict[str, Unit] = {}
        markers_seen: dict[str, bool] = {}  # seen unit -> whether its markers are seen too
        facts: dict[FactKey, Fact] = {}
        occupied = {unit.place for unit in self.state.units.values() if unit.place}
        for place in sorted(occupied | set(self.unknown_pieces)):
            seen, unseen = self.units_seen(place)
            for order, (unit, with_markers) in enumerate(seen):
                units[unit.id] = msgspec.structs.replace(unit, order=order)
                markers_seen[unit.id] = with_markers
            if unseen:
                facts[UNSEEN, place] = Fact(unseen)
        for name, unit in sorted(self.state.units.items()):
            if unit.place is None and self.owner[name] == self.side and not self.is_covered(unit):
                units[name], markers_seen[name] = msgspec.structs.replace(unit, order=0), True
        facts |= {key: fact for key, fact in self.known_facts() if self.is_known(key, markers_seen)}
        lines = {name: line for name, line in self.state.lines.items() if self.is_our_line(name, line)}
        for name, with_markers in markers_seen.items():
            if words := self.hidden_tracks(name, with_markers=with_markers):
                facts[HIDDEN, name] = Fact(words)
        tracks = {name: number for number, name in enumerate(self.game.tracks)}
        keys = sorted(facts, key=lambda key: (self.game.tracks[key[0]].on, key[1], tracks[key[0]]))
        return msgspec.structs.replace(
            self.state,
            units=MappingProxyType(units),
            facts=MappingProxyType({key: facts[key] for key in keys}),
            lines=MappingProxyType(lines),
            line_facts=MappingProxyType({name: said for name, said in self.state.line_facts.items() if name in lines}),
            unread=tuple(note for note in self.state.unread if self.may_read(note, markers_seen)),
            seen_by=self.side,
        )

    def is_covered(self, unit: Unit, *ways: str) -> bool:
        """Return whether a unit is covered for this side in one of some ways, by default masked or invisible, or
        concealed.
        """
        owners = (self.state.facts.get((way, unit.id)) for way in ways or (MASKED, INVISIBLE))
        return any(fact is not None and fact.value != self.side for fact in owners) or (
            not ways and self.is_concealed(unit)
        )

    def is_concealed(self, unit: Unit) -> bool:
        """Return whether a unit of another side lies back side up, and this side does not look at its stack."""
        if not self.limits or self.owner[unit.id] == self.side or not self.value_at(self.limits.conceals, unit.id):
            return False
        return not self.is_open(unit.place or "")

    def is_open(self, place: str) -> bool:
        """Return whether all units in a hex are shown to this side, as an attack was announced on it or the side looks
        at it.
        """
        shown = self.value_at(self.limits.announced, place) if self.limits else None
        return self.side in shown if isinstance(shown, tuple) else bool(shown)

    def value_at(self, track: str, place: str) -> Value | None:
        """Return the value of a track at a place or of a unit, None if not stated or if the name is empty."""
        fact = self.state.facts.get((track, place)) if track else None
        return fact.value if fact else None

    def units_seen(self, place: str) -> tuple[list[tuple[Unit, bool]], str]:
        """Return the units seen at a place, each with whether its markers are seen too; and the side of what else
        stands there, or may stand there as far as this side knows, "" if nothing.
        """
        stack = [unit for unit in self.stacks.get(place, ()) if not self.is_covered(unit, INVISIBLE)]
        others = [unit for unit in stack if self.owner[unit.id] != self.side]
        sees_all = self.limits is None or self.limits.sees == "all"
        if not self.board.is_hex(place):  # boxes on displays may be kept out of sight
            left = [unit for unit in stack if sees_all or unit not in others]
            return [(unit, True) for unit in left if not self.is_covered(unit)], ""
        inspects = bool(self.limits and self.limits.sees == "adjacent") and self.is_near(place)
        inspected = sees_all or inspects or self.is_open(place)
        capped = is_capped(self.limits, place, self.state.facts)
        if capped:
            sees_all = inspects = inspected = False
        sees_top = self.limits is not None and self.limits.sees == "top" and not capped
        shows_top = others and sees_top and not self.is_buried(place, others[0])
        top = others[0] if shows_top else None
        seen = []
        for unit in stack:
            if not self.is_covered(unit) and (unit not in others or inspected or unit is top):
                seen.append((unit, unit not in others or unit is top or sees_all or inspects))
        hidden = [unit for unit in stack if self.is_covered(unit)] or ([] if inspected else others)
        if not hidden and place in self.unknown_pieces:
            return seen, self.owner[stack[0].id] if stack else self.enemy()
        return seen, (self.owner[hidden[0].id] or self.enemy()) if hidden else ""

    def is_near(self, place: str) -> bool:
        """Return whether a unit of this side stands adjacent to a hex."""
        return not self.watching.isdisjoint(self.board.neighbours(place))

    def is_buried(self, place: str, top: Unit) -> bool:
        """Return whether something on the top unit of a stack hides it: a marker on the hex, unless this side stands
        adjacent to it, or an unknown piece.
        """
        if not self.limits:
            return False
        covered = bool(self.value_at(self.limits.covers, place)) and not self.is_near(place)
        return covered or self.unknown_pieces.get(place, top.order) < top.order

    def enemy(self) -> str:
        """Return the enemy of this side, `SOMEBODY` if there are several."""
        enemies = [side for side in self.game.file.sides if side != self.side] or [self.side]
        return enemies[0] if len(enemies) == 1 else SOMEBODY

    def known_facts(self) -> Iterator[tuple[FactKey, Fact]]:
        """Yield the facts of the state; of a hidden one that lists sides at a place only whether this side is among
        them.
        """
        of_sides = {name for name, track in self.game.tracks.items() if self.limits and lists_sides(self.game, track)}
        for key, fact in self.state.facts.items():
            if key[0] not in of_sides:
                yield key, fact
            elif isinstance(fact.value, tuple) and self.side in fact.value:
                yield key, msgspec.structs.replace(fact, value=(self.side,))

    def is_known(self, key: FactKey, markers_seen: Mapping[str, bool]) -> bool:
        """Return whether this side knows a fact of the state."""
        track = self.game.tracks[key[0]]
        subject = key[1]
        if track.on != "unit":
            return (
                not (self.limits and track.hidden)
                or lists_sides(self.game, track)
                or self.side_of(track, subject) == self.side
            )
        if subject not in markers_seen or self.owner[subject] == self.side:
            return subject in markers_seen
        if track.name in (MASKED, INVISIBLE) or (self.limits and track.hidden):
            return False
        return markers_seen[subject] or track.public or track.printed is not None

    def side_of(self, track: Track, subject: str) -> str:
        """Return the side that a fact about more than a unit belongs to, "" if none.

        An army is named by its side and its name: "russian Second". What ends with the phase of a side belongs to the
        side that is active in it.
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
        """Return whether a line was typed for a unit of this side: it ends there, and the source after which it is
        named is ours too.
        """
        source = self.state.units.get(name) or Unit(name, self.game.type_of(name), None)
        return line[-1] in self.ours and self.game.side_of_unit(source, self.state.facts) in (self.side, "")

    def may_read(self, note: Unread, markers_seen: Mapping[str, bool]) -> bool:
        """Return whether this side may learn that something was not understood."""
        if not note.about:
            return note.about == ""
        return note.about in markers_seen and (not note.track or self.is_known((note.track, note.about), markers_seen))

    def hidden_tracks(self, unit: str, *, with_markers: bool) -> tuple[str, ...]:
        """Return the tracks of a seen unit that are hidden from this side."""
        if not self.limits or self.owner[unit] == self.side:
            before = self.state.facts.get((HIDDEN, unit))
            return before.value if before is not None and isinstance(before.value, tuple) else ()
        tracks = self.game.tracks
        values = tracks[HIDDEN].values if HIDDEN in tracks else ()
        return tuple(name for name in values if tracks[name].hidden or not (with_markers or tracks[name].public))
