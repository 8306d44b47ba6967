"""The command `module-builder board`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from assistant.cli.game_argument import GameCommand
from assistant.util.echo import echo
from assistant.util.errors import InputError, Where, suggested

from ..wording import counted

if TYPE_CHECKING:
    from assistant.drawing.scene import Scene
    from assistant.game.boards import Board
    from assistant.game.games import Game

ENDINGS = (".svg", ".pdf", ".png")
_LARGEST = 400_000_000
"""Pixels of the largest PNG."""
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
@click.option(
    "--hex", "height", type=click.FloatRange(2, 60), default=18.0, help="Height of a hex on paper in mm. By default 18."
)
@click.option(
    "--px", type=click.IntRange(8, 400), default=60, help="Height of a hex in pixels, for a PNG. By default 60."
)
@click.option("--no-labels", is_flag=True, help="Without names, as a silent map.")
@click.option("--no-margin", is_flag=True, help="The map alone, without title, key and turns.")
@click.option("--drawn", is_flag=True, help="Show what is only drawn from geography dashed or fainter.")
@click.option("--sheets", is_flag=True, help="Split a PDF over sheets of paper, with overlap and marks to cut.")
@click.option("--paper", default="a4", metavar="NAME", help="Of the sheets: a4 (the default), a3 or letter.")
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
def board(
    game: str,
    name: str,
    out: Path | None,
    area: str,
    height: float,
    px: int,
    no_labels: bool,
    no_margin: bool,
    drawn: bool,
    sheets: bool,
    paper: str,
    force: bool,
) -> None:
    """Draw a board of a GAME as a map: SVG with named layers, PDF or PNG, whole or an area: docs/board.md."""
    from assistant.pictures.map.survey import Scale
    from assistant.pictures.style import HEX
    from assistant.plugins.registry import named_game
    from assistant.util.saving import check_free, write_whole

    from ..sheets.sizes import paper_of
    from .area import hexes_in
    from .poster import Wish, poster

    loaded = named_game(game)
    target = out or Path(f"{loaded.id}-board.pdf")
    ending = target.suffix.lower()
    if ending not in ENDINGS:
        raise InputError(
            f"{target} is not the name of a picture", where=Where("--out"), hint=f"name it NAME{', NAME'.join(ENDINGS)}"
        )
    if sheets and ending != ".pdf":
        raise InputError("sheets of paper are pages of a PDF", where=Where("--sheets"), hint="name a file NAME.pdf")
    chosen_paper = paper_of(paper)
    check_free(target, force=force)
    shown = _board(loaded, name)
    hexes = hexes_in(shown, area)
    wish = Wish(names=not no_labels, drawn=drawn, margin=not no_margin, whole=not area)
    seen = Scale(max(_FINE_PX / px, 1.0), max(_READ_PX / px, 1.0))
    if ending != ".png":
        seen = Scale(max(_FINE_MM / height, 1.0), max(_READ_MM / height, 1.0))
    scene = poster(loaded, shown, hexes, wish, seen)
    scale = height / HEX
    size = f"{scene.width * scale / 10:.0f} by {scene.height * scale / 10:.0f} cm"
    if ending == ".png":
        data, size = _png(scene, px / HEX)
    elif ending == ".svg":
        from assistant.drawing.svg import to_svg

        data = to_svg(scene, scale).encode()
    elif sheets:
        from assistant.drawing.pdf import pages_to_pdf

        from .tiles import pages, tiling

        tiled = tiling(chosen_paper, scene.width * scale, scene.height * scale)
        data = pages_to_pdf(list(pages(scene, tiled)), title=scene.title)
        size += f" on {counted(tiled.sheets, 'sheet')} of {chosen_paper.name}"
    else:
        from assistant.drawing.pdf import Page, PlacedScene, pages_to_pdf

        wide, high = scene.width * scale, scene.height * scale
        data = pages_to_pdf([Page(wide, high, (PlacedScene(scene, 0, 0, wide, high),))], title=scene.title)
    write_whole(target, data, force=force)
    echo(f"{target}: {counted(len(hexes), 'hex', 'hexes')} of {shown.title}, {size}")


def _board(game: Game, name: str) -> Board:
    """The board of this name, or the only or largest one of the game. Raises InputError for an unknown one, and if it has none."""
    names = game.board_names
    if name:
        if name not in names:
            raise InputError(f"unknown board {name!r}", where=Where("--board"), hint=suggested(name, names))
        return game.board(name)
    if not names:
        hint = "a board is a folder boards/NAME with board.toml: docs/game-files.md"
        raise InputError(f"{game.title} has no board that is drawn", hint=hint)
    return max(map(game.board, names), key=lambda board: len(board.hexes))


def _png(scene: Scene, scale: float) -> tuple[bytes, str]:
    """A scene as a PNG, and its size in words. Raises InputError if it would be too large."""
    from assistant.drawing.png import to_png

    wide, high = round(scene.width * scale), round(scene.height * scale)
    if wide * high > _LARGEST:
        what = f"a picture of {wide:,} by {high:,} pixels is too large"
        raise InputError(what, where=Where("--px"), hint="fewer pixels a hex, an area, or an SVG")
    return to_png([scene], scale)[0], f"{wide:,} by {high:,} pixels"
