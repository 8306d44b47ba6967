"""How well boards drawn from geography match the hexes that rules print: the table in docs/printing/board.md."""

from __future__ import annotations

from collections.abc import Iterator
from math import dist, sqrt
from pathlib import Path

from assistant.game.games import Game
from assistant.installed.registry import installed_games, make_game_loader
from tools.geography.__main__ import GAMES
from tools.geography.fitting import fit_map
from tools.geography.land import Land
from tools.geography.tables import Tables

from .tools.geography.measures import residuals


def drawn_boards() -> Iterator[tuple[Game, Land]]:
    """Yield the ground of each board that is drawn from geography, with its game."""
    for name in installed_games():
        game = make_game_loader(pack="none")(name)
        for file in sorted((GAMES / Path(str(game.folder)).name).rglob("geography.toml")):
            yield game, Land(Tables(file.parent), game.file.grid)


def miss_left_out(land: Land) -> list[float]:
    """Return the distance of each place from its hex by a fit to the other places, in hexes."""
    settings, places = land.settings, land.tables.base
    missed = []
    for place in places:
        others = [other for other in places if other != place]
        alike, kilometres = settings.similarity, settings.kilometres
        fit = fit_map(land.grid, settings.centre, others, similarity=alike, kilometres=kilometres)
        missed.append(dist(fit.place(place.latitude, place.longitude), land.grid.centre(land.grid.parse(place.hex))))
    return missed


def root_mean_square(values: list[float]) -> float:
    """Return the root mean square of some distances."""
    return sqrt(sum(value * value for value in values) / len(values))


def write_fits() -> str:
    """Write a row for each drawn board: how far its places fall from the middles of their hexes."""
    lines = [
        "| board | places | root mean square error, in hexes | largest | each place by the others | a hex |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for game, land in drawn_boards():
        missed = [*residuals(land.grid, land.fit, land.tables.base).values()]
        figures = f"{root_mean_square(missed):.2f} | {max(missed):.2f} | {root_mean_square(miss_left_out(land)):.2f}"
        lines.append(
            f"| *{game.title}*, `{land.settings.board}` | {len(missed)} | {figures} | {land.fit.kilometres:.1f} km |"
        )
    return "\n".join(lines)
