"""The position after a loss, and with what a player supposes: an enemy who enters a hex, units off the map, facts that
are stated otherwise (14.1, 17.1.2).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from assistant.asking import InputError, View
from assistant.game.games import Game
from assistant.rules.field.suppositions import suppose_line
from assistant.state.state import UNSEEN, FactKey, GameState, Unit, all_stated
from assistant.state.tracks import Fact, Value
from assistant.util.patterns import late_pattern

from ..ground import LINKS, rails_from
from ..rules import WORST
from .report import SupplyLoss

BLOWN: Mapping[str, Value] = {track: WORST[track] for track in LINKS}
"""What leads over a river that has neither bridge nor ferry."""


def take_off_map(state: GameState, names: Iterable[str]) -> GameState:
    """Return the state in which some units have left the map."""
    gone = {name: msgspec.structs.replace(state.units[name], place=None) for name in names}
    return msgspec.structs.replace(state, units=MappingProxyType({**state.units, **gone})) if gone else state


def state_facts(game: Game, state: GameState, values: Mapping[FactKey, Value]) -> GameState:
    """Return the state with other values of some facts, whatever typed lines say of them."""
    facts = {**all_stated(state, game.tracks), **{key: Fact(value) for key, value in values.items()}}
    return msgspec.structs.replace(state, facts=MappingProxyType(facts), line_facts=MappingProxyType({}))


# --- as a player supposes them ----------------------------------------------------------------------------------------

ENEMY = late_pattern(r"(\S+)\s+enemy", re.IGNORECASE)
"""A hex that an enemy enters."""
OFF = late_pattern(r"off\s+(.+)", re.IGNORECASE)
"""A unit that leaves the map."""


def _split_suppositions(text: str) -> list[str]:
    """Return the suppositions of a text, with semicolons between them."""
    return [part.strip() for part in re.split("[;\n]", text) if part.strip()]


def supposes_enemy(text: str) -> bool:
    """Return whether one of the suppositions of a text is that an enemy enters a hex."""
    return any(map(ENEMY.fullmatch, _split_suppositions(text)))


class Supposed(NamedTuple):
    """A state in which suppositions hold, and the hexes of which they state whose RR line is operational there."""

    state: GameState
    operational: frozenset[str] = frozenset()


class Losing(NamedTuple):
    """How a side loses what it has, or is otherwise supposed to stand."""

    game: Game
    side: str
    zone: bool
    """Whether an enemy who enters a hex has a zone of control there, as a combat unit has (4.1), or none, so that nothing
    but the hex itself is lost.
    """

    def after(self, state: GameState, loss: SupplyLoss) -> GameState:
        """Return the state of a position after a loss of the side."""
        if loss.kind == "hex":
            return self._enter(state, loss.where)
        if loss.kind == "source":
            return take_off_map(state, [loss.where])
        values = {"operational": "none"} if loss.kind == "railway" else BLOWN
        return state_facts(self.game, state, {(track, loss.where): value for track, value in values.items()})

    def _enter(self, state: GameState, hex: str) -> GameState:
        """Return the state in which an enemy stands in a hex; those of the side who stood there have left the map, and so
        have units of no known side. Enemies who stood there stay.
        """
        game, name = self.game, f"an enemy in {hex}"
        own = [unit.id for unit in state.stack(hex) if game.side_of_unit(unit, state.facts) in ("", self.side)]
        after = take_off_map(state, own)
        nation = next(nations[0] for other, nations in game.file.sides.items() if other != self.side)
        kind = {"arm": "infantry", "size": "XX"} if self.zone else {"arm": "artillery", "size": "III"}
        words = {game.file.picture.nation: nation, **kind}
        facts = {key: fact for key, fact in after.facts.items() if key != (UNSEEN, hex)}
        facts |= {(track, name): Fact(value) for track, value in words.items()}
        units = {**after.units, name: Unit(name, name, hex)}
        return msgspec.structs.replace(after, units=MappingProxyType(units), facts=MappingProxyType(facts))

    def suppose(self, state: GameState, text: str) -> Supposed:
        """Return the state in which suppositions hold, one after the other: `HEX enemy`, `off UNIT`, or a line of
        position notation.

        text: with semicolons between them. Raises InputError for one that cannot be, and if there is none.
        """
        parts = _split_suppositions(text)
        if not parts:
            hint = "if='64.38 enemy', if='off 1 Train', or a line of a position: if='64.39 operational=none'"
            raise InputError("nothing is supposed", hint=hint)
        game, board = self.game, self.game.board(state.board)
        operational = set[str]()
        for part in parts:
            enters = ENEMY.fullmatch(part)
            leaves = OFF.fullmatch(part)
            if enters:
                state = self._enter(state, board.place(enters[1]))
            elif leaves:
                unit = game.unit(state, leaves[1].strip('"'))
                if unit.place is None:
                    raise InputError(f"{unit.id} is not on the map")
                state = take_off_map(state, [unit.id])
            else:
                operational |= _read_operational(game, state, part)
                state = suppose_line(game, state, part)
        return Supposed(state, frozenset(operational))


def _read_operational(game: Game, state: GameState, line: str) -> set[str]:
    """Return the hexes of which a line of position notation states whose RR line is operational there, though the state
    may say the same. Raises InputError as `suppose_line` does.
    """

    def silent(facts: Mapping[FactKey, Fact]) -> Mapping[FactKey, Fact]:
        return MappingProxyType({key: fact for key, fact in facts.items() if key[0] != "operational"})

    lines = MappingProxyType({name: silent(facts) for name, facts in state.line_facts.items()})
    after = suppose_line(game, msgspec.structs.replace(state, facts=silent(state.facts), line_facts=lines), line)
    return {hex for track, hex in all_stated(after, game.tracks) if track == "operational"}


def vacated_hexes(view: View, after: Supposed, side: str) -> tuple[str, ...]:
    """Return the RR hexes where enemies of a side stand, and none in a supposed state, which stay non-friendly to it
    until its RR Engineers have converted them, unless it is supposed whose line is operational there. Rule: 17.1.2,
    17.1.4
    """
    game, board = view.game, view.board

    def held(state: GameState) -> set[str]:
        units = [unit for unit in state.units.values() if unit.place]
        return {str(unit.place) for unit in units if game.side_of_unit(unit, state.facts) not in ("", side)}

    def waits(hex: str) -> bool:
        if hex in after.operational or view.word("operational", hex) not in ("", side):
            return False
        return any(rails_from(view, hex, board.neighbours(hex)))

    return tuple(filter(waits, sorted(held(view.state) - held(after.state))))
