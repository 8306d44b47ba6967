"""The position after a loss, and with what a player supposes: an enemy who enters a hex, units off the map, facts that
are stated otherwise (14.1, 17.1.2).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

import msgspec

from assistant.field.supposing import suppose_line
from assistant.game.games import Game
from assistant.questions import InputError, View
from assistant.state.state import UNSEEN, FactKey, GameState, Unit, all_stated
from assistant.state.tracks import Fact, Value

from ..ground import LINKS, rails_from
from ..rules import WORST
from .report import Loss

BLOWN: Mapping[str, Value] = {track: WORST[track] for track in LINKS}
"""What leads over a river that has neither bridge nor ferry."""


def after_loss(game: Game, state: GameState, side: str, loss: Loss, *, zone: bool) -> GameState:
    """The state of a position after a loss of a side.

    zone: whether an enemy who enters a hex has a zone of control there, as a combat unit has (4.1), or none, so that
    nothing but the hex itself is lost.
    """
    if loss.kind == "hex":
        return enter_hex(game, state, side, loss.where, zone=zone)
    if loss.kind == "source":
        return off_the_map(state, [loss.where])
    values = {"operational": "none"} if loss.kind == "railway" else BLOWN
    return stating(game, state, {(track, loss.where): value for track, value in values.items()})


def enter_hex(game: Game, state: GameState, side: str, hex: str, *, zone: bool) -> GameState:
    """The state in which an enemy of a side stands in a hex; those of the side who stood there have left the map, and
    enemies who did stay.
    """
    name = f"an enemy in {hex}"
    own = [unit.id for unit in state.stack(hex) if game.side_of_unit(unit, state.facts) in ("", side)]
    after = off_the_map(state, own)
    nation = next(nations[0] for other, nations in game.file.sides.items() if other != side)
    kind = {"arm": "infantry", "size": "XX"} if zone else {"arm": "artillery", "size": "III"}
    words = {game.file.picture.nation: nation, **kind}
    facts = {key: fact for key, fact in after.facts.items() if key != (UNSEEN, hex)}
    facts |= {(track, name): Fact(value) for track, value in words.items()}
    units = {**after.units, name: Unit(name, name, hex)}
    return msgspec.structs.replace(after, units=MappingProxyType(units), facts=MappingProxyType(facts))


def off_the_map(state: GameState, names: Iterable[str]) -> GameState:
    """The state in which some units have left the map."""
    gone = {name: msgspec.structs.replace(state.units[name], place=None) for name in names}
    return msgspec.structs.replace(state, units=MappingProxyType({**state.units, **gone})) if gone else state


def stating(game: Game, state: GameState, values: Mapping[FactKey, Value]) -> GameState:
    """The state with other values of some facts, whatever typed lines say of them."""
    facts = {**all_stated(state, game.tracks), **{key: Fact(value) for key, value in values.items()}}
    return msgspec.structs.replace(state, facts=MappingProxyType(facts), line_facts=MappingProxyType({}))


# --- as a player supposes them ----------------------------------------------------------------------------------------

ENEMY = re.compile(r"(\S+)\s+enemy", re.IGNORECASE)
"""A hex that an enemy enters."""
OFF = re.compile(r"off\s+(.+)", re.IGNORECASE)
"""A unit that leaves the map."""


def suppositions_in(text: str) -> list[str]:
    """The suppositions of a text, with semicolons between them."""
    return [part.strip() for part in re.split("[;\n]", text) if part.strip()]


def supposes_enemy(text: str) -> bool:
    """Whether one of the suppositions of a text is that an enemy enters a hex."""
    return any(map(ENEMY.fullmatch, suppositions_in(text)))


def as_supposed(game: Game, state: GameState, side: str, text: str, *, zone: bool) -> GameState:
    """The state in which suppositions hold, one after the other: `HEX enemy`, `off UNIT`, or a line of position
    notation.

    text: with semicolons between them. Raises InputError for one that cannot be, and if there is none.
    """
    parts = suppositions_in(text)
    if not parts:
        hint = "if='64.38 enemy', if='off 1 Train', or a line of a position: if='64.39 operational=none'"
        raise InputError("nothing is supposed", hint=hint)
    board = game.board(state.board)
    for part in parts:
        if match := ENEMY.fullmatch(part):
            state = enter_hex(game, state, side, board.place(match[1]), zone=zone)
        elif match := OFF.fullmatch(part):
            unit = game.unit(state, match[1].strip('"'))
            if unit.place is None:
                raise InputError(f"{unit.id} is not on the map")
            state = off_the_map(state, [unit.id])
        else:
            state = suppose_line(game, state, part)
    return state


def vacated(view: View, after: GameState, side: str) -> tuple[str, ...]:
    """The RR hexes where enemies of a side stand, and none in another state, which stay non-friendly to it until its RR
    Engineers have converted them, unless it is supposed whose line is operational there.
    Rule: 17.1.2, 17.1.4
    """
    game, board, before = view.game, view.board, view.state

    def held(state: GameState) -> set[str]:
        units = [unit for unit in state.units.values() if unit.place]
        return {str(unit.place) for unit in units if game.side_of_unit(unit, state.facts) not in ("", side)}

    def waits(hex: str) -> bool:
        stated, whose = after.facts.get(("operational", hex)), view.word("operational", hex)
        if stated != before.facts.get(("operational", hex)) or whose not in ("", side):
            return False
        return any(rails_from(view, hex, board.neighbours(hex)))

    return tuple(filter(waits, sorted(held(before) - held(after))))
