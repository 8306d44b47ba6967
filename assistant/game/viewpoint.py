"""The viewpoint: what one side may know of a state where intelligence is limited, and what the rest may turn out to be.

A state is cut down to what a side may see before anything is asked of it, so that no answer can tell more. What was cut
off leaves a fact of its own where its place is known: `unseen` on a hex, `hidden` on a unit. A question is then answered
twice, with all that is hidden at its weakest and at its strongest.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

import msgspec

from ..state.hidden import EVERYTHING, HIDDEN, INVISIBLE, MASKED, UMPIRE, UNSEEN, is_limited
from ..state.sources import Fact, Value
from ..state.state import FactKey, GameState, Unit, Unread
from ..util.errors import InputError, nearest

if TYPE_CHECKING:
    from .games import Game


def check_viewpoint(game: Game, viewpoint: str) -> str:
    """The viewpoint itself. Raises InputError if it is neither a side of the game nor the umpire."""
    known = (*game.file.sides, UMPIRE)
    if viewpoint in (*known, EVERYTHING):
        return viewpoint
    raise InputError(f"{game.title} has no side {viewpoint!r}", hint=nearest(viewpoint, known))


def seen_by(game: Game, state: GameState, viewpoint: str) -> GameState:
    """The state as a viewpoint shows it: to a side only what it may know, whatever else the state holds.

    What was cut down once stays so, and is no umpire's. Raises InputError if the game has no such side.
    """
    check_viewpoint(game, viewpoint)
    if is_limited(viewpoint):
        return _Eyes(game, state, viewpoint).sight()
    return state if is_limited(state.seen_by) else msgspec.structs.replace(state, seen_by=viewpoint)


class _Eyes:
    """One side, looking at a state."""

    def __init__(self, game: Game, state: GameState, side: str) -> None:
        self.game, self.state, self.side = game, state, side
        self.limits = game.file.intelligence
        self.board = game.board(state.board)
        self.owner = {unit.id: game.side_of_unit(unit, state.facts) for unit in state.units.values()}
        open_to_us = (unit for unit in state.units.values() if not self.is_covered(unit))
        self.ours = {unit.place for unit in open_to_us if self.owner[unit.id] == side}
        self.strangers = [one for one in state.unread if one.place]

    def sight(self) -> GameState:
        """What is seen. Everything is in an order of its own: what was told of first may depend on what is not seen."""
        units: dict[str, Unit] = {}
        told: dict[str, bool] = {}  # whether the markers on a unit are seen too
        facts: dict[FactKey, Fact] = {}
        occupied = {unit.place for unit in self.state.units.values() if unit.place}
        for place in sorted(occupied | {one.place for one in self.strangers}):
            seen, unseen = self.seen(place)
            for order, (unit, with_markers) in enumerate(seen):
                units[unit.id] = msgspec.structs.replace(unit, order=order)
                told[unit.id] = with_markers
            if unseen:
                facts[UNSEEN, place] = Fact(unseen)
        for name, unit in sorted(self.state.units.items()):
            if unit.place is None and self.owner[name] == self.side and not self.is_covered(unit):
                units[name], told[name] = unit, True
        facts |= {key: fact for key, fact in self.state.facts.items() if self.is_known(key, told)}
        for name, with_markers in told.items():
            if words := self.not_told(name, with_markers):
                facts[HIDDEN, name] = Fact(words)
        tracks = {name: number for number, name in enumerate(self.game.tracks)}
        keys = sorted(facts, key=lambda key: (self.game.tracks[key[0]].on, key[1], tracks[key[0]]))
        return msgspec.structs.replace(
            self.state,
            units=MappingProxyType(units),
            facts=MappingProxyType({key: facts[key] for key in keys}),
            lines=MappingProxyType({name: line for name, line in self.state.lines.items() if line[-1] in self.ours}),
            unread=tuple(one for one in self.state.unread if self.is_told(one, told)),
            seen_by=self.side,
        )

    def is_covered(self, unit: Unit, *how: str) -> bool:
        """Whether a unit is masked or invisible to this side, or just one of the two."""
        owners = (self.state.facts.get((one, unit.id)) for one in how or (MASKED, INVISIBLE))
        return any(fact is not None and fact.value != self.side for fact in owners)

    def stated(self, track: str, place: str) -> Value | None:
        """What the state says of a place, None for no such track."""
        fact = self.state.facts.get((track, place)) if track else None
        return fact.value if fact else None

    def seen(self, place: str) -> tuple[list[tuple[Unit, bool]], str]:
        """The units of a place that are seen, each with whether its markers are too; and the side of what else stands there, or
        may do so for all that is seen, "" if nothing does."""
        stack = [unit for unit in self.state.stack(place) if not self.is_covered(unit, INVISIBLE)]
        others = [unit for unit in stack if self.owner[unit.id] != self.side]
        if not self.board.is_hex(place):  # displays may be kept out of sight
            left = [unit for unit in stack if not (self.limits and unit in others)]
            return [(unit, True) for unit in left if not self.is_covered(unit)], ""
        looked_into = not self.limits or bool(self.stated(self.limits.announced, place))
        top = None if not others or self.is_buried(place, others[0]) else others[0]
        seen = []
        for unit in stack:
            if not self.is_covered(unit) and (unit not in others or looked_into or unit is top):
                seen.append((unit, unit not in others or unit is top or not self.limits))
        hidden = [unit for unit in stack if self.is_covered(unit)] or ([] if looked_into else others)
        if not hidden and any(one.place == place for one in self.strangers):
            return seen, self.owner[stack[0].id] if stack else self.other_side()
        return seen, (self.owner[hidden[0].id] or self.other_side()) if hidden else ""

    def is_buried(self, place: str, top: Unit) -> bool:
        """Whether something lies over the top unit of a stack that hides it: a marker on the hex, for all who do not stand
        next to it, or a unit that nobody knows."""
        if not self.limits:
            return False
        near = not self.ours.isdisjoint(self.board.neighbours(place))
        covered = bool(self.stated(self.limits.covers, place)) and not near
        return covered or any(one.place == place and one.order < top.order for one in self.strangers)

    def other_side(self) -> str:
        """The other of the game's two sides."""
        return next((side for side in self.game.file.sides if side != self.side), self.side)

    def is_known(self, key: FactKey, told: Mapping[str, bool]) -> bool:
        """Whether a fact of the state is known to this side."""
        track, subject = self.game.tracks[key[0]], key[1]
        if track.on != "unit":
            return True
        if subject not in told or self.owner[subject] == self.side:
            return subject in told
        if track.name in (MASKED, INVISIBLE) or (self.limits and track.hidden):
            return False
        return told[subject] or track.public or track.printed is not None

    def is_told(self, one: Unread, told: Mapping[str, bool]) -> bool:
        """Whether this side may learn that something was not understood."""
        if not one.about:
            return one.about == ""
        return one.about in told and (not one.track or self.is_known((one.track, one.about), told))

    def not_told(self, unit: str, with_markers: bool) -> tuple[str, ...]:
        """The tracks of a seen unit of which this side knows nothing."""
        if not self.limits or self.owner[unit] == self.side:
            before = self.state.facts.get((HIDDEN, unit))
            return before.value if before is not None and isinstance(before.value, tuple) else ()
        tracks = self.game.tracks
        values = tracks[HIDDEN].values if HIDDEN in tracks else ()
        return tuple(name for name in values if tracks[name].hidden or not (with_markers or tracks[name].public))
