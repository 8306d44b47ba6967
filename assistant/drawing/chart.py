"""Chances as a picture: distributions as columns side by side, and rows of stacked bars below them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from ..asking.sketch import Chart, Columns, Fighting, Ladder, Row, Rows, Rung
from ..asking.view import View
from ..asking.wording import fill
from ..mechanics.distribution import percents
from .colours import INK, ink_on, mix
from .lettering import base_line, fit, text_width, wrap
from .map.survey import SurveyReader
from .scene import Group, Layer, Polyline, Rectangle, Scene, Shape, Text, inset, text_lines
from .style import GRID, MARGIN, PAPER, SOFT_INK

WIDTH = 190.0
_TITLE, _HEAD, _WORDS, _SMALL = 5.0, 3.5, 3.0, 2.6
_GAP = 9.0
#: Of the columns: the height of the highest one, and the greatest width.
_HIGH, _COLUMN = 32.0, 11.0
#: Of the rows: their height, the height of the bar, and the widths of the words before and after it.
_ROW, _BAR, _BEFORE, _AFTER = 6.6, 4.6, 34.0, 34.0
#: The lightness of the parts of a stacked bar, in order: they differ even without colours.
_TINTS = (0.68, 0.36, 0.0)


def opponents(view: View, attackers: Iterable[str], defenders: Iterable[str]) -> tuple[str, str]:
    """Return the colours of the sides of units that fight each other, as everywhere; greys, dark and pale, for sides
    that are not known. What it reads does not count as read by the view.
    """
    look = SurveyReader(view)
    attacking, defending = map(look.side_among, (attackers, defenders))
    others = [side for side in view.game.file.sides if side not in (attacking, defending)]
    if len(others) == 1:  # of two sides one is known
        attacking, defending = attacking or others[0], defending or others[0]
    if attacking == defending or not (attacking and defending):
        return _NOBODY
    return look.palette.side(attacking).strong, look.palette.side(defending).strong


_NOBODY = "#4d4a45", "#a09a8e"
"""The colours of sides that are not known."""


def chart_scene(chart: Chart, colours: tuple[str, str]) -> Scene:
    """Return the picture, as wide as a page of text; long lines are wrapped. colours: of the attacker and of the
    defender.
    """
    inner = WIDTH - 2 * MARGIN
    heading = wrap(chart.title, _TITLE, inner, bold=True)
    texts: list[Shape] = [*text_lines(heading, MARGIN + _TITLE * 0.8, _TITLE, 1.3, x=MARGIN, bold=True, fill=INK)]
    y = _paragraph(texts, chart.lines, MARGIN + len(heading) * _TITLE * 1.3, _HEAD)
    y += 4.0
    drawn: list[Shape] = []
    of: Mapping[Fighting, str] = {"attacker": colours[0], "defender": colours[1]}
    if ladder := chart.ladder:
        drawn += _ladder(ladder, of["attacker"], y, inner)
        y += _HEAD + 4.4 + len(ladder.rungs) * _RUNG + 5.0
    if columns := chart.columns:
        wide = (inner - _GAP * (len(columns) - 1)) / len(columns)
        largest = max((likelihood.chance for some in columns for likelihood in some.likelihoods), default=Fraction(1))
        for number, some in enumerate(columns):
            drawn += _columns(some, of[some.whose], MARGIN + number * (wide + _GAP), y, wide, largest)
        y += _TITLE + _HEAD + _HIGH + 16.0
    for block in chart.rows:
        drawn += _rows(block, of, y, inner)
        y += _HEAD + 3.4 + len(block.rows) * _ROW + 4.0
    y = _paragraph(texts, chart.caption, y, _SMALL)
    height = y + MARGIN - 1.0
    paper = Rectangle(x=0, y=0, width=WIDTH, height=height, fill=PAPER)
    layers = (Layer("paper", (paper,)), Layer("chart", tuple(drawn)), Layer("words", tuple(texts)))
    return Scene(width=WIDTH, height=height, title=chart.title, description=_in_words(chart), layers=layers)


def _paragraph(texts: list[Shape], lines: Sequence[str], y: float, size: float) -> float:
    """Add lines of text from a height on. Returns the height below them."""
    parts = [part for line in lines for part in wrap(line, size, WIDTH - 2 * MARGIN)]
    texts += text_lines(parts, y + size, size, 1.4, x=MARGIN, fill=SOFT_INK)
    return y + len(parts) * size * 1.4


def _columns(some: Columns, colour: str, left: float, top: float, wide: float, largest: Fraction) -> Iterator[Shape]:
    """Yield a distribution in a box of a width. largest: the chance of the highest column of all that stand side by
    side.
    """
    head, below = fit(some.title, _HEAD, wide, least=2.0, bold=True), fit(some.note, _WORDS, wide, least=1.6)
    yield Text(x=left, y=top + _HEAD, text=head.lines[0], size=head.size, bold=True, fill=INK)
    yield Text(x=left, y=top + _HEAD + 4.6, text=below.lines[0], size=below.size, fill=SOFT_INK)
    floor = top + _TITLE + _HEAD + _HIGH + 7.0
    pitch = min(wide / max(len(some.likelihoods), 1), _COLUMN * 1.35)
    column = pitch / 1.35
    decimals = 1 if pitch >= text_width("88.8%", _SMALL) else 0
    shares = [likelihood.chance for likelihood in some.likelihoods]
    rounded = zip(some.likelihoods, percents(shares, decimals), percents(shares), strict=True)
    for number, (likelihood, percent_text, exact) in enumerate(rounded):
        middle = left + (number + 0.5) * pitch
        high = float(likelihood.chance / largest) * _HIGH
        written = fit(percent_text, _SMALL, pitch * 0.98, least=1.2)
        value = fit(str(likelihood.value), _WORDS, pitch * 0.94, least=1.2)
        box = Rectangle(x=middle - column / 2, y=floor - high, width=column, height=high, fill=colour)
        percent = Text(x=middle, y=floor - high - 1.0, text=percent_text, size=written.size, anchor="middle", fill=INK)
        label = Text(x=middle, y=floor + 4.0, text=value.lines[0], size=value.size, anchor="middle", fill=INK)
        yield Group(f"{some.title}: {likelihood.value}, {exact}", (box, percent, label))
    ends = ((left, floor), (left + max(wide, pitch * len(some.likelihoods)), floor))
    yield Polyline(points=ends, stroke=GRID, width=0.3, butt=True)


_RUNG, _NAME = 10.4, 16.0
"""The height of a rung with the line below it, and the width of its name."""


def _ladder(ladder: Ladder, colour: str, top: float, inner: float) -> Iterator[Shape]:
    """Yield a bar for each column, as long as what it takes, with whom it takes below it; what is lacking is an
    outline.
    """
    yield Text(x=MARGIN, y=top + _HEAD, text=ladder.title, size=_HEAD, bold=True, fill=INK)
    start, most = MARGIN + _NAME, max(rung.amount for rung in ladder.rungs)
    length = inner - _NAME - text_width(f"{most} {ladder.unit}", _HEAD, bold=True) - 3.0
    for number, rung in enumerate(ladder.rungs):
        y = top + _HEAD + 4.4 + number * _RUNG
        yield Group(
            _rung_in_words(ladder, rung), tuple(_rung(ladder, rung, colour, start, y, length / most, inner - _NAME))
        )


def _rung(
    ladder: Ladder, rung: Rung, colour: str, start: float, y: float, scale: float, room: float
) -> Iterator[Shape]:
    middle, there = y + _BAR / 2, rung.amount - rung.lacking
    if rung.wanted:
        wide, tint = _NAME + room + 3.0, mix(GRID, PAPER, 0.62)
        yield Rectangle(x=MARGIN - 1.5, y=y - 1.0, width=wide, height=_RUNG - 0.6, radius=1.0, fill=tint)
    base = base_line(middle, _HEAD)
    yield Text(x=start - 2.0, y=base, text=rung.label, size=_HEAD, anchor="end", bold=rung.wanted, fill=INK)
    yield Rectangle(x=start, y=y, width=max(there, 0) * scale, height=_BAR, fill=colour)
    if rung.lacking:
        lack = {"fill": PAPER, "stroke": colour, "stroke_width": 0.4}
        yield inset(start + there * scale, y, rung.lacking * scale, _BAR, 0.2, **lack)
    end = start + rung.amount * scale + 1.6
    yield Text(x=end, y=base, text=_points(ladder, rung), size=_HEAD, bold=True, fill=INK)
    words = f"{rung.lacking} {ladder.unit} lacking" if rung.lacking else rung.who
    fitted = fit(words, _WORDS, room, least=1.9)
    yield Text(x=start, y=y + _BAR + 3.4, text=fitted.lines[0], size=fitted.size, fill=SOFT_INK)


def _points(ladder: Ladder, rung: Rung) -> str:
    return f"{rung.amount} {ladder.unit}"


def _rung_in_words(ladder: Ladder, rung: Rung) -> str:
    lacking = f", {rung.lacking} lacking" if rung.lacking else ""
    asked = ", the column asked for" if rung.wanted else ""
    return f"{rung.label}: {_points(ladder, rung)}{lacking}{asked}{f', {rung.who}' if rung.who else ''}"


def _rows(block: Rows, colours: Mapping[Fighting, str], top: float, inner: float) -> Iterator[Shape]:
    """Bars below one another, with their title and the key of their parts above them."""
    yield Text(x=MARGIN, y=top + _HEAD, text=block.title, size=_HEAD, bold=True, fill=INK)
    start, length = MARGIN + _BEFORE, inner - _BEFORE - _AFTER
    x = MARGIN + inner - sum(4.4 + text_width(word, _WORDS) + 5.0 for word in block.key) + 5.0
    for number, word in enumerate(block.key):
        tint = mix(SOFT_INK, PAPER, _tint(number, len(block.key)))
        yield Rectangle(x=x, y=top + _HEAD - 2.7, width=3.2, height=3.2, fill=tint, stroke=GRID, stroke_width=0.15)
        yield Text(x=x + 4.4, y=top + _HEAD - 0.1, text=word, size=_WORDS, fill=SOFT_INK)
        x += 4.4 + text_width(word, _WORDS) + 5.0
    for number, row in enumerate(block.rows):
        y = top + _HEAD + 3.4 + number * _ROW
        yield Group(_row_in_words(block, row), tuple(_row(block.key, row, colours[row.whose], start, y, length)))


def _row(key: Sequence[str], row: Row, colour: str, start: float, y: float, length: float) -> Iterator[Shape]:
    """Yield a bar with its label before it; behind it the shares that have no room in it, and its note."""
    base, level = (base_line(y + _BAR / 2, size) for size in (_WORDS, _SMALL))
    label = fit(row.label, _WORDS, _BEFORE - 2.0, least=1.8)
    yield Text(x=start - 2.0, y=base, text=label.lines[0], size=label.size, anchor="end", fill=INK)
    yield Rectangle(x=start, y=y, width=length, height=_BAR, fill=mix(GRID, PAPER, 0.72))
    x, beside = start, []
    for number, (share, percent) in enumerate(zip(row.parts, percents(row.parts), strict=True)):
        if not share:
            continue
        wide = float(share) * length
        tint = mix(colour, PAPER, _tint(number, len(row.parts)))
        yield Rectangle(x=x, y=y, width=wide, height=_BAR, fill=tint, stroke=PAPER, stroke_width=0.35)
        if text_width(percent, _SMALL) + 1.6 <= wide:
            yield Text(x=x + wide / 2, y=level, text=percent, size=_SMALL, anchor="middle", fill=ink_on(tint))
        elif len(row.parts) == 1:
            yield Text(x=x + wide + 1.2, y=level, text=percent, size=_SMALL, fill=INK)
        else:
            beside.append(f"{key[number]} {percent}" if key else percent)
        x += wide
    if words := ", ".join([*beside, *([row.note] if row.note else [])]):
        note = fit(words, _SMALL, _AFTER - 2.0, least=1.6)
        yield Text(x=start + length + 2.0, y=base, text=note.lines[0], size=note.size, fill=SOFT_INK)


def _tint(number: int, parts: int) -> float:
    """Return the share of paper in the colour of a part: the last one is the darkest."""
    return _TINTS[len(_TINTS) - parts + number]


def _row_in_words(block: Rows, row: Row) -> str:
    shares = percents(row.parts)
    named = [f"{word} {share}" for word, share in zip(block.key, shares, strict=True)] if block.key else shares
    return f"{row.label}: {', '.join([*named, *([row.note] if row.note else [])])}"


def _in_words(chart: Chart) -> str:
    """Return a description of the picture, for readers who cannot see it."""
    columns_said = [
        fill("{title}: {likelihoods}.", {"title": some.title, "likelihoods": (*some.likelihoods,)})
        for some in chart.columns
    ]
    ladder = chart.ladder
    rungs = [f"{_rung_in_words(ladder, rung)}." for rung in ladder.rungs] if ladder else []
    return " ".join(
        [*rungs, *columns_said, *(f"{_row_in_words(block, row)}." for block in chart.rows for row in block.rows)]
    )
