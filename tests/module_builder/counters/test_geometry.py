"""Where ink stands on counters of every size: measured from the outlines in the scenes, not from pixels."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from typing import NamedTuple

import pytest
from fontTools.misc.transform import Transform
from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.transformPen import TransformPen
from fontTools.svgLib.path.parser import parse_path
from msgspec.structs import replace

from assistant.drawing.colours import INK, WHITE, mix
from assistant.drawing.lettering import FIGURE_HEIGHT as CAP
from assistant.drawing.lettering import MIN_READABLE_POINTS, POINT_MM, ink_extent, text_width
from assistant.drawing.scene import ANCHORS, Circle, Polygon, Rectangle, Scene, Shape, Symbol, Text
from assistant.game.games import Game
from assistant.installed.registry import installed_games
from module_builder.counters.design import read_design, read_standard
from module_builder.counters.faces import DESIGN_SIDE_MM, Cut, FaceSlot
from module_builder.counters.pieces import Counter, design_counters
from module_builder.counters.shapes import QUESTION_MARK_INK, Figure, draw_row
from tests.module_builder.counters.made import markers

from ...cases import few, thorough
from .test_pieces import FOLDERS, read

DIES = {"1/2": 12.7, "9/16": 14.2875, "15mm": 15.0, "0.6": 15.24, "5/8": DESIGN_SIDE_MM}
MARGIN = 1.15
CLEAR = 0.12
"""How far apart things on a counter of 5/8 inch are at least, in millimetres."""
INSIDE = 0.01
"""How far letters end inside the ground, chip or frame that they stand on, in millimetres."""
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
            rim = shape.weight / 2
            return Box(
                start + (found.left - rim) * shape.size,
                shape.y + (found.top - rim) * shape.size,
                start + (found.right + rim) * shape.size,
                shape.y + (found.bottom + rim) * shape.size,
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
    return (*design_counters(game(name), side=die, rounded=False), *markers(game(name), side=die, rounded=False))


def faces(name: str, die: float) -> Iterator[Scene]:
    for counter in made(name, die):
        yield from filter(None, (counter.front, counter.back))


GAMES = [*installed_games()]
every_game = pytest.mark.parametrize("name", [*GAMES, *FOLDERS])
every_die = pytest.mark.parametrize("die", [pytest.param(side, id=name) for name, side in DIES.items()])


@few(1)
@every_game
@every_die
def test_only_the_ground_lies_where_a_knife_that_is_off_by_a_millimetre_cuts(name: str, die: float) -> None:
    for face in faces(name, die):
        for shape in face.layers[0].shapes:
            found = ink(shape)
            inside = min(found) > MARGIN - HAIR and max(found) < die - MARGIN + HAIR
            assert inside or found == (0, 0, die, die), (face.title, shape)


@few(8)
@every_game
@every_die
def test_letters_can_be_read_and_none_is_cut_off(name: str, die: float) -> None:
    for face in faces(name, die):
        for shape in face.layers[0].shapes:
            if isinstance(shape, Text):
                assert "…" not in shape.text, face.title
                bracket = shape.text in "()"  # as high as the figure that it stands beside
                in_a_blank = (
                    shape.text == "?" and shape.fill == QUESTION_MARK_INK
                )  # the box or disc around it says the same
                assert shape.size >= MIN_READABLE_POINTS * POINT_MM - 0.001 or bracket or in_a_blank, (
                    face.title,
                    shape,
                )


@every_die
def test_main_factors_have_14_points_on_five_eighths_of_an_inch(die: float) -> None:
    wanted = 14 * die / DESIGN_SIDE_MM
    for counter in design_counters(game("twilight-in-the-east"), side=die):
        facts = game("twilight-in-the-east").roster[counter.unit]
        known = [str(facts[name][0].value) for name in ("steps", "defence", "range") if facts.get(name)]
        largest = [
            shape.text
            for shape in counter.front.layers[0].shapes
            if isinstance(shape, Text) and shape.size / POINT_MM > wanted - 0.1
        ]
        assert set(known) <= set(largest), counter.unit


# --- one axis -----------------------------------------------------------------------------------------------------------

BAND = 4.2  # mm on a counter of 5/8 inch: above it stands the name
FOOT = 12.9  # mm: on base lines below it stand the figures
BAND_FOOT = 3.75
"""Where the band of the name ends."""
LARGE = 9.0
"""Figures are larger, and their brackets, in points."""
OFF = 0.06
"""How far from the middle of a counter something may stand, in millimetres."""


def scaled(length: float, die: float) -> float:
    """A length of the design from the edge of a die."""
    return MARGIN + (length - MARGIN) * (die - 2 * MARGIN) / (DESIGN_SIDE_MM - 2 * MARGIN)


def around(boxes: list[Box]) -> Box:
    return Box(*(pick(edge) for pick, edge in zip((min, min, max, max), zip(*boxes, strict=True), strict=True)))


class Middle(NamedTuple):
    """What stands in the middle of a face, as the box of its ink, None where there is nothing of the kind."""

    name: Box | None
    echelon: Box | None
    symbol: Box | None
    figures: Box | None


def middle(face: Scene, die: float) -> Middle:
    """What stands in the middle of the face of a unit."""
    shapes = face.layers[0].shapes
    texts = [shape for shape in shapes if isinstance(shape, Text) and shape.text != "*"]
    names = [ink(text) for text in texts if text.y < scaled(BAND, die)]
    figures = [
        ink(text)
        for text in texts
        if text.y > scaled(FOOT, die) and text.size > LARGE * POINT_MM * die / DESIGN_SIDE_MM
    ]
    blanks = [
        ink(shape)
        for shape in shapes
        if isinstance(shape, Rectangle)
        and shape.radius
        and shape.height > 3.2 * die / DESIGN_SIDE_MM
        and shape.y > scaled(10, die)
    ]
    symbols = [shape for shape in shapes if isinstance(shape, Symbol)]
    echelons = [ink(symbol) for symbol in symbols if symbol.view_box[3] == 15]
    arms = [symbol for symbol in symbols if symbol.view_box[2:] == (60, 40) and symbol.width > 3]
    boxes = [Box(arm.x, arm.y, arm.x + arm.width, arm.y + arm.height) for arm in arms]
    return Middle(*(around(some) if some else None for some in (names, echelons, boxes, figures + blanks)))


def unit_faces(name: str, die: float) -> Iterator[Scene]:
    """The faces of units, without plain backs."""
    for counter in made(name, die):
        if not counter.is_marker:
            yield counter.front
            if counter.back and not counter.is_plain_behind:
                yield counter.back


@few(8)
@every_game
@every_die
def test_name_echelon_symbol_and_figures_stand_on_one_vertical_axis(name: str, die: float) -> None:
    for face in unit_faces(name, die):
        for what, box in zip(Middle._fields, middle(face, die), strict=True):
            if box is not None:
                # a letter or a figure has more room on one side of its ink than on the other
                assert (box.left + box.right) / 2 == pytest.approx(die / 2, abs=3 * OFF), (face.title, what)


@few(8)
@pytest.mark.parametrize("name", GAMES)
@every_die
def test_the_sign_of_the_size_stands_on_its_symbol_clear_of_frame_and_band(name: str, die: float) -> None:
    seen = 0
    for face in unit_faces(name, die):
        drawn = middle(face, die)
        if drawn.echelon and drawn.symbol and drawn.symbol.right - drawn.symbol.left > 5 * die / DESIGN_SIDE_MM:
            scale = die / DESIGN_SIDE_MM
            assert 0.15 <= (drawn.symbol.top - drawn.echelon.bottom) / scale <= 0.4, face.title
            assert drawn.echelon.top - scaled(BAND_FOOT, die) >= 0.15 * scale, face.title
            assert drawn.echelon.bottom - drawn.echelon.top >= 1.2 * scale * (die - 2 * MARGIN) / (
                DESIGN_SIDE_MM - 2 * MARGIN
            ), face.title
            seen += 1
    assert seen or name.startswith("world-undone")  # which prints no sizes


def test_names_of_one_size_have_one_base_line_with_tails_and_without() -> None:
    names = [
        text
        for face in unit_faces("twilight-in-the-east", DESIGN_SIDE_MM)
        for text in letters(face)
        if text.y < BAND and text.x == pytest.approx(DESIGN_SIDE_MM / 2)
    ]
    lines: dict[float, set[float]] = {}
    for text in names:
        lines.setdefault(round(text.size, 6), set()).add(round(text.y, 6))
    assert {len(found) for found in lines.values()} == {1}
    with_tails = {ink(text).bottom > text.y + 0.1 for text in names}
    assert with_tails == {True, False}


def test_the_movement_allowance_is_larger_than_all_that_is_small() -> None:
    """Its figures are more than 1.86 mm high on a counter of 5/8 inch."""
    game_of = game("twilight-in-the-east")
    slot = read_design(game_of).file.slots["movement"]
    left, top, width, height = (float(length) for length in slot.box)
    seen = 0
    for counter in made("twilight-in-the-east", DESIGN_SIDE_MM):
        facts = game_of.roster.get(counter.unit, {})
        if counter.is_marker or not facts.get("movement") or facts.get("rail-allowance"):
            continue
        box = Box(left, top, left + width, top + height)
        within = [text for text in letters(counter.front) if ink(text).within(box) > -0.1]
        assert [text.text for text in within] == [str(facts["movement"][0].value)], counter.unit
        assert within[0].size * CAP > 1.86, counter.unit
        seen += 1
    assert seen > 50


@few(2)
@pytest.mark.parametrize("name", GAMES)
def test_symbols_are_large(name: str) -> None:
    """Nearly seven millimetres by five on a counter of 5/8 inch."""
    for counter in design_counters(game(name), rounded=False):
        drawn = middle(counter.front, DESIGN_SIDE_MM)
        if drawn.symbol is not None:
            assert drawn.symbol.right - drawn.symbol.left >= 6.7, counter.unit
            assert drawn.symbol.bottom - drawn.symbol.top >= 4.45, counter.unit


@few(2)
@pytest.mark.parametrize("name", GAMES)
@every_die
def test_figures_have_the_foot_of_a_counter_to_themselves(name: str, die: float) -> None:
    """No other ink lies in the lowest 5.4 mm of a counter of 5/8 inch, whose figures are at least 3.5 mm high."""
    for face in unit_faces(name, die):
        figures = middle(face, die).figures
        if figures is None:  # as on a headquarters without a strength
            continue
        top = scaled(10.38, die)
        assert figures.top >= top - HAIR, face.title
        for shape in face.layers[0].shapes:
            found = ink(shape)
            is_ground = isinstance(shape, Rectangle) and shape.width > die / 2
            assert is_ground or found.within(figures) > -HAIR or found.bottom < top, (face.title, shape)
        if figures.right - figures.left < scaled(13, die) - scaled(2.9, die):
            assert figures.bottom - figures.top >= 3.5 * die / DESIGN_SIDE_MM, face.title


@every_die
@pytest.mark.parametrize("values", ["12?-16-7-11", "(1)-1", "10-12", "(\N{MINUS SIGN}1)-2", "24-24-24", "100-100"])
def test_long_values_fit_the_row_of_figures(values: str, die: float) -> None:
    slot = read_standard()[0].slots["figures"]
    place = FaceSlot("figures", slot, Cut(die, rounded=False), ())
    texts = [Figure(text, 1.0, INK) for text in values.split("-")]
    row = draw_row(texts, slot.separator, place.area, place.letters, place.gap, INK)
    assert not row.cut
    assert row.size >= MIN_READABLE_POINTS * POINT_MM
    found = around([ink(shape) for shape in row.shapes])
    left, top, width, height = place.area
    beyond = 0.13  # the rim that makes letters heavier, and round figures, which are higher than straight ones
    assert found.within(Box(left, top, left + width, top + height)) > -beyond
    assert (found.left + found.right) / 2 == pytest.approx(die / 2, abs=OFF)


@pytest.mark.parametrize("name", GAMES)
def test_a_back_keeps_the_colour_of_the_nation_on_most_of_its_face(name: str) -> None:
    """What covers the ground is a foot of the same hue, less than a third of the counter, and the band."""
    for counter in made(name, DESIGN_SIDE_MM):
        if counter.is_marker or counter.back is None:
            continue
        grounds = [shape for shape in counter.back.layers[0].shapes[:8] if isinstance(shape, Rectangle)]
        assert grounds[0].fill == counter.ground
        assert (grounds[0].width, grounds[0].height) == (DESIGN_SIDE_MM, DESIGN_SIDE_MM)
        others = [ground for ground in grounds[1:] if ground.width > DESIGN_SIDE_MM / 2]
        assert (
            sum(ground.width * ground.height for ground in others if ground.y > BAND)
            < DESIGN_SIDE_MM * DESIGN_SIDE_MM / 3
        ), counter.unit
        for ground in others:
            if ground.y > 10 and ground.height > 1:
                assert ground.fill == mix(counter.ground, WHITE, 0.74), counter.unit


# --- what is ours -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_a_star_stands_on_a_counter_that_shows_a_value_of_ours_and_on_no_other(name: str) -> None:
    for counter in made(name, DESIGN_SIDE_MM):
        shown = [shape.text for face in (counter.front, counter.back) if face for shape in letters(face)]
        assert ("*" in shown) == bool(counter.doubtful), counter.unit


@every_die
def test_the_star_keeps_its_distance_to_the_figures(die: float) -> None:
    seen = 0
    for face in unit_faces("twilight-in-the-east", die):
        figures = middle(face, die).figures
        for star in letters(face):
            if star.text == "*" and figures:
                assert ink(star).apart(figures) > 2.5 * die / DESIGN_SIDE_MM, face.title
                seen += 1
    assert seen > 100


def letters(face: Scene) -> list[Text]:
    return [shape for shape in face.layers[0].shapes if isinstance(shape, Text)]


def test_figures_before_which_a_hyphen_is_typed_have_a_minus_sign() -> None:
    for name in GAMES:
        for face in faces(name, DESIGN_SIDE_MM):
            for shape in face.layers[0].shapes:
                if isinstance(shape, Text):
                    assert not re.search(r"(?<![\w)])-[0-9]", shape.text), face.title
    steps = next(counter for counter in made("twilight-in-the-east", DESIGN_SIDE_MM) if counter.unit == "lost 1/2")
    assert "\N{MINUS SIGN}1" in [shape.text for shape in steps.front.layers[0].shapes if isinstance(shape, Text)]


@few(8)
@every_game
@every_die
def test_a_name_stands_in_the_middle_of_its_band(name: str, die: float) -> None:
    """Its capitals and figures, up and down, and its ink, across; on small dies tails leave it a little above."""
    seen = 0
    for face in faces(name, die):
        bands = [
            ink(shape)
            for shape in face.layers[0].shapes
            if isinstance(shape, Rectangle) and shape.y == pytest.approx(MARGIN) and shape.width > die / 2
        ]
        for text in letters(face) if bands else ():
            band, found = bands[-1], ink(text)
            if text.anchor != "middle" or found.within(band) < 0:
                continue
            assert (found.left + found.right) / 2 == pytest.approx((band.left + band.right) / 2, abs=OFF), face.title
            high = (text.y - text.size * CAP / 2) - (band.top + band.bottom) / 2
            assert -0.2 < high < OFF if die < DESIGN_SIDE_MM else abs(high) < OFF, face.title
            seen += 1
    assert seen


def rim(shape: Shape) -> float:
    """How wide the outline of a shape is that letters must keep within, 0 for none."""
    if isinstance(shape, Rectangle):
        return shape.stroke_width if shape.stroke else 0.0
    return shape.width if isinstance(shape, Circle) and shape.stroke else 0.0


def crowded(face: Scene, die: float) -> Iterator[str]:
    """The texts of a face that something comes too near to, in words."""
    shapes = [shape for shape in face.layers[0].shapes if ink(shape) != (0, 0, die, die)]
    clear = CLEAR * die / DESIGN_SIDE_MM
    for (below, one), (above, two) in combinations(enumerate(shapes), 2):
        text, other = (two, one) if isinstance(two, Text) else (one, two)
        if not isinstance(text, Text):
            continue
        if text is two and any(
            isinstance(chip, Rectangle) and ink(text).within(ink(chip)) > rim(chip) - HAIR
            for chip in shapes[below + 1 : above]
        ):
            continue  # a chip or another ground lies between them
        apart, wanted = ink(text).apart(ink(other)), clear
        if isinstance(other, Text):
            if "(" in one.text + two.text:  # type: ignore[union-attr]  # brackets embrace their figure
                continue
            apart = min(letter.apart(another) for letter in of_letters(text) for another in of_letters(other))
        elif (inside := ink(text).within(ink(other)) - rim(other)) > -clear / 2:
            apart, wanted = inside, INSIDE
        elif isinstance(other, Rectangle) and other.height < 0.35:  # a dash
            wanted = 0.01
        elif isinstance(other, Rectangle) and other.fill == ground_of(text, shapes[:above]):
            continue  # a tab and the band from which it hangs
        if apart < wanted:
            yield f"{face.title[:40]}: {text.text!r} is {apart:.3f} mm from {other}"


def of_letters(text: Text) -> list[Box]:
    """The ink of each letter of a text: a tail reaches down only where it is."""
    start = text.x - ANCHORS[text.anchor] * text_width(text.text, text.size, bold=text.bold)
    return [
        ink(replace(text, x=start + text_width(text.text[:at], text.size, bold=text.bold), text=letter, anchor="start"))
        for at, letter in enumerate(text.text)
        if letter.strip()
    ]


def ground_of(text: Text, below: Sequence[Shape]) -> str:
    """The colour of the ground or chip that a text stands on, "" for that of the counter. below: what is drawn before it."""
    grounds = (
        shape.fill for shape in reversed(below) if isinstance(shape, Rectangle) and ink(text).within(ink(shape)) > 0
    )
    return next(grounds, "")


@thorough
@every_game
@every_die
def test_nothing_comes_near_a_text(name: str, die: float) -> None:
    found = [line for face in faces(name, die) for line in crowded(face, die)]
    assert not found, found[:5]


def test_a_face_on_which_things_touch_is_found_out() -> None:
    layer = made("twilight-in-the-east", DESIGN_SIDE_MM)[0].front.layers[0]
    front = made("twilight-in-the-east", DESIGN_SIDE_MM)[0].front
    assert not list(crowded(front, DESIGN_SIDE_MM))
    lower = replace(layer, shapes=(*layer.shapes, Text(x=5, y=11, text="y", size=3)))
    assert list(crowded(replace(front, layers=(lower,)), DESIGN_SIDE_MM))


@pytest.mark.parametrize("name", FOLDERS)
def test_every_blank_box_has_a_question_mark_in_its_middle(name: str) -> None:
    """A value that nobody has stated is seen to be unknown, and not to be left out."""
    for face in faces(name, DESIGN_SIDE_MM):
        shapes = face.layers[0].shapes
        marks = [
            shape
            for shape in shapes
            if isinstance(shape, Text) and shape.text == "?" and shape.fill == QUESTION_MARK_INK
        ]
        assert len(marks) == len([shape for shape in shapes if isinstance(shape, Text) and shape.text == "?"])
        for mark in marks:
            box = shapes[shapes.index(mark) - 1]
            if isinstance(box, Rectangle):
                middle = box.x + box.width / 2, box.y + box.height / 2
                assert mark.x == pytest.approx(middle[0])
                assert mark.y - mark.size * CAP / 2 == pytest.approx(middle[1])
            else:
                assert isinstance(box, Circle) and (mark.x, mark.y - mark.size * CAP / 2) == pytest.approx(
                    (box.x, box.y)
                )
