"""Printed displays: the tracks of each army's corps, and tracks of numbered boxes for points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from assistant.drawing.colours import INK, WHITE
from assistant.drawing.lettering import POINT_MM
from assistant.drawing.scene import Shape
from assistant.drawing.style import GRID, SOFT_INK
from assistant.game.course import Army, Organisation, RecordTrack
from assistant.util.typesetting import sentence

from ..sheets.sizes import Box
from .aid_set import AidSet
from .flow import GAP_MM, Block, Piece, half_of, set_line, set_words
from .page import HEADING_SIZE_MM, AidStyle, counter_box, draw_bar, draw_box, format_rule

_BODY_SIZE_MM = 8 * POINT_MM
_LABEL_SIZE_MM = 8 * POINT_MM
_TITLE_HEIGHT_MM = 8.6
_STATUS_HEIGHT_MM = 3.8  # for the heads above the status boxes
_TRACK_GAP_MM = 1.4
_NAME_WIDTH_MM = 30.0  # for the box or name to the left of a track
_ARMY_GAP_MM = 2 * GAP_MM
_MAX_HEIGHT_FACTOR = 1.5
"""The most by which tracks are stretched to fill the page."""
_MIN_CORPS = 3
"""The minimum number of corps tracks of an army without a stated limit."""
_MAX_CORPS = 7


class ArmyDisplay(NamedTuple):
    """An army, and the texts and colour of its display."""

    army: Army
    title: str
    limit: int | None
    """The maximum number of corps, or None if the game file does not state it."""
    cavalry: bool
    """Whether the army has one more track, for a cavalry corps."""
    accent: str


class ArmyTracks(NamedTuple):
    """Tracks of an army that are printed together under its title."""

    display: ArmyDisplay
    names: Sequence[str]
    """The text to the left of each track, or "" for an empty corps box."""
    continued: bool = False
    """Whether these tracks continue earlier ones, which began with the track of independent formations."""


def army_pieces(displays: Sequence[ArmyDisplay], organisation: Organisation, style: AidStyle, area: Box) -> list[Piece]:
    """Return the armies in columns as high as the page: a track for independent formations, then one for each corps.

    Two columns share a page if half of it has room for a counter in each status box.

    An army without a stated limit has as many corps tracks as fit, up to seven. If the next display is a garrison of
    the same nation, which has no corps, room for it is kept in the column.
    """
    row_height, columns = style.box + _TRACK_GAP_MM, list[list[ArmyTracks]]()
    free_height = 0.0  # in the last column
    for number, display in enumerate(displays):
        following = displays[number + 1] if number + 1 < len(displays) else None
        has_garrison = following is not None and following.limit == 0 and following.army.nation == display.army.nation
        garrison_height = _ARMY_GAP_MM + _TITLE_HEIGHT_MM + _STATUS_HEIGHT_MM + row_height
        reserved = garrison_height if has_garrison and display.limit is None else 0.0
        room = area.height - _TITLE_HEIGHT_MM - _STATUS_HEIGHT_MM
        for part in _split_tracks(display, organisation, room, reserved, row_height):
            height = _TITLE_HEIGHT_MM + _STATUS_HEIGHT_MM + len(part.names) * row_height
            if columns and height + _ARMY_GAP_MM <= free_height:
                columns[-1].append(part)
                free_height -= height + _ARMY_GAP_MM
            else:
                columns.append([part])
                free_height = area.height - height
    half = half_of(area)
    fits_half = (half.width - _NAME_WIDTH_MM) / max(len(organisation.statuses), 1) >= style.box
    column_area = half if fits_half else area
    return [
        Piece(_block_of_column(parts, organisation, style, column_area), half=fits_half, landscape=True)
        for parts in columns
    ]


def _split_tracks(
    display: ArmyDisplay, organisation: Organisation, room: float, reserved: float, row_height: float
) -> Iterator[ArmyTracks]:
    """Yield the tracks of an army in parts that fit a page.

    `room`: the height below title and heads.
    `reserved`: the height to keep free for the next army if the number of corps may be chosen.
    """
    max_tracks = max(int((room - reserved + 1e-6) // row_height), 1)
    names = [organisation.independent, *_name_corps(display, max_tracks - 1)]
    tracks_per_page = max(int((room + 1e-6) // row_height), 1)
    for first in range(0, len(names), tracks_per_page):
        yield ArmyTracks(display, names[first : first + tracks_per_page], continued=first > 0)


def _block_of_column(parts: Sequence[ArmyTracks], organisation: Organisation, style: AidStyle, area: Box) -> Block:
    track_count = sum(len(part.names) for part in parts)
    head_height = _TITLE_HEIGHT_MM + _STATUS_HEIGHT_MM
    other_height = sum(head_height for _ in parts) + _ARMY_GAP_MM * (len(parts) - 1)
    row_height = min((area.height - other_height) / track_count, (style.box + _TRACK_GAP_MM) * _MAX_HEIGHT_FACTOR)

    def draw(x: float, y: float) -> Iterator[Shape]:
        for part in parts:
            yield from _draw_display(part, organisation, style, Box(x, y, area.width, row_height - _TRACK_GAP_MM))
            y += head_height + len(part.names) * row_height + _ARMY_GAP_MM

    return Block(other_height + track_count * row_height, draw)


def _draw_display(part: ArmyTracks, organisation: Organisation, style: AidStyle, place: Box) -> Iterator[Shape]:
    """Yield tracks of an army under its title.

    `place`: left and top of the display, width and height of one track.
    """
    display, x, y, width = part.display, place.left, place.top, place.width
    title = f"{display.title}, continued" if part.continued else display.title
    rule = format_rule(display.army.rule)
    aside = " · ".join(
        filter(None, [", ".join(filter(None, [_format_limit(display, organisation), display.army.note])), rule])
    )
    yield from draw_bar(style, Box(x, y, width, _TITLE_HEIGHT_MM - 1.2), display.accent, title, HEADING_SIZE_MM, aside)
    yield from _draw_statuses(organisation, x, y + _TITLE_HEIGHT_MM, width)
    top = y + (_TITLE_HEIGHT_MM + _STATUS_HEIGHT_MM)
    for number, name in enumerate(part.names):
        is_independent = number == 0 and not part.continued
        yield from _draw_track(name, organisation, style, place._replace(top=top), is_independent=is_independent)
        top += place.height + _TRACK_GAP_MM


def _format_limit(display: ArmyDisplay, organisation: Organisation) -> str:
    """Return the limit in words, such as `Attachment Limit 4 + C` with a cavalry corps, or "" for a garrison."""
    if display.limit == 0 or not organisation.corps:
        return ""
    extra = " + C" if display.cavalry else ""
    return f"Attachment Limit {'____' if display.limit is None else display.limit}{extra}"


def _name_corps(display: ArmyDisplay, max_corps: int) -> list[str]:
    """Return the text for each corps track: the corps that alone may use it, or "".

    `max_corps`: the number of tracks that fit the page.
    """
    reserved = [
        f"{corps_box.only} only{f' ({corps_box.rule})' if corps_box.rule else ''}" for corps_box in display.army.boxes
    ]
    count = max(min(max_corps, _MAX_CORPS), len(reserved), _MIN_CORPS) if display.limit is None else display.limit
    cavalry = ["Cavalry Corps only"] if display.cavalry else []
    return [*reserved, *[""] * (count - len(reserved)), *cavalry]


def _draw_statuses(organisation: Organisation, x: float, y: float, width: float) -> Iterator[Shape]:
    left = x + _NAME_WIDTH_MM
    box_width = (width - _NAME_WIDTH_MM) / max(len(organisation.statuses), 1)
    if organisation.status:
        yield set_line(x, y + 2.6, organisation.status, 7 * POINT_MM, _NAME_WIDTH_MM - 1, fill=SOFT_INK)
    for number, status in enumerate(organisation.statuses):
        middle = left + (number + 0.5) * box_width
        yield set_line(middle, y + 2.8, status, _LABEL_SIZE_MM, box_width, bold=True, anchor="middle")


def _draw_track(
    name: str, organisation: Organisation, style: AidStyle, area: Box, *, is_independent: bool
) -> Iterator[Shape]:
    left = area.left + _NAME_WIDTH_MM
    box_width = (area.width - _NAME_WIDTH_MM) / max(len(organisation.statuses), 1)
    if is_independent:
        base = area.top + area.height / 2 + 1
        yield set_line(area.left, base, name, _BODY_SIZE_MM * 1.15, _NAME_WIDTH_MM - 2, bold=True)
    else:
        yield counter_box(area.left, area.top + (area.height - style.box) / 2, style)
        words = set_words(name or organisation.corps, _LABEL_SIZE_MM, _NAME_WIDTH_MM - style.box - 2)
        fill = INK if name else SOFT_INK
        yield from words.at(area.left + style.box + 1, area.top + (area.height - words.height) / 2, fill=fill)
    for number in range(len(organisation.statuses)):
        ground = WHITE if number % 2 else style.tint(GRID, 0.18)
        yield draw_box(
            Box(left + number * box_width, area.top, box_width, area.height), fill=ground, stroke=GRID, radius=0
        )


# --- records ----------------------------------------------------------------------------------------------------------

_NUMBER_HEIGHT_MM = 4.0


def _block_of_record(record: RecordTrack, title: str, accent: str, style: AidStyle, width: float) -> Block:
    """Return a track of numbered boxes, in rows of ten or five if these fit the width."""
    numbers = range(record.least, record.most + 1)
    columns = max(int(width // style.box), 1)
    if columns >= 10:
        columns = 10
    elif len(numbers) > columns >= 5:
        columns = 5
    columns = min(columns, len(numbers))
    rows = [numbers[first : first + columns] for first in range(0, len(numbers), columns)]
    box_height, box_width = style.box + _NUMBER_HEIGHT_MM, min(width / columns, 2 * style.box)
    note = set_words(sentence(record.note), _BODY_SIZE_MM, width) if record.note else None
    note_height = note.height + 1 if note else 0.0

    def draw(x: float, y: float) -> Iterator[Shape]:
        yield from draw_bar(
            style, Box(x, y, width, _TITLE_HEIGHT_MM - 1.2), accent, title, HEADING_SIZE_MM, format_rule(record.rule)
        )
        for row, row_numbers in enumerate(rows):
            for column, number in enumerate(row_numbers):
                at = Box(x + column * box_width, y + _TITLE_HEIGHT_MM + row * box_height, box_width, box_height)
                yield draw_box(at, fill=WHITE if (row + column) % 2 else style.tint(GRID, 0.18), stroke=GRID, radius=0)
                yield set_line(
                    at.left + box_width / 2,
                    at.top + 3.4,
                    str(number),
                    10 * POINT_MM,
                    box_width - 1,
                    bold=True,
                    anchor="middle",
                )
        if note:
            yield from note.at(x, y + _TITLE_HEIGHT_MM + len(rows) * box_height + 0.8, fill=SOFT_INK)

    return Block(_TITLE_HEIGHT_MM + len(rows) * box_height + note_height, draw)


def record_tracks(aids: AidSet, area: Box, rows: int = 1) -> list[Piece]:
    """Return the record tracks of a set: one for each side or nation that a record names, or one that all share.

    `rows`: the number of rows in which a track may be folded to take half the width.
    """
    pieces = []
    for record in aids.course.record:
        half = half_of(area)
        fits_half = record.most - record.least + 1 <= half.width // aids.look.box * rows
        owners = [who for who in record.who if who in aids.people] if record.who else [""]
        for who in owners:
            title = f"{record.title}: {aids.game.file.title_of(who)}" if who else record.title
            width = half.width if fits_half else area.width
            pieces.append(Piece(_block_of_record(record, title, aids.accent(who), aids.look, width), fits_half))
    return pieces
