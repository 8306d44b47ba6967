"""The command `rules`."""

from __future__ import annotations

import click

from ...game.rule_index import NO_INDEX, is_under, rule_index
from ...game.rule_questions import rules_with_questions
from ...installed.registry import named_game, questions_of
from ...util.console import echo
from ...util.errors import InputError
from ..prompt.rule_lines import format_rule
from .group import GameCommand


@click.command("rules", cls=GameCommand)
@click.argument("game")
@click.argument("prefix", default="")
@click.option("--proof", is_flag=True, help="Their clauses instead, to be proof-read beside the rulebook.")
def rules(game: str, prefix: str, proof: bool) -> None:
    """The rule index of a GAME, or of the rules under PREFIX: what is computed, where and by which questions, and what
    is left to the players.
    """
    about = named_game(game)
    all_rules = rules_with_questions(about, questions_of(about).modules)
    if not all_rules:
        raise InputError(f"{about.title} has no rule index", hint=NO_INDEX)
    under = [(row, questions) for row, questions in all_rules if is_under(row.rule, prefix)]
    if not under:
        raise InputError(f"no rule {prefix!r} in the index of {game}")
    if proof:
        from ...game.proof.clauses import read_proof  # imported here because few readers of rules proof-read
        from ...game.proof.examples import read_examples
        from ...game.proof.sheet import write_proof
        from ...game.proof.stated import read_stated

        sheet = read_proof(about.folder, about.tracks, prefix)
        for line in write_proof(sheet, rule_index(about), read_examples(about), read_stated(about), prefix):
            echo(line)
        return
    for row, questions in under:
        echo(format_rule(row, questions))
