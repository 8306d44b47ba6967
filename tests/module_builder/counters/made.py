"""The markers of a game alone, for tests."""

from __future__ import annotations

from assistant.game.games import Game
from module_builder.counters.design import Variant
from module_builder.counters.faces import DESIGN_SIDE_MM, Cut
from module_builder.counters.pieces import Counter, Workshop


def markers(
    game: Game, *, side: float = DESIGN_SIDE_MM, bleed: float = 0.0, variant: Variant = "colour", rounded: bool = True
) -> list[Counter]:
    """Each front with its back. The arguments are those of `counters`."""
    return list(Workshop(game, Cut(side, bleed, rounded), variant).markers())
