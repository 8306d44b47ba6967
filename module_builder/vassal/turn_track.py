"""The course of play in a module: the drawn turn track, and the tracker that goes through turns and phases.

The track has a box for each turn, in which the counters lie that arrive then, and a frame around the current turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from lxml import etree

from assistant.drawing.colours import mix
from assistant.drawing.lettering import wrap
from assistant.drawing.scene import Layer, Polyline, Rectangle, Scene, Shape, inset
from assistant.drawing.style import PAPER, SEASONS, SOFT_INK, UNKNOWN_GROUND
from assistant.formats.vassal.grids import Pixel
from assistant.formats.vassal.legends import DISPLAY, turn_track
from assistant.formats.vassal.pieces import Piece, write_definition
from assistant.formats.vassal.sequence import join
from assistant.formats.vassal.traits import LayerTrait, Trait, marker_trait
from assistant.formats.vassal.turn_lists import TurnList
from assistant.game.course import CourseFile, Phase, arrival_track, course_file
from assistant.game.games import Game
from assistant.game.turn_record import Turn, list_people, numbers_of, read_turns
from assistant.state.tracks import Track
from assistant.util.typesetting import sentence

from .elements import LAST_TURN, MAP, MODULE, NEXT_TURN, TURN, WIDGET, add
from .icons import TURN as ICON
from .icons import icon_file
from .pieces.maker import frame_slot
from .pieces.traits import computed
from .sheets import SHEET, sheet_text

TURNS = "Turns"
"""The window of the turn track."""
_BOXES_PER_ROW = 6
_GAP_PX = 14
"""The space around a box."""
_HEAD_HEIGHT_PX = 40
"""The space above the first row."""
_BAND_HEIGHT_PX = 26
"""The height of the band with the name."""
_DATE_HEIGHT_PX = 23
"""The height of the date."""
_LINE_PITCH_PX = 15
"""The pitch of lines."""
_FOOT_HEIGHT_PX = 20
"""The height of the strip with the inter-phase."""
_SMALL_SIZE_PX = 11.5
"""The size of small letters."""
_MIN_BOX_WIDTH_PX = 228
"""The minimum width of a box."""
_MARGIN_PX = 8
"""The margin beside the words."""
_COUNTER_GAP_PX = 12
"""The space above and below counters."""
NOW_COLOUR = "#b3202a"
"""The colour of the frame around the current turn."""
MAX_BOXES = 200
"""The maximum number of turns of a track."""
_CHANGED_KEY = "57344,0,The turn has changed"
"""The keystroke that the tracker fires at each new turn."""
_REDRAW_KEY = "57344,0,Look at the turn"
"""The keystroke that redraws the frames."""
_LEVEL_PROPERTY = "turn_now"
"""The property of a frame with the column of the current turn, or 1 if the turn is not in the frame's row."""
_DISPLAY = "turn"
"""The value of the property `DISPLAY` that marks a frame of the turn track."""


class TurnTrack(NamedTuple):
    """The boxes of a turn track."""

    title: str
    numbers: range
    """The numbers of the turns."""
    known: dict[int, Turn]
    """The turns of the record, by number."""
    tag: str
    """The name of a turn, with {} for its number."""
    counter: int
    """The side of a counter, in pixels."""
    arrives: str = ""
    """The track with a unit's turn of arrival, or ""."""
    titles: Mapping[str, str] = {}
    """The titles of sides and nations."""

    def name(self, number: int) -> str:
        return self.tag.replace("{}", str(number))

    def turn(self, number: int) -> Turn:
        return self.known.get(number, Turn(number=number))

    @property
    def width(self) -> int:
        """The width of a box: two counters side by side."""
        return max(2 * self.counter + 40, _MIN_BOX_WIDTH_PX)

    @property
    def rows(self) -> list[range]:
        return [self.numbers[at : at + _BOXES_PER_ROW] for at in range(0, len(self.numbers), _BOXES_PER_ROW)]

    @property
    def boxes(self) -> dict[int, TurnBox]:
        """The box of each turn. The boxes of a row are as high as the fullest needs."""
        boxes, top = dict[int, TurnBox](), _HEAD_HEIGHT_PX
        for row in self.rows:
            most = max(len(self.lines(self.turn(number))) for number in row)
            foot = _FOOT_HEIGHT_PX if any(self.turn(number).interphase for number in row) else 0
            height = (
                _BAND_HEIGHT_PX + _DATE_HEIGHT_PX + most * _LINE_PITCH_PX + self.counter + 2 * _COUNTER_GAP_PX + foot
            )
            for column, number in enumerate(row):
                boxes[number] = TurnBox(_GAP_PX + column * (self.width + _GAP_PX), top, self.width, height, foot)
            top += height + _GAP_PX
        return boxes

    @property
    def size(self) -> Pixel:
        boxes = self.boxes.values()
        return max(box.right for box in boxes) + _GAP_PX, max(box.bottom for box in boxes) + _GAP_PX

    @property
    def middles(self) -> dict[str, Pixel]:
        """The place of counters in the box of each turn, below the words."""
        return {
            str(number): (box.left + box.width // 2, box.bottom - box.foot - _COUNTER_GAP_PX - self.counter // 2)
            for number, box in self.boxes.items()
        }

    @property
    def scene(self) -> Scene:
        """The drawing: boxes with name, date, season, weather and events, in whole words."""
        width, height = self.size
        seasons = dict.fromkeys(turn.season.text for turn in self.known.values() if turn.season)
        tints = {season: SEASONS[n % len(SEASONS)] for n, season in enumerate(seasons)}
        shapes: list[Shape] = [Rectangle(x=0, y=0, width=width, height=height, fill=PAPER)]
        shapes.append(sheet_text(self.title, width / 2, _HEAD_HEIGHT_PX / 2, 20, width - 2 * _GAP_PX, bold=True))
        for number, box in self.boxes.items():
            turn = self.turn(number)
            tint = tints.get(turn.season.text if turn.season else "", PAPER)
            shapes += self._draw_box(turn, box, tint)
        return Scene(width=width, height=height, title=self.title, layers=(Layer("sheet", tuple(shapes)),))

    def _draw_box(self, turn: Turn, box: TurnBox, tint: str) -> Iterator[Shape]:
        """Yield the drawing of a box. `tint`: the colour of its season."""
        x, y, width = box.left, box.top, box.width
        yield inset((x, y, width, box.height), 0, fill=UNKNOWN_GROUND)
        yield inset((x, y, width, _BAND_HEIGHT_PX), 0, fill=tint)
        room = width - 2 * _MARGIN_PX
        yield sheet_text(
            self.name(turn.number), x + _MARGIN_PX, y + _BAND_HEIGHT_PX / 2, 16, room / 2, bold=True, anchor="start"
        )
        season = turn.season.marked if turn.season else ""
        yield sheet_text(season, box.right - _MARGIN_PX, y + _BAND_HEIGHT_PX / 2, 12, room / 2, anchor="end")
        date = turn.date.in_words if turn.date else ""
        yield sheet_text(
            date, x + _MARGIN_PX, y + _BAND_HEIGHT_PX + _DATE_HEIGHT_PX / 2 - 0.5, 12.5, room, bold=True, anchor="start"
        )
        if not date:  # a line to write the date on
            rule = y + _BAND_HEIGHT_PX + _DATE_HEIGHT_PX - 6
            yield Polyline(points=((x + _MARGIN_PX, rule), (box.right - _MARGIN_PX, rule)), stroke=SOFT_INK, width=0.8)
        for line, text in enumerate(self.lines(turn)):
            base = y + _BAND_HEIGHT_PX + _DATE_HEIGHT_PX + (line + 0.5) * _LINE_PITCH_PX + 2
            yield sheet_text(text, x + _MARGIN_PX, base, _SMALL_SIZE_PX, room, anchor="start")
        if turn.interphase:
            yield inset((x, box.bottom - _FOOT_HEIGHT_PX, width, _FOOT_HEIGHT_PX), 0, fill=mix(SOFT_INK, PAPER, 0.75))
            after = turn.interphase.marked
            yield sheet_text(
                after, x + _MARGIN_PX, box.bottom - _FOOT_HEIGHT_PX / 2, 12, room, bold=True, anchor="start"
            )
        yield inset((x, y, width, box.height), 0.8, stroke=SOFT_INK, stroke_width=1.6)

    def lines(self, turn: Turn) -> list[str]:
        """Return the weather and events of a turn in lines as wide as a box, without the usual weather."""
        lines: list[str] = []
        for fact in (turn.weather, *turn.events):
            if fact and fact.text != "normal":
                text = f"{self.titles.get(fact.who, fact.who)}: {fact.marked}" if fact.who else sentence(fact.marked)
                lines += wrap(text, _SMALL_SIZE_PX, self.width - 2 * _MARGIN_PX)
        return lines

    # --- the current turn ---

    @property
    def heads(self) -> list[tuple[range, Pixel]]:
        """The turns of each row, and the middle of the head of its first box."""
        boxes, down = self.boxes, (_BAND_HEIGHT_PX + _DATE_HEIGHT_PX) // 2
        return [(row, (boxes[row[0]].left + self.width // 2, boxes[row[0]].top + down)) for row in self.rows]

    @property
    def frames_right(self) -> int:
        """The distance of the frames' middle from the head of a row's first box, to the right."""
        return (self._across - self.width) // 2

    @property
    def _across(self) -> int:
        abreast = min(len(self.numbers), _BOXES_PER_ROW)
        return abreast * self.width + (abreast - 1) * _GAP_PX

    @property
    def frames(self) -> list[Scene]:
        """The frame over the heads of a row for each of its turns as the current one."""
        height, drawn = _BAND_HEIGHT_PX + _DATE_HEIGHT_PX, list[Scene]()
        for column in range(min(len(self.numbers), _BOXES_PER_ROW)):
            x, middle = column * (self.width + _GAP_PX), self.width / 2
            pill = 46, 17
            shapes = (
                inset((x, 0, self.width, height), 1.5, stroke=NOW_COLOUR, stroke_width=3),
                inset(
                    (x + middle - pill[0] / 2, _BAND_HEIGHT_PX / 2 - pill[1] / 2, *pill), 0, radius=8, fill=NOW_COLOUR
                ),
                sheet_text("now", x + middle, _BAND_HEIGHT_PX / 2, 12, pill[0], bold=True, fill=UNKNOWN_GROUND),
            )
            layers = (Layer("frame", shapes),)
            drawn.append(Scene(width=self._across, height=height, title="the current turn", layers=layers))
        return drawn


class TurnBox(NamedTuple):
    """The box of a turn, in pixels."""

    left: int
    top: int
    width: int
    height: int
    foot: int
    """The height of the strip at the foot that shows the inter-phase."""

    @property
    def right(self) -> int:
        return self.left + self.width

    @property
    def bottom(self) -> int:
        return self.top + self.height


def now_image(column: int) -> str:
    """Return the file of the frame around the current turn in a column, from 1."""
    return f"now-{column}.png"


class TrackerList(NamedTuple):
    """A list of the tracker."""

    title: str
    entries: tuple[tuple[str, str], ...]
    """The words of each entry, and its fact."""
    below: tuple[TrackerList, ...] = ()
    """The lists within each entry."""

    @property
    def steps(self) -> TurnList:
        """The facts of the list."""
        return TurnList(tuple(fact for _, fact in self.entries), tuple(inner.steps for inner in self.below))


class Timeline(NamedTuple):
    """The course of play as a module shows it."""

    track: TurnTrack | None
    """The turn track, or None if the number of turns is not stated."""
    lists: tuple[TrackerList, ...]
    """The lists of the tracker within a turn."""


def make_timeline(game: Game, counter: int) -> Timeline:
    """Return the course of play of a game.

    `counter`: the side of a counter, in pixels.

    Raises InputError if the files that describe it have a mistake.
    """
    course = course_file(game)
    known = read_turns(game, course)
    lists = _list_parts(game, course, known) if turn_track(game) else ()  # only a turn tracker has lists
    return Timeline(_make_turn_track(game, course, known, counter), lists)


def _make_turn_track(game: Game, course: CourseFile, turns: Sequence[Turn], counter: int) -> TurnTrack | None:
    track = turn_track(game)
    if track is None or track.least is None or track.most is None or track.most - track.least >= MAX_BOXES:
        return None
    known = {turn.number: turn for turn in turns} if course.turns.track == track.name else {}
    titles = {who: game.file.title_of(who) for who in list_people(game)}
    name = track.title.partition(":")[0]  # the rest explains the name
    title, numbers = name[:1].upper() + name[1:], range(track.least, track.most + 1)
    tag, arrives = _choose_tag(track, course), arrival_track(game, course)
    return TurnTrack(f"{title}s", numbers, known, tag, counter, arrives, titles)


def _choose_tag(track: Track, course: CourseFile) -> str:
    if course.turns.track == track.name and course.turns.tag != "{}":
        return course.turns.tag
    return track.module.tag if track.module else "{}"


def _list_parts(game: Game, course: CourseFile, turns: Sequence[Turn]) -> tuple[TrackerList, ...]:
    """Return the parts of a turn: its beginning, the player turns with their phases, and the end.

    The result is empty if the game has no phases.
    """
    if not course.phase:
        return ()
    own = [phase for phase in course.phase if phase.part == "player-turn"]
    begins = [name for name, _ in _list_entries(game, course, turns, "turn")] or ["Start"]
    first = tuple((name, "") for name in begins)  # the first entry of a tracker states no phase
    levels = [TrackerList("Turn", first)]
    named = [f"{phase.title} ({game.file.title_of(phase.who)})" if phase.who else phase.title for phase in own]
    facts = [_write_fact(game, "phase", phase.word) for phase in own]
    phases = TrackerList("Phase", tuple(zip(named, facts, strict=True)))
    if own and course.turns.order:
        sides = tuple((game.file.title_of(side), _write_fact(game, "phasing", side)) for side in course.turns.order)
        levels.append(TrackerList("Player turn", sides, (phases,)))
    elif own:
        levels.append(phases)
    last = _list_entries(game, course, turns, "inter-phase")
    if last:
        levels.append(TrackerList("Inter-phase", last))
    return tuple(levels)


def _list_entries(game: Game, course: CourseFile, turns: Sequence[Turn], part: str) -> tuple[tuple[str, str], ...]:
    """Return the label and the fact of each phase in a part. The label names the turns of an occasional phase."""
    phases = [phase for phase in course.phase if phase.part == part]
    return tuple(
        (_format_phase(game, course, turns, phase), _write_fact(game, "phase", phase.word)) for phase in phases
    )


def _format_phase(game: Game, course: CourseFile, turns: Sequence[Turn], phase: Phase) -> str:
    track = turn_track(game)
    number = range(track.least or 0, (track.most or 0) + 1) if track else range(0)
    between = [turn.number for turn in turns if turn.interphase] if phase.part == "inter-phase" else []
    if between and len(between) < len(number):
        return f"{phase.title} (if due)"
    if phase.turns and course.turns.track == (track.name if track else ""):
        due = numbers_of(phase.turns, number)
        if len(due) < len(number):
            return f"{phase.title} ({course.turns.tag.replace('{}', phase.turns.replace(' ', ', '))})"
    return phase.title


def _write_fact(game: Game, name: str, word: str) -> str:
    """Return a fact as position notation, or "" if the game has no such track or value."""
    track = game.tracks.get(name)
    return track.word(word) if track and track.on == "game" and word in track.values else ""


def add_turn_tracker(root: etree._Element, track: Track, within: Sequence[TrackerList]) -> etree._Element:
    """Add the tracker of turns, with the lists within a turn, to the build file, and return it."""
    tag = (track.module.tag if track.module else "{}").replace("{}", "$level1$")
    element = add(
        root,
        MODULE + "turn.TurnTracker",
        name=track.title.capitalize(),
        turnFormat=f"{tag}, $level2$ $level3$" if within else tag,
        buttonText="Turn",
        reportFormat="Now $newTurn$",
        icon=icon_file(ICON),
        hotkey=TURN.stroke,
        nexthotkey=NEXT_TURN.stroke,
        prevhotkey=LAST_TURN.stroke,
    )
    counter = add(
        element,
        MODULE + "turn.CounterTurnLevel",
        name=track.title,
        property=track.name,
        start=str(1 if track.least is None else track.least),
        incr="1",
        loop="false",  # returning from the last turn to the first would go unnoticed
        loopLimit="-1",
        turnFormat="$value$",
    )
    for listed in within:
        _add_list(counter, listed)
    return element


def _add_list(parent: etree._Element, listed: TrackerList) -> None:
    """Add a list of the tracker, with those within its entries."""
    element = add(
        parent,
        MODULE + "turn.ListTurnLevel",
        name=listed.title,
        property=listed.title.replace(" ", ""),
        list=join([shown for shown, _ in listed.entries], ","),
        turnFormat="$value$",
        configList="false",
        configFirst="false",
        prompt="",
    )
    for inner in listed.below:
        _add_list(element, inner)


def frame_pieces(track: TurnTrack, turn: Track, slots: Mapping[str, str]) -> Iterator[Piece]:
    """Yield the frames on the track, one for each row.

    `slots`: the ids of slots by their names.
    """
    images = ("", *(now_image(column) for column in range(1, len(track.rows[0]) + 1)))
    for number, (row, at) in enumerate(track.heads, 1):
        cases = "".join(f'GetProperty("{turn.name}")=={turn_} ? {level} : ' for level, turn_ in enumerate(row, 2))
        traits = (
            Trait(join(["immob", "ng", "V", "R", "part of the turn track"], ";")),
            Trait(
                LayerTrait("now", images, ("",) * len(images), x=track.frames_right, follows=_LEVEL_PROPERTY).type, "1"
            ),
            computed(_LEVEL_PROPERTY, f"{cases}1"),
            marker_trait({DISPLAY: _DISPLAY}),
            Trait(join(("piece", "", "", "", "The current turn"), ";")),
        )
        yield Piece(f"now {number}", traits, TURNS, at, slots[frame_slot(number)])


def add_frames(tracker: etree._Element, window: etree._Element, pieces: Iterator[Piece]) -> None:
    """Put the frames onto the track of every new game, and redraw them when the turn changes.

    `window`: the window of the track.
    """
    add(
        tracker,
        MODULE + "turn.TurnGlobalHotkey",
        name="The turn has changed",
        hotkey=_CHANGED_KEY,
        match="",
        reportFormat="",
    )
    add(
        window,
        MAP + "MassKeyCommand",
        name="Look at the turn",
        buttonText="",
        tooltip="",
        icon="",
        buttonHotkey=_CHANGED_KEY,
        hotkey=_REDRAW_KEY,
        filter=f'{{{DISPLAY}=="{_DISPLAY}"}}',
        reportSingle="true",
        reportFormat="",
        singleMap="true",
        deckCount="0",
        suppressSounds="true",
    )
    put_pieces(window, pieces)


def put_pieces(window: etree._Element, pieces: Iterator[Piece]) -> None:
    """Put pieces onto the sheet of a window in every new game. Those at one spot become a stack."""
    for at, pile in group_by_place(pieces).items():
        _put_pile(window, at, pile)


def group_by_place(pieces: Iterable[Piece]) -> dict[Pixel, list[Piece]]:
    """Return pieces by their place."""
    by_spot: dict[Pixel, list[Piece]] = {}
    for piece in pieces:
        by_spot.setdefault(piece.at, []).append(piece)
    return by_spot


def take_off_map(piece: Piece) -> Piece:
    """Return a piece off the map, as the module holds it."""
    return Piece("null", piece.traits, slot=piece.slot)


def _put_pile(window: etree._Element, at: Pixel, pile: Sequence[Piece]) -> None:
    stack = add(
        window,
        MAP + "SetupStack",
        name=f"Put {pile[0].id}",
        owningBoard=SHEET,
        useGridLocation="false",
        location="",
        x=str(at[0]),
        y=str(at[1]),
    )
    for piece in pile:
        held = write_definition(take_off_map(piece))
        add(stack, WIDGET + "PieceSlot", held, entryName=f"Put {piece.id}", gpid=piece.slot, width="0", height="0")
