"""The key below a map: the tints and letters of nations, the colours of terrain, the lines of hexsides, roads and railways."""

from __future__ import annotations

from collections.abc import Sequence

from ..drawing.lettering import base_line, text_width
from ..drawing.scene import Layer, Polygon, Polyline, Rectangle, Shape, Text
from ..state.state import hexside
from .colours import dark, ink_on
from .counters import sign
from .ground import hexside_shapes, is_double, railway_shapes, road_shapes, terrain_sign
from .layout import Layout, hexagon
from .look import Look
from .style import GRID, MARGIN, PLAIN, SOFT_INK, Palette
from .symbols import Symbols

ROW = 6.6
_SIZE, _SWATCH, _GAP = 2.8, 8.0, 4.5


class Legend:
    """The key to what a picture shows.

    nations: those whose counters it shows. width: of its rows, in millimetres.
    """

    def __init__(
        self, layout: Layout, look: Look, palette: Palette, symbols: Symbols, nations: Sequence[str], width: float
    ) -> None:
        self._palette, self._symbols = palette, symbols
        picture = look.picture
        grounds = {look.word(picture.terrain, name) for name in layout.names}
        around = {hexside(name, other) for name in layout.names for other in layout.board.neighbours(name)}
        sides = {word for at in around for word in look.lying(picture.barrier, at)}
        entries = [("nation", name) for name in _sorted(set(nations), look.values(picture.nation))]
        entries += [("ground", name) for name in _sorted(grounds - {""}, look.values(picture.terrain))]
        entries += [("ground", "")] if "" in grounds else []
        drawn = [word for word in sides if palette.hexside(word)]
        entries += [("hexside", word) for word in _sorted(set(drawn), look.values(picture.barrier))]
        for kind, track in (("rail", picture.rail), ("road", picture.road)):
            words = {look.link(track, at) for at in around} - {""}
            entries += [(kind, word) for word in _sorted(words, look.values(track))]
        titles = {name: track.title for name, track in look.game.tracks.items()}
        self._railway, self._terrain = titles.get(picture.rail, ""), titles.get(picture.terrain, "terrain")
        self._rows: list[list[tuple[float, str, str]]] = []
        x = width
        for kind, name in entries:
            wide = _SWATCH + 1.6 + text_width(self._word(kind, name), _SIZE)
            if x + wide > width:
                self._rows.append([])
                x = 0.0
            self._rows[-1].append((x, kind, name))
            x += wide + _GAP

    @property
    def height(self) -> float:
        """The height of all rows, in millimetres."""
        return len(self._rows) * ROW

    def layer(self, top: float) -> Layer:
        """The key with its upper edge at `top`."""
        shapes: list[Shape] = []
        for number, row in enumerate(self._rows):
            y = top + (number + 0.5) * ROW
            for x, kind, name in row:
                shapes += self._swatch(kind, name, MARGIN + x, y)
                start, base = MARGIN + x + _SWATCH + 1.6, base_line(y, _SIZE)
                shapes.append(Text(x=start, y=base, text=self._word(kind, name), size=_SIZE, fill=SOFT_INK))
        return Layer("key", tuple(shapes))

    def _swatch(self, kind: str, name: str, x: float, y: float) -> list[Shape]:
        middle = x + _SWATCH / 2
        if kind == "nation":
            return self._nation(name, middle, y)
        if kind == "hexside":
            style = self._palette.hexside(name)
            return hexside_shapes(style, (x + 0.8, y), (x + _SWATCH - 0.8, y)) if style else []
        if kind in ("rail", "road"):
            line = railway_shapes if kind == "rail" else road_shapes
            return line(name, (x + 0.4, y), (x + _SWATCH - 0.4, y), self._palette)
        corners = hexagon((middle, y), 3.4, flat=True)
        if not name:
            outline = Polyline(points=(*corners, corners[0]), stroke=GRID, width=0.22, dash=(0.9, 0.7))
            return [Polygon(points=corners, fill=PLAIN), outline]
        hexes: list[Shape] = [Polygon(points=corners, fill=self._palette.ground(name), stroke=GRID, width=0.25)]
        return hexes + list(terrain_sign(name, (middle, y), 4.2, self._palette, self._symbols))

    def _word(self, kind: str, name: str) -> str:
        if kind == "rail":
            return f"{self._railway}, double track" if is_double(name) else self._railway
        return name if kind == "nation" else name.replace("-", " ") or f"{self._terrain} not stated"

    def _nation(self, name: str, x: float, y: float) -> list[Shape]:
        tint = self._palette.nation(name)
        square = Rectangle(
            x=x - 2.6, y=y - 2.6, width=5.2, height=5.2, radius=0.7, fill=tint, stroke=dark(tint), stroke_width=0.3
        )
        return [square, sign(name, self._palette.mark(name), x, y, 3.0, ink_on(tint), self._symbols)]


def _sorted(names: set[str], order: Sequence[str]) -> list[str]:
    return sorted(names, key=lambda name: (order.index(name) if name in order else len(order), name))
