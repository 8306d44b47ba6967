"""A page that speaks to a host, for tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from assistant.faces.page.respond import respond
from assistant.faces.page.tables import Tables
from assistant.installed.registry import make_game_loader, named_game

TABLE = "warsaw"


class AtTable:
    """A page with a table of a game. game: its id, or the path of its folder."""

    def __init__(self, folder: Path, game: str) -> None:
        self.game = named_game(game)
        self.tables = Tables(folder, make_game_loader(self.game, others=True, pack="anew"))
        self.taps = 0
        assert self.send("begin", game=self.game.id)["is"] == "table"

    def send(self, do: str, **request: Any) -> Any:
        """The response to a request about the table."""
        about = {} if do == "words" else {"table": TABLE}
        return msgspec.json.decode(respond(self.tables, msgspec.json.encode({"do": do, **about, **request})))

    def enter(self, line: str) -> Any:
        """The table after a line."""
        self.taps += 1
        return self.send("enter", line=line, tap=str(self.taps))
