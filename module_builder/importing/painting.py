"""Paints what VASSAL draws on counters itself: generated counters, and the texts of labels.

Places, sizes and colours are as VASSAL has them. Letters are those of our own typeface, as wide as in VASSAL's usual font.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from assistant.drawing.paths import Transform
from assistant.formats.vassal.grids import Pixel
from assistant.util.files import package_folder
from assistant.util.limits import Limit

from .generated import (
    BLACK,
    Colour,
    Font,
    GeneratedCounter,
    Item,
    PictureItem,
    ShapeItem,
    Spot,
    SymbolItem,
    TextBoxItem,
    TextItem,
)

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

_SCALE = 4
"""The factor at which shapes are drawn before they are made smaller, which smooths their edges."""
_ASCENT, _DESCENT = 0.928, 0.236
"""Height and depth of VASSAL's usual font, as shares of its size."""
_STRETCH, _BOLD_STRETCH = 1.36, 1.46
"""The width of VASSAL's usual font, as a multiple of the width of our condensed typeface."""
_ROTATION_MARGIN_PX = 3
"""The width of the margin around a rotated layer whose pixels affect those at its edge."""
_WHITE: Colour = (255, 255, 255, 255)


class FontMetrics(NamedTuple):
    """The heights of a line in whole pixels, as VASSAL rounds them."""

    ascent: int
    descent: int

    @property
    def height(self) -> int:
        return self.ascent + self.descent


def measure_font(font: Font) -> FontMetrics:
    """Return the heights of a line."""
    return FontMetrics(int(0.95 + _ASCENT * font.size), int(0.95 + _DESCENT * font.size))


def measure_text(text: str, font: Font) -> int:
    """Return the width of a text in pixels."""
    return round(_load_font(100, font.bold).getlength(text) * font.size / 100 * _stretch(font))


def _stretch(font: Font) -> float:
    return _BOLD_STRETCH if font.bold else _STRETCH


@lru_cache(64)
def _load_font(size: int, bold: bool) -> FreeTypeFont:
    from PIL import ImageFont

    face = "Condensed-Bold.ttf" if bold else "Condensed-Regular.ttf"
    return ImageFont.truetype(str(package_folder("field_staff_images") / "fonts" / face), size)


def can_be_painted(text: str, font: Font) -> bool:
    """Return whether a text is small enough to be painted."""
    return measure_text(text, font) * measure_font(font).height * _SCALE**2 <= Limit.ART_PIXELS.most


def paint_text(text: str, font: Font, colour: Colour) -> Image:
    """Return a text on a transparent ground, as wide as `measure_text` and as high as a line."""
    from PIL import Image as Images
    from PIL import ImageDraw

    width, metrics = max(measure_text(text, font), 1), measure_font(font)
    large = _load_font(font.size * _SCALE, font.bold)
    drawn = Images.new("RGBA", (max(math.ceil(large.getlength(text)), 1), metrics.height * _SCALE), (*colour[:3], 0))
    ImageDraw.Draw(drawn).text((0, metrics.ascent * _SCALE), text, fill=colour, font=large, anchor="ls")
    return drawn.resize((width, metrics.height), Images.Resampling.LANCZOS)


class Label(NamedTuple):
    """A text that VASSAL shows on a counter, with its colours."""

    text: str
    font: Font
    colour: Colour | None
    background: Colour | None
    degrees: int = 0

    @property
    def size(self) -> Pixel:
        """Width and height before the label is turned."""
        return max(measure_text(self.text, self.font), 1), measure_font(self.font).height

    @property
    def pixels(self) -> int:
        """The number of pixels that are painted, before the label is made smaller or after it is turned."""
        (width, height), turn = self.size, math.radians(self.degrees)
        cos, sin = abs(math.cos(turn)), abs(math.sin(turn))
        turned = (width * cos + height * sin) * (width * sin + height * cos)
        return max(width * height * _SCALE**2, math.ceil(turned))


def paint_label(label: Label) -> Image:
    """Return the picture of a label, turned. The caller has checked its size."""
    from PIL import Image as Images

    drawn = Images.new("RGBA", label.size, label.background or (0, 0, 0, 0))
    if label.colour is not None:
        drawn.alpha_composite(paint_text(label.text, label.font, label.colour))
    return drawn.rotate(-label.degrees, Images.Resampling.BICUBIC, expand=True) if label.degrees % 360 else drawn


def place_turned(label: Label, at: Pixel, size: Pixel) -> Pixel:
    """Return the offset of a label's middle from the middle of the counter.

    `at`: the upper left corner of the label before it is turned around the middle of the counter.
    `size`: the size of its picture, turned.
    """
    x, y = at[0] + label.size[0] / 2, at[1] + label.size[1] / 2
    turn = math.radians(label.degrees % 360)
    x, y = x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn)
    # a picture is laid with half its size, rounded down, to the left of its middle
    return round(x - size[0] / 2) + size[0] // 2, round(y - size[1] / 2) + size[1] // 2


# --- generated counters -----------------------------------------------------------------------------------------------


def paint_counter(counter: GeneratedCounter, open_picture: Callable[[str], Image | None]) -> Image:
    """Return the picture of a generated counter.

    `open_picture`: returns a picture of the module, or None if it is missing.
    """
    from PIL import Image as Images

    whole = Images.new("RGBA", counter.size)
    _paint_ground(whole, counter)
    turned = Transform()
    for item in counter.items:
        if item.spot.degrees % 360:
            own = turned.after(_rotation_about(item.spot.degrees, _find_pivot(counter.size, item)))
            # VASSAL turns what follows a turned symbol, too
            turned = own if isinstance(item, SymbolItem) else turned
        else:
            own = turned
        _lay_item(whole, item, own, open_picture)
    return whole


def _rotation_about(degrees: int, pivot: tuple[float, float]) -> Transform:
    """Return a clockwise rotation about a point."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    x, y = pivot
    return Transform(cos, sin, -sin, cos, x - x * cos + y * sin, y - x * sin - y * cos)


def _invert_rotation(rotation: Transform) -> Transform:
    # the inverse of a rotation is its transpose
    a, b, c, d, e, f = rotation
    return Transform(a, c, b, d, -(a * e + b * f), -(c * e + d * f))


def _frame_of(rotation: Transform, size: Pixel) -> tuple[int, int, int, int]:
    """Return the left, upper, right and lower edge of a counter of a size, turned."""
    corners = [rotation.put((x, y)) for x in (0, size[0]) for y in (0, size[1])]
    across, down = zip(*corners, strict=True)
    return math.floor(min(across)), math.floor(min(down)), math.ceil(max(across)), math.ceil(max(down))


def _find_pivot(size: Pixel, item: Item) -> tuple[float, float]:
    if isinstance(item, SymbolItem):
        return find_corner(size, item.spot, item.size)
    return size[0] // 2, size[1] // 2


def find_corner(counter: Pixel, spot: Spot, size: Pixel) -> Pixel:
    """Return the upper left corner of an item of a size on a counter."""
    left = {-1: 0, 0: counter[0] // 2 - size[0] // 2, 1: counter[0] - size[0]}[spot.across]
    top = {-1: 0, 0: counter[1] // 2 - size[1] // 2, 1: counter[1] - size[1]}[spot.down]
    return left + spot.offset[0], top + spot.offset[1]


def _paint_ground(whole: Image, counter: GeneratedCounter) -> None:
    from PIL import ImageDraw

    draw, (width, height) = ImageDraw.Draw(whole), counter.size
    right, low = width - 1, height - 1
    ground = counter.background
    if ground is not None:
        draw.rectangle((0, 0, right, low), ground)
    if counter.border == "3D" and ground is not None:
        light, dark = _lighten(ground), _darken(ground)
        draw.line((0, 0, 0, low), light)
        draw.line((1, 0, right - 1, 0), light)
        draw.line((1, low, right, low), dark)
        draw.line((right, 0, right, low - 1), dark)
    if counter.border in ("Plain", "Fancy") and counter.border_colour is not None:
        draw.rectangle((0, 0, right, low), outline=counter.border_colour)
    if counter.border == "Fancy":
        red, green, blue, _ = ground or _WHITE
        light = (red + (255 - red) // 2, green + (255 - green) // 2, blue + (255 - blue) // 2, 255)
        dark = (red // 2, green // 2, blue // 2, 255)
        draw.line((1, 1, right - 2, 1), light)
        draw.line((1, 2, 1, low - 2), light)
        draw.line((right - 1, 2, right - 1, low - 1), dark)
        draw.line((2, low - 1, right - 2, low - 1), dark)


def _lighten(colour: Colour) -> Colour:
    red, green, blue, opacity = colour
    if not red and not green and not blue:
        return 3, 3, 3, opacity
    red, green, blue = (min(int(max(part, 3 if part else 0) / 0.7), 255) for part in (red, green, blue))
    return red, green, blue, opacity


def _darken(colour: Colour) -> Colour:
    red, green, blue, opacity = colour
    return int(red * 0.7), int(green * 0.7), int(blue * 0.7), opacity


def _lay_item(whole: Image, item: Item, turn: Transform, open_picture: Callable[[str], Image | None]) -> None:
    """Paint an item on a layer of its own, turn it, and lay it on the counter."""
    from PIL import Image as Images

    if turn == Transform():
        layer = Images.new("RGBA", whole.size)
        _paint_item(layer, item, whole.size, (0, 0), open_picture)
    else:
        # the layer covers what is on the counter once it is turned
        back = _invert_rotation(turn)
        left, top, right, low = _frame_of(back, whole.size)
        left, top = left - _ROTATION_MARGIN_PX, top - _ROTATION_MARGIN_PX
        unturned = Images.new("RGBA", (right + _ROTATION_MARGIN_PX - left, low + _ROTATION_MARGIN_PX - top))
        _paint_item(unturned, item, whole.size, (left, top), open_picture)
        rows = (back.a, back.c, back.e - left, back.b, back.d, back.f - top)
        layer = unturned.transform(whole.size, Images.Transform.AFFINE, rows, Images.Resampling.BICUBIC)
    whole.alpha_composite(layer)


def _paint_item(
    layer: Image, item: Item, size: Pixel, origin: Pixel, open_picture: Callable[[str], Image | None]
) -> None:
    """Paint an item of a counter of a size on a layer.

    `origin`: the upper left corner of the layer on the counter.
    """
    match item:
        case TextItem():
            _paint_line(layer, item, size, origin)
        case TextBoxItem():
            _paint_box(layer, item, _move(find_corner(size, item.spot, item.size), origin))
        case PictureItem():
            if item.image and (picture := open_picture(item.image)) is not None:
                _paste(layer, picture, _move(find_corner(size, item.spot, picture.size), origin))
        case SymbolItem() | ShapeItem():
            _draw(layer, item, _move(find_corner(size, item.spot, item.size), origin))


def _move(at: Pixel, origin: Pixel) -> Pixel:
    return at[0] - origin[0], at[1] - origin[1]


def _draw(layer: Image, item: SymbolItem | ShapeItem, at: Pixel) -> None:
    """Draw a symbol or a shape on a layer, no larger than itself."""
    # the sign of a unit's size stands above its symbol, and may be somewhat wider
    margin = 2 + (max(item.size) // 2 + math.ceil(item.line_width) if isinstance(item, SymbolItem) else 0)
    left, top = max(at[0] - margin, 0), max(at[1] - margin, 0)
    right, low = min(at[0] + item.size[0] + margin, layer.width), min(at[1] + item.size[1] + margin, layer.height)
    if left >= right or top >= low:
        return
    pen = _Pen((right - left, low - top), _move(at, (left, top)))
    if isinstance(item, SymbolItem):
        _paint_symbol(pen, item)
    else:
        _paint_shape(pen, item)
    layer.alpha_composite(pen.finish(), (left, top))


def _paste(layer: Image, picture: Image, at: Pixel) -> None:
    """Lay a picture on a layer, possibly beyond its edges."""
    left, top = max(at[0], 0), max(at[1], 0)
    right, low = min(at[0] + picture.width, layer.width), min(at[1] + picture.height, layer.height)
    if left < right and top < low:
        layer.alpha_composite(picture.crop((*_move((left, top), at), *_move((right, low), at))), (left, top))


def _paint_line(layer: Image, item: TextItem, size: Pixel, origin: Pixel) -> None:
    if (item.colour is None and item.background is None) or not can_be_painted(item.text, item.font):
        return
    x, y = _move(find_corner(size, item.spot, (0, 0)), origin)
    width, height = measure_text(item.text, item.font), measure_font(item.font).height
    x -= {-1: 0, 0: width // 2, 1: width}[item.spot.across]
    y -= {-1: 0, 0: height // 2, 1: height}[item.spot.down]
    if item.background is not None and width:
        from PIL import Image as Images

        _paste(layer, Images.new("RGBA", (width, height), item.background), (x, y))
    if item.font.is_outlined and item.outline is not None:
        outline = paint_text(item.text, item.font, item.outline)
        for corner in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
            _paste(layer, outline, (x + corner[0], y + corner[1]))
    if item.text:
        _paste(layer, paint_text(item.text, item.font, item.colour or item.background or BLACK), (x, y))


_BOX_INSET_PX = 4
"""The distance of a text from the edge of its box."""


def _paint_box(layer: Image, item: TextBoxItem, at: Pixel) -> None:
    from PIL import Image as Images

    if item.background is not None:
        _paste(layer, Images.new("RGBA", item.size, item.background), at)
    if item.colour is None:
        return
    inside = Images.new("RGBA", (max(item.size[0] - 2, 1), max(item.size[1] - 2, 1)))
    height = measure_font(item.font).height
    for number, line in enumerate(_wrap(item.text, item.font, inside.width - 2 * (_BOX_INSET_PX - 1))):
        if line and number * height < inside.height and can_be_painted(line, item.font):
            _paste(
                inside,
                paint_text(line, item.font, item.colour),
                (_BOX_INSET_PX - 1, _BOX_INSET_PX - 1 + number * height),
            )
    _paste(layer, inside, (at[0] + 1, at[1] + 1))


def _wrap(text: str, font: Font, width: int) -> list[str]:
    """Return the lines of a text in a box, broken between words."""
    lines: list[str] = []
    for paragraph in text.splitlines():
        line = ""
        for word in paragraph.split():
            longer = f"{line} {word}" if line else word
            if line and measure_text(longer, font) > width:
                lines.append(line)
                line = word
            else:
                line = longer
        lines.append(line)
    return lines


class _Pen:
    """Draws smooth shapes on a layer. `corner`: the upper left corner of the item, from which all places are counted."""

    def __init__(self, size: Pixel, corner: Pixel) -> None:
        from PIL import Image as Images
        from PIL import ImageDraw

        self._layer = Images.new("RGBA", (size[0] * _SCALE, size[1] * _SCALE))
        self._draw: ImageDraw.ImageDraw = ImageDraw.Draw(self._layer)
        self._corner = corner

    def finish(self) -> Image:
        return self._layer.reduce(_SCALE)

    def _scaled(self, points: Sequence[tuple[float, float]], shift: float) -> list[tuple[float, float]]:
        left, top = self._corner
        return [((left + x + shift) * _SCALE, (top + y + shift) * _SCALE) for x, y in points]

    def fill(self, points: Sequence[tuple[float, float]], colour: Colour) -> None:
        """Fill a polygon between the edges of pixels."""
        self._draw.polygon([(x - 0.5, y - 0.5) for x, y in self._scaled(points, 0)], fill=colour)

    def stroke(self, points: Sequence[tuple[float, float]], colour: Colour, width: float) -> None:
        """Draw a line with round ends through the middles of pixels."""
        scaled = self._scaled(points, 0.5)
        pen_width = max(width, 1 / _SCALE) * _SCALE
        self._draw.line(scaled, fill=colour, width=max(round(pen_width), 1))
        radius = pen_width / 2
        if radius > 1:
            for x, y in scaled:
                self._draw.ellipse((x - radius, y - radius, x + radius - 1, y + radius - 1), fill=colour)


def _arc(
    left: float, top: float, width: float, height: float, start: float = 0, extent: float = 360
) -> list[tuple[float, float]]:
    """Return points on an ellipse in a frame, counter-clockwise in degrees from its right end, as Java counts."""
    steps = 48
    angles = (math.radians(start + extent * step / steps) for step in range(steps + 1))
    x, y = left + width / 2, top + height / 2
    return [(x + width / 2 * math.cos(angle), y - height / 2 * math.sin(angle)) for angle in angles]


def _frame(width: float, height: float) -> list[tuple[float, float]]:
    return [(0, 0), (width, 0), (width, height), (0, height), (0, 0)]


def _rounded(width: float, height: float, radius: float) -> list[tuple[float, float]]:
    across, down = min(2 * radius, width), min(2 * radius, height)
    corners = ((width - across, 0, 90), (0, 0, 180), (0, height - down, 270), (width - across, height - down, 360))
    points = [point for x, y, end in corners for point in _arc(x, y, across, down, end - 90, 90)]
    return [*points, points[0]]


def _paint_shape(pen: _Pen, item: ShapeItem) -> None:
    width, height = item.size
    outlines = {"Rounded Rectangle": _rounded(width, height, item.bevel), "Oval": _arc(0, 0, width, height)}
    outline = outlines.get(item.shape, _frame(width, height))
    if item.fill is not None:
        pen.fill(outline, item.fill)
    if item.border is not None:
        pen.stroke(outline, item.border, 1)


# --- symbols ----------------------------------------------------------------------------------------------------------

_ECHELONS = {
    "Installation": (1, "m"),
    "Team": (1, "o"),
    "Squad": (1, "s"),
    "Platoon": (2, "s"),
    "Section": (3, "s"),
    "Echelon": (4, "s"),
    "Company": (1, "i"),
    "Battalion": (2, "i"),
    "Regiment": (3, "i"),
    "Brigade": (1, "x"),
    "Division": (2, "x"),
    "Corps": (3, "x"),
    "Army": (4, "x"),
    "Army Group": (5, "x"),
    "Region": (6, "x"),
}
"""The sign of each size, with how often it is drawn: a bar, a circle, a dot, a stroke or a cross."""


def _paint_symbol(pen: _Pen, item: SymbolItem) -> None:
    width, height = item.size
    line = item.line or BLACK
    if item.fill is not None:
        pen.fill(_frame(width, height), item.fill)
    pen.stroke(_frame(width, height), line, item.line_width)
    _paint_echelon(pen, item)
    for symbol, is_second in zip(item.symbols, (False, True), strict=True):
        _paint_arm(pen, symbol, item, line, is_second=is_second)


def _paint_echelon(pen: _Pen, item: SymbolItem) -> None:
    """Draw the sign of the unit's size above the frame."""
    count, sign = _ECHELONS.get(item.echelon, (0, ""))
    if not count:
        return
    width, height = item.size
    colour = item.echelon_colour or item.line or BLACK
    high, gap = height // 3, width // 15
    wide = width // 5 if count <= 4 else width // 7
    one = 3 * wide if sign == "m" else wide
    left = width // 2 - max(one * count + gap * (count - 1) + 1, 1) // 2 + gap
    top = -high - 1
    for number in range(count):
        x = left + number * (wide + gap)
        radius = wide // 2
        if sign == "m":
            pen.fill([(x, top + high // 2), (x + one, top + high // 2), (x + one, top + high), (x, top + high)], colour)
        elif sign == "o":
            pen.stroke(_arc(x, top + high // 3, radius * 2, radius * 2), colour, 1)
            pen.stroke([(x, top + high), (x + wide, top)], colour, 1)
        elif sign == "s":
            pen.fill(_arc(x, top + high // 3, radius * 2, radius * 2), colour)
        elif sign == "i":
            pen.stroke([(x + wide // 2, top), (x + wide // 2, top + high)], colour, 1)
        else:
            pen.stroke([(x, top), (x + wide, top + high)], colour, 1)
            pen.stroke([(x, top + high), (x + wide, top)], colour, 1)


def _paint_arm(pen: _Pen, symbol: str, item: SymbolItem, colour: Colour, *, is_second: bool) -> None:
    """Draw one of the two signs within the frame. `is_second`: some second signs stand lower."""
    width, height = item.size
    middle, half = width // 2 + 1, height // 2
    thick = item.line_width

    def stroke(*points: tuple[float, float]) -> None:
        pen.stroke(points, colour, thick)

    match symbol:
        case "Infantry" | "Commando":
            stroke((0, 0), (width, height))
            stroke((0, height), (width, 0))
            if symbol == "Commando":
                across, down = int(width / 2.5), int(height / 2.5)
                pen.fill([(0, 0), (across, 0), (across, down)], colour)
                pen.fill([(width, 0), (width - across, 0), (width - across, down)], colour)
        case "Cavalry/Recon":
            stroke((0, height), (width, 0))
        case "Armored":
            down, end, radius = int(height * 0.25), int(width * 0.15), int(width * 0.2)
            stroke((end + radius, down), (width - end - radius, down))
            stroke((end + radius, height - down), (width - end - radius, height - down))
            stroke(*_arc(end, down, radius * 2, height - 2 * down, 90, 180))
            stroke(*_arc(width - end - 2 * radius, down, radius * 2, height - 2 * down, 270, 180))
        case "Artillery":
            radius, low = height // 5, int(height * 0.2) if is_second else 0
            pen.fill(_arc(middle - radius, half - radius + low, radius * 2, radius * 2), colour)
        case "Engineers":
            high = int(height * 0.2)
            top = height - high - 1 if is_second else (height - high) // 2
            left, right = middle - width // 5, middle + width // 5
            pen.stroke([(left, top + high), (left, top), (right, top), (right, top + high)], colour, thick * 1.2)
            pen.stroke([(middle, top + high), (middle, top)], colour, thick * 1.2)
        case "Airborne":
            left, top = middle - width // 4, height * 4 // 5 + 1
            stroke(*_arc(left, top, width // 4, height // 4, 0, 180))
            stroke(*_arc(middle, top, width // 4, height // 4, 0, 180))
        case "Air Defence":
            stroke(*_arc(0, height // 4, width, height * 1.5, 0, 180))
        case "Air Force":
            radius, across, down = int(width * 0.15), int(width * 0.2), int(height * 0.35)
            stroke((middle - across, down), (middle + across, height - down))
            stroke((middle + across, down), (middle - across, height - down))
            stroke(*_arc(middle - across - radius, down, radius * 2, height - 2 * down, 90, 180))
            stroke(*_arc(middle + across - radius, down, radius * 2, height - 2 * down, 270, 180))
        case "Anti Tank":
            stroke((0, height), (middle, 0), (width, height))
        case "Army Aviation":
            left, down = int(height * 0.25), int(height * 0.33)
            right = width - down
            stroke((left, down), (right, height - down), (right, down), (left, height - down), (left, down))
        case "Glider-Borne":
            third = middle // 3
            stroke((third, half), (width - third, half))
        case "Guerrilla":
            pen.fill([(0, 0), (width, height), (width, 0), (0, height)], colour)
        case "Mountain":
            sixth = width // 6
            pen.fill([(middle, half), (middle + sixth, height), (middle - sixth, height)], colour)
        case "":  # VASSAL's symbol of the navy has no name
            top, bar = int(height * 0.2), int(height * 0.15)
            arm, fluke = int(width * 0.15), int(width * 0.3)
            stroke((middle, top), (middle, height - top))
            stroke((middle - arm, top + bar), (middle + arm, top + bar))
            stroke(*_arc(middle - fluke, top, fluke * 2, height - 2 * top, 225, 90))
