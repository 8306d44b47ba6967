"""Faces of counters, composed from the slots of their design laid out on a die. What many counters share is prepared
once.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import msgspec

from assistant.drawing.colours import WHITE, contrast, darken, ink_on, mix
from assistant.drawing.lettering import POINT, READABLE, ink_extent, missing_letters, text_width
from assistant.drawing.scene import ANCHORS, Bitmap, Layer, Scene, Shape, Symbol, Text, inset
from assistant.drawing.style import Palette, stripe_shapes
from assistant.drawing.symbols import ASPECT, Symbols
from assistant.util.errors import InputError, Where, nearest_names
from assistant.util.typesetting import set_in_type

from .columns import FIGURES, SYMBOL, UNIT, VALUE, WORD
from .design import FILE, Choice, CounterDesign, FigureItem, Length, Side, Slot
from .expressions import Condition, Field, Pattern, Values, parse_condition, parse_pattern
from .inks import AUTO, Inks
from .shapes import (
    BLANK,
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

SIDE = 15.875
"""The side of a counter for which a design is made, 5/8 inch, in millimetres."""
MARGIN = 1.15
"""How near the cut text may stand, in millimetres, whatever the size of the die."""
_RADIUS = 1.3  # mm, of round corners
_LEAST_SIZE = 2.5 * POINT  # of the letters of a size, in millimetres
Texts = tuple[tuple[Condition, Pattern], ...]


class Cut(NamedTuple):
    """How counters are cut."""

    side: float = SIDE
    """When cut, in millimetres."""
    bleed: float = 0.0
    """How far grounds run on beyond each edge."""
    rounded: bool = True
    """Whether the corners are round, as on a screen."""

    @property
    def whole(self) -> float:
        """The side of the scene."""
        return self.side + 2 * self.bleed

    def at(self, length: float) -> float:
        """Return where a length from the edge of the design lies in the scene; the margin is as wide on every die."""
        if length <= MARGIN:
            scaled = length
        elif length >= SIDE - MARGIN:
            scaled = self.side - (SIDE - length)
        else:
            scaled = MARGIN + (length - MARGIN) * (self.side - 2 * MARGIN) / (SIDE - 2 * MARGIN)
        return self.bleed + scaled

    def area(self, box: Sequence[Length], *, beyond: bool) -> Area:
        """Return a box of a slot in the scene. beyond: whether edges on the cut run out to the bleed."""
        x, y, width, height = map(_parse_length, box)
        left, top, right, bottom = self.at(x), self.at(y), self.at(x + width), self.at(y + height)
        if beyond and x <= 1e-6:
            left = 0.0
        if beyond and y <= 1e-6:
            top = 0.0
        if beyond and x + width >= SIDE - 1e-6:
            right = self.whole
        if beyond and y + height >= SIDE - 1e-6:
            bottom = self.whole
        return Area(left, top, right - left, bottom - top)

    @property
    def radius(self) -> float:
        """How round the corners are, 0 for square ones."""
        return _RADIUS if self.rounded and not self.bleed else 0.0


def _parse_length(length: Length) -> float:
    """Return a length in the unit of the design, of whose side it may be a percentage."""
    return float(length.rstrip("%")) / 100 * SIDE if isinstance(length, str) else length


class _RowPart(NamedTuple):
    """An item of a row, ready to be read."""

    texts: Texts
    when: Condition
    empty: str
    size: float

    def read(self, values: Values, shown: Values) -> tuple[str, bool]:
        """Return its text, and whether it is known."""
        if not self.when.holds(values):
            return "", True
        text = _first_text(self.texts, values, shown)
        return (self.empty, False) if text is None else (text, True)


def _first_text(texts: Texts, values: Values, shown: Values) -> str | None:
    """Return the first text whose condition holds and whose values are known."""
    for when, text in texts:
        if when.alternatives and not when.holds(values):
            continue
        if (words := text.read(shown)) is not None:
            return set_in_type(words)
    return None


def _known_texts(texts: Texts, values: Values, shown: Values) -> Iterator[str]:
    """Yield the texts whose condition holds and whose values are known."""
    for when, text in texts:
        if when.holds(values) and (words := text.read(shown)) is not None:
            yield set_in_type(words)


def _parse_texts(text: str | tuple[Choice | str, ...]) -> Texts:
    """Return the texts of a slot or an item with their conditions. Raises ValueError for one that cannot be read."""
    choices = (text,) if isinstance(text, str) else text
    whole = [Choice(choice) if isinstance(choice, str) else choice for choice in choices]
    return tuple((parse_condition(choice.when), parse_pattern(choice.text)) for choice in whole)


def _list_items(slot: Slot, figures: Sequence[str]) -> Iterator[FigureItem]:
    """Yield the items of a row; `{figures}` stands for several."""
    for item in slot.items:
        read = FigureItem(item) if isinstance(item, str) else item
        if read.text == FIGURES:
            yield from (FigureItem("{" + name + "}", read.when, read.empty, read.size) for name in figures)
        else:
            yield read


class FaceSlot:
    """A slot, ready to be drawn; what it has drawn is kept, for other counters show the same."""

    def __init__(self, name: str, slot: Slot, cut: Cut, figures: Sequence[str]) -> None:
        self.name, self.slot, self.area = name, slot, cut.area(slot.box, beyond=slot.draw == "ground")
        self.when = parse_condition(slot.when)
        self.parts = tuple(
            _RowPart(_parse_texts(item.text), parse_condition(item.when), item.empty, item.size)
            for item in _list_items(slot, figures)
        )
        self.texts = _parse_texts(slot.text)
        scale = cut.side / SIDE * POINT
        least = slot.floor * POINT
        size = max(slot.size * scale, least)
        self.letters = Lettering(size, least, slot.lines, slot.bold, slot.align, slot.valign, slot.weight)
        self.gap = slot.gap * cut.side / SIDE
        self.grounds: frozenset[FaceSlot] = frozenset()
        """The grounds of its look that its middle may lie on."""
        self.drawn: dict[Any, SlotShapes] = {}
        names, texts = [*self.when.names], [*self.texts]
        for part in self.parts:
            names += part.when.names
            texts += part.texts
        for when, text in texts:
            names += (*when.names, *text.names)
        self.names = frozenset(names)

    def is_idle(self, known: Container[str]) -> bool:
        """Return whether it never shows anything, for it may leave out columns and the game has none of them."""
        fields = [part for _, text in self.texts for part in text.parts]
        return bool(fields) and all(
            isinstance(part, Field) and part.optional and part.otherwise is None and part.name not in known
            for part in fields
        )


class Layout:
    """A look laid out on a die: its slots by side, grounds first. known: the columns that the game has."""

    def __init__(self, look: CounterDesign, cut: Cut, figures: Sequence[str], known: Container[str]) -> None:
        self.look, self.cut = look, cut
        slots = (FaceSlot(name, slot, cut, figures) for name, slot in look.slots.items())
        places = [place for place in slots if not place.is_idle(known)]  # the standard design has columns that few have
        grounds = [place for place in places if place.slot.draw in ("ground", "stripe")]
        for place in places:
            place.grounds = frozenset(ground for ground in grounds if ground.area.holds(place.area.middle))
        places.sort(key=lambda place: (place.slot.draw not in ("ground", "stripe"), place.slot.order))
        self.sides: dict[Side, tuple[FaceSlot, ...]] = {
            side: tuple(place for place in places if side in place.slot.on) for side in ("front", "back", "plain")
        }
        self.names = frozenset(name for place in {*self.sides["front"], *self.sides["back"]} for name in place.names)
        """The columns that the front and a back with values show."""


# --- faces ------------------------------------------------------------------------------------------------------------

_RIM = 0.22  # mm, the outline of a counter with round corners
_TOUCH = 0.05  # mm that the ink of two texts may overlap unseen
_LEGIBLE = 1.7  # contrast that ink needs at least, as WCAG defines it
_PAD = 0.15  # mm between a text and the sides of its chip
_PAD_ABOVE = 0.1  # mm above and below it
_MOST_PIPS = 30
_PALE = 0.35  # share of the ground in what stands where a value is unknown
_SEPARATOR = 0.15  # share of the ground in the signs between figures


class Trouble(NamedTuple):
    """What could not be drawn as it is meant."""

    slot: str
    what: str
    """In words."""
    hint: str
    """What to do."""


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
        """Return one side of a counter. values: what is known; shown: the same with short forms of words."""
        whole = self.cut.whole
        drawn: list[Shape] = []
        grounds: list[tuple[FaceSlot, str]] = []
        texts: list[tuple[str, Text]] = []
        for place in layout.sides[side]:
            if place.when.alternatives and not place.when.holds(values):
                continue
            slot = place.slot
            if slot.draw == "stripe":
                if inks.stripe.colour:
                    grounds.append((place, inks.stripe.colour))
                    drawn += self._draw_stripe(place, inks)
            elif slot.draw == "ground":
                fill = inks.colour(slot.fill)
                if fill:
                    grounds.append((place, fill))
                    drawn += self._draw_ground(place, fill)
            elif content := self._fill_slot(place, values, shown, inks, grounds):
                drawn += content.shapes
                if self.closely:
                    texts += [(place.name, shape) for shape in content.shapes if isinstance(shape, Text)]
                if content.trouble:
                    self.troubles.append(Trouble(place.name, content.trouble, content.hint))
        self.troubles += _find_collisions(texts)
        if self.cut.radius:
            edge = darken(grounds[0][1]) if grounds else darken(WHITE)
            drawn.append(inset((0, 0, whole, whole), _RIM / 2, radius=self.cut.radius, stroke=edge, stroke_width=_RIM))
        return Scene(width=whole, height=whole, title=title, layers=(Layer("counter", tuple(drawn)),))

    def take_troubles(self) -> tuple[Trouble, ...]:
        """Return what it has met since they were last taken, each once."""
        troubles, self.troubles = tuple(dict.fromkeys(self.troubles)), []
        return troubles

    def edge(self, layout: Layout, values: Values, inks: Inks) -> str:
        """Return the colour at the edges of a front, WHITE if nothing is there."""
        colour = WHITE
        for place in layout.sides["front"]:
            is_whole = place.slot.draw == "ground" and place.area.width == place.area.height == self.cut.whole
            if is_whole and place.when.holds(values):
                colour = inks.colour(place.slot.fill) or colour
        return colour

    def _draw_ground(self, place: FaceSlot, fill: str) -> tuple[Shape, ...]:
        return (draw_ground(place.area, self.cut.whole, self.cut.radius, fill),)

    def _draw_stripe(self, place: FaceSlot, inks: Inks) -> tuple[Shape, ...]:
        if inks.stripe not in place.drawn:
            place.drawn[inks.stripe] = SlotShapes(tuple(stripe_shapes(inks.stripe, *place.area)))
        return place.drawn[inks.stripe].shapes

    def whole(self, own: Symbol | Bitmap, edge: str, title: str) -> Scene:
        """Return a face of an author's own, as large as the counter, on the ground of its edges."""
        cut = self.cut
        ground = draw_ground(Area(0, 0, cut.whole, cut.whole), cut.whole, self.cut.radius, edge)
        drawn: Shape
        if isinstance(own, Bitmap):
            longer = max(own.columns, own.rows)
            width, height = cut.side * own.columns / longer, cut.side * own.rows / longer
            x, y = (cut.whole - width) / 2, (cut.whole - height) / 2
            drawn = msgspec.structs.replace(own, x=x, y=y, width=width, height=height)
        else:
            drawn = msgspec.structs.replace(own, x=cut.bleed, y=cut.bleed, width=cut.side, height=cut.side)
        return Scene(width=cut.whole, height=cut.whole, title=title, layers=(Layer("counter", (ground, drawn)),))

    def _fill_slot(
        self, place: FaceSlot, values: Values, shown: Values, inks: Inks, grounds: Sequence[tuple[FaceSlot, str]]
    ) -> SlotShapes | None:
        """Return what stands in a slot, None if nothing does. Raises InputError with the counter and the slot for a
        symbol that cannot be drawn.
        """
        try:
            return self._choose_content(place, values, shown, inks, grounds)
        except InputError as error:
            what = f"{error.what} (counter {values.get(UNIT, '')}, slot {place.name})"
            raise error.told_as(what, error.where or Where(FILE)) from None

    def _choose_content(
        self, place: FaceSlot, values: Values, shown: Values, inks: Inks, grounds: Sequence[tuple[FaceSlot, str]]
    ) -> SlotShapes | None:
        """Return what stands in a slot, None if nothing does."""
        slot = place.slot
        content: Any
        known = True
        if slot.draw == "row":
            read = [part.read(values, shown) for part in place.parts]
            content = tuple(
                (*read_part, part.size) for read_part, part in zip(read, place.parts, strict=True) if read_part[0]
            )
        else:
            text = _first_text(place.texts, values, shown)
            known = text is not None
            content = slot.empty if text is None else text
        if not content:
            return None
        under = WHITE
        for ground, colour in reversed(grounds):
            if ground in place.grounds:
                under = colour
                break
        fill = inks.colour(slot.fill)
        ink = inks.legible_on(fill or under) if slot.ink == AUTO else inks.colour(slot.ink)
        made = self._draw_once(place, content, ink, fill, under, inks, known=known)
        if made.cut and known and slot.draw == "text":
            for text in list(_known_texts(place.texts, values, shown))[1:]:
                if not text:
                    return None
                made = self._draw_once(place, text, ink, fill, under, inks, known=known)
                if not made.cut:
                    break
        return made

    def _draw_once(
        self, place: FaceSlot, content: Any, ink: str, fill: str, under: str, inks: Inks, *, known: bool
    ) -> SlotShapes:
        """Return what a slot shows, drawn once for all counters that show the same."""
        rim = ink if place.slot.rim == AUTO else inks.colour(place.slot.rim)
        key = (content, known, ink, fill, rim, under)
        if key not in place.drawn:
            made = self._draw_slot(place, content, ink, fill, rim, under, known=known)
            place.drawn[key] = made if made.trouble else self._check_drawn(made, place, content, ink, fill or under)
        return place.drawn[key]

    def _draw_slot(
        self, place: FaceSlot, content: Any, ink: str, fill: str, rim: str, under: str, *, known: bool
    ) -> SlotShapes:
        """Return what a slot shows. rim: the colour of its outline; under: that of the ground below it."""
        slot, area, letters = place.slot, place.area, place.letters
        behind = fill or under
        if slot.draw == "row":
            texts = [Figure(text, size, ink if sure else mix(ink, behind, _PALE)) for text, sure, size in content]
            return draw_row(texts, slot.separator, area, letters, place.gap, mix(ink, behind, _SEPARATOR))
        if slot.draw in ("symbol", "echelon", "mark"):
            return self._draw_symbol_of(place, content, ink, fill, rim, ink_on(under))
        if slot.draw == "signs":
            symbols = {word: self.symbols.symbol(slot.prefix + word) for word in content.split("+")}
            known_signs = [symbol for symbol in symbols.values() if symbol is not None]
            drawn = draw_signs(known_signs, area, ink, place.gap) if known_signs else SlotShapes(())
            lost = next((slot.prefix + word for word, symbol in symbols.items() if symbol is None), "")
            return self._note_missing(drawn, lost) if lost else drawn
        if slot.draw == "pips":
            count = int(content) if content.isdecimal() and len(content) < 4 else 0
            if count > _MOST_PIPS or (not count and content != "0"):
                return SlotShapes((), trouble=f"{content} cannot be shown as pips", hint=f"at most {_MOST_PIPS} fit")
            return draw_pips(count, area, ink, place.gap) if count else SlotShapes(())
        shade = ink if known else mix(ink, behind, _PALE)
        if not slot.chip:
            return set_text(content, area, letters, shade)
        plate = draw_chip(slot.chip, area, fill, rim, slot.rim_width)
        if content == BLANK:  # the chip itself is the box to write in
            mark = question_mark(area.x + area.width / 2, area.y + area.height / 2, area.height * 0.5)
            return SlotShapes((plate, mark))
        room = Area(area.x + _PAD, area.y + _PAD_ABOVE, area.width - 2 * _PAD, area.height - 2 * _PAD_ABOVE)
        if slot.chip == "disc":
            letters = fit_in_disc(content, area, letters)
        words = set_text(content, room, letters, shade)
        return words._replace(shapes=(plate, *words.shapes))

    def _draw_symbol_of(self, place: FaceSlot, name: str, ink: str, fill: str, rim: str, free_ink: str) -> SlotShapes:
        """Return a symbol, sign of a size or mark of a nation. free_ink: of a symbol that stands free, without the
        frame.
        """
        slot, word = place.slot, place.slot.prefix + name
        if slot.draw == "echelon":
            symbol = self.symbols.echelon(word)
        elif slot.draw == "mark":
            symbol = self.symbols.sign(word, self.palette.mark(word))
        else:
            symbol = self.symbols.symbol(word)
            if symbol is not None and (fill or rim) and not self.symbols.is_framed(word):
                return draw_symbol(symbol, place.area, free_ink, "", "", 0)
        if symbol is not None:
            return draw_symbol(symbol, place.area, ink, fill, rim, slot.rim_width)
        if slot.draw == "echelon":  # such as a size of the author's own: small rather than cut
            letters = place.letters._replace(least=min(place.letters.least, _LEAST_SIZE), lines=1, valign="middle")
            return set_text(name, place.area, letters, ink)
        height = min(place.area.height, place.area.width / ASPECT)
        width = min(place.area.width, height * ASPECT)
        middle = place.area.middle
        box = Area(middle[0] - width / 2, middle[1] - height / 2, width, height)
        plate = inset(box, 0, fill=fill, stroke=rim, stroke_width=slot.rim_width)
        inner = Area(box.x + 0.3, box.y + 0.3, box.width - 0.6, box.height - 0.6)
        letters = place.letters._replace(lines=2, align="centre", valign="middle")
        words = set_text(name, inner, letters, ink)
        drawn = words._replace(shapes=(plate, *words.shapes)) if fill or rim else words
        if (
            any(SYMBOL in text.names for _, text in place.texts) or name == slot.empty
        ):  # a word of the game without a symbol may be meant
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

    def _check_drawn(self, made: SlotShapes, place: FaceSlot, content: Any, ink: str, ground: str) -> SlotShapes:
        """Return what was drawn, with what is wrong with it. ground: the colour that it stands on."""
        text = "".join(piece[0] for piece in content) if isinstance(content, tuple) else content
        if made.cut:
            die = "" if self.cut.side == SIDE else f" on a counter of {self.cut.side:g} mm"
            trouble = f"{text!r} does not fit at {place.slot.floor:g} points{die}"
            return made._replace(
                trouble=trouble, hint=f"{self._where_to_shorten(place)}give the slot more room or lines"
            )
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
            return made._replace(
                trouble=trouble, hint=f"{self._where_to_shorten(place)}state a larger size, floor or box"
            )
        return made

    def _where_to_shorten(self, place: FaceSlot) -> str:
        """Return where a text of a slot can be shortened, in words, "" if nowhere."""
        named = next((name for _, text in place.texts for name in text.names), "")
        if named in (WORD, VALUE):
            return "shorten it in its table of [markers], or "
        return f"shorten it under [short.{self.aliases.get(named, named)}], or " if named else ""


def _find_collisions(texts: Sequence[tuple[str, Text]]) -> Iterator[Trouble]:
    """Yield texts of different slots whose ink meets. texts: each with its slot."""
    boxes = [(slot, text.text, _ink_box(text)) for slot, text in texts]
    for (slot, text, box), (other_slot, other_text, other) in combinations(boxes, 2):
        gap = max(other[0] - box[2], box[0] - other[2], other[1] - box[3], box[1] - other[3])
        if slot != other_slot and gap < -_TOUCH:
            what = f"{text!r} runs into {other_text!r} of slot {other_slot}"
            yield Trouble(slot, what, "move one of the boxes apart, or make it smaller")


def _ink_box(text: Text) -> tuple[float, float, float, float]:
    """Return where the ink of a text reaches: left, top, right, bottom."""
    left, top, right, bottom = ink_extent(text.text, bold=text.bold)
    size, start = text.size, text.x - ANCHORS[text.anchor] * text_width(text.text, text.size, bold=text.bold)
    return start + left * size, text.y + top * size, start + right * size, text.y + bottom * size
