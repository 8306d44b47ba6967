"""Faces of counters, composed from the slots of their design laid out on a die. What many counters share is prepared
once.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import combinations
from math import cos, hypot, pi, sin
from typing import Any, Literal, NamedTuple

import msgspec

from assistant.drawing.lettering import FIGURE_HEIGHT as CAP
from assistant.drawing.lettering import POINT, READABLE, fit, fit_lines, ink_extent, missing_letters, text_width
from assistant.drawing.scene import (
    ANCHORS,
    Anchor,
    Bitmap,
    Circle,
    Layer,
    Point,
    Polygon,
    Rectangle,
    Scene,
    Shape,
    Symbol,
    Text,
    inset,
)
from assistant.pictures.colours import INK, WHITE, contrast, dark, ink_on, mix
from assistant.pictures.style import Palette, stripe_shapes
from assistant.pictures.symbols import ASPECT, Symbols
from assistant.util.errors import InputError, Where, nearest_names

from .design import AUTO, FILE, Choice, Inks, Item, Length, Look, Side, Slot
from .expressions import FIGURES, SYMBOL, UNIT, VALUE, WORD, Condition, Field, Pattern, Values, condition, pattern

BLANK = "[]"
"""Stands for a blank box."""
_BLANK = 0.6  # its width, as a share of the size
_BLANK_ROOM = 0.85  # the share of the width of its slot that it takes at most
_BLANK_RIM, _BLANK_LEAST_RIM = 0.055, 0.15  # its outline, as a share of its height, and at least, in millimetres
_IN_DISC = 0.88  # of the diameter of a disc, from corner to corner of its text
_BRACKET, _BRACKET_RISE = 0.74, 0.16  # of brackets as high as figures, as shares of the size
_LINE = 1.02  # from line to line, as a share of the size
_DASH, _DASH_HEIGHT = 0.12, 0.07  # of the dash between figures, as shares of the size
_NEAR = 1e-6
_ARC = 6  # points of a rounded corner
_ANCHORS: Mapping[str, Anchor] = {"left": "start", "centre": "middle", "right": "end"}
"""Where a text that is aligned so has its point."""
_SHARES: Mapping[str, float] = {"left": 0.0, "top": 0.0, "centre": 0.5, "middle": 0.5, "right": 1.0, "bottom": 1.0}
"""The share of the free room that lies before what is aligned so."""


class Area(NamedTuple):
    """A box, in millimetres: left, top, width, height."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> Point:
        """Its centre."""
        return self.x + self.width / 2, self.y + self.height / 2

    def holds(self, point: Point) -> bool:
        """Whether a point lies in it."""
        return self.x <= point[0] <= self.x + self.width and self.y <= point[1] <= self.y + self.height


def draw_ground(area: Area, whole: float, radius: float, fill: str) -> Shape:
    """A coloured ground; its corners that are corners of the counter are rounded. whole: side of the scene."""
    touching = (area.x < _NEAR or area.x + area.width > whole - _NEAR) and (
        area.y < _NEAR or area.y + area.height > whole - _NEAR
    )
    if not (radius and touching):
        return Rectangle(x=area.x, y=area.y, width=area.width, height=area.height, fill=fill)
    left, top, right, bottom = area.x, area.y, area.x + area.width, area.y + area.height
    points: list[Point] = []
    for x, y, turn in ((left, top, 2), (right, top, 3), (right, bottom, 0), (left, bottom, 1)):
        if (x < _NEAR or x > whole - _NEAR) and (y < _NEAR or y > whole - _NEAR):
            centre = x + (radius if x == left else -radius), y + (radius if y == top else -radius)
            angles = [(turn + step / _ARC) * pi / 2 for step in range(_ARC + 1)]
            points += [(centre[0] + radius * cos(angle), centre[1] + radius * sin(angle)) for angle in angles]
        else:
            points.append((x, y))
    return Polygon(points=tuple(points), fill=fill)


class Type(NamedTuple):
    """How letters are set, sizes in millimetres: size, the smallest size, how many lines, bold, and where in the box."""

    size: float
    least: float
    lines: int
    bold: bool
    align: Literal["left", "centre", "right"]
    valign: Literal["top", "middle", "bottom"]


class SlotShapes(NamedTuple):
    """Shapes of a slot. size: of their letters in millimetres, 0 without letters; cut: whether letters found no room;
    trouble: what is wrong with them, in words; hint: what to do.
    """

    shapes: tuple[Shape, ...]
    size: float = 0.0
    cut: bool = False
    trouble: str = ""
    hint: str = ""


def set_text(text: str, area: Area, type: Type, ink: str) -> SlotShapes:
    """A text in a box: smaller if it is too long, down to the least size, then cut off."""
    if text == BLANK:
        wide, high = min(type.size * _BLANK, area.width * _BLANK_ROOM), min(type.size * CAP, area.height)
        x = area.x + (area.width - wide) * _SHARES[type.align]
        top = area.y + (area.height - high) * _SHARES[type.valign]
        return SlotShapes((_blank(x, top + high, wide, high),), type.size)
    largest = min(type.size, max(area.height / CAP, type.least))
    if type.lines > 1:
        high = area.height * 2 / (CAP + _LINE)  # of two lines, as fit_lines counts it: twice the size
        words = fit_lines(text, largest, area.width, high, least=type.least, bold=type.bold)
    else:
        words = fit(text, largest, area.width, least=type.least, bold=type.bold)
    size, count = words.size, len(words.lines)
    high = size * (CAP + _LINE * (count - 1))
    top = area.y + (area.height - high) * _SHARES[type.valign]
    share = _SHARES[type.align]
    anchor = _ANCHORS[type.align]
    lines = tuple(
        Text(
            x=area.x + area.width * share,
            y=top + size * (CAP + _LINE * number),
            text=line,
            size=size,
            anchor=anchor,
            bold=type.bold,
            fill=ink,
        )
        for number, line in enumerate(words.lines)
    )
    return SlotShapes(lines, size, words.cut)


def fit_in_disc(text: str, area: Area, type: Type) -> Type:
    """How a text is set in a disc: so small that its corners stay clear of the rim."""
    ink = ink_extent(text, bold=type.bold)
    across = hypot(ink.right - ink.left, CAP)
    return type._replace(size=max(min(type.size, _IN_DISC * min(area.width, area.height) / across), type.least))


def draw_row(
    texts: Sequence[tuple[str, float, str]], separator: str, area: Area, type: Type, gap: float, pale: str
) -> SlotShapes:
    """Figures side by side, at one size, with signs between them, as far apart as their ink is.

    texts: each with its size as a share and its ink; gap: on both sides of a sign; pale: the ink of the signs.
    """
    dash = separator == "-"  # drawn, for a hyphen is too wide between large figures
    between = _DASH if dash else text_width(separator, 1, bold=type.bold) if separator else 0.0
    unit = sum(_ink_width(text, share, type.bold) for text, share, _ in texts) + between * (len(texts) - 1)
    gaps = gap * (2 if separator else 1) * (len(texts) - 1)
    size = max(min(type.size, area.height / CAP, (area.width - gaps) / (unit or 1)), type.least)
    wide = unit * size + gaps
    x = area.x + (area.width - wide) * _SHARES[type.align]
    high = size * CAP
    base = area.y + high + (area.height - high) * _SHARES[type.valign]
    shapes: list[Shape] = []
    for number, (text, share, ink) in enumerate(texts):
        if number:
            x += gap
            if dash:
                thick = size * _DASH_HEIGHT
                middle = base - high / 2 - thick / 2
                shapes.append(Rectangle(x=x, y=middle, width=between * size, height=thick, fill=pale))
                x += between * size + gap
            elif separator:
                shapes.append(Text(x=x, y=base, text=separator, size=size, bold=type.bold, fill=pale))
                x += between * size + gap
        wide_ink = _ink_width(text, size * share, type.bold)
        if text == BLANK:
            shapes.append(_blank(x, base, wide_ink, high))
        else:
            before, _ = _bearings(text, type.bold)
            shapes += _figure(text, x - before * size * share, base, size * share, type.bold, ink)
        x += wide_ink
    return SlotShapes(
        tuple(shapes), size * min((share for _, share, _ in texts), default=1.0), wide > area.width + 0.01
    )


def _ink_width(text: str, size: float, bold: bool) -> float:
    """How wide the ink of a figure is."""
    if text == BLANK:
        return _BLANK * size
    return sum(text_width(run, size * share, bold=bold) for run, share in _runs(text)) - size * sum(
        _bearings(text, bold)
    )


def _bearings(text: str, bold: bool) -> tuple[float, float]:
    """The empty room before and behind the ink of a figure, as shares of the size."""
    if text == BLANK or not text.strip():
        return 0.0, 0.0
    (first, small), (last, little) = _runs(text)[0], _runs(text)[-1]
    behind = text_width(last, 1, bold=bold) - ink_extent(last, bold=bold).right
    return ink_extent(first, bold=bold).left * small, behind * little


def _runs(text: str) -> list[tuple[str, float]]:
    """The parts of a figure, each with its size as a share: brackets are as high as figures."""
    return [(run, _BRACKET if run in "()" else 1.0) for run in re.findall(r"[()]|[^()]+", text)]


def _figure(text: str, x: float, base: float, size: float, bold: bool, ink: str) -> list[Shape]:
    """A figure whose brackets do not hang below it."""
    shapes: list[Shape] = []
    for run, share in _runs(text):
        y = base if share == 1 else base - size * _BRACKET_RISE
        shapes.append(Text(x=x, y=y, text=run, size=size * share, bold=bold, fill=ink))
        x += text_width(run, size * share, bold=bold)
    return shapes


def _blank(x: float, base: float, width: float, height: float) -> Shape:
    """A white box to write in, for a figure that is not known."""
    rim = max(height * _BLANK_RIM, _BLANK_LEAST_RIM)
    return inset(x, base - height, width, height, rim / 2, radius=rim, fill=WHITE, stroke=INK, stroke_width=rim)


def draw_chip(kind: str, area: Area, fill: str, rim: str, rim_width: float) -> Shape:
    """A disc or a box behind a text."""
    if kind == "disc":
        radius = (min(area.width, area.height) - (rim_width if rim else 0.0)) / 2
        return Circle(x=area.middle[0], y=area.middle[1], radius=radius, fill=fill, stroke=rim, width=rim_width)
    radius = min(area.height * 0.14, 0.5)
    by = rim_width / 2 if rim else 0.0
    return inset(*area, by, radius=radius, fill=fill, stroke=rim, stroke_width=rim_width)


def draw_symbol(drawing: Symbol, area: Area, ink: str, fill: str, rim: str, rim_width: float) -> SlotShapes:
    """A symbol as large as its box allows, in a frame if it has a fill or a rim."""
    aspect = drawing.view_box[2] / drawing.view_box[3]
    height = min(area.height, area.width / aspect)
    wide = height * aspect
    x, y = area.middle[0] - wide / 2, area.middle[1] - height / 2
    drawn = msgspec.structs.replace(drawing, x=x, y=y, width=wide, height=height, ink=ink)
    if not (fill or rim):
        return SlotShapes((drawn,))
    plate = inset(x, y, wide, height, 0, fill=fill)
    frame = inset(x, y, wide, height, rim_width / 2, stroke=rim, stroke_width=rim_width)
    return SlotShapes((plate, drawn, *((frame,) if rim else ())))


def draw_signs(symbols: Sequence[Symbol], area: Area, ink: str, gap: float) -> SlotShapes:
    """Small symbols in the middle of a box, side by side if it is wide, else one below the other."""
    count = len(symbols)
    gaps = gap * (count - 1)
    down = area.height > area.width and count > 1
    if down:
        height = min(area.width / ASPECT, (area.height - gaps) / count)
    else:
        height = min(area.height, (area.width - gaps) / count / ASPECT)
    width = height * ASPECT
    across, along = (width, count * height + gaps) if down else (count * width + gaps, height)
    left, top = area.middle[0] - across / 2, area.middle[1] - along / 2
    step = (0.0, height + gap) if down else (width + gap, 0.0)
    return SlotShapes(
        tuple(
            msgspec.structs.replace(
                sign, x=left + number * step[0], y=top + number * step[1], width=width, height=height, ink=ink
            )
            for number, sign in enumerate(symbols)
        )
    )


def draw_pips(count: int, area: Area, ink: str, gap: float) -> SlotShapes:
    """As many discs in a row, smaller if there are many."""
    each = min(area.height, (area.width - gap * (count - 1)) / count)
    left, y = area.middle[0] - (count * each + gap * (count - 1)) / 2, area.middle[1]
    return SlotShapes(
        tuple(
            Circle(x=left + number * (each + gap) + each / 2, y=y, radius=each / 2, fill=ink) for number in range(count)
        )
    )


# --- looks laid out on a die ------------------------------------------------------------------------------------------

SIDE = 15.875
"""The side of a counter for which a design is made, 5/8 inch, in millimetres."""
MARGIN = 1.5
"""How near the cut text may stand, in millimetres, whatever the size of the die."""
_RADIUS = 1.3
Texts = tuple[tuple[Condition, Pattern], ...]


class Cut(NamedTuple):
    """How counters are cut. side: when cut, in millimetres; bleed: how far grounds run on beyond each edge; rounded:
    whether the corners are round, as on a screen.
    """

    side: float = SIDE
    bleed: float = 0.0
    rounded: bool = True

    @property
    def whole(self) -> float:
        """The side of the scene."""
        return self.side + 2 * self.bleed

    def at(self, length: float) -> float:
        """Where a length from the edge of the design lies in the scene; the margin is as wide on every die."""
        if length <= MARGIN:
            scaled = length
        elif length >= SIDE - MARGIN:
            scaled = self.side - (SIDE - length)
        else:
            scaled = MARGIN + (length - MARGIN) * (self.side - 2 * MARGIN) / (SIDE - 2 * MARGIN)
        return self.bleed + scaled

    def area(self, box: Sequence[Length], beyond: bool) -> Area:
        """A box of a slot in the scene. beyond: whether edges on the cut run out to the bleed."""
        x, y, width, height = (
            length if not isinstance(length, str) else float(length.rstrip("%")) / 100 * SIDE for length in box
        )
        edges = [x, y, x + width, y + height]
        left, top, right, bottom = map(self.at, edges)
        if beyond:
            left, top = (0.0 if edge <= 1e-6 else at for edge, at in zip(edges[:2], (left, top), strict=True))
            right, bottom = (
                self.whole if edge >= SIDE - 1e-6 else at for edge, at in zip(edges[2:], (right, bottom), strict=True)
            )
        return Area(left, top, right - left, bottom - top)

    @property
    def radius(self) -> float:
        """That of the corners, 0 for square ones."""
        return _RADIUS if self.rounded and not self.bleed else 0.0


class _Part(NamedTuple):
    """An item of a row, ready to be read."""

    texts: Texts
    when: Condition
    empty: str
    size: float

    def read(self, values: Values, shown: Values) -> tuple[str, bool]:
        """Its text, and whether it is known."""
        if not self.when.holds(values):
            return "", True
        text = first(self.texts, values, shown)
        return (self.empty, False) if text is None else (text, True)


def first(texts: Texts, values: Values, shown: Values) -> str | None:
    """The first text whose condition holds and whose values are known."""
    if len(texts) == 1 and not texts[0][0].alternatives:
        return texts[0][1].read(shown)
    return next(every(texts, values, shown), None)


def every(texts: Texts, values: Values, shown: Values) -> Iterator[str]:
    """The texts whose condition holds and whose values are known."""
    for when, text in texts:
        if when.holds(values) and (words := text.read(shown)) is not None:
            yield words


def texts_of(text: str | tuple[Choice | str, ...]) -> Texts:
    """The texts of a slot or an item with their conditions. Raises ValueError for one that cannot be read."""
    choices = (text,) if isinstance(text, str) else text
    return tuple(
        (condition(""), pattern(choice)) if isinstance(choice, str) else (condition(choice.when), pattern(choice.text))
        for choice in choices
    )


def items_of(slot: Slot, figures: Sequence[str]) -> Iterator[Item]:
    """The items of a row; `{figures}` stands for several."""
    for item in slot.items:
        read = Item(item) if isinstance(item, str) else item
        if read.text == FIGURES:
            yield from (Item("{" + name + "}", read.when, read.empty, read.size) for name in figures)
        else:
            yield read


class Place:
    """A slot, ready to be drawn; what it has drawn is kept, for other counters show the same."""

    def __init__(self, name: str, slot: Slot, cut: Cut, figures: Sequence[str]) -> None:
        self.name, self.slot, self.area = name, slot, cut.area(slot.box, slot.draw == "ground")
        self.middle = self.area.middle
        self.when = condition(slot.when)
        self.parts = tuple(
            _Part(texts_of(item.text), condition(item.when), item.empty, item.size) for item in items_of(slot, figures)
        )
        self.texts = texts_of(slot.text)
        scale = cut.side / SIDE * POINT
        least = slot.floor * POINT
        self.type = Type(max(slot.size * scale, least), least, slot.lines, slot.bold, slot.align, slot.valign)
        self.gap = slot.gap * cut.side / SIDE
        self.drawn: dict[Any, SlotShapes] = {}
        names = [*self.when.names, *(name for when, text in self.texts for name in (*when.names, *text.names))]
        names += [
            name
            for part in self.parts
            for when, text in ((part.when, pattern("")), *part.texts)
            for name in (*when.names, *text.names)
        ]
        self.names = frozenset(names)

    def is_idle(self, known: Container[str]) -> bool:
        """Whether it never shows anything, for it may leave out columns and the game has none of them."""
        fields = [part for _, text in self.texts for part in text.parts]
        return bool(fields) and all(
            isinstance(part, Field) and part.optional and part.otherwise is None and part.name not in known
            for part in fields
        )


class Layout:
    """A look laid out on a die: its slots by side, grounds first. known: the columns that the game has, None for any."""

    def __init__(self, look: Look, cut: Cut, figures: Sequence[str], known: Container[str] | None = None) -> None:
        self.look, self.cut = look, cut
        places = [Place(name, slot, cut, figures) for name, slot in look.slots.items()]
        if known is not None:  # the standard design has slots for columns that few games have
            places = [place for place in places if not place.is_idle(known)]
        places.sort(key=lambda place: (place.slot.draw not in ("ground", "stripe"), place.slot.order))
        self.sides: dict[Side, tuple[Place, ...]] = {
            side: tuple(place for place in places if side in place.slot.on) for side in ("front", "back", "plain")
        }
        self.names = frozenset(name for place in places for name in place.names if "plain" not in place.slot.on)


# --- faces ------------------------------------------------------------------------------------------------------------

_RIM = 0.22
_TOUCH = 0.05  # how far the ink of two texts may overlap unseen, in millimetres
_LEGIBLE = 1.7  # the contrast that ink needs at least
_PAD = 0.15  # between a text and the edge of its chip
_MOST_PIPS = 30
_PALE = 0.35  # of what stands where a value is unknown
_SEPARATOR = 0.25  # of the signs between figures


class Trouble(NamedTuple):
    """What could not be drawn as it is meant. what: in words; hint: what to do."""

    slot: str
    what: str
    hint: str


class Composer:
    """Draws the faces of one game's counters on one die. It keeps what it met in `troubles` until that is taken.

    aliases: the columns of the game by the words that every game has for them, such as `formation`; closely: whether it
    looks for texts that run into one another, too.
    """

    def __init__(
        self, symbols: Symbols, palette: Palette, cut: Cut, aliases: Mapping[str, str], *, closely: bool = False
    ) -> None:
        self.symbols, self.palette, self.cut, self.aliases, self.closely = symbols, palette, cut, aliases, closely
        self.troubles: list[Trouble] = []

    def face(self, layout: Layout, side: Side, values: Values, shown: Values, inks: Inks, title: str) -> Scene:
        """One side of a counter. values: what is known; shown: the same with short forms of words."""
        whole = self.cut.whole
        drawn: list[Shape] = []
        grounds: list[tuple[Area, str]] = []
        texts: list[tuple[str, Text]] = []
        for place in layout.sides[side]:
            if place.when.alternatives and not place.when.holds(values):
                continue
            slot = place.slot
            if slot.draw == "stripe":
                grounds.append((place.area, inks.stripe.colour))
                drawn += self._stripe(place, inks)
            elif slot.draw == "ground":
                fill = inks.colour(slot.fill)
                if fill:
                    grounds.append((place.area, fill))
                    drawn += self._ground(place, fill)
            elif content := self._set_in(place, values, shown, inks, grounds):
                drawn += content.shapes
                if self.closely:
                    texts += [(place.name, shape) for shape in content.shapes if isinstance(shape, Text)]
                if content.trouble:
                    self.troubles.append(Trouble(place.name, content.trouble, content.hint))
        self.troubles += _collisions(texts)
        if self.cut.radius:
            edge = dark(grounds[0][1]) if grounds else dark(WHITE)
            drawn.append(inset(0, 0, whole, whole, _RIM / 2, radius=self.cut.radius, stroke=edge, stroke_width=_RIM))
        return Scene(width=whole, height=whole, title=title, layers=(Layer("counter", tuple(drawn)),))

    def take_troubles(self) -> tuple[Trouble, ...]:
        """What it has met since they were last taken, each once."""
        troubles, self.troubles = tuple(dict.fromkeys(self.troubles)), []
        return troubles

    def edge(self, layout: Layout, values: Values, inks: Inks) -> str:
        """The colour at the edges of a front, WHITE if nothing is there."""
        colour = WHITE
        for place in layout.sides["front"]:
            if place.slot.draw == "ground" and place.area.width == place.area.height == self.cut.whole:
                colour = inks.colour(place.slot.fill) if place.when.holds(values) else colour
        return colour

    def _ground(self, place: Place, fill: str) -> tuple[Shape, ...]:
        if fill not in place.drawn:
            place.drawn[fill] = SlotShapes((draw_ground(place.area, self.cut.whole, self.cut.radius, fill),))
        return place.drawn[fill].shapes

    def _stripe(self, place: Place, inks: Inks) -> tuple[Shape, ...]:
        if inks.stripe not in place.drawn:
            place.drawn[inks.stripe] = SlotShapes(tuple(stripe_shapes(inks.stripe, *place.area)))
        return place.drawn[inks.stripe].shapes

    def whole(self, own: Symbol | Bitmap, edge: str, title: str) -> Scene:
        """A face of an author's own, as large as the counter, on the ground of its edges."""
        cut = self.cut
        ground = draw_ground(Area(0, 0, cut.whole, cut.whole), cut.whole, self.cut.radius, edge)
        drawn: Shape
        if isinstance(own, Bitmap):
            longer = max(own.columns, own.rows)
            wide, high = cut.side * own.columns / longer, cut.side * own.rows / longer
            x, y = (cut.whole - wide) / 2, (cut.whole - high) / 2
            drawn = msgspec.structs.replace(own, x=x, y=y, width=wide, height=high)
        else:
            drawn = msgspec.structs.replace(own, x=cut.bleed, y=cut.bleed, width=cut.side, height=cut.side)
        return Scene(width=cut.whole, height=cut.whole, title=title, layers=(Layer("counter", (ground, drawn)),))

    def _set_in(
        self, place: Place, values: Values, shown: Values, inks: Inks, grounds: Sequence[tuple[Area, str]]
    ) -> SlotShapes | None:
        """What stands in a slot, None if nothing does. Raises InputError with the counter and the slot for a symbol
        that cannot be drawn.
        """
        try:
            return self._set(place, values, shown, inks, grounds)
        except InputError as error:
            what = f"{error.what} (counter {values.get(UNIT, '')}, slot {place.name})"
            raise error.told_as(what, error.where or Where(FILE)) from None

    def _set(
        self, place: Place, values: Values, shown: Values, inks: Inks, grounds: Sequence[tuple[Area, str]]
    ) -> SlotShapes | None:
        """What stands in a slot, None if nothing does."""
        slot = place.slot
        content: Any
        known = True
        if slot.draw == "row":
            read = [part.read(values, shown) for part in place.parts]
            content = tuple(
                (*read_part, part.size) for read_part, part in zip(read, place.parts, strict=True) if read_part[0]
            )
        else:
            text = first(place.texts, values, shown)
            known = text is not None
            content = slot.empty if text is None else text
        if not content:
            return None
        under = WHITE
        for area, colour in reversed(grounds):
            if area.holds(place.middle):
                under = colour
                break
        fill = inks.colour(slot.fill)
        ink = inks.on(fill or under) if slot.ink == AUTO else inks.colour(slot.ink)
        made = self._draw_once(place, content, known, ink, fill, under, inks)
        if made.cut and known and slot.draw == "text":
            for text in list(every(place.texts, values, shown))[1:]:
                if not text:
                    return None
                made = self._draw_once(place, text, known, ink, fill, under, inks)
                if not made.cut:
                    break
        return made

    def _draw_once(
        self, place: Place, content: Any, known: bool, ink: str, fill: str, under: str, inks: Inks
    ) -> SlotShapes:
        """What a slot shows, drawn once for all counters that show the same."""
        key = (content, known, ink, fill, under)
        if key not in place.drawn:
            made = self._make_set(place, content, known, ink, fill, under, inks)
            place.drawn[key] = made if made.trouble else self._look_at(made, place, content, ink, fill or under)
        return place.drawn[key]

    def _make_set(
        self, place: Place, content: Any, known: bool, ink: str, fill: str, under: str, inks: Inks
    ) -> SlotShapes:
        slot, area, type = place.slot, place.area, place.type
        rim = ink if slot.rim == AUTO else inks.colour(slot.rim)
        behind = fill or under
        if slot.draw == "row":
            texts = [(text, size, ink if sure else mix(ink, behind, _PALE)) for text, sure, size in content]
            return draw_row(texts, slot.separator, area, type, place.gap, mix(ink, behind, _SEPARATOR))
        if slot.draw in ("symbol", "echelon", "mark"):
            return self._symbol(place, content, ink, fill, rim, ink_on(under))
        if slot.draw == "signs":
            symbols = {word: self.symbols.symbol(slot.prefix + word) for word in content.split("+")}
            known_signs = [symbol for symbol in symbols.values() if symbol is not None]
            drawn = draw_signs(known_signs, area, ink, place.gap) if known_signs else SlotShapes(())
            lost = next((slot.prefix + word for word, symbol in symbols.items() if symbol is None), "")
            return self._without(drawn, lost) if lost else drawn
        if slot.draw == "pips":
            count = int(content) if content.isdecimal() and len(content) < 4 else 0
            if count > _MOST_PIPS or (not count and content != "0"):
                return SlotShapes((), trouble=f"{content} cannot be shown as pips", hint=f"at most {_MOST_PIPS} fit")
            return draw_pips(count, area, ink, place.gap) if count else SlotShapes(())
        shade = ink if known else mix(ink, behind, _PALE)
        if not slot.chip:
            return set_text(content, area, type, shade)
        plate = draw_chip(slot.chip, area, fill, rim, slot.rim_width)
        if content == BLANK:  # the chip itself is the box to write in
            return SlotShapes((plate,))
        room = Area(area.x + _PAD, area.y + _PAD, area.width - 2 * _PAD, area.height - 2 * _PAD)
        if slot.chip == "disc":
            type = fit_in_disc(content, area, type)
        words = set_text(content, room, type, shade)
        return words._replace(shapes=(plate, *words.shapes))

    def _symbol(self, place: Place, name: str, ink: str, fill: str, rim: str, free_ink: str) -> SlotShapes:
        """A symbol, sign of a size or mark of a nation. free_ink: of a symbol that stands free, without the frame."""
        slot, word = place.slot, place.slot.prefix + name
        if slot.draw == "echelon":
            symbol = self.symbols.echelon(word)
        elif slot.draw == "mark":
            symbol = self.symbols.sign(word, self.palette.mark(word))
        else:
            symbol = self.symbols.symbol(word)
            if symbol is not None and (fill or rim) and not self.symbols.framed(word):
                return draw_symbol(symbol, place.area, free_ink, "", "", 0)
        if symbol is not None:
            return draw_symbol(symbol, place.area, ink, fill, rim, slot.rim_width)
        height = min(place.area.height, place.area.width / ASPECT)
        width = min(place.area.width, height * ASPECT)
        middle = place.area.middle
        box = Area(middle[0] - width / 2, middle[1] - height / 2, width, height)
        plate = inset(*box, 0, fill=fill, stroke=rim, stroke_width=slot.rim_width)
        inner = Area(box.x + 0.3, box.y + 0.3, box.width - 0.6, box.height - 0.6)
        type = place.type._replace(lines=2, align="centre", valign="middle")
        words = set_text(name, inner, type, ink)
        drawn = words._replace(shapes=((plate,) if fill or rim else ()) + words.shapes)
        if slot.draw == "echelon":  # such as a size of the author's own
            return drawn
        if SYMBOL in place.names or name == slot.empty:  # a word of the game without a symbol may be meant
            return drawn
        if slot.draw == "mark":
            hint = f'put symbols/nation-{name}.svg into the game\'s folder; nations of a track of kind "choice" have colours and symbols'
            return drawn._replace(trouble=f"there is no symbol for the nation {name!r}", hint=hint)
        return self._without(drawn, slot.prefix + name)

    def _without(self, drawn: SlotShapes, name: str) -> SlotShapes:
        near = nearest_names(name, self.symbols.names)
        hint = f"put symbols/{name}.svg into the game's folder" + (f", or write {' or '.join(near)}" if near else "")
        return drawn._replace(trouble=f"there is no symbol {name!r}", hint=hint)

    def _look_at(self, made: SlotShapes, place: Place, content: Any, ink: str, ground: str) -> SlotShapes:
        """What was drawn, with what is wrong with it. ground: the colour that it stands on."""
        text = "".join(piece[0] for piece in content) if isinstance(content, tuple) else content
        if made.cut:
            die = "" if self.cut.side == SIDE else f" on a counter of {self.cut.side:g} mm"
            trouble = f"{text!r} does not fit at {place.slot.floor:g} points{die}"
            return made._replace(trouble=trouble, hint=f"{self._shorter(place)}give the slot more room or lines")
        if made.shapes and text != BLANK and contrast(ink, ground) < _LEGIBLE:
            trouble = f"its ink {ink} can hardly be seen on {ground}"
            return made._replace(trouble=trouble, hint='write ink = "auto", or choose another colour')
        if not made.size or text == BLANK:
            return made
        if lost := missing_letters(text):
            return made._replace(trouble=f"the typeface lacks {' '.join(lost)}", hint="use other characters")
        if made.size < (READABLE - 0.05) * POINT:
            trouble = (
                f"{text!r} has letters of {made.size / POINT:.1f} points; {READABLE:g} is the smallest that can be read"
            )
            return made._replace(trouble=trouble, hint=f"{self._shorter(place)}state a larger size, floor or box")
        return made

    def _shorter(self, place: Place) -> str:
        """Where a text of a slot can be shortened, in words, "" if nowhere."""
        named = next((name for _, text in place.texts for name in text.names), "")
        if named in (WORD, VALUE):
            return "shorten it in its table of [markers], or "
        return f"shorten it under [short.{self.aliases.get(named, named)}], or " if named else ""


def _collisions(texts: Sequence[tuple[str, Text]]) -> Iterator[Trouble]:
    """Texts of different slots whose ink meets. texts: each with its slot."""
    boxes = [(slot, text.text, _ink_box(text)) for slot, text in texts]
    for (slot, text, box), (other_slot, other_text, other) in combinations(boxes, 2):
        gap = max(other[0] - box[2], box[0] - other[2], other[1] - box[3], box[1] - other[3])
        if slot != other_slot and gap < -_TOUCH:
            what = f"{text!r} runs into {other_text!r} of slot {other_slot}"
            yield Trouble(slot, what, "move one of the boxes apart, or make it smaller")


def _ink_box(text: Text) -> tuple[float, float, float, float]:
    """Where the ink of a text reaches: left, top, right, bottom."""
    extent = ink_extent(text.text, bold=text.bold)
    start = text.x - ANCHORS[text.anchor] * text_width(text.text, text.size, bold=text.bold)
    left, top, right, bottom = (edge * text.size for edge in extent)
    return start + left, text.y + top, start + right, text.y + bottom
