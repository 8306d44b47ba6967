"""The key of a map: the tints and signs of nations, the ground, what lies along hexsides or crosses them, borders and
towns.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from ..drawing.lettering import base_line, text_width
from ..drawing.scene import Layer, Path, Polygon, Polyline, Rectangle, Shape, Text
from .colours import dark, ink_on
from .counters import sign
from .layout import hexagon
from .map.land import is_water, plain_hex, terrain_sign
from .map.names import LESSER, ORDER, STYLES, kind_of, town_shapes
from .map.survey import Survey
from .map.waters import WATERS, border_shapes, frontier_of, hexside_shapes
from .map.ways import Run, crossing_shapes, is_double, railway_shapes, road_shapes
from .style import GRID, MARGIN, PAPER, PLAIN, RIVER, SOFT_INK, HexsideStyle

T = TypeVar("T")
ROW = 6.6
_SIZE, _SWATCH, _GAP = 2.8, 8.0, 4.5


class Entry(NamedTuple):
    """A line of the key. kind: what it is about; name: the game's word; more: a second one, as the gauge of a railway."""

    kind: str
    name: str
    more: str = ""


def in_rows(entries: Sequence[T], wide: Sequence[float], width: float, gap: float) -> list[list[tuple[float, T]]]:
    """The entries of a key in rows, each with where it begins. wide: how wide each is; width: of a row; gap: between
    two.
    """
    rows: list[list[tuple[float, T]]] = []
    x = width
    for entry, own in zip(entries, wide, strict=True):
        if x + own > width:
            rows.append([])
            x = 0.0
        rows[-1].append((x, entry))
        x += own + gap
    return rows


class Legend:
    """The key to what a map shows.

    nations: those whose counters it shows. width: of its rows, in millimetres. towns: whether classes of towns are in
    it.
    """

    def __init__(self, survey: Survey, nations: Sequence[str], width: float, *, towns: bool = False) -> None:
        self._survey, self._palette, self._symbols = survey, survey.palette, survey.symbols
        entries = self._entries(nations, towns=towns)
        titles = {name: track.title for name, track in survey.look.tracks.items()}
        picture = survey.picture
        self._railway, self._terrain = titles.get(picture.rail, ""), titles.get(picture.terrain, "terrain")
        wide = [_SWATCH + 1.6 + text_width(self._word(entry), _SIZE) for entry in entries]
        self._rows = in_rows(entries, wide, width, _GAP)

    def _entries(self, nations: Sequence[str], *, towns: bool) -> list[Entry]:
        survey, picture = self._survey, self._survey.picture
        values = survey.look.values
        drawn = survey.layout.draws
        grounds = {survey.terrain[name] for name in survey.layout.names}
        lying = {word for words in survey.barriers.values() for word in words}
        entries = [Entry("nation", name) for name in _sort(set(nations), values(picture.nation))]
        entries += [Entry("ground", name) for name in _sort(grounds - {""}, values(picture.terrain))]
        entries += [Entry("ground", "")] if "" in grounds else []
        small = survey.scale.small
        styles = {word: style for word in lying - grounds if (style := self._palette.hexside(word))}
        shown = {word for word, style in styles.items() if style.kind in WATERS or not small}
        entries += [Entry("hexside", word) for word in _sort(shown, values(picture.barrier))]
        rails = {(word, survey.gauges.get(name, "")) for name, word in survey.rails.items()}
        order = values(picture.rail), values(picture.gauge)
        entries += [
            Entry("rail", word, gauge)
            for gauge in _sort({gauge for _, gauge in rails}, order[1])
            for word in _sort({word for word, of in rails if of == gauge}, order[0])
        ]
        roads = set(survey.roads.values())
        entries += [Entry("road", word) for word in _sort(roads, values(picture.road))]
        crossings = set() if small else set(survey.crossings.values())
        entries += [Entry("crossing", word) for word in _sort(crossings, values(picture.crossing))]
        borders = set(survey.borders.values())
        entries += [Entry("border", word) for word in _sort(borders, values(picture.border))]
        if towns:
            kinds = {kind_of(place.kind): place.kind for place in survey.places if drawn(place.hex)}
            entries += [
                Entry("town", kinds[kind]) for kind in ORDER if kinds.get(kind) and not (small and kind in LESSER)
            ]
        return entries

    @property
    def height(self) -> float:
        """The height of all rows, in millimetres."""
        return len(self._rows) * ROW

    def layer(self, top: float, left: float = MARGIN) -> Layer:
        """The key with its upper left corner there."""
        shapes: list[Shape] = []
        for number, row in enumerate(self._rows):
            y = top + (number + 0.5) * ROW
            for x, entry in row:
                shapes += self._swatch(entry, left + x, y)
                start, base = left + x + _SWATCH + 1.6, base_line(y, _SIZE)
                shapes.append(Text(x=start, y=base, text=self._word(entry), size=_SIZE, fill=SOFT_INK))
        return Layer("key", tuple(shapes))

    def _swatch(self, entry: Entry, x: float, y: float) -> list[Shape]:
        middle, ends = x + _SWATCH / 2, ((x + 0.4, y), (x + _SWATCH - 0.4, y))
        match entry.kind:
            case "nation":
                return self._nation(entry.name, middle, y)
            case "hexside":
                style = self._palette.hexside(entry.name)
                return hexside_shapes(style, (x + 0.8, y), (x + _SWATCH - 0.8, y)) if style else []
            case "rail":
                return railway_shapes(Run(ends, entry.name, entry.more), self._palette)
            case "road":
                return road_shapes(Run(ends, entry.name), self._palette)
            case "crossing":
                across = (middle, y - 2.4), (middle, y + 2.4)
                river = hexside_shapes(HexsideStyle("river", RIVER, 1.6), (x + 1.2, y), (x + _SWATCH - 1.2, y))
                return [*river, *crossing_shapes(entry.name, across, PAPER)]
            case "border":
                return border_shapes(ends, main=entry.name == frontier_of(self._survey))
            case "town":
                scale = min(1.0, 2.4 / STYLES[kind_of(entry.name)].radius)
                return town_shapes(kind_of(entry.name), (middle, y), scale)
        corners = hexagon((middle, y), 3.4, flat=True)
        if not entry.name:
            outline = Polyline(points=(*corners, corners[0]), stroke=GRID, width=0.22, dash=(0.9, 0.7))
            return [Polygon(points=corners, fill=PLAIN), outline]
        hexes: list[Shape] = [plain_hex(corners, self._palette.ground(entry.name))]
        if is_water(entry.name):
            wave = tuple((middle - 2.2 + n * 0.44, y + (0.4 if n % 4 < 2 else -0.4)) for n in range(11))
            return [*hexes, Path(lines=(wave,), stroke=dark(self._palette.ground(entry.name)), width=0.35)]
        return [*hexes, *terrain_sign(entry.name, (middle, y), 4.6, self._palette, self._symbols)]

    def _word(self, entry: Entry) -> str:
        plain = entry.name.replace("-", " ")
        match entry.kind:
            case "nation":
                return entry.name
            case "rail":
                tracks = ", double track" if is_double(entry.name) else ""
                gauge = f", {GAUGES.get(entry.more, entry.more)}" if entry.more else ""
                return f"{self._railway}{tracks}{gauge}"
            case "ground":
                return plain or f"{self._terrain} not stated"
        return plain

    def _nation(self, name: str, x: float, y: float) -> list[Shape]:
        tint = self._palette.nation(name)
        square = Rectangle(
            x=x - 2.6, y=y - 2.6, width=5.2, height=5.2, radius=0.7, fill=tint, stroke=dark(tint), stroke_width=0.3
        )
        return [square, sign(name, self._palette.mark(name), x, y, 3.0, ink_on(tint), self._symbols)]


GAUGES = {"standard": "standard gauge", "broad": "broad gauge", "both": "both gauges", "dual": "both gauges"}
"""Words for the gauge of a railway, by those of games."""


def _sort(names: set[str], order: Sequence[str]) -> list[str]:
    return sorted(names, key=lambda name: (order.index(name) if name in order else len(order), name))
