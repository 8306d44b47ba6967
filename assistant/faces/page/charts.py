"""Charts laid out as they are printed, to be filled in from the owner's own copy cell by cell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...game.charts import ABOVE, BELOW, CellField, Chart, ChartKey, Ends, Keys, cells_of, ends_of
from ...game.games import Game
from ...game.pack_charts import Doubt, list_keys
from ...game.pasted_tables import read_tables
from ...game.printed_charts import Grid, code_meanings, field_title, format_key_title, grids_of
from ...game.table_entry import format_reading, keys_in_order
from ...installed.registry import pack_of
from ...state.tracks import CERTAIN
from ...util.errors import InputError
from ...util.typesetting import sentence
from .messages.entry import CellShown, ChartShown, DoubtShown, EndShown, FieldShown, GridShown, TableRead, WayShown

KnownEnds = Mapping[str, tuple[str, str]]
"""The first and the last row or column, by the name of its key."""
_BETWEEN = ","
"""Between the parts of a key."""


def show_chart(game: Game, name: str, known_ends: KnownEnds, doubts: Sequence[Doubt] = ()) -> ChartShown:
    """Return a chart with what is known of it. game: with its owner's pack; known_ends: where it ends, as far as its
    cells do not tell; doubts: those that the last cells raised. Raises InputError for an unknown chart, and for ends
    that cannot be.
    """
    chart = game.chart(name)
    own = [key for key, cell in chart.cells.items() if cell.source in CERTAIN]
    ends = _find_ends(chart, own, known_ends)
    open_ends = any(key.has_owner_ends and not all(end) for key, end in zip(chart.keys, ends, strict=True))
    keys = [] if open_ends else list_keys(chart, [*own, *_find_corners(chart, ends)])
    certain = {key for key in own if key in keys}
    cells: dict[str, CellShown] = {}
    for key, cell in chart.cells.items():
        if key in certain:
            values = tuple(str(cell.values[field.name]) for field in chart.fields)
            cells[_join_key(key)] = CellShown(values=values, source=cell.source.value)
    return ChartShown(
        chart=name,
        title=sentence(chart.title),
        rule=chart.rule,
        remark=chart.remark,
        unread=chart.unread,
        fields=tuple(map(show_field, chart.fields)),
        ends=tuple(_read_asked_ends(chart, ends)),
        grids=tuple(_show_grid(grid) for grid in grids_of(chart, keys)),
        cells=cells,
        codes=dict(code_meanings(chart.fields)),
        missing=len(keys) - len(certain),
        doubts=tuple(DoubtShown(rule=doubt.rule, text=doubt.text) for doubt in doubts),
    )


def show_table(game: Game, name: str, text: str, known_ends: KnownEnds) -> TableRead:
    """Return how a text that was pasted may be read as a table of a chart. Raises InputError for one that is none, and
    for one whose cells could not be kept.
    """
    pack = pack_of(game)
    chart = game.chart(name)
    own = [key for key, cell in chart.cells.items() if cell.source in CERTAIN]
    ways = list[WayShown]()
    faults = list[InputError]()
    for reading in read_tables(pack.game.chart(name), text, _find_ends(chart, own, known_ends)):
        try:
            pack.charts.try_cells(name, reading.cells)
        except InputError as error:
            faults.append(error)
            continue
        grids = grids_of(chart, keys_in_order(chart, [*reading.cells, *reading.blank]))
        ways.append(
            WayShown(
                said=tuple(format_reading(reading)),
                grids=tuple(map(_show_grid, grids)),
                cells={_join_key(key): cell for key, cell in reading.cells.items()},
            )
        )
    if not ways:
        raise faults[0]
    return TableRead(ways=tuple(ways))


def keep_cells(game: Game, name: str, texts: Mapping[str, str], known_ends: KnownEnds) -> list[Doubt]:
    """Keep cells of a chart in the owner's pack; "" takes one out. Returns the doubts that they raise.

    Raises InputError for a text that is not a cell of the chart, and for a cell that contradicts the rulebook; nothing
    is kept then.
    """
    pack = pack_of(game)
    chart = game.chart(name)
    own = [key for key, cell in chart.cells.items() if cell.source in CERTAIN]
    ends = _find_ends(chart, own, known_ends)
    keys = {chart.key_within(chart.key(*given.split(_BETWEEN)), ends): text for given, text in texts.items()}
    whole = {key: cells_of(chart, [key], text)[key] for key, text in keys.items() if text.strip()}
    doubts = pack.charts.enter_cells(name, whole)
    count = pack.charts.cells(name)
    if gone := [key for key, text in keys.items() if not text.strip() and key in count]:
        pack.charts.leave_out(name, gone)
    return doubts


def _join_key(key: Keys) -> str:
    """Return a key in one word, as the page has it."""
    return _BETWEEN.join(map(str, key))


def show_field(field: CellField) -> FieldShown:
    """Return a field of the cells of a chart."""
    return FieldShown(
        name=field.name,
        title=field_title(field),
        words=field.values,
        several=field.several,
        least=field.least,
        most=field.most,
        note=field.note,
    )


def _show_grid(grid: Grid) -> GridShown:
    columns = range(len(grid.columns))
    rows = range(len(grid.rows))
    return GridShown(
        title=grid.title,
        down=grid.down,
        across=grid.across,
        rows=tuple(grid.row_heads),
        columns=tuple(grid.column_heads),
        keys=tuple(tuple(_join_key(grid.key(row, column)) for column in columns) for row in rows),
    )


def _find_ends(chart: Chart, own: Sequence[Keys], known_ends: KnownEnds) -> tuple[Ends, ...]:
    """Return where each key ends, by the owner's cells, or else by what he has typed."""
    if not chart.has_owner_ends:
        return (Ends(),) * len(chart.keys)
    found = list[Ends]()
    for key, ends in zip(chart.keys, chart.ends(own), strict=True):
        first, last = known_ends.get(key.name, ("", ""))
        found.append(_find_end(key, ends, first, last) if key.has_owner_ends else Ends())
    return tuple(found)


def _find_end(key: ChartKey, known: Ends, first: str, last: str) -> Ends:
    """Return where a key ends. Raises InputError for ends that cannot be."""
    ends = Ends(known.first or _bound(key, first, BELOW), known.last or _bound(key, last, ABOVE))
    ends_of(key, tuple(filter(None, ends)))
    if all(ends) and not key.row(ends):
        raise InputError(
            f"{format_key_title(key)} does not run from {first} to {last}", hint="type the first, then the last"
        )
    return ends


def _bound(key: ChartKey, text: str, sign: str) -> str:
    printed = key.least if sign == BELOW else key.most
    typed = text.strip().removesuffix(sign)
    if not typed:
        return "" if printed is None else str(printed)
    return str(key.read(typed + sign) if key.open else key.read(typed))


def _find_corners(chart: Chart, ends: Sequence[Ends]) -> Iterator[Keys]:
    """Yield the keys of the first and the last cell of a chart, between which all others lie."""
    if chart.has_owner_ends:
        runs = [
            end if key.has_owner_ends else key.values or key.row(Ends())
            for key, end in zip(chart.keys, ends, strict=True)
        ]
        yield tuple(run[0] for run in runs)
        yield tuple(run[-1] for run in runs)


def _read_asked_ends(chart: Chart, ends: Sequence[Ends]) -> Iterator[EndShown]:
    """Yield the keys whose ends the owner is asked for."""
    for key, end in zip(chart.keys, ends, strict=True):
        if key.has_owner_ends:
            examples = ("1:3", "6:1") if key.odds else ("0", "7")
            yield EndShown(
                key=key.name,
                title=format_key_title(key),
                first=end.first.removesuffix(BELOW),
                last=end.last.removesuffix(ABOVE),
                examples=examples,
            )
