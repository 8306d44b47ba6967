"""The parts of which pictures are made: scenes as SVG, symbols, geometry."""

from __future__ import annotations

from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from assistant.drawing.colours import WHITE, darken, ink_on, mix
from assistant.drawing.counters import initials
from assistant.drawing.geometry import distance_inside, hexagon
from assistant.drawing.scene import Circle, Group, Layer, Polygon, Polyline, Rectangle, Scene, Symbol, SymbolPath, Text
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


# --- colours, symbols, geometry ---------------------------------------------------------------------------------------


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


def test_the_way_out_of_a_hex_is_half_a_hex() -> None:
    corners = hexagon((0, 0), 10, flat=True)
    assert distance_inside(corners, (0, 0), (0, 100)) == pytest.approx(10 * 3**0.5 / 2)
    assert distance_inside(corners, (0, 0), (100, 0)) == pytest.approx(10)
    assert distance_inside(corners, (0, 0), (1, 0)) == 1
