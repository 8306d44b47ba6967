"""The window of record tracks: numbered boxes, such as those of Victory Points, with markers.

Players move the markers. Reports read the notes instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from assistant.drawing.colours import INK, ink_on
from assistant.drawing.scene import Layer, Rectangle, Scene, Shape, inset
from assistant.drawing.style import PAPER, SEASONS, SOFT_INK, UNKNOWN_GROUND, palette_of
from assistant.formats.vassal.grids import Pixel
from assistant.formats.vassal.legends import DISPLAY
from assistant.formats.vassal.pieces import Piece
from assistant.formats.vassal.sequence import join
from assistant.formats.vassal.traits import Trait, marker_trait
from assistant.game.course import RecordTrack, course_file
from assistant.game.games import Game
from assistant.state.state import FactKey
from assistant.state.tracks import Fact

from ..counters.picture_names import file_word
from .sheets import sheet_text

RECORDS = "Records"
"""The window of record tracks."""
_MAX_BOXES_ABREAST = 10
_GAP_PX = 14
_TITLE_HEIGHT_PX = 34
_NUMBER_HEIGHT_PX = 20
_DISPLAY = "record"
"""The value of the property `DISPLAY` that marks a marker on a record track."""


class RecordMarker(NamedTuple):
    """A marker on a record track."""

    number: int
    """Number of the track."""
    who: str
    """The side or nation that the track belongs to."""
    tens: bool
    """Whether it counts tens."""
    title: str
    """Title of the track."""

    @property
    def slot(self) -> str:
        """The name of its slot."""
        return f"record {self.title} {self.who}{' tens' if self.tens else ''}"

    @property
    def image(self) -> str:
        """The file name of its picture."""
        return f"record-{file_word(self.slot)}.png"


class RecordSheet:
    """The sheet of a game's record tracks, in pixels.

    `counter`: side of a counter.

    Raises InputError as `course_file` does.
    """

    def __init__(self, game: Game, counter: int) -> None:
        self.game, self.counter = game, counter
        by_title = {record.title: record for record in course_file(game).record if record.least <= record.most}
        self.tracks: tuple[tuple[RecordTrack, str], ...] = tuple(
            (record, who) for record in by_title.values() for who in record.who or ("",)
        )
        """Each track with who has it, "" for one that the sides share."""

    @cached_property
    def markers(self) -> tuple[RecordMarker, ...]:
        """The markers: one for each named side or nation, or each side, and a second one if tens are counted
        separately.
        """
        markers: list[RecordMarker] = []
        for number, (record, owner) in enumerate(self.tracks):
            owners = [owner] if owner else self.game.file.sides
            for who in owners:
                markers.append(RecordMarker(number, who, tens=False, title=record.title))
                if record.tens:
                    markers.append(RecordMarker(number, who, tens=True, title=record.title))
        return tuple(markers)

    @property
    def _cell(self) -> Pixel:
        return self.counter + 16, self.counter + _NUMBER_HEIGHT_PX + 14

    @cached_property
    def _tops(self) -> tuple[int, ...]:
        """The upper edge of each track, and the lower edge of the last."""
        tops = [_GAP_PX]
        for record, _ in self.tracks:
            rows = -(-(record.most - record.least + 1) // _MAX_BOXES_ABREAST)
            tops.append(tops[-1] + _TITLE_HEIGHT_PX + rows * self._cell[1] + _GAP_PX)
        return tuple(tops)

    @property
    def size(self) -> Pixel:
        return 2 * _GAP_PX + _MAX_BOXES_ABREAST * self._cell[0], self._tops[-1]

    def _corner(self, number: int, value: int) -> Pixel:
        row, column = divmod(value - self.tracks[number][0].least, _MAX_BOXES_ABREAST)
        width, height = self._cell
        return _GAP_PX + column * width, self._tops[number] + _TITLE_HEIGHT_PX + row * height

    def middle(self, number: int, value: int) -> Pixel:
        """Return the centre of a marker in the box of a value, or in the nearest box of the track."""
        record, _ = self.tracks[number]
        x, y = self._corner(number, min(max(value, record.least), record.most))
        return x + self._cell[0] // 2, y + _NUMBER_HEIGHT_PX + (self._cell[1] - _NUMBER_HEIGHT_PX) // 2

    @property
    def boxes(self) -> dict[str, Pixel]:
        """The centre of each box by its name, such as `Victory Points 65`."""
        return {
            f"{self._title(number)} {value}": self.middle(number, value)
            for number, (record, _) in enumerate(self.tracks)
            for value in range(record.least, record.most + 1)
        }

    def pieces(self, slots: Mapping[str, str], facts: Mapping[FactKey, Fact] = {}) -> Iterator[Piece]:
        """Yield the markers on the sheet, each with its id, at the stated or else at the lowest values.

        `slots`: the ids of slots by name.
        """
        for marker in self.markers:
            record, _ = self.tracks[marker.number]
            stated = facts.get((record.track, marker.who))
            value = stated.value if stated and isinstance(stated.value, int) else record.least
            if record.tens:
                value = value // 10 if marker.tens else value % 10
            title = self.game.file.title_of(marker.who)
            name = f"{marker.title}: {title}{', tens' if marker.tens else ''}"
            traits = (
                marker_trait({DISPLAY: _DISPLAY}),
                Trait(join(("piece", "", "", marker.image, name), ";")),
            )
            at = self.middle(marker.number, value)
            yield Piece(marker.slot, traits, RECORDS, at, slots[marker.slot])

    @property
    def scene(self) -> Scene:
        """The drawing: a title for each track, and boxes with numbers on top, with every second row tinted."""
        width, height = self.size
        shapes: list[Shape] = [Rectangle(x=0, y=0, width=width, height=height, fill=PAPER)]
        cell_width, cell_height = self._cell
        for number, (record, _) in enumerate(self.tracks):
            top, room = self._tops[number] + _TITLE_HEIGHT_PX / 2, width - 2 * _GAP_PX
            shapes.append(sheet_text(self._title(number), _GAP_PX, top, 19, room, bold=True, anchor="start"))
            for value in range(record.least, record.most + 1):
                x, y = self._corner(number, value)
                tint = _choose_row_tint(value - record.least)
                shapes.append(
                    Rectangle(
                        x=x,
                        y=y,
                        width=cell_width,
                        height=cell_height,
                        fill=UNKNOWN_GROUND,
                        stroke=SOFT_INK,
                        stroke_width=1,
                    )
                )
                shapes.append(inset((x, y, cell_width, _NUMBER_HEIGHT_PX), 0.5, fill=tint))
                shapes.append(
                    sheet_text(str(value), x + cell_width / 2, y + _NUMBER_HEIGHT_PX / 2, 14, cell_width - 8, bold=True)
                )
        return Scene(width=width, height=height, title=RECORDS, layers=(Layer("sheet", tuple(shapes)),))

    def _title(self, number: int) -> str:
        """Return the title of a track, with its owner if the sides do not share it."""
        record, who = self.tracks[number]
        return f"{record.title}: {self.game.file.title_of(who)}" if who else record.title

    @property
    def pictures(self) -> dict[str, Scene]:
        """The markers by file name, in the colour of the owner, half a counter wide."""
        return {marker.image: self._draw_marker(marker) for marker in self.markers}

    def _draw_marker(self, marker: RecordMarker) -> Scene:
        sides = self.game.file.sides
        nation = sides[marker.who][0] if marker.who in sides else marker.who
        tint, side = palette_of(self.game).nation(nation), float(round(self.counter * 0.62))
        ink = ink_on(tint)
        first, *more = marker.title.split()
        letters = first if first.isupper() else "".join(word[0] for word in (first, *more[:1])).upper()
        who = self.game.file.title_of(marker.who)
        shapes = (
            inset((0, 0, side, side), 1, radius=6, fill=tint, stroke=INK, stroke_width=2),
            sheet_text(letters, side / 2, side * 0.34, side * 0.36, side - 8, bold=True, fill=ink, min_size=8.0),
            sheet_text(
                "x10" if marker.tens else _abbreviate_title(who),
                side / 2,
                side * 0.72,
                side * 0.24,
                side - 8,
                fill=ink,
                min_size=8.0,
            ),
        )
        return Scene(width=side, height=side, title=f"{marker.title}: {who}", layers=(Layer("marker", shapes),))


def _choose_row_tint(place: int) -> str:
    """Return the tint of a box's head, which alternates by rows of ten."""
    return SEASONS[place // _MAX_BOXES_ABREAST % 2]


def _abbreviate_title(title: str) -> str:
    """Return the title of a side or nation in a few letters: `CP` for Central Powers, `Allies`."""
    words = title.replace("-", " ").split()
    return "".join(word[0] for word in words) if len(words) > 1 else title[:7]
