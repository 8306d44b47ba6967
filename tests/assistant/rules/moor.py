"""A small game of data, made for tests of what needs no code."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from assistant.asking.view import View
from assistant.formats.notation import read_notation
from assistant.game.games import Game
from assistant.installed.registry import named_game

FILES = {
    "game.toml": """title = "Moor"
sides = { blue = ["blue", "marsh"], red = ["red"] }
[[roster]]
file = "roster.csv"
source = "rulebook"
""",
    "roster.csv": "unit,nation\n1st,blue\n2nd,blue\nBattery,blue\nEels,marsh\nRaiders,red\n",
    "tracks.toml": """
[nation]
title = "nation"
on = "unit"
kind = "choice"
values = ["blue", "marsh", "red"]
printed = "counter"
[turn]
title = "game turn"
on = "game"
kind = "integer"
least = 1
most = 8
[arrives]
title = "turn in which a unit arrives"
on = "unit"
kind = "integer"
least = 1
most = 12
[options]
title = "optional rules"
on = "game"
kind = "choices"
absent = []
values = ["militia"]
[scenario]
title = "scenario"
on = "game"
kind = "choice"
values = ["early", "late"]
[phasing]
title = "phasing side"
on = "game"
kind = "choice"
values = ["blue", "red"]
[phase]
title = "phase"
on = "game"
kind = "choice"
values = ["move", "fight"]
[vp]
title = "points"
on = "hex"
kind = "integer"
least = 0
[lost]
title = "losses"
on = "side"
kind = "integer"
adds_to = "enemy.vp"
least = 0
absent = 0
[awarded]
title = "awarded points"
on = "side"
kind = "integer"
adds_to = "vp"
least = 0
absent = 0
[control]
title = "control"
on = "hex"
kind = "choice"
values = ["blue", "red"]
[town]
title = "town"
on = "hex"
kind = "choice"
values = ["none", "town"]
""",
}


def moor(folder: Path, files: Mapping[str, str]) -> Game:
    """The game in a folder of its own, with further files."""
    home = folder / "moor"
    for name, text in {**FILES, **files}.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text, "utf-8")
    return named_game(str(home))


def seen(game: Game, text: str = "") -> View:
    """A position of such a game, as it is stated."""
    return View(game, read_notation(f"game {game.id}\n{text}".encode(), "t.pos", lambda name: game).state)
