"""The command `board`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, NamedTuple

import click

from assistant.faces.cli.group import GameCommand
from assistant.installed.registry import named_game
from assistant.util.console import echo, format_count, show_working
from assistant.util.errors import InputError, Where
from assistant.util.notes import note
from assistant.util.writing import check_free, write_whole

from ..imprint import imprint_of
from ..printing import PICTURES, Millimetres, check_cmyk, check_ending, cmyk, force, gather_options
from ..sheets.sizes import parse_paper
from .display import format_display, is_area_map
from .files import board_file, choose_board, parse_area
from .poster import PosterWish

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
    check_cmyk(target, process=plan.cmyk)
    chosen_paper = parse_paper(plan.paper or "a4") if plan.sheets else None
    check_free(target, force=plan.force)
    shown = choose_board(loaded, plan.name)
    hexes = parse_area(shown, plan.area)
    if not shown.is_map:
        _check_display({"--no-labels": plan.no_labels, "--no-margin": plan.no_margin, "--drawn": plan.drawn})
    wish = PosterWish(names=not plan.no_labels, drawn=plan.drawn, margin=not plan.no_margin, whole=not plan.area)
    tall = plan.px or _HEX_HEIGHT_PX if ending == ".png" else plan.height or _HEX_HEIGHT_MM
    imprint = imprint_of(loaded, process=plan.cmyk)
    with show_working(f"drawing {target}"):
        data, size = board_file(loaded, shown, hexes, wish, ending, tall, chosen_paper, imprint)
    write_whole(target, data, force=plan.force)
    if shown.picture is not None and is_area_map(shown):
        content = f"{format_count(len(shown.picture.places), 'place')} of"
    else:
        content = f"{format_count(len(hexes), 'hex', 'hexes') if shown.is_map else format_display(loaded, shown)} of"
    echo(f"{target}: {content} {shown.title}, {size}{'' if shown.is_map else '; no map of it is drawn'}")


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
