"""What is printed around counters: marks for cuts, targets, the fold, words and a ruler."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assistant.drawing.colours import INK
from assistant.drawing.lettering import fit_line
from assistant.drawing.scene import Anchor, Circle, Layer, Point, Polyline, Rectangle, Shape, Text

from .layout import CLEAR, MARK, CounterSheet, SheetSetting
from .sizes import MARGIN, Box, Paper

HAIR = 0.09
"""The width of a mark: a quarter of a point."""
_RULER = 50.0  # mm, the length of the ruler
_TARGET = 1.5  # mm, the radius of a target
WORDS = 2.7
"""The size of the words on a page."""
_FROM_TARGET = 2 * _TARGET + 2.0


def hairline(
    x0: float, y0: float, x1: float, y1: float, *, width: float = HAIR, dash: tuple[float, ...] = ()
) -> Polyline:
    """Return a thin line in ink."""
    return Polyline(points=((x0, y0), (x1, y1)), stroke=INK, width=width, dash=dash, butt=True)


def caption(
    x: float, y: float, text: str, size: float = WORDS, *, room: float, anchor: Anchor = "start", bold: bool = False
) -> Text:
    """Return a line of words that fits its room."""
    fitted = fit_line(text, size, room, least=1.5, bold=bold)
    return Text(x=x, y=y, text=fitted.lines[0], size=fitted.size, anchor=anchor, bold=bold, fill=INK)


def crop_marks(block: Box, across: Sequence[float], down: Sequence[float], setting: SheetSetting) -> Layer:
    """Return a tick at both ends of every cut, beyond the bleed of the block. At the crease the ticks reach to it from
    both sides.
    """
    start, end = setting.bleed + CLEAR, setting.bleed + CLEAR + MARK
    shapes: list[Shape] = []
    crease = setting.crease if setting.fold == "gutter" else None
    above, below = block.top - end, block.bottom + end
    if crease is not None:
        above, below = (above, crease) if block.bottom <= crease else (crease, below)
    for x in down:
        shapes += [hairline(x, above, x, block.top - start), hairline(x, block.bottom + start, x, below)]
    for y in across:
        shapes += [
            hairline(block.left - end, y, block.left - start, y),
            hairline(block.right + start, y, block.right + end, y),
        ]
    return Layer("marks", tuple(shapes))


def name_rows(sheet: CounterSheet, setting: SheetSetting) -> Iterator[Shape]:
    """Yield a letter left of each row, by which the plan calls it."""
    x = sheet.block.left - setting.bleed - CLEAR - MARK / 2
    tops = dict.fromkeys(place.trim.top for place in sheet.fronts)
    for number, top in enumerate(tops):
        y = top + setting.die / 2 + 0.7
        yield Text(x=x, y=y, text=row_name(number), size=1.9, anchor="middle", fill=INK)


def row_name(number: int) -> str:
    """Return the letter of a row: A to Z, then AA, AB and so on."""
    return (chr(64 + number // 26) if number >= 26 else "") + chr(65 + number % 26)


def registration_layer(paper: Paper, offset: Point = (0.0, 0.0)) -> Layer:
    """Return a target in each corner, in the same places on both sides of the paper.

    offset: how far they are moved, as the backs of a page are, so that they meet the targets of the fronts all the
    same.
    """
    edge = MARGIN + _TARGET + 0.5
    shapes: list[Shape] = []
    for x in (edge + offset[0], paper.width - edge + offset[0]):
        for y in (edge + offset[1], paper.height - edge + offset[1]):
            shapes.append(Circle(x=x, y=y, radius=_TARGET * 0.6, stroke=INK, width=HAIR))
            shapes += [hairline(x - _TARGET, y, x + _TARGET, y), hairline(x, y - _TARGET, x, y + _TARGET)]
    return Layer("registration", tuple(shapes))


def fold_line(setting: SheetSetting, block: Box) -> Layer:
    """Return the dashed line along which a page is folded, with its word at both ends."""
    y, paper = setting.crease, setting.paper
    dashed = hairline(MARGIN, y, paper.width - MARGIN, y, width=0.12, dash=(2.0, 1.2))
    left, right = MARGIN, paper.width - MARGIN
    room = block.left - setting.bleed - CLEAR - MARGIN
    if room < 4:
        return Layer("fold", (dashed,))
    texts = (
        caption(left, y - 0.6, "fold", 1.9, room=room),
        caption(right, y - 0.6, "fold", 1.9, room=room, anchor="end"),
    )
    return Layer("fold", (dashed, *texts))


def _draw_ruler(x: float, base: float) -> Iterator[Shape]:
    """Yield a ruler of 50 mm that begins at x and stands on a line, and an inch above its far end."""
    yield hairline(x, base, x + _RULER, base, width=0.12)
    for millimetre in range(int(_RULER) + 1):
        if millimetre % 5 == 0 or millimetre < 10:
            height = 1.3 if millimetre % 5 == 0 else 0.8
            if millimetre % 10 == 0:
                height = 1.8
            yield hairline(x + millimetre, base, x + millimetre, base - height, width=0.12)


def margin_layer(paper: Paper, head: str, head_right: str, foot: str, offset: Point = (0.0, 0.0)) -> Layer:
    """Return the words above and below the counters, and the ruler at the foot.

    head: at the upper left; head_right: at the upper right; foot: at the lower left; offset: how far they are moved, as
    the backs of a page are.
    """
    left, right = MARGIN + _FROM_TARGET + offset[0], paper.width - MARGIN - _FROM_TARGET + offset[0]
    room = right - left
    top, base = MARGIN + WORDS - 0.2 + offset[1], paper.height - MARGIN - 0.8 + offset[1]
    note = "50 mm at 100 %"
    shapes: list[Shape] = [caption(left, top, head, room=room * 0.68, bold=True)]
    if head_right:
        shapes.append(caption(right, top, head_right, room=room * 0.3, anchor="end"))
    shapes += [
        caption(left, base, foot, room=room - _RULER - 26),
        caption(right - _RULER - 1.5, base, note, 2.2, room=24, anchor="end"),
        *_draw_ruler(right - _RULER, base),
    ]
    return Layer("words", tuple(shapes))


def swatch(x: float, y: float, side: float, colour: str) -> Rectangle:
    """Return a small square in the colour of counters."""
    return Rectangle(x=x, y=y, width=side, height=side, fill=colour, stroke=INK, stroke_width=HAIR)
