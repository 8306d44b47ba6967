"""Charts as tables, and the key of the terrain: each cell as far as it is known, an empty box where it is not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from assistant.drawing.lettering import POINT, text_width
from assistant.drawing.scene import Polygon, Polyline, Rectangle, Shape
from assistant.game.charts import Chart, Key
from assistant.game.games import Game
from assistant.game.packs import keys_of
from assistant.pictures.colours import INK, WHITE
from assistant.pictures.layout import hexagon
from assistant.pictures.legend import GAUGES
from assistant.pictures.map.land import terrain_sign
from assistant.pictures.map.names import STYLES, kind_of, town_shapes
from assistant.pictures.map.waters import border_shapes, frontier_among, hexside_shapes
from assistant.pictures.map.ways import Run, crossing_shapes, is_double, railway_shapes, road_shapes
from assistant.pictures.style import GRID, PAPER, RIVER, SOFT_INK, HexsideStyle, Palette
from assistant.pictures.symbols import Symbols
from assistant.state.state import Cell
from assistant.state.tracks import CERTAIN, Source, Track

from ..sheets.layout import Box
from .page import (
    LEAST,
    PITCH,
    SIZES,
    Block,
    Look,
    flow,
    line,
    one_line,
    palette_of,
    paragraph,
    sentence,
    with_minus_signs,
    with_spaces,
    words,
)

_TITLE, _NOTE, _SUB = 12 * POINT, 7.5 * POINT, 9.5 * POINT
_PAD, _LEAST_ROW, _BETWEEN = 1.2, 5.2, 8.0
_TITLES, _BELOW, _WIDEST_SIDE = 24.0, 3.0, 50.0
"""What stands above a table at most, what is left below a chart, and how wide the heads of rows may be."""
_WRITTEN = 12.0
"""The width of a box that a player writes into."""
MADE_UP = "#8a4b00"
"""What is only a reconstruction is printed in this colour, in brackets."""


class Coverage(NamedTuple):
    """How much of a chart is known. shown: whether reconstructed cells are shown too."""

    chart: Chart
    shown: bool

    def cell(self, key: tuple[int | str, ...]) -> Cell | None:
        """A cell that is printed, None where a box stays empty."""
        cell = self.chart.cells.get(key)
        return cell if cell and (self.shown or cell.source in CERTAIN) else None

    @property
    def in_words(self) -> str:
        """Where the cells come from, and how many are missing."""
        keys = keys_of(self.chart)
        cells = [self.chart.cells.get(key) for key in keys]
        sources = {source: sum(cell is not None and cell.source is source for cell in cells) for source in Source}
        own = sources[Source.PRINTED] + sources[Source.STATED]
        said = [f"{sources[Source.RULEBOOK]} from the rulebook"] if sources[Source.RULEBOOK] else []
        said += [f"{own} from your own copy"] if own else []
        made = len([cell for cell in cells if cell and cell.source not in CERTAIN])
        empty = len(keys) - own - sources[Source.RULEBOOK] - (made if self.shown else 0)
        said += [f"{made} in brackets RECONSTRUCTED, not those of the printed chart"] if made and self.shown else []
        said += [f"{empty} not known: write them in, or enter them in your pack"] if empty else []
        return f"{len(keys)} cells: {', '.join(said)}" if keys else "its ends are not known"


def chart_blocks(known: Coverage, look: Look, area: Box) -> list[Block]:
    """The title of a chart, a table for all keys but the last two, side by side if two have room, and what its cells
    mean.
    """
    chart, keys, wide = known.chart, keys_of(known.chart), area.width
    tables = [_table(known, above, list(some)) for above, some in groupby(keys, key=lambda key: key[:-2])]
    widest = max((text for table in tables for text in table.cells.values()), key=len, default="")
    half, high = (wide - _BETWEEN) / 2, area.height - _TITLES
    blocks = [_title(known, wide)]
    if len(tables) > 1 and all(table.fits(half, high, widest) for table in tables):
        blocks += [_side_by_side(tables[n : n + 2], look, half, widest) for n in range(0, len(tables), 2)]
    else:
        parts = (part for table in tables for part in table.parts(wide, high, widest))
        blocks += [ruled_table(part, look, wide, widest) for part in parts]
    if not keys:
        blocks += paragraph("Its first and last row or column are printed on your chart only.", _NOTE, wide)
    legend = "; ".join(f"{field.name}: {field.note}" for field in chart.fields if field.note)
    if legend:
        blocks += paragraph(f"In each cell: {_fields(chart)}. {legend}.", _NOTE, wide)
    return [*blocks, Block(_BELOW, lambda x, y: ())]


def _side_by_side(tables: Sequence[Table], look: Look, half: float, widest: str) -> Block:
    blocks = [ruled_table(table, look, half, widest) for table in tables]

    def draw(x: float, y: float) -> Iterator[Shape]:
        for number, block in enumerate(blocks):
            yield from block.draw(x + number * (half + _BETWEEN), y)

    return Block(max(block.height for block in blocks), draw)


def _title(known: Coverage, wide: float) -> Block:
    chart = known.chart
    name = sentence(chart.title)
    title = words(f"{name} ({chart.rule})" if chart.rule else name, _TITLE, wide, bold=True)
    doubtful = known.shown and any(cell.source not in CERTAIN for cell in chart.cells.values())
    note = words(known.in_words, _NOTE, wide, bold=doubtful)

    def draw(x: float, y: float) -> Iterator[Shape]:
        yield from title.at(x, y)
        yield from note.at(x, y + title.height + 0.4, fill=MADE_UP if doubtful else SOFT_INK)

    return Block(title.height + note.height + 1.4, draw, tied=True)


def cell_text(chart: Chart, cell: Cell | None) -> str:
    """A cell in words: its fields with slashes, in brackets if it is not certain; "" for an empty box."""
    if cell is None:
        return ""
    text = " / ".join(with_minus_signs(str(cell.values[field.name])) for field in chart.fields)
    return text if cell.source in CERTAIN else f"[{text}]"


def heads(key: Key, values: Sequence[int | str]) -> list[str]:
    """The words over rows or columns; the ends of an open key hold for what lies beyond."""
    texts = [with_minus_signs(str(value)) if isinstance(value, int) else with_spaces(value) for value in values]
    if key.open and isinstance(values[0], int) and len(texts) > 1:
        texts[0], texts[-1] = f"{texts[0]} or less", f"{texts[-1]} or more"
    return texts


def _table(known: Coverage, above: tuple[int | str, ...], keys: Sequence[tuple[int | str, ...]]) -> Table:
    """One table: the last key down its side, the one before across its head, or the fields of a cell if there is none."""
    chart = known.chart
    columns = list(dict.fromkeys(key[-2:-1] for key in keys))
    rows = list(dict.fromkeys(key[-1:] for key in keys))
    across = chart.keys[-2] if len(chart.keys) > 1 else None
    cells = {
        (down, right): cell_text(chart, known.cell((*above, *column, *row)))
        for down, row in enumerate(rows)
        for right, column in enumerate(columns)
    }
    return Table(
        title=with_spaces(" ".join(map(str, above))),
        down=chart.keys[-1].name,
        across=across.name if across else "",
        rows=heads(chart.keys[-1], [row[0] for row in rows]),
        columns=heads(across, [column[0] for column in columns]) if across else [_fields(chart)],
        cells=cells,
    )


def _fields(chart: Chart) -> str:
    return " / ".join(field.name for field in chart.fields)


class Table(NamedTuple):
    """The words of a table. title: over it; down, across: what its rows and columns are; cells: by row and column, from
    0.
    """

    title: str
    down: str
    across: str
    rows: Sequence[str]
    columns: Sequence[str]
    cells: Mapping[tuple[int, int], str]

    @property
    def side(self) -> float:
        """The width of the heads of its rows."""
        wide = max(text_width(text, SIZES[0], bold=True) for text in [*self.rows, self.down]) + 2 * _PAD
        return min(wide, _WIDEST_SIDE)

    @property
    def has_empty(self) -> bool:
        """Whether there are boxes to write into."""
        return "" in self.cells.values()

    def column(self, size: float, widest: str) -> float:
        """The width that a column needs. widest: a text that it must be able to hold as well."""
        inside = max((text_width(text, size) for text in [widest, *self.cells.values()]), default=0.0)
        return max(inside, *(text_width(text, size, bold=True) for text in self.columns)) + 2 * _PAD

    def fits(self, wide: float, high: float, widest: str) -> bool:
        """Whether a place is enough for letters that are read with ease, and to write into empty boxes."""
        enough = not self.has_empty or (wide - self.side) / len(self.columns) >= _WRITTEN
        return enough and self.size(wide, widest) > LEAST and len(self.rows) < high // _row(SIZES[0])

    def size(self, wide: float, widest: str) -> float:
        """The largest size of letters in which it fits a width."""
        room = (wide - self.side) / len(self.columns)
        return next((size for size in SIZES if self.column(size, widest) <= room), LEAST)

    def parts(self, wide: float, high: float, widest: str) -> Iterator[Table]:
        """The table, or the parts in which it fits a page: as many columns as have room, and as many rows."""
        column = max(self.column(LEAST, widest), _WRITTEN if self.has_empty else 0.0)
        abreast = max(int((wide - self.side) // min(column, wide - self.side)), 1)
        deep = max(int(high // _row(SIZES[0])) - 1, 1)
        for right in range(0, len(self.columns), abreast):
            for down in range(0, len(self.rows), deep):
                yield self._replace(
                    title=f"{self.title}, continued".removeprefix(", ") if right or down else self.title,
                    rows=self.rows[down : down + deep],
                    columns=self.columns[right : right + abreast],
                    cells={
                        (row - down, column - right): self.cells[row, column]
                        for row in range(down, min(down + deep, len(self.rows)))
                        for column in range(right, min(right + abreast, len(self.columns)))
                    },
                )


def _row(size: float) -> float:
    """The height of a row with letters of a size."""
    return max(size * PITCH + 1.2, _LEAST_ROW)


def ruled_table(table: Table, look: Look, wide: float, widest: str = "") -> Block:
    """A table as it is printed. widest: the longest text of its columns, so that several tables look alike."""
    left, size = table.side, table.size(wide, widest)
    room = (wide - left) / len(table.columns)
    share = 1.0 if table.has_empty else 0.6  # of what room there is
    each = min(room, max(table.column(size, widest), 14.0, share * room))
    whole = left + each * len(table.columns)
    row = _row(size)
    titled = _SUB * PITCH + 1.4 if table.title else 0.0
    captioned = LEAST * PITCH + 0.4 if table.across else 0.0

    def draw(x: float, y: float) -> Iterator[Shape]:
        if table.title:
            yield one_line(x, y + _SUB, sentence(table.title), _SUB, wide, bold=True)
        top = y + titled
        if table.across:
            yield one_line(x + left, top + LEAST, table.across, LEAST, whole - left, fill=SOFT_INK)
        top += captioned
        yield Rectangle(x=x, y=top, width=whole, height=row, fill=look.tint(GRID, 0.5))
        yield one_line(x + _PAD, top + row - 1.7, table.down, size, left - _PAD, fill=INK)
        for column, head in enumerate(table.columns):
            middle = x + left + (column + 0.5) * each
            yield one_line(middle, top + row - 1.7, head, size, each - 0.6, bold=True, anchor="middle")
        for number, head in enumerate(table.rows):
            at = top + (number + 1) * row
            ground = look.tint(GRID, 0.16) if number % 2 else WHITE
            yield Rectangle(x=x, y=at, width=whole, height=row, fill=ground)
            yield one_line(x + _PAD, at + row - 1.7, head, size, left - _PAD, bold=True)
            for column in range(len(table.columns)):
                if not (text := table.cells.get((number, column), "")):
                    continue
                fill = MADE_UP if text.startswith("[") else INK
                middle = x + left + (column + 0.5) * each
                yield one_line(middle, at + row - 1.7, text, size, each - 0.6, anchor="middle", fill=fill)
        yield from _lines(Box(x, top, whole, row * (len(table.rows) + 1)), left, each, row)

    return Block(titled + captioned + row * (len(table.rows) + 1) + 1.2, draw)


def _lines(area: Box, left: float, each: float, row: float) -> Iterator[Shape]:
    """The lines between cells, and the frame."""
    x, y = area.left + left, area.top
    while x < area.right - 0.1:
        yield Polyline(points=((x, area.top), (x, area.bottom)), stroke=GRID, width=0.2, butt=True)
        x += each
    while y < area.bottom - 0.1:
        yield Polyline(points=((area.left, y), (area.right, y)), stroke=GRID, width=0.2, butt=True)
        y += row
    yield Rectangle(x=area.left, y=area.top, width=area.width, height=area.height, stroke=SOFT_INK, stroke_width=0.35)


# --- the key of the terrain -------------------------------------------------------------------------------------------

_BODY, _HEADING, _HEAD = 9.5 * POINT, 12 * POINT, 8 * POINT
_SWATCH, _NAME = 24.0, 44.0
_HEX, _SIGN = 3.7, 4.7
_ABREAST = 4


class Entry(NamedTuple):
    """A word of the map.

    kind: "hex", "hexside", "crossing", "road", "rail", "gauge", "border", "frontier", "town", or "" for a word that
    only charts name; track: its track.
    """

    kind: str
    word: str
    track: str = ""

    def title(self, game: Game) -> str:
        """What the key calls it."""
        if self.kind == "rail":
            return f"{_heading_of(game.tracks[self.track])}, {'double' if is_double(self.word) else 'single'} track"
        if self.kind == "gauge":
            return sentence(GAUGES.get(self.word, with_spaces(self.word)))
        return sentence(with_spaces(self.word))


class Column(NamedTuple):
    """A column of the key: a chart, the keys of its cells before and behind the word, and its head."""

    known: Coverage
    before: tuple[int | str, ...]
    behind: tuple[int | str, ...]
    head: str

    def key(self, word: str) -> tuple[int | str, ...]:
        """The key of its cell for a word."""
        return (*self.before, word, *self.behind)


def entries(game: Game, charts: Sequence[Chart]) -> dict[str, list[Entry]]:
    """The words of the map by the heading that they stand under; at the end those that only charts name."""
    picture, tracks = game.file.picture, game.tracks
    spots = [
        ("hex", picture.terrain),
        ("hexside", picture.barrier),
        ("crossing", picture.crossing),
        ("crossing", picture.causeway),
    ]
    spots += [("road", picture.road), ("rail", picture.rail), ("gauge", picture.gauge), ("border", picture.border)]
    palette, under = palette_of(game), dict[str, list[Entry]]()
    headings: dict[str, str] = {}
    for kind, name in [*spots, ("town", picture.town)]:
        track = tracks.get(name)
        drawn = [word for word in _words(track) if kind != "hexside" or palette.hexside(word)] if track else []
        drawn = [word for word in drawn if kind in ("hex", "hexside") or not word.startswith("no-")]
        if track and drawn:
            heading = headings.setdefault(kind, _heading_of(track))
            frontier = frontier_among(drawn, drawn) if kind == "border" else ""
            some = [Entry("frontier" if word == frontier else kind, word, name) for word in drawn]
            under.setdefault(heading, []).extend(some)
    known = {word for some in under.values() for entry in some for word in (entry.word, entry.track)}
    others = dict.fromkeys(word for chart in charts for word in _words_named(chart, known) if word not in known)
    if others:
        under["Others"] = [Entry("", word) for word in others]
    return under


def _heading_of(track: Track) -> str:
    """The title of a track without what it says in brackets at its end."""
    return sentence(re.sub(r"\s*\([^()]*\)$", "", track.title))


def _words(track: Track) -> tuple[str, ...]:
    return track.values or ((track.name,) if track.kind == "flag" else ())


def _place(chart: Chart, known: set[str]) -> int:
    """The place of the key whose words are those of the map, -1 if none is."""
    shared = [len(known & set(key.values)) for key in chart.keys]
    return max(range(len(shared)), key=lambda n: shared[n]) if any(shared) else -1


def _words_named(chart: Chart, known: set[str]) -> tuple[str, ...]:
    place = _place(chart, known)
    return chart.keys[place].values if place >= 0 else ()


def columns(game: Game, charts: Sequence[Coverage]) -> list[Column]:
    """The columns of the key: one for each chart, or for each of the tables in it."""
    known = {entry.word for some in entries(game, ()).values() for entry in some}
    split = []
    for chart in charts:
        place = _place(chart.chart, known)
        if place < 0:
            continue
        apart = dict.fromkeys((key[:place], key[place + 1 :]) for key in keys_of(chart.chart))
        for before, behind in apart:
            head = " ".join(map(str, (*before, *behind))) or chart.chart.fields[0].name
            split.append(Column(chart, before, behind, with_spaces(head)))
    return split


def terrain_key(game: Game, charts: Sequence[Coverage], look: Look, area: Box) -> list[list[Shape]]:
    """The shapes of each page: what is drawn, and beside it what each chart says; lower rows if all then fits one page."""
    rows = (11.4, 10.6, 9.8, 9.0, 8.2, 7.6)

    def laid(row: float) -> list[list[Shape]]:
        return flow(_blocks(game, charts, look, area.width, row), area)

    return next((pages for pages in map(laid, rows) if len(pages) == 1), None) or laid(rows[0])


def _blocks(game: Game, charts: Sequence[Coverage], look: Look, wide: float, row: float) -> list[Block]:
    """The parts of the key, with rows of this height."""
    shown = columns(game, charts)
    each = (wide - _SWATCH - _NAME) / max(len(shown), 3)
    blocks = [_heads(shown, wide, each)] if shown else []
    for heading, some in entries(game, [chart.chart for chart in charts]).items():
        blocks.append(_heading(heading, wide, look))
        spoken = [entry for entry in some if any(_chart_word(column, entry)[0] is not None for column in shown)]
        others = [entry for entry in some if entry not in spoken]
        blocks += [_entry_row(game, entry, shown, wide, each, row) for entry in spoken]
        blocks += [_abreast(game, others[at : at + _ABREAST], wide, row) for at in range(0, len(others), _ABREAST)]
    return blocks + [line for chart in charts for line in _notes(chart, wide)]


def _heads(shown: Sequence[Column], wide: float, each: float) -> Block:
    """The titles of the charts over the heads of their columns."""
    by_chart: dict[str, list[int]] = {}
    for number, column in enumerate(shown):
        by_chart.setdefault(column.known.chart.title, []).append(number)
    titles = {title: words(sentence(title), _HEAD, each * len(of) - 1.5) for title, of in by_chart.items()}
    high = max(part.height for part in titles.values()) + _HEAD * PITCH + 1.2

    def draw(x: float, y: float) -> Iterator[Shape]:
        left = x + _SWATCH + _NAME
        for title, of in by_chart.items():
            yield from titles[title].at(left + of[0] * each, y, fill=SOFT_INK)
        for number, column in enumerate(shown):
            middle = left + (number + 0.5) * each
            yield one_line(middle, y + high - 1.4, column.head, _HEAD, each - 1, bold=True, anchor="middle")

    return Block(high, draw, tied=True)


def _heading(text: str, wide: float, look: Look) -> Block:
    high = _HEADING * PITCH + 1.2

    def draw(x: float, y: float) -> Iterator[Shape]:
        yield Rectangle(x=x, y=y + 1, width=wide, height=high - 1, radius=0.8, fill=look.tint(GRID, 0.5))
        yield one_line(x + 1.5, y + high - 1.6, text, _HEADING * 0.9, wide - 3, bold=True)

    return Block(high, draw, tied=True)


def _entry_row(game: Game, entry: Entry, shown: Sequence[Column], wide: float, each: float, high: float) -> Block:
    """A word: how it looks, its name, and what each chart says of it."""
    palette, symbols = palette_of(game), Symbols(game)

    def draw(x: float, y: float) -> Iterator[Shape]:
        middle = y + high / 2
        yield from _swatch(entry, x + _SWATCH / 2 - 1, middle, palette, symbols)
        base = middle + _BODY * 0.34
        yield one_line(x + _SWATCH, base, entry.title(game), _BODY, _NAME - 2, bold=True)
        for number, column in enumerate(shown):
            left = x + _SWATCH + _NAME + number * each
            text, certain = _chart_word(column, entry)
            if text is None:
                continue
            yield Rectangle(
                x=left + 0.8, y=y + 1.2, width=each - 1.6, height=high - 2.4, radius=0.8, fill=WHITE, stroke=GRID, stroke_width=0.25
            )  # fmt: skip
            fill = INK if certain else MADE_UP
            if text:
                yield one_line(left + each / 2, base, text, _BODY, each - 3, anchor="middle", fill=fill)
        yield line(x, y + high, x + wide, y + high)

    return Block(high, draw)


def _abreast(game: Game, some: Sequence[Entry], wide: float, high: float) -> Block:
    """Words of which no chart speaks, side by side."""
    palette, symbols, each = palette_of(game), Symbols(game), wide / _ABREAST

    def draw(x: float, y: float) -> Iterator[Shape]:
        middle = y + high / 2
        for number, entry in enumerate(some):
            left = x + number * each
            yield from _swatch(entry, left + _SWATCH / 2 - 1, middle, palette, symbols)
            title = entry.title(game)
            yield one_line(left + _SWATCH, middle + _BODY * 0.34, title, _BODY, each - _SWATCH - 1, bold=True)
        yield line(x, y + high, x + wide, y + high)

    return Block(high, draw)


def _chart_word(column: Column, entry: Entry) -> tuple[str | None, bool]:
    """What a chart says of a word, or of all words of its track, and whether it is certain: "" where that is not known,
    None where the chart has no such cell.
    """
    cells = keys_of(column.known.chart)
    key = next((key for word in (entry.word, entry.track) if (key := column.key(word)) in cells), None)
    if key is None:
        return None, True
    cell = column.known.cell(key)
    return cell_text(column.known.chart, cell), cell is None or cell.source in CERTAIN


def _swatch(entry: Entry, x: float, y: float, palette: Palette, symbols: Symbols) -> Iterator[Shape]:
    """How a word looks on our boards, around a point."""
    start, end = (x - 8, y), (x + 8, y)
    match entry.kind:
        case "hex":
            yield Polygon(
                points=hexagon((x, y), _HEX, flat=True), fill=palette.ground(entry.word), stroke=GRID, width=0.3
            )
            yield from terrain_sign(entry.word, (x, y), _SIGN, palette, symbols)
        case "hexside":
            style = palette.hexside(entry.word)
            yield from hexside_shapes(style, start, end) if style else ()
        case "road":
            yield from road_shapes(Run((start, end), entry.word), palette)
        case "rail":
            yield from railway_shapes(Run((start, end), entry.word), palette)
        case "gauge":
            yield from railway_shapes(Run((start, end), "", entry.word), palette)
        case "crossing":
            yield from hexside_shapes(HexsideStyle("river", RIVER, 1.6), start, end)
            yield from crossing_shapes(entry.word, ((x, y - 2.4), (x, y + 2.4)), PAPER)
        case "border" | "frontier":
            yield from border_shapes((start, end), main=entry.kind == "frontier")
        case "town":
            kind = kind_of(entry.word)
            yield from town_shapes(kind, (x, y), min(1.0, 2.4 / STYLES[kind].radius))


def _notes(known: Coverage, wide: float) -> list[Block]:
    """How much of a chart is known, and what its figures mean."""
    chart = known.chart
    meaning = "; ".join(field.note for field in chart.fields if field.note)
    rule = f" ({chart.rule})" if chart.rule else ""
    about = f"{sentence(chart.title)}{rule}" + (f": {meaning}" if meaning else "")
    return paragraph(f"{about}. {known.in_words}.", LEAST + 0.15, wide)
