"""The pieces of counters: what those with two sides say that is printed on each."""

from __future__ import annotations

import pytest

from assistant.game.games import Game
from module_builder.vassal.pieces.maker import Art, Maker


def printed(game: Game, unit: str) -> str:
    """What the piece of a counter with two pictures says of its ratings."""
    piece = Maker(game, {unit: Art("front.png", "back.png")}, 75).unit(unit)
    (shown,) = [trait.type for trait in piece.traits if trait.type.startswith("calcProp;values;")] or [""]
    return shown or piece.marks()["values"]


@pytest.mark.parametrize(
    ("unit", "says"),
    [
        ("1/1", 'calcProp;values;{reduced_Level>1 ? "(6-8-4-11)" : "(12-16-7-11)"};values'),
        ("20 lw", 'calcProp;values;{reduced_Level>1 ? "(3-3-1-8)" : "(5-6-1-8)"};values'),
        ("Tilsit", "(1-1-0-6)"),
    ],
)
def test_a_counter_that_lies_on_its_back_shows_the_ratings_printed_there(twilight: Game, unit: str, says: str) -> None:
    assert printed(twilight, unit) == says
