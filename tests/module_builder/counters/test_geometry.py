"""Where ink stands on counters of every size: measured from the outlines in the scenes, not from pixels."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import NamedTuple

import pytest
from fontTools.misc.transform import Transform
from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.transformPen import TransformPen
from fontTools.svgLib.path.parser import parse_path
from msgspec.structs import replace

from assistant.drawing.lettering import POINT, READABLE, ink_extent, text_width
from assistant.drawing.scene import ANCHORS, Circle, Polygon, Rectangle, Scene, Shape, Symbol, Text
from assistant.game.games import Game
from module_builder.counters.faces import SIDE
from module_builder.counters.pieces import Counter, counters
from tests.module_builder.counters.made import markers

from ...cases import few
from .test_pieces import FOLDERS, read

DIES = {"1/2": 12.7, "9/16": 14.2875, "15mm": 15.0, "0.6": 15.24, "5/8": SIDE}
MARGIN = 1.5
CLEAR = 0.12
"""How far apart things on a counter of 5/8 inch are at least, in millimetres."""
HAIR = 0.012


class Box(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float

    def apart(self, other: Box) -> float:
        """How far two boxes are apart, 0 or less if they meet."""
        return max(other.left - self.right, self.left - other.right, other.top - self.bottom, self.top - other.bottom)

    def within(self, other: Box) -> float:
        """How far inside another box this one lies."""
        return min(self.left - other.left, self.top - other.top, other.right - self.right, other.bottom - self.bottom)


def ink(shape: Shape) -> Box:
    """How far the ink of a shape reaches, with outlines, accents and the tails of letters."""
    match shape:
        case Text():
            found = ink_extent(shape.text, bold=shape.bold)
            start = shape.x - ANCHORS[shape.anchor] * text_width(shape.text, shape.size, bold=shape.bold)
            return Box(
                start + found.left * shape.size,
                shape.y + found.top * shape.size,
                start + found.right * shape.size,
                shape.y + found.bottom * shape.size,
            )
        case Circle():
            reach = shape.radius + (shape.width / 2 if shape.stroke else 0)
            return Box(shape.x - reach, shape.y - reach, shape.x + reach, shape.y + reach)
        case Rectangle():
            rim = shape.stroke_width / 2 if shape.stroke else 0.0
            return Box(shape.x - rim, shape.y - rim, shape.x + shape.width + rim, shape.y + shape.height + rim)
        case Polygon():
            across, down = zip(*shape.points, strict=True)
            return Box(min(across), min(down), max(across), max(down))
        case Symbol():
            return drawn(shape)
    raise AssertionError(shape)


def drawn(symbol: Symbol) -> Box:
    """The ink of a symbol, which seldom fills its view box."""
    left, top, width, _ = symbol.view_box
    scale = symbol.width / width
    boxes = []
    for path in symbol.paths:
        pen = BoundsPen(None)
        parse_path(
            path.data, TransformPen(pen, Transform(scale, 0, 0, scale, symbol.x, symbol.y).translate(-left, -top))
        )
        if pen.bounds:
            half = path.width * scale / 2
            one, low, other, high = pen.bounds
            boxes.append(Box(one - half, low - half, other + half, high + half))
    found = Box(*(pick(edge) for pick, edge in zip((min, min, max, max), zip(*boxes, strict=True), strict=True)))
    return Box(
        max(found.left, symbol.x),
        max(found.top, symbol.y),
        min(found.right, symbol.x + symbol.width),
        min(found.bottom, symbol.y + symbol.height),
    )


@cache
def game(name: str) -> Game:
    return read(name)


@cache
def made(name: str, die: float) -> tuple[Counter, ...]:
    """The counters and markers of a game on a die with square corners."""
    return (*counters(game(name), side=die, rounded=False), *markers(game(name), side=die, rounded=False))


def faces(name: str, die: float) -> Iterator[Scene]:
    for counter in made(name, die):
        yield from filter(None, (counter.front, counter.back))


every_game = pytest.mark.parametrize("name", ["twilight-in-the-east", *FOLDERS])
every_die = pytest.mark.parametrize("die", [pytest.param(side, id=name) for name, side in DIES.items()])


@every_game
@every_die
def test_only_the_ground_lies_within_a_millimetre_and_a_half_of_the_cut(name: str, die: float) -> None:
    for face in faces(name, die):
        for shape in face.layers[0].shapes:
            found = ink(shape)
            inside = min(found) > MARGIN - HAIR and max(found) < die - MARGIN + HAIR
            assert inside or found == (0, 0, die, die), (face.title, shape)


@every_game
@every_die
def test_letters_can_be_read_and_none_is_cut_off(name: str, die: float) -> None:
    for face in faces(name, die):
        for shape in face.layers[0].shapes:
            if isinstance(shape, Text):
                assert "…" not in shape.text, face.title
                bracket = shape.text in "()"  # as high as the figure that it stands beside
                assert shape.size >= READABLE * POINT - 0.001 or bracket, (face.title, shape)


@every_die
def test_main_factors_have_14_points_on_five_eighths_of_an_inch(die: float) -> None:
    wanted = 14 * die / SIDE
    for counter in counters(game("twilight-in-the-east"), side=die):
        facts = game("twilight-in-the-east").roster[counter.unit]
        known = [str(facts[name][0].value) for name in ("steps", "defence", "range") if facts.get(name)]
        largest = [
            shape.text
            for shape in counter.front.layers[0].shapes
            if isinstance(shape, Text) and shape.size / POINT > wanted - 0.1
        ]
        assert set(known) <= set(largest), counter.unit


def rim(shape: Shape) -> float:
    """How wide the outline of a shape is that letters must keep within, 0 for none."""
    if isinstance(shape, Rectangle):
        return shape.stroke_width if shape.stroke else 0.0
    return shape.width if isinstance(shape, Circle) and shape.stroke else 0.0


def crowded(face: Scene, die: float) -> Iterator[str]:
    """The texts of a face that something comes too near to, in words."""
    shapes = [shape for shape in face.layers[0].shapes if ink(shape) != (0, 0, die, die)]
    for one, two in combinations(shapes, 2):
        text, other = (two, one) if isinstance(two, Text) else (one, two)
        if not isinstance(text, Text):
            continue
        clear = CLEAR * die / SIDE
        if isinstance(other, Text):
            if "(" in one.text + two.text:  # type: ignore[union-attr]  # brackets embrace their figure
                continue
        elif ink(text).within(ink(other)) > rim(other) - HAIR:
            continue
        elif isinstance(other, Rectangle) and other.height < 0.2:  # a line of a stripe, or a dash
            clear = 0.01
        if (apart := ink(text).apart(ink(other))) < clear:
            yield f"{face.title[:40]}: {text.text!r} is {apart:.3f} mm from {other}"


@few(4)
@every_game
@every_die
def test_nothing_comes_near_a_text(name: str, die: float) -> None:
    found = [line for face in faces(name, die) for line in crowded(face, die)]
    assert not found, found[:5]


def test_a_face_on_which_things_touch_is_found_out() -> None:
    layer = made("twilight-in-the-east", SIDE)[0].front.layers[0]
    front = made("twilight-in-the-east", SIDE)[0].front
    assert not list(crowded(front, SIDE))
    lower = replace(layer, shapes=(*layer.shapes, Text(x=5, y=12, text="y", size=3)))
    assert list(crowded(replace(front, layers=(lower,)), SIDE))
