"""What the packages of the games hold and where it is from: the tables in docs/explanation/sources.md, from the data.

Each data file belongs to one of KINDS; a test finds a file that belongs to none.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Mapping
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

from assistant.formats.positions import Position
from assistant.game.games import Game
from assistant.installed.formats import read_position
from assistant.installed.registry import installed_games, make_game_loader
from assistant.state.tracks import Source
from assistant.util.datafiles import read_data

PLUGINS = Path(__file__).parent.parent / "plugins"


class Kind(NamedTuple):
    """A kind of data file."""

    files: tuple[str, ...]
    """Patterns of paths in the folder of a game."""
    holds: str
    source: str


CHARTS = Kind(("charts/*.csv",), "cells of charts", "stated for each cell")
COUNTERS = Kind(("roster/*.csv",), "names and figures of units", "stated for each file in `game.toml`")
MAPS = Kind(
    ("boards/*/*.csv", "boards/*/*.lines", "boards/*/*.txt", "boards/*/board.toml"),
    "ground and places by hex",
    "stated for each layer or line",
)
TURNS = Kind(("turns.csv",), "the turn record: dates, seasons, events", "stated for each row")
TABLES = Kind(
    ("schedules/*.csv", "tables/*.csv", "scenarios/*.csv", "setups/*.csv", "results.csv", "dice.csv"),
    "arrivals, tables of the rules, results of combats and dice, orders of battle; most rows name their rule",
    "the rulebook, in our words",
)
SETUPS = Kind(
    ("setups/*.pos",),
    "units in their places",
    "the rulebook, except a set-up of general history, and a Train in an example",
)
KINDS = (
    CHARTS,
    COUNTERS,
    MAPS,
    TURNS,
    TABLES,
    SETUPS,
    Kind(
        ("rules.csv", "rulings.csv", "chart_facts.csv"),
        "the number and a title of each rule, doubtful places, what the rules say of charts",
        "the rulebook, in our words",
    ),
    Kind(
        (
            "game.toml",
            "tracks.toml",
            "course.toml",
            "events.toml",
            "charts.toml",
            "phrases.toml",
            "search.toml",
            "messages.toml",
        ),
        "what can be stated, the sequence of play, headings of charts, words of answers",
        "our own; terms and bounds are the rulebook's",
    ),
    Kind(("examples/*",), "positions to try", "examples of the rulebook, or made up"),
    Kind(
        ("examples.toml",),
        "worked examples with their figures, for lessons and other programs",
        "the rulebook, in our words, or our own where it says so",
    ),
    Kind(
        ("proofs.toml",),
        "worked cases of rules and words for rows, for proof sheets",
        "our tests, or made up for the sheets",
    ),
    Kind(("counters.toml", "symbols/*.svg"), "how counters look", "our own"),
    Kind(("README.md", "boards/*/SOURCES.md"), "what is where", "our own"),
)
OF_HISTORY = "19-august-1914"
"""The only set-up from general history: it is in no rulebook."""
ADDED = {"comprehensive-example": 1}
"""The number of units that the project adds to the set-up of an example of the rulebook."""
COLUMNS: Mapping[str, tuple[Source, ...]] = {
    "rulebook": (Source.RULEBOOK,),
    "rebuilt": (Source.RECONSTRUCTION,),
    "made up": (Source.MADE_UP, Source.ILLUSTRATIVE),
    "drawn": (Source.DRAWN,),
}


def data_files() -> Iterator[tuple[str, str]]:
    """The folder of each game, and the path in it of each of its files that is not code."""
    for file in sorted(PLUGINS.rglob("*")):
        if file.is_file() and file.suffix not in (".py", ".pyc") and file.name != "py.typed":
            game, *path = file.relative_to(PLUGINS).parts
            yield game, "/".join(path)


def kinds_of(path: str) -> list[Kind]:
    """The kinds to which a file belongs: one."""
    return [kind for kind in KINDS if any(_matches(path, pattern) for pattern in kind.files)]


def _matches(path: str, pattern: str) -> bool:
    return fnmatch(path, pattern) and path.count("/") == pattern.count("/")


def write_files() -> str:
    """The table of the kinds of files."""
    rows = [f"| {', '.join(f'`{name}`' for name in kind.files)} | {kind.holds} | {kind.source} |" for kind in KINDS]
    return "\n".join(["| files | hold | from |", "| --- | --- | --- |", *rows])


def write_contents() -> str:
    """The table of what each game holds, counted by source."""
    lines = [f"| | {' | '.join(COLUMNS)} |", f"| --- |{' --- |' * len(COLUMNS)}"]
    for name in installed_games():
        game = make_game_loader(pack="none")(name)
        lines.append(f"| ***{game.title}*** |{' |' * len(COLUMNS)}")
        for what, counts in contents_of(game):
            if not counts.total():
                continue
            cells = (sum(counts[source] for source in sources) for sources in COLUMNS.values())
            lines.append(f"| {what} | {' | '.join(f'{cell:,}' if cell else '' for cell in cells)} |")
    return "\n".join(lines)


def contents_of(game: Game) -> Iterator[tuple[str, Counter[Source]]]:
    """What a game holds, each with how much of it there is from each source."""
    for chart in game.charts.values():
        yield f"cells: {chart.title}", Counter(cell.source for cell in chart.cells.values())
    yield "unit types", Counter(unit["nation"][0].source for unit in game.roster.values())
    facts = [(name, fact) for unit in game.roster.values() for name, known in unit.items() for fact in known]
    yield "figures of units", Counter(fact.source for name, fact in facts if game.tracks[name].kind == "integer")
    for name in game.board_names:
        board = game.board(name)
        ground = Counter(place.basis.source for place in board.places)
        for counts in board.sources.values():
            ground.update(counts)
        yield f"hexes, hexsides, places: {board.title}", ground
    folder = Path(str(game.folder))
    rows = [row for file in files_of(folder, TURNS) for row in _rows(file)]
    yield "turn record, rows", Counter(Source(row["source"]) for row in rows)
    count = sum(len(_rows(file)) for file in files_of(folder, TABLES))
    yield "schedules and tables, rows", Counter({Source.RULEBOOK: count})
    units = Counter[Source]()
    for file in files_of(folder, SETUPS):
        count = len(_position(file).state.units)
        added = count if file.stem == OF_HISTORY else ADDED.get(file.stem, 0)
        units += Counter({Source.RULEBOOK: count - added, Source.ILLUSTRATIVE: added})
    yield "set-ups, units", units


def files_of(folder: Path, kind: Kind) -> list[Path]:
    """The files of a kind in the folder of a game."""
    return sorted(file for pattern in kind.files for file in folder.glob(pattern))


def _rows(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def _position(file: Path) -> Position:
    return read_position(str(file), read_data(file), make_game_loader(pack="none"))
