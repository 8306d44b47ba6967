"""The beliefs of a side: the statements at its own table beyond its view of the shared table."""

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
"""The maximum number of tables that are tried to find the beliefs with which a table can be written."""


class Belief(NamedTuple):
    """A change that a line of a side has made at its own table alone."""

    before: GameState
    after: GameState
    saw: GameState
    """The shared table as the side saw it when it entered the line, as far as it concerns the belief."""

    @property
    def units(self) -> set[str]:
        ids = {*self.before.units, *self.after.units}
        return {id for id in ids if _place_of(self.before, id) != _place_of(self.after, id)}

    @property
    def facts(self) -> set[FactKey]:
        since, dropped, _ = self.after.compare_facts(self.before)
        return {*since, *dropped}

    def in_force(self, sight: GameState) -> Belief:
        """Return the belief without the changes that no longer count.

        A unit or fact no longer counts once the side sees it differently than when it entered the line.

        `sight`: the shared table as the side sees it now.
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
        """Return a state with the belief applied, without its facts about missing units."""
        still = {*self.before.units, *self.after.units} - self.units
        moved = {id for id in still if _place_of(state, id) != _place_of(self.after, id)}
        before = _without_standing(self.before, moved)
        after = _without_standing(self.after, moved)
        laid = patch_state(state, before, after)
        missing = {*self.before.units, *self.after.units} - laid.units.keys()
        if not missing or not any(subject in missing for _, subject in self.facts):
            return laid
        facts = {key: fact for key, fact in laid.facts.items() if key[1] not in missing or key in state.facts}
        return msgspec.structs.replace(laid, facts=MappingProxyType(facts))


def _place_of(state: GameState, id: str) -> tuple[bool, str | None]:
    unit = state.units.get(id)
    return unit is not None, unit.place if unit else None


def _without_standing(state: GameState, ids: Collection[str]) -> GameState:
    if not ids:
        return state
    units = {id: unit for id, unit in state.units.items() if id not in ids}
    return msgspec.structs.replace(state, units=MappingProxyType(units))


def apply_beliefs(sight: GameState, beliefs: Iterable[Belief]) -> GameState:
    """Return the table of a side: its view of the shared table, with its beliefs applied.

    `sight`: the shared table as the side sees it.
    """
    state = sight
    for belief in beliefs:
        state = belief.in_force(sight).lay_over(state)
    return state


def find_writable(
    sight: GameState, beliefs: Sequence[Belief], can_write: Callable[[GameState], bool]
) -> tuple[list[int], GameState]:
    """Return the indices of the beliefs with which a side's table can be written, and that table.

    Beliefs that cannot be written are found by bisection, the earlier half first. After `MAX_TRIES` tables a whole half
    is left out, to limit the time.

    `sight`: the shared table as the side sees it.
    `can_write`: returns whether a table can be written.
    """
    tries = count(1)

    def choose(state: GameState, part: range) -> tuple[list[int], GameState]:
        if next(tries) > MAX_TRIES:
            return [], state
        laid = state
        for index in part:
            laid = beliefs[index].in_force(sight).lay_over(laid)
        if can_write(laid):
            return [*part], laid
        if len(part) < 2:
            return [], state
        middle = len(part) // 2
        earlier, state = choose(state, part[:middle])
        later, state = choose(state, part[middle:])
        return [*earlier, *later], state

    return choose(sight, range(len(beliefs)))


def find_private_change(game: Game, sight: GameState, believed: GameState, stated: GameState) -> PrivateChange | None:
    """Return the change that a line makes only at the side's own table, or None if there is none.

    `sight`: the shared table as the side sees it after the line.
    `believed`: the side's table without the private part of the line.
    `stated`: the side's table with all changes of the line.
    """
    stated = without_silence(game, stated, believed)
    if stated == believed:
        return None
    return pack_belief(game, Belief(*cut_to_change(believed, stated), sight))


def pack_belief(game: Game, belief: Belief) -> PrivateChange:
    """Return a belief in the form stored with a line, without the parts of the shared table that do not concern it."""
    units = {*belief.before.units, *belief.after.units}
    facts = belief.facts
    saw = msgspec.structs.replace(
        belief.before,
        units=MappingProxyType({id: unit for id, unit in belief.saw.units.items() if id in units}),
        facts=MappingProxyType({key: fact for key, fact in belief.saw.facts.items() if key in facts}),
    )
    first = belief._replace(saw=belief.before)  # the side saw `before`, unless an earlier line is about the same units
    is_alike = first.in_force(belief.saw) is first
    return PrivateChange(_pack(game, belief.before), _pack(game, belief.after), "" if is_alike else _pack(game, saw))


def _pack(game: Game, state: GameState) -> str:
    return json_state.write_json(Position(game, state), one_line=True).decode().rstrip("\n")


class BeliefReader:
    """A reader of a side's private changes (beliefs), with a cache so that it decodes each line once."""

    def __init__(self, load: Callable[[str], Game]) -> None:
        self._load = load
        self._known: dict[PrivateChange, Belief | None] = {}

    def read_all(self, lines: Iterable[OwnLine]) -> tuple[list[OwnLine], list[Belief]]:
        """Return the lines that state a belief, and the belief of each, and forget the beliefs of all other lines."""
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
    """Return the belief in a line's private change, or None if this version cannot read it."""
    try:
        before, after = (_unpack(text, load) for text in (change.before, change.after))
        return Belief(before, after, _unpack(change.saw, load) if change.saw else before)
    except MachineError:
        raise
    except InputError:
        return None


def _unpack(text: str, load: Callable[[str], Game]) -> GameState:
    return json_state.read_json(text.encode(), "", load).state
