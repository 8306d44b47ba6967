"""The builder's command line. Exit codes: 0 done, 1 a check found mistakes, 2 no such option, 3 unusable input."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import click

from assistant.cli.group import Program, run
from assistant.util.console import count_text, echo, working
from assistant.util.errors import InputError, Where, plain
from assistant.util.notes import note
from assistant.util.signals import end_as_interrupted

from .page.command import page
from .printing import Millimetres, aids, board, check_ending, force, gathered, open_backs, sheets

if TYPE_CHECKING:
    from assistant.drawing.scene import Scene
    from assistant.game.games import Game

    from .counters.design import Variant


FAULTY = 1


@click.group("module-builder", cls=Program, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="field-staff", prog_name="module-builder")
def cli() -> None:
    """Makes modules and counters from a game's data files."""


@cli.command("new")
@click.argument("folder", type=click.Path(path_type=Path, readable=False))
def new(folder: Path) -> None:
    """Make a FOLDER with a small game that works at once, for you to change. The handbook's page "Your first game" starts here."""
    from .new import new_game

    made = new_game(folder)
    echo(f"{folder}: {count_text(len(made), 'file')}; next: module-builder check {folder}")


@cli.command("check")
@click.argument("game")
def check(game: str) -> None:
    """Read all files of a GAME (an id or a folder), and say what is in them, or every mistake in a line (exit code 1).

    After the count it says how much of each board is known from which source, and names what looks wrong without being
    a mistake, such as a gap in a river, a name that does not fit on its counter, or a question that no example asks.
    """
    if not check_and_report(game):
        sys.exit(FAULTY)


@cli.command("check-changed")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path, readable=False))
def check_changed(files: tuple[Path, ...]) -> None:
    """Check each game that one of these FILES belongs to: the nearest folder above it with a game.toml. Files of no game
    are ignored.

    For hooks that run before a commit. Exit code 1 if a game has mistakes.
    """
    sound = True
    for folder in dict.fromkeys(folder for file in files if (folder := _game_above(file.absolute()))):
        try:
            sound &= check_and_report(str(folder))
        except InputError as error:
            echo(f"module-builder: {error}", err=True)
            sound = False
    if not sound:
        sys.exit(FAULTY)


def _game_above(file: Path) -> Path | None:
    """The folder of the game that a file belongs to, the nearest one above it; None if it belongs to none."""
    return next((folder for folder in file.parents if (folder / "game.toml").is_file()), None)


def check_and_report(game: str) -> bool:
    """Print the mistakes of a game, or what is in it if it has none. Returns whether it has none."""
    from assistant.game.gamefile import tracks_of_hiding
    from assistant.game.lint.boards import board_remarks
    from assistant.game.lint.charts import chart_remarks
    from assistant.game.rule_index import rule_remarks
    from assistant.plugins.checking import check_game

    from .aids.turn_sheet import journal_faults
    from .counters.checks import counter_faults, remarks
    from .counters.looks import look_faults, look_remarks
    from .vassal.module import module_faults

    with working("checking"):
        checked = check_game(
            game, lambda read: (*counter_faults(read), *look_faults(read), *module_faults(read), *journal_faults(read))
        )
    loaded, faults = checked.game, checked.faults
    if faults or loaded is None:
        count = count_text(len(faults), "mistake")
        echo(f"{checked.title}: {f'the first {count}; correct these, and check again' if faults.more else count}")
        for fault in faults.lines:
            echo(f"module-builder: {fault}", err=True)
        return False
    counts = [
        (len(loaded.tracks.keys() - tracks_of_hiding(loaded.file, loaded.tracks).keys()), "track"),
        (len(loaded.roster), "unit type"),
        (len(loaded.charts), "chart"),
        (len(loaded.rulings), "ruling"),
        (len(loaded.board_names), "board"),
    ]
    echo(plain(f"{loaded.title}: {', '.join(count_text(count, what) for count, what in counts)}"))
    with working("checking"):
        remarked = [
            *board_remarks(loaded),
            *chart_remarks(loaded),
            *rule_remarks(loaded),
            *look_remarks(loaded),
            *remarks(loaded),
        ]
    for remark in remarked:
        echo(plain(remark))
    if checked.unasked:
        echo(plain(f"questions without an example: {', '.join(checked.unasked)}"))
    return True


@cli.command("module")
@click.argument("game")
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, readable=False),
    help="The file to write. By default GAME.vmod in the current folder.",
)
@force
def module(game: str, out: Path | None, force: bool) -> None:
    """Make the VASSAL module of a GAME, with its counters, board, palettes and set-ups."""
    from assistant.plugins.registry import named_game
    from assistant.util.saving import check_free, write_whole

    from .vassal.module import build

    loaded = named_game(game)
    target = out or Path(f"{loaded.id}.vmod")
    check_ending(target, (".vmod",), "a module")
    check_free(target, force=force)
    with working(f"making {target}"):
        built = build(loaded)
    write_whole(target, built.data, force=force)
    _echo_last([*built.troubles, f"{target}: {built.in_words}"])
    for title, left_out in built.setups.items():
        if left_out:
            echo(f"off this part of the map in {title}: {', '.join(left_out)}")


class CountersPlan(NamedTuple):
    """How `counters` draws them."""

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


@cli.command("counters")
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
@gathered(CountersPlan)
def counters(game: str, plan: CountersPlan) -> None:
    """Draw the counters and markers of a GAME as PNG files, both sides. The handbook's page "Counters" says how to change
    their look.
    """
    from assistant.plugins.registry import named_game
    from assistant.util.saving import check_free

    from .counters.checks import mistake_line
    from .counters.pictures import Wish, draw_files, draw_overview, watch_drawing

    loaded = named_game(game)
    variant: Variant = "low-ink" if plan.low_ink else "colour"
    wish = Wish(
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
        with working(f"drawing {plan.overview}"):
            lines = [*mistake_line(loaded), *draw_overview(loaded, wish, plan.overview, force=plan.force)]
        _echo_last(lines)
        if plan.watch:
            echo(f"watching {loaded.folder}; Ctrl+C ends it")
            with suppress(KeyboardInterrupt):
                for line in watch_drawing(loaded, wish, plan.overview):
                    echo(line)
        return
    folder = plan.out or Path(f"{loaded.id}-counters")
    with working("drawing counters"):
        lines = [*mistake_line(loaded), *draw_files(loaded, wish, folder, svg=plan.svg, force=plan.force)]
    _echo_last(lines)


def _echo_last(lines: Sequence[str]) -> None:
    """Print what was done, and before it, on standard error, what spoils it."""
    for line in lines[:-1]:
        echo(line, err=True)
    echo(lines[-1])


def _out(usual: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    shown = f"The file to write: PDF, SVG or PNG. By default {usual}."
    return click.option("-o", "--out", type=click.Path(path_type=Path, readable=False), default=Path(usual), help=shown)


@cli.command("symbols")
@click.argument("game", required=False)
@_out("symbols.pdf")
@force
def symbols(game: str | None, out: Path, force: bool) -> None:
    """Draw all symbols with their words, those of a GAME first."""
    from .gallery import symbols_scene

    _write(symbols_scene, game, out, force)


@cli.command("colours")
@click.argument("game", required=False)
@_out("colours.pdf")
@force
def colours(game: str | None, out: Path, force: bool) -> None:
    """Draw the colours of nations, as the colour-blind see them and in grey too: all of ours, or those of a GAME."""
    from .gallery import colours_scene

    _write(colours_scene, game, out, force)


def _write(scene: Callable[[Game | None], Scene], game: str | None, out: Path, force: bool) -> None:
    from assistant.drawing import WRITERS
    from assistant.plugins.registry import named_game
    from assistant.util.saving import check_free, write_whole

    check_ending(out, WRITERS, "a picture")
    check_free(out, force=force)
    with working(f"drawing {out}"):
        drawn = scene(named_game(game) if game else None)
        data = WRITERS[out.suffix.lower()](drawn)
    write_whole(out, data, force=force)
    echo(f"{out}: {drawn.title}")


@cli.command("import")
@click.argument("module", type=click.Path(path_type=Path, readable=False))
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, readable=False),
    required=True,
    help="The folder to write to, a new or an empty one.",
)
@click.option(
    "--extension",
    "extensions",
    multiple=True,
    type=click.Path(path_type=Path, readable=False),
    help="A VASSAL extension (.vmdx) whose pieces and boards are added. Repeat it for several.",
)
def import_command(module: Path, out: Path, extensions: tuple[Path, ...]) -> None:
    """Turn a VASSAL MODULE into the data files of a game: counters with their pictures, boards, set-ups, charts.

    Its pictures and texts belong to the maker of the module and of the game: the folder is for your own table, not to
    be passed on.
    """
    from .importing.game import REPORT, import_module

    with working(f"reading {module}"):
        made = import_module(module, out, extensions)
    echo(f"{out}: {', '.join(made.findings.in_words) or 'the module holds no pieces and no maps'}")
    lost = made.findings.lost
    echo(f"{count_text(lost, 'item')} not imported: listed in {out / REPORT}" if lost else "everything was imported")
    echo(f"next: module-builder check {out}")


for command in (board, sheets, aids, page):
    cli.add_command(command)


def main() -> None:
    """Run the builder's command line; a signal to end it removes half-written files, as an interruption does."""
    run(cli, end_as_interrupted)
