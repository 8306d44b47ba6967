"""Journals: the books of a whole campaign, and units on a map that move."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory

import assistant.faces.cli  # noqa: F401  which sets the garbage collector as commands have it
from assistant import parse
from assistant.asking.view import View
from assistant.faces.prompt.books import JournalSession
from assistant.formats.positions import Position
from assistant.game.course import course_file
from assistant.game.games import Game
from assistant.game.turn_record import read_calendar
from assistant.installed.registry import load_game
from assistant.records.journal.journal import Journal, JournalMoment, write_head
from assistant.records.journal.journal_file import JournalFile
from assistant.util.errors import quoted
from benchmarks.front import front_line
from benchmarks.measuring import Bench, Goal, Row, Table, cpu, module, peak, warm

CAMPAIGN, FRONT = "der-weltkrieg", "twilight-in-the-east"
TURN = "turn"
WIDE, TALL = 20, 25
"""The columns and rows of hexes in which each side of the campaign stands."""
ABOUT = """The books are made up: {entries} entries over the 411 turns of *Der Weltkrieg* for its twelve nations, some of them amended
or struck. Its map has {units} units of the roster, and as many entries, each of which moves a unit or states a loss; the front is of *Twilight
in the East*, as many units that bear ratings and stand at hexsides with terrain. A file is read with nothing known of it before; a
command is a whole process from a cold start."""
QUESTIONS = (("journal", "why", "{}", "dm", "ah"), ("journal", "due", "{}"), ("ask", "morale", "{}", "--who", "ru"))


def table(bench: Bench) -> Table:
    """Books, a map and a front: read, had again at an earlier moment, corrected, asked, gone on with."""
    with TemporaryDirectory() as name:
        rows = [
            *_of_books(bench, books_file(Path(name), bench.sizes.entries)),
            *_of_units(bench, map_file(Path(name), bench), "on a map", limited=True),
            *_of_units(bench, front_file(Path(name), bench), "of a front", limited=False),
        ]
    return Table("Journals", ABOUT.format(entries=f"{bench.sizes.entries:,}", units=bench.sizes.map_units), rows)


def _of_books(bench: Bench, file: Path) -> Iterator[Row]:
    runs, data, most = bench.sizes.runs, file.read_bytes(), 0.0

    def amend() -> None:
        file.write_bytes(data)
        JournalFile(file, load_game).add("amend 1 30")

    yield Row("books read and folded", warm(lambda: read(file).books, runs), goal=Goal(below=0.15))
    yield Row("their first entry amended, and what that changes", warm(amend, runs), goal=Goal(below=0.25))
    for words in QUESTIONS:
        command = module("assistant", *(word.format(file) for word in words))
        what = f"`assistant {' '.join(words).format('war.journal')}`"
        yield Row(what, cpu(command, bench.sizes.cold_runs), goal=Goal(below=0.3))
        most = max(most, peak(command) / 2**20)
    yield Row("the most memory that one of these commands takes", most, goal=Goal(below=60), unit="MiB")


def _of_units(bench: Bench, file: Path, where: str, *, limited: bool) -> Iterator[Row]:
    """limited: whether the goals hold for them."""
    runs, drawn, journal = bench.sizes.runs, random.Random(7), read(file)
    anew = iter([read(file) for _ in range(runs + 1)])
    earlier = iter([JournalMoment(entry=drawn.choice(journal.entries).number) for _ in range(runs + 1)])
    books = JournalSession(JournalFile(file, load_game), 80)
    lines = cycle(_loss(journal.game, unit, lost) for lost in (0, 1) for unit in journal.start.state.units)
    books.enter(next(lines))

    def goal(seconds: float) -> Goal | None:
        return Goal(below=seconds) if limited else None

    yield Row(f"entries of units {where} folded", warm(lambda: next(anew).books, runs), goal=goal(0.15))
    yield Row(
        f"an earlier state of units {where}", warm(lambda: journal.position(next(earlier)), runs), goal=goal(0.05)
    )
    yield Row(f"a line at the prompt, units {where}", warm(lambda: books.enter(next(lines)), runs), goal=goal(0.03))


def read(file: Path) -> Journal:
    """A journal as a program reads it that has not seen it before."""
    return JournalFile(file, load_game).read()


def _loss(game: Game, unit: str, lost: int) -> str:
    """A line that states what a unit has lost."""
    return f"{quoted(unit)} {game.file.picture.less}={lost}"


def books_file(folder: Path, entries: int) -> Path:
    """A campaign's journal: turn for turn what nations suffer, spend and receive, with a correction here and there."""
    drawn, game = random.Random(1914), load_game(CAMPAIGN)
    calendar = read_calendar(game, course_file(game))
    nations = [nation for side in game.file.sides.values() for nation in side]
    lines = [f"{nations[0]} dm 12"]
    for number in range(2, entries + 1):
        if drawn.random() < 0.03:
            target = drawn.randint(1, number - 1)
            is_amended = lines[target - 1].startswith(("amend", "strike"))
            lines.append(f"strike {target}" if is_amended else f"amend {target} {drawn.randint(1, 9)}")
        else:
            word = drawn.choice(("dm", "dm", "dm", "spend", "gain"))
            lines.append(f"{drawn.choice(nations)} {word} {drawn.randint(1, 4)}{' sp' if word == 'gain' else ''}")
    turns = sorted(drawn.randint(calendar.first, calendar.last) for _ in lines)
    return _written(folder / "war.journal", game, None, zip(turns, lines, strict=True))


def map_file(folder: Path, bench: Bench) -> Path:
    """A campaign's journal of units of the roster that move about."""
    game = load_game(CAMPAIGN)
    nation, count = game.file.picture.nation, dict.fromkeys(game.file.sides, 0)
    stacks: dict[str, list[str]] = {}
    for unit, facts in [*game.roster.items()][: bench.sizes.map_units]:
        side = game.side_of(str(facts[nation][0].value))
        column, row = divmod(count[side] // 2 % (WIDE * TALL), TALL)
        at = f"{column + 1 + (WIDE + 2) * [*count].index(side):02}{row + 1:02}"
        stacks.setdefault(at, []).append(quoted(unit))
        count[side] += 1
    lines = (f"{at}: {', '.join(units)}" for at, units in stacks.items())
    return _moving(folder / "map.journal", game, "\n".join([f"game {game.id}", *lines]), bench)


def front_file(folder: Path, bench: Bench) -> Path:
    """A journal of a front whose units move about."""
    game = load_game(FRONT)
    return _moving(folder / "front.journal", game, front_line(game, bench.sizes.map_units), bench)


def _moving(file: Path, game: Game, text: str, bench: Bench) -> Path:
    """A journal whose entries move a unit to another one of its side, or state a loss, turn for turn. text: its start."""
    drawn, start, entries = random.Random(1914), parse(text), bench.sizes.entries
    units, side_of = [*start.state.units], View(game, start.state).side_of
    places = {unit.id: unit.place for unit in start.state.units.values()}
    lines = list[str]()
    for _ in range(entries):
        unit, mate = drawn.choice(units), drawn.choice(units)
        if side_of(unit) == side_of(mate) and places[unit] != places[mate]:
            places[unit] = places[mate]
            lines.append(f"fact {places[unit]}: {quoted(unit)}")
        else:
            lines.append(f"fact {_loss(game, unit, drawn.randint(0, 1))}")
    calendar = read_calendar(game, course_file(game))
    stated = start.state.value(TURN)
    first = calendar.number(str(stated)) if stated else calendar.first
    turns = (first + (calendar.last - first) * number // entries for number in range(entries))
    return _written(file, game, start, zip(turns, lines, strict=True))


def _written(file: Path, game: Game, start: Position | None, entries: Iterable[tuple[int, str]]) -> Path:
    label = read_calendar(game, course_file(game)).label
    rows = (f"{number} {label(turn)} {what}\n" for number, (turn, what) in enumerate(entries, 1))
    file.write_text(write_head(game, start, "") + "".join(rows), "utf-8")
    return file
