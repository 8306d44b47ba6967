"""A journal of a front whose units move about, read and folded."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from assistant import parse
from assistant.asking.view import View
from assistant.game.course import course_file
from assistant.game.turn_record import read_calendar
from assistant.installed.registry import load_game
from assistant.records.journal.journal import Journal, write_head
from assistant.records.journal.journal_file import JournalFile
from assistant.util.errors import quoted
from benchmarks.cold import GAME
from benchmarks.front import front_line
from benchmarks.measuring import TIMES, Bench, Row, always, least


def rows(bench: Bench) -> Iterator[Row]:
    """A journal with nothing known of it before: what is read, and what its entries come to."""
    units, entries = bench.sizes.units, bench.sizes.entries
    with TemporaryDirectory() as name:
        long, short = (front_file(Path(name, f"{n}.journal"), units, n) for n in (entries, entries // TIMES))
        folded, fewer, read = least(bench.sizes.runs, always(fold(long)), always(fold(short)), always(reader(long)))
    what = f"a journal of {entries:,} entries of a front of {units} units, read and folded"
    yield Row(what, "read alone", folded, read, 3, smaller=fewer)


def reader(file: Path) -> Callable[[], Journal]:
    """Reads a journal as a program does that has not seen it before."""
    return lambda: JournalFile(file, load_game).read()


def fold(file: Path) -> Callable[[], object]:
    """Reads a journal, and what its entries come to in the end."""
    return lambda: reader(file)().position()


def front_file(file: Path, units: int, entries: int) -> Path:
    """A journal whose entries move a unit to another one of its side, or state a loss, turn for turn."""
    game = load_game(GAME)
    drawn, start = random.Random(1914), parse(front_line(game, units))
    names, side_of = [*start.state.units], View(game, start.state).side_of
    places = {unit.id: unit.place for unit in start.state.units.values()}
    calendar = read_calendar(game, course_file(game))
    first = calendar.number(str(start.state.value("turn")))
    lines = [write_head(game, start, "")]
    for number in range(entries):
        unit, mate = drawn.choice(names), drawn.choice(names)
        what = f"{quoted(unit)} {game.file.picture.less}={drawn.randint(0, 1)}"
        if side_of(unit) == side_of(mate) and places[unit] != places[mate]:
            places[unit] = places[mate]
            what = f"{places[unit]}: {quoted(unit)}"
        turn = calendar.label(first + (calendar.last - first) * number // entries)
        lines.append(f"{number + 1} {turn} fact {what}\n")
    file.write_text("".join(lines), "utf-8")
    return file
