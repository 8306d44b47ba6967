"""The plan at the end of sheets: what to do with them, and which counters are in which row of which page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, islice

from assistant.drawing.lettering import text_width, wrap
from assistant.drawing.scene import Layer, Scene, Shape
from assistant.util.console import format_count

from ..counters.pieces import Counter
from .layout import CounterSheet, Fold, SheetSetting
from .marks import caption, margin_layer, registration_layer, row_name, swatch
from .sizes import MARGIN, Paper, format_die

_SIZE = 2.9  # size of letters, mm
_LINE = 4.3  # mm from line to line
_INDENT = 17.0  # mm
_TITLE = 5.0  # size of the title, mm
_MOST_COLOURS = 3
_MADE_UP = (
    "* marks values that are made up or assumed. Enter those of your own copy with assistant pack enter, "
    "and make the sheets again."
)
_CUT = (
    "Cut along the ticks: first all lines across, then the strips. Where two ticks stand close together, cut at both."
)
_HOW: dict[Fold, tuple[str, ...]] = {
    "gutter": (
        "Print at 100 % (no scaling) and measure the ruler at the foot of a page: it is 50 mm long.",
        (
            "Score the dashed line with a blunt edge and fold the lower half behind, or glue the halves on both "
            "sides of a thin card."
        ),
        "Glue the whole surface (spray or a glue stick), press it under books until it is dry, and hold it to the light: "
        "the targets in the corners must meet.",
        _CUT,
    ),
    "long-edge": (
        "Print the page that `--test-page` makes, on both sides, and state what it says with `--offset`.",
        "Print at 100 % (no scaling), on both sides, turned over the long edge; the ruler at the foot is 50 mm long.",
        _CUT,
    ),
    "short-edge": (
        "Print the page that `--test-page` makes, on both sides, and state what it says with `--offset`.",
        "Print at 100 % (no scaling), on both sides, turned over the short edge; the ruler at the foot is 50 mm long.",
        _CUT,
    ),
    "labels": (
        (
            "Print at 100 % (no scaling) on sheets of labels, fronts first, then backs; the ruler at the foot is "
            "50 mm long."
        ),
        "Paste a sheet of fronts on one side of a board. Push a pin through the targets in two far corners, and paste the backs "
        "on the other side so that their targets meet the holes.",
        _CUT,
    ),
}


class _Pages:
    """The pages of a plan as they are filled from top to bottom."""

    def __init__(self, paper: Paper) -> None:
        self.left, self.right = MARGIN + 5.0, paper.width - MARGIN - 5.0
        self._top, self._bottom = MARGIN + 8.0, paper.height - MARGIN - 8.0
        self.y = self._top
        """Where the last line stands."""
        self.shapes: list[list[Shape]] = [[]]

    def keep_together(self, lines: float) -> None:
        """Begin a page if so many lines have no room on this one."""
        if self.y + lines * _LINE > self._bottom:
            self.shapes.append([])
            self.y = self._top

    def add(
        self, text: str, size: float = _SIZE, *, indent: float = 0.0, bold: bool = False, below: float = 0.0
    ) -> None:
        """Add words on the line at hand, or so far below it."""
        room = self.right - self.left - indent
        line = caption(self.left + indent, self.y + below, text, size, room=room, bold=bold)
        self.shapes[-1].append(line)

    def add_lines(self, lines: Sequence[str], *, indent: float = 0.0, bold: bool = False) -> None:
        """Add lines one below the other."""
        for text in lines:
            self.y += _LINE
            self.add(text, indent=indent, bold=bold)


def plan_scenes(
    title: str, counters: Sequence[Counter], sheets: Sequence[CounterSheet], setting: SheetSetting
) -> Iterator[Scene]:
    """Yield the pages of the plan."""
    pages = _Pages(setting.paper)
    _add_head(pages, title, counters, len(sheets), setting)
    for number, sheet in enumerate(sheets, 1):
        pages.keep_together(4)
        pages.y += _LINE * 1.5
        pages.add(f"Page {number}", 3.2, bold=True)
        for row, pieces in enumerate(sheet.rows):
            _add_row(pages, row, [counters[piece] for piece in pieces])
    paper = setting.paper
    for number, shapes in enumerate(pages.shapes, 1):
        named = f"{title}, plan" + (f", {number} of {len(pages.shapes)}" if len(pages.shapes) > 1 else "")
        around = (registration_layer(paper), margin_layer(paper, "What is where", "", named))
        layers = (Layer("plan", tuple(shapes)), *around)
        yield Scene(width=paper.width, height=paper.height, title=named, layers=layers)


def _add_head(pages: _Pages, title: str, counters: Sequence[Counter], sheets: int, setting: SheetSetting) -> None:
    """Add what the sheets hold, and what to do with them step by step. sheets: how many there are."""
    width = pages.right - pages.left
    pages.add(title, _TITLE, bold=True, below=3.5)
    pages.y += 9
    pages.add(
        f"{format_count(len(counters), 'counter')} of {format_die(setting.die)} on {format_count(sheets, 'page')}", 3.2
    )
    pages.y += 2
    for number, step in enumerate(_HOW[setting.fold], 1):
        pages.y += 1.2
        pages.add(f"{number}.", bold=True, below=_LINE)
        pages.add_lines(wrap(step, _SIZE, width - 5), indent=5)
    if any(counter.doubtful for counter in counters):
        pages.y += 1.2
        pages.add_lines(wrap(_MADE_UP, _SIZE, width), bold=True)
    pages.y += 3


def _add_row(pages: _Pages, row: int, counters: Sequence[Counter]) -> None:
    """Add the letter of a row, its first colours, and its counters by name."""
    lines = _join_names(_format_names(counters), pages.right - pages.left - _INDENT)
    pages.keep_together(len(lines))
    pages.add(row_name(row), bold=True, below=_LINE)
    colours = dict.fromkeys(counter.ground for counter in counters)
    for number, colour in enumerate(islice(colours, _MOST_COLOURS)):
        pages.shapes[-1].append(swatch(pages.left + 5 + number * 3.2, pages.y + _LINE - 2.2, 2.4, colour))
    pages.add_lines(lines, indent=_INDENT)


def _format_names(counters: Sequence[Counter]) -> list[str]:
    """Return counters by their names, those that follow each other as a number of them; a star marks those with values
    that are made up.
    """
    names = []
    for (_, name, is_made_up), several in groupby(
        (counter.unit, counter.name or counter.unit, bool(counter.doubtful)) for counter in counters
    ):
        count = len(list(several))
        names.append((f"{count} of {name}" if count > 1 else name) + ("*" if is_made_up else ""))
    return names


def _join_names(names: Sequence[str], room: float) -> list[str]:
    """Return names with commas between them, none of them broken."""
    lines: list[list[str]] = [[]]
    line_width = 0.0
    for name in names:
        width = text_width(f"{name}, ", _SIZE)
        if lines[-1] and line_width + width > room:
            lines.append([])
            line_width = 0.0
        lines[-1].append(name)
        line_width += width
    return [", ".join(line) + ("," if number < len(lines) else "") for number, line in enumerate(lines, 1)]
