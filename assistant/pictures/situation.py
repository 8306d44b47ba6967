"""Pictures of a situation: some hexes of a board with a margin, their units, lines, markers and attacks; a line; a
combat.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import dist

from msgspec.structs import replace

from ..drawing.lettering import base_line, fit, text_width, wrap
from ..drawing.scene import (
    Circle,
    Group,
    Layer,
    Point,
    Polyline,
    Rectangle,
    Scene,
    Shape,
    Symbol,
    Text,
    inset,
    text_lines,
)
from ..field.places import hex_named, hexes_with
from ..game.boards import Basis, Board, Place
from ..questions.view import View
from ..state.state import hexside
from ..state.tracks import Source, Track, Value
from ..util.errors import InputError, Where
from ..util.texts import folded
from .colours import INK, WHITE, ink_on, mix
from .counters import Face, draw_stack, face, unseen_face
from .layout import Area, Layout, distance_inside, from_upper_left, hexes_around, on_map, point_between
from .legend import Key, map_key
from .map.drawing import MapWish, map_layers
from .map.survey import Look, Survey
from .style import ARROW, HEX, LINES, MARGIN, PAPER, SOFT_INK, Palette, marker_colour
from .symbols import ASPECT, Symbols

_LABEL_SIZE, _LABEL_HEIGHT = 2.6, 3.7
_GAP_BELOW_LABEL, _GAP_WITHOUT_STACK = 1.0, 4.5
_SHORTEST_ARROW = 4.6
_MARKER, _BESIDE = 6.4, 0.6
"""The side of a marker, and how far it lies from the counters."""


def casing_layer(layout: Layout, lines: Sequence[Sequence[str]]) -> Layer:
    """The translucent casings of lines, below roads and railways."""
    width = 5.0 if len(lines) == 1 else 3.6
    shapes = [
        Polyline(points=points, stroke="", casing=mix(colour, WHITE, 0.25), casing_width=width, casing_opacity=0.35)
        for points, colour, _ in _ways(layout, lines)
    ]
    return Layer("casings", tuple(shapes))


def line_layer(layout: Layout, lines: Sequence[Sequence[str]]) -> Layer:
    """The lines themselves: through the hex centres, with a dot in each hex."""
    shapes: list[Shape] = []
    for points, colour, dash in _ways(layout, lines):
        shapes.append(Polyline(points=points, stroke=colour, width=1.0, dash=dash))
        shapes += [Circle(x=x, y=y, radius=1.3, fill=WHITE, stroke=colour, width=0.6) for x, y in points]
    return Layer("lines", tuple(shapes))


def _ways(layout: Layout, lines: Sequence[Sequence[str]]) -> Iterator[tuple[tuple[Point, ...], str, tuple[float, ...]]]:
    """The points of each line with its colour and dash.

    Several lines run side by side: shifted across the flat sides of the hexes, they never cover one another.
    """
    for number, line in enumerate(lines):
        if len(line) > 1:
            by = (number - (len(lines) - 1) / 2) * 4.4
            dx, dy = (by, 0.0) if layout.flat else (0.0, by)
            yield tuple((x + dx, y + dy) for x, y in map(layout.centre, line)), *LINES[number % len(LINES)]


def marker_layer(
    layout: Layout, look: Look, symbols: Symbols, arrows: Sequence[tuple[str, str]], stacks: Mapping[str, Area]
) -> Layer:
    """What has been placed on hexes, such as an Improved Position: small markers beside the counters, with the symbols
    of the game's own.

    They lie left of the counters, right of them where an arrow leads to the left, and in the middle of an empty hex.
    """
    shapes: list[Shape] = []
    for name in layout.names:
        markers = list(_markers(name, look, symbols))
        x, y = layout.centre(name)
        left = x - _MARKER / 2
        if name in stacks:
            to_the_right = any(_leads_west(layout, name, pair) for pair in arrows)
            left = stacks[name].right + _BESIDE if to_the_right else stacks[name].left - _BESIDE - _MARKER
        for number, (track, value, symbol) in enumerate(markers):
            top = y + (number - len(markers) / 2) * (_MARKER + 0.6) + 0.3
            title = f"{name}: {track.title}" + ("" if value is True else f" {track.write(value)}")
            shapes.append(Group(title, tuple(_marker(track, value, symbol, left, top, look.palette))))
    return Layer("markers", tuple(shapes))


def marker_sentences(layout: Layout, look: Look, symbols: Symbols) -> Iterator[str]:
    """The markers of hexes in words, a sentence each."""
    for name in layout.names:
        for track, value, _ in _markers(name, look, symbols):
            yield f"Hex {name}: {track.title}" + ("." if value is True else f" {track.write(value)}.")


def _markers(name: str, look: Look, symbols: Symbols) -> Iterator[tuple[Track, Value, Symbol]]:
    for track_name, pattern in look.picture.markers.items():
        track, fact = look.game.tracks.get(track_name), look.fact(track_name, name)
        if track is None or fact is None or not fact.value or fact.value == track.absent or fact.value == track.nothing:
            continue
        if symbol := symbols.symbol(pattern.replace("{}", track.write(fact.value))):
            yield track, fact.value, symbol


def _marker(track: Track, value: Value, symbol: Symbol, left: float, top: float, palette: Palette) -> Iterator[Shape]:
    """A marker: its symbol over the words of its tag, if it has one."""
    colour = marker_colour(track, value, palette)
    yield inset(left, top, _MARKER, _MARKER, 0.1, radius=0.7, fill=colour, stroke=WHITE, stroke_width=0.2)
    words = track.tag(value) if track.module else ""
    width = _MARKER - (2.2 if words else 1.2)
    height = width / ASPECT
    y = top + (0.5 if words else (_MARKER - height) / 2)
    ink = ink_on(colour)
    yield replace(symbol, x=left + (_MARKER - width) / 2, y=y, width=width, height=height, ink=ink)
    if words:
        text = fit(words, 2.2, _MARKER - 0.8, least=1.4, bold=True)
        base = top + _MARKER - 0.75
        yield Text(
            x=left + _MARKER / 2, y=base, text=text.lines[0], size=text.size, anchor="middle", bold=True, fill=ink
        )


def _leads_west(layout: Layout, name: str, arrow: tuple[str, str]) -> bool:
    """Whether an arrow runs straight to the left from the middle of a hex, or comes from there."""
    if name not in arrow:
        return False
    (x, y), (other_x, other_y) = layout.centre(name), layout.centre(arrow[1] if arrow[0] == name else arrow[0])
    return other_x < x and abs(other_y - y) < HEX / 4


def arrow_layer(layout: Layout, arrows: Sequence[tuple[str, str]], stacks: Mapping[str, Area]) -> Layer:
    """An arrow for each attack, from the attacker's counters to the hexside of the defender's hex."""
    shapes: list[Shape] = []
    for attacker, defender in arrows:
        start, end = layout.centre(attacker), layout.centre(defender)
        length = dist(start, end)
        if not length:
            continue
        tip = length - distance_inside(layout.corners(defender), end, start) - 0.3
        foot = distance_inside(stacks[attacker].corners, start, end) + 0.7 if attacker in stacks else HEX / 5
        foot = max(min(foot, tip - _SHORTEST_ARROW), 0)
        ends = point_between(start, end, foot / length), point_between(start, end, tip / length)
        line = Polyline(points=ends, stroke=ARROW, width=1.7, head=3.6, casing=WHITE, casing_width=2.7)
        shapes.append(Group(f"{attacker} attacks {defender}", (line,)))
    return Layer("arrows", tuple(shapes))


def label_room(layout: Layout, name: str, stacks: Collection[str]) -> Area:
    """The room for the label of a hex: at its bottom below a stack, else farther from the number of the next hex."""
    x, y = layout.centre(name)
    top = y + HEX / 2 - _LABEL_HEIGHT - (_GAP_BELOW_LABEL if name in stacks else _GAP_WITHOUT_STACK)
    return Area(x - HEX * 0.28, top, x + HEX * 0.28, top + _LABEL_HEIGHT)


def label_layer(
    layout: Layout, labels: Mapping[str, str], stacks: Collection[str], beside: Collection[str] = ()
) -> Layer:
    """A small label in the lower half of each hex; clear of an arrow in the hexes `beside`. stacks: the hexes with units."""
    shapes: list[Shape] = []
    for name, text in labels.items():
        if not text:
            continue
        x, top = layout.centre(name)[0], label_room(layout, name, stacks).top
        label = fit(text, _LABEL_SIZE, HEX * (0.22 if name in beside else 0.56), least=2.0)
        width = text_width(label.lines[0], label.size) + 2.2
        if name in beside and layout.flat:
            x -= width / 2 + 2.6
        box = x - width / 2, top, width, _LABEL_HEIGHT
        pill = inset(*box, 0, radius=1.2, fill=WHITE, stroke=SOFT_INK, stroke_width=0.25)
        base = base_line(top + _LABEL_HEIGHT / 2, label.size)
        words = Text(x=x, y=base, text=label.lines[0], size=label.size, anchor="middle", fill=INK)
        shapes.append(Group(f"{name}: {text}", (pill, words)))
    return Layer("labels", tuple(shapes))


# --- the page ---------------------------------------------------------------------------------------------------------

_TITLE_SIZE, _CAPTION_SIZE = 5.0, 3.4
#: From the hex centre to the upper and lower end of the room for counters, without and with a label below.
_ROOM_ABOVE, _ROOM_BELOW, _ROOM_BELOW_LABELLED = 12.2, 15.4, 11.9
#: The same if an arrow leaves in that direction, straight or slanting.
_ROOM_BY_ARROW, _ROOM_BY_SLANTED_ARROW = 11.4, 10.4


class Page:
    """What is written round a map: the title above it, and below it keys and the caption, all of one width.

    wide: that width, at least, in millimetres; a long word of the caption makes it wider.
    """

    def __init__(self, title: str, caption: Sequence[str], wide: float) -> None:
        words = [word for text in caption for word in text.split()]
        self.wide = max(wide, *(text_width(word, _CAPTION_SIZE) for word in words), 0.0)
        self._heading = wrap(title, _TITLE_SIZE, self.wide, bold=True)
        self._caption = [line for text in caption for line in wrap(text, _CAPTION_SIZE, self.wide)]
        self.width = self.wide + 2 * MARGIN
        self.top = MARGIN + len(self._heading) * _TITLE_SIZE * 1.3 + 2.0

    def layers(self, bottom: float, keys: Sequence[Key]) -> tuple[list[Layer], float]:
        """What is written, and the height of the page. bottom: the lower edge of the map."""
        title = text_lines(self._heading, MARGIN + _TITLE_SIZE * 0.8, _TITLE_SIZE, 1.3, x=MARGIN, bold=True, fill=INK)
        layers, y = [Layer("title", tuple(title))], bottom + 3.0
        for key in keys:
            layers.append(key.layer(y))
            y += key.height + 1.0
        caption = text_lines(self._caption, y + 1.0 + _CAPTION_SIZE, _CAPTION_SIZE, 1.4, x=MARGIN, fill=INK)
        return [*layers, Layer("caption", tuple(caption))], y + len(self._caption) * _CAPTION_SIZE * 1.4 + MARGIN - 1.0


def situation_scene(
    view: View,
    focus: Sequence[str],
    *,
    title: str,
    lines: Sequence[Sequence[str]] = (),
    labels: Mapping[str, str] = {},
    arrows: Sequence[tuple[str, str]] = (),
    caption: Sequence[str] = (),
) -> Scene:
    """A situation as a scene. What it reads does not count as read by the view.

    focus: the hexes to show, with all hexes around them; boxes and hexes off the map are left out, here and below.
    lines: the hexes that each line, such as an LOC, passes. arrows: attacker's and defender's hexes. Both are shown
    whole. labels: a few characters for a hex. caption: what stands below the map, wrapped here.

    Raises InputError if no hex is left to draw, or if a colour of the game is invalid.
    """
    look, symbols = Look(view), Symbols(view.game)
    lines = [on_map(view.board, line) for line in lines]
    arrows = [(ends[0], ends[1]) for pair in arrows if len(ends := on_map(view.board, pair)) == 2]
    shown = _with_margin(view, focus, [name for line in (*lines, *arrows) for name in line])
    bare = Layout(view.board, shown)
    labels = {name: text for place, text in labels.items() for name in on_map(view.board, [place]) if bare.draws(name)}
    page = Page(title, [*caption, *drawn_note(view.board)], max(bare.width, 110.0))
    layout = Layout(view.board, shown, ((page.width - bare.width) / 2, page.top))

    counters, boxes, faces = counters_of(layout, look, symbols, arrows, labels)
    crossed = {name for pair in arrows for name in layout.due_north(*pair) if name == pair[0]}
    steps = [pair for line in lines for pair in pairwise(line)]
    followed = {hexside(*pair) for pair in steps}
    crossed |= {name for pair in steps for name in layout.due_north(*pair)}
    survey = Survey(layout, look, symbols, places=named_places(view))
    written, height = page.layers(page.top + layout.height, [map_key(survey, nations_of_units(look, shown), page.wide)])
    rooms = (label_room(layout, name, boxes) for name in labels)
    taken = [*boxes.values(), *rooms, *(_around(layout, *pair) for pair in arrows)]
    wish = MapWish(regions=False, counters=boxes.keys(), followed=followed, beside=crossed, taken=taken)
    drawn = map_layers(survey, (page.width, height), PAPER, wish)
    return Scene(
        width=page.width,
        height=height,
        title=title,
        description=" ".join([_in_words(faces, lines, arrows, labels), *marker_sentences(layout, look, symbols)]),
        layers=(
            Layer("paper", (Rectangle(x=0, y=0, width=page.width, height=height, fill=PAPER),)),
            *drawn.ground,
            casing_layer(layout, lines),
            *drawn.ways,
            line_layer(layout, lines),
            *drawn.written,
            counters,
            marker_layer(layout, look, symbols, arrows, boxes),
            label_layer(layout, labels, boxes, _steep(layout, arrows, north=False)),
            arrow_layer(layout, arrows, boxes),
            *written,
        ),
    )


def drawn_note(board: Board) -> Iterator[str]:
    """The sentence that says of a drawn map that it is not the printed one; nothing for a board without drawn facts."""
    if any(fact.source is Source.DRAWN for fact in board.facts.values()):
        yield f"The map is drawn, not from the printed game: {board.title}."


def nations_of_units(look: Look, hexes: Sequence[str]) -> list[str]:
    """The nations of the units in some hexes."""
    nations = [look.word(look.picture.nation, unit.id) for name in hexes for unit in look.state.stack(name)]
    return [nation for nation in nations if nation]


def _around(layout: Layout, one: str, other: str) -> Area:
    """The middle of an arrow from one hex to another."""
    x, y = point_between(layout.centre(one), layout.centre(other), 0.5)
    return Area(x - 5, y - 5, x + 5, y + 5)


def named_places(view: View) -> tuple[Place, ...]:
    """The named places of the board, on the printed map those of the game's boards that have its numbers; and those that
    the position or a pack names, which no board then draws elsewhere.
    """
    drawn = [view.board] if view.board.name else [*map(view.game.board, view.game.board_names)]
    whole = (board for board in drawn if view.board.name or view.game.has_printed_numbers(board))
    stated = {at: view.word("named", at) for at in hexes_with(view, "named")} if "named" in view.game.tracks else {}
    where = {folded(name): hex_named(view, name) for name in stated.values()}
    places = (place for board in whole for place in board.places)
    found = {place.hex: place for place in places if where.get(folded(place.name), place.hex) == place.hex}
    for at, name in stated.items():
        if where[folded(name)] != at:
            continue
        basis = Basis(fact.source) if (fact := view.fact("named", at)) else Basis(Source.PRINTED)
        found.setdefault(at, Place(hex=at, name=name, kind="", label="", names={}, basis=basis, where=Where("")))
    return tuple(found.values())


def standing_scene(view: View) -> Scene:
    """The hexes where units stand, with those around them: what the viewpoint knows of them. Raises InputError if none
    stands on the map.
    """
    standing = (unit.place for unit in view.state.units.values() if unit.place)
    hexes = [place for place in dict.fromkeys([*standing, *view.unseen]) if view.board.is_hex(place)]
    if not hexes:
        raise InputError("no unit stands on the map: there is nothing to draw")
    return situation_scene(view, hexes, title=view.game.title)


def _with_margin(view: View, places: Sequence[str], others: Sequence[str]) -> list[str]:
    """The hexes, those around them and the others, sorted from the upper left. Raises InputError if there are none."""
    focus, others = on_map(view.board, places), on_map(view.board, others)
    if not focus and not others:
        named = ", ".join(places) or "none given"
        raise InputError(f"no hex to draw: {named}", hint=f"name hexes of the map {view.board.title}")
    return from_upper_left(view.board, {*others, *hexes_around(view.board, focus)})


def counters_of(
    layout: Layout, look: Look, symbols: Symbols, arrows: Sequence[tuple[str, str]], labels: Mapping[str, str]
) -> tuple[Layer, dict[str, Area], dict[str, list[Face]]]:
    """The counters of all hexes, with the box that each stack fills and its faces."""
    groups: list[Group] = []
    boxes: dict[str, Area] = {}
    faces: dict[str, list[Face]] = {}
    north, south = (_steep(layout, arrows, north=north) for north in (True, False))
    for name in layout.names:
        stack, unseen = look.state.stack(name), look.unseen_nation(name)
        if not stack and unseen is None:
            continue
        faces[name] = [face(unit, look) for unit in stack]
        if unseen is not None:
            faces[name].append(unseen_face(unseen, look.palette))
        drawn, boxes[name] = draw_stack(faces[name], room_of(layout, name, labels, north, south), symbols)
        groups += drawn
    return Layer("units", tuple(groups)), boxes, faces


def room_of(
    layout: Layout, name: str, labels: Mapping[str, str], north: Collection[str] = (), south: Collection[str] = ()
) -> Area:
    """The room for the counters of a hex. north, south: the hexes that an arrow leaves to the north and to the
    south.
    """
    x, y = layout.centre(name)
    narrow = _ROOM_BY_ARROW if layout.flat else _ROOM_BY_SLANTED_ARROW
    above = narrow if name in north else _ROOM_ABOVE
    below = narrow if name in south else _ROOM_BELOW_LABELLED if labels.get(name) else _ROOM_BELOW
    return Area(x - HEX / 2, y - above, x + HEX / 2, y + below)


def _steep(layout: Layout, arrows: Sequence[tuple[str, str]], *, north: bool) -> frozenset[str]:
    """The hexes whose arrow leaves more to the north (or south) than sideways, where counters make room for it."""
    centres = ((attacker, layout.centre(attacker), layout.centre(defender)) for attacker, defender in arrows)
    sign = -1 if north else 1
    return frozenset(name for name, (x0, y0), (x1, y1) in centres if sign * (y1 - y0) > abs(x1 - x0))


def _in_words(
    faces: Mapping[str, Sequence[Face]],
    lines: Sequence[Sequence[str]],
    arrows: Sequence[tuple[str, str]],
    labels: Mapping[str, str],
) -> str:
    """A description of the picture, for readers who cannot see it."""
    parts = [f"Hex {name}: {'; '.join(face.title for face in stack)}." for name, stack in faces.items()]
    parts += [f"{attacker} attacks {defender}." for attacker, defender in arrows]
    parts += [f"A line through {', '.join(line)}." for line in lines]
    parts += [f"Hex {name} is labelled {text}." for name, text in labels.items()]
    return " ".join(parts)


def line_picture(
    view: View,
    line: Sequence[str],
    *,
    title: str,
    caption: str = "",
    shown: Iterable[str] = (),
    labels: Mapping[str, str] = {},
) -> Scene:
    """A line with the hexes around it.

    line: the hexes that it passes, fewer than two for no line; shown: other hexes to show; labels: a few characters for
    a hex; caption: the text below the map.

    Raises InputError if no hex is left to draw, or if a colour of the game is invalid.
    """
    lines = [line] if len(line) > 1 else ()
    focus = list(dict.fromkeys([*line, *shown]))
    return situation_scene(view, focus, title=title, lines=lines, labels=labels, caption=[caption] if caption else [])


def combat_picture(
    view: View, at: str | Sequence[str], places: Iterable[str], *, title: str, caption: str = ""
) -> Scene:
    """The hexes of a combat and those around them.

    at: the defending hex, or several; places: those that attack; caption: the text below the map.

    Raises InputError if no hex is left to draw, or if a colour of the game is invalid.
    """
    attacking = list(dict.fromkeys(places))
    defending = [at] if isinstance(at, str) else [*at]
    arrows = [(place, target) for place in attacking for target in defending]
    return situation_scene(
        view, [*defending, *attacking], title=title, arrows=arrows, caption=[caption] if caption else []
    )
