"""The changes between an earlier position of a game and a later one, as passages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from msgspec.structs import replace

from ...formats.positions import Position
from ...game.course import clock_tracks
from ...game.games import Game
from ...records.journal.journal import write_head
from ...records.journal.journal_file import JournalFile
from ...state.differences import Differences, FactChange, find_differences
from ...state.state import FactKey, GameState, copy_of
from ...util.writing import write_whole
from .passages import TablePassage
from .seen_entries import drop_signs

T = TypeVar("T")
K = TypeVar("K")


class _StepContent(NamedTuple):
    """The units and facts that change together, in one step."""

    units: frozenset[str] = frozenset()
    facts: frozenset[FactKey] = frozenset()


def earlier_file(journal: Path) -> Path:
    """Return the file with the earlier position with which a table's first position is compared.

    `journal`: the table's journal.
    """
    return journal.with_suffix(".earlier.txt")


def keep_earlier(journal: Path, earlier: Position) -> None:
    """Write the earlier position with which a table's first position is compared."""
    write_whole(earlier_file(journal), write_head(earlier.game, earlier, "").encode(), force=True)


def read_earlier(file: Path, load: Callable[[str], Game], position: Position) -> tuple[TablePassage, ...]:
    """Return the changes from the earlier position in a file to a position as passages, the start first.

    Raises InputError if the file cannot be read.
    """
    earlier = JournalFile(file, load).read(compares=False).start
    states = [*split_differences(position.game, earlier.state, position.state)]
    last = len(states) - 1
    positions = [Position(position.game, state) for state in states]
    return (
        TablePassage(0, last, positions[0], positions[0]),
        *(TablePassage(number, last, *both) for number, both in enumerate(pairwise(positions), 1)),
    )


def split_differences(game: Game, before: GameState, after: GameState) -> Iterator[GameState]:
    """Yield the states on the way from one state to another, which differ by one change each.

    A change is what units do together, such as a move from one hex to another, or the facts of one place. The last
    state is `after`. The first one is `before`, except for what is no change for players, such as passing facts.
    """
    changed = find_differences(drop_signs(before), drop_signs(after), game.tracks)
    steps = [*_list_steps(game, before, after, changed)]
    all_units = frozenset[str]().union(*(step.units for step in steps))
    all_facts = frozenset[FactKey]().union(*(step.facts for step in steps))
    state = _take_over(after, before, all_units, all_facts)
    yield state
    for step in steps:
        state = _take_over(state, after, step.units, step.facts)
        yield state


def _list_steps(game: Game, before: GameState, after: GameState, changed: Differences) -> Iterator[_StepContent]:
    """Yield the steps: the turn, other facts of the game and its sides, units that left, moved and came, places."""
    facts = [fact for fact in changed.facts if not game.tracks[fact.track].is_passing]
    of_places = {fact: _find_place(game, after, fact) for fact in facts}
    clock = clock_tracks(game)
    apart = _group((fact, (fact.track not in clock, fact.subject)) for fact, at in of_places.items() if at is None)
    yield from (_StepContent(facts=_keys(apart[key])) for key in sorted(apart))
    for units in _group((gone.unit, gone.place) for gone in changed.gone).values():
        yield _StepContent(frozenset(units), _facts_of(units, before))
    for stack in changed.restacked:
        yield _StepContent(frozenset(stack.after))
    for units in _group((move.unit, (move.before, move.after)) for move in changed.moved).values():
        yield _StepContent(frozenset(units))
    for units in _group((came.unit, came.place) for came in changed.came).values():
        yield _StepContent(frozenset(units), _facts_of(units, before) | _facts_of(units, after))
    at_places = _group((fact, at) for fact, at in of_places.items() if at is not None)
    yield from (_StepContent(facts=_keys(group)) for group in at_places.values())


def _find_place(game: Game, state: GameState, fact: FactChange) -> str | None:
    """Return the place of a unit, hex or hexside with another fact, or None for a fact of the game or a side."""
    match game.tracks[fact.track].on:
        case "unit":
            return state.units[fact.subject].place or ""
        case "hex" | "hexside":
            return fact.subject.partition("|")[0]
    return None


def _group(pairs: Iterable[tuple[T, K]]) -> dict[K, list[T]]:
    groups: dict[K, list[T]] = {}
    for item, key in pairs:
        groups.setdefault(key, []).append(item)
    return groups


def _keys(facts: Iterable[FactChange]) -> frozenset[FactKey]:
    return frozenset((fact.track, fact.subject) for fact in facts)


def _facts_of(units: Iterable[str], state: GameState) -> frozenset[FactKey]:
    return frozenset((track, unit) for unit in units for track in state.facts_of.get(unit, ()))


def _take_over(state: GameState, other: GameState, units: Iterable[str], facts: Iterable[FactKey]) -> GameState:
    """Return a state with some units and facts of another state."""
    return replace(
        state,
        units=MappingProxyType(_replace_some(state.units, other.units, units)),
        facts=MappingProxyType(_replace_some(state.facts, other.facts, facts)),
    )


def _replace_some(mapping: Mapping[K, T], other: Mapping[K, T], keys: Iterable[K]) -> dict[K, T]:
    replaced = copy_of(mapping)
    for key in keys:
        if key in other:
            replaced[key] = other[key]
        else:
            replaced.pop(key, None)
    return replaced
