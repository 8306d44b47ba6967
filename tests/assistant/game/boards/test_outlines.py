"""The shapes of lakes: points by their distance from a hex nearby, for the picture alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.game.boards import Outline
from assistant.util.errors import InputError, Where

from .valley import drawn

ROWS = "name,hex,outline\nMere,0101,0.25 -0.4; 0.5 0; 0 0.5\n,0202,0 0;1 0;1 1;0 1\n"


def test_a_lake_has_its_shore_and_bars_nothing(tmp_path: Path) -> None:
    board = drawn(tmp_path, lakes=ROWS)
    mere, pond = board.outlines
    shore = ((0.25, -0.4), (0.5, 0.0), (0.0, 0.5))
    assert mere == Outline(name="Mere", hex="0101", points=shore, where=Where("valley/lakes.csv", 2))
    assert (pond.name, pond.hex, len(pond.points)) == ("", "0202", 4)
    assert dict(board.facts) == {}


@pytest.mark.parametrize(
    ("text", "line", "what", "hint"),
    [
        ("hex\n0101\n", 1, "column 'outline' is missing", "expected: hex,outline"),
        ("hex,outline,shape\n0101,0 0; 1 0; 1 1,x\n", 2, "unknown column 'shape'", "nearest known"),
        ("hex,outline\n0909,0 0; 1 0; 1 1\n", 2, "hex 0909 is off the map", "columns run"),
        ("hex,outline\n0101,0 0; 1 0\n", 2, "an outline has fewer than three points", "one after another"),
        ("hex,outline\n0101,0 0; 1; 1 1\n", 2, "'1' is not a point of an outline", "to the right and down"),
        ("hex,outline\n0101,0 0; 1 x; 1 1\n", 2, "'1 x' is not a point of an outline", "to the right and down"),
        ("hex,outline\n0101,0 0; nan 0; 1 1\n", 2, "'nan 0' is not a point of an outline", "to the right and down"),
        ("hex,outline\n0101,0 0; 51 0; 1 1\n", 2, "'51 0' is not a point of an outline", "to the right and down"),
        ("hex,outline,name\n0101,0 0; 1 0; 1 1,M\x00\n", 2, "'M\\x00' has a character that cannot be printed", "type it"),
    ],
)  # fmt: skip
def test_faults_name_the_line(text: str, line: int, what: str, hint: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        drawn(tmp_path, lakes=text)
    assert (caught.value.what, caught.value.where) == (what, Where("valley/lakes.csv", line))
    assert hint in caught.value.hint
