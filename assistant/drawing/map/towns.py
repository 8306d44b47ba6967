"""Towns and other places on a map with their signs and names, and the flags of hexes, such as an oasis."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from heapq import heappop, heappush
from math import cos, inf, pi, sin
from types import MappingProxyType
from typing import Literal, NamedTuple

from ...game.boards import NamedPlace
from ..colours import INK, WHITE, darken
from ..geometry import PageBox, box_around
from ..lettering import FIGURE_HEIGHT, fit_lines, text_width
from ..placement import Inscription, Placement, TakenBoxes, led_places, merge_places, places_in_hex
from ..scene import ANCHORS, Circle, Group, Layer, Point, Polygon, Shape, Text, text_lines
from ..style import COUNTER_MM, HEX_MM, UNKNOWN_GROUND
from .names import MIN_LETTER_SIZE_MM, printed_name
from .survey import Scale, Survey

Kind = Literal["spot", "village", "town", "city", "fortress"]


class TownStyle(NamedTuple):
    """The radius of the sign and the size of names, in mm, and whether names are bold."""

    radius: float
    size: float
    bold: bool


KINDS_BY_SIZE: tuple[Kind, ...] = ("fortress", "city", "town", "village", "spot")
LESSER_KINDS: tuple[Kind, ...] = ("village", "spot")
"""The kinds of places that a map too small for hexes leaves out."""
STYLES: dict[Kind, TownStyle] = {
    "spot": TownStyle(0.9, MIN_LETTER_SIZE_MM, False),
    "village": TownStyle(1.3, 4.25, False),
    "town": TownStyle(1.95, 4.9, False),
    "city": TownStyle(2.8, 6.0, True),
    "fortress": TownStyle(4.8, 5.4, True),
}
_WORDS: dict[str, Kind] = {
    "fort": "fortress",
    "fortress": "fortress",
    "citadel": "fortress",
    "stronghold": "fortress",
    "city": "city",
    "capital": "city",
    "metropolis": "city",
    "large": "city",
    "major": "city",
    "village": "village",
    "hamlet": "village",
    "station": "village",
    "small": "village",
    "minor": "village",
    "halt": "village",
    "platform": "village",
}
_NAME_GAP_MM = 1.0
"""The distance from a sign to its name."""
_CORNER_REACH_SHARE = 0.6
"""The reach of a sign towards the corners of its box."""
_BASTIONS_OF_FORTRESS = 6
_FORTRESS_ENLARGEMENT = 2.0
_SIDE_PENALTIES = {
    "ne": 0.0,
    "e": 0.3,
    "se": 1.0,
    "nw": 1.4,
    "w": 1.5,
    "sw": 2.0,
    "s": 2.2,
    "n": 2.6,
    "sse": 2.4,
    "nne": 2.5,
    "ssw": 2.7,
    "nnw": 2.8,
}
"""Costs of the places for a name, by compass point from its sign."""
_OFF_MIDDLE_SHARE = 0.28
"""The distance from the middle of a name to the point below it in a direction like south-south-east; 1 is its width."""
_COST_ON_NAME = 240.0
"""Cost of covering a name, in the unit of `TakenBoxes`; the next two constants have the same unit."""
_COST_ON_SIGN = 120.0
_COST_PER_10_MM2_COVERED = 6.0
"""Cost of each ten square millimetres of a name covered by a counter."""
_COST_PER_MM_BEYOND_FRAME = 30.0
_NAME_BELOW_COUNTER_MM = 14.6
"""The distance from the middle of the hex down to a name below a counter."""
_NAME_ABOVE_COUNTER_GAP_MM = 1.1
_NAME_BESIDE_COUNTER_GAP_MM = 1.5
_BY_COUNTER = ("below", "above")
_SIDES_OF_COUNTER = ("right", "left")
_PLACES = sorted(
    (penalty + more, side, more) for side, penalty in _SIDE_PENALTIES.items() for more in (0.0, 0.8, 1.6, 2.4, 3.1)
)
"""Places for names, the best first: penalty, side, and distance in mm further from the sign or, beside
counters, along their side.
"""
_PLACES_BY_COUNTERS = sorted(
    [
        *_PLACES,
        *((abs(by) / 5 - 1.0, "below", by) for by in (0.0, -5.0, 5.0, -10.0, 10.0)),
        *((abs(by) / 5, "above", by) for by in (0.0, -5.0, 5.0, -10.0, 10.0)),
        *((2.4 + abs(by) / 8, side, by) for side in _SIDES_OF_COUNTER for by in (0.0, 5.0, -5.0, 9.0, -9.0)),
    ]
)
_MAX_LINE_WIDTH_MM = 30.0
_LINE_PITCH_FACTOR = 1.0
"""The distance between lines; 1 is the size of letters."""
_MAX_COST_AFAR = 110.0
"""The cost above which a small map omits a town."""
_MAX_COST_OF_CITY_AFAR = 200.0


class Town(NamedTuple):
    """A named place to be drawn.

    `side`: the compass point of its name, or "" for any.
    """

    hex: str
    at: Point
    name: str
    kind: Kind
    side: str
    fortress: bool = False

    @property
    def key(self) -> str:
        return f"{self.hex} {self.name}"

    @property
    def rank(self) -> tuple[bool, int]:
        """The order in which names choose their places: fortresses and large towns first."""
        return not self.fortress, KINDS_BY_SIZE.index(self.kind)

    @property
    def style(self) -> TownStyle:
        """The style of the place; a fortress has at least the sign and letters of its class."""
        own, fort = STYLES[self.kind], STYLES["fortress"]
        if not self.fortress:
            return own
        return TownStyle(_radius_of_walls(self.kind), max(fort.size, own.size), True)


def towns_of(survey: Survey, names: Mapping[str, str]) -> list[Town]:
    """Return the named places of the drawn hexes within the frame, the largest first.

    `names`: names by hex that replace those of the board.
    """
    layout = survey.layout
    towns: list[Town] = []
    for place in survey.places:
        if layout.draws(place.hex) and place.hex not in names:
            at, name, kind = layout.centre(place.hex), printed_name(place.name), town_kind(place.kind)
            towns.append(Town(place.hex, at, name, kind, place.label, is_fortress(place)))
    place_at = {place.hex: place for place in survey.places}
    for hex, name in names.items():
        named = place_at.get(hex)
        kind = town_kind(named.kind) if named else "town"
        towns.append(Town(hex, layout.centre(hex), name, kind, "", named is not None and is_fortress(named)))
    seen = [town for town in towns if survey.holds(town.at)]
    shown = [town for town in seen if not survey.scale.small or town.fortress or town.kind not in LESSER_KINDS]
    return sorted(shown, key=lambda town: (town.rank, town.hex))


def is_fortress(place: NamedPlace) -> bool:
    """Return whether a place is drawn as a fortress."""
    return place.fortress or town_kind(place.kind) == "fortress"


def town_kind(word: str) -> Kind:
    """Return the kind for the game's word: a town for an unknown word, a spot for ""."""
    if not word:
        return "spot"
    parts = word.casefold().replace("-", " ").split()
    return next((_WORDS[part] for part in parts if part in _WORDS), "town")


def town_shapes(kind: Kind, at: Point, scale: float = 1.0, *, fortress: bool = False) -> list[Shape]:
    """Return the sign of a place; a fortress has bastions round it."""
    x, y = at
    radius = STYLES[kind].radius * scale
    if fortress or kind == "fortress":
        radius_of_walls = _radius_of_walls(kind) * scale
        angles = [
            (n * pi / _BASTIONS_OF_FORTRESS, radius_of_walls if n % 2 == 0 else radius_of_walls * 0.7)
            for n in range(2 * _BASTIONS_OF_FORTRESS)
        ]
        star = tuple((x + reach * sin(angle), y - reach * cos(angle)) for angle, reach in angles)
        walls: list[Shape] = [Polygon(points=star, fill=INK, stroke=WHITE, width=0.35 * scale)]
        walls.append(Circle(x=x, y=y, radius=radius_of_walls * 0.38, fill=WHITE))
        if kind == "city":
            walls.append(Circle(x=x, y=y, radius=radius_of_walls * 0.18, fill=INK))
        return walls
    ring = Circle(x=x, y=y, radius=radius, fill=WHITE, stroke=INK, width=0.45 + radius * 0.14)
    return [ring, Circle(x=x, y=y, radius=radius * 0.4, fill=INK)] if kind == "city" else [ring]


def _radius_of_walls(kind: Kind) -> float:
    own, fort = STYLES[kind].radius, STYLES["fortress"].radius
    return max(fort, own * _FORTRESS_ENLARGEMENT if kind != "fortress" else 0.0)


def town_layers(
    survey: Survey,
    towns: Sequence[Town],
    placed: Mapping[str, Placement[Name]],
    *,
    named: bool = True,
    halos: Mapping[str, str] | None = None,
) -> list[Layer]:
    """Return the signs of towns and their names.

    `placed`: the places found for names.
    `named`: whether to draw names, and to omit a town whose name has no place.
    `halos`: by hex, the colour of rims if it is not that of the ground, or None for names without rims.
    """
    signs, names = list[Shape](), list[Shape]()
    for town in towns:
        sign = town_shapes(town.kind, town.at, survey.scale.signs, fortress=town.fortress)
        if not named:
            signs += sign
        elif place := placed.get(town.key):
            signs.append(Group(town.name, tuple(sign)))
            hex = survey.hex_at(place.box.middle) if halos is not None else ""
            names += place.drawn.texts((halos or {}).get(hex) or survey.ground(hex) if hex else "")
    layers = [Layer("towns", tuple(signs))]
    if named:
        layers.append(Layer("names", tuple(names)))
    return layers


def take_signs(survey: Survey, towns: Sequence[Town], room: TakenBoxes) -> None:
    """Mark the boxes of the towns' signs as taken."""
    for town in towns:
        (x, y), radius = town.at, town.style.radius * survey.scale.signs
        for half_width, half_height in ((radius, radius * _CORNER_REACH_SHARE), (radius * _CORNER_REACH_SHARE, radius)):
            room.take(PageBox(x - half_width, y - half_height, x + half_width, y + half_height), _COST_ON_SIGN)


class Name(NamedTuple):
    """A name at a possible place: its lines, the point of the first line, and the box of all."""

    lines: tuple[str, ...]
    size: float
    bold: bool
    x: float
    y: float
    anchor: Literal["start", "middle", "end"]
    box: PageBox

    def at(self, box: PageBox) -> Name:
        dx, dy = box.left - self.box.left, box.top - self.box.top
        return self._replace(x=self.x + dx, y=self.y + dy, box=box)

    def texts(self, halo: str = "") -> list[Text]:
        return text_lines(
            self.lines,
            self.y,
            self.size,
            _LINE_PITCH_FACTOR,
            x=self.x,
            anchor=self.anchor,
            bold=self.bold,
            fill=INK,
            halo=halo,
        )


def town_marks(
    survey: Survey,
    towns: Sequence[Town],
    *,
    counters: Collection[str] = (),
    counter: float = COUNTER_MM,
    stacks: Mapping[str, PageBox] = MappingProxyType({}),
) -> list[Inscription[Name]]:
    """Return the names of towns as marks to be placed beside their signs; they may leave their hexes.

    A small map omits towns whose names find no room.

    `counters`: the hexes with counters.
    `counter`: the side of a counter, in mm.
    `stacks`: by hex, boxes that cover the signs of towns, so that the names are beside them or have leaders.
    """
    marks = list[Inscription[Name]]()
    for town in towns:
        if (stack := stacks.get(town.hex)) is not None:
            marks.append(_mark_beside_stack(town, survey, stack))
            continue
        side = counter if town.hex in counters else 0.0
        places = partial(_places_beside, town, survey, side)
        if survey.scale.small:
            is_lesser = town.kind == "town" and not town.fortress
            most = _MAX_COST_AFAR if is_lesser else _MAX_COST_OF_CITY_AFAR
            marks.append(Inscription(town.key, places, weight=_COST_ON_NAME, crowded=inf, most=most))
        else:
            marks.append(Inscription(town.key, places, weight=_COST_ON_NAME, crowded=_MAX_COST_AFAR, most=inf))
    return marks


_GAP_TO_STACK_MM = 0.4
_SHIFT_SHARES = (0.0, -0.25, 0.25, -0.5, 0.5, -0.75, 0.75, -1.0, 1.0)
"""The shifts of a name along the edge of a stack, as shares of the spare length."""
_COST_OF_SHIFT = 4.0
"""Cost of the longest shift."""


def _mark_beside_stack(town: Town, survey: Survey, stack: PageBox) -> Inscription[Name]:
    style, (lines, size) = town.style, _break_name(town.name, town.style)
    name = _set_name(lines, size * survey.scale.letters, bold=style.bold)
    width, height = name.box.right - name.box.left, name.box.bottom - name.box.top
    (x, y), gap = stack.middle, _GAP_TO_STACK_MM * survey.scale.letters
    across, down = abs(stack.right - stack.left - width) / 2, abs(stack.bottom - stack.top - height) / 2
    right, below = stack.right + gap + width / 2, stack.bottom + gap + height / 2
    left, above = stack.left - gap - width / 2, stack.top - gap - height / 2

    def places() -> Iterator[Placement[Name]]:
        shifts = [(abs(share) * _COST_OF_SHIFT, share) for share in _SHIFT_SHARES]
        points = [(cost, (x + share * across, below)) for cost, share in shifts]
        points += [(cost + 1.0, (x + share * across, above)) for cost, share in shifts]
        points += [(cost + 2.0, (middle, y + share * down)) for cost, share in shifts for middle in (right, left)]
        for cost, middle_of_name in points:
            box = box_around(*middle_of_name, width, height)
            beyond = 0.0 if survey.frames(box) else _COST_PER_MM_BEYOND_FRAME
            yield Placement(cost + beyond, box, name.at(box))

    def led() -> Iterator[Placement[Name]]:
        for place in led_places(town.at, (width, height), name, survey.sheet):
            yield place._replace(drawn=name.at(place.box))

    return Inscription(
        town.key,
        lambda: sorted(places(), key=lambda place: place.cost),
        led=led,
        weight=_COST_ON_NAME,
        crowded=_MIN_COST_FOR_LEADER,
    )


def _places_beside(town: Town, survey: Survey, counter: float) -> Iterator[Placement[Name]]:
    """Yield the places for the name of a town beside its sign, the cheapest first."""
    frame, waiting = survey.frame, list[tuple[float, int, Placement[Name]]]()
    for number, (penalty, name) in enumerate(_list_places(town, survey.scale, counter=counter)):
        while waiting and waiting[0][0] <= penalty:
            yield heappop(waiting)[2]
        left, top, right, bottom = name.box
        mm_outside = max(frame.left - left, right - frame.right, frame.top - top, bottom - frame.bottom, 0.0)
        counter_cost = _cost_of_counter(town.at, name.box, counter / 2) if counter else 0.0
        place = Placement(penalty + mm_outside * _COST_PER_MM_BEYOND_FRAME + counter_cost, name.box, name)
        if place.cost > penalty:
            heappush(waiting, (place.cost, number, place))
        else:
            yield place
    yield from (place for _, _, place in sorted(waiting))


def _cost_of_counter(at: Point, box: PageBox, half: float) -> float:
    half += 0.6
    width = min(box.right, at[0] + half) - max(box.left, at[0] - half)
    height = min(box.bottom, at[1] + half) - max(box.top, at[1] - half)
    return _COST_PER_10_MM2_COVERED * width * height / 10 if width > 0 and height > 0 else 0.0


def _list_places(town: Town, scale: Scale, *, counter: float) -> Iterator[tuple[float, Name]]:
    style = town.style
    lines, size = _break_name(town.name, style)
    size *= scale.letters
    width = max(text_width(line, size, bold=style.bold) for line in lines)
    rise, more_lines = size * FIGURE_HEIGHT / 2, (len(lines) - 1) * size * _LINE_PITCH_FACTOR
    x, y = town.at

    def name_at(dx: float, base: float, anchor: Literal["start", "middle", "end"]) -> Name:
        left = x + dx - ANCHORS[anchor] * width
        box = PageBox(left, y + base - size * 0.78, left + width, y + base + more_lines + size * 0.2)
        return Name(lines, size, style.bold, x + dx, y + base, anchor, box)

    stated = town.side in _SIDE_PENALTIES
    tried = _PLACES_BY_COUNTERS if counter and not stated else _PLACES
    for penalty, side, further in tried:
        if stated and side != town.side:
            continue
        if side in _BY_COUNTER:
            yield (
                penalty,
                name_at(
                    further,
                    _NAME_BELOW_COUNTER_MM - more_lines
                    if side == "below"
                    else -counter / 2 - _NAME_ABOVE_COUNTER_GAP_MM,
                    "middle",
                ),
            )
            continue
        if side in _SIDES_OF_COUNTER:
            right, beside = side == "right", counter / 2 + _NAME_BESIDE_COUNTER_GAP_MM
            yield (
                penalty,
                name_at(beside if right else -beside, rise - more_lines / 2 + further, "start" if right else "end"),
            )
            continue
        distance = style.radius * scale.signs + (_NAME_GAP_MM + further) * scale.letters
        off = distance * 0.72 if len(side) == 2 else distance
        east = ("e" in side) - ("w" in side)
        anchor: Literal["start", "middle", "end"] = "middle"
        if len(side) < 3 and east:
            anchor = "start" if east > 0 else "end"
        dx = off * east if anchor != "middle" else width * _OFF_MIDDLE_SHARE * east
        base = rise - more_lines / 2
        if "n" in side:
            base = -off - more_lines
        elif "s" in side:
            base = off + 2 * rise
        yield penalty, name_at(dx, base, anchor)


_INNER_SIZE_FACTORS = (1.0, 0.88, 0.78)
"""The scales tried for a name in the hex of its town; 1 is the size beside a sign."""
_MIN_SIZE_WITHIN_MM = 3.3
_NAME_CLEARANCE_MM = 0.5
_COST_OF_SMALLER_NAME = 4.0
_COST_PER_MM_OFF_BEST_PLACE = 0.8
_COST_OF_TWO_LINES = 3.0


def within_marks(
    survey: Survey, towns: Sequence[Town], stacks: Mapping[str, PageBox], frame: PageBox
) -> Iterator[Inscription[Name]]:
    """Yield the names of towns as marks to be placed within their hexes, or with a leader if there is no room.

    `stacks`: the box of the counters in each hex.
    """
    for town in towns:
        names = [*_list_sizes(town)]
        stack = stacks.get(town.hex)
        places = partial(_places_within, names, town, flat=survey.layout.flat, stack=stack)
        led = partial(_places_led, names[-2:], town, frame, stack)
        yield Inscription(town.key, places, led=led, crowded=_MIN_COST_FOR_LEADER)


_MIN_COST_FOR_LEADER = 70.0
"""The cost from which a name is led to its hex, if that is no worse."""


def _list_sizes(town: Town) -> Iterator[tuple[float, Name]]:
    style = town.style
    for number, share in enumerate(_INNER_SIZE_FACTORS):
        size = max(style.size * share, _MIN_SIZE_WITHIN_MM)
        yield number * _COST_OF_SMALLER_NAME, _set_name((town.name,), size, bold=style.bold)
        if number == 0 and any(mark in town.name for mark in " -"):
            width = text_width(town.name, size, bold=style.bold)
            fitted = fit_lines(town.name, size, width * 0.75, 2.2 * size, min_size=size, bold=style.bold)
            if len(fitted.lines) > 1 and not fitted.cut:
                yield _COST_OF_TWO_LINES, _set_name(fitted.lines, size, bold=style.bold)


def _set_name(lines: Sequence[str], size: float, *, bold: bool) -> Name:
    """Return a name centred on 0, 0, in a box with some air round the letters."""
    width = max(text_width(line, size, bold=bold) for line in lines) + 2 * _NAME_CLEARANCE_MM
    height = size * 0.95 + (len(lines) - 1) * size * _LINE_PITCH_FACTOR + 2 * _NAME_CLEARANCE_MM * 0.6
    base = -height / 2 + _NAME_CLEARANCE_MM * 0.6 + size * 0.76
    return Name(tuple(lines), size, bold, 0.0, base, "middle", PageBox(-width / 2, -height / 2, width / 2, height / 2))


def _places_within(
    names: Sequence[tuple[float, Name]], town: Town, *, flat: bool, stack: PageBox | None
) -> Iterator[Placement[Name]]:
    """Yield the places for a name within its hex: near its sign, or below or above counters that cover the sign."""

    def places(penalty: float, name: Name) -> Iterator[Placement[Name]]:
        size = (name.box.right - name.box.left, name.box.bottom - name.box.top)
        return places_in_hex(
            town.at,
            size,
            _best_spots(town, size, stack),
            name,
            flat=flat,
            off=_COST_PER_MM_OFF_BEST_PLACE,
            penalty=penalty,
        )

    return merge_places(places(penalty, name) for penalty, name in names)


def _best_spots(town: Town, size: tuple[float, float], stack: PageBox | None) -> Sequence[tuple[float, float, float]]:
    """Return the best places for the middle of a name, relative to the middle of its hex, each with its cost."""
    width, height = size
    if stack is not None:
        x, y = town.at
        below, above = stack.bottom - y + height / 2 + 0.5, stack.top - y - height / 2 - 0.1
        aside = (stack.right - stack.left + width) / 2
        return (0.0, below, 0.0), (0.0, above, 1.0), (aside, 0.0, 2.0), (-aside, 0.0, 3.0)
    distance = town.style.radius + _NAME_GAP_MM
    x, y = distance + width / 2, distance + height / 2
    return (x, 0.0, 0.0), (-x, 0.0, 1.0), (0.0, y, 0.6), (0.0, -y, 1.2), (x * 0.6, y, 0.4), (x * 0.6, -y, 0.5)


def _places_led(
    names: Sequence[tuple[float, Name]], town: Town, frame: PageBox, stack: PageBox | None
) -> Iterator[Placement[Name]]:
    """Yield the places for a name beside its hex, with a leader to its sign, or to the hex if counters cover the sign."""
    for penalty, name in names:
        size = name.box.right - name.box.left, name.box.bottom - name.box.top
        for place in led_places(town.at, size, name, frame, None if stack else town.at):
            yield place._replace(cost=place.cost + penalty)


def _break_name(name: str, style: TownStyle) -> tuple[tuple[str, ...], float]:
    if text_width(name, style.size, bold=style.bold) <= _MAX_LINE_WIDTH_MM:
        return (name,), style.size
    fitted = fit_lines(
        name, style.size, _MAX_LINE_WIDTH_MM, 2.2 * style.size, min_size=MIN_LETTER_SIZE_MM, bold=style.bold
    )
    return ((name,), MIN_LETTER_SIZE_MM) if fitted.cut else (fitted.lines, fitted.size)


# --- flags ------------------------------------------------------------------------------------------------------------

_FLAG_FORMS = ((4, 0.0), (3, 0.0), (4, pi / 4), (3, pi), (6, 0.0), (5, 0.0))
"""The forms of signs for the game's flags, in order: number of corners, and turn in radians."""
_FLAG_COLOURS = ("#b5651d", "#7a3b8f", "#2f7d7a", "#a3324a", "#5a6b1e", "#34508c")
"""The colours of these signs, unless the game states its own."""
FLAG_RADIUS_MM = 2.3
_FLAG_OFFSET_MM = HEX_MM * 0.33
"""The distance from the middle of a hex down to its flags."""
_FLAG_PITCH_MM = 2.6 * FLAG_RADIUS_MM


def flag_sign(survey: Survey, flag: str, at: Point, radius: float = FLAG_RADIUS_MM) -> Polygon:
    """Return the sign of a flag round a point."""
    number = survey.look.flags.index(flag)
    (corners, turned), usual = _FLAG_FORMS[number % len(_FLAG_FORMS)], _FLAG_COLOURS[number % len(_FLAG_COLOURS)]
    colour = survey.palette.link(flag, usual)
    angles = [turned - pi / 2 + 2 * pi * corner / corners for corner in range(corners)]
    points = tuple((at[0] + radius * cos(angle), at[1] + radius * sin(angle)) for angle in angles)
    return Polygon(
        points=points, fill=colour, stroke=UNKNOWN_GROUND if darken(colour) == INK else darken(colour), width=0.3
    )


def flag_layer(survey: Survey) -> Layer:
    """Return the signs of flags in the drawn hexes, or none on a map too small for hexes."""
    titles = survey.look.tracks
    return Layer(
        "flags",
        tuple(
            Group(f"{name}: {titles[flag].title}", (flag_sign(survey, flag, at),))
            for name, flag, at in _place_flags(survey)
        ),
    )


def take_flags(survey: Survey, room: TakenBoxes) -> None:
    """Mark the boxes of the flags' signs as taken."""
    for box in flag_boxes(survey):
        room.take(box, _COST_ON_SIGN)


def flag_boxes(survey: Survey) -> list[PageBox]:
    """Return the boxes of the flags' signs."""
    radius = FLAG_RADIUS_MM
    return [PageBox(x - radius, y - radius, x + radius, y + radius) for _, _, (x, y) in _place_flags(survey)]


def _place_flags(survey: Survey) -> Iterator[tuple[str, str, Point]]:
    for name, flags in ({} if survey.scale.small else survey.flags).items():
        x, y = survey.layout.centre(name)
        for number, flag in enumerate(flags):
            yield name, flag, (x + (number - (len(flags) - 1) / 2) * _FLAG_PITCH_MM, y + _FLAG_OFFSET_MM)
