"""Drawings as authors' tools write them are drawn as they are meant: shapes, paths, groups, styles, transforms, colours."""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import product
from math import dist

import msgspec
import pytest
import resvg_py
from fontTools.pens.recordingPen import RecordingPen
from fontTools.svgLib.path.parser import parse_path
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageStat

from assistant.drawing.paths import PathCommand, Transform, check_path, group_transform, read_path, shape_path
from assistant.drawing.png import to_png
from assistant.drawing.scene import Layer, Point, Scene, Symbol
from assistant.drawing.svg_reader import MAX_COORDINATE, read_drawing
from assistant.util.errors import InputError

FACE = """
<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" viewBox="0 0 100 100">
  <title>a face</title><metadata>by hand</metadata><inkscape:view/>
  <defs><linearGradient id="unused"/></defs>
  <rect width="100" height="100" fill="#ecc382"/>
  <g style="stroke:#26231e;stroke-width:3" fill="none">
    <rect x="20" y="24" width="60" height="40" rx="4" style="fill:white"/>
    <line x1="20" y1="24" x2="80" y2="64"/>
    <polyline points="20,64 50,44 80,24"/>
  </g>
  <g transform="translate(50 82) rotate(-20)"><g transform="scale(2,1.2)" fill="rgb(154,6,54)">
    <circle r="6"/><ellipse cx="14" rx="5" ry="8" fill="#22458e"/>
  </g></g>
  <polygon points="8,8 20,8 14,20" fill="darkgreen" stroke="none" transform="matrix(1 0 0.2 1 3 0)"/>
  <path d="M60 4H96V20H60ZM66 8H90V16H66Z" fill-rule="evenodd" transform="skewX(-8)"/>
  <rect x="2" y="80" width="12" height="12" display="none"/><rect x="2" y="80" width="12" height="12" visibility="hidden"/>
  <path d="M2 98C30 60 40 130 98 90" fill="none" stroke="#8b0000" stroke-width="2" stroke-linecap="round"/>
</svg>
"""


def read(text: str, *, coloured: bool = True) -> Symbol:
    return read_drawing(text.encode(), "the drawing", coloured=coloured)


def wrap_text(shapes: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 40">{shapes}</svg>'


def test_a_face_looks_as_another_renderer_draws_it() -> None:
    face = msgspec.structs.replace(read(FACE), width=100, height=100)
    scene = Scene(width=100, height=100, title="", layers=(Layer("face", (face,)),))
    ours = Image.open(io.BytesIO(to_png([scene], 4)[0])).convert("RGB")
    theirs = Image.open(io.BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=FACE, width=400, height=400)))).convert("RGB")
    off = ImageStat.Stat(ImageChops.difference(ours, theirs).convert("L"))
    assert off.mean[0] < 1.5
    assert off.rms[0] < 9


def test_a_symbol_is_inked_by_the_picture_but_keeps_its_white() -> None:
    symbol = read(
        wrap_text('<rect width="60" height="40" fill="#a00"/><circle cx="9" cy="9" r="4" fill="#FFF"/>'), coloured=False
    )
    assert [path.fill for path in symbol.paths] == ["", "#ffffff"]


def test_a_path_is_drawn_as_it_is_written_or_grows_with_its_group() -> None:
    assert read(wrap_text('<path d="M0 0l9,9z"/>')).paths[0].data == "M0 0l9,9z"
    (path,) = read(
        wrap_text('<g transform="scale(3)"><path d="M0 0H9" fill="none" stroke="#000" stroke-width="2px"/></g>')
    ).paths
    assert (path.width, path.data) == (6, "M0 0L27 0")
    shapes = '<path d=""/><path d="M0 0H1" fill="none"/><polygon/><rect width="9" height="9" fill-opacity="0"/><path d="M1 1H2V3Z"/>'
    assert len(read(wrap_text(shapes)).paths) == 1
    deep = "<g transform='scale(1.001)'>" * 200 + '<path d="M0 0H1V1Z"/>' + "</g>" * 200
    assert len(read(wrap_text(deep)).paths) == 1


@pytest.mark.parametrize(
    ("style", "paint"),
    [
        ('fill="tomato"', ("#ff6347", "")),
        ('style="fill:#0a0;stroke:rgb(1,2,3)"', ("#00aa00", "#010203")),
        ('fill="rgb(9999999999,2,3)"', ("#ff0203", "")),
        ('fill="#00aa00ff"', ("#00aa00", "")),
        ('fill="currentColor"', ("", "")),
        ('stroke="white" fill="none"', ("", "#ffffff")),
    ],
)
def test_colours_are_read_however_they_are_written(style: str, paint: tuple[str, str]) -> None:
    (path,) = read(wrap_text(f'<path d="M0 0H9V9Z" {style}/>')).paths
    assert (path.fill, path.stroke) == paint


@pytest.mark.parametrize("colour", ["#ff000080", "#f008", "rgba(255,0,0,128)"])
def test_a_colour_that_lets_the_ground_through_is_refused(colour: str) -> None:
    with pytest.raises(InputError, match="partly transparent"):
        read(wrap_text(f'<path d="M0 0H9V9Z" fill="{colour}"/>'))


def test_rules_for_classes_are_followed_as_some_tools_write_them() -> None:
    style = (
        "<defs><style>/* made by a tool */ .a, .b-2 {fill: none; stroke: #0a0} .b-2{stroke-width:4px;}</style></defs>"
    )
    one, other = read(
        wrap_text(style + '<path class="a" d="M0 0H9"/><path class="b-2" style="stroke:red" d="M0 0H9"/>')
    ).paths
    assert (one.stroke, one.width) == ("#00aa00", 1)
    assert (other.stroke, other.width, other.filled) == ("#ff0000", 4, False)
    with pytest.raises(InputError, match="a style may hold only rules for classes: 'path"):
        read(wrap_text("<style>path{fill:red}</style>"))
    with pytest.raises(InputError, match="a style may hold only rules for classes"):
        read(wrap_text("<style>@import url(http://x/y.css);</style>"))


def test_a_clip_over_the_whole_drawing_cuts_nothing() -> None:
    defs = '<defs><clipPath id="all"><rect x="{}" y="{}" width="{}" height="{}" fill="white"/></clipPath></defs>'
    group = '<g clip-path="url(#all)"><path d="M0 0H9V9Z"/></g>'
    assert len(read(wrap_text(group + defs.format(0, 0, 60, 40))).paths) == 1
    assert len(read(wrap_text(group + defs.format(-1, -1, 61, 41))).paths) == 1
    for box in ((0, 0, 59, 40), (0, 0, 60, 39), (1, 0, 60, 40), (0, 1, 60, 40)):
        with pytest.raises(InputError, match="a drawing cannot use clip-path"):
            read(wrap_text(group + defs.format(*box)))


FAR = f"{MAX_COORDINATE:.0f}"
BEYOND = f"{2 * MAX_COORDINATE:.0f}"


@pytest.mark.parametrize("shape", ["M0 0L{}", "M{}L0 0", "M0 0Q{} 1 1", "M0 0C1 1 {} 2 2", "M0 0H1V1ZM{}L1 1"])
@pytest.mark.parametrize("transform", ["", ' transform="translate(0 0)"'])
def test_each_point_of_a_path_lies_as_far_out_as_a_drawing_may_reach_and_no_farther(shape: str, transform: str) -> None:
    def path(x: str, y: str) -> str:
        return wrap_text(f'<path d="{shape.format(f"{x} {y}")}"{transform}/>')

    for sign, other in product(("", "-"), ("5", FAR)):
        assert read(path(f"{sign}{FAR}", other)).paths and read(path(other, f"{sign}{FAR}")).paths
        for x, y in ((f"{sign}{BEYOND}", other), (other, f"{sign}{BEYOND}")):
            with pytest.raises(InputError, match="a point lies too far out"):
                read(path(x, y))


@pytest.mark.parametrize(
    ("drawing", "refused"),
    [
        (
            "<!DOCTYPE svg [<!ENTITY a 'b'>]><svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'/>",
            "document type",
        ),
        ("<svg", "the drawing: "),
        ("<svg>\0</svg>", "the drawing is not UTF-8 text"),
        ("<g>" * 100_000 + "</g>" * 100_000, "nested more than"),
    ],
)
def test_what_is_no_plain_xml_is_refused(drawing: str, refused: str) -> None:
    with pytest.raises(InputError, match=refused):
        read(drawing)


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("M1-2.5L.5.5", "M1 -2.5L0.5 0.5"),  # a new number begins where the one before cannot go on
        ("M0 0 1 1M2 2", "M0 0L1 1M2 2"),
        ("M1.e1 01", "M10 1"),
        ("M1 1L2 2ZL5 5", "M1 1L2 2ZM1 1L5 5"),  # what follows a closed part begins where that began
        ("M0 0C0 3 3 6 6 6S12 9 12 12", "M0 0C0 3 3 6 6 6C9 6 12 9 12 12"),
        ("M0 0S3 3 6 0", "M0 0C0 0 3 3 6 0"),
        ("M0 0Q3 3 6 0T12 0", "M0 0C2 2 4 2 6 0C8 -2 10 -2 12 0"),
        ("M0 0A0 5 0 0 1 3 3", "M0 0L3 3"),  # an arc without a radius is a line
        ("M0 0A5 5 0 0 1 0 0", "M0 0"),
        ("M0 0a1 1 0 012 0", "M0 0A1 1 0 0 1 2 0"),  # flags need no space
        ("M0 0A1 1 0 0 1 20 0", "M0 0A10 10 0 0 1 20 0"),  # too small to reach: it grows
    ],
)
def test_what_is_written_short_is_read_in_full(short: str, long: str) -> None:
    ours, theirs = read_path(short), read_path(long)
    assert [piece.kind for piece in ours] == [piece.kind for piece in theirs]
    assert flat(ours) == pytest.approx(flat(theirs))


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ("1 1L2 2", r"it must begin with a move \(M\)"),
        ("L2 2", r"it must begin with a move \(M\)"),
        ("Z", r"it must begin with a move \(M\)"),
        ("M0 0L20,,0 20 20Z", "',,0 20 20' is neither a command nor a number"),
        ("M,0 0L1 1", "',0 0' is neither"),
        ("M0 0L1 1,", "',' is neither"),
        ("M0 0A1 1 0 0 1 5,,5", "is not an arc"),
        ("M0 0A1 1 0 0 1 5 5,", "',' is not an arc"),
        ("M1", "M takes 2 numbers, not 1"),
        ("M0 0L1 1 2", "L takes 2 numbers, not 3"),
        ("M0 0C1 1 2 2 3", "C takes 6 numbers, not 5"),
        ("M0 0L", "L takes 2 numbers, not 0"),
        ("M0 0L1 url(x)", "'ur' is neither a command nor a number"),
        ("M0 0Z5", "Z takes 0 numbers, not 1"),
        ("M0 0A1 1 0 2 1 5 5", "is not an arc"),
        ("M0 0A1 1 0 0 1 45", "is not an arc"),
        ("M0 0L1 ٣", "'٣' is neither"),
    ],
)
def test_nothing_is_read_past_a_mistake(data: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        read_path(data)
    with pytest.raises(InputError, match="is not a path"):
        check_path(data, None)


def test_a_long_number_that_is_not_an_arc_is_refused_at_once() -> None:
    """An attempt at each digit would take a minute."""
    with pytest.raises(ValueError, match="is not an arc"):
        read_path(f"M0 0A{'1' * 250_000}")


NUMBERS = st.sampled_from(["0", "3", "-7", "12.5", "-.25", "1e1", "40", "9"])


@st.composite
def paths(draw: st.DrawFn) -> str:
    """Random paths, in which no arc has a radius of 0."""
    words = ["M", draw(NUMBERS), draw(NUMBERS)]
    for letter in draw(st.lists(st.sampled_from("LlHhVvCcSsQqTtAaZzMm"), max_size=8)):
        match letter.upper():
            case "A":
                round_ = st.sampled_from(["3", "8.5", "20"])
                flags = st.sampled_from("01")
                words += [letter, *(draw(kind) for kind in (round_, round_, NUMBERS, flags, flags, NUMBERS, NUMBERS))]
            case kind:
                count = {"L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "M": 2, "Z": 0}[kind]
                words += [letter, *(draw(NUMBERS) for _ in range(count * draw(st.integers(1, 2))))]
    return " ".join(words)


@given(data=paths())
def test_another_reader_finds_the_same_pieces(data: str) -> None:
    pen = RecordingPen()
    parse_path(data, pen)
    theirs, ours = list(recorded(pen)), read_path(data)
    assert [piece.kind for piece in theirs] == [piece.kind for piece in without_last_lines(ours)]
    assert flat(theirs) == pytest.approx(flat(without_last_lines(ours)), abs=1e-5)


def flat(pieces: list[PathCommand]) -> list[float]:
    return [value for piece in pieces for point in piece.points for value in point]


def recorded(pen: RecordingPen) -> Iterator[PathCommand]:
    """What a pen was told; without the line that it is told before a part is closed."""
    at: Point = (0, 0)
    pieces = list[PathCommand]()
    for kind, points in pen.value:
        match kind:
            case "moveTo" | "lineTo":
                pieces.append(PathCommand("M" if kind == "moveTo" else "L", points))
            case "curveTo":
                pieces.append(PathCommand("C", points))
            case "qCurveTo":
                control, end = points
                first, second = (toward(one, control) for one in (at, end))
                pieces.append(PathCommand("C", (first, second, end)))
            case "closePath":
                pieces.append(PathCommand("Z"))
        at = points[-1] if points else at
    yield from without_last_lines(pieces)


def toward(point: Point, other: Point) -> Point:
    """Two thirds of the way."""
    return point[0] + (other[0] - point[0]) * 2 / 3, point[1] + (other[1] - point[1]) * 2 / 3


def without_last_lines(pieces: list[PathCommand]) -> list[PathCommand]:
    """Without each line that leads back to where its part began, before that is closed."""
    kept, start = list[PathCommand](), (0.0, 0.0)
    for piece in pieces:
        if piece.kind == "M":
            (start,) = piece.points
        while piece.kind == "Z" and kept[-1].kind == "L" and dist(kept[-1].points[0], start) < 1e-9:
            kept.pop()
        kept.append(piece)
    return kept


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("translate(3)", (5, 2)),
        ("translate(3, 4)", (5, 6)),
        ("scale(2)", (4, 4)),
        ("scale(2 3)", (4, 6)),
        ("rotate(90)", (-2, 2)),
        ("rotate(90 2 0)", (0, 0)),
        ("skewX(45)", (4, 2)),
        ("skewY(45)", (2, 4)),
        ("matrix(1 0 0 1 7 8)", (9, 10)),
        ("translate(10,0) scale(2), rotate(180)", (6, -4)),  # the last one is done first
    ],
)
def test_a_transform_puts_a_point_where_svg_says(text: str, place: Point) -> None:
    put = group_transform(None, text)
    assert put is not None
    assert put.put((2, 2)) == pytest.approx(place)
    outer = Transform(e=100)
    assert group_transform(outer, text) == outer.after(put)


@pytest.mark.parametrize("text", ["turn(3)", "scale(1 2 3)", "matrix(1 2)", "scale(2", "rotate(x)", "scale(nan)"])
def test_what_is_no_transform_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"is not a (transform|number)"):
        group_transform(None, text)


@pytest.mark.parametrize(
    ("tag", "said", "data"),
    [
        ("line", {"x2": "3", "y1": "1"}, "M0 1L3 0"),
        ("rect", {"x": "1", "width": "4px", "height": "2"}, "M1 0H5V2H1Z"),
        ("polygon", {"points": "0,0 3,0 3,3"}, "M0,0 3,0 3,3Z"),
        ("polyline", {"points": "0,0 3,0"}, "M0,0 3,0"),
        ("polyline", {}, ""),
        ("circle", {"r": "2"}, "M-2 0A2 2 0 1 1 2 0A2 2 0 1 1 -2 0"),
        ("ellipse", {"cx": "5", "rx": "2", "ry": "1"}, "M3 0A2 1 0 1 1 7 0A2 1 0 1 1 3 0"),
        ("path", {"d": "M0 0h1"}, "M0 0h1"),
        ("rect", {"width": "4", "height": "2", "rx": "0", "ry": "1"}, "M0 0H4V2H0Z"),
        ("rect", {"width": "0", "height": "2"}, ""),
        ("circle", {"r": "0"}, ""),
        ("ellipse", {"rx": "2", "ry": "0"}, ""),
    ],
)
def test_a_shape_is_a_path(tag: str, said: dict[str, str], data: str) -> None:
    assert shape_path(tag, said) == data
    assert check_path(data, None) == data


@pytest.mark.parametrize("place", [None, Transform(e=1)])
def test_a_path_of_nothing_is_none(place: Transform | None) -> None:
    assert check_path(" ", place) == ""


@pytest.mark.parametrize(
    ("tag", "attributes", "why"),
    [
        ("polyline", {"points": "0,0 h20 v20 z"}, "is not a list of points"),
        ("polygon", {"points": "0,0,,3,3"}, "is not a list of points"),
        ("circle", {"r": "-10"}, "r of <circle> is below 0"),
        ("rect", {"width": "1_0", "height": "2"}, r"'1_0' is not a number \(width of <rect>\)"),
        ("rect", {"width": "٣", "height": "2"}, "is not a number"),
    ],
)
def test_a_shape_that_svg_would_not_draw_so_is_refused(tag: str, attributes: dict[str, str], why: str) -> None:
    with pytest.raises(InputError, match=why):
        shape_path(tag, attributes)


def test_corners_are_round_by_one_radius_and_by_half_a_side_at_most() -> None:
    rounded = {"width": "4", "height": "2"}
    data = "M1 0H3A1 1 0 0 1 4 1V1A1 1 0 0 1 3 2H1A1 1 0 0 1 0 1V1A1 1 0 0 1 1 0Z"
    assert shape_path("rect", {**rounded, "rx": "1"}) == shape_path("rect", {**rounded, "ry": "1"}) == data
    assert shape_path("rect", {**rounded, "rx": "1", "ry": "9"}) == data
