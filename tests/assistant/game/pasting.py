"""Charts with made-up cells, written as owners paste them: turned or not, with and without headings, in each kind of text."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from assistant.game.charts import CellField, Chart, ChartKey, Ends, Keys
from assistant.game.pasted_tables import TableReading, read_tables
from assistant.game.printed_charts import format_heads
from assistant.game.table_entry import format_reading, format_table
from assistant.installed.registry import installed_games, load_game
from assistant.state.tracks import Source
from assistant.util.errors import InputError
from tests.comparing.search import Search

DASHES = "-\u2010\u2011\u2013\u2014\u2212"
SEPARATORS = ("\t", ";", ",", "   ", " ", " | ")


class Pasted(NamedTuple):
    """A text, and what it holds. decided: whether headings, titles and size leave no doubt which cell is which."""

    text: str
    cells: dict[Keys, str]
    ends: tuple[Ends, ...]
    within: Keys
    decided: bool


def every_chart() -> Iterator[Chart]:
    """The charts of all games that are installed."""
    for game in sorted(installed_games()):
        yield from load_game(game).charts.values()


def make_up(chart: Chart, dice: random.Random) -> Pasted:
    """A chart, or a part of it as it is printed, with random cells."""
    ends = tuple(_random_ends(key, dice) for key in chart.keys)
    parts = [list(key.values or key.row(end)) for key, end in zip(chart.keys, ends, strict=True)]
    open_ends = [key.has_owner_ends for key in chart.keys]
    above = dice.randrange(len(parts)) if len(parts) > 1 else 0
    only = tuple(dice.choice(row) for row in parts[:above])
    side = [dice.random() < 0.5 for _ in parts[above:]]
    fields_apart = len(chart.fields) > 1 and dice.random() < 0.4
    down = [place for place, is_down in enumerate(side, above) if is_down]
    across = [place for place, is_down in enumerate(side, above) if not is_down]
    fields_down = fields_apart and dice.random() < 0.5
    separator = dice.choice(SEPARATORS)
    spaced = any(" " in text for text in _texts(chart))
    separator = "\t" if separator == " " and (spaced or fields_apart) else separator
    knows_ends = dice.random() < 0.5
    needs = [open_ends[place] and not knows_ends for place in (*down, *across)]
    headed_down = dice.random() < 0.6 or any(needs[: len(down)])
    headed_across = dice.random() < 0.6 or any(needs[len(down) :])
    if separator in ("   ", " ") and (len(down) > 1 or len(across) > 1 or fields_apart):
        separator = "\t"  # merged headings stand at their places only where something marks these
    rows = [
        *product(
            *(parts[place] for place in down), *([range(len(chart.fields))] if fields_apart and fields_down else [])
        )
    ]
    columns = [
        *product(
            *(parts[place] for place in across),
            *([range(len(chart.fields))] if fields_apart and not fields_down else []),
        )
    ]
    texts, cells = dict[Keys, list[str]](), dict[Keys, str]()
    for key in product(*([part] for part in only), *parts[above:]):
        stated = chart.cells.get(key)
        fixed = stated is not None and stated.source is Source.RULEBOOK
        values = [
            str(stated.values[field.name]) if fixed and stated else random_value(field, dice) for field in chart.fields
        ]
        cells[key], texts[key] = (
            " / ".join(values),
            [
                _as_somebody_writes(field, value, separator, dice)
                for field, value in zip(chart.fields, values, strict=True)
            ],
        )
    body = []
    for row in rows:
        line = []
        for column in columns:
            by_place = dict(zip((*down, *(["field"] if fields_apart and fields_down else [])), row, strict=True))
            by_place |= dict(
                zip((*across, *(["field"] if fields_apart and not fields_down else [])), column, strict=True)
            )
            values = texts[*only, *(by_place[place] for place in range(above, len(parts)))]
            line.append(values[int(by_place["field"])] if fields_apart else "/".join(values))
        body.append(line)
    keys_down = [*(chart.keys[place] for place in down), *([None] if fields_apart and fields_down else [])]
    keys_across = [*(chart.keys[place] for place in across), *([None] if fields_apart and not fields_down else [])]
    beside = (
        [_headings(chart, keys_down, row, dice) for row in _merged(rows, dice)] if headed_down else [[] for _ in rows]
    )
    over = (
        [_headings(chart, keys_across, column, dice) for column in _merged(columns, dice)]
        if headed_across and keys_across
        else []
    )
    wide = len(keys_down) if headed_down else 0
    lines = [[""] * wide + [column[depth] for column in over] for depth in range(len(keys_across) if over else 0)]
    lines += [[*head, *line] for head, line in zip(beside, body, strict=True)]
    title = " ".join(
        [chart.title, *(format_heads(key, [part])[0] for key, part in zip(chart.keys, only, strict=False))]
    )
    named = (
        bool(only)
        and all(key.values for key in chart.keys[:above])
        and len({*re.findall(r"\w+", title.casefold())} & _words_of(chart)) <= len(only)
        and dice.random() < 0.5
    )
    quoted = [_line(line, separator) for line in lines]
    text = "\n".join([title] * named + quoted) + dice.choice(["", "\n", "\n\n"])
    text = dice.choice(["", "\ufeff"]) + (text.replace("\n", "\r\n") if dice.random() < 0.3 else text)
    decided = (headed_down or not down) and (headed_across or not across) and len(down) + len(across) > 1
    return Pasted(text, cells, ends if knows_ends else (Ends(),) * len(parts), () if named else only, decided)


def _words_of(chart: Chart) -> set[str]:
    return {word for key in chart.keys for value in key.values for word in re.findall(r"\w+", value.casefold())}


def _texts(chart: Chart) -> Iterator[str]:
    for key in chart.keys:
        for value in key.values:
            yield from format_heads(key, [value])
    for field in chart.fields:
        yield from field.values


def _line(cells: Sequence[str], separator: str) -> str:
    if separator == " | ":
        return f"| {separator.join(cells)} |"
    if separator in ";,":
        return separator.join(f'"{cell}"' if separator in cell else cell for cell in cells)
    return separator.join(cells)


def _merged(parts: Sequence[Sequence[object]], dice: random.Random) -> Iterator[Sequence[object]]:
    """Headings as they are, or those that repeat the one before left blank, as merged cells are pasted."""
    merges, before = dice.random() < 0.5, ()
    for row in parts:
        yield [
            None if merges and place + 1 < len(row) and before and before[: place + 1] == row[: place + 1] else part
            for place, part in enumerate(row)
        ]
        before = tuple(row)


def _headings(chart: Chart, keys: Sequence[ChartKey | None], parts: Sequence[object], dice: random.Random) -> list[str]:
    return ["" if part is None else _heading(chart, key, part, dice) for key, part in zip(keys, parts, strict=True)]


def _heading(chart: Chart, key: ChartKey | None, part: object, dice: random.Random) -> str:
    if key is None:
        field = chart.fields[int(str(part))]
        return dice.choice([field.name, field.title or field.name])
    text = str(part)
    if key.values:
        text = dice.choice([text, text.upper(), text.title(), *format_heads(key, [text])])
    if odds := re.fullmatch(r"(\d+):(\d+)([-+]?)", text):
        text = dice.choice(["{}:{}", "{}-{}", "{}/{}", "{} to {}"]).format(*odds.groups()) + odds[3]
        return text.replace(" to ", "-") if odds[3] else text
    return text.replace("-", dice.choice(DASHES))


def _random_ends(key: ChartKey, dice: random.Random) -> Ends:
    if not key.has_owner_ends:
        return Ends()
    if key.odds:
        return Ends(f"1:{dice.randint(2, 5)}-", f"{dice.randint(2, 8)}:1+")
    first = dice.randint(-2, 2) if key.least is None else key.least
    return Ends(f"{first}-" if key.least is None else "", f"{first + dice.randint(3, 9)}+" if key.most is None else "")


def random_value(field: CellField, dice: random.Random) -> str:
    """A value that a field may have, as the chart writes it."""
    numbers = [] if field.least is None or field.most is None else [*range(field.least, field.most + 1)]
    if numbers and (not field.values or dice.random() < 0.8):
        number = dice.choice(numbers)
        return f"{number}.5" if field.halves and number < numbers[-1] and dice.random() < 0.3 else str(number)
    if field.several and dice.random() < 0.3:
        words = dice.sample([value for value in field.values if value != "-"], 2)
        return " ".join(words)
    return dice.choice(field.values)


def _as_somebody_writes(field: CellField, value: str, separator: str, dice: random.Random) -> str:
    """A value with another dash, in small letters, with a fraction or a decimal comma."""
    if value.endswith(".5"):
        whole = value.removesuffix(".5")
        forms = [value, f"{whole}½".removeprefix("0"), f"{whole},5"]
        return dice.choice(forms[: 3 if separator != " " else 2])
    value = value.replace("-", dice.choice(DASHES)) if not re.search("[a-z]", value) else value
    value = value.replace(" ", "") if separator in (" ", "   ") else value
    return value.lower() if dice.random() < 0.3 else value


def fault_of(chart: Chart, pasted: Pasted, readings: Sequence[TableReading]) -> str:
    """What is wrong with how a text was read, "" for nothing."""
    if not any(reading.cells == pasted.cells for reading in readings):
        return "the chart is not among what was read"
    if len(readings) == 1 or not pasted.decided:
        return ""
    overlap = len(chart.keys) > 1 and not any(key.values for key in chart.keys[-2:])
    return "" if overlap else "its headings say which way it lies, and it is asked about"


def try_case(chart: Chart, seed: int) -> tuple[Pasted, str]:
    """A case, and what is wrong with how it is read."""
    pasted = make_up(chart, random.Random(f"{chart.name} {seed}"))
    try:
        return pasted, fault_of(chart, pasted, read_tables(chart, pasted.text, pasted.ends, pasted.within))
    except ValueError as error:
        return pasted, str(error)


def try_spoilt(chart: Chart, seed: int) -> tuple[Pasted, str]:
    """A case with a word of it replaced, and what is wrong with how it is read: a cell that another one's text has become."""
    dice = random.Random(f"spoilt {chart.name} {seed}")
    pasted = make_up(chart, dice)
    lines = pasted.text.split("\n")
    separator = next((mark for mark in ("\t", " | ", ";", ",", "   ") if mark in pasted.text), " ")
    line = dice.randrange(len(lines))
    words = lines[line].split(separator)
    words[dice.randrange(len(words))] = dice.choice(["?", "9999", "zz", "-7", "5:17"])
    lines[line] = separator.join(words)
    pasted = pasted._replace(text="\n".join(lines))
    try:
        readings = read_tables(chart, pasted.text, pasted.ends, pasted.within)
    except ValueError:
        return pasted, ""
    wrong = [reading for reading in readings if not reading.cells.items() <= pasted.cells.items()]
    return pasted, "a cell is another one's" if len(wrong) == len(readings) else ""


def damage(text: str, dice: random.Random) -> str:
    """Return a pasted text with cells, lines or letters emptied, left out, doubled or exchanged, often the first."""
    lines = text.split("\n")
    for _ in range(dice.randint(1, 3)):
        at = 0 if dice.random() < 0.4 else dice.randrange(len(lines))
        separator = next((mark for mark in "\t;|," if mark in lines[at]), " ")
        cells = lines[at].split(separator)
        place = 0 if dice.random() < 0.5 else dice.randrange(len(cells))
        match dice.choice(["empty", "drop", "insert", "exchange", "blank", "cut", "double"]):
            case "empty":
                cells[place] = ""
            case "drop":
                del cells[place]
            case "insert":
                cells.insert(place, "")
            case "exchange":
                cells[place] = dice.choice(["x", "-", "?", '"', "1/1", "0", "=", "|", "\t"])
            case "blank":
                cells = [""] * len(cells)
            case "cut":
                cells = [cell[1:] for cell in cells]
            case "double":
                lines.insert(at, lines[at])
        lines[at] = separator.join(cells)
    return "\n".join(lines)


def try_damaged(chart: Chart, seed: int) -> tuple[str, str]:
    """Return a damaged text of a chart, and the error that is none of the input, or ""."""
    dice = random.Random(f"damaged {chart.name} {seed}")
    pasted = make_up(chart, dice)
    text = damage(pasted.text, dice)
    try:
        for reading in read_tables(chart, text, pasted.ends, pasted.within):
            [*format_table(chart, reading, 80), *format_reading(reading)]
    except InputError:
        return text, ""
    except Exception as error:
        return text, f"{type(error).__name__}: {error}"
    return text, ""


class Table(NamedTuple):
    """A chart that is pasted by a seed."""

    chart: Chart
    seed: int

    def __str__(self) -> str:
        return f"{self.chart.name} {self.seed}"


def make_table(number: int, seed: int) -> Table:
    """Return a table of a chart, one chart after the other."""
    charts = [*every_chart()]
    return Table(charts[number % len(charts)], seed + number)


def find_faults(table: Table, seen: Counter[str]) -> Iterator[str]:
    """Yield what is wrong with how a table is read as it is, with a word replaced, and damaged."""
    for attempt in (try_case, try_spoilt, try_damaged):
        pasted, fault = attempt(*table)
        if fault:
            yield f"{fault}\n{table}\n{pasted}"


SEARCH = Search("pasting", make_table, find_faults, 5000, 0, chunk=50)
