"""The grounds of questions about supply: random networks, and the sample board."""

from __future__ import annotations

from random import Random

from assistant.game.boards.files import read_board
from assistant.installed.registry import load_game

from ..conftest import GAME, SAMPLE
from ..making.chance import Names
from ..supplies.worlds import along_line, behind_railway, one_meaning, over_network, own, text_of


def draw_network(random: Random) -> Names:
    """Return what templates may name of a random network: its lines as `network`, its `side`, its `names` and `hexes`, and the `line` in it."""
    world = one_meaning(random.choice((along_line, over_network, over_network, behind_railway))(random))
    text = text_of(world).partition("\n")[2]
    lines = [line.split('"')[1] for line in text.splitlines() if line.startswith("line ")]
    names = [f'"{name}"' for name in sorted(own(world))]
    return {
        "network": text,
        "side": world["side"],
        "name": names,
        "hex": sorted(world["hexes"]),
        "line": lines or ["none"],
    }


def know_sample_board() -> None:
    """Make the sample board known to the game, as the tests do."""
    game = load_game(GAME)
    if SAMPLE.name not in game._boards:
        game._boards[SAMPLE.name] = game._overlay(read_board(SAMPLE, game.tracks))
