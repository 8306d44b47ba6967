"""The contents of hexes in all pictures: counters, markers, small labels and named places."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from msgspec.structs import replace

from ..asking.view import View
from ..game.boards import Basis, NamedPlace
from ..rules.field.places import hex_named, hexes_with
from ..state.tracks import Source, Track, Value
from ..util.errors import Where
from ..util.texts import folded
from .colours import INK, WHITE, ink_on
from .counters import UNDER_CAP, Face, draw_cap, draw_stack, face_of_unit, unseen_face
from .geometry import PageBox, middle_of
from .layout import Layout
from .lettering import POINT_MM, base_line, fit_line, text_width
from .map.layers import leader_shapes
from .map.survey import SurveyReader
from .placement import Inscription, Placement, hex_mark
from .scene import Group, Layer, Shape, Symbol, Text, inset
from .style import HEX_MM, SOFT_INK, Palette, marker_colour
from .symbols import ASPECT, Symbols

_LABEL_SIZE_MM = 2.9
LABEL_HEIGHT_MM = 3.7
"""The height of a small label, in mm."""
NAME_HEIGHT_MM = 5.2
"""The height of the name of a town, in mm."""
_GAP_BELOW_LABEL_MM = 1.0
"""The distance from a label below a stack to the lower hexside."""
_GAP_WITHOUT_STACK_MM = 4.5
"""The distance to the lower hexside in an empty hex, clear of the number of the hex below."""
_MARKER_SIDE_MM = 6.4
_MARKER_GAP_MM = 0.6
"""The distance from a marker to the counters."""
_ROOM_ABOVE_MM = 10.6
"""The distance from the hex centre to the upper end of the room for counters, clear of the number."""
_ROOM_BELOW_MM = 15.4
"""The distance from the hex centre to the lower end of the room for counters."""
_MAX_DEPTH_MM = 15.6
"""The distance from the hex centre to the lower end of labels below counters."""
_MIN_ROOM_BELOW_MM = 5.0
_OUTLINE_ROOM_MM = 1.2
"""The room for the outline of a hex with a label below its counters and a name below the label."""
_ROOM_BY_ARROW_MM = 9.4
"""The distance to the upper end of the room if an arrow leaves upwards, so that its shaft and its head are seen."""
_ROOM_ABOVE_ARROW_MM = 11.4
"""The distance to the lower end of counters and labels if an arrow leaves downwards."""
_ROOM_ABOVE_TIP_MM = 13.9
"""The distance to the lower end of counters and labels if an arrow arrives from below."""


def marker_layer(
    layout: Layout,
    reader: SurveyReader,
    symbols: Symbols,
    arrows: Sequence[tuple[str, str]],
    stacks: Mapping[str, PageBox],
) -> Layer:
    """Return the markers of hexes, such as an Improved Position, with the game's symbols.

    Markers are left of the counters, right of them if an arrow leads to the left, or in the middle of an empty hex.

    `arrows`: the first and last hex of each arrow.
    `stacks`: the box of the counters in each hex.
    """
    shapes: list[Shape] = []
    for name, markers, places in _place_markers(layout, reader, symbols, arrows, stacks):
        for (track, value, symbol), box in zip(markers, places, strict=True):
            title = f"{name}: {track.title}" + ("" if value is True else f" {track.write(value)}")
            shapes.append(Group(title, tuple(_draw_marker(track, value, symbol, box.left, box.top, reader.palette))))
    return Layer("markers", tuple(shapes))


def marker_boxes(
    layout: Layout,
    reader: SurveyReader,
    symbols: Symbols,
    arrows: Sequence[tuple[str, str]],
    stacks: Mapping[str, PageBox],
) -> list[PageBox]:
    """Return the boxes of the markers that `marker_layer` draws."""
    return [box for _, _, boxes in _place_markers(layout, reader, symbols, arrows, stacks) for box in boxes]


Marked = tuple[Track, Value, Symbol]
"""A marker: the track that it shows, its value, and its symbol."""


def _place_markers(
    layout: Layout,
    reader: SurveyReader,
    symbols: Symbols,
    arrows: Sequence[tuple[str, str]],
    stacks: Mapping[str, PageBox],
) -> Iterator[tuple[str, Sequence[Marked], Sequence[PageBox]]]:
    for name in layout.names:
        markers = list(_find_markers(name, reader, symbols))
        x, y = layout.centre(name)
        left = x - _MARKER_SIDE_MM / 2
        if name in stacks:
            if any(_leads_west(layout, name, pair) for pair in arrows):
                left = stacks[name].right + _MARKER_GAP_MM
            else:
                left = stacks[name].left - _MARKER_GAP_MM - _MARKER_SIDE_MM
        tops = [y + (number - len(markers) / 2) * (_MARKER_SIDE_MM + 0.6) + 0.3 for number in range(len(markers))]
        yield name, markers, [PageBox(left, top, left + _MARKER_SIDE_MM, top + _MARKER_SIDE_MM) for top in tops]


def marker_sentences(layout: Layout, reader: SurveyReader, symbols: Symbols) -> Iterator[str]:
    """Yield a sentence for each marker on a hex."""
    for name in layout.names:
        for track, value, _ in _find_markers(name, reader, symbols):
            yield f"Hex {name}: {track.title}" + ("." if value is True else f" {track.write(value)}.")


def cap_sentences(reader: SurveyReader, hexes: Iterable[str]) -> Iterator[str]:
    """Return a sentence for each of the hexes with a stack under a cap."""
    return (f"Hex {name}: {UNDER_CAP}." for name in hexes if reader.is_capped(name))


def _find_markers(name: str, reader: SurveyReader, symbols: Symbols) -> Iterator[Marked]:
    for track_name, pattern in reader.picture.markers.items():
        track, fact = reader.game.tracks.get(track_name), reader.fact(track_name, name)
        if track is None or fact is None or not fact.value or fact.value == track.absent or fact.value == track.nothing:
            continue
        if symbol := symbols.symbol(pattern.replace("{}", track.write(fact.value))):
            yield track, fact.value, symbol


def _draw_marker(
    track: Track, value: Value, symbol: Symbol, left: float, top: float, palette: Palette
) -> Iterator[Shape]:
    colour = marker_colour(track, value, palette)
    yield inset(
        (left, top, _MARKER_SIDE_MM, _MARKER_SIDE_MM), 0.1, radius=0.7, fill=colour, stroke=WHITE, stroke_width=0.2
    )
    words = track.tag(value) if track.module else ""
    width = _MARKER_SIDE_MM - (2.2 if words else 1.2)
    height = width / ASPECT
    y = top + (0.5 if words else (_MARKER_SIDE_MM - height) / 2)
    ink = ink_on(colour)
    yield replace(symbol, x=left + (_MARKER_SIDE_MM - width) / 2, y=y, width=width, height=height, ink=ink)
    if words:
        text = fit_line(words, 2.2, _MARKER_SIDE_MM - 0.8, min_size=1.4, bold=True)
        base = top + _MARKER_SIDE_MM - 0.75
        yield Text(
            x=left + _MARKER_SIDE_MM / 2,
            y=base,
            text=text.lines[0],
            size=text.size,
            anchor="middle",
            bold=True,
            fill=ink,
        )


def _leads_west(layout: Layout, name: str, arrow: tuple[str, str]) -> bool:
    """Return whether an arrow connects the hex with a hex on its left at about the same height."""
    if name not in arrow:
        return False
    (x, y), (other_x, other_y) = layout.centre(name), layout.centre(arrow[1] if arrow[0] == name else arrow[0])
    return other_x < x and abs(other_y - y) < HEX_MM / 4


class Pill(NamedTuple):
    """A small label in a hex."""

    text: str
    size: float
    """The size of the letters."""
    width: float


_PILL_RIM_MM = 0.4
RING_ROOM_MM = 1.7
"""The further distance to the lower hexside of a label in a hex with a ring."""


def pill_marks(
    layout: Layout, labels: Mapping[str, str], stacks: Collection[str], frame: PageBox, ringed: Collection[str] = ()
) -> Iterator[tuple[str, Inscription[Pill]]]:
    """Yield each labelled hex and its label, as a mark to be placed near the lower hexside.

    `stacks`: the hexes with counters.
    `ringed`: the hexes with a ring, which labels leave whole.
    """
    for name, text in labels.items():
        if text:
            pill = make_pill(text)
            gap = _GAP_BELOW_LABEL_MM if name in stacks else _GAP_WITHOUT_STACK_MM
            gap += RING_ROOM_MM if name in ringed else 0.0
            wanted = ((0.0, HEX_MM / 2 - LABEL_HEIGHT_MM / 2 - gap, 0.0),)
            size = pill.width + _PILL_RIM_MM, LABEL_HEIGHT_MM + _PILL_RIM_MM
            yield (
                name,
                hex_mark(f"label {name}", layout.centre(name), [(pill, size, 0.0)], wanted, frame, flat=layout.flat),
            )


def pill_layer(labels: Mapping[str, str], placed: Mapping[str, Placement[Any]]) -> Layer:
    """Return the small labels of hexes in their places."""
    shapes = list[Shape]()
    for name, text in labels.items():
        if (place := placed.get(f"label {name}")) is None:
            continue
        drawn = pill_shapes(place.drawn, *middle_of(place.box.corners))
        shapes.append(Group(f"{name}: {text}", (*leader_shapes(place.leader), *drawn)))
    return Layer("labels", tuple(shapes))


def make_pill(text: str) -> Pill:
    """Return a small label, with its letters no smaller than legible."""
    label = fit_line(text, _LABEL_SIZE_MM, HEX_MM * 0.56, min_size=6 * POINT_MM)
    return Pill(label.lines[0], label.size, text_width(label.lines[0], label.size) + 2.2)


def pill_shapes(pill: Pill, x: float, y: float) -> Sequence[Shape]:
    """Return a small label round a point."""
    box = x - pill.width / 2, y - LABEL_HEIGHT_MM / 2, pill.width, LABEL_HEIGHT_MM
    return [
        inset(box, 0, radius=1.2, fill=WHITE, stroke=SOFT_INK, stroke_width=0.25),
        Text(x=x, y=base_line(y, pill.size), text=pill.text, size=pill.size, anchor="middle", fill=INK),
    ]


class OverMap(NamedTuple):
    """The picture of an answer, for a map that is drawn elsewhere."""

    below: tuple[Layer, ...]
    """The layers below the counters."""
    above: tuple[Layer, ...]
    """The layers above the counters."""
    layout: Layout
    """The layout of hexes, in the unit of the map."""
    hexes: tuple[str, ...]
    """The hexes connected by the answer's lines and arrows."""
    unit: float = 1.0
    """The factor by which the map must be reduced for the layers."""


def nations_of_units(reader: SurveyReader, hexes: Sequence[str]) -> list[str]:
    """Return the nation of each unit in the hexes, except units of unknown nation."""
    nations = [reader.word(reader.picture.nation, unit.id) for name in hexes for unit in reader.state.stack(name)]
    return [nation for nation in nations if nation]


def named_places(view: View) -> tuple[NamedPlace, ...]:
    """Return the named places of the board, and those named by the position or a pack.

    On the printed map they are those of all boards of the game that have the map's numbers.
    """
    all_boards = [view.board] if view.board.name else [*map(view.game.board, view.game.board_names)]
    boards = (board for board in all_boards if view.board.name or view.game.has_printed_numbers(board))
    stated = {hex: view.word("named", hex) for hex in hexes_with(view, "named")} if "named" in view.game.tracks else {}
    stated_hex = {folded(name): hex_named(view, name) for name in stated.values()}
    places = (place for board in boards for place in board.places)
    place_at = {place.hex: place for place in places if stated_hex.get(folded(place.name), place.hex) == place.hex}
    for hex, name in stated.items():
        if stated_hex[folded(name)] != hex:
            continue
        fact = view.fact("named", hex)
        basis = Basis(fact.source if fact else Source.PRINTED)
        place = NamedPlace(hex=hex, name=name, kind="", label="", names={}, basis=basis, where=Where(""))
        place_at.setdefault(hex, place)
    return tuple(place_at.values())


def counters_of(
    layout: Layout,
    reader: SurveyReader,
    symbols: Symbols,
    arrows: Sequence[tuple[str, str]],
    below: Mapping[str, float],
    arrived: Mapping[str, Sequence[Face]] = MappingProxyType({}),
    named: Collection[str] = (),
    min_letter: float = 6 * POINT_MM,
) -> tuple[Layer, dict[str, PageBox], dict[str, list[Face]]]:
    """Return the counters of all hexes, the box of each stack, and by hex the faces of the units there.

    `below`, `named`: as in `rooms_of`.
    `min_letter`: as in `draw_stack`.
    `arrived`: by hex, the faces of arriving units, drawn below the others.
    """
    groups: list[Group] = []
    boxes: dict[str, PageBox] = {}
    faces: dict[str, list[Face]] = {}
    rooms = rooms_of(layout, arrows, below, named)
    for name in layout.names:
        stack, unseen = reader.state.stack(name), reader.unseen_nation(name)
        if not stack and unseen is None and name not in arrived:
            continue
        faces[name] = [face_of_unit(unit, reader) for unit in stack]
        if unseen is not None:
            faces[name].append(unseen_face(unseen, reader.palette))
        stacked = [*faces[name], *arrived.get(name, ())]
        drawn, boxes[name] = draw_stack(stacked, rooms(name), symbols, min_letter)
        groups += drawn
        if faces[name] and reader.is_capped(name):
            groups.append(draw_cap(len(stacked), rooms(name), f"{name}: {UNDER_CAP}"))
    return Layer("units", tuple(groups)), boxes, faces


def rooms_of(
    layout: Layout, arrows: Sequence[tuple[str, str]], below: Mapping[str, float], named: Collection[str] = ()
) -> Callable[[str], PageBox]:
    """Return a function from a hex to the box for its counters, clear of arrows, names and labels.

    `below`: by hex, the height of labels below the counters.
    `named`: the hexes with a name, which is below the counters, or above them if an arrow crosses the lower hexside.
    """
    north, south = _find_steep_starts(layout, arrows, north=True), _find_steep_starts(layout, arrows, north=False)
    reversed_arrows = [(end, start) for start, end in arrows]
    crossed_in_south = south | _find_steep_starts(layout, reversed_arrows, north=False)

    def room(name: str) -> PageBox:
        x, y = layout.centre(name)
        above = _ROOM_BY_ARROW_MM if name in north else _ROOM_ABOVE_MM
        under, depth, foot = _ROOM_BELOW_MM, _MAX_DEPTH_MM, below.get(name, 0.0)
        if name in crossed_in_south:
            under = depth = _ROOM_ABOVE_ARROW_MM if name in south else _ROOM_ABOVE_TIP_MM
        if name in named and name in crossed_in_south and name not in north:
            above = _ROOM_ABOVE_MM - NAME_HEIGHT_MM - 0.5
        elif name in named:
            foot += NAME_HEIGHT_MM + (_OUTLINE_ROOM_MM if foot else 0.0)
        if foot:
            under = min(under, max(depth - foot, _MIN_ROOM_BELOW_MM))
        return PageBox(x - HEX_MM / 2, y - above, x + HEX_MM / 2, y + under)

    return room


def _find_steep_starts(layout: Layout, arrows: Sequence[tuple[str, str]], *, north: bool) -> frozenset[str]:
    """Return the hexes where an arrow starts that leads more to the north, or south, than sideways.

    `north`: True for north, False for south.
    """
    centres = ((start, layout.centre(start), layout.centre(end)) for start, end in arrows)
    sign = -1 if north else 1  # y grows downwards
    return frozenset(start for start, (x0, y0), (x1, y1) in centres if sign * (y1 - y0) > abs(x1 - x0))
