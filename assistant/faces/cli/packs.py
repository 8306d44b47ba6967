"""The commands `pack`: the owner's own charts, counters and map of a game.

The owner types a chart row by row, or pastes whole tables.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Unpack

import click

from ...asking.asks import (
    Ask,
    asks_for_printed,
    format_asks,
    format_drawn_title,
    format_group_statement,
    format_group_title,
    group_alike,
)
from ...asking.parameters import read_parameters
from ...asking.question import answer_question as ask_question
from ...asking.report import Report
from ...asking.view import View
from ...formats.positions import Position
from ...game.charts import (
    ABOVE_SIGN,
    BELOW_SIGN,
    Chart,
    ChartKey,
    Ends,
    Keys,
    cells_of,
    ends_of,
    format_row,
    known_cells,
    rows_of,
)
from ...game.pack_archive import pack_archive, take_archive
from ...game.pack_charts import Doubt, Foretold, list_keys
from ...game.pack_map import drafts
from ...game.packs import Pack
from ...game.pasted_tables import TableReading, read_tables
from ...game.photos import Photos
from ...game.table_entry import (
    FORETOLD_SIGN,
    begins_table,
    format_reading,
    format_save_question,
    format_table,
    is_headed_row,
)
from ...installed.registry import load_game, named_game, pack_of, question_of
from ...service import answers_to
from ...state.state import CellKey
from ...util.console import echo, format_count, screen_width
from ...util.datafiles import read_rows, read_text
from ...util.errors import InputError, Where, located, nearest
from ...util.files import read_bytes
from ...util.writing import write_whole
from .entry import (
    ARMIES,
    BACK_LINE,
    COUNTERS,
    SCHEDULES,
    SETUPS,
    STOP_LINE,
    TURNS,
    Asker,
    course_differences,
    echo_counter_gaps,
    echo_course_gaps,
    echo_fitted,
    echo_saved,
    echo_scenario_gaps,
    enter_counters,
    enter_course,
    enter_scenario,
    enter_turn,
    line_asker,
    read_turn_number,
    take_counters,
    take_scenario,
    take_turns,
)
from .group import PACK_FACTS, GameCommand
from .options import ReadingOptions, StateArgument, eyes, listed_games, open_position, with_game

_NEXT_ROW_PROMPT = "| "
"""The prompt for the next row of a table."""


def enter_chart(pack: Pack, chart: str, words: Sequence[str], ask: Asker) -> None:
    """Ask for the missing cells of a chart row by row, and print the result.

    `words`: the beginning of the key of the cells to ask for, even if they are known, or none for all missing cells.

    Raises InputError if the chart has no such key, or if its ends are not known.
    """
    declared = pack.game.chart(chart)
    cells = pack.charts.cells(chart)
    first = _find_first_of_key(declared, words)
    typed = 0
    ends = _ask_ends(declared, cells, ask) if declared.has_owner_ends else []
    if ends and _is_table(declared, text := str(ends[0][0])):  # a pasted table, which shows the ends
        typed = len(take_table(pack, chart, text, ask, first))
        ends = [*pack.charts.cells(chart)]
    if declared.has_owner_ends and not ends:
        raise InputError(
            f"where the {declared.title} ends is not known", hint="type its first and its last, such as 1:3 6:1"
        )
    known = (*cells, *ends)
    first = declared.key_within(first, declared.ends(known))
    todo = [key for key in pack.charts.missing(chart, ends) if key[: len(first)] == first]
    anew = bool(first) and not todo
    if anew:
        todo = [key for key in list_keys(declared, known) if key[: len(first)] == first]
    if todo:
        _echo_cells_to_type(declared, len(todo), anew=anew)
    typed += sum(enter_rows(pack, chart, rows_of(todo), ask, first))
    state = "the chart is complete"
    if left := len(pack.charts.missing(chart, ends)):
        missing = format_count(left, "is missing", "are missing")
        state = f"{missing}: `assistant pack enter {pack.game.id} {chart}` continues"
    echo(f"{format_count(typed, 'cell')} saved; {state}")


def _find_first_of_key(chart: Chart, words: Sequence[str]) -> Keys:
    """Return the beginning of a cell's key from typed words.

    Raises InputError if the chart has no such key.
    """
    if len(words) > len(chart.keys):
        hint = f"write at most: {' '.join(key.name.upper() for key in chart.keys)}"
        raise InputError(
            f"{words[len(chart.keys)]!r} comes after the last part of the key of a cell of {chart.name}", hint=hint
        )
    return tuple(key.read(word) for key, word in zip(chart.keys, words, strict=False))


def _echo_cells_to_type(chart: Chart, count: int, *, anew: bool) -> None:
    to_type = f"{format_count(count, 'cell')} to type{' again' if anew else ''}"
    left_alone = "; an empty line keeps what you have" if anew else ""
    echo_fitted(f"{chart.title}: {to_type}, each as {' / '.join(f.name for f in chart.fields)}{left_alone}")
    for field in chart.fields:
        if field.note:
            echo_fitted(f"  {field.name}: {field.note}")
    tell_unread(chart)


def tell_unread(chart: Chart) -> None:
    """Print the note on a chart that no rule reads yet."""
    if chart.unread:
        echo(f"  {chart.name}: {chart.unread}", err=True)


def enter_rows(pack: Pack, chart: str, rows: Sequence[list[Keys]], ask: Asker, within: Keys = ()) -> Iterator[int]:
    """Ask for rows of a chart and save each at once; yield the number of saved cells of each row.

    `back`, or the arrow up, returns to the previous row. An empty line skips a row, `?` a cell. A dot ends the typing.
    `~` takes a foretold cell, or alone a whole foretold row.

    `within`: the beginning of a table's keys.
    """
    taken = yield from _ask_rows(pack, chart, rows, ask, within)
    if taken:
        yield _confirm_foretold(pack, chart, taken, ask)


def _ask_rows(
    pack: Pack, chart: str, rows: Sequence[list[Keys]], ask: Asker, within: Keys
) -> Generator[int, None, dict[Keys, str]]:
    """Ask for rows as `enter_rows` does, and return the foretold cells that were taken."""
    taken = dict[Keys, str]()
    declared = pack.game.chart(chart)
    ask_row = _table_gatherer(declared, ask)
    todo = [list(row) for row in rows]
    complete_rows = [list(row) for row in rows]
    number = 0
    while number < len(todo):
        row = todo[number]
        offered = {key: foretold.text for key, foretold in _echo_foretold(pack, chart, row, taken).items()}
        started = _as_foretold(row, offered) if 2 * len(offered) >= len(row) else ""
        line = ask_row(_format_prompt(declared, row), _format_cell(pack, declared, row) or started).strip(" ")
        if line.strip() == STOP_LINE:
            break
        if _is_table(declared, line):
            key_start = row[0][:-2] if is_headed_row(declared, line) else within
            try:
                saved = take_table(pack, chart, line, ask, key_start, chain(*complete_rows))
            except InputError as error:
                echo_fitted(f"  {error}")
                continue
            if not saved:
                echo("nothing of it is saved")
            todo = [[key for key in row if key not in saved] for row in todo]
            number = next((place for place in range(number, len(todo)) if todo[place]), len(todo))
            yield len(saved)
        elif line.strip().casefold() == BACK_LINE:
            number = max(number - 1, 0)
            todo[number] = list(complete_rows[number])
        elif not line.strip():
            number += 1
        else:
            try:
                foretold, count, length = _enter_row(pack, chart, row, line, offered)
            except InputError as error:
                echo(f"  {error}")
                continue
            taken |= foretold
            yield count
            todo[number] = row[length:]
            if not todo[number]:
                number += 1
    return taken


def _enter_row(
    pack: Pack, chart: str, row: Sequence[Keys], line: str, offered: Mapping[Keys, str]
) -> tuple[Mapping[Keys, str], int, int]:
    """Save the cells of a typed row, except the foretold ones that were taken.

    Returns the foretold cells, the number of saved cells, and the number of typed ones, including unknown ones.

    Raises InputError if the line is not such a row.
    """
    if line.strip() == FORETOLD_SIGN and len(row) > 1:
        line = _as_foretold(row, offered)
    typed = cells_of(pack.game.chart(chart), row, _mark_foretold(line, row, offered))
    cells = known_cells(typed)
    marked = {key for key, word in zip(row, _expand_row(line), strict=False) if word.startswith(FORETOLD_SIGN)}
    typed_cells = {key: text for key, text in cells.items() if key not in marked}
    foretold = {key: text for key, text in cells.items() if key in marked}
    echo_doubts(pack.charts.enter_cells(chart, typed_cells))
    if len(row) > 1:
        echo_saved(f"{key[-1]}: {FORETOLD_SIGN if key in marked else ''}{text}" for key, text in cells.items())
    return foretold, len(typed_cells), len(typed)


def _echo_foretold(pack: Pack, chart: str, row: Sequence[Keys], taken: Mapping[Keys, str]) -> Mapping[Keys, Foretold]:
    foretold = pack.charts.foretell(chart, row, taken)
    if foretold:
        cells = []
        for key, cell in foretold.items():
            rules = "".join(f" [{rule}]" for rule in cell.rules)
            cells.append(f"{key[-1]}: {FORETOLD_SIGN}{cell.text}{rules}")
        echo_saved(cells, "foretold: ")
    return foretold


def _as_foretold(row: Sequence[Keys], offered: Mapping[Keys, str]) -> str:
    return " ".join(FORETOLD_SIGN + offered[key].replace(" ", "") if key in offered else "?" for key in row)


def _expand_row(line: str) -> list[str]:
    """Return a word for each cell of a typed row: `==` repeats the previous cell twice."""
    words = list[str]()
    for word in re.sub(r"\s*/\s*", "/", line).split():
        if set(word) == {"="}:
            words += ["="] * len(word)
        else:
            words.append(word)
    return words


def _mark_foretold(line: str, row: Sequence[Keys], offered: Mapping[Keys, str]) -> str:
    """Return a typed row with the foretold text for each `~`."""
    words = _expand_row(line)
    for number, (key, word) in enumerate(zip(row, words, strict=False)):
        if word.startswith(FORETOLD_SIGN):
            text = offered.get(key, "").replace(" ", "")
            if not text or word[1:].casefold() not in ("", text.casefold()):
                hint = f"type it without {FORETOLD_SIGN}"
                raise InputError(f"{' '.join(map(str, key))}: {word} is not foretold", hint=hint)
            words[number] = text
    return " ".join(words) if any(word.startswith(FORETOLD_SIGN) for word in _expand_row(line)) else line.strip()


def _confirm_foretold(pack: Pack, chart: str, taken: Mapping[Keys, str], ask: Asker) -> int:
    declared = pack.game.chart(chart)
    for line in format_table(declared, TableReading(dict(taken)), screen_width(), taken):
        echo(line)
    question = f"save {format_count(len(taken), 'cell')} that your copy shows as foretold ({FORETOLD_SIGN})? (y or n)> "
    if ask(question, "").strip().casefold() not in ("y", "yes"):
        return 0
    try:
        echo_doubts(pack.charts.enter_cells(chart, taken))
    except InputError as error:
        echo_fitted(f"  {error}")
        return 0
    return len(taken)


def _table_gatherer(chart: Chart, ask: Asker) -> Asker:
    """Return an asker that, if a line begins a table, also asks for the table's other lines, up to an empty one.

    A terminal pastes these lines at once.
    """

    def gather(prompt: str, known: str) -> str:
        text = ask(prompt, known).rstrip("\r\n")
        if "\n" in text or not begins_table(chart, text):
            return text
        while (line := ask(_NEXT_ROW_PROMPT, "").rstrip("\r\n")).strip() not in ("", STOP_LINE):
            text += f"\n{line}"
        return f"{text}\n"

    return gather


def _is_table(chart: Chart, text: str) -> bool:
    return begins_table(chart, text.rstrip("\r\n")) or is_headed_row(chart, text)


def take_table(
    pack: Pack,
    chart: str,
    text: str,
    ask: Asker,
    within: Keys = (),
    known: Iterable[Keys] = (),
    *,
    asks_always: bool = True,
) -> Collection[Keys]:
    """Show the tables read from a text, save their cells once confirmed, and return the keys of the cells.

    `within`: the beginning of the table's keys.
    `known`: further keys that show the ends of the chart.
    `asks_always`: whether a faultless table is confirmed too.

    Raises InputError if the text is no such table.
    """
    declared = pack.game.chart(chart)
    readings = read_tables(declared, text, declared.ends((*pack.charts.cells(chart), *known)), within)
    for number, reading in enumerate(readings, 1):
        is_plain = not asks_always and len(readings) == 1 and reading.is_plain
        if is_plain:
            pack.charts.try_cells(chart, reading.cells)
        else:
            for line in format_table(declared, reading, screen_width()):
                echo(line)
            echo_fitted("\n".join(format_reading(reading)))
        try:
            pack.charts.try_cells(chart, reading.cells)
        except InputError as error:
            echo_fitted(f"  {error}")
            continue
        question = f"{format_save_question(reading, number, len(readings))}? (y or n)> "
        if is_plain or ask(question, "").strip().casefold() in ("y", "yes"):
            echo_doubts(pack.charts.enter_cells(chart, reading.cells))
            return reading.cells.keys()
    return ()


def _ask_ends(chart: Chart, known: Iterable[Keys], ask: Asker) -> list[Keys]:
    """Ask for the ends of a chart that its known cells do not show.

    Returns the keys of the first and last cell, or an empty list if an end stays unknown. The list is the text of a table
    if the owner has entered one.
    """
    firsts = list[int | str]()
    lasts = list[int | str]()
    for key, ends in zip(chart.keys, chart.ends(known), strict=True):
        row = key.values or _ask_ends_of(key, ends, chart, _table_gatherer(chart, ask))
        if not row:
            return []
        if _is_table(chart, str(row[0])):
            return [(row[0],)]
        firsts.append(row[0])
        lasts.append(row[-1])
    return [tuple(firsts), tuple(lasts)]


def _ask_ends_of(key: ChartKey, ends: Ends, chart: Chart, ask: Asker) -> Sequence[int | str]:
    """Return the rows or columns of a chart after asking for the unknown ends, or none without an answer.

    If the owner answers with a table, its text is the only element.
    """
    ranks = {"first": (ends.first, key.least, BELOW_SIGN), "last": (ends.last, key.most, ABOVE_SIGN)}
    lacking = [rank for rank, (end, printed, _) in ranks.items() if not end and printed is None]
    while lacking:
        line = ask(f"{chart.name}: the {' and the '.join(lacking)} {key.name} printed> ", "")
        if _is_table(chart, line):
            return (line,)
        if (line := line.strip()) in ("", STOP_LINE):
            return ()
        words = line.split()
        try:
            if len(words) != len(lacking):
                such = dict(zip(ranks, ("1:3", "6:1") if key.odds else ("0", "7"), strict=True))
                hint = f"type {' '.join(such[rank] for rank in lacking)} or the like"
                raise InputError(f"{line!r} is not the {' and the '.join(lacking)} {key.name}", hint=hint)
            ending = zip(lacking, words, (ranks[rank][2] for rank in lacking), strict=True)
            typed = {rank: key.read(word.removesuffix(sign) + sign) for rank, word, sign in ending}
            ends = Ends(*(str(typed.get(rank, end)) for rank, (end, *_) in ranks.items()))
            ends_of(key, tuple(filter(None, ends)))
            break
        except InputError as error:
            echo(f"  {error}")
    return key.row(ends)


def _format_prompt(chart: Chart, row: Sequence[tuple[int | str, ...]]) -> str:
    return f"{chart.name} {format_row(row)} ({' / '.join(field.name for field in chart.fields)})> "


def _format_cell(pack: Pack, chart: Chart, row: Sequence[tuple[int | str, ...]]) -> str:
    """Return the saved row as it may be typed, or "" unless all its cells are known."""
    known = pack.charts.cells(chart.name)
    if any(key not in known for key in row):
        return ""
    return " ".join("/".join(str(value).replace(" ", "") for value in known[key].values.values()) for key in row)


def echo_doubts(doubts: Sequence[Doubt]) -> None:
    """Print the readings of the rulebook that contradict the saved cells."""
    for doubt in doubts:
        echo(f"  saved, but a reading of rule {doubt.rule} contradicts it: {doubt.text}", err=True)


CONTRADICTED_EXIT_CODE = 1
"""The exit code for a pack that contradicts the rulebook."""
_ALLOWS_MINUS = {"ignore_unknown_options": True}
"""The settings of commands whose words may begin with a minus sign, such as cells and rolls."""


class PackCommands(click.Group):
    """The commands of `pack`."""

    command_class = GameCommand


@click.group(cls=PackCommands)
def pack() -> None:
    """Your own charts, counter values and map, entered once and used from then on."""


@pack.command("list")
def list_packs() -> None:
    """The installed games, and what their packs hold."""
    for name in listed_games():
        own_pack = pack_of(load_game(name))
        parts = list(list_contents(own_pack))
        echo(f"{name}: {', '.join(parts) if parts else 'nothing entered'}  ({own_pack.folder})")


def list_contents(pack: Pack) -> Iterator[str]:
    """Yield the contents of a pack, in words.

    Raises InputError for a fault in its files.
    """
    for chart in pack.game.charts.values():
        if count := len(pack.charts.cells(chart.name)):
            cells = len(list_keys(chart, pack.charts.cells(chart.name)))
            yield f"{count} of {cells or 'an unknown number of'} cells of {chart.name}"
    if count := len(pack.values()):
        yield format_count(count, "counter")
    facts = {"the map": len(pack.ground()), "turns": len(pack.turns()), "armies": len(pack.armies())}
    for what, count in facts.items():
        if count:
            yield format_count(count, f"fact of {what}", f"facts of {what}")
    if count := len(pack.rulings()):
        yield format_count(count, "ruling")
    if count := len(pack.files.scenarios()):
        yield format_count(count, "scenario")


@pack.command("enter", context_settings=_ALLOWS_MINUS)
@click.argument("game")
@click.argument("chart")
@click.argument("prefix", nargs=-1)
def enter(game: str, chart: str, prefix: tuple[str, ...]) -> None:
    """Type a CHART of a GAME from your own copy, row by row, or its counters; each line is saved at once.

    The CHART `counters` is what stands on the counters: a line a unit, formation by formation, with the columns named
    above it; = repeats the value before (alone all of them), - is nothing printed, ? is not known, and NAME=VALUE is
    any other fact; the ratings alone may be typed as in a combat, 10-12-5-10. PREFIX is then a unit, nation, army or
    corps.

    The CHART `turns` is what the turn record prints, a turn a line; PREFIX is then `date` or another kind of fact.
    `armies` are the limits on the markers of armies. `setups` and `schedules` are the set-up of a scenario, in position
    notation, and what comes in it, a row a line: `3 38.14: 7 c, 8 c army=First`; PREFIX is then the scenario's name.

    Cells stand between spaces, = repeats the one before, and capitals do not matter: `+3xw2/-2 +1 == -/+1b1`. To start
    at a certain cell, give the beginning of its key as PREFIX: `pack enter GAME crt autumn 3:1`. An empty line skips a
    row, back (or the arrow up) returns to the row before, a dot stops. The same command continues where you stopped. A
    row that PREFIX names is asked for again if all of it is there. If only you know where the chart ends, that is asked
    first.
    """
    own_pack = pack_of(named_game(game))
    ask = line_asker()
    if chart == COUNTERS:
        enter_counters(own_pack, prefix, ask)
    elif chart in (TURNS, ARMIES):
        enter_course(own_pack, chart, prefix, ask)
    elif chart in (SETUPS, SCHEDULES):
        enter_scenario(own_pack, chart, prefix, ask)
    else:
        enter_chart(own_pack, chart, prefix, ask)


@pack.command("complete")
@click.argument("state", type=StateArgument())
@click.option("--question", default="battle", help="Which of the position's questions. By default battle.")
@eyes
@with_game
def complete(state: str, question: str, **options: Unpack[ReadingOptions]) -> None:
    """Type only what a question of the position STATE needs: cells of your charts, and facts of a drawn map on which
    its verdict turns. There = means as it is drawn; an empty line leaves one out, a dot stops.
    """
    completion = Completion(question, line_asker())
    while completion.goes_on(state, open_position(state, options)):  # each pass reads what the pass before has saved
        pass


@pack.command("set", context_settings=_ALLOWS_MINUS)
@click.argument("game")
@click.argument("what", nargs=-1, required=True)
def set_one(game: str, what: tuple[str, ...]) -> None:
    """Keep single facts of a GAME, written as in a position. A counter that the game does not list has to be described.

    \b
    pack set GAME chart crt summer 1:1 9 = "+1 / -"
    pack set GAME unit 25/3 defence 12
    pack set GAME unit "Reserve" nation=german arm=infantry size=XX
    pack set GAME ground 41.19 terrain clear
    pack set GAME ground "40.20|41.19" barrier minor-river
    pack set GAME ruling flip-point half-up
    pack set GAME turn 1 date 17 August 1914
    pack set GAME army "german Eighth" attachment-limit 5
    """
    own_pack = pack_of(named_game(game))
    match what:
        case ("chart", chart, *rest) if "=" in rest:
            middle = rest.index("=")
            declared = own_pack.game.chart(chart)
            cells = cells_of(declared, [declared.key(*rest[:middle])], " ".join(rest[middle + 1 :]))
            echo_doubts(own_pack.charts.enter_cells(declared.name, cells))
            tell_unread(own_pack.game.chart(chart))
        case ("unit", unit, *facts) if facts and all("=" in fact for fact in facts):
            values: dict[tuple[str, str], str] = {}
            for fact in facts:
                name, _, text = fact.partition("=")
                values[unit, own_pack.game.track(name).name] = text
            if len(values) < len(facts):
                raise InputError(f"a fact of {unit} is given twice", hint="leave out one of the two")
            own_pack.enter_all(values, {})
        case ("unit", unit, track, *value):
            own_pack.enter_all({(unit, track): " ".join(value)})
        case ("ground", where, track, *value):
            own_pack.enter_all(ground={("", where, track): " ".join(value)})
        case ("ruling", ruling, reading):
            own_pack.enter_ruling(ruling, reading)
        case ("turn", number, kind, *words):
            enter_turn(own_pack, number, kind, " ".join(words))
        case ("army", army, track, value):
            own_pack.enter_army(army, track, value)
        case _:
            form = " ".join(PACK_FACTS.get(what[0], ()))
            hint = f"write: pack set {game} {what[0]} {form}" if form else _meant_fact(own_pack, "set", what)
            raise InputError(f"{' '.join(what)!r} is not a fact for a pack", hint=hint)
    echo("saved")


def _meant_fact(own_pack: Pack, command: str, what: Sequence[str]) -> str:
    """Return a hint about words that name no kind of fact: the name of a chart comes after `chart`.

    `command`: the subcommand of `pack`.
    """
    name = what[0].casefold()
    if name not in own_pack.game.charts:
        return nearest(what[0], PACK_FACTS)
    cell = " ".join(key.name.upper() for key in own_pack.game.charts[name].keys)
    return f"write: pack {command} {own_pack.game.id} chart {name} {cell}{' = CELL' if command == 'set' else ''}"


@pack.command("unset", context_settings=_ALLOWS_MINUS)
@click.argument("game")
@click.argument("what", nargs=-1, required=True)
def unset_one(game: str, what: tuple[str, ...]) -> None:
    """Take single facts of a GAME out of your pack again, named as for `pack set`, without their values. If
    several boards have a fact of the map, name the board after it, `map` for the printed map.

    \b
    pack unset GAME chart crt summer 1:1 9
    pack unset GAME unit 25/3 defence
    pack unset GAME unit 25/3
    pack unset GAME ground "40.20|41.19" barrier
    pack unset GAME ruling flip-point
    pack unset GAME turn 1 date
    pack unset GAME army "german Eighth" attachment-limit
    """
    own_pack = pack_of(named_game(game))
    match what:
        case ("chart", chart, *key) if key:
            own_pack.charts.leave_out(chart, [tuple(key)])
        case ("unit", unit, *tracks) if len(tracks) < 2:
            own_pack.leave_out_value(unit, *tracks)
        case ("ground", where, track, *board) if len(board) < 2:
            own_pack.leave_out_ground(where, track, *board)
        case ("ruling", ruling):
            own_pack.leave_out_ruling(ruling)
        case ("turn", number, kind):
            own_pack.leave_out_turn(read_turn_number(number), kind)
        case ("army", army, track):
            own_pack.leave_out_army(army, track)
        case _:
            form, _ = PACK_FACTS.get(what[0], ("", ""))
            written = f"write: pack unset {game} {what[0]} {form}"
            unknown = f"{' '.join(what)!r} does not name an entry of a pack"
            raise InputError(unknown, hint=written if form else _meant_fact(own_pack, "unset", what))
    echo("taken out")


@pack.command("take")
@click.argument("game")
@click.argument("chart")
@click.argument("file", type=click.Path(path_type=Path, readable=False))
def take(game: str, chart: str, file: Path) -> None:
    """Keep the cells of a CHART from a FILE: a table from a spreadsheet or a text, whichever way it lies. How it was
    read is shown, to be confirmed, unless it has a column for each key and each field, or headings at both sides, and
    no mistake.

    The CHART `counters` is a roster: a column `unit`, and one for each value printed on counters. `turns` has a column
    `turn`, and one for each kind of fact about it. `setups` is a position, `schedules` the rows of what comes later;
    FILE is named after their scenario.
    """
    if not file.is_file():
        raise InputError("no such file", where=Where(str(file)), hint="check the path")
    own_pack = pack_of(named_game(game))
    if chart == COUNTERS:
        with located(Where(str(file))):
            count = take_counters(own_pack, read_rows(file, ("unit",), str(file)))
        echo(f"{format_count(count, 'value')} of {chart} saved")
        return
    if chart == TURNS:
        with located(Where(str(file))):
            count = take_turns(own_pack, read_rows(file, ("turn",), str(file)))
        echo(f"{format_count(count, 'fact')} of {chart} saved")
        return
    if chart in (SETUPS, SCHEDULES):
        echo(f"{chart} of the scenario {take_scenario(own_pack, chart, file)} saved")
        return
    with located(Where(str(file))):
        cells = take_table(own_pack, chart, read_text(file, str(file)), line_asker(), asks_always=False)
    if not cells:
        raise InputError("nothing is saved", where=Where(str(file)))
    echo(f"{format_count(len(cells), 'cell')} of {chart} saved")
    tell_unread(own_pack.game.chart(chart))


@pack.command("check")
@click.argument("game")
@click.pass_context
def check(ctx: click.Context, game: str) -> None:
    """Read everything entered for a GAME, name the counters, turns and armies that lack values, and report what
    contradicts the rulebook (exit code 1).
    """
    loaded = named_game(game)
    own_pack = pack_of(loaded)
    loaded.roster  # noqa: B018  # reading it checks every file
    wrong = False
    for chart in own_pack.game.charts:
        try:
            echo_doubts(own_pack.charts.check_cells(chart, own_pack.charts.cells(chart)))
        except InputError as error:
            wrong = True
            echo(f"{chart}: {error}", err=True)
    for contradiction in own_pack.check_ground():
        wrong = True
        echo(f"map: {contradiction}", err=True)
    echo(f"{game}: {', '.join(list_contents(own_pack)) or 'nothing entered'}")
    for file in own_pack.files.unread():
        echo(f"{file} is not read: neither a chart nor a board has that name, nor anything else in a pack")
    echo_counter_gaps(own_pack)
    echo_course_gaps(loaded)
    if echo_scenario_gaps(own_pack, own_pack.files.scenarios()) or wrong:
        ctx.exit(CONTRADICTED_EXIT_CODE)


@pack.command("diff")
@click.argument("game")
def diff(game: str) -> None:
    """What was entered for a GAME, next to what the game's own files say."""
    own_pack = pack_of(named_game(game))
    for chart in own_pack.game.charts.values():
        for key, cell in own_pack.charts.cells(chart.name).items():
            own = chart.cells.get(key)
            if own is None or dict(own.values) != dict(cell.values):
                before = f"{chart.write(key, own).partition(' = ')[2]} ({own.source})" if own else "nothing"
                echo(f"{chart.write(key, cell)}   instead of {before}")
    for line in course_differences(own_pack):
        echo(line)
    for unit, values in own_pack.values().items():
        for track, text in values.items():
            facts = own_pack.game.roster.get(unit, {}).get(track, [])
            own_text = own_pack.game.tracks[track].write(facts[0].value) if facts else ""
            if own_text != text:
                before = f"{own_text} ({facts[0].source})" if facts else "nothing"
                if unit not in own_pack.game.roster:
                    before += ": the roster has no such unit"
                echo(f"{unit} {track}={text}   instead of {before}")
    confirmed = 0
    for (board, where, name), fact in own_pack.ground().items():
        declared = own_pack.game.tracks[name]
        drawn = [(f" on board {on}", own) for on, own in drafts(own_pack.game, (name, where), board)] or [("", None)]
        for drawn_on, own_fact in drawn:
            if own_fact is not None and own_fact.value == fact.value:
                confirmed += 1
                continue
            before = f"{declared.write(own_fact.value)} ({own_fact.source})" if own_fact else "nothing"
            echo(f"{declared.how_to_state(where, fact.value)}   instead of {before}{drawn_on}")
    if confirmed:
        echo(format_count(confirmed, "fact of the map is as it was drawn", "facts of the map are as they were drawn"))


@pack.command("export")
@click.argument("game")
@click.argument("file", type=click.Path(path_type=Path, readable=False))
@click.option("--photos", is_flag=True, help="With your photos of the map, which otherwise stay on this machine.")
@click.option("--force", is_flag=True, help="Overwrite the file if it exists.")
def export(game: str, file: Path, photos: bool, force: bool) -> None:
    """Write everything entered for a GAME to one zip FILE, as a backup or for another machine."""
    own_pack = pack_of(named_game(game))
    write_whole(file, pack_archive(own_pack, with_photos=photos), force=force)
    echo(f"{file}: {format_count(len(own_pack.files.list_existing()), 'file')} of {own_pack.folder}")
    if count := len(Photos(own_pack.game.id).ids()):
        echo(f"{format_count(count, 'photo')} of your map {'added' if photos else 'left out: --photos adds photos'}")


@pack.command("import")
@click.argument("game")
@click.argument("file", type=click.Path(path_type=Path, readable=False))
def import_(game: str, file: Path) -> None:
    """Keep the files of a pack of a GAME from the zip FILE to which it was exported, all or none; each replaces the one
    that your pack has.
    """
    own_pack = pack_of(named_game(game))
    echo_doubts(take_archive(own_pack, read_bytes(file), str(file)))
    echo(f"{file}: saved in {own_pack.folder}")


AS_DRAWN = "="
"""The word for a fact that agrees with the drawn map."""


class Completion:
    """A dialogue that asks for what a question needs from the printed game until all of it is known.

    `question`: the name of the question.
    `ask`: asks for a line; a dot ends the typing, and an empty line leaves one item out.
    """

    def __init__(self, question: str, ask: Asker) -> None:
        self.question = question
        self._ask = ask
        self._left_out = set[tuple[int | str, ...]]()
        self._stopped = False
        self._ends = dict[str, list[Keys]]()

    def goes_on(self, file: str, position: Position) -> bool:
        """Ask for the missing data and save them; return whether more may be missing then.

        Raises InputError if the position cannot be read or the question cannot be asked.
        """
        view, report = self._answer_question(file, position)
        pack = pack_of(position.game)
        cells = [
            (chart, key) for chart, key in self._find_cells_missed(pack, view) if (chart, *key) not in self._left_out
        ]
        if self._stopped:
            return False
        printed = [asked for asked in asks_for_printed(view.game, report.rests_on) if asked.key not in self._left_out]
        if not cells and not printed:
            stated = [asked for asked in report.asks if asked.kind == "fact" and asked.key not in self._left_out]
            self._echo_end(file, stated)
            return False
        if printed:
            echo(f"{view.board.title}: {AS_DRAWN} is as drawn, an empty line leaves a fact out, a dot stops")
        self._left_out |= {asked.key for asked in enter_drawn(pack, view.board.name, printed, self._ask_fact)}
        for chart, key in cells:
            if self._stopped:
                break
            saved = sum(enter_rows(pack, chart, [[key]], self._ask_line))
            if not saved and not self._stopped:
                self._left_out.add((chart, *key))
        return not self._stopped

    def _find_cells_missed(self, pack: Pack, view: View) -> list[CellKey]:
        """Return the missing cells, each once, after asking for unknown ends of their charts."""
        charts = {name: pack.game.chart(name) for name, _ in view.premises.missed_cells}
        ends = dict[str, tuple[Ends, ...]]()
        for name, chart in charts.items():
            known = [*pack.charts.cells(name), *(keys for of, keys in view.state.cells if of == name)]
            if chart.has_owner_ends and name not in self._ends:
                self._ends[name] = _ask_ends(chart, known, self._ask_line)
            ends[name] = chart.ends((*known, *self._ends.get(name, ())))
        missed = dict[CellKey, None]()
        for name, key in view.premises.missed_cells:
            missed[name, charts[name].key_within(key, ends[name])] = None
        return [*missed]

    def _answer_question(self, file: str, position: Position) -> tuple[View, Report[Any]]:
        asked = next((asked for asked in position.asks if asked.question == self.question), None)
        if asked is None:
            hint = f"write a line: ask {self.question} name=value ..."
            raise InputError(f"{self.question} is not asked in this position", where=Where(file), hint=hint)
        view = View(position.game, position.state)
        question = question_of(position.game, self.question)
        given = read_parameters(question, view, asked.parameters)
        return view, ask_question(question, view, given, answers_to(position, asked))

    def _echo_end(self, file: str, stated: Sequence[Ask]) -> None:
        for line in format_asks(stated):
            echo(f"state in the position: {line}")
        known = "all that it needs is known"
        if stated:
            known = f"write each into {file}, such as `{_find_example(stated[0])}`, and type the same command again"
        echo(f"{self.question}: {'some of what it needs was left out' if self._left_out else known}")

    def _ask_line(self, prompt: str, known: str) -> str:
        line = self._ask(prompt, known)
        self._stopped = line.strip() == STOP_LINE
        return line

    def _ask_fact(self, prompt: str) -> str | None:
        line = self._ask_line(prompt, "").strip()
        return None if self._stopped else line


def _find_example(ask: Ask) -> str:
    subject = str(ask.key[1]) if ask.how.startswith(str(ask.key[1])) else ""
    return subject + ask.how.removeprefix(subject).partition("|")[0]


def enter_drawn(pack: Pack, board: str, asks: Sequence[Ask], ask: Callable[[str], str | None]) -> Iterator[Ask]:
    """Ask for facts of a board and save them, first together for facts drawn alike; yield the asks left out.

    `ask`: shows a prompt and returns the typed line, or None to end the typing.
    """
    for group in group_alike(asks):
        if len(group) > 1:
            choice = f"{AS_DRAWN} if all are, an empty line to be asked one by one"
            line = ask(f"{format_group_title(group)} ({format_group_statement(group)}; {choice})> ")
            if line is None:
                return
            if line == AS_DRAWN:
                _keep_facts(pack, board, [(asked, asked.drawn) for asked in group])
                continue
            if line:
                echo(f"  {AS_DRAWN} answers for all of them; an empty line asks for them one by one")
        for fact_asked in group:
            line = ask(f"{format_drawn_title(fact_asked)} ({fact_asked.how})> ")
            if line is None:
                return
            if line:
                _keep_facts(
                    pack, board, [(fact_asked, fact_asked.drawn if line == AS_DRAWN else "+".join(line.split()))]
                )
            else:
                yield fact_asked


def _keep_facts(pack: Pack, board: str, values: Sequence[tuple[Ask, str]]) -> None:
    try:
        pack.enter_all({}, {(board, str(ask.key[1]), str(ask.key[0])): text for ask, text in values})
    except InputError as error:
        echo(f"  {error}")
