"""What a side believes beside what it sees of the shared table, as a function of both."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import count
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from ...formats import json_state
from ...formats.positions import Position
from ...game.games import Game
from ...state.patches import cut_to_change, patch_state
from ...state.state import FactKey, GameState
from ...util.errors import InputError, MachineError
from .disclosure import without_silence
from .own_lines import OwnLine, PrivateChange

MAX_TRIES = 60
"""How many tables are tried at most to find the beliefs with which one can be written."""


class Belief(NamedTuple):
    """What a line of a side has changed at its own table alone."""

    before: GameState
    after: GameState
    saw: GameState
    """What the side saw of the shared table there when it entered the line."""

    @property
    def units(self) -> set[str]:
        """The units that it brings, takes away or puts elsewhere."""
        there = {*self.before.units, *self.after.units}
        return {id for id in there if _place_of(self.before, id) != _place_of(self.after, id)}

    @property
    def facts(self) -> set[FactKey]:
        """The facts that it states otherwise."""
        since, gone, _ = self.after.compare_facts(self.before)
        return {*since, *gone}

    def in_force(self, sight: GameState) -> Belief:
        """Return what of it still counts: nothing of a unit or a fact of which the side now sees something else than it
        saw then.
        """
        placed = {id for id in self.units if _place_of(sight, id) != _place_of(self.saw, id)}
        known = {key for key in self.facts if sight.facts.get(key) != self.saw.facts.get(key)}
        if not (placed or known):
            return self
        units = {id: unit for id, unit in self.after.units.items() if id not in placed}
        units |= {id: unit for id, unit in self.before.units.items() if id in placed}
        facts = {key: fact for key, fact in self.after.facts.items() if key not in known}
        facts |= {key: fact for key, fact in self.before.facts.items() if key in known}
        after = msgspec.structs.replace(self.after, units=MappingProxyType(units), facts=MappingProxyType(facts))
        return self._replace(after=after)

    def lay_over(self, state: GameState) -> GameState:
        """Return a state with what is believed, but for what is said of units that are not there."""
        still = {*self.before.units, *self.after.units} - self.units
        moved = {id for id in still if _place_of(state, id) != _place_of(self.after, id)}
        before = _without_standing(self.before, moved)
        after = _without_standing(self.after, moved)
        laid = patch_state(state, before, after)
        lost = {*self.before.units, *self.after.units} - laid.units.keys()
        if not lost or not any(subject in lost for _, subject in self.facts):
            return laid
        facts = {key: fact for key, fact in laid.facts.items() if key[1] not in lost or key in state.facts}
        return msgspec.structs.replace(laid, facts=MappingProxyType(facts))


def _place_of(state: GameState, id: str) -> tuple[bool, str | None]:
    """Return whether a unit is in a state, and where it stands there."""
    unit = state.units.get(id)
    return unit is not None, unit.place if unit else None


def _without_standing(state: GameState, gone: Collection[str]) -> GameState:
    """Return a state in which some units stand nowhere; what it states of them stays."""
    if not gone:
        return state
    units = {id: unit for id, unit in state.units.items() if id not in gone}
    return msgspec.structs.replace(state, units=MappingProxyType(units))


def believe(sight: GameState, beliefs: Iterable[Belief]) -> GameState:
    """Return the table of a side that sees one thing and believes others. beliefs: in the order of their lines."""
    state = sight
    for belief in beliefs:
        state = belief.in_force(sight).lay_over(state)
    return state


def find_writable(
    sight: GameState, beliefs: Sequence[Belief], can_write: Callable[[GameState], bool]
) -> tuple[list[int], GameState]:
    """Return the indices of the beliefs with which a side's table can be written, and that table.

    The later half is chosen on the table with what is left of the earlier half. After `MAX_TRIES` tables a part that
    cannot be written is left out as a whole, so that no number of beliefs keeps the others waiting.

    `beliefs`: in the order of their lines.
    """
    tries = count(1)

    def choose(state: GameState, part: range) -> tuple[list[int], GameState]:
        if next(tries) > MAX_TRIES:
            return [], state
        laid = state
        for at in part:
            laid = beliefs[at].in_force(sight).lay_over(laid)
        if can_write(laid):
            return [*part], laid
        if len(part) < 2:
            return [], state
        middle = len(part) // 2
        first, state = choose(state, part[:middle])
        rest, state = choose(state, part[middle:])
        return [*first, *rest], state

    return choose(sight, range(len(beliefs)))


def find_private_change(game: Game, sight: GameState, believed: GameState, stated: GameState) -> PrivateChange | None:
    """Return what a line has changed at the side's own table alone, or None if nothing.

    `sight`: what the side sees of the shared table after the line.
    `believed`: the side's table without what the line leaves to the side alone.
    `stated`: the same with all that the line changes.
    """
    stated = without_silence(game, stated, believed)
    if stated == believed:
        return None
    return pack_belief(game, Belief(*cut_to_change(believed, stated), sight))


def pack_belief(game: Game, belief: Belief) -> PrivateChange:
    """Return a belief as a line keeps it. Of what the side saw it takes no more than the belief is about."""
    units = {*belief.before.units, *belief.after.units}
    facts = belief.facts
    saw = msgspec.structs.replace(
        belief.before,
        units=MappingProxyType({id: unit for id, unit in belief.saw.units.items() if id in units}),
        facts=MappingProxyType({key: fact for key, fact in belief.saw.facts.items() if key in facts}),
    )
    first = belief._replace(saw=belief.before)  # as no earlier line says anything of it
    is_alike = first.in_force(belief.saw) is first
    return PrivateChange(_pack(game, belief.before), _pack(game, belief.after), "" if is_alike else _pack(game, saw))


def _pack(game: Game, state: GameState) -> str:
    return json_state.write_json(Position(game, state), one_line=True).decode().rstrip("\n")


class BeliefReader:
    """The beliefs of a side's lines, each of which is read once.

    `load`: loads a game by its id.
    """

    def __init__(self, load: Callable[[str], Game]) -> None:
        self._load = load
        self._known: dict[PrivateChange, Belief | None] = {}

    def read_all(self, lines: Iterable[OwnLine]) -> tuple[list[OwnLine], list[Belief]]:
        """Return the lines that state a belief, and the belief of each. Only the beliefs of these are kept."""
        known = dict[PrivateChange, Belief | None]()
        stated = list[OwnLine]()
        beliefs = list[Belief]()
        for line in lines:
            if (change := line.private) is None:
                continue
            if change not in known:
                known[change] = self._known[change] if change in self._known else read_belief(change, self._load)
            if belief := known[change]:
                stated.append(line)
                beliefs.append(belief)
        self._known = known
        return stated, beliefs


def read_belief(change: PrivateChange, load: Callable[[str], Game]) -> Belief | None:
    """Return what a line has changed at the side's own table alone, or None if it can be read no longer."""
    try:
        before, after = (_unpack(text, load) for text in (change.before, change.after))
        return Belief(before, after, _unpack(change.saw, load) if change.saw else before)
    except MachineError:
        raise
    except InputError:
        return None


def _unpack(text: str, load: Callable[[str], Game]) -> GameState:
    return json_state.read_json(text.encode(), "", load).state
