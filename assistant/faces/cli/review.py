"""The command `review`: each step of a record judged."""

from __future__ import annotations

from typing import Unpack

import click

from ...formats.positions import JOURNAL, count_by_lines
from ...installed.formats import read_record
from ...records.review.marks import Review
from ...records.review.review import review_journal, review_log, review_saves
from ...records.review.words import format_review, review_json
from ...state.state import is_limited
from ...util.console import echo
from ...util.limits import kept_private
from .group import GameCommand
from .options import (
    RecordOptions,
    StateArgument,
    as_seen,
    eyes,
    game_loader,
    may_be_limited,
    open_position,
    trusting,
    with_game,
)
from .output import trust_of
from .record import open_journal


@click.command("review", cls=GameCommand)
@click.argument("file", type=StateArgument())
@click.argument("after", type=StateArgument(), required=False)
@eyes
@with_game
@click.option("--brief", is_flag=True, help="Only what is against a rule or undecided.")
@click.option("--json", "as_json", is_flag=True, help="The whole review as JSON.")
@trusting
@click.pass_context
def review(
    ctx: click.Context, file: str, after: str | None, brief: bool, as_json: bool, **options: Unpack[RecordOptions]
) -> None:
    """Judge each step of a FILE: a VASSAL log (.vlog), a journal, or a save with the save AFTER it.

    A step is lawful, against a rule, undecided for a fact that is missing, or not a matter of rules. Units are judged by
    where they stood and stand: a move is lawful if any way and any order allows it.

    The exit code is 0 if all is lawful, 1 if a step is against a rule, else 4 if one is undecided.
    """
    found = _review_file(file, after, options)
    echo(review_json(found) if as_json else format_review(found, is_brief=brief), nl=as_json)
    ctx.exit(found.exit_code)


def _review_file(file: str, after: str | None, options: RecordOptions) -> Review:
    if after is not None:
        return review_saves(open_position(file, options), open_position(after, options), (file, after))
    trust = trust_of(options)
    with kept_private(file, limited=may_be_limited(options)):
        if file.lower().endswith(JOURNAL):
            return review_journal(open_journal(file, options, trust))
        record = read_record(file, game_loader(options), lambda game, state: as_seen(game, state, options), (JOURNAL,))
        if is_limited(record.at(record.moments[0]).state.seen_by):
            record = count_by_lines(record)
        return review_log(record, file, trust)
