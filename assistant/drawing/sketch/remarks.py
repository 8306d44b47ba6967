"""What counts on hexsides and in hexes, written there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from math import dist

from ...asking.sketch import Arrow, Remark, Sketch
from ...state.state import hexside
from ..colours import INK, WHITE
from ..geometry import PageBox, box_around, middle_of, point_between
from ..layout import Layout
from ..lettering import base_line, fit_lines, text_width
from ..map.layers import leader_shapes
from ..placement import Inscription, Placement
from ..scene import Group, Layer, Path, Point, inset, text_lines
from ..style import SOFT_INK
from .marks import LEAST, RIM, Tag, Tags, mark_in_hex

_REMARK = 2.8  # size of the letters of what counts on a hexside or in a hex, mm
_WIDTHS_OF_REMARKS = (17.0, 11.0, 30.0)  # mm, the widest text of it that is tried, one after the other


def _list_remarks(sketch: Sketch) -> list[Remark]:
    """Return what counts on hexsides and in hexes, with the labels of arrows: once for a way there and back."""
    labels = dict.fromkeys(_remark_of_arrow(arrow) for arrow in sketch.arrows if arrow.label)
    return [*sketch.remarks, *labels]


def remark_marks(
    layout: Layout, sketch: Sketch, stacks: Mapping[str, PageBox], frame: PageBox
) -> Iterator[tuple[str, Inscription[Tag]]]:
    """Yield what counts on hexsides, beside the arrows that cross them, and in hexes, with the hex or "" for a hexside.
    stacks: the boxes of counters; frame: in which what is written stays.
    """
    for number, remark in enumerate(_list_remarks(sketch)):
        one, _, other = remark.where.partition("|")
        key, each = f"remark {number}", [_remark_tag(remark.text, widest) for widest in _WIDTHS_OF_REMARKS]
        tags = [tag for tag in dict.fromkeys(each) if not tag.cut] or each[-1:]
        if other:
            yield "", Inscription(key, partial(_places_on_hexside, layout.hexside(one, other), tags), plate=True)
        else:
            figure, _, word = remark.text.partition(":")
            if word:  # where there is no room for the word, the figure alone: the working has both
                tags = [*tags, _remark_tag(figure, _WIDTHS_OF_REMARKS[0])]
            yield one, mark_in_hex(key, layout, one, tags, stacks.get(one), frame)


def _remark_tag(text: str, widest: float) -> Tag:
    fitted = fit_lines(text, _REMARK, widest, 6.0, least=LEAST, bold=True)
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


def _remark_of_arrow(arrow: Arrow) -> Remark:
    """Return the label of an arrow as what counts on its last hexside."""
    return Remark(where=hexside(*arrow.hexes[-2:]), text=arrow.label)


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
