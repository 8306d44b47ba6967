"""Galleries: all symbols with their words, and the colours of nations in every sight, in grey and with low ink."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path

import click
import msgspec

from assistant.drawing import WRITERS
from assistant.drawing.colours import INK, SIGHTS, WHITE, convert_to_grey, simulate_sight
from assistant.drawing.lettering import base_line, fit_line
from assistant.drawing.palettes import our_nations
from assistant.drawing.scene import Layer, Rectangle, Scene, Shape, Symbol, Text, inset
from assistant.drawing.style import PAPER, SOFT_INK, Inks, Palette, Stripe, palette_of, stripe_shapes
from assistant.drawing.symbols import ASPECT, Symbols
from assistant.faces.cli.group import GameCommand
from assistant.game.games import Game
from assistant.installed.registry import named_game
from assistant.util.console import echo, show_working
from assistant.util.writing import check_free, write_whole

from .printing import check_ending, force

_PICTURE_WIDTH_MM = 240.0
_MARGIN_MM = 6.0
_HEADING_SIZE_MM = 3.4
_NAME_SIZE_MM = 2.1
_SYMBOL_HEIGHT_MM = 8.0
_ROW_PITCH_MM = _SYMBOL_HEIGHT_MM + 6.0
_TROOP_KINDS = ("reserve", "landwehr", "landsturm", "ersatz", "guard", "fortress")
_ARMS_SHOWN = ("infantry", "cavalry")

_Cell = tuple[str, tuple[tuple[Symbol | None, bool], ...]]
"""A name with its symbols, each with whether it stands in a frame."""


def symbols_scene(game: Game | None = None) -> Scene:
    """Return all symbols with their words, and both forms of symbols that differ between the NATO and the period style.

    `game`: the game whose own symbols are shown too.
    """
    nato, period = Symbols(game, "nato"), Symbols(game, "period")
    shapes: list[Shape] = []
    top = _MARGIN_MM + 5.0
    for title, names in _list_sections(nato):
        cells = [_make_cell(name, nato, period) for name in names]
        shapes.append(Text(x=_MARGIN_MM, y=top, text=title, size=_HEADING_SIZE_MM, bold=True, fill=INK))
        drawn, top = _draw_table(cells, top + 3.0)
        shapes += drawn
        top += 6.0
    height = top - 2.0
    paper = Rectangle(x=0, y=0, width=_PICTURE_WIDTH_MM, height=height, fill=PAPER)
    title = f"Symbols of {game.title}" if game else "Symbols"
    return Scene(width=_PICTURE_WIDTH_MM, height=height, title=title, layers=(Layer("symbols", (paper, *shapes)),))


_SIZES = ("team", "dot", "dots-2", "dots-3", "i", "ii", "iii", "x", "xx", "xxx", "xxxx", "xxxxx", "xxxxxx")


def _list_sections(symbols: Symbols) -> Iterator[tuple[str, Sequence[str]]]:
    own = [name for name in symbols.names if symbols.kind(name) == "own"]
    if own:
        yield "Of the game", own
    yield "Troops", symbols.names_of_kind("troops")
    yield "Which troops they are, before any arm", [f"{kind}-{arm}" for arm in _ARMS_SHOWN for kind in _TROOP_KINDS]
    yield "Guns", symbols.names_of_kind("guns")
    yield "Services", symbols.names_of_kind("services")
    yield "Supply and places", [*symbols.names_of_kind("supply"), *symbols.names_of_kind("places")]
    yield "Sizes", [f"echelon-{size}" for size in _SIZES]
    for kind, title in (
        ("troops", "Markers of troops"),
        ("supply", "of supply"),
        ("ground", "of ground"),
        ("game", "of the game"),
    ):
        yield title if kind == "troops" else f"Markers {title}", symbols.names_of_kind(f"markers/{kind}")
    yield "Classes of artillery, beside a figure", symbols.names_of_kind("classes")
    yield "Grounds", symbols.names_of_kind("terrain")
    yield "Nations", symbols.names_of_kind("nations")


def _make_cell(name: str, nato: Symbols, period: Symbols) -> _Cell:
    symbol, other = nato.symbol(name), period.symbol(name)
    both = [(symbol, nato.is_framed(name))]
    if symbol and other and symbol.paths != other.paths:
        both.append((other, period.is_framed(name)))
    return name, tuple(both)


def _draw_table(cells: Sequence[_Cell], top: float) -> tuple[list[Shape], float]:
    width = max((len(symbols) for _, symbols in cells), default=1)
    room = (_SYMBOL_HEIGHT_MM * ASPECT + 2.0) * width + (5.5 if width > 1 else 6.5)
    abreast = int((_PICTURE_WIDTH_MM - 2 * _MARGIN_MM) / room)
    room = (_PICTURE_WIDTH_MM - 2 * _MARGIN_MM) / abreast
    shapes: list[Shape] = []
    left, rows = iter(cells), 0
    while row := list(islice(left, abreast)):
        for column, (name, symbols) in enumerate(row):
            x, y = _MARGIN_MM + column * room, top + rows * _ROW_PITCH_MM
            for number, (symbol, framed) in enumerate(symbols):
                shapes += _draw_symbol(symbol, x + number * (_SYMBOL_HEIGHT_MM * ASPECT + 2.0), y, framed=framed)
            words = fit_line(name, _NAME_SIZE_MM, room - 1.5, min_size=1.2)
            shapes.append(Text(x=x, y=y + _SYMBOL_HEIGHT_MM + 3.0, text=words.lines[0], size=words.size, fill=SOFT_INK))
        rows += 1
    return shapes, top + rows * _ROW_PITCH_MM


def _draw_symbol(symbol: Symbol | None, x: float, y: float, *, framed: bool) -> list[Shape]:
    if symbol is None:
        return []
    width, line = _SYMBOL_HEIGHT_MM * ASPECT, _SYMBOL_HEIGHT_MM * 0.055
    drawn = msgspec.structs.replace(symbol, x=x, y=y, width=width, height=_SYMBOL_HEIGHT_MM, ink=INK)
    if not framed:
        return [drawn]
    ground = Rectangle(x=x, y=y, width=width, height=_SYMBOL_HEIGHT_MM, fill=WHITE)
    return [ground, drawn, inset((x, y, width, _SYMBOL_HEIGHT_MM), 0, stroke=INK, stroke_width=line)]


# --- the colours of nations -------------------------------------------------------------------------------------------

_COUNTER_SIDE_MM = 11.0
_NATION_PITCH_MM = 14.0
_VIEW_PITCH_MM = 47.0
_NAMES_WIDTH_MM = 30.0


def _leave_as_is(colour: str) -> str:
    return colour


_VIEWS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("as printed", _leave_as_is),
    ("red-blindness (protanopia)", partial(simulate_sight, sight=SIGHTS[0])),
    ("green-blindness (deuteranopia)", partial(simulate_sight, sight=SIGHTS[1])),
    ("blue-blindness (tritanopia)", partial(simulate_sight, sight=SIGHTS[2])),
    ("in a grey print", convert_to_grey),
)
"""The views of the colours: a title, and the function that converts a colour."""


def colours_scene(game: Game | None = None) -> Scene:
    """Return the colours of a game's nations, or of all ours, in every view.

    Each is shown by a counter with the sign of the nation, a control marker, and the stripes of its formations in
    order.
    """
    if game:
        track = game.tracks.get(game.file.picture.nation)
        nations = tuple(filter(None, track.values)) if track else ()
        full, low = palette_of(game), palette_of(game, low_ink=True)
    else:
        nations = our_nations()
        full, low = Palette({}, nations), Palette({}, nations, low_ink=True)
    symbols = Symbols(game)
    width = 2 * _MARGIN_MM + _NAMES_WIDTH_MM + (len(_VIEWS) + 0.42) * _VIEW_PITCH_MM
    shapes: list[Shape] = []
    for number, (title, _) in enumerate((*_VIEWS, ("low ink", convert_to_grey))):
        x = _MARGIN_MM + _NAMES_WIDTH_MM + number * _VIEW_PITCH_MM
        shapes.append(Text(x=x, y=_MARGIN_MM + 3.0, text=title, size=3.0, bold=True, fill=INK))
    for row, nation in enumerate(nations):
        y = _MARGIN_MM + 6.0 + row * _NATION_PITCH_MM
        words = fit_line(nation, 3.0, _NAMES_WIDTH_MM - 2.0, min_size=1.5)
        shapes.append(
            Text(
                x=_MARGIN_MM,
                y=base_line(y + _COUNTER_SIDE_MM / 2, words.size),
                text=words.lines[0],
                size=words.size,
                fill=INK,
            )
        )
        mark = symbols.sign(nation, full.mark(nation))
        stripes = [full.stripe(nation, number) for number in range(6)]
        for number, (_, seen) in enumerate(_VIEWS):
            x = _MARGIN_MM + _NAMES_WIDTH_MM + number * _VIEW_PITCH_MM
            inks = Inks(*map(seen, msgspec.structs.astuple(full.inks(nation))))
            shapes += [*_draw_sample(inks, mark, x, y), *_draw_stripes(stripes, seen, x + _COUNTER_SIDE_MM + 6.0, y)]
        x = _MARGIN_MM + _NAMES_WIDTH_MM + len(_VIEWS) * _VIEW_PITCH_MM
        shapes += _draw_sample(low.inks(nation), mark, x, y)
    height = _MARGIN_MM + 6.0 + len(nations) * _NATION_PITCH_MM + _MARGIN_MM - 3.0
    paper = Rectangle(x=0, y=0, width=width, height=height, fill=WHITE)
    title = f"Colours of {game.title}" if game else "Colours of nations"
    return Scene(width=width, height=height, title=title, layers=(Layer("colours", (paper, *shapes)),))


def _draw_sample(inks: Inks, mark: Symbol | None, x: float, y: float) -> Iterator[Shape]:
    yield inset((x, y, _COUNTER_SIDE_MM, _COUNTER_SIDE_MM), 0.2, fill=inks.ground, stroke=inks.frame, stroke_width=0.4)
    yield Rectangle(x=x + _COUNTER_SIDE_MM + 0.6, y=y, width=4.4, height=_COUNTER_SIDE_MM, fill=inks.strong)
    if mark is not None:
        left, top = x + _COUNTER_SIDE_MM / 2 - 2.8, y + _COUNTER_SIDE_MM / 2 - 2.8
        yield msgspec.structs.replace(mark, x=left, y=top, width=5.6, height=5.6, ink=inks.ink)
        left, top = x + _COUNTER_SIDE_MM + 1.1, y + _COUNTER_SIDE_MM / 2 - 1.7
        yield msgspec.structs.replace(mark, x=left, y=top, width=3.4, height=3.4, ink=inks.strong_ink)


def _draw_stripes(stripes: Sequence[Stripe], seen: Callable[[str], str], x: float, y: float) -> Iterator[Shape]:
    for number, stripe in enumerate(stripes):
        left, top = x + number % 3 * 9.0, y + number // 3 * 6.0
        colours = msgspec.structs.replace(stripe, colour=seen(stripe.colour), ink=seen(stripe.ink))
        yield from stripe_shapes(colours, left, top, 8.4, 5.0)
        base = base_line(top + 2.5, 2.6)
        yield Text(x=left + 4.2, y=base, text=str(number + 1), size=2.6, anchor="middle", bold=True, fill=colours.ink)


def _out_option(usual: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    shown = f"The file to write: PDF, SVG or PNG. By default {usual}."
    return click.option("-o", "--out", type=click.Path(path_type=Path, readable=False), default=Path(usual), help=shown)


@click.command("symbols", cls=GameCommand)
@click.argument("game", required=False)
@_out_option("symbols.pdf")
@force
def symbols(game: str | None, out: Path, force: bool) -> None:
    """Draw all symbols with their words, those of a GAME first."""
    _write_picture(symbols_scene, game, out, force=force)


@click.command("colours", cls=GameCommand)
@click.argument("game", required=False)
@_out_option("colours.pdf")
@force
def colours(game: str | None, out: Path, force: bool) -> None:
    """Draw the colours of nations, as the colour-blind see them and in grey too: all of ours, or those of a GAME."""
    _write_picture(colours_scene, game, out, force=force)


def _write_picture(scene: Callable[[Game | None], Scene], game: str | None, out: Path, *, force: bool) -> None:
    check_ending(out, WRITERS, "a picture")
    check_free(out, force=force)
    with show_working(f"drawing {out}"):
        drawn = scene(named_game(game) if game else None)
        data = WRITERS[out.suffix.lower()](drawn)
    write_whole(out, data, force=force)
    echo(f"{out}: {drawn.title}")
