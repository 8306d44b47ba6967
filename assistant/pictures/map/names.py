"""Names on a map: towns and other places with their signs, rivers along their course, numbers of hexes, and the names
of regions where they cover the least.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from math import atan2, cos, degrees, dist, hypot, pi, radians, sin, sqrt
from typing import Literal, NamedTuple

from ...drawing.lettering import FIGURE_HEIGHT, fit_lines, text_width
from ...drawing.scene import ANCHORS, Circle, Group, Layer, Point, Polygon, Shape, Text, text_lines
from ...game.boards import Place
from ..colours import INK, WHITE, ink_on, mix
from ..layout import Area, middle_of
from ..style import COUNTER, HEX, RADIUS, RIVER
from .courses import Line, point_at, reach, smooth
from .survey import Room, Scale, Survey
from .wander import STEPS
from .waters import River, Waters

Kind = Literal["spot", "village", "town", "city", "fortress"]


class TownStyle(NamedTuple):
    """How a class of places looks: the radius of its sign, the size of its names, and whether they are bold."""

    radius: float
    size: float
    bold: bool


LEAST = 4.15
"""The least size of letters on a map: what can be read in print where a hex is 16 mm high."""
ORDER: tuple[Kind, ...] = ("fortress", "city", "town", "village", "spot")
LESSER: tuple[Kind, ...] = ("village", "spot")
"""The kinds that a map too small for hexes leaves out."""
STYLES: dict[Kind, TownStyle] = {
    "spot": TownStyle(0.75, LEAST, False),
    "village": TownStyle(1.2, 4.25, False),
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
#: What a printed name leaves out.
_APART = re.compile(r" (\([^)]*\)|[Rr]iver)$")
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
#: The widest line of a name, and from one line to the next as a share of the size.
_WIDEST, _PITCH = 30.0, 1.0
#: How bad a place may be at which a lesser town is still named on a small map.
_CROWDED = 80.0


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
    def style(self) -> TownStyle:
        """How it looks: a fortress has at least the sign and the letters of one."""
        own, fort = STYLES[self.kind], STYLES["fortress"]
        if not self.fortress:
            return own
        return TownStyle(_walled(self.kind), max(fort.size, own.size), True)


def towns_of(survey: Survey, names: Mapping[str, str]) -> list[Town]:
    """The named places of the hexes drawn, the largest first. names: further ones by hex, instead of those of the
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
    kept = [town for town in towns if not survey.scale.small or town.fortress or town.kind not in LESSER]
    return sorted(kept, key=lambda town: (not town.fortress, ORDER.index(town.kind), town.hex))


def is_fortress(place: Place) -> bool:
    """Whether a place is drawn as a fortress."""
    return place.fortress or kind_of(place.kind) == "fortress"


def printed(name: str) -> str:
    """A name as a map prints it, without what keeps it apart from others of its like: `Kreuzburg (Prussia)` and
    `Goldap river` stand where they lie.
    """
    return _APART.sub("", name) or name


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
    if kind == "spot":
        return [Circle(x=x, y=y, radius=radius, fill=INK)]
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
    signs: list[Shape] = []
    for town in towns:
        sign = town_shapes(town.kind, town.at, survey.scale.signs, fortress=town.fortress)
        signs += [Group(town.name, tuple(sign))] if named else sign
    if not named:
        return [Layer("towns", tuple(signs))]
    names: list[Shape] = []
    for town in towns:
        cost, name = _place(town, room, survey, counter=counter if town.hex in counters else 0.0)
        if survey.scale.small and town.kind == "town" and not town.fortress and cost > _CROWDED:
            continue
        room.take(name.box, NAME)
        names += name.texts(survey.ground(town.hex))
    return [Layer("towns", tuple(signs)), Layer("names", tuple(names))]


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

    def texts(self, halo: str) -> list[Text]:
        """The lines as they are drawn. halo: the colour of the ground."""
        style = {"x": self.x, "anchor": self.anchor, "bold": self.bold, "fill": INK, "halo": halo}
        return text_lines(self.lines, self.y, self.size, _PITCH, **style)


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


# --- letters and numbers ----------------------------------------------------------------------------------------------


def letters(
    text: str,
    line: Line,
    size: float,
    *,
    spread: float = 1.0,
    start: float | None = None,
    off: float = 0.0,
    ink: str = INK,
    slant: bool = False,
) -> list[Text]:
    """The letters of a text along a line. spread: the room for each, in its widths; start: how far along the first one
    stands, by default so that the text is in the middle; off: how far above the line they stand, else centred on it.
    """
    far = reach(line)
    widths = [text_width(letter, size) for letter in text]
    room = sum(widths) * spread - (widths[-1] * (spread - 1) if widths else 0.0)
    at = (far[-1] - room) / 2 if start is None else start
    down = size * 0.36 if not off else -off
    texts = []
    for letter, width in zip(text, widths, strict=True):
        (x, y), (dx, dy) = point_at(line, far, at + width / 2)
        if letter.strip():
            texts.append(
                Text(
                    x=x - dy * down,
                    y=y + dx * down,
                    text=letter,
                    size=size,
                    anchor="middle",
                    fill=ink,
                    turn=degrees(atan2(dy, dx)),
                    slant=slant,
                )
            )
        at += width * spread
    return texts


def letter_box(letter: Text) -> Area:
    """The box of a letter, which may be turned."""
    half = letter.size * 0.36
    up = half * 0.8
    angle = radians(letter.turn)
    x, y = letter.x + sin(angle) * up, letter.y - cos(angle) * up
    return Area(x - half, y - half, x + half, y + half)


def take_texts(shapes: Iterable[Shape], room: Room, weight: float) -> None:
    """Take the room of names that are written: of level lines, and of letters along a line. weight: how bad it is to
    cover one.
    """
    for shape in shapes:
        if isinstance(shape, Group):
            take_texts(shape.shapes, room, weight)
        elif isinstance(shape, Text):
            room.take(text_box(shape) if len(shape.text) > 1 else letter_box(shape), weight)


def text_box(text: Text) -> Area:
    """The box of a level line of text."""
    width = text_width(text.text, text.size, bold=text.bold)
    left = text.x - ANCHORS[text.anchor] * width
    return Area(left, text.y - text.size * FIGURE_HEIGHT, left + width, text.y + text.size * 0.1)


_NUMBER_SIZE = LEAST
WATER_INK = mix(RIVER, INK, 0.35)
#: The size of rivers' names, how far apart their letters stand, how far off the river they are, and hexes from one to
#: the next.
_RIVER_SIZE, _SPACED, _OFF, _AGAIN = 4.2, 1.16, 1.7, 12.0
#: How far below the upper edge of its hex a number stands, where no river reaches it and few counters do; how far it is
#: off a line due north, and off a slanted hexside.
_NUMBER_DEPTH, _OFF_NORTH, _OFF_SIDE = 3.2, 2.2, 0.6
#: How much of the ground the ink of numbers has, so that they are seen when looked for; on a small map more of it.
_QUIET, _QUIETER = 0.46, 0.6
#: Up to how much larger letters all hexes have their number.
_NUMBERS_TO = 1.3
#: How bad it is for a river's name to bend, for a letter to stand beyond the hexes drawn, and to stand aside of the
#: middle of its stretch; how bad a place may be; how bad it is for others to cover one of its letters.
_BENT, _BEYOND, _ASIDE = 14.0, 40.0, 3.0
_MOST_COST = 26.0
_LETTER = 50.0


def number_texts(survey: Survey, beside: Collection[str], *, rims: bool = True) -> list[Text]:
    """The printed hex numbers at the top of the hexes; left of the middle in the hexes `beside`, where a line runs.

    rims: whether all have one that keeps them legible, and not only those beside a line.
    """
    texts = []
    larger = survey.scale.letters
    size, quiet = _NUMBER_SIZE * larger, _QUIETER if larger > _NUMBERS_TO else _QUIET
    for name in _number(survey):
        x, y = survey.layout.centre(name)
        ground = survey.ground(name)
        aside = name in beside
        depth = _NUMBER_DEPTH
        if aside:  # lower where it is so long that it would lie on the slanted hexside at its left
            depth = max(depth, (_OFF_NORTH + text_width(name, size) + _OFF_SIDE - RADIUS / 2) * sqrt(3))
        texts.append(
            Text(
                x=x - _OFF_NORTH if aside else x,
                y=y - HEX / 2 + depth + size * FIGURE_HEIGHT,
                text=name,
                size=size,
                anchor="end" if aside else "middle",
                halo=ground if rims or aside else "",
                fill=mix(ink_on(ground), ground, quiet),
            )
        )
    return texts


def _number(survey: Survey) -> list[str]:
    """The hexes that have their number: all, or where that would be too small those whose column and row are multiples
    of five.
    """
    names = survey.layout.names
    if survey.scale.letters <= _NUMBERS_TO:
        return list(names)
    at = {name: survey.board.grid.parse(name) for name in names}
    return [name for name in names if at[name].column % 5 == 0 and at[name].row % 5 == 0]


# --- rivers -----------------------------------------------------------------------------------------------------------


def river_names(survey: Survey, waters: Waters, room: Room) -> list[Shape]:
    """The names of rivers beside them, where they run straight and nothing else is written; again on a long river."""
    shapes: list[Shape] = []
    written: dict[str, list[Text]] = {}
    for river in waters.rivers:
        name = river.course.name
        if not name:
            continue
        for text in _along_river(survey, river, room):
            near = _AGAIN * HEX * 0.6 * survey.scale.letters
            if any(hypot(other.x - text[0].x, other.y - text[0].y) < near for other in written.get(name, ())):
                continue
            written.setdefault(name, []).append(text[0])
            shapes.append(Group(name, tuple(text)))
            for letter in text:
                room.take(letter_box(letter), _LETTER)
    return shapes


def _along_river(survey: Survey, river: River, room: Room) -> Iterator[list[Text]]:
    """The places of a river's name, one on each stretch of its course where it covers the least."""
    line = _calm(river.line)
    name, larger = printed(river.course.name), survey.scale.letters
    size = (_RIVER_SIZE + min(max(river.widths), 3.0) * 0.35) * larger
    wide = text_width(name, size) * _SPACED
    far = reach(line)
    length = far[-1]
    if length < wide * 1.15:
        return
    many = max(round(length / (_AGAIN * HEX * larger)), 1)
    for number in range(many):
        lower, upper = length * number / many, length * (number + 1) / many - wide
        best: tuple[float, list[Text]] | None = None
        steps = max(int((upper - lower) / (HEX * 0.7)), 1)
        for step in sorted(range(steps + 1), key=lambda step: abs(step / steps - 0.5)):
            start = lower + (upper - lower) * step / steps
            aside_by = abs(step / steps - 0.5) * _ASIDE
            if start < 0 or start + wide > length:
                continue
            if best is not None and aside_by >= best[0]:
                break  # those farther aside are no better
            piece, bent = _stretch(line, far, start, wide)
            for way in (1, -1):
                worst = _MOST_COST if best is None else best[0]
                cost = aside_by + bent * _BENT
                if cost >= worst:
                    break
                text = _write(name, piece, size, river, way)
                for letter in text:
                    box = letter_box(letter)
                    cost += room.cost(box) + (0.0 if survey.frames(box) else _BEYOND)
                    if cost >= worst:
                        break
                else:
                    best = cost, text
        if best is not None:
            yield best[1]


def _stretch(line: Line, far: list[float], start: float, wide: float) -> tuple[Line, float]:
    """The stretch of a river along which its name may stand, from west to east, and how much it bends."""
    piece = tuple([point_at(line, far, start + wide * number / 12)[0] for number in range(13)])
    if piece[0][0] > piece[-1][0]:
        piece = piece[::-1]
    chord = dist(piece[0], piece[-1]) or 1.0
    steep = abs(piece[-1][1] - piece[0][1]) / chord
    return piece, (wide / chord - 1) * 12 + max(steep - 0.8, 0) * 2


def _write(name: str, piece: Line, size: float, river: River, way: int) -> list[Text]:
    """A river's name above (1) or below (-1) a stretch of it."""
    edge = max(river.widths) / 2 + _OFF
    off = edge if way > 0 else -(edge + size * 0.66)
    return letters(name, piece, size, spread=_SPACED, start=0.0, off=off, ink=WATER_INK, slant=True)


def _calm(line: Line) -> Line:
    """A line without its small bends, along which letters stand quietly."""
    some = line[:: STEPS // 2]
    if len(some) < 4:
        return line
    if some[-1] != line[-1]:
        some = (*some, line[-1])
    return smooth([middle_of(some[max(number - 3, 0) : number + 4]) for number in range(len(some))], 3)
