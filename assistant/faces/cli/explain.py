"""The command `explain`: the rules applied to the dice and moves of a log."""

from __future__ import annotations

from typing import Unpack

import click

from ...formats.positions import count_by_lines
from ...installed.formats import read_record
from ...records.explaining.account import explanation_json, format_explanation
from ...records.explaining.explanation import explain_log
from ...records.explaining.record import AnnotatedRecord
from ...state.state import is_limited
from ...util.console import echo
from ...util.limits import kept_private
from .group import GameCommand
from .options import RecordOptions, StateArgument, as_seen, eyes, game_loader, may_be_limited, trusting, with_game
from .output import trust_of


@click.command("explain", cls=GameCommand)
@click.argument("log", type=StateArgument())
@eyes
@with_game
@click.option("--json", "as_json", is_flag=True, help="Everything as JSON, with the whole reports.")
@click.option("--whole", is_flag=True, help="Every step of the working, however many lines it takes.")
@trusting
def explain(log: str, as_json: bool, whole: bool, **options: Unpack[RecordOptions]) -> None:
    """Explain each battle, check and judgement of supply that the dice and moves of a LOG (.vlog) allow, ready to paste
    into a mail.

    A battle is known by an `ask` line in the notes or the chat, or by what is marked on the map. It shows
    where dice, log and rules differ, and what the log lacks.
    """
    with kept_private(log, limited=may_be_limited(options)):
        record = read_record(log, game_loader(options), lambda game, state: as_seen(game, state, options))
        if is_limited(record.at(0).state.seen_by):
            record = count_by_lines(record)
        explanation = explain_log(AnnotatedRecord(record, trust_of(options)), log)
    if as_json:
        echo(explanation_json(explanation))
    else:
        echo(format_explanation(explanation, whole=whole), nl=False)
