"""The command `luck`."""

from __future__ import annotations

from pathlib import Path
from typing import Unpack

import click

from ...records.luck.calculation import tell_luck
from ...records.luck.page import PAGE_ENDINGS, write_page
from ...records.luck.sheet import write_rolls
from ...records.luck.words import format_forum, format_text, luck_json
from ...util.console import echo
from ...util.errors import InputError, Where
from ...util.writing import check_free
from .options import RecordOptions
from .record import of_record, opened_record


@click.command("luck")
@of_record
@click.option("--csv", "as_csv", is_flag=True, help="A row for each roll, for a spreadsheet.")
@click.option("--forum", is_flag=True, help="Plain lines to paste into a post.")
@click.option("--json", "as_json", is_flag=True, help="Everything as JSON, with exact fractions.")
@click.option(
    "--page",
    type=click.Path(path_type=Path, readable=False),
    help="Also write it with pictures as a page to print: .html, .pdf, .svg or .png.",
)
@click.option("--force", is_flag=True, help="Overwrite a page that exists.")
def luck(
    file: str,
    as_csv: bool,
    forum: bool,
    as_json: bool,
    page: Path | None,
    force: bool,
    **options: Unpack[RecordOptions],
) -> None:
    """Show the luck in a log (.vlog) or a journal exactly: each battle's result beside the possible ones.

    Each roll is shown with its worth, then all of them together.

    Choices are shown apart from dice, and never judged. Battles that cannot be reconstructed are named and left out of
    all sums.
    """
    chosen = [option for option, given in (("--csv", as_csv), ("--forum", forum), ("--json", as_json)) if given]
    if len(chosen) > 1:
        raise InputError(f"{' and '.join(chosen)} do not go together", hint="leave all but one of them out")
    if page is not None and page.suffix.lower() not in PAGE_ENDINGS:
        hint = "name it NAME" + ", NAME".join(PAGE_ENDINGS)
        raise InputError(f"{page} is not a page that can be written", where=Where("--page"), hint=hint)
    if page is not None:
        check_free(page, force=force)
    with opened_record(file, options) as record:
        evening = tell_luck(record)
    if page is not None:
        write_page(evening, record.game, page, force=force)
    if as_csv:
        echo(write_rolls(evening), nl=False)
    elif as_json:
        echo(luck_json(evening))
    else:
        echo(format_forum(evening) if forum else format_text(evening), nl=False)
