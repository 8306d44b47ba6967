"""The command `aids`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NamedTuple

import click

from assistant.faces.cli.group import GameCommand
from assistant.formats.positions import part_moment
from assistant.game.course import course_file
from assistant.game.games import Game
from assistant.installed.formats import formats
from assistant.installed.registry import named_game
from assistant.records.journal.files import parse_journal
from assistant.records.journal.journal import Journal
from assistant.util.console import echo, format_count, show_working
from assistant.util.errors import InputError, Where
from assistant.util.files import read_bytes
from assistant.util.notes import note
from assistant.util.writing import check_free

from ..imprint import imprint_of
from ..printing import check_outputs, choose_press, cmyk, echo_differences, force, gather_options, write_pages
from ..sheets.sizes import parse_die, parse_paper
from .aid_set import AidSet
from .cards import aids_pdf, aids_preview, aids_svg, choose_cards, pack_cards, troubles
from .page import AidStyle

_MAX_DIE_MM = 40.0
"""The largest counter that fits the boxes of player aids."""


class AidsPlan(NamedTuple):
    """The options of `aids`."""

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
    profile: Path | None
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
    help="Only these cards, with commas between them: turn-track, sequence, checklist, charts, terrain-key, counter, "
    "armies, records, roster, answers, turn-sheet.",
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
    help="Show made-up or rebuilt cells of charts too, in brackets, instead of empty boxes.",
)
@click.option(
    "--svg", type=click.Path(path_type=Path, readable=False), help="A folder for the pages as SVG, instead of a PDF."
)
@click.option(
    "--preview", type=click.Path(path_type=Path, readable=False), help="The first page as a PNG, instead of a PDF."
)
@cmyk
@force
@gather_options(AidsPlan)
def aids(game: str, plan: AidsPlan) -> None:
    """Typeset the player aids of a GAME: turn track, sequence of play, charts, terrain key, displays. The handbook:
    "Player aids".
    """
    check_outputs({"--out": plan.out, "--svg": plan.svg, "--preview": plan.preview})
    style = AidStyle(parse_paper(plan.paper), parse_die(plan.die), plan.low_ink)
    if style.die > _MAX_DIE_MM:
        what = f"a counter of {style.die:g} mm does not fit in the boxes of player aids"
        raise InputError(what, where=Where("--die"), hint=f"a smaller die, up to {_MAX_DIE_MM:g} mm")
    loaded = named_game(game)
    target = plan.svg or plan.preview or plan.out or Path(f"{loaded.id}-aids.pdf")
    press = choose_press(target, cmyk=plan.cmyk, profile=plan.profile)
    imprint = imprint_of(loaded, press=press)
    if not plan.svg:
        check_free(target, force=plan.force)
    journal = _read_journal(loaded, plan.journal) if plan.journal else None
    aid_set = AidSet(
        loaded,
        course_file(loaded),
        style,
        side=plan.side,
        nation=plan.nation,
        made_up=plan.reconstruction,
        journal=journal,
    )
    with show_working("typesetting"):
        cards = choose_cards(aid_set, [name.strip() for part in plan.only for name in part.split(",")])
        pages = pack_cards(cards)
    names = ", ".join(dict.fromkeys(card.name for card in cards))
    write_pages(
        target,
        f"{names} on {format_count(len(pages), 'page')}",
        whole=lambda: aids_pdf(loaded.title, pages, imprint),
        first=lambda: aids_preview(pages),
        pages=lambda: aids_svg(pages),
        force=plan.force,
    )
    echo_differences(press)
    for line in troubles(pages):
        echo(line, err=True)


def _read_journal(game: Game, file: Path) -> Journal:
    """Return a journal of a game, in the turn named behind its file: `war.journal@aug14/3`.

    Raises InputError if the file cannot be read, an entry cannot take effect, the turn does not exist, or the journal
    is of another game.
    """
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
