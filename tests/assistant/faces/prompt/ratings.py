"""Slips in the ratings of a unit: what the prompt suggests can be typed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from assistant.faces.prompt.line_reading import read_line
from assistant.faces.prompt.table import TableState
from assistant.formats.positions import Position
from assistant.game.games import Game
from assistant.game.states import build_state
from assistant.installed.registry import load_game
from assistant.util.errors import InputError
from tests.comparing.search import Search

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


class Rated(NamedTuple):
    """Ratings with a slip, typed in a game."""

    game: Game
    text: str

    def __str__(self) -> str:
        return f"{LINES[self.game.id]} {self.text}"


def make_slip(number: int, seed: int) -> Rated:
    """Make a slip in one of the games."""
    game = load_game([*LINES][number % len(LINES)])
    return Rated(game, slip(Random(f"{seed}/{number}"), len(game.file.notation.brackets)))


def find_faults(rated: Rated, seen: Counter[str]) -> Iterator[str]:
    """Yield the lines that are suggested in place of one with a slip and that the prompt refuses."""
    table = TableState(Position(rated.game, build_state(rated.game)))
    try:
        read_line(table, str(rated))
    except InputError as error:
        for suggested in _SUGGESTED.findall(str(error.hint)):
            seen["suggestions"] += 1
            try:
                read_line(table, str(rated._replace(text=suggested)))
            except InputError as refused:
                yield f"{refused.what}\n{rated._replace(text=suggested)} in place of {rated}"


SEARCH = Search("ratings", make_slip, find_faults, 5000, chunk=100)
