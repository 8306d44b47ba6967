"""The commands that print: `board`, `aids` and `sheets`, and what all commands ask of the names of files."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from functools import wraps
from itertools import chain
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar, get_args

import click

from assistant.cli.group import GameCommand
from assistant.util.console import count_text, echo, working
from assistant.util.errors import InputError, Where
from assistant.util.notes import note

from .sheets.layout import Fold

if TYPE_CHECKING:
    from assistant.game.games import Game
    from assistant.journal.journal import Journal

    from .counters.design import Variant
    from .counters.pieces import Counter
    from .sheets.layout import Setting

PICTURES = (".svg", ".pdf", ".png")
_PX, _MM = 60, 18.0
"""The height of a hex if none is asked for."""
_LARGEST = 40.0
"""The largest counter that has room in the boxes of player aids, in millimetres."""
_EXPORT_BLEED, _DPI = 3.0, 300

T = TypeVar("T")


class Millimetres(click.FloatRange):
    """A length from one number to another; "nan" is none."""

    name = "millimetres"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The length. Fails for what is not a number, and for one out of range."""
        length = super().convert(value, param, ctx)
        return length if isfinite(length) else self.fail(f"{value} is not a length", param, ctx)


force = click.option("--force", is_flag=True, help="Overwrite existing files.")
open_backs = click.option(
    "--open-backs", is_flag=True, help="Values on backs that would show only the nation's sign, to hide the unit."
)
cmyk = click.option("--cmyk", is_flag=True, help="Colours of the PDF in the inks of a press; black is black ink alone.")


def gathered(plan: type[T]) -> Callable[[Callable[[str, T], None]], Callable[..., None]]:
    """The options of a command as one value, whose fields they are, after its game."""

    def decorated(command: Callable[[str, T], None]) -> Callable[..., None]:
        @wraps(command)
        def called(game: str, **options: Any) -> None:
            command(game, plan(**options))

        return called

    return decorated


def check_ending(file: Path | None, endings: Collection[str], what: str, option: str = "--out") -> None:
    """Raise InputError for a file whose name says that it is something else. what: a file with one of the endings is."""
    if file is not None and file.suffix.lower() not in endings:
        hint = f"name it NAME{', NAME'.join(endings)}"
        raise InputError(f"{file} is not the name of {what}", where=Where(option), hint=hint)


def _check_outputs(outputs: Mapping[str, Path | None]) -> None:
    """Raise InputError for several outputs, and for one whose name says something else. outputs: by option."""
    named = [option for option, path in outputs.items() if path is not None]
    if len(named) > 1:
        raise InputError(f"only one of these at a time: {' or '.join(named)}", hint="run the command twice")
    check_ending(outputs["--out"], (".pdf",), "a PDF")
    check_ending(outputs["--preview"], (".png",), "a PNG", "--preview")
    for option in named:
        folder = outputs[option]
        if option in ("--svg", "--export") and folder is not None and folder.suffix.lower() in PICTURES:
            raise InputError(f"{folder} is the name of a file", where=Where(option), hint="name a folder")


def _check_cmyk(target: Path, process: bool) -> None:
    """Raise InputError for the inks of a press in what is not a PDF."""
    if process and target.suffix.lower() != ".pdf":
        raise InputError("only a PDF has the inks of a press", where=Where("--cmyk"), hint="name a file NAME.pdf")


def _write_pages(
    target: Path,
    what: str,
    *,
    whole: Callable[[], bytes],
    first: Callable[[], bytes],
    pages: Callable[[], Mapping[str, bytes]],
    force: bool,
) -> None:
    """Write pages as the name of their target says, and say so: all as a PDF, the first as a PNG, each as an SVG in a
    folder. what: they are, in words.
    """
    from assistant.util.saving import write_all, write_whole

    with working(f"writing {target}"):
        match target.suffix.lower():
            case ".pdf":
                write_whole(target, whole(), force=force)
            case ".png":
                write_whole(target, first(), force=force)
                what = f"the first page of {what}"
            case _:
                write_all(target, pages(), force=force)
    echo(f"{target}: {what}")


class BoardPlan(NamedTuple):
    """How `board` draws a board."""

    name: Annotated[str, note("which of the boards, empty for the only or largest one")]
    out: Path | None
    area: Annotated[str, note("two corners, empty for all")]
    height: Annotated[float | None, note("of a hex on paper, in millimetres")]
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
@gathered(BoardPlan)
def board(game: str, plan: BoardPlan) -> None:
    """Draw a board of a GAME as a map: SVG with named layers, PDF or PNG, whole or an area. The handbook: "Boards"."""
    from assistant.plugins.registry import named_game
    from assistant.util.saving import check_free, write_whole

    from .boards.display import in_words
    from .boards.files import board_file, choose_board, hexes_in
    from .boards.poster import Wish
    from .imprint import imprint_of
    from .sheets.sizes import paper_of

    loaded = named_game(game)
    target = plan.out or Path(f"{loaded.id}-board.pdf")
    ending = target.suffix.lower()
    check_ending(target, PICTURES, "a picture")
    _check_options(ending, plan)
    _check_cmyk(target, plan.cmyk)
    chosen_paper = paper_of(plan.paper or "a4") if plan.sheets else None
    check_free(target, force=plan.force)
    shown = choose_board(loaded, plan.name)
    hexes = hexes_in(shown, plan.area)
    if not shown.is_map:
        _check_display({"--no-labels": plan.no_labels, "--no-margin": plan.no_margin, "--drawn": plan.drawn})
    wish = Wish(names=not plan.no_labels, drawn=plan.drawn, margin=not plan.no_margin, whole=not plan.area)
    tall = plan.px or _PX if ending == ".png" else plan.height or _MM
    imprint = imprint_of(loaded, process=plan.cmyk)
    with working(f"drawing {target}"):
        data, size = board_file(loaded, shown, hexes, wish, ending, tall, chosen_paper, imprint)
    write_whole(target, data, force=plan.force)
    held = f"{count_text(len(hexes), 'hex', 'hexes')} of" if shown.is_map else f"{in_words(loaded, shown)} of"
    echo(f"{target}: {held} {shown.title}, {size}{'' if shown.is_map else '; no map of it is drawn'}")


def _check_display(chosen: Mapping[str, bool]) -> None:
    """Raise InputError for an option that means nothing for a board without a map."""
    for option in (option for option, is_chosen in chosen.items() if is_chosen):
        raise InputError("no map of this board is drawn", where=Where(option), hint=f"leave out {option}")


def _check_options(ending: str, plan: BoardPlan) -> None:
    """Raise InputError for an option that means nothing for a file with this ending."""
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


class AidsPlan(NamedTuple):
    """What `aids` typesets."""

    out: Path | None
    side: str
    nation: str
    only: Annotated[tuple[str, ...], note("cards, several with commas between them")]
    journal: Annotated[Path | None, note("whose turn a turn sheet is for")]
    paper: str
    die: str
    low_ink: bool
    reconstruction: bool
    svg: Path | None
    preview: Path | None
    cmyk: bool
    force: bool


@click.command("aids", cls=GameCommand)
@click.argument("game")
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, readable=False),
    help="The PDF to write. By default GAME-aids.pdf in this folder.",
)
@click.option("--side", default="", metavar="SIDE", help="Only what this side needs.")
@click.option("--nation", default="", metavar="NATION", help="Only what this nation needs.")
@click.option(
    "--only",
    multiple=True,
    metavar="CARDS",
    help="Only these cards, with commas between them: turn-track, sequence, checklist, charts, terrain-key, armies, records, "
    "turn-sheet.",
)
@click.option(
    "--journal", type=click.Path(path_type=Path, readable=False), help="The journal whose turn a turn sheet is for."
)
@click.option("--paper", default="a4", metavar="NAME", help="a4 (the default) or letter.")
@click.option(
    "--die", default="5/8", metavar="SIDE", help="The counters that lie in the boxes: 1/2, 5/8 (the default), 15mm."
)
@click.option("--low-ink", is_flag=True, help="White grounds, for a printer at home.")
@click.option(
    "--reconstruction",
    is_flag=True,
    help="Show reconstructed cells of charts too, in brackets, instead of empty boxes.",
)
@click.option(
    "--svg", type=click.Path(path_type=Path, readable=False), help="A folder for the pages as SVG, instead of a PDF."
)
@click.option(
    "--preview", type=click.Path(path_type=Path, readable=False), help="The first page as a PNG, instead of a PDF."
)
@cmyk
@force
@gathered(AidsPlan)
def aids(game: str, plan: AidsPlan) -> None:
    """Typeset the player aids of a GAME: turn track, sequence of play, charts, terrain key, displays. The handbook: "Player aids"."""
    from assistant.game.course import course_file
    from assistant.plugins.registry import named_game
    from assistant.util.saving import check_free

    from .aids.cards import choose_cards, lay_out, pdf, preview_of, svg_pages, troubles
    from .aids.page import AidSet, Look
    from .imprint import imprint_of
    from .sheets.sizes import die_of, paper_of

    _check_outputs({"--out": plan.out, "--svg": plan.svg, "--preview": plan.preview})
    look = Look(paper_of(plan.paper), die_of(plan.die), plan.low_ink)
    if look.die > _LARGEST:
        what = f"a counter of {look.die:g} mm does not fit in the boxes of player aids"
        raise InputError(what, where=Where("--die"), hint=f"a smaller die, up to {_LARGEST:g} mm")
    loaded = named_game(game)
    target = plan.svg or plan.preview or plan.out or Path(f"{loaded.id}-aids.pdf")
    _check_cmyk(target, plan.cmyk)
    imprint = imprint_of(loaded, process=plan.cmyk)
    if not plan.svg:
        check_free(target, force=plan.force)
    read = _journal_of(loaded, plan.journal) if plan.journal else None
    aid_set = AidSet(loaded, course_file(loaded), look, plan.side, plan.nation, plan.reconstruction, read)
    with working("typesetting"):
        cards = choose_cards(aid_set, [name.strip() for part in plan.only for name in part.split(",")])
        laid = lay_out(cards)
    names = ", ".join(dict.fromkeys(card.name for card in cards))
    _write_pages(
        target,
        f"{names} on {count_text(len(laid), 'page')}",
        whole=lambda: pdf(loaded.title, laid, imprint),
        first=lambda: preview_of(laid),
        pages=lambda: svg_pages(laid),
        force=plan.force,
    )
    for line in troubles(laid):
        echo(line, err=True)


def _journal_of(game: Game, file: Path) -> Journal:
    """A journal of a game, as it stood in the turn behind its name: `war.journal@aug14/3`. Raises InputError for a file
    that cannot be read, an entry that cannot take effect, a turn that is not, and a journal of another game.
    """
    from assistant.formats.positions import part_moment
    from assistant.journal.files import parse_journal
    from assistant.journal.journal import Journal
    from assistant.plugins.registry import formats
    from assistant.util.files import read_bytes

    path, moment = part_moment(str(file), formats())
    if moment.startswith("#"):
        raise InputError("a turn sheet is of a turn", where=Where(str(file)), hint=f"write: {path}@aug14/3")
    file = Path(path)
    text = parse_journal(read_bytes(file), str(file))
    if text.game != game.id:
        raise InputError(f"this is a journal of {text.game}, not of {game.id}", where=Where(str(file)))
    read = Journal.read(text, str(file), lambda _: game)
    for fault in read.all_faults():
        raise fault
    return read.standing_in(read.rules.calendar.number(moment[1:])) if moment else read


class SheetsPlan(NamedTuple):
    """What `sheets` lays out, and how."""

    out: Path | None
    fold: Fold
    paper: str
    die: str
    bleed: Annotated[float | None, note("in millimetres")]
    offset: Annotated[str | None, note("how far to move the backs, in millimetres: X,Y")]
    test_page: Annotated[bool, note("whether only the page is written by which that is measured")]
    only: Annotated[tuple[str, ...], note("counters, each as often as it is named")]
    low_ink: bool
    open_backs: bool
    svg: Path | None
    preview: Path | None
    export: Annotated[Path | None, note("a folder of pictures for a print service")]
    slug: Annotated[str | None, note("of these: columns and rows of counters in each")]
    dpi: Annotated[int | None, note("of these")]
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
    help="A folder for a print service, instead of a PDF: each side a PNG with its bleed and resolution, without marks.",
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
@gathered(SheetsPlan)
def sheets(game: str, plan: SheetsPlan) -> None:
    """Lay the counters of a GAME out on sheets to print, glue and cut. The handbook: "Counters to print and cut"."""
    from assistant.plugins.registry import named_game
    from assistant.util.saving import check_free

    from .counters.checks import mistake_line
    from .counters.pieces import trouble_lines
    from .sheets.layout import Setting
    from .sheets.pages import counters_to_print
    from .sheets.sizes import LEAST_BLEED, bleed_of, die_of, offset_of, paper_of

    _check_together(plan)
    width = bleed_of(plan.bleed if plan.bleed is not None else _EXPORT_BLEED if plan.export else LEAST_BLEED)
    setting = Setting(paper_of(plan.paper), plan.fold, die_of(plan.die), width)
    moved = offset_of(plan.offset) if plan.offset is not None else (0.0, 0.0)
    loaded = named_game(game)
    folder = plan.svg or plan.export
    target = (
        folder or plan.preview or plan.out or Path(f"{loaded.id}-{'test-page' if plan.test_page else 'sheets'}.pdf")
    )
    _check_cmyk(target, plan.cmyk)
    if folder is None:
        check_free(target, force=plan.force)
    elif plan.watch and not plan.force and folder.exists():
        raise InputError(
            f"{folder} is there already", where=Where("--watch"), hint="--force overwrites what is in the folder"
        )
    if plan.test_page:
        _write_test_page(target, setting, moved, force=plan.force)
        return
    if plan.watch:
        _watch(loaded, target)
        return
    with working("drawing counters"):
        variant: Variant = "low-ink" if plan.low_ink else "colour"
        made = counters_to_print(loaded, setting, variant, plan.only, open_backs=plan.open_backs)
    for line in (*mistake_line(loaded), *trouble_lines(made)):
        echo(line, err=True)
    if plan.export:
        _export(plan.export, made, plan.slug, plan.dpi or _DPI, force=plan.force)
        return
    _write_sheets(target, loaded, made, setting, moved, planned=not plan.only, process=plan.cmyk, force=plan.force)


def _write_sheets(
    target: Path,
    game: Game,
    made: Sequence[Counter],
    setting: Setting,
    offset: tuple[float, float],
    *,
    planned: bool,
    process: bool,
    force: bool,
) -> None:
    """Lay counters out, write the sheets and say so. offset: of the printer; planned: whether a plan follows; process:
    whether colours are the inks of a press.
    """
    from .imprint import imprint_of
    from .sheets.export import svg_pages
    from .sheets.pages import in_words, lay_out, pdf, preview_of

    with working("laying out sheets"):
        laid = lay_out(game.title, made, setting, offset, planned=planned)
    imprint = imprint_of(game, process=process)
    plan = ", plan included" if laid.pages[-1].side == "plan" else ""
    _write_pages(
        target,
        f"{in_words(laid.counters)} on {count_text(len(laid.pages), 'page')}{plan}",
        whole=lambda: pdf(laid, imprint),
        first=lambda: preview_of(laid),
        pages=lambda: svg_pages(laid),
        force=force,
    )


def _write_test_page(target: Path, setting: Setting, offset: tuple[float, float], *, force: bool) -> None:
    """Write the page to measure a printer by, turned over the edge that the fold says, and say how to use it."""
    from assistant.util.saving import write_whole

    from .sheets.measuring import measuring_page

    fold: Fold = "short-edge" if setting.fold == "short-edge" else "long-edge"
    write_whole(target, measuring_page(setting._replace(fold=fold), offset), force=force)
    how = f"print it at 100 % on both sides, turned over the {fold.replace('-', ' ')}, and read the offset"
    echo(f"{target}: {how}")


def _export(folder: Path, made: Sequence[Counter], slug: str | None, dpi: int, *, force: bool) -> None:
    """Write pictures for a print service, and say so. slug: how many counters are on each, None for one."""
    from assistant.util.saving import write_all

    from .counters.pictures import strangers
    from .sheets.export import single_pictures, slug_of, slug_pictures
    from .sheets.pages import in_words

    with working("drawing pictures"):
        pictures = slug_pictures(made, slug_of(slug), dpi) if slug is not None else single_pictures(made, dpi)
    write_all(folder, pictures, force=force)
    for line in strangers(folder, pictures):
        echo(line, err=True)
    echo(f"{folder}: {count_text(len(pictures), 'picture')} of {in_words(made)}, {dpi} dpi")


def _check_together(plan: SheetsPlan) -> None:
    """Raise InputError for options that mean nothing together, and for a file whose name says something else."""
    outputs = {"--out": plan.out, "--svg": plan.svg, "--preview": plan.preview, "--export": plan.export}
    _check_outputs(outputs)
    if plan.test_page and (
        other := next((option for option, path in outputs.items() if path and option != "--out"), "")
    ):
        hint = "name it with -o"
        raise InputError(f"the test page is a PDF, without {other}", where=Where("--test-page"), hint=hint)
    if plan.test_page and plan.watch:
        raise InputError("the test page does not change", where=Where("--watch"), hint="leave one of the two out")
    exported = {"--slug": plan.slug, "--dpi": plan.dpi}
    said = next((option for option, value in exported.items() if value is not None), "")
    if said and not plan.export:
        raise InputError("it is for pictures for a print service", where=Where(said), hint="add --export FOLDER")
    if plan.offset is not None and plan.fold not in ("long-edge", "short-edge"):
        hint = "it moves the backs of --fold long-edge and short-edge"
        raise InputError(f"--fold {plan.fold} prints on one side of the paper", where=Where("--offset"), hint=hint)


def _watch(game: Game, made: Path) -> None:
    """Run this command without --watch, now and after each change in the folder of the game.

    Each time in a process of its own, which reads code and data anew; a mistake that ends it is told without ending the
    watch.
    """
    import subprocess

    from assistant.util.files import saves

    words = [word for word in sys.argv[1:] if word not in ("--watch", "--force")]
    program = [sys.executable] if hasattr(sys, "frozen") else [sys.executable, "-m", "module_builder"]
    folder = Path(str(game.folder))
    echo(f"watching {folder}; Ctrl+C ends it")
    with suppress(KeyboardInterrupt):
        for _ in chain([None], saves(folder, made)):
            subprocess.run([*program, *words, "--force"], check=False)
