"""The position after a loss, or with a player's suppositions (14.1, 17.1.2).

A supposition is an enemy who enters a hex, a unit that leaves the map, or another value of a fact.
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
from ..rules import UNFAVOURABLE_VALUES
from .report import SupplyLoss

BLOWN: Mapping[str, Value] = {track: UNFAVOURABLE_VALUES[track] for track in LINKS}
"""The facts of a river hexside once its bridge and ferry are lost."""


def take_off_map(state: GameState, names: Iterable[str]) -> GameState:
    """Return the state in which some units have left the map."""
    off_map = {name: msgspec.structs.replace(state.units[name], place=None) for name in names}
    return msgspec.structs.replace(state, units=MappingProxyType({**state.units, **off_map})) if off_map else state


def state_facts(game: Game, state: GameState, values: Mapping[FactKey, Value]) -> GameState:
    """Return the state with other values of some facts.

    The facts of typed lines become separate facts, as a line would overrule a new value.
    """
    facts = {**all_stated(state, game.tracks), **{key: Fact(value) for key, value in values.items()}}
    return msgspec.structs.replace(state, facts=MappingProxyType(facts), line_facts=MappingProxyType({}))


# --- the suppositions of a player ----------------------------------------------------------------------------------------

HEX_ENTERED = late_pattern(r"(\S+)\s+enemy", re.IGNORECASE)
"""The text for an enemy who enters a hex: `64.38 enemy`."""
UNIT_OFF_MAP = late_pattern(r"off\s+(.+)", re.IGNORECASE)
"""The text for a unit that leaves the map: `off 1 Train`."""


def _split_suppositions(text: str) -> list[str]:
    return [part.strip() for part in re.split("[;\n]", text) if part.strip()]


def supposes_enemy(text: str) -> bool:
    """Return whether a text supposes that an enemy enters a hex."""
    return any(map(HEX_ENTERED.fullmatch, _split_suppositions(text)))


class Supposed(NamedTuple):
    """A state in which suppositions hold."""

    state: GameState
    operational_stated: frozenset[str] = frozenset()
    """The hexes whose operational RR line a supposition states."""


class Suppositions(NamedTuple):
    """Applies the losses of a side, or a player's suppositions, to a position."""

    game: Game
    side: str
    enemy_has_zone: bool
    """Whether an enemy who enters a hex has a zone of control there, as a combat unit has (4.1).

    Without one the side loses only the hex itself.
    """

    def after_loss(self, state: GameState, loss: SupplyLoss) -> GameState:
        """Return the state after a loss of the side."""
        if loss.kind == "hex":
            return self._let_enemy_enter(state, loss.where)
        if loss.kind == "source":
            return take_off_map(state, [loss.where])
        values = {"operational": "none"} if loss.kind == "railway" else BLOWN
        return state_facts(self.game, state, {(track, loss.where): value for track, value in values.items()})

    def _let_enemy_enter(self, state: GameState, hex: str) -> GameState:
        """Return the state in which a new enemy unit is in a hex.

        Units of the side, and those of no known side, leave the map from there. Enemies in the hex stay.
        """
        game, name = self.game, f"an enemy in {hex}"
        displaced = [unit.id for unit in state.stack(hex) if game.side_of_unit(unit, state.facts) in ("", self.side)]
        after = take_off_map(state, displaced)
        nation = next(nations[0] for other, nations in game.file.sides.items() if other != self.side)
        # an enemy without a zone of control is artillery, which never has one
        kind = {"arm": "infantry", "size": "XX"} if self.enemy_has_zone else {"arm": "artillery", "size": "III"}
        words = {game.file.picture.nation: nation, **kind}
        facts = {key: fact for key, fact in after.facts.items() if key != (UNSEEN, hex)}
        facts |= {(track, name): Fact(value) for track, value in words.items()}
        units = {**after.units, name: Unit(name, name, hex)}
        return msgspec.structs.replace(after, units=MappingProxyType(units), facts=MappingProxyType(facts))

    def suppose(self, state: GameState, text: str) -> Supposed:
        """Return the state in which the suppositions of a text hold, each applied after those before it.

        `text`: `HEX enemy`, `off UNIT` or lines of position notation, with semicolons between them.

        Raises InputError if the text has no supposition, or one that cannot hold.
        """
        parts = _split_suppositions(text)
        if not parts:
            hint = "if='64.38 enemy', if='off 1 Train', or a line of a position: if='64.39 operational=none'"
            raise InputError("nothing is supposed", hint=hint)
        game, board = self.game, self.game.board(state.board)
        operational_stated = set[str]()
        for part in parts:
            entered = HEX_ENTERED.fullmatch(part)
            leaving = UNIT_OFF_MAP.fullmatch(part)
            if entered:
                state = self._let_enemy_enter(state, board.place(entered[1]))
            elif leaving:
                unit = game.unit(state, leaving[1].strip('"'))
                if unit.place is None:
                    raise InputError(f"{unit.id} is not on the map")
                state = take_off_map(state, [unit.id])
            else:
                operational_stated |= _find_operational_stated(game, state, part)
                state = suppose_line(game, state, part)
        return Supposed(state, frozenset(operational_stated))


def _find_operational_stated(game: Game, state: GameState, line: str) -> set[str]:
    """Return the hexes for which a line of position notation states whose RR line is operational.

    The line may repeat the state, so it is read into a state without these facts.

    Raises InputError as `suppose_line` does.
    """

    def without_operational(facts: Mapping[FactKey, Fact]) -> Mapping[FactKey, Fact]:
        return MappingProxyType({key: fact for key, fact in facts.items() if key[0] != "operational"})

    line_facts = MappingProxyType({name: without_operational(facts) for name, facts in state.line_facts.items()})
    silent = msgspec.structs.replace(state, facts=without_operational(state.facts), line_facts=line_facts)
    after = suppose_line(game, silent, line)
    return {hex for track, hex in all_stated(after, game.tracks) if track == "operational"}


def vacated_hexes(view: View, after: Supposed, side: str) -> tuple[str, ...]:
    """Return the RR hexes that enemies have left in a supposed state, and that wait for the side's RR Engineers.

    The railway there stays non-friendly to the side until RR Engineers convert it. A hex does not wait if a supposition
    states whose RR line is operational there, or the position that it is not the side's.

    Rule: 17.1.2, 17.1.4
    """
    game, board = view.game, view.board

    def enemy_hexes(state: GameState) -> set[str]:
        units = [unit for unit in state.units.values() if unit.place]
        return {str(unit.place) for unit in units if game.side_of_unit(unit, state.facts) not in ("", side)}

    def waits(hex: str) -> bool:
        if hex in after.operational_stated or view.word("operational", hex) not in ("", side):
            return False
        return any(rails_from(view, hex, board.neighbours(hex)))

    return tuple(filter(waits, sorted(enemy_hexes(view.state) - enemy_hexes(after.state))))
