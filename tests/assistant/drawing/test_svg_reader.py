"""Drawings as authors' tools write them are drawn as they are meant: shapes, groups, styles, transforms, colours."""

from __future__ import annotations

import io
from itertools import product

import msgspec
import pytest
import resvg_py
from PIL import Image, ImageChops, ImageStat

from assistant.drawing.png import to_png
from assistant.drawing.scene import Layer, Scene, Symbol
from assistant.drawing.svg_reader import FARTHEST, read_drawing
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


FAR = f"{FARTHEST:.0f}"
BEYOND = f"{2 * FARTHEST:.0f}"


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
