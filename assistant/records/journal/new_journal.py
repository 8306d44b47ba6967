"""Journals without entries of which one after the other begins with almost the same position: only what differs is
written and read anew.
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


class ReadStack(NamedTuple):
    """What the lines of a place come to."""

    lines: str
    units: tuple[Unit, ...]
    """Those that stand there, the top one first."""
    facts: Mapping[FactKey, Fact]
    """What is stated of them."""


class ReadStart(NamedTuple):
    """What the lines of a position come to."""

    stacks: Mapping[str, ReadStack]
    """By place, in the order of their lines, which come before all others."""
    off_map: tuple[Unit, ...]
    facts: Mapping[FactKey, Fact]
    """What the other lines state."""


class Beginning(NamedTuple):
    """A journal without entries."""

    state: GameState
    """The state with which it begins, as it was written."""
    written: WrittenLines
    data: bytes
    """What its file holds."""
    size: int
    """How many bytes the position takes there."""
    journal: Journal
    """As it is read."""
    start: ReadStart | None
    """What its lines come to, None where one of them depends on others."""


def begin_journal(
    game: Game, state: GameState, name: str, load_game: Callable[[str], Game], side: str, known: Beginning | None = None
) -> Beginning:
    """Return a journal that begins with a state. name: of its file; side: whose knowledge it is; known: another one of
    that name and side, if there is any.

    Raises InputError for a state that cannot be written so that it is read.
    """
    position = Position(game, state)
    known = known if known and known.journal.game is game is load_game(game.id) else None
    if known and known.state is state:
        return known
    written = write_lines(position, (known.state, known.written) if known else None)
    head = write_head(game, position, "", written).encode()
    data = with_check(head)
    if known and known.data == data:
        return known._replace(state=state, written=written)
    text = parse_journal(data, name)
    start = _read_again(game, written, known) if known and _may_be_read(head) else None
    if known and start:
        before = known.journal.start
        after = before.with_state(_make_state(before.state, start))
        return Beginning(state, written, data, len(head), known.journal.with_start(text, after), start)
    journal = Journal.read(text, name, load_game, side=side)
    return Beginning(state, written, data, len(head), journal, _list_start(game, state, written, journal.start.state))


def _may_be_read(data: bytes) -> bool:
    """Return whether a file is not too large to be read."""
    return len(data) <= Limit.NOTATION.most and data.count(b"\n") <= Limit.LINES.most


def _list_start(game: Game, state: GameState, written: WrittenLines, read: GameState) -> ReadStart | None:
    """Return what the lines of a state come to; None if the line of a stack depends on others, as it may by how they
    spell a text. read: the state as it is read from them.
    """
    tracks = game.tracks
    facts: dict[str, dict[FactKey, Fact]] = {place: {} for place in written.stacks}
    others: dict[FactKey, Fact] = {}
    for key, fact in read.facts.items():
        unit = read.units.get(key[1]) if tracks[key[0]].on == "unit" else None
        facts.get(unit.place or "" if unit else "", others)[key] = fact
        if unit and tracks[key[0]].kind == "text" and state.facts.get(key) != fact:
            return None
    stacks = {place: ReadStack(lines, read.stack(place), facts[place]) for place, lines in written.stacks.items()}
    start = ReadStart(stacks, tuple(unit for unit in read.units.values() if unit.place not in stacks), others)
    made = _make_state(read, start)
    is_in_order = [*made.units.items()] == [*read.units.items()] and [*made.facts.items()] == [*read.facts.items()]
    return start if is_in_order else None


def _make_state(state: GameState, start: ReadStart) -> GameState:
    """Return a state with the units and facts that lines come to."""
    facts: dict[FactKey, Fact] = {}
    for stack in start.stacks.values():
        facts.update(stack.facts)
    facts.update(start.facts)
    on_map = (unit for stack in start.stacks.values() for unit in stack.units)
    units = {unit.id: unit for unit in (*on_map, *start.off_map)}
    return msgspec.structs.replace(state, units=MappingProxyType(units), facts=MappingProxyType(facts))


def _read_again(game: Game, written: WrittenLines, known: Beginning) -> ReadStart | None:
    """Return what lines come to of which only those of stacks may differ from others; None for what has to be read as a
    whole.
    """
    before = known.start
    if before is None or (written.head, written.rest) != (known.written.head, known.written.rest):
        return None
    alike = {
        place: stack
        for place, lines in written.stacks.items()
        if (stack := before.stacks.get(place)) and stack.lines == lines
    }
    changed = {place: lines for place, lines in written.stacks.items() if place not in alike}
    try:
        read = NotationReader("", lambda _: game).read("\n".join([*written.head, *changed.values()])).state
    except InputError:  # the whole text has the same fault, and says where
        return None
    anew = _list_start(game, read, WrittenLines(written.head, changed, ()), read)
    left = [unit.id for place, stack in before.stacks.items() if place not in alike for unit in stack.units]
    if anew is None or sorted(read.units) != sorted(left):
        return None
    stated = known.journal.start.state.facts
    for key, fact in read.facts.items():
        is_as_before = stated.get(key) == fact
        if not is_as_before and (game.tracks[key[0]].kind == "text" or key[0] in game.tracks_naming_units):
            return None  # other lines say how a text is spelled, and which units there are
    return before._replace(stacks={place: alike.get(place) or anew.stacks[place] for place in written.stacks})
