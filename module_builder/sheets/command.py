"""The command `sheets`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Annotated, NamedTuple, get_args

import click

from assistant.faces.cli.group import GameCommand
from assistant.game.games import Game
from assistant.installed.registry import named_game
from assistant.util.console import echo, format_count, show_working
from assistant.util.errors import InputError, Where
from assistant.util.files import saves
from assistant.util.notes import note
from assistant.util.writing import check_free, write_all, write_whole

from ..counters.checks import format_mistakes
from ..counters.design import Variant
from ..counters.pictures import find_strangers
from ..counters.pieces import Counter, format_troubles
from ..imprint import imprint_of
from ..printing import check_cmyk, check_outputs, cmyk, force, gather_options, open_backs, write_pages
from .export import parse_slug, sheets_svg, single_pictures, slug_pictures
from .layout import Fold, SheetSetting
from .marks import measuring_page
from .pages import counters_to_print, format_counter_count, lay_out_counters, sheets_pdf, sheets_preview
from .sizes import MIN_BLEED_MM, check_bleed, parse_die, parse_offset, parse_paper

_EXPORT_BLEED_MM = 3.0
_DPI = 300


class SheetsPlan(NamedTuple):
    """The options of `sheets`."""

    out: Path | None
    fold: Fold
    paper: str
    die: str
    bleed: Annotated[float | None, note("bleed in millimetres")]
    offset: Annotated[str | None, note("how far to move the backs, in millimetres: X,Y")]
    test_page: Annotated[bool, note("whether only the page is written by which that offset is measured")]
    only: Annotated[tuple[str, ...], note("counters, each as often as it is named")]
    low_ink: bool
    open_backs: bool
    svg: Path | None
    preview: Path | None
    export: Annotated[Path | None, note("a folder of pictures for a print service")]
    slug: Annotated[str | None, note("columns and rows of counters in each exported picture, such as `12x7`")]
    dpi: Annotated[int | None, note("dots per inch of the exported pictures")]
    cmyk: bool
    watch: bool
    force: bool


@click.command("sheets", cls=GameCommand)
@click.argument("game")
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, readable=False),
    help="The PDF to write. By default GAME-sheets.pdf in this folder.",
)
@click.option(
    "--fold",
    type=click.Choice(get_args(Fold)),
    default="gutter",
    help="How backs come behind fronts: folded in the middle of the page (the default), printed on both sides and turned over "
    "the long or the short edge, or as two sheets of labels.",
)
@click.option("--paper", default="a4", metavar="NAME", help="a4 (the default) or letter.")
@click.option("--die", default="5/8", metavar="SIDE", help="1/2, 9/16, 0.6, 5/8 (the default), 15mm or another length.")
@click.option("--bleed", type=float, metavar="MM", help="From 1.5 to 6 mm. By default 1.5, with --export 3.")
@click.option("--offset", metavar="X,Y", help="How far to move the backs, in mm, as read on the test page.")
@click.option("--test-page", is_flag=True, help="Only a page to print on both sides, to measure that offset.")
@click.option(
    "--only", multiple=True, metavar="UNIT", help="Only this counter, as often as it is named. Repeat it for several."
)
@click.option("--low-ink", is_flag=True, help="Pale grounds, for a printer at home.")
@open_backs
@click.option(
    "--svg",
    type=click.Path(path_type=Path, readable=False),
    help="A folder for the pages as SVG, layer by layer, instead of a PDF.",
)
@click.option(
    "--preview", type=click.Path(path_type=Path, readable=False), help="The first page as a PNG, instead of a PDF."
)
@click.option(
    "--export",
    type=click.Path(path_type=Path, readable=False),
    help=(
        "A folder for a print service, instead of a PDF: each side a PNG with its bleed and resolution, without marks."
    ),
)
@click.option(
    "--slug",
    metavar="COLUMNSxROWS",
    help="With --export: a grid of counters in each picture, such as 12x7; backs are mirrored.",
)
@click.option("--dpi", type=click.IntRange(150, 1200), help="Pixels per inch, with --export. By default 300.")
@cmyk
@click.option("--watch", is_flag=True, help="Write it again whenever a file of the game is saved, until Ctrl+C.")
@force
@gather_options(SheetsPlan)
def sheets(game: str, plan: SheetsPlan) -> None:
    """Lay the counters of a GAME out on sheets to print, glue and cut. The handbook: "Counters to print and cut"."""
    _check_together(plan)
    usual = _EXPORT_BLEED_MM if plan.export else MIN_BLEED_MM
    bleed = check_bleed(plan.bleed if plan.bleed is not None else usual)
    setting = SheetSetting(parse_paper(plan.paper), plan.fold, parse_die(plan.die), bleed)
    moved = parse_offset(plan.offset) if plan.offset is not None else (0.0, 0.0)
    loaded = named_game(game)
    target = _choose_target(plan, loaded)
    if plan.test_page:
        _write_test_page(target, setting, moved, force=plan.force)
    elif plan.watch:
        _watch_folder(loaded, target)
    else:
        _draw_sheets(plan, loaded, target, setting, moved)


def _choose_target(plan: SheetsPlan, game: Game) -> Path:
    folder = plan.svg or plan.export
    usual = Path(f"{game.id}-{'test-page' if plan.test_page else 'sheets'}.pdf")
    target = folder or plan.preview or plan.out or usual
    check_cmyk(target, process=plan.cmyk)
    if folder is None:
        check_free(target, force=plan.force)
    elif plan.watch and not plan.force and folder.exists():
        raise InputError(
            f"{folder} is there already", where=Where("--watch"), hint="--force overwrites what is in the folder"
        )
    return target


def _draw_sheets(
    plan: SheetsPlan, loaded: Game, target: Path, setting: SheetSetting, moved: tuple[float, float]
) -> None:
    """Draw the counters, and write them as sheets or as pictures for a print service.

    `moved`: the offset of backs.
    """
    with show_working("drawing counters"):
        variant: Variant = "low-ink" if plan.low_ink else "colour"
        made = counters_to_print(loaded, setting, variant, plan.only, open_backs=plan.open_backs)
    for line in (*format_mistakes(loaded), *format_troubles(made)):
        echo(line, err=True)
    if plan.export:
        _write_pictures(plan.export, made, plan.slug, plan.dpi or _DPI, force=plan.force)
    else:
        _write_sheets(target, loaded, made, setting, moved, planned=not plan.only, process=plan.cmyk, force=plan.force)


def _write_sheets(
    target: Path,
    game: Game,
    made: Sequence[Counter],
    setting: SheetSetting,
    offset: tuple[float, float],
    *,
    planned: bool,
    process: bool,
    force: bool,
) -> None:
    """Lay counters out, write the sheets, and print a line about it.

    `offset`: the offset of the printer.
    `planned`: whether the plan is added.
    `process`: whether colours are process inks.
    """
    with show_working("laying out sheets"):
        pages = lay_out_counters(game.title, made, setting, offset, planned=planned)
    imprint = imprint_of(game, process=process)
    plan = ", plan included" if pages.pages[-1].side == "plan" else ""
    write_pages(
        target,
        f"{format_counter_count(pages.counters)} on {format_count(len(pages.pages), 'page')}{plan}",
        whole=lambda: sheets_pdf(pages, imprint),
        first=lambda: sheets_preview(pages),
        pages=lambda: sheets_svg(pages),
        force=force,
    )


def _write_test_page(target: Path, setting: SheetSetting, offset: tuple[float, float], *, force: bool) -> None:
    """Write the page that measures a printer, turned over the edge that the fold implies, and print how to use it."""
    fold: Fold = "short-edge" if setting.fold == "short-edge" else "long-edge"
    write_whole(target, measuring_page(setting._replace(fold=fold), offset), force=force)
    how = f"print it at 100 % on both sides, turned over the {fold.replace('-', ' ')}, and read the offset"
    echo(f"{target}: {how}")


def _write_pictures(folder: Path, made: Sequence[Counter], slug: str | None, dpi: int, *, force: bool) -> None:
    """Write pictures for a print service, and print a line about it.

    `slug`: the grid of counters on each picture, or None for single counters.
    """
    with show_working("drawing pictures"):
        pictures = slug_pictures(made, parse_slug(slug), dpi) if slug is not None else single_pictures(made, dpi)
    write_all(folder, pictures, force=force)
    for line in find_strangers(folder, pictures):
        echo(line, err=True)
    echo(f"{folder}: {format_count(len(pictures), 'picture')} of {format_counter_count(made)}, {dpi} dpi")


def _check_together(plan: SheetsPlan) -> None:
    outputs = {"--out": plan.out, "--svg": plan.svg, "--preview": plan.preview, "--export": plan.export}
    check_outputs(outputs)
    if plan.test_page and (
        other := next((option for option, path in outputs.items() if path and option != "--out"), "")
    ):
        hint = "name it with -o"
        raise InputError(f"the test page is a PDF, without {other}", where=Where("--test-page"), hint=hint)
    if plan.test_page and plan.watch:
        raise InputError("the test page does not change", where=Where("--watch"), hint="leave one of the two out")
    exported = {"--slug": plan.slug, "--dpi": plan.dpi}
    option_of_export = next((option for option, value in exported.items() if value is not None), "")
    if option_of_export and not plan.export:
        raise InputError(
            "it is for pictures for a print service", where=Where(option_of_export), hint="add --export FOLDER"
        )
    if plan.offset is not None and plan.fold not in ("long-edge", "short-edge"):
        hint = "it moves the backs of --fold long-edge and short-edge"
        raise InputError(f"--fold {plan.fold} prints on one side of the paper", where=Where("--offset"), hint=hint)


def _watch_folder(game: Game, made: Path) -> None:
    """Run this command without --watch, now and after each change in the game's folder.

    Each run is a new process, which reads code and data again. A mistake that ends it does not end the watch.
    """
    words = [word for word in sys.argv[1:] if word not in ("--watch", "--force")]
    program = [sys.executable] if hasattr(sys, "frozen") else [sys.executable, "-m", "module_builder"]
    folder = Path(str(game.folder))
    echo(f"watching {folder}; Ctrl+C ends it")
    with suppress(KeyboardInterrupt):
        for _ in chain([None], saves(folder, made)):
            subprocess.run([*program, *words, "--force"], check=False)
