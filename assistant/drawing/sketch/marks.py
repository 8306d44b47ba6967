"""What is written in and beside the hexes of a sketch: labels, remarks, numbers, places in a ranking."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import dist
from typing import NamedTuple

from msgspec.structs import replace

from ...asking.sketch import Remark, Role, Sketch, Spot
from ...state.state import hexside
from ..colours import INK, WHITE, ink_on
from ..counters import SHADOW
from ..geometry import PageBox, box_around, middle_of, point_between
from ..layout import Layout
from ..lettering import FittedText, base_line, fit_line, fit_lines, text_width
from ..map.arcs import text_box
from ..map.layers import leader_shapes
from ..placement import Inscription, Placement, hex_mark
from ..scene import Circle, Group, Layer, Path, Point, Shape, Text, inset, text_lines
from ..style import HEX, SOFT_INK
from .layers import format_spot

# --- labels -----------------------------------------------------------------------------------------------------------

LETTERS = 3.3  # size of the letters of a label, mm
LEAST = 2.1  # size of the smallest ones, mm: 6 points
LARGE = 4.6  # size of those of a figure alone, mm
_SHORT = 3  # letters that a figure alone has at most
_WIDEST = 20.0  # mm, the widest text of a label
_SIGN = 2.6  # mm, its sign
_PAD = 1.0  # mm round it


class Tag(NamedTuple):
    """A label as it is drawn.

    `signed`: whether a sign stands before the text; `letter`: its reason, in a disc behind it, or "".
    """

    lines: tuple[str, ...]
    size: float
    width: float
    height: float
    signed: bool
    letter: str = ""
    cut: bool = False


_DISC = 1.5  # mm, the radius of the disc of a letter
_DISC_LETTER = 2.4  # size of the letter, mm
_BEFORE_DISC = 0.7  # mm before the disc


def make_tag(role: Role, text: str, widest: float = _WIDEST, letter: str = "", most: float = LARGE) -> Tag:
    """Return a label: of an open or a barred hex with a sign before it. widest: its text at most, in millimetres;
    letter: that of its reason; most: its largest letters.
    """
    signed = role in ("open", "barred")
    text = text or " "
    compared = role in ("unknown", "shaded", "weakest", "cut")
    size = _COMPARED if compared else LETTERS
    if len(text) <= _SHORT and not signed:
        size = LARGE
    fitted = fit_lines(text, min(size, most), widest, 2 * min(size, most), least=LEAST, bold=True)
    text_room = max(text_width(line, fitted.size, bold=True) for line in fitted.lines)
    worded = bool(text.strip())
    if letter:
        text_room = (text_room + _BEFORE_DISC if worded else 0.0) + 2 * _DISC
    width = text_room + 2 * _PAD
    if signed:
        width += _SIGN + (0.7 if worded or letter else -0.4)
    height = fitted.size * 1.08 * len(fitted.lines) + 1.1
    return Tag(fitted.lines, fitted.size, width, height, signed, letter, fitted.cut)


_FOOT = 4.0  # mm, the height of the foot of counters
_FOOT_PAD = 0.5  # mm at each side of its text


HIGH_FOOT = _FOOT + SHADOW + 0.2  # mm below counters that their foot needs


def _fit_foot(spot: Spot, text: str, stack: PageBox) -> FittedText | None:
    """Return the label of a hex where something begins or that is its target, to be set on the foot of the counters
    there; None for others, and if the text is too long.
    """
    if spot.role not in ("start", "target") or not text:
        return None
    fitted = fit_line(text, LETTERS, stack.right - stack.left - 2 * _FOOT_PAD, least=LEAST, bold=True)
    return None if fitted.cut else fitted


def add_feet(sketch: Sketch, stacks: Mapping[str, PageBox]) -> dict[str, PageBox]:
    """Return the boxes of counters, those with a foot with it."""
    boxes = {**stacks}
    for spot in sketch.spots:
        stack = stacks.get(spot.hex)
        if stack and _fit_foot(spot, sketch.format_plain_label(spot), stack):
            boxes[spot.hex] = stack._replace(bottom=stack.bottom + SHADOW + _FOOT)
    return boxes


def foot_layer(sketch: Sketch, stacks: Mapping[str, PageBox], colours: Mapping[str, str], target: str) -> Layer:
    """Return the feet of counters, in the colours of their sides. stacks: the boxes of counters; target: of what is
    attacked.
    """
    groups = list[Group]()
    for spot in sketch.spots:
        stack = stacks.get(spot.hex)
        if stack and (fitted := _fit_foot(spot, sketch.format_plain_label(spot), stack)):
            colour = target if spot.role == "target" else colours[spot.side or sketch.side]
            top, width = stack.bottom + SHADOW, stack.right - stack.left
            foot = inset((stack.left, top, width, _FOOT), 0, radius=0.6, fill=colour, stroke=WHITE, stroke_width=0.3)
            base = base_line(top + _FOOT / 2, fitted.size)
            x, ink = stack.left + width / 2, ink_on(colour)
            text = text_lines(fitted.lines, base, fitted.size, x=x, anchor="middle", bold=True, fill=ink)
            groups.append(Group(format_spot(sketch, spot), (foot, *text)))
    return Layer("feet", tuple(groups))


def tag_shapes(role: Role, tag: Tag, x: float, y: float) -> list[Shape]:
    """Return a label round a point: dark for a barred hex or one that stands out, pale within dashes for one beyond an
    allowance, white for others; a cross or a tick before its text.
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
    start = left + _PAD
    if tag.signed:
        shapes.append(_draw_sign(role, start + _SIGN / 2, y, _SIGN / 2, ink))
        start += _SIGN + 0.7
    base = base_line(y, tag.size, len(tag.lines), 1.08)
    end = left + tag.width - _PAD
    if tag.letter:
        shapes += _draw_disc(tag.letter, end - _DISC, y, ink, fill)
        end -= 2 * _DISC + _BEFORE_DISC
    if not any(line.strip() for line in tag.lines):
        return shapes
    middle = (start + end) / 2
    return [*shapes, *text_lines(tag.lines, base, tag.size, 1.08, x=middle, anchor="middle", bold=True, fill=ink)]


def _draw_disc(letter: str, x: float, y: float, fill: str, ink: str) -> Iterator[Shape]:
    """Yield the letter of a reason in a disc, so that it does not run into the text before it."""
    yield Circle(x=x, y=y, radius=_DISC, fill=fill)
    base = base_line(y, _DISC_LETTER)
    yield Text(x=x, y=base, text=letter, size=_DISC_LETTER, anchor="middle", bold=True, fill=ink)


def _draw_sign(role: Role, x: float, y: float, radius: float, ink: str) -> Shape:
    """Return a tick or a cross round a point."""
    cross = (((-0.8, -0.8), (0.8, 0.8)), ((-0.8, 0.8), (0.8, -0.8)))
    tick = (((-0.9, 0.05), (-0.25, 0.75), (0.95, -0.75)),)
    lines = tick if role == "open" else cross
    drawn = tuple(tuple((x + dx * radius, y + dy * radius) for dx, dy in line) for line in lines)
    return Path(lines=drawn, stroke=ink, width=radius * 0.42)


_COMPARED = 3.6  # size of the largest letters of the label of a hex among those compared, mm
HIGH = LETTERS * 1.08 + 1.8  # mm, the height of a label of one line with its rim
HIGH_COMPARED = _COMPARED * 2.16 + 1.8  # mm, that of the label of a hex among those compared, of two lines
RIM = 0.7  # mm by which the room of a label is wider and higher than it
_LOWEST = HEX / 2 - 0.9
"""How far below the middle of a hex the lower edge of a label lies."""
_NARROWER = 15.0
"""How bad it is for a label to be a size smaller or narrower."""
_SIZES = ((LARGE, _WIDEST), (LETTERS, _WIDEST), (LETTERS, 13.0), (2.7, 16.0), (2.7, 11.0), (LEAST, 13.0))
"""The largest letters of a label and its widest text, one after the other."""

Tags = Mapping[str, Placement[Tag]]
"""The labels that are placed, by their keys."""


def _wanted_places(height: float, stack: PageBox | None, centre: Point) -> Sequence[tuple[float, float, float]]:
    """Return where the middle of a label of a height stands best, from that of its hex: without counters there, else
    below them or at their side.
    """
    if stack is None:
        return (0.0, 0.0, 0.0), (0.0, 9.0, 3.0), (0.0, -6.0, 3.0)
    low = _LOWEST - height / 2
    right, left = stack.right - centre[0] + SHADOW + 5.0, stack.left - centre[0] - 5.0
    return (0.0, low, 0.0), (right, 0.0, 3.0), (left, 0.0, 3.0)


def mark_in_hex(
    key: str, layout: Layout, at: str, tags: Sequence[Tag], stack: PageBox | None, frame: PageBox
) -> Inscription[Tag]:
    """Return a label in its hex, in one of several sizes, the best first; or led to it. stack: the box of the counters
    there.
    """
    centre = layout.centre(at)
    sized = [(tag, (tag.width + RIM, tag.height + RIM), _NARROWER * number) for number, tag in enumerate(tags)]
    return hex_mark(
        key, centre, sized, _wanted_places(sized[0][1][1], stack, centre), frame, flat=layout.flat, stack=stack
    )


def label_marks(
    layout: Layout, sketch: Sketch, stacks: Mapping[str, PageBox], frame: PageBox
) -> Iterator[tuple[str, Inscription[Tag]]]:
    """Yield the labels of hexes, each with its hex. stacks: the boxes of counters; frame: in which labels stay."""
    for spot in sketch.spots:
        if sketch.text(spot) or spot.role in ("open", "barred", "cut"):
            text, letter, stack = sketch.format_plain_label(spot), sketch.letter(spot), stacks.get(spot.hex)
            if stack and _fit_foot(spot, text, stack):
                continue
            tags = [*dict.fromkeys(make_tag(spot.role, text, widest, letter, most) for most, widest in _SIZES)]
            whole = [tag for tag in tags if not tag.cut] or tags[:1]
            yield spot.hex, mark_in_hex(f"label {spot.hex}", layout, spot.hex, whole, stack, frame)


def label_layer(sketch: Sketch, written: Tags) -> Layer:
    """Return the labels of hexes, where they are placed."""
    groups = []
    for spot in sketch.spots:
        if place := written.get(f"label {spot.hex}"):
            shapes = [*leader_shapes(place.leader), *tag_shapes(spot.role, place.drawn, *place.box.middle)]
            groups.append(Group(format_spot(sketch, spot), tuple(shapes)))
    return Layer("labels", tuple(groups))


# --- remarks: what counts on hexsides and in hexes --------------------------------------------------------------------

_REMARK_SIZE_MM = 2.8
_REMARK_WIDTHS_MM = (17.0, 11.0, 30.0)
"""The widest text of a remark, tried one after the other."""


def _list_remarks(sketch: Sketch) -> list[Remark]:
    """Return what counts on hexsides and in hexes, with the labels of arrows: once for a way there and back."""
    labelled = (arrow for arrow in sketch.arrows if arrow.label)
    labels = (Remark(where=hexside(*arrow.hexes[-2:]), text=arrow.label) for arrow in labelled)
    return [*sketch.remarks, *dict.fromkeys(labels)]


def remark_marks(
    layout: Layout, sketch: Sketch, stacks: Mapping[str, PageBox], frame: PageBox
) -> Iterator[tuple[str, Inscription[Tag]]]:
    """Yield what counts on hexsides, beside the arrows that cross them, and in hexes, with the hex or "" for a hexside.
    stacks: the boxes of counters; frame: in which what is written stays.
    """
    for number, remark in enumerate(_list_remarks(sketch)):
        one, _, other = remark.where.partition("|")
        key, each = f"remark {number}", [_remark_tag(remark.text, widest) for widest in _REMARK_WIDTHS_MM]
        tags = [tag for tag in dict.fromkeys(each) if not tag.cut] or each[-1:]
        if other:
            yield "", Inscription(key, partial(_places_on_hexside, layout.hexside(one, other), tags), plate=True)
        else:
            figure, _, word = remark.text.partition(":")
            if word:  # where there is no room for the word, the figure alone: the working has both
                tags = [*tags, _remark_tag(figure, _REMARK_WIDTHS_MM[0])]
            yield one, mark_in_hex(key, layout, one, tags, stacks.get(one), frame)


def _remark_tag(text: str, widest: float) -> Tag:
    fitted = fit_lines(text, _REMARK_SIZE_MM, widest, 6.0, least=LEAST, bold=True)
    width = max(text_width(line, fitted.size, bold=True) for line in fitted.lines) + 2.0
    return Tag(fitted.lines, fitted.size, width, fitted.size * 1.08 * len(fitted.lines) + 1.0, False, cut=fitted.cut)


def remark_layer(layout: Layout, sketch: Sketch, written: Tags) -> Layer:
    """Return what counts on hexsides and in hexes, where it is placed."""
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
    """Yield where what counts on a hexside may be written, the best place first."""
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
            box = box_around(x + across[0] * by, y + across[1] * by, tag.width + RIM, tag.height + RIM)
            yield Placement(float(number), box, tag)


# --- numbers of hexes, and places in a ranking ------------------------------------------------------------------------

_NUMBER_PADDING_MM = 0.5


def number_layer(numbers: Iterable[Text]) -> Layer:
    """Return the numbers of hexes on plates, which can be read above shades."""
    groups = list[Shape]()
    for number in numbers:
        box = text_box(number)._replace(bottom=number.y)
        size = box.right - box.left, box.bottom - box.top
        plate = inset((box.left, box.top, *size), -_NUMBER_PADDING_MM, radius=0.8, fill=WHITE)
        groups.append(Group(number.text, (plate, replace(number, fill=INK, halo=""))))
    return Layer("plates", tuple(groups))


_BADGE_RADIUS_MM = 3.6
_BADGE_FIGURE_SIZE_MM = 5.4


def _draw_badge(place: int, x: float, y: float) -> list[Shape]:
    """Return the place of a hex among those that stand out, in a disc."""
    base = base_line(y, _BADGE_FIGURE_SIZE_MM)
    figure = Text(x=x, y=base, text=f"{place}", size=_BADGE_FIGURE_SIZE_MM, anchor="middle", bold=True, fill=WHITE)
    return [
        Circle(x=x, y=y, radius=_BADGE_RADIUS_MM + 0.6, fill=WHITE),
        Circle(x=x, y=y, radius=_BADGE_RADIUS_MM, fill=INK),
        figure,
    ]


_ON_CORNERS = ((0.2, 0.0), (0.2, -1.4), (0.2, 1.4), (0.08, 0.0), (0.08, -1.4))
"""How far the place of a hex lies inwards from a corner, as a share, and below it, in millimetres: the best first."""


def badge_marks(layout: Layout, sketch: Sketch) -> Iterator[tuple[str, Inscription[None]]]:
    """Yield the places of hexes that stand out, near one of their corners, the right one first."""
    size = 2 * _BADGE_RADIUS_MM + 1.0
    for spot in (spot for spot in sketch.spots if spot.place):
        centre = layout.centre(spot.hex)
        corners = sorted(layout.corners(spot.hex), key=lambda corner: (-round(corner[0], 3), corner[1]))
        places = [(*point_between(corner, centre, share), up) for corner in corners for share, up in _ON_CORNERS]
        boxes = [box_around(x, y + up, size, size) for x, y, up in places]
        ranked = [Placement(float(rank), box, None) for rank, box in enumerate(boxes)]
        yield "", Inscription(f"badge {spot.hex}", partial(iter, ranked), plate=True)


def badge_layer(sketch: Sketch, placed: Mapping[str, Placement[None]]) -> Layer:
    """Return the places of hexes that stand out, where they are placed."""
    groups = list[Group]()
    for spot in (spot for spot in sketch.spots if spot.place):
        shapes = _draw_badge(spot.place, *placed[f"badge {spot.hex}"].box.middle)
        groups.append(Group(f"{spot.hex}: {spot.place}.", tuple(shapes)))
    return Layer("places", tuple(groups))
