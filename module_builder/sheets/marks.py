"""What is printed around counters, and the plan at the end of sheets: which counters are in which row of which page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from assistant.drawing.lettering import fit, text_width, wrap
from assistant.drawing.pdf import to_pdf
from assistant.drawing.scene import Anchor, Circle, Layer, Point, Polyline, Rectangle, Scene, Shape, Text
from assistant.pictures.colours import INK
from assistant.util.console import count_text

from ..counters.pieces import Counter
from .layout import CLEAR, MARGIN, MARK, Box, Fold, Paper, Setting, Sheet, die_in_words

HAIR = 0.09
"""The width of a mark: a quarter of a point."""
_RULER, _TARGET = 50.0, 1.5
WORDS = 2.7
"""The size of the words on a page."""
_FROM_TARGET = 2 * _TARGET + 2.0


def hairline(
    x0: float, y0: float, x1: float, y1: float, *, width: float = HAIR, dash: tuple[float, ...] = ()
) -> Polyline:
    """A thin line in ink."""
    return Polyline(points=((x0, y0), (x1, y1)), stroke=INK, width=width, dash=dash, butt=True)


def caption(
    x: float, y: float, text: str, size: float = WORDS, *, room: float, anchor: Anchor = "start", bold: bool = False
) -> Text:
    """A line of words that fits its room."""
    fitted = fit(text, size, room, least=1.5, bold=bold)
    return Text(x=x, y=y, text=fitted.lines[0], size=fitted.size, anchor=anchor, bold=bold, fill=INK)


def crop_marks(block: Box, across: Sequence[float], down: Sequence[float], setting: Setting) -> Layer:
    """A tick at both ends of every cut, beyond the bleed of the block. At the crease the ticks reach to it from both
    sides.
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


def row_names(sheet: Sheet, setting: Setting) -> Iterator[Shape]:
    """A letter left of each row, by which the plan calls it."""
    x = sheet.block.left - setting.bleed - CLEAR - MARK / 2
    tops = dict.fromkeys(place.trim.top for place in sheet.fronts)
    for number, top in enumerate(tops):
        y = top + setting.die / 2 + 0.7
        yield Text(x=x, y=y, text=row_name(number), size=1.9, anchor="middle", fill=INK)


def row_name(number: int) -> str:
    """The letter of a row: A to Z, then AA, AB and so on."""
    return (chr(64 + number // 26) if number >= 26 else "") + chr(65 + number % 26)


def registration(paper: Paper, offset: Point = (0.0, 0.0)) -> Layer:
    """A target in each corner, in the same places on both sides of the paper.

    offset: how far they are moved, as the backs of a page are, so that they meet the targets of the fronts all the
    same.
    """
    far = MARGIN + _TARGET + 0.5
    shapes: list[Shape] = []
    for x in (far + offset[0], paper.width - far + offset[0]):
        for y in (far + offset[1], paper.height - far + offset[1]):
            shapes.append(Circle(x=x, y=y, radius=_TARGET * 0.6, stroke=INK, width=HAIR))
            shapes += [hairline(x - _TARGET, y, x + _TARGET, y), hairline(x, y - _TARGET, x, y + _TARGET)]
    return Layer("registration", tuple(shapes))


def fold_line(setting: Setting, block: Box) -> Layer:
    """The dashed line along which a page is folded, with its word at both ends."""
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


def ruler(x: float, base: float) -> Iterator[Shape]:
    """A ruler of 50 mm that begins at x and stands on a line, and an inch above its far end."""
    yield hairline(x, base, x + _RULER, base, width=0.12)
    for millimetre in range(int(_RULER) + 1):
        if millimetre % 5 == 0 or millimetre < 10:
            high = 1.8 if millimetre % 10 == 0 else 1.3 if millimetre % 5 == 0 else 0.8
            yield hairline(x + millimetre, base, x + millimetre, base - high, width=0.12)


def margin_words(paper: Paper, head: str, head_right: str, foot: str, offset: Point = (0.0, 0.0)) -> Layer:
    """The words above and below the counters, and the ruler at the foot.

    head: at the upper left; head_right: at the upper right; foot: at the lower left; offset: how far they are moved, as
    the backs of a page are.
    """
    left, right = MARGIN + _FROM_TARGET + offset[0], paper.width - MARGIN - _FROM_TARGET + offset[0]
    room = right - left
    top, base = MARGIN + WORDS - 0.2 + offset[1], paper.height - MARGIN - 0.8 + offset[1]
    note = "50 mm at 100 %"
    shapes: list[Shape] = [
        caption(left, top, head, room=room * 0.68, bold=True),
        *([caption(right, top, head_right, room=room * 0.3, anchor="end")] if head_right else []),
        caption(left, base, foot, room=room - _RULER - 26),
        caption(right - _RULER - 1.5, base, note, 2.2, room=24, anchor="end"),
        *ruler(right - _RULER, base),
    ]
    return Layer("words", tuple(shapes))


def swatch(x: float, y: float, side: float, colour: str) -> Rectangle:
    """A small square in the colour of counters."""
    return Rectangle(x=x, y=y, width=side, height=side, fill=colour, stroke=INK, stroke_width=HAIR)


# --- the page to measure a printer by ---------------------------------------------------------------------------------

_REACH = 8
"""How far the scale on the back goes, in millimetres."""
_HEAVY, _FINE = 0.25, 0.06


def measuring_page(setting: Setting, offset: tuple[float, float] = (0.0, 0.0)) -> bytes:
    """The PDF of its front and its back. The fold says how the paper is turned over.

    offset: how far the scale on the back is moved, as backs are, to see whether it is right.
    """
    return to_pdf([_front(setting), _back(setting, offset)], title="Test page for printing on both sides")


def _front(setting: Setting) -> Scene:
    paper = setting.paper
    x, y = paper.width / 2, paper.height / 2
    turn = setting.fold.replace("-", " ")
    lines = (
        f"Print at 100 % on both sides, turned over the {turn}. The ruler at the foot is 50 mm long.",
        "Hold the page to the light with the other side towards you, and read there where the cross shines through.",
    )
    shapes = [*_text_lines(lines, x, y - 45), *_cross(x, y, 12.0)]
    return _page(setting, "front", shapes)


def _back(setting: Setting, offset: tuple[float, float]) -> Scene:
    paper = setting.paper
    x, y = paper.width / 2, paper.height / 2
    lines = (
        "X: how many mm to the right of 0 the cross shines through (negative if to the left). Y: how many mm below 0 (negative if above).",
        f"Then print with --fold {setting.fold} --offset X,Y. This page with the same offset must show the cross at 0.",
    )
    shapes = [*_text_lines(lines, x, y - 45), *_scale(x + offset[0], y + offset[1])]
    return _page(setting, "back", shapes, offset)


def _text_lines(lines: tuple[str, ...], x: float, y: float) -> Iterator[Text]:
    for number, text in enumerate(lines):
        yield caption(x, y + 5 * number, text, 3.2, room=2 * (x - MARGIN - 3), anchor="middle")


def _cross(x: float, y: float, reach: float) -> list[Shape]:
    return [
        Circle(x=x, y=y, radius=1.5, stroke=INK, width=0.1),
        hairline(x - reach, y, x + reach, y, width=_HEAVY),
        hairline(x, y - reach, x, y + reach, width=_HEAVY),
    ]


def _scale(x: float, y: float) -> list[Shape]:
    """A net of millimetres around the middle, halves marked on its axes, with its lengths at the edges."""
    shapes: list[Shape] = []
    for half in range(-2 * _REACH, 2 * _REACH + 1):
        at = half / 2
        if half % 2:
            shapes += [hairline(x + at, y - 0.35, x + at, y + 0.35), hairline(x - 0.35, y + at, x + 0.35, y + at)]
            continue
        width = _FINE if half else _HEAVY
        shapes += [
            hairline(x + at, y - _REACH, x + at, y + _REACH, width=width),
            hairline(x - _REACH, y + at, x + _REACH, y + at, width=width),
        ]
        number = f"{at:g}".replace("-", "\u2212")
        if half % 8 == 0:
            shapes.append(Text(x=x + at, y=y - _REACH - 1.0, text=number, size=2.0, anchor="middle", fill=INK))
        if half % 4 == 0:
            shapes.append(Text(x=x - _REACH - 1.0, y=y + at + 0.7, text=number, size=2.0, anchor="end", fill=INK))
    shapes.append(Text(x=x + _REACH + 3, y=y - _REACH - 1.0, text="X", size=2.6, bold=True, fill=INK))
    shapes.append(Text(x=x - _REACH - 1.0, y=y + _REACH + 4, text="Y", size=2.6, anchor="end", bold=True, fill=INK))
    return shapes


def _page(setting: Setting, side: str, shapes: list[Shape], offset: Point = (0.0, 0.0)) -> Scene:
    paper = setting.paper
    named = f"Test page: {side}"
    around = registration(paper, offset), margin_words(paper, named, paper.name, named, offset)
    layers = (Layer("test", tuple(shapes)), *around)
    return Scene(width=paper.width, height=paper.height, title=named, layers=layers)


# --- the plan ---------------------------------------------------------------------------------------------------------

_SIZE, _LINE, _INDENT = 2.9, 4.3, 17.0
_TITLE = 5.0
_MADE_UP = "* marks values that are made up or assumed. Enter those of your own copy with assistant pack enter, and make the sheets again."
_HOW: dict[Fold, tuple[str, ...]] = {
    "gutter": (
        "Print at 100 % (no scaling) and measure the ruler at the foot of a page: it is 50 mm long.",
        "Score the dashed line with a blunt edge and fold the lower half behind, or glue the halves on both sides of a thin card.",
        "Glue the whole surface (spray or a glue stick), press it under books until it is dry, and hold it to the light: "
        "the targets in the corners must meet.",
        "Cut along the ticks: first all lines across, then the strips. Where two ticks stand close together, cut at both.",
    ),
    "long-edge": (
        "Print the page that `--test-page` makes, on both sides, and state what it says with `--offset`.",
        "Print at 100 % (no scaling), on both sides, turned over the long edge; the ruler at the foot is 50 mm long.",
        "Cut along the ticks: first all lines across, then the strips. Where two ticks stand close together, cut at both.",
    ),
    "short-edge": (
        "Print the page that `--test-page` makes, on both sides, and state what it says with `--offset`.",
        "Print at 100 % (no scaling), on both sides, turned over the short edge; the ruler at the foot is 50 mm long.",
        "Cut along the ticks: first all lines across, then the strips. Where two ticks stand close together, cut at both.",
    ),
    "labels": (
        "Print at 100 % (no scaling) on sheets of labels, fronts first, then backs; the ruler at the foot is 50 mm long.",
        "Paste a sheet of fronts on one side of a board. Push a pin through the targets in two far corners, and paste the backs "
        "on the other side so that their targets meet the holes.",
        "Cut along the ticks: first all lines across, then the strips. Where two ticks stand close together, cut at both.",
    ),
}


def plan(title: str, counters: Sequence[Counter], sheets: Sequence[Sheet], setting: Setting) -> Iterator[Scene]:
    """The pages of the plan."""
    paper = setting.paper
    left, right = MARGIN + 5.0, paper.width - MARGIN - 5.0
    top, bottom = MARGIN + 8.0, paper.height - MARGIN - 8.0
    shapes: list[Shape] = []
    y = top
    scenes: list[list[Shape]] = []

    def room(lines: float) -> None:
        nonlocal y, shapes
        if y + lines * _LINE > bottom:
            scenes.append(shapes)
            shapes, y = [], top

    shapes.append(caption(left, y + 3.5, title, _TITLE, room=right - left, bold=True))
    y += 9
    cards = (
        f"{count_text(len(counters), 'counter')} of {die_in_words(setting.die)} on {count_text(len(sheets), 'page')}"
    )
    shapes.append(caption(left, y, cards, 3.2, room=right - left))
    y += 2
    for number, step in enumerate(_HOW[setting.fold], 1):
        y += 1.2
        for n, text in enumerate(wrap(step, _SIZE, right - left - 5)):
            y += _LINE
            if not n:
                shapes.append(caption(left, y, f"{number}.", _SIZE, room=5, bold=True))
            shapes.append(caption(left + 5, y, text, _SIZE, room=right - left - 5))
    if any(counter.doubtful for counter in counters):
        y += 1.2
        for text in wrap(_MADE_UP, _SIZE, right - left):
            y += _LINE
            shapes.append(caption(left, y, text, _SIZE, room=right - left, bold=True))
    y += 3
    for number, sheet in enumerate(sheets, 1):
        room(4)
        y += _LINE * 1.5
        shapes.append(caption(left, y, f"Page {number}", 3.2, room=60, bold=True))
        for row, pieces in enumerate(sheet.rows):
            inner = right - left - _INDENT
            lines = _in_lines(_counter_names([counters[piece] for piece in pieces]), inner)
            room(len(lines))
            colours = list(dict.fromkeys(counters[piece].ground for piece in pieces))[:3]
            shapes.append(caption(left, y + _LINE, row_name(row), _SIZE, room=5, bold=True))
            for n, colour in enumerate(colours):
                shapes.append(swatch(left + 5 + n * 3.2, y + _LINE - 2.2, 2.4, colour))
            for text in lines:
                y += _LINE
                shapes.append(caption(left + _INDENT, y, text, _SIZE, room=inner))
    scenes.append(shapes)
    for number, some in enumerate(scenes, 1):
        named = f"{title}, plan" + (f", {number} of {len(scenes)}" if len(scenes) > 1 else "")
        around = (registration(paper), margin_words(paper, "What is where", "", named))
        yield Scene(width=paper.width, height=paper.height, title=named, layers=(Layer("plan", tuple(some)), *around))


def _counter_names(counters: Sequence[Counter]) -> list[str]:
    """Counters by their names, those that follow each other as a number of them; a star marks those with values that
    are made up.
    """
    names = []
    for (_, name, is_made_up), several in groupby(
        (counter.unit, counter.name or counter.unit, bool(counter.doubtful)) for counter in counters
    ):
        count = len(list(several))
        names.append((f"{count} of {name}" if count > 1 else name) + ("*" if is_made_up else ""))
    return names


def _in_lines(names: Sequence[str], room: float) -> list[str]:
    """Names with commas between them, none of them broken."""
    lines: list[list[str]] = [[]]
    wide = 0.0
    for name in names:
        width = text_width(f"{name}, ", _SIZE)
        if lines[-1] and wide + width > room:
            lines.append([])
            wide = 0.0
        lines[-1].append(name)
        wide += width
    return [", ".join(line) + ("," if number < len(lines) else "") for number, line in enumerate(lines, 1)]
