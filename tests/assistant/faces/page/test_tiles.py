"""Names on the tiles of a board: each whole and in one tile, clear of counters; measured by the boxes of the layout."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from math import dist
from typing import NamedTuple

import pytest

from assistant import parse
from assistant.asking.view import View
from assistant.drawing.geometry import PageBox
from assistant.drawing.map.arcs import text_box
from assistant.drawing.scene import Group, Layer, Shape, Text
from assistant.drawing.style import COUNTER_MM, HEX_MM
from assistant.faces.page.tiles import LEVELS, BoardPicture, Pictures
from assistant.installed.registry import load_game
from assistant.util.datafiles import read_text

from ....cases import few, thorough

GAME = "twilight-in-the-east"


class Written(NamedTuple):
    """A name on a tile. layer: in which it is; box: the box of its letters on the board; tile: that of the tile."""

    name: str
    layer: str
    box: PageBox
    tile: PageBox


@cache
def picture() -> BoardPicture:
    game = load_game(GAME)
    file, called, _ = game.set_up("19-august-1914")
    return Pictures().of(View(game, parse(read_text(file, called), game=game).state), set())


@cache
def written(level: int) -> tuple[Written, ...]:
    """The names of the tiles round Gumbinnen."""
    field = picture().field
    ((column, row),) = field.within(level, field.centre("43.19"), 0.0)
    around = [(column + across, row + down) for across in (-2, -1, 0, 1, 2) for down in (-1, 0, 1, 2)]
    return tuple(one for at in around if at in picture().tiles[level] for one in _written_on(level, *at))


def _written_on(level: int, column: int, row: int) -> Iterator[Written]:
    (_, _, scale, bleed), (wide, high) = LEVELS[level], picture().field.size(level)
    tile = PageBox(column * wide, row * high, (column + 1) * wide, (row + 1) * high)
    _, drawn = picture().draw_box(tile, scale, bleed)
    for layer in drawn.written:
        for name, texts in _names(layer):
            boxes = [text_box(text) for text in texts]
            left, top, right, bottom = zip(*boxes, strict=True)
            x, y = tile.left - bleed, tile.top - bleed
            yield Written(name, layer.name, PageBox(min(left) + x, min(top) + y, max(right) + x, max(bottom) + y), tile)


def _names(layer: Layer) -> Iterator[tuple[str, list[Text]]]:
    """The names of towns and waters in a layer, each with its letters or lines."""
    for shape in layer.shapes if layer.name in ("names", "waters") else ():
        if texts := list(_texts(shape)):
            yield shape.title if isinstance(shape, Group) else texts[0].text, texts


def _texts(shape: Shape) -> Iterator[Text]:
    if isinstance(shape, Text):
        yield shape
    elif isinstance(shape, Group):
        for inner in shape.shapes:
            yield from _texts(inner)


def apart(one: PageBox, other: PageBox) -> float:
    """How far two boxes are apart, less than 0 by how deep they meet."""
    return max(other.left - one.right, one.left - other.right, other.top - one.bottom, one.top - other.bottom)


@few(1)
@pytest.mark.parametrize("level", range(len(LEVELS)))
def test_a_name_is_written_once_and_whole(level: int) -> None:
    names = written(level)
    assert len(names) > 10
    far = (
        2 * HEX_MM * LEVELS[level].scale.letters
    )  # a long river is named again, but not beside its name; and some towns are namesakes
    for one, other in combinations(names, 2):
        if (one.name, one.layer) == (other.name, other.layer):
            assert dist(one.box[:2], other.box[:2]) > far, one.name
    for one in names:
        bleed = LEVELS[level].bleed
        left, top, right, bottom = one.tile
        assert one.box.left > left - bleed and one.box.right < right + bleed, one.name
        assert one.box.top > top - bleed and one.box.bottom < bottom + bleed, one.name


@thorough
def test_names_are_clear_of_counters_wherever_these_lie() -> None:
    """But for the rims of letters, as a millimetre counts where a hex is 34 mm high."""
    half, field = COUNTER_MM / 2, picture().field
    squares = [PageBox(x - half, y - half, x + half, y + half) for x, y in field.centres.values()]
    for one in written(0):
        if one.layer == "names":
            met = [square for square in squares if apart(one.box, square) < -1.5]
            assert not met, one.name


@thorough
def test_names_of_the_next_size_are_clear_of_the_counter_in_their_hex() -> None:
    """There letters are so large that few places are left: of a hundred names one may have none."""
    half, field = COUNTER_MM / 2, picture().field
    hexes = {name: field.centres[hex] for hex, name in picture().places}
    own = [(one, hexes[one.name]) for one in written(1) if one.layer == "names" and one.name in hexes]
    squares = [(one, PageBox(x - half, y - half, x + half, y + half)) for one, (x, y) in own]
    assert len([one for one, square in squares if apart(one.box, square) < -0.5]) <= len(own) / 100
    assert len(own) > 100
