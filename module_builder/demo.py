"""The tour: what the installed games show of themselves, as their `game.toml` says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from assistant.util.echo import echo
from assistant.util.errors import InputError

if TYPE_CHECKING:
    from assistant.game.games import Game


@click.command()
@click.argument("game", required=False)
def demo(game: str | None) -> None:
    """A tour of what the assistant answers: the examples of a GAME, by default of every game that has any."""
    from assistant.plugins.registry import installed_games, named_game

    shown = []
    for name in [game] if game else installed_games():
        try:
            candidate = named_game(name)
        except InputError as error:
            if game:
                raise
            echo(f"assistant: {error}", err=True)
            continue
        if candidate.file.demo:
            shown.append(candidate)
    if not shown:
        raise InputError("no installed game has a tour", hint="install one, or name it: assistant demo GAME")
    for number, one in enumerate(shown):
        if number:
            echo(f"\n{'=' * 100}\n")
        _tour(one, game or one.id)


def _tour(game: Game, name: str) -> None:
    """The tour of a game. name: what the command line calls it."""
    from assistant.formats.positions import Asked
    from assistant.plugins.registry import games_beside, read_position
    from assistant.service import ask
    from assistant.util.datafiles import inner, read_data

    assert game.file.demo is not None
    echo(f"{game.title}: {game.file.demo.title}\n{game.file.about}")
    for file, about in game.file.demo.shows:
        data = read_data(inner(game.folder, file))
        echo(f"\n{'-' * 100}\n{about}\n")
        position = read_position(file, data, games_beside(game))
        asks = position.asks
        if file.endswith(".vsav"):
            asks = (Asked("check", {}), *asks)
        else:
            for line in data.decode("utf-8").splitlines():
                echo(f"    {line}")
        for asked in asks:
            echo(f"\n{ask(position, asked)}", nl=False)
    if game.file.module:
        from .vassal.module import build

        built = build(game)
        echo(f"\n{'-' * 100}\nThe VASSAL module {game.file.module.name}: {built.in_words}.")
        echo(f"To write it to a file: module-builder module {name}")
