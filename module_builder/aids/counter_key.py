"""The aid "How to read a counter": enlarged counters with the meaning of everything on them, and a key of signs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from assistant.drawing.colours import INK, WHITE, ink_on
from assistant.drawing.lettering import POINT_MM
from assistant.drawing.map.layers import leader_shapes
from assistant.drawing.scene import Group, Layer, Point, Rectangle, Shape, Symbol, enlarge, shift
from assistant.drawing.style import GRID, SOFT_INK
from assistant.drawing.symbols import name_of_size
from assistant.game.games import Game
from assistant.util.errors import InputError, Where, format_suggestion
from assistant.util.typesetting import sentence, with_spaces

from ..counters.columns import UNIT
from ..counters.design import FILE, Explained
from ..counters.faces import DESIGN_SIDE_MM, CounterPart, Cut
from ..counters.pieces import Workshop
from ..counters.shapes import Area, draw_symbol
from ..sheets.sizes import Box
from .aid_set import AidSet
from .flow import Block, Piece, Words, flow_blocks, set_line, set_words
from .page import HEADING_SIZE_MM, AidStyle, draw_bar, format_rule
from .terrain_key import find_heading

_TITLE_SIZE_MM = 9 * POINT_MM
_TEXT_SIZE_MM = 8.5 * POINT_MM
_BAR_HEIGHT_MM = 7.4
_CALLOUT_GAP_MM = 1.6
_EXAMPLE_GAP_MM = 3.0
_LEADER_ROOM_MM = 7.0
_SMALL_BACK_SHARE = 0.6
"""The side of a back, as a share of the enlarged front."""
_CLEARANCE_MM = 0.2
"""The distance between a leader and the ink of other parts, on a counter of 5/8 inch."""
_MIN_LEADER_DISTANCE_MM = 1.0
_ROUNDS = 3
"""The number of times that each leader is placed again, as later ones may stand in its way."""
_LEVEL_SHARES = (0.5, 0.25, 0.75, 0.1, 0.9)
"""The heights at which a leader may reach its part, as shares of the part's height, the best first."""
_SLOPES_MM = (0.0, -0.6, 0.6, -1.2, 1.2, -2.4, 2.4)
"""The distances of the edge of a counter by which a leader may rise or fall to its part, the best first."""
_SAMPLES = 24
"""The points of a leader that are compared with other parts."""
_SIGN_HEIGHT_MM = 6.0
_SIGN_WIDTH_MM = 11.0
_ENTRY_WIDTH_MM = 46.0
_FRAME_WIDTH_MM = 0.35
_NOT_EXPLAINED = "-"

Edge = Literal["left", "right"]


class _Callout(NamedTuple):
    """A text beside a counter."""

    title: Words
    text: Words
    part: CounterPart

    @property
    def height(self) -> float:
        return self.title.height + self.text.height


class _Leader(NamedTuple):
    """The end of the line from a callout to its part, on a counter of 5/8 inch."""

    callout: _Callout
    edge: Edge
    end: Point
    level: float
    """The height at which the leader crosses the edge of the counter."""


def counter_key(aids: AidSet, area: Box) -> list[list[Piece]]:
    """Return the explained counters and the key of signs, or no piece for a game without counters.

    Raises InputError for an unknown unit under `[explained]`, and for a mistake in `counters.toml`.
    """
    workshop = Workshop(aids.game, Cut(), "low-ink" if aids.look.low_ink else "colour")
    blocks, texts = list[Block](), set[tuple[str, str]]()
    for title, explained in _choose_examples(aids, workshop).items():
        blocks.append(_block_of_example(aids, workshop, title, explained, texts, area.width))
    if not blocks:
        return []
    for heading, signs in _list_signs(aids, workshop).items():
        blocks += _blocks_of_signs(aids.look, heading, signs, area.width)
    return [[*map(Piece, flow_blocks(blocks, area, above=_CALLOUT_GAP_MM))]]


def _choose_examples(aids: AidSet, workshop: Workshop) -> Mapping[str, Explained]:
    """Return the counters that the game names, or else the counter with the most values known, by title."""
    game, named = aids.game, workshop.design.file.explained
    for title, explained in named.items():
        if explained.unit not in game.counters:
            hint = format_suggestion(explained.unit, game.counters)
            what = f"[explained.{title}] unit: unknown unit {explained.unit!r}"
            raise InputError(what, where=Where(FILE), hint=hint)
    if named or not game.counters:
        return named
    fullest = max(game.counters, key=lambda unit: sum(map(bool, game.roster[unit].values())))
    return {fullest: Explained(fullest)}


def _block_of_example(
    aids: AidSet, workshop: Workshop, title: str, explained: Explained, before: set[tuple[str, str]], width: float
) -> Block:
    """Return a counter: its front between two columns of callouts, then its back with what differs there.

    `before`: takes titles and texts explained so far; repeated ones are titles only.
    """
    counter = workshop.counter(explained.unit)
    front = [part for part in workshop.parts(explained.unit, "front") if _is_explained(part)]
    known = {explain_part(aids.game, part) for part in front}
    back = [
        part
        for part in workshop.parts(explained.unit, "back")
        if _is_explained(part) and explain_part(aids.game, part) not in known
    ]
    side = width * 0.22
    text_width = (width - side * (1 + _SMALL_BACK_SHARE) - 4 * _LEADER_ROOM_MM) / 3
    leaders = _place_leaders([_make_callout(aids.game, part, before, text_width) for part in front])
    behind = _place_leaders([_make_callout(aids.game, part, before, text_width) for part in back], edges=("right",))
    back_words = set_words(explained.back, _TEXT_SIZE_MM, side * _SMALL_BACK_SHARE + text_width + _LEADER_ROOM_MM)
    columns = [[one for one in leaders if one.edge == edge] for edge in ("left", "right")]
    column_height = max(map(_height_of_column, columns))
    back_height = max(side * _SMALL_BACK_SHARE, _height_of_column(behind)) + _CALLOUT_GAP_MM + back_words.height
    height = max(side, column_height, back_height)
    factor = side / DESIGN_SIDE_MM

    def draw(x: float, y: float) -> Iterator[Shape]:
        accent = aids.accent(counter.nation)
        yield from draw_bar(aids.look, Box(x, y, width, _BAR_HEIGHT_MM - 1.2), accent, title, HEADING_SIZE_MM)
        top = y + _BAR_HEIGHT_MM + 1.0
        left = x + text_width + _LEADER_ROOM_MM
        at = (left, top + (height - side) / 2)
        yield _draw_scene(counter.front.title, counter.front.layers[0].shapes, factor, at)
        room = Box(x, top, text_width, height)
        yield from _draw_callouts(columns[0], room, at, factor)
        right = left + side + _LEADER_ROOM_MM
        yield from _draw_callouts(columns[1], room._replace(left=right), at, factor)
        if counter.back is None:
            return
        behind_at = (right + text_width + _LEADER_ROOM_MM, top)
        small = factor * _SMALL_BACK_SHARE
        yield _draw_scene(counter.back.title, counter.back.layers[0].shapes, small, behind_at)
        beside = behind_at[0] + side * _SMALL_BACK_SHARE + _LEADER_ROOM_MM
        beside_room = Box(beside, top, text_width, max(side * _SMALL_BACK_SHARE, _height_of_column(behind)))
        yield from _draw_callouts(behind, beside_room, behind_at, small)
        yield from back_words.at(behind_at[0], top + beside_room.height + _CALLOUT_GAP_MM, fill=SOFT_INK)

    return Block(_BAR_HEIGHT_MM + 1.0 + height + _EXAMPLE_GAP_MM, draw)


def _draw_scene(title: str, shapes: tuple[Shape, ...], factor: float, at: Point) -> Group:
    """Return the shapes of a counter, enlarged and moved to a point."""
    return Group(title, shift(enlarge(Layer("counter", shapes), factor), *at).shapes)


def _is_explained(part: CounterPart) -> bool:
    """Return whether a part has a callout: grounds only if the design explains them."""
    return part.means != _NOT_EXPLAINED and bool(part.means or part.names or not part.is_ground)


def _make_callout(game: Game, part: CounterPart, before: set[tuple[str, str]], width: float) -> _Callout:
    title, text = explained = explain_part(game, part)
    shown = "" if explained in before else text
    before.add(explained)
    return _Callout(set_words(title, _TITLE_SIZE_MM, width, bold=True), set_words(shown, _TEXT_SIZE_MM, width), part)


def explain_part(game: Game, part: CounterPart) -> tuple[str, str]:
    """Return the title of a part of a counter and its explanation, which may be "".

    The design states both, as `title: explanation`, or else they are the title and the rule of the part's column.
    """
    if part.means:
        title, _, text = part.means.partition(": ")
        return title, text
    track = game.tracks.get(part.names[0]) if part.names else None
    if track is None:
        return ("Name" if part.names[:1] == (UNIT,) else sentence(part.slot)), ""
    title = f"Colour of the {track.title}" if part.is_ground else find_heading(track)
    rule = format_rule(track.rule)
    return title, f"({rule})" if rule else ""


# --- leaders ----------------------------------------------------------------------------------------------------------


def _place_leaders(callouts: Sequence[_Callout], edges: Sequence[Edge] = ("left", "right")) -> list[_Leader]:
    """Return the leader of each callout, from the top, so that leaders avoid other parts and one another."""
    inks = [callout.part.area for callout in callouts if not callout.part.is_ground]
    placed: dict[int, _Leader] = {}
    order = sorted(range(len(callouts)), key=lambda number: _depth_of(callouts[number].part))
    for number in order * _ROUNDS:
        callout, others = callouts[number], [leader for other, leader in placed.items() if other != number]
        ways = [
            _Leader(callout, edge, end, end[1] + slope)
            for edge in edges
            for end in _list_ends(callout.part, edge)
            for slope in _SLOPES_MM
            if 0 <= end[1] + slope <= DESIGN_SIDE_MM
        ]
        placed[number] = min(ways, key=lambda way: _cost_of(way, inks, others))
    return sorted(placed.values(), key=lambda leader: leader.level)


def _depth_of(part: CounterPart) -> tuple[bool, float]:
    """Return the key that puts parts in the middle of a counter first, as few leaders reach these."""
    return part.is_ground, -min(part.area.x, DESIGN_SIDE_MM - part.area.x - part.area.width)


def _list_ends(part: CounterPart, edge: Edge) -> Iterator[Point]:
    """Yield the points where a leader may end: beside, above or below ink, but within a ground."""
    x, y, width, height = part.area
    inset = 1.0 if part.is_ground else -_CLEARANCE_MM
    at = x + inset if edge == "left" else x + width - inset
    for level in _LEVEL_SHARES:
        yield at, y + height * level
    if not part.is_ground:
        for across in (x + width / 2, x + width * (0.1 if edge == "left" else 0.9)):
            yield across, y - _CLEARANCE_MM
            yield across, y + height + _CLEARANCE_MM


def _cost_of(way: _Leader, inks: Sequence[Area], placed: Sequence[_Leader]) -> float:
    """Return the cost of a leader: parts in its way, leaders too near, slope, length, and callouts on its side."""
    (x, y), at = way.end, 0.0 if way.edge == "left" else DESIGN_SIDE_MM
    points = [
        (x + (at - x) * step / _SAMPLES, y + (way.level - y) * step / _SAMPLES) for step in range(1, _SAMPLES + 1)
    ]
    cost = abs(x - at) / DESIGN_SIDE_MM + 0.2 * abs(way.level - y)
    for ink in inks:
        gap = 0.0 if ink == way.callout.part.area else _CLEARANCE_MM
        wide = Area(ink.x - gap, ink.y - gap, ink.width + 2 * gap, ink.height + 2 * gap)
        cost += 10 if any(map(wide.holds, points)) else 0
    same = [leader for leader in placed if leader.edge == way.edge]
    cost += sum(5 for leader in same if abs(leader.level - way.level) < _MIN_LEADER_DISTANCE_MM)
    cost += sum(5 for leader in same if (leader.end[1] < y) != (leader.level < way.level))
    return cost + 0.01 * sum(leader.callout.height for leader in same)


def _height_of_column(leaders: Sequence[_Leader]) -> float:
    return sum(leader.callout.height + _CALLOUT_GAP_MM for leader in leaders)


def _draw_callouts(leaders: Sequence[_Leader], room: Box, at: Point, factor: float) -> Iterator[Shape]:
    """Yield callouts in a column, as near to their parts as there is room, each with its leader.

    `at`: the upper left corner of the counter.
    `factor`: the enlargement of the counter.
    """
    tops = _spread(
        [at[1] + one.level * factor - one.callout.title.size * 0.75 for one in leaders],
        [one.callout.height + _CALLOUT_GAP_MM for one in leaders],
        room,
    )
    for (callout, edge, end, edge_level), top in zip(leaders, tops, strict=True):
        anchor: Literal["end", "start"] = "end" if edge == "left" else "start"
        x = room.right if edge == "left" else room.left
        yield from callout.title.at(x, top, anchor=anchor)
        yield from callout.text.at(x, top + callout.title.height, anchor=anchor, fill=SOFT_INK)
        beside = x + 1.0 if edge == "left" else x - 1.0
        level = top + callout.title.size * 0.72
        target = at[0] + end[0] * factor, at[1] + end[1] * factor
        knee = at[0] - 1.2 if edge == "left" else at[0] + DESIGN_SIDE_MM * factor + 1.2
        yield from leader_shapes(
            [(beside, level), (knee, at[1] + edge_level * factor), target], dot=callout.part.is_ground
        )


def _spread(wanted: Sequence[float], heights: Sequence[float], room: Box) -> list[float]:
    """Return tops of boxes below one another, near the wanted ones, within a room."""
    tops: list[float] = []
    bottom = room.top
    for top, height in zip(wanted, heights, strict=True):
        tops.append(max(top, bottom))
        bottom = tops[-1] + height
    limit = room.bottom
    for number in range(len(tops) - 1, -1, -1):
        tops[number] = max(min(tops[number], limit - heights[number]), room.top + sum(heights[:number]))
        limit = tops[number]
    return tops


# --- the key of signs -------------------------------------------------------------------------------------------------


class _Sign(NamedTuple):
    """An entry of the key."""

    title: str
    symbol: Symbol | None
    is_framed: bool = False
    ground: str = ""
    """The ground of a nation's counters, or "" for another sign."""


def _list_signs(aids: AidSet, workshop: Workshop) -> dict[str, list[_Sign]]:
    """Return the signs on the fronts of a game's counters by heading: symbols, sizes, classes and nations."""
    game, picture, symbols = aids.game, aids.game.file.picture, workshop.composer.symbols
    words: dict[tuple[str, str], dict[tuple[str, str], None]] = {}
    for unit in game.counters:
        for part in workshop.parts(unit, "front"):
            if part.draw in ("symbol", "echelon", "signs") and part.names:
                shown = part.text.split("+") if part.draw == "signs" else [part.text]
                words.setdefault((part.draw, part.names[-1]), {}).update(
                    dict.fromkeys((part.prefix, word) for word in shown)
                )
    found: dict[str, list[_Sign]] = {}
    for (draw, name), shown_words in words.items():
        signs = found.setdefault(find_heading(game.tracks[name]), [])
        for prefix, word in _in_order(game, name, shown_words):
            symbol = symbols.echelon(word) if draw == "echelon" else symbols.symbol(prefix + word)
            title = name_of_size(word) if draw == "echelon" else with_spaces(word)
            if symbol is not None:
                signs.append(_Sign(sentence(title), symbol, draw == "symbol" and symbols.is_framed(prefix + word)))
    if nations := game.tracks.get(picture.nation):
        shown_nations = [name for name in nations.values if name in aids.people]
        found[find_heading(nations)] = [
            _Sign(
                game.file.title_of(name),
                symbols.sign(name, workshop.palette.mark(name)),
                ground=workshop.palette.nation(name),
            )
            for name in shown_nations
        ]
    return {heading: signs for heading, signs in found.items() if len(signs) > 1}


def _in_order(game: Game, track: str, words: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the words of signs in the order of their track; compound ones follow the word that they end with."""
    values = game.tracks[track].values
    places = {value: number for number, value in enumerate(values)}

    def place(word: tuple[str, str]) -> tuple[int, int]:
        ends = [number for value, number in places.items() if word[1] == value or word[1].endswith(f"-{value}")]
        return min(ends, default=len(places)), len(word[1])

    return sorted(words, key=place)


def _blocks_of_signs(style: AidStyle, heading: str, signs: Sequence[_Sign], width: float) -> Iterator[Block]:
    """Yield a heading, then the signs in rows, each sign before its name."""
    abreast = max(int(width // _ENTRY_WIDTH_MM), 1)
    each = width / abreast

    def draw_heading(x: float, y: float) -> Iterator[Shape]:
        yield from draw_bar(style, Box(x, y, width, _BAR_HEIGHT_MM - 1.2), SOFT_INK, heading, HEADING_SIZE_MM)

    yield Block(_BAR_HEIGHT_MM, draw_heading, tied=True)
    for first in range(0, len(signs), abreast):
        row = signs[first : first + abreast]

        def draw_row(x: float, y: float, row: Sequence[_Sign] = row) -> Iterator[Shape]:
            for number, sign in enumerate(row):
                yield from _draw_sign(sign, x + number * each, y, each)

        yield Block(_SIGN_HEIGHT_MM + 0.4, draw_row)


def _draw_sign(sign: _Sign, x: float, y: float, width: float) -> Iterator[Shape]:
    area = Area(x, y, _SIGN_WIDTH_MM, _SIGN_HEIGHT_MM)
    if sign.ground:
        yield Rectangle(
            x=x, y=y, width=_SIGN_WIDTH_MM, height=_SIGN_HEIGHT_MM, radius=0.6, fill=sign.ground, stroke=GRID
        )
    if sign.symbol:
        inner = area if sign.is_framed else Area(x, y + 0.8, _SIGN_WIDTH_MM, _SIGN_HEIGHT_MM - 1.6)
        framed = (WHITE, INK) if sign.is_framed else ("", "")
        ink = ink_on(sign.ground) if sign.ground else INK
        yield from draw_symbol(sign.symbol, inner, ink, *framed, _FRAME_WIDTH_MM).shapes
    base = y + _SIGN_HEIGHT_MM / 2 + _TITLE_SIZE_MM * 0.35
    yield set_line(x + _SIGN_WIDTH_MM + 1.5, base, sign.title, _TITLE_SIZE_MM, width - _SIGN_WIDTH_MM - 2.5)
