"""Towns and other places on a map: their signs, and their names where these cover the least."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import cos, inf, pi, sin
from typing import Literal, NamedTuple

from ...drawing.lettering import FIGURE_HEIGHT, fit_lines, text_width
from ...drawing.scene import ANCHORS, Circle, Group, Layer, Point, Polygon, Shape, Text, text_lines
from ...game.boards import Place
from ..colours import INK, WHITE
from ..layout import Area
from ..style import COUNTER
from .names import LEAST, printed
from .survey import Room, Scale, Survey

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
    "spot": TownStyle(0.9, LEAST, False),
    "village": TownStyle(1.3, 4.25, False),
    "town": TownStyle(1.95, 4.9, False),
    "city": TownStyle(2.8, 6.0, True),
    "fortress": TownStyle(4.8, 5.4, True),
}
_WORDS: dict[str, Kind] = {
    "fort": "fortress", "fortress": "fortress", "citadel": "fortress", "stronghold": "fortress",
    "city": "city", "capital": "city", "metropolis": "city", "large": "city", "major": "city",
    "village": "village", "hamlet": "village", "station": "village", "small": "village", "minor": "village", "halt": "village", "platform": "village",
}  # fmt: skip
_GAP = 1.0
#: How far a sign reaches towards the corners of its box, as a share.
_ROUND = 0.6
#: How many bastions a fortress has, and how much larger its sign is than that of a place alone.
_BASTIONS, _WALLED = 6, 2.0
#: Where a name may stand: the compass point, and how much worse than the first one.
_SIDES = {
    "ne": 0.0, "e": 0.3, "se": 1.0, "nw": 1.4, "w": 1.5, "sw": 2.0, "s": 2.2, "n": 2.6, "sse": 2.4, "nne": 2.5, "ssw": 2.7, "nnw": 2.8,
}  # fmt: skip
#: How far names between south and south-east, and the like, stand off the middle, as a share of their width.
_OFF_MIDDLE = 0.28
#: How bad it is to cover a name, the sign of a town, or what does not belong to the map.
NAME, SIGN, COVERED, BEYOND = 240.0, 120.0, 6.0, 30.0
#: By a counter, names stand so far off the middle of the hex, or off the edge of the counter.
_BELOW, _ABOVE, _BESIDE = 14.6, 1.1, 1.5
_BY_COUNTER, _BESIDE_COUNTER = ("below", "above"), ("right", "left")
#: Where names may stand, the best places first: how much worse, the side, and how far it is moved away from the sign, no
#: farther than its letters are high, or aside.
_PLACES = sorted((penalty + more, side, more) for side, penalty in _SIDES.items() for more in (0.0, 0.8, 1.6, 2.4, 3.1))
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
#: The widest line of a name, and from one line to the next as a share of the size.
_WIDEST, _PITCH = 30.0, 1.0
#: How bad a place may be that is clear of other names and of numbers; a small map shows no town, and no city or fortress,
#: whose name finds only a worse one.
_CROWDED, _MOST_CROWDED = 110.0, 200.0


class Town(NamedTuple):
    """A named place as it is drawn: where it lies, its name, its kind, the compass point of its name, "" for any, and
    whether it is a fortress.
    """

    hex: str
    at: Point
    name: str
    kind: Kind
    side: str
    fortress: bool = False

    @property
    def rank(self) -> tuple[bool, int]:
        """How early its name chooses a place: fortresses and large towns first."""
        return not self.fortress, ORDER.index(self.kind)

    @property
    def style(self) -> TownStyle:
        """How it looks: a fortress has at least the sign and the letters of one."""
        own, fort = STYLES[self.kind], STYLES["fortress"]
        if not self.fortress:
            return own
        return TownStyle(_walled(self.kind), max(fort.size, own.size), True)


def towns_of(survey: Survey, names: Mapping[str, str]) -> list[Town]:
    """The named places of the hexes drawn within the frame, the largest first. names: further ones by hex, instead of those of the
    board.
    """
    layout = survey.layout
    towns = [
        Town(
            place.hex,
            layout.centre(place.hex),
            printed(place.name),
            kind_of(place.kind),
            place.label,
            is_fortress(place),
        )
        for place in survey.places
        if layout.draws(place.hex) and place.hex not in names
    ]
    known = {place.hex: place for place in survey.places}
    for at, name in names.items():
        place = known.get(at)
        kind = kind_of(place.kind) if place else "town"
        towns.append(Town(at, layout.centre(at), name, kind, "", place is not None and is_fortress(place)))
    seen = [town for town in towns if survey.holds(town.at)]
    kept = [town for town in seen if not survey.scale.small or town.fortress or town.kind not in LESSER]
    return sorted(kept, key=lambda town: (town.rank, town.hex))


def is_fortress(place: Place) -> bool:
    """Whether a place is drawn as a fortress."""
    return place.fortress or kind_of(place.kind) == "fortress"


def kind_of(word: str) -> Kind:
    """What the class of a place means: a town if it is not a common word, a mere spot if it has none."""
    if not word:
        return "spot"
    parts = word.casefold().replace("-", " ").split()
    return next((_WORDS[part] for part in parts if part in _WORDS), "town")


def town_shapes(kind: Kind, at: Point, scale: float = 1.0, *, fortress: bool = False) -> list[Shape]:
    """The sign of a place; a fortress has bastions round it."""
    x, y = at
    radius = STYLES[kind].radius * scale
    if fortress or kind == "fortress":
        far = _walled(kind) * scale
        angles = [(n * pi / _BASTIONS, far if n % 2 == 0 else far * 0.7) for n in range(2 * _BASTIONS)]
        star = tuple((x + reach * sin(angle), y - reach * cos(angle)) for angle, reach in angles)
        walls: list[Shape] = [Polygon(points=star, fill=INK, stroke=WHITE, width=0.35 * scale)]
        within = Circle(x=x, y=y, radius=far * 0.38, fill=WHITE)
        return [*walls, within, Circle(x=x, y=y, radius=far * 0.18, fill=INK)] if kind == "city" else [*walls, within]
    ring = Circle(x=x, y=y, radius=radius, fill=WHITE, stroke=INK, width=0.45 + radius * 0.14)
    return [ring, Circle(x=x, y=y, radius=radius * 0.4, fill=INK)] if kind == "city" else [ring]


def _walled(kind: Kind) -> float:
    """The radius of the sign of a place with bastions round it."""
    own, fort = STYLES[kind].radius, STYLES["fortress"].radius
    return max(fort, own * _WALLED if kind != "fortress" else 0.0)


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
    placed = _place_names(survey, towns, room, dict.fromkeys(counters, counter)) if named else {}
    signs, names = list[Shape](), list[Shape]()
    for town in towns:
        sign = town_shapes(town.kind, town.at, survey.scale.signs, fortress=town.fortress)
        if not named:
            signs += sign
        elif town in placed:
            name = placed[town].name
            signs.append(Group(town.name, tuple(sign)))
            names += name.texts()
            room.take(name.box, NAME)
    return [Layer("towns", tuple(signs)), *([Layer("names", tuple(names))] if named else [])]


def take_signs(survey: Survey, towns: Sequence[Town], room: Room) -> None:
    """Take the room of the signs of towns."""
    for town in towns:
        (x, y), far = town.at, town.style.radius * survey.scale.signs
        for wide, high in ((far, far * _ROUND), (far * _ROUND, far)):
            room.take(Area(x - wide, y - high, x + wide, y + high), SIGN)


class Name(NamedTuple):
    """A name where it may stand: its lines, their size, the point of the first one and the box that they fill."""

    lines: tuple[str, ...]
    size: float
    bold: bool
    x: float
    y: float
    anchor: Literal["start", "middle", "end"]
    box: Area

    def texts(self) -> list[Text]:
        """The lines as they are drawn."""
        style = {"x": self.x, "anchor": self.anchor, "bold": self.bold, "fill": INK}
        return text_lines(self.lines, self.y, self.size, _PITCH, **style)


class _Placed(NamedTuple):
    """A name in its place. cost: how bad it is there."""

    cost: float
    name: Name


def _place_names(
    survey: Survey, towns: Sequence[Town], room: Room, counters: Mapping[str, float]
) -> dict[Town, _Placed]:
    """The names of towns, each where it covers the least; a small map leaves out towns that find no room.

    Where one covers a name or a number, all are placed once more: it chooses before others of its rank.
    counters: the side of the counter in a hex.
    """
    placed = _place_in_turn(survey, towns, room, counters)
    crowded = {town for town, place in placed.items() if place.cost > _CROWDED}
    if not crowded or survey.scale.small:
        return placed
    order = sorted(towns, key=lambda town: (town.rank, town not in crowded))
    again = _place_in_turn(survey, order, room, counters)
    return min(placed, again, key=lambda places: sum(place.cost for place in places.values()))


def _place_in_turn(
    survey: Survey, towns: Sequence[Town], room: Room, counters: Mapping[str, float]
) -> dict[Town, _Placed]:
    """The names of towns, each where it covers the least of what is there and of the names before it."""
    room = room.copy()
    placed: dict[Town, _Placed] = {}
    for town in towns:
        place = _place(town, room, survey, counter=counters.get(town.hex, 0.0))
        lesser = town.kind == "town" and not town.fortress
        if survey.scale.small and place.cost > (_CROWDED if lesser else _MOST_CROWDED):
            continue
        room.take(place.name.box, NAME)
        placed[town] = place
    return placed


def _place(town: Town, room: Room, survey: Survey, *, counter: float) -> _Placed:
    """The name of a town where it covers the least. counter: the side of the one in its hex, 0 for none."""
    frame = survey.frame
    best: _Placed | None = None
    for penalty, name in _choices(town, survey.scale, counter=counter):
        if best is not None and penalty >= best.cost:
            break  # the others are no better
        left, top, right, bottom = name.box
        out = max(frame.left - left, right - frame.right, frame.top - top, bottom - frame.bottom, 0.0)
        covered = _over_counter(town.at, name.box, counter / 2) if counter else 0.0
        cost = penalty + out * BEYOND + covered
        cost += room.cost(name.box, best.cost - cost if best else inf)
        if best is None or cost < best.cost:
            best = _Placed(cost, name)
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
    style = town.style
    lines, size = _in_lines(town.name, style)
    size *= scale.letters
    wide = max(text_width(line, size, bold=style.bold) for line in lines)
    rise, more_lines = size * FIGURE_HEIGHT / 2, (len(lines) - 1) * size * _PITCH
    x, y = town.at

    def name_at(dx: float, base: float, anchor: Literal["start", "middle", "end"]) -> Name:
        left = x + dx - ANCHORS[anchor] * wide
        box = Area(left, y + base - size * 0.78, left + wide, y + base + more_lines + size * 0.2)
        return Name(lines, size, style.bold, x + dx, y + base, anchor, box)

    stated = town.side in _SIDES
    for penalty, side, more in _PLACES_BY_COUNTERS if counter and not stated else _PLACES:
        if stated and side != town.side:
            continue
        if side in _BY_COUNTER:
            yield penalty, name_at(more, _BELOW - more_lines if side == "below" else -counter / 2 - _ABOVE, "middle")
            continue
        if side in _BESIDE_COUNTER:
            right, beside = side == "right", counter / 2 + _BESIDE
            yield (
                penalty,
                name_at(beside if right else -beside, rise - more_lines / 2 + more, "start" if right else "end"),
            )
            continue
        far = style.radius * scale.signs + (_GAP + more) * scale.letters
        off = far * 0.72 if len(side) == 2 else far
        east = ("e" in side) - ("w" in side)
        anchor: Literal["start", "middle", "end"] = "middle"
        if len(side) < 3:
            anchor = "start" if east > 0 else "end" if east else "middle"
        dx = off * east if anchor != "middle" else wide * _OFF_MIDDLE * east
        base = -off - more_lines if "n" in side else off + 2 * rise if "s" in side else rise - more_lines / 2
        yield penalty, name_at(dx, base, anchor)


def _in_lines(name: str, style: TownStyle) -> tuple[tuple[str, ...], float]:
    """A name on one line, or a long one on two or in smaller letters; and the size of the letters."""
    if text_width(name, style.size, bold=style.bold) <= _WIDEST:
        return (name,), style.size
    fitted = fit_lines(name, style.size, _WIDEST, 2.2 * style.size, least=LEAST, bold=style.bold)
    return ((name,), LEAST) if fitted.cut else (fitted.lines, fitted.size)
