"""The keys of pictures, and that of a map: the tints and signs of nations, the ground, what lies along hexsides or
crosses them, borders and towns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NamedTuple

from ..drawing.lettering import base_line, text_width
from ..drawing.scene import Layer, Path, Point, Polygon, Polyline, Rectangle, Shape, Text
from .colours import dark, ink_on
from .counters import sign
from .layout import hexagon
from .map.land import is_water, plain_hex, terrain_sign
from .map.names import LESSER, ORDER, STYLES, is_fortress, kind_of, town_shapes
from .map.own_art import has_own_art
from .map.survey import Survey
from .map.waters import WATERS, border_shapes, drawn_tints, frontier_of, hexside_shapes
from .map.ways import Run, crossing_shapes, is_double, railway_shapes, road_shapes
from .style import GRID, MARGIN, PAPER, PLAIN, RIVER, SOFT_INK, HexsideStyle

GAUGES = {"standard": "standard gauge", "broad": "broad gauge", "both": "both gauges", "dual": "both gauges"}
"""Words for the gauge of a railway, by those of games."""
Draw = Callable[[float, float], Sequence[Shape]]
"""Draws a sign round a point."""


class Entry(NamedTuple):
    """A line of a key: a sign and what it means."""

    text: str
    draw: Draw


class KeyStyle(NamedTuple):
    """How a key looks, in millimetres. layer: its name; row: the height of a row; size, ink: of its letters; swatch:
    how wide a sign is; gap: between two entries of a row.
    """

    layer: str
    row: float
    size: float
    ink: str
    swatch: float
    gap: float


class Key:
    """Signs and what they mean, in rows of a width in millimetres."""

    def __init__(self, entries: Iterable[Entry], style: KeyStyle, width: float) -> None:
        self._style = style
        self._rows: list[list[tuple[float, Entry]]] = []
        x = width
        for entry in entries:
            wide = style.swatch + 1.6 + text_width(entry.text, style.size)
            if x + wide > width:
                self._rows.append([])
                x = 0.0
            self._rows[-1].append((x, entry))
            x += wide + style.gap

    @property
    def height(self) -> float:
        """The height of all rows, in millimetres."""
        return len(self._rows) * self._style.row

    def layer(self, top: float, left: float = MARGIN) -> Layer:
        """The key with its upper left corner there."""
        shapes, style = list[Shape](), self._style
        for number, row in enumerate(self._rows):
            y = top + (number + 0.5) * style.row
            for x, entry in row:
                shapes += entry.draw(left + x + style.swatch / 2, y)
                start, base = left + x + style.swatch + 1.6, base_line(y, style.size)
                shapes.append(Text(x=start, y=base, text=entry.text, size=style.size, fill=style.ink))
        return Layer(style.layer, tuple(shapes))


_STYLE = KeyStyle("key", row=6.6, size=2.8, ink=SOFT_INK, swatch=8.0, gap=4.5)
_HALF = _STYLE.swatch / 2


def map_key(survey: Survey, nations: Sequence[str], width: float, *, towns: bool = False) -> Key:
    """The key to what a map shows.

    nations: those whose counters it shows. width: of its rows, in millimetres. towns: whether classes of towns are in
    it.
    """
    items = _items(survey, nations, towns=towns)
    return Key((Entry(_word(survey, item), partial(_swatch, survey, item)) for item in items), _STYLE, width)


class Item(NamedTuple):
    """What the key of a map explains. kind: what it is about; name: the game's word; more: a second one, as the gauge
    of a railway.
    """

    kind: str
    name: str
    more: str = ""


def _items(survey: Survey, nations: Sequence[str], *, towns: bool) -> list[Item]:
    """What is in the key, kind by kind in the order of the game's words."""
    picture, values, small = survey.picture, survey.look.values, survey.scale.small
    grounds = {survey.terrain[name] for name in survey.layout.names}
    lying = {word for words in survey.barriers.values() for word in words}
    items = [Item("nation", name) for name in _sort(set(nations), values(picture.nation))]
    if has_own_art(survey):  # which has a key of its own
        return items
    items += [Item("ground", name) for name in _sort(grounds - {""}, values(picture.terrain))]
    items += [Item("ground", "")] if "" in grounds else []
    styles = {word: style for word in lying - grounds if (style := survey.palette.hexside(word))}
    shown = {word for word, style in styles.items() if style.kind in WATERS or not small}
    items += [Item("hexside", word) for word in _sort(shown, values(picture.barrier))]
    rails = {(word, survey.gauges.get(name, "")) for name, word in survey.rails.items()}
    tracks, gauges = values(picture.rail), values(picture.gauge)
    items += [
        Item("rail", word, gauge)
        for gauge in _sort({gauge for _, gauge in rails}, gauges)
        for word in _sort({word for word, own_gauge in rails if own_gauge == gauge}, tracks)
    ]
    items += [Item("road", word) for word in _sort(set(survey.roads.values()), values(picture.road))]
    crossings = set() if small else set(survey.crossings.values())
    items += [Item("crossing", word) for word in _sort(crossings, values(picture.crossing))]
    items += [Item("border", word) for word in _sort(set(survey.borders.values()), values(picture.border))]
    if towns:
        places = [place for place in survey.places if survey.layout.draws(place.hex)]
        kinds = {kind_of(place.kind): place.kind for place in places}
        if any(map(is_fortress, places)):
            kinds["fortress"] = kinds.get("fortress", "fortress")
        items += [Item("town", kinds[kind]) for kind in ORDER if kinds.get(kind) and not (small and kind in LESSER)]
    return items


def _swatch(survey: Survey, item: Item, x: float, y: float) -> list[Shape]:
    """The sign of an item round a point."""
    palette = survey.palette

    def line(by: float) -> tuple[Point, Point]:
        return (x - _HALF + by, y), (x + _HALF - by, y)

    match item.kind:
        case "nation":
            return _nation(survey, item.name, x, y)
        case "hexside":
            style = palette.hexside(item.name)
            return hexside_shapes(style, *line(0.8)) if style else []
        case "rail":
            return railway_shapes(Run(line(0.4), item.name, item.more), palette)
        case "road":
            return road_shapes(Run(line(0.4), item.name), palette)
        case "crossing":
            across = (x, y - 2.4), (x, y + 2.4)
            river = hexside_shapes(HexsideStyle("river", RIVER, 1.6), *line(1.2))
            return [*river, *crossing_shapes(item.name, across, PAPER)]
        case "border":
            return border_shapes(line(0.4), main=item.name == frontier_of(survey), tints=drawn_tints(survey))
        case "town":
            scale = min(1.0, 2.4 / STYLES[kind_of(item.name)].radius)
            return town_shapes(kind_of(item.name), (x, y), scale)
    corners = hexagon((x, y), 3.4, flat=True)
    if not item.name:
        outline = Polyline(points=(*corners, corners[0]), stroke=GRID, width=0.22, dash=(0.9, 0.7))
        return [Polygon(points=corners, fill=PLAIN), outline]
    hexes: list[Shape] = [plain_hex(corners, palette.ground(item.name))]
    if is_water(item.name):
        wave = tuple((x - 2.2 + n * 0.44, y + (0.4 if n % 4 < 2 else -0.4)) for n in range(11))
        return [*hexes, Path(lines=(wave,), stroke=dark(palette.ground(item.name)), width=0.35)]
    return [*hexes, *terrain_sign(item.name, (x, y), 4.6, palette, survey.symbols)]


def _word(survey: Survey, item: Item) -> str:
    """What an item means, in words."""
    plain = item.name.replace("-", " ")
    match item.kind:
        case "nation":
            return item.name
        case "rail":
            double = ", double track" if is_double(item.name) else ""
            gauge = f", {GAUGES.get(item.more, item.more)}" if item.more else ""
            return f"{_title(survey, survey.picture.rail, '')}{double}{gauge}"
        case "ground":
            return plain or f"{_title(survey, survey.picture.terrain, 'terrain')} not stated"
    return plain


def _title(survey: Survey, track: str, usual: str) -> str:
    """What the game calls a track. usual: if it has no such track."""
    tracks = survey.look.tracks
    return tracks[track].title if track in tracks else usual


def _nation(survey: Survey, name: str, x: float, y: float) -> list[Shape]:
    palette = survey.palette
    tint = palette.nation(name)
    square = Rectangle(
        x=x - 2.6, y=y - 2.6, width=5.2, height=5.2, radius=0.7, fill=tint, stroke=dark(tint), stroke_width=0.3
    )
    return [square, sign(name, palette.mark(name), x, y, 3.0, ink_on(tint), survey.symbols)]


def _sort(names: set[str], order: Sequence[str]) -> list[str]:
    return sorted(names, key=lambda name: (order.index(name) if name in order else len(order), name))
