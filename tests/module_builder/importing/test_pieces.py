"""Layers of a piece of another maker: which of their states the piece begins with."""

from __future__ import annotations

import pytest

from assistant.formats.vassal.pieces import Piece
from assistant.formats.vassal.traits import LayerTrait, Trait, keystroke
from module_builder.importing.pieces import OFF, PieceLayer, read_piece

from .foreign import DISRUPTED, STEPS


def layer(type: str, state: str) -> PieceLayer:
    (found,) = read_piece(Piece("1", (Trait(type, state), Trait("piece;;;;Guards"))), lambda image: (50, 50)).layers
    return found


@pytest.mark.parametrize(
    ("type", "state", "level", "word"),
    [
        (STEPS.type, "1", 1, OFF),
        (STEPS.type, "2", 2, "two"),
        (STEPS.type, "-2", 0, OFF),
        (DISRUPTED, "1", 1, "disrupted"),
        (DISRUPTED, "-1", 0, OFF),
    ],
)
def test_a_layer_begins_at_its_level_and_an_inactive_one_shows_nothing(
    type: str, state: str, level: int, word: str
) -> None:
    found = layer(type, state)
    assert (found.at_first, found.absent) == (level, word)
    assert found.values[0] == word


def test_each_level_has_a_word_of_its_own() -> None:
    levels = LayerTrait(
        "Step", ("a.png", "b.png", "c.png"), ("x-3", "x", "x"), ("Up", keystroke("U")), ("Down", keystroke("G"))
    )
    assert [*layer(levels.type, "1").words.values()] == ["x-3", "x", "x-3-3"]
