"""The roster sheet: a row for each counter, with boxes for its steps, levels and points, to be filled in pencil."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from assistant.drawing.colours import INK
from assistant.drawing.lettering import POINT_MM
from assistant.drawing.scene import Shape
from assistant.drawing.style import SOFT_INK
from assistant.drawing.symbols import Symbols, shown_size
from assistant.game.course import Tally
from assistant.game.games import Game
from assistant.util.typesetting import sentence

from ..counters.columns import UNIT, Columns
from ..counters.design import read_design
from ..counters.shapes import Area, draw_symbol
from ..sheets.sizes import Box
from .aid_set import AidSet
from .flow import LINE_PITCH_FACTOR, Block, Piece, flow_blocks, half_of, set_line
from .page import draw_bar, draw_box, format_rule, thin_line

_ROW_HEIGHT_MM = 5.0
_BOX_MM = 3.4
_PITCH_MM = 3.6
_FIVES_GAP_MM = 0.6
"""The additional space after five boxes."""
_COLUMN_GAP_MM = 2.2
_NAME_WIDTH_MM = 24.0
_SIZE_WIDTH_MM = 6.0
_TEXT_SIZE_MM = 8.5 * POINT_MM
_LABEL_SIZE_MM = 8 * POINT_MM
_HEADING_SIZE_MM = 10 * POINT_MM
_BAR_HEIGHT_MM = 6.6
_HEAD_HEIGHT_MM = _LABEL_SIZE_MM * LINE_PITCH_FACTOR + 0.6
_GROUP_GAP_MM = 2.4
_UNKNOWN_WIDTH_MM = 2 * _PITCH_MM
"""The width of the box that takes an unknown number."""

Labels = tuple[str, ...] | None
"""The texts in the boxes of a unit, or None if their number is not known."""


class _Row(NamedTuple):
    """A counter."""

    name: str
    size: str
    boxes: tuple[Labels, ...]
    """The boxes of each tally."""

    @property
    def kind(self) -> tuple[int, ...]:
        """The indices of the tallies that it has."""
        return tuple(number for number, labels in enumerate(self.boxes) if labels != ())


class _Table(NamedTuple):
    """What all rows of a roster sheet share."""

    aids: AidSet
    symbols: Symbols
    tallies: Sequence[Tally]
    starts: Mapping[tuple[int, ...], Mapping[int, float]]
    """The distance of each tally's boxes from the left, by kind of row."""


def roster_sheet(aids: AidSet, area: Box) -> list[Piece]:
    """Return the counters of a game by formation, in columns of half a page if their boxes have room there.

    A game whose units have nothing to tally has none.
    """
    tallies = aids.course.tally or tuple(_infer_tallies(aids.game))
    groups = {group: [row for row in rows if row.kind] for group, rows in _group_rows(aids, tallies).items()}
    groups = {group: rows for group, rows in groups.items() if rows}
    if not groups:
        return []
    starts, width = _place_tallies([row for rows in groups.values() for row in rows])
    half = width <= half_of(area).width
    room = half_of(area) if half else area
    table = _Table(aids, Symbols(aids.game), tallies, starts)
    return [Piece(block, half) for column in _fill_columns(table, groups, room) for block in flow_blocks(column, room)]


def _infer_tallies(game: Game) -> Iterator[Tally]:
    """Yield a tally for each number of units that stays below a printed one, as lost steps do."""
    for track in game.tracks.values():
        if track.on == "unit" and track.below:
            yield Tally(track=track.name, title=sentence(track.title), rule=track.rule)


def _group_rows(aids: AidSet, tallies: Sequence[Tally]) -> dict[tuple[str, str], list[_Row]]:
    """Return the counters of a set by nation and formation, in the order of the roster.

    The formation is what the stripe of the counters shows, or the column that they belong to, or their kind.
    """
    game, picture = aids.game, aids.game.file.picture
    file = read_design(game).file
    columns = Columns(game, file.formation, file.stripe)
    name = file.stripe or file.formation or picture.symbol
    track = game.tracks.get(name)
    groups: dict[tuple[str, str], list[_Row]] = {}
    for unit, count in game.counters.items():
        values = columns.values(unit)
        nation = values.get(picture.nation, "")
        if nation and nation not in aids.people:
            continue
        value = values.get(name, "")
        word = f"{sentence(value)} {track.title}" if track and value and not track.values else sentence(value)
        owner = game.file.title_of(nation) or "Units"
        title = f"{owner}: {word}" if word else owner
        shown_name = file.short.get(UNIT, {}).get(unit, unit)
        row = _Row(
            shown_name,
            shown_size(values.get(picture.size, "")),
            tuple(_label_boxes(game, unit, one) for one in tallies),
        )
        groups.setdefault((nation, title), []).extend([row] * count)
    return groups


def _label_boxes(game: Game, unit: str, tally: Tally) -> Labels:
    track = game.tracks[tally.track]
    printed = game.tracks.get(tally.printed or track.below)
    facts = game.roster[unit].get(printed.name) if printed else None
    if printed and not facts:
        word = game.roster[unit].get(game.file.picture.symbol)
        always = word is not None and bool(word) and str(word[0].value) in printed.kinds
        return None if always and not tally.levels else ()
    if tally.levels:
        levels = [value for value in track.in_turn(_MAX_LEVELS) if value != track.absent]
        return tuple(str(level).replace("-", "\u2212") for level in levels)
    return ("",) * int(str(facts[0].value)) if facts else ()


_MAX_LEVELS = 20


def _width_of_boxes(labels: Labels) -> float:
    if labels is None:
        return _UNKNOWN_WIDTH_MM
    return len(labels) * _PITCH_MM + max(len(labels) - 1, 0) // 5 * _FIVES_GAP_MM


def _place_tallies(rows: Sequence[_Row]) -> tuple[dict[tuple[int, ...], dict[int, float]], float]:
    """Return the distance of each tally's boxes from the left, by kind of row, and the width of the widest row."""
    starts: dict[tuple[int, ...], dict[int, float]] = {}
    widest = 0.0
    for kind in dict.fromkeys(row.kind for row in rows):
        x = _NAME_WIDTH_MM + _SIZE_WIDTH_MM
        for number in kind:
            starts.setdefault(kind, {})[number] = x
            x += max(_width_of_boxes(row.boxes[number]) for row in rows if row.kind == kind) + _COLUMN_GAP_MM
        widest = max(widest, x - _COLUMN_GAP_MM)
    return starts, widest


def _fill_columns(table: _Table, groups: Mapping[tuple[str, str], Sequence[_Row]], room: Box) -> Iterator[list[Block]]:
    """Yield the blocks of each column: headings, heads and rows. A formation that goes on has its heading again."""
    column: list[Block] = []
    for (nation, title), rows in groups.items():
        kinds = sorted({row.kind for row in rows}, key=lambda kind: (-len(kind), kind))
        heading = _block_of_heading(table, nation, title, room.width)
        for kind in kinds:
            heads = _block_of_heads(table, kind, room.width)
            opening = [heading, heads] if kind == kinds[0] else [heads]
            for number, row in enumerate(row for row in rows if row.kind == kind):
                block = _block_of_row(table, row, room.width)
                added = [block] if number else [*opening, block]
                if sum(one.height for one in (*column, *added)) > room.height:
                    yield column
                    again = f"{title}, continued" if number or kind != kinds[0] else title
                    column, added = [], [_block_of_heading(table, nation, again, room.width), heads, block]
                column += added
        column.append(Block(_GROUP_GAP_MM, lambda x, y: ()))
    yield column


def _block_of_heading(table: _Table, nation: str, title: str, width: float) -> Block:
    def draw(x: float, y: float) -> Iterator[Shape]:
        bar = Box(x, y, width, _BAR_HEIGHT_MM - 1.0)
        yield from draw_bar(table.aids.look, bar, table.aids.accent(nation), title, _HEADING_SIZE_MM)

    return Block(_BAR_HEIGHT_MM, draw, tied=True)


def _block_of_heads(table: _Table, kind: tuple[int, ...], width: float) -> Block:
    starts = table.starts[kind]
    ends = [*[starts[number] for number in kind[1:]], width]

    def draw(x: float, y: float) -> Iterator[Shape]:
        base = y + _LABEL_SIZE_MM
        yield set_line(x, base, "Unit", _LABEL_SIZE_MM, _NAME_WIDTH_MM, fill=SOFT_INK)
        for number, end in zip(kind, ends, strict=True):
            tally = table.tallies[number]
            rule = format_rule(tally.rule)
            text = f"{tally.title} ({rule})" if rule else tally.title
            yield set_line(x + starts[number], base, text, _LABEL_SIZE_MM, end - starts[number] - 1.0, fill=SOFT_INK)

    return Block(_HEAD_HEIGHT_MM, draw, tied=True)


def _block_of_row(table: _Table, row: _Row, width: float) -> Block:
    def draw(x: float, y: float) -> Iterator[Shape]:
        base = y + _ROW_HEIGHT_MM / 2 + _TEXT_SIZE_MM * 0.35
        room = _NAME_WIDTH_MM + (0.0 if row.size else _SIZE_WIDTH_MM) - 1.0
        yield set_line(x, base, row.name, _TEXT_SIZE_MM, room, bold=True)
        sign = table.symbols.echelon(row.size) if row.size else None
        if sign:
            area = Area(x + _NAME_WIDTH_MM, y + 1.5, _SIZE_WIDTH_MM - 2.0, _ROW_HEIGHT_MM - 3.0)
            yield from draw_symbol(sign, area, INK, "", "", 0).shapes
        for number, start in table.starts[row.kind].items():
            yield from _draw_boxes(row.boxes[number], x + start, y + (_ROW_HEIGHT_MM - _BOX_MM) / 2)
        yield thin_line(x, y + _ROW_HEIGHT_MM, x + width, y + _ROW_HEIGHT_MM, width=0.15)

    return Block(_ROW_HEIGHT_MM, draw)


def _draw_boxes(labels: Labels, x: float, y: float) -> Iterator[Shape]:
    if labels is None:
        yield draw_box(Box(x, y, _UNKNOWN_WIDTH_MM, _BOX_MM), radius=0.3, width=0.2)
        return
    for number, label in enumerate(labels):
        left = x + number * _PITCH_MM + number // 5 * _FIVES_GAP_MM
        yield draw_box(Box(left, y, _BOX_MM, _BOX_MM), radius=0.3, width=0.2)
        if label:
            base = y + _BOX_MM / 2 + _LABEL_SIZE_MM * 0.35
            yield set_line(
                left + _BOX_MM / 2, base, label, _LABEL_SIZE_MM, _BOX_MM - 0.3, fill=SOFT_INK, anchor="middle"
            )
