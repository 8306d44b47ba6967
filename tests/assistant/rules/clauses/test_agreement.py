"""A game of data answers as the same game written in plain Python, in positions made up by chance."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.formats.positions import Position as Typed
from assistant.game.games import Game
from assistant.installed.registry import named_game
from assistant.service import ask
from assistant.testing import typed
from assistant.util.errors import InputError

from ....cases import few, seeds
from . import east41
from .east41 import COUNTERS, TERRAIN, Piece

POSITIONS = 300


@cache
def game() -> Game:
    return named_game(str(east41.FOLDER))


def make_position(seed: int) -> list[Piece]:
    """Units of both sides, near each other more often than not, at most three in a hex and of one side."""
    chance = random.Random(seed)
    middle = chance.choice(sorted(TERRAIN))
    near = [at for at in TERRAIN if abs(int(at[:2]) - int(middle[:2])) <= 2 and abs(int(at[2:]) - int(middle[2:])) <= 2]
    pieces = list[Piece]()
    for counter in chance.sample(sorted(COUNTERS.values()), chance.randint(4, len(COUNTERS))):
        at = chance.choice(near if chance.random() < 0.8 else sorted(TERRAIN))
        there = [piece for piece in pieces if piece.hex == at]
        if len(there) < 3 and all(piece.side == counter.side for piece in there):
            pieces.append(Piece(counter, at, chance.random() < 0.3))
    return pieces


def write(pieces: list[Piece]) -> Typed:
    lines = [f'{piece.hex}: "{piece.name}"{" reduced" * piece.reduced}' for piece in pieces]
    return typed("\n".join(["board field", *lines]), game())


def answered(position: Typed, question: str, **asked: Any) -> Report[Any]:
    return ask(position, question, **asked)


@few(12)
@pytest.mark.parametrize("seed", seeds(POSITIONS))
def test_both_answer_alike(seed: int) -> None:
    pieces = make_position(seed)
    position = write(pieces)
    for side in ("axis", "soviet"):
        if not any(piece.side == side for piece in pieces):
            continue
        found = answered(position, "zones", side=side).result.hexes
        assert {zone.hex for zone in found if zone.exerting} == east41.zones(pieces, side)
        (own,) = answered(position, "supply", side=side).result.sides
        assert {unit.unit for unit in own.units if unit.supplied} == east41.supplied(pieces, side)
    for piece in pieces:
        found = answered(position, "reach", unit=piece.name).result.hexes
        assert {place.hex: place.cost for place in found} == east41.reach(pieces, piece.name), piece
    for at in {piece.hex for piece in pieces}:
        (stack,) = answered(position, "stack", at=[at]).result.stacks
        assert stack.too_many == (len(stack.units) > east41.MAX_STACK)
        check_attack(position, pieces, at)
        check_retreat(position, pieces, at)


def check_attack(position: Typed, pieces: list[Piece], at: str) -> None:
    expected = east41.column(pieces, at)
    if expected is None:
        with pytest.raises(InputError, match="nothing attacks"):
            answered(position, "battle", at=[at])
    else:
        assert answered(position, "battle", at=[at]).result.combat.column == expected, at


def check_retreat(position: Typed, pieces: list[Piece], at: str) -> None:
    names = [piece.name for piece in pieces if piece.hex == at]
    result = answered(position, "retreat", units=names, hexes=1).result
    expected = east41.retreats(pieces, names)
    if expected:
        assert {option.hex for option in result.options if not option.barred} == expected, names
