"""The owner's pack on the page: its charts and counters as forms to fill in, and the pack as one file."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

import msgspec

from ...asking.view import View
from ...drawing.counters import draw_stack, face_of_unit
from ...drawing.geometry import PageBox
from ...drawing.map.survey import SurveyReader
from ...drawing.scene import Layer, Scene
from ...drawing.style import COUNTER_MM
from ...drawing.svg import to_svg
from ...drawing.symbols import Symbols
from ...game.charts import ABOVE_SIGN, BELOW_SIGN, CellField, Chart, ChartKey, Ends, Keys, cells_of, ends_of
from ...game.games import Game
from ...game.pack_archive import pack_archive, take_archive
from ...game.pack_charts import Doubt, list_keys
from ...game.packs import Pack
from ...game.pasted_tables import read_tables
from ...game.printed_charts import Grid, code_meanings, field_title, format_key_title, grids_of
from ...game.printed_counters import CounterRow, counters_with_gaps, printed_counters
from ...game.states import Stated, build_state
from ...game.table_entry import format_reading, keys_in_order
from ...installed.registry import pack_of
from ...state.state import Unit
from ...state.tracks import CERTAIN, Fact
from ...util.errors import InputError, format_suggestion
from ...util.typesetting import sentence
from .messages.entry import (
    At,
    CellShown,
    ChartShown,
    CounterListed,
    CounterShown,
    CountersShown,
    DoubtShown,
    EndShown,
    FieldShown,
    FormationShown,
    GridShown,
    PackShown,
    TableRead,
    ValueShown,
    WayShown,
)
from .messages.requests import decoded

KnownEnds = Mapping[str, tuple[str, str]]
"""The first and the last row or column of a chart, by the name of its key."""
_KEY_SEPARATOR = ","
"""The separator between the parts of a key."""
_BLANK_FIGURE = " "
"""A figure in place of the real ones, with which the foot of a counter is drawn empty."""
_SHADOW_WIDTH_MM = 0.6


def show_chart(game: Game, name: str, known_ends: KnownEnds, doubts: Sequence[Doubt] = ()) -> ChartShown:
    """Return a chart in its printed layout, with its known cells.

    `known_ends`: the ends that the owner has typed, for keys whose ends the cells do not show.

    Raises InputError if there is no such chart, or if it cannot have these ends.
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
        ends=tuple(_list_asked_ends(chart, ends)),
        grids=tuple(_show_grid(grid) for grid in grids_of(chart, keys)),
        cells=cells,
        codes=dict(code_meanings(chart.fields)),
        missing=len(keys) - len(certain),
        doubts=tuple(DoubtShown(rule=doubt.rule, text=doubt.text) for doubt in doubts),
    )


def show_pasted_table(game: Game, name: str, text: str, known_ends: KnownEnds) -> TableRead:
    """Return the ways to read a pasted text as a table of a chart.

    Raises InputError if the text is not a table of the chart, or if its cells could not be saved.
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
    """Save cells of a chart in the owner's pack, and return the doubts that they raise.

    `texts`: the text of each cell by key; an empty text removes the cell.

    Raises InputError, and saves no cell, if a text is not a cell of the chart, or contradicts the rulebook.
    """
    pack = pack_of(game)
    chart = game.chart(name)
    own = [key for key, cell in chart.cells.items() if cell.source in CERTAIN]
    ends = _find_ends(chart, own, known_ends)
    keys = {chart.key_within(chart.key(*given.split(_KEY_SEPARATOR)), ends): text for given, text in texts.items()}
    whole = {key: cells_of(chart, [key], text)[key] for key, text in keys.items() if text.strip()}
    doubts = pack.charts.enter_cells(name, whole)
    count = pack.charts.cells(name)
    if emptied := [key for key, text in keys.items() if not text.strip() and key in count]:
        pack.charts.leave_out(name, emptied)
    return doubts


def _join_key(key: Keys) -> str:
    return _KEY_SEPARATOR.join(map(str, key))


def show_field(field: CellField) -> FieldShown:
    """Return a field of a chart's cells for the page."""
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
    """Return the ends of each key, by the owner's cells, or else by the ends that the owner has typed."""
    if not chart.has_owner_ends:
        return (Ends(),) * len(chart.keys)
    found = list[Ends]()
    for key, ends in zip(chart.keys, chart.ends(own), strict=True):
        first, last = known_ends.get(key.name, ("", ""))
        found.append(_find_end(key, ends, first, last) if key.has_owner_ends else Ends())
    return tuple(found)


def _find_end(key: ChartKey, known: Ends, first: str, last: str) -> Ends:
    ends = Ends(known.first or _read_end(key, first, BELOW_SIGN), known.last or _read_end(key, last, ABOVE_SIGN))
    ends_of(key, tuple(filter(None, ends)))
    if all(ends) and not key.row(ends):
        raise InputError(
            f"{format_key_title(key)} does not run from {first} to {last}", hint="type the first, then the last"
        )
    return ends


def _read_end(key: ChartKey, text: str, sign: str) -> str:
    printed = key.least if sign == BELOW_SIGN else key.most
    typed = text.strip().removesuffix(sign)
    if not typed:
        return "" if printed is None else str(printed)
    return str(key.read(typed + sign) if key.open else key.read(typed))


def _find_corners(chart: Chart, ends: Sequence[Ends]) -> Iterator[Keys]:
    """Yield the keys of the first and the last cell of a chart, or none if its ends are not the owner's."""
    if chart.has_owner_ends:
        runs = [
            end if key.has_owner_ends else key.values or key.row(Ends())
            for key, end in zip(chart.keys, ends, strict=True)
        ]
        yield tuple(run[0] for run in runs)
        yield tuple(run[-1] for run in runs)


def _list_asked_ends(chart: Chart, ends: Sequence[Ends]) -> Iterator[EndShown]:
    for key, end in zip(chart.keys, ends, strict=True):
        if key.has_owner_ends:
            examples = ("1:3", "6:1") if key.odds else ("0", "7")
            yield EndShown(
                key=key.name,
                title=format_key_title(key),
                first=end.first.removesuffix(BELOW_SIGN),
                last=end.last.removesuffix(ABOVE_SIGN),
                examples=examples,
            )


def list_counters(game: Game) -> CountersShown:
    """Return the counters of a game and those that its owner has added, by formation."""
    formations = list[FormationShown]()
    for title, rows in groupby(counters_with_gaps(pack_of(game)), key=lambda entry: entry[0].formation):
        units = tuple(CounterListed(unit=row.unit, missing=len(missing)) for row, missing in rows)
        formations.append(FormationShown(title=title, units=units))
    return CountersShown(formations=tuple(formations))


def show_counter(game: Game, unit: str) -> CounterShown:
    """Return a counter as a form.

    Raises InputError if there is no such counter.
    """
    pack = pack_of(game)
    counters = {row.unit: (row, missing) for row, missing in counters_with_gaps(pack)}
    if unit not in counters:
        raise InputError(f"there is no counter {unit[:40]!r} in the roster", hint=format_suggestion(unit, counters))
    row, _ = counters[unit]
    order = [*counters]
    later = (*order[order.index(unit) + 1 :], *order[: order.index(unit)])
    return CounterShown(
        unit=unit,
        formation=row.formation,
        face=_draw_face(game, unit),
        values=tuple(_find_values(game, pack, row)),
        next=next((name for name in later if counters[name][1]), ""),
    )


def keep_counter(game: Game, unit: str, values: Mapping[str, str]) -> None:
    """Save the printed values of a counter in the owner's pack.

    Raises the errors of `Pack.enter_all`.
    """
    pack_of(game).enter_all({(unit, game.track(name).name): text for name, text in values.items() if text.strip()})


def _find_values(game: Game, pack: Pack, row: CounterRow) -> Iterator[ValueShown]:
    """Yield the values of a counter: first of its front, then of its back, with the figures first on each."""
    printed = printed_counters(pack).get(row.unit, {})
    entered = pack.values().get(row.unit, {})
    backs = {track.back: track.name for track in game.tracks.values() if track.back}
    figures = game.file.picture.figures

    def at(name: str) -> At:
        on_foot = backs.get(name, name) in figures
        if name in backs:
            return "back-foot" if on_foot else "back"
        return "front-foot" if on_foot else "front"

    def order(name: str) -> tuple[bool, int]:
        front = backs.get(name, name)
        return name in backs, figures.index(front) if front in figures else len(figures)

    for name in sorted(row.columns, key=order):
        track = game.tracks[name]
        known = next((fact for fact in printed.get(name, ()) if fact.source in CERTAIN), None)
        own = name in entered
        value = ""
        source = ""
        if own:
            value = entered[name]
            source = "printed"
        elif known:
            value = track.write(known.value)
            source = known.source.value
        yield ValueShown(
            name=name,
            title=sentence(track.title),
            at=at(name),
            takes=track.takes,
            words=track.values,
            value=value,
            source=source,
            own=own,
        )


def _draw_face(game: Game, unit: str) -> str:
    counter = Unit(unit, game.type_of(unit), None)
    state = build_state(game, Stated(units=[counter], facts=_find_identity(game, unit)))
    face = face_of_unit(counter, SurveyReader(View(game, state)))
    bare = msgspec.structs.replace(face, figures=(_BLANK_FIGURE,))
    shapes, _ = draw_stack([bare], PageBox(0, 0, COUNTER_MM, COUNTER_MM), Symbols(game))
    side = COUNTER_MM + _SHADOW_WIDTH_MM
    return to_svg(Scene(width=side, height=side, title=bare.title, layers=(Layer("counter", tuple(shapes)),)))


def _find_identity(game: Game, unit: str) -> Mapping[tuple[str, str], Fact]:
    """Return the identifying facts of a unit, restated as certain so that a picture shows all of them."""
    picture = game.file.picture
    shown = (name for troops in picture.troops for name in troops.facts)
    names = dict.fromkeys((picture.nation, picture.symbol, picture.size, *game.file.notation.identity, *shown))
    printed = game.roster.get(unit, {})
    return {(name, unit): Fact(printed[name][0].value) for name in names if printed.get(name)}


def give_pack(game: Game) -> PackShown:
    """Return the owner's pack of a game as one file."""
    pack = pack_of(game)
    return _show_pack(pack, b64encode(pack_archive(pack)).decode() if pack.files.list_existing() else "")


def take_pack(game: Game, data: str) -> PackShown:
    """Add files to the owner's pack, and return the pack.

    `data`: a zip file in base64.

    Raises the errors of `take_archive`.
    """
    pack = pack_of(game)
    return _show_pack(pack, doubts=take_archive(pack, decoded(data), "the pack"))


def _show_pack(pack: Pack, data: str = "", doubts: Iterable[Doubt] = ()) -> PackShown:
    return PackShown(
        name=f"{pack.game.id}-pack.zip",
        files=tuple(file.relative_to(pack.folder).as_posix() for file in pack.files.list_existing()),
        data=data,
        doubts=tuple(DoubtShown(rule=doubt.rule, text=doubt.text) for doubt in doubts),
    )
