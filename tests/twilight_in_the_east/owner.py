"""What an owner of the game might have entered by the time he plays August 1914: every chart, and the turn record of six turns.

The charts are the reconstruction, the figures of the record and the limits of armies are made up; a pack keeps all of it
as printed, so that a position needs no `trust charts`.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from assistant.formats.notation import read_notation
from assistant.formats.positions import Position
from assistant.game.games import Game
from assistant.game.owned_turns import unknown_turns
from assistant.game.packs import Pack, overlay_pack
from assistant.installed.registry import load_game
from twilight_in_the_east.chart_facts import facts

from ..conftest import GAME

TURNS = range(1, 7)
"""The turns of August 1914, whose record is entered."""
RAIL_RATES = {1: "10", 2: "10", 3: "11", 4: "11", 5: "12", 6: "12"}
"""RR hexes per MP, by turn: never the same before and after an Inter-Phase."""
RAIL_POINTS = {"german-rp": "60", "austro-hungarian-rp": "50", "russian-rp": "70"}
"""Rail Points of each Inter-Phase, by figure."""
OTHERS = "8"
"""What every other figure is, as the Rail Points for a gauge, or replacements."""
ENGINEERS = {"german-engineers": "6", "austro-hungarian-engineers": "4", "russian-engineers": "5"}
ATTACHMENT_LIMIT = "6"
"""Of every army that has a printed one."""


def figure_of(turn: int, kind: str) -> str:
    """What the record of a turn shows under a kind: a figure or a date."""
    texts = {"rail-rate": RAIL_RATES[turn], "date": f"{15 + 2 * turn} August 1914", **RAIL_POINTS, **ENGINEERS}
    return texts.get(kind, OTHERS)


def enter_everything(pack: Pack) -> None:
    """Enter what an owner has: the cells of all charts, what is still unknown of the first turns, the limits of armies."""
    game = pack.game
    for chart in game.charts.values():
        pack.charts.enter_cells(chart.name, {key: chart.write_cell(cell) for key, cell in chart.cells.items()})
    unknown = {(turn, kind) for kind, numbers in unknown_turns(game).items() for turn in numbers if turn in TURNS}
    pack.enter_turns({(turn, kind): figure_of(turn, kind) for turn, kind in sorted(unknown)})
    for army in ("german Eighth", "russian First", "russian Second"):
        pack.enter_army(army, "attachment-limit", ATTACHMENT_LIMIT)


@cache
def owned_game() -> Game:
    """Twilight in the East with the pack of its owner over it."""
    game = load_game(GAME)
    with TemporaryDirectory() as folder:
        enter_everything(Pack(game, Path(folder), tuple(facts(game))))
        return overlay_pack(game, Path(folder))


def owned(text: str) -> Position:
    """The position that a text in notation says, at the table of one who has entered everything."""
    head = "" if "game " in text else f"game {GAME}\n"
    return read_notation((head + text).encode(), "typed.pos", lambda name: owned_game())


def owned_setup(name: str, turn: int, more: str = "") -> Position:
    """A set-up that comes with the game, such as `19-august-1914`, in another turn. more: lines after those of its file."""
    text = (owned_game().folder / "setups" / f"{name}.pos").read_text("utf-8")
    return owned(f"{re.sub('^turn=.*$', f'turn={turn}', text, flags=re.MULTILINE)}\n{more}")
