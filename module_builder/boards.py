"""A board as a picture of its own, all of it or an area, with title, key, boxes and turn track; and on sheets of paper
that are cut and joined.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, product
from math import ceil, cos, pi, sin
from typing import Any, NamedTuple

import msgspec

from assistant.drawing.lettering import base_line, fit, fit_lines, text_width, wrap
from assistant.drawing.pdf import Page, PlacedScene, pages_to_pdf
from assistant.drawing.png import to_png
from assistant.drawing.scene import Layer, Polygon, Polyline, Rectangle, Scene, Shape, Text, enlarge, inset
from assistant.drawing.svg import to_svg
from assistant.game.boards import Board
from assistant.game.course import Turn, turns
from assistant.game.games import Game
from assistant.game.hexes import Hex
from assistant.pictures.colours import INK, WHITE, mix
from assistant.pictures.layout import Layout, board_hexes
from assistant.pictures.legend import map_key
from assistant.pictures.map.drawing import MapWish, map_layers
from assistant.pictures.map.survey import Scale, Survey, survey_of
from assistant.pictures.style import GRID, HEX, PAPER, PLAIN, SOFT_INK
from assistant.util.console import count_text
from assistant.util.errors import InputError, Where, suggested
from assistant.util.limits import Limit

from .sheets.layout import MARGIN, Paper
from .sheets.marks import HAIR, caption, hairline, row_name

_WHERE = Where("--area")
_TITLE, _ABOUT, _SMALL = 7.0, 3.6, 2.8
COMPASS_ROOM = 20.0
"""How wide and high the compass is, with what is free around it."""
_BOX, _BOX_HIGH, _BETWEEN = 30.0, 20.0, 1.5
#: The box of a turn, how wide it may become to fill its row, the bands over and under it, and the bar at its right.
_TURN, _TURN_HIGH, _WIDEST_TURN, _BAND, _BAR = 13.0, 13.0, 24.0, 4.2, 0.8
_LONGEST_BAR = 70.0
_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500)


def hexes_in(board: Board, area: str) -> Sequence[str]:
    """The hexes of an area, given by two of its corners as `40.15-55.35`; all hexes of the board for "".

    Raises InputError for another text, for corners that are not hexes of the map's grid, and if nothing of the map lies
    there.
    """
    if not area:
        return board_hexes(board)
    one, other = _corners(board, area)
    (first, last), (top, bottom) = sorted((one[0], other[0])), sorted((one[1], other[1]))
    hexes = [
        name
        for name in board_hexes(board)
        if first <= (at := board.grid.parse(name)).column <= last and top <= at.row <= bottom
    ]
    if not hexes:
        raise InputError(f"nothing of the board {board.name} lies in {area}", where=_WHERE)
    return hexes


def _corners(board: Board, area: str) -> tuple[tuple[int, int], tuple[int, int]]:
    """Both corners, wherever the dash between them stands: hex numbers may hold one too."""
    places = [at for at, letter in enumerate(area) if letter == "-" and area[:at].strip() and area[at + 1 :].strip()]
    for at in places:
        try:
            return board.grid.parse(area[:at].strip()), board.grid.parse(area[at + 1 :].strip())
        except InputError as error:
            if len(places) == 1:
                raise InputError(error.what, where=_WHERE, hint=error.hint) from error
    (first, last), (top, bottom) = board.grid.columns, board.grid.rows
    example = "-".join(board.grid.name(corner) for corner in (Hex(first, top), Hex(last, bottom)))
    raise InputError(f"{area!r} is not an area", where=_WHERE, hint=f"two corners with a dash: {example}")


class Parts:
    """The shapes of the margin as they are added."""

    def __init__(self) -> None:
        self.shapes: list[Shape] = []

    def text(self, x: float, y: float, text: str, size: float, **more: Any) -> None:
        """Add a line of words on a base line."""
        self.shapes.append(Text(x=x, y=y, text=text, size=size, **{"fill": INK, **more}))


def headline(parts: Parts, game: str, about: str, known: str, x: float, y: float, width: float) -> float:
    """The title, what is shown, and how it is known, in words. Returns where it ends."""
    room = width - COMPASS_ROOM
    title = fit(game, _TITLE, room, least=3.0, bold=True)
    y += _TITLE * 0.8
    parts.text(x, y, title.lines[0], title.size, bold=True)
    y += 1.4
    for line in wrap(about, _ABOUT, room):
        y += _ABOUT * 1.2
        parts.text(x, y, line, _ABOUT)
    for line in wrap(known, _SMALL, room):
        y += _SMALL * 1.35
        parts.text(x, y, line, _SMALL, fill=SOFT_INK)
    return y + 3.5


def known_from(board: Board) -> str:
    """How the facts of a board are known, in a sentence; "" for a board without facts."""
    known: Counter[str] = Counter()
    for counts in board.sources.values():
        for source, count in counts.items():
            known[source.value] += count
    total = sum(known.values())
    parts = [f"{source} {_share(count, total)}" for source, count in known.most_common()]
    return f"How its {total:,} facts are known: {', '.join(parts)}." if total else ""


def _share(count: int, total: int) -> str:
    percent = 100 * count / total
    if percent < 1:
        return "under 1 %"
    return f"{percent:.0f} %" if count == total or percent <= 99 else "over 99 %"


def scale_bar(parts: Parts, board: Board, x: float, y: float, hex: float, width: float) -> float:
    """A bar in hexes, and in kilometres or metres if the board says how large a hex is. hex: its height. Returns where
    they end.
    """
    bars = [(1.0, "hexes")]
    if board.kilometres >= 1:
        bars.append((1 / board.kilometres, "km"))
    elif board.kilometres >= 0.001:
        bars.append((0.001 / board.kilometres, "m"))
    left = x
    for unit, name in bars:
        most = min(_LONGEST_BAR, width * 0.4) / (hex * unit)
        steps = [step for step in _STEPS if step * 4 <= most] or [_STEPS[0]]
        step = steps[-1]
        parts_of = max(min(int(most // step), 5), 1)
        long = step * hex * unit
        for number in range(parts_of):
            parts.shapes.append(
                Rectangle(
                    x=left + number * long,
                    y=y + 2.6,
                    width=long,
                    height=1.3,
                    fill=INK if number % 2 == 0 else WHITE,
                    stroke=INK,
                    stroke_width=0.2,
                )
            )
        for number in range(parts_of + 1):
            parts.text(left + number * long, y + 2.0, str(number * step), 2.4, anchor="middle")
        parts.text(left + parts_of * long + 2.4, y + 4.0, name, 2.6)
        left += parts_of * long + text_width(name, 2.6) + 10
    return y + 8.0


def compass(parts: Parts, x: float, y: float) -> None:
    """A rose whose upper point is the north of the grid."""
    for number in range(8):
        angle = number * pi / 4
        far, near = (8.0, 1.7) if number % 2 == 0 else (4.4, 1.2)
        tip = x + far * sin(angle), y - far * cos(angle)
        for side, fill in ((-1, INK), (1, WHITE)):
            beside = angle + side * pi / 8
            foot = x + near * 1.1 * sin(beside), y - near * 1.1 * cos(beside)
            parts.shapes.append(Polygon(points=((x, y), foot, tip), fill=fill, stroke=INK, width=0.2))
    parts.text(x, y - 8.8, "N", 3.2, anchor="middle", bold=True)


def box_row(parts: Parts, names: Sequence[str], x: float, y: float, width: float) -> float:
    """The boxes of a board, each with its name. Returns where they end."""
    many = max(int((width + _BETWEEN) // (_BOX + _BETWEEN)), 1)
    for number, name in enumerate(names):
        left, top = x + number % many * (_BOX + _BETWEEN), y + number // many * (_BOX_HIGH + _BETWEEN)
        parts.shapes.append(_frame(left, top, _BOX, _BOX_HIGH))
        words = fit_lines(name, 2.8, _BOX - 2, 6.0, least=1.8, bold=True)
        for line, text in enumerate(words.lines):
            parts.text(
                left + _BOX / 2, top + 3.0 + line * words.size * 1.1, text, words.size, anchor="middle", bold=True
            )
    rows = -(-len(names) // many)
    return y + rows * (_BOX_HIGH + _BETWEEN) + (2.5 if rows else 0)


def turn_row(parts: Parts, course: Sequence[Turn], x: float, y: float, width: float) -> float:
    """A box for each turn with its number and date, the seasons in bands above and the weather below. Returns where
    they end.
    """
    if not course:
        return y
    rows = ceil(len(course) / max((width + _BETWEEN) // (_TURN + _BETWEEN), 1))
    many = ceil(len(course) / rows)
    wide = min((width + _BETWEEN) / many - _BETWEEN, _WIDEST_TURN)
    above, below = (any(map(fact, course)) for fact in (_season, _weather))
    for first in range(0, len(course), many):
        row = course[first : first + many]
        if above:
            _bands(parts, map(_season, row), x, y, wide)
            y += _BAND
        for number, turn in enumerate(row):
            _turn(parts, turn, x + number * (wide + _BETWEEN), y, wide)
        y += _TURN_HIGH
        if below:
            _bands(parts, map(_weather, row), x, y, wide)
            y += _BAND
        y += _BETWEEN
    between = next((turn.interphase.text for turn in course if turn.interphase), "")
    if between:
        parts.shapes.append(Polyline(points=((x + 0.4, y + 0.4), (x + 0.4, y + 3.4)), stroke=SOFT_INK, width=_BAR))
        parts.text(x + 2.0, y + 2.8, f"{between} after the turn", _ABOUT * 0.75, fill=SOFT_INK)
        y += 4.0
    return y + 2.5


def _season(turn: Turn) -> str:
    return turn.season.in_words if turn.season else ""


def _weather(turn: Turn) -> str:
    return turn.weather.in_words if turn.weather else ""


def _turn(parts: Parts, turn: Turn, x: float, y: float, wide: float) -> None:
    """A box with the number of a turn and its date; a bar at its right if something follows it."""
    parts.shapes.append(_frame(x, y, wide, _TURN_HIGH))
    parts.text(x + 1.0, y + 4.2, str(turn.number), 4.0, bold=True)
    if turn.date:
        date = fit_lines(turn.date.in_words, 2.1, wide - 3.6, 7.5, least=1.4)
        for number, line in enumerate(reversed(date.lines)):
            parts.text(x + 1.0, y + _TURN_HIGH - 1.0 - number * date.size * 1.1, line, date.size, fill=SOFT_INK)
    if turn.interphase is not None:
        bar = x + wide - 0.9
        parts.shapes.append(Polyline(points=((bar, y + 1), (bar, y + _TURN_HIGH - 1)), stroke=SOFT_INK, width=_BAR))


def _bands(parts: Parts, texts: Iterable[str], x: float, y: float, wide: float) -> None:
    """A band over each run of turns of which the same is said, with the text in it. wide: a turn."""
    left = x
    for text, run in groupby(texts):
        across = len(list(run)) * (wide + _BETWEEN)
        if text:
            box = left, y + 0.35, across - _BETWEEN, _BAND - 0.7
            parts.shapes.append(inset(*box, 0.0, radius=0.8, fill=mix(GRID, PLAIN, 0.68)))
            words = fit(text[0].upper() + text[1:], 2.5, across - _BETWEEN - 1.6, least=1.5)
            parts.text(left + 1.0, base_line(y + _BAND / 2, words.size), words.lines[0], words.size)
        left += across


def _frame(x: float, y: float, width: float, height: float) -> Rectangle:
    return Rectangle(x=x, y=y, width=width, height=height, radius=0.8, fill=PLAIN, stroke=GRID, stroke_width=0.3)


# --- the whole --------------------------------------------------------------------------------------------------------

#: The room round the map, in units of the margin: to the frame, and from there to the edge.
_INNER, _OUTER = 2.5, 6.0
_GAP = 4.0
_NARROWEST = 110.0
#: The width and height from which on a map has larger letters below it.
_LARGE = 430.0, 330.0
#: A unit of the margin, at least, in those of a map that is seen at full size.
_READABLE = 1.7


class Wish(NamedTuple):
    """What is drawn of a board.

    names: whether anything is written on the map besides hex numbers; drawn: whether doubtful facts are shown as such;
    margin: whether the map has a title and a key; whole: whether boxes and turns stand below it.
    """

    names: bool = True
    drawn: bool = False
    margin: bool = True
    whole: bool = True


def poster(game: Game, board: Board, hexes: Sequence[str], wish: Wish, scale: Scale) -> Scene:
    """A board, or some of its hexes, in the units of pictures: a hex is `HEX` high. scale: at which it will be seen.

    Raises InputError for a colour of the game that is not #rrggbb.
    """
    bare = Layout(board, hexes)
    unit = max(min(bare.width / _LARGE[0], bare.height / _LARGE[1]), _READABLE * scale.letters)
    edge = (_INNER + _OUTER) * unit if wish.margin else 0.0
    width = max(bare.width + 2 * edge, _NARROWEST * unit if wish.margin else 0.0)
    left = (width - bare.width) / 2
    layout = Layout(board, hexes, (left, edge))
    survey = survey_of(layout, game, doubts=wish.drawn, scale=scale)
    height = edge + bare.height
    below: list[Layer] = []
    if wish.margin:
        box = left, edge, bare.width, bare.height
        frame: list[Shape] = [
            inset(*box, -_INNER * unit, stroke=SOFT_INK, stroke_width=0.9 * unit),
            inset(*box, -(_INNER - 1.2) * unit, stroke=SOFT_INK, stroke_width=0.25 * unit),
        ]
        layers, bottom = _below(game, survey, wish, width / unit, height / unit + _INNER + _GAP, HEX / unit)
        below = [Layer("frame", tuple(frame)), *(enlarge(layer, unit) for layer in layers)]
        height = bottom * unit
    drawn = map_layers(survey, (width, height), PAPER, MapWish(rims=False, names=wish.names))
    paper = Layer("paper", (Rectangle(x=0, y=0, width=width, height=height, fill=PAPER),))
    places = [f"{place.name} in {place.hex}" for place in board.places if layout.draws(place.hex)]
    described = ", ".join(places) if wish.names else ""
    return Scene(
        width=width, height=height, title=board.title, description=described, layers=(paper, *drawn.all, *below)
    )


def _below(game: Game, survey: Survey, wish: Wish, width: float, top: float, hex: float) -> tuple[list[Layer], float]:
    """What stands below a map, and where the picture ends, in units of the margin. width: of the picture; hex: the
    height of one.
    """
    board, hexes, room = survey.board, survey.layout.names, width - 2 * _OUTER
    parts = Parts()
    about = board.title if len(hexes) == len(board.hexes or hexes) else _part(board, hexes)
    known = [known_from(board), "What is only drawn from geography is dashed or fainter."]
    y = headline(parts, game.title, about, " ".join(filter(None, known[: 1 + wish.drawn])), _OUTER, top, room)
    y = scale_bar(parts, board, _OUTER, y, hex, room)
    compass(parts, width - _OUTER - COMPASS_ROOM / 2 + 1, top + COMPASS_ROOM / 2 - 1)
    legend = map_key(survey, (), room, towns=True)
    key = legend.layer(y, _OUTER)
    y += legend.height + _GAP
    if wish.whole:
        y = box_row(parts, board.boxes, _OUTER, y, room)
        y = turn_row(parts, turns(game), _OUTER, y, room)
    return [Layer("margin", tuple(parts.shapes)), key], y + _OUTER - _GAP


def _part(board: Board, hexes: Sequence[str]) -> str:
    at = [board.grid.parse(name) for name in hexes]
    columns, rows = [hex.column for hex in at], [hex.row for hex in at]
    return f"{board.title}: columns {min(columns)} to {max(columns)}, rows {min(rows)} to {max(rows)}"


# --- sheets of paper that are cut and joined --------------------------------------------------------------------------

OVERLAP = 10.0
"""How much two sheets have in common, in millimetres: the strip on which one is glued to the other."""
_MARK, _CLEAR = 5.0, 1.0
_NARROW = 100.0
"""A part of the picture that is less wide has its name to the right of its lower mark, where there is room."""


class Tiling(NamedTuple):
    """A picture on sheets of paper, all lengths in millimetres. step: from one sheet's left or upper edge to that of
    the next.
    """

    paper: Paper
    width: float
    height: float

    @property
    def room(self) -> tuple[float, float]:
        """What of the picture a sheet can show."""
        return self.paper.width - 2 * MARGIN, self.paper.height - 2 * MARGIN

    @property
    def across(self) -> int:
        """How many sheets stand side by side."""
        return _count(self.width, self.room[0])

    @property
    def down(self) -> int:
        """How many sheets stand one below another."""
        return _count(self.height, self.room[1])

    @property
    def sheets(self) -> int:
        """How many sheets there are."""
        return self.across * self.down

    @property
    def places(self) -> Iterator[tuple[int, int, float, float]]:
        """The row and the column of each sheet, and its left and upper edge in the picture."""
        wide, high = self.room
        for row, column in product(range(self.down), range(self.across)):
            yield row, column, column * (wide - OVERLAP), row * (high - OVERLAP)


def _count(length: float, room: float) -> int:
    return 1 if length <= room else 1 + ceil((length - room) / (room - OVERLAP) - 1e-9)


def tiling(paper: Paper, width: float, height: float) -> Tiling:
    """A picture of this size on a paper, upright or lying, whichever takes fewer sheets."""
    upright = Tiling(paper, width, height)
    lying = Tiling(Paper(paper.name, paper.height, paper.width), width, height)
    return min(upright, lying, key=lambda tiles: tiles.sheets)


def pages(scene: Scene, tiled: Tiling) -> Iterator[Page]:
    """The plan, then the sheets row by row; each shows its part of the scene, its name and its marks."""
    paper = tiled.paper
    if tiled.sheets > 1:
        plan, picture = _plan(scene, tiled)
        yield Page(paper.width, paper.height, (picture, _whole(plan, paper)))
    wide, high = tiled.room
    for row, column, left, top in tiled.places:
        seen = MARGIN, MARGIN, min(wide, tiled.width - left), min(high, tiled.height - top)
        placed = PlacedScene(scene, MARGIN - left, MARGIN - top, tiled.width, tiled.height, False, seen)
        around = _whole(_marks(scene.title, tiled, row, column, seen), paper)
        yield Page(paper.width, paper.height, (placed, around))


def _whole(scene: Scene, paper: Paper) -> PlacedScene:
    return PlacedScene(scene, 0, 0, paper.width, paper.height)


def name_of(row: int, column: int) -> str:
    """What a sheet is called: rows have letters, columns numbers."""
    return f"{row_name(row)}{column + 1}"


def _marks(title: str, tiled: Tiling, row: int, column: int, seen: tuple[float, float, float, float]) -> Scene:
    """Where a sheet is cut and glued: its left and upper edges are cut, its right and lower strips lie under the next
    sheets.
    """
    left, top, wide, high = seen
    right, bottom = left + wide, top + high
    cuts_across = [top, *([bottom - OVERLAP] if row + 1 < tiled.down else [bottom])]
    cuts_down = [left, *([right - OVERLAP] if column + 1 < tiled.across else [right])]
    shapes: list[Shape] = []
    for y in cuts_across:
        shapes += [hairline(left - _MARK, y, left - _CLEAR, y), hairline(right + _CLEAR, y, right + _MARK, y)]
    for x in cuts_down:
        shapes += [hairline(x, top - _MARK, x, top - _CLEAR), hairline(x, bottom + _CLEAR, x, bottom + _MARK)]
    notes = [f"{title}: sheet {name_of(row, column)} of {tiled.down} x {tiled.across}"]
    if column + 1 < tiled.across:
        notes.append(f"right of the tick, {name_of(row, column + 1)} is glued on it")
    if row + 1 < tiled.down:
        notes.append(f"below the tick, {name_of(row + 1, column)} is glued on it")
    beside = right + _MARK + _CLEAR if wide < _NARROW else left + _MARK + _CLEAR
    shapes.append(caption(beside, bottom + 4.0, "; ".join(notes), 2.6, room=tiled.paper.width - MARGIN - beside))
    return Scene(
        width=tiled.paper.width, height=tiled.paper.height, title=notes[0], layers=(Layer("marks", tuple(shapes)),)
    )


def _plan(scene: Scene, tiled: Tiling) -> tuple[Scene, PlacedScene]:
    """How the sheets are joined, with a net of them, and the whole picture in small below it."""
    paper = tiled.paper
    room = paper.width - 2 * MARGIN
    shapes: list[Shape] = [caption(MARGIN, MARGIN + 6, scene.title, 6.0, room=room, bold=True)]
    steps = (
        f"{tiled.sheets} sheets of {paper.name}; the map is {tiled.width / 10:.0f} by {tiled.height / 10:.0f} cm. "
        "Print at 100 % (no scaling).",
        "Cut each sheet along the ticks at its left and upper edge, leave the strips at its right and lower edge,",
        f"and glue it on the strips of its neighbours, {OVERLAP:g} mm wide, from the first row down.",
    )
    y = MARGIN + 12.0
    for step in steps:
        shapes.append(caption(MARGIN, y, step, 3.4, room=room))
        y += 5.0
    scale = min(room / tiled.width, (paper.height - y - MARGIN) / tiled.height)
    wide, high = tiled.room
    for row, column, left, top in tiled.places:
        right = tiled.width if column + 1 == tiled.across else left + wide - OVERLAP
        bottom = tiled.height if row + 1 == tiled.down else top + high - OVERLAP
        box = MARGIN + left * scale, y + top * scale, (right - left) * scale, (bottom - top) * scale
        shapes.append(inset(*box, 0.0, stroke=INK, stroke_width=HAIR * 3))
        size = min(9.0, box[2] * 0.4, box[3] * 0.6)
        middle = box[0] + box[2] / 2, box[1] + box[3] / 2 + size * 0.36
        name = caption(*middle, name_of(row, column), size, room=box[2], anchor="middle", bold=True)
        shapes.append(msgspec.structs.replace(name, halo=WHITE))
    picture = PlacedScene(scene, MARGIN, y, tiled.width * scale, tiled.height * scale)
    plan = Scene(width=paper.width, height=paper.height, title="plan", layers=(Layer("plan", tuple(shapes)),))
    return plan, picture


# --- files ------------------------------------------------------------------------------------------------------------

_FINE_PX, _FINE_MM = 26.0, 8.0
"""The height of a hex, in pixels or millimetres, below which lines are drawn wider."""
_READ_PX, _READ_MM = 56.0, 14.0
"""The height of a hex below which letters are drawn larger."""


def board_file(
    game: Game, board: Board, hexes: Sequence[str], wish: Wish, ending: str, height: float, paper: Paper | None
) -> tuple[bytes, str]:
    """A board, or some of its hexes, as the bytes of a file with this ending, and its size in words.

    height: of a hex, in pixels for a PNG, else in millimetres; paper: of the sheets on which a PDF is split.
    """
    fine, read = (_FINE_PX, _READ_PX) if ending == ".png" else (_FINE_MM, _READ_MM)
    scale = Scale(max(fine / height, 1.0), max(read / height, 1.0))
    scene = poster(game, board, hexes, wish, scale)
    return _png(scene, height) if ending == ".png" else _on_paper(scene, ending, height, paper)


def choose_board(game: Game, name: str) -> Board:
    """The board of this name, or the only or largest one of the game. Raises InputError for an unknown one, and if it
    has none.
    """
    names = game.board_names
    if name:
        if name not in names:
            raise InputError(f"unknown board {name!r}", where=Where("--board"), hint=suggested(name, names))
        return game.board(name)
    if not names:
        hint = "a board is a folder boards/NAME with board.toml: docs/game-files.md"
        raise InputError(f"{game.title} has no board that is drawn", hint=hint)
    return max(map(game.board, names), key=lambda board: len(board.hexes))


def _png(scene: Scene, px: float) -> tuple[bytes, str]:
    """A scene as a PNG with hexes of so many pixels, and its size in words. Raises InputError if it would be too large."""
    scale = px / HEX
    wide, high = round(scene.width * scale), round(scene.height * scale)
    if wide * high > Limit.PIXELS.most:
        what = f"a picture of {wide:,} by {high:,} pixels is too large"
        hint = f"fewer pixels per hex, an area, or an SVG; or raise the limit: {Limit.PIXELS.allowing(wide * high)}"
        raise InputError(what, where=Where("--px"), hint=hint)
    return to_png([scene], scale)[0], f"{wide:,} by {high:,} pixels"


def _on_paper(scene: Scene, ending: str, height: float, paper: Paper | None) -> tuple[bytes, str]:
    """A scene as SVG or PDF with hexes of a height in millimetres, on sheets if there is a paper, and its size in
    words.
    """
    scale = height / HEX
    wide, high = scene.width * scale, scene.height * scale
    size = f"{wide / 10:.0f} by {high / 10:.0f} cm"
    if ending == ".svg":
        return to_svg(scene, scale).encode(), size
    if paper is None:
        return pages_to_pdf([Page(wide, high, (PlacedScene(scene, 0, 0, wide, high),))], title=scene.title), size
    tiled = tiling(paper, wide, high)
    size += f" on {count_text(tiled.sheets, 'sheet')} of {paper.name}"
    return pages_to_pdf(list(pages(scene, tiled)), title=scene.title), size
