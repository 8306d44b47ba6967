"""The key to a sketch: what each outline, arrow, hatching and letter means."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from ...asking.sketch import UNKNOWN, ArrowKind, Role, Sketch, ZoneHexes
from ...asking.view import View
from ..colours import INK, WHITE, mix
from ..counters import centred_text
from ..geometry import PageBox, hexagon
from ..hatching import slant_of
from ..legend import KeyEntry, KeyStyle, MapKey, hatched_sign
from ..lettering import base_line
from ..scene import Path, Rectangle, Shape
from ..style import GRID
from .arrows import arrow_shapes, named_shapes
from .fates import LEFT, veil_shapes
from .layers import ZONE, frame_shapes, shade_shapes, tint_shapes
from .marks import make_tag, tag_shapes

STYLE = KeyStyle("signs", row=6.2, size=3.0, ink=INK, swatch=12.0, gap=5.0)
_ORDER: tuple[Role, ...] = (
    "start",
    "target",
    "end",
    "open",
    "reached",
    "beyond",
    "barred",
    "unknown",
    "weakest",
    "cut",
)
_ARROWS: tuple[ArrowKind, ...] = ("way", "support", "choice", "onward", "attack")


def sketch_key(
    view: View,
    sketch: Sketch,
    colours: Mapping[str, str],
    target: str,
    width: float,
    covers: Sequence[KeyEntry] = (),
    *,
    flat: bool,
    moved: bool,
) -> MapKey:
    """Return the key to a sketch. colours: of sides; target: of what is attacked; width: of its rows, in millimetres;
    covers: what tells of hidden units; flat: whether hexes stand on a flat side; moved: whether units are pale where
    they stood before.
    """
    own = colours[sketch.side]
    entries = [*_list_levels(sketch, flat=flat), *_list_parts(sketch, own, target, flat=flat)]
    if moved:
        entries.append(KeyEntry(LEFT, partial(_draw_pale, own)))
    entries += (*_list_ways(sketch, colours), *_list_zones(view, sketch, colours, flat=flat), *covers)
    return MapKey(tuple(entries), STYLE, width)


def _list_parts(sketch: Sketch, own: str, target: str, *, flat: bool) -> Iterator[KeyEntry]:
    roles = {spot.role for spot in sketch.spots}
    for role in _ORDER:
        if role == "barred" and any(not spot.why for spot in sketch.spots if spot.role == role):
            yield KeyEntry(sketch.word(role), partial(draw_tag, role, "", ""))
        elif role == "cut" and role in roles:
            yield KeyEntry(sketch.word(role), partial(draw_tag, role, "cuts", ""))
        elif role in roles - {"barred", "cut"}:
            colour = target if role == "target" else own
            yield KeyEntry(sketch.word(role), partial(_draw_frame, role, colour, flat=flat))


def _list_levels(sketch: Sketch, *, flat: bool) -> Iterator[KeyEntry]:
    """Yield the levels of shade, the darkest first, all of them: which are missing tells something too."""
    for level in range(len(sketch.levels), 0, -1):
        yield KeyEntry(sketch.levels[level - 1], partial(_draw_shade, level, flat=flat))


def _draw_shade(level: int, x: float, y: float, *, flat: bool) -> Sequence[Shape]:
    corners = hexagon((x, y), 3.0, flat=flat)
    outline = Path(lines=(corners,), closed=True, stroke=GRID, width=0.25)
    return [*shade_shapes(level, corners, 0.5), outline]


def _draw_frame(role: Role, colour: str, x: float, y: float, *, flat: bool) -> Sequence[Shape]:
    corners = hexagon((x, y), 2.9, flat=flat)
    shapes = [*tint_shapes(role, corners, colour), *frame_shapes(role, corners, colour, 0.55)]
    if role == "beyond":
        return [*shapes, *tag_shapes(role, make_tag(role, "1"), x, y)]
    sign = {"reached": "1", "unknown": UNKNOWN}.get(role)
    return [*shapes, centred_text(sign, x, base_line(y, 3.0), 3.0, INK)] if sign else shapes


def draw_tag(role: Role, text: str, letter: str, x: float, y: float) -> Sequence[Shape]:
    """Return the label of a part as a sign of the key."""
    return tag_shapes(role, make_tag(role, text, letter=letter), x, y)


def _draw_pale(colour: str, x: float, y: float) -> Sequence[Shape]:
    half = 2.6
    counter = Rectangle(
        x=x - half, y=y - half, width=2 * half, height=2 * half, fill=mix(colour, WHITE, 0.5), radius=0.7
    )
    return [replace(counter, stroke=colour), *veil_shapes(PageBox(x - half, y - half, x + half, y + half))]


def _list_ways(sketch: Sketch, colours: Mapping[str, str]) -> Iterator[KeyEntry]:
    for kind in _ARROWS:
        sides = list(dict.fromkeys(arrow.side for arrow in sketch.arrows if arrow.kind == kind))
        if sides:
            yield KeyEntry(sketch.word(kind), partial(_draw_arrow, kind, colours[sides[0]], shaded=bool(sketch.levels)))


def _draw_arrow(kind: ArrowKind, colour: str, x: float, y: float, *, shaded: bool) -> Sequence[Shape]:
    half = 4.4 if shaded else 5.4
    if kind == "onward":
        half = 3.6
    draw = named_shapes if shaded else arrow_shapes
    return draw(kind, ((x - half, y), (x + half, y)), colour)


def _list_zones(view: View, sketch: Sketch, colours: Mapping[str, str], *, flat: bool) -> Iterator[KeyEntry]:
    sides = [zone.side for zone in sketch.zones]
    for zone in sketch.zones:
        colour, slant = colours[zone.side], slant_of(sides, zone.side)
        yield KeyEntry(format_zone(view, zone), partial(_draw_hatching, colour, slant, flat=flat))


def format_zone(view: View, zone: ZoneHexes) -> str:
    """Return what the hatching of a side's zones means."""
    return zone.text or f"in a zone of control: {view.title_of(zone.side)}"


def _draw_hatching(colour: str, slant: float, x: float, y: float, *, flat: bool) -> Sequence[Shape]:
    return hatched_sign(ZONE._replace(pitch=1.6), colour, slant, 3.0, (x, y), flat=flat)
