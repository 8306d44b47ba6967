"""The map below the units: terrain, hexsides, railways and roads, printed hex numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from math import hypot

import msgspec

from ..drawing.scene import Layer, Point, Polygon, Polyline, Shape, Symbol, Text
from ..state.state import hexside
from .colours import INK, WHITE, dark, ink_on, mixed
from .layout import Layout, aside, point_between
from .look import MapLook
from .style import GRID, HEX, PLAIN, ROAD, HexsideStyle, Palette
from .symbols import ASPECT, Symbols

NUMBER_SIZE = 3.1
#: The positions of terrain signs from the hex centre: beside the counters, clear of the numbers.
_SIGNS = ((-13.2, -3.0), (13.2, -3.0), (-11.6, 6.2), (11.6, 6.2))
_SIGN_WIDTH = 4.6


def terrain_layer(layout: Layout, look: MapLook, palette: Palette, symbols: Symbols) -> Layer:
    """The hexes in the colours of their terrain, with its signs."""
    shapes: list[Shape] = []
    for name in layout.names:
        terrain = look.word(look.picture.terrain, name)
        shapes.append(Polygon(points=layout.corners(name), fill=palette.ground(terrain) if terrain else PLAIN))
        if terrain:
            x, y = layout.centre(name)
            for dx, dy in _SIGNS:
                shapes += terrain_sign(terrain, (x + dx, y + dy), _SIGN_WIDTH, palette, symbols)
    return Layer("terrain", tuple(shapes))


def terrain_sign(terrain: str, at: Point, width: float, palette: Palette, symbols: Symbols) -> list[Symbol]:
    """The sign of a terrain centred on a point, so that colour is not the only clue; empty if it has no sign."""
    sign = symbols.ground(terrain)
    if sign is None:
        return []
    height = width / ASPECT
    ink = mixed(palette.ground(terrain), dark(palette.ground(terrain)), 0.55)
    x, y = at[0] - width / 2, at[1] - height / 2
    return [msgspec.structs.replace(sign, x=x, y=y, width=width, height=height, ink=ink)]


def grid_layer(layout: Layout, look: MapLook) -> Layer:
    """The outlines of the hexes, dashed between two hexes of unknown terrain."""
    edges: dict[tuple[int, int], tuple[tuple[Point, Point], bool]] = {}
    for name in layout.names:
        known = bool(look.word(look.picture.terrain, name))
        corners = layout.corners(name)
        for start, end in zip(corners, (*corners[1:], corners[0]), strict=True):
            middle = point_between(start, end, 0.5)
            key = round(middle[0] * 10), round(middle[1] * 10)
            near = [(key[0] + dx, key[1] + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
            key = next((edge for edge in near if edge in edges), key)
            edges[key] = ((start, end), known or (key in edges and edges[key][1]))
    lines = (
        Polyline(points=ends, stroke=GRID, width=0.3 if known else 0.22, dash=() if known else (1.3, 1.1))
        for ends, known in edges.values()
    )
    return Layer("grid", tuple(lines))


def _hexsides(layout: Layout) -> Iterator[tuple[str, str]]:
    """All pairs of adjacent hexes of which at least one is drawn, each once."""
    seen = set()
    for name in layout.names:
        for other in layout.board.neighbours(name):
            if hexside(name, other) not in seen:
                seen.add(hexside(name, other))
                yield name, other


# --- hexsides ---------------------------------------------------------------------------------------------------------


def hexside_layer(layout: Layout, look: MapLook, palette: Palette) -> Layer:
    """Rivers, ridges and water on the hexsides, the widest first."""
    found: list[tuple[float, list[Shape]]] = []
    for one, other in _hexsides(layout):
        for word in look.lying(look.picture.barrier, hexside(one, other)):
            style = palette.hexside(word)
            if style is not None:
                found.append((-style.width, hexside_shapes(style, *layout.hexside(one, other))))
    found.sort(key=lambda entry: entry[0])
    return Layer("hexsides", tuple(shape for _, shapes in found for shape in shapes))


def hexside_shapes(style: HexsideStyle, start: Point, end: Point) -> list[Shape]:
    """The shapes along one hexside."""
    shapes: list[Shape] = [Polyline(points=(start, end), stroke=style.colour, width=style.width)]
    if style.kind == "teeth":
        for share in (n / 7 for n in range(1, 7)):
            foot, next_foot = point_between(start, end, share - 0.05), point_between(start, end, share + 0.05)
            for side in (-1.9, 1.9):
                (tip,) = aside([point_between(start, end, share)], (start, end), side)
                shapes.append(Polygon(points=(foot, tip, next_foot), fill=style.colour))
    elif style.kind == "hachures":
        for share in (n / 12 for n in range(1, 12)):
            at = [point_between(start, end, share)]
            tick = (*aside(at, (start, end), -1.5), *aside(at, (start, end), 1.5))
            shapes.append(Polyline(points=tick, stroke=style.colour, width=0.4))
    elif style.kind == "lake":
        shapes.append(Polyline(points=(start, end), stroke=WHITE, width=0.45, dash=(2.2, 1.6)))
    elif style.kind == "closed":
        shapes.append(Polyline(points=(start, end), stroke=WHITE, width=1.7, dash=(0.5, 2.2), butt=True))
    return shapes


# --- links ------------------------------------------------------------------------------------------------------------


def links_north(layout: Layout, look: MapLook) -> list[str]:
    """The hexes that a road or railway leaves due north, across the place of the hex number."""
    found = []
    for one, other in _hexsides(layout):
        at = hexside(one, other)
        if look.link(look.picture.road, at) or look.link(look.picture.rail, at):
            found += layout.due_north(one, other)
    return found


def link_layer(layout: Layout, look: MapLook, palette: Palette, followed: Collection[str]) -> Layer:
    """Roads, and above them railways, from centre to centre.

    A road runs a little beside a railway or a drawn line. followed: the hexsides that drawn lines cross.
    """
    roads: list[Shape] = []
    rails: list[Shape] = []
    for one, other in _hexsides(layout):
        at = hexside(one, other)
        road, rail = look.link(look.picture.road, at), look.link(look.picture.rail, at)
        start, end = layout.link(one, other)
        if road:
            roads += road_shapes(road, start, end, palette, by=2.1 if rail else 1.5 if at in followed else 0.0)
        if rail:
            rails += railway_shapes(rail, start, end, palette)
    return Layer("links", (*roads, *rails))


def road_shapes(word: str, start: Point, end: Point, palette: Palette, by: float = 0.0) -> list[Shape]:
    """A road between two points, `by` millimetres off the straight line: broad, thin or dashed according to its word."""
    parts = set(word.casefold().split("-"))
    width = 1.2 if "primary" in parts else 0.7
    dash = (2.0, 1.2) if parts & {"secondary", "track", "trail"} else ()
    bend = min(3.2 / (hypot(end[0] - start[0], end[1] - start[1]) or 1), 0.3)
    way = aside([point_between(start, end, bend), point_between(start, end, 1 - bend)], (start, end), by) if by else ()
    return [Polyline(points=(start, *way, end), stroke=palette.link(word, ROAD), width=width, dash=dash)]


def is_double(word: str) -> bool:
    """Whether the word for a railway means double track."""
    return word.endswith("2") or "double" in word


def railway_shapes(word: str, start: Point, end: Point, palette: Palette) -> list[Shape]:
    """A line with cross ticks, two lines for double track."""
    double, colour = is_double(word), palette.link(word, INK)
    length = hypot(end[0] - start[0], end[1] - start[1])
    offsets, reach = ((-0.75, 0.75), 1.75) if double else ((0.0,), 1.15)
    shapes: list[Shape] = [
        Polyline(points=aside((start, end), (start, end), by), stroke=colour, width=0.5 if double else 0.65)
        for by in offsets
    ]
    ticks = max(round(length / (HEX / 10)), 1)
    for number in range(ticks):
        at = point_between(start, end, (number + 0.5) / ticks)
        tick = (*aside([at], (start, end), -reach), *aside([at], (start, end), reach))
        shapes.append(Polyline(points=tick, stroke=colour, width=0.4, butt=True))
    return shapes


# --- numbers ----------------------------------------------------------------------------------------------------------


def number_layer(layout: Layout, look: MapLook, palette: Palette, beside: Collection[str]) -> Layer:
    """The printed hex numbers at the top of the hexes; left of the middle in the hexes `beside`, where a line runs."""
    texts = []
    for name in layout.names:
        x, y = layout.centre(name)
        terrain = look.word(look.picture.terrain, name)
        halo = palette.ground(terrain) if terrain else PLAIN
        text = Text(x=x, y=y - HEX / 2 + 3.9, text=name, size=NUMBER_SIZE, anchor="middle", halo=halo)
        moved = {"x": x - 2.9, "anchor": "end"} if name in beside else {}
        texts.append(msgspec.structs.replace(text, fill=mixed(ink_on(halo), halo, 0.15), **moved))
    return Layer("numbers", tuple(texts))
