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
from assistant.game.roster import ALIASES, COUNT, MAX_COPIES, UNIT, list_copies
from assistant.installed.registry import make_game_loader, named_game
from assistant.util.console import echo
from assistant.util.datafiles import find_separator, read_head, read_text
from assistant.util.errors import InputError, Where, located, plain
from assistant.util.files import read_bytes
from assistant.util.writing import write_whole


@click.command("count", cls=GameCommand)
@click.argument("game")
@click.argument("saves", nargs=-1, required=True, type=click.Path(path_type=Path, readable=False))
def count_command(game: str, saves: tuple[Path, ...]) -> None:
    """Write into the roster of a GAME's folder how many counters of each unit SAVES of its module have in play.

    Palettes never end, so that a save may have more counters of a unit than the set-ups had. Counts only rise. All
    counters count, also those that a player hides: it is a command for an umpire or for solitaire play.
    """
    loaded = named_game(game)
    if not loaded.home:
        what = f"{loaded.id} is an installed game, whose roster is not yours to change"
        raise InputError(what, where=Where(game), hint="name the folder of a game")
    counts: dict[str, int] = {}
    for save in saves:
        with located(Where(str(save))):
            for type, count in count_counters(loaded, save).items():
                check_count(loaded, type, count)
                counts[type] = max(counts.get(type, 0), count)
    raised = {type: count for type, count in counts.items() if count > loaded.counters.get(type, count)}
    if not raised:
        echo("the roster has a unit for each counter")
        return
    files = [file.file for file in loaded.file.roster]
    for name, text in raise_counts(Path(loaded.home), files, raised, [*loaded.tracks]).items():
        write_whole(Path(loaded.home, name), text.encode(), force=True)
    for type, count in raised.items():
        echo(f"{plain(type)}: {count} counters")


def count_counters(game: Game, save: Path) -> Counter[str]:
    """Return the number of counters of each type that are in play in a save or at the end of a log.

    Raises InputError if it is not a save of a module of the game, or if units of several types have more equal
    counters than there are such units.
    """
    state = replay(read_save(read_bytes(save)))
    legend = legend_of(state, make_game_loader(game))
    in_play = (piece for piece in state.pieces.values() if legend.place(piece.map, piece.at).name)
    counters = (piece for piece in in_play if legend.unit(piece) or not legend.is_ignored(piece))
    counts: Counter[str] = Counter()
    for units, count in Counter(filter(None, map(legend.units_of, counters))).items():
        types = dict.fromkeys(map(game.type_of, units))
        if len(types) == 1:
            counts[units[0]] += count
        elif count > len(units):
            what = f"{count} equal counters are in play, for {', '.join(map(plain, types))}"
            raise InputError(what, hint="write a row into the roster for each of them")
    return counts


def check_count(game: Game, type: str, count: int) -> None:
    """Raise InputError if a type cannot have so many counters."""
    if count > MAX_COPIES:
        raise InputError(f"it has {count} counters of {plain(type)}", hint=f"a unit has at most {MAX_COPIES}")
    if taken := next((copy for copy in list_copies(type, count) if copy in game.counters), ""):
        what = f"it has {count} counters of {plain(type)}, and the roster has a row for {plain(taken)}"
        raise InputError(what, hint="give that row another name, or write a row for each counter")


def raise_counts(
    folder: Path, files: Sequence[str], counts: Mapping[str, int], tracks: Sequence[str] = ()
) -> dict[str, str]:
    """Return the changed files of a roster as text, by name.

    `counts`: the new number of counters of each unit, which the first file that lists it gets.
    `tracks`: the names of columns that are no other heads for the unit or its count.

    Raises InputError if no file lists a unit, or a file that is needed is no CSV.
    """
    changed: dict[str, str] = {}
    waiting = dict(counts)
    for name in files:
        if not waiting:
            break
        where = Where(str(folder / name))
        if Path(name).suffix.lower() != ".csv":
            hint = "save it as CSV, and name that file in game.toml"
            raise InputError("counts are only written into CSV files", where=where, hint=hint)
        text = read_text(folder / name, str(folder / name))
        separator = find_separator(text)
        head, *rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
        columns = read_head(head, (UNIT, COUNT, *tracks), ALIASES)
        head = head[: len(columns)]
        if COUNT not in columns:
            columns.append(COUNT)
            head.append(COUNT)
        unit_column, count_column = columns.index(UNIT), columns.index(COUNT)
        found = {row[unit_column].strip() for row in rows if len(row) > unit_column} & waiting.keys()
        if not found:
            continue
        for row in filter(None, rows):
            row[len(columns) :] = []
            row += [""] * (len(columns) - len(row))
            if (unit := row[unit_column].strip()) in found:
                row[count_column] = str(waiting[unit])
        waiting = {unit: count for unit, count in waiting.items() if unit not in found}
        out = io.StringIO()
        csv.writer(out, delimiter=separator, lineterminator="\n").writerows([head, *rows])
        changed[name] = out.getvalue()
    if waiting:
        raise InputError(f"no row of the roster lists {plain(next(iter(waiting)))}", where=Where(str(folder)))
    return changed
