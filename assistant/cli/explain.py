"""`assistant explain`: the battles, checks and judgements of a log, step by step, from its own dice and moves."""

from __future__ import annotations

from typing import Any

import click

from ..util.console import echo
from .state_files import StateFile
from .viewpoint_options import eyes, with_game


@click.command("explain")
@click.argument("log", type=StateFile())
@eyes
@with_game
@click.option("--json", "as_json", is_flag=True, help="Everything as JSON, with the whole reports.")
@click.option("--whole", is_flag=True, help="Every step of the working, however many lines it takes.")
@click.option(
    "--accept", multiple=True, metavar="SOURCE", help="Also accept facts from this source, such as reconstruction."
)
@click.option("--reconstruction", is_flag=True, help="The same as --accept reconstruction.")
def explain(log: str, **options: Any) -> None:
    """Explain each battle, check and judgement of supply that the dice and moves of a LOG (.vlog) allow, ready to paste
    into a mail.

    A battle is known by an `ask` line in the notes or the chat, or by what is marked on the map. Where dice, log and
    rules differ, that is told, and what the log lacks.
    """
    from ..explaining.account import account, to_json
    from ..explaining.explanation import explain as explained
    from ..explaining.table import Table
    from ..formats.positions import counted_by_lines
    from ..plugins.registry import games_beside, named_game, read_record
    from ..service import kept_private
    from ..state.hidden import is_limited
    from .output import accepted_sources
    from .viewpoint_options import as_seen, may_be_limited

    beside = options["beside"]
    games = games_beside(named_game(beside) if beside else None)
    with kept_private(log, limited=may_be_limited(options)):
        record = read_record(log, games, lambda game, state: as_seen(game, state, options))
        if is_limited(record.at(0).state.seen_by):
            record = counted_by_lines(record)
        explanation = explained(Table(record, frozenset(accepted_sources(options))), log)
    echo(
        to_json(explanation) if options["as_json"] else account(explanation, whole=options["whole"]),
        nl=bool(options["as_json"]),
    )
