"""A small game of data alone, on pointed hexes: its pictures show that the core needs no game's code."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.game.games import Game

from ...folders import game_of
from ..game.track_files import format_track

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

_TRACKS = "".join(
    (
        format_track("nation", "unit", "choice", values=["blue", "red"], token="{}", rule="1"),
        format_track(
            "arm", "unit", "choice", values=["infantry", "cavalry", "artillery", "airship"], token="{}", rule="1"
        ),
        format_track("strength", "unit", "integer", least=0, rule="1"),
        format_track("terrain", "hex", "choice", values=["clear", "woods", "rough"], token="{}", rule="2"),
        format_track("dug", "hex", "integer", "trenches", least=0, most=4, absent=0, rule="3"),
        format_track(
            "barrier", "hexside", "choice", "river", values=["none", "minor-river", "major-river"], token="{}", rule="2"
        ),
    )
)


@pytest.fixture
def drill(tmp_path: Path) -> Game:
    """A game on pointed hexes without size, railways or roads."""
    return game_of(tmp_path, {"game.toml": _GAME, "tracks.toml": _TRACKS}, "drill")
