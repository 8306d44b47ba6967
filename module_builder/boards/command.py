"""The command `board`: a board as a file, SVG, PNG or PDF.

The file shows the whole board or an area, or is split over sheets of paper that are cut and joined. A board without
hexes is a display of places, boxes and turns, or a picture with the names of its places.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import ceil
from pathlib import Path
from typing import Annotated, NamedTuple

import click
import msgspec

from assistant.drawing.colours import INK, WHITE
from assistant.drawing.counters import centred_text
from assistant.drawing.geometry import PageBox
from assistant.drawing.hex_sets import board_hexes
from assistant.drawing.layout import Layout
from assistant.drawing.lettering import wrap
from assistant.drawing.map.own_art import whole_art
from assistant.drawing.map.survey import Scale
from assistant.drawing.pdf import Imprint, PdfPage, PlacedScene, pages_to_pdf
from assistant.drawing.png import to_png
from assistant.drawing.scene import Bitmap, Circle, Layer, Rectangle, Scene, Shape, enlarge, inset
from assistant.drawing.style import HEX_MM, PAPER, RADIUS, SOFT_INK, UNKNOWN_GROUND
from assistant.drawing.svg import to_svg
from assistant.faces.cli.group import GameCommand
from assistant.game.boards import Board
from assistant.game.boards.map_picture import PIXELS_PER_HEX
from assistant.game.games import Game
from assistant.game.hexes import Hex
from assistant.game.turn_record import turns
from assistant.installed.registry import named_game
from assistant.state.tracks import Value
from assistant.util.console import echo, format_count, show_working
from assistant.util.errors import InputError, Where, format_suggestion
from assistant.util.limits import Limit
from assistant.util.notes import note
from assistant.util.typesetting import sentence, with_spaces
from assistant.util.writing import check_free, write_whole

from ..imprint import imprint_of
from ..printing import PICTURES, Millimetres, check_ending, choose_press, cmyk, echo_differences, force, gather_options
from ..sheets.marks import MARK_WIDTH_MM, caption, hairline, row_name
from ..sheets.sizes import PAPER_MARGIN_MM, Paper, parse_paper
from .margin import READABLE_UNIT, MarginShapes, add_boxes, add_headline, add_turns, format_sources
from .poster import PosterWish, key_sheet, poster_scene

_WIDTH = 262.0
"""The width of a display, in units of the margin."""
_EDGE_GAP = 8.0
"""The free space around a display, in units of the margin."""
_BOX_HEIGHT = 25.0
"""The height of a box with room for a counter below its name, in units."""
_LETTER_SIZE = 2.8
"""The size of letters, in units."""
_PITCH = 3.9
"""The pitch of lines, in units."""
_MIN_COLUMN_WIDTH = 74.0
"""The minimum width of a column of places, in units."""
_COLUMN_GAP = 8.0
"""The space between two columns, in units."""
_HEADING_SIZE = 4.0
"""The size of a heading, in units."""
_NOT_DRAWN = (
    "Not a map: none is drawn, and nothing is made up. These are the places that rules name, the boxes and the turns."
)
_NAME_SIZE = HEX_MM / 5
"""The size of the names on a picture, in its units."""
_DOT_RADIUS = HEX_MM / 16


def _display_scene(game: Game, board: Board, scale: Scale) -> Scene:
    """Return a display of a board without a map, in the units of pictures.

    `scale`: the scale at which it is seen.
    """
    parts, room = MarginShapes(), _WIDTH - 2 * _EDGE_GAP
    known = [_NOT_DRAWN, *filter(None, [format_sources(board)])]
    y = add_headline(parts, game.title, sentence(board.title), known, _EDGE_GAP, _EDGE_GAP, room)
    if board.boxes:
        y = add_boxes(parts, board.boxes, _EDGE_GAP, y, room, box_height=_BOX_HEIGHT)
    y = _add_places(parts, [*_named_places(game, board)], y, room)
    y = add_turns(parts, turns(game), _EDGE_GAP, y, room)
    unit, height = READABLE_UNIT * scale.letters, y + _EDGE_GAP
    paper = Rectangle(x=0, y=0, width=_WIDTH * unit, height=height * unit, fill=PAPER)
    drawn = enlarge(Layer("display", tuple(parts.shapes)), unit)
    layers = (Layer("paper", (paper,)), drawn)
    return Scene(width=_WIDTH * unit, height=height * unit, title=board.title, layers=layers)


def _format_display(game: Game, board: Board) -> str:
    """Return the contents of a display in words."""
    places = sum(len(names.split(", ")) for names, _ in _named_places(game, board))
    counts = (len(board.boxes), "box", "boxes"), (places, "place", "places"), (len(turns(game)), "turn", "turns")
    counted = [format_count(*count) for count in counts if count[0]]
    return ", ".join(counted) or "nothing"


def _named_places(game: Game, board: Board) -> Iterator[tuple[str, str]]:
    """Yield the hexes that rules name, with their names and facts. Nameless hexes with the same facts are joined."""
    names = {place.hex: place.name for place in board.places}
    facts: dict[str, list[str]] = {hex: [] for hex in sorted(names)}
    for (track, subject), fact in sorted(board.facts.items(), key=lambda item: item[0][::-1]):
        if game.tracks[track].on == "hex":
            facts.setdefault(subject, []).append(_format_fact(game, track, fact.value))
    alike: dict[str, list[str]] = {}
    for hex, words in facts.items():
        if hex in names:
            yield f"{hex} {names[hex]}", ", ".join(words)
        else:
            alike.setdefault(", ".join(words), []).append(hex)
    yield from ((", ".join(hexes), words) for words, hexes in alike.items())


def _format_fact(game: Game, track: str, value: Value) -> str:
    declared = game.tracks[track]
    if value is True:
        return declared.title
    values = value if isinstance(value, tuple) else (value,)
    titles = ((str(one), game.file.title_of(str(one))) for one in values)
    return f"{declared.title}: {', '.join(title if title != word else with_spaces(word) for word, title in titles)}"


def _add_places(parts: MarginShapes, places: Sequence[tuple[str, str]], y: float, room: float) -> float:
    """Add places in columns of about the same height, and return their lower end."""
    if not places:
        return y
    parts.text(_EDGE_GAP, y + _HEADING_SIZE, "Places by their numbers", _HEADING_SIZE, bold=True)
    y += _HEADING_SIZE + 2.0
    columns = max(int((room + _COLUMN_GAP) // (_MIN_COLUMN_WIDTH + _COLUMN_GAP)), 1)
    width = (room + _COLUMN_GAP) / columns - _COLUMN_GAP
    entries = [[*_list_lines(name, words, width)] for name, words in places]
    deep = max(-(-sum(map(len, entries)) // columns), max(map(len, entries)))
    column = row = lowest = 0
    for entry in entries:
        if row and row + len(entry) > deep and column + 1 < columns:
            column, row = column + 1, 0
        for line, first in entry:
            row += 1
            x = _EDGE_GAP + column * (width + _COLUMN_GAP)
            parts.text(x, y + row * _PITCH, line, _LETTER_SIZE, bold=first, fill=INK if first else SOFT_INK)
        lowest = max(lowest, row)
    return y + lowest * _PITCH + 5.0


def _list_lines(name: str, words: str, width: float) -> Iterator[tuple[str, bool]]:
    """Yield the lines of a place: its number and name, then its facts. Each has a flag that is true for the first."""
    yield from ((line, True) for line in wrap(name, _LETTER_SIZE, width, bold=True, broken=True))
    yield from ((line, False) for line in wrap(sentence(words), _LETTER_SIZE, width, broken=True) if line)


def _is_area_map(board: Board) -> bool:
    """Return whether a board is a picture without hexes."""
    return board.picture is not None and board.picture.first is None


def _area_scene(game: Game, board: Board, *, names: bool) -> Scene:
    """Return the picture of a board in the units of pictures, with the names of its places if these are wanted.

    Raises InputError with the file if the picture is missing or cannot be read.
    """
    assert board.picture is not None
    whole, unit = whole_art(game.folder, board.name, board.picture), HEX_MM / PIXELS_PER_HEX
    width, height = whole.width * unit, whole.height * unit
    picture: Bitmap = msgspec.structs.replace(whole, width=width, height=height)
    marks: list[Shape] = []
    for name, (x, y) in board.picture.places.items() if names else ():
        marks.append(Circle(x=x * unit, y=y * unit, radius=_DOT_RADIUS, fill=INK, stroke=UNKNOWN_GROUND))
        below = centred_text(name, x * unit, y * unit + _DOT_RADIUS + _NAME_SIZE, _NAME_SIZE, INK)
        marks.append(msgspec.structs.replace(below, halo=UNKNOWN_GROUND))
    layers = Layer("own-art", (picture,)), Layer("places", tuple(marks))
    described = ", ".join(board.picture.places)
    return Scene(width=width, height=height, title=board.title, description=described, layers=layers)


_WHERE = Where("--area")
_MIN_FINE_HEX_PX = 26.0
"""The height of a hex in pixels below which lines are drawn wider."""
_MIN_FINE_HEX_MM = 8.0
"""The height of a hex on paper below which lines are drawn wider."""
_MIN_READABLE_HEX_PX = 56.0
"""The height of a hex in pixels below which letters are drawn larger."""
_MIN_READABLE_HEX_MM = 16.0
"""The height of a hex on paper below which letters are drawn larger."""
OVERLAP_MM = 10.0
"""Width of the strip by which sheets overlap for gluing."""
MIN_OVERLAP_MM = 8.0
"""Minimum width of the strip by which sheets overlap, used if it saves a row or column of sheets."""
_MARK_END_DISTANCE_MM = 5.0
"""The distance from a part to the outer ends of its marks."""
_MARK_GAP_MM = 1.0
"""The space between a part and its marks."""
_STEPS_HEIGHT_MM = 27.0
"""The height of the plan's title and instructions."""
_MAX_KEY_SHARE = 0.72
"""The share of the plan's sheet that the key may take."""
_MIN_WIDTH_FOR_NAME_MM = 100.0
"""The width below which a part has its name to the right of its lower mark, where there is room."""
_PART_GAP_MM = 16.0
"""The space between two parts on one sheet, with marks and the name of the upper part."""


def parse_area(board: Board, area: str) -> Sequence[str]:
    """Return the hexes between two corners, `40.15-55.35`, or all hexes of the board for "".

    Raises InputError if the text has another form, a corner is not a hex of the grid, or nothing of the map lies there.
    """
    if _is_area_map(board):
        if area:
            raise InputError(f"{board.name} has no hexes, and so no areas", where=_WHERE, hint="leave out --area")
        return ()
    if not area:
        return board_hexes(board)
    if not board.is_map:
        raise InputError(f"no map of {board.name} is drawn: it has no areas", where=_WHERE, hint="leave out --area")
    one, other = _parse_corners(board, area)
    (first, last), (top, bottom) = sorted((one[0], other[0])), sorted((one[1], other[1]))
    hexes: list[str] = []
    for name in board_hexes(board):
        at = board.grid.parse(name)
        if first <= at.column <= last and top <= at.row <= bottom:
            hexes.append(name)
    if not hexes:
        raise InputError(f"nothing of the board {board.name} lies in {area}", where=_WHERE)
    return hexes


def _parse_corners(board: Board, area: str) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return both corners, whichever dash parts them: hex numbers may hold a dash too."""
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


def _board_file(
    game: Game,
    board: Board,
    hexes: Sequence[str],
    wish: PosterWish,
    ending: str,
    height: float,
    paper: Paper | None,
    imprint: Imprint = Imprint(),
) -> tuple[bytes, str]:
    """Return a board, or some of its hexes, as the bytes of a file, and its size in words.

    A picture without hexes has the names of its places. A board that is not a map is a display.

    `ending`: the suffix of the file.
    `height`: the height of a hex, in pixels for a PNG, else in millimetres.
    `paper`: the paper of the sheets over which a PDF is split, or None.
    """
    scale, title = scale_for(height, ending), f"{game.title}: {board.title}"
    if _is_area_map(board):
        shown = _area_scene(game, board, names=wish.names)
        return _write_display(shown, ending, height, title, paper, imprint)
    if not board.is_map:
        return _write_display(_display_scene(game, board, scale), ending, height, title, paper, imprint)
    if paper is not None and ending == ".pdf":
        made, size = _split_board(game, board, hexes, wish, scale, height, paper)
        return pages_to_pdf(made, title=title, imprint=imprint), size
    scene = poster_scene(game, board, hexes, wish, scale)
    return _write_png(scene, height) if ending == ".png" else _write_paper_file(scene, ending, height, title, imprint)


def scale_for(height: float, ending: str) -> Scale:
    """Return the scale of a map. `height`: the height of a hex, in pixels for a PNG, else in millimetres."""
    fine, read = (
        (_MIN_FINE_HEX_PX, _MIN_READABLE_HEX_PX) if ending == ".png" else (_MIN_FINE_HEX_MM, _MIN_READABLE_HEX_MM)
    )
    return Scale(max(fine / height, 1.0), max(read / height, 1.0))


def choose_board(game: Game, name: str) -> Board:
    """Return the board with a name, or by default the only or largest map, or board if there is no map.

    Raises InputError if the board is unknown, or the game has none.
    """
    names = game.board_names
    if name:
        if name not in names:
            raise InputError(f"unknown board {name!r}", where=Where("--board"), hint=format_suggestion(name, names))
        return game.board(name)
    if not names:
        hint = 'a board is a folder boards/NAME with board.toml: see "The files of a game" in the handbook'
        raise InputError(f"{game.title} has no board that is drawn", hint=hint)
    return max(map(game.board, names), key=lambda board: (board.is_map, len(board.hexes or board_hexes(board))))


def _write_png(scene: Scene, px: float) -> tuple[bytes, str]:
    """Return a scene as a PNG, and its size in words. Raises InputError if it would be too large.

    `px`: the height of a hex, in pixels.
    """
    scale = px / HEX_MM
    width, height = round(scene.width * scale), round(scene.height * scale)
    if width * height > Limit.PIXELS.most:
        what = f"a picture of {width:,} by {height:,} pixels is too large"
        hint = f"fewer pixels per hex, an area, or an SVG; or raise the limit: {Limit.PIXELS.allowing(width * height)}"
        raise InputError(what, where=Where("--px"), hint=hint)
    return to_png([scene], scale)[0], f"{width:,} by {height:,} pixels"


def _write_paper_file(scene: Scene, ending: str, height: float, title: str, imprint: Imprint) -> tuple[bytes, str]:
    """Return a scene as SVG or PDF, and its size in words.

    `height`: the height of a hex, in millimetres.
    """
    scale = height / HEX_MM
    width_on_paper, height_on_paper = scene.width * scale, scene.height * scale
    size = _format_size(width_on_paper, height_on_paper)
    if ending == ".svg":
        return to_svg(scene, scale).encode(), size
    page = PdfPage(width_on_paper, height_on_paper, (PlacedScene(scene, 0, 0, width_on_paper, height_on_paper),))
    return pages_to_pdf([page], title=title, imprint=imprint), size


def _write_display(
    scene: Scene, ending: str, height: float, title: str, paper: Paper | None, imprint: Imprint
) -> tuple[bytes, str]:
    if ending == ".png":
        return _write_png(scene, height)
    if paper is None or ending != ".pdf":
        return _write_paper_file(scene, ending, height, title, imprint)
    size = height / HEX_MM
    tiled = choose_tiling(paper, scene.width * size, scene.height * size)
    made = list(list_pages(scene, tiled))
    words = f"{_format_size(tiled.width, tiled.height)} on {format_count(tiled.sheets, 'sheet')} of {paper.name}"
    return pages_to_pdf(made, title=title, imprint=imprint), words


def _split_board(
    game: Game, board: Board, hexes: Sequence[str], wish: PosterWish, scale: Scale, height: float, paper: Paper
) -> tuple[list[PdfPage], str]:
    """Return a board on sheets of paper, and its size in words.

    It is on one sheet with its key if that fits. Otherwise the sheets have only the map, and the key is on the sheet of
    the plan: no sheet is spent on a margin, and no join cuts the key.
    """
    size = height / HEX_MM
    whole = poster_scene(game, board, hexes, wish._replace(apart=True), scale)
    tiled = choose_tiling(paper, whole.width * size, whole.height * size, _find_boxes(board, hexes, whole, size))
    if wish.margin and tiled.sheets == 1:
        with_key = poster_scene(game, board, hexes, wish, scale)
        joined = choose_tiling(paper, with_key.width * size, with_key.height * size)
        if joined.sheets == 1:
            whole, tiled, wish = with_key, joined, wish._replace(margin=False)
    room = tiled.paper.width - 2 * PAPER_MARGIN_MM
    key = None
    if wish.margin:
        key = key_sheet(game, board, hexes, wish, scale, beside_plan(tiled), size)
        if not fits_beside(tiled, key):
            key = key_sheet(game, board, hexes, wish, scale, room, size)
    made = list(list_pages(whole, tiled, key))
    many = format_count(max(len(made) - 1, 1), "sheet") if tiled.sheets > 1 else format_count(len(made), "sheet")
    return made, f"{_format_size(tiled.width, tiled.height)} on {many} of {paper.name}"


def _find_boxes(board: Board, hexes: Sequence[str], whole: Scene, size: float) -> list[PageBox]:
    """Return the box of each hex on a map with only a frame around it, in millimetres.

    `size`: the length of a unit of pictures.
    """
    layout = Layout(board, hexes)
    right, down = (whole.width - layout.width) / 2, (whole.height - layout.height) / 2
    across, along = (RADIUS, HEX_MM / 2) if layout.flat else (HEX_MM / 2, RADIUS)
    boxes = []
    for x, y in map(layout.centre, hexes):
        x, y = x + right, y + down
        box = PageBox((x - across) * size, (y - along) * size, (x + across) * size, (y + along) * size)
        boxes.append(box)
    return boxes


def _format_size(width: float, height: float) -> str:
    return f"{width / 10:.0f} by {height / 10:.0f} cm"


class _PicturePart(NamedTuple):
    """A part of a picture, in millimetres: its place in the picture, and its upper edge on the sheet."""

    row: int
    column: int
    left: float
    top: float
    width: float
    height: float
    at: float


class _Tiling(NamedTuple):
    """A picture in parts on sheets of paper, all lengths in millimetres."""

    paper: Paper
    width: float
    height: float
    bare: frozenset[tuple[int, int]] = frozenset()
    """The row and column of each part that is left out because it shows nothing."""

    @property
    def room(self) -> tuple[float, float]:
        return self.paper.width - 2 * PAPER_MARGIN_MM, self.paper.height - 2 * PAPER_MARGIN_MM

    @property
    def across(self) -> int:
        return _count_parts(self.width, self.room[0])

    @property
    def down(self) -> int:
        return _count_parts(self.height, self.room[1])

    @property
    def sheets(self) -> int:
        return sum(1 for _ in self.on_sheets)

    @property
    def parts(self) -> int:
        """The number of parts; several may be on one sheet."""
        return self.across * self.down - len(self.bare)

    @property
    def _count_stacked(self) -> int:
        """The number of parts of the last of several rows that fit one sheet, one below another."""
        if self.down == 1:
            return 1
        (_, height), (_, below) = self.room, self.overlaps
        last = self.height - (self.down - 1) * (height - below)
        # At least 1: because of rounding, a part may seem slightly higher than a sheet.
        return max(1, int((height + _PART_GAP_MM) // (last + _PART_GAP_MM)))

    @property
    def overlaps(self) -> tuple[float, float]:
        """The overlap of two parts side by side, and of two one below another."""
        width, height = self.room
        return _find_overlap(self.width, width, self.across), _find_overlap(self.height, height, self.down)

    @property
    def on_sheets(self) -> Iterator[list[_PicturePart]]:
        """The parts on each sheet, row by row. Low parts of the last row are stacked, to save sheets."""
        (room_width, room_height), (beside, below) = self.room, self.overlaps
        for row in range(self.down):
            each = self._count_stacked if row + 1 == self.down else 1
            top = row * (room_height - below)
            height = min(room_height, self.height - top)
            columns = [column for column in range(self.across) if (row, column) not in self.bare]
            for first in range(0, len(columns), each):
                parts: list[_PicturePart] = []
                for number, column in enumerate(columns[first : first + each]):
                    left = column * (room_width - beside)
                    width, y = min(room_width, self.width - left), PAPER_MARGIN_MM + number * (height + _PART_GAP_MM)
                    parts.append(_PicturePart(row, column, left, top, width, height, y))
                yield parts


def _count_parts(length: float, room: float) -> int:
    return 1 if length <= room else 1 + ceil((length - room) / (room - MIN_OVERLAP_MM) - 1e-9)


def _find_overlap(length: float, room: float, many: int) -> float:
    """Return the overlap of the sheets in a row: the wanted one, or the largest that they can spare."""
    return min(OVERLAP_MM, (many * room - length) / (many - 1)) if many > 1 else OVERLAP_MM


def choose_tiling(paper: Paper, width: float, height: float, boxes: Sequence[PageBox] = ()) -> _Tiling:
    """Return a picture of a size on a paper, upright or lying, whichever takes fewer sheets, or else fewer parts.

    `boxes`: the parts of the picture that show something, by default all.
    """
    upright = _Tiling(paper, width, height)
    lying = _Tiling(Paper(paper.name, paper.height, paper.width), width, height)
    both = [tiled._replace(bare=_find_bare(tiled, boxes)) for tiled in (upright, lying)]
    return min(both, key=lambda tiles: (tiles.sheets, tiles.parts))


def _find_bare(tiled: _Tiling, boxes: Sequence[PageBox]) -> frozenset[tuple[int, int]]:
    """Return the parts that touch no box, or none if there are no boxes."""
    left = set(product(range(tiled.down), range(tiled.across))) if boxes else set[tuple[int, int]]()
    (width, height), (beside, below) = tiled.room, tiled.overlaps
    for box in boxes:
        rows = _find_touched(box.top, box.bottom, height, height - below, tiled.down)
        left.difference_update(product(rows, _find_touched(box.left, box.right, width, width - beside, tiled.across)))
    return frozenset(left)


def _find_touched(first: float, last: float, room: float, step: float, many: int) -> range:
    """Return the parts of a row that touch a stretch.

    `room`: the length of a part.
    `step`: the distance between two parts.
    `many`: the number of parts.
    """
    return range(max(ceil((first - room) / step), 0), min(int(last / step), many - 1) + 1)


def list_pages(scene: Scene, tiled: _Tiling, key: Scene | None = None) -> Iterator[PdfPage]:
    """Yield the plan, then the sheets row by row, each with its parts, their names and their marks.

    `key`: a scene in millimetres for the plan's sheet: at its right, below it, or on a separate sheet if it is too high.
    """
    paper = tiled.paper
    right = key is not None and fits_beside(tiled, key)
    beside = key is not None and (right or key.height <= _MAX_KEY_SHARE * (paper.height - 2 * PAPER_MARGIN_MM))
    if tiled.sheets > 1:
        foot = key.height if key is not None and beside and not right else 0.0
        plan, picture = _draw_plan(
            scene, tiled, foot, beside_plan(tiled) if right else paper.width - 2 * PAPER_MARGIN_MM
        )
        below = (
            () if key is None or not beside else (_place_at_right(key, paper) if right else _place_at_foot(key, paper),)
        )
        yield PdfPage(paper.width, paper.height, (picture, _place_whole(plan, paper), *below))
    for parts in tiled.on_sheets:
        placed = []
        for part in parts:
            seen = PAPER_MARGIN_MM, part.at, part.width, part.height
            place = PAPER_MARGIN_MM - part.left, part.at - part.top
            placed.append(PlacedScene(scene, *place, tiled.width, tiled.height, False, seen))
            placed.append(_place_whole(_draw_marks(scene.title, tiled, part.row, part.column, seen), paper))
        yield PdfPage(paper.width, paper.height, tuple(placed))
    if key is not None and not (beside and tiled.sheets > 1):
        yield PdfPage(paper.width, paper.height, (_place_at_foot(key, paper),))


def beside_plan(tiled: _Tiling) -> float:
    """Return the width of a key beside the plan, and of the plan too."""
    return (tiled.paper.width - 3 * PAPER_MARGIN_MM) / 2


def fits_beside(tiled: _Tiling, key: Scene) -> bool:
    """Return whether a key fits on the right of the plan, on paper that lies."""
    paper = tiled.paper
    room = paper.height - 2 * PAPER_MARGIN_MM - _STEPS_HEIGHT_MM
    return (
        paper.width > paper.height
        and tiled.sheets > 1
        and key.width <= beside_plan(tiled) + 0.01
        and key.height <= room
    )


def _place_at_right(key: Scene, paper: Paper) -> PlacedScene:
    return PlacedScene(
        key, paper.width - PAPER_MARGIN_MM - key.width, PAPER_MARGIN_MM + _STEPS_HEIGHT_MM, key.width, key.height
    )


def _place_at_foot(key: Scene, paper: Paper) -> PlacedScene:
    share = min(1.0, (paper.height - 2 * PAPER_MARGIN_MM) / key.height)
    height = key.height * share
    return PlacedScene(key, PAPER_MARGIN_MM, paper.height - PAPER_MARGIN_MM - height, key.width * share, height)


def _place_whole(scene: Scene, paper: Paper) -> PlacedScene:
    return PlacedScene(scene, 0, 0, paper.width, paper.height)


def sheet_name(row: int, column: int) -> str:
    """Return the name of a sheet: a letter for the row, a number for the column."""
    return f"{row_name(row)}{column + 1}"


def _draw_marks(title: str, tiled: _Tiling, row: int, column: int, seen: tuple[float, float, float, float]) -> Scene:
    """Return the marks for cutting and gluing a part.

    The left and upper edges are cut; the right and lower strips lie under the next parts.
    """
    left, top, width, height = seen
    right, bottom = left + width, top + height
    strip_right, strip_below = tiled.overlaps
    last_across = bottom - strip_below if row + 1 < tiled.down else bottom
    last_down = right - strip_right if column + 1 < tiled.across else right
    shapes: list[Shape] = []
    for y in (top, last_across):
        shapes += [
            hairline(left - _MARK_END_DISTANCE_MM, y, left - _MARK_GAP_MM, y),
            hairline(right + _MARK_GAP_MM, y, right + _MARK_END_DISTANCE_MM, y),
        ]
    for x in (left, last_down):
        shapes += [
            hairline(x, top - _MARK_END_DISTANCE_MM, x, top - _MARK_GAP_MM),
            hairline(x, bottom + _MARK_GAP_MM, x, bottom + _MARK_END_DISTANCE_MM),
        ]
    notes = [f"{title}: sheet {sheet_name(row, column)} of {tiled.down} x {tiled.across}"]
    if column + 1 < tiled.across:
        notes.append(f"right of the tick, {sheet_name(row, column + 1)} is glued on it")
    if row + 1 < tiled.down:
        notes.append(f"below the tick, {sheet_name(row + 1, column)} is glued on it")
    beside, end = left + _MARK_END_DISTANCE_MM + _MARK_GAP_MM, last_down - _MARK_GAP_MM
    if width < _MIN_WIDTH_FOR_NAME_MM:
        beside, end = right + _MARK_END_DISTANCE_MM + _MARK_GAP_MM, tiled.paper.width - PAPER_MARGIN_MM
    shapes.append(caption(beside, bottom + 4.0, "; ".join(notes), 2.6, room=end - beside))
    return Scene(
        width=tiled.paper.width, height=tiled.paper.height, title=notes[0], layers=(Layer("marks", tuple(shapes)),)
    )


def _format_strips(tiled: _Tiling) -> str:
    """Return the width of the strips in words, across and down if these differ."""
    beside, below = map(_format_length, tiled.overlaps)
    if beside == below or tiled.down == 1:
        return beside
    return below if tiled.across == 1 else f"{beside} and {below}"


def _format_length(length: float) -> str:
    return f"{length:.1f}".removesuffix(".0")


def _draw_plan(scene: Scene, tiled: _Tiling, foot: float, across: float) -> tuple[Scene, PlacedScene]:
    """Return the plan: instructions for joining the sheets, a net of them, and the whole picture in small.

    `foot`: the height to leave free below.
    `across`: the maximum width.
    """
    paper = tiled.paper
    room = paper.width - 2 * PAPER_MARGIN_MM
    shapes: list[Shape] = [caption(PAPER_MARGIN_MM, PAPER_MARGIN_MM + 6, scene.title, 6.0, room=room, bold=True)]
    each = "sheet" if tiled.parts == tiled.sheets else "part"
    parts = "" if tiled.parts == tiled.sheets else f"{tiled.parts} parts on "
    steps = (
        f"{parts}{tiled.sheets} sheets of {paper.name}; the map is {tiled.width / 10:.0f} by {tiled.height / 10:.0f} cm. "
        "Print at 100 % (no scaling).",
        f"Cut each {each} along the ticks at its left and upper edge, leave the strips at its right and lower edge,",
        f"and glue it on the strips of its neighbours, {_format_strips(tiled)} mm wide, from the first row down.",
    )
    y = PAPER_MARGIN_MM + _STEPS_HEIGHT_MM - 15.0
    for step in steps:
        shapes.append(caption(PAPER_MARGIN_MM, y, step, 3.4, room=room))
        y += 5.0
    scale = min(across / tiled.width, (paper.height - y - PAPER_MARGIN_MM - foot) / tiled.height)
    for part in (part for parts_on in tiled.on_sheets for part in parts_on):
        width = part.width - (tiled.overlaps[0] if part.column + 1 < tiled.across else 0.0)
        height = part.height - (tiled.overlaps[1] if part.row + 1 < tiled.down else 0.0)
        box = PAPER_MARGIN_MM + part.left * scale, y + part.top * scale, width * scale, height * scale
        shapes.append(inset(box, 0.0, stroke=INK, stroke_width=MARK_WIDTH_MM * 3))
        size = min(9.0, box[2] * 0.4, box[3] * 0.6)
        middle = box[0] + box[2] / 2, box[1] + box[3] / 2 + size * 0.36
        name = caption(*middle, sheet_name(part.row, part.column), size, room=box[2], anchor="middle", bold=True)
        shapes.append(msgspec.structs.replace(name, halo=WHITE))
    picture = PlacedScene(scene, PAPER_MARGIN_MM, y, tiled.width * scale, tiled.height * scale)
    plan = Scene(width=paper.width, height=paper.height, title="plan", layers=(Layer("plan", tuple(shapes)),))
    return plan, picture


_HEX_HEIGHT_PX = 60
_HEX_HEIGHT_MM = 18.0


class BoardPlan(NamedTuple):
    """The options of `board`."""

    name: Annotated[str, note("name of the board, empty for the only or largest one")]
    out: Path | None
    area: Annotated[str, note("two corners, empty for all")]
    height: Annotated[float | None, note("height of a hex on paper, in millimetres")]
    px: Annotated[int | None, note("height of a hex of a PNG, in pixels")]
    no_labels: bool
    no_margin: bool
    drawn: Annotated[bool, note("whether it shows what is only drawn from geography")]
    sheets: Annotated[bool, note("whether it is split over sheets of paper")]
    paper: str | None
    cmyk: bool
    profile: Path | None
    force: bool


@click.command("board", cls=GameCommand)
@click.argument("game")
@click.option(
    "--board", "name", default="", metavar="NAME", help="Which of its boards. By default the only or largest one."
)
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, readable=False),
    help="The file to write: NAME.svg, .pdf or .png. By default GAME-board.pdf.",
)
@click.option("--area", default="", metavar="HEX-HEX", help="Only the hexes between two corners, such as 40.15-55.35.")
@click.option("--hex", "height", type=Millimetres(2, 60), help="Height of a hex on paper in mm. By default 18.")
@click.option("--px", type=click.IntRange(8, 400), help="Height of a hex in pixels, for a PNG. By default 60.")
@click.option("--no-labels", is_flag=True, help="Without names, as a silent map.")
@click.option("--no-margin", is_flag=True, help="Only the map, without title, key and turns.")
@click.option("--drawn", is_flag=True, help="Show what is only drawn from geography dashed or fainter.")
@click.option("--sheets", is_flag=True, help="Split a PDF over sheets of paper, with overlap and cutting marks.")
@click.option("--paper", metavar="NAME", help="Of the sheets: a4 (the default), a3 or letter.")
@cmyk
@force
@gather_options(BoardPlan)
def board(game: str, plan: BoardPlan) -> None:
    """Draw a board of a GAME as a map: SVG with named layers, PDF or PNG, whole or an area. The handbook: "Boards"."""
    loaded = named_game(game)
    target = plan.out or Path(f"{loaded.id}-board.pdf")
    ending = target.suffix.lower()
    check_ending(target, PICTURES, "a picture")
    _check_options(ending, plan)
    press = choose_press(target, cmyk=plan.cmyk, profile=plan.profile)
    chosen_paper = parse_paper(plan.paper or "a4") if plan.sheets else None
    check_free(target, force=plan.force)
    shown = choose_board(loaded, plan.name)
    hexes = parse_area(shown, plan.area)
    if not shown.is_map:
        _check_display({"--no-labels": plan.no_labels, "--no-margin": plan.no_margin, "--drawn": plan.drawn})
    wish = PosterWish(names=not plan.no_labels, drawn=plan.drawn, margin=not plan.no_margin, whole=not plan.area)
    tall = plan.px or _HEX_HEIGHT_PX if ending == ".png" else plan.height or _HEX_HEIGHT_MM
    imprint = imprint_of(loaded, press=press)
    with show_working(f"drawing {target}"):
        data, size = _board_file(loaded, shown, hexes, wish, ending, tall, chosen_paper, imprint)
    write_whole(target, data, force=plan.force)
    if shown.picture is not None and _is_area_map(shown):
        content = f"{format_count(len(shown.picture.places), 'place')} of"
    else:
        content = f"{format_count(len(hexes), 'hex', 'hexes') if shown.is_map else _format_display(loaded, shown)} of"
    echo(f"{target}: {content} {shown.title}, {size}{'' if shown.is_map else '; no map of it is drawn'}")
    echo_differences(press)


def _check_display(chosen: Mapping[str, bool]) -> None:
    for option in (option for option, is_chosen in chosen.items() if is_chosen):
        raise InputError("no map of this board is drawn", where=Where(option), hint=f"leave out {option}")


def _check_options(ending: str, plan: BoardPlan) -> None:
    if plan.sheets and ending != ".pdf":
        raise InputError("sheets of paper are pages of a PDF", where=Where("--sheets"), hint="name a file NAME.pdf")
    if plan.paper is not None and not plan.sheets:
        raise InputError("only sheets have a paper size", where=Where("--paper"), hint="add --sheets")
    if plan.px is not None and ending != ".png":
        hint = "--hex gives the height in millimetres; or name a file NAME.png"
        raise InputError("only a PNG has pixels", where=Where("--px"), hint=hint)
    if plan.height is not None and ending == ".png":
        hint = "--px gives the height in pixels; or name a file NAME.pdf or NAME.svg"
        raise InputError("a PNG is not on paper", where=Where("--hex"), hint=hint)
