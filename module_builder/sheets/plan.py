"""The plan at the end of sheets: which counters are in which row of which page, and how a page becomes counters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from assistant.drawing.lettering import text_width, wrap
from assistant.drawing.scene import Layer, Scene, Shape
from assistant.util.console import count_text

from ..counters import Counter
from .layout import Fold, Setting, Sheet
from .marks import margin_words, registration, row_name, swatch, words
from .sizes import MARGIN, die_in_words

_SIZE, _LINE, _INDENT = 2.9, 4.3, 17.0
_TITLE = 5.0
_MADE_UP = "* shows values that are made up or assumed. Enter those of your own copy with assistant pack enter, and make the sheets again."
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

    shapes.append(words(left, y + 3.5, title, _TITLE, room=right - left, bold=True))
    y += 9
    cards = (
        f"{count_text(len(counters), 'counter')} of {die_in_words(setting.die)} on {count_text(len(sheets), 'page')}"
    )
    shapes.append(words(left, y, cards, 3.2, room=right - left))
    y += 2
    for number, step in enumerate(_HOW[setting.fold], 1):
        y += 1.2
        for n, text in enumerate(wrap(step, _SIZE, right - left - 5)):
            y += _LINE
            if not n:
                shapes.append(words(left, y, f"{number}.", _SIZE, room=5, bold=True))
            shapes.append(words(left + 5, y, text, _SIZE, room=right - left - 5))
    if any(counter.doubtful for counter in counters):
        y += 1.2
        for text in wrap(_MADE_UP, _SIZE, right - left):
            y += _LINE
            shapes.append(words(left, y, text, _SIZE, room=right - left, bold=True))
    y += 3
    for number, sheet in enumerate(sheets, 1):
        room(4)
        y += _LINE * 1.5
        shapes.append(words(left, y, f"Page {number}", 3.2, room=60, bold=True))
        for row, pieces in enumerate(sheet.rows):
            inner = right - left - _INDENT
            lines = _in_lines(_counter_names([counters[piece] for piece in pieces]), inner)
            room(len(lines))
            colours = list(dict.fromkeys(counters[piece].ground for piece in pieces))[:3]
            shapes.append(words(left, y + _LINE, row_name(row), _SIZE, room=5, bold=True))
            for n, colour in enumerate(colours):
                shapes.append(swatch(left + 5 + n * 3.2, y + _LINE - 2.2, 2.4, colour))
            for text in lines:
                y += _LINE
                shapes.append(words(left + _INDENT, y, text, _SIZE, room=inner))
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
