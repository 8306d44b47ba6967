"""What the course of play looks like wherever it is shown: the names of sides and nations, and the colours of seasons."""

from __future__ import annotations

from assistant.game.games import Game

SEASONS = ("#e9d9a6", "#b9c9d3", "#d8e4ea", "#cfdcb4")
"""The grounds of the seasons, in the order in which they come."""


def title_of(game: Game, who: str) -> str:
    """What a side or nation is called: `Central Powers`, `Austro-Hungarian`."""
    return game.file.title_of(who)


def short_of(game: Game, who: str) -> str:
    """A side or nation by its initials: `CP`, `A-H`, `R`."""
    nations = {name for of in game.file.sides.values() for name in of}
    return ("-" if who in nations else "").join(part[:1].upper() for part in who.split("-"))
