"""The terrain key: the words of the map with their signs, and the values of the charts beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from assistant.drawing.colours import INK, WHITE
from assistant.drawing.geometry import hexagon
from assistant.drawing.legend import GAUGES
from assistant.drawing.lettering import POINT_MM
from assistant.drawing.map.borders import border_shapes
from assistant.drawing.map.countries import frontier_among, tints_in_key
from assistant.drawing.map.crossings import crossing_sign
from assistant.drawing.map.grounds import terrain_sign
from assistant.drawing.map.towns import STYLES, town_kind, town_shapes
from assistant.drawing.map.waters import hexside_shapes
from assistant.drawing.map.ways import WayStretch, is_double, railway_shapes, road_shapes
from assistant.drawing.scene import Polygon, Rectangle, Shape
from assistant.drawing.style import GRID, RIVER, SOFT_INK, HexsideStyle, Palette, palette_of
from assistant.drawing.symbols import Symbols
from assistant.game.charts import Chart
from assistant.game.games import Game
from assistant.game.pack_charts import list_keys
from assistant.state.tracks import CERTAIN, Track
from assistant.util.typesetting import sentence, with_spaces

from ..sheets.sizes import Box
from .flow import LINE_PITCH_FACTOR, Block, Piece, choose_largest, flow_blocks, half_of, paragraph, set_line, set_words
from .page import MIN_SIZE_MM, AidStyle, thin_line
from .tables import MADE_UP_COLOUR, Coverage, format_cell

_BODY_SIZE_MM = 9.5 * POINT_MM
_HEADING_SIZE_MM = 12 * POINT_MM
_COLUMN_HEAD_SIZE_MM = 8 * POINT_MM
_SWATCH_WIDTH_MM = 24.0
_NAME_WIDTH_MM = 44.0
_HEX_RADIUS_MM = 3.7
_TERRAIN_SIGN_SIZE_MM = 4.7
_MAX_UNCHARTED_WIDTH_MM = 46.0  # for an entry that no chart mentions
_NOTES_GAP_MM = 1.6
_ROW_HEIGHTS_MM = (11.4, 10.6, 9.8, 9.0, 8.2, 7.6)  # tried in this order


Kind = Literal["hex", "hexside", "crossing", "road", "rail", "gauge", "border", "frontier", "town", ""]
"""The look of a word on the map, or "" if only charts name it."""


class TerrainEntry(NamedTuple):
    """A word of the map."""

    kind: Kind
    word: str
    track: str = ""

    def title(self, game: Game) -> str:
        """Return the word's name in the key."""
        if self.kind == "rail":
            return self._title_of_rail(find_heading(game.tracks[self.track]))
        if self.kind == "gauge":
            return sentence(GAUGES.get(self.word, with_spaces(self.word)))
        return sentence(with_spaces(self.word))

    def _title_of_rail(self, heading: str) -> str:
        """Return the name of a railway: by its tracks if its word numbers them, else the word."""
        if is_double(self.word) or any("0" <= letter <= "9" for letter in self.word):
            return f"{heading}, {'double' if is_double(self.word) else 'single'} track"
        return heading if self.word == self.track else sentence(with_spaces(self.word))


class Column(NamedTuple):
    """A column of the key: a chart, the keys of its cells before and after the word, and its head."""

    known: Coverage
    before: tuple[int | str, ...]
    after: tuple[int | str, ...]
    head: str

    def key(self, word: str) -> tuple[int | str, ...]:
        return (*self.before, word, *self.after)


def entries(game: Game, charts: Sequence[Chart]) -> dict[str, list[TerrainEntry]]:
    """Return the words of the map by heading, with words that only charts name at the end."""
    picture, tracks = game.file.picture, game.tracks
    spots: list[tuple[Kind, str]] = [
        ("hex", picture.terrain),
        ("hexside", picture.barrier),
        ("crossing", picture.crossing),
        ("crossing", picture.causeway),
    ]
    spots += [("road", picture.road), ("rail", picture.rail), ("gauge", picture.gauge), ("border", picture.border)]
    palette, under = palette_of(game), dict[str, list[TerrainEntry]]()
    headings: dict[str, str] = {}
    for kind, name in [*spots, ("town", picture.town)]:
        track = tracks.get(name)
        drawn = [word for word in _words_of_track(track) if kind != "hexside" or palette.hexside(word)] if track else []
        drawn = [word for word in drawn if kind in ("hex", "hexside") or not (word.startswith("no-") or word == "none")]
        if track and drawn:
            heading = headings.setdefault(kind, find_heading(track))
            frontier = frontier_among(drawn, drawn) if kind == "border" else ""
            some = [TerrainEntry("frontier" if word == frontier else kind, word, name) for word in drawn]
            under.setdefault(heading, []).extend(some)
    known: set[str] = set()
    for some in under.values():
        for entry in some:
            known.update((entry.word, entry.track))
    others = dict.fromkeys(word for chart in charts for word in _words_of_chart(chart, known) if word not in known)
    if others:
        under["Others"] = [TerrainEntry("", word) for word in others]
    return under


def find_heading(track: Track) -> str:
    """Return the title of a track without the text in brackets at its end."""
    return sentence(re.sub(r"\s*\([^()]*\)$", "", track.title))


def _words_of_track(track: Track) -> tuple[str, ...]:
    return track.values or ((track.name,) if track.kind == "flag" else ())


def _find_key(chart: Chart, known: set[str]) -> int:
    """Return the index of the chart key whose words are those of the map, or -1 if there is none."""
    shared = [len(known & set(key.values)) for key in chart.keys]
    return max(range(len(shared)), key=lambda n: shared[n]) if any(shared) else -1


def _words_of_chart(chart: Chart, known: set[str]) -> tuple[str, ...]:
    place = _find_key(chart, known)
    return chart.keys[place].values if place >= 0 else ()


def columns(game: Game, charts: Sequence[Coverage]) -> list[Column]:
    """Return the columns of the key: one for each chart, or for each of the tables in it."""
    known = {entry.word for some in entries(game, ()).values() for entry in some}
    split = []
    for chart in charts:
        place = _find_key(chart.chart, known)
        if place < 0:
            continue
        apart = dict.fromkeys((key[:place], key[place + 1 :]) for key in list_keys(chart.chart))
        for before, after in apart:
            head = " ".join(map(str, (*before, *after))) or chart.chart.fields[0].name
            split.append(Column(chart, before, after, with_spaces(head)))
    return split


def terrain_key(game: Game, charts: Sequence[Coverage], style: AidStyle, area: Box) -> list[list[Piece]]:
    """Return the key in rows as high as one page allows, and in low rows; in one column if no chart has values."""
    art, half = _Art(game, palette_of(game), Symbols(game)), half_of(area)
    made = choose_largest(lambda row: _list_blocks(art, charts, style, area.width, row), _ROW_HEIGHTS_MM, area)
    layouts = [
        [*map(Piece, flow_blocks(made, area))],
        [*map(Piece, flow_blocks(_list_blocks(art, charts, style, area.width, _ROW_HEIGHTS_MM[-1]), area))],
    ]
    if not charts:
        column = flow_blocks(_list_blocks(art, charts, style, half.width, _ROW_HEIGHTS_MM[2]), half)
        layouts.insert(1, [Piece(block, half=True) for block in column])
    return layouts


class _Art(NamedTuple):
    game: Game
    palette: Palette
    symbols: Symbols


def _list_blocks(art: _Art, charts: Sequence[Coverage], style: AidStyle, width: float, row: float) -> list[Block]:
    game = art.game
    shown = columns(game, charts)
    each = (width - _SWATCH_WIDTH_MM - _NAME_WIDTH_MM) / max(len(shown), 3)
    blocks = [_block_of_heads(shown, each)] if shown else []
    for heading, some in entries(game, [chart.chart for chart in charts]).items():
        blocks.append(_block_of_heading(heading, width, style))
        spoken = [entry for entry in some if any(_read_chart(column, entry)[0] is not None for column in shown)]
        others = [entry for entry in some if entry not in spoken]
        blocks += [_block_of_entry(art, entry, shown, width, each, row) for entry in spoken]
        abreast = max(int(width // _MAX_UNCHARTED_WIDTH_MM), 1)
        blocks += [
            _block_of_entries(art, others[at : at + abreast], width, row) for at in range(0, len(others), abreast)
        ]
    notes = [note for chart in charts for note in _list_notes(chart, width)]
    if notes:
        blocks += [Block(_NOTES_GAP_MM, lambda x, y: ()), *notes]
    return blocks


def _block_of_heads(shown: Sequence[Column], each: float) -> Block:
    by_chart: dict[str, list[int]] = {}
    for number, column in enumerate(shown):
        by_chart.setdefault(column.known.chart.title, []).append(number)
    titles = {
        title: set_words(sentence(title), _COLUMN_HEAD_SIZE_MM, each * len(numbers) - 1.5)
        for title, numbers in by_chart.items()
    }
    height = max(part.height for part in titles.values()) + _COLUMN_HEAD_SIZE_MM * LINE_PITCH_FACTOR + 1.2

    def draw(x: float, y: float) -> Iterator[Shape]:
        left = x + _SWATCH_WIDTH_MM + _NAME_WIDTH_MM
        for title, numbers in by_chart.items():
            yield from titles[title].at(left + numbers[0] * each, y, fill=SOFT_INK)
        for number, column in enumerate(shown):
            middle = left + (number + 0.5) * each
            yield set_line(
                middle,
                y + height - 1.4,
                sentence(column.head),
                _COLUMN_HEAD_SIZE_MM,
                each - 1,
                bold=True,
                anchor="middle",
            )

    return Block(height, draw, tied=True)


def _block_of_heading(text: str, width: float, style: AidStyle) -> Block:
    height = _HEADING_SIZE_MM * LINE_PITCH_FACTOR + 1.2

    def draw(x: float, y: float) -> Iterator[Shape]:
        yield Rectangle(x=x, y=y + 1, width=width, height=height - 1, radius=0.8, fill=style.tint(GRID, 0.5))
        yield set_line(x + 1.5, y + height - 1.6, text, _HEADING_SIZE_MM * 0.9, width - 3, bold=True)

    return Block(height, draw, tied=True)


def _block_of_entry(
    art: _Art, entry: TerrainEntry, shown: Sequence[Column], width: float, each: float, height: float
) -> Block:
    def draw(x: float, y: float) -> Iterator[Shape]:
        middle = y + height / 2
        yield from _draw_sign(entry, x + _SWATCH_WIDTH_MM / 2 - 1, middle, art)
        base = middle + _BODY_SIZE_MM * 0.34
        yield set_line(x + _SWATCH_WIDTH_MM, base, entry.title(art.game), _BODY_SIZE_MM, _NAME_WIDTH_MM - 2, bold=True)
        for number, column in enumerate(shown):
            left = x + _SWATCH_WIDTH_MM + _NAME_WIDTH_MM + number * each
            text, certain = _read_chart(column, entry)
            if text is None:
                continue
            yield Rectangle(
                x=left + 0.8,
                y=y + 1.2,
                width=each - 1.6,
                height=height - 2.4,
                radius=0.8,
                fill=WHITE,
                stroke=GRID,
                stroke_width=0.25,
            )
            fill = INK if certain else MADE_UP_COLOUR
            if text:
                yield set_line(left + each / 2, base, text, _BODY_SIZE_MM, each - 3, anchor="middle", fill=fill)
        yield thin_line(x, y + height, x + width, y + height)

    return Block(height, draw)


def _block_of_entries(art: _Art, some: Sequence[TerrainEntry], width: float, height: float) -> Block:
    each = width / max(int(width // _MAX_UNCHARTED_WIDTH_MM), 1)

    def draw(x: float, y: float) -> Iterator[Shape]:
        middle = y + height / 2
        for number, entry in enumerate(some):
            left = x + number * each
            yield from _draw_sign(entry, left + _SWATCH_WIDTH_MM / 2 - 1, middle, art)
            title = entry.title(art.game)
            yield set_line(
                left + _SWATCH_WIDTH_MM,
                middle + _BODY_SIZE_MM * 0.34,
                title,
                _BODY_SIZE_MM,
                each - _SWATCH_WIDTH_MM - 1,
                bold=True,
            )
        yield thin_line(x, y + height, x + width, y + height)

    return Block(height, draw)


def _read_chart(column: Column, entry: TerrainEntry) -> tuple[str | None, bool]:
    """Return a chart's value for a word, or for all words of its track, and whether it is certain.

    The value is "" if it is unknown, and None if the chart has no such cell.
    """
    cells = list_keys(column.known.chart)
    for word in (entry.word, entry.track):
        key = column.key(word)
        if key in cells:
            cell = column.known.cell(key)
            return format_cell(column.known.chart, cell), cell is None or cell.source in CERTAIN
    return None, True


def _draw_sign(entry: TerrainEntry, x: float, y: float, art: _Art) -> Iterator[Shape]:
    game, palette, symbols = art
    start, end = (x - 8, y), (x + 8, y)
    match entry.kind:
        case "hex":
            yield Polygon(
                points=hexagon((x, y), _HEX_RADIUS_MM, flat=True),
                fill=palette.ground(entry.word),
                stroke=GRID,
                width=0.3,
            )
            yield from terrain_sign(entry.word, (x, y), _TERRAIN_SIGN_SIZE_MM, palette, symbols)
        case "hexside":
            style = palette.hexside(entry.word)
            if style:
                yield from hexside_shapes(style, start, end)
        case "road":
            yield from road_shapes(WayStretch((start, end), entry.word), palette)
        case "rail":
            yield from railway_shapes(WayStretch((start, end), entry.word), palette)
        case "gauge":
            yield from railway_shapes(WayStretch((start, end), "", entry.word), palette)
        case "crossing":
            yield from hexside_shapes(HexsideStyle("river", RIVER, 1.6), start, end)
            yield from crossing_sign(entry.word, ((x, y - 2.4), (x, y + 2.4)))
        case "border" | "frontier":
            picture = game.file.picture
            countries = game.tracks[picture.country].values if picture.country in game.tracks else ()
            tints = tints_in_key(palette, countries)
            yield from border_shapes((start, end), main=entry.kind == "frontier", tints=tints, tinted=3.8)
        case "town":
            kind = town_kind(entry.word)
            yield from town_shapes(kind, (x, y), min(1.0, 2.4 / STYLES[kind].radius))


def _list_notes(known: Coverage, width: float) -> list[Block]:
    """Return notes on the coverage of a chart and on its figures."""
    chart = known.chart
    meaning = "; ".join(field.note for field in chart.fields if field.note)
    rule = f" ({chart.rule})" if chart.rule else ""
    about = f"{sentence(chart.title)}{rule}" + (f": {meaning}" if meaning else "")
    return paragraph(f"{about}. {known.in_words}.", MIN_SIZE_MM + 0.15, width)
