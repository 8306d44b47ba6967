"""The command `module-builder sheets`."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assistant.cli.group import GameCommand
from assistant.util.console import count_text, echo
from assistant.util.errors import InputError, Where

if TYPE_CHECKING:
    from assistant.game.games import Game

    from ..counters import Counter
    from ..counters.pieces import Variant
    from .layout import Fold, Setting
    from .pages import Sheets

_FOLDS = ("gutter", "long-edge", "short-edge", "labels")
_EXPORT_BLEED, _DPI = 3.0, 300
_MOST = 20_000
"""Counters on one set of sheets."""


@click.command("sheets", cls=GameCommand)
@click.argument("game")
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), help="The PDF to write. By default GAME-sheets.pdf in this folder."
)
@click.option(
    "--fold",
    type=click.Choice(_FOLDS),
    default="gutter",
    help="How backs come behind fronts: folded in the middle of the page (the default), printed on both sides and turned over "
    "the long or the short edge, or as two sheets of labels.",
)
@click.option("--paper", default="a4", metavar="NAME", help="a4 (the default) or letter.")
@click.option("--die", default="5/8", metavar="SIDE", help="1/2, 9/16, 0.6, 5/8 (the default), 15mm or another length.")
@click.option("--bleed", type=float, metavar="MM", help="From 1.5 to 6 mm. By default 1.5, with --export 3.")
@click.option("--offset", metavar="X,Y", help="How far to move the backs, in mm, as read on the test page.")
@click.option("--test-page", is_flag=True, help="Only a page to print on both sides, to measure that offset.")
@click.option("--only", multiple=True, metavar="UNIT", help="Only this counter, once. Repeat it for several.")
@click.option("--low-ink", is_flag=True, help="Pale grounds, for a printer at home.")
@click.option(
    "--svg", type=click.Path(path_type=Path), help="A folder for the pages as SVG, layer by layer, instead of a PDF."
)
@click.option("--preview", type=click.Path(path_type=Path), help="The first page as a PNG, instead of a PDF.")
@click.option(
    "--export",
    type=click.Path(path_type=Path),
    help="A folder for a print service, instead of a PDF: each side a PNG with its bleed and resolution, without marks.",
)
@click.option(
    "--slug",
    metavar="COLUMNSxROWS",
    help="With --export: a grid of counters in each picture, such as 12x7; backs are mirrored.",
)
@click.option("--dpi", type=click.IntRange(150, 1200), help="Pixels per inch, with --export. By default 300.")
@click.option("--watch", is_flag=True, help="Write it again whenever a file of the game is saved, until Ctrl+C.")
@click.option("--force", is_flag=True, help="Overwrite existing files.")
def sheets(
    game: str,
    out: Path | None,
    fold: Fold,
    paper: str,
    die: str,
    bleed: float | None,
    offset: str | None,
    test_page: bool,
    only: tuple[str, ...],
    low_ink: bool,
    svg: Path | None,
    preview: Path | None,
    export: Path | None,
    slug: str | None,
    dpi: int | None,
    watch: bool,
    force: bool,
) -> None:
    """Lay the counters of a GAME out on sheets to print, glue and cut: docs/sheets.md."""
    from assistant.plugins.registry import named_game
    from assistant.util.saving import check_free

    from ..counters import trouble_lines
    from ..counters.checks import mistaken
    from . import layout
    from .layout import Setting
    from .pages import lay_out

    outputs = {"--out": out, "--svg": svg, "--preview": preview, "--export": export}
    _check_together(fold, offset, outputs, test_page=test_page, watch=watch, exported={"--slug": slug, "--dpi": dpi})
    width = layout.bleed_of(bleed if bleed is not None else _EXPORT_BLEED if export else layout.SAFE)
    setting = Setting(layout.paper_of(paper), fold, layout.die_of(die), width)
    moved = layout.offset_of(offset) if offset is not None else (0.0, 0.0)
    loaded = named_game(game)
    target = preview or out or Path(f"{loaded.id}-{'test-page' if test_page else 'sheets'}.pdf")
    into = svg or export
    if into is None:
        check_free(target, force=force)
    elif watch and not force and into.exists():
        raise InputError(f"{into} is there already", where=Where("--watch"), hint="--force overwrites what is in it")
    if test_page:
        _write_test_page(target, setting, moved, force)
        return
    if watch:
        _watch(loaded, into or target)
        return
    made = _counters_of(loaded, setting, low_ink, only)
    for line in (*mistaken(loaded), *trouble_lines(made)):
        echo(line, err=True)
    if export:
        _write_export(export, made, slug, dpi or _DPI, force)
    else:
        laid = lay_out(loaded.title, made, setting, moved, planned=not only)
        _write_sheets(laid, svg or target, force)


def _check_together(
    fold: Fold,
    offset: str | None,
    outputs: Mapping[str, Path | None],
    *,
    test_page: bool,
    watch: bool,
    exported: Mapping[str, object],
) -> None:
    """Raise InputError for options that mean nothing together, and for a file whose name says something else.

    outputs, exported: what is written, and what is said of pictures for a print service, by option.
    """
    named = [option for option, path in outputs.items() if path is not None]
    if len(named) > 1:
        raise InputError(f"it is one or the other: {' or '.join(named)}", hint="run the command twice")
    if test_page and named and named != ["--out"]:
        raise InputError(
            f"the test page is a PDF, without {named[0]}", where=Where("--test-page"), hint="name it with -o"
        )
    if test_page and watch:
        raise InputError("the test page does not change", where=Where("--watch"), hint="leave one of the two out")
    said = next((option for option, value in exported.items() if value is not None), "")
    if said and not outputs["--export"]:
        raise InputError("it is for pictures for a print service", where=Where(said), hint="add --export FOLDER")
    if offset is not None and fold not in ("long-edge", "short-edge"):
        hint = "it moves the backs of --fold long-edge and short-edge"
        raise InputError(f"--fold {fold} prints on one side of the paper", where=Where("--offset"), hint=hint)
    for option, ending, kind in (("--out", ".pdf", "PDF"), ("--preview", ".png", "PNG")):
        path = outputs[option]
        if path is not None and path.suffix.lower() != ending:
            raise InputError(f"{path} is not the name of a {kind}", where=Where(option), hint=f"name it NAME{ending}")
    for option in ("--svg", "--export"):
        path = outputs[option]
        if path is not None and path.suffix.lower() in (".svg", ".png", ".pdf"):
            raise InputError(f"{path} is the name of a file", where=Where(option), hint="name a folder")


def _watch(game: Game, made: Path) -> None:
    """Run this command without --watch, now and after each change in the folder of the game.

    Each time in a process of its own, which reads code and data anew; a mistake that ends it is told without ending the
    watch.
    """
    import subprocess

    from assistant.util.watching import saves

    words = [word for word in sys.argv[1:] if word not in ("--watch", "--force")]
    folder = Path(str(game.folder))
    echo(f"watching {folder}; Ctrl+C ends it")
    with suppress(KeyboardInterrupt):
        for _ in chain([None], saves(folder, made)):
            subprocess.run([sys.executable, "-m", "module_builder", *words, "--force"], check=False)


def _counters_of(game: Game, setting: Setting, low_ink: bool, only: tuple[str, ...]) -> list[Counter]:
    """The counters of a game, or some of them, each of these once."""
    from ..counters import choose_counters, counters, markers
    from .layout import fits

    if not fits(setting):
        what = f"a counter of {setting.die:g} mm has no room on {setting.paper.name} with --fold {setting.fold}"
        raise InputError(what, where=Where("--die"), hint="a smaller die, or another fold")
    variant: Variant = "low-ink" if low_ink else "colour"
    wanted: dict[str, Any] = {"side": setting.die, "bleed": setting.bleed, "rounded": False}
    made = [make for drawn in (counters, markers) for make in drawn(game, variant=variant, **wanted)]
    if not only:
        if not made:
            raise InputError(f"{game.title} has no counters", hint="its roster lists them")
        if (count := sum(counter.count for counter in made)) > _MOST:
            raise InputError(
                f"{count:,} counters are too many for sheets", hint=f"at most {_MOST:,}; see the counts of its files"
            )
        return made
    return choose_counters(made, only)


def _write_sheets(laid: Sheets, target: Path, force: bool) -> None:
    """Write the sheets as the name of their target says: a PDF, its first page as a PNG, or a folder of SVG files."""
    from assistant.util.saving import write_all, write_whole

    from .pages import pdf, preview

    planned = ", plan included" if laid.pages[-1].side == "plan" else ""
    what = f"{_in_words(laid.counters)} on {count_text(len(laid.pages), 'page')}{planned}"
    match target.suffix.lower():
        case ".pdf":
            write_whole(target, pdf(laid), force=force)
        case ".png":
            write_whole(target, preview(laid), force=force)
            what = f"the first page of {what}"
        case _:
            from .export import svg_pages

            write_all(target, svg_pages(laid), force=force)
    echo(f"{target}: {what}")


def _write_test_page(target: Path, setting: Setting, offset: tuple[float, float], force: bool) -> None:
    from assistant.util.saving import write_whole

    from .marks import measuring_page

    fold = setting.fold if setting.fold == "short-edge" else "long-edge"
    write_whole(target, measuring_page(setting._replace(fold=fold), offset), force=force)
    echo(f"{target}: print it at 100 % on both sides, turned over the {fold.replace('-', ' ')}, and read the offset")


def _write_export(folder: Path, made: Sequence[Counter], slug: str | None, dpi: int, force: bool) -> None:
    from assistant.util.saving import write_all

    from ..counters.pieces import strangers
    from .export import single_pictures, slug_of, slug_pictures

    files = slug_pictures(made, slug_of(slug), dpi) if slug else single_pictures(made, dpi)
    write_all(folder, files, force=force)
    for line in strangers(folder, files):
        echo(line, err=True)
    echo(f"{folder}: {count_text(len(files), 'picture')} of {_in_words(made)}, {dpi} dpi")


def _in_words(made: Sequence[Counter]) -> str:
    """How many counters, and whether their values are made up."""
    doubtful = sum(counter.count for counter in made if counter.doubtful)
    count = sum(counter.count for counter in made)
    some = "all" if doubtful == count else f"{doubtful} of them"
    return count_text(count, "counter") + (f" ({some} with illustrative values)" if doubtful else "")
