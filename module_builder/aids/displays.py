"""Displays of armies, with a track for each corps, and tracks for records of points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from assistant.drawing.colours import INK, WHITE
from assistant.drawing.lettering import POINT
from assistant.drawing.scene import Shape
from assistant.drawing.style import GRID, SOFT_INK
from assistant.game.course import Army, Organisation, RecordTrack
from assistant.util.typesetting import sentence

from ..sheets.sizes import Box
from .aid_set import AidSet
from .flow import GAP, Block, Piece, half_of, set_line, set_words
from .page import HEADING, AidStyle, counter_box, draw_bar, draw_box, format_rule

_BODY = 8 * POINT  # size of letters, mm
_LABEL = 8 * POINT  # size of labels, mm
_HEAD = 8.6  # mm, the name of an army
_STATUS = 3.8  # mm, the heads of the status boxes
_ROW_GAP = 1.4  # mm between two tracks
_NAME_WIDE = 30.0  # mm for what stands beside a track
_BETWEEN = 2 * GAP  # mm between two armies on a page
_MOST_STRETCHED = 1.5  # times as high as a counter needs that a track may become
_FEWEST = 3  # corps tracks at least of an army whose limit nobody has stated: as many as fit a page
_MOST = 7  # and at most


class ArmyDisplay(NamedTuple):
    """An army as its display shows it."""

    army: Army
    title: str
    limit: int | None
    """How many corps, None if only the owner of the game can say."""
    cavalry: bool
    """Whether a further track is for a cavalry corps."""
    accent: str


class ArmyTracks(NamedTuple):
    """Some tracks of an army under its name."""

    shown: ArmyDisplay
    names: Sequence[str]
    """What stands beside them."""
    continued: bool = False
    """Whether others, with that of independent formations, stand before."""

    @property
    def above(self) -> float:
        """What stands over its tracks."""
        return _HEAD + _STATUS


def army_pieces(displays: Sequence[ArmyDisplay], organisation: Organisation, style: AidStyle, area: Box) -> list[Piece]:
    """Return a track for independent formations of each army and one for each corps, as many armies below one another
    as fit, two side by side where a counter has room in each box.

    An army of unknown limit has as many corps tracks as fit, up to seven; the garrison of a fortress that follows it is
    below it.
    """
    row, columns = style.box + _ROW_GAP, list[list[ArmyTracks]]()
    left = 0.0
    for number, shown in enumerate(displays):
        follower = displays[number + 1] if number + 1 < len(displays) else None
        joined = follower is not None and follower.limit == 0 and follower.army.nation == shown.army.nation
        reserved = _BETWEEN + _HEAD + _STATUS + row if joined and shown.limit is None else 0.0
        for part in _split_tracks(shown, organisation, area.height - _HEAD - _STATUS, reserved, row):
            height = part.above + len(part.names) * row
            if columns and height + _BETWEEN <= left:
                columns[-1].append(part)
                left -= height + _BETWEEN
            else:
                columns.append([part])
                left = area.height - height
    half = half_of(area)
    narrow = (half.width - _NAME_WIDE) / max(len(organisation.statuses), 1) >= style.box
    room = half if narrow else area
    return [Piece(_block_of_column(parts, organisation, style, room), half=narrow, landscape=True) for parts in columns]


def _split_tracks(
    shown: ArmyDisplay, organisation: Organisation, room: float, reserved: float, row: float
) -> Iterator[ArmyTracks]:
    """Yield the tracks of an army in parts that fit a page. room: below the heads; reserved: what another army takes of
    it.
    """
    abreast = max(int((room - reserved + 1e-6) // row), 1)
    names = [organisation.independent, *_name_corps(shown, abreast - 1)]
    abreast = max(int((room + 1e-6) // row), 1)
    for at in range(0, len(names), abreast):
        yield ArmyTracks(shown, names[at : at + abreast], continued=at > 0)


def _block_of_column(parts: Sequence[ArmyTracks], organisation: Organisation, style: AidStyle, area: Box) -> Block:
    """Return armies below one another, their tracks as high as fill the page, within bounds."""
    tracks = sum(len(part.names) for part in parts)
    others = sum(part.above for part in parts) + _BETWEEN * (len(parts) - 1)
    row = min((area.height - others) / tracks, (style.box + _ROW_GAP) * _MOST_STRETCHED)

    def draw(x: float, y: float) -> Iterator[Shape]:
        for part in parts:
            yield from _draw_display(part, organisation, style, Box(x, y, area.width, row - _ROW_GAP))
            y += part.above + len(part.names) * row + _BETWEEN

    return Block(others + tracks * row, draw)


def _draw_display(part: ArmyTracks, organisation: Organisation, style: AidStyle, first: Box) -> Iterator[Shape]:
    """Yield some tracks of an army under its name. first: its place, with the width and height of a track."""
    shown, x, y, width = part.shown, first.left, first.top, first.width
    title = f"{shown.title}, continued" if part.continued else shown.title
    rule = format_rule(shown.army.rule)
    aside = " · ".join(
        filter(None, [", ".join(filter(None, [_format_limit(shown, organisation), shown.army.note])), rule])
    )
    yield from draw_bar(style, Box(x, y, width, _HEAD - 1.2), shown.accent, title, HEADING, aside)
    yield from _draw_statuses(organisation, x, y + _HEAD, width)
    top = y + part.above
    for number, name in enumerate(part.names):
        independent = number == 0 and not part.continued
        yield from _draw_track(name, organisation, style, first._replace(top=top), independent=independent)
        top += first.height + _ROW_GAP


def _format_limit(shown: ArmyDisplay, organisation: Organisation) -> str:
    if shown.limit == 0 or not organisation.corps:
        return ""
    extra = " + C" if shown.cavalry else ""
    return f"Attachment Limit {'____' if shown.limit is None else shown.limit}{extra}"


def _name_corps(shown: ArmyDisplay, room: int) -> list[str]:
    """Return what stands in the boxes of the corps tracks: the corps that one is kept for, or nothing. room: tracks on
    a page.
    """
    reserved = [
        f"{corps_box.only} only{f' ({corps_box.rule})' if corps_box.rule else ''}" for corps_box in shown.army.boxes
    ]
    count = max(min(room, _MOST), len(reserved), _FEWEST) if shown.limit is None else shown.limit
    more = ["Cavalry Corps only"] if shown.cavalry else []
    return [*reserved, *[""] * (count - len(reserved)), *more]


def _draw_statuses(organisation: Organisation, x: float, y: float, width: float) -> Iterator[Shape]:
    """Yield the heads of the status boxes."""
    left = x + _NAME_WIDE
    each = (width - _NAME_WIDE) / max(len(organisation.statuses), 1)
    if organisation.status:
        yield set_line(x, y + 2.6, organisation.status, 7 * POINT, _NAME_WIDE - 1, fill=SOFT_INK)
    for number, status in enumerate(organisation.statuses):
        middle = left + (number + 0.5) * each
        yield set_line(middle, y + 2.8, status, _LABEL, each, bold=True, anchor="middle")


def _draw_track(
    name: str, organisation: Organisation, style: AidStyle, area: Box, *, independent: bool
) -> Iterator[Shape]:
    """Yield one track: a box for the corps, or the word for independent formations, and a box for each status."""
    left = area.left + _NAME_WIDE
    each = (area.width - _NAME_WIDE) / max(len(organisation.statuses), 1)
    if independent:
        middle = area.top + area.height / 2 + 1
        yield set_line(area.left, middle, name, _BODY * 1.15, _NAME_WIDE - 2, bold=True)
    else:
        yield counter_box(area.left, area.top + (area.height - style.box) / 2, style)
        beside = set_words(name or organisation.corps, _LABEL, _NAME_WIDE - style.box - 2)
        fill = INK if name else SOFT_INK
        yield from beside.at(area.left + style.box + 1, area.top + (area.height - beside.height) / 2, fill=fill)
    for number in range(len(organisation.statuses)):
        ground = WHITE if number % 2 else style.tint(GRID, 0.18)
        yield draw_box(Box(left + number * each, area.top, each, area.height), fill=ground, stroke=GRID, radius=0)


# --- records ----------------------------------------------------------------------------------------------------------

_LABEL_ROOM = 4.0  # mm for the number in a box


def _block_of_record(record: RecordTrack, title: str, accent: str, style: AidStyle, width: float) -> Block:
    """Return a track of numbered boxes, as many in a row as fit, in rows of ten if these do."""
    numbers = range(record.least, record.most + 1)
    abreast = max(int(width // style.box), 1)
    if abreast >= 10:
        abreast = 10
    elif len(numbers) > abreast >= 5:
        abreast = 5
    abreast = min(abreast, len(numbers))
    rows = [numbers[n : n + abreast] for n in range(0, len(numbers), abreast)]
    height, each = style.box + _LABEL_ROOM, min(width / abreast, 2 * style.box)
    note = set_words(sentence(record.note), _BODY, width) if record.note else None
    below = note.height + 1 if note else 0.0

    def draw(x: float, y: float) -> Iterator[Shape]:
        yield from draw_bar(style, Box(x, y, width, _HEAD - 1.2), accent, title, HEADING, format_rule(record.rule))
        for row, some in enumerate(rows):
            for place, number in enumerate(some):
                at = Box(x + place * each, y + _HEAD + row * height, each, height)
                yield draw_box(at, fill=WHITE if (row + place) % 2 else style.tint(GRID, 0.18), stroke=GRID, radius=0)
                yield set_line(
                    at.left + each / 2,
                    at.top + 3.4,
                    str(number),
                    10 * POINT,
                    each - 1,
                    bold=True,
                    anchor="middle",
                )
        if note:
            yield from note.at(x, y + _HEAD + len(rows) * height + 0.8, fill=SOFT_INK)

    return Block(_HEAD + len(rows) * height + below, draw)


def record_tracks(aids: AidSet, area: Box, rows: int = 1) -> list[Piece]:
    """Return all record tracks of a set: one of each for everybody whom it names, or one that all share; those that fit
    half the width side by side. rows: in how many rows they may do so.
    """
    pieces = []
    for record in aids.course.record:
        half = half_of(area)
        short = record.most - record.least + 1 <= half.width // aids.look.box * rows
        owners = [who for who in record.who if who in aids.people] if record.who else [""]
        for who in owners:
            title = f"{record.title}: {aids.game.file.title_of(who)}" if who else record.title
            room = half if short else area
            pieces.append(Piece(_block_of_record(record, title, aids.accent(who), aids.look, room.width), short))
    return pieces
