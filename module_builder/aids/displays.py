"""Displays of armies, with a track for each corps, and tracks for records of points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from assistant.drawing.lettering import POINT
from assistant.drawing.scene import Shape
from assistant.game.course import Army, Organisation, RecordTrack
from assistant.pictures.colours import INK, WHITE
from assistant.pictures.style import GRID, SOFT_INK

from ..sheets.sizes import Box
from .page import HEADING, AidSet, Block, Look, bar, box, counter_box, one_line, words

_BODY, _LABEL = 8 * POINT, 8 * POINT
_HEAD, _STATUS, _ROW_GAP, _NAME_WIDE = 8.6, 3.8, 1.4, 30.0
_FEWEST, _MOST = 3, 7
"""The corps tracks of an army whose limit nobody has stated: as many as fit a page, within these bounds."""


class ArmyDisplay(NamedTuple):
    """An army as its display shows it. limit: how many corps, None if only the owner of the game can say; cavalry:
    whether a further track is for a cavalry corps.
    """

    army: Army
    title: str
    limit: int | None
    cavalry: bool
    accent: str


def army_displays(shown: ArmyDisplay, organisation: Organisation, look: Look, wide: float, room: float) -> list[Block]:
    """The display of an army, in parts that fit a page: a track for independent formations and one for each corps.

    room: the height of a page; an army whose limit is not known has as many corps tracks as fit it, up to seven.
    """
    abreast = max(int((room - _HEAD - _STATUS) // (look.box + _ROW_GAP)), 1)
    names = [organisation.independent, *_corps(shown, organisation, abreast - 1)]
    parts = [names[n : n + abreast] for n in range(0, len(names), abreast)]
    return [_display(shown, organisation, part, look, wide, continued=number > 0) for number, part in enumerate(parts)]


def _display(
    shown: ArmyDisplay, organisation: Organisation, names: Sequence[str], look: Look, wide: float, *, continued: bool
) -> Block:
    """Some tracks of an army under its name. continued: whether others, with that of independent formations, stand
    before.
    """

    def draw(x: float, y: float) -> Iterator[Shape]:
        title = f"{shown.title}, continued" if continued else shown.title
        rule = f" · {shown.army.rule}" if shown.army.rule else ""
        said = ", ".join(filter(None, [_limit(shown, organisation), shown.army.note])) + rule
        yield from bar(look, Box(x, y, wide, _HEAD - 1.2), shown.accent, title, HEADING, said)
        yield from _statuses(organisation, x, y + _HEAD, wide)
        top = y + _HEAD + _STATUS
        for number, name in enumerate(names):
            independent = number == 0 and not continued
            yield from _track(name, organisation, look, Box(x, top, wide, look.box), independent=independent)
            top += look.box + _ROW_GAP

    return Block(_HEAD + _STATUS + len(names) * (look.box + _ROW_GAP), draw)


def _limit(shown: ArmyDisplay, organisation: Organisation) -> str:
    if shown.limit == 0 or not organisation.corps:
        return ""
    extra = " + C" if shown.cavalry else ""
    return f"Attachment Limit {'____' if shown.limit is None else shown.limit}{extra}"


def _corps(shown: ArmyDisplay, organisation: Organisation, room: int) -> list[str]:
    """What stands in the boxes of the corps tracks: the corps that one is kept for, or nothing. room: tracks on a
    page.
    """
    kept = [
        f"{corps_box.only} only{f' ({corps_box.rule})' if corps_box.rule else ''}" for corps_box in shown.army.boxes
    ]
    count = max(min(room, _MOST), len(kept), _FEWEST) if shown.limit is None else shown.limit
    more = ["Cavalry Corps only"] if shown.cavalry else []
    return [*kept, *[""] * (count - len(kept)), *more]


def _statuses(organisation: Organisation, x: float, y: float, wide: float) -> Iterator[Shape]:
    """The heads of the status boxes."""
    left = x + _NAME_WIDE
    each = (wide - _NAME_WIDE) / max(len(organisation.statuses), 1)
    if organisation.status:
        yield one_line(x, y + 2.6, organisation.status, 7 * POINT, _NAME_WIDE - 1, fill=SOFT_INK)
    for number, status in enumerate(organisation.statuses):
        middle = left + (number + 0.5) * each
        yield one_line(middle, y + 2.8, status, _LABEL, each, bold=True, anchor="middle")


def _track(name: str, organisation: Organisation, look: Look, area: Box, *, independent: bool) -> Iterator[Shape]:
    """One track: a box for the corps, or the word for independent formations, and a box for each status."""
    left = area.left + _NAME_WIDE
    each = (area.width - _NAME_WIDE) / max(len(organisation.statuses), 1)
    if independent:
        yield one_line(area.left, area.top + look.box / 2 + 1, name, _BODY * 1.15, _NAME_WIDE - 2, bold=True)
    else:
        yield counter_box(area.left, area.top, look)
        beside = words(name or organisation.corps, _LABEL, _NAME_WIDE - look.box - 2)
        fill = INK if name else SOFT_INK
        yield from beside.at(area.left + look.box + 1, area.top + (look.box - beside.height) / 2, fill=fill)
    for number in range(len(organisation.statuses)):
        ground = WHITE if number % 2 else look.tint(GRID, 0.18)
        yield box(Box(left + number * each, area.top, each, look.box), fill=ground, stroke=GRID, radius=0)


# --- records ----------------------------------------------------------------------------------------------------------

_LABEL_ROOM = 4.2


def record_track(record: RecordTrack, title: str, accent: str, look: Look, wide: float) -> Block:
    """A track of numbered boxes, as many in a row as fit, in rows of ten if these do."""
    numbers = range(record.least, record.most + 1)
    abreast = max(int(wide // look.box), 1)
    abreast = 10 if abreast >= 10 else 5 if abreast >= 5 else abreast
    rows = [numbers[n : n + abreast] for n in range(0, len(numbers), abreast)]
    high, each = look.box + _LABEL_ROOM, wide / abreast
    note = words(record.note, _BODY, wide) if record.note else None
    below = note.height + 1 if note else 0.0

    def draw(x: float, y: float) -> Iterator[Shape]:
        yield from bar(look, Box(x, y, wide, _HEAD - 1.2), accent, title, HEADING, record.rule)
        for row, some in enumerate(rows):
            for place, number in enumerate(some):
                at = Box(x + place * each, y + _HEAD + row * high, each, high)
                yield box(at, fill=WHITE if (row + place) % 2 else look.tint(GRID, 0.18), stroke=GRID, radius=0)
                yield one_line(
                    at.left + each / 2,
                    at.top + 3.4,
                    str(number),
                    10 * POINT,
                    each - 1,
                    bold=True,
                    anchor="middle",
                )
        if note:
            yield from note.at(x, y + _HEAD + len(rows) * high + 0.8, fill=SOFT_INK)

    return Block(_HEAD + len(rows) * high + below, draw)


def record_tracks(aids: AidSet, wide: float) -> list[Block]:
    """All record tracks of a set: one of each for everybody whom it names, or one that all share."""
    blocks = []
    for record in aids.course.record:
        for who in [who for who in record.who if who in aids.people] if record.who else [""]:
            title = f"{record.title}: {aids.game.file.title_of(who)}" if who else record.title
            blocks.append(record_track(record, title, aids.accent(who), aids.look, wide))
    return blocks
