"""The command `module-builder board`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from assistant.cli.group import GameCommand
from assistant.util.console import count_text, echo
from assistant.util.errors import InputError, Where, suggested

from ..millimetres import Millimetres

if TYPE_CHECKING:
    from assistant.drawing.scene import Scene
    from assistant.game.boards import Board
    from assistant.game.games import Game
    from assistant.pictures.map.survey import Scale

    from ..sheets.layout import Paper

ENDINGS = (".svg", ".pdf", ".png")
_PX, _MM = 60, 18.0
"""The height of a hex if none is asked for."""
_FINE_PX, _FINE_MM = 26.0, 8.0
"""The height of a hex, in pixels or millimetres, below which lines are drawn wider."""
_READ_PX, _READ_MM = 56.0, 14.0
"""The height of a hex below which letters are drawn larger."""


@click.command("board", cls=GameCommand)
@click.argument("game")
@click.option(
    "--board", "name", default="", metavar="NAME", help="Which of its boards. By default the only or largest one."
)
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path),
    help="The file to write: NAME.svg, .pdf or .png. By default GAME-board.pdf.",
)
@click.option("--area", default="", metavar="HEX-HEX", help="Only the hexes between two corners, such as 40.15-55.35.")
@click.option("--hex", "height", type=Millimetres(2, 60), help="Height of a hex on paper in mm. By default 18.")
@click.option("--px", type=click.IntRange(8, 400), help="Height of a hex in pixels, for a PNG. By default 60.")
@click.option("--no-labels", is_flag=True, help="Without names, as a silent map.")
@click.option("--no-margin", is_flag=True, help="The map alone, without title, key and turns.")
@click.option("--drawn", is_flag=True, help="Show what is only drawn from geography dashed or fainter.")
@click.option("--sheets", is_flag=True, help="Split a PDF over sheets of paper, with overlap and marks to cut.")
@click.option("--paper", metavar="NAME", help="Of the sheets: a4 (the default), a3 or letter.")
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
def board(
    game: str,
    name: str,
    out: Path | None,
    area: str,
    height: float | None,
    px: int | None,
    no_labels: bool,
    no_margin: bool,
    drawn: bool,
    sheets: bool,
    paper: str | None,
    force: bool,
) -> None:
    """Draw a board of a GAME as a map: SVG with named layers, PDF or PNG, whole or an area: docs/board.md."""
    from assistant.plugins.registry import named_game
    from assistant.util.saving import check_free, write_whole

    from ..sheets.layout import paper_of
    from .poster import Wish, hexes_in, poster

    loaded = named_game(game)
    target = out or Path(f"{loaded.id}-board.pdf")
    ending = target.suffix.lower()
    if ending not in ENDINGS:
        raise InputError(
            f"{target} is not the name of a picture", where=Where("--out"), hint=f"name it NAME{', NAME'.join(ENDINGS)}"
        )
    _check_options(ending, height=height, px=px, sheets=sheets, paper=paper)
    chosen_paper = paper_of(paper or "a4") if sheets else None
    check_free(target, force=force)
    shown = _board(loaded, name)
    hexes = hexes_in(shown, area)
    wish = Wish(names=not no_labels, drawn=drawn, margin=not no_margin, whole=not area)
    if ending == ".png":
        px = px or _PX
        data, size = _png(poster(loaded, shown, hexes, wish, _scale(_FINE_PX, _READ_PX, px)), px)
    else:
        height = height or _MM
        scene = poster(loaded, shown, hexes, wish, _scale(_FINE_MM, _READ_MM, height))
        data, size = _on_paper(scene, ending, height, chosen_paper)
    write_whole(target, data, force=force)
    echo(f"{target}: {count_text(len(hexes), 'hex', 'hexes')} of {shown.title}, {size}")


def _check_options(ending: str, *, height: float | None, px: int | None, sheets: bool, paper: str | None) -> None:
    """Raise InputError for an option that means nothing for a file with this ending."""
    if sheets and ending != ".pdf":
        raise InputError("sheets of paper are pages of a PDF", where=Where("--sheets"), hint="name a file NAME.pdf")
    if paper is not None and not sheets:
        raise InputError("a paper is that of sheets", where=Where("--paper"), hint="add --sheets")
    if px is not None and ending != ".png":
        hint = "--hex gives the height in millimetres; or name a file NAME.png"
        raise InputError("only a PNG has pixels", where=Where("--px"), hint=hint)
    if height is not None and ending == ".png":
        hint = "--px gives the height in pixels; or name a file NAME.pdf or NAME.svg"
        raise InputError("a PNG is not on paper", where=Where("--hex"), hint=hint)


def _scale(fine: float, read: float, height: float) -> Scale:
    """How much wider lines are and how much larger letters, for hexes of this height. fine, read: the least that needs
    neither.
    """
    from assistant.pictures.map.survey import Scale

    return Scale(max(fine / height, 1.0), max(read / height, 1.0))


def _board(game: Game, name: str) -> Board:
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


def _png(scene: Scene, px: int) -> tuple[bytes, str]:
    """A scene as a PNG with hexes of so many pixels, and its size in words. Raises InputError if it would be too large."""
    from assistant.drawing.png import to_png
    from assistant.pictures.style import HEX
    from assistant.util.limits import Limit

    scale = px / HEX
    wide, high = round(scene.width * scale), round(scene.height * scale)
    if wide * high > Limit.PIXELS.most:
        what = f"a picture of {wide:,} by {high:,} pixels is too large"
        hint = f"fewer pixels a hex, an area, or an SVG; or raise the limit: {Limit.PIXELS.allowing(wide * high)}"
        raise InputError(what, where=Where("--px"), hint=hint)
    return to_png([scene], scale)[0], f"{wide:,} by {high:,} pixels"


def _on_paper(scene: Scene, ending: str, height: float, paper: Paper | None) -> tuple[bytes, str]:
    """A scene as SVG or PDF with hexes of a height in millimetres, on sheets if there is a paper, and its size in
    words.
    """
    from assistant.drawing.pdf import Page, PlacedScene, pages_to_pdf
    from assistant.drawing.svg import to_svg
    from assistant.pictures.style import HEX

    from .tiles import pages, tiling

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
