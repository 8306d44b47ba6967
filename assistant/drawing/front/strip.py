"""The front of a game as a strip: one small map for each turn, all of the same area and scale, with a key below."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from math import ceil, dist
from typing import Literal, NamedTuple

from msgspec.structs import replace

from ...asking.placeholders import format_drawn_note
from ...asking.view import View
from ...game.boards import Board
from ...game.hexes import Corner
from ...util.errors import InputError
from ..colours import INK, WHITE
from ..geometry import box_around, hexagon, move_towards
from ..hatching import Strokes, hatching, slant_of
from ..hex_sets import hexes_around, sort_from_upper_left
from ..layout import Layout
from ..lettering import base_line, fit_line, text_width, wrap
from ..map.courses import Line, shift_line
from ..map.grounds import stretches_along
from ..map.land import find_rings, ring_line, smooth_outlines
from ..map.layers import MapLayers, MapWish, map_layers
from ..map.survey import Scale, Survey, SurveyReader
from ..scene import (
    Group,
    Layer,
    Path,
    Point,
    Polyline,
    Rectangle,
    Scene,
    Shape,
    Text,
    enlarge,
    inset,
    shift,
    text_lines,
    thin_out,
)
from ..situation import NAME_HEIGHT_MM, counters_of, named_places
from ..style import HEX_MM, MARGIN, PAPER, SOFT_INK
from ..symbols import ASPECT, Symbols
from .territory import REACH_HEXES, Held, assign_ground, ground_gained, side_of_unit, units_by_place

MAP_WIDTH_MM = 92.0
MAX_MAPS = 24
"""The maximum number of maps; if there are more turns, evenly spaced ones are shown and a note says so."""
_TITLE_SIZE_MM = 6.0
_HEADING_SIZE_MM = 4.2
_SUBTITLE_SIZE_MM = 3.1
_KEY_SIZE_MM = 3.1
_NOTE_SIZE_MM = 2.9
_GAP_MM = 6.0
_RIM_MM = 0.4
"""The width round a map that the line along its edge needs."""
_HEADING_HEIGHT_MM = 10.5
FRONT_NOTE = (
    f"Ground is that of the side whose unit stands nearest, up to {REACH_HEXES} hexes off, or that controls it by the record; "
    "all other ground stays as it was, at first with its country. It is drawn for the eye: no rule goes by it."
)


class Shot(NamedTuple):
    """A moment of a game to be drawn."""

    title: str
    """The title above the map, such as the turn."""
    subtitle: str
    """The date, or a few words."""
    view: View
    attacked: Collection[str] = ()
    """The hexes attacked since the previous shot."""

    @property
    def full_title(self) -> str:
        return ", ".join(filter(None, (self.title, self.subtitle)))


def choose_shots(shots: Sequence[Shot], max_maps: int = MAX_MAPS) -> list[Shot]:
    """Return up to `max_maps` moments of a game, evenly spaced, including the first and the last.

    A chosen moment also has the attacks of omitted moments before it.
    """
    if len(shots) <= max_maps:
        return list(shots)
    chosen, attacked = list[Shot](), set[str]()
    wanted = {round(number * (len(shots) - 1) / (max_maps - 1)) for number in range(max_maps)}
    for number, shot in enumerate(shots):
        attacked |= {*shot.attacked}
        if number in wanted:
            chosen.append(shot._replace(attacked=attacked))
            attacked = set()
    return chosen


class Strip(NamedTuple):
    """The maps of a game, all of the same area."""

    theatre: Theatre
    moments: Sequence[MomentMap]
    left_out: int = 0
    """The number of turns without a map."""


def make_strip(shots: Sequence[Shot], width: float = MAP_WIDTH_MM, max_maps: int = MAX_MAPS) -> Strip:
    """Return the maps of one or more moments of a game.

    Raises InputError as `Theatre` does.
    """
    chosen = choose_shots(shots, max_maps)
    attacked = {place for shot in chosen for place in shot.attacked}
    theatre = Theatre([shot.view for shot in chosen], width, attacked)
    return Strip(theatre, list_moments(theatre, chosen), len(shots) - len(chosen))


def map_scene(strip: Strip, number: int) -> Scene:
    """Return one map of a strip alone, without texts on it."""
    theatre, moment = strip.theatre, strip.moments[number]
    paper = Layer("paper", (Rectangle(x=0, y=0, width=theatre.width_mm, height=theatre.height_mm, fill=PAPER),))
    layers = (theatre.place(layer, (0.0, 0.0)) for layer in moment_layers(theatre, moment))
    return Scene(
        width=theatre.width_mm,
        height=theatre.height_mm,
        title=moment.shot.full_title,
        description=_describe_map(strip, number),
        layers=(paper, *layers),
    )


def strip_scene(strip: Strip, title: str, subtitle: str = "") -> Scene:
    """Return the strip as a picture: its title, the maps in rows, the key and notes."""
    theatre = strip.theatre
    count = len(strip.moments)
    columns = _choose_columns(count, theatre)
    width = 2 * MARGIN + columns * theatre.width_mm + (columns - 1) * _GAP_MM
    inner = width - 2 * MARGIN
    heading = wrap(title, _TITLE_SIZE_MM, inner, bold=True)
    words: list[Shape] = [
        *text_lines(heading, MARGIN + _TITLE_SIZE_MM * 0.8, _TITLE_SIZE_MM, 1.3, x=MARGIN, bold=True, fill=INK)
    ]
    top = MARGIN + len(heading) * _TITLE_SIZE_MM * 1.3
    if subtitle:
        for line in wrap(subtitle, _SUBTITLE_SIZE_MM, inner):
            words.append(Text(x=MARGIN, y=top + _SUBTITLE_SIZE_MM, text=line, size=_SUBTITLE_SIZE_MM, fill=SOFT_INK))
            top += _SUBTITLE_SIZE_MM * 1.4
    top += 2.5
    pitch = theatre.height_mm + _HEADING_HEIGHT_MM + 2.0
    layers = list[Layer]()
    for number, moment in enumerate(strip.moments):
        row, column = divmod(number, columns)
        x, y = MARGIN + column * (theatre.width_mm + _GAP_MM), top + row * pitch
        words += _draw_heading(strip, number, x, y)
        layers += _place_map(theatre, moment_layers(theatre, moment), (x, y + _HEADING_HEIGHT_MM))
    bottom = top + -(-count // columns) * pitch + 2.0
    key, below = _draw_key(strip, (MARGIN, bottom), inner)
    notes = [line for note in _list_notes(strip) for line in wrap(note, _NOTE_SIZE_MM, inner)]
    words += text_lines(notes, below + _NOTE_SIZE_MM, _NOTE_SIZE_MM, 1.4, x=MARGIN, fill=SOFT_INK)
    height = below + len(notes) * _NOTE_SIZE_MM * 1.4 + MARGIN
    paper = Layer("paper", (Rectangle(x=0, y=0, width=width, height=height, fill=PAPER),))
    return Scene(
        width=width,
        height=height,
        title=title,
        description=" ".join(_describe_map(strip, number) for number in range(count)),
        layers=(paper, *layers, Layer("key", tuple(key)), Layer("words", tuple(words))),
    )


def _place_map(theatre: Theatre, layers: Iterable[Layer], at: Point) -> Iterator[Layer]:
    """Yield the layers of a map cut at its frame, because the ground of large hexes reaches beyond it."""
    frame = at[0] - _RIM_MM, at[1] - _RIM_MM, theatre.width_mm + 2 * _RIM_MM, theatre.height_mm + 2 * _RIM_MM
    for layer in layers:
        yield replace(theatre.place(layer, at), clip=frame)


def _box_corners(x: float, y: float, width: float, height: float) -> tuple[Point, ...]:
    return ((x, y), (x + width, y), (x + width, y + height), (x, y + height))


def _choose_columns(count: int, theatre: Theatre) -> int:
    """Return the number of maps in a row: the smallest that makes the strip a little wider than high, at most 4."""
    max_columns = min(count, 4)
    for columns in range(1, max_columns):
        rows = ceil(count / columns)
        if columns * theatre.width_mm >= 1.1 * rows * theatre.height_mm:
            return columns
    return max_columns


def _draw_heading(strip: Strip, number: int, x: float, y: float) -> Iterator[Shape]:
    shot, width = strip.moments[number].shot, strip.theatre.width_mm
    title = fit_line(shot.title, _HEADING_SIZE_MM, width * 0.6, min_size=2.4, bold=True)
    yield Text(x=x, y=y + _HEADING_SIZE_MM, text=title.lines[0], size=title.size, bold=True, fill=INK)
    left = x + text_width(title.lines[0], title.size, bold=True) + 2.0
    if shot.subtitle and (room := x + width - left) > 8.0:
        about = fit_line(shot.subtitle, _SUBTITLE_SIZE_MM, room, min_size=2.2)
        yield Text(x=left, y=y + _HEADING_SIZE_MM, text=about.lines[0], size=about.size, fill=SOFT_INK)
    changes = fit_line(changes_shown(strip, number), _SUBTITLE_SIZE_MM, width, min_size=2.2)
    yield Text(
        x=x, y=y + _HEADING_SIZE_MM + _SUBTITLE_SIZE_MM * 1.35, text=changes.lines[0], size=changes.size, fill=SOFT_INK
    )


def changes_shown(strip: Strip, number: int) -> str:
    """Return a text on the changes shown on a map."""
    moment = strip.moments[number]
    if number == 0:
        return "before the first move"
    parts = list[str]()
    if moved := len(moment.moved):
        parts.append(f"{moved} {'units' if moved > 1 else 'unit'} moved")
    if attacked := len(moment.attacked):
        parts.append(f"{attacked} {'hexes' if attacked > 1 else 'hex'} attacked")
    rules, gained = strip.theatre.game.file, Counter(moment.gained.values())
    sides = [f"{rules.title_of(side)} {gained[side]}" for side in rules.sides if gained[side]]
    ground = f"hexes gained: {', '.join(sides)}" if sides else ""
    return "; ".join(filter(None, (", ".join(parts), ground))) or "nothing has changed"


def _describe_map(strip: Strip, number: int) -> str:
    return f"{strip.moments[number].shot.full_title}: {changes_shown(strip, number)}."


def _list_notes(strip: Strip) -> Iterator[str]:
    yield FRONT_NOTE
    if strip.left_out:
        yield f"{strip.left_out} turns have no map: each map shows what has changed since the one before it."
    yield from format_drawn_note(strip.theatre.board)


def _draw_key(strip: Strip, at: Point, width: float) -> tuple[list[Shape], float]:
    """Return the signs with their meanings in rows, and the lower edge of the key.

    `at`: the upper left corner of the key.
    """
    shapes, (x, y), left = list[Shape](), at, at[0]
    for draw, text in _list_key(strip):
        room = 9.0 + text_width(text, _KEY_SIZE_MM) + 6.0
        if x > left and x + room > left + width:
            x, y = left, y + 6.4
        shapes += draw(x, y)
        shapes.append(Text(x=x + 9.0, y=base_line(y + 2.4, _KEY_SIZE_MM), text=text, size=_KEY_SIZE_MM, fill=INK))
        x += room
    return shapes, y + 8.0


def _list_key(strip: Strip) -> Iterator[tuple[_Sign, str]]:
    theatre = strip.theatre
    palette, sides = theatre.survey.palette, [*theatre.game.file.sides]
    shown = {side for moment in strip.moments for side in moment.held.values()}
    gained = {side for moment in strip.moments for side in moment.gained.values()}
    for side in sides:
        if side in shown:
            yield _Sign("side", (palette.side(side).strong,)), theatre.game.file.title_of(side)
    if len(shown) > 1:
        colours = [palette.side(side).strong for side in sides if side in shown]
        yield _Sign("front", (colours[0], colours[1])), "front"
    for side in sides:
        if side in gained:
            yield (
                _Sign("gained", (palette.side(side).strong,), slant_of(sides, side)),
                f"gained by {theatre.game.file.the_side(side)} since the map before",
            )
    if any(moment.moved for moment in strip.moments):
        yield _Sign("way", (INK,)), "moved from there"
    attacked = {side for moment in strip.moments for side in moment.attacked.values()}
    if attacked:
        defenders = [palette.side(side).strong for side in sides if side in attacked]
        yield _Sign("ring", tuple(defenders) or (INK,)), "attacked, in the colour of the defender"


class _Sign(NamedTuple):
    kind: Literal["side", "gained", "front", "way", "ring"]
    colours: tuple[str, ...]
    slant: float = 0.0

    def __call__(self, x: float, y: float) -> Iterator[Shape]:
        """Yield the sign in a box of 7 by 4.8 mm."""
        box = _box_corners(x, y, 7.0, 4.8)
        if self.kind == "side":
            yield inset((x, y, 7.0, 4.8), 0.0, radius=0.5, fill=self.colours[0])
        elif self.kind == "gained":
            yield inset((x, y, 7.0, 4.8), 0.0, fill=self.colours[0], opacity=_GAINED_OPACITY)
            yield from hatching([box], self.colours[0], self.slant, _GAINED_HATCHING.scaled(0.45, 0.6))
        elif self.kind == "front":
            for colour, off in zip(self.colours, (-0.6, 0.6), strict=True):
                yield Polyline(
                    points=((x, y + 2.4 + off), (x + 7.0, y + 2.4 + off)), stroke=colour, width=0.8, butt=True
                )
            yield Polyline(points=((x, y + 2.4), (x + 7.0, y + 2.4)), stroke=INK, width=0.35, butt=True)
        elif self.kind == "way":
            yield Polyline(
                points=((x, y + 2.4), (x + 7.0, y + 2.4)),
                stroke=INK,
                width=0.45,
                head=1.6,
                casing=WHITE,
                casing_width=1.0,
            )
        else:
            for number, colour in enumerate(self.colours):
                corners = hexagon((x + 3.5 + (number - (len(self.colours) - 1) / 2) * 3.7, y + 2.4), 1.7, flat=True)
                yield from ring_shapes(corners, colour, 0.45)


# --- one map ----------------------------------------------------------------------------------------------------------

_HELD_OPACITY = 0.12
_GAINED_OPACITY = 0.34
_GAINED_HATCHING = Strokes(pitch=2.6, width=0.5, opacity=0.75)
_BAND_WIDTH_MM = 1.5
"""The width of each side's band along the front, on a map of full size."""
_BAND_OFFSET_MM = 0.9
"""The distance of each band's middle from the front."""
_FRONT_WIDTH_MM = 0.75
_BLOCK_SIDE_MM = HEX_MM * 0.76
"""The width of a block."""


class MomentMap(NamedTuple):
    """A moment as it is drawn."""

    shot: Shot
    held: Held
    """The side that holds each hex."""
    gained: Held
    """The hexes gained since the previous moment, with the side that gained them."""
    moved: Mapping[str, tuple[str, str]]
    """The units that moved, with their old and new places."""

    attacked: Held
    """The hexes attacked since the previous moment, each with the side that defended it."""


def list_moments(theatre: Theatre, shots: Sequence[Shot]) -> list[MomentMap]:
    """Return the moments of a game as they are drawn."""
    moments = list[MomentMap]()
    for shot in shots:
        before = moments[-1] if moments else None
        held = assign_ground(shot.view, theatre.area, before.held if before else None)
        gained = ground_gained(before.held, held) if before else {}
        moved = _find_moves(before.shot.view, shot.view) if before else {}
        defenders = {**held, **(before.held if before else {})}
        defenders |= dict(units_by_place(before.shot.view)) if before else {}
        attacked = {place: defenders.get(place, "") for place in sorted(shot.attacked)}
        moments.append(MomentMap(shot, held, gained, moved, attacked))
    return moments


def _find_moves(before: View, after: View) -> dict[str, tuple[str, str]]:
    old = before.state.units
    moves: dict[str, tuple[str, str]] = {}
    for unit in after.state.units.values():
        old_place = old[unit.id].place if unit.id in old else None
        if old_place and unit.place and old_place != unit.place:
            moves[unit.id] = (old_place, unit.place)
    return moves


def moment_layers(theatre: Theatre, moment: MomentMap) -> list[Layer]:
    """Return the layers of a moment's map, at the size of the theatre's layout."""
    return [
        *theatre.base,
        thin_out(_wash_layer(theatre, moment.held), theatre.grain),
        thin_out(_gained_layer(theatre, moment.gained), theatre.grain),
        *theatre.edge,
        *theatre.town_layers,
        thin_out(_front_layer(theatre, moment.held), theatre.grain),
        _combat_layer(theatre, moment.attacked),
        _arrow_layer(theatre, moment),
        _counter_layer(theatre, moment.shot.view),
        *theatre.name_layers,
    ]


# --- one map: the ground ------------------------------------------------------------------------------------------------


def _side_colour(theatre: Theatre, side: str) -> str:
    return theatre.survey.palette.side(side).strong


def _group_by_side(held: Held) -> dict[str, set[str]]:
    hexes: dict[str, set[str]] = {}
    for place, side in sorted(held.items()):
        hexes.setdefault(side, set()).add(place)
    return dict(sorted(hexes.items()))


def _wash_layer(theatre: Theatre, held: Held) -> Layer:
    shapes = [
        Path(
            lines=smooth_outlines(theatre.survey, hexes),
            closed=True,
            fill=_side_colour(theatre, side),
            opacity=_HELD_OPACITY,
        )
        for side, hexes in _group_by_side(held).items()
    ]
    return Layer("ground", tuple(shapes))


def _gained_layer(theatre: Theatre, gained: Held) -> Layer:
    shapes, sides = list[Shape](), [*theatre.game.file.sides]
    for side, hexes in _group_by_side(gained).items():
        colour, larger = _side_colour(theatre, side), theatre.survey.scale.lines
        shapes.append(
            Path(lines=smooth_outlines(theatre.survey, hexes), closed=True, fill=colour, opacity=_GAINED_OPACITY)
        )
        corners = map(theatre.layout.corners, sorted(hexes))
        shapes += hatching(corners, colour, slant_of(sides, side), _GAINED_HATCHING.scaled(larger, larger))
    return Layer("gained", tuple(shapes))


def front_lines(theatre: Theatre, held: Held) -> Iterator[tuple[str, str, Line]]:
    """Yield the front in stretches: the side to the right of the stretch, the side to its left, and its line."""
    survey, sides = theatre.survey, _group_by_side(held)
    for side, hexes in sides.items():
        borders: set[tuple[Corner, str]] = set()
        for place in hexes:
            for beyond, start, _ in survey.around[place]:
                if held.get(beyond, "") > side:
                    borders.add((start, held[beyond]))
        for ring in find_rings(survey, hexes):
            line = ring_line(survey, ring)
            for opponent in sorted({opponent for _, opponent in borders}):
                for stretch in stretches_along(ring, line, {start for start, whose in borders if whose == opponent}):
                    yield side, opponent, stretch


def _front_layer(theatre: Theatre, held: Held) -> Layer:
    scale, bands, lines = theatre.survey.scale.lines, list[Shape](), list[Line]()
    for side, opponent, line in front_lines(theatre, held):
        lines.append(line)
        for whose, offset in ((side, _BAND_OFFSET_MM), (opponent, -_BAND_OFFSET_MM)):
            band = shift_line(line, offset * scale)
            bands.append(
                Polyline(points=band, stroke=_side_colour(theatre, whose), width=_BAND_WIDTH_MM * scale, butt=True)
            )
    if not lines:
        return Layer("front", ())
    ink = Path(lines=tuple(lines), stroke=INK, width=_FRONT_WIDTH_MM * scale)
    rim = Path(
        lines=tuple(lines), stroke=WHITE, width=(2 * _BAND_WIDTH_MM + 2.2 * _BAND_OFFSET_MM) * scale, opacity=0.75
    )
    return Layer("front", (rim, *bands, ink))


# --- one map: the units -------------------------------------------------------------------------------------------------


def _counter_layer(theatre: Theatre, view: View) -> Layer:
    """Return the units: counters if there is room, or else a block for each stack."""
    reader = SurveyReader(view)
    if not theatre.is_small:
        names = {place.hex: NAME_HEIGHT_MM * theatre.survey.scale.letters for place in theatre.survey.places}
        layer, _, _ = counters_of(theatre.layout, reader, theatre.symbols, (), names)
        return layer
    groups = []
    for place in theatre.names:
        stack, unseen = reader.state.stack(place), reader.unseen_nation(place)
        nations = [reader.word(reader.picture.nation, unit.id) for unit in stack]
        named = [unit.id for unit in stack]
        if unseen is not None:
            nations.append(unseen)
            named.append("unseen units")
        if nations:
            arm = reader.symbol(stack[0].id) if stack else ""
            block = tuple(_draw_block(theatre, theatre.layout.centre(place), nations, arm))
            groups.append(Group(f"{place}: {', '.join(named)}", block))
    return Layer("units", tuple(groups))


def _draw_block(theatre: Theatre, at: Point, nations: Sequence[str], arm: str) -> Iterator[Shape]:
    """Yield a stack as a small block in the strong colours of its nations, with the symbol of its top unit."""
    (x, y), height, depths = at, _BLOCK_SIDE_MM * 0.7, min(len(nations), 3)
    for depth in range(depths - 1, -1, -1):
        strong = theatre.survey.palette.inks(nations[min(depth, len(nations) - 1)]).strong
        offset = (depth - (depths - 1) / 2) * _BLOCK_SIDE_MM * 0.09
        box = x - _BLOCK_SIDE_MM / 2 + offset, y - height / 2 + offset, _BLOCK_SIDE_MM, height
        yield inset(
            box, 0.0, radius=_BLOCK_SIDE_MM * 0.06, fill=strong, stroke=WHITE, stroke_width=_BLOCK_SIDE_MM * 0.06
        )
    offset = -(depths - 1) / 2 * _BLOCK_SIDE_MM * 0.09
    if (symbol := theatre.symbols.symbol(arm) if arm else None) is not None:
        inks = theatre.survey.palette.inks(nations[0])
        width = height * ASPECT
        yield replace(
            symbol, x=x + offset - width / 2, y=y + offset - height / 2, width=width, height=height, ink=inks.strong_ink
        )


def _arrow_layer(theatre: Theatre, moment: MomentMap) -> Layer:
    layout, scale, units = theatre.layout, theatre.survey.scale.lines, moment.shot.view.state.units
    ways = {way: side_of_unit(moment.shot.view, units[unit]) for unit, way in moment.moved.items()}
    arrows = []
    for (before, after), side in ways.items():
        if before not in theatre.area or after not in theatre.area or not side:
            continue
        start, end = layout.centre(before), layout.centre(after)
        distance = dist(start, end)
        points = start, move_towards(end, start, min(_BLOCK_SIDE_MM * 0.55, distance / 3))
        width = 1.0 * scale
        arrows.append(
            Polyline(
                points=points,
                stroke=_side_colour(theatre, side),
                width=width,
                head=min(4.4 * scale, distance * 0.3),
                casing=WHITE,
                casing_width=width * 2.0,
                casing_opacity=0.8,
            )
        )
    return Layer("ways", tuple(arrows))


def _combat_layer(theatre: Theatre, attacked: Held) -> Layer:
    """Return a ring round each attacked hex, in the colour of the side that defended it."""
    groups, larger = [], theatre.survey.scale.lines
    for place, side in attacked.items():
        if place in theatre.area:
            colour = _side_colour(theatre, side) if side else INK
            groups.append(
                Group(f"{place}: attacked", tuple(ring_shapes(theatre.layout.corners(place), colour, larger)))
            )
    return Layer("combats", tuple(groups))


def ring_shapes(corners: Sequence[Point], colour: str, scale: float) -> Iterator[Shape]:
    """Yield the ring round an attacked hex."""
    for stroke, width in ((WHITE, 3.2), (colour, 2.0)):
        yield Path(lines=(tuple(corners),), closed=True, stroke=stroke, width=width * scale)


# --- the ground of all maps -------------------------------------------------------------------------------------------

_MARGIN_HEXES = 2.2
"""The distance from the events to the edge of a map."""
_MAX_CONTACT_HEXES = 3
"""The maximum distance from a unit to an enemy at which the unit counts as part of the front."""
_MAX_WIDTH_TO_HEIGHT = 1.7
"""The greatest width of a map, as a multiple of its height."""
_MIN_WIDTH_TO_HEIGHT = 0.8
_MIN_LINE_SIZE_SHARE = 0.3
"""The least size of lines on paper, as a share of their full size; below it they are enlarged."""
_MIN_LETTER_SIZE_SHARE = 0.46
_MAX_LINE_ENLARGEMENT = 5.5
_MAX_LETTER_ENLARGEMENT = 9.0
_LAYERS_NOT_ON_SMALL_MAPS = ("texture", "roads", "waters")
"""The layers that a small map omits."""
_VEIL_OPACITY = 0.4
_MIN_POINT_DISTANCE_MM = 0.5
"""The minimum distance between points of lines on paper."""
_MIN_HEX_WITH_COUNTERS_MM = 8.0
"""The minimum height of a hex on paper with room for counters that have ids and figures."""


class Theatre:
    """The area of a game's maps, with everything on them that stays the same.

    Raises InputError if no unit is on the map, or if the moments are on different boards.
    """

    def __init__(self, views: Sequence[View], width: float, attacked: Collection[str] = ()) -> None:
        first = views[0]
        boards = {view.state.board for view in views}
        if len(boards) > 1:
            hint = "choose turns on one board"
            raise InputError(f"the record goes from the board {min(boards)!r} to {max(boards)!r}", hint=hint)
        self.board, self.game, self.width_mm = first.board, first.game, width
        self.names = sort_from_upper_left(self.board, find_area(views, attacked))
        self.area = frozenset(self.names)
        bare = Layout(self.board, self.names)
        self.scale_on_paper = width / bare.width
        self.height_mm = bare.height * self.scale_on_paper
        self.layout = bare
        self.symbols = Symbols(self.game)
        self._occupied = {place for view in views for place, _ in units_by_place(view)}
        lines = min(max(_MIN_LINE_SIZE_SHARE / self.scale_on_paper, 1.0), _MAX_LINE_ENLARGEMENT)
        letters = min(max(_MIN_LETTER_SIZE_SHARE / self.scale_on_paper, 1.0), _MAX_LETTER_ENLARGEMENT)
        scale = Scale(lines, letters)
        self._placed: dict[tuple[int, Point], tuple[Layer, Layer]] = {}
        self.survey = Survey(bare, SurveyReader(first), self.symbols, scale=scale, places=named_places(first))

    @property
    def is_small(self) -> bool:
        return HEX_MM * self.scale_on_paper < _MIN_HEX_WITH_COUNTERS_MM

    @property
    def key_colours(self) -> tuple[str, ...]:
        """The colours without which a map is not legible: the sides, white and ink."""
        sides = (self.survey.palette.side(side).strong for side in self.game.file.sides)
        return (*sides, WHITE, INK)

    def place(self, layer: Layer, at: Point) -> Layer:
        """Return a layer on paper, with the upper left corner of the map at a point.

        Layers that are the same on all maps are cached.
        """
        key = id(layer), at
        if key in self._placed:
            return self._placed[key][1]
        placed = shift(enlarge(layer, self.scale_on_paper), *at)
        if any(layer is known for known in (*self.base, *self.edge, *self.town_layers, *self.name_layers)):
            self._placed[key] = layer, placed
        return placed

    @property
    def grain(self) -> float:
        """The minimum distance of line points that can be distinguished on paper, in mm of the layout."""
        return _MIN_POINT_DISTANCE_MM / self.scale_on_paper

    @cached_property
    def base(self) -> tuple[Layer, ...]:
        """The layers of the map that stay the same, without names, and pale so that others stand out."""
        size = self.layout.width, self.layout.height
        left_out = _LAYERS_NOT_ON_SMALL_MAPS if self.survey.scale.small else ()
        layers = (layer for layer in (*self._drawn.ground, *self._drawn.ways) if layer.name not in (*left_out, "edge"))
        veil = inset((0.0, 0.0, *size), -HEX_MM, fill=PAPER, opacity=_VEIL_OPACITY)
        return (*(thin_out(layer, self.grain) for layer in layers), Layer("veil", (veil,)))

    @cached_property
    def edge(self) -> tuple[Layer, ...]:
        """The layer that hides everything beyond the map."""
        return tuple(layer for layer in self._drawn.ground if layer.name == "edge")

    @property
    def town_layers(self) -> tuple[Layer, ...]:
        return self._written[0]

    @property
    def name_layers(self) -> tuple[Layer, ...]:
        return self._written[1]

    @cached_property
    def _written(self) -> tuple[tuple[Layer, ...], tuple[Layer, ...]]:
        left_out = _LAYERS_NOT_ON_SMALL_MAPS if self.survey.scale.small else ()
        layers = [layer for layer in self._drawn.written if layer.name not in left_out]
        names = tuple(_with_rims(layer) for layer in layers if layer.name == "names")
        return tuple(layer for layer in layers if layer.name != "names"), names

    @cached_property
    def _drawn(self) -> MapLayers:
        size = self.layout.width, self.layout.height
        occupied = sorted(self._occupied & self.area)
        counters = () if self.is_small else occupied
        blocks = [box_around(*self.layout.centre(place), _BLOCK_SIDE_MM, _BLOCK_SIDE_MM * 0.7) for place in occupied]
        taken = blocks if self.is_small else ()
        wish = MapWish(numbers=not self.survey.scale.small, regions=False, counters=counters, taken=taken)
        return map_layers(self.survey, size, PAPER, wish)


def _with_rims(layer: Layer) -> Layer:
    return Layer(
        layer.name, tuple(replace(shape, halo=PAPER) if isinstance(shape, Text) else shape for shape in layer.shapes)
    )


def find_area(views: Sequence[View], attacked: Collection[str] = ()) -> set[str]:
    """Return the hexes in and round the box of all events.

    Events are moves, arrivals, departures, attacks, and units near enemies. If there are none, it is the box of all
    units.

    Raises InputError if no unit is on the map.
    """
    board = views[0].board
    standing = {place for view in views for place, _ in units_by_place(view) if board.is_hex(place)}
    if not standing:
        raise InputError("no unit stands on the map: there is no front to draw")
    acting = {place for pair in pairwise(views) for place in _find_ends_of_moves(*pair) if board.is_hex(place)}
    acting |= {place for place in attacked if board.is_hex(place)}
    for view in views:
        acting |= _find_contacts(view, board)
    return _hexes_in_box(board, acting or standing)


def _find_ends_of_moves(before: View, after: View) -> Iterator[str]:
    """Yield the old and new places of units that moved, arrived or left."""
    old, new = before.state.units, after.state.units
    for unit in {**old, **new}:
        ends = [units[unit].place if unit in units else None for units in (old, new)]
        if ends[0] != ends[1]:
            yield from filter(None, ends)


def _find_contacts(view: View, board: Board) -> set[str]:
    places = [(place, side) for place, side in units_by_place(view) if board.is_hex(place)]
    sides = dict(places)
    near = set[str]()
    for place, side in places:
        around = {place}
        for _ in range(_MAX_CONTACT_HEXES):
            around = hexes_around(board, around)
        if any(sides.get(other, side) != side for other in around):
            near.add(place)
    return near


def _hexes_in_box(board: Board, places: Iterable[str]) -> set[str]:
    """Return the hexes in and round the box of the places; a box that is too flat or too narrow is widened."""
    xs, ys = zip(*map(board.centre, places), strict=True)
    left, right, top, bottom = (
        min(xs) - _MARGIN_HEXES,
        max(xs) + _MARGIN_HEXES,
        min(ys) - _MARGIN_HEXES,
        max(ys) + _MARGIN_HEXES,
    )
    width, height = right - left, bottom - top
    if lacking := max(height * _MIN_WIDTH_TO_HEIGHT - width, 0.0):
        left, right = left - lacking / 2, right + lacking / 2
    if lacking := max(width / _MAX_WIDTH_TO_HEIGHT - height, 0.0):
        top, bottom = top - lacking / 2, bottom + lacking / 2

    def is_inside(place: str) -> bool:
        x, y = board.centre(place)
        return bool(left <= x <= right and top <= y <= bottom)

    if board.hexes:
        return set(filter(is_inside, board.hexes))
    inside, edge = set(places), set(places)  # a board without a map has no list of its hexes
    while edge:
        edge = {beyond for place in edge for beyond in board.neighbours(place) if beyond not in inside}
        edge = set(filter(is_inside, edge))
        inside |= edge
    return inside
