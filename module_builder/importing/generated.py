"""Counters that VASSAL draws itself: layouts of symbols, texts, boxes and pictures, with the values of each counter.

VASSAL calls them game piece images. Only modules saved by old engines also hold the drawn pictures.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from html import unescape
from typing import Annotated, NamedTuple
from xml.etree.ElementTree import Element

from assistant.formats.vassal.controls import BUILD_MODULE
from assistant.formats.vassal.grids import Pixel
from assistant.formats.vassal.sequence import read_whole, split
from assistant.util.notes import note
from assistant.util.texts import compose_accents

Colour = tuple[int, int, int, int]
"""Red, green, blue and opacity, each from 0 to 255."""
BLACK: Colour = (0, 0, 0, 255)
_DEFINITIONS = f"{BUILD_MODULE}gamepieceimage."
_COLOURS: Mapping[str, Colour] = {
    "WHITE": (255, 255, 255, 255),
    "GRAY": (128, 128, 128, 255),
    "BLACK": BLACK,
    "RED": (255, 0, 0, 255),
    "GREEN": (0, 255, 0, 255),
    "BLUE": (0, 0, 255, 255),
    "ORANGE": (255, 200, 0, 255),
    "PINK": (255, 175, 175, 255),
    "CYAN": (0, 255, 255, 255),
    "MAGENTA": (255, 0, 255, 255),
    "YELLOW": (255, 255, 0, 255),
    "LIGHT GRAY": (192, 192, 192, 255),
    "DARK GRAY": (64, 64, 64, 255),
}
_TRANSPARENT = "CLEAR"
"""The name of the transparent colour."""
_NO_SYMBOL = "None"
_FIXED = "Fixed for this layout"
"""The source of a text or picture that is the same on all counters of a layout."""
_MAX_SIDE_PX = 700
"""The maximum side of a layout and of its items. A turned layout drawn smoothly then is within `Limit.ART_PIXELS`."""
_MAX_FONT_SIZE_PX = 200
_MAX_LINE_WIDTH_PX = 50
_MAX_ITEMS = 100
_MAX_TEXT_CHARS = 1000
"""The maximum length of a text that is read."""
_MAX_HTML_CHARS = 10_000
"""The maximum length of a text with its tags."""
_DEFAULT_SIDE_PX = 54
_FIGURES = re.compile(r"[0-9]+(?:[-/][0-9]+)+")
"""Several figures in one text, such as 4-6-5."""


class Font(NamedTuple):
    """The font of a text."""

    size: int = 12
    bold: bool = False
    italic: bool = False
    is_outlined: bool = False


class Spot(NamedTuple):
    """The place of an item on the counter."""

    across: Annotated[int, note("-1 at the left edge, 0 in the middle, 1 at the right edge")] = 0
    down: Annotated[int, note("-1 at the upper edge, 0 in the middle, 1 at the lower edge")] = 0
    offset: Pixel = (0, 0)
    degrees: Annotated[int, note("the clockwise rotation")] = 0


class SymbolItem(NamedTuple):
    """A unit's symbol in a frame, with the sign of its size above."""

    spot: Spot
    size: Pixel
    line_width: float
    symbols: Annotated[tuple[str, str], note("VASSAL's names of both symbols, laid over each other")]
    echelon: Annotated[str, note("VASSAL's name of the unit's size")]
    line: Colour | None
    fill: Colour | None
    echelon_colour: Colour | None


class TextItem(NamedTuple):
    """A text in one line."""

    spot: Spot
    font: Font
    text: str
    colour: Colour | None
    background: Colour | None
    outline: Colour | None


class TextBoxItem(NamedTuple):
    """A text of several lines in a box."""

    spot: Spot
    size: Pixel
    font: Font
    text: str
    colour: Colour | None
    background: Colour | None


class ShapeItem(NamedTuple):
    """A rectangle, a rounded rectangle or an oval."""

    spot: Spot
    size: Pixel
    shape: str
    bevel: int
    fill: Colour | None
    border: Colour | None


class PictureItem(NamedTuple):
    """A picture of the module."""

    spot: Spot
    image: str


Item = SymbolItem | TextItem | TextBoxItem | ShapeItem | PictureItem


class GeneratedCounter(NamedTuple):
    """A counter that VASSAL draws."""

    size: Pixel
    border: Annotated[str, note("VASSAL's name of the kind of border")]
    background: Colour | None
    border_colour: Colour | None
    items: Annotated[tuple[Item, ...], note("the lowest first")]
    facts: Annotated[Mapping[str, str], note("what the symbols and texts say, by a name for it")]


def read_generated(roots: Iterable[Element]) -> dict[str, Callable[[], GeneratedCounter]]:
    """Return a function for each generated counter that reads it, by the name of the picture with accents composed.

    A module may define many more counters than its pieces show.

    `roots`: the build files of the module and its extensions.
    """
    counters: dict[str, Callable[[], GeneratedCounter]] = {}
    for root in roots:
        palette = dict(_COLOURS)
        for swatch in root.iter(f"{_DEFINITIONS}ColorSwatch"):
            if (colour := parse_colour(swatch.get("color", ""))) is not None:
                palette[swatch.get("name", "")] = colour
        fonts = {
            style.get("name", ""): _parse_font(style.get("style", ""))
            for style in root.iter(f"{_DEFINITIONS}FontStyle")
        }
        for layout in root.iter(f"{_DEFINITIONS}GamePieceLayout"):
            reader = _LayoutReader(layout, palette, fonts)
            for image in layout.iter(f"{_DEFINITIONS}GamePieceImage"):
                if name := compose_accents(image.get("name", "")):
                    counters.setdefault(name, partial(reader.read, image))
    return counters


def read_text(text: str, *, is_html: bool) -> str:
    """Return a text as it is shown: without tags if it is HTML, a new line for each of its lines, and cut if it is long."""
    if is_html:
        text = re.sub(r"(?i)<(?:br|/?p|/div)\b[^<>]*>", "\n", text[:_MAX_HTML_CHARS])
        text = re.sub(r"(?i)</?(?:[bi]|font)\b[^<>]*>", "", text)
        text = unescape(re.sub(r"<[^<>]*(?:>|$)", " ", text))
    return text[:_MAX_TEXT_CHARS]


def parse_colour(text: str) -> Colour | None:
    """Return a colour in VASSAL's notation, or None for another text."""
    if re.fullmatch(r"0[xX][0-9a-fA-F]{1,6}", text):
        value = int(text, 16)
        return value >> 16, value >> 8 & 255, value & 255, 255
    parts = text.split(",")
    if len(parts) not in (3, 4) or not all(re.fullmatch("[0-9]{1,3}", part) for part in parts):
        return None
    red, green, blue, opacity = (min(int(part), 255) for part in (*parts, "255")[:4])
    return red, green, blue, opacity


def _parse_font(text: str) -> Font:
    _, style, size, outlined = [*split(text, ","), *[""] * 4][:4]
    return read_font(read_whole(style), read_whole(size) or 10, is_outlined=outlined == "true")


def read_font(style: int, size: int, *, is_outlined: bool = False) -> Font:
    """Return a font.

    `style`: Java's number: 1 for bold, 2 for italic, 3 for both.
    """
    return Font(min(max(size, 1), _MAX_FONT_SIZE_PX), bool(style & 1), bool(style & 2), is_outlined)


class _LayoutReader:
    """A layout, which reads the counters that are made by it."""

    def __init__(self, layout: Element, palette: Mapping[str, Colour], fonts: Mapping[str, Font]) -> None:
        self._palette, self._fonts = palette, fonts
        self._size = tuple(_parse_side(layout.get(side), _DEFAULT_SIDE_PX) for side in ("width", "height"))
        self._border = layout.get("border", "3D")
        texts = [text for text in split(layout.get("layout", ""), ",") if text]
        self._parts = [_split_item(text) for text in texts[:_MAX_ITEMS]]

    def read(self, image: Element) -> GeneratedCounter:
        values: dict[tuple[str, str], list[str]] = {}
        for text in split(image.get("props", ""), ","):
            kind, name, *more = [*split(text, ";"), ""]
            values.setdefault((kind, name), more)
        items, facts = list[Item](), dict[str, str]()
        for part in self._parts:
            value = [*values.get((part.kind, part.name), _DEFAULTS.get(part.kind, [])), *[""] * 8]
            if item := self._read_item(part, value):
                items.append(item)
                facts |= _list_facts(part.name, item, is_fixed=part.is_fixed)
        width, height = self._size
        return GeneratedCounter(
            (width, height),
            self._border,
            self._colour(image.get("bgColor", "WHITE")),
            self._colour(image.get("borderColor", "BLACK")),
            tuple(items),
            facts,
        )

    def _colour(self, name: str) -> Colour | None:
        """Return a colour by its name: None if it is transparent, and black if it is unknown."""
        return None if name == _TRANSPARENT else self._palette.get(name, BLACK)

    def _read_item(self, part: _ItemText, value: list[str]) -> Item | None:
        """Return an item with the values of a counter: its location, its colours, and what it shows."""
        fields, spot = part.fields, part.spot
        size = _parse_side(fields[0], 30), _parse_side(fields[1], 40)
        match part.kind:
            case "Symbol":
                line_width = float(fields[2]) if re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,9})?", fields[2]) else 1.0
                line_width = min(line_width, _MAX_LINE_WIDTH_PX)
                _, line, fill, echelon, first, second, echelon_colour, *_ = value
                echelon, first, second = (text[:_MAX_TEXT_CHARS] for text in (echelon, first, second))
                size = _parse_side(fields[0], _DEFAULT_SIDE_PX), _parse_side(fields[1], _DEFAULT_SIDE_PX)
                colours = self._colour(line), self._colour(fill), self._colour(echelon_colour or "BLACK")
                return SymbolItem(spot, size, line_width, (first, second), echelon, *colours)
            case "Text":
                _, colour, background, text, outline, *_ = value
                shown = read_text(fields[2] if part.is_fixed else text, is_html=False)
                font = self._fonts.get(fields[0], Font())
                return TextItem(
                    spot, font, shown, self._colour(colour), self._colour(background), self._colour(outline)
                )
            case "TextBox":
                _, colour, background, text, *_ = value
                font = self._fonts.get(fields[3], Font())
                shown = read_text(fields[5] if part.is_fixed else text, is_html=fields[2] == "true")
                return TextBoxItem(spot, size, font, shown, self._colour(colour), self._colour(background))
            case "Box":
                _, fill, border, *_ = value
                bevel = min(max(read_whole(fields[3]), 0), _MAX_SIDE_PX) if fields[3] else 5
                return ShapeItem(spot, size, fields[2] or "Rectangle", bevel, self._colour(fill), self._colour(border))
            case "Image":
                return PictureItem(spot, fields[0] if part.is_fixed else value[1])
        return None


class _ItemText(NamedTuple):
    """An item of a layout as written."""

    kind: str
    fields: list[str]
    name: str
    spot: Spot
    is_fixed: bool


_KINDS = ("Symbol", "TextBox", "Text", "Image", "Box")
"""VASSAL's names of the kinds of items; TextBox comes before Text, with which it begins."""
_SOURCE_FIELDS = {"Text": 1, "TextBox": 4, "Image": 1}
"""The field of an item that says whether all counters of the layout show the same."""
_DEFAULTS: Mapping[str, list[str]] = {
    "Symbol": ["", "BLACK", "WHITE", "Division", "Infantry", _NO_SYMBOL, "BLACK"],
    "Text": ["", "BLACK", "WHITE", "Xx", "RED"],
    "TextBox": ["", "BLACK", "LIGHT GRAY", ""],
    "Box": ["", _TRANSPARENT, "BLACK"],
    "Image": ["", ""],
}
"""The values of an item that a counter does not have: a location, and then the kind's own."""
_SIDES = {"Left": (-1, 0), "Right": (1, 0), "Top": (0, -1), "Bottom": (0, 1)}


def _split_item(text: str) -> _ItemText:
    head, tail = [*split(text, "|"), "", ""][:2]
    kind = next((kind for kind in _KINDS if head.startswith(kind)), "")
    if kind == "TextBox":  # the fields of its text are one more sequence
        box, inner = [*split(head, ","), ""][:2]
        fields = [*[*split(box, ";"), *[""] * 4][1:4], *split(split(inner, "|")[0], ";")[1:]]
    else:
        fields = split(head, ";")[1:]
    fields += [""] * 8
    name, location, x, y, degrees = [*split(tail, ";"), *[""] * 5][:5]
    moves = [_SIDES[word] for word in location.split() if word in _SIDES]
    across, down = sum(move[0] for move in moves), sum(move[1] for move in moves)
    spot = Spot(across, down, (read_whole(x), read_whole(y)), read_whole(degrees))
    source = fields[_SOURCE_FIELDS[kind]] if kind in _SOURCE_FIELDS else ""
    return _ItemText(kind, fields, name, spot, source == _FIXED or (kind == "Image" and not source))


def _parse_side(text: str | None, default: int) -> int:
    return min(max(read_whole(text), 1), _MAX_SIDE_PX) if text else default


def _list_facts(name: str, item: Item, *, is_fixed: bool) -> Iterator[tuple[str, str]]:
    """Yield the facts of an item about its counter, each with a name. A text that all counters share yields none.

    A text of several figures, such as 4-6-5, yields each of them.
    """
    if isinstance(item, SymbolItem):
        arms = [symbol for symbol in item.symbols if symbol not in ("", _NO_SYMBOL)]
        if arms:
            yield "arm", " ".join(arms)
        if item.echelon not in ("", _NO_SYMBOL):
            yield "size", item.echelon
    elif isinstance(item, TextItem | TextBoxItem) and item.text.strip() and not is_fixed:
        yield name, item.text
        if _FIGURES.fullmatch(item.text.strip()):
            for number, figure in enumerate(re.split("[-/]", item.text.strip()), 1):
                yield f"{name} {number}", figure
