"""The parts of which pictures are made: scenes as SVG and as files, geometry, hatching."""

from __future__ import annotations

import io
from importlib.resources import files
from math import atan2, degrees, dist, hypot

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from PIL import Image

from assistant.drawing import PIXELS_PER_MM, WRITERS
from assistant.drawing.colours import WHITE, darken, ink_on, mix
from assistant.drawing.counters import initials
from assistant.drawing.geometry import distance_inside, hexagon
from assistant.drawing.hatching import Strokes, hatch_area, hatching, slant_of
from assistant.drawing.scene import (
    Circle,
    Group,
    Layer,
    Path,
    Polygon,
    Polyline,
    Rectangle,
    Scene,
    Shape,
    Symbol,
    SymbolPath,
    Text,
    enlarge,
    shift,
    thin_line,
    thin_out,
)
from assistant.drawing.style import ROAD, SOFT_INK, Palette
from assistant.drawing.svg import to_svg
from assistant.drawing.symbols import Symbols, read_symbol


def scene(*shapes: object) -> Scene:
    return Scene(width=100, height=50.125, title="A & B", layers=(Layer("all", shapes),))  # type: ignore[arg-type]


def drawn(*shapes: object) -> list[etree._Element]:
    return list(etree.fromstring(to_svg(scene(*shapes)).encode())[-1])


def test_every_shape_is_written() -> None:
    symbol = Symbol(x=0, y=0, width=6, height=4, view_box=(0, 0, 60, 40), paths=(SymbolPath("M0 0L60 40", False, 3),))
    shapes = drawn(
        Polygon(points=((0, 0), (1, 0), (1, 1)), fill="#ffffff"),
        Polyline(points=((0, 0), (9, 0)), stroke="#000000", dash=(1, 0.5)),
        Rectangle(x=1, y=2, width=3, height=4, radius=0.5, opacity=0.5),
        Circle(x=1, y=1, radius=1),
        Text(x=0, y=0, text="a < b", size=3, anchor="end", bold=True, halo="#ffffff"),
        symbol,
        Group("both", (Circle(x=0, y=0, radius=1),)),
    )
    tags = [etree.QName(shape).localname for shape in shapes]
    assert tags == ["polygon", "polyline", "rect", "circle", "path", "svg", "g"]
    assert shapes[1].get("stroke-dasharray") == "1 0.5"
    assert shapes[4].get("aria-label") == "a < b"
    assert shapes[5].get("viewBox") == "0 0 60 40"
    assert shapes[6][0].text == "both"


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_a_length_that_is_none_is_an_error(bad: float) -> None:
    with pytest.raises(ValueError, match="not a length"):
        to_svg(scene(Circle(x=bad, y=0, radius=1)))


def test_all_images_are_drawings() -> None:
    for folder in files("field_staff_images").iterdir():
        for file in folder.iterdir() if folder.is_dir() else ():
            if file.name.endswith(".svg"):
                assert read_symbol(file).paths, file.name
                assert "href" not in file.read_text("utf-8")


@pytest.mark.parametrize("name", ["mammoth", "../images/infantry", "", "/etc/passwd", "infantry.svg", "a\x00"])
def test_what_is_no_symbol_is_none(name: str) -> None:
    assert Symbols().symbol(name) is None


@pytest.mark.parametrize(
    ("name", "letters"), [("german", "G"), ("austro-hungarian", "AH"), ("United States of America", "USO"), ("", "")]
)
def test_initials(name: str, letters: str) -> None:
    assert initials(name) == letters


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("minor-river", "river"),
        ("ridge", "teeth"),
        ("escarpment", "hachures"),
        ("lake", "lake"),
        ("impassable", "closed"),
    ],
)
def test_hexside_words(word: str, kind: str) -> None:
    style = Palette({}).hexside(word)
    assert style is not None
    assert style.kind == kind


def test_greater_rivers_are_wider_and_words_of_a_game_s_own_are_plain_lines() -> None:
    styles = [Palette({}).hexside(word) for word in ("minor-river", "river", "major-river", "grand-river")]
    widths = [style.width for style in styles if style]
    assert widths == sorted(set(widths))
    assert Palette({}).hexside("open") is None
    palette = Palette({"hedge": "#00aa00", "lane": "#aa8800"})
    assert [style and (style.kind, style.colour) for style in map(palette.hexside, ("hedge", "ditch", "no-hedge"))] == [
        ("line", "#00aa00"),
        ("line", SOFT_INK),
        None,
    ]
    assert palette.link("lane", ROAD) == "#aa8800"


@given(st.tuples(*[st.integers(0, 255)] * 3))
def test_letters_can_be_read_on_any_tint(channels: tuple[int, int, int]) -> None:
    tint = "#" + "".join(f"{channel:02x}" for channel in channels)
    assert ink_on(darken(tint)) == WHITE
    assert ink_on(mix(tint, ink_on(tint), 0.0)) == ink_on(tint)


def test_the_way_out_of_a_hex_is_half_a_hex_and_arrows_stay_as_they_are() -> None:
    corners = hexagon((0, 0), 10, flat=True)
    assert distance_inside(corners, (0, 0), (0, 100)) == pytest.approx(10 * 3**0.5 / 2)
    assert distance_inside(corners, (0, 0), (100, 0)) == pytest.approx(10)
    assert distance_inside(corners, (0, 0), (1, 0)) == 1
    arrow = Polyline(points=LINE, stroke="#000000", head=1.0)
    layer = Layer("all", (arrow, Path(lines=(LINE,)), Group("one", (Polygon(points=LINE),))))
    thin = thin_out(layer, 2.0)
    assert thin.shapes[0] == arrow
    assert thin.shapes[1] == Path(lines=((LINE[0], LINE[2], LINE[3]),))
    assert thin.shapes[2] == Group("one", (Polygon(points=(LINE[0], LINE[2], LINE[3])),))


def sheet(side: float) -> Scene:
    """A square of one colour, in millimetres."""
    square = Rectangle(x=0, y=0, width=side, height=side, fill="#aabbcc")
    return Scene(width=side, height=side, title="T", layers=(Layer("paper", (square,)),))


def size(scene: Scene) -> tuple[int, int]:
    return Image.open(io.BytesIO(WRITERS[".png"](scene))).size


def test_a_png_has_its_usual_resolution_or_stays_within_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    assert size(sheet(50)) == (50 * PIXELS_PER_MM, 50 * PIXELS_PER_MM)
    monkeypatch.setenv("FIELD_STAFF_LIMIT_PIXELS", "90000")
    width, height = size(sheet(100))
    assert width == height
    assert 85_000 < width * height <= 90_000


def test_svg_holds_no_length_below_nothing_by_a_hair_and_no_mark_of_writing_direction() -> None:
    line = Polyline(points=((-0.001, 0.0), (10.0, -0.004), (-10.0, -0.5)), stroke="#000000")
    scene = Scene(width=9, height=9, title="A line", layers=(Layer("lines", (line,)),))
    assert 'points="0,0 10,0 -10,-0.5"' in to_svg(scene)
    scene = Scene(width=40, height=10, title="25/3 \u202eb", description="\u2066a")
    assert not {"\u202e", "\u2066"} & {*to_svg(scene)}


LINE = ((0.0, 0.0), (1.0, 0.0), (2.0, 1.0), (5.0, 1.0))
SHAPES: tuple[Shape, ...] = (
    Polygon(points=LINE),
    Polyline(points=LINE, stroke="#000000"),
    Path(lines=(LINE, LINE)),
    Rectangle(x=1, y=2, width=3, height=4),
    Circle(x=1, y=2, radius=3),
    Text(x=1, y=2, text="Goldap", size=3),
    Group("both", (Circle(x=1, y=2, radius=3), Polygon(points=LINE))),
)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: type(shape).__name__)
def test_a_layer_that_is_moved_there_and_back_is_the_same(shape: Shape) -> None:
    layer = Layer("all", (shape,))
    moved = shift(layer, 3.0, -4.0)
    assert moved != layer and shift(moved, -3.0, 4.0) == layer
    assert shift(enlarge(layer, 2.0), 6.0, -8.0) == enlarge(moved, 2.0)


POINTS = st.lists(st.tuples(st.floats(0, 9), st.floats(0, 9)), min_size=2, max_size=30).map(tuple)


@given(POINTS, st.floats(0.1, 5))
def test_a_thinner_line_keeps_its_ends_and_never_strays_far(
    line: tuple[tuple[float, float], ...], least: float
) -> None:
    thin = thin_line(line, least)
    assert thin[0] == line[0] and thin[-1] == line[-1]
    assert {*thin} <= {*line} and len(thin) <= len(line)
    assert len(line) < 4 or all(min(dist(point, kept) for kept in thin) < least for point in line)


A_HEX = hexagon((50.0, 40.0), 19.6, flat=True)


@given(slant=st.floats(0, 180), pitch=st.floats(1, 8))
def test_hatching_stays_in_its_hex_and_runs_one_way(slant: float, pitch: float) -> None:
    strokes = list(hatch_area(A_HEX, slant, pitch))
    assert strokes
    for one, other in strokes:
        for x, y in (one, other):
            assert hypot(x - 50.0, y - 40.0) <= 19.6 + 1e-6
        if dist(one, other) > 1e-3:
            lean = degrees(atan2(one[1] - other[1], other[0] - one[0])) % 180
            assert min(abs(lean - slant % 180), 180 - abs(lean - slant % 180)) < 0.01


def test_hatchings_of_sides_lean_otherwise_and_are_one_path() -> None:
    slants = [slant_of(["red", "blue", "green"], side) for side in ("red", "blue", "green")]
    assert all(abs(one - other) > 30 for one in slants for other in slants if one != other)
    assert slant_of(["red"], "red") == slants[0]
    look = Strokes(3.0, 0.4, 0.5)
    (path,) = hatching([A_HEX, hexagon((90.0, 40.0), 19.6, flat=True)], "#123456", 30.0, look.scaled(1.0, 2.0))
    assert (path.stroke, path.width, path.opacity) == ("#123456", 0.8, 0.5)
    assert len(path.lines) > len(list(hatch_area(A_HEX, 30.0, 3.0)))
    assert list(hatching([], "#123456", 30.0, look)) == []


def test_a_casing_can_stand_alone() -> None:
    line = Polyline(points=((0, 0), (10, 0)), stroke="", casing="#aa00aa", casing_width=4, casing_opacity=0.3)
    (casing,) = drawn(line)
    assert casing.get("opacity") == "0.3"
