"""The command `module-builder aids`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assistant.cli.group import GameCommand
from assistant.util.console import count_text, echo
from assistant.util.errors import InputError, Where, suggested

if TYPE_CHECKING:
    from .cards import Card, Wanted

_LARGEST = 40.0


@click.command("aids", cls=GameCommand)
@click.argument("game")
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), help="The PDF to write. By default GAME-aids.pdf in this folder."
)
@click.option("--side", default="", metavar="SIDE", help="Only what this side needs.")
@click.option("--nation", default="", metavar="NATION", help="Only what this nation needs.")
@click.option(
    "--only",
    multiple=True,
    metavar="CARDS",
    help="Only these cards, with commas between them: turn-track, sequence, checklist, charts, terrain-key, armies, records.",
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
@click.option("--svg", type=click.Path(path_type=Path), help="A folder for the pages as SVG, instead of a PDF.")
@click.option("--preview", type=click.Path(path_type=Path), help="The first page as a PNG, instead of a PDF.")
@click.option("--force", is_flag=True, help="Overwrite existing files.")
def aids(
    game: str,
    out: Path | None,
    side: str,
    nation: str,
    only: tuple[str, ...],
    paper: str,
    die: str,
    low_ink: bool,
    reconstruction: bool,
    svg: Path | None,
    preview: Path | None,
    force: bool,
) -> None:
    """Typeset the player aids of a GAME: turn track, sequence of play, charts, terrain key, displays: docs/aids.md."""
    from assistant.game.course import course_file
    from assistant.plugins.registry import named_game
    from assistant.util.saving import check_free, write_all, write_whole

    from ..sheets.layout import die_of, paper_of
    from .cards import Wanted, pdf, preview_of, svg_pages, troubles
    from .page import Look

    _check_outputs(out, svg, preview)
    look = Look(paper_of(paper), _fitting(die_of(die)), low_ink)
    loaded = named_game(game)
    target = preview or out or Path(f"{loaded.id}-aids.pdf")
    if not svg:
        check_free(target, force=force)
    wanted = Wanted(loaded, course_file(loaded), look, side, nation, reconstruction)
    cards = _cards(wanted, [name for part in only for name in part.split(",")])
    if svg:
        write_all(svg, svg_pages(cards), force=force)
    else:
        write_whole(target, preview_of(cards) if preview else pdf(loaded.title, cards), force=force)
    count = count_text(sum(len(card.pages) for card in cards), "page")
    echo(f"{svg or target}: {'the first page of ' if preview else ''}{', '.join(_names(cards))} on {count}")
    for line in troubles(cards):
        echo(line, err=True)


def _fitting(die: float) -> float:
    """The side of a counter itself. Raises InputError for one that would leave no room on a page."""
    if die > _LARGEST:
        what = f"a counter of {die:g} mm has no room in the boxes of player aids"
        raise InputError(what, where=Where("--die"), hint=f"a smaller die, up to {_LARGEST:g} mm")
    return die


def _check_outputs(out: Path | None, svg: Path | None, preview: Path | None) -> None:
    """Raise InputError for several outputs, and for a file whose name says something else."""
    named = [option for option, path in (("--out", out), ("--svg", svg), ("--preview", preview)) if path]
    if len(named) > 1:
        raise InputError(f"it is one or the other: {' or '.join(named)}", hint="run the command twice")
    for option, path, ending, kind in (("--out", out, ".pdf", "PDF"), ("--preview", preview, ".png", "PNG")):
        if path is not None and path.suffix.lower() != ending:
            raise InputError(f"{path} is not the name of a {kind}", where=Where(option), hint=f"name it NAME{ending}")
    if svg is not None and svg.suffix.lower() in (".svg", ".png", ".pdf"):
        raise InputError(f"{svg} is the name of a file", where=Where("--svg"), hint="name a folder")


def _cards(wanted: Wanted, names: Sequence[str]) -> list[Card]:
    """The cards that are asked for, all that the game has if none is.

    Raises InputError for an unknown name, and for a card that the game's files do not make.
    """
    from .cards import CARDS

    for name in names:
        if name not in CARDS:
            near = suggested(name, CARDS)()
            hint = (
                f"known: {', '.join(CARDS)}" if not near.startswith("nearest") else f"{near}; all: {', '.join(CARDS)}"
            )
            raise InputError(f"unknown card {name!r}", where=Where("--only"), hint=hint)
    chosen = dict.fromkeys(names or CARDS)
    made = {name: CARDS[name](wanted) for name in CARDS if name in chosen}
    if names and (empty := [name for name in chosen if not made[name]]):
        files = "course.toml, turns.csv and charts.toml, docs/game-files.md"
        what = f"{wanted.game.title} has nothing for {' and '.join(empty)}"
        raise InputError(what, where=Where("--only"), hint=f"it is made from {files}")
    cards = [card for name in made for card in made[name]]
    if not cards:
        what = f"{wanted.game.title} has no player aids"
        raise InputError(what, hint="they are made from its course.toml, turns.csv and charts.toml: docs/game-files.md")
    return cards


def _names(cards: Sequence[Card]) -> list[str]:
    """The cards by name, each once."""
    return list(dict.fromkeys(card.name for card in cards))
