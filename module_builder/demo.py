"""The tour: what the installed games show of themselves, as their `game.toml` says."""

from __future__ import annotations

import click

from assistant.errors import InputError


@click.command()
@click.argument("game", required=False)
def demo(game: str | None) -> None:
    """A tour of what the assistant answers, by the examples of a GAME (the first one that has any, if not named)."""
    from assistant.questions import ask, read_parameters
    from assistant.registry import installed_games, load_game, question_of, read_position
    from assistant.report import to_text
    from assistant.view import View

    shown = None
    for name in [game] if game else installed_games():
        try:
            candidate = load_game(name)
        except InputError as error:
            if game:
                raise
            click.echo(f"assistant: {error}", err=True)
            continue
        if candidate.file.demo:
            shown = candidate
            break
    if shown is None or shown.file.demo is None:
        raise InputError("no installed game has anything to show", hint="install one, or name it: assistant demo GAME")
    click.echo(f"{shown.title}: {shown.file.demo.title}\n{shown.file.about}")
    for name, about in shown.file.demo.shows:
        text = shown.folder.joinpath(name).read_text("utf-8")
        position = read_position(name, text.encode())
        click.echo(f"\n{'-' * 100}\n{about}\n")
        for line in text.splitlines():
            click.echo(f"    {line}")
        for asked in position.asks:
            question = question_of(position.game, asked.question)
            view = View(position.game, position.state)
            report = ask(question, view, read_parameters(question, view, asked.parameters), position.answers)
            click.echo()
            click.echo(to_text(report), nl=False)
