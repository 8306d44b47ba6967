"""Kaiser's War in the East, a slice of it: battles, general supply, retreats and the ranking of attacks."""

from collections.abc import Callable

from assistant import hookimpl
from assistant.game.games import Game


@hookimpl
def register_questions(game: Game, register: Callable[..., None]) -> None:
    """All that can be asked of it, each in the module of its name."""
    if game.id == "kaisers-war-in-the-east":
        for name in ("battle", "attacks", "supply", "retreat"):
            register(name, f"{__name__}.{name}")
