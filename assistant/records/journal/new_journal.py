"""A new journal without entries, made quickly if its position resembles that of an earlier journal.

The table of a side is made anew whenever the side sees something else. Only stacks with changed lines are written and
read again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from ...formats.notation import NotationReader
from ...formats.notation_writer import WrittenLines, write_lines
from ...formats.positions import Position
from ...game.games import Game
from ...state.state import FactKey, GameState, Unit
from ...state.tracks import Fact
from ...util.errors import InputError
from ...util.limits import Limit
from .files import parse_journal, with_check
from .journal import Journal, write_head

_NO_STACK = ""
"""The key, in place of a hex, for units off the map and for facts not about units of a stack."""


class ReadStack(NamedTuple):
    """The lines of a stack, and the units and facts that they state."""

    lines: str
    units: tuple[Unit, ...]
    """The units, from the top down."""
    facts: Mapping[FactKey, Fact]
    """The facts about the units."""


class NewJournal(NamedTuple):
    """A journal without entries, with results that the next such journal may reuse."""

    state: GameState
    """The state as given, not as read from the file."""
    written: WrittenLines
    """The lines of the state as notation."""
    data: bytes
    """The content of the file."""
    size: int
    """The length of the position in the file, in bytes."""
    journal: Journal
    """The journal as read from the file."""
    stacks: Mapping[str, ReadStack] | None
    """The stacks by place, `_NO_STACK` last, or None if a stack depends on the lines of others."""


def begin_journal(
    game: Game,
    state: GameState,
    name: str,
    load_game: Callable[[str], Game],
    side: str,
    before: NewJournal | None = None,
) -> NewJournal:
    """Return a new journal that begins with a state.

    `side`: the side whose knowledge the journal is.
    `before`: an earlier journal of the same name and side, or None.

    Raises InputError if the state cannot be written and read.
    """
    if before and not (before.journal.game is game is load_game(game.id)):
        before = None
    if before and before.state is state:
        return before
    position = Position(game, state)
    written = write_lines(position, (before.state, before.written) if before else None)
    head = write_head(game, position, "", written).encode()
    data = with_check(head)
    if before and before.data == data:
        return before._replace(state=state, written=written)
    text = parse_journal(data, name)
    if before and _is_within_limits(head) and (stacks := _read_changed_stacks(game, written, before)):
        start = before.journal.start
        journal = before.journal.with_start(text, start.with_state(_join_stacks(start.state, stacks)))
        return NewJournal(state, written, data, len(head), journal, stacks)
    journal = Journal.read(text, name, load_game, side=side)
    return NewJournal(
        state, written, data, len(head), journal, _split_into_stacks(game, state, written, journal.start.state)
    )


def _is_within_limits(data: bytes) -> bool:
    return len(data) <= Limit.NOTATION.most and data.count(b"\n") <= Limit.LINES.most


def _split_into_stacks(
    game: Game, state: GameState, written: WrittenLines, read: GameState
) -> dict[str, ReadStack] | None:
    """Return the stacks of a state, or None if a stack depends on the lines of others.

    It depends on them if a text is spelled as on an earlier line, or if units or facts are not in the order of the
    stacks.

    `read`: the state as read from its notation.
    """
    facts: dict[str, dict[FactKey, Fact]] = {place: {} for place in (*written.stacks, _NO_STACK)}
    for key, fact in read.facts.items():
        track = game.tracks[key[0]]
        unit = read.units.get(key[1]) if track.on == "unit" else None
        if unit and track.kind == "text" and state.facts.get(key) != fact:
            return None
        place = unit.place if unit and unit.place in written.stacks else None
        facts[place or _NO_STACK][key] = fact
    stacks = {place: ReadStack(lines, read.stack(place), facts[place]) for place, lines in written.stacks.items()}
    off_map = tuple(unit for unit in read.units.values() if unit.place not in stacks)
    stacks[_NO_STACK] = ReadStack("", off_map, facts[_NO_STACK])
    joined = _join_stacks(read, stacks)
    is_in_order = [*joined.units.items()] == [*read.units.items()] and [*joined.facts.items()] == [*read.facts.items()]
    return stacks if is_in_order else None


def _join_stacks(state: GameState, stacks: Mapping[str, ReadStack]) -> GameState:
    units = {unit.id: unit for stack in stacks.values() for unit in stack.units}
    facts = {key: fact for stack in stacks.values() for key, fact in stack.facts.items()}
    return msgspec.structs.replace(state, units=MappingProxyType(units), facts=MappingProxyType(facts))


def _read_changed_stacks(game: Game, written: WrittenLines, before: NewJournal) -> dict[str, ReadStack] | None:
    """Return the stacks of a state, reading only those changed since `before`, or None if all must be read."""
    if before.stacks is None or (written.head, written.rest) != (before.written.head, before.written.rest):
        return None
    unchanged = {_NO_STACK: before.stacks[_NO_STACK]}
    for place, lines in written.stacks.items():
        if (stack := before.stacks.get(place)) and stack.lines == lines:
            unchanged[place] = stack
    changed = {place: lines for place, lines in written.stacks.items() if place not in unchanged}
    try:
        read = NotationReader("", lambda _: game).read("\n".join([*written.head, *changed.values()])).state
    except InputError:  # reading the whole text reports the fault with its place
        return None
    stacks = _split_into_stacks(game, read, WrittenLines(written.head, changed, ()), read)
    replaced = [unit.id for place, stack in before.stacks.items() if place not in unchanged for unit in stack.units]
    if stacks is None or sorted(read.units) != sorted(replaced):
        return None
    facts_before = before.journal.start.state.facts
    for key, fact in read.facts.items():
        names_others = game.tracks[key[0]].kind == "text" or key[0] in game.tracks_naming_units
        if names_others and facts_before.get(key) != fact:
            return None  # the spelling of texts and the known units depend on other lines
    stacks |= unchanged
    return {place: stacks[place] for place in (*written.stacks, _NO_STACK)}
