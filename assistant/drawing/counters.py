"""Counters and stacks of counters.

A counter is a tinted square with the sign of the nation, the symbol, the unit's name, and its figures on a darker foot.
Of a covered counter in a stack, only a strip at the lower edge is visible.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ..state.state import Unit
from .colours import INK, WHITE, darken, ink_on
from .geometry import PageBox
from .lettering import DASH, base_line, fit_line, fit_lines, text_width
from .scene import Circle, Group, Path, Polygon, Rectangle, Shape, Text, text_lines
from .style import COUNTER_MM, Palette
from .symbols import ASPECT, Symbols, shown_size

if TYPE_CHECKING:
    from .map.survey import SurveyReader

_MAX_STRIP_HEIGHT_MM = 4.3
_MIN_STRIP_HEIGHT_MM = 3.1
_MAX_STACK_STEP_MM = 0.7
"""The greatest shift to the right from one counter of a stack to the counter below it."""
_MAX_STACK_SHIFT_MM = 2.8
"""The maximum shift to the right of the lowest counter of a stack."""
_FOOT_HEIGHT_MM = 4.3
_BARE_FOOT_HEIGHT_MM = 1.3
"""The height of a foot without figures."""
_CORNER_RADIUS_MM = 1.7
SHADOW_WIDTH_MM = 0.4
"""The width of a counter's shadow beyond its right and lower edges, in millimetres."""
_NAME_SIZE_MM = 3.1
_STRIP_LETTER_SIZE_MM = 2.7
_FIGURE_SIZE_MM = 4.3
_MIN_LETTER_SIZE_MM = 1.4
_MIN_SIZE_WITH_EXTRAS_MM = 1.9
"""The minimum size of letters on a strip with figures and symbol, which are left out if they make letters smaller."""
_BACK_UP_DISC_RADIUS_MM = 1.0


class Face(msgspec.Struct, frozen=True):
    """The face of a counter."""

    id: str
    """The unit's id, or ? for unseen units."""
    nation: str
    mark: str
    """The symbol of the nation's sign."""
    arm: str
    size: str
    figures: tuple[str, ...]
    """The unit's figures, or () if none are known."""
    tint: str
    """The colour of the nation."""
    title: str
    """The whole face in words."""
    back_up: bool = False
    """Whether the counter lies back side up, so that the enemy does not see it."""
    name: str = ""
    """The short name printed on the counter, or "" if it has none."""

    @property
    def label(self) -> str:
        return self.name or self.id


BACK_UP = "back side up"
"""The meaning of the half-dark disc on a counter, in words."""
UNDER_CAP = "under a cap"
"""The meaning of the lid on a stack, in words."""


def initials(name: str) -> str:
    """Return the initials of a nation, at most three: G for german, AH for austro-hungarian."""
    return "".join(part[:1].upper() for part in name.replace("_", "-").replace(" ", "-").split("-") if part)[:3]


def face_of_unit(unit: Unit, reader: SurveyReader) -> Face:
    """Return the face of a unit's counter, with the facts that the reader knows."""
    nation = reader.word(reader.picture.nation, unit.id)
    arm = reader.word(reader.picture.symbol, unit.id)
    size = shown_size(reader.word(reader.picture.size, unit.id))
    figures = reader.figures(unit.id)
    back_up = reader.is_back_up(unit.id)
    known = [nation or "nation unknown", arm or "arm unknown", size, "-".join(figures), BACK_UP if back_up else ""]
    title = f"{unit.id}: {', '.join(word for word in known if word)}"
    palette = reader.palette
    return Face(
        unit.id,
        nation,
        palette.mark(nation),
        reader.symbol(unit.id),
        size,
        figures,
        palette.nation(nation),
        title,
        back_up,
        reader.counter_names.get(unit.type, ""),
    )


def unseen_face(nation: str, palette: Palette) -> Face:
    """Return the face that stands for the unseen units of a stack."""
    title = f"{nation or 'nation unknown'}, unseen units"
    return Face("?", nation, palette.mark(nation), "", "", (), palette.nation(nation), title)


def draw_stack(
    faces: Sequence[Face], room: PageBox, symbols: Symbols, min_letter: float = 0.0
) -> tuple[list[Group], PageBox]:
    """Return the counters of a stack centred in `room`, shrunk if too high, and the box around them.

    `faces`: the faces, from the top counter down.
    `min_letter`: the size in mm below which letters of covered counters are not legible.
    """
    places, box = stack_places(len(faces), room)
    top_face = faces[0]
    groups = []
    # from the bottom up, as upper counters cover lower ones
    for face, place in reversed([*zip(faces[1:], places[1:], strict=True)]):
        foreign = face.nation != top_face.nation
        groups.append(_draw_covered_counter(face, place, symbols, min_letter, foreign=foreign))
    groups.append(_draw_top_counter(top_face, places[0], symbols))
    return groups, box


def add_shadow(box: PageBox) -> PageBox:
    """Return the box of counters, enlarged by their shadow."""
    return box._replace(right=box.right + SHADOW_WIDTH_MM, bottom=box.bottom + SHADOW_WIDTH_MM)


class CounterPlace(NamedTuple):
    """The place of one counter in a stack, in millimetres."""

    x: float
    """The left edge of the counter."""
    y: float
    """The upper edge of the counter."""
    scale: float
    """The size of the counter, 1 for full size."""
    tab: float
    """The height of the visible strip of a covered counter."""


def stack_places(count: int, room: PageBox) -> tuple[list[CounterPlace], PageBox]:
    """Return the places of a stack's counters centred in `room`, and the box around them.

    The top counter is first; each further one lies lower and a little to the right. To fit the room, first the strips
    shrink, then the whole stack.
    """
    covered = count - 1
    height = room.bottom - room.top
    strip = max(_MIN_STRIP_HEIGHT_MM, min(_MAX_STRIP_HEIGHT_MM, (height - COUNTER_MM) / max(covered, 1)))
    scale = min(1.0, height / (COUNTER_MM + covered * strip))
    side, strip = COUNTER_MM * scale, strip * scale
    step = min(_MAX_STACK_STEP_MM, _MAX_STACK_SHIFT_MM / max(covered, 1)) * scale
    left = (room.left + room.right - side - covered * step) / 2
    top = (room.top + room.bottom - side - covered * strip) / 2
    places = [CounterPlace(left + depth * step, top + depth * strip, scale, strip) for depth in range(count)]
    return places, PageBox(left, top, left + side + covered * step, top + side + covered * strip)


def draw_cap(count: int, room: PageBox, title: str) -> Group:
    """Return the cap on a stack: a lid over the upper edge of its top counter.

    `count`: the number of counters.
    `room`: as in `stack_places`.
    """
    places, _ = stack_places(count, room)
    x, y, scale, _ = places[0]
    return Group(title, tuple(lid_shapes(x, y + 0.4 * scale, COUNTER_MM * scale, scale)))


def lid_shapes(x: float, y: float, width: float, scale: float = 1.0) -> list[Shape]:
    """Return a lid over an edge: a line along the edge, bent down at both ends."""
    low = y + 2.6 * scale
    line = ((x, low), (x, y), (x + width, y), (x + width, low))
    return [Path(lines=(line,), stroke=WHITE, width=1.1 * scale), Path(lines=(line,), stroke=INK, width=0.7 * scale)]


def half_disc(x: float, y: float, radius: float, ink: str) -> list[Shape]:
    """Return the sign of a counter that lies back side up: a disc around (x, y) with its left half dark."""
    angles = [pi * (0.5 + number / 12) for number in range(13)]
    left_half = tuple((x + radius * cos(angle), y - radius * sin(angle)) for angle in angles)
    return [
        Polygon(points=left_half, fill=ink),
        Circle(x=x, y=y, radius=radius, stroke=ink, width=radius * 0.25),
    ]


def _draw_body(face: Face, x: float, y: float, scale: float) -> list[Shape]:
    side, radius, edge = COUNTER_MM * scale, _CORNER_RADIUS_MM * scale, darken(face.tint)
    shadow = Rectangle(
        x=x + SHADOW_WIDTH_MM,
        y=y + SHADOW_WIDTH_MM,
        width=side,
        height=side,
        radius=radius,
        fill="#000000",
        opacity=0.18,
    )
    body = Rectangle(
        x=x, y=y, width=side, height=side, radius=radius, fill=face.tint, stroke=edge, stroke_width=0.35 * scale
    )
    return [shadow, body]


def draw_sign(nation: str, mark: str, x: float, y: float, size: float, ink: str, symbols: Symbols) -> Shape:
    """Return the sign of a nation, or its initials if it has no sign, or `?` if the nation is unknown."""
    symbol = symbols.sign(nation, mark) if nation else None
    if symbol is None:
        return centred_text(initials(nation) or "?", x, base_line(y, size), size, ink)
    return msgspec.structs.replace(symbol, x=x - size / 2, y=y - size / 2, width=size, height=size, ink=ink)


def symbol_box(arm: str, x: float, y: float, height: float, symbols: Symbols) -> list[Shape]:
    """Return the symbol of an arm, in a white box if it is a framed symbol.

    An arm without a symbol is written into the box, and an unknown arm as `?`.
    """
    width = height * ASPECT
    symbol = symbols.symbol(arm) if arm else None
    if symbol is not None and not symbols.is_framed(arm):
        return [msgspec.structs.replace(symbol, x=x, y=y, width=width, height=height, ink=INK)]
    shapes: list[Shape] = [Rectangle(x=x, y=y, width=width, height=height, fill=WHITE)]
    if symbol is not None:
        shapes.append(msgspec.structs.replace(symbol, x=x, y=y, width=width, height=height, ink=INK))
    else:
        word = fit_lines(arm.replace("-", " ") or "?", height * 0.6, width * 0.92, height * 0.88, min_size=height * 0.1)
        base = y + height / 2 + word.size * (0.36 - (len(word.lines) - 1) / 2)
        shapes += text_lines(word.lines, base, word.size, x=x + width / 2, anchor="middle", fill=INK)
    shapes.append(Rectangle(x=x, y=y, width=width, height=height, stroke=INK, stroke_width=height * 0.055))
    return shapes


def _draw_top_counter(face: Face, place: CounterPlace, symbols: Symbols) -> Group:
    x, y, scale, _ = place
    side, ink = COUNTER_MM * scale, ink_on(face.tint)
    middle, bottom = x + side / 2, y + side
    foot_height = (_FOOT_HEIGHT_MM if face.figures else _BARE_FOOT_HEIGHT_MM) * scale
    foot_top = bottom - foot_height
    shapes = _draw_body(face, x, y, scale)
    # two rectangles for the foot, so that only its lower corners are rounded
    fill = darken(face.tint)
    radius = _CORNER_RADIUS_MM * scale
    shapes.append(Rectangle(x=x, y=foot_top, width=side, height=foot_height, radius=radius, fill=fill))
    shapes.append(Rectangle(x=x, y=foot_top, width=side, height=foot_height / 2, fill=fill))
    shapes.append(draw_sign(face.nation, face.mark, x + 2.2 * scale, y + 2.15 * scale, 2.3 * scale, ink, symbols))
    if face.size:
        shapes.append(_draw_size(face.size, middle, y + 2.15 * scale, scale, ink, symbols))
    # A name of two lines takes some of the symbol's height: fit the name as if it had two lines, then count its lines.
    symbol_bottom = y + 9.2 * scale
    shrinkage = (1.3 if face.figures else 0.4) * scale
    name_room = foot_top - symbol_bottom - 0.6 * scale + shrinkage
    name = fit_lines(
        face.label,
        _NAME_SIZE_MM * scale,
        side - 1.4 * scale,
        name_room,
        min_size=_MIN_LETTER_SIZE_MM * scale,
        bold=True,
    )
    if len(name.lines) < 2:
        shrinkage = 0
    symbol_height, symbol_bottom = 5.4 * scale - shrinkage, symbol_bottom - shrinkage
    symbol_top = symbol_bottom - symbol_height
    shapes += symbol_box(face.arm, middle - symbol_height * ASPECT / 2, symbol_top, symbol_height, symbols)
    if face.back_up:
        disc_y = symbol_bottom - symbol_height / 2
        shapes += half_disc(x + side - 1.9 * scale, disc_y, _BACK_UP_DISC_RADIUS_MM * scale, ink)
    base = base_line((symbol_bottom + bottom - foot_height) / 2, name.size, len(name.lines), 1.02)
    shapes += text_lines(name.lines, base, name.size, 1.02, x=middle, anchor="middle", bold=True, fill=ink)
    if face.figures:
        text = DASH.join(face.figures)
        figures = fit_line(text, _FIGURE_SIZE_MM * scale, side - 2 * scale, min_size=1.2 * scale, bold=True)
        base = base_line(bottom - foot_height / 2, figures.size)
        shapes.append(centred_text(figures.lines[0], middle, base, figures.size, WHITE))
    return Group(face.title, tuple(shapes))


def _draw_size(size: str, x: float, y: float, scale: float, ink: str, symbols: Symbols) -> Shape:
    symbol = symbols.echelon(size)
    if symbol is None:
        return centred_text(size, x, base_line(y, 2.7 * scale), 2.7 * scale, ink)
    height = 2.65 * scale
    width = height * symbol.view_box[2] / symbol.view_box[3]
    return msgspec.structs.replace(symbol, x=x - width / 2, y=y - height / 2, width=width, height=height, ink=ink)


def centred_text(text: str, x: float, base: float, size: float, fill: str) -> Text:
    """Return bold text centred on `x`, in millimetres."""
    return Text(x=x, y=base, text=text, size=size, anchor="middle", bold=True, fill=fill)


def _draw_covered_counter(
    face: Face, place: CounterPlace, symbols: Symbols, min_letter: float, *, foreign: bool
) -> Group:
    """Return a covered counter, of which only the strip is visible, with symbol, name and figures in a row.

    If the name would become too small, the figures are left out first, then the symbol. The name of the unit's nation
    is left out too, because the counter has its colour.

    `min_letter`: the size in mm below which letters are not legible.
    `foreign`: whether the sign of the nation replaces the symbol, and is never left out.
    """
    x, y, scale, strip = place
    shapes = _draw_body(face, x, y, scale)
    ink = ink_on(face.tint)
    left, right, middle = (
        x + 0.8 * scale,
        x + (COUNTER_MM - 0.7) * scale,
        y + COUNTER_MM * scale - strip / 2 + 0.1 * scale,
    )
    sign_height, size = 2.3 * scale, max(_STRIP_LETTER_SIZE_MM * scale, min_letter)
    min_size, label = max(_MIN_SIZE_WITH_EXTRAS_MM * scale, min_letter), _drop_nation(face)
    if face.back_up:
        shapes += half_disc(left + _BACK_UP_DISC_RADIUS_MM * scale, middle, _BACK_UP_DISC_RADIUS_MM * scale, ink)
        left += (2 * _BACK_UP_DISC_RADIUS_MM + 0.6) * scale
    sign_width = (sign_height if foreign else sign_height * ASPECT) + 0.7 * scale
    figures = DASH.join(face.figures)
    # widths of the texts at a size of 1 mm
    name_width = text_width(label, 1, bold=True)
    texts_width = name_width + text_width(figures, 1) + 0.25
    size_with_figures = (right - left - sign_width) / texts_width
    if figures and size_with_figures >= min_size:
        size = min(size, size_with_figures)
        shapes.append(Text(x=right, y=base_line(middle, size), text=figures, size=size, anchor="end", fill=ink))
        right -= text_width(figures, size) + size * 0.25
    if foreign or name_width * min_size <= right - left - sign_width:
        if foreign:
            sign_x = left + sign_height / 2
            shapes.append(draw_sign(face.nation, face.mark, sign_x, middle, sign_height, ink, symbols))
        else:
            shapes += symbol_box(face.arm, left, middle - sign_height / 2, sign_height, symbols)
        left += sign_width
    name = fit_lines(label, size, right - left, strip - 0.4 * scale, min_size=_MIN_LETTER_SIZE_MM * scale, bold=True)
    base = base_line(middle, name.size, len(name.lines))
    shapes += text_lines(name.lines, base, name.size, x=left, bold=True, fill=ink)
    return Group(face.title, tuple(shapes))


def _drop_nation(face: Face) -> str:
    """Return the name of a unit without the nation: `1 Train` for `Russian 1 Train`."""
    nation, label = face.nation.replace("-", " "), face.label
    return label[len(nation) + 1 :] if label.casefold().startswith(f"{nation.casefold()} ") else label
