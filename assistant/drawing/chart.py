"""Chances as a picture: distributions as columns side by side, and rows of stacked bars below them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from ..asking.sketch import Chart, Columns, Fighting, Ladder, Row, Rows, Rung
from ..asking.view import View
from ..asking.wording import fill
from ..mechanics.distribution import format_percent
from .colours import INK, ink_on, mix
from .lettering import base_line, fit_line, text_width, wrap
from .map.survey import SurveyReader
from .scene import Group, Layer, Polyline, Rectangle, Scene, Shape, Text, inset, text_lines
from .style import GRID, MARGIN, PAPER, SOFT_INK

TITLE_SIZE_MM = 5.0
"""The size of a title."""
SUBTITLE_SIZE_MM = 3.5
"""The size of the lines below a title."""
_WIDTH_MM = 190.0
_TEXT_SIZE_MM = 3.0
_SMALL_SIZE_MM = 2.6
_COLUMN_GAP_MM = 9.0
_MAX_COLUMN_HEIGHT_MM = 32.0
_MAX_COLUMN_WIDTH_MM = 11.0
_ROW_PITCH_MM = 6.6
"""The distance between rows of bars."""
_BAR_HEIGHT_MM = 4.6
_WORDS_BEFORE_WIDTH_MM = 34.0
"""The room for the words before a bar."""
_WORDS_AFTER_WIDTH_MM = 34.0
_PAPER_SHARES = (0.68, 0.36, 0.0)
"""The shares of paper in the parts of a stacked bar, in order, so that they differ even without colours."""
_UNKNOWN_COLOURS = "#4d4a45", "#a09a8e"
"""The colours of unknown sides."""


def chart_scene(chart: Chart, colours: tuple[str, str]) -> Scene:
    """Return the picture, as wide as a page of text; long lines are wrapped."""
    inner = _WIDTH_MM - 2 * MARGIN
    texts, y = title_lines(chart.title, chart.lines, MARGIN, inner)
    y += 4.0
    drawn: list[Shape] = []
    colour_of: Mapping[Fighting, str] = {"attacker": colours[0], "defender": colours[1]}
    if ladder := chart.ladder:
        drawn += _draw_ladder(ladder, colour_of["attacker"], y, inner)
        y += SUBTITLE_SIZE_MM + 4.4 + len(ladder.rungs) * _RUNG_PITCH_MM + 5.0
    if columns := chart.columns:
        width = (inner - _COLUMN_GAP_MM * (len(columns) - 1)) / len(columns)
        largest = max(
            (likelihood.chance for distribution in columns for likelihood in distribution.likelihoods),
            default=Fraction(1),
        )
        for number, distribution in enumerate(columns):
            drawn += _draw_columns(
                distribution,
                colour_of[distribution.whose],
                MARGIN + number * (width + _COLUMN_GAP_MM),
                y,
                width,
                largest,
            )
        y += TITLE_SIZE_MM + SUBTITLE_SIZE_MM + _MAX_COLUMN_HEIGHT_MM + 16.0
    for block in chart.rows:
        drawn += _draw_rows(block, colour_of, y, inner)
        y += SUBTITLE_SIZE_MM + 3.4 + len(block.rows) * _ROW_PITCH_MM + 4.0
    caption, y = _draw_paragraph(chart.caption, y, _SMALL_SIZE_MM)
    texts += caption
    height = y + MARGIN - 1.0
    paper = Rectangle(x=0, y=0, width=_WIDTH_MM, height=height, fill=PAPER)
    layers = (Layer("paper", (paper,)), Layer("chart", tuple(drawn)), Layer("words", tuple(texts)))
    return Scene(width=_WIDTH_MM, height=height, title=chart.title, description=_describe_chart(chart), layers=layers)


def title_lines(title: str, subtitles: Sequence[str], y: float, width: float) -> tuple[list[Text], float]:
    """Return the shapes of a title and the lines below it, and their lower edge.

    `y`: their upper edge.
    """
    heading = wrap(title, TITLE_SIZE_MM, width, bold=True)
    lines = [part for line in subtitles for part in wrap(line, SUBTITLE_SIZE_MM, width)]
    below = y + len(heading) * TITLE_SIZE_MM * 1.3
    texts = text_lines(heading, y + TITLE_SIZE_MM * 0.8, TITLE_SIZE_MM, 1.3, x=MARGIN, bold=True, fill=INK)
    texts += text_lines(lines, below + SUBTITLE_SIZE_MM, SUBTITLE_SIZE_MM, 1.4, x=MARGIN, fill=SOFT_INK)
    return texts, below + len(lines) * SUBTITLE_SIZE_MM * 1.4


def opponent_colours(view: View, attackers: Iterable[str], defenders: Iterable[str]) -> tuple[str, str]:
    """Return the colours of the sides of units that fight each other, or a dark and a pale grey for unknown sides.

    The facts read here do not count as read by the view.
    """
    reader = SurveyReader(view)
    attacking, defending = map(reader.side_among, (attackers, defenders))
    others = [side for side in view.game.file.sides if side not in (attacking, defending)]
    if len(others) == 1:  # with two sides, the unknown one is the other
        attacking, defending = attacking or others[0], defending or others[0]
    if attacking == defending or not (attacking and defending):
        return _UNKNOWN_COLOURS
    return reader.palette.side(attacking).strong, reader.palette.side(defending).strong


def _draw_paragraph(lines: Sequence[str], y: float, size: float) -> tuple[list[Text], float]:
    """Return the shapes of wrapped lines of text, and their lower edge.

    `y`: their upper edge.
    """
    parts = [part for line in lines for part in wrap(line, size, _WIDTH_MM - 2 * MARGIN)]
    return text_lines(parts, y + size, size, 1.4, x=MARGIN, fill=SOFT_INK), y + len(parts) * size * 1.4


def _draw_columns(
    distribution: Columns, colour: str, left: float, top: float, width: float, largest: Fraction
) -> Iterator[Shape]:
    head, below = (
        fit_line(distribution.title, SUBTITLE_SIZE_MM, width, min_size=2.0, bold=True),
        fit_line(distribution.note, _TEXT_SIZE_MM, width, min_size=1.6),
    )
    yield Text(x=left, y=top + SUBTITLE_SIZE_MM, text=head.lines[0], size=head.size, bold=True, fill=INK)
    yield Text(x=left, y=top + SUBTITLE_SIZE_MM + 4.6, text=below.lines[0], size=below.size, fill=SOFT_INK)
    floor = top + TITLE_SIZE_MM + SUBTITLE_SIZE_MM + _MAX_COLUMN_HEIGHT_MM + 7.0
    pitch = min(width / max(len(distribution.likelihoods), 1), _MAX_COLUMN_WIDTH_MM * 1.35)
    column = pitch / 1.35
    decimals = 1 if pitch >= text_width("88.8%", _SMALL_SIZE_MM) else 0
    for number, likelihood in enumerate(distribution.likelihoods):
        percent_text = format_percent(likelihood.chance, decimals)
        middle = left + (number + 0.5) * pitch
        height = float(likelihood.chance / largest) * _MAX_COLUMN_HEIGHT_MM
        fitted = fit_line(percent_text, _SMALL_SIZE_MM, pitch * 0.98, min_size=1.2)
        value = fit_line(str(likelihood.value), _TEXT_SIZE_MM, pitch * 0.94, min_size=1.2)
        box = Rectangle(x=middle - column / 2, y=floor - height, width=column, height=height, fill=colour)
        percent = Text(x=middle, y=floor - height - 1.0, text=percent_text, size=fitted.size, anchor="middle", fill=INK)
        label = Text(x=middle, y=floor + 4.0, text=value.lines[0], size=value.size, anchor="middle", fill=INK)
        yield Group(
            f"{distribution.title}: {likelihood.value}, {format_percent(likelihood.chance)}", (box, percent, label)
        )
    ends = ((left, floor), (left + max(width, pitch * len(distribution.likelihoods)), floor))
    yield Polyline(points=ends, stroke=GRID, width=0.3, butt=True)


_RUNG_PITCH_MM = 10.4
"""The distance from one bar of a ladder to the next, with the line below it."""
_RUNG_NAME_WIDTH_MM = 16.0


def _draw_ladder(ladder: Ladder, colour: str, top: float, inner: float) -> Iterator[Shape]:
    """Yield a bar for the points that each column needs, and below it the units that provide them."""
    yield Text(x=MARGIN, y=top + SUBTITLE_SIZE_MM, text=ladder.title, size=SUBTITLE_SIZE_MM, bold=True, fill=INK)
    start, most = MARGIN + _RUNG_NAME_WIDTH_MM, max(rung.amount for rung in ladder.rungs)
    length = inner - _RUNG_NAME_WIDTH_MM - text_width(f"{most} {ladder.unit}", SUBTITLE_SIZE_MM, bold=True) - 3.0
    for number, rung in enumerate(ladder.rungs):
        y = top + SUBTITLE_SIZE_MM + 4.4 + number * _RUNG_PITCH_MM
        yield Group(
            _format_rung(ladder, rung),
            tuple(_draw_rung(ladder, rung, colour, start, y, length / most, inner - _RUNG_NAME_WIDTH_MM)),
        )


def _draw_rung(
    ladder: Ladder, rung: Rung, colour: str, start: float, y: float, scale: float, room: float
) -> Iterator[Shape]:
    middle, present = y + _BAR_HEIGHT_MM / 2, rung.amount - rung.lacking
    if rung.wanted:
        width, tint = _RUNG_NAME_WIDTH_MM + room + 3.0, mix(GRID, PAPER, 0.62)
        yield Rectangle(x=MARGIN - 1.5, y=y - 1.0, width=width, height=_RUNG_PITCH_MM - 0.6, radius=1.0, fill=tint)
    base = base_line(middle, SUBTITLE_SIZE_MM)
    yield Text(x=start - 2.0, y=base, text=rung.label, size=SUBTITLE_SIZE_MM, anchor="end", bold=rung.wanted, fill=INK)
    yield Rectangle(x=start, y=y, width=max(present, 0) * scale, height=_BAR_HEIGHT_MM, fill=colour)
    if rung.lacking:
        left, width = start + present * scale, rung.lacking * scale
        yield inset((left, y, width, _BAR_HEIGHT_MM), 0.2, fill=PAPER, stroke=colour, stroke_width=0.4)
    end = start + rung.amount * scale + 1.6
    yield Text(x=end, y=base, text=_format_points(ladder, rung), size=SUBTITLE_SIZE_MM, bold=True, fill=INK)
    words = f"{rung.lacking} {ladder.unit} lacking" if rung.lacking else rung.who
    fitted = fit_line(words, _TEXT_SIZE_MM, room, min_size=1.9)
    yield Text(x=start, y=y + _BAR_HEIGHT_MM + 3.4, text=fitted.lines[0], size=fitted.size, fill=SOFT_INK)


def _format_points(ladder: Ladder, rung: Rung) -> str:
    return f"{rung.amount} {ladder.unit}"


def _format_rung(ladder: Ladder, rung: Rung) -> str:
    lacking = f", {rung.lacking} lacking" if rung.lacking else ""
    asked = ", the column asked for" if rung.wanted else ""
    return f"{rung.label}: {_format_points(ladder, rung)}{lacking}{asked}{f', {rung.who}' if rung.who else ''}"


def _draw_rows(block: Rows, colours: Mapping[Fighting, str], top: float, inner: float) -> Iterator[Shape]:
    yield Text(x=MARGIN, y=top + SUBTITLE_SIZE_MM, text=block.title, size=SUBTITLE_SIZE_MM, bold=True, fill=INK)
    start, length = MARGIN + _WORDS_BEFORE_WIDTH_MM, inner - _WORDS_BEFORE_WIDTH_MM - _WORDS_AFTER_WIDTH_MM
    x = MARGIN + inner - sum(4.4 + text_width(word, _TEXT_SIZE_MM) + 5.0 for word in block.key) + 5.0
    for number, word in enumerate(block.key):
        tint = mix(SOFT_INK, PAPER, _tint(number, len(block.key)))
        yield Rectangle(
            x=x, y=top + SUBTITLE_SIZE_MM - 2.7, width=3.2, height=3.2, fill=tint, stroke=GRID, stroke_width=0.15
        )
        yield Text(x=x + 4.4, y=top + SUBTITLE_SIZE_MM - 0.1, text=word, size=_TEXT_SIZE_MM, fill=SOFT_INK)
        x += 4.4 + text_width(word, _TEXT_SIZE_MM) + 5.0
    for number, row in enumerate(block.rows):
        y = top + SUBTITLE_SIZE_MM + 3.4 + number * _ROW_PITCH_MM
        yield Group(_format_row(block, row), tuple(_draw_row(block.key, row, colours[row.whose], start, y, length)))


def _draw_row(key: Sequence[str], row: Row, colour: str, start: float, y: float, length: float) -> Iterator[Shape]:
    base, small_base = (
        base_line(y + _BAR_HEIGHT_MM / 2, _TEXT_SIZE_MM),
        base_line(y + _BAR_HEIGHT_MM / 2, _SMALL_SIZE_MM),
    )
    label = fit_line(row.label, _TEXT_SIZE_MM, _WORDS_BEFORE_WIDTH_MM - 2.0, min_size=1.8)
    yield Text(x=start - 2.0, y=base, text=label.lines[0], size=label.size, anchor="end", fill=INK)
    yield Rectangle(x=start, y=y, width=length, height=_BAR_HEIGHT_MM, fill=mix(GRID, PAPER, 0.72))
    x, beside = start, []
    for number, share in enumerate(row.parts):
        if not share:
            continue
        percent = format_percent(share)
        width = float(share) * length
        tint = mix(colour, PAPER, _tint(number, len(row.parts)))
        yield Rectangle(x=x, y=y, width=width, height=_BAR_HEIGHT_MM, fill=tint, stroke=PAPER, stroke_width=0.35)
        if text_width(percent, _SMALL_SIZE_MM) + 1.6 <= width:
            yield Text(
                x=x + width / 2, y=small_base, text=percent, size=_SMALL_SIZE_MM, anchor="middle", fill=ink_on(tint)
            )
        elif len(row.parts) == 1:
            yield Text(x=x + width + 1.2, y=small_base, text=percent, size=_SMALL_SIZE_MM, fill=INK)
        else:
            beside.append(f"{key[number]} {percent}" if key else percent)
        x += width
    if row.note:
        beside.append(row.note)
    if beside:
        note = fit_line(", ".join(beside), _SMALL_SIZE_MM, _WORDS_AFTER_WIDTH_MM - 2.0, min_size=1.6)
        yield Text(x=start + length + 2.0, y=base, text=note.lines[0], size=note.size, fill=SOFT_INK)


def _tint(number: int, parts: int) -> float:
    """Return the share of paper in the colour of a part: the last one is the darkest."""
    return _PAPER_SHARES[len(_PAPER_SHARES) - parts + number]


def _format_row(block: Rows, row: Row) -> str:
    shares = [format_percent(part) for part in row.parts]
    named = [f"{word} {share}" for word, share in zip(block.key, shares, strict=True)] if block.key else shares
    if row.note:
        named.append(row.note)
    return f"{row.label}: {', '.join(named)}"


def _describe_chart(chart: Chart) -> str:
    columns = [
        fill("{title}: {likelihoods}.", {"title": distribution.title, "likelihoods": (*distribution.likelihoods,)})
        for distribution in chart.columns
    ]
    ladder = chart.ladder
    rungs = [f"{_format_rung(ladder, rung)}." for rung in ladder.rungs] if ladder else []
    rows = [f"{_format_row(block, row)}." for block in chart.rows for row in block.rows]
    return " ".join([*rungs, *columns, *rows])
