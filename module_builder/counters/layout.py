"""Looks laid out on a die: where each slot lies in the scene, and its texts and conditions ready to be read."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import Any, NamedTuple

from assistant.drawing.lettering import POINT

from .design import Choice, Item, Length, Look, Side, Slot
from .expressions import FIGURES, Condition, Field, Pattern, Values, condition, pattern
from .shapes import Area, Set, Type

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
        self.drawn: dict[Any, Set] = {}
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
