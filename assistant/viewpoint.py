"""The viewpoint: what one side may know of a state where intelligence is limited, and what the rest may turn out to be.

A state is cut down to what a side may see before anything is asked of it, so that no answer can tell more. What was cut
off leaves a fact of its own where its place is known: `unseen` on a hex, `hidden` on a unit. A question is then answered
twice, with all that is hidden at its weakest and at its strongest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

import msgspec

from .errors import InputError, nearest
from .sources import Fact, Value
from .state import FactKey, GameState, Unit
from .tracks import Track

if TYPE_CHECKING:
    from .gamefile import GameFile
    from .games import Game

EVERYTHING, UMPIRE = "", "umpire"
"""Viewpoints besides a side's: nobody has said whose eyes these are, and the umpire's."""
MASKED, INVISIBLE, UNSEEN, HIDDEN = "masked", "invisible", "unseen", "hidden"
NOBODY = "nobody"
"""Who has masked a piece, if it is no player of either side."""
End = Literal["weakest", "strongest"]
ENDS: tuple[End, End] = ("weakest", "strongest")


def tracks_of_hiding(file: GameFile, tracks: Mapping[str, Track]) -> dict[str, Track]:
    """The tracks that every game with two sides has besides its own."""
    if not file.sides:
        return {}
    owners, rule = (*file.sides, NOBODY), file.intelligence.rule if file.intelligence else ""
    varying = tuple(track.name for track in tracks.values() if track.on == "unit" and track.printed is None)
    own = [
        Track(name=MASKED, title="side whose Mask covers it", on="unit", kind="choice", values=owners, rule=rule),
        Track(name=INVISIBLE, title="side that alone sees it", on="unit", kind="choice", values=owners, rule=rule),
        Track(name=UNSEEN, title="side of what else stands there unseen", on="hex", kind="choice", values=tuple(file.sides), rule=rule),
    ]  # fmt: skip
    if varying:
        title = "what is not known of it"
        own.append(Track(name=HIDDEN, title=title, on="unit", kind="choices", values=varying, rule=rule))
    return {track.name: track for track in own}


def check_viewpoint(game: Game, viewpoint: str) -> str:
    """The viewpoint itself. Raises InputError if it is neither a side of the game nor the umpire."""
    known = (*game.file.sides, UMPIRE)
    if viewpoint in (*known, EVERYTHING):
        return viewpoint
    raise InputError(f"{game.title} has no side {viewpoint!r}", hint=nearest(viewpoint, known))


def is_limited(viewpoint: str) -> bool:
    """Whether something may be hidden from a viewpoint."""
    return viewpoint not in (EVERYTHING, UMPIRE)


def seen_by(game: Game, state: GameState, viewpoint: str) -> GameState:
    """The state as a viewpoint shows it: to a side only what it may know, whatever else the state holds.

    Raises InputError if the game has no such side.
    """
    check_viewpoint(game, viewpoint)
    if not is_limited(viewpoint):
        return msgspec.structs.replace(state, seen_by=viewpoint)
    return _Eyes(game, state, viewpoint).sight()


class _Eyes:
    """One side, looking at a state."""

    def __init__(self, game: Game, state: GameState, side: str) -> None:
        self.game, self.state, self.side = game, state, side
        self.limits = game.file.intelligence
        self.owner = {unit.id: game.side_of_unit(unit, state.facts) for unit in state.units.values()}
        self.own = {unit.place for unit in state.units.values() if self.owner[unit.id] == side}
        self.board = game.board(state.board)

    def sight(self) -> GameState:
        """What is seen."""
        units: dict[str, Unit] = {}
        told: dict[str, bool] = {}  # whether the markers on a unit are seen too
        unseen: dict[str, str] = {}
        # in an order of their own: where a unit is told of first may depend on one that is not seen
        for place in sorted({unit.place for unit in self.state.units.values() if unit.place}):
            seen = self.seen(place, unseen)
            for order, (unit, with_markers) in enumerate(seen):
                units[unit.id] = msgspec.structs.replace(unit, order=order)
                told[unit.id] = with_markers
        for unit in self.state.units.values():
            if unit.place is None and self.owner[unit.id] == self.side and not self.covered(unit, INVISIBLE):
                units[unit.id], told[unit.id] = unit, True
        facts = {key: fact for key, fact in self.state.facts.items() if self.is_known(key, told)}
        for name, with_markers in told.items():
            if words := self.not_told(name, with_markers):
                facts[HIDDEN, name] = Fact(words)
        for place, owner in unseen.items():
            facts[UNSEEN, place] = Fact(owner)
        return msgspec.structs.replace(
            self.state,
            units=MappingProxyType({name: units[name] for name in self.state.units if name in units}),
            facts=MappingProxyType(facts),
            lines=MappingProxyType({name: line for name, line in self.state.lines.items() if line[-1] in self.own}),
            unread=tuple(one for one in self.state.unread if one.about == "" or one.about in units),
            seen_by=self.side,
        )

    def covered(self, unit: Unit, how: str) -> bool:
        """Whether a unit is masked or invisible to this side."""
        by = self.state.facts.get((how, unit.id))
        return by is not None and by.value != self.side

    def stated(self, track: str, place: str) -> Value | None:
        """What the state says of a place, None for no such track."""
        fact = self.state.facts.get((track, place)) if track else None
        return fact.value if fact else None

    def seen(self, place: str, unseen: dict[str, str]) -> Iterator[tuple[Unit, bool]]:
        """The units of a place that are seen, each with whether its markers are too; the place is noted where there is, or
        may be, more."""
        stack = [unit for unit in self.state.stack(place) if not self.covered(unit, INVISIBLE)]
        others = [unit for unit in stack if self.owner[unit.id] != self.side]
        on_the_map = self.board.is_hex(place)
        if others and self.limits and not on_the_map:  # displays may be kept out of sight
            stack = [unit for unit in stack if unit not in others]
            others = []
        looked_into = not self.limits or bool(self.limits.announced and self.stated(self.limits.announced, place))
        buried = bool(self.limits and self.stated(self.limits.covers, place)) and not self.is_near(place)
        if others and on_the_map and (not looked_into or any(self.covered(unit, MASKED) for unit in others)):
            unseen[place] = next((self.owner[unit.id] for unit in others if self.owner[unit.id]), self.other_side())
        for unit in stack:
            if unit not in others:
                if not self.covered(unit, MASKED):
                    yield unit, True
                continue
            on_top = unit is others[0] and not buried
            if not self.covered(unit, MASKED) and (looked_into or on_top):
                yield unit, on_top or not self.limits

    def is_near(self, place: str) -> bool:
        """Whether a unit of this side stands next to a hex."""
        return self.board.is_hex(place) and not self.own.isdisjoint(self.board.neighbours(place))

    def other_side(self) -> str:
        return next((side for side in self.game.file.sides if side != self.side), self.side)

    def is_known(self, key: FactKey, told: Mapping[str, bool]) -> bool:
        """Whether a fact of the state is known to this side."""
        track, subject = self.game.tracks[key[0]], key[1]
        if track.on != "unit" or self.owner.get(subject) == self.side:
            return track.on != "unit" or subject in told
        if subject not in told or track.name in (MASKED, INVISIBLE):
            return False
        return not (self.limits and track.hidden) and (told[subject] or track.printed is not None)

    def not_told(self, unit: str, with_markers: bool) -> tuple[str, ...]:
        """The tracks of a seen unit of which this side knows nothing."""
        if not self.limits or self.owner[unit] == self.side:
            before = self.state.facts.get((HIDDEN, unit))
            return before.value if before is not None and isinstance(before.value, tuple) else ()
        tracks = self.game.tracks
        values = tracks[HIDDEN].values if HIDDEN in tracks else ()
        return tuple(name for name in values if tracks[name].hidden or not with_markers)


# --- what is hidden, supposed -----------------------------------------------------------------------------------------


def supposed(track: Track, end: End, below: int | None) -> Value | None:
    """The value that a hidden fact is supposed to have: what silence means is its strongest, the farthest from that its
    weakest. None for a track whose values have no such order.

    below: what a number has to stay under, None if nothing is known of it.
    """
    values = track.in_turn(None if below is None else below - 1)
    if end == "strongest" or not values:
        return track.absent
    return values[-1]
