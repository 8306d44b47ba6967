"""The tour: what the installed games show of themselves, as their `game.toml` says."""

from __future__ import annotations

import click

from assistant.util.echo import echo
from assistant.util.errors import InputError


@click.command()
@click.argument("game", required=False)
def demo(game: str | None) -> None:
    """A tour of what the assistant answers: the examples of a GAME, by default the first game that has any."""
    from assistant.formats.positions import Asked
    from assistant.plugins.registry import games_beside, installed_games, named_game, read_position
    from assistant.service import ask
    from assistant.util.datafiles import inner, read_data

    shown = None
    for name in [game] if game else installed_games():
        try:
            candidate = named_game(name)
        except InputError as error:
            if game:
                raise
            echo(f"assistant: {error}", err=True)
            continue
        if candidate.file.demo:
            shown = candidate
            break
    if shown is None or shown.file.demo is None:
        raise InputError("no installed game has a tour", hint="install one, or name it: assistant demo GAME")
    echo(f"{shown.title}: {shown.file.demo.title}\n{shown.file.about}")
    for name, about in shown.file.demo.shows:
        data = read_data(inner(shown.folder, name))
        echo(f"\n{'-' * 100}\n{about}\n")
        position = read_position(name, data, games_beside(shown))
        asks = position.asks
        if name.endswith(".vsav"):
            asks = (Asked("check", {}), *asks)
        else:
            for line in data.decode("utf-8").splitlines():
                echo(f"    {line}")
        for asked in asks:
            echo(f"\n{ask(position, asked)}", nl=False)
    if shown.file.module:
        from .vassal.module import build

        built = build(shown)
        echo(f"\n{'-' * 100}\nThe VASSAL module {shown.file.module.name}: {built.in_words}.")
        echo(f"To write it to a file: module-builder module {game or shown.id}")
