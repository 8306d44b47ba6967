"""Towns and other named places: signs by their class, and names that keep clear of whatever else is there."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import cos, pi, sin
from typing import Literal, NamedTuple

from ...drawing.lettering import FIGURE_HEIGHT, fit_lines, text_width
from ...drawing.scene import ANCHORS, Circle, Group, Layer, Point, Polygon, Shape, Text
from ..colours import INK, WHITE
from ..style import COUNTER
from .survey import Area, Room, Scale, Survey

Kind = Literal["spot", "village", "town", "city", "fortress"]


class TownStyle(NamedTuple):
    """How a class of places looks: the radius of its sign, the size of its names, and whether they are bold."""

    radius: float
    size: float
    bold: bool


ORDER: tuple[Kind, ...] = ("fortress", "city", "town", "village", "spot")
LESSER: tuple[Kind, ...] = ("village", "spot")
"""The kinds that a map too small for hexes leaves out."""
STYLES: dict[Kind, TownStyle] = {
    "spot": TownStyle(0.6, 3.7, False),
    "village": TownStyle(1.1, 4.0, False),
    "town": TownStyle(1.6, 4.7, False),
    "city": TownStyle(2.3, 5.6, True),
    "fortress": TownStyle(3.2, 5.2, True),
}
_WORDS: dict[str, Kind] = {
    "fort": "fortress", "fortress": "fortress", "citadel": "fortress", "stronghold": "fortress",
    "city": "city", "capital": "city", "metropolis": "city", "large": "city", "major": "city",
    "village": "village", "hamlet": "village", "station": "village", "small": "village", "minor": "village", "halt": "village", "platform": "village",
}  # fmt: skip
_GAP = 0.7
#: Where a name may stand: the compass point, and how much worse than the first one.
_SIDES = {
    "e": 0.0, "ne": 0.8, "se": 1.0, "w": 1.2, "nw": 1.8, "sw": 2.0, "s": 2.2, "n": 2.6, "sse": 2.4, "nne": 2.5, "ssw": 2.7, "nnw": 2.8,
}  # fmt: skip
#: How far names between south and south-east, and the like, stand off the middle, as a share of their width.
_OFF = 0.28
#: How bad it is to cover a name, the sign of a town, or what does not belong to the map.
NAME, SIGN, COVERED, BEYOND = 60.0, 40.0, 3.0, 30.0
#: By a counter, names stand so far off the middle of the hex, or off the edge of the counter.
_BELOW, _ABOVE, _BESIDE = 14.6, 1.1, 1.5
_BY_COUNTER, _BESIDE_COUNTER = ("below", "above"), ("right", "left")
#: Where names may stand, the best places first: how much worse, the side, and how far it is moved away from the sign,
#: or aside.
_PLACES = sorted((penalty + more, side, more) for side, penalty in _SIDES.items() for more in (0.0, 1.6, 3.4, 5.5))
_PLACES_BY_COUNTERS = sorted(
    [
        *_PLACES,
        *(
            (abs(by) / 5 + (side == "above") - 1.0, side, by)
            for side in _BY_COUNTER
            for by in (0.0, -5.0, 5.0, -10.0, 10.0)
        ),
        *((2.4 + abs(by) / 8, side, by) for side in _BESIDE_COUNTER for by in (0.0, 5.0, -5.0, 9.0, -9.0)),
    ]
)
#: The widest line of a name, the smallest letters of a longer one, and from one line to the next as a share of the
#: size.
_WIDEST, _LEAST, _PITCH = 30.0, 3.5, 1.0
#: How bad a place may be at which a lesser town is still named on a small map.
_CROWDED = 24.0


class Town(NamedTuple):
    """A named place as it is drawn: where it lies, its name, its kind, and the compass point of its name, "" for any."""

    hex: str
    at: Point
    name: str
    kind: Kind
    side: str


def towns_of(survey: Survey, names: Mapping[str, str]) -> list[Town]:
    """The named places of the hexes drawn, the largest first. names: further ones by hex, instead of those of the
    board.
    """
    layout = survey.layout
    towns = [
        Town(place.hex, layout.centre(place.hex), place.name, kind_of(place.kind), place.label)
        for place in survey.places
        if layout.draws(place.hex) and place.hex not in names
    ]
    kinds = {place.hex: place for place in survey.places}
    for hex, name in names.items():
        kind = kind_of(kinds[hex].kind) if hex in kinds else "town"
        towns.append(Town(hex, layout.centre(hex), name, kind, ""))
    kept = [town for town in towns if not survey.scale.small or town.kind not in LESSER]
    return sorted(kept, key=lambda town: (ORDER.index(town.kind), town.hex))


def kind_of(word: str) -> Kind:
    """What the class of a place means: a town if it is not a common word, a mere spot if it has none."""
    if not word:
        return "spot"
    parts = word.casefold().replace("-", " ").split()
    return next((_WORDS[part] for part in parts if part in _WORDS), "town")


def town_shapes(kind: Kind, at: Point, scale: float = 1.0) -> list[Shape]:
    """The sign of a place."""
    x, y = at
    radius = STYLES[kind].radius * scale
    if kind == "spot":
        return [Circle(x=x, y=y, radius=radius, fill=INK)]
    if kind == "fortress":
        angles = [(n * pi / 8, radius if n % 2 == 0 else radius * 0.68) for n in range(16)]
        star = tuple((x + far * sin(angle), y - far * cos(angle)) for angle, far in angles)
        return [
            Polygon(points=star, fill=INK, stroke=WHITE, width=0.3),
            Circle(x=x, y=y, radius=radius * 0.26, fill=WHITE),
        ]
    ring = Circle(x=x, y=y, radius=radius, fill=WHITE, stroke=INK, width=0.45 + radius * 0.14)
    return [ring, Circle(x=x, y=y, radius=radius * 0.4, fill=INK)] if kind == "city" else [ring]


def town_layers(
    survey: Survey,
    towns: Sequence[Town],
    room: Room,
    *,
    named: bool = True,
    counters: Collection[str] = (),
    counter: float = COUNTER,
) -> list[Layer]:
    """The signs of towns and their names.

    named: whether they are named; counters: the hexes in whose middle counters stand; counter: the side of one.
    """
    signs: list[Shape] = []
    for town in towns:
        sign = town_shapes(town.kind, town.at, survey.scale.lines)
        signs += [Group(town.name, tuple(sign))] if named else sign
    if not named:
        return [Layer("towns", tuple(signs))]
    names: list[Shape] = []
    for town in towns:
        cost, name = _place(town, room, survey, counter=counter if town.hex in counters else 0.0)
        if survey.scale.small and town.kind == "town" and cost > _CROWDED:
            continue
        room.take(name.box, NAME)
        names += name.texts(survey.ground(town.hex))
    return [Layer("towns", tuple(signs)), Layer("names", tuple(names))]


def take_signs(survey: Survey, towns: Sequence[Town], room: Room) -> None:
    """Take the room of the signs of towns."""
    for town in towns:
        (x, y), far = town.at, STYLES[town.kind].radius * survey.scale.lines
        room.take(Area(x - far, y - far, x + far, y + far), SIGN)


class Name(NamedTuple):
    """A name where it may stand: its lines, their size, the point of the first one and the box that they fill."""

    lines: tuple[str, ...]
    size: float
    bold: bool
    x: float
    y: float
    anchor: Literal["start", "middle", "end"]
    box: Area

    def texts(self, halo: str) -> Iterator[Text]:
        """The lines as they are drawn. halo: the colour of the ground."""
        for number, line in enumerate(self.lines):
            yield Text(
                x=self.x,
                y=self.y + number * self.size * _PITCH,
                text=line,
                size=self.size,
                anchor=self.anchor,
                bold=self.bold,
                fill=INK,
                halo=halo,
            )


def _place(town: Town, room: Room, survey: Survey, *, counter: float) -> tuple[float, Name]:
    """The name of a town where it covers the least, and how bad that is. counter: the side of the one in its hex, 0 for
    none.
    """
    frame = Area(*survey.frame)
    best: tuple[float, Name] | None = None
    for penalty, name in _choices(town, survey.scale, counter=counter):
        if best is not None and penalty >= best[0]:
            break  # the others are no better
        left, top, right, bottom = name.box
        out = max(frame.left - left, right - frame.right, frame.top - top, bottom - frame.bottom, 0.0)
        covered = _over_counter(town.at, name.box, counter / 2) if counter else 0.0
        cost = penalty + room.cost(name.box) + out * BEYOND + covered
        if best is None or cost < best[0]:
            best = cost, name
    assert best is not None
    return best


def _over_counter(at: Point, box: Area, half: float) -> float:
    """How bad it is that a counter in the middle of the hex would cover some of a name. half: half of its side."""
    half += 0.6
    wide = min(box.right, at[0] + half) - max(box.left, at[0] - half)
    high = min(box.bottom, at[1] + half) - max(box.top, at[1] - half)
    return COVERED * wide * high / 10 if wide > 0 and high > 0 else 0.0


def _choices(town: Town, scale: Scale, *, counter: float) -> Iterator[tuple[float, Name]]:
    """Where the name of a town may stand, and how much worse that is than the best place: the best ones first."""
    style = STYLES[town.kind]
    lines, size = _in_lines(town.name, style)
    size *= scale.letters
    wide = max(text_width(line, size, bold=style.bold) for line in lines)
    rise, more_lines = size * FIGURE_HEIGHT / 2, (len(lines) - 1) * size * _PITCH
    x, y = town.at

    def at(dx: float, base: float, anchor: Literal["start", "middle", "end"]) -> Name:
        left = x + dx - ANCHORS[anchor] * wide
        box = Area(left, y + base - size * 0.78, left + wide, y + base + more_lines + size * 0.2)
        return Name(lines, size, style.bold, x + dx, y + base, anchor, box)

    stated = town.side in _SIDES
    for penalty, side, more in _PLACES_BY_COUNTERS if counter and not stated else _PLACES:
        if stated and side != town.side:
            continue
        if side in _BY_COUNTER:
            yield penalty, at(more, _BELOW - more_lines if side == "below" else -counter / 2 - _ABOVE, "middle")
            continue
        if side in _BESIDE_COUNTER:
            right, beside = side == "right", counter / 2 + _BESIDE
            yield penalty, at(beside if right else -beside, rise - more_lines / 2 + more, "start" if right else "end")
            continue
        far = style.radius * scale.lines + (_GAP + more) * scale.letters
        reach = far * 0.72 if len(side) == 2 else far
        east = ("e" in side) - ("w" in side)
        anchor: Literal["start", "middle", "end"] = "middle"
        if len(side) < 3:
            anchor = "start" if east > 0 else "end" if east else "middle"
        dx = reach * east if anchor != "middle" else wide * _OFF * east
        base = -reach - more_lines if "n" in side else reach + 2 * rise if "s" in side else rise - more_lines / 2
        yield penalty, at(dx, base, anchor)


def _in_lines(name: str, style: TownStyle) -> tuple[tuple[str, ...], float]:
    """A name on one line, or a long one on two or in smaller letters; and the size of the letters."""
    if text_width(name, style.size, bold=style.bold) <= _WIDEST:
        return (name,), style.size
    fitted = fit_lines(name, style.size, _WIDEST, 2.2 * style.size, least=_LEAST, bold=style.bold)
    return ((name,), _LEAST) if fitted.cut else (fitted.lines, fitted.size)
