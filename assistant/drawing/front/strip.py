"""The front of a game as a strip: one small map a turn, all of the same area and scale, with a key below them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from math import ceil
from typing import Literal, NamedTuple

from ...asking.placeholders import format_drawn_note
from ...asking.view import View
from ..colours import INK, WHITE
from ..hatching import hatching, slant_of
from ..lettering import base_line, fit_line, text_width, wrap
from ..scene import Layer, Path, Point, Polyline, Rectangle, Scene, Shape, Text, inset, text_lines
from ..style import MARGIN, PAPER, SOFT_INK
from .moment_map import GAINED, HATCHING, MomentMap, list_moments, moment_layers, star_shapes
from .territory import REACH
from .theatre import Theatre

WIDE = 92.0
"""How wide each map of a strip is, in millimetres."""
MOST = 24
"""How many maps a strip has at most: of more turns it has some, evenly chosen, and says so."""
_TITLE = 6.0  # size of letters, mm, as the next four
_HEAD = 4.2
_ABOUT = 3.1
_KEY = 3.1
_NOTE = 2.9
_GAP = 6.0  # mm between maps
_HEADED = 10.5  # mm above each map for its title
FRONT_NOTE = (
    f"Ground is that of the side whose unit stands nearest, up to {REACH} hexes off, or that controls it by the record; "
    "all other ground stays as it was, at first with its country. It is drawn for the eye: no rule goes by it."
)


class Shot(NamedTuple):
    """A moment of a game to be drawn."""

    title: str
    """Such as the turn."""
    about: str
    """Its date, or a few words on it."""
    view: View
    """What is known then."""
    attacked: Collection[str] = ()
    """The hexes that were attacked since the shot before."""


def choose_shots(shots: Sequence[Shot], most: int = MOST) -> list[Shot]:
    """Return some of the moments of a game, evenly, with the first and the last; what was attacked in between is in the
    next.
    """
    if len(shots) <= most:
        return list(shots)
    chosen, attacked = list[Shot](), set[str]()
    wanted = {round(number * (len(shots) - 1) / (most - 1)) for number in range(most)}
    for number, shot in enumerate(shots):
        attacked |= {*shot.attacked}
        if number in wanted:
            chosen.append(shot._replace(attacked=attacked))
            attacked = set()
    return chosen


class Strip(NamedTuple):
    """The maps of a game."""

    theatre: Theatre
    """Their ground."""
    shots: Sequence[Shot]
    """What each map shows."""
    moments: Sequence[MomentMap]
    """What each map shows."""
    left_out: int = 0
    """How many turns have no map."""


def make_strip(shots: Sequence[Shot], width: float = WIDE, most: int = MOST) -> Strip:
    """Return the maps of a game's moments, at least one. width: of each, in millimetres. Raises InputError as
    `Theatre`.
    """
    chosen = choose_shots(shots, most)
    views, attacked = [shot.view for shot in chosen], [shot.attacked for shot in chosen]
    theatre = Theatre(views, width, {place for places in attacked for place in places})
    return Strip(theatre, chosen, list_moments(theatre, views, attacked), len(shots) - len(chosen))


def map_scene(strip: Strip, number: int) -> Scene:
    """Return one map of a strip alone, without words: its title tells what it shows."""
    theatre, shot, moment = strip.theatre, strip.shots[number], strip.moments[number]
    paper = Layer("paper", (Rectangle(x=0, y=0, width=theatre.wide, height=theatre.high, fill=PAPER),))
    layers = (theatre.place(layer, (0.0, 0.0)) for layer in moment_layers(theatre, moment))
    title = ", ".join(filter(None, (shot.title, shot.about)))
    return Scene(
        width=theatre.wide,
        height=theatre.high,
        title=title,
        description=_describe_map(strip, number),
        layers=(paper, *layers),
    )


def strip_scene(strip: Strip, title: str, about: str = "") -> Scene:
    """Return the strip as a picture: its title, the maps in rows, the key and what it rests on."""
    theatre = strip.theatre
    many = len(strip.moments)
    columns = _choose_columns(many, theatre)
    width = 2 * MARGIN + columns * theatre.wide + (columns - 1) * _GAP
    inner = width - 2 * MARGIN
    heading = wrap(title, _TITLE, inner, bold=True)
    words: list[Shape] = [*text_lines(heading, MARGIN + _TITLE * 0.8, _TITLE, 1.3, x=MARGIN, bold=True, fill=INK)]
    top = MARGIN + len(heading) * _TITLE * 1.3
    if about:
        for line in wrap(about, _ABOUT, inner):
            words.append(Text(x=MARGIN, y=top + _ABOUT, text=line, size=_ABOUT, fill=SOFT_INK))
            top += _ABOUT * 1.4
    top += 2.5
    pitch = theatre.high + _HEADED + 2.0
    layers = list[Layer]()
    for number, moment in enumerate(strip.moments):
        row, column = divmod(number, columns)
        x, y = MARGIN + column * (theatre.wide + _GAP), top + row * pitch
        words += _draw_heading(strip, number, x, y)
        layers += _place_map(theatre, moment_layers(theatre, moment), (x, y + _HEADED))
    bottom = top + -(-many // columns) * pitch + 2.0
    key, below = _draw_key(strip, (MARGIN, bottom), inner)
    notes = [line for note in _list_notes(strip) for line in wrap(note, _NOTE, inner)]
    words += text_lines(notes, below + _NOTE, _NOTE, 1.4, x=MARGIN, fill=SOFT_INK)
    height = below + len(notes) * _NOTE * 1.4 + MARGIN
    paper = Layer("paper", (Rectangle(x=0, y=0, width=width, height=height, fill=PAPER),))
    return Scene(
        width=width,
        height=height,
        title=title,
        description=" ".join(_describe_map(strip, number) for number in range(many)),
        layers=(paper, *layers, Layer("key", tuple(key)), Layer("words", tuple(words))),
    )


def _place_map(theatre: Theatre, layers: Iterable[Layer], at: Point) -> Iterator[Layer]:
    """Yield the layers of a map on paper, its upper left corner at a point, and a mat round it that hides what goes on
    beyond.
    """
    for layer in layers:
        yield theatre.place(layer, at)
    (x, y), mat = at, _GAP - 0.2
    outer = _box_corners(x - mat, y - mat, theatre.wide + 2 * mat, theatre.high + 2 * mat)
    yield Layer("mat", (Path(lines=(outer, _box_corners(x, y, theatre.wide, theatre.high)), closed=True, fill=PAPER),))


def _box_corners(x: float, y: float, width: float, height: float) -> tuple[Point, ...]:
    return ((x, y), (x + width, y), (x + width, y + height), (x, y + height))


def _choose_columns(many: int, theatre: Theatre) -> int:
    """Return how many maps stand side by side: about as many as make the strip a little wider than high."""
    most = min(many, 4)
    for columns in range(1, most):
        rows = ceil(many / columns)
        if columns * theatre.wide >= 1.1 * rows * theatre.high:
            return columns
    return most


def _draw_heading(strip: Strip, number: int, x: float, y: float) -> Iterator[Shape]:
    """Yield the title of a map and what has changed on it."""
    shot, width = strip.shots[number], strip.theatre.wide
    title = fit_line(shot.title, _HEAD, width * 0.6, least=2.4, bold=True)
    yield Text(x=x, y=y + _HEAD, text=title.lines[0], size=title.size, bold=True, fill=INK)
    left = x + text_width(title.lines[0], title.size, bold=True) + 2.0
    if shot.about and (room := x + width - left) > 8.0:
        about = fit_line(shot.about, _ABOUT, room, least=2.2)
        yield Text(x=left, y=y + _HEAD, text=about.lines[0], size=about.size, fill=SOFT_INK)
    changes = fit_line(changes_shown(strip, number), _ABOUT, width, least=2.2)
    yield Text(x=x, y=y + _HEAD + _ABOUT * 1.35, text=changes.lines[0], size=changes.size, fill=SOFT_INK)


def changes_shown(strip: Strip, number: int) -> str:
    """Return what a map shows to have changed, in a few words."""
    moment = strip.moments[number]
    if number == 0:
        return "before the first move"
    parts = list[str]()
    if moved := len(moment.moved):
        parts.append(f"{moved} {'units' if moved > 1 else 'unit'} moved")
    if attacked := len(moment.attacked):
        parts.append(f"{attacked} {'hexes' if attacked > 1 else 'hex'} attacked")
    rules, gained = strip.theatre.game.file, Counter(moment.gained.values())
    sides = [f"{rules.title_of(side)} {gained[side]}" for side in rules.sides if gained[side]]
    ground = f"hexes gained: {', '.join(sides)}" if sides else ""
    return "; ".join(filter(None, (", ".join(parts), ground))) or "nothing has changed"


def _describe_map(strip: Strip, number: int) -> str:
    """Return a map in a sentence, for readers who cannot see it."""
    shot = strip.shots[number]
    return f"{', '.join(filter(None, (shot.title, shot.about)))}: {changes_shown(strip, number)}."


def _list_notes(strip: Strip) -> Iterator[str]:
    yield FRONT_NOTE
    if strip.left_out:
        yield f"{strip.left_out} turns have no map: each map shows what has changed since the one before it."
    yield from format_drawn_note(strip.theatre.board)


def _draw_key(strip: Strip, at: Point, width: float) -> tuple[list[Shape], float]:
    """Return what the signs mean, in rows from a point on, and where they end. width: the room for a row, in
    millimetres.
    """
    shapes, (x, y), left = list[Shape](), at, at[0]
    for draw, text in _list_key(strip):
        room = 9.0 + text_width(text, _KEY) + 6.0
        if x > left and x + room > left + width:
            x, y = left, y + 6.4
        shapes += draw(x, y)
        shapes.append(Text(x=x + 9.0, y=base_line(y + 2.4, _KEY), text=text, size=_KEY, fill=INK))
        x += room
    return shapes, y + 8.0


def _list_key(strip: Strip) -> Iterator[tuple[_Sign, str]]:
    """Yield the signs of the key, each with its words."""
    theatre = strip.theatre
    palette, sides = theatre.survey.palette, [*theatre.game.file.sides]
    shown = {side for moment in strip.moments for side in moment.held.values()}
    gained = {side for moment in strip.moments for side in moment.gained.values()}
    for side in sides:
        if side in shown:
            yield _Sign("side", (palette.side(side).strong,)), theatre.game.file.title_of(side)
    if len(shown) > 1:
        colours = [palette.side(side).strong for side in sides if side in shown]
        yield _Sign("front", (colours[0], colours[1])), "front"
    for side in sides:
        if side in gained:
            yield (
                _Sign("gained", (palette.side(side).strong,), slant_of(sides, side)),
                f"gained by {theatre.game.file.the_side(side)} since the map before",
            )
    if any(moment.moved for moment in strip.moments):
        yield _Sign("way", (INK,)), "moved from there"
    if any(moment.attacked for moment in strip.moments):
        yield _Sign("star", ()), "attacked"


class _Sign(NamedTuple):
    """A sign of the key: what kind, and in which colours."""

    kind: Literal["side", "gained", "front", "way", "star"]
    colours: tuple[str, ...]
    slant: float = 0.0

    def __call__(self, x: float, y: float) -> Iterator[Shape]:
        """Yield the sign in a box of 7 by 4.8 millimetres."""
        box = _box_corners(x, y, 7.0, 4.8)
        if self.kind == "side":
            yield inset((x, y, 7.0, 4.8), 0.0, radius=0.5, fill=self.colours[0])
        elif self.kind == "gained":
            yield inset((x, y, 7.0, 4.8), 0.0, fill=self.colours[0], opacity=GAINED)
            yield from hatching([box], self.colours[0], self.slant, HATCHING.scaled(0.45, 0.6))
        elif self.kind == "front":
            for colour, off in zip(self.colours, (-0.6, 0.6), strict=True):
                yield Polyline(
                    points=((x, y + 2.4 + off), (x + 7.0, y + 2.4 + off)), stroke=colour, width=0.8, butt=True
                )
            yield Polyline(points=((x, y + 2.4), (x + 7.0, y + 2.4)), stroke=INK, width=0.35, butt=True)
        elif self.kind == "way":
            yield Polyline(
                points=((x, y + 2.4), (x + 7.0, y + 2.4)),
                stroke=INK,
                width=0.45,
                head=1.6,
                casing=WHITE,
                casing_width=1.0,
            )
        else:
            yield from star_shapes((x + 3.5, y + 2.4), 2.0)
