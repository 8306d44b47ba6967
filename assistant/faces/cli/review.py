"""The command `review`: each step of a record judged."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from typing import Unpack

import click

from ...formats.positions import JOURNAL, Position, count_by_lines
from ...installed.formats import read_record
from ...records.review.agreed import (
    Agreed,
    agree_on_steps,
    agreed_file,
    list_unknown,
    read_agreed,
    write_agreed,
)
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
@click.option(
    "--agree", "steps", metavar="STEP", type=int, multiple=True, help="A step to let stand, as both players agreed."
)
@click.option("--json", "as_json", is_flag=True, help="The whole review as JSON.")
@trusting
@click.pass_context
def review(
    ctx: click.Context,
    file: str,
    after: str | None,
    brief: bool,
    steps: tuple[int, ...],
    as_json: bool,
    **options: Unpack[RecordOptions],
) -> None:
    """Judge each step of a FILE: a VASSAL log (.vlog), a journal, or a save with the save AFTER it.

    A step is lawful, against a rule, undecided for a fact that is missing, or not a matter of rules. Units are judged by
    where they stood and stand: a move is lawful if any way and any order allows it.

    --agree enters a step that both players let stand into a file beside FILE, with `.review` added to its name.

    The exit code is 0 if all is lawful or let stand, 1 if a step is against a rule, else 4 if one is undecided.
    """
    with kept_private(file, limited=may_be_limited(options)):
        start, judge = _open_record(file, after, options)
        knows = start.state.seen_by
        kept = agreed_file(after or file, str(knows) if is_limited(knows) else "")
        agreed = read_agreed(kept)
        found = judge(agreed)
        if steps:
            agreed = sorted({*agreed, *agree_on_steps(found.marks, steps)})
            write_agreed(kept, after or file, agreed)
            found = judge(agreed)
    echo(review_json(found) if as_json else format_review(found, is_brief=brief), nl=as_json)
    for line in list_unknown(found.marks, agreed):
        echo(f"{kept.name}: no step did `{line.step} {line.what}`; delete the line if it is old", err=True)
    ctx.exit(found.exit_code)


def _open_record(
    file: str, after: str | None, options: RecordOptions
) -> tuple[Position, Callable[[Collection[Agreed]], Review]]:
    """Return the first position of a record, or of two saves, and the function that reviews it."""
    if after is not None:
        before, last = open_position(file, options), open_position(after, options)
        return before, partial(review_saves, before, last, (file, after))
    trust = trust_of(options)
    if file.lower().endswith(JOURNAL):
        played = open_journal(file, options, trust)
        return played.start, partial(review_journal, played)
    record = read_record(file, game_loader(options), lambda game, state: as_seen(game, state, options), (JOURNAL,))
    start = record.at(record.moments[0])
    if is_limited(start.state.seen_by):
        record = count_by_lines(record)
    return start, partial(review_log, record, file, trust)
