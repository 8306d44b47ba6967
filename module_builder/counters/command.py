"""The command `counters`."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Annotated, NamedTuple

import click

from assistant.faces.cli.group import GameCommand
from assistant.installed.registry import named_game
from assistant.util.console import echo, show_working
from assistant.util.errors import InputError, Where
from assistant.util.notes import note
from assistant.util.writing import check_free

from ..printing import Millimetres, check_ending, echo_last, force, gather_options, open_backs
from .checks import format_mistakes
from .design import Variant
from .pictures import CounterWish, draw_files, draw_overview, watch_drawing


class CountersPlan(NamedTuple):
    """The options of `counters`."""

    out: Path | None
    only: tuple[str, ...]
    markers: bool
    dpi: int
    svg: bool
    side: Annotated[float, note("in millimetres")]
    square: Annotated[bool, note("whether corners are square")]
    bleed: Annotated[float, note("in millimetres")]
    low_ink: bool
    open_backs: bool
    overview: Annotated[Path | None, note("the PNG file of all counters, drawn instead")]
    watch: bool
    force: bool


@click.command("counters", cls=GameCommand)
@click.argument("game")
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, readable=False),
    help="The folder to write to. By default GAME-counters.",
)
@click.option(
    "--only", multiple=True, metavar="UNIT", help='Only this unit or marker, such as "29/20". Repeat it for several.'
)
@click.option("--markers", is_flag=True, help="Only the markers.")
@click.option("--dpi", type=click.IntRange(50, 1200), default=300, help="Pixels per inch. By default 300.")
@click.option("--svg", is_flag=True, help="Write SVG instead of PNG.")
@click.option(
    "--side",
    type=Millimetres(8, 60),
    default=15.875,
    help="Side of a counter in mm. By default 15.875 (5/8 inch).",
)
@click.option("--square", is_flag=True, help="Square corners, as counters are printed before they are cut.")
@click.option("--bleed", type=Millimetres(0, 5), default=0.0, help="Ground beyond each edge in mm. By default none.")
@click.option("--low-ink", is_flag=True, help="The variant that takes little ink.")
@open_backs
@click.option(
    "--overview",
    type=click.Path(path_type=Path, readable=False),
    help="Draw all counters into this one PNG file instead.",
)
@click.option("--watch", is_flag=True, help="Redraw the overview whenever a file of the game is saved, until Ctrl-C.")
@force
@gather_options(CountersPlan)
def counters(game: str, plan: CountersPlan) -> None:
    """Draw the counters and markers of a GAME as PNG files, both sides. The handbook's page "Counters" says how to
    change their look.
    """
    loaded = named_game(game)
    variant: Variant = "low-ink" if plan.low_ink else "colour"
    wish = CounterWish(
        plan.only,
        plan.markers,
        plan.dpi,
        plan.side,
        plan.bleed,
        variant,
        not plan.square and not plan.bleed,
        plan.open_backs,
    )
    if plan.watch and plan.overview is None:
        raise InputError("there is no picture to redraw", where=Where("--watch"), hint="add --overview FILE.png")
    if plan.overview is not None:
        check_ending(plan.overview, (".png",), "a picture", "--overview")
        check_free(plan.overview, force=plan.force)
        with show_working(f"drawing {plan.overview}"):
            lines = [*format_mistakes(loaded), *draw_overview(loaded, wish, plan.overview, force=plan.force)]
        echo_last(lines)
        if plan.watch:
            echo(f"watching {loaded.folder}; Ctrl+C ends it")
            with suppress(KeyboardInterrupt):
                for line in watch_drawing(loaded, wish, plan.overview):
                    echo(line)
        return
    folder = plan.out or Path(f"{loaded.id}-counters")
    with show_working("drawing counters"):
        lines = [*format_mistakes(loaded), *draw_files(loaded, wish, folder, svg=plan.svg, force=plan.force)]
    echo_last(lines)
