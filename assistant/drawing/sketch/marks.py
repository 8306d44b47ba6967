"""The texts in and beside the hexes of a sketch: labels, remarks, numbers, and ranks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import dist
from typing import NamedTuple

from msgspec.structs import replace

from ...asking.sketch import Remark, Role, Sketch, Spot
from ...state.state import hexside
from ..colours import INK, WHITE, ink_on
from ..counters import SHADOW_WIDTH_MM
from ..geometry import PageBox, box_around, middle_of, point_between
from ..layout import Layout
from ..lettering import POINT_MM, FittedText, base_line, fit_line, fit_lines, text_width
from ..map.arcs import text_box
from ..map.layers import leader_shapes
from ..placement import Inscription, Placement, hex_mark
from ..scene import Circle, Group, Layer, Path, Point, Shape, Text, inset, text_lines
from ..style import HEX_MM, SOFT_INK
from .layers import format_spot

# --- labels -----------------------------------------------------------------------------------------------------------

LABEL_SIZE_MM = 3.3
MIN_LABEL_SIZE_MM = 6 * POINT_MM
MAX_LABEL_SIZE_MM = 4.6
_MAX_FIGURE_LETTERS = 3
"""The maximum number of letters of a figure alone."""
_MAX_TEXT_WIDTH_MM = 20.0
_SIGN_SIZE_MM = 2.6
_PADDING_MM = 1.0


class Tag(NamedTuple):
    """A label to be drawn.

    `has_sign`: whether a sign precedes the text.
    `letter`: the letter of a reason, in a disc after the text, or "".
    """

    lines: tuple[str, ...]
    size: float
    width: float
    height: float
    has_sign: bool
    letter: str = ""
    cut: bool = False


_DISC_RADIUS_MM = 1.5
_DISC_LETTER_SIZE_MM = 2.6
_DISC_GAP_MM = 0.7


def make_tag(
    role: Role, text: str, max_width: float = _MAX_TEXT_WIDTH_MM, letter: str = "", max_size: float = MAX_LABEL_SIZE_MM
) -> Tag:
    """Return a label, with a sign before its text for an open or a barred hex.

    `max_width`: the maximum width of the text, in mm.
    `letter`: the letter of a reason, shown after the text, or "".
    `max_size`: the maximum size of letters, in mm.
    """
    has_sign = role in ("open", "barred")
    text = text or " "
    compared = role in ("unknown", "shaded", "weakest", "cut")
    size = _COMPARED_LETTER_SIZE_MM if compared else LABEL_SIZE_MM
    if len(text) <= _MAX_FIGURE_LETTERS and not has_sign:
        size = MAX_LABEL_SIZE_MM
    fitted = fit_lines(
        text, min(size, max_size), max_width, 2 * min(size, max_size), min_size=MIN_LABEL_SIZE_MM, bold=True
    )
    text_room = max(text_width(line, fitted.size, bold=True) for line in fitted.lines)
    worded = bool(text.strip())
    if letter:
        text_room = (text_room + _DISC_GAP_MM if worded else 0.0) + 2 * _DISC_RADIUS_MM
    width = text_room + 2 * _PADDING_MM
    if has_sign:
        width += _SIGN_SIZE_MM + (0.7 if worded or letter else -0.4)
    height = fitted.size * 1.08 * len(fitted.lines) + 1.1
    return Tag(fitted.lines, fitted.size, width, height, has_sign, letter, fitted.cut)


_FOOT_HEIGHT_MM = 4.0
_FOOT_PADDING_MM = 0.5
FOOT_ROOM_MM = _FOOT_HEIGHT_MM + SHADOW_WIDTH_MM + 0.2
"""The room that a foot needs below counters, in mm."""


def _fit_foot(spot: Spot, text: str, stack: PageBox) -> FittedText | None:
    """Return the label for the foot of the counters in a hex.

    Returns None if the hex is neither start nor target, or the text is too long.
    """
    if spot.role not in ("start", "target") or not text:
        return None
    fitted = fit_line(
        text, LABEL_SIZE_MM, stack.right - stack.left - 2 * _FOOT_PADDING_MM, min_size=MIN_LABEL_SIZE_MM, bold=True
    )
    return None if fitted.cut else fitted


def add_feet(sketch: Sketch, stacks: Mapping[str, PageBox]) -> dict[str, PageBox]:
    """Return the boxes of counters with their feet."""
    boxes = {**stacks}
    for spot in sketch.spots:
        stack = stacks.get(spot.hex)
        if stack and _fit_foot(spot, sketch.format_plain_label(spot), stack):
            boxes[spot.hex] = stack._replace(bottom=stack.bottom + SHADOW_WIDTH_MM + _FOOT_HEIGHT_MM)
    return boxes


def foot_layer(sketch: Sketch, stacks: Mapping[str, PageBox], colours: Mapping[str, str], target: str) -> Layer:
    """Return the feet of counters, in the colours of their sides."""
    groups = list[Group]()
    for spot in sketch.spots:
        stack = stacks.get(spot.hex)
        if stack and (fitted := _fit_foot(spot, sketch.format_plain_label(spot), stack)):
            colour = target if spot.role == "target" else colours[spot.side or sketch.side]
            top, width = stack.bottom + SHADOW_WIDTH_MM, stack.right - stack.left
            foot = inset(
                (stack.left, top, width, _FOOT_HEIGHT_MM), 0, radius=0.6, fill=colour, stroke=WHITE, stroke_width=0.3
            )
            base = base_line(top + _FOOT_HEIGHT_MM / 2, fitted.size)
            x, ink = stack.left + width / 2, ink_on(colour)
            text = text_lines(fitted.lines, base, fitted.size, x=x, anchor="middle", bold=True, fill=ink)
            groups.append(Group(format_spot(sketch, spot), (foot, *text)))
    return Layer("feet", tuple(groups))


def tag_shapes(role: Role, tag: Tag, x: float, y: float) -> list[Shape]:
    """Return a label round a point, with a cross or a tick before its text if it has a sign.

    It is dark for a barred hex or one that is conspicuous, pale with a dashed rim beyond an allowance, else white.
    """
    fill, ink = (INK, WHITE) if role in ("barred", "weakest", "cut") else (WHITE, SOFT_INK if role == "beyond" else INK)
    left, top = x - tag.width / 2, y - tag.height / 2
    shapes: list[Shape] = [inset((left, top, tag.width, tag.height), -0.35, radius=1.5, fill=WHITE)]
    if role == "beyond":
        right, low = left + tag.width, top + tag.height
        edge = ((left, top), (right, top), (right, low), (left, low))
        shapes.append(Path(lines=(edge,), closed=True, stroke=INK, width=0.3, dash=(0.8, 0.7), butt=True))
    else:
        shapes.append(inset((left, top, tag.width, tag.height), 0, radius=1.2, fill=fill, stroke=INK, stroke_width=0.3))
    start = left + _PADDING_MM
    if tag.has_sign:
        shapes.append(_draw_sign(role, start + _SIGN_SIZE_MM / 2, y, _SIGN_SIZE_MM / 2, ink))
        start += _SIGN_SIZE_MM + 0.7
    base = base_line(y, tag.size, len(tag.lines), 1.08)
    end = left + tag.width - _PADDING_MM
    if tag.letter:
        shapes += _draw_disc(tag.letter, end - _DISC_RADIUS_MM, y, ink, fill)
        end -= 2 * _DISC_RADIUS_MM + _DISC_GAP_MM
    if not any(line.strip() for line in tag.lines):
        return shapes
    middle = (start + end) / 2
    return [*shapes, *text_lines(tag.lines, base, tag.size, 1.08, x=middle, anchor="middle", bold=True, fill=ink)]


def _draw_disc(letter: str, x: float, y: float, fill: str, ink: str) -> Iterator[Shape]:
    yield Circle(x=x, y=y, radius=_DISC_RADIUS_MM, fill=fill)
    base = base_line(y, _DISC_LETTER_SIZE_MM)
    yield Text(x=x, y=base, text=letter, size=_DISC_LETTER_SIZE_MM, anchor="middle", bold=True, fill=ink)


def _draw_sign(role: Role, x: float, y: float, radius: float, ink: str) -> Shape:
    cross = (((-0.8, -0.8), (0.8, 0.8)), ((-0.8, 0.8), (0.8, -0.8)))
    tick = (((-0.9, 0.05), (-0.25, 0.75), (0.95, -0.75)),)
    lines = tick if role == "open" else cross
    drawn = tuple(tuple((x + dx * radius, y + dy * radius) for dx, dy in line) for line in lines)
    return Path(lines=drawn, stroke=ink, width=radius * 0.42)


_COMPARED_LETTER_SIZE_MM = 3.3
LABEL_HEIGHT_MM = LABEL_SIZE_MM * 1.08 + 1.8
"""The height of a label of one line with its rim, in mm."""
COMPARED_HEIGHT_MM = _COMPARED_LETTER_SIZE_MM * 2.16 + 1.8
"""The height of a label of two lines, for a hex among those compared."""
_RIM_MM = 0.7
_MAX_DEPTH_MM = HEX_MM / 2 - 0.9
"""The distance from the middle of a hex to the lower edge of a label."""
RING_WIDTH_MM = 1.9
"""The distance by which a label is higher in a hex with a ring, which it leaves whole."""
_COST_OF_NARROWER = 15.0
"""Placement cost for each step down in the sizes."""
_LABEL_SIZES_AND_WIDTHS_MM = (
    (MAX_LABEL_SIZE_MM, _MAX_TEXT_WIDTH_MM),
    (LABEL_SIZE_MM, _MAX_TEXT_WIDTH_MM),
    (LABEL_SIZE_MM, 13.0),
    (2.7, 16.0),
    (2.7, 11.0),
    (MIN_LABEL_SIZE_MM, 13.0),
)
"""Pairs of the maximum letter size and the maximum text width of a label, the best first."""

Tags = Mapping[str, Placement[Tag]]
"""The places of labels by key."""


def _wanted_places(
    height: float, stack: PageBox | None, centre: Point, *, ringed: bool
) -> Sequence[tuple[float, float, float]]:
    """Return the best places for a label, relative to the middle of its hex, with their costs.

    They are below or beside counters, if the hex has any.
    """
    if stack is None:
        return (0.0, 0.0, 0.0), (0.0, 9.0, 3.0), (0.0, -6.0, 3.0)
    low = _MAX_DEPTH_MM - (RING_WIDTH_MM if ringed else 0.0) - height / 2
    right, left = stack.right - centre[0] + SHADOW_WIDTH_MM + 5.0, stack.left - centre[0] - 5.0
    return (0.0, low, 0.0), (right, 0.0, 3.0), (left, 0.0, 3.0)


def mark_in_hex(
    key: str,
    layout: Layout,
    at: str,
    tags: Sequence[Tag],
    stack: PageBox | None,
    frame: PageBox,
    *,
    ringed: bool = False,
) -> Inscription[Tag]:
    """Return a label as a mark in its hex, or led to it.

    `tags`: the label in several sizes, the best first.
    `ringed`: whether the hex has a ring.
    """
    centre = layout.centre(at)
    sized = [
        (tag, (tag.width + _RIM_MM, tag.height + _RIM_MM), _COST_OF_NARROWER * number)
        for number, tag in enumerate(tags)
    ]
    wanted = _wanted_places(sized[0][1][1], stack, centre, ringed=ringed)
    return hex_mark(key, centre, sized, wanted, frame, flat=layout.flat, stack=stack)


def label_marks(
    layout: Layout, sketch: Sketch, stacks: Mapping[str, PageBox], frame: PageBox
) -> Iterator[tuple[str, Inscription[Tag]]]:
    """Yield each hex with its label as a mark."""
    for spot in sketch.spots:
        if sketch.text(spot) or spot.role in ("open", "barred", "cut"):
            text, letter, stack = sketch.format_plain_label(spot), sketch.letter(spot), stacks.get(spot.hex)
            if stack and _fit_foot(spot, text, stack):
                continue
            tags = [
                *dict.fromkeys(
                    make_tag(spot.role, text, widest, letter, most) for most, widest in _LABEL_SIZES_AND_WIDTHS_MM
                )
            ]
            whole = [tag for tag in tags if not tag.cut] or tags[:1]
            key, ringed = f"label {spot.hex}", spot.role == "weakest"
            yield spot.hex, mark_in_hex(key, layout, spot.hex, whole, stack, frame, ringed=ringed)


def label_layer(sketch: Sketch, written: Tags) -> Layer:
    """Return the labels of hexes that have a place."""
    groups = []
    for spot in sketch.spots:
        if place := written.get(f"label {spot.hex}"):
            shapes = [*leader_shapes(place.leader), *tag_shapes(spot.role, place.drawn, *place.box.middle)]
            groups.append(Group(format_spot(sketch, spot), tuple(shapes)))
    return Layer("labels", tuple(groups))


# --- remarks on hexsides and in hexes ---------------------------------------------------------------------------------

_REMARK_SIZE_MM = 2.95
_REMARK_WIDTHS_MM = (17.0, 11.0, 30.0)
"""The maximum widths of the text of a remark, in the order in which they are tried."""


def _list_remarks(sketch: Sketch) -> list[Remark]:
    """Return the remarks, and the labels of arrows as remarks, only one for a way there and back."""
    labelled = (arrow for arrow in sketch.arrows if arrow.label)
    labels = (Remark(where=hexside(*arrow.hexes[-2:]), text=arrow.label) for arrow in labelled)
    return [*sketch.remarks, *dict.fromkeys(labels)]


def remark_marks(
    layout: Layout, sketch: Sketch, stacks: Mapping[str, PageBox], frame: PageBox
) -> Iterator[tuple[str, Inscription[Tag]]]:
    """Yield the remarks as marks, each with its hex, or "" if it is on a hexside."""
    for number, remark in enumerate(_list_remarks(sketch)):
        one, _, other = remark.where.partition("|")
        key, each = f"remark {number}", [_remark_tag(remark.text, widest) for widest in _REMARK_WIDTHS_MM]
        tags = [tag for tag in dict.fromkeys(each) if not tag.cut] or each[-1:]
        if other:
            yield "", Inscription(key, partial(_places_on_hexside, layout.hexside(one, other), tags), plate=True)
        else:
            figure, _, word = remark.text.partition(":")
            if word:  # without room for the word, the figure stands alone; the working shows both
                tags = [*tags, _remark_tag(figure, _REMARK_WIDTHS_MM[0])]
            yield one, mark_in_hex(key, layout, one, tags, stacks.get(one), frame)


def _remark_tag(text: str, widest: float) -> Tag:
    fitted = fit_lines(text, _REMARK_SIZE_MM, widest, 6.0, min_size=MIN_LABEL_SIZE_MM, bold=True)
    width = max(text_width(line, fitted.size, bold=True) for line in fitted.lines) + 2.0
    return Tag(fitted.lines, fitted.size, width, fitted.size * 1.08 * len(fitted.lines) + 1.0, False, cut=fitted.cut)


def remark_layer(layout: Layout, sketch: Sketch, written: Tags) -> Layer:
    """Return the remarks in their places."""
    groups = []
    for number, remark in enumerate(_list_remarks(sketch)):
        place = written[f"remark {number}"]
        tag, (x, y) = place.drawn, place.box.middle
        one, _, other = remark.where.partition("|")
        shapes = [*leader_shapes(place.leader)]
        if other:
            middle = middle_of(layout.hexside(one, other))
            if dist((x, y), middle) > tag.width / 2:
                shapes.append(Path(lines=((middle, (x, y)),), stroke=INK, width=0.3))
        left, top = x - tag.width / 2, y - tag.height / 2
        shapes.append(
            inset((left, top, tag.width, tag.height), 0, radius=0.5, fill=WHITE, stroke=SOFT_INK, stroke_width=0.25)
        )
        base = base_line(y, tag.size, len(tag.lines), 1.08)
        shapes += text_lines(tag.lines, base, tag.size, 1.08, x=x, anchor="middle", bold=True, fill=INK)
        groups.append(Group(f"{remark.where}: {remark.text}", tuple(shapes)))
    return Layer("remarks", tuple(groups))


def _places_on_hexside(line: tuple[Point, Point], tags: Sequence[Tag]) -> Iterator[Placement[Tag]]:
    start, end = line
    length = dist(start, end) or 1.0
    across = -(end[1] - start[1]) / length, (end[0] - start[0]) / length
    places = [(share, by) for by in (0.0, 3.0, -3.0) for share in (0.5, 0.24, 0.76, 0.05, 0.95)]
    places += [
        (share, by)
        for by in (6.0, -6.0, 9.0, -9.0, 12.0, -12.0, 15.0, -15.0, 18.0, -18.0)
        for share in (0.5, 0.05, 0.95, 0.28, 0.72)
    ]
    for number, (share, by) in enumerate(places):
        x, y = point_between(start, end, share)
        for tag in tags:
            box = box_around(x + across[0] * by, y + across[1] * by, tag.width + _RIM_MM, tag.height + _RIM_MM)
            yield Placement(float(number), box, tag)


# --- numbers of hexes, and their ranks --------------------------------------------------------------------------------

_NUMBER_PADDING_MM = 0.5


def number_layer(numbers: Iterable[Text]) -> Layer:
    """Return the numbers of hexes on plates, which are legible above shades."""
    groups = list[Shape]()
    for number in numbers:
        box = text_box(number)._replace(bottom=number.y)
        size = box.right - box.left, box.bottom - box.top
        plate = inset((box.left, box.top, *size), -_NUMBER_PADDING_MM, radius=0.8, fill=WHITE)
        groups.append(Group(number.text, (plate, replace(number, fill=INK, halo=""))))
    return Layer("plates", tuple(groups))


_BADGE_RADIUS_MM = 3.2
_BADGE_FIGURE_SIZE_MM = 5.0


def _draw_badge(place: int, x: float, y: float) -> list[Shape]:
    base = base_line(y, _BADGE_FIGURE_SIZE_MM)
    figure = Text(x=x, y=base, text=f"{place}", size=_BADGE_FIGURE_SIZE_MM, anchor="middle", bold=True, fill=WHITE)
    return [
        Circle(x=x, y=y, radius=_BADGE_RADIUS_MM + 0.6, fill=WHITE),
        Circle(x=x, y=y, radius=_BADGE_RADIUS_MM, fill=INK),
        figure,
    ]


_RANK_PLACES = ((0.345, 0.0), (0.2, 0.0), (0.2, -1.4), (0.2, 1.4), (0.08, 0.0), (0.08, -1.4))
"""Places for a rank, best first: share of the way from a corner to the centre, and distance from there down in mm."""


def badge_marks(layout: Layout, sketch: Sketch) -> Iterator[tuple[str, Inscription[None]]]:
    """Yield the ranks of hexes as marks near one of their corners, preferably the right one."""
    size = 2 * _BADGE_RADIUS_MM + 1.0
    for spot in (spot for spot in sketch.spots if spot.place):
        centre = layout.centre(spot.hex)
        corners = sorted(layout.corners(spot.hex), key=lambda corner: (-round(corner[0], 3), corner[1]))
        places = [(*point_between(corner, centre, share), up) for corner in corners for share, up in _RANK_PLACES]
        boxes = [box_around(x, y + up, size, size) for x, y, up in places]
        ranked = [Placement(float(rank), box, None) for rank, box in enumerate(boxes)]
        yield "", Inscription(f"badge {spot.hex}", partial(iter, ranked), plate=True)


def badge_layer(sketch: Sketch, placed: Mapping[str, Placement[None]]) -> Layer:
    """Return the ranks of hexes in their places."""
    groups = list[Group]()
    for spot in (spot for spot in sketch.spots if spot.place):
        shapes = _draw_badge(spot.place, *placed[f"badge {spot.hex}"].box.middle)
        groups.append(Group(f"{spot.hex}: {spot.place}.", tuple(shapes)))
    return Layer("places", tuple(groups))
