"""The commands on a game: `games`, `questions`, `reference`, `rules`, `schema` and `viewpoint`."""

from __future__ import annotations

import click

from ...asking.reference import format_question, write_chapters, write_question
from ...asking.reference import write_reference as whole
from ...asking.schemas import schemas
from ...formats.json_state import position_schema as state_schema
from ...game.games import Game
from ...game.viewpoint import check_viewpoint
from ...game.viewpoint_settings import read_viewpoints, set_viewpoint
from ...installed.registry import load_game, named_game, question_of, questions_of
from ...state.state import EVERYTHING
from ...util.console import echo, encode_json, screen_width
from ...util.errors import InputError
from ..prompt.help_text import format_questions
from .group import GameCommand, Program, hidden_questions
from .options import listed_games


@click.command("viewpoint", cls=GameCommand)
@click.argument("game", required=False)
@click.argument("side", required=False)
def viewpoint(game: str | None, side: str | None) -> None:
    """The viewpoint for a GAME, unless --as or --umpire is given: a SIDE, umpire, or none to forget it."""
    loaded = named_game(game) if game else None
    if loaded and side:
        set_viewpoint(loaded.id, EVERYTHING if side == "none" else check_viewpoint(loaded, side))
    for name, remembered in read_viewpoints().items():
        if loaded is None or loaded.id == name:
            echo(f"{name}: {remembered}")


@click.command("games", cls=GameCommand)
def games() -> None:
    """List the installed games."""
    for name in listed_games():
        try:
            echo(f"{name}: {load_game(name).title}")
        except InputError as error:
            echo(f"{name}: {error}", err=True)


@click.command("questions", cls=GameCommand)
@click.argument("game")
@click.argument("question", required=False)
@click.option("--json", "as_json", is_flag=True, help="With the JSON Schemas of parameters and reports.")
@click.pass_context
def questions(ctx: click.Context, /, game: str, question: str | None, as_json: bool) -> None:
    """What can be asked about a GAME, a line for each question; or what one QUESTION takes."""
    loaded = named_game(game)
    listed = [question_of(loaded, question)] if question else [*questions_of(loaded).values()]
    if as_json:
        echo(encode_json([schemas(listed_question) for listed_question in listed]).decode())
    elif question:
        hidden = _hidden_questions(ctx, loaded)
        for line in format_question(listed[0], hidden=question in hidden):
            echo(line)
    else:
        for line in format_questions(listed, screen_width()):
            echo(line)
        echo(f"`assistant questions {game} NAME` shows what one takes")


@click.command("reference", cls=GameCommand)
@click.argument("game")
@click.argument("question", required=False)
@click.option("--rules", is_flag=True, help="Its rules by chapter instead: what is computed, and which readings hold.")
@click.pass_context
def reference(ctx: click.Context, /, game: str, question: str | None, rules: bool) -> None:
    """The reference of a GAME, or of one QUESTION, as Markdown: fields, figures, tracks, charts, turns."""
    if rules and question:
        raise InputError("--rules is about no single question", hint=f"assistant reference {game} {question}")
    loaded = named_game(game)
    declared = questions_of(loaded)
    hidden = _hidden_questions(ctx, loaded)
    if rules:
        lines = write_chapters(loaded, declared.modules)
    elif question:
        lines = write_question(question_of(loaded, question), hidden=question in hidden)
    else:
        lines = whole(loaded, declared, hidden)
    for line in lines:
        echo(line)


@click.command("schema", cls=GameCommand)
@click.argument("game", required=False)
def schema(game: str | None) -> None:
    """The JSON Schema of a position as JSON; for a GAME, with the values of its tracks."""
    published = state_schema(named_game(game) if game else None)
    echo(encode_json(published).decode())


def _hidden_questions(ctx: click.Context, game: Game) -> list[str]:
    program = ctx.find_root().command
    assert isinstance(program, Program)
    return hidden_questions(game, program.list_commands(ctx))
