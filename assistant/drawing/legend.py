"""The keys of pictures and maps.

The key of a map explains nations, grounds, hexsides, crossings, borders and towns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import ceil
from typing import NamedTuple

import msgspec

from ..game.hexes import Corner
from .colours import INK, darken, ink_on
from .counters import BACK_UP, UNDER_CAP, Face, draw_sign, half_disc, lid_shapes
from .geometry import hexagon
from .hatching import Strokes, hatching
from .lettering import base_line, text_width
from .map.borders import TINT_WIDTH_MM, border_shapes, drawn_tints
from .map.crossings import crossing_sign
from .map.grounds import plain_hex, shore_of, sign_of, terrain_sign
from .map.land import lake_outline
from .map.own_art import has_own_art
from .map.survey import Survey, SurveyReader
from .map.towns import (
    FLAG_RADIUS_MM,
    KINDS_BY_SIZE,
    LESSER_KINDS,
    STYLES,
    flag_sign,
    is_fortress,
    town_kind,
    town_shapes,
)
from .map.waters import WATERS, hexside_shapes, lake_shapes
from .map.ways import WayStretch, is_double, railway_shapes, road_shapes
from .palettes import is_water
from .scene import Layer, Path, Point, Polygon, Polyline, Rectangle, Shape, Text, enlarge
from .style import GRID, MARGIN, RIVER, SOFT_INK, UNKNOWN_GROUND, HexsideStyle, border_tint

GAUGES = {"standard": "standard gauge", "broad": "broad gauge", "both": "both gauges", "dual": "both gauges"}
"""Texts for the gauges of railways, by the words of games."""
Draw = Callable[[float, float], Sequence[Shape]]
"""A function that draws a sign round a point."""


class KeyEntry(NamedTuple):
    """A sign in a key, and its meaning."""

    text: str
    draw: Draw


def list_cover_entries(reader: SurveyReader, faces: Mapping[str, Sequence[Face]]) -> list[KeyEntry]:
    """Return entries for signs of hidden units: a cap on a stack, and counters that lie back side up."""
    entries = list[KeyEntry]()
    if any(reader.is_capped(name) for name in faces):
        entries.append(KeyEntry(UNDER_CAP, lambda x, y: lid_shapes(x - 3.0, y - 1.0, 6.0)))
    if any(face.back_up for stack in faces.values() for face in stack):
        entries.append(KeyEntry(BACK_UP, lambda x, y: half_disc(x, y, 1.3, INK)))
    return entries


class KeyStyle(NamedTuple):
    """The look of a key, in mm."""

    layer: str
    row: float
    """The height of a row."""
    size: float
    """The size of letters."""
    ink: str
    """The colour of letters."""
    swatch: float
    """The width of a sign."""
    gap: float
    """The distance between two entries of a row."""


def hatched_sign(
    strokes: Strokes, colour: str, slant: float, radius: float, point: Point, *, flat: bool
) -> list[Shape]:
    """Return the sign of a hatched hex for a key."""
    corners = hexagon(point, radius, flat=flat)
    outline = Path(lines=(corners,), closed=True, stroke=GRID, width=0.25)
    return [outline, *hatching([corners], colour, slant, strokes)]


class MapKey:
    """Signs and their meanings in rows.

    `width`: the width of a row in mm; one long entry may need more.
    """

    def __init__(self, entries: Iterable[KeyEntry], style: KeyStyle, width: float) -> None:
        self._style = style
        self._rows: list[list[tuple[float, KeyEntry]]] = []
        self.width = 0.0
        x = width
        for entry in entries:
            entry_width = style.swatch + 1.6 + text_width(entry.text, style.size)
            if x + entry_width > width:
                self._rows.append([])
                x = 0.0
            self._rows[-1].append((x, entry))
            self.width = max(self.width, x + entry_width)
            x += entry_width + style.gap

    @property
    def height(self) -> float:
        return len(self._rows) * self._style.row

    def layer(self, top: float, left: float = MARGIN) -> Layer:
        shapes, style = list[Shape](), self._style
        for number, row in enumerate(self._rows):
            y = top + (number + 0.5) * style.row
            for x, entry in row:
                shapes += entry.draw(left + x + style.swatch / 2, y)
                start, base = left + x + style.swatch + 1.6, base_line(y, style.size)
                shapes.append(Text(x=start, y=base, text=entry.text, size=style.size, fill=style.ink))
        return Layer(style.layer, tuple(shapes))


class Sign(NamedTuple):
    """A line of a key with headings.

    `height`: the height of its sign, in mm.
    `bold`: whether the text is bold.
    """

    text: str
    height: float
    bold: bool
    draw: Draw


class SignColumn(NamedTuple):
    """A column of a key: its signs, and its heading, or "" if it continues the previous column."""

    heading: str
    signs: Sequence[Sign]

    def width(self, style: KeyStyle) -> float:
        words = [text_width(sign.text, style.size, bold=sign.bold) for sign in self.signs]
        return max(style.swatch + _SIGN_TO_WORD_MM + max(words), text_width(self.heading, style.size, bold=True))

    @property
    def height(self) -> float:
        return _HEADING_HEIGHT_MM + sum(sign.height + _SIGN_GAP_MM for sign in self.signs)


_SIGN_TO_WORD_MM = 1.8
_HEADING_HEIGHT_MM = 5.2
_SIGN_GAP_MM = 1.1
_MIN_ROWS = 3
_MAX_ROWS = 9
"""The most rows in a column, if they save a second band of columns."""
_MAX_GROUP_GAP_FACTOR = 2.5
"""The greatest distance between two groups, as a multiple of the style's gap."""


class ColumnKey:
    """Signs and their meanings in columns with headings, in one band if the width in mm allows it."""

    def __init__(self, groups: Mapping[str, Sequence[Sign]], style: KeyStyle, width: float) -> None:
        self._style, self._width = style, width
        for rows in range(_MIN_ROWS, _MAX_ROWS + 1):
            self._bands = self._fill_bands(
                [column for group in groups.items() for column in _split_columns(*group, rows)]
            )
            if len(self._bands) <= 1:
                break

    def _fill_bands(self, columns: Iterable[SignColumn]) -> list[list[SignColumn]]:
        bands: list[list[SignColumn]] = []
        room = 0.0
        for column in columns:
            width = column.width(self._style)
            if not bands or width > room:
                bands.append([])
                room = self._width
            bands[-1].append(column)
            room -= width + self._style.gap
        return bands

    @property
    def height(self) -> float:
        return sum(max(column.height for column in band) for band in self._bands)

    def layer(self, top: float, left: float = MARGIN) -> Layer:
        shapes, style = list[Shape](), self._style
        for band in self._bands:
            widths = [column.width(style) for column in band]
            group_count = sum(bool(column.heading) for column in band)
            spare = (self._width - sum(widths) - (len(band) - 1) * style.gap) / max(group_count - 1, 1)
            x = left
            for number, (column, width) in enumerate(zip(band, widths, strict=True)):
                x += min(spare, _MAX_GROUP_GAP_FACTOR * style.gap) if number and column.heading else 0.0
                shapes += self._draw_column(column, x, top)
                x += width + style.gap
            top += max(column.height for column in band)
        return Layer(style.layer, tuple(shapes))

    def _draw_column(self, column: SignColumn, x: float, y: float) -> Iterator[Shape]:
        style = self._style
        if column.heading:
            yield Text(x=x, y=y + style.size, text=column.heading, size=style.size, fill=INK, bold=True)
        y += _HEADING_HEIGHT_MM
        for entry in column.signs:
            y += entry.height / 2
            yield from entry.draw(x + style.swatch / 2, y)
            base = base_line(y, style.size)
            start = x + style.swatch + _SIGN_TO_WORD_MM
            yield Text(x=start, y=base, text=entry.text, size=style.size, fill=style.ink, bold=entry.bold)
            y += entry.height / 2 + _SIGN_GAP_MM


def _split_columns(heading: str, signs: Sequence[Sign], rows: int) -> Iterator[SignColumn]:
    column_count = ceil(len(signs) / rows)
    rows_each = ceil(len(signs) / column_count) if column_count else 0
    for first in range(0, len(signs), rows_each or 1):
        yield SignColumn(heading if first == 0 else "", signs[first : first + rows_each])


_TINT_WIDTH_IN_ROW_MM = 3.0
"""The width of a tint along a border in a row of a key."""
_ROW_STYLE = KeyStyle("key", row=5.8, size=2.8, ink=SOFT_INK, swatch=8.0, gap=4.5)
_HALF_SWATCH_MM = _ROW_STYLE.swatch / 2
_COLUMN_STYLE = KeyStyle("key", row=5.0, size=2.8, ink=INK, swatch=11.0, gap=6.0)
_KINDS_BY_HEADING = {
    "Terrain": ("ground", "flag"),
    "Hexsides": ("hexside", "crossing", "border"),
    "Countries": ("country",),
    "Railways and roads": ("rail", "road"),
    "Towns": ("town",),
}
"""The kinds of items below each heading of a map's key."""


def column_key(survey: Survey, width: float, size: float) -> ColumnKey:
    """Return the key to everything on a map, in columns with headings; each sign is as large as on the map."""
    groups: dict[str, list[Sign]] = {}
    items = _list_items(survey, (), towns=True)
    for heading, kinds in _KINDS_BY_HEADING.items():
        signs = [_make_sign(survey, item, size) for item in items if item.kind in kinds]
        if signs:
            groups[heading] = signs
    return ColumnKey(groups, _COLUMN_STYLE, width)


def _make_sign(survey: Survey, item: KeyItem, size: float) -> Sign:
    scale, half = survey.scale.lines, _COLUMN_STYLE.swatch / 2 / size

    def draw(x: float, y: float) -> Sequence[Shape]:
        at = x / size, y / size
        shapes = _draw_ground(survey, item, at, half, _COLUMN_STYLE.row / 2 / size) if item.kind == "ground" else None
        return enlarge(Layer("", tuple(shapes or _draw_item(survey, item, at, half, scale))), size).shapes

    height = _COLUMN_STYLE.row
    if item.kind == "town":
        height = max(height, 2 * STYLES[town_kind(item.name)].radius * survey.scale.signs * size)
    if item.kind == "border" and item.name == survey.frontier:
        height = max(height, 2 * TINT_WIDTH_MM * scale * size)
    bold = item.kind == "town" and STYLES[town_kind(item.name)].bold
    text = _format_item(survey, item)
    return Sign(text[:1].upper() + text[1:], height, bold, draw)


def _draw_ground(survey: Survey, item: KeyItem, at: Point, half: float, half_height: float) -> list[Shape]:
    (x, y), palette = at, survey.palette
    line = 0.25 * survey.scale.lines
    fill = palette.ground(item.name) if item.name else UNKNOWN_GROUND
    width, height = 2 * half, 2 * half_height
    box = Rectangle(
        x=x - half,
        y=y - half_height,
        width=width,
        height=height,
        radius=half_height / 4,
        fill=fill,
        stroke=GRID,
        stroke_width=line,
    )
    if is_water(item.name):
        shore = shore_of(fill)
        return [msgspec.structs.replace(box, stroke=shore, stroke_width=2 * line)]
    sign, sign_width = sign_of(item.name, palette, survey.symbols)
    if sign is None:
        return [box]
    sign_width = min(sign_width * survey.scale.lines, half * 0.8)
    places = ((-0.55, -0.3), (0.05, 0.35), (0.6, -0.2))
    shapes: list[Shape] = [box]
    for dx, dy in places:
        shapes += terrain_sign(item.name, (x + dx * half, y + dy * half_height), sign_width, palette, survey.symbols)
    return shapes


def map_key(survey: Survey, nations: Sequence[str], width: float) -> MapKey:
    """Return the key to a map, in rows."""
    items = _list_items(survey, nations, towns=False)
    return MapKey(
        (KeyEntry(_format_item(survey, item), partial(_draw_in_row, survey, item)) for item in items), _ROW_STYLE, width
    )


class KeyItem(NamedTuple):
    """A feature that the key of a map explains."""

    kind: str
    """The kind of the feature, such as `rail`."""
    name: str
    """The game's word."""
    more: str = ""
    """A second word of the game, such as the gauge of a railway, or ""."""


def _list_items(survey: Survey, nations: Sequence[str], *, towns: bool) -> list[KeyItem]:
    picture, values, small = survey.picture, survey.look.values, survey.scale.small
    grounds = {survey.terrain[name] for name in survey.layout.names}
    lying = {word for words in survey.barriers.values() for word in words}
    items = [KeyItem("nation", name) for name in _sort(set(nations), values(picture.nation))]
    if has_own_art(survey):  # a map with a picture of its own has its own key
        return items
    items += [KeyItem("ground", name) for name in _sort(grounds - {""}, values(picture.terrain))]
    if "" in grounds:
        items.append(KeyItem("ground", ""))
    flags = {flag for words in survey.flags.values() for flag in words}
    items += [KeyItem("flag", flag) for flag in survey.look.flags if flag in flags and not small]
    styles = {word: style for word in lying - grounds if (style := survey.palette.hexside(word))}
    shown = {word for word, style in styles.items() if style.kind in WATERS or not small}
    items += [KeyItem("hexside", word) for word in _sort(shown, values(picture.barrier))]
    rails = {(word, survey.gauges.get(name, "")) for name, word in survey.rails.items()}
    tracks, gauges = values(picture.rail), values(picture.gauge)
    items += [
        KeyItem("rail", word, gauge)
        for gauge in _sort({gauge for _, gauge in rails}, gauges)
        for word in _sort({word for word, own_gauge in rails if own_gauge == gauge}, tracks)
    ]
    items += [KeyItem("road", word) for word in _sort(set(survey.roads.values()), values(picture.road))]
    crossings = set() if small else set(survey.crossings.values()) | _find_bridges(survey)
    items += [KeyItem("crossing", word) for word in _sort(crossings, values(picture.crossing))]
    items += [KeyItem("border", word) for word in _sort(set(survey.borders.values()), values(picture.border))]
    if towns:
        items += [KeyItem("country", word) for word in _sort(_tinted_countries(survey), values(picture.country))]
        places = [place for place in survey.places if survey.layout.draws(place.hex)]
        walled = {town_kind(place.kind) for place in places if is_fortress(place)}
        kinds = {town_kind(place.kind): place.kind for place in places if not is_fortress(place)}
        if walled - {"city"}:
            items.append(KeyItem("town", "fortress"))
        if "city" in walled:
            items.append(KeyItem("town", "city", "fortress"))
        items += [
            KeyItem("town", kinds[kind])
            for kind in KINDS_BY_SIZE
            if kind in kinds and not (small and kind in LESSER_KINDS)
        ]
    return items


def _tinted_countries(survey: Survey) -> set[str]:
    """Return the countries whose tints the map shows along a frontier."""
    frontiers = [survey.sides[name] for name, word in survey.borders.items() if word == survey.frontier]
    tinted = {name for side in frontiers for name in (side.one, side.other) if survey.tint(name)}
    words = {name: survey.look.word(survey.picture.country, name) for name in tinted if survey.layout.draws(name)}
    return {word for name, word in words.items() if word and survey.tint(name) == survey.palette.country(word)}


def _find_bridges(survey: Survey) -> set[str]:
    """Return {"bridge"} if a way crosses a river and the game has no word of its own for a bridge."""
    if any("bridge" in word for word in survey.crossings.values()):
        return set()
    rivers = {word for word in set().union(*survey.barriers.values()) if _is_river(survey, word)}
    ways = survey.rails.keys() | survey.roads.keys()
    return {"bridge"} if any(not rivers.isdisjoint(survey.barriers.get(side, ())) for side in ways) else set()


def _is_river(survey: Survey, word: str) -> bool:
    style = survey.palette.hexside(word)
    return style is not None and style.kind == "river"


def _draw_in_row(survey: Survey, item: KeyItem, x: float, y: float) -> Sequence[Shape]:
    if item.kind != "ground":
        return _draw_item(survey, item, (x, y), _HALF_SWATCH_MM)
    corners = hexagon((x, y), 3.4, flat=True)
    if not item.name:
        outline = Polyline(points=(*corners, corners[0]), stroke=GRID, width=0.22, dash=(0.9, 0.7))
        return [Polygon(points=corners, fill=UNKNOWN_GROUND), outline]
    colour = survey.palette.ground(item.name)
    if is_water(item.name):
        wave = tuple((x - 2.2 + n * 0.44, y + (0.4 if n % 4 < 2 else -0.4)) for n in range(11))
        return [plain_hex(corners, colour), Path(lines=(wave,), stroke=darken(colour), width=0.35)]
    return [plain_hex(corners, colour), *terrain_sign(item.name, (x, y), 4.6, survey.palette, survey.symbols)]


def _draw_item(survey: Survey, item: KeyItem, at: Point, half: float, scale: float = 0.0) -> Sequence[Shape]:
    """Return the sign of an item round a point.

    `half`: half of its width.
    `scale`: the factor by which lines are wider than on a hex of full size, or 0 for a sign that fits a row.
    """
    (x, y), palette, exact, scale = at, survey.palette, scale > 0, scale or 1.0

    def line(by: float) -> tuple[Point, Point]:
        return (x - half + by, y), (x + half - by, y)

    match item.kind:
        case "nation":
            return _draw_nation(survey, item.name, x, y)
        case "flag":
            return [flag_sign(survey, item.name, at, FLAG_RADIUS_MM * scale)]
        case "country":
            height, tint = half * 0.4, border_tint(palette.country(item.name))
            return [
                Rectangle(x=x - half, y=y - height, width=2 * half, height=2 * height, radius=height / 2, fill=tint)
            ]
        case "hexside":
            style = palette.hexside(item.name)
            if style is None:
                return []
            if exact and style.kind == "lake":
                return lake_shapes([lake_outline(line(half * 0.2), Corner(0, 0), (False, False))], style.colour)
            return hexside_shapes(msgspec.structs.replace(style, width=style.width * scale), *line(0.8))
        case "rail":
            return railway_shapes(WayStretch(line(0.4), item.name, item.more), palette, scale)
        case "road":
            return road_shapes(WayStretch(line(0.4), item.name), palette, scale)
        case "crossing":
            across = (x, y - 2.4), (x, y + 2.4)
            river = hexside_shapes(HexsideStyle("river", RIVER, 1.6), *line(1.2))
            return [*river, *crossing_sign(item.name, across)]
        case "border":
            main = item.name == survey.frontier
            tinted = TINT_WIDTH_MM * scale if exact else _TINT_WIDTH_IN_ROW_MM
            return border_shapes(line(0.4), main=main, tints=drawn_tints(survey), larger=scale, tinted=tinted)
        case _:
            kind = town_kind(item.name)
            size = survey.scale.signs if exact else min(1.0, 2.4 / STYLES[kind].radius)
            return town_shapes(kind, at, size, fortress=bool(item.more))


def _format_item(survey: Survey, item: KeyItem) -> str:
    plain = item.name.replace("-", " ")
    match item.kind:
        case "nation":
            return survey.look.title_of(item.name)
        case "country":
            return "-".join(part.capitalize() for part in item.name.split("-"))
        case "rail":
            double = ", double track" if is_double(item.name) else ""
            gauge = f", {GAUGES.get(item.more, item.more)}" if item.more else ""
            return f"{_title_of_track(survey, survey.picture.rail, '')}{double}{gauge}"
        case "flag":
            return survey.look.tracks[item.name].title
        case "town":
            return f"{item.more} and {plain}" if item.more else plain or "other place"
        case "ground":
            return plain or f"{_title_of_track(survey, survey.picture.terrain, 'terrain')} not stated"
    return plain


def _title_of_track(survey: Survey, track: str, usual: str) -> str:
    tracks = survey.look.tracks
    return tracks[track].title if track in tracks else usual


def _draw_nation(survey: Survey, name: str, x: float, y: float) -> list[Shape]:
    palette = survey.palette
    tint = palette.nation(name)
    square = Rectangle(
        x=x - 2.6, y=y - 2.6, width=5.2, height=5.2, radius=0.7, fill=tint, stroke=darken(tint), stroke_width=0.3
    )
    return [square, draw_sign(name, palette.mark(name), x, y, 3.0, ink_on(tint), survey.symbols)]


def _sort(names: set[str], order: Sequence[str]) -> list[str]:
    return sorted(names, key=lambda name: (order.index(name) if name in order else len(order), name))
