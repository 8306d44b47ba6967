"""The commands `check` and `check-changed`: what a game's files hold, and what is wrong in them."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import lru_cache, partial
from pathlib import Path

import click

from assistant.drawing.faces import Faces
from assistant.faces.cli.group import GameCommand
from assistant.faces.prompt.search import search_faults
from assistant.game.gamefile import tracks_of_hiding
from assistant.game.games import Game
from assistant.game.lint.boards import board_remarks
from assistant.game.lint.tables import chart_remarks
from assistant.game.rule_faults import rule_remarks
from assistant.installed.check import examine_game
from assistant.records.examples import example_faults
from assistant.rules.clauses.unmet import unmet_remarks
from assistant.util.console import echo, format_count, show_working
from assistant.util.errors import InputError, plain

from .aids.turn_sheet import journal_faults
from .counters.checks import counter_faults, counter_remarks
from .counters.look_checks import look_faults, look_remarks
from .vassal.module import module_faults

FAULTY_EXIT_CODE = 1


@click.command("check", cls=GameCommand)
@click.argument("game")
def check(game: str) -> None:
    """Read all files of a GAME (an id or a folder), and say what is in them, or every mistake in a line (exit code 1).

    After the count come the share of each board that is known from each source, and oddities that need not be mistakes.
    Examples are a gap in a river, a name too long for its counter, and a question that no example asks.
    """
    if not _check_and_report(game):
        sys.exit(FAULTY_EXIT_CODE)


@click.command("check-changed", cls=GameCommand)
@click.argument("files", nargs=-1, type=click.Path(path_type=Path, readable=False))
def check_changed(files: tuple[Path, ...]) -> None:
    """Check each game that one of these FILES belongs to: the nearest folder above it with a game.toml. Files of no
    game are ignored.

    For hooks that run before a commit. Exit code 1 if a game has mistakes.
    """
    sound = True
    games = dict.fromkeys(_game_above(file.absolute()) for file in files)
    for folder in filter(None, games):
        try:
            sound &= _check_and_report(str(folder))
        except InputError as error:
            echo(f"module-builder: {error}", err=True)
            sound = False
    if not sound:
        sys.exit(FAULTY_EXIT_CODE)


def _game_above(file: Path) -> Path | None:
    """Return the nearest folder above a file that contains a game, or None if there is none."""
    return next((folder for folder in file.parents if (folder / "game.toml").is_file()), None)


def _check_and_report(game: str) -> bool:
    """Print the mistakes of a game, or its contents if it has none. Returns whether it has none."""
    # Cached, because both the mistakes and the remarks need the faces.
    faces_of = lru_cache(1)(partial(Faces, drawn=False))

    def find_more(read: Game) -> Iterable[InputError]:
        faces = faces_of(read)
        yield from (*counter_faults(read), *look_faults(read, faces), *module_faults(read, faces))
        yield from (*journal_faults(read), *search_faults(read), *example_faults(read))

    with show_working("checking"):
        checked = examine_game(game, find_more)
    loaded, faults = checked.game, checked.faults
    if faults or loaded is None:
        count = format_count(len(faults), "mistake")
        echo(f"{checked.title}: {f'the first {count}; correct these, and check again' if faults.more else count}")
        for fault in faults.lines:
            echo(f"module-builder: {fault}", err=True)
        return False
    counts = [
        (len(loaded.tracks.keys() - tracks_of_hiding(loaded.file, loaded.tracks).keys()), "track"),
        (len(loaded.counters), "unit type"),
        *([(total, "counter")] if (total := sum(loaded.counters.values())) > len(loaded.counters) else []),
        (len(loaded.charts), "chart"),
        (len(loaded.rulings), "ruling"),
        (len(loaded.board_names), "board"),
    ]
    echo(plain(f"{loaded.title}: {', '.join(format_count(count, what) for count, what in counts)}"))
    with show_working("checking"):
        remarked = [
            *board_remarks(loaded),
            *chart_remarks(loaded),
            *rule_remarks(loaded),
            *unmet_remarks(loaded),
            *look_remarks(loaded, faces_of(loaded)),
            *counter_remarks(loaded, faces_of(loaded)),
        ]
    for remark in remarked:
        echo(plain(remark))
    if checked.unasked:
        echo(plain(f"questions without an example: {', '.join(checked.unasked)}"))
    return True
