"""Scenes drawn from what a game declares: its sides, boards and units, and the tracks of its ground with their values."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec

from assistant.formats.notation import read_notation
from assistant.game.boards import Board
from assistant.game.games import Game
from assistant.installed.registry import make_game_loader
from assistant.state.tracks import CERTAIN, Track
from assistant.util.errors import InputError

from .hexes import pair
from .scene import Facts, Scene

HABITS = Path(__file__).parent / "games.toml"
FIGHTING = ("infantry", "cavalry")
TRACKS = 4
"""The number of tracks of the ground that are stated of a hex or hexside at most."""


class Habits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the maker draws of a game beside what the game declares: nothing of a made-up game."""

    middle: str = ""
    turns: tuple[int | str, ...] = (1,)
    attack: str = ""
    move: str = ""
    columns: tuple[str, ...] = ()
    mover: str = "unit"
    battle: Mapping[str, str] = {}


class Size(NamedTuple):
    """How large a scene is."""

    reach: int = 2
    """How far around the middle the ground is stated, in hexes."""
    front: int = 3
    """The largest number of hexes from which units attack the middle."""
    beyond: int = 4
    """The largest number of other hexes with units."""
    stack: int = 2
    """The largest number of units in each hex of the front."""


USUAL = Size()


class Front(NamedTuple):
    """A scene with the hex in its middle and the side that attacks it."""

    scene: Scene
    at: str
    attacker: str


@cache
def habits(game: str) -> Habits:
    """Return what the maker draws of a game beside its declarations."""
    return msgspec.convert(tomllib.loads(HABITS.read_text("utf-8")).get(game, {}), Habits)


def make_front(random: Random, game: Game, size: Size = USUAL, *, moves: bool = False, complete: bool = False) -> Front:
    """Draw a scene: defenders in a hex, attackers next to it, others farther off, and some of the ground.

    `moves`: whether it is more likely the phase of moves than of attacks, if the game states its phases.
    `complete`: whether each unit has all its ratings, and charts and counters are trusted.
    """
    board = _choose_board(random, game)
    at = _choose_middle(random, game, board)
    attacker, defender = random.sample(sorted(game.file.sides), 2)
    scene = Scene(game.id, game.file.notation.identity, game.file.notation.brackets)
    _set_frame(random, game, board, scene, attacker, moves=moves, complete=complete)
    _place_units(random, game, board, scene, at, (attacker, defender), size, complete=complete)
    _lay_ground(random, game, board, scene, at, size.reach)
    return Front(scene, at, attacker)


def readable(text: str, game: Game | None = None) -> str:
    """Return a position without the lines that contradict the game's files or each other. Raises InputError if others are wrong.

    `game`: one from a folder, which is not installed.
    """
    lines = text.splitlines()
    while True:
        try:
            read_notation("\n".join(lines).encode(), "made.pos", make_game_loader(game))
            return "\n".join([*lines, ""])
        except InputError as error:
            if not (error.where and error.where.line > 1):
                raise
            del lines[error.where.line - 1]


def around(board: Board, at: str, far: int) -> list[str]:
    """Return the hexes of a board at most `far` hexes from one, that one first."""
    hexes = dict.fromkeys([at])
    for _ in range(far):
        hexes |= dict.fromkeys(near for hex in list(hexes) for near in board.neighbours(hex))
    return [*hexes]


def _choose_board(random: Random, game: Game) -> Board:
    """Return a drawn board of the game, or now and then its paper map."""
    drawn = [board for board in map(game.board, game.board_names) if board.hexes]
    return random.choice([*drawn * 4, game.board("")])


def _choose_middle(random: Random, game: Game, board: Board) -> str:
    """Return a hex on land with all its neighbours, or if there is none any hex."""
    if not board.hexes:
        return board.place(habits(game.id).middle or board.grid.name(board.grid.middle))
    hexes = sorted(board.hexes)
    for at in random.sample(hexes, len(hexes)):
        near = around(board, at, 1)
        if len(near) == 7 and all(_terrain(board, hex) not in ("sea", "high-mountain", "") for hex in near):
            return at
    return random.choice(hexes)


def _terrain(board: Board, hex: str) -> str:
    known = board.fact("terrain", hex)
    return str(known.value) if known else ""


def _set_frame(
    random: Random, game: Game, board: Board, scene: Scene, attacker: str, *, moves: bool, complete: bool
) -> None:
    """State the board, what is trusted, turn and phase, and at times what holds elsewhere."""
    known = habits(game.id)
    scene.lines += [f"board {board.name}"] if board.name else []
    if trusted := [kind for kind in ("charts", "counters") if complete or random.random() < 0.5]:
        scene.lines.append(f"trust {' '.join(trusted)}")
    scene.lines += ["own map"] if random.random() < 0.25 else []
    scene.settings["turn"] = random.choice(known.turns)
    if random.random() < 0.6:
        phase = known.move if moves == (random.random() < 0.9) else known.attack
        scene.settings |= {"phase": phase} if phase else {}
        scene.settings["phasing"] = attacker if random.random() < 0.8 else random.choice(sorted(game.file.sides))
    if random.random() < 0.25:
        ground = [track for on in ("hex", "hexside") for track in _ground_tracks(game, on) if track.absent is None]
        words = [track.word(track.check(track.parse(track.values[0]))) for track in ground if random.random() < 0.7]
        scene.lines += [f"elsewhere {' '.join(words)}"] if words else []


def _ground_tracks(game: Game, on: str) -> list[Track]:
    """Return the tracks of what the map prints in a hex or on a hexside."""
    return [track for track in game.tracks.values() if track.on == on and track.printed == "map" and track.values]


def _place_units(
    random: Random,
    game: Game,
    board: Board,
    scene: Scene,
    at: str,
    sides: tuple[str, str],
    size: Size,
    *,
    complete: bool,
) -> None:
    """Place units of the roster in a hex and around it. `sides`: the one that attacks the hex, and the one that defends it."""
    attacker, defender = sides
    near = board.neighbours(at)
    others = [hex for hex in around(board, at, 3) if hex not in near and hex != at]
    front = random.sample(near, min(len(near), random.randint(1, size.front)))
    beyond = random.sample(others, min(len(others), random.choice((0, size.beyond // 2, size.beyond))))
    places = {at: (defender, size.stack), **dict.fromkeys(front, (attacker, size.stack))}
    places |= {hex: (random.choice(sides), 1) for hex in beyond}
    free = {side: _list_units(random, game, side) for side in sides}
    for hex, (side, most) in places.items():
        fighting, trains = free[side]
        fights = hex == at or hex in near or random.random() < 0.3
        for _ in range(random.randint(1, most)):
            units = fighting if fights and random.random() < 0.9 else trains
            if units:
                scene.units[units.pop()] = {"place": hex, **_draw_ratings(random, game, complete=complete)}


def _list_units(random: Random, game: Game, side: str) -> tuple[list[str], list[str]]:
    """Return the units of the roster on a side in any order: those that fight, and the others."""
    nations, picture = game.file.sides[side], game.file.picture
    fighting, others = list[str](), list[str]()
    for name, facts in game.roster.items():
        nation, arm = (next(iter(facts.get(track, ())), None) for track in (picture.nation, picture.symbol))
        if nation and nation.value in nations:
            fights = arm is not None and arm.value in FIGHTING and (nation.source in CERTAIN or random.random() < 0.1)
            (fighting if fights else others).append(name)
    random.shuffle(fighting)
    random.shuffle(others)
    return fighting, others


def _draw_ratings(random: Random, game: Game, *, complete: bool) -> Facts:
    """Return the ratings of a unit as they are typed: all of them, some, or none."""
    if complete:
        return {track: str(random.randint(1, 9)) for track in game.file.notation.brackets}
    if random.random() < 0.2:
        return {}
    values = ("?", f"{random.randint(1, 9)}?", *[str(random.randint(1, 9))] * 20)
    return {track: random.choice(values) for track in game.file.notation.brackets}


def _lay_ground(random: Random, game: Game, board: Board, scene: Scene, at: str, far: int) -> None:
    """State some of the ground around a hex: as it is drawn, otherwise, or assumed."""
    hexes = around(board, at, far)
    sides = dict.fromkeys(pair(hex, near) for hex in hexes for near in board.neighbours(hex) if near in hexes)
    share = random.choice((0.0, 0.15, 0.5, 0.95))

    def draw(on: str, subject: str) -> dict[str, Any]:
        stated = [track for track in _ground_tracks(game, on)[:TRACKS] if random.random() < share]
        return {"words": [_draw_word(random, board, track, subject) for track in stated]} if stated else {}

    scene.hexes = {hex: draw("hex", hex) for hex in hexes}
    scene.sides = {side: draw("hexside", "|".join(side)) for side in sides}


def _draw_word(random: Random, board: Board, track: Track, subject: str) -> str:
    """Return a value of a track as a word: most often the first one, or that of the board."""
    drawn = board.fact(track.name, subject)
    usual = drawn.value if drawn and random.random() < 0.5 else track.parse(track.values[0])
    value = usual if random.random() < 0.7 else track.parse(random.choice(track.values))
    return track.word(track.check(value)) + ("?" if random.random() < 0.15 else "")
