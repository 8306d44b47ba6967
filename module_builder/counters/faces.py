"""Faces of counters, drawn from the slots of their design.

A `Cut` scales the design to a die, a `Layout` prepares the slots of a look, and a `Composer` draws each counter.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import msgspec

from assistant.drawing.colours import WHITE, contrast, darken, ink_on, mix
from assistant.drawing.lettering import MIN_READABLE_POINTS, POINT_MM, ink_extent, missing_letters, text_width
from assistant.drawing.paths import read_path
from assistant.drawing.scene import ANCHORS, Bitmap, Circle, Layer, Rectangle, Scene, Shape, Symbol, Text, inset
from assistant.drawing.style import Palette, stripe_shapes
from assistant.drawing.symbols import ASPECT, Symbols
from assistant.util.errors import InputError, Where, nearest_names
from assistant.util.typesetting import set_in_type

from .columns import FIGURES, STRIPE, SYMBOL, UNIT, VALUE, WORD
from .design import FILE, Choice, CounterDesign, FigureItem, Length, Side, Slot
from .expressions import Condition, Field, Pattern, Values, parse_condition, parse_pattern
from .inks import AUTO, Inks
from .shapes import (
    BLANK_BOX,
    Area,
    Figure,
    Lettering,
    SlotShapes,
    draw_chip,
    draw_ground,
    draw_pips,
    draw_row,
    draw_signs,
    draw_symbol,
    fit_in_disc,
    question_mark,
    set_text,
)

DESIGN_SIDE_MM = 15.875
"""Side of the counter for which a design is made: 5/8 inch."""
FACE_MARGIN_MM = 1.15
"""Width of the empty border of a counter, on every die."""
_CORNER_RADIUS_MM = 1.3
_MIN_ECHELON_MM = 2.5 * POINT_MM  # for an echelon without a sign, written as letters
Texts = tuple[tuple[Condition, Pattern], ...]


class Cut(NamedTuple):
    """The size and edge of counters, in millimetres."""

    side: float = DESIGN_SIDE_MM
    """The side of the counter once it is cut."""
    bleed: float = 0.0
    """The width by which grounds continue beyond each edge."""
    rounded: bool = True
    """Whether the corners are round, as on a screen; with a bleed they are square."""

    @property
    def scene_side(self) -> float:
        """The side of the scene: the counter with its bleed."""
        return self.side + 2 * self.bleed

    def to_scene(self, length: float) -> float:
        """Convert a distance from the edge of the design into a coordinate of the scene.

        The margins keep their width on every die; only what lies between them is scaled.
        """
        if length <= FACE_MARGIN_MM:
            scaled = length
        elif length >= DESIGN_SIDE_MM - FACE_MARGIN_MM:
            scaled = self.side - (DESIGN_SIDE_MM - length)
        else:
            scaled = FACE_MARGIN_MM + (length - FACE_MARGIN_MM) * (self.side - 2 * FACE_MARGIN_MM) / (
                DESIGN_SIDE_MM - 2 * FACE_MARGIN_MM
            )
        return self.bleed + scaled

    def area(self, box: Sequence[Length], *, with_bleed: bool) -> Area:
        """Convert the box of a slot into an area of the scene.

        `with_bleed`: whether edges of the box on the edge of the counter move out to the edge of the bleed.
        """
        x, y, width, height = map(_parse_length, box)
        left, top, right, bottom = map(self.to_scene, (x, y, x + width, y + height))
        if with_bleed and x <= 1e-6:
            left = 0.0
        if with_bleed and y <= 1e-6:
            top = 0.0
        if with_bleed and x + width >= DESIGN_SIDE_MM - 1e-6:
            right = self.scene_side
        if with_bleed and y + height >= DESIGN_SIDE_MM - 1e-6:
            bottom = self.scene_side
        return Area(left, top, right - left, bottom - top)

    @property
    def radius(self) -> float:
        """The radius of the corners, or 0 if they are square."""
        return _CORNER_RADIUS_MM if self.rounded and not self.bleed else 0.0


def _parse_length(length: Length) -> float:
    """Return a length in millimetres; a text such as `50%` is a share of the side of the design."""
    return float(length.rstrip("%")) / 100 * DESIGN_SIDE_MM if isinstance(length, str) else length


class _RowPart(NamedTuple):
    texts: Texts
    when: Condition
    empty: str
    size: float
    means: str

    def read(self, values: Values, shown: Values) -> tuple[str, bool]:
        if not self.when.holds(values):
            return "", True
        text = _first_text(self.texts, values, shown)
        return (self.empty, False) if text is None else (text, True)


def _first_text(texts: Texts, values: Values, shown: Values) -> str | None:
    """Return the first text whose condition holds and whose values are known, or None if there is none."""
    for when, text in texts:
        if when.alternatives and not when.holds(values):
            continue
        if (words := text.read(shown)) is not None:
            return set_in_type(words)
    return None


def _known_texts(texts: Texts, values: Values, shown: Values) -> Iterator[str]:
    for when, text in texts:
        if when.holds(values) and (words := text.read(shown)) is not None:
            yield set_in_type(words)


def _parse_texts(text: str | tuple[Choice | str, ...]) -> Texts:
    """Parse the texts of a slot or an item, each with its condition.

    Raises ValueError if a condition or a pattern cannot be read.
    """
    choices = (text,) if isinstance(text, str) else text
    whole = [Choice(choice) if isinstance(choice, str) else choice for choice in choices]
    return tuple((parse_condition(choice.when), parse_pattern(choice.text)) for choice in whole)


def _list_items(slot: Slot, figures: Sequence[str]) -> Iterator[FigureItem]:
    """Yield the items of a row; `{figures}` becomes one item for each of `figures`."""
    for item in slot.items:
        read = FigureItem(item) if isinstance(item, str) else item
        if read.text == FIGURES:
            yield from (msgspec.structs.replace(read, text="{" + name + "}") for name in figures)
        else:
            yield read


class FaceSlot:
    """A slot of a layout, parsed and scaled.

    `drawn` caches its shapes: many counters show the same text in the same colours.
    """

    def __init__(self, name: str, slot: Slot, cut: Cut, figures: Sequence[str]) -> None:
        self.name, self.slot, self.area = name, slot, cut.area(slot.box, with_bleed=slot.draw == "ground")
        self.when = parse_condition(slot.when)
        self.parts = tuple(
            _RowPart(_parse_texts(item.text), parse_condition(item.when), item.empty, item.size, item.means)
            for item in _list_items(slot, figures)
        )
        self.texts = _parse_texts(slot.text)
        scale = cut.side / DESIGN_SIDE_MM * POINT_MM
        min_size = slot.floor * POINT_MM
        size = max(slot.size * scale, min_size)
        self.letters = Lettering(size, min_size, slot.lines, slot.bold, slot.align, slot.valign, slot.weight)
        self.gap = slot.gap * cut.side / DESIGN_SIDE_MM
        self.grounds: frozenset[FaceSlot] = frozenset()
        """The grounds and stripes of the look that contain the middle of this slot."""
        self.drawn: dict[Any, SlotShapes] = {}
        names, texts = [*self.when.names], [*self.texts]
        for part in self.parts:
            names += part.when.names
            texts += part.texts
        for when, text in texts:
            names += (*when.names, *text.names)
        self.names = frozenset(names)

    def shown_parts(self, values: Values, shown: Values) -> list[_RowPart]:
        """Return the parts of a row that are not empty."""
        return [part for part in self.parts if part.read(values, shown)[0]]

    def is_idle(self, known: Container[str]) -> bool:
        """Return whether the slot shows only optional columns, and `known` has none of these."""
        fields = [part for _, text in self.texts for part in text.parts]
        return bool(fields) and all(
            isinstance(part, Field) and part.optional and part.otherwise is None and part.name not in known
            for part in fields
        )


class Layout:
    """A look scaled to a die: its slots by side, grounds first.

    `known`: the columns that the game has.
    """

    def __init__(self, look: CounterDesign, cut: Cut, figures: Sequence[str], known: Container[str]) -> None:
        self.look, self.cut = look, cut
        slots = (FaceSlot(name, slot, cut, figures) for name, slot in look.slots.items())
        # The standard design has slots for columns that most games lack.
        face_slots = [face_slot for face_slot in slots if not face_slot.is_idle(known)]
        grounds = [face_slot for face_slot in face_slots if face_slot.slot.draw in ("ground", "stripe")]
        for face_slot in face_slots:
            face_slot.grounds = frozenset(ground for ground in grounds if ground.area.holds(face_slot.area.middle))
        face_slots.sort(key=lambda face_slot: (face_slot.slot.draw not in ("ground", "stripe"), face_slot.slot.order))
        self.sides: dict[Side, tuple[FaceSlot, ...]] = {
            side: tuple(face_slot for face_slot in face_slots if side in face_slot.slot.on)
            for side in ("front", "back", "plain")
        }
        self.names = frozenset(
            name for face_slot in {*self.sides["front"], *self.sides["back"]} for name in face_slot.names
        )
        """The columns that the front and the back show."""


# --- faces ------------------------------------------------------------------------------------------------------------

_OUTLINE_MM = 0.22
_MAX_OVERLAP_MM = 0.05
"""The maximum overlap of the ink of two texts."""
_MIN_CONTRAST = 1.7
"""The minimum contrast ratio of ink and ground, as WCAG defines it."""
_CHIP_SIDE_PAD_MM = 0.15
_CHIP_TOP_PAD_MM = 0.1
_MAX_PIPS = 30
_UNKNOWN_BACKGROUND_SHARE = 0.35
"""The share of the background in the colour of an unknown value."""
_SEPARATOR_BACKGROUND_SHARE = 0.15
"""The share of the background in the colour of a row's separators."""


class Trouble(NamedTuple):
    """A fault of the design that showed as a counter was drawn, with its remedy."""

    slot: str
    what: str
    hint: str


class CounterPart(NamedTuple):
    """A slot, or a figure of a row, on a drawn counter."""

    slot: str
    draw: str
    """The kind of drawing, as in the design."""
    means: str
    """The explanation that the design states, or ""."""
    names: tuple[str, ...]
    """The columns that it may show, the most likely first."""
    area: Area
    """The place of its ink, or of a ground."""
    prefix: str = ""
    """The prefix of the names of its symbols."""
    text: str = ""
    """The text or the word of the symbol, or "" for a figure or a ground."""

    @property
    def is_ground(self) -> bool:
        return self.draw in ("ground", "stripe")


class Composer:
    """Draws the faces of one game's counters on one die, and collects the faults of their design.

    `aliases`: the game's columns by their common names, such as `formation`.
    `closely`: whether to look for texts that run into one another.
    """

    def __init__(
        self, symbols: Symbols, palette: Palette, cut: Cut, aliases: Mapping[str, str], *, closely: bool = False
    ) -> None:
        self.symbols, self.palette, self.cut, self.aliases, self.closely = symbols, palette, cut, aliases, closely
        self.troubles: list[Trouble] = []

    def draw_face(self, layout: Layout, side: Side, values: Values, shown: Values, inks: Inks, title: str) -> Scene:
        """Return one side of a counter.

        `values`: the unit's known values, for conditions.
        `shown`: the same values with words shortened, for texts.
        """
        side_mm = self.cut.scene_side
        drawn: list[Shape] = []
        grounds: list[tuple[FaceSlot, str]] = []
        texts: list[tuple[str, Text]] = []
        for face_slot, content in self._fill_slots(layout, side, values, shown, inks, grounds):
            drawn += content.shapes
            if self.closely:
                texts += [(face_slot.name, shape) for shape in content.shapes if isinstance(shape, Text)]
            if content.trouble:
                self.troubles.append(Trouble(face_slot.name, content.trouble, content.hint))
        self.troubles += _find_collisions(texts)
        if self.cut.radius:
            edge = darken(grounds[0][1]) if grounds else darken(WHITE)
            outline = (0, 0, side_mm, side_mm)
            drawn.append(inset(outline, _OUTLINE_MM / 2, radius=self.cut.radius, stroke=edge, stroke_width=_OUTLINE_MM))
        return Scene(width=side_mm, height=side_mm, title=title, layers=(Layer("counter", tuple(drawn)),))

    def list_parts(
        self, layout: Layout, side: Side, values: Values, shown: Values, inks: Inks
    ) -> Iterator[CounterPart]:
        """Yield what a reader sees on one side of a counter, with its place, as for `draw_face`."""
        for face_slot, content in self._fill_slots(layout, side, values, shown, inks, []):
            slot = face_slot.slot
            if slot.draw == "row":
                for part, place in zip(face_slot.shown_parts(values, shown), content.figures, strict=True):
                    means = part.means or slot.means
                    yield CounterPart(face_slot.name, slot.draw, means, _names_in(part.texts), place)
            elif slot.draw == "stripe" or slot.draw == "ground":
                names: tuple[str, ...] = (STRIPE,) if slot.draw == "stripe" else ()
                yield CounterPart(face_slot.name, slot.draw, slot.means, names, face_slot.area)
            else:
                text = _first_text(face_slot.texts, values, shown) or slot.empty
                names, ink = _names_in(face_slot.texts), _find_ink(content.shapes)
                yield CounterPart(face_slot.name, slot.draw, slot.means, names, ink, slot.prefix, text)

    def _fill_slots(
        self,
        layout: Layout,
        side: Side,
        values: Values,
        shown: Values,
        inks: Inks,
        grounds: list[tuple[FaceSlot, str]],
    ) -> Iterator[tuple[FaceSlot, SlotShapes]]:
        """Yield the shapes of each slot that is not empty, in the order in which they are drawn.

        `grounds`: takes the grounds and stripes drawn so far, with their colours.
        """
        for face_slot in layout.sides[side]:
            if face_slot.when.alternatives and not face_slot.when.holds(values):
                continue
            slot = face_slot.slot
            if slot.draw == "stripe":
                if inks.stripe.colour:
                    grounds.append((face_slot, inks.stripe.colour))
                    yield face_slot, SlotShapes(self._draw_stripe(face_slot, inks))
            elif slot.draw == "ground":
                if fill := inks.colour(slot.fill):
                    grounds.append((face_slot, fill))
                    yield face_slot, SlotShapes(self._draw_ground(face_slot, fill))
            elif content := self._fill_slot(face_slot, values, shown, inks, grounds):
                yield face_slot, content

    def take_troubles(self) -> tuple[Trouble, ...]:
        """Return each distinct fault met since the last call, and forget them."""
        troubles, self.troubles = tuple(dict.fromkeys(self.troubles)), []
        return troubles

    def edge_colour(self, layout: Layout, values: Values, inks: Inks) -> str:
        """Return the colour of the ground that covers the whole front, or WHITE if there is none."""
        colour = WHITE
        for face_slot in layout.sides["front"]:
            side_mm = self.cut.scene_side
            covers_front = face_slot.slot.draw == "ground" and face_slot.area.width == face_slot.area.height == side_mm
            if covers_front and face_slot.when.holds(values):
                colour = inks.colour(face_slot.slot.fill) or colour
        return colour

    def _draw_ground(self, face_slot: FaceSlot, fill: str) -> tuple[Shape, ...]:
        return (draw_ground(face_slot.area, self.cut.scene_side, self.cut.radius, fill),)

    def _draw_stripe(self, face_slot: FaceSlot, inks: Inks) -> tuple[Shape, ...]:
        if inks.stripe not in face_slot.drawn:
            face_slot.drawn[inks.stripe] = SlotShapes(tuple(stripe_shapes(inks.stripe, *face_slot.area)))
        return face_slot.drawn[inks.stripe].shapes

    def draw_own_face(self, own: Symbol | Bitmap, edge_colour: str, title: str) -> Scene:
        """Return an author's picture as a face; the colour of the edges fills the bleed and what the picture leaves."""
        cut, side_mm = self.cut, self.cut.scene_side
        ground = draw_ground(Area(0, 0, side_mm, side_mm), side_mm, cut.radius, edge_colour)
        drawn: Shape
        if isinstance(own, Bitmap):
            longer = max(own.columns, own.rows)
            width, height = cut.side * own.columns / longer, cut.side * own.rows / longer
            x, y = (side_mm - width) / 2, (side_mm - height) / 2
            drawn = msgspec.structs.replace(own, x=x, y=y, width=width, height=height)
        else:
            drawn = msgspec.structs.replace(own, x=cut.bleed, y=cut.bleed, width=cut.side, height=cut.side)
        return Scene(width=side_mm, height=side_mm, title=title, layers=(Layer("counter", (ground, drawn)),))

    def _fill_slot(
        self, face_slot: FaceSlot, values: Values, shown: Values, inks: Inks, grounds: Sequence[tuple[FaceSlot, str]]
    ) -> SlotShapes | None:
        """Return the shapes of a slot, or None if it is empty.

        Raises InputError, naming the counter and the slot, if a symbol cannot be drawn.
        """
        try:
            return self._choose_content(face_slot, values, shown, inks, grounds)
        except InputError as error:
            what = f"{error.what} (counter {values.get(UNIT, '')}, slot {face_slot.name})"
            raise error.told_as(what, error.where or Where(FILE)) from None

    def _choose_content(
        self, face_slot: FaceSlot, values: Values, shown: Values, inks: Inks, grounds: Sequence[tuple[FaceSlot, str]]
    ) -> SlotShapes | None:
        """Choose a slot's text or figures and its colours, and return its shapes, or None if it is empty."""
        slot = face_slot.slot
        content: Any
        known = True
        if slot.draw == "row":
            content = tuple((*part.read(values, shown), part.size) for part in face_slot.shown_parts(values, shown))
        else:
            text = _first_text(face_slot.texts, values, shown)
            known = text is not None
            content = slot.empty if text is None else text
        if not content:
            return None
        grounds_below = (colour for ground, colour in reversed(grounds) if ground in face_slot.grounds)
        under = next(grounds_below, WHITE)  # the last drawn lies on top
        fill = inks.colour(slot.fill)
        ink = inks.legible_on(fill or under) if slot.ink == AUTO else inks.colour(slot.ink)
        made = self._draw_once(face_slot, content, ink, fill, under, inks, known=known)
        if made.cut and known and slot.draw == "text":  # later texts are shorter alternatives to the first
            for text in list(_known_texts(face_slot.texts, values, shown))[1:]:
                if not text:
                    return None
                made = self._draw_once(face_slot, text, ink, fill, under, inks, known=known)
                if not made.cut:
                    break
        return made

    def _draw_once(
        self, face_slot: FaceSlot, content: Any, ink: str, fill: str, under: str, inks: Inks, *, known: bool
    ) -> SlotShapes:
        """Return the shapes of a slot, from its cache if a counter has shown the same before."""
        rim = ink if face_slot.slot.rim == AUTO else inks.colour(face_slot.slot.rim)
        key = (content, known, ink, fill, rim, under)
        if key not in face_slot.drawn:
            made = self._draw_slot(face_slot, content, ink, fill, rim, under, known=known)
            face_slot.drawn[key] = (
                made if made.trouble else self._check_drawn(made, face_slot, content, ink, fill or under)
            )
        return face_slot.drawn[key]

    def _draw_slot(
        self, face_slot: FaceSlot, content: Any, ink: str, fill: str, rim: str, under: str, *, known: bool
    ) -> SlotShapes:
        """Return the shapes of a slot.

        `content`: the text, or for a row the text, certainty and size of each figure.
        `rim`: the colour of the outline.
        `under`: the colour of the ground below the slot.
        `known`: whether `content` is the unit's value rather than the text for an unknown one.
        """
        slot, area, letters = face_slot.slot, face_slot.area, face_slot.letters
        behind = fill or under
        if slot.draw == "row":
            figures = [
                Figure(text, size, ink if is_known else mix(ink, behind, _UNKNOWN_BACKGROUND_SHARE))
                for text, is_known, size in content
            ]
            return draw_row(
                figures, slot.separator, area, letters, face_slot.gap, mix(ink, behind, _SEPARATOR_BACKGROUND_SHARE)
            )
        if slot.draw in ("symbol", "echelon", "mark"):
            return self._draw_symbol_of(face_slot, content, ink, fill, rim, ink_on(under))
        if slot.draw == "signs":
            symbols = {word: self.symbols.symbol(slot.prefix + word) for word in content.split("+")}
            known_signs = [symbol for symbol in symbols.values() if symbol is not None]
            drawn = draw_signs(known_signs, area, ink, face_slot.gap) if known_signs else SlotShapes(())
            missing = next((slot.prefix + word for word, symbol in symbols.items() if symbol is None), "")
            return self._note_missing(drawn, missing) if missing else drawn
        if slot.draw == "pips":
            count = int(content) if content.isdecimal() and len(content) < 4 else 0
            if count > _MAX_PIPS or (not count and content != "0"):
                return SlotShapes((), trouble=f"{content} cannot be shown as pips", hint=f"at most {_MAX_PIPS} fit")
            return draw_pips(count, area, ink, face_slot.gap) if count else SlotShapes(())
        shade = ink if known else mix(ink, behind, _UNKNOWN_BACKGROUND_SHARE)
        if not slot.chip:
            return set_text(content, area, letters, shade)
        plate = draw_chip(slot.chip, area, fill, rim, slot.rim_width)
        if content == BLANK_BOX:  # the chip itself is the box to write in
            mark = question_mark(area.x + area.width / 2, area.y + area.height / 2, area.height * 0.5)
            return SlotShapes((plate, mark))
        side_pad, top_pad = _CHIP_SIDE_PAD_MM, _CHIP_TOP_PAD_MM
        room = Area(area.x + side_pad, area.y + top_pad, area.width - 2 * side_pad, area.height - 2 * top_pad)
        if slot.chip == "disc":
            letters = fit_in_disc(content, area, letters)
        words = set_text(content, room, letters, shade)
        return words._replace(shapes=(plate, *words.shapes))

    def _draw_symbol_of(
        self, face_slot: FaceSlot, name: str, ink: str, fill: str, rim: str, free_ink: str
    ) -> SlotShapes:
        """Return a symbol, an echelon or the mark of a nation, or its name in letters if it has no drawing.

        `free_ink`: the ink of a symbol that is drawn without the frame.
        """
        slot, word = face_slot.slot, face_slot.slot.prefix + name
        if slot.draw == "echelon":
            symbol = self.symbols.echelon(word)
        elif slot.draw == "mark":
            symbol = self.symbols.sign(word, self.palette.mark(word))
        else:
            symbol = self.symbols.symbol(word)
            if symbol is not None and (fill or rim) and not self.symbols.is_framed(word):
                return draw_symbol(symbol, face_slot.area, free_ink, "", "", 0)
        if symbol is not None:
            return draw_symbol(symbol, face_slot.area, ink, fill, rim, slot.rim_width)
        if slot.draw == "echelon":  # an author's own echelon has no symbol: shrink its letters rather than cut them off
            letters = face_slot.letters._replace(
                min_size=min(face_slot.letters.min_size, _MIN_ECHELON_MM), lines=1, valign="middle"
            )
            return set_text(name, face_slot.area, letters, ink)
        height = min(face_slot.area.height, face_slot.area.width / ASPECT)
        width = min(face_slot.area.width, height * ASPECT)
        middle = face_slot.area.middle
        box = Area(middle[0] - width / 2, middle[1] - height / 2, width, height)
        plate = inset(box, 0, fill=fill, stroke=rim, stroke_width=slot.rim_width)
        inner = Area(box.x + 0.3, box.y + 0.3, box.width - 0.6, box.height - 0.6)
        letters = face_slot.letters._replace(lines=2, align="centre", valign="middle")
        words = set_text(name, inner, letters, ink)
        drawn = words._replace(shapes=(plate, *words.shapes)) if fill or rim else words
        # The game may have units without a symbol: only a name that the design itself writes is a fault.
        if any(SYMBOL in text.names for _, text in face_slot.texts) or name == slot.empty:
            return drawn
        if slot.draw == "mark":
            hint = (
                f'put symbols/nation-{name}.svg into the game\'s folder; nations of a track of kind "choice" have '
                "colours and symbols"
            )
            return drawn._replace(trouble=f"there is no symbol for the nation {name!r}", hint=hint)
        return self._note_missing(drawn, slot.prefix + name)

    def _note_missing(self, drawn: SlotShapes, name: str) -> SlotShapes:
        near = nearest_names(name, self.symbols.names)
        hint = f"put symbols/{name}.svg into the game's folder" + (f", or write {' or '.join(near)}" if near else "")
        return drawn._replace(trouble=f"there is no symbol {name!r}", hint=hint)

    def _check_drawn(self, made: SlotShapes, face_slot: FaceSlot, content: Any, ink: str, ground: str) -> SlotShapes:
        """Return the shapes of a slot with the first fault found in them: cut, pale, small, or not in the typeface."""
        text = "".join(piece[0] for piece in content) if isinstance(content, tuple) else content
        if made.cut:
            die = "" if self.cut.side == DESIGN_SIDE_MM else f" on a counter of {self.cut.side:g} mm"
            trouble = f"{text!r} does not fit at {face_slot.slot.floor:g} points{die}"
            return made._replace(
                trouble=trouble, hint=f"{self._where_to_shorten(face_slot)}give the slot more room or lines"
            )
        if made.shapes and text != BLANK_BOX and contrast(ink, ground) < _MIN_CONTRAST:
            trouble = f"its ink {ink} can hardly be seen on {ground}"
            return made._replace(trouble=trouble, hint='write ink = "auto", or choose another colour')
        if not made.size or text == BLANK_BOX:
            return made
        if missing := missing_letters(text):
            return made._replace(trouble=f"the typeface lacks {' '.join(missing)}", hint="use other characters")
        if made.size < (MIN_READABLE_POINTS - 0.05) * POINT_MM:
            trouble = f"{text!r} has letters of {made.size / POINT_MM:.1f} points; {MIN_READABLE_POINTS:g} is the smallest that can be read"
            return made._replace(
                trouble=trouble, hint=f"{self._where_to_shorten(face_slot)}state a larger size, floor or box"
            )
        return made

    def _where_to_shorten(self, face_slot: FaceSlot) -> str:
        """Return the part of a hint that says where to shorten a slot's text, or "" if nowhere."""
        named = next((name for _, text in face_slot.texts for name in text.names), "")
        if named in (WORD, VALUE):
            return "shorten it in its table of [markers], or "
        return f"shorten it under [short.{self.aliases.get(named, named)}], or " if named else ""


def _names_in(texts: Texts) -> tuple[str, ...]:
    """Return the columns of a slot's texts, each once."""
    return tuple(dict.fromkeys(name for _, text in texts for name in text.names))


def _find_ink(shapes: Sequence[Shape]) -> Area:
    """Return the box around the shapes of a slot, or around the text on a plate."""
    texts = [shape for shape in shapes if isinstance(shape, Text)]
    on_plate = bool(texts) and isinstance(shapes[0], Rectangle) and not shapes[0].stroke
    boxes = [_box_of(shape) for shape in (texts if on_plate else shapes)]
    left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
    return Area(left, top, max(box[2] for box in boxes) - left, max(box[3] for box in boxes) - top)


def _box_of(shape: Shape) -> tuple[float, float, float, float]:
    match shape:
        case Text():
            return _ink_box(shape)
        case Circle(x=x, y=y, radius=radius):
            return x - radius, y - radius, x + radius, y + radius
        case Symbol():
            points = [point for path in shape.paths for _, points in read_path(path.data) for point in points]
            (left, top, width, height), xs, ys = shape.view_box, [x for x, _ in points], [y for _, y in points]
            across, down = shape.width / width, shape.height / height
            return (
                shape.x + (min(xs) - left) * across,
                shape.y + (min(ys) - top) * down,
                shape.x + (max(xs) - left) * across,
                shape.y + (max(ys) - top) * down,
            )
        case Rectangle():
            return shape.x, shape.y, shape.x + shape.width, shape.y + shape.height
    raise AssertionError(f"a slot has no {type(shape).__name__}")


def _find_collisions(texts: Sequence[tuple[str, Text]]) -> Iterator[Trouble]:
    """Yield a fault for each two texts of different slots whose ink overlaps.

    `texts`: each with the name of its slot.
    """
    boxes = [(slot, text.text, _ink_box(text)) for slot, text in texts]
    for (slot, text, box), (other_slot, other_text, other) in combinations(boxes, 2):
        # The widest of the four gaps between the boxes: negative only if they overlap both ways.
        gap = max(other[0] - box[2], box[0] - other[2], other[1] - box[3], box[1] - other[3])
        if slot != other_slot and gap < -_MAX_OVERLAP_MM:
            what = f"{text!r} runs into {other_text!r} of slot {other_slot}"
            yield Trouble(slot, what, "move one of the boxes apart, or make it smaller")


def _ink_box(text: Text) -> tuple[float, float, float, float]:
    left, top, right, bottom = ink_extent(text.text, bold=text.bold)
    size, start = text.size, text.x - ANCHORS[text.anchor] * text_width(text.text, text.size, bold=text.bold)
    return start + left * size, text.y + top * size, start + right * size, text.y + bottom * size
