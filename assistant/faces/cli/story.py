"""The command `story`: the story of a record of play, as text, as a page and as a strip of maps."""

from __future__ import annotations

from pathlib import Path
from typing import Unpack

import click

from ...drawing import WRITERS
from ...drawing.front.strip import MAP_WIDTH_MM, MAX_MAPS, strip_scene
from ...records.story.chapters import chosen_turns
from ...records.story.page import to_page
from ...records.story.story import Story
from ...records.story.words import format_forum, format_story
from ...util.console import echo
from ...util.errors import InputError, Where
from ...util.writing import check_free, write_whole
from .options import RecordOptions
from .record import of_record, opened_record

_FILE = click.Path(path_type=Path, readable=False)
_STRIPS = (".svg", ".pdf", ".png")
_PAGES = (".html", ".htm")


@click.command("story")
@of_record
@click.option(
    "--turn", "turns", multiple=True, metavar="TURN", help="Only this turn, or turns as 3-5; repeat it for more."
)
@click.option("-o", "--output", type=_FILE, help="Write the story as a page, .html, with a map of each turn.")
@click.option("--strip", type=_FILE, help="Draw the front turn by turn into this SVG, PDF or PNG file.")
@click.option("--forum", is_flag=True, help="Plain lines to paste into a post.")
@click.option("--force", is_flag=True, help="Overwrite files that exist.")
def story(
    file: str,
    turns: tuple[str, ...],
    output: Path | None,
    strip: Path | None,
    forum: bool,
    force: bool,
    **options: Unpack[RecordOptions],
) -> None:
    """Write the story of a game from its record FILE, a log (.vlog) or a journal: who moved, fought, came and left,
    turn by turn.

    It names only what the record shows. The front on its maps is that of the units: where they stand nearest, and what
    a side controls by the record.
    """
    for target, endings, name in ((output, _PAGES, "-o"), (strip, _STRIPS, "--strip")):
        if target is not None:
            _check_ending(target, endings, name)
            check_free(target, force=force)
    with opened_record(file, options, by_turns=True) as record:
        chosen = chosen_turns(record.game, turns) if turns else []
        whole_story = Story(record, chosen)
        if not whole_story.chapters:
            what = "nothing was played"
            hint = "a record of play has moves, dice or entries"
            if turns:
                what = f"nothing was played in turn {', '.join(turns)}"
                hint = "name other turns"
            raise InputError(what, where=Where(file), hint=hint)
        if output is not None:
            _write_page(whole_story, output, force=force)
        if strip is not None:
            _write_strip(whole_story, strip, force=force)
        if output is strip is None:
            echo(format_forum(whole_story) if forum else format_story(whole_story), nl=False)


def _check_ending(target: Path, endings: tuple[str, ...], name: str) -> None:
    if target.suffix.lower() not in endings:
        hint = "name it NAME" + ", NAME".join(endings)
        raise InputError(f"{target} has the wrong ending", where=Where(name), hint=hint)


def _write_page(story: Story, target: Path, *, force: bool) -> None:
    write_whole(target, to_page(story).encode(), force=force)
    echo(f"page written: {target}", err=True)


def _write_strip(story: Story, target: Path, *, force: bool) -> None:
    scene = strip_scene(story.strip(MAP_WIDTH_MM, MAX_MAPS), story.title, story.span)
    write_whole(target, WRITERS[target.suffix.lower()](scene), force=force)
    echo(f"strip written: {target}", err=True)
