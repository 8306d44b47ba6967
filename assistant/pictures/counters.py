"""Counters: a tinted square with a darker foot, a white symbol box, the unit's id and figures; and stacks of them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ..drawing.lettering import base_line, fit, fit_lines, text_width
from ..drawing.scene import Group, Point, Rectangle, Shape, Text
from ..state.state import Unit
from .look import Look
from .style import COUNTER, INK, WHITE, Palette, dark, ink_on
from .symbols import ASPECT, Symbols

#: The visible strip of a covered counter, at most and at least, and its step to the right.
_TAB, _LEAST_TAB, _STEP = 4.3, 3.1, 0.7
_FOOT, _BARE_FOOT, _CORNER = 3.7, 1.3, 1.7
#: Sizes of letters, and the sizes to which they may shrink.
_ID_SIZE, _TAB_SIZE = 2.9, 2.5
_LEAST, _LEAST_IN_TAB = 1.4, 1.9


class Face(msgspec.Struct, frozen=True):
    """The face of a counter. figures: () if none is known; tint: of its nation; title: all of it in words."""

    id: str
    letters: str
    arm: str
    size: str
    figures: tuple[str, ...]
    tint: str
    title: str


class Box(msgspec.Struct, frozen=True):
    """A box in millimetres."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def corners(self) -> tuple[Point, ...]:
        """Its corners, clockwise."""
        return (self.left, self.top), (self.right, self.top), (self.right, self.bottom), (self.left, self.bottom)


def initials(name: str) -> str:
    """The initials of a nation: G for german, AH for austro-hungarian."""
    return "".join(part[:1].upper() for part in name.replace("_", "-").replace(" ", "-").split("-") if part)[:3]


def face(unit: Unit, look: Look, palette: Palette) -> Face:
    """The face of the counter of a unit."""
    nation = look.word(look.picture.nation, unit.id)
    arm = look.word(look.picture.symbol, unit.id)
    size = look.word(look.picture.size, unit.id)
    size = size if any(letter.isalnum() for letter in size) else ""
    figures = look.figures(unit.id)
    known = [nation or "nation unknown", arm or "arm unknown", size, "-".join(figures)]
    title = f"{unit.id}: {', '.join(word for word in known if word)}"
    return Face(unit.id, initials(nation) or "?", arm, size, figures, palette.nation(nation), title)


def unseen_face(nation: str, palette: Palette) -> Face:
    """The face that stands for the unseen units of a stack."""
    title = f"{nation or 'nation unknown'}, unseen units"
    return Face("?", initials(nation) or "?", "", "", (), palette.nation(nation), title)


def draw_stack(faces: Sequence[Face], room: Box, symbols: Symbols) -> tuple[list[Group], Box]:
    """The counters of a stack, centred in a box, and the box they fill.

    faces: the top one first, at least one. The top counter is drawn last; the covered ones show their id and figures below
    it. A stack that is too high for the box is drawn smaller.
    """
    under = len(faces) - 1
    height = room.bottom - room.top
    tab = max(_LEAST_TAB, min(_TAB, (height - COUNTER) / max(under, 1)))
    scale = min(1.0, height / (COUNTER + under * tab))
    side, tab, step = COUNTER * scale, tab * scale, min(_STEP, 2.8 / max(under, 1)) * scale
    left = (room.left + room.right - side - under * step) / 2
    top = (room.top + room.bottom - side - under * tab) / 2
    groups = []
    for depth in range(under, -1, -1):
        x, y = left + depth * step, top + depth * tab
        if depth:
            groups.append(_covered(faces[depth], x, y, scale, tab, symbols, faces[depth].letters != faces[0].letters))
        else:
            groups.append(_top(faces[0], x, y, scale, symbols))
    return groups, Box(left, top, left + side + under * step, top + side + under * tab)


def _square(face: Face, x: float, y: float, scale: float) -> list[Shape]:
    """The body of a counter with a soft shadow."""
    side, radius, edge = COUNTER * scale, _CORNER * scale, dark(face.tint)
    shadow = Rectangle(x=x + 0.4, y=y + 0.4, width=side, height=side, radius=radius, fill="#000000", opacity=0.18)
    body = Rectangle(
        x=x, y=y, width=side, height=side, radius=radius, fill=face.tint, stroke=edge, stroke_width=0.35 * scale
    )
    return [shadow, body]


def symbol_box(arm: str, x: float, y: float, height: float, symbols: Symbols) -> list[Shape]:
    """The white box with the symbol of an arm, or with a word or "?" if there is none. x, y: its upper left corner, in
    millimetres."""
    width = height * ASPECT
    shapes: list[Shape] = [Rectangle(x=x, y=y, width=width, height=height, fill=WHITE)]
    symbol = symbols.symbol(arm) if arm else None
    if symbol is not None:
        shapes.append(msgspec.structs.replace(symbol, x=x, y=y, width=width, height=height, ink=INK))
    else:
        word = fit_lines(arm.replace("-", " ") or "?", height * 0.6, width * 0.92, height * 0.88, least=height * 0.1)
        base = y + height / 2 + word.size * (0.36 - (len(word.lines) - 1) / 2)
        for number, line in enumerate(word.lines):
            at = base + number * word.size
            shapes.append(Text(x=x + width / 2, y=at, text=line, size=word.size, anchor="middle", fill=INK))
    shapes.append(Rectangle(x=x, y=y, width=width, height=height, stroke=INK, stroke_width=height * 0.055))
    return shapes


def _top(face: Face, x: float, y: float, scale: float, symbols: Symbols) -> Group:
    """An uncovered counter: nation and size above the symbol, the id below it, the figures on its foot."""
    side, ink = COUNTER * scale, ink_on(face.tint)
    middle, bottom = x + side / 2, y + side
    foot = (_FOOT if face.figures else _BARE_FOOT) * scale
    shapes = _square(face, x, y, scale)
    # the foot: two rectangles, so that only its lower corners are rounded
    fill = dark(face.tint)
    shapes.append(Rectangle(x=x, y=bottom - foot, width=side, height=foot, radius=_CORNER * scale, fill=fill))
    shapes.append(Rectangle(x=x, y=bottom - foot, width=side, height=foot / 2, fill=fill))
    shapes.append(Text(x=x + 1.1 * scale, y=y + 3.1 * scale, text=face.letters, size=2.5 * scale, bold=True, fill=ink))
    if face.size:
        shapes.append(centred(face.size, middle, y + 3.1 * scale, 2.7 * scale, ink))
    under = y + 9.2 * scale  # the symbol box
    shrink = (0.9 if face.figures else 0.4) * scale  # of the symbol box, if the id takes two lines
    room = bottom - foot - under - 0.6 * scale + shrink
    name = fit_lines(face.id, _ID_SIZE * scale, side - 1.4 * scale, room, least=_LEAST * scale, bold=True)
    shrink = shrink if len(name.lines) > 1 else 0
    height, under = 5.4 * scale - shrink, under - shrink
    shapes += symbol_box(face.arm, middle - height * ASPECT / 2, under - height, height, symbols)
    line_height = name.size * 1.02
    base = base_line((under + bottom - foot) / 2, name.size, len(name.lines), 1.02)
    for number, line in enumerate(name.lines):
        shapes.append(centred(line, middle, base + number * line_height, name.size, ink))
    if face.figures:
        figures = fit(" - ".join(face.figures), 3.0 * scale, side - 2 * scale, least=1.2 * scale, bold=True)
        shapes.append(
            centred(figures.lines[0], middle, base_line(bottom - foot / 2, figures.size), figures.size, WHITE)
        )
    return Group(face.title, tuple(shapes))


def centred(text: str, x: float, base: float, size: float, fill: str) -> Text:
    """Bold text centred on x, in millimetres."""
    return Text(x=x, y=base, text=text, size=size, anchor="middle", bold=True, fill=fill)


def _covered(face: Face, x: float, y: float, scale: float, tab: float, symbols: Symbols, lettered: bool) -> Group:
    """A covered counter, of which only the lower edge shows: symbol (or nation), id and figures in a row.

    Whatever leaves the id too little room is omitted, the figures first.
    """
    shapes = _square(face, x, y, scale)
    ink = ink_on(face.tint)
    left, right, middle = x + 0.8 * scale, x + (COUNTER - 0.7) * scale, y + COUNTER * scale - tab / 2 + 0.1 * scale
    height, size, least = 2.3 * scale, _TAB_SIZE * scale, _LEAST_IN_TAB * scale
    sign = text_width(face.letters, size, bold=True) if lettered else height * ASPECT
    sign += 0.5 * scale
    figures = "-".join(face.figures)
    wide = text_width(face.id, 1, bold=True)
    both = wide + text_width(figures, 1) + 0.25
    if figures and (right - left - sign) / both >= least:
        size = min(size, (right - left - sign) / both)
        shapes.append(Text(x=right, y=base_line(middle, size), text=figures, size=size, anchor="end", fill=ink))
        right -= text_width(figures, size) + size * 0.25
    if lettered or wide * least <= right - left - sign:
        if lettered:
            base = base_line(middle, _TAB_SIZE * scale)
            shapes.append(Text(x=left, y=base, text=face.letters, size=_TAB_SIZE * scale, bold=True, fill=ink))
        else:
            shapes += symbol_box(face.arm, left, middle - height / 2, height, symbols)
        left += sign
    name = fit_lines(face.id, size, right - left, tab - 0.4 * scale, least=_LEAST * scale, bold=True)
    base = base_line(middle, name.size, len(name.lines))
    for number, line in enumerate(name.lines):
        shapes.append(Text(x=left, y=base + number * name.size, text=line, size=name.size, bold=True, fill=ink))
    return Group(face.title, tuple(shapes))
