"""Set-ups: a position as a save of the module, its units on the map and the rest in the notes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from assistant.formats.vassal.containers import Facts
from assistant.formats.vassal.grids import Pixel
from assistant.formats.vassal.positions import BOARD, GAME, GRID, HEADING, MODULE, tracker
from assistant.formats.vassal.saves import Piece, Save, Stack
from assistant.formats.vassal.sequence import join
from assistant.formats.writing import remarks
from assistant.games import Game
from assistant.positions import Position
from assistant.sources import Fact, Value
from assistant.state import FactKey
from assistant.tracks import Track

from .grids import BoardGrid
from .pieces import Maker, hex_markers, labels, statuses

MAP = "Map"


class Table(NamedTuple):
    """What every set-up of a module has in common.

    board: its name in the module; grid: of the board; properties: what the module says of itself.
    """

    game: Game
    maker: Maker
    board: str
    grid: BoardGrid
    facts: Facts

    @property
    def properties(self) -> dict[str, str]:
        """The global properties by which the assistant knows the module."""
        known = {GAME: self.game.id, BOARD: self.game.file.module.board if self.game.file.module else ""}
        return known | {f"{GRID} {MAP}": msgspec.json.encode(self.grid.grid).decode()}


class SetUp(NamedTuple):
    """A save, and the units that stand off its board."""

    save: Save
    left_out: tuple[str, ...]


def set_up(table: Table, position: Position, notes: str = "") -> SetUp:
    """The save of a position. notes: the text of the scenario. Raises ValueError for a text that VASSAL cannot hold."""
    state, game = position.state, position.game
    places = {place for unit in state.units.values() if (place := unit.place) in table.grid.hexes}
    said: set[FactKey] = set()
    pieces: list[Piece] = []
    stacks: list[Stack] = []
    left_out = tuple(unit.id for unit in state.units.values() if unit.place not in places)

    def put(piece: Piece, at: Pixel) -> str:
        pieces.append(table.maker.placed(piece, str(len(pieces) + 1), MAP, at))
        return pieces[-1].id

    marked = _hex_facts(game, state.facts, table.grid.hexes)
    for place in [name for name in table.grid.hexes if name in places or name in marked]:
        at = table.grid.hexes[place]
        ids = []
        for key, fact in marked.get(place, []):
            said.add(key)
            ids.append(put(table.maker.marker(game.tracks[key[0]], fact.value), at))
        for unit in reversed(state.stack(place)):
            values = _on_the_counter(game, unit.id, unit.type, state.facts)
            said |= {(name, unit.id) for name in values}
            ids.append(put(table.maker.unit(unit.type, values), at))
        stacks.append(Stack(f"stack {place}", tuple(ids), MAP, at))
    turns, properties = _of_the_game(table, state.facts, said)
    return SetUp(
        Save(
            facts=table.facts,
            boards={MAP: ((table.board, 0, 0),)},
            pieces={piece.id: piece for piece in pieces},
            stacks={stack.id: stack for stack in stacks},
            notes=notes,
            public_notes="\n".join(
                [_FOR_PLAYERS, HEADING, *remarks(position, said | _left_out(state.facts, left_out))]
            ),
            properties={(MODULE, name): value for name, value in (table.properties | properties).items()},
            turns=turns,
        ),
        left_out,
    )


_FOR_PLAYERS = (
    "What the counters cannot show is written below, as position notation; the assistant reads it with the save.\n"
    "Above the next line anything may be written.\n"
)


def _on_the_counter(game: Game, unit: str, type: str, facts: Mapping[FactKey, Fact]) -> dict[str, Value]:
    """The facts of a unit that its counter shows exactly: not those that are doubtful, or go without saying."""
    shown = {status.track.name: [level.value for level in status.levels[1:]] for status in statuses(game, type)}
    texts = {track.name for track, _ in labels(game, type)}
    found = {}
    for (name, subject), fact in facts.items():
        if (
            subject == unit
            and not fact.assumed
            and (fact.value in shown.get(name, ()) or (name in texts and fact.value))
        ):
            found[name] = fact.value
    return found


def _hex_facts(
    game: Game, facts: Mapping[FactKey, Fact], hexes: Mapping[str, Pixel]
) -> dict[str, list[tuple[FactKey, Fact]]]:
    """The facts of hexes that markers show exactly, by hex."""
    shown = {track.name: track.in_turn()[1:] for track in hex_markers(game)}
    found: dict[str, list[tuple[FactKey, Fact]]] = {}
    for key, fact in facts.items():
        if fact.value in shown.get(key[0], ()) and key[1] in hexes and not fact.assumed:
            found.setdefault(key[1], []).append((key, fact))
    return found


def _of_the_game(
    table: Table, facts: Mapping[FactKey, Fact], said: set[FactKey]
) -> tuple[dict[str, str], dict[str, str]]:
    """The state of the turn tracker, and the properties that hold the game's other facts; `said` is told of them."""
    turns: dict[str, str] = {}
    properties: dict[str, str] = {}
    turn = tracker(table.game)
    for track in table.game.tracks.values():
        fact = facts.get((track.name, ""))
        if track.on != "game" or track.module is None:
            continue
        if track is turn:
            value = fact.value if fact else track.least
            turns[TRACKER] = turn_state(track, value)
        elif fact and not fact.assumed:
            properties[track.name] = track.write(fact.value)
        if fact and not fact.assumed:
            said.add((track.name, ""))
    return turns, properties


TRACKER = "TurnTracker0"


def turn_state(track: Track, value: Value | None) -> str:
    """The state of a turn tracker with one level that counts."""
    level = join((str(value), "0", "true" if track.most else "false", str(track.most or 0)), ";")
    return join(("0", level), "|")


def _left_out(facts: Mapping[FactKey, Fact], units: tuple[str, ...]) -> set[FactKey]:
    return {key for key in facts if key[1] in units}
