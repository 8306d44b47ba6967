"""A small game of data alone, on pointed hexes: its pictures show that the core needs no game's code."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from assistant.formats.notation import read_notation
from assistant.formats.positions import Position
from assistant.game.games import Game
from assistant.installed.registry import load_game

from ...folders import game_of

_GAME = """
title = "Drill"
about = "Made up for the tests."

[grid]
orientation = "pointy"
shifted = "even"
format = "{column:02}{row:02}"
columns = [1, 12]
rows = [1, 12]

[picture]
symbol = "arm"
figures = ["strength"]

[picture.markers]
dug = "marker-improved-position-{}"

[picture.colours]
blue = "#a7b6c2"
clear = "#f4eeda"
"""

_TRACKS = """
[nation]
title = "nation"
on = "unit"
kind = "choice"
values = ["blue", "red"]
token = "{}"
rule = "1"

[arm]
title = "arm"
on = "unit"
kind = "choice"
values = ["infantry", "cavalry", "artillery", "airship"]
token = "{}"
rule = "1"

[strength]
title = "strength"
on = "unit"
kind = "integer"
least = 0
rule = "1"

[terrain]
title = "terrain"
on = "hex"
kind = "choice"
values = ["clear", "woods", "rough"]
token = "{}"
rule = "2"

[dug]
title = "trenches"
on = "hex"
kind = "integer"
least = 0
most = 4
absent = 0
rule = "3"

[barrier]
title = "river"
on = "hexside"
kind = "choice"
values = ["none", "minor-river", "major-river"]
token = "{}"
rule = "2"
"""


@pytest.fixture
def drill(tmp_path: Path) -> Game:
    """A game on pointed hexes without size, railways or roads."""
    return game_of(tmp_path, {"game.toml": _GAME, "tracks.toml": _TRACKS}, "drill")


@pytest.fixture
def open_example() -> Callable[[str], Position]:
    """Reads an example position of the first game by its file name."""

    def opened(name: str) -> Position:
        data = load_game("twilight-in-the-east").folder.joinpath("examples", name).read_bytes()
        return read_notation(data, name, load_game)

    return opened
