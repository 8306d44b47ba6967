"""What is asked for of a board, and the file that shows it."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.drawing.geometry import PageBox
from assistant.drawing.hex_sets import board_hexes
from assistant.drawing.layout import Layout
from assistant.drawing.map.survey import Scale
from assistant.drawing.pdf import Imprint, PdfPage, PlacedScene, pages_to_pdf
from assistant.drawing.png import to_png
from assistant.drawing.scene import Scene
from assistant.drawing.style import HEX, RADIUS
from assistant.drawing.svg import to_svg
from assistant.game.boards import Board
from assistant.game.games import Game
from assistant.game.hexes import Hex
from assistant.util.console import format_count
from assistant.util.errors import InputError, Where, format_suggestion
from assistant.util.limits import Limit

from ..sheets.sizes import MARGIN, Paper
from .area_map import area_scene, is_area_map
from .display import display_scene
from .poster import PosterWish, key_sheet, poster_scene
from .tiles import beside_plan, choose_tiling, fits_beside, list_pages

_WHERE = Where("--area")
_FINE_PX = 26.0  # pixels, the height of a hex below which lines are drawn wider
_FINE_MM = 8.0  # mm, the same on paper
_READ_PX = 56.0  # pixels, the height of a hex below which letters are drawn larger
_READ_MM = 16.0  # mm, the same on paper


def parse_area(board: Board, area: str) -> Sequence[str]:
    """Return the hexes of an area, given by two of its corners as `40.15-55.35`; all hexes of the board for "".

    Raises InputError for another text, for corners that are not hexes of the map's grid, and if nothing of the map lies
    there.
    """
    if is_area_map(board):
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
    """Return both corners, wherever the dash between them stands: hex numbers may hold one too."""
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


def board_file(
    game: Game,
    board: Board,
    hexes: Sequence[str],
    wish: PosterWish,
    ending: str,
    height: float,
    paper: Paper | None,
    imprint: Imprint = Imprint(),
) -> tuple[bytes, str]:
    """Return a board, or some of its hexes, as the bytes of a file with this ending, and its size in words. A picture
    without hexes has the names of its places; one that is not a map is a display of what there is.

    height: of a hex, in pixels for a PNG, else in millimetres; paper: of the sheets on which a PDF is split.
    """
    scale, title = scale_for(height, ending), f"{game.title}: {board.title}"
    if is_area_map(board):
        shown = area_scene(game, board, names=wish.names)
        return _write_display(shown, ending, height, title, paper, imprint)
    if not board.is_map:
        return _write_display(display_scene(game, board, scale), ending, height, title, paper, imprint)
    if paper is not None and ending == ".pdf":
        made, size = _split_board(game, board, hexes, wish, scale, height, paper)
        return pages_to_pdf(made, title=title, imprint=imprint), size
    scene = poster_scene(game, board, hexes, wish, scale)
    return _write_png(scene, height) if ending == ".png" else _write_paper_file(scene, ending, height, title, imprint)


def scale_for(height: float, ending: str) -> Scale:
    """Return the scale of a map whose hexes have a height, in pixels for a PNG, else in millimetres."""
    fine, read = (_FINE_PX, _READ_PX) if ending == ".png" else (_FINE_MM, _READ_MM)
    return Scale(max(fine / height, 1.0), max(read / height, 1.0))


def choose_board(game: Game, name: str) -> Board:
    """Return the board of this name, or the only or largest map of the game, a board that is none where it has no
    other. Raises InputError for an unknown one, and if it has none.
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
    """Return a scene as a PNG with hexes of so many pixels, and its size in words. Raises InputError if it would be too
    large.
    """
    scale = px / HEX
    width, height = round(scene.width * scale), round(scene.height * scale)
    if width * height > Limit.PIXELS.most:
        what = f"a picture of {width:,} by {height:,} pixels is too large"
        hint = f"fewer pixels per hex, an area, or an SVG; or raise the limit: {Limit.PIXELS.allowing(width * height)}"
        raise InputError(what, where=Where("--px"), hint=hint)
    return to_png([scene], scale)[0], f"{width:,} by {height:,} pixels"


def _write_paper_file(scene: Scene, ending: str, height: float, title: str, imprint: Imprint) -> tuple[bytes, str]:
    """Return a scene as SVG or PDF with hexes of a height in millimetres, and its size in words."""
    scale = height / HEX
    width_on_paper, height_on_paper = scene.width * scale, scene.height * scale
    size = _format_size(width_on_paper, height_on_paper)
    if ending == ".svg":
        return to_svg(scene, scale).encode(), size
    page = PdfPage(width_on_paper, height_on_paper, (PlacedScene(scene, 0, 0, width_on_paper, height_on_paper),))
    return pages_to_pdf([page], title=title, imprint=imprint), size


def _write_display(
    scene: Scene, ending: str, height: float, title: str, paper: Paper | None, imprint: Imprint
) -> tuple[bytes, str]:
    """Return a display as a file, and its size in words."""
    if ending == ".png":
        return _write_png(scene, height)
    if paper is None or ending != ".pdf":
        return _write_paper_file(scene, ending, height, title, imprint)
    size = height / HEX
    tiled = choose_tiling(paper, scene.width * size, scene.height * size)
    made = list(list_pages(scene, tiled))
    words = f"{_format_size(tiled.width, tiled.height)} on {format_count(tiled.sheets, 'sheet')} of {paper.name}"
    return pages_to_pdf(made, title=title, imprint=imprint), words


def _split_board(
    game: Game, board: Board, hexes: Sequence[str], wish: PosterWish, scale: Scale, height: float, paper: Paper
) -> tuple[list[PdfPage], str]:
    """Return a board on sheets of paper, and its size in words: on one with its key where that fits, else the map alone
    on sheets that are joined, so that none is spent on a margin and no join cuts the key, which stands on the sheet of
    the plan.
    """
    size = height / HEX
    whole = poster_scene(game, board, hexes, wish._replace(apart=True), scale)
    tiled = choose_tiling(paper, whole.width * size, whole.height * size, _find_boxes(board, hexes, whole, size))
    if wish.margin and tiled.sheets == 1:
        with_key = poster_scene(game, board, hexes, wish, scale)
        joined = choose_tiling(paper, with_key.width * size, with_key.height * size)
        if joined.sheets == 1:
            whole, tiled, wish = with_key, joined, wish._replace(margin=False)
    room = tiled.paper.width - 2 * MARGIN
    key = None
    if wish.margin:
        key = key_sheet(game, board, hexes, wish, scale, beside_plan(tiled), size)
        if not fits_beside(tiled, key):
            key = key_sheet(game, board, hexes, wish, scale, room, size)
    made = list(list_pages(whole, tiled, key))
    many = format_count(max(len(made) - 1, 1), "sheet") if tiled.sheets > 1 else format_count(len(made), "sheet")
    return made, f"{_format_size(tiled.width, tiled.height)} on {many} of {paper.name}"


def _find_boxes(board: Board, hexes: Sequence[str], whole: Scene, size: float) -> list[PageBox]:
    """Return the box of each hex on a map with nothing but a frame around it, in millimetres. size: of a unit of
    pictures.
    """
    layout = Layout(board, hexes)
    right, down = (whole.width - layout.width) / 2, (whole.height - layout.height) / 2
    across, along = (RADIUS, HEX / 2) if layout.flat else (HEX / 2, RADIUS)
    boxes = []
    for x, y in map(layout.centre, hexes):
        x, y = x + right, y + down
        box = PageBox((x - across) * size, (y - along) * size, (x + across) * size, (y + along) * size)
        boxes.append(box)
    return boxes


def _format_size(width: float, height: float) -> str:
    return f"{width / 10:.0f} by {height / 10:.0f} cm"
