"""The entry of charts by the owner of a game, typed row by row or pasted as whole tables."""

from __future__ import annotations

import re
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence
from itertools import chain

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
from ...game.pack_charts import Doubt, Foretold, list_keys
from ...game.packs import Pack
from ...game.pasted_tables import TableReading, read_tables
from ...game.table_entry import (
    FORETOLD_SIGN,
    begins_table,
    format_reading,
    format_save_question,
    format_table,
    is_headed_row,
)
from ...util.console import echo, format_count, screen_width
from ...util.errors import InputError
from .entry import BACK_LINE, STOP_LINE, Asker, echo_fitted, echo_saved

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
    ends = ask_ends(declared, cells, ask) if declared.has_owner_ends else []
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


def ask_ends(chart: Chart, known: Iterable[Keys], ask: Asker) -> list[Keys]:
    """Ask for the ends of a chart that its known cells do not show.

    Returns the keys of the first and last cell, an empty list if an end stays unknown, or a key that is the text of a
    table if the owner has entered one.
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
