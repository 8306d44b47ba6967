"""The command `count`: the number of counters of each unit, written into a roster as saves need it."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from assistant.faces.cli.group import GameCommand
from assistant.formats.vassal.positions import legend_of
from assistant.formats.vassal.replay import replay
from assistant.formats.vassal.saves import read_save
from assistant.game.games import Game
from assistant.game.roster import COUNT, MAX_COPIES
from assistant.installed.registry import make_game_loader, named_game
from assistant.util.console import echo
from assistant.util.datafiles import find_separator, read_text
from assistant.util.errors import InputError, Where, located, plain
from assistant.util.files import read_bytes
from assistant.util.writing import write_whole

UNIT = "unit"


@click.command("count", cls=GameCommand)
@click.argument("game")
@click.argument("saves", nargs=-1, required=True, type=click.Path(path_type=Path, readable=False))
def count_command(game: str, saves: tuple[Path, ...]) -> None:
    """Write into the roster of a GAME's folder how many counters of each unit SAVES of its module have in play.

    Palettes never end, so that a save may have more counters of a unit than the set-ups had. Counts only rise.
    """
    loaded = named_game(game)
    if not loaded.home:
        what = f"{loaded.id} is an installed game, whose roster is not yours to change"
        raise InputError(what, where=Where(game), hint="name the folder of a game")
    found: Counter[str] = Counter()
    for save in saves:
        found |= count_counters(loaded, save)
    more = {type: count for type, count in found.items() if count > loaded.counters.get(type, count)}
    for type, count in more.items():
        if count > MAX_COPIES:
            raise InputError(f"{count} counters of {type}", where=Where(str(saves[0])), hint=f"at most {MAX_COPIES}")
    if not more:
        echo("the roster has a unit for each counter")
        return
    for name, text in raise_counts(Path(loaded.home), [file.file for file in loaded.file.roster], more).items():
        write_whole(Path(loaded.home, name), text.encode(), force=True)
    for type, count in more.items():
        echo(f"{plain(type)}: {count} counters")


def count_counters(game: Game, save: Path) -> Counter[str]:
    """Return the number of counters of each type that are in play in a save or at the end of a log.

    Raises InputError if it is not a save of a module of the game.
    """
    with located(Where(str(save))):
        state = replay(read_save(read_bytes(save)))
        legend = legend_of(state, make_game_loader(game))
        if legend.game.id != game.id:
            raise InputError(f"it is a game of {legend.game.title}", hint=f"name a save of {game.title}")
        placed = (piece for piece in state.pieces.values() if legend.place(piece.map, piece.at).name)
        units = (legend.units_of(piece)[:1] for piece in placed)
        return Counter(game.type_of(unit) for some in units for unit in some)


def raise_counts(folder: Path, files: Sequence[str], counts: Mapping[str, int]) -> dict[str, str]:
    """Return the changed files of a roster as text, by name.

    `counts`: the new number of counters of each unit, which the first file that lists it gets.

    Raises InputError if no file lists a unit, or a file is no CSV.
    """
    changed: dict[str, str] = {}
    left = dict(counts)
    for name in files:
        if Path(name).suffix.lower() != ".csv":
            hint = "save it as CSV, and name that file in game.toml"
            raise InputError("counts are only written into CSV files", where=Where(str(folder / name)), hint=hint)
        text = read_text(folder / name, str(folder / name))
        separator = find_separator(text)
        head, *rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
        columns = [column.strip().lower() for column in head]
        at = columns.index(UNIT)
        if COUNT not in columns:
            columns.append(COUNT)
            head.append(COUNT)
        place = columns.index(COUNT)
        is_changed = False
        for row in rows:
            if len(row) > at and (count := left.pop(row[at].strip(), 0)):
                row += [""] * (len(columns) - len(row))
                row[place] = str(count)
                is_changed = True
        if is_changed:
            out = io.StringIO()
            writer = csv.writer(out, delimiter=separator, lineterminator="\n")
            writer.writerows([head, *(row + [""] * (len(head) - len(row)) if row else row for row in rows)])
            changed[name] = out.getvalue()
    return changed
