"""Scenes as PNG: sizes to the pixel, transparency, few colours, and the same picture as SVG gives; QR codes."""

from __future__ import annotations

import re
import sys
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from assistant.drawing import png
from assistant.drawing.pdf import PdfPage
from assistant.drawing.png import page_to_png, reduce_colours, to_png
from assistant.drawing.qr import qr_code
from assistant.drawing.scene import (
    Circle,
    Group,
    Layer,
    Polygon,
    Polyline,
    Rectangle,
    Scene,
    Shape,
    Symbol,
    SymbolPath,
    Text,
    enlarge,
)
from assistant.drawing.svg import to_svg
from assistant.drawing.symbols import Symbols
from assistant.util.errors import InputError

from ...cases import examples
from .pixels import Pixels, read_png

RED = "#c02020"
WHITE = "#ffffff"


def scene(*shapes: Shape, width: float = 20, height: float = 10) -> Scene:
    return Scene(width=width, height=height, title="T", layers=(Layer("all", shapes),))


def drawn(*shapes: Shape, scale: float = 10) -> Pixels:
    return read_png(to_png([scene(*shapes)], scale)[0])


def differences(one: Pixels, other: Pixels) -> list[int]:
    """How far each channel of each pixel is off."""
    assert (one.width, one.height, one.channels) == (other.width, other.height, other.channels)
    return [abs(a - b) for rows in zip(one.rows, other.rows, strict=True) for a, b in zip(*rows, strict=True)]


def samples() -> list[Shape]:
    """One of every shape with all that it may have."""
    infantry = Symbols().symbol("headquarters")
    assert infantry is not None
    arc = SymbolPath("M5 20A15 15 0 0 1 35 20T58 30q-10 10-20 5", False, 4, round_ends=True)
    return [
        Rectangle(x=0, y=0, width=20, height=10, radius=2, fill="#d8e0c8", stroke="#305030", stroke_width=0.4),
        Polygon(points=((1, 1), (5, 1), (3, 4)), fill="#8080c0", stroke="#202040", width=0.3, opacity=0.5),
        Polyline(points=((1, 8), (6, 6), (9, 8)), stroke=RED, width=0.6, head=1.5, casing=WHITE, casing_width=1.2),
        Polyline(points=((1, 9.2), (9, 9.2)), stroke="#000000", width=0.3, dash=(1, 0.5), butt=True),
        Polyline(points=((6, 1), (9, 4)), stroke="", casing="#9030a0", casing_width=1.5, casing_opacity=0.4),
        Circle(x=11, y=3, radius=1.5, fill=WHITE, stroke=RED, width=0.5),
        Text(x=15, y=8, text="Lötzen 12", size=2, anchor="middle", bold=True, halo="#ffffff"),
        Text(x=15, y=4, text="12", size=3, anchor="end", bold=True, fill=RED, weight=0.05),
        Group("two", (Text(x=19, y=9.6, text="end", size=1.2, anchor="end"),)),
        Symbol(x=13, y=1, width=6, height=4, view_box=infantry.view_box, paths=infantry.paths, ink="#204080"),
        Symbol(x=10, y=5, width=3, height=4, view_box=(0, 0, 60, 40), paths=(arc,), ink=RED, opacity=0.6),
    ]


# --- sizes ------------------------------------------------------------------------------------------------------------


@settings(max_examples=examples(25), deadline=None)
@given(
    sizes=st.lists(st.tuples(st.floats(0.1, 60), st.floats(0.1, 60)), min_size=1, max_size=5), scale=st.floats(0.5, 12)
)
def test_every_picture_is_as_large_as_its_scene_to_the_pixel(sizes: list[tuple[float, float]], scale: float) -> None:
    shapes = (Circle(x=3, y=3, radius=2, fill=RED),)
    found = [read_png(data) for data in to_png([scene(*shapes, width=w, height=h) for w, h in sizes], scale)]
    assert [(one.width, one.height) for one in found] == [
        (max(round(w * scale), 1), max(round(h * scale), 1)) for w, h in sizes
    ]


def test_scenes_keep_their_order_and_do_not_run_into_one_another() -> None:
    reds = [
        scene(Rectangle(x=-5, y=-5, width=40, height=40, fill=f"#{n:02x}0000"), width=4, height=4) for n in range(9)
    ]
    others = [scene(Circle(x=2, y=2, radius=1, fill=WHITE), width=4, height=n) for n in (4, 8, 4)]
    found = [read_png(data) for data in to_png([*reds[:5], *others, *reds[5:]], 5)]
    assert [one.at(2, 2)[0] for one in found if one.channels == 3] == list(range(9))
    assert all(len(set(one.rows)) == 1 for one in found if one.channels == 3)
    assert [one.height for one in found[5:8]] == [20, 40, 20]


def test_a_picture_drawn_in_bands_and_on_small_sheets_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    scenes = [
        scene(*samples()),
        scene(*samples()),
        scene(Rectangle(x=0, y=0, width=99, height=99, fill=RED), *samples()),
    ]
    whole = list(map(read_png, to_png(scenes, 8)))
    monkeypatch.setattr(png, "_BAND_PIXELS", 1000)
    monkeypatch.setattr(png, "_MAX_SHARED_PAGE_PIXELS", 100)
    parts = list(map(read_png, to_png(scenes, 8)))
    assert [max(differences(*pair)) <= 1 for pair in zip(whole, parts, strict=True)] == [True] * 3


@pytest.mark.parametrize("scale", [0.0, -1.0, float("nan"), float("inf")])
def test_a_resolution_that_is_none_is_an_error(scale: float) -> None:
    with pytest.raises(ValueError, match="is impossible"):
        to_png([scene()], scale)


def test_scenes_that_are_none_or_beyond_all_measure_are_not_drawn() -> None:
    large = scene(width=1000, height=1000)
    for draw in (lambda: to_png([large], 50), lambda: page_to_png(PdfPage(1000, 1000, ()), 50)):
        with pytest.raises(InputError, match="50,000 by 50,000 pixels is too large\n.*FIELD_STAFF_LIMIT_PIXELS="):
            draw()
    assert to_png([], 5) == []


# --- what is drawn ----------------------------------------------------------------------------------------------------


def test_opacity_lets_the_ground_through_and_what_is_empty_is_clear() -> None:
    found = drawn(Rectangle(x=0, y=0, width=10, height=10, radius=3, fill=RED))
    assert found.at(0, 0)[3] == found.at(150, 50)[3] == 0
    assert found.at(50, 50) == found.at(0, 50) == (0xC0, 0x20, 0x20, 255)
    ground = Rectangle(x=0, y=0, width=20, height=10, fill=WHITE)
    red = drawn(ground, Rectangle(x=0, y=0, width=20, height=10, fill="#ff0000", opacity=0.5)).at(50, 50)
    assert red[0] == 255
    assert abs(red[1] - 128) <= 1
    alone = drawn(Rectangle(x=0, y=0, width=20, height=10, fill="#ff0000", opacity=0.5)).at(50, 50)
    assert abs(alone[3] - 128) <= 1


def test_shapes_reach_the_last_pixel_and_symbols_the_edge_of_their_box() -> None:
    found = read_png(
        to_png([scene(Rectangle(x=0, y=0, width=16, height=16, fill=RED), width=16, height=16)], 75 / 16)[0]
    )
    assert (found.width, found.channels) == (75, 3)
    assert {found.at(x, y) for x in (0, 74) for y in (0, 74)} == {(0xC0, 0x20, 0x20, 255)}
    wide = SymbolPath("M-60 -60H120V120H-60Z", True, 0)
    found = drawn(Symbol(x=5, y=2, width=6, height=6, view_box=(0, 0, 60, 40), paths=(wide,), ink=RED))
    assert found.at(51, 21)[3] == found.at(108, 78)[3] == 255
    assert found.at(48, 50)[3] == found.at(112, 50)[3] == found.at(80, 18)[3] == 0


def test_letters_are_heavier_and_lie_over_their_halo() -> None:
    plain, heavier = (
        drawn(Text(x=2, y=8, text="I", size=8, bold=True, fill="#000000", weight=weight)) for weight in (0.0, 0.1)
    )
    across, more = (sum(found.at(x, 50)[:3] == (0, 0, 0) for x in range(200)) for found in (plain, heavier))
    down, further = (sum(found.at(31, y)[:3] == (0, 0, 0) for y in range(100)) for found in (plain, heavier))
    assert (more - across, further - down) == pytest.approx((8, 8), abs=2)
    found = drawn(Text(x=2, y=8, text="I", size=8, bold=True, fill="#000000", halo=RED))
    row = [found.at(x, 50) for x in range(200)]
    assert (0, 0, 0, 255) in row
    assert row.index((0xC0, 0x20, 0x20, 255)) < row.index((0, 0, 0, 255))


@pytest.mark.parametrize("number", range(11))
def test_svg_and_png_show_the_same(number: int) -> None:
    resvg = pytest.importorskip("resvg_py")
    shape = samples()[number]
    paper = Rectangle(x=0, y=0, width=20, height=10, fill="#f0f0f0")
    other = read_foreign(bytes(resvg.svg_to_bytes(svg_string=to_svg(scene(paper, shape)), dpi=254)))
    ours = drawn(paper, shape)
    off = differences(ours, Pixels(ours.width, ours.height, 3, tuple(other)))
    assert sum(off) / len(off) < (1.0 if isinstance(shape, Text) else 0.6)  # letters are all edges
    assert sum(difference > 96 for difference in off) < len(off) / 1000


def read_foreign(data: bytes) -> list[bytes]:
    """The rows of another program's PNG in red, green and blue."""
    from io import BytesIO

    image = pytest.importorskip("PIL.Image").open(BytesIO(data)).convert("RGB")
    raw = image.tobytes()
    return [raw[at : at + image.width * 3] for at in range(0, len(raw), image.width * 3)]


def test_an_enlarged_layer_is_the_same_picture_in_more_pixels() -> None:
    layer = enlarge(Layer("all", tuple(samples())), 10)
    large = Scene(width=200, height=100, title="T", layers=(layer,))
    off = differences(read_png(to_png([large], 1)[0]), drawn(*samples()))
    assert sum(off) / len(off) < 0.1


def picture() -> Image.Image:
    """A picture of many greys with one red point."""
    grey = Image.linear_gradient("L").convert("RGB")
    grey.putpixel((10, 10), (196, 40, 28))
    return grey


def opened(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png)).convert("RGB")


def encoded(image: Image.Image) -> bytes:
    written = BytesIO()
    image.save(written, "PNG")
    return written.getvalue()


def test_few_colours_are_no_more_than_asked_for_with_those_that_must_stay() -> None:
    few = opened(reduce_colours(encoded(picture()), 8, ["#c4281c"]))
    assert few.getpixel((10, 10)) == (196, 40, 28)
    lost = opened(reduce_colours(encoded(picture()), 8))
    assert lost.getpixel((10, 10)) != (196, 40, 28)
    colours = opened(reduce_colours(encoded(picture()), 16)).getcolors()
    assert colours is not None and len(colours) <= 16


ADDRESS = "https://example.org/table/#fs1.BF7mN4OQJeWZOaBUgKLDxEDPyMBKwchU35gLAA"


def modules(text: str) -> list[list[bool]]:
    return [[bool(module) for module in row] for row in qr_code(text).code.matrix_iter(border=4)]


def test_a_png_and_a_terminal_show_the_modules_of_a_code() -> None:
    picture = Image.open(BytesIO(qr_code(ADDRESS).draw(".png"))).convert("L")
    rows = modules(ADDRESS)
    assert picture.size == (8 * len(rows), 8 * len(rows))
    assert [
        [picture.getpixel((8 * x + 3, 8 * y + 3)) < 128 for x in range(len(rows))] for y in range(len(rows))
    ] == rows
    halves = {"█": (False, False), "▀": (False, True), "▄": (True, False), " ": (True, True)}
    shown = [[halves[letter][half] for letter in line] for line in qr_code(ADDRESS).in_letters() for half in (0, 1)]
    assert shown[: len(modules(ADDRESS))] == modules(ADDRESS)


def test_a_code_is_dense_says_nothing_else_and_holds_so_many_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    svg = qr_code(ADDRESS).draw(".svg").decode()
    assert re.findall(r"<(\w+)", svg) == ["svg", "g", "path", "path"]
    assert "viewBox" in svg
    with pytest.raises(InputError, match="2332 letters are too many for a QR code"):
        qr_code("a" * 2332)
    monkeypatch.setitem(sys.modules, "segno", None)
    with pytest.raises(InputError, match="QR codes need the package segno") as caught:
        qr_code(ADDRESS)
    assert caught.value.hint == "install it, or Field Staff again"


@pytest.mark.parametrize(("letters", "version", "dense"), [(14, 1, False), (997, 25, False), (998, 26, True)])
def test_how_dense_it_is(letters: int, version: int, dense: bool) -> None:
    code = qr_code("a" * letters)
    assert (code.version, code.is_dense) == (version, dense)
