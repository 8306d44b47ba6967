"""Random positions as lines of notation, half of their ground typed, and a question about each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from assistant.formats.notation import read_notation
from assistant.game.boards import Board
from assistant.game.games import Game
from assistant.installed.registry import load_game
from assistant.state.state import hexside
from assistant.state.tracks import CERTAIN, Fact, Track
from assistant.util.errors import InputError

GAMES = ("twilight-in-the-east", "kaisers-war-in-the-east", "world-undone-east-prussia-1914")
QUESTIONS = ("battle", "supply", "need", "battle", "reach", "threat")
_FIGHTING = ("infantry", "cavalry")
_PAPER_HEXES = {
    "twilight-in-the-east": "42.21",
    "kaisers-war-in-the-east": "2620",
    "world-undone-east-prussia-1914": "4724",
}
"""A hex of each map around which units stand where no board is drawn."""
_COLUMNS = {
    "twilight-in-the-east": ("1:1", "3:1"),
    "kaisers-war-in-the-east": ("100", "150"),
    "world-undone-east-prussia-1914": ("1:1", "2:1"),
}
_TURNS = {
    "twilight-in-the-east": (1, 3, 5),
    "kaisers-war-in-the-east": (2, 3, 6),
    "world-undone-east-prussia-1914": (1, 3, 8),
}
_PHASES = {
    "twilight-in-the-east": ("attack", "movement"),
    "kaisers-war-in-the-east": (),
    "world-undone-east-prussia-1914": ("first-combat", "first-movement"),
}
"""Of each game that states its phases, one in which units attack and one in which they move."""
_REACH = 2
"""How far around the hex that is attacked the ground is typed, in hexes."""


class World(NamedTuple):
    """A position with a question. lines: that state it; question: its name; parameters: as they are typed; is_short:
    whether they are typed in short at the prompt.
    """

    game: Game
    lines: tuple[str, ...]
    question: str
    parameters: dict[str, str]
    is_short: bool = False

    @property
    def ask(self) -> str:
        """The line that asks the question."""
        return " ".join(["ask", self.question, *(f'{name}="{value}"' for name, value in self.parameters.items())])

    @property
    def typed(self) -> str:
        """What asks it at the prompt: a combat by its hexes, any other question by its name."""
        if not self.is_short:
            return self.ask
        others = dict(self.parameters)
        words = [self.question]
        if self.question == "battle" and "from" in others:
            words = [others.pop("at"), "<", *others.pop("from").split(",")]
        return " ".join([*words, *(f'{name}="{value}"' for name, value in others.items())])

    def text(self, *more: str) -> str:
        """The file. more: further lines."""
        return "\n".join([f"game {self.game.id}", *self.lines, *more, self.ask, ""])


def made(number: int, seed: int) -> World:
    """One random world, the same for the same number and seed."""
    random = Random(f"{seed}/{number}")
    game = load_game(GAMES[number % len(GAMES)])
    question = QUESTIONS[number // len(GAMES) % len(QUESTIONS)]
    board = _board(game, random)
    at = _middle(game, board, random)
    attacker, defender = random.sample(sorted(game.file.sides), 2)
    stacks = _stacks(game, board, at, (attacker, defender), random)
    lines = [*_frame(game, question, board, attacker, random), *stacks.values(), *_ground(game, board, at, random)]
    kept = _understood(game, lines)
    parameters = _parameters(game, question, at, stacks, random)
    is_short = random.random() < 0.5 and all(line in kept for line in stacks.values())
    return World(game, tuple(kept), question, parameters, is_short)


def _board(game: Game, random: Random) -> Board:
    """A drawn board of the game, or its paper map."""
    drawn = [board for board in map(game.board, game.board_names) if board.hexes]
    return random.choice([*drawn * 4, game.board("")])


def _middle(game: Game, board: Board, random: Random) -> str:
    """A hex on land with its neighbours."""
    if not board.hexes:
        return board.place(_PAPER_HEXES[game.id])
    hexes = sorted(board.hexes)
    while True:
        at = random.choice(hexes)
        near = _around(board, at, 1)
        if len(near) == 7 and all(_terrain(board, hex) not in ("sea", "high-mountain", "") for hex in near):
            return at


def _terrain(board: Board, hex: str) -> str:
    known = board.fact("terrain", hex)
    return str(known.value) if known else ""


def _around(board: Board, at: str, far: int) -> list[str]:
    """The hexes so far from another one, that one first."""
    hexes = dict.fromkeys([at])
    for _ in range(far):
        hexes |= dict.fromkeys(near for hex in list(hexes) for near in board.neighbours(hex))
    return [*hexes]


def _frame(game: Game, question: str, board: Board, attacker: str, random: Random) -> Iterator[str]:
    """The board, what is trusted, turn and phase, and at times what holds elsewhere."""
    if board.name:
        yield f"board {board.name}"
    if trusted := [kind for kind in ("charts", "counters") if random.random() < 0.5]:
        yield f"trust {' '.join(trusted)}"
    if random.random() < 0.25:
        yield "own map"
    yield f"turn={random.choice(_TURNS[game.id])}"
    if random.random() < 0.6:
        now = question not in ("battle", "need") if random.random() < 0.9 else question == "battle"
        phase = [f"phase={_PHASES[game.id][now]}"] if _PHASES[game.id] else []
        phasing = attacker if random.random() < 0.8 else random.choice(sorted(game.file.sides))
        yield " ".join([*phase, f"phasing={phasing}"])
    if random.random() < 0.25:
        ground = [track for track in game.tracks.values() if track.on in ("hex", "hexside") and track.absent is None]
        usual = [track for track in ground if track.values and track.printed == "map"]
        words = [track.word(track.check(track.parse(track.values[0]))) for track in usual if random.random() < 0.7]
        yield f"elsewhere {' '.join(words)}" if words else ""


def _stacks(game: Game, board: Board, at: str, sides: tuple[str, str], random: Random) -> dict[str, str]:
    """The units that stand in a hex and around it, by place: each a line. sides: that attacks, and that defends."""
    attacker, defender = sides
    near = board.neighbours(at)
    beyond = [hex for hex in _around(board, at, 3) if hex not in near and hex != at]
    places = {at: (defender, 2), **dict.fromkeys(random.sample(near, random.choice((1, 1, 2, 3))), (attacker, 2))}
    places |= {hex: (random.choice((attacker, defender)), 1) for hex in random.sample(beyond, random.choice((0, 2, 4)))}
    free = {side: _units_of(game, side, random) for side in (attacker, defender)}
    stacks = dict[str, str]()
    for hex, (side, most) in places.items():
        fighting, others = free[side]
        fights = hex == at or hex in near or random.random() < 0.3
        chosen = [(fighting if fights and random.random() < 0.9 else others) for _ in range(random.randint(1, most))]
        stacks[hex] = f"{hex}: {', '.join(_unit(game, units.pop(), random) for units in chosen)}"
    return stacks


def _units_of(game: Game, side: str, random: Random) -> tuple[list[str], list[str]]:
    """The units of the roster on a side in any order: those that fight, and the others."""
    nations, picture = game.file.sides[side], game.file.picture
    fighting, others = list[str](), list[str]()
    for name, facts in game.roster.items():
        nation, arm = (next(iter(facts.get(track, ())), None) for track in (picture.nation, picture.symbol))
        if nation and nation.value in nations:
            fights = arm is not None and arm.value in _FIGHTING and (nation.source in CERTAIN or random.random() < 0.1)
            (fighting if fights else others).append(name)
    random.shuffle(fighting)
    random.shuffle(others)
    return fighting, others


def _unit(game: Game, name: str, random: Random) -> str:
    """A unit as it is typed: with all of its ratings, with some, or with none."""
    written = f'"{name}"'
    if random.random() < 0.2:
        return written
    ratings = [
        random.choice(("?", f"{random.randint(1, 9)}?", *[str(random.randint(1, 9))] * 20))
        for _ in game.file.notation.brackets
    ]
    return f"{written} ({'-'.join(ratings)})"


def _ground(game: Game, board: Board, at: str, random: Random) -> Iterator[str]:
    """Some of the ground around a hex: as it is drawn, otherwise, or assumed."""
    hexes = _around(board, at, _REACH)
    sides = dict.fromkeys(hexside(hex, near) for hex in hexes for near in board.neighbours(hex) if near in hexes)
    share = random.choice((0.0, 0.15, 0.5, 0.95))
    for on, subjects in (("hex", hexes), ("hexside", [*sides])):
        tracks = [track for track in game.tracks.values() if track.on == on and track.printed == "map" and track.values]
        for subject in subjects:
            typed = [track for track in tracks[:4] if random.random() < share]
            if words := [_word(board, track, subject, random) for track in typed]:
                yield f"{subject} {' '.join(words)}"


def _word(board: Board, track: Track, subject: str, random: Random) -> str:
    """A value of a track, most often the first one, or that of the board."""
    drawn: Fact | None = board.fact(track.name, subject)
    usual = drawn.value if drawn and random.random() < 0.5 else track.parse(track.values[0])
    value = usual if random.random() < 0.7 else track.parse(random.choice(track.values))
    return track.word(track.check(value)) + ("?" if random.random() < 0.15 else "")


def _parameters(game: Game, question: str, at: str, stacks: dict[str, str], random: Random) -> dict[str, str]:
    """The parameters of a question about a hex that is attacked, and the units there."""
    others = [hex for hex in stacks if hex != at]
    unit = stacks[random.choice([*stacks])].partition(": ")[2].partition(",")[0].partition(" (")[0].strip('"')
    side = random.choice(sorted(game.file.sides))
    match question:
        case "battle":
            from_ = [hex for hex in others if hex in game.board("").neighbours(at)]
            asked = {"at": at} | ({"from": ",".join(from_)} if random.random() < 0.6 else {})
            return asked | (
                {"attacker-ap": "none", "defender-ap": "none"} if game.id == GAMES[0] and random.random() < 0.4 else {}
            )
        case "need":
            return {"at": at, "column": random.choice(_COLUMNS[game.id])}
        case "supply":
            return random.choice(({"unit": unit}, {"side": side}))
        case "reach":
            return {"units" if game.id == GAMES[0] else "unit": unit}
        case _:
            return random.choice(({"at": at}, {"side": side}))


def _understood(game: Game, lines: Sequence[str]) -> list[str]:
    """The lines that a file may hold."""
    kept = [line for line in lines if line]
    while True:
        try:
            read_notation("\n".join([f"game {game.id}", *kept]).encode(), "world.pos", load_game)
            return kept
        except InputError as error:
            if not (error.where and error.where.line > 1):
                raise
            del kept[error.where.line - 2]
