"""The symbols with their words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

import msgspec

from assistant.drawing.lettering import fit
from assistant.drawing.scene import Layer, Rectangle, Scene, Shape, Symbol, Text, inset
from assistant.game.games import Game
from assistant.pictures.colours import INK, WHITE
from assistant.pictures.style import PAPER, SOFT_INK
from assistant.pictures.symbols import ASPECT, Symbols

_WIDTH, _MARGIN = 240.0, 6.0
_HEAD, _NAME = 3.4, 2.1
"""Sizes of letters, in millimetres."""
_HIGH = 8.0  # of a symbol
_ROW = _HIGH + 6.0
#: Kinds of troops, shown with these arms.
_KINDS, _SHOWN_WITH = ("reserve", "landwehr", "landsturm", "ersatz", "guard", "fortress"), ("infantry", "cavalry")

_Cell = tuple[str, tuple[tuple[Symbol | None, bool], ...]]
"""A name with its symbols, each with whether it stands in a frame."""


def symbols_scene(game: Game | None = None) -> Scene:
    """All symbols with their words; those that differ in style as NATO's and beside it as the period's. game: whose own
    are shown too.
    """
    nato, period = Symbols(game, "nato"), Symbols(game, "period")
    shapes: list[Shape] = []
    top = _MARGIN + 5.0
    for title, names in _sections(nato):
        cells = [_cell(name, nato, period) for name in names]
        shapes.append(Text(x=_MARGIN, y=top, text=title, size=_HEAD, bold=True, fill=INK))
        drawn, top = _table(cells, top + 3.0)
        shapes += drawn
        top += 6.0
    height = top - 2.0
    paper = Rectangle(x=0, y=0, width=_WIDTH, height=height, fill=PAPER)
    title = f"Symbols of {game.title}" if game else "Symbols"
    return Scene(width=_WIDTH, height=height, title=title, layers=(Layer("symbols", (paper, *shapes)),))


def _sections(symbols: Symbols) -> Iterator[tuple[str, Sequence[str]]]:
    """Titles, each with the symbols below it."""
    own = [name for name in symbols.names if symbols.kind(name) == "own"]
    if own:
        yield "Of the game", own
    yield "Troops", symbols.of_kind("troops")
    yield "Which troops they are, before any arm", [f"{kind}-{arm}" for arm in _SHOWN_WITH for kind in _KINDS]
    yield "Guns", symbols.of_kind("guns")
    yield "Services", symbols.of_kind("services")
    yield "Supply and places", [*symbols.of_kind("supply"), *symbols.of_kind("places")]
    yield "Sizes", [f"echelon-{size}" for size in ("dots-3", "i", "ii", "iii", "x", "xx", "xxx", "xxxx", "xxxxx")]
    for kind, title in (
        ("troops", "Markers of troops"),
        ("supply", "of supply"),
        ("ground", "of ground"),
        ("game", "of the game"),
    ):
        yield title if kind == "troops" else f"Markers {title}", symbols.of_kind(f"markers/{kind}")
    yield "Classes of artillery, beside a figure", symbols.of_kind("classes")
    yield "Grounds", symbols.of_kind("terrain")
    yield "Nations", symbols.of_kind("nations")


def _cell(name: str, nato: Symbols, period: Symbols) -> _Cell:
    """A name with its symbol, twice if it differs in style."""
    symbol, other = nato.symbol(name), period.symbol(name)
    both = [(symbol, nato.framed(name))]
    if symbol and other and symbol.paths != other.paths:
        both.append((other, period.framed(name)))
    return name, tuple(both)


def _table(cells: Sequence[_Cell], top: float) -> tuple[list[Shape], float]:
    """Cells in rows, and where the last one ends."""
    wide = max((len(symbols) for _, symbols in cells), default=1)
    room = (_HIGH * ASPECT + 2.0) * wide + (5.5 if wide > 1 else 6.5)
    abreast = int((_WIDTH - 2 * _MARGIN) / room)
    room = (_WIDTH - 2 * _MARGIN) / abreast
    shapes: list[Shape] = []
    left, rows = iter(cells), 0
    while row := list(islice(left, abreast)):
        for column, (name, symbols) in enumerate(row):
            x, y = _MARGIN + column * room, top + rows * _ROW
            for number, (symbol, framed) in enumerate(symbols):
                shapes += _symbol(symbol, framed, x + number * (_HIGH * ASPECT + 2.0), y)
            words = fit(name, _NAME, room - 1.5, least=1.2)
            shapes.append(Text(x=x, y=y + _HIGH + 3.0, text=words.lines[0], size=words.size, fill=SOFT_INK))
        rows += 1
    return shapes, top + rows * _ROW


def _symbol(symbol: Symbol | None, framed: bool, x: float, y: float) -> list[Shape]:
    if symbol is None:
        return []
    width, line = _HIGH * ASPECT, _HIGH * 0.055
    drawn = msgspec.structs.replace(symbol, x=x, y=y, width=width, height=_HIGH, ink=INK)
    if not framed:
        return [drawn]
    ground = Rectangle(x=x, y=y, width=width, height=_HIGH, fill=WHITE)
    return [ground, drawn, inset(x, y, width, _HIGH, 0, stroke=INK, stroke_width=line)]
