"""Slips in the ratings of a unit: what the prompt suggests can be typed.

`python -m tests.assistant.faces.prompt.ratings COUNT SEED` tries many.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from random import Random

from assistant.faces.prompt.line_reading import read_line
from assistant.faces.prompt.table import TableState
from assistant.formats.positions import Position
from assistant.game.games import Game
from assistant.game.states import build_state
from assistant.installed.registry import load_game
from assistant.util.errors import InputError

LINES = {"twilight-in-the-east": "4119 25/3", "kaisers-war-in-the-east": "2622 Rus-2"}
"""Where a unit stands at whose ratings the slips are made, by game."""
_SUGGESTED = re.compile(r"(?:did you mean|or) `([0-9?-]+)`")


def slip(random: Random, count: int) -> str:
    """Return ratings of which some are missing, or a hyphen is."""
    numbers = [str(random.choice([random.randint(0, 20), random.randint(0, 999)])) for _ in range(count)]
    left_out = random.randrange(count)
    match random.choice(["hyphen", "rating", "both", "empty"]):
        case "hyphen":
            numbers[left_out : left_out + 2] = ["".join(numbers[left_out : left_out + 2])]
        case "rating":
            del numbers[left_out]
        case "both":
            del numbers[left_out]
            numbers = ["".join(numbers[:2]), *numbers[2:]]
        case "empty":
            numbers[left_out] = random.choice(["", "?"])
            del numbers[random.randrange(count)]
    return "-".join(numbers)


def find_faults(game: Game, text: str) -> Iterator[str]:
    """Yield the lines that are suggested in place of one with a slip and that the prompt refuses."""
    table = TableState(Position(game, build_state(game)))
    line = LINES[game.id]
    try:
        read_line(table, f"{line} {text}")
    except InputError as error:
        for suggested in _SUGGESTED.findall(str(error.hint)):
            try:
                read_line(table, f"{line} {suggested}")
            except InputError as refused:
                yield f"{line} {suggested}: {refused.what}"


def all_faults(count: int, seed: int) -> Iterator[str]:
    """Yield the faults of random slips."""
    random = Random(seed)
    for number in range(count):
        game = load_game(list(LINES)[number % len(LINES)])
        yield from find_faults(game, slip(random, len(game.file.notation.brackets)))


if __name__ == "__main__":
    found = list(all_faults(*map(int, sys.argv[1:3])))
    print(*found, f"{sys.argv[1]} slips, {len(found)} suggested lines refused", sep="\n")
    sys.exit(bool(found))
