"""A board as large as the whole map of a campaign: read from its files, and read again for a question."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from functools import partial
from importlib.resources.abc import Traversable
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory
from unittest.mock import patch

import assistant
import twilight_in_the_east
from assistant.formats.notation import read_notation
from assistant.game.boards import load_board, read_board
from assistant.game.boards.features import Basis, HexChain
from assistant.game.boards.write_lines import write_chain
from assistant.game.games import Game, read_game
from assistant.game.hexes import Corner, Hex, HexGrid
from assistant.installed.registry import load_game
from assistant.state.state import hexside
from assistant.state.tracks import Source
from assistant.util.errors import Where
from benchmarks.measuring import Bench, Goal, Row, Table, warm

POSITION = """game {game}
board all
trust counters
turn=5
{unit}: russian infantry 22/1
{train}: "Russian 1 Train"
ask supply unit=22/1
"""


def table(bench: Bench) -> Table:
    """A board as large as the whole map: from its files, from the cache, and a question that is asked of it."""
    sizes = bench.sizes
    with TemporaryDirectory() as folder, patch.dict(os.environ, FIELD_STAFF_CACHE=str(Path(folder) / "cache")):
        at = Path(folder) / "twilight-in-the-east"
        game = made_up(at, sizes.columns, sizes.rows)
        rows = [
            *_reading("", game, at / "boards" / "all", sizes.runs),
            Row("supply of a unit on this board, from the cache to the verdict", warm(_question(game), sizes.runs)),
        ]
        twilight = load_game("twilight-in-the-east")
        rows += _reading("the eastern board: ", twilight, twilight.folder.joinpath("boards", "east"), sizes.runs)
    about = (
        "In one process. One board is invented: as large as the whole map of *Twilight in the East*, with as many "
        "rivers, railways and roads; the eastern one also states for each hex its controller and its country. No "
        "other program reads such files, so there is no peer."
    )
    return Table("Boards", about, rows)


def _reading(called: str, game: Game, folder: Traversable, runs: int) -> list[Row]:
    """A board from its files and from the cache."""
    board = load_board(folder, game.tracks)
    what = f"{called}{len(board.hexes):,} hexes, {len(board.facts):,} facts"
    read, loaded = (warm(partial(way, folder, game.tracks), runs) for way in (read_board, load_board))
    return [
        Row(f"{what}, read from {'its' if called else 'their'} files", read, goal=Goal(below=0.5)),
        Row(f"{what}, from the cache", loaded, goal=Goal(below=0.02)),
    ]


def _question(game: Game) -> Callable[[], object]:
    """Asks for the supply of a unit on the board, which is loaded anew each time."""
    grid = game.file.grid
    middle = Hex(grid.columns[0] + 3, FIRST + 3)
    unit, train = grid.name(middle), grid.name(grid.around(middle)["N"])
    text = POSITION.format(game=game.id, unit=unit, train=train).encode()

    def ask() -> object:
        fresh = read_game(game.id, game.folder)
        position = read_notation(text, "start.pos", lambda _: fresh)
        return assistant.ask(position, "supply")

    return ask


LETTERS = {"c": "clear", "r": "rough", "w": "wetlands", "m": "mountain"}
FIRST = 12
"""The number of the first row."""
USUAL = Basis(Source.DRAWN)
HEAD = """title = "all of it"
source = "drawn"
whole = ["barrier", "rail", "road", "crossing"]

[grid]
orientation = "flat"
shifted = "odd"
columns_from = "east"
format = "{{column:02}}.{{row:02}}"
columns = [1, {columns}]
rows = [{first}, {last}]

[terrain]
"""


def made_up(folder: Path, columns: int, rows: int) -> Game:
    """A game in a folder with a board "all" of random ground, the same one every time: rivers, railways and roads as dense as on a
    map of that country."""
    drawn, last = random.Random(1914), FIRST + rows - 1
    copytree(Path(next(iter(twilight_in_the_east.__path__))), folder, ignore=lambda *_: ["boards", "examples"])
    board = folder / "boards" / "all"
    board.mkdir(parents=True)
    head = HEAD.format(columns=columns, first=FIRST, last=last) + "".join(
        f'{letter} = "{word}"\n' for letter, word in LETTERS.items()
    )
    (board / "board.toml").write_text(head, "utf-8")
    across = range(columns, 0, -1)
    lines = ["   " + " ".join(f"{column:02}" for column in across)]
    for row in range(FIRST, last + 1):
        lines.append(f"{row:02} " + " ".join(f"{drawn.choices([*LETTERS], (7, 2, 1, 1))[0]} " for _ in across).rstrip())
    (board / "terrain.txt").write_text("\n".join(lines) + "\n", "utf-8")
    game = read_game("twilight-in-the-east", folder)
    grid = HexGrid(
        shifted="odd", columns_from="east", format="{column:02}.{row:02}", columns=(1, columns), rows=(FIRST, last)
    )
    size = columns * rows
    for name, chains in (
        ("rivers", _rivers(grid, drawn, size * 45 // 100)),
        ("railways", _ways(grid, drawn, size * 40 // 100, ("rail", ("rail1", "rail2")), "line")),
        ("roads", _ways(grid, drawn, size * 20 // 100, ("road", ("road",)), "road")),
    ):
        entries = [write_chain(chain, game.tracks, USUAL) for chain in chains]
        (board / f"{name}.lines").write_text("\n".join(entries) + "\n", "utf-8")
    return game


def _rivers(grid: HexGrid, drawn: random.Random, sides: int) -> Iterator[HexChain]:
    """Rivers that wander along hexsides, until so many are used."""
    ends: dict[Corner, list[tuple[str, Corner]]] = {}
    for at in _hexes(grid):
        for other in grid.neighbours(at).values():
            if at < other:
                one, two = grid.corners(at, other)
                name = hexside(grid.name(at), grid.name(other))
                ends.setdefault(one, []).append((name, two))
                ends.setdefault(two, []).append((name, one))
    corners, used, count = sorted(ends), set[str](), 0
    while len(used) < sides:
        at, path = drawn.choice(corners), list[str]()
        for _ in range(drawn.randint(5, 60)):
            free = [way for way in ends[at] if way[0] not in used]
            if not free:
                break
            side, at = drawn.choice(free)
            used.add(side)
            path.append(side)
        if path:
            count += 1
            word = drawn.choice(("minor-river", "minor-river", "major-river"))
            yield _chain(f"River {count}", ("barrier", (word,)), path, along=True)


def _ways(
    grid: HexGrid, drawn: random.Random, links: int, choice: tuple[str, tuple[str, ...]], name: str
) -> Iterator[HexChain]:
    """Railways or roads that wander from hex to hex, until so many links are used."""
    hexes, used, count = list(_hexes(grid)), set[str](), 0
    track, words = choice
    while len(used) < links:
        at = drawn.choice(hexes)
        path = [grid.name(at)]
        course = drawn.randrange(6)
        for _ in range(drawn.randint(5, 60)):
            course = (course + drawn.choice((-1, 0, 0, 0, 1))) % 6
            other = [*grid.around(at).values()][course]
            side = hexside(grid.name(at), grid.name(other))
            if not grid.holds(other) or side in used:
                break
            used.add(side)
            at = other
            path.append(grid.name(at))
        if len(path) > 1:
            count += 1
            yield _chain(f"{name} {count}", (track, drawn.choice(words)), path, along=False)


def _hexes(grid: HexGrid) -> Iterator[Hex]:
    (first, last), (top, bottom) = grid.columns, grid.rows
    return (Hex(column, row) for column in range(first, last + 1) for row in range(top, bottom + 1))


def _chain(name: str, fact: tuple[str, str | tuple[str, ...]], path: list[str], *, along: bool) -> HexChain:
    return HexChain(name=name, facts=(fact,), along=along, path=tuple(path), basis=USUAL, where=Where(""))
