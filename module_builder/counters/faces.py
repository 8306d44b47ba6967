"""One side of a counter as a scene: symbol, name and figures on the tint of its nation.

Lengths are in millimetres, but the layout counts in pixels of a counter on a screen map, so that edges are crisp there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import msgspec

from assistant.drawing.lettering import Fitted, fit, fit_lines, text_width
from assistant.drawing.scene import Circle, Layer, Rectangle, Scene, Shape, Symbol, Text, inset
from assistant.game.gamefile import CounterStyle
from assistant.pictures.counters import centred, symbol_box
from assistant.pictures.style import INK, WHITE, dark, ink_on, mixed
from assistant.pictures.symbols import ASPECT, Symbols

SIDE = 16.0
"""The side of a counter, in millimetres."""
PIXEL = SIDE / 75
LEAST = 0.9
"""The smallest letters, for the longest names."""
_RADIUS, _EDGE = 1.3, 2 * PIXEL
_BAND, _STRIP, _FOOT = 16 * PIXEL, 4 * PIXEL, 19 * PIXEL
_COLUMN = 21.5 * PIXEL  # how high the figures beside the symbol may stand


class Figure(NamedTuple):
    """A figure as it is written, with the words that signs beside it tell."""

    text: str
    signs: tuple[str, ...] = ()


class Face(NamedTuple):
    """What stands on one side. arm: of its symbol, None in a game without symbols; stripe: the colour of the top."""

    title: str
    style: CounterStyle
    name: str
    arm: str | None
    size: str
    formation: str
    army: str
    foot: tuple[Figure, ...]
    left: tuple[Figure, ...]
    right: tuple[Figure, ...]
    tint: str
    stripe: str
    light: bool
    reduced: bool


class _Inks(NamedTuple):
    """The colours of a face: ground and foot, with what is written on each; the height of the coloured top."""

    ground: str
    ink: str
    foot: str
    figures: str
    band: float


def _inks(face: Face) -> _Inks:
    tint = face.tint
    if face.style == "place":
        return _Inks(dark(tint), WHITE, mixed(tint, WHITE, 0.3), INK, _STRIP)
    if face.style == "supply":
        return _Inks(tint, ink_on(tint), mixed(tint, WHITE, 0.72), INK, _BAND)
    if face.light:
        return _Inks(mixed(tint, WHITE, 0.66), INK, tint, ink_on(tint), _STRIP)
    bare = not (face.formation or face.size or face.army)
    return _Inks(tint, ink_on(tint), dark(tint), WHITE, _STRIP if bare else _BAND)


def draw_face(face: Face, symbols: Symbols) -> Scene:
    """One side of a counter, to its edges; transparent outside its round corners."""
    inks = _inks(face)
    shapes = [*_body(face, inks), *_top(face, inks)]
    middle = {"unit": _unit_middle, "supply": _supply_middle, "place": _place_middle}[face.style]
    shapes += middle(face, inks, symbols)
    shapes += _foot(face, inks, symbols)
    edge = _EDGE / 2
    rim = {"radius": _RADIUS - edge / 2, "stroke": dark(face.tint), "stroke_width": edge}
    shapes.append(inset(0, 0, SIDE, SIDE, edge / 2, **rim))
    return Scene(width=SIDE, height=SIDE, title=face.title, layers=(Layer("counter", tuple(shapes)),))


def _body(face: Face, inks: _Inks) -> list[Shape]:
    """Top, ground and foot; only the corners of the counter are round."""
    foot = _FOOT if face.foot else 0.0
    whole = Rectangle(x=0, y=0, width=SIDE, height=SIDE, radius=_RADIUS, fill=face.stripe)
    lower = inks.foot if face.foot else inks.ground
    half = Rectangle(x=0, y=SIDE / 2, width=SIDE, height=SIDE / 2, radius=_RADIUS, fill=lower)
    bottom = SIDE - (foot or _RADIUS)
    ground = Rectangle(x=0, y=inks.band, width=SIDE, height=bottom - inks.band, fill=inks.ground)
    return [whole, half, ground]


def _top(face: Face, inks: _Inks) -> list[Shape]:
    """Formation, size and army on the coloured top; below a narrow one, formation and size alone."""
    narrow = inks.band < _BAND
    ink = inks.ink if narrow else WHITE
    base = (15.5 if narrow else 12.5) * PIXEL
    size = 11.5 * PIXEL
    shapes: list[Shape] = []
    side = (SIDE - text_width(face.size, size, bold=True)) / 2 - 1.2
    if face.formation:
        words = fit(face.formation, size, side, least=LEAST, bold=True)
        shapes.append(Text(x=0.8, y=base, text=words.lines[0], size=words.size, bold=True, fill=ink))
    if face.size:
        shapes.append(centred(face.size, SIDE / 2, base, size, ink))
    if face.army and not narrow:
        words = fit(face.army, 8 * PIXEL, side, least=LEAST)
        ink = mixed(ink, face.stripe, 0.15)
        shapes.append(Text(x=SIDE - 0.8, y=base, text=words.lines[0], size=words.size, anchor="end", fill=ink))
    return shapes


def _unit_middle(face: Face, inks: _Inks, symbols: Symbols) -> list[Shape]:
    """The symbol box between the figures beside it, and the name below."""
    if face.arm is None:
        return _name_alone(face, inks)
    name, top, room = _name(face)
    top_of_box, height = (20.5 * PIXEL, 20 * PIXEL) if len(name.lines) == 1 else (19.5 * PIXEL, 17.33 * PIXEL)
    shapes = _white_band(face, top_of_box, height)
    shapes += symbol_box(face.arm, (SIDE - height * ASPECT) / 2, top_of_box, height, symbols)
    ink, middle = INK if face.reduced else inks.ink, top_of_box + height / 2
    shapes += _beside(face, middle, ink, "disc")
    return shapes + _lines(name, top, room, inks.ink)


def _supply_middle(face: Face, inks: _Inks, symbols: Symbols) -> list[Shape]:
    """The symbol itself, large, and the name below."""
    name, top, room = _name(face)
    height = (23 if len(name.lines) == 1 else 21) * PIXEL
    shapes = _white_band(face, 18 * PIXEL, height)
    ink, middle = INK if face.reduced else inks.ink, 18 * PIXEL + height / 2
    shapes += _symbol(face.arm, SIDE / 2, 18 * PIXEL, height, ink, symbols)
    shapes += _beside(face, middle, ink, "square")
    return shapes + _lines(name, top, room, inks.ink)


def _place_middle(face: Face, inks: _Inks, symbols: Symbols) -> list[Shape]:
    height = (30 if face.foot else 40) * PIXEL
    shapes = _white_band(face, 8 * PIXEL, height)
    shapes += _symbol(face.arm, SIDE / 2, 8 * PIXEL, height, INK if face.reduced else inks.ink, symbols)
    top = 8 * PIXEL + height
    room = SIDE - (_FOOT if face.foot else 4 * PIXEL) - top
    name = fit_lines(face.name, 13 * PIXEL, SIDE - 1.4, room, least=LEAST, bold=True)
    return shapes + _lines(name, top, room, inks.ink)


def _white_band(face: Face, top: float, height: float) -> list[Shape]:
    """The white band from edge to edge that marks a reduced side, behind the symbol."""
    if not face.reduced:
        return []
    return [Rectangle(x=0, y=top - 1.5 * PIXEL, width=SIDE, height=height + 3 * PIXEL, fill=WHITE)]


def _name(face: Face) -> tuple[Fitted, float, float]:
    """The name, where the room for it begins and how high that is; a name of two lines begins higher."""
    bottom = SIDE - (_FOOT if face.foot else 3 * PIXEL)
    one, two = 40.5 * PIXEL, (39.5 if face.style == "supply" else 38.5) * PIXEL
    name = fit_lines(face.name, 12 * PIXEL, SIDE - 1.4, bottom - two, least=LEAST, bold=True)
    top = one if len(name.lines) == 1 else two
    return name, top, bottom - top


def _lines(text: Fitted, top: float, room: float, ink: str) -> list[Shape]:
    """Lines of bold text in the middle of a room, tails of letters included."""
    base = top + room / 2 + text.size * (0.3 - (len(text.lines) - 1) / 2)
    return [
        centred(line, SIDE / 2, base + number * text.size, text.size, ink) for number, line in enumerate(text.lines)
    ]


def _name_alone(face: Face, inks: _Inks) -> list[Shape]:
    """The name in the room of the symbol, between the figures beside it."""
    height = SIDE - inks.band - (_FOOT if face.foot else 0.0)
    middle, ink = inks.band + height / 2, INK if face.reduced else inks.ink
    wide = SIDE - 1.4 - (37 * PIXEL if face.left or face.right else 0.0)
    name = fit_lines(face.name, 17 * PIXEL, wide, height - 1.2, least=LEAST, bold=True)
    shapes = _white_band(face, middle - 11 * PIXEL, 22 * PIXEL)
    shapes += _beside(face, middle, ink, "disc")
    return shapes + _lines(name, middle - height / 2, height, ink)


def _symbol(arm: str | None, middle: float, top: float, height: float, ink: str, symbols: Symbols) -> list[Shape]:
    """A symbol without a box; a box with a word in it where there is none."""
    symbol, left = symbols.symbol(arm) if arm else None, middle - height * ASPECT / 2
    if symbol is None:
        return symbol_box(arm or "", left, top, height, symbols)
    return [msgspec.structs.replace(symbol, x=left, y=top, width=height * ASPECT, height=height, ink=ink)]


def _beside(face: Face, middle: float, ink: str, chip: Literal["disc", "square"]) -> list[Shape]:
    """The figures on both sides of the symbol; the first on the left stands on a chip."""
    left = _column(face.left, 10.5 * PIXEL, middle, ink, chip=chip)
    return left + _column(face.right, 64.5 * PIXEL, middle, ink)


def _column(
    figures: Sequence[Figure], x: float, middle: float, ink: str, *, chip: Literal["disc", "square", ""] = ""
) -> list[Shape]:
    """Figures below one another beside the symbol: the first is the largest, and stands on the chip if there is one."""
    sizes = [(11 if chip else 13.5) * PIXEL, *[9.5 * PIXEL] * (len(figures) - 1)][: len(figures)]
    steps = [(17 * PIXEL if chip else size) if not number else size * 1.05 for number, size in enumerate(sizes)]
    scale = min(1.0, _COLUMN / (sum(steps) or 1))
    top = middle - sum(steps) * scale / 2
    shapes: list[Shape] = []
    for number, figure in enumerate(figures):
        size, step = sizes[number] * scale, steps[number] * scale
        chipped = bool(chip) and not number
        words = fit(figure.text, size, (14 if chipped else 18) * PIXEL, least=LEAST, bold=True)
        at = top + step / 2
        if chipped:
            shapes.append(_chip(x, at, chip, scale))
        shapes.append(centred(words.lines[0], x, at + words.size * 0.365, words.size, INK if chipped else ink))
        top += step
    return shapes


def _chip(x: float, y: float, kind: str, scale: float) -> Shape:
    """A white disc or square round a point."""
    if kind == "disc":
        return Circle(x=x, y=y, radius=8.5 * PIXEL * scale, fill=WHITE, stroke=INK, width=0.2)
    wide, high = 15 * PIXEL, 14 * PIXEL * scale
    return Rectangle(
        x=x - wide / 2, y=y - high / 2, width=wide, height=high, radius=0.4, fill=WHITE, stroke=INK, stroke_width=0.2
    )


def _foot(face: Face, inks: _Inks, symbols: Symbols) -> list[Shape]:
    """The figures on the foot, the room between them shared out evenly, each with the signs that belong to it."""
    signs = [_signs(figure, symbols) for figure in face.foot]
    sign_width, gap, ends = 12.5 * PIXEL, 4.5 * PIXEL, 2 * PIXEL
    taken = sum(sign_width for known in signs if known)
    room = SIDE - 2 * ends - taken
    wide = sum(text_width(figure.text, 1, bold=True) for figure in face.foot)
    size = max(min(15.5 * PIXEL, (room - gap * (len(face.foot) - 1)) / (wide or 1)), LEAST)
    between = (room - wide * size) / max(len(face.foot), 1)
    shapes: list[Shape] = []
    x, centre = ends + between / 2, SIDE - _FOOT / 2
    for figure, known in zip(face.foot, signs, strict=True):
        drawn = text_width(figure.text, size, bold=True)
        shapes.append(centred(figure.text, x + drawn / 2, centre + size * 0.365, size, inks.figures))
        x += drawn
        height = 7.6 * PIXEL
        for row, sign in enumerate(known):
            y = centre + (row - len(known) / 2) * (height + 1 * PIXEL)
            place = {"x": x + 1 * PIXEL, "y": y, "width": height * ASPECT, "height": height}
            shapes.append(msgspec.structs.replace(sign, **place, ink=inks.figures))
        x += between + (sign_width if known else 0)
    return shapes


def _signs(figure: Figure, symbols: Symbols) -> list[Symbol]:
    """The signs beside a figure; a word without a symbol is left out: the title has it."""
    return [sign for sign in (symbols.symbol(f"class-{word}") for word in figure.signs) if sign is not None]
