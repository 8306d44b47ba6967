"""The marks around counters: cuts, targets, the fold, text and a ruler. Also the page that measures a printer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from assistant.drawing.colours import INK
from assistant.drawing.lettering import fit_line
from assistant.drawing.pdf import to_pdf
from assistant.drawing.scene import Anchor, Circle, Layer, Point, Polygon, Polyline, Rectangle, Scene, Shape, Text

from .layout import MARK_GAP_MM, MARK_LENGTH_MM, CounterSheet, PlacedFace, SheetSetting
from .sizes import PAPER_MARGIN_MM, Box, Paper

MARK_WIDTH_MM = 0.09
"""Width of a mark: a quarter of a point."""
DIE_LINE_COLOUR = "#e6007e"
"""The colour of a die line on a screen."""
TEXT_SIZE_MM = 2.7
"""Size of the letters on a page."""
_RULER_LENGTH_MM = 50.0
"""The length of the ruler."""
_TARGET_RADIUS_MM = 1.5
"""The radius of a target."""
_TARGET_ROOM_MM = 2 * _TARGET_RADIUS_MM + 2.0
_REACH_MM = 8
"""The reach of the scale on the back of the test page, on each side."""
_HEAVY_LINE_WIDTH_MM = 0.25
"""The width of the test page's main lines."""
_FINE_LINE_WIDTH_MM = 0.06
"""The width of the test page's other lines."""


def hairline(
    x0: float, y0: float, x1: float, y1: float, *, width: float = MARK_WIDTH_MM, dash: tuple[float, ...] = ()
) -> Polyline:
    """Return a thin line in ink."""
    return Polyline(points=((x0, y0), (x1, y1)), stroke=INK, width=width, dash=dash, butt=True)


def caption(
    x: float,
    y: float,
    text: str,
    size: float = TEXT_SIZE_MM,
    *,
    room: float,
    anchor: Anchor = "start",
    bold: bool = False,
) -> Text:
    """Return a line of text, reduced to fit a width."""
    fitted = fit_line(text, size, room, min_size=1.5, bold=bold)
    return Text(x=x, y=y, text=fitted.lines[0], size=fitted.size, anchor=anchor, bold=bold, fill=INK)


def crop_marks(block: Box, across: Sequence[float], down: Sequence[float], setting: SheetSetting) -> Layer:
    """Return a tick at both ends of every cut, beyond the bleed, or a line from one to the other.

    At the crease the ticks reach to it from both sides.
    """
    start, end = setting.bleed + MARK_GAP_MM, setting.bleed + MARK_GAP_MM + MARK_LENGTH_MM
    shapes: list[Shape] = []
    crease = setting.crease if setting.fold == "gutter" and not setting.taken else None
    above, below = block.top - end, block.bottom + end
    if crease is not None:
        above, below = (above, crease) if block.bottom <= crease else (crease, below)
    if setting.through:
        shapes += [hairline(x, above, x, below) for x in down]
        shapes += [hairline(block.left - end, y, block.right + end, y) for y in across]
        return Layer("marks", tuple(shapes))
    for x in down:
        shapes += [hairline(x, above, x, block.top - start), hairline(x, block.bottom + start, x, below)]
    for y in across:
        shapes += [
            hairline(block.left - end, y, block.left - start, y),
            hairline(block.right + start, y, block.right + end, y),
        ]
    return Layer("marks", tuple(shapes))


def die_line(fronts: Iterable[PlacedFace], setting: SheetSetting) -> Scene | None:
    """Return the outlines of fronts for a cutting machine, or None if not wanted."""
    if setting.corner is None:
        return None
    paper = setting.paper
    outlines = tuple(_draw_outline(place.trim, setting, setting.corner, DIE_LINE_COLOUR) for place in fronts)
    return Scene(width=paper.width, height=paper.height, title="Die line", layers=(Layer("die-line", outlines),))


def outline_layer(fronts: Iterable[PlacedFace], setting: SheetSetting) -> Layer:
    """Return the outlines of hexagons and circles, which no straight cuts make; nothing with a die line."""
    if setting.trim is None or not setting.trim.is_round or setting.corner is not None:
        return Layer("marks", ())
    return Layer("marks", tuple(_draw_outline(place.trim, setting, 0.0, INK) for place in fronts))


def _draw_outline(trim: Box, setting: SheetSetting, corner: float, stroke: str) -> Shape:
    match setting.trim.shape if setting.trim else "square":
        case "circle":
            x, y, radius = trim.left + trim.width / 2, trim.top + trim.height / 2, trim.width / 2
            return Circle(x=x, y=y, radius=radius, stroke=stroke, width=MARK_WIDTH_MM)
        case "hexagon" if setting.trim:
            corners = setting.trim.corners(trim.left, trim.top)
            return Polygon(points=corners, stroke=stroke, width=MARK_WIDTH_MM)
        case _:
            left, top, width, height = trim
            radius = min(corner, width / 2, height / 2)
            return Rectangle(
                x=left, y=top, width=width, height=height, radius=radius, stroke=stroke, stroke_width=MARK_WIDTH_MM
            )


def name_rows(sheet: CounterSheet, setting: SheetSetting, first: int = 0) -> Iterator[Shape]:
    """Yield a letter on the left of each row, its name in the plan.

    `first`: the number of the first row.
    """
    x = sheet.block.left - setting.bleed - MARK_GAP_MM - MARK_LENGTH_MM / 2
    tops = dict.fromkeys(place.trim.top for place in sheet.fronts)
    for number, top in enumerate(tops, first):
        y = top + setting.height / 2 + 0.7
        yield Text(x=x, y=y, text=row_name(number), size=1.9, anchor="middle", fill=INK)


def row_name(number: int) -> str:
    """Return the letter of a row: A to Z, then AA, AB and so on."""
    return (chr(64 + number // 26) if number >= 26 else "") + chr(65 + number % 26)


def registration_layer(paper: Paper, offset: Point = (0.0, 0.0)) -> Layer:
    """Return a target in each corner, in the same places on both sides of the paper.

    `offset`: the offset of backs, which also moves the targets.
    """
    edge = PAPER_MARGIN_MM + _TARGET_RADIUS_MM + 0.5
    shapes: list[Shape] = []
    for x in (edge + offset[0], paper.width - edge + offset[0]):
        for y in (edge + offset[1], paper.height - edge + offset[1]):
            shapes.append(Circle(x=x, y=y, radius=_TARGET_RADIUS_MM * 0.6, stroke=INK, width=MARK_WIDTH_MM))
            shapes += [
                hairline(x - _TARGET_RADIUS_MM, y, x + _TARGET_RADIUS_MM, y),
                hairline(x, y - _TARGET_RADIUS_MM, x, y + _TARGET_RADIUS_MM),
            ]
    return Layer("registration", tuple(shapes))


def fold_line(setting: SheetSetting, block: Box) -> Layer:
    """Return the dashed line of the fold, with a word at both ends."""
    y, paper = setting.crease, setting.paper
    dashed = hairline(PAPER_MARGIN_MM, y, paper.width - PAPER_MARGIN_MM, y, width=0.12, dash=(2.0, 1.2))
    left, right = PAPER_MARGIN_MM, paper.width - PAPER_MARGIN_MM
    room = block.left - setting.bleed - MARK_GAP_MM - PAPER_MARGIN_MM
    if room < 4:
        return Layer("fold", (dashed,))
    texts = (
        caption(left, y - 0.6, "fold", 1.9, room=room),
        caption(right, y - 0.6, "fold", 1.9, room=room, anchor="end"),
    )
    return Layer("fold", (dashed, *texts))


def _draw_ruler(x: float, base: float) -> Iterator[Shape]:
    yield hairline(x, base, x + _RULER_LENGTH_MM, base, width=0.12)
    for millimetre in range(int(_RULER_LENGTH_MM) + 1):
        if millimetre % 5 == 0 or millimetre < 10:
            height = 1.3 if millimetre % 5 == 0 else 0.8
            if millimetre % 10 == 0:
                height = 1.8
            yield hairline(x + millimetre, base, x + millimetre, base - height, width=0.12)


def margin_layer(paper: Paper, head: str, head_right: str, foot: str, offset: Point = (0.0, 0.0)) -> Layer:
    """Return the text above and below the counters, and the ruler at the foot.

    `head`, `head_right`, `foot`: the text at the upper left, the upper right and the lower left.
    `offset`: the offset of backs, which also moves the text.
    """
    left, right = (
        PAPER_MARGIN_MM + _TARGET_ROOM_MM + offset[0],
        paper.width - PAPER_MARGIN_MM - _TARGET_ROOM_MM + offset[0],
    )
    room = right - left
    top, base = PAPER_MARGIN_MM + TEXT_SIZE_MM - 0.2 + offset[1], paper.height - PAPER_MARGIN_MM - 0.8 + offset[1]
    note = "50 mm at 100 %"
    shapes: list[Shape] = [caption(left, top, head, room=room * 0.68, bold=True)]
    if head_right:
        shapes.append(caption(right, top, head_right, room=room * 0.3, anchor="end"))
    shapes += [
        caption(left, base, foot, room=room - _RULER_LENGTH_MM - 26),
        caption(right - _RULER_LENGTH_MM - 1.5, base, note, 2.2, room=24, anchor="end"),
        *_draw_ruler(right - _RULER_LENGTH_MM, base),
    ]
    return Layer("words", tuple(shapes))


def swatch(x: float, y: float, side: float, colour: str) -> Rectangle:
    """Return a small square in a colour."""
    return Rectangle(x=x, y=y, width=side, height=side, fill=colour, stroke=INK, stroke_width=MARK_WIDTH_MM)


def measuring_page(setting: SheetSetting, offset: tuple[float, float] = (0.0, 0.0)) -> bytes:
    """Return the PDF of the test page, front and back. The fold implies how the paper is turned over.

    `offset`: an offset of backs to test.
    """
    return to_pdf([_draw_front(setting), _draw_back(setting, offset)], title="Test page for printing on both sides")


def _draw_front(setting: SheetSetting) -> Scene:
    paper = setting.paper
    x, y = paper.width / 2, paper.height / 2
    turn = setting.fold.replace("-", " ")
    lines = (
        f"Print at 100 % on both sides, turned over the {turn}. The ruler at the foot is 50 mm long.",
        "Hold the page to the light with the other side towards you, and read there where the cross shines through.",
    )
    shapes = [*_draw_lines(lines, x, y - 45), *_draw_cross(x, y, 12.0)]
    return _make_page(setting, "front", shapes)


def _draw_back(setting: SheetSetting, offset: tuple[float, float]) -> Scene:
    paper = setting.paper
    x, y = paper.width / 2, paper.height / 2
    lines = (
        (
            "X: how many mm to the right of 0 the cross shines through (negative if to the left). Y: how many mm "
            "below 0 (negative if above)."
        ),
        f"Then print with --fold {setting.fold} --offset X,Y. This page with the same offset must show the cross at 0.",
    )
    shapes = [*_draw_lines(lines, x, y - 45), *_draw_scale(x + offset[0], y + offset[1])]
    return _make_page(setting, "back", shapes, offset)


def _draw_lines(lines: tuple[str, ...], x: float, y: float) -> Iterator[Text]:
    for number, text in enumerate(lines):
        yield caption(x, y + 5 * number, text, 3.2, room=2 * (x - PAPER_MARGIN_MM - 3), anchor="middle")


def _draw_cross(x: float, y: float, reach: float) -> list[Shape]:
    return [
        Circle(x=x, y=y, radius=1.5, stroke=INK, width=0.1),
        hairline(x - reach, y, x + reach, y, width=_HEAVY_LINE_WIDTH_MM),
        hairline(x, y - reach, x, y + reach, width=_HEAVY_LINE_WIDTH_MM),
    ]


def _draw_scale(x: float, y: float) -> list[Shape]:
    """Return a net of millimetres around a point, halves marked on the axes, with numbers at the edges."""
    shapes: list[Shape] = []
    for half in range(-2 * _REACH_MM, 2 * _REACH_MM + 1):
        at = half / 2
        if half % 2:
            shapes += [hairline(x + at, y - 0.35, x + at, y + 0.35), hairline(x - 0.35, y + at, x + 0.35, y + at)]
            continue
        width = _FINE_LINE_WIDTH_MM if half else _HEAVY_LINE_WIDTH_MM
        shapes += [
            hairline(x + at, y - _REACH_MM, x + at, y + _REACH_MM, width=width),
            hairline(x - _REACH_MM, y + at, x + _REACH_MM, y + at, width=width),
        ]
        number = f"{at:g}"
        if half % 8 == 0:
            shapes.append(Text(x=x + at, y=y - _REACH_MM - 1.0, text=number, size=2.0, anchor="middle", fill=INK))
        if half % 4 == 0:
            shapes.append(Text(x=x - _REACH_MM - 1.0, y=y + at + 0.7, text=number, size=2.0, anchor="end", fill=INK))
    shapes.append(Text(x=x + _REACH_MM + 3, y=y - _REACH_MM - 1.0, text="X", size=2.6, bold=True, fill=INK))
    shapes.append(
        Text(x=x - _REACH_MM - 1.0, y=y + _REACH_MM + 4, text="Y", size=2.6, anchor="end", bold=True, fill=INK)
    )
    return shapes


def _make_page(setting: SheetSetting, side: str, shapes: list[Shape], offset: Point = (0.0, 0.0)) -> Scene:
    paper = setting.paper
    named = f"Test page: {side}"
    around = registration_layer(paper, offset), margin_layer(paper, named, paper.name, named, offset)
    layers = (Layer("test", tuple(shapes)), *around)
    return Scene(width=paper.width, height=paper.height, title=named, layers=layers)
