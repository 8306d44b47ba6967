"""The pieces of any VASSAL save as a picture: each map with a box at each place, labelled with its top piece."""

from __future__ import annotations

from collections.abc import Iterable

from ..formats.vassal.others.listing import ListedPiece, SaveListing
from ..util.console import format_count
from .lettering import base_line, fit_lines, replace_missing
from .scene import Group, Layer, Rectangle, Scene, Shape, Text

_MAX_MAP_WIDTH_MM = 280.0
_MAX_MAP_HEIGHT_MM = 400.0
_MARGIN_MM = 6.0
_HEADING_HEIGHT_MM = 10.0
_MIN_BOX_MM = 3.0
_MAX_BOX_MM = 11.0
_GROUND = "#e9e4d4"
_PAPER = "#ffffff"
_INK = "#333333"


def listing_scene(listing: SaveListing) -> Scene:
    """Return the maps of a list below one another, on one scale, without pieces off all maps and cards in decks."""
    maps: dict[str, dict[tuple[int, int], list[ListedPiece]]] = {}
    for piece in listing.pieces:
        if piece.map and not piece.deck:
            maps.setdefault(piece.map, {}).setdefault(piece.at, []).append(piece)
    extents = {name: _measure(spots) for name, spots in maps.items()}
    widest = max((width for _, _, width, _ in extents.values()), default=1)
    tallest = max((height for _, _, _, height in extents.values()), default=1)
    scale = min((_MAX_MAP_WIDTH_MM - _MAX_BOX_MM) / widest, (_MAX_MAP_HEIGHT_MM - _MAX_BOX_MM) / tallest)
    side = min(max(_MAX_MAP_WIDTH_MM / (2 * max(map(len, maps.values()), default=1) ** 0.5), _MIN_BOX_MM), _MAX_BOX_MM)
    shapes: list[Shape] = []
    top = _MARGIN_MM
    for name, spots in maps.items():
        left, upper, width, height = extents[name]
        shapes.append(
            Text(
                x=_MARGIN_MM,
                y=base_line(top + _HEADING_HEIGHT_MM / 2, 5),
                text=replace_missing(name),
                size=5,
                bold=True,
                fill=_INK,
            )
        )
        top += _HEADING_HEIGHT_MM
        ground = width * scale + _MAX_BOX_MM, height * scale + _MAX_BOX_MM
        shapes.append(Rectangle(x=_MARGIN_MM, y=top, width=ground[0], height=ground[1], fill=_GROUND))
        for (x, y), pieces in sorted(spots.items(), key=lambda spot: spot[0][::-1]):
            middle = _MARGIN_MM + (x - left) * scale + _MAX_BOX_MM / 2, top + (y - upper) * scale + _MAX_BOX_MM / 2
            shapes.append(_draw_box(middle, side, pieces))
        top += ground[1] + _MARGIN_MM
    title = f"{listing.module or 'A save'}: {format_count(len(listing.pieces), 'piece')}"
    return Scene(
        width=_MAX_MAP_WIDTH_MM + 2 * _MARGIN_MM, height=top, title=title, layers=(Layer("pieces", tuple(shapes)),)
    )


def _measure(spots: Iterable[tuple[int, int]]) -> tuple[int, int, int, int]:
    """Return the left and upper edge, the width and the height of the box round points."""
    xs, ys = zip(*spots, strict=True)
    return min(xs), min(ys), max(max(xs) - min(xs), 1), max(max(ys) - min(ys), 1)


def _draw_box(middle: tuple[float, float], side: float, pieces: list[ListedPiece]) -> Group:
    left, top = middle[0] - side / 2, middle[1] - side / 2
    name = replace_missing(pieces[0].name.replace("_", " ") or "?")
    fitted = fit_lines(name, side / 3, side * 0.9, side * 0.7, min_size=side / 8)
    first = base_line(middle[1], fitted.size, len(fitted.lines))
    shapes: list[Shape] = [
        Rectangle(x=left, y=top, width=side, height=side, radius=side / 12, fill=_PAPER, stroke=_INK, stroke_width=0.15)
    ]
    shapes += [
        Text(x=middle[0], y=first + number * fitted.size, text=line, size=fitted.size, anchor="middle", fill=_INK)
        for number, line in enumerate(fitted.lines)
    ]
    if len(pieces) > 1:
        size = side / 5
        shapes.append(
            Text(
                x=left + side * 0.95,
                y=base_line(top + size * 0.7, size),
                text=f"+{len(pieces) - 1}",
                size=size,
                anchor="end",
                bold=True,
                fill=_INK,
            )
        )
    place = pieces[0].place or "{},{}".format(*pieces[0].at)
    return Group(f"{place}: {', '.join(piece.name for piece in pieces)}", tuple(shapes))
