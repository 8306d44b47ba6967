"""Counters: a tinted square with a darker foot, the sign of the nation, the symbol, the unit's id and figures; stacks
of them; and what tells that a counter lies back side up, or a stack under a cap.
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
from .style import COUNTER, Palette
from .symbols import ASPECT, Symbols, shown_size

if TYPE_CHECKING:
    from .map.survey import SurveyReader

_TAB = 4.3  # mm, the visible strip of a covered counter at most
_LEAST_TAB = 3.1  # mm, that strip at least
_STEP = 0.7  # mm that each covered counter lies to the right
_FOOT = 4.3  # mm, the foot with the figures
_BARE_FOOT = 1.3  # mm, a foot without figures
_CORNER = 1.7  # mm, the radius of the corners
SHADOW = 0.4
"""How far the shadow of a counter reaches beyond its right and lower edges, in millimetres."""
_ID_SIZE = 3.1  # size of letters, mm, as the next two
_TAB_SIZE = 2.7
_FIGURE_SIZE = 4.3
_LEAST = 1.4  # mm, to which letters may shrink
_LEAST_IN_TAB = 1.9  # mm, the same on the strip of a covered counter
_DISC = 1.0
"""The radius of the sign of a counter that lies back side up."""


class Face(msgspec.Struct, frozen=True):
    """The face of a counter."""

    id: str
    """Of its unit."""
    nation: str
    mark: str
    """The symbol of its nation's sign."""
    arm: str
    size: str
    figures: tuple[str, ...]
    """() if none is known."""
    tint: str
    """Of its nation."""
    title: str
    """All of it in words."""
    back_up: bool = False
    """Whether it lies back side up, so that others do not see it."""
    name: str = ""
    """What stands on it."""

    @property
    def named(self) -> str:
        """What the counter is called: its unit's id where it has no shorter name."""
        return self.name or self.id


BACK_UP = "back side up"  # what the sign of a counter means that its enemy does not see
UNDER_CAP = "under a cap"  # the same of such a stack


def initials(name: str) -> str:
    """Return the initials of a nation: G for german, AH for austro-hungarian."""
    return "".join(part[:1].upper() for part in name.replace("_", "-").replace(" ", "-").split("-") if part)[:3]


def face_of_unit(unit: Unit, reader: SurveyReader) -> Face:
    """Return the face of the counter of a unit."""
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
        arm,
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


def draw_stack(faces: Sequence[Face], room: PageBox, symbols: Symbols) -> tuple[list[Group], PageBox]:
    """Return the counters of a stack, centred in a box, and the box they fill.

    faces: the top one first, at least one. The top counter is drawn last; the covered ones show their id and figures
    below it. A stack that is too high for the box is drawn smaller.
    """
    places, box = stack_places(len(faces), room)
    groups = []
    for depth in range(len(faces) - 1, -1, -1):
        x, y, scale, tab = places[depth]
        if depth:
            groups.append(
                _draw_covered_counter(
                    faces[depth], x, y, scale, tab, symbols, foreign=faces[depth].nation != faces[0].nation
                )
            )
        else:
            groups.append(_draw_top_counter(faces[0], x, y, scale, symbols))
    return groups, box


def add_shadow(box: PageBox) -> PageBox:
    """Return the box that counters fill with their shadow."""
    return box._replace(right=box.right + SHADOW, bottom=box.bottom + SHADOW)


class CounterPlace(NamedTuple):
    """Where a counter of a stack lies."""

    x: float
    """Its left edge."""
    y: float
    """Its upper edge."""
    scale: float
    """Of its side."""
    tab: float
    """The height of what shows of a covered one, at its lower edge."""


def stack_places(many: int, room: PageBox) -> tuple[list[CounterPlace], PageBox]:
    """Return where the counters of a stack lie in a box, the top one first, and the box they fill. many: at least one."""
    under = many - 1
    height = room.bottom - room.top
    tab = max(_LEAST_TAB, min(_TAB, (height - COUNTER) / max(under, 1)))
    scale = min(1.0, height / (COUNTER + under * tab))
    side, tab, step = COUNTER * scale, tab * scale, min(_STEP, 2.8 / max(under, 1)) * scale
    left = (room.left + room.right - side - under * step) / 2
    top = (room.top + room.bottom - side - under * tab) / 2
    places = [CounterPlace(left + depth * step, top + depth * tab, scale, tab) for depth in range(many)]
    return places, PageBox(left, top, left + side + under * step, top + side + under * tab)


def draw_cap(many: int, room: PageBox, title: str) -> Group:
    """Return the cap on a stack: a lid over the upper edge of its top counter. many, room: as of `stack_places`; title:
    in words.
    """
    places, _ = stack_places(many, room)
    x, y, scale, _ = places[0]
    return Group(title, tuple(lid_shapes(x, y + 0.4 * scale, COUNTER * scale, scale)))


def lid_shapes(x: float, y: float, width: float, scale: float = 1.0) -> list[Shape]:
    """Return a lid over an edge: a line along it, bent down at both ends. x, y: the left end of the edge; width: of the
    edge, all in millimetres; scale: of the line, 1 for a counter at full size.
    """
    low = y + 2.6 * scale
    line = ((x, low), (x, y), (x + width, y), (x + width, low))
    return [Path(lines=(line,), stroke=WHITE, width=1.1 * scale), Path(lines=(line,), stroke=INK, width=0.7 * scale)]


def half_disc(x: float, y: float, radius: float, ink: str) -> list[Shape]:
    """Return the sign of a counter that lies back side up: a disc of which half is dark. x, y, radius: its middle and
    size, in millimetres.
    """
    turns = [pi * (0.5 + number / 12) for number in range(13)]
    half = tuple((x + radius * cos(turn), y - radius * sin(turn)) for turn in turns)
    return [
        Polygon(points=half, fill=ink),
        Circle(x=x, y=y, radius=radius, stroke=ink, width=radius * 0.25),
    ]


def _draw_body(face: Face, x: float, y: float, scale: float) -> list[Shape]:
    """Return the body of a counter with a soft shadow."""
    side, radius, edge = COUNTER * scale, _CORNER * scale, darken(face.tint)
    moved = x + SHADOW, y + SHADOW
    shadow = Rectangle(x=moved[0], y=moved[1], width=side, height=side, radius=radius, fill="#000000", opacity=0.18)
    body = Rectangle(
        x=x, y=y, width=side, height=side, radius=radius, fill=face.tint, stroke=edge, stroke_width=0.35 * scale
    )
    return [shadow, body]


def draw_sign(nation: str, mark: str, x: float, y: float, size: float, ink: str, symbols: Symbols) -> Shape:
    """Return the sign of a nation, or its initials if it has none. x, y: its centre; size: of its sides, in
    millimetres.
    """
    symbol = symbols.sign(nation, mark) if nation else None
    if symbol is None:
        return centred_text(initials(nation) or "?", x, base_line(y, size), size, ink)
    return msgspec.structs.replace(symbol, x=x - size / 2, y=y - size / 2, width=size, height=size, ink=ink)


def symbol_box(arm: str, x: float, y: float, height: float, symbols: Symbols) -> list[Shape]:
    """Return the symbol of an arm, in a white box if it belongs in a frame; a box with the word or "?" if there is
    none. x, y: its upper left corner, in millimetres.
    """
    width = height * ASPECT
    symbol = symbols.symbol(arm) if arm else None
    if symbol is not None and not symbols.is_framed(arm):
        return [msgspec.structs.replace(symbol, x=x, y=y, width=width, height=height, ink=INK)]
    shapes: list[Shape] = [Rectangle(x=x, y=y, width=width, height=height, fill=WHITE)]
    if symbol is not None:
        shapes.append(msgspec.structs.replace(symbol, x=x, y=y, width=width, height=height, ink=INK))
    else:
        word = fit_lines(arm.replace("-", " ") or "?", height * 0.6, width * 0.92, height * 0.88, least=height * 0.1)
        base = y + height / 2 + word.size * (0.36 - (len(word.lines) - 1) / 2)
        shapes += text_lines(word.lines, base, word.size, x=x + width / 2, anchor="middle", fill=INK)
    shapes.append(Rectangle(x=x, y=y, width=width, height=height, stroke=INK, stroke_width=height * 0.055))
    return shapes


def _draw_top_counter(face: Face, x: float, y: float, scale: float, symbols: Symbols) -> Group:
    """Return an uncovered counter: nation and size above the symbol, the id below it, the figures on its foot."""
    side, ink = COUNTER * scale, ink_on(face.tint)
    middle, bottom = x + side / 2, y + side
    foot = (_FOOT if face.figures else _BARE_FOOT) * scale
    shapes = _draw_body(face, x, y, scale)
    # the foot: two rectangles, so that only its lower corners are rounded
    fill = darken(face.tint)
    shapes.append(Rectangle(x=x, y=bottom - foot, width=side, height=foot, radius=_CORNER * scale, fill=fill))
    shapes.append(Rectangle(x=x, y=bottom - foot, width=side, height=foot / 2, fill=fill))
    shapes.append(draw_sign(face.nation, face.mark, x + 2.2 * scale, y + 2.15 * scale, 2.3 * scale, ink, symbols))
    if face.size:
        shapes.append(_draw_size(face.size, middle, y + 2.15 * scale, scale, ink, symbols))
    under = y + 9.2 * scale  # the symbol box
    shrink = (1.3 if face.figures else 0.4) * scale  # of the symbol box, if the id takes two lines
    room = bottom - foot - under - 0.6 * scale + shrink
    name = fit_lines(face.named, _ID_SIZE * scale, side - 1.4 * scale, room, least=_LEAST * scale, bold=True)
    shrink = shrink if len(name.lines) > 1 else 0
    height, under = 5.4 * scale - shrink, under - shrink
    shapes += symbol_box(face.arm, middle - height * ASPECT / 2, under - height, height, symbols)
    if face.back_up:
        shapes += half_disc(x + side - 1.9 * scale, under - height / 2, _DISC * scale, ink)
    base = base_line((under + bottom - foot) / 2, name.size, len(name.lines), 1.02)
    shapes += text_lines(name.lines, base, name.size, 1.02, x=middle, anchor="middle", bold=True, fill=ink)
    if face.figures:
        figures = fit_line(
            DASH.join(face.figures), _FIGURE_SIZE * scale, side - 2 * scale, least=1.2 * scale, bold=True
        )
        shapes.append(
            centred_text(figures.lines[0], middle, base_line(bottom - foot / 2, figures.size), figures.size, WHITE)
        )
    return Group(face.title, tuple(shapes))


def _draw_size(size: str, x: float, y: float, scale: float, ink: str, symbols: Symbols) -> Shape:
    """Return the size of a unit round a point: as the sign of an echelon, or as it is written if it has none."""
    symbol = symbols.echelon(size)
    if symbol is None:
        return centred_text(size, x, base_line(y, 2.7 * scale), 2.7 * scale, ink)
    height = 2.65 * scale
    width = height * symbol.view_box[2] / symbol.view_box[3]
    return msgspec.structs.replace(symbol, x=x - width / 2, y=y - height / 2, width=width, height=height, ink=ink)


def centred_text(text: str, x: float, base: float, size: float, fill: str) -> Text:
    """Return bold text centred on x, in millimetres."""
    return Text(x=x, y=base, text=text, size=size, anchor="middle", bold=True, fill=fill)


def _draw_covered_counter(
    face: Face, x: float, y: float, scale: float, tab: float, symbols: Symbols, *, foreign: bool
) -> Group:
    """Return a covered counter, of which only the lower edge shows: symbol, id and figures in a row.

    Whatever leaves the id too little room is omitted, the figures first. foreign: whether the sign of its nation takes
    the place of the symbol.
    """
    shapes = _draw_body(face, x, y, scale)
    ink = ink_on(face.tint)
    left, right, middle = x + 0.8 * scale, x + (COUNTER - 0.7) * scale, y + COUNTER * scale - tab / 2 + 0.1 * scale
    height, size, least = 2.3 * scale, _TAB_SIZE * scale, _LEAST_IN_TAB * scale
    if face.back_up:
        shapes += half_disc(left + _DISC * scale, middle, _DISC * scale, ink)
        left += (2 * _DISC + 0.6) * scale
    wide_sign = (height if foreign else height * ASPECT) + 0.7 * scale
    figures = DASH.join(face.figures)
    width = text_width(face.named, 1, bold=True)
    both = width + text_width(figures, 1) + 0.25
    if figures and (right - left - wide_sign) / both >= least:
        size = min(size, (right - left - wide_sign) / both)
        shapes.append(Text(x=right, y=base_line(middle, size), text=figures, size=size, anchor="end", fill=ink))
        right -= text_width(figures, size) + size * 0.25
    if foreign or width * least <= right - left - wide_sign:
        if foreign:
            shapes.append(draw_sign(face.nation, face.mark, left + height / 2, middle, height, ink, symbols))
        else:
            shapes += symbol_box(face.arm, left, middle - height / 2, height, symbols)
        left += wide_sign
    name = fit_lines(face.named, size, right - left, tab - 0.4 * scale, least=_LEAST * scale, bold=True)
    base = base_line(middle, name.size, len(name.lines))
    shapes += text_lines(name.lines, base, name.size, x=left, bold=True, fill=ink)
    return Group(face.title, tuple(shapes))
