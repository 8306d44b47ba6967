"""The command `sheets`: sheets of counters to print, and sheets for other programs and for print services.

The latter are SVG with named layers for Inkscape, and pictures with bleed.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence, Set
from contextlib import suppress
from itertools import chain, groupby
from pathlib import Path
from typing import Annotated, Literal, NamedTuple, get_args

import click
from lxml import etree

from assistant.drawing.colours import WHITE
from assistant.drawing.pdf import PdfPage, PlacedScene
from assistant.drawing.png import page_to_png, to_png, with_resolution
from assistant.drawing.press import PressProfile
from assistant.drawing.scene import Layer, Rectangle, Scene, Shape
from assistant.drawing.svg import NAMESPACE, elements_of, svg_length
from assistant.faces.cli.group import GameCommand
from assistant.game.games import Game
from assistant.installed.registry import named_game
from assistant.util.console import echo, format_count, show_working
from assistant.util.errors import InputError, Where
from assistant.util.files import saves
from assistant.util.notes import note
from assistant.util.writing import check_free, write_all, write_whole

from ..counters.checks import format_mistakes
from ..counters.design import FILE, Variant
from ..counters.picture_names import face_picture, picture_words
from ..counters.pictures import find_strangers
from ..counters.pieces import Counter, format_troubles
from ..imprint import imprint_of
from ..printing import (
    Millimetres,
    check_outputs,
    choose_press,
    cmyk,
    echo_differences,
    force,
    gather_options,
    open_backs,
    write_pages,
)
from .layout import Fold, SheetSetting
from .marks import measuring_page
from .pages import (
    PrintedPage,
    Sheets,
    back_of,
    counters_to_print,
    format_counter_count,
    lay_out_counters,
    sheets_pdf,
    sheets_preview,
    sort_counters,
)
from .sizes import INCH_MM, MIN_BLEED_MM, Box, check_bleed, parse_die, parse_offset, parse_paper

_SVG = f"{{{NAMESPACE}}}"
_INKSCAPE = "http://www.inkscape.org/namespaces/inkscape"
_XLINK = "http://www.w3.org/1999/xlink"
_LABELS = {
    "marks": "Crop marks",
    "registration": "Registration",
    "fold": "Fold",
    "words": "Words",
    "rows": "Rows",
    "plan": "Plan",
    "die-line": "Die line",
}
_MAX_SLUG_SIDE = 40


def _sheets_svg(sheets: Sheets) -> dict[str, bytes]:
    """Return each page as an SVG document, by its file name."""
    names = [f"page-{n:02}-{page.side}.svg" for n, page in enumerate(sheets.pages, 1)]
    return {name: _write_page(page) for name, page in zip(names, sheets.pages, strict=True)}


def _write_page(page: PrintedPage) -> bytes:
    scene = page.around
    width, height = svg_length(scene.width), svg_length(scene.height)
    root = etree.Element(_SVG + "svg", nsmap={None: NAMESPACE, "inkscape": _INKSCAPE, "xlink": _XLINK})
    for name, value in {
        "width": f"{width}mm",
        "height": f"{height}mm",
        "viewBox": f"0 0 {width} {height}",
    }.items():
        root.set(name, value)
    etree.SubElement(root, _SVG + "title").text = scene.title
    known = _define_faces(root, page)
    sides = {"Fronts": page.fronts, "Backs": page.backs}
    placed = 0
    for label, faces in sides.items():
        if faces:
            layer = _add_layer(root, label)
            for face in faces:
                placed += 1
                _place_face(layer, face, known[id(face.scene)], placed)
    over = page.die_line.layers if page.die_line else ()
    for name, drawn in groupby((*scene.layers, *over), key=lambda layer: layer.name):
        layer = _add_layer(root, _LABELS.get(name, name))
        for part in drawn:
            _add_shapes(layer, part.shapes)
    etree.indent(root, " ")
    return etree.tostring(root, encoding="utf-8", xml_declaration=True)


def _define_faces(root: etree._Element, page: PrintedPage) -> dict[int, str]:
    """Add each distinct face to the definitions, and return its id by scene."""
    definitions = etree.SubElement(root, _SVG + "defs")
    known: dict[int, str] = {}
    for placed in (*page.fronts, *page.backs):
        scene: Scene = placed.scene
        if id(scene) not in known:
            known[id(scene)] = f"face-{len(known) + 1}"
            group = etree.SubElement(definitions, _SVG + "g", id=known[id(scene)])
            etree.SubElement(group, _SVG + "title").text = scene.title
            for layer in scene.layers:
                _add_shapes(group, layer.shapes)
    return known


def _add_shapes(parent: etree._Element, shapes: Sequence[Shape]) -> None:
    marks = 1 + len(parent.getroottree().findall(f".//{_SVG}g[@id]"))
    drawn = f'<g xmlns="{NAMESPACE}">{"".join(elements_of(shapes, marks))}</g>'
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
    parent.extend(list(etree.fromstring(drawn, parser)))
    etree.cleanup_namespaces(parent)


def _place_face(layer: etree._Element, placed: PlacedScene, face: str, count: int) -> None:
    """Put a face into a layer, clipped to its visible part.

    `face`: the id of the face.
    `count`: the number of the face on the page.
    """
    clip = etree.SubElement(layer, _SVG + "clipPath", id=f"seen-{count}")
    left, top, width, height = placed.clip or (placed.left, placed.top, placed.width, placed.height)
    sizes = {"x": left, "y": top, "width": width, "height": height}
    etree.SubElement(clip, _SVG + "rect", {name: f"{length:.3f}" for name, length in sizes.items()})
    seen = etree.SubElement(layer, _SVG + "g", {"clip-path": f"url(#seen-{count})"})
    x, y = placed.left, placed.top
    at = f"translate({x:.3f} {y:.3f})"
    if placed.turned:
        at = f"translate({x + placed.width:.3f} {y + placed.height:.3f}) rotate(180)"
    etree.SubElement(seen, _SVG + "use", {f"{{{_XLINK}}}href": f"#{face}", "transform": at})


def _add_layer(root: etree._Element, label: str) -> etree._Element:
    return etree.SubElement(
        root,
        _SVG + "g",
        {
            f"{{{_INKSCAPE}}}groupmode": "layer",
            f"{{{_INKSCAPE}}}label": label,
            "id": label.casefold().replace(" ", "-"),
        },
    )


class _Slug(NamedTuple):
    """The grid of counters on a picture."""

    columns: int
    rows: int


def _parse_slug(text: str) -> _Slug:
    """Parse `12x7` as 12 columns and 7 rows.

    Raises InputError if the text has another form, or a number is not 1 to 40.
    """
    match = re.fullmatch(r"([0-9]{1,2})x([0-9]{1,2})", text.strip().casefold())
    if not match or not all(1 <= int(many) <= _MAX_SLUG_SIDE for many in match.groups()):
        hint = f"columns and rows, at most {_MAX_SLUG_SIDE}: 12x7"
        raise InputError(f"{text!r} is not a slug", where=Where("--slug"), hint=hint)
    return _Slug(int(match[1]), int(match[2]))


def _single_pictures(counters: Sequence[Counter], dpi: int) -> dict[str, bytes]:
    """Return a PNG for each side of each counter, by its file name: trim and bleed, with the resolution in the file.

    The name includes the number of copies if it is more than one.
    """
    faces: dict[str, Scene] = {}
    words = picture_words(counter.unit for counter in counters)
    for counter in counters:
        for side, face in (("front", counter.front), ("back", back_of(counter))):
            name = face_picture(words[counter.unit], side)
            faces[f"{counter.count}x-{name}" if counter.count > 1 else name] = face
    drawn = to_png(list(faces.values()), dpi / INCH_MM)
    return {name: with_resolution(data, dpi / INCH_MM) for name, data in zip(faces, drawn, strict=True)}


def _slug_pictures(counters: Sequence[Counter], slug: _Slug, dpi: int) -> dict[str, bytes]:
    """Return a PNG of the fronts and one of the backs of each slug, by its file name, with all copies of each counter.

    Backs are mirrored left to right to match the fronts. Bleed surrounds the whole slug.
    """
    in_order = sort_counters(counters)
    files = {}
    per_slug = slug.columns * slug.rows
    for sheet, first in enumerate(range(0, len(in_order), per_slug), 1):
        on_slug = in_order[first : first + per_slug]
        files[f"slug-{sheet:02}-front.png"] = _draw_slug(on_slug, slug, dpi, mirrored=False)
        files[f"slug-{sheet:02}-back.png"] = _draw_slug(on_slug, slug, dpi, mirrored=True)
    return files


def _draw_slug(counters: Sequence[Counter], slug: _Slug, dpi: int, *, mirrored: bool) -> bytes:
    """Return a PNG of counters in a grid; of backs, from right to left, if it is `mirrored`."""
    if shaped := next((counter for counter in counters if counter.trim), None):
        hint = f"leave out --slug, or name others with --only; {FILE} gives {shaped.unit} a cut"
        raise InputError("a slug has squares of one size", where=Where("--slug"), hint=hint)
    side, bleed = counters[0].side, counters[0].bleed
    width, height = slug.columns * side + 2 * bleed, slug.rows * side + 2 * bleed
    paper = Rectangle(x=0, y=0, width=width, height=height, fill=WHITE)
    ground = Scene(width=width, height=height, title="", layers=(Layer("paper", (paper,)),))
    faces = [PlacedScene(ground, 0, 0, width, height)]
    cells = [divmod(place, slug.columns) for place in range(len(counters))]
    taken = {(row, slug.columns - 1 - column if mirrored else column) for row, column in cells}
    for counter, (row, place) in zip(counters, cells, strict=True):
        face = back_of(counter) if mirrored else counter.front
        column = slug.columns - 1 - place if mirrored else place
        trim = Box(bleed + column * side, bleed + row * side, side, side)
        whole = trim.grown(bleed)
        faces.append(PlacedScene(face, *whole, clip=_find_seen(trim, bleed, row, column, taken)))
    return with_resolution(page_to_png(PdfPage(width, height, tuple(faces)), dpi / INCH_MM), dpi / INCH_MM)


def _find_seen(trim: Box, bleed: float, row: int, column: int, taken: Set[tuple[int, int]]) -> Box:
    """Return the visible part of a face on a slug: its trim, and its bleed on sides without a neighbour."""
    left = trim.left - (0 if (row, column - 1) in taken else bleed)
    top = trim.top - (0 if (row - 1, column) in taken else bleed)
    right = trim.right + (0 if (row, column + 1) in taken else bleed)
    bottom = trim.bottom + (0 if (row + 1, column) in taken else bleed)
    return Box(left, top, right - left, bottom - top)


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
    die_line: Annotated[float | None, note("radius of the corners of a die line, in millimetres")]
    guillotine: Annotated[bool, note("whether cuts are lines through the sheet")]
    marks: Annotated[Literal["both", "front"], note("the sides that have crop marks")]
    cmyk: bool
    profile: Path | None
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
@click.option(
    "--die-line",
    type=Millimetres(0, 6),
    metavar="RADIUS",
    help="Outlines for a cutting machine, in the spot colour CutContour, with corners of this radius in mm.",
)
@click.option("--guillotine", is_flag=True, help="Cuts as lines through the whole sheet instead of ticks at its edges.")
@click.option(
    "--marks", type=click.Choice(["both", "front"]), default="both", help="The sides with crop marks. By default both."
)
@cmyk
@click.option("--watch", is_flag=True, help="Write it again whenever a file of the game is saved, until Ctrl+C.")
@force
@gather_options(SheetsPlan)
def sheets(game: str, plan: SheetsPlan) -> None:
    """Lay the counters of a GAME out on sheets to print, glue and cut. The handbook: "Counters to print and cut"."""
    _check_together(plan)
    usual = _EXPORT_BLEED_MM if plan.export else MIN_BLEED_MM
    bleed = check_bleed(plan.bleed if plan.bleed is not None else usual)
    paper, die, one_sided = parse_paper(plan.paper), parse_die(plan.die), plan.marks == "front"
    setting = SheetSetting(paper, plan.fold, die, bleed, plan.die_line, plan.guillotine, one_sided)
    moved = parse_offset(plan.offset) if plan.offset is not None else (0.0, 0.0)
    loaded = named_game(game)
    target = _choose_target(plan, loaded)
    press = choose_press(target, cmyk=plan.cmyk, profile=plan.profile)
    if plan.test_page:
        _write_test_page(target, setting, moved, force=plan.force)
    elif plan.watch:
        _watch_folder(loaded, target)
    else:
        _draw_sheets(plan, loaded, target, setting, moved, press)


def _choose_target(plan: SheetsPlan, game: Game) -> Path:
    folder = plan.svg or plan.export
    usual = Path(f"{game.id}-{'test-page' if plan.test_page else 'sheets'}.pdf")
    target = folder or plan.preview or plan.out or usual
    if folder is None:
        check_free(target, force=plan.force)
    elif plan.watch and not plan.force and folder.exists():
        raise InputError(
            f"{folder} is there already", where=Where("--watch"), hint="--force overwrites what is in the folder"
        )
    return target


def _draw_sheets(
    plan: SheetsPlan,
    loaded: Game,
    target: Path,
    setting: SheetSetting,
    moved: tuple[float, float],
    press: PressProfile | None,
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
        _write_sheets(target, loaded, made, setting, moved, planned=not plan.only, press=press, force=plan.force)


def _write_sheets(
    target: Path,
    game: Game,
    made: Sequence[Counter],
    setting: SheetSetting,
    offset: tuple[float, float],
    *,
    planned: bool,
    press: PressProfile | None,
    force: bool,
) -> None:
    """Lay counters out, write the sheets, and print a line about it.

    `offset`: the offset of the printer.
    `planned`: whether the plan is added.
    `press`: the profile of the press, or None for the colours of a screen.
    """
    with show_working("laying out sheets"):
        pages = lay_out_counters(game.title, made, setting, offset, planned=planned)
    imprint = imprint_of(game, press=press)
    plan = ", plan included" if pages.pages[-1].side == "plan" else ""
    write_pages(
        target,
        f"{format_counter_count(pages.counters)} on {format_count(len(pages.pages), 'page')}{plan}",
        whole=lambda: sheets_pdf(pages, imprint),
        first=lambda: sheets_preview(pages),
        pages=lambda: _sheets_svg(pages),
        force=force,
    )
    echo_differences(press)


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
        pictures = _slug_pictures(made, _parse_slug(slug), dpi) if slug is not None else _single_pictures(made, dpi)
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
    sheet_options = {"--die-line": plan.die_line is not None, "--guillotine": plan.guillotine}
    for option in (option for option, chosen in sheet_options.items() if chosen and plan.export):
        raise InputError("pictures for a print service have no marks", where=Where(option), hint=f"leave out {option}")
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
